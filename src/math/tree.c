// L'DL on a kinematic tree.
//
// Row k holds dof k's ancestors and itself, columns ascending. The row of the ancestor at position
// p of row k has exactly the first p+1 columns of row k, so every update is a dense one.
//
// Rows of which each is the parent of the next form a run: they share the columns outside of the
// run, which are read once for all of them. Every sum keeps the order of one row at a time.

#include "base/assert.h"
#include "math/decomp.h"
#include "math/four.h"
#include "math/pattern.h"
#include "math/tree_root.h"
#include "math/tree_team.h"
#include "math/vec.h"

// rows of a run
enum { MAX_RUN = 4 };

// a run: rows from the last, their numbers, and the columns that they share
typedef struct Run_ {
  int count;
  int outside;     // shared columns; row j has outside + count - 1 - j others before itself
  const int* col;  // of the last row
  int dof[MAX_RUN];
  const snReal* row[MAX_RUN];
} Run;

// The run that ends at position r and begins not before position lowest: each of its dofs is the parent of the
// next, and all are in the index. Going down from the last row, all other descendants of its rows are done.
SN_KERNEL void findRun(Run* run, int r, int lowest, const snReal* LD, const int* rownnz,
                       const int* rowadr, const int* colind, const int* index) {
  int k = index ? index[r] : r, count = 1, nnz = rownnz[k];
  const int* col = colind + rowadr[k];
  int most = nnz <= r - lowest ? nnz : r - lowest + 1;
  run->dof[0] = k;
  run->row[0] = LD + rowadr[k];
  for (; count < MAX_RUN && count < most && col[nnz - 1 - count] == k - count; count++) {
    SN_ASSERT(!index || index[r - count] == k - count);
    run->dof[count] = k - count;
    run->row[count] = LD + rowadr[k - count];
  }
  SN_ASSERT(count >= 1 && count <= MAX_RUN && nnz >= count);
  run->count = count;
  run->outside = nnz - count;
  run->col = col;
}

// position of the last row of the run that begins at position r
SN_KERNEL int endOfRun(int r, int n, const int* rownnz, const int* rowadr, const int* colind,
                       const int* index) {
  int last = r;
  for (; last + 1 < n && last + 1 - r < MAX_RUN; last++) {
    int k = index ? index[last] : last, next = index ? index[last + 1] : last + 1;
    if (rownnz[next] < 2 || colind[rowadr[next] + rownnz[next] - 2] != k) break;
  }
  return last;
}

// target -= sum of factor[i] row[i] over n columns, row by row: the same sums as one row at a time,
// with the target loaded and stored once
SN_KERNEL void subtractRun(snReal* SN_RESTRICT target, int n, int count, const snReal* factor,
                           const snReal* const* row) {
  SN_ASSERT(count >= 1 && count <= MAX_RUN);
  const snReal *SN_RESTRICT a = row[0], *SN_RESTRICT b = row[1];
  const snReal *SN_RESTRICT c = row[2], *SN_RESTRICT d = row[3];
  snReal f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
#define LESS1(w) SN_LOAD##w(target + k) - SN_LOAD##w(a + k) * f0
#define LESS2(w) (LESS1(w)) - SN_LOAD##w(b + k) * f1
#define LESS3(w) (LESS2(w)) - SN_LOAD##w(c + k) * f2
#define LESS4(w) (LESS3(w)) - SN_LOAD##w(d + k) * f3
  switch (count) {
    case 1: SN_OVER(target, n, LESS1); break;
    case 2: SN_OVER(target, n, LESS2); break;
    case 3: SN_OVER(target, n, LESS3); break;
    default: SN_OVER(target, n, LESS4); break;
  }
}

