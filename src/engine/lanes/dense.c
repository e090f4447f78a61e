// The Hessian of Newton's method for a team of lanes: dense Cholesky (L D L') in tiles of 4 x 4.
//
// Register tiling: a lane holds a tile, and loads and stores a row of it (four numbers, snQuad) at once. The size of the
// matrix is rounded up to whole tiles, and only tiles of the lower triangle are stored. Row a of tile number t is quad
// t + a tiles: lanes with tiles that follow one another then load from all banks of fast memory, and row 4 I + a of the
// matrix is contiguous. The part M + J' D J of the active rows is kept beside H, in global memory: rows
// are added to it and removed from it as their states change.
//
// H = L D L' is factored from the first column of tiles on. Below the diagonal tiles Y = L D is stored instead of L,
// because neither the factor nor the solves need L there. A diagonal tile becomes a pivot: its factor L and 1/D. Every
// lane factors it for itself, which takes no longer than waiting for another lane.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/solve/kernel.h"
#include "engine/solve/solver.h"
#include "math/math.h"

// most tiles along a side (above, the sparse factor is used); loads that a lane has in flight
enum { MAX_SIDE = 32, AHEAD = 8 };

// Cancellation: a diagonal entry that is smaller than this fraction of what was subtracted has lost its digits.
static const snReal LOST = sizeof(snReal) == 4 ? (snReal)1e-3 : (snReal)1e-6;

static inline int tileOf(int I, int J) { return I * (I + 1) / 2 + J; }

// ---- memory -------------------------------------------------------------------------------------

// corner[t]: row and column of tile number t; tiles are counted row by row of the lower triangle.
static void listCorners(snDense* H) {
  SN_FOR(t, H->tiles) {
    int row = 0, before = 0;
    for (; before + row < t; row++) before += row + 1;
    H->corner[t] = row << 16 | (t - before);
  }
}

// Rows of J, padded with zeros to `width`, from the dense layout.
static void copyRows(snReal* dense, const snReal* J, int nefc, int nv, int width) {
  SN_PLAIN_LOOP
  for (int first = SN_LANE, lanes = SN_LANES; first < nefc * width; first += AHEAD * lanes) {
    snReal part[AHEAD];
    SN_UNROLL
    for (int k = 0; k < AHEAD; k++) {
      int place = first + k * lanes, r = place / width, j = place - r * width;
      part[k] = r < nefc && j < nv ? J[r * nv + j] : 0;
    }
    SN_UNROLL
    for (int k = 0; k < AHEAD; k++) {
      if (first + k * lanes < nefc * width) dense[first + k * lanes] = part[k];
    }
  }
}

// The same from sparse rows: lane i takes entry i of several rows at once.
static void spreadSparse(snReal* dense, const snRows* J, int nefc, int width) {
  enum { ROWS = 4 };
  SN_FOR(k, nefc * width) dense[k] = 0;
  SN_SYNC();
  for (int first = 0; first < nefc; first += ROWS) {
    int longest = 0, nnz[ROWS], adr[ROWS];
    SN_UNROLL
    for (int k = 0; k < ROWS; k++) {
      int r = first + k < nefc ? first + k : nefc - 1;
      nnz[k] = first + k < nefc ? J->nnz[r] : 0;
      adr[k] = J->adr[r];
    }
    SN_UNROLL
    for (int k = 0; k < ROWS; k++) longest = nnz[k] > longest ? nnz[k] : longest;
    SN_FOR(i, longest) {
      snReal value[ROWS];
      int column[ROWS];
      SN_UNROLL
      for (int k = 0; k < ROWS; k++) {
        column[k] = i < nnz[k] ? J->col[adr[k] + i] : -1;
        value[k] = i < nnz[k] ? J->value[adr[k] + i] : 0;
      }
      SN_UNROLL
      for (int k = 0; k < ROWS; k++) {
        if (column[k] >= 0) dense[(first + k) * width + column[k]] = value[k];
      }
    }
  }
}

static void spreadRows(const snPrimal* p) {
  int nefc = p->rows.nefc, width = 4 * p->dense.side;
  snReal* dense = (snReal*)p->dense.J;
  if (!sn_isSparse(p->m) && p->J.value == p->d->efc_Js && p->nv == (int)p->m->nv) {
    copyRows(dense, p->d->efc_J, nefc, p->nv, width);
  } else {
    spreadSparse(dense, &p->J, nefc, width);
  }
}

