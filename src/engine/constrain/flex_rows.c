// Rows of the equalities that hold a flex: every edge keeps its length, or every vertex keeps the two
// invariants of its neighbourhood's metric.

#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "math/math.h"

// A row as the model and the position stage have it.
typedef struct FlexRow_ {
  int nnz;  // 0: there is no such row
  const int* column;
  const snReal* value;
  snReal pos;
  snReal invweight;  // stored here, because the row does not say which edge or vertex it belongs to
} FlexRow;

static int flexRows(const snModel* m, int eq) {
  int flex = m->eq_obj1id[eq];
  return m->eq_type[eq] == snEQ_FLEX ? m->flex_edgenum[flex] : 2 * m->flex_vertnum[flex];
}

static FlexRow flexRow(const snModel* m, const snData* d, int eq, int i) {
  SN_ASSERT_INDEX(eq, m->neq);
  SN_ASSERT(i >= 0);
  FlexRow row;
  int flex = m->eq_obj1id[eq], adr;
  if (m->eq_type[eq] == snEQ_FLEX) {
    int e = m->flex_edgeadr[flex] + i;
    adr = m->flexedge_J_rowadr[e];
    row.nnz = m->flexedge_rigid[e] ? 0 : m->flexedge_J_rownnz[e];
    row.column = m->flexedge_J_colind + adr;
    row.value = d->flexedge_J + adr;
    row.pos = d->flexedge_length[e] - m->flexedge_length0[e];
    row.invweight = m->flexedge_invweight0[e];
  } else {
    int r = 2 * m->flex_vertadr[flex] + i;
    adr = m->flexvert_J_rowadr[r];
    row.nnz = m->flexvert_J_rownnz[r];
    row.column = m->flexvert_J_colind + adr;
    row.value = d->flexvert_J + adr;
    row.pos = d->flexvert_length[r];
    row.invweight = m->body_invweight0[2 * m->flex_vertbodyid[r / 2]];
  }
  // in the dense layout rows of zeros are dropped too
  if (row.nnz && !sn_isSparse(m) && snu_isZero(row.value, row.nnz)) row.nnz = 0;
  return row;
}

snRowSpan sn_flexSpan(const snModel* m, const snData* d, int eq) {
  SN_ASSERT_INDEX(eq, m->neq);
  snRowSpan span = {0, 0, 0, 0, 0};
  SN_FOR(i, flexRows(m, eq)) {
    int nnz = flexRow(m, d, eq, i).nnz;
    span.count += nnz > 0;
    span.nnz += nnz;
  }
  span.count = sn_teamSumInt(span.count);
  span.nnz = sn_teamSumInt(span.nnz);
  return span;
}

// a lane takes a row
void sn_fillFlexRows(const snModel* m, snData* d, int eq, const snRowSpan* span) {
  SN_ASSERT_INDEX(eq, m->neq);
  int n = flexRows(m, eq), row = span->row, entry = span->entry;
  snEntries entries = sn_rowEntries(m, d);
  for (int base = 0; base < n; base += SN_LANES) {
    int i = base + SN_LANE, rows, total;
    FlexRow own;
    own.nnz = 0;
    if (i < n) own = flexRow(m, d, eq, i);
    snRowSpan place = {1, own.nnz, own.nnz, row, entry};
    place.row += sn_teamScan(own.nnz > 0, &rows);
    place.entry += sn_teamScan(own.nnz, &total);
    row += rows;
    entry += total;
    if (!own.nnz) continue;
    sn_setRow(d, &place, 0, snCNSTR_EQUALITY, eq, own.pos, 0, 0);
    d->efc_diagApprox[place.row] = own.invweight;
    for (int k = 0; k < own.nnz; k++) {
      sn_setEntry(&entries, place.row, place.entry + k, own.column[k], own.value[k]);
    }
  }
}