// row i -= L(k,i) * (unscaled row k) for the columns i outside of the run but the first ones, nearest first; inverse
// has 1 / D
SN_KERNEL void leaveToAncestors(const Run* run, int count, snReal* LD, const snReal* inverse,
                                const int* rowadr, int begin) {
  SN_ASSERT(!run->outside ||
            (run->col[run->outside - 1] >= 0 && run->col[run->outside - 1] < run->dof[count - 1]));
  const snReal* const row[MAX_RUN] = {run->row[0], run->row[1], run->row[2], run->row[3]};
  const int* col = run->col;
  for (int p = run->outside - 1; p >= begin; p--) {
    snReal f[MAX_RUN] = {row[0][p] * inverse[0], 0, 0, 0};
    if (count > 1) f[1] = row[1][p] * inverse[1];
    if (count > 2) f[2] = row[2][p] * inverse[2];
    if (count > 3) f[3] = row[3][p] * inverse[3];
    subtractRun(LD + rowadr[col[p]], p + 1, count, f, row);
  }
}

// The columns of a run, from the last row: L(i, j) is what row i leaves to row j, and what stands there before.
typedef struct Inside_ {
  snReal L10, L20, L21, L30, L31, L32;
  snReal inverse[MAX_RUN];
} Inside;

// Factor the columns n, n + 1, ... of the rows of a run, which are its own.
SN_KERNEL void factorInside(Inside* in, snReal* a, snReal* b, snReal* c, snReal* d, int n,
                            int count) {
  snReal *x = in->inverse, b0 = 0, b1 = 0, c0 = 0;
  x[0] = 1 / a[n + count - 1];
  if (count > 1) {
    in->L10 = a[n + count - 2] * x[0];
    b[n + count - 2] -= a[n + count - 2] * in->L10;
    x[1] = 1 / b[n + count - 2];
  }
  if (count > 2) {
    b1 = b[n + count - 3] - a[n + count - 3] * in->L10;
    in->L20 = a[n + count - 3] * x[0];
    in->L21 = b1 * x[1];
    c[n + count - 3] = (c[n + count - 3] - a[n + count - 3] * in->L20) - b1 * in->L21;
    x[2] = 1 / c[n + count - 3];
    b[n + count - 3] = in->L21;
  }
  if (count > 3) {
    b0 = b[n] - a[n] * in->L10;
    c0 = (c[n] - a[n] * in->L20) - b0 * in->L21;
    in->L30 = a[n] * x[0];
    in->L31 = b0 * x[1];
    in->L32 = c0 * x[2];
    d[n] = ((d[n] - a[n] * in->L30) - b0 * in->L31) - c0 * in->L32;
    x[3] = 1 / d[n];
    a[n] = in->L30;
    b[n] = in->L31;
    c[n] = in->L32;
  }
  if (count > 2) a[n + count - 3] = in->L20;
  if (count > 1) a[n + count - 2] = in->L10;
}

