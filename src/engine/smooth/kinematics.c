// Forward kinematics: poses of bodies, joints, geoms and sites from qpos.

#include "engine/smooth/kinematics.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/lanes/lanes.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"
#include "math/quat_vector.h"
#include "math/spatial_four.h"

// ---- the pose of one body

// of the angle of a hinge
typedef struct HalfAngle_ {
  snReal sine, cosine;
} HalfAngle;

enum { JOINTS_OF_BODY = 6, BODIES_AT_ONCE = 8 };  // joints have a dof each, and a body six at most

#if SN_HAS_SHUFFLES && !defined(SN_TEAM)
// position and orientation in one register each
typedef struct Pose_ {
  snThree pos;
  snQuat quat;
} Pose;

SN_KERNEL void toNumbers(snPose* plain, const Pose* pose) {
  sn_threeStore(plain->pos, pose->pos);
  *(snFour*)plain->quat = pose->quat;
}

// The body that was placed last, whose children often come next: its numbers in registers. Loading them as vectors
// just after they were stored in other pieces would stall.
typedef struct Placed_ {
  int body;
  Pose pose;
  snThree mat[3];
} Placed;

// sn_freePose in vectors. Storing numbers one by one and loading them as a vector would stall.
SN_KERNEL void freePose(const snModel* m, snData* d, int joint, Pose* pose) {
  SN_ASSERT_INDEX(joint, m->njnt);
  const snReal* qpos = d->qpos + m->jnt_qposadr[joint];
  pose->pos = sn_threeLoad(qpos);
  pose->quat = sn_quatNormalized(SN_LOAD4(qpos + 3));
  sn_threeStore(d->xanchor + 3 * joint, pose->pos);
  snu_copy3(d->xaxis + 3 * joint, m->jnt_axis + 3 * joint);
}

// pose in which the body is attached to its parent, in the world
SN_KERNEL void attachedPose(const snModel* m, const snData* d, int body, const Placed* last,
                            Pose* pose) {
  int parent = m->body_parentid[body], mocap = m->body_mocapid[body];
  if (mocap >= 0) {
    pose->pos = sn_threeLoad(d->mocap_pos + 3 * mocap);
    pose->quat = sn_quatNormalized(SN_LOAD4(d->mocap_quat + 4 * mocap));
  } else {
    pose->pos = sn_threeLoad(m->body_pos + 3 * body);
    pose->quat = SN_LOAD4(m->body_quat + 4 * body);
  }
  if (parent == 0) return;
  Placed frame = *last;
  if (parent != last->body) {
    const snReal* mat = d->xmat + 9 * parent;
    for (int i = 0; i < 3; i++) frame.mat[i] = sn_threeLoadOver(mat + 3 * i);
    frame.pose.pos = sn_threeLoad(d->xpos + 3 * parent);
    frame.pose.quat = SN_LOAD4(d->xquat + 4 * parent);
  }
  pose->pos = sn_threeAdd(sn_threeTurn(frame.mat, pose->pos), frame.pose.pos);
  pose->quat = sn_quatMul(frame.pose.quat, pose->quat);
}

// rotation by a hinge or a ball
SN_KERNEL snQuat jointRotation(const snModel* m, const snData* d, int joint, snThree axis,
                               const HalfAngle* half) {
  if (m->jnt_type[joint] == snJNT_HINGE) {
    const snQuat unit = {1, 0, 0, 0};  // whatever the axis
    return half->sine == 0 ? unit : sn_quatAbout(axis, half->sine, half->cosine);
  }
  return sn_quatNormalized(SN_LOAD4(d->qpos + m->jnt_qposadr[joint]));
}

