// Contacts and other constraints as positions at the end of the step: extended position-based dynamics.
//
// M. Macklin et al., XPBD: position-based simulation of compliant constrained dynamics, MIG 2016; M. Mueller
// et al., Detailed rigid body simulation with extended position based dynamics, SCA 2020. Here in joint
// coordinates, on the rows of the other solvers, with the Jacobian and the inertia of the beginning of the
// step.
//
// A step h has n substeps of length s = h / n. The smooth forces act as one impulse at its beginning, as in Euler's
// step: without constraints a row moves at the rate J (v + h a_smooth) throughout. In each substep Gauss-Seidel adds
// impulses s f so that at its end
//
//   C + compliance F / n = 0 for equalities, >= 0 for limits and contacts, which only push,
//
// where C is the distance of the row and F the sum of f so far: F / n is the mean force of the step. One row, or the
// friction of one contact, is updated at a time,
//
//   f -= (C + compliance F / n) / (s^2 A + compliance / n),   A the diagonal of J M^-1 J',
//
// written for velocities: C = C_0 + s u. Dry friction stops its row as far as its bound on F allows: frictionloss, or
// the friction cone of the normal force (the elliptic one whatever the option cone says).
//
// Without compliance an initial overlap would separate at the speed C / s. Rigid rows that overlap therefore require
// only u >= 0, and a second pass with the same formula moves the positions along the normals without changing
// velocities: impacts do not rebound, and overlaps separate without gaining speed.
//
// The first substep starts from the forces that cause the acceleration of the last step, a linear problem for
// conjugate gradients. Sweeps are accelerated likewise
// (M. Silcowitz et al., A nonsmooth nonlinear conjugate gradient method for interactive contact force problems,
// The Visual Computer 2010). What the other stages see are the means of the forces over the step.
//
// Sums run over rows B with J M^-1 J' = B B' (constrain/project.c), in coordinates in which the inertia is the
// identity. Positions follow the forces of the substeps, not the final velocity times h: the difference is
// qvel_shift.
//
// Rows exist while they are violated. A row at rest therefore keeps a violation of SLOP, or it would vanish
// in every second step.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/smooth/inertia.h"
#include "engine/solve/solver.h"
#include "math/math.h"

static const snReal SLOP = (snReal)1e-5;  // metres or radians
enum { MAX_SUBSTEPS = 1000, TANGENTS = 5 };

typedef struct Xpbd_ {
  const snModel* m;
  snData* d;
  snHalfRows B;
  int n;              // substeps
  snReal s;           // length of a substep
  snReal compliance;  // of all rows but friction
  int nblock;
  int* block;     // first row of each contact with friction and of every other row
  int* friction;  // dry friction and tangents: rows without a position
  snReal* w;      // velocity by the forces so far
  snReal* z;      // displacement by the second pass of this substep; scratch
  // by row
  snReal* diagonal;   // of B B'
  snReal* coupling;   // B B' within the tangents of a contact, TANGENTS by row
  snReal* distance;   // C at the beginning of the substep
  snReal* rate;       // J (v + h a_smooth)
  snReal* last;       // J (qacc_warmstart - a_smooth)
  snReal* force;      // F
  snReal* before;     // F at the beginning of the substep
  snReal* push;       // forces that move positions alone
  snReal* offset;     // residual of a pass without its forces
  snReal* old;        // forces before a sweep
  snReal* direction;  // of conjugate gradients
  snReal* path;       // the displacement by forces of all substeps is B' path
} Xpbd;

// Velocities or positions of one substep.
typedef struct Pass_ {
  int positions;
  snReal* state;  // w or z
  snReal* force;  // force or push
  snReal gain;    // what a force times an entry of B B' adds to a residual
  snReal soft;    // the same by compliance
  snReal length;  // of a unit of the residual: the substep, or 1
} Pass;

// ---- rows ----------------------------------------------------------------------------------------

// edges of a pyramid of friction; 0: another row
static int pyramidEdges(const snData* d, int row) {
  SN_ASSERT_INDEX(row, d->nefc);
  if (d->efc_type[row] != snCNSTR_CONTACT_PYRAMIDAL) return 0;
  return 2 * (d->contact[d->efc_id[row]].dim - 1);
}

