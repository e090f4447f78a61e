// Linearisation of a Runge-Kutta step by the chain rule over its stages.
//
// Stage j evaluates accelerations a_j and rates of activations at
//
//   q_j = q_0 + c_j h v_(j-1),   v_j = v_0 + c_j h a_(j-1),   act_j = act_0 + c_j h rate_(j-1),
//
// rotations integrated as such, and the step ends with the sums of v, a and the rates weighted by b.
// All derivatives are by the inputs of the step: n = 2 nv + na + nu columns.

#include "engine/differentiate/transition.h"

#include <string.h>

#include "base/arena.h"
#include "engine/differentiate/acceleration_derivative.h"
#include "engine/differentiate/kept.h"
#include "math/math.h"
#include "model/object_types.h"

// Derivatives of one stage and the sums over stages, by rows of n columns.
typedef struct Stage_ {
  int nv, na, n;
  snReal *q, *v, *act;            // of the state of the stage
  snReal *a, *rate;               // of what is evaluated there
  snReal *sumv, *suma, *sumrate;  // weighted sums
  snReal *qpos0, *qvel0, *act0;   // state at the beginning of the step
  snReal *move, *rates, *total;   // velocity of the last stage, its act_dot, weighted sum of v
} Stage;

// the next n numbers of a block, which begins after them from now on
static snReal* nextPart(snReal** block, size_t n) {
  snReal* part = *block;
  *block += n;
  return part;
}

static int allocate(const snModel* m, snData* d, Stage* s) {
  int nv = s->nv = (int)m->nv, na = s->na = (int)m->na, n = s->n = 2 * nv + na + (int)m->nu;
  size_t big = 5 * (size_t)nv * n + 3 * (size_t)na * n;
  snReal* block = SN_STACK(d, snReal, big + m->nq + 3 * nv + 2 * na + 1);
  if (!block) return 0;
  memset(block, 0, big * sizeof(snReal));
  snReal** by_dof[5] = {&s->q, &s->v, &s->a, &s->sumv, &s->suma};
  snReal** by_act[3] = {&s->act, &s->rate, &s->sumrate};
  for (int k = 0; k < 5; k++) *by_dof[k] = nextPart(&block, (size_t)nv * n);
  for (int k = 0; k < 3; k++) *by_act[k] = nextPart(&block, (size_t)na * n);
  s->qpos0 = nextPart(&block, (size_t)m->nq);
  s->qvel0 = nextPart(&block, (size_t)nv);
  s->move = nextPart(&block, (size_t)nv);
  s->total = nextPart(&block, (size_t)nv);
  s->act0 = nextPart(&block, (size_t)na);
  s->rates = nextPart(&block, (size_t)na);
  return 1;
}

// the inputs themselves
static void startStage(Stage* s) {
  for (int i = 0; i < s->nv; i++) {
    s->q[(size_t)s->n * i + i] = 1;
    s->v[(size_t)s->n * i + s->nv + i] = 1;
  }
  for (int i = 0; i < s->na; i++) s->act[(size_t)s->n * i + 2 * s->nv + i] = 1;
}

// ---- one evaluation

// a = A_q q + A_v v + A_act act + A_u u from the derivatives at the stage
static void chainAccelerations(Stage* s, const snLinear* linear) {
  int nv = s->nv, n = s->n, control = 2 * nv + s->na;
  for (int i = 0; i < nv; i++) {
    const snReal* row = linear->X + (size_t)n * i;
    snReal* target = s->a + (size_t)n * i;
    snu_zero(target, n);
    for (int c = control; c < n; c++) target[c] = row[c];
    for (int k = 0; k < nv; k++) {
      snu_addToScl(target, s->q + (size_t)n * k, row[k], n);
      snu_addToScl(target, s->v + (size_t)n * k, row[nv + k], n);
    }
    for (int k = 0; k < s->na; k++) {
      snu_addToScl(target, s->act + (size_t)n * k, row[2 * nv + k], n);
    }
  }
}

static void chainActivations(const snModel* m, const snData* d, Stage* s) {
  int n = s->n, control = 2 * s->nv + s->na;
  for (int i = 0; i < (int)m->nu; i++) {
    int adr = m->actuator_actadr[i];
    if (adr < 0) continue;
    snReal rate[2], *target = s->rate + (size_t)n * adr;
    sn_activationRates(m, d, i, rate);
    snu_scl(target, s->act + (size_t)n * adr, rate[0], n);
    target[control + i] += rate[1];
  }
}

// derivatives of the evaluation at the state of d, added to the sums; 0: no closed form, -1: full
static int evaluate(const snModel* m, snData* d, Stage* s, snReal weight) {
  const snColumns all = (snColumns)(snCOLUMNS_POSITION | snCOLUMNS_VELOCITY | snCOLUMNS_ACTIVATION |
                                    snCOLUMNS_CONTROL);
  snTransition option;
  snLinear linear;
  if (sn_closedForms(m, d) != (int)all) return 0;
  snd_defaultTransition(&option);
  sn_markStack(d);
  int done = sn_linearize(m, d, &option, snPOSITIONS_EXACT, NULL, &linear);
  if (done) {
    sn_linearAcceleration(m, d, &linear);
    chainAccelerations(s, &linear);
    chainActivations(m, d, s);
    snu_addToScl(s->sumv, s->v, weight, s->nv * s->n);
    snu_addToScl(s->suma, s->a, weight, s->nv * s->n);
    snu_addToScl(s->sumrate, s->rate, weight, s->na * s->n);
    snu_addToScl(s->total, d->qvel, weight, s->nv);
  }
  sn_freeStack(d);
  return done ? 1 : -1;
}

