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

typedef struct Neighbourhood_ {
  int vertex;         // over all flexes
  int flex;           // whose it is
  snReal metric[4];   // G
  snReal map[6];      // F, rows of 2
  snReal product[4];  // C
} Neighbourhood;

static int edgeAt(const snModel* m, const Neighbourhood* n, int k) {
  return m->flex_edgeadr[n->flex] + m->flex_vertedge[m->flex_vertedgeadr[n->vertex] + k];
}

// both ends, over all flexes; weight and rest vector in the plane of the edge seen from the vertex
static snReal restEdge(const snModel* m, const Neighbourhood* n, int edge, int end[2],
                       snReal rest[2]) {
  int first = m->flex_vertadr[n->flex];
  for (int k = 0; k < 2; k++) end[k] = first + m->flex_edge[2 * edge + k];
  const snReal *a = m->flex_vert0 + 3 * end[0], *b = m->flex_vert0 + 3 * end[1];
  for (int k = 0; k < 2; k++) rest[k] = 2 * m->flex_size[3 * n->flex + k] * (b[k] - a[k]);
  int other = end[0] == n->vertex ? end[1] : end[0];
  return snu_max((snReal)snMINVAL, m->body_mass[m->flex_vertbodyid[other]]);
}

static void measure(const snModel* m, const snData* d, Neighbourhood* n) {
  snReal sum[6] = {0, 0, 0, 0, 0, 0};
  for (int k = 0; k < m->flex_vertedgenum[n->vertex]; k++) {
    int end[2];
    snReal rest[2], now[3], weight = restEdge(m, n, edgeAt(m, n, k), end, rest);
    snu_sub3(now, d->flexvert_xpos + 3 * end[1], d->flexvert_xpos + 3 * end[0]);
    for (int r = 0; r < 3; r++) {
      sum[2 * r] += weight * now[r] * rest[0];
      sum[2 * r + 1] += weight * now[r] * rest[1];
    }
  }
  const snReal* G = m->flex_vertmetric + 4 * n->vertex;
  snu_copy4(n->metric, G);
  for (int r = 0; r < 3; r++) {
    n->map[2 * r] = sum[2 * r] * G[0] + sum[2 * r + 1] * G[2];
    n->map[2 * r + 1] = sum[2 * r] * G[1] + sum[2 * r + 1] * G[3];
  }
  const snReal* F = n->map;
  n->product[0] = F[0] * F[0] + F[2] * F[2] + F[4] * F[4];
  n->product[1] = n->product[2] = F[0] * F[1] + F[2] * F[3] + F[4] * F[5];
  n->product[3] = F[1] * F[1] + F[3] * F[3] + F[5] * F[5];
}

// gradients of the two invariants with respect to the far end of an edge, but for the scale
static void gradients(const Neighbourhood* n, const snReal rest[2], snReal weight, snReal trace[3],
                      snReal determinant[3]) {
  const snReal *G = n->metric, *C = n->product, *F = n->map;
  snReal p[2] = {G[0] * rest[0] + G[1] * rest[1], G[2] * rest[0] + G[3] * rest[1]};
  snReal q[2] = {C[3] * p[0] - C[1] * p[1], C[0] * p[1] - C[2] * p[0]};
  for (int r = 0; r < 3; r++) {
    trace[r] = 2 * weight * (F[2 * r] * p[0] + F[2 * r + 1] * p[1]);
    determinant[r] = 2 * weight * (F[2 * r] * q[0] + F[2 * r + 1] * q[1]);
  }
}

static void addEdgeRows(const snModel* m, snData* d, const Neighbourhood* n, int edge,
                        snReal scale) {
  int end[2];
  snReal rest[2], gradient[2][3], weight = restEdge(m, n, edge, end, rest);
  gradients(n, rest, scale * weight, gradient[0], gradient[1]);
  for (int r = 0; r < 2; r++) {
    int row = 2 * n->vertex + r, adr = m->flexvert_J_rowadr[row];
    for (int k = 0; k < 2; k++) {
      snReal force[3];
      snu_scl3(force, gradient[r], k ? 1 : -1);
      sn_flexAddRow(m, d, force, d->flexvert_xpos + 3 * end[k], m->flex_vertbodyid[end[k]],
                    m->flexvert_J_rownnz[row], m->flexvert_J_colind + adr, d->flexvert_J + adr);
    }
  }
}

static void vertexRows(const snModel* m, snData* d, int flex, int vertex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  Neighbourhood n;
  n.flex = flex;
  n.vertex = vertex;
  measure(m, d, &n);
  snReal mass = m->body_mass[m->flex_vertbodyid[vertex]];
  snReal scale = mass > snMINVAL ? snu_sqrt(mass) : 1, *C = n.product;
  d->flexvert_length[2 * vertex] = scale * (C[0] + C[3] - 2);
  d->flexvert_length[2 * vertex + 1] = scale * (C[0] * C[3] - C[1] * C[2] - 1);
  for (int row = 2 * vertex; row < 2 * vertex + 2; row++) {
    snu_zero(d->flexvert_J + m->flexvert_J_rowadr[row], m->flexvert_J_rownnz[row]);
  }
  for (int k = 0; k < m->flex_vertedgenum[vertex]; k++) {
    addEdgeRows(m, d, &n, edgeAt(m, &n, k), scale);
  }
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
