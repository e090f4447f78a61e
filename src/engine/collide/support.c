#include "engine/collide/support.h"

#include <float.h>

#include "base/assert.h"
#include "math/cell.h"
#include "math/four.h"

// a mesh with fewer vertices is scanned even when it has a hull graph
enum { kMinHillClimb = 10 };

// a power of two above the sum of all places in a table
enum { kCounted = 1 << 16 };

// searches after one that met a tie for which another is expected
enum { kTied = 3 };

// the vertices and the hull of a mesh
static void convexMesh(snConvex* object, const snModel* m, int mesh) {
  SN_ASSERT_INDEX(mesh, m->nmesh);
  object->mesh = mesh;
  object->nvert = m->mesh_vertnum[mesh];
  object->vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  if (m->mesh_graphadr[mesh] < 0) return;
  int adr = m->mesh_graphadr[mesh];
  object->graph = m->mesh_graph + adr;
  object->hullstart = m->mesh_hullstart + snNHULLSTART * (snSize)mesh;
  object->gap = m->mesh_hullgap + 2 * (snSize)mesh;
  if (object->gap[1] > 0 && object->graph[0] <= snHULLTABLE && object->graph[1] >= snHULLFACES) {
    object->table = m->mesh_hullvert + adr;
  }
}

void sn_convexGeom(snConvex* object, const snModel* m, const snData* d, int geom, snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  object->kind = m->geom_type[geom];
  object->vertex = -1;
  object->start = -1;
  object->nvert = 0;
  object->mesh = -1;
  object->margin = margin;
  object->pos = d->geom_xpos + 3 * geom;
  object->mat = d->geom_xmat + 9 * geom;
  object->size = m->geom_size + 3 * geom;
  object->vert = NULL;
  object->graph = object->hullstart = NULL;
  object->table = NULL;
  object->tied = 0;

  if (object->kind == snGEOM_MESH || object->kind == snGEOM_SDF) {
    int mesh = m->geom_dataid[geom];
    if (mesh >= 0) convexMesh(object, m, mesh);
  }
}

void sn_convexCenter(snReal center[3], const snConvex* object) {
  if (object->kind == snCONVEX_PRISM) {
    snu_copy3(center, object->point[0]);
    for (int i = 1; i < 6; i++) snu_addTo3(center, object->point[i]);
    snu_scl3(center, center, (snReal)1 / 6);
    return;
  }
  snu_copy3(center, object->pos);
}

// world point of a local one
static inline void toWorld(snReal point[3], const snConvex* object, const snReal local[3]) {
  snu_mulMatVec3(point, object->mat, local);
  snu_addTo3(point, object->pos);
}

static inline snReal dotVertex(const snReal direction[3], const float* vertex) {
  return direction[0] * (snReal)vertex[0] + direction[1] * (snReal)vertex[1] +
         direction[2] * (snReal)vertex[2];
}

static inline void vertexToWorld(snReal point[3], const snConvex* object, int vertex) {
  SN_ASSERT_INDEX(vertex, object->nvert);
  const float* v = object->vert + 3 * vertex;
  snReal local[3] = {(snReal)v[0], (snReal)v[1], (snReal)v[2]};
  toWorld(point, object, local);
}

// all vertices of a mesh, the previous answer first
static void scanMesh(snReal point[3], snConvex* object, const snReal local[3]) {
  snReal best = -FLT_MAX;
  int index = 0;
  if (object->vertex >= 0) {
    index = object->vertex;
    best = dotVertex(local, object->vert + 3 * index);
  }
  for (int i = 0; i < object->nvert; i++) {
    snReal value = dotVertex(local, object->vert + 3 * i);
    if (value > best) {
      best = value;
      index = i;
    }
  }
  object->vertex = index;
  vertexToWorld(point, object, index);
}

// The hull of a mesh: edges of vertex i from edgeadr[i] on, until -1; globalid: vertices of the mesh.
typedef struct Hull_ {
  int numvert;
  const int *edgeadr, *globalid, *edge;
  const float* vert;
} Hull;

static inline Hull hullOf(const snConvex* object) {
  Hull hull;
  hull.numvert = object->graph[0];
  hull.edgeadr = object->graph + 2;
  hull.globalid = hull.edgeadr + hull.numvert;
  hull.edge = hull.globalid + hull.numvert;
  hull.vert = object->vert;
  return hull;
}

static inline snReal hullValue(const Hull* hull, int i, const snReal direction[3]) {
  return dotVertex(direction, hull->vert + 3 * (size_t)(unsigned)hull->globalid[(unsigned)i]);
}

