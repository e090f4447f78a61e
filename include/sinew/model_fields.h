// The table of snModel: every size and every array is one row.
//
// X(type, name, rows, columns, stage, meaning): type is one of real, int, byte, float, size, char;
// rows is the name of a size of the model; columns is a number, a constant or SN_M(size); stage is
// COMPILE, or CONST where sn_setConst derives the field from others. The
// struct, its allocation, copy, save and load, print, Python views, GPU upload and the reference
// page all come from here: a new field is one new line.

#ifndef SINEW_MODEL_FIELDS_H_
#define SINEW_MODEL_FIELDS_H_

// clang-format off
#define SN_MODEL_SIZES(X) \
  X(nq,              "coordinates of position") \
  X(nv,              "degrees of freedom") \
  X(nu,              "actuators and controls") \
  X(na,              "activation states") \
  X(nbody,           "bodies, the world included") \
  X(nbvh,            "nodes of all bounding volume trees") \
  X(nbvhstatic,      "nodes with a box fixed in the frame of their body or mesh") \
  X(nbvhdynamic,     "nodes whose box moves (flexes)") \
  X(noct,            "cells of all octrees") \
  X(njnt,            "joints") \
  X(ntree,           "kinematic trees under the world") \
  X(nM,              "entries of the inertia matrix along the chains of ancestors") \
  X(nB,              "entries of the body-dof pattern") \
  X(nC,              "entries of the lower triangle of the inertia matrix") \
  X(nD,              "entries of the dof-dof pattern") \
  X(ngeom,           "geoms") \
  X(nsite,           "sites") \
  X(ncam,            "cameras") \
  X(nlight,          "lights") \
  X(nflex,           "flexes") \
  X(nflexnode,       "nodes of all flexes") \
  X(nflexvert,       "vertices of all flexes") \
  X(nflexedge,       "edges of all flexes") \
  X(nflexelem,       "elements of all flexes") \
  X(nflexelemdata,   "vertex ids in all elements") \
  X(nflexelemedge,   "edge ids in all elements") \
  X(nflexshelldata,  "vertex ids in all shell fragments") \
  X(nflexevpair,     "pairs of element and vertex that may collide") \
  X(nflextexcoord,   "texture coordinates of all flexes") \
  X(nJfe,            "entries of the Jacobian of edges") \
  X(nJfv,            "entries of the Jacobian of vertices") \
  X(nmesh,           "meshes") \
  X(nmeshvert,       "vertices of all meshes") \
  X(nmeshnormal,     "normals of all meshes") \
  X(nmeshtexcoord,   "texture coordinates of all meshes") \
  X(nmeshface,       "triangles of all meshes") \
  X(nmeshgraph,      "integers of all convex hull graphs") \
  X(nmeshpoly,       "polygons of all convex hulls") \
  X(nmeshpolyvert,   "vertex ids in all polygons") \
  X(nmeshpolymap,    "polygon ids around all vertices") \
  X(nskin,           "skins") \
  X(nskinvert,       "vertices of all skins") \
  X(nskintexvert,    "skin vertices with texture coordinates") \
  X(nskinface,       "triangles of all skins") \
  X(nskinbone,       "bones of all skins") \
  X(nskinbonevert,   "vertex weights of all bones") \
  X(nhfield,         "height fields") \
  X(nhfielddata,     "samples of all height fields") \
  X(ntex,            "textures") \
  X(ntexdata,        "bytes of all textures") \
  X(nmat,            "materials") \
  X(npair,           "explicit contact pairs") \
  X(nexclude,        "excluded pairs of bodies") \
  X(neq,             "equality constraints") \
  X(ntendon,         "tendons") \
  X(nwrap,           "pieces of the paths of all tendons") \
  X(nsensor,         "sensors") \
  X(nnumeric,        "custom numeric fields") \
  X(nnumericdata,    "numbers of all numeric fields") \
  X(ntext,           "custom text fields") \
  X(ntextdata,       "bytes of all texts, zeros included") \
  X(ntuple,          "custom tuples") \
  X(ntupledata,      "members of all tuples") \
  X(nkey,            "keyframes") \
  X(nmocap,          "mocap bodies") \
  X(nplugin,         "plugin instances") \
  X(npluginattr,     "bytes of all plugin settings") \
  X(nuser_body,      "user numbers per body") \
  X(nuser_jnt,       "user numbers per joint") \
  X(nuser_geom,      "user numbers per geom") \
  X(nuser_site,      "user numbers per site") \
  X(nuser_cam,       "user numbers per camera") \
  X(nuser_tendon,    "user numbers per tendon") \
  X(nuser_actuator,  "user numbers per actuator") \
  X(nuser_sensor,    "user numbers per sensor") \
  X(nnames,          "bytes of all names") \
  X(npaths,          "bytes of all asset paths") \
  X(nnames_map,      "slots of the hash tables of names") \
  X(nJmom,           "entries of the actuators' moment arms") \
  X(ngravcomp,       "bodies with gravity compensation") \
  X(nemax,           "constraint rows of equalities (legacy)") \
  X(njmax,           "constraint rows allowed (legacy, -1: any)") \
  X(nconmax,         "contacts allowed (legacy, -1: any)") \
  X(nuserdata,       "user numbers in the data") \
  X(nsensordata,     "numbers of all sensors") \
  X(npluginstate,    "numbers of all plugin states") \
  X(nhistory,        "numbers of all delay buffers") \
  X(narena,          "bytes of the arena") \
  X(nbuffer,         "bytes of the arrays")

