// Tags of the language: what they contain.

#include "mjcf/schema.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "mjcf/schema_attr.h"
#include "model/sensor_types.h"
#include "sinew/sinew.h"

// clang-format off

static const snAttr kNameClass[] = {OWN_TEXT("name"), OWN_TEXT("class"), ENDROW};

#define ATTR(...) {__VA_ARGS__, NULL}
#define NO_ATTR {NULL}
#define TAG(tag, name, repeat, attr, children) \
  static const snTag tag = {name, repeat, attr, children}
#define CHILDREN(list, ...) static const snTag* const list[] = {__VA_ARGS__, NULL}

// ---- settings ----

static const snAttr kMujoco[] = {OWN_TEXT("model"), ENDROW};
TAG(tLengthRange, "lengthrange", '?', ATTR(sn_attrLengthRange), NULL);
CHILDREN(cCompiler, &tLengthRange);
TAG(tCompiler, "compiler", '*', ATTR(sn_attrCompiler), cCompiler);
TAG(tFlag, "flag", '?', ATTR(sn_attrFlag), NULL);
CHILDREN(cOption, &tFlag);
TAG(tOption, "option", '*', ATTR(sn_attrOption), cOption);
TAG(tSize, "size", '*', ATTR(sn_attrSize), NULL);
TAG(tGlobal, "global", '?', ATTR(sn_attrVisualGlobal), NULL);
TAG(tQuality, "quality", '?', ATTR(sn_attrVisualQuality), NULL);
TAG(tHeadlight, "headlight", '?', ATTR(sn_attrVisualHeadlight), NULL);
TAG(tMap, "map", '?', ATTR(sn_attrVisualMap), NULL);
TAG(tScale, "scale", '?', ATTR(sn_attrVisualScale), NULL);
TAG(tRgba, "rgba", '?', ATTR(sn_attrVisualRgba), NULL);
CHILDREN(cVisual, &tGlobal, &tQuality, &tHeadlight, &tMap, &tScale, &tRgba);
TAG(tVisual, "visual", '*', NO_ATTR, cVisual);
TAG(tStatistic, "statistic", '*', ATTR(sn_attrStatistic), NULL);

// ---- actuators, in classes and outside ----

static const snAttr kPosition[] = {
  OWN_NUM("kp", 1), OWN_NUM("kv", 1), OWN_NUM("dampratio", 1), ENDROW};
static const snAttr kTimeconst[] = {OWN_NUM("timeconst", 1), ENDROW};
static const snAttr kActRange[] = {
  ROW(snsActuator, "actrange", snATTR_REAL, 2, 0, NULL, actrange), ENDROW};
static const snAttr kVelocity[] = {OWN_NUM("kv", 1), ENDROW};
static const snAttr kCylinder[] = {
  OWN_NUM("timeconst", 1), OWN_NUM("area", 1), OWN_NUM("diameter", 1), OWN_NUM("bias", 3), ENDROW};
static const snAttr kMuscle[] = {
  OWN_NUM("timeconst", 2), OWN_NUM("range", 2), OWN_NUM("force", 1), OWN_NUM("scale", 1),
  OWN_NUM("lmin", 1), OWN_NUM("lmax", 1), OWN_NUM("vmax", 1), OWN_NUM("fpmax", 1),
  OWN_NUM("fvmax", 1), ENDROW};
static const snAttr kHill[] = {
  OWN_TEXT("sinew:preset"), OWN_NUM("sinew:optimal_length", 1), OWN_NUM("sinew:slack_length", 1),
  OWN_NUM("sinew:pennation", 1), OWN_NUM("sinew:max_velocity", 1),
  OWN_NUM("sinew:passive_strain", 1), OWN_NUM("sinew:width", 1), OWN_NUM("sinew:max_eccentric", 1),
  OWN_NUM("sinew:tendon_stiffness", 1), OWN_NUM("sinew:damping", 1),
  OWN_NUM("sinew:min_activation", 1), ENDROW};
