// Newton's method by one warp on a problem that fits its registers, from the warm start to the forces.
//
// The problem is the whole system (or one island with every dof), with at most 32 dofs; its rows are
// equalities or one-sided, at most two for each lane. Lane i holds row i of M and all numbers of dof i;
// lane r holds those of rows r and r + 32. They stay in registers from the first iteration to the
// last. Fast memory holds what the lanes read of one another: the rows of J, the factor of the Hessian
// (lanes/elimination.h), and the vector that all rows are multiplied with. Global memory is read once,
// at the beginning, and the results are written at the end.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/lanes/elimination.h"
#include "engine/solve/kernel.h"
#include "engine/solve/search.h"
#include "engine/solve/solver.h"
#include "math/math.h"

// rows of a lane; rows of J, and entries of M for each lane, that are loaded at once
enum { ROWS = 2, CHUNK = 16, PARTS = 8 };

// A row as its lane holds it.
typedef struct SolverRow_ {
  snReal x, v;  // residual, its change along the search direction
  snReal D;     // 0 where there is no row
  int active;
  int joint;  // whose limit the row is; -1: of none
} SolverRow;

// The problem as a lane holds it.
typedef struct RegisterProblem_ {
  int lane, inside;  // its dof, if it has one
  int nv, nefc, ne;

  // fast memory
  int stride;       // of the rows of J: an odd number of quads, so that lanes read them at once
  int padded;       // rows of J, with zeros up to a multiple of four
  snQuad* vectors;  // two of them
  snReal* factor;
  snQuad* J;

  // numbers of the dof
  snReal M[W0];        // its row
  snReal inverse;      // of its pivot
  snReal acc, smooth;  // acceleration, unconstrained one
  snReal force;        // qfrc_smooth
  snReal residual;     // M acc - qfrc_smooth
  snReal jointForce;   // J' force
  snReal search, Ms;   // search direction, M times it

  SolverRow rows[ROWS];
  unsigned active[ROWS];  // of all lanes

  snReal scale;  // see snPrimal
  snReal tolerance, ls_tolerance;
  int ls_iterations;
  snReal cost, gauss;  // of rows and inertia, of inertia alone
  snReal square;       // of the length of the search direction
  snReal gradnorm, noise;
} RegisterProblem;

// ---- memory --------------------------------------------------------------------------------------

// Few enough rows, none of friction, one island. Joined by &, so that all loads are in flight at once.
static inline int fitsRegisters(const snModel* m, const snData* d) {
  int nv = (int)m->nv, nefc = d->nefc, nisland = d->nisland;
  int islands = (nisland > 0) & !(m->opt.disableflags & snDSBL_ISLAND);
  int whole = (islands == 0) | ((nisland == 1) & (d->nidof == nv));
  return (nefc <= 32 * ROWS) & (d->nf == 0) & (d->nMs == 0) & whole;
}

static inline int strideOf(int width) { return width | 4; }

// numbers of fast memory; M is there before the factor and J
static inline int scratchOf(int width, int padded, int nC) {
  int stride = strideOf(width), first = width * stride + nC + 1;
  int later = sn_windowSize(width) + padded * stride;
  return 2 * stride + (first > later ? first : later);
}

// the column of this lane in rows [first, first + CHUNK) of J
SN_KERNEL void loadChunk(snReal* part, const snReal* J, int first, const RegisterProblem* p) {
  SN_ASSERT(first >= 0 && p->nefc > 0);
  int nv = p->nv, own = p->inside ? p->lane : 0;
  SN_UNROLL
  for (int k = 0; k < CHUNK; k++) {
    int r = first + k < p->nefc ? first + k : p->nefc - 1;
    part[k] = J[r * nv + own];
  }
}

SN_KERNEL void storeChunk(const snReal* part, int first, const RegisterProblem* p, int width) {
  SN_ASSERT(p->padded % 4 == 0 && p->nefc <= p->padded);
  snReal* J = (snReal*)p->J + first * p->stride + p->lane;
  SN_UNROLL
  for (int k = 0; k < CHUNK; k++) {
    int r = first + k;
    if (r < p->padded && p->lane < width) J[k * p->stride] = p->inside && r < p->nefc ? part[k] : 0;
  }
}

