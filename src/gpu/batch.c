// Batches on a GPU: memory, launches, copies.

#include "gpu/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "engine/lanes/newton.h"
#include "engine/step/stages.h"
#include "gpu/engine.h"
#include "model/memory.h"

#define X(kernel, name, worker) "sn_kernel" #name,
static const char* const KERNEL_NAMES[snKERNELS] = {SN_GPU_KERNELS(X)};
#undef X

enum {
  LANES = 32,            // of a warp
  FEW_LANES = 16,        // of a team that steps a small model
  FAST_BYTES = 8 << 10,  // of a warp
  MORE_FAST_BYTES =
      10 << 10,      // of a warp whose solver uses more: on sm_90 the cache stays as large
  FAST_HEAD = 16,    // of it, where a team's part ends (base/arena.c)
  SOLVED_ROWS = 52,  // for which a solver in registers finds room: a humanoid on the ground
  THREADS = 32       // one warp a block: worlds of different cost spread evenly
};

// ---- errors ----

int sn_gpuFailed(const snGpuBatch* b, int code, const char* what) {
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
  static _Thread_local char text[snNMODELNAME + 64];
  if (m->nplugin) return "plugins";
  if (m->nactmodel) {
    snprintf(text, sizeof(text), "the actuator model '%s' that a program registered",
             m->actmodel_name);
    return text;
  }
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

// memory that the threads of a block with teams share: their views, and fast memory for each warp
static unsigned sharedBytes(const snGpuBatch* b) {
  unsigned threads = (unsigned)b->team_threads;
  return threads * (unsigned)sizeof(int) + threads / LANES * (unsigned)b->fast_bytes;
}

// Is a world worked on by a team of lanes?
static int isTeam(int kernel) {
  enum { TEAM = 1, THREAD = 0 };
#define X(kernel, name, worker) worker,
  static const int TEAMS[snKERNELS] = {SN_GPU_KERNELS(X)};
#undef X
  SN_ASSERT_INDEX(kernel, snKERNELS);
  return TEAMS[kernel];
}

// small models have a kernel of their own for steps
static const char* nameOf(const snGpuBatch* b, int kernel) {
  int few = kernel == snKERNEL_STEP && b->worlds.step_lanes == FEW_LANES;
  return few ? "sn_kernelStep_16" : KERNEL_NAMES[kernel];
}

// kernels of the module, with as much memory of a block as any batch of them needs
static int findKernels(snGpuBatch* b, int count, int most) {
  const snDriver* driver = b->driver;
  for (int k = 0; k < count; k++) {
    const char* name = nameOf(b, k);
    if (sn_gpuFailed(b, driver->getFunction(b->kernels + k, b->module, name), name)) return 0;
  }
  for (int k = 0; k < count; k++) {
    if (isTeam(k) &&
        sn_gpuFailed(b, driver->setAttribute(b->kernels[k], CU_MAX_SHARED, most), "set-up")) {
      return 0;
    }
  }
  return 1;
}

// an error of the wait comes back from the next call of the driver too
void sn_gpuEnter(const snGpuBatch* b) {
  b->driver->setContext(b->driver->context);
  b->driver->synchronize();
}

// the driver gives no empty memory
static size_t notEmpty(size_t bytes) { return bytes ? bytes : 8; }

CUdeviceptr sn_gpuAllocate(snGpuBatch* b, size_t bytes) {
  CUdeviceptr memory = 0;
  bytes = notEmpty(bytes);
  if (b->driver->allocate(&memory, bytes)) {
    size_t free_bytes = 0, total = 0;
    b->driver->memoryInfo(&free_bytes, &total);
    snu_error("GPU: too little memory for %d worlds: %lld MB are needed, %lld MB of %lld MB free",
              b->worlds.nworld, (long long)(bytes >> 20), (long long)(free_bytes >> 20),
              (long long)(total >> 20));
    return 0;
  }
  b->bytes += (snSize)bytes;
  return memory;
}

void sn_gpuFree(snGpuBatch* b, CUdeviceptr memory, size_t bytes) {
  SN_ASSERT(!memory || b->bytes >= (snSize)notEmpty(bytes));
  if (!memory) return;
  b->driver->release(memory);
  b->bytes -= (snSize)notEmpty(bytes);
}

int sn_gpuQueue(const snGpuBatch* b, int kernel, const snWorlds* worlds, void** arguments,
                CUstream stream, const char* what) {
  SN_ASSERT_INDEX(kernel, snKERNELS);
  SN_ASSERT(worlds->count > 0 && worlds->count <= worlds->nworld);
  SN_ASSERT(arguments);
  const snDriver* driver = b->driver;
  if (!worlds->blocks) {
    snu_error("GPU: %s failed: the worlds have lost their memory", what);
    return 0;
  }
  unsigned lanes = isTeam(kernel) ? (unsigned)worlds->lanes : 1;
  if (kernel == snKERNEL_STEP) lanes = (unsigned)worlds->step_lanes;
  unsigned threads = lanes > 1 ? (unsigned)b->team_threads : THREADS;
  unsigned bytes = lanes > 1 ? sharedBytes(b) : threads * (unsigned)sizeof(int);
  unsigned grid = ((unsigned)worlds->count * lanes + threads - 1) / threads;
  int code =
      driver->launch(b->kernels[kernel], grid, 1, 1, threads, 1, 1, bytes, stream, arguments, NULL);
  return !sn_gpuFailed(b, code, what);
}

int sn_gpuQueueTeams(const snGpuBatch* b, int kernel, const snWorlds* teams, int threads,
                     int fast_bytes, void** arguments, const char* what) {
  SN_ASSERT(kernel >= snKERNEL_DRAW_SCENE && kernel <= snKERNEL_DRAW_PIXELS);
  if (!teams->blocks) {
    snu_error("GPU: %s failed: the worlds have lost their memory", what);
    return 0;
  }
  int size = teams->lanes > 1 ? threads : THREADS, warps = size / LANES;
  int bytes = size * (int)sizeof(int) + (fast_bytes ? warps * (fast_bytes + FAST_HEAD) : 0);
  unsigned grid = (unsigned)((teams->count * teams->lanes + size - 1) / size);
  int code = b->driver->setAttribute(b->kernels[kernel], CU_MAX_SHARED, bytes);
  if (!code) {
    code = b->driver->launch(b->kernels[kernel], grid, 1, 1, (unsigned)size, 1, 1, (unsigned)bytes,
                             NULL, arguments, NULL);
  }
  return !sn_gpuFailed(b, code, what);
}

int sn_gpuLaunch(const snGpuBatch* b, int kernel, const snWorlds* worlds, void** arguments,
                 const char* what) {
  return sn_gpuQueue(b, kernel, worlds, arguments, NULL, what) &&
         !sn_gpuFailed(b, b->driver->synchronize(), what);
}

// a number of the environment within a range
static int setting(const char* name, int standard, int least, int most) {
  const char* text = getenv(name);
  int value = text ? atoi(text) : standard;
  return value < least ? least : value > most ? most : value;
}

static int attribute(const snGpuBatch* b, int number) {
  int value = 0;
  return b->driver->deviceAttribute(&value, number, b->driver->device) || value < 0 ? 0 : value;
}

// bytes of fast memory that a warp can have so that as many blocks fit a processor as its registers
// allow: 6 KB where there are 100 KB of it (sm_86, 89, 120), more elsewhere
static int fastRoom(const snGpuBatch* b, int teams) {
  SN_ASSERT(teams > 0 && teams <= snBLOCK_TEAMS);
  int blocks = snBLOCK_TEAMS / teams;
  int room = attribute(b, CU_SHARED_OF_PROCESSOR) / blocks - attribute(b, CU_SHARED_RESERVED);
  int most = attribute(b, CU_SHARED_OF_BLOCK);
  room = (room < most ? room : most) / teams - LANES * (int)sizeof(int);
  return room > 0 ? room : 0;
}

// Does a lane for each dof solve the constraints, in registers (engine/lanes/newton.c)?
static int solvedInRegisters(const snModel* m) {
  int fits = m->nv <= LANES && m->nbody <= LANES && m->opt.solver == snSOL_NEWTON &&
             m->opt.cone == snCONE_PYRAMIDAL;
  for (int i = 0; i < m->nv; i++) fits = fits && m->dof_frictionloss[i] <= 0;
  for (int i = 0; i < m->ntendon; i++) fits = fits && m->tendon_frictionloss[i] <= 0;
  return fits;
}

// Is there one of so many lanes for everything that a lane of a team takes (engine/step/plan.c)?
static int fitsLanes(const snModel* m, int lanes) {
  const snSize sizes[] = {m->nbody, m->nv, m->nq, m->njnt, m->nu, m->ntendon, m->nwrap, m->neq};
  int fits = solvedInRegisters(m);
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) fits = fits && sizes[i] <= lanes;
  return fits;
}

