// Elastic and viscous forces of elements by the laws of flex/material.h: forces by element, then by vertex,
// collected over the elements that it belongs to.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/element.h"
#include "engine/flex/flex.h"
#include "engine/flex/law.h"

int sn_flexHasLaws(const snModel* m) {
  int some = 0;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    some |= sn_flexIsSoft(m, flex) || m->flex_bendingmodel[flex] > 0;
  }
  return some;
}

// ---- one element

// corners of an element, over all flexes
static void elementCorners(const snModel* m, int flex, int element, int corner[4]) {
  int n = m->flex_dim[flex];
  const int* vertex = m->flex_elem + m->flex_elemdataadr[flex] + (n + 1) * element;
  for (int c = 0; c <= n; c++) corner[c] = m->flex_vertadr[flex] + vertex[c];
}

static void loadElement(const snModel* m, const snData* d, int flex, int element, snElement* e) {
  int n = m->flex_dim[flex], corner[4];
  snReal x[12];
  elementCorners(m, flex, element, corner);
  for (int c = 0; c <= n; c++) snu_copy3(x + 3 * c, d->flexvert_xpos + 3 * corner[c]);
  sn_loadElement(e, m->flex_stiffness + 21 * (snSize)(m->flex_elemadr[flex] + element), n, x);
}

static void springForce(const snModel* m, const snData* d, int flex, int element,
                        snReal force[12]) {
  snElement e;
  snModes modes;
  snReal P[9];
  loadElement(m, d, flex, element, &e);
  sn_elementModes(&e, m->flex_elasticmodel[flex], m->flex_elasticparam + snNFLEXPARAM * flex,
                  &modes);
  sn_elementStress(&modes, e.n, P);
  sn_addElementForce(&e, P, force);
}

static void damperForce(const snModel* m, const snData* d, int flex, int element,
                        const snReal lame[2], snReal force[12]) {
  int corner[4];
  snElement e;
  snReal v[12], rate[9], P[9];
  loadElement(m, d, flex, element, &e);
  elementCorners(m, flex, element, corner);
  for (int c = 0; c <= e.n; c++) sn_flexVertexVelocity(m, d, corner[c], v + 3 * c);
  sn_elementGradient(&e, v, rate);
  sn_viscousStress(&e, lame[0], lame[1], rate, P);
  sn_addElementForce(&e, P, force);
}

// ---- all of a flex

// force += what the elements of each vertex pull it by, in their order
static void collectElements(const snModel* m, int flex, const snReal* element, snReal* force) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_vertadr[flex];
  const snReal* own = element - 3 * (snSize)m->flex_elemdataadr[flex];
  SN_FOR(i, m->flex_vertnum[flex]) {
    int vertex = first + i;
    const int* entry = m->flexvert_elem + m->flexvert_elemadr[vertex];
    for (int k = 0; k < m->flexvert_elemnum[vertex]; k++) {
      snu_addTo3(force + 3 * vertex, own + 3 * (snSize)entry[k]);
    }
  }
  SN_SYNC();
}

static void springs(const snModel* m, const snData* d, int flex, snReal* force) {
  int stride = 3 * (m->flex_dim[flex] + 1);
  SN_FOR(e, m->flex_elemnum[flex]) {
    snu_zero(force + (snSize)stride * e, stride);
    springForce(m, d, flex, e, force + (snSize)stride * e);
  }
  SN_SYNC();
}

static void dampers(const snModel* m, const snData* d, int flex, snReal* force) {
  int n = m->flex_dim[flex], stride = 3 * (n + 1);
  snReal lame[2], damping = m->flex_damping[flex];
  sn_lameAtRest(m->flex_elasticmodel[flex], m->flex_elasticparam + snNFLEXPARAM * flex, n, lame,
                lame + 1);
  for (int k = 0; k < 2; k++) lame[k] *= damping;
  SN_FOR(e, m->flex_elemnum[flex]) {
    snu_zero(force + (snSize)stride * e, stride);
    damperForce(m, d, flex, e, lame, force + (snSize)stride * e);
  }
  SN_SYNC();
}

void sn_flexSoft(const snModel* m, snData* d, int flex, snReal* spring, snReal* damper) {
  SN_ASSERT_INDEX(flex, m->nflex);
  sn_markStack(d);
  snReal* force = SN_STACK(d, snReal, 3 * (m->flex_dim[flex] + 1) * m->flex_elemnum[flex]);
  if (force) {
    if (spring) {
      springs(m, d, flex, force);
      collectElements(m, flex, force, spring);
    }
    if (damper && m->flex_damping[flex] != 0) {
      dampers(m, d, flex, force);
      collectElements(m, flex, force, damper);
    }
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}

// ---- energy

static snReal elementEnergy(const snModel* m, const snData* d, int flex, int element) {
  snElement e;
  snModes modes;
  loadElement(m, d, flex, element, &e);
  sn_elementModes(&e, m->flex_elasticmodel[flex], m->flex_elasticparam + snNFLEXPARAM * flex,
                  &modes);
  return e.weight * modes.law.energy;
}

static snReal hingeEnergy(const snModel* m, const snData* d, int flex, int edge) {
  const int *end = m->flex_edge + 2 * edge, *flap = m->flex_edgeflap + 2 * edge;
  snReal x[12];
  if (flap[1] < 0) return 0;
  for (int c = 0; c < 4; c++) {
    int vertex = m->flex_vertadr[flex] + (c < 2 ? end[c] : flap[c - 2]);
    for (int k = 0; k < 3; k++) x[4 * k + c] = d->flexvert_xpos[3 * vertex + k];
  }
  return sn_hingeEnergy(m->flex_bending + 17 * (snSize)edge, x);
}

snReal sn_flexLawEnergy(const snModel* m, const snData* d) {
  snReal energy = 0;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (sn_flexIsSoft(m, flex) && sn_flexStretches(m, flex)) {
      SN_FOR(e, m->flex_elemnum[flex]) energy += elementEnergy(m, d, flex, e);
    }
    if (m->flex_bendingmodel[flex] > 0 && sn_flexBends(m, flex)) {
      SN_FOR(e, m->flex_edgenum[flex]) {
        energy += hingeEnergy(m, d, flex, m->flex_edgeadr[flex] + e);
      }
    }
  }
  return energy;
}
