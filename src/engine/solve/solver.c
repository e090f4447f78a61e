// The constraint stage: from the unconstrained to the constrained acceleration.

#include "engine/solve/solver.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/smooth/inertia.h"
#include "engine/step/plan.h"
#include "engine/step/timer.h"
#include "math/math.h"
#include "sinew/contactsolver.h"

// ---- warm start ----------------------------------------------------------------------------------

// J acc - aref
static void residual(const snModel* m, const snData* d, snReal* res, const snReal* acc) {
  sn_mulJacVec(m, d, res, acc);
  SN_FOR(i, d->nefc) res[i] -= d->efc_aref[i];
  SN_SYNC();
}

// Work of the start that threads share, divided into parts of rows and of trees.
struct Products_ {
  snReal *Ma, *x;
  int count;
};
typedef struct Products_ Products;

static int dofOfPart(const snModel* m, int part, int count) {
  int tree = (int)(m->ntree * part / count);
  return tree < (int)m->ntree ? m->tree_dofadr[tree] : (int)m->nv;
}

static void multiplyRows(snData* view, snReal* x, int row, int last) {
  snRows J = sn_rowsFrom(view, row);
  sn_mulRowsVec(view->efc_b + row, &J, view->qacc_smooth, last - row);
  sn_mulRowsVec(x + row, &J, view->qacc_warmstart, last - row);
  for (int i = row; i < last; i++) view->efc_b[i] -= view->efc_aref[i];
  for (int i = row; i < last; i++) x[i] -= view->efc_aref[i];
}

static void multiplyPart(const snModel* m, snData* view, void* context, int begin, int end) {
  const Products* p = (const Products*)context;
  int dof = dofOfPart(m, begin, p->count), last_dof = dofOfPart(m, end, p->count);
  snRange range[3];
  sn_rowsOfParts(m, view, begin, end, p->count, range);
  for (int k = 0; k < 3; k++) multiplyRows(view, p->x, range[k].begin, range[k].end);
  sn_mulTreeRows(p->Ma, view->M, view->qacc_warmstart, dof, last_dof, m->M_rownnz, m->M_rowadr,
                 m->M_colind);
}

enum { START_PARTS = 16, LEAST_ROWS = 64, LEAST_COSTS = 512 };  // rows that threads share

// By a crew; 0: nothing was done. The inertia of the spring-damper integrator may couple trees.
static int multiplyShared(const snModel* m, snData* d, snReal* Ma, snReal* x) {
  Products products = {Ma, x, START_PARTS};
  return sn_hasCrew(d) && m->ntree >= START_PARTS && d->nefc >= LEAST_ROWS && !d->nMs &&
         sn_share(m, d, START_PARTS, 1, multiplyPart, &products);
}

// Residuals of the rows at the unconstrained and at the last acceleration, and M times the latter.
static void multiplyStarts(const snModel* m, snData* d, snReal* Ma, snReal* x) {
  if (multiplyShared(m, d, Ma, x)) return;
  residual(m, d, d->efc_b, d->qacc_smooth);
  residual(m, d, x, d->qacc_warmstart);
  sn_mulInertia(m, d, Ma, d->qacc_warmstart);
}

// Costs of the last acceleration and of the unconstrained one. Both evaluations write forces and states of the rows;
// those of the second remain.
struct Costs_ {
  snRowCost rows;
  const snReal *Ma, *x;
  snReal* force;  // of the first
  int* state;
  snReal cost[2];
};
typedef struct Costs_ Costs;

static snReal costOfLast(const snModel* m, const snData* d, const Costs* c) {
  snReal gauss = 0;
  SN_FOR(i, m->nv) {
    gauss += (c->Ma[i] - d->qfrc_smooth[i]) * (d->qacc_warmstart[i] - d->qacc_smooth[i]);
  }
  gauss = sn_teamSum(gauss);
  return sn_rowCost(&c->rows, c->x, c->force, c->state, 0) + (snReal)0.5 * gauss;
}

static void someCosts(const snModel* m, snData* d, void* context, int begin, int end) {
  Costs* c = (Costs*)context;
  if (!begin) c->cost[0] = costOfLast(m, d, c);
  if (end > 1) c->cost[1] = sn_rowCost(&c->rows, d->efc_b, d->efc_force, d->efc_state, 0);
}

