// The table of snModel: every size and every array is one row.
//
// X(type, name, rows, columns, stage, rule, meaning): type is one of real, int, byte, float, size,
// char; rows is the name of a size of the model; columns is a number, a constant or SN_M(size); stage
// is COMPILE, or CONST where sn_setConst derives the field from others. The struct, its allocation,
// copy, save and load, validation, print, Python views, GPU upload and the reference page all come
// from here: a new field is one new line.
//
// rule says what the entries may be, so that a file from outside cannot lead a step out of its arrays
// (src/model/validate.c enforces it; an integer field without a rule does not compile):
//   FREE                      any value does no harm
//   BOOL                      0 or 1
//   RANGE(low, high)          low <= entry <= high, two constants
//   CONDIM                    1, 3, 4 or 6
//   COUNT                     entry >= 0
//   ID(size)                  0 <= entry < size
//   ID_OR_NONE(size)          -1 <= entry < size
//   BEFORE(low)               low <= entry < its own row (row 0 of BEFORE(0) holds 0): no cycles
//   SUM(size)                 counts that add up to a size
//   SLICE(num, size)          start of num entries among size; an empty slice may start anywhere
//   SLICE_OR_NONE(num, size)  and an empty one is marked by -1
//   SLICE_OF(times, num, size) among times * size entries
//   FLEX_SLICE(num, per, size) of num times as many entries as flex_dim asks: CORNERS, EDGES of an
//                             element, or corners of a piece of SHELL
//   MEMBER(adr)               the row whose slice, which starts at adr, holds this one
//   LOCAL(adr, low, bound)    in the slice of row i: low <= entry < bound[i]
//   COLUMNS(adr, size)        column indices of a sparse matrix: 0 <= entry < size, ascending in a row
//   SEE(function)             what no rule can say: the function of src/model/validate.h checks it
//   UNIT                      (real) unit quaternions, or zero, as one whose squares overflow is compiled
//   TEXT                      (char) the last byte is zero
// Sizes have rules of their own: COUNT, LIMIT (may be -1: none), BYTES (64 bits), SEE(function).

#ifndef SINEW_MODEL_FIELDS_H_
#define SINEW_MODEL_FIELDS_H_

// clang-format off
// MuJoCo's rows come first and our own after them: the structs have MuJoCo's members at MuJoCo's places,
// so that programs and plugins compiled with its headers find them, and all of ours behind.
#define SN_MUJOCO_MODEL_SIZES(X) \
  X(nq,              SEE(sn_validateJoints),      "coordinates of position") \
  X(nv,              SEE(sn_validateJoints),      "degrees of freedom") \
  X(nu,              COUNT,                    "actuators and controls") \
  X(na,              COUNT,                    "activation states") \
  X(nbody,           COUNT,                    "bodies, the world included") \
  X(nbvh,            SEE(sn_validateTrees),       "nodes of all bounding volume trees") \
  X(nbvhstatic,      SEE(sn_validateTrees),       "nodes with a box fixed in the frame of their body or mesh") \
  X(nbvhdynamic,     SEE(sn_validateTrees),       "nodes whose box moves (flexes)") \
  X(noct,            COUNT,                    "cells of all octrees") \
  X(njnt,            COUNT,                    "joints") \
  X(ntree,           COUNT,                    "kinematic trees under the world") \
  X(nM,              SEE(sn_validateDofs),        "entries of the inertia matrix along the chains of ancestors") \
  X(nB,              SEE(sn_validateDofs),        "entries of the body-dof pattern") \
  X(nC,              SEE(sn_validateDofs),        "entries of the lower triangle of the inertia matrix") \
  X(nD,              SEE(sn_validateDofs),        "entries of the dof-dof pattern") \
  X(ngeom,           COUNT,                    "geoms") \
  X(nsite,           COUNT,                    "sites") \
  X(ncam,            COUNT,                    "cameras") \
  X(nlight,          COUNT,                    "lights") \
  X(nflex,           COUNT,                    "flexes") \
  X(nflexnode,       COUNT,                    "nodes of all flexes") \
  X(nflexvert,       COUNT,                    "vertices of all flexes") \
  X(nflexedge,       COUNT,                    "edges of all flexes") \
  X(nflexelem,       COUNT,                    "elements of all flexes") \
  X(nflexelemdata,   COUNT,                    "vertex ids in all elements") \
  X(nflexelemedge,   COUNT,                    "edge ids in all elements") \
  X(nflexshelldata,  COUNT,                    "vertex ids in all shell fragments") \
  X(nflexevpair,     COUNT,                    "pairs of element and vertex that may collide") \
  X(nflextexcoord,   COUNT,                    "texture coordinates of all flexes") \
  X(nJfe,            COUNT,                    "entries of the Jacobian of edges") \
  X(nJfv,            COUNT,                    "entries of the Jacobian of vertices") \
  X(nmesh,           COUNT,                    "meshes") \
  X(nmeshvert,       COUNT,                    "vertices of all meshes") \
  X(nmeshnormal,     COUNT,                    "normals of all meshes") \
  X(nmeshtexcoord,   COUNT,                    "texture coordinates of all meshes") \
  X(nmeshface,       COUNT,                    "triangles of all meshes") \
  X(nmeshgraph,      COUNT,                    "integers of all convex hull graphs") \
  X(nmeshpoly,       COUNT,                    "polygons of all convex hulls") \
  X(nmeshpolyvert,   COUNT,                    "vertex ids in all polygons") \
  X(nmeshpolymap,    COUNT,                    "polygon ids around all vertices") \
  X(nskin,           COUNT,                    "skins") \
  X(nskinvert,       COUNT,                    "vertices of all skins") \
  X(nskintexvert,    COUNT,                    "skin vertices with texture coordinates") \
  X(nskinface,       COUNT,                    "triangles of all skins") \
  X(nskinbone,       COUNT,                    "bones of all skins") \
  X(nskinbonevert,   COUNT,                    "vertex weights of all bones") \
  X(nhfield,         COUNT,                    "height fields") \
  X(nhfielddata,     COUNT,                    "samples of all height fields") \
  X(ntex,            COUNT,                    "textures") \
  X(ntexdata,        BYTES,                    "bytes of all textures") \
  X(nmat,            COUNT,                    "materials") \
  X(npair,           COUNT,                    "explicit contact pairs") \
  X(nexclude,        COUNT,                    "excluded pairs of bodies") \
  X(neq,             COUNT,                    "equality constraints") \
  X(ntendon,         COUNT,                    "tendons") \
  X(nwrap,           COUNT,                    "pieces of the paths of all tendons") \
  X(nsensor,         COUNT,                    "sensors") \
  X(nnumeric,        COUNT,                    "custom numeric fields") \
  X(nnumericdata,    COUNT,                    "numbers of all numeric fields") \
  X(ntext,           COUNT,                    "custom text fields") \
  X(ntextdata,       COUNT,                    "bytes of all texts, zeros included") \
  X(ntuple,          COUNT,                    "custom tuples") \
  X(ntupledata,      COUNT,                    "members of all tuples") \
  X(nkey,            COUNT,                    "keyframes") \
  X(nmocap,          SEE(sn_validateBodies),      "mocap bodies") \
  X(nplugin,         COUNT,                    "plugin instances") \
  X(npluginattr,     COUNT,                    "bytes of all plugin settings") \
  X(nuser_body,      COUNT,                    "user numbers per body") \
  X(nuser_jnt,       COUNT,                    "user numbers per joint") \
  X(nuser_geom,      COUNT,                    "user numbers per geom") \
  X(nuser_site,      COUNT,                    "user numbers per site") \
  X(nuser_cam,       COUNT,                    "user numbers per camera") \
  X(nuser_tendon,    COUNT,                    "user numbers per tendon") \
  X(nuser_actuator,  COUNT,                    "user numbers per actuator") \
  X(nuser_sensor,    COUNT,                    "user numbers per sensor") \
  X(nnames,          COUNT,                    "bytes of all names") \
  X(npaths,          COUNT,                    "bytes of all asset paths") \
  X(nnames_map,      SEE(sn_validateNames),       "slots of the hash tables of names") \
  X(nJmom,           SEE(sn_validateActuators),   "entries of the actuators' moment arms") \
  X(ngravcomp,       SEE(sn_validateBodies),      "bodies with gravity compensation") \
  X(nemax,           LIMIT,                    "constraint rows of equalities (legacy)") \
  X(njmax,           LIMIT,                    "constraint rows allowed (legacy, -1: any)") \
  X(nconmax,         LIMIT,                    "contacts allowed (legacy, -1: any)") \
  X(nuserdata,       COUNT,                    "user numbers in the data") \
  X(nsensordata,     COUNT,                    "numbers of all sensors") \
  X(npluginstate,    COUNT,                    "numbers of all plugin states") \
  X(nhistory,        SEE(sn_validateHistory),     "numbers of all delay buffers") \
  X(narena,          BYTES,                    "bytes of the arena") \
  X(nbuffer,         BYTES,                    "bytes of the arrays")

// registered laws of actuators, friction of tendons; deformables, bodies of vertices that XPBD moves
#define SN_OWN_MODEL_SIZES(X) \
  X(nactmodel,       COUNT,                    "laws of actuators that a program registered") \
  X(ncapstan,        COUNT,                    "pieces of paths that rub along their tendon") \
  X(ndeformable,     COUNT,                    "deformables") \
  X(ndeformvert,     COUNT,                    "vertices of all deformables") \
  X(ndeformelem,     COUNT,                    "elements of all deformables") \
  X(ndeformface,     COUNT,                    "faces of all deformables") \
  X(ndeformside,     COUNT,                    "edges of the faces of all deformables") \
  X(ndeformedge,     COUNT,                    "constraints of length") \
  X(ndeformbend,     COUNT,                    "constraints of bending") \
  X(ndeformtet,      COUNT,                    "constraints of volume") \
  X(ndeformtwist,    COUNT,                    "constraints of torsion") \
  X(ndeformtether,   COUNT,                    "constraints of largest distance") \
  X(ndeformcolor,    SEE(sn_validateDeformables), "colours: constraints of one colour share no vertex") \
  X(ndeformbody,     SEE(sn_validateDeformables), "nbody where there are deformables, else 0") \
  X(nxpbd,           COUNT,                    "1: the model has options of the XPBD solver, 0: defaults")

#define SN_MODEL_SIZES(X) \
  SN_MUJOCO_MODEL_SIZES(X) \
  SN_OWN_MODEL_SIZES(X)

