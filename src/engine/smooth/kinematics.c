// Forward kinematics: poses of bodies, joints, geoms and sites from qpos.

#include "base/arena.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"

// Running pose of a body while its joints are applied one after the other.
typedef struct Pose_ {
  snReal pos[3];
  snReal quat[4];
} Pose;

SN_KERNEL void unitPose(Pose* pose) {
  snu_zero3(pose->pos);
  snu_unit4(pose->quat);
}

// a body that floats: its joint is its pose
SN_KERNEL void freePose(const snModel* m, snData* d, int joint, Pose* pose) {
  const snReal* qpos = d->qpos + m->jnt_qposadr[joint];
  snu_copy3(pose->pos, qpos);
  snu_copy4(pose->quat, qpos + 3);
  snu_normalize4(pose->quat);
  snu_copy3(d->xanchor + 3 * joint, pose->pos);
  snu_copy3(d->xaxis + 3 * joint, m->jnt_axis + 3 * joint);
}

// pose in which the body is attached to its parent
SN_KERNEL void attachedPose(const snModel* m, const snData* d, int body, Pose* pose) {
  const snReal* pos = m->body_pos + 3 * body;
  const snReal* quat = m->body_quat + 4 * body;
  snReal mocap_quat[4];
  int mocap = m->body_mocapid[body];
  if (mocap >= 0) {
    pos = d->mocap_pos + 3 * mocap;
    snu_copy4(mocap_quat, d->mocap_quat + 4 * mocap);
    snu_normalize4(mocap_quat);
    quat = mocap_quat;
  }

  int parent = m->body_parentid[body];
  if (parent == 0) {
    snu_copy3(pose->pos, pos);
    snu_copy4(pose->quat, quat);
    return;
  }
  snu_mulMatVec3(pose->pos, d->xmat + 9 * parent, pos);
  snu_addTo3(pose->pos, d->xpos + 3 * parent);
  snu_mulQuat(pose->quat, d->xquat + 4 * parent, quat);
}

// turn about an anchor that stays where it is: quat <- quat * turn, pos = anchor - quat . jnt_pos
SN_KERNEL void turnAbout(Pose* pose, const snReal turn[4], const snReal anchor[3],
                         const snReal jnt_pos[3]) {
  snReal quat[4], offset[3];
  snu_mulQuat(quat, pose->quat, turn);
  snu_copy4(pose->quat, quat);
  snu_rotVecQuat(offset, jnt_pos, pose->quat);
  snu_sub3(pose->pos, anchor, offset);
  // an orientation that is not a number leaves no position, not even at the anchor
  if (pose->quat[0] != pose->quat[0]) pose->pos[0] = pose->pos[1] = pose->pos[2] = pose->quat[0];
}

// rotation by a hinge or a ball
SN_KERNEL void jointTurn(const snModel* m, const snData* d, int joint, snReal turn[4]) {
  int adr = m->jnt_qposadr[joint];
  if (m->jnt_type[joint] == snJNT_HINGE) {
    snu_axisAngle2Quat(turn, m->jnt_axis + 3 * joint, d->qpos[adr] - m->qpos0[adr]);
  } else {
    snu_copy4(turn, d->qpos + adr);
    snu_normalize4(turn);
  }
}

// turned: xaxis and xanchor hold the rotation until this joint's turn comes
SN_KERNEL void applyJoint(const snModel* m, snData* d, int joint, int turned, Pose* pose) {
  const snReal* jnt_axis = m->jnt_axis + 3 * joint;
  const snReal* jnt_pos = m->jnt_pos + 3 * joint;
  snReal* axis = d->xaxis + 3 * joint;
  snReal* anchor = d->xanchor + 3 * joint;
  int adr = m->jnt_qposadr[joint];
  snReal turn[4];
  if (turned) {
    snu_copy3(turn, axis);
    turn[3] = anchor[0];
  }

  // axis and anchor before this joint's own motion
  snu_rotVecQuat(axis, jnt_axis, pose->quat);
  snu_rotVecQuat(anchor, jnt_pos, pose->quat);
  snu_addTo3(anchor, pose->pos);

  switch (m->jnt_type[joint]) {
    case snJNT_SLIDE: snu_addToScl3(pose->pos, axis, d->qpos[adr] - m->qpos0[adr]); break;
    case snJNT_HINGE:
    case snJNT_BALL:
      if (!turned) jointTurn(m, d, joint, turn);
      turnAbout(pose, turn, anchor, jnt_pos);
      break;
  }
}

