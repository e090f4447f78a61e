// Recursive Newton-Euler: forces from accelerations.

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/constrain/contact_lists.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/force.h"
#include "engine/smooth/jacobian.h"
#include "engine/step/sleep.h"
#include "engine/step/stages.h"
#include "math/math.h"
#include "math/spatial_four.h"

// a_b = a_parent + sum of cdof_dot qvel (+ sum of cdof qacc)
SN_KERNEL void bodyAcceleration(const snModel* m, const snData* d, int body, int flg_acc,
                                const snReal* cacc_parent, snReal* cacc) {
  SN_ASSERT_INDEX(body, m->nbody);
  int first = m->body_dofadr[body], last = first + m->body_dofnum[body];
  // the first three axes of a free joint stand still
  int begin = last - first == 6 && m->body_jntnum[body] == 1 ? first + 3 : first;
#if SN_HAS_FOUR
  snFour sum = SN_LOAD4(cacc_parent);
  snTwo rest = SN_LOAD2(cacc_parent + 4);
  for (int dof = begin; dof < last; dof++) {
    sum += SN_LOAD4(d->cdof_dot + 6 * dof) * d->qvel[dof];
    rest += SN_LOAD2(d->cdof_dot + 6 * dof + 4) * d->qvel[dof];
  }
  for (int dof = first; flg_acc && dof < last; dof++) {
    sum += SN_LOAD4(d->cdof + 6 * dof) * d->qacc[dof];
    rest += SN_LOAD2(d->cdof + 6 * dof + 4) * d->qacc[dof];
  }
  *(snFour*)cacc = sum;
  *(snTwo*)(cacc + 4) = rest;
#else
  snReal sum[6];
  sn_copy6(sum, cacc_parent);
  for (int dof = begin; dof < last; dof++) sn_addToScl6(sum, d->cdof_dot + 6 * dof, d->qvel[dof]);
  for (int dof = first; flg_acc && dof < last; dof++) {
    sn_addToScl6(sum, d->cdof + 6 * dof, d->qacc[dof]);
  }
  sn_copy6(cacc, sum);
#endif
}

// The same for all bodies by a team: what a body adds by itself is summed over the chains of bodies.
static void accelerationsTeam(const snModel* m, const snData* d, int flg_acc, snReal* cacc) {
  int n = (int)m->nbody;
  SN_PLAIN_LOOP
  for (int base = 0; base < n; base += SN_LANES) {
    int body = base + SN_LANE, here = body < n, parent = here && body ? m->body_parentid[body] : -1;
    snReal sum[6], above[6];
    sn_zero6(above);
    if (!body) sn_worldAcceleration(m, above);
    if (parent >= 0 && parent < base) sn_copy6(above, cacc + 6 * parent);
    sn_copy6(sum, above);
    if (here) bodyAcceleration(m, d, body, flg_acc, above, sum);
    sn_lanesSumChains6(sum, parent >= base ? parent - base : -1);
    if (here) sn_copy6(cacc + 6 * body, sum);
    SN_SYNC();
  }
}

// Forces I a + v x* (I v) of n bodies, four at a time.
SN_WIDE(static, void, forcesOf,
        (const snData* d, const int* body, int n, const snReal* cacc, snReal* force),
        (d, body, n, cacc, force)) {
  int i = 0;
#if SN_HAS_FOUR
  for (; i + 4 <= n; i += 4) {
    snFour inertia[10], vel[6], acc[6], result[6];
    sn_takeFour(inertia, d->cinert, body + i, 10);
    sn_takeFour(vel, d->cvel, body + i, 6);
    sn_takeFour(acc, cacc, body + i, 6);
    sn_bodyForceFour(result, inertia, vel, acc);
    sn_storeFour(force, body + i, result, 6);
  }
#endif
  for (; i < n; i++) {
    int b = body[i];
    sn_bodyForce(d->cinert + 10 * b, d->cvel + 6 * b, cacc + 6 * b, force + 6 * b);
  }
}

// accelerations of awake bodies, from parents to children; that of the world is known
SN_WIDE(static, void, accelerationsAlone,
        (const snModel* m, const snData* d, int flg_acc, snReal* cacc), (m, d, flg_acc, cacc)) {
  for (int i = 1; i < d->nbody_awake; i++) {
    int body = d->body_awake_ind[i];
    bodyAcceleration(m, d, body, flg_acc, cacc + 6 * m->body_parentid[body], cacc + 6 * body);
  }
}

