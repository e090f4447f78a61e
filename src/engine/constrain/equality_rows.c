// Rows of equality constraints: residual zero, always active.

#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/smooth/jacobian.h"
#include "engine/step/sleep.h"
#include "math/math.h"
#include "model/object_types.h"

static int bySites(const snModel* m, int eq) { return m->eq_objtype[eq] == snOBJ_SITE; }

// anchor of side s in body coordinates starts at data[offset[s]]; a weld has them in reverse
void sn_equalityAnchors(const snModel* m, const snData* d, int eq, snAnchors* anchors) {
  SN_ASSERT_INDEX(eq, m->neq);
  int object[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]}, weld = m->eq_type[eq] == snEQ_WELD;
  int offset[2] = {weld ? 3 : 0, weld ? 0 : 3};
  for (int s = 0; s < 2; s++) {
    if (bySites(m, eq)) {
      anchors->body[s] = m->site_bodyid[object[s]];
      snu_copy3(anchors->pos[s], d->site_xpos + 3 * object[s]);
    } else {
      anchors->body[s] = object[s];
      snu_mulMatVec3(anchors->pos[s], d->xmat + 9 * object[s],
                     m->eq_data + snNEQDATA * eq + offset[s]);
      snu_addTo3(anchors->pos[s], d->xpos + 3 * object[s]);
    }
  }
}

void sn_weldQuats(const snModel* m, const snData* d, int eq, const snAnchors* anchors,
                  snReal first[4], snReal second[4]) {
  SN_ASSERT_INDEX(eq, m->neq);
  const snReal* quat1 = d->xquat + 4 * anchors->body[0];
  const snReal* quat2 = d->xquat + 4 * anchors->body[1];
  if (bySites(m, eq)) {
    snReal quat[4];
    snu_mulQuat(first, quat1, m->site_quat + 4 * m->eq_obj1id[eq]);
    snu_mulQuat(quat, quat2, m->site_quat + 4 * m->eq_obj2id[eq]);
    snu_negQuat(second, quat);
  } else {
    snu_mulQuat(first, quat1, m->eq_data + snNEQDATA * eq + 6);
    snu_negQuat(second, quat2);
  }
}

// ---- tendons -------------------------------------------------------------------------------------

SN_WIDE(static, int, countEntries, (const snReal* row, int n), (row, n)) {
  int count = 0;
  for (int k = 0; k < n; k++) count += row[k] != 0;
  return count;
}

int sn_tendonWidth(const snModel* m, const snData* d, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  if (sn_isSparse(m)) return d->ten_J_rownnz[tendon];
  return countEntries(d->ten_J + tendon * m->nv, (int)m->nv);
}

snTendonCursor sn_tendonStart(const snModel* m, const snData* d, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  snTendonCursor cursor;
  cursor.k = 0;
  cursor.dof = -1;
  if (sn_isSparse(m)) {
    cursor.value = d->ten_J + d->ten_J_rowadr[tendon];
    cursor.col = d->ten_J_colind + d->ten_J_rowadr[tendon];
    cursor.end = d->ten_J_rownnz[tendon];
  } else {
    cursor.value = d->ten_J + tendon * m->nv;
    cursor.col = NULL;
    cursor.end = (int)m->nv;
  }
  return cursor;
}

int sn_tendonNext(snTendonCursor* cursor, snReal* value) {
  if (!cursor->col) cursor->k = sn_skipZeros(cursor->value, cursor->k, cursor->end);
  if (cursor->k >= cursor->end) return 0;
  *value = cursor->value[cursor->k];
  cursor->dof = cursor->col ? cursor->col[cursor->k] : cursor->k;
  cursor->k++;
  return 1;
}

