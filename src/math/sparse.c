#include "math/sparse.h"

// returns 1 when nnz entries are not enough: what fits is written
int snu_dense2sparse(snReal* res, const snReal* mat, int nr, int nc, int* rownnz, int* rowadr,
                     int* colind, int nnz) {
  if (nnz <= 0) return 1;
  int at = 0;
  for (int r = 0; r < nr; r++) {
    rownnz[r] = 0;
    rowadr[r] = at;
    for (int c = 0; c < nc; c++) {
      snReal value = mat[(size_t)r * nc + c];
      if (value == 0) continue;
      if (at >= nnz) return 1;
      rownnz[r]++;
      colind[at] = c;
      res[at++] = value;
    }
  }
  return 0;
}

void snu_sparse2dense(snReal* res, const snReal* mat, int nr, int nc, const int* rownnz,
                      const int* rowadr, const int* colind) {
  for (int r = 0; r < nr; r++) {
    snReal* row = res + (size_t)r * nc;
    snu_zero(row, nc);
    for (int k = 0; k < rownnz[r]; k++) row[colind[rowadr[r] + k]] = mat[rowadr[r] + k];
  }
}

snReal sn_dotSparse2(const snReal* val1, const int* ind1, int nnz1, const snReal* val2,
                     const int* ind2, int nnz2) {
  snReal sum = 0;
  int i = 0, j = 0;
  while (i < nnz1 && j < nnz2) {
    if (ind1[i] == ind2[j]) {
      sum += val1[i++] * val2[j++];
    } else if (ind1[i] < ind2[j]) {
      i++;
    } else {
      j++;
    }
  }
  return sum;
}

void sn_mulMatVecSparse(snReal* res, const snReal* mat, const snReal* vec, int nr,
                        const int* rownnz, const int* rowadr, const int* colind) {
  for (int r = 0; r < nr; r++) {
    res[r] = sn_dotSparse(mat + rowadr[r], colind + rowadr[r], rownnz[r], vec);
  }
}

void sn_mulMatTVecSparse(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc,
                         const int* rownnz, const int* rowadr, const int* colind) {
  snu_zero(res, nc);
  for (int r = 0; r < nr; r++) {
    if (vec[r] == 0) continue;
    sn_addToSclSparse(res, mat + rowadr[r], colind + rowadr[r], rownnz[r], vec[r]);
  }
}

void sn_mulSymVecSparse(snReal* res, const snReal* mat, const snReal* vec, int n, const int* rownnz,
                        const int* rowadr, const int* colind) {
  for (int r = 0; r < n; r++) {
    const snReal* row = mat + rowadr[r];
    const int* col = colind + rowadr[r];
    int diagonal = rownnz[r] - 1;
    snReal sum = row[diagonal] * vec[r], vec_r = vec[r];
    for (int k = 0; k < diagonal; k++) {
      sum += row[k] * vec[col[k]];
      res[col[k]] += row[k] * vec_r;
    }
    res[r] = sum;
  }
}

int sn_mergeIndices(int* dst, const int* ind1, int n1, const int* ind2, int n2) {
  int i = 0, j = 0, n = 0;
  while (i < n1 && j < n2) {
    int a = ind1[i], b = ind2[j];
    dst[n++] = a <= b ? a : b;
    i += a <= b;
    j += b <= a;
  }
  while (i < n1) dst[n++] = ind1[i++];
  while (j < n2) dst[n++] = ind2[j++];
  return n;
}

int sn_combineSparse(snReal* dst, int* dst_ind, int dst_nnz, snReal a, const snReal* src,
                     const int* src_ind, int src_nnz, snReal b) {
  // size of the union
  int n = dst_nnz + src_nnz;
  for (int i = 0, j = 0; i < dst_nnz && j < src_nnz;) {
    if (dst_ind[i] == src_ind[j]) n--;
    int step = dst_ind[i] <= src_ind[j];
    j += src_ind[j] <= dst_ind[i];
    i += step;
  }

  // merge from the end, so that no entry is overwritten before it is read
  int i = dst_nnz - 1, j = src_nnz - 1;
  for (int k = n - 1; k >= 0; k--) {
    if (j < 0 || (i >= 0 && dst_ind[i] > src_ind[j])) {
      dst[k] = a * dst[i];
      dst_ind[k] = dst_ind[i--];
    } else if (i < 0 || dst_ind[i] < src_ind[j]) {
      dst[k] = b * src[j];
      dst_ind[k] = src_ind[j--];
    } else {
      dst[k] = a * dst[i--] + b * src[j];
      dst_ind[k] = src_ind[j--];
    }
  }
  return n;
}

void sn_transposeSparse(snReal* res, const snReal* mat, int nr, int nc, int* res_rownnz,
                        int* res_rowadr, int* res_colind, const int* rownnz, const int* rowadr,
                        const int* colind) {
  for (int c = 0; c < nc; c++) res_rownnz[c] = 0;
  for (int r = 0; r < nr; r++) {
    for (int k = 0; k < rownnz[r]; k++) res_rownnz[colind[rowadr[r] + k]]++;
  }
  for (int c = 0, at = 0; c < nc; c++) {
    res_rowadr[c] = at;
    at += res_rownnz[c];
    res_rownnz[c] = 0;
  }
  for (int r = 0; r < nr; r++) {
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) {
      int c = colind[k];
      int at = res_rowadr[c] + res_rownnz[c]++;
      res_colind[at] = r;
      if (res) res[at] = mat[k];
    }
  }
}

int sn_compressSparse(snReal* mat, int nr, int* rownnz, int* rowadr, int* colind, snReal minval) {
  int at = 0;
  for (int r = 0; r < nr; r++) {
    int start = at, from = rowadr[r];
    for (int k = from; k < from + rownnz[r]; k++) {
      if (minval >= 0 && snu_abs(mat[k]) <= minval) continue;
      mat[at] = mat[k];
      colind[at++] = colind[k];
    }
    rowadr[r] = start;
    rownnz[r] = at - start;
  }
  return at;
}

void sn_superSparse(int* rowsuper, int nr, const int* rownnz, const int* rowadr,
                    const int* colind) {
  if (nr > 0) rowsuper[nr - 1] = 0;
  for (int r = nr - 2; r >= 0; r--) {
    int same = rownnz[r] == rownnz[r + 1];
    for (int k = 0; same && k < rownnz[r]; k++) {
      same = colind[rowadr[r] + k] == colind[rowadr[r + 1] + k];
    }
    rowsuper[r] = same ? rowsuper[r + 1] + 1 : 0;
  }
}

void sn_addSqrMatTDSparse(snReal* res, const snReal* mat, const snReal* diag, int nr,
                          const int* rownnz, const int* rowadr, const int* colind,
                          const int* res_rownnz, const int* res_rowadr, const int* res_colind) {
  for (int r = 0; r < nr; r++) {
    if (diag && diag[r] == 0) continue;
    const snReal* row = mat + rowadr[r];
    const int* col = colind + rowadr[r];
    for (int i = 0; i < rownnz[r]; i++) {
      if (row[i] == 0) continue;
      snReal factor = diag ? row[i] * diag[r] : row[i];
      snReal* target = res + res_rowadr[col[i]];
      const int* targetCol = res_colind + res_rowadr[col[i]];
      int width = res_rownnz[col[i]];
      for (int j = 0, q = 0; j <= i && q < width; j++) {
        while (targetCol[q] != col[j]) q++;
        target[q] += row[j] * factor;
      }
    }
  }
}