// Does the last acceleration cost less than the unconstrained one? With two threads each needs forces and states of its
// own.
static int startsWarm(const snModel* m, snData* d, const snReal* Ma, const snReal* x) {
  Costs c = {sn_allRows(m, d), Ma, x, d->efc_force, d->efc_state, {0, 0}};
  int few = d->nefc < LEAST_COSTS || !sn_hasCrew(d);
  sn_markStack(d);
  if (!few) {
    c.force = SN_STACK(d, snReal, d->nefc);
    c.state = SN_STACK(d, int, d->nefc);
    few = !c.force || !c.state;
  }
  if (few || !sn_share(m, d, 2, 1, someCosts, &c)) {
    c.force = d->efc_force;
    c.state = d->efc_state;
    someCosts(m, d, &c, 0, 2);
  }
  sn_freeStack(d);
  return !(c.cost[0] > c.cost[1]);
}

// Where the primal solvers start: the last acceleration or the unconstrained one, whichever costs
// less, is returned. Leaves M qacc in Ma and the residual of the rows in x.
static const snReal* startPrimal(const snModel* m, snData* d, snReal* Ma, snReal* x) {
  int nv = (int)m->nv, nefc = d->nefc, warm = !(m->opt.disableflags & snDSBL_WARMSTART);
  if (warm) {
    multiplyStarts(m, d, Ma, x);
    warm = startsWarm(m, d, Ma, x);
  } else {
    snRowCost rows = sn_allRows(m, d);
    residual(m, d, d->efc_b, d->qacc_smooth);
    sn_rowCost(&rows, d->efc_b, d->efc_force, d->efc_state, 0);
  }
  if (warm) {
    SN_FOR(i, nv) d->qacc[i] = d->qacc_warmstart[i];
  } else {
    SN_FOR(i, nv) d->qacc[i] = d->qacc_smooth[i];
    SN_FOR(i, nefc) x[i] = d->efc_b[i];
    SN_SYNC();
    sn_mulInertia(m, d, Ma, d->qacc);
  }
  SN_SYNC();
  return warm ? d->qacc_warmstart : d->qacc_smooth;
}

// PGS starts from the forces of the last acceleration when their dual cost is negative, otherwise from zero. Leaves AR
// times the forces in x.
static void startDual(const snModel* m, snData* d, snReal* x) {
  snu_copy(d->qacc, d->qacc_smooth, (int)m->nv);
  if (!(m->opt.disableflags & snDSBL_WARMSTART)) {
    snRowCost rows = sn_allRows(m, d);
    residual(m, d, x, d->qacc_warmstart);
    sn_rowCost(&rows, x, d->efc_force, d->efc_state, 0);
    if (!(sn_dualCost(d, x) > 0)) return;
  }
  snu_zero(d->efc_force, d->nefc);
  snu_zero(x, d->nefc);
}

// ---- primal problems -----------------------------------------------------------------------------

// statistics of a solution
static void countWork(const snPrimal* p) {
  SN_ONE if (p->island < snNISLAND) {
    p->d->solver_niter[p->island] = p->niter;
    p->d->solver_nnz[p->island] = p->newton ? sn_isSparse(p->m) ? p->H.natural : p->nv * p->nv : 0;
  }
}

// Dofs outside of islands move freely.
static void freeOtherDofs(const snModel* m, snData* d) {
  SN_FOR(k, m->nv - d->nidof) {
    int dof = d->map_idof2dof[d->nidof + k];
    d->qacc[dof] = d->qacc_smooth[dof];
  }
  SN_SYNC();
}

// Sets the members that solving reads before it sets them. One lane does not clear the rest, which takes as long as
// solving a small island.
static void beginProblem(const snModel* m, snData* d, snPrimal* p) {
  if (SN_LANES > 1) memset(p, 0, sizeof(*p));
  p->m = m;
  p->d = d;
  p->newton = m->opt.solver == snSOL_NEWTON;
  p->island = p->neval = p->H.natural = 0;
  p->dofs = NULL;
}

static int solveWhole(const snModel* m, snData* d, snReal* Ma, snReal* x) {
  if (d->nisland > 0 && d->nidof < (int)m->nv) {
    freeOtherDofs(m, d);
    sn_mulInertia(m, d, Ma, d->qacc);
    SN_SYNC();
  }
  snInertia inertia = sn_systemInertia(m, d);
  snPrimal p;
  beginProblem(m, d, &p);
  p.nv = (int)m->nv;
  p.rows = sn_allRows(m, d);
  p.J = sn_constraintRows(d);
  p.M_rownnz = inertia.rownnz;
  p.M_rowadr = inertia.rowadr;
  p.M_colind = inertia.colind;
  p.M = inertia.M;
  p.LD = inertia.LD;
  p.LDiagInv = inertia.LDiagInv;
  p.frc_smooth = d->qfrc_smooth;
  p.acc_smooth = d->qacc_smooth;
  p.scale = 1 / (m->stat.meaninertia * (m->nv > 1 ? (snReal)m->nv : 1));
  p.acc = d->qacc;
  p.Ma = Ma;
  p.x = x;
  p.frc_constraint = d->qfrc_constraint;
  p.force = d->efc_force;
  p.state = d->efc_state;

  sn_markStack(d);
  int solved = sn_solvePrimal(&p, m->opt.iterations);
  countWork(&p);
  sn_freeStack(d);
  return solved;
}

