// Binary Gmsh files.

#include <string.h>

#include "asset/gmsh.h"
#include "base/assert.h"

static snBytes bytesOf(const snGmshPart* part) {
  return (snBytes){(const unsigned char*)part->data, part->size};
}

static int64_t readLong(const snGmshPart* part, size_t offset) {
  SN_ASSERT(part->size >= 8 && offset <= part->size - 8);
  const unsigned char* data = (const unsigned char*)part->data + offset;
  uint64_t bits = 0;
  for (int i = 7; i >= 0; i--) bits = bits << 8 | data[i];
  return (int64_t)bits;
}

static double readReal(const snGmshPart* part, size_t offset) {
  union {
    uint64_t bits;
    double real;
  } word = {(uint64_t)readLong(part, offset)};
  return word.real;
}

static int readWord(const snGmshPart* part, size_t offset) {
  return sn_readInt(bytesOf(part), offset);
}

// ---- version 4.1 ----

enum { HEADER = 52 };  // four long counts, three ints, a long count

static int readNodes41(snWork* work, snGmsh* mesh, snGmshPart* part, int64_t* first) {
  if (part->size < HEADER) return sn_fail(work, "Invalid nodes header");
  int64_t total = readLong(part, 8), count = readLong(part, 44);
  int dim = readWord(part, 32);
  *first = readLong(part, 16);
  if (readLong(part, 0) != 1 || total != count) {
    return sn_fail(work, "All nodes must be in single block");
  }
  if (dim < 1 || dim > 3) return sn_fail(work, "Entity must be 1D, 2D or 3D");
  if (count < 0 || (uint64_t)count > (part->size - HEADER) / 32) {
    return sn_fail(work, "Insufficient byte size of Nodes");
  }
  if (count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of nodes.");
  mesh->dim = dim;
  mesh->npoint = (int)count;
  mesh->point = SN_KEEP(work, double, 3 * (size_t)count);
  if (!mesh->point) return -1;
  for (size_t i = 0; i < (size_t)count; i++) {
    part->at = HEADER + 8 * i;
    if (readLong(part, part->at) != *first + (int64_t)i) {
      return sn_fail(work, "Node tags must be sequential");
    }
  }
  for (size_t i = 0; i < 3 * (size_t)count; i++) {
    mesh->point[i] = readReal(part, HEADER + 8 * (size_t)count + 8 * i);
  }
  return 0;
}

static int readElements41(snWork* work, snGmsh* mesh, snGmshPart* part, int64_t first) {
  static const int types[4] = {0, 1, 2, 4};
  if (part->size < HEADER) return sn_fail(work, "Invalid elements header");
  int64_t total = readLong(part, 8), count = readLong(part, 44);
  size_t corners = (size_t)mesh->dim + 1;
  part->at = 1;
  if (readLong(part, 0) != 1 || total != count) {
    return sn_fail(work, "All elements must be in single block");
  }
  if (readWord(part, 32) != mesh->dim) {
    return sn_fail(work, "Inconsistent dimensionality in Elements");
  }
  if (readWord(part, 40) != types[mesh->dim]) {
    return sn_fail(work, "Element type inconsistent with dimensionality");
  }
  if (count < 0 || (uint64_t)count > (part->size - HEADER) / (8 * (corners + 1))) {
    return sn_fail(work, "Insufficient byte size of Elements");
  }
  if (count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of elements.");
  mesh->nelem = (int)count;
  mesh->elem = SN_KEEP(work, int, corners*(size_t)count);
  if (!mesh->elem) return -1;
  for (size_t i = 0; i < (size_t)count; i++) {
    for (size_t k = 0; k < corners; k++) {
      uint64_t tag = (uint64_t)readLong(part, HEADER + 8 * (i * (corners + 1) + 1 + k));
      mesh->elem[corners * i + k] = sn_gmshIndex(tag, (uint64_t)first);
    }
  }
  return 0;
}

int sn_readGmshBinary41(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements) {
  int64_t first = 0;
  if (readNodes41(work, mesh, nodes, &first)) return -1;
  return readElements41(work, mesh, elements, first);
}

// ---- version 2.2 ----

// A count in decimal digits and the one character behind it.
static int readCount(snGmshPart* part, int64_t* count) {
  if (!sn_gmshTag(part, (uint64_t*)count)) return 0;
  if (part->at < part->size) part->at++;
  return 1;
}

static int readNodes22(snWork* work, snGmsh* mesh, snGmshPart* part) {
  enum { RECORD = 28 };  // tag and three reals
  int64_t count;
  if (!readCount(part, &count)) return sn_fail(work, "Invalid node header");
  if (count < 0 || (uint64_t)count > (part->size - part->at) / RECORD) {
    return sn_fail(work, "Insufficient byte size of Nodes");
  }
  if (count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of nodes.");
  mesh->npoint = (int)count;
  mesh->point = SN_KEEP(work, double, 3 * (size_t)count);
  if (!mesh->point) return -1;
  for (size_t i = 0; i < (size_t)count; i++) {
    for (size_t k = 0; k < 3; k++) {
      mesh->point[3 * i + k] = readReal(part, part->at + RECORD * i + 4 + 8 * k);
    }
  }
  return 0;
}

// Two layouts: Gmsh's own repeats its header, "type 1 ntags", and two tags for every element;
// fTetWild's has one header with no tags. MuJoCo tests the nodes of all but the first element
// against the number of elements: what is below that and no node is left to the caller's test.
static int readElements22(snWork* work, snGmsh* mesh, snGmshPart* part) {
  int64_t count;
  if (!readCount(part, &count)) return sn_fail(work, "Invalid elements header");
  if (count == 0) return 0;
  if (part->at + 12 > part->size) return sn_fail(work, "Insufficient byte size of Elements");
  int type = readWord(part, part->at), tagged = readWord(part, part->at + 8) > 0;
  mesh->dim = type == 2 ? 2 : type == 4 ? 3 : 0;
  if (!mesh->dim) return sn_fail(work, "Invalid number of node tags");
  size_t corners = (size_t)mesh->dim + 1;
  size_t record = 4 * (tagged ? 6 + corners : 1 + corners), head = tagged ? 0 : 12;
  size_t base = part->at + head, skip = tagged ? 24 : 4;
  if (count < 0 || base > part->size || (uint64_t)count > (part->size - base) / record) {
    return sn_fail(work, "Insufficient byte size of Elements");
  }
  if (count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of elements.");
  mesh->nelem = (int)count;
  mesh->elem = SN_KEEP(work, int, corners*(size_t)count);
  if (!mesh->elem) return -1;
  int most = mesh->npoint > count ? mesh->npoint : (int)count;
  for (size_t i = 0; i < (size_t)count; i++) {
    for (size_t k = 0; k < corners; k++) {
      part->at = base + record * i + skip + 4 * k;
      int tag = readWord(part, part->at);
      if (tag < 1 || tag > (i ? most : mesh->npoint)) return sn_fail(work, "Invalid node tag");
      mesh->elem[corners * i + k] = tag - 1;
    }
  }
  return 0;
}

int sn_readGmshBinary22(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements) {
  if (readNodes22(work, mesh, nodes)) return -1;
  return readElements22(work, mesh, elements);
}
