#include "engine/differentiate/position_derivative.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "engine/differentiate/velocity_derivative.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/jacobian.h"
#include "math/math.h"
#include "model/object_types.h"

void sn_motionAt(const snReal motion[6], const snReal arm[3], snReal res[6]) {
  snu_copy3(res, motion);
  snu_cross(res + 3, motion, arm);
  snu_addTo3(res + 3, motion + 3);
}

void sn_tangentRate(snTangent* t, int body, int k, const snReal change[6]) {
  SN_ASSERT(body >= 0 && k >= 0);
  t->active[body] = 1;
  sn_addTo6(t->rate + 6 * ((size_t)body * t->nv + k), change);
}

// ---- groups

// dofs of the group that starts at dof, which belongs to a joint
static int groupSize(const snModel* m, int dof) {
  SN_ASSERT_INDEX(dof, m->nv);
  int joint = m->dof_jntid[dof];
  return sn_turnsWithBody(m->jnt_type[joint], dof - m->jnt_dofadr[joint]) ? 3 : 1;
}

static void findGroups(const snModel* m, int* group) {
  for (int dof = 0; dof < (int)m->nv;) {
    int n = groupSize(m, dof);
    for (int k = 0; k < n; k++) group[dof + k] = dof;
    dof += n;
  }
}

// sum of S vec up to every body, and before the group of every dof
static void bodyMotions(const snModel* m, const snData* d, const int* group, const snReal* vec,
                        snReal* body, snReal* before) {
  sn_zero6(body);
  for (int b = 1; b < (int)m->nbody; b++) {
    snReal sum[6] = {0, 0, 0, 0, 0, 0}, *mine = body + 6 * b;
    sn_copy6(mine, body + 6 * m->body_parentid[b]);
    int first = m->body_dofadr[b], last = first + m->body_dofnum[b];
    for (int dof = first; dof < last; dof++) {
      if (group[dof] == dof) sn_copy6(sum, mine);
      sn_copy6(before + 6 * dof, sum);
      sn_addToScl6(mine, d->cdof + 6 * dof, vec[dof]);
    }
  }
}

// ---- inertial forces

// Velocities and accelerations of one evaluation.
typedef struct Inertial_ {
  const snReal *qvel, *qacc;  // nullable: zero
  snReal *vel, *acc;          // nbody x 6
  snReal *p1, *p2;            // nv x 6, see the head of differentiate/position_derivative.h
  snReal* composite;          // nbody x 28: inertia (10), K (12), force (6)
} Inertial;

// motion of a body from that of its parent; p1 and p2 of its dofs
static void inertialBody(const snModel* m, const snData* d, const int* group, Inertial* e, int b) {
  SN_ASSERT_INDEX(b, m->nbody);
  snReal *vel = e->vel + 6 * b, *acc = e->acc + 6 * b, u[6], part[6];
  sn_copy6(vel, e->vel + 6 * m->body_parentid[b]);
  sn_copy6(acc, e->acc + 6 * m->body_parentid[b]);
  int first = m->body_dofadr[b], last = first + m->body_dofnum[b];
  for (int dof = first; dof < last;) {
    int end = dof + 1;
    while (end < last && group[end] == dof) end++;
    sn_copy6(u, vel);
    for (int k = dof; k < end; k++) {
      const snReal* S = d->cdof + 6 * k;
      snReal *p1 = e->p1 + 6 * k, *p2 = e->p2 + 6 * k;
      sn_crossMotion(p1, u, S);
      sn_crossMotion(p2, u, p1);
      sn_crossMotion(part, acc, S);
      sn_addTo6(p2, part);
    }
    int still = m->jnt_type[m->dof_jntid[dof]] == snJNT_FREE && end == dof + 1;
    for (int k = dof; k < end; k++) {
      if (e->qvel) sn_addToScl6(vel, d->cdof + 6 * k, e->qvel[k]);
      if (e->qvel && !still) sn_addToScl6(acc, e->p1 + 6 * k, e->qvel[k]);
      if (e->qacc) sn_addToScl6(acc, d->cdof + 6 * k, e->qacc[k]);
    }
    dof = end;
  }
}

static void inertialComposites(const snModel* m, const snData* d, Inertial* e) {
  snu_zero(e->composite, 28 * (int)m->nbody);
  for (int b = (int)m->nbody - 1; b > 0; b--) {
    const snReal* inert = d->cinert + 10 * b;
    snReal K[12], force[6], momentum[6], gyroscopic[6], *sum = e->composite + 28 * b;
    sn_mulInertVec(force, inert, e->acc + 6 * b);
    snu_addTo(sum, inert, 10);
    if (e->qvel) {
      sn_mulInertVec(momentum, inert, e->vel + 6 * b);
      sn_crossForce(gyroscopic, e->vel + 6 * b, momentum);
      sn_addTo6(force, gyroscopic);
      sn_biasMatrix(inert, e->vel + 6 * b, K);
      snu_addTo(sum + 10, K, 12);
    }
    sn_addTo6(sum + 22, force);
    if (m->body_parentid[b] > 0) snu_addTo(e->composite + 28 * m->body_parentid[b], sum, 28);
  }
}