// Bytes of fast memory that a warp is to have. A solver in registers has its rows there; in double precision they
// take twice as much, and as many teams as then fit a processor are worth it if they are most of those that
// its registers allow.
static int wantedFast(const snGpuBatch* b, int* teams) {
  const snModel* m = b->model;
  if (!solvedInRegisters(m)) return MORE_FAST_BYTES;
  int lanes = b->worlds.step_lanes, rows = lanes == FEW_LANES ? 2 * FEW_LANES : SOLVED_ROWS;
  int numbers = m->nv ? sn_problemScratchOf(sn_windowWidth((int)m->nv), rows, (int)m->nC) : 0;
  int bytes =
      (numbers * b->packer->real_bytes + 15) / 16 * 16 + 16;  // and where it ends (base/arena.c)
  if (lanes == FEW_LANES) bytes *= LANES / FEW_LANES;
  if (bytes <= FAST_BYTES) return FAST_BYTES;
  for (int fewer = *teams; fewer > *teams * 2 / 3; fewer--) {
    if (fastRoom(b, fewer) < bytes) continue;
    *teams = fewer;
    return bytes;
  }
  return FAST_BYTES;
}

enum { EVERY_PHASE = (1 << snPHASES) - 1 };

// The teams of a block meet before every phase. A warp with a world of one tree goes on by itself after the solver, whose
// iterations differ most between worlds (measured: docs/gpu.md).
static int usualMeetings(const snGpuBatch* b) {
  int alone = b->model->ntree == 1 && b->worlds.step_lanes == LANES;
  return alone ? EVERY_PHASE & ~(1 << snPHASE_END) : EVERY_PHASE;
}