static const snAttr kTausmooth[] = {OWN_NUM("tausmooth", 1), ENDROW};
static const snAttr kAdhesion[] = {OWN_NUM("gain", 1), ENDROW};
static const snAttr kTransmission[] = {
  OWN_TEXT("joint"), OWN_TEXT("jointinparent"), OWN_TEXT("tendon"), OWN_TEXT("slidersite"),
  OWN_TEXT("cranksite"), ENDROW};
static const snAttr kTransmissionSite[] = {OWN_TEXT("site"), ENDROW};
static const snAttr kTransmissionRef[] = {OWN_TEXT("refsite"), ENDROW};
static const snAttr kTransmissionBody[] = {OWN_TEXT("body"), ENDROW};
static const snAttr kPluginRef[] = {OWN_TEXT("plugin"), OWN_TEXT("instance"), ENDROW};

static const snAttr kConfig[] = {OWN_TEXT_NEEDED("key"), OWN_TEXT_NEEDED("value"), ENDROW};
TAG(tConfig, "config", '*', ATTR(kConfig), NULL);
CHILDREN(cPlugin, &tConfig);
TAG(tPlugin, "plugin", '*', ATTR(kPluginRef), cPlugin);

#define ACT sn_attrActuator, sn_attrActuatorGear
#define ACT_ALL sn_attrActuator, sn_attrActuatorCtrl, sn_attrActuatorGear
TAG(tDefGeneral, "general", '?',
    ATTR(ACT_ALL, sn_attrActuatorAct, sn_attrActuatorDyn, sn_attrActuatorGain,
         sn_attrActuatorModel),
    NULL);
TAG(tDefMotor, "motor", '?', ATTR(ACT_ALL), NULL);
TAG(tDefPosition, "position", '?', ATTR(ACT_ALL, sn_attrActuatorInherit, kPosition, kTimeconst),
    NULL);
TAG(tDefVelocity, "velocity", '?', ATTR(ACT_ALL, kVelocity), NULL);
TAG(tDefIntVelocity, "intvelocity", '?',
    ATTR(ACT_ALL, kActRange, sn_attrActuatorInherit, kPosition), NULL);
TAG(tDefDamper, "damper", '?', ATTR(ACT, kVelocity), NULL);
TAG(tDefCylinder, "cylinder", '?', ATTR(ACT_ALL, kCylinder), NULL);
TAG(tDefMuscle, "muscle", '?', ATTR(ACT_ALL, kMuscle, kHill), NULL);
TAG(tDefAdhesion, "adhesion", '?', ATTR(sn_attrActuator, kAdhesion), NULL);

#define ACTUATOR kNameClass, ACT, sn_attrActuatorLength, kTransmission
#define ACTUATOR_ALL kNameClass, ACT_ALL, sn_attrActuatorLength, kTransmission
#define TRANS_SITE kTransmissionSite, kTransmissionRef
static const snAttr kGeneralGain[] = {
  ROW(snsActuator, "gaintype", snATTR_KEYWORD, 1, 0, sn_mapGain, gaintype),
  ROW(snsActuator, "biastype", snATTR_KEYWORD, 1, 0, sn_mapBias, biastype),
  ROW(snsActuator, "gainprm", snATTR_REAL, 10, snATTR_UPTO, NULL, gainprm),
  ROW(snsActuator, "biasprm", snATTR_REAL, 10, snATTR_UPTO, NULL, biasprm),
  KEY(snsActuator, "actlimited", actlimited, sn_mapTriState), NUM(snsActuator, "actrange",
  actrange),
  OWN_TEXT("site"), OWN_TEXT("refsite"), OWN_TEXT("body"), ENDROW};
TAG(tGeneral, "general", '*',
    ATTR(ACTUATOR_ALL, sn_attrActuatorDyn, kGeneralGain, sn_attrActuatorModel), NULL);
TAG(tMotor, "motor", '*', ATTR(ACTUATOR_ALL, TRANS_SITE), NULL);
static const snAttr kPositionOwn[] = {
  OWN_NUM("inheritrange", 1), OWN_NUM("kp", 1), OWN_NUM("kv", 1), OWN_NUM("dampratio", 1),
  OWN_TEXT("site"), OWN_TEXT("refsite"), ENDROW};
