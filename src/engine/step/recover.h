// A world among many: what makes it a failed one, and how it is put back to where it was.
//
// The same for batches on a CPU (batch/step.c) and on a GPU, for its host (gpu/step.c), its kernels and
// the driver without a GPU (gpu/world.h). A world whose step overflowed is put back and takes the step
// again with a larger arena. A world whose step failed is put back, keeps that state for whoever wants
// to look at it, and is reset before its next step.

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
  // bad numbers, or a matrix of the step that has no factor: the step means nothing
  snSTATUS_FAILURE = 1 << snWARN_BADQPOS | 1 << snWARN_BADQVEL | 1 << snWARN_BADQACC |
                     snSTATUS_NOTPOSDEF | snSTATUS_SINGULAR
};

// Where a world was: what a step starts from. Memory for m->ntree ints and sn_stateSize(m,
// snSTATE_INTEGRATION) reals.
typedef struct snSaved_ {
  snReal* state;
  int* sleep;  // which trees sleep
} snSaved;

// sn_getState by the lanes of a team, without deformables. All that says where the numbers are is loaded before
// the first of them is stored.
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

// For a team, which must be in step.
static inline void sn_saveWorld(const snModel* m, const snData* d, snSaved saved) {
  if (SN_LANES > 1 && !m->ndeformable) {
    sn_readState(m, d, saved.state);
  } else {
    SN_SOLO(sn_getState(m, d, saved.state, snSTATE_INTEGRATION));
  }
  SN_FOR(k, m->ntree) saved.sleep[k] = d->tree_asleep[k];
  SN_SYNC();
}

// For one lane. What follows from the trees that sleep is brought up to date.
static inline void sn_restoreWorld(const snModel* m, snData* d, snSaved saved) {
  sn_setState(m, d, saved.state, snSTATE_INTEGRATION);
  for (int k = 0; k < (int)m->ntree; k++) d->tree_asleep[k] = saved.sleep[k];
  if (sn_sleepEnabled(m)) sn_updateSleep(m, d);
}

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_STEP_RECOVER_H_
