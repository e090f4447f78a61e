// Newton and conjugate gradients on the primal problem.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/constrain/row_value.h"
#include "engine/solve/solver.h"
#include "math/decomp.h"
#include "math/four.h"
#include "math/math.h"
#include "math/sparse.h"

// Does a team solve the problem with dense tiles? A macro, so that builds without teams have the constant 0 and need
// nothing of lanes/dense.c, even without optimisation.
#define tiled(p) (SN_LANES > 1 && (p)->newton)

// the columns of the rows, for a team
static int listColumns(snPrimal* p) {
  int n = p->rows.nefc, count = sn_countEntries(&p->J, n);
  int* ints = SN_STACK(p->d, int, (size_t)p->nv + 1 + 2 * (size_t)count);
  if (!ints) return 0;
  int* row = ints + p->nv + 1;
  sn_listColumns(&p->J, n, p->nv, ints, row, row + count);
  return 1;
}

static int allocate(snPrimal* p) {
  snData* d = p->d;
  int nv = p->nv, cg = !p->newton;
  if (tiled(p)) return sn_denseAllocate(p);
  snReal* reals = SN_STACK(d, snReal, (size_t)(cg ? 6 : 4) * nv + p->rows.nefc);
  p->oldstate = SN_STACK(d, int, p->rows.nefc);
  p->coneLine = p->cones ? SN_STACK(d, snConeLine, p->rows.nefc / 2 + 1) : NULL;
  if (!reals || !p->oldstate || (p->cones && !p->coneLine)) return 0;
  p->grad = reals;
  p->Mgrad = reals + nv;
  p->search = reals + 2 * nv;
  p->Ms = reals + 3 * nv;
  p->gradold = cg ? reals + 4 * nv : p->grad;
  p->Mgradold = cg ? reals + 5 * nv : p->Mgrad;
  p->v = reals + (cg ? 6 : 4) * nv;
  return !cg || SN_LANES == 1 || listColumns(p);
}

// sum of (a - b)(c - d), in four strided partial sums
SN_WIDE(static, snReal, dotDifferences,
        (const snReal* a, const snReal* b, const snReal* c, const snReal* d, int n),
        (a, b, c, d, n)) {
  snReal s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  if (SN_LANES > 1) {
    SN_FOR(k, n) s0 += (a[k] - b[k]) * (c[k] - d[k]);
    return sn_teamSum(s0);
  }
  for (; i + 4 <= n; i += 4) {
    s0 += (a[i] - b[i]) * (c[i] - d[i]);
    s1 += (a[i + 1] - b[i + 1]) * (c[i + 1] - d[i + 1]);
    s2 += (a[i + 2] - b[i + 2]) * (c[i + 2] - d[i + 2]);
    s3 += (a[i + 3] - b[i + 3]) * (c[i + 3] - d[i + 3]);
  }
  for (; i < n; i++) s0 += (a[i] - b[i]) * (c[i] - d[i]);
  return (s0 + s2) + (s1 + s3);
}

// sum of a (b - c), likewise
SN_WIDE(static, snReal, dotDifference, (const snReal* a, const snReal* b, const snReal* c, int n),
        (a, b, c, n)) {
  snReal s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  if (SN_LANES > 1) {
    SN_FOR(k, n) s0 += a[k] * (b[k] - c[k]);
    return sn_teamSum(s0);
  }
  for (; i + 4 <= n; i += 4) {
    s0 += a[i] * (b[i] - c[i]);
    s1 += a[i + 1] * (b[i + 1] - c[i + 1]);
    s2 += a[i + 2] * (b[i + 2] - c[i + 2]);
    s3 += a[i + 3] * (b[i + 3] - c[i + 3]);
  }
  for (; i < n; i++) s0 += a[i] * (b[i] - c[i]);
  return (s0 + s2) + (s1 + s3);
}

SN_WIDE(static, snReal, dot, (const snReal* a, const snReal* b, int n), (a, b, n)) {
  if (SN_LANES == 1) return snu_dot(a, b, n);
  snReal sum = 0;
  SN_FOR(i, n) sum += a[i] * b[i];
  return sn_teamSum(sum);
}

// forces, states and cost at the current acceleration
SN_WIDE(static SN_OUTLINE, void, evaluate, (snPrimal * p), (p)) {
  snReal cost = sn_rowCost(&p->rows, p->x, p->force, p->state, p->newton);
  if (tiled(p)) {
    sn_denseMulTVec(p);
  } else {
    sn_mulRowsTVec(p->frc_constraint, &p->J, p->force, p->rows.nefc, p->nv);
  }
  p->gauss = (snReal)0.5 * dotDifferences(p->Ma, p->frc_smooth, p->acc, p->acc_smooth, p->nv);
  p->cost = cost + p->gauss;
}