TAG(tPosition, "position", '*', ATTR(ACTUATOR_ALL, kPositionOwn, kTimeconst), NULL);
TAG(tVelocity, "velocity", '*', ATTR(ACTUATOR_ALL, TRANS_SITE, kVelocity), NULL);
TAG(tIntVelocity, "intvelocity", '*', ATTR(ACTUATOR_ALL, kPositionOwn, kActRange), NULL);
TAG(tDamper, "damper", '*', ATTR(ACTUATOR, TRANS_SITE, kVelocity), NULL);
TAG(tCylinder, "cylinder", '*', ATTR(ACTUATOR_ALL, TRANS_SITE, kCylinder), NULL);
TAG(tMuscle, "muscle", '*', ATTR(ACTUATOR_ALL, kMuscle, kTausmooth, kHill), NULL);
TAG(tAdhesion, "adhesion", '*', ATTR(kNameClass, sn_attrActuator, kTransmissionBody, kAdhesion),
    NULL);
static const snAttr kActuatorPlugin[] = {
  OWN_TEXT("plugin"), OWN_TEXT("instance"), OWN_TEXT("site"),
  KEY(snsActuator, "actlimited", actlimited, sn_mapTriState), NUM(snsActuator, "actrange",
  actrange),
  ENDROW};
TAG(tActuatorPlugin, "plugin", '*', ATTR(ACTUATOR_ALL, kActuatorPlugin, sn_attrActuatorDyn),
    cPlugin);
CHILDREN(cActuator, &tGeneral, &tMotor, &tPosition, &tVelocity, &tIntVelocity, &tDamper, &tCylinder,
         &tMuscle, &tAdhesion, &tActuatorPlugin);
TAG(tActuator, "actuator", '*', NO_ATTR, cActuator);

// ---- default classes ----

static const snAttr kDefault[] = {OWN_TEXT("class"), ENDROW};
static const snAttr kLayer[] = {
  OWN_TEXT_NEEDED("texture"), OWN("role", snATTR_KEYWORD, 1, snATTR_REQUIRED, sn_mapTexRole),
  ENDROW};
TAG(tLayer, "layer", '*', ATTR(kLayer), NULL);
CHILDREN(cMaterial, &tLayer);
TAG(tDefMesh, "mesh", '?', ATTR(sn_attrMesh), NULL);
TAG(tDefMaterial, "material", '?', ATTR(sn_attrMaterial), cMaterial);
TAG(tDefJoint, "joint", '?', ATTR(sn_attrJoint), NULL);
TAG(tDefGeom, "geom", '?', ATTR(sn_attrGeom), NULL);
TAG(tDefSite, "site", '?', ATTR(sn_attrSite), NULL);
TAG(tDefCamera, "camera", '?', ATTR(sn_attrCamera), NULL);
TAG(tDefLight, "light", '?', ATTR(sn_attrLight), NULL);
TAG(tDefPair, "pair", '?', ATTR(sn_attrPair), NULL);
TAG(tDefEquality, "equality", '?', ATTR(sn_attrEquality), NULL);
TAG(tDefTendon, "tendon", '?', ATTR(sn_attrTendon, sn_attrTendonVisual), NULL);
CHILDREN(cDefault, &tDefMesh, &tDefMaterial, &tDefJoint, &tDefGeom, &tDefSite, &tDefCamera,
         &tDefLight, &tDefPair, &tDefEquality, &tDefTendon, &tDefGeneral, &tDefMotor,
         &tDefPosition, &tDefVelocity, &tDefIntVelocity, &tDefDamper, &tDefCylinder, &tDefMuscle,
         &tDefAdhesion);
TAG(tDefault, "default", 'R', ATTR(kDefault), cDefault);

// ---- extension, custom ----

