// Many worlds on an NVIDIA GPU, stepped by the same engine source as on a CPU.
//
// The driver is loaded at run time; nothing here needs a GPU to be built or linked. Double precision
// gives the CPU's results (the same bits where only + - * / sqrt are involved); single precision is
// faster. A world whose arena is full is stepped again from its saved state with larger arenas.

#ifndef SINEW_GPU_H_
#define SINEW_GPU_H_

#include "sinew/data.h"

SN_EXTERN_C_BEGIN

typedef struct snGpuBatch_ snGpuBatch;

// Name of the GPU that a batch would use; NULL with the reason in error when there is none.
SN_API const char* sn_gpuName(char* error, int error_sz);

// Make a batch of worlds in the model's reference state. Models that need what a GPU cannot do
// (user callbacks, plugins, flexes) are refused. Nullable: error.
SN_API snGpuBatch* sn_makeGpuBatch(const snModel* m, int nworld, int single, char* error,
                                   int error_sz);

// Release a batch. Nullable: b.
SN_API void sn_deleteGpuBatch(snGpuBatch* b);

// Step all worlds; ctrl is nstep x nworld x nu on the host, or NULL to keep the controls.
// Returns 0, or -1 after an error of the device (see sn_lastError).
SN_API int sn_gpuBatchStep(snGpuBatch* b, int nstep, const double* ctrl);

// Reset worlds to a keyframe (-1: reference state); mask has one byte per world. Nullable: mask.
SN_API int sn_gpuBatchReset(snGpuBatch* b, const snByte* mask, int keyframe);

// States of all worlds, nworld x sn_stateSize(m, sig), in double precision on the host.
SN_API int sn_gpuBatchGetState(snGpuBatch* b, double* state, int sig);
SN_API int sn_gpuBatchSetState(snGpuBatch* b, const double* state, int sig);

// What the last step found, nworld x 4: contacts, rows, solver iterations, bytes of arena used.
SN_API int sn_gpuBatchCounts(snGpuBatch* b, int* counts);

// Warning bits of the last step, one per world.
SN_API const int* sn_gpuBatchStatus(const snGpuBatch* b);

// Bytes of device memory that the batch holds.
SN_API snSize sn_gpuBatchBytes(const snGpuBatch* b);

SN_EXTERN_C_END

#endif  // SINEW_GPU_H_
