// Attributes of everything that is stored as it is read.

#include "mjcf/schema_attr.h"

#include "mjcf/flexcomp.h"

// clang-format off

// ---- settings ----

#define T snsCompiler
const snAttr sn_attrCompiler[] = {
  KEY(T, "autolimits", autolimits, sn_mapBool),
  NUM(T, "boundmass", boundmass), NUM(T, "boundinertia", boundinertia),
  NUM(T, "settotalmass", settotalmass),
  KEY(T, "balanceinertia", balanceinertia, sn_mapBool),
  OWN_KEY("strippath", sn_mapBool), OWN_KEY("coordinate", sn_mapCoordinate),
  KEY(T, "angle", degree, sn_mapAngle),
  KEY(T, "fitaabb", fitaabb, sn_mapBool),
  OWN_TEXT("eulerseq"),
  OWN_TEXT("assetdir"), TEXT(T, "meshdir", meshdir), TEXT(T, "texturedir", texturedir),
  KEY(T, "discardvisual", discardvisual, sn_mapBool), KEY(T, "usethread", usethread, sn_mapBool),
  KEY(T, "fusestatic", fusestatic, sn_mapBool),
  KEY(T, "inertiafromgeom", inertiafromgeom, sn_mapTriState),
  NUM(T, "inertiagrouprange", inertiagrouprange),
  KEY(T, "saveinertial", saveinertial, sn_mapBool), KEY(T, "alignfree", alignfree, sn_mapBool),
  OWN_KEY("sinew:margins", sn_mapMargins),
  ENDROW};
#undef T

#define T snLROpt
const snAttr sn_attrLengthRange[] = {
  KEY(T, "mode", mode, sn_mapLRMode),
  KEY(T, "useexisting", useexisting, sn_mapBool), KEY(T, "uselimit", uselimit, sn_mapBool),
  NUM(T, "accel", accel), NUM(T, "maxforce", maxforce), NUM(T, "timeconst", timeconst),
  NUM(T, "timestep", timestep), NUM(T, "inttotal", inttotal), NUM(T, "interval", interval),
  NUM(T, "tolrange", tolrange), ENDROW};
#undef T

#define T snOption
const snAttr sn_attrOption[] = {
  NUM(T, "timestep", timestep), NUM(T, "impratio", impratio), NUM(T, "tolerance", tolerance),
  NUM(T, "ls_tolerance", ls_tolerance), NUM(T, "noslip_tolerance", noslip_tolerance),
  NUM(T, "ccd_tolerance", ccd_tolerance), NUM(T, "sleep_tolerance", sleep_tolerance),
  NUM(T, "gravity", gravity), NUM(T, "wind", wind), NUM(T, "magnetic", magnetic),
  NUM(T, "density", density), NUM(T, "viscosity", viscosity), NUM(T, "o_margin", o_margin),
  UPTO(T, "o_solref", o_solref), UPTO(T, "o_solimp", o_solimp), UPTO(T, "o_friction", o_friction),
  KEY(T, "integrator", integrator, sn_mapIntegrator), KEY(T, "cone", cone, sn_mapCone),
  KEY(T, "jacobian", jacobian, sn_mapJacobian), KEY(T, "solver", solver, sn_mapSolver),
  NUM(T, "iterations", iterations), NUM(T, "ls_iterations", ls_iterations),
  NUM(T, "noslip_iterations", noslip_iterations), NUM(T, "ccd_iterations", ccd_iterations),
  NUM(T, "sdf_iterations", sdf_iterations), NUM(T, "sdf_initpoints", sdf_initpoints),
  OWN("actuatorgroupdisable", snATTR_INT, 31, snATTR_UPTO, NULL),
  KEY(T, "sinew:solver", solver, sn_mapOwnSolver),
  OWN("sinew:xpbd_substeps", snATTR_INT, 1, 0, NULL),
  OWN("sinew:xpbd_compliance", snATTR_REAL, 1, 0, NULL),
  OWN("sinew:deformable_repeats", snATTR_INT, 1, 0, NULL), ENDROW};

