// Derivatives of constraint forces by positions: equalities, dry friction, limits (see differentiate/position_derivative.h).
//
// A row has the residual x = J a - aref = J (a + B v) + K I (pos - margin), and D ~ I / (1 - I) where
// the impedance I follows pos with the slope P.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/differentiate/position_derivative.h"
#include "engine/smooth/jacobian.h"
#include "math/math.h"

// ---- one row

snReal sn_rowStiffness(const snData* d, int row) {
  SN_ASSERT_INDEX(row, d->nefc);
  const snReal* KBIP = d->efc_KBIP + 4 * row;
  return KBIP[0] * (KBIP[2] + KBIP[3] * (d->efc_pos[row] - d->efc_margin[row]));
}

snReal sn_rowWeight(const snData* d, int row) {
  SN_ASSERT_INDEX(row, d->nefc);
  const snReal* KBIP = d->efc_KBIP + 4 * row;
  if (KBIP[3] == 0 || d->efc_R[row] <= (snReal)snMINVAL) return 0;
  return KBIP[3] / (KBIP[2] * (1 - KBIP[2]));
}

void sn_tangentForces(const snData* d, int row, int count, const snReal* residual, snReal weight,
                      snReal* force) {
  SN_ASSERT_INDEX(row, d->nefc);
  if (d->efc_state[row] == snCNSTRSTATE_CONE) {
    const snReal* H = d->contact[d->efc_id[row]].H;
    for (int r = 0; r < count; r++) {
      force[r] = d->efc_force[row + r] * weight - snu_dot(H + r * count, residual, count);
    }
    return;
  }
  for (int r = 0; r < count; r++) {
    int active = d->efc_state[row + r] == snCNSTRSTATE_QUADRATIC;
    force[r] = active ? d->efc_force[row + r] * weight - d->efc_D[row + r] * residual[r] : 0;
  }
}

// a + B v of one dof
static snReal drive(const snData* d, const snTangent* t, int row, int dof) {
  SN_ASSERT_INDEX(row, d->nefc);
  return t->qacc[dof] + d->efc_KBIP[4 * row + 1] * d->qvel[dof];
}

// matrix += d(J' force) of a row on n dofs; hessian (nullable) as in snTendonShape
static void addRow(const snData* d, snTangent* t, int row, int n, const int* dof, const snReal* J,
                   const snReal* hessian) {
  SN_ASSERT_INDEX(row, d->nefc);
  snReal stiffness = sn_rowStiffness(d, row), weight = sn_rowWeight(d, row);
  snReal force = d->efc_force[row];
  for (int k = 0; k < n; k++) {
    snReal residual = stiffness * J[k], change;
    for (int i = 0; hessian && i < n; i++) {
      residual += hessian[k * n + i] * drive(d, t, row, dof[i]);
    }
    sn_tangentForces(d, row, 1, &residual, weight * J[k], &change);
    snReal* target = t->matrix + (size_t)t->nv * dof[k];
    for (int i = 0; i < n; i++) target[dof[i]] += change * J[i];
    for (int i = 0; hessian && i < n; i++) target[dof[i]] += force * hessian[k * n + i];
  }
}

void sn_tangentRow(const snData* d, snTangent* t, int row, const snTendonShape* shape) {
  SN_ASSERT_INDEX(row, d->nefc);
  addRow(d, t, row, shape->n, shape->dof, shape->J, shape->isLinear ? NULL : shape->hessian);
}

// ---- joints and tendons

// second derivative of the polynomial of a coupling
static snReal curvature(const snReal c[5], snReal x) {
  return 2 * c[2] + x * (6 * c[3] + x * 12 * c[4]);
}

static snReal slopeOf(const snReal c[5], snReal x) {
  return c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
}

static void jointEquality(const snModel* m, const snData* d, snTangent* t, int row, int eq) {
  SN_ASSERT_INDEX(row, d->nefc);
  SN_ASSERT_INDEX(eq, m->neq);
  const snReal* c = m->eq_data + snNEQDATA * eq;
  int joint[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]}, dof[2];
  snReal J[2] = {1, 0}, hessian[4] = {0, 0, 0, 0};
  dof[0] = m->jnt_dofadr[joint[0]];
  if (joint[1] < 0) {
    addRow(d, t, row, 1, dof, J, NULL);
    return;
  }
  int adr = m->jnt_qposadr[joint[1]];
  snReal x = d->qpos[adr] - m->qpos0[adr];
  dof[1] = m->jnt_dofadr[joint[1]];
  J[1] = -slopeOf(c, x);
  hessian[3] = -curvature(c, x);
  addRow(d, t, row, 2, dof, J, hessian);
}