SN_WIDE(static, void, gradient, (snPrimal * p), (p)) {
  SN_FOR(i, p->nv) p->grad[i] = p->Ma[i] - p->frc_smooth[i] - p->frc_constraint[i];
  SN_SYNC();
}

// One lane: the gradient, and its product with itself as snu_dot has it.
SN_WIDE(static, snReal, gradientSquare, (snPrimal * p), (p)) {
  const snReal *Ma = p->Ma, *smooth = p->frc_smooth, *constraint = p->frc_constraint;
  snReal* grad = p->grad;
  int i = 0, n = p->nv;
#if SN_HAS_FOUR
  snFour s = {0, 0, 0, 0};
  for (; i + 4 <= n; i += 4) {
    snFour g = SN_LOAD4(Ma + i) - SN_LOAD4(smooth + i) - SN_LOAD4(constraint + i);
    *(snFour*)(grad + i) = g;
    s += g * g;
  }
  for (int k = i; k < n; k++) grad[k] = Ma[k] - smooth[k] - constraint[k];
  return sn_addRest(SN_SUM4(s), grad + i, grad + i, n - i);
#else
  for (; i < n; i++) grad[i] = Ma[i] - smooth[i] - constraint[i];
  return snu_dot(grad, grad, n);
#endif
}

static SN_OUTLINE void precondition(snPrimal* p) {
  if (tiled(p)) {
    sn_denseSolve(p, p->grad);
    return;
  }
  SN_FOR(i, p->nv) p->Mgrad[i] = p->grad[i];
  SN_SYNC();
  if (p->newton) {
    sn_solveHessian(&p->H, p->Mgrad, p->Ms);
  } else {
    sn_solveTree(p->Mgrad, p->LD, p->LDiagInv, p->nv, p->nv, 1, p->M_rownnz, p->M_rowadr,
                 p->M_colind, NULL);
  }
}

// One lane: dotDifference(grad, Mgrad, Mgradold) and the product of gradold and Mgradold, in one loop.
SN_WIDE(static, snReal, turn, (const snPrimal* p, snReal* before), (p, before)) {
  const snReal *grad = p->grad, *M = p->Mgrad, *old = p->gradold, *Mold = p->Mgradold;
#if SN_HAS_FOUR
  int i = 0, n = p->nv;
  snFour s = {0, 0, 0, 0}, t = s;
  for (; i + 4 <= n; i += 4) {
    snFour m = SN_LOAD4(Mold + i);
    s += SN_LOAD4(grad + i) * (SN_LOAD4(M + i) - m);
    t += SN_LOAD4(old + i) * m;
  }
  *before = sn_addRest(SN_SUM4(t), old + i, Mold + i, n - i);
  snReal s0 = s[0];
  for (; i < n; i++) s0 += grad[i] * (M[i] - Mold[i]);
  return (s0 + s[2]) + (s[1] + s[3]);
#else
  *before = snu_dot(old, Mold, p->nv);
  return dotDifference(grad, M, Mold, p->nv);
#endif
}

// Polak-Ribiere, restarted when negative
SN_WIDE(static, void, direction, (snPrimal * p), (p)) {
  int nv = p->nv;
  snReal beta = 0;
  if (!p->newton) {
    snReal before, change;
    if (SN_LANES == 1) {
      change = turn(p, &before);
    } else {
      change = dotDifference(p->grad, p->Mgrad, p->Mgradold, nv);
      before = dot(p->gradold, p->Mgradold, nv);
    }
    beta = snu_max(0, change / snu_max((snReal)snMINVAL, before));
  }
  snReal* SN_RESTRICT search = p->search;
  const snReal* SN_RESTRICT Mgrad = p->Mgrad;
  if (beta > 0) {
    SN_FOR(i, nv) search[i] = beta * search[i] - Mgrad[i];
  } else {
    SN_FOR(i, nv) search[i] = -Mgrad[i];
  }
  SN_SYNC();
}

// by a team: each lane moves its own dofs and rows
static void shareMove(snPrimal* p, snReal alpha) {
  SN_ASSERT(SN_LANES > 1 && p->search && p->v);
  SN_FOR(i, p->nv) {
    p->acc[i] += p->search[i] * alpha;
    p->Ma[i] += p->Ms[i] * alpha;
  }
  SN_FOR(i, p->rows.nefc) {
    p->x[i] += p->v[i] * alpha;
    p->oldstate[i] = p->state[i];
  }
  SN_SYNC();
}

