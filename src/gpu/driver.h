// The few functions of the CUDA driver that we use, loaded when first needed.

#ifndef SINEW_GPU_DRIVER_H_
#define SINEW_GPU_DRIVER_H_

#include <stddef.h>
#include <stdint.h>

typedef uint64_t CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef void* CUstream;
typedef struct CUlinkState_st* CUlinkState;

enum {
  CU_COMPUTE_MAJOR = 75,
  CU_COMPUTE_MINOR = 76,
  CU_INPUT_PTX = 1,
  CU_JIT_MAX_REGISTERS = 0,
  CU_MAX_SHARED = 8,
  CU_PROCESSORS = 16,
  CU_SHARED_OF_PROCESSOR = 81,
  CU_SHARED_OF_BLOCK = 97,
  CU_SHARED_RESERVED = 111,  // of each block, beside what it asks for
  CU_HOST_ON_DEVICE = 2,     // memory of the host that kernels write to
  CU_NO_IMAGE = 209
};

// Registers of a thread, for which images are compiled (tools/gpu_build.py), and teams of a block,
// which then has all registers of a processor.
enum { snREGISTERS = 128, snBLOCK_TEAMS = 65536 / snREGISTERS / 32 };

// Copy of rows that lie pitch bytes apart, as the driver wants it described (CUDA_MEMCPY2D).
enum { CU_HOST = 1, CU_DEVICE = 2 };
typedef struct snRowCopyEnd_ {
  size_t x_bytes, y;
  int memory_type;
  void* host;
  CUdeviceptr device;
  void* array;
  size_t pitch;
} snRowCopyEnd;
typedef struct snRowCopy_ {
  snRowCopyEnd from, to;
  size_t width_bytes, height;
} snRowCopy;

// name in the library, our name, parameters; all return an error code
#define SN_DRIVER_FUNCTIONS(F)                                                                     \
  F(cuInit, init, (unsigned flags))                                                                \
  F(cuDriverGetVersion, getVersion, (int* version))                                                \
  F(cuDeviceGetCount, deviceCount, (int* count))                                                   \
  F(cuDeviceGet, deviceGet, (CUdevice * device, int ordinal))                                      \
  F(cuDeviceGetName, deviceName, (char* name, int length, CUdevice device))                        \
  F(cuDeviceGetAttribute, deviceAttribute, (int* value, int attribute, CUdevice device))           \
  F(cuDevicePrimaryCtxRetain, retainContext, (CUcontext * context, CUdevice device))               \
  F(cuCtxSetCurrent, setContext, (CUcontext context))                                              \
  F(cuCtxSynchronize, synchronize, (void))                                                         \
  F(cuModuleLoadData, loadModule, (CUmodule * module, const void* image))                          \
  F(cuModuleUnload, unloadModule, (CUmodule module))                                               \
  F(cuModuleGetFunction, getFunction, (CUfunction * function, CUmodule module, const char* name))  \
  F(cuLinkCreate_v2, createLink, (unsigned count, int* options, void** values, CUlinkState* link)) \
  F(cuLinkAddData_v2, addLink,                                                                     \
    (CUlinkState link, int type, void* data, size_t size, const char* name, unsigned count,        \
     int* options, void** values))                                                                 \
  F(cuLinkComplete, completeLink, (CUlinkState link, void** image, size_t* size))                  \
  F(cuLinkDestroy, destroyLink, (CUlinkState link))                                                \
  F(cuFuncSetAttribute, setAttribute, (CUfunction function, int attribute, int value))             \
  F(cuMemAlloc_v2, allocate, (CUdeviceptr * memory, size_t bytes))                                 \
  F(cuMemFree_v2, release, (CUdeviceptr memory))                                                   \
  F(cuMemHostAlloc, allocateHost, (void** memory, size_t bytes, unsigned flags))                   \
  F(cuMemFreeHost, releaseHost, (void* memory))                                                    \
  F(cuMemcpyHtoD_v2, upload, (CUdeviceptr to, const void* from, size_t bytes))                     \
  F(cuMemcpyDtoH_v2, download, (void* to, CUdeviceptr from, size_t bytes))                         \
  F(cuMemcpy2D_v2, copyRows, (const snRowCopy* copy))                                              \
  F(cuMemGetInfo_v2, memoryInfo, (size_t * free, size_t * total))                                  \
  F(cuLaunchKernel, launch,                                                                        \
    (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,         \
     unsigned bz, unsigned shared, CUstream stream, void** arguments, void** extra))               \
  F(cuGetErrorString, errorString, (int error, const char** text))

typedef struct snDriver_ {
#define F(symbol, name, parameters) int(*name) parameters;
  SN_DRIVER_FUNCTIONS(F)
#undef F
  CUdevice device;
  CUcontext context;
  int version;     // newest CUDA that it supports, 13000 for 13.0
  int arch;        // compute capability, 90 for 9.0
  char name[128];  // of the device
} snDriver;

// The driver with a current context on the first GPU; NULL with the reason when there is none.
const snDriver* sn_driver(char* error, int error_sz);

#endif  // SINEW_GPU_DRIVER_H_
