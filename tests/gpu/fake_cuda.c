// A driver without a GPU: memory of the host, and kernels that call the engine one world after the
// other. It lets every machine test what surrounds the kernels, with the CPU's own bits as answers.
//
// Environment: SN_FAKE_GPUS number of devices, SN_FAKE_VERSION newest CUDA (13000), SN_FAKE_BYTES
// memory of the device, SN_FAKE_LOST number of launches after which the device is lost,
// SN_FAKE_UNLOADABLE set: no image can be loaded.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/driver.h"
#include "gpu/worlds.h"
#include "sinew/sinew.h"

#define EXPORT __attribute__((visibility("default")))

enum { OUT_OF_MEMORY = 2, NO_IMAGE = 209, LAUNCH_FAILED = 719 };

static size_t taken;
static long launches;

static long setting(const char* name, long standard) {
  const char* text = getenv(name);
  return text ? atol(text) : standard;
}

static size_t memoryBytes(void) { return (size_t)setting("SN_FAKE_BYTES", 8L << 30); }

EXPORT int cuInit(unsigned flags) { return (int)flags; }
EXPORT int cuDriverGetVersion(int* version) {
  *version = (int)setting("SN_FAKE_VERSION", 99000);
  return 0;
}
EXPORT int cuDeviceGetCount(int* count) {
  *count = (int)setting("SN_FAKE_GPUS", 1);
  return 0;
}
EXPORT int cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return 0;
}
EXPORT int cuDeviceGetName(char* name, int length, CUdevice device) {
  snprintf(name, (size_t)length, "fake GPU %d", device);
  return 0;
}
EXPORT int cuDeviceGetAttribute(int* value, int attribute, CUdevice device) {
  (void)device;
  *value = attribute == CU_COMPUTE_MAJOR ? 9 : 0;
  return 0;
}
EXPORT int cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  (void)device;
  *context = NULL;
  return 0;
}
EXPORT int cuCtxSetCurrent(CUcontext context) { return context != NULL; }
EXPORT int cuCtxSetLimit(int limit, size_t value) { return limit < 0 || value == 0; }
EXPORT int cuCtxSynchronize(void) { return 0; }
EXPORT int cuModuleLoadData(CUmodule* module, const void* image) {
  *module = (CUmodule)(uintptr_t)1;
  return setting("SN_FAKE_UNLOADABLE", 0) || memcmp(image, "fake", 4) ? NO_IMAGE : 0;
}

// a linker that joins nothing: the last text is the image
EXPORT int cuLinkCreate_v2(unsigned count, int* options, void** values, CUlinkState* link) {
  (void)options, (void)values;
  *link = (CUlinkState)calloc(1, sizeof(void*));
  return (int)count;
}
EXPORT int cuLinkAddData_v2(CUlinkState link, int type, void* data, size_t size, const char* name,
                            unsigned count, int* options, void** values) {
  (void)name, (void)count, (void)options, (void)values;
  *(void**)link = data;
  return type != CU_INPUT_PTX || strlen((const char*)data) + 1 != size;
}
EXPORT int cuLinkComplete(CUlinkState link, void** image, size_t* size) {
  *image = *(void**)link;
  *size = 4;
  return 0;
}
EXPORT int cuLinkDestroy(CUlinkState link) {
  free(link);
  return 0;
}
EXPORT int cuModuleUnload(CUmodule module) { return module == NULL; }
EXPORT int cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  (void)module;
  *function = (CUfunction)(uintptr_t)name;
  return 0;
}