// One lane: accelerations and their forces; returns dotDifferences(Ma, frc_smooth, acc, acc_smooth) there.
SN_WIDE(static, snReal, moveDofs, (snPrimal * p, snReal alpha), (p, alpha)) {
  snReal *SN_RESTRICT acc = p->acc, *SN_RESTRICT Ma = p->Ma;
  const snReal *search = p->search, *Ms = p->Ms, *frc = p->frc_smooth, *smooth = p->acc_smooth;
  snReal s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0, n = p->nv;
#if SN_HAS_FOUR
  snFour s = {0, 0, 0, 0};
  for (; i + 4 <= n; i += 4) {
    snFour a = SN_LOAD4(acc + i) + SN_LOAD4(search + i) * alpha;
    snFour f = SN_LOAD4(Ma + i) + SN_LOAD4(Ms + i) * alpha;
    *(snFour*)(acc + i) = a;
    *(snFour*)(Ma + i) = f;
    s += (f - SN_LOAD4(frc + i)) * (a - SN_LOAD4(smooth + i));
  }
  s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
#endif
  for (int k = i; k < n; k++) {
    acc[k] += search[k] * alpha;
    Ma[k] += Ms[k] * alpha;
  }
  if (!SN_HAS_FOUR) return dotDifferences(Ma, frc, acc, smooth, n);
  for (; i < n; i++) s0 += (Ma[i] - frc[i]) * (acc[i] - smooth[i]);
  return (s0 + s2) + (s1 + s3);
}

// One lane: a step along the search direction. Returns the square of the gradient there.
static snReal moveAlone(snPrimal* p, snReal alpha) {
  snReal cost;
  snReal gauss = (snReal)0.5 * moveDofs(p, alpha);
  if (p->cones) {
    for (int i = 0; i < p->rows.nefc; i++) p->x[i] += p->v[i] * alpha;
    for (int i = 0; i < p->rows.nefc; i++) p->oldstate[i] = p->state[i];
    cost = sn_rowCost(&p->rows, p->x, p->force, p->state, p->newton);
  } else {
    cost = sn_moveRows(&p->rows, p->x, p->v, alpha, p->force, p->state, p->oldstate);
  }
  sn_mulRowsTVec(p->frc_constraint, &p->J, p->force, p->rows.nefc, p->nv);
  p->gauss = gauss;
  p->cost = cost + gauss;
  if (!p->newton) {  // the old arrays are overwritten
    snReal *grad = p->grad, *Mgrad = p->Mgrad;
    p->grad = p->gradold;
    p->Mgrad = p->Mgradold;
    p->gradold = grad;
    p->Mgradold = Mgrad;
  }
  return gradientSquare(p);
}

static SN_OUTLINE void record(snPrimal* p, snReal improvement, snReal gradnorm) {
  SN_ASSERT(p->island >= 0 && p->niter >= 0);
  snSolverStat* stat = sn_solverStat(p->d, p->island, p->niter);
  if (!stat) return;
  int nactive = 0, nchange = 0, nupdate = 0, ne = p->rows.ne;  // equalities are always active
  SN_FOR(k, p->rows.nefc - ne) {
    int now = p->state[ne + k], old = p->oldstate[ne + k];
    nactive += now != snCNSTRSTATE_SATISFIED;
    nchange += now != old;
    nupdate += ((now == snCNSTRSTATE_QUADRATIC) != (old == snCNSTRSTATE_QUADRATIC)) +
               (now == snCNSTRSTATE_CONE);
  }
  if (SN_LANES > 1) {
    snReal a = (snReal)nactive, b = (snReal)nchange, c = (snReal)nupdate;
    sn_teamSum3(&a, &b, &c);
    nactive = (int)a, nchange = (int)b, nupdate = (int)c;
    if (SN_LANE) return;
  }
  stat->improvement = improvement;
  stat->gradient = gradnorm;
  stat->lineslope = p->slope;
  stat->nactive = ne + nactive;
  stat->nchange = nchange;
  stat->neval = p->neval;
  stat->nupdate = p->newton ? nupdate : 0;
}

static void updateHessian(snPrimal* p, int fresh) {
  if (tiled(p)) {
    sn_denseHessian(p, fresh);
  } else if (fresh) {
    sn_hessianBuild(p);
  } else {
    sn_hessianUpdate(p);
  }
}

// Rounding error of the gradient in single precision, estimated from the forces whose difference it is.
static snReal gradientNoise(const snPrimal* p) {
  if (sizeof(snReal) > 4) return 0;
  snReal sum = 0;
  SN_FOR(i, p->nv) {
    sum += p->Ma[i] * p->Ma[i] + p->frc_smooth[i] * p->frc_smooth[i] +
           p->frc_constraint[i] * p->frc_constraint[i];
  }
  return (snReal)1e-6 * snu_sqrt(sn_teamSum(sum));
}

// a step along the search direction; returns the square of the gradient there
static snReal advance(snPrimal* p, snReal alpha) {
  if (SN_LANES == 1) return moveAlone(p, alpha);
  shareMove(p, alpha);
  evaluate(p);
  if (!p->newton) {
    SN_FOR(i, p->nv) p->gradold[i] = p->grad[i];
    SN_FOR(i, p->nv) p->Mgradold[i] = p->Mgrad[i];
  }
  gradient(p);
  return dot(p->grad, p->grad, p->nv);
}

