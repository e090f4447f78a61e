// Sparse vectors and CSR matrices.
//
// A matrix is (values, rownnz, rowadr, colind): row r has rownnz[r] entries that begin at
// rowadr[r], columns ascending. Rows need not be adjacent. Sums follow the canonical order of
// math/vec.h.

#ifndef SINEW_MATH_SPARSE_H_
#define SINEW_MATH_SPARSE_H_

#include "base/assert.h"
#include "math/vec.h"

SN_EXTERN_C_BEGIN

// inner product of a sparse and a dense vector
SN_INLINE snReal sn_dotSparse(const snReal* val, const int* ind, int nnz, const snReal* vec) {
  snReal s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 4 <= nnz; i += 4) {
    s0 += val[i] * vec[ind[i]];
    s1 += val[i + 1] * vec[ind[i + 1]];
    s2 += val[i + 2] * vec[ind[i + 2]];
    s3 += val[i + 3] * vec[ind[i + 3]];
  }
  snReal sum = (s0 + s2) + (s1 + s3);
  for (; i < nnz; i++) sum += val[i] * vec[ind[i]];
  return sum;
}

// vec += sparse * scl
SN_INLINE void sn_addToSclSparse(snReal* vec, const snReal* val, const int* ind, int nnz,
                                 snReal scl) {
  for (int i = 0; i < nnz; i++) vec[ind[i]] += val[i] * scl;
}

// position of the first entry of an ascending list that is not less than value, at most n - 1
SN_INLINE int sn_findIndex(const int* list, int n, int value) {
  SN_ASSERT(n > 0);
  int low = 0, high = n - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (list[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// res = mat * vec.
SN_FN void sn_mulMatVecSparse(snReal* res, const snReal* mat, const snReal* vec, int nr,
                              const int* rownnz, const int* rowadr, const int* colind);

// res = mat' * vec (nc entries); rows with an exactly zero multiplier are skipped.
SN_FN void sn_mulMatTVecSparse(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc,
                               const int* rownnz, const int* rowadr, const int* colind);

// dst = a dst + b src on the union of the patterns, in place; ind and val of dst have room for the
// union. Returns its size.
SN_FN int sn_combineSparse(snReal* dst, int* dst_ind, int dst_nnz, snReal a, const snReal* src,
                           const int* src_ind, int src_nnz, snReal b);

SN_EXTERN_C_END

#endif  // SINEW_MATH_SPARSE_H_