// The inertia matrix as a dense square; the identity in the padding.
static void spreadInertia(const snPrimal* p) {
  const snReal* M = p->M;
  const int* colind = p->M_colind;
  snReal* dense = (snReal*)p->dense.M;
  int width = 4 * p->dense.side, nv = p->nv;
  SN_FOR(k, width * width) dense[k] = 0;
  SN_SYNC();
  SN_FOR(i, width) {
    if (i >= nv) {
      dense[i * width + i] = 1;
      continue;
    }
    int adr = p->M_rowadr[i], end = adr + p->M_rownnz[i];
    SN_PLAIN_LOOP
    for (; adr < end; adr += AHEAD) {
      snReal value[AHEAD];
      int column[AHEAD];
      SN_UNROLL
      for (int k = 0; k < AHEAD; k++) {
        int own = adr + k < end ? adr + k : end - 1;
        column[k] = colind[own];
        value[k] = M[own];
      }
      SN_UNROLL
      for (int k = 0; k < AHEAD; k++) {
        if (adr + k < end) {
          dense[i * width + column[k]] = dense[column[k] * width + i] = value[k];
        }
      }
    }
  }
}

int sn_denseFits(int nv) { return (nv + 3) / 4 <= MAX_SIDE; }

int sn_denseAllocate(snPrimal* p) {
  SN_ASSERT(p->nv > 0 && p->rows.nefc >= 0);
  snDense* H = &p->dense;
  int nefc = p->rows.nefc, nv = p->nv, side = (nv + 3) / 4, tiles = tileOf(side, 0);
  if (!sn_denseFits(nv)) return 0;
  // what is read most comes first: fast memory may not hold all of them
  snQuad* quads = SN_STACK(p->d, snQuad, 4 * tiles + 6 * side + (2 * nv + 2 * nefc + 3) / 4);
  int* ints = SN_STACK(p->d, int, tiles + 3 * nefc);
  H->J = SN_STACK(p->d, snQuad, nefc * side);
  H->quadratic = SN_STACK(p->d, snQuad, 4 * tiles);
  H->M = SN_STACK(p->d, snQuad, 4 * side * side);
  if (!quads || !ints || !H->J || !H->quadratic || !H->M) return 0;
  H->side = side, H->tiles = tiles;
  H->H = quads;
  H->pivot = H->H + 4 * tiles;
  H->y = H->pivot + 3 * side;
  H->x = H->y + side;
  H->search = H->x + side;
  snReal *reals = (H->search + side)->v, *D = reals + 2 * nv + nefc;
  p->grad = p->gradold = reals;
  p->Ms = reals + nv;
  p->v = reals + 2 * nv;
  p->search = H->search->v;
  p->Mgrad = p->Mgradold = H->x->v;
  p->oldstate = ints;
  H->corner = ints + nefc;
  H->changed = H->corner + tiles;
  H->cones = H->changed + nefc;
  listCorners(H);
  spreadInertia(p);
  spreadRows(p);
  SN_FOR(r, nefc) D[r] = p->rows.D[r];
  SN_FOR(k, 4 * side) p->search[k] = 0;
  SN_SYNC();
  p->rows.D = D;
  return 1;
}

// ---- products -----------------------------------------------------------------------------------

// res = (the first `count` of the rows) times the search direction
static SN_OUTLINE void mulSearch(const snPrimal* p, snReal* res, const snQuad* rows, int count) {
  SN_ASSERT(p->dense.side > 0 && p->search == p->dense.search->v);
  int side = p->dense.side;
  const snQuad* search = p->dense.search;
  SN_FOR(r, count) res[r] = sn_dotQuads(rows + r * side, search, side);
  SN_SYNC();
}

void sn_denseMulInertia(const snPrimal* p) { mulSearch(p, p->Ms, p->dense.M, p->nv); }

void sn_denseMulVec(const snPrimal* p) { mulSearch(p, p->v, p->dense.J, p->rows.nefc); }

// frc_constraint = J' force; a lane takes a column of J.
void sn_denseMulTVec(const snPrimal* p) {
  int width = 4 * p->dense.side, nefc = p->rows.nefc;
  const snReal* J = (const snReal*)p->dense.J;
  snReal* force = p->v;  // no longer needed
  SN_FOR(r, nefc) force[r] = p->force[r];
  SN_SYNC();
  SN_FOR(j, p->nv) {
    const snReal* column = J + j;
    snReal even = 0, odd = 0;
    int r = 0;
    SN_UNROLL4
    for (; r + 2 <= nefc; r += 2, column += 2 * width) {
      even = sn_mulAdd(column[0], force[r], even);
      odd = sn_mulAdd(column[width], force[r + 1], odd);
    }
    if (r < nefc) even = sn_mulAdd(column[0], force[r], even);
    p->frc_constraint[j] = even + odd;
  }
  SN_SYNC();
}

