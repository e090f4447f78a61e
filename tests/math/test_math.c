// The maths layer against closed forms and identities; the factorisations against a dense
// reference.

#include "harness.h"

#include <stdlib.h>

#include "math/math.h"
#include "math/spatial_four.h"

enum { MAXN = 32 };

static unsigned long long seed = 1;

// uniform in (-1, 1), the same numbers on every platform
static snReal uniform(void) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (snReal)((double)(seed >> 11) / 4503599627370496.0 - 1.0);
}

static void randomVector(snReal* vec, int n) {
  for (int i = 0; i < n; i++) vec[i] = uniform();
}

// A = B B' + eps, positive definite
static void randomSpd(snReal* mat, int n) {
  snReal B[MAXN * MAXN];
  randomVector(B, n * n);
  snu_mulMatMatT(mat, B, B, n, n, n);
  for (int i = 0; i < n; i++) mat[i * n + i] += (snReal)0.1;
}

// reference solution by Gauss-Jordan with full pivoting on rows
static void referenceSolve(snReal* x, const snReal* mat, const snReal* vec, int n) {
  snReal a[MAXN * (MAXN + 1)];
  for (int i = 0; i < n; i++) {
    snu_copy(a + i * (n + 1), mat + i * n, n);
    a[i * (n + 1) + n] = vec[i];
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++) {
      if (snu_abs(a[i * (n + 1) + k]) > snu_abs(a[best * (n + 1) + k])) best = i;
    }
    for (int j = 0; j <= n; j++) {
      snReal t = a[k * (n + 1) + j];
      a[k * (n + 1) + j] = a[best * (n + 1) + j];
      a[best * (n + 1) + j] = t;
    }
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      snReal factor = a[i * (n + 1) + k] / a[k * (n + 1) + k];
      for (int j = k; j <= n; j++) a[i * (n + 1) + j] -= factor * a[k * (n + 1) + j];
    }
  }
  for (int i = 0; i < n; i++) x[i] = a[i * (n + 1) + n] / a[i * (n + 1) + i];
}

static snReal worstDifference(const snReal* a, const snReal* b, int n) {
  snReal worst = 0, scale = 0;
  for (int i = 0; i < n; i++) {
    worst = snu_max(worst, snu_abs(a[i] - b[i]));
    scale = snu_max(scale, snu_abs(b[i]));
  }
  return worst / snu_max(scale, (snReal)1e-30);
}

// ---- vectors, quaternions, spatial algebra

static void rotationsCompose(void** state) {
  (void)state;
  for (int trial = 0; trial < 100; trial++) {
    snReal a[4], b[4], ab[4], v[3], once[3], twice[3], mat[9], viaMat[3];
    randomVector(a, 4);
    randomVector(b, 4);
    randomVector(v, 3);
    snu_normalize4(a);
    snu_normalize4(b);
    snu_mulQuat(ab, a, b);
    snu_rotVecQuat(once, v, ab);
    snu_rotVecQuat(twice, v, b);
    snu_rotVecQuat(twice, twice, a);
    assert_true(worstDifference(once, twice, 3) < 1e-14);
    snu_quat2Mat(mat, ab);
    snu_mulMatVec3(viaMat, mat, v);
    assert_true(worstDifference(once, viaMat, 3) < 1e-14);
  }
}

static void quaternionDifferenceUndoesIntegration(void** state) {
  (void)state;
  for (int trial = 0; trial < 100; trial++) {
    snReal q[4], start[4], vel[3], back[3];
    randomVector(start, 4);
    randomVector(vel, 3);
    snu_normalize4(start);
    snu_copy4(q, start);
    snu_quatIntegrate(q, vel, (snReal)0.5);
    snu_subQuat(back, q, start);
    snu_scl3(back, back, 2);
    assert_true(worstDifference(back, vel, 3) < 1e-13);
  }
}

