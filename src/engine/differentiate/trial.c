#include "engine/differentiate/trial.h"

#include "base/arena.h"
#include "base/misuse.h"
#include "engine/step/integrate.h"
#include "math/math.h"

// ---- steps

// did the step find bad numbers and reset the world?
static int wasReset(const snModel* m, const snData* d) {
  int bad = 1 << snWARN_BADQPOS | 1 << snWARN_BADQVEL | 1 << snWARN_BADQACC;
  return (d->status & bad) && !(m->opt.disableflags & snDSBL_AUTORESET);
}

// a step that keeps the results of stages whose input has not moved
static void stepSkip(const snModel* m, snData* d, int skipstage, int skipsensor) {
  int integrator = sn_integratorOf(m);
  // the arrays after a Runge-Kutta step belong to its last evaluation
  if (integrator == snINT_RK4) skipstage = snSTAGE_NONE;
  d->status = 0;
  sn_checkPos(m, d);
  sn_checkVel(m, d);
  if (wasReset(m, d)) skipstage = snSTAGE_NONE;
  sn_forwardSkip(m, d, skipstage, skipsensor);
  sn_checkAcc(m, d);
  switch (integrator) {
    case snINT_RK4: sn_RungeKutta(m, d, 4); break;
    case snINT_IMPLICIT:
    case snINT_IMPLICITFAST: sn_implicitSkip(m, d, skipstage >= snSTAGE_VEL); break;
    case snINT_IMPLICITSPRINGDAMPER: sn_implicitSpringDamper(m, d); break;
    default: sn_EulerSkip(m, d, skipstage >= snSTAGE_POS); break;
  }
}

static void record(const snModel* m, const snData* d, snOutcome* outcome) {
  int nq = (int)m->nq, nv = (int)m->nv;
  snu_copy(outcome->state, d->qpos, nq);
  snu_copy(outcome->state + nq, d->qvel, nv);
  snu_copy(outcome->state + nq + nv, d->act, (int)m->na);
  if (outcome->sensor) snu_copy(outcome->sensor, d->sensordata, (int)m->nsensordata);
}

static void finish(const snModel* m, snData* d, snTrial* trial, int skipstage, snOutcome* outcome) {
  size_t frame = d->pbase, stack = d->pstack;
  stepSkip(m, d, trial->stale ? snSTAGE_NONE : skipstage, trial->skipsensor);
  sn_checkStack(d, frame, stack, "trial step");  // even when the world was reset
  record(m, d, outcome);
  trial->seen |= d->status;
  sn_restoreState(m, d, &trial->start);
  trial->stale |= wasReset(m, d);
}

// ---- differences

// column of the state: (second - first) / h in the tangent space
static void stateColumn(const snModel* m, snTrial* trial, const snReal* first, const snReal* second,
                        snReal h, snReal* A, int stride) {
  int nq = (int)m->nq, nv = (int)m->nv, na = (int)m->na;
  snReal* column = trial->column;
  if (!A) return;
  sn_differentiatePos(m, column, h, first, second);
  for (int k = 0; k < nv + na; k++) column[nv + k] = (second[nq + k] - first[nq + k]) / h;
  for (int k = 0; k < trial->ndx; k++) A[(size_t)k * stride] = column[k];
}

static void sensorColumn(const snModel* m, const snReal* first, const snReal* second, snReal h,
                         snReal* C, int stride) {
  if (!C) return;
  for (int k = 0; k < (int)m->nsensordata; k++) C[(size_t)k * stride] = (second[k] - first[k]) / h;
}

// forward or centred difference, as the trial asks; A and C point at the top of their columns
static void difference(const snModel* m, snTrial* trial, snReal* A, snReal* C, int stride) {
  const snOutcome* first = trial->centered ? &trial->minus : &trial->nominal;
  snReal h = trial->centered ? 2 * trial->eps : trial->eps;
  stateColumn(m, trial, first->state, trial->plus.state, h, A, stride);
  sensorColumn(m, first->sensor, trial->plus.sensor, h, C, stride);
}

static snReal* columnOf(snReal* matrix, int column) { return matrix ? matrix + column : NULL; }

// ---- controls

// As in MuJoCo, the centred difference of sensors has its sign reversed.
void sn_tryControl(const snModel* m, snData* d, snTrial* trial, int i, snReal* B, snReal* D) {
  snReal eps = trial->eps;
  int sides = sn_controlSides(m, d, i, eps, trial->centered), nu = (int)m->nu;
  int forward = sides & snSIDE_FORWARD, backward = sides & snSIDE_BACKWARD;
  if (forward) {
    d->ctrl[i] += eps;
    finish(m, d, trial, snSTAGE_VEL, &trial->plus);
  }
  if (backward) {
    d->ctrl[i] -= eps;
    finish(m, d, trial, snSTAGE_VEL, &trial->minus);
  }
  const snOutcome* first = backward ? &trial->minus : &trial->nominal;
  const snOutcome* second = forward ? &trial->plus : &trial->nominal;
  snReal h = forward && backward ? 2 * eps : eps;
  snReal sign = forward && backward ? -1 : 1;
  stateColumn(m, trial, first->state, second->state, h, columnOf(B, i), nu);
  sensorColumn(m, first->sensor, second->sensor, sign * h, columnOf(D, i), nu);
}

