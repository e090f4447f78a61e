// Worlds of a batch: when a step counts as failed, and how a world is saved and restored.
//
// The same for batches on a CPU (batch/step.c) and on a GPU, for its host (gpu/step.c), its kernels and
// the driver without a GPU (gpu/world.h). A world whose step overflowed its arena is restored and takes the step again
// with a larger arena. A world whose step failed is restored to the state before that step, so that a program can
// inspect it, and is reset before its next step.

#ifndef SINEW_ENGINE_STEP_RECOVER_H_
#define SINEW_ENGINE_STEP_RECOVER_H_

#include "base/team.h"
#include "engine/step/sleep.h"
#include "model/state_parts.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// bits of snData.status
enum {
  // contacts or rows did not fit the arena
  snSTATUS_OVERFLOW = 1 << snWARN_CONTACTFULL | 1 << snWARN_CNSTRFULL,
  // bad numbers, or a matrix of the step that is not positive definite: the new state is meaningless
  snSTATUS_FAILURE = 1 << snWARN_BADQPOS | 1 << snWARN_BADQVEL | 1 << snWARN_BADQACC |
                     snSTATUS_NOTPOSDEF | snSTATUS_SINGULAR
};

// A saved state: what a step starts from. Memory for m->ntree ints and sn_stateSize(m,
// snSTATE_INTEGRATION) reals.
typedef struct snSaved_ {
  snReal* state;
  int* sleep;  // which trees sleep
} snSaved;

// Are sensors, cameras and lights read only after the last step of a call? Histories store sensors of every step,
// plugins may read them, and a tree that falls asleep keeps the values of its last step awake.
static inline int sn_onlyLastIsSeen(const snModel* m) {
  return !m->nhistory && !m->nplugin && !sn_sleepEnabled(m);
}

// sn_getState by the lanes of a team, without deformables. All pointers and sizes are loaded before the first number is
// stored.
static inline void sn_readState(const snModel* m, const snData* d, snReal* state) {
#define REALS(flag, count, field)      \
  const snReal* from_##flag = (field); \
  int size_##flag = (int)(count);
#define BYTES(flag, count, field)      \
  const snByte* from_##flag = (field); \
  int size_##flag = (int)(count);
  SN_STATE_PARTS(REALS, BYTES)
#undef REALS
#undef BYTES
#define COPY(flag, count, field)                                         \
  SN_FOR(k_##flag, size_##flag) state[k_##flag] = from_##flag[k_##flag]; \
  state += size_##flag;
  SN_STATE_PARTS(COPY, COPY)
#undef COPY
}

// By all lanes of a team together.
static inline void sn_saveWorld(const snModel* m, const snData* d, snSaved saved) {
  if (SN_LANES > 1 && !m->ndeformable) {
    sn_readState(m, d, saved.state);
  } else {
    SN_SOLO(sn_getState(m, d, saved.state, snSTATE_INTEGRATION));
  }
  SN_FOR(k, m->ntree) saved.sleep[k] = d->tree_asleep[k];
  SN_SYNC();
}

// By one lane. The lists that depend on which trees sleep are rebuilt.
static inline void sn_restoreWorld(const snModel* m, snData* d, snSaved saved) {
  sn_setState(m, d, saved.state, snSTATE_INTEGRATION);
  for (int k = 0; k < (int)m->ntree; k++) d->tree_asleep[k] = saved.sleep[k];
  if (sn_sleepEnabled(m)) sn_updateSleep(m, d);
}

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_STEP_RECOVER_H_
