#include "engine/differentiate/acceleration_derivative.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "engine/actuate/actuation.h"
#include "engine/actuate/hill.h"
#include "engine/actuate/law.h"
#include "engine/actuate/muscle.h"
#include "engine/constrain/constraint.h"
#include "engine/differentiate/position_derivative.h"
#include "engine/differentiate/residual.h"
#include "engine/differentiate/velocity_derivative.h"
#include "engine/flex/flex.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/inertia.h"
#include "engine/step/integrate.h"
#include "engine/step/sleep.h"
#include "math/decomp.h"
#include "math/math.h"

// ---- what has a closed form

// is the sum of the actuators' forces on a tendon at its limit, where they are scaled?
static int tendonIsSaturated(const snModel* m, const snData* d, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  const snReal* range = m->tendon_actfrcrange + 2 * tendon;
  snReal sum = 0, slack = (snReal)1e-9 * (range[1] - range[0]);
  if (!m->tendon_actfrclimited[tendon]) return 0;
  for (int i = 0; i < (int)m->nu; i++) {
    int here = m->actuator_trntype[i] == snTRN_TENDON && m->actuator_trnid[2 * i] == tendon;
    if (here) sum += d->actuator_force[i];
  }
  return sum <= range[0] + slack || sum >= range[1] - slack;
}

// the step as a whole: forces whose derivatives are known
static int isSmooth(const snModel* m, const snData* d) {
  const snCallbacks* call = &d->callback;
  int stiff = sn_flexLimit(m) == 0 && sn_flexHasLaws(m);  // the step solves for their stiffness
  if (m->nflexnode || stiff || m->nplugin || m->ncapstan || m->opt.noslip_iterations ||
      sn_sleepEnabled(m))
    return 0;
  if (call->passive || call->control || call->act_dyn || call->act_gain || call->act_bias ||
      call->contactsolver || call->contactfilter || m->opt.solver == snSOL_XPBD) {
    return 0;
  }
  for (int i = 0; i < (int)m->nu; i++) {
    int hill =
        m->actuator_dyntype[i] == snDYN_HILL;  // activations that follow the length, or a bound
    if (hill && (m->actuator_actnum[i] > 1 || m->actuator_dynprm[snNDYN * i + 3] != 0)) return 0;
  }
  for (int i = 0; i < (int)m->njnt; i++) {
    const snReal *range = m->jnt_actfrcrange + 2 * i, *force = d->qfrc_actuator + m->jnt_dofadr[i];
    if (m->jnt_actfrclimited[i] && (*force <= range[0] || *force >= range[1])) return 0;
  }
  for (int i = 0; i < (int)m->ntendon; i++) {
    if (m->tendon_armature[i] != 0 || tendonIsSaturated(m, d, i)) return 0;
  }
  return !(m->opt.disableflags & snDSBL_ACTUATION);
}

static int isImplicit(const snModel* m) {
  return m->opt.integrator == snINT_IMPLICIT || m->opt.integrator == snINT_IMPLICITFAST;
}

static int hasKnownGain(const snModel* m, int i) { return sn_actuatorIsKnown(m, i); }

// velocities: an implicit matrix must not depend on them in ways other than the bias force and
// muscles
static int velocitiesAreAnalytic(const snModel* m, const snData* d) {
  if (isImplicit(m) && sn_hasFluid(m)) return 0;
  for (int i = 0; i < (int)m->nu; i++) {
    if (!hasKnownGain(m, i) || (isImplicit(m) && !sn_actuatorCurveIsKnown(m, i))) return 0;
    // the slope of the gain is taken at the control as given, not as clamped
    const snReal* range = m->actuator_ctrlrange + 2 * i;
    int clamped = m->actuator_ctrllimited[i] && (d->ctrl[i] < range[0] || d->ctrl[i] > range[1]);
    if (clamped && m->actuator_gaintype[i] != snGAIN_FIXED) return 0;
  }
  return 1;
}

