// Topology of a flex: orientation of tetrahedra, edges and flaps; border fragments and what follows
// from them: shell, layers, pairs of elements and vertices that may collide.

#include <string.h>

#include "base/assert.h"
#include "compile/flex.h"

const int sn_flexEdge[4][6][2] = {
    {{0, 0}},
    {{0, 1}},
    {{1, 2}, {2, 0}, {0, 1}},
    {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}},
};

// ---- elements ----

// Faces (0,1,2), (0,2,3), (0,3,1), (1,3,2) of a tetrahedron shall point outwards.
static void orientElements(snFlexItem* flex) {
  for (int i = 0; i < flex->nelem; i++) {
    int* vertex = flex->element + 4 * (size_t)i;
    const double* x[4];
    double side[3][3], normal[3];
    for (int k = 0; k < 4; k++) x[k] = flex->vert + 3 * (size_t)vertex[k];
    for (int k = 0; k < 3; k++) sn_sub3(side[k], x[k + 1], x[0]);
    sn_cross3(normal, side[0], side[1]);
    if (!(sn_dot3(normal, side[2]) > 0)) continue;
    int first = vertex[1];
    vertex[1] = vertex[2];
    vertex[2] = first;
  }
}

static int copyElements(snCompiler* c, snFlexItem* flex) {
  size_t n = (size_t)flex->spec.elem->size;
  flex->element = SN_ITEMS(c, int, n);
  if (!flex->element) return -1;
  memcpy(flex->element, flex->spec.elem->data, n * sizeof(int));
  if (flex->spec.dim == 3) orientElements(flex);
  return 0;
}

// ---- edges and flaps ----

// Edges by their ends, in a table with open addressing; slots hold edge numbers plus one.
typedef struct EdgeTable_ {
  int* slot;
  size_t mask;
} EdgeTable;

// Number of the edge, which is appended when it is new.
static int findEdge(const EdgeTable* table, snFlexItem* flex, int a, int b) {
  SN_ASSERT(a >= 0 && a <= b && b < flex->nvert);
  uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
  size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & table->mask;
  for (; table->slot[at]; at = (at + 1) & table->mask) {
    const int* edge = flex->edge + 2 * ((size_t)table->slot[at] - 1);
    if (edge[0] == a && edge[1] == b) return table->slot[at] - 1;
  }
  int* edge = flex->edge + 2 * (size_t)flex->nedge;
  edge[0] = a;
  edge[1] = b;
  table->slot[at] = ++flex->nedge;
  return flex->nedge - 1;
}

// The fourth entry is the opposite vertex of the last triangle but the first.
static void extendStencil(int* stencil, int isNew, int a, int b, int opposite) {
  if (isNew) {
    stencil[0] = a;
    stencil[1] = b;
    stencil[2] = opposite;
    stencil[3] = -1;
  } else {
    stencil[3] = opposite;
  }
}

static int makeEdges(snCompiler* c, snFlexItem* flex) {
  int dim = flex->spec.dim, width = sn_flexEdgeNum[dim];
  SN_ASSERT(dim >= 1 && dim <= 3 && flex->spec.elem->size == (dim + 1) * flex->nelem);
  size_t most = (size_t)width * (size_t)flex->nelem, size = 16;
  if (most > INT32_MAX / 4) return sn_itemError(c, flex->elem, "too many elements in flex");
  while (size < 2 * most) size *= 2;
  EdgeTable table = {SN_ITEMS(c, int, size), size - 1};
  flex->edge = SN_ITEMS(c, int, 2 * most);
  flex->elemedge = SN_ITEMS(c, int, most);
  flex->stencil = dim == 2 ? SN_ITEMS(c, int, 4 * most) : NULL;
  if (!table.slot || !flex->edge || !flex->elemedge || (dim == 2 && !flex->stencil)) return -1;
  for (int i = 0; i < flex->nelem; i++) {
    const int* vertex = flex->element + (size_t)(dim + 1) * (size_t)i;
    for (int k = 0; k < width; k++) {
      int a = vertex[sn_flexEdge[dim][k][0]], b = vertex[sn_flexEdge[dim][k][1]];
      int known = flex->nedge;
      int edge = findEdge(&table, flex, a < b ? a : b, a < b ? b : a);
      flex->elemedge[(size_t)width * (size_t)i + (size_t)k] = edge;
      // of a triangle, local edge k lies opposite of vertex k
      if (dim == 2) extendStencil(flex->stencil + 4 * (size_t)edge, edge == known, a, b, vertex[k]);
    }
  }
  return 0;
}