static void crossProductsAreDual(void** state) {
  (void)state;
  // (v x m) . f = - m . (v x* f)
  for (int trial = 0; trial < 100; trial++) {
    snReal v[6], m[6], f[6], vm[6], vf[6];
    randomVector(v, 6);
    randomVector(m, 6);
    randomVector(f, 6);
    sn_crossMotion(vm, v, m);
    sn_crossForce(vf, v, f);
    assert_close(sn_dot6(vm, f), -sn_dot6(m, vf), 1e-14);
  }
}

static void kineticEnergyOfInertia(void** state) {
  (void)state;
  // 0.5 v'Iv about the com frame equals the energy about the body's own centre
  for (int trial = 0; trial < 50; trial++) {
    snReal q[4], mat[9], dif[3], v[6], inertia[10], Iv[6], w[3], linear[3];
    snReal J[3] = {(snReal)0.3, (snReal)0.5, (snReal)0.7}, mass = 2;
    randomVector(q, 4);
    snu_normalize4(q);
    snu_quat2Mat(mat, q);
    randomVector(dif, 3);
    randomVector(v, 6);
    sn_inertCom(inertia, J, mat, dif, &mass);
    sn_mulInertVec(Iv, inertia, v);
    snu_mulMatTVec3(w, mat, v);
    snu_cross(linear, v, dif);
    snu_addTo3(linear, v + 3);
    snReal expected = mass * snu_dot3(linear, linear);
    for (int i = 0; i < 3; i++) expected += J[i] * w[i] * w[i];
    assert_close(sn_dot6(v, Iv), expected, 1e-13);
  }
}

// Frames, inertias and forces of four bodies are those of one body after the other, to the bit; one of the
// orientations is that of the world.
static void fourBodiesHaveTheBitsOfOne(void** state) {
  (void)state;
#if SN_HAS_FOUR
  const int at[4] = {2, 0, 3, 1};
  for (int trial = 0; trial < 50; trial++) {
    snReal quat[16], inertia[40], vel[24], acc[24], mat[36], force[24];
    randomVector(quat, 16);
    randomVector(inertia, 40);
    randomVector(vel, 24);
    randomVector(acc, 24);
    for (int k = 0; k < 4; k++) quat[k] = k == 0 ? 1 : -(snReal)0;
    snFour q[4], i[10], v[6], a[6], m[9], f[6];
    sn_takeFour(q, quat, at, 4);
    sn_takeFour(i, inertia, at, 10);
    sn_takeFour(v, vel, at, 6);
    sn_takeFour(a, acc, at, 6);
    sn_quat2MatFour(m, q);
    sn_bodyForceFour(f, i, v, a);
    sn_storeFour(mat, at, m, 9);
    sn_storeFour(force, at, f, 6);
    for (int body = 0; body < 4; body++) {
      snReal expected[9], linear[6], momentum[6], gyroscopic[6];
      snu_quat2Mat(expected, quat + 4 * body);
      assert_memory_equal(mat + 9 * body, expected, sizeof(expected));
      sn_mulInertVec(linear, inertia + 10 * body, acc + 6 * body);
      sn_mulInertVec(momentum, inertia + 10 * body, vel + 6 * body);
      sn_crossForce(gyroscopic, vel + 6 * body, momentum);
      sn_addTo6(linear, gyroscopic);
      assert_memory_equal(force + 6 * body, linear, sizeof(linear));
    }
  }
#endif
}

static void framesAreOrthonormal(void** state) {
  (void)state;
  for (int trial = 0; trial < 50; trial++) {
    snReal frame[9] = {0}, gram[9];
    randomVector(frame, 3);
    snu_normalize3(frame);
    assert_int_equal(sn_makeFrame(frame), 1);
    sn_mulMatMatT3(gram, frame, frame);
    for (int i = 0; i < 9; i++) assert_close(gram[i], i % 4 == 0, 1e-15);
  }
  snReal bad[9] = {0};
  assert_int_equal(sn_makeFrame(bad), 0);
}

// ---- in-place Cholesky

