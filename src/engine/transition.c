// Linearisation of a step: differences and the hybrid scheme (see sinew/derivatives.h).

#include "sinew/derivatives.h"

#include "base/arena.h"
#include "engine/actuation.h"
#include "engine/constraint.h"
#include "engine/derivative.h"
#include "engine/fluid.h"
#include "engine/inertia.h"
#include "engine/integrate.h"
#include "engine/residual.h"
#include "engine/sleep.h"
#include "engine/tangent.h"
#include "engine/trial.h"
#include "math/math.h"

// ---- what has a closed form

// the step as a whole: forces whose derivatives are known
static int isSmooth(const snModel* m, const snData* d) {
  const snCallbacks* call = &d->callback;
  if (m->nflex || m->nplugin || m->opt.noslip_iterations || sn_sleepEnabled(m)) return 0;
  if (m->opt.integrator == snINT_RK4 || (m->opt.disableflags & snDSBL_ACTUATION)) return 0;
  if (call->passive || call->control || call->act_dyn || call->act_gain || call->act_bias ||
      call->contactsolver) {
    return 0;
  }
  for (int i = 0; i < (int)m->nu; i++) {
    if (m->actuator_dyntype[i] == snDYN_HILL) return 0;  // activations that follow the length
  }
  for (int i = 0; i < (int)m->njnt; i++) {
    if (m->jnt_actfrclimited[i]) return 0;
  }
  for (int i = 0; i < (int)m->ntendon; i++) {
    if (m->tendon_actfrclimited[i] || m->tendon_armature[i] != 0) return 0;
  }
  return 1;
}

static int isImplicit(const snModel* m) {
  return m->opt.integrator == snINT_IMPLICIT || m->opt.integrator == snINT_IMPLICITFAST;
}

static int hasPlainGain(const snModel* m, int i) {
  int gain = m->actuator_gaintype[i], bias = m->actuator_biastype[i];
  return (gain == snGAIN_FIXED || gain == snGAIN_AFFINE) &&
         (bias == snBIAS_NONE || bias == snBIAS_AFFINE);
}

// velocities: an implicit matrix must not depend on them in ways other than the bias force
static int velocitiesAreAnalytic(const snModel* m, const snData* d) {
  if (isImplicit(m) && sn_hasFluid(m)) return 0;
  for (int i = 0; i < (int)m->nu; i++) {
    if (isImplicit(m) && !hasPlainGain(m, i)) return 0;
    // the slope of the gain is taken at the control as given, not as clamped
    const snReal* range = m->actuator_ctrlrange + 2 * i;
    int clamped = m->actuator_ctrllimited[i] && (d->ctrl[i] < range[0] || d->ctrl[i] > range[1]);
    if (clamped && m->actuator_gaintype[i] != snGAIN_FIXED) return 0;
  }
  return 1;
}

static int activationIsAnalytic(const snModel* m, const snData* d, int i) {
  int dyntype = m->actuator_dyntype[i], adr = m->actuator_actadr[i];
  if (adr < 0 || m->actuator_actnum[i] != 1 || m->actuator_actearly[i]) return 0;
  if (!hasPlainGain(m, i) || sn_actuatorDisabled(m, i)) return 0;
  if (dyntype != snDYN_FILTER && dyntype != snDYN_FILTEREXACT && dyntype != snDYN_INTEGRATOR) {
    return 0;
  }
  if (!m->actuator_actlimited[i]) return 1;
  snReal next = sn_nextActivation(m, d, i, adr, d->act_dot[adr]);
  const snReal* range = m->actuator_actrange + 2 * i;
  return next > range[0] && next < range[1];
}

// with activation the control moves that alone
static int controlIsAnalytic(const snModel* m, const snData* d, int i) {
  const snReal* range = m->actuator_ctrlrange + 2 * i;
  int direct = m->actuator_dyntype[i] == snDYN_NONE && hasPlainGain(m, i);
  if (!direct && !activationIsAnalytic(m, d, i)) return 0;
  return !m->actuator_ctrllimited[i] || (d->ctrl[i] > range[0] && d->ctrl[i] < range[1]);
}

// ---- the system

// Dense matrices of the nominal step.
typedef struct System_ {
  int nv;
  int constrained;
  snReal* H;        // Cholesky factor of M + J' s'' J
  snReal* dforce;   // d(smooth force)/d(velocity) + J' s'' d(aref)/d(velocity)
  snReal* dmatrix;  // -h d(W)/d(velocity) a; NULL: W does not depend on it
  snReal* column;   // scratch
  snReal* vplus;    // velocity after the nominal step
  snReal* acc;      // acceleration that the constraint solver found
} System;

