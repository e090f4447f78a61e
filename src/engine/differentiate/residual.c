#include "engine/differentiate/residual.h"

#include <string.h>

#include "base/arena.h"
#include "engine/collide/collision.h"
#include "engine/constrain/constraint.h"
#include "engine/differentiate/velocity_derivative.h"
#include "engine/smooth/force.h"
#include "engine/step/integrate.h"
#include "math/decomp.h"
#include "math/math.h"

// ---- what is held fixed

int sn_keepActiveSet(snData* d, snActiveSet* set) {
  set->ncon = d->ncon;
  set->nefc = d->nefc;
  set->contact = SN_STACK(d, snContact, d->ncon + 1);
  set->state = SN_STACK(d, int, d->nefc + 1);
  if (!set->contact || !set->state) return 0;
  memcpy(set->contact, d->contact, (size_t)d->ncon * sizeof(snContact));
  if (d->nefc) memcpy(set->state, d->efc_state, (size_t)d->nefc * sizeof(int));
  return 1;
}

static void restoreContacts(snData* d, const snActiveSet* set) {
  d->ncon = set->ncon;
  memcpy(d->contact, set->contact, (size_t)d->ncon * sizeof(snContact));
}

// Constraint forces at d->qacc. At a fixed acceleration a row leaves its zone sooner than at the
// solution, so that rows are held there: the force of a quadratic row may have either sign.
static void constraintForces(const snModel* m, snData* d, const snActiveSet* set) {
  sn_markStack(d);
  snReal* jar = SN_STACK(d, snReal, d->nefc + 1);
  if (jar && d->nefc) {
    sn_mulJacVec(m, d, jar, d->qacc);
    snu_subFrom(jar, d->efc_aref, d->nefc);
    sn_constraintUpdate(m, d, jar, NULL, 0);
    for (int i = 0; d->nefc == set->nefc && i < d->nefc; i++) {
      if (d->efc_type[i] == snCNSTR_CONTACT_ELLIPTIC || d->efc_state[i] == set->state[i]) continue;
      switch (set->state[i]) {
        case snCNSTRSTATE_QUADRATIC: d->efc_force[i] = -d->efc_D[i] * jar[i]; break;
        case snCNSTRSTATE_LINEARNEG: d->efc_force[i] = d->efc_frictionloss[i]; break;
        case snCNSTRSTATE_LINEARPOS: d->efc_force[i] = -d->efc_frictionloss[i]; break;
        default: d->efc_force[i] = 0; break;
      }
    }
    sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  } else {
    snu_zero(d->qfrc_constraint, (int)m->nv);
    if (!jar) sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}

// ---- forces

// what a step computes before the constraint solver, without matrices and bias force
static void evaluateForces(const snModel* m, snData* d, const snActiveSet* set) {
  sn_kinematics(m, d);
  sn_comPos(m, d);
  if (m->nflex) sn_flex(m, d);
  sn_tendon(m, d);
  restoreContacts(d, set);
  if (!sn_collideAgain(m, d)) sn_collision(m, d);
  sn_makeConstraint(m, d);
  sn_transmission(m, d);
  sn_stageVelocityWithoutBias(m, d);
  sn_fwdActuation(m, d);
}

// res = h D vec with the derivative that the implicit integrators use: the pattern of D, or the
// lower triangle on the pattern of M
static void implicitForce(const snModel* m, snData* d, const snReal* vec, snReal* res) {
  int nv = (int)m->nv, full = m->opt.integrator == snINT_IMPLICIT;
  snu_zero(res, nv);
  sn_markStack(d);
  snReal* lower = SN_STACK(d, snReal, full ? 1 : m->nC);
  if (lower) {
    sn_derivSmoothVel(m, d, 0);
    if (full) {
      sn_mulMatVecSparse(res, d->qDeriv, vec, nv, m->D_rownnz, m->D_rowadr, m->D_colind);
    } else {
      SN_FOR(k, m->nC) lower[k] = d->qDeriv[m->mapD2M[k]];
      SN_SYNC();
      sn_mulTree(res, lower, vec, nv, m->M_rownnz, m->M_rowadr, m->M_colind);
    }
    snu_scl(res, res, m->opt.timestep, nv);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}

void sn_forcesAt(const snModel* m, snData* d, const snActiveSet* set, const snReal* qacc,
                 const snReal* taken, snReal* force, snReal* moment) {
  int nv = (int)m->nv;
  evaluateForces(m, d, set);
  if (moment) implicitForce(m, d, taken, moment);
  snu_copy(d->qacc, qacc, nv);
  constraintForces(m, d, set);
  snu_copy(force, d->qfrc_applied, nv);
  sn_xfrcAccumulate(m, d, force);
  SN_FOR(dof, nv) {
    force[dof] += d->qfrc_passive[dof] + d->qfrc_actuator[dof] + d->qfrc_constraint[dof];
  }
  SN_SYNC();
}
