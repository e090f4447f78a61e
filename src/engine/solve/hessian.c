// The Hessian of the primal problem: assembly, and updates when rows change their states.
//
// H = M + sum D J'J over quadratic rows + sum J_c' H_c J_c over cone contacts. When few rows change
// their state the factor is updated, row by row; when many do, or contacts are in the cone zone, D J'J is added to and
// removed from the quadratic part, which is factored anew. Removing loses digits where the removed part was dominant;
// everything is then assembled anew.

#include <string.h>

#include "base/assert.h"
#include "engine/solve/kernel.h"
#include "engine/solve/solver.h"
#include "math/math.h"
#include "math/sparse.h"

// ---- assembly ------------------------------------------------------------------------------------

// zeros behind a row of n numbers
SN_KERNEL void padRow(snReal* SN_RESTRICT row, int n) {
  int room = sn_paddedRow(n);
#if SN_HAS_FOUR
  snFour zero = {0, 0, 0, 0};
  *(snFour*)(row + room - 4) = zero;
#else
  for (int k = n; k < room; k++) row[k] = 0;
#endif
}

// The rows of one block times their weights, and zeros behind them; returns the number of those whose weight is not
// zero, which left and right point at. scratch has room for all.
SN_KERNEL int scaleRows(const snRows* J, int first, int count, const snReal* weight,
                        snReal* scratch, const snReal** left, const snReal** right) {
  int n = J->nnz[first], room = sn_paddedRow(n), used = 0;
  for (int r = 0; r < count; r++) {
    if (weight[r] == 0) continue;
    const snReal* row = J->value + J->adr[first + r];
    snReal *SN_RESTRICT scaled = scratch + (size_t)used * room, scale = weight[r];
    padRow(scaled, n);
#define SCALED(w) (SN_LOAD##w(row + k) * scale)
    SN_OVER(scaled, n, SCALED);
#undef SCALED
    left[used] = row;
    right[used++] = scaled;
  }
  return used;
}

// The same for one row with few columns, from the diagonal down. The next column is tried first at the entry before,
// then where the row before had it, and then searched for.
static void addThinRow(const snHessian* H, snReal* mat, const snReal* left, const snReal* right,
                       const int* col, int n) {
  int known = 0;
  for (int a = 0; a < n; a++) {
    int i = col[a], t = H->nnz[i] - 1;
    SN_ASSERT_INDEX(i, H->n);
    snReal* target = mat + H->adr[i];
    const int* where = H->col + H->adr[i];
    target[t] += left[a] * right[a];
    for (int k = a - 1; k >= 0; k--) {
      t--;
      if (where[t] != col[k]) {
        if (!(known < t && where[known] == col[k])) known = sn_findIndex(where, t, col[k]);
        t = known;
      }
      target[t] += left[a] * right[k];
    }
  }
}

// A row is thin with at most so many columns, if the Hessian has more.
enum { THIN = 8 };

// add weight[r] J_r' J_r for the rows [first, first + count) of one pattern of several columns
SN_WIDE(static, void, addBlock,
        (const snHessian* H, snReal* mat, int first, int count, const snReal* weight,
         snReal* scratch),
        (H, mat, first, count, weight, scratch)) {
  SN_ASSERT(count <= snMAXBLOCK);
  const snReal *left[snMAXBLOCK], *right[snMAXBLOCK];
  int n = H->J.nnz[first], used = scaleRows(&H->J, first, count, weight, scratch, left, right);
  const int* col = H->J.col + H->J.adr[first];
  if (used == 1 && n <= THIN && H->nnz[col[n - 1]] != n) {
    addThinRow(H, mat, left[0], right[0], col, n);
  } else if (used) {
    sn_addProduct(H, mat, col, n, used, left, NULL, right);
  }
}

// the same of rows of any pattern
static void addRows(const snPrimal* p, snReal* mat, int first, int count, const snReal* weight,
                    snReal* scratch) {
  SN_ASSERT_PART(first, count, p->rows.nefc);
  const snRows* J = &p->H.J;
  if (J->nnz[first] > 1) {
    addBlock(&p->H, mat, first, count, weight, scratch);
    return;
  }
  // friction and limits of joints
  int dof = J->col[J->adr[first]];
  snReal* diagonal = mat + p->H.adr[dof] + p->H.nnz[dof] - 1;
  for (int r = 0; r < count; r++) {
    snReal value = J->value[J->adr[first + r]];
    *diagonal += weight[r] * value * value;
  }
}

