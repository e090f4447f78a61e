// Convex queries against closed forms, and with degenerate numbers: every answer is reached within
// the iterations and memory that a query asked for.

#include "engine/collide/convex_query.h"
#include "engine/collide/mpr.h"
#include "harness.h"

static unsigned long long seed = 7;

static snReal uniform(void) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (snReal)((double)(seed >> 11) / 4503599627370496.0 - 1.0);
}

static int choose(int n) { return (int)((uniform() + 1) / 2 * n) % n; }

// An object that owns its pose.
typedef struct Body_ {
  snConvex object;
  snReal pos[3], mat[9], size[3];
} Body;

static void makeBody(Body* body, int kind, snReal sx, snReal sy, snReal sz) {
  memset(body, 0, sizeof(*body));
  body->object.kind = kind;
  body->object.vertex = body->object.start = body->object.mesh = -1;
  body->object.pos = body->pos;
  body->object.mat = body->mat;
  body->object.size = body->size;
  body->size[0] = sx;
  body->size[1] = sy;
  body->size[2] = sz;
  body->mat[0] = body->mat[4] = body->mat[8] = 1;
}

static void turn(Body* body) {
  snReal quat[4] = {uniform(), uniform(), uniform(), uniform()};
  snu_normalize4(quat);
  snu_quat2Mat(body->mat, quat);
}

static snReal query(snCcd* ccd, Body* a, Body* b, snReal cutoff, int iterations) {
  ccd->object1 = &a->object;
  ccd->object2 = &b->object;
  ccd->m = NULL;
  ccd->tolerance = (snReal)1e-6;
  ccd->iterations = iterations;
  ccd->cutoff = cutoff;
  ccd->maxpoints = 1;
  ccd->d = NULL;  // so many iterations need no memory of its stack
  ccd->bytes = sn_epaBytes(iterations);
  ccd->full = 0;
  return sn_ccd(ccd);
}

// spheres, as themselves and as round ellipsoids: |c1 - c2| - r1 - r2
static void test_spheres(void** state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    Body a, b;
    snCcd ccd;
    int kind = i % 2 ? snGEOM_SPHERE : snGEOM_ELLIPSOID;
    makeBody(&a, kind, (snReal)0.3, (snReal)0.3, (snReal)0.3);
    makeBody(&b, i % 4 < 2 ? kind : snGEOM_SPHERE, (snReal)0.2, (snReal)0.2, (snReal)0.2);
    turn(&a);
    turn(&b);
    for (int j = 0; j < 3; j++) b.pos[j] = (snReal)0.5 * uniform();
    snReal expected = snu_norm3(b.pos) - (snReal)0.5;
    if (snu_abs(expected) < (snReal)1e-3) continue;
    snReal dist = query(&ccd, &a, &b, 10, 50);
    // a polytope converges to a sphere from inside, by the square of its mesh size
    assert_true(snu_abs(dist - expected) < (dist < 0 ? (snReal)2e-2 : (snReal)1e-5));
  }
}

// aligned boxes: the distance of intervals
static void test_boxes(void** state) {
  (void)state;
  int failed = 0;
  for (int i = 0; i < 500; i++) {
    Body a, b;
    snCcd ccd;
    makeBody(&a, snGEOM_BOX, (snReal)0.3, (snReal)0.2, (snReal)0.1);
    makeBody(&b, snGEOM_BOX, (snReal)0.1, (snReal)0.25, (snReal)0.15);
    snReal square = 0, deepest = -1;
    for (int j = 0; j < 3; j++) {
      b.pos[j] = (snReal)0.7 * uniform();
      snReal gap = snu_abs(b.pos[j]) - a.size[j] - b.size[j];
      if (gap > 0) square += gap * gap;
      deepest = snu_max(deepest, gap);
    }
    snReal expected = deepest > 0 ? snu_sqrt(square) : deepest;
    snReal dist = query(&ccd, &a, &b, 10, 50);
    if (dist == 0) {
      failed++;  // the reference's answer where its simplex degenerates, which we reproduce
    } else {
      assert_close(dist, expected, 1e-9);
      assert_int_equal(ccd.npoint, 1);
      assert_close(snu_dist3(ccd.x1[0], ccd.x2[0]), snu_abs(expected), 1e-9);
    }
    // without interest in distances, separate boxes have no contact and others the same depth
    snReal contact = query(&ccd, &a, &b, 0, 50);
    assert_true(expected > 0 ? !(contact < 0) : snu_abs(contact - expected) < (snReal)1e-9);
  }
  assert_in_range(failed, 0, 50);
}