// spec 004-1: 3
static void choleskyMatchesReference(void** state) {
  (void)state;
  for (int trial = 0; trial < 40; trial++) {
    int n = 1 + trial % 30;
    snReal mat[MAXN * MAXN], factor[MAXN * MAXN], b[MAXN], x[MAXN], expected[MAXN];
    randomSpd(mat, n);
    randomVector(b, n);
    referenceSolve(expected, mat, b, n);
    snu_copy(factor, mat, n * n);
    assert_int_equal(snu_cholFactor(factor, n, snMINVAL), n);
    snu_copy(x, b, n);
    snu_cholSolve(x, factor, x, n);
    assert_true(worstDifference(x, expected, n) < 1e-12);

    // the strict triangle above the diagonal is left as it was
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) assert_close(factor[i * n + j], mat[i * n + j], 0);
    }
  }
}

// spec 004-1: 1 2 4
static void choleskyReportsIndefinite(void** state) {
  (void)state;
  snReal indefinite[4] = {1, 2, 2, 1}, zero[1] = {0};
  assert_int_equal(snu_cholFactor(indefinite, 2, snMINVAL), 1);
  assert_int_equal(snu_cholFactor(zero, 1, snMINVAL), 0);
}

static void choleskyUpdateMatchesFactor(void** state) {
  (void)state;
  int n = 9;
  snReal mat[MAXN * MAXN], factor[MAXN * MAXN], x[MAXN], copy[MAXN];
  randomSpd(mat, n);
  randomVector(x, n);
  snu_copy(factor, mat, n * n);
  snu_cholFactor(factor, n, 0);
  snu_copy(copy, x, n);
  assert_int_equal(snu_cholUpdate(factor, copy, n, 1), n);
  for (int i = 0; i < n; i++) snu_addToScl(mat + i * n, x, x[i], n);
  snu_cholFactor(mat, n, 0);
  for (int i = 0; i < n; i++)
    assert_true(worstDifference(factor + i * n, mat + i * n, i + 1) < 1e-12);
}

// ---- L'DL on a tree

// rows of ancestors from a parent array; returns the number of entries
static int treePattern(int n, const int* parent, int* rownnz, int* rowadr, int* colind) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    rowadr[i] = total;
    rownnz[i] = 0;
    for (int j = i; j >= 0; j = parent[j]) rownnz[i]++;
    total += rownnz[i];
    int at = total - 1;
    for (int j = i; j >= 0; j = parent[j]) colind[at--] = j;
  }
  return total;
}

static void checkTree(int n, const int* parent) {
  int rownnz[MAXN], rowadr[MAXN], colind[MAXN * MAXN];
  int total = treePattern(n, parent, rownnz, rowadr, colind);
  for (int trial = 0; trial < 10; trial++) {
    // positive definite by a dominant diagonal
    snReal sparse[MAXN * MAXN], dense[MAXN * MAXN] = {0}, inverse[MAXN];
    randomVector(sparse, total);
    for (int i = 0; i < n; i++) {
      sparse[rowadr[i] + rownnz[i] - 1] += n + 1;
      for (int k = 0; k < rownnz[i]; k++) {
        int j = colind[rowadr[i] + k];
        dense[i * n + j] = dense[j * n + i] = sparse[rowadr[i] + k];
      }
    }
    snReal b[2 * MAXN], x[2 * MAXN], expected[MAXN], factor[MAXN * MAXN];
    randomVector(b, 2 * n);
    snu_copy(x, b, 2 * n);
    sn_factorTree(sparse, inverse, n, rownnz, rowadr, colind, NULL);
    sn_solveTree(x, sparse, inverse, n, n, 2, rownnz, rowadr, colind, NULL);
    snu_copy(factor, dense, n * n);
    assert_int_equal(snu_cholFactor(factor, n, snMINVAL), n);
    for (int v = 0; v < 2; v++) {
      snu_cholSolve(expected, factor, b + v * n, n);
      assert_true(worstDifference(x + v * n, expected, n) < 1e-12);
    }
  }
}

