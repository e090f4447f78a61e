// Products with the Jacobian of the rows, which is kept in compressed rows.

#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/lanes/lanes.h"
#include "engine/step/plan.h"
#include "math/four.h"
#include "math/math.h"
#include "math/sparse.h"

// columns that are gathered at a time
enum { CHUNK = 128 };

snRows sn_constraintRows(const snData* d) {
  snRows rows;
  rows.value = d->efc_Js;
  rows.nnz = d->efc_J_rownnz;
  rows.adr = d->efc_J_rowadr;
  rows.col = d->efc_J_colind;
  rows.super = d->efc_J_rowsuper;
  rows.pairs = NULL;
  rows.start = rows.row = rows.place = NULL;
  return rows;
}

snRows sn_rowsFrom(const snData* d, int row) {
  snRows rows = sn_constraintRows(d);
  rows.nnz += row;
  rows.adr += row;
  rows.super += row;
  return rows;
}

// Rows of six entries, as those between two points that slide: the same sums as sn_dotSparse and
// sn_addToSclSparse, without their loops.
static inline snReal dotSix(const snReal* value, const int* col, const snReal* vec) {
  snReal even = value[0] * vec[col[0]] + value[2] * vec[col[2]];
  snReal odd = value[1] * vec[col[1]] + value[3] * vec[col[3]];
  return ((even + odd) + value[4] * vec[col[4]]) + value[5] * vec[col[5]];
}

static inline void addSix(snReal* SN_RESTRICT res, const snReal* SN_RESTRICT value,
                          const int* SN_RESTRICT col, snReal scale) {
  for (int k = 0; k < 6; k++) res[col[k]] += value[k] * scale;
}

// Number of consecutive rows from i on that have six entries and are a block each.
static inline int countSixes(const snRows* J, int i, int n) {
  SN_ASSERT_INDEX(i, n);
  int end = i;
  while (end < n && J->nnz[end] == 6 && !J->super[end]) {
    if (J->pairs && J->pairs[end]) break;
    end++;
  }
  return end - i;
}

// ---- rows between two points that slide ----------------------------------------------------------

static int isPair(const snRows* J, int i) {
  SN_ASSERT(i >= 0);
  if (J->nnz[i] != 6 || J->super[i]) return 0;
  const int* col = J->col + J->adr[i];
  return col[2] - col[0] == 2 && col[5] - col[3] == 2;
}

// Two rows of the same points, each of which slides along three axes: the invariants around a vertex.
static int isTwin(const snRows* J, int i, int n) {
  int nnz = J->nnz[i];
  if (i + 1 >= n || J->nnz[i + 1] != nnz || !nnz || nnz % 3 || J->super[i] || J->super[i + 1])
    return 0;
  const int *col = J->col + J->adr[i], *other = J->col + J->adr[i + 1];
  int same = 1;
  for (int k = 0; k < nnz; k += 3) {
    same &= col[k + 2] - col[k] == 2 && other[k + 2] == col[k + 2] && other[k] == col[k];
  }
  return same;
}

void sn_findPairs(const snRows* J, int n, int* pairs) {
  enum { FEWEST = 4 };
  for (int i = 0, end; i < n; i = end) {
    int twins = 0;
    for (end = i; end < n && isPair(J, end) && J->adr[end] == J->adr[i] + 6 * (end - i);) end++;
    if (end == i) {
      for (; isTwin(J, end, n); end += 2) twins += 2;
    }
    pairs[i] = twins ? -twins : end - i >= FEWEST ? end - i : 0;
    end = end > i ? end : i + 1;
    for (int k = i + 1; k < end; k++) pairs[k] = 0;
  }
}

SN_KERNEL void mulTwins(snReal* SN_RESTRICT res, const snRows* J, const snReal* vec, int first,
                        int n) {
  for (int r = first; r < first + n; r += 2) {
    const snReal *a = J->value + J->adr[r], *b = J->value + J->adr[r + 1];
    const int* col = J->col + J->adr[r];
    int nnz = J->nnz[r];
    snReal a0 = 0, a1 = 0, a2 = 0, b0 = 0, b1 = 0, b2 = 0;
    for (int k = 0; k < nnz; k += 3) {
      const snReal* x = vec + col[k];
      a0 += a[k] * x[0];
      b0 += b[k] * x[0];
      a1 += a[k + 1] * x[1];
      b1 += b[k + 1] * x[1];
      a2 += a[k + 2] * x[2];
      b2 += b[k + 2] * x[2];
    }
    res[r] = (a0 + a1) + a2;
    res[r + 1] = (b0 + b1) + b2;
  }
}

