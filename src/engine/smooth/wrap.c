#include "engine/smooth/wrap.h"

#include "base/assert.h"
#include "math/four.h"
#include "math/math.h"

#define MINVAL ((snReal)snMINVAL)

SN_KERNEL snReal dot2(const snReal a[2], const snReal b[2]) { return a[0] * b[0] + a[1] * b[1]; }

SN_KERNEL void sclUnlessSmall(snReal v[2], snReal norm, snReal inverse) {
  int small = norm < MINVAL;
  v[0] = small ? 1 : v[0] * inverse;
  v[1] = small ? 0 : v[1] * inverse;
}

SN_KERNEL void normalize2(snReal v[2]) {
  snReal norm = snu_sqrt(dot2(v, v));
  sclUnlessSmall(v, norm, 1 / norm);
}

// the same of two vectors
SN_KERNEL void normalizeBoth2(snReal u[2], snReal v[2]) {
  snReal norm[2], inverse[2];
  sn_sqrtTwo(norm, dot2(u, u), dot2(v, v));
  sn_divideTwo(inverse, 1, 1, norm[0], norm[1]);
  sclUnlessSmall(u, norm[0], inverse[0]);
  sclUnlessSmall(v, norm[1], inverse[1]);
}

// do the closed segments (p1, p2) and (p3, p4) intersect?
SN_KERNEL int segmentsIntersect(const snReal p1[2], const snReal p2[2], const snReal p3[2],
                                const snReal p4[2]) {
  snReal det = (p4[1] - p3[1]) * (p2[0] - p1[0]) - (p4[0] - p3[0]) * (p2[1] - p1[1]);
  if (snu_abs(det) < MINVAL) return 0;
  // the places a / |det| and b / |det| on the two segments lie within [0, 1]
  snReal a = (p4[0] - p3[0]) * (p1[1] - p3[1]) - (p4[1] - p3[1]) * (p1[0] - p3[0]);
  snReal b = (p2[0] - p1[0]) * (p1[1] - p3[1]) - (p2[1] - p1[1]) * (p1[0] - p3[0]);
  if (det < 0) {
    det = -det;
    a = -a;
    b = -b;
  }
  return a >= 0 && a <= det && b >= 0 && b <= det;
}

// length of the arc from t0 to t1 on a circle about the origin; turn is the side that was chosen
SN_KERNEL snReal arcLength(const snReal t0[2], const snReal t1[2], int turn, snReal radius) {
  snReal u0[2] = {t0[0], t0[1]}, u1[2] = {t1[0], t1[1]};
  normalizeBoth2(u0, u1);
  snReal cosine = dot2(u0, u1), angle;
  if (sizeof(snReal) == 4) {  // an arc cosine near 1 has half the digits
    angle = snu_atan2(snu_abs(u0[1] * u1[0] - u0[0] * u1[1]), cosine);
  } else {
    angle = snu_acos(cosine > 1 ? 1 : cosine);  // by rounding, where the points nearly coincide
  }
  snReal cross = t0[1] * t1[0] - t0[0] * t1[1];
  if ((cross > 0 && turn == 1) || (cross < 0 && turn == 0)) angle = 2 * (snReal)snPI - angle;
  return radius * angle;
}

// the tangent point from d, square distance 1/inverse, for one of the two directions:
// k = +-r sqrt(dd - r^2)
SN_KERNEL void tangentPoint(snReal t[2], const snReal d[2], snReal inverse, snReal rr, snReal k) {
  t[0] = (d[0] * rr + d[1] * k) * inverse;
  t[1] = (d[1] * rr - d[0] * k) * inverse;
}

// One of the two ways around a circle from d0 to d1: its tangent points, and a score.
typedef struct Way_ {
  snReal t0[2], t1[2], score;
} Way;

SN_KERNEL Way wayAround(const snReal d0[2], const snReal d1[2], snReal rr, const snReal inverse[2],
                        snReal k0, snReal k1) {
  Way way;
  tangentPoint(way.t0, d0, inverse[0], rr, k0);
  tangentPoint(way.t1, d1, inverse[1], rr, k1);
  return way;
}

