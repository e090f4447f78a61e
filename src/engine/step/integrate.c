#include "engine/step/integrate.h"

#include "base/arena.h"
#include "base/crew.h"
#include "engine/actuate/actuation.h"
#include "engine/differentiate/velocity_derivative.h"
#include "engine/flex/flex.h"
#include "engine/flex/implicit.h"
#include "engine/lanes/lanes.h"
#include "engine/plugin/plugin.h"
#include "engine/smooth/inertia.h"
#include "engine/step/plan.h"
#include "engine/step/position.h"
#include "engine/step/sleep.h"
#include "engine/step/timer.h"
#include "math/decomp.h"
#include "math/math.h"

static int disabled(const snModel* m, snDisableBit bit) { return (m->opt.disableflags & bit) != 0; }

// ---- common advance

// activations of actuators in a disabled group are clamped but not integrated
SN_OUTLINE void sn_advanceActivations(const snModel* m, snData* d, const snReal* act_dot) {
  if (disabled(m, snDSBL_ACTUATION)) return;
  int some = m->opt.disableactuator != 0;
  SN_FOR(i, m->nu) {
    int first = m->actuator_actadr[i];
    if (first < 0) continue;
    int off = some && sn_actuatorDisabled(m, i);
    if (m->actuator_actnum[i] == 1 && !off && sn_isPlainActivation(m, i)) {
      d->act[first] += act_dot[first] * m->opt.timestep;
      continue;
    }
    for (int adr = first; adr < first + m->actuator_actnum[i]; adr++) {
      d->act[adr] = sn_nextActivation(m, d, i, adr, off ? 0 : act_dot[adr]);
    }
  }
  SN_SYNC();
}

// Trees that fall asleep lose their velocity: all that depends on velocities is evaluated again.
static void fallAsleep(const snModel* m, snData* d) {
  if (!sn_sleep(m, d)) return;
  sn_forwardSkip(m, d, snSTAGE_POS, 0);
  sn_updateSleep(m, d);
}

static void advancePositions(const snModel* m, snData* d, const snReal* velocity) {
  snReal h = m->opt.timestep;
  if (d->nv_awake == (int)m->nv) {
    sn_integratePos(m, d->qpos, velocity, h);
    return;
  }
  SN_FOR(i, d->nbody_awake) {
    int body = d->body_awake_ind[i], first = m->body_jntadr[body];
    for (int joint = first; joint < first + m->body_jntnum[body]; joint++) {
      sn_integrateJoint(m, joint, d->qpos, velocity, h);
    }
  }
  SN_SYNC();
}

// velocities and positions of a block of trees
static void moveBlock(const snModel* m, snData* view, void* context) {
  const snReal *qacc = (const snReal*)context, h = m->opt.timestep;
  for (int k = 0; k < view->nv_awake; k++) {
    int dof = view->dof_awake_ind[k];
    view->qvel[dof] += h * qacc[dof];
  }
  for (int i = 1; i < view->nbody_awake; i++) {
    int body = view->body_awake_ind[i], first = m->body_jntadr[body];
    for (int joint = first; joint < first + m->body_jntnum[body]; joint++) {
      sn_integrateJoint(m, joint, view->qpos, view->qvel, h);
    }
  }
}

// By a crew (base/crew.h); 0: nothing was done.
static int moveShared(const snModel* m, snData* d, snReal* qacc) {
  return sn_hasCrew(d) && sn_shareTrees(m, d, 0, moveBlock, qacc);
}

static void move(const snModel* m, snData* d, const snReal* qacc, const snReal* qvel) {
  SN_FOR(k, d->nv_awake) {
    int dof = d->dof_awake_ind[k];
    d->qvel[dof] += m->opt.timestep * qacc[dof];
  }
  SN_SYNC();
  advancePositions(m, d, qvel ? qvel : d->qvel);
}

// warm start of the next step's solver
static void keepAccelerations(const snModel* m, snData* d) {
  if (SN_LANES == 1 && sn_wasCalm(m, d)) {
    for (int k = 0; k < d->nv_awake; k++) {
      int dof = d->dof_awake_ind[k];
      d->qacc_warmstart[dof] = d->qacc[dof];
    }
    return;
  }
  sn_copyShared(d->qacc_warmstart, d->qacc, (int)m->nv);
  SN_SYNC();
}

