// Rows of dry friction (bounded force against velocity) and of limits (one-sided).

#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/step/sleep.h"
#include "math/math.h"

// has the dof friction that acts now?
static int dofHasFriction(const snModel* m, const snData* d, int dof, int asleep) {
  SN_ASSERT_INDEX(dof, m->nv);
  if (m->dof_frictionloss[dof] == 0) return 0;
  return !(asleep && d->body_awake[m->dof_bodyid[dof]] == snS_ASLEEP);
}

// distance of a value to the lower (side -1) or upper (side 1) end of a range
static snReal limitDistance(const snReal* range, int side, snReal value) {
  SN_ASSERT(side == 1 || side == -1);
  return side * (range[(side + 1) / 2] - value);
}

// ball: distance of the rotation angle to its bound, and the rotation axis
static snReal ballDistance(const snModel* m, const snData* d, int joint, snReal axis[3]) {
  SN_ASSERT_INDEX(joint, m->njnt);
  snReal quat[4];
  snu_copy4(quat, d->qpos + m->jnt_qposadr[joint]);
  snu_normalize4(quat);
  snu_quat2Vel(axis, quat, 1);
  snReal angle = snu_normalize3(axis);
  return snu_max(m->jnt_range[2 * joint], m->jnt_range[2 * joint + 1]) - angle;
}

static int jointIsLimited(const snModel* m, const snData* d, int joint, int asleep) {
  SN_ASSERT_INDEX(joint, m->njnt);
  if (!m->jnt_limited[joint]) return 0;
  return !(asleep && d->body_awake[m->jnt_bodyid[joint]] == snS_ASLEEP);
}

// ---- spans ---------------------------------------------------------------------------------------

// sides of a range that a value has come close to
static int activeSides(const snReal* range, snReal value, snReal margin) {
  return (limitDistance(range, -1, value) < margin) + (limitDistance(range, 1, value) < margin);
}

static snRowSpan jointSpan(const snModel* m, const snData* d, int joint, int asleep) {
  SN_ASSERT_INDEX(joint, m->njnt);
  snReal axis[3], margin = m->jnt_margin[joint];
  if (!jointIsLimited(m, d, joint, asleep)) return sn_rowSpan(0, 0);
  switch (m->jnt_type[joint]) {
    case snJNT_HINGE:
    case snJNT_SLIDE:
      return sn_rowSpan(
          activeSides(m->jnt_range + 2 * joint, d->qpos[m->jnt_qposadr[joint]], margin), 1);
    case snJNT_BALL: return sn_rowSpan(ballDistance(m, d, joint, axis) < margin, 3);
    default: return sn_rowSpan(0, 0);
  }
}

static snRowSpan tendonSpan(const snModel* m, const snData* d, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  if (!m->tendon_limited[tendon]) return sn_rowSpan(0, 0);
  int sides =
      activeSides(m->tendon_range + 2 * tendon, d->ten_length[tendon], m->tendon_margin[tendon]);
  return sn_rowSpan(sides, sides ? sn_tendonWidth(m, d, tendon) : 0);
}

void sn_dofSpans(const snModel* m, const snData* d, snRowSpan* dofs, int begin, int end) {
  int asleep = sn_someAsleep(m, d);
  SN_FOR(k, end - begin) {
    dofs[begin + k] = sn_rowSpan(dofHasFriction(m, d, begin + k, asleep), 1);
  }
}

void sn_jointSpans(const snModel* m, const snData* d, snRowSpan* joints, int begin, int end) {
  int asleep = sn_someAsleep(m, d);
  SN_FOR(k, end - begin) joints[begin + k] = jointSpan(m, d, begin + k, asleep);
}

void sn_tendonFrictionSpans(const snModel* m, const snData* d, snRowSpan* tendons) {
  SN_FOR(t, m->ntendon) {
    int active = m->tendon_frictionloss[t] > 0;
    tendons[t] = sn_rowSpan(active, active ? sn_tendonWidth(m, d, t) : 0);
  }
}

