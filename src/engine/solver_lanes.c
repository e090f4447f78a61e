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
  SN_ROLL
  for (int c = 0; c < dim; c++) sum = sn_mulAdd(con->H[a * dim + c], J[c * width], sum);
  return sum;
}

// the rows that count
SN_KERNEL void addRows(const snPrimal* p, snReal* row, const snQuad* J, int lane, int width) {
  const snReal* weight = SN_FAST(const snReal, p->dense.weight);
  int nefc = p->rows.nefc;
  SN_ROLL
  for (int r = 0; r < nefc; r++, J += width / 4) {
    snReal w = weight[r];
    if (w == 0) continue;
    if (w > 0) {
      addRow(row, w * ((const snReal*)J)[lane], J, width);
      continue;
    }
    int dim = p->rows.contact[p->rows.id[r]].dim;
    SN_ROLL
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
  int ahead;       // its dof less the column
  int n;           // dofs from the column on
  snReal inverse;  // of its pivot
  snReal* column;  // where the column is kept
} Elimination;

// some columns, with the given width of rows
SN_KERNEL void eliminate(Elimination* e, snReal* row, int columns, int width) {
  SN_ROLL
  for (; columns > 0; columns--) {
    if ((unsigned)e->ahead < (unsigned)e->n) e->column[e->ahead] = row[0];
    sn_warpSync();
    const snQuad* column = (const snQuad*)e->column;
    snQuad y = column[0];
    snReal inverse = sn_invertPivot(y.v[0]);
    if (e->ahead == 0) e->inverse = inverse;
    snReal scale = -row[0] * inverse;
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

static SN_OUTLINE void factorLanes(const snPrimal* p) {
  int width = 4 * p->dense.side, lane = SN_LANE, own = lane < width ? lane : 0;
  snReal row[W0];
  Elimination e = {lane, p->nv, 0, SN_FAST(snReal, p->dense.factor)};
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
  SN_SYNC();
}

void sn_lanesHessian(snPrimal* p, int fresh) {
  if (weighRows(p, fresh)) factorLanes(p);
}

// ---- solve ---------------------------------------------------------------------------------------

// x <- x - Y z over columns from j to end, where z = x / D; y is the lane's number of column j
SN_KERNEL const snReal* solveColumns(snReal* x, snReal inverse, const snReal* y, int j, int end,
                                     int width, int own) {
  SN_ROLL
  for (; j < end; j++) {
    snReal z = sn_warpFrom(*x * inverse, j);
    if (own > j) *x = sn_mulAdd(-*y, z, *x);
    y += width - 1;
  }
  return y;
}

SN_OUTLINE void sn_lanesSolve(const snPrimal* p, const snReal* rhs) {
  int width = 4 * p->dense.side, nv = p->nv, lane = SN_LANE, own = lane < nv ? lane : 0;
  int shift = W0 - width;
  snReal inverse = SN_FAST(snReal, p->dense.inverse)[own], x = rhs[own];
  const snReal *columns = SN_FAST(const snReal, p->dense.factor), *y = columns + own;
  int j = 0;
  SN_ROLL
  for (int w = width; w > W3;) {
    int next = w == W0 ? W1 : w == W1 ? W2 : W3, end = j + w - next;
    y = solveColumns(&x, inverse, y, j, end, w, own);
    j = end;
    w = next;
  }
  solveColumns(&x, inverse, y, j, nv, W3, own);

  // row i of Y' at a time
  y = columns + columnStart(own + shift) - columnStart(shift) - own;
  SN_ROLL
  for (int i = nv - 1; i > 0; i--) {
    snReal z = sn_warpFrom(x * inverse, i);
    if (own < i) x = sn_mulAdd(-y[i], z, x);
  }
  if (lane < nv) ((snReal*)p->dense.x)[lane] = x * inverse;
  SN_SYNC();
}