// of the hinges of a body
SN_KERNEL void halfAngles(const snModel* m, const snData* d, int body, HalfAngle* half) {
  int first = m->body_jntadr[body], num = m->body_jntnum[body];
  for (int i = 0; i < num; i++) {
    if (m->jnt_type[first + i] != snJNT_HINGE) continue;
    int adr = m->jnt_qposadr[first + i];
    snReal angle = d->qpos[adr] - m->qpos0[adr];
    half[i].sine = 0;
    half[i].cosine = 1;
    if (angle != 0) snu_sincos(angle * (snReal)0.5, &half[i].sine, &half[i].cosine);
  }
}

// sn_applyJoint
SN_KERNEL void applyJoint(const snModel* m, snData* d, int joint, const HalfAngle* half,
                          Pose* pose) {
  SN_ASSERT_INDEX(joint, m->njnt);
  SN_ASSERT(m->jnt_type[joint] != snJNT_FREE);
  const snReal* jnt_pos = m->jnt_pos + 3 * joint;
  int adr = m->jnt_qposadr[joint], central = sn_isZero3(jnt_pos);
  snThree local = sn_threeLoad(m->jnt_axis + 3 * joint), point = sn_threeLoad(jnt_pos);
  snThree axis = sn_quatIsUnit(pose->quat) ? local : sn_threeRotate(local, pose->quat);
  snThree anchor = sn_three(0, 0, 0);
  if (!central) anchor = sn_threeRotate(point, pose->quat);
  anchor = sn_threeAdd(anchor, pose->pos);
  sn_threeStore(d->xaxis + 3 * joint, axis);
  sn_threeStore(d->xanchor + 3 * joint, anchor);
  if (m->jnt_type[joint] == snJNT_SLIDE) {
    pose->pos = sn_threeAdd(pose->pos, sn_threeScl(axis, d->qpos[adr] - m->qpos0[adr]));
    return;
  }
  pose->quat = sn_quatMul(pose->quat, jointRotation(m, d, joint, local, half));
  pose->pos = central ? anchor : sn_threeSub(anchor, sn_threeRotate(point, pose->quat));
  snReal w = pose->quat[0];  // as in sn_holdAnchor
  if (w != w) pose->pos = sn_three(w, w, w);
}

SN_KERNEL void normalize(Pose* pose) { pose->quat = sn_quatNormalized(pose->quat); }

SN_KERNEL void storePose(snData* d, int body, const Pose* pose, Placed* last) {
  snReal* mat = d->xmat + 9 * body;
  last->body = body;
  last->pose = *pose;
  sn_quatToRows(last->mat, pose->quat);
  sn_threeStore(d->xpos + 3 * body, pose->pos);
  *(snFour*)(d->xquat + 4 * body) = pose->quat;
  sn_threeStoreOver(mat, last->mat[0]);
  sn_threeStoreOver(mat + 3, last->mat[1]);
  sn_threeStore(mat + 6, last->mat[2]);
}
#else
typedef snPose Pose;

typedef struct Placed_ {
  int body;
} Placed;

SN_KERNEL void toNumbers(snPose* plain, const Pose* pose) { *plain = *pose; }

SN_KERNEL void freePose(const snModel* m, snData* d, int joint, Pose* pose) {
  sn_freePose(m, d, joint, pose);
}

SN_KERNEL void attachedPose(const snModel* m, const snData* d, int body, const Placed* last,
                            Pose* pose) {
  (void)last;
  int parent = m->body_parentid[body];
  sn_localPose(m, d, body, pose);
  if (parent == 0) return;
  snu_mulMatVec3(pose->pos, d->xmat + 9 * parent, pose->pos);
  snu_addTo3(pose->pos, d->xpos + 3 * parent);
  snu_mulQuat(pose->quat, d->xquat + 4 * parent, pose->quat);
}

SN_KERNEL void halfAngles(const snModel* m, const snData* d, int body, HalfAngle* half) {
  (void)m, (void)d, (void)body, (void)half;
}

SN_KERNEL void applyJoint(const snModel* m, snData* d, int joint, const HalfAngle* half,
                          Pose* pose) {
  (void)half;
  sn_applyJoint(m, d, joint, pose);
}