// The row pushes against the axis u of the rotation vector: J = -u, pos = range - angle, and
// du = (1 - u u') (d rotation) / angle.
static void ballLimit(const snModel* m, const snData* d, snTangent* t, int row, int joint) {
  SN_ASSERT_INDEX(row, d->nefc);
  SN_ASSERT_INDEX(joint, m->njnt);
  int first = m->jnt_dofadr[joint], dof[3] = {first, first + 1, first + 2};
  snReal quat[4], axis[3], unit[4] = {1, 0, 0, 0}, Da[9], J[3], hessian[9];
  snu_copy4(quat, d->qpos + m->jnt_qposadr[joint]);
  snu_normalize4(quat);
  snu_quat2Vel(axis, quat, 1);
  snReal angle = snu_normalize3(axis);
  snd_subQuat(quat, unit, Da, NULL);
  snu_scl3(J, axis, -1);
  for (int k = 0; k < 3; k++) {
    snReal column[3] = {Da[k], Da[3 + k], Da[6 + k]};
    snReal along = snu_dot3(axis, column);
    for (int i = 0; i < 3; i++) {
      hessian[3 * k + i] = angle > (snReal)snMINVAL ? (along * axis[i] - column[i]) / angle : 0;
    }
  }
  addRow(d, t, row, 3, dof, J, hessian);
}

static void jointLimit(const snModel* m, const snData* d, snTangent* t, int row, int joint) {
  SN_ASSERT_INDEX(row, d->nefc);
  SN_ASSERT_INDEX(joint, m->njnt);
  if (m->jnt_type[joint] == snJNT_BALL) {
    ballLimit(m, d, t, row, joint);
    return;
  }
  snReal J = d->efc_Js[d->efc_J_rowadr[row]];
  addRow(d, t, row, 1, &m->jnt_dofadr[joint], &J, NULL);
}

// friction or limit along a tendon; the sign of a limit is that of the stored row
static void tendonRow(const snModel* m, snData* d, snTangent* t, int row, int tendon) {
  SN_ASSERT_INDEX(row, d->nefc);
  SN_ASSERT_INDEX(tendon, m->ntendon);
  snTendonShape shape;
  sn_markStack(d);
  if (sn_allocTendonShape(m, d, &shape)) {
    sn_tendonShape(m, d, t, tendon, &shape);
    snReal dot = 0;
    int adr = d->efc_J_rowadr[row], end = adr + d->efc_J_rownnz[row];
    for (int k = 0; adr < end && k < shape.n; k++) {
      while (adr < end - 1 && d->efc_J_colind[adr] < shape.dof[k]) adr++;
      if (d->efc_J_colind[adr] == shape.dof[k]) dot += d->efc_Js[adr] * shape.J[k];
    }
    if (dot < 0) {
      snu_scl(shape.J, shape.J, -1, shape.n);
      if (!shape.isLinear) snu_scl(shape.hessian, shape.hessian, -1, shape.n * shape.n);
    }
    sn_tangentRow(d, t, row, &shape);
  }
  sn_freeStack(d);
}

