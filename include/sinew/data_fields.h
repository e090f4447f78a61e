// The table of snData: every scalar and every array is one row.
//
// SN_DATA_SCALARS: X(ctype, name, meaning), and A(ctype, name, count, meaning) for fixed arrays.
// SN_DATA_FIELDS:  X(type, name, rows, columns, stage, meaning), rows is a size of the model.
// SN_DATA_ARENA:   the same for arrays that live in the arena and vary in size; rows is SN_M(size of
//                  the model) or SN_D(counter of the data).
// stage: STATE is what a step starts from, what the user sets and what a step hands on (qacc, act_dot,
// sensordata); POS, VEL and ACC depend on positions, also on velocities, also on forces, and are
// written by the stages of these names unless the meaning says who writes them.

#ifndef SINEW_DATA_FIELDS_H_
#define SINEW_DATA_FIELDS_H_

// clang-format off
// MuJoCo's rows have names of their own beside ours: see model_fields.h.
#define SN_MUJOCO_DATA_SCALARS(X, A) \
  X(snSize,         narena,              "bytes of the arena") \
  X(snSize,         nbuffer,             "bytes of the arrays") \
  X(int,            nplugin,             "plugin instances") \
  X(size_t,         pstack,              "bytes of the stack in use") \
  X(size_t,         pbase,               "address of the innermost stack frame plus 1, 0: none") \
  X(size_t,         parena,              "bytes of the growing region in use") \
  X(snSize,         maxuse_stack,        "most bytes of the stack so far") \
  A(snSize,         maxuse_threadstack,  snMAXTHREAD,             "most bytes of the stack by thread") \
  X(snSize,         maxuse_arena,        "most bytes of the arena so far") \
  X(int,            maxuse_con,          "most contacts so far") \
  X(int,            maxuse_efc,          "most constraint rows so far") \
  A(snSolverStat,   solver,              snNISLAND * snNSOLVER,   "progress of the solver by island and iteration") \
  A(int,            solver_niter,        snNISLAND,               "iterations by island") \
  A(int,            solver_nnz,          snNISLAND,               "entries of the solver's matrix by island") \
  A(snReal,         solver_fwdinv,       2,                       "forward against inverse: constraint force, applied force") \
  A(snWarningStat,  warning,             snNWARNING,              "count and last argument by warning") \
  A(snTimerStat,    timer,               snNTIMER,                "time and calls by timer") \
  X(int,            ncon,                "contacts") \
  X(int,            ne,                  "rows of equalities") \
  X(int,            nf,                  "rows of friction") \
  X(int,            nl,                  "rows of limits") \
  X(int,            nefc,                "constraint rows") \
  X(int,            nJ,                  "entries of efc_J") \
  X(int,            nA,                  "entries of efc_AR") \
  X(int,            nisland,             "islands") \
  X(int,            nidof,               "dofs in all islands") \
  X(int,            ntree_awake,         "trees that are awake") \
  X(int,            nbody_awake,         "bodies that are awake") \
  X(int,            nparent_awake,       "bodies whose parent is not asleep") \
  X(int,            nv_awake,            "dofs that are awake") \
  X(snByte,         flg_energypos,       "potential energy is up to date") \
  X(snByte,         flg_energyvel,       "kinetic energy is up to date") \
  X(snByte,         flg_subtreevel,      "subtree velocities are up to date") \
  X(snByte,         flg_rnepost,         "cacc, cfrc_int, cfrc_ext are up to date") \
  X(snReal,         time,                "simulated time") \
  A(snReal,         energy,              2,                       "potential and kinetic energy")

#define SN_MUJOCO_DATA_HANDLES(X) \
  X(uintptr_t,      threadpool,          "handle of the thread pool, 0: none") \
  X(uint64_t,       signature,           "hash of the model that it was made for")

