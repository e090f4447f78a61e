// The Hessian of the primal problem in the pattern of its factor.
//
// H = M + sum D J'J over quadratic rows + sum J_c' H_c J_c over cone contacts. It is factored as
// L' D L from the last dof to the first: dofs of a tree then fill nothing that M does not have, and
// the columns of an ancestor's row are mostly the leading columns of its descendant's row, so the
// inner loops run over contiguous numbers. Bit sets give the pattern.
//
// The quadratic part follows the states of the rows by adding and removing D J'J. Removing loses
// digits where the removed part was dominant; then everything is assembled anew.

#include <string.h>

#include "base/arena.h"
#include "engine/solver.h"
#include "math/math.h"

// columns that are combined at once, rows of a block, rows of a supernode
enum { CHUNK = 64, MAX_BLOCK = 16, MAX_SUPER = 8 };

// ---- pattern -------------------------------------------------------------------------------------

typedef uint64_t Word;
enum { BITS = 64 };

static int lowestBit(Word word) {
#ifdef __CUDA_ARCH__
  return __ffsll((long long)word) - 1;
#else
  return __builtin_ctzll(word);
#endif
}

static int highestBit(Word word) {
#ifdef __CUDA_ARCH__
  return BITS - 1 - __clzll((long long)word);
#else
  return BITS - 1 - __builtin_clzll(word);
#endif
}

static int countBits(Word word) {
#ifdef __CUDA_ARCH__
  return __popcll(word);
#else
  return __builtin_popcountll(word);
#endif
}

static void setColumns(Word* set, const int* col, int n) {
  for (int k = 0; k < n; k++) set[col[k] / BITS] |= (Word)1 << (col[k] % BITS);
}

// columns of M and, for the last dof of each row of J, all columns of that row
static void seedPattern(const snPrimal* p, Word* set, int width) {
  memset(set, 0, (size_t)p->nv * width * sizeof(Word));
  for (int i = 0; i < p->nv; i++) {
    setColumns(set + (size_t)i * width, p->M_colind + p->M_rowadr[i], p->M_rownnz[i]);
  }
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    int n = p->J.nnz[r];
    const int* col = p->J.col + p->J.adr[r];
    if (n) setColumns(set + (size_t)col[n - 1] * width, col, n);
  }
}

// eliminating a row hands its other columns to the largest of them
static int fillPattern(int n, Word* set, int width) {
  int total = 0;
  for (int i = n - 1; i >= 0; i--) {
    Word* row = set + (size_t)i * width;
    int parent = -1;
    for (int w = i / BITS; w >= 0; w--) {
      total += countBits(row[w]);
      Word below = w == i / BITS ? row[w] & ~((Word)1 << (i % BITS)) : row[w];
      if (parent < 0 && below) parent = w * BITS + highestBit(below);
    }
    if (parent < 0) continue;
    Word* target = set + (size_t)parent * width;
    int last = parent / BITS;
    for (int w = 0; w < last; w++) target[w] |= row[w];
    Word mask = ((Word)2 << (parent % BITS)) - 1;  // columns up to the parent
    target[last] |= row[last] & mask;
  }
  return total;
}

static void listPattern(snHessian* H, const Word* set, int width) {
  int next = 0;
  for (int i = 0; i < H->n; i++) {
    H->adr[i] = next;
    for (int w = 0; w <= i / BITS; w++) {
      for (Word word = set[(size_t)i * width + w]; word; word &= word - 1) {
        H->col[next++] = w * BITS + lowestBit(word);
      }
    }
    H->nnz[i] = next - H->adr[i];
  }
}

// Does every row of J touch only columns that M couples already? Contacts of one tree with the world
// do: their columns are a dof and all its ancestors.
static int sharesInertia(const snPrimal* p) {
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    int n = p->J.nnz[r];
    if (n < 2) continue;
    const int* col = p->J.col + p->J.adr[r];
    int last = col[n - 1];
    if (p->M_rownnz[last] != n) return 0;
    if (memcmp(p->M_colind + p->M_rowadr[last], col, (size_t)n * sizeof(int))) return 0;
  }
  return 1;
}