// Weights of the rows of one block: D for rows that became quadratic, -D for those that no longer are. Counts the
// changes. Rows that no dof moves change nothing.
static int blockWeights(const snPrimal* p, int first, int count, const int* old, snReal* weight,
                        int* removed) {
  SN_ASSERT_PART(first, count, p->rows.nefc);
  int changed = 0;
  if (!p->H.J.nnz[first]) return 0;
  for (int r = 0; r < count; r++) {
    int now = p->state[first + r] == snCNSTRSTATE_QUADRATIC;
    int before = old && old[first + r] == snCNSTRSTATE_QUADRATIC;
    weight[r] = (now - before) * p->rows.D[first + r];
    changed += now != before;
    *removed |= before && !now;
  }
  return changed;
}

static int blockLength(const snPrimal* p, int first) {
  SN_ASSERT_INDEX(first, p->rows.nefc);
  int count = p->J.super[first] + 1;
  if (count > p->rows.nefc - first) count = p->rows.nefc - first;
  return count < snMAXBLOCK ? count : snMAXBLOCK;
}

// J' (H J) of the rows of a contact in its cone, from row i on
SN_WIDE(static, void, addCone,
        (const snHessian* H, snReal* mat, const snContact* con, int i, snReal* scratch),
        (H, mat, con, i, scratch)) {
  const snReal *left[6], *right[6];
  const snRows* J = &H->J;
  int dim = con->dim, n = J->nnz[i], room = sn_paddedRow(n);
  SN_ASSERT(dim > 1 && dim <= 6);
  for (int r = 0; r < dim; r++) left[r] = J->value + J->adr[i + r];
  for (int r = 0; r < dim; r++) {
    const snReal* h = con->H + r * dim;
    snReal* SN_RESTRICT product = scratch + (size_t)r * room;
    snu_zero(product, room);
    for (int c = 0; c < dim; c++) {
      for (int k = 0; k < n; k++) product[k] += left[c][k] * h[c];
    }
    right[r] = product;
  }
  sn_addProduct(H, mat, J->col + J->adr[i], n, dim, left, NULL, right);
}

static void addCones(snPrimal* p, snReal* mat, snReal* scratch) {
  for (int i = p->rows.ne + p->rows.nf; i < p->rows.nefc;) {
    if (p->rows.type[i] != snCNSTR_CONTACT_ELLIPTIC) {
      i++;
      continue;
    }
    const snContact* con = p->rows.contact + p->rows.id[i];
    SN_ASSERT_PART(i, con->dim, p->rows.nefc);
    if (p->state[i] == snCNSTRSTATE_CONE) addCone(&p->H, mat, con, i, scratch);
    i += con->dim;
  }
}

// a row of n numbers, and zeros behind it
SN_KERNEL void copyRow(snReal* SN_RESTRICT target, const snReal* SN_RESTRICT row, int n) {
  padRow(target, n);
#define SAME(w) SN_LOAD##w(row + k)
  SN_OVER(target, n, SAME);
#undef SAME
}

SN_WIDE(static, void, assembleInertia, (const snPrimal* p), (p)) {
  const snHessian* H = &p->H;
  for (int i = 0; i < H->n; i++) {
    const snReal* row = p->M + p->M_rowadr[i];
    const int* col = p->M_colind + p->M_rowadr[i];
    int place = H->place ? H->place[i] : i, n = p->M_rownnz[i], shift = place - i;
    snReal* SN_RESTRICT target = H->quadratic + H->adr[place];
    if (H->nnz[place] == n) {
      copyRow(target, row, n);
      continue;
    }
    snu_zero(target, sn_paddedRow(H->nnz[place]));
    const int* where = H->col + H->adr[place];
    for (int k = 0, t = 0; k < n; k++) {
      while (where[t] != col[k] + shift) t++;
      target[t] = row[k];
    }
  }
}

// ---- build and follow ----------------------------------------------------------------------------