#define SN_OWN_DATA_SCALARS(X) \
  X(int,            nJs,                 "non-zeros of efc_Js") \
  X(int,            nMs,                 "entries of Ms") \
  X(int,            niM,                 "entries of iM") \
  X(int,            nlostframe,          "stack frames that found the arena full and are still open") \
  X(int,            ndeformcon,          "contacts of deformables with geoms") \
  X(int,            ndeformpair,         "contacts of deformables with one another, with themselves and with flexes")

#define SN_DATA_SCALARS(X, A) \
  SN_MUJOCO_DATA_SCALARS(X, A) \
  SN_MUJOCO_DATA_HANDLES(X) \
  SN_OWN_DATA_SCALARS(X)

#define SN_MUJOCO_DATA_FIELDS(X) \
  X(real,  qpos,                    nq,              1,                 STATE,   "positions") \
  X(real,  qvel,                    nv,              1,                 STATE,   "velocities") \
  X(real,  act,                     na,              1,                 STATE,   "activations") \
  X(real,  history,                 nhistory,        1,                 STATE,   "delay buffers of controls and sensors") \
  X(real,  qacc_warmstart,          nv,              1,                 STATE,   "acceleration from which the solver starts") \
  X(real,  plugin_state,            npluginstate,    1,                 STATE,   "states of plugins") \
  X(real,  ctrl,                    nu,              1,                 STATE,   "controls") \
  X(real,  qfrc_applied,            nv,              1,                 STATE,   "applied force by dof") \
  X(real,  xfrc_applied,            nbody,           6,                 STATE,   "applied force and torque by body, at the centre of mass") \
  X(byte,  eq_active,               neq,             1,                 STATE,   "equality is active") \
  X(real,  mocap_pos,               nmocap,          3,                 STATE,   "positions of mocap bodies") \
  X(real,  mocap_quat,              nmocap,          4,                 STATE,   "orientations of mocap bodies") \
  X(real,  qacc,                    nv,              1,                 STATE,   "accelerations") \
  X(real,  act_dot,                 na,              1,                 STATE,   "time derivative of activations") \
  X(real,  userdata,                nuserdata,       1,                 STATE,   "user numbers") \
  X(real,  sensordata,              nsensordata,     1,                 STATE,   "results of sensors") \
  X(int,   tree_asleep,             ntree,           1,                 STATE,   "negative: awake, with a countdown; else next tree in the sleeping cycle") \
  X(int,   plugin,                  nplugin,         1,                 STATE,   "slot of the plugin") \
  X(ptr,   plugin_data,             nplugin,         1,                 STATE,   "handle of the plugin") \
  X(real,  xpos,                    nbody,           3,                 POS,     "position of the body") \
  X(real,  xquat,                   nbody,           4,                 POS,     "orientation of the body") \
  X(real,  xmat,                    nbody,           9,                 POS,     "rotation matrix of the body") \
  X(real,  xipos,                   nbody,           3,                 POS,     "centre of mass") \
  X(real,  ximat,                   nbody,           9,                 POS,     "rotation matrix of the principal axes") \
  X(real,  xanchor,                 njnt,            3,                 POS,     "anchor of the joint") \
  X(real,  xaxis,                   njnt,            3,                 POS,     "axis of the joint") \
  X(real,  geom_xpos,               ngeom,           3,                 POS,     "position of the geom") \
  X(real,  geom_xmat,               ngeom,           9,                 POS,     "rotation matrix of the geom") \
  X(real,  site_xpos,               nsite,           3,                 POS,     "position of the site") \
  X(real,  site_xmat,               nsite,           9,                 POS,     "rotation matrix of the site") \
  X(real,  cam_xpos,                ncam,            3,                 POS,     "position of the camera") \
  X(real,  cam_xmat,                ncam,            9,                 POS,     "rotation matrix of the camera") \
  X(real,  light_xpos,              nlight,          3,                 POS,     "position of the light") \
  X(real,  light_xdir,              nlight,          3,                 POS,     "direction of the light") \
  X(real,  subtree_com,             nbody,           3,                 POS,     "centre of mass of the subtree") \
  X(real,  cdof,                    nv,              6,                 POS,     "motion axis of a dof (rotation, translation) about the tree's centre of mass") \
  X(real,  cinert,                  nbody,           10,                POS,     "inertia about the tree's centre of mass: xx yy zz xy xz yz, mass times offset, mass") \
  X(real,  flexvert_xpos,           nflexvert,       3,                 POS,     "position of the vertex") \
  X(real,  flexelem_aabb,           nflexelem,       6,                 POS,     "box of the element: centre, half sizes") \
  X(real,  flexedge_J,              nJfe,            1,                 POS,     "Jacobian of the edge lengths") \
  X(real,  flexedge_length,         nflexedge,       1,                 POS,     "length of the edge") \
  X(real,  flexvert_J,              nJfv,            2,                 POS,     "Jacobian of flexvert_length") \
  X(real,  flexvert_length,         nflexvert,       2,                 POS,     "stretch around the vertex: trace and determinant of the metric, less their values at rest") \
  X(real,  bvh_aabb_dyn,            nbvhdynamic,     6,                 POS,     "box of a moving node: centre, half sizes") \
  X(int,   ten_wrapadr,             ntendon,         1,                 POS,     "first point of the path") \
  X(int,   ten_wrapnum,             ntendon,         1,                 POS,     "points of the path") \
  X(int,   ten_J_rownnz,            ntendon,         1,                 POS,     "entries of a row of ten_J") \
  X(int,   ten_J_rowadr,            ntendon,         1,                 POS,     "address of a row of ten_J") \
  X(int,   ten_J_colind,            ntendon,         SN_M(nv),          POS,     "columns of ten_J") \
  X(real,  ten_J,                   ntendon,         SN_M(nv),          POS,     "Jacobian of the tendon lengths") \
  X(real,  ten_length,              ntendon,         1,                 POS,     "length of the tendon") \
  X(int,   wrap_obj,                nwrap,           2,                 POS,     "geom at a point, -1 site, -2 pulley") \
  X(real,  wrap_xpos,               nwrap,           6,                 POS,     "points of the paths") \
  X(real,  actuator_length,         nu,              1,                 POS,     "length of the actuator") \
  X(int,   moment_rownnz,           nu,              1,                 POS,     "entries of a row of actuator_moment") \
  X(int,   moment_rowadr,           nu,              1,                 POS,     "address of a row of actuator_moment") \
  X(int,   moment_colind,           nJmom,           1,                 POS,     "columns of actuator_moment") \
  X(real,  actuator_moment,         nJmom,           1,                 POS,     "Jacobian of the actuator lengths") \
  X(real,  crb,                     nbody,           10,                POS,     "inertia of the subtree about the tree's centre of mass") \
  X(real,  qM,                      nM,              1,                 POS,     "inertia matrix, along the chains of ancestors") \
  X(real,  M,                       nC,              1,                 POS,     "inertia matrix, lower rows") \
  X(real,  qLD,                     nC,              1,                 POS,     "factor L' D L of M") \
  X(real,  qLDiagInv,               nv,              1,                 POS,     "1 / D") \
  X(byte,  bvh_active,              nbvh,            1,                 POS,     "node took part in a collision check (when vis.global.bvactive asks)") \
  X(int,   tree_awake,              ntree,           1,                 POS,     "tree is awake") \
  X(int,   body_awake,              nbody,           1,                 POS,     "asleep, awake or static (snSleepState)") \
  X(int,   body_awake_ind,          nbody,           1,                 POS,     "bodies that are awake") \
  X(int,   parent_awake_ind,        nbody,           1,                 POS,     "bodies whose parent is not asleep") \
  X(int,   dof_awake_ind,           nv,              1,                 POS,     "dofs that are awake") \
  X(real,  flexedge_velocity,       nflexedge,       1,                 VEL,     "rate of the edge length") \
  X(real,  ten_velocity,            ntendon,         1,                 VEL,     "rate of the tendon length") \
  X(real,  actuator_velocity,       nu,              1,                 VEL,     "rate of the actuator length") \
  X(real,  cvel,                    nbody,           6,                 VEL,     "velocity (rotation, translation) about the tree's centre of mass") \
  X(real,  cdof_dot,                nv,              6,                 VEL,     "time derivative of cdof") \
  X(real,  qfrc_bias,               nv,              1,                 VEL,     "Coriolis, centrifugal and gravity force") \
  X(real,  qfrc_spring,             nv,              1,                 VEL,     "spring force") \
  X(real,  qfrc_damper,             nv,              1,                 VEL,     "damper force") \
  X(real,  qfrc_gravcomp,           nv,              1,                 VEL,     "gravity compensation") \
  X(real,  qfrc_fluid,              nv,              1,                 VEL,     "fluid force") \
  X(real,  qfrc_passive,            nv,              1,                 VEL,     "sum of the passive forces") \
  X(real,  subtree_linvel,          nbody,           3,                 VEL,     "velocity of the subtree's centre of mass; on demand, sn_subtreeVel") \
  X(real,  subtree_angmom,          nbody,           3,                 VEL,     "angular momentum of the subtree about its centre of mass; on demand, sn_subtreeVel") \
  X(real,  qH,                      nC,              1,                 VEL,     "factor of M + h D; written by sn_Euler and sn_implicit") \
  X(real,  qHDiagInv,               nv,              1,                 VEL,     "inverse diagonal of that factor") \
  X(real,  qDeriv,                  nD,              1,                 VEL,     "derivative of the smooth forces by velocity; written by sn_implicit") \
  X(real,  qLU,                     nD,              1,                 VEL,     "factor of M - h qDeriv; written by sn_implicit") \
  X(real,  actuator_force,          nu,              1,                 ACC,     "force of the actuator") \
  X(real,  qfrc_actuator,           nv,              1,                 ACC,     "actuator force by dof") \
  X(real,  qfrc_smooth,             nv,              1,                 ACC,     "all forces but those of constraints") \
  X(real,  qacc_smooth,             nv,              1,                 ACC,     "acceleration without constraints") \
  X(real,  qfrc_constraint,         nv,              1,                 ACC,     "constraint force") \
  X(real,  qfrc_inverse,            nv,              1,                 ACC,     "force that inverse dynamics finds; written by sn_inverse") \
  X(real,  cacc,                    nbody,           6,                 ACC,     "acceleration about the tree's centre of mass; on demand, sn_rnePostConstraint") \
  X(real,  cfrc_int,                nbody,           6,                 ACC,     "force from the parent, about the tree's centre of mass; on demand, sn_rnePostConstraint") \
  X(real,  cfrc_ext,                nbody,           6,                 ACC,     "external force, about the tree's centre of mass; on demand, sn_rnePostConstraint")

