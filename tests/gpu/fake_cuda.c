// A driver without a GPU: memory of the host, and kernels that call the engine one world after the
// other (fake_kernels.c). It lets every machine test what surrounds the kernels, with the CPU's own bits as answers.
//
// Environment: SN_FAKE_GPUS number of devices, SN_FAKE_VERSION newest CUDA (13000), SN_FAKE_BYTES
// memory of the device, SN_FAKE_LOST number of launches after which the device is lost,
// SN_FAKE_UNLOADABLE set: no image can be loaded, SN_FAKE_ARCH compute capability (90), SN_FAKE_TEGRA
// set: machine code is taken for exactly that one only.
//
// Images are texts, "fake8" for double precision, "fake4 sm_86" with the architecture of machine code,
// "fake8 ptx_80" for portable code. Limits of the architecture are enforced in every launch, for
// kernels whose threads have all the registers that they may have.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/driver.h"
#include "gpu/worlds.h"

#define EXPORT __attribute__((visibility("default")))

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, OUT_OF_RESOURCES = 701, LAUNCH_FAILED = 719 };
enum { REGISTERS_OF_BLOCK = 65536, SHARED_RESERVED = 1024, SHARED_UNASKED = 48 << 10 };

// a kernel of an engine in one of the precisions (fake_kernels.c)
typedef int (*RunWorld)(const char* name, const snWorlds* worlds, int i, void** arguments);
int sn_fakeRunDouble(const char* name, const snWorlds* worlds, int i, void** arguments);
int sn_fakeRunSingle(const char* name, const snWorlds* worlds, int i, void** arguments);
typedef struct Function_ {
  RunWorld run;
  char name[64];
  int max_shared;  // bytes that a block may ask for
} Function;

static size_t taken;
static long launches;

// for tests of queued calls: how often the host waited for the device, and the stream of the last launch
EXPORT long sn_fakeWaits;
EXPORT void* sn_fakeStream;

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

// kilobytes of shared memory of a processor, by compute capability
static int sharedOfProcessor(void) {
  static const int table[][2] = {{75, 64},   {80, 164},  {86, 100},  {87, 164},
                                 {89, 100},  {90, 228},  {100, 228}, {103, 228},
                                 {110, 228}, {120, 100}, {121, 100}};
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    if (table[i][0] == setting("SN_FAKE_ARCH", 90)) return table[i][1] << 10;
  }
  return SHARED_UNASKED;
}

EXPORT int cuDeviceGetAttribute(int* value, int attribute, CUdevice device) {
  int arch = (int)setting("SN_FAKE_ARCH", 90);
  (void)device;
  switch (attribute) {
    case CU_COMPUTE_MAJOR: *value = arch / 10; return 0;
    case CU_COMPUTE_MINOR: *value = arch % 10; return 0;
    case CU_PROCESSORS: *value = 20; return 0;
    case CU_SHARED_OF_PROCESSOR: *value = sharedOfProcessor(); return 0;
    case CU_SHARED_OF_BLOCK: *value = sharedOfProcessor() - SHARED_RESERVED; return 0;
    case CU_SHARED_RESERVED: *value = SHARED_RESERVED; return 0;
    default: return INVALID_VALUE;
  }
}
EXPORT int cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  (void)device;
  *context = NULL;
  return 0;
}
EXPORT int cuCtxSetCurrent(CUcontext context) { return context != NULL; }
EXPORT int cuCtxSynchronize(void) {
  sn_fakeWaits++;
  return 0;
}
// whether machine code of an architecture runs on the device
static int runs(int arch) {
  int device = (int)setting("SN_FAKE_ARCH", 90);
  if (setting("SN_FAKE_TEGRA", 0)) return arch == device;
  return arch / 10 == device / 10 && arch <= device;
}

EXPORT int cuModuleLoadData(CUmodule* module, const void* image) {
  int bytes = 0, arch = 0;
  if (setting("SN_FAKE_UNLOADABLE", 0)) return CU_NO_IMAGE;
  if (sscanf((const char*)image, "fake%d sm_%d", &bytes, &arch) == 2 && !runs(arch)) {
    return CU_NO_IMAGE;
  }
  *module = (CUmodule)(uintptr_t)(bytes == 4 ? sn_fakeRunSingle : sn_fakeRunDouble);
  return bytes == 4 || bytes == 8 ? 0 : CU_NO_IMAGE;
}

