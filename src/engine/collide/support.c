#include "engine/collide/support.h"

#include "base/assert.h"

#include <float.h>

// a mesh with fewer vertices is scanned even when it has a hull graph
enum { kMinHillClimb = 10 };

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
  object->graph = NULL;

  if (object->kind == snGEOM_MESH || object->kind == snGEOM_SDF) {
    int mesh = m->geom_dataid[geom];
    if (mesh < 0) return;
    object->mesh = mesh;
    object->nvert = m->mesh_vertnum[mesh];
    object->vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
    if (m->mesh_graphadr[mesh] >= 0) object->graph = m->mesh_graph + m->mesh_graphadr[mesh];
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

// Climb along hull edges. The vertex where the climb starts is left at once and only returned to
// from a neighbour that is worse: its own value is not looked at first.
static void climbMesh(snReal point[3], snConvex* object, const snReal local[3]) {
  const int* edgeadr = object->graph + 2;
  int numvert = object->graph[0];
  const int* globalid = edgeadr + numvert;
  const int* edge = globalid + numvert;
  snReal best = -FLT_MAX;
  int current = object->start >= 0 ? object->start : 0;
  int previous = -1;

  const float* vert = object->vert;
  snReal x = local[0], y = local[1], z = local[2];
  while (current != previous) {
    previous = current;
    const int* list = edge + edgeadr[current];
    SN_ASSERT_INDEX(current, numvert);
    for (int next = *list; next >= 0; next = *++list) {
      const float* v = vert + 3 * (size_t)(unsigned)globalid[(unsigned)next];
      snReal value = x * (snReal)v[0] + y * (snReal)v[1] + z * (snReal)v[2];
      int better = value > best;
      best = better ? value : best;
      current = better ? next : current;
    }
  }
  object->start = current;
  object->vertex = globalid[current];
  vertexToWorld(point, object, object->vertex);
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
