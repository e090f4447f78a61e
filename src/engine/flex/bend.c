// Bending of surfaces: gradients by flap, then forces by vertex (flex/piece.h).

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/law.h"
#include "engine/flex/piece.h"

// of the positions; border edges have no flap
static void springs(const snModel* m, const snData* d, int flex, snReal* gradient) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_edgeadr[flex], model = m->flex_bendingmodel[flex];
  snReal limit = sn_flexLimit(m);
  SN_FOR(i, m->flex_edgenum[flex]) {
    int vertex[4];
    snReal x[12];
    if (!sn_flapCorners(m, flex, first + i, vertex)) continue;
    sn_loadFlap(vertex, d->flexvert_xpos, x);
    sn_bendingSpring(model, sn_flapLaw(m, first + i), limit, x, gradient + 12 * (snSize)i);
  }
  SN_SYNC();
}

// velocity of a corner; MuJoCo takes the first three of its body for it, bodies of fewer dofs have none
static void cornerVelocity(const snModel* m, const snData* d, int flex, int vertex, snReal v[3]) {
  SN_ASSERT_INDEX(vertex, m->nflexvert);
  int body = m->flex_vertbodyid[vertex];
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
  snReal limit = sn_flexLimit(m);
  SN_FOR(i, m->flex_edgenum[flex]) {
    int vertex[4];
    snReal x[12], v[12], velocity[3];
    if (!sn_flapCorners(m, flex, first + i, vertex)) continue;
    sn_loadFlap(vertex, d->flexvert_xpos, x);
    for (int c = 0; c < 4; c++) {
      cornerVelocity(m, d, flex, vertex[c], velocity);
      for (int k = 0; k < 3; k++) v[4 * k + c] = velocity[k];
    }
    sn_bendingDamper(model, sn_flapLaw(m, first + i), limit, x, v, gradient + 12 * (snSize)i);
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
      sn_collectFlaps(m, flex, gradient, 1, spring);
    }
    if (damper && damping != 0) {
      dampers(m, d, flex, gradient);
      sn_collectFlaps(m, flex, gradient, damping, damper);
    }
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
