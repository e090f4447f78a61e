// Linearisation of a step: differences, the hybrid scheme and closed forms (see sinew/derivatives.h).

#include "model/object_types.h"
#include "sinew/derivatives.h"

#include "base/arena.h"
#include "engine/differentiate/acceleration_derivative.h"
#include "engine/differentiate/transition.h"
#include "engine/differentiate/trial.h"
#include "engine/step/integrate.h"
#include "math/math.h"

// ---- rows of A and B

// copy the known columns of a row of all inputs into a row of A and one of B, each nullable
static void writeRow(const snLinear* linear, const snReal* row, int nu, int i, snReal* A,
                     snReal* B) {
  int ndx = linear->n - nu;
  for (int c = 0; A && c < ndx; c++) {
    if (linear->use[c]) A[(size_t)ndx * i + c] = row[c];
  }
  for (int c = 0; B && c < nu; c++) {
    if (linear->use[ndx + c]) B[(size_t)nu * i + c] = row[ndx + c];
  }
}

// dq+ = Dq dq + h Dv dv+, identities but for rotations; X holds dv+
static void writePositions(const snModel* m, const snLinear* linear, const snReal* vplus,
                           snReal* row, snReal* A, snReal* B) {
  int n = linear->n, nu = (int)m->nu;
  snReal h = m->opt.timestep, Dquat[9], Dvel[9];
  for (int joint = 0; joint < (int)m->njnt; joint++) {
    int dof = m->jnt_dofadr[joint], type = m->jnt_type[joint];
    for (int k = 0; k < sn_plainCoordinates(type); k++, dof++) {
      snu_scl(row, linear->X + (size_t)n * dof, h, n);
      row[dof] += 1;
      writeRow(linear, row, nu, dof, A, B);
    }
    if (!sn_hasQuaternion(type)) continue;
    snd_quatIntegrate(vplus + dof, h, Dquat, Dvel, NULL);
    for (int r = 0; r < 3; r++) {
      snu_scl(row, linear->X + (size_t)n * dof, h * Dvel[3 * r], n);
      for (int s = 1; s < 3; s++) {
        snu_addToScl(row, linear->X + (size_t)n * (dof + s), h * Dvel[3 * r + s], n);
      }
      for (int s = 0; s < 3; s++) row[dof + s] += Dquat[3 * r + s];
      writeRow(linear, row, nu, dof + r, A, B);
    }
  }
}

static void writeActivations(const snModel* m, const snData* d, const snLinear* linear, snReal* row,
                             snReal* A, snReal* B) {
  int nv = linear->nv, nu = (int)m->nu, first = 2 * nv, control = first + (int)m->na;
  for (int i = 0; i < nu; i++) {
    int adr = m->actuator_actadr[i];
    for (int k = adr; adr >= 0 && k < adr + m->actuator_actnum[i]; k++) {
      snReal step[2];
      sn_activationStep(m, d, i, step);
      snu_zero(row, linear->n);
      row[first + k] = step[0];
      row[control + i] = step[1];
      writeRow(linear, row, nu, first + k, A, B);
    }
  }
}

// known columns from the changes of the acceleration that the step takes
static void writeColumns(const snModel* m, const snData* d, snLinear* linear, const snReal* vplus,
                         snReal* row, snReal* A, snReal* B) {
  int nv = linear->nv, n = linear->n, nu = (int)m->nu;
  for (int i = 0; i < nv; i++) {
    snReal* change = linear->X + (size_t)n * i;
    snu_scl(change, change, m->opt.timestep, n);
    change[nv + i] += 1;
    writeRow(linear, change, nu, nv + i, A, B);
  }
  writePositions(m, linear, vplus, row, A, B);
  writeActivations(m, d, linear, row, A, B);
}

// ---- what is left to differences of whole steps

static void tryRest(const snModel* m, snData* d, snTrial* trial, const snLinear* linear,
                    snPositions positions, snReal* A, snReal* B) {
  int nv = linear->nv, na = (int)m->na, nu = (int)m->nu, pending = 0;
  const snByte *activation = linear->use + 2 * nv, *control = activation + na;
  for (int i = 0; A && i < na; i++) pending |= !activation[i];
  for (int i = 0; B && i < nu; i++) pending |= !control[i];
  pending |= A && nv && !linear->use[nv];
  // differences of forces have overwritten what these trials keep
  if (pending && positions == snPOSITIONS_DIFFERENCED) sn_repeatNominal(m, d, trial);
  for (int i = 0; B && i < nu; i++) {
    if (!control[i]) sn_tryControl(m, d, trial, i, B, NULL);
  }
  if (!A) return;
  for (int i = 0; i < na; i++) {
    if (!activation[i]) sn_tryActivation(m, d, trial, i, A, NULL);
  }
  if (nv && !linear->use[nv]) sn_tryVelocities(m, d, trial, A, NULL);
  if (nv && !linear->use[0]) sn_tryPositions(m, d, trial, A, NULL);
}

// ---- the schemes

static void differences(const snModel* m, snData* d, snTrial* trial, snReal* A, snReal* B) {
  if (B) sn_tryControls(m, d, trial, B, NULL);
  if (!A) return;
  sn_tryActivations(m, d, trial, A, NULL);
  sn_tryVelocities(m, d, trial, A, NULL);
  sn_tryPositions(m, d, trial, A, NULL);
}

