// The dual matrix AR = J M^-1 J' + diag(R).
//
// With M = L' D L, AR = B B' + diag(R) where row r of B solves B_r = D^-1/2 L^-T J_r'. Its columns
// are those of J_r and their ancestors in M; two rows are coupled when their columns meet.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/bits.h"
#include "engine/constrain/constraint.h"
#include "engine/smooth/inertia.h"
#include "engine/step/timer.h"
#include "math/four.h"
#include "math/math.h"

typedef uint64_t Word;

enum { TELLS = 3, MORE = -2 };

// B by rows and, to find partners, its pattern by columns
typedef struct Factor_ {
  int* nnz;
  int* adr;
  snByte* closed;  // by row that leads a group: are its columns those of J?
  int* col;
  snReal* value;
  int* start;       // by column: first entry
  int* partner;     // by column: rows that lead a group of one pattern, ascending
  snByte* begins;   // by column: do some rows have it or the column before, but not both?
  snByte* telling;  // by column: are partners of rows found by it?
  int* rows;        // by column: number of rows in the groups that have it
  int* tells;       // by row that leads a group: columns that tell its partners; -1: none
  int* ends;        // by entry: where the columns of one tree end that begin there
  const int* tree;  // of each dof
  snByte* touched;  // by tree: do the present rows have columns of it?
  snReal* root;     // by dof: roots of the inverse diagonal of D
  snInertia inertia;
  Word* mark;  // set of dofs or rows
  int width;   // words of the larger of the two sets
} Factor;

static void setBit(Word* set, int i) { set[i / snBITS] |= (Word)1 << (i % snBITS); }
static int hasBit(const Word* set, int i) { return (int)(set[i / snBITS] >> (i % snBITS) & 1); }

// ascending members of a set; returns their number. Nullable: list.
static int listSet(const Word* set, int width, int* list) {
  int n = 0;
  for (int w = 0; w < width; w++) {
    for (Word word = set[w]; word; word &= word - 1, n++) {
      if (list) list[n] = w * snBITS + sn_lowestBit(word);
    }
  }
  return n;
}

// Columns of row r of J and all ancestors that M couples to them. The ancestors of a marked dof are marked already.
static void markClosure(const snData* d, int row, Factor* f) {
  SN_ASSERT_INDEX(row, d->nefc);
  const snInertia* M = &f->inertia;
  int trees = !d->nMs;
  memset(f->mark, 0, (size_t)f->width * sizeof(Word));
  const int* col = d->efc_J_colind + d->efc_J_rowadr[row];
  for (int k = d->efc_J_rownnz[row] - 1; k >= 0; k--) {
    if (trees && hasBit(f->mark, col[k])) continue;
    int adr = M->rowadr[col[k]];
    for (int j = adr; j < adr + M->rownnz[col[k]]; j++) setBit(f->mark, M->colind[j]);
  }
}

// Is row r of J closed: does it have all ancestors of its columns? Only recognised for runs of consecutive columns that
// begin at the roots of trees, as in contacts of bodies.
static int isClosed(const snData* d, int row, const Factor* f) {
  const snInertia* M = &f->inertia;
  const int* col = d->efc_J_colind + d->efc_J_rowadr[row];
  int closed = !d->nMs;
  for (int k = 0; closed && k < d->efc_J_rownnz[row]; k++) {
    int n = M->rownnz[col[k]];
    closed = n == 1 || (k && M->colind[M->rowadr[col[k]] + n - 2] == col[k - 1]);
  }
  return closed;
}

// Columns of row r of B; returns their number. Nullable: list, the first time.
static int listClosure(const snData* d, int row, Factor* f, int* list) {
  if (!list) f->closed[row] = (snByte)isClosed(d, row, f);
  if (f->closed[row]) {
    int n = d->efc_J_rownnz[row];
    if (list && n) memcpy(list, d->efc_J_colind + d->efc_J_rowadr[row], (size_t)n * sizeof(int));
    return n;
  }
  markClosure(d, row, f);
  return listSet(f->mark, f->width, list);
}