// With a side point, the way on whose side it lies; else the shorter chord.
SN_KERNEL void scoreWays(Way* first, Way* second, const snReal* side) {
  const snReal *a0 = first->t0, *a1 = first->t1, *b0 = second->t0, *b1 = second->t1;
  if (side) {
    snReal a[2] = {a0[0] + a1[0], a0[1] + a1[1]}, b[2] = {b0[0] + b1[0], b0[1] + b1[1]};
    normalizeBoth2(a, b);
    first->score = dot2(a, side);
    second->score = dot2(b, side);
  } else {
    snReal a[2] = {a0[0] - a1[0], a0[1] - a1[1]}, b[2] = {b0[0] - b1[0], b0[1] - b1[1]};
    first->score = -dot2(a, a);
    second->score = -dot2(b, b);
  }
}

// Do the straight parts of a way cross? Where the tangent points nearly coincide, these parts are nearly parallel, and in
// single precision rounding would decide. They do not cross then, because the line between the ends cuts the circle.
SN_KERNEL int crosses(const Way* way, const snReal d0[2], const snReal d1[2]) {
  snReal apart[2] = {way->t1[0] - way->t0[0], way->t1[1] - way->t0[1]};
  if (sizeof(snReal) == 4 && dot2(apart, apart) < (snReal)1e-4 * dot2(way->t0, way->t0)) return 0;
  return segmentsIntersect(d0, way->t0, d1, way->t1);
}

// The better of two ways, 0 or 1, or -1 where it crosses itself. A way that does has this score, so that the other one
// matters only if the one that looks better crosses itself, or is as bad.
SN_KERNEL int betterWay(const Way* first, const Way* second, const snReal d0[2],
                        const snReal d1[2]) {
  const snReal bad = -10000;
  int turn = first->score > second->score ? 0 : 1;
  const Way* better = turn ? second : first;
  if (better->score > bad && !crosses(better, d0, d1)) return turn;
  int crossed0 = crosses(first, d0, d1), crossed1 = crosses(second, d0, d1);
  turn = (crossed0 ? bad : first->score) > (crossed1 ? bad : second->score) ? 0 : 1;
  return (turn ? crossed1 : crossed0) ? -1 : turn;
}

// Path outside of a circle: tangent points t0, t1 and the arc between them, -1 for no wrap.
SN_KERNEL snReal wrapOutside(snReal t0[2], snReal t1[2], const snReal d0[2], const snReal d1[2],
                             const snReal* side, snReal radius) {
  snReal rr = radius * radius, dd0 = dot2(d0, d0), dd1 = dot2(d1, d1);
  if (dd0 < rr || dd1 < rr || radius < MINVAL) return -1;
  snReal dif[2] = {d1[0] - d0[0], d1[1] - d0[1]};
  snReal dd = dot2(dif, dif);
  if (dd < MINVAL) return -1;

  // Where the segment misses the circle, the path wraps only if the side point demands it. In single precision a segment
  // that enters the circle by at most a ten-thousandth of the radius counts as missing it: the path around is as long, and
  // rounding would decide in which order it meets its tangent points.
  const snReal grazing = sizeof(snReal) == 4 ? (snReal)2e-4 : 0;
  snReal a = snu_clip(-dot2(dif, d0) / dd, 0, 1);
  snReal nearest[2] = {d0[0] + a * dif[0], d0[1] + a * dif[1]};
  if (dot2(nearest, nearest) > rr - grazing * rr && (!side || dot2(side, nearest) >= 0)) return -1;

  // Two ways around: take the better one. They are no array: the device compiler of CUDA 13.0 takes the
  // wrong element of one (muscle arms had the other side in double precision).
  snReal root[2], inverse[2];
  sn_sqrtTwo(root, dd0 - rr, dd1 - rr);
  sn_divideTwo(inverse, 1, 1, dd0, dd1);
  snReal k0 = radius * root[0], k1 = radius * root[1];
  Way first = wayAround(d0, d1, rr, inverse, k0, -k1);
  Way second = wayAround(d0, d1, rr, inverse, -k0, k1);
  scoreWays(&first, &second, side);
  int turn = betterWay(&first, &second, d0, d1);
  if (turn < 0) return -1;
  for (int k = 0; k < 2; k++) {
    t0[k] = turn ? second.t0[k] : first.t0[k];
    t1[k] = turn ? second.t1[k] : first.t1[k];
  }
  return arcLength(t0, t1, turn, radius);
}

