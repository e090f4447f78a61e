// Velocities of the rows and the accelerations that they ask for.

#include "engine/constrain/constraint.h"
#include "engine/lanes/lanes.h"
#include "engine/step/plan.h"

static SN_OUTLINE void reference(snData* d) {
  snRows J = sn_constraintRows(d);
  sn_mulRowsVec(d->efc_vel, &J, d->qvel, d->nefc);
  SN_FOR(i, d->nefc) {
    d->efc_aref[i] =
        sn_rowReference(d->efc_KBIP + 4 * i, d->efc_pos[i], d->efc_margin[i], d->efc_vel[i]);
  }
  SN_SYNC();
}

SN_STAGE void sn_referenceConstraint(const snModel* m, snData* d) {
  if (!d->nefc) return;
  if (sn_plans(m, d, snPLAN_ROW_PRODUCTS)) {
    sn_referenceLanes(m, d);
  } else {
    reference(d);
  }
}
