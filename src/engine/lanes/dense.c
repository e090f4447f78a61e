// The Hessian for a team of lanes: dense, in tiles of 4 x 4.
//
// Register tiling: a lane holds a tile, and loads and stores the four numbers of a row of it at once.
// With n rounded up to whole tiles, H is a square by rows. Its lower tiles hold the Hessian and then the
// factor, the upper ones the quadratic part M + sum of D J'J, which follows the states of the rows: tile
// (I, J) lies, as it is, where (J, I) would. The quadratic part of tiles on the diagonal lies apart.
//
// H = L D L' is factored from the first tile on. Below the diagonal Y = L D is kept: neither the
// factor nor the solves need L there. Tiles on the diagonal become pivots: the entries of L below the
// diagonal, and 1/D. Every lane factors them for itself, because waiting for another lane takes as long.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/lanes/elimination.h"
#include "engine/solve/kernel.h"
#include "engine/solve/solver.h"
#include "math/math.h"

// tiles along a side, beyond which the sparse factor of one lane is used
enum { MAX_SIDE = 32 };

// What is left of a diagonal entry, relative to what was removed, has too few digits below this.
static const snReal LOST = sizeof(snReal) == 4 ? (snReal)1e-3 : (snReal)1e-6;

// ---- memory --------------------------------------------------------------------------------------

// tile number t of the lower triangle by rows
static void listCorners(snDense* H, int tiles) {
  SN_FOR(t, tiles) {
    int row = 0, before = 0;
    for (; before + row < t; row++) before += row + 1;
    H->corner[t] = row << 16 | (t - before);
  }
}

// the rows of J with all columns
static void spreadRows(const snPrimal* p) {
  const snData* d = p->d;
  const snRows* J = &p->J;
  snReal* dense = (snReal*)p->dense.J;
  int nefc = p->rows.nefc, nv = p->nv, width = 4 * p->dense.side;
  if (!sn_isSparse(p->m) && p->J.value == d->efc_Js && nv == (int)p->m->nv) {
    SN_FOR(j, width) {
      const snReal* source = d->efc_J + j;
      snReal* target = dense + j;
      for (int r = 0; r < nefc; r++, source += nv, target += width) *target = j < nv ? *source : 0;
    }
  } else {
    SN_FOR(k, nefc * width) dense[k] = 0;
    SN_SYNC();
    for (int r = 0; r < nefc; r++) {
      int adr = J->adr[r];
      SN_FOR(k, J->nnz[r]) dense[r * width + J->col[adr + k]] = J->value[adr + k];
    }
  }
}

// the inertia, and the identity where n was rounded up
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
    for (; adr < end; adr++) {
      int j = colind[adr];
      dense[i * width + j] = dense[j * width + i] = M[adr];
    }
  }
}

int sn_denseFits(int nv) { return (nv + 3) / 4 <= MAX_SIDE; }

// What the tiles take, in quads; NULL: no more than asks for it.
static int placeTiles(snDense* H, snQuad* quads, int side) {
  if (quads) {
    H->H = quads;
    H->diagonal = H->H + 4 * side * side;
    H->pivot = H->diagonal + 4 * side;
    H->y = H->pivot + 3 * side;
  }
  return 4 * side * side + 8 * side;
}

static int placeLanes(snDense* H, snQuad* quads, int side, int nefc) {
  int room = sn_windowSize(4 * side) / 4, rows = (nefc + 3) / 4;
  if (quads) {
    H->factor = quads->v;
    H->inverse = quads[room].v;
    H->weight = quads[room + side].v;
  }
  return room + side + rows;
}

