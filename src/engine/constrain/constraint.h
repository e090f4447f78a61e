// Constraint rows: how they are built and what every row knows.
//
// sn_makeConstraint runs the same builders twice: once to count rows and non-zeros, once to fill.
// Builders (constrain/equality_rows.c, flex_rows.c, limit_rows.c, contact_rows.c) open a block of rows on
// an ascending list of dofs (a chain, see smooth/jacobian.h), write its Jacobian values row by row and
// close it. The order of the calls is the order of the rows: equalities by id, friction of dofs then
// of tendons, limits of joints then of tendons, contacts.
//
// The Jacobian is kept in compressed rows (efc_Js with the pattern efc_J_*) whatever the layout of
// efc_J, so every later stage has one loop. With the dense layout efc_J is the scattered copy; with
// the sparse layout efc_Js is efc_J. The rows of one block share one pattern: efc_J_rowsuper counts
// how many rows that follow have the pattern of this row, and products go through it block by block.
//
// A team of lanes does not run the builders: it counts the rows of all candidates side by side, places
// them by prefix sums in the same order and fills them, rows of two bodies column by column. What is
// rare (contacts of flexes, blocks to be dropped in the dense layout) is left to the builders on one lane.

#ifndef SINEW_ENGINE_CONSTRAIN_CONSTRAINT_H_
#define SINEW_ENGINE_CONSTRAIN_CONSTRAINT_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// State of the two passes.
struct snRowBuilder_ {
  const snModel* m;
  snData* d;
  int sparse;    // layout of efc_J
  int counting;  // first pass
  int nrow;      // rows so far
  int nnz;       // non-zeros so far
  int* chain;    // scratch of nv dofs, and of nv marks
  int* mark;
  snReal* jacobian;  // scratch of 12 x nv
};
typedef struct snRowBuilder_ snRowBuilder;

// What the rows of a block have in common.
struct snRowInfo_ {
  int type;             // snConstraint
  int id;               // of the equality, dof, tendon, joint or contact
  int keep_empty;       // contacts stay when their Jacobian is zero
  const snReal* pos;    // one per row; NULL: zeros
  snReal margin;        // of all rows
  snReal frictionloss;  // of all rows
};
typedef struct snRowInfo_ snRowInfo;

// Open nrow rows on n dofs. Returns nrow x n values to fill, or NULL: nothing to do (counting, or
// no dof is moved).
SN_FN snReal* sn_openRows(snRowBuilder* b, int nrow, int n, int keep_empty);

// Close the block just filled. A block whose values are all zero is dropped in the dense layout.
SN_FN void sn_closeRows(snRowBuilder* b, int nrow, int n, const int* chain, const snRowInfo* info);

// The builders, by kind.
SN_FN void sn_addEqualityRows(snRowBuilder* b);
SN_FN void sn_addFlexRows(snRowBuilder* b, int eq);
SN_FN void sn_addFrictionRows(snRowBuilder* b);
SN_FN void sn_addLimitRows(snRowBuilder* b);
SN_FN void sn_addContactRows(snRowBuilder* b);

// ---- rows by a team ------------------------------------------------------------------------------

// The block of a candidate for rows: how many rows, dofs of each, first row and first entry. SN_ODD
// rows: the candidate must be left to the builders.
enum { SN_ODD = -1 };
struct snRowSpan_ {
  int count;
  int width;
  int row;
  int entry;
};
typedef struct snRowSpan_ snRowSpan;

// Does the equality hold all edges or vertices of a flex? Its rows differ in length: the width of its span
// is the number of all their entries.
static inline int sn_isFlexEquality(const snModel* m, int eq) {
  return m->eq_type[eq] == snEQ_FLEX || m->eq_type[eq] == snEQ_FLEXVERT;
}

// Spans of the equalities of flexes in the sparse layout: the work of the team, before all others.
SN_FN void sn_flexSpans(const snModel* m, const snData* d, int asleep, snRowSpan* span);

// Count and width of a candidate; each is the work of one lane. That of contacts resets their
// address.
SN_FN snRowSpan sn_equalitySpan(const snModel* m, const snData* d, int eq, int asleep);
SN_FN snRowSpan sn_dofFrictionSpan(const snModel* m, const snData* d, int dof, int asleep);
SN_FN snRowSpan sn_tendonFrictionSpan(const snModel* m, const snData* d, int tendon);
SN_FN snRowSpan sn_jointLimitSpan(const snModel* m, const snData* d, int joint, int asleep);
SN_FN snRowSpan sn_tendonLimitSpan(const snModel* m, const snData* d, int tendon);
SN_FN snRowSpan sn_contactSpan(const snModel* m, snData* d, int id);