SN_KERNEL void normalize(Pose* pose) { snu_normalize4(pose->quat); }

SN_KERNEL void storePose(snData* d, int body, const Pose* pose, Placed* last) {
  last->body = body;
  sn_storePose(d, body, pose);
}
#endif

SN_KERNEL void bodyPose(const snModel* m, snData* d, int body, const HalfAngle* half,
                        const Placed* last, Pose* pose) {
  SN_ASSERT_INDEX(body, m->nbody);
  int first = m->body_jntadr[body], num = m->body_jntnum[body];
  if (sn_floats(m, body)) {
    freePose(m, d, first, pose);
  } else {
    attachedPose(m, d, body, last, pose);
    for (int i = 0; i < num; i++) applyJoint(m, d, first + i, half + i, pose);
  }
  normalize(pose);
}

static void worldPose(snData* d) {
  snPose pose;
  sn_unitPose(&pose);
  sn_storePose(d, 0, &pose);
  snu_zero3(d->xipos);
  snu_copy(d->ximat, d->xmat, 9);
}

static int poseDiffers(const snData* d, int body, const Pose* found) {
  SN_ASSERT(body > 0);
  snPose plain, *pose = &plain;
  toNumbers(pose, found);
  const snReal *pos = d->xpos + 3 * body, *quat = d->xquat + 4 * body;
  return pos[0] != pose->pos[0] || pos[1] != pose->pos[1] || pos[2] != pose->pos[2] ||
         quat[0] != pose->quat[0] || quat[1] != pose->quat[1] || quat[2] != pose->quat[2] ||
         quat[3] != pose->quat[3];
}

// A sleeping body that was moved from outside flags its tree in moved (nullable).
SN_KERNEL void placeBody(const snModel* m, snData* d, int body, const HalfAngle* half, int* moved,
                         Placed* last) {
  SN_ASSERT_INDEX(body, m->nbody);
  SN_ASSERT(m->body_parentid[body] < body);
  Pose pose;
  bodyPose(m, d, body, half, last, &pose);
  if (moved && d->body_awake[body] == snS_ASLEEP && m->body_jntnum[body]) {
    if (!poseDiffers(d, body, &pose)) return;
    moved[m->body_treeid[body]] = 1;
  }
  storePose(d, body, &pose, last);
}

// Poses of a few bodies, parents before children; not of static ones where trees may sleep. All sines are computed
// first, because a call would spill the registers that hold poses.
SN_KERNEL void placeFew(const snModel* m, snData* d, const int* body, int n, int sleep,
                        Placed* last) {
  HalfAngle half[BODIES_AT_ONCE * JOINTS_OF_BODY];
  SN_ASSERT(n <= BODIES_AT_ONCE);
  for (int i = 0; i < n; i++) halfAngles(m, d, body[i], half + JOINTS_OF_BODY * i);
  for (int i = 0; i < n; i++) {
    if (sleep && d->body_awake[body[i]] == snS_STATIC) continue;
    placeBody(m, d, body[i], half + JOINTS_OF_BODY * i, NULL, last);
  }
}

// the same of any number
SN_WIDE(static, void, placeListed, (const snModel* m, snData* d, const int* body, int n, int sleep),
        (m, d, body, n, sleep)) {
  Placed last;
  last.body = 0;
  for (int i = 0; i < n; i += BODIES_AT_ONCE) {
    placeFew(m, d, body + i, n - i < BODIES_AT_ONCE ? n - i : BODIES_AT_ONCE, sleep, &last);
  }
}

