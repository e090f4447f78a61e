// Accelerations without constraints.

#include "engine/smooth/force.h"
#include "engine/smooth/inertia.h"
#include "engine/step/plan.h"
#include "engine/step/stages.h"
#include "math/decomp.h"
#include "math/math.h"

static SN_OUTLINE void acceleration(const snModel* m, snData* d) {
  SN_FOR(k, d->nv_awake) {
    int dof = d->dof_awake_ind[k];
    d->qfrc_smooth[dof] =
        d->qfrc_passive[dof] - d->qfrc_bias[dof] + d->qfrc_applied[dof] + d->qfrc_actuator[dof];
  }
  SN_SYNC();
  sn_xfrcAccumulate(m, d, d->qfrc_smooth);

  if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER) {
    sn_addSpringRate(m, d, d->qvel, -1, d->qfrc_smooth);
  }

  snInertia inertia = sn_systemInertia(m, d);
  SN_FOR(k, d->nv_awake) {
    int dof = d->dof_awake_ind[k];
    d->qacc_smooth[dof] = d->qfrc_smooth[dof];
  }
  SN_SYNC();
  sn_solveTree(d->qacc_smooth, inertia.LD, inertia.LDiagInv, d->nv_awake, (int)m->nv, 1,
               inertia.rownnz, inertia.rowadr, inertia.colind, d->dof_awake_ind);
}

// The same by lanes that have a dof each, with the factor that the position stage made, where nobody
// pushes bodies. Returns 0 when it is not so, having done nothing.
static int accelerationLanes(const snModel* m, snData* d) {
  int lane = SN_LANE, nv = (int)m->nv, dof = lane < nv ? lane : 0;
  int body = lane < (int)m->nbody ? lane : 0;
  snReal push[6], force, acc;
  sn_copy6(push, d->xfrc_applied + 6 * body);
  force = d->qfrc_passive[dof] - d->qfrc_bias[dof] + d->qfrc_applied[dof] + d->qfrc_actuator[dof];
  if (sn_warpAny((push[0] != 0) | (push[1] != 0) | (push[2] != 0) | (push[3] != 0) |
                 (push[4] != 0) | (push[5] != 0))) {
    return 0;
  }
  if (lane < nv) d->qfrc_smooth[lane] = force;
  acc = sn_solveTreeOf(lane < nv ? force : 0, d->qLD, d->qLDiagInv, nv, m->M_rownnz, m->M_rowadr,
                       m->M_colind);
  if (lane < nv) d->qacc_smooth[lane] = acc;
  SN_SYNC();
  return 1;
}

SN_STAGE void sn_fwdAcceleration(const snModel* m, snData* d) {
  if (!sn_plans(m, d, snPLAN_ACCELERATION) || !accelerationLanes(m, d)) acceleration(m, d);
}