// spec 004-2: 5
static void treeOfOneHinge(void** state) {
  (void)state;
  int parent[] = {-1};
  checkTree(1, parent);
}

// spec 004-2: 5
static void treeOfTwoLinks(void** state) {
  (void)state;
  int parent[] = {-1, 0};
  checkTree(2, parent);
}

// spec 004-2: 5
static void treeOfTwoChildren(void** state) {
  (void)state;
  int parent[] = {-1, 0, 0};
  checkTree(3, parent);
}

// spec 004-2: 5
static void treeOfBallJoints(void** state) {
  (void)state;
  int parent[] = {-1, 0, 1, 2, 3, 4};
  checkTree(6, parent);
}

// spec 004-2: 5
static void treeOfAFreeBodyWithChain(void** state) {
  (void)state;
  int parent[] = {-1, 0, 1, 2, 3, 4, 5, 6, 5, 8};
  checkTree(10, parent);
}

// spec 004-2: 1
static void treeOfBranchesAndSeparateTrees(void** state) {
  (void)state;
  int parent[] = {-1, 0, 1, 0, 3, 3, -1, 6, 7, 6, -1, 10};
  checkTree(12, parent);
}

static void treeIndexListTouchesItsRowsOnly(void** state) {
  (void)state;
  // two trees of two dofs; the second alone is factored and solved
  int parent[] = {-1, 0, -1, 2}, index[] = {2, 3};
  int rownnz[4], rowadr[4], colind[8];
  treePattern(4, parent, rownnz, rowadr, colind);
  snReal full[6] = {4, 1, 5, 4, 1, 5}, part[6], inverse[4] = {0}, x[4] = {1, 2, 3, 4};
  snu_copy(part, full, 6);
  sn_factorTree(part, inverse, 2, rownnz, rowadr, colind, index);
  sn_solveTree(x, part, inverse, 2, 4, 1, rownnz, rowadr, colind, index);
  for (int i = 0; i < 3; i++) assert_close(part[i], full[i], 0);
  assert_close(x[0], 1, 0);
  assert_close(x[1], 2, 0);
  assert_close(4 * x[2] + x[3], 3, 1e-14);
  assert_close(x[2] + 5 * x[3], 4, 1e-14);
}

// ---- LU

static void luMatchesReference(void** state) {
  (void)state;
  for (int trial = 0; trial < 40; trial++) {
    int n = 1 + trial % 20, pivot[MAXN];
    snReal mat[MAXN * MAXN], lu[MAXN * MAXN], x[MAXN], b[MAXN], back[MAXN];
    randomVector(mat, n * n);
    randomVector(b, n);
    snu_copy(lu, mat, n * n);
    snu_copy(x, b, n);
    assert_int_equal(sn_luFactor(lu, pivot, n), 1);
    sn_luSolve(x, lu, pivot, n);
    snu_mulMatVec(back, mat, x, n, n);
    assert_true(worstDifference(back, b, n) < 1e-10);
  }
  snReal singular[4] = {1, 2, 2, 4}, bad[1] = {NAN};
  int pivot[2];
  assert_int_equal(sn_luFactor(singular, pivot, 2), 0);
  assert_int_equal(sn_luFactor(bad, pivot, 1), 0);
}

static void sparseLuMatchesReference(void** state) {
  (void)state;
  int parent[] = {-1, 0, 1, 0, 3, 3, -1, 6, 7, 6}, n = 10;
  int related[MAXN][MAXN] = {{0}};
  for (int i = 0; i < n; i++) {
    for (int j = i; j >= 0; j = parent[j]) related[i][j] = related[j][i] = 1;
  }
  int rownnz[MAXN], rowadr[MAXN], colind[MAXN * MAXN], diag[MAXN] = {0}, total = 0;
  for (int i = 0; i < n; i++) {
    rowadr[i] = total;
    for (int j = 0; j < n; j++) {
      if (j == i) diag[i] = total - rowadr[i];
      if (related[i][j]) colind[total++] = j;
    }
    rownnz[i] = total - rowadr[i];
  }
  for (int trial = 0; trial < 20; trial++) {
    snReal mat[MAXN * MAXN], dense[MAXN * MAXN], x[MAXN], b[MAXN], expected[MAXN];
    randomVector(mat, total);
    for (int i = 0; i < n; i++) mat[rowadr[i] + diag[i]] += n;
    snu_sparse2dense(dense, mat, n, n, rownnz, rowadr, colind);
    randomVector(b, n);
    referenceSolve(expected, dense, b, n);
    assert_int_equal(sn_factorLUSparse(mat, n, rownnz, rowadr, colind, diag), 1);
    sn_solveLUSparse(x, mat, b, n, rownnz, rowadr, colind, diag);
    assert_true(worstDifference(x, expected, n) < 1e-12);
  }
}

