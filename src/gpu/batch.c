// Batches on a GPU: memory, launches, copies.

#include <string.h>

#include "base/error.h"
#include "gpu/driver.h"
#include "gpu/pack.h"
#include "gpu/worlds.h"
#include "model/memory.h"
#include "sinew/gpu.h"
#include "sinew/sinew.h"

// images of the engine that the build embedded, ended by zeros
typedef struct EngineImage_ {
  int64_t real_bytes, arch;
  const char *begin, *end;
} EngineImage;
extern const EngineImage sn_gpu_images[];

enum Kernel { SPREAD, RESET, STEP, GET_STATE, SET_STATE, COUNTS, KERNEL_COUNT };
static const char* const KERNEL_NAMES[KERNEL_COUNT] = {"sn_kernelSpread",   "sn_kernelReset",
                                                       "sn_kernelStep",     "sn_kernelGetState",
                                                       "sn_kernelSetState", "sn_kernelCounts"};

enum {
  THREADS = 32,            // one warp a block: worlds of different cost spread evenly
  STACK_BYTES = 48 << 10,  // of a thread: contact manifolds and polytopes are the largest
  OVERFLOW_BITS = 1 << snWARN_CONTACTFULL | 1 << snWARN_CNSTRFULL
};

struct snGpuBatch_ {
  const snDriver* driver;
  const snPacker* packer;
  snModel* model;
  CUmodule module;
  CUfunction kernels[KERNEL_COUNT];
  snWorlds worlds;
  CUdeviceptr scratch;  // states, controls and masks on their way
  size_t scratch_bytes;
  CUdeviceptr saved;  // states before a step
  CUdeviceptr status_device;
  int* status;  // 2 x nworld: warnings of the last step, and of all steps of the last call
  snSize narena;
  snSize bytes;
};

// ---- errors ----

static int failed(snGpuBatch* b, int code, const char* what) {
  if (!code) return 0;
  const char* text = NULL;
  b->driver->errorString(code, &text);
  snu_error("GPU: %s failed: %s", what, text ? text : "unknown error");
  return 1;
}

const char* sn_gpuName(char* error, int error_sz) {
  const snDriver* driver = sn_driver(error, error_sz);
  return driver ? driver->name : NULL;
}

// what a device cannot do, or NULL
static const char* unsupported(const snModel* m) {
  if (m->nplugin) return "plugins";
  if (m->nflex) return "flexes";
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == snSENS_USER) return "user sensors";
  }
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_dyntype[i] == snDYN_USER || m->actuator_gaintype[i] == snGAIN_USER ||
        m->actuator_biastype[i] == snBIAS_USER) {
      return "user actuators";
    }
  }
  return NULL;
}

// ---- set-up ----

// the image for this device: its own architecture, or the newest of the same generation below it
static const EngineImage* findImage(const snDriver* driver, int real_bytes) {
  const EngineImage* best = NULL;
  for (const EngineImage* image = sn_gpu_images; image->begin; image++) {
    int fits = image->real_bytes == real_bytes && image->arch / 10 == driver->arch / 10 &&
               image->arch <= driver->arch;
    if (fits && (!best || image->arch > best->arch)) best = image;
  }
  return best;
}

static int loadEngine(snGpuBatch* b, const EngineImage* image) {
  const snDriver* driver = b->driver;
  if (failed(b, driver->setLimit(CU_LIMIT_STACK_SIZE, STACK_BYTES), "setting the stack size"))
    return 0;
  if (failed(b, driver->loadModule(&b->module, image->begin), "loading the engine")) return 0;
  for (int k = 0; k < KERNEL_COUNT; k++) {
    if (failed(b, driver->getFunction(b->kernels + k, b->module, KERNEL_NAMES[k]),
               KERNEL_NAMES[k])) {
      return 0;
    }
  }
  return 1;
}

static CUdeviceptr deviceAllocate(snGpuBatch* b, size_t bytes) {
  CUdeviceptr memory = 0;
  if (failed(b, b->driver->allocate(&memory, bytes ? bytes : 8), "allocating memory")) return 0;
  b->bytes += (snSize)bytes;
  return memory;
}

static int launch(snGpuBatch* b, int kernel, void** arguments, const char* what) {
  unsigned grid = ((unsigned)b->worlds.count + THREADS - 1) / THREADS;
  const snDriver* driver = b->driver;
  int code =
      driver->launch(b->kernels[kernel], grid, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL);
  if (!code) code = driver->synchronize();
  return !failed(b, code, what);
}

static int uploadModel(snGpuBatch* b, const snPieces* pieces) {
  snImage image = b->packer->packModel(pieces, 0);
  if (!image.bytes) return 0;
  size_t size = (size_t)image.size;
  snu_free(image.bytes);
  b->worlds.model = deviceAllocate(b, size);
  if (!b->worlds.model) return 0;
  image = b->packer->packModel(pieces, b->worlds.model);
  int code = image.bytes ? b->driver->upload(b->worlds.model, image.bytes, size) : 1;
  snu_free(image.bytes);
  return !failed(b, code, "uploading the model");
}

