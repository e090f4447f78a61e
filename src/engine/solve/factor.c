// The factor L' D L of the Hessian: from scratch, after a change of few rows, and solves with it.

#include "base/assert.h"
#include "engine/solve/kernel.h"
#include "engine/solve/solver.h"
#include "math/math.h"

// ---- from scratch --------------------------------------------------------------------------------

// one supernode: rows [first, last]
SN_KERNEL void eliminate(const snHessian* H, int first, int last) {
  SN_ASSERT(first <= last && last < H->n && last - first < snMAXSUPER);
  const snReal* row[snMAXSUPER];
  snReal negative[snMAXSUPER];
  int outside = H->nnz[first] - 1, count = 0;

  // within the supernode, from its last row: subtract the later rows from each row
  for (int i = last; i >= first; i--) {
    int n = outside + i - first + 1;
    SN_ASSERT(n == H->nnz[i] && H->col[H->adr[i] + n - 1] == i);
    snReal* target = H->factor + H->adr[i];
    sn_addRows(count, target, n, row, n - 1, negative, row);
    snReal pivot = target[n - 1];
    if (!(pivot >= (snReal)snMINVAL)) pivot = target[n - 1] = (snReal)snMINVAL;
    H->diaginv[i] = 1 / pivot;
    negative[count] = -H->diaginv[i];
    row[count++] = target;
  }
  // the rows update their ancestors in the columns outside
  sn_addProduct(H, H->factor, H->col + H->adr[last], outside, count, row, negative, row);
  for (int i = last; i >= first; i--) {
    snReal *target = H->factor + H->adr[i], inverse = H->diaginv[i];
    int diagonal = H->nnz[i] - 1;
    snReal pivot = target[diagonal];
    for (int k = 0; k < sn_groups(diagonal); k++) target[k] *= inverse;
    target[diagonal] = pivot;
  }
}

SN_WIDE(, void, sn_factorHessian, (const snHessian* H), (H)) {
  for (int last = H->n - 1; last >= 0; last = H->super[last] - 1) {
    eliminate(H, H->super[last], last);
  }
}

// ---- after a change of few rows ------------------------------------------------------------------
//
// H + a w w' with H = L' D L (Gill, Golub, Murray and Saunders, method C1), from the last column
// of w to the root of the elimination:
//
//   p = w_i,  D_i <- D_i + a p^2,  b = a p / D_i,  a <- a D_i(old) / D_i,
//   w_k <- w_k - p L_ik,  L_ik <- L_ik + b w_k  for the columns k of row i.
//
// Only rows on the path from the last column to the root change. w is kept in the columns of the
// current row; those of the next row contain them.

// relative cost of one row on the path: a division and what depends on it, then two passes over the columns
enum { PATH_ROW = 12, PATH_COLUMN = 1, MAX_RANK = 4 };

void sn_findPaths(const snHessian* H) {
  for (int i = 0; i < H->n; i++) {
    int parent = H->nnz[i] > 1 ? H->col[H->adr[i] + H->nnz[i] - 2] : -1;
    H->path[i] = PATH_ROW + PATH_COLUMN * H->nnz[i] + (parent >= 0 ? H->path[parent] : 0);
  }
}

snReal sn_updateCost(const snHessian* H, int row) {
  int n = H->J.nnz[row];
  return n ? (snReal)H->path[H->J.col[H->J.adr[row] + n - 1]] : 0;
}

int sn_updateScratch(const snHessian* H) { return MAX_RANK * sn_paddedRow(H->n); }

// w from n columns to those of row i
static void spread(const snHessian* H, int i, const int* col, int n, snReal* w) {
  const int* where = H->col + H->adr[i];
  int t = H->nnz[i] - 1;
  for (int k = sn_groups(t + 1) - 1; k > t; k--) w[k] = 0;
  for (int k = n - 1; k >= 0; k--, t--) {
    snReal value = w[k];
    for (; where[t] != col[k]; t--) w[t] = 0;
    w[t] = value;
  }
  for (; t >= 0; t--) w[t] = 0;
}

// the pivot: new D, coefficients of the passes over the columns; 0 when it lost too many digits
SN_KERNEL int updatePivot(snReal* D, snReal p, snReal* a, snReal* b) {
  const snReal lost = (snReal)1e-6;
  snReal old = *D, now = old + *a * p * p;
  if (!(now > lost * old)) return 0;
  snReal inverse = 1 / now;
  *b = *a * p * inverse;
  *a *= old * inverse;
  *D = now;
  return 1;
}

