// Centres of mass, inertia, velocities, passive and bias forces and accelerations with a lane for each
// body, joint and dof: see smooth/com.c, inertia.c, velocity.c, bias.c, passive.c and acceleration.c.
//
// A lane loads all data of its body, joint and dof at once and keeps them in registers. Sums over subtrees and along
// chains are made by warp shuffles (lanes/lanes.h). Only results are stored.

#include "base/assert.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/force.h"
#include "engine/smooth/joint.h"
#include "engine/step/stages.h"
#include "math/decomp.h"
#include "math/math.h"

// ---- centres of mass

// Replaces the axis by that of dof k of a ball or free joint: a column of the rotation matrix of the lane `body`, or for
// translations of a free joint a world axis. Returns whether the dof rotates.
SN_KERNEL int dofAxis(int type, int k, int body, const snReal xmat[9], snReal axis[3]) {
  SN_ASSERT(k >= 0 && k < 6);
  if (sn_warpAny(type == snJNT_FREE || type == snJNT_BALL)) {
    snReal rows[9];
    sn_lanesOther(rows, xmat, 9, body);
    int column = sn_axesBeside(type, k);
    SN_UNROLL
    for (int c = 0; c < 3; c++) {
      snReal turned = column == 0 ? rows[3 * c] : column == 1 ? rows[3 * c + 1] : rows[3 * c + 2];
      if (sn_translatesInWorld(type, k)) turned = k == c;
      if (type == snJNT_FREE || type == snJNT_BALL) axis[c] = turned;
    }
  }
  return type != snJNT_SLIDE && !sn_translatesInWorld(type, k);
}

SN_STAGE void sn_comPosLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nbody <= SN_LANES && m->nv > 0 && m->nv <= SN_LANES);
  int lane = SN_LANE, nbody = (int)m->nbody, nv = (int)m->nv, body = lane < nbody ? lane : 0;
  int joint = lane < (int)m->njnt ? lane : 0, dof = lane < nv ? lane : 0;
  int parent = m->body_parentid[body], root = m->body_rootid[body], moved = m->dof_jntid[dof];
  int type = m->jnt_type[joint], first = m->jnt_dofadr[joint], owner = m->jnt_bodyid[joint];
  snReal mass = m->body_mass[body], whole = m->body_subtreemass[body], xipos[3], xmat[9], ximat[9];
  snReal diagonal[3], com[3], center[3], offset[3], axis[3], anchor[3], inertia[10], cdof[6];
  snu_copy3(xipos, d->xipos + 3 * body);
  snu_copy3(diagonal, m->body_inertia + 3 * body);
  snu_copy3(axis, d->xaxis + 3 * joint);
  snu_copy3(anchor, d->xanchor + 3 * joint);
  snu_copy(ximat, d->ximat + 9 * body, 9);
  snu_copy(xmat, d->xmat + 9 * body, 9);

  // centres of mass of subtrees; inertias about the centre of mass of the tree, zero for the world
  snu_scl3(com, xipos, mass);
  sn_lanesSumBelow(com, 3, nbody, lane < nbody && body ? parent : -1);
  if (whole < (snReal)snMINVAL) {
    snu_copy3(com, xipos);
  } else {
    snu_scl3(com, com, 1 / whole);
  }
  sn_lanesOther(center, com, 3, root);
  snu_sub3(offset, xipos, center);
  sn_inertCom(inertia, diagonal, ximat, offset, &mass);
  if (!body) snu_zero(inertia, 10);

  // motion axes
  sn_lanesOther(offset, center, 3, owner);
  snu_subFrom3(offset, anchor);
  sn_lanesOther(offset, offset, 3, moved);
  sn_lanesOther(axis, axis, 3, moved);
  type = sn_warpFromInt(type, moved);
  int turns =
      dofAxis(type, dof - sn_warpFromInt(first, moved), sn_warpFromInt(owner, moved), xmat, axis);
  sn_dofCom(cdof, axis, offset);
  SN_UNROLL
  for (int c = 0; c < 3; c++) {
    if (!turns) cdof[c + 3] = axis[c];
    if (!turns) cdof[c] = 0;
  }
  if (lane < nbody) {
    snu_copy3(d->subtree_com + 3 * body, com);
    snu_copy(d->cinert + 10 * body, inertia, 10);
  }
  if (lane < nv) sn_copy6(d->cdof + 6 * dof, cdof);
  SN_SYNC();
}