// Threads of a world, threads of a block, bytes of fast memory of a warp. Two small models share a warp, which the
// model alone decides: results do not depend on how many worlds there are. Blocks are as large as
// registers allow, so that many teams share the instructions that they fetch, unless processors would be
// left without a block. Two or four blocks share a processor where a step has few instructions: fewer teams
// wait for the slowest of them.
static void chooseTeam(snGpuBatch* b) {
  int few = fitsLanes(b->model, FEW_LANES) ? FEW_LANES : LANES;
  int lanes = setting("SINEW_GPU_LANES", few, 1, LANES);
  b->worlds.lanes = lanes > 1 ? LANES : 1;
  b->worlds.step_lanes = lanes >= few && lanes < LANES ? few : b->worlds.lanes;
  b->worlds.meetings =
      lanes > 1 ? setting("SINEW_GPU_MEETINGS", usualMeetings(b), 0, EVERY_PHASE) : 0;
  int blocks = b->worlds.step_lanes == FEW_LANES ? 4 : solvedInRegisters(b->model) ? 2 : 1;
  int teams = snBLOCK_TEAMS / blocks;
  int processors = attribute(b, CU_PROCESSORS), wanted = wantedFast(b, &teams);
  int64_t warps = ((int64_t)b->worlds.nworld * b->worlds.step_lanes + LANES - 1) / LANES;
  while (teams > 1 && (int64_t)teams * processors > warps) teams /= 2;
  teams = setting("SINEW_GPU_THREADS", teams * LANES, LANES, snBLOCK_TEAMS * LANES) / LANES;
  b->team_threads = teams * LANES;
  b->fast_bytes = setting("SINEW_GPU_FAST", wanted, 0, 1 << 20) & ~15;
  int room = fastRoom(b, teams) & ~15;
  if (b->fast_bytes > room) b->fast_bytes = room;
  SN_ASSERT(b->team_threads >= LANES && b->team_threads % LANES == 0 && b->fast_bytes % 16 == 0);
}

