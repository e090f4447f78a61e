#include "engine/collide/mpr.h"

#ifdef SN_SINGLE
#define SN_MPR_EPS FLT_EPSILON
#else
#define SN_MPR_EPS DBL_EPSILON
#endif

// most refinements of a query; converging ones need a few dozen
enum { kMaxRefine = 1000 };

static inline int isZero(snReal x) { return snu_abs(x) < (snReal)SN_MPR_EPS; }

static inline int isEqual(snReal a, snReal b) {
  snReal diff = snu_abs(a - b);
  if (diff < (snReal)SN_MPR_EPS) return 1;
  snReal largest = snu_max(snu_abs(a), snu_abs(b));
  return diff < (snReal)SN_MPR_EPS * largest;
}

static inline int isOrigin(const snReal v[3]) {
  return isEqual(v[0], 0) && isEqual(v[1], 0) && isEqual(v[2], 0);
}

static inline void unit(snReal v[3]) {
  snReal scale = 1 / snu_sqrt(snu_dot3(v, v));
  snu_scl3(v, v, scale);
}

// An interior point and the three corners of the portal.
typedef struct Portal_ {
  snConvex* object1;
  snConvex* object2;
  snMinkowski v[4];
} Portal;

static void support(const Portal* portal, snMinkowski* point, const snReal direction[3]) {
  snReal opposite[3] = {-direction[0], -direction[1], -direction[2]};
  sn_convexSupportLegacy(point->s1, portal->object1, direction);
  sn_convexSupportLegacy(point->s2, portal->object2, opposite);
  snu_sub3(point->v, point->s1, point->s2);
}

// normal of the triangle abc
static void triangleNormal(snReal normal[3], const snReal a[3], const snReal b[3],
                           const snReal c[3]) {
  snReal ba[3], ca[3];
  snu_sub3(ba, b, a);
  snu_sub3(ca, c, a);
  snu_cross(normal, ba, ca);
  unit(normal);
}

typedef enum { kMiss, kPortal, kTouch, kSegment } Discovery;

// the first three points: through the origin, beside it, and the direction of the third
static Discovery discoverBase(Portal* portal, snReal direction[3]) {
  snMinkowski* v = portal->v;
  sn_convexCenter(v[0].s1, portal->object1);
  sn_convexCenter(v[0].s2, portal->object2);
  snu_sub3(v[0].v, v[0].s1, v[0].s2);
  if (isOrigin(v[0].v)) v[0].v[0] += 10 * (snReal)SN_MPR_EPS;

  snu_scl3(direction, v[0].v, -1);
  unit(direction);
  support(portal, v + 1, direction);
  snReal dot = snu_dot3(v[1].v, direction);
  if (isZero(dot) || dot < 0) return kMiss;

  snu_cross(direction, v[0].v, v[1].v);
  if (isZero(snu_dot3(direction, direction))) return isOrigin(v[1].v) ? kTouch : kSegment;
  unit(direction);
  support(portal, v + 2, direction);
  dot = snu_dot3(v[2].v, direction);
  if (isZero(dot) || dot < 0) return kMiss;

  triangleNormal(direction, v[0].v, v[1].v, v[2].v);
  if (snu_dot3(direction, v[0].v) > 0) {
    snMinkowski swap = v[1];
    v[1] = v[2];
    v[2] = swap;
    snu_scl3(direction, direction, -1);
  }
  return kPortal;
}

static Discovery discover(Portal* portal) {
  snMinkowski* v = portal->v;
  snReal direction[3], cross[3];
  Discovery base = discoverBase(portal, direction);
  if (base != kPortal) return base;
  for (int k = 0; k < kMaxRefine; k++) {
    support(portal, v + 3, direction);
    snReal dot = snu_dot3(v[3].v, direction);
    if (isZero(dot) || dot < 0) return kMiss;

    // is the origin outside of the side planes through the new corner?
    snu_cross(cross, v[1].v, v[3].v);
    dot = snu_dot3(cross, v[0].v);
    if (dot < 0 && !isZero(dot)) {
      v[2] = v[3];
    } else {
      snu_cross(cross, v[3].v, v[2].v);
      dot = snu_dot3(cross, v[0].v);
      if (!(dot < 0 && !isZero(dot))) return kPortal;
      v[1] = v[3];
    }
    triangleNormal(direction, v[0].v, v[1].v, v[2].v);
  }
  return kMiss;
}

