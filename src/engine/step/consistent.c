#include "engine/step/consistent.h"

#if defined(SN_ASSERTS) && !defined(SN_DEVICE)

#include "base/arena.h"
#include "base/assert.h"

// columns of a row, ascending, within n; a row lies within total entries
static void assertSparseRow(const int* colind, int adr, int nnz, int n, snSize total) {
  SN_ASSERT_PART(adr, nnz, total);
  SN_ASSERT(nnz <= n);
  for (int k = adr; k < adr + nnz; k++) {
    SN_ASSERT_INDEX(colind[k], n);
    SN_ASSERT(k == adr || colind[k - 1] < colind[k]);
  }
}

// list: n items in ascending order, each below limit
static void assertAscending(const int* list, int n, snSize limit) {
  SN_ASSERT(n >= 0 && n <= limit);
  for (int k = 0; k < n; k++) {
    SN_ASSERT_INDEX(list[k], limit);
    SN_ASSERT(k == 0 || list[k - 1] < list[k]);
  }
}

// ---- sleep ------------------------------------------------------------------------------------------

// sleeping trees form cycles, and the lists hold what is awake
void sn_assertAwake(const snModel* m, const snData* d) {
  int ntree = (int)m->ntree, awake = 0;
  for (int tree = 0; tree < ntree; tree++) {
    int next = d->tree_asleep[tree];
    awake += d->tree_awake[tree];
    SN_ASSERT(d->tree_awake[tree] == (next < 0));
    if (next < 0) continue;
    SN_ASSERT_INDEX(next, ntree);
    SN_ASSERT(d->tree_asleep[next] >= 0);
  }
  SN_ASSERT(d->ntree_awake == awake);
  assertAscending(d->body_awake_ind, d->nbody_awake, m->nbody);
  assertAscending(d->parent_awake_ind, d->nparent_awake, m->nbody);
  assertAscending(d->dof_awake_ind, d->nv_awake, m->nv);
  for (int k = 0; k < d->nv_awake; k++) {
    SN_ASSERT(d->tree_awake[m->dof_treeid[d->dof_awake_ind[k]]]);
  }
}

// ---- tendons and actuators ----------------------------------------------------------------------------

void sn_assertTendons(const snModel* m, const snData* d) {
  snSize total = m->ntendon * m->nv;
  for (int t = 0; t < (int)m->ntendon; t++) {
    SN_ASSERT_PART(d->ten_wrapadr[t], d->ten_wrapnum[t], 2 * m->nwrap);
    assertSparseRow(d->ten_J_colind, d->ten_J_rowadr[t], d->ten_J_rownnz[t], (int)m->nv, total);
  }
}

void sn_assertMoments(const snModel* m, const snData* d) {
  for (int i = 0; i < (int)m->nu; i++) {
    assertSparseRow(d->moment_colind, d->moment_rowadr[i], d->moment_rownnz[i], (int)m->nv,
                    m->nJmom);
  }
}

// ---- contacts -----------------------------------------------------------------------------------------

static void assertContact(const snModel* m, const snContact* con) {
  SN_ASSERT(con->dim >= 1 && con->dim <= 6);
  SN_ASSERT(con->exclude >= 0 && con->exclude <= 3);
  for (int side = 0; side < 2; side++) {
    int geom = con->geom[side], flex = con->flex[side];
    SN_ASSERT_REFERENCE(geom, m->ngeom);
    SN_ASSERT_REFERENCE(flex, m->nflex);
    SN_ASSERT((geom >= 0) != (flex >= 0));
    SN_ASSERT(flex < 0 || con->elem[side] >= 0 || con->vert[side] >= 0);
  }
}

void sn_assertContacts(const snModel* m, const snData* d) {
  SN_ASSERT(d->ncon >= 0 && (size_t)d->ncon * sizeof(snContact) <= d->parena);
  SN_ASSERT(!d->ncon || (void*)d->contact == d->arena);
  SN_ASSERT(d->parena + d->pstack <= (size_t)d->narena);
  for (int i = 0; i < d->ncon; i++) assertContact(m, d->contact + i);
}

