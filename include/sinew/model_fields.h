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
  X(nq,              "") \
  X(nv,              "") \
  X(nu,              "") \
  X(na,              "") \
  X(nbody,           "") \
  X(nbvh,            "") \
  X(nbvhstatic,      "") \
  X(nbvhdynamic,     "") \
  X(noct,            "") \
  X(njnt,            "") \
  X(ntree,           "") \
  X(nM,              "") \
  X(nB,              "") \
  X(nC,              "") \
  X(nD,              "") \
  X(ngeom,           "") \
  X(nsite,           "") \
  X(ncam,            "") \
  X(nlight,          "") \
  X(nflex,           "") \
  X(nflexnode,       "") \
  X(nflexvert,       "") \
  X(nflexedge,       "") \
  X(nflexelem,       "") \
  X(nflexelemdata,   "") \
  X(nflexelemedge,   "") \
  X(nflexshelldata,  "") \
  X(nflexevpair,     "") \
  X(nflextexcoord,   "") \
  X(nJfe,            "") \
  X(nJfv,            "") \
  X(nmesh,           "") \
  X(nmeshvert,       "") \
  X(nmeshnormal,     "") \
  X(nmeshtexcoord,   "") \
  X(nmeshface,       "") \
  X(nmeshgraph,      "") \
  X(nmeshpoly,       "") \
  X(nmeshpolyvert,   "") \
  X(nmeshpolymap,    "") \
  X(nskin,           "") \
  X(nskinvert,       "") \
  X(nskintexvert,    "") \
  X(nskinface,       "") \
  X(nskinbone,       "") \
  X(nskinbonevert,   "") \
  X(nhfield,         "") \
  X(nhfielddata,     "") \
  X(ntex,            "") \
  X(ntexdata,        "") \
  X(nmat,            "") \
  X(npair,           "") \
  X(nexclude,        "") \
  X(neq,             "") \
  X(ntendon,         "") \
  X(nwrap,           "") \
  X(nsensor,         "") \
  X(nnumeric,        "") \
  X(nnumericdata,    "") \
  X(ntext,           "") \
  X(ntextdata,       "") \
  X(ntuple,          "") \
  X(ntupledata,      "") \
  X(nkey,            "") \
  X(nmocap,          "") \
  X(nplugin,         "") \
  X(npluginattr,     "") \
  X(nuser_body,      "") \
  X(nuser_jnt,       "") \
  X(nuser_geom,      "") \
  X(nuser_site,      "") \
  X(nuser_cam,       "") \
  X(nuser_tendon,    "") \
  X(nuser_actuator,  "") \
  X(nuser_sensor,    "") \
  X(nnames,          "") \
  X(npaths,          "") \
  X(nnames_map,      "") \
  X(nJmom,           "") \
  X(ngravcomp,       "") \
  X(nemax,           "") \
  X(njmax,           "") \
  X(nconmax,         "") \
  X(nuserdata,       "") \
  X(nsensordata,     "") \
  X(npluginstate,    "") \
  X(nhistory,        "") \
  X(narena,          "") \
  X(nbuffer,         "")