static int uploadModel(snGpuBatch* b, const snPieces* pieces) {
  snImage image = b->packer->packModel(pieces, 0);
  if (!image.bytes) return 0;
  size_t size = (size_t)image.size;
  snu_free(image.bytes);
  b->worlds.model = b->model_image = sn_gpuAllocate(b, size);
  if (!b->worlds.model) return 0;
  image = b->packer->packModel(pieces, b->worlds.model);
  SN_ASSERT(!image.bytes || (size_t)image.size == size);  // only addresses differ
  int code = image.bytes ? b->driver->upload(b->worlds.model, image.bytes, size) : 1;
  snu_free(image.bytes);
  return !sn_gpuFailed(b, code, "uploading the model");
}

static size_t blockBytes(const snGpuBatch* b) {
  return (size_t)(b->worlds.stride * b->worlds.nworld);
}

// Memory for the worlds' blocks, stride bytes each, in place of what they have. What nobody can look
// at is given back before, else it stays until the batch is deleted.
static int replaceBlocks(snGpuBatch* b, int64_t stride) {
  SN_ASSERT(stride > 0 && stride % 8 == 0);
  int places = sizeof(b->retired) / sizeof(b->retired[0]);
  int keep = b->worlds.blocks && b->views_out && b->retired_count < places;
  if (!keep) {
    sn_gpuFree(b, b->worlds.blocks, blockBytes(b));
    b->worlds.blocks = 0;
  }
  CUdeviceptr blocks = sn_gpuAllocate(b, (size_t)(stride * b->worlds.nworld));
  if (!blocks) return 0;
  if (keep) b->retired[b->retired_count++] = b->worlds.blocks;
  b->worlds.blocks = blocks;
  b->worlds.stride = stride;
  return 1;
}

// data blocks for all worlds with arenas of b->narena bytes, in the reference state
static int makeWorlds(snGpuBatch* b, const snPieces* pieces, int keyframe) {
  int64_t stride = 0;
  snImage image = b->packer->packData(pieces, 0, b->narena, &stride);
  snu_free(image.bytes);
  if (!image.bytes || !replaceBlocks(b, stride)) return 0;
  image = b->packer->packData(pieces, b->worlds.blocks, b->narena, &b->worlds.stride);
  int code = image.bytes ? b->driver->upload(b->worlds.blocks, image.bytes, (size_t)image.size) : 1;
  snu_free(image.bytes);
  if (sn_gpuFailed(b, code, "uploading data")) return 0;
  SN_ASSERT(image.size <= b->worlds.stride);
  int64_t bytes = image.size;
  void* spread[] = {&b->worlds, &bytes};
  CUdeviceptr mask = 0;
  void* reset[] = {&b->worlds, &mask, &keyframe, &b->status_device};
  return sn_gpuLaunch(b, snKERNEL_SPREAD, &b->worlds, spread, "making the worlds") &&
         sn_gpuLaunch(b, snKERNEL_RESET, &b->worlds, reset, "reset");
}