// data blocks for all worlds with arenas of b->narena bytes, in the reference state
static int makeWorlds(snGpuBatch* b, const snPieces* pieces, int keyframe) {
  snImage image = b->packer->packData(pieces, 0, b->narena, &b->worlds.stride);
  snu_free(image.bytes);
  if (!image.bytes) return 0;
  if (b->worlds.blocks) b->driver->release(b->worlds.blocks);
  b->worlds.blocks = deviceAllocate(b, (size_t)(b->worlds.stride * b->worlds.count));
  if (!b->worlds.blocks) return 0;
  image = b->packer->packData(pieces, b->worlds.blocks, b->narena, &b->worlds.stride);
  int code = image.bytes ? b->driver->upload(b->worlds.blocks, image.bytes, (size_t)image.size) : 1;
  snu_free(image.bytes);
  if (failed(b, code, "uploading data")) return 0;
  int64_t bytes = image.size;
  void* spread[] = {&b->worlds, &bytes};
  CUdeviceptr mask = 0;
  void* reset[] = {&b->worlds, &mask, &keyframe};
  return launch(b, SPREAD, spread, "making the worlds") && launch(b, RESET, reset, "reset");
}

// bytes of arena that a world uses in a short trial on the host, with room to spare
static snSize estimateArena(const snModel* m) {
  snData* d = sn_makeData(m);
  if (!d) return m->narena;
  for (int i = 0; i < 50; i++) sn_step(m, d);
  snSize used = 2 * d->maxuse_arena + (64 << 10);
  sn_deleteData(d);
  used = (used + 4095) / 4096 * 4096;
  return used < m->narena ? used : m->narena;
}

snGpuBatch* sn_makeGpuBatch(const snModel* m, int nworld, int single, char* error, int error_sz) {
  const snDriver* driver = sn_driver(error, error_sz);
  if (!driver) return NULL;
  const char* missing = unsupported(m);
  if (missing || nworld < 1) {
    sn_formatError(error, error_sz, "a GPU batch cannot have %s", missing ? missing : "no worlds");
    return NULL;
  }
  const EngineImage* image = findImage(driver, single ? 4 : 8);
  if (!image) {
    sn_formatError(error, error_sz, "this build has no %s-precision engine for %s (sm_%d)",
                   single ? "single" : "double", driver->name, driver->arch);
    return NULL;
  }
  snGpuBatch* b = (snGpuBatch*)snu_malloc(sizeof(snGpuBatch));
  if (!b) return NULL;
  memset(b, 0, sizeof(*b));
  b->driver = driver;
  b->packer = single ? &sn_packerSingle : &sn_packerDouble;
  b->model = sn_copyModel(NULL, m);
  b->worlds.count = b->worlds.nworld = nworld;
  b->narena = estimateArena(m);
  b->status = (int*)snu_malloc((size_t)nworld * 2 * sizeof(int));
  snPieces pieces;
  sn_takeApart(m, &pieces);
  size_t state = (size_t)sn_stateSize(m, snSTATE_INTEGRATION) * 8 * (size_t)nworld;
  int made = b->model && b->status && loadEngine(b, image) && uploadModel(b, &pieces) &&
             makeWorlds(b, &pieces, -1) &&
             (b->status_device = deviceAllocate(b, (size_t)nworld * 2 * sizeof(int))) &&
             (b->saved = deviceAllocate(b, state));
  if (!made) {
    sn_formatError(error, error_sz, "%s", sn_lastError());
    sn_deleteGpuBatch(b);
    return NULL;
  }
  return b;
}

void sn_deleteGpuBatch(snGpuBatch* b) {
  if (!b) return;
  CUdeviceptr memory[] = {b->worlds.model, b->worlds.blocks, b->scratch, b->saved,
                          b->status_device};
  for (int i = 0; i < 5; i++) {
    if (memory[i]) b->driver->release(memory[i]);
  }
  snu_free(b->status);
  sn_deleteModel(b->model);
  snu_free(b);
}

// ---- numbers between host and device, in the batch's precision ----

static CUdeviceptr scratch(snGpuBatch* b, size_t bytes) {
  if (bytes > b->scratch_bytes) {
    if (b->scratch) b->driver->release(b->scratch);
    b->scratch = deviceAllocate(b, bytes);
    b->scratch_bytes = b->scratch ? bytes : 0;
  }
  return b->scratch;
}

static CUdeviceptr uploadReals(snGpuBatch* b, const double* values, size_t count) {
  size_t bytes = count * (size_t)b->packer->real_bytes;
  CUdeviceptr target = scratch(b, bytes);
  if (!target || b->packer->real_bytes == 8) {
    return target && !failed(b, b->driver->upload(target, values, bytes), "upload") ? target : 0;
  }
  float* narrow = (float*)snu_malloc(bytes + 1);
  if (!narrow) return 0;
  for (size_t k = 0; k < count; k++) narrow[k] = (float)values[k];
  int code = b->driver->upload(target, narrow, bytes);
  snu_free(narrow);
  return failed(b, code, "upload") ? 0 : target;
}