// Climb along hull edges, over heights that are known (NULL: computed on the way). The vertex where the climb
// starts is left at once and only returned to from a neighbour that is worse: its own value is not looked at
// first.
static inline int climbOver(const Hull* hull, const snReal local[3], const snReal* height,
                            int current) {
  snReal best = -FLT_MAX;
  int previous = -1;
  while (current != previous) {
    previous = current;
    const int* list = hull->edge + hull->edgeadr[current];
    SN_ASSERT_INDEX(current, hull->numvert);
    for (int next = *list; next >= 0; next = *++list) {
      snReal value = height ? height[next] : hullValue(hull, next, local);
      int better = value > best;
      best = better ? value : best;
      current = better ? next : current;
    }
  }
  return current;
}

static int climb(const Hull* hull, const snReal local[3], int current) {
  return climbOver(hull, local, NULL, current);
}

// Neighbours of a vertex of a hull that are as high as best but for rounding: the first two, and their number;
// more than two where one has the very height.
static int listEqual(const Hull* hull, const snReal local[3], int vertex, snReal best,
                     snReal rounding, int equal[2]) {
  int n = 0;
  for (const int* next = hull->edge + hull->edgeadr[vertex]; *next >= 0; next++) {
    snReal below = best - hullValue(hull, *next, local);
    if (below > rounding) continue;
    if (n >= 2 || below == 0) return 3;
    equal[n++] = *next;
  }
  return n;
}

// Does every climb end at this summit, whatever way it takes? What is as high but for rounding is a corner, an edge
// or a face of the hull. On an edge or a triangle, whose corners are neighbours, the highest of them is found
// always; on larger faces, or where two have the very height, it matters where a climb comes from.
static int isOnlySummit(const Hull* hull, const snReal local[3], int summit, snReal best,
                        snReal rounding) {
  int equal[2], others[2], n = listEqual(hull, local, summit, best, rounding, equal);
  if (n < 2) return 1;
  if (n > 2) return 0;
  // the summit and the other one
  n = 0;
  for (const int* next = hull->edge + hull->edgeadr[equal[0]]; *next >= 0; next++) {
    if (best - hullValue(hull, *next, local) > rounding) continue;
    if (n >= 2) return 0;
    others[n++] = *next;
  }
  return n == 2 && others[0] + others[1] == summit + equal[1] &&
         (others[0] == summit || others[1] == summit);
}

// The same vertex on a shorter way, as a hull has one summit: from the better one of where the last climb ended and
// the vertex for directions like this one, which are looked at first. Returns -1 where there may be several summits:
// another one is lower than the highest vertex by at most the gap, and lower than this one by at least as much as
// its neighbours are, but for the gap.
static int climbFromCell(const Hull* hull, const snReal local[3], int start, int cell, snReal gap) {
  SN_ASSERT_INDEX(cell, hull->numvert);
  int current = cell, previous;
  snReal best = hullValue(hull, cell, local), second;
  if (start >= 0) {
    snReal value = hullValue(hull, start, local);
    current = value > best ? start : current;
    best = value > best ? value : best;
  }
  do {
    previous = current;
    second = -FLT_MAX;
    const int* list = hull->edge + hull->edgeadr[current];
    SN_ASSERT_INDEX(current, hull->numvert);
    for (int next = *list; next >= 0; next = *++list) {
      snReal value = hullValue(hull, next, local);
      int better = value > best;
      second = value > second ? value : second;
      best = better ? value : best;
      current = better ? next : current;
    }
  } while (current != previous);
  const float* v = hull->vert + 3 * (size_t)(unsigned)hull->globalid[current];
  snReal size = snu_abs((snReal)v[0]) + snu_abs((snReal)v[1]) + snu_abs((snReal)v[2]);
  snReal rounding = (sizeof(snReal) == 4 ? (snReal)1e-5 : (snReal)1e-11) * size;
  if (best - second > rounding + 2 * gap) return current;
  return gap == 0 && isOnlySummit(hull, local, current, best, rounding) ? current : -1;
}

