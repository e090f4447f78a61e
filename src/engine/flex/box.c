// Boxes around the elements, and around the nodes of the bounding volume trees: centre, half sizes.

#include "base/assert.h"
#include "engine/flex/flex.h"
#include "math/four.h"
#include "math/math.h"

#if SN_HAS_SHUFFLES  // vectors stay inside of functions: how they are passed depends on the processor
// Half sizes of a box that is stored as four numbers and two.
#ifdef __clang__
#define HALF(center, rest) \
  __builtin_shufflevector(center, __builtin_shufflevector(rest, rest, 0, 1, 1, 1), 3, 4, 5, 5)
#else
#define HALF(center, rest) __builtin_shufflevector(center, rest, 3, 4, 5, 5)
#endif

// A loop over the four numbers of a vector. gcc makes one operation of it if it does not unroll it first.
#ifdef __clang__
#define ROLLED
#else
#define ROLLED _Pragma("GCC unroll 1")
#endif

// least = a < b ? a : b
SN_KERNEL void takeLeast(snFour* least, const snFour* a, const snFour* b) {
  ROLLED for (int k = 0; k < 4; k++)(*least)[k] = (*a)[k] < (*b)[k] ? (*a)[k] : (*b)[k];
}

SN_KERNEL void takeGreatest(snFour* greatest, const snFour* a, const snFour* b) {
  ROLLED for (int k = 0; k < 4; k++)(*greatest)[k] = (*a)[k] > (*b)[k] ? (*a)[k] : (*b)[k];
}

// A box is loaded and stored as four numbers and two. A parent often loads what was just stored, and processors forward
// stores only to loads that lie within one of them.
#define LOAD2(from) (*(const snTwo*)(from))

// a point in a vector of four: x, y, y, z
#define POINT(x) __builtin_shufflevector(LOAD2(x), LOAD2((x) + 1), 0, 1, 2, 3)

SN_KERNEL void storeBox(snReal box[6], const snFour* center, const snFour* half) {
  *(snFour*)box = __builtin_shufflevector(*center, *half, 0, 1, 2, 4);
  *(snTwo*)(box + 4) = __builtin_shufflevector(*half, *half, 1, 2);
}
#endif

