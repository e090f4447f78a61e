// A driver without a GPU: memory of the host, and kernels that call the engine one world after the
// other (fake_kernels.c). It lets every machine test what surrounds the kernels, with the CPU's own bits as answers.
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

#define EXPORT __attribute__((visibility("default")))

enum { OUT_OF_MEMORY = 2, NO_IMAGE = 209, LAUNCH_FAILED = 719 };

// a kernel of an engine in one of the precisions (fake_kernels.c)
typedef int (*RunWorld)(const char* name, const snWorlds* worlds, int i, void** arguments);
int sn_fakeRunDouble(const char* name, const snWorlds* worlds, int i, void** arguments);
int sn_fakeRunSingle(const char* name, const snWorlds* worlds, int i, void** arguments);
typedef struct Function_ {
  RunWorld run;
  char name[64];
} Function;

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
  if (setting("SN_FAKE_UNLOADABLE", 0)) return NO_IMAGE;
  int single = !memcmp(image, "fake4", 5);
  *module = (CUmodule)(uintptr_t)(single ? sn_fakeRunSingle : sn_fakeRunDouble);
  return single || !memcmp(image, "fake8", 5) ? 0 : NO_IMAGE;
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
  static Function functions[64];
  static int count;
  Function* f = functions + count++ % 64;
  f->run = (RunWorld)(uintptr_t)module;
  snprintf(f->name, sizeof(f->name), "%s", name);
  *function = (CUfunction)(uintptr_t)f;
  return 0;
}

EXPORT int cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  return !function || attribute != CU_MAX_SHARED || value < 0;
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
    const Function* f = (const Function*)(uintptr_t)function;
    code = f->run(f->name, worlds, list ? list[k] : k, arguments);
  }
  return code;
}
