// Bending of surfaces: gradients by flap, then forces by vertex, collected over the flaps that it belongs to.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/law.h"

// corners of the flap of an edge: both ends, then the vertices opposite; over the vertices of the flex
static void flapCorners(const snModel* m, int edge, int corner[4]) {
  corner[0] = m->flex_edge[2 * edge];
  corner[1] = m->flex_edge[2 * edge + 1];
  corner[2] = m->flex_edgeflap[2 * edge];
  corner[3] = m->flex_edgeflap[2 * edge + 1];
}

static void loadCorner(snReal x[12], int c, const snReal* position) {
  for (int k = 0; k < 3; k++) x[4 * k + c] = position[k];
}

// of the positions; border edges have no flap
static void springs(const snModel* m, const snData* d, int flex, snReal* gradient) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_edgeadr[flex], model = m->flex_bendingmodel[flex];
  const snReal *xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex], limit = sn_flexLimit(m);
  SN_FOR(i, m->flex_edgenum[flex]) {
    int edge = first + i, corner[4];
    snReal x[12];
    flapCorners(m, edge, corner);
    if (corner[3] < 0) continue;
    for (int c = 0; c < 4; c++) loadCorner(x, c, xpos + 3 * corner[c]);
    sn_bendingSpring(model, m->flex_bending + 17 * (snSize)edge, limit, x,
                     gradient + 12 * (snSize)i);
  }
  SN_SYNC();
}

// velocity of a corner; MuJoCo takes the first three of its body for it, bodies of fewer dofs have none
static void cornerVelocity(const snModel* m, const snData* d, int flex, int corner, snReal v[3]) {
  int vertex = m->flex_vertadr[flex] + corner, body = m->flex_vertbodyid[vertex];
  if (m->flex_bendingmodel[flex]) {
    sn_flexVertexVelocity(m, d, vertex, v);
  } else if (m->body_dofnum[body] < 3) {
    snu_zero3(v);
  } else {
    snu_copy3(v, d->qvel + m->body_dofadr[body]);
  }
}

static void dampers(const snModel* m, const snData* d, int flex, snReal* gradient) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_edgeadr[flex], model = m->flex_bendingmodel[flex];
  const snReal* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  snReal limit = sn_flexLimit(m);
  SN_FOR(i, m->flex_edgenum[flex]) {
    int edge = first + i, corner[4];
    snReal x[12], v[12], velocity[3];
    flapCorners(m, edge, corner);
    if (corner[3] < 0) continue;
    for (int c = 0; c < 4; c++) {
      cornerVelocity(m, d, flex, corner[c], velocity);
      loadCorner(v, c, velocity);
      loadCorner(x, c, xpos + 3 * corner[c]);
    }
    sn_bendingDamper(model, m->flex_bending + 17 * (snSize)edge, limit, x, v,
                     gradient + 12 * (snSize)i);
  }
  SN_SYNC();
}

// force -= scale * gradients of the flaps of each vertex
static void collectFlaps(const snModel* m, int flex, const snReal* gradient, snReal scale,
                         snReal* force) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_vertadr[flex];
  const snReal* own = gradient - 12 * (snSize)m->flex_edgeadr[flex];
  SN_FOR(i, m->flex_vertnum[flex]) {
    int vertex = first + i;
    const int* entry = m->flexvert_flap + m->flexvert_flapadr[vertex];
    snReal sum[3] = {0, 0, 0};
    for (int k = 0; k < m->flexvert_flapnum[vertex]; k++) {
      const snReal* part = own + 12 * (snSize)(entry[k] >> 2) + (entry[k] & 3);
      for (int c = 0; c < 3; c++) sum[c] += part[4 * c];
    }
    snu_addToScl3(force + 3 * vertex, sum, -scale);
  }
  SN_SYNC();
}

int sn_flexBends(const snModel* m, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_vertadr[flex], last = first + m->flex_vertnum[flex] - 1;
  if (m->flex_dim[flex] != 2 || m->flex_rigid[flex] || m->flex_interp[flex]) return 0;
  return last >= first &&
         m->flexvert_flapadr[last] + m->flexvert_flapnum[last] > m->flexvert_flapadr[first];
}

void sn_flexBend(const snModel* m, snData* d, int flex, snReal* spring, snReal* damper) {
  SN_ASSERT_INDEX(flex, m->nflex);
  snReal damping = m->flex_bendingmodel[flex] ? 1 : m->flex_damping[flex];
  sn_markStack(d);
  snReal* gradient = SN_STACK(d, snReal, 12 * m->flex_edgenum[flex]);
  if (gradient) {
    if (spring) {
      springs(m, d, flex, gradient);
      collectFlaps(m, flex, gradient, 1, spring);
    }
    if (damper && damping != 0) {
      dampers(m, d, flex, gradient);
      collectFlaps(m, flex, gradient, damping, damper);
    }
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
