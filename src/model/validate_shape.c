// Shapes of a model that came from outside: bounding volume trees and octrees have no cycles, hulls,
// polygons and flexes refer to vertices that they have.

#include "model/binary.h"

static int inside(int id, snSize low, snSize size) { return id >= low && id < size; }

static int allInside(const int* ids, snSize count, snSize low, snSize size) {
  for (snSize i = 0; i < count; i++) {
    if (!inside(ids[i], low, size)) return 0;
  }
  return 1;
}

// nodes from adr on: children come later in the same tree, leaves name one of n items
static int treeIsSound(const snModel* m, int adr, int num, snSize items) {
  for (int i = 0; i < num; i++) {
    const int* child = m->bvh_child + 2 * (adr + i);
    if (child[0] < 0 && child[1] < 0) {
      if (!inside(m->bvh_nodeid[adr + i], 0, items)) return 0;
    } else if (!inside(child[0], i + 1, num) || !inside(child[1], i + 1, num)) {
      return 0;
    }
  }
  return 1;
}

static const char* checkTrees(const snModel* m) {
  if (m->nbvh != m->nbvhstatic + m->nbvhdynamic) return "nbvh is not the sum of its parts";
  for (int i = 0; i < m->nbody; i++) {
    if (m->body_bvhnum[i] && m->body_bvhadr[i] + m->body_bvhnum[i] > m->nbvhstatic)
      return "body_bvhadr out of bounds";
    if (!treeIsSound(m, m->body_bvhadr[i], m->body_bvhnum[i], m->ngeom))
      return "bvh_child or bvh_nodeid of a body out of bounds";
  }
  for (int i = 0; i < m->nmesh; i++) {
    if (m->mesh_bvhnum[i] && m->mesh_bvhadr[i] + m->mesh_bvhnum[i] > m->nbvhstatic)
      return "mesh_bvhadr out of bounds";
    if (!treeIsSound(m, m->mesh_bvhadr[i], m->mesh_bvhnum[i], m->mesh_facenum[i]))
      return "bvh_child or bvh_nodeid of a mesh out of bounds";
    for (int k = 0; k < 8 * m->mesh_octnum[i]; k++) {
      int child = m->oct_child[8 * m->mesh_octadr[i] + k];
      if (child >= 0 && !inside(child, k / 8 + 1, m->mesh_octnum[i]))
        return "oct_child out of bounds";
    }
  }
  for (int i = 0; i < m->nflex; i++) {
    if (m->flex_bvhnum[i] && m->flex_bvhadr[i] < m->nbvhstatic) return "flex_bvhadr out of bounds";
    if (!treeIsSound(m, m->flex_bvhadr[i], m->flex_bvhnum[i], m->flex_elemnum[i]))
      return "bvh_child or bvh_nodeid of a flex out of bounds";
  }
  return NULL;
}

// counts, first neighbours, vertex ids, lists of neighbours that end in -1, triangles
static int hullIsSound(const snModel* m, int mesh) {
  snSize adr = m->mesh_graphadr[mesh], left = m->nmeshgraph - adr;
  if (adr < 0) return 1;
  if (left < 2) return 0;
  const int* graph = m->mesh_graph + adr;
  snSize nvert = graph[0], nface = graph[1], edges = nvert + 3 * nface;
  if (nvert < 1 || nface < 1 || 2 + 2 * nvert + edges + 3 * nface > left) return 0;
  const int *first = graph + 2, *global = first + nvert, *list = global + nvert;
  return allInside(first, nvert, 0, edges) && allInside(global, nvert, 0, m->mesh_vertnum[mesh]) &&
         allInside(list, edges, -1, nvert) && list[edges - 1] == -1 &&
         allInside(list + edges, 3 * nface, 0, m->mesh_vertnum[mesh]);
}

static const char* checkMeshes(const snModel* m) {
  for (int i = 0; i < m->nmesh; i++) {
    if (!hullIsSound(m, i)) return "mesh_graph out of bounds";
    for (int p = m->mesh_polyadr[i]; p < m->mesh_polyadr[i] + m->mesh_polynum[i]; p++) {
      const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[p];
      if (!allInside(vert, m->mesh_polyvertnum[p], 0, m->mesh_vertnum[i]))
        return "mesh_polyvert out of bounds";
    }
    for (int v = m->mesh_vertadr[i]; v < m->mesh_vertadr[i] + m->mesh_vertnum[i]; v++) {
      const int* polygons = m->mesh_polymap + m->mesh_polymapadr[v];
      if (!allInside(polygons, m->mesh_polymapnum[v], 0, m->mesh_polynum[i]))
        return "mesh_polymap out of bounds";
    }
  }
  return NULL;
}

static const char* checkFlex(const snModel* m, int i) {
  snSize nvert = m->flex_vertnum[i], nedge = m->flex_edgenum[i], nelem = m->flex_elemnum[i];
  int dim = m->flex_dim[i];
  if (dim < 1 || dim > 3) return "flex_dim out of bounds";
  static const int edges[4] = {0, 1, 3, 6};
  snSize adr = m->flex_elemdataadr[i], count = nelem * (dim + 1);
  if (count && (adr < 0 || adr + count > m->nflexelemdata)) return "flex_elemdataadr out of bounds";
  if (count && !allInside(m->flex_elem + adr, count, 0, nvert)) return "flex_elem out of bounds";
  adr = m->flex_elemedgeadr[i];
  count = nelem * edges[dim];
  if (count && (adr < 0 || adr + count > m->nflexelemedge)) return "flex_elemedgeadr out of bounds";
  if (count && !allInside(m->flex_elemedge + adr, count, 0, nedge))
    return "flex_elemedge out of bounds";
  adr = m->flex_shelldataadr[i];
  count = (snSize)m->flex_shellnum[i] * dim;
  if (count && (adr < 0 || count < 0 || adr + count > m->nflexshelldata))
    return "flex_shelldataadr out of bounds";
  if (count && !allInside(m->flex_shell + adr, count, 0, nvert)) return "flex_shell out of bounds";
  if (!allInside(m->flex_edge + 2 * m->flex_edgeadr[i], nedge ? 2 * nedge : 0, 0, nvert))
    return "flex_edge out of bounds";
  if (!allInside(m->flex_edgeflap + 2 * m->flex_edgeadr[i], nedge ? 2 * nedge : 0, -1, nvert))
    return "flex_edgeflap out of bounds";
  for (int p = 0; p < m->flex_evpairnum[i]; p++) {
    const int* pair = m->flex_evpair + 2 * (m->flex_evpairadr[i] + p);
    if (!inside(pair[0], 0, nelem) || !inside(pair[1], 0, nvert))
      return "flex_evpair out of bounds";
  }
  return NULL;
}

const char* sn_checkShapes(const snModel* m) {
  const char* problem = checkTrees(m);
  if (!problem) problem = checkMeshes(m);
  for (int i = 0; i < m->nflex && !problem; i++) problem = checkFlex(m, i);
  return problem;
}
