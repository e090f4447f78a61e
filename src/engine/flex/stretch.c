// Elastic stretch of triangles and tetrahedra, with damping: MuJoCo's law of squared edge lengths.
//
// Strains of the edges, tensions by element (the law), tensions by edge, forces by vertex: each is a loop
// over items that collect what the one before left.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/law.h"

// e = l^2 - L^2 + (damping / h) (l^2 - l_before^2), with l_before = l - h dl/dt
static void strains(const snModel* m, const snData* d, int flex, snReal* strain) {
  SN_ASSERT_INDEX(flex, m->nflex);
  snReal h = m->opt.timestep, rate = h > 0 ? m->flex_damping[flex] / h : 0;
  int first = m->flex_edgeadr[flex];
  const snReal *length = d->flexedge_length + first, *rest = m->flexedge_length0 + first;
  const snReal* velocity = d->flexedge_velocity + first;
  SN_FOR(i, m->flex_edgenum[flex]) {
    snReal before = length[i] - velocity[i] * h, square = length[i] * length[i];
    strain[i] = square - rest[i] * rest[i] + (square - before * before) * rate;
  }
  SN_SYNC();
}

// the law for n elements with edges known to the compiler
SN_KERNEL void tensionsOf(const snReal* stiffness, const int* edge, int count, int n,
                          const snReal* strain, snReal* tension) {
  SN_FOR(e, count) {
    snReal own[6];
    for (int i = 0; i < n; i++) own[i] = strain[edge[n * e + i]];
    sn_stVenantKirchhoff(stiffness + 21 * (snSize)e, n, own, tension + (snSize)n * e);
  }
}

static void elementTensions(const snModel* m, int flex, const snReal* strain, snReal* tension) {
  SN_ASSERT_INDEX(flex, m->nflex);
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[flex];
  const snReal* stiffness = m->flex_stiffness + 21 * (snSize)m->flex_elemadr[flex];
  int count = m->flex_elemnum[flex];
  if (m->flex_dim[flex] == 3) {
    tensionsOf(stiffness, edge, count, 6, strain, tension);
  } else {
    tensionsOf(stiffness, edge, count, 3, strain, tension);
  }
  SN_SYNC();
}

// over the elements of each edge, in their order
static void edgeTensions(const snModel* m, int flex, const snReal* tension, snReal* sum) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_edgeadr[flex];
  const snReal* own = tension - m->flex_elemedgeadr[flex];
  SN_FOR(i, m->flex_edgenum[flex]) {
    const int* entry = m->flexedge_elem + m->flexedge_elemadr[first + i];
    snReal total = 0;
    for (int k = 0; k < m->flexedge_elemnum[first + i]; k++) total += own[entry[k]];
    sum[i] = total;
  }
  SN_SYNC();
}

// force = sum over the edges of t (x_other - x)
static void vertexForces(const snModel* m, const snData* d, int flex, const snReal* tension,
                         snReal* force) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_vertadr[flex];
  const snReal* own = tension - m->flex_edgeadr[flex];
  const snReal* xpos = d->flexvert_xpos + 3 * first;
  SN_FOR(i, m->flex_vertnum[flex]) {
    int vertex = first + i, n = m->flexvert_edgenum[vertex];
    const int* entry = m->flexvert_edge + m->flexvert_edgeadr[vertex];
    const snReal* x = xpos + 3 * i;
    snReal sum[3] = {0, 0, 0};
    for (int k = 0; k < n; k++) {
      const snReal* other = xpos + 3 * m->flex_edge[entry[k] ^ 1];
      snReal t = own[entry[k] >> 1];
      for (int c = 0; c < 3; c++) sum[c] += t * (other[c] - x[c]);
    }
    snu_addTo3(force + 3 * vertex, sum);
  }
  SN_SYNC();
}

int sn_flexStretches(const snModel* m, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  return m->flex_dim[flex] > 1 && !m->flex_rigid[flex] && m->flex_elemnum[flex] &&
         m->flex_stiffness[21 * m->flex_elemadr[flex]] != 0;
}

void sn_flexStretch(const snModel* m, snData* d, int flex, snReal* force) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int nedge = m->flex_edgenum[flex], n = m->flex_elemnum[flex] * (m->flex_dim[flex] == 3 ? 6 : 3);
  sn_markStack(d);
  snReal *strain = SN_STACK(d, snReal, nedge), *tension = SN_STACK(d, snReal, n);
  if (strain && tension) {
    strains(m, d, flex, strain);
    elementTensions(m, flex, strain, tension);
    edgeTensions(m, flex, tension, strain);
    vertexForces(m, d, flex, strain, force);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
