// Projected Gauss-Seidel on the forces of the rows, and noslip.
//
// The dual problem: minimise 1/2 f' AR f + f' b over forces in their sets: equalities free, dry
// friction in an interval, limits and pyramid edges non-negative, elliptic contacts in a cone. A
// sweep minimises over one block at a time, exactly or better than before. Noslip sweeps over
// friction alone with R removed, so that friction holds without creep.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/smooth/inertia.h"
#include "engine/solve/solver.h"
#include "math/four.h"
#include "math/math.h"
#include "math/sparse.h"

// a sweep must not increase the cost by more than rounding
static const snReal WORSE = (snReal)1e-10;

// blocks of elliptic contacts have up to 6 rows
typedef struct Block_ {
  int n;
  snReal A[36];
  snReal res[6];
  snReal old[6];
} Block;

// ---- access to AR --------------------------------------------------------------------------------

// (AR f)_row
static inline snReal mulDualRow(const snData* d, int row) {
  SN_ASSERT_INDEX(row, d->nefc);
  int adr = d->efc_AR_rowadr[row], n = d->efc_AR_rownnz[row];
  if (n == d->nefc) return snu_dot(d->efc_AR + adr, d->efc_force, n);
  const int* col = d->efc_AR_colind + adr;
  snReal sum = 0;
  for (int k = 0; k < n; k++) sum += d->efc_AR[adr + k] * d->efc_force[col[k]];
  return sum;
}

// address of (row, col); the entry exists
static inline int dualEntry(const snData* d, int row, int col) {
  SN_ASSERT_INDEX2(row, col, d->nefc);
  int adr = d->efc_AR_rowadr[row], n = d->efc_AR_rownnz[row];
  return adr + (n == d->nefc ? col : sn_findIndex(d->efc_AR_colind + adr, n, col));
}

// Residual, forces and block of AR of rows [first, first + n), R left out.
static void loadBlock(const snData* d, int first, int n, Block* block) {
  SN_ASSERT_PART(first, n, d->nefc);
  SN_ASSERT(n <= 6);
  block->n = n;
  for (int r = 0; r < n; r++) {
    int row = first + r, adr = dualEntry(d, row, first);
    block->old[r] = d->efc_force[row];
    block->res[r] = d->efc_b[row] + mulDualRow(d, row) - d->efc_R[row] * d->efc_force[row];
    for (int c = 0; c < n; c++) block->A[r * n + c] = d->efc_AR[adr + c];
    block->A[r * n + r] = snu_max(WORSE, block->A[r * n + r] - d->efc_R[row]);
  }
}

// Change of cost, 1/2 delta' A delta + delta' res; the old forces are restored when it grew.
SN_KERNEL snReal finishBlock(const Block* block, snReal* force) {
  int n = block->n;
  snReal delta[6] = {0, 0, 0, 0, 0, 0}, change = 0;
  for (int i = 0; i < n; i++) delta[i] = force[i] - block->old[i];
  for (int i = 0; i < n; i++) {
    change += delta[i] * ((snReal)0.5 * snu_dot(block->A + i * n, delta, n) + block->res[i]);
  }
  if (change > WORSE) {
    snu_copy(force, block->old, n);
    return 0;
  }
  return change;
}

snReal sn_dualCost(const snData* d, snReal* product) {
  snReal cost = 0;
  for (int i = 0; i < d->nefc; i++) {
    product[i] = mulDualRow(d, i);
    if (d->efc_force[i] == 0) continue;
    cost += d->efc_force[i] * (d->efc_b[i] + (snReal)0.5 * product[i]);
  }
  return cost;
}

// ---- states and statistics -----------------------------------------------------------------------

static int ellipticState(const snContact* con, const snReal* force) {
  snReal normal = force[0] / con->mu, T2 = 0;
  for (int j = 1; j < con->dim; j++) {
    snReal scaled = force[j] / con->friction[j - 1];
    T2 += scaled * scaled;
  }
  snReal T = snu_sqrt(T2);
  if (con->mu * normal >= T) return snCNSTRSTATE_SATISFIED;
  return normal + con->mu * T <= 0 ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_CONE;
}