static int activationIsAnalytic(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  int adr = m->actuator_actadr[i];
  snReal rate[2];
  if (adr < 0 || m->actuator_actnum[i] != 1) return 0;
  if (!hasKnownGain(m, i) || sn_actuatorDisabled(m, i)) return 0;
  if (!sn_activationRates(m, d, i, rate)) return 0;
  if (!m->actuator_actlimited[i]) return 1;
  snReal next = sn_nextActivation(m, d, i, adr, d->act_dot[adr]);
  const snReal* range = m->actuator_actrange + 2 * i;
  return next > range[0] && next < range[1];
}

// with activation the control moves that alone
static int controlIsAnalytic(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* range = m->actuator_ctrlrange + 2 * i;
  int direct = m->actuator_dyntype[i] == snDYN_NONE && hasKnownGain(m, i);
  if (!direct && !activationIsAnalytic(m, d, i)) return 0;
  return !m->actuator_ctrllimited[i] || (d->ctrl[i] > range[0] && d->ctrl[i] < range[1]);
}

int sn_closedForms(const snModel* m, const snData* d) {
  int columns = snCOLUMNS_ACTIVATION | snCOLUMNS_CONTROL;
  if (!isSmooth(m, d)) return 0;
  if (sn_tangentIsKnown(m)) columns |= snCOLUMNS_POSITION;
  if (velocitiesAreAnalytic(m, d)) columns |= snCOLUMNS_VELOCITY;
  for (int i = 0; i < (int)m->nu; i++) {
    int has = m->actuator_actadr[i] >= 0;
    if (!controlIsAnalytic(m, d, i)) columns &= ~snCOLUMNS_CONTROL;
    if (has && !activationIsAnalytic(m, d, i)) columns &= ~snCOLUMNS_ACTIVATION;
  }
  return columns;
}

snPositions sn_bestPositions(const snModel* m, const snData* d, int exact) {
  if (!isSmooth(m, d)) return snPOSITIONS_NONE;
  if (exact && sn_tangentIsKnown(m)) return snPOSITIONS_EXACT;
  return m->opt.integrator == snINT_EULER || isImplicit(m) ? snPOSITIONS_DIFFERENCED
                                                           : snPOSITIONS_NONE;
}

// ---- the system

// second derivative of the cost between rows r and s of one block
static snReal rowCurvature(const snData* d, int first, int r, int s, int dim) {
  SN_ASSERT_PART(first, dim, d->nefc);
  if (dim > 1) return d->contact[d->efc_id[first]].H[r * dim + s];
  return d->efc_state[first] == snCNSTRSTATE_QUADRATIC ? d->efc_D[first] : 0;
}

// A matrix that second derivatives are added to: entry (i, j) lies at i * down + j * along. values NULL: it is not wanted.
typedef struct Target_ {
  snReal* values;
  size_t down, along;
  snReal sign;
} Target;

static inline void addTo(const Target* target, int i, int j, snReal value) {
  target->values[(size_t)i * target->down + (size_t)j * target->along] += target->sign * value;
}

// The rows of one constraint, or of one contact with a cone: J' s'' J by accelerations, and J' s'' b J by velocities,
// since aref = -b J v - k pos.
static void addBlock(const snData* d, const snRows* J, int first, int dim,
                     const Target* acceleration, const Target* velocity) {
  SN_ASSERT_PART(first, dim, d->nefc);
  for (int r = 0; r < dim; r++) {
    const snReal* left = J->value + J->adr[first + r];
    const int* row = J->col + J->adr[first + r];
    for (int s = 0; s < dim; s++) {
      snReal curvature = rowCurvature(d, first, r, s, dim);
      if (curvature == 0) continue;
      const snReal* right = J->value + J->adr[first + s];
      const int* col = J->col + J->adr[first + s];
      snReal damping = d->efc_KBIP[4 * (first + s) + 1];
      for (int k = 0; k < J->nnz[first + r]; k++) {
        snReal factor = curvature * left[k];
        for (int l = 0; l < J->nnz[first + s]; l++) {
          if (acceleration->values) addTo(acceleration, row[k], col[l], factor * right[l]);
          if (velocity->values) addTo(velocity, row[k], col[l], factor * damping * right[l]);
        }
      }
    }
  }
}

