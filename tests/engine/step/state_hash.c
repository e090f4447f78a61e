// Prints for each model a hash of all states of a run, and with --state the last of them as well, in digits
// that lose nothing: runs must agree to the last bit.
//   state_hash [--state] MODEL...

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"

static uint64_t hash(uint64_t seed, const void* data, size_t bytes) {
  const unsigned char* byte = (const unsigned char*)data;
  for (size_t i = 0; i < bytes; i++) seed = (seed ^ byte[i]) * UINT64_C(1099511628211);
  return seed;
}

static int run(const char* path, int state) {
  enum { STEPS = 300 };
  char error[300] = "";
  snModel* m = sn_loadXML(path, NULL, error, sizeof(error));
  snData* d = m ? sn_makeData(m) : NULL;
  if (!d) {
    fprintf(stderr, "%s: %s\n", path, error);
    sn_deleteModel(m);
    return 1;
  }
  uint64_t result = UINT64_C(14695981039346656037);
  uint32_t noise = 1;
  for (int i = 0; i < STEPS; i++) {
    for (int u = 0; u < (int)m->nu; u++) {
      noise = noise * 1664525u + 1013904223u;
      d->ctrl[u] = (double)noise / 4294967296.0 - 0.5;
    }
    sn_step(m, d);
    result = hash(result, d->qpos, (size_t)m->nq * sizeof(snReal));
    result = hash(result, d->qvel, (size_t)m->nv * sizeof(snReal));
  }
  printf("%s %016llx %d", path, (unsigned long long)result, d->nefc);
  for (int i = 0; state && i < (int)m->nq; i++) printf(" %a", (double)d->qpos[i]);
  for (int i = 0; state && i < (int)m->nv; i++) printf(" %a", (double)d->qvel[i]);
  printf("\n");
  sn_deleteData(d);
  sn_deleteModel(m);
  return 0;
}

int main(int argc, char** argv) {
  int state = argc > 1 && !strcmp(argv[1], "--state");
  int failed = argc < 2;
  for (int i = 1 + state; i < argc; i++) failed |= run(argv[i], state);
  return failed;
}
