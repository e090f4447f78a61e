// Dense factor H = L D L' and solution of H x = b by a team that has a lane for each dof: lane i holds row i of H in
// registers.
//
// H is eliminated column by column. In column j lane i stores its entry of Y = L D to fast memory and subtracts
// Y(i,j) / D(j) times row j from its row. Rows above the pivot take part as well (Gauss-Jordan), because their lanes
// would otherwise wait. In single precision the right-hand side that is eliminated along with the matrix then needs
// no solve with L'. Further right-hand sides are solved with the columns of Y.
//
// Registers cannot be indexed at run time. After each column the row is therefore shifted by one register, so that the
// current column is always register 0 and the loop over columns need not be unrolled. The number of registers that an
// elimination updates (the window) shrinks in four steps, as fewer columns are left: code for every width would
// be long. Column j of Y begins with its pivot and is as long as the window at column j.

#ifndef SINEW_ENGINE_LANES_ELIMINATION_H_
#define SINEW_ENGINE_LANES_ELIMINATION_H_

#include "base/assert.h"
#include "engine/solve/kernel.h"
#include "engine/solve/solver.h"

// Eliminating above the pivot amplifies rounding errors by the condition of the matrix. Single precision, whose
// iterations stop at 1e-6, can afford that; double precision solves with L' instead.
enum { snJORDAN = sizeof(snReal) == 4 };

// The four widths of the window, and how many columns are eliminated with each. SN_WIDTHS(DO, x): DO(width, x) for all.
#define SN_WIDTHS(DO, x) DO(32, x) DO(28, x) DO(20, x) DO(12, x)
enum { W0 = 32, W1 = 28, W2 = 20, W3 = 12, N0 = W0 - W1, N1 = W1 - W2, N2 = W2 - W3 };
enum { END0 = N0 * W0, END1 = END0 + N1 * W1, END2 = END1 + N2 * W2, END3 = END2 + W3 * W3 };

// smallest width that holds nv dofs
static inline int sn_windowWidth(int nv) { return nv > W1 ? W0 : nv > W2 ? W1 : nv > W3 ? W2 : W3; }

// where column number j of 32 begins
static inline int sn_windowColumn(int j) {
  if (j >= N0 + N1 + N2) return END2 + W3 * (j - N0 - N1 - N2);
  if (j >= N0 + N1) return END1 + W2 * (j - N0 - N1);
  return j >= N0 ? END0 + W1 * (j - N0) : W0 * j;
}

// size of Y for a matrix of that width
static inline int sn_windowSize(int width) { return END3 - sn_windowColumn(W0 - width); }

// row += scale times a row of J
SN_KERNEL void sn_windowAdd(snReal* row, snReal scale, const snQuad* J, int width) {
  SN_UNROLL
  for (int k = 0; k < width / 4; k++) {
    snQuad quad = J[k];
    SN_UNROLL
    for (int c = 0; c < 4; c++) row[4 * k + c] = sn_mulAdd(scale, quad.v[c], row[4 * k + c]);
  }
}

// What a lane holds while columns are eliminated.
typedef struct snWindow_ {
  int lane;
  int ahead;       // lane - j, where j is the current column
  int n;           // columns that are left, j included
  snReal inverse;  // 1 / D(lane)
  snReal rhs;      // b(lane), which is eliminated along with H; at the end x(lane)
  snReal* column;  // where column j of Y is stored
} snWindow;

// Eliminates some columns with a window of the given width.
SN_KERNEL void sn_windowEliminate(snWindow* e, snReal* row, int columns, int width) {
  SN_ASSERT(width == W0 || width == W1 || width == W2 || width == W3);
  SN_ASSERT(columns <= e->n || e->n <= 0);
  SN_PLAIN_LOOP
  for (; columns > 0; columns--) {
    if ((unsigned)e->ahead < (unsigned)e->n) e->column[e->ahead] = row[0];
    sn_warpSync();
    const snQuad* column = (const snQuad*)e->column;
    snQuad y = column[0];
    snReal inverse = sn_invertPivot(y.v[0]);
    if (e->ahead == 0) e->inverse = inverse;
    snReal scale = e->ahead ? -row[0] * inverse : 0;
    snReal above = snJORDAN || e->ahead > 0 ? scale : 0;
    e->rhs = sn_mulAdd(above, sn_warpFrom(e->rhs, e->lane - e->ahead), e->rhs);
    SN_UNROLL
    for (int c = 1; c < 4; c++) row[c - 1] = sn_mulAdd(scale, y.v[c], row[c]);
    SN_UNROLL
    for (int k = 1; k < width / 4; k++) {
      y = column[k];
      SN_UNROLL
      for (int c = 0; c < 4; c++) {
        row[4 * k + c - 1] = sn_mulAdd(scale, y.v[c], row[4 * k + c]);
      }
    }
    e->ahead--;
    e->n--;
    e->column += width;
  }
}

// Forward substitution, x <- L^-1 x: column j subtracts Y(i,j) x(j) / D(j).
SN_KERNEL snReal sn_windowSolveColumns(const snReal* factor, snReal inverse, snReal x, int nv,
                                       int width, int lane) {
  SN_ASSERT(nv <= width && width <= W0);
  int own = lane < nv ? lane : 0;
  const snReal* y = factor + own;
  SN_PLAIN_LOOP
  for (int j = 0; j < nv; j++) {
    snReal z = sn_warpFrom(x * inverse, j);
    if (own > j) x = sn_mulAdd(-*y, z, x);
    y += sn_windowWidth(width - j) - 1;
  }
  return x;
}

// Back substitution, x <- L'^-1 D^-1 x, row by row of Y'.
SN_KERNEL snReal sn_windowSolveRows(const snReal* factor, snReal inverse, snReal x, int nv,
                                    int width, int lane) {
  SN_ASSERT(nv <= width && width <= W0);
  int own = lane < nv ? lane : 0, shift = W0 - width;
  const snReal* y = factor + sn_windowColumn(own + shift) - sn_windowColumn(shift) - own + nv - 1;
  x *= inverse;
  SN_UNROLL4
  for (int i = nv - 1; i > 0; i--, y--) {
    snReal z = sn_warpFrom(x, i);
    if (own < i) x = sn_mulAdd(-*y * inverse, z, x);
  }
  return x;
}

// Factor the matrix, from a row of the given width; the right-hand side becomes the solution.
SN_KERNEL void sn_windowFactor(snWindow* e, snReal* row, int width) {
  SN_ASSERT(e->n <= width && e->ahead == e->lane);
  const snReal* factor = e->column;
  int n = e->n;
  if (width == W0) sn_windowEliminate(e, row, N0, W0);
  if (width >= W1) sn_windowEliminate(e, row, N1, W1);
  if (width >= W2) sn_windowEliminate(e, row, N2, W2);
  sn_windowEliminate(e, row, e->n, W3);
  if (snJORDAN) {
    e->rhs *= e->inverse;
  } else {
    sn_warpSync();
    e->rhs = sn_windowSolveRows(factor, e->inverse, e->rhs, n, width, e->lane);
  }
}

#endif  // SINEW_ENGINE_LANES_ELIMINATION_H_