// Advance the state by one step: velocities with qacc, positions with qvel when it is given and
// else with the new velocities.
static void advance(const snModel* m, snData* d, const snReal* act_dot, snReal* qacc,
                    const snReal* qvel) {
  if (m->nhistory) sn_advanceHistory(m, d);
  if (m->na) sn_advanceActivations(m, d, act_dot);
  if (sn_sleepEnabled(m)) SN_SOLO(fallAsleep(m, d));

  if (qvel || !moveShared(m, d, qacc)) move(m, d, qacc, qvel);
  SN_ONE d->time += m->opt.timestep;
  if (m->opt.solver == snSOL_XPBD && d->nefc) advancePositions(m, d, d->qvel_shift);
  if (m->nplugin) SN_SOLO(sn_userAdvance(m, d));
  keepAccelerations(m, d);
}

// ---- Euler

int sn_dampsImplicitly(const snModel* m, int flg_damper) {
  return !disabled(m, snDSBL_EULERDAMP) && !(flg_damper && disabled(m, snDSBL_DAMPER));
}

int sn_hasImplicitDamping(const snModel* m, const snData* d, int flg_damper) {
  if (!sn_dampsImplicitly(m, flg_damper)) return 0;
  int found = 0;
  if (d->nv_awake == (int)m->nv) {
    SN_FOR(dof, m->nv) {
      if ((found = m->dof_damping[dof] > 0)) break;
    }
    return sn_teamAny(found);
  }
  SN_FOR(k, d->nv_awake) {
    if ((found = m->dof_damping[d->dof_awake_ind[k]] > 0)) break;
  }
  return sn_teamAny(found);
}

void sn_makeDampedM(const snModel* m, snData* d) {
  sn_copyShared(d->qH, d->M, (int)m->nC);
  SN_SYNC();
  SN_FOR(dof, m->nv) {
    d->qH[m->M_rowadr[dof] + m->M_rownnz[dof] - 1] += m->opt.timestep * m->dof_damping[dof];
  }
  SN_SYNC();
}

// If the matrix is not positive definite, the status says so, and the system is solved all the same.
static void checkH(const snModel* m, snData* d) {
  int bad = 0;
  if (d->nv_awake == (int)m->nv) {
    SN_FOR(dof, m->nv) bad |= !(d->qHDiagInv[dof] > 0);
  } else {
    SN_FOR(k, d->nv_awake) bad |= !(d->qHDiagInv[d->dof_awake_ind[k]] > 0);
  }
  if (sn_teamAny(bad)) {
    SN_ONE d->status |= snSTATUS_NOTPOSDEF;
  }
}

static void factorH(const snModel* m, snData* d) {
  sn_factorTree(d->qH, d->qHDiagInv, d->nv_awake, m->M_rownnz, m->M_rowadr, m->M_colind,
                d->dof_awake_ind);
  checkH(m, d);
}

static void solveH(const snModel* m, const snData* d, snReal* x) {
  sn_solveTree(x, d->qH, d->qHDiagInv, d->nv_awake, (int)m->nv, 1, m->M_rownnz, m->M_rowadr,
               m->M_colind, d->dof_awake_ind);
}

// all forces, those of the constraint solver included
static void totalForce(const snModel* m, const snData* d, snReal* force) {
  SN_FOR(dof, m->nv) force[dof] = d->qfrc_smooth[dof] + d->qfrc_constraint[dof];
  SN_SYNC();
}

// M + h D, its factor and the accelerations of a block of trees
static void dampedBlock(const snModel* m, snData* view, void* context) {
  snReal* qacc = (snReal*)context;
  sn_copyRowsOfM(m, view->qH, view->M, view->dof_awake_ind, view->nv_awake);
  for (int k = 0; k < view->nv_awake; k++) {
    int dof = view->dof_awake_ind[k], last = m->M_rowadr[dof] + m->M_rownnz[dof] - 1;
    view->qH[last] += m->opt.timestep * m->dof_damping[dof];
    qacc[dof] = view->qfrc_smooth[dof] + view->qfrc_constraint[dof];
  }
  factorH(m, view);
  solveH(m, view, qacc);
}

// By several threads, when all is awake; returns 0 when it was not done.
static int dampedShared(const snModel* m, snData* d, snReal* qacc) {
  return sn_hasCrew(d) && d->nv_awake == (int)m->nv && sn_shareTrees(m, d, 0, dampedBlock, qacc);
}

