// Grouping by normals uses an ordered set whose order is not transitive (normals closer than a
// tolerance are equal), so what it finds depends on the shape of the tree: a red-black tree,
// searched and filled in one exact way. A face whose insertion the set refuses belongs to no
// polygon.

#include "asset/polygon.h"

#include <math.h>

#include "asset/algebra.h"
#include "base/assert.h"

// ---- groups of faces: nodes of a red-black tree ----

typedef struct Node_ Node;
struct Node_ {
  Node *parent, *left, *right;
  int red;
  double normal[3];
  int first, last;  // faces of the group: a list through next[]
  int nface;
};

// unit normal; degenerate faces give non-finite numbers by design
static void faceNormal(double normal[3], const double a[3], const double b[3], const double c[3]) {
  double ab[3], ac[3];
  sn_sub3(ab, b, a);
  sn_sub3(ac, c, a);
  sn_cross3(normal, ab, ac);
  double length = sqrt(sn_dot3(normal, normal));
  if (length < SN_EPS) {
    normal[0] = 1;
    normal[1] = normal[2] = 0;
  }
  for (int i = 0; i < 3; i++) normal[i] /= length;
}

static int before(const double a[3], const double b[3]) {
  if (sn_dot3(a, b) > 0.99999872) return 0;
  for (int i = 0; i < 3; i++) {
    if (fabs(a[i] - b[i]) > snMINVAL) return a[i] > b[i];
  }
  return 0;
}

static Node* findGroup(Node* root, const double normal[3]) {
  Node* candidate = NULL;
  for (Node* node = root; node;) {
    if (before(node->normal, normal)) {
      node = node->right;
    } else {
      candidate = node;
      node = node->left;
    }
  }
  return candidate && !before(normal, candidate->normal) ? candidate : NULL;
}

// Turn an edge of the tree around x: to the left, or to the right.
static void rotate(Node** root, Node* x, int left) {
  Node* y = left ? x->right : x->left;
  Node* middle = left ? y->left : y->right;
  if (left) {
    x->right = middle;
    y->left = x;
  } else {
    x->left = middle;
    y->right = x;
  }
  if (middle) middle->parent = x;
  y->parent = x->parent;
  if (!x->parent) {
    *root = y;
  } else if (x == x->parent->left) {
    x->parent->left = y;
  } else {
    x->parent->right = y;
  }
  x->parent = y;
}

static void rebalance(Node** root, Node* node) {
  while (node != *root && node->parent->red) {
    Node* parent = node->parent;
    Node* grand = parent->parent;
    int left = parent == grand->left;
    Node* uncle = left ? grand->right : grand->left;
    if (uncle && uncle->red) {
      parent->red = uncle->red = 0;
      grand->red = 1;
      node = grand;
      continue;
    }
    if (node == (left ? parent->right : parent->left)) {
      rotate(root, parent, left);
      parent = node;
    }
    parent->red = 0;
    grand->red = 1;
    rotate(root, grand, !left);
    break;
  }
  (*root)->red = 0;
}

// Put a new node into the tree; 0 when one on the way down counts as equal to it.
static int insertGroup(Node** root, Node* node) {
  Node *parent = NULL, **place = root;
  while (*place) {
    parent = *place;
    if (before(node->normal, parent->normal)) {
      place = &parent->left;
    } else if (before(parent->normal, node->normal)) {
      place = &parent->right;
    } else {
      return 0;
    }
  }
  node->parent = parent;
  node->red = 1;
  *place = node;
  rebalance(root, node);
  return 1;
}

static Node* firstGroup(Node* root) {
  while (root && root->left) root = root->left;
  return root;
}

static Node* nextGroup(Node* node) {
  if (node->right) return firstGroup(node->right);
  while (node->parent && node == node->parent->right) node = node->parent;
  return node->parent;
}

// ---- boundary of one group ----

// A directed boundary edge. Edges of a group are a list in order of insertion; those that start at
// the same vertex are also chained.
typedef struct Edge_ {
  int from, to;
  int island;
  int alive;
  int chain;  // next edge from the same vertex, -1 for none
} Edge;

typedef struct Boundary_ {
  Edge* edges;
  int nedge;
  int* head;  // per vertex of the mesh: first and last edge of its chain
  int* tail;
  int* island;  // union-find parent of each island ever made; the oldest is the root
  int nisland;
  int* start;  // first edge of each island
  int* count;  // edges of each island
} Boundary;

static int findIsland(Boundary* b, int i) {
  SN_ASSERT_INDEX(i, b->nisland);
  while (b->island[i] != i) i = b->island[i] = b->island[b->island[i]];
  return i;
}