// Update the quadratic part from the states old to the present ones (NULL: from M alone). Returns 0 when removing rows
// cancelled too many digits of the diagonal.
static int followStates(snPrimal* p, const int* old, snReal* scratch) {
  const snReal lost = (snReal)1e-6;
  const snHessian* H = &p->H;
  snReal weight[snMAXBLOCK];
  for (int r = 0, count; r < p->rows.nefc; r += count) {
    count = blockLength(p, r);
    int removed = 0;
    if (!blockWeights(p, r, count, old, weight, &removed)) continue;
    addRows(p, H->quadratic, r, count, weight, scratch);
    for (int i = 0; removed && i < count; i++) {
      const snReal* J = H->J.value + H->J.adr[r + i];
      const int* col = H->J.col + H->J.adr[r + i];
      for (int k = 0; weight[i] < 0 && k < H->J.nnz[r]; k++) {
        int diagonal = H->adr[col[k]] + H->nnz[col[k]] - 1;
        if (H->quadratic[diagonal] < -lost * weight[i] * J[k] * J[k]) return 0;
      }
    }
  }
  memcpy(H->assembled, p->state, (size_t)p->rows.nefc * sizeof(int));
  return 1;
}

// Brings the Hessian up to date: anew, or from the states that the quadratic part has.
static void factorAnew(snPrimal* p, int fresh, int cones, snReal* scratch) {
  if (fresh || !followStates(p, p->H.assembled, scratch)) {
    assembleInertia(p);
    followStates(p, NULL, scratch);
  }
  snu_copy(p->H.factor, p->H.quadratic, p->H.room);
  if (cones) addCones(p, p->H.factor, scratch);
  sn_factorHessian(&p->H);
}

// Update the factor for the rows that became quadratic (coming), or for those that no longer are, four rows of a block
// at a time. Returns 0 when the factor has become invalid.
static int updateRows(snPrimal* p, int coming, snReal* scratch) {
  snReal weight[snMAXBLOCK];
  for (int r = 0, count; r < p->rows.nefc; r += count) {
    count = blockLength(p, r);
    int removed = 0;
    if (count > 4) count = 4;
    if (!blockWeights(p, r, count, p->oldstate, weight, &removed)) continue;
    int used = 0;
    for (int k = 0; k < count; k++) {
      if (coming ? weight[k] < 0 : weight[k] > 0) weight[k] = 0;
      used += weight[k] != 0;
    }
    if (used && !sn_updateFactor(&p->H, r, count, weight, scratch)) return 0;
  }
  return 1;
}

// How many rows became quadratic and how many no longer are, and the cost of updates for them, counted until it exceeds
// that of a new factor.
typedef struct Change_ {
  int coming, going;
  snReal cost;
} Change;

static Change findChange(snPrimal* p) {
  Change change = {0, 0, 0};
  if (!p->H.hasPaths) sn_findPaths(&p->H);
  p->H.hasPaths = 1;
  for (int i = 0; i < p->rows.nefc; i++) {
    int now = p->state[i] == snCNSTRSTATE_QUADRATIC;
    int before = p->oldstate[i] == snCNSTRSTATE_QUADRATIC;
    if (now == before) continue;
    change.coming += now;
    change.going += before;
    change.cost += sn_updateCost(&p->H, i);
    if (change.cost > p->H.cost) break;
  }
  return change;
}

// Is a contact in the cone zone, now or (unless fresh) before?
static int hasCone(const snPrimal* p, int fresh) {
  for (int i = p->rows.ne + p->rows.nf; p->cones && i < p->rows.nefc; i++) {
    if (p->state[i] == snCNSTRSTATE_CONE) return 1;
    if (!fresh && p->oldstate[i] == snCNSTRSTATE_CONE) return 1;
  }
  return 0;
}

void sn_hessianBuild(snPrimal* p) { factorAnew(p, 1, hasCone(p, 1), p->H.scratch); }

void sn_hessianUpdate(snPrimal* p) {
  snReal* scratch = p->H.scratch;
  if (hasCone(p, 0)) {
    factorAnew(p, 0, 1, scratch);
    return;
  }
  Change change = findChange(p);
  if (change.cost > p->H.cost || (change.coming && !updateRows(p, 1, scratch)) ||
      (change.going && !updateRows(p, 0, scratch))) {
    factorAnew(p, 0, 0, scratch);
  }
}
