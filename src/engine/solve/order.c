// The order in which the trees of an island are eliminated: minimum degree.
//
// Trees are the vertices of a graph, and rows of J that couple trees are its edges. The tree with the fewest neighbours
// is eliminated first (of several the last one), which makes its neighbours neighbours of one another. The edges are
// stored as cliques (the quotient graph of George and Liu): at first each row of J is a clique of the trees that it
// couples; eliminating a tree replaces all its cliques by their union without the tree. No list grows, because every
// tree of the new clique was in one of the old ones. Degrees are exact. Trees without a neighbour outside of the new
// clique are eliminated together with it, as they would come next. A few trees are ordered faster with sets of bits.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/bits.h"
#include "base/team.h"
#include "engine/solve/solver.h"

// the number of a clique, to and from its header in the pool: negative, as no tree is
#define HEADER(id) (-1 - (id))

// Tournament tree: finds the tree of the lowest degree, of several the last one. Leaves are winner[size, 2 size); node
// k holds the winner of nodes 2 k and 2 k + 1, node 1 that of all.
typedef struct Tournament_ {
  int size;     // a power of two
  int* degree;  // -1: eliminated
  int* winner;  // -1: none
} Tournament;

typedef struct Graph_ {
  int ntree, nclique;
  int *first, *count, *list;  // cliques of each tree: list[first, first + count)
  int *begin, *length,
      *pool;  // trees of each clique: pool[begin, begin + length); length 0: merged into another
  int used, room;      // of the pool, in which a header precedes the trees of a clique
  int* outside;        // of a clique: its trees that are not in the new clique
  int *seen, *member;  // round in which outside was set; in which a tree was last in the new clique
  int *counted, serial;  // marks by which trees of a union are counted once
  int* merged;           // trees that were eliminated together with another
  Tournament t;
} Graph;

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

// Sets the degree of a tree and updates the winners above its leaf.
static void setDegree(Tournament* t, int tree, int degree) {
  int k = t->size + tree;
  t->degree[tree] = degree;
  t->winner[k] = degree < 0 ? -1 : tree;
  for (k /= 2; k > 0; k /= 2) {
    int before = t->winner[k];
    t->winner[k] = wins(t, t->winner[2 * k], t->winner[2 * k + 1]);
    if (t->winner[k] == before && before != tree) return;
  }
}

// ---- the graph -----------------------------------------------------------------------------------

static int isFirst(const int* tree, const int* col, int k) {
  return !k || tree[col[k]] != tree[col[k - 1]];
}

// how many trees the row couples
static int rowTrees(const snPrimal* p, const int* tree, int row) {
  const int* col = p->J.col + p->J.adr[row];
  int n = 0;
  for (int k = 0; k < p->J.nnz[row]; k++) n += isFirst(tree, col, k);
  return n;
}

static int allocate(const snPrimal* p, const int* tree, int ntree, Graph* g) {
  snData* d = p->d;
  int entries = 0, nclique = 0, size = roundsFor(ntree);
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    int n = rowTrees(p, tree, r);
    nclique += n > 1;
    entries += n > 1 ? n : 0;
  }
  g->ntree = ntree;
  g->nclique = nclique;
  g->room = 2 * (entries + nclique) + ntree + 1;
  int* perTree = SN_STACK(d, int, (size_t)6 * ntree);
  int* perClique = SN_STACK(d, int, (size_t)4 * nclique);
  g->list = SN_STACK(d, int, entries);
  g->pool = SN_STACK(d, int, g->room);
  g->t.winner = SN_STACK(d, int, (size_t)2 * size);
  if (!perTree || !perClique || !g->list || !g->pool || !g->t.winner) return 0;
  memset(perTree, 0, (size_t)6 * ntree * sizeof(int));
  memset(perClique, 0, (size_t)4 * nclique * sizeof(int));
  g->first = perTree;
  g->count = perTree + ntree;
  g->member = perTree + 2 * ntree;
  g->counted = perTree + 3 * ntree;
  g->merged = perTree + 4 * ntree;
  g->t.degree = perTree + 5 * ntree;
  g->begin = perClique;
  g->length = perClique + nclique;
  g->outside = perClique + 2 * nclique;
  g->seen = perClique + 3 * nclique;
  g->t.size = size;
  g->serial = 0;
  return 1;
}