// does the portal lie on the boundary, as far as the tolerance tells?
static int reached(const Portal* portal, const snMinkowski* v4, const snReal direction[3],
                   snReal tolerance) {
  snReal outer = snu_dot3(v4->v, direction);
  snReal least = outer - snu_dot3(portal->v[1].v, direction);
  for (int i = 2; i < 4; i++) {
    least = snu_min(least, outer - snu_dot3(portal->v[i].v, direction));
  }
  return isEqual(least, tolerance) || least < tolerance;
}

// replace the corner that keeps the ray inside of the portal
static void expandPortal(Portal* portal, const snMinkowski* v4) {
  snMinkowski* v = portal->v;
  snReal cross[3];
  snu_cross(cross, v4->v, v[0].v);
  if (snu_dot3(v[1].v, cross) > 0) {
    v[snu_dot3(v[2].v, cross) > 0 ? 1 : 3] = *v4;
  } else {
    v[snu_dot3(v[3].v, cross) > 0 ? 2 : 1] = *v4;
  }
}

static int refine(Portal* portal, snReal tolerance) {
  snReal direction[3];
  for (int k = 0; k < kMaxRefine; k++) {
    triangleNormal(direction, portal->v[1].v, portal->v[2].v, portal->v[3].v);
    snReal dot = snu_dot3(direction, portal->v[1].v);
    if (isZero(dot) || dot > 0) return 1;
    snMinkowski v4;
    support(portal, &v4, direction);
    dot = snu_dot3(v4.v, direction);
    if (!(isZero(dot) || dot > 0) || reached(portal, &v4, direction, tolerance)) return 0;
    expandPortal(portal, &v4);
  }
  return 0;
}

// squared distance of the origin from the segment ab; the nearest point
static snReal segmentDistance(snReal point[3], const snReal a[3], const snReal b[3]) {
  snReal d[3];
  snu_sub3(d, b, a);
  snReal t = -snu_dot3(a, d) / snu_dot3(d, d);
  if (t < 0 || isZero(t)) {
    snu_copy3(point, a);
  } else if (t > 1 || isEqual(t, 1)) {
    snu_copy3(point, b);
  } else {
    snu_addScl3(point, a, d, t);
  }
  return snu_dot3(point, point);
}

// squared distance of the origin from a triangle; the nearest point
static snReal triangleDistance(snReal point[3], const snReal a[3], const snReal b[3],
                               const snReal c[3]) {
  snReal d1[3], d2[3];
  snu_sub3(d1, b, a);
  snu_sub3(d2, c, a);
  snReal v = snu_dot3(d1, d1), w = snu_dot3(d2, d2), p = snu_dot3(a, d1), q = snu_dot3(a, d2);
  snReal r = snu_dot3(d1, d2);
  snReal det = w * v - r * r;
  snReal s = -1, t = -1;
  if (!isZero(det)) {
    s = (q * r - w * p) / det;
    t = (-s * r - q) / w;
  }
  if ((isZero(s) || s > 0) && (isEqual(s, 1) || s < 1) && (isZero(t) || t > 0) &&
      (isEqual(t, 1) || t < 1) && (isEqual(t + s, 1) || t + s < 1)) {
    for (int i = 0; i < 3; i++) point[i] = a[i] + d1[i] * s + d2[i] * t;
    return snu_dot3(point, point);
  }
  snReal other[3];
  snReal best = segmentDistance(point, a, b);
  snReal square = segmentDistance(other, a, c);
  if (square < best) {
    best = square;
    snu_copy3(point, other);
  }
  square = segmentDistance(other, b, c);
  if (square < best) {
    best = square;
    snu_copy3(point, other);
  }
  return best;
}

