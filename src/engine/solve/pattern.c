// The pattern of the Hessian of the primal problem, and the order in which its dofs are eliminated.
//
// H is factored as L' D L from the last dof to the first: within a tree there is then no fill beyond the pattern of M,
// and the columns of an ancestor's row are mostly the leading columns of its descendant's row, so that the inner loops
// run over contiguous numbers. With the elimination tree the pattern takes as many steps as it has entries.
//
// Where many trees touch one another the amount of fill depends on the order of the trees: a large island
// is eliminated by minimum degree (solve/order.c). The Hessian then has its own copy of the rows of J,
// with columns in the new order.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/bits.h"
#include "engine/solve/solver.h"
#include "math/four.h"
#include "math/math.h"

enum { MIN_ORDERED_TREES = 4 };

// A better order is searched for when the factor takes at least so many multiplications.
static const snReal MIN_ORDERED_COST = (snReal)1e5;

// ---- groups of dofs ------------------------------------------------------------------------------
//
// A group is a run of dofs that have the same pattern: every row of M and J has entries for all of them or for none,
// and some row has them (the three dofs of a point that slides, the six of a free body). The pattern is found for
// groups, and then written out for their dofs.

// Of a dof and the one before it: some row has one without the other; some row has both.
enum { APART = 1, TOGETHER = 2 };

// Flags from the runs of consecutive columns in a row.
static void splitRow(const int* col, int n, int* flags) {
  if (!n) return;
  flags[col[0]] |= APART;
  for (int k = 1; k < n; k++) {
    if (col[k] == col[k - 1] + 1) {
      flags[col[k]] |= TOGETHER;
    } else {
      flags[col[k - 1] + 1] |= APART;
      flags[col[k]] |= APART;
    }
  }
}

// Flags from row i of M: it continues the group if its columns are those of row i - 1, and possibly i - 1 itself.
static void splitInertia(const snPrimal* p, int i, int* flags) {
  const int *col = p->M_colind + p->M_rowadr[i], *last = i ? p->M_colind + p->M_rowadr[i - 1] : col;
  int n = p->M_rownnz[i] - 1, before = i ? p->M_rownnz[i - 1] - 1 : 0;
  int coupled = n > 0 && col[n - 1] == i - 1;
  splitRow(col, n, flags);
  if (n && !coupled) flags[col[n - 1] + 1] |= APART;
  if (coupled) flags[i] |= TOGETHER;
  if (!i || n - coupled != before || memcmp(col, last, (size_t)before * sizeof(int))) {
    flags[i] |= APART;
  }
}

// Which dofs begin a group? begins has room for one dof more.
static void splitDofs(const snPrimal* p, int* begins) {
  for (int i = 0; i <= p->nv; i++) begins[i] = 0;
  for (int i = 0; i < p->nv; i++) splitInertia(p, i, begins);
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    const int* col = p->J.col + p->J.adr[r];
    int n = p->J.nnz[r];
    splitRow(col, n, begins);
    if (n) begins[col[n - 1] + 1] |= APART;
  }
  for (int i = 0; i < p->nv; i++) begins[i] = begins[i] != TOGETHER;
}

// ---- the factor ----------------------------------------------------------------------------------

// Entries of M and J'J below the diagonal, by columns, where rows and columns are groups. A row of J couples all of its
// columns with one another, but only entries in the row of its last column are listed: eliminating that one couples the
// others.
typedef struct Seeds_ {
  const int* begins;  // whether a dof begins a group
  int n;              // groups
  int* group;         // of each dof, in the order of elimination
  int* first;         // first dof of each group in that order, and the end
  int* end;           // rows of column c: [end[c - 1], end[c])
  int* row;
  int* parent;  // of each row in the elimination tree: last column before the diagonal; -1: none
  int* mark;    // scratch
  int* width;   // dofs of a row before its group
} Seeds;

static int beginOf(const Seeds* s, int c) { return c ? s->end[c - 1] : 0; }

