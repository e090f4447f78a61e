// Velocities of the rows and the accelerations that they ask for.

#include "base/crew.h"
#include "engine/constrain/constraint.h"
#include "engine/lanes/lanes.h"
#include "engine/step/plan.h"

static SN_OUTLINE void referenceOfRows(snData* d, int begin, int end) {
  if (begin == end) return;
  snRows J = sn_rowsFrom(d, begin);
  sn_mulRowsVec(d->efc_vel + begin, &J, d->qvel, end - begin);
  SN_FOR(k, end - begin) {
    int i = begin + k;
    d->efc_aref[i] =
        sn_rowReference(d->efc_KBIP + 4 * i, d->efc_pos[i], d->efc_margin[i], d->efc_vel[i]);
  }
  SN_SYNC();
}

enum { PARTS = 16, LEAST_ROWS = 256 };

static void referenceOfSome(const snModel* m, snData* d, void* context, int begin, int end) {
  snRange range[3];
  (void)context;
  sn_rowsOfParts(m, d, begin, end, PARTS, range);
  for (int k = 0; k < 3; k++) referenceOfRows(d, range[k].begin, range[k].end);
}

SN_STAGE void sn_referenceConstraint(const snModel* m, snData* d) {
  if (!d->nefc) return;
  if (sn_plans(m, d, snPLAN_ROW_PRODUCTS)) {
    sn_referenceLanes(m, d);
  } else {
    SN_SHARE(m, d, PARTS, d->nefc < LEAST_ROWS ? PARTS : 1, referenceOfSome, NULL);
  }
}
