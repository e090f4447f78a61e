// Many worlds on an NVIDIA GPU, stepped by the same engine source as on a CPU.
//
// The driver is loaded at run time; nothing here needs a GPU to be built or linked. Double precision
// gives the CPU's results (the same bits where only + - * / sqrt are involved); single precision is
// faster. A world whose arena is full is stepped again from its saved state with larger arenas.

#ifndef SINEW_GPU_H_
#define SINEW_GPU_H_

#include "sinew/batch.h"

SN_EXTERN_C_BEGIN

typedef struct snGpuBatch_ snGpuBatch;

// Name of the GPU that a batch would use; NULL with the reason in error when there is none.
SN_API const char* sn_gpuName(char* error, int error_sz);

// Make a batch of worlds in the model's reference state. Models that need what a GPU cannot do
// (user callbacks, plugins) are refused. Nullable: error.
SN_API snGpuBatch* sn_makeGpuBatch(const snModel* m, int nworld, int single, char* error,
                                   int error_sz);

// Bytes of device memory that such a batch will hold, known before any is taken; -1 when the model is
// impossible. Arenas that have to grow, and controls on their way, come on top.
SN_API snSize sn_gpuBytes(const snModel* m, int nworld, int single);

// Release a batch. Nullable: b.
SN_API void sn_deleteGpuBatch(snGpuBatch* b);

// Why a model cannot be stepped on a GPU ("plugins", ...); NULL when it can.
SN_API const char* sn_gpuRefusal(const snModel* m);

// Step all worlds; ctrl is nstep x nworld x nu on the host, or NULL to keep the controls.
// Returns 0, or -1 after an error of the device (see sn_lastError).
SN_API int sn_gpuBatchStep(snGpuBatch* b, int nstep, const snReal* ctrl);

// Step only the worlds listed (all when list is NULL); ctrl as above. A world that goes bad keeps the
// state before that step and is reset to the batch's keyframe when it is stepped next.
SN_API int sn_gpuBatchStepWorlds(snGpuBatch* b, const int* list, int count, int nstep,
                                 const snReal* ctrl);
SN_API void sn_gpuBatchSetKeyframe(snGpuBatch* b, int keyframe);

// Run forward dynamics in all worlds without advancing them.
SN_API int sn_gpuBatchForward(snGpuBatch* b);

// The same in the worlds listed alone: numbers in range, each once.
SN_API int sn_gpuBatchForwardWorlds(snGpuBatch* b, const int* list, int count);

// Compute cacc, cfrc_int and cfrc_ext in all worlds.
SN_API int sn_gpuBatchRnePostConstraint(snGpuBatch* b);

// A (nworld x ndx x ndx) and B (nworld x ndx x nu) of the next step of all worlds by differences (see derivatives.h), into
// packed memory of the device in the batch's precision; 0: not wanted. status, on the host, gets for each world the bits
// of snData.status that its trial steps met. The worlds stay as they are. Takes memory for at most 64 worlds per
// processor of the device, and keeps it.
SN_API int sn_gpuBatchTransition(snGpuBatch* b, snReal eps, int centered, uint64_t A, uint64_t B,
                                 int* status);

// Step all worlds with controls that lie on the device, nstep x nworld x nu in the batch's precision.
SN_API int sn_gpuBatchStepAt(snGpuBatch* b, int nstep, uint64_t ctrl);

// Calls that are put into a stream of the caller (a CUstream; 0: the default one) and return at once: a training loop
// that keeps controls and observations on the device never waits for the host. A CUDA graph may record them, after one such
// call outside of it (which takes memory), and has to be recorded anew when sn_gpuBatchGeneration has changed.
// Nothing is looked at in between: the device puts a world that fails back to its last good state and resets it in its next
// step; a world whose arena is full goes on without the contacts that had no room, and says so in its status. The next
// call that waits enlarges arenas. ctrl, nstep x nworld x nu (0: the controls stay), and mask, one byte per
// world (0: all), lie on the device. The status of a world's last step is its field "status".
SN_API int sn_gpuBatchStepOn(snGpuBatch* b, int nstep, uint64_t ctrl, uint64_t stream);
SN_API int sn_gpuBatchResetOn(snGpuBatch* b, uint64_t mask, int keyframe, uint64_t stream);
SN_API int sn_gpuBatchForwardOn(snGpuBatch* b, uint64_t stream);
SN_API int sn_gpuBatchRnePostConstraintOn(snGpuBatch* b, uint64_t stream);

// Reset worlds to a keyframe (-1: reference state); mask has one byte per world. Nullable: mask.
SN_API int sn_gpuBatchReset(snGpuBatch* b, const snByte* mask, int keyframe);

// States of all worlds, nworld x sn_stateSize(m, sig), in the precision of the host.
SN_API int sn_gpuBatchGetState(snGpuBatch* b, snReal* state, int sig);
SN_API int sn_gpuBatchSetState(snGpuBatch* b, const snReal* state, int sig);

// What the last step found, nworld x 4: contacts, rows, solver iterations, bytes of arena used.
SN_API int sn_gpuBatchCounts(snGpuBatch* b, int* counts);

// Geoms and distances of contacts, see sn_batchContacts.
SN_API int sn_gpuBatchContacts(snGpuBatch* b, int room, int* geoms, snReal* distances);

// Warning bits of the last step, failures in the last call, and steps since the last reset within it
// (all of the call's when there was none); one per world.
SN_API const int* sn_gpuBatchStatus(const snGpuBatch* b);
SN_API const int* sn_gpuBatchFailures(const snGpuBatch* b);
SN_API const int* sn_gpuBatchAges(const snGpuBatch* b);

// View of a data field in the memory of the device; 0 when there is none. It holds until the worlds
// move to larger memory, which sn_gpuBatchGeneration counts; old memory stays readable.
SN_API int sn_gpuBatchField(snGpuBatch* b, const char* name, snBatchView* view);
SN_API int sn_gpuBatchGeneration(const snGpuBatch* b);

// Give every world its own copy of a model field, or of "opt.gravity" and the like, and view it in
// the memory of the device; 0 when there is none, or no memory (see sn_lastError).
SN_API int sn_gpuBatchModelField(snGpuBatch* b, const char* name, snBatchView* view);

// Whether every world has its own copy of a model field.
SN_API int sn_gpuBatchOwns(const snGpuBatch* b, const char* name);

// Copy a view to or from packed memory of the host. 0, or -1 after an error.
SN_API int sn_gpuBatchRead(const snGpuBatch* b, const snBatchView* view, void* values);
SN_API int sn_gpuBatchWrite(const snGpuBatch* b, const snBatchView* view, const void* values);

// The same with memory of the device, where world i lies at address + i * pitch bytes; both wait for
// whatever else runs on the device.
SN_API int sn_gpuBatchReadAt(const snGpuBatch* b, const snBatchView* view, uint64_t address,
                             int64_t pitch);
SN_API int sn_gpuBatchWriteAt(const snGpuBatch* b, const snBatchView* view, uint64_t address,
                              int64_t pitch);

// Memory of the device for packed copies; 0 with an error when there is too little. sn_gpuRelease also
// works after the batch is deleted.
SN_API uint64_t sn_gpuReserve(snGpuBatch* b, size_t bytes);
SN_API void sn_gpuRelease(uint64_t memory);

// Bytes of device memory that the batch holds.
SN_API snSize sn_gpuBatchBytes(const snGpuBatch* b);

SN_EXTERN_C_END

#endif  // SINEW_GPU_H_
