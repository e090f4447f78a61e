// Images per second of the worlds of a GPU, and how far they are from those of the CPU.

#include "gpu_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gpu/driver.h"
#include "sinew/batch_render.h"
#include "sinew/gpu.h"

enum { CALLS = 20, COMPARED = 64, STEPS = 200 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static snBatch* makeBatch(const snModel* m, int nworld, int device, int single) {
  snBatchOptions options;
  char error[300] = "";
  sn_defaultBatchOptions(&options);
  options.device = device;
  options.single = single;
  options.keyframe = m->nkey ? 0 : -1;
  snBatch* b = sn_makeBatch(m, nworld, &options, error, sizeof(error));
  if (!b) printf("images: %s\n", error);
  return b;
}

static snBatchRenderer* makeRenderer(const snBatch* b, int side) {
  char error[300] = "";
  snBatchRenderer* r = sn_makeBatchRenderer(b, side, side, 0, error, sizeof(error));
  if (!r) printf("images: %s\n", error);
  return r;
}

// share of the bytes of the first worlds that are more than two levels from those of the CPU
static double shareOfDifferent(const snModel* m, const snBatch* gpu, const unsigned char* images,
                               int nworld, int side) {
  int count = nworld < COMPARED ? nworld : COMPARED, size = sn_stateSize(m, snSTATE_INTEGRATION);
  size_t bytes = 3 * (size_t)side * (size_t)side * (size_t)count, different = 0;
  snReal* states = (snReal*)malloc(sizeof(snReal) * (size_t)nworld * (size_t)size);
  unsigned char* expected = (unsigned char*)malloc(bytes);
  snBatch* cpu = makeBatch(m, count, snDEVICE_CPU, 0);
  snBatchRenderer* r = cpu ? makeRenderer(cpu, side) : NULL;
  int done = r && states && expected && !sn_batchGetState(gpu, states, snSTATE_INTEGRATION) &&
             !sn_batchSetState(cpu, states, snSTATE_INTEGRATION) &&
             !sn_batchRender(r, cpu, -1, NULL, expected, NULL, NULL);
  for (size_t i = 0; done && i < bytes; i++) different += abs(images[i] - expected[i]) > 2;
  sn_deleteBatchRenderer(r);
  sn_deleteBatch(cpu);
  free(states);
  free(expected);
  return done ? (double)different / (double)bytes : 1;
}

static void drawAll(const snModel* m, const char* name, snBatch* b, snBatchRenderer* r, int nworld,
                    int side) {
  size_t bytes = 3 * (size_t)side * (size_t)side * (size_t)nworld;
  unsigned char* images = (unsigned char*)malloc(bytes);
  CUdeviceptr memory = 0;
  if (sn_driver(NULL, 0)->allocate(&memory, bytes)) memory = 0;
  double start = now();
  int failed = !memory || !images || sn_batchRenderAt(r, b, -1, NULL, memory, 0, 0);
  double first = now() - start;
  start = now();
  for (int i = 0; !failed && i < CALLS; i++)
    failed = sn_batchRenderAt(r, b, -1, NULL, memory, 0, 0);
  double seconds = now() - start;
  if (!failed) failed = sn_batchRender(r, b, -1, NULL, images, NULL, NULL);
  if (failed) {
    printf("%s: images failed: %s\n", name, sn_lastError());
  } else {
    printf(
        "%-16s %6d worlds: %9.0f images/s of %d x %d, first call %.1f ms, %.4f %% of the bytes "
        "more than 2 levels from the CPU's\n",
        name, nworld, CALLS * (double)nworld / seconds, side, side, 1e3 * first,
        100 * shareOfDifferent(m, b, images, nworld, side));
  }
  sn_gpuRelease(memory);
  free(images);
  fflush(stdout);
}

void measureImages(const snModel* m, const char* name, int nworld, int single, int side) {
  snBatch* b = makeBatch(m, nworld, snDEVICE_GPU, single);
  snBatchRenderer* r = b ? makeRenderer(b, side) : NULL;
  if (r && !sn_batchPerturb(b, NULL, 7, 0.1) && !sn_batchStep(b, STEPS))
    drawAll(m, name, b, r, nworld, side);
  sn_deleteBatchRenderer(r);
  sn_deleteBatch(b);
}
