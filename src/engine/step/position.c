// Positions live on a manifold: integrate, difference and normalise qpos.

#include "engine/step/position.h"

#include "base/assert.h"
#include "engine/smooth/joint.h"
#include "math/math.h"
#include "model/object_types.h"

void sn_integrateJoint(const snModel* m, int joint, snReal* qpos, const snReal* qvel, snReal dt) {
  SN_ASSERT_INDEX(joint, m->njnt);
  sn_advanceJoint(m->jnt_type[joint], qpos + m->jnt_qposadr[joint], qvel + m->jnt_dofadr[joint],
                  dt);
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
    if (!sn_hasQuaternion(type)) continue;
    snu_normalize4(qpos + m->jnt_qposadr[joint] + sn_plainCoordinates(type));
  }
  SN_SYNC();
}
