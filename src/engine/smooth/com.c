// Centres of mass of subtrees, and inertias and motion axes expressed about them.

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/lanes/lanes.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"
#include "math/spatial_four.h"
#include "math/three.h"

// Centres of mass of parents += those of their children, from the last body: children have larger
// indices than their parent, so that a body is complete before it is added. Each lane sums some coordinates.
static void addChildCom(const snModel* m, snData* d) {
  if (SN_LANES > 1 && d->nbody_awake == (int)m->nbody) {
    sn_lanesSumSubtrees(m->body_parentid, d->subtree_com, 3, (int)m->nbody, 0);
    return;
  }
  int begin, end = sn_shareOf(3, &begin);
  for (int i = d->nparent_awake - 1; i >= 0; i--) {
    int body = d->parent_awake_ind[i], asleep = d->body_awake[body] == snS_ASLEEP;
    const snReal* com = d->subtree_com + 3 * body;
    snReal *parent = d->subtree_com + 3 * m->body_parentid[body], weight = 1;
    if (asleep) weight = m->body_subtreemass[body];
    for (int c = begin; c < end; c++) parent[c] += asleep ? com[c] * weight : com[c];
  }
}

static void divideByMass(const snModel* m, snData* d, int body) {
  snReal* com = d->subtree_com + 3 * body;
  snReal mass = m->body_subtreemass[body];
  if (mass < (snReal)snMINVAL) {
    snu_copy3(com, d->xipos + 3 * body);
  } else {
    snu_scl3(com, com, 1 / mass);
  }
}

#if SN_HAS_SHUFFLES
// vectors of four bodies that follow one another, each times its weight
SN_KERNEL void scaleFour(snReal* to, const snReal* from, const snFour* weight) {
  snFour w = *weight;
  *(snFour*)to = SN_LOAD4(from) * __builtin_shufflevector(w, w, 0, 0, 0, 1);
  *(snFour*)(to + 4) = SN_LOAD4(from + 4) * __builtin_shufflevector(w, w, 1, 1, 2, 2);
  *(snFour*)(to + 8) = SN_LOAD4(from + 8) * __builtin_shufflevector(w, w, 2, 3, 3, 3);
}
#endif

// One lane, nothing asleep: m x of all bodies, sums over subtrees from the last body to the first, then the quotients.
SN_WIDE(static, void, subtreeComAlone, (const snModel* m, snData* d), (m, d)) {
  int nbody = (int)m->nbody, body = 0;
  snReal* com = d->subtree_com;
#if SN_HAS_SHUFFLES
  for (; body + 4 <= nbody; body += 4) {
    snFour mass = SN_LOAD4(m->body_mass + body);
    scaleFour(com + 3 * body, d->xipos + 3 * body, &mass);
  }
#endif
  for (; body < nbody; body++) snu_scl3(com + 3 * body, d->xipos + 3 * body, m->body_mass[body]);
  for (body = nbody - 1; body > 0; body--) {
    snReal *to = com + 3 * m->body_parentid[body], *from = com + 3 * body;
    snu_addTo3(to, from);
  }
  body = 0;
#if SN_HAS_SHUFFLES
  for (; body + 4 <= nbody; body += 4) {
    snFour mass = SN_LOAD4(m->body_subtreemass + body), inverse = 1 / mass;
    __typeof__(mass < inverse) light = mass < (snReal)snMINVAL;
    if (light[0] | light[1] | light[2] | light[3]) {
      for (int k = 0; k < 4; k++) divideByMass(m, d, body + k);
    } else {
      scaleFour(com + 3 * body, com + 3 * body, &inverse);
    }
  }
#endif
  for (; body < nbody; body++) divideByMass(m, d, body);
}