// The forces of the step, then the accelerations (M + diag(extra))^-1 forces without forming M.
static void solveLinear(const snModel* m, snData* d, snReal* qacc, const snReal* extra) {
  totalForce(m, d, qacc);
  if (!sn_solveArticulated(m, d, qacc, 1, extra, 1)) d->status |= snSTATUS_NOTPOSDEF;
}

// scratch for one vector over dofs inside a stack frame, or a warning and NULL
static snReal* dofScratch(const snModel* m, snData* d) {
  snReal* vec = SN_STACK(d, snReal, m->nv);
  if (!vec && m->nv) sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  return vec;
}

// Euler's implicit damping where the step has not computed M; returns 0 where it has
static int dampedLinear(const snModel* m, snData* d, snReal* qacc) {
  if (!sn_leavesOutM(m, d)) return 0;
  snReal* extra = dofScratch(m, d);
  if (!extra) return 1;
  for (int dof = 0; dof < (int)m->nv; dof++) extra[dof] = m->opt.timestep * m->dof_damping[dof];
  solveLinear(m, d, qacc, extra);
  return 1;
}

// implicitfast where the step has not computed M and the derivative is diagonal; otherwise returns 0, and M is computed
static int implicitLinear(const snModel* m, snData* d, snReal* qacc, int skipfactor) {
  if (!sn_leavesOutM(m, d)) return 0;
  snReal* extra = dofScratch(m, d);
  if (!extra) return 1;
  if (!sn_derivSmoothVelDiagonal(m, d, skipfactor)) {
    if (!skipfactor) sn_fillInertia(m, d);
    return 0;
  }
  for (int dof = 0; dof < (int)m->nv; dof++) {
    extra[dof] = -m->opt.timestep * d->qDeriv[m->D_rowadr[dof] + m->D_diag[dof]];
  }
  solveLinear(m, d, qacc, extra);
  return 1;
}

// Integrates a copy of the acceleration, because falling asleep evaluates d->qacc again.
static SN_OUTLINE void plainEuler(const snModel* m, snData* d, int skipfactor) {
  sn_markStack(d);
  snReal* qacc = dofScratch(m, d);
  if (qacc || !m->nv) {
    int damped = sn_hasImplicitDamping(m, d, 1);
    if (damped && dampedLinear(m, d, qacc)) {
      // done
    } else if (damped && !skipfactor && dampedShared(m, d, qacc)) {
      // done
    } else if (damped) {
      if (sn_plans(m, d, snPLAN_DAMPED_FACTOR)) {
        checkH(m, d);
      } else if (!skipfactor) {
        sn_makeDampedM(m, d);
        factorH(m, d);
      }
      totalForce(m, d, qacc);
      solveH(m, d, qacc);
    } else if (SN_LANES == 1 && d->nv_awake < (int)m->nv) {
      for (int k = 0; k < d->nv_awake; k++) {
        qacc[d->dof_awake_ind[k]] = d->qacc[d->dof_awake_ind[k]];
      }
    } else {
      sn_copyShared(qacc, d->qacc, (int)m->nv);
      SN_SYNC();
    }
    advance(m, d, d->act_dot, qacc, NULL);
  }
  sn_freeStack(d);
}

void sn_EulerSkip(const snModel* m, snData* d, int skipfactor) {
  snReal start = sn_now(d);
  if (sn_plans(m, d, snPLAN_EULER)) {
    sn_EulerLanes(m, d);
  } else {
    plainEuler(m, d, skipfactor);
  }
  sn_stopTimer(d, snTIMER_ADVANCE, start);
}

SN_STAGE void sn_Euler(const snModel* m, snData* d) { sn_EulerSkip(m, d, 0); }

// The constraint solver's acceleration is already that of the implicit system (step/springdamper.c).
void sn_implicitSpringDamper(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  sn_markStack(d);
  snReal* qacc = dofScratch(m, d);
  if (qacc || !m->nv) {
    sn_copyShared(qacc, d->qacc, (int)m->nv);
    SN_SYNC();
    advance(m, d, d->act_dot, qacc, NULL);
  }
  sn_freeStack(d);
  sn_stopTimer(d, snTIMER_ADVANCE, start);
}

// ---- implicit in velocity

void sn_makeImplicitM(const snModel* m, snData* d) {
  snReal h = m->opt.timestep;
  SN_FOR(k, m->nD) {
    int source = m->mapM2D[k];
    d->qLU[k] = (source >= 0 ? d->M[source] : 0) - h * d->qDeriv[k];
  }
  SN_SYNC();
}

