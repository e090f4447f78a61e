// The pattern of the Hessian of the primal problem, and the order in which its dofs are eliminated.
//
// H is factored as L' D L from the last dof to the first: dofs of a tree then fill nothing that M
// does not have, and the columns of an ancestor's row are mostly the leading columns of its
// descendant's row, so the inner loops run over contiguous numbers. Bit sets give the pattern.
//
// Where many trees touch one another the order of the trees decides how much fills: a large island
// is eliminated by minimum degree, the tree with the fewest neighbours first. The Hessian then has
// its own copy of the rows of J, with columns in the new order.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "engine/solve/solver.h"
#include "math/math.h"

typedef uint64_t Word;
enum { BITS = 64, MIN_ORDERED_TREES = 4 };

// multiplications of a factor that are worth a search for a better order
static const snReal MIN_ORDERED_COST = (snReal)1e5;

// ---- bit sets -------------------------------------------------------------------------------------

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
  // without a machine's instruction for it the compiler would call a function
  word -= (word >> 1) & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int)((word * 0x0101010101010101u) >> 56);
#endif
}

static void setColumns(Word* set, const int* col, int n) {
  for (int k = 0; k < n; k++) set[col[k] / BITS] |= (Word)1 << (col[k] % BITS);
}

// columns of M and, for the last dof of each row of J, all columns of that row
static void seedPattern(const snPrimal* p, Word* set, int width) {
  SN_ASSERT(width * BITS >= p->nv);
  const snHessian* H = &p->H;
  memset(set, 0, (size_t)p->nv * width * sizeof(Word));
  for (int i = 0; i < p->nv; i++) {
    int shift = H->place ? H->place[i] - i : 0;  // the same for all dofs of a tree
    Word* row = set + (size_t)(i + shift) * width;
    const int* col = p->M_colind + p->M_rowadr[i];
    for (int k = 0; k < p->M_rownnz[i]; k++) {
      row[(col[k] + shift) / BITS] |= (Word)1 << ((col[k] + shift) % BITS);
    }
  }
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    int n = H->J.nnz[r];
    const int* col = H->J.col + H->J.adr[r];
    if (n) setColumns(set + (size_t)col[n - 1] * width, col, n);
  }
}

// Eliminating a row hands its other columns to the largest of them. Counts entries, storage and
// multiplications of the factor.
static void fillPattern(snHessian* H, Word* set, int width) {
  int n = H->n;
  H->total = H->room = 0;
  H->cost = 0;
  for (int i = n - 1; i >= 0; i--) {
    Word* row = set + (size_t)i * width;
    int parent = -1, count = 0;
    for (int w = i / BITS; w >= 0; w--) {
      count += countBits(row[w]);
      Word below = w == i / BITS ? row[w] & ~((Word)1 << (i % BITS)) : row[w];
      if (parent < 0 && below) parent = w * BITS + highestBit(below);
    }
    H->total += count;
    H->room += sn_paddedRow(count);
    H->cost += (snReal)0.5 * (snReal)count * (snReal)count;
    if (parent < 0) continue;
    Word* target = set + (size_t)parent * width;
    int last = parent / BITS;
    for (int w = 0; w < last; w++) target[w] |= row[w];
    Word mask = ((Word)2 << (parent % BITS)) - 1;  // columns up to the parent
    target[last] |= row[last] & mask;
  }
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
    SN_ASSERT(H->nnz[i] > 0 && H->col[next - 1] == i);  // the diagonal last
    next = H->adr[i] + sn_paddedRow(H->nnz[i]);
  }
  SN_ASSERT(next == H->room);
}

// ---- order of the trees --------------------------------------------------------------------------

// index of each dof's tree among those of the problem, and the first dof of each; returns their number
static int listTrees(const snPrimal* p, int* tree, int* first) {
  int ntree = 0, last = -1;
  for (int i = 0; i < p->nv; i++) {
    int id = p->m->dof_treeid[p->dofs ? p->dofs[i] : i];
    if (id != last) first[ntree++] = i;
    last = id;
    tree[i] = ntree - 1;
  }
  first[ntree] = p->nv;
  return ntree;
}

