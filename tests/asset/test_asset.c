// Assets from damaged files: every result is a compiled asset or an error with a reason, and
// nothing leaks or reads out of bounds (this test is most useful under the sanitizers).

#include "harness.h"

#include <stdlib.h>

#include "asset/hfield.h"
#include "asset/mesh.h"
#include "asset/skin.h"
#include "asset/texture.h"

enum { ROUNDS = 3000, MAX_SIZE = 2048 };

static uint32_t seed;

static uint32_t rnd(uint32_t n) {
  seed ^= seed << 13;
  seed ^= seed >> 17;
  seed ^= seed << 5;
  return seed % n;
}

// a file that is built up and then damaged
typedef struct File_ {
  unsigned char data[MAX_SIZE];
  size_t size;
} File;

static void put(File* f, const void* data, size_t size) {
  assert_true(f->size + size <= MAX_SIZE);
  memcpy(f->data + f->size, data, size);
  f->size += size;
}

static void putInt(File* f, int value) { put(f, &value, sizeof(value)); }
static void putFloat(File* f, float value) { put(f, &value, sizeof(value)); }

static const float tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static void makeObj(File* f) {
  const char* text =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 .5 1e0\nvn 0 0 1\nvt 0 1\no a\n"
      "f 4/1/1 3/1/1 2/1/1 1/1/1\nf 1//1 2//1 5//1\nf 2 3 5\nf -2 -1 -3\nf 4 1 5\ng b\nf 1 2 3\n";
  put(f, text, strlen(text));
}

static void makeStl(File* f) {
  char header[80] = {0};
  put(f, header, sizeof(header));
  putInt(f, 4);
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) putFloat(f, 0);
    for (int j = 0; j < 3; j++) put(f, tetrahedron[faces[i][j]], sizeof(tetrahedron[0]));
    put(f, header, 2);
  }
}

static void makeMsh(File* f) {
  for (int i = 0; i < 4; i++) putInt(f, 4);
  put(f, tetrahedron, sizeof(tetrahedron));
  put(f, tetrahedron, sizeof(tetrahedron));
  for (int i = 0; i < 8; i++) putFloat(f, (float)i);
  put(f, faces, sizeof(faces));
}

static void makeSkn(File* f) {
  char name[40] = "bone";
  putInt(f, 4);
  putInt(f, 4);
  putInt(f, 4);
  putInt(f, 2);
  put(f, tetrahedron, sizeof(tetrahedron));
  for (int i = 0; i < 8; i++) putFloat(f, (float)i);
  put(f, faces, sizeof(faces));
  for (int bone = 0; bone < 2; bone++) {
    put(f, name, sizeof(name));
    for (int i = 0; i < 7; i++) putFloat(f, i == 3);
    putInt(f, 4);
    for (int i = 0; i < 4; i++) putInt(f, i);
    for (int i = 0; i < 4; i++) putFloat(f, 0.5f);
  }
}

static void makeGrid(File* f) {
  putInt(f, 3);
  putInt(f, 4);
  for (int i = 0; i < 12; i++) putFloat(f, (float)i);
}

// Change, cut or keep the bytes; the copy has its exact size, so that reading behind it is seen.
static snBytes damage(const File* f, unsigned char** copy, int round) {
  size_t size = round && !rnd(4) ? rnd((uint32_t)f->size + 1) : f->size;
  *copy = malloc(size ? size : 1);
  memcpy(*copy, f->data, size);
  int changes = round ? 1 + (int)rnd(6) : 0;
  for (int i = 0; i < changes && size >= 4; i++) {
    static const int words[] = {0, 1, -1, INT32_MAX, INT32_MIN, 1000000, 0x7fc00000, 0x7f800000};
    size_t at = rnd((uint32_t)size);
    if (rnd(2)) {
      (*copy)[at] = rnd(3) ? (unsigned char)rnd(256) : (unsigned char)"0123456789-/ .e\n"[rnd(16)];
    } else if (at % 4 + size - at >= 4 && at - at % 4 + 4 <= size) {
      memcpy(*copy + at - at % 4, &words[rnd(8)], 4);
    }
  }
  snBytes bytes = {*copy, size};
  return bytes;
}

static int mesh(const char* name, const char* type, snBytes bytes, int round, char* error) {
  snMeshInput input;
  sn_defaultMeshInput(&input);
  input.file = bytes;
  input.file_name = name;
  input.content_type = type;
  if (round) {
    input.inertia = (snMeshInertia)rnd(4);
    input.needhull = (int)rnd(2);
    input.maxhullvert = rnd(4) ? -1 : 4;
    input.smoothnormal = (int)rnd(2);
    input.needsdf = !rnd(500);
    if (!rnd(3)) input.scale[2] = -1;
  }
  snMesh compiled;
  int status = sn_compileMesh(&compiled, &input, error, 200);
  if (!status) {
    for (int i = 0; i < 3 * compiled.nface; i++) {
      assert_in_range(compiled.face[i], 0, compiled.nvert - 1);
    }
    assert_int_equal(compiled.bvh.nnode, 2 * compiled.nface - 1);
    sn_freeMesh(&compiled);
  }
  assert_null(compiled.pool.blocks);
  return status;
}