// By a team: poses of all bodies but the static ones, which a reset has placed when sleeping is enabled. The team takes
// as many bodies at a time as it has lanes, level by level of the tree.
static void bodyPosesTeam(const snModel* m, snData* d, int sleep) {
  int nbody = (int)m->nbody;
  Placed last;
  last.body = 0;
  for (int base = 1; base < nbody; base += SN_LANES) {
    int body = base + SN_LANE, level = -1;
    if (body < nbody && !(sleep && d->body_awake[body] == snS_STATIC)) {
      level = sn_levelFrom(m, base, body);
    }
    int levels = sn_teamMaxInt(level) + 1;
    for (int i = 0; i < levels; i++) {
      if (level == i) placeBody(m, d, body, NULL, NULL, &last);
      SN_SYNC();
    }
  }
}

// Wakes trees that were moved, pushed or given a velocity; all trees when sleeping is disabled.
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
      default: {
        snReal point[3];
        sn_framePoint(point, d->xpos + 3 * body, d->xmat + 9 * body, pos);
        snu_copy3(xpos, point);
        break;
      }
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

// Frames of one kind: inertial frames, geoms or sites, which follow their bodies.
typedef struct Frames_ {
  snReal *xpos, *xmat;
  const snReal *pos, *quat;  // in the body
  const int* body;           // NULL: the number of the frame
  const snByte* same;
} Frames;

SN_KERNEL int bodyOf(const Frames* f, int i) { return f->body ? f->body[i] : i; }

static void placeOne(const snData* d, const Frames* f, int i) {
  placeFrame(d, f->xpos + 3 * i, f->xmat + 9 * i, f->pos + 3 * i, f->quat + 4 * i, bodyOf(f, i),
             f->same[i]);
}

// placeFrame for frames that share position or orientation with their body: shared parts are copied as vectors.
SN_KERNEL void placeShared(const snData* d, const Frames* f, int i) {
  int body = bodyOf(f, i), same = f->same[i];
  snReal *xpos = f->xpos + 3 * i, *xmat = f->xmat + 9 * i;
  SN_ASSERT(same != snSAMEFRAME_NONE);
  if (same == snSAMEFRAME_BODY || same == snSAMEFRAME_INERTIA) {
    const snReal* from = same == snSAMEFRAME_BODY ? d->xpos : d->xipos;
    snu_copy3(xpos, from + 3 * body);
  } else {
    snReal point[3];
    sn_framePoint(point, d->xpos + 3 * body, d->xmat + 9 * body, f->pos + 3 * i);
    snu_copy3(xpos, point);
  }
  int turns = same == snSAMEFRAME_BODY || same == snSAMEFRAME_BODYROT;
  memcpy(xmat, (turns ? d->xmat : d->ximat) + 9 * body, 9 * sizeof(snReal));
}

#if SN_HAS_FOUR
// placeFrame of four that are the same as none of their body's
SN_KERNEL void placeFour(const snData* d, const Frames* f, const int at[4]) {
  int body[4] = {bodyOf(f, at[0]), bodyOf(f, at[1]), bodyOf(f, at[2]), bodyOf(f, at[3])};
  snFour mat[9], pos[3], local[3], point[3];
  sn_takeFour(mat, d->xmat, body, 9);
  sn_takeFour(pos, d->xpos, body, 3);
  sn_takeFour(local, f->pos, at, 3);
  sn_framePointFour(point, pos, mat, local);
  sn_storeFour(f->xpos, at, point, 3);

  snFour turn[4], quat[4], product[4];
  sn_takeFour(turn, d->xquat, body, 4);
  sn_takeFour(quat, f->quat, at, 4);
  sn_quatProductFour(product, turn, quat);
  sn_quat2MatFour(mat, product);
  sn_storeFour(f->xmat, at, mat, 9);
}
#endif

// Frames i = 0 .. n-1, or those that are listed. Frames that share nothing with their body are collected and placed
// four at a time; of the last ones some may be placed twice.
SN_WIDE(static, void, placeFrames, (const snData* d, const Frames* f, int n, const int* list),
        (d, f, n, list)) {
#if SN_HAS_FOUR
  int at[4], waiting = 0;
  for (int i = 0; i < n; i++) {
    int frame = list ? list[i] : i;
    if (f->same[frame]) {
      placeShared(d, f, frame);
      continue;
    }
    at[waiting++] = frame;
    if (waiting == 4) placeFour(d, f, at);
    waiting &= 3;
  }
  if (waiting > 1) {
    for (int k = waiting; k < 4; k++) at[k] = at[0];
    placeFour(d, f, at);
  } else if (waiting) {
    placeOne(d, f, at[0]);
  }
#else
  for (int i = 0; i < n; i++) placeOne(d, f, list ? list[i] : i);
#endif
}