// ---- between evaluations

// q = Dq dq0 + h Dv dmove: positions after moving with a velocity from the beginning of the step;
// dmove is scale times the rows of rate
static void integrate(const snModel* m, const Stage* s, const snReal* move, const snReal* rate,
                      snReal scale, snReal* q) {
  int n = s->n;
  snReal h = m->opt.timestep, Dquat[9], Dvel[9];
  for (int joint = 0; joint < (int)m->njnt; joint++) {
    int dof = m->jnt_dofadr[joint], type = m->jnt_type[joint];
    for (int k = 0; k < sn_plainCoordinates(type); k++, dof++) {
      snu_scl(q + (size_t)n * dof, rate + (size_t)n * dof, h * scale, n);
      q[(size_t)n * dof + dof] += 1;
    }
    if (!sn_hasQuaternion(type)) continue;
    snd_quatIntegrate(move + dof, h, Dquat, Dvel, NULL);
    for (int r = 0; r < 3; r++) {
      snReal* target = q + (size_t)n * (dof + r);
      snu_zero(target, n);
      for (int c = 0; c < 3; c++) {
        snu_addToScl(target, rate + (size_t)n * (dof + c), h * scale * Dvel[3 * r + c], n);
        target[dof + c] += Dquat[3 * r + c];
      }
    }
  }
}

// state and derivatives of the next stage
static void moveTo(const snModel* m, snData* d, Stage* s, snReal c) {
  int nv = s->nv, na = s->na, n = s->n;
  snReal h = m->opt.timestep;
  snu_scl(s->move, d->qvel, c, nv);
  snu_copy(s->rates, d->act_dot, na);
  snu_copy(d->qpos, s->qpos0, (int)m->nq);
  sn_integratePos(m, d->qpos, s->move, h);
  snu_addScl(d->qvel, s->qvel0, d->qacc, h * c, nv);
  snu_addScl(d->act, s->act0, s->rates, h * c, na);

  integrate(m, s, s->move, s->v, c, s->q);
  snu_scl(s->v, s->a, h * c, nv * n);
  for (int i = 0; i < nv; i++) s->v[(size_t)n * i + nv + i] += 1;
  snu_scl(s->act, s->rate, h * c, na * n);
  for (int i = 0; i < na; i++) s->act[(size_t)n * i + 2 * nv + i] += 1;
}

// ---- the step

static void writeRows(const snReal* rows, int count, int first, int n, int nu, snReal* A,
                      snReal* B) {
  int ndx = n - nu;
  for (int i = 0; i < count; i++) {
    if (A) snu_copy(A + (size_t)ndx * (first + i), rows + (size_t)n * i, ndx);
    if (B) snu_copy(B + (size_t)nu * (first + i), rows + (size_t)n * i + ndx, nu);
  }
}

// the last activations are integrated as the actuator says
static void writeStep(const snModel* m, Stage* s, snReal* A, snReal* B) {
  int nv = s->nv, n = s->n, nu = (int)m->nu;
  snReal h = m->opt.timestep;
  integrate(m, s, s->total, s->sumv, 1, s->q);
  snu_scl(s->v, s->suma, h, nv * n);
  for (int i = 0; i < nv; i++) s->v[(size_t)n * i + nv + i] += 1;
  for (int i = 0; i < nu; i++) {
    int adr = m->actuator_actadr[i];
    if (adr < 0) continue;
    snReal tau = snu_max((snReal)snMINVAL, m->actuator_dynprm[snNDYN * i]);
    int exact = m->actuator_dyntype[i] == snDYN_FILTEREXACT;
    snReal span = exact ? tau * (1 - snu_exp(-h / tau)) : h;
    snu_scl(s->act + (size_t)n * adr, s->sumrate + (size_t)n * adr, span, n);
    s->act[(size_t)n * adr + 2 * nv + adr] += 1;
  }
  writeRows(s->q, nv, 0, n, nu, A, B);
  writeRows(s->v, nv, nv, n, nu, A, B);
  writeRows(s->act, s->na, 2 * nv, n, nu, A, B);
}

int sn_transitionRK4(const snModel* m, snData* d, snReal* A, snReal* B) {
  const snReal c[3] = {(snReal)0.5, (snReal)0.5, 1};
  const snReal b[4] = {(snReal)1 / 6, (snReal)1 / 3, (snReal)1 / 3, (snReal)1 / 6};
  Stage s;
  snKept start;
  if (!allocate(m, d, &s) || !sn_keepState(m, d, &start)) return -1;
  snu_copy(s.qpos0, d->qpos, (int)m->nq);
  snu_copy(s.qvel0, d->qvel, s.nv);
  snu_copy(s.act0, d->act, s.na);
  snu_zero(s.total, s.nv);
  snReal time = d->time;
  startStage(&s);

  int done = 1;
  for (int stage = 0; done == 1 && stage < 4; stage++) {
    if (stage) moveTo(m, d, &s, c[stage - 1]);
    d->time = time + (stage ? c[stage - 1] * m->opt.timestep : 0);
    sn_forwardSkip(m, d, snSTAGE_NONE, 1);
    done = evaluate(m, d, &s, b[stage]);
  }
  sn_giveBackState(m, d, &start);
  if (done == 1) writeStep(m, &s, A, B);
  return done;
}