SN_KERNEL void addTwins(snReal* SN_RESTRICT res, const snRows* J, const snReal* vec, int first,
                        int n) {
  for (int r = first; r < first + n; r += 2) {
    const snReal *a = J->value + J->adr[r], *b = J->value + J->adr[r + 1];
    const int* col = J->col + J->adr[r];
    int nnz = J->nnz[r];
    snReal p = vec[r], q = vec[r + 1];
    for (int k = 0; k < nnz; k += 3) {
      snReal* x = res + col[k];
      x[0] += a[k] * p + b[k] * q;
      x[1] += a[k + 1] * p + b[k + 1] * q;
      x[2] += a[k + 2] * p + b[k + 2] * q;
    }
  }
}

SN_KERNEL void mulPairs(snReal* SN_RESTRICT res, const snRows* J, const snReal* vec, int first,
                        int n) {
  SN_ASSERT(first >= 0 && n > 0);
  const snReal* value = J->value + J->adr[first];
  const int* col = J->col + J->adr[first];
  for (int r = first; r < first + n; r++, value += 6, col += 6) {
    const snReal *a = vec + col[0], *b = vec + col[3];
    snReal even = value[0] * a[0] + value[2] * a[2], odd = value[1] * a[1] + value[3] * b[0];
    res[r] = ((even + odd) + value[4] * b[1]) + value[5] * b[2];
  }
}

SN_KERNEL void addToPair(snReal* res, const snReal* value, const int* col, snReal scale) {
  snReal *a = res + col[0], *b = res + col[3];
  for (int k = 0; k < 3; k++) {
    a[k] += value[k] * scale;
    b[k] += value[3 + k] * scale;
  }
}

// Takes rows from both halves in turn: neighbouring rows share a point, and each addition would wait for the one
// before.
SN_KERNEL void addPairs(snReal* res, const snRows* J, const snReal* vec, int first, int n) {
  const snReal *value = J->value + J->adr[first], *scale = vec + first;
  const int* col = J->col + J->adr[first];
  int half = n / 2;
  for (int r = 0; r < half; r++) {
    addToPair(res, value + 6 * r, col + 6 * r, scale[r]);
    addToPair(res, value + 6 * (half + r), col + 6 * (half + r), scale[half + r]);
  }
  if (2 * half < n) addToPair(res, value + 12 * half, col + 12 * half, scale[2 * half]);
}

// ---- rows of points that slide on one free body ---------------------------------------------------
//
// Their first six columns are those of the body, one or two follow: edges of a flex with dof "radial". Rows
// that follow one another have the numbers of the body in registers; sums are those of sn_dotSparse and
// sn_addToSclSparse.

enum { HEAD = 6 };

SN_KERNEL int isRiding(const snRows* J, int i, int head) {
  const int* col = J->col + J->adr[i];
  return (J->nnz[i] == HEAD + 1 || J->nnz[i] == HEAD + 2) && !J->super[i] && col[0] == head &&
         col[HEAD - 1] == head + HEAD - 1;
}

// rows from i on; returns how many there are, 0 if row i is none
SN_KERNEL int mulRiding(snReal* SN_RESTRICT res, const snRows* J, const snReal* vec, int i, int n) {
  int r = i, head = J->col[J->adr[i]];
  if (!isRiding(J, i, head)) return 0;
  snReal x[HEAD];
  for (int k = 0; k < HEAD; k++) x[k] = vec[head + k];
  for (; r < n && isRiding(J, r, head); r++) {
    const snReal* value = J->value + J->adr[r];
    const int* col = J->col + J->adr[r];
    snReal s0 = value[0] * x[0], s1 = value[1] * x[1], s2 = value[2] * x[2], s3 = value[3] * x[3];
    snReal v4 = value[4] * x[4], v5 = value[5] * x[5], v6 = value[6] * vec[col[6]];
    if (J->nnz[r] == HEAD + 1) {
      res[r] = ((((s0 + s2) + (s1 + s3)) + v4) + v5) + v6;
    } else {
      res[r] = ((s0 + v4) + (s2 + v6)) + ((s1 + v5) + (s3 + value[7] * vec[col[7]]));
    }
  }
  return r - i;
}

