// Constants of flexes that sn_setConst derives from the model: the patterns of the Jacobians of
// edges and vertices, the edges around each vertex and its metric, and at qpos0 the lengths and
// inverse weights of edges.

#include <stdlib.h>

#include "base/arena.h"
#include "compile/constants.h"
#include "math/math.h"

// ---- patterns of the Jacobians ----

// last dof that moves a body, -1: none
static int lastDof(const snModel* m, int body) {
  int weld = m->body_weldid[body];
  return weld ? m->body_dofadr[weld] + m->body_dofnum[weld] - 1 : -1;
}

static int hasEdgeForces(const snModel* m, int flex) {
  return m->flex_edgeequality[flex] || m->flex_edgedamping[flex] != 0 ||
         m->flex_edgestiffness[flex] != 0 || m->flex_damping[flex] != 0;
}

static int hasPattern(const snModel* m, int flex) {
  return !m->flex_rigid[flex] && !m->flex_interp[flex];
}

static int hasVertexRows(const snModel* m, int flex) {
  return hasPattern(m, flex) && m->flex_dim[flex] == 2 && m->flex_edgeequality[flex] == 2;
}

// Dofs of two chains, each once, in decreasing order; the columns are NULL for counting.
static int mergeChains(const snModel* m, int a, int b, int* columns, int n) {
  int count = 0;
  while (a >= 0 || b >= 0) {
    int dof = a > b ? a : b;
    count++;
    if (columns) columns[n - count] = dof;
    if (a == dof) a = m->dof_parentid[a];
    if (b == dof) b = m->dof_parentid[b];
  }
  return count;
}

// Returns 0 when the model has no room for them: its flags were changed after it was compiled.
static int setEdgeRows(snModel* m, int flex, int* next) {
  const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
  int first = m->flex_edgeadr[flex];
  for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
    int a = lastDof(m, body[m->flex_edge[2 * e]]), b = lastDof(m, body[m->flex_edge[2 * e + 1]]);
    int n = mergeChains(m, a, b, NULL, 0);
    if (*next + n > m->nJfe) return 0;
    mergeChains(m, a, b, m->flexedge_J_colind + *next, n);
    m->flexedge_J_rowadr[e] = *next;
    m->flexedge_J_rownnz[e] = n;
    *next += n;
  }
  return 1;
}

