// Tendons with a lane for each tendon, dof, joint, coordinate of qpos and wrapping object: see
// smooth/tendon.c and smooth/velocity.c.

#include "base/assert.h"
#include "engine/lanes/lanes.h"
#include "engine/step/plan.h"
#include "math/math.h"

enum { MOST = snPATH_TENDONS };

// Lengths and Jacobians of fixed tendons, in the dense layout. Returns 0, having done nothing, when there are other
// tendons.
SN_STAGE int sn_tendonLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nwrap > 0 && m->nwrap <= SN_LANES && m->ntendon <= snFEW_TENDONS);
  int lane = SN_LANE, nv = (int)m->nv, ntendon = (int)m->ntendon;
  int nwrap = (int)m->nwrap, njnt = (int)m->njnt, nq = (int)m->nq;
  int joint = lane < njnt ? lane : 0, wrap = lane < nwrap ? lane : 0;
  int tendon = lane < ntendon ? lane : 0, q = lane < nq ? lane : 0;
  int first = m->tendon_adr[tendon], num = m->tendon_num[tendon];
  int type = m->wrap_type[wrap], id = m->wrap_objid[wrap];
  int adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
  snReal coef = m->wrap_prm[wrap], qpos = d->qpos[q], own = 0;
  if (sn_warpAny(type != snWRAP_JOINT)) return 0;
  adr = sn_warpFromInt(adr, id);
  dof = sn_warpFromInt(dof, id);
  snReal part = coef * sn_warpFrom(qpos, adr);
  SN_PLAIN_LOOP
  for (int t = 0; t < ntendon; t++) {
    int begin = sn_warpFromInt(first, t), end = begin + sn_warpFromInt(num, t);
    snReal length = 0, entry = 0;
    SN_PLAIN_LOOP
    for (int k = begin; k < end; k++) {
      int column = sn_warpFromInt(dof, k);
      snReal factor = sn_warpFrom(coef, k);
      length += sn_warpFrom(part, k);
      if (column == lane) entry = factor;
    }
    if (lane < nv) d->ten_J[t * nv + lane] = entry;
    if (lane == t) own = length;
  }
  if (lane < ntendon) {
    d->ten_length[lane] = own;
    d->ten_wrapnum[lane] = d->ten_wrapadr[lane] = 0;
  }
  SN_SYNC();
  return 1;
}

// The moment of the lane's actuator times the velocities of the dofs. speed: of the lane's dof.
SN_KERNEL snReal momentTimesVelocity(const snData* d, int nnz, int adr, snReal speed) {
  int most = sn_warpMaxInt(nnz);
  snReal sum = 0;
  SN_PLAIN_LOOP
  for (int k = 0; k < most; k++) {
    int own = k < nnz ? adr + k : 0, column = d->moment_colind[own];
    snReal part = d->actuator_moment[own] * sn_warpFrom(speed, column);
    if (k < nnz) sum += part;
  }
  return sum;
}

// Velocities of tendons in the dense layout and of actuators.
SN_STAGE void sn_pathVelocitiesLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nu > 0 && m->nu <= SN_LANES && m->ntendon <= MOST);
  int lane = SN_LANE, nu = (int)m->nu, nv = (int)m->nv, ntendon = (int)m->ntendon;
  int dof = lane < nv ? lane : 0, i = lane < nu ? lane : 0;
  int nnz = d->moment_rownnz[i], adr = d->moment_rowadr[i], column = d->moment_colind[i];
  snReal speed = d->qvel[dof], moment = d->actuator_moment[i], sum[MOST], own = 0;
  if (ntendon) {
    SN_UNROLL
    for (int k = 0; k < MOST; k++) sum[k] = d->ten_J[(k < ntendon ? k : 0) * nv + dof];
  }
  if (lane >= nv) speed = 0;
  snReal along = moment * sn_warpFrom(speed, column);
  if (sn_warpAny(nnz != 1 || adr != i)) along = momentTimesVelocity(d, nnz, adr, speed);
  if (lane < nu) d->actuator_velocity[lane] = along;
  SN_UNROLL
  for (int k = 0; k < MOST; k++) {
    if (k >= ntendon) break;
    snReal total = sn_teamSum(sum[k] * speed);
    if (lane == k) own = total;
  }
  if (lane < ntendon) d->ten_velocity[lane] = own;
  SN_SYNC();
}
