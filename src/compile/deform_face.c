// Faces of deformables: what other deformables touch and what is drawn. Triangles of a cloth, the border of
// a solid with corners in the order that a viewer outside sees, pieces of a chain.

#include <stdlib.h>
#include <string.h>

#include "compile/deform.h"

typedef struct Face_ {
  int sorted[3];  // corners, ascending
  int vert[3];    // corners, in their order
} Face;

static int compareFaces(const void* a, const void* b) {
  const Face *p = (const Face*)a, *q = (const Face*)b;
  for (int k = 0; k < 3; k++) {
    if (p->sorted[k] != q->sorted[k]) return p->sorted[k] < q->sorted[k] ? -1 : 1;
  }
  for (int k = 0; k < 3; k++) {
    if (p->vert[k] != q->vert[k]) return p->vert[k] < q->vert[k] ? -1 : 1;
  }
  return 0;
}

static void swapIf(int* a, int* b) {
  if (*a <= *b) return;
  int t = *a;
  *a = *b;
  *b = t;
}

static void setFace(Face* face, const int* corner, const int place[3]) {
  for (int k = 0; k < 3; k++) face->vert[k] = face->sorted[k] = corner[place[k]];
  swapIf(face->sorted, face->sorted + 1);
  swapIf(face->sorted + 1, face->sorted + 2);
  swapIf(face->sorted, face->sorted + 1);
}

static int sameFace(const Face* a, const Face* b) {
  return !memcmp(a->sorted, b->sorted, sizeof(a->sorted));
}

// sides of tetrahedra that no two of them share
static int makeBorder(snCompiler* c, snDeformItem* item) {
  static const int kSide[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  int n = 4 * item->nelem;
  Face* faces = SN_ITEMS(c, Face, n + 1);
  item->face = SN_ITEMS(c, int, 3 * (size_t)n + 1);
  if (!faces || !item->face) return -1;
  for (int i = 0; i < n; i++) setFace(faces + i, item->element + 4 * (size_t)(i / 4), kSide[i % 4]);
  qsort(faces, (size_t)n, sizeof(Face), compareFaces);
  for (int i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && sameFace(faces + i, faces + next); next++) continue;
    if (next > i + 1) continue;
    memcpy(item->face + 3 * (size_t)item->nface++, faces[i].vert, sizeof(faces[i].vert));
  }
  return 0;
}

int sn_makeDeformFaces(snCompiler* c, snDeformItem* item) {
  if (item->spec.type == snDEFORMABLE_SOFT) return makeBorder(c, item);
  item->nface = item->nelem;
  item->face = SN_ITEMS(c, int, 3 * (size_t)item->nelem + 1);
  if (!item->face) return -1;
  for (int i = 0; i < item->nelem; i++) {
    for (int k = 0; k < 3; k++) {
      item->face[3 * (size_t)i + k] =
          k < item->corners ? item->element[(size_t)item->corners * i + k] : -1;
    }
  }
  return 0;
}