// trees that share a row are neighbours
static void joinTrees(const snPrimal* p, const int* tree, Word* graph, int width, int ntree) {
  memset(graph, 0, (size_t)ntree * width * sizeof(Word));
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    const int* col = p->J.col + p->J.adr[r];
    for (int a = 0; a < p->J.nnz[r]; a++) {
      int ta = tree[col[a]];
      if (a && ta == tree[col[a - 1]]) continue;
      for (int b = 0; b < p->J.nnz[r]; b++) {
        int tb = tree[col[b]];
        if (ta != tb) graph[(size_t)ta * width + tb / BITS] |= (Word)1 << (tb % BITS);
      }
    }
  }
}

static int countSet(const Word* set, int width) {
  int count = 0;
  for (int w = 0; w < width; w++) count += countBits(set[w]);
  return count;
}

// The tree of the lowest degree, of several the last one: winners of a tournament. The first round is at
// [size, 2 size), the winner of places 2 k and 2 k + 1 at k, that of all at 1.
typedef struct Tournament_ {
  int size;           // a power of two
  const int* degree;  // -1: done
  int* winner;        // -1: none
} Tournament;

static int roundsFor(int n) {
  int size = 1;
  while (size < n) size *= 2;
  return size;
}

static int wins(const Tournament* t, int left, int right) {
  if (left < 0 || right < 0) return left < 0 ? right : left;
  return t->degree[left] < t->degree[right] ? left : right;
}

static void startTournament(Tournament* t, int n) {
  for (int k = 0; k < t->size; k++) t->winner[t->size + k] = k < n ? k : -1;
  for (int k = t->size - 1; k > 0; k--) {
    t->winner[k] = wins(t, t->winner[2 * k], t->winner[2 * k + 1]);
  }
}

// after a change of the degree of a tree
static void playAgain(Tournament* t, int tree) {
  int k = t->size + tree;
  t->winner[k] = t->degree[tree] < 0 ? -1 : tree;
  for (k /= 2; k > 0; k /= 2) t->winner[k] = wins(t, t->winner[2 * k], t->winner[2 * k + 1]);
}

// words of a set that are not empty; returns their number
static int listWords(const Word* set, int width, int* word) {
  int n = 0;
  for (int w = 0; w < width; w++) {
    word[n] = w;
    n += set[w] != 0;
  }
  return n;
}

// Minimum degree: eliminate the tree with the fewest neighbours, which become neighbours of one
// another. order[k] is the tree that is eliminated k-th; degree is -1 for those done. Scratch: width + 1
// numbers, and two for each place of the tournament.
static void minimumDegree(int ntree, Word* graph, int width, int* degree, int* order,
                          int* scratch) {
  Tournament t = {roundsFor(ntree), degree, scratch + width + 1};
  int* word = scratch;
  for (int k = 0; k < ntree; k++) degree[k] = countSet(graph + (size_t)k * width, width);
  startTournament(&t, ntree);
  for (int k = 0; k < ntree; k++) {
    int best = order[k] = t.winner[1];
    const Word* gone = graph + (size_t)best * width;
    int nword = listWords(gone, width, word);
    degree[best] = -1;
    playAgain(&t, best);
    for (int v = 0; v < nword; v++) {
      for (Word left = gone[word[v]]; left; left &= left - 1) {
        int other = word[v] * BITS + lowestBit(left), count = degree[other] - 1;
        Word* set = graph + (size_t)other * width;
        set[best / BITS] &= ~((Word)1 << (best % BITS));
        for (int w = 0; w < nword; w++) {
          Word before = set[word[w]], now = before | gone[word[w]];
          if (word[w] == other / BITS) now &= ~((Word)1 << (other % BITS));
          set[word[w]] = now;
          count += countBits(now ^ before);
        }
        degree[other] = count;
        playAgain(&t, other);
      }
    }
  }
}