SN_KERNEL int addRiding(snReal* SN_RESTRICT res, const snRows* J, const snReal* vec, int i, int n) {
  int r = i, head = J->col[J->adr[i]];
  if (!isRiding(J, i, head)) return 0;
  snReal sum[HEAD];
  for (int k = 0; k < HEAD; k++) sum[k] = res[head + k];
  for (; r < n && isRiding(J, r, head); r++) {
    const snReal *value = J->value + J->adr[r], scale = vec[r];
    const int* col = J->col + J->adr[r];
    if (scale == 0) continue;
    for (int k = 0; k < HEAD; k++) sum[k] += value[k] * scale;
    res[col[6]] += value[6] * scale;
    if (J->nnz[r] > HEAD + 1) res[col[7]] += value[7] * scale;
  }
  for (int k = 0; k < HEAD; k++) res[head + k] = sum[k];
  return r - i;
}

// ---- four rows between two free bodies: a contact with friction, the columns of each body side by side

enum { TWELVE = 12 };

SN_KERNEL int isBetweenTwo(const int* col, int count, int nnz) {
  return nnz == TWELVE && count == 4 && col[5] - col[0] == 5 && col[11] - col[6] == 5;
}

// a and b: the six numbers of each body
SN_KERNEL void dotTwelve(snReal* res, const snRows* J, int first, const snReal* a,
                         const snReal* b) {
#if SN_HAS_FOUR
  snFour v0 = SN_LOAD4(a), v1 = {a[4], a[5], b[0], b[1]}, v2 = SN_LOAD4(b + 2);
  for (int r = 0; r < 4; r++) {
    const snReal* row = J->value + J->adr[first + r];
    snFour zero = {0, 0, 0, 0};
    snFour s = ((zero + SN_LOAD4(row) * v0) + SN_LOAD4(row + 4) * v1) + SN_LOAD4(row + 8) * v2;
    res[r] = SN_SUM4(s);
  }
#else
  snReal gathered[TWELVE];
  for (int k = 0; k < 6; k++) gathered[k] = a[k], gathered[6 + k] = b[k];
  for (int r = 0; r < 4; r++) res[r] = snu_dot(J->value + J->adr[first + r], gathered, TWELVE);
#endif
}

// their sum times four multipliers, added to a and b
SN_KERNEL void addTwelve(snReal* a, snReal* b, const snRows* J, int first, const snReal f[4]) {
  if (f[0] == 0 && f[1] == 0 && f[2] == 0 && f[3] == 0) return;
  const snReal* row[4];
  for (int k = 0; k < 4; k++) row[k] = J->value + J->adr[first + k];
#if SN_HAS_FOUR
  snFour sum[3];
  for (int k = 0; k < 3; k++) {
    sum[k] = ((SN_LOAD4(row[0] + 4 * k) * f[0] + SN_LOAD4(row[1] + 4 * k) * f[1]) +
              SN_LOAD4(row[2] + 4 * k) * f[2]) +
             SN_LOAD4(row[3] + 4 * k) * f[3];
  }
  *(snFour*)a += sum[0];
  a[4] += sum[1][0];
  a[5] += sum[1][1];
  b[0] += sum[1][2];
  b[1] += sum[1][3];
  *(snFour*)(b + 2) += sum[2];
#else
  snReal sum[TWELVE];
  sn_combineFour(sum, row, f, TWELVE);
  for (int k = 0; k < 6; k++) a[k] += sum[k], b[k] += sum[6 + k];
#endif
}

// ---- three rows with three columns: a contact with friction of a body that moves in a plane

enum { THREE = 3 };

SN_KERNEL int isPlanar(int count, int nnz) { return count == THREE && nnz == THREE; }

SN_KERNEL void dotPlanar(snReal* res, const snRows* J, const snReal* vec, int first) {
  const int* col = J->col + J->adr[first];
  snReal x[THREE] = {vec[col[0]], vec[col[1]], vec[col[2]]};
  for (int r = 0; r < THREE; r++) res[r] = sn_addRest(0, J->value + J->adr[first + r], x, THREE);
}

