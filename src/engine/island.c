// Islands: sets of trees that constraints tie together, each solved on its own.
//
// Trees are vertices, every constraint is an edge between the trees that it touches. Components with
// at least one edge are islands, numbered by their smallest tree. Dofs and rows are renumbered so
// that those of an island are contiguous and keep their order.

#include <string.h>

#include "base/arena.h"
#include "engine/constraint.h"
#include "engine/inertia.h"
#include "math/math.h"

// ---- graph of trees ------------------------------------------------------------------------------

// representative of a tree: the smallest of its component
static int findRoot(int* parent, int tree) {
  while (parent[tree] != tree) {
    parent[tree] = parent[parent[tree]];
    tree = parent[tree];
  }
  return tree;
}

static void join(int* parent, int tree1, int tree2) {
  int root1 = findRoot(parent, tree1), root2 = findRoot(parent, tree2);
  if (root1 < root2) {
    parent[root2] = root1;
  } else {
    parent[root1] = root2;
  }
}

// bodies on the two sides of a constraint that ties exactly two; 0 when it is of another kind
static int twoBodies(const snModel* m, const snData* d, int row, int body[2]) {
  int id = d->efc_id[row];
  if (d->efc_type[row] >= snCNSTR_CONTACT_FRICTIONLESS) {
    const int* geom = d->contact[id].geom;
    if (geom[0] < 0 || geom[1] < 0) return 0;
    body[0] = m->geom_bodyid[geom[0]];
    body[1] = m->geom_bodyid[geom[1]];
    return 1;
  }
  if (d->efc_type[row] != snCNSTR_EQUALITY || m->eq_type[id] > snEQ_WELD) return 0;
  int site = m->eq_objtype[id] == snOBJ_SITE;
  body[0] = site ? m->site_bodyid[m->eq_obj1id[id]] : m->eq_obj1id[id];
  body[1] = site ? m->site_bodyid[m->eq_obj2id[id]] : m->eq_obj2id[id];
  return 1;
}

// Join the trees of a row by its columns; returns the first. A dense row of two coupled joints or
// tendons whose slope is zero does not touch the second.
static int joinColumns(const snModel* m, const snData* d, int row, int* parent) {
  int adr = d->efc_J_rowadr[row], first = -1;
  int skip_zero = !sn_isSparse(m) && d->efc_type[row] < snCNSTR_CONTACT_FRICTIONLESS;
  for (int k = adr; k < adr + d->efc_J_rownnz[row]; k++) {
    if (skip_zero && d->efc_Js[k] == 0) continue;
    int tree = m->dof_treeid[d->efc_J_colind[k]];
    if (first < 0) first = tree;
    join(parent, first, tree);
  }
  return first;
}

// join the trees of one row; returns one of them, -1 when it touches none
static int joinRow(const snModel* m, const snData* d, int row, int* parent) {
  int body[2], id = d->efc_id[row];
  switch (d->efc_type[row]) {
    case snCNSTR_FRICTION_DOF: return m->dof_treeid[id];
    case snCNSTR_LIMIT_JOINT: return m->dof_treeid[m->jnt_dofadr[id]];
    default: break;
  }
  if (!twoBodies(m, d, row, body)) return joinColumns(m, d, row, parent);
  int tree1 = m->body_treeid[body[0]], tree2 = m->body_treeid[body[1]];
  if (tree1 >= 0 && tree2 >= 0) join(parent, tree1, tree2);
  return tree1 >= 0 ? tree1 : tree2;
}

// Join the trees that the inertia of the step couples: with implicitspringdamper those that a tendon
// with a spring or damper ties.
static void joinCoupled(const snModel* m, const snData* d, int* parent) {
  for (int dof = 0; dof < (int)m->nv; dof++) {
    int n = d->Ms_rownnz[dof], adr = d->Ms_rowadr[dof];
    if (n > 1) join(parent, m->dof_treeid[dof], m->dof_treeid[d->Ms_colind[adr + n - 2]]);
  }
}

// tree of every row and island of every tree; returns the number of islands
static int findIslands(const snModel* m, const snData* d, int* row_tree, int* parent,
                       int* tree_island) {
  int ntree = (int)m->ntree, nisland = 0;
  for (int t = 0; t < ntree; t++) {
    parent[t] = t;
    tree_island[t] = -1;
  }
  if (d->nMs) joinCoupled(m, d, parent);
  for (int row = 0; row < d->nefc; row++) row_tree[row] = joinRow(m, d, row, parent);
  for (int row = 0; row < d->nefc; row++) {
    if (row_tree[row] >= 0) tree_island[findRoot(parent, row_tree[row])] = 0;
  }
  for (int t = 0; t < ntree; t++) {
    int root = findRoot(parent, t);
    if (root == t && tree_island[t] == 0) {
      tree_island[t] = nisland++;
    } else {
      tree_island[t] = root == t ? -1 : tree_island[root];
    }
  }
  return nisland;
}

// ---- renumbering ---------------------------------------------------------------------------------