// rows of the block that begins here, unused ones included
static int blockRows(const snData* d, int row) {
  if (d->efc_type[row] == snCNSTR_CONTACT_ELLIPTIC) return d->contact[d->efc_id[row]].dim;
  int edges = pyramidEdges(d, row);
  return edges ? edges : 1;
}

// tangents of the contact that the block belongs to
static int tangentsOf(const snData* d, int row) {
  int type = d->efc_type[row];
  int contact = type == snCNSTR_CONTACT_ELLIPTIC || type == snCNSTR_CONTACT_PYRAMIDAL;
  return contact ? d->contact[d->efc_id[row]].dim - 1 : 0;
}

static int listBlocks(const snData* d, int* block) {
  int n = 0;
  for (int row = 0; row < d->nefc; row += blockRows(d, row)) block[n++] = row;
  return n;
}

// From the edges n + mu_j t_j, n - mu_j t_j of a pyramid to n, t_1, t_2 ...: values at x, x + stride ...
static void splitEdges(const snContact* con, snReal* x, int stride) {
  SN_ASSERT(con->dim >= 3 && con->dim <= 6);
  snReal tangent[TANGENTS], sum = 0;
  int n = con->dim - 1;
  for (int j = 0; j < n; j++) {
    snReal a = x[2 * j * stride], b = x[(2 * j + 1) * stride];
    sum += a + b;
    tangent[j] = (a - b) / (2 * con->friction[j]);
  }
  x[0] = sum / (2 * n);
  for (int j = 0; j < n; j++) x[(j + 1) * stride] = tangent[j];
}

// Forces along n, t_1 ... to forces of the edges with the same sum. Edges may pull: the cone is round.
static void joinEdges(const snContact* con, snReal* x) {
  SN_ASSERT(con->dim >= 3 && con->dim <= 6);
  snReal tangent[TANGENTS];
  int n = con->dim - 1;
  snReal share = x[0] / (2 * n);
  for (int j = 0; j < n; j++) tangent[j] = x[j + 1] / (2 * con->friction[j]);
  for (int j = 0; j < n; j++) {
    x[2 * j] = share + tangent[j];
    x[2 * j + 1] = share - tangent[j];
  }
}

// Everything of a block that has edges, in terms of normal and tangents; the rows left over are empty.
static void splitBlock(const Xpbd* x, int row, int edges) {
  const snContact* con = x->d->contact + x->d->efc_id[row];
  int n = x->B.nnz[row];
  snReal* value = x->B.value + x->B.adr[row];  // edges share one pattern: they stand n apart
  for (int k = 0; k < n; k++) splitEdges(con, value + k, n);
  splitEdges(con, x->rate + row, 1);
  splitEdges(con, x->last + row, 1);
  for (int i = row + con->dim; i < row + edges; i++) {
    x->B.nnz[i] = 0;
    x->rate[i] = x->last[i] = 0;
  }
}

static snReal rowProduct(const Xpbd* x, int a, int b) {
  return snu_dot(x->B.value + x->B.adr[a], x->B.value + x->B.adr[b], x->B.nnz[a]);
}

// distances, kinds and diagonal entries of B B' of the rows of one block
static void prepareBlock(const Xpbd* x, int row) {
  const snData* d = x->d;
  int tangents = tangentsOf(d, row), edges = pyramidEdges(d, row), oneSided = row >= d->ne + d->nf;
  if (edges) splitBlock(x, row, edges);
  for (int i = row; i < row + blockRows(d, row); i++) {
    x->friction[i] = i > row || (row >= d->ne && !oneSided);
    x->diagonal[i] = snu_max((snReal)snMINVAL, rowProduct(x, i, i));
    for (int j = 0; i > row && i <= row + tangents && j < tangents; j++) {
      x->coupling[TANGENTS * i + j] = rowProduct(x, i, row + 1 + j);
    }
  }
  if (!x->friction[row]) {
    x->distance[row] = d->efc_pos[row] - d->efc_margin[row] + (oneSided ? SLOP : 0);
  }
}