// all frames of a kind, or those of bodies that are awake
static void placeAttached(const snData* d, const Frames* f, int n, int sleep) {
  if (SN_LANES == 1 && !sleep) {
    placeFrames(d, f, n, NULL);
    return;
  }
  SN_FOR(i, n) {
    if (!sleep || d->body_awake[f->body[i]] == snS_AWAKE) placeOne(d, f, i);
  }
}

// the same where few are awake: geoms or sites by their bodies
static void placeAwake(const snData* d, const Frames* f, const int* adr, const int* num) {
  for (int k = 0; k < d->nbody_awake; k++) {
    int body = d->body_awake_ind[k];
    if (d->body_awake[body] != snS_AWAKE) continue;
    for (int i = adr[body]; i < adr[body] + num[body]; i++) placeOne(d, f, i);
  }
}

static void inertialFrames(const snModel* m, snData* d) {
  Frames inertial = {d->xipos, d->ximat, m->body_ipos, m->body_iquat, NULL, m->body_sameframe};
  if (SN_LANES == 1) {
    placeFrames(d, &inertial, d->nbody_awake - 1, d->body_awake_ind + 1);
  } else {
    SN_FOR(i, d->nbody_awake) {
      if (d->body_awake_ind[i]) placeOne(d, &inertial, d->body_awake_ind[i]);
    }
  }
  SN_SYNC();
}

static Frames geomFrames(const snModel* m, const snData* d) {
  Frames geoms = {d->geom_xpos, d->geom_xmat,   m->geom_pos,
                  m->geom_quat, m->geom_bodyid, m->geom_sameframe};
  return geoms;
}

// frames of a kind from one on
static Frames framesFrom(const Frames* all, int first) {
  Frames f = {all->xpos + 3 * first, all->xmat + 9 * first, all->pos + 3 * first,
              all->quat + 4 * first, all->body + first,     all->same + first};
  return f;
}

// geoms of bodies [body, end), which are contiguous
static void placeGeoms(const snModel* m, const snData* d, int body, int end) {
  Frames geoms = geomFrames(m, d);
  int n = 0, first = 0;
  for (; body < end; body++) {
    if (!n && m->body_geomnum[body]) first = m->body_geomadr[body];
    n += m->body_geomnum[body];
  }
  geoms = framesFrom(&geoms, first);
  placeFrames(d, &geoms, n, NULL);
}

// Poses of the bodies that a block lists, all of whose trees are awake, and of their geoms where these are contiguous,
// as they are when no body can sleep.
static void posesOfBlock(const snModel* m, snData* view, void* context) {
  int sleep = sn_sleepEnabled(m), n = view->nbody_awake - 1, *body = view->body_awake_ind + 1;
  (void)context;
  placeListed(m, view, body, n, sleep);
  inertialFrames(m, view);
  if (!sleep) placeGeoms(m, view, body[0], body[n - 1] + 1);
}

static int posesShared(const snModel* m, snData* d) {
  return sn_hasCrew(d) && sn_shareTrees(m, d, 0, posesOfBlock, NULL);
}

enum { FRAMES_AT_ONCE = 128 };

static void placeSome(const snModel* m, snData* view, void* context, int begin, int end) {
  Frames f = framesFrom((const Frames*)context, begin);
  placeAttached(view, &f, end - begin, sn_sleepEnabled(m));
}

