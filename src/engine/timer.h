// Timers of the stages: durations by the user's clock (zero without one) and numbers of calls.

#ifndef SINEW_ENGINE_TIMER_H_
#define SINEW_ENGINE_TIMER_H_

#include "sinew/sinew.h"

static inline snReal sn_now(const snData* d) { return d->callback.time ? d->callback.time() : 0; }

// Add the time since start and count one call.
static inline void sn_stopTimer(snData* d, snTimer timer, snReal start) {
  d->timer[timer].duration += sn_now(d) - start;
  d->timer[timer].number++;
}

#endif  // SINEW_ENGINE_TIMER_H_