#define OFF(name, bit) {name, snATTR_KEYWORD, 1, 0, sn_mapEnable, snSTORE_DISABLE, \
                        (int)offsetof(T, disableflags), snDSBL_##bit}
#define ON(name, bit) {name, snATTR_KEYWORD, 1, 0, sn_mapEnable, snSTORE_ENABLE, \
                       (int)offsetof(T, enableflags), snENBL_##bit}
const snAttr sn_attrFlag[] = {
  OFF("constraint", CONSTRAINT), OFF("equality", EQUALITY), OFF("frictionloss", FRICTIONLOSS),
  OFF("limit", LIMIT), OFF("contact", CONTACT), OFF("spring", SPRING), OFF("damper", DAMPER),
  OFF("gravity", GRAVITY), OFF("clampctrl", CLAMPCTRL), OFF("warmstart", WARMSTART),
  OFF("filterparent", FILTERPARENT), OFF("actuation", ACTUATION), OFF("refsafe", REFSAFE),
  OFF("sensor", SENSOR), OFF("midphase", MIDPHASE), OFF("eulerdamp", EULERDAMP),
  OFF("autoreset", AUTORESET), OFF("nativeccd", NATIVECCD), OFF("island", ISLAND),
  ON("override", OVERRIDE), ON("energy", ENERGY), ON("fwdinv", FWDINV),
  ON("invdiscrete", INVDISCRETE), ON("multiccd", MULTICCD), ON("sleep", SLEEP), OWN_KEY("passive", sn_mapEnable),
  ON("sinew:linear", LINEAR), ENDROW};
#undef T

#define T snSpec
const snAttr sn_attrSize[] = {
  ROW(T, "memory", snATTR_BYTES, 1, 0, NULL, memory),
  NUM(T, "njmax", njmax), NUM(T, "nconmax", nconmax), NUM(T, "nstack", nstack),
  NUM(T, "nuserdata", nuserdata), NUM(T, "nkey", nkey), NUM(T, "nuser_body", nuser_body),
  NUM(T, "nuser_jnt", nuser_jnt), NUM(T, "nuser_geom", nuser_geom), NUM(T, "nuser_site",
  nuser_site),
  NUM(T, "nuser_cam", nuser_cam), NUM(T, "nuser_tendon", nuser_tendon),
  NUM(T, "nuser_actuator", nuser_actuator), NUM(T, "nuser_sensor", nuser_sensor), ENDROW};
#undef T

#define T snStatistic
const snAttr sn_attrStatistic[] = {
  NUM(T, "meaninertia", meaninertia), NUM(T, "meanmass", meanmass), NUM(T, "meansize", meansize),
  NUM(T, "extent", extent), NUM(T, "center", center), ENDROW};
#undef T

#define T snVisual
#define V(section, field) NUM(T, #field, section.field)
const snAttr sn_attrVisualGlobal[] = {
  V(global, cameraid), KEY(T, "orthographic", global.orthographic, sn_mapBool), V(global, fovy),
  V(global, ipd), V(global, azimuth), V(global, elevation), V(global, linewidth), V(global, glow),
  V(global, realtime), V(global, offwidth), V(global, offheight),
  KEY(T, "ellipsoidinertia", global.ellipsoidinertia, sn_mapBool),
  KEY(T, "bvactive", global.bvactive, sn_mapBool), ENDROW};
const snAttr sn_attrVisualQuality[] = {
  V(quality, shadowsize), V(quality, offsamples), V(quality, numslices), V(quality, numstacks),
  V(quality, numquads), ENDROW};
const snAttr sn_attrVisualHeadlight[] = {
  V(headlight, ambient), V(headlight, diffuse), V(headlight, specular), V(headlight, active),
  ENDROW};
