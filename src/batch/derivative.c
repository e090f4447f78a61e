// Linearisation of the next step of every world.

#include "base/assert.h"
#include "base/error.h"
#include "batch/batch.h"
#include "sinew/derivatives.h"

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
  if (b->gpu) return "the worlds lie on a GPU";
  if (method < snTRANSITION_ANALYTIC || method > snTRANSITION_DIFFERENCE) return "no such method";
  if (option && !(option->eps > 0 && option->eps <= 0.01)) return "eps is not in (0, 0.01]";
  return b->model->nhistory ? "the model has delays" : NULL;
}

int sn_batchTransition(snBatch* b, int method, const snTransition* option, snReal* A, snReal* B) {
  static const Transition METHODS[] = {snd_transitionAnalytic, snd_transitionHybrid,
                                       snd_transitionDifference};
  enum { TRIES = 4 };  // with arenas twice as large each time
  const char* reason = refusal(b, method, option);
  if (reason) {
    snu_error("no derivatives of a step: %s", reason);
    return -1;
  }
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