// One of the directions of friction is often across the plane, where there is no force. Returns 0, and adds nothing, when
// the normal force is zero.
SN_KERNEL int addPlanar(snReal* res, const snRows* J, const snReal* vec, int first) {
  const int *col = J->col + J->adr[first], *adr = J->adr + first;
  const snReal* f = vec + first;
  snReal sum[THREE];
  if (f[0] == 0) return 0;
  for (int k = 0; k < THREE; k++) sum[k] = J->value[adr[0] + k] * f[0];
  for (int r = 1; r < THREE; r++) {
    if (f[r] == 0) continue;
    for (int k = 0; k < THREE; k++) sum[k] += J->value[adr[r] + k] * f[r];
  }
  for (int k = 0; k < THREE; k++) res[col[k]] += sum[k];
  return 1;
}

// ---- products ------------------------------------------------------------------------------------

// a lane takes a row
static void shareRowsVec(snReal* res, const snRows* J, const snReal* vec, int n) {
  SN_ASSERT(SN_LANES > 1);
  SN_FOR(r, n) {
    const snReal* value = J->value + J->adr[r];
    const int* col = J->col + J->adr[r];
    int nnz = J->nnz[r];
    snReal sum = 0;
    for (int k = 0; k < nnz; k++) sum += value[k] * vec[col[k]];
    res[r] = sum;
  }
  SN_SYNC();
}

// Inner products of the rows of one block, whose columns are gathered.
SN_KERNEL void dotBlock(snReal* res, const snRows* J, const snReal* gathered, int first, int count,
                        int nnz) {
  int r = 0;
  for (; r + 4 <= count; r += 4) {
    const snReal* row[4];
    for (int k = 0; k < 4; k++) row[k] = J->value + J->adr[first + r + k];
    sn_dotFour(res + r, row, gathered, nnz);
  }
  for (; r < count; r++) res[r] = sn_dotOne(J->value + J->adr[first + r], gathered, nnz);
}

// Blocks of four rows from row i on that have the same columns side by side, those of x: contacts of one body, or of
// an interpolated flex. Returns the number of rows.
SN_KERNEL int mulAlike(snReal* res, const snRows* J, const snReal* x, int i, int n, int nnz) {
  int r = i, head = J->col[J->adr[i]], adr;
  do {
    const snReal* row[4];
    for (int k = 0; k < 4; k++) row[k] = J->value + J->adr[r + k];
    sn_dotFour(res + r, row, x, nnz);
    r += 4;
    if (r + 4 > n || J->super[r] != 3 || J->nnz[r] != nnz) break;
    adr = J->adr[r];
  } while (J->col[adr] == head && J->col[adr + nnz - 1] == head + nnz - 1);
  return r - i;
}

SN_WIDE(SN_OUTLINE, void, sn_mulRowsVec, (snReal * res, const snRows* J, const snReal* vec, int n),
        (res, J, vec, n)) {
  if (SN_LANES > 1) {
    shareRowsVec(res, J, vec, n);
    return;
  }
  for (int i = 0; i < n;) {
    int count = J->super[i] + 1, nnz = J->nnz[i], riding;
    if (count > n - i) count = n - i;
    const int* col = J->col + J->adr[i];
    if (J->pairs && J->pairs[i]) {
      count = J->pairs[i];
      if (count < 0) {
        count = -count;
        mulTwins(res, J, vec, i, count);
      } else {
        mulPairs(res, J, vec, i, count);
      }
    } else if (nnz == 1) {  // friction and limits of joints
      for (int r = i; r < i + count; r++) res[r] = J->value[J->adr[r]] * vec[*col];
    } else if (count == 1 && nnz == 6) {
      count = countSixes(J, i, n);
      for (int r = i; r < i + count; r++) {
        res[r] = dotSix(J->value + J->adr[r], J->col + J->adr[r], vec);
      }
    } else if (count == 1 && (riding = mulRiding(res, J, vec, i, n)) > 0) {
      count = riding;
    } else if (count == 1 || nnz > CHUNK) {
      for (int r = i; r < i + count; r++) {
        res[r] = sn_dotSparse(J->value + J->adr[r], J->col + J->adr[r], nnz, vec);
      }
    } else if (isPlanar(count, nnz)) {
      dotPlanar(res + i, J, vec, i);
    } else {
      snReal gathered[CHUNK];
      if (col[nnz - 1] - col[0] == nnz - 1) {  // without gaps
        if (count == 4) {
          count = mulAlike(res, J, vec + col[0], i, n, nnz);
        } else {
          dotBlock(res + i, J, vec + col[0], i, count, nnz);
        }
      } else if (isBetweenTwo(col, count, nnz)) {
        dotTwelve(res + i, J, i, vec + col[0], vec + col[6]);
      } else {
        for (int k = 0; k < nnz; k++) gathered[k] = vec[col[k]];
        dotBlock(res + i, J, gathered, i, count, nnz);
      }
    }
    i += count;
  }
}