// one past the rows of one pattern that row r leads
static int groupEnd(const snData* d, int r) {
  SN_ASSERT_INDEX(r, d->nefc);
  int end = r + d->efc_J_rowsuper[r] + 1;
  return end < d->nefc ? end : d->nefc;
}

static int countFactor(const snData* d, Factor* f) {
  SN_ASSERT(d->nefc > 0);
  int total = 0;
  for (int r = 0; r < d->nefc;) {
    int n = listClosure(d, r, f, NULL);
    for (int end = groupEnd(d, r); r < end; r++) {
      f->nnz[r] = n;
      f->adr[r] = total;
      total += n;
    }
  }
  return total;
}

// row r of B, whose columns and roots are known
static void fillRow(const snData* d, const Factor* f, int r, snReal* work) {
  const snInertia* M = &f->inertia;
  const int* col = f->col + f->adr[r];
  int n = f->nnz[r], adr = d->efc_J_rowadr[r];
  for (int k = 0; k < n; k++) work[col[k]] = 0;
  for (int k = 0; k < d->efc_J_rownnz[r]; k++) {
    work[d->efc_J_colind[adr + k]] = d->efc_Js[adr + k];
  }
  for (int k = n - 1; k >= 0; k--) {
    int dof = col[k], begin = M->rowadr[dof], last = begin + M->rownnz[dof] - 1;
    snReal value = work[dof];
    for (int j = begin; j < last; j++) work[M->colind[j]] -= M->LD[j] * value;
    f->value[f->adr[r] + k] = value * f->root[dof];
  }
}

// The same of two to four rows of one pattern; work has four numbers for each dof.
#if SN_HAS_FOUR
SN_WIDE(static, void, fillFour, (const snData* d, const Factor* f, int r, int count, snReal* work),
        (d, f, r, count, work)) {
  const snInertia* M = &f->inertia;
  const int *col = f->col + f->adr[r], *from = d->efc_J_colind + d->efc_J_rowadr[r];
  snFour zero = {0, 0, 0, 0};
  int n = f->nnz[r];
  SN_ASSERT(count <= 4 && f->nnz[r + count - 1] == n);
  for (int k = 0; k < n; k++) *(snFour*)(work + 4 * col[k]) = zero;
  for (int q = 0; q < count; q++) {
    const snReal* J = d->efc_Js + d->efc_J_rowadr[r + q];
    for (int k = 0; k < d->efc_J_rownnz[r]; k++) work[4 * from[k] + q] = J[k];
  }
  for (int k = n - 1; k >= 0; k--) {
    int dof = col[k], begin = M->rowadr[dof], last = begin + M->rownnz[dof] - 1;
    snFour value = SN_LOAD4(work + 4 * dof), scaled = value * f->root[dof];
    for (int j = begin; j < last; j++) *(snFour*)(work + 4 * M->colind[j]) -= M->LD[j] * value;
    for (int q = 0; q < count; q++) f->value[f->adr[r + q] + k] = scaled[q];
  }
}
#else
static void fillFour(const snData* d, const Factor* f, int r, int count, snReal* work) {
  for (int q = 0; q < count; q++) fillRow(d, f, r + q, work);
}
#endif

// Columns of one tree are contiguous.
static void splitTrees(const Factor* f, int r) {
  const int *col = f->col + f->adr[r], *tree = f->tree;
  int *ends = f->ends + f->adr[r], n = f->nnz[r];
  for (int k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && tree[col[end]] == tree[col[k]];) end++;
    ends[k] = end;
  }
}