// Entries of J1 - slope J2 on the dofs of either tendon; returns their number. Nullable: entries.
static int tendonDifference(const snModel* m, const snData* d, int eq, snReal slope,
                            const snEntries* entries, int row, int place) {
  SN_ASSERT_INDEX(eq, m->neq);
  SN_ASSERT(!entries || (row >= 0 && row < d->nefc));
  int second = m->eq_obj2id[eq], n = 0;
  snTendonCursor a = sn_tendonStart(m, d, m->eq_obj1id[eq]), b = a;
  snReal value1 = 0, value2 = 0;
  if (second >= 0) b = sn_tendonStart(m, d, second);
  int more1 = sn_tendonNext(&a, &value1), more2 = second >= 0 && sn_tendonNext(&b, &value2);
  for (; more1 || more2; n++) {
    int take1 = more1 && (!more2 || a.dof <= b.dof), take2 = more2 && (!more1 || b.dof <= a.dof);
    snReal value = take1 ? value1 : 0;
    if (second >= 0) value += (take2 ? value2 : 0) * -slope;
    if (entries) sn_setEntry(entries, row, place + n, take1 ? a.dof : b.dof, value);
    if (take1) more1 = sn_tendonNext(&a, &value1);
    if (take2) more2 = sn_tendonNext(&b, &value2);
  }
  return n;
}

// ---- spans ---------------------------------------------------------------------------------------

// is the equality on, and are its objects awake?
static int acts(const snModel* m, const snData* d, int eq, int asleep) {
  SN_ASSERT_INDEX(eq, m->neq);
  if (!d->eq_active[eq]) return 0;
  return !(asleep && sn_sleepState(m, d, snOBJ_EQUALITY, eq) == snS_ASLEEP);
}

// bodies of a connect or a weld
static void tiedBodies(const snModel* m, int eq, int body[2]) {
  SN_ASSERT_INDEX(eq, m->neq);
  body[0] = m->eq_obj1id[eq];
  body[1] = m->eq_obj2id[eq];
  if (bySites(m, eq)) {
    body[0] = m->site_bodyid[body[0]];
    body[1] = m->site_bodyid[body[1]];
  }
}

static snRowSpan equalitySpan(const snModel* m, const snData* d, int eq) {
  SN_ASSERT_INDEX(eq, m->neq);
  int type = m->eq_type[eq], body[2];
  snChainPair pair;
  switch (type) {
    case snEQ_CONNECT:
    case snEQ_WELD:
      tiedBodies(m, eq, body);
      pair = sn_chainPair(m, body[0], body[1]);
      return sn_rowSpan(sn_equalityRows(type), sn_pairLength(&pair));
    case snEQ_DISTANCE:
      tiedBodies(m, eq, body);
      pair = sn_chainPair(m, body[0], body[1]);
      return sn_rowSpan(1, sn_pairLength(&pair));
    case snEQ_JOINT: return sn_rowSpan(1, m->eq_obj2id[eq] < 0 ? 1 : 2);
    case snEQ_TENDON: return sn_rowSpan(1, tendonDifference(m, d, eq, 0, NULL, 0, 0));
    default: snu_error("equality %d has unknown type %d", eq, type); return sn_rowSpan(0, 0);
  }
}

// a lane takes an equality, all lanes that of a flex
void sn_equalitySpans(const snModel* m, const snData* d, int asleep, snRowSpan* span) {
  SN_FOR(eq, m->neq) {
    if (m->nflex && sn_isFlexEquality(m, eq)) continue;
    span[eq] = acts(m, d, eq, asleep) ? equalitySpan(m, d, eq) : sn_rowSpan(0, 0);
  }
  for (int eq = 0; m->nflex && eq < (int)m->neq; eq++) {
    if (!sn_isFlexEquality(m, eq)) continue;
    snRowSpan own = acts(m, d, eq, asleep) ? sn_flexSpan(m, d, eq) : sn_rowSpan(0, 0);
    SN_ONE span[eq] = own;
  }
}

// ---- rows ----------------------------------------------------------------------------------------