static int downloadReals(snGpuBatch* b, double* values, CUdeviceptr source, size_t count) {
  size_t bytes = count * (size_t)b->packer->real_bytes;
  if (b->packer->real_bytes == 8)
    return !failed(b, b->driver->download(values, source, bytes), "download");
  float* narrow = (float*)snu_malloc(bytes + 1);
  if (!narrow) return 0;
  int code = b->driver->download(narrow, source, bytes);
  for (size_t k = 0; k < count; k++) values[k] = (double)narrow[k];
  snu_free(narrow);
  return !failed(b, code, "download");
}

// ---- state ----

static int stateKernel(snGpuBatch* b, int kernel, CUdeviceptr state, int sig) {
  int size = sn_stateSize(b->model, sig);
  void* arguments[] = {&b->worlds, &state, &size, &sig};
  return launch(b, kernel, arguments, "copying states");
}

int sn_gpuBatchGetState(snGpuBatch* b, double* state, int sig) {
  b->driver->setContext(b->driver->context);
  size_t count = (size_t)sn_stateSize(b->model, sig) * (size_t)b->worlds.count;
  CUdeviceptr buffer = scratch(b, count * 8);
  if (!buffer || !stateKernel(b, GET_STATE, buffer, sig)) return -1;
  return downloadReals(b, state, buffer, count) ? 0 : -1;
}

int sn_gpuBatchSetState(snGpuBatch* b, const double* state, int sig) {
  b->driver->setContext(b->driver->context);
  size_t count = (size_t)sn_stateSize(b->model, sig) * (size_t)b->worlds.count;
  CUdeviceptr buffer = uploadReals(b, state, count);
  return buffer && stateKernel(b, SET_STATE, buffer, sig) ? 0 : -1;
}

// ---- stepping ----

static int anyOverflow(const snGpuBatch* b) {
  int any = 0;
  const int* seen = b->status + b->worlds.nworld;
  for (int i = 0; i < b->worlds.nworld; i++) any |= seen[i] & OVERFLOW_BITS;
  return any;
}

// larger arenas, with the worlds in the states saved before the step
static int growArenas(snGpuBatch* b) {
  snPieces pieces;
  sn_takeApart(b->model, &pieces);
  b->narena *= 2;
  return makeWorlds(b, &pieces, -1) && stateKernel(b, SET_STATE, b->saved, snSTATE_INTEGRATION);
}

int sn_gpuBatchStep(snGpuBatch* b, int nstep, const double* ctrl) {
  b->driver->setContext(b->driver->context);
  size_t count = (size_t)nstep * (size_t)b->worlds.count * (size_t)b->model->nu;
  for (;;) {
    CUdeviceptr controls = ctrl && count ? uploadReals(b, ctrl, count) : 0;
    if (ctrl && count && !controls) return -1;
    if (!stateKernel(b, GET_STATE, b->saved, snSTATE_INTEGRATION)) return -1;
    void* arguments[] = {&b->worlds, &nstep, &controls, &b->status_device};
    if (!launch(b, STEP, arguments, "stepping")) return -1;
    size_t bytes = (size_t)b->worlds.nworld * 2 * sizeof(int);
    if (failed(b, b->driver->download(b->status, b->status_device, bytes), "download")) return -1;
    if (!anyOverflow(b)) return 0;
    if (!growArenas(b)) return -1;
  }
}

int sn_gpuBatchReset(snGpuBatch* b, const snByte* mask, int keyframe) {
  b->driver->setContext(b->driver->context);
  CUdeviceptr device_mask = 0;
  if (mask) {
    device_mask = scratch(b, (size_t)b->worlds.count);
    if (!device_mask) return -1;
    if (failed(b, b->driver->upload(device_mask, mask, (size_t)b->worlds.count), "upload"))
      return -1;
  }
  void* arguments[] = {&b->worlds, &device_mask, &keyframe};
  return launch(b, RESET, arguments, "reset") ? 0 : -1;
}

int sn_gpuBatchCounts(snGpuBatch* b, int* counts) {
  b->driver->setContext(b->driver->context);
  size_t bytes = (size_t)b->worlds.count * 4 * sizeof(int);
  CUdeviceptr buffer = scratch(b, bytes);
  void* arguments[] = {&b->worlds, &buffer};
  if (!buffer || !launch(b, COUNTS, arguments, "counting")) return -1;
  return failed(b, b->driver->download(counts, buffer, bytes), "download") ? -1 : 0;
}

const int* sn_gpuBatchStatus(const snGpuBatch* b) { return b->status; }
snSize sn_gpuBatchBytes(const snGpuBatch* b) { return b->bytes; }