// second derivative of the cost between rows r and s of one block
static snReal rowCurvature(const snData* d, int first, int r, int s, int dim) {
  if (dim > 1) return d->contact[d->efc_id[first]].H[r * dim + s];
  return d->efc_state[first] == snCNSTRSTATE_QUADRATIC ? d->efc_D[first] : 0;
}

// H += J' s'' J and dforce -= J' s'' b J, since aref = -b J v - k pos
static void addBlock(const snData* d, const snRows* J, int first, int dim, System* system) {
  int nv = system->nv;
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
        snReal *H = system->H + (size_t)nv * row[k], *F = system->dforce + (size_t)nv * row[k];
        for (int l = 0; l < J->nnz[first + s]; l++) {
          H[col[l]] += factor * right[l];
          F[col[l]] -= factor * damping * right[l];
        }
      }
    }
  }
}

// the active constraints, at the acceleration that was found
static int addConstraints(const snModel* m, snData* d, System* system) {
  snReal* jar = SN_STACK(d, snReal, d->nefc);
  if (!jar) return 0;
  sn_mulJacVec(m, d, jar, d->qacc);
  snu_subFrom(jar, d->efc_aref, d->nefc);
  sn_constraintUpdate(m, d, jar, NULL, 1);
  snRows J = sn_constraintRows(d);
  for (int row = 0; row < d->nefc;) {
    int cone = d->efc_state[row] == snCNSTRSTATE_CONE;
    int dim = cone ? d->contact[d->efc_id[row]].dim : 1;
    addBlock(d, &J, row, dim, system);
    row += dim;
  }
  return 1;
}

static void expandInertia(const snModel* m, const snData* d, snReal* H) {
  snInertia inertia = sn_systemInertia(m, d);
  int nv = (int)m->nv;
  for (int i = 0; i < nv; i++) {
    for (int k = inertia.rowadr[i]; k < inertia.rowadr[i] + inertia.rownnz[i]; k++) {
      int j = inertia.colind[k];
      H[(size_t)nv * i + j] = H[(size_t)nv * j + i] = inertia.M[k];
    }
  }
}

// derivative of -h K v, which implicitspringdamper adds to the forces
static void addSpringRate(const snModel* m, const snData* d, System* system) {
  int nv = system->nv;
  snReal *unit = system->column, *rate = system->column + nv;
  snu_zero(unit, nv);
  for (int j = 0; j < nv; j++) {
    snu_zero(rate, nv);
    unit[j] = 1;
    sn_addSpringRate(m, d, unit, -1, rate);
    unit[j] = 0;
    for (int i = 0; i < nv; i++) system->dforce[(size_t)nv * i + j] += rate[i];
  }
}

// The implicit integrator's matrix holds the derivative of the bias force, which is linear in the
// velocity. Coriolis forces are a symmetric form of two velocities, so the derivative of that
// matrix, applied to the acceleration a, is h times the same matrix at the velocity a.
static int makeMatrixRate(const snModel* m, snData* d, System* system) {
  int nv = system->nv;
  snReal* qvel = SN_STACK(d, snReal, nv);
  system->dmatrix = SN_STACK(d, snReal, nv * nv);
  if (!qvel || !system->dmatrix) return 0;
  snu_copy(qvel, d->qvel, nv);
  snu_zero(system->dmatrix, nv * nv);
  for (int i = 0; i < nv; i++) d->qvel[i] = (system->vplus[i] - qvel[i]) / m->opt.timestep;
  sn_comVel(m, d);
  for (int flg_bias = 0; flg_bias < 2; flg_bias++) {
    snReal scale = flg_bias ? m->opt.timestep : -m->opt.timestep;
    sn_derivSmoothVel(m, d, flg_bias);
    for (int i = 0; i < nv; i++) {
      for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
        system->dmatrix[(size_t)nv * i + m->D_colind[k]] += scale * d->qDeriv[k];
      }
    }
  }
  snu_copy(d->qvel, qvel, nv);
  sn_comVel(m, d);
  return 1;
}