// a linker that joins nothing: the last text is the image
EXPORT int cuLinkCreate_v2(unsigned count, int* options, void** values, CUlinkState* link) {
  if (count != 1 || *options != CU_JIT_MAX_REGISTERS || (uintptr_t)*values != snREGISTERS) {
    return INVALID_VALUE;  // blocks would not fit a processor
  }
  *link = (CUlinkState)calloc(1, sizeof(void*));
  return 0;
}
EXPORT int cuLinkAddData_v2(CUlinkState link, int type, void* data, size_t size, const char* name,
                            unsigned count, int* options, void** values) {
  (void)name, (void)count, (void)options, (void)values;
  int bytes = 0, arch = 0;
  if (sscanf((const char*)data, "fake%d ptx_%d", &bytes, &arch) == 2 &&
      arch > setting("SN_FAKE_ARCH", 90)) {
    return CU_NO_IMAGE;
  }
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
  static Function functions[64];  // the same for all batches that load an image
  Function* f = functions;
  while (f->run && (f->run != (RunWorld)(uintptr_t)module || strcmp(f->name, name))) f++;
  f->run = (RunWorld)(uintptr_t)module;
  snprintf(f->name, sizeof(f->name), "%s", name);
  f->max_shared = SHARED_UNASKED;
  *function = (CUfunction)(uintptr_t)f;
  return 0;
}

EXPORT int cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  if (!function || attribute != CU_MAX_SHARED || value < 0) return INVALID_VALUE;
  if (value > sharedOfProcessor() - SHARED_RESERVED) return INVALID_VALUE;
  ((Function*)(uintptr_t)function)->max_shared = value;
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
EXPORT int cuMemHostAlloc(void** memory, size_t bytes, unsigned flags) {
  *memory = flags == CU_HOST_ON_DEVICE ? calloc(1, bytes) : NULL;
  return *memory ? 0 : INVALID_VALUE;
}
EXPORT int cuMemFreeHost(void* memory) {
  free(memory);
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
  *text = error == OUT_OF_MEMORY      ? "out of memory"
          : error == CU_NO_IMAGE      ? "no kernel image is available for execution on the device"
          : error == OUT_OF_RESOURCES ? "too many resources requested for launch"
          : error == LAUNCH_FAILED    ? "unspecified launch failure"
                                      : "unknown error";
  return 0;
}

// whether blocks fit a processor, as many as their registers allow, and worlds into the blocks
static int fits(const Function* f, const snWorlds* worlds, unsigned grid, unsigned threads,
                unsigned shared) {
  int team = !strcmp(f->name, "sn_kernelStep") || !strcmp(f->name, "sn_kernelForward") ||
             !strcmp(f->name, "sn_kernelForces") || !strcmp(f->name, "sn_kernelTry");
  int64_t lanes = team ? worlds->lanes : 1;
  if (!strncmp(f->name, "sn_kernelStep", 13)) lanes = worlds->step_lanes;
  if (threads % 32 || threads * snREGISTERS > REGISTERS_OF_BLOCK) return 0;
  if ((int)shared > f->max_shared || shared < threads * sizeof(int)) return 0;
  unsigned blocks = REGISTERS_OF_BLOCK / (threads * snREGISTERS);
  if (lanes > 1 && blocks * (shared + SHARED_RESERVED) > (unsigned)sharedOfProcessor()) return 0;
  return (int64_t)grid * threads >= worlds->count * lanes;
}

EXPORT int cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned shared, void* stream, void** arguments,
                          void** extra) {
  (void)gy, (void)gz, (void)by, (void)bz, (void)extra;
  sn_fakeStream = stream;
  long lost = setting("SN_FAKE_LOST", -1);
  if (lost >= 0 && launches++ >= lost) return LAUNCH_FAILED;
  const snWorlds* worlds = (const snWorlds*)arguments[0];
  const Function* f = (const Function*)(uintptr_t)function;
  if (!fits(f, worlds, gx, bx, shared)) return OUT_OF_RESOURCES;
  int code = 0;
  for (int k = 0; !code && k < worlds->count; k++) {
    const int* list = (const int*)(uintptr_t)worlds->list;
    code = f->run(f->name, worlds, list ? list[k] : k, arguments);
  }
  return code;
}
