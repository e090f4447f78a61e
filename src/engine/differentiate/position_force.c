// Derivatives of passive and actuator forces by positions (see differentiate/position_derivative.h).

#include "base/arena.h"
#include "base/assert.h"
#include "engine/actuate/actuation.h"
#include "engine/actuate/hill.h"
#include "engine/actuate/law.h"
#include "engine/actuate/muscle.h"
#include "engine/differentiate/position_derivative.h"
#include "engine/differentiate/velocity_derivative.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/inertia.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/passive.h"
#include "math/math.h"
#include "model/object_types.h"

// ---- what has a closed form

static int transmissionIsKnown(const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  switch (m->actuator_trntype[i]) {
    case snTRN_JOINT:
    case snTRN_JOINTINPARENT:
    case snTRN_TENDON: return 1;
    case snTRN_SITE: return m->actuator_trnid[2 * i + 1] < 0;
    default: return 0;
  }
}

// Hill muscles with elastic tendons have forces that depend on a solve
int sn_actuatorIsKnown(const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  int gain = m->actuator_gaintype[i], bias = m->actuator_biastype[i];
  if (gain == snGAIN_USER || bias == snBIAS_USER) return 0;
  if (gain != snGAIN_HILL && bias != snBIAS_HILL) return 1;
  return gain == snGAIN_HILL && bias == snBIAS_HILL && m->actuator_actnum[i] < 2;
}

int sn_actuatorCurveIsKnown(const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  int gain = m->actuator_gaintype[i];
  return gain != snGAIN_HILL && (gain != snGAIN_MODEL || sn_lawIsAffine(m, i));
}

// a fluid's derivative leaves out the coefficient of a geom
static int fluidIsKnown(const snModel* m, int implicit) {
  if (!sn_hasFluid(m)) return 1;
  for (int geom = 0; geom < (int)m->ngeom; geom++) {
    snReal coefficient = m->geom_fluid[snNFLUID * geom];
    if (coefficient != 0 && coefficient != 1) return 0;
  }
  return !implicit;
}

int sn_tangentIsKnown(const snModel* m) {
  if (m->nflexnode || m->ncapstan) return 0;
  int integrator = m->opt.integrator;
  int implicit = integrator == snINT_IMPLICIT || integrator == snINT_IMPLICITFAST;
  if (!fluidIsKnown(m, implicit)) return 0;
  for (int i = 0; i < (int)m->nu; i++) {
    if (!transmissionIsKnown(m, i) || !sn_actuatorIsKnown(m, i)) return 0;
    if (implicit && !sn_actuatorCurveIsKnown(m, i)) return 0;
  }
  return 1;
}

// ---- springs

static void jointSpring(const snModel* m, const snData* d, snTangent* t, int joint) {
  SN_ASSERT_INDEX(joint, m->njnt);
  snReal stiffness = m->jnt_stiffness[joint], quat[4], Da[9];
  int adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint], type = m->jnt_type[joint];
  size_t nv = (size_t)t->nv;
  if (type == snJNT_HINGE || type == snJNT_SLIDE) {
    t->matrix[nv * dof + dof] -= stiffness;
    return;
  }
  if (type == snJNT_FREE) {
    for (int k = 0; k < 3; k++, dof++) t->matrix[nv * dof + dof] -= stiffness;
    adr += 3;
  }
  snu_copy4(quat, d->qpos + adr);
  snu_normalize4(quat);
  snd_subQuat(quat, m->qpos_spring + adr, Da, NULL);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) t->matrix[nv * (dof + k) + dof + i] -= stiffness * Da[3 * i + k];
  }
}

// ---- tendons

void sn_tangentShape(const snData* d, snTangent* t, const snTendonShape* shape, snReal force,
                     snReal byLength, snReal byVelocity) {
  int n = shape->n;
  for (int k = 0; k < n; k++) {
    snReal* row = t->matrix + (size_t)t->nv * shape->dof[k];
    snReal change = byLength * shape->J[k];
    if (byVelocity != 0) change += byVelocity * sn_tendonRate(shape, k, d->qvel);
    for (int i = 0; i < n; i++) row[shape->dof[i]] += change * shape->J[i];
    if (shape->isLinear || force == 0) continue;
    for (int i = 0; i < n; i++) row[shape->dof[i]] += force * shape->hessian[k * n + i];
  }
}