// the pattern of M, which fills nothing
static int copyPattern(snPrimal* p) {
  snHessian* H = &p->H;
  H->total = p->M_rowadr[H->n - 1] + p->M_rownnz[H->n - 1] - p->M_rowadr[0];
  H->col = SN_STACK(p->d, int, H->total);
  if (!H->col) return 0;
  memcpy(H->nnz, p->M_rownnz, (size_t)H->n * sizeof(int));
  memcpy(H->col, p->M_colind + p->M_rowadr[0], (size_t)H->total * sizeof(int));
  for (int i = 0; i < H->n; i++) H->adr[i] = p->M_rowadr[i] - p->M_rowadr[0];
  return 1;
}

// the pattern of M and J' J with its fill
static int findPattern(snPrimal* p) {
  snHessian* H = &p->H;
  int width = (H->n + BITS - 1) / BITS;
  Word* set = SN_STACK(p->d, Word, (size_t)H->n * width);
  if (!set) return 0;
  seedPattern(p, set, width);
  H->total = fillPattern(H->n, set, width);
  H->col = SN_STACK(p->d, int, H->total);
  if (!H->col) return 0;
  listPattern(H, set, width);
  return 1;
}

// Rows [first, last] are a supernode when each has the columns of the next but the diagonal: then
// they act on their ancestors together.
static void findSupernodes(snHessian* H) {
  for (int i = 0; i < H->n; i++) {
    int joins = i && i - H->super[i - 1] < MAX_SUPER && H->nnz[i] == H->nnz[i - 1] + 1 &&
                H->col[H->adr[i] + H->nnz[i] - 2] == i - 1;
    H->super[i] = joins ? H->super[i - 1] : i;
  }
}

int sn_hessianAllocate(snPrimal* p) {
  snData* d = p->d;
  snHessian* H = &p->H;
  H->n = p->nv;
  H->nnz = SN_STACK(d, int, H->n);
  H->adr = SN_STACK(d, int, H->n);
  H->super = SN_STACK(d, int, H->n);
  H->diaginv = SN_STACK(d, snReal, H->n);
  if (!H->nnz || !H->adr || !H->super || !H->diaginv) return 0;
  H->tree = sharesInertia(p);
  if (!(H->tree ? copyPattern(p) : findPattern(p))) return 0;
  H->quadratic = SN_STACK(d, snReal, H->total);
  H->factor = SN_STACK(d, snReal, H->total);
  if (!H->quadratic || !H->factor) return 0;
  findSupernodes(H);
  return 1;
}

// ---- assembly ------------------------------------------------------------------------------------

// row += values on the given columns, all of which the row has
static void scatterRow(const snHessian* H, snReal* mat, int row, const snReal* value,
                       const int* col, int n) {
  snReal* SN_RESTRICT target = mat + H->adr[row];
  if (H->nnz[row] == n) {
    for (int k = 0; k < n; k++) target[k] += value[k];
    return;
  }
  const int* where = H->col + H->adr[row];
  for (int k = 0, t = 0; k < n; k++) {
    while (where[t] != col[k]) t++;
    target[t] += value[k];
  }
}

// target += sum_r scale[r] row_r over n columns; four rows at a time share the load of the target
static inline void combine(snReal* SN_RESTRICT target, int n, int count, const snReal* scale,
                           const snReal* const* row) {
  int r = 0;
  for (; r + 4 <= count; r += 4) {
    const snReal *SN_RESTRICT a = row[r], *SN_RESTRICT b = row[r + 1];
    const snReal *SN_RESTRICT c = row[r + 2], *SN_RESTRICT d = row[r + 3];
    snReal s0 = scale[r], s1 = scale[r + 1], s2 = scale[r + 2], s3 = scale[r + 3];
    for (int k = 0; k < n; k++) {
      target[k] += (s0 * a[k] + s1 * b[k]) + (s2 * c[k] + s3 * d[k]);
    }
  }
  if (r + 2 <= count) {
    const snReal *SN_RESTRICT a = row[r], *SN_RESTRICT b = row[r + 1];
    snReal s0 = scale[r], s1 = scale[r + 1];
    for (int k = 0; k < n; k++) target[k] += s0 * a[k] + s1 * b[k];
    r += 2;
  }
  if (r < count) {
    const snReal* SN_RESTRICT a = row[r];
    snReal s0 = scale[r];
    for (int k = 0; k < n; k++) target[k] += s0 * a[k];
  }
}

