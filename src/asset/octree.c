// Three stages: split cells that the surface touches, level by level; split more until neighbours
// differ by at most one level; evaluate the signed distance at the corners.
//
// Cells are addressed by integers: a cell of level l has coordinates in [0, 2^l), and corners have
// coordinates on the finest grid, so that neighbours and shared corners are found without rounding.

#include "asset/octree.h"

#include <math.h>
#include <string.h>

#include "asset/algebra.h"
#include "asset/distance.h"
#include "base/assert.h"

enum { MAX_LEVEL = 6, GRID = 1 << MAX_LEVEL };

// Most triangle-box tests: a mesh with very many large faces could take for ever.
static const int64_t max_tests = 2000000000;

typedef struct Cell_ {
  int level;
  int at[3];  // coordinates among cells of the same level
  int child;  // first of eight, -1 for a leaf
  double min[3];
  double max[3];
} Cell;

typedef struct Tree_ {
  snWork* work;
  Cell* cells;
  int ncell;
  int capacity;
  int64_t tests;
} Tree;

// ---- cells ----

static int reserve(Tree* t, int count) {
  if (t->ncell + count <= t->capacity) return 0;
  int capacity = 2 * t->capacity + 1024;
  Cell* cells = SN_SCRATCH(t->work, Cell, capacity);
  if (!cells) return -1;
  if (t->ncell) memcpy(cells, t->cells, sizeof(Cell) * (size_t)t->ncell);
  t->cells = cells;
  t->capacity = capacity;
  return 0;
}

// Add the eight children of a cell; bit k of a child's number: high along axis k.
static int splitCell(Tree* t, int index) {
  SN_ASSERT_INDEX(index, t->ncell);
  SN_ASSERT(t->cells[index].child < 0 && t->cells[index].level < MAX_LEVEL);
  if (reserve(t, 8)) return -1;
  Cell* parent = t->cells + index;
  parent->child = t->ncell;
  for (int i = 0; i < 8; i++) {
    Cell* cell = t->cells + t->ncell++;
    cell->level = parent->level + 1;
    cell->child = -1;
    for (int k = 0; k < 3; k++) {
      int high = i >> k & 1;
      double middle = (parent->min[k] + parent->max[k]) / 2;
      cell->at[k] = 2 * parent->at[k] + high;
      cell->min[k] = high ? middle : parent->min[k];
      cell->max[k] = high ? parent->max[k] : middle;
    }
  }
  return 0;
}

// ---- stage 1: cells that the surface touches ----

// Projection of a triangle and a box on the plane of two axes: whether an edge separates them.
static int edgesSeparate(const double* v[3], const double edge[3][3], double normal_a, int b, int c,
                         const Cell* cell) {
  double db = cell->max[b] - cell->min[b], dc = cell->max[c] - cell->min[c];
  double sign = normal_a >= 0 ? 1 : -1;
  for (int i = 0; i < 3; i++) {
    double m0 = -edge[i][c] * sign, m1 = edge[i][b] * sign;
    double offset = m0 * cell->min[b] + m1 * cell->min[c] - (m0 * v[i][b] + m1 * v[i][c]) +
                    fmax(0, db * m0) + fmax(0, dc * m1);
    if (offset < 0) return 1;
  }
  return 0;
}

static int triangleTouches(const double* v[3], const Cell* cell) {
  for (int k = 0; k < 3; k++) {
    if (v[0][k] < cell->min[k] && v[1][k] < cell->min[k] && v[2][k] < cell->min[k]) return 0;
    if (v[0][k] > cell->max[k] && v[1][k] > cell->max[k] && v[2][k] > cell->max[k]) return 0;
  }
  double edge[3][3], normal[3], low[3], high[3];
  for (int i = 0; i < 3; i++) sn_sub3(edge[i], v[(i + 1) % 3], v[i]);
  sn_cross3(normal, edge[0], edge[1]);

  // the plane passes between the box corners that are farthest along its normal
  for (int k = 0; k < 3; k++) {
    double size = cell->max[k] - cell->min[k], critical = normal[k] > 0 ? size : 0;
    low[k] = critical - v[0][k];
    high[k] = size - critical - v[0][k];
  }
  double at = sn_dot3(normal, cell->min);
  if ((at + sn_dot3(normal, low)) * (at + sn_dot3(normal, high)) > 0) return 0;

  for (int a = 0; a < 3; a++) {
    if (edgesSeparate(v, edge, normal[a], (a + 1) % 3, (a + 2) % 3, cell)) return 0;
  }
  return 1;
}

typedef struct TriangleList_ {
  const int* faces;
  int count;
} TriangleList;

// Faces of a parent's list that touch a cell.
static int touchingFaces(Tree* t, TriangleList* result, int* buffer, TriangleList parent, int index,
                         const double* vert, const int* face) {
  int count = 0;
  t->tests += parent.count;
  if (t->tests > max_tests) return sn_fail(t->work, "mesh is too complex for an octree");
  for (int i = 0; i < parent.count; i++) {
    const int* f = face + 3 * (size_t)parent.faces[i];
    const double* v[3];
    for (int k = 0; k < 3; k++) v[k] = vert + 3 * (size_t)f[k];
    if (triangleTouches(v, t->cells + index)) buffer[count++] = parent.faces[i];
  }
  int* faces = SN_SCRATCH(t->work, int, count);
  if (!faces) return -1;
  if (count) memcpy(faces, buffer, sizeof(int) * (size_t)count);
  result->faces = faces;
  result->count = count;
  return 0;
}