// ---- tiles --------------------------------------------------------------------------------------

static inline void loadTile(snReal tile[16], const snQuad* from, int stride) {
  for (int a = 0; a < 4; a++) {
    snQuad row = from[a * stride];
    for (int b = 0; b < 4; b++) tile[4 * a + b] = row.v[b];
  }
}

static inline void storeTile(const snReal tile[16], snQuad* to, int stride) {
  for (int a = 0; a < 4; a++) {
    snQuad row;
    for (int b = 0; b < 4; b++) row.v[b] = tile[4 * a + b];
    to[a * stride] = row;
  }
}

// tile += scale left' right
static inline void addOuter(snReal tile[16], snReal scale, snQuad left, snQuad right) {
  for (int a = 0; a < 4; a++) {
    snReal s = scale * left.v[a];
    for (int b = 0; b < 4; b++) tile[4 * a + b] = sn_mulAdd(s, right.v[b], tile[4 * a + b]);
  }
}

// ---- assembly -----------------------------------------------------------------------------------

// How many rows entered or left the quadratic state (listed in dense.changed, those that left as ~row); contacts in the
// cone zone (dense.cones: their first rows); and whether there were such contacts before.
typedef struct Changes_ {
  int nchanged, ncone, wascone;
} Changes;

static SN_OUTLINE Changes listChanges(const snPrimal* p, int fresh) {
  Changes changes = {0, 0, 0};
  for (int base = 0; base < p->rows.nefc; base += SN_LANES) {
    int i = base + SN_LANE, change = 0, cone = 0, wascone = 0, all;
    if (i < p->rows.nefc) {
      int now = p->state[i], before = fresh ? snCNSTRSTATE_SATISFIED : p->oldstate[i];
      change = (now == snCNSTRSTATE_QUADRATIC) - (before == snCNSTRSTATE_QUADRATIC);
      cone = now == snCNSTRSTATE_CONE && sn_beginsContact(&p->rows, i);
      wascone = before == snCNSTRSTATE_CONE;
    }
    int at = sn_teamScan((change != 0) | cone << 8 | wascone << 16, &all);
    SN_ASSERT(SN_LANES < 256);
    if (change) p->dense.changed[changes.nchanged + (at & 255)] = change > 0 ? i : ~i;
    if (cone) p->dense.cones[changes.ncone + ((at >> 8) & 255)] = i;
    changes.nchanged += all & 255;
    changes.ncone += (all >> 8) & 255;
    changes.wascone |= all >> 16;
  }
  SN_SYNC();
  return changes;
}

// tile (I, J) += D J'J of the rows that became active, -= that of rows which no longer are. Returns whether a diagonal
// entry has lost its digits by cancellation.
static inline int addChangedRows(const snPrimal* p, int count, int I, int J, snReal tile[16]) {
  SN_ASSERT(count <= p->rows.nefc && J <= I && I < p->dense.side);
  const snDense* H = &p->dense;
  const snReal* D = p->rows.D;
  snReal removed[4] = {0, 0, 0, 0};
  SN_UNROLL4
  for (int k = 0; k < count; k++) {
    int r = H->changed[k], goes = r < 0;
    if (goes) r = ~r;
    SN_ASSERT_INDEX(r, p->rows.nefc);
    snReal weight = goes ? -D[r] : D[r];
    snQuad left = H->J[r * H->side + I];
    addOuter(tile, weight, left, H->J[r * H->side + J]);
    SN_UNROLL
    for (int a = 0; a < 4; a++) {
      removed[a] = snu_max(removed[a], -weight * left.v[a] * left.v[a]);
    }
  }
  int lost = 0;
  for (int a = 0; a < 4; a++) lost |= tile[5 * a] < LOST * removed[a];
  return I == J && lost;
}

// tile (I, J) += J_c' H_c J_c of the contacts in the cone zone
static inline void addCones(const snPrimal* p, int count, int I, int J, snReal tile[16]) {
  const snDense* H = &p->dense;
  for (int k = 0; k < count; k++) {
    int r = H->cones[k];
    SN_ASSERT_PART(r, p->rows.contact[p->rows.id[r]].dim, p->rows.nefc);
    const snContact* con = p->rows.contact + p->rows.id[r];
    int dim = con->dim;
    for (int a = 0; a < dim; a++) {
      snQuad product;
      for (int b = 0; b < 4; b++) product.v[b] = 0;
      for (int c = 0; c < dim; c++) {
        snQuad right = H->J[(r + c) * H->side + J];
        snReal h = con->H[a * dim + c];
        for (int b = 0; b < 4; b++) product.v[b] = sn_mulAdd(h, right.v[b], product.v[b]);
      }
      addOuter(tile, 1, H->J[(r + a) * H->side + I], product);
    }
  }
}

