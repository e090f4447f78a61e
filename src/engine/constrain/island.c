// Islands: sets of trees that constraints tie together, each solved on its own.
//
// island_graph.c finds the trees of each. Dofs and rows are renumbered so that those of an island are
// contiguous and keep their order.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/constrain/island.h"
#include "engine/smooth/inertia.h"
#include "math/math.h"
#include "model/object_types.h"

// ---- renumbering ---------------------------------------------------------------------------------

// Stable sort of n items by island: counts and starts per island, both maps. Items without an island come last. Those
// of a block, of which super[i] more follow item i, share their island; super is NULL for items without blocks.
static void sortByIsland(int n, const int* island, const int* super, int nisland, int* count,
                         int* start, int* to, int* from) {
  SN_ASSERT(n >= 0 && nisland > 0);
  for (int k = 0; k < nisland; k++) count[k] = 0;
  for (int i = 0, size; i < n; i += size) {
    size = super ? 1 + super[i] : 1;
    if (island[i] >= 0) count[island[i]] += size;
  }
  int next = 0;
  for (int k = 0; k < nisland; k++) {
    start[k] = next;
    next += count[k];
    count[k] = 0;
  }
  for (int i = 0, size; i < n; i += size) {
    int own = island[i], place = own >= 0 ? start[own] + count[own] : next;
    size = super ? 1 + super[i] : 1;
    *(own >= 0 ? count + own : &next) += size;
    for (int k = 0; k < size; k++) {
      from[place + k] = i + k;
      if (to) to[i + k] = place + k;
    }
  }
}

// The same by a team (counting sort): each lane counts the items of its part by island; prefix sums over the lanes turn
// counts into places; each lane then places its items. counts: nisland + 1 numbers for each lane and one more row.
// Items without an island are counted last.
static void shareSort(int n, const int* island, int nisland, int* count, int* start, int* to,
                      int* from, int* counts) {
  int lanes = SN_LANES, width = nisland + 1, *own = counts + SN_LANE * width;
  int *sum = counts + lanes * width, part = (n + lanes - 1) / lanes, before = 0, total;
  int begin = SN_LANE * part, end = begin + part < n ? begin + part : n;
  for (int k = 0; k < width; k++) own[k] = 0;
  for (int i = begin; i < end; i++) own[island[i] >= 0 ? island[i] : nisland]++;
  SN_SYNC();
  SN_FOR(k, width) {
    int next = 0;
    for (int lane = 0; lane < lanes; lane++) {
      int here = counts[lane * width + k];
      counts[lane * width + k] = next;
      next += here;
    }
    sum[k] = next;
    if (k < nisland) count[k] = next;
  }
  SN_SYNC();
  for (int base = 0; base < width; base += lanes, before += total) {
    int k = base + SN_LANE, here = k < width ? sum[k] : 0;
    int first = before + sn_teamScan(here, &total);
    if (k < width) sum[k] = first;
    if (k < nisland) start[k] = first;
  }
  SN_SYNC();
  for (int i = begin; i < end; i++) {
    int k = island[i] >= 0 ? island[i] : nisland, place = sum[k] + own[k]++;
    from[place] = i;
    if (to) to[i] = place;
  }
  SN_SYNC();
}

// by a team if there is room for its counts
static void sortItems(snData* d, int n, const int* island, const int* super, int* count, int* start,
                      int* to, int* from) {
  int nisland = d->nisland, *counts = NULL;
  sn_markStack(d);
  if (SN_LANES > 1) counts = SN_STACK(d, int, (SN_LANES + 1) * (nisland + 1));
  if (counts) {
    shareSort(n, island, nisland, count, start, to, from, counts);
  } else {
    SN_ONE sortByIsland(n, island, super, nisland, count, start, to, from);
    SN_SYNC();
  }
  sn_freeStack(d);
}