SN_KERNEL int frictionState(snReal force, snReal bound) {
  if (force <= -bound) return snCNSTRSTATE_LINEARPOS;
  return force >= bound ? snCNSTRSTATE_LINEARNEG : snCNSTRSTATE_QUADRATIC;
}

SN_KERNEL int oneSidedState(snReal force) {
  return force <= 0 ? snCNSTRSTATE_SATISFIED : snCNSTRSTATE_QUADRATIC;
}

// returns whether the state changes
SN_KERNEL int setState(int* state, int now) {
  int changed = *state != now;
  *state = now;
  return changed;
}

int sn_dualStates(const snData* d, int* state, int* nchange) {
  const snReal* force = d->efc_force;
  int nefc = d->nefc, nactive = d->ne + d->nf, changed = 0, i = 0;
  for (; i < d->ne; i++) changed += setState(state + i, snCNSTRSTATE_QUADRATIC);
  for (; i < d->ne + d->nf; i++) {
    changed += setState(state + i, frictionState(force[i], d->efc_frictionloss[i]));
  }
  while (i < nefc) {
    int n = 1, now = oneSidedState(force[i]);
    if (d->efc_type[i] == snCNSTR_CONTACT_ELLIPTIC) {
      const snContact* con = d->contact + d->efc_id[i];
      n = con->dim;
      now = ellipticState(con, force + i);
      for (int r = 1; r < n; r++) changed += setState(state + i + r, now);
    }
    changed += setState(state + i, now);
    nactive += now != snCNSTRSTATE_SATISFIED ? n : 0;
    i += n;
  }
  *nchange = changed;
  return nactive;
}

// Rows that are active, and those whose state the sweep has changed.
typedef struct Tally_ {
  int nactive, nchange;
} Tally;

SN_KERNEL void tallyState(int* state, int now, Tally* tally) {
  tally->nactive += (now != snCNSTRSTATE_SATISFIED) - (*state != snCNSTRSTATE_SATISFIED);
  tally->nchange += setState(state, now);
}

static void recordSweep(snData* d, int iter, snReal improvement, const Tally* tally) {
  snSolverStat* stat = sn_solverStat(d, 0, iter);
  if (!stat) return;
  stat->improvement = improvement;
  stat->gradient = stat->lineslope = 0;
  stat->nactive = tally->nactive;
  stat->nchange = tally->nchange;
  stat->neval = stat->nupdate = 0;
}

void sn_finishDual(const snModel* m, snData* d) {
  sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  snu_copy(d->qacc, d->qfrc_constraint, (int)m->nv);
  sn_solveInertia(m, d, d->qacc);
  snu_addTo(d->qacc, d->qacc_smooth, (int)m->nv);
}

static snReal dualScale(const snModel* m) {
  return 1 / (m->stat.meaninertia * (m->nv > 1 ? (snReal)m->nv : 1));
}

// ---- elliptic friction ---------------------------------------------------------------------------

void sn_ellipticFriction(const snContact* con, const snReal* A, const snReal* b, snReal normal,
                         snReal* u) {
  int n = con->dim - 1;
  if (normal < (snReal)snMINVAL) {
    snu_zero(u, n);
    return;
  }
  if (!sn_solveQCQP(u, A, b, con->friction, normal, n)) return;
  snReal sum = 0;
  for (int j = 0; j < n; j++) sum += u[j] * u[j] / (con->friction[j] * con->friction[j]);
  snReal scale = snu_sqrt(normal * normal / snu_max((snReal)snMINVAL, sum));
  snu_scl(u, u, scale, n);
}

// tangential part of a block: A_c, and the residual b_c with the friction forces taken out
SN_KERNEL void tangentialPart(const Block* block, snReal* A, snReal* b) {
  int n = block->n, k = n - 1;
  for (int r = 0; r < k; r++) {
    b[r] = block->res[r + 1];
    for (int c = 0; c < k; c++) {
      A[r * k + c] = block->A[(r + 1) * n + c + 1];
      b[r] -= A[r * k + c] * block->old[c + 1];
    }
  }
}