// entries [first, first + 32 PARTS) of M, dealt out to the lanes
SN_KERNEL void loadInertia(snReal* part, const snReal* M, int first, int nC) {
  SN_UNROLL
  for (int k = 0; k < PARTS; k++) {
    part[k] = 0;
    if (first + 32 * k < nC) part[k] = M[first + 32 * k];
  }
}

SN_KERNEL void storeInertia(const snReal* part, snReal* M, int first, int nC) {
  SN_UNROLL
  for (int k = 0; k < PARTS; k++) {
    if (first + 32 * k < nC) M[first + 32 * k] = part[k];
  }
}

// Columns of M: the descendants of a dof follow it, and its entries are at its position of their rows,
// which begin at adr. M[none] is zero.
SN_KERNEL void spreadInertia(RegisterProblem* p, const snReal* M, int adr, int nnz, int none,
                             int width) {
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

// Whole rows: entry j of a row is entry i of the column of dof j before it.
SN_KERNEL void completeInertia(RegisterProblem* p, int width) {
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
      if (4 * k + c < lane) p->M[4 * k + c] = quad.v[c];
    }
  }
  sn_warpSync();
}

// A row of this lane: D and aref, which v keeps. Of two limits of one joint the second counts.
SN_KERNEL void loadRow(SolverRow* row, const snData* d, int r, int nefc, int firstlimit,
                       int endlimit) {
  SN_ASSERT(nefc > 0 && endlimit <= nefc);
  int own = r < nefc ? r : nefc - 1, next = r + 1 < nefc ? r + 1 : own;
  const int *id = d->efc_id, *type = d->efc_type;
  snReal D = d->efc_D[own], aref = d->efc_aref[own];
  int joint = id[own], joint2 = id[next], type1 = type[own], type2 = type[next];
  row->D = r < nefc ? D : 0;
  row->v = aref;
  int again = r + 1 < endlimit && joint2 == joint && type2 == snCNSTR_LIMIT_JOINT;
  int limit = r >= firstlimit && r < endlimit && type1 == snCNSTR_LIMIT_JOINT;
  row->joint = limit && !again ? joint : -1;
}

// All that is read, without a wait in between. Leaves aref in v of the rows, the last and the unconstrained
// acceleration in vectors, and the trace of M in scale.
SN_KERNEL void load(RegisterProblem* p, const snModel* m, const snData* d, int width) {
  SN_ASSERT(p->nv <= width && width <= W0 && p->nefc <= 32 * ROWS);
  int lane = p->lane, own = p->inside ? lane : 0;
  int nnz = m->M_rownnz[own], adr = m->M_rowadr[own], nC = (int)m->nC;
  SN_ASSERT_PART(adr, nnz, nC);
  snReal part[CHUNK], entries[PARTS], *M = p->factor + width * p->stride;
  loadInertia(entries, d->M, lane, nC);
  loadChunk(part, d->efc_J, 0, p);
  snReal last = d->qacc_warmstart[own], smooth = d->qacc_smooth[own], force = d->qfrc_smooth[own];
  SN_UNROLL
  for (int k = 0; k < ROWS; k++) {
    p->rows[k].v = p->rows[k].D = 0;
    p->rows[k].joint = -1;
    if (k && p->nefc <= 32) continue;
    loadRow(p->rows + k, d, lane + 32 * k, p->nefc, p->ne, p->ne + d->nl);
  }
  SN_FOR(joint, m->njnt) d->jnt_limit_frc[joint] = 0;
  if (lane == 0) M[nC] = 0;
  storeInertia(entries, M, lane, nC);
  SN_PLAIN_LOOP
  for (int first = lane + 32 * PARTS; first < nC; first += 32 * PARTS) {
    loadInertia(entries, d->M, first, nC);
    storeInertia(entries, M, first, nC);
  }
  sn_warpSync();
  snReal diagonal = M[adr + nnz - 1];
  spreadInertia(p, M, adr, nnz, nC, width);
  p->acc = p->inside ? last : 0;
  p->smooth = p->inside ? smooth : 0;
  p->force = p->inside ? force : 0;
  p->scale = p->inside ? diagonal : 0;
  if (lane < width) {
    ((snReal*)p->vectors)[lane] = p->acc;
    ((snReal*)p->vectors)[p->stride + lane] = p->smooth;
  }
  completeInertia(p, width);
  storeChunk(part, 0, p, width);
  SN_PLAIN_LOOP
  for (int first = CHUNK; first < p->nefc; first += CHUNK) {
    loadChunk(part, d->efc_J, first, p);
    storeChunk(part, first, p, width);
  }
  sn_warpSync();
}

