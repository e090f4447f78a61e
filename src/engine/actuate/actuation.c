// Actuator forces: controls, activation dynamics, gain and bias, limits, and their projection.

#include "engine/actuate/actuation.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "base/warning.h"
#include "engine/actuate/hill.h"
#include "engine/actuate/law.h"
#include "engine/actuate/muscle.h"
#include "engine/lanes/lanes.h"
#include "engine/plugin/plugin.h"
#include "engine/smooth/capstan.h"
#include "engine/smooth/passive.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "engine/step/timer.h"
#include "math/math.h"

#define MINVAL ((snReal)snMINVAL)

// ---- controls

// a bad control: it is reported, and all controls count as zero
static SN_OUTLINE void dropControls(const snModel* m, snData* d, snReal* ctrl) {
  int bad = 0;
  while (!snu_isBad(ctrl[bad])) bad++;
#ifdef __CUDACC__
  sn_warning(d, snWARN_BADCTRL, bad);
#else
  sn_warningNamed(d, snWARN_BADCTRL, bad, m->names + m->name_actuatoradr[bad]);
#endif
  snu_zero(ctrl, (int)m->nu);
}

// the controls that act now: delayed, clamped; returns whether one of them is bad
static int someControls(const snModel* m, snData* d, snReal* ctrl, int begin, int end) {
  int clamp = !(m->opt.disableflags & snDSBL_CLAMPCTRL), delays = m->nhistory > 0, bad = 0;
  SN_FOR(k, end - begin) {
    int i = begin + k, delayed = delays && m->actuator_delay[i] != 0;
    snReal value = delayed ? sn_readCtrl(m, d, i, d->time, -1) : d->ctrl[i];
    if (clamp && m->actuator_ctrllimited[i]) {
      const snReal* range = m->actuator_ctrlrange + 2 * i;
      value = snu_clip(value, range[0], range[1]);
    }
    bad |= snu_isBad(value);
    ctrl[i] = value;
  }
  return sn_teamAny(bad);
}

// all of them, which are zero when one is bad
static void localControls(const snModel* m, snData* d, snReal* ctrl) {
  if (someControls(m, d, ctrl, 0, (int)m->nu)) {
    SN_SYNC();
    SN_SOLO(dropControls(m, d, ctrl));
  }
}

// ---- activations

// rate of the last activation of an actuator
static snReal activationRate(const snModel* m, const snData* d, int i, snReal ctrl, snReal act) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* prm = m->actuator_dynprm + snNDYN * i;
  switch (m->actuator_dyntype[i]) {
    case snDYN_INTEGRATOR: return ctrl;
    case snDYN_FILTER:
    case snDYN_FILTEREXACT: return (ctrl - act) / snu_max(MINVAL, prm[0]);
    case snDYN_MUSCLE:
    case snDYN_HILL: return snu_muscleDynamics(ctrl, act, prm);
    default: return d->callback.act_dyn ? d->callback.act_dyn(m, d, i) : 0;
  }
}

static SN_OUTLINE void activationRates(const snModel* m, snData* d, const snReal* ctrl) {
  int asleep = sn_sleepEnabled(m);  // a crank between static sites always rests
  int wide = SN_LANES == 1 && !asleep && !m->nplugin, done = 0;
  SN_FOR(i, m->nu) {
    if (wide && i >= done && m->actuator_dyntype[i] == snDYN_MUSCLE &&
        sn_muscleRates(m, d, i, ctrl + i)) {
      done = i + snNMUSCLES;
    }
    if (i < done) continue;
    int first = m->actuator_actadr[i], num = m->actuator_actnum[i];
    if (first < 0 || (m->actuator_plugin[i] >= 0 && m->actuator_dyntype[i] == snDYN_NONE)) continue;
    if (asleep && sn_sleepState(m, d, snOBJ_ACTUATOR, i) == snS_ASLEEP) continue;
    int last = first + num - 1;
    snu_zero(d->act_dot + first, num);
    snReal rate = activationRate(m, d, i, ctrl[i], d->act[last]);
    // a callback writes the rates of several activations itself
    if (m->actuator_dyntype[i] != snDYN_USER || num == 1) d->act_dot[last] = rate;
    if (m->actuator_dyntype[i] == snDYN_HILL && num > 1) {
      d->act_dot[first] = sn_hillFibreRate(m, d, i);
    }
  }
  SN_SYNC();
}