// the active constraints, at the acceleration that was found
static int addConstraints(const snModel* m, snData* d, const Target* acceleration,
                          const Target* velocity) {
  snReal* jar = SN_STACK(d, snReal, d->nefc);
  if (!jar) return 0;
  sn_mulJacVec(m, d, jar, d->qacc);
  snu_subFrom(jar, d->efc_aref, d->nefc);
  sn_constraintUpdate(m, d, jar, NULL, 1);
  snRows J = sn_constraintRows(d);
  for (int row = 0; row < d->nefc;) {
    int cone = d->efc_state[row] == snCNSTRSTATE_CONE;
    int dim = cone ? d->contact[d->efc_id[row]].dim : 1;
    addBlock(d, &J, row, dim, acceleration, velocity);
    row += dim;
  }
  return 1;
}

// lower triangle is enough for the factorisation
static void expandInertia(const snModel* m, const snData* d, snReal* H) {
  snInertia inertia = sn_systemInertia(m, d);
  int nv = (int)m->nv;
  for (int i = 0; i < nv; i++) {
    for (int k = inertia.rowadr[i]; k < inertia.rowadr[i] + inertia.rownnz[i]; k++) {
      H[(size_t)nv * i + inertia.colind[k]] = inertia.M[k];
    }
  }
}

static int addSystem(const snModel* m, snData* d, snLinear* linear) {
  if (!linear->H) return 1;
  snu_zero(linear->H, linear->nv * linear->nv);
  expandInertia(m, d, linear->H);
  Target acceleration = {linear->H, (size_t)linear->nv, 1, 1};
  Target velocity = {linear->X + linear->nv, (size_t)linear->n, 1, -1};  // a force, H is a reaction
  if (!addConstraints(m, d, &acceleration, &velocity)) return 0;
  snu_cholFactor(linear->H, linear->nv, (snReal)snMINVAL);
  return 1;
}

// ---- velocities

// derivative of -h K v, which implicitspringdamper adds to the forces
static int addSpringRate(const snModel* m, snData* d, snLinear* linear) {
  int nv = linear->nv;
  snReal *unit = SN_STACK(d, snReal, nv + 1), *rate = SN_STACK(d, snReal, nv + 1);
  if (!unit || !rate) return 0;
  snu_zero(unit, nv);
  for (int j = 0; j < nv; j++) {
    snu_zero(rate, nv);
    unit[j] = 1;
    sn_addSpringRate(m, d, unit, -1, rate);
    unit[j] = 0;
    for (int i = 0; i < nv; i++) linear->X[(size_t)linear->n * i + nv + j] += rate[i];
  }
  return 1;
}

// The implicit integrator's matrix holds the derivative of the bias force, which is linear in the
// velocity. Coriolis forces are a symmetric form of two velocities, so the derivative of that
// matrix, applied to the acceleration i, is h times the same matrix at the velocity i.
static int addMatrixRate(const snModel* m, snData* d, snLinear* linear) {
  int nv = linear->nv;
  snReal* qvel = SN_STACK(d, snReal, nv + 1);
  if (!qvel) return 0;
  snu_copy(qvel, d->qvel, nv);
  snu_copy(d->qvel, linear->taken, nv);
  sn_comVel(m, d);
  for (int flg_bias = 0; flg_bias < 2; flg_bias++) {
    snReal scale = flg_bias ? m->opt.timestep : -m->opt.timestep;
    sn_derivSmoothVel(m, d, flg_bias);
    for (int i = 0; i < nv; i++) {
      snReal* row = linear->extra + (size_t)linear->n * i + nv;
      for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
        row[m->D_colind[k]] += scale * d->qDeriv[k];
      }
    }
  }
  snu_copy(d->qvel, qvel, nv);
  sn_comVel(m, d);
  return 1;
}

