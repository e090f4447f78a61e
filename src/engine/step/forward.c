// The step: one page of named stages.

#include "base/arena.h"
#include "engine/smooth/force.h"
#include "engine/smooth/inertia.h"
#include "engine/smooth/tendon.h"
#include "engine/step/integrate.h"
#include "engine/step/phases.h"
#include "engine/step/sleep.h"
#include "engine/step/timer.h"
#include "math/decomp.h"
#include "math/math.h"

static int enabled(const snModel* m, snEnableBit bit) { return (m->opt.enableflags & bit) != 0; }
static int disabled(const snModel* m, snDisableBit bit) { return (m->opt.disableflags & bit) != 0; }

// ---- step

void sn_step(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  size_t frame = d->pbase, stack = d->pstack;
  sn_beginStep(m, d);
  sn_forward(m, d);
  sn_endStep(m, d);
  sn_checkStack(d, frame, stack, "sn_step");  // every stage gave its scratch back
  sn_stopTimer(d, snTIMER_STEP, start);
}

void sn_step1(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  d->status = 0;
  sn_checkPos(m, d);
  sn_checkVel(m, d);
  sn_stagePosition(m, d, 0);
  sn_stageVelocity(m, d, 0);
  if (d->callback.control) d->callback.control(m, d);
  sn_stopTimer(d, snTIMER_STEP, start);
}

// d->flg_rnepost stays as it is: MuJoCo keeps sensors of the first second half, and so do we
void sn_step2(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  sn_fwdActuation(m, d);
  sn_fwdAcceleration(m, d);
  sn_fwdConstraint(m, d);
  sn_sensorAcc(m, d);
  sn_checkAcc(m, d);
  if (enabled(m, snENBL_FWDINV)) sn_compareFwdInv(m, d);
  sn_integrate(m, d, 1);
  sn_extendTimer(d, snTIMER_STEP, sn_now(d) - start);
}

// ---- forward dynamics

static snReal positionTimed(const snModel* m, snData* d, snReal start);
static snReal velocityTimed(const snModel* m, snData* d, snReal start);

// the last reading, or a new one when work was done since
static snReal readAgain(const snModel* m, const snData* d, int skipsensor, snReal last) {
  return (m->nsensor && !skipsensor) || enabled(m, snENBL_ENERGY) ? sn_now(d) : last;
}

static snReal stagePosition(const snModel* m, snData* d, int skipsensor, snReal start) {
  start = positionTimed(m, d, start);
  sn_positionSensors(m, d, skipsensor);
  return readAgain(m, d, skipsensor, start);
}

static snReal stageVelocity(const snModel* m, snData* d, int skipsensor, snReal start) {
  start = velocityTimed(m, d, start);
  sn_velocitySensors(m, d, skipsensor);
  return readAgain(m, d, skipsensor, start);
}

void sn_stagePosition(const snModel* m, snData* d, int skipsensor) {
  stagePosition(m, d, skipsensor, sn_now(d));
}

void sn_stageVelocity(const snModel* m, snData* d, int skipsensor) {
  stageVelocity(m, d, skipsensor, sn_now(d));
}

void sn_forwardSkip(const snModel* m, snData* d, int skipstage, int skipsensor) {
  snReal start = sn_now(d), lap = start;
  if (skipstage < snSTAGE_POS) lap = stagePosition(m, d, skipsensor, lap);
  if (skipstage < snSTAGE_VEL) lap = stageVelocity(m, d, skipsensor, lap);
  if (d->callback.control && !disabled(m, snDSBL_ACTUATION)) {
    d->callback.control(m, d);
    lap = sn_now(d);
  }

  sn_actuationTimed(m, d, lap);
  sn_fwdAcceleration(m, d);
  lap = sn_constraintTimed(m, d, sn_now(d));
  if (!skipsensor) {
    sn_accelerationSensors(m, d);
    if (m->nsensor) lap = sn_now(d);
  }
  sn_addTimer(d, snTIMER_FORWARD, lap - start);
}

void sn_forward(const snModel* m, snData* d) { sn_forwardSkip(m, d, snSTAGE_NONE, 0); }

// ---- position

void sn_fwdKinematics(const snModel* m, snData* d) {
  sn_kinematics(m, d);
  sn_massesAndPaths(m, d);
}

// collide once more with the trees that contacts woke
void sn_wakeTouched(const snModel* m, snData* d) {
  if (sn_wakeCollision(m, d)) {
    sn_updateSleep(m, d);
    sn_collision(m, d);
  }
  if (sn_wakeEquality(m, d)) sn_updateSleep(m, d);
}

static snReal positionTimed(const snModel* m, snData* d, snReal start) {
  snReal lap = start, next;
  if (SN_LANE == 0) d->flg_energypos = 0;
  sn_fwdKinematics(m, d);
  lap = sn_stopTimer(d, snTIMER_POS_KINEMATICS, lap);
  lap = sn_inertiaTimed(m, d, lap);
  lap = sn_collide(m, d, lap);

  sn_makeRows(m, d);
  lap = sn_stopTimer(d, snTIMER_POS_MAKE, lap);

  sn_transmission(m, d);
  next = sn_now(d);
  sn_extendTimer(d, snTIMER_POS_KINEMATICS, next - lap);

  sn_projectConstraint(m, d);
  lap = sn_stopTimer(d, snTIMER_POS_PROJECT, next);
  sn_addTimer(d, snTIMER_POSITION, lap - start);
  return lap;
}

void sn_fwdPosition(const snModel* m, snData* d) { positionTimed(m, d, sn_now(d)); }

// ---- velocity

void sn_forceVelocities(const snModel* m, snData* d) { sn_bodyVelocities(m, d); }

static snReal velocityTimed(const snModel* m, snData* d, snReal start) {
  sn_bodyVelocities(m, d);
  sn_bias(m, d);
  return sn_stopTimer(d, snTIMER_VELOCITY, start);
}

void sn_fwdVelocity(const snModel* m, snData* d) { velocityTimed(m, d, sn_now(d)); }