// ---- inertia

// entries of a row whose columns are shuffled at once
enum { AT_ONCE = 4 };

// Composite inertias and M(i,j) = axis_j . (I_i axis_i), where j goes from dof i up to the root; qM has the entries of a
// row in that order, M in the opposite one.
SN_STAGE void sn_crbLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nbody <= SN_LANES && m->nv <= SN_LANES && d->nv_awake == (int)m->nv);
  int lane = SN_LANE, nbody = (int)m->nbody, body = lane < nbody ? lane : 0;
  int isDof = lane < (int)m->nv, dof = isDof ? lane : 0;
  int parent = m->body_parentid[body], owner = m->dof_bodyid[dof], above = m->dof_parentid[dof];
  int nnz = m->M_rownnz[dof], simple = m->dof_simplenum[dof];
  int end = m->M_rowadr[dof] + nnz - 1, start = m->dof_Madr[dof];
  snReal inertia[10], whole[10], axis[6], force[6];
  snReal armature = m->dof_armature[dof], constant = m->dof_M0[dof];
  snu_copy(inertia, d->cinert + 10 * body, 10);
  sn_copy6(axis, d->cdof + 6 * dof);

  sn_lanesSumBelow(inertia, 10, nbody, lane < nbody && parent > 0 ? parent : -1);
  sn_lanesOther(whole, inertia, 10, owner);
  if (lane < nbody) snu_copy(d->crb + 10 * body, inertia, 10);
  sn_mulInertVec(force, whole, axis);
  int longest = sn_warpMaxInt(isDof ? nnz : 0), node = dof;
  SN_PLAIN_LOOP
  for (int k = 0; k < longest; k += AT_ONCE) {
    SN_UNROLL
    for (int i = 0; i < AT_ONCE; i++) {
      snReal column[6], entry;
      sn_lanesOther(column, axis, 6, node);
      node = sn_warpFromInt(above, node);
      entry = sn_dot6(column, force);
      if (!(k + i)) entry = simple ? constant : entry + armature;
      if (isDof && k + i < nnz) {
        d->M[end - k - i] = entry;
        d->qM[start + k + i] = entry;
      }
    }
  }
  SN_SYNC();
}

// ---- velocities and bias force

// Velocities of bodies and motion axes as in sn_comVel, then the bias force.
SN_STAGE void sn_velocityLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nbody <= SN_LANES && m->nv <= SN_LANES && d->nv_awake == (int)m->nv);
  int lane = SN_LANE, nbody = (int)m->nbody, isBody = lane < nbody, isDof = lane < (int)m->nv;
  int body = isBody ? lane : 0, dof = isDof ? lane : 0, joint = lane < (int)m->njnt ? lane : 0;
  int parent = m->body_parentid[body], weld = m->body_weldid[body];
  int last = m->body_dofadr[body] + m->body_dofnum[body] - 1;
  int type = m->jnt_type[joint], first = m->jnt_dofadr[joint], moved = m->dof_jntid[dof];
  int owner = m->dof_bodyid[dof], above = m->dof_parentid[dof], before;
  snReal axis[6], inertia[10], vel[6], dot[6], sum[6], acc[6], force[6], world[6];
  snReal qvel = d->qvel[dof];
  sn_copy6(axis, d->cdof + 6 * dof);
  snu_copy(inertia, d->cinert + 10 * body, 10);
  sn_worldAcceleration(m, world);
  if (!isDof) above = -1;

  // d(axis)/dt = (velocity before the joint) x axis
  type = sn_warpFromInt(type, moved);
  first = sn_warpFromInt(first, moved);
  last = sn_warpFromInt(last, weld);
  before = sn_warpFromInt(above, dof - sn_axesBeside(type, dof - first));
  if (sn_translatesInWorld(type, dof - first)) before = -1;
  for (int c = 0; c < 6; c++) vel[c] = axis[c] * qvel;
  sn_lanesSumAbove6(vel, above);
  sn_lanesOther6(sum, vel, before);
  sn_crossMotion(dot, sum, axis);
  for (int c = 0; c < 6; c++) sum[c] = dot[c] * qvel;
  sn_lanesSumAbove6(sum, above);

  // the velocity of a body is that of the last dof above it
  sn_lanesOther6(vel, vel, last);
  sn_lanesOther6(acc, sum, last);
  sn_addTo6(acc, world);
  sn_bodyForce(inertia, vel, acc, force);
  if (!isBody || !body) sn_zero6(force);
  sn_lanesSumBelow(force, 6, nbody, isBody && parent > 0 ? parent : -1);
  sn_lanesOther6(sum, force, owner);
  if (isDof) {
    sn_copy6(d->cdof_dot + 6 * dof, dot);
    d->qfrc_bias[dof] = sn_dot6(axis, sum);
  }
  if (isBody) sn_copy6(d->cvel + 6 * body, vel);
  SN_SYNC();
}

