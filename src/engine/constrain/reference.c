// Velocity and reference acceleration of the rows, products with their Jacobian, their cost.

#include "engine/constrain/constraint.h"
#include "engine/step/plan.h"
#include "math/math.h"
#include "math/sparse.h"

// ---- products ------------------------------------------------------------------------------------

// columns that are gathered at a time
enum { CHUNK = 128 };

snRows sn_constraintRows(const snData* d) {
  snRows rows;
  rows.value = d->efc_Js;
  rows.nnz = d->efc_J_rownnz;
  rows.adr = d->efc_J_rowadr;
  rows.col = d->efc_J_colind;
  rows.super = d->efc_J_rowsuper;
  return rows;
}

// Rows of six entries, as those between two points that slide: the same sums as sn_dotSparse and
// sn_addToSclSparse, without their loops.
static inline snReal dotSix(const snReal* value, const int* col, const snReal* vec) {
  snReal even = value[0] * vec[col[0]] + value[2] * vec[col[2]];
  snReal odd = value[1] * vec[col[1]] + value[3] * vec[col[3]];
  return ((even + odd) + value[4] * vec[col[4]]) + value[5] * vec[col[5]];
}

static inline void addSix(snReal* SN_RESTRICT res, const snReal* SN_RESTRICT value,
                          const int* SN_RESTRICT col, snReal scale) {
  for (int k = 0; k < 6; k++) res[col[k]] += value[k] * scale;
}

// number of rows from i on that stand for themselves and have six entries
static inline int countSixes(const snRows* J, int i, int n) {
  int end = i;
  while (end < n && J->nnz[end] == 6 && !J->super[end]) end++;
  return end - i;
}

// a lane takes a row
static void shareRowsVec(snReal* res, const snRows* J, const snReal* vec, int n) {
  SN_FOR(r, n) {
    const snReal* value = J->value + J->adr[r];
    const int* col = J->col + J->adr[r];
    int nnz = J->nnz[r];
    snReal sum = 0;
    for (int k = 0; k < nnz; k++) sum += value[k] * vec[col[k]];
    res[r] = sum;
  }
  SN_SYNC();
}

SN_OUTLINE void sn_mulRowsVec(snReal* res, const snRows* J, const snReal* vec, int n) {
  if (SN_LANES > 1) {
    shareRowsVec(res, J, vec, n);
    return;
  }
  for (int i = 0; i < n;) {
    int count = J->super[i] + 1, nnz = J->nnz[i];
    if (count > n - i) count = n - i;
    const int* col = J->col + J->adr[i];
    if (nnz == 1) {  // friction and limits of joints
      for (int r = i; r < i + count; r++) res[r] = J->value[J->adr[r]] * vec[*col];
    } else if (count == 1 && nnz == 6) {
      count = countSixes(J, i, n);
      for (int r = i; r < i + count; r++) {
        res[r] = dotSix(J->value + J->adr[r], J->col + J->adr[r], vec);
      }
    } else if (count == 1 || nnz > CHUNK) {
      for (int r = i; r < i + count; r++) {
        res[r] = sn_dotSparse(J->value + J->adr[r], J->col + J->adr[r], nnz, vec);
      }
    } else {
      snReal gathered[CHUNK];
      for (int k = 0; k < nnz; k++) gathered[k] = vec[col[k]];
      for (int r = i; r < i + count; r++) res[r] = snu_dot(J->value + J->adr[r], gathered, nnz);
    }
    i += count;
  }
}

// sum of the rows of one block times their multipliers; returns 0 when all of these are zero
static int sumBlock(snReal* SN_RESTRICT sum, const snRows* J, const snReal* vec, int first,
                    int count, int nnz) {
  int any = 0;
  for (int r = first; r < first + count; r++) {
    const snReal* SN_RESTRICT value = J->value + J->adr[r];
    snReal scale = vec[r];
    if (scale == 0) continue;
    if (any++) {
      for (int k = 0; k < nnz; k++) sum[k] += value[k] * scale;
    } else {
      for (int k = 0; k < nnz; k++) sum[k] = value[k] * scale;
    }
  }
  return any;
}