// Bytes of arena that a world uses in a short trial on the host, and a quarter more. While contacts are found, there must be
// room for those of one more pair of geoms; rows, which are made afterwards, may use that room. In single precision most
// of the arena is half as large; integers are not.
static snSize estimateArena(const snModel* m, const snPacker* packer) {
  snData* d = sn_makeData(m);
  if (!d) return m->narena;
  for (int i = 0; i < 50; i++) sn_step(m, d);
  snSize contacts = d->maxuse_con + d->maxuse_con / 4 + snMAXCONPAIR + 1;
  snSize all = d->maxuse_arena + d->maxuse_arena / 4, stack = d->maxuse_stack;
  sn_deleteData(d);
  if (packer->real_bytes == 4) {
    all = all * 5 / 8;
    stack = stack * 5 / 8;
  }
  snSize finding = contacts * packer->contact_bytes + stack, used = all > finding ? all : finding;
  used = (used + (2 << 10) - 1) / 1024 * 1024;  // a kilobyte for what lanes use in addition
  return used < m->narena ? used : m->narena;
}

int sn_gpuAllocateSaved(snGpuBatch* b, snSavedWorlds* saved) {
  size_t nworld = (size_t)b->worlds.nworld;
  saved->state_size = sn_stateSize(b->model, snSTATE_INTEGRATION);
  if (!saved->states) {
    size_t bytes = (size_t)saved->state_size * (size_t)b->packer->real_bytes;
    saved->states = sn_gpuAllocate(b, nworld * bytes);
  }
  if (!saved->sleeps) {
    saved->sleeps = sn_gpuAllocate(b, nworld * (size_t)b->model->ntree * sizeof(int));
  }
  return saved->states && saved->sleeps;
}

int sn_gpuCopyStates(snGpuBatch* b, int kernel, const snWorlds* worlds,
                     const snSavedWorlds* saved) {
  SN_ASSERT(kernel == snKERNEL_SAVE || kernel == snKERNEL_RESTORE);
  SN_ASSERT(saved->states && saved->sleeps);
  snWorlds at = *worlds;
  snSavedWorlds to = *saved;
  void* arguments[] = {&at, &to};
  return sn_gpuLaunch(b, kernel, worlds, arguments,
                      kernel == snKERNEL_SAVE ? "saving states" : "restoring states");
}

// everything beside the model and the worlds
static int makeSides(snGpuBatch* b) {
  size_t nworld = (size_t)b->worlds.nworld;
  size_t status = 4 * nworld * sizeof(int);
  b->status = (int*)snu_malloc(status);
  b->failed = (snByte*)snu_malloc(nworld);
  b->status_device = sn_gpuAllocate(b, status);
  b->list = sn_gpuAllocate(b, nworld * sizeof(int));
  if (!b->status || !b->failed || !b->status_device || !b->list) return 0;
  int code = b->driver->allocateHost((void**)&b->events, sizeof(snEvents), CU_HOST_ON_DEVICE);
  if (sn_gpuFailed(b, code, "memory of the host")) return 0;
  if (!sn_gpuAllocateSaved(b, &b->saved)) return 0;
  memset(b->status, 0, status);
  memset(b->failed, 0, nworld);
  return !sn_gpuFailed(b, b->driver->upload(b->status_device, b->status, status), "upload");
}

snSize sn_gpuBytes(const snModel* m, int nworld, int single) {
  const snPacker* packer = single ? &sn_packerSingle : &sn_packerDouble;
  snPieces pieces;
  int64_t stride = 0;
  sn_takeApart(m, &pieces);
  snImage model = packer->packModel(&pieces, 0);
  snImage data = packer->packData(&pieces, 0, estimateArena(m, packer), &stride);
  snSize state = sn_stateSize(m, snSTATE_INTEGRATION) * (snSize)packer->real_bytes;
  snSize sleep = m->ntree * (snSize)sizeof(int);
  int made = model.bytes && data.bytes;
  snu_free(model.bytes);
  snu_free(data.bytes);
  if (!made) return -1;
  return model.size + stride * nworld + (snSize)notEmpty((size_t)(state * nworld)) +
         (snSize)notEmpty((size_t)(sleep * nworld)) + 5 * (snSize)sizeof(int) * nworld;
}