#define SN_OWN_DATA_FIELDS(X) \
  X(real,  ten_force,               ntendon,         1,                 VEL,     "force of spring and damper along the tendon") \
  X(real,  jnt_limit_frc,           njnt,            1,                 ACC,     "force of the joint's limit") \
  X(real,  qvel_shift,              nv,              1,                 ACC,     "what positions move faster than qvel in this step; written by the XPBD solver alone") \
  X(real,  deformvert_xpos,         ndeformvert,     3,                 STATE,   "position of the vertex") \
  X(real,  deformvert_xvel,         ndeformvert,     3,                 STATE,   "velocity of the vertex") \
  X(real,  deformvert_xfrc,         ndeformvert,     3,                 STATE,   "force of geoms on the vertex, mean of the last step") \
  X(real,  deformable_xfrc,         ndeformbody,     6,                 STATE,   "force and torque of deformables on the body, at its centre of mass, during the next step") \
  X(int,   deformable_asleep,       ndeformable,     1,                 STATE,   "steps at rest; from snMINAWAKE on it sleeps") \
  X(byte,  deformvert_colliding,    ndeformvert,     1,                 POS,     "the vertex touches a geom or a deformable")

#define SN_DATA_FIELDS(X) \
  SN_MUJOCO_DATA_FIELDS(X) \
  SN_OWN_DATA_FIELDS(X)