// ---- products ------------------------------------------------------------------------------------

// B_row . state
static snReal mulRow(const Xpbd* x, int row, const snReal* state) {
  SN_ASSERT_INDEX(row, x->d->nefc);
  const snReal* value = x->B.value + x->B.adr[row];
  const int* col = x->B.col + x->B.adr[row];
  snReal sum = 0;
  SN_FOR(k, x->B.nnz[row]) sum += value[k] * state[col[k]];
  return sn_teamSum(sum);
}

// state += scale B_row'
static void addRow(const Xpbd* x, int row, snReal scale, snReal* state) {
  SN_ASSERT_INDEX(row, x->d->nefc);
  const snReal* value = x->B.value + x->B.adr[row];
  const int* col = x->B.col + x->B.adr[row];
  SN_FOR(k, x->B.nnz[row]) state[col[k]] += scale * value[k];
  SN_SYNC();
}

// state += scale B' vec
static void addRows(const Xpbd* x, snReal scale, const snReal* vec, snReal* state) {
  for (int row = 0; row < x->d->nefc; row++) {
    if (vec[row] != 0) addRow(x, row, scale * vec[row], state);
  }
}

static snReal dotRows(const Xpbd* x, const snReal* a, const snReal* b) {
  snReal sum = 0;
  SN_FOR(i, x->d->nefc) sum += a[i] * b[i];
  return sn_teamSum(sum);
}

// ---- one row, one contact ------------------------------------------------------------------------

static snReal residual(const Xpbd* x, const Pass* pass, int row) {
  return x->offset[row] + mulRow(x, row, pass->state);
}

// Sets the force of a row; returns how far that moves the row's own position.
static snReal setForce(const Xpbd* x, const Pass* pass, int row, snReal force) {
  snReal change = pass->gain * (force - pass->force[row]);
  SN_SYNC();
  if (SN_LANE == 0) pass->force[row] = force;
  addRow(x, row, change, pass->state);
  return snu_abs(change) * x->diagonal[row] * pass->length;
}

// a row that is no friction: two-sided for equalities
static snReal solveRow(const Xpbd* x, const Pass* pass, int row) {
  snReal old = pass->force[row], res = residual(x, pass, row) + pass->soft * old;
  snReal force = old - res / (pass->gain * x->diagonal[row] + pass->soft);
  if (row >= x->d->ne) force = snu_max(force, pass->positions ? 0 : x->before[row]);
  return force == old ? 0 : setForce(x, pass, row, force);
}

static snReal solveDryFriction(const Xpbd* x, const Pass* pass, int row) {
  snReal old = pass->force[row], bound = x->n * x->d->efc_frictionloss[row];
  snReal force = old - residual(x, pass, row) / (pass->gain * x->diagonal[row]);
  force = snu_clip(force, -bound, bound);
  return force == old ? 0 : setForce(x, pass, row, force);
}

// friction of a contact: all tangents at once, in the cone of the normal force
static snReal solveTangents(const Xpbd* x, const Pass* pass, int row, int n) {
  const snContact* con = x->d->contact + x->d->efc_id[row];
  snReal A[TANGENTS * TANGENTS] = {0}, b[TANGENTS] = {0}, force[TANGENTS] = {0}, moved = 0;
  int some = pass->force[row] > 0;
  for (int i = 0; i < n; i++) {
    force[i] = pass->force[row + 1 + i];
    some |= force[i] != 0;
  }
  if (!some) return 0;
  for (int i = 0; i < n; i++) {
    b[i] = residual(x, pass, row + 1 + i) / pass->gain;
    for (int j = 0; j < n; j++) {
      A[i * n + j] = x->coupling[TANGENTS * (row + 1 + i) + j];
      b[i] -= A[i * n + j] * force[j];
    }
  }
  sn_ellipticFriction(con, A, b, pass->force[row], force);
  for (int i = 0; i < n; i++) {
    if (force[i] == pass->force[row + 1 + i]) continue;
    moved = snu_max(moved, setForce(x, pass, row + 1 + i, force[i]));
  }
  return moved;
}