static int allocateDense(snPrimal* p, int lanes) {
  SN_ASSERT(p->nv > 0 && p->rows.nefc >= 0);
  snDense* H = &p->dense;
  int nefc = p->rows.nefc, nv = p->nv;
  int side = (lanes ? sn_windowWidth(nv) : nv + 3) / 4, tiles = side * (side + 1) / 2;
  if (!sn_denseFits(nv)) return 0;
  int first = lanes ? placeLanes(H, NULL, side, nefc) : placeTiles(H, NULL, side);
  // the hottest first: not all may find room in fast memory
  int numbers = 2 * nv + nefc, indices = lanes ? nefc : tiles + 3 * nefc;
  snQuad* quads = SN_STACK(p->d, snQuad, first + 2 * side + (numbers + 3) / 4);
  if (lanes && !sn_isFast(quads)) return 0;
  int* ints = SN_STACK(p->d, int, indices);
  H->J = SN_STACK(p->d, snQuad, nefc * side);
  H->M = SN_STACK(p->d, snQuad, 4 * side * side);
  if (!quads || !ints || !H->J || !H->M) return 0;
  H->side = side;
  H->x = quads + first;
  H->search = H->x + side;
  snReal* reals = (H->search + side)->v;
  p->grad = p->gradold = reals;
  p->Ms = reals + nv;
  p->v = reals + 2 * nv;
  p->oldstate = ints;
  p->search = H->search->v;
  p->Mgrad = p->Mgradold = H->x->v;
  if (lanes) {
    placeLanes(H, quads, side, nefc);
    H->laneRows =
        !p->rows.nf && nefc <= 64 && p->m->opt.cone == snCONE_PYRAMIDAL && sn_isFast(H->J);
  } else {
    placeTiles(H, quads, side);
    H->corner = ints + nefc;
    H->changed = H->corner + tiles;
    H->cones = H->changed + nefc;
    listCorners(H, tiles);
  }
  spreadInertia(p);
  spreadRows(p);
  SN_FOR(k, 4 * side)((snReal*)H->search)[k] = 0;
  SN_SYNC();
  return 1;
}

int sn_denseAllocate(snPrimal* p) {
  if (SN_LANES >= 32 && p->nv <= 32 && allocateDense(p, 1)) return 1;
  return allocateDense(p, 0);
}

// ---- products ------------------------------------------------------------------------------------

// res = rows x, where x has n quads
SN_KERNEL void mulRows(snReal* res, const snQuad* rows, const snQuad* x, int count, int n) {
  SN_FOR(r, count) res[r] = sn_dotQuads(rows + r * n, x, n);
  SN_SYNC();
}

static SN_OUTLINE void mulSlowRows(snReal* res, const snQuad* rows, const snQuad* x, int count,
                                   int n) {
  mulRows(res, rows, x, count, n);
}

static SN_OUTLINE void mulFastRows(snReal* res, const snQuad* rows, const snQuad* x, int count,
                                   int n) {
  mulRows(SN_FAST(snReal, res), SN_FAST(const snQuad, rows), SN_FAST(const snQuad, x), count, n);
}

static void mulSearch(const snPrimal* p, snReal* res, const snQuad* rows, int count) {
  SN_ASSERT(p->dense.side > 0 && p->search == p->dense.search->v);
  if (p->dense.weight && sn_isFast(rows)) {
    mulFastRows(res, rows, p->dense.search, count, p->dense.side);
  } else {
    mulSlowRows(res, rows, p->dense.search, count, p->dense.side);
  }
}

void sn_denseMulInertia(const snPrimal* p) { mulSearch(p, p->Ms, p->dense.M, p->nv); }

void sn_denseMulVec(const snPrimal* p) { mulSearch(p, p->v, p->dense.J, p->rows.nefc); }

// res = J' force; a lane takes a column
SN_KERNEL void mulColumns(snReal* res, const snReal* J, const snReal* force, int nefc, int nv,
                          int width) {
  SN_FOR(j, nv) {
    const snReal* column = J + j;
    snReal sum = 0;
    for (int r = 0; r < nefc; r++) sum = sn_mulAdd(column[r * width], force[r], sum);
    res[j] = sum;
  }
  SN_SYNC();
}

void sn_denseMulTVec(const snPrimal* p) {
  int width = 4 * p->dense.side, nefc = p->rows.nefc;
  const snReal* J = (const snReal*)p->dense.J;
  if (p->dense.weight && sn_isFast(J)) {
    snReal* force = SN_FAST(snReal, p->v);  // no longer needed
    SN_FOR(r, nefc) force[r] = p->force[r];
    SN_SYNC();
    mulColumns(p->frc_constraint, SN_FAST(const snReal, J), force, nefc, p->nv, width);
  } else {
    mulColumns(p->frc_constraint, J, p->force, nefc, p->nv, width);
  }
}