// Places of the first dofs of trees, which keep together, and the dofs of islands.
static void placeTrees(const snModel* m, snData* d, const int* tree_island) {
  int ntree = (int)m->ntree, total;
  for (int base = 0, next = 0; base < ntree; base += SN_LANES, next += total) {
    int i = base + SN_LANE, inside = i < ntree, tree = inside ? d->map_itree2tree[i] : 0;
    int n = inside ? m->tree_dofnum[tree] : 0, place = next + sn_teamScan(n, &total);
    if (!inside) continue;
    int island = tree_island[tree];
    d->map_dof2idof[m->tree_dofadr[tree]] = place;
    if (island < 0) continue;
    int first = d->island_itreeadr[island];
    if (i == first) {
      d->island_idofadr[island] = place;
      d->island_dofadr[island] = m->tree_dofadr[tree];
    }
    if (i == first + d->island_ntree[island] - 1) d->island_nv[island] = place + n;  // its end
  }
  SN_SYNC();
  SN_FOR(k, d->nisland) d->island_nv[k] -= d->island_idofadr[k];
}

static void orderTrees(const snModel* m, snData* d, const int* tree_island) {
  SN_FOR(t, m->ntree) d->tree_island[t] = tree_island[t];
  SN_SYNC();
  sortItems(d, (int)m->ntree, d->tree_island, NULL, d->island_ntree, d->island_itreeadr, NULL,
            d->map_itree2tree);
  placeTrees(m, d, tree_island);
  SN_SYNC();
}

static void islandTrees(const snModel* m, snData* d, const int* tree_island) {
  orderTrees(m, d, tree_island);
  SN_FOR(i, m->nv) {
    int tree = m->dof_treeid[i], first = m->tree_dofadr[tree];
    int place = d->map_dof2idof[first] + i - first;
    d->dof_island[i] = tree_island[tree];
    d->map_idof2dof[place] = i;
    if (i != first) d->map_dof2idof[i] = place;
  }
  SN_SYNC();
}

static void islandRows(snData* d, const int* row_tree) {
  for (int row = SN_LANE, next; row < d->nefc; row = next) {
    int island = row_tree[row] >= 0 ? d->tree_island[row_tree[row]] : 0;
    next = sn_nextRows(d, row);
    d->efc_island[row] = island;
    for (int r = row + 1; SN_LANES == 1 && r < next; r++) d->efc_island[r] = island;
  }
  SN_SYNC();
  sortItems(d, d->nefc, d->efc_island, d->efc_J_rowsuper, d->island_nefc, d->island_iefcadr,
            d->map_efc2iefc, d->map_iefc2efc);
  SN_FOR(k, d->nisland) d->island_ne[k] = d->island_nf[k] = 0;
  SN_SYNC();
  SN_FOR(row, d->ne + d->nf) {
    int* number = row < d->ne ? d->island_ne : d->island_nf;
    (void)SN_NEXT(number[d->efc_island[row]]);
  }
  SN_SYNC();
}

// One island with every dof: sizes and arrays under the names of snData. Each lane computes them, because it cannot see
// at once what the first lane writes to the data.
typedef struct Whole_ {
  int nisland, nidof, niM, nefc;
#define X(type, name, rows, columns, stage, meaning) sn_type_##type* name;
  SN_DATA_ARENA_ISLAND_MAPS(X)
#undef X
} Whole;

// their places; returns the end
static inline char* placeWhole(const snModel* m, Whole* d, char* place) {
  SN_DATA_ARENA_ISLAND_MAPS(SN_ARENA_PLACE)
  return place;
}

static inline void publishWhole(snData* d, const Whole* w) {
  d->nisland = w->nisland;
  d->nidof = w->nidof;
  d->niM = w->niM;
#define X(type, name, rows, columns, stage, meaning) d->name = w->name;
  SN_DATA_ARENA_ISLAND_MAPS(X)
#undef X
}

// Trees, dofs and rows keep their places.
static inline void wholeIsland(const snModel* m, const Whole* w, int ne, int nf) {
  int nv = w->nidof, ntree = (int)m->ntree, nefc = w->nefc;
  SN_FOR(t, ntree) {
    w->tree_island[t] = 0;
    w->map_itree2tree[t] = t;
  }
  SN_FOR(i, nv) {
    w->dof_island[i] = 0;
    w->map_dof2idof[i] = w->map_idof2dof[i] = i;
  }
  SN_FOR(row, nefc) {
    w->efc_island[row] = 0;
    w->map_efc2iefc[row] = w->map_iefc2efc[row] = row;
  }
  if (SN_LANE == 0) {
    *w->island_itreeadr = *w->island_idofadr = *w->island_dofadr = *w->island_iefcadr = 0;
    *w->island_ntree = ntree;
    *w->island_nv = nv;
    *w->island_nefc = nefc;
    *w->island_ne = ne;
    *w->island_nf = nf;
  }
}

