// A triangle with a radius against a sphere, a capsule and a box.

#include "engine/collide/triangle.h"

#include "math/math.h"

// ---- sphere --------------------------------------------------------------------------------------

// sign of the area of the triangle pqr in the plane
static int turn(const snReal p[2], const snReal q[2], const snReal r[2]) {
  snReal area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  return (area > 0) - (area < 0);
}

// the point of the segment ab nearest to p; returns its squared distance
static snReal nearestOnSegment(snReal nearest[2], const snReal p[2], const snReal a[2],
                               const snReal b[2]) {
  snReal along[2] = {b[0] - a[0], b[1] - a[1]}, from[2] = {p[0] - a[0], p[1] - a[1]};
  snReal square = along[0] * along[0] + along[1] * along[1];
  snReal x = (from[0] * along[0] + from[1] * along[1]) / snu_max((snReal)snMINVAL, square);
  for (int k = 0; k < 2; k++) nearest[k] = x <= 0 ? a[k] : x >= 1 ? b[k] : a[k] + x * along[k];
  snReal gap[2] = {p[0] - nearest[0], p[1] - nearest[1]};
  return gap[0] * gap[0] + gap[1] * gap[1];
}

// The point of the triangle 0ab nearest to p, all in the plane.
static void nearestInTriangle(snReal nearest[2], const snReal p[2], const snReal a[2],
                              const snReal b[2]) {
  const snReal o[2] = {0, 0};
  int side = turn(p, o, a);
  if (side == turn(p, a, b) && side == turn(p, b, o)) {
    nearest[0] = p[0];
    nearest[1] = p[1];
    return;
  }
  snReal point[3][2], square[3];
  square[0] = nearestOnSegment(point[0], p, o, a);
  square[1] = nearestOnSegment(point[1], p, a, b);
  square[2] = nearestOnSegment(point[2], p, b, o);
  int edge = square[0] < square[1] && square[0] < square[2] ? 0 : square[1] < square[2] ? 1 : 2;
  nearest[0] = point[edge][0];
  nearest[1] = point[edge][1];
}

int sn_sphereTriangle(snContactPoint* points, snReal margin, const snReal center[3], snReal radius,
                      const snTriangle* triangle) {
  const snReal* origin = triangle->vertex[0];
  snReal limit = margin + radius + triangle->radius;
  snReal s[3], a[3], b[3], axis[3][3], flat[3], nearest[2], normal[3], pos[3];
  snu_sub3(s, center, origin);
  snu_sub3(a, triangle->vertex[1], origin);
  snu_sub3(b, triangle->vertex[2], origin);
  snu_cross(axis[2], a, b);
  snu_normalize3(axis[2]);
  snReal height = snu_dot3(axis[2], s);
  if (snu_abs(height) > limit) return 0;

  // project on the plane, with the first axis along the first edge
  snu_addScl3(flat, s, axis[2], -height);
  snu_copy3(axis[0], a);
  snReal length = snu_normalize3(axis[0]);
  snu_cross(axis[1], axis[2], a);
  snu_normalize3(axis[1]);
  snReal p[2] = {snu_dot3(axis[0], flat), snu_dot3(axis[1], flat)};
  snReal a2[2] = {length, 0}, b2[2] = {snu_dot3(axis[0], b), snu_dot3(axis[1], b)};
  nearestInTriangle(nearest, p, a2, b2);

  // n = y - s with y = y_0 axis_0 + y_1 axis_1
  snu_scl3(normal, axis[0], nearest[0]);
  snu_addToScl3(normal, axis[1], nearest[1]);
  snu_subFrom3(normal, s);
  snReal gap = snu_normalize3(normal);
  if (gap > limit) return 0;
  snReal dist = gap - radius - triangle->radius;
  snu_addScl3(pos, center, normal, radius + dist / 2);
  sn_setPoint(points, dist, pos, normal);
  return 1;
}

// ---- capsule -------------------------------------------------------------------------------------

int sn_capsuleTriangle(snContactPoint* points, snReal margin, const snPosedShape* capsule,
                       const snTriangle* triangle) {
  snReal radius = capsule->size[0], half = capsule->size[1], thick = triangle->radius;
  snReal axis[3] = {capsule->mat[2], capsule->mat[5], capsule->mat[8]};
  snReal end[2][3], between[3];
  int n = 0;
  for (int side = 0; side < 2; side++) {
    snu_addScl3(end[side], capsule->pos, axis, side ? half : -half);
    n += sn_sphereTriangle(points + n, margin, end[side], radius, triangle);
  }
  snu_sub3(between, end[1], end[0]);
  for (int i = 0; i < 3; i++) {
    const snReal* vertex = triangle->vertex[i];
    snReal from[3], foot[3], normal[3], pos[3];
    snu_sub3(from, vertex, end[0]);
    snReal x = snu_dot3(from, between) / (4 * half * half);
    if (!(x > (snReal)snMINVAL && x < 1 - (snReal)snMINVAL)) continue;
    snu_addScl3(foot, end[0], between, x);
    snu_sub3(normal, vertex, foot);
    snReal gap = snu_normalize3(normal);
    if (gap > radius + thick + margin) continue;
    snu_add3(pos, foot, vertex);
    snu_addToScl3(pos, normal, radius - thick);
    snu_scl3(pos, pos, (snReal)0.5);
    sn_setPoint(points + n++, gap - radius - thick, pos, normal);
  }
  return n;
}

// ---- box -----------------------------------------------------------------------------------------

// A vertex with a radius against a box: through the face to which it is nearest.
static int boxVertex(snContactPoint* point, snReal margin, const snPosedShape* box,
                     const snReal vertex[3], snReal radius) {
  snReal offset[3], local[3], least = 0, normal[3], pos[3];
  int axis = -1;
  snu_sub3(offset, vertex, box->pos);
  snu_mulMatTVec3(local, box->mat, offset);
  for (int k = 0; k < 3; k++) {
    snReal outside = snu_abs(local[k]) - box->size[k];
    if (snu_abs(local[k]) > box->size[k] + margin + radius) return 0;
    if (axis < 0 || outside > least) {
      least = outside;
      axis = k;
    }
  }
  if (least - radius > margin) return 0;
  for (int k = 0; k < 3; k++) normal[k] = box->mat[3 * k + axis] * (local[axis] > 0 ? 1 : -1);
  snReal dist = least - radius;
  snu_addScl3(pos, vertex, normal, -(radius + dist / 2));
  sn_setPoint(point, dist, pos, normal);
  return 1;
}

int sn_boxTriangle(snContactPoint* points, snReal margin, const snPosedShape* box,
                   const snTriangle* triangle) {
  int n = 0;
  for (int i = 0; i < 3; i++) {
    n += boxVertex(points + n, margin, box, triangle->vertex[i], triangle->radius);
  }
  for (int corner = 0; corner < 8; corner++) {
    snReal local[3], world[3];
    for (int k = 0; k < 3; k++) local[k] = corner & (1 << k) ? box->size[k] : -box->size[k];
    snu_mulMatVec3(world, box->mat, local);
    snu_addTo3(world, box->pos);
    n += sn_sphereTriangle(points + n, margin, world, 0, triangle);
  }
  return n;
}
