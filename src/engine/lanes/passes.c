// Stages of models with more dofs than lanes, where springs and dampers are those of joints and actuators act on joints:
// one pass over the dofs or actuators, in which a lane loads all that it needs of one at once. The general versions go
// over them several times, with a barrier between passes.
//
// Functions return 0 when the model has other parts; results that they have written are then overwritten.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/actuate/actuation.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/passive.h"
#include "math/decomp.h"
#include "math/math.h"

static int allAwake(const snModel* m, const snData* d) { return d->nv_awake == (int)m->nv; }

int sn_passivePass(const snModel* m, snData* d) {
  int hasSpring = !(m->opt.disableflags & snDSBL_SPRING);
  int hasDamper = !(m->opt.disableflags & snDSBL_DAMPER), other = 0;
  if (!allAwake(m, d) || m->nflex || m->nplugin || m->ncapstan || sn_hasFluid(m)) return 0;
  if (d->callback.passive || sn_hasGravcomp(m)) return 0;
  SN_FOR(i, m->ntendon) {
    other |= (hasSpring && m->tendon_stiffness[i] != 0) || (hasDamper && m->tendon_damping[i] != 0);
    d->ten_force[i] = 0;
  }
  SN_FOR(dof, m->nv) {
    int joint = m->dof_jntid[dof], type = m->jnt_type[joint], adr = m->jnt_qposadr[joint];
    snReal damper = hasDamper ? -m->dof_damping[dof] * d->qvel[dof] : 0, spring = 0;
    snReal stiffness = hasSpring ? m->jnt_stiffness[joint] : 0;
    snReal stretch = d->qpos[adr] - m->qpos_spring[adr];
    if (stiffness != 0) {
      other |= type != snJNT_HINGE && type != snJNT_SLIDE;
      spring = -stiffness * stretch;
    }
    d->qfrc_spring[dof] = spring;
    d->qfrc_damper[dof] = damper;
    d->qfrc_gravcomp[dof] = d->qfrc_fluid[dof] = 0;
    d->qfrc_passive[dof] = spring + damper;
  }
  SN_SYNC();
  return !sn_teamAny(other);
}

// ---- actuators

// The moment of an actuator that acts on one dof, which is entry i of all moments; other: it is of another kind.
SN_KERNEL snReal onlyMoment(const snData* d, int i, int* other) {
  *other |= d->moment_rownnz[i] != 1 || d->moment_rowadr[i] != i;
  return d->actuator_moment[i];
}

// Force of an actuator without activation whose gain and bias are constant or affine; other: it is of another kind.
SN_KERNEL snReal simpleForce(const snModel* m, const snData* d, int i, int* other) {
  SN_ASSERT_INDEX(i, m->nu);
  const snReal* gainprm = m->actuator_gainprm + snNGAIN * i;
  const snReal* biasprm = m->actuator_biasprm + snNBIAS * i;
  int gaintype = m->actuator_gaintype[i], biastype = m->actuator_biastype[i];
  int clamped = m->actuator_ctrllimited[i] && !(m->opt.disableflags & snDSBL_CLAMPCTRL);
  snReal length = d->actuator_length[i], speed = d->actuator_velocity[i], ctrl = d->ctrl[i];
  snReal lower = m->actuator_ctrlrange[2 * i], upper = m->actuator_ctrlrange[2 * i + 1];
  snReal least = m->actuator_forcerange[2 * i], most = m->actuator_forcerange[2 * i + 1];
  if (clamped) ctrl = snu_clip(ctrl, lower, upper);
  *other |= (gaintype != snGAIN_FIXED && gaintype != snGAIN_AFFINE) ||
            (biastype != snBIAS_NONE && biastype != snBIAS_AFFINE) || m->actuator_delay[i] != 0 ||
            m->actuator_trntype[i] == snTRN_TENDON || snu_isBad(ctrl);
  snReal gain = gaintype == snGAIN_AFFINE ? sn_affine(gainprm, length, speed) : gainprm[0];
  snReal bias = biastype == snBIAS_AFFINE ? sn_affine(biasprm, length, speed) : 0;
  snReal force = sn_actuatorDisabled(m, i) ? 0 : gain * ctrl + bias;
  return m->actuator_forcelimited[i] ? snu_clip(force, least, most) : force;
}

// sum of the values of the actuators that act on the dof base + lane
SN_KERNEL snReal sumOverDof(const snModel* m, const snData* d, const snReal* values, int base) {
  int lanes = SN_LANES, nu = (int)m->nu;
  snReal sum = 0;
  SN_PLAIN_LOOP
  for (int first = 0; first < nu; first += lanes) {
    int i = first + SN_LANE, own = i < nu ? i : 0;
    sum += sn_lanesSumOverDof(nu - first < lanes ? nu - first : lanes, d->moment_colind[own] - base,
                              values[own]);
  }
  return sum;
}