// the same into row i of a matrix, on the given columns
static inline void combineInto(const snHessian* H, snReal* mat, int i, const int* col, int n,
                               int count, const snReal* scale, const snReal* const* row) {
  snReal* target = mat + H->adr[i];
  if (H->nnz[i] == n) {
    combine(target, n, count, scale, row);
    return;
  }
  const int* where = H->col + H->adr[i];
  const snReal* part[MAX_BLOCK];
  snReal sum[CHUNK];
  for (int begin = 0, t = 0; begin < n; begin += CHUNK) {
    int length = n - begin < CHUNK ? n - begin : CHUNK;
    snu_zero(sum, length);
    for (int r = 0; r < count; r++) part[r] = row[r] + begin;
    combine(sum, length, count, scale, part);
    for (int k = 0; k < length; k++) {
      while (where[t] != col[begin + k]) t++;
      target[t] += sum[k];
    }
  }
}

// mat += sum_r left_r' right_r over count rows of one pattern, lower triangle
SN_WIDE static void addBlock(const snHessian* H, snReal* mat, int count, const snReal* const* left,
                             const snReal* const* right, const int* col, int n) {
  snReal scale[MAX_BLOCK];
  for (int a = 0; a < n; a++) {
    for (int r = 0; r < count; r++) scale[r] = left[r][a];
    combineInto(H, mat, col[a], col, a + 1, count, scale, right);
  }
}

// add weight[r] J_r' J_r for the rows [first, first + count) of one pattern
static void addRows(const snPrimal* p, snReal* mat, int first, int count, const snReal* weight,
                    snReal* scratch) {
  const snReal *left[MAX_BLOCK], *right[MAX_BLOCK];
  int n = p->J.nnz[first], used = 0;
  for (int r = 0; r < count; r++) {
    if (weight[r] == 0) continue;
    const snReal* row = p->J.value + p->J.adr[first + r];
    snReal* scaled = scratch + (size_t)used * n;
    snu_scl(scaled, row, weight[r], n);
    left[used] = scaled;
    right[used++] = row;
  }
  if (used) addBlock(&p->H, mat, used, left, right, p->J.col + p->J.adr[first], n);
}

// quadratic state now minus before, as weights of the rows of one block; counts the changes
static int blockWeights(const snPrimal* p, int first, int count, int fresh, snReal* weight,
                        int* removed) {
  int changed = 0;
  for (int r = 0; r < count; r++) {
    int now = p->state[first + r] == snCNSTRSTATE_QUADRATIC;
    int before = !fresh && p->oldstate[first + r] == snCNSTRSTATE_QUADRATIC;
    weight[r] = (now - before) * p->rows.D[first + r];
    changed += now != before;
    *removed |= before && !now;
  }
  return changed;
}

static int blockLength(const snPrimal* p, int first) {
  int count = p->J.super[first] + 1;
  if (count > p->rows.nefc - first) count = p->rows.nefc - first;
  return count < MAX_BLOCK ? count : MAX_BLOCK;
}

static void addCones(snPrimal* p, snReal* mat, snReal* scratch) {
  const snReal *left[6], *right[6];
  for (int i = p->rows.ne + p->rows.nf; i < p->rows.nefc;) {
    if (p->rows.type[i] != snCNSTR_CONTACT_ELLIPTIC) {
      i++;
      continue;
    }
    const snContact* con = p->rows.contact + p->rows.id[i];
    int dim = con->dim, n = p->J.nnz[i];
    if (p->state[i] == snCNSTRSTATE_CONE) {
      // J' (H J)
      for (int r = 0; r < dim; r++) {
        snReal* product = scratch + (size_t)r * n;
        left[r] = p->J.value + p->J.adr[i + r];
        right[r] = product;
        snu_zero(product, n);
        for (int c = 0; c < dim; c++) {
          snu_addToScl(product, p->J.value + p->J.adr[i + c], con->H[r * dim + c], n);
        }
      }
      addBlock(&p->H, mat, dim, left, right, p->J.col + p->J.adr[i], n);
    }
    i += dim;
  }
}