// the size of a piece of memory lies before it
EXPORT int cuMemAlloc_v2(CUdeviceptr* memory, size_t bytes) {
  char* block =
      taken + bytes > memoryBytes() ? NULL : (char*)aligned_alloc(64, (bytes + 191) / 64 * 64);
  if (!block) return OUT_OF_MEMORY;
  memset(block, 0xa5, bytes + 64);
  memcpy(block, &bytes, sizeof(bytes));
  taken += bytes;
  *memory = (CUdeviceptr)(uintptr_t)(block + 64);
  return 0;
}
EXPORT int cuMemFree_v2(CUdeviceptr memory) {
  char* block = (char*)(uintptr_t)memory - 64;
  size_t bytes;
  memcpy(&bytes, block, sizeof(bytes));
  taken -= bytes;
  free(block);
  return 0;
}
EXPORT int cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
  *total = memoryBytes();
  *free_bytes = *total - taken;
  return 0;
}
EXPORT int cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  memcpy((void*)(uintptr_t)to, from, bytes);
  return 0;
}
EXPORT int cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  memcpy(to, (const void*)(uintptr_t)from, bytes);
  return 0;
}
EXPORT int cuMemcpy2D_v2(const snRowCopy* copy) {
  for (size_t row = 0; row < copy->height; row++) {
    const snRowCopyEnd *from = &copy->from, *to = &copy->to;
    const char* source = from->memory_type == CU_HOST ? (const char*)from->host
                                                      : (const char*)(uintptr_t)from->device;
    char* target = to->memory_type == CU_HOST ? (char*)to->host : (char*)(uintptr_t)to->device;
    memcpy(target + row * to->pitch, source + row * from->pitch, copy->width_bytes);
  }
  return 0;
}
EXPORT int cuGetErrorString(int error, const char** text) {
  *text = error == OUT_OF_MEMORY   ? "out of memory"
          : error == NO_IMAGE      ? "no kernel image is available for execution on the device"
          : error == LAUNCH_FAILED ? "unspecified launch failure"
                                   : "unknown error";
  return 0;
}

// ---- kernels ----

static snData* dataOf(const snWorlds* worlds, int i) {
  return (snData*)(uintptr_t)(worlds->blocks + (uint64_t)(i * worlds->stride));
}

static const snModel* modelOf(const snWorlds* worlds, int i) {
  return (const snModel*)(uintptr_t)(worlds->model + (uint64_t)(i * worlds->model_stride));
}