// Updates the quadratic part M + J' D J (fresh: builds it from M), and writes the Hessian to H. Returns 0 when digits
// were lost.
static SN_OUTLINE int assembleTiles(const snPrimal* p, Changes changes, int fresh) {
  const snDense* H = &p->dense;
  int lost = 0, tiles = H->tiles;
  SN_FOR(t, tiles) {
    int I = H->corner[t] >> 16, J = H->corner[t] & 0xffff;
    snReal tile[16];
    if (fresh) {
      loadTile(tile, H->M + 4 * I * H->side + J, H->side);
    } else {
      loadTile(tile, H->quadratic + t, tiles);
    }
    lost |= addChangedRows(p, changes.nchanged, I, J, tile);
    storeTile(tile, H->quadratic + t, tiles);
    addCones(p, changes.ncone, I, J, tile);
    storeTile(tile, H->H + t, tiles);
  }
  SN_SYNC();
  return !sn_teamAny(lost);
}

// ---- factor -------------------------------------------------------------------------------------

// The factor of a diagonal tile, in three quads: L below its diagonal, and 1/D.
typedef struct Pivot_ {
  alignas(4 * sizeof(snReal)) snReal l10;
  snReal l20, l21, l30, l31, l32, unused[2];
  snReal inverse[4];
} Pivot;

static inline Pivot factorTile(const snReal h[16]) {
  Pivot p;
  p.unused[0] = p.unused[1] = 0;
  p.inverse[0] = sn_invertPivot(h[0]);
  p.l10 = h[4] * p.inverse[0];
  p.l20 = h[8] * p.inverse[0];
  p.l30 = h[12] * p.inverse[0];
  snReal y21 = sn_mulAdd(-p.l10, h[8], h[9]), y31 = sn_mulAdd(-p.l10, h[12], h[13]);
  p.inverse[1] = sn_invertPivot(sn_mulAdd(-p.l10, h[4], h[5]));
  p.l21 = y21 * p.inverse[1];
  p.l31 = y31 * p.inverse[1];
  snReal y32 = sn_mulAdd(-p.l21, y31, sn_mulAdd(-p.l20, h[12], h[14]));
  p.inverse[2] = sn_invertPivot(sn_mulAdd(-p.l21, y21, sn_mulAdd(-p.l20, h[8], h[10])));
  p.l32 = y32 * p.inverse[2];
  p.inverse[3] = sn_invertPivot(
      sn_mulAdd(-p.l32, y32, sn_mulAdd(-p.l31, y31, sn_mulAdd(-p.l30, h[12], h[15]))));
  return p;
}

// y <- L^-1 y with the factor of a diagonal tile; solveUpper: y <- L'^-1 y
static inline void solveLower(const Pivot* p, snReal y[4]) {
  y[1] = sn_mulAdd(-p->l10, y[0], y[1]);
  y[2] = sn_mulAdd(-p->l21, y[1], sn_mulAdd(-p->l20, y[0], y[2]));
  y[3] = sn_mulAdd(-p->l32, y[2], sn_mulAdd(-p->l31, y[1], sn_mulAdd(-p->l30, y[0], y[3])));
}

static inline void solveUpper(const Pivot* p, snReal y[4]) {
  y[2] = sn_mulAdd(-p->l32, y[3], y[2]);
  y[1] = sn_mulAdd(-p->l21, y[2], sn_mulAdd(-p->l31, y[3], y[1]));
  y[0] = sn_mulAdd(-p->l10, y[1], sn_mulAdd(-p->l20, y[2], sn_mulAdd(-p->l30, y[3], y[0])));
}

// tile -= left D^-1 right'
static inline void subProduct(snReal tile[16], const snReal left[16], const snReal inverse[4],
                              const snReal right[16]) {
  for (int a = 0; a < 4; a++) {
    for (int k = 0; k < 4; k++) {
      snReal s = -left[4 * a + k] * inverse[k];
      for (int b = 0; b < 4; b++) {
        tile[4 * a + b] = sn_mulAdd(s, right[4 * b + k], tile[4 * a + b]);
      }
    }
  }
}

