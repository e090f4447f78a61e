// Forward kinematics by lanes, see smooth/kinematics.c.
//
// There is a lane for each body, joint and coordinate of qpos: everything is loaded once, kept in registers and exchanged
// by warp shuffles. The motion of a joint is a pose relative to the frame before the joint, so that a chain of joints
// or bodies is a product of poses:
//
//   1. each lane computes the motion of its joint;
//   2. prefix product over the joints of each body;
//   3. pointer jumping over the bodies: after round k each pose is relative to its 2^k-th ancestor;
//   4. axes, anchors, inertial frames, geoms and sites follow from the poses of bodies.
//
// For larger models sn_bodyPosesLanes does only step 3 in this way, for as many bodies at a time as there are lanes. The
// order of these products differs from that of smooth/kinematics.c, and so does their rounding.

#include "engine/smooth/kinematics.h"
#include "base/assert.h"
#include "engine/lanes/lanes.h"
#include "engine/step/sleep.h"
#include "math/math.h"

SN_KERNEL void shufflePose(snPose* res, const snPose* pose, int lane) {
  sn_lanesOther(res->pos, pose->pos, 3, lane);
  sn_lanesOther(res->quat, pose->quat, 4, lane);
}

// replace position, orientation, or both
SN_KERNEL void replacePose(snPose* pose, int otherPos, int otherQuat, const snPose* other) {
  SN_UNROLL
  for (int c = 0; c < 3; c++) pose->pos[c] = otherPos ? other->pos[c] : pose->pos[c];
  SN_UNROLL
  for (int c = 0; c < 4; c++) pose->quat[c] = otherQuat ? other->quat[c] : pose->quat[c];
}

// Motion of this lane's joint, relative to the frame before it. qpos: coordinate number `lane`; adr: first coordinate of
// the joint.
SN_KERNEL void jointMotion(int type, int adr, const snReal axis[3], const snReal jnt_pos[3],
                           snReal qpos, snReal travel, snPose* motion) {
  int isFree = type == snJNT_FREE, rotates = type == snJNT_HINGE || type == snJNT_BALL;
  snPose given;
  sn_unitPose(motion);
  sn_unitPose(&given);
  if (sn_warpAny(isFree || type == snJNT_BALL)) {
    SN_UNROLL
    for (int c = 0; c < 3; c++) given.pos[c] = sn_warpFrom(qpos, adr + c);
    SN_UNROLL
    for (int c = 0; c < 4; c++) given.quat[c] = sn_warpFrom(qpos, adr + c + (isFree ? 3 : 0));
  }
  if (rotates || isFree) sn_jointRotation(type, axis, travel, given.quat, motion->quat);
  if (rotates) sn_holdAnchor(motion, jnt_pos, jnt_pos);
  if (isFree) snu_copy3(motion->pos, given.pos);
  if (type == snJNT_SLIDE) snu_scl3(motion->pos, axis, travel);
}

// Prefix product: motion <- product of the motions of the body's joints, from the first one up to this lane's.
SN_KERNEL void chainMotions(snPose* motion, int first, int longest) {
  int joint = SN_LANE;
  SN_PLAIN_LOOP
  for (int step = 1; step < longest; step *= 2) {
    snPose before;
    shufflePose(&before, motion, joint - step);
    if (joint - step >= first) sn_composePose(&before, motion);
  }
}

// Pointer jumping: the pose, relative to that of lane `ancestor` (negative: to the world), becomes relative to the world.
SN_KERNEL void composeAncestors(snPose* pose, int ancestor) {
  SN_PLAIN_LOOP
  while (sn_warpAny(ancestor >= 0)) {
    int other = ancestor < 0 ? 0 : ancestor, next = sn_warpFromInt(ancestor, other);
    snPose above;
    shufflePose(&above, pose, other);
    if (ancestor < 0) continue;
    sn_composePose(&above, pose);
    ancestor = next;
  }
}

// ---- any number of bodies

// Transforms axes and anchors of a body's joints from the parent's frame to the world.
SN_KERNEL void placeJoints(const snModel* m, snData* d, int body) {
  SN_ASSERT(body > 0 && body < (int)m->nbody);
  int parent = m->body_parentid[body], first = m->body_jntadr[body];
  if (!parent) return;
  const snReal *xmat = d->xmat + 9 * parent, *xpos = d->xpos + 3 * parent;
  SN_PLAIN_LOOP
  for (int joint = first; joint < first + m->body_jntnum[body]; joint++) {
    snReal *axis = d->xaxis + 3 * joint, *anchor = d->xanchor + 3 * joint;
    snu_mulMatVec3(axis, xmat, axis);
    snu_mulMatVec3(anchor, xmat, anchor);
    snu_addTo3(anchor, xpos);
  }
}