// Sum of the rows of one block times their multipliers; returns 0 when all of these are zero.
SN_KERNEL int sumBlock(snReal* SN_RESTRICT sum, const snRows* J, const snReal* vec, int first,
                       int count, int nnz) {
  int r = first, end = first + count, any = 0;
  if (count == 4) {  // a contact with friction
    const snReal* row[4];
    if (vec[r] == 0 && vec[r + 1] == 0 && vec[r + 2] == 0 && vec[r + 3] == 0) return 0;
    for (int k = 0; k < 4; k++) row[k] = J->value + J->adr[r + k];
    sn_combineFour(sum, row, vec + r, nnz);
    return 1;
  }
  if (count == 3 && vec[r] != 0 && vec[r + 1] != 0 && vec[r + 2] != 0) {
    const snReal *a = J->value + J->adr[r], *b = J->value + J->adr[r + 1];
    const snReal* SN_RESTRICT c = J->value + J->adr[r + 2];
    snReal f0 = vec[r], f1 = vec[r + 1], f2 = vec[r + 2];
    for (int k = 0; k < nnz; k++) sum[k] = (a[k] * f0 + b[k] * f1) + c[k] * f2;
    return 1;
  }
  for (; r < end; r++) {
    const snReal* SN_RESTRICT value = J->value + J->adr[r];
    snReal scale = vec[r];
    if (scale == 0) continue;
    if (any++) {
      for (int k = 0; k < nnz; k++) sum[k] += value[k] * scale;
    } else {
      for (int k = 0; k < nnz; k++) sum[k] = value[k] * scale;
    }
  }
  return any;
}

// ---- columns, for teams --------------------------------------------------------------------------

int sn_countEntries(const snRows* J, int n) {
  int count = 0;
  SN_FOR(r, n) count += J->nnz[r];
  return sn_teamSumInt(count);
}

// Prefix sums: start[k + 1] becomes the number of entries in the columns before k.
static void sumCounts(int nv, int* start) {
  int before = 0, total;
  for (int base = 0; base < nv; base += SN_LANES) {
    int k = base + SN_LANE, count = k < nv ? start[k + 1] : 0;
    int first = before + sn_teamScan(count, &total);
    if (k < nv) start[k + 1] = first;
    before += total;
  }
  SN_SYNC();
}

// by row, so that sums have the same order in every run
static void sortColumn(int n, int* row, int* place) {
  for (int i = 1; i < n; i++) {
    int r = row[i], at = place[i], j = i;
    for (; j > 0 && row[j - 1] > r; j--) {
      row[j] = row[j - 1];
      place[j] = place[j - 1];
    }
    row[j] = r;
    place[j] = at;
  }
}

// A lane counts the entries of a row by column; after a prefix sum it fills them in, which moves the
// beginning of each column to that of the next one.
void sn_listColumns(snRows* J, int n, int nv, int* start, int* row, int* place) {
  SN_FOR(k, nv + 1) start[k] = 0;
  SN_SYNC();
  SN_FOR(r, n) {
    for (int i = J->adr[r]; i < J->adr[r] + J->nnz[r]; i++) (void)SN_NEXT(start[J->col[i] + 1]);
  }
  SN_SYNC();
  sumCounts(nv, start);
  SN_FOR(r, n) {
    for (int i = J->adr[r]; i < J->adr[r] + J->nnz[r]; i++) {
      int at = SN_NEXT(start[J->col[i] + 1]);
      row[at] = r;
      place[at] = i;
    }
  }
  SN_SYNC();
  SN_FOR(k, nv) sortColumn(start[k + 1] - start[k], row + start[k], place + start[k]);
  SN_SYNC();
  J->start = start;
  J->row = row;
  J->place = place;
}

