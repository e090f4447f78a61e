// Accelerations without constraints.

#include "base/crew.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/force.h"
#include "engine/smooth/inertia.h"
#include "engine/step/plan.h"
#include "engine/step/stages.h"
#include "math/decomp.h"
#include "math/math.h"

static void solveListed(const snModel* m, snData* d, const snInertia* inertia) {
  sn_solveTree(d->qacc_smooth, inertia->LD, inertia->LDiagInv, d->nv_awake, (int)m->nv, 1,
               inertia->rownnz, inertia->rowadr, inertia->colind, d->dof_awake_ind);
}

// forces that are known by dof
static void sumForces(const snModel* m, snData* d) {
  SN_ASSERT(d->nv_awake <= (int)m->nv);
  SN_FOR(k, d->nv_awake) {
    int dof = d->dof_awake_ind[k];
    d->qfrc_smooth[dof] =
        d->qfrc_passive[dof] - d->qfrc_bias[dof] + d->qfrc_applied[dof] + d->qfrc_actuator[dof];
  }
  SN_SYNC();
}

static void startFromForces(snData* d) {
  SN_FOR(k, d->nv_awake) {
    int dof = d->dof_awake_ind[k];
    d->qacc_smooth[dof] = d->qfrc_smooth[dof];
  }
  SN_SYNC();
}

static void accelerateBlock(const snModel* m, snData* view, void* context) {
  sumForces(m, view);
  sn_addListedForces(m, view, 1, view->qfrc_smooth);
  startFromForces(view);
  solveListed(m, view, (const snInertia*)context);
}

// By several threads; returns 0 when it was not done. The inertia of the spring-damper integrator may couple trees.
static int accelerationShared(const snModel* m, snData* d, snInertia* inertia) {
  return sn_hasCrew(d) && inertia->LD == d->qLD && !sn_leavesOutM(m, d) &&
         m->opt.integrator != snINT_IMPLICITSPRINGDAMPER &&
         sn_shareTrees(m, d, 0, accelerateBlock, inertia);
}

static SN_OUTLINE void acceleration(const snModel* m, snData* d) {
  snInertia inertia = sn_systemInertia(m, d);
  if (SN_LANES > 1 && !sn_leavesOutM(m, d) && sn_smoothForcePass(m, d)) {
    solveListed(m, d, &inertia);
    return;
  }
  if (accelerationShared(m, d, &inertia)) return;
  sumForces(m, d);
  sn_xfrcAccumulate(m, d, d->qfrc_smooth);
  if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER) {
    sn_addSpringRate(m, d, d->qvel, -1, d->qfrc_smooth);
  }
  startFromForces(d);
  if (sn_leavesOutM(m, d)) {
    sn_solveArticulated(m, d, d->qacc_smooth, 1, NULL, 1);
    return;
  }
  solveListed(m, d, &inertia);
}

SN_STAGE void sn_fwdAcceleration(const snModel* m, snData* d) {
  if (!sn_plans(m, d, snPLAN_ACCELERATION) || !sn_accelerationLanes(m, d)) acceleration(m, d);
}