static int compareInts(const void* a, const void* b) {
  int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

// Two rows with the same columns: all dofs that move the vertex or a neighbour.
static int setVertexRow(snModel* m, int flex, int vertex, int* mark, int* next) {
  const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
  int n = 0, *columns = m->flexvert_J_colind + *next;
  snSize room = m->nJfv - *next / 2;
  for (int k = 0; k < m->flex_vertedgenum[vertex]; k++) {
    int e = m->flex_edgeadr[flex] + m->flex_vertedge[m->flex_vertedgeadr[vertex] + k];
    for (int end = 0; end < 2; end++) {
      int dof = lastDof(m, body[m->flex_edge[2 * e + end]]);
      for (; dof >= 0 && mark[dof] != vertex + 1; dof = m->dof_parentid[dof]) {
        if (n == room) return 0;
        mark[dof] = vertex + 1;
        columns[n++] = dof;
      }
    }
  }
  qsort(columns, (size_t)n, sizeof(int), compareInts);
  for (int k = 0; k < n; k++) columns[n + k] = columns[k];
  for (int row = 2 * vertex; row < 2 * vertex + 2; row++, *next += n) {
    m->flexvert_J_rowadr[row] = *next;
    m->flexvert_J_rownnz[row] = n;
  }
  return 1;
}

// ---- around a vertex ----

static void setVertexEdges(snModel* m, int flex, int* next) {
  int first = m->flex_vertadr[flex], edge = m->flex_edgeadr[flex];
  const int* ends = m->flex_edge + 2 * edge;
  int nvert = m->flex_vertnum[flex], nedge = m->flex_edgenum[flex];
  for (int i = 0; i < 2 * nedge; i++) m->flex_vertedgenum[first + ends[i]]++;
  for (int v = first; v < first + nvert; v++) {
    m->flex_vertedgeadr[v] = *next;
    *next += m->flex_vertedgenum[v];
    m->flex_vertedgenum[v] = 0;
  }
  for (int i = 0; i < 2 * nedge; i++) {
    int v = first + ends[i];
    m->flex_vertedge[m->flex_vertedgeadr[v] + m->flex_vertedgenum[v]++] = i / 2;
  }
}

static void restEdge(const snModel* m, int flex, int edge, snReal vec[3]) {
  const int* ends = m->flex_edge + 2 * (m->flex_edgeadr[flex] + edge);
  const snReal* vert0 = m->flex_vert0 + 3 * m->flex_vertadr[flex];
  for (int k = 0; k < 3; k++) {
    vec[k] = 2 * m->flex_size[3 * flex + k] * (vert0[3 * ends[1] + k] - vert0[3 * ends[0] + k]);
  }
}

// Inverse of B = sum over the edges of w dX dX', w the mass at the other end; zero where B is
// singular.
static void setVertexMetric(snModel* m, int flex, int vertex) {
  const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
  int local = vertex - m->flex_vertadr[flex];
  snReal b00 = 0, b01 = 0, b11 = 0, *metric = m->flex_vertmetric + 4 * vertex;
  for (int k = 0; k < m->flex_vertedgenum[vertex]; k++) {
    int edge = m->flex_vertedge[m->flex_vertedgeadr[vertex] + k];
    const int* ends = m->flex_edge + 2 * (m->flex_edgeadr[flex] + edge);
    snReal vec[3], weight = m->body_mass[body[ends[0] == local ? ends[1] : ends[0]]];
    weight = snu_max(snMINVAL, weight);
    restEdge(m, flex, edge, vec);
    b00 += weight * vec[0] * vec[0];
    b01 += weight * vec[0] * vec[1];
    b11 += weight * vec[1] * vec[1];
  }
  snReal det = b00 * b11 - b01 * b01;
  if (snu_abs(det) < snMINVAL) return;
  metric[0] = b11 / det;
  metric[1] = metric[2] = -b01 / det;
  metric[3] = b00 / det;
}

// Turn the rest positions so that the first triangle faces z.
static void alignRest(snModel* m, int flex) {
  const int* triangle = m->flex_elem + m->flex_elemdataadr[flex];
  snReal *vert0 = m->flex_vert0 + 3 * m->flex_vertadr[flex], side[3], other[3], normal[3], quat[4];
  snu_sub3(side, vert0 + 3 * triangle[1], vert0 + 3 * triangle[0]);
  snu_sub3(other, vert0 + 3 * triangle[2], vert0 + 3 * triangle[0]);
  snu_cross(normal, side, other);
  snu_normalize3(normal);
  snu_quatZ2Vec(quat, normal);
  snu_negQuat(quat, quat);
  for (int i = 0; i < m->flex_vertnum[flex]; i++) {
    snReal turned[3];
    snu_rotVecQuat(turned, vert0 + 3 * i, quat);
    snu_copy3(vert0 + 3 * i, turned);
  }
}

int sn_flexIsFlat(const snModel* m, int flex) {
  if (!hasVertexRows(m, flex)) return 1;
  for (int e = 0; e < m->flex_edgenum[flex]; e++) {
    snReal vec[3];
    restEdge(m, flex, e, vec);
    if (snu_abs(vec[2]) > snMINVAL) return 0;
  }
  return 1;
}

// ---- all flexes ----

static void clearPatterns(snModel* m) {
  for (int i = 0; i < m->nflexedge; i++) m->flexedge_J_rownnz[i] = m->flexedge_J_rowadr[i] = 0;
  for (int i = 0; i < 2 * m->nflexvert; i++) m->flexvert_J_rownnz[i] = m->flexvert_J_rowadr[i] = 0;
  for (int i = 0; i < m->nflexvert; i++) m->flex_vertedgenum[i] = m->flex_vertedgeadr[i] = 0;
  for (int i = 0; i < 2 * m->nflexedge; i++) m->flex_vertedge[i] = 0;
  snu_zero(m->flex_vertmetric, 4 * (int)m->nflexvert);
}

// Rows follow one another without gaps. (MuJoCo begins again at zero behind a flex that has no rows,
// over those of the flexes before.)
static int setPatterns(snModel* m, int* mark) {
  int edgeNext = 0, vertexNext = 0, listNext = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (hasPattern(m, f) && hasEdgeForces(m, f) && !setEdgeRows(m, f, &edgeNext)) return 0;
    if (!hasVertexRows(m, f)) continue;
    setVertexEdges(m, f, &listNext);
    for (int v = m->flex_vertadr[f]; v < m->flex_vertadr[f] + m->flex_vertnum[f]; v++) {
      setVertexMetric(m, f, v);
      if (!setVertexRow(m, f, v, mark, &vertexNext)) return 0;
    }
    int behind = m->flex_vertadr[f] + m->flex_vertnum[f];
    if (behind < m->nflexvert) m->flexvert_J_rowadr[2 * behind] = vertexNext;
    alignRest(m, f);
  }
  return 1;
}

void sn_setFlexPatterns(snModel* m, snData* d) {
  if (!m->nflex) return;
  clearPatterns(m);
  for (int f = 0; f < m->nflex; f++) {
    if (!sn_flexIsFlat(m, f)) {
      snu_error("makeFlexSparse: flex vertices are not in the same plane");
      return;
    }
  }
  sn_markStack(d);
  int* mark = SN_STACK(d, int, m->nv + 1);
  for (int i = 0; mark && i < m->nv; i++) mark[i] = 0;
  if (!mark) {
    snu_error("sn_setConst: arena too small for %d numbers", (int)m->nv);
  } else if (!setPatterns(m, mark)) {
    snu_error("sn_setConst: the Jacobians of the flexes do not fit into the model");
  }
  sn_freeStack(d);
}

// ---- at qpos0 ----

void sn_setFlexLengths(snModel* m, snData* d) {
  for (int f = 0; f < m->nflex; f++) {
    const snReal* vert = d->flexvert_xpos + 3 * m->flex_vertadr[f];
    int first = m->flex_edgeadr[f];
    for (int e = first; e < first + m->flex_edgenum[f]; e++) {
      // of rigid flexes the position stage leaves the lengths alone
      if (m->flex_rigid[f]) {
        snReal vec[3];
        snu_sub3(vec, vert + 3 * m->flex_edge[2 * e + 1], vert + 3 * m->flex_edge[2 * e]);
        d->flexedge_length[e] = snu_norm3(vec);
      }
      m->flexedge_length0[e] = d->flexedge_length[e];
    }
  }
}
