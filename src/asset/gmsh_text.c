// Gmsh files of text.

#include <errno.h>
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
static int readDigits(snGmshPart* part, uint64_t* value, int* negative) {
  skipBlanks(part);
  size_t at = part->at;
  *negative = at < part->size && part->data[at] == '-';
  if (at < part->size && (part->data[at] == '-' || part->data[at] == '+')) at++;
  if (at == part->size || !isDigit(part->data[at])) return 0;
  *value = 0;
  for (; at < part->size && isDigit(part->data[at]); at++) {
    uint64_t digit = (uint64_t)(part->data[at] - '0');
    if (*value > (UINT64_MAX - digit) / 10) return 0;
    *value = 10 * *value + digit;
  }
  part->at = at;
  return 1;
}

int sn_gmshTag(snGmshPart* part, uint64_t* value) {
  int negative;
  if (!readDigits(part, value, &negative)) return 0;
  if (negative) *value = 0 - *value;
  return 1;
}

static int readInt(snGmshPart* part, int* value) {
  uint64_t size;
  int negative;
  if (!readDigits(part, &size, &negative)) return 0;
  if (size > (uint64_t)INT32_MAX + (uint64_t)negative) return 0;
  *value = (int)(negative ? -(int64_t)size : (int64_t)size);
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

// As many characters as could be of one number: they must be one then, and not beyond what a double holds.
static int readReal(snGmshPart* part, double* value) {
  char text[1024] = "", *end;
  size_t length = 0;
  skipBlanks(part);
  while (part->at + length < part->size && extends(text, length, part->data[part->at + length])) {
    if (length == sizeof(text) - 1) return 0;
    text[length] = part->data[part->at + length];
    text[++length] = 0;
  }
  char* point = strchr(text, '.');
  const char* local = localeconv()->decimal_point;
  if (point && local && local[0] && !local[1]) *point = local[0];
  errno = 0;
  *value = strtod(text, &end);
  if (end == text || *end || errno || !isfinite(*value)) return 0;
  part->at += length;
  return 1;
}

// ---- version 4.1 ----

// A block of nodes or elements: "blocks number first last", "dim tag kind number".
typedef struct Block_ {
  uint64_t blocks, total, first, last, count;
  int dim, tag, kind;
} Block;

static int readBlock(snGmshPart* part, Block* block) {
  uint64_t* tags[4] = {&block->blocks, &block->total, &block->first, &block->last};
  int* ints[3] = {&block->dim, &block->tag, &block->kind};
  for (int i = 0; i < 4; i++) {
    if (!sn_gmshTag(part, tags[i])) return 0;
  }
  for (int i = 0; i < 3; i++) {
    if (!readInt(part, ints[i])) return 0;
  }
  return sn_gmshTag(part, &block->count);
}

// Room for that many: a part has less than half as many numbers as characters.
static uint64_t bounded(const snGmshPart* part, uint64_t count) {
  uint64_t most = part->size / 2 + 1;
  return count > most ? most : count;
}

static int readNodes41(snWork* work, snGmsh* mesh, snGmshPart* part, uint64_t* first) {
  Block block;
  if (!readBlock(part, &block)) return sn_fail(work, "Error reading Nodes header");
  if (block.blocks != 1 || block.total != block.count) {
    return sn_fail(work, "All nodes must be in single block");
  }
  if (block.last != block.count) {
    return sn_fail(work, "Maximum number of nodes must be equal to number of nodes in a block");
  }
  if (block.dim < 1 || block.dim > 3) return sn_fail(work, "Entity must be 1D, 2D or 3D");
  for (uint64_t i = 0; i < block.count; i++) {
    uint64_t tag;
    if (!sn_gmshTag(part, &tag)) return sn_fail(work, "Error reading node tags");
    if (tag != block.first + i) return sn_fail(work, "Node tags must be sequential");
  }
  if (block.count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of nodes.");
  mesh->dim = block.dim;
  mesh->npoint = (int)block.count;
  mesh->point = SN_KEEP(work, double, 3 * (size_t)block.count);
  if (!mesh->point) return -1;
  for (size_t i = 0; i < 3 * (size_t)mesh->npoint; i++) {
    if (!readReal(part, mesh->point + i)) return sn_fail(work, "Error reading node coordinates");
  }
  *first = block.first;
  return 0;
}

static int readElements41(snWork* work, snGmsh* mesh, snGmshPart* part, uint64_t first) {
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
  if (block.count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid numElements.");
  mesh->elem = SN_KEEP(work, int, 4 * bounded(part, block.count));
  if (!mesh->elem) return -1;
  int* next = mesh->elem;
  for (uint64_t i = 0; i < block.count; i++) {
    uint64_t tag;
    for (int k = -1; k <= mesh->dim; k++) {  // its own tag first
      if (!sn_gmshTag(part, &tag)) return sn_fail(work, "Error reading Elements");
      if (k >= 0) *next++ = sn_gmshIndex(tag, first);
    }
  }
  mesh->nelem = (int)block.count;
  return 0;
}

int sn_readGmshText41(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements) {
  uint64_t first = 0;
  if (readNodes41(work, mesh, nodes, &first)) return -1;
  return readElements41(work, mesh, elements, first);
}

// ---- version 2.2 ----

// A count that stands alone on the first line of its section.
static int readCount(snGmshPart* part, uint64_t* count, int* alone) {
  size_t at = 0;
  while (at < part->size && isDigit(part->data[at])) at++;
  *alone = at < part->size && part->data[at] == '\n';
  return *alone && sn_gmshTag(part, count);
}

static int readNodes22(snWork* work, snGmsh* mesh, snGmshPart* part) {
  uint64_t count, tag;
  int alone;
  if (!readCount(part, &count, &alone)) {
    return alone ? sn_fail(work, "Error reading Nodes header")
                 : sn_fail(work, "Invalid node header");
  }
  if (count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of nodes.");
  mesh->point = SN_KEEP(work, double, 3 * (size_t)bounded(part, count));
  if (!mesh->point) return -1;
  for (uint64_t i = 0; i < count; i++) {
    if (!sn_gmshTag(part, &tag)) return sn_fail(work, "Error reading node tags");
    for (int k = 0; k < 3; k++) {
      if (!readReal(part, mesh->point + 3 * i + k)) {
        return sn_fail(work, "Error reading node coordinates");
      }
    }
  }
  mesh->npoint = (int)count;
  return 0;
}

// "tag type ntags", two tags where there are any, nodes.
static int readElement22(snWork* work, snGmsh* mesh, snGmshPart* part, int* elem) {
  int head[3], tag;
  for (int k = 0; k < 3; k++) {
    if (!readInt(part, head + k)) return sn_fail(work, "Error reading Elements");
  }
  if (!mesh->dim) {
    mesh->dim = head[1] == 2 ? 2 : head[1] == 4 ? 3 : 0;
    if (!mesh->dim) return sn_fail(work, "Invalid number of node tags");
  }
  for (int k = 0; k < 2 && head[2] > 0; k++) {
    if (!readInt(part, &tag)) return sn_fail(work, "Error reading Elements");
  }
  for (int k = 0; k <= mesh->dim; k++) {
    if (!readInt(part, &tag)) return sn_fail(work, "Error reading Elements");
    if (tag < 1 || tag > mesh->npoint) return sn_fail(work, "Invalid node tag");
    elem[k] = tag - 1;
  }
  return 0;
}

int sn_readGmshText22(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements) {
  uint64_t count;
  int alone;
  if (readNodes22(work, mesh, nodes)) return -1;
  if (!readCount(elements, &count, &alone)) {
    return alone ? sn_fail(work, "Error reading Elements header")
                 : sn_fail(work, "Invalid elements header");
  }
  if (count > snGMSH_MAXCOUNT) return sn_fail(work, "Invalid number of elements.");
  mesh->elem = SN_KEEP(work, int, 4 * bounded(elements, count));
  if (!mesh->elem) return -1;
  for (uint64_t i = 0; i < count; i++) {
    if (readElement22(work, mesh, elements, mesh->elem + i * (uint64_t)(mesh->dim + 1))) return -1;
  }
  mesh->nelem = (int)count;
  return 0;
}