// the rows of J with columns at their new places, ascending: whole trees move
static int orderRows(snPrimal* p, const int* tree) {
  snHessian* H = &p->H;
  int nefc = p->rows.nefc, entries = p->J.adr[nefc - 1] + p->J.nnz[nefc - 1] - p->J.adr[0];
  int* adr = SN_STACK(p->d, int, nefc);
  int* column = SN_STACK(p->d, int, entries);
  snReal* value = SN_STACK(p->d, snReal, entries);
  if (!adr || !column || !value) return 0;
  for (int r = 0, next = 0; r < nefc; r++) {
    const int* col = p->J.col + p->J.adr[r];
    const snReal* from = p->J.value + p->J.adr[r];
    int n = p->J.nnz[r];
    adr[r] = next;
    // insert the columns of one tree after another
    for (int begin = 0, end; begin < n; begin = end) {
      for (end = begin + 1; end < n && tree[col[end]] == tree[col[begin]];) end++;
      int length = end - begin, at = next + begin;
      for (; at > next && column[at - 1] > H->place[col[begin]]; at--) {
        column[at - 1 + length] = column[at - 1];
        value[at - 1 + length] = value[at - 1];
      }
      for (int k = 0; k < length; k++) {
        column[at + k] = H->place[col[begin + k]];
        value[at + k] = from[begin + k];
      }
    }
    next += n;
  }
  H->J.adr = adr;
  H->J.col = column;
  H->J.value = value;
  return 1;
}

// Find a better order of the trees: places of the dofs and the rows in them. Returns 0 when there is
// none to look for.
static int orderTrees(snPrimal* p) {
  snData* d = p->d;
  int* tree = SN_STACK(d, int, p->nv);
  int* first = SN_STACK(d, int, p->nv + 1);
  if (!tree || !first) return 0;
  int ntree = listTrees(p, tree, first), width = (ntree + BITS - 1) / BITS;
  if (ntree < MIN_ORDERED_TREES) return 0;
  Word* graph = SN_STACK(d, Word, (size_t)ntree * width);
  int* degree = SN_STACK(d, int, ntree);
  int* order = SN_STACK(d, int, ntree);
  int* place = SN_STACK(d, int, p->nv);
  int* scratch = SN_STACK(d, int, (size_t)(width + 1 + 2 * roundsFor(ntree)));
  if (!graph || !degree || !order || !place || !scratch) return 0;
  joinTrees(p, tree, graph, width, ntree);
  minimumDegree(ntree, graph, width, degree, order, scratch);

  // the last rows are eliminated first
  for (int k = ntree - 1, next = 0; k >= 0; k--) {
    for (int i = first[order[k]]; i < first[order[k] + 1]; i++) place[i] = next++;
  }
  p->H.place = place;
  return orderRows(p, tree);
}

// ---- the pattern and its storage -----------------------------------------------------------------

typedef enum Kind_ { INERTIA, FULL, OTHER } Kind;

// What the rows of J add to the pattern of M: nothing when every row has the columns of its last dof,
// as contacts of one tree with the world do; everything when a row has all columns.
static Kind patternKind(const snPrimal* p) {
  Kind kind = INERTIA;
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    int n = p->J.nnz[r];
    if (n < 2) continue;
    const int* col = p->J.col + p->J.adr[r];
    int last = col[n - 1];
    if (p->M_rownnz[last] == n &&
        !memcmp(p->M_colind + p->M_rowadr[last], col, (size_t)n * sizeof(int))) {
      continue;
    }
    if (n == p->nv) return FULL;
    kind = OTHER;
  }
  return kind;
}

// the lower triangle
static int fullPattern(snPrimal* p) {
  snHessian* H = &p->H;
  int next = 0;
  H->total = H->natural = H->n * (H->n + 1) / 2;
  H->cost = 0;
  for (int i = 0; i < H->n; i++) {
    H->nnz[i] = i + 1;
    H->adr[i] = next;
    next += sn_paddedRow(i + 1);
    H->cost += (snReal)0.5 * (snReal)((i + 1) * (i + 1));
  }
  H->room = next;
  H->col = SN_STACK(p->d, int, H->room);
  if (!H->col) return 0;
  for (int i = 0; i < H->n; i++) {
    for (int k = 0; k <= i; k++) H->col[H->adr[i] + k] = k;
  }
  return 1;
}