// The arena by the stage that allocates: the constraint rows, the islands, the dual matrix.
// constraint rows: sn_makeConstraint
#define SN_DATA_ARENA_ROW_PLACES(X) \
  X(int,   efc_type,                SN_D(nefc),      1,                 POS,     "kind of constraint (snConstraint)") \
  X(int,   efc_id,                  SN_D(nefc),      1,                 POS,     "object of that kind") \
  X(int,   efc_J_rownnz,            SN_D(nefc),      1,                 POS,     "entries of a row of efc_J") \
  X(int,   efc_J_rowadr,            SN_D(nefc),      1,                 POS,     "address of a row of efc_J") \
  X(int,   efc_J_rowsuper,          SN_D(nefc),      1,                 POS,     "following rows with the same columns") \
  X(int,   efc_J_colind,            SN_D(nJ),        1,                 POS,     "columns of efc_J") \
  X(real,  efc_J,                   SN_D(nJ),        1,                 POS,     "Jacobian of the constraints") \
  X(real,  efc_pos,                 SN_D(nefc),      1,                 POS,     "violation: position or distance") \
  X(real,  efc_margin,              SN_D(nefc),      1,                 POS,     "margin of activity") \
  X(real,  efc_frictionloss,        SN_D(nefc),      1,                 POS,     "bound of friction") \
  X(real,  efc_diagApprox,          SN_D(nefc),      1,                 POS,     "approximate diagonal of J inv(M) J'") \
  X(real,  efc_KBIP,                SN_D(nefc),      4,                 POS,     "stiffness, damping, impedance, its derivative") \
  X(real,  efc_D,                   SN_D(nefc),      1,                 POS,     "1 / R") \
  X(real,  efc_R,                   SN_D(nefc),      1,                 POS,     "regularisation") \
  X(int,   tendon_efcadr,           SN_M(ntendon),   1,                 POS,     "first friction or limit row of the tendon, or the number of its equality, or -1; for visualisation")

