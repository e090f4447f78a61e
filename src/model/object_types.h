// What follows from the type of a joint, a geom, an equality, a transmission or a constraint row. Sizes and
// objects of a type are said here and nowhere else; sensors have a table (model/sensor_types.h).

#ifndef SINEW_MODEL_OBJECT_TYPES_H_
#define SINEW_MODEL_OBJECT_TYPES_H_

#include "sinew/enums.h"

// ---- joints

static inline int sn_isJointType(int type) { return type >= snJNT_FREE && type <= snJNT_HINGE; }

// numbers of a joint in qpos: a free joint has a position and a quaternion
static inline int sn_jointPositions(int type) {
  return type == snJNT_FREE ? 7 : type == snJNT_BALL ? 4 : 1;
}

// numbers of a joint in qvel
static inline int sn_jointDofs(int type) {
  return type == snJNT_FREE ? 6 : type == snJNT_BALL ? 3 : 1;
}

// ---- geoms

// Is it convex and of finite size? Meshes count as their hulls.
static inline int sn_isConvexGeom(int type) {
  switch (type) {
    case snGEOM_SPHERE:
    case snGEOM_CAPSULE:
    case snGEOM_ELLIPSOID:
    case snGEOM_CYLINDER:
    case snGEOM_BOX:
    case snGEOM_MESH: return 1;
    default: return 0;
  }
}

// ---- equalities

// Does it hold the pose of one body against another, given by the bodies or by sites on them?
static inline int sn_isPoseEquality(int type) { return type == snEQ_CONNECT || type == snEQ_WELD; }

// rows of an equality that has a fixed number of them (those of flexes have not)
static inline int sn_equalityRows(int type) {
  return type == snEQ_CONNECT ? 3 : type == snEQ_WELD ? 6 : 1;
}

// type of the objects that it relates; objtype says which it is for poses
static inline snObj sn_equalityObject(int type, int objtype) {
  switch (type) {
    case snEQ_CONNECT:
    case snEQ_WELD: return objtype == snOBJ_SITE ? snOBJ_SITE : snOBJ_BODY;
    case snEQ_JOINT: return snOBJ_JOINT;
    case snEQ_TENDON: return snOBJ_TENDON;
    case snEQ_FLEX:
    case snEQ_FLEXVERT: return snOBJ_FLEX;
    case snEQ_DISTANCE: return snOBJ_SITE;
    default: return snOBJ_UNKNOWN;
  }
}

// ---- transmissions

// type of the object that an actuator acts on
static inline snObj sn_transmissionObject(int type) {
  switch (type) {
    case snTRN_JOINT:
    case snTRN_JOINTINPARENT: return snOBJ_JOINT;
    case snTRN_TENDON: return snOBJ_TENDON;
    case snTRN_SLIDERCRANK:
    case snTRN_SITE: return snOBJ_SITE;
    case snTRN_BODY: return snOBJ_BODY;
    default: return snOBJ_UNKNOWN;
  }
}

// ---- constraint rows

static inline int sn_isConeRow(int type) {
  return type == snCNSTR_CONTACT_PYRAMIDAL || type == snCNSTR_CONTACT_ELLIPTIC;
}

static inline int sn_isContactRow(int type) {
  return type == snCNSTR_CONTACT_FRICTIONLESS || sn_isConeRow(type);
}

#endif  // SINEW_MODEL_OBJECT_TYPES_H_
