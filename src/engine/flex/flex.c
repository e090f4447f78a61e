// Flexes: the position stage.

#include "engine/flex/flex.h"

void sn_flex(const snModel* m, snData* d) {
  if (!m->nflex) return;
  sn_flexVertices(m, d);
  sn_flexBoxes(m, d);
  sn_flexEdges(m, d);
  sn_flexMetrics(m, d);
}

snReal sn_rayFlex(const snModel* m, const snData* d, int flex_layer, snByte flg_vert,
                  snByte flg_edge, snByte flg_face, snByte flg_skin, int flexid,
                  const snReal pnt[3], const snReal vec[3], int vertid[1], snReal normal[3]) {
  (void)d, (void)flex_layer, (void)flg_vert, (void)flg_edge, (void)flg_face, (void)flg_skin;
  (void)flexid, (void)pnt, (void)vec, (void)normal;
  if (m->nflex) snu_error("flexes are not simulated yet: the model has %d", (int)m->nflex);
  if (vertid) vertid[0] = -1;
  return -1;
}