const snAttr sn_attrVisualMap[] = {
  V(map, stiffness), V(map, stiffnessrot), V(map, force), V(map, torque), V(map, alpha),
  V(map, fogstart), V(map, fogend), V(map, znear), V(map, zfar), V(map, haze), V(map, shadowclip),
  V(map, shadowscale), V(map, actuatortendon), ENDROW};
const snAttr sn_attrVisualScale[] = {
  V(scale, forcewidth), V(scale, contactwidth), V(scale, contactheight), V(scale, connect),
  V(scale, com), V(scale, camera), V(scale, light), V(scale, selectpoint), V(scale, jointlength),
  V(scale, jointwidth), V(scale, actuatorlength), V(scale, actuatorwidth), V(scale, framelength),
  V(scale, framewidth), V(scale, constraint), V(scale, slidercrank), V(scale, frustum), ENDROW};
const snAttr sn_attrVisualRgba[] = {
  V(rgba, fog), V(rgba, haze), V(rgba, force), V(rgba, inertia), V(rgba, joint), V(rgba, actuator),
  V(rgba, actuatornegative), V(rgba, actuatorpositive), V(rgba, com), V(rgba, camera),
  V(rgba, light), V(rgba, selectpoint), V(rgba, connect), V(rgba, contactpoint),
  V(rgba, contactforce), V(rgba, contactfriction), V(rgba, contacttorque), V(rgba, contactgap),
  V(rgba, rangefinder), V(rgba, constraint), V(rgba, slidercrank), V(rgba, crankbroken),
  V(rgba, frustum), V(rgba, bv), V(rgba, bvactive), ENDROW};
#undef T

const snVisualPart sn_visualParts[] = {
  {"global", sn_attrVisualGlobal}, {"quality", sn_attrVisualQuality},
  {"headlight", sn_attrVisualHeadlight}, {"map", sn_attrVisualMap},
  {"scale", sn_attrVisualScale}, {"rgba", sn_attrVisualRgba}, {NULL, NULL}};

// ---- bodies and what is in them ----

#define T snsBody
const snAttr sn_attrBody[] = {
  OWN_TEXT("name"), OWN_TEXT("childclass"),
  NUM(T, "pos", pos), QUAT(T, "quat", quat), KEY(T, "mocap", mocap, sn_mapBool), ORI(T, alt),
  NUM(T, "gravcomp", gravcomp), KEY(T, "sleep", sleep, sn_mapSleep), VEC(T, "user", userdata),
  ENDROW};
const snAttr sn_attrInertial[] = {
  NUM_NEEDED(T, "pos", ipos), QUAT(T, "quat", iquat), NUM_NEEDED(T, "mass", mass),
  NUM(T, "diaginertia", inertia), ORI(T, ialt), NUM(T, "fullinertia", fullinertia), ENDROW};
#undef T

#define T snsFrame
const snAttr sn_attrFrame[] = {
  OWN_TEXT("name"), OWN_TEXT("childclass"), NUM(T, "pos", pos), QUAT(T, "quat", quat), ORI(T, alt),
  ENDROW};
#undef T

#define T snsJoint
const snAttr sn_attrJoint[] = {
  KEY(T, "type", type, sn_mapJoint), NUM(T, "group", group), NUM(T, "pos", pos),
  NUM(T, "axis", axis), NUM(T, "springdamper", springdamper),
  KEY(T, "limited", limited, sn_mapTriState),
  KEY(T, "actuatorfrclimited", actfrclimited, sn_mapTriState),
  UPTO(T, "solreflimit", solref_limit), UPTO(T, "solimplimit", solimp_limit),
  UPTO(T, "solreffriction", solref_friction), UPTO(T, "solimpfriction", solimp_friction),
  NUM(T, "stiffness", stiffness), NUM(T, "range", range), NUM(T, "actuatorfrcrange", actfrcrange),
  KEY(T, "actuatorgravcomp", actgravcomp, sn_mapBool), NUM(T, "margin", margin),
  NUM(T, "ref", ref), NUM(T, "springref", springref), NUM(T, "armature", armature),
  NUM(T, "damping", damping), NUM(T, "frictionloss", frictionloss), VEC(T, "user", userdata),
  ENDROW};