static const snAttr kExtensionPlugin[] = {OWN_TEXT_NEEDED("plugin"), ENDROW};
static const snAttr kInstance[] = {OWN_TEXT_NEEDED("name"), ENDROW};
TAG(tInstance, "instance", '*', ATTR(kInstance), cPlugin);
CHILDREN(cExtensionPlugin, &tInstance);
TAG(tExtensionPlugin, "plugin", '*', ATTR(kExtensionPlugin), cExtensionPlugin);
CHILDREN(cExtension, &tExtensionPlugin);
TAG(tExtension, "extension", '*', NO_ATTR, cExtension);

static const snAttr kNumeric[] = {
  OWN_TEXT_NEEDED("name"), OWN("size", snATTR_INT, 1, 0, NULL), OWN_NUM("data", 0), ENDROW};
static const snAttr kText[] = {OWN_TEXT_NEEDED("name"), OWN_TEXT_NEEDED("data"), ENDROW};
static const snAttr kTuple[] = {OWN_TEXT_NEEDED("name"), ENDROW};
static const snAttr kElement[] = {
  OWN_TEXT_NEEDED("objtype"), OWN_TEXT_NEEDED("objname"), OWN_NUM("prm", 1), ENDROW};
TAG(tNumeric, "numeric", '*', ATTR(kNumeric), NULL);
TAG(tText, "text", '*', ATTR(kText), NULL);
TAG(tElement, "element", '*', ATTR(kElement), NULL);
CHILDREN(cTuple, &tElement);
TAG(tTuple, "tuple", '*', ATTR(kTuple), cTuple);
CHILDREN(cCustom, &tNumeric, &tText, &tTuple);
TAG(tCustom, "custom", '*', NO_ATTR, cCustom);

// ---- assets ----

static const snAttr kBone[] = {
  OWN_TEXT_NEEDED("body"), OWN("bindpos", snATTR_REAL, 3, snATTR_REQUIRED, NULL),
  OWN("bindquat", snATTR_REAL, 4, snATTR_REQUIRED, NULL),
  OWN("vertid", snATTR_INT, 0, snATTR_REQUIRED, NULL),
  OWN("vertweight", snATTR_REAL, 0, snATTR_REQUIRED, NULL), ENDROW};
static const snAttr kModel[] = {
  OWN_TEXT("name"), OWN("file", snATTR_FILE, 1, 0, NULL), OWN_TEXT("content_type"), ENDROW};
CHILDREN(cMesh, &tPlugin);
TAG(tMesh, "mesh", '*', ATTR(kNameClass, sn_attrMeshOwn, sn_attrMesh), cMesh);
TAG(tHField, "hfield", '*', ATTR(sn_attrHField), NULL);
TAG(tBone, "bone", '*', ATTR(kBone), NULL);
CHILDREN(cSkin, &tBone);
TAG(tSkin, "skin", '*', ATTR(sn_attrSkin), cSkin);
TAG(tTexture, "texture", '*', ATTR(sn_attrTexture), NULL);
TAG(tMaterial, "material", '*', ATTR(kNameClass, sn_attrMaterial), cMaterial);
TAG(tModel, "model", '*', ATTR(kModel), NULL);
CHILDREN(cAsset, &tMesh, &tHField, &tSkin, &tTexture, &tMaterial, &tModel);
TAG(tAsset, "asset", '*', NO_ATTR, cAsset);

// ---- bodies ----

static const snAttr kAttach[] = {
  OWN_TEXT_NEEDED("model"), OWN_TEXT("body"), OWN_TEXT_NEEDED("prefix"), ENDROW};
#define OWN_INT(name, count) OWN(name, snATTR_INT, count, 0, NULL)
#define OWN_UPTO(name, count) OWN(name, snATTR_REAL, count, snATTR_UPTO, NULL)
static const snAttr kComposite[] = {
  OWN_TEXT("prefix"), OWN("type", snATTR_KEYWORD, 1, snATTR_REQUIRED, sn_mapComposite),
  OWN("count", snATTR_INT, 3, snATTR_UPTO, NULL), OWN_NUM("offset", 3), OWN_NUM("vertex", 0),
  OWN_TEXT("initial"), OWN_TEXT("curve"), OWN_UPTO("size", 3), OWN_NUM("quat", 4), ENDROW};
