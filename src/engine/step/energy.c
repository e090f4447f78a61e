// Potential and kinetic energy.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/step/sleep.h"
#include "math/math.h"

static snReal square(const snReal* vec, int n) { return snu_dot(vec, vec, n); }

// |displacement|^2 of a joint spring
static snReal jointDisplacement(const snModel* m, const snData* d, int joint) {
  SN_ASSERT_INDEX(joint, m->njnt);
  const snReal* q = d->qpos + m->jnt_qposadr[joint];
  const snReal* rest = m->qpos_spring + m->jnt_qposadr[joint];
  snReal dif[3], quat[4], sum = 0;
  switch (m->jnt_type[joint]) {
    case snJNT_FREE:
      snu_sub3(dif, q, rest);
      sum = square(dif, 3);
      q += 3;
      rest += 3;
      // fall through
    case snJNT_BALL:
      snu_copy4(quat, q);
      snu_normalize4(quat);
      snu_subQuat(dif, quat, rest);
      return sum + square(dif, 3);
    default: return (*q - *rest) * (*q - *rest);
  }
}

static snReal jointEnergy(const snModel* m, const snData* d) {
  int asleep = sn_someAsleep(m, d);
  snReal energy = 0;
  SN_FOR(joint, m->njnt) {
    snReal stiffness = m->jnt_stiffness[joint];
    if (stiffness == 0) continue;
    if (asleep && d->body_awake[m->jnt_bodyid[joint]] != snS_AWAKE) continue;
    energy += (snReal)0.5 * stiffness * jointDisplacement(m, d, joint);
  }
  return energy;
}

// a tendon spring has a dead band
static snReal tendonEnergy(const snModel* m, const snData* d) {
  int asleep = sn_someAsleep(m, d);
  snReal energy = 0;
  SN_FOR(tendon, m->ntendon) {
    snReal stiffness = m->tendon_stiffness[tendon], length = d->ten_length[tendon];
    if (stiffness == 0) continue;
    if (asleep && sn_sleepState(m, d, snOBJ_TENDON, tendon) != snS_AWAKE) continue;
    const snReal* band = m->tendon_lengthspring + 2 * tendon;
    snReal dif = length > band[1] ? band[1] - length : (length < band[0] ? band[0] - length : 0);
    energy += (snReal)0.5 * stiffness * dif * dif;
  }
  return energy;
}

static snReal edgeEnergy(const snModel* m, const snData* d) {
  snReal energy = 0;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    snReal stiffness = m->flex_edgestiffness[flex];
    if (m->flex_rigid[flex] || stiffness == 0 || m->flex_dim[flex] > 1) continue;
    int first = m->flex_edgeadr[flex];
    SN_FOR(k, m->flex_edgenum[flex]) {
      int edge = first + k;
      if (m->flexedge_rigid[edge]) continue;
      snReal dif = m->flexedge_length0[edge] - d->flexedge_length[edge];
      energy += (snReal)0.5 * stiffness * dif * dif;
    }
  }
  return energy;
}

void sn_energyPos(const snModel* m, snData* d) {
  snReal energy = 0;
  if (!(m->opt.disableflags & snDSBL_GRAVITY)) {
    SN_FOR(i, m->nbody - 1) {
      int body = i + 1;
      energy -= m->body_mass[body] * snu_dot3(m->opt.gravity, d->xipos + 3 * body);
    }
  }
  if (!(m->opt.disableflags & snDSBL_SPRING)) {
    energy += jointEnergy(m, d);
    energy += tendonEnergy(m, d);
    energy += edgeEnergy(m, d);
    energy += sn_flexLawEnergy(m, d);
  }
  energy = sn_teamSum(energy);
  SN_ONE {
    d->energy[0] = energy;
    d->flg_energypos = 1;
  }
  SN_SYNC();
}

void sn_energyVel(const snModel* m, snData* d) {
  sn_markStack(d);
  snReal* momentum = SN_STACK(d, snReal, m->nv);
  if (momentum) {
    sn_mulM(m, d, momentum, d->qvel);
    SN_ONE {
      d->energy[1] = (snReal)0.5 * snu_dot(momentum, d->qvel, (int)m->nv);
      d->flg_energyvel = 1;
    }
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
  SN_SYNC();
}