// the point that both objects share, in barycentric coordinates of the tetrahedron v0..v3
static void findPosition(const Portal* portal, snReal pos[3]) {
  const snMinkowski* v = portal->v;
  snReal cross[3], b[4];
  snu_cross(cross, v[1].v, v[2].v);
  b[0] = snu_dot3(cross, v[3].v);
  snu_cross(cross, v[3].v, v[2].v);
  b[1] = snu_dot3(cross, v[0].v);
  snu_cross(cross, v[0].v, v[1].v);
  b[2] = snu_dot3(cross, v[3].v);
  snu_cross(cross, v[2].v, v[1].v);
  b[3] = snu_dot3(cross, v[0].v);
  snReal sum = b[0] + b[1] + b[2] + b[3];
  if (isZero(sum) || sum < 0) {
    snReal direction[3];
    triangleNormal(direction, v[1].v, v[2].v, v[3].v);
    b[0] = 0;
    snu_cross(cross, v[2].v, v[3].v);
    b[1] = snu_dot3(cross, direction);
    snu_cross(cross, v[3].v, v[1].v);
    b[2] = snu_dot3(cross, direction);
    snu_cross(cross, v[1].v, v[2].v);
    b[3] = snu_dot3(cross, direction);
    sum = b[1] + b[2] + b[3];
  }
  snReal inverse = 1 / sum;
  for (int i = 0; i < 3; i++) {
    snReal p1 = 0, p2 = 0;
    for (int j = 0; j < 4; j++) {
      p1 += v[j].s1[i] * b[j];
      p2 += v[j].s2[i] * b[j];
    }
    p1 *= inverse;
    p2 *= inverse;
    pos[i] = (p1 + p2) * (snReal)0.5;
  }
}

static void penetration(Portal* portal, snReal tolerance, int iterations, snReal* depth,
                        snReal normal[3], snReal pos[3]) {
  snMinkowski* v = portal->v;
  snReal direction[3];
  for (int k = 0;; k++) {
    triangleNormal(direction, v[1].v, v[2].v, v[3].v);
    snMinkowski v4;
    support(portal, &v4, direction);
    if (reached(portal, &v4, direction, tolerance) || k > iterations) break;
    expandPortal(portal, &v4);
  }
  *depth = snu_sqrt(triangleDistance(normal, v[1].v, v[2].v, v[3].v));
  if (isZero(*depth)) {
    snu_zero3(normal);
  } else {
    unit(normal);
  }
  findPosition(portal, pos);
}

int sn_mpr(snConvex* object1, snConvex* object2, snReal tolerance, int iterations, snReal* depth,
           snReal direction[3], snReal pos[3]) {
  Portal portal;
  portal.object1 = object1;
  portal.object2 = object2;
  switch (discover(&portal)) {
    case kPortal:
      if (!refine(&portal, tolerance)) return 0;
      penetration(&portal, tolerance, iterations, depth, direction, pos);
      return !isOrigin(direction);
    case kSegment:
      snu_copy3(direction, portal.v[1].v);
      *depth = snu_norm3(direction);
      unit(direction);
      for (int i = 0; i < 3; i++) {
        pos[i] = (snReal)0.5 * (portal.v[1].s1[i] + portal.v[1].s2[i]);
      }
      return 1;
    default: return 0;
  }
}

// ---- normals from smooth surfaces

enum { kMaxEllipsoid = 30 };
static const snReal kEllipsoidTolerance = (snReal)1e-6;