// a lane takes a column of a block
static void shareRowsTVec(snReal* res, const snRows* J, const snReal* vec, int n, int nv) {
  SN_FOR(k, nv) res[k] = 0;
  SN_SYNC();
  for (int i = 0, count; i < n; i += count) {
    count = J->super[i] + 1;
    if (count > n - i) count = n - i;
    const int* col = J->col + J->adr[i];
    SN_FOR(k, J->nnz[i]) {
      snReal sum = 0;
      for (int r = i; r < i + count; r++) sum += J->value[J->adr[r] + k] * vec[r];
      res[col[k]] += sum;
    }
    SN_SYNC();
  }
}

void sn_mulRowsTVec(snReal* SN_RESTRICT res, const snRows* J, const snReal* vec, int n, int nv) {
  if (SN_LANES > 1) {
    shareRowsTVec(res, J, vec, n, nv);
    return;
  }
  snu_zero(res, nv);
  for (int i = 0; i < n;) {
    int count = J->super[i] + 1, nnz = J->nnz[i];
    if (count > n - i) count = n - i;
    if (nnz == 1) {
      for (int r = i; r < i + count; r++) res[J->col[J->adr[i]]] += J->value[J->adr[r]] * vec[r];
    } else if (count == 1 && nnz == 6) {
      count = countSixes(J, i, n);
      for (int r = i; r < i + count; r++) {
        if (vec[r] != 0) addSix(res, J->value + J->adr[r], J->col + J->adr[r], vec[r]);
      }
    } else if (count == 1 || nnz > CHUNK) {
      for (int r = i; r < i + count; r++) {
        if (vec[r] != 0) {
          sn_addToSclSparse(res, J->value + J->adr[r], J->col + J->adr[r], nnz, vec[r]);
        }
      }
    } else {
      snReal sum[CHUNK];
      const int* col = J->col + J->adr[i];
      if (sumBlock(sum, J, vec, i, count, nnz)) {
        for (int k = 0; k < nnz; k++) res[col[k]] += sum[k];
      }
    }
    i += count;
  }
}

// Of twice as many sums each of two lanes keeps half, and gives the others to its partner.
SN_KERNEL void foldSums(snReal* sum, int half, int lane) {
  int partner = lane ^ half, upper = lane & half;
  SN_UNROLL
  for (int k = 0; k < half; k++) {
    snReal low = sum[k], high = sum[k + half];
    sum[k] = (upper ? high : low) + sn_warpFrom(upper ? low : high, partner);
  }
}

// Rows first ... first + 15 of n times x, of which each lane has the number of its dof: that of row
// first + k comes to lanes k and k + 16.
SN_KERNEL snReal sixteenRows(const snReal* J, int nv, snReal x, int first, int n, int lane) {
  int column = lane < nv ? lane : nv - 1, at = first * nv + column, last = (n - 1) * nv + column;
  snReal sum[16];
  SN_UNROLL
  for (int k = 0; k < 16; k++, at += nv) sum[k] = J[at < last ? at : last];
  SN_UNROLL
  for (int k = 0; k < 16; k++) sum[k] *= x;
  foldSums(sum, 8, lane);
  foldSums(sum, 4, lane);
  foldSums(sum, 2, lane);
  foldSums(sum, 1, lane);
  return sum[0] + sn_warpFrom(sum[0], lane ^ 16);
}

static void lanesRowsVec(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  int lane = SN_LANE, nv = (int)m->nv, n = d->nefc;
  const snReal* J = d->efc_J;
  snReal x = lane < nv ? vec[lane] : 0;
  SN_PLAIN_LOOP for (int first = 0; first < n; first += 16) {
    snReal value = sixteenRows(J, nv, x, first, n, lane);
    if (lane < 16 && first + lane < n) res[first + lane] = value;
  }
  SN_SYNC();
}

static SN_OUTLINE void shareJacVec(const snData* d, snReal* res, const snReal* vec) {
  snRows J = sn_constraintRows(d);
  sn_mulRowsVec(res, &J, vec, d->nefc);
}

void sn_mulJacVec(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  if (!d->nefc) return;
  if (sn_plans(m, d, snPLAN_ROW_PRODUCTS)) {
    lanesRowsVec(m, d, res, vec);
  } else {
    shareJacVec(d, res, vec);
  }
}

