// The kinematics of one joint, as functions of values. The loops of a stage call them between loads and stores, lanes
// of a team between shuffles (engine/lanes).

#ifndef SINEW_ENGINE_SMOOTH_JOINT_H_
#define SINEW_ENGINE_SMOOTH_JOINT_H_

#include "base/assert.h"
#include "math/math.h"
#include "model/object_types.h"
#include "sinew/sinew.h"

// ---- poses

// Position and orientation of a frame in another one.
struct snPose_ {
  snReal pos[3];
  snReal quat[4];
};
typedef struct snPose_ snPose;

SN_KERNEL void sn_unitPose(snPose* pose) {
  snu_zero3(pose->pos);
  snu_unit4(pose->quat);
}

// element i of two arrays
SN_KERNEL void sn_loadPose(snPose* pose, const snReal* pos, const snReal* quat, int i) {
  snu_copy3(pose->pos, pos + 3 * i);
  snu_copy4(pose->quat, quat + 4 * i);
}

// pose <- frame * pose, without normalisation
SN_KERNEL void sn_composePose(const snPose* frame, snPose* pose) {
  snu_rotVecQuat(pose->pos, pose->pos, frame->quat);
  snu_addTo3(pose->pos, frame->pos);
  snu_mulQuat(pose->quat, frame->quat, pose->quat);
}

// Rotation by a hinge, through an angle about the axis, or by a ball or free joint, by a quaternion.
SN_KERNEL void sn_jointRotation(int type, const snReal axis[3], snReal angle, const snReal quat[4],
                                snReal rotation[4]) {
  SN_ASSERT(type == snJNT_HINGE || type == snJNT_BALL || type == snJNT_FREE);
  if (type == snJNT_HINGE) {
    snu_axisAngle2Quat(rotation, axis, angle);
  } else {
    snu_copy4(rotation, quat);
    snu_normalize4(rotation);
  }
}

// Move a pose so that a point of its frame, jnt_pos, lies at the anchor: pos = anchor - quat . jnt_pos
SN_KERNEL void sn_holdAnchor(snPose* pose, const snReal anchor[3], const snReal jnt_pos[3]) {
  snReal offset[3];
  snu_rotVecQuat(offset, jnt_pos, pose->quat);
  snu_sub3(pose->pos, anchor, offset);
  // a NaN orientation makes the position NaN as well, even at the anchor
  if (pose->quat[0] != pose->quat[0]) pose->pos[0] = pose->pos[1] = pose->pos[2] = pose->quat[0];
}

// ---- axes

// Is dof k of a joint a translation along a (fixed) world axis?
static inline int sn_translatesInWorld(int type, int k) { return type == snJNT_FREE && k < 3; }

// How many dofs of the joint before dof k do not move its axis: the three axes of a quaternion turn together.
static inline int sn_axesBeside(int type, int k) {
  SN_ASSERT(k >= 0 && k < 6);
  return sn_turnsWithBody(type, k) ? k - sn_plainCoordinates(type) : 0;
}

// Rate of a motion axis in the world.
SN_KERNEL void sn_axisRate(const snModel* m, const snData* d, int dof, snReal rate[6]) {
  SN_ASSERT_INDEX(dof, m->nv);
  int joint = m->dof_jntid[dof];
  if (sn_turnsWithBody(m->jnt_type[joint], dof - m->jnt_dofadr[joint])) {
    sn_crossMotion(rate, d->cvel + 6 * m->dof_bodyid[dof], d->cdof + 6 * dof);
  } else {
    sn_copy6(rate, d->cdof_dot + 6 * dof);
  }
}

// ---- positions

// Advance the positions q of a joint by dt at velocity v: 7 and 6 numbers of a free joint, 4 and 3 of
// a ball, one and one of the others.
SN_KERNEL void sn_advanceJoint(int type, snReal* q, const snReal* v, snReal dt) {
  switch (type) {
    case snJNT_FREE:
      snu_addToScl3(q, v, dt);
      snu_quatIntegrate(q + 3, v + 3, dt);
      break;
    case snJNT_BALL: snu_quatIntegrate(q, v, dt); break;
    default: *q += dt * *v; break;
  }
}

#endif  // SINEW_ENGINE_SMOOTH_JOINT_H_