// views of one island's part of the island arrays
static snPrimal islandProblem(const snModel* m, snData* d, int island, snReal* Ma, snReal* x) {
  SN_ASSERT_INDEX(island, d->nisland);
  snPrimal p;
  beginProblem(m, d, &p);
  int dof = d->island_idofadr[island], row = d->island_iefcadr[island];
  SN_ASSERT_PART(dof, d->island_nv[island], d->nidof);
  SN_ASSERT_PART(row, d->island_nefc[island], d->nefc);
  p.island = island;
  p.nv = d->island_nv[island];
  p.dofs = d->map_idof2dof + dof;
  p.rows.ne = d->island_ne[island];
  p.rows.nf = d->island_nf[island];
  p.rows.nefc = d->island_nefc[island];
  p.rows.strided = m->nflex > 0;
  p.rows.type = d->iefc_type + row;
  p.rows.id = d->iefc_id + row;
  p.rows.D = d->iefc_D + row;
  p.rows.R = d->iefc_R + row;
  p.rows.frictionloss = d->iefc_frictionloss + row;
  p.rows.contact = d->contact;
  p.J.value = d->iefc_Js;
  p.J.nnz = d->iefc_J_rownnz + row;
  p.J.adr = d->iefc_J_rowadr + row;
  p.J.col = d->iefc_J_colind;
  p.J.super = d->iefc_J_rowsuper + row;
  p.J.pairs = p.J.start = p.J.row = p.J.place = NULL;
  p.M_rownnz = d->iM_rownnz + dof;
  p.M_rowadr = d->iM_rowadr + dof;
  p.M_colind = d->iM_colind;
  p.M = d->iM;
  p.LD = d->iLD;
  p.LDiagInv = d->iLDiagInv + dof;
  p.frc_smooth = d->ifrc_smooth + dof;
  p.acc_smooth = d->iacc_smooth + dof;
  p.acc = d->iacc + dof;
  p.Ma = Ma + dof;
  p.x = x + row;
  p.frc_constraint = d->ifrc_constraint + dof;
  p.force = d->iefc_force + row;
  p.state = d->iefc_state + row;

  snReal trace = 0;
  SN_FOR(i, p.nv) trace += p.M[p.M_rowadr[i] + p.M_rownnz[i] - 1];
  p.scale = 1 / sn_teamSum(trace);
  return p;
}

static void gather(snReal* res, const snReal* vec, const int* map, int n) {
  SN_FOR(i, n) res[i] = vec[map[i]];
}

static void scatter(snReal* res, const snReal* vec, const int* map, int n) {
  SN_FOR(i, n) res[map[i]] = vec[i];
}

static int solveIsland(const snModel* m, snData* d, int island, snReal* iMa, snReal* ix) {
  snPrimal p = islandProblem(m, d, island, iMa, ix);
  sn_markStack(d);
  int solved = sn_solvePrimal(&p, m->opt.iterations);
  countWork(&p);
  sn_freeStack(d);
  return solved;
}

// What the solver starts from: by dof and row of the world, and in the order of islands.
struct Start_ {
  snData* d;
  const snReal *acc, *Ma, *x;
  snReal *iMa, *ix;
  int* order;  // of islands, for a crew
};
typedef struct Start_ Start;

// Copies start and forces of n dofs and of rows into the order of islands.
static void gatherStart(const snData* d, const Start* start, int dof, int ndof, int row, int nrow) {
  const int *dofs = d->map_idof2dof + dof, *rows = d->map_iefc2efc + row;
  gather(d->ifrc_smooth + dof, d->qfrc_smooth, dofs, ndof);
  gather(d->iacc_smooth + dof, d->qacc_smooth, dofs, ndof);
  gather(d->iefc_aref + row, d->efc_aref, rows, nrow);
  gather(d->iacc + dof, start->acc, dofs, ndof);
  gather(start->iMa + dof, start->Ma, dofs, ndof);
  gather(start->ix + row, start->x, rows, nrow);
  SN_SYNC();
}

