// Many worlds of one model, stepped together.
//
// A batch is one model and N data blocks of one layout: world i of a field lies stride bytes after
// world i - 1, so every field is a strided array over all worlds. Results are the same bits for any
// number of threads, any number of worlds and any place in the batch.
//
// A world whose state goes bad, or whose step has a matrix without a factor, never stops the others: it
// is flagged, keeps the state before that step, and is reset when it is stepped next. A world that runs
// out of arena is stepped again from the same state with larger arenas; nothing is dropped.
//
// The worlds are stepped by threads of the CPU or by a GPU (see gpu.h), through the same functions.
// What a GPU cannot do is refused when the batch is made: functions of the user called in a step,
// for rewards or for terminations, plugins, and user sensors and actuators.

#ifndef SINEW_BATCH_H_
#define SINEW_BATCH_H_

#include "sinew/data.h"

SN_EXTERN_C_BEGIN

typedef struct snBatch_ snBatch;

// user functions, called by worker threads after each world's step
typedef snReal (*snfReward)(const snModel* m, const snData* d, void* user);
typedef int (*snfTerminated)(const snModel* m, const snData* d, void* user);

typedef enum snDevice_ {
  snDEVICE_CPU = 0,
  snDEVICE_GPU,  // an error when there is none
  snDEVICE_AUTO  // the GPU if it can be used, else the CPU: see sn_batchFallback
} snDevice;

typedef struct snBatchOptions_ {
  int device;                    // snDevice
  int single;                    // single precision, on a GPU only
  int nthread;                   // worker threads, 0: one per processor
  int keyframe;                  // state to reset to, -1: the model's reference state
  int max_steps;                 // an episode is truncated after so many steps, 0: never
  snfReward reward;              // nullable: rewards are zero
  snfTerminated terminated;      // nullable: only failed worlds terminate
  void* user;                    // handed to both
  const snCallbacks* callbacks;  // nullable: called in the steps of every world, by any thread
} snBatchOptions;

// One field over all worlds: entry (world, row, column) lies at data + world * stride + ...
typedef struct snBatchView_ {
  void* data;
  snSize stride;  // bytes from one world to the next
  snSize rows;
  snSize columns;
  char type;   // 'd' double, 'f' float, 'i' int, 'B' byte, 'q' 64-bit integer
  int on_gpu;  // data is an address of the GPU
} snBatchView;

// Options at their defaults.
SN_API void sn_defaultBatchOptions(snBatchOptions* options);

// Bytes that a batch of so many worlds may use, known before any is taken; arenas that have to grow
// come on top.
SN_API snSize sn_batchBytes(const snModel* m, int nworld);

// Make a batch; the model is copied. Nullable: options, error. NULL with a message on failure.
SN_API snBatch* sn_makeBatch(const snModel* m, int nworld, const snBatchOptions* options,
                             char* error, int error_sz);

// Release a batch. Nullable: b.
SN_API void sn_deleteBatch(snBatch* b);

// Number of worlds.
SN_API int sn_batchWorlds(const snBatch* b);

// Name of the device, "cpu" or that of the GPU; whether it is a GPU; and why there is none though
// snDEVICE_AUTO asked for it ("" otherwise).
SN_API const char* sn_batchDevice(const snBatch* b);
SN_API int sn_batchOnGpu(const snBatch* b);
SN_API const char* sn_batchFallback(const snBatch* b);

// Model of one world, which differs from the others in the fields made per world; on a GPU the model
// that the batch was made from.
SN_API const snModel* sn_batchModel(const snBatch* b, int world);

// Data of one world; NULL on a GPU.
SN_API snData* sn_batchData(const snBatch* b, int world);

// Copy one world into data of the same model; from a GPU come the states alone (all that is needed to
// go on from there).
SN_API int sn_batchCopyWorld(snBatch* b, int world, snData* d);

// The functions below that return int return 0, or -1 when the GPU has failed (see sn_lastError).

// Step all worlds, with controls as they are in the data.
SN_API int sn_batchStep(snBatch* b, int nstep);

// Step all worlds with given controls, nstep x nworld x nu.
SN_API int sn_batchStepControls(snBatch* b, int nstep, const snReal* ctrl);

// The same with controls in the memory of the GPU that the worlds lie on, in the batch's precision.
SN_API int sn_batchStepControlsAt(snBatch* b, int nstep, uint64_t ctrl);

// Calls that are put into a stream of the GPU that the worlds lie on and return at once, for training loops that never
// wait for the host and for CUDA graphs: see sn_gpuBatchStepOn (sinew/gpu.h). Rewards, ends and counts of failures are
// not kept for them. -1 after an error, or when the worlds do not lie on a GPU.
SN_API int sn_batchStepOn(snBatch* b, int nstep, uint64_t ctrl, uint64_t stream);
SN_API int sn_batchResetOn(snBatch* b, uint64_t mask, int keyframe, uint64_t stream);
SN_API int sn_batchForwardOn(snBatch* b, uint64_t stream);
SN_API int sn_batchRnePostConstraintOn(snBatch* b, uint64_t stream);

// Step only the worlds named, each once per step. Worlds out of range are ignored.
SN_API int sn_batchStepSubset(snBatch* b, const int* worlds, int count, int nstep);

// Run forward dynamics in all worlds without advancing them.
SN_API int sn_batchForward(snBatch* b);

// The same in the worlds named alone. Worlds out of range are ignored, each may be named once.
SN_API int sn_batchForwardSubset(snBatch* b, const int* worlds, int count);

// Compute cacc, cfrc_int and cfrc_ext in all worlds, as sn_rnePostConstraint does, from the last step or
// forward dynamics.
SN_API int sn_batchRnePostConstraint(snBatch* b);

