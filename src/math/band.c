// Band-plus-dense symmetric matrices: the first ntotal-ndense rows store the nband entries up to
// and including their diagonal, the last ndense rows are stored over the full width ntotal.

#include "base/assert.h"
#include "math/vec.h"

int snu_bandDiag(int i, int ntotal, int nband, int ndense) {
  SN_ASSERT(i >= 0 && i < ntotal && ndense <= ntotal);
  int nsparse = ntotal - ndense;
  return i < nsparse ? i * nband + nband - 1 : nsparse * nband + (i - nsparse) * ntotal + i;
}

// first stored column of row i
static int firstColumn(int i, int nsparse, int nband) {
  SN_ASSERT(i >= 0);
  if (i >= nsparse) return 0;
  int first = i - nband + 1;
  return first > 0 ? first : 0;
}

// L(i,j) = (A(i,j) - sum_k<j L(i,k) L(j,k)) / L(j,j)
static void eliminateEntry(snReal* mat, int i, int j, int ntotal, int nband, int ndense,
                           snReal inverse) {
  SN_ASSERT(j < i && i < ntotal && ndense <= ntotal && nband > 0);
  int nsparse = ntotal - ndense;
  snReal* rowi = mat + snu_bandDiag(i, ntotal, nband, ndense) - i;
  const snReal* rowj = mat + snu_bandDiag(j, ntotal, nband, ndense) - j;
  int firsti = firstColumn(i, nsparse, nband), firstj = firstColumn(j, nsparse, nband);
  int first = firsti > firstj ? firsti : firstj;
  rowi[j] = (rowi[j] - snu_dot(rowi + first, rowj + first, j - first)) * inverse;
}

snReal snu_cholFactorBand(snReal* mat, int ntotal, int nband, int ndense, snReal diagadd,
                          snReal diagmul) {
  int nsparse = ntotal - ndense;
  snReal mindiag = -1;
  for (int j = 0; j < ntotal; j++) {
    // row pointers are shifted so that row[c] is the entry of column c
    snReal* rowj = mat + snu_bandDiag(j, ntotal, nband, ndense) - j;
    int firstj = firstColumn(j, nsparse, nband);
    rowj[j] += diagadd + diagmul * rowj[j];
    snReal pivot = rowj[j] - snu_dot(rowj + firstj, rowj + firstj, j - firstj);
    if (pivot < (snReal)snMINVAL) return 0;
    if (mindiag < 0 || pivot < mindiag) mindiag = pivot;
    snReal inverse = 1 / snu_sqrt(pivot);
    rowj[j] = snu_sqrt(pivot);

    int lastBand = j + nband < nsparse ? j + nband : nsparse;
    for (int i = j + 1; i < lastBand; i++)
      eliminateEntry(mat, i, j, ntotal, nband, ndense, inverse);
    for (int i = j + 1 > nsparse ? j + 1 : nsparse; i < ntotal; i++) {
      eliminateEntry(mat, i, j, ntotal, nband, ndense, inverse);
    }
  }
  return mindiag;
}

void snu_cholSolveBand(snReal* res, const snReal* mat, const snReal* vec, int ntotal, int nband,
                       int ndense) {
  int nsparse = ntotal - ndense;
  if (res != vec) snu_copy(res, vec, ntotal);
  for (int i = 0; i < ntotal; i++) {
    const snReal* row = mat + snu_bandDiag(i, ntotal, nband, ndense) - i;
    int first = firstColumn(i, nsparse, nband);
    res[i] = (res[i] - snu_dot(row + first, res + first, i - first)) / row[i];
  }
  for (int i = ntotal - 1; i >= 0; i--) {
    const snReal* row = mat + snu_bandDiag(i, ntotal, nband, ndense) - i;
    res[i] /= row[i];
    for (int j = firstColumn(i, nsparse, nband); j < i; j++) res[j] -= row[j] * res[i];
  }
}

void snu_band2Dense(snReal* res, const snReal* mat, int ntotal, int nband, int ndense,
                    snByte flg_sym) {
  int nsparse = ntotal - ndense;
  for (int i = 0; i < ntotal; i++) snu_zero(res + (size_t)i * ntotal, ntotal);
  for (int i = 0; i < ntotal; i++) {
    const snReal* row = mat + snu_bandDiag(i, ntotal, nband, ndense) - i;
    for (int j = firstColumn(i, nsparse, nband); j <= i; j++) {
      res[(size_t)i * ntotal + j] = row[j];
      if (flg_sym) res[(size_t)j * ntotal + i] = row[j];
    }
  }
}

void snu_dense2Band(snReal* res, const snReal* mat, int ntotal, int nband, int ndense) {
  int nsparse = ntotal - ndense;
  for (int i = 0; i < ntotal; i++) {
    int diagonal = snu_bandDiag(i, ntotal, nband, ndense);
    int width = i < nsparse ? nband : i + 1;
    for (int k = 0; k < width; k++) {
      int j = i - width + 1 + k;
      res[diagonal - width + 1 + k] = j < 0 ? 0 : mat[(size_t)i * ntotal + j];
    }
  }
}

void snu_bandMulMatVec(snReal* res, const snReal* mat, const snReal* vec, int ntotal, int nband,
                       int ndense, int nvec, snByte flg_sym) {
  int nsparse = ntotal - ndense;
  for (int v = 0; v < nvec; v++) {
    const snReal* x = vec + (size_t)v * ntotal;
    snReal* y = res + (size_t)v * ntotal;
    for (int i = 0; i < ntotal; i++) {
      const snReal* row = mat + snu_bandDiag(i, ntotal, nband, ndense) - i;
      int first = firstColumn(i, nsparse, nband);
      y[i] = snu_dot(row + first, x + first, i + 1 - first);
      if (!flg_sym) continue;
      for (int j = first; j < i; j++) y[j] += row[j] * x[i];
    }
  }
}