#if SN_HAS_FOUR
// The vertex of a hull in blocks of eight that is higher than all others by more than a gap; -1: there is none.
SN_WIDE(static, int, onlyHighest, (const float* block, int n, const float local[3], float gap),
        (block, n, local, gap)) {
  float height[snHULLTABLE];
  snEight top = {-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX};
  for (int i = 0; i < n; i += 8, block += 24) {
    snEight h = SN_LOAD8(block) * local[0] + SN_LOAD8(block + 8) * local[1] +
                SN_LOAD8(block + 16) * local[2];
    snEightInts higher = h > top;
    top = (snEight)(((snEightInts)h & higher) | ((snEightInts)top & ~higher));
    *(snEight*)(height + i) = h;
  }
  float t[8];
  *(snEight*)t = top;
  for (int k = 0; k < 4; k++) t[k] = t[k] > t[k + 4] ? t[k] : t[k + 4];
  for (int k = 0; k < 2; k++) t[k] = t[k] > t[k + 2] ? t[k] : t[k + 2];
  float best = (t[0] > t[1] ? t[0] : t[1]) - gap;

  // a count of those above, in the upper bits, and the sum of their places
  snEight limit = {best, best, best, best, best, best, best, best};
  snEightInts sum = {0, 0, 0, 0, 0, 0, 0, 0}, place = {0, 1, 2, 3, 4, 5, 6, 7};
  place += (int)kCounted;
  for (int i = 0; i < n; i += 8, place += 8) sum += (SN_LOAD8(height + i) >= limit) & place;
  int part[8], all = 0;
  *(snEightInts*)part = sum;
  for (int k = 0; k < 4; k++) all += part[k] + part[k + 4];
  return all / kCounted == 1 ? all % kCounted : -1;
}

// Heights of all vertices, as dotVertex has them.
SN_WIDE(static, void, allHeights,
        (snReal * SN_RESTRICT height, const float* block, int n, const snReal local[3]),
        (height, block, n, local)) {
  snReal x = local[0], y = local[1], z = local[2];
  for (int i = 0; i < n; i += 8, block += 24) {
    for (int k = 0; k < 8; k++) {
      height[i + k] = x * (snReal)block[k] + y * (snReal)block[8 + k] + z * (snReal)block[16 + k];
    }
  }
}

// Where every climb over a small hull ends; -1: not known. Heights in single precision are wrong by less than 2e-7
// of the size: by the rounding of the direction, a product and two sums.
static int tableSummit(const Hull* hull, const snConvex* object, const snReal local[3]) {
  float direction[3] = {(float)local[0], (float)local[1], (float)local[2]};
  float gap = (float)(object->gap[0] + (snReal)1e-6 * object->gap[1]);
  int found = onlyHighest(object->table, hull->numvert, direction, gap);
  return found < hull->numvert ? found : -1;
}

static int searchWide(const Hull* hull, snConvex* object, const snReal local[3]) {
  if (object->tied == 0) {
    int found = tableSummit(hull, object, local);
    if (found >= 0) return found;
  }
  // on a flat feature, as probably next time
  object->tied = object->tied == 0 ? kTied : object->tied - 1;
  snReal height[snHULLTABLE];
  allHeights(height, object->table, hull->numvert, local);
  return climbOver(hull, local, height, object->start >= 0 ? object->start : 0);
}

// is a vertex where it was? A program may have moved it since the model was compiled
static inline int isInPlace(const Hull* hull, const snConvex* object, int found) {
  const float* copy = object->table + 24 * (found / 8) + found % 8;
  const float* v = hull->vert + 3 * (size_t)(unsigned)hull->globalid[found];
  return v[0] == copy[0] && v[1] == copy[8] && v[2] == copy[16];
}

// where a climb over a small hull ends; -1: not known
static int searchTable(const Hull* hull, snConvex* object, const snReal local[3]) {
  int found = searchWide(hull, object, local);
  return isInPlace(hull, object, found) ? found : -1;
}
#else
static int tableSummit(const Hull* hull, const snConvex* object, const snReal local[3]) {
  (void)hull, (void)object, (void)local;
  return -1;
}

static inline int isInPlace(const Hull* hull, const snConvex* object, int found) {
  (void)hull, (void)object, (void)found;
  return 1;
}

static int searchTable(const Hull* hull, snConvex* object, const snReal local[3]) {
  return climb(hull, local, object->start >= 0 ? object->start : 0);
}
#endif

static void climbMesh(snReal point[3], snConvex* object, const snReal local[3]) {
  Hull hull = hullOf(object);
  int found = -1;
  if (object->table) {
    found = searchTable(&hull, object, local);
  } else if (object->hullstart[0]) {
    found = climbFromCell(&hull, local, object->start, object->hullstart[sn_cellOf(local)] - 1,
                          object->gap[0]);
  }
  if (found < 0) found = climb(&hull, local, object->start >= 0 ? object->start : 0);
  object->start = found;
  object->vertex = hull.globalid[found];
  vertexToWorld(point, object, object->vertex);
}

