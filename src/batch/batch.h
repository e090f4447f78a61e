// Inside of a batch.

#ifndef SINEW_BATCH_BATCH_H_
#define SINEW_BATCH_BATCH_H_

#include "base/parallel.h"
#include "sinew/batch.h"
#include "sinew/derivatives.h"
#include "sinew/gpu.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

enum { snBATCH_STATE = snSTATE_INTEGRATION };

// State of one world besides its data.
typedef struct World_ {
  snData* data;
  snModel model;   // header of the shared model, with the fields made per world redirected
  int steps_left;  // of the call in progress
  int place;       // is it in the list of worlds to step? One that is named twice is stepped once
  int overflow;    // ran out of arena: to be stepped again
} World;

// a model field of which every world has its own copy
typedef struct OwnField_ {
  const char* name;
  char* data;  // nworld x bytes
  snSize bytes;
} OwnField;

// blocks that have been replaced by larger ones
typedef struct Retired_ {
  char* blocks;
  size_t bytes;
} Retired;

struct snBatch_ {
  snModel* model;
  int nworld;
  snBatchOptions options;
  snWorkers* workers;
  snGpuBatch* gpu;     // NULL: the worlds below are stepped by the workers
  char fallback[400];  // why there is no GPU

  char* blocks;  // data blocks, stride bytes apart
  snSize stride;
  int generation;    // how often the blocks have moved
  int keep_retired;  // old blocks stay until the end, for callers that still look at them
  Retired retired[48];
  int retired_count;
  World* worlds;

  snReal* saved;     // nworld x state_size: states before the last step
  int* saved_sleep;  // nworld x ntree
  int state_size;

  snReal* rewards;
  snByte* terminated;
  snByte* truncated;
  int* status;
  int* failures;
  int* episode_steps;
  snByte* failed;     // went bad: to be reset before its next step
  int* trial_status;  // of the last derivatives

  OwnField own[400];
  int own_count;
};

// The same functions for batches on a GPU.
int sn_deviceMake(snBatch* b, char* error, int error_sz);
int sn_deviceStep(snBatch* b, const int* worlds, int count, int nstep, const snReal* ctrl);
int sn_deviceForward(snBatch* b, const int* worlds, int count);
int sn_deviceReset(snBatch* b, const snByte* mask, int keyframe);
int sn_devicePerturb(snBatch* b, const snByte* mask, uint64_t seed, const uint64_t* seeds,
                     snReal scale);
int sn_deviceSetConst(snBatch* b);

// The option of derivatives where none is given.
snTransition sn_batchStandardTransition(const snBatch* b);

// Noise for the positions and velocities of one world, from a stream.
void sn_batchNoise(const snModel* m, snReal* qpos, snReal* qvel, uint64_t stream, snReal scale);

// The random stream of a world: from its own seed, or from the common seed and its number.
uint64_t sn_batchStream(uint64_t seed, const uint64_t* seeds, int world);

// Results of a world as after a reset.
void sn_batchForget(snBatch* b, int world);

// Keep the memory of replaced blocks until the batch is deleted: arrays that callers took before show old numbers
// instead of freed memory.
void sn_batchKeepRetired(snBatch* b);

// Double the arenas of all worlds, keeping everything; 0 when there is no memory.
int sn_batchGrow(snBatch* b);

SN_EXTERN_C_END

#endif  // SINEW_BATCH_BATCH_H_
