// Deformables that a program adds to a model, and access to them.

#include "sinew/deformable.h"

#include "math/math.h"
#include "spec/element.h"

int sn_addDeformable(snSpec* s, snsDeformable* deformable, const snVFS* vfs, snModel* m,
                     snData* d) {
  if (!s || !deformable || !m) return -1;
  if (sn_elem(deformable->element)->spec != s) {
    sn_specError(s, 0, "Error: the deformable is of another spec");
    return -1;
  }
  deformable->registered = 1;
  if (sn_recompile(s, vfs, m, d) < 0) return -1;
  return sn_elem(deformable->element)->id;
}

int sn_getDeformable(const snModel* m, snData* d, int index, snDeformableView* view) {
  if (index < 0 || index >= (int)m->ndeformable) {
    snu_error("sn_getDeformable: index %d out of range, there are %d deformables", index,
              (int)m->ndeformable);
    return -1;
  }
  int adr = m->deformable_vertadr[index];
  view->type = (snDeformable)m->deformable_type[index];
  view->nvert = m->deformable_vertnum[index];
  view->invmass = m->deformvert_invmass + adr;
  view->colliding = d->deformvert_colliding + adr;
  view->xpos = d->deformvert_xpos + 3 * adr;
  view->xvel = d->deformvert_xvel + 3 * adr;
  return 0;
}

int sn_deformContactForce(const snModel* m, const snData* d, int index, snReal force[3]) {
  if (index < 0 || index >= d->ndeformcon) {
    snu_error("sn_deformContactForce: index %d out of range, there are %d contacts", index,
              d->ndeformcon);
    return -1;
  }
  snReal wrench[6];
  sn_contactForce(m, d, d->ncon + index, wrench);
  snu_copy3(force, wrench);
  return 0;
}