const snAttr sn_attrFreeJoint[] = {
  OWN_TEXT("name"), NUM(T, "group", group), KEY(T, "align", align, sn_mapTriState), ENDROW};
#undef T

#define T snsGeom
const snAttr sn_attrGeom[] = {
  KEY(T, "type", type, sn_mapGeom), NUM(T, "pos", pos), QUAT(T, "quat", quat),
  NUM(T, "contype", contype), NUM(T, "conaffinity", conaffinity), NUM(T, "condim", condim),
  NUM(T, "group", group), NUM(T, "priority", priority), UPTO(T, "size", size),
  TEXT(T, "material", material), UPTO(T, "friction", friction), NUM(T, "mass", mass),
  NUM(T, "density", density), KEY(T, "shellinertia", typeinertia, sn_mapInertiaShell),
  NUM(T, "solmix", solmix), UPTO(T, "solref", solref), UPTO(T, "solimp", solimp),
  NUM(T, "margin", margin), NUM(T, "gap", gap), NUM(T, "fromto", fromto), ORI(T, alt),
  TEXT(T, "hfield", hfieldname), TEXT(T, "mesh", meshname), NUM(T, "fitscale", fitscale),
  NUM(T, "rgba", rgba), KEY(T, "fluidshape", fluid_ellipsoid, sn_mapFluid),
  UPTO(T, "fluidcoef", fluid_coefs), VEC(T, "user", userdata), ENDROW};
#undef T

#define T snsSite
const snAttr sn_attrSite[] = {
  KEY(T, "type", type, sn_mapGeom), NUM(T, "group", group), NUM(T, "pos", pos),
  QUAT(T, "quat", quat), TEXT(T, "material", material), UPTO(T, "size", size),
  NUM(T, "fromto", fromto), ORI(T, alt), NUM(T, "rgba", rgba), VEC(T, "user", userdata), ENDROW};
#undef T

#define T snsCamera
const snAttr sn_attrCamera[] = {
  KEY(T, "projection", proj, sn_mapProjection), NUM(T, "fovy", fovy), NUM(T, "ipd", ipd),
  NUM(T, "resolution", resolution), KEYS(T, "output", output, sn_mapCamOutput),
  NUM(T, "pos", pos), QUAT(T, "quat", quat), ORI(T, alt), KEY(T, "mode", mode, sn_mapCamLight),
  NUM(T, "focal", focal_length), NUM(T, "focalpixel", focal_pixel),
  NUM(T, "principal", principal_length), NUM(T, "principalpixel", principal_pixel),
  NUM(T, "sensorsize", sensor_size), VEC(T, "user", userdata), ENDROW};
const snAttr sn_attrCameraOwn[] = {TEXT(T, "target", targetbody), ENDROW};
#undef T

#define T snsLight
const snAttr sn_attrLight[] = {
  NUM(T, "pos", pos), NUM(T, "dir", dir), NUM(T, "bulbradius", bulbradius),
  NUM(T, "intensity", intensity), NUM(T, "range", range), OWN_KEY("directional", sn_mapBool),
  KEY(T, "type", type, sn_mapLightType), KEY(T, "castshadow", castshadow, sn_mapBool),
  KEY(T, "active", active, sn_mapBool), NUM(T, "attenuation", attenuation),
  NUM(T, "cutoff", cutoff), NUM(T, "exponent", exponent), NUM(T, "ambient", ambient),
  NUM(T, "diffuse", diffuse), NUM(T, "specular", specular), KEY(T, "mode", mode, sn_mapCamLight),
  ENDROW};
