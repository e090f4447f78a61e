#include "engine/force.h"

#include "engine/jacobian.h"
#include "math/math.h"

void sn_addWrench(const snModel* m, const snData* d, const snReal force[3], const snReal torque[3],
                  const snReal point[3], int body, snReal* qfrc) {
  // moved to the com of the tree, the wrench does work on each motion axis: qfrc_i = cdof_i .
  // wrench
  snReal arm[3], wrench[6];
  snu_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  snu_cross(wrench, arm, force);
  snu_addTo3(wrench, torque);
  snu_copy3(wrench + 3, force);
  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    qfrc[dof] += sn_dot6(d->cdof + 6 * dof, wrench);
  }
}

void sn_applyFT(const snModel* m, snData* d, const snReal force[3], const snReal torque[3],
                const snReal point[3], int body, snReal* qfrc_target) {
  const snReal none[3] = {0, 0, 0};
  if (body < 0 || body >= (int)m->nbody) {
    snu_error("sn_applyFT: invalid body %d", body);
    return;
  }
  sn_addWrench(m, d, force ? force : none, torque ? torque : none, point, body, qfrc_target);
}

void sn_xfrcAccumulate(const snModel* m, snData* d, snReal* qfrc) {
  for (int body = 1; body < (int)m->nbody; body++) {
    const snReal* xfrc = d->xfrc_applied + 6 * body;
    if (snu_isZero(xfrc, 6)) continue;
    sn_addWrench(m, d, xfrc, xfrc + 3, d->xipos + 3 * body, body, qfrc);
  }
}
