#include "engine/collide/support.h"

#include <float.h>

#include "base/assert.h"
#include "engine/collide/convex_query.h"
#include "math/cell.h"
#include "math/three.h"

// a mesh with fewer vertices is scanned even when it has a hull graph
enum { kMinHillClimb = 10 };

// a power of two above the sum of all places in a table
enum { kCounted = 1 << 16 };

// after a search that met a tie, so many more searches are expected to meet one
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
  int nvert = object->graph[0], nface = object->graph[1];
  if (!(object->gap[1] > 0 && nface >= snHULLFACES)) return;
  object->stride = nvert <= snHULLTABLE ? 0 : sn_cellStride(nvert, nface);
  if (object->stride == 1 || nvert > snHULLMOST) return;
  object->table = m->mesh_hullvert + adr;
  object->tie = (float)(object->gap[0] + (snReal)1e-6 * object->gap[1]);
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
  object->stride = object->tied = 0;

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

static inline snReal dotVertex(const snReal direction[3], const float* vertex) {
  return direction[0] * (snReal)vertex[0] + direction[1] * (snReal)vertex[1] +
         direction[2] * (snReal)vertex[2];
}

// all vertices of a mesh, the previous answer first
static int scanMesh(const snConvex* object, const snReal local[3]) {
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
  return index;
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

// Hill climbing along hull edges. height: known heights of the vertices (NULL: computed on the way). The start vertex's
// own height is not compared first: the climb leaves it at once and returns only from a lower neighbour.
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

// Lists the first two neighbours of a vertex whose heights equal best up to rounding, and returns their number: 3 when
// there are more, or when one has exactly that height.
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

// Does every climb end at this summit, wherever it starts? The vertices that are as high up to rounding form a corner,
// an edge or a face of the hull. On an edge or a triangle, all of whose corners are neighbours, every climb finds the
// highest of them; on larger faces, or where two have exactly the same height, the end depends on the start.
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

// The same vertex by a shorter climb from the end of the last climb or the vertex stored for the
// cell of the direction, whichever is higher. Returns -1 where there may be several summits. Another summit would be at
// most the gap below the highest vertex, and at most the gap above the neighbours of this one: if these are lower than
// this one by more than twice the gap, there is no other.
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
// elementwise: a where the comparison is true, else b
#define CHOOSE(which, a, b) (((snEightInts)(a) & (which)) | ((snEightInts)(b) & ~(which)))

// The vertex that is higher than all others by more than a gap, by its place in n blocks of eight, those of a list if
// there is one; -1: there is none. Each of eight lanes knows its highest vertex, the place of that, and the second
// height.
SN_KERNEL int onlyHighest(const float* table, const float* list, int n, const float local[3],
                          float gap) {
  snEight top = {-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX};
  snEight second = top;
  // a count of vertices, in the upper bits, and their places
  snEightInts place = {0, 1, 2, 3, 4, 5, 6, 7}, at = place;
  place += (int)kCounted;
  for (int i = 0; i < n; i++, place += 8) {
    const float* block = table + 24 * (list ? (int)list[i] : i);
    snEight h = SN_LOAD8(block) * local[0] + SN_LOAD8(block + 8) * local[1] +
                SN_LOAD8(block + 16) * local[2];
    snEightInts higher = h > top;
    snEight lower = (snEight)CHOOSE(higher, top, h);
    at = CHOOSE(higher, place, at);
    top = (snEight)CHOOSE(higher, h, top);
    higher = lower > second;
    second = (snEight)CHOOSE(higher, lower, second);
  }
  float t[8];
  *(snEight*)t = top;
  for (int k = 0; k < 4; k++) t[k] = t[k] > t[k + 4] ? t[k] : t[k + 4];
  for (int k = 0; k < 2; k++) t[k] = t[k] > t[k + 2] ? t[k] : t[k + 2];
  float best = (t[0] > t[1] ? t[0] : t[1]) - gap;

  snEight limit = {best, best, best, best, best, best, best, best};
  snEightInts sum = ((top >= limit) & at) + ((second >= limit) & (int)kCounted);
  int part[8], all = 0;
  *(snEightInts*)part = sum;
  for (int k = 0; k < 4; k++) all += part[k] + part[k + 4];
  if (all / kCounted != 1) return -1;
  unsigned found = (unsigned)(all % kCounted);
  return list ? (int)(8 * (unsigned)list[found / 8] + found % 8) : (int)found;
}

// Heights of all vertices, computed as by dotVertex.
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

// The vertex where every climb over a hull ends, by its index in the table; -1: not known. Heights in single precision
// are wrong by less than 2e-7 of the size: by the rounding of the direction, a product and two sums.
SN_KERNEL int summitPlace(const snConvex* object, snThree local) {
  float direction[3] = {(float)local[0], (float)local[1], (float)local[2]};
  int blocks = sn_hullBlocks(object->graph[0]);
  if (object->stride) {
    snReal exact[3];
    sn_threeStore(exact, local);
    const float* list = object->table + 32 * blocks + object->stride * sn_cellOf(exact);
    if (list[0] > 0) {
      return onlyHighest(object->table, list + 1, (int)list[0], direction, object->tie);
    }
    if (blocks > snCELLBLOCKS) return -1;
  }
  return onlyHighest(object->table, NULL, blocks, direction, object->tie);
}

// The same vertex by its number in the hull, if it is where it was: a program may have moved it since the model was
// compiled.
SN_KERNEL int tableSummit(const snConvex* object, snThree local) {
  int place = summitPlace(object, local), n = object->graph[0], found = place;
  if (place < 0) return -1;
  const float* copy = object->table + 24 * ((unsigned)place / 8) + (unsigned)place % 8;
  if (object->stride) found = (int)object->table[24 * sn_hullBlocks(n) + place];
  if (found >= n) return -1;
  const float* v = object->vert + 3 * (size_t)(unsigned)object->graph[2 + n + found];
  return v[0] == copy[0] && v[1] == copy[8] && v[2] == copy[16] ? found : -1;
}

// The vertex where a climb over a small hull ends; there may be several summits. -1: vertices have moved.
static int climbTable(snConvex* object, const snReal local[3]) {
  Hull hull = hullOf(object);
  snReal height[snHULLTABLE];
  allHeights(height, object->table, hull.numvert, local);
  int found = climbOver(&hull, local, height, object->start >= 0 ? object->start : 0);
  return height[found] == hullValue(&hull, found, local) ? found : -1;
}
#else
SN_KERNEL int tableSummit(const snConvex* object, snThree local) {
  (void)object, (void)local;
  return -1;
}

static int climbTable(snConvex* object, const snReal local[3]) {
  Hull hull = hullOf(object);
  return climb(&hull, local, object->start >= 0 ? object->start : 0);
}
#endif

// where a climb over a hull ends, in steps
static SN_OUTLINE int climbSlow(snConvex* object, const snReal local[3]) {
  int found = -1;
  // a tie on a flat feature, which is likely next time as well
  object->tied = object->tied == 0 ? kTied : object->tied - 1;
  if (object->table && !object->stride) {
    found = climbTable(object, local);
    if (found >= 0) return found;
  }
  Hull hull = hullOf(object);
  if (object->stride && object->hullstart[0] && !(object->table && object->gap[0] > 0)) {
    found = climbFromCell(&hull, local, object->start, object->hullstart[sn_cellOf(local)] - 1,
                          object->gap[0]);
    if (found >= 0) return found;
  }
  return climb(&hull, local, object->start >= 0 ? object->start : 0);
}

// the vertex of a mesh with a hull that is farthest
SN_KERNEL int climbMesh(snConvex* object, snThree local) {
  int found = object->table && object->tied == 0 ? tableSummit(object, local) : -1;
  if (found < 0) {
    snReal direction[3];
    sn_threeStore(direction, local);
    found = climbSlow(object, direction);
  }
  object->start = found;
  return object->graph[2 + object->graph[0] + found];
}

SN_WIDE(static, int, summitOf, (const snConvex* object, const snReal direction[3]),
        (object, direction)) {
  return tableSummit(object, sn_threeLoad(direction));
}

int sn_hullSummit(const snModel* m, int mesh, const snReal direction[3]) {
  snConvex object;
  object.table = NULL;
  object.graph = NULL;
  convexMesh(&object, m, mesh);
  if (!object.graph) return -1;
  int found = object.table ? summitOf(&object, direction) : -1;
  if (found >= 0 || (object.table && !object.stride) || !object.hullstart[0]) return found;
  Hull hull = hullOf(&object);
  return climbFromCell(&hull, direction, -1, object.hullstart[sn_cellOf(direction)] - 1,
                       object.gap[0]);
}

// is one vertex of a mesh higher than all others?
static int hasOneHighest(const snConvex* object, const snReal local[3]) {
  snReal best = -FLT_MAX;
  int count = 0;
  for (int i = 0; i < object->nvert; i++) {
    snReal value = dotVertex(local, object->vert + 3 * i);
    count = value > best ? 1 : count + (value == best);
    best = value > best ? value : best;
  }
  return count == 1;
}

int sn_convexIsSure(const snModel* m, const snConvex* object, const snReal direction[3]) {
  snReal local[3];
  snu_mulMatTVec3(local, object->mat, direction);
  if (object->graph && object->nvert >= kMinHillClimb) {
    return sn_hullSummit(m, object->mesh, local) >= 0;
  }
  return hasOneHighest(object, local);
}

// ---- places in the world, as vectors

SN_WIDE(, void, sn_convexPlace, (snConvex * object), (object)) {
#if SN_HAS_FOUR
  if (object->kind == snCONVEX_PRISM || object->kind == snCONVEX_FLEX) return;
  const snReal* mat = object->mat;
  for (int k = 0; k < 3; k++) {
    *(snFour*)object->column[k] = sn_three(mat[k], mat[3 + k], mat[6 + k]);
  }
#else
  (void)object;
#endif
}

// world point of a local one
SN_KERNEL snThree toWorld(const snConvex* object, snReal x, snReal y, snReal z) {
#if SN_HAS_FOUR
  return SN_LOAD4(object->column[0]) * x + SN_LOAD4(object->column[1]) * y +
         SN_LOAD4(object->column[2]) * z + sn_threeLoad(object->pos);
#else
  snReal point[3], local[3] = {x, y, z};
  snu_mulMatVec3(point, object->mat, local);
  return sn_threeAdd(sn_threeLoad(point), sn_threeLoad(object->pos));
#endif
}

SN_KERNEL snThree supportMesh(snConvex* object, snThree local) {
  if (object->nvert == 0) return sn_threeLoad(object->pos);
  if (object->graph && object->nvert >= kMinHillClimb) {
    object->vertex = climbMesh(object, local);
  } else {
    snReal direction[3];
    sn_threeStore(direction, local);
    object->vertex = scanMesh(object, direction);
  }
  SN_ASSERT_INDEX(object->vertex, object->nvert);
  const float* v = object->vert + 3 * object->vertex;
  return toWorld(object, (snReal)v[0], (snReal)v[1], (snReal)v[2]);
}

// The first of the farthest corners, without branches, which would be unpredictable.
SN_KERNEL const snReal* prismCorner(const snConvex* object, snReal x, snReal y, snReal z) {
  const snReal(*corner)[3] = object->point + 3 * !(z < 0);
  snReal value0 = x * corner[0][0] + y * corner[0][1] + z * corner[0][2];
  snReal value1 = x * corner[1][0] + y * corner[1][1] + z * corner[1][2];
  snReal value2 = x * corner[2][0] + y * corner[2][1] + z * corner[2][2];
  int second = value1 > value0;
  int third = value2 > (value1 > value0 ? value1 : value0);
  return corner[2 * third + (second & (1 - third))];
}

// size with the sign of a number that counts as positive when it is 0; no branch here either
static inline snReal signedSize(snReal size, snReal number) {
  static const snReal kSign[2] = {-1, 1};
  return size * kSign[number >= 0];
}

SN_KERNEL const snReal* flexCorner(const snConvex* object, const snReal direction[3]) {
  int index = 0;
  snReal best = snu_dot3(direction, object->point[0]);
  for (int i = 1; i < object->nvert; i++) {
    snReal value = snu_dot3(direction, object->point[i]);
    if (value > best) {
      best = value;
      index = i;
    }
  }
  return object->point[index];
}

SN_KERNEL snThree supportFlex(const snConvex* object, snThree direction) {
  snReal along[3];
  sn_threeStore(along, direction);
  return sn_threeAdd(sn_threeLoad(flexCorner(object, along)),
                     sn_threeScl(direction, object->size[0] + (snReal)0.5 * object->margin));
}

SN_KERNEL snThree supportSegment(const snConvex* object, snThree direction) {
  const snReal* mat = object->mat;
  snThree axis = sn_three(mat[2], mat[5], mat[8]);
  snReal length = signedSize(object->size[1], sn_threeDot(axis, direction));
  return sn_threeAdd(sn_threeLoad(object->pos), sn_threeScl(axis, length));
}

SN_KERNEL snThree supportCapsule(const snConvex* object, snThree dir) {
  snThree local = sn_threeScl(dir, object->size[0]);
  return toWorld(object, SN_AT(local, 0), SN_AT(local, 1),
                 SN_AT(local, 2) + signedSize(object->size[1], SN_AT(dir, 2)));
}

SN_KERNEL snThree supportEllipsoid(const snConvex* object, snThree dir) {
  snThree size = sn_threeLoad(object->size), scaled = sn_threeMul(dir, size);
  snReal square = sn_threeDot(scaled, scaled);
  if (square < snMINVAL * snMINVAL) return toWorld(object, object->size[0], 0, 0);
  snThree local = sn_threeMul(scaled, sn_threeScl(size, 1 / snu_sqrt(square)));
  return toWorld(object, SN_AT(local, 0), SN_AT(local, 1), SN_AT(local, 2));
}

SN_KERNEL snThree supportCylinder(const snConvex* object, snThree dir) {
  const snReal* size = object->size;
  snReal square = SN_AT(dir, 0) * SN_AT(dir, 0) + SN_AT(dir, 1) * SN_AT(dir, 1), x = 0, y = 0;
  if (square >= snMINVAL * snMINVAL) {
    snReal scale = size[0] / snu_sqrt(square);
    x = SN_AT(dir, 0) * scale;
    y = SN_AT(dir, 1) * scale;
  }
  return toWorld(object, x, y, signedSize(size[1], SN_AT(dir, 2)));
}

SN_KERNEL snThree supportBox(snConvex* object, snThree dir) {
  snThree local = sn_threeSigned(sn_threeLoad(object->size), dir);
  snReal x = SN_AT(local, 0), y = SN_AT(local, 1), z = SN_AT(local, 2);
  object->vertex = (x > 0) | (y > 0) << 1 | (z > 0) << 2;
  return toWorld(object, x, y, z);
}

// the farthest point of a geom, without margin
SN_KERNEL snThree supportGeom(snConvex* object, snThree direction) {
  if (object->kind == snGEOM_SPHERE) {
    return sn_threeAdd(sn_threeLoad(object->pos), sn_threeScl(direction, object->size[0]));
  }
  snThree dir = sn_threeTurnBack(object->mat, direction);
  switch (object->kind) {
    case snGEOM_CAPSULE: return supportCapsule(object, dir);
    case snGEOM_ELLIPSOID: return supportEllipsoid(object, dir);
    case snGEOM_CYLINDER: return supportCylinder(object, dir);
    case snGEOM_BOX: return supportBox(object, dir);
    default: return supportMesh(object, dir);
  }
}

SN_KERNEL snThree supportOf(snConvex* object, snThree direction) {
  switch (object->kind) {
    case snCONVEX_PRISM:
      return sn_threeLoad(
          prismCorner(object, SN_AT(direction, 0), SN_AT(direction, 1), SN_AT(direction, 2)));
    case snCONVEX_POINT: return sn_threeLoad(object->pos);
    case snCONVEX_SEGMENT: return supportSegment(object, direction);
    case snCONVEX_FLEX: return supportFlex(object, direction);
    default: break;
  }
  snThree point = supportGeom(object, direction);
  if (!(object->margin > 0)) return point;
  return sn_threeAdd(point, sn_threeScl(direction, (snReal)0.5 * object->margin));
}

SN_WIDE(static, void, supportInPlace,
        (snReal point[3], snConvex* object, const snReal direction[3]),
        (point, object, direction)) {
  sn_threeStore(point, supportOf(object, sn_threeLoad(direction)));
}

void sn_convexSupport(snReal point[3], snConvex* object, const snReal direction[3]) {
  sn_convexPlace(object);
  supportInPlace(point, object, direction);
}

SN_WIDE(, void, sn_minkowskiSupport,
        (snMinkowski * point, snConvex* object1, snConvex* object2, const snReal direction[3]),
        (point, object1, object2, direction)) {
  object1 = SN_OWN(snConvex, object1), object2 = SN_OWN(snConvex, object2);
  snThree along = sn_threeLoad(SN_OWN(const snReal, direction));
  snThree s1 = supportOf(object1, along), s2 = supportOf(object2, sn_threeNeg(along));
  sn_threeStoreOver(point->v, sn_threeSub(s1, s2));
  sn_threeStoreOver(point->s1, s1);
  sn_threeStoreOver(point->s2, s2);
  point->id1 = object1->vertex;
  point->id2 = object2->vertex;
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
    snu_copy3(point, prismCorner(object, direction[0], direction[1], direction[2]));
    return;
  }
  if (object->kind == snCONVEX_FLEX) {
    snu_addScl3(point, flexCorner(object, direction), direction,
                object->size[0] + (snReal)0.5 * object->margin);
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
  snu_mulMatVec3(point, object->mat, local);
  snu_addTo3(point, object->pos);
}