static const snAttr kCompositeJoint[] = {
  OWN("kind", snATTR_KEYWORD, 1, snATTR_REQUIRED, sn_mapJointKind), OWN_INT("group", 1),
  OWN_NUM("stiffness", 1), OWN_NUM("damping", 1), OWN_NUM("armature", 1),
  OWN_UPTO("solreffix", 2), OWN_UPTO("solimpfix", 5), OWN_KEY("type", sn_mapJoint),
  OWN_NUM("axis", 3), OWN_KEY("limited", sn_mapTriState), OWN_NUM("range", 2),
  OWN_NUM("margin", 1), OWN_UPTO("solreflimit", 2), OWN_UPTO("solimplimit", 5),
  OWN_NUM("frictionloss", 1), OWN_UPTO("solreffriction", 2), OWN_UPTO("solimpfriction", 5), ENDROW};
static const snAttr kCompositeSkin[] = {
  OWN_KEY("texcoord", sn_mapBool), OWN_TEXT("material"), OWN_INT("group", 1), OWN_NUM("rgba", 4),
  OWN_NUM("inflate", 1), OWN_INT("subgrid", 1), ENDROW};
static const snAttr kCompositeGeom[] = {
  OWN_KEY("type", sn_mapGeom), OWN_INT("contype", 1), OWN_INT("conaffinity", 1),
  OWN_INT("condim", 1), OWN_INT("group", 1), OWN_INT("priority", 1), OWN_UPTO("size", 3),
  OWN_TEXT("material"), OWN_NUM("rgba", 4), OWN_UPTO("friction", 3), OWN_NUM("mass", 1),
  OWN_NUM("density", 1), OWN_NUM("solmix", 1), OWN_UPTO("solref", 2), OWN_UPTO("solimp", 5),
  OWN_NUM("margin", 1), OWN_NUM("gap", 1), ENDROW};
static const snAttr kCompositeSite[] = {
  OWN_INT("group", 1), OWN_UPTO("size", 3), OWN_TEXT("material"), OWN_NUM("rgba", 4), ENDROW};
static const snAttr kPin[] = {
  OWN_INT("id", 0), OWN_INT("range", 0), OWN_INT("grid", 0), OWN_INT("gridrange", 0), ENDROW};

TAG(tInertial, "inertial", '?', ATTR(sn_attrInertial), NULL);
TAG(tJoint, "joint", '*', ATTR(kNameClass, sn_attrJoint), NULL);
TAG(tFreeJoint, "freejoint", '*', ATTR(sn_attrFreeJoint), NULL);
TAG(tGeom, "geom", '*', ATTR(kNameClass, sn_attrGeom), cMesh);
TAG(tAttach, "attach", '*', ATTR(kAttach), NULL);
TAG(tSite, "site", '*', ATTR(kNameClass, sn_attrSite), NULL);
TAG(tCamera, "camera", '*', ATTR(kNameClass, sn_attrCamera, sn_attrCameraOwn), NULL);
TAG(tLight, "light", '*', ATTR(kNameClass, sn_attrLight, sn_attrLightOwn), NULL);
TAG(tCompositeJoint, "joint", '*', ATTR(kCompositeJoint), NULL);
TAG(tCompositeSkin, "skin", '?', ATTR(kCompositeSkin), NULL);
TAG(tCompositeGeom, "geom", '?', ATTR(kCompositeGeom), NULL);
TAG(tCompositeSite, "site", '?', ATTR(kCompositeSite), NULL);
CHILDREN(cComposite, &tCompositeJoint, &tCompositeSkin, &tCompositeGeom, &tCompositeSite, &tPlugin);
TAG(tComposite, "composite", '*', ATTR(kComposite), cComposite);
TAG(tFlexcompEdge, "edge", '?', ATTR(sn_attrFlexcompEdge, sn_attrFlexEdge), NULL);
TAG(tFlexElasticity, "elasticity", '?', ATTR(sn_attrFlexElasticity), NULL);
TAG(tFlexContact, "contact", '?', ATTR(sn_attrFlexContact), NULL);
TAG(tPin, "pin", '*', ATTR(kPin), NULL);
CHILDREN(cFlexcomp, &tFlexcompEdge, &tFlexElasticity, &tFlexContact, &tPin, &tPlugin);
TAG(tFlexcomp, "flexcomp", '*',
    ATTR(sn_attrFlexcomp, sn_attrFlexcompFlex, sn_attrFlexcompOrigin, sn_attrFlexcompPose,
         sn_attrFlexcompPoint, sn_attrFlexcompDof, sn_attrFlexLaw),
    cFlexcomp);
