// Constraint rows: how they are built and what every row knows.
//
// Candidates for rows are, in the order of the rows: equalities by id, friction of dofs then of
// tendons, limits of joints then of tendons, contacts. sn_makeConstraint first asks each candidate
// for its span, how many rows on how many dofs it needs now (count); prefix sums over the spans place
// them (place); then each candidate writes its rows (fill). Lanes of a team share all three loops. In
// the dense layout an equality whose Jacobian turns out to be zero loses its rows: the rest is placed
// and filled again.
//
// The Jacobian is kept in compressed rows (efc_Js with the pattern efc_J_*) whatever the layout of
// efc_J, so every later stage has one loop. With the dense layout efc_J is the scattered copy; with
// the sparse layout efc_Js is efc_J. The rows of one candidate share one pattern: efc_J_rowsuper counts
// how many rows that follow have the pattern of this row, and products go through it block by block.
//
// For small models a team of lanes has a second version, in registers (lanes/rows.c).

#ifndef SINEW_ENGINE_CONSTRAIN_CONSTRAINT_H_
#define SINEW_ENGINE_CONSTRAIN_CONSTRAINT_H_

#include "base/assert.h"
#include "base/team.h"
#include "math/math.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Values of snContact.exclude besides 0 (has rows) and 1 (distance above the margin): no dof moves it; it is a spring
// of a flex.
enum { snEXCLUDE_NODOFS = 3, snEXCLUDE_PASSIVE = 4 };

// ---- spans of rows -------------------------------------------------------------------------------

// The rows of one candidate.
struct snRowSpan_ {
  int count;  // rows
  int width;  // dofs of each; SN_EMPTY: it would have rows, but no dof moves it
  int nnz;    // entries of all of them
  int row;    // the first row
  int entry;  // its first entry in efc_Js
};
typedef struct snRowSpan_ snRowSpan;
enum { SN_EMPTY = -1 };

// Rows that no dof moves are dropped, as MuJoCo does it.
static inline snRowSpan sn_rowSpan(int count, int width) {
  SN_ASSERT(count >= 0);
  snRowSpan span = {count, width, count * width, 0, 0};
  if (count && !width) {
    span.count = 0;
    span.width = SN_EMPTY;
  }
  return span;
}

// Spans of the candidates of a kind, not yet placed: of all, or of [begin, end). Lanes share the work. The span of a
// contact also resets the contact's efc_address; contacts of flexes with many dofs are done separately.
// chain: scratch of nv dofs.
SN_FN void sn_equalitySpans(const snModel* m, const snData* d, int asleep, snRowSpan* span);
SN_FN void sn_dofSpans(const snModel* m, const snData* d, snRowSpan* dofs, int begin, int end);
SN_FN void sn_tendonFrictionSpans(const snModel* m, const snData* d, snRowSpan* tendons);
SN_FN void sn_jointSpans(const snModel* m, const snData* d, snRowSpan* joints, int begin, int end);
SN_FN void sn_tendonLimitSpans(const snModel* m, const snData* d, snRowSpan* tendons);
SN_FN void sn_contactSpans(const snModel* m, const snData* d, snRowSpan* span, int begin, int end);
SN_FN void sn_longContactSpans(const snModel* m, const snData* d, snRowSpan* span, int* chain);

// Fill the spans of candidates of a kind, as above. The dense layout was zeroed. work: scratch of 6 x nv numbers.
SN_FN void sn_fillEqualityRows(const snModel* m, snData* d, const snRowSpan* span);
SN_FN void sn_fillDofRows(const snModel* m, snData* d, const snRowSpan* dofs, int begin, int end);
SN_FN void sn_fillTendonFrictionRows(const snModel* m, snData* d, const snRowSpan* tendons);
SN_FN void sn_fillJointRows(const snModel* m, snData* d, const snRowSpan* joints, int begin,
                            int end);
SN_FN void sn_fillTendonLimitRows(const snModel* m, snData* d, const snRowSpan* tendons);
SN_FN void sn_fillContactRows(const snModel* m, snData* d, const snRowSpan* span, int begin,
                              int end);
SN_FN void sn_fillLongContactRows(const snModel* m, snData* d, const snRowSpan* span, int* chain,
                                  snReal* work);

// Does the equality hold all edges or vertices of a flex? Its rows differ in width: the span has none.
static inline int sn_isFlexEquality(const snModel* m, int eq) {
  return m->eq_type[eq] == snEQ_FLEX || m->eq_type[eq] == snEQ_FLEXVERT;
}
SN_FN snRowSpan sn_flexSpan(const snModel* m, const snData* d, int eq);
SN_FN void sn_fillFlexRows(const snModel* m, snData* d, int eq, const snRowSpan* span);

