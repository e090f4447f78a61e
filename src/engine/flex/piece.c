#include "engine/flex/piece.h"

#include "base/assert.h"
#include "base/team.h"
#include "math/math.h"

// ---- elements

void sn_flexElement(const snModel* m, const snData* d, int flex, int element, snElement* e,
                    int vertex[4]) {
  SN_ASSERT_INDEX(element, m->flex_elemnum[flex]);
  int count = sn_elementCorners(m, flex, element, vertex);
  snReal x[12];
  for (int c = 0; c < count; c++) snu_copy3(x + 3 * c, d->flexvert_xpos + 3 * vertex[c]);
  sn_loadElement(e, m->flex_stiffness + 21 * (snSize)(m->flex_elemadr[flex] + element), count - 1,
                 x);
}

static const snReal* paramOf(const snModel* m, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  return m->flex_elasticparam + snNFLEXPARAM * flex;
}

void sn_flexModes(const snModel* m, int flex, const snElement* e, snModes* modes) {
  sn_elementModes(e, m->flex_elasticmodel[flex], paramOf(m, flex), modes);
}

void sn_flexViscosity(const snModel* m, int flex, snReal lame[2]) {
  sn_lameAtRest(m->flex_elasticmodel[flex], paramOf(m, flex), m->flex_dim[flex], lame, lame + 1);
  for (int k = 0; k < 2; k++) lame[k] *= m->flex_damping[flex];
}

// ---- sums by vertex, in the order of the pieces

void sn_collectElements(const snModel* m, int flex, const snReal* part, snReal* force) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_vertadr[flex];
  const snReal* own = part - 3 * (snSize)m->flex_elemdataadr[flex];
  SN_FOR(i, m->flex_vertnum[flex]) {
    int vertex = first + i;
    const int* entry = m->flexvert_elem + m->flexvert_elemadr[vertex];
    for (int k = 0; k < m->flexvert_elemnum[vertex]; k++) {
      snu_addTo3(force + 3 * vertex, own + 3 * (snSize)entry[k]);
    }
  }
  SN_SYNC();
}

void sn_collectFlaps(const snModel* m, int flex, const snReal* part, snReal scale, snReal* force) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_vertadr[flex];
  const snReal* own = part - 12 * (snSize)m->flex_edgeadr[flex];
  SN_FOR(i, m->flex_vertnum[flex]) {
    int vertex = first + i;
    const int* entry = m->flexvert_flap + m->flexvert_flapadr[vertex];
    snReal sum[3] = {0, 0, 0};
    for (int k = 0; k < m->flexvert_flapnum[vertex]; k++) {
      const snReal* corner = own + 12 * (snSize)(entry[k] >> 2) + (entry[k] & 3);
      for (int c = 0; c < 3; c++) sum[c] += corner[4 * c];
    }
    snu_addToScl3(force + 3 * vertex, sum, -scale);
  }
  SN_SYNC();
}