static void appendEdge(Boundary* b, int from, int to, int island) {
  SN_ASSERT_INDEX(island, b->nisland);
  int index = b->nedge++;
  Edge edge = {from, to, island, 1, -1};
  b->edges[index] = edge;
  if (b->head[from] < 0) {
    b->head[from] = index;
  } else {
    b->edges[b->tail[from]].chain = index;
  }
  b->tail[from] = index;
}

// Remove the first edge from -> to; its index, or -1.
static int removeEdge(Boundary* b, int from, int to) {
  int previous = -1;
  for (int i = b->head[from]; i >= 0; previous = i, i = b->edges[i].chain) {
    if (b->edges[i].to != to) continue;
    int next = b->edges[i].chain;
    if (previous < 0) {
      b->head[from] = next;
    } else {
      b->edges[previous].chain = next;
    }
    if (next < 0) b->tail[from] = previous;
    b->edges[i].alive = 0;
    return i;
  }
  return -1;
}

// Islands merge into the older one, so that the numbers of the remaining ones keep their order.
static int mergeIslands(Boundary* b, int i, int j) {
  i = findIsland(b, i);
  j = findIsland(b, j);
  int older = i < j ? i : j;
  b->island[i] = b->island[j] = older;
  return older;
}

static void insertFace(Boundary* b, const int corner[3]) {
  int fresh[3], nfresh = 0, island = -1;
  for (int k = 0; k < 3; k++) {
    int from = corner[k], to = corner[(k + 1) % 3];
    int twin = removeEdge(b, to, from);
    SN_ASSERT_REFERENCE(twin, b->nedge);
    if (twin < 0) {
      fresh[nfresh++] = k;
    } else {
      int other = findIsland(b, b->edges[twin].island);
      island = island < 0 ? other : mergeIslands(b, island, other);
    }
  }
  if (island < 0) {
    island = b->nisland++;
    b->island[island] = island;
  }
  for (int k = 0; k < nfresh; k++) {
    appendEdge(b, corner[fresh[k]], corner[(fresh[k] + 1) % 3], island);
  }
}

// First edge of an island that starts at a vertex, other than the very first of the list.
static int nextEdge(Boundary* b, int vertex, int island, int very_first) {
  for (int i = b->head[vertex]; i >= 0; i = b->edges[i].chain) {
    if (i != very_first && findIsland(b, b->edges[i].island) == island) return i;
  }
  return -1;
}

// ---- output ----

typedef struct Output_ {
  int* vert;  // vertices of all polygons
  int* num;   // vertices of each polygon
  int npoly, nvert;
} Output;

// Walk around an island from its first edge; adds a polygon when the walk closes.
static void walkIsland(Boundary* b, Output* out, int island, int very_first) {
  SN_ASSERT_INDEX(island, b->nisland);
  SN_ASSERT(b->start[island] >= 0 && b->count[island] > 0);
  int first = b->start[island], end = b->edges[first].from;
  int* path = out->vert + out->nvert;
  int n = 0;
  path[n++] = end;
  path[n++] = b->edges[first].to;
  // the walk is determined by where it is: longer than the island, it goes round in circles
  for (int step = 0; step < b->count[island]; step++) {
    int edge = nextEdge(b, path[n - 1], island, very_first);
    if (edge < 0) return;
    if (b->edges[edge].to == end) {
      if (n < 3) return;
      out->num[out->npoly++] = n;
      out->nvert += n;
      return;
    }
    path[n++] = b->edges[edge].to;
  }
}

static void outputGroup(Boundary* b, Output* out) {
  int alive = 0, very_first = -1;
  for (int i = 0; i < b->nisland; i++) {
    b->start[i] = -1;
    b->count[i] = 0;
  }
  for (int i = 0; i < b->nedge; i++) {
    if (!b->edges[i].alive) continue;
    if (very_first < 0) very_first = i;
    int island = findIsland(b, b->edges[i].island);
    if (b->start[island] < 0) b->start[island] = i;
    b->count[island]++;
    alive++;
  }
  if (alive == 3) {
    for (int i = 0; i < b->nedge; i++) {
      if (b->edges[i].alive) out->vert[out->nvert++] = b->edges[i].from;
    }
    out->num[out->npoly++] = 3;
    return;
  }
  for (int i = 0; i < b->nisland; i++) {
    if (b->island[i] == i && b->start[i] >= 0) walkIsland(b, out, i, very_first);
  }
}

// Sort faces into groups; next chains the faces of a group.
static int groupFaces(snWork* work, Node** root, int* next, const double* vert, const int* face,
                      int nface) {
  Node* spare = NULL;
  for (int i = 0; i < nface; i++) {
    double normal[3];
    const int* corner = face + 3 * (size_t)i;
    faceNormal(normal, vert + 3 * (size_t)corner[0], vert + 3 * (size_t)corner[1],
               vert + 3 * (size_t)corner[2]);
    next[i] = -1;
    Node* group = findGroup(*root, normal);
    if (group) {
      next[group->last] = i;
      group->last = i;
      group->nface++;
      continue;
    }
    if (!spare) spare = SN_SCRATCH(work, Node, 1);
    if (!spare) return -1;
    for (int k = 0; k < 3; k++) spare->normal[k] = normal[k];
    spare->first = spare->last = i;
    spare->nface = 1;
    if (insertGroup(root, spare)) spare = NULL;
  }
  return 0;
}