// along the ray of the current force, or the normal alone when there is none
SN_KERNEL void normalStep(const Block* block, snReal* force) {
  int n = block->n;
  if (force[0] < (snReal)snMINVAL) {
    snu_zero(force + 1, n - 1);
    force[0] = snu_max(0, force[0] - block->res[0] / block->A[0]);
    return;
  }
  snReal curvature = 0, slope = snu_dot(block->old, block->res, n);
  for (int r = 0; r < n; r++) {
    curvature += block->old[r] * snu_dot(block->A + r * n, block->old, n);
  }
  if (curvature < (snReal)snMINVAL) return;
  snReal step = -slope / curvature;
  if (force[0] + step * block->old[0] < 0) step = -1;
  for (int r = 0; r < n; r++) force[r] += step * block->old[r];
}

// State of a sweep of PGS, and the arrays of the data that it reads.
typedef struct Sweep_ {
  snReal* res;       // b + AR f, followed as forces change
  snReal* diagonal;  // of AR, and its inverse
  snReal* inverse;
  int* block;  // of an elliptic contact's rows: where its columns begin in AR
  snReal* force;
  int* state;  // states follow from forces, row by row
  const snReal *AR, *frictionloss;
  const int *nnz, *adr, *col;
  int n, free, bounded;  // rows, those before the first bound and before the first limit
} Sweep;

// res += AR[:, row] delta; AR is symmetric. Columns that follow one another need no list.
SN_KERNEL void followForce(const Sweep* sweep, int row, snReal delta) {
  SN_ASSERT_INDEX(row, sweep->n);
  int n = sweep->nnz[row], adr = sweep->adr[row];
  int whole = n == sweep->n;
  const int* col = whole ? NULL : sweep->col + adr;  // a dense AR has no list
  int together = whole || col[n - 1] - col[0] == n - 1;
  snReal* SN_RESTRICT res = sweep->res + (whole || !together ? 0 : col[0]);
  const snReal* SN_RESTRICT AR = sweep->AR + adr;
#define FOLLOWED(w) SN_LOAD##w(res + k) + SN_LOAD##w(AR + k) * delta
  if (together) {
    SN_OVER(res, n, FOLLOWED);
    return;
  }
  for (int k = 0; k < n; k++) res[col[k]] += AR[k] * delta;
}

// a contact of n dimensions
SN_KERNEL snReal sweepCone(const snContact* con, const Sweep* sweep, int row, int n, Tally* tally) {
  snReal* force = sweep->force + row;
  snReal A[25] = {0}, b[5] = {0};
  Block block;
  block.n = n;
  for (int r = 0; r < n; r++) {
    const snReal* AR = sweep->AR + sweep->block[row + r];
    block.old[r] = force[r];
    block.res[r] = sweep->res[row + r];
    for (int c = 0; c < n; c++) block.A[r * n + c] = AR[c];
  }
  normalStep(&block, force);
  tangentialPart(&block, A, b);
  for (int r = 1; r < n; r++) b[r - 1] += block.A[r * n] * (force[0] - block.old[0]);
  sn_ellipticFriction(con, A, b, force[0], force + 1);
  snReal change = finishBlock(&block, force);
  for (int r = 0; r < n; r++) {
    if (force[r] != block.old[r]) followForce(sweep, row + r, force[r] - block.old[r]);
  }
  int now = ellipticState(con, force);
  for (int r = 0; r < n; r++) tallyState(sweep->state + row + r, now, tally);
  return change;
}

// n is a compile-time constant, so that loops are unrolled.
SN_KERNEL snReal sweepElliptic(const snContact* con, const Sweep* sweep, int row, Tally* tally) {
  switch (con->dim) {
    case 3: return sweepCone(con, sweep, row, 3, tally);
    case 4: return sweepCone(con, sweep, row, 4, tally);
    case 6: return sweepCone(con, sweep, row, 6, tally);
    default: return sweepCone(con, sweep, row, con->dim, tally);
  }
}

// ---- PGS -----------------------------------------------------------------------------------------