int sn_hullSummit(const snModel* m, int mesh, const snReal direction[3]) {
  snConvex object;
  object.table = NULL;
  object.graph = NULL;
  convexMesh(&object, m, mesh);
  if (!object.graph) return -1;
  Hull hull = hullOf(&object);
  if (object.table) {
    int found = tableSummit(&hull, &object, direction);
    return found >= 0 && isInPlace(&hull, &object, found) ? found : -1;
  }
  if (!object.hullstart[0]) return -1;
  return climbFromCell(&hull, direction, -1, object.hullstart[sn_cellOf(direction)] - 1,
                       object.gap[0]);
}

static inline void supportMesh(snReal point[3], snConvex* object, const snReal local[3]) {
  if (object->nvert == 0) {
    snu_copy3(point, object->pos);
  } else if (object->graph && object->nvert >= kMinHillClimb) {
    climbMesh(point, object, local);
  } else {
    scanMesh(point, object, local);
  }
}

// the first of the farthest corners; no branches, which would be taken at random
static inline void supportPrism(snReal point[3], const snConvex* object,
                                const snReal direction[3]) {
  const snReal(*corner)[3] = object->point + 3 * !(direction[2] < 0);
  snReal value0 = snu_dot3(direction, corner[0]);
  snReal value1 = snu_dot3(direction, corner[1]);
  snReal value2 = snu_dot3(direction, corner[2]);
  int second = value1 > value0;
  int third = value2 > (value1 > value0 ? value1 : value0);
  snu_copy3(point, corner[2 * third + (second & (1 - third))]);
}

// size with the sign of a number that counts as positive when it is 0; no branch here either
static inline snReal signedSize(snReal size, snReal number) {
  static const snReal kSign[2] = {-1, 1};
  return size * kSign[number >= 0];
}

static void supportFlex(snReal point[3], const snConvex* object, const snReal direction[3]) {
  int index = 0;
  snReal best = snu_dot3(direction, object->point[0]);
  for (int i = 1; i < object->nvert; i++) {
    snReal value = snu_dot3(direction, object->point[i]);
    if (value > best) {
      best = value;
      index = i;
    }
  }
  snu_addScl3(point, object->point[index], direction,
              object->size[0] + (snReal)0.5 * object->margin);
}

static void supportSegment(snReal point[3], const snConvex* object, const snReal direction[3]) {
  const snReal* mat = object->mat;
  snReal along = mat[2] * direction[0] + mat[5] * direction[1] + mat[8] * direction[2];
  snReal length = signedSize(object->size[1], along);
  snReal axis[3] = {mat[2], mat[5], mat[8]};
  snu_addScl3(point, object->pos, axis, length);
}

static inline void supportEllipsoid(snReal local[3], const snReal size[3], const snReal dir[3]) {
  snReal scaled[3] = {dir[0] * size[0], dir[1] * size[1], dir[2] * size[2]};
  snReal square = snu_dot3(scaled, scaled);
  if (square < snMINVAL * snMINVAL) {
    local[0] = size[0];
    local[1] = local[2] = 0;
    return;
  }
  snReal inverse = 1 / snu_sqrt(square);
  for (int i = 0; i < 3; i++) local[i] = scaled[i] * (inverse * size[i]);
}

static inline void supportCylinder(snReal local[3], const snReal size[3], const snReal dir[3]) {
  snReal square = dir[0] * dir[0] + dir[1] * dir[1];
  if (square >= snMINVAL * snMINVAL) {
    snReal scale = size[0] / snu_sqrt(square);
    local[0] = dir[0] * scale;
    local[1] = dir[1] * scale;
  } else {
    local[0] = local[1] = 0;
  }
  local[2] = signedSize(size[1], dir[2]);
}

static inline int supportBox(snReal local[3], const snReal size[3], const snReal dir[3]) {
  int corner = 0;
  for (int i = 0; i < 3; i++) {
    local[i] = signedSize(size[i], dir[i]);
    corner |= (local[i] > 0) << i;
  }
  return corner;
}