#define SN_DATA_ARENA_ROW_RATES(X) \
  X(real,  efc_vel,                 SN_D(nefc),      1,                 VEL,     "J qvel") \
  X(real,  efc_aref,                SN_D(nefc),      1,                 VEL,     "reference acceleration") \
  X(real,  efc_b,                   SN_D(nefc),      1,                 VEL,     "J qacc_smooth - aref")

#define SN_DATA_ARENA_ROW_FORCES(X) \
  X(int,   efc_state,               SN_D(nefc),      1,                 ACC,     "state of the row (snConstraintState)") \
  X(real,  efc_force,               SN_D(nefc),      1,                 ACC,     "force of the row")

#define SN_DATA_ARENA_ROWS(X) \
  SN_DATA_ARENA_ROW_PLACES(X) \
  SN_DATA_ARENA_ROW_RATES(X) \
  SN_DATA_ARENA_ROW_FORCES(X)

// islands: sn_island; in MuJoCo's order, in parts of which one island with every dof shares some
#define SN_DATA_ARENA_ISLAND_DOFS(X) \
  X(int,   tree_island,             SN_M(ntree),     1,                 POS,     "island of the tree, or -1") \
  X(int,   island_ntree,            SN_D(nisland),   1,                 POS,     "trees of the island") \
  X(int,   island_itreeadr,         SN_D(nisland),   1,                 POS,     "first tree in map_itree2tree") \
  X(int,   map_itree2tree,          SN_M(ntree),     1,                 POS,     "trees by island") \
  X(int,   dof_island,              SN_M(nv),        1,                 POS,     "island of the dof, or -1") \
  X(int,   island_nv,               SN_D(nisland),   1,                 POS,     "dofs of the island") \
  X(int,   island_idofadr,          SN_D(nisland),   1,                 POS,     "first dof in map_idof2dof") \
  X(int,   island_dofadr,           SN_D(nisland),   1,                 POS,     "smallest dof of the island") \
  X(int,   map_dof2idof,            SN_M(nv),        1,                 POS,     "place of a dof in the order of islands") \
  X(int,   map_idof2dof,            SN_M(nv),        1,                 POS,     "dofs by island")