// pose of a body in the frame of its parent
SN_KERNEL void relativePose(const snModel* m, snData* d, int body, snPose* pose) {
  SN_ASSERT(body > 0 && body < (int)m->nbody);
  int first = m->body_jntadr[body], end = first + m->body_jntnum[body];
  if (sn_floats(m, body)) {
    sn_freePose(m, d, first, pose);
    return;
  }
  sn_localPose(m, d, body, pose);
  SN_PLAIN_LOOP
  for (int joint = first; joint < end; joint++) sn_applyJoint(m, d, joint, pose);
}

void sn_bodyPosesLanes(const snModel* m, snData* d) {
  int nbody = (int)m->nbody, sleep = sn_sleepEnabled(m);
  for (int base = 1; base < nbody; base += SN_LANES) {
    int body = base + SN_LANE, parent = 0, moves = 0;
    snPose pose, above;
    sn_unitPose(&pose);
    if (body < nbody) {
      moves = !(sleep && d->body_awake[body] == snS_STATIC);
      if (moves) {
        parent = m->body_parentid[body];
        SN_ASSERT_INDEX(parent, body);
        relativePose(m, d, body, &pose);
      } else {
        sn_loadPose(&pose, d->xpos, d->xquat, body);
      }
    }
    if (parent && parent < base) {
      sn_loadPose(&above, d->xpos, d->xquat, parent);
      sn_composePose(&above, &pose);
    }
    composeAncestors(&pose, parent >= base ? parent - base : -1);
    if (moves) {
      snu_normalize4(pose.quat);
      sn_storePose(d, body, &pose);
    }
    SN_SYNC();
    if (moves) placeJoints(m, d, body);
  }
  SN_SYNC();
}

// ---- attached frames

// An inertial frame, a geom or a site in its body.
typedef struct Attached_ {
  int body;
  int sameframe;
  snPose local;
} Attached;

SN_KERNEL void loadAttached(Attached* frame, int i, int n, const int* body, const snByte* sameframe,
                            const snReal* pos, const snReal* quat) {
  SN_ASSERT(i >= 0 && n > 0);
  int k = i < n ? i : n - 1;
  frame->body = body[k];
  frame->sameframe = sameframe[k];
  SN_ASSERT(frame->body >= 0);
  sn_loadPose(&frame->local, pos, quat, k);
}

// Pose in the world. bodies: pose of the lane's body; inertias: pose of its inertial frame relative to the body.
SN_KERNEL void placeAttached(Attached* frame, const snPose* bodies, const snPose* inertias) {
  int same = frame->sameframe, inertiaRot = same == snSAMEFRAME_INERTIAROT;
  snPose other;
  if (sn_warpAny(same == snSAMEFRAME_INERTIA || inertiaRot)) {
    shufflePose(&other, inertias, frame->body);
    replacePose(&frame->local, same == snSAMEFRAME_INERTIA,
                same == snSAMEFRAME_INERTIA || inertiaRot, &other);
  }
  sn_unitPose(&other);
  replacePose(&frame->local, same == snSAMEFRAME_BODY,
              same == snSAMEFRAME_BODY || same == snSAMEFRAME_BODYROT, &other);
  shufflePose(&other, bodies, frame->body);
  sn_composePose(&other, &frame->local);
}

SN_KERNEL void storeFrame(snReal* xpos, snReal* xmat, int i, const snPose* pose) {
  snu_copy3(xpos + 3 * i, pose->pos);
  snu_quat2Mat(xmat + 9 * i, pose->quat);
}

// ---- the stage

// What a lane holds in registers.
typedef struct Lane_ {
  // its joint
  int joint, type, adr, owner;
  snReal qpos, travel;  // of coordinate `lane`, not of the joint
  snReal axis[3], anchor[3];
  snPose motion;
  // its body
  int body, parent, first, num;
  snPose local;  // in the parent
  snPose pose;   // in the world
  Attached inertia;
  Attached geom;
} Lane;

// All loads come before the first use, so that they are in flight together.
SN_KERNEL void loadLane(const snModel* m, const snData* d, Lane* own) {
  SN_ASSERT(m->nbody <= SN_LANES && m->njnt <= SN_LANES && m->nq <= SN_LANES);
  int lane = SN_LANE, nbody = (int)m->nbody, ngeom = (int)m->ngeom;
  int body = lane < nbody ? lane : 0, joint = lane < m->njnt ? lane : 0,
      q = lane < m->nq ? lane : 0;
  own->body = body, own->joint = joint;
  own->parent = m->body_parentid[body];
  own->first = m->body_jntadr[body], own->num = m->body_jntnum[body];
  int mocap = m->nmocap ? m->body_mocapid[body] : -1;
  own->type = m->jnt_type[joint], own->adr = m->jnt_qposadr[joint];
  own->owner = m->jnt_bodyid[joint];
  own->qpos = d->qpos[q], own->travel = own->qpos - m->qpos0[q];
  snu_copy3(own->axis, m->jnt_axis + 3 * joint);
  snu_copy3(own->anchor, m->jnt_pos + 3 * joint);
  sn_loadPose(&own->local, m->body_pos, m->body_quat, body);
  loadAttached(&own->inertia, body, nbody, m->body_parentid, m->body_sameframe, m->body_ipos,
               m->body_iquat);
  if (ngeom) {
    loadAttached(&own->geom, lane, ngeom, m->geom_bodyid, m->geom_sameframe, m->geom_pos,
                 m->geom_quat);
  }
  if (mocap >= 0) {
    sn_loadPose(&own->local, d->mocap_pos, d->mocap_quat, mocap);
    snu_normalize4(own->local.quat);
  }
}