// the pattern of M, which fills nothing
static int copyPattern(snPrimal* p) {
  snHessian* H = &p->H;
  H->total = H->room = 0;
  H->cost = 0;
  for (int i = 0; i < H->n; i++) {
    int count = H->nnz[i] = p->M_rownnz[i];
    H->adr[i] = H->room;
    H->total += count;
    H->room += sn_paddedRow(count);
    H->cost += (snReal)0.5 * (snReal)count * (snReal)count;
  }
  H->natural = H->total;
  H->col = SN_STACK(p->d, int, H->room);
  if (!H->col) return 0;
  for (int i = 0; i < H->n; i++) {
    const int* col = p->M_colind + p->M_rowadr[i];
    int* target = H->col + H->adr[i];
    for (int k = 0; k < H->nnz[i]; k++) target[k] = col[k];
  }
  return 1;
}

// the pattern of M and J' J with its fill
static int findPattern(snPrimal* p) {
  snHessian* H = &p->H;
  int width = (H->n + BITS - 1) / BITS;
  Word* set = SN_STACK(p->d, Word, (size_t)H->n * width);
  if (!set) return 0;
  seedPattern(p, set, width);
  fillPattern(H, set, width);
  H->natural = H->total;
  if (H->cost > MIN_ORDERED_COST) {
    snReal cost = H->cost;
    int ordered = orderTrees(p);
    if (ordered) {
      seedPattern(p, set, width);
      fillPattern(H, set, width);
    }
    if (!(H->cost < (snReal)0.8 * cost)) {  // the order as it was
      H->place = NULL;
      H->J = p->J;
      if (ordered) {
        seedPattern(p, set, width);
        fillPattern(H, set, width);
      }
    }
  }
  H->col = SN_STACK(p->d, int, H->room);
  if (!H->col) return 0;
  listPattern(H, set, width);
  return 1;
}

int sn_hessianNatural(snPrimal* p) {
  snHessian* H = &p->H;
  int count = 0, width = (p->nv + BITS - 1) / BITS;
  H->n = p->nv;
  H->J = p->J;
  H->place = NULL;
  switch (patternKind(p)) {
    case INERTIA:
      for (int i = 0; i < p->nv; i++) count += p->M_rownnz[i];
      return count;
    case FULL: return p->nv * (p->nv + 1) / 2;
    default: break;
  }
  sn_markStack(p->d);
  Word* set = SN_STACK(p->d, Word, (size_t)p->nv * width);
  if (set) {
    seedPattern(p, set, width);
    fillPattern(H, set, width);
    count = H->total;
  }
  sn_freeStack(p->d);
  return count;
}

// Rows [first, last] are a supernode when each has the columns of the next but the diagonal: then
// they act on their ancestors together.
static void findSupernodes(snHessian* H) {
  for (int i = 0; i < H->n; i++) {
    int joins = i && i - H->super[i - 1] < snMAXSUPER && H->nnz[i] == H->nnz[i - 1] + 1 &&
                H->col[H->adr[i] + H->nnz[i] - 2] == i - 1;
    H->super[i] = joins ? H->super[i - 1] : i;
  }
}

int sn_hessianAllocate(snPrimal* p) {
  SN_ASSERT(p->nv > 0 && p->nv <= p->m->nv && p->rows.nefc <= p->d->nefc);
  snData* d = p->d;
  snHessian* H = &p->H;
  int n = H->n = p->nv;
  int* ints = SN_STACK(d, int, (size_t)4 * n + p->rows.nefc);
  if (!ints) return 0;
  H->nnz = ints;
  H->adr = ints + n;
  H->super = ints + 2 * n;
  H->places = ints + 3 * n;
  H->assembled = ints + 4 * n;
  H->J = p->J;
  H->place = NULL;

  int found = 0;
  switch (patternKind(p)) {
    case INERTIA: found = copyPattern(p); break;
    case FULL: found = fullPattern(p); break;
    case OTHER: found = findPattern(p); break;
  }
  if (!found) return 0;
  snReal* reals = SN_STACK(d, snReal, (size_t)2 * H->room + n);
  if (!reals) return 0;
  H->quadratic = reals;
  H->factor = reals + H->room;
  H->diaginv = reals + 2 * H->room;
  findSupernodes(H);
  return 1;
}
