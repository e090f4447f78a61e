// Cartesian forces mapped to generalised ones.

#ifndef SINEW_ENGINE_SMOOTH_FORCE_H_
#define SINEW_ENGINE_SMOOTH_FORCE_H_

#include "base/assert.h"
#include "engine/constrain/contact_lists.h"
#include "engine/lanes/lanes.h"
#include "math/four.h"
#include "math/math.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Gravity enters as an upward acceleration of the world.
SN_KERNEL void sn_worldAcceleration(const snModel* m, snReal acc[6]) {
  sn_zero6(acc);
  if (!(m->opt.disableflags & snDSBL_GRAVITY)) snu_scl3(acc + 3, m->opt.gravity, -1);
}

// Force for the motion of a body: f_b = I a + v x* (I v).
SN_KERNEL void sn_bodyForce(const snReal* inertia, const snReal* vel, const snReal* cacc,
                            snReal* force) {
  snReal linear[6], momentum[6], gyroscopic[6];
  sn_mulInertVec(linear, inertia, cacc);
  sn_mulInertVec(momentum, inertia, vel);
  sn_crossForce(gyroscopic, vel, momentum);
  for (int k = 0; k < 6; k++) force[k] = linear[k] + gyroscopic[k];
}

// sn_rnePostConstraint by a crew, with the contacts of all bodies at hand; returns 0 when it was not done.
int sn_shareForces(const snModel* m, snData* d, const snContactLists* lists);

// qfrc += J' [torque; force] of a wrench at a point of a body.
void sn_addWrench(const snModel* m, const snData* d, const snReal force[3], const snReal torque[3],
                  const snReal point[3], int body, snReal* qfrc);

// Sums over subtrees of x, which has `size` numbers for each body: those of children are added to their parents, except
// to the world, from the last body of an ascending list (NULL: all). In a team, when `size` is small and all bodies are
// listed, each lane holds a body; otherwise it sums some of the numbers of all bodies.
SN_KERNEL void sn_sumSubtrees(const snModel* m, snReal* x, int size, int n, const int* bodies) {
  SN_ASSERT(n >= 0 && n <= (int)m->nbody);
  if (SN_LANES > 1 && SN_LANES == SN_WARP_LANES && size <= 10 && n == (int)m->nbody) {
    sn_lanesSumSubtrees(m->body_parentid, x, size, n, 1);
    return;
  }
  int begin, end = sn_shareOf(size, &begin);
  for (int i = n - 1; i > 0; i--) {
    int body = bodies ? bodies[i] : i, parent = m->body_parentid[body];
    if (parent <= 0) continue;
    int c = begin;
#if SN_HAS_FOUR
    for (; c + 4 <= end; c += 4) {
      *(snFour*)(x + size * parent + c) += SN_LOAD4(x + size * body + c);
    }
    for (; c + 2 <= end; c += 2) {
      *(snTwo*)(x + size * parent + c) += SN_LOAD2(x + size * body + c);
    }
#endif
    for (; c < end; c++) x[size * parent + c] += x[size * body + c];
  }
  SN_SYNC();
}

// A team first sums the wrenches of all bodies, each at the com of its tree, over subtrees, and then projects them on
// the dofs. Memory for them (nbody x 6; NULL: no room, and a warning was given); qfrc += their generalised force, and
// the end of the memory.
snReal* sn_takeWrenches(const snModel* m, snData* d);
void sn_addWrenches(const snModel* m, snData* d, snReal* wrench, snReal* qfrc);

// A force at a point of a body as a wrench at the com of its tree.
void sn_wrenchAtCom(const snModel* m, const snData* d, const snReal force[3],
                    const snReal torque[3], const snReal point[3], int body, snReal wrench[6]);

// qfrc += generalised force of a force and a torque at the centre of mass of every body (nbody x 6).
void sn_addBodyForces(const snModel* m, snData* d, const snReal* xfrc, snReal* qfrc);

// qfrc += generalised force of xfrc_applied.
void sn_xfrcAccumulate(const snModel* m, snData* d, snReal* qfrc);
// The same for bodies that are awake, from a place of their list on.
void sn_addListedForces(const snModel* m, const snData* d, int first, snReal* qfrc);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_FORCE_H_
