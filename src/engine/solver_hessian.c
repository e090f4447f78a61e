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

int sn_hessianAllocate(snPrimal* p) {
  snData* d = p->d;
  snHessian* H = &p->H;
  int n = H->n = p->nv, width = (n + BITS - 1) / BITS;
  H->nnz = SN_STACK(d, int, n);
  H->adr = SN_STACK(d, int, n);
  H->diaginv = SN_STACK(d, snReal, n);
  Word* set = SN_STACK(d, Word, (size_t)n * width);
  if (!H->nnz || !H->adr || !H->diaginv || !set) return 0;
  seedPattern(p, set, width);
  H->total = fillPattern(n, set, width);
  H->col = SN_STACK(d, int, H->total);
  H->quadratic = SN_STACK(d, snReal, H->total);
  H->factor = SN_STACK(d, snReal, H->total);
  if (!H->col || !H->quadratic || !H->factor) return 0;
  listPattern(H, set, width);
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

// columns of a block that are treated at once
enum { CHUNK = 64, MAX_BLOCK = 16 };

// mat += sum_r left_r' right_r over count rows of one pattern, lower triangle
static void addBlock(const snHessian* H, snReal* mat, int count, const snReal* const* left,
                     const snReal* const* right, const int* col, int n) {
  snReal sum[CHUNK];
  for (int a = 0; a < n; a++) {
    snReal* SN_RESTRICT target = mat + H->adr[col[a]];
    int contiguous = H->nnz[col[a]] == a + 1;
    const int* where = H->col + H->adr[col[a]];
    int t = 0;
    for (int begin = 0; begin <= a; begin += CHUNK) {
      int length = a + 1 - begin < CHUNK ? a + 1 - begin : CHUNK;
      snReal* SN_RESTRICT into = contiguous ? target + begin : sum;
      if (!contiguous) snu_zero(sum, length);
      for (int r = 0; r < count; r++) {
        const snReal* SN_RESTRICT row = right[r] + begin;
        snReal factor = left[r][a];
        if (factor == 0) continue;
        for (int k = 0; k < length; k++) into[k] += factor * row[k];
      }
      for (int k = 0; !contiguous && k < length; k++) {
        while (where[t] != col[begin + k]) t++;
        target[t] += sum[k];
      }
    }
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
      p->nupdate += dim;
    }
    i += dim;
  }
}

static void assembleInertia(const snPrimal* p) {
  const snHessian* H = &p->H;
  snu_zero(H->quadratic, H->total);
  for (int i = 0; i < H->n; i++) {
    scatterRow(H, H->quadratic, i, p->M + p->M_rowadr[i], p->M_colind + p->M_rowadr[i],
               p->M_rownnz[i]);
  }
}

// ---- factor --------------------------------------------------------------------------------------

static void factor(const snHessian* H) {
  snReal* mat = H->factor;
  for (int i = H->n - 1; i >= 0; i--) {
    int last = H->nnz[i] - 1;
    snReal* SN_RESTRICT row = mat + H->adr[i];
    const int* col = H->col + H->adr[i];
    if (!(row[last] >= (snReal)snMINVAL)) row[last] = (snReal)snMINVAL;
    snReal inverse = 1 / row[last];
    H->diaginv[i] = inverse;
    for (int a = last - 1; a >= 0; a--) {
      int j = col[a];
      snReal* SN_RESTRICT target = mat + H->adr[j];
      snReal scale = row[a] * inverse;
      if (scale == 0) continue;
      if (H->nnz[j] == a + 1) {
        for (int k = 0; k <= a; k++) target[k] -= scale * row[k];
      } else {
        const int* where = H->col + H->adr[j];
        for (int k = 0, t = 0; k <= a; k++) {
          while (where[t] != col[k]) t++;
          target[t] -= scale * row[k];
        }
      }
    }
    for (int k = 0; k < last; k++) row[k] *= inverse;
  }
}

void sn_hessianSolve(const snHessian* H, snReal* x) {
  for (int i = H->n - 1; i >= 0; i--) {
    snReal value = x[i];
    const snReal* row = H->factor + H->adr[i];
    const int* col = H->col + H->adr[i];
    for (int k = 0; k < H->nnz[i] - 1; k++) x[col[k]] -= row[k] * value;
  }
  for (int i = 0; i < H->n; i++) {
    const snReal* row = H->factor + H->adr[i];
    const int* col = H->col + H->adr[i];
    int last = H->nnz[i] - 1, k = 0;
    snReal s0 = 0, s1 = 0;
    for (; k + 2 <= last; k += 2) {
      s0 += row[k] * x[col[k]];
      s1 += row[k + 1] * x[col[k + 1]];
    }
    if (k < last) s0 += row[k] * x[col[k]];
    x[i] = x[i] * H->diaginv[i] - (s0 + s1);
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
  p->nupdate = changed < 0 ? p->rows.nefc : changed;

  int cones = 0;
  for (int i = p->rows.ne + p->rows.nf; i < p->rows.nefc && !cones; i++) {
    cones = p->state[i] == snCNSTRSTATE_CONE ||
            (!fresh && p->oldstate[i] == snCNSTRSTATE_CONE);
  }
  if (changed || cones) {
    snu_copy(p->H.factor, p->H.quadratic, p->H.total);
    if (cones) addCones(p, p->H.factor, scratch);
    factor(&p->H);
  }
  sn_freeStack(p->d);
}

void sn_hessianBuild(snPrimal* p) { refresh(p, 1); }

void sn_hessianUpdate(snPrimal* p) { refresh(p, 0); }
