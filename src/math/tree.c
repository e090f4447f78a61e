// L'DL on a kinematic tree.
//
// Row k holds dof k's ancestors and itself, columns ascending. The row of the ancestor at position
// p of row k has exactly the first p+1 columns of row k, so every update is a dense one.

#include "math/decomp.h"
#include "math/vec.h"

// rows of a run: each is the parent of the one before it
enum { MAX_RUN = 4 };

// How many rows from position r downwards form a run. All other descendants of its rows are done.
static inline int runLength(int r, const int* rownnz, const int* rowadr, const int* colind,
                            const int* index) {
  int count = 1;
  for (; count < MAX_RUN && r - count >= 0; count++) {
    int k = index ? index[r - count + 1] : r - count + 1;
    int next = index ? index[r - count] : r - count;
    if (rownnz[k] < 2 || colind[rowadr[k] + rownnz[k] - 2] != next) break;
  }
  return count;
}

// target += sum of factor[i] row[i] over n columns, row by row: the same sums as one row at a time,
// with the target loaded and stored once
static inline void addRun(snReal* SN_RESTRICT target, int n, int count, const snReal* factor,
                          const snReal* const* row) {
  const snReal *SN_RESTRICT a = row[0], *SN_RESTRICT b = row[1];
  const snReal *SN_RESTRICT c = row[2], *SN_RESTRICT d = row[3];
  snReal f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
  switch (count) {
    case 4:
      for (int k = 0; k < n; k++) {
        target[k] = (((target[k] + a[k] * f0) + b[k] * f1) + c[k] * f2) + d[k] * f3;
      }
      break;
    case 3:
      for (int k = 0; k < n; k++) target[k] = ((target[k] + a[k] * f0) + b[k] * f1) + c[k] * f2;
      break;
    case 2:
      for (int k = 0; k < n; k++) target[k] = (target[k] + a[k] * f0) + b[k] * f1;
      break;
    default:
      for (int k = 0; k < n; k++) target[k] += a[k] * f0;
      break;
  }
}

SN_WIDE void sn_factorTree(snReal* LD, snReal* LDiagInv, int n, const int* rownnz,
                           const int* rowadr, const int* colind, const int* index) {
  snReal* row[MAX_RUN] = {LD, LD, LD, LD};
  snReal inverse[MAX_RUN], factor[MAX_RUN] = {0, 0, 0, 0};
  for (int r = n - 1, count; r >= 0; r -= count) {
    count = runLength(r, rownnz, rowadr, colind, index);
    int last = index ? index[r] : r;
    int outside = rownnz[last] - count;
    const int* col = colind + rowadr[last];

    // row i -= L(k,i) * (unscaled row k), nearest ancestor first; inside the run, then above it
    for (int j = 0; j < count; j++) {
      int k = index ? index[r - j] : r - j, diagonal = rownnz[k] - 1;
      row[j] = LD + rowadr[k];
      LDiagInv[k] = inverse[j] = 1 / row[j][diagonal];
      for (int p = diagonal - 1; p >= outside; p--) {
        snReal* SN_RESTRICT target = LD + rowadr[col[p]];
        const snReal* SN_RESTRICT source = row[j];
        snReal scale = -(source[p] * inverse[j]);
        for (int c = 0; c <= p; c++) target[c] += source[c] * scale;
      }
    }
    for (int p = outside - 1; p >= 0; p--) {
      for (int j = 0; j < count; j++) factor[j] = -(row[j][p] * inverse[j]);
      addRun(LD + rowadr[col[p]], p + 1, count, factor, (const snReal* const*)row);
    }
    for (int j = 0; j < count; j++) {
      int diagonal = outside + count - 1 - j;
      for (int c = 0; c < diagonal; c++) row[j][c] *= inverse[j];
    }
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
