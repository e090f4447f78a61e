#include "engine/smooth/force.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/misuse.h"
#include "engine/smooth/jacobian.h"
#include "math/math.h"

void sn_wrenchAtCom(const snModel* m, const snData* d, const snReal force[3],
                    const snReal torque[3], const snReal point[3], int body, snReal wrench[6]) {
  SN_ASSERT_INDEX(body, m->nbody);
  snReal arm[3];
  snu_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  snu_cross(wrench, arm, force);
  snu_addTo3(wrench, torque);
  snu_copy3(wrench + 3, force);
}

void sn_addWrench(const snModel* m, const snData* d, const snReal force[3], const snReal torque[3],
                  const snReal point[3], int body, snReal* qfrc) {
  SN_ASSERT_INDEX(body, m->nbody);
  // moved to the com of the tree, the wrench does work on each motion axis: qfrc_i = cdof_i .
  // wrench
  snReal wrench[6];
  sn_wrenchAtCom(m, d, force, torque, point, body, wrench);
  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    qfrc[dof] += sn_dot6(d->cdof + 6 * dof, wrench);
  }
}

snReal* sn_takeWrenches(const snModel* m, snData* d) {
  sn_markStack(d);
  snReal* wrench = SN_STACK(d, snReal, 6 * m->nbody);
  if (!wrench) sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  return wrench;
}

void sn_addWrenches(const snModel* m, snData* d, snReal* wrench, snReal* qfrc) {
  SN_SYNC();
  if (wrench) {
    sn_sumSubtrees(m, wrench, 6, (int)m->nbody, NULL);
    SN_FOR(dof, m->nv) qfrc[dof] += sn_dot6(d->cdof + 6 * dof, wrench + 6 * m->dof_bodyid[dof]);
  }
  sn_freeStackOf(d, "sn_takeWrenches");
}

void sn_applyFT(const snModel* m, snData* d, const snReal force[3], const snReal torque[3],
                const snReal point[3], int body, snReal* qfrc_target) {
  if (!SN_IS_DATA_OF(m, d, "sn_applyFT")) return;
  const snReal none[3] = {0, 0, 0};
  if (body < 0 || body >= (int)m->nbody) {
    snu_error("sn_applyFT: invalid body %d", body);
    return;
  }
  sn_addWrench(m, d, force ? force : none, torque ? torque : none, point, body, qfrc_target);
}

static void addBodyForcesTeam(const snModel* m, snData* d, const snReal* xfrc, snReal* qfrc) {
  int some = 0;
  SN_FOR(i, 6 * (m->nbody - 1)) some |= xfrc[6 + i] != 0;
  if (!sn_teamAny(some)) return;
  snReal* wrench = sn_takeWrenches(m, d);
  SN_FOR(body, wrench ? m->nbody : 0) {
    const snReal *force = xfrc + 6 * body, *torque = force + 3;
    sn_wrenchAtCom(m, d, force, torque, d->xipos + 3 * body, body, wrench + 6 * body);
  }
  sn_addWrenches(m, d, wrench, qfrc);
}

SN_WIDE(static, int, hasForce, (const snReal* vec, int n), (vec, n)) {
  int some = 0, i = 0;
#if SN_HAS_FOUR
  snFour zero = {0, 0, 0, 0};
  __typeof__(zero != zero) found = zero != zero;
  for (; i + 4 <= n; i += 4) found |= SN_LOAD4(vec + i) != zero;
  some = found[0] || found[1] || found[2] || found[3];
#endif
  for (; i < n; i++) some |= vec[i] != 0;
  return some;
}

void sn_addBodyForces(const snModel* m, snData* d, const snReal* xfrc, snReal* qfrc) {
  if (SN_LANES > 1) {
    addBodyForcesTeam(m, d, xfrc, qfrc);
    return;
  }
  if (!hasForce(xfrc, 6 * (int)m->nbody)) return;
  for (int body = 1; body < (int)m->nbody; body++) {
    const snReal *force = xfrc + 6 * body, *torque = force + 3;
    if (snu_isZero(force, 6)) continue;
    sn_addWrench(m, d, force, torque, d->xipos + 3 * body, body, qfrc);
  }
}

void sn_addListedForces(const snModel* m, const snData* d, int first, snReal* qfrc) {
  for (int i = first; i < d->nbody_awake; i++) {
    int body = d->body_awake_ind[i];
    const snReal* force = d->xfrc_applied + 6 * body;
    if (!body || snu_isZero(force, 6)) continue;
    sn_addWrench(m, d, force, force + 3, d->xipos + 3 * body, body, qfrc);
  }
}

void sn_xfrcAccumulate(const snModel* m, snData* d, snReal* qfrc) {
  if (SN_LANES == 1 && d->nbody_awake < (int)m->nbody) {  // all that is pushed is awake
    sn_addListedForces(m, d, 0, qfrc);
    return;
  }
  sn_addBodyForces(m, d, d->xfrc_applied, qfrc);
}
