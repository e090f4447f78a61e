// Contacts that are springs: those of flexes with the attribute passive get no rows, only a force.

#include "engine/constrain/constraint.h"
#include "engine/constrain/contact_side.h"
#include "engine/flex/flex.h"
#include "engine/smooth/force.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/passive.h"
#include "math/math.h"

// qfrc_spring += J' f with f = -k dist along the normal: the sign follows the distance, so a contact within
// the margin attracts.
static void addSpring(const snModel* m, snData* d, snContact* con) {
  static const snReal kNoTorque[3] = {0, 0, 0};
  int moves = 0;
  for (int s = 0; s < 2; s++) {
    snContactSide side;
    sn_contactSide(m, d, con, s, &side);
    for (int k = 0; k < side.n; k++) {
      snReal force[3], weight = s ? side.weight[k] : -side.weight[k];
      if (sn_lastDof(m, side.body[k]) < 0) continue;
      snu_scl3(force, con->frame, -snCONTACT_STIFFNESS * con->dist * weight);
      sn_addWrench(m, d, force, kNoTorque, con->pos, side.body[k], d->qfrc_spring);
      moves = 1;
    }
  }
  if (!moves && sn_isSparse(m)) con->exclude = snEXCLUDE_NODOFS;  // a dense row has all dofs
}

void sn_flexPassiveContacts(const snModel* m, snData* d) {
  if ((m->opt.disableflags & snDSBL_CONTACT) || !m->nv) return;
  SN_ONE {
    for (int id = 0; id < d->ncon; id++) {
      if (d->contact[id].exclude == snEXCLUDE_PASSIVE) addSpring(m, d, d->contact + id);
    }
  }
  SN_SYNC();
}