static int addVelocities(const snModel* m, snData* d, snLinear* linear) {
  int nv = linear->nv;
  snReal* dense = SN_STACK(d, snReal, nv * nv + 1);
  if (!dense) return 0;
  sn_derivSmoothVelFull(m, d, dense, 1);
  for (int i = 0; i < nv; i++) {
    snu_copy(linear->X + (size_t)linear->n * i + nv, dense + (size_t)nv * i, nv);
  }
  if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER && !addSpringRate(m, d, linear)) return 0;
  memset(linear->use + nv, velocitiesAreAnalytic(m, d), (size_t)nv);
  if (!isImplicit(m) || !linear->extra || !linear->use[nv]) return 1;
  sn_dampingByVelocity(m, d, linear->taken, linear->extra + nv, linear->n);
  return m->opt.integrator == snINT_IMPLICITFAST || addMatrixRate(m, d, linear);
}

// ---- inverse dynamics

int sn_inverseRates(const snModel* m, snData* d, int actuators, snReal* DfDv, snReal* DfDa) {
  int nv = (int)m->nv;
  snReal* dense = SN_STACK(d, snReal, nv * nv + 1);
  if (!dense) return 0;
  if (DfDv) {
    sn_derivSmoothVelFull(m, d, dense, actuators);
    for (int i = 0; i < nv; i++) {
      for (int k = 0; k < nv; k++) DfDv[(size_t)nv * k + i] = -dense[(size_t)nv * i + k];
    }
  }
  if (DfDa) {
    snu_zero(DfDa, nv * nv);
    expandInertia(m, d, DfDa);
    for (int i = 0; i < nv; i++) {
      for (int k = 0; k < i; k++) DfDa[(size_t)nv * k + i] = DfDa[(size_t)nv * i + k];
    }
  }
  // f has the constraint forces with a minus; the matrices have a row for each dof of v and a
  Target acceleration = {DfDa, 1, (size_t)nv, 1}, velocity = {DfDv, 1, (size_t)nv, 1};
  return !d->nefc || addConstraints(m, d, &acceleration, &velocity);
}

// ---- activations and controls

int sn_activationRates(const snModel* m, const snData* d, int i, snReal rate[2]) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* prm = m->actuator_dynprm + snNDYN * i;
  snReal tau = snu_max((snReal)snMINVAL, prm[0]);
  switch (m->actuator_dyntype[i]) {
    case snDYN_INTEGRATOR:
      rate[0] = 0;
      rate[1] = 1;
      return 1;
    case snDYN_FILTER:
    case snDYN_FILTEREXACT:
      rate[0] = -1 / tau;
      rate[1] = 1 / tau;
      return 1;
    case snDYN_MUSCLE:
    case snDYN_HILL:
      return sn_muscleDynamicsSlopes(d->ctrl[i], d->act[m->actuator_actadr[i]], prm, rate);
    default: rate[0] = rate[1] = 0; return 0;
  }
}

void sn_activationStep(const snModel* m, const snData* d, int i, snReal step[2]) {
  SN_ASSERT_INDEX(i, m->nu);
  snReal h = m->opt.timestep, rate[2];
  snReal tau = snu_max((snReal)snMINVAL, m->actuator_dynprm[snNDYN * i]);
  sn_activationRates(m, d, i, rate);
  if (m->actuator_dyntype[i] == snDYN_FILTEREXACT) h = tau * (1 - snu_exp(-h / tau));
  step[0] = 1 + h * rate[0];
  step[1] = h * rate[1];
}

// force by a unit of what an actuator's gain multiplies, times input, and by a unit of the activation's rate,
// times rate
static void addActuator(const snModel* m, const snData* d, const snLinear* linear, int i,
                        int column, snReal input, snReal rate) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* range = m->actuator_forcerange + 2 * i;
  snReal force = d->actuator_force[i];
  if (sn_actuatorDisabled(m, i)) return;
  if (m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1])) return;
  snReal gain = input == 0 ? 0 : input * sn_actuatorGain(m, d, i);
  if (rate != 0 && m->actuator_biastype[i] == snBIAS_MODEL) {
    snActuatorForce law;
    sn_actuatorLaw(m, d, i, 1, &law);
    gain += rate * law.bias_rate;
  }
  int adr = d->moment_rowadr[i];
  for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
    linear->X[(size_t)linear->n * d->moment_colind[k] + column] = gain * d->actuator_moment[k];
  }
}

