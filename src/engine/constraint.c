// Building the constraint rows: two passes over the builders, storage, order.

#include "engine/constraint.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "math/math.h"

int sn_isPyramidal(const snModel* m) { return m->opt.cone == snCONE_PYRAMIDAL; }

int sn_isSparse(const snModel* m) {
  return m->opt.jacobian == snJAC_SPARSE || (m->opt.jacobian == snJAC_AUTO && m->nv >= 60);
}

int sn_isDual(const snModel* m) {
  return m->opt.solver == snSOL_PGS || m->opt.noslip_iterations > 0;
}

void sn_clearConstraints(snData* d) {
#define X(type, name, rows, columns, stage, meaning) d->name = NULL;
  SN_DATA_ARENA_ROWS(X)
  SN_DATA_ARENA_ISLAND(X)
  SN_DATA_ARENA_DUAL(X)
  SN_DATA_ARENA_OWN(X)
  SN_DATA_ARENA_SYSTEM(X)
#undef X
  d->ne = d->nf = d->nl = d->nefc = 0;
  d->nJ = d->nA = d->nJs = d->nMs = d->niM = 0;
  d->nisland = d->nidof = 0;
  d->parena = (size_t)d->ncon * sizeof(snContact);
}

// ---- blocks of rows ------------------------------------------------------------------------------

snReal* sn_openRows(snRowBuilder* b, int nrow, int n, int keep_empty) {
  if (b->sparse && n == 0 && !keep_empty) return NULL;
  if (b->counting) {
    b->nrow += nrow;
    b->nnz += nrow * n;
    return NULL;
  }
  return b->d->efc_Js + b->nnz;
}

// dense copy of a block
static void scatterRows(snRowBuilder* b, int nrow, int n, const int* chain, const snReal* value) {
  int nv = (int)b->m->nv;
  snReal* dense = b->d->efc_J + (size_t)b->nrow * nv;
  snu_zero(dense, nrow * nv);
  for (int r = 0; r < nrow; r++, dense += nv, value += n) {
    for (int k = 0; k < n; k++) dense[chain[k]] = value[k];
  }
}

void sn_closeRows(snRowBuilder* b, int nrow, int n, const int* chain, const snRowInfo* info) {
  snData* d = b->d;
  const snReal* value = d->efc_Js + b->nnz;
  if (!b->sparse) {
    if (!info->keep_empty && snu_isZero(value, nrow * n)) return;
    scatterRows(b, nrow, n, chain, value);
  }
  for (int r = 0; r < nrow; r++) {
    int row = b->nrow + r, adr = b->nnz + r * n;
    d->efc_type[row] = info->type;
    d->efc_id[row] = info->id;
    d->efc_pos[row] = info->pos ? info->pos[r] : 0;
    d->efc_margin[row] = info->margin;
    d->efc_frictionloss[row] = info->frictionloss;
    d->efc_J_rownnz[row] = n;
    d->efc_J_rowadr[row] = adr;
    d->efc_J_rowsuper[row] = nrow - 1 - r;
    memcpy(d->efc_J_colind + adr, chain, (size_t)n * sizeof(int));
  }
  b->nrow += nrow;
  b->nnz += nrow * n;
}

// ---- passes --------------------------------------------------------------------------------------

static void buildRows(snRowBuilder* b) {
  snData* d = b->d;
  int disable = b->m->opt.disableflags;
  b->nrow = b->nnz = 0;
  if (!(disable & snDSBL_EQUALITY) && b->m->nemax) sn_addEqualityRows(b);
  d->ne = b->nrow;
  if (!(disable & snDSBL_FRICTIONLOSS)) sn_addFrictionRows(b);
  d->nf = b->nrow - d->ne;
  if (!(disable & snDSBL_LIMIT)) sn_addLimitRows(b);
  d->nl = b->nrow - d->ne - d->nf;
  if (!(disable & snDSBL_CONTACT)) sn_addContactRows(b);
}

// arrays for the counted rows; 0 when the arena is full
static int allocateRows(const snModel* m, snData* d, const snRowBuilder* b) {
  d->nefc = b->nrow;
  d->nJ = b->sparse ? b->nnz : b->nrow * (int)m->nv;
  d->nJs = b->nnz;
  SN_DATA_ARENA_ROWS(SN_ARENA_ROW)
  if (b->sparse) {
    d->efc_Js = d->efc_J;
  } else {
    d->efc_Js = (snReal*)sn_arenaAlloc(d, (size_t)d->nJs * sizeof(snReal), sizeof(snReal));
    if (!d->efc_Js) return 0;
  }
  return 1;
}

static void overflow(snData* d) {
  sn_clearConstraints(d);
  for (int k = 0; k < d->ncon; k++) d->contact[k].efc_address = -1;
  sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
}

static void buildCounted(const snModel* m, snData* d, snRowBuilder* b) {
  b->counting = 1;
  buildRows(b);
  if (!b->nrow) {
    d->nefc = 0;
    return;
  }
  if (!allocateRows(m, d, b)) {
    overflow(d);
    return;
  }
  for (int t = 0; t < (int)m->ntendon; t++) d->tendon_efcadr[t] = -1;
  b->counting = 0;
  buildRows(b);
  SN_ASSERT(b->nrow <= d->nefc && b->nnz <= d->nJs);
  d->nefc = b->nrow;
  d->nJs = b->nnz;
  if (d->nefc) sn_makeImpedance(m, d);
}

// contacts of passive flexes act as springs, not as rows
static void excludePassive(const snModel* m, snData* d) {
  for (int k = 0; k < d->ncon; k++) {
    snContact* con = d->contact + k;
    for (int side = 0; side < 2; side++) {
      if (con->flex[side] >= 0 && m->flex_passive[con->flex[side]]) {
        con->exclude = 4;
        con->efc_address = -1;
      }
    }
  }
}

void sn_makeConstraint(const snModel* m, snData* d) {
  sn_clearConstraints(d);
  if ((m->opt.disableflags & snDSBL_CONSTRAINT) || !m->nv) return;
  if (m->nflex) excludePassive(m, d);

  sn_markStack(d);
  snRowBuilder b;
  memset(&b, 0, sizeof(b));
  b.m = m;
  b.d = d;
  b.sparse = sn_isSparse(m);
  b.chain = SN_STACK(d, int, m->nv);
  b.mark = SN_STACK(d, int, m->nv);
  b.jacobian = SN_STACK(d, snReal, 12 * m->nv);
  if (b.chain && b.mark && b.jacobian) {
    buildCounted(m, d, &b);
  } else {
    overflow(d);
  }
  sn_freeStack(d);

  if (d->ncon > d->maxuse_con) d->maxuse_con = d->ncon;
  if (d->nefc > d->maxuse_efc) d->maxuse_efc = d->nefc;
}