void sn_makeImplicitFastM(const snModel* m, snData* d) {
  snReal h = m->opt.timestep;
  SN_FOR(k, m->nC) d->qH[k] = d->M[k] - h * d->qDeriv[m->mapD2M[k]];
  SN_SYNC();
}

// (M - h D) qacc = f with all of D, not symmetric; returns 0 when it has no solution
static int solveImplicit(const snModel* m, snData* d, snReal* qacc, int skipfactor) {
  if (!skipfactor) {
    sn_derivSmoothVel(m, d, 1);
    sn_makeImplicitM(m, d);
    if (!sn_factorLUSparse(d->qLU, (int)m->nv, m->D_rownnz, m->D_rowadr, m->D_colind, m->D_diag)) {
      return 0;
    }
  }
  totalForce(m, d, qacc);
  SN_SOLO(sn_solveLUSparse(qacc, d->qLU, qacc, (int)m->nv, m->D_rownnz, m->D_rowadr, m->D_colind,
                           m->D_diag));
  return 1;
}

// the same without the derivative of the bias force, on the pattern of M
static void solveImplicitFast(const snModel* m, snData* d, snReal* qacc, int skipfactor) {
  if (implicitLinear(m, d, qacc, skipfactor)) return;
  if (!skipfactor && sn_plans(m, d, snPLAN_FACTOR) && sn_implicitFastPass(m, d)) {
    checkH(m, d);
  } else if (!skipfactor) {
    sn_derivSmoothVel(m, d, 0);
    sn_makeImplicitFastM(m, d);
    factorH(m, d);
  }
  totalForce(m, d, qacc);
  solveH(m, d, qacc);
}

SN_OUTLINE void sn_implicitSkip(const snModel* m, snData* d, int skipfactor) {
  snReal start = sn_now(d);
  int integrator = m->opt.integrator, solved = 1;
  if (integrator != snINT_IMPLICIT && integrator != snINT_IMPLICITFAST) {
    snu_error("sn_implicitSkip: integrator must be implicit or implicitfast");
    return;
  }
  sn_markStack(d);
  snReal* qacc = dofScratch(m, d);
  if (qacc || !m->nv) {
    if (integrator == snINT_IMPLICIT) {
      solved = solveImplicit(m, d, qacc, skipfactor);
    } else {
      solveImplicitFast(m, d, qacc, skipfactor);
    }
    if (solved && m->nflexnode && !skipfactor) sn_flexImplicit(m, d, qacc);
    if (solved && sn_flexHasLaws(m)) sn_flexStiff(m, d, qacc);
    if (solved) advance(m, d, d->act_dot, qacc, NULL);
  }
  sn_freeStack(d);
  sn_stopTimer(d, snTIMER_ADVANCE, start);
  if (!solved) {
    SN_ONE d->status |= snSTATUS_SINGULAR;
    snu_error("snu_factorLUSparse: diagonal element too small");
  }
}

SN_STAGE void sn_implicit(const snModel* m, snData* d) {
  if (!sn_plans(m, d, snPLAN_IMPLICIT) || !sn_implicitFastLanes(m, d)) sn_implicitSkip(m, d, 0);
}

void sn_fillStepMatrices(const snModel* m, snData* d) {
  if (!sn_leavesOutM(m, d)) return;
  sn_fillInertia(m, d);
  if (m->opt.integrator == snINT_EULER && sn_hasImplicitDamping(m, d, 1)) {
    sn_makeDampedM(m, d);
    factorH(m, d);
  } else if (m->opt.integrator == snINT_IMPLICITFAST) {
    sn_derivSmoothVel(m, d, 0);
    sn_makeImplicitFastM(m, d);
    factorH(m, d);
  }
}

int sn_stepHasMatrix(const snModel* m, const snData* d) {
  switch (m->opt.integrator) {
    case snINT_EULER: return sn_hasImplicitDamping(m, d, 1);
    case snINT_IMPLICIT:
    case snINT_IMPLICITFAST: return 1;
    default: return 0;
  }
}

