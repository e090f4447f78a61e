// Which trees do constraints tie together? Trees are vertices of a graph, and every row is an edge between the trees
// that it touches. Islands are the components with at least one edge, numbered by their smallest tree.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/constrain/island.h"
#include "math/math.h"
#include "model/object_types.h"

// ---- graph of trees ------------------------------------------------------------------------------

// bodies on the two sides of a constraint that ties exactly two; 0 when it is of another kind
static int twoBodies(const snModel* m, const snData* d, int row, int body[2]) {
  SN_ASSERT_INDEX(row, d->nefc);
  int id = d->efc_id[row];
  if (sn_isContactRow(d->efc_type[row])) {
    const int* geom = d->contact[id].geom;
    if (geom[0] < 0 || geom[1] < 0) return 0;
    body[0] = m->geom_bodyid[geom[0]];
    body[1] = m->geom_bodyid[geom[1]];
    return 1;
  }
  if (d->efc_type[row] != snCNSTR_EQUALITY || !sn_isPoseEquality(m->eq_type[id])) return 0;
  int site = m->eq_objtype[id] == snOBJ_SITE;
  body[0] = site ? m->site_bodyid[m->eq_obj1id[id]] : m->eq_obj1id[id];
  body[1] = site ? m->site_bodyid[m->eq_obj2id[id]] : m->eq_obj2id[id];
  return 1;
}

// The trees that a row touches, one after the other; a tree may come again.
typedef struct Touched_ {
  const int* dof_tree;  // of all dofs
  const int* column;    // dofs of the row; NULL: its trees are listed
  const snReal* value;  // entries of which zeros do not count; NULL: all count
  int tree[2];
  int k, n;
} Touched;

// Rows of a dof, a joint or two bodies name their trees, others have columns. A dense row of two coupled
// joints or tendons whose slope is zero does not touch the second.
static Touched touchedTrees(const snModel* m, const snData* d, int row) {
  SN_ASSERT_INDEX(row, d->nefc);
  Touched touched = {m->dof_treeid, NULL, NULL, {-1, -1}, 0, 2};
  int body[2], type = d->efc_type[row], id = d->efc_id[row], adr = d->efc_J_rowadr[row];
  if (type == snCNSTR_FRICTION_DOF) {
    touched.tree[0] = m->dof_treeid[id];
  } else if (type == snCNSTR_LIMIT_JOINT) {
    touched.tree[0] = m->dof_treeid[m->jnt_dofadr[id]];
  } else if (twoBodies(m, d, row, body)) {
    for (int s = 0; s < 2; s++) touched.tree[s] = m->body_treeid[body[s]];
  } else {
    touched.column = d->efc_J_colind + adr;
    if (!sn_isSparse(m) && !sn_isContactRow(type)) touched.value = d->efc_Js + adr;
    touched.n = d->efc_J_rownnz[row];
  }
  return touched;
}

// -1 after the last
static int nextTree(Touched* touched) {
  while (touched->k < touched->n) {
    int k = touched->k++;
    int tree = touched->column ? touched->dof_tree[touched->column[k]] : touched->tree[k];
    if (tree >= 0 && !(touched->value && touched->value[k] == 0)) return tree;
  }
  return -1;
}

// Does the row touch the same trees as the row before it? Rows of one block do, and those of one vertex of a flex.
static int isInside(const snModel* m, const snData* d, int row) {
  SN_ASSERT_INDEX(row, d->nefc);
  if (!row) return 0;
  if (d->efc_J_rowsuper[row - 1] == d->efc_J_rowsuper[row] + 1) return 1;
  int type = d->efc_type[row], id = d->efc_id[row], n = d->efc_J_rownnz[row];
  return type == snCNSTR_EQUALITY && m->eq_type[id] == snEQ_FLEXVERT && sn_isSparse(m) &&
         d->efc_type[row - 1] == type && d->efc_id[row - 1] == id &&
         d->efc_J_rownnz[row - 1] == n &&
         !memcmp(d->efc_J_colind + d->efc_J_rowadr[row - 1], d->efc_J_colind + d->efc_J_rowadr[row],
                 (size_t)n * sizeof(int));
}

// ---- components of the graph ---------------------------------------------------------------------
//
// Every tree has a label, a tree of its component that is not larger than itself; one that is its own label is a
// root (union-find). A row joins its trees: the larger of two roots gets the smaller one as its label. The root of a
// component is its smallest tree, in whatever order lanes take the rows.

// the root of a tree; path splitting: each label on the way is replaced by the label of that label
static int findRoot(int* label, int tree) {
  int next = SN_PEEK(label[tree]);
  SN_ASSERT(tree >= 0 && next >= 0);
  while (next != tree) {
    int after = SN_PEEK(label[next]);
    if (after != next) (void)SN_LOWER(label[tree], after);
    tree = next;
    next = after;
  }
  return tree;
}

