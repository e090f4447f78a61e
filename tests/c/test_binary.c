// Binary models survive save and load bit for bit; anything else is refused and nothing leaks.

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/binary.h"
#include "model/memory.h"

// where the header keeps the checksum of what follows it
enum { HEADER_BYTES = 40, CHECKSUM_AT = 32 };

// the smallest sound model with something in it: a world with one geom
static snModel* makeModel(void) {
  snModel sizes = {0};
  sizes.nbody = 1;
  sizes.ngeom = 1;
  sizes.nnames = 8;
  snModel* m = sn_allocModel(&sizes);
  m->body_quat[0] = m->body_iquat[0] = m->geom_quat[0] = 1;
  m->body_mocapid[0] = m->body_treeid[0] = m->body_plugin[0] = m->body_jntadr[0] = -1;
  m->body_dofadr[0] = m->body_bvhadr[0] = -1;
  m->body_geomnum[0] = 1;
  m->geom_condim[0] = 3;
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

// ---- a compiled model

static snModel* loadModel(const char* name) {
  char path[1000], error[1000] = "";
  snprintf(path, sizeof(path), "%s/%s", SN_MODELS, name);
  snModel* m = sn_loadXML(path, NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  return m;
}

static uint32_t random_state = 1;
static uint32_t draw(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)(random_state >> 4) << 4) * n >> 32);
}

static void compiledModelsSurvive(void** state) {
  (void)state;
  const char* names[] = {"arm.xml", "humanoid.xml"};
  for (int i = 0; i < 2; i++) {
    snModel* m = loadModel(names[i]);
    Image image = saveImage(m);
    snModel* back = sn_readModel(image.bytes, (size_t)image.size, NULL, 0);
    assert_non_null(back);
    assert_int_equal(back->nbuffer, m->nbuffer);
    assert_memory_equal(back->buffer, m->buffer, (size_t)m->nbuffer);
    assert_memory_equal(&back->opt, &m->opt, sizeof(m->opt));
    assert_memory_equal(&back->vis, &m->vis, sizeof(m->vis));
    assert_memory_equal(&back->stat, &m->stat, sizeof(m->stat));
    Image again = saveImage(back);
    assert_int_equal(again.size, image.size);
    assert_memory_equal(again.bytes, image.bytes, (size_t)image.size);
    free(again.bytes);

    // the same model steps to the same bits
    snData *d = sn_makeData(m), *e = sn_makeData(back);
    for (int step = 0; step < 20; step++) {
      sn_step(m, d);
      sn_step(back, e);
    }
    assert_memory_equal(d->qpos, e->qpos, sizeof(snReal) * (size_t)m->nq);
    assert_memory_equal(d->qvel, e->qvel, sizeof(snReal) * (size_t)m->nv);
    sn_deleteData(d);
    sn_deleteData(e);
    sn_deleteModel(back);
    sn_deleteModel(m);
    free(image.bytes);
  }
}

static void everyPrefixOfACompiledModelIsRefused(void** state) {
  (void)state;
  snModel* m = loadModel("arm.xml");
  Image image = saveImage(m);
  for (int size = 0; size < image.size; size++) {
    char* prefix = (char*)malloc((size_t)size + !size);
    memcpy(prefix, image.bytes, (size_t)size);
    assert_null(sn_readModel(prefix, (size_t)size, NULL, 0));
    free(prefix);
  }
  sn_deleteModel(m);
  free(image.bytes);
}

static void byteFlipsOfACompiledModelAreRefused(void** state) {
  (void)state;
  snModel* m = loadModel("humanoid.xml");
  Image image = saveImage(m);
  char reason[200];
  for (int i = 0; i < 10000; i++) {
    uint32_t place = draw((uint32_t)image.size);
    char flip = (char)(1 + draw(255));
    image.bytes[place] ^= flip;
    reason[0] = 0;
    assert_null(sn_readModel(image.bytes, (size_t)image.size, reason, sizeof(reason)));
    assert_true(strlen(reason) > 10);
    image.bytes[place] ^= flip;
  }
  sn_deleteModel(m);
  free(image.bytes);
}

// ---- forged files: damaged, with a checksum that fits