// Numbers the groups in the order of elimination.
static void placeGroups(const snPrimal* p, Seeds* s) {
  const int* place = p->H.place;
  for (int i = 0; i < p->nv; i++) s->group[place ? place[i] : i] = s->begins[i];
  s->n = 0;
  for (int i = 0; i < p->nv; i++) {
    if (s->group[i]) s->first[s->n++] = i;
    s->group[i] = s->n - 1;
  }
  s->first[s->n] = p->nv;
}

// Entries of one row in groups, without its last column: counts them by column, or appends the row to the lists of its
// columns.
static void addSeeds(Seeds* s, const int* col, int n, int shift, int count) {
  int row = s->group[col[n] + shift];
  for (int k = 0, c; k < n; k = s->first[c + 1] - s->first[c] + k) {
    c = s->group[col[k] + shift];
    if (c == row) return;
    if (count) {
      s->end[c]++;
    } else {
      s->row[s->end[c]++] = row;
    }
  }
}

static void placeSeeds(const snPrimal* p, Seeds* s, int count) {
  const snHessian* H = &p->H;
  for (int i = 0; i < p->nv; i++) {
    int shift = H->place ? H->place[i] - i : 0;  // the same for all dofs of a tree
    if (s->begins[i]) addSeeds(s, p->M_colind + p->M_rowadr[i], p->M_rownnz[i] - 1, shift, count);
  }
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    if (H->J.nnz[r]) addSeeds(s, H->J.col + H->J.adr[r], H->J.nnz[r] - 1, 0, count);
  }
}

// The tree of the elimination (Liu 1986): c is the parent of the root of each tree that a row of column c
// is in. Paths are compressed in mark.
static void growTree(const Seeds* s) {
  for (int c = s->n - 1; c >= 0; c--) {
    s->parent[c] = s->mark[c] = -1;
    for (int k = beginOf(s, c); k < s->end[c]; k++) {
      for (int i = s->row[k], next; i > c; i = next) {
        next = s->mark[i];
        s->mark[i] = c;
        if (next < 0) s->parent[i] = next = c;
      }
    }
  }
}

// memory that suffices for the entries in any order of the dofs
static int allocSeeds(const snPrimal* p, Seeds* s) {
  size_t entries = 1, nv = (size_t)p->nv;
  for (int i = 0; i < p->nv; i++) entries += (size_t)p->M_rownnz[i];
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) entries += (size_t)p->J.nnz[r];
  int* block = SN_STACK(p->d, int, 7 * nv + 2 + entries);
  if (!block) return 0;
  s->end = block;
  s->parent = block + nv;
  s->mark = block + 2 * nv;
  s->width = block + 3 * nv;
  s->group = block + 4 * nv;
  s->first = block + 5 * nv;
  s->begins = block + 6 * nv + 1;
  s->row = block + 7 * nv + 2;
  splitDofs(p, block + 6 * nv + 1);
  return 1;
}

// Fill: every row on the paths of the elimination tree from the entries of column c up to c has column c. Visiting
// columns in ascending order counts the entries of each row, and lists them at the first dof of its group (col NULL:
// only counts).
static void fillRows(const snHessian* H, const Seeds* s, int* col) {
  int *width = s->width, *mark = s->mark;
  const int *parent = s->parent, *first = s->first;
  for (int i = 0; i < s->n; i++) {
    width[i] = 0;
    mark[i] = -1;
  }
  for (int c = 0; c < s->n; c++) {
    int begin = first[c], size = first[c + 1] - begin;
    mark[c] = c;
    for (int k = beginOf(s, c); k < s->end[c]; k++) {
      for (int i = s->row[k]; mark[i] != c; i = parent[i]) {
        mark[i] = c;
        if (col) {
          int* to = col + H->adr[first[i]] + width[i];
          for (int j = 0; j < size; j++) to[j] = begin + j;
        }
        width[i] += size;
      }
    }
  }
}

// The elimination tree, and the entries, storage and multiplications of the factor.
static void countPattern(snPrimal* p, Seeds* s) {
  snHessian* H = &p->H;
  placeGroups(p, s);
  memset(s->end, 0, (size_t)s->n * sizeof(int));
  placeSeeds(p, s, 1);
  for (int c = 0, next = 0, n; c < s->n; c++, next += n) {
    n = s->end[c];
    s->end[c] = next;
  }
  placeSeeds(p, s, 0);
  growTree(s);
  fillRows(H, s, NULL);
  H->total = H->room = 0;
  H->cost = 0;
  for (int i = H->n - 1; i >= 0; i--) {
    int count = H->nnz[i] = s->width[s->group[i]] + i - s->first[s->group[i]] + 1;
    H->total += count;
    H->room += sn_paddedRow(count);
    H->cost += (snReal)0.5 * (snReal)count * (snReal)count;
  }
}

