// LU factorisations: dense with partial pivoting, sparse without fill.

#include "base/assert.h"
#include "math/decomp.h"
#include "math/pattern.h"
#include "math/sparse.h"
#include "math/vec.h"

int sn_luFactor(snReal* mat, int* pivot, int n) {
  SN_ASSERT(n >= 0 && (n == 0 || (mat && pivot)));
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (snu_abs(mat[(size_t)i * n + k]) > snu_abs(mat[(size_t)best * n + k])) best = i;
    }
    pivot[k] = best;
    if (!(snu_abs(mat[(size_t)best * n + k]) >= (snReal)snMINVAL)) return 0;
    if (best != k) {
      for (int j = 0; j < n; j++) {
        snReal x = mat[(size_t)k * n + j];
        mat[(size_t)k * n + j] = mat[(size_t)best * n + j];
        mat[(size_t)best * n + j] = x;
      }
    }
    const snReal* rowk = mat + (size_t)k * n;
    snReal inverse = 1 / rowk[k];
    for (int i = k + 1; i < n; i++) {
      snReal* rowi = mat + (size_t)i * n;
      if (rowi[k] == 0) continue;
      rowi[k] *= inverse;
      for (int j = k + 1; j < n; j++) rowi[j] -= rowi[k] * rowk[j];
    }
  }
  return 1;
}

void sn_luSolve(snReal* x, const snReal* lu, const int* pivot, int n) {
  for (int k = 0; k < n; k++) {
    snReal y = x[pivot[k]];
    SN_ASSERT(pivot[k] >= k && pivot[k] < n);
    x[pivot[k]] = x[k];
    x[k] = y;
  }
  for (int i = 1; i < n; i++) x[i] -= snu_dot(lu + (size_t)i * n, x, i);
  for (int i = n - 1; i >= 0; i--) {
    const snReal* row = lu + (size_t)i * n;
    x[i] = (x[i] - snu_dot(row + i + 1, x + i + 1, n - 1 - i)) / row[i];
  }
}

int sn_factorLUSparse(snReal* LU, int n, const int* rownnz, const int* rowadr, const int* colind,
                      const int* diag) {
  SN_ASSERT(sn_isPattern(n, n, rownnz, rowadr, colind));
  SN_ASSERT(sn_hasDiagonals(n, rownnz, rowadr, colind, diag));
  for (int i = n - 1; i >= 0; i--) {
    const snReal* rowi = LU + rowadr[i];
    const int* coli = colind + rowadr[i];
    int below = diag[i];
    // NaN is passed on: accelerations are checked later
    if (snu_abs(rowi[below]) < (snReal)snMINVAL) return 0;

    // the pattern is symmetric: rows above i with an entry in column i are i's own left columns
    SN_FOR(p, below) {
      int j = coli[p];
      snReal* rowj = LU + rowadr[j];
      const int* colj = colind + rowadr[j];
      int at = sn_findIndex(colj, rownnz[j], i);
      SN_ASSERT(colj[at] == i);  // the pattern is symmetric
      snReal factor = rowj[at] / rowi[below];
      rowj[at] = factor;

      // row j -= factor * row i, columns below i; row j has every column of row i
      for (int k = 0, q = 0; k < below; k++) {
        while (colj[q] != coli[k]) q++;
        SN_ASSERT(q < rownnz[j]);
        rowj[q] -= rowi[k] * factor;
      }
    }
    SN_SYNC();
  }
  return 1;
}

void sn_solveLUSparse(snReal* res, const snReal* LU, const snReal* vec, int n, const int* rownnz,
                      const int* rowadr, const int* colind, const int* diag) {
  SN_ASSERT(sn_hasDiagonals(n, rownnz, rowadr, colind, diag));
  if (res != vec) snu_copy(res, vec, n);

  // (U + I) y = b
  for (int i = n - 1; i >= 0; i--) {
    const snReal* row = LU + rowadr[i];
    const int* col = colind + rowadr[i];
    snReal x = res[i];
    for (int k = diag[i] + 1; k < rownnz[i]; k++) x -= row[k] * res[col[k]];
    res[i] = x;
  }

  // L x = y
  for (int i = 0; i < n; i++) {
    const snReal* row = LU + rowadr[i];
    const int* col = colind + rowadr[i];
    snReal x = res[i];
    for (int k = 0; k < diag[i]; k++) x -= row[k] * res[col[k]];
    res[i] = x / row[diag[i]];
  }
}