// ---- tiles ---------------------------------------------------------------------------------------

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

// where the quadratic part of a tile begins, and how far apart its rows lie
static inline snQuad* quadraticTile(const snDense* H, int I, int J, int* stride) {
  *stride = I > J ? H->side : 1;
  return I > J ? H->H + 4 * J * H->side + I : H->diagonal + 4 * I;
}

// ---- assembly ------------------------------------------------------------------------------------

// What a pass over the rows finds: rows to add and (complemented) to remove from the quadratic part,
// first rows of contacts in the cone; whether some were there before.
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

// rows that come and go; returns whether an entry of the diagonal lost its digits
static inline int followRows(const snPrimal* p, int count, int I, int J, snReal tile[16]) {
  SN_ASSERT(count <= p->rows.nefc && J <= I && I < p->dense.side);
  const snDense* H = &p->dense;
  const snReal* D = p->rows.D;
  snReal removed[4] = {0, 0, 0, 0};
  for (int k = 0; k < count; k++) {
    int r = H->changed[k], goes = r < 0;
    if (goes) r = ~r;
    SN_ASSERT_INDEX(r, p->rows.nefc);
    snReal weight = goes ? -D[r] : D[r];
    snQuad left = H->J[r * H->side + I];
    addOuter(tile, weight, left, H->J[r * H->side + J]);
    for (int a = 0; goes && a < 4; a++) {
      removed[a] = snu_max(removed[a], -weight * left.v[a] * left.v[a]);
    }
  }
  int lost = 0;
  for (int a = 0; a < 4; a++) lost |= tile[5 * a] < LOST * removed[a];
  return I == J && lost;
}

// J_c' H_c J_c of the contacts in the cone
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

// Bring the quadratic part up to date (fresh: from M), and the Hessian into the lower tiles. Returns 0 when
// digits were lost.
static SN_OUTLINE int assembleTiles(const snPrimal* p, Changes changes, int fresh) {
  const snDense* H = &p->dense;
  int lost = 0, stride;
  SN_FOR(t, H->side * (H->side + 1) / 2) {
    int I = H->corner[t] >> 16, J = H->corner[t] & 0xffff;
    snQuad* quadratic = quadraticTile(H, I, J, &stride);
    snReal tile[16];
    if (fresh) {
      loadTile(tile, H->M + 4 * I * H->side + J, H->side);
    } else {
      loadTile(tile, quadratic, stride);
    }
    lost |= followRows(p, changes.nchanged, I, J, tile);
    storeTile(tile, quadratic, stride);
    addCones(p, changes.ncone, I, J, tile);
    storeTile(tile, H->H + 4 * I * H->side + J, H->side);
  }
  SN_SYNC();
  return !sn_teamAny(lost);
}

// ---- factor --------------------------------------------------------------------------------------

// A tile of the diagonal: L below its diagonal, and 1/D.
typedef struct Pivot_ {
  snReal l10, l20, l21, l30, l31, l32;
  snReal inverse[4];
} Pivot;