#define SN_MODEL_FIELDS(X) \
  X(real,  qpos0,                   nq,              1,                 COMPILE, "") \
  X(real,  qpos_spring,             nq,              1,                 CONST,   "") \
  X(int,   body_parentid,           nbody,           1,                 COMPILE, "") \
  X(int,   body_rootid,             nbody,           1,                 COMPILE, "") \
  X(int,   body_weldid,             nbody,           1,                 COMPILE, "") \
  X(int,   body_mocapid,            nbody,           1,                 COMPILE, "") \
  X(int,   body_jntnum,             nbody,           1,                 COMPILE, "") \
  X(int,   body_jntadr,             nbody,           1,                 COMPILE, "") \
  X(int,   body_dofnum,             nbody,           1,                 COMPILE, "") \
  X(int,   body_dofadr,             nbody,           1,                 COMPILE, "") \
  X(int,   body_treeid,             nbody,           1,                 COMPILE, "") \
  X(int,   body_geomnum,            nbody,           1,                 COMPILE, "") \
  X(int,   body_geomadr,            nbody,           1,                 COMPILE, "") \
  X(byte,  body_simple,             nbody,           1,                 COMPILE, "") \
  X(byte,  body_sameframe,          nbody,           1,                 COMPILE, "") \
  X(real,  body_pos,                nbody,           3,                 COMPILE, "") \
  X(real,  body_quat,               nbody,           4,                 COMPILE, "") \
  X(real,  body_ipos,               nbody,           3,                 COMPILE, "") \
  X(real,  body_iquat,              nbody,           4,                 COMPILE, "") \
  X(real,  body_mass,               nbody,           1,                 COMPILE, "") \
  X(real,  body_subtreemass,        nbody,           1,                 CONST,   "") \
  X(real,  body_inertia,            nbody,           3,                 COMPILE, "") \
  X(real,  body_invweight0,         nbody,           2,                 CONST,   "") \
  X(real,  body_gravcomp,           nbody,           1,                 COMPILE, "") \
  X(real,  body_margin,             nbody,           1,                 COMPILE, "") \
  X(real,  body_user,               nbody,           SN_M(nuser_body),  COMPILE, "") \
  X(int,   body_plugin,             nbody,           1,                 COMPILE, "") \
  X(int,   body_contype,            nbody,           1,                 COMPILE, "") \
  X(int,   body_conaffinity,        nbody,           1,                 COMPILE, "") \
  X(int,   body_bvhadr,             nbody,           1,                 COMPILE, "") \
  X(int,   body_bvhnum,             nbody,           1,                 COMPILE, "") \
  X(int,   bvh_depth,               nbvh,            1,                 COMPILE, "") \
  X(int,   bvh_child,               nbvh,            2,                 COMPILE, "") \
  X(int,   bvh_nodeid,              nbvh,            1,                 COMPILE, "") \
  X(real,  bvh_aabb,                nbvhstatic,      6,                 COMPILE, "") \
  X(int,   oct_depth,               noct,            1,                 COMPILE, "") \
  X(int,   oct_child,               noct,            8,                 COMPILE, "") \
  X(real,  oct_aabb,                noct,            6,                 COMPILE, "") \
  X(real,  oct_coeff,               noct,            8,                 COMPILE, "") \
  X(int,   jnt_type,                njnt,            1,                 COMPILE, "") \
  X(int,   jnt_qposadr,             njnt,            1,                 COMPILE, "") \
  X(int,   jnt_dofadr,              njnt,            1,                 COMPILE, "") \
  X(int,   jnt_bodyid,              njnt,            1,                 COMPILE, "") \
  X(int,   jnt_group,               njnt,            1,                 COMPILE, "") \
  X(byte,  jnt_limited,             njnt,            1,                 COMPILE, "") \
  X(byte,  jnt_actfrclimited,       njnt,            1,                 COMPILE, "") \
  X(byte,  jnt_actgravcomp,         njnt,            1,                 COMPILE, "") \
  X(real,  jnt_solref,              njnt,            snNREF,            COMPILE, "") \
  X(real,  jnt_solimp,              njnt,            snNIMP,            COMPILE, "") \
  X(real,  jnt_pos,                 njnt,            3,                 COMPILE, "") \
  X(real,  jnt_axis,                njnt,            3,                 COMPILE, "") \
  X(real,  jnt_stiffness,           njnt,            1,                 COMPILE, "") \
  X(real,  jnt_range,               njnt,            2,                 COMPILE, "") \
  X(real,  jnt_actfrcrange,         njnt,            2,                 COMPILE, "") \
  X(real,  jnt_margin,              njnt,            1,                 COMPILE, "") \
  X(real,  jnt_user,                njnt,            SN_M(nuser_jnt),   COMPILE, "") \
  X(int,   dof_bodyid,              nv,              1,                 COMPILE, "") \
  X(int,   dof_jntid,               nv,              1,                 COMPILE, "") \
  X(int,   dof_parentid,            nv,              1,                 COMPILE, "") \
  X(int,   dof_treeid,              nv,              1,                 COMPILE, "") \
  X(int,   dof_Madr,                nv,              1,                 COMPILE, "") \
  X(int,   dof_simplenum,           nv,              1,                 COMPILE, "") \
  X(real,  dof_solref,              nv,              snNREF,            COMPILE, "") \
  X(real,  dof_solimp,              nv,              snNIMP,            COMPILE, "") \
  X(real,  dof_frictionloss,        nv,              1,                 COMPILE, "") \
  X(real,  dof_armature,            nv,              1,                 COMPILE, "") \
  X(real,  dof_damping,             nv,              1,                 COMPILE, "") \
  X(real,  dof_invweight0,          nv,              1,                 CONST,   "") \
  X(real,  dof_M0,                  nv,              1,                 CONST,   "") \
  X(real,  dof_length,              nv,              1,                 CONST,   "") \
  X(int,   tree_bodyadr,            ntree,           1,                 COMPILE, "") \
  X(int,   tree_bodynum,            ntree,           1,                 COMPILE, "") \
  X(int,   tree_dofadr,             ntree,           1,                 COMPILE, "") \
  X(int,   tree_dofnum,             ntree,           1,                 COMPILE, "") \
  X(int,   tree_sleep_policy,       ntree,           1,                 CONST,   "") \
  X(int,   geom_type,               ngeom,           1,                 COMPILE, "") \
  X(int,   geom_contype,            ngeom,           1,                 COMPILE, "") \
  X(int,   geom_conaffinity,        ngeom,           1,                 COMPILE, "") \
  X(int,   geom_condim,             ngeom,           1,                 COMPILE, "") \
  X(int,   geom_bodyid,             ngeom,           1,                 COMPILE, "") \
  X(int,   geom_dataid,             ngeom,           1,                 COMPILE, "") \
  X(int,   geom_matid,              ngeom,           1,                 COMPILE, "") \
  X(int,   geom_group,              ngeom,           1,                 COMPILE, "") \
  X(int,   geom_priority,           ngeom,           1,                 COMPILE, "") \
  X(int,   geom_plugin,             ngeom,           1,                 COMPILE, "") \
  X(byte,  geom_sameframe,          ngeom,           1,                 COMPILE, "") \
  X(real,  geom_solmix,             ngeom,           1,                 COMPILE, "") \
  X(real,  geom_solref,             ngeom,           snNREF,            COMPILE, "") \
  X(real,  geom_solimp,             ngeom,           snNIMP,            COMPILE, "") \
  X(real,  geom_size,               ngeom,           3,                 COMPILE, "") \
  X(real,  geom_aabb,               ngeom,           6,                 COMPILE, "") \
  X(real,  geom_rbound,             ngeom,           1,                 COMPILE, "") \
  X(real,  geom_pos,                ngeom,           3,                 COMPILE, "") \
  X(real,  geom_quat,               ngeom,           4,                 COMPILE, "") \
  X(real,  geom_friction,           ngeom,           3,                 COMPILE, "") \
  X(real,  geom_margin,             ngeom,           1,                 COMPILE, "") \
  X(real,  geom_gap,                ngeom,           1,                 COMPILE, "") \
  X(real,  geom_fluid,              ngeom,           snNFLUID,          COMPILE, "") \
  X(real,  geom_user,               ngeom,           SN_M(nuser_geom),  COMPILE, "") \
  X(float, geom_rgba,               ngeom,           4,                 COMPILE, "") \
  X(int,   site_type,               nsite,           1,                 COMPILE, "") \
  X(int,   site_bodyid,             nsite,           1,                 COMPILE, "") \
  X(int,   site_matid,              nsite,           1,                 COMPILE, "") \
  X(int,   site_group,              nsite,           1,                 COMPILE, "") \
  X(byte,  site_sameframe,          nsite,           1,                 COMPILE, "") \
  X(real,  site_size,               nsite,           3,                 COMPILE, "") \
  X(real,  site_pos,                nsite,           3,                 COMPILE, "") \
  X(real,  site_quat,               nsite,           4,                 COMPILE, "") \
  X(real,  site_user,               nsite,           SN_M(nuser_site),  COMPILE, "") \
  X(float, site_rgba,               nsite,           4,                 COMPILE, "") \
  X(int,   cam_mode,                ncam,            1,                 COMPILE, "") \
  X(int,   cam_bodyid,              ncam,            1,                 COMPILE, "") \
  X(int,   cam_targetbodyid,        ncam,            1,                 COMPILE, "") \
  X(real,  cam_pos,                 ncam,            3,                 COMPILE, "") \
  X(real,  cam_quat,                ncam,            4,                 COMPILE, "") \
  X(real,  cam_poscom0,             ncam,            3,                 CONST,   "") \
  X(real,  cam_pos0,                ncam,            3,                 CONST,   "") \
  X(real,  cam_mat0,                ncam,            9,                 CONST,   "") \
  X(int,   cam_projection,          ncam,            1,                 COMPILE, "") \
  X(real,  cam_fovy,                ncam,            1,                 COMPILE, "") \
  X(real,  cam_ipd,                 ncam,            1,                 COMPILE, "") \
  X(int,   cam_resolution,          ncam,            2,                 COMPILE, "") \
  X(int,   cam_output,              ncam,            1,                 COMPILE, "") \
  X(float, cam_sensorsize,          ncam,            2,                 COMPILE, "") \
  X(float, cam_intrinsic,           ncam,            4,                 COMPILE, "") \
  X(real,  cam_user,                ncam,            SN_M(nuser_cam),   COMPILE, "") \
  X(int,   light_mode,              nlight,          1,                 COMPILE, "") \
  X(int,   light_bodyid,            nlight,          1,                 COMPILE, "") \
  X(int,   light_targetbodyid,      nlight,          1,                 COMPILE, "") \
  X(int,   light_type,              nlight,          1,                 COMPILE, "") \
  X(int,   light_texid,             nlight,          1,                 COMPILE, "") \
  X(byte,  light_castshadow,        nlight,          1,                 COMPILE, "") \
  X(float, light_bulbradius,        nlight,          1,                 COMPILE, "") \
  X(float, light_intensity,         nlight,          1,                 COMPILE, "") \
  X(float, light_range,             nlight,          1,                 COMPILE, "") \
  X(byte,  light_active,            nlight,          1,                 COMPILE, "") \
  X(real,  light_pos,               nlight,          3,                 COMPILE, "") \
  X(real,  light_dir,               nlight,          3,                 COMPILE, "") \
  X(real,  light_poscom0,           nlight,          3,                 CONST,   "") \
  X(real,  light_pos0,              nlight,          3,                 CONST,   "") \
  X(real,  light_dir0,              nlight,          3,                 CONST,   "") \
  X(float, light_attenuation,       nlight,          3,                 COMPILE, "") \
  X(float, light_cutoff,            nlight,          1,                 COMPILE, "") \
  X(float, light_exponent,          nlight,          1,                 COMPILE, "") \
  X(float, light_ambient,           nlight,          3,                 COMPILE, "") \
  X(float, light_diffuse,           nlight,          3,                 COMPILE, "") \
  X(float, light_specular,          nlight,          3,                 COMPILE, "") \
  X(int,   flex_contype,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_conaffinity,        nflex,           1,                 COMPILE, "") \
  X(int,   flex_condim,             nflex,           1,                 COMPILE, "") \
  X(int,   flex_priority,           nflex,           1,                 COMPILE, "") \
  X(real,  flex_solmix,             nflex,           1,                 COMPILE, "") \
  X(real,  flex_solref,             nflex,           snNREF,            COMPILE, "") \
  X(real,  flex_solimp,             nflex,           snNIMP,            COMPILE, "") \
  X(real,  flex_friction,           nflex,           3,                 COMPILE, "") \
  X(real,  flex_margin,             nflex,           1,                 COMPILE, "") \
  X(real,  flex_gap,                nflex,           1,                 COMPILE, "") \
  X(byte,  flex_internal,           nflex,           1,                 COMPILE, "") \
  X(int,   flex_selfcollide,        nflex,           1,                 COMPILE, "") \
  X(int,   flex_activelayers,       nflex,           1,                 COMPILE, "") \
  X(int,   flex_passive,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_dim,                nflex,           1,                 COMPILE, "") \
  X(int,   flex_matid,              nflex,           1,                 COMPILE, "") \
  X(int,   flex_group,              nflex,           1,                 COMPILE, "") \
  X(int,   flex_interp,             nflex,           1,                 COMPILE, "") \
  X(int,   flex_nodeadr,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_nodenum,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_vertadr,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_vertnum,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_edgeadr,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_edgenum,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_elemadr,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_elemnum,            nflex,           1,                 COMPILE, "") \
  X(int,   flex_elemdataadr,        nflex,           1,                 COMPILE, "") \
  X(int,   flex_elemedgeadr,        nflex,           1,                 COMPILE, "") \
  X(int,   flex_shellnum,           nflex,           1,                 COMPILE, "") \
  X(int,   flex_shelldataadr,       nflex,           1,                 COMPILE, "") \
  X(int,   flex_evpairadr,          nflex,           1,                 COMPILE, "") \
  X(int,   flex_evpairnum,          nflex,           1,                 COMPILE, "") \
  X(int,   flex_texcoordadr,        nflex,           1,                 COMPILE, "") \
  X(int,   flex_nodebodyid,         nflexnode,       1,                 COMPILE, "") \
  X(int,   flex_vertbodyid,         nflexvert,       1,                 COMPILE, "") \
  X(int,   flex_vertedgeadr,        nflexvert,       1,                 COMPILE, "") \
  X(int,   flex_vertedgenum,        nflexvert,       1,                 COMPILE, "") \
  X(int,   flex_vertedge,           nflexedge,       2,                 COMPILE, "") \
  X(int,   flex_edge,               nflexedge,       2,                 COMPILE, "") \
  X(int,   flex_edgeflap,           nflexedge,       2,                 COMPILE, "") \
  X(int,   flex_elem,               nflexelemdata,   1,                 COMPILE, "") \
  X(int,   flex_elemtexcoord,       nflexelemdata,   1,                 COMPILE, "") \
  X(int,   flex_elemedge,           nflexelemedge,   1,                 COMPILE, "") \
  X(int,   flex_elemlayer,          nflexelem,       1,                 COMPILE, "") \
  X(int,   flex_shell,              nflexshelldata,  1,                 COMPILE, "") \
  X(int,   flex_evpair,             nflexevpair,     2,                 COMPILE, "") \
  X(real,  flex_vert,               nflexvert,       3,                 COMPILE, "") \
  X(real,  flex_vert0,              nflexvert,       3,                 COMPILE, "") \
  X(real,  flex_vertmetric,         nflexvert,       4,                 COMPILE, "") \
  X(real,  flex_node,               nflexnode,       3,                 COMPILE, "") \
  X(real,  flex_node0,              nflexnode,       3,                 COMPILE, "") \
  X(real,  flexedge_length0,        nflexedge,       1,                 CONST,   "") \
  X(real,  flexedge_invweight0,     nflexedge,       1,                 CONST,   "") \
  X(real,  flex_radius,             nflex,           1,                 COMPILE, "") \
  X(real,  flex_size,               nflex,           3,                 COMPILE, "") \
  X(real,  flex_stiffness,          nflexelem,       21,                COMPILE, "") \
  X(real,  flex_bending,            nflexedge,       17,                COMPILE, "") \
  X(real,  flex_damping,            nflex,           1,                 COMPILE, "") \
  X(real,  flex_edgestiffness,      nflex,           1,                 COMPILE, "") \
  X(real,  flex_edgedamping,        nflex,           1,                 COMPILE, "") \
  X(int,   flex_edgeequality,       nflex,           1,                 COMPILE, "") \
  X(byte,  flex_rigid,              nflex,           1,                 COMPILE, "") \
  X(byte,  flexedge_rigid,          nflexedge,       1,                 COMPILE, "") \
  X(byte,  flex_centered,           nflex,           1,                 COMPILE, "") \
  X(byte,  flex_flatskin,           nflex,           1,                 COMPILE, "") \
  X(int,   flex_bvhadr,             nflex,           1,                 COMPILE, "") \
  X(int,   flex_bvhnum,             nflex,           1,                 COMPILE, "") \
  X(int,   flexedge_J_rownnz,       nflexedge,       1,                 COMPILE, "") \
  X(int,   flexedge_J_rowadr,       nflexedge,       1,                 COMPILE, "") \
  X(int,   flexedge_J_colind,       nJfe,            1,                 COMPILE, "") \
  X(int,   flexvert_J_rownnz,       nflexvert,       2,                 COMPILE, "") \
  X(int,   flexvert_J_rowadr,       nflexvert,       2,                 COMPILE, "") \
  X(int,   flexvert_J_colind,       nJfv,            2,                 COMPILE, "") \
  X(float, flex_rgba,               nflex,           4,                 COMPILE, "") \
  X(float, flex_texcoord,           nflextexcoord,   2,                 COMPILE, "") \
  X(int,   mesh_vertadr,            nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_vertnum,            nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_faceadr,            nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_facenum,            nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_bvhadr,             nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_bvhnum,             nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_octadr,             nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_octnum,             nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_normaladr,          nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_normalnum,          nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_texcoordadr,        nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_texcoordnum,        nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_graphadr,           nmesh,           1,                 COMPILE, "") \
  X(float, mesh_vert,               nmeshvert,       3,                 COMPILE, "") \
  X(float, mesh_normal,             nmeshnormal,     3,                 COMPILE, "") \
  X(float, mesh_texcoord,           nmeshtexcoord,   2,                 COMPILE, "") \
  X(int,   mesh_face,               nmeshface,       3,                 COMPILE, "") \
  X(int,   mesh_facenormal,         nmeshface,       3,                 COMPILE, "") \
  X(int,   mesh_facetexcoord,       nmeshface,       3,                 COMPILE, "") \
  X(int,   mesh_graph,              nmeshgraph,      1,                 COMPILE, "") \
  X(real,  mesh_scale,              nmesh,           3,                 COMPILE, "") \
  X(real,  mesh_pos,                nmesh,           3,                 COMPILE, "") \
  X(real,  mesh_quat,               nmesh,           4,                 COMPILE, "") \
  X(int,   mesh_pathadr,            nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_polynum,            nmesh,           1,                 COMPILE, "") \
  X(int,   mesh_polyadr,            nmesh,           1,                 COMPILE, "") \
  X(real,  mesh_polynormal,         nmeshpoly,       3,                 COMPILE, "") \
  X(int,   mesh_polyvertadr,        nmeshpoly,       1,                 COMPILE, "") \
  X(int,   mesh_polyvertnum,        nmeshpoly,       1,                 COMPILE, "") \
  X(int,   mesh_polyvert,           nmeshpolyvert,   1,                 COMPILE, "") \
  X(int,   mesh_polymapadr,         nmeshvert,       1,                 COMPILE, "") \
  X(int,   mesh_polymapnum,         nmeshvert,       1,                 COMPILE, "") \
  X(int,   mesh_polymap,            nmeshpolymap,    1,                 COMPILE, "") \
  X(int,   skin_matid,              nskin,           1,                 COMPILE, "") \
  X(int,   skin_group,              nskin,           1,                 COMPILE, "") \
  X(float, skin_rgba,               nskin,           4,                 COMPILE, "") \
  X(float, skin_inflate,            nskin,           1,                 COMPILE, "") \
  X(int,   skin_vertadr,            nskin,           1,                 COMPILE, "") \
  X(int,   skin_vertnum,            nskin,           1,                 COMPILE, "") \
  X(int,   skin_texcoordadr,        nskin,           1,                 COMPILE, "") \
  X(int,   skin_faceadr,            nskin,           1,                 COMPILE, "") \
  X(int,   skin_facenum,            nskin,           1,                 COMPILE, "") \
  X(int,   skin_boneadr,            nskin,           1,                 COMPILE, "") \
  X(int,   skin_bonenum,            nskin,           1,                 COMPILE, "") \
  X(float, skin_vert,               nskinvert,       3,                 COMPILE, "") \
  X(float, skin_texcoord,           nskintexvert,    2,                 COMPILE, "") \
  X(int,   skin_face,               nskinface,       3,                 COMPILE, "") \
  X(int,   skin_bonevertadr,        nskinbone,       1,                 COMPILE, "") \
  X(int,   skin_bonevertnum,        nskinbone,       1,                 COMPILE, "") \
  X(float, skin_bonebindpos,        nskinbone,       3,                 COMPILE, "") \
  X(float, skin_bonebindquat,       nskinbone,       4,                 COMPILE, "") \
  X(int,   skin_bonebodyid,         nskinbone,       1,                 COMPILE, "") \
  X(int,   skin_bonevertid,         nskinbonevert,   1,                 COMPILE, "") \
  X(float, skin_bonevertweight,     nskinbonevert,   1,                 COMPILE, "") \
  X(int,   skin_pathadr,            nskin,           1,                 COMPILE, "") \
  X(real,  hfield_size,             nhfield,         4,                 COMPILE, "") \
  X(int,   hfield_nrow,             nhfield,         1,                 COMPILE, "") \
  X(int,   hfield_ncol,             nhfield,         1,                 COMPILE, "") \
  X(int,   hfield_adr,              nhfield,         1,                 COMPILE, "") \
  X(float, hfield_data,             nhfielddata,     1,                 COMPILE, "") \
  X(int,   hfield_pathadr,          nhfield,         1,                 COMPILE, "") \
  X(int,   tex_type,                ntex,            1,                 COMPILE, "") \
  X(int,   tex_colorspace,          ntex,            1,                 COMPILE, "") \
  X(int,   tex_height,              ntex,            1,                 COMPILE, "") \
  X(int,   tex_width,               ntex,            1,                 COMPILE, "") \
  X(int,   tex_nchannel,            ntex,            1,                 COMPILE, "") \
  X(size,  tex_adr,                 ntex,            1,                 COMPILE, "") \
  X(byte,  tex_data,                ntexdata,        1,                 COMPILE, "") \
  X(int,   tex_pathadr,             ntex,            1,                 COMPILE, "") \
  X(int,   mat_texid,               nmat,            snNTEXROLE,        COMPILE, "") \
  X(byte,  mat_texuniform,          nmat,            1,                 COMPILE, "") \
  X(float, mat_texrepeat,           nmat,            2,                 COMPILE, "") \
  X(float, mat_emission,            nmat,            1,                 COMPILE, "") \
  X(float, mat_specular,            nmat,            1,                 COMPILE, "") \
  X(float, mat_shininess,           nmat,            1,                 COMPILE, "") \
  X(float, mat_reflectance,         nmat,            1,                 COMPILE, "") \
  X(float, mat_metallic,            nmat,            1,                 COMPILE, "") \
  X(float, mat_roughness,           nmat,            1,                 COMPILE, "") \
  X(float, mat_rgba,                nmat,            4,                 COMPILE, "") \
  X(int,   pair_dim,                npair,           1,                 COMPILE, "") \
  X(int,   pair_geom1,              npair,           1,                 COMPILE, "") \
  X(int,   pair_geom2,              npair,           1,                 COMPILE, "") \
  X(int,   pair_signature,          npair,           1,                 COMPILE, "") \
  X(real,  pair_solref,             npair,           snNREF,            COMPILE, "") \
  X(real,  pair_solreffriction,     npair,           snNREF,            COMPILE, "") \
  X(real,  pair_solimp,             npair,           snNIMP,            COMPILE, "") \
  X(real,  pair_margin,             npair,           1,                 COMPILE, "") \
  X(real,  pair_gap,                npair,           1,                 COMPILE, "") \
  X(real,  pair_friction,           npair,           5,                 COMPILE, "") \
  X(int,   exclude_signature,       nexclude,        1,                 COMPILE, "") \
  X(int,   eq_type,                 neq,             1,                 COMPILE, "") \
  X(int,   eq_obj1id,               neq,             1,                 COMPILE, "") \
  X(int,   eq_obj2id,               neq,             1,                 COMPILE, "") \
  X(int,   eq_objtype,              neq,             1,                 COMPILE, "") \
  X(byte,  eq_active0,              neq,             1,                 COMPILE, "") \
  X(real,  eq_solref,               neq,             snNREF,            COMPILE, "") \
  X(real,  eq_solimp,               neq,             snNIMP,            COMPILE, "") \
  X(real,  eq_data,                 neq,             snNEQDATA,         CONST,   "") \
  X(int,   tendon_adr,              ntendon,         1,                 COMPILE, "") \
  X(int,   tendon_num,              ntendon,         1,                 COMPILE, "") \
  X(int,   tendon_matid,            ntendon,         1,                 COMPILE, "") \
  X(int,   tendon_group,            ntendon,         1,                 COMPILE, "") \
  X(int,   tendon_treenum,          ntendon,         1,                 CONST,   "") \
  X(int,   tendon_treeid,           ntendon,         2,                 CONST,   "") \
  X(byte,  tendon_limited,          ntendon,         1,                 COMPILE, "") \
  X(byte,  tendon_actfrclimited,    ntendon,         1,                 COMPILE, "") \
  X(real,  tendon_width,            ntendon,         1,                 COMPILE, "") \
  X(real,  tendon_solref_lim,       ntendon,         snNREF,            COMPILE, "") \
  X(real,  tendon_solimp_lim,       ntendon,         snNIMP,            COMPILE, "") \
  X(real,  tendon_solref_fri,       ntendon,         snNREF,            COMPILE, "") \
  X(real,  tendon_solimp_fri,       ntendon,         snNIMP,            COMPILE, "") \
  X(real,  tendon_range,            ntendon,         2,                 COMPILE, "") \
  X(real,  tendon_actfrcrange,      ntendon,         2,                 COMPILE, "") \
  X(real,  tendon_margin,           ntendon,         1,                 COMPILE, "") \
  X(real,  tendon_stiffness,        ntendon,         1,                 COMPILE, "") \
  X(real,  tendon_damping,          ntendon,         1,                 COMPILE, "") \
  X(real,  tendon_armature,         ntendon,         1,                 COMPILE, "") \
  X(real,  tendon_frictionloss,     ntendon,         1,                 COMPILE, "") \
  X(real,  tendon_lengthspring,     ntendon,         2,                 CONST,   "") \
  X(real,  tendon_length0,          ntendon,         1,                 CONST,   "") \
  X(real,  tendon_invweight0,       ntendon,         1,                 CONST,   "") \
  X(real,  tendon_user,             ntendon,         SN_M(nuser_tendon), COMPILE, "") \
  X(float, tendon_rgba,             ntendon,         4,                 COMPILE, "") \
  X(int,   wrap_type,               nwrap,           1,                 COMPILE, "") \
  X(int,   wrap_objid,              nwrap,           1,                 COMPILE, "") \
  X(real,  wrap_prm,                nwrap,           1,                 COMPILE, "") \
  X(int,   actuator_trntype,        nu,              1,                 COMPILE, "") \
  X(int,   actuator_dyntype,        nu,              1,                 COMPILE, "") \
  X(int,   actuator_gaintype,       nu,              1,                 COMPILE, "") \
  X(int,   actuator_biastype,       nu,              1,                 COMPILE, "") \
  X(int,   actuator_trnid,          nu,              2,                 COMPILE, "") \
  X(int,   actuator_actadr,         nu,              1,                 COMPILE, "") \
  X(int,   actuator_actnum,         nu,              1,                 COMPILE, "") \
  X(int,   actuator_group,          nu,              1,                 COMPILE, "") \
  X(int,   actuator_history,        nu,              2,                 COMPILE, "") \
  X(int,   actuator_historyadr,     nu,              1,                 COMPILE, "") \
  X(real,  actuator_delay,          nu,              1,                 COMPILE, "") \
  X(byte,  actuator_ctrllimited,    nu,              1,                 COMPILE, "") \
  X(byte,  actuator_forcelimited,   nu,              1,                 COMPILE, "") \
  X(byte,  actuator_actlimited,     nu,              1,                 COMPILE, "") \
  X(real,  actuator_dynprm,         nu,              snNDYN,            COMPILE, "") \
  X(real,  actuator_gainprm,        nu,              snNGAIN,           COMPILE, "") \
  X(real,  actuator_biasprm,        nu,              snNBIAS,           CONST,   "") \
  X(byte,  actuator_actearly,       nu,              1,                 COMPILE, "") \
  X(real,  actuator_ctrlrange,      nu,              2,                 COMPILE, "") \
  X(real,  actuator_forcerange,     nu,              2,                 COMPILE, "") \
  X(real,  actuator_actrange,       nu,              2,                 COMPILE, "") \
  X(real,  actuator_gear,           nu,              6,                 COMPILE, "") \
  X(real,  actuator_cranklength,    nu,              1,                 COMPILE, "") \
  X(real,  actuator_acc0,           nu,              1,                 CONST,   "") \
  X(real,  actuator_length0,        nu,              1,                 CONST,   "") \
  X(real,  actuator_lengthrange,    nu,              2,                 COMPILE, "") \
  X(real,  actuator_user,           nu,              SN_M(nuser_actuator), COMPILE, "") \
  X(int,   actuator_plugin,         nu,              1,                 COMPILE, "") \
  X(int,   sensor_type,             nsensor,         1,                 COMPILE, "") \
  X(int,   sensor_datatype,         nsensor,         1,                 COMPILE, "") \
  X(int,   sensor_needstage,        nsensor,         1,                 COMPILE, "") \
  X(int,   sensor_objtype,          nsensor,         1,                 COMPILE, "") \
  X(int,   sensor_objid,            nsensor,         1,                 COMPILE, "") \
  X(int,   sensor_reftype,          nsensor,         1,                 COMPILE, "") \
  X(int,   sensor_refid,            nsensor,         1,                 COMPILE, "") \
  X(int,   sensor_intprm,           nsensor,         snNSENS,           COMPILE, "") \
  X(int,   sensor_dim,              nsensor,         1,                 COMPILE, "") \
  X(int,   sensor_adr,              nsensor,         1,                 COMPILE, "") \
  X(real,  sensor_cutoff,           nsensor,         1,                 COMPILE, "") \
  X(real,  sensor_noise,            nsensor,         1,                 COMPILE, "") \
  X(int,   sensor_history,          nsensor,         2,                 COMPILE, "") \
  X(int,   sensor_historyadr,       nsensor,         1,                 COMPILE, "") \
  X(real,  sensor_delay,            nsensor,         1,                 COMPILE, "") \
  X(real,  sensor_interval,         nsensor,         2,                 COMPILE, "") \
  X(real,  sensor_user,             nsensor,         SN_M(nuser_sensor), COMPILE, "") \
  X(int,   sensor_plugin,           nsensor,         1,                 COMPILE, "") \
  X(int,   plugin,                  nplugin,         1,                 COMPILE, "") \
  X(int,   plugin_stateadr,         nplugin,         1,                 COMPILE, "") \
  X(int,   plugin_statenum,         nplugin,         1,                 COMPILE, "") \
  X(char,  plugin_attr,             npluginattr,     1,                 COMPILE, "") \
  X(int,   plugin_attradr,          nplugin,         1,                 COMPILE, "") \
  X(int,   numeric_adr,             nnumeric,        1,                 COMPILE, "") \
  X(int,   numeric_size,            nnumeric,        1,                 COMPILE, "") \
  X(real,  numeric_data,            nnumericdata,    1,                 COMPILE, "") \
  X(int,   text_adr,                ntext,           1,                 COMPILE, "") \
  X(int,   text_size,               ntext,           1,                 COMPILE, "") \
  X(char,  text_data,               ntextdata,       1,                 COMPILE, "") \
  X(int,   tuple_adr,               ntuple,          1,                 COMPILE, "") \
  X(int,   tuple_size,              ntuple,          1,                 COMPILE, "") \
  X(int,   tuple_objtype,           ntupledata,      1,                 COMPILE, "") \
  X(int,   tuple_objid,             ntupledata,      1,                 COMPILE, "") \
  X(real,  tuple_objprm,            ntupledata,      1,                 COMPILE, "") \
  X(real,  key_time,                nkey,            1,                 COMPILE, "") \
  X(real,  key_qpos,                nkey,            SN_M(nq),          COMPILE, "") \
  X(real,  key_qvel,                nkey,            SN_M(nv),          COMPILE, "") \
  X(real,  key_act,                 nkey,            SN_M(na),          COMPILE, "") \
  X(real,  key_mpos,                nkey,            SN_M(nmocap)*3,    COMPILE, "") \
  X(real,  key_mquat,               nkey,            SN_M(nmocap)*4,    COMPILE, "") \
  X(real,  key_ctrl,                nkey,            SN_M(nu),          COMPILE, "") \
  X(int,   name_bodyadr,            nbody,           1,                 COMPILE, "") \
  X(int,   name_jntadr,             njnt,            1,                 COMPILE, "") \
  X(int,   name_geomadr,            ngeom,           1,                 COMPILE, "") \
  X(int,   name_siteadr,            nsite,           1,                 COMPILE, "") \
  X(int,   name_camadr,             ncam,            1,                 COMPILE, "") \
  X(int,   name_lightadr,           nlight,          1,                 COMPILE, "") \
  X(int,   name_flexadr,            nflex,           1,                 COMPILE, "") \
  X(int,   name_meshadr,            nmesh,           1,                 COMPILE, "") \
  X(int,   name_skinadr,            nskin,           1,                 COMPILE, "") \
  X(int,   name_hfieldadr,          nhfield,         1,                 COMPILE, "") \
  X(int,   name_texadr,             ntex,            1,                 COMPILE, "") \
  X(int,   name_matadr,             nmat,            1,                 COMPILE, "") \
  X(int,   name_pairadr,            npair,           1,                 COMPILE, "") \
  X(int,   name_excludeadr,         nexclude,        1,                 COMPILE, "") \
  X(int,   name_eqadr,              neq,             1,                 COMPILE, "") \
  X(int,   name_tendonadr,          ntendon,         1,                 COMPILE, "") \
  X(int,   name_actuatoradr,        nu,              1,                 COMPILE, "") \
  X(int,   name_sensoradr,          nsensor,         1,                 COMPILE, "") \
  X(int,   name_numericadr,         nnumeric,        1,                 COMPILE, "") \
  X(int,   name_textadr,            ntext,           1,                 COMPILE, "") \
  X(int,   name_tupleadr,           ntuple,          1,                 COMPILE, "") \
  X(int,   name_keyadr,             nkey,            1,                 COMPILE, "") \
  X(int,   name_pluginadr,          nplugin,         1,                 COMPILE, "") \
  X(char,  names,                   nnames,          1,                 COMPILE, "") \
  X(int,   names_map,               nnames_map,      1,                 COMPILE, "") \
  X(char,  paths,                   npaths,          1,                 COMPILE, "") \
  X(int,   B_rownnz,                nbody,           1,                 COMPILE, "") \
  X(int,   B_rowadr,                nbody,           1,                 COMPILE, "") \
  X(int,   B_colind,                nB,              1,                 COMPILE, "") \
  X(int,   M_rownnz,                nv,              1,                 COMPILE, "") \
  X(int,   M_rowadr,                nv,              1,                 COMPILE, "") \
  X(int,   M_colind,                nC,              1,                 COMPILE, "") \
  X(int,   mapM2M,                  nC,              1,                 COMPILE, "") \
  X(int,   D_rownnz,                nv,              1,                 COMPILE, "") \
  X(int,   D_rowadr,                nv,              1,                 COMPILE, "") \
  X(int,   D_diag,                  nv,              1,                 COMPILE, "") \
  X(int,   D_colind,                nD,              1,                 COMPILE, "") \
  X(int,   mapM2D,                  nD,              1,                 COMPILE, "") \
  X(int,   mapD2M,                  nC,              1,                 COMPILE, "")
// clang-format on

#endif  // SINEW_MODEL_FIELDS_H_