// matrix += scale d(inertial force): with the composite of the deeper dof i, for j above it
//   d_j tau_i = S_i . (I p2_j + K p1_j),   d_i tau_j = S_j . (I p2_i + K p1_i + S_i x* F),
// the last term when i does not move j
static void inertialPairs(const snModel* m, const snData* d, const int* group, const Inertial* e,
                          snReal scale, snReal* matrix) {
  int nv = (int)m->nv;
  for (int i = 0; i < nv; i++) {
    const snReal *inert = e->composite + 28 * m->dof_bodyid[i], *K = inert + 10, *F = inert + 22;
    const snReal* S = d->cdof + 6 * i;
    snReal column[6], turn[6], left[6], spin[3], part[3];
    sn_biasColumn(inert, K, e->p2 + 6 * i, e->p1 + 6 * i, column);
    sn_crossForce(turn, S, F);
    sn_mulInertVec(left, inert, S);
    snu_mulMatTVec3(spin, K, S);
    snu_cross(part, S + 3, K + 9);
    snu_addToScl3(spin, part, -2);
    matrix[(size_t)i * nv + i] += scale * sn_dot6(S, column);
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
      snReal above = sn_dot6(d->cdof + 6 * j, column);
      if (group[i] > j) above += sn_dot6(d->cdof + 6 * j, turn);
      snReal below = sn_dot6(left, e->p2 + 6 * j) + snu_dot3(spin, e->p1 + 6 * j);
      matrix[(size_t)i * nv + j] += scale * above;
      matrix[(size_t)j * nv + i] += scale * below;
    }
  }
}

// matrix += scale d(M qacc + c(qvel) + gravity) by positions; qvel, qacc nullable: zero
static int addInertial(const snModel* m, snData* d, const int* group, const snReal* qvel,
                       const snReal* qacc, int gravity, snReal scale, snReal* matrix) {
  int nbody = (int)m->nbody, nv = (int)m->nv;
  sn_markStack(d);
  Inertial e = {qvel, qacc, NULL, NULL, NULL, NULL, NULL};
  snReal* block = SN_STACK(d, snReal, 40 * nbody + 12 * nv);
  if (block) {
    e.vel = block;
    e.acc = e.vel + 6 * nbody;
    e.p1 = e.acc + 6 * nbody;
    e.p2 = e.p1 + 6 * nv;
    e.composite = e.p2 + 6 * nv;
    sn_zero6(e.vel);
    sn_zero6(e.acc);
    if (gravity && !(m->opt.disableflags & snDSBL_GRAVITY)) {
      snu_scl3(e.acc + 3, m->opt.gravity, -1);
    }
    for (int b = 1; b < nbody; b++) inertialBody(m, d, group, &e, b);
    inertialComposites(m, d, &e);
    inertialPairs(m, d, group, &e, scale, matrix);
  }
  sn_freeStack(d);
  return block != NULL;
}

// ---- wrenches on bodies

// matrix += d(S . W), after wrenches and their rates have been summed over subtrees
static void addWrenches(const snModel* m, const snData* d, snTangent* t) {
  int nv = t->nv;
  for (int b = (int)m->nbody - 1; b > 0; b--) {
    int parent = m->body_parentid[b];
    if (parent == 0) continue;
    sn_addTo6(t->wrench + 6 * parent, t->wrench + 6 * b);
    if (!t->active[b]) continue;
    t->active[parent] = 1;
    snu_addTo(t->rate + 6 * (size_t)parent * nv, t->rate + 6 * (size_t)b * nv, 6 * nv);
  }
  for (int i = 0; i < nv; i++) {
    int b = m->dof_bodyid[i];
    const snReal* S = d->cdof + 6 * i;
    snReal turn[6];
    sn_crossForce(turn, S, t->wrench + 6 * b);
    // axes of i move with its group and with all dofs above
    int group = t->group[i], last = group;
    while (last + 1 < nv && t->group[last + 1] == group) last++;
    for (int k = last; k >= 0; k = m->dof_parentid[k]) {
      t->matrix[(size_t)k * nv + i] += sn_dot6(d->cdof + 6 * k, turn);
    }
    if (!t->active[b]) continue;
    const snReal* rate = t->rate + 6 * (size_t)b * nv;
    for (int k = 0; k < nv; k++) t->matrix[(size_t)k * nv + i] += sn_dot6(S, rate + 6 * k);
  }
}

// ---- all of it

