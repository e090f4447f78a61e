// Sparse reverse Cholesky A = L'L, rows eliminated last to first.
//
// Elimination tree: the parent of row r is the largest column left of its diagonal in L. Entry
// (r,c) of L is structurally non-zero iff r lies on the path towards c from some k > c with A(k,c)
// != 0.

#include "math/decomp.h"
#include "math/vec.h"

int sn_cholCountSparse(int* L_rownnz, int* parent, int* marker, int n, const int* up_rownnz,
                       const int* up_rowadr, const int* up_colind) {
  int total = n;
  for (int r = 0; r < n; r++) {
    L_rownnz[r] = 1;
    parent[r] = -1;
    marker[r] = -1;
  }
  for (int c = n - 1; c >= 0; c--) {
    marker[c] = c;
    for (int p = 0; p < up_rownnz[c]; p++) {
      int r = up_colind[up_rowadr[c] + p];
      while (r > c && marker[r] != c) {
        marker[r] = c;
        L_rownnz[r]++;
        total++;
        if (parent[r] < 0) parent[r] = c;
        r = parent[r];
      }
    }
  }
  return total;
}

void sn_cholPatternSparse(int* L_colind, const int* L_rownnz, const int* L_rowadr,
                          const int* parent, int* marker, int n, const int* up_rownnz,
                          const int* up_rowadr, const int* up_colind) {
  // columns come in descending order: each row is filled from its end, and the slot of its first
  // entry keeps the number of entries that are still to come
  for (int r = 0; r < n; r++) {
    marker[r] = -1;
    L_colind[L_rowadr[r]] = L_rownnz[r] - 1;
    if (L_rownnz[r] > 1) L_colind[L_rowadr[r] + L_rownnz[r] - 1] = r;
  }
  for (int c = n - 1; c >= 0; c--) {
    marker[c] = c;
    for (int p = 0; p < up_rownnz[c]; p++) {
      int r = up_colind[up_rowadr[c] + p];
      while (r > c && marker[r] != c) {
        marker[r] = c;
        int left = --L_colind[L_rowadr[r]];
        if (left > 0) {
          L_colind[L_rowadr[r] + left] = c;
        } else {
          L_colind[L_rowadr[r]] = c;
        }
        r = parent[r];
      }
    }
    if (L_rownnz[c] == 1) L_colind[L_rowadr[c]] = c;
  }
}

int sn_cholFactorSparse(snReal* mat, int n, snReal mindiag, const int* rownnz, const int* rowadr,
                        const int* colind) {
  int rank = n;
  for (int r = n - 1; r >= 0; r--) {
    snReal* row = mat + rowadr[r];
    const int* col = colind + rowadr[r];
    int diagonal = rownnz[r] - 1;
    snReal pivot = row[diagonal];
    if (pivot < mindiag) {
      pivot = mindiag;
      rank--;
    }
    row[diagonal] = snu_sqrt(pivot);
    snReal inverse = 1 / row[diagonal];
    for (int k = 0; k < diagonal; k++) row[k] *= inverse;

    // row c -= L(r,c) * row r, columns up to c
    for (int k = 0; k < diagonal; k++) {
      int c = col[k];
      snReal* rowc = mat + rowadr[c];
      const int* colc = colind + rowadr[c];
      snReal factor = row[k];
      if (rownnz[c] == k + 1) {
        for (int q = 0; q <= k; q++) rowc[q] -= factor * row[q];
        continue;
      }
      for (int p = 0, q = 0; p <= k; p++) {
        while (colc[q] != col[p]) q++;
        rowc[q] -= factor * row[p];
      }
    }
  }
  return rank;
}

void sn_cholSolveSparse(snReal* res, const snReal* mat, const snReal* vec, int n, const int* rownnz,
                        const int* rowadr, const int* colind) {
  if (res != vec) snu_copy(res, vec, n);

  // L' y = b
  for (int i = n - 1; i >= 0; i--) {
    if (res[i] == 0) continue;
    const snReal* row = mat + rowadr[i];
    const int* col = colind + rowadr[i];
    int diagonal = rownnz[i] - 1;
    snReal x = res[i] / row[diagonal];
    res[i] = x;
    for (int k = 0; k < diagonal; k++) res[col[k]] -= row[k] * x;
  }

  // L x = y
  for (int i = 0; i < n; i++) {
    const snReal* row = mat + rowadr[i];
    const int* col = colind + rowadr[i];
    int diagonal = rownnz[i] - 1;
    snReal x = res[i];
    for (int k = 0; k < diagonal; k++) x -= row[k] * res[col[k]];
    res[i] = x / row[diagonal];
  }
}

int sn_cholUpdateSparse(snReal* mat, const snReal* x_val, int x_nnz, const int* x_ind, int flg_plus,
                        snReal* dense, int n, const int* rownnz, const int* rowadr,
                        const int* colind) {
  int rank = n;
  snReal sign = flg_plus ? (snReal)1 : (snReal)-1;
  for (int k = 0; k < x_nnz; k++) dense[x_ind[k]] = x_val[k];

  // the touched rows are the path from x's last entry to the root of the elimination tree
  int r = x_nnz ? x_ind[x_nnz - 1] : -1;
  while (r >= 0) {
    snReal* row = mat + rowadr[r];
    const int* col = colind + rowadr[r];
    int diagonal = rownnz[r] - 1;
    snReal x = dense[r];
    dense[r] = 0;
    if (x != 0) {
      snReal d = row[diagonal];
      snReal t = d * d + sign * (x * x);
      if (t < (snReal)snMINVAL) {
        t = (snReal)snMINVAL;
        rank--;
      }
      snReal radius = snu_sqrt(t);
      snReal c = radius / d, cinv = d / radius, s = x / d;
      row[diagonal] = radius;
      for (int k = 0; k < diagonal; k++) {
        snReal old = dense[col[k]];
        row[k] = (row[k] + sign * (s * old)) * cinv;
        dense[col[k]] = c * old - s * row[k];
      }
    }
    r = diagonal > 0 ? col[diagonal - 1] : -1;
  }
  return rank;
}