// The points that are tied, from the centres of their trees.
static void anchorOffsets(const snModel* m, const snData* d, const snAnchors* anchors,
                          snReal offset[2][3]) {
  SN_ASSERT_INDEX2(anchors->body[0], anchors->body[1], m->nbody);
  for (int s = 0; s < 2; s++) {
    snu_sub3(offset[s], anchors->pos[s], d->subtree_com + 3 * m->body_rootid[anchors->body[s]]);
  }
}

// translation of a point by a dof, added with a sign
SN_KERNEL void addTranslation(const snReal cdof[6], const snReal offset[3], snReal sign,
                              snReal translation[3]) {
  snReal column[3];
  snu_cross(column, cdof, offset);
  snu_addTo3(column, cdof + 3);
  snu_addToScl3(translation, column, sign);
}

// Columns k, k + step ... of a connect, p1 - p2 = 0, or a weld, which has scale * vec(conj(q2) q1) = 0
// as well; its rows are scale/2 * vec(conj(q2) (0, w1 - w2) q1).
static void fillTied(const snModel* m, snData* d, const snEntries* entries, int eq,
                     const snRowSpan* span, int k, int step) {
  SN_ASSERT_INDEX(eq, m->neq);
  SN_ASSERT(step > 0);
  int weld = m->eq_type[eq] == snEQ_WELD, n = span->width;
  snReal first[4], second[4], quat[4], left[4], scale = m->eq_data[snNEQDATA * eq + 10];
  snAnchors anchors;
  sn_equalityAnchors(m, d, eq, &anchors);
  if (weld) sn_weldQuats(m, d, eq, &anchors, first, second);
  if (k == 0) {
    snReal pos[6];
    snu_sub3(pos, anchors.pos[0], anchors.pos[1]);
    if (weld) {
      snu_mulQuat(quat, second, first);
      snu_scl3(pos + 3, quat + 1, scale);
    }
    for (int r = 0; r < span->count; r++) sn_setRow(d, span, r, snCNSTR_EQUALITY, eq, pos[r], 0, 0);
  }
  snReal offset[2][3];
  anchorOffsets(m, d, &anchors, offset);
  snChainPair pair = sn_chainPair(m, anchors.body[0], anchors.body[1]);
  for (; k < n; k += step) {
    int which, dof = sn_pairDof(&pair, k, &which), place = span->entry + k;
    snReal column[3] = {0, 0, 0}, axis[3] = {0, 0, 0};
    const snReal* cdof = d->cdof + 6 * dof;
    if (which <= 0) addTranslation(cdof, offset[0], 1, column);
    if (which >= 0) addTranslation(cdof, offset[1], -1, column);
    for (int r = 0; r < 3; r++) sn_setEntry(entries, span->row + r, place + r * n, dof, column[r]);
    if (!weld) continue;
    if (which <= 0) snu_addToScl3(axis, cdof, 1);
    if (which >= 0) snu_addToScl3(axis, cdof, -1);
    snu_mulQuatAxis(left, second, axis);
    snu_mulQuat(quat, left, first);
    for (int r = 0; r < 3; r++) {
      sn_setEntry(entries, span->row + 3 + r, place + (3 + r) * n, dof,
                  (snReal)0.5 * scale * quat[1 + r]);
    }
  }
}

