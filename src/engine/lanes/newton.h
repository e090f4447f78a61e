// Newton's method on a problem that fits the registers of a team: what newton.c and newton_primal.c share.
//
// A team of n lanes solves a problem of at most n dofs and 2 n rows. Lane i holds row i of M and all numbers of dof i;
// lane r holds the numbers of rows r and r + n. They stay in registers from the first iteration to the last. Fast memory
// holds what lanes read of one another: the rows of J, the factor of the Hessian (lanes/elimination.h), and the vector
// that M and J are multiplied with. Global memory is read once, at the beginning, and written once, at the end.
//
// A mixed problem has rows of dry friction or of elliptic cones beside equalities and one-sided rows; lane c then holds
// the cone of contact number c. Two parameters are compile-time constants in every variant, so that each has only the
// code that it needs: `mixed`, and `cone`, the largest number of rows of a cone.

#ifndef SINEW_ENGINE_LANES_NEWTON_H_
#define SINEW_ENGINE_LANES_NEWTON_H_

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "engine/constrain/row_value.h"
#include "engine/lanes/elimination.h"
#include "engine/lanes/loose.h"
#include "engine/solve/kernel.h"
#include "engine/solve/search.h"
#include "engine/solve/solver.h"
#include "math/math.h"

// rows of a lane; most rows of a cone; rows of J, and entries of M, that a lane has in flight at once
enum { snPROBLEM_ROWS = 2, snPROBLEM_CONE = 6, snPROBLEM_CHUNK = 16, snPROBLEM_PARTS = 8 };

// A row as its lane holds it.
typedef struct snProblemRow_ {
  snReal x, v;  // residual, its change along the search direction
  snReal D;     // 0 where there is no row
  int active;   // is its cost quadratic at x?
  int joint;    // the joint whose limit this is; -1: it is no limit

  // of mixed problems
  int state;  // snConstraintState
  int cone;   // lane that holds its cone; -1: it belongs to none
  int local;  // which row of the cone
  snReal force;
  snReal loss;   // of dry friction: the largest force; 0: the row is of another kind
  snReal bound;  // the residual from which on that force acts
} snProblemRow;

// A contact with an elliptic cone as its lane holds it. Arrays are zero beyond its rows, which adds nothing to costs,
// forces and Hessians.
typedef struct snLaneCone_ {
  int first;    // row; -1: none, and all numbers are zero
  int dim;      // its rows
  int contact;  // its number
  int zone;     // state of the rows
  snReal mu, friction[snPROBLEM_CONE - 1];
  snReal D[snPROBLEM_CONE], x[snPROBLEM_CONE], v[snPROBLEM_CONE], force[snPROBLEM_CONE];
} snLaneCone;

// The problem as a lane holds it.
typedef struct snLaneProblem_ {
  int mixed;
  int lane, inside;  // does the lane have a dof?
  int dof;           // its number before loose dofs were condensed; -1: none
  int nv, nefc, ne, nf;

  // fast memory
  int stride;  // of the rows of J: an odd number of quads, so that lanes read from different banks
  int padded;  // rows of J, with zeros up to a multiple of four
  snQuad* vectors;  // two of them
  snReal* factor;
  snQuad* J;

  // of the dof
  snReal M[W0];        // its row of M
  snReal inverse;      // 1 / D of the factor
  snReal acc, smooth;  // acceleration, unconstrained one
  snReal force;        // qfrc_smooth
  snReal residual;     // M acc - qfrc_smooth
  snReal jointForce;   // J' force
  snReal search, Ms;   // search direction, M times it

  snProblemRow rows[snPROBLEM_ROWS];
  unsigned active[snPROBLEM_ROWS];  // active set: bit i of active[k] is row i + n k
  snLaneCone cone;
  snLoose loose;

  snReal scale;  // see snPrimal
  snReal tolerance, ls_tolerance;
  int ls_iterations;
  snReal cost, gauss;  // of rows and inertia, of inertia alone
  snReal square;       // of the length of the search direction
  snReal gradnorm, noise;
} snLaneProblem;