// Makes a clique of each row that couples trees.
static void makeCliques(const snPrimal* p, const int* tree, Graph* g) {
  int id = 0;
  g->used = 0;
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    const int* col = p->J.col + p->J.adr[r];
    if (rowTrees(p, tree, r) < 2) continue;
    g->pool[g->used++] = HEADER(id);
    g->begin[id] = g->used;
    for (int k = 0; k < p->J.nnz[r]; k++) {
      if (!isFirst(tree, col, k)) continue;
      g->pool[g->used++] = tree[col[k]];
      g->count[tree[col[k]]]++;
    }
    g->length[id] = g->used - g->begin[id];
    id++;
  }
  SN_ASSERT(id == g->nclique);
  for (int k = 0, next = 0; k < g->ntree; k++) {
    g->first[k] = next;
    next += g->count[k];
    g->count[k] = 0;
  }
  for (id = 0; id < g->nclique; id++) {
    for (int k = 0; k < g->length[id]; k++) {
      int other = g->pool[g->begin[id] + k];
      g->list[g->first[other] + g->count[other]++] = id;
    }
  }
}

// trees in the cliques of a tree, without itself and those that are members at the given time
static int countUnion(Graph* g, int tree, int time) {
  const int* list = g->list + g->first[tree];
  int n = 0;
  g->counted[tree] = ++g->serial;
  for (int c = 0; c < g->count[tree]; c++) {
    const int* trees = g->pool + g->begin[list[c]];
    for (int k = 0; k < g->length[list[c]]; k++) {
      int other = trees[k];
      if (g->counted[other] == g->serial) continue;
      g->counted[other] = g->serial;
      n += g->member[other] != time;
    }
  }
  return n;
}

// ---- elimination ---------------------------------------------------------------------------------

// Compacts the pool: moves the remaining cliques to its beginning.
static void compactPool(Graph* g) {
  int to = 0;
  for (int from = 0, next; from < g->used; from = next) {
    int id = HEADER(g->pool[from]), left = g->begin[id] == from + 1 ? g->length[id] : 0;
    for (next = from + 1; next < g->used && g->pool[next] >= 0;) next++;
    if (!left) continue;
    g->pool[to++] = HEADER(id);
    g->begin[id] = to;
    for (int k = 0; k < left; k++) g->pool[to++] = g->pool[from + 1 + k];
  }
  g->used = to;
}

// Replaces all cliques of a tree by the clique of its neighbours; returns its number.
static int mergeCliques(Graph* g, int tree, int time) {
  const int* list = g->list + g->first[tree];
  int id = list[0], n = 0;
  if (g->used + 1 + g->t.degree[tree] > g->room) compactPool(g);
  SN_ASSERT(g->used + 1 + g->t.degree[tree] <= g->room);
  int* trees = g->pool + g->used + 1;
  g->pool[g->used] = HEADER(id);
  g->member[tree] = time;
  for (int c = 0; c < g->count[tree]; c++) {
    const int* old = g->pool + g->begin[list[c]];
    for (int k = 0; k < g->length[list[c]]; k++) {
      if (g->member[old[k]] == time) continue;
      g->member[old[k]] = time;
      trees[n++] = old[k];
    }
    g->length[list[c]] = 0;
  }
  SN_ASSERT(n == g->t.degree[tree]);
  g->begin[id] = g->used + 1;
  g->length[id] = n;
  g->used += 1 + n;
  return id;
}

// In the list of each member of the new clique: removes the merged cliques and appends the new one. Counts for every
// other clique its trees outside of the new one.
static void followMerge(Graph* g, int id, int time) {
  const int* trees = g->pool + g->begin[id];
  for (int k = 0; k < g->length[id]; k++) {
    int *list = g->list + g->first[trees[k]], n = 0;
    for (int c = 0; c < g->count[trees[k]]; c++) {
      int other = list[c];
      if (other == id || !g->length[other]) continue;
      list[n++] = other;
      if (g->seen[other] != time) g->outside[other] = g->length[other];
      g->seen[other] = time;
      g->outside[other]--;
    }
    list[n++] = id;
    SN_ASSERT(n <= g->count[trees[k]]);
    g->count[trees[k]] = n;
  }
}