static void listPattern(snHessian* H, const Seeds* s) {
  int next = 0;
  for (int i = 0; i < H->n; i++) {
    H->adr[i] = next;
    next += sn_paddedRow(H->nnz[i]);
  }
  SN_ASSERT(next == H->room);
  fillRows(H, s, H->col);
  for (int g = 0; g < s->n; g++) {
    int first = s->first[g], width = s->width[g];
    const int* shared = H->col + H->adr[first];
    for (int i = first; i < s->first[g + 1]; i++) {
      int* own = H->col + H->adr[i];
      if (i > first) memcpy(own, shared, (size_t)width * sizeof(int));
      for (int k = first; k <= i; k++) own[width + k - first] = k;
    }
  }
}

// ---- order of the trees --------------------------------------------------------------------------

// index of each dof's tree among those of the problem, and the first dof of each; returns their number
static int listTrees(const snPrimal* p, int* tree, int* first) {
  int ntree = 0, last = -1;
  for (int i = 0; i < p->nv; i++) {
    int id = p->m->dof_treeid[p->dofs ? p->dofs[i] : i];
    if (id != last) first[ntree++] = i;
    last = id;
    tree[i] = ntree - 1;
  }
  first[ntree] = p->nv;
  return ntree;
}

// The rows of J with reordered columns, ascending. Whole trees move.
static int orderRows(snPrimal* p, const int* tree) {
  snHessian* H = &p->H;
  int nefc = p->rows.nefc, entries = p->J.adr[nefc - 1] + p->J.nnz[nefc - 1] - p->J.adr[0];
  int* adr = SN_STACK(p->d, int, nefc);
  int* column = SN_STACK(p->d, int, entries);
  snReal* value = SN_STACK(p->d, snReal, entries);
  if (!adr || !column || !value) return 0;
  for (int r = 0, next = 0; r < nefc; r++) {
    const int* col = p->J.col + p->J.adr[r];
    const snReal* from = p->J.value + p->J.adr[r];
    int n = p->J.nnz[r];
    adr[r] = next;
    // insert the columns of one tree after another
    for (int begin = 0, end; begin < n; begin = end) {
      for (end = begin + 1; end < n && tree[col[end]] == tree[col[begin]];) end++;
      int length = end - begin, at = next + begin;
      for (; at > next && column[at - 1] > H->place[col[begin]]; at--) {
        column[at - 1 + length] = column[at - 1];
        value[at - 1 + length] = value[at - 1];
      }
      for (int k = 0; k < length; k++) {
        column[at + k] = H->place[col[begin + k]];
        value[at + k] = from[begin + k];
      }
    }
    next += n;
  }
  H->J.adr = adr;
  H->J.col = column;
  H->J.value = value;
  return 1;
}

// Find a better order of the trees: places of the dofs and the rows in them. Returns 0 when there is
// none to look for.
static int orderTrees(snPrimal* p) {
  snData* d = p->d;
  int* tree = SN_STACK(d, int, p->nv);
  int* first = SN_STACK(d, int, p->nv + 1);
  if (!tree || !first) return 0;
  int ntree = listTrees(p, tree, first);
  if (ntree < MIN_ORDERED_TREES) return 0;
  int* order = SN_STACK(d, int, ntree);
  int* place = SN_STACK(d, int, p->nv);
  if (!order || !place || !sn_orderTrees(p, tree, ntree, order)) return 0;

  // the last rows are eliminated first
  for (int k = ntree - 1, next = 0; k >= 0; k--) {
    for (int i = first[order[k]]; i < first[order[k] + 1]; i++) place[i] = next++;
  }
  p->H.place = place;
  return orderRows(p, tree);
}

// ---- the pattern and its storage -----------------------------------------------------------------