CHILDREN(cBody, &tInertial, &tJoint, &tFreeJoint, &tGeom, &tAttach, &tSite, &tCamera, &tLight,
         &tPlugin, &tComposite, &tFlexcomp);
TAG(tBody, "body", 'R', ATTR(sn_attrBody), cBody);

// ---- deformable, contact, equality, tendon ----

TAG(tFlexEdge, "edge", '?', ATTR(sn_attrFlexEdge), NULL);
CHILDREN(cFlex, &tFlexContact, &tFlexEdge, &tFlexElasticity);
TAG(tFlex, "flex", '*', ATTR(sn_attrFlex, sn_attrFlexLaw, sn_attrFlexOwn), cFlex);
CHILDREN(cDeformBody, &tPin);
TAG(tCloth, "sinew:cloth", '*', ATTR(sn_attrDeformable, sn_attrDeformShape), cDeformBody);
TAG(tSoftbody, "sinew:softbody", '*', ATTR(sn_attrDeformable, sn_attrDeformShape), cDeformBody);
TAG(tChain, "sinew:chain", '*', ATTR(sn_attrDeformable, sn_attrDeformShape), cDeformBody);
CHILDREN(cDeformable, &tFlex, &tSkin, &tCloth, &tSoftbody, &tChain);
TAG(tDeformable, "deformable", '*', NO_ATTR, cDeformable);

TAG(tPair, "pair", '*', ATTR(kNameClass, sn_attrPairOwn, sn_attrPair), NULL);
TAG(tExclude, "exclude", '*', ATTR(sn_attrExclude), NULL);
CHILDREN(cContact, &tPair, &tExclude);
TAG(tContact, "contact", '*', NO_ATTR, cContact);

static const snAttr kConnect[] = {
  OWN_TEXT("body1"), OWN_TEXT("body2"), OWN_NUM("anchor", 3), OWN_TEXT("site1"), OWN_TEXT("site2"),
  ENDROW};
static const snAttr kWeld[] = {OWN_NUM("relpose", 7), OWN_NUM("torquescale", 1), ENDROW};
TAG(tConnect, "connect", '*', ATTR(kNameClass, kConnect, sn_attrEquality), NULL);
TAG(tWeld, "weld", '*', ATTR(kNameClass, kConnect, kWeld, sn_attrEquality), NULL);
TAG(tEqJoint, "joint", '*', ATTR(kNameClass, sn_attrEqJoint, sn_attrEquality), NULL);
TAG(tEqTendon, "tendon", '*', ATTR(kNameClass, sn_attrEqTendon, sn_attrEquality), NULL);
TAG(tEqFlex, "flex", '*', ATTR(kNameClass, sn_attrEqFlex, sn_attrEquality), NULL);
TAG(tEqFlexvert, "flexvert", '*', ATTR(kNameClass, sn_attrEqFlex, sn_attrEquality), NULL);
static const snAttr kEqDistance[] = {
  OWN_TEXT_NEEDED("site1"), OWN_TEXT_NEEDED("site2"), OWN_NUM("distance", 1), ENDROW};
TAG(tEqDistance, "sinew:distance", '*', ATTR(kNameClass, kEqDistance, sn_attrEquality), NULL);
CHILDREN(cEquality, &tConnect, &tWeld, &tEqJoint, &tEqTendon, &tEqFlex, &tEqFlexvert, &tEqDistance);
TAG(tEquality, "equality", '*', NO_ATTR, cEquality);