// an early activation acts with its next value
static void addInputs(const snModel* m, const snData* d, snLinear* linear) {
  int activation = 2 * linear->nv, control = activation + (int)m->na;
  for (int i = 0; i < (int)m->nu; i++) {
    int direct = m->actuator_dyntype[i] == snDYN_NONE, early = m->actuator_actearly[i];
    snReal step[2] = {1, 1}, rate[2] = {0, 0};
    if (!direct && early && m->actuator_actadr[i] >= 0) sn_activationStep(m, d, i, step);
    if (m->actuator_biastype[i] == snBIAS_MODEL && m->actuator_actadr[i] >= 0) {
      sn_activationRates(m, d, i, rate);
    }
    if (controlIsAnalytic(m, d, i)) {
      linear->use[control + i] = 1;
      snReal input = direct || early ? step[1] : 0;
      if (input != 0 || rate[1] != 0) addActuator(m, d, linear, i, control + i, input, rate[1]);
    }
    if (activationIsAnalytic(m, d, i)) {
      int column = activation + m->actuator_actadr[i];
      linear->use[column] = 1;
      addActuator(m, d, linear, i, column, step[0], rate[0]);
    }
  }
}

// ---- positions

// forces and moments with one position moved by eps
static void movedForces(const snModel* m, snData* d, const snLinear* linear, const snActiveSet* set,
                        const snReal* qpos, snReal* move, int dof, snReal eps, snReal* force,
                        snReal* moment) {
  SN_ASSERT_INDEX(dof, m->nv);
  snu_copy(d->qpos, qpos, (int)m->nq);
  if (dof >= 0) {
    move[dof] = 1;
    sn_integratePos(m, d->qpos, move, eps);
    move[dof] = 0;
  }
  sn_forcesAt(m, d, set, linear->qacc, linear->taken, force, moment);
}

// rows of matrix and moment += differences of forces
static int addDifferences(const snModel* m, snData* d, const snTransition* option,
                          const snLinear* linear, snReal* matrix, snReal* moment) {
  int nv = linear->nv, nq = (int)m->nq;
  snReal eps = option->eps, width = option->centered ? 2 * eps : eps;
  snReal* block = SN_STACK(d, snReal, nq + 5 * nv + 1);
  snActiveSet set;
  if (!block || !sn_keepActiveSet(d, &set)) return 0;
  snReal *qpos = block, *move = qpos + nq, *force[2], *rate[2];
  int implicit = moment && isImplicit(m);
  for (int k = 0; k < 2; k++) {
    force[k] = move + (1 + 2 * k) * nv;
    rate[k] = implicit ? force[k] + nv : NULL;
  }
  snu_copy(qpos, d->qpos, nq);
  snu_zero(move, nv);
  if (!option->centered) movedForces(m, d, linear, &set, qpos, move, -1, 0, force[0], rate[0]);
  for (int dof = 0; dof < nv; dof++) {
    if (option->centered) {
      movedForces(m, d, linear, &set, qpos, move, dof, -eps, force[0], rate[0]);
    }
    movedForces(m, d, linear, &set, qpos, move, dof, eps, force[1], rate[1]);
    for (int i = 0; i < nv; i++) {
      matrix[(size_t)nv * dof + i] += (force[1][i] - force[0][i]) / width;
      if (implicit) moment[(size_t)nv * dof + i] += (rate[1][i] - rate[0][i]) / width;
    }
  }
  snu_copy(d->qpos, qpos, nq);
  return 1;
}

// rows of a matrix into columns of positions
static void transposeInto(snReal* target, int n, const snReal* matrix, int nv) {
  for (int k = 0; k < nv; k++) {
    for (int i = 0; i < nv; i++) target[(size_t)n * i + k] = matrix[(size_t)nv * k + i];
  }
}