static int tendonSpring(const snModel* m, snData* d, snTangent* t, int tendon, snReal stiffness,
                        snReal damping) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  const snReal* band = m->tendon_lengthspring + 2 * tendon;
  snReal length = d->ten_length[tendon];
  snReal stretch = length > band[1] ? band[1] - length : length < band[0] ? band[0] - length : 0;
  snTendonShape shape;
  sn_markStack(d);
  int done = sn_allocTendonShape(m, d, &shape);
  if (done) {
    sn_tendonShape(m, d, t, tendon, &shape);
    sn_tangentShape(d, t, &shape, stiffness * stretch - damping * d->ten_velocity[tendon],
                    stretch != 0 ? -stiffness : 0, -damping);
  }
  sn_freeStack(d);
  return done;
}

// implicitspringdamper: minus d(J' J ((h b + h^2 k) a + h k v)), what its matrix and its forces have
// more than M and f
static int tendonMatrix(const snModel* m, snData* d, snTangent* t, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  snReal stiffness, damping, h = t->h;
  sn_tendonSpringDamper(m, d, tendon, &stiffness, &damping);
  if (stiffness == 0 && damping == 0) return 1;
  snReal byAcc = h * damping + h * h * stiffness, byVel = h * stiffness;
  snTendonShape shape;
  sn_markStack(d);
  int done = sn_allocTendonShape(m, d, &shape);
  if (done) sn_tendonShape(m, d, t, tendon, &shape);
  if (done && !shape.isLinear) {
    snReal along = 0;
    int n = shape.n;
    for (int i = 0; i < n; i++) {
      along += shape.J[i] * (byAcc * t->qacc[shape.dof[i]] + byVel * d->qvel[shape.dof[i]]);
    }
    for (int k = 0; k < n; k++) {
      snReal* row = t->matrix + (size_t)t->nv * shape.dof[k];
      snReal change =
          byAcc * sn_tendonRate(&shape, k, t->qacc) + byVel * sn_tendonRate(&shape, k, d->qvel);
      for (int i = 0; i < n; i++) {
        row[shape.dof[i]] -= shape.hessian[k * n + i] * along + shape.J[i] * change;
      }
    }
  }
  sn_freeStack(d);
  return done;
}

// ---- forces on bodies

// a force at the centre of a body that keeps its direction: W = (arm x f + torque, f)
static void fixedForce(const snModel* m, const snData* d, snTangent* t, int body,
                       const snReal force[3], const snReal* torque) {
  SN_ASSERT_INDEX(body, m->nbody);
  const snReal* com = d->subtree_com + 3 * m->body_rootid[body];
  snReal arm[3], part[3], motion[6], change[6] = {0, 0, 0, 0, 0, 0}, *wrench = t->wrench + 6 * body;
  snu_sub3(arm, d->xipos + 3 * body, com);
  snu_cross(part, arm, force);
  snu_addTo3(wrench, part);
  if (torque) snu_addTo3(wrench, torque);
  snu_addTo3(wrench + 3, force);
  for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) {
    sn_motionAt(d->cdof + 6 * k, arm, motion);
    snu_cross(change, motion + 3, force);
    sn_tangentRate(t, body, k, change);
  }
}

// dW = S_k x* W + G (p1_k + S_k x wind): the velocity relative to the fluid, seen from the body
static void fluidForce(const snModel* m, const snData* d, snTangent* t, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  snReal G[36], W[6], change[6], p1[6], part[6], wind[6] = {0, 0, 0, 0, 0, 0};
  snu_zero(G, 36);
  sn_bodyFluidDerivative(m, d, body, G);
  sn_bodyFluidWrench(m, d, body, W);
  sn_addTo6(t->wrench + 6 * body, W);
  snu_copy3(wind + 3, m->opt.wind);
  for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) {
    const snReal* S = d->cdof + 6 * k;
    sn_crossMotion(p1, t->velBefore + 6 * k, S);
    sn_crossMotion(part, S, wind);
    sn_addTo6(p1, part);
    sn_crossForce(change, S, W);
    for (int r = 0; r < 6; r++) change[r] += sn_dot6(G + 6 * r, p1);
    sn_tangentRate(t, body, k, change);
  }
}

