// Flexes: the position stage.

#include "engine/flex/flex.h"

void sn_flex(const snModel* m, snData* d) {
  if (!m->nflex) return;
  sn_flexVertices(m, d);
  sn_flexBoxes(m, d);
  sn_flexEdges(m, d);
  sn_flexMetrics(m, d);
}