void sn_mulJacTVec(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  if (!d->nefc) return;
  snRows J = sn_constraintRows(d);
  sn_mulRowsTVec(res, &J, vec, d->nefc, (int)m->nv);
}

// aref = -B v - K I (pos - margin)
static snReal reference(const snReal KBIP[3], snReal pos, snReal margin, snReal vel) {
  return -KBIP[1] * vel - KBIP[0] * KBIP[2] * (pos - margin);
}

static void lanesReference(const snModel* m, snData* d) {
  int lane = SN_LANE, nv = (int)m->nv, n = d->nefc;
  snReal x = lane < nv ? d->qvel[lane] : 0;
  SN_PLAIN_LOOP for (int first = 0; first < n; first += 16) {
    int row = first + (lane & 15) < n ? first + (lane & 15) : n - 1;
    snReal pos = d->efc_pos[row], margin = d->efc_margin[row], KBIP[3];
    SN_UNROLL for (int k = 0; k < 3; k++) KBIP[k] = d->efc_KBIP[4 * row + k];
    snReal vel = sixteenRows(d->efc_J, nv, x, first, n, lane);
    if (lane < 16 && first + lane < n) {
      d->efc_vel[row] = vel;
      d->efc_aref[row] = reference(KBIP, pos, margin, vel);
    }
  }
  SN_SYNC();
}

// by any team, and by one lane
static SN_OUTLINE void shareReference(snData* d) {
  shareJacVec(d, d->efc_vel, d->qvel);
  SN_FOR(i, d->nefc) {
    d->efc_aref[i] = reference(d->efc_KBIP + 4 * i, d->efc_pos[i], d->efc_margin[i], d->efc_vel[i]);
  }
  SN_SYNC();
}

SN_STAGE void sn_referenceConstraint(const snModel* m, snData* d) {
  if (!d->nefc) return;
  if (sn_plans(m, d, snPLAN_ROW_PRODUCTS)) {
    lanesReference(m, d);
  } else {
    shareReference(d);
  }
}

// ---- cost ----------------------------------------------------------------------------------------

// Hessian of a cone contact: Dm W H W with W = diag(mu, friction), see sn_rowCost
static void coneHessian(snContact* con, const snReal* U, snReal T, snReal Dm) {
  int dim = con->dim;
  snReal mu = con->mu, N = U[0], scale[6];
  scale[0] = mu;
  for (int j = 1; j < dim; j++) scale[j] = con->friction[j - 1];
  snReal muT = mu / T, curve = mu * N / (T * T * T), diagonal = mu * mu - mu * N / T;
  for (int j = 0; j < dim; j++) {
    for (int k = 0; k <= j; k++) {
      snReal h = j == 0 ? 1 : k == 0 ? -muT * U[j] : curve * U[j] * U[k];
      if (j == k && j) h += diagonal;
      h *= Dm * scale[j] * scale[k];
      con->H[j * dim + k] = h;
      con->H[k * dim + j] = h;
    }
  }
}

// Elliptic contact, with U = (mu x0, friction x): zero above the cone N >= mu T, quadratic in every
// row below the polar cone mu N + T <= 0, quadratic in the distance to the cone between.
static SN_OUTLINE snReal ellipticCost(snContact* con, const snReal* D, const snReal* x,
                                      snReal* force, int* state, int flg_coneHessian) {
  int dim = con->dim, result;
  snReal mu = con->mu, U[6], T2 = 0, cost = 0;
  U[0] = mu * x[0];
  for (int j = 1; j < dim; j++) {
    U[j] = con->friction[j - 1] * x[j];
    T2 += U[j] * U[j];
  }
  snReal N = U[0], T = snu_sqrt(T2);
  if (N >= mu * T || (T <= 0 && N >= 0)) {
    for (int j = 0; j < dim; j++) force[j] = 0;
    result = snCNSTRSTATE_SATISFIED;
  } else if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    for (int j = 0; j < dim; j++) {
      force[j] = -D[j] * x[j];
      cost += (snReal)0.5 * D[j] * x[j] * x[j];
    }
    result = snCNSTRSTATE_QUADRATIC;
  } else {
    snReal Dm = D[0] / (mu * mu * (1 + mu * mu)), e = N - mu * T;
    cost = (snReal)0.5 * Dm * e * e;
    force[0] = -Dm * e * mu;
    for (int j = 1; j < dim; j++) force[j] = -(force[0] / T) * U[j] * con->friction[j - 1];
    if (flg_coneHessian) coneHessian(con, U, T, Dm);
    result = snCNSTRSTATE_CONE;
  }
  for (int j = 0; j < dim; j++) state[j] = result;
  return cost;
}