// How many neighbours a member of the new clique has outside of it. Cliques within the new one are dropped.
static int neighboursOutside(Graph* g, int tree, int time) {
  int *list = g->list + g->first[tree], n = 0, last = g->count[tree] - 1;
  for (int c = 0; c < last; c++) {
    if (g->outside[list[c]]) {
      list[n++] = list[c];
    } else {
      g->length[list[c]] = 0;
    }
  }
  list[n] = list[last];
  g->count[tree] = n + 1;
  if (n < 2) return n ? g->outside[list[0]] : 0;
  return countUnion(g, tree, time);
}

// trees in ascending order
static void insert(int* sorted, int n, int tree) {
  for (; n > 0 && sorted[n - 1] > tree; n--) sorted[n] = sorted[n - 1];
  sorted[n] = tree;
}

// Eliminate a tree and those that go with it; returns their number.
static int eliminate(Graph* g, int tree, int time, int* order) {
  SN_ASSERT_INDEX(tree, g->ntree);
  int id = g->count[tree] ? mergeCliques(g, tree, time) : -1, left = 0, nmerged = 0;
  order[0] = tree;
  setDegree(&g->t, tree, -1);
  if (id < 0) return 1;
  int *trees = g->pool + g->begin[id], n = g->length[id];
  followMerge(g, id, time);
  for (int k = 0; k < n; k++) {
    int outside = neighboursOutside(g, trees[k], time);
    if (outside) {
      g->t.degree[trees[k]] = outside;
      trees[left++] = trees[k];
    } else {
      insert(g->merged, nmerged++, trees[k]);
    }
  }
  g->length[id] = left;
  for (int k = 0; k < nmerged; k++) {
    order[1 + k] = g->merged[nmerged - 1 - k];
    setDegree(&g->t, g->merged[k], -1);
  }
  for (int k = 0; k < left; k++) {
    setDegree(&g->t, trees[k], left - 1 + g->t.degree[trees[k]]);
  }
  return 1 + nmerged;
}

// ---- the same with sets of bits ------------------------------------------------------------------
//
// Few trees: the neighbours of a tree are a set of bits. Eliminating a tree adds its set to those of its neighbours.

enum { MOST_WORDS = 8, MOST_BITS = snBITS * MOST_WORDS };

typedef struct Sets_ {
  int ntree, words;
  uint64_t* next;  // neighbours of each tree
  int* rank;       // of each tree: the lowest is eliminated next, of equal degrees the last tree
  int* merged;
} Sets;

static inline void setBit(uint64_t* set, int k) { set[k / snBITS] |= (uint64_t)1 << k % snBITS; }

enum { GONE = 0x7fffffff };

static inline int rankOf(const Sets* s, int tree, int degree) {
  return degree * MOST_BITS + s->ntree - 1 - tree;
}

SN_KERNEL int countSet(const uint64_t* set, int words) {
  int n = 0;
  for (int w = 0; w < words; w++) n += sn_countMembers(set[w]);
  return n;
}

// neighbours by the rows that couple trees
static void linkTrees(const snPrimal* p, const int* tree, Sets* s) {
  memset(s->next, 0, (size_t)s->ntree * (size_t)s->words * sizeof(uint64_t));
  for (int r = 0; r < p->rows.nefc; r += p->J.super[r] + 1) {
    const int* col = p->J.col + p->J.adr[r];
    int n = p->J.nnz[r];
    uint64_t row[MOST_WORDS];
    if (!n || tree[col[0]] == tree[col[n - 1]]) continue;
    for (int w = 0; w < s->words; w++) row[w] = 0;
    for (int k = 0; k < n; k++) {
      if (isFirst(tree, col, k)) setBit(row, tree[col[k]]);
    }
    for (int k = 0; k < n; k++) {
      if (!isFirst(tree, col, k)) continue;
      uint64_t* next = s->next + (size_t)tree[col[k]] * s->words;
      for (int w = 0; w < s->words; w++) next[w] |= row[w];
    }
  }
  for (int t = 0; t < s->ntree; t++)
    s->next[t * s->words + t / snBITS] &= ~((uint64_t)1 << t % snBITS);
}

