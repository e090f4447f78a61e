// The step and its parts: each public function runs parts of the one list of stages (stages.h).

#include "base/arena.h"
#include "base/crew.h"
#include "base/misuse.h"
#include "engine/step/stages.h"
#include "math/math.h"

// Run the stages of the parts in the order of the list. Inline: where the parts are known, so are the
// branches. Returns the reading of the clock.
SN_KERNEL snReal run(const snModel* m, snData* d, int parts, int skip, int split, snReal lap) {
  SN_ASSERT(d->signature == m->signature);
  snReal start = lap;
  sn_holdCrew(d, 1);
#define PHASE(name)
#define STAGE(part, call) \
  if (parts & snPART_##part) call;
  SN_STEP(PHASE, STAGE)
#undef PHASE
#undef STAGE
  sn_holdCrew(d, 0);
  (void)start, (void)skip, (void)split;
  return lap;
}

enum {
  POSITION = snPART_POSITION | snPART_POSITION_SENSORS,
  VELOCITY = snPART_VELOCITY | snPART_VELOCITY_SENSORS,
  FORWARD = snPART_PLAN | POSITION | VELOCITY | snPART_CONTROL | snPART_ACCELERATION |
            snPART_FORGET_FORCES | snPART_ACCELERATION_SENSORS
};

// ---- step

void sn_step(const snModel* m, snData* d) {
  if (!SN_IS_DATA_OF(m, d, "sn_step")) return;
  snReal start = sn_now(d);
  size_t frame = d->pbase, stack = d->pstack;
  run(m, d, snPART_BEGIN, 0, 0, 0);
  sn_forward(m, d);
  run(m, d, snPART_END, 0, 0, 0);
  sn_checkStack(d, frame, stack, "sn_step");  // every stage gave its scratch back
  sn_stopTimer(d, snTIMER_STEP, start);
}

void sn_stepSkip(const snModel* m, snData* d, int skip) {
  snReal start = sn_now(d);
  run(m, d, snPART_BEGIN, 0, 0, 0);
  snReal begin = sn_now(d), stop = run(m, d, FORWARD, skip, 0, begin);
  sn_addTimer(d, snTIMER_FORWARD, stop - begin);
  run(m, d, snPART_END, 0, 0, 0);
  sn_stopTimer(d, snTIMER_STEP, start);
}

void sn_step1(const snModel* m, snData* d) {
  if (!SN_IS_DATA_OF(m, d, "sn_step1")) return;
  snReal start = sn_now(d);
  run(m, d, snPART_BEGIN | snPART_PLAN | POSITION | VELOCITY, 0, 1, start);
  if (d->callback.control) d->callback.control(m, d);
  sn_stopTimer(d, snTIMER_STEP, start);
}

// d->flg_rnepost stays as it is: MuJoCo keeps sensors of the first second half, and so do we
void sn_step2(const snModel* m, snData* d) {
  if (!SN_IS_DATA_OF(m, d, "sn_step2")) return;
  snReal start = sn_now(d);
  run(m, d, snPART_PLAN | snPART_ACCELERATION | snPART_ACCELERATION_SENSORS | snPART_END, 0, 1,
      start);
  sn_extendTimer(d, snTIMER_STEP, sn_now(d) - start);
}

// ---- forward dynamics

void sn_forwardSkip(const snModel* m, snData* d, int skipstage, int skipsensor) {
  if (!SN_IS_DATA_OF(m, d, "sn_forwardSkip")) return;
  snReal start = sn_now(d);
  int parts = FORWARD;
  if (skipstage >= snSTAGE_POS) parts &= ~POSITION;
  if (skipstage >= snSTAGE_VEL) parts &= ~VELOCITY;
  if (skipsensor) parts &= ~(snPART_FORGET_FORCES | snPART_ACCELERATION_SENSORS);
  snReal stop = run(m, d, parts, skipsensor ? snSKIP_SENSORS : 0, 0, start);
  sn_addTimer(d, snTIMER_FORWARD, stop - start);
}

void sn_forward(const snModel* m, snData* d) { sn_forwardSkip(m, d, snSTAGE_NONE, 0); }

void sn_stageVelocity(const snModel* m, snData* d, int skipsensor) {
  run(m, d, VELOCITY, skipsensor ? snSKIP_SENSORS : 0, 0, sn_now(d));
}

void sn_fwdPosition(const snModel* m, snData* d) { run(m, d, snPART_POSITION, 0, 0, sn_now(d)); }

void sn_fwdVelocity(const snModel* m, snData* d) { run(m, d, snPART_VELOCITY, 0, 0, sn_now(d)); }

// ---- pieces of stages

void sn_fwdKinematics(const snModel* m, snData* d) {
  sn_kinematics(m, d);
  sn_finishKinematics(m, d, 0);
}

// collide once more with the trees that contacts woke
void sn_wakeTouched(const snModel* m, snData* d) {
  if (sn_wakeCollision(m, d)) {
    sn_updateSleep(m, d);
    sn_collision(m, d);
  }
  if (sn_wakeEquality(m, d)) sn_updateSleep(m, d);
}

void sn_stageVelocityWithoutBias(const snModel* m, snData* d) { sn_bodyVelocities(m, d); }