// a lane takes a column
static void shareColumns(snReal* res, const snRows* J, const snReal* vec, int nv) {
  SN_ASSERT(SN_LANES > 1);
  SN_FOR(k, nv) {
    snReal sum = 0;
    for (int i = J->start[k]; i < J->start[k + 1]; i++)
      sum += J->value[J->place[i]] * vec[J->row[i]];
    res[k] = sum;
  }
  SN_SYNC();
}

// a lane takes a column of a block
static void shareRowsTVec(snReal* res, const snRows* J, const snReal* vec, int n, int nv) {
  SN_ASSERT(SN_LANES > 1);
  SN_FOR(k, nv) res[k] = 0;
  SN_SYNC();
  for (int i = 0, count; i < n; i += count) {
    count = J->super[i] + 1;
    if (count > n - i) count = n - i;
    const int* col = J->col + J->adr[i];
    SN_FOR(k, J->nnz[i]) {
      snReal sum = 0;
      for (int r = i; r < i + count; r++) sum += J->value[J->adr[r] + k] * vec[r];
      res[col[k]] += sum;
    }
    SN_SYNC();
  }
}

SN_WIDE(, void, sn_mulRowsTVec,
        (snReal * SN_RESTRICT res, const snRows* J, const snReal* vec, int n, int nv),
        (res, J, vec, n, nv)) {
  if (SN_LANES > 1) {
    if (J->start) {
      shareColumns(res, J, vec, nv);
    } else {
      shareRowsTVec(res, J, vec, n, nv);
    }
    return;
  }
  snu_zero(res, nv);
  for (int i = 0; i < n;) {
    int count = J->super[i] + 1, nnz = J->nnz[i], riding;
    if (count > n - i) count = n - i;
    if (J->pairs && J->pairs[i]) {
      count = J->pairs[i];
      if (count < 0) {
        count = -count;
        addTwins(res, J, vec, i, count);
      } else {
        addPairs(res, J, vec, i, count);
      }
    } else if (nnz == 1) {
      for (int r = i; r < i + count; r++) res[J->col[J->adr[i]]] += J->value[J->adr[r]] * vec[r];
    } else if (count == 1 && nnz == 6) {
      count = countSixes(J, i, n);
      for (int r = i; r < i + count; r++) {
        if (vec[r] != 0) addSix(res, J->value + J->adr[r], J->col + J->adr[r], vec[r]);
      }
    } else if (count == 1 && (riding = addRiding(res, J, vec, i, n)) > 0) {
      count = riding;
    } else if (count == 1 || nnz > CHUNK) {
      for (int r = i; r < i + count; r++) {
        if (vec[r] != 0) {
          sn_addToSclSparse(res, J->value + J->adr[r], J->col + J->adr[r], nnz, vec[r]);
        }
      }
    } else if (!isPlanar(count, nnz) || !addPlanar(res, J, vec, i)) {
      snReal sum[CHUNK];
      const int* col = J->col + J->adr[i];
      if (isBetweenTwo(col, count, nnz)) {
        addTwelve(res + col[0], res + col[6], J, i, vec + i);
      } else if (!sumBlock(sum, J, vec, i, count, nnz)) {
        // nothing to add
      } else if (col[nnz - 1] - col[0] == nnz - 1) {
        for (int k = 0; k < nnz; k++) res[col[0] + k] += sum[k];
      } else {
        for (int k = 0; k < nnz; k++) res[col[k]] += sum[k];
      }
    }
    i += count;
  }
}

static SN_OUTLINE void mulAllRows(const snData* d, snReal* res, const snReal* vec) {
  snRows J = sn_constraintRows(d);
  sn_mulRowsVec(res, &J, vec, d->nefc);
}

void sn_mulJacVec(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  if (!d->nefc) return;
  if (sn_plans(m, d, snPLAN_ROW_PRODUCTS)) {
    sn_mulJacVecLanes(m, d, res, vec);
  } else {
    mulAllRows(d, res, vec);
  }
}

void sn_mulJacTVec(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  if (!d->nefc) return;
  snRows J = sn_constraintRows(d);
  sn_mulRowsTVec(res, &J, vec, d->nefc, (int)m->nv);
}