const snAttr sn_attrLightOwn[] = {
  TEXT(T, "target", targetbody), TEXT(T, "texture", texture), ENDROW};
#undef T

// ---- assets ----

#define T snsMesh
const snAttr sn_attrMesh[] = {
  NUM(T, "scale", scale), NUM(T, "maxhullvert", maxhullvert),
  KEY(T, "inertia", inertia, sn_mapMeshInertia), ENDROW};
const snAttr sn_attrMeshOwn[] = {
  TEXT(T, "content_type", content_type), FILENAME(T, "file", file), VEC(T, "vertex", uservert),
  VEC(T, "normal", usernormal), VEC(T, "texcoord", usertexcoord), VEC(T, "face", userface),
  NUM(T, "refpos", refpos), NUM(T, "refquat", refquat),
  KEY(T, "smoothnormal", smoothnormal, sn_mapBool),
  OWN_KEY("builtin", sn_mapMeshBuiltin), OWN_NUM("params", 0), TEXT(T, "material", material),
  ENDROW};
#undef T

#define T snsHField
const snAttr sn_attrHField[] = {
  OWN_TEXT("name"), TEXT(T, "content_type", content_type), FILENAME(T, "file", file),
  NUM(T, "nrow", nrow), NUM(T, "ncol", ncol), NUM_NEEDED(T, "size", size),
  OWN_NUM("elevation", 0), ENDROW};
#undef T

#define T snsSkin
const snAttr sn_attrSkin[] = {
  OWN_TEXT("name"), FILENAME(T, "file", file), TEXT(T, "material", material), NUM(T, "rgba", rgba),
  NUM(T, "inflate", inflate), VEC(T, "vertex", vert), VEC(T, "texcoord", texcoord),
  VEC(T, "face", face), NUM(T, "group", group), ENDROW};
#undef T

#define T snsTexture
const snAttr sn_attrTexture[] = {
  OWN_TEXT("name"), KEY(T, "type", type, sn_mapTexture),
  KEY(T, "colorspace", colorspace, sn_mapColorSpace), TEXT(T, "content_type", content_type),
  FILENAME(T, "file", file), NUM(T, "gridsize", gridsize), OWN_TEXT("gridlayout"),
  OWN("fileright", snATTR_FILE, 1, 0, NULL), OWN("fileleft", snATTR_FILE, 1, 0, NULL),
  OWN("fileup", snATTR_FILE, 1, 0, NULL), OWN("filedown", snATTR_FILE, 1, 0, NULL),
  OWN("filefront", snATTR_FILE, 1, 0, NULL), OWN("fileback", snATTR_FILE, 1, 0, NULL),
  KEY(T, "builtin", builtin, sn_mapBuiltin), NUM(T, "rgb1", rgb1), NUM(T, "rgb2", rgb2),
  KEY(T, "mark", mark, sn_mapMark), NUM(T, "markrgb", markrgb), NUM(T, "random", random),
  NUM(T, "width", width), NUM(T, "height", height), KEY(T, "hflip", hflip, sn_mapBool),
  KEY(T, "vflip", vflip, sn_mapBool), NUM(T, "nchannel", nchannel), ENDROW};
#undef T

#define T snsMaterial
const snAttr sn_attrMaterial[] = {
  OWN_TEXT("texture"), NUM(T, "texrepeat", texrepeat),
  KEY(T, "texuniform", texuniform, sn_mapBool), NUM(T, "emission", emission),
  NUM(T, "specular", specular), NUM(T, "shininess", shininess), NUM(T, "reflectance", reflectance),
  NUM(T, "metallic", metallic), NUM(T, "roughness", roughness), NUM(T, "rgba", rgba), ENDROW};
#undef T

// ---- deformables ----

