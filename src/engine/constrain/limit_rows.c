// Rows of dry friction (bounded force against velocity) and of limits (one-sided).

#include <string.h>

#include "engine/constrain/constraint.h"
#include "engine/step/sleep.h"
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

// has the dof friction that acts now?
static int dofHasFriction(const snModel* m, const snData* d, int dof, int asleep) {
  if (m->dof_frictionloss[dof] == 0) return 0;
  return !(asleep && d->body_awake[m->dof_bodyid[dof]] == snS_ASLEEP);
}

void sn_addFrictionRows(snRowBuilder* b) {
  const snModel* m = b->m;
  int asleep = sn_someAsleep(m, b->d);
  for (int i = 0; i < (int)m->nv; i++) {
    if (!dofHasFriction(m, b->d, i, asleep)) continue;
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

// distance of a value to the lower (side -1) or upper (side 1) end of a range
static snReal limitDistance(const snReal* range, int side, snReal value) {
  return side * (range[(side + 1) / 2] - value);
}

// hinge or slide: lower side first
static void addScalarLimit(snRowBuilder* b, int joint) {
  const snModel* m = b->m;
  snReal value = b->d->qpos[m->jnt_qposadr[joint]], margin = m->jnt_margin[joint];
  for (int side = -1; side <= 1; side += 2) {
    snReal dist = limitDistance(m->jnt_range + 2 * joint, side, value);
    if (!(dist < margin)) continue;
    snReal* J = sn_openRows(b, 1, 1, 0);
    if (!J) continue;
    J[0] = (snReal)-side;
    snRowInfo info = makeInfo(snCNSTR_LIMIT_JOINT, joint, &dist, margin, 0);
    sn_closeRows(b, 1, 1, &m->jnt_dofadr[joint], &info);
  }
}

// ball: distance of the rotation angle to its bound, and the rotation axis
static snReal ballDistance(const snModel* m, const snData* d, int joint, snReal axis[3]) {
  snReal quat[4];
  snu_copy4(quat, d->qpos + m->jnt_qposadr[joint]);
  snu_normalize4(quat);
  snu_quat2Vel(axis, quat, 1);
  snReal angle = snu_normalize3(axis);
  return snu_max(m->jnt_range[2 * joint], m->jnt_range[2 * joint + 1]) - angle;
}

// ball: the rotation angle stays inside a cone, the row pushes against the rotation axis
static void addBallLimit(snRowBuilder* b, int joint) {
  const snModel* m = b->m;
  snReal axis[3], margin = m->jnt_margin[joint], dist = ballDistance(m, b->d, joint, axis);
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
    snReal dist = limitDistance(m->tendon_range + 2 * tendon, side, length);
    if (!(dist < margin)) continue;
    snRowInfo info = makeInfo(snCNSTR_LIMIT_TENDON, tendon, &dist, margin, 0);
    addTendonRow(b, tendon, (snReal)-side, &info);
  }
}

static int jointIsLimited(const snModel* m, const snData* d, int joint, int asleep) {
  if (!m->jnt_limited[joint]) return 0;
  return !(asleep && d->body_awake[m->jnt_bodyid[joint]] == snS_ASLEEP);
}

void sn_addLimitRows(snRowBuilder* b) {
  const snModel* m = b->m;
  int asleep = sn_someAsleep(m, b->d);
  for (int j = 0; j < (int)m->njnt; j++) {
    if (!jointIsLimited(m, b->d, j, asleep)) continue;
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

// ---- rows by a team ------------------------------------------------------------------------------

static snRowSpan spanOf(int count, int width) {
  snRowSpan span = {count, width, 0, 0};
  return span;
}

snRowSpan sn_dofFrictionSpan(const snModel* m, const snData* d, int dof, int asleep) {
  return spanOf(dofHasFriction(m, d, dof, asleep), 1);
}

snRowSpan sn_tendonFrictionSpan(const snModel* m, const snData* d, int tendon) {
  if (m->tendon_frictionloss[tendon] <= 0) return spanOf(0, 0);
  return spanOf(1, sn_tendonWidth(m, d, tendon));
}

// sides of a range that a value has come close to
static int activeSides(const snReal* range, snReal value, snReal margin) {
  return (limitDistance(range, -1, value) < margin) + (limitDistance(range, 1, value) < margin);
}

snRowSpan sn_jointLimitSpan(const snModel* m, const snData* d, int joint, int asleep) {
  snReal axis[3], margin = m->jnt_margin[joint];
  if (!jointIsLimited(m, d, joint, asleep)) return spanOf(0, 0);
  switch (m->jnt_type[joint]) {
    case snJNT_HINGE:
    case snJNT_SLIDE:
      return spanOf(activeSides(m->jnt_range + 2 * joint, d->qpos[m->jnt_qposadr[joint]], margin),
                    1);
    case snJNT_BALL: return spanOf(ballDistance(m, d, joint, axis) < margin, 3);
    default: return spanOf(0, 0);
  }
}

snRowSpan sn_tendonLimitSpan(const snModel* m, const snData* d, int tendon) {
  if (!m->tendon_limited[tendon]) return spanOf(0, 0);
  int sides =
      activeSides(m->tendon_range + 2 * tendon, d->ten_length[tendon], m->tendon_margin[tendon]);
  return spanOf(sides, sides ? sn_tendonWidth(m, d, tendon) : 0);
}

// entries of one row along a tendon, times sign
static void setTendonRow(const snModel* m, const snData* d, const snEntries* entries, int tendon,
                         int row, int place, snReal sign) {
  snTendonCursor cursor = sn_tendonStart(m, d, tendon);
  for (snReal value; sn_tendonNext(&cursor, &value); place++) {
    sn_setEntry(entries, row, place, cursor.dof, sign < 0 ? value * sign : value);
  }
}

void sn_fillFrictionRows(const snModel* m, snData* d, const snRowSpan* dofs,
                         const snRowSpan* tendons) {
  snEntries entries = sn_rowEntries(m, d);
  SN_FOR(i, m->nv) {
    if (!dofs[i].count) continue;
    sn_setRow(d, dofs + i, 0, snCNSTR_FRICTION_DOF, i, 0, 0, m->dof_frictionloss[i]);
    sn_setEntry(&entries, dofs[i].row, dofs[i].entry, i, 1);
  }
  SN_FOR(t, m->ntendon) {
    const snRowSpan* span = tendons + t;
    if (!span->count) continue;
    sn_setRow(d, span, 0, snCNSTR_FRICTION_TENDON, t, 0, 0, m->tendon_frictionloss[t]);
    setTendonRow(m, d, &entries, t, span->row, span->entry, 1);
  }
}

static void fillScalarLimit(const snModel* m, snData* d, const snEntries* entries, int joint,
                            const snRowSpan* span) {
  snReal value = d->qpos[m->jnt_qposadr[joint]], margin = m->jnt_margin[joint];
  for (int side = -1, r = 0; side <= 1; side += 2) {
    snReal dist = limitDistance(m->jnt_range + 2 * joint, side, value);
    if (!(dist < margin)) continue;
    sn_setRow(d, span, r, snCNSTR_LIMIT_JOINT, joint, dist, margin, 0);
    d->efc_J_rowsuper[span->row + r] = 0;
    sn_setEntry(entries, span->row + r, span->entry + r, m->jnt_dofadr[joint], (snReal)-side);
    r++;
  }
}

static void fillBallLimit(const snModel* m, snData* d, const snEntries* entries, int joint,
                          const snRowSpan* span) {
  snReal axis[3], dist = ballDistance(m, d, joint, axis);
  sn_setRow(d, span, 0, snCNSTR_LIMIT_JOINT, joint, dist, m->jnt_margin[joint], 0);
  for (int k = 0; k < 3; k++) {
    sn_setEntry(entries, span->row, span->entry + k, m->jnt_dofadr[joint] + k, -axis[k]);
  }
}

static void fillTendonLimit(const snModel* m, snData* d, const snEntries* entries, int tendon,
                            const snRowSpan* span) {
  snReal length = d->ten_length[tendon], margin = m->tendon_margin[tendon];
  for (int side = -1, r = 0; side <= 1; side += 2) {
    snReal dist = limitDistance(m->tendon_range + 2 * tendon, side, length);
    if (!(dist < margin)) continue;
    sn_setRow(d, span, r, snCNSTR_LIMIT_TENDON, tendon, dist, margin, 0);
    d->efc_J_rowsuper[span->row + r] = 0;
    setTendonRow(m, d, entries, tendon, span->row + r, span->entry + r * span->width,
                 (snReal)-side);
    r++;
  }
}

void sn_fillLimitRows(const snModel* m, snData* d, const snRowSpan* joints,
                      const snRowSpan* tendons) {
  snEntries entries = sn_rowEntries(m, d);
  SN_FOR(j, m->njnt) {
    if (!joints[j].count) continue;
    if (m->jnt_type[j] == snJNT_BALL) {
      fillBallLimit(m, d, &entries, j, joints + j);
    } else {
      fillScalarLimit(m, d, &entries, j, joints + j);
    }
  }
  SN_FOR(t, m->ntendon) {
    if (tendons[t].count) fillTendonLimit(m, d, &entries, t, tendons + t);
  }
}