int sn_actuationPass(const snModel* m, snData* d) {
  int other = 0, nu = (int)m->nu, nv = (int)m->nv;
  if (!allAwake(m, d) || m->na || m->nplugin || m->ncapstan || nu > (int)m->nJmom) return 0;
  if (sn_hasGravcomp(m)) return 0;
  snReal* values = (snReal*)sn_unusedStack(d, (size_t)nu * sizeof(snReal));
  if (!values) return 0;
  SN_FOR(i, nu) {
    snReal moment = onlyMoment(d, i, &other), force = simpleForce(m, d, i, &other);
    d->actuator_force[i] = force;
    values[i] = moment * force;
  }
  if (sn_teamAny(other)) return 0;
  SN_SYNC();
  SN_PLAIN_LOOP
  for (int base = 0; base < nv; base += SN_LANES) {
    int dof = base + SN_LANE, own = dof < nv ? dof : 0, joint = m->dof_jntid[own];
    int limited = m->jnt_actfrclimited[joint] && m->jnt_dofadr[joint] == dof;
    snReal least = m->jnt_actfrcrange[2 * joint], most = m->jnt_actfrcrange[2 * joint + 1];
    snReal sum = sumOverDof(m, d, values, base);
    if (dof < nv) d->qfrc_actuator[dof] = limited ? snu_clip(sum, least, most) : sum;
  }
  SN_SYNC();
  return 1;
}

// ---- accelerations

// qfrc_smooth, also as the right-hand side of qacc_smooth. 0: xfrc_applied is not zero.
int sn_smoothForcePass(const snModel* m, snData* d) {
  int other = 0;
  if (!allAwake(m, d) || m->ndeformbody || m->opt.integrator == snINT_IMPLICITSPRINGDAMPER)
    return 0;
  SN_FOR(k, 6 * m->nbody) other |= d->xfrc_applied[k] != 0;
  SN_FOR(dof, m->nv) {
    snReal force =
        d->qfrc_passive[dof] - d->qfrc_bias[dof] + d->qfrc_applied[dof] + d->qfrc_actuator[dof];
    d->qfrc_smooth[dof] = force;
    d->qacc_smooth[dof] = force;
  }
  SN_SYNC();
  return !sn_teamAny(other);
}

// ---- implicit in velocity

// The slope of an actuator's force by the velocity of its dof; other: its gain depends on velocity, or it is not affine.
SN_KERNEL snReal simpleSlope(const snModel* m, const snData* d, int i, int* other) {
  int gaintype = m->actuator_gaintype[i], biastype = m->actuator_biastype[i];
  int limited = m->actuator_forcelimited[i];
  snReal least = m->actuator_forcerange[2 * i], most = m->actuator_forcerange[2 * i + 1];
  snReal slope = m->actuator_biasprm[snNBIAS * i + 2], gain = m->actuator_gainprm[snNGAIN * i + 2];
  snReal force = d->actuator_force[i];
  if (sn_actuatorDisabled(m, i)) return 0;
  *other |= (gaintype != snGAIN_FIXED && (gaintype != snGAIN_AFFINE || gain != 0)) ||
            (biastype != snBIAS_NONE && biastype != snBIAS_AFFINE);
  if (biastype != snBIAS_AFFINE || (limited && (force <= least || force >= most))) return 0;
  return slope;
}

// qDeriv, which is diagonal, and the factor of M - h qDeriv
int sn_implicitFastPass(const snModel* m, snData* d) {
  int nu = m->opt.disableflags & snDSBL_ACTUATION ? 0 : (int)m->nu, nv = (int)m->nv, other = 0;
  int dampers = !(m->opt.disableflags & snDSBL_DAMPER), lanes = SN_LANES;
  if (!allAwake(m, d) || m->nflex || m->nplugin || m->ncapstan || sn_hasFluid(m)) return 0;
  if (nu > (int)m->nJmom) return 0;
  snReal* values = (snReal*)sn_unusedStack(d, (size_t)(nu + nv) * sizeof(snReal));
  if (!values) return 0;
  snReal* added = values + nu;
  SN_FOR(i, m->ntendon) other |= dampers && m->tendon_damping[i] != 0;
  SN_FOR(i, nu) {
    int apart = 0;
    snReal moment = onlyMoment(d, i, &apart), slope = simpleSlope(m, d, i, &other);
    other |= slope != 0 && apart;
    values[i] = slope * moment * moment;
  }
  if (sn_teamAny(other)) return 0;
  sn_zeroShared(d->qDeriv, (int)m->nD);
  SN_SYNC();
  SN_PLAIN_LOOP
  for (int base = 0; base < nv; base += lanes) {
    int dof = base + SN_LANE, own = dof < nv ? dof : 0;
    int diagonal = m->D_rowadr[own] + m->D_diag[own];
    snReal damping = m->dof_damping[own], sum = nu ? sumOverDof(m, d, values, base) : 0;
    if (dampers) sum -= damping;
    if (dof < nv) added[dof] = d->qDeriv[diagonal] = sum;
  }
  SN_SYNC();
  sn_factorTreeOf(NULL, NULL, d->M, d->qH, d->qHDiagInv, added, -m->opt.timestep, nv, m->M_rownnz,
                  m->M_rowadr);
  return 1;
}
