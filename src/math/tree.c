// L'DL on a kinematic tree.
//
// Row k holds dof k's ancestors and itself, columns ascending. The row of the ancestor at position
// p of row k has exactly the first p+1 columns of row k, so every update is a dense one.

#include "math/decomp.h"
#include "math/vec.h"

SN_WIDE void sn_factorTree(snReal* LD, snReal* LDiagInv, int n, const int* rownnz,
                           const int* rowadr, const int* colind, const int* index) {
  for (int r = n - 1; r >= 0; r--) {
    int k = index ? index[r] : r;
    int diagonal = rownnz[k] - 1;
    snReal* rowk = LD + rowadr[k];
    const int* colk = colind + rowadr[k];
    snReal inverse = 1 / rowk[diagonal];
    LDiagInv[k] = inverse;

    // row i -= L(k,i) * (unscaled row k), nearest ancestor first
    for (int p = diagonal - 1; p >= 0; p--) {
      snReal* SN_RESTRICT rowi = LD + rowadr[colk[p]];
      const snReal* SN_RESTRICT source = rowk;
      snReal factor = -(rowk[p] * inverse);
      for (int c = 0; c <= p; c++) rowi[c] += source[c] * factor;
    }
    for (int c = 0; c < diagonal; c++) rowk[c] *= inverse;
  }
}

void sn_solveTree(snReal* x, const snReal* LD, const snReal* LDiagInv, int n, int stride, int nvec,
                  const int* rownnz, const int* rowadr, const int* colind, const int* index) {
  for (int v = 0; v < nvec; v++) {
    snReal* SN_RESTRICT y = x + (size_t)v * stride;

    // y <- L^-T y
    for (int r = n - 1; r >= 0; r--) {
      int i = index ? index[r] : r;
      snReal yi = y[i];
      if (rownnz[i] == 1 || yi == 0) continue;
      const snReal* row = LD + rowadr[i];
      const int* col = colind + rowadr[i];
      for (int p = 0; p < rownnz[i] - 1; p++) y[col[p]] -= row[p] * yi;
    }

    // y <- L^-1 D^-1 y: ancestors come before their descendants
    for (int r = 0; r < n; r++) {
      int i = index ? index[r] : r;
      const snReal* row = LD + rowadr[i];
      const int* col = colind + rowadr[i];
      snReal yi = y[i] * LDiagInv[i];
      for (int p = 0; p < rownnz[i] - 1; p++) yi -= row[p] * y[col[p]];
      y[i] = yi;
    }
  }
}
