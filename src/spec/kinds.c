// What each type of element is made of: size of its public struct and the containers it points to.

#include <stddef.h>

#include "spec/element.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array[0])))
#define TEXT(type, field) \
  { offsetof(type, field), snBOX_STRING }
#define VEC(type, field, kind) \
  { offsetof(type, field), snBOX_##kind }
#define PLUGIN(type) \
  TEXT(type, plugin.name), TEXT(type, plugin.plugin_name), TEXT(type, plugin.info)

// clang-format off
static const snOwned kBody[] = {TEXT(snsBody, childclass), VEC(snsBody, userdata, DOUBLE),
                                TEXT(snsBody, info), PLUGIN(snsBody)};
static const snOwned kFrame[] = {TEXT(snsFrame, childclass), TEXT(snsFrame, info)};
static const snOwned kJoint[] = {VEC(snsJoint, userdata, DOUBLE), TEXT(snsJoint, info)};
static const snOwned kGeom[] = {TEXT(snsGeom, material), TEXT(snsGeom, hfieldname),
                                TEXT(snsGeom, meshname), VEC(snsGeom, userdata, DOUBLE),
                                TEXT(snsGeom, info), PLUGIN(snsGeom)};
static const snOwned kSite[] = {TEXT(snsSite, material), VEC(snsSite, userdata, DOUBLE),
                                TEXT(snsSite, info)};
static const snOwned kCamera[] = {TEXT(snsCamera, targetbody), VEC(snsCamera, userdata, DOUBLE),
                                  TEXT(snsCamera, info)};
static const snOwned kLight[] = {TEXT(snsLight, targetbody), TEXT(snsLight, texture),
                                 TEXT(snsLight, info)};
static const snOwned kFlex[] = {TEXT(snsFlex, material), VEC(snsFlex, nodebody, STRINGVEC),
                                VEC(snsFlex, vertbody, STRINGVEC), VEC(snsFlex, node, DOUBLE),
                                VEC(snsFlex, vert, DOUBLE), VEC(snsFlex, elem, INT),
                                VEC(snsFlex, texcoord, FLOAT), VEC(snsFlex, elemtexcoord, INT),
                                TEXT(snsFlex, elasticity_model),
                                VEC(snsFlex, elasticity_param, DOUBLE),
                                TEXT(snsFlex, bending_model),
                                VEC(snsFlex, bending_param, DOUBLE), TEXT(snsFlex, info)};
static const snOwned kMesh[] = {TEXT(snsMesh, content_type), TEXT(snsMesh, file),
                                VEC(snsMesh, uservert, FLOAT), VEC(snsMesh, usernormal, FLOAT),
                                VEC(snsMesh, usertexcoord, FLOAT), VEC(snsMesh, userface, INT),
                                VEC(snsMesh, userfacenormal, INT),
                                VEC(snsMesh, userfacetexcoord, INT), PLUGIN(snsMesh),
                                TEXT(snsMesh, material), TEXT(snsMesh, info)};
static const snOwned kHField[] = {TEXT(snsHField, content_type), TEXT(snsHField, file),
                                  VEC(snsHField, userdata, FLOAT), TEXT(snsHField, info)};
static const snOwned kSkin[] = {TEXT(snsSkin, file), TEXT(snsSkin, material),
                                VEC(snsSkin, vert, FLOAT), VEC(snsSkin, texcoord, FLOAT),
                                VEC(snsSkin, face, INT), VEC(snsSkin, bodyname, STRINGVEC),
                                VEC(snsSkin, bindpos, FLOAT), VEC(snsSkin, bindquat, FLOAT),
                                VEC(snsSkin, vertid, INTVECVEC),
                                VEC(snsSkin, vertweight, FLOATVECVEC), TEXT(snsSkin, info)};
static const snOwned kTexture[] = {TEXT(snsTexture, content_type), TEXT(snsTexture, file),
                                   VEC(snsTexture, cubefiles, STRINGVEC),
                                   VEC(snsTexture, data, BYTE), TEXT(snsTexture, info)};
static const snOwned kMaterial[] = {VEC(snsMaterial, textures, STRINGVEC), TEXT(snsMaterial, info)};
static const snOwned kPair[] = {TEXT(snsPair, geomname1), TEXT(snsPair, geomname2),
                                TEXT(snsPair, info)};
static const snOwned kExclude[] = {TEXT(snsExclude, bodyname1), TEXT(snsExclude, bodyname2),
                                   TEXT(snsExclude, info)};
static const snOwned kEquality[] = {TEXT(snsEquality, name1), TEXT(snsEquality, name2),
                                    TEXT(snsEquality, info)};
static const snOwned kTendon[] = {TEXT(snsTendon, material), VEC(snsTendon, userdata, DOUBLE),
                                  TEXT(snsTendon, info)};
static const snOwned kActuator[] = {TEXT(snsActuator, target), TEXT(snsActuator, refsite),
                                    TEXT(snsActuator, slidersite),
                                    TEXT(snsActuator, gain_model),
                                    VEC(snsActuator, gain_params, DOUBLE),
                                    VEC(snsActuator, userdata, DOUBLE), PLUGIN(snsActuator),
                                    TEXT(snsActuator, info)};
static const snOwned kSensor[] = {TEXT(snsSensor, objname), TEXT(snsSensor, refname),
                                  VEC(snsSensor, userdata, DOUBLE), PLUGIN(snsSensor),
                                  TEXT(snsSensor, info)};
static const snOwned kNumeric[] = {VEC(snsNumeric, data, DOUBLE), TEXT(snsNumeric, info)};
static const snOwned kText[] = {TEXT(snsText, data), TEXT(snsText, info)};
static const snOwned kTuple[] = {VEC(snsTuple, objtype, INT), VEC(snsTuple, objname, STRINGVEC),
                                 VEC(snsTuple, objprm, DOUBLE), TEXT(snsTuple, info)};
static const snOwned kKey[] = {VEC(snsKey, qpos, DOUBLE), VEC(snsKey, qvel, DOUBLE),
                               VEC(snsKey, act, DOUBLE), VEC(snsKey, mpos, DOUBLE),
                               VEC(snsKey, mquat, DOUBLE), VEC(snsKey, ctrl, DOUBLE),
                               VEC(snsKey, deformpos, DOUBLE), VEC(snsKey, deformvel, DOUBLE),
                               TEXT(snsKey, info)};
static const snOwned kPlugin[] = {TEXT(snPluginObject, plugin.name),
                                  TEXT(snPluginObject, plugin.plugin_name),
                                  TEXT(snPluginObject, plugin.info),
                                  VEC(snPluginObject, key, STRINGVEC),
                                  VEC(snPluginObject, value, STRINGVEC)};
static const snOwned kWrap[] = {TEXT(snWrapObject, wrap.info), TEXT(snWrapObject, target),
                                TEXT(snWrapObject, sidesite)};

#define KIND(type, nlist, owned) {sizeof(type), nlist, COUNT(owned), owned}

static const snKind kinds[snNOBJECT] = {
  [snOBJ_UNKNOWN] = KIND(snWrapObject, 0, kWrap),
  [snOBJ_BODY] = KIND(snsBody, 7, kBody),
  [snOBJ_JOINT] = KIND(snsJoint, 0, kJoint),
  [snOBJ_GEOM] = KIND(snsGeom, 0, kGeom),
  [snOBJ_SITE] = KIND(snsSite, 0, kSite),
  [snOBJ_CAMERA] = KIND(snsCamera, 0, kCamera),
  [snOBJ_LIGHT] = KIND(snsLight, 0, kLight),
  [snOBJ_FLEX] = KIND(snsFlex, 0, kFlex),
  [snOBJ_MESH] = KIND(snsMesh, 0, kMesh),
  [snOBJ_SKIN] = KIND(snsSkin, 0, kSkin),
  [snOBJ_HFIELD] = KIND(snsHField, 0, kHField),
  [snOBJ_TEXTURE] = KIND(snsTexture, 0, kTexture),
  [snOBJ_MATERIAL] = KIND(snsMaterial, 0, kMaterial),
  [snOBJ_PAIR] = KIND(snsPair, 0, kPair),
  [snOBJ_EXCLUDE] = KIND(snsExclude, 0, kExclude),
  [snOBJ_EQUALITY] = KIND(snsEquality, 0, kEquality),
  [snOBJ_TENDON] = KIND(snsTendon, 1, kTendon),
  [snOBJ_ACTUATOR] = KIND(snsActuator, 0, kActuator),
  [snOBJ_SENSOR] = KIND(snsSensor, 0, kSensor),
  [snOBJ_NUMERIC] = KIND(snsNumeric, 0, kNumeric),
  [snOBJ_TEXT] = KIND(snsText, 0, kText),
  [snOBJ_TUPLE] = KIND(snsTuple, 0, kTuple),
  [snOBJ_KEY] = KIND(snKeyObject, 0, kKey),
  [snOBJ_PLUGIN] = KIND(snPluginObject, 0, kPlugin),
};
// clang-format on

static const snOwned kDeformable[] = {VEC(snsDeformable, vert, DOUBLE),
                                      VEC(snsDeformable, elem, INT),
                                      TEXT(snsDeformable, preset),
                                      TEXT(snsDeformable, substance),
                                      VEC(snsDeformable, pin, INT),
                                      VEC(snsDeformable, shear, INT),
                                      VEC(snsDeformable, attachvert, INT),
                                      VEC(snsDeformable, attachbody, STRINGVEC),
                                      TEXT(snsDeformable, info)};
static const snKind deformableKind = KIND(snsDeformable, 0, kDeformable);
static const snKind frameKind = KIND(snsFrame, 0, kFrame);
static const snKind defaultKind = {sizeof(snsDefault), 1, 0, NULL};

const snKind* sn_kind(snObj type) {
  if (type == snOBJ_FRAME) return &frameKind;
  if (type == snOBJ_DEFAULT) return &defaultKind;
  if (type == snOBJ_DEFORMABLE) return &deformableKind;
  if ((int)type < 0 || type >= snNOBJECT || !kinds[type].size) return NULL;
  return &kinds[type];
}

const char* sn_typeName(snObj type) {
  static const char* const names[snNOBJECT] = {
      "unknown",  "body",  "xbody",   "joint",    "dof",    "geom",     "site",
      "camera",   "light", "flex",    "mesh",     "skin",   "hfield",   "texture",
      "material", "pair",  "exclude", "equality", "tendon", "actuator", "sensor",
      "numeric",  "text",  "tuple",   "key",      "plugin"};
  if (type == snOBJ_FRAME) return "frame";
  if (type == snOBJ_DEFAULT) return "default";
  if (type == snOBJ_DEFORMABLE) return "deformable";
  return (int)type >= 0 && type < snNOBJECT ? names[type] : "unknown";
}

snsPlugin* sn_elemPlugin(const snElem* e) {
  switch (e->head.elemtype) {
    case snOBJ_BODY: return &((snsBody*)e->object)->plugin;
    case snOBJ_GEOM: return &((snsGeom*)e->object)->plugin;
    case snOBJ_MESH: return &((snsMesh*)e->object)->plugin;
    case snOBJ_ACTUATOR: return &((snsActuator*)e->object)->plugin;
    case snOBJ_SENSOR: return &((snsSensor*)e->object)->plugin;
    default: return NULL;
  }
}