static int makeSystem(const snModel* m, snData* d, System* system, const snTrial* trial) {
  int nv = (int)m->nv;
  system->nv = nv;
  system->H = SN_STACK(d, snReal, nv * nv);
  system->dforce = SN_STACK(d, snReal, nv * nv);
  system->column = SN_STACK(d, snReal, 2 * nv + 1);
  system->vplus = trial->nominal.state + m->nq;
  system->dmatrix = NULL;
  system->constrained = d->nefc > 0;
  system->acc = SN_STACK(d, snReal, nv + 1);
  if (!system->H || !system->dforce || !system->column || !system->acc) return 0;
  snu_copy(system->acc, d->qacc, nv);
  sn_derivSmoothVelFull(m, d, system->dforce);
  if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER) addSpringRate(m, d, system);
  snu_zero(system->H, nv * nv);
  expandInertia(m, d, system->H);
  if (system->constrained && !addConstraints(m, d, system)) return 0;
  snu_cholFactor(system->H, nv, (snReal)snMINVAL);
  return 1;
}

// from a change of the smooth force to the change of velocity over h; dof: a velocity that changes
// the matrix of the step too, -1: none
static void accelerate(const snModel* m, snData* d, const System* system, snReal* vec, int dof) {
  int nv = system->nv;
  if (system->constrained) {
    snReal* acc = system->column + nv;
    snu_cholSolve(acc, system->H, vec, nv);
    if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER) {
      snu_copy(vec, acc, nv);
      return;
    }
    sn_mulM(m, d, vec, acc);
  }
  if (system->dmatrix && dof >= 0) {
    for (int i = 0; i < nv; i++) vec[i] += system->dmatrix[(size_t)nv * i + dof];
  }
  sn_solveStep(m, d, vec);
}

// ---- columns

// position rows from velocity rows: dq+ = h Dq dv+, where Dq is the identity but for rotations
static void positionRows(const snModel* m, const System* system, const snReal* dv, snReal* A,
                         int stride) {
  snReal h = m->opt.timestep, Dvel[9], turned[3];
  for (int joint = 0; joint < (int)m->njnt; joint++) {
    int dof = m->jnt_dofadr[joint], type = m->jnt_type[joint];
    int plain = type == snJNT_FREE ? 3 : (type == snJNT_BALL ? 0 : 1);
    for (int k = 0; k < plain; k++, dof++) A[(size_t)dof * stride] = h * dv[dof];
    if (type != snJNT_FREE && type != snJNT_BALL) continue;
    snd_quatIntegrate(system->vplus + dof, h, NULL, Dvel, NULL);
    snu_mulMatVec3(turned, Dvel, dv + dof);
    for (int k = 0; k < 3; k++) A[(size_t)(dof + k) * stride] = h * turned[k];
  }
}

// column of an input that changes the velocity by dv and nothing else
static void writeColumn(const snModel* m, const System* system, const snReal* dv, snReal* A,
                        int stride) {
  int nv = system->nv;
  positionRows(m, system, dv, A, stride);
  for (int i = 0; i < nv; i++) A[(size_t)(nv + i) * stride] = dv[i];
  for (int i = 0; i < (int)m->na; i++) A[(size_t)(2 * nv + i) * stride] = 0;
}

static void velocityColumns(const snModel* m, snData* d, const System* system, snReal* A) {
  int nv = system->nv, ndx = 2 * nv + (int)m->na;
  snReal* dv = system->column;
  for (int j = 0; j < nv; j++) {
    for (int i = 0; i < nv; i++) dv[i] = system->dforce[(size_t)nv * i + j];
    accelerate(m, d, system, dv, j);
    snu_scl(dv, dv, m->opt.timestep, nv);
    dv[j] += 1;
    writeColumn(m, system, dv, A + nv + j, ndx);
  }
}

// change of velocity by a unit of what an actuator's gain multiplies
static void actuatorColumn(const snModel* m, snData* d, const System* system, int i) {
  snReal* dv = system->column;
  const snReal *prm = m->actuator_gainprm + snNGAIN * i, *range = m->actuator_forcerange + 2 * i;
  snReal gain = prm[0], force = d->actuator_force[i];
  if (m->actuator_gaintype[i] == snGAIN_AFFINE) {
    gain += prm[1] * d->actuator_length[i] + prm[2] * d->actuator_velocity[i];
  }
  snu_zero(dv, system->nv);
  if (sn_actuatorDisabled(m, i)) return;
  if (m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1])) return;
  int adr = d->moment_rowadr[i];
  for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
    dv[d->moment_colind[k]] = gain * d->actuator_moment[k];
  }
  accelerate(m, d, system, dv, -1);
  snu_scl(dv, dv, m->opt.timestep, system->nv);
}

