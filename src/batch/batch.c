// Making and deleting batches, and access to their worlds.

#include "batch/batch.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/misuse.h"
#include "model/memory.h"

enum { PAGE = 4096 };

static snSize blockStride(const snModel* m) {
  snSize bytes = sn_dataBlockBytes(m);
  return bytes < 0 ? -1 : (bytes + PAGE - 1) / PAGE * PAGE;
}

void sn_defaultBatchOptions(snBatchOptions* options) {
  memset(options, 0, sizeof(*options));
  options->keyframe = -1;
}

static snSize sideBytes(const snModel* m) {
  return (snSize)sizeof(World) + sn_stateSize(m, snBATCH_STATE) * (snSize)sizeof(snReal) +
         m->ntree * (snSize)sizeof(int) + (snSize)sizeof(snReal) + 3 + 4 * (snSize)sizeof(int);
}

snSize sn_batchBytes(const snModel* m, int nworld) {
  snSize stride = blockStride(m);
  if (stride < 0 || nworld < 1) return -1;
  if (nworld > INT64_MAX / 2 / (stride + sideBytes(m))) return -1;
  return (stride + sideBytes(m)) * nworld + sn_sizeModel(m);
}

static void* allocateZeroed(snSize count, size_t size) {
  void* memory = snu_malloc((size_t)count * size + 1);
  if (memory) memset(memory, 0, (size_t)count * size + 1);
  return memory;
}

// Allocates what is made once and never moves.
static int allocateSides(snBatch* b, const snModel* m, int nworld) {
  b->state_size = sn_stateSize(m, snBATCH_STATE);
  b->model = sn_copyModel(NULL, m);
  b->workers = sn_workersCreate(b->options.nthread);
  b->worlds = (World*)allocateZeroed(nworld, sizeof(World));
  b->saved = (snReal*)allocateZeroed((snSize)nworld * b->state_size, sizeof(snReal));
  b->saved_sleep = (int*)allocateZeroed(nworld * m->ntree, sizeof(int));
  b->rewards = (snReal*)allocateZeroed(nworld, sizeof(snReal));
  b->terminated = (snByte*)allocateZeroed(nworld, 1);
  b->truncated = (snByte*)allocateZeroed(nworld, 1);
  b->status = (int*)allocateZeroed(nworld, sizeof(int));
  b->failures = (int*)allocateZeroed(nworld, sizeof(int));
  b->trial_status = (int*)allocateZeroed(nworld, sizeof(int));
  b->episode_steps = (int*)allocateZeroed(nworld, sizeof(int));
  b->failed = (snByte*)allocateZeroed(nworld, 1);
  return b->trial_status && b->episode_steps && b->failed && b->failures && b->model &&
         b->workers && b->worlds && b->saved && b->saved_sleep && b->rewards && b->terminated &&
         b->truncated && b->status;
}

static void prepareWorlds(void* context, int begin, int end) {
  SN_ASSERT(begin >= 0 && end <= ((snBatch*)context)->nworld);
  snBatch* b = (snBatch*)context;
  for (int i = begin; i < end; i++) {
    World* world = b->worlds + i;
    world->model = *b->model;
    world->data = sn_placeData(b->model, b->blocks + i * b->stride);
    sn_resetDataKeyframe(&world->model, world->data, b->options.keyframe);
    if (b->options.callbacks) world->data->callback = *b->options.callbacks;
  }
}

// Does the machine have so many bytes for each world? Checked first, because the system kills a process that uses
// memory which was only reserved.
static int isAffordable(snSize bytes, int nworld) {
  return nworld <= INT64_MAX / 2 / (bytes + 1) && (size_t)(bytes * nworld) <= sn_availableMemory();
}

// worlds of the CPU; 0 when there is no memory for them
static int makeWorlds(snBatch* b) {
  b->stride = blockStride(b->model);
  // arenas are touched as far as they are used
  if (!isAffordable(b->stride - b->model->narena, b->nworld)) return 0;
  if (b->nworld > INT64_MAX / 2 / b->stride) return 0;
  b->blocks = (char*)sn_reserve((size_t)(b->stride * b->nworld));
  if (!b->blocks) return 0;
  sn_parallelFor(b->workers, b->nworld, 1, prepareWorlds, b);
  return 1;
}

snBatch* sn_makeBatch(const snModel* m, int nworld, const snBatchOptions* options, char* error,
                      int error_sz) {
  if (!m || nworld < 1 || blockStride(m) < 0) {
    sn_formatError(error, error_sz, "a batch needs a model and at least one world, got %d", nworld);
    return NULL;
  }
  snBatch* b =
      isAffordable(sideBytes(m), nworld) ? (snBatch*)allocateZeroed(1, sizeof(snBatch)) : NULL;
  if (b) {
    sn_defaultBatchOptions(&b->options);
    if (options) b->options = *options;
    b->nworld = nworld;
  }
  int made = b && allocateSides(b, m, nworld);
  if (made && b->options.device != snDEVICE_CPU && sn_deviceMake(b, b->fallback, 400)) return b;
  if (made && b->options.device == snDEVICE_GPU) {
    sn_formatError(error, error_sz, "no batch on a GPU: %s", b->fallback);
    sn_deleteBatch(b);
    return NULL;
  }
  if (made && b->options.single && b->options.device == snDEVICE_CPU && sizeof(snReal) == 8) {
    sn_formatError(error, error_sz, "single precision is for GPUs: the CPU computes in double");
    sn_deleteBatch(b);
    return NULL;
  }
  if (!made || !makeWorlds(b)) {
    sn_formatError(error, error_sz, "a batch of %d worlds needs %lld MB of memory", nworld,
                   (long long)(sn_batchBytes(m, nworld) >> 20));
    sn_deleteBatch(b);
    return NULL;
  }
  return b;
}