// columns before n: a row of a run takes what the later ones leave
SN_KERNEL void factorBefore(const Inside* in, const snReal* SN_RESTRICT a, snReal* SN_RESTRICT b,
                            snReal* SN_RESTRICT c, snReal* SN_RESTRICT d, int n, int count) {
#define BESIDE1(w) SN_LOAD##w(b + k) - SN_LOAD##w(a + k) * in->L10
#define BESIDE2(w) (SN_LOAD##w(c + k) - SN_LOAD##w(a + k) * in->L20) - SN_LOAD##w(b + k) * in->L21
#define BESIDE3(w)                                                                    \
  ((SN_LOAD##w(d + k) - SN_LOAD##w(a + k) * in->L30) - SN_LOAD##w(b + k) * in->L31) - \
      SN_LOAD##w(c + k) * in->L32
  if (count > 1) SN_OVER(b, n, BESIDE1);
  if (count > 2) SN_OVER(c, n, BESIDE2);
  if (count > 3) SN_OVER(d, n, BESIDE3);
}

// the rows of a run, but for the first columns, which the root of the tree takes and scales
SN_KERNEL void factorRun(const Run* run, int count, snReal* LD, snReal* LDiagInv, const int* rowadr,
                         int begin) {
  SN_ASSERT(run->count == count && begin <= run->outside);
  int n = run->outside, last = run->dof[0];
  snReal *a = LD + rowadr[last], *b = a, *c = a, *d = a;
  Inside in;
  if (count > 1) b = LD + rowadr[last - 1];
  if (count > 2) c = LD + rowadr[last - 2];
  if (count > 3) d = LD + rowadr[last - 3];
  factorInside(&in, a, b, c, d, n, count);
  factorBefore(&in, a, b, c, d, n, count);
  for (int j = 0; j < count; j++) LDiagInv[last - j] = in.inverse[j];
  if (n == begin) return;
  leaveToAncestors(run, count, LD, in.inverse, rowadr, begin);
#define SCALED(w, row, x) SN_LOAD##w(row + begin + k) * x
#define SCALED_A(w) SCALED(w, a, in.inverse[0])
#define SCALED_B(w) SCALED(w, b, in.inverse[1])
#define SCALED_C(w) SCALED(w, c, in.inverse[2])
#define SCALED_D(w) SCALED(w, d, in.inverse[3])
  SN_OVER(a + begin, n - begin, SCALED_A);
  if (count > 1) SN_OVER(b + begin, n - begin, SCALED_B);
  if (count > 2) SN_OVER(c + begin, n - begin, SCALED_C);
  if (count > 3) SN_OVER(d + begin, n - begin, SCALED_D);
}

SN_WIDE(, void, sn_factorTree,
        (snReal * LD, snReal* LDiagInv, int n, const int* rownnz, const int* rowadr,
         const int* colind, const int* index),
        (LD, LDiagInv, n, rownnz, rowadr, colind, index)) {
  SN_ASSERT(sn_isTree(n, rownnz, rowadr, colind, index));
  if (SN_LANES > 1) {
    sn_factorTreeTeam(LD, LDiagInv, n, rownnz, rowadr, colind, index);
    return;
  }
  index = sn_nullIfIdentity(n, index);
  int first = n, end = n, block = 0;  // of the tree: its rows, and its block at the root
  for (int r = n - 1; r >= 0;) {
    int k = index ? index[r] : r;
    if (rownnz[k] == 1) {  // alone
      LDiagInv[k] = 1 / LD[rowadr[k]];
      r--;
      continue;
    }
    if (!index && r < first) {
      end = r + 1;
      first = colind[rowadr[r]];
      block = sn_rootBlock(first, r, rownnz, rowadr, colind);
    }
    if (block && r == first + block - 1) {
      sn_factorRoot(LD, LDiagInv, first, end, rowadr, block);
      r -= block;
      continue;
    }
    Run run;
    run.row[1] = run.row[2] = run.row[3] = LD;
    findRun(&run, r, block ? first + block : 0, LD, rownnz, rowadr, colind, index);
    switch (run.count) {
      case 1: factorRun(&run, 1, LD, LDiagInv, rowadr, block); break;
      case 2: factorRun(&run, 2, LD, LDiagInv, rowadr, block); break;
      case 3: factorRun(&run, 3, LD, LDiagInv, rowadr, block); break;
      default: factorRun(&run, 4, LD, LDiagInv, rowadr, block); break;
    }
    r -= run.count;
  }
}

// y <- L^-T y: a run hands its values to its ancestors
SN_KERNEL void solveUp(const Run* run, snReal* SN_RESTRICT y) {
  SN_ASSERT(run->count >= 1 && run->count <= MAX_RUN);
  const snReal *a = run->row[0], *b = run->row[1], *c = run->row[2], *d = run->row[3];
  const int* col = run->col;
  int n = run->outside, zero = 1;
  for (int j = 0; j < run->count; j++) zero &= y[run->dof[j]] == 0;
  if (zero) return;
  snReal y0 = y[run->dof[0]], y1, y2, y3;
  switch (run->count) {
    case 1:
      for (int p = 0; p < n; p++) y[col[p]] -= a[p] * y0;
      break;
    case 2:
      y1 = y[run->dof[1]] -= a[n] * y0;
      for (int p = 0; p < n; p++) y[col[p]] = (y[col[p]] - a[p] * y0) - b[p] * y1;
      break;
    case 3:
      y1 = y[run->dof[1]] -= a[n + 1] * y0;
      y2 = y[run->dof[2]] = (y[run->dof[2]] - a[n] * y0) - b[n] * y1;
      for (int p = 0; p < n; p++) {
        y[col[p]] = ((y[col[p]] - a[p] * y0) - b[p] * y1) - c[p] * y2;
      }
      break;
    default:
      y1 = y[run->dof[1]] -= a[n + 2] * y0;
      y2 = y[run->dof[2]] = (y[run->dof[2]] - a[n + 1] * y0) - b[n + 1] * y1;
      y3 = y[run->dof[3]] = ((y[run->dof[3]] - a[n] * y0) - b[n] * y1) - c[n] * y2;
      for (int p = 0; p < n; p++) {
        y[col[p]] = (((y[col[p]] - a[p] * y0) - b[p] * y1) - c[p] * y2) - d[p] * y3;
      }
      break;
  }
}

// y <- L^-1 D^-1 y: ancestors come before their descendants
SN_KERNEL void solveDown(const Run* run, const snReal* LDiagInv, snReal* SN_RESTRICT y) {
  SN_ASSERT(run->count >= 1 && run->count <= MAX_RUN);
  const snReal *a = run->row[0], *b = run->row[1], *c = run->row[2], *d = run->row[3];
  const int *col = run->col, *dof = run->dof;
  int n = run->outside;
  snReal y0 = y[dof[0]] * LDiagInv[dof[0]], y1, y2, y3;
  switch (run->count) {
    case 1:
      for (int p = 0; p < n; p++) y0 -= a[p] * y[col[p]];
      y[dof[0]] = y0;
      break;
    case 2:
      y1 = y[dof[1]] * LDiagInv[dof[1]];
      for (int p = 0; p < n; p++) {
        snReal x = y[col[p]];
        y0 -= a[p] * x;
        y1 -= b[p] * x;
      }
      y[dof[1]] = y1;
      y[dof[0]] = y0 - a[n] * y1;
      break;
    case 3:
      y1 = y[dof[1]] * LDiagInv[dof[1]];
      y2 = y[dof[2]] * LDiagInv[dof[2]];
      for (int p = 0; p < n; p++) {
        snReal x = y[col[p]];
        y0 -= a[p] * x;
        y1 -= b[p] * x;
        y2 -= c[p] * x;
      }
      y[dof[2]] = y2;
      y[dof[1]] = y1 = y1 - b[n] * y2;
      y[dof[0]] = (y0 - a[n] * y2) - a[n + 1] * y1;
      break;
    default:
      y1 = y[dof[1]] * LDiagInv[dof[1]];
      y2 = y[dof[2]] * LDiagInv[dof[2]];
      y3 = y[dof[3]] * LDiagInv[dof[3]];
      for (int p = 0; p < n; p++) {
        snReal x = y[col[p]];
        y0 -= a[p] * x;
        y1 -= b[p] * x;
        y2 -= c[p] * x;
        y3 -= d[p] * x;
      }
      y[dof[3]] = y3;
      y[dof[2]] = y2 = y2 - c[n] * y3;
      y[dof[1]] = y1 = (y1 - b[n] * y3) - b[n + 1] * y2;
      y[dof[0]] = ((y0 - a[n] * y3) - a[n + 1] * y2) - a[n + 2] * y1;
      break;
  }
}

// ---- six rows of a free joint at the root of a tree, without loops: the sums are those of runs

enum { SIX = 6 };

// Are the six rows that end with row r a chain from a root? A row holds its ancestors in ascending order.
SN_KERNEL int endsSix(int r, const int* rownnz, const int* rowadr, const int* colind) {
  return rownnz[r] == SIX && colind[rowadr[r]] == r - (SIX - 1);
}

SN_KERNEL void solveUpSix(const snReal* L, snReal* SN_RESTRICT y) {
  snReal y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3], y4 = y[4], y5 = y[5];
  if (!(y5 == 0 && y4 == 0 && y3 == 0 && y2 == 0)) {
    y4 -= L[19] * y5;
    y3 = (y3 - L[18] * y5) - L[13] * y4;
    y2 = ((y2 - L[17] * y5) - L[12] * y4) - L[8] * y3;
    y1 = (((y1 - L[16] * y5) - L[11] * y4) - L[7] * y3) - L[4] * y2;
    y0 = (((y0 - L[15] * y5) - L[10] * y4) - L[6] * y3) - L[3] * y2;
    y[1] = y1, y[2] = y2, y[3] = y3, y[4] = y4;
  }
  if (!(y1 == 0 && y0 == 0)) y0 -= L[1] * y1;
  y[0] = y0;
}

SN_KERNEL void solveDownSix(const snReal* L, const snReal* D, snReal* SN_RESTRICT y) {
  snReal y0 = y[0] * D[0], y1 = y[1] * D[1] - L[1] * y0;
  snReal y2 = (y[2] * D[2] - L[3] * y0) - L[4] * y1;
  snReal y3 = ((y[3] * D[3] - L[6] * y0) - L[7] * y1) - L[8] * y2;
  snReal y4 = (((y[4] * D[4] - L[10] * y0) - L[11] * y1) - L[12] * y2) - L[13] * y3;
  snReal y5 = ((((y[5] * D[5] - L[15] * y0) - L[16] * y1) - L[17] * y2) - L[18] * y3) - L[19] * y4;
  y[0] = y0, y[1] = y1, y[2] = y2, y[3] = y3, y[4] = y4, y[5] = y5;
}

SN_KERNEL void mulSix(const snReal* A, snReal* SN_RESTRICT res, const snReal* SN_RESTRICT v) {
  snReal v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3], v4 = v[4], v5 = v[5];
  res[0] = ((((A[0] * v0 + A[1] * v1) + A[3] * v2) + A[6] * v3) + A[10] * v4) + A[15] * v5;
  res[1] = ((((A[2] * v1 + A[1] * v0) + A[4] * v2) + A[7] * v3) + A[11] * v4) + A[16] * v5;
  res[2] = ((((A[5] * v2 + A[3] * v0) + A[4] * v1) + A[8] * v3) + A[12] * v4) + A[17] * v5;
  res[3] = ((((A[9] * v3 + A[6] * v0) + A[7] * v1) + A[8] * v2) + A[13] * v4) + A[18] * v5;
  res[4] = ((((A[14] * v4 + A[10] * v0) + A[11] * v1) + A[12] * v2) + A[13] * v3) + A[19] * v5;
  res[5] = ((((A[20] * v5 + A[15] * v0) + A[16] * v1) + A[17] * v2) + A[18] * v3) + A[19] * v4;
}