SN_KERNEL void bodyPose(const snModel* m, snData* d, int body, Pose* pose) {
  int first = m->body_jntadr[body], num = m->body_jntnum[body];
  if (num == 1 && m->jnt_type[first] == snJNT_FREE) {
    freePose(m, d, first, pose);
  } else {
    attachedPose(m, d, body, pose);
    for (int joint = first; joint < first + num; joint++) applyJoint(m, d, joint, 0, pose);
  }
  snu_normalize4(pose->quat);
}

SN_KERNEL void storePose(snData* d, int body, const Pose* pose) {
  snu_copy3(d->xpos + 3 * body, pose->pos);
  snu_copy4(d->xquat + 4 * body, pose->quat);
  snu_quat2Mat(d->xmat + 9 * body, pose->quat);
}

static void worldPose(snData* d) {
  Pose pose;
  unitPose(&pose);
  storePose(d, 0, &pose);
  snu_zero3(d->xipos);
  snu_copy(d->ximat, d->xmat, 9);
}

static int poseDiffers(const snData* d, int body, const Pose* pose) {
  const snReal *pos = d->xpos + 3 * body, *quat = d->xquat + 4 * body;
  return pos[0] != pose->pos[0] || pos[1] != pose->pos[1] || pos[2] != pose->pos[2] ||
         quat[0] != pose->quat[0] || quat[1] != pose->quat[1] || quat[2] != pose->quat[2] ||
         quat[3] != pose->quat[3];
}

// Poses of all bodies but the static ones, which a reset has placed when sleeping is enabled. A
// sleeping body that was moved from outside flags its tree in moved (nullable).
static void bodyPoses(const snModel* m, snData* d, int sleep, int* moved) {
  Pose pose;
  worldPose(d);
  for (int body = 1; body < (int)m->nbody; body++) {
    if (sleep && d->body_awake[body] == snS_STATIC) continue;
    bodyPose(m, d, body, &pose);
    if (moved && d->body_awake[body] == snS_ASLEEP && m->body_jntnum[body]) {
      if (!poseDiffers(d, body, &pose)) continue;
      moved[m->body_treeid[body]] = 1;
    }
    storePose(d, body, &pose);
  }
}

// ---- the same by a team, with nothing asleep
//
// A lane for each joint, then for each body: its pose in the frame of its parent, with the axes and
// anchors of its joints. A lane then takes the pose of the body that its own refers to, and refers
// to what that one does: twice as far up each time.

static void worldPoseTeam(snData* d) {
  SN_FOR(i, 9) {
    snReal one = i % 4 == 0;
    d->xmat[i] = d->ximat[i] = one;
    if (i < 4) d->xquat[i] = one;
    if (i < 3) d->xpos[i] = d->xipos[i] = 0;
  }
}

// rotations by joints, to where applyJoint looks for them
static void jointTurns(const snModel* m, snData* d) {
  SN_FOR(joint, m->njnt) {
    if (m->jnt_type[joint] != snJNT_HINGE && m->jnt_type[joint] != snJNT_BALL) continue;
    snReal turn[4];
    jointTurn(m, d, joint, turn);
    snu_copy3(d->xaxis + 3 * joint, turn);
    d->xanchor[3 * joint] = turn[3];
  }
}

static void poseInParent(const snModel* m, snData* d, int body, Pose* pose) {
  int first = m->body_jntadr[body], num = m->body_jntnum[body], mocap = m->body_mocapid[body];
  if (num == 1 && m->jnt_type[first] == snJNT_FREE) {
    freePose(m, d, first, pose);
    return;
  }
  snu_copy3(pose->pos, mocap < 0 ? m->body_pos + 3 * body : d->mocap_pos + 3 * mocap);
  snu_copy4(pose->quat, mocap < 0 ? m->body_quat + 4 * body : d->mocap_quat + 4 * mocap);
  if (mocap >= 0) snu_normalize4(pose->quat);
  SN_PLAIN_LOOP
  for (int joint = first; joint < first + num; joint++) applyJoint(m, d, joint, 1, pose);
}