// work has four numbers for each dof
static void fillFactor(const snData* d, int nv, Factor* f, snReal* work) {
  for (int i = 0; i < nv; i++) f->root[i] = snu_sqrt(f->inertia.LDiagInv[i]);
  for (int r = 0, end; r < d->nefc; r = end) {
    int *col = f->col + f->adr[r], n = f->nnz[r];
    end = groupEnd(d, r);
    listClosure(d, r, f, col);
    if (f->ends) splitTrees(f, r);
    for (int s = r + 1; s < end; s++) {
      memcpy(f->col + f->adr[s], col, (size_t)n * sizeof(int));
      if (f->ends) memcpy(f->ends + f->adr[s], f->ends + f->adr[r], (size_t)n * sizeof(int));
    }
    for (int s = r, count; s < end; s += count) {
      count = end - s < 4 ? end - s : 4;
      if (count > 1) {
        fillFour(d, f, s, count, work);
      } else {
        fillRow(d, f, s, work);
      }
    }
  }
}

// By which columns are partners found? Where M couples no trees, rows that share a dof also share the root of its tree,
// whose row of M has one entry: roots suffice. Of columns side by side that have the same rows, as those of
// a free body, the first suffices.
static void chooseTelling(const snData* d, int nv, const Factor* f) {
  memset(f->begins, 0, (size_t)nv + 1);
  for (int r = 0; r < d->nefc; r = groupEnd(d, r)) {
    const int* col = f->col + f->adr[r];
    for (int k = 0, n = f->nnz[r], first; k < n;) {
      f->begins[first = col[k]] = 1;
      for (int begin = k; k < n && col[k] - first == k - begin;) k++;
      f->begins[col[k - 1] + 1] = 1;
    }
  }
  for (int i = 0; i < nv; i++) f->telling[i] = d->nMs || f->inertia.rownnz[i] == 1;
  for (int i = nv - 1; i > 0; i--) f->telling[i] &= f->begins[i] | !f->telling[i - 1];
}

// By which columns are the partners of row r found?
static void findTells(const Factor* f, int r) {
  const int* col = f->col + f->adr[r];
  int n = 0, *tells = f->tells + TELLS * r;
  for (int k = 0; k < TELLS; k++) tells[k] = -1;
  for (int k = 0; k < f->nnz[r]; k++) {
    if (!f->telling[col[k]]) continue;
    if (n == TELLS) {
      tells[0] = MORE;
      return;
    }
    tells[n++] = col[k];
  }
}

// The columns by which the partners of row r are found, or all of its columns if there are more.
static const int* toldColumns(const Factor* f, int r, int* n) {
  const int* tells = f->tells + TELLS * r;
  int all = tells[0] == MORE;
  *n = all ? f->nnz[r] : (tells[0] >= 0) + (tells[1] >= 0) + (tells[2] >= 0);
  return all ? f->col + f->adr[r] : tells;
}

// Lists by column the rows that have it and lead a group, for the columns by which partners are found.
static void transposeFactor(const snData* d, int nv, Factor* f) {
  int nefc = d->nefc, n;
  chooseTelling(d, nv, f);
  memset(f->start, 0, (size_t)(nv + 1) * sizeof(int));
  memset(f->rows, 0, (size_t)nv * sizeof(int));
  for (int r = 0, end; r < nefc; r = end) {
    end = groupEnd(d, r);
    findTells(f, r);
    const int* col = toldColumns(f, r, &n);
    for (int k = 0; k < n; k++) {
      if (!f->telling[col[k]]) continue;
      f->start[col[k] + 1]++;
      f->rows[col[k]] += end - r;
    }
  }
  for (int i = 0; i < nv; i++) f->start[i + 1] += f->start[i];
  for (int r = 0; r < nefc; r = groupEnd(d, r)) {
    const int* col = toldColumns(f, r, &n);
    for (int k = 0; k < n; k++) {
      if (f->telling[col[k]]) f->partner[f->start[col[k]]++] = r;
    }
  }
  for (int i = nv; i > 0; i--) f->start[i] = f->start[i - 1];
  f->start[0] = 0;
}

// Rows of the group that row s leads, behind the first n of a list (nullable); returns how many there are then.
static int appendGroup(const snData* d, int s, int* list, int n) {
  int end = groupEnd(d, s);
  if (!list) return n + end - s;
  for (; s < end; s++) list[n++] = s;
  return n;
}

