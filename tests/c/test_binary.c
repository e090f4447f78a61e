// Binary models survive save and load bit for bit; anything else is refused and nothing leaks.

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/binary.h"
#include "model/memory.h"

// the smallest sound model with something in it: a world with one geom
static snModel* makeModel(void) {
  snModel sizes = {0};
  sizes.nbody = 1;
  sizes.ngeom = 1;
  sizes.nnames = 8;
  snModel* m = sn_allocModel(&sizes);
  m->body_quat[0] = m->body_iquat[0] = m->geom_quat[0] = 1;
  m->body_mocapid[0] = m->body_treeid[0] = m->body_plugin[0] = m->body_jntadr[0] = -1;
  m->geom_type[0] = snGEOM_SPHERE;
  m->geom_size[0] = 0.3;
  m->geom_dataid[0] = m->geom_matid[0] = m->geom_plugin[0] = -1;
  m->opt.timestep = 0.001;
  return m;
}

typedef struct Image_ {
  char* bytes;
  int size;
} Image;

static Image saveImage(const snModel* m) {
  Image image;
  image.size = (int)sn_sizeModel(m);
  image.bytes = (char*)malloc((size_t)image.size);
  sn_saveModel(m, NULL, image.bytes, image.size);
  return image;
}

static void roundTripIsExact(void** state) {
  (void)state;
  snModel* m = makeModel();
  Image image = saveImage(m);
  char reason[200] = "";
  snModel* back = sn_readModel(image.bytes, (size_t)image.size, reason, sizeof(reason));
  assert_string_equal(reason, "");
  assert_non_null(back);
  assert_memory_equal(back->buffer, m->buffer, (size_t)m->nbuffer);
  assert_memory_equal(&back->opt, &m->opt, sizeof(m->opt));
  sn_deleteModel(back);
  sn_deleteModel(m);
  free(image.bytes);
}

static void everyPrefixIsRefused(void** state) {
  (void)state;
  snModel* m = makeModel();
  Image image = saveImage(m);
  for (int size = 0; size < image.size; size++) {
    char* prefix = (char*)malloc((size_t)size + 1);  // exact size, so that ASan sees overreads
    memcpy(prefix, image.bytes, (size_t)size);
    char reason[200] = "";
    assert_null(sn_readModel(prefix, (size_t)size, reason, sizeof(reason)));
    assert_true(strlen(reason) > 10);
    free(prefix);
  }
  sn_deleteModel(m);
  free(image.bytes);
}

static void byteFlipsAreRefused(void** state) {
  (void)state;
  snModel* m = makeModel();
  Image image = saveImage(m);
  uint32_t random = 1;
  for (int i = 0; i < 10000; i++) {
    random = random * 1664525u + 1013904223u;
    int place = (int)(random >> 8) % image.size;
    char flip = (char)(1 << (random & 7));
    image.bytes[place] ^= flip;
    assert_null(sn_readModel(image.bytes, (size_t)image.size, NULL, 0));
    image.bytes[place] ^= flip;
  }
  snModel* back = sn_readModel(image.bytes, (size_t)image.size, NULL, 0);
  assert_non_null(back);
  sn_deleteModel(back);
  sn_deleteModel(m);
  free(image.bytes);
}

static void badReferencesAreNamed(void** state) {
  (void)state;
  snModel* m = makeModel();
  char reason[200];
  assert_null(sn_validateModel(m, reason, sizeof(reason)));
  m->geom_bodyid[0] = 1;
  assert_string_equal(sn_validateModel(m, reason, sizeof(reason)), "geom_bodyid out of bounds");
  m->geom_bodyid[0] = 0;
  m->geom_quat[0] = 2;
  assert_string_equal(sn_validateModel(m, reason, sizeof(reason)), "geom_quat is not unit");
  sn_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roundTripIsExact),
      cmocka_unit_test(everyPrefixIsRefused),
      cmocka_unit_test(byteFlipsAreRefused),
      cmocka_unit_test(badReferencesAreNamed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