static snReal solveBlock(const Xpbd* x, const Pass* pass, int row) {
  if (x->friction[row]) return pass->positions ? 0 : solveDryFriction(x, pass, row);
  snReal moved = solveRow(x, pass, row);
  int tangents = pass->positions ? 0 : tangentsOf(x->d, row);
  return tangents ? snu_max(moved, solveTangents(x, pass, row, tangents)) : moved;
}

// ---- sweeps --------------------------------------------------------------------------------------

// One sweep over all rows, forwards or backwards; returns the largest movement of a row.
static snReal sweepOnce(const Xpbd* x, const Pass* pass, int backwards) {
  snReal moved = 0;
  for (int k = 0; k < x->nblock; k++) {
    int row = x->block[backwards ? x->nblock - 1 - k : k];
    moved = snu_max(moved, solveBlock(x, pass, row));
  }
  return moved;
}

// Acceleration by nonlinear conjugate gradients: the change of a sweep forwards and backwards is the gradient, and the
// forces move on along a direction that combines it with the direction before. The next sweep projects them into their
// sets. last: the square of the gradient before; returns the present one.
static snReal goOn(const Xpbd* x, const Pass* pass, snReal last) {
  int n = x->d->nefc;
  SN_FOR(i, n) x->old[i] = pass->force[i] - x->old[i];
  SN_SYNC();
  snReal square = dotRows(x, x->old, x->old), beta = square < last ? square / last : 0;
  for (int row = 0; row < n; row++) {
    snReal step = beta * x->direction[row];
    if (step != 0) setForce(x, pass, row, pass->force[row] + step);
  }
  SN_SYNC();
  SN_FOR(i, n) {
    x->direction[i] = beta * x->direction[i] + x->old[i];
    x->old[i] = pass->force[i];
  }
  SN_SYNC();
  return square;
}

// Sweeps until no row moves as far as the tolerance; returns their number.
static int sweep(const Xpbd* x, const Pass* pass) {
  snReal moved = snMAXVAL, tolerance = x->m->opt.tolerance, square = 0;
  int iter = 0, iterations = x->m->opt.iterations;
  SN_FOR(i, x->d->nefc) {
    x->direction[i] = 0;
    x->old[i] = pass->force[i];
  }
  SN_SYNC();
  while (iter < iterations) {
    moved = sweepOnce(x, pass, iter & 1);
    if (++iter == iterations || moved < tolerance) break;
    if (!(iter & 1)) square = goOn(x, pass, square);
  }
  if (!(moved < tolerance)) {
    SN_ONE x->d->status |= snSTATUS_NOTCONVERGED;
  }
  return iter;
}

// ---- start ---------------------------------------------------------------------------------------

// Projects the forces into the sets of the rows.
static void clampBlock(const Xpbd* x, int row) {
  const snData* d = x->d;
  snReal *force = x->force + row, square = 0;
  if (row < d->ne) return;
  if (row < d->ne + d->nf) {
    *force = snu_clip(*force, -x->n * d->efc_frictionloss[row], x->n * d->efc_frictionloss[row]);
    return;
  }
  *force = snu_max(*force, 0);
  int tangents = tangentsOf(d, row);
  for (int j = 0; j < tangents; j++) {
    snReal scaled = force[j + 1] / d->contact[d->efc_id[row]].friction[j];
    square += scaled * scaled;
  }
  if (square <= *force * *force) return;
  for (int j = 0; j < tangents; j++) force[j + 1] *= *force / snu_sqrt(square);
}