// smallest box around the vertices of an element, enlarged by the radius
SN_KERNEL void elementBox(const snReal* xpos, const int* vertex, int n, snReal radius,
                          snReal box[6]) {
#if SN_HAS_SHUFFLES
  snFour low = POINT(xpos + 3 * (snSize)vertex[0]), high = low;
  for (int i = 1; i < n; i++) {
    snFour x = POINT(xpos + 3 * (snSize)vertex[i]);
    takeLeast(&low, &x, &low);
    takeGreatest(&high, &x, &high);
  }
  snFour center = (snReal)0.5 * (high + low), half = (snReal)0.5 * (high - low) + radius;
  center = __builtin_shufflevector(center, center, 0, 1, 3, 3);
  half = __builtin_shufflevector(half, half, 0, 1, 3, 3);
  storeBox(box, &center, &half);
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

// boxes of elements of n vertices, a compile-time constant
SN_KERNEL void boxesOf(const snModel* m, snData* d, int flex, int n) {
  SN_ASSERT(n == m->flex_dim[flex] + 1);
  const int* element = m->flex_elem + m->flex_elemdataadr[flex];
  const snReal* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  snReal *box = d->flexelem_aabb + 6 * m->flex_elemadr[flex], radius = m->flex_radius[flex];
  int count = m->flex_elemnum[flex];
  SN_FOR(i, count) elementBox(xpos, element + i * n, n, radius, box + 6 * i);
}

SN_WIDE(static, void, elementBoxes, (const snModel* m, snData* d, int flex), (m, d, flex)) {
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
  SN_ASSERT(root >= m->nbvhstatic && i < m->flex_bvhnum[flex]);
  SN_ASSERT(child[0] < 0 || (child[0] > i && child[1] > i));  // children come after their parent
  if (child[0] < 0) {
    int element = m->flex_elemadr[flex] + m->bvh_nodeid[node];
    snu_copy(boxes + 6 * i, d->flexelem_aabb + 6 * element, 6);
  } else {
    joinBoxes(boxes + 6 * i, boxes + 6 * child[0], boxes + 6 * child[1]);
  }
}

#if SN_HAS_SHUFFLES
// A tree and the boxes of its elements.
typedef struct Tree_ {
  const int *child, *nodeid;
  const snReal* elements;
  snReal* boxes;
} Tree;

SN_KERNEL void copyBox(snReal* to, const snReal* from) {
  *(snFour*)to = SN_LOAD4(from);
  *(snTwo*)(to + 4) = LOAD2(from + 4);
}

// joinBoxes of the children of node i
SN_KERNEL void joinChildren(const Tree* t, int i) {
  const snReal* a = t->boxes + 6 * (snSize)t->child[2 * (snSize)i];
  const snReal* b = t->boxes + 6 * (snSize)t->child[2 * (snSize)i + 1];
  snFour center1 = SN_LOAD4(a), center2 = SN_LOAD4(b);
  snTwo rest1 = LOAD2(a + 4), rest2 = LOAD2(b + 4);
  snFour half1 = HALF(center1, rest1);
  snFour half2 = HALF(center2, rest2);
  snFour low1 = center1 - half1, low2 = center2 - half2, low;
  snFour high1 = center1 + half1, high2 = center2 + half2, high;
  takeLeast(&low, &low1, &low2);
  takeGreatest(&high, &high1, &high2);
  snFour center = (snReal)0.5 * (high + low), half = (snReal)0.5 * (high - low);
  storeBox(t->boxes + 6 * (snSize)i, &center, &half);
}

// nodes that are looked at before those among them that have children are joined
enum { NODES = 128 };

// Copies the boxes of the leaves among nodes [end - count, end) from their elements, and lists the inner nodes, the
// last one first. Which nodes are leaves is unpredictable: every node is written to both lists, of which only one
// grows. Returns the number of inner nodes; *last: their largest child.
SN_KERNEL int listInner(const Tree* t, int end, int count, int inner[NODES], int* last) {
  SN_ASSERT(count >= 0 && count <= NODES && count <= end);
  int n = 0, leaves = 0, leaf[NODES];
  for (int i = end - 1; i >= end - count; i--) {
    int is_leaf = (int)((unsigned)t->child[2 * (snSize)i] >> 31);
    leaf[leaves] = inner[n] = i;
    leaves += is_leaf;
    n += 1 - is_leaf;
  }
  for (int k = 0; k < leaves; k++) {
    copyBox(t->boxes + 6 * (snSize)leaf[k], t->elements + 6 * (snSize)t->nodeid[leaf[k]]);
  }
  for (int i = 2 * (end - count); i < 2 * end; i++)
    *last = t->child[i] > *last ? t->child[i] : *last;
  return n;
}

// Takes nodes from [1, right) and [right, n) in turn, because a node often waits for the one before it. Returns whether
// the first range is a whole subtree; if not, its boxes may be wrong.
SN_KERNEL int twoTrees(const Tree* t, int right, int n) {
  SN_ASSERT(right > 1 && right < n);
  int end1 = right, end2 = n, last1 = 0, last2 = 0, inner1[NODES], inner2[NODES];
  while (end1 > 1 || end2 > right) {
    int count1 = end1 - 1 < NODES ? end1 - 1 : NODES;
    int count2 = end2 - right < NODES ? end2 - right : NODES;
    int n1 = listInner(t, end1, count1, inner1, &last1), k = 0;
    int n2 = listInner(t, end2, count2, inner2, &last2);
    for (; k < n1 && k < n2; k++) {
      joinChildren(t, inner1[k]);
      joinChildren(t, inner2[k]);
    }
    for (int j = k; j < n1; j++) joinChildren(t, inner1[j]);
    for (int j = k; j < n2; j++) joinChildren(t, inner2[j]);
    end1 -= count1;
    end2 -= count2;
  }
  return last1 < right;
}

// all nodes, by one lane
SN_KERNEL void allNodeBoxes(const Tree* t, int n) {
  int right = n > 2 ? t->child[1] : 0, inner[NODES], last = 0;
  if (right > 1 && right < n && twoTrees(t, right, n)) {
    joinChildren(t, 0);
    return;
  }
  for (int end = n, count; end > 0; end -= count) {
    count = end < NODES ? end : NODES;
    int found = listInner(t, end, count, inner, &last);
    for (int k = 0; k < found; k++) joinChildren(t, inner[k]);
  }
}
#endif

// children come after their parent; a team goes from level to level
SN_WIDE(static, void, refit, (const snModel* m, snData* d, int flex), (m, d, flex)) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int n = m->flex_bvhnum[flex], deepest = 0;
  if (SN_LANES == 1) {
#if SN_HAS_SHUFFLES
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
