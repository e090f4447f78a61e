// The hinges of flexes, as one list: flaps of the edges of flexes that bend by hinges.

#include "sinew/sim.h"

int sn_flexHinges(const snModel* m, int* flexhinge_vert, snReal* flexhinge_angle0,
                  int* flexhinge_edge) {
  int n = 0;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (!m->flex_bendingmodel[flex]) continue;
    int first = m->flex_edgeadr[flex], vertices = m->flex_vertadr[flex];
    for (int edge = first; edge < first + m->flex_edgenum[flex]; edge++) {
      if (m->flex_edgeflap[2 * edge + 1] < 0) continue;
      for (int k = 0; flexhinge_vert && k < 2; k++) {
        flexhinge_vert[4 * n + k] = vertices + m->flex_edge[2 * edge + k];
        flexhinge_vert[4 * n + 2 + k] = vertices + m->flex_edgeflap[2 * edge + k];
      }
      if (flexhinge_angle0) flexhinge_angle0[n] = m->flex_bending[17 * (snSize)edge];
      if (flexhinge_edge) flexhinge_edge[n] = edge;
      n++;
    }
  }
  return n;
}
