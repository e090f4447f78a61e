// Gmsh files of text.

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset/gmsh.h"

// ---- numbers ----

static void skipBlanks(snGmshPart* part) {
  while (part->at < part->size && part->data[part->at] &&
         strchr(" \t\n\v\f\r", part->data[part->at])) {
    part->at++;
  }
}

static int isDigit(char c) { return c >= '0' && c <= '9'; }

// Digits up to whatever else: what follows is the next number's.
int sn_gmshInt(snGmshPart* part, int64_t* value) {
  skipBlanks(part);
  size_t at = part->at;
  int negative = at < part->size && part->data[at] == '-';
  if (at < part->size && (part->data[at] == '-' || part->data[at] == '+')) at++;
  if (at == part->size || !isDigit(part->data[at])) return 0;
  int64_t sum = 0;
  for (; at < part->size && isDigit(part->data[at]); at++) {
    if (sum > (INT64_MAX - 9) / 10) return 0;
    sum = 10 * sum + (part->data[at] - '0');
  }
  *value = negative ? -sum : sum;
  part->at = at;
  return 1;
}

// Whether a character goes on with the number that was read so far.
static int extends(const char* text, size_t length, char c) {
  int hex = length > 1 && (text[1] == 'x' || text[1] == 'X' ||
                           (length > 2 && (text[2] == 'x' || text[2] == 'X')));
  const char* exponent = hex ? "pP" : "eE";
  if (!c || !strchr("0123456789abcdefABCDEFxXpP.+-", c)) return 0;
  if (c == '.') return !strpbrk(text, ".") && !strpbrk(text, exponent);
  if (c == '+' || c == '-') return !length || strchr(exponent, text[length - 1]) != NULL;
  return 1;
}

// As many characters as could be of one number: they must be one then.
int sn_gmshReal(snGmshPart* part, double* value) {
  char text[64] = "", *end;
  size_t length = 0;
  skipBlanks(part);
  while (part->at + length < part->size && length < sizeof(text) - 1 &&
         extends(text, length, part->data[part->at + length])) {
    text[length] = part->data[part->at + length];
    text[++length] = 0;
  }
  char* point = strchr(text, '.');
  const char* local = localeconv()->decimal_point;
  if (point && local && local[0] && !local[1]) *point = local[0];
  *value = strtod(text, &end);
  if (end == text || *end || !isfinite(*value)) return 0;
  part->at += length;
  return 1;
}

// An index as an int; numbers that are none are out of every range.
static int toIndex(int64_t value) {
  return value < INT32_MIN || value > INT32_MAX ? -1 : (int)value;
}

// ---- version 4.1 ----

// A block of nodes or elements: "blocks number first last", "dim tag kind number".
typedef struct Block_ {
  int64_t blocks, total, first, last, dim, tag, kind, count;
} Block;

static int readBlock(snGmshPart* part, Block* block) {
  int64_t* values[8] = {&block->blocks, &block->total, &block->first, &block->last,
                        &block->dim,    &block->tag,   &block->kind,  &block->count};
  for (int i = 0; i < 8; i++) {
    if (!sn_gmshInt(part, values[i])) return 0;
  }
  return 1;
}

// Room for that many: a part has less than half as many numbers as characters.
static int64_t bounded(const snGmshPart* part, int64_t count) {
  int64_t most = (int64_t)(part->size / 2) + 1;
  return count < 0 || count > most ? most : count;
}

