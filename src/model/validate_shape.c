// Shapes of a model: bounding volume trees and octrees have no cycles, geoms, meshes, skins, height
// fields and textures refer to what they have.

#include <string.h>

#include "base/assert.h"
#include "model/hull_starts.h"
#include "model/validate.h"

static int inside(int id, snSize low, snSize size) { return id >= low && id < size; }

static int allInside(const int* ids, snSize count, snSize low, snSize size) {
  for (snSize i = 0; i < count; i++) {
    if (!inside(ids[i], low, size)) return 0;
  }
  return 1;
}

// ---- trees of bounding volumes ----

// Nodes from adr on: children come later in the same tree, no node has two parents (seen counts them),
// leaves name one of n items. Without the second rule a walk could take exponential time.
static int treeIsSound(const snModel* m, snSize adr, int num, snSize items, char* seen) {
  SN_ASSERT(!num || (adr >= 0 && adr + num <= m->nbvh));
  for (int i = 0; i < num; i++) {
    const int* child = m->bvh_child + 2 * (adr + i);
    int isLeaf = child[0] < 0 && child[1] < 0;
    if (!inside(m->bvh_nodeid[adr + i], isLeaf ? 0 : -1, items)) return 0;
    for (int c = 0; c < 2 && !isLeaf; c++) {
      if (!inside(child[c], i + 1, num) || seen[adr + child[c]]++) return 0;
    }
  }
  return 1;
}

static const char* checkVolumes(const snModel* m, char* seen) {
  for (int i = 0; i < m->nbody; i++) {
    if (!treeIsSound(m, m->body_bvhadr[i], m->body_bvhnum[i], m->ngeom, seen))
      return "bvh_child or bvh_nodeid of a body out of bounds";
  }
  for (int i = 0; i < m->nmesh; i++) {
    if (!treeIsSound(m, m->mesh_bvhadr[i], m->mesh_bvhnum[i], m->mesh_facenum[i], seen))
      return "bvh_child or bvh_nodeid of a mesh out of bounds";
  }
  for (int i = 0; i < m->nflex; i++) {
    if (m->flex_bvhnum[i] && m->flex_bvhadr[i] < m->nbvhstatic) return "flex_bvhadr out of bounds";
    if (!treeIsSound(m, m->flex_bvhadr[i], m->flex_bvhnum[i], m->flex_elemnum[i], seen))
      return "bvh_child or bvh_nodeid of a flex out of bounds";
  }
  return NULL;
}

const char* sn_validateTrees(const snModel* m) {
  if (m->nbvh != m->nbvhstatic + m->nbvhdynamic) return "nbvh is not the sum of its parts";
  for (int i = 0; i < m->nmesh; i++) {
    for (snSize k = 0; k < 8 * (snSize)m->mesh_octnum[i]; k++) {
      int child = m->oct_child[8 * (snSize)m->mesh_octadr[i] + k];
      if (child != -1 && !inside(child, k / 8 + 1, m->mesh_octnum[i]))
        return "oct_child out of bounds";
    }
  }
  char* seen = (char*)snu_malloc((size_t)m->nbvh + 1);
  if (!seen) return "out of memory";
  memset(seen, 0, (size_t)m->nbvh + 1);
  const char* problem = checkVolumes(m, seen);
  snu_free(seen);
  return problem;
}

// ---- geoms ----

const char* sn_validateGeoms(const snModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    int type = m->geom_type[i], id = m->geom_dataid[i];
    if (!inside(id, -1, type == snGEOM_HFIELD ? m->nhfield : m->nmesh))
      return "geom_dataid out of bounds";
    if (id < 0 && (type == snGEOM_MESH || type == snGEOM_SDF || type == snGEOM_HFIELD))
      return "geom_dataid of a geom that needs data is -1";
  }
  return NULL;
}

const char* sn_validateHeightFields(const snModel* m) {
  for (int i = 0; i < m->nhfield; i++) {
    snSize rows = m->hfield_nrow[i], columns = m->hfield_ncol[i], adr = m->hfield_adr[i];
    if (rows < 1 || columns < 1 || adr < 0 || adr + rows * columns > m->nhfielddata)
      return "hfield_adr out of bounds";
  }
  return NULL;
}

const char* sn_validateTextures(const snModel* m) {
  for (int i = 0; i < m->ntex; i++) {
    snSize pixels = m->tex_height[i] * (snSize)m->tex_width[i], adr = m->tex_adr[i];
    if (adr < 0 || adr > m->ntexdata || pixels > (m->ntexdata - adr) / m->tex_nchannel[i])
      return "tex_adr out of bounds";
  }
  return NULL;
}

// ---- meshes and skins ----

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

static const char* checkMesh(const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->nmesh);
  if (!hullIsSound(m, i)) return "mesh_graph out of bounds";
  snSize nhull = m->mesh_graphadr[i] < 0 ? 0 : m->mesh_graph[m->mesh_graphadr[i]];
  const int* start = m->mesh_hullstart + snNHULLSTART * (snSize)i;
  if (!allInside(start, snNHULLSTART, *start > 0, *start > 0 ? nhull + 1 : 1))
    return "mesh_hullstart out of bounds";
  if (nhull && !sn_hullCellsAreSound(m, i)) return "mesh_hullvert out of bounds";
  for (snSize k = 0; k < m->mesh_polynum[i]; k++) {
    snSize p = m->mesh_polyadr[i] + k;
    if (!allInside(m->mesh_polyvert + m->mesh_polyvertadr[p], m->mesh_polyvertnum[p], 0,
                   m->mesh_vertnum[i]))
      return "mesh_polyvert out of bounds";
  }
  for (snSize k = 0; k < m->mesh_vertnum[i]; k++) {
    snSize v = m->mesh_vertadr[i] + k;
    if (!allInside(m->mesh_polymap + m->mesh_polymapadr[v], m->mesh_polymapnum[v], 0,
                   m->mesh_polynum[i]))
      return "mesh_polymap out of bounds";
  }
  return NULL;
}

const char* sn_validateMeshes(const snModel* m) {
  const char* problem = NULL;
  for (int i = 0; i < m->nmesh && !problem; i++) problem = checkMesh(m, i);
  return problem;
}

const char* sn_validateSkins(const snModel* m) {
  for (int i = 0; i < m->nskin; i++) {
    snSize adr = m->skin_texcoordadr[i], nvert = m->skin_vertnum[i];
    if (adr != -1 && (adr < 0 || adr + nvert > m->nskintexvert))
      return "skin_texcoordadr out of bounds";
    for (snSize k = 0; k < m->skin_bonenum[i]; k++) {
      snSize bone = m->skin_boneadr[i] + k;
      const int* vertex = m->skin_bonevertid + m->skin_bonevertadr[bone];
      if (!allInside(vertex, m->skin_bonevertnum[bone], 0, nvert))
        return "skin_bonevertid out of bounds";
    }
  }
  return NULL;
}
