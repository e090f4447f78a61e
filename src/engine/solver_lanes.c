// The Hessian of a team that has a lane for each dof: a lane keeps its row in registers.
//
// Row i of M + sum of D J'J is summed up by lane i, from scratch each time: no more than a lane's own
// row and loads that all lanes share. Then column after column of H = L D L' is eliminated: a lane
// publishes its number of the column Y = L D, and takes all of them off its row. The row moves
// on by a register with each column, so that the loop over columns is not unrolled, and it becomes
// shorter in steps: WINDOW columns are kept up to date. Column j of Y begins with its pivot and has
// the length of its window; an own window for each number of columns would be long code.

#include "engine/solver.h"
#include "engine/solver_kernel.h"
#include "math/math.h"

// lengths of rows, and how many columns are eliminated at each
enum { W0 = 32, W1 = 28, W2 = 20, W3 = 12, N0 = W0 - W1, N1 = W1 - W2, N2 = W2 - W3 };
enum { END0 = N0 * W0, END1 = END0 + N1 * W1, END2 = END1 + N2 * W2, END3 = END2 + W3 * W3 };

int sn_lanesWidth(int nv) { return nv > W1 ? W0 : nv > W2 ? W1 : nv > W3 ? W2 : W3; }

// where column number j of 32 begins
static inline int columnStart(int j) {
  if (j >= N0 + N1 + N2) return END2 + W3 * (j - N0 - N1 - N2);
  if (j >= N0 + N1) return END1 + W2 * (j - N0 - N1);
  return j >= N0 ? END0 + W1 * (j - N0) : W0 * j;
}

int sn_lanesRoom(int width) { return END3 - columnStart(W0 - width); }

// ---- assembly ------------------------------------------------------------------------------------