// Columns k, k + step ... of a distance, |p1 - p2| - data[0] = 0: the row of a tendon between two sites.
static void fillDistance(const snModel* m, snData* d, const snEntries* entries, int eq,
                         const snRowSpan* span, int k, int step) {
  SN_ASSERT_INDEX(eq, m->neq);
  snAnchors anchors;
  snReal direction[3];
  sn_equalityAnchors(m, d, eq, &anchors);
  snu_sub3(direction, anchors.pos[0], anchors.pos[1]);
  snReal pos = snu_normalize3(direction) - m->eq_data[snNEQDATA * eq];
  if (k == 0) sn_setRow(d, span, 0, snCNSTR_EQUALITY, eq, pos, 0, 0);
  snReal offset[2][3];
  anchorOffsets(m, d, &anchors, offset);
  snChainPair pair = sn_chainPair(m, anchors.body[0], anchors.body[1]);
  for (; k < span->width; k += step) {
    int which, dof = sn_pairDof(&pair, k, &which);
    snReal column[3] = {0, 0, 0};
    if (which <= 0) addTranslation(d->cdof + 6 * dof, offset[0], 1, column);
    if (which >= 0) addTranslation(d->cdof + 6 * dof, offset[1], -1, column);
    sn_setEntry(entries, span->row, span->entry + k, dof, snu_dot3(direction, column));
  }
}

static void fillJoint(const snModel* m, snData* d, const snEntries* entries, int eq,
                      const snRowSpan* span) {
  SN_ASSERT_INDEX(eq, m->neq);
  int joint1 = m->eq_obj1id[eq], joint2 = m->eq_obj2id[eq];
  int dof1 = m->jnt_dofadr[joint1], adr1 = m->jnt_qposadr[joint1];
  const snReal* c = m->eq_data + snNEQDATA * eq;
  snReal slope, pos = d->qpos[adr1] - m->qpos0[adr1];
  if (joint2 < 0) {
    pos -= c[0];
    sn_setEntry(entries, span->row, span->entry, dof1, 1);
  } else {
    int dof2 = m->jnt_dofadr[joint2], adr2 = m->jnt_qposadr[joint2], second = dof2 > dof1;
    pos = sn_coupling(c, pos, d->qpos[adr2] - m->qpos0[adr2], &slope);
    sn_setEntry(entries, span->row, span->entry + second, dof2, -slope);
    sn_setEntry(entries, span->row, span->entry + 1 - second, dof1, 1);
  }
  sn_setRow(d, span, 0, snCNSTR_EQUALITY, eq, pos, 0, 0);
}

static void fillTendon(const snModel* m, snData* d, const snEntries* entries, int eq,
                       const snRowSpan* span) {
  SN_ASSERT_INDEX(eq, m->neq);
  int tendon1 = m->eq_obj1id[eq], tendon2 = m->eq_obj2id[eq];
  const snReal* c = m->eq_data + snNEQDATA * eq;
  snReal slope = 0, pos = d->ten_length[tendon1] - m->tendon_length0[tendon1];
  if (tendon2 < 0) {
    pos -= c[0];
  } else {
    pos = sn_coupling(c, pos, d->ten_length[tendon2] - m->tendon_length0[tendon2], &slope);
  }
  tendonDifference(m, d, eq, slope, entries, span->row, span->entry);
  sn_setRow(d, span, 0, snCNSTR_EQUALITY, eq, pos, 0, 0);
}

void sn_fillEqualityRows(const snModel* m, snData* d, const snRowSpan* span) {
  snEntries entries = sn_rowEntries(m, d);
  int shift = SN_SPAN_SHIFT, step = 1 << shift;
  SN_FOR(i, m->neq << shift) {
    int eq = i >> shift, k = i & (step - 1);
    if (!span[eq].count || (m->nflex && sn_isFlexEquality(m, eq))) continue;
    switch (m->eq_type[eq]) {
      case snEQ_JOINT:
        if (!k) fillJoint(m, d, &entries, eq, span + eq);
        break;
      case snEQ_TENDON:
        if (!k) fillTendon(m, d, &entries, eq, span + eq);
        break;
      case snEQ_DISTANCE: fillDistance(m, d, &entries, eq, span + eq, k, step); break;
      default: fillTied(m, d, &entries, eq, span + eq, k, step);
    }
  }
  for (int eq = 0; m->nflex && eq < (int)m->neq; eq++) {
    if (span[eq].count && sn_isFlexEquality(m, eq)) sn_fillFlexRows(m, d, eq, span + eq);
  }
}