static void siteFrames(const snModel* m, snData* d) {
  Frames sites = {d->site_xpos, d->site_xmat,   m->site_pos,
                  m->site_quat, m->site_bodyid, m->site_sameframe};
  SN_SHARE(m, d, m->nsite, FRAMES_AT_ONCE, placeSome, &sites);
  SN_SYNC();
}

static void attachedFrames(const snModel* m, snData* d, int sleep) {
  Frames geoms = geomFrames(m, d);
  if (SN_LANES == 1 && sleep && d->nbody_awake < (int)m->nbody) {
    placeAwake(d, &geoms, m->body_geomadr, m->body_geomnum);
  } else {
    placeAttached(d, &geoms, (int)m->ngeom, sleep);
  }
  siteFrames(m, d);
}

// Is the pose of a free body, bit for bit, that of its coordinates in qpos?
#if SN_HAS_FOUR && !defined(SN_SINGLE)
SN_KERNEL int isInPlace(const snReal q[7], const snReal pos[3], const snReal quat[4]) {
  typedef long long Two __attribute__((vector_size(16), aligned(8), may_alias));
  const Two *a = (const Two*)q, *b = (const Two*)(q + 3), *c = (const Two*)(q + 5);
  Two differ = (a[0] ^ *(const Two*)pos) | (b[0] ^ *(const Two*)quat);
  differ |= c[0] ^ *(const Two*)(quat + 2);
  long long x, y;
  memcpy(&x, q + 2, sizeof(snReal));
  memcpy(&y, pos + 2, sizeof(snReal));
  return !(differ[0] | differ[1] | (x ^ y));
}
#else
SN_KERNEL int isInPlace(const snReal q[7], const snReal pos[3], const snReal quat[4]) {
  return !memcmp(q, pos, 3 * sizeof(snReal)) && !memcmp(q + 3, quat, 4 * sizeof(snReal));
}
#endif

// the same of n consecutive bodies
#if SN_HAS_FOUR && !defined(SN_SINGLE)
SN_KERNEL int areInPlace(const snReal* q, const snReal* pos, const snReal* quat, int n) {
  typedef long long Four __attribute__((vector_size(32), aligned(8), may_alias));
  const Four three = {-1, -1, -1, 0};  // the number after a position belongs to another body
  Four differ = {0, 0, 0, 0};
  int last = n - 1;
  for (int i = 0; i < last; i++) {
    differ |= (*(const Four*)(q + 7 * i) ^ *(const Four*)(pos + 3 * i)) & three;
    differ |= *(const Four*)(q + 7 * i + 3) ^ *(const Four*)(quat + 4 * i);
  }
  return !(differ[0] | differ[1] | differ[2] | differ[3]) &&
         isInPlace(q + 7 * last, pos + 3 * last, quat + 4 * last);
}
#else
SN_KERNEL int areInPlace(const snReal* q, const snReal* pos, const snReal* quat, int n) {
  int same = 1;
  for (int i = 0; i < n; i++) same &= isInPlace(q + 7 * i, pos + 3 * i, quat + 4 * i);
  return same;
}
#endif

// A sleeping body that floats, and whose coordinates are those of its pose: a quaternion of unit length is its own
// normal form.
SN_KERNEL int staysAsleep(const snModel* m, const snData* d, int body) {
  if (d->body_awake[body] != snS_ASLEEP || !sn_floats(m, body)) return 0;
  const snReal *q = d->qpos + m->jnt_qposadr[m->body_jntadr[body]], *t = q + 3;
  if (!isInPlace(q, d->xpos + 3 * body, d->xquat + 4 * body)) return 0;
  snReal excess = (t[0] * t[0] + t[1] * t[1]) + (t[2] * t[2] + t[3] * t[3]) - 1;
  return snu_abs(excess) < (snReal)snMINVAL;
}

enum { SLEEPERS_AT_ONCE = 64 };

