#include <math.h>

#include "asset/mesh_file.h"

enum { HEADER = 84, RECORD = 50, MAX_FACES = 200000 };

int sn_readStl(snWork* work, snMeshArrays* arrays, snBytes file, int right) {
  if (!file.size) return sn_fail(work, "STL file '%s' is empty", work->file);
  if (file.size < HEADER) return sn_fail(work, "invalid header in STL file '%s'", work->file);
  int nface = sn_readInt(file, HEADER - 4);
  if (nface < 1 || nface > MAX_FACES) {
    return sn_fail(work,
                   "number of faces should be between 1 and 200000 in STL file '%s'; perhaps this "
                   "is an ASCII file?",
                   work->file);
  }
  if (file.size != HEADER + (size_t)RECORD * (size_t)nface) {
    return sn_fail(work, "STL file '%s' has wrong size; perhaps this is an ASCII file?",
                   work->file);
  }

  float* vert = SN_KEEP(work, float, 9 * nface);
  int* face = SN_KEEP(work, int, 3 * nface);
  if (!vert || !face) return -1;
  for (int i = 0; i < nface; i++) {
    // a record is normal, three corners, two bytes of attributes
    size_t corners = HEADER + (size_t)RECORD * (size_t)i + 12;
    for (int j = 0; j < 9; j++) {
      float value = sn_readFloat(file, corners + 4 * (size_t)j);
      if (fabsf(value) > 1073741824.0f) {
        return sn_fail(work, "vertex in STL file '%s' exceed maximum bounds", work->file);
      }
      vert[9 * i + j] = value;
    }
    face[3 * i] = 3 * i;
    face[3 * i + 1] = 3 * i + (right ? 1 : 2);
    face[3 * i + 2] = 3 * i + (right ? 2 : 1);
  }
  arrays->vert = vert;
  arrays->nvert = 9 * nface;
  arrays->face = face;
  arrays->nface = 3 * nface;
  return 0;
}

static uint32_t hashVertex(const float v[3]) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < 3; i++) {
    float value = v[i] == 0 ? 0 : v[i];  // -0 equals 0
    union {
      float real;
      uint32_t bits;
    } word = {value};
    hash = (hash ^ word.bits) * 0x9E3779B1u;
    hash ^= hash >> 15;
  }
  return hash;
}

int sn_mergeVertices(snWork* work, snMeshArrays* arrays) {
  int nvert = arrays->nvert / 3;
  size_t capacity = 16;
  while (capacity < 2 * (size_t)nvert) capacity *= 2;
  int* table = SN_SCRATCH(work, int, capacity);  // index of a merged vertex, plus one
  int* index = SN_SCRATCH(work, int, nvert);
  float* merged = SN_KEEP(work, float, 3 * (size_t)nvert);
  if (!table || !index || !merged) return -1;

  int count = 0;
  for (int i = 0; i < nvert; i++) {
    const float* v = arrays->vert + 3 * (size_t)i;
    if (isnan(v[0]) || isnan(v[1]) || isnan(v[2])) {
      return sn_fail(work, "vertex coordinate %d is not finite", 3 * i);
    }
    size_t slot = hashVertex(v) & (capacity - 1);
    for (; table[slot]; slot = (slot + 1) & (capacity - 1)) {
      const float* m = merged + 3 * (size_t)(table[slot] - 1);
      if (m[0] == v[0] && m[1] == v[1] && m[2] == v[2]) break;
    }
    if (!table[slot]) {
      for (int j = 0; j < 3; j++) merged[3 * (size_t)count + j] = v[j];
      table[slot] = ++count;
    }
    index[i] = table[slot] - 1;
  }
  if (count == nvert) return 0;

  int* face = SN_KEEP(work, int, arrays->nface);
  if (!face) return -1;
  for (int i = 0; i < arrays->nface; i++) {
    int old = arrays->face[i];
    face[i] = old >= 0 && old < nvert ? index[old] : old;
  }
  arrays->vert = merged;
  arrays->nvert = 3 * count;
  arrays->face = face;
  return 0;
}
