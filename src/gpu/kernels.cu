// Entry points on the device, but for the step (step_kernel.cu): one thread for each world, a team where
// it runs stages.

#include "gpu/kernels.h"

#include "gpu/trial.h"
#include "gpu/world.h"
#include "model/plugin.h"
#include "sinew/sinew.h"

extern "C" __global__ void sn_kernelSpread(snWorlds worlds, int64_t bytes) {
  int i = worldIndex(worlds);
  if (i >= 0) sn_spreadWorld(&worlds, i, bytes);
}

extern "C" __global__ void sn_kernelReset(snWorlds worlds, const snByte* mask, int keyframe,
                                          int* status) {
  int i = worldIndex(worlds);
  if (i < 0 || (mask && !mask[i])) return;
  sn_forgetFailure(status, i);
  sn_resetDataKeyframe(sn_worldModel(&worlds, i), sn_worldData(&worlds, i), keyframe);
}

extern "C" __global__ void sn_kernelForward(snWorlds worlds) {
  int i = teamWorld(worlds, worlds.lanes);
  if (i >= 0) sn_forward(sn_worldModel(&worlds, i), sn_worldData(&worlds, i));
}

extern "C" __global__ void sn_kernelForces(snWorlds worlds) {
  int i = teamWorld(worlds, worlds.lanes);
  if (i >= 0) sn_rnePostConstraint(sn_worldModel(&worlds, i), sn_worldData(&worlds, i));
}

extern "C" __global__ void sn_kernelSave(snWorlds worlds, snSavedWorlds saved) {
  int i = worldIndex(worlds);
  if (i < 0) return;
  const snModel* m = sn_worldModel(&worlds, i);
  sn_saveWorld(m, sn_worldData(&worlds, i), sn_savedWorld(m, &saved, i));
}

extern "C" __global__ void sn_kernelRestore(snWorlds worlds, snSavedWorlds saved) {
  int i = worldIndex(worlds);
  if (i < 0) return;
  const snModel* m = sn_worldModel(&worlds, i);
  sn_restoreWorld(m, sn_worldData(&worlds, i), sn_savedWorld(m, &saved, i));
}

extern "C" __global__ void sn_kernelGetState(snWorlds worlds, snReal* state, int size, int sig) {
  int i = worldIndex(worlds);
  if (i < 0) return;
  sn_getState(sn_worldModel(&worlds, i), sn_worldData(&worlds, i), state + (int64_t)i * size, sig);
}

extern "C" __global__ void sn_kernelSetState(snWorlds worlds, const snReal* state, int size,
                                             int sig, int* status) {
  int i = worldIndex(worlds);
  if (i < 0) return;
  sn_forgetFailure(status, i);
  sn_setState(sn_worldModel(&worlds, i), sn_worldData(&worlds, i), state + (int64_t)i * size, sig);
}

extern "C" __global__ void sn_kernelCounts(snWorlds worlds, int* counts) {
  int i = worldIndex(worlds);
  if (i >= 0) sn_countWorld(&worlds, i, counts);
}

extern "C" __global__ void sn_kernelContacts(snWorlds worlds, int* geoms, snReal* distances,
                                             int room) {
  int i = worldIndex(worlds);
  if (i >= 0) sn_contactsOfWorld(&worlds, i, geoms, distances, room);
}

extern "C" __global__ void sn_kernelTry(snWorlds slots, snTrials trials) {
  int i = teamWorld(slots, slots.lanes);
  if (i >= 0) sn_tryWorld(&slots, i, &trials);
}

extern "C" __global__ void sn_kernelDifference(snWorlds slots, snTrials trials) {
  int i = worldIndex(slots);
  if (i >= 0) sn_differenceWorld(&slots, i, &trials);
}

// Messages have nowhere to go on a device; states and warning bits carry what happened.
extern "C" void snu_error(const char*, ...) {}
extern "C" void snu_warning(const char*, ...) {}
extern "C" const char* snu_warningText(int, size_t) { return ""; }

// Models with plugins never reach a device: their attributes are texts, read on the host.
extern "C" const char* sn_pluginText(const snModel*, int, int) { return ""; }
extern "C" void sn_pluginTexts(const snModel*, int, const char** text, int n) {
  for (int k = 0; k < n; k++) text[k] = "";
}
extern "C" snReal sn_pluginNumber(const snModel*, int, int, snReal standard) { return standard; }
extern "C" int sn_readNumbers(const char*, snReal*, int) { return 0; }
extern "C" const struct snpPlugin_* sn_userPlugin(int) { return 0; }
