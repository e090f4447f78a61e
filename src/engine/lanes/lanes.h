// Stages for teams that have a lane for each body, joint, dof, tendon, actuator and contact (README.md), and the sums over
// trees that they share: each lane holds the values of one body or dof in registers.

#ifndef SINEW_ENGINE_LANES_LANES_H_
#define SINEW_ENGINE_LANES_LANES_H_

#include "base/assert.h"
#include "base/team.h"
#include "math/math.h"
#include "sinew/sinew.h"

// How many ancestors of the body have numbers from base on.
static inline int sn_levelFrom(const snModel* m, int base, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int level = 0;
  for (int parent = m->body_parentid[body]; parent >= base; parent = m->body_parentid[parent]) {
    level++;
  }
  return level;
}

// Numbers of another lane. n: a compile-time constant.
SN_KERNEL void sn_lanesOther(snReal* res, const snReal* value, int n, int lane) {
  SN_UNROLL
  for (int c = 0; c < n; c++) res[c] = sn_warpFrom(value[c], lane);
}

// Six numbers of another lane; zeros if `lane` is negative.
SN_KERNEL void sn_lanesOther6(snReal res[6], const snReal value[6], int lane) {
  int other = lane < 0 ? 0 : lane;
  SN_UNROLL
  for (int c = 0; c < 6; c++) {
    snReal x = sn_warpFrom(value[c], other);
    res[c] = lane < 0 ? 0 : x;
  }
}

// value += the values of all ancestors. Pointer jumping: after round k each value is the sum over a node and its next
// 2^k - 1 ancestors, and `parent` is the 2^k-th ancestor (negative: none).
SN_KERNEL void sn_lanesSumAbove6(snReal value[6], int parent) {
  SN_PLAIN_LOOP
  while (sn_warpAny(parent >= 0)) {
    snReal more[6];
    int next = sn_warpFromInt(parent, parent < 0 ? 0 : parent);
    sn_lanesOther6(more, value, parent);
    SN_UNROLL
    for (int c = 0; c < 6; c++) value[c] += more[c];
    if (parent >= 0) parent = next;
  }
}

// Sums over subtrees: each node adds its value to that of its parent, from the last node to the first (children come
// after their parents).
SN_KERNEL void sn_lanesSumBelow(snReal* value, int n, int nodes, int parent) {
  SN_ASSERT(nodes <= SN_LANES && parent < SN_LANE);
  int lane = SN_LANE;
  SN_PLAIN_LOOP
  for (int k = nodes - 1; k > 0; k--) {
    int mine = sn_warpFromInt(parent, k) == lane;
    SN_UNROLL
    for (int c = 0; c < n; c++) {
      snReal x = sn_warpFrom(value[c], k);
      if (mine) value[c] += x;
    }
  }
}

// The same for x in memory, with `size` numbers (at most 10) for each of n bodies. The team takes a block of bodies at a
// time, one for each lane, from the last block to the first. Parents with numbers below `first` are left as they are.
SN_KERNEL void sn_lanesSumSubtrees(const int* parentid, snReal* x, int size, int n, int first) {
  SN_ASSERT(SN_LANES > 1 && size <= 10 && n > 0);
  int lane = SN_LANE, lanes = SN_LANES;
  SN_PLAIN_LOOP
  for (int base = (n - 1) / lanes * lanes; base >= 0; base -= lanes) {
    int body = base + lane, own = body < n ? body : 0, parent = own ? parentid[own] : -1;
    snReal value[10];
    SN_UNROLL
    for (int c = 0; c < size; c++) value[c] = body < n ? x[size * own + c] : 0;
    if (parent < first) parent = -1;
    sn_lanesSumBelow(value, size, n - base < lanes ? n - base : lanes,
                     parent >= base ? parent - base : -1);
    SN_UNROLL
    for (int c = 0; c < size; c++) {
      if (body < n) x[size * own + c] = value[c];
    }
    SN_SYNC();
    // bodies whose parents are in an earlier block
    SN_PLAIN_LOOP
    for (int k = base ? lanes - 1 : -1; k >= 0; k--) {
      int above = sn_warpFromInt(parent, k);
      if (above < 0 || above >= base) continue;
      SN_FOR(c, size) x[size * above + c] += x[size * (base + k) + c];
    }
    SN_SYNC();
  }
}

// value += the sums of all ancestors, from parents to children, as one lane would add them. Lanes hold consecutive bodies;
// parent: the lane of the body's parent (negative: its sum is in `value` already, or there is none).
SN_KERNEL void sn_lanesSumChains6(snReal value[6], int parent) {
  SN_ASSERT(parent < SN_LANE);
  unsigned done = sn_warpBallot(parent < 0);
  SN_PLAIN_LOOP
  while (sn_warpAny(parent >= 0)) {
    snReal above[6];
    sn_lanesOther6(above, value, parent);
    int ready = parent >= 0 && done >> parent & 1;
    SN_UNROLL
    for (int c = 0; c < 6; c++) value[c] = ready ? above[c] + value[c] : value[c];
    if (ready) parent = -1;
    done = sn_warpBallot(parent < 0);
  }
}

// Sum of `force` over the actuators that act on this lane's dof. Lane i passes the force of actuator i, and in `column` the
// dof that it acts on.
SN_KERNEL snReal sn_lanesSumOverDof(int nu, int column, snReal force) {
  SN_ASSERT(nu >= 0 && nu <= SN_LANES);
  int lane = SN_LANE;
  snReal sum = 0;
  SN_PLAIN_LOOP
  for (int i = 0; i < nu; i += 4) {
    SN_UNROLL
    for (int k = 0; k < 4; k++) {
      int to = sn_warpFromInt(column, i + k);
      snReal part = sn_warpFrom(force, i + k);
      if (to == lane && i + k < nu) sum += part;
    }
  }
  return sum;
}

SN_EXTERN_C_BEGIN

// ---- stages ----------------------------------------------------------------------------------------
//
// README.md says when each is called. Those that return int return 0, having changed nothing, when the model needs the
// general version.

// position
void sn_kinematicsLanes(const snModel* m, snData* d);
void sn_bodyPosesLanes(const snModel* m, snData* d);  // only poses of bodies, of any number
void sn_comPosLanes(const snModel* m, snData* d);
int sn_tendonLanes(const snModel* m, snData* d);
void sn_crbLanes(const snModel* m, snData* d);
int sn_transmissionLanes(const snModel* m, snData* d);

// velocity
void sn_pathVelocitiesLanes(const snModel* m, snData* d);
void sn_velocityLanes(const snModel* m, snData* d);  // sn_comVel and the bias force
int sn_passiveLanes(const snModel* m, snData* d);
void sn_referenceLanes(const snModel* m, snData* d);

// acceleration
int sn_actuationLanes(const snModel* m, snData* d);
int sn_accelerationLanes(const snModel* m, snData* d);
void sn_mulJacVecLanes(const snModel* m, const snData* d, snReal* res, const snReal* vec);
void sn_EulerLanes(const snModel* m, snData* d);
int sn_implicitFastLanes(const snModel* m, snData* d);

// models of any size with simple springs, dampers and actuators
int sn_passivePass(const snModel* m, snData* d);
int sn_actuationPass(const snModel* m, snData* d);
int sn_smoothForcePass(const snModel* m, snData* d);
int sn_implicitFastPass(const snModel* m, snData* d);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_LANES_LANES_H_
