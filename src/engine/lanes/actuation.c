// Actuators with a lane for each actuator, dof, joint and coordinate of qpos: see actuate/transmission.c
// and actuate/actuation.c. Each actuator acts on one dof.

#include "engine/actuate/actuation.h"
#include "base/assert.h"
#include "engine/lanes/lanes.h"
#include "math/math.h"

// Lengths and moments of actuators of hinges and slides. Returns 0 when there are others, having done
// nothing.
SN_STAGE int sn_transmissionLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nu <= SN_LANES && m->nq <= SN_LANES && m->njnt > 0);
  int lane = SN_LANE, nu = (int)m->nu, i = lane < nu ? lane : 0;
  int joint = lane < (int)m->njnt ? lane : 0, q = lane < (int)m->nq ? lane : 0;
  int trn = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];
  int type = m->jnt_type[joint], adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
  snReal gear = m->actuator_gear[6 * i], qpos = d->qpos[q];
  int ofJoint = trn == snTRN_JOINT || trn == snTRN_JOINTINPARENT;
  type = sn_warpFromInt(type, id);
  adr = sn_warpFromInt(adr, id);
  dof = sn_warpFromInt(dof, id);
  qpos = sn_warpFrom(qpos, adr);
  if (sn_warpAny(!ofJoint || (type != snJNT_HINGE && type != snJNT_SLIDE))) return 0;
  if (lane < nu) {
    d->actuator_length[i] = qpos * gear;
    d->moment_rowadr[i] = i;
    d->moment_rownnz[i] = 1;
    d->moment_colind[i] = dof;
    d->actuator_moment[i] = gear;
  }
  SN_SYNC();
  return 1;
}

// Forces of actuators with gains and biases that are at most affine, without activations. Returns 0
// when there are others or a control is bad, having done nothing.
SN_STAGE int sn_actuationLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nu > 0 && m->nu <= SN_LANES && m->nv <= SN_LANES && !m->na);
  int lane = SN_LANE, nu = (int)m->nu, i = lane < nu ? lane : 0, nv = (int)m->nv;
  int dof = lane < nv ? lane : 0, joint = lane < (int)m->njnt ? lane : 0;

  // all loads before the first use: they are in flight together
  snReal gainprm[3], biasprm[3];
  snu_copy3(gainprm, m->actuator_gainprm + snNGAIN * i);
  snu_copy3(biasprm, m->actuator_biasprm + snNBIAS * i);
  int gaintype = m->actuator_gaintype[i], biastype = m->actuator_biastype[i];
  int clamped = m->actuator_ctrllimited[i] && !(m->opt.disableflags & snDSBL_CLAMPCTRL);
  int limited = m->actuator_forcelimited[i], rests = sn_actuatorDisabled(m, i);
  int tied = m->actuator_trntype[i] == snTRN_TENDON, column = d->moment_colind[i];
  int nnz = d->moment_rownnz[i], adr = d->moment_rowadr[i];
  snReal lower = m->actuator_ctrlrange[2 * i], upper = m->actuator_ctrlrange[2 * i + 1];
  snReal least = m->actuator_forcerange[2 * i], most = m->actuator_forcerange[2 * i + 1];
  snReal ctrl = d->ctrl[i], delay = m->actuator_delay[i], moment = d->actuator_moment[i];
  snReal length = d->actuator_length[i], speed = d->actuator_velocity[i];
  int moved = m->dof_jntid[dof], jointLimited = m->jnt_actfrclimited[joint];
  int first = m->jnt_dofadr[joint], compensated = m->jnt_actgravcomp[joint];
  snReal jointLeast = m->jnt_actfrcrange[2 * joint], jointMost = m->jnt_actfrcrange[2 * joint + 1];

  if (clamped) ctrl = snu_clip(ctrl, lower, upper);
  int other = (gaintype != snGAIN_FIXED && gaintype != snGAIN_AFFINE) ||
              (biastype != snBIAS_NONE && biastype != snBIAS_AFFINE) || tied || nnz != 1 ||
              adr != i || delay != 0 || compensated || snu_isBad(ctrl);
  if (sn_warpAny(other)) return 0;

  snReal gain = gaintype == snGAIN_AFFINE ? sn_affine(gainprm, length, speed) : gainprm[0];
  snReal bias = biastype == snBIAS_AFFINE ? sn_affine(biasprm, length, speed) : 0;
  snReal force = rests ? 0 : gain * ctrl + bias;
  if (limited) force = snu_clip(force, least, most);
  snReal sum = sn_lanesSumOverDof(nu, column, moment * force);
  jointLimited = sn_warpFromInt(jointLimited && first >= 0 ? first : -1, moved) == dof;
  jointLeast = sn_warpFrom(jointLeast, moved);
  jointMost = sn_warpFrom(jointMost, moved);
  if (jointLimited) sum = snu_clip(sum, jointLeast, jointMost);
  if (lane < nu) d->actuator_force[lane] = force;
  if (lane < nv) d->qfrc_actuator[lane] = sum;
  SN_SYNC();
  return 1;
}