#define T snsFlex
const snAttr sn_attrFlex[] = {
  OWN_TEXT("name"), NUM(T, "radius", radius), TEXT(T, "material", material), NUM(T, "rgba", rgba),
  KEY(T, "flatskin", flatskin, sn_mapBool), NUM(T, "dim", dim), NUM(T, "group", group),
  VEC_NEEDED(T, "body", vertbody), VEC(T, "vertex", vert), VEC_NEEDED(T, "element", elem),
  VEC(T, "texcoord", texcoord), VEC(T, "elemtexcoord", elemtexcoord), VEC(T, "node", nodebody),
  ENDROW};
const snAttr sn_attrFlexContact[] = {
  NUM(T, "contype", contype), NUM(T, "conaffinity", conaffinity), NUM(T, "condim", condim),
  NUM(T, "priority", priority), UPTO(T, "friction", friction), NUM(T, "solmix", solmix),
  UPTO(T, "solref", solref), UPTO(T, "solimp", solimp), NUM(T, "margin", margin),
  NUM(T, "gap", gap), KEY(T, "internal", internal, sn_mapBool),
  KEY(T, "selfcollide", selfcollide, sn_mapFlexSelf), NUM(T, "activelayers", activelayers),
  OWN_KEY("vertcollide", sn_mapBool), OWN_KEY("passive", sn_mapBool), ENDROW};
const snAttr sn_attrFlexEdge[] = {
  NUM(T, "stiffness", edgestiffness), NUM(T, "damping", edgedamping), ENDROW};
const snAttr sn_attrFlexElasticity[] = {
  NUM(T, "young", young), NUM(T, "poisson", poisson), NUM(T, "damping", damping),
  NUM(T, "thickness", thickness), KEY(T, "elastic2d", elastic2d, sn_mapElastic2d), ENDROW};
const snAttr sn_attrFlexLaw[] = {
  TEXT(T, "sinew:elasticity_model", elasticity_model),
  VEC(T, "sinew:elasticity_param", elasticity_param),
  TEXT(T, "sinew:bending_model", bending_model), VEC(T, "sinew:bending_param", bending_param),
  ENDROW};
// what MuJoCo's text of a flex loses
const snAttr sn_attrFlexOwn[] = {
  VEC(T, "sinew:nodecoord", node), KEY(T, "sinew:vertcollide", vertcollide, sn_mapBool),
  KEY(T, "sinew:passive", passive, sn_mapBool), ENDROW};
const snAttr sn_attrFlexcompFlex[] = {
  TEXT(T, "material", material), NUM(T, "rgba", rgba), KEY(T, "flatskin", flatskin, sn_mapBool),
  NUM(T, "dim", dim), NUM(T, "radius", radius), NUM(T, "group", group), ENDROW};
const snAttr sn_attrFlexcompPoint[] = {
  VEC(T, "point", vert), VEC(T, "element", elem), VEC(T, "texcoord", texcoord), ENDROW};
#undef T

// in MuJoCo's order, as far as it decides which of two errors is told: those of the flex come in between
#define T snFlexcomp
const snAttr sn_attrFlexcomp[] = {
  OWN_TEXT_NEEDED("name"), KEY(T, "type", type, sn_mapFlexcomp),
  OWN("file", snATTR_FILE, 1, 0, NULL), NUM(T, "count", count), NUM(T, "spacing", spacing),
  NUM(T, "scale", scale), NUM(T, "mass", mass), NUM(T, "inertiabox", inertiabox), ENDROW};
const snAttr sn_attrFlexcompOrigin[] = {NUM(T, "origin", origin), ENDROW};
const snAttr sn_attrFlexcompPose[] = {
  NUM(T, "pos", pos), NUM(T, "quat", quat), ORI(T, alt), KEY(T, "rigid", rigid, sn_mapBool), ENDROW};
const snAttr sn_attrFlexcompDof[] = {KEY(T, "dof", dof, sn_mapFlexDof), ENDROW};
const snAttr sn_attrFlexcompEdge[] = {
  KEY(T, "equality", equality, sn_mapFlexEquality), UPTO(T, "solref", solref),
  UPTO(T, "solimp", solimp), ENDROW};
