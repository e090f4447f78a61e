// Entry points for worlds that need care: states kept before a step and put back after a failure.

#include "gpu/worlds.h"

enum {
  OVERFLOW_BITS = 1 << snWARN_CONTACTFULL | 1 << snWARN_CNSTRFULL,
  FAILURE_BITS = 1 << snWARN_BADQPOS | 1 << snWARN_BADQVEL | 1 << snWARN_BADQACC
};

// states, and which trees sleep
static void saveWorld(const snModel* m, const snData* d, int i, snReal* saved, int* sleep, int size) {
  sn_getState(m, d, saved + (long)i * size, snSTATE_INTEGRATION);
  for (int k = 0; k < m->ntree; k++) sleep[i * m->ntree + k] = d->tree_asleep[k];
}

static void restoreWorld(const snModel* m, snData* d, int i, const snReal* saved, const int* sleep,
                         int size) {
  sn_setState(m, d, saved + (long)i * size, snSTATE_INTEGRATION);
  for (int k = 0; k < m->ntree; k++) d->tree_asleep[k] = sleep[i * m->ntree + k];
}

extern "C" __global__ void sn_kernelSave(snWorlds worlds, snReal* saved, int* sleep, int size) {
  int i = worldIndex(worlds);
  if (i >= 0) saveWorld(worldModel(worlds, i), worldData(worlds, i), i, saved, sleep, size);
}

extern "C" __global__ void sn_kernelRestore(snWorlds worlds, const snReal* saved, const int* sleep,
                                            int size) {
  int i = worldIndex(worlds);
  if (i >= 0) restoreWorld(worldModel(worlds, i), worldData(worlds, i), i, saved, sleep, size);
}

extern "C" __global__ void sn_kernelForward(snWorlds worlds) {
  int i = teamWorld(worlds, worlds.lanes);
  if (i >= 0) sn_forward(worldModel(worlds, i), worldData(worlds, i));
}

// Step as sn_kernelStep does; but a world that fails goes back to the state before that step and is
// reset before its next one. status: 4 x nworld, warnings of the last step and of all, failures, and
// steps since the last reset.
extern "C" __global__ void sn_kernelStepCarefully(snWorlds worlds, int nstep, const snReal* ctrl,
                                                  int* status, snReal* saved, int* sleep, int size,
                                                  int keyframe) {
  int i = worldIndex(worlds);
  if (i < 0) return;
  const snModel* m = worldModel(worlds, i);
  snData* d = worldData(worlds, i);
  int bits = 0, failed = 0, failures = 0, age = 0;
  for (int step = 0; step < nstep && !(bits & OVERFLOW_BITS); step++) {
    if (failed) {
      sn_resetDataKeyframe(m, d, keyframe);
          failed = age = 0;
    }
    if (ctrl) {
      const snReal* source = ctrl + ((long)step * worlds.nworld + i) * m->nu;
      for (int k = 0; k < m->nu; k++) d->ctrl[k] = source[k];
    }
    saveWorld(m, d, i, saved, sleep, size);
    sn_step(m, d);
      bits |= d->status;
    age++;
    failed = (d->status & FAILURE_BITS) != 0;
    failures += failed;
    if (failed) restoreWorld(m, d, i, saved, sleep, size);
  }
  status[i] = d->status;
  status[worlds.nworld + i] = bits;
  status[2 * worlds.nworld + i] = failures;
  status[3 * worlds.nworld + i] = age;
}

// The geoms of each world's contacts, world x room x 2, and their distances, world x room; places
// beyond a world's contacts hold -1 and 0.
extern "C" __global__ void sn_kernelContacts(snWorlds worlds, int* geoms, snReal* distances, int room) {
  int i = worldIndex(worlds);
  if (i < 0) return;
  const snData* d = worldData(worlds, i);
  for (int k = 0; k < room; k++) {
    const snContact* contact = k < d->ncon ? d->contact + k : 0;
    long place = (long)i * room + k;
    geoms[2 * place] = contact ? contact->geom[0] : -1;
    geoms[2 * place + 1] = contact ? contact->geom[1] : -1;
    distances[place] = contact ? contact->dist : 0;
  }
}
