// Forces that need no control: springs, dampers, gravity compensation, fluid.

#include "engine/smooth/passive.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/deform/deform.h"
#include "engine/lanes/lanes.h"
#include "engine/plugin/plugin.h"
#include "engine/smooth/capstan.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/force.h"
#include "engine/smooth/tendon.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"

// ---- joints

// -k (q - q_spring) on the free coordinates, -k times the rotation vector on quaternions
static void jointSpring(const snModel* m, snData* d, int joint) {
  SN_ASSERT_INDEX(joint, m->njnt);
  snReal stiffness = m->jnt_stiffness[joint];
  if (stiffness == 0) return;
  int adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
  snReal dif[3], quat[4];
  switch (m->jnt_type[joint]) {
    case snJNT_FREE:
      snu_sub3(dif, d->qpos + adr, m->qpos_spring + adr);
      snu_scl3(d->qfrc_spring + dof, dif, -stiffness);
      adr += 3;
      dof += 3;
      // the rotation of a free joint is a ball joint
      // fall through
    case snJNT_BALL:
      snu_copy4(quat, d->qpos + adr);
      snu_normalize4(quat);
      snu_subQuat(dif, quat, m->qpos_spring + adr);
      snu_scl3(d->qfrc_spring + dof, dif, -stiffness);
      break;
    default: d->qfrc_spring[dof] = -stiffness * (d->qpos[adr] - m->qpos_spring[adr]); break;
  }
}

// of the bodies that d lists
static void listedSprings(const snModel* m, snData* d) {
  for (int i = 1; i < d->nbody_awake; i++) {
    int body = d->body_awake_ind[i], first = m->body_jntadr[body];
    for (int k = 0; k < m->body_jntnum[body]; k++) jointSpring(m, d, first + k);
  }
}

static void jointSprings(const snModel* m, snData* d) {
  int asleep = sn_someAsleep(m, d);
  if (SN_LANES == 1 && asleep) {
    listedSprings(m, d);
    return;
  }
  SN_FOR(joint, m->njnt) {
    if (asleep && d->body_awake[m->jnt_bodyid[joint]] == snS_ASLEEP) continue;
    if (m->jnt_stiffness[joint] != 0) jointSpring(m, d, joint);
  }
  SN_SYNC();
}

// start of the stage: dampers of dofs, and zeros where forces will be added
static void startForces(const snModel* m, snData* d, int hasDamper) {
  SN_ASSERT(d->nv_awake >= 0 && d->nv_awake <= (int)m->nv);
  if (SN_LANES == 1 && d->nv_awake == (int)m->nv) {
    int nv = (int)m->nv;
    snu_zero(d->qfrc_spring, nv);
    snu_zero(d->qfrc_gravcomp, nv);
    snu_zero(d->qfrc_fluid, nv);
    for (int dof = 0; dof < nv; dof++) {
      d->qfrc_damper[dof] = hasDamper ? -m->dof_damping[dof] * d->qvel[dof] : 0;
    }
    return;
  }
  SN_FOR(i, d->nv_awake) {
    int dof = d->dof_awake_ind[i];
    d->qfrc_spring[dof] = 0;
    d->qfrc_gravcomp[dof] = 0;
    d->qfrc_fluid[dof] = 0;
    d->qfrc_damper[dof] = hasDamper ? -m->dof_damping[dof] * d->qvel[dof] : 0;
  }
  SN_SYNC();
}

static void forcesOfBlock(const snModel* m, snData* view, void* context) {
  const int* has = (const int*)context;
  startForces(m, view, has[1]);
  if (has[0]) listedSprings(m, view);
}

// springs and dampers of joints and dofs
static void jointForces(const snModel* m, snData* d, int hasSpring, int hasDamper) {
  int has[2] = {hasSpring, hasDamper};
  if (sn_hasCrew(d) && sn_shareTrees(m, d, 0, forcesOfBlock, has)) return;
  startForces(m, d, hasDamper);
  if (hasSpring) jointSprings(m, d);
}

// ---- tendons

// Spring outside of the dead band [lower, upper], and damper along the tendon. All lanes of a team take the same
// tendon.
static void tendonSpringDampers(const snModel* m, snData* d, int hasSpring, int hasDamper) {
  int asleep = sn_someAsleep(m, d), sparse = sn_isSparse(m);
  for (int i = 0; i < (int)m->ntendon; i++) {
    snReal stiffness = hasSpring ? m->tendon_stiffness[i] : 0;
    snReal damping = hasDamper ? m->tendon_damping[i] : 0;
    if (stiffness == 0 && damping == 0) {
      SN_ONE d->ten_force[i] = 0;
      continue;
    }
    if (asleep && sn_sleepState(m, d, snOBJ_TENDON, i) == snS_ASLEEP) continue;
    snReal lower = m->tendon_lengthspring[2 * i], upper = m->tendon_lengthspring[2 * i + 1];
    snReal length = d->ten_length[i], spring = 0;
    if (length > upper) {
      spring = stiffness * (upper - length);
    } else if (length < lower) {
      spring = stiffness * (lower - length);
    }
    snReal damper = -damping * d->ten_velocity[i];
    SN_ONE d->ten_force[i] = spring + damper;
    sn_addTendonSprings(m, d, i, sparse, spring, damper);
  }
  SN_SYNC();
}

