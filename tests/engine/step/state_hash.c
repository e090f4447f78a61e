// Prints for each model a hash of all states of a run: runs must agree to the last bit.
//   state_hash MODEL...            the hash
//   state_hash --state MODEL...    and the last state, in digits that lose nothing
//   state_hash --threads MODEL...  hash of a batch of 16 worlds, the same with 1 to 16 threads
//   state_hash --libm              hash of the C library's functions, on which the others depend

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/batch.h"
#include "sinew/sinew.h"

static uint64_t hash(uint64_t seed, const void* data, size_t bytes) {
  const unsigned char* byte = (const unsigned char*)data;
  for (size_t i = 0; i < bytes; i++) seed = (seed ^ byte[i]) * UINT64_C(1099511628211);
  return seed;
}

#define START UINT64_C(14695981039346656037)

static snModel* load(const char* path) {
  char error[300] = "";
  snModel* m = sn_loadXML(path, NULL, error, sizeof(error));
  if (!m) fprintf(stderr, "%s: %s\n", path, error);
  return m;
}

static int run(const char* path, int state) {
  enum { STEPS = 300 };
  snModel* m = load(path);
  snData* d = m ? sn_makeData(m) : NULL;
  if (!d) {
    sn_deleteModel(m);
    return 1;
  }
  uint64_t result = START;
  uint32_t noise = 1;
  for (int i = 0; i < STEPS; i++) {
    for (int u = 0; u < (int)m->nu; u++) {
      noise = noise * 1664525u + 1013904223u;
      d->ctrl[u] = (double)noise / 4294967296.0 - 0.5;
    }
    sn_step(m, d);
    result = hash(result, d->qpos, (size_t)m->nq * sizeof(snReal));
    result = hash(result, d->qvel, (size_t)m->nv * sizeof(snReal));
    result = hash(result, d->deformvert_xpos, 3 * (size_t)m->ndeformvert * sizeof(snReal));
  }
  printf("%s %016llx %d", path, (unsigned long long)result, d->nefc);
  for (int i = 0; state && i < (int)m->nq; i++) printf(" %a", (double)d->qpos[i]);
  for (int i = 0; state && i < (int)m->nv; i++) printf(" %a", (double)d->qvel[i]);
  printf("\n");
  sn_deleteData(d);
  sn_deleteModel(m);
  return 0;
}

// hash of the states of a batch after 50 steps by so many threads; 0: failed
static uint64_t batchHash(const snModel* m, int threads) {
  enum { WORLDS = 16, STEPS = 50 };
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = threads;
  char error[300] = "";
  snBatch* b = sn_makeBatch(m, WORLDS, &options, error, sizeof(error));
  size_t size = WORLDS * (size_t)sn_stateSize(m, snSTATE_FULLPHYSICS) * sizeof(snReal);
  snReal* state = (snReal*)malloc(size ? size : 1);
  uint64_t result = 0;
  if (b && state) {
    sn_batchPerturb(b, NULL, 1, (snReal)1e-2);
    sn_batchStep(b, STEPS);
    sn_batchGetState(b, state, snSTATE_FULLPHYSICS);
    result = hash(START, state, size);
  } else {
    fprintf(stderr, "%s\n", error);
  }
  free(state);
  sn_deleteBatch(b);
  return result;
}

static int runThreads(const char* path) {
  snModel* m = load(path);
  if (!m) return 1;
  uint64_t first = batchHash(m, 1);
  int failed = !first;
  for (int threads = 2; threads <= 16; threads++) {
    if (batchHash(m, threads) == first) continue;
    printf("%s: %d threads give other states than one\n", path, threads);
    failed = 1;
  }
  printf("%s %016llx\n", path, (unsigned long long)first);
  sn_deleteModel(m);
  return failed;
}

static void printLibm(void) {
  uint64_t result = START;
  uint32_t noise = 1;
  for (int i = 0; i < 100000; i++) {
    noise = noise * 1664525u + 1013904223u;
    double x = (double)noise / 4294967296.0 * 4 - 2, y = x / 2;
    double value[] = {sin(x),  cos(x),  tan(x),      exp(x),       pow(x + 2, y), asin(y),
                      acos(y), tanh(x), atan2(x, y), log(x + 2.1), log10(x + 2.1)};
    result = hash(result, value, sizeof(value));
  }
  printf("libm %016llx\n", (unsigned long long)result);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
  int failed = argc < 2, state = !strcmp(mode, "--state");
  if (!strcmp(mode, "--libm")) printLibm();
  for (int i = *mode ? 2 : 1; i < argc; i++) {
    failed |= strcmp(mode, "--threads") ? run(argv[i], state) : runThreads(argv[i]);
  }
  return failed;
}