typedef enum Kind_ { INERTIA, FULL, OTHER } Kind;

// Special cases. The rows of J add nothing to the pattern of M when every row has the columns of its last dof, as
// contacts of one tree with the world do; the pattern is full when a row has all columns.
static Kind patternKind(const snPrimal* p) {
  Kind kind = INERTIA;
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    int n = p->J.nnz[r];
    if (n < 2) continue;
    const int* col = p->J.col + p->J.adr[r];
    int last = col[n - 1];
    if (p->M_rownnz[last] == n &&
        !memcmp(p->M_colind + p->M_rowadr[last], col, (size_t)n * sizeof(int))) {
      continue;
    }
    if (n == p->nv) return FULL;
    kind = OTHER;
  }
  return kind;
}

// Places of the rows and memory for their columns, from the number of entries of each row, in natural order.
static int placeRows(snPrimal* p) {
  snHessian* H = &p->H;
  int n = H->n, total = 0, room = 0, *adr = H->adr;
  const int* nnz = H->nnz;
  snSize squares = 0;
  for (int i = 0; i < n; i++) {
    int count = nnz[i];
    SN_ASSERT(count > 0 && count <= i + 1);
    adr[i] = room;
    total += count;
    room += sn_paddedRow(count);
    squares += (snSize)count * count;
  }
  H->total = H->natural = total;
  H->room = room;
  H->cost = (snReal)0.5 * (snReal)squares;
  H->col = SN_STACK(p->d, int, H->room);
  return H->col != NULL;
}

// the lower triangle
static int fullPattern(snPrimal* p) {
  const snHessian* H = &p->H;
  for (int i = 0; i < H->n; i++) H->nnz[i] = i + 1;
  if (!placeRows(p)) return 0;
  for (int i = 0; i < H->n; i++) {
    for (int k = 0; k <= i; k++) H->col[H->adr[i] + k] = k;
  }
  return 1;
}

// the pattern of M: no fill
static int copyPattern(snPrimal* p) {
  const snHessian* H = &p->H;
  for (int i = 0; i < H->n; i++) H->nnz[i] = p->M_rownnz[i];
  if (!placeRows(p)) return 0;
  for (int i = 0; i < H->n; i++) {
    sn_copyFew(H->col + H->adr[i], p->M_colind + p->M_rowadr[i], H->nnz[i]);
  }
  return 1;
}

// The same for few dofs, where a row is a set of bits. Eliminating a row adds its columns before the diagonal to the
// row of the last of them.
static void fillSets(const snPrimal* p, uint64_t* set) {
  const uint64_t one = 1;
  SN_ASSERT(p->nv <= snBITS);
  for (int i = 0; i < p->nv; i++) {
    int n = p->M_rownnz[i];
    const int* col = p->M_colind + p->M_rowadr[i];
    set[i] = one << i;
    if (p->d->nMs) {
      for (int k = 0; k < n - 1; k++) set[i] |= one << col[k];
    } else if (n > 1) {  // the dofs before the parent and the parent
      set[i] |= set[col[n - 2]];
    }
  }
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    int n = p->J.nnz[r];
    const int* col = p->J.col + p->J.adr[r];
    uint64_t all = 0;
    for (int k = 0; k < n; k++) all |= one << col[k];
    if (n) set[col[n - 1]] |= all;
  }
  for (int i = p->nv - 1; i > 0; i--) {
    uint64_t before = set[i] ^ (one << i);
    if (before) set[sn_highestBit(before)] |= before;
  }
}

static int smallPattern(snPrimal* p) {
  const snHessian* H = &p->H;
  uint64_t set[snBITS];
  fillSets(p, set);
  for (int i = 0; i < H->n; i++) H->nnz[i] = sn_countMembers(set[i]);
  if (!placeRows(p)) return 0;
  for (int i = 0; i < H->n; i++) {
    int* col = H->col + H->adr[i];
    for (uint64_t rest = set[i]; rest; rest &= rest - 1) *col++ = sn_lowestBit(rest);
  }
  return 1;
}