void sn_tendonLimitSpans(const snModel* m, const snData* d, snRowSpan* tendons) {
  SN_FOR(t, m->ntendon) tendons[t] = tendonSpan(m, d, t);
}

// ---- rows ----------------------------------------------------------------------------------------

// entries of one row along a tendon, times sign
static void setTendonRow(const snModel* m, const snData* d, const snEntries* entries, int tendon,
                         int row, int place, snReal sign) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  SN_ASSERT_INDEX(row, d->nefc);
  snTendonCursor cursor = sn_tendonStart(m, d, tendon);
  if (!cursor.col) {
    const snReal* value = cursor.value;
    int n = cursor.end;
    for (int k = sn_skipZeros(value, 0, n); k < n; k = sn_skipZeros(value, k + 1, n)) {
      sn_setEntry(entries, row, place++, k, sign < 0 ? value[k] * sign : value[k]);
    }
    return;
  }
  for (snReal value; sn_tendonNext(&cursor, &value); place++) {
    sn_setEntry(entries, row, place, cursor.dof, sign < 0 ? value * sign : value);
  }
}

void sn_fillDofRows(const snModel* m, snData* d, const snRowSpan* dofs, int begin, int end) {
  snEntries entries = sn_rowEntries(m, d);
  SN_FOR(k, end - begin) {
    int i = begin + k;
    if (!dofs[i].count) continue;
    sn_setRow(d, dofs + i, 0, snCNSTR_FRICTION_DOF, i, 0, 0, m->dof_frictionloss[i]);
    sn_setEntry(&entries, dofs[i].row, dofs[i].entry, i, 1);
  }
}

void sn_fillTendonFrictionRows(const snModel* m, snData* d, const snRowSpan* tendons) {
  snEntries entries = sn_rowEntries(m, d);
  SN_FOR(t, m->ntendon) {
    const snRowSpan* span = tendons + t;
    if (!span->count) continue;
    sn_setRow(d, span, 0, snCNSTR_FRICTION_TENDON, t, 0, 0, m->tendon_frictionloss[t]);
    setTendonRow(m, d, &entries, t, span->row, span->entry, 1);
  }
}

// hinge or slide: lower side first
static void fillScalarLimit(const snModel* m, snData* d, const snEntries* entries, int joint,
                            const snRowSpan* span) {
  SN_ASSERT_INDEX(joint, m->njnt);
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

// ball: the rotation angle stays inside a cone, the row pushes against the rotation axis
static void fillBallLimit(const snModel* m, snData* d, const snEntries* entries, int joint,
                          const snRowSpan* span) {
  SN_ASSERT_INDEX(joint, m->njnt);
  snReal axis[3], dist = ballDistance(m, d, joint, axis);
  sn_setRow(d, span, 0, snCNSTR_LIMIT_JOINT, joint, dist, m->jnt_margin[joint], 0);
  for (int k = 0; k < 3; k++) {
    sn_setEntry(entries, span->row, span->entry + k, m->jnt_dofadr[joint] + k, -axis[k]);
  }
}

static void fillTendonLimit(const snModel* m, snData* d, const snEntries* entries, int tendon,
                            const snRowSpan* span) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
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

void sn_fillJointRows(const snModel* m, snData* d, const snRowSpan* joints, int begin, int end) {
  snEntries entries = sn_rowEntries(m, d);
  SN_FOR(k, end - begin) {
    int j = begin + k;
    if (!joints[j].count) continue;
    if (m->jnt_type[j] == snJNT_BALL) {
      fillBallLimit(m, d, &entries, j, joints + j);
    } else {
      fillScalarLimit(m, d, &entries, j, joints + j);
    }
  }
}

void sn_fillTendonLimitRows(const snModel* m, snData* d, const snRowSpan* tendons) {
  snEntries entries = sn_rowEntries(m, d);
  SN_FOR(t, m->ntendon) {
    if (tendons[t].count) fillTendonLimit(m, d, &entries, t, tendons + t);
  }
}