static void bodyForces(const snModel* m, snData* d, snTangent* t, int hasPassive) {
  int gravity = hasPassive && sn_hasGravcomp(m);
  int fluid = hasPassive && sn_hasFluid(m);
  for (int body = 1; body < (int)m->nbody; body++) {
    const snReal* xfrc = d->xfrc_applied + 6 * body;
    if (t->applied && !snu_isZero(xfrc, 6)) fixedForce(m, d, t, body, xfrc, xfrc + 3);
    if (m->ndeformable) {
      const snReal* push = d->deformable_xfrc + 6 * body;
      if (!snu_isZero(push, 6)) fixedForce(m, d, t, body, push, push + 3);
    }
    if (gravity && m->body_gravcomp[body] != 0) {
      snReal force[3];
      snu_scl3(force, m->opt.gravity, -(m->body_mass[body] * m->body_gravcomp[body]));
      fixedForce(m, d, t, body, force, NULL);
    }
    if (fluid && m->body_mass[body] >= (snReal)snMINVAL) fluidForce(m, d, t, body);
  }
}

int sn_tangentPassive(const snModel* m, snData* d, snTangent* t) {
  int hasSpring = !(m->opt.disableflags & snDSBL_SPRING);
  int hasDamper = !(m->opt.disableflags & snDSBL_DAMPER);
  bodyForces(m, d, t, hasSpring || hasDamper);
  for (int joint = 0; hasSpring && joint < (int)m->njnt; joint++) {
    if (m->jnt_stiffness[joint] != 0) jointSpring(m, d, t, joint);
  }
  if (m->nflex && (hasSpring || hasDamper) && !sn_tangentFlexes(m, d, t, hasSpring, hasDamper)) {
    return 0;
  }
  if (hasSpring || hasDamper) sn_tangentSprings(m, d, t);
  for (int i = 0; i < (int)m->ntendon; i++) {
    snReal stiffness = hasSpring ? m->tendon_stiffness[i] : 0;
    snReal damping = hasDamper ? m->tendon_damping[i] : 0;
    if (stiffness == 0 && damping == 0) continue;
    if (!tendonSpring(m, d, t, i, stiffness, damping)) return 0;
    if (m->opt.integrator != snINT_IMPLICITSPRINGDAMPER) continue;
    if (!tendonMatrix(m, d, t, i)) return 0;
  }
  return 1;
}

// ---- actuators

// what the gain multiplies: the control as clamped, or the activation
static snReal actuatorInput(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  snReal ctrl = d->ctrl[i];
  if (m->actuator_ctrllimited[i] && !(m->opt.disableflags & snDSBL_CLAMPCTRL)) {
    const snReal* range = m->actuator_ctrlrange + 2 * i;
    ctrl = snu_clip(ctrl, range[0], range[1]);
  }
  return sn_actuatorInput(m, d, i, ctrl);
}

static int isSaturated(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* range = m->actuator_forcerange + 2 * i;
  snReal force = d->actuator_force[i];
  return m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1]);
}

// the same of a law of model/actuator_laws.h or a registered one, which may give gain, bias or both
static void lawSlopes(const snModel* m, const snData* d, int i, snReal input, snReal slope[2]) {
  int gain = m->actuator_gaintype[i] == snGAIN_MODEL,
      bias = m->actuator_biastype[i] == snBIAS_MODEL;
  if (!gain && !bias) return;
  snActuatorForce law;
  sn_actuatorLaw(m, d, i, 1, &law);
  if (gain) {
    slope[0] += law.gain_length * input;
    slope[1] += law.gain_velocity * input;
  }
  if (bias) {
    slope[0] += law.bias_length;
    slope[1] += law.bias_velocity;
  }
}

// slopes of the force by length and velocity
static void actuatorSlopes(const snModel* m, const snData* d, int i, snReal slope[2]) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal *gain = m->actuator_gainprm + snNGAIN * i, *bias = m->actuator_biasprm + snNBIAS * i;
  const snReal* range = m->actuator_lengthrange + 2 * i;
  snReal length = d->actuator_length[i], vel = d->actuator_velocity[i];
  snReal acc0 = m->actuator_acc0[i], input = actuatorInput(m, d, i);
  slope[0] = slope[1] = 0;
  if (isSaturated(m, d, i)) return;
  if (m->actuator_biastype[i] == snBIAS_AFFINE) {
    slope[0] = bias[1];
    slope[1] = bias[2];
  } else if (m->actuator_biastype[i] == snBIAS_MUSCLE) {
    slope[0] = sn_muscleBiasLen(length, range, acc0, bias);
  }
  if (m->actuator_gaintype[i] == snGAIN_AFFINE) {
    slope[0] += gain[1] * input;
    slope[1] += gain[2] * input;
  } else if (m->actuator_gaintype[i] == snGAIN_MUSCLE) {
    slope[0] += sn_muscleGainLen(length, vel, range, acc0, gain) * input;
    slope[1] += sn_muscleGainVel(length, vel, range, acc0, gain) * input;
  } else if (m->actuator_gaintype[i] == snGAIN_HILL) {
    snReal hill[2];
    sn_hillLength(m, d, i, hill);
    slope[0] += hill[0] * input + hill[1];
    slope[1] += sn_hillGainVel(m, d, i) * input + sn_hillBiasVel(m, d, i);
  }
  lawSlopes(m, d, i, input, slope);
}