const char* sn_gpuRefusal(const snModel* m) { return unsupported(m); }

snGpuBatch* sn_makeGpuBatch(const snModel* m, int nworld, int single, char* error, int error_sz) {
  const char* missing = unsupported(m);
  if (missing || nworld < 1) {
    sn_formatError(error, error_sz, "a batch on a GPU cannot have %s",
                   missing ? missing : "no worlds");
    return NULL;
  }
  const snDriver* driver = sn_driver(error, error_sz);
  CUmodule module = driver ? sn_gpuEngine(driver, single ? 4 : 8, error, error_sz) : NULL;
  if (!module) return NULL;
  snGpuBatch* b = (snGpuBatch*)snu_malloc(sizeof(snGpuBatch));
  if (!b) return NULL;
  memset(b, 0, sizeof(*b));
  b->driver = driver;
  b->module = module;
  b->packer = single ? &sn_packerSingle : &sn_packerDouble;
  b->model = sn_copyModel(NULL, m);
  b->keyframe = -1;
  b->worlds.count = b->worlds.nworld = nworld;
  chooseTeam(b);
  b->narena = estimateArena(m, b->packer);
  snPieces pieces;
  sn_takeApart(m, &pieces);
  int made = b->model && findKernels(b, snKERNEL_TRY, (int)sharedBytes(b)) &&
             uploadModel(b, &pieces) && makeSides(b) && makeWorlds(b, &pieces, -1);
  if (!made) {
    sn_formatError(error, error_sz, "%s", sn_lastError());
    sn_deleteGpuBatch(b);
    return NULL;
  }
  return b;
}

void sn_deleteGpuBatch(snGpuBatch* b) {
  if (!b) return;
  sn_gpuEnter(b);
  sn_deleteGpuBatch(b->trials);
  CUdeviceptr memory[] = {b->model_image,
                          b->headers,
                          b->worlds.blocks,
                          b->scratch,
                          b->list,
                          b->saved.states,
                          b->saved.sleeps,
                          b->before_step.states,
                          b->before_step.sleeps,
                          b->status_device};
  for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++) {
    if (memory[i]) b->driver->release(memory[i]);
  }
  for (int i = 0; i < b->own_count; i++) b->driver->release(b->own[i].values);
  for (int i = 0; i < b->retired_count; i++) b->driver->release(b->retired[i]);
  if (b->events) b->driver->releaseHost(b->events);
  if (b->module && !b->is_of_trials) b->driver->unloadModule(b->module);
  if (!b->is_of_trials) sn_deleteModel(b->model);
  snu_free(b->status);
  snu_free(b->failed);
  snu_free(b);
}

snGpuBatch* sn_gpuMakeTrials(const snGpuBatch* of, int count, snSize narena) {
  SN_ASSERT(count > 0 && narena > 0);
  snGpuBatch* b = (snGpuBatch*)snu_malloc(sizeof(snGpuBatch));
  if (!b) return NULL;
  memset(b, 0, sizeof(*b));
  b->is_of_trials = 1;
  b->driver = of->driver;
  b->module = of->module;
  b->packer = of->packer;
  b->model = of->model;
  b->keyframe = -1;
  b->worlds.count = b->worlds.nworld = count;
  b->worlds.model = of->worlds.model;
  chooseTeam(b);
  int ours = (int)sharedBytes(b), theirs = (int)sharedBytes(of);
  int made = findKernels(b, snKERNELS, ours > theirs ? ours : theirs) && makeSides(b);
  if (made && of->headers) {  // a trial has the model of its world
    b->worlds.model_stride = of->worlds.model_stride;
    b->worlds.model = b->headers = sn_gpuAllocate(b, (size_t)(b->worlds.model_stride * count));
    made = b->headers != 0;
  }
  snPieces pieces;
  sn_takeApart(b->model, &pieces);
  b->narena = narena;
  int64_t stride = 0;
  snImage image = b->packer->packData(&pieces, 0, narena, &stride);
  snu_free(image.bytes);
  if (!made || !image.bytes || !replaceBlocks(b, stride)) {
    sn_deleteGpuBatch(b);
    return NULL;
  }
  b->block_bytes = image.size;
  return b;
}