// ---- fragments: the ends, sides or faces of the elements ----

typedef struct Fragment_ {
  int sorted[3];    // vertices in increasing order
  int original[3];  // as the element lists them
  int elem;
} Fragment;

// Two elements that share a fragment.
typedef struct Connection_ {
  int elem[2];
  const Fragment* fragment;
} Connection;

typedef struct Border_ {
  Fragment* fragments;
  int nfragment;
  int* order;  // fragments sorted by their vertices, those of one place by element
  Connection* connections;
  int nconnection;
  snByte* isBorder;  // elements with a fragment that no other element has
} Border;

static const int kFragment[4][4][3] = {
    {{0}},
    {{0}, {1}},
    {{0, 1}, {1, 2}, {2, 0}},
    {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}},
};

static void sortVertices(int* v, int n) {
  for (int i = 1; i < n; i++) {
    for (int k = i; k > 0 && v[k] < v[k - 1]; k--) {
      int larger = v[k - 1];
      v[k - 1] = v[k];
      v[k] = larger;
    }
  }
}

static int makeFragments(snCompiler* c, const snFlexItem* flex, Border* border) {
  int dim = flex->spec.dim, n = (dim + 1) * flex->nelem;
  border->nfragment = n;
  border->fragments = SN_ITEMS(c, Fragment, n);
  border->order = SN_ITEMS(c, int, n);
  border->connections = SN_ITEMS(c, Connection, n);
  border->isBorder = SN_ITEMS(c, snByte, flex->nelem);
  if (!border->fragments || !border->order || !border->connections || !border->isBorder) return -1;
  for (int i = 0; i < n; i++) {
    Fragment* f = border->fragments + i;
    f->elem = i / (dim + 1);
    const int* vertex = flex->element + (size_t)(dim + 1) * (size_t)f->elem;
    for (int k = 0; k < dim; k++) f->original[k] = vertex[kFragment[dim][i % (dim + 1)][k]];
    memcpy(f->sorted, f->original, sizeof(f->sorted));
    sortVertices(f->sorted, dim);
    border->order[i] = i;
  }
  return 0;
}

// Stable counting sorts from the last vertex to the first; fragments begin in the order of elements.
static int sortFragments(snCompiler* c, const snFlexItem* flex, Border* border) {
  int n = border->nfragment;
  int* start = SN_ITEMS(c, int, flex->nvert + 1);
  int* sorted = SN_ITEMS(c, int, n);
  if (!start || !sorted) return -1;
  for (int k = flex->spec.dim - 1; k >= 0; k--) {
    memset(start, 0, ((size_t)flex->nvert + 1) * sizeof(int));
    for (int i = 0; i < n; i++) start[border->fragments[i].sorted[k] + 1]++;
    for (int v = 0; v < flex->nvert; v++) start[v + 1] += start[v];
    SN_ASSERT(start[flex->nvert] == n);
    for (int i = 0; i < n; i++) {
      int f = border->order[i];
      sorted[start[border->fragments[f].sorted[k]]++] = f;
    }
    int* previous = border->order;
    border->order = sorted;
    sorted = previous;
  }
  return 0;
}

static int isSameFragment(const Border* border, int i, int k, int dim) {
  const Fragment* a = border->fragments + border->order[i];
  const Fragment* b = border->fragments + border->order[k];
  return !memcmp(a->sorted, b->sorted, (size_t)dim * sizeof(int));
}

