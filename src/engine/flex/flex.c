// Flexes: the stages that will move them. The compiler refuses models that have any; a model that
// came from elsewhere with a flex in it is told so here instead of being simulated wrongly.

#include "engine/smooth/passive.h"
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

snReal sn_rayFlex(const snModel* m, const snData* d, int flex_layer, snByte flg_vert,
                  snByte flg_edge, snByte flg_face, snByte flg_skin, int flexid,
                  const snReal pnt[3], const snReal vec[3], int vertid[1], snReal normal[3]) {
  (void)d, (void)flex_layer, (void)flg_vert, (void)flg_edge, (void)flg_face, (void)flg_skin;
  (void)flexid, (void)pnt, (void)vec, (void)normal;
  refuse(m);
  if (vertid) vertid[0] = -1;
  return -1;
}