static snReal activationRate(const snModel* m, int i) {
  snReal h = m->opt.timestep;
  snReal tau = snu_max((snReal)snMINVAL, m->actuator_dynprm[snNDYN * i]);
  switch (m->actuator_dyntype[i]) {
    case snDYN_FILTER: return 1 - h / tau;
    case snDYN_FILTEREXACT: return snu_exp(-h / tau);
    default: return 1;
  }
}

// change of the next activation by a unit of control
static snReal activationGain(const snModel* m, int i) {
  snReal h = m->opt.timestep;
  snReal tau = snu_max((snReal)snMINVAL, m->actuator_dynprm[snNDYN * i]);
  switch (m->actuator_dyntype[i]) {
    case snDYN_FILTER: return h / tau;
    case snDYN_FILTEREXACT: return 1 - snu_exp(-h / tau);
    default: return h;
  }
}

static void controlColumn(const snModel* m, snData* d, const System* system, int i, snReal* B) {
  int nu = (int)m->nu;
  if (m->actuator_dyntype[i] == snDYN_NONE) {
    actuatorColumn(m, d, system, i);
    writeColumn(m, system, system->column, B + i, nu);
  } else {
    snu_zero(system->column, system->nv);
    writeColumn(m, system, system->column, B + i, nu);
    B[(size_t)(2 * system->nv + m->actuator_actadr[i]) * nu + i] = activationGain(m, i);
  }
}

static void actuatorColumns(const snModel* m, snData* d, const System* system, snReal* A,
                            snReal* B) {
  int nv = system->nv, ndx = 2 * nv + (int)m->na;
  for (int i = 0; i < (int)m->nu; i++) {
    if (B && controlIsAnalytic(m, d, i)) controlColumn(m, d, system, i, B);
    if (A && activationIsAnalytic(m, d, i)) {
      int column = 2 * nv + m->actuator_actadr[i];
      actuatorColumn(m, d, system, i);
      writeColumn(m, system, system->column, A + column, ndx);
      A[(size_t)ndx * column + column] = activationRate(m, i);
    }
  }
}

// ---- positions

// With r = 0 at the solution, (M + J' s'' J) da = -dr. The integrator's matrix W = M + h D or
// M - h dF/dv moves with q: W di = M da + dM (a - i) + h d(dF/dv) i, where i = (v+ - v) / h is the
// acceleration that was integrated.
typedef struct Positions_ {
  int damped;                       // W is not M
  snReal* integrated;               // i
  snReal *qpos, *move;              // start, direction
  snReal *residual[2], *moment[2];  // at both ends of a difference
} Positions;

static int allocPositions(const snModel* m, snData* d, Positions* p) {
  int nv = (int)m->nv;
  snReal* block = SN_STACK(d, snReal, (int)m->nq + 6 * nv + 1);
  if (!block) return 0;
  p->qpos = block;
  p->move = p->qpos + m->nq;
  p->integrated = p->move + nv;
  for (int k = 0; k < 2; k++) {
    p->residual[k] = p->integrated + (1 + 2 * k) * nv;
    p->moment[k] = p->residual[k] + nv;
  }
  return 1;
}

// rotate the identity of position rows: dq+ = Dq dq + h Dv dv+
static void addPositionRate(const snModel* m, const System* system, int dof, snReal* A,
                            int stride) {
  int joint = m->dof_jntid[dof], type = m->jnt_type[joint];
  int turning = m->jnt_dofadr[joint] + (type == snJNT_FREE ? 3 : 0);
  if ((type != snJNT_FREE && type != snJNT_BALL) || dof < turning) {
    A[(size_t)dof * stride] += 1;
    return;
  }
  snReal Dquat[9];
  snd_quatIntegrate(system->vplus + turning, m->opt.timestep, Dquat, NULL, NULL);
  for (int k = 0; k < 3; k++) A[(size_t)(turning + k) * stride] += Dquat[3 * k + dof - turning];
}

// column of one position from the residuals at both ends
static void positionColumn(const snModel* m, snData* d, const System* system, const Positions* p,
                           int dof, snReal width, snReal* A) {
  int nv = system->nv, ndx = 2 * nv + (int)m->na;
  snReal *dv = system->column, *acc = system->column + nv;
  for (int i = 0; i < nv; i++) dv[i] = (p->residual[0][i] - p->residual[1][i]) / width;
  snu_cholSolve(acc, system->H, dv, nv);
  if (p->damped) {
    sn_mulM(m, d, dv, acc);
    for (int i = 0; i < nv; i++) dv[i] += (p->moment[1][i] - p->moment[0][i]) / width;
    sn_solveStep(m, d, dv);
  } else {
    snu_copy(dv, acc, nv);
  }
  snu_scl(dv, dv, m->opt.timestep, nv);
  writeColumn(m, system, dv, A + dof, ndx);
  addPositionRate(m, system, dof, A + dof, ndx);
}