#undef T

#define T snFlexcomp
const snAttr sn_attrDeformShape[] = {
  KEY(T, "type", type, sn_mapFlexcomp), NUM(T, "count", count), NUM(T, "spacing", spacing),
  NUM(T, "scale", scale), OWN("file", snATTR_FILE, 1, 0, NULL), NUM(T, "pos", pos),
  NUM(T, "quat", quat), ORI(T, alt), NUM(T, "origin", origin), ENDROW};
#undef T

#define T snsDeformable
const snAttr sn_attrDeformable[] = {
  OWN_TEXT("name"), OWN_TEXT("solver"), TEXT(T, "preset", preset), TEXT(T, "substance", substance),
  NUM(T, "young", young), NUM(T, "poisson", poisson), NUM(T, "density", density),
  UPTO(T, "friction", friction), NUM(T, "thickness", thickness), NUM(T, "radius", radius),
  NUM(T, "mass", mass), NUM(T, "stretch_compliance", stretch_compliance),
  NUM(T, "shear_compliance", shear_compliance), NUM(T, "bend_compliance", bend_compliance),
  NUM(T, "volume_compliance", volume_compliance), NUM(T, "twist_compliance", twist_compliance),
  NUM(T, "damping", damping), NUM(T, "sleep", sleep), NUM(T, "substeps", substeps),
  NUM(T, "repeats", repeats), NUM(T, "tethers", tethers), NUM(T, "contype", contype), NUM(T, "conaffinity", conaffinity),
  NUM(T, "condim", condim), UPTO(T, "solref", solref), UPTO(T, "solimp", solimp),
  NUM(T, "margin", margin), KEY(T, "selfcollide", selfcollide, sn_mapBool),
  KEY(T, "registered", registered, sn_mapBool), NUM(T, "group", group), NUM(T, "rgba", rgba),
  VEC(T, "vertex", vert), VEC(T, "element", elem), VEC(T, "pin", pin), VEC(T, "shear", shear),
  VEC(T, "attachvert", attachvert), VEC(T, "attachbody", attachbody), ENDROW};
#undef T

// ---- contact, equality, tendon ----

#define T snsPair
const snAttr sn_attrPair[] = {
  NUM(T, "condim", condim), UPTO(T, "friction", friction), UPTO(T, "solref", solref),
  UPTO(T, "solreffriction", solreffriction), UPTO(T, "solimp", solimp), NUM(T, "gap", gap),
  NUM(T, "margin", margin), ENDROW};
const snAttr sn_attrPairOwn[] = {
  TEXT(T, "geom1", geomname1), TEXT(T, "geom2", geomname2), ENDROW};
#undef T

#define T snsExclude
const snAttr sn_attrExclude[] = {
  OWN_TEXT("name"), TEXT_NEEDED(T, "body1", bodyname1), TEXT_NEEDED(T, "body2", bodyname2), ENDROW};
#undef T

#define T snsEquality
const snAttr sn_attrEquality[] = {
  KEY(T, "active", active, sn_mapBool), UPTO(T, "solref", solref), UPTO(T, "solimp", solimp),
  ENDROW};
const snAttr sn_attrEqJoint[] = {
  TEXT_NEEDED(T, "joint1", name1), TEXT(T, "joint2", name2), UPTO_N(T, "polycoef", data, 5),
  ENDROW};
const snAttr sn_attrEqTendon[] = {
  TEXT_NEEDED(T, "tendon1", name1), TEXT(T, "tendon2", name2), UPTO_N(T, "polycoef", data, 5),
  ENDROW};
const snAttr sn_attrEqFlex[] = {TEXT_NEEDED(T, "flex", name1), ENDROW};
#undef T