// entries of the inertia matrix that belong to a tree
static int treeEntries(const snModel* m, const snInertia* inertia, int tree) {
  int first = m->tree_dofadr[tree], last = first + m->tree_dofnum[tree] - 1;
  if (last < first) return 0;
  return inertia->rowadr[last] + inertia->rownnz[last] - inertia->rowadr[first];
}

// One lane: copies inertia matrix and factor of a tree that is not coupled to others, whose rows are contiguous. Its
// columns shift by the same amount as its dofs.
static void islandTree(const snModel* m, snData* d, const snInertia* inertia, int tree, int place) {
  int dof = m->tree_dofadr[tree], n = m->tree_dofnum[tree];
  if (!n) return;
  const int *nnz = inertia->rownnz + dof, *adr = inertia->rowadr + dof;
  const int* SN_RESTRICT colind = inertia->colind + adr[0];
  int i = d->map_dof2idof[dof], shift = i - d->island_idofadr[d->dof_island[dof]] - dof;
  int size = treeEntries(m, inertia, tree), *SN_RESTRICT moved = d->iM_colind + place;
  SN_ASSERT(size >= n);
  for (int k = 0; k < n; k++) d->iM_rowadr[i + k] = adr[k] - adr[0] + place;
  for (int k = 0; k < size; k++) moved[k] = colind[k] + shift;
  memcpy(d->iM_rownnz + i, nnz, (size_t)n * sizeof(int));
  memcpy(d->iM + place, inertia->M + adr[0], (size_t)size * sizeof(snReal));
  memcpy(d->iLD + place, inertia->LD + adr[0], (size_t)size * sizeof(snReal));
  memcpy(d->iLDiagInv + i, inertia->LDiagInv + dof, (size_t)n * sizeof(snReal));
}

// trees [t, end) of the islands, from a place on
static void islandTreesInertia(const snModel* m, snData* d, const snInertia* inertia, int t,
                               int end, int place) {
  for (; t < end; t++) {
    int tree = d->map_itree2tree[t];
    islandTree(m, d, inertia, tree, place);
    place += treeEntries(m, inertia, tree);
  }
}

// inertia matrix of the step and its factor, row by row
static void islandInertia(const snModel* m, snData* d) {
  snInertia inertia = sn_systemInertia(m, d);
  if (SN_LANES == 1 && !d->nMs) {
    int last = d->nisland - 1, end = d->island_itreeadr[last] + d->island_ntree[last];
    islandTreesInertia(m, d, &inertia, 0, end, 0);
    return;
  }
  for (int start = 0, next = 0, total; start < d->nidof; start += SN_LANES, next += total) {
    int i = start + SN_LANE, inside = i < d->nidof, dof = inside ? d->map_idof2dof[i] : 0;
    int n = inside ? inertia.rownnz[dof] : 0, place = next + sn_teamScan(n, &total);
    if (!inside) continue;
    int adr = inertia.rowadr[dof], base = d->island_idofadr[d->dof_island[dof]];
    d->iM_rownnz[i] = n;
    d->iM_rowadr[i] = place;
    d->iLDiagInv[i] = inertia.LDiagInv[dof];
    for (int k = 0; k < n; k++) {
      d->iM_colind[place + k] = d->map_dof2idof[inertia.colind[adr + k]] - base;
      d->iM[place + k] = inertia.M[adr + k];
      d->iLD[place + k] = inertia.LD[adr + k];
    }
  }
}