// residual with one position moved by eps
static void moved(const snModel* m, snData* d, const System* system, Positions* p, int dof,
                  snReal eps, int end) {
  snu_copy(d->qpos, p->qpos, (int)m->nq);
  if (dof >= 0) {
    p->move[dof] = 1;
    sn_integratePos(m, d->qpos, p->move, eps);
    p->move[dof] = 0;
  }
  sn_motionResidual(m, d, system->acc, p->integrated, p->residual[end],
                    p->damped ? p->moment[end] : NULL);
}

// M, its factor and the matrix of the step stay those of the nominal step throughout
static int positionColumns(const snModel* m, snData* d, const System* system,
                           const snTransition* option, snReal* A) {
  Positions p;
  int nv = system->nv;
  snReal eps = option->eps;
  if (!allocPositions(m, d, &p)) return 0;
  p.damped = isImplicit(m) || sn_hasImplicitDamping(m, d, 1);
  snu_copy(p.qpos, d->qpos, (int)m->nq);
  snu_zero(p.move, nv);
  for (int i = 0; i < nv; i++) {
    p.integrated[i] = (system->vplus[i] - d->qvel[i]) / m->opt.timestep;
  }
  if (!option->centered) moved(m, d, system, &p, -1, 0, 0);
  for (int dof = 0; dof < nv; dof++) {
    if (option->centered) moved(m, d, system, &p, dof, -eps, 0);
    moved(m, d, system, &p, dof, eps, 1);
    positionColumn(m, d, system, &p, dof, option->centered ? 2 * eps : eps, A);
  }
  snu_copy(d->qpos, p.qpos, (int)m->nq);
  return 1;
}

// the same in closed form: rows of the tangent are directions
static int positionColumnsExact(const snModel* m, snData* d, const System* system, snReal* A) {
  int nv = system->nv, ndx = 2 * nv + (int)m->na;
  int damped = isImplicit(m) || sn_hasImplicitDamping(m, d, 1);
  snReal* matrix = SN_STACK(d, snReal, nv * nv + 1);
  snReal* moment = SN_STACK(d, snReal, damped ? nv * nv + 1 : 1);
  snReal* taken = SN_STACK(d, snReal, nv + 1);
  if (!matrix || !moment || !taken) return 0;
  for (int i = 0; i < nv; i++) taken[i] = (system->vplus[i] - d->qvel[i]) / m->opt.timestep;
  if (!sn_residualTangent(m, d, system->acc, taken, matrix, damped ? moment : NULL)) return 0;
  for (int dof = 0; dof < nv; dof++) {
    snReal *acc = matrix + (size_t)nv * dof, *dv = system->column;
    snu_cholSolve(acc, system->H, acc, nv);
    if (damped) {
      sn_mulM(m, d, dv, acc);
      snu_addTo(dv, moment + (size_t)nv * dof, nv);
      sn_solveStep(m, d, dv);
    } else {
      snu_copy(dv, acc, nv);
    }
    snu_scl(dv, dv, m->opt.timestep, nv);
    writeColumn(m, system, dv, A + dof, ndx);
    addPositionRate(m, system, dof, A + dof, ndx);
  }
  return 1;
}

// ---- the scheme

// which columns are left to differences, decided at the nominal step
typedef struct Plan_ {
  int smooth;
  int velocities;
  int positions;       // without whole steps
  int exact;           // without differences
  snByte* control;     // nu: analytic
  snByte* activation;  // na: analytic
} Plan;

static int positionsAreSmooth(const snModel* m) {
  return m->opt.integrator == snINT_EULER || isImplicit(m);
}

static int makePlan(const snModel* m, snData* d, Plan* plan, int exact) {
  plan->control = SN_STACK(d, snByte, m->nu + 1);
  plan->activation = SN_STACK(d, snByte, m->na + 1);
  if (!plan->control || !plan->activation) return 0;
  plan->smooth = isSmooth(m, d);
  plan->velocities = plan->smooth && velocitiesAreAnalytic(m, d);
  plan->positions = plan->smooth && positionsAreSmooth(m);
  plan->exact = exact && plan->positions && sn_tangentIsKnown(m, d);
  for (int i = 0; i < (int)m->na; i++) plan->activation[i] = 0;
  for (int i = 0; i < (int)m->nu; i++) {
    plan->control[i] = plan->smooth && controlIsAnalytic(m, d, i);
    if (plan->smooth && activationIsAnalytic(m, d, i)) plan->activation[m->actuator_actadr[i]] = 1;
  }
  return 1;
}