// Forces that cause the acceleration of the last step: B B' f = J (qacc_warmstart - qacc_smooth), by conjugate
// gradients with the diagonal as preconditioner.
static void warmStart(const Xpbd* x) {
  int n = x->d->nefc;
  snReal *res = x->offset, *p = x->direction, *Ap = x->old, *scaled = x->push;
  SN_FOR(i, n) {
    res[i] = x->n * x->last[i];
    p[i] = scaled[i] = res[i] / x->diagonal[i];
  }
  SN_SYNC();
  snReal square = dotRows(x, res, scaled), enough = square * (snReal)1e-16;
  for (int iter = 0; iter < x->m->opt.iterations && square > enough; iter++) {
    SN_FOR(i, x->m->nv) x->z[i] = 0;
    SN_SYNC();
    addRows(x, 1, p, x->z);
    for (int row = 0; row < n; row++) {
      snReal product = mulRow(x, row, x->z);
      if (SN_LANE == 0) Ap[row] = product;
    }
    SN_SYNC();
    snReal curvature = dotRows(x, p, Ap), alpha = curvature > 0 ? square / curvature : 0;
    SN_FOR(i, n) {
      x->force[i] += alpha * p[i];
      res[i] -= alpha * Ap[i];
      scaled[i] = res[i] / x->diagonal[i];
    }
    SN_SYNC();
    snReal next = dotRows(x, res, scaled), beta = next / square;
    SN_FOR(i, n) p[i] = scaled[i] + beta * p[i];
    SN_SYNC();
    square = next;
  }
  SN_FOR(k, x->nblock) clampBlock(x, x->block[k]);
  SN_SYNC();
}

// ---- substeps ------------------------------------------------------------------------------------

// The velocity pass. A rigid row may come as close as its distance allows.
static int solveVelocities(const Xpbd* x) {
  const snData* d = x->d;
  snReal s = x->s, compliance = x->compliance;
  SN_FOR(i, d->nefc) {
    snReal C = x->distance[i];
    if (compliance == 0) C = i < d->ne ? 0 : snu_max(C, 0);
    x->offset[i] = x->rate[i] + C / s;
  }
  SN_SYNC();
  Pass pass = {0, x->w, x->force, s, compliance / (s * x->n), s};
  int sweeps = sweep(x, &pass);
  SN_FOR(i, d->nefc) {
    x->before[i] = x->force[i];
    x->path[i] += s * s * x->force[i];
  }
  SN_SYNC();
  return sweeps;
}

// The position pass: separates rigid rows that overlap at the end of the substep, without changing velocities.
static int solvePositions(const Xpbd* x) {
  snReal s = x->s;
  int n = x->d->nefc, sweeps = 0;
  SN_FOR(i, x->m->nv) x->z[i] = 0;
  for (int row = 0; row < n; row++) {
    snReal rate = x->rate[row] + mulRow(x, row, x->w);
    if (SN_LANE == 0) x->offset[row] = x->distance[row] + s * rate;
  }
  SN_FOR(i, n) x->push[i] = 0;
  SN_SYNC();
  if (x->compliance == 0) {
    Pass pass = {1, x->z, x->push, s * s, 0, 1};
    sweeps = sweep(x, &pass);
  }
  for (int row = 0; row < n; row++) {
    snReal moved = mulRow(x, row, x->z);
    if (SN_LANE == 0 && !x->friction[row]) x->distance[row] = x->offset[row] + moved;
    if (SN_LANE == 0) x->path[row] += s * s * x->push[row];
  }
  SN_SYNC();
  return sweeps;
}

// ---- solver --------------------------------------------------------------------------------------

static int allocate(Xpbd* x) {
  snData* d = x->d;
  int n = d->nefc, nv = (int)x->m->nv;
  if (!sn_makeHalfRows(x->m, d, &x->B)) return 0;
  x->block = SN_STACK(d, int, n);
  x->friction = SN_STACK(d, int, n);
  x->z = SN_STACK(d, snReal, 2 * nv);
  snReal* row = SN_STACK(d, snReal, (11 + TANGENTS) * n);
  if (!x->block || !x->friction || !x->z || !row) return 0;
  x->w = x->z + nv;
  snReal** arrays[] = {&x->diagonal, &x->distance, &x->rate, &x->last,      &x->force, &x->before,
                       &x->push,     &x->offset,   &x->old,  &x->direction, &x->path};
  for (int k = 0; k < 11; k++, row += n) *arrays[k] = row;
  x->coupling = row;
  return 1;
}