SN_KERNEL void updateRow(snReal* SN_RESTRICT L, int n, int count, const snReal* p, const snReal* b,
                         snReal* const* w) {
  int end = sn_groups(n), r = 0;
  for (; r + 2 <= count; r += 2) {
    snReal *SN_RESTRICT u = w[r], *SN_RESTRICT v = w[r + 1];
    snReal p0 = p[r], p1 = p[r + 1], b0 = b[r], b1 = b[r + 1];
    for (int k = 0; k < end; k++) {
      snReal uk = u[k] - p0 * L[k], l = L[k] + b0 * uk;
      snReal vk = v[k] - p1 * l;
      u[k] = uk;
      v[k] = vk;
      L[k] = l + b1 * vk;
    }
  }
  if (r < count) {
    snReal* SN_RESTRICT u = w[r];
    snReal p0 = p[r], b0 = b[r];
    for (int k = 0; k < end; k++) {
      snReal uk = u[k] - p0 * L[k];
      u[k] = uk;
      L[k] += b0 * uk;
    }
  }
}

SN_WIDE(, int, sn_updateFactor,
        (const snHessian* H, int first, int count, const snReal* weight, snReal* scratch),
        (H, first, count, weight, scratch)) {
  SN_ASSERT(count > 0 && count <= snMAXBLOCK);
  snReal *w[MAX_RANK], a[MAX_RANK], p[MAX_RANK], b[MAX_RANK];
  int n = H->J.nnz[first], stride = sn_paddedRow(H->n);
  const int* col = H->J.col + H->J.adr[first];
  SN_ASSERT(n > 0);
  int i = col[n - 1], rank = 0;
  for (int r = 0; r < count && rank < MAX_RANK; r++) {
    if (weight[r] == 0) continue;
    a[rank] = weight[r];
    w[rank] = scratch + (size_t)rank * stride;
    snu_copy(w[rank], H->J.value + H->J.adr[first + r], n);
    spread(H, i, col, n, w[rank++]);
  }
  while (i >= 0) {
    int diagonal = H->nnz[i] - 1;
    snReal *L = H->factor + H->adr[i], D = L[diagonal];
    for (int r = 0; r < rank; r++) {
      p[r] = w[r][diagonal];
      if (!updatePivot(&D, p[r], &a[r], &b[r])) return 0;
    }
    updateRow(L, diagonal, rank, p, b, w);
    L[diagonal] = D;
    H->diaginv[i] = 1 / D;

    int parent = diagonal ? H->col[H->adr[i] + diagonal - 1] : -1;
    SN_ASSERT(parent < i);  // up the tree of the elimination
    if (parent >= 0 && H->nnz[parent] != diagonal) {
      for (int r = 0; r < rank; r++) spread(H, parent, H->col + H->adr[i], diagonal, w[r]);
    }
    i = parent;
  }
  return 1;
}

// ---- solves --------------------------------------------------------------------------------------

// A supernode of count rows, from row first on. Where there are vectors the compiler knows the count.

#if SN_HAS_FOUR
// x[column] -= sum of value row over n columns, the sums of sn_combine
SN_KERNEL void subtractRows(int count, snReal* x, const int* col, int n, const snReal* value,
                            const snReal* const* row) {
  for (int k = 0; k < n; k += 4) {
    snFour sum = {0, 0, 0, 0};
    sn_combineAt(&sum, k, count, value, row);
    if (k + 4 <= n && col[k + 3] == col[k] + 3) {
      *(snFour*)(x + col[k]) = SN_LOAD4(x + col[k]) - sum;
      continue;
    }
    x[col[k]] -= sum[0];
    if (k + 1 < n) x[col[k + 1]] -= sum[1];
    if (k + 2 < n) x[col[k + 2]] -= sum[2];
    if (k + 3 < n) x[col[k + 3]] -= sum[3];
  }
}
#else
SN_KERNEL void subtractRows(int count, snReal* x, const int* col, int n, const snReal* value,
                            const snReal* const* row) {
  snReal sum[snCHUNK];
  const snReal* part[snMAXSUPER];
  for (int begin = 0; begin < n; begin += snCHUNK) {
    int length = n - begin < snCHUNK ? n - begin : snCHUNK;
    for (int k = 0; k < sn_groups(length); k++) sum[k] = 0;
    for (int r = 0; r < count; r++) part[r] = row[r] + begin;
    sn_combine(sum, length, count, value, part);
    for (int k = 0; k < length; k++) x[col[begin + k]] -= sum[k];
  }
}
#endif