// Rows of one entry are trees of their own, but for the last of them in a row, which others may descend
// from. Sliders that carry vertices of a flex are such rows, by the thousand. Rows lie behind one another, so
// that as many numbers as rows means one in each: their number is found by doubling and halving.

// whether rows [r, last] have one entry each
SN_KERNEL int areAlone(int r, int last, const int* rownnz, const int* rowadr) {
  return rownnz[last] == 1 && rowadr[last] - rowadr[r] == last - r;
}

// number of rows of one entry from r on, which is one; of those that no row descends from
SN_KERNEL int countAlone(int r, int n, const int* rownnz, const int* rowadr) {
  SN_ASSERT(r < n && rownnz[r] == 1);
  int known = r, step = 1;
  while (known + step < n && areAlone(r, known + step, rownnz, rowadr)) {
    known += step;
    step *= 2;
  }
  for (; step; step /= 2) {
    if (known + step < n && areAlone(r, known + step, rownnz, rowadr)) known += step;
  }
  int end = known + 1;
  return end == n || end == r + 1 ? end - r : end - r - 1;
}

// number of rows of one entry that end at r, which is one
SN_KERNEL int countAloneBefore(int r, const int* rownnz, const int* rowadr) {
  SN_ASSERT(r >= 0 && rownnz[r] == 1);
  int known = r, step = 1;
  while (known >= step && areAlone(known - step, r, rownnz, rowadr)) {
    known -= step;
    step *= 2;
  }
  for (; step; step /= 2) {
    if (known >= step && areAlone(known - step, r, rownnz, rowadr)) known -= step;
  }
  return r + 1 - known;
}