static void placeOn(const snReal pos[3], const snReal quat[4], Pose* pose) {
  snu_rotVecQuat(pose->pos, pose->pos, quat);
  snu_addTo3(pose->pos, pos);
  snu_mulQuat(pose->quat, quat, pose->quat);
}

// what another lane has
SN_KERNEL void poseFrom(Pose* res, const Pose* pose, int lane) {
  SN_UNROLL
  for (int c = 0; c < 3; c++) res->pos[c] = sn_warpFrom(pose->pos[c], lane);
  SN_UNROLL
  for (int c = 0; c < 4; c++) res->quat[c] = sn_warpFrom(pose->quat[c], lane);
}

// the pose from one that refers to another lane's (none: below 0)
static void referToWorld(Pose* pose, int up) {
  while (sn_warpAny(up >= 0)) {
    int other = up < 0 ? 0 : up, next = sn_warpFromInt(up, other);
    Pose above;
    poseFrom(&above, pose, other);
    if (up < 0) continue;
    placeOn(above.pos, above.quat, pose);
    up = next;
  }
}

// axes and anchors from the frame of the body's parent to the world's
static void placeJoints(const snModel* m, snData* d) {
  SN_FOR(joint, m->njnt) {
    int parent = m->body_parentid[m->jnt_bodyid[joint]];
    if (!parent) continue;
    const snReal* xmat = d->xmat + 9 * parent;
    snReal *axis = d->xaxis + 3 * joint, *anchor = d->xanchor + 3 * joint;
    snu_mulMatVec3(axis, xmat, axis);
    snu_mulMatVec3(anchor, xmat, anchor);
    snu_addTo3(anchor, d->xpos + 3 * parent);
  }
}

static void bodyPosesByLanes(const snModel* m, snData* d, int sleep) {
  int lanes = SN_LANES, nbody = (int)m->nbody;
  worldPoseTeam(d);
  jointTurns(m, d);
  SN_SYNC();
  for (int base = 1; base < nbody; base += lanes) {
    int body = base + SN_LANE, up = -1, moves = 0;
    Pose pose;
    unitPose(&pose);
    if (body < nbody) {
      int parent = m->body_parentid[body];
      moves = !(sleep && d->body_awake[body] == snS_STATIC);
      if (moves) {
        poseInParent(m, d, body, &pose);
        if (parent >= base) up = parent - base;
      } else {
        snu_copy3(pose.pos, d->xpos + 3 * body);
        snu_copy4(pose.quat, d->xquat + 4 * body);
      }
      if (moves && parent && parent < base) {
        placeOn(d->xpos + 3 * parent, d->xquat + 4 * parent, &pose);
      }
    }
    referToWorld(&pose, up);
    if (moves) {
      snu_normalize4(pose.quat);
      storePose(d, body, &pose);
    }
    SN_SYNC();
  }
  placeJoints(m, d);
  SN_SYNC();
}

// ---- the same with a lane for each joint, body and coordinate of qpos: nothing is read back
//
// The frame after a joint is the one before it, moved by the joint. The motions of the joints of a
// body are chained first, then bodies refer to the world, then come the frames before the joints.

// What is attached to a body: an inertial frame, a geom or a site.
typedef struct Attached_ {
  int body;
  int sameframe;
  Pose local;
} Attached;

SN_KERNEL void loadPose(Pose* pose, const snReal* pos, const snReal* quat, int i) {
  snu_copy3(pose->pos, pos + 3 * i);
  snu_copy4(pose->quat, quat + 4 * i);
}

// replace position and orientation, or one of them
SN_KERNEL void choosePose(Pose* pose, int otherPos, int otherQuat, const Pose* other) {
  SN_UNROLL
  for (int c = 0; c < 3; c++) pose->pos[c] = otherPos ? other->pos[c] : pose->pos[c];
  SN_UNROLL
  for (int c = 0; c < 4; c++) pose->quat[c] = otherQuat ? other->quat[c] : pose->quat[c];
}

