// Newton and conjugate gradients on the primal problem.

#include <string.h>

#include "base/arena.h"
#include "engine/solver.h"
#include "math/decomp.h"
#include "math/math.h"
#include "math/sparse.h"

static int allocate(snPrimal* p) {
  snData* d = p->d;
  int nv = p->nv, cg = !p->newton;
  snReal* reals = SN_STACK(d, snReal, (size_t)(cg ? 6 : 4) * nv + p->rows.nefc);
  p->oldstate = SN_STACK(d, int, p->rows.nefc);
  if (!reals || !p->oldstate) return 0;
  p->grad = reals;
  p->Mgrad = reals + nv;
  p->search = reals + 2 * nv;
  p->Ms = reals + 3 * nv;
  p->gradold = cg ? reals + 4 * nv : p->grad;
  p->Mgradold = cg ? reals + 5 * nv : p->Mgrad;
  p->v = reals + (cg ? 6 : 4) * nv;
  return cg || sn_hessianAllocate(p);
}

static void mulInertia(const snPrimal* p, snReal* res, const snReal* vec) {
  sn_mulTree(res, p->M, vec, p->nv, p->M_rownnz, p->M_rowadr, p->M_colind);
}

// sum of (a - b)(c - d), in four strided partial sums
static snReal dotDifferences(const snReal* a, const snReal* b, const snReal* c, const snReal* d,
                             int n) {
  snReal s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
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
static snReal dotDifference(const snReal* a, const snReal* b, const snReal* c, int n) {
  snReal s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += a[i] * (b[i] - c[i]);
    s1 += a[i + 1] * (b[i + 1] - c[i + 1]);
    s2 += a[i + 2] * (b[i + 2] - c[i + 2]);
    s3 += a[i + 3] * (b[i + 3] - c[i + 3]);
  }
  for (; i < n; i++) s0 += a[i] * (b[i] - c[i]);
  return (s0 + s2) + (s1 + s3);
}

// forces, states and cost at the current acceleration
static void evaluate(snPrimal* p) {
  snReal cost = sn_rowCost(&p->rows, p->x, p->force, p->state, p->newton);
  sn_mulRowsTVec(p->frc_constraint, &p->J, p->force, p->rows.nefc, p->nv);
  p->gauss = (snReal)0.5 * dotDifferences(p->Ma, p->frc_smooth, p->acc, p->acc_smooth, p->nv);
  p->cost = cost + p->gauss;
}

static void gradient(snPrimal* p) {
  SN_FOR(i, p->nv) p->grad[i] = p->Ma[i] - p->frc_smooth[i] - p->frc_constraint[i];
  SN_SYNC();
}

static void precondition(snPrimal* p) {
  snu_copy(p->Mgrad, p->grad, p->nv);
  if (p->newton) {
    sn_solveHessian(&p->H, p->Mgrad, p->Ms);
  } else {
    sn_solveTree(p->Mgrad, p->LD, p->LDiagInv, p->nv, p->nv, 1, p->M_rownnz, p->M_rowadr,
                 p->M_colind, NULL);
  }
}

// Polak-Ribiere, restarted when negative
static void direction(snPrimal* p) {
  int nv = p->nv;
  snReal beta = 0;
  if (!p->newton) {
    beta = dotDifference(p->grad, p->Mgrad, p->Mgradold, nv) /
           snu_max((snReal)snMINVAL, snu_dot(p->gradold, p->Mgradold, nv));
    beta = snu_max(0, beta);
  }
  if (beta > 0) {
    for (int i = 0; i < nv; i++) p->search[i] = beta * p->search[i] - p->Mgrad[i];
  } else {
    for (int i = 0; i < nv; i++) p->search[i] = -p->Mgrad[i];
  }
}

static void move(snPrimal* p, snReal alpha) {
  snu_addToScl(p->acc, p->search, alpha, p->nv);
  snu_addToScl(p->Ma, p->Ms, alpha, p->nv);
  snu_addToScl(p->x, p->v, alpha, p->rows.nefc);
}

snSolverStat* sn_solverStat(snData* d, int island, int iter) {
  if (island >= snNISLAND || iter >= snNSOLVER) return NULL;
  return d->solver + island * snNSOLVER + iter;
}

static void record(snPrimal* p, snReal improvement, snReal gradnorm) {
  snSolverStat* stat = sn_solverStat(p->d, p->island, p->niter);
  if (!stat) return;
  stat->improvement = improvement;
  stat->gradient = gradnorm;
  stat->lineslope = p->slope;
  stat->nactive = stat->nchange = 0;
  for (int i = 0; i < p->rows.nefc; i++) {
    stat->nactive += p->state[i] != snCNSTRSTATE_SATISFIED;
    stat->nchange += p->state[i] != p->oldstate[i];
  }
  stat->neval = p->neval;
  stat->nupdate = p->newton ? sn_hessianChange(p) : 0;
}

// one iteration; returns whether to go on
static int iterate(snPrimal* p) {
  const snOption* opt = &p->m->opt;
  mulInertia(p, p->Ms, p->search);
  sn_mulRowsVec(p->v, &p->J, p->search, p->rows.nefc);
  snReal alpha = sn_lineSearch(p, opt->tolerance, opt->ls_tolerance, opt->ls_iterations);
  if (alpha == 0) return 0;
  move(p, alpha);

  snReal oldcost = p->cost;
  memcpy(p->oldstate, p->state, (size_t)p->rows.nefc * sizeof(int));
  evaluate(p);
  if (!p->newton) {
    snu_copy(p->gradold, p->grad, p->nv);
    snu_copy(p->Mgradold, p->Mgrad, p->nv);
  }
  gradient(p);

  snReal improvement = p->scale * (oldcost - p->cost);
  snReal gradnorm = p->scale * snu_norm(p->grad, p->nv);
  record(p, improvement, gradnorm);
  p->niter++;
  if (improvement < opt->tolerance || gradnorm < opt->tolerance) return 0;

  // the Hessian is brought up to date only when it is needed
  if (p->newton) sn_hessianUpdate(p);
  precondition(p);
  direction(p);
  return 1;
}

int sn_solvePrimal(snPrimal* p, int iterations) {
  p->niter = 0;
  if (!allocate(p)) return 0;
  evaluate(p);
  if (p->newton) sn_hessianBuild(p);
  gradient(p);
  precondition(p);
  for (int i = 0; i < p->nv; i++) p->search[i] = -p->Mgrad[i];
  int more = 1;
  while (more && p->niter < iterations) more = iterate(p);
  if (more) p->d->status |= snSTATUS_NOTCONVERGED;
  return 1;
}