SN_WIDE(static, void, scaleAlone, (snReal * SN_RESTRICT y, const snReal* SN_RESTRICT scale, int n),
        (y, scale, n)) {
  for (int k = 0; k < n; k++) y[k] *= scale[k];
}

SN_WIDE(static, void, mulAlone,
        (snReal * SN_RESTRICT res, const snReal* SN_RESTRICT mat, const snReal* SN_RESTRICT vec,
         int n),
        (res, mat, vec, n)) {
  for (int k = 0; k < n; k++) res[k] = mat[k] * vec[k];
}

SN_WIDE(, void, sn_solveTree,
        (snReal * x, const snReal* LD, const snReal* LDiagInv, int n, int stride, int nvec,
         const int* rownnz, const int* rowadr, const int* colind, const int* index),
        (x, LD, LDiagInv, n, stride, nvec, rownnz, rowadr, colind, index)) {
  SN_ASSERT(n >= 0 && nvec >= 0 && (nvec < 2 || stride >= n));
  SN_ASSERT(sn_isTree(n, rownnz, rowadr, colind, index));
  if (SN_LANES > 1) {
    sn_solveTreeTeam(x, LD, LDiagInv, n, stride, nvec, rownnz, rowadr, colind, index);
    return;
  }
  Run run;
  index = sn_nullIfIdentity(n, index);
  run.row[1] = run.row[2] = run.row[3] = LD;
  for (int v = 0; v < nvec; v++) {
    snReal* y = x + (size_t)v * stride;
    for (int r = n - 1; r >= 0;) {
      if (rownnz[index ? index[r] : r] == 1) {
        r -= index ? 1 : countAloneBefore(r, rownnz, rowadr);
        continue;
      }
      if (!index && endsSix(r, rownnz, rowadr, colind)) {
        r -= SIX;
        solveUpSix(LD + rowadr[r + 1], y + r + 1);
        continue;
      }
      findRun(&run, r, 0, LD, rownnz, rowadr, colind, index);
      solveUp(&run, y);
      r -= run.count;
    }
    for (int r = 0; r < n;) {
      if (!index && r + SIX <= n && endsSix(r + SIX - 1, rownnz, rowadr, colind)) {
        solveDownSix(LD + rowadr[r], LDiagInv + r, y + r);
        r += SIX;
        continue;
      }
      int k = index ? index[r] : r, last = endOfRun(r, n, rownnz, rowadr, colind, index);
      if (last == r && rownnz[k] == 1) {
        if (index) {
          y[k] *= LDiagInv[k];
          r++;
        } else {
          int count = countAlone(r, n, rownnz, rowadr);
          scaleAlone(y + r, LDiagInv + r, count);
          r += count;
        }
        continue;
      }
      findRun(&run, last, r, LD, rownnz, rowadr, colind, index);
      solveDown(&run, LDiagInv, y);
      r += run.count;
    }
  }
}

