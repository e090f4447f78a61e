// The Newton direction where each dof has a lane, of problems with any kind of row (friction, cones).
//
// Lane i sums up row i of the Hessian M + sum of D J'J in registers, from scratch each time; the rows of
// J are loads that all lanes share. Elimination is that of lanes/elimination.h.

#include "base/assert.h"
#include "engine/lanes/elimination.h"
#include "engine/solve/kernel.h"
#include "engine/solve/search.h"
#include "engine/solve/solver.h"
#include "math/math.h"

// ---- assembly ------------------------------------------------------------------------------------

// Weights of the rows: D in the quadratic state, -1 for the first row of a contact in the cone.
// Returns whether something changed.
static int weighRows(const snPrimal* p, int fresh) {
  SN_ASSERT(p->dense.weight && sn_isFast(p->dense.weight));
  const snRowCost* rows = &p->rows;
  const int* state = p->state;
  snReal* weight = SN_FAST(snReal, p->dense.weight);
  int changed = fresh;
  SN_FOR(r, rows->nefc) {
    int now = state[r];
    snReal w = now == snCNSTRSTATE_QUADRATIC ? rows->D[r] : 0;
    if (now == snCNSTRSTATE_CONE) {
      if (sn_beginsContact(rows, r)) w = -1;
      changed = 1;
    }
    if (!fresh) changed |= w != weight[r];
    weight[r] = w;
  }
  SN_SYNC();
  return sn_teamAny(changed);
}

// what multiplies row a of a contact in the cone: (H_c J_c)_a of this lane's dof
static inline snReal coneScale(const snPrimal* p, int r, int a, int lane) {
  SN_ASSERT_INDEX(r, p->rows.nefc);
  SN_ASSERT(a >= 0 && a < p->rows.contact[p->rows.id[r]].dim);
  const snContact* con = p->rows.contact + p->rows.id[r];
  int dim = con->dim, width = 4 * p->dense.side;
  const snReal* J = (const snReal*)p->dense.J + r * width + lane;
  snReal sum = 0;
  SN_PLAIN_LOOP
  for (int c = 0; c < dim; c++) sum = sn_mulAdd(con->H[a * dim + c], J[c * width], sum);
  return sum;
}

// add the rows whose weight is not zero
SN_KERNEL void addRows(const snPrimal* p, snReal* row, const snQuad* J, int lane, int width) {
  const snReal* weight = SN_FAST(const snReal, p->dense.weight);
  int nefc = p->rows.nefc;
  SN_PLAIN_LOOP
  for (int r = 0; r < nefc; r++, J += width / 4) {
    snReal w = weight[r];
    if (w == 0) continue;
    if (w > 0) {
      sn_windowAdd(row, w * ((const snReal*)J)[lane], J, width);
      continue;
    }
    int dim = p->rows.contact[p->rows.id[r]].dim;
    SN_PLAIN_LOOP
    for (int a = 0; a < dim; a++) {
      sn_windowAdd(row, coneScale(p, r, a, lane), J + a * (width / 4), width);
    }
  }
}

SN_KERNEL void assembleRow(const snPrimal* p, snReal* row, int lane, int width) {
  const snQuad *M = p->dense.M + lane * (width / 4), *J = p->dense.J;
  SN_UNROLL
  for (int k = 0; k < width / 4; k++) {
    snQuad quad = M[k];
    row[4 * k] = quad.v[0], row[4 * k + 1] = quad.v[1];
    row[4 * k + 2] = quad.v[2], row[4 * k + 3] = quad.v[3];
  }
  if (sn_isFast(J)) {
    addRows(p, row, SN_FAST(const snQuad, J), lane, width);
  } else {
    addRows(p, row, J, lane, width);
  }
}

// ---- factor --------------------------------------------------------------------------------------

// the Hessian, its factor and the solution
static SN_OUTLINE snReal factorLanes(const snPrimal* p, snReal rhs) {
  SN_ASSERT(SN_LANES == 32 && p->nv <= 4 * p->dense.side);
  int width = 4 * p->dense.side, lane = SN_LANE, own = lane < width ? lane : 0;
  snReal row[W0];
  snWindow e = {lane, lane, p->nv, 0, rhs, SN_FAST(snReal, p->dense.factor)};
  if (width == W0) {
    assembleRow(p, row, own, W0);
    sn_windowEliminate(&e, row, N0, W0);
  } else if (width == W1) {
    assembleRow(p, row, own, W1);
  } else if (width == W2) {
    assembleRow(p, row, own, W2);
  } else {
    assembleRow(p, row, own, W3);
  }
  if (width >= W1) sn_windowEliminate(&e, row, N1, W1);
  if (width >= W2) sn_windowEliminate(&e, row, N2, W2);
  sn_windowEliminate(&e, row, e.n, W3);
  if (lane < p->nv) SN_FAST(snReal, p->dense.inverse)[lane] = e.inverse;
  return e.rhs * e.inverse;
}

// ---- solve ---------------------------------------------------------------------------------------

// x <- x - Y z over the columns, where z = x / D
static SN_OUTLINE snReal solveColumns(const snPrimal* p, snReal x) {
  int lane = SN_LANE, own = lane < p->nv ? lane : 0;
  snReal inverse = SN_FAST(snReal, p->dense.inverse)[own];
  return sn_windowSolveColumns(SN_FAST(const snReal, p->dense.factor), inverse, x, p->nv,
                               4 * p->dense.side, lane);
}

