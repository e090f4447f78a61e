// GPU against CPU: results of one step on random states, then steps per second.
//
//     bench_gpu [--single | --double] [--worlds N]... MODEL...
//
// Models are binary (sinew compile). Worlds start on a random rollout and get fresh random controls in
// each of 50 steps of one call. Prints a line per model, precision and number of worlds.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "gpu/driver.h"
#include "model/binary.h"
#include "sinew/gpu.h"
#include "sinew/sinew.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static snModel* loadBinary(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char* bytes = (char*)malloc((size_t)size);
  char error[200] = "";
  snModel* m = fread(bytes, 1, (size_t)size, file) == (size_t)size
                   ? sn_readModel(bytes, (size_t)size, error, sizeof(error))
                   : NULL;
  if (!m) fprintf(stderr, "%s: %s\n", path, error);
  free(bytes);
  fclose(file);
  return m;
}

static double randomControl(const snModel* m, int k, uint64_t* random) {
  const snReal* range = m->actuator_ctrlrange + 2 * k;
  double u = sn_uniform(random);
  return m->actuator_ctrllimited[k] ? range[0] + (range[1] - range[0]) * 0.5 * (u + 1) : u;
}

// states along a random rollout on the host: world i is the i-th of them
static void makeStates(const snModel* m, double* states, int nworld, int size) {
  snData* d = sn_makeData(m);
  uint64_t random = 1;
  for (int i = 0; i < nworld; i++) {
    for (int step = 0; step < 3; step++) {
      for (int k = 0; k < m->nu; k++) d->ctrl[k] = randomControl(m, k, &random);
      sn_step(m, d);
    }
    if (i % 200 == 199) sn_resetData(m, d);
    sn_getState(m, d, states + (size_t)i * (size_t)size, snSTATE_INTEGRATION);
  }
  sn_deleteData(d);
}

// worst difference of one step between GPU and CPU, relative to the state's scale
static double compareStep(const snModel* m, snGpuBatch* b, const double* states, int nworld,
                          int size, int* exact, int* contact_mismatch) {
  double* after = (double*)malloc(sizeof(double) * (size_t)nworld * (size_t)size);
  double* expected = (double*)malloc(sizeof(double) * (size_t)size);
  int* counts = (int*)malloc(sizeof(int) * 4 * (size_t)nworld);
  snData* d = sn_makeData(m);
  double worst = 0;
  *exact = *contact_mismatch = 0;
  if (sn_gpuBatchSetState(b, states, snSTATE_INTEGRATION) || sn_gpuBatchStep(b, 1, NULL) ||
      sn_gpuBatchGetState(b, after, snSTATE_INTEGRATION) || sn_gpuBatchCounts(b, counts)) {
    fprintf(stderr, "GPU error\n");
    exit(1);
  }
  for (int i = 0; i < nworld; i++) {
    sn_resetData(m, d);
    sn_setState(m, d, states + (size_t)i * (size_t)size, snSTATE_INTEGRATION);
    sn_step(m, d);
    sn_getState(m, d, expected, snSTATE_INTEGRATION);
    const double* got = after + (size_t)i * (size_t)size;
    int n = 1 + (int)m->nq + (int)m->nv;  // time, positions, velocities
    double scale = 1;
    for (int k = 1 + (int)m->nq; k < n; k++) scale = fmax(scale, fabs(expected[k]));
    double error = 0;
    for (int k = 0; k < n; k++) error = fmax(error, fabs(got[k] - expected[k]) / scale);
    worst = fmax(worst, error);
    *exact += error == 0;
    *contact_mismatch += counts[4 * i] != d->ncon;
  }
  sn_deleteData(d);
  free(after);
  free(expected);
  free(counts);
  return worst;
}

// contacts, rows and solver iterations of the last step, on average
static void printCounts(snGpuBatch* b, int nworld) {
  int* counts = (int*)malloc(sizeof(int) * 4 * (size_t)nworld);
  double sum[3] = {0, 0, 0};
  if (!sn_gpuBatchCounts(b, counts)) {
    for (int i = 0; i < nworld; i++) {
      for (int k = 0; k < 3; k++) sum[k] += counts[4 * i + k];
    }
  }
  printf(", %.1f contacts, %.1f rows, %.1f iterations", sum[0] / nworld, sum[1] / nworld,
         sum[2] / nworld);
  free(counts);
}