static int allocate(const snModel* m, snData* d, snTangent* t, snReal* matrix) {
  int nv = (int)m->nv, nbody = (int)m->nbody;
  t->nv = nv;
  t->h = m->opt.timestep;
  t->matrix = matrix;
  t->group = SN_STACK(d, int, nv + 1);
  t->active = SN_STACK(d, snByte, nbody);
  t->scratch = SN_STACK(d, snReal, nv + 1);
  snReal* block = SN_STACK(d, snReal, 12 * nbody + 12 * nv);
  t->rate = SN_STACK(d, snReal, 6 * (size_t)nbody * nv);
  if (!t->group || !t->active || !t->scratch || !block || !t->rate) return 0;
  t->acc = block;
  t->wrench = t->acc + 6 * nbody;
  t->accBefore = t->wrench + 6 * nbody;
  t->velBefore = t->accBefore + 6 * nv;
  snu_zero(t->wrench, 6 * nbody);
  memset(t->active, 0, (size_t)nbody);
  memset(t->rate, 0, 6 * (size_t)nbody * (size_t)nv * sizeof(snReal));
  snu_zero(matrix, nv * nv);
  return 1;
}

static int fillMatrix(const snModel* m, snData* d, snTangent* t, const snReal* qacc) {
  t->qacc = qacc;
  findGroups(m, t->group);
  // velocities first: acc serves as scratch, cvel is known
  bodyMotions(m, d, t->group, d->qvel, t->acc, t->velBefore);
  bodyMotions(m, d, t->group, qacc, t->acc, t->accBefore);
  if (!sn_tangentPassive(m, d, t)) return 0;
  if (t->actuators && !sn_tangentActuators(m, d, t)) return 0;
  if (d->nefc) sn_tangentRows(m, d, t);
  addWrenches(m, d, t);
  return 1;
}

// Coriolis forces are a symmetric form of two velocities, so (dc/dv) x = (c(v + x) - c(v - x)) / 2.
static int inertialMoment(const snModel* m, snData* d, const int* group, const snReal* qacc,
                          const snReal* taken, snReal* vec, snReal* moment) {
  int nv = (int)m->nv;
  snReal half = (snReal)0.5 * m->opt.timestep;
  snu_sub(vec, qacc, taken, nv);
  if (!addInertial(m, d, group, NULL, vec, 0, 1, moment)) return 0;
  if (m->opt.integrator != snINT_IMPLICIT) return 1;
  snu_add(vec, d->qvel, taken, nv);
  if (!addInertial(m, d, group, vec, NULL, 0, -half, moment)) return 0;
  snu_sub(vec, d->qvel, taken, nv);
  return addInertial(m, d, group, vec, NULL, 0, half, moment);
}

// both matrices have their other parts already
static int addInertialTangent(const snModel* m, snData* d, const snReal* qacc, const snReal* taken,
                              snReal* matrix, snReal* moment) {
  int* group = SN_STACK(d, int, m->nv + 1);
  snReal* vec = SN_STACK(d, snReal, m->nv + 1);
  if (!group || !vec) return 0;
  findGroups(m, group);
  return addInertial(m, d, group, d->qvel, qacc, 1, -1, matrix) &&
         (!moment || inertialMoment(m, d, group, qacc, taken, vec, moment));
}

int sn_inertialTangent(const snModel* m, snData* d, const snReal* qacc, const snReal* taken,
                       snReal* matrix, snReal* moment) {
  int size = (int)(m->nv * m->nv);
  snu_zero(matrix, size);
  if (moment) snu_zero(moment, size);
  sn_markStack(d);
  int done = addInertialTangent(m, d, qacc, taken, matrix, moment);
  if (!done) sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  sn_freeStack(d);
  return done;
}

int sn_residualTangent(const snModel* m, snData* d, const snReal* qacc, const snReal* taken,
                       snReal eps, snReal* matrix, snReal* moment) {
  snTangent t;
  t.eps = eps;
  t.applied = t.actuators = 1;
  int implicit = m->opt.integrator == snINT_IMPLICIT || m->opt.integrator == snINT_IMPLICITFAST;
  sn_markStack(d);
  int done = allocate(m, d, &t, matrix) && fillMatrix(m, d, &t, qacc);
  if (moment) snu_zero(moment, t.nv * t.nv);
  if (done && moment && implicit) done = sn_tangentDamping(m, d, &t, taken, moment);
  done = done && addInertialTangent(m, d, qacc, taken, matrix, moment);
  if (!done) sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  sn_freeStack(d);
  return done;
}

int sn_inverseTangent(const snModel* m, snData* d, const snReal* qacc, snReal eps, int actuators,
                      snReal* matrix) {
  snTangent t;
  t.eps = eps;
  t.applied = 0;
  t.actuators = actuators;
  sn_markStack(d);
  int done = allocate(m, d, &t, matrix) && fillMatrix(m, d, &t, qacc) &&
             addInertialTangent(m, d, qacc, NULL, matrix, NULL);
  if (!done) sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  sn_freeStack(d);
  return done;
}