// The rows that have a column and lead a group, ascending; the column -1 has none.
typedef struct Partners_ {
  const int *row, *end;
} Partners;

static Partners partnersBy(const Factor* f, int col) {
  Partners p = {f->partner, f->partner};
  if (col >= 0) p.row += f->start[col], p.end += f->start[col + 1];
  return p;
}

static int firstOf(const Partners* p, int least) {
  return p->row < p->end && *p->row < least ? *p->row : least;
}

static void passRow(Partners* p, int row) { p->row += p->row < p->end && *p->row == row; }

// Ascending list of the rows that have one of three columns, -1: none
static int mergePartners(const snData* d, const Factor* f, const int col[TELLS], int* list) {
  Partners a = partnersBy(f, col[0]), b = partnersBy(f, col[1]), c = partnersBy(f, col[2]);
  int n = 0;
  while (c.row < c.end) {
    int s = firstOf(&a, firstOf(&b, *c.row));
    passRow(&a, s);
    passRow(&b, s);
    passRow(&c, s);
    n = appendGroup(d, s, list, n);
  }
  while (a.row < a.end && b.row < b.end) {
    int s = *a.row < *b.row ? *a.row : *b.row;
    a.row += *a.row == s;
    b.row += *b.row == s;
    n = appendGroup(d, s, list, n);
  }
  for (; a.row < a.end; a.row++) n = appendGroup(d, *a.row, list, n);
  for (; b.row < b.end; b.row++) n = appendGroup(d, *b.row, list, n);
  return n;
}

// Ascending list of the rows coupled to row r; returns their number. Groups of one pattern are known by their first
// rows. Nullable: list.
static int listPartners(const snData* d, const Factor* f, int r, int* list) {
  SN_ASSERT(r >= 0);
  const int* col = f->col + f->adr[r];
  int n = 0;
  if (f->tells[TELLS * r] != MORE) return mergePartners(d, f, f->tells + TELLS * r, list);
  memset(f->mark, 0, (size_t)f->width * sizeof(Word));
  for (int k = 0; k < f->nnz[r]; k++) {
    for (int j = f->start[col[k]]; j < f->start[col[k] + 1]; j++) {
      setBit(f->mark, f->partner[j]);
    }
  }
  for (int w = 0; w < f->width; w++) {
    for (Word word = f->mark[w]; word; word &= word - 1) {
      n = appendGroup(d, w * snBITS + sn_lowestBit(word), list, n);
    }
  }
  return n;
}

// Their number, or three times as many at most.
static int boundPartners(const snData* d, const Factor* f, int r) {
  const int* tells = f->tells + TELLS * r;
  if (tells[0] == MORE) return listPartners(d, f, r, NULL);
  int sum = 0;
  for (int k = 0; k < TELLS && tells[k] >= 0; k++) sum += f->rows[tells[k]];
  return sum;
}

// Products of rows of B with up to four others of one pattern, which are spread in work, four numbers for each dof:
// sum[i][q] is that of rows s + i and q. Four rows at a time hide the latency of the sums.
enum { DUAL_ROWS = 4 };

