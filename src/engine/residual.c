#include "engine/residual.h"

#include "base/arena.h"
#include "engine/derivative.h"
#include "engine/force.h"
#include "math/decomp.h"
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

// res += h D vec with the derivative that the implicit integrators use: all of it, or the lower
// triangle on the pattern of M
static void addImplicit(const snModel* m, snData* d, const snReal* vec, snReal* res) {
  int nv = (int)m->nv, full = m->opt.integrator == snINT_IMPLICIT;
  if (!full && m->opt.integrator != snINT_IMPLICITFAST) return;
  sn_markStack(d);
  snReal* product = SN_STACK(d, snReal, nv);
  snReal* lower = SN_STACK(d, snReal, full ? 1 : m->nC);
  if (product && lower) {
    sn_derivSmoothVel(m, d, full);
    if (full) {
      sn_mulMatVecSparse(product, d->qDeriv, vec, nv, m->D_rownnz, m->D_rowadr, m->D_colind);
    } else {
      SN_FOR(k, m->nC) lower[k] = d->qDeriv[m->mapD2M[k]];
      SN_SYNC();
      sn_mulTree(product, lower, vec, nv, m->M_rownnz, m->M_rowadr, m->M_colind);
    }
    snu_addToScl(res, product, m->opt.timestep, nv);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}

void sn_motionResidual(const snModel* m, snData* d, const snReal* qacc, const snReal* taken,
                       snReal* residual, snReal* moment) {
  int nv = (int)m->nv;
  evaluateForces(m, d);
  if (moment) {
    snu_copy(d->qacc, taken, nv);
    sn_rne(m, d, 1, moment);
  }
  snu_copy(d->qacc, qacc, nv);
  sn_rne(m, d, 1, residual);
  if (moment) {
    SN_FOR(dof, nv) moment[dof] = residual[dof] - moment[dof];
    SN_SYNC();
    addImplicit(m, d, taken, moment);
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