static int addPositions(const snModel* m, snData* d, const snTransition* option,
                        snPositions positions, snLinear* linear) {
  int nv = linear->nv, done;
  snReal* matrix = SN_STACK(d, snReal, nv * nv + 1);
  snReal* moment = linear->extra ? SN_STACK(d, snReal, nv * nv + 1) : NULL;
  if (!matrix || (linear->extra && !moment)) return 0;
  if (positions == snPOSITIONS_EXACT) {
    done = sn_residualTangent(m, d, linear->qacc, linear->taken, option->eps, matrix, moment);
  } else {
    done = sn_inertialTangent(m, d, linear->qacc, linear->taken, matrix, moment) &&
           addDifferences(m, d, option, linear, matrix, moment);
  }
  if (!done) return 0;
  transposeInto(linear->X, linear->n, matrix, nv);
  if (moment) transposeInto(linear->extra, linear->n, moment, nv);
  memset(linear->use, 1, (size_t)nv);
  return 1;
}

// ---- all of it

static int allocate(const snModel* m, snData* d, snLinear* linear, int hasExtra) {
  int nv = linear->nv = (int)m->nv, n = linear->n = 2 * nv + (int)(m->na + m->nu);
  size_t size = (size_t)nv * n + 1;
  linear->use = SN_STACK(d, snByte, n + 1);
  linear->X = SN_STACK(d, snReal, size);
  linear->product = SN_STACK(d, snReal, size);
  linear->extra = hasExtra ? SN_STACK(d, snReal, size) : NULL;
  linear->H = d->nefc ? SN_STACK(d, snReal, nv * nv + 1) : NULL;
  linear->qacc = SN_STACK(d, snReal, nv + 1);
  linear->taken = SN_STACK(d, snReal, nv + 1);
  if (!linear->use || !linear->X || !linear->product || !linear->qacc || !linear->taken) return 0;
  if ((hasExtra && !linear->extra) || (d->nefc && !linear->H)) return 0;
  memset(linear->use, 0, (size_t)n);
  memset(linear->X, 0, size * sizeof(snReal));
  if (hasExtra) memset(linear->extra, 0, size * sizeof(snReal));
  return 1;
}

int sn_linearize(const snModel* m, snData* d, const snTransition* option, snPositions positions,
                 const snReal* vplus, snLinear* linear) {
  int nv = (int)m->nv;
  if (!allocate(m, d, linear, vplus && sn_stepHasMatrix(m, d))) return 0;
  sn_fillStepMatrices(m, d);
  snu_copy(linear->qacc, d->qacc, nv);
  for (int i = 0; i < nv; i++) {
    linear->taken[i] = vplus ? (vplus[i] - d->qvel[i]) / m->opt.timestep : d->qacc[i];
  }
  if (!isSmooth(m, d)) return 1;
  addInputs(m, d, linear);
  if (!addVelocities(m, d, linear) || !addSystem(m, d, linear)) return 0;
  return positions == snPOSITIONS_NONE || addPositions(m, d, option, positions, linear);
}

void sn_linearAcceleration(const snModel* m, const snData* d, snLinear* linear) {
  if (linear->H) {
    sn_cholSolveRows(linear->X, linear->H, linear->nv, linear->n);
  } else {
    snInertia M = sn_systemInertia(m, d);
    sn_solveTreeRows(linear->X, M.LD, M.LDiagInv, linear->nv, linear->n, M.rownnz, M.rowadr,
                     M.colind);
  }
}

void sn_linearStep(const snModel* m, const snData* d, snLinear* linear) {
  int nv = linear->nv, n = linear->n;
  if (!sn_stepHasMatrix(m, d)) {
    sn_linearAcceleration(m, d, linear);
    return;
  }
  if (linear->H) {
    sn_cholSolveRows(linear->X, linear->H, nv, n);
    sn_mulSymRows(linear->product, d->M, linear->X, nv, n, m->M_rownnz, m->M_rowadr, m->M_colind);
    snReal* swap = linear->X;
    linear->X = linear->product;
    linear->product = swap;
  }
  if (linear->extra) snu_addTo(linear->X, linear->extra, nv * n);
  sn_solveStepRows(m, d, linear->X, n);
}