SN_KERNEL void dualProducts(const Factor* f, int s, int count, const snReal* work,
                            snReal (*sum)[DUAL_ROWS]) {
  const int *col = f->col + f->adr[s], *ends = f->ends + f->adr[s];
  const snReal* row = f->value + f->adr[s];
  int n = f->nnz[s], i = 0;
#if SN_HAS_FOUR
  if (count == DUAL_ROWS) {
    const snReal *a = row, *b = a + n, *c = b + n, *d = c + n;
    snFour s0 = {0, 0, 0, 0}, s1 = s0, s2 = s0, s3 = s0;
    for (int k = 0, end; k < n; k = end) {
      end = ends[k];
      if (!f->touched[f->tree[col[k]]]) continue;
      for (; k < end; k++) {
        snFour w = SN_LOAD4(work + DUAL_ROWS * col[k]);
        s0 += a[k] * w;
        s1 += b[k] * w;
        s2 += c[k] * w;
        s3 += d[k] * w;
      }
    }
    *(snFour*)sum[0] = s0;
    *(snFour*)sum[1] = s1;
    *(snFour*)sum[2] = s2;
    *(snFour*)sum[3] = s3;
    return;
  }
  for (; i < count; i++, row += n) {
    snFour s0 = {0, 0, 0, 0};
    for (int k = 0, end; k < n; k = end) {
      end = ends[k];
      if (!f->touched[f->tree[col[k]]]) continue;
      for (; k < end; k++) s0 += row[k] * SN_LOAD4(work + DUAL_ROWS * col[k]);
    }
    *(snFour*)sum[i] = s0;
  }
#else
  (void)ends;
  for (; i < count; i++, row += n) {
    for (int q = 0; q < DUAL_ROWS; q++) sum[i][q] = 0;
    for (int k = 0; k < n; k++) {
      for (int q = 0; q < DUAL_ROWS; q++) sum[i][q] += row[k] * work[DUAL_ROWS * col[k] + q];
    }
  }
#endif
}

// The product of row s and a single other.
SN_KERNEL snReal dualProduct(const Factor* f, int s, const snReal* work) {
  const int *col = f->col + f->adr[s], *ends = f->ends + f->adr[s];
  const snReal* row = f->value + f->adr[s];
  snReal sum = 0;
  for (int k = 0, n = f->nnz[s], end; k < n; k = end) {
    end = ends[k];
    if (!f->touched[f->tree[col[k]]]) continue;
    for (; k < end; k++) sum += row[k] * work[DUAL_ROWS * col[k]];
  }
  return sum;
}

// Rows [r, r + count) of B, of one pattern, into work or out of it again.
static void touchTrees(const Factor* f, int r, int touched) {
  const int *col = f->col + f->adr[r], *ends = f->ends + f->adr[r];
  for (int k = 0; k < f->nnz[r]; k = ends[k]) f->touched[f->tree[col[k]]] = (snByte)touched;
}

static void spreadRows(const Factor* f, int r, int count, snReal* work) {
  const int* col = f->col + f->adr[r];
  int n = f->nnz[r];
  touchTrees(f, r, 1);
  for (int q = 0; q < count; q++) {
    const snReal* value = f->value + f->adr[r + q];
    for (int k = 0; k < n; k++) work[DUAL_ROWS * col[k] + q] = value[k];
  }
}

static void clearRows(const Factor* f, int r, int count, snReal* work) {
  const int* col = f->col + f->adr[r];
  int n = f->nnz[r];
  touchTrees(f, r, 0);
  for (int q = 0; q < count; q++) {
    for (int k = 0; k < n; k++) work[DUAL_ROWS * col[k] + q] = 0;
  }
}

// B_r . B_s of up to four rows r of one pattern and all partners s <= r; the other half by symmetry: rows are done in
// ascending order, so that (s, r) is the next entry of row s.
SN_WIDE(static, void, dualRows,
        (snData * d, const Factor* f, int r, int count, snReal* work, int* next),
        (d, f, r, count, work, next)) {
  SN_ASSERT(count > 0 && count <= DUAL_ROWS);
  SN_ASSERT_PART(r, count, d->nefc);
  snReal sum[DUAL_ROWS][DUAL_ROWS], *AR = d->efc_AR;
  int adr = d->efc_AR_rowadr[r], nnz = d->efc_AR_rownnz[r], last = r + count - 1;
  const int* partner = d->efc_AR_colind ? d->efc_AR_colind + adr : NULL;
  for (int j = 0, some; j < nnz; j += some) {
    int s = partner ? partner[j] : j;
    if (s > last) break;
    some = d->efc_J_rowsuper[s] + 1;
    if (some > DUAL_ROWS) some = DUAL_ROWS;
    if (some > last - s + 1) some = last - s + 1;
    if (some == 1 && count == 1) {
      snReal product = dualProduct(f, s, work);
      if (s < r) {
        AR[adr + j] = AR[next[s]++] = product;
      } else {
        AR[adr + j] = product + d->efc_R[r];
        next[r] = adr + j + 1;
      }
      continue;
    }
    dualProducts(f, s, some, work, sum);
    for (int i = 0; i < some; i++) {
      for (int q = 0; q < count; q++) {
        if (s + i > r + q) continue;
        int at = adr + q * nnz + j + i;
        AR[at] = sum[i][q];
        if (s + i == r + q) {
          AR[at] += d->efc_R[r + q];
          next[r + q] = at + 1;
        } else {
          AR[next[s + i]++] = sum[i][q];
        }
      }
    }
  }
}

