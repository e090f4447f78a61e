#include "asset/bvh.h"

#include <float.h>
#include <math.h>

#include "asset/algebra.h"
#include "base/assert.h"

typedef struct Builder_ {
  const snBvhLeaf* leaves;
  int* order;  // leaves of the current node
  int* spare;  // for merging
  snBvh* bvh;
} Builder;

// Order of two leaves along an axis: by key, equal keys (and NaN) by index.
static int precedes(const Builder* b, int i, int j, int axis) {
  double x = b->leaves[i].key[axis], y = b->leaves[j].key[axis];
  if (fabs(x - y) > SN_EPS) return x < y;
  return i < j;
}

// Merge sort: unlike a quick sort it stays within bounds when near ties make the order
// intransitive.
static void sortLeaves(const Builder* b, int* order, int* spare, int n, int axis) {
  SN_ASSERT_INDEX(axis, 3);
  if (n <= 8) {
    for (int i = 1; i < n; i++) {
      int leaf = order[i], k = i;
      for (; k > 0 && precedes(b, leaf, order[k - 1], axis); k--) order[k] = order[k - 1];
      order[k] = leaf;
    }
    return;
  }
  int half = n / 2;
  sortLeaves(b, order, spare, half, axis);
  sortLeaves(b, order + half, spare, n - half, axis);
  for (int i = 0; i < half; i++) spare[i] = order[i];
  for (int i = 0, j = half, k = 0; i < half; k++) {
    if (j < n && precedes(b, order[j], spare[i], axis)) {
      order[k] = order[j++];
    } else {
      order[k] = spare[i++];
    }
  }
}

// Selection. The order of leaves is intransitive where keys nearly tie, so that the halves depend
// on the steps of the algorithm: Hoare's selection, with the median of first, middle and last as
// pivot, which stops early when it finds a part already in order, and orders short parts by
// selection sort.

typedef struct Range_ {
  const Builder* builder;
  int* leaf;
  int low, high;  // part that is being searched
  int axis;
} Range;

static int less(const Range* r, int i, int j) {
  return precedes(r->builder, r->leaf[i], r->leaf[j], r->axis);
}

static void swap(const Range* r, int i, int j) {
  int leaf = r->leaf[i];
  r->leaf[i] = r->leaf[j];
  r->leaf[j] = leaf;
}

// Sort three leaves; the number of swaps.
static int sortThree(const Range* r, int i, int j, int k) {
  if (!less(r, j, i)) {
    if (!less(r, k, j)) return 0;
    swap(r, j, k);
    if (!less(r, j, i)) return 1;
    swap(r, i, j);
    return 2;
  }
  if (less(r, k, j)) {
    swap(r, i, k);
    return 1;
  }
  swap(r, i, j);
  if (!less(r, k, j)) return 1;
  swap(r, j, k);
  return 2;
}

static void selectionSort(const Range* r) {
  for (int i = r->low; i < r->high - 1; i++) {
    int smallest = i;
    for (int j = i + 1; j < r->high; j++) {
      if (less(r, j, smallest)) smallest = j;
    }
    if (smallest != i) swap(r, i, smallest);
  }
}

static int isSorted(const Range* r, int from, int to) {
  for (int i = from + 1; i < to; i++) {
    if (less(r, i, i - 1)) return 0;
  }
  return 1;
}

// The first leaf is the smallest one: split off all that do not follow it. Returns where the rest
// begins, or -1 when there is none.
static int splitSmallest(const Range* r) {
  SN_ASSERT(r->high - r->low >= 2);
  int i = r->low + 1, j = r->high - 1;
  if (!less(r, r->low, j)) {
    for (;; i++) {
      if (i == j) return -1;
      if (less(r, r->low, i)) {
        swap(r, i, j);
        i++;
        break;
      }
    }
  }
  if (i == j) return -1;
  for (;; i++) {
    while (i < r->high - 1 && !less(r, r->low, i)) i++;
    do j--;
    while (j > r->low && less(r, r->low, j));
    if (i >= j) return i;
    swap(r, i, j);
  }
}

