// The table of snData: every scalar and every array is one row.
//
// SN_DATA_SCALARS: X(ctype, name, meaning), and A(ctype, name, count, meaning) for fixed arrays.
// SN_DATA_FIELDS:  X(type, name, rows, columns, stage, meaning), rows is a size of the model.
// SN_DATA_ARENA:   the same for arrays that live in the arena and vary in size; rows is SN_M(size of
//                  the model) or SN_D(counter of the data).

#ifndef SINEW_DATA_FIELDS_H_
#define SINEW_DATA_FIELDS_H_

// clang-format off
#define SN_DATA_SCALARS(X, A) \
  X(snSize,         narena,              "") \
  X(snSize,         nbuffer,             "") \
  X(int,            nplugin,             "") \
  X(size_t,         pstack,              "") \
  X(size_t,         pbase,               "") \
  X(size_t,         parena,              "") \
  X(snSize,         maxuse_stack,        "") \
  A(snSize,         maxuse_threadstack,  snMAXTHREAD,             "") \
  X(snSize,         maxuse_arena,        "") \
  X(int,            maxuse_con,          "") \
  X(int,            maxuse_efc,          "") \
  A(snSolverStat,   solver,              snNISLAND * snNSOLVER,   "") \
  A(int,            solver_niter,        snNISLAND,               "") \
  A(int,            solver_nnz,          snNISLAND,               "") \
  A(snReal,         solver_fwdinv,       2,                       "") \
  A(snWarningStat,  warning,             snNWARNING,              "") \
  A(snTimerStat,    timer,               snNTIMER,                "") \
  X(int,            ncon,                "") \
  X(int,            ne,                  "") \
  X(int,            nf,                  "") \
  X(int,            nl,                  "") \
  X(int,            nefc,                "") \
  X(int,            nJ,                  "") \
  X(int,            nA,                  "") \
  X(int,            nisland,             "") \
  X(int,            nidof,               "") \
  X(int,            ntree_awake,         "") \
  X(int,            nbody_awake,         "") \
  X(int,            nparent_awake,       "") \
  X(int,            nv_awake,            "") \
  X(snByte,         flg_energypos,       "") \
  X(snByte,         flg_energyvel,       "") \
  X(snByte,         flg_subtreevel,      "") \
  X(snByte,         flg_rnepost,         "") \
  X(snReal,         time,                "") \
  A(snReal,         energy,              2,                       "") \
  X(uintptr_t,      threadpool,          "") \
  X(uint64_t,       signature,           "") \
  /* not in MuJoCo */ \
  X(int,            nJs,                 "non-zeros of efc_Js") \
  X(int,            nMs,                 "entries of Ms")

