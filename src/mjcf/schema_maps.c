// Keywords.

#include <string.h>

#include "mjcf/schema.h"
#include "mjcf/schema_maps.h"

#define END \
  { NULL, 0 }

// clang-format off
const snKeyword sn_mapBool[] = {{"false", 0}, {"true", 1}, END};
const snKeyword sn_mapTriState[] = {{"false", 0}, {"true", 1}, {"auto", 2}, END};
const snKeyword sn_mapEnable[] = {{"disable", 0}, {"enable", 1}, END};
const snKeyword sn_mapCoordinate[] = {{"local", 0}, {"global", 1}, END};
const snKeyword sn_mapAngle[] = {{"radian", 0}, {"degree", 1}, END};
const snKeyword sn_mapFluid[] = {{"none", 0}, {"ellipsoid", 1}, END};
const snKeyword sn_mapSleep[] = {
  {"auto", snSLEEP_AUTO}, {"never", snSLEEP_NEVER}, {"allowed", snSLEEP_ALLOWED},
  {"init", snSLEEP_INIT}, END};
const snKeyword sn_mapJoint[] = {
  {"free", snJNT_FREE}, {"ball", snJNT_BALL}, {"slide", snJNT_SLIDE}, {"hinge", snJNT_HINGE}, END};
const snKeyword sn_mapGeom[] = {
  {"plane", snGEOM_PLANE}, {"hfield", snGEOM_HFIELD}, {"sphere", snGEOM_SPHERE},
  {"capsule", snGEOM_CAPSULE}, {"ellipsoid", snGEOM_ELLIPSOID}, {"cylinder", snGEOM_CYLINDER},
  {"box", snGEOM_BOX}, {"mesh", snGEOM_MESH}, {"sdf", snGEOM_SDF}, END};
const snKeyword sn_mapProjection[] = {
  {"perspective", snPROJ_PERSPECTIVE}, {"orthographic", snPROJ_ORTHOGRAPHIC}, END};
const snKeyword sn_mapCamLight[] = {
  {"fixed", snCAMLIGHT_FIXED}, {"track", snCAMLIGHT_TRACK}, {"trackcom", snCAMLIGHT_TRACKCOM},
  {"targetbody", snCAMLIGHT_TARGETBODY}, {"targetbodycom", snCAMLIGHT_TARGETBODYCOM}, END};
const snKeyword sn_mapLightType[] = {
  {"spot", snLIGHT_SPOT}, {"directional", snLIGHT_DIRECTIONAL}, {"point", snLIGHT_POINT},
  {"image", snLIGHT_IMAGE}, END};
const snKeyword sn_mapTexRole[] = {
  {"rgb", snTEXROLE_RGB}, {"occlusion", snTEXROLE_OCCLUSION}, {"roughness", snTEXROLE_ROUGHNESS},
  {"metallic", snTEXROLE_METALLIC}, {"normal", snTEXROLE_NORMAL}, {"opacity", snTEXROLE_OPACITY},
  {"emissive", snTEXROLE_EMISSIVE}, {"rgba", snTEXROLE_RGBA}, {"orm", snTEXROLE_ORM}, END};
const snKeyword sn_mapIntegrator[] = {
  {"Euler", snINT_EULER}, {"RK4", snINT_RK4}, {"implicit", snINT_IMPLICIT},
  {"implicitfast", snINT_IMPLICITFAST},
  {"implicitspringdamper", snINT_IMPLICITSPRINGDAMPER}, END};
const snKeyword sn_mapCone[] = {
  {"pyramidal", snCONE_PYRAMIDAL}, {"elliptic", snCONE_ELLIPTIC}, END};
const snKeyword sn_mapJacobian[] = {
  {"dense", snJAC_DENSE}, {"sparse", snJAC_SPARSE}, {"auto", snJAC_AUTO}, END};
const snKeyword sn_mapSolver[] = {
  {"PGS", snSOL_PGS}, {"CG", snSOL_CG}, {"Newton", snSOL_NEWTON}, END};
// of MuJoCo: the version whose margins and gaps a file has
const snKeyword sn_mapMargins[] = {{"3.5", 0}, {"3.9", 1}, END};
const snKeyword sn_mapOwnSolver[] = {{"xpbd", snSOL_XPBD}, END};
const snKeyword sn_mapTexture[] = {
  {"2d", snTEXTURE_2D}, {"cube", snTEXTURE_CUBE}, {"skybox", snTEXTURE_SKYBOX}, END};
const snKeyword sn_mapColorSpace[] = {
  {"auto", snCOLORSPACE_AUTO}, {"linear", snCOLORSPACE_LINEAR}, {"sRGB", snCOLORSPACE_SRGB}, END};
const snKeyword sn_mapBuiltin[] = {
  {"none", snBUILTIN_NONE}, {"gradient", snBUILTIN_GRADIENT}, {"checker", snBUILTIN_CHECKER},
  {"flat", snBUILTIN_FLAT}, END};
const snKeyword sn_mapMark[] = {
  {"none", snMARK_NONE}, {"edge", snMARK_EDGE}, {"cross", snMARK_CROSS}, {"random", snMARK_RANDOM},
  END};
const snKeyword sn_mapDyn[] = {
  {"none", snDYN_NONE}, {"integrator", snDYN_INTEGRATOR}, {"filter", snDYN_FILTER},
  {"filterexact", snDYN_FILTEREXACT}, {"muscle", snDYN_MUSCLE}, {"user", snDYN_USER},
  {"hill", snDYN_HILL}, END};