// For each column of tiles: factor the diagonal tile, scale the tiles below it, update all tiles right of it.
static SN_OUTLINE void factor(const snDense* H) {
  int side = H->side, tiles = H->tiles, lane = SN_LANE;
  const int* corner = H->corner;
  Pivot* pivots = (Pivot*)H->pivot;
  SN_PLAIN_LOOP
  for (int first = 0; first < side; first++) {
    int below = side - first - 1;
    snReal tile[16], left[16], right[16];
    loadTile(tile, H->H + tileOf(first, first), tiles);
    Pivot pivot = factorTile(tile);
    if (lane == 0) pivots[first] = pivot;

    SN_FOR(a, below) {
      snQuad* place = H->H + tileOf(first + 1 + a, first);
      loadTile(tile, place, tiles);
      for (int i = 0; i < 4; i++) solveLower(&pivot, tile + 4 * i);
      storeTile(tile, place, tiles);
    }
    SN_SYNC();
    SN_FOR(t, tileOf(below, 0)) {
      int row = first + 1 + (corner[t] >> 16), column = first + 1 + (corner[t] & 0xffff);
      snQuad* place = H->H + tileOf(row, column);
      loadTile(left, H->H + tileOf(row, first), tiles);
      loadTile(right, H->H + tileOf(column, first), tiles);
      loadTile(tile, place, tiles);
      subProduct(tile, left, pivot.inverse, right);
      storeTile(tile, place, tiles);
    }
    SN_SYNC();
  }
}

// ---- entries for solve/primal.c -----------------------------------------------------------------

void sn_denseHessian(snPrimal* p, int fresh) {
  SN_ASSERT(SN_LANES > 1 && p->dense.H && p->dense.corner);
  Changes changes = listChanges(p, fresh);
  if (!fresh && !changes.nchanged && !changes.ncone && !changes.wascone) return;
  if (!assembleTiles(p, changes, fresh)) assembleTiles(p, listChanges(p, 1), 1);
  factor(&p->dense);
}

// row i of the lower triangle
static inline const snReal* rowOf(const snDense* H, int i) {
  return (const snReal*)(H->H + (i & 3) * H->tiles + tileOf(i >> 2, 0));
}

// y = D^-1 L^-1 x, tile by tile; x is overwritten.
static void solveDown(const snDense* H) {
  const Pivot* pivots = (const Pivot*)H->pivot;
  int width = 4 * H->side;
  SN_PLAIN_LOOP
  for (int first = 0; first < width; first += 4) {
    Pivot pivot = pivots[first / 4];
    snQuad part = H->x[first / 4];
    solveLower(&pivot, part.v);
    for (int k = 0; k < 4; k++) part.v[k] *= pivot.inverse[k];
    if (SN_LANE == 0) H->y[first / 4] = part;
    SN_FOR(k, width - first - 4) {
      int i = first + 4 + k;
      snQuad row = *(const snQuad*)(rowOf(H, i) + first);
      ((snReal*)H->x)[i] -= sn_mulAdd(row.v[0], part.v[0], row.v[1] * part.v[1]) +
                            sn_mulAdd(row.v[2], part.v[2], row.v[3] * part.v[3]);
    }
    SN_SYNC();
  }
}

// x = L'^-1 y
static void solveUp(const snDense* H) {
  const snReal* inverses = (const snReal*)(H->pivot + 2);
  snReal* before = (snReal*)H->y;
  SN_PLAIN_LOOP
  for (int n = 4 * H->side - 4; n >= 0; n -= 4) {
    const snReal* row[4];
    for (int a = 0; a < 4; a++) row[a] = rowOf(H, n + a);
    Pivot pivot = ((const Pivot*)H->pivot)[n / 4];
    snQuad part = H->y[n / 4];
    solveUpper(&pivot, part.v);
    if (SN_LANE == 0) H->x[n / 4] = part;
    SN_FOR(j, n) {
      snReal sum = sn_mulAdd(row[0][j], part.v[0], row[1][j] * part.v[1]) +
                   sn_mulAdd(row[2][j], part.v[2], row[3][j] * part.v[3]);
      before[j] = sn_mulAdd(-inverses[12 * (j >> 2) + (j & 3)], sum, before[j]);
    }
    SN_SYNC();
  }
}

void sn_denseSolve(const snPrimal* p, const snReal* rhs) {
  SN_ASSERT(SN_LANES > 1 && 4 * p->dense.side >= p->nv);
  SN_FOR(i, 4 * p->dense.side)((snReal*)p->dense.x)[i] = i < p->nv ? rhs[i] : 0;
  SN_SYNC();
  solveDown(&p->dense);
  solveUp(&p->dense);
}
