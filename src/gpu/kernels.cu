// Entry points on the device: a team of threads steps each world with the functions of the engine;
// one thread does everything else.

#include "engine/step/stages.h"
#include "gpu/worlds.h"
#include "model/plugin.h"
#include "sinew/sinew.h"

// Copy the first block into the others and point its arrays at their own memory.
extern "C" __global__ void sn_kernelSpread(snWorlds worlds, long bytes) {
  int i = worldIndex(worlds);
  if (i <= 0) return;
  long shift = i * worlds.stride;
  const long* source = (const long*)worlds.blocks;
  long* target = (long*)(worlds.blocks + shift);
  for (long k = 0; k < bytes / 8; k++) target[k] = source[k];
  snData* d = worldData(worlds, i);
  d->buffer = (char*)d->buffer + shift;
  d->arena = (char*)d->arena + shift;
#define X(type, name, rows, columns, stage, meaning) \
  d->name = (sn_type_##type*)((char*)d->name + shift);
  SN_DATA_FIELDS(X)
#undef X
}

extern "C" __global__ void sn_kernelReset(snWorlds worlds, const unsigned char* mask, int keyframe) {
  int i = worldIndex(worlds);
  if (i < 0 || (mask && !mask[i])) return;
  sn_resetDataKeyframe(worldModel(worlds, i), worldData(worlds, i), keyframe);
}

// Teams of a block go from phase to phase together: a processor cannot hold the instructions of a
// whole step. ctrl: nstep x nworld x nu, or NULL to keep what the data holds; status: 2 x nworld, the
// warnings of the last step and those of all steps.
extern "C" __global__ void sn_kernelStep(snWorlds worlds, int nstep, const snReal* ctrl, int* status) {
  int i = teamWorld(worlds, worlds.lanes), bits = 0;
  if (i < 0) return;
  const snModel* m = worldModel(worlds, i);
  snData* d = worldData(worlds, i);
  for (int step = 0; step < nstep; step++) {
    if (ctrl) {
      const snReal* source = ctrl + ((long)step * worlds.nworld + i) * m->nu;
      SN_FOR(k, m->nu) d->ctrl[k] = source[k];
      SN_SYNC();
    }
    SN_PLAIN_LOOP
    for (int phase = 0; phase < snSTEP_PHASES; phase++) {
      sn_stepPhase(m, d, phase);
      if (worlds.lanes > 1) __syncthreads();  // threads that have returned are not waited for
    }
    bits |= d->status;
  }
  SN_ONE {
    status[i] = d->status;
    status[worlds.nworld + i] = bits;
  }
}

extern "C" __global__ void sn_kernelGetState(snWorlds worlds, snReal* state, int size, int sig) {
  int i = worldIndex(worlds);
  if (i >= 0) sn_getState(worldModel(worlds, i), worldData(worlds, i), state + (long)i * size, sig);
}

extern "C" __global__ void sn_kernelSetState(snWorlds worlds, const snReal* state, int size, int sig) {
  int i = worldIndex(worlds);
  if (i >= 0) sn_setState(worldModel(worlds, i), worldData(worlds, i), state + (long)i * size, sig);
}

// What the last step found: contacts, rows, solver iterations, bytes of arena used.
extern "C" __global__ void sn_kernelCounts(snWorlds worlds, int* counts) {
  int i = worldIndex(worlds);
  if (i < 0) return;
  const snData* d = worldData(worlds, i);
  counts[4 * i] = d->ncon;
  counts[4 * i + 1] = d->nefc;
  counts[4 * i + 2] = d->solver_niter[0];
  counts[4 * i + 3] = (int)d->maxuse_arena;
}

// Messages have nowhere to go on a device; states and warning bits carry what happened.
extern "C" void snu_error(const char*, ...) {}
extern "C" void snu_warning(const char*, ...) {}
extern "C" const char* snu_warningText(int, size_t) { return ""; }

// Models with plugins never reach a device: their attributes are texts, read on the host.
extern "C" const char* sn_pluginText(const snModel*, int, int) { return ""; }
extern "C" snReal sn_pluginNumber(const snModel*, int, int, snReal standard) { return standard; }
extern "C" int sn_readNumbers(const char*, snReal*, int) { return 0; }
extern "C" const struct snpPlugin_* sn_userPlugin(int) { return 0; }