const snKeyword sn_mapGain[] = {
  {"fixed", snGAIN_FIXED}, {"affine", snGAIN_AFFINE}, {"muscle", snGAIN_MUSCLE},
  {"user", snGAIN_USER}, {"hill", snGAIN_HILL}, END};
const snKeyword sn_mapBias[] = {
  {"none", snBIAS_NONE}, {"affine", snBIAS_AFFINE}, {"muscle", snBIAS_MUSCLE},
  {"user", snBIAS_USER}, {"hill", snBIAS_HILL}, END};
const snKeyword sn_mapInterp[] = {{"zoh", 0}, {"linear", 1}, {"cubic", 2}, END};
const snKeyword sn_mapStage[] = {
  {"none", snSTAGE_NONE}, {"pos", snSTAGE_POS}, {"vel", snSTAGE_VEL}, {"acc", snSTAGE_ACC}, END};
const snKeyword sn_mapDataType[] = {
  {"real", snDATATYPE_REAL}, {"positive", snDATATYPE_POSITIVE}, {"axis", snDATATYPE_AXIS},
  {"quaternion", snDATATYPE_QUATERNION}, END};
const snKeyword sn_mapContactData[] = {
  {"found", snCONDATA_FOUND}, {"force", snCONDATA_FORCE}, {"torque", snCONDATA_TORQUE},
  {"dist", snCONDATA_DIST}, {"pos", snCONDATA_POS}, {"normal", snCONDATA_NORMAL},
  {"tangent", snCONDATA_TANGENT}, END};
const snKeyword sn_mapRayData[] = {
  {"dist", snRAYDATA_DIST}, {"dir", snRAYDATA_DIR}, {"origin", snRAYDATA_ORIGIN},
  {"point", snRAYDATA_POINT}, {"normal", snRAYDATA_NORMAL}, {"depth", snRAYDATA_DEPTH}, END};
const snKeyword sn_mapCamOutput[] = {
  {"rgb", snCAMOUT_RGB}, {"depth", snCAMOUT_DEPTH}, {"distance", snCAMOUT_DIST},
  {"normal", snCAMOUT_NORMAL}, {"segmentation", snCAMOUT_SEG}, END};
const snKeyword sn_mapReduce[] = {
  {"none", 0}, {"mindist", 1}, {"maxforce", 2}, {"netforce", 3}, END};
const snKeyword sn_mapLRMode[] = {
  {"none", snLRMODE_NONE}, {"muscle", snLRMODE_MUSCLE}, {"muscleuser", snLRMODE_MUSCLEUSER},
  {"all", snLRMODE_ALL}, END};
const snKeyword sn_mapComposite[] = {
  {"particle", 0}, {"grid", 1}, {"rope", 2}, {"loop", 3}, {"cable", 4}, {"cloth", 5}, END};
const snKeyword sn_mapJointKind[] = {{"main", 0}, END};
const snKeyword sn_mapInertiaShell[] = {
  {"false", snINERTIA_VOLUME}, {"true", snINERTIA_SHELL}, END};
const snKeyword sn_mapMeshInertia[] = {
  {"convex", snMESH_INERTIA_CONVEX}, {"legacy", snMESH_INERTIA_LEGACY},
  {"exact", snMESH_INERTIA_EXACT}, {"shell", snMESH_INERTIA_SHELL}, END};
const snKeyword sn_mapMeshBuiltin[] = {
  {"none", snMESH_BUILTIN_NONE}, {"sphere", snMESH_BUILTIN_SPHERE},
  {"hemisphere", snMESH_BUILTIN_HEMISPHERE}, {"cone", snMESH_BUILTIN_CONE},
  {"supertorus", snMESH_BUILTIN_SUPERTORUS}, {"supersphere", snMESH_BUILTIN_SUPERSPHERE},
  {"wedge", snMESH_BUILTIN_WEDGE}, {"plate", snMESH_BUILTIN_PLATE}, END};
const snKeyword sn_mapFlexcomp[] = {
  {"grid", 0}, {"box", 1}, {"cylinder", 2}, {"ellipsoid", 3}, {"square", 4}, {"disc", 5},
  {"circle", 6}, {"mesh", 7}, {"gmsh", 8}, {"direct", 9}, END};
const snKeyword sn_mapFlexDof[] = {
  {"full", 0}, {"radial", 1}, {"trilinear", 2}, {"quadratic", 3}, END};
const snKeyword sn_mapFlexSelf[] = {
  {"none", snFLEXSELF_NONE}, {"narrow", snFLEXSELF_NARROW}, {"bvh", snFLEXSELF_BVH},
  {"sap", snFLEXSELF_SAP}, {"auto", snFLEXSELF_AUTO}, END};
const snKeyword sn_mapElastic2d[] = {{"none", 0}, {"bend", 1}, {"stretch", 2}, {"both", 3}, END};
const snKeyword sn_mapEquality[] = {{"connect", snEQ_CONNECT}, {"weld", snEQ_WELD},
                                    {"joint", snEQ_JOINT},     {"tendon", snEQ_TENDON},
                                    {"sinew:distance", snEQ_DISTANCE},
                                    {"flex", snEQ_FLEX},       {"flexvert", snEQ_FLEXVERT},
                                    END};
const snKeyword sn_mapFlexEquality[] = {{"false", 0}, {"true", 1}, {"vert", 2}, END};
// clang-format on

int sn_keywordValue(const snKeyword* map, const char* name, int* value) {
  for (; map->name; map++) {
    if (!strcmp(map->name, name)) {
      *value = map->value;
      return 1;
    }
  }
  return 0;
}

const char* sn_keywordName(const snKeyword* map, int value) {
  for (; map->name; map++) {
    if (map->value == value) return map->name;
  }
  return NULL;
}
