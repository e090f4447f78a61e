// Edges of the faces of deformables, each once: what crosses the edges of others. A piece of a chain is one.

#include <stdlib.h>

#include "compile/deform.h"

static int compareSides(const void* a, const void* b) {
  const int *p = (const int*)a, *q = (const int*)b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

int sn_makeDeformSides(snCompiler* c, snDeformItem* item) {
  int n = 0;
  int* all = SN_ITEMS(c, int, 6 * (size_t)item->nface + 1);
  item->side = SN_ITEMS(c, int, 6 * (size_t)item->nface + 1);
  if (!all || !item->side) return -1;
  for (int i = 0; i < item->nface; i++) {
    const int* v = item->face + 3 * (size_t)i;
    for (int k = 0; k < (v[2] < 0 ? 1 : 3); k++) {
      int a = v[k], b = v[(k + 1) % 3];
      all[2 * n] = a < b ? a : b;
      all[2 * n++ + 1] = a < b ? b : a;
    }
  }
  qsort(all, (size_t)n, 2 * sizeof(int), compareSides);
  for (int i = 0; i < n; i++) {
    if (i && !compareSides(all + 2 * i, all + 2 * i - 2)) continue;
    item->side[2 * item->nside] = all[2 * i];
    item->side[2 * item->nside++ + 1] = all[2 * i + 1];
  }
  return 0;
}