void sn_convexSupport(snReal point[3], snConvex* object, const snReal direction[3]) {
  snReal dir[3], local[3];
  switch (object->kind) {
    case snCONVEX_PRISM: supportPrism(point, object, direction); return;
    case snCONVEX_POINT: snu_copy3(point, object->pos); return;
    case snCONVEX_SEGMENT: supportSegment(point, object, direction); return;
    case snCONVEX_FLEX: supportFlex(point, object, direction); return;
    case snGEOM_SPHERE: snu_addScl3(point, object->pos, direction, object->size[0]); break;
    case snGEOM_CAPSULE:
      snu_mulMatTVec3(dir, object->mat, direction);
      snu_scl3(local, dir, object->size[0]);
      local[2] += signedSize(object->size[1], dir[2]);
      toWorld(point, object, local);
      break;
    case snGEOM_ELLIPSOID:
      snu_mulMatTVec3(dir, object->mat, direction);
      supportEllipsoid(local, object->size, dir);
      toWorld(point, object, local);
      break;
    case snGEOM_CYLINDER:
      snu_mulMatTVec3(dir, object->mat, direction);
      supportCylinder(local, object->size, dir);
      toWorld(point, object, local);
      break;
    case snGEOM_BOX:
      snu_mulMatTVec3(dir, object->mat, direction);
      object->vertex = supportBox(local, object->size, dir);
      toWorld(point, object, local);
      break;
    default:
      snu_mulMatTVec3(dir, object->mat, direction);
      supportMesh(point, object, dir);
      break;
  }
  if (object->margin > 0) snu_addToScl3(point, direction, (snReal)0.5 * object->margin);
}

// ---- legacy rules ----

static void legacyMesh(snReal local[3], snConvex* object, const snReal dir[3]) {
  int index = 0;
  if (object->graph) {
    const int* edgeadr = object->graph + 2;
    int numvert = object->graph[0];
    const int* globalid = edgeadr + numvert;
    const int* edge = globalid + numvert;
    int current = object->start >= 0 ? object->start : 0;
    int previous = -1;
    snReal best = dotVertex(dir, object->vert + 3 * globalid[current]);
    while (current != previous) {
      previous = current;
      for (const int* next = edge + edgeadr[current]; *next >= 0; next++) {
        snReal value = dotVertex(dir, object->vert + 3 * globalid[*next]);
        if (value > best) {
          best = value;
          current = *next;
        }
      }
    }
    object->start = current;
    index = globalid[current];
  } else {
    snReal best = -snMAXVAL;
    for (int i = 0; i < object->nvert; i++) {
      snReal value = dotVertex(dir, object->vert + 3 * i);
      if (value > best) {
        best = value;
        index = i;
      }
    }
  }
  object->vertex = index;
  for (int i = 0; i < 3; i++) local[i] = (snReal)object->vert[3 * index + i];
}

static inline void legacyCylinder(snReal local[3], const snReal size[3], const snReal dir[3]) {
  snReal norm = snu_sqrt(dir[0] * dir[0] + dir[1] * dir[1]);
  local[0] = local[1] = 0;
  if (norm > snMINVAL) {
    local[0] = dir[0] / norm * size[0];
    local[1] = dir[1] / norm * size[0];
  }
  local[2] = snu_sign(dir[2]) * size[1];
}

void sn_convexSupportLegacy(snReal point[3], snConvex* object, const snReal direction[3]) {
  snReal dir[3], local[3] = {0, 0, 0};
  const snReal* size = object->size;
  if (object->kind == snCONVEX_PRISM) {
    supportPrism(point, object, direction);
    return;
  }
  if (object->kind == snCONVEX_FLEX) {
    supportFlex(point, object, direction);
    return;
  }
  snu_mulMatTVec3(dir, object->mat, direction);
  switch (object->kind) {
    case snGEOM_SPHERE: snu_scl3(local, dir, size[0]); break;
    case snGEOM_CAPSULE:
      snu_scl3(local, dir, size[0]);
      local[2] += snu_sign(dir[2]) * size[1];
      break;
    case snGEOM_ELLIPSOID:
      for (int i = 0; i < 3; i++) local[i] = dir[i] * size[i];
      snu_normalize3(local);
      for (int i = 0; i < 3; i++) local[i] *= size[i];
      break;
    case snGEOM_CYLINDER: legacyCylinder(local, size, dir); break;
    case snGEOM_BOX:
      for (int i = 0; i < 3; i++) local[i] = snu_sign(dir[i]) * size[i];
      break;
    default:
      if (object->nvert > 0) legacyMesh(local, object, dir);
      break;
  }
  snu_addToScl3(local, dir, (snReal)0.5 * object->margin);
  toWorld(point, object, local);
}
