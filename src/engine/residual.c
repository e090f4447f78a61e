#include "engine/residual.h"

#include "engine/force.h"
#include "math/math.h"

// what a step computes before the constraint solver, without matrices
static void evaluateForces(const snModel* m, snData* d) {
  sn_kinematics(m, d);
  sn_comPos(m, d);
  sn_tendon(m, d);
  sn_collision(m, d);
  sn_makeConstraint(m, d);
  sn_transmission(m, d);
  sn_fwdVelocity(m, d);
  sn_fwdActuation(m, d);
}

void sn_motionResidual(const snModel* m, snData* d, const snReal* qacc, const snReal* other,
                       snReal* residual, snReal* mass) {
  int nv = (int)m->nv;
  evaluateForces(m, d);
  if (mass) {
    snu_copy(d->qacc, other, nv);
    sn_rne(m, d, 1, mass);
  }
  snu_copy(d->qacc, qacc, nv);
  sn_rne(m, d, 1, residual);
  if (mass) {
    SN_FOR(dof, nv) mass[dof] = residual[dof] - mass[dof];
    SN_SYNC();
  }
  sn_invConstraint(m, d);
  snu_copy(d->qfrc_smooth, d->qfrc_applied, nv);
  sn_xfrcAccumulate(m, d, d->qfrc_smooth);
  SN_FOR(dof, nv) {
    residual[dof] -= d->qfrc_passive[dof] + d->qfrc_actuator[dof] + d->qfrc_smooth[dof] +
                     d->qfrc_constraint[dof];
  }
  SN_SYNC();
}