// motion of this lane's joint; qpos is that of the lane's coordinate
SN_KERNEL void jointMotion(int type, int adr, const snReal axis[3], const snReal anchor[3],
                           snReal qpos, snReal travel, Pose* motion) {
  int isFree = type == snJNT_FREE, isBall = type == snJNT_BALL;
  unitPose(motion);
  if (type == snJNT_HINGE) snu_axisAngle2Quat(motion->quat, axis, travel);
  if (sn_warpAny(isFree || isBall)) {
    Pose given;
    SN_UNROLL
    for (int c = 0; c < 3; c++) given.pos[c] = sn_warpFrom(qpos, adr + c);
    SN_UNROLL
    for (int c = 0; c < 4; c++) given.quat[c] = sn_warpFrom(qpos, adr + c + (isFree ? 3 : 0));
    snu_normalize4(given.quat);
    choosePose(motion, isFree, isFree || isBall, &given);
  }
  // a turn leaves the anchor where it is; one that is not a number leaves no position
  snReal turned[3], bad = motion->quat[0];
  snu_rotVecQuat(turned, anchor, motion->quat);
  SN_UNROLL
  for (int c = 0; c < 3; c++) {
    snReal moved = type == snJNT_SLIDE ? axis[c] * travel : anchor[c] - turned[c];
    if (!isFree) motion->pos[c] = bad == bad ? moved : bad;
  }
}

// motion <- those of the joints of the body up to this lane's one after the other
SN_KERNEL void chainMotions(Pose* motion, int first, int longest) {
  int joint = SN_LANE;
  SN_PLAIN_LOOP
  for (int step = 1; step < longest; step *= 2) {
    Pose before;
    poseFrom(&before, motion, joint - step);
    if (joint - step >= first) placeOn(before.pos, before.quat, motion);
  }
}

SN_KERNEL void loadFrame(Attached* frame, int i, int n, const int* body, const snByte* sameframe,
                         const snReal* pos, const snReal* quat) {
  int k = i < n ? i : n - 1;
  frame->body = body[k];
  frame->sameframe = sameframe[k];
  loadPose(&frame->local, pos, quat, k);
}

// Pose in the world, from those of the bodies of lanes and of their inertial frames in them.
SN_KERNEL void placeAttached(Attached* frame, const Pose* bodies, const Pose* inertias) {
  int same = frame->sameframe, turned = same == snSAMEFRAME_INERTIAROT;
  Pose other;
  if (sn_warpAny(same == snSAMEFRAME_INERTIA || turned)) {
    poseFrom(&other, inertias, frame->body);
    choosePose(&frame->local, same == snSAMEFRAME_INERTIA, same == snSAMEFRAME_INERTIA || turned,
               &other);
  }
  unitPose(&other);
  choosePose(&frame->local, same == snSAMEFRAME_BODY,
             same == snSAMEFRAME_BODY || same == snSAMEFRAME_BODYROT, &other);
  poseFrom(&other, bodies, frame->body);
  placeOn(other.pos, other.quat, &frame->local);
}

SN_KERNEL void storeFrame(snReal* xpos, snReal* xmat, int i, const Pose* pose) {
  snu_copy3(xpos + 3 * i, pose->pos);
  snu_quat2Mat(xmat + 9 * i, pose->quat);
}