// 0 when the arena is full
static int hybrid(const snModel* m, snData* d, const snTransition* option, snTrial* trial,
                  int exact, snReal* A, snReal* B) {
  snLinear linear;
  const snReal* vplus = trial->nominal.state + m->nq;
  snPositions positions = A ? sn_bestPositions(m, d, exact) : snPOSITIONS_NONE;
  snReal* row = SN_STACK(d, snReal, 2 * m->nv + m->na + m->nu + 1);
  if (!row || !sn_linearize(m, d, option, positions, vplus, &linear)) return 0;
  sn_linearStep(m, d, &linear);
  writeColumns(m, d, &linear, vplus, row, A, B);
  tryRest(m, d, trial, &linear, positions, A, B);
  return 1;
}

// ---- public functions

void snd_defaultTransition(snTransition* option) {
  option->eps = (snReal)1e-6;
  option->centered = 1;
  option->analytic = 1;
}

enum { DIFFERENCE, HYBRID, ANALYTIC };

static int runMethod(const snModel* m, snData* d, const snTransition* option, int method, snReal* A,
                     snReal* B) {
  if (m->opt.integrator == snINT_RK4) {
    int done = method == ANALYTIC ? sn_transitionRK4(m, d, A, B) : 0;
    if (done) return done > 0 ? 0 : -1;
    method = DIFFERENCE;
  }
  snTrial trial;
  if (!sn_beginTrials(m, d, &trial, option->eps, option->centered, 0)) return -1;
  int done = 1;
  if (method == DIFFERENCE || trial.stale) {  // closed forms do not know of resets
    differences(m, d, &trial, A, B);
  } else {
    done = hybrid(m, d, option, &trial, method == ANALYTIC, A, B);
  }
  sn_endTrials(m, d, &trial);
  return done ? 0 : -1;
}

static int run(const snModel* m, snData* d, const snTransition* option, int method, snReal* A,
               snReal* B) {
  snTransition standard;
  if (!option) {
    snd_defaultTransition(&standard);
    option = &standard;
  }
  if (!(option->eps > 0 && option->eps <= (snReal)0.01) || m->nhistory > 0) return -1;
  sn_markStack(d);
  int result = runMethod(m, d, option, method, A, B);
  sn_freeStack(d);
  return result;
}

int snd_transitionDifference(const snModel* m, snData* d, const snTransition* option, snReal* A,
                             snReal* B) {
  return run(m, d, option, DIFFERENCE, A, B);
}

int snd_transitionHybrid(const snModel* m, snData* d, const snTransition* option, snReal* A,
                         snReal* B) {
  return run(m, d, option, HYBRID, A, B);
}

int snd_transitionAnalytic(const snModel* m, snData* d, const snTransition* option, snReal* A,
                           snReal* B) {
  return run(m, d, option, ANALYTIC, A, B);
}

int snd_transition(const snModel* m, snData* d, const snTransition* option, snReal* A, snReal* B) {
  int analytic = (!option || option->analytic) && m->opt.integrator != snINT_RK4;
  return run(m, d, option, analytic ? HYBRID : DIFFERENCE, A, B);
}

int snd_analyticColumns(const snModel* m, const snData* d) {
  int columns = sn_closedForms(m, d),
      all = snCOLUMNS_POSITION | snCOLUMNS_VELOCITY | snCOLUMNS_ACTIVATION | snCOLUMNS_CONTROL;
  // the stages of a Runge-Kutta step are chained as a whole or not at all
  return m->opt.integrator == snINT_RK4 && columns != all ? 0 : columns;
}

// ---- checks

snReal snd_maxRelativeError(const snReal* a, const snReal* b, int n, snReal floor, int* where) {
  snReal worst = 0;
  if (where) *where = 0;
  for (int k = 0; k < n; k++) {
    snReal scale = snu_max(snu_max(snu_abs(a[k]), snu_abs(b[k])), floor);
    snReal error = snu_abs(a[k] - b[k]) / scale;
    if (error <= worst) continue;
    worst = error;
    if (where) *where = k;
  }
  return worst;
}

int snd_validateTransition(const snModel* m, snData* d, snReal error[2]) {
  int ndx = (int)(2 * m->nv + m->na), nA = ndx * ndx, nB = ndx * (int)m->nu;
  sn_markStack(d);
  snReal* block = SN_STACK(d, snReal, 2 * (nA + nB) + 1);
  int result = -1;
  if (block) {
    snReal *A1 = block, *A2 = A1 + nA, *B1 = A2 + nA, *B2 = B1 + nB;
    result = run(m, d, NULL, DIFFERENCE, A1, B1) || run(m, d, NULL, HYBRID, A2, B2) ? -1 : 0;
    error[0] = snd_maxRelativeError(A1, A2, nA, (snReal)1e-10, NULL);
    error[1] = snd_maxRelativeError(B1, B2, nB, (snReal)1e-10, NULL);
  }
  sn_freeStack(d);
  return result;
}

int snd_checkConvergence(const snModel* m, snData* d, snReal eps, snReal tolerance) {
  int ndx = (int)(2 * m->nv + m->na), nA = ndx * ndx;
  snTransition coarse = {eps, 1, 0}, fine = {eps / 10, 1, 0};
  sn_markStack(d);
  snReal* block = SN_STACK(d, snReal, 2 * nA + 1);
  int result = -1;
  if (block && !run(m, d, &coarse, DIFFERENCE, block, NULL) &&
      !run(m, d, &fine, DIFFERENCE, block + nA, NULL)) {
    result = snd_maxRelativeError(block, block + nA, nA, (snReal)1e-10, NULL) < tolerance;
  }
  sn_freeStack(d);
  return result;
}