// Rows of an island in dense form, from row i on. Those that have every column and follow one another in memory
// are copied at once. Returns how many there were.
static int denseRows(snData* d, int i) {
  SN_ASSERT_INDEX(i, d->nefc);
  int island = d->efc_island[d->map_iefc2efc[i]], nv = d->island_nv[island], n = 0;
  int first = d->island_iefcadr[island], end = first + d->island_nefc[island];
  const int *nnz = d->iefc_J_rownnz, *adr = d->iefc_J_rowadr;
  snReal* row = d->iefc_J + (size_t)d->nidof * first + (size_t)(i - first) * nv;
  if (SN_LANES > 1 && end > i + 1) end = i + 1;
  while (i + n < end && nnz[i + n] == nv && adr[i + n] == adr[i] + n * nv) n++;
  if (n) {
    memcpy(row, d->iefc_Js + adr[i], (size_t)n * (size_t)nv * sizeof(snReal));
    return n;
  }
  snu_zero(row, nv);
  for (int j = adr[i]; j < adr[i] + nnz[i]; j++) row[d->iefc_J_colind[j]] = d->iefc_Js[j];
  return 1;
}

// Columns that a row has in its island. Those of a second tree that a zero slope left outside of the
// island are dropped.
static int islandColumns(const snData* d, int row) {
  SN_ASSERT_INDEX(row, d->nefc);
  int island = d->efc_island[row], adr = d->efc_J_rowadr[row], n = 0;
  for (int k = adr; k < adr + d->efc_J_rownnz[row]; k++) {
    n += d->dof_island[d->efc_J_colind[k]] == island;
  }
  return n;
}

// all of a row but its columns
static inline void islandNumbers(snData* d, int i, int row, int place) {
  d->iefc_type[i] = d->efc_type[row];
  d->iefc_id[i] = d->efc_id[row];
  d->iefc_frictionloss[i] = d->efc_frictionloss[row];
  d->iefc_D[i] = d->efc_D[row];
  d->iefc_R[i] = d->efc_R[row];
  d->iefc_J_rowadr[i] = place;
  d->iefc_J_rowsuper[i] = d->efc_J_rowsuper[row];  // blocks stay together
}

// Row i is the first of a block of 1 + more rows with the same n columns, none of which was dropped: copies the others.
static void islandRowsAlike(snData* d, int i, int row, int place, int n, int more) {
  SN_ASSERT(n >= 0 && more > 0 && i + more < d->nefc && d->map_iefc2efc[i + more] == row + more);
  const int *col = d->iefc_J_colind + place, *adr = d->efc_J_rowadr + row;
  int together = 1;
  for (int r = 1; r <= more; r++) {
    islandNumbers(d, i + r, row + r, place + r * n);
    d->iefc_J_rownnz[i + r] = n;
    memcpy(d->iefc_J_colind + place + r * n, col, (size_t)n * sizeof(int));
    together &= adr[r] == adr[0] + r * n;
  }
  snReal* value = d->iefc_Js + place + n;
  if (together) {
    memcpy(value, d->efc_Js + adr[1], (size_t)more * (size_t)n * sizeof(snReal));
    return;
  }
  for (int r = 1; r <= more; r++) {
    memcpy(value + (r - 1) * n, d->efc_Js + adr[r], (size_t)n * sizeof(snReal));
  }
}

// a row in the order of islands, its columns relative to the island; returns their number
static int islandRow(snData* d, int i, int row, int place) {
  SN_ASSERT_INDEX(row, d->nefc);
  SN_ASSERT(place >= 0);
  int island = d->efc_island[row], base = d->island_idofadr[island], adr = d->efc_J_rowadr[row];
  islandNumbers(d, i, row, place);
  int n = 0, nnz = d->efc_J_rownnz[row], *colind = d->iefc_J_colind + place;
  const int *source = d->efc_J_colind + adr, *dof_island = d->dof_island, *to = d->map_dof2idof;
  const snReal* SN_RESTRICT value = d->efc_Js + adr;
  snReal* SN_RESTRICT copy = d->iefc_Js + place;
  for (int k = 0; k < nnz; k++) {
    int dof = source[k];
    if (dof_island[dof] != island) continue;
    colind[n] = to[dof] - base;
    copy[n++] = value[k];
  }
  d->iefc_J_rownnz[i] = n;
  return n;
}

