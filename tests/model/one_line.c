// A model with one body, built against a table with or without a further row (one_line.sh).

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/binary.h"
#include "model/memory.h"
#include "model/names.h"
#include "sinew/sinew.h"

#define CHECK(condition)                                                          \
  if (!(condition)) {                                                             \
    fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
    return 1;                                                                     \
  }

static snModel* makeModel(void) {
  snModel sizes = {0};
  sizes.nbody = 1;
  sizes.nnames = 8;
  sizes.nnames_map = sn_countNamesMap(&sizes);
  snModel* m = sn_allocModel(&sizes);
  sn_setNamesMap(m);
  m->body_quat[0] = m->body_iquat[0] = 1;
  m->body_mocapid[0] = m->body_treeid[0] = m->body_plugin[0] = -1;
  m->body_jntadr[0] = m->body_dofadr[0] = m->body_geomadr[0] = m->body_bvhadr[0] = -1;
  return m;
}

#ifdef WITH_FIELD
static snModel* readFile(const char* path, char* reason, int size) {
  static char bytes[1 << 20];
  FILE* file = fopen(path, "rb");
  size_t count = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
  if (file) fclose(file);
  return sn_readModel(bytes, count, reason, size);
}

int main(int argc, char** argv) {
  CHECK(argc == 5);
  snModel* m = makeModel();
  CHECK(m->body_temperature[0] == 0);
  m->body_temperature[0] = 5600;

  snModel* copy = sn_copyModel(NULL, m);
  CHECK(copy && copy->body_temperature != m->body_temperature);
  CHECK(copy->body_temperature[0] == 5600);

  char reason[300] = "";
  sn_saveModel(m, argv[3], NULL, 0);
  snModel* back = readFile(argv[3], reason, sizeof(reason));
  CHECK(back && back->body_temperature[0] == 5600);

  // a file from before is refused, and the message says why
  CHECK(!readFile(argv[2], reason, sizeof(reason)));
  CHECK(strstr(reason, "other fields"));
  sn_printModel(m, argv[4]);
  sn_deleteModel(back);
  sn_deleteModel(copy);
  sn_deleteModel(m);
  return 0;
}
#else
int main(int argc, char** argv) {
  CHECK(argc == 3);
  snModel* m = makeModel();
  sn_saveModel(m, argv[2], NULL, 0);
  sn_deleteModel(m);
  return 0;
}
#endif