// J = J1 - slope J2, dJ = H1 - slope H2 - curvature J2 J2'; the union of the dofs is all of them
static void tendonEquality(const snModel* m, snData* d, snTangent* t, int row, int eq) {
  SN_ASSERT_INDEX(row, d->nefc);
  SN_ASSERT_INDEX(eq, m->neq);
  const snReal* c = m->eq_data + snNEQDATA * eq;
  int tendon[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]}, nv = t->nv;
  snTendonShape shape;
  sn_markStack(d);
  int* dof = SN_STACK(d, int, nv);
  snReal* J = SN_STACK(d, snReal, 2 * nv);
  snReal* hessian = SN_STACK(d, snReal, nv * nv);
  if (dof && J && hessian && sn_allocTendonShape(m, d, &shape)) {
    snu_zero(J, 2 * nv);
    snu_zero(hessian, nv * nv);
    snReal scale = 1, curve = 0;
    for (int i = 0; i < nv; i++) dof[i] = i;
    for (int s = 0; s < 2 && tendon[s] >= 0; s++) {
      if (s) {
        snReal x = d->ten_length[tendon[1]] - m->tendon_length0[tendon[1]];
        scale = -slopeOf(c, x);
        curve = -curvature(c, x);
      }
      sn_tendonShape(m, d, t, tendon[s], &shape);
      for (int k = 0; k < shape.n; k++) {
        J[shape.dof[k]] += scale * shape.J[k];
        snReal* target = hessian + (size_t)nv * shape.dof[k];
        for (int i = 0; i < shape.n; i++) {
          if (!shape.isLinear) target[shape.dof[i]] += scale * shape.hessian[k * shape.n + i];
          target[shape.dof[i]] += curve * shape.J[k] * shape.J[i];
        }
      }
    }
    addRow(d, t, row, nv, dof, J, hessian);
  }
  sn_freeStack(d);
}

// the row of a tendon between two sites
static void distanceEquality(const snModel* m, snData* d, snTangent* t, int row, int eq) {
  SN_ASSERT_INDEX(row, d->nefc);
  snAnchors anchors;
  snTendonShape shape;
  sn_equalityAnchors(m, d, eq, &anchors);
  sn_markStack(d);
  if (sn_allocTendonShape(m, d, &shape)) {
    int adr = d->efc_J_rowadr[row];
    shape.n = d->efc_J_rownnz[row];
    shape.isLinear = 0;
    for (int k = 0; k < shape.n; k++) {
      shape.dof[k] = d->efc_J_colind[adr + k];
      shape.J[k] = d->efc_Js[adr + k];
    }
    snu_zero(shape.hessian, shape.n * shape.n);
    sn_straightShape(m, d, t, &shape, anchors.pos[1], anchors.body[1], anchors.pos[0],
                     anchors.body[0]);
    sn_tangentRow(d, t, row, &shape);
  }
  sn_freeStack(d);
}

// ---- connect and weld

// Two anchors tied together, with the frames of a weld.
typedef struct Tie_ {
  int row, count;  // 3: connect, 6: weld
  snAnchors anchors;
  snReal arm[2][3];                  // anchors from the com of their trees
  snReal motion[2][6];               // a + B v at the anchors: [w; v]
  snReal first[4], second[4];        // see constrain/equality_rows.c
  snReal scale;                      // of the rotation, halved
  snReal B[9], force[3], torque[3];  // rows of the rotation: B (w1 - w2); torque = B' lambda
} Tie;

// vec(second (0, x) first) for the three axes x, as columns
static void rotationMatrix(const snReal second[4], const snReal first[4], snReal scale,
                           snReal B[9]) {
  for (int c = 0; c < 3; c++) {
    snReal axis[3], left[4], quat[4];
    sn_unitAxis(axis, c);
    snu_mulQuatAxis(left, second, axis);
    snu_mulQuat(quat, left, first);
    for (int r = 0; r < 3; r++) B[3 * r + c] = scale * quat[1 + r];
  }
}

static void makeTie(const snModel* m, const snData* d, const snTangent* t, Tie* tie, int eq) {
  SN_ASSERT_INDEX(eq, m->neq);
  sn_equalityAnchors(m, d, eq, &tie->anchors);
  const snReal* lambda = d->efc_force + tie->row;
  snReal damping = d->efc_KBIP[4 * tie->row + 1];
  for (int s = 0; s < 2; s++) {
    int body = tie->anchors.body[s];
    snReal sum[6];
    snu_sub3(tie->arm[s], tie->anchors.pos[s], d->subtree_com + 3 * m->body_rootid[body]);
    sn_copy6(sum, t->acc + 6 * body);
    sn_addToScl6(sum, d->cvel + 6 * body, damping);
    sn_motionAt(sum, tie->arm[s], tie->motion[s]);
  }
  snu_copy3(tie->force, lambda);
  snu_zero3(tie->torque);
  if (tie->count < 6) return;
  tie->scale = (snReal)0.5 * m->eq_data[snNEQDATA * eq + 10];
  sn_weldQuats(m, d, eq, &tie->anchors, tie->first, tie->second);
  rotationMatrix(tie->second, tie->first, tie->scale, tie->B);
  snu_mulMatTVec3(tie->torque, tie->B, lambda + 3);
}