// rows whose pattern differs from that of the row before since columns were dropped
static void splitBlocks(snData* d) {
  for (int i = 0; i < d->nefc; i++) {
    if (d->iefc_J_rownnz[i] == d->efc_J_rownnz[d->map_iefc2efc[i]]) continue;
    d->iefc_J_rowsuper[i] = 0;
    for (int k = i - 1; k >= 0 && k + d->iefc_J_rowsuper[k] >= i; k--) {
      d->iefc_J_rowsuper[k] = i - 1 - k;
    }
  }
}

// One lane: writes rows [i, end) in the order of islands, from a place on; returns whether all columns were kept.
static int islandRowsFrom(snData* d, int i, int end, int place) {
  int whole = 1;
  for (; i < end; i++) {
    int row = d->map_iefc2efc[i], n = islandRow(d, i, row, place);
    int more = n == d->efc_J_rownnz[row] ? d->efc_J_rowsuper[row] : 0;
    whole &= n == d->efc_J_rownnz[row];
    if (more) islandRowsAlike(d, i, row, place, n, more);
    i += more;
    place += (1 + more) * n;
  }
  return whole;
}

// Rows in island order with columns relative to the island.
static void islandJacobian(const snModel* m, snData* d) {
  int alone = SN_LANES == 1 ? d->nefc : 0, split = !islandRowsFrom(d, 0, alone, 0);
  for (int start = alone, next = 0, total; start < d->nefc; start += SN_LANES, next += total) {
    int i = start + SN_LANE, inside = i < d->nefc, row = inside ? d->map_iefc2efc[i] : 0;
    int n = inside ? islandColumns(d, row) : 0, place = next + sn_teamScan(n, &total);
    if (!inside) continue;
    islandRow(d, i, row, place);
    split |= n != d->efc_J_rownnz[row];
  }
  SN_SYNC();
  if (sn_teamAny(split)) SN_ONE splitBlocks(d);
  if (!sn_isSparse(m)) {
    for (int i = SN_LANE; i < d->nefc;) {
      int n = denseRows(d, i);
      i += SN_LANES > 1 ? SN_LANES : n;
    }
  }
}

// ---- islands by a crew ---------------------------------------------------------------------------
//
// One thread orders trees and blocks of rows; several threads number the dofs and rows of each island and copy its
// inertia and its rows.

// Where inertia, rows and entries of rows of each island begin. Its blocks are block[first], ..., one thread counts them.
typedef struct IslandStarts_ {
  snInertia inertia;
  int *entry, *place;  // of inertia and Jacobian
  int *first, *block;  // first row of each block, island by island
  int* island;         // of each block of the list
} IslandStarts;

static void placeInertia(const snModel* m, const snData* d, const IslandStarts* starts) {
  for (int island = 0, entry = 0; island < d->nisland; island++) {
    int tree = d->island_itreeadr[island];
    starts->entry[island] = entry;
    for (int t = tree; t < tree + d->island_ntree[island]; t++) {
      entry += treeEntries(m, &starts->inertia, d->map_itree2tree[t]);
    }
  }
}

// Counting sort of the blocks.
static void placeBlocks(snData* d, const IslandStarts* starts, const snRowBlock* blocks,
                        const int* row_tree) {
  int nisland = d->nisland, n = d->nefc, *first = starts->first, *own = starts->island;
  int *size = d->island_nefc, *width = starts->place;
  for (int k = 0; k <= nisland; k++) first[k] = 0;
  for (int k = 0; k < nisland; k++) size[k] = width[k] = d->island_ne[k] = d->island_nf[k] = 0;
  for (int i = sn_nextBlock(blocks, 0, n); i < n; i = sn_nextBlock(blocks, i + 1, n)) {
    int row = blocks[i].row, count = blocks[i].size, tree = row_tree[row];
    int island = tree >= 0 ? d->tree_island[tree] : 0;
    own[i] = island;
    first[island]++;
    size[island] += count;
    width[island] += count * blocks[i].nnz;
    if (row < d->ne + d->nf) (row < d->ne ? d->island_ne : d->island_nf)[island] += count;
  }
  for (int k = 0, block = 0, row = 0, place = 0; k < nisland; k++) {
    int blocks = first[k], entries = width[k];
    first[k] = block;
    d->island_iefcadr[k] = row;
    width[k] = place;
    block += blocks;
    row += size[k];
    place += entries;
  }
  for (int i = sn_nextBlock(blocks, 0, n); i < n; i = sn_nextBlock(blocks, i + 1, n)) {
    starts->block[first[own[i]]++] = blocks[i].row;
  }
  for (int k = nisland; k > 0; k--) first[k] = first[k - 1];
  first[0] = 0;
}

