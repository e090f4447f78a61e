// Cost of the rows at given residuals, with their forces and states.

#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/constrain/row_value.h"
#include "math/four.h"
#include "math/math.h"

// The rows of an elliptic contact.
static SN_OUTLINE snReal ellipticCost(snContact* con, const snReal* D, const snReal* x,
                                      snReal* force, int* state, int flg_coneHessian) {
  SN_ASSERT(con->dim > 1 && con->dim <= 6);
  snConeRows cone = {con->dim, con->mu, con->friction, D, x};
  snReal U[6], T = sn_coneCoordinates(&cone, U), cost = sn_coneCost(&cone, U, T, force, state);
  if (flg_coneHessian && *state == snCNSTRSTATE_CONE) sn_coneHessian(&cone, U, T, con->H);
  for (int j = 1; j < con->dim; j++) state[j] = state[0];
  return cost;
}

static snReal frictionCost(snReal D, snReal R, snReal loss, snReal x, snReal* force, int* state) {
  return sn_frictionCost(D, loss, R * loss, x, force, state);
}

// Rows of one lane, with sums in four parts. One-sided rows are quadratic where they are negative.
SN_WIDE(static, snReal, stridedCost,
        (const snRowCost* rows, const snReal* x, snReal* SN_RESTRICT force, int* SN_RESTRICT state,
         int flg_coneHessian),
        (rows, x, force, state, flg_coneHessian)) {
  const snReal* D = rows->D;
  int ne = rows->ne, i = ne, end = ne + rows->nf;
  for (int k = 0; k < ne; k++) force[k] = -D[k] * x[k];
  for (int k = 0; k < ne; k++) state[k] = snCNSTRSTATE_QUADRATIC;
  snReal cost = -(snReal)0.5 * snu_dot(force, x, ne);
  for (; i < end; i++) {
    cost += frictionCost(D[i], rows->R[i], rows->frictionloss[i], x[i], force + i, state + i);
  }
  while (i < rows->nefc) {
    if (rows->type[i] == snCNSTR_CONTACT_ELLIPTIC) {
      snContact* con = rows->contact + rows->id[i];
      cost += ellipticCost(con, D + i, x + i, force + i, state + i, flg_coneHessian);
      i += con->dim;
      continue;
    }
    for (end = i + 1; end < rows->nefc && rows->type[end] != snCNSTR_CONTACT_ELLIPTIC;) end++;
    for (int k = i; k < end; k++) force[k] = x[k] < 0 ? -D[k] * x[k] : 0;
    for (int k = i; k < end; k++) {
      state[k] = x[k] < 0 ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
    }
    cost -= (snReal)0.5 * snu_dot(force + i, x + i, end - i);
    i = end;
  }
  return cost;
}

// One lane: adds the cost of one-sided rows [i, end), in their order, and returns the sum. Without branches, because
// which rows are negative is unpredictable.
SN_WIDE(static, snReal, oneSidedCost,
        (const snRowCost* rows, const snReal* SN_RESTRICT x, snReal* SN_RESTRICT force,
         int* SN_RESTRICT state, int i, int end, snReal cost),
        (rows, x, force, state, i, end, cost)) {
  const snReal* SN_RESTRICT D = rows->D;
  for (int k = i; k < end; k++) {
    snReal push = -D[k] * x[k];
    force[k] = x[k] < 0 ? push : 0;
  }
  for (int k = i; k < end; k++) {
    state[k] = x[k] < 0 ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
  }
  for (int k = i; k < end; k++) cost -= (snReal)0.5 * force[k] * x[k];
  return cost;
}

SN_OUTLINE snReal sn_rowCost(const snRowCost* rows, const snReal* x, snReal* force, int* state,
                             int flg_coneHessian) {
  const snReal* D = rows->D;
  if (SN_LANES == 1 && rows->strided) return stridedCost(rows, x, force, state, flg_coneHessian);
  snReal cost = 0;
  int ne = rows->ne, onesided = ne + rows->nf, lanes = SN_LANES, i = SN_LANE;
  for (; i < ne; i += lanes) {
    force[i] = -D[i] * x[i];
    state[i] = snCNSTRSTATE_QUADRATIC;
    cost += (snReal)0.5 * D[i] * x[i] * x[i];
  }
  for (; i < onesided; i += lanes) {
    cost += frictionCost(D[i], rows->R[i], rows->frictionloss[i], x[i], force + i, state + i);
  }
  for (; i < rows->nefc; i += lanes) {
    if (rows->type[i] == snCNSTR_CONTACT_ELLIPTIC) {  // the first row stands for all of them
      if (!sn_beginsContact(rows, i)) continue;
      snContact* con = rows->contact + rows->id[i];
      cost += ellipticCost(con, D + i, x + i, force + i, state + i, flg_coneHessian);
      if (lanes == 1) i += con->dim - 1;
      continue;
    }
    if (lanes == 1) {
      int end = i + 1;
      while (end < rows->nefc && rows->type[end] != snCNSTR_CONTACT_ELLIPTIC) end++;
      cost = oneSidedCost(rows, x, force, state, i, end, cost);
      i = end - 1;
      continue;
    }
    int active = x[i] < 0;
    snReal push = active ? -D[i] * x[i] : 0;
    force[i] = push;
    state[i] = active ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
    cost -= (snReal)0.5 * push * x[i];
  }
  SN_SYNC();
  return sn_teamSum(cost);
}

