#include "base/assert.h"
#include "base/misuse.h"
#include "engine/collide/distance_field.h"
#include "engine/collide/ray.h"
#include "math/math.h"
#include "sinew/sinew.h"

static int nearer(snReal x, snReal best) { return x >= 0 && (best < 0 || x < best); }

// the ray in the frame of a geom
static void toLocal(const snData* d, int g, const snReal pnt[3], const snReal vec[3], snReal p[3],
                    snReal v[3]) {
  snReal offset[3];
  snu_sub3(offset, pnt, d->geom_xpos + 3 * g);
  snu_mulMatTVec3(p, d->geom_xmat + 9 * g, offset);
  snu_mulMatTVec3(v, d->geom_xmat + 9 * g, vec);
}

// ---- triangles -----------------------------------------------------------------------------------

void sn_rayBasis(snReal basis[6], const snReal vec[3]) {
  snReal *b0 = basis, *b1 = basis + 3;
  snReal x = snu_abs(vec[0]), y = snu_abs(vec[1]), z = snu_abs(vec[2]);
  b0[0] = b0[1] = b0[2] = 1;
  b0[x >= y && x >= z ? 0 : (y >= z ? 1 : 2)] = 0;
  snu_addScl3(b1, b0, vec, -snu_dot3(vec, b0) / snu_dot3(vec, vec));
  snu_normalize3(b1);
  snu_cross(b0, b1, vec);
  snu_normalize3(b0);
}

static int sameSign(snReal a, snReal b, snReal c) {
  return (a < 0 && b < 0 && c < 0) || (a > 0 && b > 0 && c > 0);
}

snReal sn_rayTriangle(const snReal vert[3][3], const snReal pnt[3], const snReal vec[3],
                      const snReal basis[6], snReal normal[3]) {
  snReal flat[3][2], edge0[3], edge1[3], cross[3], offset[3];
  for (int i = 0; i < 3; i++) {
    snReal dif[3];
    snu_sub3(dif, vert[i], pnt);
    flat[i][0] = snu_dot3(dif, basis);
    flat[i][1] = snu_dot3(dif, basis + 3);
  }
  if (sameSign(flat[0][0], flat[1][0], flat[2][0]) ||
      sameSign(flat[0][1], flat[1][1], flat[2][1])) {
    return -1;
  }

  // barycentric coordinates of the ray in the plane across it
  snReal a00 = flat[0][0] - flat[2][0], a01 = flat[1][0] - flat[2][0];
  snReal a10 = flat[0][1] - flat[2][1], a11 = flat[1][1] - flat[2][1];
  snReal b0 = -flat[2][0], b1 = -flat[2][1], det = a00 * a11 - a10 * a01;
  if (!(snu_abs(det) >= (snReal)snMINVAL)) return -1;
  snReal t0 = (a11 * b0 - a01 * b1) / det, t1 = (-a10 * b0 + a00 * b1) / det;
  if (!(t0 >= 0 && t1 >= 0 && t0 + t1 <= 1)) return -1;

  snu_sub3(edge0, vert[0], vert[2]);
  snu_sub3(edge1, vert[1], vert[2]);
  snu_cross(cross, edge0, edge1);
  snReal slope = snu_dot3(vec, cross);
  if (!(snu_abs(slope) >= (snReal)snMINVAL)) return -1;
  if (normal) {
    snu_copy3(normal, cross);
    snu_normalize3(normal);
  }
  snu_sub3(offset, pnt, vert[2]);
  return -snu_dot3(offset, cross) / slope;
}

// ---- mesh ----------------------------------------------------------------------------------------

// slab test; a NaN (direction along a slab whose plane contains the origin) replaces the bound
static int hitsNode(const snReal aabb[6], const snReal p[3], const snReal inverse[3]) {
  snReal near = 0, far = (snReal)HUGE_VAL;
  for (int k = 0; k < 3; k++) {
    snReal t1 = (aabb[k] - aabb[3 + k] - p[k]) * inverse[k];
    snReal t2 = (aabb[k] + aabb[3 + k] - p[k]) * inverse[k];
    snReal low = t1 < t2 ? t1 : t2, high = t1 < t2 ? t2 : t1;
    near = near > low ? near : low;
    far = far < high ? far : high;
  }
  return near < far;
}