// where the ray from q along m leaves the ellipsoid; its normal there becomes the next m
static int insideEllipsoid(snReal m[3], const snReal q[3], const snReal size[3]) {
  snReal w[3], c = -1;
  for (int i = 0; i < 3; i++) {
    w[i] = 1 / (size[i] * size[i]);
    c += q[i] * q[i] * w[i];
  }
  if (c > 0) return 0;
  snu_normalize3(m);
  for (int k = 0; k < kMaxEllipsoid; k++) {
    snReal a = m[0] * m[0] * w[0] + m[1] * m[1] * w[1] + m[2] * m[2] * w[2];
    snReal b = q[0] * m[0] * w[0] + q[1] * m[1] * w[1] + q[2] * m[2] * w[2];
    snReal det = b * b - a * c;
    if (det < snMINVAL || a < snMINVAL) return k > 0;
    snReal x = (-b + snu_sqrt(det)) / a;
    if (x < 0) return k > 0;
    snReal next[3];
    for (int i = 0; i < 3; i++) next[i] = w[i] * (q[i] + x * m[i]);
    snu_normalize3(next);
    snReal change = snu_dist3(m, next);
    snu_copy3(m, next);
    if (change < kEllipsoidTolerance) return 1;
  }
  return 1;
}

// nearest point of the ellipsoid, by Newton's method for the multiplier
static int outsideEllipsoid(snReal m[3], const snReal q[3], const snReal size[3]) {
  snReal multiplier = 0;
  for (int k = 0; k < kMaxEllipsoid; k++) {
    snReal value = -1, slope = 0;
    for (int i = 0; i < 3; i++) {
      snReal s = q[i] * size[i], r = size[i] * size[i] + multiplier;
      value += s * s / (r * r);
      slope -= 2 * s * s / (r * r * r);
    }
    if (value < kEllipsoidTolerance || slope > -snMINVAL) break;
    snReal delta = -value / slope;
    if (delta < kEllipsoidTolerance) break;
    multiplier += delta;
  }
  for (int i = 0; i < 3; i++) m[i] = q[i] / (size[i] * size[i] + multiplier);
  snu_normalize3(m);
  return 1;
}

static int fixEllipsoid(snReal m[3], const snReal q[3], const snReal size[3]) {
  snReal sum = 0;
  for (int i = 0; i < 3; i++) {
    if (size[i] < snMINVAL) return 0;
    sum += q[i] * q[i] / (size[i] * size[i]);
  }
  return sum <= 1 ? insideEllipsoid(m, q, size) : outsideEllipsoid(m, q, size);
}

// outward normal of an object at a world position; m starts as the contact's normal
static int surfaceNormal(snReal m[3], const snReal pos[3], const snConvex* object) {
  snReal q[3], local[3];
  const snReal* size = object->size;
  int done = 1;
  snu_sub3(q, pos, object->pos);
  snu_mulMatTVec3(q, object->mat, q);
  snu_mulMatTVec3(local, object->mat, m);
  switch (object->kind) {
    case snGEOM_SPHERE: snu_copy3(local, q); break;
    case snGEOM_CAPSULE:
      snu_copy3(local, q);
      local[2] = q[2] > size[1] ? q[2] - size[1] : q[2] < -size[1] ? q[2] + size[1] : 0;
      break;
    case snGEOM_ELLIPSOID: done = fixEllipsoid(local, q, size); break;
    case snGEOM_CYLINDER: {
      snReal radial = snu_abs(size[0] - snu_sqrt(q[0] * q[0] + q[1] * q[1]));
      snReal axial = snu_abs(size[1] - snu_abs(q[2]));
      done = snu_abs(q[2]) <= (snReal)0.95 * size[1] && axial >= (snReal)0.25 * radial;
      if (done) {
        local[0] = q[0];
        local[1] = q[1];
        local[2] = 0;
      }
      break;
    }
    default: done = 0;
  }
  if (!done) return 0;
  snu_normalize3(local);
  snu_mulMatVec3(m, object->mat, local);
  return 1;
}

void sn_fixNormal(snReal normal[3], const snReal pos[3], const snConvex* object1,
                  const snConvex* object2) {
  snReal m1[3], m2[3];
  snu_copy3(m1, normal);
  snu_scl3(m2, normal, -1);
  int done1 = object1 && surfaceNormal(m1, pos, object1);
  int done2 = object2 && surfaceNormal(m2, pos, object2);
  if (done1 && done2) {
    snu_sub3(normal, m1, m2);
    snu_normalize3(normal);
  } else if (done1) {
    snu_copy3(normal, m1);
  } else if (done2) {
    snu_scl3(normal, m2, -1);
  }
}
