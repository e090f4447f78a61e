// Binary models survive save and load bit for bit; anything else is refused and nothing leaks.

#define _GNU_SOURCE
#include "harness.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mjcf/bundle.h"
#include "model/binary.h"
#include "model/memory.h"
#include "model/names.h"

// where the header keeps the checksum of what follows it
enum { HEADER_BYTES = 48, BUNDLE_AT = 32, CHECKSUM_AT = 40 };

// the smallest sound model with something in it: a world with one geom
static snModel* makeModel(void) {
  snModel sizes = {0};
  sizes.nbody = 1;
  sizes.ngeom = 1;
  sizes.nnames = 8;
  sizes.nnames_map = sn_countNamesMap(&sizes);
  snModel* m = sn_allocModel(&sizes);
  sn_setNamesMap(m);
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
#define X(name, rule, meaning) count++;
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

// ---- bundles: what a model was compiled from, behind it

static char folder[] = "/tmp/test_binary_XXXXXX";

static int makeFolder(void** state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int removeEntry(const char* path, const struct stat* info, int kind, struct FTW* walk) {
  (void)info;
  (void)kind;
  return walk->level ? remove(path) : 0;
}
static int removeFolder(void** state) {
  (void)state;
  nftw(folder, removeEntry, 8, FTW_DEPTH | FTW_PHYS);
  return rmdir(folder);
}

static const char* inFolder(const char* name) {
  static char path[4][200];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof(path[turn]), "%s/%s", folder, name);
  return path[turn];
}

static Image readImage(const char* path) {
  Image image = {NULL, 0};
  struct stat info;
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  assert_false(stat(path, &info));
  image.size = (int)info.st_size;
  image.bytes = (char*)malloc((size_t)image.size + 1);
  assert_int_equal(fread(image.bytes, 1, (size_t)image.size, file), image.size);
  image.bytes[image.size] = 0;
  fclose(file);
  return image;
}

// a model with two meshes of one name and its image with a bundle
static Image bundledImage(snModel** model) {
  static const char xml[] =
      "<mujoco model='two'><compiler meshdir='in'/><asset><mesh name='a' file='one/shape.obj'/>"
      "<mesh name='b' file='../two/shape.obj'/></asset><worldbody><body><freejoint/>"
      "<geom type='mesh' mesh='a'/><geom type='mesh' mesh='b' pos='0 0 .333333333333333331'/>"
      "</body></worldbody></mujoco>";
  static const char one[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  static const char two[] =
      "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  char error[500] = "";
  snVFS vfs;
  sn_defaultVFS(&vfs);
  sn_addBufferVFS(&vfs, "in/one/shape.obj", one, sizeof(one) - 1);
  sn_addBufferVFS(&vfs, "two/shape.obj", two, sizeof(two) - 1);
  snSpec* spec = sn_parseXMLString(xml, &vfs, error, sizeof(error));
  snModel* m = spec ? sn_compile(spec, &vfs) : NULL;
  if (!m) fail_msg("%s %s", error, spec ? sns_getError(spec) : "");
  snBundle bundle;
  if (sn_packBundle(spec, &vfs, &bundle, NULL, error, sizeof(error))) fail_msg("%s", error);
  sn_saveModelBundle(m, bundle, inFolder("model.snb"));
  sn_freeBundle(&bundle);
  sn_deleteSpec(spec);
  sn_deleteVFS(&vfs);
  if (model) {
    *model = m;
  } else {
    sn_deleteModel(m);
  }
  return readImage(inFolder("model.snb"));
}

static void bundlesAreUnpacked(void** state) {
  (void)state;
  snModel* m;
  Image image = bundledImage(&m);
  snModel* back = sn_readModel(image.bytes, (size_t)image.size, NULL, 0);
  assert_non_null(back);
  assert_memory_equal(back->buffer, m->buffer, (size_t)m->nbuffer);
  snBundle bundle = sn_modelBundle(image.bytes, (size_t)image.size);
  assert_int_equal(bundle.bytes, image.size - (int)sn_sizeModel(m));

  char error[500] = "";
  if (sn_unpackBundle(bundle, inFolder("a&b.xml"), error, sizeof(error))) fail_msg("%s", error);
  assert_false(access(inFolder("a&b_assets/one/shape.obj"), R_OK));
  assert_false(access(inFolder("a&b_assets/1/shape.obj"), R_OK));
  snModel* again = sn_loadXML(inFolder("a&b.xml"), NULL, error, sizeof(error));
  if (!again) fail_msg("%s", error);
  assert_int_equal(again->nmeshvert, m->nmeshvert);
  assert_memory_equal(again->mesh_vert, m->mesh_vert, sizeof(float) * 3 * (size_t)m->nmeshvert);
  for (int i = 0; i < 3 * (int)m->ngeom; i++) {  // the frame of a mesh is put off and on again
    assert_true(fabs(again->geom_pos[i] - m->geom_pos[i]) < 1e-14);
  }
  assert_memory_equal(again->body_mass, m->body_mass, sizeof(snReal) * (size_t)m->nbody);

  // a model that was saved without one has none; nor has anything that is not a model
  sn_saveModel(m, inFolder("plain.snb"), NULL, 0);
  Image plain = readImage(inFolder("plain.snb"));
  assert_int_equal(plain.size, (int)sn_sizeModel(m));
  assert_int_equal(sn_modelBundle(plain.bytes, (size_t)plain.size).bytes, 0);
  assert_int_equal(sn_modelBundle(image.bytes, (size_t)image.size - 1).bytes, 0);
  assert_int_equal(sn_modelBundle(image.bytes, 3).bytes, 0);
  free(plain.bytes);
  free(image.bytes);
  sn_deleteModel(again);
  sn_deleteModel(back);
  sn_deleteModel(m);
}

// also the prefix that ends with the model, and a file that goes on behind the bundle
static void everyPrefixOfABundledModelIsRefused(void** state) {
  (void)state;
  Image image = bundledImage(NULL);
  for (int size = 0; size < image.size; size++) {
    char* prefix = (char*)malloc((size_t)size + !size);
    memcpy(prefix, image.bytes, (size_t)size);
    assert_null(sn_readModel(prefix, (size_t)size, NULL, 0));
    assert_int_equal(sn_modelBundle(prefix, (size_t)size).bytes, 0);
    free(prefix);
  }
  char reason[200] = "";
  assert_null(sn_readModel(image.bytes, (size_t)image.size + 1, reason, sizeof(reason)));
  assert_non_null(strstr(reason, "too large"));
  free(image.bytes);
}

static void byteFlipsOfABundledModelAreRefused(void** state) {
  (void)state;
  Image image = bundledImage(NULL);
  for (int i = 0; i < 10000; i++) {
    uint32_t place = draw((uint32_t)image.size);
    char flip = (char)(1 + draw(255));
    image.bytes[place] ^= flip;
    assert_null(sn_readModel(image.bytes, (size_t)image.size, NULL, 0));
    assert_int_equal(sn_modelBundle(image.bytes, (size_t)image.size).bytes, 0);
    image.bytes[place] ^= flip;
  }
  free(image.bytes);
}

// a bundle of another size than the file has room for
static void forgedSizesOfBundlesAreRefused(void** state) {
  (void)state;
  Image image = bundledImage(NULL);
  uint64_t sound;
  memcpy(&sound, image.bytes + BUNDLE_AT, sizeof(sound));
  const uint64_t wrong[] = {0, 1, sound - 1, sound + 1, (uint64_t)image.size, UINT64_MAX};
  for (int i = 0; i < (int)(sizeof(wrong) / sizeof(wrong[0])); i++) {
    memcpy(image.bytes + BUNDLE_AT, &wrong[i], sizeof(sound));
    assert_null(sn_readModel(image.bytes, (size_t)image.size, NULL, 0));
  }
  free(image.bytes);
}

// what is damaged is refused and writes nothing, or is unpacked inside of the folder
static void forgedBundlesStayInside(void** state) {
  (void)state;
  snModel* m;
  Image image = bundledImage(&m);
  snBundle bundle = sn_modelBundle(image.bytes, (size_t)image.size);
  char* bytes = (char*)malloc(bundle.bytes);
  int refused = 0, trials = 3000;
  mkdir(inFolder("deep"), 0777);
  for (int trial = 0; trial < trials; trial++) {
    memcpy(bytes, bundle.data, bundle.bytes);
    for (uint32_t k = 0; k < 1 + draw(3); k++) {
      bytes[draw((uint32_t)bundle.bytes)] = "./\\:\0\1\xff"[draw(7)];
    }
    size_t size = draw(4) ? bundle.bytes : draw((uint32_t)bundle.bytes);
    char error[300] = "", *exact = (char*)malloc(size + !size);
    memcpy(exact, bytes, size);
    unlink(inFolder("deep/out.xml"));
    if (sn_unpackBundle((snBundle){exact, size}, inFolder("deep/out.xml"), error, sizeof(error))) {
      refused++;
      assert_true(strlen(error) > 10);
      assert_int_not_equal(access(inFolder("deep/out.xml"), F_OK), 0);
    }
    free(exact);
  }
  assert_true(refused > trials / 4 && refused < trials);
  free(bytes);
  free(image.bytes);
  sn_deleteModel(m);
}

static size_t putEntry(char* bytes, const char* name, const char* contents) {
  uint64_t sizes[2] = {strlen(name) + 1, strlen(contents)};
  memcpy(bytes, sizes, sizeof(sizes));
  memcpy(bytes + sizeof(sizes), name, (size_t)sizes[0]);
  memcpy(bytes + sizeof(sizes) + sizes[0], contents, (size_t)sizes[1]);
  return sizeof(sizes) + (size_t)(sizes[0] + sizes[1]);
}

static void namesThatLeadOutAreRefused(void** state) {
  (void)state;
  static const char* const names[] = {"../x",     "/tmp/x", "a/../../x", "a/..", "./x", "a//x",
                                      "a\\..\\x", "c:x",    "",          "a/",   "..",  "a\nb"};
  char bytes[300];
  for (size_t i = 0; i <= sizeof(names) / sizeof(names[0]); i++) {
    int sound = i == sizeof(names) / sizeof(names[0]);
    size_t size = putEntry(bytes, "model.xml", "<mujoco/>");
    size += putEntry(bytes + size, sound ? "a/..x/y" : names[i], "x");
    int failed = sn_unpackBundle((snBundle){bytes, size}, inFolder("names.xml"), NULL, 0);
    assert_int_equal(failed, sound ? 0 : -1);
    assert_int_equal(access(inFolder("names.xml"), F_OK), failed);
    assert_int_equal(access(inFolder("names_assets"), F_OK), failed);
  }
  // the first file is the text
  size_t size = putEntry(bytes, "other.xml", "<mujoco/>");
  assert_int_equal(sn_unpackBundle((snBundle){bytes, size}, inFolder("n.xml"), NULL, 0), -1);
  assert_int_equal(sn_unpackBundle((snBundle){NULL, 0}, inFolder("n.xml"), NULL, 0), -1);
}

static void badReferencesAreNamed(void** state) {
  (void)state;
  snModel* m = makeModel();
  char reason[200];
  assert_null(sn_validateModel(m, reason, sizeof(reason)));
  m->geom_bodyid[0] = 1;
  assert_string_equal(sn_validateModel(m, reason, sizeof(reason)),
                      "geom_bodyid[0] is out of bounds: 1 is not in [0, 1)");
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
      cmocka_unit_test(bundlesAreUnpacked),
      cmocka_unit_test(everyPrefixOfABundledModelIsRefused),
      cmocka_unit_test(byteFlipsOfABundledModelAreRefused),
      cmocka_unit_test(forgedSizesOfBundlesAreRefused),
      cmocka_unit_test(forgedBundlesStayInside),
      cmocka_unit_test(namesThatLeadOutAreRefused),
      cmocka_unit_test(badReferencesAreNamed),
  };
  return cmocka_run_group_tests(tests, makeFolder, removeFolder);
}