// dB of a dof with axis w: vec(second (-[moves 2] w x + [moves 1] x w) first) / 2
static void rotationRate(const Tie* tie, const int moves[2], const snReal w[3], snReal rate[9]) {
  snReal turned[4], part[9];
  for (int k = 0; k < 9; k++) rate[k] = 0;
  if (moves[0]) {
    snReal axis[4] = {0, w[0], w[1], w[2]};
    snu_mulQuat(turned, axis, tie->first);
    rotationMatrix(tie->second, turned, (snReal)0.5 * tie->scale, part);
    for (int k = 0; k < 9; k++) rate[k] += part[k];
  }
  if (moves[1]) {
    snu_mulQuatAxis(turned, tie->second, w);
    rotationMatrix(turned, tie->first, (snReal)-0.5 * tie->scale, part);
    for (int k = 0; k < 9; k++) rate[k] += part[k];
  }
}

// changes of residuals and positions of all rows by dof k
static void tieResiduals(const snData* d, const snTangent* t, const Tie* tie, int k,
                         const int moves[2], snReal own[2][6], const snReal rate[9],
                         snReal* residual, snReal* pos) {
  snReal spin[3], turn[3] = {0, 0, 0}, damping = d->efc_KBIP[4 * tie->row + 1], before[6], at[6];
  for (int r = 0; r < 6; r++) residual[r] = pos[r] = 0;
  for (int s = 0; s < 2; s++) {
    if (!moves[s]) continue;
    snReal sign = s ? -1 : 1, rel[6], cross[6], part[3];
    sn_copy6(before, t->accBefore + 6 * k);
    sn_addToScl6(before, t->velBefore + 6 * k, damping);
    sn_motionAt(before, tie->arm[s], at);
    for (int r = 0; r < 6; r++) rel[r] = tie->motion[s][r] - at[r];
    sn_crossMotion(cross, own[s], rel);
    snu_cross(part, tie->motion[s], own[s] + 3);
    snu_addToScl3(residual, cross + 3, sign);
    snu_addToScl3(residual, part, sign);
    snu_addToScl3(pos, own[s] + 3, sign);
    snu_addToScl3(turn, cross, sign);
    snu_addToScl3(pos + 3, own[s], sign);
  }
  if (tie->count < 6) return;
  snu_mulMatVec3(residual + 3, tie->B, turn);
  snu_sub3(spin, tie->motion[0], tie->motion[1]);
  snu_mulMatVec3(turn, rate, spin);
  snu_addTo3(residual + 3, turn);
  snu_copy3(spin, pos + 3);
  snu_mulMatVec3(pos + 3, tie->B, spin);
}

// impedance follows the norm of all positions
static void tieForces(const snData* d, const Tie* tie, snReal* residual, const snReal* pos,
                      snReal* force) {
  const snReal *KBIP = d->efc_KBIP + 4 * tie->row, *now = d->efc_pos + tie->row;
  snReal norm = snu_norm(now, tie->count);
  snReal slope = norm > (snReal)snMINVAL ? snu_dot(now, pos, tie->count) / norm : 0;
  for (int r = 0; r < tie->count; r++) {
    residual[r] += KBIP[0] * (KBIP[2] * pos[r] + KBIP[3] * slope * now[r]);
  }
  sn_tangentForces(d, tie->row, tie->count, residual, sn_rowWeight(d, tie->row) * slope, force);
}