// Do n consecutive bodies float? If n joints have six dofs each they are free joints, and a free joint is the only one
// of its body.
SN_KERNEL int allFloat(const snModel* m, int body) {
  int more = SLEEPERS_AT_ONCE - 1, last = body + more, first = m->body_jntadr[body];
  return last < (int)m->nbody && first >= 0 && sn_floats(m, last) &&
         m->body_jntadr[last] - first == more &&
         m->body_dofadr[last] - m->body_dofadr[body] == 6 * more;
}

// staysAsleep of n bodies. Orientations have unit length already, because kinematics computed them.
SN_KERNEL int allStayAsleep(const snModel* m, const snData* d, int body) {
  int asleep = allFloat(m, body);
  for (int k = 0; asleep && k < SLEEPERS_AT_ONCE; k += 16) {
    for (int i = k; i < k + 16; i++) asleep &= d->body_awake[body + i] == snS_ASLEEP;
  }
  return asleep && areInPlace(d->qpos + m->jnt_qposadr[m->body_jntadr[body]], d->xpos + 3 * body,
                              d->xquat + 4 * body, SLEEPERS_AT_ONCE);
}

// the first body from one on whose pose has to be computed
SN_WIDE(static, int, skipSleepers, (const snModel* m, const snData* d, int body), (m, d, body)) {
  int nbody = (int)m->nbody, single = body;  // they are looked at one by one before this one
  while (body < nbody) {
    if (body >= single) {
      if (allStayAsleep(m, d, body)) {
        body += SLEEPERS_AT_ONCE;
        continue;
      }
      single = body + SLEEPERS_AT_ONCE;
    }
    if (d->body_awake[body] != snS_STATIC && !staysAsleep(m, d, body)) break;
    body++;
  }
  return body < nbody ? body : nbody;
}

// poses of all bodies but sleepers that are known to stay so
SN_WIDE(static, void, placeAmongSleepers, (const snModel* m, snData* d, int sleep, int* moved),
        (m, d, sleep, moved)) {
  Placed last;
  last.body = 0;
  for (int body = 1; body < (int)m->nbody; body++) {
    if (sleep) body = skipSleepers(m, d, body);
    if (body == (int)m->nbody) break;
    HalfAngle half[JOINTS_OF_BODY];
    halfAngles(m, d, body, half);
    placeBody(m, d, body, half, moved, &last);
  }
}

// Poses while trees are asleep; wakes trees that were moved.
static void posesAsleep(const snModel* m, snData* d, int sleep) {
  sn_markStack(d);
  int* moved = SN_STACK(d, int, m->ntree);
  for (int tree = 0; moved && tree < (int)m->ntree; tree++) moved[tree] = 0;
  placeAmongSleepers(m, d, sleep, moved);
  wakeMoved(m, d, sleep, moved);
  sn_freeStack(d);
}

static SN_OUTLINE void kinematics(const snModel* m, snData* d) {
  int sleep = sn_sleepEnabled(m);
  if (SN_LANE == 0) worldPose(d);
  SN_SYNC();
  if (d->ntree_awake < (int)m->ntree) {
    SN_SOLO(posesAsleep(m, d, sleep));
  } else if (sn_plans(m, d, snPLAN_QUICK_POSES)) {
    sn_bodyPosesLanes(m, d);
  } else if (posesShared(m, d)) {
    if (sleep) {
      attachedFrames(m, d, sleep);
    } else {
      placeGeoms(m, d, 0, 1);
      siteFrames(m, d);
    }
    return;
  } else if (SN_LANES > 1) {
    bodyPosesTeam(m, d, sleep);
  } else {
    placeListed(m, d, d->body_awake_ind + 1, d->nbody_awake - 1, sleep);
  }
  inertialFrames(m, d);
  attachedFrames(m, d, sleep);
}

SN_STAGE void sn_kinematics(const snModel* m, snData* d) {
  if (sn_plans(m, d, snPLAN_POSES)) {
    sn_kinematicsLanes(m, d);
  } else {
    kinematics(m, d);
  }
}