// Ball or free joint. The moment is constant in the child's axes; given in the parent's, it turns:
// m = R' g, dm = m x e_k. The length of a ball joint is its rotation vector times m.
static void turningActuator(const snModel* m, const snData* d, snTangent* t, int i,
                            const snReal slope[2]) {
  SN_ASSERT_INDEX(i, m->nu);
  int joint = m->actuator_trnid[2 * i], dof = m->jnt_dofadr[joint];
  int isFree = m->jnt_type[joint] == snJNT_FREE, nv = t->nv, adr = d->moment_rowadr[i];
  int inParent = m->actuator_trntype[i] == snTRN_JOINTINPARENT, turning = dof + (isFree ? 3 : 0);
  const snReal *moment = d->actuator_moment + adr, *axis = moment + (isFree ? 3 : 0);
  snReal quat[4], Da[9], rotation[3], unit[4] = {1, 0, 0, 0}, force = d->actuator_force[i];
  snu_copy4(quat, d->qpos + m->jnt_qposadr[joint] + (isFree ? 3 : 0));
  snu_normalize4(quat);
  snu_quat2Vel(rotation, quat, 1);
  snd_subQuat(quat, unit, Da, NULL);
  for (int k = 0; k < 3; k++) {
    snReal e[3], turn[3] = {0, 0, 0}, length = 0;
    sn_unitAxis(e, k);
    if (inParent) snu_cross(turn, axis, e);
    if (!isFree) {
      for (int r = 0; r < 3; r++) length += Da[3 * r + k] * axis[r] + rotation[r] * turn[r];
    }
    snReal change = slope[0] * length + slope[1] * snu_dot3(turn, d->qvel + turning);
    snReal* row = t->matrix + (size_t)nv * (turning + k);
    for (int r = 0; r < d->moment_rownnz[i]; r++) row[dof + r] += change * moment[r];
    for (int r = 0; r < 3; r++) row[turning + r] += force * turn[r];
  }
}

// A wrench fixed in a site: dw = S_k x* w, and d(J v) = (u_k x S_k) . w; the length is zero.
static void siteActuator(const snModel* m, const snData* d, snTangent* t, int i,
                         const snReal slope[2]) {
  SN_ASSERT_INDEX(i, m->nu);
  int site = m->actuator_trnid[2 * i], body = m->site_bodyid[site];
  const snReal *gear = m->actuator_gear + 6 * i, *mat = d->site_xmat + 9 * site;
  snReal arm[3], w[6], part[6], force = d->actuator_force[i];
  snu_sub3(arm, d->site_xpos + 3 * site, d->subtree_com + 3 * m->body_rootid[body]);
  snu_mulMatVec3(w + 3, mat, gear);
  snu_mulMatVec3(w, mat, gear + 3);
  snu_cross(part, arm, w + 3);
  snu_addTo3(w, part);
  sn_addToScl6(t->wrench + 6 * body, w, force);
  for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) {
    snReal change[6];
    sn_crossForce(change, d->cdof + 6 * k, w);
    for (int r = 0; r < 6; r++) change[r] *= force;
    sn_crossMotion(part, t->velBefore + 6 * k, d->cdof + 6 * k);
    sn_addToScl6(change, w, slope[1] * sn_dot6(part, w));
    sn_tangentRate(t, body, k, change);
  }
}

static int tendonActuator(const snModel* m, snData* d, snTangent* t, int i, const snReal slope[2]) {
  SN_ASSERT_INDEX(i, m->nu);
  snReal gear = m->actuator_gear[6 * i];
  snTendonShape shape;
  sn_markStack(d);
  int done = sn_allocTendonShape(m, d, &shape);
  if (done) {
    sn_tendonShape(m, d, t, m->actuator_trnid[2 * i], &shape);
    sn_tangentShape(d, t, &shape, gear * d->actuator_force[i], gear * gear * slope[0],
                    gear * gear * slope[1]);
  }
  sn_freeStack(d);
  return done;
}