// all of AR
static void fillDual(snData* d, const Factor* f, snReal* work, int* next) {
  for (int r = 0, count; r < d->nefc; r += count) {
    count = groupEnd(d, r) - r;
    if (count > DUAL_ROWS) count = DUAL_ROWS;
    spreadRows(f, r, count, work);
    dualRows(d, f, r, count, work, next);
    clearRows(f, r, count, work);
  }
}

// ---- assembly ------------------------------------------------------------------------------------

static int allocateFactor(const snModel* m, snData* d, Factor* f) {
  int nv = (int)m->nv, nefc = d->nefc, larger = nv > nefc ? nv : nefc;
  f->width = (larger + snBITS - 1) / snBITS;
  f->nnz = SN_STACK(d, int, 2 * nefc);  // and the next entry of each row
  f->adr = SN_STACK(d, int, nefc);
  f->closed = SN_STACK(d, snByte, nefc);
  f->tells = SN_STACK(d, int, TELLS* nefc);
  f->mark = SN_STACK(d, Word, f->width);
  f->start = SN_STACK(d, int, nv + 1);
  f->rows = SN_STACK(d, int, nv);
  f->begins = SN_STACK(d, snByte, nv + 1);
  f->telling = SN_STACK(d, snByte, nv);
  f->touched = SN_STACK(d, snByte, m->ntree);
  f->root = SN_STACK(d, snReal, nv);
  f->tree = m->dof_treeid;
  if (!f->nnz || !f->adr || !f->closed || !f->tells || !f->mark || !f->start || !f->rows) return 0;
  if (!f->begins || !f->telling || !f->touched || !f->root) return 0;
  memset(f->touched, 0, (size_t)m->ntree);
  int total = countFactor(d, f);
  f->col = SN_STACK(d, int, total);
  f->ends = SN_STACK(d, int, total);
  f->value = SN_STACK(d, snReal, total);
  f->partner = SN_STACK(d, int, total);
  return f->col && f->ends && f->value && f->partner;
}

static int allocateRows(snData* d) {
  size_t bytes = (size_t)d->nefc * sizeof(int);
  d->efc_AR_rownnz = (int*)sn_arenaAlloc(d, bytes, sizeof(int));
  d->efc_AR_rowadr = (int*)sn_arenaAlloc(d, bytes, sizeof(int));
  d->efc_AR_colind = NULL;
  return d->efc_AR_rownnz && d->efc_AR_rowadr;
}

// Every row is coupled to every row. The dense layout lists no columns (NULL), as in MuJoCo: they would be a third of
// the memory.
static void densePattern(snData* d) {
  d->nA = d->nefc * d->nefc;
  for (int r = 0; r < d->nefc; r++) {
    d->efc_AR_rowadr[r] = r * d->nefc;
    d->efc_AR_rownnz[r] = d->nefc;
  }
}

