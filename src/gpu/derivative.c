// Derivatives of a step by differences, on a device.
//
// The columns of all worlds, nworld x (ndx + nu), are computed with a second set of worlds, the trials, in portions of
// as many as keep the device busy: a kernel makes perturbed copies (gpu/trial.h), the step kernel steps them, another
// kernel writes columns of A and B. The host queues all portions and waits once. When a trial runs out of arena,
// everything is repeated with larger arenas.

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "gpu/batch.h"

enum { TRIALS_PER_PROCESSOR = 64, LEAST_TRIALS = 2, TRIES = 12 };

// all columns, or the nominal steps, by so many trials each
static int queueColumns(snGpuBatch* t, snTrials* call, int64_t columns) {
  int per = call->sides == 2 ? 2 : 1, room = t->worlds.nworld / per;
  snStepCall step = {1, 0, 0, 0, t->status_device, (uintptr_t)t->events, t->saved, t->saved, -1};
  for (call->first = 0; call->first < columns; call->first += room) {
    int count = (int)(columns - call->first < room ? columns - call->first : room);
    snWorlds slots = t->worlds, ends = t->worlds;
    slots.count = count * per;
    ends.count = count;
    void *make[] = {&slots, call}, *run[] = {&slots, &step}, *end[] = {&ends, call};
    if (!sn_gpuQueue(t, snKERNEL_TRY, &slots, make, NULL, "making trials") ||
        !sn_gpuQueue(t, snKERNEL_STEP, &slots, run, NULL, "stepping trials") ||
        !sn_gpuQueue(t, snKERNEL_DIFFERENCE, &ends, end, NULL, "taking differences")) {
      return 0;
    }
  }
  return 1;
}

// 0 on failure; t->events says whether an arena was full
static int runTrials(snGpuBatch* b, snTrials* call, int centered) {
  snGpuBatch* t = b->trials;
  call->worlds = b->worlds;
  call->bytes = t->block_bytes;
  call->header_bytes = b->packer->model_header_bytes;
  call->narena = t->narena;
  t->events->overflow = 0;
  call->sides = 0;
  if (!centered && !queueColumns(t, call, b->worlds.nworld)) return 0;
  call->sides = centered ? 2 : 1;
  return queueColumns(t, call, (int64_t)b->worlds.nworld * call->columns) &&
         !sn_gpuFailed(b, b->driver->synchronize(), "differences of steps");
}

// Trials for so many columns with arenas of at least narena bytes: those of the last call where they do, else new ones,
// fewer when there is little memory.
static int provideTrials(snGpuBatch* b, int64_t wanted, snSize narena) {
  int processors = 0;
  b->driver->deviceAttribute(&processors, CU_PROCESSORS, b->driver->device);
  int64_t most = (int64_t)TRIALS_PER_PROCESSOR * (processors > 0 ? processors : 1);
  int count = (int)(wanted < most ? wanted : most);
  snGpuBatch* t = b->trials;
  if (t && t->worlds.nworld >= count && t->narena >= narena && !t->headers == !b->headers) return 1;
  sn_deleteGpuBatch(t);
  for (b->trials = NULL; !b->trials && count >= LEAST_TRIALS; count /= 2) {
    b->trials = sn_gpuMakeTrials(b, count, narena);
  }
  return b->trials != NULL;
}

// with memory for the status and the nominal states
static int transition(snGpuBatch* b, snTrials* call, int centered, int* status) {
  size_t bytes = (size_t)b->worlds.nworld * sizeof(int);
  int64_t columns = (int64_t)b->worlds.nworld * call->columns;
  snSize narena = b->narena;
  memset(status, 0, bytes);
  for (int k = 0; k < TRIES; k++) {
    if (!provideTrials(b, 2 * columns, narena)) return -1;
    if (sn_gpuFailed(b, b->driver->upload(call->status, status, bytes), "upload")) return -1;
    if (!runTrials(b, call, centered)) return -1;
    if (!b->trials->events->overflow) {
      return sn_gpuFailed(b, b->driver->download(status, call->status, bytes), "download") ? -1 : 0;
    }
    narena = (b->trials->narena * 3 / 2 + 4095) / 4096 * 4096;
  }
  snu_error("no derivatives of a step: the arena is full");
  return -1;
}

int sn_gpuBatchTransition(snGpuBatch* b, snReal eps, int centered, uint64_t A, uint64_t B,
                          int* status) {
  const snModel* m = b->model;
  int ndx = (int)(2 * m->nv + m->na), begin = A ? 0 : ndx, end = B ? ndx + (int)m->nu : ndx;
  size_t nworld = (size_t)b->worlds.nworld;
  size_t nominal = nworld * (size_t)(m->nq + m->nv + m->na) * (size_t)b->packer->real_bytes;
  sn_gpuEnter(b);
  memset(status, 0, nworld * sizeof(int));
  if (!sn_gpuSettle(b)) return -1;
  if (begin == end) return 0;
  SN_ASSERT(eps > 0 && begin < end);
  snTrials call;
  memset(&call, 0, sizeof(call));
  call.begin = begin;
  call.columns = end - begin;
  call.eps = (double)eps;
  call.A = A;
  call.B = B;
  call.nominal = sn_gpuAllocate(b, nominal);
  call.status = sn_gpuAllocate(b, nworld * sizeof(int));
  int code = call.nominal && call.status ? transition(b, &call, centered, status) : -1;
  sn_gpuFree(b, call.nominal, nominal);
  sn_gpuFree(b, call.status, nworld * sizeof(int));
  return code;
}