// res += what a run adds: its rows times vec, and its columns times the values of its rows
SN_KERNEL void mulRun(const Run* run, snReal* SN_RESTRICT res, const snReal* SN_RESTRICT vec) {
  SN_ASSERT(run->count >= 1 && run->count <= MAX_RUN);
  const snReal *a = run->row[0], *b = run->row[1], *c = run->row[2], *d = run->row[3];
  const int *col = run->col, *dof = run->dof;
  int n = run->outside, last = n + run->count - 1;
  snReal v0 = vec[dof[0]], v1, v2, v3, s0 = a[last] * v0, s1, s2, s3;
  switch (run->count) {
    case 1:
      for (int p = 0; p < n; p++) {
        s0 += a[p] * vec[col[p]];
        res[col[p]] += a[p] * v0;
      }
      res[dof[0]] = s0;
      break;
    case 2:
      v1 = vec[dof[1]];
      s1 = b[n] * v1;
      for (int p = 0; p < n; p++) {
        snReal x = vec[col[p]];
        s0 += a[p] * x;
        s1 += b[p] * x;
        res[col[p]] = (res[col[p]] + b[p] * v1) + a[p] * v0;
      }
      res[dof[1]] = s1 + a[n] * v0;
      res[dof[0]] = s0 + a[n] * v1;
      break;
    case 3:
      v1 = vec[dof[1]];
      v2 = vec[dof[2]];
      s1 = b[n + 1] * v1;
      s2 = c[n] * v2;
      for (int p = 0; p < n; p++) {
        snReal x = vec[col[p]];
        s0 += a[p] * x;
        s1 += b[p] * x;
        s2 += c[p] * x;
        res[col[p]] = ((res[col[p]] + c[p] * v2) + b[p] * v1) + a[p] * v0;
      }
      res[dof[2]] = (s2 + b[n] * v1) + a[n] * v0;
      res[dof[1]] = (s1 + b[n] * v2) + a[n + 1] * v0;
      res[dof[0]] = (s0 + a[n] * v2) + a[n + 1] * v1;
      break;
    default:
      v1 = vec[dof[1]];
      v2 = vec[dof[2]];
      v3 = vec[dof[3]];
      s1 = b[n + 2] * v1;
      s2 = c[n + 1] * v2;
      s3 = d[n] * v3;
      for (int p = 0; p < n; p++) {
        snReal x = vec[col[p]];
        s0 += a[p] * x;
        s1 += b[p] * x;
        s2 += c[p] * x;
        s3 += d[p] * x;
        res[col[p]] = (((res[col[p]] + d[p] * v3) + c[p] * v2) + b[p] * v1) + a[p] * v0;
      }
      res[dof[3]] = ((s3 + c[n] * v2) + b[n] * v1) + a[n] * v0;
      res[dof[2]] = ((s2 + c[n] * v3) + b[n + 1] * v1) + a[n + 1] * v0;
      res[dof[1]] = ((s1 + b[n] * v3) + b[n + 1] * v2) + a[n + 2] * v0;
      res[dof[0]] = ((s0 + a[n] * v3) + a[n + 1] * v2) + a[n + 2] * v1;
      break;
  }
}