// Root of asin(Az) + asin(Bz) - 2 asin(z) + G by Newton's method from just below 1, or -1 when the
// iteration leaves its path. The loose tolerance is part of the definition; single precision adds what the
// rounding of z makes of the function where it is steep.
static snReal insideRoot(snReal A, snReal B, snReal G) {
  const snReal least = (snReal)1e-6, rounding = sizeof(snReal) == 4 ? (snReal)2e-7 : 0;
  snReal z = 1 - (snReal)1e-7, tolerance = least;
  snReal f = snu_asin(A * z) + snu_asin(B * z) - 2 * snu_asin(z) + G;
  if (f > 0) return -1;

  int iteration = 0;
  for (; iteration < 20 && snu_abs(f) > tolerance; iteration++) {
    snReal slope = A / snu_max(MINVAL, snu_sqrt(1 - z * z * A * A)) +
                   B / snu_max(MINVAL, snu_sqrt(1 - z * z * B * B)) -
                   2 / snu_max(MINVAL, snu_sqrt(1 - z * z));
    if (slope > -MINVAL) return -1;
    snReal next = z - f / slope;
    if (next > z) return -1;
    z = next;
    f = snu_asin(A * z) + snu_asin(B * z) - 2 * snu_asin(z) + G;
    tolerance = least - rounding * slope;
    if (f > tolerance) return -1;
  }
  return iteration < 20 ? z : -1;
}

// Path through a circle that touches it from inside at one point (t0 = t1): 0, or -1 for no wrap.
static snReal wrapInside(snReal t0[2], snReal t1[2], const snReal d0[2], const snReal d1[2],
                         snReal radius) {
  snReal len0 = snu_sqrt(dot2(d0, d0)), len1 = snu_sqrt(dot2(d1, d1));
  snReal dif[2] = {d1[0] - d0[0], d1[1] - d0[1]};
  snReal dd = dot2(dif, dif);
  if (len0 <= radius || len1 <= radius || radius < MINVAL || len0 < MINVAL || len1 < MINVAL) {
    return -1;
  }

  // the straight segment passes through the circle already
  if (dd > MINVAL) {
    snReal a = -dot2(dif, d0) / dd;
    if (a > 0 && a < 1) {
      snReal nearest[2] = {d0[0] + a * dif[0], d0[1] + a * dif[1]};
      if (snu_sqrt(dot2(nearest, nearest)) <= radius) return -1;
    }
  }

  // answer when no equilibrium is found: towards the middle
  snReal middle[2] = {(d0[0] + d1[0]) / 2, (d0[1] + d1[1]) / 2};
  normalize2(middle);
  snu_scl(t0, middle, radius, 2);
  snu_copy(t1, t0, 2);

  snReal A = radius / len0, B = radius / len1;
  snReal cosine = (len0 * len0 + len1 * len1 - dd) / (2 * len0 * len1);
  if (cosine < -1 + MINVAL) return -1;
  if (cosine > 1 - MINVAL) return 0;
  snReal z = insideRoot(A, B, snu_acos(cosine));
  if (z < 0) return 0;

  // rotate the direction of one end towards the other
  int first = d0[0] * d1[1] - d0[1] * d1[0] > 0;
  snReal v[2] = {first ? d0[0] : d1[0], first ? d0[1] : d1[1]};
  normalize2(v);
  snReal angle = snu_asin(z) - snu_asin((first ? A : B) * z);
  snReal c = snu_cos(angle), s = snu_sin(angle);
  t0[0] = radius * (c * v[0] - s * v[1]);
  t0[1] = radius * (s * v[0] + c * v[1]);
  snu_copy(t1, t0, 2);
  return 0;
}

// Axes of the plane through both ends and the centre of a sphere. The path around a cylinder lies in its cross
// section, whose axes are the first two of its frame.
SN_KERNEL void pathPlane(snReal axis0[3], snReal axis1[3], const snReal p0[3], const snReal p1[3]) {
  snReal normal[3];
  snu_copy3(axis0, p0);
  snu_normalize3(axis0);
  snu_cross(normal, p0, p1);
  if (snu_normalize3(normal) < MINVAL) {
    // ends and centre are collinear: any plane through them
    snReal x = snu_abs(axis0[0]), y = snu_abs(axis0[1]), z = snu_abs(axis0[2]);
    int largest = y > x && y > z ? 1 : (z > x && z > y ? 2 : 0);
    snReal other[3] = {1, 1, 1};
    other[largest] = 0;
    snu_cross(normal, axis0, other);
    snu_normalize3(normal);
  }
  snu_cross(axis1, normal, axis0);
  snu_normalize3(axis1);
}

