// Dense Cholesky: factor, solve, rank-one change.

#include "math/decomp.h"
#include "math/vec.h"

int snu_cholFactor(snReal* mat, int n, snReal mindiag) {
  int rank = n;
  for (int j = 0; j < n; j++) {
    snReal* rowj = mat + (size_t)j * n;
    snReal pivot = rowj[j];
    if (j) pivot -= snu_dot(rowj, rowj, j);
    if (pivot < mindiag) {
      pivot = mindiag;
      rank--;
    }
    rowj[j] = snu_sqrt(pivot);
    snReal inverse = 1 / rowj[j];
    for (int i = j + 1; i < n; i++) {
      snReal* rowi = mat + (size_t)i * n;
      rowi[j] = (rowi[j] - snu_dot(rowi, rowj, j)) * inverse;
    }
  }
  return rank;
}

void snu_cholSolve(snReal* res, const snReal* mat, const snReal* vec, int n) {
  if (res != vec) snu_copy(res, vec, n);
  for (int i = 0; i < n; i++) {
    const snReal* row = mat + (size_t)i * n;
    if (i) res[i] -= snu_dot(row, res, i);
    res[i] /= row[i];
  }
  for (int i = n - 1; i >= 0; i--) {
    // column of L below the diagonal
    for (int j = i + 1; j < n; j++) res[i] -= mat[(size_t)j * n + i] * res[j];
    res[i] /= mat[(size_t)i * n + i];
  }
}

int snu_cholUpdate(snReal* mat, snReal* x, int n, int flg_plus) {
  int rank = n;
  snReal sign = flg_plus ? (snReal)1 : (snReal)-1;
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) continue;
    snReal diagonal = mat[(size_t)k * n + k];
    snReal t = diagonal * diagonal + sign * (x[k] * x[k]);
    if (t < (snReal)snMINVAL) {
      t = (snReal)snMINVAL;
      rank--;
    }
    snReal r = snu_sqrt(t);
    snReal c = r / diagonal;
    snReal cinv = 1 / c;
    snReal s = x[k] / diagonal;
    mat[(size_t)k * n + k] = r;
    for (int i = k + 1; i < n; i++) {
      snReal* entry = mat + (size_t)i * n + k;
      *entry = (*entry + sign * (s * x[i])) * cinv;
      x[i] = c * x[i] - s * *entry;
    }
  }
  return rank;
}