static void join(int* label, int a, int b) {
  for (;;) {
    a = findRoot(label, a);
    b = findRoot(label, b);
    if (a == b) return;
    int larger = a > b ? a : b, smaller = a > b ? b : a;
    int before = SN_LOWER(label[larger], smaller);
    if (before == larger) return;
    a = before;  // another lane has joined `larger` to this tree in the meantime
    b = smaller;
  }
}

// The tree that the first and the last column of a row belong to: the row touches no other, as columns ascend and the
// dofs of a tree lie side by side. -1: there may be others.
static int onlyTree(const Touched* touched) {
  const int *column = touched->column, n = touched->n;
  if (!column || !n || (touched->value && touched->value[0] == 0)) return -1;
  int tree = touched->dof_tree[column[0]];
  return tree == touched->dof_tree[column[n - 1]] ? tree : -1;
}

// join the trees of one row; returns one of them, -1 when it touches none
static int joinRow(const snModel* m, const snData* d, int row, int* label) {
  SN_ASSERT_INDEX(row, d->nefc);
  Touched touched = touchedTrees(m, d, row);
  int only = onlyTree(&touched);
  if (only >= 0) return only;
  int first = nextTree(&touched), latest = first;
  for (int tree = first; tree >= 0; tree = nextTree(&touched)) {
    if (tree != latest) join(label, first, tree);
    latest = tree;
  }
  return first;
}

// Join the trees that the inertia of the step couples: with implicitspringdamper those that a tendon
// with a spring or damper ties.
static void joinCoupled(const snModel* m, const snData* d, int* label) {
  SN_FOR(dof, m->nv) {
    int n = d->Ms_rownnz[dof], adr = d->Ms_rowadr[dof];
    if (n > 1) join(label, m->dof_treeid[dof], m->dof_treeid[d->Ms_colind[adr + n - 2]]);
  }
}

enum { PARTS = 16, LEAST_ROWS = 512 };

static void listSome(const snModel* m, snData* view, void* context, int begin, int end) {
  snRange range[3];
  sn_rowsOfParts(m, view, begin, end, PARTS, range);
  for (int k = 0; k < 3; k++) {
    snRowBlock* block = (snRowBlock*)context + range[k].begin;
    int row = range[k].begin, last = range[k].end, n = last - row;
    for (; row < last; row += block->size, block++, n--) {
      Touched touched = touchedTrees(m, view, row);
      block->row = row;
      block->size = 1 + view->efc_J_rowsuper[row];
      block->nnz = view->efc_J_rownnz[row];
      block->columns = touched.column != NULL;
      for (int s = 0; s < 2; s++) block->tree[s] = touched.tree[s];
    }
    if (n > 0) {
      block->row = last;
      block->size = 0;
    }
  }
}

void sn_listBlocks(const snModel* m, snData* d, snRowBlock* blocks) {
  listSome(m, d, blocks, 0, PARTS);
}

// By a crew: each thread has the contacts of its rows at hand. Returns 0 when it was not done.
static int listShared(const snModel* m, snData* d, snRowBlock* blocks) {
  return blocks && d->nefc >= LEAST_ROWS && sn_hasCrew(d) &&
         sn_share(m, d, PARTS, 1, listSome, blocks);
}

// joins the two trees that a block names; returns one of them, -1 when it touches none
static int joinPair(const snRowBlock* block, int* label) {
  int a = block->tree[0], b = block->tree[1];
  if (a < 0) return b;
  if (b >= 0 && b != a) join(label, a, b);
  return a;
}

// One lane, of the blocks that threads listed: joins their trees, and finds one tree of each, which is marked by 0.
static void joinBlocks(const snModel* m, const snData* d, const snRowBlock* blocks, int* row_tree,
                       int* label, int* mark) {
  int n = d->nefc, before = 0;
  for (int i = sn_nextBlock(blocks, 0, n); i < n; i = sn_nextBlock(blocks, i + 1, n)) {
    const snRowBlock* block = blocks + i;
    int row = block->row;
    row_tree[row] = !block->columns       ? joinPair(block, label)
                    : isInside(m, d, row) ? row_tree[before]
                                          : joinRow(m, d, row, label);
    if (row_tree[row] >= 0) mark[row_tree[row]] = 0;
    before = row;
  }
}

// Joins the trees of all rows, and finds one tree of every row (one lane: of the first row of every block); -1: it
// touches none.
static void joinRows(const snModel* m, const snData* d, int* row_tree, int* label) {
  enum { OF_ROW_BEFORE = 0x7fffffff };
  int alone = SN_LANES == 1, nefc = d->nefc, before = 0;
  for (int row = SN_LANE, next; row < nefc; row = next) {
    next = sn_nextRows(d, row);
    int inside = isInside(m, d, row);
    row_tree[row] = !inside ? joinRow(m, d, row, label) : alone ? row_tree[before] : OF_ROW_BEFORE;
    before = row;
  }
  SN_SYNC();
  if (alone) return;
  SN_FOR(row, nefc) {
    int first = row, tree = row_tree[row];
    while (tree == OF_ROW_BEFORE) tree = SN_PEEK(row_tree[--first]);
    if (first < row) (void)SN_LOWER(row_tree[row], tree);
  }
}