// ---- products ------------------------------------------------------------------------------------

// M times a vector
SN_KERNEL snReal mulInertia(const RegisterProblem* p, const snQuad* x, int width) {
  snReal even = 0, odd = 0;
  SN_UNROLL
  for (int k = 0; k < width / 4; k++) {
    snQuad quad = x[k];
    even = sn_mulAdd(p->M[4 * k], quad.v[0], even);
    odd = sn_mulAdd(p->M[4 * k + 1], quad.v[1], odd);
    even = sn_mulAdd(p->M[4 * k + 2], quad.v[2], even);
    odd = sn_mulAdd(p->M[4 * k + 3], quad.v[3], odd);
  }
  return even + odd;
}

// row number k of this lane (the last of all where it has none) times a vector
SN_KERNEL snReal mulRow(const RegisterProblem* p, int k, const snQuad* x, int width) {
  int r = p->lane + 32 * k;
  const snQuad* row = p->J + (r < p->nefc ? r : p->nefc - 1) * (p->stride / 4);
  snReal even = 0, odd = 0;
  SN_UNROLL
  for (int i = 0; i < width / 4; i++) {
    snQuad a = row[i], b = x[i];
    even = sn_mulAdd(a.v[0], b.v[0], even);
    odd = sn_mulAdd(a.v[1], b.v[1], odd);
    even = sn_mulAdd(a.v[2], b.v[2], even);
    odd = sn_mulAdd(a.v[3], b.v[3], odd);
  }
  return even + odd;
}

static inline snReal forceOf(const SolverRow* row) { return row->active ? -row->D * row->x : 0; }

// J' force
SN_KERNEL snReal mulForces(const RegisterProblem* p) {
  const snReal* column = (const snReal*)p->J + (p->inside ? p->lane : 0);
  snReal force = forceOf(p->rows), even = 0, odd = 0;
  SN_PLAIN_LOOP
  for (int r = 0; r < p->padded; r += 4, column += 4 * p->stride) {
    if (r == 32) force = forceOf(p->rows + 1);
    even = sn_mulAdd(column[0], sn_warpFrom(force, r & 31), even);
    odd = sn_mulAdd(column[p->stride], sn_warpFrom(force, (r & 31) + 1), odd);
    even = sn_mulAdd(column[2 * p->stride], sn_warpFrom(force, (r & 31) + 2), even);
    odd = sn_mulAdd(column[3 * p->stride], sn_warpFrom(force, (r & 31) + 3), odd);
  }
  return p->inside ? even + odd : 0;
}

// ---- start ---------------------------------------------------------------------------------------

static inline int isActive(const RegisterProblem* p, int k, snReal x) {
  int r = p->lane + 32 * k;
  return r < p->ne || (r < p->nefc && x < 0);
}

// twice the cost of a row
static inline snReal costOf(const RegisterProblem* p, int k, snReal x) {
  return isActive(p, k, x) ? p->rows[k].D * x * x : 0;
}

static inline void listActive(RegisterProblem* p) {
  SN_UNROLL
  for (int k = 0; k < ROWS; k++) {
    p->rows[k].active = isActive(p, k, p->rows[k].x);
    p->active[k] = k && p->nefc <= 32 ? 0 : sn_warpBallot(p->rows[k].active);
  }
}

