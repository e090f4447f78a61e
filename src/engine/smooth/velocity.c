// Velocities: of tendons and actuators, of bodies, of motion axes, of subtrees.

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/flex/flex.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/joint.h"
#include "engine/smooth/object.h"
#include "engine/smooth/tendon.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "engine/step/stages.h"
#include "math/math.h"
#include "math/three.h"

// ---- tendons and actuators

enum { ACTUATORS_AT_ONCE = 64 };

static void someActuatorVelocities(const snModel* m, snData* d, void* context, int begin, int end) {
  (void)m, (void)context;
  sn_mulMatVecSparse(d->actuator_velocity + begin, d->actuator_moment, d->qvel, end - begin,
                     d->moment_rownnz + begin, d->moment_rowadr + begin, d->moment_colind);
}

// velocities of edges, tendons and actuators
static SN_OUTLINE void pathVelocities(const snModel* m, snData* d) {
  if (m->nflex) sn_flexEdgeVelocities(m, d);
  if (sn_isSparse(m)) {
    sn_mulMatVecSparse(d->ten_velocity, d->ten_J, d->qvel, (int)m->ntendon, d->ten_J_rownnz,
                       d->ten_J_rowadr, d->ten_J_colind);
  } else {
    SN_FOR(i, m->ntendon) d->ten_velocity[i] = sn_tendonSpeed(m, d, i, d->qvel);
    SN_SYNC();
  }
  if (m->opt.disableflags & snDSBL_ACTUATION) {
    sn_zeroShared(d->actuator_velocity, (int)m->nu);
    SN_SYNC();
  } else {
    SN_SHARE(m, d, m->nu, ACTUATORS_AT_ONCE, someActuatorVelocities, NULL);
  }
}

SN_STAGE void sn_pathVelocities(const snModel* m, snData* d) {
  if (sn_plans(m, d, snPLAN_PATHS)) {
    sn_pathVelocitiesLanes(m, d);
  } else {
    pathVelocities(m, d);
  }
}

// ---- bodies and motion axes

#if SN_HAS_SHUFFLES
typedef snSix Velocity;

SN_KERNEL void loadVelocity(Velocity* vel, const snReal from[6]) { *vel = sn_sixLoad(from); }

SN_KERNEL void storeVelocity(snReal to[6], const Velocity* vel) { sn_sixStore(to, *vel); }

// derivative of n motion axes carried by velocity vel
SN_KERNEL void axesDot(snReal* cdof_dot, const snReal* cdof, const Velocity* vel, int n) {
  for (int k = 0; k < n; k++) {
    sn_sixStore(cdof_dot + 6 * k, sn_sixCrossMotion(*vel, sn_sixLoad(cdof + 6 * k)));
  }
}

// the sum over n dofs of cdof qvel
SN_KERNEL void addAxes(Velocity* vel, const snReal* cdof, const snReal* qvel, int n) {
  const snThree zero = {0, 0, 0, 0};
  snSix sum = {zero, zero};
  for (int k = 0; k < n; k++) sn_sixAddScl(&sum, sn_sixLoad(cdof + 6 * k), qvel[k]);
  vel->upper += sum.upper;
  vel->lower += sum.lower;
}

SN_KERNEL void addAxis(Velocity* vel, const snReal* cdof, snReal qvel) {
  sn_sixAddScl(vel, sn_sixLoad(cdof), qvel);
}

SN_KERNEL void addTranslation(Velocity* vel, const snReal qvel[6]) { vel->lower += SN_LOAD4(qvel); }
#else
typedef struct Velocity_ {
  snReal x[6];
} Velocity;

SN_KERNEL void loadVelocity(Velocity* vel, const snReal from[6]) { sn_copy6(vel->x, from); }

SN_KERNEL void storeVelocity(snReal to[6], const Velocity* vel) { sn_copy6(to, vel->x); }

SN_KERNEL void axesDot(snReal* cdof_dot, const snReal* cdof, const Velocity* vel, int n) {
  for (int k = 0; k < n; k++) sn_crossMotion(cdof_dot + 6 * k, vel->x, cdof + 6 * k);
}

SN_KERNEL void addAxes(Velocity* vel, const snReal* cdof, const snReal* qvel, int n) {
  snReal sum[6];
  sn_mulDofVec(sum, cdof, qvel, n);
  sn_addTo6(vel->x, sum);
}

SN_KERNEL void addAxis(Velocity* vel, const snReal* cdof, snReal qvel) {
  sn_addToScl6(vel->x, cdof, qvel);
}

SN_KERNEL void addTranslation(Velocity* vel, const snReal qvel[6]) { snu_addTo3(vel->x + 3, qvel); }
#endif

