// Rows of equality constraints: residual zero, always active.

#include <string.h>

#include "engine/constraint.h"
#include "engine/jacobian.h"
#include "engine/sleep.h"
#include "math/math.h"
#include "math/sparse.h"

static int bySites(const snModel* m, int eq) { return m->eq_objtype[eq] == snOBJ_SITE; }

// anchor of side s in body coordinates starts at data[offset[s]]; a weld has them in reverse
void sn_equalityAnchors(const snModel* m, const snData* d, int eq, snAnchors* anchors) {
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

static snRowInfo equalityInfo(int eq, const snReal* pos) {
  snRowInfo info;
  memset(&info, 0, sizeof(info));
  info.type = snCNSTR_EQUALITY;
  info.id = eq;
  info.pos = pos;
  return info;
}

// p1 - p2 = 0
static void addConnect(snRowBuilder* b, int eq) {
  const snModel* m = b->m;
  snAnchors anchors;
  sn_equalityAnchors(m, b->d, eq, &anchors);
  int n = sn_mergeChain(m, b->chain, anchors.body[0], anchors.body[1]);
  snReal* J = sn_openRows(b, 3, n, 0);
  if (!J) return;

  snReal pos[3];
  snu_sub3(pos, anchors.pos[0], anchors.pos[1]);
  sn_jacDifference(m, b->d, J, NULL, anchors.pos[1], anchors.body[1], anchors.pos[0],
                   anchors.body[0], n, b->chain);
  snRowInfo info = equalityInfo(eq, pos);
  sn_closeRows(b, 3, n, b->chain, &info);
}

void sn_weldQuats(const snModel* m, const snData* d, int eq, const snAnchors* anchors,
                  snReal first[4], snReal second[4]) {
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

// p1 - p2 = 0 and scale * vec(conj(q2) q1) = 0
static void addWeld(snRowBuilder* b, int eq) {
  const snModel* m = b->m;
  snAnchors anchors;
  sn_equalityAnchors(m, b->d, eq, &anchors);
  int n = sn_mergeChain(m, b->chain, anchors.body[0], anchors.body[1]);
  snReal* J = sn_openRows(b, 6, n, 0);
  if (!J) return;

  snReal pos[6], first[4], second[4], quat[4], scale = m->eq_data[snNEQDATA * eq + 10];
  snu_sub3(pos, anchors.pos[0], anchors.pos[1]);
  sn_weldQuats(m, b->d, eq, &anchors, first, second);
  snu_mulQuat(quat, second, first);
  snu_scl3(pos + 3, quat + 1, scale);

  // rotational rows: scale/2 * vec(conj(q2) (0, w1 - w2) q1)
  sn_jacDifference(m, b->d, J, J + 3 * n, anchors.pos[1], anchors.body[1], anchors.pos[0],
                   anchors.body[0], n, b->chain);
  snReal* rotation = J + 3 * n;
  for (int k = 0; k < n; k++) {
    snReal axis[3] = {rotation[k], rotation[n + k], rotation[2 * n + k]}, left[4];
    snu_mulQuatAxis(left, second, axis);
    snu_mulQuat(quat, left, first);
    for (int r = 0; r < 3; r++) rotation[r * n + k] = (snReal)0.5 * scale * quat[1 + r];
  }
  snRowInfo info = equalityInfo(eq, pos);
  sn_closeRows(b, 6, n, b->chain, &info);
}

// residual x1 - c0 - (c1 x + c2 x^2 + c3 x^3 + c4 x^4) with x = x2, and slope of the polynomial
static snReal coupling(const snReal c[5], snReal x1, snReal x, snReal* slope) {
  *slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  return x1 - c[0] - x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

static void addJoint(snRowBuilder* b, int eq) {
  const snModel* m = b->m;
  const snReal* c = m->eq_data + snNEQDATA * eq;
  int joint1 = m->eq_obj1id[eq], joint2 = m->eq_obj2id[eq];
  int dof1 = m->jnt_dofadr[joint1], adr1 = m->jnt_qposadr[joint1];
  int n = joint2 < 0 ? 1 : 2;
  snReal* J = sn_openRows(b, 1, n, 0);
  if (!J) return;

  snReal slope = 0, pos = b->d->qpos[adr1] - m->qpos0[adr1];
  int chain[2] = {dof1, dof1};
  J[0] = 1;
  if (joint2 < 0) {
    pos -= c[0];
  } else {
    int dof2 = m->jnt_dofadr[joint2], adr2 = m->jnt_qposadr[joint2];
    pos = coupling(c, pos, b->d->qpos[adr2] - m->qpos0[adr2], &slope);
    int second = dof2 > dof1;  // place of the second joint
    chain[second] = dof2;
    J[1 - second] = 1;
    J[second] = -slope;
  }
  snRowInfo info = equalityInfo(eq, &pos);
  sn_closeRows(b, 1, n, chain, &info);
}

// ---- tendons -------------------------------------------------------------------------------------

int sn_tendonChain(const snModel* m, const snData* d, int tendon, int* chain) {
  if (sn_isSparse(m)) {
    int n = d->ten_J_rownnz[tendon];
    memcpy(chain, d->ten_J_colind + d->ten_J_rowadr[tendon], (size_t)n * sizeof(int));
    return n;
  }
  const snReal* dense = d->ten_J + (size_t)tendon * m->nv;
  int n = 0;
  for (int i = 0; i < (int)m->nv; i++) {
    if (dense[i] != 0) chain[n++] = i;
  }
  return n;
}

void sn_tendonValues(const snModel* m, const snData* d, int tendon, int n, const int* chain,
                     snReal* values) {
  if (!sn_isSparse(m)) {
    const snReal* dense = d->ten_J + (size_t)tendon * m->nv;
    for (int k = 0; k < n; k++) values[k] = dense[chain[k]];
    return;
  }
  // both lists ascend, the chain holds the tendon's dofs and perhaps others
  int adr = d->ten_J_rowadr[tendon], end = adr + d->ten_J_rownnz[tendon];
  for (int k = 0; k < n; k++) {
    int hit = adr < end && d->ten_J_colind[adr] == chain[k];
    values[k] = hit ? d->ten_J[adr] : 0;
    adr += hit;
  }
}

static void addTendon(snRowBuilder* b, int eq) {
  const snModel* m = b->m;
  const snData* d = b->d;
  const snReal* c = m->eq_data + snNEQDATA * eq;
  int tendon1 = m->eq_obj1id[eq], tendon2 = m->eq_obj2id[eq];
  int n = sn_tendonChain(m, d, tendon1, b->chain);
  if (tendon2 >= 0) {
    int* list = (int*)b->jacobian;  // two lists and the values share the scratch
    int n1 = n, n2 = sn_tendonChain(m, d, tendon2, list);
    memcpy(list + m->nv, b->chain, (size_t)n1 * sizeof(int));
    n = sn_mergeIndices(b->chain, list + m->nv, n1, list, n2);
  }
  if (!b->counting) {
    if (d->tendon_efcadr[tendon1] == -1) d->tendon_efcadr[tendon1] = eq;
    if (tendon2 >= 0 && d->tendon_efcadr[tendon2] == -1) d->tendon_efcadr[tendon2] = eq;
  }
  snReal* J = sn_openRows(b, 1, n, 0);
  if (!J) return;

  snReal slope, pos = d->ten_length[tendon1] - m->tendon_length0[tendon1];
  sn_tendonValues(m, d, tendon1, n, b->chain, J);
  if (tendon2 < 0) {
    pos -= c[0];
  } else {
    pos = coupling(c, pos, d->ten_length[tendon2] - m->tendon_length0[tendon2], &slope);
    sn_tendonValues(m, d, tendon2, n, b->chain, b->jacobian);
    snu_addToScl(J, b->jacobian, -slope, n);
  }
  snRowInfo info = equalityInfo(eq, &pos);
  sn_closeRows(b, 1, n, b->chain, &info);
}

// ---- flexes --------------------------------------------------------------------------------------

// the inverse weight is kept beside the row, which does not tell its edge or vertex
static void addFlexRow(snRowBuilder* b, int eq, snReal pos, snReal invweight, int n,
                       const int* chain, const snReal* values) {
  snReal* J = sn_openRows(b, 1, n, 0);
  if (!J) return;
  snu_copy(J, values, n);
  snRowInfo info = equalityInfo(eq, &pos);
  b->d->efc_diagApprox[b->nrow] = invweight;
  sn_closeRows(b, 1, n, chain, &info);
}

// every edge keeps its length
static void addFlexEdges(snRowBuilder* b, int eq) {
  const snModel* m = b->m;
  const snData* d = b->d;
  int flex = m->eq_obj1id[eq], begin = m->flex_edgeadr[flex];
  for (int e = begin; e < begin + m->flex_edgenum[flex]; e++) {
    if (m->flexedge_rigid[e]) continue;
    int adr = m->flexedge_J_rowadr[e];
    addFlexRow(b, eq, d->flexedge_length[e] - m->flexedge_length0[e], m->flexedge_invweight0[e],
               m->flexedge_J_rownnz[e], m->flexedge_J_colind + adr, d->flexedge_J + adr);
  }
}

// every vertex keeps the two invariants of its neighbourhood's metric
static void addFlexVertices(snRowBuilder* b, int eq) {
  const snModel* m = b->m;
  const snData* d = b->d;
  int flex = m->eq_obj1id[eq], begin = 2 * m->flex_vertadr[flex];
  for (int r = begin; r < begin + 2 * m->flex_vertnum[flex]; r++) {
    int adr = m->flexvert_J_rowadr[r];
    addFlexRow(b, eq, d->flexvert_length[r], m->body_invweight0[2 * m->flex_vertbodyid[r / 2]],
               m->flexvert_J_rownnz[r], m->flexvert_J_colind + adr, d->flexvert_J + adr);
  }
}

void sn_addEqualityRows(snRowBuilder* b) {
  const snModel* m = b->m;
  int asleep = sn_someAsleep(m, b->d);
  for (int eq = 0; eq < (int)m->neq; eq++) {
    if (!b->d->eq_active[eq]) continue;
    if (asleep && sn_sleepState(m, b->d, snOBJ_EQUALITY, eq) == snS_ASLEEP) continue;
    switch (m->eq_type[eq]) {
      case snEQ_CONNECT: addConnect(b, eq); break;
      case snEQ_WELD: addWeld(b, eq); break;
      case snEQ_JOINT: addJoint(b, eq); break;
      case snEQ_TENDON: addTendon(b, eq); break;
      case snEQ_FLEX: addFlexEdges(b, eq); break;
      case snEQ_FLEXVERT: addFlexVertices(b, eq); break;
      default: snu_error("equality %d has unknown type %d", eq, m->eq_type[eq]);
    }
  }
}