// Force I a + v x* (I v) of each awake body. cacc: scratch.
static void bodyForces(const snModel* m, const snData* d, int flg_acc, snReal* cacc,
                       snReal* force) {
  SN_ASSERT(d->nbody_awake >= 0 && d->nbody_awake <= (int)m->nbody);
  if (SN_LANES > 1) {
    accelerationsTeam(m, d, flg_acc, cacc);
    SN_FOR(i, d->nbody_awake) {
      int body = d->body_awake_ind[i];
      sn_bodyForce(d->cinert + 10 * body, d->cvel + 6 * body, cacc + 6 * body, force + 6 * body);
    }
    SN_SYNC();
    return;
  }
  sn_zero6(force);
  sn_worldAcceleration(m, cacc);
  accelerationsAlone(m, d, flg_acc, cacc);
  forcesOf(d, d->body_awake_ind + 1, d->nbody_awake - 1, cacc, force);
}

// res(i) = axis of dof i . sum of the forces of its subtree; force is overwritten.
SN_WIDE(static, void, alongAxes, (const snModel* m, const snData* d, snReal* force, snReal* result),
        (m, d, force, result)) {
  sn_sumSubtrees(m, force, 6, d->nbody_awake, d->body_awake_ind);
  int begin = 0;
#if SN_HAS_SHUFFLES  // sn_dot6 of two dofs at a time
  for (; SN_LANES == 1 && begin + 2 <= d->nv_awake; begin += 2) {
    int i = d->dof_awake_ind[begin], j = d->dof_awake_ind[begin + 1];
    const snReal *a = d->cdof + 6 * i, *b = d->cdof + 6 * j;
    const snReal *f = force + 6 * m->dof_bodyid[i], *g = force + 6 * m->dof_bodyid[j];
    snFour product_a = SN_LOAD4(a) * SN_LOAD4(f), product_b = SN_LOAD4(b) * SN_LOAD4(g);
    snTwo half_a = SN_HALVES4(product_a), half_b = SN_HALVES4(product_b);
    snTwo rest_a = SN_LOAD2(a + 4) * SN_LOAD2(f + 4), rest_b = SN_LOAD2(b + 4) * SN_LOAD2(g + 4);
    snTwo both = SN_PAIR2(half_a, half_b) + SN_PAIR2(rest_a, rest_b);
    result[i] = both[0];
    result[j] = both[1];
  }
#endif
  SN_FOR(k, d->nv_awake - begin) {
    int dof = d->dof_awake_ind[begin + k];
    result[dof] = sn_dot6(d->cdof + 6 * dof, force + 6 * m->dof_bodyid[dof]);
  }
  SN_SYNC();
}

// of the bodies that d lists
static SN_OUTLINE void rne(const snModel* m, snData* d, int flg_acc, snReal* result) {
  sn_markStack(d);
  snReal* force = SN_STACK(d, snReal, 12 * m->nbody);
  if (!force) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }

  bodyForces(m, d, flg_acc, force + 6 * m->nbody, force);
  alongAxes(m, d, force, result);
  sn_freeStack(d);
}

typedef struct Bias_ {
  int flg_acc;
  snReal* result;
} Bias;

static void rneOfBlock(const snModel* m, snData* view, void* context) {
  const Bias* bias = (const Bias*)context;
  rne(m, view, bias->flg_acc, bias->result);
}

static int rneShared(const snModel* m, snData* d, int flg_acc, snReal* result) {
  Bias bias = {flg_acc, result};
  return sn_hasCrew(d) &&
         sn_shareTrees(m, d, 12 * (size_t)m->nbody * sizeof(snReal), rneOfBlock, &bias);
}

SN_STAGE void sn_rne(const snModel* m, snData* d, int flg_acc, snReal* result) {
  if (!rneShared(m, d, flg_acc, result)) rne(m, d, flg_acc, result);
}

// ---- external and internal forces on bodies

// a wrench at a point, moved to the com of the tree of a body
static void moveToCom(const snModel* m, const snData* d, int body, const snReal force[3],
                      const snReal torque[3], const snReal point[3], snReal moved[6]) {
  SN_ASSERT_INDEX(body, m->nbody);
  snReal wrench[6];
  snu_copy3(wrench, torque);
  snu_copy3(wrench + 3, force);
  snu_transformSpatial(moved, wrench, 1, d->subtree_com + 3 * m->body_rootid[body], point, NULL);
}

// Adds scale * wrench at a point to the external force of a body, unless that is the world.
static void addExternal(const snModel* m, snData* d, int body, const snReal force[3],
                        const snReal torque[3], const snReal point[3], snReal scale) {
  SN_ASSERT(body < (int)m->nbody);
  if (body <= 0) return;
  snReal moved[6];
  moveToCom(m, d, body, force, torque, point, moved);
  sn_addToScl6(d->cfrc_ext + 6 * body, moved, scale);
}

static void appliedForce(const snModel* m, snData* d, int body) {
  const snReal* xfrc = d->xfrc_applied + 6 * body;
  if (!snu_isZero(xfrc, 6)) addExternal(m, d, body, xfrc, xfrc + 3, d->xipos + 3 * body, 1);
}