// Weights of the rows: D in the quadratic state, -1 for the first row of a contact in the cone.
// Returns whether something changed.
static int weighRows(const snPrimal* p, int fresh) {
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

// row += scale times a row of J
SN_KERNEL void addRow(snReal* row, snReal scale, const snQuad* J, int width) {
  SN_UNROLL
  for (int k = 0; k < width / 4; k++) {
    snQuad quad = J[k];
    row[4 * k] = sn_mulAdd(scale, quad.v[0], row[4 * k]);
    row[4 * k + 1] = sn_mulAdd(scale, quad.v[1], row[4 * k + 1]);
    row[4 * k + 2] = sn_mulAdd(scale, quad.v[2], row[4 * k + 2]);
    row[4 * k + 3] = sn_mulAdd(scale, quad.v[3], row[4 * k + 3]);
  }
}

// what multiplies row a of a contact in the cone: (H_c J_c)_a of this lane's dof
static inline snReal coneScale(const snPrimal* p, int r, int a, int lane) {
  const snContact* con = p->rows.contact + p->rows.id[r];
  int dim = con->dim, width = 4 * p->dense.side;
  const snReal* J = (const snReal*)p->dense.J + r * width + lane;
  snReal sum = 0;
  SN_PLAIN_LOOP
  for (int c = 0; c < dim; c++) sum = sn_mulAdd(con->H[a * dim + c], J[c * width], sum);
  return sum;
}

// the rows that count
SN_KERNEL void addRows(const snPrimal* p, snReal* row, const snQuad* J, int lane, int width) {
  const snReal* weight = SN_FAST(const snReal, p->dense.weight);
  int nefc = p->rows.nefc;
  SN_PLAIN_LOOP
  for (int r = 0; r < nefc; r++, J += width / 4) {
    snReal w = weight[r];
    if (w == 0) continue;
    if (w > 0) {
      addRow(row, w * ((const snReal*)J)[lane], J, width);
      continue;
    }
    int dim = p->rows.contact[p->rows.id[r]].dim;
    SN_PLAIN_LOOP
    for (int a = 0; a < dim; a++) {
      addRow(row, coneScale(p, r, a, lane), J + a * (width / 4), width);
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

// What a lane has while columns are eliminated.
typedef struct Elimination_ {
  int lane;
  int ahead;       // its dof less the column
  int n;           // dofs from the column on
  snReal inverse;  // of its pivot
  snReal rhs;      // its number of the right-hand side, which is eliminated along
  snReal* column;  // where the column is kept
} Elimination;

// some columns, with the given width of rows
SN_KERNEL void eliminate(Elimination* e, snReal* row, int columns, int width) {
  SN_PLAIN_LOOP
  for (; columns > 0; columns--) {
    if ((unsigned)e->ahead < (unsigned)e->n) e->column[e->ahead] = row[0];
    sn_warpSync();
    const snQuad* column = (const snQuad*)e->column;
    snQuad y = column[0];
    snReal inverse = sn_invertPivot(y.v[0]);
    if (e->ahead == 0) e->inverse = inverse;
    snReal scale = -row[0] * inverse;
    snReal above = sn_warpFrom(e->rhs, e->lane - e->ahead);
    if (e->ahead > 0) e->rhs = sn_mulAdd(scale, above, e->rhs);
    row[0] = sn_mulAdd(scale, y.v[1], row[1]);
    row[1] = sn_mulAdd(scale, y.v[2], row[2]);
    row[2] = sn_mulAdd(scale, y.v[3], row[3]);
    SN_UNROLL
    for (int k = 1; k < width / 4; k++) {
      y = column[k];
      row[4 * k - 1] = sn_mulAdd(scale, y.v[0], row[4 * k]);
      row[4 * k] = sn_mulAdd(scale, y.v[1], row[4 * k + 1]);
      row[4 * k + 1] = sn_mulAdd(scale, y.v[2], row[4 * k + 2]);
      row[4 * k + 2] = sn_mulAdd(scale, y.v[3], row[4 * k + 3]);
    }
    e->ahead--;
    e->n--;
    e->column += width;
  }
}

// The Hessian, its factor and half of the solution; returns what is left to solve with L'.
static SN_OUTLINE snReal factorLanes(const snPrimal* p, snReal rhs) {
  int width = 4 * p->dense.side, lane = SN_LANE, own = lane < width ? lane : 0;
  snReal row[W0];
  Elimination e = {lane, lane, p->nv, 0, rhs, SN_FAST(snReal, p->dense.factor)};
  if (width == W0) {
    assembleRow(p, row, own, W0);
    eliminate(&e, row, N0, W0);
  } else if (width == W1) {
    assembleRow(p, row, own, W1);
  } else if (width == W2) {
    assembleRow(p, row, own, W2);
  } else {
    assembleRow(p, row, own, W3);
  }
  if (width >= W1) eliminate(&e, row, N1, W1);
  if (width >= W2) eliminate(&e, row, N2, W2);
  eliminate(&e, row, e.n, W3);
  if (lane < p->nv) SN_FAST(snReal, p->dense.inverse)[lane] = e.inverse;
  return e.rhs;
}

// ---- solve ---------------------------------------------------------------------------------------

// x <- x - Y z over the columns, where z = x / D
static SN_OUTLINE snReal solveColumns(const snPrimal* p, snReal x) {
  int width = 4 * p->dense.side, nv = p->nv, lane = SN_LANE, own = lane < nv ? lane : 0;
  snReal inverse = SN_FAST(snReal, p->dense.inverse)[own];
  const snReal* y = SN_FAST(const snReal, p->dense.factor) + own;
  SN_PLAIN_LOOP
  for (int j = 0; j < nv; j++) {
    snReal z = sn_warpFrom(x * inverse, j);
    if (own > j) x = sn_mulAdd(-*y, z, x);
    int left = width - j;
    y += (left > W1 ? W0 : left > W2 ? W1 : left > W3 ? W2 : W3) - 1;
  }
  return x;
}

// the rest, row by row of Y'
static SN_OUTLINE snReal solveRows(const snPrimal* p, snReal x) {
  int nv = p->nv, lane = SN_LANE, own = lane < nv ? lane : 0, shift = W0 - 4 * p->dense.side;
  snReal inverse = SN_FAST(snReal, p->dense.inverse)[own];
  const snReal* y = SN_FAST(const snReal, p->dense.factor);
  y += columnStart(own + shift) - columnStart(shift) - own + nv - 1;
  SN_UNROLL4
  for (int i = nv - 1; i > 0; i--, y--) {
    snReal z = sn_warpFrom(x * inverse, i);
    if (own < i) x = sn_mulAdd(-*y, z, x);
  }
  return x * inverse;
}

void sn_lanesDirection(snPrimal* p, int fresh) {
  int nv = p->nv, lane = SN_LANE, own = lane < nv ? lane : 0;
  snReal x = SN_FAST(snReal, p->grad)[own];
  int stale = p->dense.plain && !fresh ? p->dense.stale : weighRows(p, fresh);
  if (stale) {
    x = factorLanes(p, x);
    sn_warpSync();
  } else {
    x = solveColumns(p, x);
  }
  x = solveRows(p, x);
  if (lane < nv) SN_FAST(snReal, p->search)[lane] = -x;
  sn_warpSync();
}

// ---- rows of lanes -------------------------------------------------------------------------------

// The rows of a plain problem: one-sided or equalities, at most two of a lane.
enum { ROWS = 2 };

// Step along search: acceleration, residuals, states, forces, cost and gradient.
SN_OUTLINE void sn_lanesMove(snPrimal* p, snReal alpha) {
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
  snReal rest = Ma - p->frc_smooth[own], gauss = (snReal)0.5 * rest * (acc - p->acc_smooth[own]);
  sn_warpSync();
  const snReal* J = SN_FAST(const snReal, p->dense.J) + own;
  snReal sum = 0;
  SN_UNROLL4
  for (int r = 0; r < nefc; r++, J += width) sum = sn_mulAdd(*J, v[r], sum);
  if (lane < nv) {
    p->acc[lane] = acc;
    p->Ma[lane] = Ma;
    p->frc_constraint[lane] = sum;
    SN_FAST(snReal, p->grad)[lane] = rest - sum;
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
  int nv = p->nv, nefc = p->rows.nefc, ne = p->rows.ne, lane = SN_LANE, own = lane < nv ? lane : 0;
  int side = p->dense.side;
  const snQuad* search = SN_FAST(const snQuad, p->dense.search);
  const snQuad *J = SN_FAST(const snQuad, p->dense.J), *M = p->dense.M + own * side;
  snReal *v = SN_FAST(snReal, p->v), s = ((const snReal*)search)[own], Ms, c0 = 0, e1 = 0, e2 = 0;
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
        c0 += Dr * xr * xr;
        e1 += Dr * xr * vr;
        e2 += Dr * vr * vr;
        Dr = 0;
      }
    }
    line->x[k] = xr, line->v[k] = vr, line->D[k] = Dr;
  }
  snReal c1 = lane < nv ? s * (p->Ma[own] - p->frc_smooth[own]) : 0, c2 = lane < nv ? s * Ms : 0;
  snReal square = lane < nv ? s * s : 0;
  c1 += e1, c2 += e2;
  sn_teamSum3(&c1, &c2, &square);
  if (ne) c0 = sn_teamSum(c0);
  line->quad[0] = p->gauss + (snReal)0.5 * c0;
  line->quad[1] = c1;
  line->quad[2] = (snReal)0.5 * c2;
  line->square = square;
}