// Room for the lists of all cells.
static int growLists(Tree* t, TriangleList** lists, int* capacity) {
  if (t->ncell <= *capacity) return 0;
  int grown = 2 * *capacity + 1024;
  TriangleList* larger = SN_SCRATCH(t->work, TriangleList, grown);
  if (!larger) return -1;
  if (*capacity) memcpy(larger, *lists, sizeof(TriangleList) * (size_t)*capacity);
  *lists = larger;
  *capacity = grown;
  return 0;
}

// Breadth first: cells are split in the order of their numbers.
static int splitTouched(Tree* t, const double* vert, const int* face, int nface) {
  int* all = SN_SCRATCH(t->work, int, nface);
  int* buffer = SN_SCRATCH(t->work, int, nface);
  TriangleList* lists = NULL;  // faces that touch the parent of each cell
  int capacity = 0;
  if (!all || !buffer || growLists(t, &lists, &capacity)) return -1;
  for (int i = 0; i < nface; i++) all[i] = i;
  lists[0].faces = all;
  lists[0].count = nface;
  for (int index = 0; index < t->ncell; index++) {
    if (t->cells[index].level >= MAX_LEVEL) continue;
    TriangleList own;
    if (touchingFaces(t, &own, buffer, lists[index], index, vert, face)) return -1;
    if (!own.count) continue;
    if (splitCell(t, index) || growLists(t, &lists, &capacity)) return -1;
    for (int i = 0; i < 8; i++) lists[t->cells[index].child + i] = own;
  }
  return 0;
}

// ---- stage 2: balance ----

// The cell of a level that covers given coordinates, or the leaf above it; -1 outside of the root.
static int findCell(const Tree* t, int level, const int at[3]) {
  for (int k = 0; k < 3; k++) {
    if (at[k] < 0 || at[k] >= 1 << level) return -1;
  }
  int index = 0;
  for (int l = 1; l <= level && t->cells[index].child >= 0; l++) {
    int shift = level - l, child = 0;
    for (int k = 0; k < 3; k++) child |= (at[k] >> shift & 1) << k;
    index = t->cells[index].child + child;
  }
  return index;
}

// A leaf across a face of a cell: the first one of those that touch it.
static int neighborLeaf(const Tree* t, int index, int axis, int high) {
  SN_ASSERT_INDEX(index, t->ncell);
  SN_ASSERT_INDEX(axis, 3);
  const Cell* cell = t->cells + index;
  int at[3] = {cell->at[0], cell->at[1], cell->at[2]};
  at[axis] += high ? 1 : -1;
  int other = findCell(t, cell->level, at);
  while (other >= 0 && t->cells[other].child >= 0) {
    other = t->cells[other].child + (high ? 0 : 1 << axis);
  }
  return other;
}

static int balance(Tree* t) {
  for (;;) {
    int count = t->ncell, nscheduled = 0;
    int* scheduled = SN_SCRATCH(t->work, int, count);
    snByte* marked = SN_SCRATCH(t->work, snByte, count);
    if (!scheduled || !marked) return -1;
    for (int i = 0; i < count; i++) {
      if (t->cells[i].child >= 0) continue;
      for (int direction = 0; direction < 6; direction++) {
        int other = neighborLeaf(t, i, direction / 2, direction % 2);
        if (other < 0) continue;
        int difference = t->cells[other].level - t->cells[i].level;
        int chosen = difference > 1 ? i : difference < -1 ? other : -1;
        if (chosen >= 0 && !marked[chosen]) {
          marked[chosen] = 1;
          scheduled[nscheduled++] = chosen;
        }
      }
    }
    if (!nscheduled) return 0;
    for (int i = 0; i < nscheduled; i++) {
      if (splitCell(t, scheduled[i])) return -1;
    }
  }
}

// ---- stage 3: coefficients ----

typedef struct Corners_ {
  int* index;  // corner on the finest grid -> value, plus one; 0: not known yet
  double* value;
  int count;
} Corners;

static size_t gridIndex(const int at[3]) {
  SN_ASSERT(at[0] >= 0 && at[0] <= GRID && at[1] >= 0 && at[1] <= GRID);
  SN_ASSERT(at[2] >= 0 && at[2] <= GRID);
  const size_t n = GRID + 1;
  return ((size_t)at[2] * n + (size_t)at[1]) * n + (size_t)at[0];
}

// Coordinates of a corner of a cell on the finest grid.
static void cornerAt(const Cell* cell, int corner, int at[3]) {
  int size = GRID >> cell->level;
  for (int k = 0; k < 3; k++) at[k] = (cell->at[k] + (corner >> k & 1)) * size;
}