// Dry friction: quadratic near zero velocity, linear beyond the bound.
static snReal frictionCost(snReal D, snReal R, snReal bound, snReal x, snReal* force, int* state) {
  if (x <= -R * bound) {
    *force = bound;
    *state = snCNSTRSTATE_LINEARNEG;
    return -(snReal)0.5 * R * bound * bound - bound * x;
  }
  if (x >= R * bound) {
    *force = -bound;
    *state = snCNSTRSTATE_LINEARPOS;
    return -(snReal)0.5 * R * bound * bound + bound * x;
  }
  *force = -D * x;
  *state = snCNSTRSTATE_QUADRATIC;
  return (snReal)0.5 * D * x * x;
}

// one row; the first row of an elliptic contact stands for all of them
static snReal costOfRow(const snRowCost* rows, int i, const snReal* x, snReal* force, int* state,
                        int flg_coneHessian) {
  snReal D = rows->D[i], xi = x[i];
  int type = rows->type[i];
  if (i >= rows->ne && i < rows->ne + rows->nf) {
    return frictionCost(D, rows->R[i], rows->frictionloss[i], xi, force + i, state + i);
  }
  if (type == snCNSTR_CONTACT_ELLIPTIC) {
    snContact* con = rows->contact + rows->id[i];
    if (!sn_beginsContact(rows, i)) return 0;
    return ellipticCost(con, rows->D + i, x + i, force + i, state + i, flg_coneHessian);
  }
  int active = i < rows->ne || xi < 0;
  snReal push = active ? -D * xi : 0;
  force[i] = push;
  state[i] = active ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
  return -(snReal)0.5 * push * xi;
}

static snReal shareRowCost(const snRowCost* rows, const snReal* x, snReal* force, int* state,
                           int flg_coneHessian) {
  snReal cost = 0;
  SN_FOR(i, rows->nefc) cost += costOfRow(rows, i, x, force, state, flg_coneHessian);
  SN_SYNC();
  return sn_teamSum(cost);
}

static SN_OUTLINE snReal costInOrder(const snRowCost* rows, const snReal* x, snReal* force,
                                     int* state, int flg_coneHessian) {
  const snReal* D = rows->D;
  snReal cost = 0;
  int i = 0, nfriction = rows->ne + rows->nf;
  for (; i < rows->ne; i++) {
    force[i] = -D[i] * x[i];
    state[i] = snCNSTRSTATE_QUADRATIC;
    cost += (snReal)0.5 * D[i] * x[i] * x[i];
  }
  for (; i < nfriction; i++) {
    cost += frictionCost(D[i], rows->R[i], rows->frictionloss[i], x[i], force + i, state + i);
  }
  while (i < rows->nefc) {
    if (rows->type[i] == snCNSTR_CONTACT_ELLIPTIC) {
      snContact* con = rows->contact + rows->id[i];
      cost += ellipticCost(con, D + i, x + i, force + i, state + i, flg_coneHessian);
      i += con->dim;
      continue;
    }
    // one-sided row
    int active = x[i] < 0;
    snReal push = active ? -D[i] * x[i] : 0;
    force[i] = push;
    state[i] = active ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
    cost -= (snReal)0.5 * push * x[i];
    i++;
  }
  return cost;
}

snReal sn_rowCost(const snRowCost* rows, const snReal* x, snReal* force, int* state,
                  int flg_coneHessian) {
  return SN_LANES > 1 ? shareRowCost(rows, x, force, state, flg_coneHessian)
                      : costInOrder(rows, x, force, state, flg_coneHessian);
}

snRowCost sn_allRows(const snData* d) {
  snRowCost rows;
  rows.ne = d->ne;
  rows.nf = d->nf;
  rows.nefc = d->nefc;
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
  snRowCost rows = sn_allRows(d);
  snReal sum = sn_rowCost(&rows, jar, d->efc_force, d->efc_state, flg_coneHessian);
  if (cost) *cost = sum;
  sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
}