// ---- memory --------------------------------------------------------------------------------------

static inline int sn_problemStrideOf(int width) { return width | 4; }

// Sets up the members that both callers set alike; the caller has set the sizes.
SN_KERNEL void sn_problemBegin(snLaneProblem* p, const snOption* opt, void* scratch, int width) {
  p->lane = SN_LANE;
  p->inside = p->lane < p->nv;
  p->dof = p->inside ? p->lane : -1;
  p->stride = sn_problemStrideOf(width), p->padded = (p->nefc + 3) & ~3;
  p->vectors = SN_FAST(snQuad, scratch);
  p->factor = (snReal*)(p->vectors + p->stride / 2);
  p->J = (snQuad*)(p->factor + sn_windowSize(width));
  p->inverse = 0;
  p->tolerance = sn_solverTolerance(opt);
  p->ls_tolerance = opt->ls_tolerance;
  p->ls_iterations = opt->ls_iterations;
}

// How many reals of fast memory a problem takes. The loaded M shares the place of the factor and J.
static inline int sn_problemScratchOf(int width, int padded, int nC) {
  int stride = sn_problemStrideOf(width), first = width * stride + nC + 1;
  int later = sn_windowSize(width) + padded * stride;
  return 2 * stride + (first > later ? first : later);
}

// The snPROBLEM_PARTS entries of M that this lane copies: number `first`, and every n-th one after it.
SN_KERNEL void sn_problemLoadInertia(snReal* part, const snReal* M, int first, int nC) {
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_PARTS; k++) {
    part[k] = 0;
    if (first + SN_WARP_LANES * k < nC) part[k] = M[first + SN_WARP_LANES * k];
  }
}

SN_KERNEL void sn_problemStoreInertia(const snReal* part, snReal* M, int first, int nC) {
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_PARTS; k++) {
    if (first + SN_WARP_LANES * k < nC) M[first + SN_WARP_LANES * k] = part[k];
  }
}

// Copies the entries of M from `first` on.
SN_KERNEL void sn_problemCopyInertia(snReal* M, const snReal* from, int first, int nC) {
  SN_PLAIN_LOOP
  for (; first < nC; first += SN_WARP_LANES * snPROBLEM_PARTS) {
    snReal entries[snPROBLEM_PARTS];
    sn_problemLoadInertia(entries, from, first, nC);
    sn_problemStoreInertia(entries, M, first, nC);
  }
}

// The lower triangle, column by column: the lane of dof i gets M(k,i) of all its descendants k, which follow it. Row
// k begins at M[adr of k], and dof i has the same position in the rows of all its descendants. M[none] is zero.
SN_KERNEL void sn_problemSpreadInertia(snLaneProblem* p, const snReal* M, int adr, int nnz,
                                       int none, int width) {
  SN_ASSERT(nnz > 0 && none >= 0 && none < 1 << 16);
  int self = p->inside ? p->lane : -1, place = nnz << 16 | adr, last = nnz << 16 | 0xffff;
  int below = 0;
  SN_UNROLL
  for (int k = 0; k < width; k++) {
    int other = sn_warpFromInt(place, k);
    below = k == self || (below && other > last);
    p->M[k] = M[below ? (other & 0xffff) + nnz - 1 : none];
  }
}

// The upper triangle from the lower one: M(i,j) = M(j,i) for j < i.
SN_KERNEL void sn_problemCompleteInertia(snLaneProblem* p, int width) {
  int lane = p->lane, own = lane < width ? lane : 0, stride = p->stride;
  snReal* square = p->factor;
  SN_UNROLL
  for (int k = 0; k < width; k++) {
    if (lane < width) square[k * stride + lane] = p->M[k];
  }
  sn_warpSync();
  const snQuad* quads = (const snQuad*)(square + own * stride);
  SN_UNROLL
  for (int k = 0; k < width / 4; k++) {
    snQuad quad = quads[k];
    SN_UNROLL
    for (int c = 0; c < 4; c++) {
      if (p->inside && 4 * k + c < lane) p->M[4 * k + c] = quad.v[c];
    }
  }
  sn_warpSync();
}