SN_KERNEL snReal sweepScalar(const Sweep* sweep, int row, Tally* tally) {
  SN_ASSERT_INDEX(row, sweep->n);
  snReal old = sweep->force[row], res = sweep->res[row];
  int onesided = row >= sweep->bounded;
  if (onesided && old == 0 && res >= 0) return 0;  // stays inactive
  snReal force = old - res * sweep->inverse[row];
  if (onesided) {
    force = snu_max(0, force);
  } else if (row >= sweep->free) {
    force = snu_clip(force, -sweep->frictionloss[row], sweep->frictionloss[row]);
  }
  snReal delta = force - old;
  snReal change = delta * ((snReal)0.5 * (sweep->diagonal[row] * delta) + res);
  if (change > WORSE || delta == 0) return 0;
  sweep->force[row] = force;
  if (onesided) {
    tallyState(sweep->state + row, oneSidedState(force), tally);
  } else if (row >= sweep->free) {
    tallyState(sweep->state + row, frictionState(force, sweep->frictionloss[row]), tally);
  }
  followForce(sweep, row, delta);
  return change;
}

// product: AR times the forces, becomes the residual
static int beginSweeps(snData* d, snReal* product, Sweep* sweep) {
  int n = d->nefc;
  sweep->force = d->efc_force;
  sweep->state = d->efc_state;
  sweep->AR = d->efc_AR;
  sweep->frictionloss = d->efc_frictionloss;
  sweep->nnz = d->efc_AR_rownnz;
  sweep->adr = d->efc_AR_rowadr;
  sweep->col = d->efc_AR_colind;
  sweep->n = n;
  sweep->free = d->ne;
  sweep->bounded = d->ne + d->nf;
  sweep->res = product;
  sweep->diagonal = SN_STACK(d, snReal, n);
  sweep->inverse = SN_STACK(d, snReal, n);
  sweep->block = SN_STACK(d, int, n);
  if (!sweep->diagonal || !sweep->inverse || !sweep->block) return 0;
  for (int i = 0; i < n; i++) {
    sweep->res[i] = d->efc_b[i] + product[i];
    sweep->diagonal[i] = d->efc_AR[dualEntry(d, i, i)];
    sweep->inverse[i] = 1 / sweep->diagonal[i];
    int elliptic = d->efc_type[i] == snCNSTR_CONTACT_ELLIPTIC;
    sweep->block[i] = elliptic ? dualEntry(d, i, d->contact[d->efc_id[i]].efc_address) : 0;
  }
  return 1;
}

SN_WIDE(static, snReal, sweepRows, (snData * d, const Sweep* sweep, Tally* tally),
        (d, sweep, tally)) {
  const Sweep own = *sweep;  // nothing that is stored changes it
  Tally counted = {tally->nactive, 0};
  const int* type = d->efc_type;
  snReal change = 0;
  for (int row = 0; row < own.n;) {
    if (type[row] == snCNSTR_CONTACT_ELLIPTIC) {
      const snContact* con = d->contact + d->efc_id[row];
      change += sweepElliptic(con, &own, row, &counted);
      row += con->dim;
    } else {
      change += sweepScalar(&own, row++, &counted);
    }
  }
  *tally = counted;
  return change;
}

void sn_solvePGS(const snModel* m, snData* d, snReal* product, int iterations) {
  SN_ASSERT(d->nefc > 0 && d->efc_AR);  // sn_projectConstraint has run
  snReal scale = dualScale(m);
  Sweep sweep;
  sn_markStack(d);
  if (!beginSweeps(d, product, &sweep)) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    iterations = 0;
  }
  int iter = 0, more = 1;
  Tally tally = {0, 0};
  if (iterations > 0) tally.nactive = sn_dualStates(d, d->efc_state, &tally.nchange);
  while (more && iter < iterations) {
    snReal improvement = -scale * sweepRows(d, &sweep, &tally);
    recordSweep(d, iter++, improvement, &tally);
    more = !(improvement < m->opt.tolerance);
  }
  if (more) d->status |= snSTATUS_NOTCONVERGED;
  d->solver_niter[0] = iter;
  d->solver_nnz[0] = d->nA;
  sn_finishDual(m, d);
  sn_freeStack(d);
}

