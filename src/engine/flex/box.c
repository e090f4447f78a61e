// Boxes around the elements, and around the nodes of the bounding volume trees: centre, half sizes.

#include "base/assert.h"
#include "engine/flex/flex.h"
#include "math/four.h"
#include "math/math.h"

#if SN_HAS_FOUR
// Three numbers in a vector of four. (Vectors are not handed over: processors without them would differ.)
#define THREE(x) \
  { (x)[0], (x)[1], (x)[2], (x)[2] }

// a = mask ? a : b
#define SELECT(a, b, mask) \
  ((snFour)(((__typeof__(mask))(a) & (mask)) | ((__typeof__(mask))(b) & ~(mask))))
#define LEAST(a, b) SELECT(a, b, (a) < (b))
#define GREATEST(a, b) SELECT(a, b, (a) > (b))

SN_KERNEL void storeThree(snReal* x, const snFour* three) {
  for (int k = 0; k < 3; k++) x[k] = (*three)[k];
}
#endif

// smallest box around the vertices of an element, enlarged by the radius
SN_KERNEL void elementBox(const snReal* xpos, const int* vertex, int n, snReal radius,
                          snReal box[6]) {
#if SN_HAS_FOUR
  const snReal* first = xpos + 3 * vertex[0];
  snFour low = THREE(first), high = low;
  for (int i = 1; i < n; i++) {
    const snReal* next = xpos + 3 * vertex[i];
    snFour x = THREE(next);
    low = LEAST(x, low);
    high = GREATEST(x, high);
  }
  snFour center = (snReal)0.5 * (high + low), half = (snReal)0.5 * (high - low) + radius;
  storeThree(box, &center);
  storeThree(box + 3, &half);
#else
  const snReal* x = xpos + 3 * vertex[0];
  snReal low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
  for (int i = 1; i < n; i++) {
    x = xpos + 3 * vertex[i];
    for (int k = 0; k < 3; k++) {
      if (x[k] < low[k]) low[k] = x[k];
      if (x[k] > high[k]) high[k] = x[k];
    }
  }
  for (int k = 0; k < 3; k++) {
    box[k] = (snReal)0.5 * (high[k] + low[k]);
    box[3 + k] = (snReal)0.5 * (high[k] - low[k]) + radius;
  }
#endif
}

// boxes of elements of n vertices, a number that the compiler knows
SN_KERNEL void boxesOf(const snModel* m, snData* d, int flex, int n) {
  const int* element = m->flex_elem + m->flex_elemdataadr[flex];
  const snReal* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  snReal *box = d->flexelem_aabb + 6 * m->flex_elemadr[flex], radius = m->flex_radius[flex];
  SN_FOR(i, m->flex_elemnum[flex]) elementBox(xpos, element + i * n, n, radius, box + 6 * i);
}

SN_WIDE static void elementBoxes(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  switch (m->flex_dim[flex]) {
    case 1: boxesOf(m, d, flex, 2); break;
    case 2: boxesOf(m, d, flex, 3); break;
    default: boxesOf(m, d, flex, 4); break;
  }
}

// ---- trees

SN_KERNEL void joinBoxes(snReal box[6], const snReal a[6], const snReal b[6]) {
  for (int k = 0; k < 3; k++) {
    snReal low = a[k] - a[3 + k], lower = b[k] - b[3 + k];
    snReal high = a[k] + a[3 + k], higher = b[k] + b[3 + k];
    low = low < lower ? low : lower;
    high = high > higher ? high : higher;
    box[k] = (snReal)0.5 * (high + low);
    box[3 + k] = (snReal)0.5 * (high - low);
  }
}

// box of a node from its element or from its children
SN_KERNEL void nodeBox(const snModel* m, snData* d, int flex, int i) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int root = m->flex_bvhadr[flex], node = root + i;
  snReal* boxes = d->bvh_aabb_dyn + 6 * (root - m->nbvhstatic);
  const int* child = m->bvh_child + 2 * (snSize)node;
  if (child[0] < 0) {
    int element = m->flex_elemadr[flex] + m->bvh_nodeid[node];
    snu_copy(boxes + 6 * i, d->flexelem_aabb + 6 * element, 6);
  } else {
    joinBoxes(boxes + 6 * i, boxes + 6 * child[0], boxes + 6 * child[1]);
  }
}

