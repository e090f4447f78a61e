// The contact list, seen from outside: add one, read the force of one.

#include "base/arena.h"
#include "engine/constraint.h"
#include "math/math.h"

int sn_addContact(const snModel* m, snData* d, const snContact* con) {
  (void)m;
  sn_clearConstraints(d);
  snContact* slot = (snContact*)sn_arenaAlloc(d, sizeof(snContact), sizeof(snReal));
  if (!slot) {
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
    return 1;
  }
  if (d->ncon == 0) d->contact = slot;
  *slot = *con;
  d->ncon++;
  return 0;
}

void sn_contactForce(const snModel* m, const snData* d, int id, snReal result[6]) {
  snu_zero(result, 6);
  if (id < 0 || id >= d->ncon || d->contact[id].efc_address < 0 || !d->efc_force) return;
  const snContact* con = d->contact + id;
  const snReal* force = d->efc_force + con->efc_address;
  if (sn_isPyramidal(m)) {
    snu_decodePyramid(result, force, con->friction, con->dim);
  } else {
    snu_copy(result, force, con->dim);
  }
}