// ---- products ------------------------------------------------------------------------------------

// Stores this lane's entry of a vector over dofs where all lanes can read it, and zeros up to the width.
SN_KERNEL void sn_problemShare(snReal* vector, snReal x, int lane, int width) {
  if (lane < width) vector[lane] = x;
  if (width > SN_WARP_LANES && lane + SN_WARP_LANES < width) vector[lane + SN_WARP_LANES] = 0;
}

// M times a vector
SN_KERNEL snReal sn_problemMulInertia(const snLaneProblem* p, const snQuad* x, int width) {
  snReal sum[2] = {0, 0};
  SN_UNROLL
  for (int k = 0; k < width / 4; k++) sn_addQuad(sum, p->M + 4 * k, x + k);
  return sum[0] + sum[1];
}

// Row k of this lane times a vector. A lane without that row multiplies the last row, so that no lane branches off.
SN_KERNEL snReal sn_problemMulRow(const snLaneProblem* p, int k, const snQuad* x, int width) {
  int r = p->lane + SN_WARP_LANES * k;
  const snQuad* row = p->J + (r < p->nefc ? r : p->nefc - 1) * (p->stride / 4);
  snReal sum[2] = {0, 0};
  SN_UNROLL
  for (int i = 0; i < width / 4; i++) {
    snQuad a = row[i];
    sn_addQuad(sum, a.v, x + i);
  }
  return sum[0] + sum[1];
}

static inline snReal sn_problemForceOf(const snLaneProblem* p, int k) {
  const snProblemRow* row = p->rows + k;
  if (p->mixed) return row->force;
  return row->active ? -row->D * row->x : 0;
}

static inline int sn_problemStateOf(const snLaneProblem* p, int k) {
  const snProblemRow* row = p->rows + k;
  if (p->mixed) return row->state;
  return row->active ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
}

// Stores what the solver computes of each row.
SN_KERNEL void sn_problemStoreRows(const snLaneProblem* p, snReal* force, int* state) {
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    int r = p->lane + SN_WARP_LANES * k;
    if (r >= p->nefc) continue;
    force[r] = sn_problemForceOf(p, k);
    state[r] = sn_problemStateOf(p, k);
  }
}

// J' force
SN_KERNEL snReal sn_problemMulForces(const snLaneProblem* p) {
  const snReal* column = (const snReal*)p->J + (p->inside ? p->lane : 0);
  snReal force = sn_problemForceOf(p, 0), even = 0, odd = 0;
  SN_PLAIN_LOOP
  for (int r = 0; r < p->padded; r += 4, column += 4 * p->stride) {
    if (r == SN_WARP_LANES) force = sn_problemForceOf(p, 1);
    even = sn_mulAdd(column[0], sn_warpFrom(force, r), even);
    odd = sn_mulAdd(column[p->stride], sn_warpFrom(force, r + 1), odd);
    even = sn_mulAdd(column[2 * p->stride], sn_warpFrom(force, r + 2), even);
    odd = sn_mulAdd(column[3 * p->stride], sn_warpFrom(force, r + 3), odd);
  }
  return p->inside ? even + odd : 0;
}

// ---- start ---------------------------------------------------------------------------------------

static inline int sn_problemIsActive(const snLaneProblem* p, int k, snReal x) {
  int r = p->lane + SN_WARP_LANES * k;
  return r < p->ne || (r < p->nefc && x < 0);
}

// twice the cost of a row
static inline snReal sn_problemCostOf(const snLaneProblem* p, int k, snReal x) {
  return sn_problemIsActive(p, k, x) ? p->rows[k].D * x * x : 0;
}

static inline void sn_problemListActive(snLaneProblem* p) {
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    p->rows[k].active = sn_problemIsActive(p, k, p->rows[k].x);
    p->active[k] = k && p->nefc <= SN_WARP_LANES ? 0 : sn_warpBallot(p->rows[k].active);
  }
}