// subtree_com = (sum of m x over the subtree) / subtree mass; a sleeping child tree enters through
// its stored centre of mass
static void subtreeCom(const snModel* m, snData* d) {
  if (SN_LANES == 1 && d->nbody_awake == (int)m->nbody) {
    subtreeComAlone(m, d);
    return;
  }
  SN_FOR(i, d->nbody_awake) {
    int body = d->body_awake_ind[i];
    snu_scl3(d->subtree_com + 3 * body, d->xipos + 3 * body, m->body_mass[body]);
  }
  SN_SYNC();

  addChildCom(m, d);
  SN_SYNC();

  SN_FOR(i, d->nbody_awake) divideByMass(m, d, d->body_awake_ind[i]);
  SN_SYNC();
}

// three rotations about the body's own axes
SN_KERNEL void ballAxes(snReal* cdof, const snReal xmat[9], const snReal offset[3]) {
  for (int k = 0; k < 3; k++) {
    snReal axis[3] = {xmat[k], xmat[3 + k], xmat[6 + k]};
    sn_dofCom(cdof + 6 * k, axis, offset);
  }
}

// motion axes of a joint about the com of its tree
SN_KERNEL void jointAxes(const snModel* m, snData* d, int joint, int body) {
  SN_ASSERT_INDEX(joint, m->njnt);
  snReal* cdof = d->cdof + 6 * m->jnt_dofadr[joint];
  const snReal* axis = d->xaxis + 3 * joint;
  snReal offset[3];
  snu_sub3(offset, d->subtree_com + 3 * m->body_rootid[body], d->xanchor + 3 * joint);

  switch (m->jnt_type[joint]) {
    case snJNT_FREE:
      snu_zero(cdof, 18);
      cdof[3] = cdof[6 + 4] = cdof[12 + 5] = 1;
      ballAxes(cdof + 18, d->xmat + 9 * body, offset);
      break;
    case snJNT_BALL: ballAxes(cdof, d->xmat + 9 * body, offset); break;
    case snJNT_SLIDE: sn_dofCom(cdof, axis, NULL); break;
    case snJNT_HINGE: sn_dofCom(cdof, axis, offset); break;
  }
}

#if SN_HAS_SHUFFLES
// the same of a slide or a hinge
SN_KERNEL void singleAxis(const snModel* m, snData* d, int joint, int body) {
  snThree axis = sn_threeLoad(d->xaxis + 3 * joint), zero = {0, 0, 0, 0};
  snSix motion = {zero, axis};
  if (m->jnt_type[joint] == snJNT_HINGE) {
    snThree com = sn_threeLoad(d->subtree_com + 3 * m->body_rootid[body]);
    snThree offset = com - sn_threeLoad(d->xanchor + 3 * joint);
    motion.upper = axis;
    motion.lower =
        sn_threeYzx(axis) * sn_threeZxy(offset) - sn_threeZxy(axis) * sn_threeYzx(offset);
  }
  sn_sixStore(d->cdof + 6 * m->jnt_dofadr[joint], motion);
}
#endif

// inertia of a body about the com of its tree
SN_KERNEL void bodyInertia(const snModel* m, snData* d, int body) {
  snReal offset[3];
  snu_sub3(offset, d->xipos + 3 * body, d->subtree_com + 3 * m->body_rootid[body]);
  sn_inertCom(d->cinert + 10 * body, m->body_inertia + 3 * body, d->ximat + 9 * body, offset,
              m->body_mass + body);
}

// the same of n bodies, four at a time
SN_WIDE(static, void, bodyInertias, (const snModel* m, snData* d, const int* body, int n),
        (m, d, body, n)) {
  int i = 0;
#if SN_HAS_FOUR
  for (; i + 4 <= n; i += 4) {
    const int* at = body + i;
    int root[4] = {m->body_rootid[at[0]], m->body_rootid[at[1]], m->body_rootid[at[2]],
                   m->body_rootid[at[3]]};
    snFour inertia[3], mat[9], offset[3], com[3], mass[1], result[10];
    sn_takeFour(inertia, m->body_inertia, at, 3);
    sn_takeFour(mat, d->ximat, at, 9);
    sn_takeFour(offset, d->xipos, at, 3);
    sn_takeFour(com, d->subtree_com, root, 3);
    sn_takeFour(mass, m->body_mass, at, 1);
    for (int k = 0; k < 3; k++) offset[k] -= com[k];
    sn_inertComFour(result, inertia, mat, offset, mass);
    sn_storeFour(d->cinert, at, result, 10);
  }
#endif
  for (; i < n; i++) bodyInertia(m, d, body[i]);
}