typedef enum Kind_ { OBJ, STL, MSH, SKN, HFIELD, TEXTURE, NKIND } Kind;

static int compile(Kind kind, snBytes bytes, int round, char* error) {
  if (kind == OBJ) return mesh("a.obj", "model/obj", bytes, round, error);
  if (kind == STL) return mesh("a.stl", "model/stl", bytes, round, error);
  if (kind == MSH) return mesh("a.msh", "model/vnd.mujoco.msh", bytes, round, error);
  if (kind == SKN) {
    snSkin element = {0}, skin;
    int status = sn_readSkin(&skin, &element, bytes, "a.skn", error, 200);
    if (status) return status;
    status = sn_checkSkin(&skin, "a.skn", error, 200);
    if (!status) status = sn_compileSkin(&skin, "a.skn", error, 200);
    sn_freeSkin(&skin);
    return status;
  }
  if (kind == HFIELD) {
    snHFieldInput input = {.file = bytes, .file_name = "a", .size = {1, 1, 1, 1}};
    snHField hfield;
    int status = sn_compileHField(&hfield, &input, error, 200);
    if (!status) sn_freeHField(&hfield);
    return status;
  }
  snsTexture spec = {.type = snTEXTURE_2D, .nchannel = 3, .gridsize = {1, 1}};
  if (round) {
    spec.type = (snTexture)rnd(3);
    spec.nchannel = (int)rnd(5);
    spec.gridsize[0] = (int)rnd(4);
    spec.gridsize[1] = (int)rnd(4);
    memcpy(spec.gridlayout, ".RLUDFB.....", 12);
  }
  snTextureInput input = {.spec = &spec, .file = {bytes, "a", ""}};
  snTextureData texture;
  int status = sn_compileTexture(&texture, &input, error, 200);
  if (!status) sn_freeTexture(&texture);
  return status;
}

static void damagedFiles(void** state) {
  (void)state;
  seed = 12345;
  for (int kind = 0; kind < NKIND; kind++) {
    File file = {.size = 0};
    switch ((Kind)kind) {
      case OBJ: makeObj(&file); break;
      case STL: makeStl(&file); break;
      case MSH: makeMsh(&file); break;
      case SKN: makeSkn(&file); break;
      default: makeGrid(&file);
    }
    if (kind == TEXTURE) file.size = 8 + 36;
    int rejected = 0;
    for (int round = 0; round < ROUNDS; round++) {
      unsigned char* copy;
      char error[200] = "";
      int status = compile((Kind)kind, damage(&file, &copy, round), round, error);
      if (round == 0) assert_int_equal(status, 0);
      if (status) assert_true(error[0] != '\0');
      rejected += status != 0;
      free(copy);
    }
    assert_true(rejected > ROUNDS / 10);
  }
}

// A header alone cannot make the library allocate what the file could never fill.
static void boundedMemory(void** state) {
  (void)state;
  static const int sizes[][4] = {{INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX},
                                 {INT32_MAX, 0, 0, INT32_MAX},
                                 {46341, 46341, 46341, 46341},
                                 {1 << 30, 1 << 30, 0, 4}};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    snBytes bytes = {(const unsigned char*)sizes[i], sizeof(sizes[i])};
    for (int kind = STL; kind < NKIND; kind++) {
      char error[200] = "";
      assert_int_equal(compile((Kind)kind, bytes, 0, error), -1);
      assert_true(error[0] != '\0');
    }
  }
}

// The cache shares arrays, respects its capacity, and what it drops stays valid for those who hold
// it.
static void cacheShares(void** state) {
  (void)state;
  snCache* cache = sn_getCache();
  sn_clearCache(cache);
  assert_int_equal(sn_getCacheSize(cache), 0);
  File file = {.size = 0};
  makeStl(&file);
  snMeshInput input;
  sn_defaultMeshInput(&input);
  input.file.data = file.data;
  input.file.size = file.size;
  input.file_name = "a.stl";
  input.content_type = "model/stl";
  snMesh first, second, third;
  assert_int_equal(sn_compileMesh(&first, &input, NULL, 0), 0);
  assert_int_equal(sn_compileMesh(&second, &input, NULL, 0), 0);
  assert_ptr_equal(first.vert, second.vert);
  assert_true(sn_getCacheSize(cache) > 0);
  input.smoothnormal = 1;
  assert_int_equal(sn_compileMesh(&third, &input, NULL, 0), 0);
  assert_ptr_not_equal(first.vert, third.vert);
  sn_freeMesh(&third);

  size_t capacity = sn_getCacheCapacity(cache);
  assert_int_equal(sn_setCacheCapacity(cache, 0), 0);
  assert_int_equal(sn_getCacheSize(cache), 0);
  assert_int_equal(first.nvert, 4);
  for (int i = 0; i < 12; i++) assert_true(first.vert[i] == second.vert[i]);
  sn_freeMesh(&first);
  assert_int_equal(sn_compileMesh(&third, &input, NULL, 0), 0);
  assert_int_equal(sn_getCacheSize(cache), 0);
  sn_freeMesh(&third);
  sn_freeMesh(&second);
  sn_setCacheCapacity(cache, capacity);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damagedFiles),
      cmocka_unit_test(boundedMemory),
      cmocka_unit_test(cacheShares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