SN_KERNEL int lowestRank(const Sets* s) {
  int low = GONE;
  for (int t = 0; t < s->ntree; t++) low = s->rank[t] < low ? s->rank[t] : low;
  return low;
}

// Does a neighbour of the tree have neighbours besides it and the others?
SN_KERNEL int reachesOut(const uint64_t* own, const uint64_t* clique, int tree, int words) {
  uint64_t out = 0;
  for (int w = 0; w < words; w++) {
    out |= own[w] & ~clique[w] & ~(w == tree / snBITS ? (uint64_t)1 << tree % snBITS : 0);
  }
  return out != 0;
}

// Eliminate a tree and those that go with it; returns their number.
SN_KERNEL int eliminateSet(Sets* s, int tree, int* order) {
  SN_ASSERT_INDEX(tree, s->ntree);
  SN_ASSERT(s->words <= MOST_WORDS && s->ntree <= snBITS * s->words);
  int words = s->words, nmerged = 0;
  uint64_t clique[MOST_WORDS], left[MOST_WORDS];
  for (int w = 0; w < words; w++) clique[w] = left[w] = s->next[tree * words + w];
  order[0] = tree;
  s->rank[tree] = GONE;
  for (int w = 0; w < words; w++) {
    for (uint64_t bits = clique[w]; bits; bits &= bits - 1) {
      int t = snBITS * w + sn_lowestBit(bits);
      if (reachesOut(s->next + t * words, clique, tree, words)) continue;
      left[w] &= ~(bits & (0 - bits));
      s->merged[nmerged++] = t;
      s->rank[t] = GONE;
    }
  }
  for (int k = 0; k < nmerged; k++) order[1 + k] = s->merged[nmerged - 1 - k];
  for (int w = 0; w < words; w++) {
    for (uint64_t bits = left[w]; bits; bits &= bits - 1) {
      int t = snBITS * w + sn_lowestBit(bits);
      uint64_t* next = s->next + t * words;
      for (int v = 0; v < words; v++) next[v] = (next[v] & ~clique[v]) | left[v];
      next[w] &= ~(bits & (0 - bits));
      next[tree / snBITS] &= ~((uint64_t)1 << tree % snBITS);
      s->rank[t] = rankOf(s, t, countSet(next, words));
    }
  }
  return 1 + nmerged;
}

SN_WIDE(static, void, eliminateSets, (Sets * s, int* order), (s, order)) {
  for (int t = 0; t < s->ntree; t++) {
    s->rank[t] = rankOf(s, t, countSet(s->next + t * s->words, s->words));
  }
  for (int k = 0; k < s->ntree;) {
    int tree = s->ntree - 1 - lowestRank(s) % MOST_BITS;
    k += eliminateSet(s, tree, order + k);
  }
}

// 0 when the stack is full
static int orderFew(const snPrimal* p, const int* tree, int ntree, int* order) {
  Sets s = {ntree, (ntree + snBITS - 1) / snBITS, NULL, NULL, NULL};
  s.next = SN_STACK(p->d, uint64_t, (size_t)ntree * s.words);
  s.rank = SN_STACK(p->d, int, 2 * (size_t)ntree);
  if (!s.next || !s.rank) return 0;
  s.merged = s.rank + ntree;
  linkTrees(p, tree, &s);
  eliminateSets(&s, order);
  return 1;
}

static int orderMany(const snPrimal* p, const int* tree, int ntree, int* order) {
  Graph g;
  if (!allocate(p, tree, ntree, &g)) return 0;
  makeCliques(p, tree, &g);
  for (int k = 0; k < ntree; k++) g.t.degree[k] = countUnion(&g, k, -1);
  startTournament(&g.t, ntree);
  for (int k = 0, time = 1; k < ntree; time++) {
    k += eliminate(&g, g.t.winner[1], time, order + k);
  }
  return 1;
}

int sn_orderTrees(const snPrimal* p, const int* tree, int ntree, int* order) {
  sn_markStack(p->d);
  int done =
      ntree <= MOST_BITS ? orderFew(p, tree, ntree, order) : orderMany(p, tree, ntree, order);
  sn_freeStack(p->d);
  return done;
}