static void faceVertices(const snModel* m, int mesh, int face, snReal vert[3][3]) {
  SN_ASSERT_INDEX(mesh, m->nmesh);
  const int* id = m->mesh_face + 3 * ((snSize)m->mesh_faceadr[mesh] + face);
  for (int i = 0; i < 3; i++) {
    const float* v = m->mesh_vert + 3 * ((snSize)m->mesh_vertadr[mesh] + id[i]);
    for (int k = 0; k < 3; k++) vert[i][k] = v[k];
  }
}

snReal sn_rayMesh(const snModel* m, const snData* d, int geomid, const snReal pnt[3],
                  const snReal vec[3], snReal normal[3]) {
  if (!SN_IS_DATA_OF(m, d, "sn_rayMesh") || !SN_IS_INDEX(geomid, m->ngeom, "sn_rayMesh")) return -1;
  enum { PENDING = 2 * snMAXTREEDEPTH };
  int mesh = m->geom_dataid[geomid], pending[PENDING], n = 0;
  snReal p[3], v[3], inverse[3], basis[6], best = -1, best_normal[3] = {0, 0, 0};
  if (normal) snu_zero3(normal);
  if (m->geom_type[geomid] != snGEOM_MESH && m->geom_type[geomid] != snGEOM_SDF) {
    snu_error("sn_rayMesh: geom with mesh type expected");
    return -1;
  }
  toLocal(d, geomid, pnt, vec, p, v);
  if (mesh < 0 || sn_rayBox(m->geom_size + 3 * geomid, p, v, NULL, NULL) < 0) return -1;

  int root = m->mesh_bvhadr[mesh];
  if (m->mesh_bvhnum[mesh] < 1) return -1;
  sn_rayBasis(basis, v);
  for (int k = 0; k < 3; k++) inverse[k] = 1 / v[k];
  pending[n++] = root;
  while (n) {
    int node = pending[--n], face = m->bvh_nodeid[node];
    SN_ASSERT_INDEX(node - root, m->mesh_bvhnum[mesh]);
    if (!hitsNode(m->bvh_aabb + 6 * (snSize)node, p, inverse)) continue;
    if (face >= 0) {
      snReal vert[3][3], face_normal[3];
      faceVertices(m, mesh, face, vert);
      snReal x = sn_rayTriangle((const snReal(*)[3])vert, p, v, basis, face_normal);
      if (nearer(x, best)) {
        best = x;
        snu_copy3(best_normal, face_normal);
      }
      continue;
    }
    for (int c = 0; c < 2 && n < PENDING; c++) {
      int child = m->bvh_child[2 * (snSize)node + c];
      if (child >= 0) pending[n++] = root + child;
    }
  }
  if (best >= 0 && normal) snu_mulMatVec3(normal, d->geom_xmat + 9 * geomid, best_normal);
  return best;
}

// ---- height field --------------------------------------------------------------------------------

// a height field in its geom's frame, with the ray
struct Terrain_ {
  const snReal* size;  // x, y, top, base
  const float* height;
  int nrow, ncol;
  snReal step[2];  // distance between samples
  const snReal *p, *v;
};
typedef struct Terrain_ Terrain;

// both triangles of a cell
static void rayCell(const Terrain* t, int r, int c, const snReal basis[6], snReal* best,
                    snReal normal[3]) {
  snReal corner[4][3], vert[3][3], found[3];  // (r,c), (r,c+1), (r+1,c+1), (r+1,c)
  for (int i = 0; i < 4; i++) {
    int row = r + (i >= 2), col = c + (i == 1 || i == 2);
    corner[i][0] = t->step[0] * col - t->size[0];
    corner[i][1] = t->step[1] * row - t->size[1];
    corner[i][2] = t->height[row * t->ncol + col] * t->size[2];
  }
  for (int half = 0; half < 2; half++) {
    snu_copy3(vert[0], corner[0]);
    snu_copy3(vert[1], corner[1 + half]);
    snu_copy3(vert[2], corner[2 + half]);
    snReal x = sn_rayTriangle((const snReal(*)[3])vert, t->p, t->v, basis, found);
    if (nearer(x, *best)) {
      *best = x;
      snu_copy3(normal, found);
    }
  }
}