// ---- constraint rows ----------------------------------------------------------------------------------

static snSize objectsOf(const snModel* m, const snData* d, int type) {
  switch (type) {
    case snCNSTR_EQUALITY: return m->neq;
    case snCNSTR_FRICTION_DOF: return m->nv;
    case snCNSTR_FRICTION_TENDON:
    case snCNSTR_LIMIT_TENDON: return m->ntendon;
    case snCNSTR_LIMIT_JOINT: return m->njnt;
    default: return d->ncon;
  }
}

// equalities, friction, limits, contacts: in this order
static void assertRow(const snModel* m, const snData* d, int row) {
  int type = d->efc_type[row], limits = d->ne + d->nf;
  SN_ASSERT_INDEX(d->efc_id[row], objectsOf(m, d, type));
  SN_ASSERT((type == snCNSTR_EQUALITY) == (row < d->ne));
  SN_ASSERT((type == snCNSTR_FRICTION_DOF || type == snCNSTR_FRICTION_TENDON) ==
            (row >= d->ne && row < limits));
  SN_ASSERT((type == snCNSTR_LIMIT_JOINT || type == snCNSTR_LIMIT_TENDON) ==
            (row >= limits && row < limits + d->nl));
}

void sn_assertRows(const snModel* m, const snData* d) {
  SN_ASSERT(d->ne >= 0 && d->nf >= 0 && d->nl >= 0 && d->ne + d->nf + d->nl <= d->nefc);
  SN_ASSERT(!d->nefc || (d->efc_J && d->efc_D && d->efc_force));
  for (int row = 0; row < d->nefc; row++) assertRow(m, d, row);
  if (d->nefc && sn_isSparse(m)) {
    for (int row = 0; row < d->nefc; row++) {
      assertSparseRow(d->efc_J_colind, d->efc_J_rowadr[row], d->efc_J_rownnz[row], (int)m->nv,
                      d->nJ);
    }
  }
  for (int i = 0; i < d->ncon; i++) {
    int adr = d->contact[i].efc_address;
    SN_ASSERT_REFERENCE(adr, d->nefc);
    SN_ASSERT(adr < 0 || (adr >= d->ne + d->nf + d->nl && d->efc_id[adr] == i));
    SN_ASSERT(adr < 0 || !d->contact[i].exclude);
  }
}

// ---- islands ------------------------------------------------------------------------------------------

// two maps that undo one another
static void assertInverse(const int* map, const int* inverse, int n) {
  for (int k = 0; k < n; k++) {
    SN_ASSERT_INDEX(map[k], n);
    SN_ASSERT(inverse[map[k]] == k);
  }
}

void sn_assertIslands(const snModel* m, const snData* d) {
  int nv = 0, nefc = 0;
  SN_ASSERT(d->nisland >= 0 && d->nisland <= m->ntree);
  if (!d->nisland) return;
  for (int k = 0; k < d->nisland; k++) {
    SN_ASSERT(d->island_idofadr[k] == nv && d->island_nv[k] > 0);
    SN_ASSERT(d->island_iefcadr[k] == nefc && d->island_nefc[k] > 0);
    SN_ASSERT(d->island_ne[k] + d->island_nf[k] <= d->island_nefc[k]);
    SN_ASSERT(d->island_dofadr[k] == d->map_idof2dof[nv]);
    nv += d->island_nv[k];
    nefc += d->island_nefc[k];
  }
  SN_ASSERT(nv == d->nidof && nefc == d->nefc);
  assertInverse(d->map_dof2idof, d->map_idof2dof, (int)m->nv);
  assertInverse(d->map_efc2iefc, d->map_iefc2efc, d->nefc);
  for (int dof = 0; dof < (int)m->nv; dof++) SN_ASSERT_REFERENCE(d->dof_island[dof], d->nisland);
  for (int row = 0; row < d->nefc; row++) SN_ASSERT_INDEX(d->efc_island[row], d->nisland);
}

#endif