// the pattern of M and J' J with its fill
static int findPattern(snPrimal* p) {
  snHessian* H = &p->H;
  Seeds seeds;
  if (H->n <= snBITS) return smallPattern(p);  // too little work to search for another order
  if (!allocSeeds(p, &seeds)) return 0;
  countPattern(p, &seeds);
  H->natural = H->total;
  if (H->cost > MIN_ORDERED_COST) {
    snReal cost = H->cost;
    int ordered = orderTrees(p);
    if (ordered) countPattern(p, &seeds);
    if (!(H->cost < (snReal)0.8 * cost)) {  // the order as it was
      H->place = NULL;
      H->J = p->J;
      if (ordered) countPattern(p, &seeds);
    }
  }
  H->col = SN_STACK(p->d, int, H->room);
  if (!H->col) return 0;
  listPattern(H, &seeds);
  return 1;
}

int sn_hessianNatural(snPrimal* p) {
  snHessian* H = &p->H;
  int count = 0;
  Seeds seeds;
  H->n = p->nv;
  H->J = p->J;
  H->place = NULL;
  switch (patternKind(p)) {
    case INERTIA:
      for (int i = 0; i < p->nv; i++) count += p->M_rownnz[i];
      return count;
    case FULL: return p->nv * (p->nv + 1) / 2;
    default: break;
  }
  if (p->nv <= snBITS) {
    uint64_t set[snBITS];
    fillSets(p, set);
    for (int i = 0; i < p->nv; i++) count += sn_countMembers(set[i]);
    return count;
  }
  sn_markStack(p->d);
  H->nnz = SN_STACK(p->d, int, p->nv);
  if (H->nnz && allocSeeds(p, &seeds)) {
    countPattern(p, &seeds);
    count = H->total;
  }
  sn_freeStack(p->d);
  return count;
}

// Rows [first, last] are a supernode when each has the columns of the next but that one's diagonal: they then update
// their ancestors together.
static void findSupernodes(snHessian* H) {
  const int *nnz = H->nnz, *adr = H->adr, *col = H->col;
  int first = 0, nsuper = 0, before = -1;
  for (int i = 0; i < H->n; i++) {
    int count = nnz[i];
    int joins = count == before + 1 && i - first < snMAXSUPER && col[adr[i] + count - 2] == i - 1;
    if (!joins) H->begin[nsuper++] = first = i;
    H->super[i] = first;
    before = count;
  }
  H->nsuper = nsuper;
  H->begin[nsuper] = H->n;
}

// numbers of scratch for the widest block and for updates of the factor
static int scratchOf(const snPrimal* p) {
  int widest = 0, updates = sn_updateScratch(&p->H);
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    if (p->J.nnz[r] > widest) widest = p->J.nnz[r];
  }
  int blocks = sn_paddedRow(widest) * snMAXBLOCK;
  return blocks > updates ? blocks : updates;
}

int sn_hessianAllocate(snPrimal* p) {
  SN_ASSERT(p->nv > 0 && p->nv <= p->m->nv && p->rows.nefc <= p->d->nefc);
  snData* d = p->d;
  snHessian* H = &p->H;
  int n = H->n = p->nv;
  int* ints = SN_STACK(d, int, (size_t)6 * n + 1 + p->rows.nefc);
  if (!ints) return 0;
  H->nnz = ints;
  H->adr = ints + n;
  H->super = ints + 2 * n;
  H->places = ints + 3 * n;
  H->path = ints + 4 * n;
  H->begin = ints + 5 * n;
  H->assembled = ints + 6 * n + 1;
  H->J = p->J;
  H->place = NULL;

  int found = 0;
  switch (patternKind(p)) {
    case INERTIA: found = copyPattern(p); break;
    case FULL: found = fullPattern(p); break;
    case OTHER: found = findPattern(p); break;
  }
  if (!found) return 0;
  int scratch = scratchOf(p);
  snReal* reals = SN_STACK(d, snReal, (size_t)2 * H->room + n + scratch);
  if (!reals) return 0;
  H->quadratic = reals;
  H->factor = reals + H->room;
  H->diaginv = reals + 2 * H->room;
  H->scratch = reals + 2 * H->room + n;
  findSupernodes(H);
  H->hasPaths = 0;
  return 1;
}