static int readNodes41(snWork* work, snGmsh* mesh, snGmshPart* part, int64_t* first) {
  Block block;
  if (!readBlock(part, &block)) return sn_fail(work, "Error reading Nodes header");
  if (block.blocks != 1 || block.total != block.count) {
    return sn_fail(work, "All nodes must be in single block");
  }
  if (block.last != block.count) {
    return sn_fail(work, "Maximum number of nodes must be equal to number of nodes in a block");
  }
  if (block.dim < 1 || block.dim > 3) return sn_fail(work, "Entity must be 1D, 2D or 3D");
  for (int64_t i = 0; block.count < 0 || i < block.count; i++) {
    int64_t tag;
    if (!sn_gmshInt(part, &tag)) return sn_fail(work, "Error reading node tags");
    if (tag != block.first + i) return sn_fail(work, "Node tags must be sequential");
  }
  if (block.count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of nodes.");
  mesh->dim = (int)block.dim;
  mesh->npoint = (int)block.count;
  mesh->point = SN_KEEP(work, double, 3 * (size_t)block.count);
  if (!mesh->point) return -1;
  for (size_t i = 0; i < 3 * (size_t)mesh->npoint; i++) {
    if (!sn_gmshReal(part, mesh->point + i)) return sn_fail(work, "Error reading node coordinates");
  }
  *first = block.first;
  return 0;
}

static int readElements41(snWork* work, snGmsh* mesh, snGmshPart* part, int64_t first) {
  static const int types[4] = {0, 1, 2, 4};
  Block block;
  if (!readBlock(part, &block)) return sn_fail(work, "Error reading Elements header");
  if (block.blocks != 1 || block.total != block.count) {
    return sn_fail(work, "All elements must be in single block");
  }
  if (block.dim != mesh->dim) return sn_fail(work, "Inconsistent dimensionality in Elements");
  if (block.kind != types[mesh->dim]) {
    return sn_fail(work, "Element type inconsistent with dimensionality");
  }
  if (block.count < 0 || block.count > snGMSH_MAXCOUNT) {
    return sn_fail(work, "Invalid numElements.");
  }
  mesh->elem = SN_KEEP(work, int, 4 * bounded(part, block.count));
  if (!mesh->elem) return -1;
  int* next = mesh->elem;
  for (int64_t i = 0; i < block.count; i++) {
    int64_t value;
    for (int k = -1; k <= mesh->dim; k++) {  // its own tag first
      if (!sn_gmshInt(part, &value)) return sn_fail(work, "Error reading Elements");
      if (k >= 0) *next++ = toIndex(value - first);
    }
  }
  mesh->nelem = (int)block.count;
  return 0;
}

int sn_readGmshText41(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements) {
  int64_t first = 0;
  if (readNodes41(work, mesh, nodes, &first)) return -1;
  return readElements41(work, mesh, elements, first);
}

// ---- version 2.2 ----

// A count that stands alone on the first line of its section.
static int readCount(snGmshPart* part, int64_t* count, int* alone) {
  size_t at = 0;
  while (at < part->size && isDigit(part->data[at])) at++;
  *alone = at < part->size && part->data[at] == '\n';
  return *alone && sn_gmshInt(part, count);
}

static int readNodes22(snWork* work, snGmsh* mesh, snGmshPart* part) {
  int64_t count, tag;
  int alone;
  if (!readCount(part, &count, &alone)) {
    return alone ? sn_fail(work, "Error reading Nodes header")
                 : sn_fail(work, "Invalid node header");
  }
  if (count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of nodes.");
  mesh->point = SN_KEEP(work, double, 3 * (size_t)bounded(part, count));
  if (!mesh->point) return -1;
  for (int64_t i = 0; i < count; i++) {
    if (!sn_gmshInt(part, &tag)) return sn_fail(work, "Error reading node tags");
    for (int k = 0; k < 3; k++) {
      if (!sn_gmshReal(part, mesh->point + 3 * i + k)) {
        return sn_fail(work, "Error reading node coordinates");
      }
    }
  }
  mesh->npoint = (int)count;
  return 0;
}

// "tag type ntags", two tags where there are any, nodes.
static int readElement22(snWork* work, snGmsh* mesh, snGmshPart* part, int* elem) {
  int64_t head[3], tag;
  for (int k = 0; k < 3; k++) {
    if (!sn_gmshInt(part, head + k)) return sn_fail(work, "Error reading Elements");
  }
  if (!mesh->dim) {
    mesh->dim = head[1] == 2 ? 2 : head[1] == 4 ? 3 : 0;
    if (!mesh->dim) return sn_fail(work, "Invalid number of node tags");
  }
  for (int k = 0; k < 2 && head[2] > 0; k++) {
    if (!sn_gmshInt(part, &tag)) return sn_fail(work, "Error reading Elements");
  }
  for (int k = 0; k <= mesh->dim; k++) {
    if (!sn_gmshInt(part, &tag)) return sn_fail(work, "Error reading Elements");
    if (tag < 1 || tag > mesh->npoint) return sn_fail(work, "Invalid node tag");
    elem[k] = (int)tag - 1;
  }
  return 0;
}

int sn_readGmshText22(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements) {
  int64_t count;
  int alone;
  if (readNodes22(work, mesh, nodes)) return -1;
  if (!readCount(elements, &count, &alone)) {
    return alone ? sn_fail(work, "Error reading Elements header")
                 : sn_fail(work, "Invalid elements header");
  }
  if (count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of elements.");
  mesh->elem = SN_KEEP(work, int, 4 * bounded(elements, count));
  if (!mesh->elem) return -1;
  for (int64_t i = 0; i < count; i++) {
    if (readElement22(work, mesh, elements, mesh->elem + i * (mesh->dim + 1))) return -1;
  }
  mesh->nelem = (int)count;
  return 0;
}
