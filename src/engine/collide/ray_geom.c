#include "engine/collide/ray.h"
#include "math/math.h"
#include "sinew/sinew.h"

// a hit in the shape's frame
struct Hit_ {
  snReal x;          // -1: none
  snReal normal[3];  // not yet of unit length
};
typedef struct Hit_ Hit;

// roots of a x^2 + 2 b x + c = 0; returns the smaller that is not negative, or -1
static snReal solveQuadratic(snReal a, snReal b, snReal c, snReal root[2]) {
  snReal det = b * b - a * c;
  if (det < 0 || a < (snReal)snMINVAL || det != det) {
    root[0] = root[1] = -1;
    return -1;
  }
  det = snu_sqrt(det);
  root[0] = (-b - det) / a;
  root[1] = (-b + det) / a;
  if (root[0] >= 0) return root[0];
  return root[1] >= 0 ? root[1] : (snReal)-1;
}

static snReal hitSphere(const snReal offset[3], const snReal vec[3], snReal square,
                        snReal root[2]) {
  return solveQuadratic(snu_dot3(vec, vec), snu_dot3(vec, offset),
                        snu_dot3(offset, offset) - square, root);
}

static int nearer(snReal x, snReal best) { return x >= 0 && (best < 0 || x < best); }

// ---- shapes --------------------------------------------------------------------------------------

static void rayPlane(Hit* hit, const snReal size[3], const snReal p[3], const snReal v[3]) {
  if (v[2] > -(snReal)snMINVAL) return;
  snReal x = -p[2] / v[2];
  if (!(x >= 0)) return;
  for (int k = 0; k < 2; k++) {
    if (size[k] > 0 && !(snu_abs(p[k] + x * v[k]) <= size[k])) return;
  }
  hit->x = x;
  hit->normal[2] = 1;
}

// side of a cylinder or capsule along z
static void raySide(Hit* hit, const snReal size[3], const snReal p[3], const snReal v[3]) {
  snReal root[2];
  snReal x = solveQuadratic(v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1],
                            p[0] * p[0] + p[1] * p[1] - size[0] * size[0], root);
  if (x < 0 || !(snu_abs(p[2] + x * v[2]) <= size[1]) || !nearer(x, hit->x)) return;
  hit->x = x;
  hit->normal[0] = p[0] + x * v[0];
  hit->normal[1] = p[1] + x * v[1];
  hit->normal[2] = 0;
}

static void rayCapsule(Hit* hit, const snReal size[3], const snReal p[3], const snReal v[3]) {
  snReal root[2], bound = size[0] + size[1];
  if (hitSphere(p, v, bound * bound, root) < 0) return;
  raySide(hit, size, p, v);
  for (int side = 1; side >= -1; side -= 2) {
    snReal offset[3] = {p[0], p[1], p[2] - side * size[1]};
    hitSphere(offset, v, size[0] * size[0], root);
    for (int i = 0; i < 2; i++) {
      snReal x = root[i], z = p[2] + x * v[2];
      if (!nearer(x, hit->x) || !(side > 0 ? z >= size[1] : z <= -size[1])) continue;
      hit->x = x;
      snu_addScl3(hit->normal, offset, v, x);
    }
  }
}

static void rayEllipsoid(Hit* hit, const snReal size[3], const snReal p[3], const snReal v[3]) {
  snReal weight[3], root[2];
  for (int k = 0; k < 3; k++) weight[k] = 1 / (size[k] * size[k]);
  snReal a = weight[0] * v[0] * v[0] + weight[1] * v[1] * v[1] + weight[2] * v[2] * v[2];
  snReal b = weight[0] * v[0] * p[0] + weight[1] * v[1] * p[1] + weight[2] * v[2] * p[2];
  snReal c = weight[0] * p[0] * p[0] + weight[1] * p[1] * p[1] + weight[2] * p[2] * p[2] - 1;
  hit->x = solveQuadratic(a, b, c, root);
  for (int k = 0; k < 3; k++) hit->normal[k] = weight[k] * (p[k] + hit->x * v[k]);
}

static void rayCylinder(Hit* hit, const snReal size[3], const snReal p[3], const snReal v[3]) {
  snReal root[2];
  if (hitSphere(p, v, size[0] * size[0] + size[1] * size[1], root) < 0) return;
  if (snu_abs(v[2]) > (snReal)snMINVAL) {
    for (int side = -1; side <= 1; side += 2) {
      snReal x = (side * size[1] - p[2]) / v[2];
      if (!nearer(x, hit->x)) continue;
      snReal px = p[0] + x * v[0], py = p[1] + x * v[1];
      if (px * px + py * py > size[0] * size[0]) continue;
      hit->x = x;
      hit->normal[2] = side;
    }
  }
  raySide(hit, size, p, v);
}

snReal sn_rayBox(const snReal size[3], const snReal pnt[3], const snReal vec[3], snReal normal[3],
                 snReal all[6]) {
  snReal best = -1, root[2];
  if (normal) snu_zero3(normal);
  if (all) {
    for (int i = 0; i < 6; i++) all[i] = -1;
  }
  if (hitSphere(pnt, vec, snu_dot3(size, size), root) < 0) return -1;
  for (int i = 0; i < 3; i++) {
    if (!(snu_abs(vec[i]) > (snReal)snMINVAL)) continue;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int side = -1; side <= 1; side += 2) {
      snReal x = (side * size[i] - pnt[i]) / vec[i];
      if (!(x >= 0)) continue;
      if (!(snu_abs(pnt[j] + x * vec[j]) <= size[j] && snu_abs(pnt[k] + x * vec[k]) <= size[k])) {
        continue;
      }
      if (all) all[2 * i + (side + 1) / 2] = x;
      if (!nearer(x, best)) continue;
      best = x;
      if (normal) {
        snu_zero3(normal);
        normal[i] = side;
      }
    }
  }
  return best;
}

// ---- any shape -----------------------------------------------------------------------------------

snReal snu_rayGeom(const snReal pos[3], const snReal mat[9], const snReal size[3],
                   const snReal pnt[3], const snReal vec[3], int geomtype, snReal normal[3]) {
  Hit hit = {-1, {0, 0, 0}};
  snReal offset[3], p[3], v[3], root[2];
  if (normal) snu_zero3(normal);
  snu_sub3(offset, pnt, pos);

  if (geomtype == snGEOM_SPHERE) {
    snReal x = hitSphere(offset, vec, size[0] * size[0], root);
    if (x >= 0 && normal) {
      snu_addScl3(normal, offset, vec, x);
      snu_normalize3(normal);
    }
    return x;
  }

  snu_mulMatTVec3(p, mat, offset);
  snu_mulMatTVec3(v, mat, vec);
  switch (geomtype) {
    case snGEOM_PLANE: rayPlane(&hit, size, p, v); break;
    case snGEOM_CAPSULE: rayCapsule(&hit, size, p, v); break;
    case snGEOM_ELLIPSOID: rayEllipsoid(&hit, size, p, v); break;
    case snGEOM_CYLINDER: rayCylinder(&hit, size, p, v); break;
    case snGEOM_BOX: hit.x = sn_rayBox(size, p, v, hit.normal, NULL); break;
    default: snu_error("snu_rayGeom: unexpected geom type %d", geomtype); return -1;
  }
  if (hit.x < 0) return -1;
  if (normal) {
    snu_normalize3(hit.normal);
    snu_mulMatVec3(normal, mat, hit.normal);
  }
  return hit.x;
}
