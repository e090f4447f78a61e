// Stepping the worlds of a GPU.
//
// All worlds take all steps of a call in one launch. The host does not read their warnings: the kernel sets two ints in
// memory of the host (snEvents) when some world needs attention. When a world has run out of arena, the call is
// repeated for all with larger arenas. When a world has failed (engine/step/recover.h), it alone is stepped again "with
// care", saving its state before every step: by the same kernel with as many lanes, so that it fails again where it
// failed. Both start from the states saved before the call.
//
// Queued calls go into a stream of the caller and return at once. They always run "with care": the device itself
// restores failed worlds and resets them. Arenas cannot grow meanwhile; a world whose arena is full goes on without the
// contacts that did not fit. The first call that waits enlarges the arenas (sn_gpuSettle).

#include <string.h>

#include "base/assert.h"
#include "engine/step/recover.h"
#include "gpu/batch.h"

typedef struct Call_ {
  const int* list;  // worlds to step, NULL: all
  int count;
  int nstep;
  const snReal* ctrl;
  CUdeviceptr ctrl_device;  // instead of ctrl
} Call;

static Call allWorlds(const snGpuBatch* b, int nstep, CUdeviceptr ctrl) {
  Call call = {NULL, b->worlds.nworld, nstep, NULL, ctrl};
  return call;
}

// controls of a call in scratch memory; 0 when there are none, -1 on failure
static int uploadControls(snGpuBatch* b, const Call* call, CUdeviceptr* controls) {
  size_t count = (size_t)call->nstep * (size_t)b->worlds.nworld * (size_t)b->model->nu;
  if (call->ctrl_device) {
    *controls = call->ctrl_device;
    return 0;
  }
  *controls = call->ctrl && count ? sn_gpuUploadReals(b, call->ctrl, count) : 0;
  return call->ctrl && count && !*controls ? -1 : 0;
}

static int worldOf(const Call* call, int k) {
  SN_ASSERT_INDEX(k, call->count);
  return call->list ? call->list[k] : k;
}

// status bits that any world of the call has set
static int seenBits(const snGpuBatch* b, const Call* call) {
  int bits = 0;
  for (int k = 0; k < call->count; k++) bits |= b->status[b->worlds.nworld + worldOf(call, k)];
  return bits;
}

// rows of the status as the device has them
static int downloadStatus(snGpuBatch* b, int rows) {
  SN_ASSERT(rows > 0 && rows <= 4);
  size_t bytes = (size_t)b->worlds.nworld * (size_t)rows * sizeof(int);
  return !sn_gpuFailed(b, b->driver->download(b->status, b->status_device, bytes), "download");
}

static void setUneventful(snGpuBatch* b, int i, int nstep) {
  SN_ASSERT_INDEX(i, b->worlds.nworld);
  b->status[2 * b->worlds.nworld + i] = 0;
  b->status[3 * b->worlds.nworld + i] = nstep;
}

// all steps of a call in one launch; without care it saves the states before them
static int launchSteps(snGpuBatch* b, const Call* call, int careful) {
  SN_ASSERT(call->nstep > 0 && call->count > 0);
  SN_ASSERT(!careful || b->before_step.states);  // memory for the state before each step
  snStepCall step = {call->nstep, careful,          0,
                     0,           b->status_device, (uintptr_t)b->events,
                     b->saved,    b->before_step,   b->keyframe};
  CUdeviceptr controls = 0;
  snWorlds worlds;
  if (uploadControls(b, call, &controls)) return 0;
  if (!sn_gpuSelect(b, call->list, call->count, &worlds)) return 0;
  step.ctrl = controls;
  b->events->overflow = b->events->failure = 0;
  void* arguments[] = {&worlds, &step};
  return sn_gpuLaunch(b, snKERNEL_STEP, &worlds, arguments, "stepping");
}

// Repeats the call from the saved states, with care.
static int stepCarefully(snGpuBatch* b, const Call* call) {
  snWorlds worlds;
  return sn_gpuAllocateSaved(b, &b->before_step) &&
         sn_gpuSelect(b, call->list, call->count, &worlds) &&
         sn_gpuCopyStates(b, snKERNEL_RESTORE, &worlds, &b->saved) && launchSteps(b, call, 1) &&
         downloadStatus(b, 4);
}

