// A ray against one flex: vertices as spheres, edges as capsules, faces as triangles, as they are drawn.

#include "engine/collide/ray.h"
#include "base/assert.h"

#include "engine/flex/flex.h"
#include "math/math.h"

// The ray, and the nearest hit so far.
typedef struct Cast_ {
  const snReal* pnt;
  const snReal* vec;
  const snReal* xpos;  // vertices of the flex
  snReal basis[6];     // across the ray
  snReal x;            // -1: none
  snReal normal[3];
  int vertex;  // of the hit primitive, nearest to the hit
} Cast;

static int nearer(snReal x, snReal best) { return x >= 0 && (best < 0 || x < best); }

// of some vertices the nearest to the hit; of equals the last
static int nearestVertex(const Cast* cast, snReal x, const int* vertex, int n) {
  SN_ASSERT(n > 0);
  snReal hit[3], least = 0;
  int best = -1;
  snu_addScl3(hit, cast->pnt, cast->vec, x);
  for (int i = n - 1; i >= 0; i--) {
    snReal distance = snu_dist3(hit, cast->xpos + 3 * vertex[i]);
    if (best >= 0 && distance >= least) continue;
    best = vertex[i];
    least = distance;
  }
  return best;
}

static void keep(Cast* cast, snReal x, const snReal normal[3], const int* vertex, int n) {
  if (!nearer(x, cast->x)) return;
  cast->x = x;
  snu_copy3(cast->normal, normal);
  cast->vertex = nearestVertex(cast, x, vertex, n);
}

static void castVertex(Cast* cast, int vertex, snReal radius) {
  snReal normal[3], size[3] = {radius, 0, 0};
  snReal x =
      snu_rayGeom(cast->xpos + 3 * vertex, NULL, size, cast->pnt, cast->vec, snGEOM_SPHERE, normal);
  keep(cast, x, normal, &vertex, 1);
}

static void castEdge(Cast* cast, const int vertex[2], snReal radius) {
  const snReal *a = cast->xpos + 3 * vertex[0], *b = cast->xpos + 3 * vertex[1];
  snReal centre[3], along[3], quat[4], mat[9], normal[3], size[3] = {radius, 0, 0};
  snu_add3(centre, a, b);
  snu_scl3(centre, centre, (snReal)0.5);
  snu_sub3(along, b, a);
  size[1] = (snReal)0.5 * snu_normalize3(along);
  snu_quatZ2Vec(quat, along);
  snu_quat2Mat(mat, quat);
  snReal x = snu_rayGeom(centre, mat, size, cast->pnt, cast->vec, snGEOM_CAPSULE, normal);
  keep(cast, x, normal, vertex, 2);
}

static void castFace(Cast* cast, const int vertex[3]) {
  snReal corner[3][3], normal[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) snu_copy3(corner[i], cast->xpos + 3 * vertex[i]);
  snReal x = sn_rayTriangle((const snReal(*)[3])corner, cast->pnt, cast->vec, cast->basis, normal);
  keep(cast, x, normal, vertex, 3);
}

// the triangle of an element, or the four of a tetrahedron of the layer
static void castElements(const snModel* m, Cast* cast, int flex, int layer) {
  static const int face[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  int dim = m->flex_dim[flex], first = m->flex_elemadr[flex];
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    const int* element = m->flex_elem + m->flex_elemdataadr[flex] + e * (dim + 1);
    if (dim == 3 && m->flex_elemlayer[first + e] != layer) continue;
    for (int f = 0; f < (dim == 3 ? 4 : 1); f++) {
      int vertex[3] = {element[face[f][0]], element[face[f][1]], element[face[f][2]]};
      castFace(cast, vertex);
    }
  }
}

// does the ray hit the box around all vertices?
static int hitsBox(const snModel* m, const Cast* cast, int flex) {
  snReal low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, size[3], offset[3];
  for (int i = 0; i < m->flex_vertnum[flex]; i++) {
    for (int k = 0; k < 3; k++) {
      snReal x = cast->xpos[3 * i + k];
      low[k] = i ? snu_min(low[k], x) : x;
      high[k] = i ? snu_max(high[k], x) : x;
    }
  }
  for (int k = 0; k < 3; k++) {
    size[k] = (snReal)0.5 * (high[k] - low[k]) + m->flex_radius[flex];
    offset[k] = cast->pnt[k] - (snReal)0.5 * (high[k] + low[k]);
  }
  return sn_rayBox(size, offset, cast->vec, NULL, NULL) >= 0;
}

snReal sn_rayFlex(const snModel* m, const snData* d, int flex_layer, snByte flg_vert,
                  snByte flg_edge, snByte flg_face, snByte flg_skin, int flexid,
                  const snReal pnt[3], const snReal vec[3], int vertid[1], snReal normal[3]) {
  Cast cast;
  if (normal) snu_zero3(normal);
  if (flexid < 0 || flexid >= (int)m->nflex) {
    snu_error("sn_rayFlex: invalid flex %d", flexid);
    return -1;
  }
  int surface = m->flex_dim[flexid] > 1, skin = surface && flg_skin, edge = m->flex_edgeadr[flexid];
  cast.pnt = pnt;
  cast.vec = vec;
  cast.xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flexid];
  cast.x = -1;
  cast.vertex = -1;
  if (snu_norm3(vec) < (snReal)snMINVAL || !hitsBox(m, &cast, flexid)) return -1;
  sn_rayBasis(cast.basis, vec);
  if (flg_edge || skin) {
    for (int i = 0; i < m->flex_edgenum[flexid]; i++) {
      castEdge(&cast, m->flex_edge + 2 * (edge + i), m->flex_radius[flexid]);
    }
  } else if (flg_vert) {
    for (int i = 0; i < m->flex_vertnum[flexid]; i++) {
      castVertex(&cast, i, m->flex_radius[flexid]);
    }
  }
  if (surface && (flg_face || flg_skin)) castElements(m, &cast, flexid, flg_skin ? 0 : flex_layer);
  if (cast.x < 0) return -1;
  if (vertid) vertid[0] = cast.vertex;
  if (normal) snu_copy3(normal, cast.normal);
  return cast.x;
}