static void scatterSolution(snData* d, int dof, int ndof, int row, int nrow) {
  const int *dofs = d->map_idof2dof + dof, *rows = d->map_iefc2efc + row;
  scatter(d->qacc, d->iacc + dof, dofs, ndof);
  scatter(d->qfrc_constraint, d->ifrc_constraint + dof, dofs, ndof);
  scatter(d->efc_force, d->iefc_force + row, rows, nrow);
}

static int solveInOrder(const snModel* m, snData* d, const Start* start) {
  int solved = 1;
  gatherStart(d, start, 0, d->nidof, 0, d->nefc);
  for (int island = 0; island < d->nisland; island++) {
    solved &= solveIsland(m, d, island, start->iMa, start->ix);
  }
  scatterSolution(d, 0, d->nidof, 0, d->nefc);
  return solved;
}

static void copyStatistics(snData* d, const snData* view, int island) {
  SN_ASSERT_INDEX(island, d->nisland);
  if (island >= snNISLAND) return;
  int count = view->solver_niter[island] < snNSOLVER ? view->solver_niter[island] : snNSOLVER;
  d->solver_niter[island] = view->solver_niter[island];
  d->solver_nnz[island] = view->solver_nnz[island];
  memcpy(d->solver + island * snNSOLVER, view->solver + island * snNSOLVER,
         (size_t)count * sizeof(snSolverStat));
}

static void solveSome(const snModel* m, snData* view, void* context, int begin, int end) {
  const Start* start = (const Start*)context;
  for (int k = begin; k < end; k++) {
    SN_ASSERT_INDEX(k, view->nisland);
    int island = start->order[k], dof = view->island_idofadr[island];
    int row = view->island_iefcadr[island], nrow = view->island_nefc[island];
    gatherStart(view, start, dof, view->island_nv[island], row, nrow);
    if (!solveIsland(m, view, island, start->iMa, start->ix)) view->refused++;
    scatterSolution(view, dof, view->island_nv[island], row, nrow);
    copyStatistics(start->d, view, island);
  }
}

// The order in which threads take islands. Each thread begins with the part of the islands whose trees are in its
// cache; within a part large islands come first, so that no thread starts a large one last.
static void orderIslands(const snData* d, int threads, int* order) {
  int n = 0, mean = d->nefc / d->nisland, least[4] = {8 * mean, 3 * mean, mean, 0};
  for (int t = 0; t < threads; t++) {
    int begin = (int)((long)d->nisland * t / threads),
        end = (int)((long)d->nisland * (t + 1) / threads);
    for (int pass = 0; pass < 4; pass++) {
      for (int i = begin; i < end; i++) {
        int rows = d->island_nefc[i];
        if (rows >= least[pass] && (!pass || rows < least[pass - 1])) order[n++] = i;
      }
    }
  }
  SN_ASSERT(n == d->nisland);
}

// Islands by several threads; returns 0 when it was not done.
static int solveShared(const snModel* m, snData* d, Start* start) {
  int done = 0;
  if (!sn_hasCrew(d) || d->nisland < 2 || d->nefc < LEAST_ROWS) return 0;
  sn_markStack(d);
  start->order = SN_STACK(d, int, d->nisland);
  if (start->order) {
    orderIslands(d, sn_threads(d), start->order);
    done = sn_share(m, d, d->nisland, 0, solveSome, start);
  }
  sn_freeStack(d);
  return done;
}

static int solveIslands(const snModel* m, snData* d, const snReal* acc, snReal* Ma, snReal* x) {
  // one island with every dof shares all arrays
  if (d->iacc == d->qacc) return solveIsland(m, d, 0, Ma, x);

  Start start = {d, acc, Ma, x, SN_STACK(d, snReal, d->nidof), SN_STACK(d, snReal, d->nefc), NULL};
  if (!start.iMa || !start.ix) return 0;
  int solved = solveShared(m, d, &start) || solveInOrder(m, d, &start);
  freeOtherDofs(m, d);
  return solved;
}

// ---- stage ---------------------------------------------------------------------------------------