static int analyticColumns(const snModel* m, snData* d, const snTrial* trial, const Plan* plan,
                           System* system, snReal* A, snReal* B) {
  if (!plan->smooth) return 1;
  if (!makeSystem(m, d, system, trial)) return 0;
  actuatorColumns(m, d, system, A, B);
  if (A && plan->exact && !positionColumnsExact(m, d, system, A)) return 0;
  if (!A || !plan->velocities) return 1;
  if (m->opt.integrator == snINT_IMPLICIT && !makeMatrixRate(m, d, system)) return 0;
  velocityColumns(m, d, system, A);
  return 1;
}

static int hybrid(const snModel* m, snData* d, const snTransition* option, int exact, snReal* A,
                  snReal* B) {
  snTrial trial;
  Plan plan;
  System system;
  if (!sn_beginTrials(m, d, &trial, option->eps, option->centered, 0)) return -1;
  if (!makePlan(m, d, &plan, exact) || !analyticColumns(m, d, &trial, &plan, &system, A, B))
    return -1;
  for (int i = 0; B && i < (int)m->nu; i++) {
    if (!plan.control[i]) sn_tryControl(m, d, &trial, i, B, NULL);
  }
  if (!A) return 0;
  for (int i = 0; i < (int)m->na; i++) {
    if (!plan.activation[i]) sn_tryActivation(m, d, &trial, i, A, NULL);
  }
  if (!plan.velocities) sn_tryVelocities(m, d, &trial, A, NULL);
  if (plan.exact) return 0;
  if (plan.positions) return positionColumns(m, d, &system, option, A) ? 0 : -1;
  sn_tryPositions(m, d, &trial, A, NULL);
  return 0;
}

static int differences(const snModel* m, snData* d, const snTransition* option, snReal* A,
                       snReal* B) {
  snTrial trial;
  if (!sn_beginTrials(m, d, &trial, option->eps, option->centered, 0)) return -1;
  if (B) sn_tryControls(m, d, &trial, B, NULL);
  if (A) {
    sn_tryActivations(m, d, &trial, A, NULL);
    sn_tryVelocities(m, d, &trial, A, NULL);
    sn_tryPositions(m, d, &trial, A, NULL);
  }
  return 0;
}

// ---- public functions

void snd_defaultTransition(snTransition* option) {
  option->eps = (snReal)1e-6;
  option->centered = 1;
  option->analytic = 1;
}

enum { DIFFERENCE, HYBRID, ANALYTIC };

static int run(const snModel* m, snData* d, const snTransition* option, int method, snReal* A,
               snReal* B) {
  snTransition standard;
  if (!option) {
    snd_defaultTransition(&standard);
    option = &standard;
  }
  if (!(option->eps > 0 && option->eps <= (snReal)0.01) || m->nhistory > 0) return -1;
  sn_markStack(d);
  int result = method == DIFFERENCE ? differences(m, d, option, A, B)
                                    : hybrid(m, d, option, method == ANALYTIC, A, B);
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
  int columns = snCOLUMNS_ACTIVATION | snCOLUMNS_CONTROL;
  if (!isSmooth(m, d)) return 0;
  if (positionsAreSmooth(m) && sn_tangentIsKnown(m, d)) columns |= snCOLUMNS_POSITION;
  if (velocitiesAreAnalytic(m, d)) columns |= snCOLUMNS_VELOCITY;
  for (int i = 0; i < (int)m->nu; i++) {
    int has = m->actuator_actadr[i] >= 0;
    if (!controlIsAnalytic(m, d, i)) columns &= ~snCOLUMNS_CONTROL;
    if (has && !activationIsAnalytic(m, d, i)) columns &= ~snCOLUMNS_ACTIVATION;
  }
  return columns;
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
    result = run(m, d, NULL, 0, A1, B1) || run(m, d, NULL, 1, A2, B2) ? -1 : 0;
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
  if (block && !run(m, d, &coarse, 0, block, NULL) && !run(m, d, &fine, 0, block + nA, NULL)) {
    result = snd_maxRelativeError(block, block + nA, nA, (snReal)1e-10, NULL) < tolerance;
  }
  sn_freeStack(d);
  return result;
}