int sn_gpuSelect(snGpuBatch* b, const int* list, int count, snWorlds* worlds) {
  SN_ASSERT(!list || (count > 0 && count <= b->worlds.nworld));
  *worlds = b->worlds;
  if (!list) return 1;
  worlds->list = b->list;
  worlds->count = count;
  size_t bytes = (size_t)count * sizeof(int);
  return !sn_gpuFailed(b, b->driver->upload(b->list, list, bytes), "upload");
}

// ---- numbers between host and device, in the batch's precision ----

// Scratch memory of at least so many bytes; one user at a time.
static CUdeviceptr scratch(snGpuBatch* b, size_t bytes) {
  if (bytes > b->scratch_bytes) {
    sn_gpuFree(b, b->scratch, b->scratch_bytes);
    b->scratch = sn_gpuAllocate(b, bytes);
    b->scratch_bytes = b->scratch ? bytes : 0;
  }
  return b->scratch;
}

CUdeviceptr sn_gpuUploadReals(snGpuBatch* b, const double* values, size_t count) {
  size_t bytes = count * (size_t)b->packer->real_bytes;
  CUdeviceptr target = scratch(b, bytes);
  if (!target || b->packer->real_bytes == 8) {
    return target && !sn_gpuFailed(b, b->driver->upload(target, values, bytes), "upload") ? target
                                                                                          : 0;
  }
  float* narrow = (float*)snu_malloc(bytes + 1);
  if (!narrow) return 0;
  for (size_t k = 0; k < count; k++) narrow[k] = (float)values[k];
  int code = b->driver->upload(target, narrow, bytes);
  snu_free(narrow);
  return sn_gpuFailed(b, code, "upload") ? 0 : target;
}

static int downloadReals(snGpuBatch* b, double* values, CUdeviceptr source, size_t count) {
  size_t bytes = count * (size_t)b->packer->real_bytes;
  if (b->packer->real_bytes == 8)
    return !sn_gpuFailed(b, b->driver->download(values, source, bytes), "download");
  float* narrow = (float*)snu_malloc(bytes + 1);
  if (!narrow) return 0;
  int code = b->driver->download(narrow, source, bytes);
  for (size_t k = 0; k < count; k++) values[k] = (double)narrow[k];
  snu_free(narrow);
  return !sn_gpuFailed(b, code, "download");
}

// ---- state ----

static int stateKernel(snGpuBatch* b, int kernel, CUdeviceptr state, int sig) {
  SN_ASSERT(kernel == snKERNEL_GET_STATE || kernel == snKERNEL_SET_STATE);
  int size = sn_stateSize(b->model, sig);
  void* arguments[] = {&b->worlds, &state, &size, &sig, &b->status_device};
  return sn_gpuLaunch(b, kernel, &b->worlds, arguments, "copying states");
}

int sn_gpuBatchGetState(snGpuBatch* b, snReal* state, int sig) {
  sn_gpuEnter(b);
  size_t count = (size_t)sn_stateSize(b->model, sig) * (size_t)b->worlds.count;
  CUdeviceptr buffer = scratch(b, count * 8);
  if (!buffer || !stateKernel(b, snKERNEL_GET_STATE, buffer, sig)) return -1;
  return downloadReals(b, state, buffer, count) ? 0 : -1;
}

int sn_gpuBatchSetState(snGpuBatch* b, const snReal* state, int sig) {
  sn_gpuEnter(b);
  if (!sn_gpuSettle(b)) return -1;
  size_t count = (size_t)sn_stateSize(b->model, sig) * (size_t)b->worlds.count;
  CUdeviceptr buffer = sn_gpuUploadReals(b, state, count);
  if (!buffer || !stateKernel(b, snKERNEL_SET_STATE, buffer, sig)) return -1;
  memset(b->failed, 0, (size_t)b->worlds.nworld);
  b->any_failed = 0;
  return 0;
}

