// Batches on a GPU: the part of the host.

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/letter.h"
#include "batch/batch.h"
#include "engine/step/recover.h"
#include "model/field.h"
#include "model/memory.h"

// functions that a GPU cannot call, or NULL
static const char* userFunctions(const snBatchOptions* options) {
  static const snCallbacks none;
  if (options->reward) return "a reward function: compute rewards from the views";
  if (options->terminated) return "a termination function: compute it from the views";
  if (!options->callbacks) return NULL;
  snCallbacks given = *options->callbacks;
  given.time = none.time;
  given.user = none.user;
  return memcmp(&given, &none, sizeof(none)) ? "user callbacks in a step" : NULL;
}

int sn_deviceMake(snBatch* b, char* error, int error_sz) {
  const char* refused = userFunctions(&b->options);
  if (refused) {
    sn_formatError(error, error_sz, "a batch on a GPU cannot have %s", refused);
    return 0;
  }
  b->gpu = sn_makeGpuBatch(b->model, b->nworld, b->options.single, error, error_sz);
  if (!b->gpu) return 0;
  sn_gpuBatchSetKeyframe(b->gpu, b->options.keyframe);
  return b->options.keyframe < 0 || !sn_gpuBatchReset(b->gpu, NULL, b->options.keyframe);
}

// ---- stepping ----

// Results of the last call on the device, one number per world.
typedef struct Report_ {
  const int *ages, *failures, *status;
} Report;

static Report report(const snBatch* b) {
  Report made = {sn_gpuBatchAges(b->gpu), sn_gpuBatchFailures(b->gpu), sn_gpuBatchStatus(b->gpu)};
  return made;
}

static void judge(snBatch* b, const Report* said, int i, int nstep) {
  SN_ASSERT_INDEX(i, b->nworld);
  int age = said->ages[i], max_steps = b->options.max_steps;
  int before = b->failed[i] ? 0 : b->episode_steps[i];
  b->episode_steps[i] = age < nstep ? age : before + nstep;
  b->failures[i] += said->failures[i];
  b->status[i] = said->status[i];
  b->terminated[i] = b->failed[i] = (b->status[i] & snSTATUS_FAILURE) != 0;
  b->truncated[i] = max_steps > 0 && b->episode_steps[i] >= max_steps;
  b->rewards[i] = 0;
}

// A list without worlds that are out of range or named twice, to be freed; NULL when there is no memory.
static int* cleanList(snBatch* b, const int* worlds, int* count) {
  int* list = (int*)snu_malloc((size_t)b->nworld * sizeof(int));
  if (!list) return NULL;
  int used = 0;
  for (int i = 0; i < b->nworld; i++) b->worlds[i].steps_left = 0;
  for (int k = 0; k < *count; k++) {
    int i = worlds[k];
    if (i < 0 || i >= b->nworld || b->worlds[i].steps_left) continue;
    b->worlds[i].steps_left = 1;
    list[used++] = i;
  }
  *count = used;
  return list;
}

static void judgeAll(snBatch* b, int nstep) {
  Report said = report(b);
  for (int i = 0; i < b->nworld; i++) judge(b, &said, i, nstep);
}

int sn_deviceStep(snBatch* b, const int* worlds, int count, int nstep, const snReal* ctrl) {
  SN_ASSERT(b->gpu);
  if (nstep < 1) return 0;
  if (!worlds) {
    if (sn_gpuBatchStepWorlds(b->gpu, NULL, 0, nstep, ctrl)) return -1;
    judgeAll(b, nstep);
    return 0;
  }
  int* list = cleanList(b, worlds, &count);
  if (!list) return -1;
  int code = count ? sn_gpuBatchStepWorlds(b->gpu, list, count, nstep, ctrl) : 0;
  Report said = report(b);
  for (int k = 0; !code && k < count; k++) judge(b, &said, list[k], nstep);
  snu_free(list);
  return code;
}

int sn_deviceForward(snBatch* b, const int* worlds, int count) {
  SN_ASSERT(b->gpu);
  int* list = cleanList(b, worlds, &count);
  if (!list) return -1;
  int code = sn_gpuBatchForwardWorlds(b->gpu, list, count);
  snu_free(list);
  return code;
}

int sn_batchStepControlsAt(snBatch* b, int nstep, uint64_t ctrl) {
  if (!b->gpu || sn_gpuBatchStepAt(b->gpu, nstep, ctrl)) return -1;
  judgeAll(b, nstep);
  return 0;
}