#define SN_DATA_ARENA_ISLAND_SMOOTH(X) \
  X(real,  ifrc_smooth,             SN_D(nidof),     1,                 POS,     "qfrc_smooth, by island") \
  X(real,  iacc_smooth,             SN_D(nidof),     1,                 POS,     "qacc_smooth, by island")

#define SN_DATA_ARENA_ISLAND_PATTERN(X) \
  X(int,   iM_rownnz,               SN_D(nidof),     1,                 POS,     "entries of a row of iM") \
  X(int,   iM_rowadr,               SN_D(nidof),     1,                 POS,     "address of a row of iM") \
  X(int,   iM_colind,               SN_D(niM),       1,                 POS,     "columns of iM")

#define SN_DATA_ARENA_ISLAND_INERTIA(X) \
  X(real,  iM,                      SN_D(niM),       1,                 POS,     "inertia matrix, by island") \
  X(real,  iLD,                     SN_D(niM),       1,                 POS,     "factor of iM") \
  X(real,  iLDiagInv,               SN_D(nidof),     1,                 POS,     "inverse diagonal of that factor") \
  X(real,  iacc,                    SN_D(nidof),     1,                 POS,     "qacc, by island")

#define SN_DATA_ARENA_ISLAND_PLACES(X) \
  X(int,   efc_island,              SN_D(nefc),      1,                 POS,     "island of the row") \
  X(int,   island_ne,               SN_D(nisland),   1,                 POS,     "rows of equalities of the island") \
  X(int,   island_nf,               SN_D(nisland),   1,                 POS,     "rows of friction of the island") \
  X(int,   island_nefc,             SN_D(nisland),   1,                 POS,     "rows of the island") \
  X(int,   island_iefcadr,          SN_D(nisland),   1,                 POS,     "first row in map_iefc2efc") \
  X(int,   map_efc2iefc,            SN_D(nefc),      1,                 POS,     "place of a row in the order of islands") \
  X(int,   map_iefc2efc,            SN_D(nefc),      1,                 POS,     "rows by island")

#define SN_DATA_ARENA_ISLAND_ROW_FORCES(X) \
  X(real,  iefc_aref,               SN_D(nefc),      1,                 ACC,     "reference acceleration, by island") \
  X(int,   iefc_state,              SN_D(nefc),      1,                 ACC,     "state of the row (snConstraintState), by island") \
  X(real,  iefc_force,              SN_D(nefc),      1,                 ACC,     "force of the row, by island")

#define SN_DATA_ARENA_ISLAND_DOF_FORCES(X) \
  X(real,  ifrc_constraint,         SN_D(nidof),     1,                 ACC,     "qfrc_constraint, by island")

#define SN_DATA_ARENA_ISLAND_FORCES(X) \
  SN_DATA_ARENA_ISLAND_ROW_FORCES(X) \
  SN_DATA_ARENA_ISLAND_DOF_FORCES(X)

#define SN_DATA_ARENA_ISLAND_ROWS(X) \
  X(int,   iefc_type,               SN_D(nefc),      1,                 POS,     "kind of constraint (snConstraint), by island") \
  X(int,   iefc_id,                 SN_D(nefc),      1,                 POS,     "object of that kind, by island") \
  X(int,   iefc_J_rownnz,           SN_D(nefc),      1,                 POS,     "entries of a row of iefc_J, by island") \
  X(int,   iefc_J_rowadr,           SN_D(nefc),      1,                 POS,     "address of a row of iefc_J, by island") \
  X(int,   iefc_J_rowsuper,         SN_D(nefc),      1,                 POS,     "following rows with the same columns, by island") \
  X(int,   iefc_J_colind,           SN_D(nJ),        1,                 POS,     "columns of iefc_J, by island") \
  X(real,  iefc_J,                  SN_D(nJ),        1,                 POS,     "Jacobian of the constraints, by island") \
  X(real,  iefc_frictionloss,       SN_D(nefc),      1,                 POS,     "bound of friction, by island") \
  X(real,  iefc_D,                  SN_D(nefc),      1,                 POS,     "1 / R, by island") \
  X(real,  iefc_R,                  SN_D(nefc),      1,                 POS,     "regularisation, by island")