// ---- a step along the search direction -----------------------------------------------------------

// x += alpha v over n rows that are quadratic, or quadratic where they are negative; returns force x, in four parts
SN_KERNEL snReal moveStrided(snReal* SN_RESTRICT x, const snReal* SN_RESTRICT v, snReal alpha,
                             const snReal* SN_RESTRICT D, snReal* SN_RESTRICT force, int n,
                             int onesided) {
  int i = 0;
  snReal sum = 0;
#if SN_HAS_FOUR
  snFour s = {0, 0, 0, 0}, zero = s;
  for (; i + 4 <= n; i += 4) {
    snFour y = SN_LOAD4(x + i) + SN_LOAD4(v + i) * alpha, f = -SN_LOAD4(D + i) * y;
    if (onesided) f = (snFour)((__typeof__(y < zero))f & (y < zero));
    *(snFour*)(x + i) = y;
    *(snFour*)(force + i) = f;
    s += f * y;
  }
  sum = SN_SUM4(s);
#endif
  for (int k = i; k < n; k++) {
    x[k] += v[k] * alpha;
    force[k] = !onesided || x[k] < 0 ? -D[k] * x[k] : 0;
  }
  return SN_HAS_FOUR ? sn_addRest(sum, force + i, x + i, n - i) : snu_dot(force, x, n);
}

// The same where costs are added in the order of the rows; returns the sum.
SN_KERNEL snReal moveInOrder(snReal* SN_RESTRICT x, const snReal* SN_RESTRICT v, snReal alpha,
                             const snReal* SN_RESTRICT D, snReal* SN_RESTRICT force, int n,
                             snReal cost) {
  enum { PART = 32 };  // while the costs of one part are added up, the next one is moved
  for (int first = 0; first < n; first += PART) {
    int end = first + PART < n ? first + PART : n;
    for (int k = first; k < end; k++) {
      snReal y = x[k] + v[k] * alpha, push = -D[k] * y;
      x[k] = y;
      force[k] = y < 0 ? push : 0;
    }
    for (int k = first; k < end; k++) cost -= (snReal)0.5 * force[k] * x[k];
  }
  return cost;
}

SN_WIDE(, snReal, sn_moveRows,
        (const snRowCost* rows, snReal* x, const snReal* v, snReal alpha, snReal* force, int* state,
         int* oldstate),
        (rows, x, v, alpha, force, state, oldstate)) {
  const snReal* D = rows->D;
  int ne = rows->ne, first = ne + rows->nf, n = rows->nefc;
  snReal cost = 0;
  if (rows->strided) {
    cost = -(snReal)0.5 * moveStrided(x, v, alpha, D, force, ne, 0);
  } else {
    for (int i = 0; i < ne; i++) {
      x[i] += v[i] * alpha;
      force[i] = -D[i] * x[i];
      cost += (snReal)0.5 * D[i] * x[i] * x[i];
    }
  }
  for (int i = ne; i < n; i++) oldstate[i] = state[i];
  for (int i = ne; i < first; i++) {
    x[i] += v[i] * alpha;
    cost += frictionCost(D[i], rows->R[i], rows->frictionloss[i], x[i], force + i, state + i);
  }
  if (first == n) return cost;
  if (rows->strided) {
    snReal product =
        moveStrided(x + first, v + first, alpha, D + first, force + first, n - first, 1);
    cost -= (snReal)0.5 * product;
  } else {
    cost = moveInOrder(x + first, v + first, alpha, D + first, force + first, n - first, cost);
  }
  for (int i = first; i < n; i++) {
    state[i] = x[i] < 0 ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
  }
  return cost;
}

snRowCost sn_allRows(const snModel* m, const snData* d) {
  snRowCost rows;
  rows.ne = d->ne;
  rows.nf = d->nf;
  rows.nefc = d->nefc;
  rows.strided = m->nflex > 0;
  rows.type = d->efc_type;
  rows.id = d->efc_id;
  rows.D = d->efc_D;
  rows.R = d->efc_R;
  rows.frictionloss = d->efc_frictionloss;
  rows.contact = d->contact;
  return rows;
}

void sn_constraintUpdate(const snModel* m, snData* d, const snReal* jar, snReal cost[1],
                         int flg_coneHessian) {
  if (cost) *cost = 0;
  if (!d->nefc) return;
  snRowCost rows = sn_allRows(m, d);
  snReal sum = sn_rowCost(&rows, jar, d->efc_force, d->efc_state, flg_coneHessian);
  if (cost) *cost = sum;
  sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
}