static inline Pivot factorTile(const snReal h[16]) {
  Pivot p;
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

static inline void storePivot(const Pivot* p, snQuad* to) {
  snQuad low, high, inverse;
  low.v[0] = p->l10, low.v[1] = p->l20, low.v[2] = p->l21, low.v[3] = p->l30;
  high.v[0] = p->l31, high.v[1] = p->l32, high.v[2] = high.v[3] = 0;
  for (int k = 0; k < 4; k++) inverse.v[k] = p->inverse[k];
  to[0] = low, to[1] = high, to[2] = inverse;
}

static inline Pivot loadPivot(const snQuad* from) {
  snQuad low = from[0], high = from[1], inverse = from[2];
  Pivot p;
  p.l10 = low.v[0], p.l20 = low.v[1], p.l21 = low.v[2], p.l30 = low.v[3];
  p.l31 = high.v[0], p.l32 = high.v[1];
  for (int k = 0; k < 4; k++) p.inverse[k] = inverse.v[k];
  return p;
}

// y <- L^-1 y on four numbers
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

static SN_OUTLINE void factor(const snDense* H) {
  int side = H->side, lane = SN_LANE;
  const int* corner = H->corner;
  snQuad* column = H->H + 4 * side;  // the tiles below
  snQuad* pivots = H->pivot;
  for (int below = side - 1; below >= 0; below--) {
    snReal tile[16], left[16], right[16];
    loadTile(tile, column - 4 * side, side);
    Pivot pivot = factorTile(tile);
    if (lane == 0) storePivot(&pivot, pivots);

    SN_FOR(a, below) {
      snQuad* place = column + 4 * a * side;
      loadTile(tile, place, side);
      for (int i = 0; i < 4; i++) solveLower(&pivot, tile + 4 * i);
      storeTile(tile, place, side);
    }
    SN_SYNC();
    SN_FOR(t, below * (below + 1) / 2) {
      int a = corner[t] >> 16, b = corner[t] & 0xffff;
      snQuad* place = column + 4 * a * side;
      loadTile(left, place, side);
      loadTile(right, column + 4 * b * side, side);
      place += 1 + b;
      loadTile(tile, place, side);
      subProduct(tile, left, pivot.inverse, right);
      storeTile(tile, place, side);
    }
    SN_SYNC();
    column += 4 * side + 1;
    pivots += 3;
  }
}

// ---- build, follow and solve ---------------------------------------------------------------------

void sn_denseHessian(snPrimal* p, int fresh) {
  SN_ASSERT(SN_LANES > 1 && p->dense.H && p->dense.corner);
  Changes changes = listChanges(p, fresh);
  if (!fresh && !changes.nchanged && !changes.ncone && !changes.wascone) return;
  if (!assembleTiles(p, changes, fresh)) assembleTiles(p, listChanges(p, 1), 1);
  factor(&p->dense);
}

void sn_denseSolve(const snPrimal* p, const snReal* rhs) {
  SN_ASSERT(SN_LANES > 1 && 4 * p->dense.side >= p->nv);
  int side = p->dense.side, width = 4 * side, nv = p->nv, lane = SN_LANE;
  snQuad *x = p->dense.x, *y = p->dense.y;
  const snQuad *pivots = p->dense.pivot, *column = p->dense.H + 4 * side;
  SN_FOR(i, width)((snReal*)x)[i] = i < nv ? rhs[i] : 0;
  SN_SYNC();
  for (int below = width - 4; below >= 0; below -= 4) {
    Pivot pivot = loadPivot(pivots);
    snQuad part = *x++;
    solveLower(&pivot, part.v);
    for (int k = 0; k < 4; k++) part.v[k] *= pivot.inverse[k];
    if (lane == 0) *y = part;
    SN_FOR(i, below) {
      snQuad row = column[i * side];
      ((snReal*)x)[i] -= sn_mulAdd(row.v[0], part.v[0], row.v[1] * part.v[1]) +
                         sn_mulAdd(row.v[2], part.v[2], row.v[3] * part.v[3]);
    }
    SN_SYNC();
    column += width + 1;
    pivots += 3;
    y++;
  }
  snReal* before = (snReal*)p->dense.y;
  const snReal* row = (const snReal*)(p->dense.H + width * side);
  const snReal* inverses = (const snReal*)(p->dense.pivot + 2);
  for (int n = width - 4; n >= 0; n -= 4) {
    row -= 4 * width;
    pivots -= 3;
    x--;
    Pivot pivot = loadPivot(pivots);
    snQuad part = *--y;
    solveUpper(&pivot, part.v);
    if (lane == 0) *x = part;
    SN_FOR(j, n) {
      snReal sum = sn_mulAdd(row[j], part.v[0], row[j + width] * part.v[1]) +
                   sn_mulAdd(row[j + 2 * width], part.v[2], row[j + 3 * width] * part.v[3]);
      before[j] = sn_mulAdd(-inverses[12 * (j >> 2) + (j & 3)], sum, before[j]);
    }
    SN_SYNC();
  }
}