// One round: move the pivot to where it belongs and narrow the range around target. Returns 0 when
// the target is in place.
static int narrow(Range* r, int target) {
  SN_ASSERT(r->low <= target && target < r->high);
  int first = r->low, last = r->high, middle = first + (last - first) / 2;
  int nswap = sortThree(r, first, middle, last - 1);
  int i = first, j = last - 1;
  if (!less(r, i, middle)) {
    // the first leaf equals the pivot: look for a smaller one from the end
    for (;;) {
      if (i == --j) {
        i = splitSmallest(r);
        if (i < 0 || target < i) return 0;
        r->low = i;
        return 1;
      }
      if (less(r, j, middle)) {
        swap(r, i, j);
        nswap++;
        break;
      }
    }
  }
  i++;
  if (i < j) {
    for (;; i++) {
      while (i < last - 1 && less(r, i, middle)) i++;
      do j--;
      while (j > first && !less(r, j, middle));
      if (i >= j) break;
      swap(r, i, j);
      nswap++;
      if (middle == i) middle = j;
    }
  }
  if (i != middle && less(r, middle, i)) {
    swap(r, i, middle);
    nswap++;
  }
  if (target == i) return 0;
  if (!nswap && isSorted(r, target < i ? first : i, target < i ? i : last)) return 0;
  if (target < i) {
    r->high = i;
  } else {
    r->low = i + 1;
  }
  return 1;
}

// Order leaves so that the first half of them are the smallest ones.
static void selectHalf(const Builder* b, int* leaf, int n, int axis) {
  Range range = {b, leaf, 0, n, axis};
  int target = n / 2;
  int64_t work = 0;
  while (range.high - range.low > 7) {
    // keys that make selection quadratic
    work += range.high - range.low;
    if (work > 64 * (int64_t)n) {
      sortLeaves(b, leaf, b->spare, n, axis);
      return;
    }
    if (!narrow(&range, target)) return;
    if (target == range.high) return;
  }
  int length = range.high - range.low;
  if (length == 2) {
    if (less(&range, range.low + 1, range.low)) swap(&range, range.low, range.low + 1);
  } else if (length == 3) {
    sortThree(&range, range.low, range.low + 1, range.low + 2);
  } else if (length > 3) {
    selectionSort(&range);
  }
}

static void unionBox(const Builder* b, const int* order, int n, double box[6]) {
  SN_ASSERT(n > 0);
  for (int k = 0; k < 3; k++) {
    box[k] = DBL_MAX;  // what is not a number widens no box, as in MuJoCo
    box[k + 3] = -DBL_MAX;
  }
  for (int i = 0; i < n; i++) {
    const snBvhLeaf* leaf = b->leaves + order[i];
    for (int k = 0; k < 3; k++) {
      if (leaf->min[k] < box[k]) box[k] = leaf->min[k];
      if (leaf->max[k] > box[k + 3]) box[k + 3] = leaf->max[k];
    }
  }
  for (int k = 0; k < 3; k++) {
    if (fabs(box[k + 3] - box[k]) < SN_EPS) {
      box[k] -= SN_EPS;
      box[k + 3] += SN_EPS;
    }
  }
}

