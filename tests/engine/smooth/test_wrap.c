// Wrapping of tendons at the level of the geometry: what needs no model.
//
// A cylinder about z with ends and side point at z = 0 is the problem in the plane.

#include "harness.h"

#include <math.h>

#include "engine/smooth/wrap.h"
#include "math/math.h"

static const snReal kOrigin[3] = {0, 0, 0};
static const snReal kIdentity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// inside wrap in the plane of a circle of radius r about the origin
static snReal planeInside(snReal t[3], snReal x0, snReal y0, snReal x1, snReal y1, snReal r) {
  snReal start[3] = {x0, y0, 0}, end[3] = {x1, y1, 0}, points[6] = {0};
  snReal length = sn_wrap(points, start, end, kOrigin, kIdentity, r, snWRAP_CYLINDER, kOrigin);
  if (length >= 0) {
    for (int k = 0; k < 3; k++) assert_close(points[k], points[k + 3], 0);
  }
  snu_copy3(t, points);
  return length;
}

// tau . (unit(t-e0) + unit(t-e1)): zero where the path is stationary
static snReal stationarity(const snReal t[3], const snReal e0[3], const snReal e1[3]) {
  snReal tangent[3] = {-t[1], t[0], 0}, a[3], b[3];
  snu_normalize3(tangent);
  snu_sub3(a, t, e0);
  snu_sub3(b, t, e1);
  a[2] = b[2] = 0;
  snu_normalize3(a);
  snu_normalize3(b);
  snu_addTo3(a, b);
  return snu_dot3(tangent, a);
}

// spec 39: T5
static void insideTangentIsStationary(void** state) {
  (void)state;
  snReal t[3], e0[3] = {2, 0, 0}, e1[3] = {1.5, 1.5 * sqrt(3.0), 0};
  assert_close(planeInside(t, e0[0], e0[1], e1[0], e1[1], 1), 0, 0);
  assert_close(snu_norm3(t), 1, 1e-10);
  assert_true(snu_abs(stationarity(t, e0, e1)) < 1e-8);
  assert_close(t[0], 0.896813223584, 1e-12);
  assert_close(t[1], 0.442409360215, 1e-12);
  assert_close(snu_dist3(t, e0) + snu_dist3(t, e1), 3.427057240857, 1e-12);
}

// spec 39: T3 T4 T6 T18
static void insideSphereTouchesOnce(void** state) {
  (void)state;
  snReal start[3] = {0.3, 0, 0.15}, end[3] = {0.3, 0.1, -0.15}, side[3] = {0.05, 0, 0}, points[6];
  snReal length = sn_wrap(points, start, end, kOrigin, kIdentity, 0.15, snWRAP_SPHERE, side);
  assert_close(length, 0, 0);
  for (int k = 0; k < 3; k++) assert_close(points[k], points[k + 3], 0);
  assert_close(snu_norm3(points), 0.15, 1e-10);
}

// spec 39: T11
static void segmentThroughCircleIsNoInsideWrap(void** state) {
  (void)state;
  snReal t[3];
  assert_close(planeInside(t, 2, 0.1, -2, 0.2, 1), -1, 0);
  assert_close(planeInside(t, 2, 0, -2, 0, 1), -1, 0);
}

// spec 39: T12
static void endOnCircleIsNoInsideWrap(void** state) {
  (void)state;
  snReal t[3];
  assert_close(planeInside(t, 1, 0, 0, 3, 1), -1, 0);
  assert_close(planeInside(t, 3, 0, 0, 1, 1), -1, 0);
}

// spec 39: T13
static void coincidentEndsFallBack(void** state) {
  (void)state;
  snReal t[3], near = 1 + 1e-9;
  assert_close(planeInside(t, near, 0, near * cos(5e-5), near * sin(5e-5), 1), 0, 0);
  assert_close(snu_norm3(t), 1, 1e-10);
  assert_close(t[0], 0.9999999996875, 1e-12);
  assert_close(t[1], 2.5e-5, 1e-12);
  assert_close(planeInside(t, 2, 0, 3, 0, 1), 0, 0);
  assert_close(t[0], 1, 1e-15);
}

// spec 39: T7 T15
static void insideCylinderHeightIsInterpolated(void** state) {
  (void)state;
  snReal start[3] = {0.3, 0.05, 0.3}, end[3] = {0.3, -0.15, -0.1}, side[3] = {0.05, 0, 0};
  snReal points[6];
  snReal length = sn_wrap(points, start, end, kOrigin, kIdentity, 0.15, snWRAP_CYLINDER, side);
  assert_close(length, 0, 0);
  assert_true(snu_abs(stationarity(points, start, end)) < 1e-8);
  assert_close(points[0], 0.148607047563419, 1e-6);
  assert_close(points[1], -0.020394739872909, 1e-6);
  assert_close(points[2], 0.117656368532109, 1e-6);
  snReal l0 = hypot(start[0] - points[0], start[1] - points[1]);
  snReal l1 = hypot(end[0] - points[0], end[1] - points[1]);
  assert_close(points[2], start[2] + (end[2] - start[2]) * l0 / (l0 + l1), 1e-14);
}

// spec 39: T9
static void outsideArcIsShortest(void** state) {
  (void)state;
  // over the top of a unit circle, with and without a side point; the other way with the other side
  snReal start[3] = {-2, 0.5, 0}, end[3] = {2, 0.5, 0}, points[6];
  snReal up[3] = {0, 2, 0}, down[3] = {0, -2, 0};
  snReal free = sn_wrap(points, start, end, kOrigin, kIdentity, 1, snWRAP_CYLINDER, NULL);
  assert_true(free > 0 && points[1] > 0);
  for (int k = 0; k < 6; k += 3) {
    // tangent points: on the circle, where the radius is normal to the straight part
    snReal leg[3];
    snu_sub3(leg, points + k, k ? end : start);
    assert_close(snu_norm3(points + k), 1, 1e-14);
    assert_close(snu_dot3(leg, points + k), 0, 1e-14);
  }
  assert_close(sn_wrap(points, start, end, kOrigin, kIdentity, 1, snWRAP_CYLINDER, up), free,
               1e-15);
  snReal below = sn_wrap(points, start, end, kOrigin, kIdentity, 1, snWRAP_CYLINDER, down);
  assert_true(below > free && points[1] < 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(insideSphereTouchesOnce),
      cmocka_unit_test(insideTangentIsStationary),
      cmocka_unit_test(segmentThroughCircleIsNoInsideWrap),
      cmocka_unit_test(endOnCircleIsNoInsideWrap),
      cmocka_unit_test(coincidentEndsFallBack),
      cmocka_unit_test(insideCylinderHeightIsInterpolated),
      cmocka_unit_test(outsideArcIsShortest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