snReal sn_nextActivation(const snModel* m, const snData* d, int actuator, int adr, snReal act_dot) {
  SN_ASSERT_INDEX(actuator, m->nu);
  snReal act = d->act[adr], h = m->opt.timestep;
  if (m->actuator_dyntype[actuator] == snDYN_FILTEREXACT) {
    // the filter integrated exactly over the step
    snReal tau = snu_max(MINVAL, m->actuator_dynprm[snNDYN * actuator]);
    act += act_dot * tau * (1 - snu_exp(-h / tau));
  } else {
    act += act_dot * h;
  }
  if (m->actuator_actlimited[actuator]) {
    const snReal* range = m->actuator_actrange + 2 * actuator;
    act = snu_clip(act, range[0], range[1]);
  }
  if (m->actuator_dyntype[actuator] == snDYN_HILL) return sn_hillFloor(m, actuator, adr, act);
  return act;
}

// ---- scalar forces

static SN_OUTLINE snReal muscleGain(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* prm = m->actuator_gainprm + snNGAIN * i;
  switch (m->actuator_gaintype[i]) {
    case snGAIN_MUSCLE:
      return snu_muscleGain(d->actuator_length[i], d->actuator_velocity[i],
                            m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], prm);
    case snGAIN_HILL: return sn_hillGain(m, d, i);
    case snGAIN_MODEL: return sn_lawGain(m, d, i);
    default: return d->callback.act_gain ? d->callback.act_gain(m, d, i) : 1;
  }
}

SN_KERNEL snReal gain(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* prm = m->actuator_gainprm + snNGAIN * i;
  switch (m->actuator_gaintype[i]) {
    case snGAIN_FIXED: return prm[0];
    case snGAIN_AFFINE: return sn_affine(prm, d->actuator_length[i], d->actuator_velocity[i]);
    default: return muscleGain(m, d, i);
  }
}

snReal sn_actuatorGain(const snModel* m, const snData* d, int i) { return gain(m, d, i); }

static SN_OUTLINE snReal muscleBias(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* prm = m->actuator_biasprm + snNBIAS * i;
  switch (m->actuator_biastype[i]) {
    case snBIAS_MUSCLE:
      return snu_muscleBias(d->actuator_length[i], m->actuator_lengthrange + 2 * i,
                            m->actuator_acc0[i], prm);
    case snBIAS_HILL: return sn_hillBias(m, d, i);
    case snBIAS_MODEL: return sn_lawBias(m, d, i);
    default: return d->callback.act_bias ? d->callback.act_bias(m, d, i) : 0;
  }
}

static snReal bias(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* prm = m->actuator_biasprm + snNBIAS * i;
  switch (m->actuator_biastype[i]) {
    case snBIAS_NONE: return 0;
    case snBIAS_AFFINE: return sn_affine(prm, d->actuator_length[i], d->actuator_velocity[i]);
    default: return muscleBias(m, d, i);
  }
}

snReal sn_actuatorInput(const snModel* m, const snData* d, int actuator, snReal ctrl) {
  SN_ASSERT_INDEX(actuator, m->nu);
  if (m->actuator_actadr[actuator] < 0) return ctrl;
  int last = m->actuator_actadr[actuator] + m->actuator_actnum[actuator] - 1;
  if (!m->actuator_actearly[actuator]) return d->act[last];
  return sn_nextActivation(m, d, actuator, last, d->act_dot[last]);
}

// Force = gain input + bias, where ctrl may be the forces themselves. A lane has the same actuators as in localControls.
struct Forces_ {
  snReal* ctrl;
  int limited;  // whether a tendon with a total force limit is involved
  int bad;      // whether a control is not a number
};
typedef struct Forces_ Forces;

// the inputs of several muscles, and their forces; 0: there are not as many
static int muscleForces(const snModel* m, snData* d, const snReal* ctrl, int first) {
  snReal input[snNMUSCLES];
  for (int k = 0; k < snNMUSCLES; k++)
    input[k] = sn_actuatorInput(m, d, first + k, ctrl[first + k]);
  return sn_muscleForces(d->actuator_force + first, m, d, first, input);
}