int sn_tangentActuators(const snModel* m, snData* d, snTangent* t) {
  if (m->opt.disableflags & snDSBL_ACTUATION) return 1;
  for (int i = 0; i < (int)m->nu; i++) {
    if (sn_actuatorDisabled(m, i)) continue;
    snReal slope[2];
    actuatorSlopes(m, d, i, slope);
    int object = m->actuator_trnid[2 * i], done = 1;
    switch (m->actuator_trntype[i]) {
      case snTRN_TENDON: done = tendonActuator(m, d, t, i, slope); break;
      case snTRN_SITE: siteActuator(m, d, t, i, slope); break;
      default:
        if (m->jnt_type[object] == snJNT_HINGE || m->jnt_type[object] == snJNT_SLIDE) {
          snReal gear = m->actuator_gear[6 * i];
          size_t dof = (size_t)m->jnt_dofadr[object];
          t->matrix[t->nv * dof + dof] += gear * gear * slope[0];
        } else {
          turningActuator(m, d, t, i, slope);
        }
    }
    if (!done) return 0;
  }
  return 1;
}

// ---- matrices of the implicit integrators

// does the integrator's matrix hold the derivative between two dofs?
static int isCoupled(const snModel* m, int i, int j) {
  int fast = m->opt.integrator == snINT_IMPLICITFAST;
  if (fast && j > i) {
    int swap = i;
    i = j;
    j = swap;
  }
  const int* col = fast ? m->M_colind + m->M_rowadr[i] : m->D_colind + m->D_rowadr[i];
  int n = fast ? m->M_rownnz[i] : m->D_rownnz[i];
  for (int k = 0; k < n; k++) {
    if (col[k] == j) return 1;
  }
  return 0;
}

// slopes of the velocity slope of an actuator by length and velocity: muscles bend
static void slopeChanges(const snModel* m, const snData* d, int i, snReal change[2]) {
  SN_ASSERT_INDEX(i, m->nu);
  change[0] = change[1] = 0;
  if (m->actuator_gaintype[i] != snGAIN_MUSCLE || isSaturated(m, d, i)) return;
  sn_muscleGainVelSlopes(d->actuator_length[i], d->actuator_velocity[i],
                         m->actuator_lengthrange + 2 * i, m->actuator_acc0[i],
                         m->actuator_gainprm + snNGAIN * i, change);
  snReal input = actuatorInput(m, d, i);
  change[0] *= input;
  change[1] *= input;
}

// moment += d(slope J' J taken) on the coupled pairs: J moves, and so may the slope
static void addOuterRate(const snModel* m, const snData* d, const snTendonShape* shape,
                         snReal slope, const snReal change[2], const snReal* taken, snReal* moment,
                         int nv) {
  int n = shape->n;
  if (shape->isLinear && change[0] == 0 && change[1] == 0) return;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (!isCoupled(m, shape->dof[i], shape->dof[j])) continue;
      snReal x = taken[shape->dof[j]], product = shape->J[i] * shape->J[j];
      for (int k = 0; k < n; k++) {
        snReal bend = change[0] * shape->J[k] + change[1] * sn_tendonRate(shape, k, d->qvel);
        snReal value = bend * product;
        if (!shape->isLinear) {
          const snReal* hessian = shape->hessian + k * n;
          value += slope * (hessian[i] * shape->J[j] + shape->J[i] * hessian[j]);
        }
        moment[(size_t)nv * shape->dof[k] + shape->dof[i]] += x * value;
      }
    }
  }
}

void sn_dampingByVelocity(const snModel* m, const snData* d, const snReal* taken, snReal* target,
                          int stride) {
  for (int i = 0; i < (int)m->nu; i++) {
    snReal change[2];
    slopeChanges(m, d, i, change);
    if (change[1] == 0 || sn_actuatorDisabled(m, i)) continue;
    int adr = d->moment_rowadr[i], n = d->moment_rownnz[i];
    const snReal* J = d->actuator_moment + adr;
    const int* dof = d->moment_colind + adr;
    for (int r = 0; r < n; r++) {
      snReal sum = 0, *row = target + (size_t)stride * dof[r];
      for (int c = 0; c < n; c++) {
        if (isCoupled(m, dof[r], dof[c])) sum += J[c] * taken[dof[c]];
      }
      sum *= m->opt.timestep * change[1] * J[r];
      for (int k = 0; k < n; k++) row[dof[k]] += sum * J[k];
    }
  }
}

