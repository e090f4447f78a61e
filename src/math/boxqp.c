// Box-constrained quadratic program by projected Newton steps.
//
// Tassa, Mansard, Todorov, "Control-limited differential dynamic programming", 2014: clamp what the
// gradient pushes against its bound, take a Newton step on the rest, search along the projected
// arc.

#include "base/assert.h"
#include "math/vec.h"

enum { MAX_ITERATIONS = 100 };
#define MIN_GRADIENT ((snReal)1e-16)
#define BACKTRACK ((snReal)0.5)
#define MIN_STEP ((snReal)1e-22)
#define ARMIJO ((snReal)0.1)

// 0.5 x'Hx + x'g from the lower triangle of H
static snReal objective(const snReal* H, const snReal* g, const snReal* x, int n) {
  snReal value = 0;
  for (int i = 0; i < n; i++) {
    const snReal* row = H + (size_t)i * n;
    value += x[i] * (g[i] + (snReal)0.5 * row[i] * x[i] + snu_dot(row, x, i));
  }
  return value;
}

// gradient g + Hx from the lower triangle of H
static void gradient(snReal* grad, const snReal* H, const snReal* g, const snReal* x, int n) {
  for (int i = 0; i < n; i++) {
    const snReal* row = H + (size_t)i * n;
    grad[i] = g[i] + snu_dot(row, x, i + 1);
    for (int j = 0; j < i; j++) grad[j] += row[j] * x[i];
  }
}

static snReal clampTo(snReal x, const snReal* lower, const snReal* upper, int i) {
  if (lower && x < lower[i]) return lower[i];
  if (upper && x > upper[i]) return upper[i];
  return x;
}

// list the coordinates that are not held at a bound by the gradient; returns their number
static int findFree(int* list, int* changed, snReal* clamped, const snReal* x, const snReal* grad,
                    const snReal* lower, const snReal* upper, int n) {
  int nfree = 0;
  *changed = 0;
  for (int i = 0; i < n; i++) {
    int held =
        (lower && x[i] == lower[i] && grad[i] > 0) || (upper && x[i] == upper[i] && grad[i] < 0);
    if ((clamped[i] != 0) != held) *changed = 1;
    clamped[i] = held;
    if (!held) list[nfree++] = i;
  }
  return nfree;
}

// Cholesky factor of the block of H that belongs to the free coordinates; returns 0 when it is not positive definite
static int factorFree(snReal* R, const snReal* H, const int* list, int nfree, int n) {
  for (int i = 0; i < nfree; i++) {
    for (int j = 0; j <= i; j++) R[i * nfree + j] = H[(size_t)list[i] * n + list[j]];
  }
  return snu_cholFactor(R, nfree, (snReal)snMINVAL) == nfree;
}

// Newton step of the free coordinates; part: scratch
static void newtonStep(snReal* search, snReal* part, const snReal* R, const snReal* grad,
                       const int* list, int nfree, int n) {
  for (int i = 0; i < nfree; i++) part[i] = -grad[list[i]];
  snu_cholSolve(part, R, part, nfree);
  snu_zero(search, n);
  for (int i = 0; i < nfree; i++) search[list[i]] = part[i];
}

int snu_boxQP(snReal* res, snReal* R, int* index, const snReal* H, const snReal* g, int n,
              const snReal* lower, const snReal* upper) {
  // R has n*(n+7) entries: the factor, then six work vectors, then the index list
  snReal* grad = R + (size_t)n * n;
  snReal* search = grad + n;
  snReal* candidate = search + n;
  snReal* clamped = candidate + n;
  snReal* part = clamped + n;
  int* list = (int*)(part + n);
  int nfree = n, factored = -1;
  for (int i = 0; i < n; i++) {
    res[i] = clampTo(res[i], lower, upper, i);
    clamped[i] = 0;
  }
  snReal value = objective(H, g, res, n), old = 0;

  for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    if (iteration && old - value < MIN_GRADIENT) break;
    old = value;
    gradient(grad, H, g, res, n);
    int changed;
    nfree = findFree(list, &changed, clamped, res, grad, lower, upper, n);
    if (!nfree) break;
    if (changed || factored < 0) {
      if (!factorFree(R, H, list, nfree, n)) return -1;
      factored = nfree;
    }

    snReal norm = 0;
    for (int i = 0; i < nfree; i++) norm += grad[list[i]] * grad[list[i]];
    if (norm < MIN_GRADIENT * MIN_GRADIENT) break;

    SN_ASSERT(factored == nfree);  // the free block has not changed since, or was factored again
    newtonStep(search, part, R, grad, list, nfree, n);
    snReal slope = snu_dot(search, grad, n);
    if (slope >= 0) break;

    // backtracking along the projected arc
    snReal step = 1, trial;
    for (;;) {
      for (int i = 0; i < n; i++) {
        candidate[i] = clampTo(res[i] + step * search[i], lower, upper, i);
      }
      trial = objective(H, g, candidate, n);
      if ((trial - old) / (step * slope) >= ARMIJO) break;
      step *= BACKTRACK;
      if (step < MIN_STEP) break;
    }
    if (step < MIN_STEP) break;
    snu_copy(res, candidate, n);
    value = trial;
  }

  if (index) {
    for (int i = 0; i < nfree; i++) index[i] = list[i];
  }
  return nfree;
}

void snu_boxQPmalloc(snReal** res, snReal** R, int** index, snReal** H, snReal** g, int n,
                     snReal** lower, snReal** upper) {
  size_t real = sizeof(snReal), size = (size_t)n;
  *res = (snReal*)snu_malloc(size * real);
  *R = (snReal*)snu_malloc(size * (size + 7) * real);
  *H = (snReal*)snu_malloc(size * size * real);
  *g = (snReal*)snu_malloc(size * real);
  if (index) *index = (int*)snu_malloc(size * sizeof(int));
  if (lower) *lower = (snReal*)snu_malloc(size * real);
  if (upper) *upper = (snReal*)snu_malloc(size * real);
}