#define SN_DATA_ARENA_ISLAND(X) \
  SN_DATA_ARENA_ISLAND_DOFS(X) \
  SN_DATA_ARENA_ISLAND_SMOOTH(X) \
  SN_DATA_ARENA_ISLAND_PATTERN(X) \
  SN_DATA_ARENA_ISLAND_INERTIA(X) \
  SN_DATA_ARENA_ISLAND_PLACES(X) \
  SN_DATA_ARENA_ISLAND_FORCES(X) \
  SN_DATA_ARENA_ISLAND_ROWS(X)

// what every set of islands has of its own, and what is copied from the order of dofs and rows
#define SN_DATA_ARENA_ISLAND_MAPS(X) \
  SN_DATA_ARENA_ISLAND_DOFS(X) \
  SN_DATA_ARENA_ISLAND_PATTERN(X) \
  SN_DATA_ARENA_ISLAND_PLACES(X)
#define SN_DATA_ARENA_ISLAND_COPIES(X) \
  SN_DATA_ARENA_ISLAND_SMOOTH(X) \
  SN_DATA_ARENA_ISLAND_INERTIA(X) \
  SN_DATA_ARENA_ISLAND_FORCES(X) \
  SN_DATA_ARENA_ISLAND_ROWS(X)

// dual matrix: sn_projectConstraint
#define SN_DATA_ARENA_DUAL(X) \
  X(int,   efc_AR_rownnz,           SN_D(nefc),      1,                 POS,     "entries of a row of efc_AR") \
  X(int,   efc_AR_rowadr,           SN_D(nefc),      1,                 POS,     "address of a row of efc_AR") \
  X(int,   efc_AR_colind,           SN_D(nA),        1,                 POS,     "columns of efc_AR") \
  X(real,  efc_AR,                  SN_D(nA),        1,                 POS,     "J inv(M) J' + R")

// Rows of the Jacobian in compressed form whatever the layout of efc_J; the pattern is
// efc_J_rownnz, efc_J_rowadr, efc_J_colind in both. Not in MuJoCo.
#define SN_DATA_ARENA_OWN(X) \
  X(real,  efc_Js,                  SN_D(nJs),       1,                 POS,     "Jacobian by rows, compressed") \
  X(real,  iefc_Js,                 SN_D(nJs),       1,                 POS,     "efc_Js by island")

// Inertia of the implicitspringdamper integrator, in the layout of M. Not in MuJoCo.
#define SN_DATA_ARENA_SYSTEM(X) \
  X(int,   Ms_rownnz,               SN_M(nv),        1,                 POS,     "entries of each row of Ms") \
  X(int,   Ms_rowadr,               SN_M(nv),        1,                 POS,     "address of each row of Ms") \
  X(int,   Ms_colind,               SN_D(nMs),       1,                 POS,     "columns of Ms") \
  X(real,  Ms,                      SN_D(nMs),       1,                 POS,     "M + h D + h^2 K, lower rows") \
  X(real,  Ms_LD,                   SN_D(nMs),       1,                 POS,     "factor L' D L of Ms") \
  X(real,  Ms_LDiagInv,             SN_M(nv),        1,                 POS,     "1 / D")