// when there is too little memory, the worlds stay as they were before the call
int sn_gpuGrow(snGpuBatch* b) {
  SN_ASSERT(b->saved.states);  // where the worlds go on from
  snPieces pieces;
  sn_takeApart(b->model, &pieces);
  snSize narena = b->narena;
  b->narena = (narena + narena / 2 + 4095) / 4096 * 4096;
  int grown = makeWorlds(b, &pieces, -1);
  if (grown) b->generation++;
  if (!grown) {
    b->narena = narena;
    if (!b->worlds.blocks && !makeWorlds(b, &pieces, -1)) return 0;
  }
  return sn_gpuCopyStates(b, snKERNEL_RESTORE, &b->worlds, &b->saved) && grown;
}

void sn_gpuCountFailed(snGpuBatch* b) {
  b->any_failed = 0;
  for (int i = 0; i < b->worlds.nworld; i++) b->any_failed |= b->failed[i];
}

int sn_gpuBatchReset(snGpuBatch* b, const snByte* mask, int keyframe) {
  sn_gpuEnter(b);
  if (!sn_gpuSettle(b)) return -1;
  CUdeviceptr device_mask = 0;
  if (mask) {
    device_mask = scratch(b, (size_t)b->worlds.count);
    if (!device_mask) return -1;
    if (sn_gpuFailed(b, b->driver->upload(device_mask, mask, (size_t)b->worlds.count), "upload"))
      return -1;
  }
  void* arguments[] = {&b->worlds, &device_mask, &keyframe, &b->status_device};
  for (int i = 0; i < b->worlds.nworld; i++) b->failed[i] = mask && !mask[i] ? b->failed[i] : 0;
  sn_gpuCountFailed(b);
  return sn_gpuLaunch(b, snKERNEL_RESET, &b->worlds, arguments, "reset") ? 0 : -1;
}

int sn_gpuBatchCounts(snGpuBatch* b, int* counts) {
  sn_gpuEnter(b);
  size_t bytes = (size_t)b->worlds.count * 4 * sizeof(int);
  CUdeviceptr buffer = scratch(b, bytes);
  void* arguments[] = {&b->worlds, &buffer};
  if (!buffer || !sn_gpuLaunch(b, snKERNEL_COUNTS, &b->worlds, arguments, "counting")) return -1;
  return sn_gpuFailed(b, b->driver->download(counts, buffer, bytes), "download") ? -1 : 0;
}

int sn_gpuBatchContacts(snGpuBatch* b, int room, int* geoms, snReal* distances) {
  sn_gpuEnter(b);
  size_t places = (size_t)b->worlds.nworld * (size_t)(room > 0 ? room : 0);
  if (!places) return 0;
  CUdeviceptr device_distances = scratch(b, places * (8 + 2 * sizeof(int)));
  CUdeviceptr device_geoms = device_distances + places * 8;
  void* arguments[] = {&b->worlds, &device_geoms, &device_distances, &room};
  if (!device_distances ||
      !sn_gpuLaunch(b, snKERNEL_CONTACTS, &b->worlds, arguments, "reading contacts")) {
    return -1;
  }
  int code = b->driver->download(geoms, device_geoms, places * 2 * sizeof(int));
  if (sn_gpuFailed(b, code, "download")) return -1;
  return downloadReals(b, distances, device_distances, places) ? 0 : -1;
}

void sn_gpuBatchSetKeyframe(snGpuBatch* b, int keyframe) { b->keyframe = keyframe; }
int sn_gpuBatchGeneration(const snGpuBatch* b) { return b->generation; }
snSize sn_gpuBatchBytes(const snGpuBatch* b) {
  return b->bytes + (b->trials ? b->trials->bytes : 0);
}