// ---- passive forces

// Passive forces of hinge and slide springs and of dof dampers. Returns 0, having done nothing, when the model has other
// springs and dampers, or gravity compensation.
SN_STAGE int sn_passiveLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nv <= SN_LANES && m->nq <= SN_LANES && m->ntendon <= SN_LANES && !m->nflex);
  int hasSpring = !(m->opt.disableflags & snDSBL_SPRING);
  int hasDamper = !(m->opt.disableflags & snDSBL_DAMPER);
  int lane = SN_LANE, nv = (int)m->nv, nq = (int)m->nq, nbody = (int)m->nbody;
  int ntendon = (int)m->ntendon, more = 0;
  int dof = lane < nv ? lane : 0, q = lane < nq ? lane : 0, joint = lane < m->njnt ? lane : 0;
  int type = m->jnt_type[joint], adr = m->jnt_qposadr[joint], moved = m->dof_jntid[dof];
  snReal stiffness = hasSpring ? m->jnt_stiffness[joint] : 0;
  snReal damping = hasDamper ? m->dof_damping[dof] : 0, speed = d->qvel[dof];
  snReal stretch = d->qpos[q] - m->qpos_spring[q];
  snReal gravcomp = m->body_gravcomp[lane < nbody ? lane : 0];
  if (ntendon) {
    int tendon = lane < ntendon ? lane : 0;
    more = m->tendon_stiffness[tendon] != 0 || m->tendon_damping[tendon] != 0;
  }
  more |= gravcomp != 0 || (stiffness != 0 && type != snJNT_HINGE && type != snJNT_SLIDE);
  if (sn_warpAny(more)) return 0;

  stretch = sn_warpFrom(stretch, adr);
  snReal jointForce = stiffness != 0 ? -stiffness * stretch : 0;
  snReal spring = sn_warpFrom(jointForce, moved), damper = -damping * speed;
  if (lane < nv) {
    d->qfrc_spring[dof] = spring;
    d->qfrc_damper[dof] = damper;
    d->qfrc_gravcomp[dof] = d->qfrc_fluid[dof] = 0;
    d->qfrc_passive[dof] = spring + damper;
  }
  if (lane < ntendon) d->ten_force[lane] = 0;
  SN_SYNC();
  return 1;
}

// ---- accelerations

// qacc_smooth = M^-1 (sum of forces), with the factor of M of the position stage. Returns 0, having done nothing, when
// xfrc_applied is not zero.
SN_STAGE int sn_accelerationLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nv <= SN_LANES && m->nbody <= SN_LANES && sn_plans(m, d, snPLAN_FACTOR));
  int lane = SN_LANE, nv = (int)m->nv, dof = lane < nv ? lane : 0;
  int body = lane < (int)m->nbody ? lane : 0;
  snReal push[6], force, acc;
  sn_copy6(push, d->xfrc_applied + 6 * body);
  force = d->qfrc_passive[dof] - d->qfrc_bias[dof] + d->qfrc_applied[dof] + d->qfrc_actuator[dof];
  if (sn_warpAny((push[0] != 0) | (push[1] != 0) | (push[2] != 0) | (push[3] != 0) |
                 (push[4] != 0) | (push[5] != 0))) {
    return 0;
  }
  if (lane < nv) d->qfrc_smooth[lane] = force;
  acc = sn_solveTreeOf(lane < nv ? force : 0, d->qLD, d->qLDiagInv, nv, m->M_rownnz, m->M_rowadr,
                       m->M_colind);
  if (lane < nv) d->qacc_smooth[lane] = acc;
  SN_SYNC();
  return 1;
}