static void prepare(Xpbd* x) {
  snData* d = x->d;
  int nblock = 0;
  sn_mulJacVec(x->m, d, x->last, d->qacc_warmstart);
  SN_FOR(i, x->m->nv) x->w[i] = 0;
  SN_FOR(i, d->nefc) {
    snReal rise = d->efc_b[i] + d->efc_aref[i];  // J a_smooth
    x->rate[i] = d->efc_vel[i] + x->m->opt.timestep * rise;
    x->last[i] -= rise;
    x->force[i] = x->before[i] = x->path[i] = x->distance[i] = 0;
  }
  SN_SYNC();
  SN_ONE nblock = listBlocks(d, x->block);
  SN_SYNC();
  x->nblock = sn_teamFromInt(nblock, 0);
  SN_FOR(k, x->nblock) SN_ALONE prepareBlock(x, x->block[k]);
  SN_SYNC();
}

// All rows of a contact with friction have one state. Forces that slide lie on the cone up to rounding.
static void contactStates(const Xpbd* x, int row) {
  const snData* d = x->d;
  const snReal* force = x->force + row;
  int tangents = tangentsOf(d, row);
  if (!tangents) return;
  snReal square = 0, least = (1 - (snReal)1e-6) * force[0];
  for (int j = 0; j < tangents; j++) {
    snReal scaled = force[j + 1] / d->contact[d->efc_id[row]].friction[j];
    square += scaled * scaled;
  }
  int slides = square > least * least && d->efc_type[row] == snCNSTR_CONTACT_ELLIPTIC;
  int active = slides ? snCNSTRSTATE_CONE : snCNSTRSTATE_QUADRATIC;
  for (int i = row; i < row + blockRows(d, row); i++) {
    d->efc_state[i] = force[0] > 0 ? active : snCNSTRSTATE_SATISFIED;
  }
}

// forces, accelerations, and the velocity that belongs to positions alone: the path over h less the final velocity
static void finish(const Xpbd* x, int sweeps) {
  snData* d = x->d;
  snReal h = x->m->opt.timestep;
  int nchange;
  for (int i = 0; i < d->nefc; i++) {
    d->efc_force[i] = x->force[i] / x->n;
    x->path[i] = x->path[i] / h - h * d->efc_force[i];
  }
  for (int k = 0; k < x->nblock; k++) {
    int row = x->block[k];
    if (!pyramidEdges(d, row)) continue;
    joinEdges(d->contact + d->efc_id[row], d->efc_force + row);
    joinEdges(d->contact + d->efc_id[row], x->path + row);
  }
  sn_mulJacTVec(x->m, d, d->qvel_shift, x->path);
  sn_solveInertia(x->m, d, d->qvel_shift);
  sn_dualStates(d, d->efc_state, &nchange);
  for (int k = 0; k < x->nblock; k++) contactStates(x, x->block[k]);
  sn_finishDual(x->m, d);
  d->solver_niter[0] = sweeps;
  d->solver_nnz[0] = x->B.total;
}

int sn_solveXPBD(const snModel* m, snData* d) {
  SN_ASSERT(d->nefc > 0);
  Xpbd x;
  x.m = m;
  x.d = d;
  SN_FOR(i, m->nv) d->qvel_shift[i] = 0;
  SN_SYNC();
  if (!(m->opt.timestep > 0)) return 0;
  x.compliance = m->nxpbd ? snu_max(0, m->xpbd_compliance[0]) : 0;
  if (!allocate(&x)) return 0;
  prepare(&x);
  int n = m->nxpbd ? m->xpbd_substeps[0] : 1, sweeps = 0;
  x.n = n < 1 ? 1 : n > MAX_SUBSTEPS ? MAX_SUBSTEPS : n;
  x.s = m->opt.timestep / x.n;
  if (!(m->opt.disableflags & snDSBL_WARMSTART)) warmStart(&x);
  addRows(&x, x.s, x.force, x.w);
  for (int k = 0; k < x.n; k++) {
    sweeps += solveVelocities(&x);
    sweeps += solvePositions(&x);
  }
  SN_SOLO(finish(&x, sweeps));
  return 1;
}