#define SN_MODEL_FIELDS(X) \
  X(real,  qpos0,                   nq,              1,                 COMPILE, "positions of the reference pose") \
  X(real,  qpos_spring,             nq,              1,                 COMPILE, "positions at which joint springs are at rest") \
  X(int,   body_parentid,           nbody,           1,                 COMPILE, "parent body") \
  X(int,   body_rootid,             nbody,           1,                 COMPILE, "ancestor that is a child of the world") \
  X(int,   body_weldid,             nbody,           1,                 COMPILE, "ancestor to which the body is rigidly fixed") \
  X(int,   body_mocapid,            nbody,           1,                 COMPILE, "number among the mocap bodies, or -1") \
  X(int,   body_jntnum,             nbody,           1,                 COMPILE, "number of joints") \
  X(int,   body_jntadr,             nbody,           1,                 COMPILE, "first joint, or -1") \
  X(int,   body_dofnum,             nbody,           1,                 COMPILE, "number of dofs") \
  X(int,   body_dofadr,             nbody,           1,                 COMPILE, "first dof, or -1") \
  X(int,   body_treeid,             nbody,           1,                 COMPILE, "kinematic tree, or -1") \
  X(int,   body_geomnum,            nbody,           1,                 COMPILE, "number of geoms") \
  X(int,   body_geomadr,            nbody,           1,                 COMPILE, "first geom, or -1") \
  X(byte,  body_simple,             nbody,           1,                 COMPILE, "1: its block of the inertia matrix is diagonal; 2: sliders only") \
  X(byte,  body_sameframe,          nbody,           1,                 COMPILE, "how the inertial frame relates to the body frame") \
  X(real,  body_pos,                nbody,           3,                 COMPILE, "position in the parent") \
  X(real,  body_quat,               nbody,           4,                 COMPILE, "orientation in the parent") \
  X(real,  body_ipos,               nbody,           3,                 COMPILE, "centre of mass in the body") \
  X(real,  body_iquat,              nbody,           4,                 COMPILE, "principal axes in the body") \
  X(real,  body_mass,               nbody,           1,                 COMPILE, "mass") \
  X(real,  body_subtreemass,        nbody,           1,                 CONST,   "mass of the subtree that starts here") \
  X(real,  body_inertia,            nbody,           3,                 COMPILE, "principal moments of inertia") \
  X(real,  body_invweight0,         nbody,           2,                 CONST,   "mean inverse inertia (translation, rotation) in qpos0") \
  X(real,  body_gravcomp,           nbody,           1,                 COMPILE, "share of the weight that is cancelled") \
  X(real,  body_margin,             nbody,           1,                 COMPILE, "largest margin of the geoms, at least 0") \
  X(real,  body_user,               nbody,           SN_M(nuser_body),  COMPILE, "user numbers") \
  X(int,   body_plugin,             nbody,           1,                 COMPILE, "plugin instance, or -1") \
  X(int,   body_contype,            nbody,           1,                 COMPILE, "union of the geoms' contype") \
  X(int,   body_conaffinity,        nbody,           1,                 COMPILE, "union of the geoms' conaffinity") \
  X(int,   body_bvhadr,             nbody,           1,                 COMPILE, "root of the bounding volume tree, or -1") \
  X(int,   body_bvhnum,             nbody,           1,                 COMPILE, "nodes of the bounding volume tree") \
  X(int,   bvh_depth,               nbvh,            1,                 COMPILE, "depth in the tree") \
  X(int,   bvh_child,               nbvh,            2,                 COMPILE, "children, counted from the root of the tree, or -1") \
  X(int,   bvh_nodeid,              nbvh,            1,                 COMPILE, "geom, triangle or element of a leaf; -1 inside") \
  X(real,  bvh_aabb,                nbvhstatic,      6,                 COMPILE, "box: centre, half sizes") \
  X(int,   oct_depth,               noct,            1,                 COMPILE, "depth in the octree") \
  X(int,   oct_child,               noct,            8,                 COMPILE, "children, counted from the root of the octree, or -1") \
  X(real,  oct_aabb,                noct,            6,                 COMPILE, "cell: centre, half sizes") \
  X(real,  oct_coeff,               noct,            8,                 COMPILE, "signed distance at the corners") \
  X(int,   jnt_type,                njnt,            1,                 COMPILE, "free, ball, slide or hinge (snJoint)") \
  X(int,   jnt_qposadr,             njnt,            1,                 COMPILE, "first coordinate in qpos") \
  X(int,   jnt_dofadr,              njnt,            1,                 COMPILE, "first dof") \
  X(int,   jnt_bodyid,              njnt,            1,                 COMPILE, "body that it moves") \
  X(int,   jnt_group,               njnt,            1,                 COMPILE, "group for visibility") \
  X(byte,  jnt_limited,             njnt,            1,                 COMPILE, "has a range") \
  X(byte,  jnt_actfrclimited,       njnt,            1,                 COMPILE, "actuator force on it is clamped") \
  X(byte,  jnt_actgravcomp,         njnt,            1,                 COMPILE, "gravity compensation counts as actuator force") \
  X(real,  jnt_solref,              njnt,            snNREF,            COMPILE, "time constant and damping ratio (or -stiffness, -damping) of the limit") \
  X(real,  jnt_solimp,              njnt,            snNIMP,            COMPILE, "impedance d0, dmax, width, midpoint, power of the limit") \
  X(real,  jnt_pos,                 njnt,            3,                 COMPILE, "anchor in the body") \
  X(real,  jnt_axis,                njnt,            3,                 COMPILE, "axis in the body") \
  X(real,  jnt_stiffness,           njnt,            1,                 COMPILE, "spring stiffness") \
  X(real,  jnt_range,               njnt,            2,                 COMPILE, "limits of position") \
  X(real,  jnt_actfrcrange,         njnt,            2,                 COMPILE, "limits of the total actuator force") \
  X(real,  jnt_margin,              njnt,            1,                 COMPILE, "distance at which the limit becomes active") \
  X(real,  jnt_user,                njnt,            SN_M(nuser_jnt),   COMPILE, "user numbers") \
  X(int,   dof_bodyid,              nv,              1,                 COMPILE, "body") \
  X(int,   dof_jntid,               nv,              1,                 COMPILE, "joint") \
  X(int,   dof_parentid,            nv,              1,                 COMPILE, "previous dof on the way to the root, or -1") \
  X(int,   dof_treeid,              nv,              1,                 COMPILE, "kinematic tree") \
  X(int,   dof_Madr,                nv,              1,                 COMPILE, "address of the diagonal entry in qM") \
  X(int,   dof_simplenum,           nv,              1,                 COMPILE, "dofs with diagonal inertia from here on, without a break") \
  X(real,  dof_solref,              nv,              snNREF,            COMPILE, "time constant and damping ratio (or -stiffness, -damping) of friction") \
  X(real,  dof_solimp,              nv,              snNIMP,            COMPILE, "impedance d0, dmax, width, midpoint, power of friction") \
  X(real,  dof_frictionloss,        nv,              1,                 COMPILE, "dry friction force") \
  X(real,  dof_armature,            nv,              1,                 COMPILE, "inertia added to the diagonal") \
  X(real,  dof_damping,             nv,              1,                 COMPILE, "viscous damping") \
  X(real,  dof_invweight0,          nv,              1,                 CONST,   "diagonal of the inverse inertia in qpos0, mean over a joint") \
  X(real,  dof_M0,                  nv,              1,                 CONST,   "diagonal inertia in qpos0") \
  X(real,  dof_length,              nv,              1,                 CONST,   "1, or the size of the body that a rotation moves: turns its rate into a velocity, for sleeping") \
  X(int,   tree_bodyadr,            ntree,           1,                 COMPILE, "first body") \
  X(int,   tree_bodynum,            ntree,           1,                 COMPILE, "number of bodies") \
  X(int,   tree_dofadr,             ntree,           1,                 COMPILE, "first dof") \
  X(int,   tree_dofnum,             ntree,           1,                 COMPILE, "number of dofs") \
  X(int,   tree_sleep_policy,       ntree,           1,                 CONST,   "when the tree may sleep (snSleepPolicy); automatic ones are decided") \
  X(int,   geom_type,               ngeom,           1,                 COMPILE, "shape (snGeom)") \
  X(int,   geom_contype,            ngeom,           1,                 COMPILE, "bits that others' conaffinity must meet") \
  X(int,   geom_conaffinity,        ngeom,           1,                 COMPILE, "bits that others' contype must meet") \
  X(int,   geom_condim,             ngeom,           1,                 COMPILE, "dimensions of contact: 1, 3, 4 or 6") \
  X(int,   geom_bodyid,             ngeom,           1,                 COMPILE, "body that carries it") \
  X(int,   geom_dataid,             ngeom,           1,                 COMPILE, "mesh or height field, or -1") \
  X(int,   geom_matid,              ngeom,           1,                 COMPILE, "material, or -1") \
  X(int,   geom_group,              ngeom,           1,                 COMPILE, "group for visibility") \
  X(int,   geom_priority,           ngeom,           1,                 COMPILE, "its contact parameters win over lower ones") \
  X(int,   geom_plugin,             ngeom,           1,                 COMPILE, "plugin instance, or -1") \
  X(byte,  geom_sameframe,          ngeom,           1,                 COMPILE, "how its frame relates to those of the body") \
  X(real,  geom_solmix,             ngeom,           1,                 COMPILE, "weight when parameters are mixed") \
  X(real,  geom_solref,             ngeom,           snNREF,            COMPILE, "time constant and damping ratio (or -stiffness, -damping) of contact") \
  X(real,  geom_solimp,             ngeom,           snNIMP,            COMPILE, "impedance d0, dmax, width, midpoint, power of contact") \
  X(real,  geom_size,               ngeom,           3,                 COMPILE, "sizes by type") \
  X(real,  geom_aabb,               ngeom,           6,                 COMPILE, "box in its frame: centre, half sizes") \
  X(real,  geom_rbound,             ngeom,           1,                 COMPILE, "radius of the bounding sphere, 0 for planes") \
  X(real,  geom_pos,                ngeom,           3,                 COMPILE, "position in the body") \
  X(real,  geom_quat,               ngeom,           4,                 COMPILE, "orientation in the body") \
  X(real,  geom_friction,           ngeom,           3,                 COMPILE, "sliding, torsional, rolling friction") \
  X(real,  geom_margin,             ngeom,           1,                 COMPILE, "distance below which contacts are found") \
  X(real,  geom_gap,                ngeom,           1,                 COMPILE, "part of the margin without force") \
  X(real,  geom_fluid,              ngeom,           snNFLUID,          COMPILE, "coefficients of the ellipsoid fluid model") \
  X(real,  geom_user,               ngeom,           SN_M(nuser_geom),  COMPILE, "user numbers") \
  X(float, geom_rgba,               ngeom,           4,                 COMPILE, "colour") \
  X(int,   site_type,               nsite,           1,                 COMPILE, "shape (snGeom)") \
  X(int,   site_bodyid,             nsite,           1,                 COMPILE, "body that carries it") \
  X(int,   site_matid,              nsite,           1,                 COMPILE, "material, or -1") \
  X(int,   site_group,              nsite,           1,                 COMPILE, "group for visibility") \
  X(byte,  site_sameframe,          nsite,           1,                 COMPILE, "how its frame relates to those of the body") \
  X(real,  site_size,               nsite,           3,                 COMPILE, "sizes by type") \
  X(real,  site_pos,                nsite,           3,                 COMPILE, "position in the body") \
  X(real,  site_quat,               nsite,           4,                 COMPILE, "orientation in the body") \
  X(real,  site_user,               nsite,           SN_M(nuser_site),  COMPILE, "user numbers") \
  X(float, site_rgba,               nsite,           4,                 COMPILE, "colour") \
  X(int,   cam_mode,                ncam,            1,                 COMPILE, "fixed, tracking or targeting (snCamLight)") \
  X(int,   cam_bodyid,              ncam,            1,                 COMPILE, "body that carries it") \
  X(int,   cam_targetbodyid,        ncam,            1,                 COMPILE, "body that it looks at, or -1") \
  X(real,  cam_pos,                 ncam,            3,                 COMPILE, "position in the body") \
  X(real,  cam_quat,                ncam,            4,                 COMPILE, "orientation in the body") \
  X(real,  cam_poscom0,             ncam,            3,                 CONST,   "position from the subtree's centre of mass in qpos0") \
  X(real,  cam_pos0,                ncam,            3,                 CONST,   "global position from the body in qpos0") \
  X(real,  cam_mat0,                ncam,            9,                 CONST,   "global orientation in qpos0") \
  X(int,   cam_projection,          ncam,            1,                 COMPILE, "perspective or orthographic") \
  X(real,  cam_fovy,                ncam,            1,                 COMPILE, "vertical field of view (degrees, or length)") \
  X(real,  cam_ipd,                 ncam,            1,                 COMPILE, "distance of the eyes") \
  X(int,   cam_resolution,          ncam,            2,                 COMPILE, "width and height in pixels") \
  X(int,   cam_output,              ncam,            1,                 COMPILE, "bits of the images that it delivers") \
  X(float, cam_sensorsize,          ncam,            2,                 COMPILE, "size of the chip") \
  X(float, cam_intrinsic,           ncam,            4,                 COMPILE, "focal lengths, principal point") \
  X(real,  cam_user,                ncam,            SN_M(nuser_cam),   COMPILE, "user numbers") \
  X(int,   light_mode,              nlight,          1,                 COMPILE, "fixed, tracking or targeting (snCamLight)") \
  X(int,   light_bodyid,            nlight,          1,                 COMPILE, "body that carries it") \
  X(int,   light_targetbodyid,      nlight,          1,                 COMPILE, "body that it points at, or -1") \
  X(int,   light_type,              nlight,          1,                 COMPILE, "spot, directional, point or image (snLightType)") \
  X(int,   light_texid,             nlight,          1,                 COMPILE, "texture of an image light, or -1") \
  X(byte,  light_castshadow,        nlight,          1,                 COMPILE, "casts shadows") \
  X(float, light_bulbradius,        nlight,          1,                 COMPILE, "radius of the source, for soft shadows") \
  X(float, light_intensity,         nlight,          1,                 COMPILE, "intensity in candela") \
  X(float, light_range,             nlight,          1,                 COMPILE, "reach of the light") \
  X(byte,  light_active,            nlight,          1,                 COMPILE, "is on") \
  X(real,  light_pos,               nlight,          3,                 COMPILE, "position in the body") \
  X(real,  light_dir,               nlight,          3,                 COMPILE, "direction in the body") \
  X(real,  light_poscom0,           nlight,          3,                 CONST,   "position from the subtree's centre of mass in qpos0") \
  X(real,  light_pos0,              nlight,          3,                 CONST,   "global position from the body in qpos0") \
  X(real,  light_dir0,              nlight,          3,                 CONST,   "global direction in qpos0") \
  X(float, light_attenuation,       nlight,          3,                 COMPILE, "constant, linear, quadratic loss with distance") \
  X(float, light_cutoff,            nlight,          1,                 COMPILE, "half angle of a spot, degrees") \
  X(float, light_exponent,          nlight,          1,                 COMPILE, "softness of a spot's edge") \
  X(float, light_ambient,           nlight,          3,                 COMPILE, "ambient colour") \
  X(float, light_diffuse,           nlight,          3,                 COMPILE, "diffuse colour") \
  X(float, light_specular,          nlight,          3,                 COMPILE, "specular colour") \
  X(int,   flex_contype,            nflex,           1,                 COMPILE, "bits that others' conaffinity must meet") \
  X(int,   flex_conaffinity,        nflex,           1,                 COMPILE, "bits that others' contype must meet") \
  X(int,   flex_condim,             nflex,           1,                 COMPILE, "dimensions of contact: 1, 3, 4 or 6") \
  X(int,   flex_priority,           nflex,           1,                 COMPILE, "its contact parameters win over lower ones") \
  X(real,  flex_solmix,             nflex,           1,                 COMPILE, "weight when parameters are mixed") \
  X(real,  flex_solref,             nflex,           snNREF,            COMPILE, "time constant and damping ratio (or -stiffness, -damping) of contact") \
  X(real,  flex_solimp,             nflex,           snNIMP,            COMPILE, "impedance d0, dmax, width, midpoint, power of contact") \
  X(real,  flex_friction,           nflex,           3,                 COMPILE, "sliding, torsional, rolling friction") \
  X(real,  flex_margin,             nflex,           1,                 COMPILE, "distance below which contacts are found") \
  X(real,  flex_gap,                nflex,           1,                 COMPILE, "part of the margin without force") \
  X(byte,  flex_internal,           nflex,           1,                 COMPILE, "elements collide with own vertices") \
  X(int,   flex_selfcollide,        nflex,           1,                 COMPILE, "how it collides with itself (snFlexSelf)") \
  X(int,   flex_activelayers,       nflex,           1,                 COMPILE, "layers of elements that collide") \
  X(int,   flex_passive,            nflex,           1,                 COMPILE, "contacts of this flex act as passive springs") \
  X(int,   flex_dim,                nflex,           1,                 COMPILE, "1 lines, 2 triangles, 3 tetrahedra") \
  X(int,   flex_matid,              nflex,           1,                 COMPILE, "material, or -1") \
  X(int,   flex_group,              nflex,           1,                 COMPILE, "group for visibility") \
  X(int,   flex_interp,             nflex,           1,                 COMPILE, "order of interpolation between nodes, 0: none") \
  X(int,   flex_nodeadr,            nflex,           1,                 COMPILE, "first node") \
  X(int,   flex_nodenum,            nflex,           1,                 COMPILE, "number of nodes") \
  X(int,   flex_vertadr,            nflex,           1,                 COMPILE, "first vertex") \
  X(int,   flex_vertnum,            nflex,           1,                 COMPILE, "number of vertices") \
  X(int,   flex_edgeadr,            nflex,           1,                 COMPILE, "first edge") \
  X(int,   flex_edgenum,            nflex,           1,                 COMPILE, "number of edges") \
  X(int,   flex_elemadr,            nflex,           1,                 COMPILE, "first element") \
  X(int,   flex_elemnum,            nflex,           1,                 COMPILE, "number of elements") \
  X(int,   flex_elemdataadr,        nflex,           1,                 COMPILE, "first entry in flex_elem") \
  X(int,   flex_elemedgeadr,        nflex,           1,                 COMPILE, "first entry in flex_elemedge") \
  X(int,   flex_shellnum,           nflex,           1,                 COMPILE, "number of shell fragments") \
  X(int,   flex_shelldataadr,       nflex,           1,                 COMPILE, "first entry in flex_shell") \
  X(int,   flex_evpairadr,          nflex,           1,                 COMPILE, "first element-vertex pair") \
  X(int,   flex_evpairnum,          nflex,           1,                 COMPILE, "number of element-vertex pairs") \
  X(int,   flex_texcoordadr,        nflex,           1,                 COMPILE, "first texture coordinate, or -1") \
  X(int,   flex_nodebodyid,         nflexnode,       1,                 COMPILE, "body of a node") \
  X(int,   flex_vertbodyid,         nflexvert,       1,                 COMPILE, "body of a vertex") \
  X(int,   flex_vertedgeadr,        nflexvert,       1,                 COMPILE, "first edge of a vertex") \
  X(int,   flex_vertedgenum,        nflexvert,       1,                 COMPILE, "number of edges of a vertex") \
  X(int,   flex_vertedge,           nflexedge,       2,                 COMPILE, "edges around the vertices") \
  X(int,   flex_edge,               nflexedge,       2,                 COMPILE, "two vertices of an edge") \
  X(int,   flex_edgeflap,           nflexedge,       2,                 COMPILE, "opposite vertices of the neighbouring triangles, or -1") \
  X(int,   flex_elem,               nflexelemdata,   1,                 COMPILE, "vertices of the elements") \
  X(int,   flex_elemtexcoord,       nflexelemdata,   1,                 COMPILE, "texture coordinates of the elements") \
  X(int,   flex_elemedge,           nflexelemedge,   1,                 COMPILE, "edges of the elements") \
  X(int,   flex_elemlayer,          nflexelem,       1,                 COMPILE, "distance of a tetrahedron from the surface, in layers") \
  X(int,   flex_shell,              nflexshelldata,  1,                 COMPILE, "vertices of the shell fragments") \
  X(int,   flex_evpair,             nflexevpair,     2,                 COMPILE, "element and vertex of a pair") \
  X(real,  flex_vert,               nflexvert,       3,                 COMPILE, "position in the vertex's body") \
  X(real,  flex_vert0,              nflexvert,       3,                 COMPILE, "position in qpos0, in [0, 1]^d of the flex") \
  X(real,  flex_vertmetric,         nflexvert,       4,                 COMPILE, "inverse of the weighted reference shape at a vertex, 2 x 2") \
  X(real,  flex_node,               nflexnode,       3,                 COMPILE, "position in the node's body") \
  X(real,  flex_node0,              nflexnode,       3,                 COMPILE, "node positions in qpos0") \
  X(real,  flexedge_length0,        nflexedge,       1,                 CONST,   "length in qpos0") \
  X(real,  flexedge_invweight0,     nflexedge,       1,                 CONST,   "inverse inertia along the edge in qpos0") \
  X(real,  flex_radius,             nflex,           1,                 COMPILE, "radius around the elements") \
  X(real,  flex_size,               nflex,           3,                 COMPILE, "half sizes of the box in qpos0, without the radius") \
  X(real,  flex_stiffness,          nflexelem,       21,                COMPILE, "metric of an element, packed; of an interpolated flex one full matrix") \
  X(real,  flex_bending,            nflexedge,       17,                COMPILE, "bending by the cotangent formula: 4 x 4 stiffness, curvature at rest") \
  X(real,  flex_damping,            nflex,           1,                 COMPILE, "damping of the elasticity (Rayleigh)") \
  X(real,  flex_edgestiffness,      nflex,           1,                 COMPILE, "stiffness of the edges") \
  X(real,  flex_edgedamping,        nflex,           1,                 COMPILE, "damping of the edges") \
  X(int,   flex_edgeequality,       nflex,           1,                 COMPILE, "what an equality holds: 0 nothing, 1 edges, 2 vertices") \
  X(byte,  flex_rigid,              nflex,           1,                 COMPILE, "all vertices on one body") \
  X(byte,  flexedge_rigid,          nflexedge,       1,                 COMPILE, "both ends on one body") \
  X(byte,  flex_centered,           nflex,           1,                 COMPILE, "all vertices (nodes when interpolated) at the origins of their bodies") \
  X(byte,  flex_flatskin,           nflex,           1,                 COMPILE, "drawn with flat shading") \
  X(int,   flex_bvhadr,             nflex,           1,                 COMPILE, "root of the bounding volume tree, or -1") \
  X(int,   flex_bvhnum,             nflex,           1,                 COMPILE, "nodes of the bounding volume tree") \
  X(int,   flexedge_J_rownnz,       nflexedge,       1,                 COMPILE, "entries of a row of flexedge_J") \
  X(int,   flexedge_J_rowadr,       nflexedge,       1,                 COMPILE, "address of a row of flexedge_J") \
  X(int,   flexedge_J_colind,       nJfe,            1,                 COMPILE, "columns of flexedge_J") \
  X(int,   flexvert_J_rownnz,       nflexvert,       2,                 COMPILE, "entries of a row of flexvert_J") \
  X(int,   flexvert_J_rowadr,       nflexvert,       2,                 COMPILE, "address of a row of flexvert_J") \
  X(int,   flexvert_J_colind,       nJfv,            2,                 COMPILE, "columns of flexvert_J") \
  X(float, flex_rgba,               nflex,           4,                 COMPILE, "colour") \
  X(float, flex_texcoord,           nflextexcoord,   2,                 COMPILE, "texture coordinates") \
  X(int,   mesh_vertadr,            nmesh,           1,                 COMPILE, "first vertex") \
  X(int,   mesh_vertnum,            nmesh,           1,                 COMPILE, "number of vertices") \
  X(int,   mesh_faceadr,            nmesh,           1,                 COMPILE, "first triangle") \
  X(int,   mesh_facenum,            nmesh,           1,                 COMPILE, "number of triangles") \
  X(int,   mesh_bvhadr,             nmesh,           1,                 COMPILE, "root of the bounding volume tree") \
  X(int,   mesh_bvhnum,             nmesh,           1,                 COMPILE, "nodes of the bounding volume tree") \
  X(int,   mesh_octadr,             nmesh,           1,                 COMPILE, "root of the octree, or -1") \
  X(int,   mesh_octnum,             nmesh,           1,                 COMPILE, "cells of the octree") \
  X(int,   mesh_normaladr,          nmesh,           1,                 COMPILE, "first normal") \
  X(int,   mesh_normalnum,          nmesh,           1,                 COMPILE, "number of normals") \
  X(int,   mesh_texcoordadr,        nmesh,           1,                 COMPILE, "first texture coordinate, or -1") \
  X(int,   mesh_texcoordnum,        nmesh,           1,                 COMPILE, "number of texture coordinates") \
  X(int,   mesh_graphadr,           nmesh,           1,                 COMPILE, "start of the convex hull graph, or -1") \
  X(float, mesh_vert,               nmeshvert,       3,                 COMPILE, "vertices in the mesh's principal frame") \
  X(float, mesh_normal,             nmeshnormal,     3,                 COMPILE, "unit normals") \
  X(float, mesh_texcoord,           nmeshtexcoord,   2,                 COMPILE, "texture coordinates") \
  X(int,   mesh_face,               nmeshface,       3,                 COMPILE, "vertices of the triangles") \
  X(int,   mesh_facenormal,         nmeshface,       3,                 COMPILE, "normals of the triangles' corners") \
  X(int,   mesh_facetexcoord,       nmeshface,       3,                 COMPILE, "texture coordinates of the triangles' corners") \
  X(int,   mesh_graph,              nmeshgraph,      1,                 COMPILE, "convex hull: counts, addresses of neighbour lists, vertex ids, neighbours, triangles") \
  X(real,  mesh_scale,              nmesh,           3,                 COMPILE, "scaling of the file's vertices") \
  X(real,  mesh_pos,                nmesh,           3,                 COMPILE, "translation that was removed from the vertices") \
  X(real,  mesh_quat,               nmesh,           4,                 COMPILE, "rotation that was removed from the vertices") \
  X(int,   mesh_pathadr,            nmesh,           1,                 COMPILE, "address of the file's path, or -1") \
  X(int,   mesh_polynum,            nmesh,           1,                 COMPILE, "polygons of the convex hull") \
  X(int,   mesh_polyadr,            nmesh,           1,                 COMPILE, "first polygon") \
  X(real,  mesh_polynormal,         nmeshpoly,       3,                 COMPILE, "normal of a polygon") \
  X(int,   mesh_polyvertadr,        nmeshpoly,       1,                 COMPILE, "first entry in mesh_polyvert") \
  X(int,   mesh_polyvertnum,        nmeshpoly,       1,                 COMPILE, "vertices of a polygon") \
  X(int,   mesh_polyvert,           nmeshpolyvert,   1,                 COMPILE, "vertices of the polygons") \
  X(int,   mesh_polymapadr,         nmeshvert,       1,                 COMPILE, "first entry in mesh_polymap of a vertex") \
  X(int,   mesh_polymapnum,         nmeshvert,       1,                 COMPILE, "polygons around a vertex") \
  X(int,   mesh_polymap,            nmeshpolymap,    1,                 COMPILE, "polygons around the vertices") \
  X(int,   skin_matid,              nskin,           1,                 COMPILE, "material, or -1") \
  X(int,   skin_group,              nskin,           1,                 COMPILE, "group for visibility") \
  X(float, skin_rgba,               nskin,           4,                 COMPILE, "colour") \
  X(float, skin_inflate,            nskin,           1,                 COMPILE, "offset along the normals") \
  X(int,   skin_vertadr,            nskin,           1,                 COMPILE, "first vertex") \
  X(int,   skin_vertnum,            nskin,           1,                 COMPILE, "number of vertices") \
  X(int,   skin_texcoordadr,        nskin,           1,                 COMPILE, "first texture coordinate, or -1") \
  X(int,   skin_faceadr,            nskin,           1,                 COMPILE, "first triangle") \
  X(int,   skin_facenum,            nskin,           1,                 COMPILE, "number of triangles") \
  X(int,   skin_boneadr,            nskin,           1,                 COMPILE, "first bone") \
  X(int,   skin_bonenum,            nskin,           1,                 COMPILE, "number of bones") \
  X(float, skin_vert,               nskinvert,       3,                 COMPILE, "vertices in the bind pose") \
  X(float, skin_texcoord,           nskintexvert,    2,                 COMPILE, "texture coordinates") \
  X(int,   skin_face,               nskinface,       3,                 COMPILE, "vertices of the triangles") \
  X(int,   skin_bonevertadr,        nskinbone,       1,                 COMPILE, "first vertex weight of a bone") \
  X(int,   skin_bonevertnum,        nskinbone,       1,                 COMPILE, "vertex weights of a bone") \
  X(float, skin_bonebindpos,        nskinbone,       3,                 COMPILE, "position of a bone in the bind pose") \
  X(float, skin_bonebindquat,       nskinbone,       4,                 COMPILE, "orientation of a bone in the bind pose") \
  X(int,   skin_bonebodyid,         nskinbone,       1,                 COMPILE, "body of a bone") \
  X(int,   skin_bonevertid,         nskinbonevert,   1,                 COMPILE, "vertices of the bones") \
  X(float, skin_bonevertweight,     nskinbonevert,   1,                 COMPILE, "weights of the vertices") \
  X(int,   skin_pathadr,            nskin,           1,                 COMPILE, "address of the file's path, or -1") \
  X(real,  hfield_size,             nhfield,         4,                 COMPILE, "half sizes in x and y, height above and base below z = 0") \
  X(int,   hfield_nrow,             nhfield,         1,                 COMPILE, "rows (y)") \
  X(int,   hfield_ncol,             nhfield,         1,                 COMPILE, "columns (x)") \
  X(int,   hfield_adr,              nhfield,         1,                 COMPILE, "first sample") \
  X(float, hfield_data,             nhfielddata,     1,                 COMPILE, "heights in [0, 1], by rows") \
  X(int,   hfield_pathadr,          nhfield,         1,                 COMPILE, "address of the file's path, or -1") \
  X(int,   tex_type,                ntex,            1,                 COMPILE, "2d, cube or skybox (snTexture)") \
  X(int,   tex_colorspace,          ntex,            1,                 COMPILE, "automatic, linear or sRGB") \
  X(int,   tex_height,              ntex,            1,                 COMPILE, "rows of pixels") \
  X(int,   tex_width,               ntex,            1,                 COMPILE, "columns of pixels") \
  X(int,   tex_nchannel,            ntex,            1,                 COMPILE, "bytes per pixel") \
  X(size,  tex_adr,                 ntex,            1,                 COMPILE, "first byte") \
  X(byte,  tex_data,                ntexdata,        1,                 COMPILE, "pixels") \
  X(int,   tex_pathadr,             ntex,            1,                 COMPILE, "address of the file's path, or -1") \
  X(int,   mat_texid,               nmat,            snNTEXROLE,        COMPILE, "textures by role, or -1") \
  X(byte,  mat_texuniform,          nmat,            1,                 COMPILE, "texture repeats in length, not per object") \
  X(float, mat_texrepeat,           nmat,            2,                 COMPILE, "repetitions of the texture") \
  X(float, mat_emission,            nmat,            1,                 COMPILE, "emission") \
  X(float, mat_specular,            nmat,            1,                 COMPILE, "specularity") \
  X(float, mat_shininess,           nmat,            1,                 COMPILE, "shininess") \
  X(float, mat_reflectance,         nmat,            1,                 COMPILE, "reflectance") \
  X(float, mat_metallic,            nmat,            1,                 COMPILE, "metallicity, or -1") \
  X(float, mat_roughness,           nmat,            1,                 COMPILE, "roughness, or -1") \
  X(float, mat_rgba,                nmat,            4,                 COMPILE, "colour") \
  X(int,   pair_dim,                npair,           1,                 COMPILE, "dimensions of contact: 1, 3, 4 or 6") \
  X(int,   pair_geom1,              npair,           1,                 COMPILE, "first geom") \
  X(int,   pair_geom2,              npair,           1,                 COMPILE, "second geom") \
  X(int,   pair_signature,          npair,           1,                 COMPILE, "the two bodies: (body1 << 16) + body2") \
  X(real,  pair_solref,             npair,           snNREF,            COMPILE, "time constant and damping ratio (or -stiffness, -damping) of the normal") \
  X(real,  pair_solreffriction,     npair,           snNREF,            COMPILE, "time constant and damping ratio (or -stiffness, -damping) of friction") \
  X(real,  pair_solimp,             npair,           snNIMP,            COMPILE, "impedance d0, dmax, width, midpoint, power of contact") \
  X(real,  pair_margin,             npair,           1,                 COMPILE, "distance below which contacts are found") \
  X(real,  pair_gap,                npair,           1,                 COMPILE, "part of the margin without force") \
  X(real,  pair_friction,           npair,           5,                 COMPILE, "tangent 1, tangent 2, spin, roll 1, roll 2") \
  X(int,   exclude_signature,       nexclude,        1,                 COMPILE, "the two bodies: (body1 << 16) + body2") \
  X(int,   eq_type,                 neq,             1,                 COMPILE, "connect, weld, joint, tendon or flex (snEq)") \
  X(int,   eq_obj1id,               neq,             1,                 COMPILE, "first object") \
  X(int,   eq_obj2id,               neq,             1,                 COMPILE, "second object, or -1") \
  X(int,   eq_objtype,              neq,             1,                 COMPILE, "type of the objects (snObj)") \
  X(byte,  eq_active0,              neq,             1,                 COMPILE, "is active at reset") \
  X(real,  eq_solref,               neq,             snNREF,            COMPILE, "time constant and damping ratio (or -stiffness, -damping) of the constraint") \
  X(real,  eq_solimp,               neq,             snNIMP,            COMPILE, "impedance d0, dmax, width, midpoint, power of the constraint") \
  X(real,  eq_data,                 neq,             snNEQDATA,         CONST,   "anchors, relative pose or polynomial, by type") \
  X(int,   tendon_adr,              ntendon,         1,                 COMPILE, "first piece of the path") \
  X(int,   tendon_num,              ntendon,         1,                 COMPILE, "pieces of the path") \
  X(int,   tendon_matid,            ntendon,         1,                 COMPILE, "material, or -1") \
  X(int,   tendon_group,            ntendon,         1,                 COMPILE, "group for visibility") \
  X(int,   tendon_treenum,          ntendon,         1,                 CONST,   "kinematic trees along the path") \
  X(int,   tendon_treeid,           ntendon,         2,                 CONST,   "the first two trees, or -1") \
  X(byte,  tendon_limited,          ntendon,         1,                 COMPILE, "has a range") \
  X(byte,  tendon_actfrclimited,    ntendon,         1,                 COMPILE, "actuator force on it is clamped") \
  X(real,  tendon_width,            ntendon,         1,                 COMPILE, "width for rendering") \
  X(real,  tendon_solref_lim,       ntendon,         snNREF,            COMPILE, "time constant and damping ratio (or -stiffness, -damping) of the limit") \
  X(real,  tendon_solimp_lim,       ntendon,         snNIMP,            COMPILE, "impedance d0, dmax, width, midpoint, power of the limit") \
  X(real,  tendon_solref_fri,       ntendon,         snNREF,            COMPILE, "time constant and damping ratio (or -stiffness, -damping) of friction") \
  X(real,  tendon_solimp_fri,       ntendon,         snNIMP,            COMPILE, "impedance d0, dmax, width, midpoint, power of friction") \
  X(real,  tendon_range,            ntendon,         2,                 COMPILE, "limits of length") \
  X(real,  tendon_actfrcrange,      ntendon,         2,                 COMPILE, "limits of the total actuator force") \
  X(real,  tendon_margin,           ntendon,         1,                 COMPILE, "distance at which the limit becomes active") \
  X(real,  tendon_stiffness,        ntendon,         1,                 COMPILE, "spring stiffness") \
  X(real,  tendon_damping,          ntendon,         1,                 COMPILE, "viscous damping") \
  X(real,  tendon_armature,         ntendon,         1,                 COMPILE, "inertia of the length's change") \
  X(real,  tendon_frictionloss,     ntendon,         1,                 COMPILE, "dry friction force") \
  X(real,  tendon_lengthspring,     ntendon,         2,                 CONST,   "lengths between which the spring is slack; -1 -1 becomes the length in qpos_spring") \
  X(real,  tendon_length0,          ntendon,         1,                 CONST,   "length in qpos0") \
  X(real,  tendon_invweight0,       ntendon,         1,                 CONST,   "inverse inertia along the tendon in qpos0") \
  X(real,  tendon_user,             ntendon,         SN_M(nuser_tendon), COMPILE, "user numbers") \
  X(float, tendon_rgba,             ntendon,         4,                 COMPILE, "colour") \
  X(int,   wrap_type,               nwrap,           1,                 COMPILE, "joint, pulley, site, sphere or cylinder (snWrap)") \
  X(int,   wrap_objid,              nwrap,           1,                 COMPILE, "the object, or -1") \
  X(real,  wrap_prm,                nwrap,           1,                 COMPILE, "coefficient, divisor, or side site") \
  X(int,   actuator_trntype,        nu,              1,                 COMPILE, "what it pulls at (snTrn)") \
  X(int,   actuator_dyntype,        nu,              1,                 COMPILE, "dynamics of activation (snDyn)") \
  X(int,   actuator_gaintype,       nu,              1,                 COMPILE, "law of the gain (snGain)") \
  X(int,   actuator_biastype,       nu,              1,                 COMPILE, "law of the bias (snBias)") \
  X(int,   actuator_trnid,          nu,              2,                 COMPILE, "the objects it pulls at, or -1") \
  X(int,   actuator_actadr,         nu,              1,                 COMPILE, "first activation, or -1") \
  X(int,   actuator_actnum,         nu,              1,                 COMPILE, "number of activations") \
  X(int,   actuator_group,          nu,              1,                 COMPILE, "group, for switching off") \
  X(int,   actuator_history,        nu,              2,                 COMPILE, "samples in the delay buffer, interpolation order") \
  X(int,   actuator_historyadr,     nu,              1,                 COMPILE, "start of the delay buffer, or -1") \
  X(real,  actuator_delay,          nu,              1,                 COMPILE, "delay of the control") \
  X(byte,  actuator_ctrllimited,    nu,              1,                 COMPILE, "control is clamped") \
  X(byte,  actuator_forcelimited,   nu,              1,                 COMPILE, "force is clamped") \
  X(byte,  actuator_actlimited,     nu,              1,                 COMPILE, "activation is clamped") \
  X(real,  actuator_dynprm,         nu,              snNDYN,            COMPILE, "parameters of the dynamics") \
  X(real,  actuator_gainprm,        nu,              snNGAIN,           COMPILE, "parameters of the gain") \
  X(real,  actuator_biasprm,        nu,              snNBIAS,           CONST,   "parameters of the bias; a positive damping ratio becomes damping") \
  X(byte,  actuator_actearly,       nu,              1,                 COMPILE, "force uses the next activation") \
  X(real,  actuator_ctrlrange,      nu,              2,                 COMPILE, "limits of control") \
  X(real,  actuator_forcerange,     nu,              2,                 COMPILE, "limits of force") \
  X(real,  actuator_actrange,       nu,              2,                 COMPILE, "limits of activation") \
  X(real,  actuator_gear,           nu,              6,                 COMPILE, "scaling of length, or direction of the wrench") \
  X(real,  actuator_cranklength,    nu,              1,                 COMPILE, "length of the crank") \
  X(real,  actuator_acc0,           nu,              1,                 CONST,   "acceleration by a unit force in qpos0") \
  X(real,  actuator_length0,        nu,              1,                 CONST,   "length in qpos0") \
  X(real,  actuator_lengthrange,    nu,              2,                 COMPILE, "shortest and longest length") \
  X(real,  actuator_user,           nu,              SN_M(nuser_actuator), COMPILE, "user numbers") \
  X(int,   actuator_plugin,         nu,              1,                 COMPILE, "plugin instance, or -1") \
  X(int,   sensor_type,             nsensor,         1,                 COMPILE, "what it measures (snSensor)") \
  X(int,   sensor_datatype,         nsensor,         1,                 COMPILE, "kind of number: real, positive, axis, quaternion") \
  X(int,   sensor_needstage,        nsensor,         1,                 COMPILE, "stage after which it can be computed") \
  X(int,   sensor_objtype,          nsensor,         1,                 COMPILE, "type of the object") \
  X(int,   sensor_objid,            nsensor,         1,                 COMPILE, "the object, or -1") \
  X(int,   sensor_reftype,          nsensor,         1,                 COMPILE, "type of the reference frame") \
  X(int,   sensor_refid,            nsensor,         1,                 COMPILE, "the reference, or -1") \
  X(int,   sensor_intprm,           nsensor,         snNSENS,           COMPILE, "integer parameters by type") \
  X(int,   sensor_dim,              nsensor,         1,                 COMPILE, "numbers that it gives") \
  X(int,   sensor_adr,              nsensor,         1,                 COMPILE, "first number in sensordata") \
  X(real,  sensor_cutoff,           nsensor,         1,                 COMPILE, "bound of the result, 0: none") \
  X(real,  sensor_noise,            nsensor,         1,                 COMPILE, "standard deviation, for information") \
  X(int,   sensor_history,          nsensor,         2,                 COMPILE, "samples in the delay buffer, interpolation order") \
  X(int,   sensor_historyadr,       nsensor,         1,                 COMPILE, "start of the delay buffer, or -1") \
  X(real,  sensor_delay,            nsensor,         1,                 COMPILE, "delay of the result") \
  X(real,  sensor_interval,         nsensor,         2,                 COMPILE, "period and phase of sampling") \
  X(real,  sensor_user,             nsensor,         SN_M(nuser_sensor), COMPILE, "user numbers") \
  X(int,   sensor_plugin,           nsensor,         1,                 COMPILE, "plugin instance, or -1") \
  X(int,   plugin,                  nplugin,         1,                 COMPILE, "slot of the plugin") \
  X(int,   plugin_stateadr,         nplugin,         1,                 COMPILE, "first number of the state") \
  X(int,   plugin_statenum,         nplugin,         1,                 COMPILE, "numbers of the state") \
  X(char,  plugin_attr,             npluginattr,     1,                 COMPILE, "settings, zero-terminated texts") \
  X(int,   plugin_attradr,          nplugin,         1,                 COMPILE, "first byte of the settings") \
  X(int,   numeric_adr,             nnumeric,        1,                 COMPILE, "first number") \
  X(int,   numeric_size,            nnumeric,        1,                 COMPILE, "count of numbers") \
  X(real,  numeric_data,            nnumericdata,    1,                 COMPILE, "numbers") \
  X(int,   text_adr,                ntext,           1,                 COMPILE, "first byte") \
  X(int,   text_size,               ntext,           1,                 COMPILE, "bytes, the zero included") \
  X(char,  text_data,               ntextdata,       1,                 COMPILE, "texts") \
  X(int,   tuple_adr,               ntuple,          1,                 COMPILE, "first member") \
  X(int,   tuple_size,              ntuple,          1,                 COMPILE, "count of members") \
  X(int,   tuple_objtype,           ntupledata,      1,                 COMPILE, "type of a member") \
  X(int,   tuple_objid,             ntupledata,      1,                 COMPILE, "the member") \
  X(real,  tuple_objprm,            ntupledata,      1,                 COMPILE, "number of a member") \
  X(real,  key_time,                nkey,            1,                 COMPILE, "time") \
  X(real,  key_qpos,                nkey,            SN_M(nq),          COMPILE, "positions") \
  X(real,  key_qvel,                nkey,            SN_M(nv),          COMPILE, "velocities") \
  X(real,  key_act,                 nkey,            SN_M(na),          COMPILE, "activations") \
  X(real,  key_mpos,                nkey,            SN_M(nmocap)*3,    COMPILE, "positions of mocap bodies") \
  X(real,  key_mquat,               nkey,            SN_M(nmocap)*4,    COMPILE, "orientations of mocap bodies") \
  X(real,  key_ctrl,                nkey,            SN_M(nu),          COMPILE, "controls") \
  X(int,   name_bodyadr,            nbody,           1,                 COMPILE, "addresses of the names of bodies") \
  X(int,   name_jntadr,             njnt,            1,                 COMPILE, "addresses of the names of joints") \
  X(int,   name_geomadr,            ngeom,           1,                 COMPILE, "addresses of the names of geoms") \
  X(int,   name_siteadr,            nsite,           1,                 COMPILE, "addresses of the names of sites") \
  X(int,   name_camadr,             ncam,            1,                 COMPILE, "addresses of the names of cameras") \
  X(int,   name_lightadr,           nlight,          1,                 COMPILE, "addresses of the names of lights") \
  X(int,   name_flexadr,            nflex,           1,                 COMPILE, "addresses of the names of flexes") \
  X(int,   name_meshadr,            nmesh,           1,                 COMPILE, "addresses of the names of meshes") \
  X(int,   name_skinadr,            nskin,           1,                 COMPILE, "addresses of the names of skins") \
  X(int,   name_hfieldadr,          nhfield,         1,                 COMPILE, "addresses of the names of height fields") \
  X(int,   name_texadr,             ntex,            1,                 COMPILE, "addresses of the names of textures") \
  X(int,   name_matadr,             nmat,            1,                 COMPILE, "addresses of the names of materials") \
  X(int,   name_pairadr,            npair,           1,                 COMPILE, "addresses of the names of pairs") \
  X(int,   name_excludeadr,         nexclude,        1,                 COMPILE, "addresses of the names of exclusions") \
  X(int,   name_eqadr,              neq,             1,                 COMPILE, "addresses of the names of equalities") \
  X(int,   name_tendonadr,          ntendon,         1,                 COMPILE, "addresses of the names of tendons") \
  X(int,   name_actuatoradr,        nu,              1,                 COMPILE, "addresses of the names of actuators") \
  X(int,   name_sensoradr,          nsensor,         1,                 COMPILE, "addresses of the names of sensors") \
  X(int,   name_numericadr,         nnumeric,        1,                 COMPILE, "addresses of the names of numeric fields") \
  X(int,   name_textadr,            ntext,           1,                 COMPILE, "addresses of the names of texts") \
  X(int,   name_tupleadr,           ntuple,          1,                 COMPILE, "addresses of the names of tuples") \
  X(int,   name_keyadr,             nkey,            1,                 COMPILE, "addresses of the names of keyframes") \
  X(int,   name_pluginadr,          nplugin,         1,                 COMPILE, "addresses of the names of plugin instances") \
  X(char,  names,                   nnames,          1,                 COMPILE, "all names, zero-terminated; the model's first") \
  X(int,   names_map,               nnames_map,      1,                 COMPILE, "hash tables from names to ids") \
  X(char,  paths,                   npaths,          1,                 COMPILE, "paths of assets, zero-terminated") \
  X(int,   B_rownnz,                nbody,           1,                 COMPILE, "dofs that move a body") \
  X(int,   B_rowadr,                nbody,           1,                 COMPILE, "first entry of a body in B_colind") \
  X(int,   B_colind,                nB,              1,                 COMPILE, "dofs by body") \
  X(int,   M_rownnz,                nv,              1,                 COMPILE, "entries of a row of M") \
  X(int,   M_rowadr,                nv,              1,                 COMPILE, "address of a row of M") \
  X(int,   M_colind,                nC,              1,                 COMPILE, "columns of M") \
  X(int,   mapM2M,                  nC,              1,                 COMPILE, "entry of qM for each entry of M") \
  X(int,   D_rownnz,                nv,              1,                 COMPILE, "entries of a row of D") \
  X(int,   D_rowadr,                nv,              1,                 COMPILE, "address of a row of D") \
  X(int,   D_diag,                  nv,              1,                 COMPILE, "place of the diagonal in a row of D, from the start of the row") \
  X(int,   D_colind,                nD,              1,                 COMPILE, "columns of D") \
  X(int,   mapM2D,                  nD,              1,                 COMPILE, "entry of M for each entry of D") \
  X(int,   mapD2M,                  nC,              1,                 COMPILE, "entry of D for each entry of M") \
  /* not in MuJoCo: laws of flexes, and lists by which vertices, edges and dofs collect their forces */ \
  X(int,   flex_elasticmodel,       nflex,           1,                 COMPILE, "law of stretch, 0: St Venant-Kirchhoff") \
  X(int,   flex_bendingmodel,       nflex,           1,                 COMPILE, "law of bending, 0: cotangent formula") \
  X(int,   flexedge_elemadr,        nflexedge,       1,                 COMPILE, "first entry of the edge in flexedge_elem") \
  X(int,   flexedge_elemnum,        nflexedge,       1,                 COMPILE, "elements that have the edge") \
  X(int,   flexedge_elem,           nflexelemedge,   1,                 COMPILE, "entries of flex_elemedge that name the edge, ascending") \
  X(int,   flexvert_edgeadr,        nflexvert,       1,                 COMPILE, "first entry of the vertex in flexvert_edge") \
  X(int,   flexvert_edgenum,        nflexvert,       1,                 COMPILE, "edges that end at the vertex") \
  X(int,   flexvert_edge,           nflexedge,       2,                 COMPILE, "entries of flex_edge that name the vertex, ascending") \
  X(int,   flexvert_flapadr,        nflexvert,       1,                 COMPILE, "first entry of the vertex in flexvert_flap") \
  X(int,   flexvert_flapnum,        nflexvert,       1,                 COMPILE, "flaps that bend at the vertex") \
  X(int,   flexvert_flap,           nflexedge,       4,                 COMPILE, "four times the edge of a flap plus the vertex's place in it, ascending") \
  X(int,   flexdof_vertadr,         nv,              1,                 COMPILE, "first entry of the dof in flexdof_vert") \
  X(int,   flexdof_vertnum,         nv,              1,                 COMPILE, "vertices that the dof moves") \
  X(int,   flexdof_vert,            nJfv,            1,                 COMPILE, "vertices that a dof moves, ascending") \
  X(int,   flexedge_JT_rownnz,      nv,              1,                 COMPILE, "entries of a column of flexedge_J") \
  X(int,   flexedge_JT_rowadr,      nv,              1,                 COMPILE, "first entry of the column in flexedge_JT_colind") \
  X(int,   flexedge_JT_colind,      nJfe,            1,                 COMPILE, "edges whose rows have an entry in the column, ascending") \
  X(int,   flexedge_JT_place,       nJfe,            1,                 COMPILE, "places of these entries in flexedge_J")
// clang-format on

#endif  // SINEW_MODEL_FIELDS_H_
