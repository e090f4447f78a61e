#include "asset/mesh_file.h"

enum { HEADER = 16 };

static float* readFloats(snWork* work, snBytes file, size_t* offset, int count) {
  float* values = SN_KEEP(work, float, count);
  for (int i = 0; values && i < count; i++, *offset += 4) values[i] = sn_readFloat(file, *offset);
  return values;
}

int sn_readMsh(snWork* work, snMeshArrays* arrays, snBytes file, int right) {
  if (!file.size) return sn_fail(work, "MSH file '%s' is empty", work->file);
  if (file.size < HEADER) return sn_fail(work, "missing header in MSH file '%s'", work->file);
  int nvert = sn_readInt(file, 0), nnormal = sn_readInt(file, 4);
  int ntexcoord = sn_readInt(file, 8), nface = sn_readInt(file, 12);
  if (nvert < 4 || nface < 0 || nnormal < 0 || ntexcoord < 0 || (nnormal > 0 && nnormal != nvert) ||
      (ntexcoord > 0 && ntexcoord != nvert)) {
    return sn_fail(work, "invalid sizes in MSH file '%s'", work->file);
  }
  uint64_t floats = 3 * (uint64_t)nvert + 3 * (uint64_t)nnormal + 2 * (uint64_t)ntexcoord;
  uint64_t size = HEADER + 4 * (floats + 3 * (uint64_t)nface);
  const int most = INT32_MAX / (4 * 3);
  if (nvert > most || nface > most) {
    return sn_fail(work, "too large sizes in MSH file '%s'.", work->file);
  }
  if (file.size != size || size > INT32_MAX)
    return sn_fail(work, "unexpected file size in MSH file '%s'", work->file);

  size_t offset = HEADER;
  arrays->vert = readFloats(work, file, &offset, 3 * nvert);
  arrays->normal = readFloats(work, file, &offset, 3 * nnormal);
  arrays->texcoord = readFloats(work, file, &offset, 2 * ntexcoord);
  int* face = SN_KEEP(work, int, 3 * nface);
  int* corner = SN_KEEP(work, int, 3 * nface);
  if (!arrays->vert || !arrays->normal || !arrays->texcoord || !face || !corner) return -1;
  arrays->nvert = 3 * nvert;
  arrays->nnormal = 3 * nnormal;
  arrays->ntexcoord = 2 * ntexcoord;

  // normals and texture coordinates follow the vertices, before a mirror reverses the faces
  for (int i = 0; i < 3 * nface; i++) {
    corner[i] = sn_readInt(file, offset + 4 * (size_t)i);
  }
  for (int i = 0; i < nface; i++) {
    face[3 * i] = corner[3 * i];
    face[3 * i + 1] = corner[3 * i + (right ? 1 : 2)];
    face[3 * i + 2] = corner[3 * i + (right ? 2 : 1)];
  }
  arrays->face = face;
  arrays->nface = 3 * nface;
  if (nnormal) {
    arrays->facenormal = corner;
    arrays->nfacenormal = 3 * nface;
  }
  if (ntexcoord) {
    arrays->facetexcoord = corner;
    arrays->nfacetexcoord = 3 * nface;
  }
  return 0;
}