// random controls for every step and world, in the memory of the device
static CUdeviceptr makeControls(const snModel* m, int nstep, int nworld, int single) {
  size_t count = (size_t)nstep * (size_t)nworld * (size_t)m->nu, size = single ? 4 : 8;
  const snDriver* driver = sn_driver(NULL, 0);
  char* controls = (char*)malloc(count * size + 1);
  uint64_t random = 7;
  CUdeviceptr memory = 0;
  for (size_t i = 0; controls && i < count; i++) {
    double value = randomControl(m, (int)(i % (size_t)m->nu), &random);
    if (single) {
      ((float*)controls)[i] = (float)value;
    } else {
      ((double*)controls)[i] = value;
    }
  }
  if (!controls || driver->allocate(&memory, count * size + 8)) memory = 0;
  if (memory && driver->upload(memory, controls, count * size)) memory = 0;
  free(controls);
  return memory;
}

static void measure(const snModel* m, const char* name, int nworld, int single) {
  char error[300] = "";
  double start = now();
  snGpuBatch* b = sn_makeGpuBatch(m, nworld, single, error, sizeof(error));
  if (!b) {
    printf("%s: %s\n", name, error);
    return;
  }
  int size = sn_stateSize(m, snSTATE_INTEGRATION);
  double made = now() - start;
  double* states = (double*)malloc(sizeof(double) * (size_t)nworld * (size_t)size);
  makeStates(m, states, nworld < 4096 ? nworld : 4096, size);
  for (int i = 4096; i < nworld; i++) {
    memcpy(states + (size_t)i * (size_t)size, states + (size_t)(i % 4096) * (size_t)size,
           sizeof(double) * (size_t)size);
  }
  int exact = 0, contacts = 0;
  double worst = -1;
  if (nworld <= 1024) worst = compareStep(m, b, states, nworld, size, &exact, &contacts);
  sn_gpuBatchSetState(b, states, snSTATE_INTEGRATION);
  start = now();
  sn_gpuBatchStep(b, 1, NULL);
  double first = now() - start;
  int nstep = 50;
  CUdeviceptr controls = m->nu ? makeControls(m, nstep, nworld, single) : 0;
  start = now();
  sn_gpuBatchStepAt(b, nstep, controls);
  double seconds = (now() - start) / nstep;
  if (controls) sn_driver(NULL, 0)->release(controls);
  printf("%-20s %s %7d worlds: %10.0f steps/s, make %.2f s, first step %.3f s, %lld MB", name,
         single ? "single" : "double", nworld, nworld / seconds, made, first,
         (long long)(sn_gpuBatchBytes(b) >> 20));
  if (worst >= 0) {
    printf(", error %.2e, %d of %d exact, %d contact counts differ", worst, exact, nworld,
           contacts);
  }
  printCounts(b, nworld);
  printf("\n");
  fflush(stdout);
  free(states);
  sn_deleteGpuBatch(b);
}

enum { MAX_SIZES = 16 };

int main(int argc, char** argv) {
  char error[300] = "";
  const char* gpu = sn_gpuName(error, sizeof(error));
  printf("GPU: %s\n", gpu ? gpu : error);
  if (!gpu) return 0;
  int sizes[MAX_SIZES] = {500, 8192, 32768}, count = 3, given = 0, from = 0, to = 1;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--single")) {
      from = to = 1;
    } else if (!strcmp(argv[i], "--double")) {
      from = to = 0;
    } else if (!strcmp(argv[i], "--worlds") && i + 1 < argc && given < MAX_SIZES) {
      sizes[given++] = atoi(argv[++i]);
      count = given;
    } else {
      given = 0;
      snModel* m = loadBinary(argv[i]);
      if (!m) continue;
      const char* slash = strrchr(argv[i], '/');
      for (int single = from; single <= to; single++) {
        for (int k = 0; k < count; k++) measure(m, slash ? slash + 1 : argv[i], sizes[k], single);
      }
      sn_deleteModel(m);
    }
  }
  return 0;
}
