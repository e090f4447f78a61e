// Rows of dry friction (bounded force against velocity) and of limits (one-sided).

#include <string.h>

#include "engine/constraint.h"
#include "engine/sleep.h"
#include "math/math.h"

static snRowInfo makeInfo(int type, int id, const snReal* pos, snReal margin, snReal loss) {
  snRowInfo info;
  memset(&info, 0, sizeof(info));
  info.type = type;
  info.id = id;
  info.pos = pos;
  info.margin = margin;
  info.frictionloss = loss;
  return info;
}

// tendon_efcadr remembers the first row that a tendon would get
static void noteTendon(snRowBuilder* b, int tendon) {
  if (!b->counting && b->d->tendon_efcadr[tendon] == -1) b->d->tendon_efcadr[tendon] = b->nrow;
}

// one row along a tendon's Jacobian times sign
static void addTendonRow(snRowBuilder* b, int tendon, snReal sign, const snRowInfo* info) {
  noteTendon(b, tendon);
  int n = sn_tendonChain(b->m, b->d, tendon, b->chain);
  snReal* J = sn_openRows(b, 1, n, 0);
  if (!J) return;
  sn_tendonValues(b->m, b->d, tendon, n, b->chain, J);
  if (sign < 0) snu_scl(J, J, sign, n);
  sn_closeRows(b, 1, n, b->chain, info);
}

void sn_addFrictionRows(snRowBuilder* b) {
  const snModel* m = b->m;
  int asleep = sn_someAsleep(m, b->d);
  for (int i = 0; i < (int)m->nv; i++) {
    if (m->dof_frictionloss[i] == 0) continue;
    if (asleep && b->d->body_awake[m->dof_bodyid[i]] == snS_ASLEEP) continue;
    snReal* J = sn_openRows(b, 1, 1, 0);
    if (!J) continue;
    J[0] = 1;
    snRowInfo info = makeInfo(snCNSTR_FRICTION_DOF, i, NULL, 0, m->dof_frictionloss[i]);
    sn_closeRows(b, 1, 1, &i, &info);
  }
  for (int t = 0; t < (int)m->ntendon; t++) {
    if (m->tendon_frictionloss[t] <= 0) continue;
    snRowInfo info = makeInfo(snCNSTR_FRICTION_TENDON, t, NULL, 0, m->tendon_frictionloss[t]);
    addTendonRow(b, t, 1, &info);
  }
}

// hinge or slide: lower side first
static void addScalarLimit(snRowBuilder* b, int joint) {
  const snModel* m = b->m;
  snReal value = b->d->qpos[m->jnt_qposadr[joint]], margin = m->jnt_margin[joint];
  for (int side = -1; side <= 1; side += 2) {
    snReal dist = side * (m->jnt_range[2 * joint + (side + 1) / 2] - value);
    if (!(dist < margin)) continue;
    snReal* J = sn_openRows(b, 1, 1, 0);
    if (!J) continue;
    J[0] = (snReal)-side;
    snRowInfo info = makeInfo(snCNSTR_LIMIT_JOINT, joint, &dist, margin, 0);
    sn_closeRows(b, 1, 1, &m->jnt_dofadr[joint], &info);
  }
}

// ball: the rotation angle stays inside a cone, the row pushes against the rotation axis
static void addBallLimit(snRowBuilder* b, int joint) {
  const snModel* m = b->m;
  snReal quat[4], axis[3], margin = m->jnt_margin[joint];
  snu_copy4(quat, b->d->qpos + m->jnt_qposadr[joint]);
  snu_normalize4(quat);
  snu_quat2Vel(axis, quat, 1);
  snReal angle = snu_normalize3(axis);
  snReal dist = snu_max(m->jnt_range[2 * joint], m->jnt_range[2 * joint + 1]) - angle;
  if (!(dist < margin)) return;
  snReal* J = sn_openRows(b, 1, 3, 0);
  if (!J) return;
  snu_scl3(J, axis, -1);
  int dof = m->jnt_dofadr[joint];
  int chain[3] = {dof, dof + 1, dof + 2};
  snRowInfo info = makeInfo(snCNSTR_LIMIT_JOINT, joint, &dist, margin, 0);
  sn_closeRows(b, 1, 3, chain, &info);
}

static void addTendonLimit(snRowBuilder* b, int tendon) {
  const snModel* m = b->m;
  snReal length = b->d->ten_length[tendon], margin = m->tendon_margin[tendon];
  for (int side = -1; side <= 1; side += 2) {
    snReal dist = side * (m->tendon_range[2 * tendon + (side + 1) / 2] - length);
    if (!(dist < margin)) continue;
    snRowInfo info = makeInfo(snCNSTR_LIMIT_TENDON, tendon, &dist, margin, 0);
    addTendonRow(b, tendon, (snReal)-side, &info);
  }
}

void sn_addLimitRows(snRowBuilder* b) {
  const snModel* m = b->m;
  int asleep = sn_someAsleep(m, b->d);
  for (int j = 0; j < (int)m->njnt; j++) {
    if (!m->jnt_limited[j]) continue;
    if (asleep && b->d->body_awake[m->jnt_bodyid[j]] == snS_ASLEEP) continue;
    switch (m->jnt_type[j]) {
      case snJNT_HINGE:
      case snJNT_SLIDE: addScalarLimit(b, j); break;
      case snJNT_BALL: addBallLimit(b, j); break;
      default: break;
    }
  }
  for (int t = 0; t < (int)m->ntendon; t++) {
    if (m->tendon_limited[t]) addTendonLimit(b, t);
  }
}
