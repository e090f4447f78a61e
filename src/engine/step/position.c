// Positions live on a manifold: integrate, difference and normalise qpos.

#include "engine/step/position.h"

#include "math/math.h"

void sn_integrateJoint(const snModel* m, int joint, snReal* qpos, const snReal* qvel, snReal dt) {
  snReal* q = qpos + m->jnt_qposadr[joint];
  const snReal* v = qvel + m->jnt_dofadr[joint];
  switch (m->jnt_type[joint]) {
    case snJNT_FREE:
      snu_addToScl3(q, v, dt);
      snu_quatIntegrate(q + 3, v + 3, dt);
      break;
    case snJNT_BALL: snu_quatIntegrate(q, v, dt); break;
    default: *q += dt * *v; break;
  }
}

SN_STAGE void sn_integrateLanes(const snModel* m, snReal* qpos, snReal velocity, snReal dt) {
  int lane = SN_LANE, own = lane < (int)m->njnt, joint = own ? lane : 0;
  int type = m->jnt_type[joint], adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
  snReal coordinate = qpos[lane < (int)m->nq ? lane : 0];
  snReal q = sn_warpFrom(coordinate, adr), v = sn_warpFrom(velocity, dof);
  int isFree = type == snJNT_FREE, turns = isFree || type == snJNT_BALL;
  if (sn_warpAny(turns)) {
    snReal quat[4], rate[3], pos[3];
    SN_UNROLL
    for (int c = 0; c < 4; c++) quat[c] = sn_warpFrom(coordinate, adr + c + (isFree ? 3 : 0));
    SN_UNROLL
    for (int c = 0; c < 3; c++) {
      rate[c] = sn_warpFrom(velocity, dof + c + (isFree ? 3 : 0));
      pos[c] = sn_warpFrom(coordinate, adr + c) + sn_warpFrom(velocity, dof + c) * dt;
    }
    if (own && turns) {
      snu_quatIntegrate(quat, rate, dt);
      if (isFree) snu_copy3(qpos + adr, pos);
      snu_copy4(qpos + adr + (isFree ? 3 : 0), quat);
    }
  }
  if (own && !turns) qpos[adr] = q + dt * v;
}

void sn_integratePos(const snModel* m, snReal* qpos, const snReal* qvel, snReal dt) {
  SN_FOR(joint, m->njnt) sn_integrateJoint(m, joint, qpos, qvel, dt);
  SN_SYNC();
}

// rate of a quaternion in its own frame
static void quatRate(snReal rate[3], snReal dt, const snReal* quat1, const snReal* quat2) {
  snu_subQuat(rate, quat2, quat1);
  snu_scl3(rate, rate, 1 / dt);
}

void sn_differentiatePos(const snModel* m, snReal* qvel, snReal dt, const snReal* qpos1,
                         const snReal* qpos2) {
  SN_FOR(joint, m->njnt) {
    int adr = m->jnt_qposadr[joint];
    const snReal *q1 = qpos1 + adr, *q2 = qpos2 + adr;
    snReal* v = qvel + m->jnt_dofadr[joint];
    switch (m->jnt_type[joint]) {
      case snJNT_FREE:
        for (int k = 0; k < 3; k++) v[k] = (q2[k] - q1[k]) / dt;
        quatRate(v + 3, dt, q1 + 3, q2 + 3);
        break;
      case snJNT_BALL: quatRate(v, dt, q1, q2); break;
      default: *v = (*q2 - *q1) / dt; break;
    }
  }
  SN_SYNC();
}

void sn_normalizeQuat(const snModel* m, snReal* qpos) {
  SN_FOR(joint, m->njnt) {
    int type = m->jnt_type[joint];
    if (type == snJNT_FREE) snu_normalize4(qpos + m->jnt_qposadr[joint] + 3);
    if (type == snJNT_BALL) snu_normalize4(qpos + m->jnt_qposadr[joint]);
  }
  SN_SYNC();
}
