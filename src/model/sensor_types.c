#include "model/sensor_types.h"

#include <string.h>

enum { CLIP, OWN };

static const snSensorType kTypes[] = {
#define X(type, tag, target, dim, stage, datatype, cutoff, needs, function) \
  {tag, snSENS_##type, snTARGET_##target, dim, snSTAGE_##stage, snDATATYPE_##datatype, cutoff},
    SN_SENSORS(X)
#undef X
};
enum { NTYPE = sizeof(kTypes) / sizeof(kTypes[0]) };

const snSensorType* sn_sensorType(int type) {
  for (int i = 0; i < NTYPE; i++) {
    if ((int)kTypes[i].type == type) return kTypes + i;
  }
  return NULL;
}

const snSensorType* sn_sensorWithTag(const char* tag) {
  for (int i = 0; i < NTYPE; i++) {
    if (!strcmp(kTypes[i].tag, tag)) return kTypes + i;
  }
  return NULL;
}

snObj sn_targetObject(snSensorTarget target) {
  switch (target) {
    case snTARGET_SITE: return snOBJ_SITE;
    case snTARGET_SCALAR_JOINT:
    case snTARGET_BALL_JOINT:
    case snTARGET_LIMITED_JOINT: return snOBJ_JOINT;
    case snTARGET_TENDON:
    case snTARGET_LIMITED_TENDON: return snOBJ_TENDON;
    case snTARGET_ACTUATOR: return snOBJ_ACTUATOR;
    case snTARGET_SUBTREE: return snOBJ_BODY;
    default: return snOBJ_UNKNOWN;
  }
}

const char* sn_targetAttribute(snSensorTarget target) {
  switch (sn_targetObject(target)) {
    case snOBJ_SITE: return "site";
    case snOBJ_JOINT: return "joint";
    case snOBJ_TENDON: return "tendon";
    case snOBJ_ACTUATOR: return "actuator";
    case snOBJ_BODY: return "body";
    default: return NULL;
  }
}

int sn_isFrameType(int type) {
  return type == snOBJ_BODY || type == snOBJ_XBODY || type == snOBJ_GEOM || type == snOBJ_SITE ||
         type == snOBJ_CAMERA;
}

static int dataSize(int bits, const int* sizes, int n) {
  int size = 0;
  for (int k = 0; k < n; k++) size += bits >> k & 1 ? sizes[k] : 0;
  return size;
}

int sn_rayDataSize(int bits) {
  static const int sizes[snNRAYDATA] = {1, 3, 3, 3, 3, 1};
  return dataSize(bits, sizes, snNRAYDATA);
}

int sn_contactDataSize(int bits) {
  static const int sizes[snNCONDATA] = {1, 3, 3, 1, 3, 3, 3};
  return dataSize(bits, sizes, snNCONDATA);
}