// ---- sparse matrices

static void randomSparse(snReal* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind) {
  int total = 0;
  for (int r = 0; r < nr; r++) {
    rowadr[r] = total;
    for (int c = 0; c < nc; c++) {
      if (uniform() > 0) continue;
      mat[total] = uniform();
      colind[total++] = c;
    }
    rownnz[r] = total - rowadr[r];
  }
}

static void sparseProductsMatchDense(void** state) {
  (void)state;
  int nr = 7, nc = 11, rownnz[MAXN], rowadr[MAXN], colind[MAXN * MAXN];
  snReal mat[MAXN * MAXN], dense[MAXN * MAXN], vec[MAXN], a[MAXN], b[MAXN];
  randomSparse(mat, nr, nc, rownnz, rowadr, colind);
  snu_sparse2dense(dense, mat, nr, nc, rownnz, rowadr, colind);
  randomVector(vec, MAXN);
  sn_mulMatVecSparse(a, mat, vec, nr, rownnz, rowadr, colind);
  snu_mulMatVec(b, dense, vec, nr, nc);
  assert_true(worstDifference(a, b, nr) < 1e-14);
  sn_mulMatTVecSparse(a, mat, vec, nr, nc, rownnz, rowadr, colind);
  snu_mulMatTVec(b, dense, vec, nr, nc);
  assert_true(worstDifference(a, b, nc) < 1e-14);
}

static void sparseVectorsCombine(void** state) {
  (void)state;
  snReal dst[8] = {1, 2, 3}, src[3] = {10, 20, 30};
  int dind[8] = {1, 4, 6}, sind[3] = {0, 4, 7};
  assert_int_equal(sn_combineSparse(dst, dind, 3, 2, src, sind, 3, 1), 5);
  snReal expected[5] = {10, 2, 24, 6, 30};
  int columns[5] = {0, 1, 4, 6, 7};
  for (int i = 0; i < 5; i++) {
    assert_close(dst[i], expected[i], 0);
    assert_int_equal(dind[i], columns[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rotationsCompose),
      cmocka_unit_test(quaternionDifferenceUndoesIntegration),
      cmocka_unit_test(crossProductsAreDual),
      cmocka_unit_test(kineticEnergyOfInertia),
      cmocka_unit_test(fourBodiesHaveTheBitsOfOne),
      cmocka_unit_test(framesAreOrthonormal),
      cmocka_unit_test(choleskyMatchesReference),
      cmocka_unit_test(choleskyReportsIndefinite),
      cmocka_unit_test(choleskyUpdateMatchesFactor),
      cmocka_unit_test(treeOfOneHinge),
      cmocka_unit_test(treeOfTwoLinks),
      cmocka_unit_test(treeOfTwoChildren),
      cmocka_unit_test(treeOfBallJoints),
      cmocka_unit_test(treeOfAFreeBodyWithChain),
      cmocka_unit_test(treeOfBranchesAndSeparateTrees),
      cmocka_unit_test(treeIndexListTouchesItsRowsOnly),
      cmocka_unit_test(luMatchesReference),
      cmocka_unit_test(sparseLuMatchesReference),
      cmocka_unit_test(sparseProductsMatchDense),
      cmocka_unit_test(sparseVectorsCombine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
