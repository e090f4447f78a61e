// Linearisation of the next step of every world.

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "batch/batch.h"

typedef int (*Transition)(const snModel*, snData*, const snTransition*, snReal*, snReal*);

typedef struct TransitionJob_ {
  snBatch* batch;
  Transition transition;
  const snTransition* option;
  snReal* A;
  snReal* B;
  int again;  // only worlds that found no room
} TransitionJob;

static void transitionRange(void* context, int begin, int end) {
  SN_ASSERT(begin >= 0 && end <= ((const TransitionJob*)context)->batch->nworld);
  const TransitionJob* job = (const TransitionJob*)context;
  snSize ndx = 2 * job->batch->model->nv + job->batch->model->na, nu = job->batch->model->nu;
  for (int i = begin; i < end; i++) {
    World* world = job->batch->worlds + i;
    if (job->again && !world->overflow) continue;
    snReal* A = job->A ? job->A + i * ndx * ndx : NULL;
    snReal* B = job->B ? job->B + i * ndx * nu : NULL;
    world->overflow = job->transition(&world->model, world->data, job->option, A, B) != 0;
    job->batch->trial_status[i] = world->data->status;
  }
}

// whether any world has no derivatives yet; clears the marks in the end
static int anyLeft(snBatch* b, int forget) {
  int any = 0;
  for (int i = 0; i < b->nworld; i++) {
    any |= b->worlds[i].overflow;
    if (forget) b->worlds[i].overflow = 0;
  }
  return any;
}

// why there can be no derivatives, or NULL
static const char* refusal(const snBatch* b, int method, const snTransition* option) {
  if (b->gpu && method != snTRANSITION_DIFFERENCE) return "a GPU has differences alone";
  if (method < snTRANSITION_ANALYTIC || method > snTRANSITION_DIFFERENCE) return "no such method";
  if (option && !(option->eps > 0 && option->eps <= 0.01)) return "eps is not in (0, 0.01]";
  return b->model->nhistory ? "the model has delays" : NULL;
}

static int refuse(const snBatch* b, int method, const snTransition* option) {
  const char* reason = refusal(b, method, option);
  if (reason) snu_error("no derivatives of a step: %s", reason);
  return reason != NULL;
}

const int* sn_batchTransitionStatus(const snBatch* b) { return b->trial_status; }

// ---- on a GPU

// In single precision the state has a relative error of 1e-7: smaller steps suffer more from that, larger ones from
// contacts that begin or end within the step (humanoids on the floor: 1e-2, 3e-2, 1e-1 and 1 of the largest entry with
// steps of 1e-5, 1e-4, 3e-4 and 1e-3; without contacts 4e-1, 3e-2, 1e-2, 5e-3).
snTransition sn_batchStandardTransition(const snBatch* b) {
  snTransition option;
  snd_defaultTransition(&option);
  if (b->options.single) option.eps = 1e-4;
  return option;
}

int sn_batchTransitionAt(snBatch* b, const snTransition* option, uint64_t A, uint64_t B) {
  if (!b->gpu) {
    snu_error("no derivatives of a step in the memory of a GPU: the worlds lie on the CPU");
    return -1;
  }
  if (refuse(b, snTRANSITION_DIFFERENCE, option)) return -1;
  snTransition standard = sn_batchStandardTransition(b);
  if (!option) option = &standard;
  return sn_gpuBatchTransition(b->gpu, option->eps, option->centered, A, B, b->trial_status);
}

// packed reals of the device, per of them for each world, to the host
static int readReals(snBatch* b, uint64_t address, snSize per, snReal* values) {
  snSize bytes = b->options.single ? 4 : 8, count = per * b->nworld;
  snBatchView view = {
      (void*)(uintptr_t)address, per * bytes, per, 1, b->options.single ? 'f' : 'd', 1};
  if (sn_batchRead(b, &view, values)) return -1;
  for (snSize k = count; b->options.single && k-- > 0;) {  // they lie in the first half
    float narrow;
    memcpy(&narrow, (const char*)values + 4 * k, sizeof(narrow));
    values[k] = (snReal)narrow;
  }
  return 0;
}

static int deviceTransition(snBatch* b, const snTransition* option, snReal* A, snReal* B) {
  SN_ASSERT(b->gpu);
  snSize ndx = 2 * b->model->nv + b->model->na, nu = b->model->nu;
  snSize nA = A ? ndx * ndx : 0, nB = B ? ndx * nu : 0, bytes = b->options.single ? 4 : 8;
  uint64_t memory = sn_gpuReserve(b->gpu, (size_t)(b->nworld * (nA + nB) * bytes));
  if (!memory) return -1;
  uint64_t at = memory + (uint64_t)(b->nworld * nA * bytes);
  int code = sn_batchTransitionAt(b, option, nA ? memory : 0, nB ? at : 0);
  if (!code && nA) code = readReals(b, memory, nA, A);
  if (!code && nB) code = readReals(b, at, nB, B);
  sn_gpuRelease(memory);
  return code;
}

// ---- on either

int sn_batchTransition(snBatch* b, int method, const snTransition* option, snReal* A, snReal* B) {
  static const Transition METHODS[] = {snd_transitionAnalytic, snd_transitionHybrid,
                                       snd_transitionDifference};
  enum { TRIES = 4 };  // with arenas twice as large each time
  if (refuse(b, method, option)) return -1;
  if (b->gpu) return deviceTransition(b, option, A, B);
  TransitionJob job = {b, METHODS[method], option, A, B, 0};
  for (int k = 0; k < TRIES; k++) {
    sn_parallelFor(b->workers, b->nworld, 1, transitionRange, &job);
    if (!anyLeft(b, 0)) return 0;
    job.again = 1;
    if (k + 1 < TRIES && !sn_batchGrow(b)) break;
  }
  anyLeft(b, 1);
  snu_error("no derivatives of a step: the arena is full");
  return -1;
}
