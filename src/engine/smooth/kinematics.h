// The pose of a body relative to its parent, from model and data: shared by the loop over bodies (smooth/kinematics.c)
// and by lanes that take a body each (lanes/kinematics.c).

#ifndef SINEW_ENGINE_SMOOTH_KINEMATICS_H_
#define SINEW_ENGINE_SMOOTH_KINEMATICS_H_

#include "base/assert.h"
#include "engine/smooth/joint.h"

// Does a body float? Its joint is then its pose.
SN_KERNEL int sn_floats(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  return m->body_jntnum[body] == 1 && m->jnt_type[m->body_jntadr[body]] == snJNT_FREE;
}

SN_KERNEL void sn_freePose(const snModel* m, snData* d, int joint, snPose* pose) {
  SN_ASSERT_INDEX(joint, m->njnt);
  SN_ASSERT(m->jnt_type[joint] == snJNT_FREE);
  const snReal* qpos = d->qpos + m->jnt_qposadr[joint];
  sn_loadPose(pose, qpos, qpos + 3, 0);
  snu_normalize4(pose->quat);
  snu_copy3(d->xanchor + 3 * joint, pose->pos);
  snu_copy3(d->xaxis + 3 * joint, m->jnt_axis + 3 * joint);
}

// pose in which a body is attached to its parent, in the parent's frame
SN_KERNEL void sn_localPose(const snModel* m, const snData* d, int body, snPose* pose) {
  SN_ASSERT_INDEX(body, m->nbody);
  int mocap = m->body_mocapid[body];
  if (mocap >= 0) {
    sn_loadPose(pose, d->mocap_pos, d->mocap_quat, mocap);
    snu_normalize4(pose->quat);
  } else {
    sn_loadPose(pose, m->body_pos, m->body_quat, body);
  }
}

// pose <- pose after the joint's motion. Stores axis and anchor of the joint, in the frame in which the pose is given.
SN_KERNEL void sn_applyJoint(const snModel* m, snData* d, int joint, snPose* pose) {
  SN_ASSERT_INDEX(joint, m->njnt);
  SN_ASSERT(m->jnt_type[joint] != snJNT_FREE);
  const snReal* jnt_axis = m->jnt_axis + 3 * joint;
  const snReal* jnt_pos = m->jnt_pos + 3 * joint;
  snReal* axis = d->xaxis + 3 * joint;
  snReal* anchor = d->xanchor + 3 * joint;
  int type = m->jnt_type[joint], adr = m->jnt_qposadr[joint];
  snReal travel = d->qpos[adr] - m->qpos0[adr], rotation[4], quat[4];

  // axis and anchor before this joint's own motion
  snu_rotVecQuat(axis, jnt_axis, pose->quat);
  snu_rotVecQuat(anchor, jnt_pos, pose->quat);
  snu_addTo3(anchor, pose->pos);

  if (type == snJNT_SLIDE) {
    snu_addToScl3(pose->pos, axis, travel);
  } else if (type == snJNT_HINGE || type == snJNT_BALL) {
    sn_jointRotation(type, jnt_axis, travel, d->qpos + adr, rotation);
    snu_mulQuat(quat, pose->quat, rotation);
    snu_copy4(pose->quat, quat);
    sn_holdAnchor(pose, anchor, jnt_pos);
  }
}

SN_KERNEL void sn_storePose(snData* d, int body, const snPose* pose) {
  SN_ASSERT(body >= 0);
  snu_copy3(d->xpos + 3 * body, pose->pos);
  snu_copy4(d->xquat + 4 * body, pose->quat);
  snu_quat2Mat(d->xmat + 9 * body, pose->quat);
}

#endif  // SINEW_ENGINE_SMOOTH_KINEMATICS_H_