static void assembleInertia(const snPrimal* p) {
  const snHessian* H = &p->H;
  if (H->tree) {
    snu_copy(H->quadratic, p->M + p->M_rowadr[0], H->total);
    return;
  }
  snu_zero(H->quadratic, H->total);
  for (int i = 0; i < H->n; i++) {
    scatterRow(H, H->quadratic, i, p->M + p->M_rowadr[i], p->M_colind + p->M_rowadr[i],
               p->M_rownnz[i]);
  }
}

// ---- factor --------------------------------------------------------------------------------------

SN_WIDE static void factor(const snHessian* H) {
  snReal* mat = H->factor;
  const snReal* row[MAX_SUPER];
  snReal scale[MAX_SUPER], negative[MAX_SUPER];
  for (int last = H->n - 1, first; last >= 0; last = first - 1) {
    first = H->super[last];
    int outside = H->nnz[first] - 1, count = 0;
    const int* col = H->col + H->adr[last];

    // inside the supernode, from its last row: a row takes what the later rows leave
    for (int i = last; i >= first; i--) {
      int n = outside + i - first + 1;
      snReal* target = mat + H->adr[i];
      for (int r = 0; r < count; r++) scale[r] = row[r][n - 1] * negative[r];
      combine(target, n, count, scale, row);
      snReal pivot = target[n - 1];
      if (!(pivot >= (snReal)snMINVAL)) pivot = target[n - 1] = (snReal)snMINVAL;
      H->diaginv[i] = 1 / pivot;
      negative[count] = -H->diaginv[i];
      row[count++] = target;
    }

    // the ancestors
    for (int a = outside - 1; a >= 0; a--) {
      for (int r = 0; r < count; r++) scale[r] = row[r][a] * negative[r];
      combineInto(H, mat, col[a], col, a + 1, count, scale, row);
    }
    for (int i = last; i >= first; i--) {
      snReal *target = mat + H->adr[i], inverse = H->diaginv[i];
      for (int k = 0; k < H->nnz[i] - 1; k++) target[k] *= inverse;
    }
  }
}

// x <- L^-T x, one supernode: rows of a supernode hand their values to the ancestors together
static void solveUp(const snHessian* H, int first, int last, snReal* x) {
  const snReal* row[MAX_SUPER];
  snReal value[MAX_SUPER], sum[CHUNK];
  const int* col = H->col + H->adr[last];
  int outside = H->nnz[first] - 1, count = 0;
  for (int i = last; i >= first; i--) {
    const snReal* factors = H->factor + H->adr[i];
    snReal xi = x[i];
    for (int j = first; j < i; j++) x[j] -= factors[outside + j - first] * xi;
    row[count] = factors;
    value[count++] = xi;
  }
  for (int begin = 0; begin < outside; begin += CHUNK) {
    int n = outside - begin < CHUNK ? outside - begin : CHUNK;
    snu_zero(sum, n);
    combine(sum, n, count, value, row);
    for (int k = 0; k < n; k++) x[col[begin + k]] -= sum[k];
    for (int r = 0; r < count; r++) row[r] += n;
  }
}