static void spread(const snWorlds* worlds, int i, void** a) {
  if (!i) return;
  int64_t shift = i * worlds->stride;
  snData* d = dataOf(worlds, i);
  memcpy((void*)d, (const void*)dataOf(worlds, 0), (size_t) * (int64_t*)a[1]);
  d->buffer = (char*)d->buffer + shift;
  d->arena = (char*)d->arena + shift;
#define X(type, name, rows, columns, stage, meaning) \
  d->name = (sn_type_##type*)(void*)((char*)d->name + shift);
  SN_DATA_FIELDS(X)
#undef X
}

static void reset(const snWorlds* worlds, int i, void** a) {
  const snByte* mask = *(const snByte**)a[1];
  if (!mask || mask[i]) sn_resetDataKeyframe(modelOf(worlds, i), dataOf(worlds, i), *(int*)a[2]);
}

static void save(const snWorlds* worlds, int i, snReal* saved, int* sleep, int size) {
  const snModel* m = modelOf(worlds, i);
  snData* d = dataOf(worlds, i);
  sn_getState(m, d, saved + (int64_t)i * size, snSTATE_INTEGRATION);
  for (int k = 0; k < m->ntree; k++) sleep[i * m->ntree + k] = d->tree_asleep[k];
}

static void restore(const snWorlds* worlds, int i, const snReal* saved, const int* sleep,
                    int size) {
  const snModel* m = modelOf(worlds, i);
  snData* d = dataOf(worlds, i);
  sn_setState(m, d, saved + (int64_t)i * size, snSTATE_INTEGRATION);
  for (int k = 0; k < m->ntree; k++) d->tree_asleep[k] = sleep[i * m->ntree + k];
}

enum {
  OVERFLOW_BITS = 1 << snWARN_CONTACTFULL | 1 << snWARN_CNSTRFULL,
  FAILURE_BITS = 1 << snWARN_BADQPOS | 1 << snWARN_BADQVEL | 1 << snWARN_BADQACC
};

static void step(const snWorlds* worlds, int i, void** a, int careful) {
  const snModel* m = modelOf(worlds, i);
  snData* d = dataOf(worlds, i);
  const snReal* ctrl = *(const snReal**)a[2];
  int *status = *(int**)a[3], nstep = *(int*)a[1], nworld = worlds->nworld;
  int bits = 0, failed = 0, failures = 0, age = 0;
  for (int t = 0; t < nstep && !(careful && (bits & OVERFLOW_BITS)); t++, age++) {
    if (failed) {
      sn_resetDataKeyframe(m, d, *(int*)a[7]);
      age = 0;
    }
    const snReal* source = ctrl ? ctrl + ((int64_t)t * nworld + i) * m->nu : d->ctrl;
    memmove(d->ctrl, source, (size_t)m->nu * sizeof(snReal));
    if (careful) save(worlds, i, *(snReal**)a[4], *(int**)a[5], *(int*)a[6]);
    sn_step(m, d);
    bits |= d->status;
    failed = careful && (d->status & FAILURE_BITS);
    failures += failed;
    if (failed) restore(worlds, i, *(snReal**)a[4], *(int**)a[5], *(int*)a[6]);
  }
  status[i] = d->status;
  status[nworld + i] = bits;
  if (!careful) return;
  status[2 * nworld + i] = failures;
  status[3 * nworld + i] = age;
}

static void counts(const snWorlds* worlds, int i, int* values) {
  const snData* d = dataOf(worlds, i);
  values[4 * i] = d->ncon;
  values[4 * i + 1] = d->nefc;
  values[4 * i + 2] = d->solver_niter[0];
  values[4 * i + 3] = (int)d->maxuse_arena;
}

static void contacts(const snWorlds* worlds, int i, int* geoms, snReal* distances, int room) {
  const snData* d = dataOf(worlds, i);
  for (int k = 0; k < room; k++) {
    int64_t place = (int64_t)i * room + k;
    geoms[2 * place] = k < d->ncon ? d->contact[k].geom[0] : -1;
    geoms[2 * place + 1] = k < d->ncon ? d->contact[k].geom[1] : -1;
    distances[place] = k < d->ncon ? d->contact[k].dist : 0;
  }
}

static int runWorld(const char* name, const snWorlds* w, int i, void** a) {
  const snModel* m = modelOf(w, i);
  snData* d = dataOf(w, i);
  if (!strcmp(name, "sn_kernelSpread")) return spread(w, i, a), 0;
  if (!strcmp(name, "sn_kernelReset")) return reset(w, i, a), 0;
  if (!strcmp(name, "sn_kernelStep")) return step(w, i, a, 0), 0;
  if (!strcmp(name, "sn_kernelStepCarefully")) return step(w, i, a, 1), 0;
  if (!strcmp(name, "sn_kernelForward")) return sn_forward(m, d), 0;
  if (!strcmp(name, "sn_kernelCounts")) return counts(w, i, *(int**)a[1]), 0;
  if (!strcmp(name, "sn_kernelContacts"))
    return contacts(w, i, *(int**)a[1], *(snReal**)a[2], *(int*)a[3]), 0;
  int64_t size = 0;
  if (!strcmp(name, "sn_kernelGetState") || !strcmp(name, "sn_kernelSetState")) {
    size = *(int*)a[2];
    snReal* state = *(snReal**)a[1] + i * size;
    if (!strcmp(name, "sn_kernelGetState")) return sn_getState(m, d, state, *(int*)a[3]), 0;
    return sn_setState(m, d, state, *(int*)a[3]), 0;
  }
  if (!strcmp(name, "sn_kernelSave"))
    return save(w, i, *(snReal**)a[1], *(int**)a[2], *(int*)a[3]), 0;
  if (!strcmp(name, "sn_kernelRestore"))
    return restore(w, i, *(snReal**)a[1], *(int**)a[2], *(int*)a[3]), 0;
  return LAUNCH_FAILED;
}

EXPORT int cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned shared, void* stream, void** arguments,
                          void** extra) {
  (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
  long lost = setting("SN_FAKE_LOST", -1);
  if (lost >= 0 && launches++ >= lost) return LAUNCH_FAILED;
  const snWorlds* worlds = (const snWorlds*)arguments[0];
  if ((int64_t)gx * bx < worlds->count) return LAUNCH_FAILED;
  int code = 0;
  for (int k = 0; !code && k < worlds->count; k++) {
    const int* list = (const int*)(uintptr_t)worlds->list;
    code = runWorld((const char*)(uintptr_t)function, worlds, list ? list[k] : k, arguments);
  }
  return code;
}