// The last acceleration or the unconstrained one, whichever costs less.
SN_KERNEL void start(RegisterProblem* p, snReal* efc_b, int warm, int width) {
  SN_ASSERT(p->nefc > 0 && p->ne <= p->nefc);
  const snQuad *last = p->vectors, *smooth = p->vectors + p->stride / 4;
  snReal sums[4] = {0, 0, 0, p->scale}, b[ROWS];
  SN_UNROLL
  for (int k = 0; k < ROWS; k++) {
    b[k] = p->rows[k].x = 0;
    if (k && p->nefc <= 32) continue;
    b[k] = mulRow(p, k, smooth, width) - p->rows[k].v;
    p->rows[k].x = mulRow(p, k, last, width) - p->rows[k].v;
    if (p->lane + 32 * k < p->nefc) efc_b[p->lane + 32 * k] = b[k];
    sums[1] += costOf(p, k, p->rows[k].x);
    sums[2] += costOf(p, k, b[k]);
  }
  p->residual = mulInertia(p, last, width) - p->force;
  sums[0] = p->residual * (p->acc - p->smooth);
  sn_warpSums(sums, 4);
  p->scale = sums[3];
  p->gauss = (snReal)0.5 * sums[0];
  p->cost = (snReal)0.5 * sums[1] + p->gauss;
  if (!warm || p->cost > (snReal)0.5 * sums[2]) {
    p->gauss = 0;
    p->cost = (snReal)0.5 * sums[2];
    p->acc = p->smooth;
    p->residual = mulInertia(p, smooth, width) - p->force;
    SN_UNROLL
    for (int k = 0; k < ROWS; k++) p->rows[k].x = b[k];
  }
  listActive(p);
  p->jointForce = mulForces(p);
}

// ---- iterations ----------------------------------------------------------------------------------

// the Hessian M + sum of D J'J, its factor and the solution
SN_KERNEL void factor(const RegisterProblem* p, snWindow* e, int width) {
  SN_ASSERT(p->nv <= width);
  snReal row[W0];
  SN_UNROLL
  for (int k = 0; k < width; k++) row[k] = p->M[k];
  SN_UNROLL
  for (int k = 0; k < ROWS; k++) {
    const snReal* J = (const snReal*)p->J + 32 * k * p->stride;
    SN_PLAIN_LOOP
    for (unsigned left = p->active[k], r = 0; left; left >>= 1, r++, J += p->stride) {
      if (!(left & 1)) continue;
      snReal scale = sn_warpFrom(p->rows[k].D, (int)r) * J[p->inside ? p->lane : 0];
      sn_windowAdd(row, scale, (const snQuad*)J, width);
    }
  }
  sn_windowFactor(e, row, width);
  sn_warpSync();
}

// search = -H^-1 grad; stale: the Hessian is not the one of the factor
SN_KERNEL void direct(RegisterProblem* p, int stale, int width) {
  snWindow e = {p->lane, p->lane, p->nv, p->inverse, p->residual - p->jointForce, p->factor};
  if (stale) {
    factor(p, &e, width);
    p->inverse = e.inverse;
  } else {
    e.rhs = sn_windowSolveColumns(p->factor, p->inverse, e.rhs, p->nv, width, p->lane);
    e.rhs = sn_windowSolveRows(p->factor, p->inverse, e.rhs, p->nv, width, p->lane);
    sn_warpSync();  // the last direction has been read
  }
  p->search = p->inside ? -e.rhs : 0;
  if (p->lane < width) ((snReal*)p->vectors)[p->lane] = p->search;
  sn_warpSync();
}

// Ms and v of the rows, and the polynomial c0 + c1 a + c2 a^2 of inertia and equalities along the line
SN_KERNEL void beginLine(RegisterProblem* p, snReal* quad, int width) {
  p->Ms = mulInertia(p, p->vectors, width);
  snReal sums[4] = {0, p->search * p->residual, p->search * p->Ms, p->search * p->search};
  SN_UNROLL
  for (int k = 0; k < ROWS; k++) {
    SolverRow* row = p->rows + k;
    row->v = 0;
    if (k && p->nefc <= 32) continue;
    row->v = mulRow(p, k, p->vectors, width);
    if (p->lane + 32 * k < p->ne) sn_addQuadraticRow(sums, row->D, row->x, row->v);
  }
  sn_warpSums(sums, 4);
  quad[0] = p->gauss + (snReal)0.5 * sums[0];
  quad[1] = sums[1];
  quad[2] = (snReal)0.5 * sums[2];
  p->square = sums[3];
}