static const snAttr kWrapSite[] = {OWN_TEXT_NEEDED("site"), ENDROW};
static const snAttr kWrapGeom[] = {
  OWN_TEXT_NEEDED("geom"), OWN_TEXT("sidesite"), OWN("sinew:friction", snATTR_REAL, 2, snATTR_UPTO, NULL),
  ENDROW};
static const snAttr kPulley[] = {
  OWN("divisor", snATTR_REAL, 1, snATTR_REQUIRED, NULL),
  OWN("sinew:friction", snATTR_REAL, 2, snATTR_UPTO, NULL), OWN_NUM("sinew:angle", 1),
  OWN_NUM("sinew:inertia", 1), OWN_NUM("sinew:radius", 1), ENDROW};
static const snAttr kWrapJoint[] = {
  OWN_TEXT_NEEDED("joint"), OWN("coef", snATTR_REAL, 1, snATTR_REQUIRED, NULL), ENDROW};
TAG(tWrapSite, "site", '*', ATTR(kWrapSite), NULL);
TAG(tWrapGeom, "geom", '*', ATTR(kWrapGeom), NULL);
TAG(tPulley, "pulley", '*', ATTR(kPulley), NULL);
TAG(tWrapJoint, "joint", '*', ATTR(kWrapJoint), NULL);
CHILDREN(cSpatial, &tWrapSite, &tWrapGeom, &tPulley);
CHILDREN(cFixed, &tWrapJoint);
TAG(tSpatial, "spatial", '*', ATTR(kNameClass, sn_attrTendon, sn_attrTendonVisual,
    sn_attrTendonOwn),
    cSpatial);
TAG(tFixed, "fixed", '*', ATTR(kNameClass, sn_attrTendon, sn_attrTendonOwn), cFixed);
CHILDREN(cTendon, &tSpatial, &tFixed);
TAG(tTendon, "tendon", '*', NO_ATTR, cTendon);

// ---- sensors ----

static const snAttr kSite[] = {OWN_TEXT_NEEDED("site"), ENDROW};
static const snAttr kJoint[] = {OWN_TEXT_NEEDED("joint"), ENDROW};
static const snAttr kTendon[] = {OWN_TEXT_NEEDED("tendon"), ENDROW};
static const snAttr kActuatorRef[] = {OWN_TEXT_NEEDED("actuator"), ENDROW};
static const snAttr kBodyRef[] = {OWN_TEXT_NEEDED("body"), ENDROW};
static const snAttr kCamera[] = {OWN_TEXT_NEEDED("camera"), ENDROW};
static const snAttr kObject[] = {OWN_TEXT_NEEDED("objtype"), OWN_TEXT_NEEDED("objname"), ENDROW};
static const snAttr kReference[] = {OWN_TEXT("reftype"), OWN_TEXT("refname"), ENDROW};
static const snAttr kRay[] = {
  OWN_TEXT("site"), OWN_TEXT("camera"), OWN("data", snATTR_KEYWORDS, 0, 0, sn_mapRayData), ENDROW};
static const snAttr kDistance[] = {
  OWN_TEXT("geom1"), OWN_TEXT("geom2"), OWN_TEXT("body1"), OWN_TEXT("body2"), ENDROW};
static const snAttr kContact[] = {
  OWN_TEXT("subtree1"), OWN_TEXT("subtree2"), OWN_TEXT("site"), OWN("num", snATTR_INT, 1, 0, NULL),
  OWN("data", snATTR_KEYWORDS, 0, 0, sn_mapContactData), OWN_KEY("reduce", sn_mapReduce), ENDROW};
static const snAttr kTactile[] = {OWN_TEXT_NEEDED("geom"), OWN_TEXT_NEEDED("mesh"), ENDROW};
static const snAttr kUser[] = {
  OWN_TEXT("name"), OWN_TEXT("objtype"), OWN_TEXT("objname"),
  KEY(snsSensor, "datatype", datatype, sn_mapDataType),
  KEY(snsSensor, "needstage", needstage, sn_mapStage),
  NUM_NEEDED(snsSensor, "dim", dim), VEC(snsSensor, "user", userdata), ENDROW};
