// Flexes of a model: what their vertices, elements and pairs refer to, and the patterns of their
// Jacobians, which a step fills in without looking for room.

#include "base/assert.h"
#include "model/flex_lists.h"
#include "model/validate.h"

// dofs that move a body, ascending: the lower part of a row of D
typedef struct Chain_ {
  const int* dof;
  int n;
} Chain;

static Chain bodyChain(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int mover = m->body_weldid[body];
  Chain chain = {NULL, 0};
  if (mover) {
    int last = m->body_dofadr[mover] + m->body_dofnum[mover] - 1;
    SN_ASSERT_INDEX(last, m->nv);
    chain.dof = m->D_colind + m->D_rowadr[last];
    chain.n = m->D_diag[last] + 1;
  }
  return chain;
}

static Chain vertexChain(const snModel* m, int flex, int vertex) {
  return bodyChain(m, m->flex_vertbodyid[m->flex_vertadr[flex] + vertex]);
}

static int contains(const int* row, int n, Chain chain) {
  int k = 0;
  for (int i = 0; i < n && k < chain.n; i++) k += row[i] == chain.dof[k];
  return k == chain.n;
}

// is the row of an edge empty, or the union of the chains of its two ends?
static int edgeRowIsSound(const snModel* m, int flex, snSize edge) {
  SN_ASSERT_INDEX(edge, m->nflexedge);
  const int *end = m->flex_edge + 2 * edge,
            *row = m->flexedge_J_colind + m->flexedge_J_rowadr[edge];
  int n = m->flexedge_J_rownnz[edge], i = 0, j = 0;
  if (!n) return 1;
  Chain a = vertexChain(m, flex, end[0]), b = vertexChain(m, flex, end[1]);
  for (int k = 0; k < n; k++) {
    int inA = i < a.n && row[k] == a.dof[i], inB = j < b.n && row[k] == b.dof[j];
    if (!inA && !inB) return 0;
    i += inA;
    j += inB;
  }
  return i == a.n && j == b.n;
}

// are the two rows of a vertex empty, or do they hold the chains of all ends of its edges?
static int vertexRowsAreSound(const snModel* m, int flex, snSize vertex) {
  SN_ASSERT_INDEX(vertex, m->nflexvert);
  const int* list = m->flex_vertedge + m->flex_vertedgeadr[vertex];
  for (snSize r = 2 * vertex; r < 2 * vertex + 2; r++) {
    const int* row = m->flexvert_J_colind + m->flexvert_J_rowadr[r];
    int n = m->flexvert_J_rownnz[r];
    for (int k = 0; n && k < m->flex_vertedgenum[vertex]; k++) {
      const int* end = m->flex_edge + 2 * ((snSize)m->flex_edgeadr[flex] + list[k]);
      if (!contains(row, n, vertexChain(m, flex, end[0])) ||
          !contains(row, n, vertexChain(m, flex, end[1])))
        return 0;
    }
  }
  return 1;
}

static const char* checkVertices(const snModel* m, int i) {
  snSize begin = m->flex_vertadr[i], end = begin + m->flex_vertnum[i];
  for (snSize v = begin; v < end; v++) {
    int body = m->flex_vertbodyid[v];
    if (m->flex_interp[i] ? body != -1 : body < 0 || body >= m->nbody)
      return "flex_vertbodyid out of bounds";
    const int* edge = m->flex_vertedge + m->flex_vertedgeadr[v];
    for (int k = 0; k < m->flex_vertedgenum[v]; k++) {
      if (edge[k] < 0 || edge[k] >= m->flex_edgenum[i]) return "flex_vertedge out of bounds";
    }
    if (m->flex_interp[i] && (m->flexvert_J_rownnz[2 * v] || m->flexvert_J_rownnz[2 * v + 1]))
      return "flexvert_J_rownnz of an interpolated flex is not 0";
  }
  return NULL;
}

static const char* checkPatterns(const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->nflex);
  snSize edge = m->flex_edgeadr[i], vertex = m->flex_vertadr[i];
  for (snSize k = 0; k < m->flex_edgenum[i]; k++) {
    if (m->flex_interp[i] ? m->flexedge_J_rownnz[edge + k] : !edgeRowIsSound(m, i, edge + k))
      return "flexedge_J_colind is not the union of the chains of an edge";
  }
  for (snSize k = 0; k < m->flex_vertnum[i] && !m->flex_interp[i]; k++) {
    if (!vertexRowsAreSound(m, i, vertex + k))
      return "flexvert_J_colind does not have the chains of the edges of a vertex";
  }
  return NULL;
}

// An interpolated flex has (order + 1)^3 nodes, and one matrix over all of them in flex_stiffness.
static const char* checkNodes(const snModel* m, int i) {
  snSize order = m->flex_interp[i], n = m->flex_nodenum[i], elem = m->flex_elemadr[i];
  if (n != (order ? (order + 1) * (order + 1) * (order + 1) : 0))
    return "flex_nodenum does not fit flex_interp";
  if (order && m->flex_elemnum[i] && m->flex_stiffness[21 * elem] != 0 &&
      21 * elem + 9 * n * n > 21 * m->nflexelem)
    return "flex_stiffness has no room for the matrix of the nodes";
  return NULL;
}

static const char* checkElements(const snModel* m, int i) {
  snSize texcoord = m->flex_texcoordadr[i];
  if (texcoord < -1 || texcoord > m->nflextexcoord) return "flex_texcoordadr out of bounds";
  for (snSize p = 0; p < m->flex_evpairnum[i]; p++) {
    const int* pair = m->flex_evpair + 2 * (m->flex_evpairadr[i] + p);
    if (pair[0] < 0 || pair[0] >= m->flex_elemnum[i] || pair[1] < 0 ||
        pair[1] >= m->flex_vertnum[i])
      return "flex_evpair out of bounds";
  }
  return NULL;
}