static int newBoundary(snWork* work, Boundary* b, int nvert, int nface) {
  b->edges = SN_SCRATCH(work, Edge, 3 * (size_t)nface);
  b->head = SN_SCRATCH(work, int, nvert);
  b->tail = SN_SCRATCH(work, int, nvert);
  b->island = SN_SCRATCH(work, int, nface);
  b->start = SN_SCRATCH(work, int, nface);
  b->count = SN_SCRATCH(work, int, nface);
  if (!b->edges || !b->head || !b->tail || !b->island || !b->start || !b->count) return -1;
  for (int i = 0; i < nvert; i++) b->head[i] = -1;
  return 0;
}

// Copy polygons into the mesh and list the polygons of each vertex.
static int storePolygons(snWork* work, snMesh* mesh, const Output* out) {
  mesh->npoly = out->npoly;
  mesh->npolyvert = mesh->npolymap = out->nvert;
  mesh->polynormal = SN_KEEP(work, double, 3 * (size_t)out->npoly);
  mesh->polyvertadr = SN_KEEP(work, int, out->npoly);
  mesh->polyvertnum = SN_KEEP(work, int, out->npoly);
  mesh->polyvert = SN_KEEP(work, int, out->nvert);
  mesh->polymap = SN_KEEP(work, int, out->nvert);
  mesh->polymapadr = SN_KEEP(work, int, mesh->nvert);
  mesh->polymapnum = SN_KEEP(work, int, mesh->nvert);
  if (!mesh->polynormal || !mesh->polyvertadr || !mesh->polyvertnum || !mesh->polyvert ||
      !mesh->polymap || !mesh->polymapadr || !mesh->polymapnum) {
    return -1;
  }
  for (int i = 0, adr = 0; i < out->npoly; adr += out->num[i++]) {
    mesh->polyvertadr[i] = adr;
    mesh->polyvertnum[i] = out->num[i];
  }
  for (int i = 0; i < out->nvert; i++) {
    mesh->polyvert[i] = out->vert[i];
    mesh->polymapnum[out->vert[i]]++;
  }
  for (int i = 0, adr = 0; i < mesh->nvert; adr += mesh->polymapnum[i++]) mesh->polymapadr[i] = adr;
  int* fill = SN_SCRATCH(work, int, mesh->nvert);
  if (!fill) return -1;
  for (int i = 0; i < out->npoly; i++) {
    for (int k = 0; k < out->num[i]; k++) {
      int v = mesh->polyvert[mesh->polyvertadr[i] + k];
      SN_ASSERT_INDEX(fill[v], mesh->polymapnum[v]);
      mesh->polymap[mesh->polymapadr[v] + fill[v]++] = i;
    }
  }
  return 0;
}

int sn_buildPolygons(snWork* work, snMesh* mesh, const int* face, int nface) {
  Boundary boundary = {0};
  Output out = {0};
  Node* root = NULL;
  int* next = SN_SCRATCH(work, int, nface);
  // a walk that does not close may run through all edges of its group behind those already written
  out.vert = SN_SCRATCH(work, int, 6 * (size_t)nface + 2);
  out.num = SN_SCRATCH(work, int, nface);
  if (!next || !out.vert || !out.num) return -1;
  if (newBoundary(work, &boundary, mesh->nvert, nface)) return -1;
  if (groupFaces(work, &root, next, mesh->vert, face, nface)) return -1;

  for (Node* group = firstGroup(root); group; group = nextGroup(group)) {
    boundary.nedge = boundary.nisland = 0;
    for (int i = group->first; i >= 0; i = next[i]) insertFace(&boundary, face + 3 * (size_t)i);
    outputGroup(&boundary, &out);
    for (int i = 0; i < boundary.nedge; i++) boundary.head[boundary.edges[i].from] = -1;
  }
  return storePolygons(work, mesh, &out);
}

void sn_polygonNormals(snMesh* mesh) {
  for (int i = 0; i < mesh->npoly; i++) {
    const int* v = mesh->polyvert + mesh->polyvertadr[i];
    SN_ASSERT(mesh->polyvertnum[i] >= 3);
    faceNormal(mesh->polynormal + 3 * (size_t)i, mesh->vert + 3 * (size_t)v[0],
               mesh->vert + 3 * (size_t)v[1], mesh->vert + 3 * (size_t)v[2]);
  }
}