#if SN_HAS_FOUR
// What the boxes of a tree are made of.
typedef struct Tree_ {
  const int *child, *nodeid;
  const snReal* elements;
  snReal* boxes;
} Tree;

// The same of one node. Whether it is a leaf cannot be foretold: boxes are joined either way.
SN_KERNEL void treeBox(const Tree* t, int i) {
  const snReal* source[2] = {t->boxes, t->elements};
  // arithmetic instead of branches
  const int* child = t->child + 2 * (snSize)i;
  int leaf = child[0] < 0, own = t->nodeid[i] & -leaf;
  const snReal* a = source[leaf] + 6 * (snSize)(own | (child[0] & (leaf - 1)));
  const snReal* b = source[leaf] + 6 * (snSize)(own | (child[1] & (leaf - 1)));
  snFour center1 = THREE(a), half1 = THREE(a + 3), center2 = THREE(b), half2 = THREE(b + 3);
  snFour low1 = center1 - half1, low2 = center2 - half2, low = LEAST(low1, low2);
  snFour high1 = center1 + half1, high2 = center2 + half2, high = GREATEST(high1, high2);
  snFour center = (snReal)0.5 * (high + low), half = (snReal)0.5 * (high - low);
  snReal one = (snReal)leaf;
  snFour is_leaf = {one, one, one, one};
  center = SELECT(center1, center, is_leaf > 0);
  half = SELECT(half1, half, is_leaf > 0);
  storeThree(t->boxes + 6 * (snSize)i, &center);
  storeThree(t->boxes + 6 * (snSize)i + 3, &half);
}

// Nodes [1, right) and [right, n) below the root, one of each in turn, as a node often waits for the one before it.
// Returns whether the first stretch is a tree by itself; if not, its boxes may be wrong.
SN_KERNEL int twoTrees(const Tree* t, int right, int n) {
  int left = right - 1, other = n - right, both = left < other ? left : other, astray = 0;
  for (int k = 0; k < both; k++) {
    int i = right - 1 - k;
    treeBox(t, i);
    treeBox(t, n - 1 - k);
    astray |= (t->child[2 * (snSize)i] >= right) | (t->child[2 * (snSize)i + 1] >= right);
  }
  for (int i = right - 1 - both; i > 0; i--) {
    treeBox(t, i);
    astray |= (t->child[2 * (snSize)i] >= right) | (t->child[2 * (snSize)i + 1] >= right);
  }
  for (int i = n - 1 - both; i >= right; i--) treeBox(t, i);
  return !astray;
}

// all nodes, by one lane
SN_KERNEL void allNodeBoxes(const Tree* t, int n) {
  int right = n > 2 ? t->child[1] : 0;
  if (right > 1 && right < n && twoTrees(t, right, n)) {
    treeBox(t, 0);
    return;
  }
  for (int i = n - 1; i >= 0; i--) treeBox(t, i);
}
#endif

// children come after their parent; a team goes from level to level
SN_WIDE static void refit(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int n = m->flex_bvhnum[flex], deepest = 0;
  if (SN_LANES == 1) {
#if SN_HAS_FOUR
    int root = m->flex_bvhadr[flex];
    Tree tree = {m->bvh_child + 2 * (snSize)root, m->bvh_nodeid + root,
                 d->flexelem_aabb + 6 * m->flex_elemadr[flex],
                 d->bvh_aabb_dyn + 6 * (root - m->nbvhstatic)};
    allNodeBoxes(&tree, n);
#else
    for (int i = n - 1; i >= 0; i--) nodeBox(m, d, flex, i);
#endif
    return;
  }
  const int* depth = m->bvh_depth + m->flex_bvhadr[flex];
  SN_FOR(i, n) deepest = depth[i] > deepest ? depth[i] : deepest;
  deepest = sn_teamMaxInt(deepest);
  for (int level = deepest; level >= 0; level--) {
    SN_FOR(i, n) {
      if (depth[i] == level) nodeBox(m, d, flex, i);
    }
    SN_SYNC();
  }
}

void sn_flexBoxes(const snModel* m, snData* d) {
  for (int flex = 0; flex < (int)m->nflex; flex++) elementBoxes(m, d, flex);
  SN_SYNC();
  if (m->opt.disableflags & snDSBL_MIDPHASE) return;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (m->flex_bvhnum[flex]) refit(m, d, flex);
  }
}
