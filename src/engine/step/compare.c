// Forward against inverse dynamics: how far apart they are at the current accelerations.

#include "base/arena.h"
#include "engine/smooth/force.h"
#include "math/math.h"

static snReal distance(const snReal* a, snReal* b, int n) {
  snu_subFrom(b, a, n);
  return snu_norm(b, n);
}

// force: forces from outside; saved: the results that inverse dynamics overwrites
static void compare(const snModel* m, snData* d, snReal* force, snReal* saved_qfrc,
                    snReal* saved_efc) {
  int nv = (int)m->nv;
  snu_add(force, d->qfrc_applied, d->qfrc_actuator, nv);
  sn_xfrcAccumulate(m, d, force);
  snu_copy(saved_qfrc, d->qfrc_constraint, nv);
  snu_copy(saved_efc, d->efc_force, d->nefc);

  sn_inverseSkip(m, d, snSTAGE_VEL, 1);
  d->solver_fwdinv[0] = distance(saved_qfrc, d->qfrc_constraint, nv);
  d->solver_fwdinv[1] = distance(d->qfrc_inverse, force, nv);
  snu_copy(d->qfrc_constraint, saved_qfrc, nv);
  snu_copy(d->efc_force, saved_efc, d->nefc);
}

void sn_compareFwdInv(const snModel* m, snData* d) {
  d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
  if (!d->nefc) return;
  sn_markStack(d);
  snReal* force = SN_STACK(d, snReal, m->nv);
  snReal* saved_qfrc = SN_STACK(d, snReal, m->nv);
  snReal* saved_efc = SN_STACK(d, snReal, d->nefc);
  if (force && saved_qfrc && saved_efc) {
    compare(m, d, force, saved_qfrc, saved_efc);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