// Contacts of deformables with geoms: those of vertices, then those inside of faces and of pieces of chains, at
// the sum of coef times position of their corners. sn_deformCollision. Not in MuJoCo.
#define SN_DATA_ARENA_DEFORM(X) \
  X(int,   deformcon_vert,          SN_D(ndeformcon), 1,                 POS,     "vertex, of a face its corner with the largest coefficient") \
  X(int,   deformcon_face,          SN_D(ndeformcon), 1,                 POS,     "face that is touched between its vertices, or -1") \
  X(real,  deformcon_coef,          SN_D(ndeformcon), 3,                 POS,     "coefficients of the corners of the face; 1, 0, 0 of a vertex") \
  X(int,   deformcon_geom,          SN_D(ndeformcon), 1,                 POS,     "geom") \
  X(real,  deformcon_dist,          SN_D(ndeformcon), 1,                 POS,     "distance of the surfaces, negative: they overlap") \
  X(real,  deformcon_pos,           SN_D(ndeformcon), 3,                 POS,     "nearest point of the geom") \
  X(real,  deformcon_normal,        SN_D(ndeformcon), 3,                 POS,     "from the geom to the vertex or face") \
  X(real,  deformcon_friction,      SN_D(ndeformcon), 1,                 POS,     "coefficient of friction, 0: none") \
  X(real,  deformcon_force,         SN_D(ndeformcon), 3,                 ACC,     "force on the vertex or face, mean of the last step")

// Contacts of deformables with one another, with themselves and with flexes: a vertex against a face, or two
// edges. The distance is along the normal, of the sum of coef times position.
#define SN_DATA_ARENA_DEFORMPAIR(X) \
  X(int,   deformpair_vert,         SN_D(ndeformpair), 4,                POS,     "vertices, -1: none; from ndeformvert on those of flexes") \
  X(real,  deformpair_coef,         SN_D(ndeformpair), 4,                POS,     "their coefficients: positive on one side, negative on the other") \
  X(real,  deformpair_dist,         SN_D(ndeformpair), 1,                POS,     "distance of the surfaces, negative: they overlap") \
  X(real,  deformpair_gap,          SN_D(ndeformpair), 1,                POS,     "distance that is kept") \
  X(real,  deformpair_normal,       SN_D(ndeformpair), 3,                POS,     "from the second side to the first") \
  X(real,  deformpair_friction,     SN_D(ndeformpair), 1,                POS,     "coefficient of friction, 0: none") \
  X(real,  deformpair_force,        SN_D(ndeformpair), 3,                ACC,     "force on the first side, mean of the step; written at its end")

#define SN_DATA_ARENA_CONTACTS(X) \
  X(contact, contact,                 SN_D(ncon),      1,                 POS,     "contacts")

// pointers in MuJoCo's order, and our own
#define SN_MUJOCO_DATA_ARENA(X) \
  SN_DATA_ARENA_CONTACTS(X) \
  SN_DATA_ARENA_ROW_PLACES(X) \
  SN_DATA_ARENA_ISLAND_DOFS(X) \
  SN_DATA_ARENA_ISLAND_SMOOTH(X) \
  SN_DATA_ARENA_ISLAND_PATTERN(X) \
  SN_DATA_ARENA_ISLAND_INERTIA(X) \
  SN_DATA_ARENA_ISLAND_PLACES(X) \
  SN_DATA_ARENA_ISLAND_ROWS(X) \
  SN_DATA_ARENA_DUAL(X) \
  SN_DATA_ARENA_ROW_RATES(X) \
  SN_DATA_ARENA_ISLAND_ROW_FORCES(X) \
  SN_DATA_ARENA_ROW_FORCES(X) \
  SN_DATA_ARENA_ISLAND_DOF_FORCES(X)

#define SN_OWN_DATA_ARENA(X) \
  SN_DATA_ARENA_OWN(X) \
  SN_DATA_ARENA_SYSTEM(X) \
  SN_DATA_ARENA_DEFORM(X) \
  SN_DATA_ARENA_DEFORMPAIR(X)

#define SN_DATA_ARENA(X) \
  SN_MUJOCO_DATA_ARENA(X) \
  SN_OWN_DATA_ARENA(X)
// clang-format on

#endif  // SINEW_DATA_FIELDS_H_
