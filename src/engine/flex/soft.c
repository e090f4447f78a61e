// Elastic and viscous forces of elements by the laws of flex/material.h: forces by element, then by vertex (flex/piece.h).

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/law.h"
#include "engine/flex/piece.h"

int sn_flexHasLaws(const snModel* m) {
  int some = 0;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    some |= sn_flexIsSoft(m, flex) || m->flex_bendingmodel[flex] > 0;
  }
  return some;
}

// ---- one element

static void springForce(const snModel* m, const snData* d, int flex, int element,
                        snReal force[12]) {
  int vertex[4];
  snElement e;
  snModes modes;
  snReal P[9];
  sn_flexElement(m, d, flex, element, &e, vertex);
  sn_flexModes(m, flex, &e, &modes);
  sn_elementStress(&modes, P);
  sn_addElementForce(&e, P, force);
}

static void damperForce(const snModel* m, const snData* d, int flex, int element,
                        const snReal lame[2], snReal force[12]) {
  int vertex[4];
  snElement e;
  snReal v[12], rate[9], P[9];
  sn_flexElement(m, d, flex, element, &e, vertex);
  for (int c = 0; c <= e.n; c++) sn_flexVertexVelocity(m, d, vertex[c], v + 3 * c);
  sn_elementGradient(&e, v, rate);
  sn_viscousStress(&e, lame[0], lame[1], rate, P);
  sn_addElementForce(&e, P, force);
}

// ---- all of a flex

static void springs(const snModel* m, const snData* d, int flex, snReal* force) {
  int stride = 3 * (m->flex_dim[flex] + 1);
  SN_FOR(e, m->flex_elemnum[flex]) {
    snu_zero(force + (snSize)stride * e, stride);
    springForce(m, d, flex, e, force + (snSize)stride * e);
  }
  SN_SYNC();
}

static void dampers(const snModel* m, const snData* d, int flex, snReal* force) {
  int stride = 3 * (m->flex_dim[flex] + 1);
  snReal lame[2];
  sn_flexViscosity(m, flex, lame);
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
      sn_collectElements(m, flex, force, spring);
    }
    if (damper && m->flex_damping[flex] != 0) {
      dampers(m, d, flex, force);
      sn_collectElements(m, flex, force, damper);
    }
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}

// ---- energy

static snReal elementEnergy(const snModel* m, const snData* d, int flex, int element) {
  int vertex[4];
  snElement e;
  snModes modes;
  sn_flexElement(m, d, flex, element, &e, vertex);
  sn_flexModes(m, flex, &e, &modes);
  return e.weight * modes.law.energy;
}

static snReal hingeEnergy(const snModel* m, const snData* d, int flex, int edge) {
  SN_ASSERT_INDEX(edge, m->nflexedge);
  int vertex[4];
  snReal x[12];
  if (!sn_flapCorners(m, flex, edge, vertex)) return 0;
  sn_loadFlap(vertex, d->flexvert_xpos, x);
  return sn_hingeEnergy(sn_flapLaw(m, edge), x);
}

snReal sn_flexLawEnergy(const snModel* m, const snData* d) {
  snReal energy = 0;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (sn_flexHasElements(m, flex)) {
      SN_FOR(e, m->flex_elemnum[flex]) energy += elementEnergy(m, d, flex, e);
    }
    if (sn_flexHasHinges(m, flex)) {
      SN_FOR(e, m->flex_edgenum[flex]) {
        energy += hingeEnergy(m, d, flex, m->flex_edgeadr[flex] + e);
      }
    }
  }
  return energy;
}