// Steps only the worlds that failed once more.
static int stepFailed(snGpuBatch* b, const Call* call) {
  int* list = (int*)snu_malloc((size_t)call->count * sizeof(int));
  if (!list) return 0;
  Call careful = *call;
  careful.list = list;
  careful.count = 0;
  for (int k = 0; k < call->count; k++) {
    int i = worldOf(call, k);
    if (b->status[b->worlds.nworld + i] & snSTATUS_FAILURE) list[careful.count++] = i;
  }
  SN_ASSERT(careful.count > 0);  // an event has announced it
  int done = stepCarefully(b, &careful);
  for (int i = 0; i < b->worlds.nworld; i++) {
    if (!(b->status[b->worlds.nworld + i] & snSTATUS_FAILURE)) setUneventful(b, i, call->nstep);
  }
  snu_free(list);
  return done;
}

// failed worlds start again from their keyframe
static int resetFailed(snGpuBatch* b, const Call* call) {
  if (!b->any_failed) return 1;
  snByte* mask = (snByte*)snu_malloc((size_t)b->worlds.nworld);
  if (!mask) return 0;
  memset(mask, 0, (size_t)b->worlds.nworld);
  int any = 0;
  for (int k = 0; k < call->count; k++) {
    int i = worldOf(call, k);
    any |= mask[i] = b->failed[i];
  }
  int done = !any || !sn_gpuBatchReset(b, mask, b->keyframe);
  snu_free(mask);
  return done;
}

// Worlds that failed are stepped again. Returns whether some world has run out of arena; -1 on failure.
static int handleEvents(snGpuBatch* b, const Call* call) {
  if (!downloadStatus(b, 2)) return -1;
  for (int i = 0; i < b->worlds.nworld; i++) setUneventful(b, i, call->nstep);
  if (!b->events->overflow && !stepFailed(b, call)) return -1;
  return (seenBits(b, call) & snSTATUS_OVERFLOW) != 0;
}

// which worlds of the call are to be reset before their next step
static void noteFailed(snGpuBatch* b, const Call* call) {
  for (int k = 0; k < call->count; k++) {
    int i = worldOf(call, k);
    b->failed[i] = (b->status[i] & snSTATUS_FAILURE) != 0;
  }
  sn_gpuCountFailed(b);
}

static int stepCall(snGpuBatch* b, const Call* call) {
  if (call->nstep < 1 || call->count < 1) return 0;
  sn_gpuEnter(b);
  if (!sn_gpuSettle(b) || !resetFailed(b, call)) return -1;
  // a launch saves the worlds that it steps; larger arenas move all
  if (call->list && !sn_gpuCopyStates(b, snKERNEL_SAVE, &b->worlds, &b->saved)) return -1;
  int eventful, again = 0;
  do {
    if (again && !sn_gpuGrow(b)) return -1;
    if (!launchSteps(b, call, 0)) return -1;
    eventful = b->events->overflow || b->events->failure;
    again = eventful ? handleEvents(b, call) : 0;
    if (again < 0) return -1;
  } while (again);
  b->status_steps = eventful ? 0 : call->nstep;
  if (eventful) noteFailed(b, call);
  return 0;
}

int sn_gpuBatchStepWorlds(snGpuBatch* b, const int* list, int count, int nstep,
                          const snReal* ctrl) {
  Call call = {list, list ? count : b->worlds.nworld, nstep, ctrl, 0};
  return stepCall(b, &call);
}

int sn_gpuBatchStepAt(snGpuBatch* b, int nstep, uint64_t ctrl) {
  Call call = allWorlds(b, nstep, ctrl);
  return stepCall(b, &call);
}

int sn_gpuBatchStep(snGpuBatch* b, int nstep, const snReal* ctrl) {
  return sn_gpuBatchStepWorlds(b, NULL, 0, nstep, ctrl);
}

// ---- queued calls ----

int sn_gpuSettle(snGpuBatch* b) {
  Call all = allWorlds(b, 0, 0);
  int overflow = b->events->overflow;
  if (!b->events->queued) return 1;
  b->events->queued = b->events->overflow = b->events->failure = 0;
  if (!downloadStatus(b, 4)) return 0;
  b->status_steps = 0;
  noteFailed(b, &all);
  if (!overflow) return 1;
  return sn_gpuCopyStates(b, snKERNEL_SAVE, &b->worlds, &b->saved) && sn_gpuGrow(b);
}