// Mean of the corners of a coarse cell between which a point lies; 0 when it is a corner itself or
// when one of them is not known yet.
static int hangingValue(const Corners* corners, const Cell* coarse, const int at[3],
                        double* value) {
  int size = GRID >> coarse->level, low[3], inner = 0, free[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    low[k] = coarse->at[k] * size;
    if (at[k] < low[k] || at[k] > low[k] + size) return 0;
    free[k] = at[k] != low[k] && at[k] != low[k] + size;
    inner += free[k];
  }
  if (inner == 0 || inner == 3) return 0;
  double sum = 0;
  int count = 0;
  for (int corner = 0; corner < 8; corner++) {
    int point[3], between = 1;
    for (int k = 0; k < 3; k++) {
      point[k] = low[k] + (corner >> k & 1) * size;
      between &= free[k] || point[k] == at[k];
    }
    if (!between) continue;
    int known = corners->index[gridIndex(point)];
    if (!known) return 0;
    sum += corners->value[known - 1];
    count++;
  }
  *value = sum / count;
  return 1;
}

// Value of a corner that lies inside a face or an edge of a coarser leaf; of several, the finest.
static int findHanging(const Tree* t, const Corners* corners, int index, const int at[3],
                       double* value) {
  int finest = -1;
  for (int octant = 0; octant < 8; octant++) {
    int point[3];
    double candidate;
    for (int k = 0; k < 3; k++) point[k] = at[k] - 1 + (octant >> k & 1);
    int other = findCell(t, MAX_LEVEL, point);
    if (other < 0) continue;
    int level = t->cells[other].level;
    if (level >= t->cells[index].level || level <= finest) continue;
    if (hangingValue(corners, t->cells + other, at, &candidate)) {
      finest = level;
      *value = candidate;
    }
  }
  return finest >= 0;
}

static int evaluate(Tree* t, snOctree* octree, snDistance* distance) {
  const size_t n = GRID + 1;
  Corners corners = {0};
  corners.index = SN_SCRATCH(t->work, int, n* n* n);
  corners.value = SN_SCRATCH(t->work, double, n* n* n);
  if (!corners.index || !corners.value) return -1;
  for (int level = 0; level <= MAX_LEVEL; level++) {
    for (int i = 0; i < t->ncell; i++) {
      const Cell* cell = t->cells + i;
      if (cell->level != level) continue;
      for (int corner = 0; corner < 8; corner++) {
        int at[3];
        cornerAt(cell, corner, at);
        int* known = corners.index + gridIndex(at);
        if (!*known) {
          double value, point[3];
          if (!findHanging(t, &corners, i, at, &value)) {
            for (int k = 0; k < 3; k++) point[k] = corner >> k & 1 ? cell->max[k] : cell->min[k];
            value = sn_signedDistance(distance, point);
          }
          corners.value[corners.count++] = value;
          *known = corners.count;
        }
        octree->coeff[8 * (size_t)i + (size_t)corner] = corners.value[*known - 1];
      }
    }
  }
  return 0;
}

static int store(Tree* t, snOctree* octree) {
  size_t n = (size_t)t->ncell;
  octree->nnode = t->ncell;
  octree->depth = SN_KEEP(t->work, int, n);
  octree->child = SN_KEEP(t->work, int, 8 * n);
  octree->aabb = SN_KEEP(t->work, double, 6 * n);
  octree->coeff = SN_KEEP(t->work, double, 8 * n);
  if (!octree->depth || !octree->child || !octree->aabb || !octree->coeff) return -1;
  for (size_t i = 0; i < n; i++) {
    const Cell* cell = t->cells + i;
    octree->depth[i] = cell->level;
    for (int k = 0; k < 8; k++) {
      octree->child[8 * i + (size_t)k] = cell->child < 0 ? -1 : cell->child + k;
    }
    for (int k = 0; k < 3; k++) {
      octree->aabb[6 * i + (size_t)k] = (cell->min[k] + cell->max[k]) / 2;
      octree->aabb[6 * i + 3 + (size_t)k] = (cell->max[k] - cell->min[k]) / 2;
    }
  }
  return 0;
}

int sn_buildOctree(snWork* work, snOctree* octree, const double* vert, int nvert, const int* face,
                   int nface, const double bounds[6]) {
  Tree tree = {.work = work};
  memset(octree, 0, sizeof(*octree));
  if (reserve(&tree, 1)) return -1;
  Cell* root = tree.cells + tree.ncell++;
  root->child = -1;
  for (int k = 0; k < 3; k++) {
    double center = (bounds[k] + bounds[k + 3]) / 2, half = (bounds[k + 3] - bounds[k]) / 2;
    root->min[k] = center - 1.1 * half;
    root->max[k] = center + 1.1 * half;
  }
  if (splitTouched(&tree, vert, face, nface)) return -1;
  if (balance(&tree)) return -1;
  if (store(&tree, octree)) return -1;
  snDistance distance;
  if (sn_makeDistance(work, &distance, vert, nvert, face, nface)) return -1;
  return evaluate(&tree, octree, &distance);
}