// one iteration; returns whether to go on
static int iterate(snPrimal* p) {
  const snOption* opt = &p->m->opt;
  snReal tolerance = sn_solverTolerance(opt);
  if (tiled(p)) {
    sn_denseMulInertia(p);
    sn_denseMulVec(p);
  } else {
    sn_mulTree(p->Ms, p->M, p->search, p->nv, p->M_rownnz, p->M_rowadr, p->M_colind);
    sn_mulRowsVec(p->v, &p->J, p->search, p->rows.nefc);
  }
  snReal alpha = sn_lineSearch(p, tolerance, opt->ls_tolerance, opt->ls_iterations);
  if (alpha == 0) return 0;
  snReal oldcost = p->cost;
  snReal square = advance(p, alpha);

  snReal improvement = p->scale * (oldcost - p->cost);
  snReal gradnorm = p->scale * snu_sqrt(square);
  record(p, improvement, gradnorm);
  p->niter++;
  if (improvement < tolerance || gradnorm < tolerance) return 0;
  if (gradnorm < p->scale * gradientNoise(p)) return 0;

  // the Hessian is brought up to date only when it is needed
  if (p->newton) updateHessian(p, 0);
  precondition(p);
  direction(p);
  return 1;
}

static int hasCones(const snRowCost* rows) {
  int some = 0;
  for (int i = rows->ne + rows->nf; i < rows->nefc; i++) {
    some |= rows->type[i] == snCNSTR_CONTACT_ELLIPTIC;
  }
  return some;
}

static SN_OUTLINE int minimise(snPrimal* p, int iterations) {
  p->niter = 0;
  p->cones = SN_LANES == 1 && hasCones(&p->rows);
  if (!allocate(p)) return 0;
  if (SN_LANES == 1 && !p->newton && p->rows.strided) {
    int* pairs = SN_STACK(p->d, int, p->rows.nefc);
    if (!pairs) return 0;
    sn_findPairs(&p->J, p->rows.nefc, pairs);
    p->J.pairs = pairs;
  }
  evaluate(p);
  gradient(p);
  if (SN_LANES == 1) {
    for (int i = 0; i < p->rows.ne; i++) p->oldstate[i] = p->state[i];
  }
  if (p->newton && !tiled(p)) {
    // where the gradient is zero nothing moves, whatever the Hessian
    if (iterations > 0 && snu_isZero(p->grad, p->nv)) {
      p->H.natural = sn_hessianNatural(p);
      return 1;
    }
    if (!sn_hessianAllocate(p)) return 0;
  }
  if (p->newton) updateHessian(p, 1);
  precondition(p);
  SN_FOR(i, p->nv) p->search[i] = -p->Mgrad[i];
  SN_SYNC();
  int more = 1;
  while (more && p->niter < iterations) more = iterate(p);
  SN_ONE if (more) p->d->status |= snSTATUS_NOTCONVERGED;
  return 1;
}

#ifdef SN_TEAM
// Non-zeros of the Hessian, for the statistics. One lane would take long to count them: a GPU leaves them at zero.
static void countNatural(snPrimal* p) {
#ifdef SN_DEVICE
  p->H.natural = 0;
#else
  p->H.natural = sn_hessianNatural(p);
#endif
}

// A problem that is too large for the dense tiles is solved by the first lane. A problem for which only the arena is
// too small is not: a batch repeats the step with a larger arena, and results must not depend on the size of the arena.
static int shareSolve(snPrimal* p, int iterations) {
  int solved = p->newton && SN_LANES == 32 && sn_newtonOfPrimal(p, iterations);
  if (!solved) {
    sn_markStack(p->d);
    solved = minimise(p, iterations);
    sn_freeStack(p->d);
  }
  SN_ONE {
    if (!solved) {
      if (!p->newton || sn_denseFits(p->nv)) {
        sn_warning(p->d, snWARN_CNSTRFULL, (int)p->d->narena);
      }
      solved = minimise(p, iterations);
    } else if (p->newton && sn_isSparse(p->m)) {
      countNatural(p);
    }
  }
  SN_SYNC();
  return sn_teamFromInt(solved, 0);
}
#endif

int sn_solvePrimal(snPrimal* p, int iterations) {
  SN_ASSERT(p->nv > 0 && p->nv <= p->m->nv && p->acc && p->Ma && p->x);
  SN_ASSERT(p->rows.nefc <= p->d->nefc && p->rows.ne + p->rows.nf <= p->rows.nefc);
#ifdef SN_TEAM
  if (SN_LANES > 1) return shareSolve(p, iterations);
#endif
  return minimise(p, iterations);
}