#define SN_DATA_FIELDS(X) \
  X(real,  qpos,                    nq,              1,                 STATE,   "") \
  X(real,  qvel,                    nv,              1,                 STATE,   "") \
  X(real,  act,                     na,              1,                 STATE,   "") \
  X(real,  history,                 nhistory,        1,                 STATE,   "") \
  X(real,  qacc_warmstart,          nv,              1,                 STATE,   "") \
  X(real,  plugin_state,            npluginstate,    1,                 STATE,   "") \
  X(real,  ctrl,                    nu,              1,                 STATE,   "") \
  X(real,  qfrc_applied,            nv,              1,                 STATE,   "") \
  X(real,  xfrc_applied,            nbody,           6,                 STATE,   "") \
  X(byte,  eq_active,               neq,             1,                 STATE,   "") \
  X(real,  mocap_pos,               nmocap,          3,                 STATE,   "") \
  X(real,  mocap_quat,              nmocap,          4,                 STATE,   "") \
  X(real,  qacc,                    nv,              1,                 STATE,   "") \
  X(real,  act_dot,                 na,              1,                 STATE,   "") \
  X(real,  userdata,                nuserdata,       1,                 STATE,   "") \
  X(real,  sensordata,              nsensordata,     1,                 STATE,   "") \
  X(int,   tree_asleep,             ntree,           1,                 STATE,   "") \
  X(int,   plugin,                  nplugin,         1,                 STATE,   "") \
  X(ptr,   plugin_data,             nplugin,         1,                 STATE,   "") \
  X(real,  xpos,                    nbody,           3,                 POS,     "") \
  X(real,  xquat,                   nbody,           4,                 POS,     "") \
  X(real,  xmat,                    nbody,           9,                 POS,     "") \
  X(real,  xipos,                   nbody,           3,                 POS,     "") \
  X(real,  ximat,                   nbody,           9,                 POS,     "") \
  X(real,  xanchor,                 njnt,            3,                 POS,     "") \
  X(real,  xaxis,                   njnt,            3,                 POS,     "") \
  X(real,  geom_xpos,               ngeom,           3,                 POS,     "") \
  X(real,  geom_xmat,               ngeom,           9,                 POS,     "") \
  X(real,  site_xpos,               nsite,           3,                 POS,     "") \
  X(real,  site_xmat,               nsite,           9,                 POS,     "") \
  X(real,  cam_xpos,                ncam,            3,                 POS,     "") \
  X(real,  cam_xmat,                ncam,            9,                 POS,     "") \
  X(real,  light_xpos,              nlight,          3,                 POS,     "") \
  X(real,  light_xdir,              nlight,          3,                 POS,     "") \
  X(real,  subtree_com,             nbody,           3,                 POS,     "") \
  X(real,  cdof,                    nv,              6,                 POS,     "") \
  X(real,  cinert,                  nbody,           10,                POS,     "") \
  X(real,  flexvert_xpos,           nflexvert,       3,                 POS,     "") \
  X(real,  flexelem_aabb,           nflexelem,       6,                 POS,     "") \
  X(real,  flexedge_J,              nJfe,            1,                 POS,     "") \
  X(real,  flexedge_length,         nflexedge,       1,                 POS,     "") \
  X(real,  flexvert_J,              nJfv,            2,                 POS,     "") \
  X(real,  flexvert_length,         nflexvert,       2,                 POS,     "") \
  X(real,  bvh_aabb_dyn,            nbvhdynamic,     6,                 POS,     "") \
  X(int,   ten_wrapadr,             ntendon,         1,                 POS,     "") \
  X(int,   ten_wrapnum,             ntendon,         1,                 POS,     "") \
  X(int,   ten_J_rownnz,            ntendon,         1,                 POS,     "") \
  X(int,   ten_J_rowadr,            ntendon,         1,                 POS,     "") \
  X(int,   ten_J_colind,            ntendon,         SN_M(nv),          POS,     "") \
  X(real,  ten_J,                   ntendon,         SN_M(nv),          POS,     "") \
  X(real,  ten_length,              ntendon,         1,                 POS,     "") \
  X(int,   wrap_obj,                nwrap,           2,                 POS,     "") \
  X(real,  wrap_xpos,               nwrap,           6,                 POS,     "") \
  X(real,  actuator_length,         nu,              1,                 POS,     "") \
  X(int,   moment_rownnz,           nu,              1,                 POS,     "") \
  X(int,   moment_rowadr,           nu,              1,                 POS,     "") \
  X(int,   moment_colind,           nJmom,           1,                 POS,     "") \
  X(real,  actuator_moment,         nJmom,           1,                 POS,     "") \
  X(real,  crb,                     nbody,           10,                POS,     "") \
  X(real,  qM,                      nM,              1,                 POS,     "") \
  X(real,  M,                       nC,              1,                 POS,     "") \
  X(real,  qLD,                     nC,              1,                 POS,     "") \
  X(real,  qLDiagInv,               nv,              1,                 POS,     "") \
  X(byte,  bvh_active,              nbvh,            1,                 POS,     "") \
  X(int,   tree_awake,              ntree,           1,                 POS,     "") \
  X(int,   body_awake,              nbody,           1,                 POS,     "") \
  X(int,   body_awake_ind,          nbody,           1,                 POS,     "") \
  X(int,   parent_awake_ind,        nbody,           1,                 POS,     "") \
  X(int,   dof_awake_ind,           nv,              1,                 POS,     "") \
  X(real,  flexedge_velocity,       nflexedge,       1,                 VEL,     "") \
  X(real,  ten_velocity,            ntendon,         1,                 VEL,     "") \
  X(real,  actuator_velocity,       nu,              1,                 VEL,     "") \
  X(real,  cvel,                    nbody,           6,                 VEL,     "") \
  X(real,  cdof_dot,                nv,              6,                 VEL,     "") \
  X(real,  qfrc_bias,               nv,              1,                 VEL,     "") \
  X(real,  qfrc_spring,             nv,              1,                 VEL,     "") \
  X(real,  qfrc_damper,             nv,              1,                 VEL,     "") \
  X(real,  qfrc_gravcomp,           nv,              1,                 VEL,     "") \
  X(real,  qfrc_fluid,              nv,              1,                 VEL,     "") \
  X(real,  qfrc_passive,            nv,              1,                 VEL,     "") \
  X(real,  subtree_linvel,          nbody,           3,                 VEL,     "") \
  X(real,  subtree_angmom,          nbody,           3,                 VEL,     "") \
  X(real,  qH,                      nC,              1,                 VEL,     "") \
  X(real,  qHDiagInv,               nv,              1,                 VEL,     "") \
  X(real,  qDeriv,                  nD,              1,                 VEL,     "") \
  X(real,  qLU,                     nD,              1,                 VEL,     "") \
  X(real,  actuator_force,          nu,              1,                 ACC,     "") \
  X(real,  qfrc_actuator,           nv,              1,                 ACC,     "") \
  X(real,  qfrc_smooth,             nv,              1,                 ACC,     "") \
  X(real,  qacc_smooth,             nv,              1,                 ACC,     "") \
  X(real,  qfrc_constraint,         nv,              1,                 ACC,     "") \
  X(real,  qfrc_inverse,            nv,              1,                 ACC,     "") \
  X(real,  cacc,                    nbody,           6,                 ACC,     "") \
  X(real,  cfrc_int,                nbody,           6,                 ACC,     "") \
  X(real,  cfrc_ext,                nbody,           6,                 ACC,     "")