// a point in the plane of the path
SN_KERNEL void toPlane(snReal res[2], const snReal p[3], int cylinder, const snReal axis0[3],
                       const snReal axis1[3]) {
  res[0] = cylinder ? p[0] : snu_dot3(p, axis0);
  res[1] = cylinder ? p[1] : snu_dot3(p, axis1);
}

// spread the height along a cylinder evenly over the path; returns the length of the helix
SN_KERNEL snReal helix(snReal q0[3], snReal q1[3], const snReal p0[3], const snReal p1[3],
                       snReal arc) {
  snReal e0[2] = {p0[0] - q0[0], p0[1] - q0[1]}, e1[2] = {p1[0] - q1[0], p1[1] - q1[1]};
  snReal len[2], part[2];
  sn_sqrtTwo(len, dot2(e0, e0), dot2(e1, e1));
  snReal total = len[0] + arc + len[1], rise = p1[2] - p0[2];
  sn_divideTwo(part, rise * len[0], rise * (len[0] + arc), total, total);
  q0[2] = p0[2] + part[0];
  q1[2] = p0[2] + part[1];
  snReal height = q1[2] - q0[2];
  return snu_sqrt(arc * arc + height * height);
}

SN_WIDE(, snReal, sn_wrap,
        (snReal points[6], const snReal start[3], const snReal end[3], const snReal xpos[3],
         const snReal xmat[9], snReal radius, int type, const snReal* side),
        (points, start, end, xpos, xmat, radius, type, side)) {
  SN_ASSERT(type == snWRAP_SPHERE || type == snWRAP_CYLINDER);
  // ends in the frame of the geom
  int cylinder = type == snWRAP_CYLINDER;
  snReal p0[3], p1[3], d0[2], d1[2], axis0[3] = {1, 0, 0}, axis1[3] = {0, 1, 0};
  snu_sub3(p0, start, xpos);
  snu_mulMatTVec3(p0, xmat, p0);
  snu_sub3(p1, end, xpos);
  snu_mulMatTVec3(p1, xmat, p1);
  if (snu_dot3(p0, p0) < MINVAL * MINVAL || snu_dot3(p1, p1) < MINVAL * MINVAL) return -1;

  // ends and side point in the plane of the path
  if (!cylinder) pathPlane(axis0, axis1, p0, p1);
  toPlane(d0, p0, cylinder, axis0, axis1);
  toPlane(d1, p1, cylinder, axis0, axis1);
  snReal side2[2] = {0, 0};
  int inside = 0;
  if (side) {
    snReal local[3];
    snu_sub3(local, side, xpos);
    snu_mulMatTVec3(local, xmat, local);
    inside = radius > 0 && snu_dot3(local, local) < radius * radius;
    toPlane(side2, local, cylinder, axis0, axis1);
    normalize2(side2);
    side2[0] *= radius;
    side2[1] *= radius;
  }

  snReal t0[2], t1[2];
  snReal length = inside ? wrapInside(t0, t1, d0, d1, radius)
                         : wrapOutside(t0, t1, d0, d1, side ? side2 : NULL, radius);
  if (length < 0) return -1;

  // back to space
  snReal q0[3] = {t0[0], t0[1], 0}, q1[3] = {t1[0], t1[1], 0};
  if (cylinder) {
    length = helix(q0, q1, p0, p1, length);
  } else {
    for (int k = 0; k < 3; k++) {
      q0[k] = axis0[k] * t0[0] + axis1[k] * t0[1];
      q1[k] = axis0[k] * t1[0] + axis1[k] * t1[1];
    }
  }
  snu_mulMatVec3(points, xmat, q0);
  snu_addTo3(points, xpos);
  snu_mulMatVec3(points + 3, xmat, q1);
  snu_addTo3(points + 3, xpos);
  return length;
}
