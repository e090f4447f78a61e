// Stretch around the vertices of a surface, which the flexvert equality holds.
//
// The edges e = (a, b) at a vertex, X at rest and x now, give the best linear map F (3 x 2) from the
// plane at rest: F = (sum w_e dx_e dX_e') G with G = (sum w_e dX_e dX_e')^-1, the flex_vertmetric. Its
// metric C = F' F has trace 2 and determinant 1 when nothing is stretched; flexvert_length holds both
// differences, times s, the square root of the mass of the vertex. With A = sum w_e dx_e dX_e',
//
//   d(tr C)  = 2 sum_e w_e (F G dX_e) . d(dx_e)
//   d(det C) = 2 sum_e w_e (F adj(C) G dX_e) . d(dx_e)

#include "base/assert.h"
#include "engine/flex/flex.h"
#include "math/math.h"
#include "math/sparse.h"

snReal sn_metricEdge(const snModel* m, const snFlexMetric* n, int k, int end[2], snReal rest[2]) {
  SN_ASSERT_INDEX(k, m->flex_vertedgenum[n->vertex]);
  int first = m->flex_vertadr[n->flex];
  int edge = m->flex_edgeadr[n->flex] + m->flex_vertedge[m->flex_vertedgeadr[n->vertex] + k];
  for (int k = 0; k < 2; k++) end[k] = first + m->flex_edge[2 * edge + k];
  const snReal *a = m->flex_vert0 + 3 * end[0], *b = m->flex_vert0 + 3 * end[1];
  for (int k = 0; k < 2; k++) rest[k] = 2 * m->flex_size[3 * n->flex + k] * (b[k] - a[k]);
  int other = end[0] == n->vertex ? end[1] : end[0];
  return snu_max((snReal)snMINVAL, m->body_mass[m->flex_vertbodyid[other]]);
}

void sn_metricMap(const snFlexMetric* n, const snReal sum[6], snReal map[6]) {
  const snReal* G = n->metric;
  for (int r = 0; r < 3; r++) {
    map[2 * r] = sum[2 * r] * G[0] + sum[2 * r + 1] * G[2];
    map[2 * r + 1] = sum[2 * r] * G[1] + sum[2 * r + 1] * G[3];
  }
}

void sn_metricAt(const snModel* m, const snData* d, int flex, int vertex, snFlexMetric* n) {
  SN_ASSERT_INDEX(vertex, m->nflexvert);
  snReal sum[6] = {0, 0, 0, 0, 0, 0}, mass = m->body_mass[m->flex_vertbodyid[vertex]];
  n->flex = flex;
  n->vertex = vertex;
  n->scale = mass > snMINVAL ? snu_sqrt(mass) : 1;
  for (int k = 0; k < m->flex_vertedgenum[vertex]; k++) {
    int end[2];
    snReal rest[2], now[3], weight = sn_metricEdge(m, n, k, end, rest);
    snu_sub3(now, d->flexvert_xpos + 3 * end[1], d->flexvert_xpos + 3 * end[0]);
    for (int r = 0; r < 3; r++) {
      sum[2 * r] += weight * now[r] * rest[0];
      sum[2 * r + 1] += weight * now[r] * rest[1];
    }
  }
  snu_copy4(n->metric, m->flex_vertmetric + 4 * vertex);
  sn_metricMap(n, sum, n->map);
  const snReal* F = n->map;
  n->product[0] = F[0] * F[0] + F[2] * F[2] + F[4] * F[4];
  n->product[1] = n->product[2] = F[0] * F[1] + F[2] * F[3] + F[4] * F[5];
  n->product[3] = F[1] * F[1] + F[3] * F[3] + F[5] * F[5];
}

// p = G dX, q = adj(C) p
static void restDirections(const snReal G[4], const snReal C[4], const snReal rest[2], snReal p[2],
                           snReal q[2]) {
  p[0] = G[0] * rest[0] + G[1] * rest[1];
  p[1] = G[2] * rest[0] + G[3] * rest[1];
  q[0] = C[3] * p[0] - C[1] * p[1];
  q[1] = C[0] * p[1] - C[2] * p[0];
}

void sn_metricGradients(const snFlexMetric* n, const snReal rest[2], snReal weight,
                        snReal gradient[2][3]) {
  const snReal* F = n->map;
  snReal p[2], q[2];
  restDirections(n->metric, n->product, rest, p, q);
  for (int r = 0; r < 3; r++) {
    gradient[0][r] = 2 * weight * (F[2 * r] * p[0] + F[2 * r + 1] * p[1]);
    gradient[1][r] = 2 * weight * (F[2 * r] * q[0] + F[2 * r + 1] * q[1]);
  }
}