static void kinematicsLanes(const snModel* m, snData* d) {
  int lane = SN_LANE, lanes = SN_LANES, nbody = (int)m->nbody, njnt = (int)m->njnt;
  int body = lane < nbody ? lane : 0, joint = lane < njnt ? lane : 0, q = lane < m->nq ? lane : 0;
  int ngeom = (int)m->ngeom, nsite = (int)m->nsite;

  // all that is needed, at once
  int parent = m->body_parentid[body], first = m->body_jntadr[body], num = m->body_jntnum[body];
  int mocap = m->nmocap ? m->body_mocapid[body] : -1;
  int type = m->jnt_type[joint], adr = m->jnt_qposadr[joint], owner = m->jnt_bodyid[joint];
  snReal qpos = d->qpos[q], travel = qpos - m->qpos0[q], axis[3], anchor[3];
  Pose local, inertia, motion, pose, other;
  Attached frame, geom;
  snu_copy3(axis, m->jnt_axis + 3 * joint);
  snu_copy3(anchor, m->jnt_pos + 3 * joint);
  loadPose(&local, m->body_pos, m->body_quat, body);
  loadFrame(&frame, body, nbody, m->body_parentid, m->body_sameframe, m->body_ipos, m->body_iquat);
  if (ngeom) {
    loadFrame(&geom, lane, ngeom, m->geom_bodyid, m->geom_sameframe, m->geom_pos, m->geom_quat);
  }
  if (mocap >= 0) {
    loadPose(&local, d->mocap_pos, d->mocap_quat, mocap);
    snu_normalize4(local.quat);
  }

  // joints of each body, then bodies; a body that floats is attached to nothing
  int floats = sn_warpFromInt(type, first) == snJNT_FREE && num == 1;
  int firstOfOwner = sn_warpFromInt(first, owner);
  jointMotion(type, adr, axis, anchor, qpos, sn_warpFrom(travel, adr), &motion);
  chainMotions(&motion, firstOfOwner, sn_warpMaxInt(num));
  unitPose(&other);
  choosePose(&local, floats || !body, floats || !body, &other);
  poseFrom(&pose, &motion, first + num - 1);
  choosePose(&pose, !num, !num, &other);
  placeOn(local.pos, local.quat, &pose);
  referToWorld(&pose, floats || !parent ? -1 : parent);
  snu_normalize4(pose.quat);

  // the frame in which a body is attached is the one before its first joint
  poseFrom(&other, &pose, floats ? 0 : parent);
  placeOn(other.pos, other.quat, &local);
  poseFrom(&other, &local, owner);
  poseFrom(&local, &motion, joint - 1);
  if (joint == firstOfOwner) unitPose(&local);
  placeOn(other.pos, other.quat, &local);
  snu_rotVecQuat(axis, axis, local.quat);
  snu_rotVecQuat(anchor, anchor, local.quat);
  snu_addTo3(anchor, local.pos);
  if (type == snJNT_FREE) snu_copy3(anchor, motion.pos);

  // inertial frames; the world's is its own
  frame.body = body;
  if (!body) frame.sameframe = snSAMEFRAME_BODY;
  inertia = frame.local;
  if (frame.sameframe == snSAMEFRAME_BODY) snu_zero3(inertia.pos);
  if (frame.sameframe == snSAMEFRAME_BODY || frame.sameframe == snSAMEFRAME_BODYROT) {
    snu_unit4(inertia.quat);
  }
  frame.local = inertia;
  placeOn(pose.pos, pose.quat, &frame.local);
  if (lane < njnt) {
    snu_copy3(d->xaxis + 3 * joint, axis);
    snu_copy3(d->xanchor + 3 * joint, anchor);
  }
  if (lane < nbody) {
    storePose(d, body, &pose);
    storeFrame(d->xipos, d->ximat, body, &frame.local);
  }

  // geoms and sites follow their bodies
  SN_PLAIN_LOOP
  for (int i = lane; i - lane < ngeom; i += lanes) {
    if (i > lane) {
      loadFrame(&geom, i, ngeom, m->geom_bodyid, m->geom_sameframe, m->geom_pos, m->geom_quat);
    }
    placeAttached(&geom, &pose, &inertia);
    if (i < ngeom) storeFrame(d->geom_xpos, d->geom_xmat, i, &geom.local);
  }
  SN_PLAIN_LOOP
  for (int i = lane; i - lane < nsite; i += lanes) {
    loadFrame(&frame, i, nsite, m->site_bodyid, m->site_sameframe, m->site_pos, m->site_quat);
    placeAttached(&frame, &pose, &inertia);
    if (i < nsite) storeFrame(d->site_xpos, d->site_xmat, i, &frame.local);
  }
  SN_SYNC();
}

// wake what was moved, pushed or given a velocity; with the flag off, everything
static void wakeMoved(const snModel* m, snData* d, int sleep, const int* moved) {
  if (sleep) {
    if (sn_wake(m, d, moved)) sn_updateSleep(m, d);
  } else {
    for (int tree = 0; tree < (int)m->ntree; tree++) d->tree_asleep[tree] = -(1 + snMINAWAKE);
    sn_updateSleep(m, d);
  }
}

