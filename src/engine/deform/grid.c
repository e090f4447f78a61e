// Boxes sorted into cells of space, so that boxes which meet are found quickly.
//
// A box lies in all cells that it meets: a few, since a cell is at least half as wide as the widest box. Cells
// are found by hashing their numbers (M. Teschner et al., Optimized spatial hashing for collision detection of
// deformable objects, VMV 2003). Two boxes that meet share one or more cells; they count in the one whose
// numbers are the larger of the numbers of the first cells of both.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/deform/deform.h"
#include "math/math.h"

enum { MOST_CELLS = 4 };  // of a box, along an axis

void sn_gridCells(const snDeformGrid* g, const float box[6], int cell[6]) {
  snReal scale = 1 / g->width;
  if (!(box[0] <= box[3])) {  // empty: in no cell
    for (int k = 0; k < 6; k++) cell[k] = k < 3 ? 0 : -1;
    return;
  }
  for (int k = 0; k < 3; k++) {
    cell[k] = sn_deformCell(scale * box[k]);
    int last = sn_deformCell(scale * box[3 + k]);
    cell[3 + k] = last < cell[k] + MOST_CELLS ? last : cell[k] + MOST_CELLS - 1;
  }
}

int sn_gridBucket(const snDeformGrid* g, int x, int y, int z) {
  SN_ASSERT(g->nbucket > 0 && (g->nbucket & (g->nbucket - 1)) == 0);
  unsigned hash = (unsigned)x * 73856093u ^ (unsigned)y * 19349663u ^ (unsigned)z * 83492791u;
  return (int)(hash & (unsigned)(g->nbucket - 1));
}

// for all cells of box i: count it in its buckets, or write it at the places that start says
static void insert(const snDeformGrid* g, int i, int write) {
  SN_ASSERT_INDEX(i, g->n);
  const int* c = g->cell + 6 * i;
  for (int z = c[2]; z <= c[5]; z++) {
    for (int y = c[1]; y <= c[4]; y++) {
      for (int x = c[0]; x <= c[3]; x++) {
        int at = g->start[sn_gridBucket(g, x, y, z)]++;
        if (write) g->item[at] = i;
      }
    }
  }
}

// by one lane
static void countBuckets(const snDeformGrid* g) {
  int sum = 0;
  for (int i = 0; i <= g->nbucket; i++) g->start[i] = 0;
  for (int i = 0; i < g->n; i++) insert(g, i, 0);
  for (int i = 0; i <= g->nbucket; i++) {
    int here = g->start[i];
    g->start[i] = sum;
    sum += here;
  }
}

// by one lane: buckets list their boxes in order
static void fillBuckets(const snDeformGrid* g) {
  for (int i = 0; i < g->n; i++) insert(g, i, 1);
  SN_ASSERT(g->start[g->nbucket - 1] == g->start[g->nbucket]);  // as many as were counted
  for (int i = g->nbucket; i > 0; i--) g->start[i] = g->start[i - 1];
  g->start[0] = 0;
}

// mean of the widths of boxes, at least half of the largest
void sn_setGridWidth(snDeformGrid* g) {
  snReal sum = 0, largest = 0;
  int n = 0;
  for (int i = 0; i < g->n; i++) {
    const float* box = g->box + 6 * i;
    if (!(box[0] <= box[3])) continue;
    n++;
    snReal width = box[3] - box[0];
    for (int k = 1; k < 3; k++) width = snu_max(width, box[3 + k] - box[k]);
    sum += width;
    largest = snu_max(largest, width);
  }
  snReal width = n ? snu_max(sum / n, largest / 2) : 1;
  g->width = width > 0 ? width : 1;
}

int sn_takeGrid(snData* d, snDeformGrid* g, int n) {
  SN_ASSERT(n >= 0);
  g->n = n;
  for (g->nbucket = 16; g->nbucket < n; g->nbucket *= 2) continue;
  g->box = SN_STACK(d, float, 6 * n + 1);
  g->cell = SN_STACK(d, int, 6 * n + 1);
  g->start = SN_STACK(d, int, g->nbucket + 1);
  return g->box && g->cell && g->start;
}

int sn_fillGrid(snData* d, snDeformGrid* g) {
  SN_FOR(i, g->n) sn_gridCells(g, g->box + 6 * i, g->cell + 6 * i);
  SN_SYNC();
  SN_SOLO(countBuckets(g));
  g->item = SN_STACK(d, int, g->start[g->nbucket] + 1);
  if (!g->item) return 0;
  SN_SYNC();  // all lanes have read how many there are
  SN_SOLO(fillBuckets(g));
  return 1;
}
