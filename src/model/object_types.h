// Properties of the types of joints, geoms, equalities, transmissions and constraint rows. Sizes and objects of a type
// are stated only here; sensors have a table (model/sensor_types.h).

#ifndef SINEW_MODEL_OBJECT_TYPES_H_
#define SINEW_MODEL_OBJECT_TYPES_H_

#include "sinew/enums.h"

// ---- joints

// X(type, numbers in qpos, numbers in qvel, those of both that come before a quaternion and its three axes)
#define SN_JOINT_TYPES(X) \
  X(FREE, 7, 6, 3)        \
  X(BALL, 4, 3, 0)        \
  X(SLIDE, 1, 1, 1)       \
  X(HINGE, 1, 1, 1)

static inline int sn_jointPositions(int type) {
#define X(name, positions, dofs, plain) type == snJNT_##name ? positions:
  return SN_JOINT_TYPES(X) 0;
#undef X
}

static inline int sn_jointDofs(int type) {
#define X(name, positions, dofs, plain) type == snJNT_##name ? dofs:
  return SN_JOINT_TYPES(X) 0;
#undef X
}

// Coordinates whose rates are velocities. A quaternion, if the joint has one, comes after them.
static inline int sn_plainCoordinates(int type) {
#define X(name, positions, dofs, plain) type == snJNT_##name ? plain:
  return SN_JOINT_TYPES(X) 0;
#undef X
}

static inline int sn_hasQuaternion(int type) { return type == snJNT_FREE || type == snJNT_BALL; }

// Is dof number k of a joint one of the three axes of a quaternion, which turn with the body?
static inline int sn_turnsWithBody(int type, int k) {
  return sn_hasQuaternion(type) && k >= sn_plainCoordinates(type);
}

static inline int sn_isJointType(int type) { return sn_jointDofs(type) > 0; }

// ---- geoms

// Families of the types that a model's geoms have.
enum {
  snFAMILY_GROUND = 1,  // without a volume of finite size
  snFAMILY_SOLID = 2,   // convex, with a formula
  snFAMILY_HULL = 4,    // convex by its hull
  snFAMILY_FIELD = 8,   // a field of distances
  snFAMILY_CONVEX = snFAMILY_SOLID | snFAMILY_HULL,
  snFAMILY_BODY = snFAMILY_CONVEX | snFAMILY_FIELD,
  snFAMILY_ANY = snFAMILY_BODY | snFAMILY_GROUND
};

// X(type, family). Pairs of geoms are given with the type that stands first here in front.
#define SN_GEOM_TYPES(X) \
  X(PLANE, GROUND)       \
  X(HFIELD, GROUND)      \
  X(SPHERE, SOLID)       \
  X(CAPSULE, SOLID)      \
  X(ELLIPSOID, SOLID)    \
  X(CYLINDER, SOLID)     \
  X(BOX, SOLID)          \
  X(MESH, HULL)          \
  X(SDF, FIELD)

// Is the type of one of these families (a sum of snFAMILY_)? Types of drawings are of none.
static inline int sn_isGeomOf(int type, int families) {
#define X(name, family) | (families & snFAMILY_##family ? 1u << snGEOM_##name : 0)
  unsigned types = 0 SN_GEOM_TYPES(X);
#undef X
  return type >= 0 && type < snNGEOMTYPES && (types >> type & 1);
}

// Is it convex and of finite size? Meshes count as their hulls.
static inline int sn_isConvexGeom(int type) { return sn_isGeomOf(type, snFAMILY_CONVEX); }

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

// rows of a contact of dimension dim, and their type: the edges of a pyramid are two for each direction of friction
static inline int sn_contactRowCount(int dim, int pyramidal) {
  return pyramidal && dim > 1 ? 2 * (dim - 1) : dim;
}

static inline int sn_contactRowType(int dim, int pyramidal) {
  return dim == 1    ? snCNSTR_CONTACT_FRICTIONLESS
         : pyramidal ? snCNSTR_CONTACT_PYRAMIDAL
                     : snCNSTR_CONTACT_ELLIPTIC;
}

#endif  // SINEW_MODEL_OBJECT_TYPES_H_