// ---- mixed problems ------------------------------------------------------------------------------

// res(j) = the value at row j of this lane's cone, where each lane passes the values at its first and second row.
SN_KERNEL void sn_problemRowsOfCone(const snLaneProblem* p, snReal* res, snReal first,
                                    snReal second, int cone) {
  SN_UNROLL
  for (int j = 0; j < cone; j++) {
    int r = p->cone.first < 0 ? 0 : p->cone.first + j;
    snReal a = sn_warpFrom(first, r), b = p->nefc > SN_WARP_LANES ? sn_warpFrom(second, r) : 0;
    res[j] = j >= p->cone.dim ? 0 : r < SN_WARP_LANES ? a : b;
  }
}

// Computes state and force of a row that belongs to no cone; returns its cost.
SN_KERNEL snReal sn_problemUpdateRow(const snLaneProblem* p, int k, snProblemRow* row) {
  int r = p->lane + SN_WARP_LANES * k;
  snReal x = row->x;
  if (row->loss > 0) {
    return sn_frictionCost(row->D, row->loss, row->bound, x, &row->force, &row->state);
  }
  int quadratic = r < p->ne + p->nf || (r < p->nefc && x < 0);
  row->force = quadratic ? -row->D * x : 0;
  row->state = quadratic ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
  return -(snReal)0.5 * row->force * x;
}

static inline snConeRows sn_problemCone(const snLaneCone* c, int cone) {
  snConeRows rows = {cone, c->mu, c->friction, c->D, c->x};
  return rows;
}

// States and forces of all rows at their residuals; returns twice the cost of those of this lane.
SN_KERNEL snReal sn_problemUpdateMixed(snLaneProblem* p, int cone) {
  snLaneCone* own = &p->cone;
  snConeRows rows = sn_problemCone(own, cone);
  snReal U[6], T = sn_coneCoordinates(&rows, U);
  snReal cost = sn_coneCost(&rows, U, T, own->force, &own->zone);
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    snProblemRow* row = p->rows + k;
    int c = row->cone < 0 ? 0 : row->cone, zone = sn_warpFromInt(own->zone, c);
    snReal force = 0;
    SN_UNROLL
    for (int j = 0; j < cone; j++) {
      snReal f = sn_warpFrom(own->force[j], c);
      if (row->local == j) force = f;
    }
    if (row->cone < 0) {
      cost += sn_problemUpdateRow(p, k, row);
    } else {
      row->state = zone;
      row->force = force;
    }
    row->active = row->state == snCNSTRSTATE_QUADRATIC && p->lane + SN_WARP_LANES * k < p->nefc;
    p->active[k] = sn_warpBallot(row->active);
  }
  return 2 * cost;
}

// The same for rows of any kind: states, forces and the active set at the residuals.
SN_KERNEL snReal sn_problemUpdateRows(snLaneProblem* p, int cone) {
  if (p->mixed) return sn_problemUpdateMixed(p, cone);
  snReal cost = 0;
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) cost += sn_problemCostOf(p, k, p->rows[k].x);
  sn_problemListActive(p);
  return cost;
}