static void appliedForces(const snModel* m, snData* d) {
  sn_zeroShared(d->cfrc_ext, 6 * (int)m->nbody);
  SN_SYNC();
  SN_FOR(body, m->nbody) appliedForce(m, d, body);
  SN_FOR(body, m->ndeformbody) {
    const snReal* xfrc = d->deformable_xfrc + 6 * body;
    addExternal(m, d, body, xfrc, xfrc + 3, d->xipos + 3 * body, 1);
  }
  SN_SYNC();
}

// Force and torque of a contact; returns whether it pushes bodies.
static int pushes(const snContact* con) {
  return con->efc_address >= 0 && con->geom[0] >= 0 && con->geom[1] >= 0;
}

static void contactPush(const snModel* m, const snData* d, int i, snReal force[3],
                        snReal torque[3]) {
  SN_ASSERT_INDEX(i, d->ncon);
  SN_ASSERT(pushes(d->contact + i) && d->efc_force);
  snReal local[6];
  sn_contactForce(m, d, i, local);
  snu_mulMatTVec3(force, d->contact[i].frame, local);
  snu_mulMatTVec3(torque, d->contact[i].frame, local + 3);
}

// By a team: the wrenches of all contacts, then their sums, where each lane takes some components of all bodies.
static void contactForcesTeam(const snModel* m, snData* d) {
  sn_markStack(d);
  snReal* wrench = SN_STACK(d, snReal, 12 * d->ncon);
  if (wrench) {
    SN_FOR(i, d->ncon) {
      const snContact* con = d->contact + i;
      snReal force[3], torque[3];
      if (!pushes(con)) continue;
      contactPush(m, d, i, force, torque);
      for (int side = 0; side < 2; side++) {
        moveToCom(m, d, m->geom_bodyid[con->geom[side]], force, torque, con->pos,
                  wrench + 12 * i + 6 * side);
      }
    }
    SN_SYNC();
    SN_FOR(c, 6) {
      for (int i = 0; i < d->ncon; i++) {
        const snContact* con = d->contact + i;
        if (!pushes(con)) continue;
        int body1 = m->geom_bodyid[con->geom[0]], body2 = m->geom_bodyid[con->geom[1]];
        if (body1) d->cfrc_ext[6 * body1 + c] -= wrench[12 * i + c];
        if (body2) d->cfrc_ext[6 * body2 + c] += wrench[12 * i + 6 + c];
      }
    }
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}

static void contactForces(const snModel* m, snData* d) {
  if (SN_LANES > 1) {
    if (d->ncon) contactForcesTeam(m, d);
    return;
  }
  for (int i = 0; i < d->ncon; i++) {
    const snContact* con = d->contact + i;
    if (!pushes(con)) continue;
    snReal force[3], torque[3];
    contactPush(m, d, i, force, torque);
    addExternal(m, d, m->geom_bodyid[con->geom[0]], force, torque, con->pos, -1);
    addExternal(m, d, m->geom_bodyid[con->geom[1]], force, torque, con->pos, 1);
  }
}

// force of a connect or weld on one of its bodies, at the anchor on that body or at a site
static void equalityForce(const snModel* m, snData* d, int eq, int side, const snReal* anchor,
                          const snReal force[3], const snReal torque[3]) {
  SN_ASSERT_INDEX(eq, m->neq);
  int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
  int body = id;
  if (m->eq_objtype[eq] == snOBJ_SITE) {
    body = m->site_bodyid[id];
    anchor = m->site_pos + 3 * id;
  }
  snReal point[3];
  sn_local2Global(d, point, NULL, anchor, NULL, body, snSAMEFRAME_NONE);
  addExternal(m, d, body, force, torque, point, side ? -1 : 1);
}

static int flexRows(const snModel* m, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int rows = 0, first = m->flex_edgeadr[flex];
  for (int edge = first; edge < first + m->flex_edgenum[flex]; edge++) {
    rows += !m->flexedge_rigid[edge];
  }
  return rows;
}

static void equalityForces(const snModel* m, snData* d) {
  const snReal none[3] = {0, 0, 0};
  int row = 0;
  while (row < d->ne) {
    int eq = d->efc_id[row];
    SN_ASSERT_INDEX(eq, m->neq);
    const snReal *force = d->efc_force + row, *data = m->eq_data + snNEQDATA * eq;
    switch (m->eq_type[eq]) {
      case snEQ_CONNECT:
        equalityForce(m, d, eq, 0, data, force, none);
        equalityForce(m, d, eq, 1, data + 3, force, none);
        row += 3;
        break;
      case snEQ_WELD:
        equalityForce(m, d, eq, 0, data + 3, force, force + 3);
        equalityForce(m, d, eq, 1, data, force, force + 3);
        row += 6;
        break;
      case snEQ_FLEX: row += flexRows(m, m->eq_obj1id[eq]); break;
      case snEQ_FLEXVERT: row += 2 * m->flex_vertnum[m->eq_obj1id[eq]]; break;
      default: row++; break;
    }
  }
}

// cacc of every body, asleep or not
static void accelerations(const snModel* m, snData* d) {
  if (SN_LANES > 1) {
    accelerationsTeam(m, d, 1, d->cacc);
    return;
  }
  sn_worldAcceleration(m, d->cacc);
  if (d->nbody_awake == (int)m->nbody) {
    accelerationsAlone(m, d, 1, d->cacc);
    return;
  }
  for (int body = 1; body < (int)m->nbody; body++) {
    bodyAcceleration(m, d, body, 1, d->cacc + 6 * m->body_parentid[body], d->cacc + 6 * body);
  }
}

// cfrc_int: the force that the joint of a body transmits to the body and its subtree
static void transmittedForces(const snModel* m, snData* d) {
  int listed = SN_LANES == 1 && d->nbody_awake == (int)m->nbody;
  if (listed) forcesOf(d, d->body_awake_ind + 1, d->nbody_awake - 1, d->cacc, d->cfrc_int);
  SN_FOR(body, m->nbody) {
    snReal* force = d->cfrc_int + 6 * body;
    if (!body) {
      sn_zero6(force);
      continue;
    }
    if (!listed) {
      sn_bodyForce(d->cinert + 10 * body, d->cvel + 6 * body, d->cacc + 6 * body, force);
    }
    snu_subFrom(force, d->cfrc_ext + 6 * body, 6);
  }
  SN_SYNC();
  if (SN_LANES > 1) {
    sn_lanesSumSubtrees(m->body_parentid, d->cfrc_int, 6, (int)m->nbody, 0);
    return;
  }
  for (int body = (int)m->nbody - 1; body > 0; body--) {
    sn_addTo6(d->cfrc_int + 6 * m->body_parentid[body], d->cfrc_int + 6 * body);
  }
}

// Of the bodies of a block: forces from outside, accelerations, and what joints transmit but for the world's.
static void forcesOfTrees(const snModel* m, snData* view, void* context) {
  const snContactLists* lists = (const snContactLists*)context;
  const int* listed = view->body_awake_ind + 1;
  int n = view->nbody_awake - 1;
  for (int i = 0; i < n; i++) {
    int body = listed[i];
    sn_zero6(view->cfrc_ext + 6 * body);
    appliedForce(m, view, body);
    for (int k = lists->start[body]; k < lists->start[body + 1]; k++) {
      const snContact* con = view->contact + lists->contact[k];
      snReal force[3], torque[3];
      if (!pushes(con)) continue;
      contactPush(m, view, lists->contact[k], force, torque);
      for (int s = 0; s < 2; s++) {
        if (m->geom_bodyid[con->geom[s]] != body) continue;
        addExternal(m, view, body, force, torque, con->pos, s ? 1 : -1);
      }
    }
  }
  accelerationsAlone(m, view, 1, view->cacc);
  forcesOf(view, listed, n, view->cacc, view->cfrc_int);
  for (int i = 0; i < n; i++) {
    snu_subFrom(view->cfrc_int + 6 * listed[i], view->cfrc_ext + 6 * listed[i], 6);
  }
  sn_sumSubtrees(m, view->cfrc_int, 6, view->nbody_awake, view->body_awake_ind);
}

int sn_shareForces(const snModel* m, snData* d, const snContactLists* lists) {
  if (!sn_hasCrew(d) || d->nbody_awake < (int)m->nbody || m->ndeformbody || d->ne) return 0;
  sn_worldAcceleration(m, d->cacc);
  sn_zero6(d->cfrc_ext);
  if (!sn_shareTrees(m, d, 0, forcesOfTrees, (void*)lists)) return 0;
  sn_zero6(d->cfrc_int);
  for (int body = (int)m->nbody - 1; body > 0; body--) {
    if (!m->body_parentid[body]) sn_addTo6(d->cfrc_int, d->cfrc_int + 6 * body);
  }
  d->flg_rnepost = 1;
  return 1;
}

static int forcesShared(const snModel* m, snData* d) {
  if (!sn_hasCrew(d)) return 0;
  snContactLists lists;
  sn_markStack(d);
  int done = sn_listContacts(m, d, &lists) && sn_shareForces(m, d, &lists);
  sn_freeStack(d);
  return done;
}

void sn_rnePostConstraint(const snModel* m, snData* d) {
  if (forcesShared(m, d)) return;
  appliedForces(m, d);
  contactForces(m, d);
  // when the arena had no room for the dual matrix, nefc is set but there are no rows
  if (d->ne && d->nefc) SN_SOLO(equalityForces(m, d));
  accelerations(m, d);
  transmittedForces(m, d);
  SN_SOLO(d->flg_rnepost = 1);
}
