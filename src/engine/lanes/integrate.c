// Integration with a lane for each dof, joint and coordinate of qpos: see step/integrate.c.
//
// A lane holds the acceleration and velocity of its dof. Euler solves with M + h D, which the position stage has
// factored. The implicit method adds derivatives of forces to M and factors the sum here. No body sleeps, and there
// are no plugins.

#include "engine/step/integrate.h"
#include "base/arena.h"
#include "base/assert.h"
#include "engine/actuate/actuation.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/joint.h"
#include "engine/step/plan.h"
#include "math/decomp.h"
#include "math/math.h"
#include "model/object_types.h"

// Advances qpos by the time dt. velocity: of the lane's dof.
SN_KERNEL void advancePositions(const snModel* m, snReal* qpos, snReal velocity, snReal dt) {
  SN_ASSERT(m->njnt <= SN_LANES && m->nq <= SN_LANES);
  int lane = SN_LANE, own = lane < (int)m->njnt, joint = own ? lane : 0;
  int type = m->jnt_type[joint], adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
  snReal coordinate = qpos[lane < (int)m->nq ? lane : 0], q[7], v[6];
  int count = sn_jointPositions(type);
  q[0] = sn_warpFrom(coordinate, adr);
  v[0] = sn_warpFrom(velocity, dof);
  if (sn_warpAny(count > 1)) {
    SN_UNROLL
    for (int c = 1; c < 7; c++) q[c] = sn_warpFrom(coordinate, adr + c);
    SN_UNROLL
    for (int c = 1; c < 6; c++) v[c] = sn_warpFrom(velocity, dof + c);
  }
  sn_advanceJoint(type, q, v, dt);
  SN_UNROLL
  for (int c = 0; c < 7; c++) {
    if (own && c < count) qpos[adr + c] = q[c];
  }
}

// What a lane loads of its dof.
typedef struct DofState_ {
  int dof, own;  // is there a dof for this lane?
  snReal qacc, velocity, force;
} DofState;

SN_KERNEL DofState loadDof(const snModel* m, const snData* d) {
  DofState state = {SN_LANE, SN_LANE < (int)m->nv, 0, 0, 0};
  int dof = state.dof;
  if (state.own) {
    state.qacc = d->qacc[dof], state.velocity = d->qvel[dof];
    state.force = d->qfrc_smooth[dof] + d->qfrc_constraint[dof];
  }
  return state;
}

// Solves with the factor qH: acceleration = H^-1 force. inverse: 1 / D of the lane's pivot; if one is not positive, the
// status says that the matrix is not positive definite.
SN_KERNEL snReal solveDamped(const snModel* m, snData* d, const DofState* state, snReal inverse) {
  if (sn_teamAny(!(inverse > 0))) {
    SN_ONE d->status |= snSTATUS_NOTPOSDEF;
  }
  return sn_solveTreeOf(state->force, d->qH, d->qHDiagInv, (int)m->nv, m->M_rownnz, m->M_rowadr,
                        m->M_colind);
}

// velocities and positions at the end of the step, from the acceleration
SN_KERNEL void advanceState(const snModel* m, snData* d, const DofState* state, snReal acceleration,
                            snReal time) {
  int dof = state->dof;
  if (m->nhistory) sn_advanceHistory(m, d);
  if (m->na) sn_advanceActivations(m, d, d->act_dot);
  snReal velocity = state->velocity + m->opt.timestep * acceleration;
  if (state->own) {
    d->qvel[dof] = velocity;
    d->qacc_warmstart[dof] = state->qacc;
  }
  advancePositions(m, d->qpos, velocity, m->opt.timestep);
  if (!dof) d->time = time + m->opt.timestep;
  SN_SYNC();
}

SN_STAGE void sn_EulerLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nv > 0 && m->nv <= SN_LANES && !m->nplugin);
  snReal time = d->time, inverse = 1;
  DofState state = loadDof(m, d);
  if (state.own) inverse = d->qHDiagInv[state.dof];
  snReal solved = state.qacc;
  if (sn_plans(m, d, snPLAN_DAMPED_FACTOR)) solved = solveDamped(m, d, &state, inverse);
  advanceState(m, d, &state, solved, time);
}

// ---- implicit in velocity, without the derivative of the bias force

// The derivative of the force on the lane's dof by its velocity, from dampers of joints and from actuators that act on
// this dof alone and whose gain does not depend on velocity. Returns whether other forces depend on velocities.
SN_KERNEL int dofDerivative(const snModel* m, const snData* d, snReal* derivative) {
  SN_ASSERT(m->nu <= SN_LANES && m->ntendon <= SN_LANES);
  int lane = SN_LANE, nu = (int)m->nu, i = lane < nu ? lane : 0, other = 0;
  int flags = m->opt.disableflags, dampers = !(flags & snDSBL_DAMPER);
  snReal sum = 0, damping = m->dof_damping[lane < (int)m->nv ? lane : 0];
  if (m->ntendon) other = dampers && lane < (int)m->ntendon && m->tendon_damping[lane] != 0;
  if (nu && !(flags & snDSBL_ACTUATION)) {
    int gaintype = m->actuator_gaintype[i], biastype = m->actuator_biastype[i];
    int limited = m->actuator_forcelimited[i], disabled = sn_actuatorDisabled(m, i);
    int nnz = d->moment_rownnz[i], adr = d->moment_rowadr[i], column = d->moment_colind[i];
    snReal least = m->actuator_forcerange[2 * i], most = m->actuator_forcerange[2 * i + 1];
    snReal force = d->actuator_force[i], moment = d->actuator_moment[i];
    snReal slope = m->actuator_biasprm[snNBIAS * i + 2];
    snReal gain = m->actuator_gainprm[snNGAIN * i + 2];
    if (biastype != snBIAS_AFFINE || (limited && (force <= least || force >= most))) slope = 0;
    if (disabled || lane >= nu) slope = 0;
    other |= lane < nu && !disabled &&
             ((gaintype != snGAIN_FIXED && (gaintype != snGAIN_AFFINE || gain != 0)) ||
              (biastype != snBIAS_NONE && biastype != snBIAS_AFFINE) ||
              (slope != 0 && (nnz != 1 || adr != i)));
    sum = sn_lanesSumOverDof(nu, column, slope * moment * moment);
  }
  *derivative = dampers ? sum - damping : sum;
  return other;
}

SN_STAGE int sn_implicitFastLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nv > 0 && m->nv <= SN_LANES && !m->nplugin && !m->nflex);
  snReal derivative, time = d->time, *added = (snReal*)sn_unusedStack(d, SN_LANES * sizeof(snReal));
  if (sn_warpAny(dofDerivative(m, d, &derivative)) || !added) return 0;
  DofState state = loadDof(m, d);
  int diagonal = state.own ? m->D_rowadr[state.dof] + m->D_diag[state.dof] : -1;
  added[state.dof] = derivative;
  SN_FOR(k, m->nD) d->qDeriv[k] = 0;
  sn_warpSync();
  if (state.own) d->qDeriv[diagonal] = derivative;
  sn_factorTreeOf(NULL, NULL, d->M, d->qH, d->qHDiagInv, added, -m->opt.timestep, (int)m->nv,
                  m->M_rownnz, m->M_rowadr);
  snReal inverse = state.own ? d->qHDiagInv[state.dof] : 1;
  advanceState(m, d, &state, solveDamped(m, d, &state, inverse), time);
  return 1;
}
