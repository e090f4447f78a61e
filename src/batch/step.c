// Stepping and resetting the worlds of a batch.

#include <string.h>

#include "base/assert.h"
#include "base/random.h"
#include "batch/batch.h"
#include "engine/step/recover.h"
#include "engine/step/stages.h"

// the saved state of a world before its step
static snSaved savedOf(const snBatch* b, int i) {
  SN_ASSERT_INDEX(i, b->nworld);
  snSaved saved = {b->saved + (size_t)i * (size_t)b->state_size,
                   b->saved_sleep + i * b->model->ntree};
  return saved;
}

void sn_batchForget(snBatch* b, int i) {
  SN_ASSERT_INDEX(i, b->nworld);
  b->episode_steps[i] = 0;
  b->failed[i] = 0;
  b->status[i] = 0;
  b->rewards[i] = 0;
  b->terminated[i] = b->truncated[i] = 0;
}

static void resetWorld(snBatch* b, int i, int keyframe) {
  SN_ASSERT_INDEX(i, b->nworld);
  World* world = b->worlds + i;
  sn_resetDataKeyframe(&world->model, world->data, keyframe);
  sn_batchForget(b, i);
}

// reward and end of an episode's step
static void judgeWorld(snBatch* b, int i) {
  SN_ASSERT_INDEX(i, b->nworld);
  World* world = b->worlds + i;
  const snBatchOptions* options = &b->options;
  b->episode_steps[i]++;
  b->status[i] = world->data->status;
  b->truncated[i] = options->max_steps > 0 && b->episode_steps[i] >= options->max_steps;
  if (b->failed[i]) {
    b->terminated[i] = 1;
    b->rewards[i] = 0;
    return;
  }
  void* user = options->user;
  b->rewards[i] = options->reward ? options->reward(&world->model, world->data, user) : 0;
  b->terminated[i] =
      options->terminated && options->terminated(&world->model, world->data, user) ? 1 : 0;
}

// Takes a step. Only the last one of a call needs sensors, cameras and lights, unless the user sees every step.
static void stepOnce(const snBatch* b, World* world) {
  const snBatchOptions* options = &b->options;
  int watched = options->reward || options->terminated || options->callbacks;
  if (world->steps_left > 1 && !watched && sn_onlyLastIsSeen(&world->model)) {
    sn_stepSkip(&world->model, world->data, snSKIP_UNSEEN);
  } else {
    sn_step(&world->model, world->data);
  }
}

// run a world until its steps are done or its arena is full
static void stepWorld(snBatch* b, int i, const snReal* ctrl, int nstep) {
  SN_ASSERT_INDEX(i, b->nworld);
  World* world = b->worlds + i;
  snSize nu = b->model->nu;
  while (world->steps_left > 0) {
    SN_ASSERT(world->steps_left <= nstep && !world->overflow);
    if (b->failed[i]) resetWorld(b, i, b->options.keyframe);
    if (ctrl) {
      snSize step = nstep - world->steps_left;
      memcpy(world->data->ctrl, ctrl + (step * b->nworld + i) * nu, (size_t)nu * sizeof(snReal));
    }
    sn_saveWorld(&world->model, world->data, savedOf(b, i));
    stepOnce(b, world);
    if (world->data->status & snSTATUS_OVERFLOW) {
      sn_restoreWorld(&world->model, world->data, savedOf(b, i));
      world->overflow = 1;
      return;
    }
    if (world->data->status & snSTATUS_FAILURE) {
      sn_restoreWorld(&world->model, world->data, savedOf(b, i));
      b->failed[i] = 1;
      b->failures[i]++;
    }
    judgeWorld(b, i);
    world->steps_left--;
  }
}

typedef struct StepJob_ {
  snBatch* batch;
  const int* worlds;  // NULL: all
  const snReal* ctrl;
  int nstep;
} StepJob;

static void stepRange(void* context, int begin, int end) {
  const StepJob* job = (const StepJob*)context;
  for (int k = begin; k < end; k++) {
    int i = job->worlds ? job->worlds[k] : k;
    if (i < 0 || i >= job->batch->nworld) continue;
    if (job->worlds && job->batch->worlds[i].place != k) continue;
    stepWorld(job->batch, i, job->ctrl, job->nstep);
  }
}

// when there is no memory for larger arenas, a world goes on without the contacts that did not fit
static void stepWithoutRoom(snBatch* b, int i) {
  SN_ASSERT_INDEX(i, b->nworld);
  World* world = b->worlds + i;
  sn_step(&world->model, world->data);
  judgeWorld(b, i);
  world->steps_left--;
}

static int anyOverflow(snBatch* b) {
  int any = 0;
  for (int i = 0; i < b->nworld; i++) any |= b->worlds[i].overflow;
  return any;
}

static void runSteps(StepJob* job, int count) {
  SN_ASSERT(!job->batch->gpu && count <= (job->worlds ? count : job->batch->nworld));
  snBatch* b = job->batch;
  // small enough that workers do not wait long for the last chunk, large enough that workers seldom write to the
  // same cache line of results
  int chunk = count / (64 * sn_workersCount(b->workers));
  for (;;) {
    sn_parallelFor(b->workers, count, chunk, stepRange, job);
    if (!anyOverflow(b)) return;
    int grown = sn_batchGrow(b);
    for (int i = 0; i < b->nworld; i++) {
      if (!b->worlds[i].overflow) continue;
      b->worlds[i].overflow = 0;
      if (!grown) stepWithoutRoom(b, i);
    }
  }
}