// Labels of all trees become roots. mark: 0 for a tree of each block, if threads listed the blocks.
static void labelTrees(const snModel* m, const snData* d, const snRowBlock* blocks, int* row_tree,
                       int* label, int* mark) {
  SN_FOR(t, m->ntree) label[t] = t;
  SN_SYNC();
  if (d->nMs) joinCoupled(m, d, label);
  if (blocks) {
    joinBlocks(m, d, blocks, row_tree, label, mark);
  } else {
    joinRows(m, d, row_tree, label);
  }
  SN_FOR(t, m->ntree)(void) SN_LOWER(label[t], findRoot(label, t));
  SN_SYNC();
}

// ---- few trees, by a team --------------------------------------------------------------------------
//
// Few trees: a set of trees is a word with a bit for each. Lane t holds the set of trees that rows join to tree t,
// itself included; it is empty when no row touches the tree.

enum { FEW_TREES = 8 };

static unsigned joinedByRows(const snModel* m, const snData* d, int* row_tree) {
  int lane = SN_LANE, ntree = (int)m->ntree, nefc = d->nefc;
  unsigned joined = 0;
  for (int first = 0; first < nefc; first += SN_LANES) {
    int row = first + lane;
    unsigned set = 0;
    if (row < nefc) {
      Touched touched = touchedTrees(m, d, row);
      for (int tree = nextTree(&touched); tree >= 0; tree = nextTree(&touched)) set |= 1u << tree;
      row_tree[row] = set ? sn_firstBit(set) : -1;
    }
    SN_PLAIN_LOOP
    for (int t = 0; t < ntree; t++) {
      unsigned together = sn_teamOr(set >> t & 1 ? set : 0);
      if (lane == t) joined |= together;
    }
  }
  return joined;
}

// Merges sets that have a tree in common, until none have.
static unsigned closeSets(unsigned joined, int ntree) {
  for (int grows = 1; grows;) {
    unsigned before = joined;
    SN_PLAIN_LOOP
    for (int t = 0; t < ntree; t++) {
      unsigned other = (unsigned)sn_teamFromInt((int)joined, t);
      if (joined >> t & 1) joined |= other;
    }
    grows = sn_teamAny(joined != before);
  }
  return joined;
}

static int findFewIslands(const snModel* m, const snData* d, int* row_tree, int* tree_island) {
  int lane = SN_LANE, ntree = (int)m->ntree;
  unsigned joined = closeSets(joinedByRows(m, d, row_tree), ntree);
  int root = joined ? sn_firstBit(joined) : -1;
  unsigned roots = sn_teamOr(joined && root == lane ? 1u << lane : 0);
  if (lane < ntree) tree_island[lane] = joined ? sn_countBits(roots & ((1u << root) - 1u)) : -1;
  SN_SYNC();
  return sn_countBits(roots);
}

// marks the roots of the trees that rows touch
static void markRoots(const snModel* m, const snData* d, const int* row_tree, const int* label,
                      int listed, int* mark) {
  for (int t = 0; listed && t < (int)m->ntree; t++) {
    if (!mark[t]) mark[label[t]] = 0;
  }
  for (int row = SN_LANE; !listed && row < d->nefc; row = sn_nextRows(d, row)) {
    if (row_tree[row] >= 0) (void)SN_LOWER(mark[label[row_tree[row]]], 0);
  }
  SN_SYNC();
}

int sn_findIslands(const snModel* m, snData* d, int* row_tree, int* label, int* tree_island,
                   snRowBlock* blocks, int* listed) {
  *listed = 0;
  if (SN_LANES > 1 && m->ntree <= FEW_TREES && m->ntree <= SN_LANES && !d->nMs) {
    return findFewIslands(m, d, row_tree, tree_island);
  }
  *listed = listShared(m, d, blocks);
  int ntree = (int)m->ntree, nisland = 0, total;
  SN_FOR(t, ntree) tree_island[t] = 1;  // 0: a row touches it
  labelTrees(m, d, *listed ? blocks : NULL, row_tree, label, tree_island);
  markRoots(m, d, row_tree, label, *listed, tree_island);
  for (int base = 0; base < ntree; base += SN_LANES) {
    int t = base + SN_LANE, root = t < ntree && label[t] == t, touched = root && !tree_island[t];
    int place = nisland + sn_teamRank(touched, &total);
    if (root) tree_island[t] = touched ? place : -1;
    nisland += total;
  }
  SN_SYNC();
  SN_FOR(t, ntree) {
    if (label[t] != t) tree_island[t] = tree_island[label[t]];
  }
  SN_SYNC();
  return nisland;
}