// Rows of AR: the rows of a group have the same partners. The list of columns begins with room for the bounds, which is
// no more than it and AR take in the end, and keeps what it needs. Returns 0 when the arena is full.
static int sparsePattern(const snModel* m, snData* d, Factor* f) {
  int nefc = d->nefc, next = 0;
  size_t most = 0, before = d->parena;
  transposeFactor(d, (int)m->nv, f);
  for (int r = 0, end; r < nefc; r = end) {
    end = groupEnd(d, r);
    most += (size_t)(end - r) * (size_t)boundPartners(d, f, r);
  }
  d->efc_AR_colind = (int*)sn_arenaAlloc(d, most * sizeof(int), sizeof(int));
  if (!d->efc_AR_colind) return 0;
  for (int r = 0, end; r < nefc; r = end) {
    int *list = d->efc_AR_colind + next, n = listPartners(d, f, r, list);
    end = groupEnd(d, r);
    for (int s = r; s < end; s++, next += n) {
      d->efc_AR_rowadr[s] = next;
      d->efc_AR_rownnz[s] = n;
      if (s > r) memcpy(d->efc_AR_colind + next, list, (size_t)n * sizeof(int));
    }
  }
  SN_ASSERT((size_t)next <= most);
  d->nA = next;
  d->parena = before;
  return sn_arenaAlloc(d, (size_t)next * sizeof(int), sizeof(int)) == d->efc_AR_colind;
}

// pattern and values
static int buildDual(const snModel* m, snData* d) {
  Factor f;
  f.inertia = sn_systemInertia(m, d);
  snReal* work = SN_STACK(d, snReal, 4 * m->nv);
  if (!work || !allocateFactor(m, d, &f) || !allocateRows(d)) return 0;
  fillFactor(d, (int)m->nv, &f, work);
  if (!sn_isSparse(m)) {
    densePattern(d);
  } else if (!sparsePattern(m, d, &f)) {
    return 0;
  }
  d->efc_AR = (snReal*)sn_arenaAlloc(d, (size_t)d->nA * sizeof(snReal), sizeof(snReal));
  if (!d->efc_AR) return 0;
  snu_zero(work, DUAL_ROWS * (int)m->nv);
  fillDual(d, &f, work, f.nnz + d->nefc);
  return 1;
}

int sn_makeHalfRows(const snModel* m, snData* d, snHalfRows* half) {
  Factor f;
  int nefc = d->nefc, total = 0;
  memset(&f, 0, sizeof(f));
  f.inertia = sn_systemInertia(m, d);
  f.width = ((int)m->nv + snBITS - 1) / snBITS;
  f.nnz = SN_STACK(d, int, nefc);
  f.adr = SN_STACK(d, int, nefc);
  f.closed = SN_STACK(d, snByte, nefc);
  f.mark = SN_STACK(d, Word, f.width);
  f.root = SN_STACK(d, snReal, m->nv);
  snReal* work = SN_STACK(d, snReal, 4 * m->nv);
  if (!f.nnz || !f.adr || !f.closed || !f.mark || !f.root || !work) return 0;
  SN_ONE total = countFactor(d, &f);
  SN_SYNC();
  total = sn_teamFromInt(total, 0);
  f.col = SN_STACK(d, int, total);
  f.value = SN_STACK(d, snReal, total);
  if (!f.col || !f.value) return 0;
  SN_SOLO(fillFactor(d, (int)m->nv, &f, work));
  half->nnz = f.nnz;
  half->adr = f.adr;
  half->col = f.col;
  half->value = f.value;
  half->total = total;
  return 1;
}

// ---- stage ---------------------------------------------------------------------------------------

// the arena is full: no constraint forces in this step, but the numbers of rows stay
static void dropRows(snData* d) {
  int ne = d->ne, nf = d->nf, nl = d->nl, nidof = d->nidof;
  sn_clearConstraints(d);
  d->ne = ne;
  d->nf = nf;
  d->nl = nl;
  d->nidof = nidof;
  for (int k = 0; k < d->ncon; k++) d->contact[k].efc_address = -1;
  sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
}

static SN_OUTLINE void project(const snModel* m, snData* d) {
  int done = 0;
  sn_markStack(d);
  SN_ONE done = buildDual(m, d);
  SN_SYNC();
  done = sn_teamFromInt(done, 0);
  if (!done) SN_ONE dropRows(d);
  sn_freeStack(d);
  SN_SYNC();
}

void sn_projectBuiltin(const snModel* m, snData* d) {
  if (d->nefc && sn_isDual(m)) project(m, d);
}
