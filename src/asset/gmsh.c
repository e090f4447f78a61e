#include "asset/gmsh.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

// The first occurrence of a tag at or behind a byte; the size of the file when there is none.
static size_t findTag(snBytes file, size_t from, const char* tag) {
  size_t length = strlen(tag);
  while (from + length <= file.size) {
    const unsigned char* hit = memchr(file.data + from, tag[0], file.size - length + 1 - from);
    if (!hit) break;
    from = (size_t)(hit - file.data);
    if (!memcmp(hit, tag, length)) return from;
    from++;
  }
  return file.size;
}

// Without its first tag a section is taken to begin near the start of the file, as in MuJoCo, and
// what it reads there is refused.
static int findPart(snWork* work, snGmsh* mesh, snBytes file, const char* name, snGmshPart* part) {
  char begin[16] = "$", end[16] = "$End";
  strcat(begin, name);
  strcat(end, name);
  size_t first = findTag(file, 0, begin), last = findTag(file, 0, end);
  memset(part, 0, sizeof(*part));
  part->data = (const char*)file.data;
  mesh->where = first;
  int exists = first < file.size;
  if (last == file.size || (exists && last < first)) {
    return sn_fail(work, "GMSH file missing %s after %s", end, begin);
  }
  first = (exists ? first + 1 : 0) + strlen(begin);
  if (first > last) return 0;
  part->data += first;
  part->size = last - first;
  return 0;
}

// The error of a part is at the byte that it had come to.
static int locate(snGmsh* mesh, snBytes file, const snGmshPart* nodes, const snGmshPart* elements,
                  int status) {
  if (!status) return 0;
  const snGmshPart* part = elements->at ? elements : nodes;
  mesh->where = (size_t)(part->data - (const char*)file.data) + part->at;
  return status;
}

// "version binary" behind the first tag: 0 when they are not there. MuJoCo has the version in single precision.
static int readFormat(snBytes file, size_t at, float* version, int* binary) {
  char text[200];
  size_t size = file.size - at < sizeof(text) - 1 ? file.size - at : sizeof(text) - 1;
  memcpy(text, file.data + at, size);
  text[size] = 0;
  char* point = strchr(text, '.');
  const char* local = localeconv()->decimal_point;
  if (point && local && local[0] && !local[1]) *point = local[0];
  return sscanf(text, "%f %d", version, binary) == 2;
}

int sn_readGmsh(snWork* work, snGmsh* mesh, snBytes file) {
  static const char start[] = "$MeshFormat";
  memset(mesh, 0, sizeof(*mesh));
  if (!file.size) return sn_fail(work, "Empty GMSH file");
  if (file.size < strlen(start) || memcmp(file.data, start, strlen(start))) {
    return sn_fail(work, "GMSH file must begin with $MeshFormat");
  }
  snGmshPart nodes, elements;
  float version;
  int binary;
  mesh->where = strlen(start);
  if (!readFormat(file, strlen(start), &version, &binary)) {
    return sn_fail(work, "Could not read GMSH file header");
  }
  int isOld = version == 2.2f;
  if (!isOld && version != 4.1f) {
    return sn_fail(work, "Only GMSH file format versions 4.1 and 2.2 are supported");
  }
  if (findPart(work, mesh, file, "Nodes", &nodes)) return -1;
  if (findPart(work, mesh, file, "Elements", &elements)) return -1;
  int status;
  if (binary) {
    status = isOld ? sn_readGmshBinary22(work, mesh, &nodes, &elements)
                   : sn_readGmshBinary41(work, mesh, &nodes, &elements);
  } else {
    status = isOld ? sn_readGmshText22(work, mesh, &nodes, &elements)
                   : sn_readGmshText41(work, mesh, &nodes, &elements);
  }
  return locate(mesh, file, &nodes, &elements, status);
}

int sn_lineOf(snBytes file, size_t where) {
  int line = 1;
  if (where > file.size) where = file.size;
  for (size_t i = 0; i < where; i++) line += file.data[i] == '\n';
  return line;
}
