#include "engine/residual.h"

#include <string.h>

#include "base/arena.h"
#include "engine/collision.h"
#include "engine/constraint.h"
#include "engine/derivative.h"
#include "engine/force.h"
#include "engine/integrate.h"
#include "math/decomp.h"
#include "math/math.h"

// ---- contacts

int sn_keepContacts(snData* d, snContacts* contacts) {
  contacts->ncon = d->ncon;
  contacts->contact = SN_STACK(d, snContact, d->ncon + 1);
  if (!contacts->contact) return 0;
  memcpy(contacts->contact, d->contact, (size_t)d->ncon * sizeof(snContact));
  return 1;
}

void sn_restoreContacts(snData* d, const snContacts* contacts) {
  d->ncon = contacts->ncon;
  memcpy(d->contact, contacts->contact, (size_t)d->ncon * sizeof(snContact));
}

// ---- forces

// what a step computes before the constraint solver, without matrices and bias force
static void evaluateForces(const snModel* m, snData* d) {
  sn_kinematics(m, d);
  sn_comPos(m, d);
  sn_tendon(m, d);
  if (!sn_collideAgain(m, d)) sn_collision(m, d);
  sn_makeConstraint(m, d);
  sn_transmission(m, d);
  sn_forceVelocities(m, d);
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

void sn_forcesAt(const snModel* m, snData* d, const snReal* qacc, const snReal* taken,
                 snReal* force, snReal* moment) {
  int nv = (int)m->nv;
  evaluateForces(m, d);
  if (moment) implicitForce(m, d, taken, moment);
  snu_copy(d->qacc, qacc, nv);
  sn_invConstraint(m, d);
  snu_copy(force, d->qfrc_applied, nv);
  sn_xfrcAccumulate(m, d, force);
  SN_FOR(dof, nv) {
    force[dof] += d->qfrc_passive[dof] + d->qfrc_actuator[dof] + d->qfrc_constraint[dof];
  }
  SN_SYNC();
}