SN_WIDE(, void, sn_mulTreeRows,
        (snReal * res, const snReal* mat, const snReal* vec, int begin, int end, const int* rownnz,
         const int* rowadr, const int* colind),
        (res, mat, vec, begin, end, rownnz, rowadr, colind)) {
  SN_ASSERT(res != vec && begin >= 0);
  Run run;
  run.row[1] = run.row[2] = run.row[3] = mat;
  for (int r = begin; r < end; r += run.count) {
    if (r + SIX <= end && endsSix(r + SIX - 1, rownnz, rowadr, colind)) {
      mulSix(mat + rowadr[r], res + r, vec + r);
      run.count = SIX;
      continue;
    }
    int last = endOfRun(r, end, rownnz, rowadr, colind, NULL);
    if (last == r && rownnz[r] == 1) {
      run.count = countAlone(r, end, rownnz, rowadr);
      mulAlone(res + r, mat + rowadr[r], vec + r, run.count);
      continue;
    }
    findRun(&run, last, r, mat, rownnz, rowadr, colind, NULL);
    mulRun(&run, res, vec);
  }
}

void sn_mulTree(snReal* res, const snReal* mat, const snReal* vec, int n, const int* rownnz,
                const int* rowadr, const int* colind) {
  SN_ASSERT(sn_isTree(n, rownnz, rowadr, colind, NULL));
  if (SN_LANES > 1) {
    sn_mulTreeTeam(res, mat, vec, n, rownnz, rowadr, colind);
  } else {
    sn_mulTreeRows(res, mat, vec, 0, n, rownnz, rowadr, colind);
  }
}
