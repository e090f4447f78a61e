// Timers of the stages: durations by the user's clock (zero without one) and numbers of calls.
//
// Reading a clock costs as much as a small stage. Consecutive stages therefore share a reading: the function sn_xTimed
// takes the reading at its start and returns the one at its end.

#ifndef SINEW_ENGINE_STEP_TIMER_H_
#define SINEW_ENGINE_STEP_TIMER_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

#ifdef SN_TEAM  // many lanes, and no clock
static inline snReal sn_now(const snData* d) {
  (void)d;
  return 0;
}

static inline void sn_extendTimer(snData* d, snTimer timer, snReal duration) {
  (void)d, (void)timer, (void)duration;
}

static inline void sn_addTimer(snData* d, snTimer timer, snReal duration) {
  (void)d, (void)timer, (void)duration;
}
#else
static inline snReal sn_now(const snData* d) { return d->callback.time ? d->callback.time() : 0; }

// Add a duration without a call.
static inline void sn_extendTimer(snData* d, snTimer timer, snReal duration) {
  d->timer[timer].duration += duration;
}

// Add a duration and count one call.
static inline void sn_addTimer(snData* d, snTimer timer, snReal duration) {
  d->timer[timer].duration += duration;
  d->timer[timer].number++;
}
#endif

// Add the time since start and count one call; returns the reading.
static inline snReal sn_stopTimer(snData* d, snTimer timer, snReal start) {
  snReal stop = sn_now(d);
  sn_addTimer(d, timer, stop - start);
  return stop;
}

// Stages that take and return clock readings.
SN_FN snReal sn_collisionTimed(const snModel* m, snData* d, snReal start);
SN_FN snReal sn_inertiaTimed(const snModel* m, snData* d, snReal start);
SN_FN snReal sn_actuationTimed(const snModel* m, snData* d, snReal start);
SN_FN snReal sn_constraintTimed(const snModel* m, snData* d, snReal start);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_STEP_TIMER_H_
