// The order of elimination against minimum degree on a plain matrix of neighbours.

#include "engine/solve/solver.h"
#include "harness.h"

enum { MAX_TREES = 80, MAX_ROWS = 300, MAX_WIDTH = 12, MORE = 600 };

typedef struct Coupling_ {
  int ntree, nefc;
  int nnz[MAX_ROWS], adr[MAX_ROWS], super[MAX_ROWS], col[MAX_ROWS * MAX_WIDTH];
  int tree[2 * MAX_TREES];  // two dofs each
} Coupling;

static unsigned long long seed = 5;

static int choose(int n) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int)((seed >> 33) % (unsigned)n);
}

// a row on some dofs of the marked trees
static void addRow(Coupling* c, const char* marked) {
  int row = c->nefc++;
  c->adr[row] = row ? c->adr[row - 1] + c->nnz[row - 1] : 0;
  c->nnz[row] = c->super[row] = 0;
  for (int t = 0; t < c->ntree; t++) {
    int dofs = marked[t] ? 1 + choose(3) : 0;  // the first, the second, both
    for (int k = 0; k < 2; k++) {
      if (dofs >> k & 1) c->col[c->adr[row] + c->nnz[row]++] = 2 * t + k;
    }
  }
}

static void randomCoupling(Coupling* c) {
  c->ntree = 2 + choose(MAX_TREES - 1);
  c->nefc = 0;
  for (int i = 0; i < 2 * c->ntree; i++) c->tree[i] = i / 2;
  int rows = choose(3 * c->ntree + 1), widest = 2 + choose(5), near = choose(2);
  for (int r = 0; r < rows; r++) {
    char marked[MAX_TREES] = {0};
    int at = choose(c->ntree);
    for (int k = choose(widest); k >= 0; k--) {
      marked[(near ? at + choose(8) : choose(c->ntree)) % c->ntree] = 1;
    }
    addRow(c, marked);
  }
}

static void plainOrder(const Coupling* c, int* order) {
  static char near[MAX_TREES][MAX_TREES];
  char done[MAX_TREES] = {0};
  memset(near, 0, sizeof(near));
  for (int r = 0; r < c->nefc; r++) {
    for (int a = 0; a < c->nnz[r]; a++) {
      for (int b = 0; b < c->nnz[r]; b++) {
        near[c->tree[c->col[c->adr[r] + a]]][c->tree[c->col[c->adr[r] + b]]] = 1;
      }
    }
  }
  for (int k = 0; k < c->ntree; k++) {
    int best = -1, lowest = MAX_TREES;
    for (int t = c->ntree - 1; t >= 0; t--) {
      int degree = 0;
      for (int u = 0; u < c->ntree; u++) degree += u != t && !done[u] && near[t][u];
      if (!done[t] && degree < lowest) {
        best = t;
        lowest = degree;
      }
    }
    order[k] = best;
    done[best] = 1;
    for (int t = 0; t < c->ntree; t++) {
      for (int u = 0; near[best][t] && u < c->ntree; u++) near[t][u] |= near[best][u];
    }
  }
}

static void test_the_tree_with_the_fewest_neighbours_goes_first(void** state) {
  (void)state;
  static Coupling c;
  snModel* m = loadXML("<mujoco><size memory='10M'/></mujoco>");
  snData* d = sn_makeData(m);
  for (int i = 0; i < 3000; i++) {
    int expected[MAX_TREES], found[MAX_TREES], among[MAX_TREES + MORE];
    randomCoupling(&c);
    plainOrder(&c, expected);
    snPrimal p;
    memset(&p, 0, sizeof(p));
    p.m = m;
    p.d = d;
    p.rows.nefc = c.nefc;
    p.J.nnz = c.nnz;
    p.J.adr = c.adr;
    p.J.col = c.col;
    p.J.super = c.super;
    assert_true(sn_orderTrees(&p, c.tree, c.ntree, found));
    for (int k = 0; k < c.ntree; k++) assert_int_equal(found[k], expected[k]);
    // so many more without neighbours, which go first, that trees are kept in another way
    assert_true(sn_orderTrees(&p, c.tree, c.ntree + MORE, among));
    for (int k = 0; k < MORE; k++) assert_int_equal(among[k], c.ntree + MORE - 1 - k);
    for (int k = 0; k < c.ntree; k++) assert_int_equal(among[MORE + k], expected[k]);
  }
  sn_deleteData(d);
  sn_deleteModel(m);
}

// Multiplications that eliminate the trees of a square sheet, whose edges are rows, in the order found.
static double sheetCost(snModel* m, snData* d, int side) {
  enum { SIDE = 32, TREES = SIDE * SIDE, ROWS = 3 * TREES };
  static int nnz[ROWS], adr[ROWS], super[ROWS], col[2 * ROWS], tree[TREES], order[TREES];
  static char near[TREES][TREES], done[TREES];
  static const int step[3][2] = {{1, 0}, {0, 1}, {1, 1}};
  int ntree = side * side, nefc = 0, list[TREES];
  double cost = 0;
  memset(near, 0, sizeof(near));
  memset(done, 0, sizeof(done));
  for (int i = 0; i < ntree; i++) tree[i] = i;
  for (int i = 0; i < 3 * ntree; i++) {
    int x = i / 3 % side + step[i % 3][0], y = i / 3 / side + step[i % 3][1];
    if (x >= side || y >= side) continue;
    adr[nefc] = 2 * nefc;
    nnz[nefc] = 2;
    super[nefc] = 0;
    col[2 * nefc] = i / 3;
    col[2 * nefc + 1] = y * side + x;
    near[i / 3][y * side + x] = near[y * side + x][i / 3] = 1;
    nefc++;
  }
  snPrimal p;
  memset(&p, 0, sizeof(p));
  p.m = m;
  p.d = d;
  p.rows.nefc = nefc;
  p.J.nnz = nnz;
  p.J.adr = adr;
  p.J.col = col;
  p.J.super = super;
  assert_true(sn_orderTrees(&p, tree, ntree, order));
  for (int k = 0; k < ntree; k++) {
    int n = 0;
    done[order[k]] = 1;
    for (int t = 0; t < ntree; t++) {
      if (!done[t] && near[order[k]][t]) list[n++] = t;
    }
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) near[list[a]][list[b]] = 1;
    }
    cost += (n + 1.0) * (n + 1.0);
  }
  return cost;
}

// Rows of the sheet one after the other take n^2 multiplications, a dissection by levels as many as this order
// up to 4,096 vertices.
static void test_the_cost_of_a_sheet_grows_less_than_that_of_a_band(void** state) {
  (void)state;
  snModel* m = loadXML("<mujoco><size memory='10M'/></mujoco>");
  snData* d = sn_makeData(m);
  double small = sheetCost(m, d, 16), large = sheetCost(m, d, 32);
  assert_true(large < 11.5 * small);  // four times the vertices: n^1.76
  sn_deleteData(d);
  sn_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_tree_with_the_fewest_neighbours_goes_first),
      cmocka_unit_test(test_the_cost_of_a_sheet_grows_less_than_that_of_a_band),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