static void tieColumn(const snModel* m, const snData* d, snTangent* t, const Tie* tie, int k,
                      const int moves[2]) {
  SN_ASSERT_INDEX(k, m->nv);
  snReal own[2][6], rate[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, residual[6], pos[6], change[6];
  for (int s = 0; s < 2; s++) sn_motionAt(d->cdof + 6 * k, tie->arm[s], own[s]);
  if (tie->count == 6) rotationRate(tie, moves, d->cdof + 6 * k, rate);
  tieResiduals(d, t, tie, k, moves, own, rate, residual, pos);
  tieForces(d, tie, residual, pos, change);

  snReal torque[3] = {0, 0, 0}, part[3];
  if (tie->count == 6) {
    snu_mulMatTVec3(torque, tie->B, change + 3);
    snu_mulMatTVec3(part, rate, d->efc_force + tie->row + 3);
    snu_addTo3(torque, part);
  }
  for (int s = 0; s < 2; s++) {
    snReal wrench[6], sign = s ? -1 : 1;
    snu_cross(wrench, tie->arm[s], change);
    snu_addTo3(wrench, torque);
    snu_copy3(wrench + 3, change);
    if (moves[s]) {
      snu_cross(part, own[s] + 3, tie->force);
      snu_addTo3(wrench, part);
    }
    for (int r = 0; r < 6; r++) wrench[r] *= sign;
    if (sn_lastDof(m, tie->anchors.body[s]) >= 0) {
      sn_tangentRate(t, tie->anchors.body[s], k, wrench);
    }
  }
}

static void tieRows(const snModel* m, const snData* d, snTangent* t, int row, int count, int eq) {
  SN_ASSERT_INDEX(row, d->nefc);
  SN_ASSERT_INDEX(eq, m->neq);
  Tie tie;
  tie.row = row;
  tie.count = count;
  makeTie(m, d, t, &tie, eq);
  for (int s = 0; s < 2; s++) {
    snReal part[3], sign = s ? -1 : 1, *wrench = t->wrench + 6 * tie.anchors.body[s];
    snu_cross(part, tie.arm[s], tie.force);
    snu_addToScl3(wrench, part, sign);
    snu_addToScl3(wrench, tie.torque, sign);
    snu_addToScl3(wrench + 3, tie.force, sign);
  }
  int i1 = sn_lastDof(m, tie.anchors.body[0]), i2 = sn_lastDof(m, tie.anchors.body[1]);
  while (i1 >= 0 || i2 >= 0) {
    int k = i1 > i2 ? i1 : i2, moves[2] = {i1 == k, i2 == k};
    tieColumn(m, d, t, &tie, k, moves);
    if (moves[0]) i1 = m->dof_parentid[k];
    if (moves[1]) i2 = m->dof_parentid[k];
  }
}

// ---- all rows

static void equalityRows(const snModel* m, snData* d, snTangent* t, int row, int count, int eq) {
  SN_ASSERT_INDEX(row, d->nefc);
  SN_ASSERT_INDEX(eq, m->neq);
  switch (m->eq_type[eq]) {
    case snEQ_CONNECT:
    case snEQ_WELD: tieRows(m, d, t, row, count, eq); break;
    case snEQ_JOINT: jointEquality(m, d, t, row, eq); break;
    case snEQ_TENDON: tendonEquality(m, d, t, row, eq); break;
    case snEQ_DISTANCE: distanceEquality(m, d, t, row, eq); break;
    default: break;
  }
}

void sn_tangentRows(const snModel* m, snData* d, snTangent* t) {
  for (int row = 0, count; row < d->nefc; row += count) {
    int type = d->efc_type[row], id = d->efc_id[row];
    count = sn_blockRows(m, d, type, id);
    switch (type) {
      case snCNSTR_EQUALITY:
        if (sn_isFlexEquality(m, id)) {
          count = sn_tangentFlexEquality(m, d, t, row);
        } else {
          equalityRows(m, d, t, row, count, id);
        }
        break;
      case snCNSTR_FRICTION_DOF: break;  // moves with nothing
      case snCNSTR_FRICTION_TENDON: tendonRow(m, d, t, row, id); break;
      case snCNSTR_LIMIT_JOINT:
        if (d->efc_state[row] == snCNSTRSTATE_QUADRATIC) jointLimit(m, d, t, row, id);
        break;
      case snCNSTR_LIMIT_TENDON:
        if (d->efc_state[row] == snCNSTRSTATE_QUADRATIC) tendonRow(m, d, t, row, id);
        break;
      default: sn_tangentContact(m, d, t, id); break;
    }
  }
}