// ---- gravity compensation

static void compensation(const snModel* m, int body, snReal force[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  snu_scl3(force, m->opt.gravity, -(m->body_mass[body] * m->body_gravcomp[body]));
}

static void gravityCompensationTeam(const snModel* m, snData* d) {
  snReal* wrench = sn_takeWrenches(m, d);
  const snReal none[3] = {0, 0, 0};
  SN_FOR(body, wrench ? m->nbody : 0) {
    snReal force[3] = {0, 0, 0};
    if (d->body_awake[body] != snS_ASLEEP) compensation(m, body, force);
    sn_wrenchAtCom(m, d, force, none, d->xipos + 3 * body, body, wrench + 6 * body);
  }
  sn_addWrenches(m, d, wrench, d->qfrc_gravcomp);
}

// returns whether there is any
static int gravityCompensation(const snModel* m, snData* d) {
  if (snu_isZero(m->opt.gravity, 3) || !sn_hasGravcomp(m)) return 0;
  if (SN_LANES > 1) {
    gravityCompensationTeam(m, d);
    return 1;
  }
  const snReal none[3] = {0, 0, 0};
  for (int i = 0; i < d->nbody_awake; i++) {
    int body = d->body_awake_ind[i];
    if (!body || m->body_gravcomp[body] == 0) continue;
    snReal force[3];
    compensation(m, body, force);
    sn_addWrench(m, d, force, none, d->xipos + 3 * body, body, d->qfrc_gravcomp);
  }
  return 1;
}

// ---- the stage

// Does only this stage write to qfrc_passive?
static int keepsSums(const snModel* m, const snData* d) {
  return !m->nplugin && !m->ncapstan && !m->ndeformable && !m->nflex && !d->callback.passive;
}

// the sum; dofs that are asleep get the same sum again
static void sumForces(const snModel* m, snData* d, int hasGravcomp, int hasFluid) {
  // no other stage writes there, so the sums of sleeping dofs are still valid
  if (SN_LANES == 1 && sn_someAsleep(m, d) && !hasGravcomp && !hasFluid && keepsSums(m, d)) {
    for (int i = 0; i < d->nv_awake; i++) {
      int dof = d->dof_awake_ind[i];
      d->qfrc_passive[dof] = d->qfrc_spring[dof] + d->qfrc_damper[dof];
    }
    return;
  }
  SN_FOR(dof, m->nv) d->qfrc_passive[dof] = d->qfrc_spring[dof] + d->qfrc_damper[dof];
  if (hasFluid) {
    SN_FOR(dof, m->nv) d->qfrc_passive[dof] += d->qfrc_fluid[dof];
  }
  if (hasGravcomp) {
    SN_FOR(dof, m->nv) {
      if (!m->jnt_actgravcomp[m->dof_jntid[dof]]) d->qfrc_passive[dof] += d->qfrc_gravcomp[dof];
    }
  }
  SN_SYNC();
}

static SN_OUTLINE void passive(const snModel* m, snData* d) {
  if (SN_LANES > 1 && sn_passivePass(m, d)) return;
  int hasSpring = !(m->opt.disableflags & snDSBL_SPRING);
  int hasDamper = !(m->opt.disableflags & snDSBL_DAMPER);
  jointForces(m, d, hasSpring, hasDamper);
  if (!hasSpring && !hasDamper) {
    sn_zeroShared(d->ten_force, (int)m->ntendon);
    sumForces(m, d, 0, 0);
    return;
  }

  if (m->nflex) sn_flexPassive(m, d, hasSpring, hasDamper);
  tendonSpringDampers(m, d, hasSpring, hasDamper);
  int hasGravcomp = gravityCompensation(m, d);
  int hasFluid = sn_hasFluid(m);
  if (hasFluid) sn_fluidForces(m, d);
  if (m->nflex) sn_flexPassiveContacts(m, d);

  sumForces(m, d, hasGravcomp, hasFluid);
  if (m->ncapstan) sn_capstanPassive(m, d);
  if (d->callback.passive) SN_SOLO(d->callback.passive(m, d));
  if (m->nplugin) {
    SN_SOLO(sn_pluginPassive(m, d));
    SN_SOLO(sn_userCompute(m, d, snPLUGIN_PASSIVE, 0));
  }
}

SN_STAGE void sn_passive(const snModel* m, snData* d) {
  if (!sn_plans(m, d, snPLAN_PASSIVE) || !sn_passiveLanes(m, d)) passive(m, d);
  if (m->ndeformable) sn_deformForces(m, d);
}