// x <- L^-T x: the rows subtract their terms from one another, from the last one on, and then together from the
// ancestors.
SN_KERNEL void solveUp(int count, const snHessian* H, int first, snReal* x) {
  SN_ASSERT(first >= 0 && first + count <= H->n && count <= snMAXSUPER);
  const snReal *row[snMAXSUPER], *inside[snMAXSUPER];
  snReal v[snMAXSUPER], *own = x + first;
  int outside = H->nnz[first] - 1;
#define TAKE(r)                                         \
  if (count > r) {                                      \
    row[r] = H->factor + H->adr[first + count - 1 - r]; \
    inside[r] = row[r] + outside + count - 1;           \
    v[r] = own[count - 1 - r];                          \
  }
#define GIVE(r, t) \
  if (t > r && t < count) v[t] -= inside[r][-t] * v[r]
#define GIVE_ALL(r) \
  GIVE(r, 1);       \
  GIVE(r, 2);       \
  GIVE(r, 3);       \
  GIVE(r, 4);       \
  GIVE(r, 5);       \
  GIVE(r, 6);       \
  GIVE(r, 7)
#define PUT(r) \
  if (count > r) own[count - 1 - r] = v[r]
  SN_EIGHT(TAKE);
  SN_EIGHT(GIVE_ALL);
  SN_EIGHT(PUT);
#undef TAKE
#undef GIVE
#undef GIVE_ALL
#undef PUT
  subtractRows(count, x, H->col + H->adr[first], outside, v, row);
}

// own[r] -= row r times the n numbers, from the given column on
SN_KERNEL void subtractDots(int count, const snReal* const* row, int begin, const snReal* numbers,
                            int n, snReal* own) {
#if SN_HAS_FOUR
  const snFour zero = {0, 0, 0, 0};
  snFour s[8] = {zero, zero, zero, zero, zero, zero, zero, zero};
  int i = 0, rest = n & 3;
  for (; i + 4 <= n; i += 4) {
    snFour x = SN_LOAD4(numbers + i);
#define ADD(r) \
  if (count > r) s[r] += SN_LOAD4(row[r] + begin + i) * x
    SN_EIGHT(ADD);
#undef ADD
  }
#define TAKE(r) \
  if (count > r) own[r] -= sn_addRest(SN_SUM4(s[r]), row[r] + begin + i, numbers + i, rest)
  SN_EIGHT(TAKE);
#undef TAKE
#else
  for (int r = 0; r < count; r++) own[r] -= snu_dot(row[r] + begin, numbers, n);
#endif
}

// x <- L^-1 D^-1 x: the values of the ancestors are gathered once, on a GPU even where they are contiguous: NVRTC 13
// kept gathered numbers in registers although they were read through a pointer that may have been to x (docs/gpu.md).
SN_KERNEL void solveDown(int count, const snHessian* H, int first, snReal* x) {
  snReal gathered[snCHUNK], *own = x + first;
  const snReal *row[snMAXSUPER], *inverse = H->diaginv + first;
  const int* col = H->col + H->adr[first];
  int outside = H->nnz[first] - 1;
#define TAKE(r)                             \
  if (count > r) {                          \
    row[r] = H->factor + H->adr[first + r]; \
    own[r] *= inverse[r];                   \
  }
  SN_EIGHT(TAKE);
#undef TAKE
  for (int begin = 0; begin < outside; begin += snCHUNK) {
    int n = outside - begin < snCHUNK ? outside - begin : snCHUNK;
    const snReal* numbers = gathered;
    if (SN_HAS_FOUR && col[begin + n - 1] - col[begin] == n - 1) {
      numbers = x + col[begin];
    } else {
      for (int k = 0; k < n; k++) gathered[k] = x[col[begin + k]];
    }
    subtractDots(count, row, begin, numbers, n, own);
  }
#define TAKE(r) \
  if (r && count > r) own[r] -= snu_dot(row[r] + outside, own, r)
  SN_EIGHT(TAKE);
#undef TAKE
}

// a function of a supernode for each number of rows
#if SN_HAS_FOUR
#define OF_COUNT(function, count, ...)        \
  switch (count) {                            \
    case 1: function(1, __VA_ARGS__); break;  \
    case 2: function(2, __VA_ARGS__); break;  \
    case 3: function(3, __VA_ARGS__); break;  \
    case 4: function(4, __VA_ARGS__); break;  \
    case 5: function(5, __VA_ARGS__); break;  \
    case 6: function(6, __VA_ARGS__); break;  \
    case 7: function(7, __VA_ARGS__); break;  \
    default: function(8, __VA_ARGS__); break; \
  }
#else
#define OF_COUNT(function, count, ...) function(count, __VA_ARGS__);
#endif

SN_WIDE(, void, sn_solveHessian, (const snHessian* H, snReal* vec, snReal* scratch),
        (H, vec, scratch)) {
  SN_ASSERT(!H->place || scratch);
  snReal* x = H->place ? scratch : vec;
  if (H->place) {
    for (int i = 0; i < H->n; i++) x[H->place[i]] = vec[i];
  }
  for (int s = H->nsuper - 1; s >= 0; s--) {
    int first = H->begin[s], count = H->begin[s + 1] - first;
    OF_COUNT(solveUp, count, H, first, x)
  }
  for (int s = 0; s < H->nsuper; s++) {
    int first = H->begin[s], count = H->begin[s + 1] - first;
    OF_COUNT(solveDown, count, H, first, x)
  }
  if (H->place) {
    for (int i = 0; i < H->n; i++) vec[i] = x[H->place[i]];
  }
}