static int solve(const snModel* m, snData* d) {
  // options may have changed since the position stage
  if (sn_isDual(m) && !d->efc_AR) SN_SOLO(sn_projectBuiltin(m, d));
  if (!d->nefc) return 0;
  snReal* x = SN_STACK(d, snReal, d->nefc);
  snReal* Ma = SN_STACK(d, snReal, m->nv);
  int primal = m->opt.solver == snSOL_NEWTON || m->opt.solver == snSOL_CG;
  if (!x || !Ma || !primal) residual(m, d, d->efc_b, d->qacc_smooth);
  if (!x || !Ma) return 0;
  int islands = d->nisland && !m->opt.noslip_iterations && !(m->opt.disableflags & snDSBL_ISLAND);
  int solved = 1;
  const snReal* acc;
  switch (m->opt.solver) {
    case snSOL_PGS:
      SN_SOLO(startDual(m, d, x));
      SN_SOLO(sn_solvePGS(m, d, x, m->opt.iterations));
      break;
    case snSOL_CG:
    case snSOL_NEWTON:
      acc = startPrimal(m, d, Ma, x);
      solved = islands ? solveIslands(m, d, acc, Ma, x) : solveWhole(m, d, Ma, x);
      break;
    case snSOL_XPBD: return sn_solveXPBD(m, d);
    default: snu_error("sn_fwdConstraint: unknown solver type %d", m->opt.solver); return 0;
  }
  if (solved && m->opt.noslip_iterations > 0) {
    SN_SOLO(sn_solveNoslip(m, d, m->opt.noslip_iterations));
  }
  return solved;
}

// no rows
static void moveFreely(const snModel* m, snData* d) {
  if (SN_LANES == 1 && sn_isCalm(m, d)) {
    for (int k = 0; k < d->nv_awake; k++) {
      int dof = d->dof_awake_ind[k];
      d->qfrc_constraint[dof] = 0;
      d->qacc[dof] = d->qacc_smooth[dof];
    }
  } else {
    SN_FOR(i, m->nv) {
      d->qfrc_constraint[i] = 0;
      d->qacc[i] = d->qacc_smooth[i];
    }
  }
  SN_FOR(k, snNISLAND) d->solver_niter[k] = 0;
  SN_SYNC();
}

// Runs the solver of the options.
static SN_OUTLINE void solveBuiltin(const snModel* m, snData* d) {
  int nv = (int)m->nv;
  if (!d->nefc) {
    moveFreely(m, d);
    return;
  }
  SN_FOR(i, nv) d->qfrc_constraint[i] = 0;
  SN_FOR(k, snNISLAND) d->solver_niter[k] = 0;

  sn_markStack(d);
  if (!solve(m, d)) {
    SN_SYNC();
    SN_FOR(i, nv) d->qacc[i] = d->qacc_smooth[i];
    SN_FOR(i, nv) d->qfrc_constraint[i] = 0;
    SN_FOR(i, d->nefc) d->efc_force[i] = 0;
    SN_ONE sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}

static const snContactSolver BUILTIN = {sn_projectBuiltin, solveBuiltin};

const snContactSolver* sn_builtinContactSolver(void) { return &BUILTIN; }

// a user's solver; teams have no callbacks
static const snContactSolver* userSolver(const snData* d) {
#ifdef SN_TEAM
  (void)d;
  return NULL;
#else
  return d->callback.contactsolver;
#endif
}

void sn_projectConstraint(const snModel* m, snData* d) {
  const snContactSolver* user = userSolver(d);
  if (user) {
    user->prepare(m, d);
  } else {
    sn_projectBuiltin(m, d);
  }
}

SN_STAGE void sn_limitForces(const snModel* m, snData* d) {
  int first = d->ne + d->nf;
  SN_FOR(joint, m->njnt) d->jnt_limit_frc[joint] = 0;
  SN_SYNC();
  SN_FOR(k, d->nefc ? d->nl : 0) {
    int row = first + k, joint = d->efc_id[row];
    if (d->efc_type[row] != snCNSTR_LIMIT_JOINT) continue;
    // of two rows of one joint the second
    int again =
        k + 1 < d->nl && d->efc_id[row + 1] == joint && d->efc_type[row + 1] == snCNSTR_LIMIT_JOINT;
    if (!again) d->jnt_limit_frc[joint] = d->efc_force[row];
  }
  SN_SYNC();
}

SN_STAGE snReal sn_constraintTimed(const snModel* m, snData* d, snReal start) {
  const snContactSolver* user = userSolver(d);
  int done = 0, nefc = d->nefc;
  if (user) {
    user->solve(m, d);
  } else if (!nefc) {
    moveFreely(m, d);
  } else {
    done = sn_plans(m, d, snPLAN_NEWTON) && sn_newtonLanes(m, d);
    if (!done) solveBuiltin(m, d);
  }
  if (!done) sn_limitForces(m, d);
  return sn_stopTimer(d, snTIMER_CONSTRAINT, start);
}

SN_STAGE void sn_fwdConstraint(const snModel* m, snData* d) { sn_constraintTimed(m, d, sn_now(d)); }