// logarithm of the number of lanes that share the columns of one span
#define SN_SPAN_SHIFT (SN_LANES > 1 ? 3 : 0)

// Where entries go: compressed, and dense unless NULL.
struct snEntries_ {
  snReal* sparse;
  int* col;
  snReal* dense;
  int nv;
};
typedef struct snEntries_ snEntries;

SN_FN snEntries sn_rowEntries(const snModel* m, const snData* d);

// Equality of joints or tendons: residual x1 - c0 - (c1 x + c2 x^2 + c3 x^3 + c4 x^4) with x = x2, and slope
// of the polynomial.
static inline snReal sn_coupling(const snReal c[5], snReal x1, snReal x, snReal* slope) {
  *slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  return x1 - c[0] - x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

static inline void sn_setEntry(const snEntries* e, int row, int place, int dof, snReal value) {
  SN_ASSERT(row >= 0 && place >= 0 && dof >= 0 && dof < e->nv);
  e->sparse[place] = value;
  e->col[place] = dof;
  if (e->dense) e->dense[row * e->nv + dof] = value;
}

// Sets all of row r of a span but its entries.
static inline void sn_setRow(snData* d, const snRowSpan* span, int r, int type, int id, snReal pos,
                             snReal margin, snReal frictionloss) {
  SN_ASSERT(span->row + r >= 0 && span->row + r < d->nefc);
  int row = span->row + r;
  d->efc_type[row] = type;
  d->efc_id[row] = id;
  d->efc_pos[row] = pos;
  d->efc_margin[row] = margin;
  d->efc_frictionloss[row] = frictionloss;
  d->efc_J_rownnz[row] = span->width;
  d->efc_J_rowadr[row] = span->entry + r * span->width;
  d->efc_J_rowsuper[row] = span->count - 1 - r;
}

// The entries of a tendon's Jacobian one by one, by ascending dofs; the dense layout lists those that
// are not zero.
struct snTendonCursor_ {
  const snReal* value;
  const int* col;  // NULL: value is a dense row
  int k;
  int end;
  int dof;  // of the latest entry
};
typedef struct snTendonCursor_ snTendonCursor;

// The first of the numbers from k on that is not zero, or the end. Most dense rows have few: four are looked at
// together.
static inline int sn_skipZeros(const snReal* value, int k, int end) {
  if (k < end && value[k] != 0) return k;
  for (; k + 4 <= end; k += 4) {
    const snReal* v = value + k;
    if (snu_abs(v[0]) + snu_abs(v[1]) + (snu_abs(v[2]) + snu_abs(v[3])) != 0) break;
  }
  while (k < end && value[k] == 0) k++;
  return k;
}

SN_FN int sn_tendonWidth(const snModel* m, const snData* d, int tendon);
SN_FN snTendonCursor sn_tendonStart(const snModel* m, const snData* d, int tendon);
SN_FN int sn_tendonNext(snTendonCursor* cursor, snReal* value);

// All rows in registers, by a team with a lane for each body, dof and contact (lanes/rows.c). Returns 0, having done
// nothing, when the model needs the general version.
SN_FN int sn_makeRowsByLanes(const snModel* m, snData* d);

// ---- equalities and contacts ---------------------------------------------------------------------

// Two frames that a connect or a weld ties together: points in the world, the bodies that carry them.
struct snAnchors_ {
  int body[2];
  snReal pos[2][3];
};
typedef struct snAnchors_ snAnchors;

SN_FN void sn_equalityAnchors(const snModel* m, const snData* d, int eq, snAnchors* anchors);

// Orientations of a weld: the first times the relative rotation, the conjugate of the second.
SN_FN void sn_weldQuats(const snModel* m, const snData* d, int eq, const snAnchors* anchors,
                        snReal first[4], snReal second[4]);

// Impedance, stiffness, damping and regularisation of all rows (constrain/impedance.c).
SN_FN void sn_makeImpedance(const snModel* m, snData* d);

// Mean translational and rotational inverse weight of the two sides of a contact.
SN_FN void sn_contactInvWeight(const snModel* m, const snData* d, const snContact* con,
                               snReal* translation, snReal* rotation);

// Rows of the block that starts at row i: 3 of a connect, 6 of a weld, those of a contact, else 1.
SN_FN int sn_blockRows(const snModel* m, const snData* d, int type, int id);

// The dual matrix, when the solver of the options needs it.
SN_FN void sn_projectBuiltin(const snModel* m, snData* d);

// Half of that matrix: compressed rows B with J M^-1 J' = B B', in the stack frame of the caller. For a
// team; 0 when the arena is full.
struct snHalfRows_ {
  int* nnz;
  int* adr;
  int* col;
  snReal* value;
  int total;  // entries
};
typedef struct snHalfRows_ snHalfRows;
SN_FN int sn_makeHalfRows(const snModel* m, snData* d, snHalfRows* half);

// Forget all rows, islands and the dual matrix; contacts stay.
SN_FN void sn_clearConstraints(snData* d);

// Forget the contacts as well; for a team, which is to be synchronised.
SN_FN void sn_clearContacts(snData* d);

// ---- products with compressed rows -------------------------------------------------------------

// A matrix in compressed rows; super[i] rows after row i have the pattern of row i.
struct snRows_ {
  const snReal* value;
  const int* nnz;
  const int* adr;
  const int* col;
  const int* super;
  const int* pairs;  // NULL, or the numbers that sn_findPairs gives
  // by column: where the entries of each begin, and the row and the place of each (sn_listColumns); NULL:
  // they are not listed
  int *start, *row, *place;
};
typedef struct snRows_ snRows;

SN_FN snRows sn_constraintRows(const snData* d);
SN_FN snRows sn_rowsFrom(const snData* d, int row);  // the same without those before

// Parts of contacts and rows for threads (constrain/parts.c): the contacts or rows of parts [begin, end), which belong
// to neighbouring bodies. Blocks of rows are not divided.
typedef struct snRange_ {
  int begin, end;
} snRange;
SN_FN void sn_contactsOfParts(const snModel* m, const snData* d, int begin, int end, int count,
                              snRange range[2]);
SN_FN void sn_rowsOfParts(const snModel* m, const snData* d, int begin, int end, int count,
                          snRange range[3]);

// Find two kinds of rows that have faster products: runs of pairs (rows of six entries, three for each of two points
// that slide: edges of flexes) and of twins (two rows with the same columns in threes: the invariants around vertices
// of flexes). At the first row of a run pairs[i] is its length, negative for twins; it is 0 elsewhere. Sums of these
// products have another order.
SN_FN void sn_findPairs(const snRows* J, int n, int* pairs);

// By a team: list the entries of the columns of n rows, for products with J'. start has nv + 1 ints, row and
// place as many as the rows have entries (sn_countEntries).
SN_FN void sn_listColumns(snRows* J, int n, int nv, int* start, int* row, int* place);
SN_FN int sn_countEntries(const snRows* J, int n);

// res = J vec over n rows, and res = J' vec over n rows and nv columns (rows with vec 0 skipped).
SN_FN void sn_mulRowsVec(snReal* res, const snRows* J, const snReal* vec, int n);
SN_FN void sn_mulRowsTVec(snReal* res, const snRows* J, const snReal* vec, int n, int nv);

// Reference acceleration of a row: aref = -B v - K I (pos - margin).
static inline snReal sn_rowReference(const snReal KBIP[3], snReal pos, snReal margin, snReal vel) {
  return -KBIP[1] * vel - KBIP[0] * KBIP[2] * (pos - margin);
}

// ---- cost of the rows ----------------------------------------------------------------------------

// What the cost function needs to know of a set of rows: all of them or those of one island.
struct snRowCost_ {
  int ne, nf, nefc;
  int strided;  // sums over rows in four parts (math/four.h): models with flexes, which have many rows
  const int* type;
  const int* id;
  const snReal* D;
  const snReal* R;
  const snReal* frictionloss;
  snContact* contact;
};
typedef struct snRowCost_ snRowCost;

// All rows of the data, in the order of the data.
snRowCost sn_allRows(const snModel* m, const snData* d);

// Is an elliptic row the first one of its contact?
static inline int sn_beginsContact(const snRowCost* rows, int i) {
  SN_ASSERT_INDEX(i, rows->nefc);
  return !i || rows->type[i - 1] != snCNSTR_CONTACT_ELLIPTIC || rows->id[i - 1] != rows->id[i];
}

// Evaluate forces, states and cost at the residuals x; cone Hessians into the contacts on demand.
SN_FN snReal sn_rowCost(const snRowCost* rows, const snReal* x, snReal* force, int* state,
                        int flg_coneHessian);

// One lane, rows without cones: x += alpha v, with what sn_rowCost gives there. The states before the step go
// to oldstate, except those of equalities, which never change.
SN_FN snReal sn_moveRows(const snRowCost* rows, snReal* x, const snReal* v, snReal alpha,
                         snReal* force, int* state, int* oldstate);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_CONSTRAIN_CONSTRAINT_H_
