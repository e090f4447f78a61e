// Many right-hand sides at a time: X is n x m by rows, one column per right-hand side, so that every
// inner loop runs over all of them.

#include "base/assert.h"
#include "math/decomp.h"
#include "math/pattern.h"
#include "math/vec.h"

// y -= scale x, y *= scale over m columns
static inline void subScaled(snReal* SN_RESTRICT y, const snReal* SN_RESTRICT x, snReal scale,
                             int m) {
  for (int c = 0; c < m; c++) y[c] -= scale * x[c];
}

static inline void scaleRow(snReal* y, snReal scale, int m) {
  for (int c = 0; c < m; c++) y[c] *= scale;
}

SN_WIDE(, void, sn_cholSolveRows, (snReal * X, const snReal* L, int n, int m), (X, L, n, m)) {
  SN_ASSERT(n >= 0 && m >= 0);
  for (int i = 0; i < n; i++) {
    const snReal* row = L + (size_t)i * n;
    snReal* xi = X + (size_t)i * m;
    for (int j = 0; j < i; j++) {
      if (row[j] != 0) subScaled(xi, X + (size_t)j * m, row[j], m);
    }
    scaleRow(xi, 1 / row[i], m);
  }
  for (int i = n - 1; i >= 0; i--) {
    const snReal* row = L + (size_t)i * n;
    snReal* xi = X + (size_t)i * m;
    scaleRow(xi, 1 / row[i], m);
    for (int j = 0; j < i; j++) {
      if (row[j] != 0) subScaled(X + (size_t)j * m, xi, row[j], m);
    }
  }
}

SN_WIDE(, void, sn_solveTreeRows,
        (snReal * X, const snReal* LD, const snReal* LDiagInv, int n, int m, const int* rownnz,
         const int* rowadr, const int* colind),
        (X, LD, LDiagInv, n, m, rownnz, rowadr, colind)) {
  SN_ASSERT(sn_isTree(n, rownnz, rowadr, colind, NULL));
  for (int i = n - 1; i >= 0; i--) {
    const snReal *row = LD + rowadr[i], *xi = X + (size_t)i * m;
    const int* col = colind + rowadr[i];
    for (int p = 0; p < rownnz[i] - 1; p++) subScaled(X + (size_t)col[p] * m, xi, row[p], m);
  }
  for (int i = 0; i < n; i++) {
    const snReal* row = LD + rowadr[i];
    const int* col = colind + rowadr[i];
    snReal* xi = X + (size_t)i * m;
    scaleRow(xi, LDiagInv[i], m);
    for (int p = 0; p < rownnz[i] - 1; p++) subScaled(xi, X + (size_t)col[p] * m, row[p], m);
  }
}

SN_WIDE(, void, sn_solveLUSparseRows,
        (snReal * X, const snReal* LU, int n, int m, const int* rownnz, const int* rowadr,
         const int* colind, const int* diag),
        (X, LU, n, m, rownnz, rowadr, colind, diag)) {
  SN_ASSERT(sn_hasDiagonals(n, rownnz, rowadr, colind, diag));
  for (int i = n - 1; i >= 0; i--) {
    const snReal* row = LU + rowadr[i];
    const int* col = colind + rowadr[i];
    snReal* xi = X + (size_t)i * m;
    for (int k = diag[i] + 1; k < rownnz[i]; k++) {
      subScaled(xi, X + (size_t)col[k] * m, row[k], m);
    }
  }
  for (int i = 0; i < n; i++) {
    const snReal* row = LU + rowadr[i];
    const int* col = colind + rowadr[i];
    snReal* xi = X + (size_t)i * m;
    for (int k = 0; k < diag[i]; k++) subScaled(xi, X + (size_t)col[k] * m, row[k], m);
    scaleRow(xi, 1 / row[diag[i]], m);
  }
}

SN_WIDE(, void, sn_mulSymRows,
        (snReal * SN_RESTRICT Y, const snReal* M, const snReal* SN_RESTRICT X, int n, int m,
         const int* rownnz, const int* rowadr, const int* colind),
        (Y, M, X, n, m, rownnz, rowadr, colind)) {
  SN_ASSERT(X != Y && sn_isTree(n, rownnz, rowadr, colind, NULL));
  for (int i = 0; i < n; i++) {
    const snReal *row = M + rowadr[i], *xi = X + (size_t)i * m;
    const int* col = colind + rowadr[i];
    snReal* yi = Y + (size_t)i * m;
    int last = rownnz[i] - 1;
    for (int c = 0; c < m; c++) yi[c] = row[last] * xi[c];
    for (int p = 0; p < last; p++) {
      subScaled(yi, X + (size_t)col[p] * m, -row[p], m);
      subScaled(Y + (size_t)col[p] * m, xi, -row[p], m);
    }
  }
}