#define SN_MUJOCO_MODEL_FIELDS(X) \
  X(real,  qpos0,                   nq,              1,                 COMPILE, FREE,                                  "positions of the reference pose") \
  X(real,  qpos_spring,             nq,              1,                 COMPILE, FREE,                                  "positions at which joint springs are at rest") \
  X(int,   body_parentid,           nbody,           1,                 COMPILE, BEFORE(0),                             "parent body") \
  X(int,   body_rootid,             nbody,           1,                 COMPILE, ID(nbody),                             "ancestor that is a child of the world") \
  X(int,   body_weldid,             nbody,           1,                 COMPILE, ID(nbody),                             "ancestor to which the body is rigidly fixed") \
  X(int,   body_mocapid,            nbody,           1,                 COMPILE, ID_OR_NONE(nmocap),                    "number among the mocap bodies, or -1") \
  X(int,   body_jntnum,             nbody,           1,                 COMPILE, SUM(njnt),                             "number of joints") \
  X(int,   body_jntadr,             nbody,           1,                 COMPILE, SLICE_OR_NONE(body_jntnum, njnt),      "first joint, or -1") \
  X(int,   body_dofnum,             nbody,           1,                 COMPILE, SUM(nv),                               "number of dofs") \
  X(int,   body_dofadr,             nbody,           1,                 COMPILE, SLICE_OR_NONE(body_dofnum, nv),        "first dof, or -1") \
  X(int,   body_treeid,             nbody,           1,                 COMPILE, ID_OR_NONE(ntree),                     "kinematic tree, or -1") \
  X(int,   body_geomnum,            nbody,           1,                 COMPILE, SUM(ngeom),                            "number of geoms") \
  X(int,   body_geomadr,            nbody,           1,                 COMPILE, SLICE_OR_NONE(body_geomnum, ngeom),    "first geom, or -1") \
  X(byte,  body_simple,             nbody,           1,                 COMPILE, RANGE(0, 2),                           "1: its block of the inertia matrix is diagonal; 2: sliders only") \
  X(byte,  body_sameframe,          nbody,           1,                 COMPILE, RANGE(0, snSAMEFRAME_INERTIAROT),      "how the inertial frame relates to the body frame") \
  X(real,  body_pos,                nbody,           3,                 COMPILE, FREE,                                  "position in the parent") \
  X(real,  body_quat,               nbody,           4,                 COMPILE, UNIT,                                  "orientation in the parent") \
  X(real,  body_ipos,               nbody,           3,                 COMPILE, FREE,                                  "centre of mass in the body") \
  X(real,  body_iquat,              nbody,           4,                 COMPILE, UNIT,                                  "principal axes in the body") \
  X(real,  body_mass,               nbody,           1,                 COMPILE, FREE,                                  "mass") \
  X(real,  body_subtreemass,        nbody,           1,                 CONST,   FREE,                                  "mass of the subtree that starts here") \
  X(real,  body_inertia,            nbody,           3,                 COMPILE, FREE,                                  "principal moments of inertia") \
  X(real,  body_invweight0,         nbody,           2,                 CONST,   FREE,                                  "mean inverse inertia (translation, rotation) in qpos0") \
  X(real,  body_gravcomp,           nbody,           1,                 COMPILE, FREE,                                  "share of the weight that is cancelled") \
  X(real,  body_margin,             nbody,           1,                 COMPILE, FREE,                                  "largest margin of the geoms, at least 0") \
  X(real,  body_user,               nbody,           SN_M(nuser_body),  COMPILE, FREE,                                  "user numbers") \
  X(int,   body_plugin,             nbody,           1,                 COMPILE, ID_OR_NONE(nplugin),                   "plugin instance, or -1") \
  X(int,   body_contype,            nbody,           1,                 COMPILE, FREE,                                  "union of the geoms' contype") \
  X(int,   body_conaffinity,        nbody,           1,                 COMPILE, FREE,                                  "union of the geoms' conaffinity") \
  X(int,   body_bvhadr,             nbody,           1,                 COMPILE, SLICE_OR_NONE(body_bvhnum, nbvhstatic), "root of the bounding volume tree, or -1") \
  X(int,   body_bvhnum,             nbody,           1,                 COMPILE, COUNT,                                 "nodes of the bounding volume tree") \
  X(int,   bvh_depth,               nbvh,            1,                 COMPILE, COUNT,                                 "depth in the tree") \
  X(int,   bvh_child,               nbvh,            2,                 COMPILE, SEE(sn_validateTrees),                    "children, counted from the root of the tree, or -1") \
  X(int,   bvh_nodeid,              nbvh,            1,                 COMPILE, SEE(sn_validateTrees),                    "geom, triangle or element of a leaf; -1 inside") \
  X(real,  bvh_aabb,                nbvhstatic,      6,                 COMPILE, FREE,                                  "box: centre, half sizes") \
  X(int,   oct_depth,               noct,            1,                 COMPILE, COUNT,                                 "depth in the octree") \
  X(int,   oct_child,               noct,            8,                 COMPILE, SEE(sn_validateTrees),                    "children, counted from the root of the octree, or -1") \
  X(real,  oct_aabb,                noct,            6,                 COMPILE, FREE,                                  "cell: centre, half sizes") \
  X(real,  oct_coeff,               noct,            8,                 COMPILE, FREE,                                  "signed distance at the corners") \
  X(int,   jnt_type,                njnt,            1,                 COMPILE, RANGE(snJNT_FREE, snJNT_HINGE),        "free, ball, slide or hinge (snJoint)") \
  X(int,   jnt_qposadr,             njnt,            1,                 COMPILE, SEE(sn_validateJoints),                   "first coordinate in qpos") \
  X(int,   jnt_dofadr,              njnt,            1,                 COMPILE, SEE(sn_validateJoints),                   "first dof") \
  X(int,   jnt_bodyid,              njnt,            1,                 COMPILE, MEMBER(body_jntadr),                   "body that it moves") \
  X(int,   jnt_group,               njnt,            1,                 COMPILE, FREE,                                  "group for visibility") \
  X(byte,  jnt_limited,             njnt,            1,                 COMPILE, BOOL,                                  "has a range") \
  X(byte,  jnt_actfrclimited,       njnt,            1,                 COMPILE, BOOL,                                  "actuator force on it is clamped") \
  X(byte,  jnt_actgravcomp,         njnt,            1,                 COMPILE, BOOL,                                  "gravity compensation counts as actuator force") \
  X(real,  jnt_solref,              njnt,            snNREF,            COMPILE, FREE,                                  "time constant and damping ratio (or -stiffness, -damping) of the limit") \
  X(real,  jnt_solimp,              njnt,            snNIMP,            COMPILE, FREE,                                  "impedance d0, dmax, width, midpoint, power of the limit") \
  X(real,  jnt_pos,                 njnt,            3,                 COMPILE, FREE,                                  "anchor in the body") \
  X(real,  jnt_axis,                njnt,            3,                 COMPILE, FREE,                                  "axis in the body") \
  X(real,  jnt_stiffness,           njnt,            1,                 COMPILE, FREE,                                  "spring stiffness") \
  X(real,  jnt_range,               njnt,            2,                 COMPILE, FREE,                                  "limits of position") \
  X(real,  jnt_actfrcrange,         njnt,            2,                 COMPILE, FREE,                                  "limits of the total actuator force") \
  X(real,  jnt_margin,              njnt,            1,                 COMPILE, FREE,                                  "distance at which the limit becomes active") \
  X(real,  jnt_user,                njnt,            SN_M(nuser_jnt),   COMPILE, FREE,                                  "user numbers") \
  X(int,   dof_bodyid,              nv,              1,                 COMPILE, MEMBER(body_dofadr),                   "body") \
  X(int,   dof_jntid,               nv,              1,                 COMPILE, SEE(sn_validateJoints),                   "joint") \
  X(int,   dof_parentid,            nv,              1,                 COMPILE, BEFORE(-1),                            "previous dof on the way to the root, or -1") \
  X(int,   dof_treeid,              nv,              1,                 COMPILE, MEMBER(tree_dofadr),                   "kinematic tree") \
  X(int,   dof_Madr,                nv,              1,                 COMPILE, SEE(sn_validateDofs),                     "address of the diagonal entry in qM") \
  X(int,   dof_simplenum,           nv,              1,                 COMPILE, SEE(sn_validateDofs),                     "dofs with diagonal inertia from here on, without a break") \
  X(real,  dof_solref,              nv,              snNREF,            COMPILE, FREE,                                  "time constant and damping ratio (or -stiffness, -damping) of friction") \
  X(real,  dof_solimp,              nv,              snNIMP,            COMPILE, FREE,                                  "impedance d0, dmax, width, midpoint, power of friction") \
  X(real,  dof_frictionloss,        nv,              1,                 COMPILE, FREE,                                  "dry friction force") \
  X(real,  dof_armature,            nv,              1,                 COMPILE, FREE,                                  "inertia added to the diagonal") \
  X(real,  dof_damping,             nv,              1,                 COMPILE, FREE,                                  "viscous damping") \
  X(real,  dof_invweight0,          nv,              1,                 CONST,   FREE,                                  "diagonal of the inverse inertia in qpos0, mean over a joint") \
  X(real,  dof_M0,                  nv,              1,                 CONST,   FREE,                                  "diagonal inertia in qpos0") \
  X(real,  dof_length,              nv,              1,                 CONST,   FREE,                                  "1, or the size of the body that a rotation moves: turns its rate into a velocity, for sleeping") \
  X(int,   tree_bodyadr,            ntree,           1,                 COMPILE, SLICE(tree_bodynum, nbody),            "first body") \
  X(int,   tree_bodynum,            ntree,           1,                 COMPILE, COUNT,                                 "number of bodies") \
  X(int,   tree_dofadr,             ntree,           1,                 COMPILE, SLICE(tree_dofnum, nv),                "first dof") \
  X(int,   tree_dofnum,             ntree,           1,                 COMPILE, SUM(nv),                               "number of dofs") \
  X(int,   tree_sleep_policy,       ntree,           1,                 CONST,   RANGE(snSLEEP_AUTO, snSLEEP_INIT),     "when the tree may sleep (snSleepPolicy); automatic ones are decided") \
  X(int,   geom_type,               ngeom,           1,                 COMPILE, RANGE(snGEOM_PLANE, snGEOM_SDF),       "shape (snGeom)") \
  X(int,   geom_contype,            ngeom,           1,                 COMPILE, FREE,                                  "bits that others' conaffinity must meet") \
  X(int,   geom_conaffinity,        ngeom,           1,                 COMPILE, FREE,                                  "bits that others' contype must meet") \
  X(int,   geom_condim,             ngeom,           1,                 COMPILE, CONDIM,                                "dimensions of contact: 1, 3, 4 or 6") \
  X(int,   geom_bodyid,             ngeom,           1,                 COMPILE, MEMBER(body_geomadr),                  "body that carries it") \
  X(int,   geom_dataid,             ngeom,           1,                 COMPILE, SEE(sn_validateGeoms),                    "mesh or height field, or -1") \
  X(int,   geom_matid,              ngeom,           1,                 COMPILE, ID_OR_NONE(nmat),                      "material, or -1") \
  X(int,   geom_group,              ngeom,           1,                 COMPILE, FREE,                                  "group for visibility") \
  X(int,   geom_priority,           ngeom,           1,                 COMPILE, FREE,                                  "its contact parameters win over lower ones") \
  X(int,   geom_plugin,             ngeom,           1,                 COMPILE, ID_OR_NONE(nplugin),                   "plugin instance, or -1") \
  X(byte,  geom_sameframe,          ngeom,           1,                 COMPILE, RANGE(0, snSAMEFRAME_INERTIAROT),      "how its frame relates to those of the body") \
  X(real,  geom_solmix,             ngeom,           1,                 COMPILE, FREE,                                  "weight when parameters are mixed") \
  X(real,  geom_solref,             ngeom,           snNREF,            COMPILE, FREE,                                  "time constant and damping ratio (or -stiffness, -damping) of contact") \
  X(real,  geom_solimp,             ngeom,           snNIMP,            COMPILE, FREE,                                  "impedance d0, dmax, width, midpoint, power of contact") \
  X(real,  geom_size,               ngeom,           3,                 COMPILE, FREE,                                  "sizes by type") \
  X(real,  geom_aabb,               ngeom,           6,                 COMPILE, FREE,                                  "box in its frame: centre, half sizes") \
  X(real,  geom_rbound,             ngeom,           1,                 COMPILE, FREE,                                  "radius of the bounding sphere, 0 for planes") \
  X(real,  geom_pos,                ngeom,           3,                 COMPILE, FREE,                                  "position in the body") \
  X(real,  geom_quat,               ngeom,           4,                 COMPILE, UNIT,                                  "orientation in the body") \
  X(real,  geom_friction,           ngeom,           3,                 COMPILE, FREE,                                  "sliding, torsional, rolling friction") \
  X(real,  geom_margin,             ngeom,           1,                 COMPILE, FREE,                                  "distance below which contacts are found") \
  X(real,  geom_gap,                ngeom,           1,                 COMPILE, FREE,                                  "part of the margin without force") \
  X(real,  geom_fluid,              ngeom,           snNFLUID,          COMPILE, FREE,                                  "coefficients of the ellipsoid fluid model") \
  X(real,  geom_user,               ngeom,           SN_M(nuser_geom),  COMPILE, FREE,                                  "user numbers") \
  X(float, geom_rgba,               ngeom,           4,                 COMPILE, FREE,                                  "colour") \
  X(int,   site_type,               nsite,           1,                 COMPILE, RANGE(snGEOM_PLANE, snGEOM_SDF),       "shape (snGeom)") \
  X(int,   site_bodyid,             nsite,           1,                 COMPILE, ID(nbody),                             "body that carries it") \
  X(int,   site_matid,              nsite,           1,                 COMPILE, ID_OR_NONE(nmat),                      "material, or -1") \
  X(int,   site_group,              nsite,           1,                 COMPILE, FREE,                                  "group for visibility") \
  X(byte,  site_sameframe,          nsite,           1,                 COMPILE, RANGE(0, snSAMEFRAME_INERTIAROT),      "how its frame relates to those of the body") \
  X(real,  site_size,               nsite,           3,                 COMPILE, FREE,                                  "sizes by type") \
  X(real,  site_pos,                nsite,           3,                 COMPILE, FREE,                                  "position in the body") \
  X(real,  site_quat,               nsite,           4,                 COMPILE, UNIT,                                  "orientation in the body") \
  X(real,  site_user,               nsite,           SN_M(nuser_site),  COMPILE, FREE,                                  "user numbers") \
  X(float, site_rgba,               nsite,           4,                 COMPILE, FREE,                                  "colour") \
  X(int,   cam_mode,                ncam,            1,                 COMPILE, RANGE(snCAMLIGHT_FIXED, snCAMLIGHT_TARGETBODYCOM), "fixed, tracking or targeting (snCamLight)") \
  X(int,   cam_bodyid,              ncam,            1,                 COMPILE, ID(nbody),                             "body that carries it") \
  X(int,   cam_targetbodyid,        ncam,            1,                 COMPILE, ID_OR_NONE(nbody),                     "body that it looks at, or -1") \
  X(real,  cam_pos,                 ncam,            3,                 COMPILE, FREE,                                  "position in the body") \
  X(real,  cam_quat,                ncam,            4,                 COMPILE, UNIT,                                  "orientation in the body") \
  X(real,  cam_poscom0,             ncam,            3,                 CONST,   FREE,                                  "position from the subtree's centre of mass in qpos0") \
  X(real,  cam_pos0,                ncam,            3,                 CONST,   FREE,                                  "global position from the body in qpos0") \
  X(real,  cam_mat0,                ncam,            9,                 CONST,   FREE,                                  "global orientation in qpos0") \
  X(int,   cam_projection,          ncam,            1,                 COMPILE, RANGE(snPROJ_PERSPECTIVE, snPROJ_ORTHOGRAPHIC), "perspective or orthographic") \
  X(real,  cam_fovy,                ncam,            1,                 COMPILE, FREE,                                  "vertical field of view (degrees, or length)") \
  X(real,  cam_ipd,                 ncam,            1,                 COMPILE, FREE,                                  "distance of the eyes") \
  X(int,   cam_resolution,          ncam,            2,                 COMPILE, FREE,                                  "width and height in pixels; of cameras of rangefinders not negative") \
  X(int,   cam_output,              ncam,            1,                 COMPILE, FREE,                                  "bits of the images that it delivers") \
  X(float, cam_sensorsize,          ncam,            2,                 COMPILE, FREE,                                  "size of the chip") \
  X(float, cam_intrinsic,           ncam,            4,                 COMPILE, FREE,                                  "focal lengths, principal point") \
  X(real,  cam_user,                ncam,            SN_M(nuser_cam),   COMPILE, FREE,                                  "user numbers") \
  X(int,   light_mode,              nlight,          1,                 COMPILE, RANGE(snCAMLIGHT_FIXED, snCAMLIGHT_TARGETBODYCOM), "fixed, tracking or targeting (snCamLight)") \
  X(int,   light_bodyid,            nlight,          1,                 COMPILE, ID(nbody),                             "body that carries it") \
  X(int,   light_targetbodyid,      nlight,          1,                 COMPILE, ID_OR_NONE(nbody),                     "body that it points at, or -1") \
  X(int,   light_type,              nlight,          1,                 COMPILE, RANGE(snLIGHT_SPOT, snLIGHT_IMAGE),    "spot, directional, point or image (snLightType)") \
  X(int,   light_texid,             nlight,          1,                 COMPILE, ID_OR_NONE(ntex),                      "texture of an image light, or -1") \
  X(byte,  light_castshadow,        nlight,          1,                 COMPILE, BOOL,                                  "casts shadows") \
  X(float, light_bulbradius,        nlight,          1,                 COMPILE, FREE,                                  "radius of the source, for soft shadows") \
  X(float, light_intensity,         nlight,          1,                 COMPILE, FREE,                                  "intensity in candela") \
  X(float, light_range,             nlight,          1,                 COMPILE, FREE,                                  "reach of the light") \
  X(byte,  light_active,            nlight,          1,                 COMPILE, BOOL,                                  "is on") \
  X(real,  light_pos,               nlight,          3,                 COMPILE, FREE,                                  "position in the body") \
  X(real,  light_dir,               nlight,          3,                 COMPILE, FREE,                                  "direction in the body") \
  X(real,  light_poscom0,           nlight,          3,                 CONST,   FREE,                                  "position from the subtree's centre of mass in qpos0") \
  X(real,  light_pos0,              nlight,          3,                 CONST,   FREE,                                  "global position from the body in qpos0") \
  X(real,  light_dir0,              nlight,          3,                 CONST,   FREE,                                  "global direction in qpos0") \
  X(float, light_attenuation,       nlight,          3,                 COMPILE, FREE,                                  "constant, linear, quadratic loss with distance") \
  X(float, light_cutoff,            nlight,          1,                 COMPILE, FREE,                                  "half angle of a spot, degrees") \
  X(float, light_exponent,          nlight,          1,                 COMPILE, FREE,                                  "softness of a spot's edge") \
  X(float, light_ambient,           nlight,          3,                 COMPILE, FREE,                                  "ambient colour") \
  X(float, light_diffuse,           nlight,          3,                 COMPILE, FREE,                                  "diffuse colour") \
  X(float, light_specular,          nlight,          3,                 COMPILE, FREE,                                  "specular colour") \
  X(int,   flex_contype,            nflex,           1,                 COMPILE, FREE,                                  "bits that others' conaffinity must meet") \
  X(int,   flex_conaffinity,        nflex,           1,                 COMPILE, FREE,                                  "bits that others' contype must meet") \
  X(int,   flex_condim,             nflex,           1,                 COMPILE, RANGE(1, 6),                           "dimensions of contact, from 1 to 6") \
  X(int,   flex_priority,           nflex,           1,                 COMPILE, FREE,                                  "its contact parameters win over lower ones") \
  X(real,  flex_solmix,             nflex,           1,                 COMPILE, FREE,                                  "weight when parameters are mixed") \
  X(real,  flex_solref,             nflex,           snNREF,            COMPILE, FREE,                                  "time constant and damping ratio (or -stiffness, -damping) of contact") \
  X(real,  flex_solimp,             nflex,           snNIMP,            COMPILE, FREE,                                  "impedance d0, dmax, width, midpoint, power of contact") \
  X(real,  flex_friction,           nflex,           3,                 COMPILE, FREE,                                  "sliding, torsional, rolling friction") \
  X(real,  flex_margin,             nflex,           1,                 COMPILE, FREE,                                  "distance below which contacts are found") \
  X(real,  flex_gap,                nflex,           1,                 COMPILE, FREE,                                  "part of the margin without force") \
  X(byte,  flex_internal,           nflex,           1,                 COMPILE, BOOL,                                  "elements collide with own vertices") \
  X(int,   flex_selfcollide,        nflex,           1,                 COMPILE, RANGE(snFLEXSELF_NONE, snFLEXSELF_AUTO), "how it collides with itself (snFlexSelf)") \
  X(int,   flex_activelayers,       nflex,           1,                 COMPILE, FREE,                                  "layers of elements that collide") \
  X(int,   flex_passive,            nflex,           1,                 COMPILE, FREE,                                  "contacts of this flex act as passive springs") \
  X(int,   flex_dim,                nflex,           1,                 COMPILE, RANGE(1, 3),                           "1 lines, 2 triangles, 3 tetrahedra") \
  X(int,   flex_matid,              nflex,           1,                 COMPILE, ID_OR_NONE(nmat),                      "material, or -1") \
  X(int,   flex_group,              nflex,           1,                 COMPILE, FREE,                                  "group for visibility") \
  X(int,   flex_interp,             nflex,           1,                 COMPILE, RANGE(0, 2),                           "order of interpolation between nodes, 0: none") \
  X(int,   flex_nodeadr,            nflex,           1,                 COMPILE, SLICE(flex_nodenum, nflexnode),        "first node") \
  X(int,   flex_nodenum,            nflex,           1,                 COMPILE, SUM(nflexnode),                        "number of nodes") \
  X(int,   flex_vertadr,            nflex,           1,                 COMPILE, SLICE(flex_vertnum, nflexvert),        "first vertex") \
  X(int,   flex_vertnum,            nflex,           1,                 COMPILE, SUM(nflexvert),                        "number of vertices") \
  X(int,   flex_edgeadr,            nflex,           1,                 COMPILE, SLICE(flex_edgenum, nflexedge),        "first edge") \
  X(int,   flex_edgenum,            nflex,           1,                 COMPILE, SUM(nflexedge),                        "number of edges") \
  X(int,   flex_elemadr,            nflex,           1,                 COMPILE, SLICE(flex_elemnum, nflexelem),        "first element") \
  X(int,   flex_elemnum,            nflex,           1,                 COMPILE, SUM(nflexelem),                        "number of elements") \
  X(int,   flex_elemdataadr,        nflex,           1,                 COMPILE, FLEX_SLICE(flex_elemnum, CORNERS, nflexelemdata), "first entry in flex_elem") \
  X(int,   flex_elemedgeadr,        nflex,           1,                 COMPILE, FLEX_SLICE(flex_elemnum, EDGES, nflexelemedge), "first entry in flex_elemedge") \
  X(int,   flex_shellnum,           nflex,           1,                 COMPILE, COUNT,                                 "number of shell fragments") \
  X(int,   flex_shelldataadr,       nflex,           1,                 COMPILE, FLEX_SLICE(flex_shellnum, SHELL, nflexshelldata), "first entry in flex_shell") \
  X(int,   flex_evpairadr,          nflex,           1,                 COMPILE, SLICE(flex_evpairnum, nflexevpair),    "first element-vertex pair") \
  X(int,   flex_evpairnum,          nflex,           1,                 COMPILE, SUM(nflexevpair),                      "number of element-vertex pairs") \
  X(int,   flex_texcoordadr,        nflex,           1,                 COMPILE, SEE(sn_validateFlexes),                   "first texture coordinate, or -1") \
  X(int,   flex_nodebodyid,         nflexnode,       1,                 COMPILE, ID(nbody),                             "body of a node") \
  X(int,   flex_vertbodyid,         nflexvert,       1,                 COMPILE, SEE(sn_validateFlexes),                   "body of a vertex") \
  X(int,   flex_vertedgeadr,        nflexvert,       1,                 COMPILE, SLICE_OF(2, flex_vertedgenum, nflexedge),"first edge of a vertex") \
  X(int,   flex_vertedgenum,        nflexvert,       1,                 COMPILE, COUNT,                                 "number of edges of a vertex") \
  X(int,   flex_vertedge,           nflexedge,       2,                 COMPILE, SEE(sn_validateFlexes),                   "edges around the vertices") \
  X(int,   flex_edge,               nflexedge,       2,                 COMPILE, LOCAL(flex_edgeadr, 0, flex_vertnum),  "two vertices of an edge") \
  X(int,   flex_edgeflap,           nflexedge,       2,                 COMPILE, LOCAL(flex_edgeadr, -1, flex_vertnum), "opposite vertices of the neighbouring triangles, or -1") \
  X(int,   flex_elem,               nflexelemdata,   1,                 COMPILE, LOCAL(flex_elemdataadr, 0, flex_vertnum), "vertices of the elements") \
  X(int,   flex_elemtexcoord,       nflexelemdata,   1,                 COMPILE, FREE,                                  "texture coordinates of the elements") \
  X(int,   flex_elemedge,           nflexelemedge,   1,                 COMPILE, LOCAL(flex_elemedgeadr, 0, flex_edgenum), "edges of the elements") \
  X(int,   flex_elemlayer,          nflexelem,       1,                 COMPILE, COUNT,                                 "distance of a tetrahedron from the surface, in layers") \
  X(int,   flex_shell,              nflexshelldata,  1,                 COMPILE, LOCAL(flex_shelldataadr, 0, flex_vertnum), "vertices of the shell fragments") \
  X(int,   flex_evpair,             nflexevpair,     2,                 COMPILE, SEE(sn_validateFlexes),                   "element and vertex of a pair") \
  X(real,  flex_vert,               nflexvert,       3,                 COMPILE, FREE,                                  "position in the vertex's body") \
  X(real,  flex_vert0,              nflexvert,       3,                 COMPILE, FREE,                                  "position in qpos0, in [0, 1]^d of the flex") \
  X(real,  flex_vertmetric,         nflexvert,       4,                 COMPILE, FREE,                                  "inverse of the weighted reference shape at a vertex, 2 x 2") \
  X(real,  flex_node,               nflexnode,       3,                 COMPILE, FREE,                                  "position in the node's body") \
  X(real,  flex_node0,              nflexnode,       3,                 COMPILE, FREE,                                  "node positions in qpos0") \
  X(real,  flexedge_length0,        nflexedge,       1,                 CONST,   FREE,                                  "length in qpos0") \
  X(real,  flexedge_invweight0,     nflexedge,       1,                 CONST,   FREE,                                  "inverse inertia along the edge in qpos0") \
  X(real,  flex_radius,             nflex,           1,                 COMPILE, FREE,                                  "radius around the elements") \
  X(real,  flex_size,               nflex,           3,                 COMPILE, FREE,                                  "half sizes of the box in qpos0, without the radius") \
  X(real,  flex_stiffness,          nflexelem,       21,                COMPILE, FREE,                                  "metric of an element, packed; of an interpolated flex one full matrix") \
  X(real,  flex_bending,            nflexedge,       17,                COMPILE, FREE,                                  "bending by the cotangent formula: 4 x 4 stiffness, curvature at rest") \
  X(real,  flex_damping,            nflex,           1,                 COMPILE, FREE,                                  "damping of the elasticity (Rayleigh)") \
  X(real,  flex_edgestiffness,      nflex,           1,                 COMPILE, FREE,                                  "stiffness of the edges") \
  X(real,  flex_edgedamping,        nflex,           1,                 COMPILE, FREE,                                  "damping of the edges") \
  X(int,   flex_edgeequality,       nflex,           1,                 COMPILE, RANGE(0, 2),                           "what an equality holds: 0 nothing, 1 edges, 2 vertices") \
  X(byte,  flex_rigid,              nflex,           1,                 COMPILE, BOOL,                                  "all vertices on one body") \
  X(byte,  flexedge_rigid,          nflexedge,       1,                 COMPILE, BOOL,                                  "both ends on one body") \
  X(byte,  flex_centered,           nflex,           1,                 COMPILE, BOOL,                                  "all vertices (nodes when interpolated) at the origins of their bodies") \
  X(byte,  flex_flatskin,           nflex,           1,                 COMPILE, BOOL,                                  "drawn with flat shading") \
  X(int,   flex_bvhadr,             nflex,           1,                 COMPILE, SLICE_OR_NONE(flex_bvhnum, nbvh),      "root of the bounding volume tree, or -1") \
  X(int,   flex_bvhnum,             nflex,           1,                 COMPILE, COUNT,                                 "nodes of the bounding volume tree") \
  X(int,   flexedge_J_rownnz,       nflexedge,       1,                 COMPILE, COUNT,                                 "entries of a row of flexedge_J") \
  X(int,   flexedge_J_rowadr,       nflexedge,       1,                 COMPILE, SLICE(flexedge_J_rownnz, nJfe),        "address of a row of flexedge_J") \
  X(int,   flexedge_J_colind,       nJfe,            1,                 COMPILE, COLUMNS(flexedge_J_rowadr, nv),        "columns of flexedge_J") \
  X(int,   flexvert_J_rownnz,       nflexvert,       2,                 COMPILE, COUNT,                                 "entries of a row of flexvert_J") \
  X(int,   flexvert_J_rowadr,       nflexvert,       2,                 COMPILE, SLICE_OF(2, flexvert_J_rownnz, nJfv),  "address of a row of flexvert_J") \
  X(int,   flexvert_J_colind,       nJfv,            2,                 COMPILE, COLUMNS(flexvert_J_rowadr, nv),        "columns of flexvert_J") \
  X(float, flex_rgba,               nflex,           4,                 COMPILE, FREE,                                  "colour") \
  X(float, flex_texcoord,           nflextexcoord,   2,                 COMPILE, FREE,                                  "texture coordinates") \
  X(int,   mesh_vertadr,            nmesh,           1,                 COMPILE, SLICE(mesh_vertnum, nmeshvert),        "first vertex") \
  X(int,   mesh_vertnum,            nmesh,           1,                 COMPILE, SUM(nmeshvert),                        "number of vertices") \
  X(int,   mesh_faceadr,            nmesh,           1,                 COMPILE, SLICE(mesh_facenum, nmeshface),        "first triangle") \
  X(int,   mesh_facenum,            nmesh,           1,                 COMPILE, SUM(nmeshface),                        "number of triangles") \
  X(int,   mesh_bvhadr,             nmesh,           1,                 COMPILE, SLICE(mesh_bvhnum, nbvhstatic),        "root of the bounding volume tree") \
  X(int,   mesh_bvhnum,             nmesh,           1,                 COMPILE, COUNT,                                 "nodes of the bounding volume tree") \
  X(int,   mesh_octadr,             nmesh,           1,                 COMPILE, SLICE_OR_NONE(mesh_octnum, noct),      "root of the octree, or -1") \
  X(int,   mesh_octnum,             nmesh,           1,                 COMPILE, SUM(noct),                             "cells of the octree") \
  X(int,   mesh_normaladr,          nmesh,           1,                 COMPILE, SLICE(mesh_normalnum, nmeshnormal),    "first normal") \
  X(int,   mesh_normalnum,          nmesh,           1,                 COMPILE, SUM(nmeshnormal),                      "number of normals") \
  X(int,   mesh_texcoordadr,        nmesh,           1,                 COMPILE, SLICE(mesh_texcoordnum, nmeshtexcoord), "first texture coordinate, or -1") \
  X(int,   mesh_texcoordnum,        nmesh,           1,                 COMPILE, SUM(nmeshtexcoord),                    "number of texture coordinates") \
  X(int,   mesh_graphadr,           nmesh,           1,                 COMPILE, ID_OR_NONE(nmeshgraph),                "start of the convex hull graph, or -1") \
  X(float, mesh_vert,               nmeshvert,       3,                 COMPILE, FREE,                                  "vertices in the mesh's principal frame") \
  X(float, mesh_normal,             nmeshnormal,     3,                 COMPILE, FREE,                                  "unit normals") \
  X(float, mesh_texcoord,           nmeshtexcoord,   2,                 COMPILE, FREE,                                  "texture coordinates") \
  X(int,   mesh_face,               nmeshface,       3,                 COMPILE, LOCAL(mesh_faceadr, 0, mesh_vertnum),  "vertices of the triangles") \
  X(int,   mesh_facenormal,         nmeshface,       3,                 COMPILE, FREE,                                  "normals of the triangles' corners") \
  X(int,   mesh_facetexcoord,       nmeshface,       3,                 COMPILE, FREE,                                  "texture coordinates of the triangles' corners") \
  X(int,   mesh_graph,              nmeshgraph,      1,                 COMPILE, SEE(sn_validateMeshes),                   "convex hull: counts, addresses of neighbour lists, vertex ids, neighbours, triangles") \
  X(real,  mesh_scale,              nmesh,           3,                 COMPILE, FREE,                                  "scaling of the file's vertices") \
  X(real,  mesh_pos,                nmesh,           3,                 COMPILE, FREE,                                  "translation that was removed from the vertices") \
  X(real,  mesh_quat,               nmesh,           4,                 COMPILE, FREE,                                  "rotation that was removed from the vertices") \
  X(int,   mesh_pathadr,            nmesh,           1,                 COMPILE, ID_OR_NONE(npaths),                    "address of the file's path, or -1") \
  X(int,   mesh_polynum,            nmesh,           1,                 COMPILE, SUM(nmeshpoly),                        "polygons of the convex hull") \
  X(int,   mesh_polyadr,            nmesh,           1,                 COMPILE, SLICE(mesh_polynum, nmeshpoly),        "first polygon") \
  X(real,  mesh_polynormal,         nmeshpoly,       3,                 COMPILE, FREE,                                  "normal of a polygon") \
  X(int,   mesh_polyvertadr,        nmeshpoly,       1,                 COMPILE, SLICE(mesh_polyvertnum, nmeshpolyvert), "first entry in mesh_polyvert") \
  X(int,   mesh_polyvertnum,        nmeshpoly,       1,                 COMPILE, SUM(nmeshpolyvert),                    "vertices of a polygon") \
  X(int,   mesh_polyvert,           nmeshpolyvert,   1,                 COMPILE, SEE(sn_validateMeshes),                   "vertices of the polygons") \
  X(int,   mesh_polymapadr,         nmeshvert,       1,                 COMPILE, SLICE(mesh_polymapnum, nmeshpolymap),  "first entry in mesh_polymap of a vertex") \
  X(int,   mesh_polymapnum,         nmeshvert,       1,                 COMPILE, SUM(nmeshpolymap),                     "polygons around a vertex") \
  X(int,   mesh_polymap,            nmeshpolymap,    1,                 COMPILE, SEE(sn_validateMeshes),                   "polygons around the vertices") \
  X(int,   skin_matid,              nskin,           1,                 COMPILE, ID_OR_NONE(nmat),                      "material, or -1") \
  X(int,   skin_group,              nskin,           1,                 COMPILE, FREE,                                  "group for visibility") \
  X(float, skin_rgba,               nskin,           4,                 COMPILE, FREE,                                  "colour") \
  X(float, skin_inflate,            nskin,           1,                 COMPILE, FREE,                                  "offset along the normals") \
  X(int,   skin_vertadr,            nskin,           1,                 COMPILE, SLICE(skin_vertnum, nskinvert),        "first vertex") \
  X(int,   skin_vertnum,            nskin,           1,                 COMPILE, SUM(nskinvert),                        "number of vertices") \
  X(int,   skin_texcoordadr,        nskin,           1,                 COMPILE, SEE(sn_validateSkins),                    "first texture coordinate, or -1") \
  X(int,   skin_faceadr,            nskin,           1,                 COMPILE, SLICE(skin_facenum, nskinface),        "first triangle") \
  X(int,   skin_facenum,            nskin,           1,                 COMPILE, SUM(nskinface),                        "number of triangles") \
  X(int,   skin_boneadr,            nskin,           1,                 COMPILE, SLICE(skin_bonenum, nskinbone),        "first bone") \
  X(int,   skin_bonenum,            nskin,           1,                 COMPILE, SUM(nskinbone),                        "number of bones") \
  X(float, skin_vert,               nskinvert,       3,                 COMPILE, FREE,                                  "vertices in the bind pose") \
  X(float, skin_texcoord,           nskintexvert,    2,                 COMPILE, FREE,                                  "texture coordinates") \
  X(int,   skin_face,               nskinface,       3,                 COMPILE, LOCAL(skin_faceadr, 0, skin_vertnum),  "vertices of the triangles") \
  X(int,   skin_bonevertadr,        nskinbone,       1,                 COMPILE, SLICE(skin_bonevertnum, nskinbonevert), "first vertex weight of a bone") \
  X(int,   skin_bonevertnum,        nskinbone,       1,                 COMPILE, SUM(nskinbonevert),                    "vertex weights of a bone") \
  X(float, skin_bonebindpos,        nskinbone,       3,                 COMPILE, FREE,                                  "position of a bone in the bind pose") \
  X(float, skin_bonebindquat,       nskinbone,       4,                 COMPILE, FREE,                                  "orientation of a bone in the bind pose") \
  X(int,   skin_bonebodyid,         nskinbone,       1,                 COMPILE, ID(nbody),                             "body of a bone") \
  X(int,   skin_bonevertid,         nskinbonevert,   1,                 COMPILE, SEE(sn_validateSkins),                    "vertices of the bones") \
  X(float, skin_bonevertweight,     nskinbonevert,   1,                 COMPILE, FREE,                                  "weights of the vertices") \
  X(int,   skin_pathadr,            nskin,           1,                 COMPILE, ID_OR_NONE(npaths),                    "address of the file's path, or -1") \
  X(real,  hfield_size,             nhfield,         4,                 COMPILE, FREE,                                  "half sizes in x and y, height above and base below z = 0") \
  X(int,   hfield_nrow,             nhfield,         1,                 COMPILE, SEE(sn_validateHeightFields),             "rows (y)") \
  X(int,   hfield_ncol,             nhfield,         1,                 COMPILE, SEE(sn_validateHeightFields),             "columns (x)") \
  X(int,   hfield_adr,              nhfield,         1,                 COMPILE, SEE(sn_validateHeightFields),             "first sample") \
  X(float, hfield_data,             nhfielddata,     1,                 COMPILE, FREE,                                  "heights in [0, 1], by rows") \
  X(int,   hfield_pathadr,          nhfield,         1,                 COMPILE, ID_OR_NONE(npaths),                    "address of the file's path, or -1") \
  X(int,   tex_type,                ntex,            1,                 COMPILE, RANGE(snTEXTURE_2D, snTEXTURE_SKYBOX), "2d, cube or skybox (snTexture)") \
  X(int,   tex_colorspace,          ntex,            1,                 COMPILE, RANGE(snCOLORSPACE_AUTO, snCOLORSPACE_SRGB), "automatic, linear or sRGB") \
  X(int,   tex_height,              ntex,            1,                 COMPILE, COUNT,                                 "rows of pixels") \
  X(int,   tex_width,               ntex,            1,                 COMPILE, COUNT,                                 "columns of pixels") \
  X(int,   tex_nchannel,            ntex,            1,                 COMPILE, RANGE(1, 4),                           "bytes per pixel") \
  X(size,  tex_adr,                 ntex,            1,                 COMPILE, SEE(sn_validateTextures),                 "first byte") \
  X(byte,  tex_data,                ntexdata,        1,                 COMPILE, FREE,                                  "pixels") \
  X(int,   tex_pathadr,             ntex,            1,                 COMPILE, ID_OR_NONE(npaths),                    "address of the file's path, or -1") \
  X(int,   mat_texid,               nmat,            snNTEXROLE,        COMPILE, ID_OR_NONE(ntex),                      "textures by role, or -1") \
  X(byte,  mat_texuniform,          nmat,            1,                 COMPILE, BOOL,                                  "texture repeats in length, not per object") \
  X(float, mat_texrepeat,           nmat,            2,                 COMPILE, FREE,                                  "repetitions of the texture") \
  X(float, mat_emission,            nmat,            1,                 COMPILE, FREE,                                  "emission") \
  X(float, mat_specular,            nmat,            1,                 COMPILE, FREE,                                  "specularity") \
  X(float, mat_shininess,           nmat,            1,                 COMPILE, FREE,                                  "shininess") \
  X(float, mat_reflectance,         nmat,            1,                 COMPILE, FREE,                                  "reflectance") \
  X(float, mat_metallic,            nmat,            1,                 COMPILE, FREE,                                  "metallicity, or -1") \
  X(float, mat_roughness,           nmat,            1,                 COMPILE, FREE,                                  "roughness, or -1") \
  X(float, mat_rgba,                nmat,            4,                 COMPILE, FREE,                                  "colour") \
  X(int,   pair_dim,                npair,           1,                 COMPILE, CONDIM,                                "dimensions of contact: 1, 3, 4 or 6") \
  X(int,   pair_geom1,              npair,           1,                 COMPILE, ID(ngeom),                             "first geom") \
  X(int,   pair_geom2,              npair,           1,                 COMPILE, ID(ngeom),                             "second geom") \
  X(int,   pair_signature,          npair,           1,                 COMPILE, FREE,                                  "the two bodies: (body1 << 16) + body2") \
  X(real,  pair_solref,             npair,           snNREF,            COMPILE, FREE,                                  "time constant and damping ratio (or -stiffness, -damping) of the normal") \
  X(real,  pair_solreffriction,     npair,           snNREF,            COMPILE, FREE,                                  "time constant and damping ratio (or -stiffness, -damping) of friction") \
  X(real,  pair_solimp,             npair,           snNIMP,            COMPILE, FREE,                                  "impedance d0, dmax, width, midpoint, power of contact") \
  X(real,  pair_margin,             npair,           1,                 COMPILE, FREE,                                  "distance below which contacts are found") \
  X(real,  pair_gap,                npair,           1,                 COMPILE, FREE,                                  "part of the margin without force") \
  X(real,  pair_friction,           npair,           5,                 COMPILE, FREE,                                  "tangent 1, tangent 2, spin, roll 1, roll 2") \
  X(int,   exclude_signature,       nexclude,        1,                 COMPILE, FREE,                                  "the two bodies: (body1 << 16) + body2") \
  X(int,   eq_type,                 neq,             1,                 COMPILE, RANGE(snEQ_CONNECT, snEQ_DISTANCE),    "connect, weld, joint, tendon, flex or distance (snEq)") \
  X(int,   eq_obj1id,               neq,             1,                 COMPILE, SEE(sn_validateEqualities),               "first object") \
  X(int,   eq_obj2id,               neq,             1,                 COMPILE, SEE(sn_validateEqualities),               "second object, or -1") \
  X(int,   eq_objtype,              neq,             1,                 COMPILE, RANGE(snOBJ_UNKNOWN, snOBJ_PLUGIN),               "type of the objects (snObj)") \
  X(byte,  eq_active0,              neq,             1,                 COMPILE, BOOL,                                  "is active at reset") \
  X(real,  eq_solref,               neq,             snNREF,            COMPILE, FREE,                                  "time constant and damping ratio (or -stiffness, -damping) of the constraint") \
  X(real,  eq_solimp,               neq,             snNIMP,            COMPILE, FREE,                                  "impedance d0, dmax, width, midpoint, power of the constraint") \
  X(real,  eq_data,                 neq,             snNEQDATA,         CONST,   FREE,                                  "anchors, relative pose or polynomial, by type") \
  X(int,   tendon_adr,              ntendon,         1,                 COMPILE, SLICE(tendon_num, nwrap),              "first piece of the path") \
  X(int,   tendon_num,              ntendon,         1,                 COMPILE, SUM(nwrap),                            "pieces of the path") \
  X(int,   tendon_matid,            ntendon,         1,                 COMPILE, ID_OR_NONE(nmat),                      "material, or -1") \
  X(int,   tendon_group,            ntendon,         1,                 COMPILE, FREE,                                  "group for visibility") \
  X(int,   tendon_treenum,          ntendon,         1,                 CONST,   SEE(sn_validateTendons),                  "kinematic trees along the path") \
  X(int,   tendon_treeid,           ntendon,         2,                 CONST,   ID_OR_NONE(ntree),                     "the first two trees, or -1") \
  X(byte,  tendon_limited,          ntendon,         1,                 COMPILE, BOOL,                                  "has a range") \
  X(byte,  tendon_actfrclimited,    ntendon,         1,                 COMPILE, BOOL,                                  "actuator force on it is clamped") \
  X(real,  tendon_width,            ntendon,         1,                 COMPILE, FREE,                                  "width for rendering") \
  X(real,  tendon_solref_lim,       ntendon,         snNREF,            COMPILE, FREE,                                  "time constant and damping ratio (or -stiffness, -damping) of the limit") \
  X(real,  tendon_solimp_lim,       ntendon,         snNIMP,            COMPILE, FREE,                                  "impedance d0, dmax, width, midpoint, power of the limit") \
  X(real,  tendon_solref_fri,       ntendon,         snNREF,            COMPILE, FREE,                                  "time constant and damping ratio (or -stiffness, -damping) of friction") \
  X(real,  tendon_solimp_fri,       ntendon,         snNIMP,            COMPILE, FREE,                                  "impedance d0, dmax, width, midpoint, power of friction") \
  X(real,  tendon_range,            ntendon,         2,                 COMPILE, FREE,                                  "limits of length") \
  X(real,  tendon_actfrcrange,      ntendon,         2,                 COMPILE, FREE,                                  "limits of the total actuator force") \
  X(real,  tendon_margin,           ntendon,         1,                 COMPILE, FREE,                                  "distance at which the limit becomes active") \
  X(real,  tendon_stiffness,        ntendon,         1,                 COMPILE, FREE,                                  "spring stiffness") \
  X(real,  tendon_damping,          ntendon,         1,                 COMPILE, FREE,                                  "viscous damping") \
  X(real,  tendon_armature,         ntendon,         1,                 COMPILE, FREE,                                  "inertia of the length's change") \
  X(real,  tendon_frictionloss,     ntendon,         1,                 COMPILE, FREE,                                  "dry friction force") \
  X(real,  tendon_lengthspring,     ntendon,         2,                 CONST,   FREE,                                  "lengths between which the spring is slack; -1 -1 becomes the length in qpos_spring") \
  X(real,  tendon_length0,          ntendon,         1,                 CONST,   FREE,                                  "length in qpos0") \
  X(real,  tendon_invweight0,       ntendon,         1,                 CONST,   FREE,                                  "inverse inertia along the tendon in qpos0") \
  X(real,  tendon_user,             ntendon,         SN_M(nuser_tendon), COMPILE, FREE,                                  "user numbers") \
  X(float, tendon_rgba,             ntendon,         4,                 COMPILE, FREE,                                  "colour") \
  X(int,   wrap_type,               nwrap,           1,                 COMPILE, RANGE(snWRAP_JOINT, snWRAP_CYLINDER),  "joint, pulley, site, sphere or cylinder (snWrap)") \
  X(int,   wrap_objid,              nwrap,           1,                 COMPILE, SEE(sn_validateTendons),                  "the object, or -1") \
  X(real,  wrap_prm,                nwrap,           1,                 COMPILE, FREE,                                  "coefficient, divisor, or side site") \
  X(int,   actuator_trntype,        nu,              1,                 COMPILE, SEE(sn_validateActuators),                "what it pulls at (snTrn)") \
  X(int,   actuator_dyntype,        nu,              1,                 COMPILE, RANGE(snDYN_NONE, snDYN_HILL),         "dynamics of activation (snDyn)") \
  X(int,   actuator_gaintype,       nu,              1,                 COMPILE, RANGE(snGAIN_FIXED, snGAIN_MODEL),     "law of the gain (snGain)") \
  X(int,   actuator_biastype,       nu,              1,                 COMPILE, RANGE(snBIAS_NONE, snBIAS_MODEL),      "law of the bias (snBias)") \
  X(int,   actuator_trnid,          nu,              2,                 COMPILE, SEE(sn_validateActuators),                "the objects it pulls at, or -1") \
  X(int,   actuator_actadr,         nu,              1,                 COMPILE, SLICE_OR_NONE(actuator_actnum, na),    "first activation, or -1") \
  X(int,   actuator_actnum,         nu,              1,                 COMPILE, SUM(na),                               "number of activations") \
  X(int,   actuator_group,          nu,              1,                 COMPILE, FREE,                                  "group, for switching off") \
  X(int,   actuator_history,        nu,              2,                 COMPILE, SEE(sn_validateHistory),                  "samples in the delay buffer, interpolation order") \
  X(int,   actuator_historyadr,     nu,              1,                 COMPILE, SEE(sn_validateHistory),                  "start of the delay buffer, or -1") \
  X(real,  actuator_delay,          nu,              1,                 COMPILE, FREE,                                  "delay of the control") \
  X(byte,  actuator_ctrllimited,    nu,              1,                 COMPILE, BOOL,                                  "control is clamped") \
  X(byte,  actuator_forcelimited,   nu,              1,                 COMPILE, BOOL,                                  "force is clamped") \
  X(byte,  actuator_actlimited,     nu,              1,                 COMPILE, BOOL,                                  "activation is clamped") \
  X(real,  actuator_dynprm,         nu,              snNDYN,            COMPILE, FREE,                                  "parameters of the dynamics") \
  X(real,  actuator_gainprm,        nu,              snNGAIN,           COMPILE, FREE,                                  "parameters of the gain") \
  X(real,  actuator_biasprm,        nu,              snNBIAS,           CONST,   FREE,                                  "parameters of the bias; a positive damping ratio becomes damping") \
  X(byte,  actuator_actearly,       nu,              1,                 COMPILE, BOOL,                                  "force uses the next activation") \
  X(real,  actuator_ctrlrange,      nu,              2,                 COMPILE, FREE,                                  "limits of control") \
  X(real,  actuator_forcerange,     nu,              2,                 COMPILE, FREE,                                  "limits of force") \
  X(real,  actuator_actrange,       nu,              2,                 COMPILE, FREE,                                  "limits of activation") \
  X(real,  actuator_gear,           nu,              6,                 COMPILE, FREE,                                  "scaling of length, or direction of the wrench") \
  X(real,  actuator_cranklength,    nu,              1,                 COMPILE, FREE,                                  "length of the crank") \
  X(real,  actuator_acc0,           nu,              1,                 CONST,   FREE,                                  "acceleration by a unit force in qpos0") \
  X(real,  actuator_length0,        nu,              1,                 CONST,   FREE,                                  "length in qpos0") \
  X(real,  actuator_lengthrange,    nu,              2,                 COMPILE, FREE,                                  "shortest and longest length") \
  X(real,  actuator_user,           nu,              SN_M(nuser_actuator), COMPILE, FREE,                                  "user numbers") \
  X(int,   actuator_plugin,         nu,              1,                 COMPILE, ID_OR_NONE(nplugin),                   "plugin instance, or -1") \
  X(int,   sensor_type,             nsensor,         1,                 COMPILE, RANGE(snSENS_TOUCH, snSENS_USER),      "what it measures (snSensor)") \
  X(int,   sensor_datatype,         nsensor,         1,                 COMPILE, RANGE(snDATATYPE_REAL, snDATATYPE_QUATERNION), "kind of number: real, positive, axis, quaternion") \
  X(int,   sensor_needstage,        nsensor,         1,                 COMPILE, RANGE(snSTAGE_NONE, snSTAGE_ACC),      "stage after which it can be computed") \
  X(int,   sensor_objtype,          nsensor,         1,                 COMPILE, SEE(sn_validateSensors),                  "type of the object") \
  X(int,   sensor_objid,            nsensor,         1,                 COMPILE, SEE(sn_validateSensors),                  "the object, or -1") \
  X(int,   sensor_reftype,          nsensor,         1,                 COMPILE, SEE(sn_validateSensors),                  "type of the reference frame") \
  X(int,   sensor_refid,            nsensor,         1,                 COMPILE, SEE(sn_validateSensors),                  "the reference, or -1") \
  X(int,   sensor_intprm,           nsensor,         snNSENS,           COMPILE, SEE(sn_validateSensors),                  "integer parameters by type") \
  X(int,   sensor_dim,              nsensor,         1,                 COMPILE, SUM(nsensordata),                      "numbers that it gives") \
  X(int,   sensor_adr,              nsensor,         1,                 COMPILE, SLICE(sensor_dim, nsensordata),        "first number in sensordata") \
  X(real,  sensor_cutoff,           nsensor,         1,                 COMPILE, FREE,                                  "bound of the result, 0: none") \
  X(real,  sensor_noise,            nsensor,         1,                 COMPILE, FREE,                                  "standard deviation, for information") \
  X(int,   sensor_history,          nsensor,         2,                 COMPILE, SEE(sn_validateHistory),                  "samples in the delay buffer, interpolation order") \
  X(int,   sensor_historyadr,       nsensor,         1,                 COMPILE, SEE(sn_validateHistory),                  "start of the delay buffer, or -1") \
  X(real,  sensor_delay,            nsensor,         1,                 COMPILE, FREE,                                  "delay of the result") \
  X(real,  sensor_interval,         nsensor,         2,                 COMPILE, FREE,                                  "period and phase of sampling") \
  X(real,  sensor_user,             nsensor,         SN_M(nuser_sensor), COMPILE, FREE,                                  "user numbers") \
  X(int,   sensor_plugin,           nsensor,         1,                 COMPILE, ID_OR_NONE(nplugin),                   "plugin instance, or -1") \
  X(int,   plugin,                  nplugin,         1,                 COMPILE, SEE(sn_validatePlugins),                  "slot of the plugin") \
  X(int,   plugin_stateadr,         nplugin,         1,                 COMPILE, SLICE(plugin_statenum, npluginstate),  "first number of the state") \
  X(int,   plugin_statenum,         nplugin,         1,                 COMPILE, SUM(npluginstate),                     "numbers of the state") \
  X(char,  plugin_attr,             npluginattr,     1,                 COMPILE, TEXT,                                  "settings, zero-terminated texts") \
  X(int,   plugin_attradr,          nplugin,         1,                 COMPILE, SEE(sn_validatePlugins),                  "first byte of the settings") \
  X(int,   numeric_adr,             nnumeric,        1,                 COMPILE, SLICE(numeric_size, nnumericdata),     "first number") \
  X(int,   numeric_size,            nnumeric,        1,                 COMPILE, SUM(nnumericdata),                     "count of numbers") \
  X(real,  numeric_data,            nnumericdata,    1,                 COMPILE, FREE,                                  "numbers") \
  X(int,   text_adr,                ntext,           1,                 COMPILE, SLICE(text_size, ntextdata),           "first byte") \
  X(int,   text_size,               ntext,           1,                 COMPILE, SUM(ntextdata),                        "bytes, the zero included") \
  X(char,  text_data,               ntextdata,       1,                 COMPILE, TEXT,                                  "texts") \
  X(int,   tuple_adr,               ntuple,          1,                 COMPILE, SLICE(tuple_size, ntupledata),         "first member") \
  X(int,   tuple_size,              ntuple,          1,                 COMPILE, SUM(ntupledata),                       "count of members") \
  X(int,   tuple_objtype,           ntupledata,      1,                 COMPILE, RANGE(snOBJ_UNKNOWN, snOBJ_PLUGIN),    "type of a member") \
  X(int,   tuple_objid,             ntupledata,      1,                 COMPILE, SEE(sn_validateTuples),                   "the member") \
  X(real,  tuple_objprm,            ntupledata,      1,                 COMPILE, FREE,                                  "number of a member") \
  X(real,  key_time,                nkey,            1,                 COMPILE, FREE,                                  "time") \
  X(real,  key_qpos,                nkey,            SN_M(nq),          COMPILE, FREE,                                  "positions") \
  X(real,  key_qvel,                nkey,            SN_M(nv),          COMPILE, FREE,                                  "velocities") \
  X(real,  key_act,                 nkey,            SN_M(na),          COMPILE, FREE,                                  "activations") \
  X(real,  key_mpos,                nkey,            SN_M(nmocap)*3,    COMPILE, FREE,                                  "positions of mocap bodies") \
  X(real,  key_mquat,               nkey,            SN_M(nmocap)*4,    COMPILE, FREE,                                  "orientations of mocap bodies") \
  X(real,  key_ctrl,                nkey,            SN_M(nu),          COMPILE, FREE,                                  "controls") \
  X(int,   name_bodyadr,            nbody,           1,                 COMPILE, ID(nnames),                            "addresses of the names of bodies") \
  X(int,   name_jntadr,             njnt,            1,                 COMPILE, ID(nnames),                            "addresses of the names of joints") \
  X(int,   name_geomadr,            ngeom,           1,                 COMPILE, ID(nnames),                            "addresses of the names of geoms") \
  X(int,   name_siteadr,            nsite,           1,                 COMPILE, ID(nnames),                            "addresses of the names of sites") \
  X(int,   name_camadr,             ncam,            1,                 COMPILE, ID(nnames),                            "addresses of the names of cameras") \
  X(int,   name_lightadr,           nlight,          1,                 COMPILE, ID(nnames),                            "addresses of the names of lights") \
  X(int,   name_flexadr,            nflex,           1,                 COMPILE, ID(nnames),                            "addresses of the names of flexes") \
  X(int,   name_meshadr,            nmesh,           1,                 COMPILE, ID(nnames),                            "addresses of the names of meshes") \
  X(int,   name_skinadr,            nskin,           1,                 COMPILE, ID(nnames),                            "addresses of the names of skins") \
  X(int,   name_hfieldadr,          nhfield,         1,                 COMPILE, ID(nnames),                            "addresses of the names of height fields") \
  X(int,   name_texadr,             ntex,            1,                 COMPILE, ID(nnames),                            "addresses of the names of textures") \
  X(int,   name_matadr,             nmat,            1,                 COMPILE, ID(nnames),                            "addresses of the names of materials") \
  X(int,   name_pairadr,            npair,           1,                 COMPILE, ID(nnames),                            "addresses of the names of pairs") \
  X(int,   name_excludeadr,         nexclude,        1,                 COMPILE, ID(nnames),                            "addresses of the names of exclusions") \
  X(int,   name_eqadr,              neq,             1,                 COMPILE, ID(nnames),                            "addresses of the names of equalities") \
  X(int,   name_tendonadr,          ntendon,         1,                 COMPILE, ID(nnames),                            "addresses of the names of tendons") \
  X(int,   name_actuatoradr,        nu,              1,                 COMPILE, ID(nnames),                            "addresses of the names of actuators") \
  X(int,   name_sensoradr,          nsensor,         1,                 COMPILE, ID(nnames),                            "addresses of the names of sensors") \
  X(int,   name_numericadr,         nnumeric,        1,                 COMPILE, ID(nnames),                            "addresses of the names of numeric fields") \
  X(int,   name_textadr,            ntext,           1,                 COMPILE, ID(nnames),                            "addresses of the names of texts") \
  X(int,   name_tupleadr,           ntuple,          1,                 COMPILE, ID(nnames),                            "addresses of the names of tuples") \
  X(int,   name_keyadr,             nkey,            1,                 COMPILE, ID(nnames),                            "addresses of the names of keyframes") \
  X(int,   name_pluginadr,          nplugin,         1,                 COMPILE, ID(nnames),                            "addresses of the names of plugin instances") \
  X(char,  names,                   nnames,          1,                 COMPILE, TEXT,                                  "all names, zero-terminated; the model's first") \
  X(int,   names_map,               nnames_map,      1,                 COMPILE, SEE(sn_validateNames),                    "hash tables from names to ids") \
  X(char,  paths,                   npaths,          1,                 COMPILE, TEXT,                                  "paths of assets, zero-terminated") \
  X(int,   B_rownnz,                nbody,           1,                 COMPILE, SUM(nB),                               "dofs that move a body") \
  X(int,   B_rowadr,                nbody,           1,                 COMPILE, SLICE(B_rownnz, nB),                   "first entry of a body in B_colind") \
  X(int,   B_colind,                nB,              1,                 COMPILE, COLUMNS(B_rowadr, nv),                 "dofs by body") \
  X(int,   M_rownnz,                nv,              1,                 COMPILE, SUM(nC),                               "entries of a row of M") \
  X(int,   M_rowadr,                nv,              1,                 COMPILE, SLICE(M_rownnz, nC),                   "address of a row of M") \
  X(int,   M_colind,                nC,              1,                 COMPILE, COLUMNS(M_rowadr, nv),                 "columns of M") \
  X(int,   mapM2M,                  nC,              1,                 COMPILE, SEE(sn_validateDofs),                     "entry of qM for each entry of M") \
  X(int,   D_rownnz,                nv,              1,                 COMPILE, SUM(nD),                               "entries of a row of D") \
  X(int,   D_rowadr,                nv,              1,                 COMPILE, SLICE(D_rownnz, nD),                   "address of a row of D") \
  X(int,   D_diag,                  nv,              1,                 COMPILE, SEE(sn_validateDofs),                     "place of the diagonal in a row of D, from the start of the row") \
  X(int,   D_colind,                nD,              1,                 COMPILE, COLUMNS(D_rowadr, nv),                 "columns of D") \
  X(int,   mapM2D,                  nD,              1,                 COMPILE, ID_OR_NONE(nC),                        "entry of M for each entry of D") \
  X(int,   mapD2M,                  nC,              1,                 COMPILE, ID(nD),                                "entry of D for each entry of M")