// dofs of trees [t, end) in the order of islands
static void numberDofs(const snModel* m, snData* d, int t, int end) {
  for (; t < end; t++) {
    int tree = d->map_itree2tree[t], island = d->tree_island[tree], dof = m->tree_dofadr[tree];
    int place = m->tree_dofnum[tree] ? d->map_dof2idof[dof] : 0;
    for (int k = 0; k < m->tree_dofnum[tree]; k++) {
      d->dof_island[dof + k] = island;
      d->map_idof2dof[place + k] = dof + k;
      d->map_dof2idof[dof + k] = place + k;
    }
  }
}

static void numberRows(snData* d, const IslandStarts* starts, int island) {
  int i = d->island_iefcadr[island];
  for (int b = starts->first[island]; b < starts->first[island + 1]; b++) {
    int row = starts->block[b], end = row + 1 + d->efc_J_rowsuper[row];
    for (; row < end; row++, i++) {
      d->efc_island[row] = island;
      d->map_efc2iefc[row] = i;
      d->map_iefc2efc[i] = row;
    }
  }
}

// of islands [begin, end); the last one is that of the trees without rows
static void makeIslands(const snModel* m, snData* view, void* context, int begin, int end) {
  const IslandStarts* starts = (const IslandStarts*)context;
  for (int island = begin; island < end; island++) {
    if (island == view->nisland) {
      int last = island - 1, t = view->island_itreeadr[last] + view->island_ntree[last];
      numberDofs(m, view, t, (int)m->ntree);
      continue;
    }
    int t = view->island_itreeadr[island], last = t + view->island_ntree[island];
    int row = view->island_iefcadr[island], nrow = view->island_nefc[island];
    numberDofs(m, view, t, last);
    numberRows(view, starts, island);
    islandTreesInertia(m, view, &starts->inertia, t, last, starts->entry[island]);
    if (!islandRowsFrom(view, row, row + nrow, starts->place[island])) view->refused++;
    if (sn_isSparse(m)) continue;
    for (int i = row; i < row + nrow;) i += denseRows(view, i);
  }
}

// Islands by a crew; 0: not done. A dense row of coupled joints or tendons may lose the columns of another island, whose
// numbers another thread writes.
static int makeShared(const snModel* m, snData* d, const int* row_tree, const int* tree_island,
                      snRowBlock* blocks, int listed) {
  int nisland = d->nisland, loses = !sn_isSparse(m) && m->neq + m->ntendon;
  if (!blocks || nisland < 8 || d->nMs || loses || !sn_hasCrew(d)) return 0;
  sn_markStack(d);
  int *work = SN_STACK(d, int, 3 * nisland + 1 + 2 * d->nefc), done = 0;
  if (work) {
    IslandStarts starts = {sn_systemInertia(m, d), work,
                           work + nisland,         work + 2 * nisland,
                           work + 3 * nisland + 1, work + 3 * nisland + 1 + d->nefc};
    if (!listed) sn_listBlocks(m, d, blocks);
    orderTrees(m, d, tree_island);
    placeInertia(m, d, &starts);
    placeBlocks(d, &starts, blocks, row_tree);
    done = sn_share(m, d, nisland + 1, 1, makeIslands, &starts);
  }
  sn_freeStack(d);
  return done;
}

// The rows of the only island are those of the data; their columns may have other numbers.
static inline void shareEntries(snData* d) {
  d->iefc_type = d->efc_type;
  d->iefc_id = d->efc_id;
  d->iefc_frictionloss = d->efc_frictionloss;
  d->iefc_D = d->efc_D;
  d->iefc_R = d->efc_R;
  d->iefc_J_rownnz = d->efc_J_rownnz;
  d->iefc_J_rowadr = d->efc_J_rowadr;
  d->iefc_J_rowsuper = d->efc_J_rowsuper;
  d->iefc_Js = d->efc_Js;
}

