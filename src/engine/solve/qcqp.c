// Small quadratic programs over an ellipsoid: friction of one contact with its normal force given.
//
// minimise 1/2 u' A u + u' b subject to sum (u_i / d_i)^2 <= r^2. In scaled variables w = u / d the
// set is a ball; the multiplier lambda >= 0 is found by Newton's method on |w(lambda)|^2 = r^2 with
// w = -(A + lambda I)^-1 b.

#include "base/assert.h"
#include "engine/solve/solver.h"
#include "math/math.h"

enum { MAX_ITERATIONS = 20 };
static const snReal SMALL = (snReal)1e-10;

// inverse of a symmetric matrix of up to 3x3 by cofactors; 0 when the determinant is small
SN_KERNEL int inverse1(snReal* P, const snReal* A) {
  if (A[0] < SMALL) return 0;
  P[0] = 1 / A[0];
  return 1;
}

SN_KERNEL int inverse2(snReal* P, const snReal* A) {
  snReal det = A[0] * A[3] - A[1] * A[1];
  if (det < SMALL) return 0;
  P[0] = A[3] / det;
  P[3] = A[0] / det;
  P[1] = P[2] = -A[1] / det;
  return 1;
}

SN_KERNEL int inverse3(snReal* P, const snReal* A) {
  P[0] = A[4] * A[8] - A[5] * A[5];
  P[4] = A[0] * A[8] - A[2] * A[2];
  P[8] = A[0] * A[4] - A[1] * A[1];
  P[1] = P[3] = A[2] * A[5] - A[1] * A[8];
  P[2] = P[6] = A[1] * A[5] - A[2] * A[4];
  P[5] = P[7] = A[1] * A[2] - A[0] * A[5];
  snReal det = A[0] * P[0] + A[1] * P[1] + A[2] * P[2];
  if (det < SMALL) return 0;
  for (int i = 0; i < 9; i++) P[i] /= det;
  return 1;
}

// Cholesky factor of n x n, n <= 5; 0 when a pivot is small
static int factorSmall(snReal* L, const snReal* A, int n) {
  for (int j = 0; j < n; j++) {
    snReal pivot = A[j * n + j] - snu_dot(L + j * n, L + j * n, j);
    if (pivot < SMALL) return 0;
    L[j * n + j] = snu_sqrt(pivot);
    for (int i = j + 1; i < n; i++) {
      L[i * n + j] = (A[i * n + j] - snu_dot(L + i * n, L + j * n, j)) / L[j * n + j];
    }
  }
  return 1;
}

static void solveSmall(snReal* x, const snReal* L, const snReal* b, int n) {
  for (int i = 0; i < n; i++) x[i] = (b[i] - snu_dot(L + i * n, x, i)) / L[i * n + i];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= L[j * n + i] * x[j];
    x[i] /= L[i * n + i];
  }
}

// decompose A + lambda I; 0 when it is not safely positive definite
SN_KERNEL int decompose(snReal* P, const snReal* A, snReal lambda, int n) {
  snReal shifted[25];
  for (int i = 0; i < n * n; i++) shifted[i] = A[i];
  for (int i = 0; i < n; i++) shifted[i * n + i] += lambda;
  switch (n) {
    case 1: return inverse1(P, shifted);
    case 2: return inverse2(P, shifted);
    case 3: return inverse3(P, shifted);
    default: return factorSmall(P, shifted, n);
  }
}

SN_KERNEL void apply(snReal* x, const snReal* P, const snReal* b, int n) {
  if (n > 3) {
    solveSmall(x, P, b, n);
    return;
  }
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    for (int j = 0; j < n; j++) x[i] += P[i * n + j] * b[j];
  }
}

SN_KERNEL int solveQCQP(snReal* u, const snReal* A, const snReal* b, const snReal* d, snReal r,
                        int n) {
  snReal scaled[25], bs[5], P[25], w[5] = {0, 0, 0, 0, 0}, Pw[5], lambda = 0;
  for (int i = 0; i < n; i++) {
    bs[i] = -b[i] * d[i];
    for (int j = 0; j < n; j++) scaled[i * n + j] = A[i * n + j] * d[i] * d[j];
  }
  for (int iter = 0; iter < MAX_ITERATIONS; iter++) {
    if (!decompose(P, scaled, lambda, n)) {
      for (int i = 0; i < n; i++) u[i] = 0;
      return 0;
    }
    apply(w, P, bs, n);
    snReal excess = snu_dot(w, w, n) - r * r;
    if (excess < SMALL) break;
    apply(Pw, P, w, n);
    snReal step = excess / (2 * snu_dot(w, Pw, n));
    if (step < SMALL) break;
    lambda += step;
  }
  for (int i = 0; i < n; i++) u[i] = w[i] * d[i];
  return lambda != 0;
}

// n is a compile-time constant, so that loops are unrolled.
int sn_solveQCQP(snReal* u, const snReal* A, const snReal* b, const snReal* d, snReal r, int n) {
  SN_ASSERT(n >= 1 && n <= 5);
  switch (n) {
    case 2: return solveQCQP(u, A, b, d, r, 2);
    case 3: return solveQCQP(u, A, b, d, r, 3);
    default: return solveQCQP(u, A, b, d, r, n);
  }
}