void sn_solveStepRows(const snModel* m, const snData* d, snReal* X, int n) {
  int nv = (int)m->nv, fast = m->opt.integrator == snINT_IMPLICITFAST;
  if (m->opt.integrator == snINT_IMPLICIT) {
    sn_solveLUSparseRows(X, d->qLU, nv, n, m->D_rownnz, m->D_rowadr, m->D_colind, m->D_diag);
  } else if (fast || (m->opt.integrator == snINT_EULER && sn_hasImplicitDamping(m, d, 1))) {
    sn_solveTreeRows(X, d->qH, d->qHDiagInv, nv, n, m->M_rownnz, m->M_rowadr, m->M_colind);
  } else {
    snInertia M = sn_systemInertia(m, d);
    sn_solveTreeRows(X, M.LD, M.LDiagInv, nv, n, M.rownnz, M.rowadr, M.colind);
  }
}

// ---- Runge-Kutta

// State of the fourth-order scheme: where the step began, and the running sums of rates.
typedef struct Tableau_ {
  snReal time;
  snReal *qpos, *qvel, *act;              // state at the beginning
  snReal *sum_qvel, *sum_qacc, *sum_dot;  // weighted sums of velocities, accelerations, act_dot
  snReal* last_qvel;                      // velocity of the previous evaluation
} Tableau;

static int allocTableau(const snModel* m, snData* d, Tableau* t) {
  int nq = (int)m->nq, nv = (int)m->nv, na = (int)m->na;
  snReal* block = SN_STACK(d, snReal, nq + 4 * nv + 2 * na);
  if (!block && nq) return 0;
  t->qpos = block;
  t->qvel = t->qpos + nq;
  t->sum_qvel = t->qvel + nv;
  t->sum_qacc = t->sum_qvel + nv;
  t->last_qvel = t->sum_qacc + nv;
  t->act = t->last_qvel + nv;
  t->sum_dot = t->act + na;
  return 1;
}

static void accumulate(const snModel* m, const snData* d, Tableau* t, snReal weight) {
  SN_FOR(i, m->nv) {
    t->sum_qvel[i] += d->qvel[i] * weight;
    t->sum_qacc[i] += d->qacc[i] * weight;
  }
  SN_FOR(i, m->na) t->sum_dot[i] += d->act_dot[i] * weight;
  SN_SYNC();
}

// go from the beginning of the step to time t + a h with the rates of the previous evaluation
static void moveTo(const snModel* m, snData* d, Tableau* t, snReal a) {
  snReal h = m->opt.timestep, ha = h * a;
  sn_copyShared(d->qpos, t->qpos, (int)m->nq);
  SN_FOR(i, m->nv) {
    t->last_qvel[i] = d->qvel[i] * a;
    d->qvel[i] = t->qvel[i] + d->qacc[i] * ha;
  }
  SN_FOR(i, m->na) d->act[i] = t->act[i] + d->act_dot[i] * ha;
  SN_ONE d->time = t->time + ha;
  SN_SYNC();
  sn_integratePos(m, d->qpos, t->last_qvel, h);
}

static void rungeKutta4(const snModel* m, snData* d, Tableau* t) {
  const snReal a[3] = {(snReal)0.5, (snReal)0.5, 1};
  const snReal b[4] = {(snReal)1 / 6, (snReal)1 / 3, (snReal)1 / 3, (snReal)1 / 6};
  int nq = (int)m->nq, nv = (int)m->nv, na = (int)m->na;
  t->time = d->time;
  sn_copyShared(t->qpos, d->qpos, nq);
  sn_copyShared(t->qvel, d->qvel, nv);
  sn_copyShared(t->act, d->act, na);
  sn_zeroShared(t->sum_qvel, nv);
  sn_zeroShared(t->sum_qacc, nv);
  sn_zeroShared(t->sum_dot, na);

  SN_SYNC();
  accumulate(m, d, t, b[0]);
  for (int stage = 1; stage < 4; stage++) {
    moveTo(m, d, t, a[stage - 1]);
    sn_forwardSkip(m, d, snSTAGE_NONE, 1);
    accumulate(m, d, t, b[stage]);
  }

  SN_ONE d->time = t->time;
  sn_copyShared(d->qpos, t->qpos, nq);
  sn_copyShared(d->qvel, t->qvel, nv);
  sn_copyShared(d->act, t->act, na);
  SN_SYNC();
  advance(m, d, t->sum_dot, t->sum_qacc, t->sum_qvel);
}

void sn_RungeKutta(const snModel* m, snData* d, int N) {
  if (N != 4) {
    snu_error("sn_RungeKutta: supported RK orders: N=4");
    return;
  }
  Tableau tableau;
  sn_markStack(d);
  if (allocTableau(m, d, &tableau)) {
    rungeKutta4(m, d, &tableau);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