static void rayCells(const Terrain* t, const snReal segment[2], snReal* best, snReal normal[3]) {
  const snReal margin = (snReal)0.1;  // of a cell, around the line: far above rounding
  int low[2], high[2], count[2] = {t->ncol, t->nrow};
  for (int k = 0; k < 2; k++) {
    snReal s0 = (segment[0] * t->v[k] + t->p[k] + t->size[k]) / t->step[k];
    snReal s1 = (segment[1] * t->v[k] + t->p[k] + t->size[k]) / t->step[k];
    snReal least = snu_floor(snu_min(s0, s1)) - 1, most = snu_ceil(snu_max(s0, s1)) + 1;
    low[k] = least > 0 ? (least < count[k] ? (int)least : count[k]) : 0;
    high[k] = most < count[k] - 1 ? (most > 0 ? (int)most : 0) : count[k] - 1;
  }

  // of each row of cells only those under the line: column = start + ratio (row - origin)
  snReal start = (t->p[0] + t->size[0]) / t->step[0], origin = (t->p[1] + t->size[1]) / t->step[1];
  snReal along = t->v[0] / t->step[0], across = t->v[1] / t->step[1];
  int narrow = snu_abs(along) < (snReal)1e3 * snu_abs(across);
  snReal ratio = narrow ? along / across : 0;
  snReal half = (snReal)0.5 * snu_abs(ratio) * (1 + 2 * margin) + margin;
  snReal basis[6];
  sn_rayBasis(basis, t->v);
  for (int r = low[1]; r < high[1]; r++) {
    int begin = low[0], end = high[0];
    if (narrow) {
      snReal middle = start + ratio * (r + (snReal)0.5 - origin);
      if (!(middle + half >= begin && middle - half <= end)) continue;
      if (middle - half > begin) begin = (int)(middle - half);
      if (middle + half + 1 < end) end = (int)(middle + half) + 1;
    }
    for (int c = begin; c < end; c++) rayCell(t, r, c, basis, best, normal);
  }
}

// side walls between the base and the border of the surface
static void rayWalls(const Terrain* t, const snReal all[6], snReal* best, snReal normal[3]) {
  for (int i = 0; i < 4; i++) {
    snReal x = all[i];
    if (!nearer(x, *best)) continue;
    int along = i < 2 ? 1 : 0, last = (along ? t->nrow : t->ncol) - 2;
    snReal z = (t->p[2] + x * t->v[2]) / t->size[2];
    snReal y = (t->p[along] + x * t->v[along] + t->size[along]) / t->step[along];
    snReal floor_y = snu_floor(y);
    int y0 = floor_y > 0 ? (floor_y < last ? (int)floor_y : last) : 0;
    snReal z0, z1;
    if (along) {
      int col = i == 1 ? t->ncol - 1 : 0;
      z0 = t->height[y0 * t->ncol + col];
      z1 = t->height[(y0 + 1) * t->ncol + col];
    } else {
      int row = i == 3 ? t->nrow - 1 : 0;
      z0 = t->height[row * t->ncol + y0];
      z1 = t->height[row * t->ncol + y0 + 1];
    }
    if (z < z0 * (y0 + 1 - y) + z1 * (y - y0)) {
      *best = x;
      snu_zero3(normal);
      normal[i / 2] = i & 1 ? 1 : -1;
    }
  }
}

