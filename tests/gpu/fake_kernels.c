// The kernels of the driver without a GPU (fake_cuda.c): the engine's functions for one world after the
// other. Compiled once per precision, each time with an engine of its own.

#include <stdint.h>
#include <string.h>

#include "gpu/worlds.h"
#include "sinew/sinew.h"

#ifdef SN_SINGLE
#define RUN_WORLD sn_fakeRunSingle
#else
#define RUN_WORLD sn_fakeRunDouble
#endif

enum { LAUNCH_FAILED = 719 };

__attribute__((visibility("default"))) int RUN_WORLD(const char* name, const snWorlds* w, int i,
                                                     void** a);

static snData* dataOf(const snWorlds* worlds, int i) {
  return (snData*)(uintptr_t)(worlds->blocks + (uint64_t)(i * worlds->stride));
}

static const snModel* modelOf(const snWorlds* worlds, int i) {
  return (const snModel*)(uintptr_t)(worlds->model + (uint64_t)(i * worlds->model_stride));
}

static void spread(const snWorlds* worlds, int i, void** a) {
  if (!i) return;
  int64_t shift = i * worlds->stride;
  snData* d = dataOf(worlds, i);
  memcpy((void*)d, (const void*)dataOf(worlds, 0), (size_t) * (int64_t*)a[1]);
  d->buffer = (char*)d->buffer + shift;
  d->arena = (char*)d->arena + shift;
#define X(type, name, rows, columns, stage, meaning) \
  d->name = (sn_type_##type*)(void*)((char*)d->name + shift);
  SN_DATA_FIELDS(X)
#undef X
}

static void reset(const snWorlds* worlds, int i, void** a) {
  const snByte* mask = *(const snByte**)a[1];
  if (!mask || mask[i]) sn_resetDataKeyframe(modelOf(worlds, i), dataOf(worlds, i), *(int*)a[2]);
}

static void save(const snWorlds* worlds, int i, snReal* saved, int* sleep, int size) {
  const snModel* m = modelOf(worlds, i);
  snData* d = dataOf(worlds, i);
  sn_getState(m, d, saved + (int64_t)i * size, snSTATE_INTEGRATION);
  for (int k = 0; k < m->ntree; k++) sleep[i * m->ntree + k] = d->tree_asleep[k];
}

static void restore(const snWorlds* worlds, int i, const snReal* saved, const int* sleep,
                    int size) {
  const snModel* m = modelOf(worlds, i);
  snData* d = dataOf(worlds, i);
  sn_setState(m, d, saved + (int64_t)i * size, snSTATE_INTEGRATION);
  for (int k = 0; k < m->ntree; k++) d->tree_asleep[k] = sleep[i * m->ntree + k];
}

enum {
  OVERFLOW_BITS = 1 << snWARN_CONTACTFULL | 1 << snWARN_CNSTRFULL,
  FAILURE_BITS = 1 << snWARN_BADQPOS | 1 << snWARN_BADQVEL | 1 << snWARN_BADQACC
};

static void step(const snWorlds* worlds, int i, void** a, int careful) {
  const snModel* m = modelOf(worlds, i);
  snData* d = dataOf(worlds, i);
  const snReal* ctrl = *(const snReal**)a[2];
  int *status = *(int**)a[3], nstep = *(int*)a[1], nworld = worlds->nworld;
  int bits = 0, failed = 0, failures = 0, age = 0;
  for (int t = 0; t < nstep && !(careful && (bits & OVERFLOW_BITS)); t++, age++) {
    if (failed) {
      sn_resetDataKeyframe(m, d, *(int*)a[7]);
      age = 0;
    }
    const snReal* source = ctrl ? ctrl + ((int64_t)t * nworld + i) * m->nu : d->ctrl;
    memmove(d->ctrl, source, (size_t)m->nu * sizeof(snReal));
    if (careful) save(worlds, i, *(snReal**)a[4], *(int**)a[5], *(int*)a[6]);
    sn_step(m, d);
    bits |= d->status;
    failed = careful && (d->status & FAILURE_BITS);
    failures += failed;
    if (failed) restore(worlds, i, *(snReal**)a[4], *(int**)a[5], *(int*)a[6]);
  }
  status[i] = d->status;
  status[nworld + i] = bits;
  if (!careful) return;
  status[2 * nworld + i] = failures;
  status[3 * nworld + i] = age;
}

static void counts(const snWorlds* worlds, int i, int* values) {
  const snData* d = dataOf(worlds, i);
  values[4 * i] = d->ncon;
  values[4 * i + 1] = d->nefc;
  values[4 * i + 2] = d->solver_niter[0];
  values[4 * i + 3] = (int)d->maxuse_arena;
}

static void contacts(const snWorlds* worlds, int i, int* geoms, snReal* distances, int room) {
  const snData* d = dataOf(worlds, i);
  for (int k = 0; k < room; k++) {
    int64_t place = (int64_t)i * room + k;
    geoms[2 * place] = k < d->ncon ? d->contact[k].geom[0] : -1;
    geoms[2 * place + 1] = k < d->ncon ? d->contact[k].geom[1] : -1;
    distances[place] = k < d->ncon ? d->contact[k].dist : 0;
  }
}

int RUN_WORLD(const char* name, const snWorlds* w, int i, void** a) {
  const snModel* m = modelOf(w, i);
  snData* d = dataOf(w, i);
  if (!strcmp(name, "sn_kernelSpread")) return spread(w, i, a), 0;
  if (!strcmp(name, "sn_kernelReset")) return reset(w, i, a), 0;
  if (!strcmp(name, "sn_kernelStep")) return step(w, i, a, 0), 0;
  if (!strcmp(name, "sn_kernelStepCarefully")) return step(w, i, a, 1), 0;
  if (!strcmp(name, "sn_kernelForward")) return sn_forward(m, d), 0;
  if (!strcmp(name, "sn_kernelCounts")) return counts(w, i, *(int**)a[1]), 0;
  if (!strcmp(name, "sn_kernelContacts"))
    return contacts(w, i, *(int**)a[1], *(snReal**)a[2], *(int*)a[3]), 0;
  int64_t size = 0;
  if (!strcmp(name, "sn_kernelGetState") || !strcmp(name, "sn_kernelSetState")) {
    size = *(int*)a[2];
    snReal* state = *(snReal**)a[1] + i * size;
    if (!strcmp(name, "sn_kernelGetState")) return sn_getState(m, d, state, *(int*)a[3]), 0;
    return sn_setState(m, d, state, *(int*)a[3]), 0;
  }
  if (!strcmp(name, "sn_kernelSave"))
    return save(w, i, *(snReal**)a[1], *(int**)a[2], *(int*)a[3]), 0;
  if (!strcmp(name, "sn_kernelRestore"))
    return restore(w, i, *(snReal**)a[1], *(int**)a[2], *(int*)a[3]), 0;
  return LAUNCH_FAILED;
}