// A polytope for which there is too little memory is given up; in more memory it is the same.
static void test_little_memory(void** state) {
  (void)state;
  int more = 0, found = 0;
  for (int i = 0; i < 100; i++) {
    Body a, b;
    snCcd ccd;
    snMinkowski face[3];
    double little[400], memory[1875];
    makeBody(&a, i % 3 ? snGEOM_ELLIPSOID : snGEOM_BOX, (snReal)0.3, (snReal)0.2, (snReal)0.1);
    makeBody(&b, i % 2 ? snGEOM_ELLIPSOID : snGEOM_BOX, (snReal)0.1, (snReal)0.25, (snReal)0.15);
    turn(&a);
    for (int j = 0; j < 3; j++) b.pos[j] = (snReal)0.1 * uniform();
    query(&ccd, &a, &b, 0, 30);
    snReal dist = ccd.dist;
    if (!(dist < 0)) continue;
    sn_gjk(&ccd);
    assert_true(sn_epaBytes(4) <= sizeof(little) && sn_epaBytes(30) <= sizeof(memory));
    snEpaResult result = sn_epa(&ccd, little, sn_epaBytes(4), face);
    if (result == snEPA_MORE) {
      more++;
      result = sn_epa(&ccd, memory, sn_epaBytes(30), face);
    } else {
      found++;
    }
    assert_int_equal(result, snEPA_FOUND);
    assert_true(ccd.dist == dist);
  }
  assert_true(more > 0 && found > 0);
}

// beyond the cutoff only that is known
static void test_cutoff(void** state) {
  (void)state;
  Body a, b;
  snCcd ccd;
  makeBody(&a, snGEOM_CYLINDER, (snReal)0.2, (snReal)0.1, 0);
  makeBody(&b, snGEOM_CAPSULE, (snReal)0.1, (snReal)0.2, 0);
  b.pos[2] = 2;
  assert_true(query(&ccd, &a, &b, 1, 50) == SN_CCD_FAR);
  assert_true(snu_abs(query(&ccd, &a, &b, 3, 50) - (snReal)1.6) < (snReal)1e-9);
}

static snReal special(void) {
  static const snReal kValue[] = {
      0, (snReal)1e-30, (snReal)1e-15, (snReal)1e15, (snReal)1e30, INFINITY, -INFINITY, NAN};
  return kValue[choose(8)];
}

static void randomBody(Body* body, int degenerate) {
  static const int kKind[] = {snGEOM_SPHERE, snGEOM_CAPSULE, snGEOM_ELLIPSOID, snGEOM_CYLINDER,
                              snGEOM_BOX,    snGEOM_MESH,    snCONVEX_PRISM,   snCONVEX_FLEX};
  static const float kFlat[12] = {0, 0, 0, 0.4f, 0, 0, 0, 0.4f, 0, 0.4f, 0.4f, 0};
  makeBody(body, kKind[choose(8)], (snReal)0.2, (snReal)0.1, (snReal)0.15);
  turn(body);
  for (int i = 0; i < 3; i++) body->pos[i] = (snReal)0.3 * uniform();
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 3; j++) body->object.point[i][j] = (snReal)0.3 * uniform();
  }
  body->object.vert = kFlat;
  body->object.nvert = 4;
  body->object.margin = choose(3) ? 0 : (snReal)0.05;
  if (!degenerate) return;
  switch (choose(3)) {
    case 0: body->pos[choose(3)] = special(); break;
    case 1: body->size[choose(3)] = special(); break;
    default: body->mat[choose(9)] = special(); break;
  }
}

static void test_degenerate(void** state) {
  (void)state;
  int hits = 0;
  for (int i = 0; i < 20000; i++) {
    Body a, b;
    snCcd ccd;
    randomBody(&a, i % 3 == 1);
    randomBody(&b, i % 3 == 2);
    hits += query(&ccd, &a, &b, choose(2) ? 0 : 1, choose(51)) < 0;
    snReal depth, direction[3], pos[3];
    hits += sn_mpr(&a.object, &b.object, (snReal)1e-6, 35, &depth, direction, pos);
  }
  assert_true(hits > 5000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spheres),       cmocka_unit_test(test_boxes),
      cmocka_unit_test(test_little_memory), cmocka_unit_test(test_cutoff),
      cmocka_unit_test(test_degenerate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