// ---- noslip --------------------------------------------------------------------------------------

static snReal slipFriction(snData* d, int row) {
  snReal *force = d->efc_force + row, old = *force, bound = d->efc_frictionloss[row];
  snReal diagonal = d->efc_AR[dualEntry(d, row, row)] - d->efc_R[row];
  snReal inverse = 1 / snu_max((snReal)snMINVAL, diagonal);
  snReal res = d->efc_b[row] + mulDualRow(d, row) - d->efc_R[row] * old;
  *force = snu_clip(old - res * inverse, -bound, bound);
  snReal delta = *force - old;
  return (snReal)0.5 * delta * delta / inverse + delta * res;
}

// two opposing edges of a pyramid share their sum: y moves force from one to the other
static snReal slipPair(snData* d, int row) {
  snReal* force = d->efc_force + row;
  Block block;
  loadBlock(d, row, 2, &block);
  const snReal *A = block.A, *old = block.old;
  snReal b0 = block.res[0] - A[0] * old[0] - A[1] * old[1];
  snReal b1 = block.res[1] - A[2] * old[0] - A[3] * old[1];
  snReal mid = (snReal)0.5 * (old[0] + old[1]);
  snReal curvature = A[0] + A[3] - A[1] - A[2], slope = mid * (A[0] - A[3]) + b0 - b1;
  snReal y = curvature < (snReal)snMINVAL ? 0 : -slope / curvature;
  if (y < -mid) {
    force[0] = 0;
    force[1] = 2 * mid;
  } else if (y > mid) {
    force[0] = 2 * mid;
    force[1] = 0;
  } else {
    force[0] = mid + y;
    force[1] = mid - y;
  }
  return finishBlock(&block, force);
}

static snReal slipElliptic(snData* d, int row) {
  const snContact* con = d->contact + d->efc_id[row];
  int n = con->dim - 1;
  snReal b[5];
  Block block;
  loadBlock(d, row + 1, n, &block);
  for (int r = 0; r < n; r++) b[r] = block.res[r] - snu_dot(block.A + r * n, block.old, n);
  sn_ellipticFriction(con, block.A, b, d->efc_force[row], d->efc_force + row + 1);
  return finishBlock(&block, d->efc_force + row + 1);
}

static snReal sweepNoslip(snData* d) {
  snReal change = 0;
  for (int row = d->ne; row < d->ne + d->nf; row++) change += slipFriction(d, row);
  for (int row = d->ne + d->nf + d->nl; row < d->nefc;) {
    int dim = d->contact[d->efc_id[row]].dim;
    switch (d->efc_type[row]) {
      case snCNSTR_CONTACT_PYRAMIDAL:
        for (int j = 0; j < dim - 1; j++, row += 2) change += slipPair(d, row);
        break;
      case snCNSTR_CONTACT_ELLIPTIC:
        change += slipElliptic(d, row);
        row += dim;
        break;
      default: row++;
    }
  }
  return change;
}

void sn_solveNoslip(const snModel* m, snData* d, int iterations) {
  SN_ASSERT(d->nefc > 0 && d->efc_AR);
  snReal scale = dualScale(m);
  int iter = 0;
  Tally tally;
  if (iterations > 0) sn_dualStates(d, d->efc_state, &tally.nchange);
  while (iter < iterations) {
    snReal improvement = 0;
    for (int i = 0; iter == 0 && i < d->nefc; i++) {
      improvement += (snReal)0.5 * d->efc_force[i] * d->efc_force[i] * d->efc_R[i];
    }
    improvement = scale * (improvement - sweepNoslip(d));
    tally.nactive = sn_dualStates(d, d->efc_state, &tally.nchange);
    recordSweep(d, d->solver_niter[0] + iter++, improvement, &tally);
    if (improvement < m->opt.noslip_tolerance) break;
  }
  d->solver_niter[0] += iter;
  sn_finishDual(m, d);
}