static void someForces(const snModel* m, snData* d, void* context, int begin, int end) {
  Forces* forces = (Forces*)context;
  const snReal* ctrl = forces->ctrl;
  int limited = 0, asleep = sn_sleepEnabled(m), tendons = m->ntendon > 0;
  int some = m->opt.disableactuator || m->nplugin || asleep, active = m->na > 0;
  int wide = SN_LANES == 1 && !some, done = begin;
  SN_FOR(k, end - begin) {
    int i = begin + k;
    if (wide && i >= done && i + snNMUSCLES <= end && m->actuator_gaintype[i] == snGAIN_MUSCLE &&
        muscleForces(m, d, ctrl, i)) {
      done = i + snNMUSCLES;
    }
    int rests = some && (sn_actuatorDisabled(m, i) || m->actuator_plugin[i] >= 0 ||
                         (asleep && sn_sleepState(m, d, snOBJ_ACTUATOR, i) == snS_ASLEEP));
    if (i >= done) {
      snReal input = active && !rests ? sn_actuatorInput(m, d, i, ctrl[i]) : ctrl[i];
      d->actuator_force[i] = rests ? 0 : gain(m, d, i) * input + bias(m, d, i);
    }
    limited |= !rests && tendons && m->actuator_trntype[i] == snTRN_TENDON &&
               m->tendon_actfrclimited[m->actuator_trnid[2 * i]];
  }
  if (tendons && sn_teamAny(limited)) SN_RAISE(forces->limited);
}

enum { ACTUATORS_AT_ONCE = 64 };

// functions of the user have one thread
static int lawsAreOurs(const snModel* m, const snData* d) {
  return !m->nactmodel && !d->callback.act_gain && !d->callback.act_bias;
}

// Returns whether a tendon is limited.
static int scalarForces(const snModel* m, snData* d, snReal* ctrl) {
  Forces forces = {ctrl, 0, 0};
  if (lawsAreOurs(m, d)) {
    SN_SHARE(m, d, m->nu, ACTUATORS_AT_ONCE, someForces, &forces);
  } else {
    someForces(m, d, &forces, 0, (int)m->nu);
  }
  return forces.limited;
}

// scale the forces of all actuators on a tendon so that their sum is within the tendon's range
static SN_OUTLINE void clampTendonForces(const snModel* m, snData* d) {
  int nu = (int)m->nu;
  sn_markStack(d);
  snReal* total = SN_STACK(d, snReal, m->ntendon);
  if (!total) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  snu_zero(total, (int)m->ntendon);
  for (int i = 0; i < nu; i++) {
    int tendon = m->actuator_trnid[2 * i];
    if (m->actuator_trntype[i] == snTRN_TENDON && m->tendon_actfrclimited[tendon]) {
      total[tendon] += d->actuator_force[i];
    }
  }
  for (int i = 0; i < nu; i++) {
    int tendon = m->actuator_trnid[2 * i];
    if (m->actuator_trntype[i] != snTRN_TENDON || !m->tendon_actfrclimited[tendon]) continue;
    const snReal* range = m->tendon_actfrcrange + 2 * tendon;
    snReal sum = total[tendon];
    if (sum == 0) continue;
    if (sum < range[0]) {
      d->actuator_force[i] *= range[0] / sum;
    } else if (sum > range[1]) {
      d->actuator_force[i] *= range[1] / sum;
    }
  }
  sn_freeStack(d);
}

static void clampForces(const snModel* m, snData* d, int begin, int end) {
  SN_FOR(k, end - begin) {
    int i = begin + k;
    if (!m->actuator_forcelimited[i]) continue;
    const snReal* range = m->actuator_forcerange + 2 * i;
    d->actuator_force[i] = snu_clip(d->actuator_force[i], range[0], range[1]);
  }
  SN_SYNC();
}

// All of this for some actuators.
static void someActuators(const snModel* m, snData* view, void* context, int begin, int end) {
  Forces* forces = (Forces*)context;
  if (someControls(m, view, forces->ctrl, begin, end)) SN_RAISE(forces->bad);
  someForces(m, view, forces, begin, end);
  clampForces(m, view, begin, end);
}

// By several threads, where nothing stands between controls, forces and their limits; 0: it is not to be used.
static int actuateShared(const snModel* m, snData* d, snReal* ctrl) {
  Forces forces = {ctrl, 0, 0};
  if (!sn_hasCrew(d) || m->nu < 2 * ACTUATORS_AT_ONCE || !lawsAreOurs(m, d)) return 0;
  if (m->na || m->nplugin || m->nhistory) return 0;
  return sn_share(m, d, (int)m->nu, ACTUATORS_AT_ONCE, someActuators, &forces) && !forces.limited &&
         !forces.bad;
}