// For all contacts in the cone zone, one after the other: row += this lane's row of J_c' H_c J_c. The Hessians H_c are
// stored in the contacts as well, where other stages read them.
SN_KERNEL void sn_problemAddCones(const snLaneProblem* p, snReal* row, snContact* contact,
                                  int width, int cone) {
  snReal H[snPROBLEM_CONE * snPROBLEM_CONE];
  int dim = p->cone.dim, own = p->inside ? p->lane : 0;
  int touches = p->cone.zone == snCNSTRSTATE_CONE;
  SN_UNROLL for (int k = 0; k < cone * cone; k++) H[k] = 0;
  if (touches) {
    snConeRows rows = sn_problemCone(&p->cone, cone);
    snReal U[6], T = sn_coneCoordinates(&rows, U), *kept = contact[p->cone.contact].H;
    sn_coneHessian(&rows, U, T, H);
    SN_UNROLL
    for (int k = 0; k < cone * cone; k++) {
      if (k / cone < dim && k % cone < dim) kept[k / cone * dim + k % cone] = H[k];
    }
  }
  SN_PLAIN_LOOP
  for (unsigned left = sn_warpBallot(touches); left; left &= left - 1) {
    int c = sn_firstBit(left), first = sn_warpFromInt(p->cone.first, c);
    int rows = sn_warpFromInt(dim, c);
    const snReal* J = (const snReal*)p->J + first * p->stride;
    snReal column[snPROBLEM_CONE], scale[snPROBLEM_CONE];
    SN_UNROLL
    for (int k = 0; k < cone; k++) {
      column[k] = J[(k < rows ? k : 0) * p->stride + own];
      scale[k] = 0;
    }
    SN_UNROLL
    for (int k = 0; k < cone; k++) {
      SN_UNROLL
      for (int j = 0; j <= k; j++) {
        snReal h = sn_warpFrom(H[cone * k + j], c);
        scale[k] = sn_mulAdd(h, column[j], scale[k]);
        if (j < k) scale[j] = sn_mulAdd(h, column[k], scale[j]);
      }
    }
    SN_UNROLL
    for (int k = 0; k < cone; k++) {
      if (k < rows) sn_windowAdd(row, scale[k], (const snQuad*)(J + k * p->stride), width);
    }
  }
}

// ---- iterations ----------------------------------------------------------------------------------

// The Hessian M + J' D J over the active rows (and cones), its factor, and the solution for e->rhs.
SN_KERNEL void sn_problemFactor(const snLaneProblem* p, snWindow* e, snContact* contact, int width,
                                int cone) {
  SN_ASSERT(p->nv <= width);
  snReal row[W0];
  SN_UNROLL
  for (int k = 0; k < width; k++) row[k] = p->M[k];
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    const snReal* J = (const snReal*)p->J + SN_WARP_LANES * k * p->stride;
    SN_PLAIN_LOOP
    for (unsigned left = p->active[k], r = 0; left; left >>= 1, r++, J += p->stride) {
      if (!(left & 1)) continue;
      snReal scale = sn_warpFrom(p->rows[k].D, (int)r) * J[p->inside ? p->lane : 0];
      sn_windowAdd(row, scale, (const snQuad*)J, width);
    }
  }
  if (p->mixed) sn_problemAddCones(p, row, contact, width, cone);
  sn_windowFactor(e, row, width);
  sn_warpSync();
}

// search = -H^-1 gradient. stale: the Hessian has changed since it was factored.
SN_KERNEL void sn_problemSetDirection(snLaneProblem* p, int stale, snContact* contact, int width,
                                      int cone) {
  snWindow e = {p->lane, p->lane, p->nv, p->inverse, p->residual - p->jointForce, p->factor};
  if (stale) {
    sn_problemFactor(p, &e, contact, width, cone);
    p->inverse = e.inverse;
  } else {
    e.rhs = sn_windowSolveColumns(p->factor, p->inverse, e.rhs, p->nv, width, p->lane);
    e.rhs = sn_windowSolveRows(p->factor, p->inverse, e.rhs, p->nv, width, p->lane);
    sn_warpSync();  // the last direction has been read
  }
  p->search = p->inside ? -e.rhs : 0;
  sn_problemShare((snReal*)p->vectors, p->search, p->lane, width);
  sn_warpSync();
}