// The arena by the stage that allocates: the constraint rows, the islands, the dual matrix.
// constraint rows: sn_makeConstraint
#define SN_DATA_ARENA_ROWS(X) \
  X(int,   efc_type,                SN_D(nefc),      1,                 POS,     "") \
  X(int,   efc_id,                  SN_D(nefc),      1,                 POS,     "") \
  X(int,   efc_J_rownnz,            SN_D(nefc),      1,                 POS,     "") \
  X(int,   efc_J_rowadr,            SN_D(nefc),      1,                 POS,     "") \
  X(int,   efc_J_rowsuper,          SN_D(nefc),      1,                 POS,     "") \
  X(int,   efc_J_colind,            SN_D(nJ),        1,                 POS,     "") \
  X(real,  efc_J,                   SN_D(nJ),        1,                 POS,     "") \
  X(real,  efc_pos,                 SN_D(nefc),      1,                 POS,     "") \
  X(real,  efc_margin,              SN_D(nefc),      1,                 POS,     "") \
  X(real,  efc_frictionloss,        SN_D(nefc),      1,                 POS,     "") \
  X(real,  efc_diagApprox,          SN_D(nefc),      1,                 POS,     "") \
  X(real,  efc_KBIP,                SN_D(nefc),      4,                 POS,     "") \
  X(real,  efc_D,                   SN_D(nefc),      1,                 POS,     "") \
  X(real,  efc_R,                   SN_D(nefc),      1,                 POS,     "") \
  X(int,   tendon_efcadr,           SN_M(ntendon),   1,                 POS,     "") \
  X(real,  efc_vel,                 SN_D(nefc),      1,                 VEL,     "") \
  X(real,  efc_aref,                SN_D(nefc),      1,                 VEL,     "") \
  X(real,  efc_b,                   SN_D(nefc),      1,                 VEL,     "") \
  X(int,   efc_state,               SN_D(nefc),      1,                 ACC,     "") \
  X(real,  efc_force,               SN_D(nefc),      1,                 ACC,     "")