// ---- joint forces

// gravity compensation of joints whose actuators provide it
static void addGravityCompensation(const snModel* m, snData* d) {
  if (snu_isZero(m->opt.gravity, 3) || !sn_hasGravcomp(m)) return;
  SN_FOR(dof, m->nv) {
    if (!m->jnt_actgravcomp[m->dof_jntid[dof]]) continue;
    d->qfrc_actuator[dof] += d->qfrc_gravcomp[dof];
  }
  SN_SYNC();
}

// Has a joint a range of forces? Many joints are looked at together.
static int limitsJointForces(const snModel* m) {
  enum { MANY = 64 };
  int some = m->njnt < MANY;
  for (int joint = 0; joint < (int)m->njnt && m->njnt >= MANY; joint++) {
    some |= m->jnt_actfrclimited[joint];
  }
  return some;
}

static void clampJointForces(const snModel* m, snData* d) {
  if (!limitsJointForces(m)) return;
  SN_FOR(joint, m->njnt) {
    if (!m->jnt_actfrclimited[joint]) continue;
    const snReal* range = m->jnt_actfrcrange + 2 * joint;
    snReal* force = d->qfrc_actuator + m->jnt_dofadr[joint];
    *force = snu_clip(*force, range[0], range[1]);
  }
  SN_SYNC();
}

// ---- the stage

// forces of all actuators from their controls
static void actuatorForces(const snModel* m, snData* d, snReal* ctrl) {
  localControls(m, d, ctrl);
  if (m->na) activationRates(m, d, ctrl);
  if (m->nplugin) {
    SN_SOLO(sn_pluginActDot(m, d));
    SN_SOLO(sn_userActDot(m, d));
  }
  int tendonLimit = scalarForces(m, d, ctrl);
  if (m->nplugin) {
    SN_SYNC();
    SN_SOLO(sn_pluginForces(m, d));
    SN_SOLO(sn_userCompute(m, d, snPLUGIN_ACTUATOR, 0));
  }
  if (tendonLimit) {
    SN_SYNC();
    SN_SOLO(clampTendonForces(m, d));
  }
  clampForces(m, d, 0, (int)m->nu);
}

static void actuate(const snModel* m, snData* d, snReal* ctrl) {
  if (!actuateShared(m, d, ctrl)) actuatorForces(m, d, ctrl);
  sn_mulMatTVecSparse(d->qfrc_actuator, d->actuator_moment, d->actuator_force, (int)m->nu,
                      (int)m->nv, d->moment_rownnz, d->moment_rowadr, d->moment_colind);
  if (m->ncapstan) {
    SN_SYNC();
    sn_capstanActuators(m, d);
  }
  addGravityCompensation(m, d);
  clampJointForces(m, d);
}

// A team needs no scratch: the forces overwrite the controls.
static SN_OUTLINE snReal actuation(const snModel* m, snData* d, snReal start) {
  int nu = (int)m->nu, nv = (int)m->nv;
  if (!nu || (m->opt.disableflags & snDSBL_ACTUATION)) {
    sn_zeroShared(d->actuator_force, nu);
    if (SN_LANES == 1 && !nu && sn_someAsleep(m, d)) {  // the others have been zero all along
      for (int i = 0; i < d->nv_awake; i++) d->qfrc_actuator[d->dof_awake_ind[i]] = 0;
      return start;
    }
    sn_zeroShared(d->qfrc_actuator, nv);
    SN_SYNC();
    return start;
  }
  if (SN_LANES > 1) {
    if (!sn_actuationPass(m, d)) actuate(m, d, d->actuator_force);
    return start;
  }
  sn_zeroShared(d->actuator_force, nu);
  sn_markStack(d);
  snReal* ctrl = SN_STACK(d, snReal, nu);
  if (ctrl) {
    actuate(m, d, ctrl);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_zeroShared(d->qfrc_actuator, nv);
  }
  sn_freeStack(d);
  return ctrl ? sn_stopTimer(d, snTIMER_ACTUATION, start) : start;
}

snReal sn_actuationTimed(const snModel* m, snData* d, snReal start) {
  return sn_plans(m, d, snPLAN_ACTUATION) && sn_actuationLanes(m, d) ? start
                                                                     : actuation(m, d, start);
}

SN_STAGE void sn_fwdActuation(const snModel* m, snData* d) { sn_actuationTimed(m, d, sn_now(d)); }
