// The inner loops of the Hessian: linear combinations of rows, with columns in groups of four.
//
// Rows are padded (sn_paddedRow), so that a loop over n columns may run to the next multiple of four and vectors need
// no remainder loop.

#ifndef SINEW_ENGINE_SOLVE_KERNEL_H_
#define SINEW_ENGINE_SOLVE_KERNEL_H_

#include "base/assert.h"
#include "base/team.h"
#include "engine/solve/solver.h"
#include "math/four.h"
#include "math/math.h"

// columns that are combined at once
enum { snCHUNK = 64 };

// A statement for each of eight rows. Where the number of rows is a compile-time constant, those beyond it vanish.
#define SN_EIGHT(DO) \
  do {               \
    DO(0);           \
    DO(1);           \
    DO(2);           \
    DO(3);           \
    DO(4);           \
    DO(5);           \
    DO(6);           \
    DO(7);           \
  } while (0)

static inline int sn_groups(int n) { return (n + 3) & ~3; }

// target += sum_r scale[r] row_r over n columns, four rows at a time, then two, then one
SN_KERNEL void sn_combine(snReal* SN_RESTRICT target, int n, int count, const snReal* scale,
                          const snReal* const* row) {
  int r = 0, end = sn_groups(n);
  for (; r + 4 <= count; r += 4) {
    const snReal *SN_RESTRICT a = row[r], *SN_RESTRICT b = row[r + 1];
    const snReal *SN_RESTRICT c = row[r + 2], *SN_RESTRICT d = row[r + 3];
    snReal s0 = scale[r], s1 = scale[r + 1], s2 = scale[r + 2], s3 = scale[r + 3];
    for (int k = 0; k < end; k++) {
      target[k] += (s0 * a[k] + s1 * b[k]) + (s2 * c[k] + s3 * d[k]);
    }
  }
  if (r + 2 <= count) {
    const snReal *SN_RESTRICT a = row[r], *SN_RESTRICT b = row[r + 1];
    snReal s0 = scale[r], s1 = scale[r + 1];
    for (int k = 0; k < end; k++) target[k] += s0 * a[k] + s1 * b[k];
    r += 2;
  }
  if (r < count) {
    const snReal* SN_RESTRICT a = row[r];
    snReal s0 = scale[r];
    for (int k = 0; k < end; k++) target[k] += s0 * a[k];
  }
}

#if SN_HAS_FOUR
// sn_combine for the four columns from k on. count: a compile-time constant, at most 8.
SN_KERNEL void sn_combineAt(snFour* target, int k, int count, const snReal* scale,
                            const snReal* const* row) {
  snFour sum = *target;
  int r = count & 4;
#define TERM(i) (scale[i] * SN_LOAD4(row[i] + k))
  if (count >= 4) sum += (TERM(0) + TERM(1)) + (TERM(2) + TERM(3));
  if (count == 8) sum += (TERM(4) + TERM(5)) + (TERM(6) + TERM(7));
  if (count & 2) sum += TERM(r) + TERM(r + 1);
  if (count & 1) sum += TERM(count - 1);
#undef TERM
  *target = sum;
}
#endif

// sn_combine for at most 8 rows, with scale[r] = left[r][at] factor[r] (factor NULL: 1). Where there are vectors, count
// is a compile-time constant.
SN_KERNEL void sn_addRowsOf(int count, snReal* SN_RESTRICT target, int n, const snReal* const* left,
                            int at, const snReal* factor, const snReal* const* row) {
#if SN_HAS_FOUR
  const snReal* own[8];
  snReal scale[8];
#define TAKE(r)                                                \
  if (count > r) {                                             \
    own[r] = row[r];                                           \
    scale[r] = factor ? left[r][at] * factor[r] : left[r][at]; \
  }
  SN_EIGHT(TAKE);
#undef TAKE
  for (int k = 0; k < n; k += 4) {
    sn_combineAt((snFour*)(target + k), k, count, scale, own);
  }
#else
  snReal scale[8];
  for (int r = 0; r < count; r++) scale[r] = factor ? left[r][at] * factor[r] : left[r][at];
  sn_combine(target, n, count, scale, row);
#endif
}

// The same for any count.
SN_KERNEL void sn_addRows(int count, snReal* SN_RESTRICT target, int n, const snReal* const* left,
                          int at, const snReal* factor, const snReal* const* row) {
  for (; count > 8; count -= 8, left += 8, row += 8) {
    sn_addRowsOf(8, target, n, left, at, factor, row);
    if (factor) factor += 8;
  }
#if SN_HAS_FOUR
  switch (count) {
    case 1: sn_addRowsOf(1, target, n, left, at, factor, row); break;
    case 2: sn_addRowsOf(2, target, n, left, at, factor, row); break;
    case 3: sn_addRowsOf(3, target, n, left, at, factor, row); break;
    case 4: sn_addRowsOf(4, target, n, left, at, factor, row); break;
    case 5: sn_addRowsOf(5, target, n, left, at, factor, row); break;
    case 6: sn_addRowsOf(6, target, n, left, at, factor, row); break;
    case 7: sn_addRowsOf(7, target, n, left, at, factor, row); break;
    case 8: sn_addRowsOf(8, target, n, left, at, factor, row); break;
    default: break;
  }
#else
  sn_addRowsOf(count, target, n, left, at, factor, row);
#endif
}