// One lane, a single island without some of the dofs: its rows are those of the data in the same order, and only the
// numbers of their columns change. Returns 0 when a row has a column outside of the island.
static int shareRows(const snModel* m, snData* d) {
  const int *to = d->map_dof2idof, *dof_island = d->dof_island;
  int full = 1;
  for (int row = 0; row < d->nefc;) {
    int n = d->efc_J_rownnz[row], adr = d->efc_J_rowadr[row],
        end = row + 1 + d->efc_J_rowsuper[row];
    const int* source = d->efc_J_colind + adr;
    int* col = d->iefc_J_colind + adr;
    for (int k = 0; k < n; k++) {
      if (dof_island[source[k]]) return 0;
      col[k] = to[source[k]];
    }
    for (; row < end; row++) {
      int own = d->efc_J_rowadr[row];
      full &= n == d->nidof && own == row * n;
      if (own != adr) memcpy(d->iefc_J_colind + own, col, (size_t)n * sizeof(int));
    }
  }
  shareEntries(d);
  if (sn_isSparse(m) || full) {
    d->iefc_J = d->efc_Js;  // dense rows with all columns are compressed ones
  } else {
    for (int i = 0; i < d->nefc;) i += denseRows(d, i);
  }
  return 1;
}

static inline void copyIntegers(int* res, const int* vec, int n) {
#ifdef SN_TEAM  // eight numbers of a lane at a time, so that they are waited for together
  enum { PARTS = 8 };
  int lanes = SN_LANES;
  SN_PLAIN_LOOP
  for (int i = SN_LANE; i < n; i += PARTS * lanes) {
    int part[PARTS];
    SN_UNROLL
    for (int k = 0; k < PARTS; k++) part[k] = vec[i + k * lanes < n ? i + k * lanes : i];
    SN_UNROLL
    for (int k = 0; k < PARTS; k++) {
      if (i + k * lanes < n) res[i + k * lanes] = part[k];
    }
  }
#else
  memcpy(res, vec, (size_t)n * sizeof(int));
#endif
}

static inline void copyPattern(const Whole* w, const snInertia* inertia) {
  SN_FOR(i, w->nidof) {
    int nnz = inertia->rownnz[i], adr = inertia->rowadr[i];
    w->iM_rownnz[i] = nnz;
    w->iM_rowadr[i] = adr;
  }
  copyIntegers(w->iM_colind, inertia->colind, w->niM);
}

// Everything else is in order already and needs no copy.
static void shareAll(snData* d, const snInertia* inertia) {
  if (SN_LANE == 0) {
    d->iM = (snReal*)inertia->M;
    d->iLD = (snReal*)inertia->LD;
    d->iLDiagInv = (snReal*)inertia->LDiagInv;
    d->ifrc_smooth = d->qfrc_smooth;
    d->iacc_smooth = d->qacc_smooth;
    d->iacc = d->qacc;
    d->ifrc_constraint = d->qfrc_constraint;
    d->iefc_aref = d->efc_aref;
    d->iefc_state = d->efc_state;
    d->iefc_force = d->efc_force;
    shareEntries(d);
    d->iefc_J_colind = d->efc_J_colind;
    d->iefc_J = d->efc_J;
  }
}

// ---- stage ---------------------------------------------------------------------------------------

// sizes and arrays of the islands; 0 when the arena is full
static int allocateIslands(const snModel* m, snData* d, int nisland, int nidof) {
  SN_ASSERT(nisland > 0 && nidof > 0 && nidof <= (int)m->nv);
  char* place = (char*)d->arena + d->parena;
  d->nisland = nisland;
  d->nidof = nidof;
  d->niM = d->nMs ? d->nMs : (int)m->nC;
  SN_DATA_ARENA_ISLAND_MAPS(SN_ARENA_PLACE)
  SN_DATA_ARENA_ISLAND_COPIES(SN_ARENA_PLACE)
  if (sn_isSparse(m)) {
    d->iefc_Js = d->iefc_J;
  } else {
    SN_ARENA_PLACE(real, iefc_Js, SN_D(nJs), 1, POS, "")
  }
  return sn_arenaTakeUpTo(d, place);
}