// d(F p) = dF p and d(F q) = dF q + F adj(dC) p with dC = dF' F + F' dF
void sn_metricGradientRates(const snFlexMetric* n, const snReal change[6], const snReal rest[2],
                            snReal weight, snReal rate[2][3]) {
  const snReal *F = n->map, *dF = change;
  snReal p[2], q[2], dq[2], dC[4] = {0, 0, 0, 0};
  for (int r = 0; r < 3; r++) {
    dC[0] += 2 * F[2 * r] * dF[2 * r];
    dC[1] += F[2 * r] * dF[2 * r + 1] + dF[2 * r] * F[2 * r + 1];
    dC[3] += 2 * F[2 * r + 1] * dF[2 * r + 1];
  }
  dC[2] = dC[1];
  restDirections(n->metric, dC, rest, p, dq);
  restDirections(n->metric, n->product, rest, p, q);
  for (int r = 0; r < 3; r++) {
    const snReal *row = F + 2 * r, *turn = dF + 2 * r;
    rate[0][r] = 2 * weight * (turn[0] * p[0] + turn[1] * p[1]);
    rate[1][r] = 2 * weight * (turn[0] * q[0] + turn[1] * q[1] + row[0] * dq[0] + row[1] * dq[1]);
  }
}

// Both rows of a vertex from what pulls at another vertex or at itself. The columns of a body with sliders alone
// lie side by side.
static void addPulls(const snModel* m, snData* d, int vertex, int at, const snReal pull[2][3]) {
  SN_ASSERT_INDEX2(vertex, at, m->nflexvert);
  int adr[2] = {m->flexvert_J_rowadr[2 * vertex], m->flexvert_J_rowadr[2 * vertex + 1]};
  int n = m->flexvert_J_rownnz[2 * vertex], body = m->flex_vertbodyid[at];
  const int* column = m->flexvert_J_colind + adr[0];
  if (m->body_simple[body] != 2) {
    for (int r = 0; r < 2; r++) {
      sn_flexAddRow(m, d, pull[r], d->flexvert_xpos + 3 * at, body,
                    m->flexvert_J_rownnz[2 * vertex + r], m->flexvert_J_colind + adr[r],
                    d->flexvert_J + adr[r]);
    }
    return;
  }
  int first = m->body_dofadr[body], k = n ? sn_findIndex(column, n, first) : 0;
  if (!n || column[k] != first) return;
  const snReal* cdof = d->cdof + 6 * first;
  for (int i = 0; i < m->body_dofnum[body]; i++, cdof += 6) {
    d->flexvert_J[adr[0] + k + i] += snu_dot3(cdof + 3, pull[0]);
    d->flexvert_J[adr[1] + k + i] += snu_dot3(cdof + 3, pull[1]);
  }
}

// Every edge has the vertex at one end, which takes the sum of what the others do not.
static void addEdgeRows(const snModel* m, snData* d, const snFlexMetric* n) {
  snReal own[2][3] = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < m->flex_vertedgenum[n->vertex]; k++) {
    int end[2];
    snReal rest[2], gradient[2][3], weight = sn_metricEdge(m, n, k, end, rest);
    int far = end[0] == n->vertex;
    sn_metricGradients(n, rest, n->scale * weight, gradient);
    for (int r = 0; r < 2; r++) {
      if (!far) snu_scl3(gradient[r], gradient[r], -1);
      snu_subFrom3(own[r], gradient[r]);
    }
    addPulls(m, d, n->vertex, end[far], gradient);
  }
  addPulls(m, d, n->vertex, n->vertex, own);
}

static void vertexRows(const snModel* m, snData* d, int flex, int vertex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  snFlexMetric n;
  sn_metricAt(m, d, flex, vertex, &n);
  const snReal* C = n.product;
  d->flexvert_length[2 * vertex] = n.scale * (C[0] + C[3] - 2);
  d->flexvert_length[2 * vertex + 1] = n.scale * (C[0] * C[3] - C[1] * C[2] - 1);
  for (int row = 2 * vertex; row < 2 * vertex + 2; row++) {
    snu_zero(d->flexvert_J + m->flexvert_J_rowadr[row], m->flexvert_J_rownnz[row]);
  }
  addEdgeRows(m, d, &n);
}

void sn_flexMetrics(const snModel* m, snData* d) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (!sn_flexHasEdges(m, flex) || m->flex_dim[flex] != 2 || m->flex_edgeequality[flex] != 2) {
      continue;
    }
    SN_FOR(i, m->flex_vertnum[flex]) vertexRows(m, d, flex, m->flex_vertadr[flex] + i);
  }
  SN_SYNC();
}
