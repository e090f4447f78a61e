// The work of a kernel on one world.
//
// The kernels (kernels.cu, step_kernel.cu) call these functions, and so does the driver without a GPU
// (tests/gpu), so that tests without a GPU run the same code. A team of lanes calls sn_stepWorld, a single lane
// the others.

#ifndef SINEW_GPU_WORLD_H_
#define SINEW_GPU_WORLD_H_

#include "base/assert.h"
#include "base/team.h"
#include "engine/step/recover.h"
#include "engine/step/stages.h"
#include "gpu/worlds.h"
#include "sinew/sinew.h"

static inline snData* sn_worldData(const snWorlds* worlds, int i) {
  SN_ASSERT_INDEX(i, worlds->nworld);
  return (snData*)(uintptr_t)(worlds->blocks + (uint64_t)(i * worlds->stride));
}

static inline const snModel* sn_worldModel(const snWorlds* worlds, int i) {
  SN_ASSERT_INDEX(i, worlds->nworld);
  return (const snModel*)(uintptr_t)(worlds->model + (uint64_t)(i * worlds->model_stride));
}

static inline snSaved sn_savedWorld(const snModel* m, const snSavedWorlds* worlds, int i) {
  SN_ASSERT(worlds->states && i >= 0);
  snSaved saved;
  saved.state = (snReal*)(uintptr_t)worlds->states + (int64_t)i * worlds->state_size;
  saved.sleep = (int*)(uintptr_t)worlds->sleeps + (int64_t)i * m->ntree;
  return saved;
}

// Clears the failure of a world whose state was set from outside, so that a queued call does not reset it.
static inline void sn_forgetFailure(int* status, int i) { status[i] &= ~snSTATUS_FAILURE; }

// Adds `shift` to all pointers of data whose block was moved by so many bytes.
static inline void sn_shiftArrays(snData* d, int64_t shift) {
  d->buffer = (char*)d->buffer + shift;
  d->arena = (char*)d->arena + shift;
#define X(type, name, rows, columns, stage, meaning) \
  d->name = (sn_type_##type*)(void*)((char*)d->name + shift);
  SN_DATA_FIELDS(X)
#undef X
}

// World i as a copy of the first world: copies its block and corrects the pointers.
static inline void sn_spreadWorld(const snWorlds* worlds, int i, int64_t bytes) {
  SN_ASSERT(bytes % 8 == 0 && bytes <= worlds->stride);
  if (!i) return;
  int64_t shift = i * worlds->stride;
  const int64_t* source = (const int64_t*)(uintptr_t)worlds->blocks;
  int64_t* target = (int64_t*)(uintptr_t)(worlds->blocks + (uint64_t)shift);
  for (int64_t k = 0; k < bytes / 8; k++) target[k] = source[k];
  snData* d = sn_worldData(worlds, i);
  sn_shiftArrays(d, shift);
}

// The teams of a block wait for one another between phases, because the instructions of a whole step do not fit the
// caches of a processor. Threads that have returned are not waited for.
#ifdef SN_DEVICE
#define SN_MEET(worlds, phase)                              \
  do {                                                      \
    if ((worlds)->meetings & 1 << (phase)) __syncthreads(); \
  } while (0)
#else
#define SN_MEET(worlds, phase) SN_SYNC()
#endif

// One step, without callbacks and timers. The phases are unrolled: a loop would store its counter and the point of
// convergence of its lanes in memory and load them in each of the 13 phases.
SN_STAGE static inline void sn_stepInPhases(const snWorlds* worlds, const snModel* m, snData* d,
                                            int skip) {
  const int split = 0;
  snReal lap = 0, start = 0;
#define PHASE(name) SN_MEET(worlds, snPHASE_##name);
#define STAGE(part, call) call;
  SN_STEP(PHASE, STAGE)
#undef PHASE
#undef STAGE
  (void)worlds, (void)start;
  SN_SYNC();
}

// All steps of a call. With care, a step that overflows is the last one, unless the call is queued.
SN_STAGE static inline void sn_stepWorld(const snWorlds* worlds, int i, const snStepCall* call) {
  const snModel* m = sn_worldModel(worlds, i);
  snData* d = sn_worldData(worlds, i);
  const snReal* ctrl = (const snReal*)(uintptr_t)call->ctrl;
  snEvents* events = (snEvents*)(uintptr_t)call->events;
  int* status = (int*)(uintptr_t)call->status;
  int nworld = worlds->nworld, careful = call->careful, bits = 0, failures = 0, age = 0;
  int failed = call->queued && (status[i] & snSTATUS_FAILURE);
  int last_bits = careful && !call->queued ? snSTATUS_OVERFLOW : 0;
  int skip = sn_onlyLastIsSeen(m) ? snSKIP_UNSEEN : 0;
  if (!careful) sn_saveWorld(m, d, sn_savedWorld(m, &call->start, i));
  for (int step = 0; step < call->nstep && !(bits & last_bits); step++) {
    if (failed) {
      SN_SOLO(sn_resetDataKeyframe(m, d, call->keyframe));
      age = 0;
    }
    if (ctrl) {
      const snReal* source = ctrl + ((int64_t)step * nworld + i) * m->nu;
      SN_FOR(k, m->nu) d->ctrl[k] = source[k];
      SN_SYNC();
    }
    if (careful) sn_saveWorld(m, d, sn_savedWorld(m, &call->before, i));
    sn_stepInPhases(worlds, m, d, step < call->nstep - 1 ? skip : 0);
    bits |= d->status;
    age++;
    if (careful) {
      failed = (d->status & snSTATUS_FAILURE) != 0;
      failures += failed;
      if (failed) SN_SOLO(sn_restoreWorld(m, d, sn_savedWorld(m, &call->before, i)));
    }
  }
  SN_ONE {
    status[i] = d->status;
    status[nworld + i] = bits;
    if (bits & snSTATUS_OVERFLOW) events->overflow = 1;
    if (bits & snSTATUS_FAILURE) events->failure = 1;
    if (call->queued) events->queued = 1;
    if (careful) {
      status[2 * nworld + i] = failures;
      status[3 * nworld + i] = age;
    }
  }
}

// What the last step found: contacts, rows, solver iterations, bytes of arena used.
static inline void sn_countWorld(const snWorlds* worlds, int i, int* counts) {
  const snData* d = sn_worldData(worlds, i);
  counts[4 * i] = d->ncon;
  counts[4 * i + 1] = d->nefc;
  counts[4 * i + 2] = d->solver_niter[0];
  counts[4 * i + 3] = (int)d->maxuse_arena;
}

// Geoms (world x room x 2) and distances (world x room) of the contacts; -1 and 0 beyond the last contact.
static inline void sn_contactsOfWorld(const snWorlds* worlds, int i, int* geoms, snReal* distances,
                                      int room) {
  const snData* d = sn_worldData(worlds, i);
  for (int k = 0; k < room; k++) {
    const snContact* contact = k < d->ncon ? d->contact + k : NULL;
    int64_t place = (int64_t)i * room + k;
    geoms[2 * place] = contact ? contact->geom[0] : -1;
    geoms[2 * place + 1] = contact ? contact->geom[1] : -1;
    distances[place] = contact ? contact->dist : 0;
  }
}

#endif  // SINEW_GPU_WORLD_H_