// Prepares a queued call, without waiting for the device. A CUDA graph may have recorded the addresses of the worlds:
// their memory is kept when they move.
static void enterQueue(snGpuBatch* b) {
  b->driver->setContext(b->driver->context);
  b->has_queued = b->views_out = 1;
}

static int queue(snGpuBatch* b, int kernel, void** arguments, uint64_t stream, const char* what) {
  SN_ASSERT_INDEX(kernel, snKERNELS);
  enterQueue(b);
  return sn_gpuQueue(b, kernel, &b->worlds, arguments, (CUstream)(uintptr_t)stream, what) ? 0 : -1;
}

int sn_gpuBatchStepOn(snGpuBatch* b, int nstep, uint64_t ctrl, uint64_t stream) {
  Call call = allWorlds(b, nstep, ctrl);
  if (nstep < 1) return 0;
  enterQueue(b);
  if (!resetFailed(b, &call) || !sn_gpuAllocateSaved(b, &b->before_step)) return -1;
  snStepCall step = {
      nstep,          1,          1, ctrl, b->status_device, (uintptr_t)b->events, b->saved,
      b->before_step, b->keyframe};
  void* arguments[] = {&b->worlds, &step};
  return queue(b, snKERNEL_STEP, arguments, stream, "stepping");
}

int sn_gpuBatchResetOn(snGpuBatch* b, uint64_t mask, int keyframe, uint64_t stream) {
  Call all = allWorlds(b, 0, 0);
  CUdeviceptr device_mask = mask;
  void* arguments[] = {&b->worlds, &device_mask, &keyframe, &b->status_device};
  if (!resetFailed(b, &all)) return -1;
  return queue(b, snKERNEL_RESET, arguments, stream, "reset");
}

int sn_gpuBatchForwardOn(snGpuBatch* b, uint64_t stream) {
  void* arguments[] = {&b->worlds};
  return queue(b, snKERNEL_FORWARD, arguments, stream, "forward dynamics");
}

int sn_gpuBatchRnePostConstraintOn(snGpuBatch* b, uint64_t stream) {
  void* arguments[] = {&b->worlds};
  return queue(b, snKERNEL_FORCES, arguments, stream, "forces of bodies");
}

// ---- forward dynamics ----

int sn_gpuBatchForwardWorlds(snGpuBatch* b, const int* list, int count) {
  snWorlds worlds;
  if (list && count < 1) return 0;
  sn_gpuEnter(b);
  if (!sn_gpuSelect(b, list, count, &worlds)) return -1;
  void* arguments[] = {&worlds};
  return sn_gpuLaunch(b, snKERNEL_FORWARD, &worlds, arguments, "forward dynamics") ? 0 : -1;
}

int sn_gpuBatchForward(snGpuBatch* b) { return sn_gpuBatchForwardWorlds(b, NULL, 0); }

int sn_gpuBatchRnePostConstraint(snGpuBatch* b) {
  sn_gpuEnter(b);
  void* arguments[] = {&b->worlds};
  return sn_gpuLaunch(b, snKERNEL_FORCES, &b->worlds, arguments, "forces of bodies") ? 0 : -1;
}

// after a call without events the status is read only when it is asked for
static const int* statusRow(const snGpuBatch* batch, int row) {
  SN_ASSERT_INDEX(row, 4);
  snGpuBatch* b = (snGpuBatch*)batch;
  if (b->has_queued) {
    sn_gpuEnter(b);
    sn_gpuSettle(b);
  }
  if (b->status_steps) {
    sn_gpuEnter(b);
    downloadStatus(b, 2);
    for (int i = 0; i < b->worlds.nworld; i++) setUneventful(b, i, b->status_steps);
    b->status_steps = 0;
  }
  return b->status + row * b->worlds.nworld;
}

const int* sn_gpuBatchStatus(const snGpuBatch* b) { return statusRow(b, 0); }
const int* sn_gpuBatchFailures(const snGpuBatch* b) { return statusRow(b, 2); }
const int* sn_gpuBatchAges(const snGpuBatch* b) { return statusRow(b, 3); }