void sn_deleteBatch(snBatch* b) {
  if (!b) return;
  sn_workersDelete(b->workers);
  sn_deleteGpuBatch(b->gpu);
  for (int i = 0; b->blocks && i < b->nworld; i++) sn_forgetArena(b->worlds[i].data);
  sn_unreserve(b->blocks, (size_t)(b->stride * b->nworld));
  for (int i = 0; i < b->retired_count; i++) {
    sn_unreserve(b->retired[i].blocks, b->retired[i].bytes);
  }
  for (int i = 0; i < b->own_count; i++) snu_free(b->own[i].data);
  void* sides[] = {b->worlds,       b->saved,         b->saved_sleep, b->rewards,
                   b->terminated,   b->truncated,     b->status,      b->failures,
                   b->trial_status, b->episode_steps, b->failed};
  for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) snu_free(sides[i]);
  sn_deleteModel(b->model);
  snu_free(b);
}

void sn_batchKeepRetired(snBatch* b) { b->keep_retired = 1; }

// blocks double in each generation: there are few generations
static void retireBlocks(snBatch* b) {
  SN_ASSERT(b->blocks && !b->gpu);
  size_t bytes = (size_t)(b->stride * b->nworld);
  int places = sizeof(b->retired) / sizeof(b->retired[0]);
  if (b->keep_retired && b->retired_count < places) {
    Retired* place = b->retired + b->retired_count++;
    place->blocks = b->blocks;
    place->bytes = bytes;
  } else {
    sn_unreserve(b->blocks, bytes);
  }
}

int sn_batchGrow(snBatch* b) {
  SN_ASSERT(b->blocks && !b->gpu);
  snSize narena = b->model->narena;
  b->model->narena = 2 * narena;
  snSize stride = blockStride(b->model);
  int representable = stride > 0 && b->nworld <= INT64_MAX / 2 / stride;
  char* blocks = !representable ? NULL : (char*)sn_reserve((size_t)(stride * b->nworld));
  if (!blocks) {
    b->model->narena = narena;
    return 0;
  }
  for (int i = 0; i < b->nworld; i++) {
    World* world = b->worlds + i;
    world->model.narena = b->model->narena;
    SN_ASSERT(!world->data->pstack);  // between steps
    snData* moved = sn_placeData(b->model, blocks + i * stride);
    sn_moveData(moved, b->model, world->data);
    sn_forgetArena(world->data);
    world->data = moved;
  }
  retireBlocks(b);
  b->blocks = blocks;
  b->stride = stride;
  b->generation++;
  return 1;
}

// ---- access ----

int sn_batchWorlds(const snBatch* b) { return b->nworld; }
int sn_batchOnGpu(const snBatch* b) { return b->gpu != NULL; }
const char* sn_batchFallback(const snBatch* b) { return b->fallback; }
const snReal* sn_batchRewards(const snBatch* b) { return b->rewards; }
const snByte* sn_batchTerminated(const snBatch* b) { return b->terminated; }
const snByte* sn_batchTruncated(const snBatch* b) { return b->truncated; }
const int* sn_batchStatus(const snBatch* b) { return b->status; }
const int* sn_batchFailures(const snBatch* b) { return b->failures; }
const char* sn_batchDevice(const snBatch* b) { return b->gpu ? sn_gpuName(NULL, 0) : "cpu"; }

snData* sn_batchData(const snBatch* b, int world) {
  return SN_IS_INDEX(world, b->nworld, "sn_batchData") ? b->worlds[world].data : NULL;
}

const snModel* sn_batchModel(const snBatch* b, int world) {
  if (!SN_IS_INDEX(world, b->nworld, "sn_batchModel")) return NULL;
  return b->gpu ? b->model : &b->worlds[world].model;
}

int sn_batchGeneration(const snBatch* b) {
  return b->gpu ? sn_gpuBatchGeneration(b->gpu) : b->generation;
}

int sn_batchGetState(const snBatch* b, snReal* state, int sig) {
  if (b->gpu) return sn_gpuBatchGetState(b->gpu, state, sig);
  int size = sn_stateSize(b->model, sig);
  for (int i = 0; i < b->nworld; i++) {
    sn_getState(b->model, b->worlds[i].data, state + (size_t)i * (size_t)size, sig);
  }
  return 0;
}

int sn_batchSetState(snBatch* b, const snReal* state, int sig) {
  if (b->gpu) return sn_gpuBatchSetState(b->gpu, state, sig);
  int size = sn_stateSize(b->model, sig);
  for (int i = 0; i < b->nworld; i++) {
    sn_setState(b->model, b->worlds[i].data, state + (size_t)i * (size_t)size, sig);
    b->failed[i] = 0;
  }
  return 0;
}

int sn_batchCopyWorld(snBatch* b, int world, snData* d) {
  if (!SN_IS_INDEX(world, b->nworld, "sn_batchCopyWorld")) return -1;
  if (!SN_IS_DATA_OF(b->model, d, "sn_batchCopyWorld")) return -1;
  if (!b->gpu) {
    sn_copyData(d, b->model, b->worlds[world].data);
    return 0;
  }
  size_t size = (size_t)b->state_size;
  snReal* states = (snReal*)snu_malloc(size * (size_t)b->nworld * sizeof(snReal));
  if (!states) return -1;
  int code = sn_gpuBatchGetState(b->gpu, states, snBATCH_STATE);
  if (!code) sn_setState(b->model, d, states + (size_t)world * size, snBATCH_STATE);
  snu_free(states);
  return code;
}