// laws of actuators by number and name, friction of tendons where they wrap; laws of flexes, and lists by which vertices, edges and dofs collect their forces; starts of searches in hulls;
// deformables, whose constraints stand by colour
#define SN_OWN_MODEL_FIELDS(X) \
  X(int,   xpbd_substeps,           nxpbd,           1,                 COMPILE, RANGE(1, 1000),                        "substeps of the XPBD solver by step") \
  X(real,  xpbd_compliance,         nxpbd,           1,                 COMPILE, FREE,                                  "compliance of its rows in m/N; 0: rigid") \
  X(int,   actuator_model,          nu,              1,                 COMPILE, SEE(sn_validateActuatorModels),        "law of gain and bias, 0: none (model/actuator_laws.h)") \
  X(int,   actmodel_slot,           nactmodel,       1,                 COMPILE, SEE(sn_validateActuatorModels),        "slot of a registered law in this process") \
  X(char,  actmodel_name,           nactmodel,       snNMODELNAME,      COMPILE, TEXT,                                  "name of a registered law") \
  X(int,   capstan_tendon,          ncapstan,        1,                 COMPILE, ID(ntendon),                           "tendon that rubs, ascending") \
  X(int,   capstan_wrap,            ncapstan,        1,                 COMPILE, SEE(sn_validateCapstans),              "piece of its path where it rubs, ascending") \
  X(real,  capstan_prm,             ncapstan,        snNCAPSTAN,        COMPILE, FREE,                                  "friction, speed at which it is nearly full, angle around a pulley") \
  X(int,   flex_elasticmodel,       nflex,           1,                 COMPILE, RANGE(0, snNELASTICITY - 1),           "law of stretch, 0: MuJoCo's (model/flex_laws.h)") \
  X(int,   flex_bendingmodel,       nflex,           1,                 COMPILE, RANGE(0, snNBENDING - 1),              "law of bending, 0: cotangent formula, 1: hinges") \
  X(real,  flex_elasticparam,       nflex,           snNFLEXPARAM,      COMPILE, FREE,                                  "parameters of the law of stretch") \
  X(real,  flex_bendingparam,       nflex,           snNFLEXPARAM,      COMPILE, FREE,                                  "parameters of the law of bending") \
  X(int,   flexedge_elemadr,        nflexedge,       1,                 COMPILE, SLICE(flexedge_elemnum, nflexelemedge), "first entry of the edge in flexedge_elem") \
  X(int,   flexedge_elemnum,        nflexedge,       1,                 COMPILE, SUM(nflexelemedge),                    "elements that have the edge") \
  X(int,   flexedge_elem,           nflexelemedge,   1,                 COMPILE, SEE(sn_validateFlexLists),             "entries of flex_elemedge that name the edge, ascending") \
  X(int,   flexvert_edgeadr,        nflexvert,       1,                 COMPILE, SLICE_OF(2, flexvert_edgenum, nflexedge), "first entry of the vertex in flexvert_edge") \
  X(int,   flexvert_edgenum,        nflexvert,       1,                 COMPILE, COUNT,                                 "edges that end at the vertex") \
  X(int,   flexvert_edge,           nflexedge,       2,                 COMPILE, SEE(sn_validateFlexLists),             "entries of flex_edge that name the vertex, ascending") \
  X(int,   flexvert_elemadr,        nflexvert,       1,                 COMPILE, SLICE(flexvert_elemnum, nflexelemdata), "first entry of the vertex in flexvert_elem") \
  X(int,   flexvert_elemnum,        nflexvert,       1,                 COMPILE, SUM(nflexelemdata),                    "elements that have the vertex") \
  X(int,   flexvert_elem,           nflexelemdata,   1,                 COMPILE, SEE(sn_validateFlexLists),             "entries of flex_elem that name the vertex, ascending") \
  X(int,   flexvert_flapadr,        nflexvert,       1,                 COMPILE, SLICE_OF(4, flexvert_flapnum, nflexedge), "first entry of the vertex in flexvert_flap") \
  X(int,   flexvert_flapnum,        nflexvert,       1,                 COMPILE, COUNT,                                 "flaps that bend at the vertex") \
  X(int,   flexvert_flap,           nflexedge,       4,                 COMPILE, SEE(sn_validateFlexLists),             "four times the edge of a flap plus the vertex's place in it, ascending") \
  X(int,   flexdof_vertadr,         nv,              1,                 COMPILE, SLICE(flexdof_vertnum, nJfv),          "first entry of the dof in flexdof_vert") \
  X(int,   flexdof_vertnum,         nv,              1,                 COMPILE, COUNT,                                 "vertices that the dof moves") \
  X(int,   flexdof_vert,            nJfv,            1,                 COMPILE, SEE(sn_validateFlexLists),             "vertices that a dof moves, ascending") \
  X(int,   flexedge_JT_rownnz,      nv,              1,                 COMPILE, COUNT,                                 "entries of a column of flexedge_J") \
  X(int,   flexedge_JT_rowadr,      nv,              1,                 COMPILE, SLICE(flexedge_JT_rownnz, nJfe),       "first entry of the column in flexedge_JT_colind") \
  X(int,   flexedge_JT_colind,      nJfe,            1,                 COMPILE, SEE(sn_validateFlexLists),             "edges whose rows have an entry in the column, ascending") \
  X(int,   flexedge_JT_place,       nJfe,            1,                 COMPILE, SEE(sn_validateFlexLists),             "places of these entries in flexedge_J") \
  /* convex hulls of meshes: where the search for the farthest vertex starts, where it may end, small hulls for wide registers */ \
  X(int,   mesh_hullstart,          nmesh,           snNHULLSTART,      COMPILE, SEE(sn_validateMeshes),                "1 + a vertex of the hull that is far along the directions of a cell, or 0") \
  X(real,  mesh_hullgap,            nmesh,           2,                 COMPILE, FREE,                                  "how far below the highest vertex a search along edges may end, and the size of the hull; 0 0: not known") \
  X(float, mesh_hullvert,           nmeshgraph,      1,                 COMPILE, FREE,                                  "vertices of hulls in blocks of eight, their x, y and z; of large ones, which blocks to search; from mesh_graphadr on") \
  /* deformables; constraints stand by colour */ \
  X(int,   deformable_type,         ndeformable,     1,                 COMPILE, RANGE(snDEFORMABLE_CLOTH, snDEFORMABLE_CHAIN), "kind of body (snDeformable)") \
  X(int,   deformable_contype,      ndeformable,     1,                 COMPILE, FREE,                                  "bits of what it is") \
  X(int,   deformable_conaffinity,  ndeformable,     1,                 COMPILE, FREE,                                  "bits of what it touches") \
  X(int,   deformable_condim,       ndeformable,     1,                 COMPILE, CONDIM,                                "1: without friction; 3 and more: with friction") \
  X(real,  deformable_solref,       ndeformable,     snNREF,            COMPILE, FREE,                                  "reference of its contacts: how soon overlaps are gone") \
  X(real,  deformable_solimp,       ndeformable,     snNIMP,            COMPILE, FREE,                                  "impedance of its contacts: how much of a push they give") \
  X(real,  deformable_friction,     ndeformable,     3,                 COMPILE, FREE,                                  "friction of the material: slide, spin, roll") \
  X(real,  deformable_margin,       ndeformable,     1,                 COMPILE, FREE,                                  "distance that vertices keep from surfaces") \
  X(real,  deformable_young,        ndeformable,     1,                 COMPILE, FREE,                                  "Young's modulus") \
  X(real,  deformable_poisson,      ndeformable,     1,                 COMPILE, FREE,                                  "Poisson's ratio") \
  X(real,  deformable_density,      ndeformable,     1,                 COMPILE, FREE,                                  "mass by volume") \
  X(real,  deformable_damping,      ndeformable,     1,                 COMPILE, FREE,                                  "rate at which velocities decay") \
  X(real,  deformable_sleep,        ndeformable,     1,                 COMPILE, FREE,                                  "speed below which it may fall asleep, 0: never") \
  X(int,   deformable_substeps,     ndeformable,     1,                 COMPILE, RANGE(1, 1000),                        "substeps of XPBD by step") \
  X(int,   deformable_repeats,      ndeformable,     1,                 COMPILE, RANGE(1, 4),                           "detections of contacts by step") \
  X(byte,  deformable_selfcollide,  ndeformable,     1,                 COMPILE, BOOL,                                  "vertices keep away from one another") \
  X(byte,  deformable_registered,   ndeformable,     1,                 COMPILE, BOOL,                                  "added by a program: a reset keeps the positions") \
  X(int,   deformable_group,        ndeformable,     1,                 COMPILE, FREE,                                  "group for visualisation") \
  X(float, deformable_rgba,         ndeformable,     4,                 COMPILE, FREE,                                  "colour") \
  X(int,   deformable_vertadr,      ndeformable,     1,                 COMPILE, SLICE(deformable_vertnum, ndeformvert), "first vertex") \
  X(int,   deformable_vertnum,      ndeformable,     1,                 COMPILE, SUM(ndeformvert),                      "number of vertices") \
  X(int,   deformable_elemadr,      ndeformable,     1,                 COMPILE, SLICE(deformable_elemnum, ndeformelem), "first element") \
  X(int,   deformable_elemnum,      ndeformable,     1,                 COMPILE, SUM(ndeformelem),                      "number of elements") \
  X(int,   deformable_faceadr,      ndeformable,     1,                 COMPILE, SLICE(deformable_facenum, ndeformface), "first face") \
  X(int,   deformable_facenum,      ndeformable,     1,                 COMPILE, SUM(ndeformface),                      "number of faces") \
  X(int,   name_deformableadr,      ndeformable,     1,                 COMPILE, ID(nnames),                            "addresses of the names of deformables") \
  X(int,   deformvert_deformid,     ndeformvert,     1,                 COMPILE, ID(ndeformable),                       "deformable of the vertex") \
  X(real,  deformvert_pos,          ndeformvert,     3,                 COMPILE, FREE,                                  "position at the start") \
  X(real,  deformvert_invmass,      ndeformvert,     1,                 COMPILE, FREE,                                  "1 / mass, 0: pinned") \
  X(int,   deformvert_bodyid,       ndeformvert,     1,                 COMPILE, ID_OR_NONE(nbody),                     "body that the vertex is attached to, or -1") \
  X(real,  deformvert_bodypos,      ndeformvert,     3,                 COMPILE, FREE,                                  "where it is attached, in that body") \
  X(int,   deformelem_vert,         ndeformelem,     4,                 COMPILE, ID_OR_NONE(ndeformvert),               "two, three or four vertices, then -1") \
  X(int,   deformface_vert,         ndeformface,     3,                 COMPILE, ID_OR_NONE(ndeformvert),               "triangles of a cloth or of the border of a solid; pieces of a chain, then -1") \
  X(int,   deformside_vert,         ndeformside,     2,                 COMPILE, ID(ndeformvert),                       "edges of the faces; pieces of a chain") \
  X(int,   deformedge_vert,         ndeformedge,     2,                 COMPILE, ID(ndeformvert),                       "ends") \
  X(byte,  deformedge_shear,        ndeformedge,     1,                 COMPILE, BOOL,                                  "0: resists stretch, 1: a diagonal, resists shear") \
  X(real,  deformedge_rest,         ndeformedge,     1,                 COMPILE, FREE,                                  "length at rest") \
  X(real,  deformedge_compliance,   ndeformedge,     1,                 COMPILE, FREE,                                  "1 / stiffness") \
  X(int,   deformbend_vert,         ndeformbend,     4,                 COMPILE, ID(ndeformvert),                       "vertices: of an edge, opposite of it") \
  X(real,  deformbend_coef,         ndeformbend,     4,                 COMPILE, FREE,                                  "their coefficients: curvature is the length of the sum") \
  X(real,  deformbend_rest,         ndeformbend,     1,                 COMPILE, FREE,                                  "curvature at rest") \
  X(real,  deformbend_compliance,   ndeformbend,     1,                 COMPILE, FREE,                                  "1 / stiffness") \
  X(int,   deformtet_vert,          ndeformtet,      4,                 COMPILE, ID(ndeformvert),                       "corners") \
  X(real,  deformtet_rest,          ndeformtet,      1,                 COMPILE, FREE,                                  "volume at rest") \
  X(real,  deformtet_compliance,    ndeformtet,      1,                 COMPILE, FREE,                                  "1 / stiffness") \
  X(int,   deformtwist_vert,        ndeformtwist,    4,                 COMPILE, ID(ndeformvert),                       "consecutive vertices") \
  X(real,  deformtwist_rest,        ndeformtwist,    1,                 COMPILE, FREE,                                  "angle between the planes of the first and the last three, at rest") \
  X(real,  deformtwist_compliance,  ndeformtwist,    1,                 COMPILE, FREE,                                  "1 / stiffness") \
  X(int,   deformtether_vert,       ndeformtether,   2,                 COMPILE, ID(ndeformvert),                       "ends") \
  X(real,  deformtether_rest,       ndeformtether,   1,                 COMPILE, FREE,                                  "largest distance: length of a straight path over edges") \
  X(int,   deformcolor_kind,        ndeformcolor,    1,                 COMPILE, RANGE(snDEFORM_TETHER, snDEFORM_TWIST), "what its constraints hold (snDeformConstraint)") \
  X(int,   deformcolor_adr,         ndeformcolor,    1,                 COMPILE, SEE(sn_validateDeformables),           "first constraint of the colour") \
  X(int,   deformcolor_num,         ndeformcolor,    1,                 COMPILE, COUNT,                                 "number of constraints") \
  X(real,  key_deformpos,           nkey,            SN_M(ndeformvert)*3, COMPILE, FREE,                                "keyframes: positions of vertices of deformables") \
  X(real,  key_deformvel,           nkey,            SN_M(ndeformvert)*3, COMPILE, FREE,                                "keyframes: their velocities")
#define SN_MODEL_FIELDS(X) \
  SN_MUJOCO_MODEL_FIELDS(X) \
  SN_OWN_MODEL_FIELDS(X)

// clang-format on

#endif  // SINEW_MODEL_FIELDS_H_