void sn_tryControls(const snModel* m, snData* d, snTrial* trial, snReal* B, snReal* D) {
  for (int i = 0; i < (int)m->nu; i++) sn_tryControl(m, d, trial, i, B, D);
}

// ---- the state

// move one number of the state to both sides
static void tryNumber(const snModel* m, snData* d, snTrial* trial, snReal* number, int skipstage,
                      int column, snReal* A, snReal* C) {
  *number += trial->eps;
  finish(m, d, trial, skipstage, &trial->plus);
  if (trial->centered) {
    *number -= trial->eps;
    finish(m, d, trial, skipstage, &trial->minus);
  }
  difference(m, trial, columnOf(A, column), columnOf(C, column), trial->ndx);
}

void sn_tryActivation(const snModel* m, snData* d, snTrial* trial, int i, snReal* A, snReal* C) {
  tryNumber(m, d, trial, d->act + i, snSTAGE_VEL, 2 * (int)m->nv + i, A, C);
}

void sn_tryActivations(const snModel* m, snData* d, snTrial* trial, snReal* A, snReal* C) {
  for (int i = 0; i < (int)m->na; i++) sn_tryActivation(m, d, trial, i, A, C);
}

void sn_tryVelocities(const snModel* m, snData* d, snTrial* trial, snReal* A, snReal* C) {
  int nv = (int)m->nv;
  for (int i = 0; i < nv; i++) tryNumber(m, d, trial, d->qvel + i, snSTAGE_POS, nv + i, A, C);
}

void sn_tryPositions(const snModel* m, snData* d, snTrial* trial, snReal* A, snReal* C) {
  snu_zero(trial->move, (int)m->nv);
  for (int i = 0; i < (int)m->nv; i++) {
    trial->move[i] = 1;
    sn_integratePos(m, d->qpos, trial->move, trial->eps);
    finish(m, d, trial, snSTAGE_NONE, &trial->plus);
    if (trial->centered) {
      sn_integratePos(m, d->qpos, trial->move, -trial->eps);
      finish(m, d, trial, snSTAGE_NONE, &trial->minus);
    }
    trial->move[i] = 0;
    difference(m, trial, columnOf(A, i), columnOf(C, i), trial->ndx);
  }
}

// ---- begin and end

static snReal* part(snReal** block, int n) {
  snReal* vec = *block;
  *block += n;
  return vec;
}

int sn_beginTrials(const snModel* m, snData* d, snTrial* trial, snReal eps, int centered,
                   int sensors) {
  int nv = (int)m->nv, nx = (int)(m->nq + m->nv + m->na);
  int ns = sensors ? (int)m->nsensordata : 0;
  trial->eps = eps;
  trial->centered = centered;
  trial->ndx = 2 * nv + (int)m->na;
  trial->skipsensor = !sensors;
  trial->stale = trial->seen = 0;

  snReal* block = SN_STACK(d, snReal, nv + trial->ndx + 3 * (nx + ns));
  if (!block || !sn_keepState(m, d, &trial->start)) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    return 0;
  }
  trial->move = part(&block, nv);
  trial->column = part(&block, trial->ndx);
  snOutcome* outcomes[3] = {&trial->nominal, &trial->plus, &trial->minus};
  for (int k = 0; k < 3; k++) {
    outcomes[k]->state = part(&block, nx);
    outcomes[k]->sensor = sensors ? part(&block, ns) : NULL;
  }

  finish(m, d, trial, snSTAGE_NONE, &trial->nominal);
  return 1;
}

void sn_endTrials(const snModel* m, snData* d, const snTrial* trial) {
  sn_giveBackState(m, d, &trial->start);
  d->status = trial->seen;
}

void sn_repeatNominal(const snModel* m, snData* d, snTrial* trial) {
  finish(m, d, trial, snSTAGE_NONE, &trial->nominal);
}

// ---- the public function

void snd_transitionFD(const snModel* m, snData* d, snReal eps, snByte flg_centered, snReal* A,
                      snReal* B, snReal* C, snReal* D) {
  if (!SN_IS_DATA_OF(m, d, "snd_transitionFD")) return;
  if (m->opt.integrator == snINT_RK4) {
    snu_error("snd_transitionFD: RK4 integrator is not supported");
    return;
  }
  if (m->nhistory > 0) {
    snu_error("snd_transitionFD: delays are not supported");
    return;
  }
  snTrial trial;
  sn_markStack(d);
  if (sn_beginTrials(m, d, &trial, eps, flg_centered, C || D)) {
    if (B || D) sn_tryControls(m, d, &trial, B, D);
    if (A || C) {
      sn_tryActivations(m, d, &trial, A, C);
      sn_tryVelocities(m, d, &trial, A, C);
      sn_tryPositions(m, d, &trial, A, C);
    }
    sn_endTrials(m, d, &trial);
  }
  sn_freeStack(d);
}