// poses of bodies, axes and anchors of joints
SN_KERNEL void placeBodies(Lane* own) {
  SN_ASSERT(own->parent <= own->body);
  snPose unit, other, before;
  sn_unitPose(&unit);
  // the pose of a floating body is that of its free joint, whatever its parent
  int floats = sn_warpFromInt(own->type, own->first) == snJNT_FREE && own->num == 1;
  int firstOfOwner = sn_warpFromInt(own->first, own->owner);
  jointMotion(own->type, own->adr, own->axis, own->anchor, own->qpos,
              sn_warpFrom(own->travel, own->adr), &own->motion);
  chainMotions(&own->motion, firstOfOwner, sn_warpMaxInt(own->num));
  replacePose(&own->local, floats || !own->body, floats || !own->body, &unit);
  shufflePose(&own->pose, &own->motion, own->first + own->num - 1);
  replacePose(&own->pose, !own->num, !own->num, &unit);
  sn_composePose(&own->local, &own->pose);
  composeAncestors(&own->pose, floats || !own->parent ? -1 : own->parent);
  snu_normalize4(own->pose.quat);

  // the frame before the body's first joint, in the world
  shufflePose(&other, &own->pose, floats ? 0 : own->parent);
  sn_composePose(&other, &own->local);
  shufflePose(&other, &own->local, own->owner);
  shufflePose(&before, &own->motion, own->joint - 1);
  if (own->joint == firstOfOwner) sn_unitPose(&before);
  sn_composePose(&other, &before);
  snu_rotVecQuat(own->axis, own->axis, before.quat);
  snu_rotVecQuat(own->anchor, own->anchor, before.quat);
  snu_addTo3(own->anchor, before.pos);
  if (own->type == snJNT_FREE) snu_copy3(own->anchor, own->motion.pos);
}

// Pose of the inertial frame in the world; *local: relative to the body.
SN_KERNEL void placeInertia(Lane* own, snPose* local) {
  Attached* frame = &own->inertia;
  int same = own->body ? frame->sameframe : snSAMEFRAME_BODY;
  if (same == snSAMEFRAME_BODY) snu_zero3(frame->local.pos);
  if (same == snSAMEFRAME_BODY || same == snSAMEFRAME_BODYROT) snu_unit4(frame->local.quat);
  *local = frame->local;
  sn_composePose(&own->pose, &frame->local);
}

SN_KERNEL void storeBodies(const snModel* m, snData* d, const Lane* own) {
  SN_ASSERT(m->nbody <= SN_LANES && m->njnt <= SN_LANES);
  int lane = SN_LANE;
  if (lane < (int)m->njnt) {
    snu_copy3(d->xaxis + 3 * lane, own->axis);
    snu_copy3(d->xanchor + 3 * lane, own->anchor);
  }
  if (lane < (int)m->nbody) {
    snu_copy4(d->xquat + 4 * lane, own->pose.quat);
    storeFrame(d->xpos, d->xmat, lane, &own->pose);
    storeFrame(d->xipos, d->ximat, lane, &own->inertia.local);
  }
}

SN_STAGE void sn_kinematicsLanes(const snModel* m, snData* d) {
  int lane = SN_LANE, lanes = SN_LANES, ngeom = (int)m->ngeom, nsite = (int)m->nsite;
  snPose inertia;
  Attached site;
  Lane own;
  loadLane(m, d, &own);
  placeBodies(&own);
  placeInertia(&own, &inertia);
  storeBodies(m, d, &own);

  SN_PLAIN_LOOP
  for (int i = lane; i - lane < ngeom; i += lanes) {
    if (i > lane) {
      loadAttached(&own.geom, i, ngeom, m->geom_bodyid, m->geom_sameframe, m->geom_pos,
                   m->geom_quat);
    }
    placeAttached(&own.geom, &own.pose, &inertia);
    if (i < ngeom) storeFrame(d->geom_xpos, d->geom_xmat, i, &own.geom.local);
  }
  SN_PLAIN_LOOP
  for (int i = lane; i - lane < nsite; i += lanes) {
    loadAttached(&site, i, nsite, m->site_bodyid, m->site_sameframe, m->site_pos, m->site_quat);
    placeAttached(&site, &own.pose, &inertia);
    if (i < nsite) storeFrame(d->site_xpos, d->site_xmat, i, &site.local);
  }
  SN_SYNC();
}