static int findBorder(snCompiler* c, snFlexItem* flex, Border* border) {
  int dim = flex->spec.dim, n = border->nfragment;
  flex->shell = SN_ITEMS(c, int, (size_t)dim*(size_t)n);
  if (!flex->shell) return -1;
  for (int i = 0; i < n; i++) {
    const Fragment* f = border->fragments + border->order[i];
    int before = i > 0 && isSameFragment(border, i - 1, i, dim);
    int after = i + 1 < n && isSameFragment(border, i, i + 1, dim);
    if (before) {
      Connection* connection = border->connections + border->nconnection++;
      connection->elem[0] = border->fragments[border->order[i - 1]].elem;
      connection->elem[1] = f->elem;
      connection->fragment = f;
    }
    if (before || after) continue;
    border->isBorder[f->elem] = 1;
    int* shell = flex->shell + (size_t)dim * (size_t)flex->nshell++;
    memcpy(shell, f->original, (size_t)dim * sizeof(int));
  }
  SN_ASSERT(flex->nshell + border->nconnection <= n);
  return 0;
}

// ---- layers and pairs ----

// Distance from the border in the graph of connections, breadth first.
static int setLayers(snCompiler* c, snFlexItem* flex, const Border* border) {
  int n = flex->nelem, count = 0;
  flex->layer = SN_ITEMS(c, int, n);
  int* start = SN_ITEMS(c, int, n + 2);
  int* neighbour = SN_ITEMS(c, int, 2 * (size_t)border->nconnection);
  int* queue = SN_ITEMS(c, int, n);
  if (!flex->layer || !start || !neighbour || !queue) return -1;
  if (flex->spec.dim < 3) return 0;
  for (int i = 0; i < border->nconnection; i++) {
    for (int k = 0; k < 2; k++) start[border->connections[i].elem[k] + 2]++;
  }
  for (int i = 0; i < n; i++) start[i + 2] += start[i + 1];
  for (int i = 0; i < border->nconnection; i++) {
    const int* elem = border->connections[i].elem;
    for (int k = 0; k < 2; k++) neighbour[start[elem[k] + 1]++] = elem[1 - k];
  }
  for (int i = 0; i < n; i++) {
    flex->layer[i] = border->isBorder[i] ? 0 : n + 1;
    if (border->isBorder[i]) queue[count++] = i;
  }
  for (int i = 0; i < count; i++) {
    for (int k = start[queue[i]]; k < start[queue[i] + 1]; k++) {
      int next = neighbour[k];
      if (flex->layer[next] <= n) continue;
      flex->layer[next] = flex->layer[queue[i]] + 1;
      queue[count++] = next;
    }
  }
  SN_ASSERT(count <= n);
  return 0;
}

static int hasVertex(const int* vertices, int n, int vertex) {
  for (int i = 0; i < n; i++) {
    if (vertices[i] == vertex) return 1;
  }
  return 0;
}

// At the border, an element may meet the vertex of its neighbour that the two do not share.
static int makePairs(snCompiler* c, snFlexItem* flex, const Border* border) {
  int dim = flex->spec.dim;
  if (dim == 3) return 0;
  flex->evpair = SN_ITEMS(c, int, 4 * (size_t)border->nconnection);
  if (!flex->evpair) return -1;
  for (int i = 0; i < border->nconnection; i++) {
    const Connection* connection = border->connections + i;
    const int* elem = connection->elem;
    if (!border->isBorder[elem[0]] && !border->isBorder[elem[1]]) continue;
    for (int k = 0; k < 2; k++) {
      const int* vertex = flex->element + (size_t)(dim + 1) * (size_t)elem[k];
      int own = 0;
      while (own < dim && hasVertex(connection->fragment->original, dim, vertex[own])) own++;
      int* pair = flex->evpair + 2 * (size_t)flex->nevpair++;
      pair[0] = elem[1 - k];
      pair[1] = vertex[own];
    }
  }
  return 0;
}

int sn_makeFlexTopology(snCompiler* c, snFlexItem* flex) {
  Border border;
  memset(&border, 0, sizeof(border));
  SN_TRY(copyElements(c, flex));
  SN_TRY(makeEdges(c, flex));
  SN_TRY(makeFragments(c, flex, &border));
  SN_TRY(sortFragments(c, flex, &border));
  SN_TRY(findBorder(c, flex, &border));
  SN_TRY(setLayers(c, flex, &border));
  return makePairs(c, flex, &border);
}