// Stable sort of n items by island: counts and starts per island, both maps. Items without an
// island come last.
static void sortByIsland(int n, const int* island, int nisland, int* count, int* start, int* to,
                         int* from) {
  for (int k = 0; k < nisland; k++) count[k] = 0;
  for (int i = 0; i < n; i++) {
    if (island[i] >= 0) count[island[i]]++;
  }
  int next = 0;
  for (int k = 0; k < nisland; k++) {
    start[k] = next;
    next += count[k];
    count[k] = 0;
  }
  for (int i = 0; i < n; i++) {
    int place = island[i] >= 0 ? start[island[i]] + count[island[i]]++ : next++;
    from[place] = i;
    if (to) to[i] = place;
  }
}

static void islandTrees(const snModel* m, snData* d, const int* tree_island) {
  int nv = (int)m->nv;
  memcpy(d->tree_island, tree_island, (size_t)m->ntree * sizeof(int));
  sortByIsland((int)m->ntree, d->tree_island, d->nisland, d->island_ntree, d->island_itreeadr, NULL,
               d->map_itree2tree);
  for (int i = 0; i < nv; i++) d->dof_island[i] = tree_island[m->dof_treeid[i]];
  sortByIsland(nv, d->dof_island, d->nisland, d->island_nv, d->island_idofadr, d->map_dof2idof,
               d->map_idof2dof);
  for (int k = 0; k < d->nisland; k++) {
    d->island_dofadr[k] = d->map_idof2dof[d->island_idofadr[k]];
  }
}

static void islandRows(snData* d, const int* row_tree) {
  for (int row = 0; row < d->nefc; row++) {
    d->efc_island[row] = row_tree[row] >= 0 ? d->tree_island[row_tree[row]] : 0;
  }
  sortByIsland(d->nefc, d->efc_island, d->nisland, d->island_nefc, d->island_iefcadr,
               d->map_efc2iefc, d->map_iefc2efc);
  for (int k = 0; k < d->nisland; k++) d->island_ne[k] = d->island_nf[k] = 0;
  for (int row = 0; row < d->ne; row++) d->island_ne[d->efc_island[row]]++;
  for (int row = d->ne; row < d->ne + d->nf; row++) d->island_nf[d->efc_island[row]]++;
}

// One island with every dof: trees, dofs and rows keep their places.
static void wholeIsland(const snModel* m, snData* d) {
  int nv = (int)m->nv, ntree = (int)m->ntree, nefc = d->nefc;
  for (int t = 0; t < ntree; t++) {
    d->tree_island[t] = 0;
    d->map_itree2tree[t] = t;
  }
  for (int i = 0; i < nv; i++) {
    d->dof_island[i] = 0;
    d->map_dof2idof[i] = d->map_idof2dof[i] = i;
  }
  for (int row = 0; row < nefc; row++) {
    d->efc_island[row] = 0;
    d->map_efc2iefc[row] = d->map_iefc2efc[row] = row;
  }
  d->island_itreeadr[0] = d->island_idofadr[0] = d->island_dofadr[0] = d->island_iefcadr[0] = 0;
  d->island_ntree[0] = ntree;
  d->island_nv[0] = nv;
  d->island_nefc[0] = nefc;
  d->island_ne[0] = d->ne;
  d->island_nf[0] = d->nf;
}

// inertia matrix of the step and its factor, row by row
static void islandInertia(const snModel* m, snData* d) {
  snInertia inertia = sn_systemInertia(m, d);
  int next = 0;
  for (int i = 0; i < d->nidof; i++) {
    int dof = d->map_idof2dof[i], n = inertia.rownnz[dof], adr = inertia.rowadr[dof];
    int base = d->island_idofadr[d->dof_island[dof]];
    d->iM_rownnz[i] = n;
    d->iM_rowadr[i] = next;
    d->iLDiagInv[i] = inertia.LDiagInv[dof];
    for (int k = 0; k < n; k++) {
      d->iM_colind[next + k] = d->map_dof2idof[inertia.colind[adr + k]] - base;
      d->iM[next + k] = inertia.M[adr + k];
      d->iLD[next + k] = inertia.LD[adr + k];
    }
    next += n;
  }
}

// dense block of an island's rows
static void denseBlocks(snData* d) {
  for (int k = 0; k < d->nisland; k++) {
    int nv = d->island_nv[k];
    snReal* block = d->iefc_J + (size_t)d->nidof * d->island_iefcadr[k];
    snu_zero(block, nv * d->island_nefc[k]);
    for (int r = 0; r < d->island_nefc[k]; r++, block += nv) {
      int row = d->island_iefcadr[k] + r, adr = d->iefc_J_rowadr[row];
      for (int j = adr; j < adr + d->iefc_J_rownnz[row]; j++) {
        block[d->iefc_J_colind[j]] = d->iefc_Js[j];
      }
    }
  }
}

// Columns of a row relative to its island; returns their number. Columns of a second tree that a zero
// slope left outside of the island are dropped.
static int islandRow(snData* d, int row, int next) {
  int island = d->efc_island[row], base = d->island_idofadr[island], used = 0;
  for (int k = d->efc_J_rowadr[row]; k < d->efc_J_rowadr[row] + d->efc_J_rownnz[row]; k++) {
    int dof = d->efc_J_colind[k];
    if (d->dof_island[dof] != island) continue;
    d->iefc_J_colind[next + used] = d->map_dof2idof[dof] - base;
    d->iefc_Js[next + used++] = d->efc_Js[k];
  }
  return used;
}