// Axes of all joints of n bodies. Lanes of a team also compute the inertias of their bodies.
SN_WIDE(static, void, motionAxes, (const snModel* m, snData* d, const int* list, int n),
        (m, d, list, n)) {
  SN_FOR(i, n) {
    int body = list[i];
    if (!body) continue;
    if (SN_LANES > 1) bodyInertia(m, d, body);
    int first = m->body_jntadr[body], last = first + m->body_jntnum[body];
    for (int joint = first; joint < last; joint++) {
#if SN_HAS_SHUFFLES
      if (SN_LANES == 1 && m->jnt_type[joint] >= snJNT_SLIDE) {
        singleAxis(m, d, joint, body);
        continue;
      }
#endif
      jointAxes(m, d, joint, body);
    }
  }
}

static SN_OUTLINE void comPos(const snModel* m, snData* d) {
  subtreeCom(m, d);

  SN_ONE snu_zero(d->cinert, 10);
  if (SN_LANES == 1) bodyInertias(m, d, d->body_awake_ind + 1, d->nbody_awake - 1);
  motionAxes(m, d, d->body_awake_ind, d->nbody_awake);
  SN_SYNC();
}

// For a block of trees: subtree sums of m x, of which those of the roots are kept, then centres of mass, inertias and
// axes.
static void comOfBlock(const snModel* m, snData* view, void* context) {
  snReal* sums = (snReal*)context;
  for (int i = 1; i < view->nbody_awake; i++) {
    int body = view->body_awake_ind[i];
    snu_scl3(view->subtree_com + 3 * body, view->xipos + 3 * body, m->body_mass[body]);
  }
  for (int i = view->nbody_awake - 1; i > 0; i--) {
    int body = view->body_awake_ind[i], parent = m->body_parentid[body];
    const snReal* sum = view->subtree_com + 3 * body;
    if (parent) {
      snu_addTo3(view->subtree_com + 3 * parent, sum);
    } else {
      snu_copy3(sums + 3 * body, sum);
    }
    divideByMass(m, view, body);
  }
  bodyInertias(m, view, view->body_awake_ind + 1, view->nbody_awake - 1);
  motionAxes(m, view, view->body_awake_ind + 1, view->nbody_awake - 1);
}

// By several threads, when all is awake; one thread sums up the world, in the order of the bodies. Returns 0 when it
// was not done.
static int comPosShared(const snModel* m, snData* d) {
  if (!sn_hasCrew(d) || d->nbody_awake < (int)m->nbody) return 0;
  sn_markStack(d);
  snReal* sums = SN_STACK(d, snReal, 3 * m->nbody);
  int done = sums && sn_shareTrees(m, d, 0, comOfBlock, sums);
  if (done) {
    snu_scl3(d->subtree_com, d->xipos, m->body_mass[0]);
    for (int body = (int)m->nbody - 1; body > 0; body--) {
      if (!m->body_parentid[body]) snu_addTo3(d->subtree_com, sums + 3 * body);
    }
    divideByMass(m, d, 0);
    snu_zero(d->cinert, 10);
  }
  sn_freeStack(d);
  return done;
}

// Is everything asleep, and were the results computed since?
static int allRest(const snModel* m, const snData* d) {
  return SN_LANES == 1 && !d->ntree_awake && !m->nmocap && sn_isCalm(m, d);
}

SN_STAGE void sn_comPos(const snModel* m, snData* d) {
  if (allRest(m, d)) return;
  if (sn_plans(m, d, snPLAN_TREE)) {
    sn_comPosLanes(m, d);
  } else if (!comPosShared(m, d)) {
    comPos(m, d);
  }
}