static void seal(Image* image) {
  uint64_t hash = 14695981039346656037u, word;
  for (int i = HEADER_BYTES; i < image->size; i += 8) {
    int left = image->size - i;
    word = 0;
    memcpy(&word, image->bytes + i, (size_t)(left < 8 ? left : 8));
    hash = (hash ^ word) * 1099511628211u;
  }
  if (image->size % 8 == 0) hash *= 1099511628211u;  // the rest is an empty word
  memcpy(image->bytes + CHECKSUM_AT, &hash, sizeof(hash));
}

static int allocations;
static void* countingAllocate(size_t bytes) {
  allocations++;
  return aligned_alloc(64, (bytes + 63) / 64 * 64);
}
static void plainRelease(void* memory) { free(memory); }

static void impossibleSizesAllocateNothing(void** state) {
  (void)state;
  snModel* m = loadModel("arm.xml");
  Image image = saveImage(m);
  char* sound = (char*)malloc((size_t)image.size);
  memcpy(sound, image.bytes, (size_t)image.size);
  seal(&image);
  assert_memory_equal(sound, image.bytes, (size_t)image.size);  // the seal is the reader's

  const snSize wrong[] = {-1,        -1000,     1LL << 20, 1LL << 31,
                          1LL << 40, 1LL << 62, INT64_MAX, INT64_MIN};
  int count = 0, refused = 0;
#define X(name, meaning) count++;
  SN_MODEL_SIZES(X)
#undef X
  sn_setAllocator(countingAllocate, plainRelease);
  for (int field = 0; field < count; field++) {
    for (int i = 0; i < (int)(sizeof(wrong) / sizeof(wrong[0])); i++) {
      memcpy(image.bytes, sound, (size_t)image.size);
      memcpy(image.bytes + HEADER_BYTES + field * (int)sizeof(snSize), &wrong[i], sizeof(snSize));
      seal(&image);
      allocations = 0;
      char reason[200] = "";
      snModel* forged = sn_readModel(image.bytes, (size_t)image.size, reason, sizeof(reason));
      if (strstr(reason, "inconsistent sizes")) {
        refused++;
        assert_int_equal(allocations, 0);
      } else {
        // sizes without an array in the model (limits, the arena): the data may still be refused
        sn_deleteData(forged && wrong[i] < (1LL << 30) ? sn_makeData(forged) : NULL);
      }
      sn_deleteModel(forged);
    }
  }
  sn_setAllocator(NULL, NULL);
  assert_true(refused > 8 * (count - 20));
  sn_deleteModel(m);
  free(image.bytes);
  free(sound);
}

// what passes the checks can be stepped, whatever its numbers are
static void forgedModelsAreRefusedOrStep(void** state) {
  (void)state;
  const char* names[] = {"arm.xml", "humanoid.xml"};
  for (int i = 0; i < 2; i++) {
    snModel* m = loadModel(names[i]);
    Image image = saveImage(m);
    int loaded = 0, trials = 4000;
    for (int trial = 0; trial < trials; trial++) {
      uint32_t place = HEADER_BYTES + draw((uint32_t)image.size - HEADER_BYTES);
      char old = image.bytes[place];
      image.bytes[place] = (char)draw(256);
      seal(&image);
      snModel* forged = sn_readModel(image.bytes, (size_t)image.size, NULL, 0);
      if (forged) forged->narena = 1 << 18;  // little to map, eight thousand times
      snData* d = forged ? sn_makeData(forged) : NULL;
      for (int step = 0; d && step < 3; step++) sn_step(forged, d);
      loaded += forged != NULL;
      sn_deleteData(d);
      sn_deleteModel(forged);
      image.bytes[place] = old;
    }
    assert_true(loaded > trials / 10);
    sn_deleteModel(m);
    free(image.bytes);
  }
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
      cmocka_unit_test(compiledModelsSurvive),
      cmocka_unit_test(everyPrefixOfACompiledModelIsRefused),
      cmocka_unit_test(byteFlipsOfACompiledModelAreRefused),
      cmocka_unit_test(impossibleSizesAllocateNothing),
      cmocka_unit_test(forgedModelsAreRefusedOrStep),
      cmocka_unit_test(badReferencesAreNamed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