const char* sn_validateFlexes(const snModel* m) {
  const char* problem = NULL;
  for (int i = 0; i < m->nflex && !problem; i++) {
    problem = checkNodes(m, i);
    if (!problem) problem = checkVertices(m, i);
    if (!problem) problem = checkElements(m, i);
    if (!problem) problem = checkPatterns(m, i);
  }
  return problem;
}

// ---- lists by which edges, vertices and dofs collect forces (flex_lists.h): transposes of relations

static int isIn(snSize i, snSize begin, snSize count) { return i >= begin && i < begin + count; }

// entries of flex_elemedge that name the edge
static int elementsNameEdge(const snModel* m, int flex, snSize edge) {
  SN_ASSERT_INDEX(m->flex_dim[flex], 4);  // entries of sn_flexEdgeNum
  snSize count = m->flex_elemnum[flex] * (snSize)sn_flexEdgeNum[m->flex_dim[flex]];
  const int* entry = m->flexedge_elem + m->flexedge_elemadr[edge];
  for (int k = 0; k < m->flexedge_elemnum[edge]; k++) {
    if (!isIn(entry[k], m->flex_elemedgeadr[flex], count) ||
        m->flex_elemedge[entry[k]] != edge - m->flex_edgeadr[flex])
      return 0;
  }
  return 1;
}

// corners of elements that are the vertex
static int elementsNameVertex(const snModel* m, int flex, snSize vertex) {
  SN_ASSERT_INDEX(vertex, m->nflexvert);
  snSize count = m->flex_elemnum[flex] * ((snSize)m->flex_dim[flex] + 1);
  const int* entry = m->flexvert_elem + m->flexvert_elemadr[vertex];
  for (int k = 0; k < m->flexvert_elemnum[vertex]; k++) {
    if (!isIn(entry[k], m->flex_elemdataadr[flex], count) ||
        m->flex_elem[entry[k]] != vertex - m->flex_vertadr[flex])
      return 0;
  }
  return 1;
}

// ends of edges, and corners of flaps, that are the vertex
static int edgesNameVertex(const snModel* m, int flex, snSize vertex) {
  snSize first = m->flex_edgeadr[flex], count = m->flex_edgenum[flex];
  snSize local = vertex - m->flex_vertadr[flex];
  const int* end = m->flexvert_edge + m->flexvert_edgeadr[vertex];
  for (int k = 0; k < m->flexvert_edgenum[vertex]; k++) {
    if (!isIn(end[k], 2 * first, 2 * count) || m->flex_edge[end[k]] != local) return 0;
  }
  const int* flap = m->flexvert_flap + m->flexvert_flapadr[vertex];
  for (int k = 0; k < m->flexvert_flapnum[vertex]; k++) {
    if (!isIn(flap[k], 4 * first, 4 * count)) return 0;
    snSize edge = flap[k] / 4, place = flap[k] % 4;
    const int* corner = place < 2 ? m->flex_edge : m->flex_edgeflap;
    if (corner[2 * edge + place % 2] != local || m->flex_edgeflap[2 * edge + 1] < 0) return 0;
  }
  return 1;
}

// vertices on bodies that the dof moves: those below it follow it without a gap
static int movesVertices(const snModel* m, int dof) {
  SN_ASSERT_INDEX(dof, m->nv);
  const int* vertex = m->flexdof_vert + m->flexdof_vertadr[dof];
  for (int k = 0; k < m->flexdof_vertnum[dof]; k++) {
    if (!isIn(vertex[k], 0, m->nflexvert) || m->flex_vertbodyid[vertex[k]] < 0) return 0;
    int body = m->body_weldid[m->flex_vertbodyid[vertex[k]]];
    int last = m->body_dofadr[body] + m->body_dofnum[body] - 1;
    if (!body || !isIn(last, dof, m->D_rownnz[dof] - m->D_diag[dof])) return 0;
  }
  return 1;
}

// entries of the rows of edges in the column of the dof
static int isColumn(const snModel* m, int dof) {
  snSize begin = m->flexedge_JT_rowadr[dof];
  for (snSize k = begin; k < begin + m->flexedge_JT_rownnz[dof]; k++) {
    int edge = m->flexedge_JT_colind[k], place = m->flexedge_JT_place[k];
    if (!isIn(edge, 0, m->nflexedge) ||
        !isIn(place, m->flexedge_J_rowadr[edge], m->flexedge_J_rownnz[edge]) ||
        m->flexedge_J_colind[place] != dof)
      return 0;
  }
  return 1;
}

const char* sn_validateFlexLists(const snModel* m) {
  for (int i = 0; i < m->nflex; i++) {
    for (snSize k = 0; k < m->flex_edgenum[i]; k++) {
      if (!elementsNameEdge(m, i, m->flex_edgeadr[i] + k)) return "flexedge_elem is wrong";
    }
    for (snSize k = 0; k < m->flex_vertnum[i]; k++) {
      if (!elementsNameVertex(m, i, m->flex_vertadr[i] + k)) return "flexvert_elem is wrong";
      if (!edgesNameVertex(m, i, m->flex_vertadr[i] + k))
        return "flexvert_edge or flexvert_flap is wrong";
    }
  }
  for (int dof = 0; m->nflex && dof < m->nv; dof++) {
    if (!movesVertices(m, dof)) return "flexdof_vert is wrong";
    if (!isColumn(m, dof)) return "flexedge_JT_colind or flexedge_JT_place is wrong";
  }
  return NULL;
}