int sn_batchStepControls(snBatch* b, int nstep, const snReal* ctrl) {
  if (b->gpu) return sn_deviceStep(b, NULL, b->nworld, nstep, ctrl);
  StepJob job = {b, NULL, ctrl, nstep};
  for (int i = 0; i < b->nworld; i++) b->worlds[i].steps_left = nstep;
  runSteps(&job, b->nworld);
  return 0;
}

int sn_batchStep(snBatch* b, int nstep) { return sn_batchStepControls(b, nstep, NULL); }

int sn_batchStepSubset(snBatch* b, const int* worlds, int count, int nstep) {
  if (b->gpu) return sn_deviceStep(b, worlds, count, nstep, NULL);
  StepJob job = {b, worlds, NULL, nstep};
  for (int k = 0; k < count; k++) {
    if (worlds[k] < 0 || worlds[k] >= b->nworld) continue;
    b->worlds[worlds[k]].steps_left = nstep;
    b->worlds[worlds[k]].place = k;
  }
  runSteps(&job, count);
  return 0;
}

static void forwardRange(void* context, int begin, int end) {
  const StepJob* job = (const StepJob*)context;
  const snBatch* b = job->batch;
  for (int k = begin; k < end; k++) {
    int i = job->worlds ? job->worlds[k] : k;
    if (i >= 0 && i < b->nworld) sn_forward(&b->worlds[i].model, b->worlds[i].data);
  }
}

static int forwardWorlds(snBatch* b, const int* worlds, int count) {
  StepJob job = {b, worlds, NULL, 0};
  sn_parallelFor(b->workers, count, 1, forwardRange, &job);
  return 0;
}

int sn_batchForward(snBatch* b) {
  return b->gpu ? sn_gpuBatchForward(b->gpu) : forwardWorlds(b, NULL, b->nworld);
}

int sn_batchForwardSubset(snBatch* b, const int* worlds, int count) {
  return b->gpu ? sn_deviceForward(b, worlds, count) : forwardWorlds(b, worlds, count);
}

static void forcesRange(void* context, int begin, int end) {
  const snBatch* b = (const snBatch*)context;
  for (int i = begin; i < end; i++) sn_rnePostConstraint(&b->worlds[i].model, b->worlds[i].data);
}

int sn_batchRnePostConstraint(snBatch* b) {
  if (b->gpu) return sn_gpuBatchRnePostConstraint(b->gpu);
  sn_parallelFor(b->workers, b->nworld, 1, forcesRange, b);
  return 0;
}

// ---- reset ----

typedef struct ResetJob_ {
  snBatch* batch;
  const snByte* mask;
  int keyframe;
  uint64_t seed;
  const uint64_t* seeds;
  snReal scale;
} ResetJob;

static void resetRange(void* context, int begin, int end) {
  const ResetJob* job = (const ResetJob*)context;
  for (int i = begin; i < end; i++) {
    if (!job->mask || job->mask[i]) resetWorld(job->batch, i, job->keyframe);
  }
}

int sn_batchReset(snBatch* b, const snByte* mask, int keyframe) {
  if (b->gpu) return sn_deviceReset(b, mask, keyframe);
  ResetJob job = {b, mask, keyframe, 0, NULL, 0};
  sn_parallelFor(b->workers, b->nworld, 1, resetRange, &job);
  return 0;
}

// ---- noise ----

uint64_t sn_batchStream(uint64_t seed, const uint64_t* seeds, int world) {
  if (seeds) return seeds[world] * 0x9e3779b97f4a7c15u;
  return seed * 0x9e3779b97f4a7c15u + (uint64_t)world * 0xd1342543de82ef95u;
}

void sn_batchNoise(const snModel* m, snReal* qpos, snReal* qvel, uint64_t stream, snReal scale) {
  for (int k = 0; k < m->nq; k++) qpos[k] += scale * (snReal)sn_uniform(&stream);
  for (int k = 0; k < m->nv; k++) qvel[k] += scale * (snReal)sn_uniform(&stream);
  sn_normalizeQuat(m, qpos);
}

static void perturbRange(void* context, int begin, int end) {
  const ResetJob* job = (const ResetJob*)context;
  for (int i = begin; i < end; i++) {
    if (job->mask && !job->mask[i]) continue;
    snData* d = job->batch->worlds[i].data;
    sn_batchNoise(job->batch->model, d->qpos, d->qvel, sn_batchStream(job->seed, job->seeds, i),
                  job->scale);
  }
}

static int perturb(snBatch* b, const snByte* mask, uint64_t seed, const uint64_t* seeds,
                   snReal scale) {
  if (b->gpu) return sn_devicePerturb(b, mask, seed, seeds, scale);
  ResetJob job = {b, mask, 0, seed, seeds, scale};
  sn_parallelFor(b->workers, b->nworld, 16, perturbRange, &job);
  return 0;
}

int sn_batchPerturb(snBatch* b, const snByte* mask, uint64_t seed, snReal scale) {
  return perturb(b, mask, seed, NULL, scale);
}

int sn_batchPerturbSeeds(snBatch* b, const snByte* mask, const uint64_t* seeds, snReal scale) {
  return perturb(b, mask, 0, seeds, scale);
}
