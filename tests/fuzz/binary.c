// libFuzzer target: binary models. An image gets the checksum of what it holds, so that damaged ones come as
// far as the validator; what it lets through is stepped.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/binary.h"
#include "sinew/batch.h"
#include "sinew/sinew.h"

enum { MOST_ITERATIONS = 20, MOST_BYTES = 64 << 20 };

static void lower(int* count) {
  if (*count > MOST_ITERATIONS) *count = MOST_ITERATIONS;
}

// bounds of time and memory, as a program sets them that trusts nobody (docs/security.md)
static int isSmall(snModel* m) {
  lower(&m->opt.iterations);
  lower(&m->opt.ls_iterations);
  lower(&m->opt.noslip_iterations);
  lower(&m->opt.ccd_iterations);
  lower(&m->opt.sdf_iterations);
  lower(&m->opt.sdf_initpoints);
  return sn_batchBytes(m, 1) <= MOST_BYTES;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  char error[500] = "";
  uint8_t* image = (uint8_t*)malloc(size + 1);
  if (!image) return 0;
  memcpy(image, bytes, size);
  sn_sealModel(image, size);
  snModel* m = sn_readModel(image, size, error, sizeof(error));
  if (!m && !error[0]) abort();  // refused without a message
  snData* d = m && isSmall(m) ? sn_makeData(m) : NULL;
  for (int i = 0; d && i < 3; i++) sn_step(m, d);
  sn_deleteData(d);
  sn_deleteModel(m);
  free(image);
  return 0;
}
