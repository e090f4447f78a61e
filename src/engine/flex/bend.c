// Bending of surfaces: forces by vertex, collected over the flaps that it belongs to.

#include "engine/flex/flex.h"
#include "engine/flex/law.h"

// corners of the flap of an edge: both ends, then the vertices opposite; over the vertices of the flex
static void flapCorners(const snModel* m, int edge, int corner[4]) {
  corner[0] = m->flex_edge[2 * edge];
  corner[1] = m->flex_edge[2 * edge + 1];
  corner[2] = m->flex_edgeflap[2 * edge];
  corner[3] = m->flex_edgeflap[2 * edge + 1];
}

// gradient of the bending energy of all flaps of a vertex
static void bendVertex(const snModel* m, const snData* d, int flex, int vertex, snReal sum[3]) {
  const int* entry = m->flexvert_flap + m->flexvert_flapadr[vertex];
  const snReal* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  snu_zero3(sum);
  for (int k = 0; k < m->flexvert_flapnum[vertex]; k++) {
    int edge = entry[k] >> 2, corner[4];
    const snReal* x[4];
    snReal gradient[3];
    flapCorners(m, edge, corner);
    for (int c = 0; c < 4; c++) x[c] = xpos + 3 * corner[c];
    sn_bendingSpring(m->flex_bendingmodel[flex], m->flex_bending + 17 * (snSize)edge, x,
                     entry[k] & 3, gradient);
    snu_addTo3(sum, gradient);
  }
}

// The same of velocities: MuJoCo takes the first three of a vertex's body for those of the vertex in the
// world. Bodies of fewer dofs have none.
static void dampVertex(const snModel* m, const snData* d, int flex, int vertex, snReal sum[3]) {
  const int* entry = m->flexvert_flap + m->flexvert_flapadr[vertex];
  const int* bodies = m->flex_vertbodyid + m->flex_vertadr[flex];
  const snReal still[3] = {0, 0, 0};
  snu_zero3(sum);
  for (int k = 0; k < m->flexvert_flapnum[vertex]; k++) {
    int edge = entry[k] >> 2, corner[4];
    const snReal* v[4];
    snReal gradient[3];
    flapCorners(m, edge, corner);
    for (int c = 0; c < 4; c++) {
      int body = bodies[corner[c]];
      v[c] = m->body_dofnum[body] < 3 ? still : d->qvel + m->body_dofadr[body];
    }
    sn_bendingDamper(m->flex_bendingmodel[flex], m->flex_bending + 17 * (snSize)edge, v,
                     entry[k] & 3, gradient);
    snu_addTo3(sum, gradient);
  }
}

void sn_flexBend(const snModel* m, const snData* d, int flex, snReal* spring, snReal* damper) {
  int first = m->flex_vertadr[flex];
  snReal damping = m->flex_damping[flex];
  SN_FOR(i, m->flex_vertnum[flex]) {
    int vertex = first + i;
    snReal sum[3];
    if (!m->flexvert_flapnum[vertex]) continue;
    if (spring) {
      bendVertex(m, d, flex, vertex, sum);
      snu_subFrom3(spring + 3 * vertex, sum);
    }
    if (damper && damping != 0) {
      dampVertex(m, d, flex, vertex, sum);
      snu_addToScl3(damper + 3 * vertex, sum, -damping);
    }
  }
  SN_SYNC();
}