// Ms = M search, v = J search, and the cost c0 + c1 a + c2 a^2 of inertia and equalities at step length a
SN_KERNEL void sn_problemBeginLine(snLaneProblem* p, snReal* quad, int width, int cone) {
  p->Ms = sn_problemMulInertia(p, p->vectors, width);
  snReal sums[4] = {0, p->search * p->residual, p->search * p->Ms, p->search * p->search};
  if (p->loose.n) {
    const snLoose* loose = &p->loose;
    snReal fall = loose->D * loose->y * loose->y;
    sums[1] -= fall;
    sums[2] += fall;
    sums[3] += loose->search * loose->search;
  }
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    snProblemRow* row = p->rows + k;
    row->v = 0;
    if (k && p->nefc <= SN_WARP_LANES) continue;
    row->v = sn_problemMulRow(p, k, p->vectors, width);
    if (p->lane + SN_WARP_LANES * k < p->ne) sn_addQuadraticRow(sums, row->D, row->x, row->v);
  }
  if (p->mixed) sn_problemRowsOfCone(p, p->cone.v, p->rows[0].v, p->rows[1].v, cone);
  sn_warpSums(sums, 4);
  quad[0] = p->gauss + (snReal)0.5 * sums[0];
  quad[1] = sums[1];
  quad[2] = (snReal)0.5 * sums[2];
  p->square = sums[3];
}

SN_KERNEL void sn_problemEvaluate(const snLaneProblem* p, const snReal* quad, snLinePoint* point,
                                  int cone) {
  snReal alpha = point->alpha, sums[3] = {0, 0, 0};
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    const snProblemRow* row = p->rows + k;
    snReal D = p->lane + SN_WARP_LANES * k >= p->ne ? row->D : 0;
    if (p->mixed && (row->loss > 0 || row->cone >= 0)) {
      if (row->loss > 0) {
        sn_addFrictionAt(sums, row->D, row->loss, row->bound, row->x, row->v, alpha);
      }
    } else {
      sn_addOneSidedRow(sums, D, row->x, row->v, alpha);
    }
  }
  if (p->mixed) {
    snConeRows rows = sn_problemCone(&p->cone, cone);
    snConeLine line = sn_coneLine(&rows, p->cone.v);
    sn_addConeAt(sums, &rows, p->cone.v, &line, alpha);
  }
  sn_warpSums(sums, 3);
  point->cost = quad[0] + alpha * (quad[1] + alpha * quad[2]) + (snReal)0.5 * sums[0];
  point->d = quad[1] + 2 * alpha * quad[2] + sums[1];
  point->h = 2 * quad[2] + sums[2];
  if (point->h <= 0) point->h = (snReal)snMINVAL;
}

// A step of length alpha along the search direction. The gradient is a difference of forces: its rounding error in
// single precision (noise) is estimated from their size.
SN_KERNEL void sn_problemMove(snLaneProblem* p, snReal alpha, int cone) {
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) p->rows[k].x += p->rows[k].v * alpha;
  SN_UNROLL
  for (int j = 0; j < (p->mixed ? cone : 0); j++) p->cone.x[j] += p->cone.v[j] * alpha;
  snReal cost = sn_problemUpdateRows(p, cone);
  p->acc += p->search * alpha;
  p->residual += p->Ms * alpha;
  p->jointForce = sn_problemMulForces(p);
  snReal residual = p->residual;
  snReal sums[4] = {cost, residual * (p->acc - p->smooth), 0, 0};
  if (p->loose.n) {
    snLoose* loose = &p->loose;
    sn_looseMove(loose, alpha);
    snReal Ma = loose->gradient + loose->force;
    residual += loose->remainder;
    sums[1] += loose->D * loose->y * loose->y;
    sums[2] = loose->gradient * loose->gradient;
    sums[3] = Ma * Ma + loose->force * loose->force;
  }
  snReal grad = residual - p->jointForce, Ma = residual + p->force;
  sums[2] += grad * grad;
  sums[3] += Ma * Ma + p->force * p->force + p->jointForce * p->jointForce;
  sn_warpSums(sums, 4);
  p->gauss = (snReal)0.5 * sums[1];
  p->cost = (snReal)0.5 * sums[0] + p->gauss;
  p->gradnorm = p->scale * snu_sqrt(sums[2]);
  p->noise = sizeof(snReal) == 4 ? p->scale * (snReal)1e-6 * snu_sqrt(sums[3]) : 0;
}