SN_KERNEL void evaluate(const RegisterProblem* p, const snReal* quad, snLinePoint* point) {
  snReal alpha = point->alpha, sums[3] = {0, 0, 0};
  SN_UNROLL
  for (int k = 0; k < ROWS; k++) {
    snReal D = p->lane + 32 * k >= p->ne ? p->rows[k].D : 0;
    sn_addOneSidedRow(sums, D, p->rows[k].x, p->rows[k].v, alpha);
  }
  sn_warpSums(sums, 3);
  point->cost = quad[0] + alpha * (quad[1] + alpha * quad[2]) + (snReal)0.5 * sums[0];
  point->d = quad[1] + 2 * alpha * quad[2] + sums[1];
  point->h = 2 * quad[2] + sums[2];
  if (point->h <= 0) point->h = (snReal)snMINVAL;
}

// A step along the search direction. The gradient is a difference of forces: what rounding leaves of
// it in single precision is told by their size.
SN_KERNEL void move(RegisterProblem* p, snReal alpha) {
  snReal cost = 0;
  SN_UNROLL
  for (int k = 0; k < ROWS; k++) {
    p->rows[k].x += p->rows[k].v * alpha;
    cost += costOf(p, k, p->rows[k].x);
  }
  listActive(p);
  p->acc += p->search * alpha;
  p->residual += p->Ms * alpha;
  p->jointForce = mulForces(p);
  snReal grad = p->residual - p->jointForce, Ma = p->residual + p->force;
  snReal sums[4] = {cost, p->residual * (p->acc - p->smooth), grad * grad,
                    Ma * Ma + p->force * p->force + p->jointForce * p->jointForce};
  sn_warpSums(sums, 4);
  p->gauss = (snReal)0.5 * sums[1];
  p->cost = (snReal)0.5 * sums[0] + p->gauss;
  p->gradnorm = p->scale * snu_sqrt(sums[2]);
  p->noise = sizeof(snReal) == 4 ? p->scale * (snReal)1e-6 * snu_sqrt(sums[3]) : 0;
}

// one iteration; returns whether to go on
SN_KERNEL int iterate(RegisterProblem* p, snSolverStat* stat, int* stale, int width) {
  snReal quad[3], oldcost = p->cost;
  unsigned old[ROWS] = {p->active[0], p->active[1]};
  direct(p, *stale, width);
  beginLine(p, quad, width);
  snReal norm = snu_sqrt(p->square);
  if (norm < (snReal)snMINVAL) return -1;
  snLineSearch search;
  snLinePoint point = {0, 0, 0, 0};
  sn_searchBegin(&search, p->tolerance * p->ls_tolerance * norm / p->scale, p->ls_iterations);
  SN_PLAIN_LOOP
  do evaluate(p, quad, &point);
  while (sn_searchNext(&search, &point));
  if (point.alpha == 0) return -1;
  move(p, point.alpha);

  snReal improvement = p->scale * (oldcost - p->cost);
  int nchange = sn_countBits(old[0] ^ p->active[0]) + sn_countBits(old[1] ^ p->active[1]);
  *stale = nchange > 0;
  if (stat && p->lane == 0) {
    stat->improvement = improvement;
    stat->gradient = p->gradnorm;
    stat->lineslope = snu_abs(point.d) * p->scale / norm;
    stat->nactive = sn_countBits(p->active[0]) + sn_countBits(p->active[1]);
    stat->nchange = stat->nupdate = nchange;
    stat->neval = search.neval;
  }
  return !(improvement < p->tolerance || p->gradnorm < p->tolerance || p->gradnorm < p->noise);
}

// ---- the whole -----------------------------------------------------------------------------------