// velocity of a body after a joint, from the velocity before it
SN_KERNEL void jointVelocity(const snModel* m, snData* d, int joint, Velocity* vel) {
  SN_ASSERT_INDEX(joint, m->njnt);
  int dof = m->jnt_dofadr[joint];
  const snReal *cdof = d->cdof + 6 * dof, *qvel = d->qvel + dof;
  snReal* cdof_dot = d->cdof_dot + 6 * dof;

  switch (m->jnt_type[joint]) {
    case snJNT_FREE:
      // translation along the axes of the world, which stand still; then rotation
      snu_zero(cdof_dot, 18);
      addTranslation(vel, qvel);
      axesDot(cdof_dot + 18, cdof + 18, vel, 3);
      addAxes(vel, cdof + 18, qvel + 3, 3);
      break;
    case snJNT_BALL:
      axesDot(cdof_dot, cdof, vel, 3);
      addAxes(vel, cdof, qvel, 3);
      break;
    default:
      axesDot(cdof_dot, cdof, vel, 1);
      addAxis(vel, cdof, *qvel);
      break;
  }
}

// what the joints of a body add to the velocity of its parent
SN_KERNEL void ownVelocity(const snModel* m, const snData* d, int body, snReal vel[6]) {
  SN_ASSERT_INDEX(body, m->nbody);
  int first = m->body_dofadr[body], last = first + m->body_dofnum[body];
  SN_PLAIN_LOOP
  for (int dof = first; dof < last; dof++) sn_addToScl6(vel, d->cdof + 6 * dof, d->qvel[dof]);
}

// A team has a lane for each body of a block. Velocities are sums along the chains of bodies; then the axes of a body's joints
// turn with the velocity of its parent.
static void comVelTeam(const snModel* m, snData* d) {
  int n = (int)m->nbody;
  SN_PLAIN_LOOP
  for (int base = 0; base < n; base += SN_LANES) {
    int body = base + SN_LANE, here = body < n, parent = here && body ? m->body_parentid[body] : -1;
    int moves = here && d->body_awake[body] != snS_ASLEEP;
    snReal vel[6] = {0, 0, 0, 0, 0, 0};
    if (moves) ownVelocity(m, d, body, vel);
    if (parent >= 0 && parent < base) sn_addTo6(vel, d->cvel + 6 * parent);
    sn_lanesSumChains6(vel, parent >= base ? parent - base : -1);
    if (moves) sn_copy6(d->cvel + 6 * body, vel);
    SN_SYNC();
    if (!moves || !body) continue;
    Velocity before;
    loadVelocity(&before, d->cvel + 6 * parent);
    int first = m->body_jntadr[body], last = first + m->body_jntnum[body];
    SN_PLAIN_LOOP
    for (int joint = first; joint < last; joint++) jointVelocity(m, d, joint, &before);
  }
  SN_SYNC();
}

// by one lane, from parents to children
SN_WIDE(static, void, comVelAlone, (const snModel* m, snData* d), (m, d)) {
  Velocity vel;
  int holder = 0;  // the body whose velocity this is: often the parent of the next one
  loadVelocity(&vel, d->cvel);
  for (int i = 1; i < d->nbody_awake; i++) {
    int body = d->body_awake_ind[i], parent = m->body_parentid[body];
    if (parent != holder) loadVelocity(&vel, d->cvel + 6 * parent);
    int first = m->body_jntadr[body], last = first + m->body_jntnum[body];
    for (int joint = first; joint < last; joint++) jointVelocity(m, d, joint, &vel);
    storeVelocity(d->cvel + 6 * body, &vel);
    holder = body;
  }
}

static void comVelOfBlock(const snModel* m, snData* view, void* context) {
  (void)context;
  comVelAlone(m, view);
}

static int comVelShared(const snModel* m, snData* d) {
  return sn_hasCrew(d) && sn_shareTrees(m, d, 0, comVelOfBlock, NULL);
}

SN_STAGE void sn_comVel(const snModel* m, snData* d) {
  SN_ASSERT(d->nbody_awake > 0 && d->nbody_awake <= (int)m->nbody);
  if (SN_LANES > 1) {
    comVelTeam(m, d);
  } else {
    sn_zero6(d->cvel);
    if (!comVelShared(m, d)) comVelAlone(m, d);
  }
}

// ---- momentum of subtrees

// linear and angular momentum of each body alone, about its own centre of mass
SN_WIDE(static, void, bodyMomenta, (const snModel* m, snData* d, snReal* velocity),
        (m, d, velocity)) {
  SN_FOR(k, d->nbody_awake) {
    int body = d->body_awake_ind[k];
    snReal local[3], *vel = velocity + 6 * body;
    snPlace place = sn_objectPlace(m, d, snOBJ_BODY, body);
    sn_vectorAt(m, d, &place, d->cvel, vel, 0);
    snu_scl3(d->subtree_linvel + 3 * body, vel + 3, m->body_mass[body]);

    const snReal *ximat = d->ximat + 9 * body, *inertia = m->body_inertia + 3 * body;
    snu_mulMatTVec3(local, ximat, vel);
    for (int a = 0; a < 3; a++) local[a] *= inertia[a];
    snu_mulMatVec3(d->subtree_angmom + 3 * body, ximat, local);
  }
  SN_SYNC();
}