// Rows in island order with columns relative to the island.
static void islandJacobian(const snModel* m, snData* d) {
  int next = 0;
  for (int i = 0; i < d->nefc; i++) {
    int row = d->map_iefc2efc[i], n = islandRow(d, row, next);
    d->iefc_type[i] = d->efc_type[row];
    d->iefc_id[i] = d->efc_id[row];
    d->iefc_frictionloss[i] = d->efc_frictionloss[row];
    d->iefc_D[i] = d->efc_D[row];
    d->iefc_R[i] = d->efc_R[row];
    d->iefc_J_rownnz[i] = n;
    d->iefc_J_rowadr[i] = next;
    d->iefc_J_rowsuper[i] = d->efc_J_rowsuper[row];  // blocks stay together
    if (n != d->efc_J_rownnz[row]) {                 // its pattern is its own
      d->iefc_J_rowsuper[i] = 0;
      for (int k = i - 1; k >= 0 && k + d->iefc_J_rowsuper[k] >= i; k--) {
        d->iefc_J_rowsuper[k] = i - 1 - k;
      }
    }
    next += n;
  }
  if (!sn_isSparse(m)) denseBlocks(d);
}

// One island with every dof: everything is in order already and needs no copy.
static void shareAll(const snModel* m, snData* d) {
  snInertia inertia = sn_systemInertia(m, d);
  memcpy(d->iM_rownnz, inertia.rownnz, (size_t)m->nv * sizeof(int));
  memcpy(d->iM_rowadr, inertia.rowadr, (size_t)m->nv * sizeof(int));
  memcpy(d->iM_colind, inertia.colind, (size_t)d->niM * sizeof(int));
  d->iM = (snReal*)inertia.M;
  d->iLD = (snReal*)inertia.LD;
  d->iLDiagInv = (snReal*)inertia.LDiagInv;
  d->ifrc_smooth = d->qfrc_smooth;
  d->iacc_smooth = d->qacc_smooth;
  d->iacc = d->qacc;
  d->ifrc_constraint = d->qfrc_constraint;
  d->iefc_aref = d->efc_aref;
  d->iefc_state = d->efc_state;
  d->iefc_force = d->efc_force;
  d->iefc_type = d->efc_type;
  d->iefc_id = d->efc_id;
  d->iefc_frictionloss = d->efc_frictionloss;
  d->iefc_D = d->efc_D;
  d->iefc_R = d->efc_R;
  d->iefc_J_rownnz = d->efc_J_rownnz;
  d->iefc_J_rowadr = d->efc_J_rowadr;
  d->iefc_J_rowsuper = d->efc_J_rowsuper;
  d->iefc_J_colind = d->efc_J_colind;
  d->iefc_J = d->efc_J;
  d->iefc_Js = d->efc_Js;
}

// ---- stage ---------------------------------------------------------------------------------------

static int allocateIslands(const snModel* m, snData* d, int whole) {
  SN_DATA_ARENA_ISLAND_MAPS(SN_ARENA_ROW)
  if (whole) return 1;
  SN_DATA_ARENA_ISLAND_COPIES(SN_ARENA_ROW)
  if (sn_isSparse(m)) {
    d->iefc_Js = d->iefc_J;
  } else {
    d->iefc_Js = (snReal*)sn_arenaAlloc(d, (size_t)d->nJs * sizeof(snReal), sizeof(snReal));
  }
  return d->iefc_Js != NULL;
}

static void buildIslands(const snModel* m, snData* d, const int* row_tree, const int* tree_island) {
  for (int t = 0; t < (int)m->ntree; t++) {
    if (tree_island[t] >= 0) d->nidof += m->tree_dofnum[t];
  }
  int whole = d->nisland == 1 && d->nidof == (int)m->nv;
  d->niM = d->nMs ? d->nMs : (int)m->nC;
  if (!allocateIslands(m, d, whole)) {
    d->nefc = d->nisland = d->nidof = 0;
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    return;
  }
  if (whole) {
    wholeIsland(m, d);
    shareAll(m, d);
    return;
  }
  islandTrees(m, d, tree_island);
  islandRows(d, row_tree);
  islandInertia(m, d);
  islandJacobian(m, d);
}

void sn_island(const snModel* m, snData* d) {
  d->nisland = d->nidof = 0;
  if (!d->nefc || (m->opt.disableflags & snDSBL_ISLAND)) return;

  sn_markStack(d);
  int* row_tree = SN_STACK(d, int, d->nefc);
  int* parent = SN_STACK(d, int, m->ntree);
  int* tree_island = SN_STACK(d, int, m->ntree);
  if (row_tree && parent && tree_island) {
    d->nisland = findIslands(m, d, row_tree, parent, tree_island);
    if (d->nisland) buildIslands(m, d, row_tree, tree_island);
  } else {
    d->nefc = 0;
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