// Fill the blocks of the candidates of a kind, whose spans are given; the team shares the work. The
// dense layout was zeroed.
SN_FN void sn_fillEqualityRows(const snModel* m, snData* d, const snRowSpan* span);
SN_FN snRowSpan sn_countFlexRows(const snModel* m, const snData* d, int eq);
SN_FN void sn_fillFlexRows(const snModel* m, snData* d, int eq, const snRowSpan* span);
SN_FN void sn_fillFrictionRows(const snModel* m, snData* d, const snRowSpan* dofs,
                               const snRowSpan* tendons);
SN_FN void sn_fillLimitRows(const snModel* m, snData* d, const snRowSpan* joints,
                            const snRowSpan* tendons);
SN_FN void sn_fillContactRows(const snModel* m, snData* d, const snRowSpan* span);

// All rows at once, by a team that has a lane for everything (lanes/rows.c); 0: it has not, and
// nothing was done.
SN_FN int sn_makeRowsByLanes(const snModel* m, snData* d);

// Where entries go: compressed, and dense unless NULL.
struct snEntries_ {
  snReal* sparse;
  int* col;
  snReal* dense;
  int nv;
};
typedef struct snEntries_ snEntries;

SN_FN snEntries sn_rowEntries(const snModel* m, const snData* d);

static inline void sn_setEntry(const snEntries* e, int row, int place, int dof, snReal value) {
  e->sparse[place] = value;
  e->col[place] = dof;
  if (e->dense) e->dense[row * e->nv + dof] = value;
}

// Everything of row r of a span but its entries.
static inline void sn_setRow(snData* d, const snRowSpan* span, int r, int type, int id, snReal pos,
                             snReal margin, snReal frictionloss) {
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

// The entries of a tendon's Jacobian one by one: its dofs as sn_tendonChain lists them.
struct snTendonCursor_ {
  const snReal* value;
  const int* col;  // NULL: value is a dense row
  int k;
  int end;
  int dof;  // of the latest entry
};
typedef struct snTendonCursor_ snTendonCursor;

SN_FN int sn_tendonWidth(const snModel* m, const snData* d, int tendon);
SN_FN snTendonCursor sn_tendonStart(const snModel* m, const snData* d, int tendon);
SN_FN int sn_tendonNext(snTendonCursor* cursor, snReal* value);

// lanes that share the columns of one block
enum { SN_BLOCK_LANES = 8 };

// ---- builders' helpers -----------------------------------------------------------------------------

// Jacobian of a tendon: its dofs into chain, pointer to the values (compressed) or NULL when they
// must be taken from the dense row. Returns the number of dofs.
SN_FN int sn_tendonChain(const snModel* m, const snData* d, int tendon, int* chain);
SN_FN void sn_tendonValues(const snModel* m, const snData* d, int tendon, int n, const int* chain,
                           snReal* values);

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
};
typedef struct snRows_ snRows;

SN_FN snRows sn_constraintRows(const snData* d);

// res = J vec over n rows, and res = J' vec over n rows and nv columns (rows with vec 0 skipped).
SN_FN void sn_mulRowsVec(snReal* res, const snRows* J, const snReal* vec, int n);
SN_FN void sn_mulRowsTVec(snReal* res, const snRows* J, const snReal* vec, int n, int nv);

// ---- cost of the rows ----------------------------------------------------------------------------

// What the cost function needs to know of a set of rows: all of them or those of one island.
struct snRowCost_ {
  int ne, nf, nefc;
  const int* type;
  const int* id;
  const snReal* D;
  const snReal* R;
  const snReal* frictionloss;
  snContact* contact;
};
typedef struct snRowCost_ snRowCost;

// All rows of the data, in the order of the data.
snRowCost sn_allRows(const snData* d);

// Whether an elliptic row is the first of its contact.
static inline int sn_beginsContact(const snRowCost* rows, int i) {
  return !i || rows->type[i - 1] != snCNSTR_CONTACT_ELLIPTIC || rows->id[i - 1] != rows->id[i];
}

// Evaluate forces, states and cost at the residuals x; cone Hessians into the contacts on demand.
SN_FN snReal sn_rowCost(const snRowCost* rows, const snReal* x, snReal* force, int* state,
                        int flg_coneHessian);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_CONSTRAIN_CONSTRAINT_H_
