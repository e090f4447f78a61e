// Inside of a batch on a GPU.

#ifndef SINEW_GPU_BATCH_H_
#define SINEW_GPU_BATCH_H_

#include "gpu/driver.h"
#include "gpu/pack.h"
#include "gpu/worlds.h"
#include "sinew/batch.h"
#include "sinew/gpu.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// The kernels of a module: X(name here, sn_kernel... there, who works on a world: a TEAM of lanes or a single THREAD).
// The phases of an image (DRAW_) stand in their order (render/easel.h).
#define SN_GPU_KERNELS(X)                \
  X(SPREAD, Spread, THREAD)              \
  X(RESET, Reset, THREAD)                \
  X(STEP, Step, TEAM)                    \
  X(GET_STATE, GetState, THREAD)         \
  X(SET_STATE, SetState, THREAD)         \
  X(COUNTS, Counts, THREAD)              \
  X(FORWARD, Forward, TEAM)              \
  X(FORCES, Forces, TEAM)                \
  X(SAVE, Save, THREAD)                  \
  X(RESTORE, Restore, THREAD)            \
  X(CONTACTS, Contacts, THREAD)          \
  X(DRAW_SCENE, DrawScene, TEAM)         \
  X(DRAW_CLEAR, DrawClear, TEAM)         \
  X(DRAW_TRIANGLES, DrawTriangles, TEAM) \
  X(DRAW_LIGHTS, DrawLights, TEAM)       \
  X(DRAW_COLORS, DrawColors, TEAM)       \
  X(DRAW_QUERIES, DrawQueries, TEAM)     \
  X(DRAW_SHADOWS, DrawShadows, TEAM)     \
  X(DRAW_PIXELS, DrawPixels, TEAM)       \
  X(TRY, Try, TEAM)                      \
  X(DIFFERENCE, Difference, THREAD)

#define X(kernel, name, worker) snKERNEL_##kernel,
enum snGpuKernel { SN_GPU_KERNELS(X) snKERNELS };
#undef X

// where a field of data lies in the block of a world
typedef struct snGpuPlace_ {
  char name[40];
  snPlace place;
} snGpuPlace;

// a model field of which every world has its own copy
typedef struct snGpuOwnField_ {
  const char* name;  // in the field table
  CUdeviceptr values;
} snGpuOwnField;

struct snGpuBatch_ {
  const snDriver* driver;
  const snPacker* packer;
  snModel* model;
  CUmodule module;
  CUfunction kernels[snKERNELS];
  snWorlds worlds;
  int team_threads;  // of a block whose worlds are stepped by teams
  int fast_bytes;    // of memory that a team shares
  snSize narena;
  snSize bytes;
  int generation;  // how often the blocks have moved

  CUdeviceptr model_image;  // shared by all worlds
  CUdeviceptr headers;      // of the worlds' own models; 0: they have none
  snGpuOwnField own[400];
  int own_count;
  snGpuPlace places[32];  // of fields that were asked for: to find one takes a copy of the model
  int place_count;

  CUdeviceptr scratch;  // states, controls and masks while they are copied between host and device
  size_t scratch_bytes;
  CUdeviceptr list;  // numbers of worlds

  snSavedWorlds saved;        // where the worlds were before a call
  snSavedWorlds before_step;  // and before each step, for worlds that fail; made when one does
  CUdeviceptr status_device;  // 4 x nworld, see snStepCall
  int* status;
  int status_steps;  // of an uneventful call whose status was not read back yet; 0: it was
  snEvents* events;  // of the last launch
  snByte* failed;    // went bad in the last step: to be reset before the next
  int any_failed;    // is there one?
  int keyframe;      // that failed worlds are reset to
  int has_queued;    // calls were queued at some time: the device may know more than the host

  struct snGpuBatch_* trials;  // for derivatives; NULL: none have been asked for
  int is_of_trials;            // of another batch, which owns the model and the module
  int64_t block_bytes;         // of a trial up to its arena

  int views_out;  // arrays of the worlds were handed out: blocks that move keep their old memory until the end
  CUdeviceptr retired[48];
  int retired_count;
};

// True after an error code, which becomes the last error's text.
int sn_gpuFailed(const snGpuBatch* b, int code, const char* what);

// Make the batch's context current on this thread, and wait for what others do on the device: they may
// be writing to views on streams of their own.
void sn_gpuEnter(const snGpuBatch* b);

// Memory of the device, counted; 0 with an error when there is too little.
CUdeviceptr sn_gpuAllocate(snGpuBatch* b, size_t bytes);

// Give back what sn_gpuAllocate gave. Nullable: memory.
void sn_gpuFree(snGpuBatch* b, CUdeviceptr memory, size_t bytes);

// Copies numbers to scratch memory of the device, in its precision; 0 on failure.
CUdeviceptr sn_gpuUploadReals(snGpuBatch* b, const double* values, size_t count);

// Put a kernel over worlds into a stream (NULL: the default one) and return; 0 on failure. The first argument is &worlds.
int sn_gpuQueue(const snGpuBatch* b, int kernel, const snWorlds* worlds, void** arguments,
                CUstream stream, const char* what);

// The same in the default stream, for any number of teams, in blocks of so many threads whose teams have so many bytes of
// fast memory each.
int sn_gpuQueueTeams(const snGpuBatch* b, int kernel, const snWorlds* teams, int threads,
                     int fast_bytes, void** arguments, const char* what);

// sn_gpuQueue in the default stream, and wait.
int sn_gpuLaunch(const snGpuBatch* b, int kernel, const snWorlds* worlds, void** arguments,
                 const char* what);

// The batch's worlds, or only those of a list on the host (NULL: all); 0 on failure.
int sn_gpuSelect(snGpuBatch* b, const int* list, int count, snWorlds* worlds);

// Memory for the states of all worlds, unless it is there; 0 with an error when there is too little.
int sn_gpuAllocateSaved(snGpuBatch* b, snSavedWorlds* saved);

// Save or restore worlds (snKERNEL_SAVE, snKERNEL_RESTORE); 0 on failure.
int sn_gpuCopyStates(snGpuBatch* b, int kernel, const snWorlds* worlds, const snSavedWorlds* saved);

// Memory for so many trials (gpu/trial.h) with arenas of narena bytes; NULL with an error when there is too little.
snGpuBatch* sn_gpuMakeTrials(const snGpuBatch* of, int count, snSize narena);

// Larger arenas, with the worlds in the states saved before the call.
int sn_gpuGrow(snGpuBatch* b);

// See whether any world is to be reset: after a change of failed.
void sn_gpuCountFailed(snGpuBatch* b);

// After sn_gpuEnter: read the status that queued calls have left, and reset worlds that failed in them; 0 on failure.
int sn_gpuSettle(snGpuBatch* b);

SN_EXTERN_C_END

#endif  // SINEW_GPU_BATCH_H_