// place[k]: index of column col[k] within row i of the Hessian, which has all of these columns.
static inline void sn_findPlaces(const snHessian* H, int i, const int* col, int n, int* place) {
  const int* where = H->col + H->adr[i];
  for (int k = 0, t = 0; k < n; k++) {
    while (where[t] != col[k]) t++;
    SN_ASSERT(t < H->nnz[i]);
    place[k] = t;
  }
}

// The same as sn_addRows, where target[place[k]] is column k.
SN_KERNEL void sn_addRowsAt(int count, snReal* target, const int* place, int n,
                            const snReal* const* left, int at, const snReal* factor,
                            const snReal* const* row) {
  SN_ASSERT(count <= snMAXBLOCK);
  const snReal* part[snMAXBLOCK];
  snReal sum[snCHUNK];
  for (int begin = 0; begin < n; begin += snCHUNK) {
    int length = n - begin < snCHUNK ? n - begin : snCHUNK;
    for (int k = 0; k < sn_groups(length); k++) sum[k] = 0;
    for (int r = 0; r < count; r++) part[r] = row[r] + begin;
    sn_addRows(count, sum, length, left, at, factor, part);
    for (int k = 0; k < length; k++) target[place[begin + k]] += sum[k];
  }
}

// The same where the rows of the target have these columns and no others, as in a tree. count: a compile-time constant.
SN_KERNEL void sn_addTriangle(int count, const snHessian* H, snReal* target, const int* col, int n,
                              const snReal* const* left, const snReal* factor,
                              const snReal* const* right) {
  for (int a = n - 1; a >= 0; a--) {
    sn_addRowsOf(count, target + H->adr[col[a]], a + 1, left, a, factor, right);
  }
}

static inline int sn_isTriangle(const snHessian* H, const int* col, int n) {
  int a = n - 1;
  while (a >= 0 && H->nnz[col[a]] == a + 1) a--;
  return a < 0;
}

// target += sum_r factor[r] left_r' right_r over count rows that hold the n columns, lower triangle (factor NULL: 1).
// The target has the pattern of the Hessian. Its rows of one supernode hold the columns at the same places.
SN_KERNEL void sn_addProduct(const snHessian* H, snReal* target, const int* col, int n, int count,
                             const snReal* const* left, const snReal* factor,
                             const snReal* const* right) {
  if (count <= 4 && sn_isTriangle(H, col, n)) {
    switch (count) {
      case 1: sn_addTriangle(1, H, target, col, n, left, factor, right); break;
      case 2: sn_addTriangle(2, H, target, col, n, left, factor, right); break;
      case 3: sn_addTriangle(3, H, target, col, n, left, factor, right); break;
      default: sn_addTriangle(4, H, target, col, n, left, factor, right); break;
    }
    return;
  }
  int known = -1, *place = H->places;  // supernode whose places are found
  for (int a = n - 1; a >= 0; a--) {
    int i = col[a];
    snReal* row = target + H->adr[i];
    SN_ASSERT(i >= 0 && i < H->n && a < H->nnz[i]);
    if (H->nnz[i] == a + 1) {
      sn_addRows(count, row, a + 1, left, a, factor, right);
      continue;
    }
    if (known != H->super[i]) sn_findPlaces(H, i, col, a + 1, place);
    known = H->super[i];
    sn_addRowsAt(count, row, place, a + 1, left, a, factor, right);
  }
}

// ---- for teams -----------------------------------------------------------------------------------

// a b + c, rounded once on a GPU
static inline snReal sn_mulAdd(snReal a, snReal b, snReal c) {
#ifdef __CUDA_ARCH__
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

// 1/d, where d is a pivot
static inline snReal sn_invertPivot(snReal d) {
  if (!(d >= (snReal)snMINVAL)) d = (snReal)snMINVAL;
#if defined(__CUDA_ARCH__) && defined(SN_SINGLE)
  float inverse;  // a division would ask for subnormal numbers
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(d));
  return inverse;
#else
  return 1 / d;
#endif
}

// row x, both of n quads
SN_KERNEL snReal sn_dotQuads(const snQuad* row, const snQuad* x, int n) {
  snReal s[4] = {0, 0, 0, 0};
  SN_UNROLL4
  for (int k = 0; k < n; k++) {
    snQuad a = row[k], b = x[k];
    SN_UNROLL
    for (int c = 0; c < 4; c++) s[c] = sn_mulAdd(a.v[c], b.v[c], s[c]);
  }
  return (s[0] + s[2]) + (s[1] + s[3]);
}

// Products of four numbers with a quad, added to an even and an odd sum.
SN_KERNEL void sn_addQuad(snReal sum[2], const snReal* a, const snQuad* x) {
  snQuad b = *x;
  SN_UNROLL
  for (int c = 0; c < 4; c++) sum[c & 1] = sn_mulAdd(a[c], b.v[c], sum[c & 1]);
}

#endif  // SINEW_ENGINE_SOLVE_KERNEL_H_