#define T snsTendon
const snAttr sn_attrTendon[] = {
  NUM(T, "group", group), KEY(T, "limited", limited, sn_mapTriState), NUM(T, "range", range),
  UPTO(T, "solreflimit", solref_limit), UPTO(T, "solimplimit", solimp_limit),
  UPTO(T, "solreffriction", solref_friction), UPTO(T, "solimpfriction", solimp_friction),
  NUM(T, "frictionloss", frictionloss),
  OWN("springlength", snATTR_REAL, 2, snATTR_UPTO, NULL), NUM(T, "margin", margin),
  NUM(T, "stiffness", stiffness), NUM(T, "damping", damping), VEC(T, "user", userdata), ENDROW};
const snAttr sn_attrTendonVisual[] = {
  NUM(T, "width", width), TEXT(T, "material", material), NUM(T, "rgba", rgba), ENDROW};
const snAttr sn_attrTendonOwn[] = {
  KEY(T, "actuatorfrclimited", actfrclimited, sn_mapTriState),
  NUM(T, "actuatorfrcrange", actfrcrange), NUM(T, "armature", armature), ENDROW};
#undef T

// ---- actuators and sensors ----

#define T snsActuator
const snAttr sn_attrActuator[] = {
  NUM(T, "group", group), NUM(T, "nsample", nsample), KEY(T, "interp", interp, sn_mapInterp),
  NUM(T, "delay", delay), KEY(T, "forcelimited", forcelimited, sn_mapTriState),
  NUM(T, "ctrlrange", ctrlrange), NUM(T, "forcerange", forcerange), VEC(T, "user", userdata),
  ENDROW};
const snAttr sn_attrActuatorCtrl[] = {KEY(T, "ctrllimited", ctrllimited, sn_mapTriState), ENDROW};
const snAttr sn_attrActuatorGear[] = {
  UPTO(T, "gear", gear), NUM(T, "cranklength", cranklength), ENDROW};
const snAttr sn_attrActuatorLength[] = {NUM(T, "lengthrange", lengthrange), ENDROW};
const snAttr sn_attrActuatorAct[] = {
  KEY(T, "actlimited", actlimited, sn_mapTriState), NUM(T, "actrange", actrange), ENDROW};
const snAttr sn_attrActuatorDyn[] = {
  NUM(T, "actdim", actdim), KEY(T, "dyntype", dyntype, sn_mapDyn),
  UPTO(T, "dynprm", dynprm), KEY(T, "actearly", actearly, sn_mapBool), ENDROW};
const snAttr sn_attrActuatorGain[] = {
  KEY(T, "gaintype", gaintype, sn_mapGain), KEY(T, "biastype", biastype, sn_mapBias),
  UPTO(T, "gainprm", gainprm), UPTO(T, "biasprm", biasprm), ENDROW};
const snAttr sn_attrActuatorModel[] = {
  TEXT(T, "sinew:gain_model", gain_model), VEC(T, "sinew:gain_params", gain_params), ENDROW};
const snAttr sn_attrActuatorInherit[] = {OWN_NUM("inheritrange", 1), ENDROW};
#undef T

#define T snsSensor
const snAttr sn_attrSensor[] = {
  OWN_TEXT("name"), NUM(T, "nsample", nsample), KEY(T, "interp", interp, sn_mapInterp),
  NUM(T, "delay", delay), UPTO(T, "interval", interval), VEC(T, "user", userdata), ENDROW};
const snAttr sn_attrSensorNoise[] = {NUM(T, "cutoff", cutoff), NUM(T, "noise", noise), ENDROW};
#undef T

#define T snsKey
const snAttr sn_attrKey[] = {
  OWN_TEXT("name"), NUM(T, "time", time), VEC(T, "qpos", qpos), VEC(T, "qvel", qvel),
  VEC(T, "act", act), VEC(T, "mpos", mpos), VEC(T, "mquat", mquat), VEC(T, "ctrl", ctrl),
  VEC(T, "sinew:deformpos", deformpos), VEC(T, "sinew:deformvel", deformvel), ENDROW};
#undef T