// Statistics of an iteration: how many rows are active, changed state, or changed the Hessian (those in the cone zone
// always do). stale: the Hessian has changed since it was factored.
typedef struct snProblemChange_ {
  int active, changed, updated, stale;
} snProblemChange;

SN_KERNEL snProblemChange sn_problemFindChange(const snLaneProblem* p,
                                               const unsigned old[snPROBLEM_ROWS],
                                               const int oldstate[snPROBLEM_ROWS]) {
  snProblemChange change = {0, 0, 0, 0};
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    int quadratic = sn_countBits(old[k] ^ p->active[k]);
    if (p->mixed) {
      int now = p->rows[k].state, cone = now == snCNSTRSTATE_CONE;
      int there = p->lane + SN_WARP_LANES * k < p->nefc;
      int cones = sn_countBits(sn_warpBallot(there && cone));
      change.active += sn_countBits(sn_warpBallot(there && now != snCNSTRSTATE_SATISFIED));
      change.changed += sn_countBits(sn_warpBallot(there && now != oldstate[k]));
      change.updated += quadratic + cones;
    } else {
      change.active += sn_countBits(p->active[k]);
      change.changed += quadratic;
      change.updated += quadratic;
    }
  }
  change.stale = change.updated > 0 || change.changed > 0;
  return change;
}

// One iteration. Returns 1 to go on, 0 when it has converged, -1 when the line search found no step.
SN_KERNEL int sn_problemIterate(snLaneProblem* p, const snPrimal* q, snSolverStat* stat, int* stale,
                                snContact* contact, int width, int cone) {
  snReal quad[3], oldcost = p->cost;
  unsigned old[snPROBLEM_ROWS] = {p->active[0], p->active[1]};
  int oldstate[snPROBLEM_ROWS] = {p->rows[0].state, p->rows[1].state};
  sn_problemSetDirection(p, *stale, contact, width, cone);
  if (p->loose.n) sn_looseSetDirection(&p->loose, q, p->dof, p->search);
  sn_problemBeginLine(p, quad, width, cone);
  snReal norm = snu_sqrt(p->square);
  if (norm < (snReal)snMINVAL) return -1;
  snLineSearch search;
  snLinePoint point = {0, 0, 0, 0};
  sn_searchBegin(&search, p->tolerance * p->ls_tolerance * norm / p->scale, p->ls_iterations);
  SN_PLAIN_LOOP
  do sn_problemEvaluate(p, quad, &point, cone);
  while (sn_searchNext(&search, &point));
  if (point.alpha == 0) return -1;
  sn_problemMove(p, point.alpha, cone);

  snReal improvement = p->scale * (oldcost - p->cost);
  snProblemChange change = sn_problemFindChange(p, old, oldstate);
  *stale = change.stale;
  if (stat && p->lane == 0) {
    stat->improvement = improvement;
    stat->gradient = p->gradnorm;
    stat->lineslope = snu_abs(point.d) * p->scale / norm;
    stat->nactive = change.active;
    stat->nchange = change.changed;
    stat->nupdate = change.updated;
    stat->neval = search.neval;
  }
  return !(improvement < p->tolerance || p->gradnorm < p->tolerance || p->gradnorm < p->noise);
}

// Iterates until the problem has converged; returns the number of iterations. *more: it has not converged. q may be NULL
// where no dofs are loose.
SN_KERNEL int sn_problemSolve(snLaneProblem* p, const snPrimal* q, snData* d, int island,
                              int iterations, snContact* contact, int* more, int width, int cone) {
  int niter = 0, stale = 1, next = 1;
  SN_PLAIN_LOOP
  while (next > 0 && niter < iterations) {
    next = sn_problemIterate(p, q, sn_solverStat(d, island, niter), &stale, contact, width, cone);
    if (next >= 0) niter++;
  }
  *more = next > 0;
  return niter;
}

#endif  // SINEW_ENGINE_LANES_NEWTON_H_
