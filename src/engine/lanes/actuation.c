// Transmissions and actuator forces with a lane for each actuator, dof, joint and coordinate of qpos: see
// actuate/transmission.c and actuate/actuation.c. The moment of an actuator has one entry, those of tendons a few.

#include "engine/actuate/actuation.h"
#include "base/assert.h"
#include "engine/lanes/lanes.h"
#include "math/math.h"

// Moments of tendon actuators, gear times dense rows of ten_J. tied: bit i says that actuator i acts on a tendon.
// Every row has one entry unless it is of a tendon, which shifts the rows after it. Returns where the moment of this
// lane's actuator begins, and its number of entries.
SN_KERNEL int tendonMoments(const snModel* m, snData* d, unsigned tied, int id, snReal gear,
                            int* nnz) {
  int lane = SN_LANE, nv = (int)m->nv, place = lane, shift = 0;
  *nnz = 1;
  SN_PLAIN_LOOP
  for (; tied; tied &= tied - 1) {
    int i = sn_firstBit(tied), tendon = sn_warpFromInt(id, i);
    snReal scale = sn_warpFrom(gear, i), J = lane < nv ? d->ten_J[tendon * nv + lane] : 0;
    int n, rank = sn_warpRank(J != 0, &n);
    if (J != 0) {
      d->moment_colind[i + shift + rank] = lane;
      d->actuator_moment[i + shift + rank] = J * scale;
    }
    if (lane == i) *nnz = n;
    if (lane > i) place += n - 1;
    shift += n - 1;
  }
  return place;
}

// Lengths and moments of actuators of hinges, slides and tendons. Returns 0, having done nothing, when there are others.
SN_STAGE int sn_transmissionLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nu <= SN_LANES && m->nq <= SN_LANES && m->njnt > 0);
  int lane = SN_LANE, nu = (int)m->nu, i = lane < nu ? lane : 0;
  int joint = lane < (int)m->njnt ? lane : 0, q = lane < (int)m->nq ? lane : 0;
  int trn = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];
  int type = m->jnt_type[joint], adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
  snReal gear = m->actuator_gear[6 * i], qpos = d->qpos[q];
  int ofJoint = trn == snTRN_JOINT || trn == snTRN_JOINTINPARENT, ofTendon = trn == snTRN_TENDON;
  type = sn_warpFromInt(type, id);
  adr = sn_warpFromInt(adr, id);
  dof = sn_warpFromInt(dof, id);
  qpos = sn_warpFrom(qpos, adr);
  int simple = ofJoint && (type == snJNT_HINGE || type == snJNT_SLIDE), nnz = 1, place = lane;
  unsigned tied = sn_warpBallot(ofTendon && lane < nu);
  if (sn_warpAny(!simple && !ofTendon) || (tied && sn_isSparse(m))) return 0;
  if (tied) {
    if (ofTendon) qpos = d->ten_length[id];
    place = tendonMoments(m, d, tied, id, gear, &nnz);
  }
  if (lane < nu) {
    d->actuator_length[i] = qpos * gear;
    d->moment_rowadr[i] = place;
    d->moment_rownnz[i] = nnz;
    if (!ofTendon) {
      d->moment_colind[place] = dof;
      d->actuator_moment[place] = gear;
    }
  }
  SN_SYNC();
  return 1;
}

// moment' force over all entries of the moments but the first ones, at this lane's dof. force: of the lane's actuator.
SN_KERNEL snReal forcesOfFurtherEntries(const snData* d, int nnz, int adr, snReal force) {
  int lane = SN_LANE, most = sn_warpMaxInt(nnz);
  snReal sum = 0;
  SN_PLAIN_LOOP
  for (int k = 1; k < most; k++) {
    unsigned left = sn_warpBallot(k < nnz);
    int own = k < nnz ? adr + k : 0, column = d->moment_colind[own];
    snReal part = d->actuator_moment[own] * force;
    SN_PLAIN_LOOP
    for (; left; left &= left - 1) {
      int i = sn_firstBit(left), to = sn_warpFromInt(column, i);
      snReal more = sn_warpFrom(part, i);
      if (to == lane) sum += more;
    }
  }
  return sum;
}

// Forces of actuators without activations, whose gains and biases are constant or affine. Returns 0, having done nothing,
// when there are others or a control is not finite.
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
  int limited = m->actuator_forcelimited[i], disabled = sn_actuatorDisabled(m, i);
  int tied = m->actuator_trntype[i] == snTRN_TENDON, column = d->moment_colind[i];
  int nnz = d->moment_rownnz[i], adr = d->moment_rowadr[i], tendon = m->actuator_trnid[2 * i];
  snReal lower = m->actuator_ctrlrange[2 * i], upper = m->actuator_ctrlrange[2 * i + 1];
  snReal least = m->actuator_forcerange[2 * i], most = m->actuator_forcerange[2 * i + 1];
  snReal ctrl = d->ctrl[i], delay = m->actuator_delay[i], moment = d->actuator_moment[i];
  snReal length = d->actuator_length[i], speed = d->actuator_velocity[i];
  int moved = m->dof_jntid[dof], jointLimited = m->jnt_actfrclimited[joint];
  int first = m->jnt_dofadr[joint], compensated = m->jnt_actgravcomp[joint];
  snReal jointLeast = m->jnt_actfrcrange[2 * joint], jointMost = m->jnt_actfrcrange[2 * joint + 1];

  if (clamped) ctrl = snu_clip(ctrl, lower, upper);
  int other = (gaintype != snGAIN_FIXED && gaintype != snGAIN_AFFINE) ||
              (biastype != snBIAS_NONE && biastype != snBIAS_AFFINE) || delay != 0 || compensated ||
              snu_isBad(ctrl);
  if (tied) other |= m->ncapstan > 0 || m->tendon_actfrclimited[tendon];
  if (sn_warpAny(other)) return 0;
  int apart = sn_warpAny(nnz != 1 || adr != i);  // entry i of the moments is not that of actuator i
  if (apart) {
    int own = nnz > 0 ? adr : 0;
    column = nnz > 0 ? d->moment_colind[own] : -1;
    moment = d->actuator_moment[own];
    if (lane >= nu) nnz = 0;
  }

  snReal gain = gaintype == snGAIN_AFFINE ? sn_affine(gainprm, length, speed) : gainprm[0];
  snReal bias = biastype == snBIAS_AFFINE ? sn_affine(biasprm, length, speed) : 0;
  snReal force = disabled ? 0 : gain * ctrl + bias;
  if (limited) force = snu_clip(force, least, most);
  snReal sum = sn_lanesSumOverDof(nu, column, moment * force);
  if (apart) sum += forcesOfFurtherEntries(d, nnz, adr, force);
  jointLimited = sn_warpFromInt(jointLimited && first >= 0 ? first : -1, moved) == dof;
  jointLeast = sn_warpFrom(jointLeast, moved);
  jointMost = sn_warpFrom(jointMost, moved);
  if (jointLimited) sum = snu_clip(sum, jointLeast, jointMost);
  if (lane < nu) d->actuator_force[lane] = force;
  if (lane < nv) d->qfrc_actuator[lane] = sum;
  SN_SYNC();
  return 1;
}