static int buildNode(Builder* b, int* order, int n, int level) {
  snBvh* bvh = b->bvh;
  int index = bvh->nnode++;
  double box[6];
  unionBox(b, order, n, box);
  double* aabb = bvh->aabb + 6 * (size_t)index;
  for (int k = 0; k < 3; k++) {
    aabb[k] = (box[k + 3] + box[k]) / 2;
    aabb[k + 3] = (box[k + 3] - box[k]) / 2;
  }
  bvh->depth[index] = level;
  bvh->child[2 * index] = bvh->child[2 * index + 1] = -1;
  bvh->nodeid[index] = -1;
  if (level > bvh->maxdepth) bvh->maxdepth = level;
  if (n == 1) {
    bvh->nodeid[index] = b->leaves[order[0]].id;
    return index;
  }

  int axis = 0;
  double extent[3] = {box[3] - box[0], box[4] - box[1], box[5] - box[2]};
  if (extent[1] >= extent[0] + SN_EPS) axis = 1;
  if (extent[2] >= extent[axis] + SN_EPS) axis = 2;
  selectHalf(b, order, n, axis);
  int left = buildNode(b, order, n / 2, level + 1);
  int right = buildNode(b, order + n / 2, n - n / 2, level + 1);
  SN_ASSERT(left == index + 1 && right > left && right < bvh->nnode);
  bvh->child[2 * index] = left;
  bvh->child[2 * index + 1] = right;
  return index;
}

int sn_buildBvh(snWork* work, snBvh* bvh, const snBvhLeaf* leaves, int nleaf) {
  snBvh empty = {0};
  *bvh = empty;
  if (nleaf <= 0) return 0;
  size_t nnode = 2 * (size_t)nleaf - 1;
  if (nnode > INT32_MAX / 2) return sn_fail(work, "too many leaves in a bounding volume tree");
  bvh->aabb = SN_KEEP(work, double, 6 * nnode);
  bvh->child = SN_KEEP(work, int, 2 * nnode);
  bvh->depth = SN_KEEP(work, int, nnode);
  bvh->nodeid = SN_KEEP(work, int, nnode);
  int* order = SN_SCRATCH(work, int, nleaf);
  int* spare = SN_SCRATCH(work, int, nleaf);
  if (!bvh->aabb || !bvh->child || !bvh->depth || !bvh->nodeid || !order || !spare) return -1;
  for (int i = 0; i < nleaf; i++) order[i] = i;
  Builder builder = {leaves, order, spare, bvh};
  buildNode(&builder, order, nleaf, 0);
  SN_ASSERT((size_t)bvh->nnode == nnode);
  return 0;
}

// Corner i of a box, taken from the geom frame to the body frame and then to the inertial frame.
static void inertialPoint(double result[3], const snBvhGeom* geom, int corner, const double ipos[3],
                          const double inverse[4]) {
  for (int k = 0; k < 3; k++) {
    result[k] = geom->aabb[k] + (corner >> k & 1 ? geom->aabb[k + 3] : -geom->aabb[k + 3]);
  }
  sn_rotateVec(result, result, geom->quat);
  for (int k = 0; k < 3; k++) result[k] += geom->pos[k] - ipos[k];
  sn_rotateVec(result, result, inverse);
}

int sn_buildBodyBvh(snPool* pool, snBvh* bvh, const double ipos[3], const double iquat[4],
                    const snBvhGeom* geoms, int ngeom) {
  snWork work = {.keep = pool};
  snBvhLeaf* leaves = SN_SCRATCH(&work, snBvhLeaf, ngeom);
  if (!leaves) return -1;
  double inverse[4] = {iquat[0], -iquat[1], -iquat[2], -iquat[3]};
  for (int i = 0; i < ngeom; i++) {
    snBvhLeaf* leaf = leaves + i;
    leaf->id = geoms[i].id;
    sn_sub3(leaf->key, geoms[i].pos, ipos);
    sn_rotateVec(leaf->key, leaf->key, inverse);
    for (int k = 0; k < 3; k++) {
      leaf->min[k] = DBL_MAX;
      leaf->max[k] = -DBL_MAX;
    }
    for (int corner = 0; corner < 8; corner++) {
      double point[3];
      inertialPoint(point, geoms + i, corner, ipos, inverse);
      for (int k = 0; k < 3; k++) {
        if (point[k] < leaf->min[k]) leaf->min[k] = point[k];
        if (point[k] > leaf->max[k]) leaf->max[k] = point[k];
      }
    }
  }
  int status = sn_buildBvh(&work, bvh, leaves, ngeom);
  sn_poolRelease(&work.scratch);
  return status;
}