// Jacobian and hessian of an actuator that moves neither a tendon nor a hinge: those of a site or
// of axes given in a parent, as a shape
static void momentShape(const snModel* m, const snData* d, const snTangent* t, int i,
                        snTendonShape* shape) {
  SN_ASSERT_INDEX(i, m->nu);
  int site = m->actuator_trntype[i] == snTRN_SITE, object = m->actuator_trnid[2 * i];
  int adr = d->moment_rowadr[i], n = 0;
  snReal w[6], arm[3], part[6];
  if (!site) {
    // dm = m x e_k on the three rotations
    int type = m->jnt_type[object], turning = sn_plainCoordinates(type);
    n = shape->n = d->moment_rownnz[i];
    for (int k = 0; k < n; k++) {
      shape->dof[k] = m->jnt_dofadr[object] + k;
      shape->J[k] = d->actuator_moment[adr + k];
    }
    shape->isLinear = m->actuator_trntype[i] != snTRN_JOINTINPARENT || !sn_hasQuaternion(type);
    if (shape->isLinear) return;
    snu_zero(shape->hessian, n * n);
    for (int k = 0; k < 3; k++) {
      snReal e[3];
      sn_unitAxis(e, k);
      snu_cross(shape->hessian + n * (turning + k) + turning, shape->J + turning, e);
    }
    return;
  }
  int body = m->site_bodyid[object];
  shape->isLinear = 0;
  snu_sub3(arm, d->site_xpos + 3 * object, d->subtree_com + 3 * m->body_rootid[body]);
  snu_mulMatVec3(w + 3, d->site_xmat + 9 * object, m->actuator_gear + 6 * i);
  snu_mulMatVec3(w, d->site_xmat + 9 * object, m->actuator_gear + 6 * i + 3);
  snu_cross(part, arm, w + 3);
  snu_addTo3(w, part);
  n = shape->n = sn_bodyChain(m, body, shape->dof);
  for (int k = 0; k < n; k++) {
    const snReal* S = d->cdof + 6 * shape->dof[k];
    shape->J[k] = sn_dot6(S, w);
    sn_crossForce(part, S, w);
    for (int r = 0; r < n; r++) {
      int moves = sn_movesAxis(t, shape->dof[k], shape->dof[r]);
      shape->hessian[k * n + r] = moves ? 0 : sn_dot6(d->cdof + 6 * shape->dof[r], part);
    }
  }
}

void sn_tangentDamper(const snModel* m, const snData* d, const snTangent* t,
                      const snTendonShape* shape, snReal damping, const snReal* taken,
                      snReal* moment) {
  const snReal none[2] = {0, 0};
  addOuterRate(m, d, shape, -t->h * damping, none, taken, moment, t->nv);
}

int sn_tangentDamping(const snModel* m, snData* d, snTangent* t, const snReal* taken,
                      snReal* moment) {
  int hasDamper = !(m->opt.disableflags & snDSBL_DAMPER);
  snTendonShape shape;
  if (m->nflex && hasDamper && !sn_tangentFlexDamping(m, d, t, taken, moment)) return 0;
  if (!sn_allocTendonShape(m, d, &shape)) return 0;
  for (int i = 0; hasDamper && i < (int)m->ntendon; i++) {
    if (m->tendon_damping[i] == 0) continue;
    sn_tendonShape(m, d, t, i, &shape);
    sn_tangentDamper(m, d, t, &shape, m->tendon_damping[i], taken, moment);
  }
  for (int i = 0; i < (int)m->nu && !(m->opt.disableflags & snDSBL_ACTUATION); i++) {
    snReal slope[2], change[2], gear = 1;
    if (sn_actuatorDisabled(m, i)) continue;
    actuatorSlopes(m, d, i, slope);
    slopeChanges(m, d, i, change);
    if (slope[1] == 0 && change[0] == 0 && change[1] == 0) continue;
    if (m->actuator_trntype[i] == snTRN_TENDON) {
      sn_tendonShape(m, d, t, m->actuator_trnid[2 * i], &shape);
      gear = m->actuator_gear[6 * i];
    } else {
      momentShape(m, d, t, i, &shape);
    }
    snReal scale = t->h * gear * gear;
    for (int k = 0; k < 2; k++) change[k] *= scale * gear;
    addOuterRate(m, d, &shape, scale * slope[1], change, taken, moment, t->nv);
  }
  return 1;
}