// islands: sn_island; the rows are shared with efc_* when one island holds every dof
#define SN_DATA_ARENA_ISLAND_MAPS(X) \
  X(int,   tree_island,             SN_M(ntree),     1,                 POS,     "") \
  X(int,   island_ntree,            SN_D(nisland),   1,                 POS,     "") \
  X(int,   island_itreeadr,         SN_D(nisland),   1,                 POS,     "") \
  X(int,   map_itree2tree,          SN_M(ntree),     1,                 POS,     "") \
  X(int,   dof_island,              SN_M(nv),        1,                 POS,     "") \
  X(int,   island_nv,               SN_D(nisland),   1,                 POS,     "") \
  X(int,   island_idofadr,          SN_D(nisland),   1,                 POS,     "") \
  X(int,   island_dofadr,           SN_D(nisland),   1,                 POS,     "") \
  X(int,   map_dof2idof,            SN_M(nv),        1,                 POS,     "") \
  X(int,   map_idof2dof,            SN_M(nv),        1,                 POS,     "") \
  X(real,  ifrc_smooth,             SN_D(nidof),     1,                 POS,     "") \
  X(real,  iacc_smooth,             SN_D(nidof),     1,                 POS,     "") \
  X(int,   iM_rownnz,               SN_D(nidof),     1,                 POS,     "") \
  X(int,   iM_rowadr,               SN_D(nidof),     1,                 POS,     "") \
  X(int,   iM_colind,               SN_M(nC),        1,                 POS,     "") \
  X(real,  iM,                      SN_M(nC),        1,                 POS,     "") \
  X(real,  iLD,                     SN_M(nC),        1,                 POS,     "") \
  X(real,  iLDiagInv,               SN_D(nidof),     1,                 POS,     "") \
  X(real,  iacc,                    SN_D(nidof),     1,                 POS,     "") \
  X(int,   efc_island,              SN_D(nefc),      1,                 POS,     "") \
  X(int,   island_ne,               SN_D(nisland),   1,                 POS,     "") \
  X(int,   island_nf,               SN_D(nisland),   1,                 POS,     "") \
  X(int,   island_nefc,             SN_D(nisland),   1,                 POS,     "") \
  X(int,   island_iefcadr,          SN_D(nisland),   1,                 POS,     "") \
  X(int,   map_efc2iefc,            SN_D(nefc),      1,                 POS,     "") \
  X(int,   map_iefc2efc,            SN_D(nefc),      1,                 POS,     "") \
  X(real,  iefc_aref,               SN_D(nefc),      1,                 ACC,     "") \
  X(int,   iefc_state,              SN_D(nefc),      1,                 ACC,     "") \
  X(real,  iefc_force,              SN_D(nefc),      1,                 ACC,     "") \
  X(real,  ifrc_constraint,         SN_D(nidof),     1,                 ACC,     "")

#define SN_DATA_ARENA_ISLAND_ROWS(X) \
  X(int,   iefc_type,               SN_D(nefc),      1,                 POS,     "") \
  X(int,   iefc_id,                 SN_D(nefc),      1,                 POS,     "") \
  X(int,   iefc_J_rownnz,           SN_D(nefc),      1,                 POS,     "") \
  X(int,   iefc_J_rowadr,           SN_D(nefc),      1,                 POS,     "") \
  X(int,   iefc_J_rowsuper,         SN_D(nefc),      1,                 POS,     "") \
  X(int,   iefc_J_colind,           SN_D(nJ),        1,                 POS,     "") \
  X(real,  iefc_J,                  SN_D(nJ),        1,                 POS,     "") \
  X(real,  iefc_frictionloss,       SN_D(nefc),      1,                 POS,     "") \
  X(real,  iefc_D,                  SN_D(nefc),      1,                 POS,     "") \
  X(real,  iefc_R,                  SN_D(nefc),      1,                 POS,     "")

#define SN_DATA_ARENA_ISLAND(X) \
  SN_DATA_ARENA_ISLAND_MAPS(X) \
  SN_DATA_ARENA_ISLAND_ROWS(X)

// dual matrix: sn_projectConstraint
#define SN_DATA_ARENA_DUAL(X) \
  X(int,   efc_AR_rownnz,           SN_D(nefc),      1,                 POS,     "") \
  X(int,   efc_AR_rowadr,           SN_D(nefc),      1,                 POS,     "") \
  X(int,   efc_AR_colind,           SN_D(nA),        1,                 POS,     "") \
  X(real,  efc_AR,                  SN_D(nA),        1,                 POS,     "")

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

#define SN_DATA_ARENA(X) \
  X(contact, contact,                 SN_D(ncon),      1,                 POS,     "") \
  SN_DATA_ARENA_ROWS(X) \
  SN_DATA_ARENA_ISLAND(X) \
  SN_DATA_ARENA_DUAL(X) \
  SN_DATA_ARENA_OWN(X) \
  SN_DATA_ARENA_SYSTEM(X)
// clang-format on

#endif  // SINEW_DATA_FIELDS_H_