SN_KERNEL void store(const RegisterProblem* p, snData* d, int niter, int more) {
  SN_ASSERT(niter >= 0);
  if (p->inside) {
    d->qacc[p->lane] = p->acc;
    d->qfrc_constraint[p->lane] = p->jointForce;
  }
  SN_UNROLL
  for (int k = 0; k < ROWS; k++) {
    int r = p->lane + 32 * k;
    if (r >= p->nefc) continue;
    snReal force = forceOf(p->rows + k);
    d->efc_force[r] = force;
    if (p->rows[k].joint >= 0) d->jnt_limit_frc[p->rows[k].joint] = force;
    d->efc_state[r] = p->rows[k].active ? snCNSTRSTATE_QUADRATIC : snCNSTRSTATE_SATISFIED;
  }
  SN_UNROLL
  for (int k = p->lane; k < snNISLAND; k += 32) d->solver_niter[k] = k ? 0 : niter;
  if (p->lane == 0) {
    d->solver_nnz[0] = p->nv * p->nv;
    if (more) d->status |= snSTATUS_NOTCONVERGED;
  }
  sn_warpSync();
}

SN_KERNEL void solve(const snModel* m, snData* d, void* scratch, int width) {
  const snOption* opt = &m->opt;
  RegisterProblem p;
  p.lane = SN_LANE;
  p.nv = (int)m->nv, p.nefc = d->nefc, p.ne = d->ne;
  p.inside = p.lane < p.nv;
  p.stride = strideOf(width), p.padded = (p.nefc + 3) & ~3;
  p.vectors = SN_FAST(snQuad, scratch);
  p.factor = (snReal*)(p.vectors + p.stride / 2);
  p.J = (snQuad*)(p.factor + sn_windowSize(width));
  p.inverse = 0;
  // costs in single precision cannot tell smaller improvements
  p.tolerance = sizeof(snReal) == 4 ? snu_max(opt->tolerance, (snReal)1e-6) : opt->tolerance;
  p.ls_tolerance = opt->ls_tolerance, p.ls_iterations = opt->ls_iterations;
  int iterations = opt->iterations, warm = !(opt->disableflags & snDSBL_WARMSTART);
  int island = d->nisland && !(opt->disableflags & snDSBL_ISLAND);
  snReal inertia = m->stat.meaninertia * (p.nv > 1 ? (snReal)p.nv : 1);
  load(&p, m, d, width);
  start(&p, d->efc_b, warm, width);
  p.scale = 1 / (island ? p.scale : inertia);

  int niter = 0, stale = 1, more = 1;
  SN_PLAIN_LOOP
  while (more > 0 && niter < iterations) {
    more = iterate(&p, niter < snNSOLVER ? d->solver + niter : NULL, &stale, width);
    if (more >= 0) niter++;
  }
  store(&p, d, niter, more > 0);
}

static SN_OUTLINE void solve32(const snModel* m, snData* d, void* x) { solve(m, d, x, W0); }
static SN_OUTLINE void solve28(const snModel* m, snData* d, void* x) { solve(m, d, x, W1); }
static SN_OUTLINE void solve20(const snModel* m, snData* d, void* x) { solve(m, d, x, W2); }
static SN_OUTLINE void solve12(const snModel* m, snData* d, void* x) { solve(m, d, x, W3); }

SN_STAGE int sn_newtonLanes(const snModel* m, snData* d) {
  SN_ASSERT(SN_LANES == 32 && m->nv > 0 && m->nv <= 32);
  if (!fitsRegisters(m, d)) return 0;
  SN_ASSERT(d->nefc > 0 && d->efc_J && d->qacc_smooth);
  int width = sn_windowWidth((int)m->nv), room = scratchOf(width, (d->nefc + 3) & ~3, (int)m->nC);
  void* scratch = sn_stackFree(d, (size_t)room * sizeof(snReal));
  if (!scratch) return 0;
  switch (width) {
    case W0: solve32(m, d, scratch); break;
    case W1: solve28(m, d, scratch); break;
    case W2: solve20(m, d, scratch); break;
    default: solve12(m, d, scratch); break;
  }
  return 1;
}