snReal sn_rayHfield(const snModel* m, const snData* d, int geomid, const snReal pnt[3],
                    const snReal vec[3], snReal normal[3]) {
  if (!SN_IS_DATA_OF(m, d, "sn_rayHfield") || !SN_IS_INDEX(geomid, m->ngeom, "sn_rayHfield"))
    return -1;
  int field = m->geom_dataid[geomid];
  if (normal) snu_zero3(normal);
  if (m->geom_type[geomid] != snGEOM_HFIELD || field < 0) {
    snu_error("sn_rayHfield: geom with hfield type expected");
    return -1;
  }
  Terrain t;
  snReal p[3], v[3], shifted[3], half[3], all[6], best_normal[3] = {0, 0, 0};
  t.size = m->hfield_size + 4 * field;
  t.height = m->hfield_data + m->hfield_adr[field];
  t.nrow = m->hfield_nrow[field];
  t.ncol = m->hfield_ncol[field];
  if (t.nrow < 2 || t.ncol < 2) return -1;
  toLocal(d, geomid, pnt, vec, p, v);
  t.p = p;
  t.v = v;
  t.step[0] = 2 * t.size[0] / (t.ncol - 1);
  t.step[1] = 2 * t.size[1] / (t.nrow - 1);

  // base, then the box that holds the surface
  snu_copy3(shifted, p);
  shifted[2] += t.size[3] * (snReal)0.5;
  half[0] = t.size[0];
  half[1] = t.size[1];
  half[2] = t.size[3] * (snReal)0.5;
  snReal best = sn_rayBox(half, shifted, v, best_normal, NULL);
  shifted[2] = p[2] - t.size[2] * (snReal)0.5;
  half[2] = t.size[2] * (snReal)0.5;
  snReal top = sn_rayBox(half, shifted, v, NULL, all);

  if (top >= 0) {
    snReal segment[2] = {0, top};
    for (int i = 0; i < 6; i++) {
      if (all[i] > segment[1]) {
        segment[0] = top;
        segment[1] = all[i];
      }
    }
    rayCells(&t, segment, &best, best_normal);
    rayWalls(&t, all, &best, best_normal);
  }
  if (best >= 0 && normal) snu_mulMatVec3(normal, d->geom_xmat + 9 * geomid, best_normal);
  return best;
}

// ---- distance field ------------------------------------------------------------------------------

snReal sn_raySDF(const snModel* m, const snData* d, int geomid, const snReal pnt[3],
                 const snReal vec[3], snReal normal[3]) {
  SN_ASSERT_INDEX(geomid, m->ngeom);
  enum { STEPS = 40 };
  snReal p[3], v[3], x[3], total = 0;
  snField field;
  if (normal) snu_zero3(normal);
  toLocal(d, geomid, pnt, vec, p, v);
  if (sn_rayBox(m->geom_size + 3 * geomid, p, v, NULL, NULL) < 0) return -1;
  snu_normalize3(v);
  sn_makeField(&field, m, d, geomid);
  for (int i = 0; i < STEPS; i++) {
    snu_addScl3(x, p, v, total);
    snReal distance = sn_fieldDistance(&field, x);
    total += snu_abs(distance);
    if (snu_abs(distance) < (snReal)1e-7) {
      if (normal) {
        snReal gradient[3];
        snu_addScl3(x, p, v, total);
        sn_fieldGradient(gradient, &field, x);
        snu_normalize3(gradient);
        snu_mulMatVec3(normal, d->geom_xmat + 9 * geomid, gradient);
      }
      return total;
    }
    if (!(distance <= (snReal)1e6)) return -1;
  }
  return -1;
}

// ---- skin ----------------------------------------------------------------------------------------

// box around vertices hit?
static int hitsCloud(int n, const float* vert, const snReal pnt[3], const snReal vec[3]) {
  snReal low[3], high[3], size[3], center[3], offset[3];
  for (int k = 0; k < 3; k++) {
    low[k] = high[k] = vert[k];
    for (int i = 1; i < n; i++) {
      low[k] = snu_min(low[k], vert[3 * i + k]);
      high[k] = snu_max(high[k], vert[3 * i + k]);
    }
    center[k] = (snReal)0.5 * (low[k] + high[k]);
    size[k] = (snReal)0.5 * (high[k] - low[k]);
  }
  snu_sub3(offset, pnt, center);
  return sn_rayBox(size, offset, vec, NULL, NULL) >= 0;
}

snReal snu_raySkin(int nface, int nvert, const int* face, const float* vert, const snReal pnt[3],
                   const snReal vec[3], int vertid[1]) {
  snReal best = -1, basis[6];
  if (nvert < 1 || !hitsCloud(nvert, vert, pnt, vec)) return -1;
  sn_rayBasis(basis, vec);
  for (int f = 0; f < nface; f++) {
    snReal corner[3][3];
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) corner[i][k] = vert[3 * face[3 * f + i] + k];
    }
    snReal x = sn_rayTriangle((const snReal(*)[3])corner, pnt, vec, basis, NULL);
    if (!nearer(x, best)) continue;
    best = x;
    if (!vertid) continue;
    snReal hit[3], least = -1;
    snu_addScl3(hit, pnt, vec, x);
    for (int i = 0; i < 3; i++) {
      snReal distance = snu_dist3(hit, corner[i]);
      if (least < 0 || distance < least) {
        least = distance;
        *vertid = face[3 * f + i];
      }
    }
  }
  return best;
}