// ---- rollouts ----

// a field of all worlds between them and packed memory of the device, at one of several times
static int moveRows(snBatch* b, const char* name, uint64_t packed, int time, int out) {
  snBatchView view;
  if (!sn_gpuBatchField(b->gpu, name, &view)) return -1;
  int64_t pitch = view.rows * view.columns * (int64_t)sn_letterBytes(view.type);
  uint64_t address = packed + (uint64_t)time * (uint64_t)b->nworld * (uint64_t)pitch;
  if (!pitch) return 0;
  return out ? sn_gpuBatchReadAt(b->gpu, &view, address, pitch)
             : sn_gpuBatchWriteAt(b->gpu, &view, address, pitch);
}

static int movePath(snBatch* b, const snBatchPathAt* path, int time, int out) {
  return moveRows(b, "qpos", path->qpos, time, out) || moveRows(b, "qvel", path->qvel, time, out) ||
         moveRows(b, "act", path->act, time, out);
}

// warm starts of zero, in worlds of which none has failed
static int setCold(snBatch* b) {
  size_t bytes = (size_t)b->nworld * (size_t)b->model->nv * sizeof(snReal);
  snReal* zero = (snReal*)snu_malloc(bytes + 1);
  if (!zero) return -1;
  memset(zero, 0, bytes);
  int code = sn_gpuBatchSetState(b->gpu, zero, snSTATE_WARMSTART);
  memset(b->failed, 0, (size_t)b->nworld);
  snu_free(zero);
  return code;
}

int sn_batchRolloutAt(snBatch* b, int nstep, const snBatchPathAt* start, uint64_t ctrl,
                      const snBatchPathAt* path) {
  if (!b->gpu || nstep < 0) {
    snu_error("no rollout in the memory of a GPU: %s",
              nstep < 0 ? "negative steps" : "the worlds lie on the CPU");
    return -1;
  }
  snBatchView view;
  if (!sn_gpuBatchField(b->gpu, "ctrl", &view)) return -1;
  uint64_t inputs = (uint64_t)b->nworld * (uint64_t)(view.rows * view.columns) *
                    (uint64_t)sn_letterBytes(view.type);
  if (setCold(b) || movePath(b, start, 0, 0)) return -1;
  for (int t = 0; t < nstep; t++) {
    if (sn_batchStepControlsAt(b, 1, inputs ? ctrl + (uint64_t)t * inputs : 0)) return -1;
    if (movePath(b, path, t, 1)) return -1;
  }
  return 0;
}

// ---- queued calls ----

static int isOnGpu(const snBatch* b) {
  if (!b->gpu) snu_error("a stream is of a GPU: the worlds lie on the CPU");
  return b->gpu != NULL;
}

int sn_batchStepOn(snBatch* b, int nstep, uint64_t ctrl, uint64_t stream) {
  return isOnGpu(b) ? sn_gpuBatchStepOn(b->gpu, nstep, ctrl, stream) : -1;
}

int sn_batchResetOn(snBatch* b, uint64_t mask, int keyframe, uint64_t stream) {
  return isOnGpu(b) ? sn_gpuBatchResetOn(b->gpu, mask, keyframe, stream) : -1;
}

int sn_batchForwardOn(snBatch* b, uint64_t stream) {
  return isOnGpu(b) ? sn_gpuBatchForwardOn(b->gpu, stream) : -1;
}

int sn_batchRnePostConstraintOn(snBatch* b, uint64_t stream) {
  return isOnGpu(b) ? sn_gpuBatchRnePostConstraintOn(b->gpu, stream) : -1;
}

// ---- resets ----

int sn_deviceReset(snBatch* b, const snByte* mask, int keyframe) {
  SN_ASSERT(b->gpu);
  if (sn_gpuBatchReset(b->gpu, mask, keyframe)) return -1;
  for (int i = 0; i < b->nworld; i++) {
    if (!mask || mask[i]) sn_batchForget(b, i);
  }
  return 0;
}