// x <- L^-1 D^-1 x, one supernode: the values of the ancestors are gathered once
static void solveDown(const snHessian* H, int first, int last, snReal* x) {
  snReal gathered[CHUNK];
  const int* col = H->col + H->adr[last];
  int outside = H->nnz[first] - 1;
  for (int i = first; i <= last; i++) x[i] *= H->diaginv[i];
  for (int begin = 0; begin < outside; begin += CHUNK) {
    int n = outside - begin < CHUNK ? outside - begin : CHUNK;
    for (int k = 0; k < n; k++) gathered[k] = x[col[begin + k]];
    for (int i = first; i <= last; i++) {
      x[i] -= snu_dot(H->factor + H->adr[i] + begin, gathered, n);
    }
  }
  for (int i = first + 1; i <= last; i++) {
    x[i] -= snu_dot(H->factor + H->adr[i] + outside, x + first, i - first);
  }
}

void sn_hessianSolve(const snHessian* H, snReal* x) {
  for (int last = H->n - 1; last >= 0; last = H->super[last] - 1) {
    solveUp(H, H->super[last], last, x);
  }
  for (int first = 0, last; first < H->n; first = last + 1) {
    last = first;
    while (last + 1 < H->n && H->super[last + 1] == first) last++;
    solveDown(H, first, last, x);
  }
}

// ---- build and follow ----------------------------------------------------------------------------

// scratch for the widest block
static snReal* blockScratch(const snPrimal* p) {
  int widest = 0;
  for (int r = 0; r < p->rows.nefc; r += blockLength(p, r)) {
    if (p->J.nnz[r] > widest) widest = p->J.nnz[r];
  }
  return SN_STACK(p->d, snReal, (size_t)widest * MAX_BLOCK + 1);
}

// Add what the change of states brings. Returns the number of rows that changed, -1 when removing
// cancelled too many digits of the diagonal.
static int followStates(snPrimal* p, int fresh, snReal* scratch) {
  const snReal lost = (snReal)1e-6;
  snReal weight[MAX_BLOCK];
  int changed = 0;
  for (int r = 0, count; r < p->rows.nefc; r += count) {
    count = blockLength(p, r);
    int removed = 0, change = blockWeights(p, r, count, fresh, weight, &removed);
    if (!change) continue;
    changed += change;
    addRows(p, p->H.quadratic, r, count, weight, scratch);
    for (int i = 0; removed && i < count; i++) {
      const snReal* J = p->J.value + p->J.adr[r + i];
      const int* col = p->J.col + p->J.adr[r + i];
      for (int k = 0; weight[i] < 0 && k < p->J.nnz[r]; k++) {
        int diagonal = p->H.adr[col[k]] + p->H.nnz[col[k]] - 1;
        if (p->H.quadratic[diagonal] < -lost * weight[i] * J[k] * J[k]) return -1;
      }
    }
  }
  return changed;
}

static void refresh(snPrimal* p, int fresh) {
  sn_markStack(p->d);
  snReal* scratch = blockScratch(p);
  if (!scratch) {
    sn_warning(p->d, snWARN_CNSTRFULL, (int)p->d->narena);
    sn_freeStack(p->d);
    return;
  }
  int changed = fresh ? -1 : followStates(p, 0, scratch);
  if (changed < 0) {
    assembleInertia(p);
    followStates(p, 1, scratch);
  }

  int cones = 0;
  for (int i = p->rows.ne + p->rows.nf; i < p->rows.nefc && !cones; i++) {
    cones = p->state[i] == snCNSTRSTATE_CONE || (!fresh && p->oldstate[i] == snCNSTRSTATE_CONE);
  }
  if (changed || cones) {
    snu_copy(p->H.factor, p->H.quadratic, p->H.total);
    if (cones) addCones(p, p->H.factor, scratch);
    factor(&p->H);
  }
  sn_freeStack(p->d);
}

int sn_hessianChange(const snPrimal* p) {
  int count = 0;
  for (int i = 0; i < p->rows.nefc; i++) {
    int now = p->state[i] == snCNSTRSTATE_QUADRATIC;
    int before = p->oldstate[i] == snCNSTRSTATE_QUADRATIC;
    count += now != before || p->state[i] == snCNSTRSTATE_CONE;
  }
  return count;
}

void sn_hessianBuild(snPrimal* p) { refresh(p, 1); }

void sn_hessianUpdate(snPrimal* p) { refresh(p, 0); }