static SN_OUTLINE void arenaFull(snData* d) {
#define X(type, name, rows, columns, stage, meaning) d->name = NULL;
  SN_DATA_ARENA_ISLAND(X)
#undef X
  d->iefc_Js = NULL;
  d->nefc = d->nisland = d->nidof = 0;
  sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
}

static int countDofs(const snModel* m, const int* tree_island) {
  int nidof = 0;
  SN_FOR(t, m->ntree) {
    if (tree_island[t] >= 0) nidof += m->tree_dofnum[t];
  }
  return sn_teamSumInt(nidof);
}

// One island with every dof.
static void buildWhole(const snModel* m, snData* d) {
  int fits = 0, ne = d->ne, nf = d->nf, coupled = d->nMs;
  snInertia inertia = sn_systemInertia(m, d);
  Whole w;
  w.nisland = 1;
  w.nidof = (int)m->nv;
  w.niM = coupled ? coupled : (int)m->nC;
  w.nefc = d->nefc;
  char* end = placeWhole(m, &w, (char*)d->arena + d->parena);
  SN_SYNC();
  SN_ONE fits = sn_arenaTakeUpTo(d, end);
  if (sn_teamFromInt(fits, 0)) {
    wholeIsland(m, &w, ne, nf);
    copyPattern(&w, &inertia);
    if (SN_LANE == 0) publishWhole(d, &w);
    shareAll(d, &inertia);
  } else {
    SN_ONE arenaFull(d);
  }
}

static void buildIslands(const snModel* m, snData* d, int nisland, const int* row_tree,
                         const int* tree_island, snRowBlock* blocks, int listed) {
  SN_ASSERT(nisland > 0 && row_tree && tree_island);
  int fits = 0, nidof = countDofs(m, tree_island);
  if (nisland == 1 && nidof == (int)m->nv) {
    buildWhole(m, d);
    return;
  }
  SN_ONE fits = allocateIslands(m, d, nisland, nidof);
  SN_SYNC();
  if (!sn_teamFromInt(fits, 0)) {
    SN_ONE arenaFull(d);
  } else {
    if (makeShared(m, d, row_tree, tree_island, blocks, listed)) return;
    islandTrees(m, d, tree_island);
    islandRows(d, row_tree);
    islandInertia(m, d);
    if (SN_LANES > 1 || nisland > 1 || !shareRows(m, d)) islandJacobian(m, d);
  }
}

// Does the only tree of a model certainly have a row? Rows whose columns would have to be examined do not count.
static int touchesTree(const snData* d) {
  int touches = 0;
  const int *type = d->efc_type, *nnz = d->efc_J_rownnz;
  SN_FOR(row, d->nefc) {
    int kind = type[row], columns = nnz[row];
    int plain =
        (kind == snCNSTR_FRICTION_DOF) | (kind == snCNSTR_LIMIT_JOINT) | sn_isContactRow(kind);
    touches |= plain & (columns > 0);
  }
  return sn_teamAny(touches);
}

// trees that constraints join
static SN_OUTLINE void joinTrees(const snModel* m, snData* d) {
  sn_markStack(d);
  int* row_tree = SN_STACK(d, int, (snSize)d->nefc + 2 * m->ntree);
  if (row_tree) {
    int *label = row_tree + d->nefc, *tree_island = label + m->ntree, listed;
    snRowBlock* blocks = sn_hasCrew(d) ? SN_STACK(d, snRowBlock, d->nefc) : NULL;
    int nisland = sn_findIslands(m, d, row_tree, label, tree_island, blocks, &listed);
    if (nisland) buildIslands(m, d, nisland, row_tree, tree_island, blocks, listed);
  } else {
    SN_SYNC();
    SN_ONE arenaFull(d);
  }
  sn_freeStack(d);
}

SN_STAGE void sn_island(const snModel* m, snData* d) {
  int rows = d->nefc > 0, single = m->ntree == 1;
  int islands = rows & !(m->opt.disableflags & snDSBL_ISLAND);
  if (SN_LANE == 0) d->nisland = d->nidof = 0;
  if (islands) {
    if (single && touchesTree(d)) {
      buildWhole(m, d);
    } else {
      joinTrees(m, d);
    }
  }
  SN_SYNC();
}