int sn_devicePerturb(snBatch* b, const snByte* mask, uint64_t seed, const uint64_t* seeds,
                     snReal scale) {
  SN_ASSERT(b->gpu);
  int sig = snSTATE_QPOS | snSTATE_QVEL;
  // positions of deformables stand between those of joints and the velocities
  size_t size = (size_t)sn_stateSize(b->model, sig);
  int velocities = sn_stateSize(b->model, snSTATE_QPOS);
  snReal* states = (snReal*)snu_malloc(size * (size_t)b->nworld * sizeof(snReal) + 1);
  if (!states) return -1;
  int code = sn_gpuBatchGetState(b->gpu, states, sig);
  for (int i = 0; !code && i < b->nworld; i++) {
    snReal* qpos = states + (size_t)i * size;
    if (mask && !mask[i]) continue;
    sn_batchNoise(b->model, qpos, qpos + velocities, sn_batchStream(seed, seeds, i), scale);
  }
  if (!code) code = sn_gpuBatchSetState(b->gpu, states, sig);
  snu_free(states);
  return code;
}

// ---- constants that derive from model fields ----
//
// They are computed on the host: the fields of every world are copied to the host, and the constants back to the
// device.

typedef struct ConstJob_ {
  snBatch* batch;
  snModel** models;  // one per world
  int failed;
} ConstJob;

static void setConstRange(void* context, int begin, int end) {
  ConstJob* job = (ConstJob*)context;
  for (int i = begin; i < end; i++) {
    snModel* m = job->models[i];
    snData* d = sn_makeData(m);
    if (d) {
      sn_setConst(m, d);
    } else {
      job->failed = 1;
    }
    sn_deleteData(d);
  }
}

// one field of all worlds from the device, or to it
static int moveField(snBatch* b, snModel** models, const char* name, snSize offset, snSize count,
                     char type, int down) {
  snBatchView view;
  if (!count) return 0;
  if (!sn_gpuBatchModelField(b->gpu, name, &view)) return -1;
  int narrow = view.type == 'f' && type == 'd';
  SN_ASSERT(view.on_gpu && view.rows * view.columns == count && (narrow || view.type == type));
  size_t bytes = (size_t)count * sn_letterBytes(type);
  size_t packed = narrow ? bytes / 2 : bytes;
  char* values = (char*)snu_malloc(packed * (size_t)b->nworld);
  if (!values) return -1;
  int code = down ? sn_gpuBatchRead(b->gpu, &view, values) : 0;
  for (int i = 0; !code && i < b->nworld; i++) {
    char* host = (char*)models[i] + offset;
    char* device = values + (size_t)i * packed;
    if (!narrow) {
      memcpy(down ? host : device, down ? device : host, bytes);
    } else {
      for (snSize k = 0; k < count; k++) {
        if (down) {
          ((double*)(void*)host)[k] = (double)((float*)(void*)device)[k];
        } else {
          ((float*)(void*)device)[k] = (float)((double*)(void*)host)[k];
        }
      }
    }
  }
  if (!code && !down) code = sn_gpuBatchWrite(b->gpu, &view, values);
  snu_free(values);
  return code;
}

// Copies the fields that differ between worlds to the host; then the constants to the device.
static int moveFields(snBatch* b, snModel** models, int down) {
  const snModel* m = models[0];
  for (int i = 0; i < snMODEL_FIELDS; i++) {
    const snField* f = sn_modelFields + i;
    if (!(down ? sn_gpuBatchOwns(b->gpu, f->name) : !strcmp(f->stage, "CONST"))) continue;
    snSize offset = (const char*)sn_fieldArray(f, m) - (const char*)m;
    if (moveField(b, models, f->name, offset, sn_fieldCount(f, m), f->letter, down)) return -1;
  }
  if (down) return 0;
  return moveField(b, models, "stat.meaninertia",
                   (const char*)&m->stat.meaninertia - (const char*)m, 1, SN_LETTER_real, down);
}

int sn_deviceSetConst(snBatch* b) {
  SN_ASSERT(b->gpu);
  snModel** models = (snModel**)snu_malloc((size_t)b->nworld * sizeof(snModel*));
  if (!models) return -1;
  int code = 0;
  for (int i = 0; i < b->nworld; i++) {
    models[i] = sn_copyModel(NULL, b->model);
    if (!models[i]) code = -1;
  }
  ConstJob job = {b, models, 0};
  if (!code) code = moveFields(b, models, 1);
  if (!code) sn_parallelFor(b->workers, b->nworld, 1, setConstRange, &job);
  if (!code && !job.failed) code = moveFields(b, models, 0);
  for (int i = 0; i < b->nworld; i++) sn_deleteModel(models[i]);
  snu_free(models);
  return job.failed ? -1 : code;
}