static const snAttr kSensorPlugin[] = {
  OWN_TEXT("name"), OWN_TEXT("plugin"), OWN_TEXT("instance"), NUM(snsSensor, "cutoff", cutoff),
  OWN_TEXT("objtype"), OWN_TEXT("objname"), VEC(snsSensor, "user", userdata), ENDROW};

// attributes of an element by what it observes (model/sensor_types.h)
#define COMMON sn_attrSensor, sn_attrSensorNoise
#define ATTR_NOTHING ATTR(COMMON)
#define ATTR_SITE ATTR(COMMON, kSite)
#define ATTR_CAMERA_OF_SITE ATTR(COMMON, kSite, kCamera)
#define ATTR_RAY ATTR(COMMON, kRay)
#define ATTR_SCALAR_JOINT ATTR(COMMON, kJoint)
#define ATTR_BALL_JOINT ATTR(COMMON, kJoint)
#define ATTR_LIMITED_JOINT ATTR(COMMON, kJoint)
#define ATTR_TENDON ATTR(COMMON, kTendon)
#define ATTR_LIMITED_TENDON ATTR(COMMON, kTendon)
#define ATTR_ACTUATOR ATTR(COMMON, kActuatorRef)
#define ATTR_FRAME ATTR(COMMON, kObject, kReference)
#define ATTR_FRAME_ALONE ATTR(COMMON, kObject)
#define ATTR_FRAME_IN_SITE ATTR(COMMON, kSite, kObject)
#define ATTR_SUBTREE ATTR(COMMON, kBodyRef)
#define ATTR_TWO_GEOMS ATTR(COMMON, kDistance)
#define ATTR_CONTACT ATTR(COMMON, kDistance, kContact)
#define ATTR_MESH_OF_GEOM ATTR(sn_attrSensor, kTactile)
#define ATTR_USER ATTR(kUser, sn_attrSensorNoise)
#define ATTR_PLUGIN ATTR(kSensorPlugin, kReference)
static const snTag kSensors[] = {
#define X(type, tag, target, dim, stage, datatype, cutoff, needs, function) \
  {tag, '*', ATTR_##target, snSENS_##type == snSENS_PLUGIN ? cPlugin : NULL},
  SN_SENSORS(X)
#undef X
};
enum {
#define X(type, tag, target, dim, stage, datatype, cutoff, needs, function) kSensor_##type,
  SN_SENSORS(X)
#undef X
};
static const snTag* const cSensor[] = {
#define X(type, tag, target, dim, stage, datatype, cutoff, needs, function) \
  kSensors + kSensor_##type,
  SN_SENSORS(X)
#undef X
  NULL};
TAG(tSensor, "sensor", '*', NO_ATTR, cSensor);

TAG(tKey, "key", '*', ATTR(sn_attrKey), NULL);
CHILDREN(cKeyframe, &tKey);
TAG(tKeyframe, "keyframe", '*', NO_ATTR, cKeyframe);

CHILDREN(cMujoco, &tCompiler, &tOption, &tSize, &tVisual, &tStatistic, &tDefault, &tExtension,
         &tCustom, &tAsset, &tBody, &tDeformable, &tContact, &tEquality, &tTendon, &tActuator,
         &tSensor, &tKeyframe);
const snTag sn_tagMujoco = {"mujoco", '!', ATTR(kMujoco), cMujoco};
// clang-format on

const snTag* sn_tagChild(const snTag* tag, const char* name) {
  if (tag->repeat == 'R' && !strcmp(tag->name, name)) return tag;
  for (const snTag* const* child = tag->children; child && *child; child++) {
    if (!strcmp((*child)->name, name)) return *child;
  }
  return NULL;
}

const snAttr* sn_tagAttr(const snTag* tag, const char* name) {
  for (int i = 0; i < snTAG_GROUPS && tag->groups[i]; i++) {
    for (const snAttr* attr = tag->groups[i]; attr->name; attr++) {
      if (!strcmp(attr->name, name)) return attr;
    }
  }
  return NULL;
}
