// What sparse kernels take for granted of the patterns that they are given, checked in test builds.

#ifndef SINEW_MATH_PATTERN_H_
#define SINEW_MATH_PATTERN_H_

#include "base/assert.h"

#ifdef SN_ASSERTS

// an ascending list of n columns below width
static inline int sn_isAscending(const int* list, int n, int width) {
  for (int k = 0; k < n; k++) {
    if (list[k] < 0 || list[k] >= width || (k && list[k - 1] >= list[k])) return 0;
  }
  return 1;
}

// rows of ascending columns
static inline int sn_isPattern(int nr, int nc, const int* rownnz, const int* rowadr,
                               const int* colind) {
  for (int r = 0; r < nr; r++) {
    if (rownnz[r] < 0 || rowadr[r] < 0) return 0;
    if (!sn_isAscending(colind + rowadr[r], rownnz[r], nc)) return 0;
  }
  return 1;
}

// Rows of a tree: a row ends with its diagonal, and the row of the ancestor at position p has exactly
// the first p + 1 of its columns. index (NULL: all) lists n of the rows in ascending order.
static inline int sn_isTree(int n, const int* rownnz, const int* rowadr, const int* colind,
                            const int* index) {
  for (int r = 0; r < n; r++) {
    int k = index ? index[r] : r, last = rownnz[k] - 1;
    const int* col = colind + rowadr[k];
    if (index && r && index[r - 1] >= k) return 0;
    if (last < 0 || col[last] != k || !sn_isAscending(col, last, k)) return 0;
    if (last && rownnz[col[last - 1]] != last) return 0;
  }
  return 1;
}

// diag[r] is the position of the diagonal in row r
static inline int sn_hasDiagonals(int n, const int* rownnz, const int* rowadr, const int* colind,
                                  const int* diag) {
  for (int r = 0; r < n; r++) {
    if (diag[r] < 0 || diag[r] >= rownnz[r] || colind[rowadr[r] + diag[r]] != r) return 0;
  }
  return 1;
}

#else
#define sn_isAscending(list, n, width) 1
#define sn_isPattern(nr, nc, rownnz, rowadr, colind) 1
#define sn_isTree(n, rownnz, rowadr, colind, index) 1
#define sn_hasDiagonals(n, rownnz, rowadr, colind, diag) 1
#endif

#endif  // SINEW_MATH_PATTERN_H_