// A (nworld x ndx x ndx) and B (nworld x ndx x nu) of the next step from the state of each world, each
// nullable; see derivatives.h for methods, ndx and option (nullable: defaults, on a GPU in single precision with
// an eps of 1e-4). A GPU has differences alone. States stay as they are; on the CPU what is computed from them belongs to
// another state afterwards. Returns 0, or -1 when there are none (see sn_lastError): the method, the option
// or the model allows no derivatives, or there is no memory.
typedef enum snTransitionMethod_ {
  snTRANSITION_ANALYTIC = 0,
  snTRANSITION_HYBRID,
  snTRANSITION_DIFFERENCE
} snTransitionMethod;
struct snTransition_;
SN_API int sn_batchTransition(snBatch* b, int method, const struct snTransition_* option, snReal* A,
                              snReal* B);

// The same by differences into packed arrays in the memory of the GPU that the worlds lie on, in the batch's
// precision; 0: not wanted.
SN_API int sn_batchTransitionAt(snBatch* b, const struct snTransition_* option, uint64_t A,
                                uint64_t B);

// What the trial steps of the last derivatives met, one entry per world: bits of snData.status, 0 when nothing was amiss.
// The derivatives of a world that fails are those of its reset, or mean nothing.
SN_API const int* sn_batchTransitionStatus(const snBatch* b);

// States of all worlds, or gradients by them: nworld x nq, nworld x nv and nworld x na numbers, or nstep
// such blocks one after the other.
typedef struct snBatchPath_ {
  snReal* qpos;
  snReal* qvel;
  snReal* act;
} snBatchPath;

// Put all worlds into the states of start, and step them nstep times with controls nstep x nworld x nu, by
// threads of the CPU; path holds the states after each step. Nullable: states, which holds what the
// gradients need, nstep x nworld x sn_stateSize(m, snSTATE_INTEGRATION).
SN_API int sn_batchRollout(snBatch* b, int nstep, const snBatchPath* start, const snReal* ctrl,
                           const snBatchPath* path, snReal* states);

// The same with arrays in the memory of the GPU that the worlds lie on, in the batch's precision and without gaps. Waits
// for what the device was doing before, and for the last step: when it returns the path is there.
typedef struct snBatchPathAt_ {
  uint64_t qpos;
  uint64_t qvel;
  uint64_t act;
} snBatchPathAt;
SN_API int sn_batchRolloutAt(snBatch* b, int nstep, const snBatchPathAt* start, uint64_t ctrl,
                             const snBatchPathAt* path);

// Gradients of a rollout: from those of a function by the states of its path, those by the states of its
// start (quaternions: along unit ones) and by its controls, nstep x nworld x nu. states, ctrl and path are
// those of sn_batchRollout, of path qpos alone; method is that of sn_batchTransition. The worlds stay where they are.
// Returns 0, or -1 (see sn_lastError).
SN_API int sn_batchRolloutBack(snBatch* b, int method, int nstep, const snReal* states,
                               const snReal* ctrl, const snBatchPath* path,
                               const snBatchPath* gradient, const snBatchPath* start_gradient,
                               snReal* ctrl_gradient);

// Reset the worlds with a non-zero mask, all when mask is NULL. Nullable: mask.
SN_API int sn_batchReset(snBatch* b, const snByte* mask, int keyframe);

// Add seeded uniform noise in [-scale, scale] to positions and velocities of the masked worlds;
// quaternions stay unit. World i draws from a stream of its own, which seed and i determine; with
// seeds, seeds[i] alone. Nullable: mask, seeds.
SN_API int sn_batchPerturb(snBatch* b, const snByte* mask, uint64_t seed, snReal scale);
SN_API int sn_batchPerturbSeeds(snBatch* b, const snByte* mask, const uint64_t* seeds,
                                snReal scale);

// View of a data field by name; 0 when there is none. The view holds until the batch grows its
// arenas, which sn_batchGeneration counts.
SN_API int sn_batchField(const snBatch* b, const char* name, snBatchView* view);
SN_API int sn_batchGeneration(const snBatch* b);

// Give every world its own copy of a model field and view it; 0 when there is none.
SN_API int sn_batchModelField(snBatch* b, const char* name, snBatchView* view);

// Copy a view, wherever it lies, to or from packed memory of the host.
SN_API int sn_batchRead(const snBatch* b, const snBatchView* view, void* values);
SN_API int sn_batchWrite(snBatch* b, const snBatchView* view, const void* values);

// Geoms of each world's contacts, nworld x room x 2, and their distances, nworld x room; places beyond
// a world's contacts hold -1 and 0.
SN_API int sn_batchContacts(const snBatch* b, int room, int* geoms, snReal* distances);

// Recompute the constants of all worlds that derive from model fields (after changing some).
SN_API int sn_batchSetConst(snBatch* b);

// States of all worlds as a packed array nworld x sn_stateSize(m, sig).
SN_API int sn_batchGetState(const snBatch* b, snReal* state, int sig);
SN_API int sn_batchSetState(snBatch* b, const snReal* state, int sig);

// What the last step said, one entry per world.
SN_API const snReal* sn_batchRewards(const snBatch* b);
SN_API const snByte* sn_batchTerminated(const snBatch* b);
SN_API const snByte* sn_batchTruncated(const snBatch* b);
SN_API const int* sn_batchStatus(const snBatch* b);  // warning bits, see snData.status

// How often each world has failed since the batch was made.
SN_API const int* sn_batchFailures(const snBatch* b);

SN_EXTERN_C_END

#endif  // SINEW_BATCH_H_
