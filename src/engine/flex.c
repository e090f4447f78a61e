// Flexes: the stages that will move them. The compiler refuses models that have any; a model that
// came from elsewhere with a flex in it is told so here instead of being simulated wrongly.

#include "engine/passive.h"
#include "sinew/sinew.h"

static void refuse(const snModel* m) {
  if (m->nflex) snu_error("flexes are not simulated yet: the model has %d", (int)m->nflex);
}

void sn_flex(const snModel* m, snData* d) {
  (void)d;
  refuse(m);
}

void sn_flexPassive(const snModel* m, snData* d, int hasSpring, int hasDamper) {
  (void)d, (void)hasSpring, (void)hasDamper;
  refuse(m);
}

void sn_flexPassiveContacts(const snModel* m, snData* d) {
  (void)d;
  refuse(m);
}