SN_OUTLINE SN_KERNEL void placeFrame(const snData* d, snReal* xpos, snReal* xmat, const snReal* pos,
                                     const snReal* quat, int body, snByte sameframe) {
  if (xpos && pos) {
    switch (sameframe) {
      case snSAMEFRAME_BODY: snu_copy3(xpos, d->xpos + 3 * body); break;
      case snSAMEFRAME_INERTIA: snu_copy3(xpos, d->xipos + 3 * body); break;
      default:
        snu_mulMatVec3(xpos, d->xmat + 9 * body, pos);
        snu_addTo3(xpos, d->xpos + 3 * body);
        break;
    }
  }

  if (xmat && quat) {
    snReal product[4];
    switch (sameframe) {
      case snSAMEFRAME_NONE:
        snu_mulQuat(product, d->xquat + 4 * body, quat);
        snu_quat2Mat(xmat, product);
        break;
      case snSAMEFRAME_BODY:
      case snSAMEFRAME_BODYROT: snu_copy(xmat, d->xmat + 9 * body, 9); break;
      default: snu_copy(xmat, d->ximat + 9 * body, 9); break;
    }
  }
}

void sn_local2Global(snData* d, snReal xpos[3], snReal xmat[9], const snReal pos[3],
                     const snReal quat[4], int body, snByte sameframe) {
  placeFrame(d, xpos, xmat, pos, quat, body, sameframe);
}

// inertial frames, geoms and sites follow their bodies
static void attachedFrames(const snModel* m, snData* d, int sleep) {
  SN_FOR(i, d->nbody_awake) {
    int body = d->body_awake_ind[i];
    if (!body) continue;
    placeFrame(d, d->xipos + 3 * body, d->ximat + 9 * body, m->body_ipos + 3 * body,
               m->body_iquat + 4 * body, body, m->body_sameframe[body]);
  }
  SN_SYNC();
  SN_FOR(geom, m->ngeom) {
    int body = m->geom_bodyid[geom];
    if (sleep && d->body_awake[body] != snS_AWAKE) continue;
    placeFrame(d, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_pos + 3 * geom,
               m->geom_quat + 4 * geom, body, m->geom_sameframe[geom]);
  }
  SN_FOR(site, m->nsite) {
    int body = m->site_bodyid[site];
    if (sleep && d->body_awake[body] != snS_AWAKE) continue;
    placeFrame(d, d->site_xpos + 3 * site, d->site_xmat + 9 * site, m->site_pos + 3 * site,
               m->site_quat + 4 * site, body, m->site_sameframe[site]);
  }
  SN_SYNC();
}

// poses while trees are asleep, and those trees awake that were moved
static void posesAsleep(const snModel* m, snData* d, int sleep) {
  sn_markStack(d);
  int* moved = SN_STACK(d, int, m->ntree);
  for (int tree = 0; moved && tree < (int)m->ntree; tree++) moved[tree] = 0;
  bodyPoses(m, d, sleep, moved);
  wakeMoved(m, d, sleep, moved);
  sn_freeStack(d);
}

// The same with the CPU's arithmetic, parents first, level by level.
static void bodyPosesByLevels(const snModel* m, snData* d, int sleep) {
  int lanes = SN_LANES, nbody = (int)m->nbody;
  const int* parents = m->body_parentid;
  worldPoseTeam(d);
  SN_SYNC();
  for (int base = 1; base < nbody; base += lanes) {
    int body = base + SN_LANE, level = -1;
    if (body < nbody && !(sleep && d->body_awake[body] == snS_STATIC)) {
      level = 0;
      for (int parent = parents[body]; parent >= base; parent = parents[parent]) level++;
    }
    int levels = sn_teamMaxInt(level) + 1;
    for (int i = 0; i < levels; i++) {
      if (level == i) {
        Pose pose;
        bodyPose(m, d, body, &pose);
        storePose(d, body, &pose);
      }
      SN_SYNC();
    }
  }
}

static SN_OUTLINE void kinematics(const snModel* m, snData* d) {
  int sleep = sn_sleepEnabled(m);
  int asleep = d->ntree_awake < (int)m->ntree;
  if (asleep) {
    SN_SYNC();
    SN_SOLO(posesAsleep(m, d, sleep));
  } else if (sn_plans(m, d, snPLAN_QUICK_POSES)) {
    bodyPosesByLanes(m, d, sleep);
  } else if (SN_LANES > 1) {
    bodyPosesByLevels(m, d, sleep);
  } else {
    bodyPoses(m, d, sleep, NULL);
  }
  attachedFrames(m, d, sleep);
}

SN_STAGE void sn_kinematics(const snModel* m, snData* d) {
  if (sn_plans(m, d, snPLAN_POSES)) {
    kinematicsLanes(m, d);
  } else {
    kinematics(m, d);
  }
}