// (x - y) x m (v - w)
SN_KERNEL void orbital(snReal res[3], const snReal x[3], const snReal y[3], snReal mass,
                       const snReal v[3], const snReal w[3]) {
  snReal arm[3], momentum[3];
  snu_sub3(arm, x, y);
  snu_sub3(momentum, v, w);
  snu_scl3(momentum, momentum, mass);
  snu_cross(res, arm, momentum);
}

// subtree_linvel: momentum of the subtree over its mass. A lane sums some of the components.
static void subtreeMomenta(const snModel* m, snData* d) {
  if (SN_LANES > 1 && d->nbody_awake == (int)m->nbody) {
    sn_lanesSumSubtrees(m->body_parentid, d->subtree_linvel, 3, (int)m->nbody, 0);
    SN_FOR(body, m->nbody) {
      snReal* linvel = d->subtree_linvel + 3 * body;
      snu_scl3(linvel, linvel, 1 / snu_max((snReal)snMINVAL, m->body_subtreemass[body]));
    }
    SN_SYNC();
    return;
  }
  int begin, end = sn_shareOf(3, &begin);
  for (int k = d->nbody_awake - 1; k >= 0; k--) {
    int body = d->body_awake_ind[k], parent = m->body_parentid[body];
    snReal inverse = 1 / snu_max((snReal)snMINVAL, m->body_subtreemass[body]);
    for (int c = begin; c < end; c++) {
      snReal* linvel = d->subtree_linvel + 3 * body + c;
      if (body) d->subtree_linvel[3 * parent + c] += *linvel;
      *linvel *= inverse;
    }
  }
  SN_SYNC();
}

// Angular momenta of the motion of a body relative to its subtree, and of the subtree relative to that of its parent.
// They overwrite the velocity.
SN_KERNEL void orbitalMomentum(const snModel* m, const snData* d, int body, snReal velocity[6]) {
  int parent = m->body_parentid[body];
  const snReal *com = d->subtree_com + 3 * body, *linvel = d->subtree_linvel + 3 * body;
  orbital(velocity, d->xipos + 3 * body, com, m->body_mass[body], velocity + 3, linvel);
  orbital(velocity + 3, com, d->subtree_com + 3 * parent, m->body_subtreemass[body], linvel,
          d->subtree_linvel + 3 * parent);
}

SN_WIDE(static, void, orbitalMomenta, (const snModel* m, const snData* d, snReal* velocity),
        (m, d, velocity)) {
  SN_FOR(k, d->nbody_awake) {
    int body = d->body_awake_ind[k];
    if (body) orbitalMomentum(m, d, body, velocity + 6 * body);
  }
  SN_SYNC();
}

// subtree_angmom: spin of the body, its motion in its subtree, that of the subtree in its parent's
static void sumAngularMomenta(const snModel* m, snData* d, const snReal* orbitals) {
  if (SN_LANES > 1 && d->nbody_awake == (int)m->nbody) {
    SN_FOR(k, m->nbody - 1) {
      snReal *own = d->subtree_angmom + 3 * (1 + k), sum[3], parts[6];
      sn_copy6(parts, orbitals + 6 * (1 + k));
      snu_add3(sum, parts, parts + 3);
      snu_add3(sum, own, sum);
      snu_copy3(own, sum);
    }
    SN_SYNC();
    sn_lanesSumSubtrees(m->body_parentid, d->subtree_angmom, 3, (int)m->nbody, 0);
    SN_FOR(k, m->nbody - 1) {  // the last part is of its parent's
      snReal *own = d->subtree_angmom + 3 * (1 + k), rest[3];
      snu_sub3(rest, own, orbitals + 6 * (1 + k) + 3);
      snu_copy3(own, rest);
    }
    SN_SYNC();
    return;
  }
  int begin, end = sn_shareOf(3, &begin);
  for (int k = d->nbody_awake - 1; k > 0; k--) {
    int body = d->body_awake_ind[k];
    snReal *own = d->subtree_angmom + 3 * body,
           *above = d->subtree_angmom + 3 * m->body_parentid[body];
    for (int c = begin; c < end; c++) {
      own[c] += orbitals[6 * body + c];
      above[c] += own[c];
      above[c] += orbitals[6 * body + 3 + c];
    }
  }
  SN_SYNC();
}

// Sleeping bodies keep their values and add nothing to their parent.
void sn_subtreeVel(const snModel* m, snData* d) {
  sn_markStack(d);
  snReal* velocity = SN_STACK(d, snReal, 6 * m->nbody);
  if (!velocity) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  bodyMomenta(m, d, velocity);
  subtreeMomenta(m, d);
  orbitalMomenta(m, d, velocity);
  sumAngularMomenta(m, d, velocity);
  SN_SOLO(d->flg_subtreevel = 1);
  sn_freeStack(d);
}