// the second half of a solve, row by row of Y'
static SN_OUTLINE snReal solveRows(const snPrimal* p, snReal x) {
  int lane = SN_LANE, own = lane < p->nv ? lane : 0;
  snReal inverse = SN_FAST(snReal, p->dense.inverse)[own];
  return sn_windowSolveRows(SN_FAST(const snReal, p->dense.factor), inverse, x, p->nv,
                            4 * p->dense.side, lane);
}

void sn_lanesDirection(snPrimal* p, int fresh) {
  SN_ASSERT(SN_LANES == 32 && p->nv <= 32 && p->dense.factor);
  int nv = p->nv, lane = SN_LANE, own = lane < nv ? lane : 0;
  snReal x = SN_FAST(snReal, p->grad)[own];
  int stale = p->dense.laneRows && !fresh ? p->dense.stale : weighRows(p, fresh);
  if (stale) {
    x = factorLanes(p, x);
    sn_warpSync();
  } else {
    x = solveRows(p, solveColumns(p, x));
  }
  if (lane < nv) SN_FAST(snReal, p->search)[lane] = -x;
  sn_warpSync();
}

// ---- rows of lanes -------------------------------------------------------------------------------

// With laneRows: one-sided rows or equalities, at most two for a lane.
enum { ROWS = 2 };

// Step along search: acceleration, residuals, states, forces, cost and gradient.
SN_OUTLINE void sn_lanesMove(snPrimal* p, snReal alpha) {
  SN_ASSERT(p->dense.laneRows && p->rows.nefc <= 32 * ROWS && !p->rows.nf);
  int nv = p->nv, nefc = p->rows.nefc, ne = p->rows.ne, lane = SN_LANE, own = lane < nv ? lane : 0;
  int width = 4 * p->dense.side, changed = 0;
  snReal *v = SN_FAST(snReal, p->v), *weight = SN_FAST(snReal, p->dense.weight), cost = 0;
  snReal *x = p->x, *force = p->force;
  const snReal* D = p->rows.D;
  int *state = p->state, *oldstate = p->oldstate;
  SN_PLAIN_LOOP
  for (int r = lane; r < nefc; r += 32) {
    snReal y = x[r] + v[r] * alpha, Dr = D[r];
    int active = r < ne || y < 0;
    snReal push = active ? -Dr * y : 0, w = active ? Dr : 0;
    x[r] = y;
    oldstate[r] = state[r];
    state[r] = active ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
    force[r] = push;
    changed |= w != weight[r];
    weight[r] = w;
    v[r] = push;
    cost -= (snReal)0.5 * push * y;
  }
  snReal acc = p->acc[own] + SN_FAST(snReal, p->search)[own] * alpha;
  snReal Ma = p->Ma[own] + SN_FAST(snReal, p->Ms)[own] * alpha;
  snReal residual = Ma - p->frc_smooth[own],
         gauss = (snReal)0.5 * residual * (acc - p->acc_smooth[own]);
  sn_warpSync();
  const snReal* J = SN_FAST(const snReal, p->dense.J) + own;
  snReal sum = 0;
  SN_UNROLL4
  for (int r = 0; r < nefc; r++, J += width) sum = sn_mulAdd(*J, v[r], sum);
  if (lane < nv) {
    p->acc[lane] = acc;
    p->Ma[lane] = Ma;
    p->frc_constraint[lane] = sum;
    SN_FAST(snReal, p->grad)[lane] = residual - sum;
  } else {
    gauss = 0;
  }
  p->dense.stale = sn_teamAny(changed);
  snReal none = 0;
  sn_teamSum3(&cost, &gauss, &none);
  p->gauss = gauss;
  p->cost = cost + gauss;
}

// Ms = M search and v = J search, and where the line begins.
SN_OUTLINE void sn_lanesLine(const snPrimal* p, snLaneLine* line) {
  SN_ASSERT(p->dense.laneRows && p->rows.nefc <= 32 * ROWS && !p->rows.nf);
  int nv = p->nv, nefc = p->rows.nefc, ne = p->rows.ne, lane = SN_LANE, own = lane < nv ? lane : 0;
  int side = p->dense.side;
  const snQuad* search = SN_FAST(const snQuad, p->dense.search);
  const snQuad *J = SN_FAST(const snQuad, p->dense.J), *M = p->dense.M + own * side;
  snReal *v = SN_FAST(snReal, p->v), s = ((const snReal*)search)[own], Ms, sum[3] = {0, 0, 0};
  if (sn_isFast(M)) {
    Ms = sn_dotQuads(SN_FAST(const snQuad, M), search, side);
  } else {
    Ms = sn_dotQuads(M, search, side);
  }
  if (lane < nv) SN_FAST(snReal, p->Ms)[lane] = Ms;
  SN_UNROLL
  for (int k = 0; k < ROWS; k++) {
    int r = lane + 32 * k;
    snReal xr = 0, vr = 0, Dr = 0;
    if (r < nefc) {
      v[r] = vr = sn_dotQuads(J + r * side, search, side);
      xr = p->x[r];
      Dr = p->rows.D[r];
      if (r < ne) {
        sn_addQuadraticRow(sum, Dr, xr, vr);
        Dr = 0;
      }
    }
    line->x[k] = xr, line->v[k] = vr, line->D[k] = Dr;
  }
  snReal c1 = lane < nv ? s * (p->Ma[own] - p->frc_smooth[own]) : 0, c2 = lane < nv ? s * Ms : 0;
  snReal square = lane < nv ? s * s : 0;
  c1 += sum[1], c2 += sum[2];
  sn_teamSum3(&c1, &c2, &square);
  if (ne) sum[0] = sn_teamSum(sum[0]);
  line->quad[0] = p->gauss + (snReal)0.5 * sum[0];
  line->quad[1] = c1;
  line->quad[2] = (snReal)0.5 * c2;
  line->square = square;
}
