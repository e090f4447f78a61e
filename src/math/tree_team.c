// The factorisation M = L' D L on a kinematic tree, and solves with it, by a team of lanes.
//
// Row k of the lower triangle has one entry for each ancestor of dof k, from the root down, and the diagonal last. The
// position of an ancestor in a row is thus its depth, the same in the rows of all its descendants. When lane p takes
// position p of every row, each number is read and written by one lane only, and no barriers are needed.
//
// The first algorithm of a list that fits runs. Paths and blocks need rows in depth-first order, which most models have;
// lists of some dofs and chains that join trees need not have it.
//
//   factor    many trees: a lane for each tree (factorRows)
//             no path longer than the team: lane p holds position p of the current path in registers (factorPaths)
//             else: row by row, all lanes share the updates of the ancestors' rows (factorByLanes)
//   solve     many trees: a lane for each tree (solveRows)
//             at most one dof for each lane: x in registers, warp shuffles (sn_solveTreeOf)
//             more dofs: the same for one block of rows after the other (solveBlocks)
//             else: row by row (solveUpRows, solveDownTeam)
//   multiply  blocks of rows (addTransposeBlocks), else row by row (addTransposeRows)

#include "math/tree_team.h"
#include "base/assert.h"
#include "math/decomp.h"
#include "math/vec.h"

// Properties of the rows. MANY_TREES: at least a quarter of the lanes could take a tree each, and the rows of a tree
// are contiguous (they are not where chains join several trees). DEPTH_FIRST: the parent of each row is the row before it
// or an ancestor of that one, so that the descendants of a row follow it without a gap.
enum { MANY_TREES = 1, DEPTH_FIRST = 2 };

// The rows of a matrix; those of a list, or all.
typedef struct Rows_ {
  int n;
  const int *nnz, *adr, *col;
  const int* index;  // nullable
} Rows;

static inline int rowAt(const Rows* t, int r) { return t->index ? t->index[r] : r; }

static int shapeOf(Rows t) {
  int trees = 0, mixed = 0, apart = 0, lanes = SN_LANES;
  const int* colind = t.col;
  SN_FOR(r, t.n - 1) {
    int k = rowAt(&t, r + 1), before = rowAt(&t, r);
    int left = t.nnz[k] - 1, length = t.nnz[before], adr = t.adr[k], other = t.adr[before];
    if (!left) continue;
    int place = left <= length ? left - 1 : 0;
    trees += length == 1;
    mixed |= colind[adr] != colind[other];
    apart |= left > length || colind[adr + place] != colind[other + place];
  }
  int shape = sn_teamAny(apart) ? 0 : DEPTH_FIRST;
  if (t.n <= lanes || sn_teamAny(mixed)) return shape;
  trees = sn_teamSumInt(trees);
  return trees > 1 && 4 * trees >= lanes ? shape | MANY_TREES : shape;
}

// position after the last row of the tree whose first row is at position r
static int endOfTree(const Rows* t, int r) {
  SN_ASSERT_INDEX(r, t->n);
  for (r++; r < t->n && t->nnz[rowAt(t, r)] > 1; r++) continue;
  return r;
}

// One lane factors the rows [first, end) of one tree.
static void factorRows(snReal* LD, snReal* LDiagInv, const Rows* t, int first, int end) {
  SN_ASSERT(first < end && t->nnz[rowAt(t, first)] == 1);  // a whole tree
  for (int r = end - 1; r >= first; r--) {
    int k = rowAt(t, r), last = t->nnz[k] - 1;
    snReal *row = LD + t->adr[k], inverse = LDiagInv[k] = 1 / row[last];
    const int* col = t->col + t->adr[k];
    for (int p = last - 1; p >= 0; p--) {
      snReal *target = LD + t->adr[col[p]], factor = row[p] * inverse;
      for (int q = 0; q <= p; q++) target[q] -= row[q] * factor;
      row[p] = factor;
    }
  }
}

// For each row k, from the last to the first: row i -= L(k,i) row k for all ancestors i of k. The lanes form a grid over
// ancestors and columns, four columns wide.
static void factorByLanes(snReal* LD, snReal* LDiagInv, Rows t) {
  SN_ASSERT(SN_LANES > 1);
  int lane = SN_LANE, lanes = SN_LANES, width = lanes < 4 ? lanes : 4, height = lanes / width;
  int first = lane / width, column = lane % width;
  for (int r = t.n - 1; r >= 0; r--) {
    int k = rowAt(&t, r), last = t.nnz[k] - 1, adr = t.adr[k];
    if (!last) continue;
    const snReal* row = LD + adr;
    snReal inverse = 1 / row[last];
    if (!lane) LDiagInv[k] = inverse;
    for (int p = first; p < last; p += height) {
      snReal *target = LD + t.adr[t.col[adr + p]], factor = row[p] * inverse;
      for (int q = column; q <= p; q += width) target[q] -= row[q] * factor;
    }
    SN_SYNC();
  }
  SN_FOR(r, t.n) {
    int k = rowAt(&t, r), last = t.nnz[k] - 1;
    snReal* row = LD + t.adr[k];
    if (!last) LDiagInv[k] = 1 / row[0];
    for (int p = 0; p < last; p++) row[p] *= LDiagInv[k];
  }
  SN_SYNC();
}

// entries of the longest row
static int longestRow(const Rows* t) {
  int longest = 0;
  SN_FOR(r, t->n) {
    int nnz = t->nnz[rowAt(t, r)];
    if (nnz > longest) longest = nnz;
  }
  return sn_teamMaxInt(longest);
}

// lanes of the largest team
enum { LOG_LANES = SN_LOG_LANES, MAX_LANES = 1 << LOG_LANES };

// State of the elimination, which goes from the last row to the first. On the path from the root to row k, the lane of
// position c holds column c. update[p] accumulates what the eliminated descendants of the row at position p
// subtract from its entry in that column; it is cleared when the row is eliminated. Entries with p < c are not used.
typedef struct Path_ {
  snReal update[MAX_LANES];
  snReal pivot, inverse, factor;  // of the last row eliminated: D, 1/D, and L(k,.)
} Path;

// Eliminates row k, whose diagonal is at the given position: subtracts A(k,i) A(k,.) / D(k) from the row of each ancestor
// i; A(k,i) comes from the lane of its position p. Each part of the team, `width` lanes, works on its own matrix.
SN_KERNEL void eliminateRow(Path* path, snReal row, int position, int width) {
  SN_ASSERT(position >= 0 && position < width && width <= MAX_LANES);
  snReal entry[MAX_LANES];
  row += path->update[position];
  path->update[position] = 0;
  path->pivot = sn_warpFromPart(row, position, width);
  SN_UNROLL
  for (int p = 0; p < position; p++) entry[p] = sn_warpFromPart(row, p, width);
  path->inverse = 1 / path->pivot;
  path->factor = row * path->inverse;
  SN_UNROLL
  for (int p = 0; p < position; p++) path->update[p] -= path->factor * entry[p];
}

// eliminateRow with the position as a compile-time constant, because registers cannot be indexed at run time. Bisection
// finds the position among the n from `first` on.
#define eliminateOneOf1(path, row, position, width, first) eliminateRow(path, row, first, width)
#define ELIMINATE_ONE_OF(n, half)                                                                \
  SN_KERNEL void eliminateOneOf##n(Path* path, snReal row, int position, int width, int first) { \
    if (position < first + half) {                                                               \
      eliminateOneOf##half(path, row, position, width, first);                                   \
    } else {                                                                                     \
      eliminateOneOf##half(path, row, position, width, first + half);                            \
    }                                                                                            \
  }
ELIMINATE_ONE_OF(2, 1)
ELIMINATE_ONE_OF(4, 2)
ELIMINATE_ONE_OF(8, 4)
#if SN_LOG_LANES == 5
ELIMINATE_ONE_OF(16, 8)
#define eliminateInHalf eliminateOneOf16
#else
#define eliminateInHalf eliminateOneOf8
#endif

// Entry of row k of M at a position. Beyond the diagonal the diagonal is loaded again and not used.
SN_KERNEL snReal entryOfRow(const snReal* M, int k, int position, int nnz, int adr) {
  SN_ASSERT_INDEX(k, SN_LANES);
  int last = sn_warpFromInt(nnz, k) - 1, start = sn_warpFromInt(adr, k);
  return M[start + (position < last ? position : last)];
}

static inline void startPath(Path* path) {
  SN_UNROLL
  for (int p = 0; p < MAX_LANES; p++) path->update[p] = 0;
}

// Factors n rows of M, from the last to the first. Lanes with `damped` set factor M + diag(more) instead. Lane k passes
// the number of entries, the address and `more` of row k. `path` holds the updates of the rows after these n. Only
// lanes with `writes` set store the factor. inverse: 1/D of the rows `position` and `position` + width.
SN_KERNEL void factorPaths(Path* path, snReal inverse[2], snReal* LD, const snReal* M, snReal more,
                           int damped, int writes, int n, int nnz, int adr, int width) {
  SN_ASSERT(n <= SN_LANES && (width & (width - 1)) == 0);
  int position = SN_LANE & (width - 1);
  // rows are loaded two iterations ahead
  snReal next = entryOfRow(M, n - 1, position, nnz, adr);
  snReal after = entryOfRow(M, n > 1 ? n - 2 : 0, position, nnz, adr);
  inverse[0] = inverse[1] = 0;
  SN_PLAIN_LOOP
  for (int k = n - 1; k >= 0; k--) {
    int last = sn_warpFromInt(nnz, k) - 1, start = sn_warpFromInt(adr, k);
    snReal damping = sn_warpFrom(more, k), row = next;
    next = after;
    after = entryOfRow(M, k > 2 ? k - 2 : 0, position, nnz, adr);
    if (damped && position == last) row += damping;
    if (width < MAX_LANES || last < MAX_LANES / 2) {
      eliminateInHalf(path, row, last, width, 0);
    } else {
      eliminateInHalf(path, row, last, width, MAX_LANES / 2);
    }
    if (position == k) inverse[0] = path->inverse;
    if (position + width == k) inverse[1] = path->inverse;
    if (writes && position <= last) {
      LD[start + position] = position < last ? path->factor : path->pivot;
    }
  }
}

// What to factor: M into LD, and M + scale diag(added) into dampedLD; either may be NULL.
typedef struct Factors_ {
  snReal *LD, *LDiagInv;
  const snReal* M;
  snReal *dampedLD, *dampedDiagInv;
  const snReal* added;
  snReal scale;
} Factors;

// Factors any number of rows in depth-first order, none longer than `width`: as many rows at a time as there are lanes,
// from the last. Where `width` is half a team, each half factors one of the two matrices; a whole team factors one.
// Blocks of rows without ancestors or descendants (M is diagonal there) need only 1/D. index may be NULL.
SN_KERNEL void factorBlocks(const Factors* f, Rows t, int width) {
  SN_ASSERT(SN_LANES > 1 && SN_LANES <= MAX_LANES);
  int lane = SN_LANE, lanes = SN_LANES, halves = width < MAX_LANES, below = 0;
  int second = halves ? lane >= width : f->dampedLD != NULL, position = lane & (width - 1);
  snReal *LD = second ? f->dampedLD : f->LD, *inverses = second ? f->dampedDiagInv : f->LDiagInv;
  Path path;
  startPath(&path);
  SN_PLAIN_LOOP
  for (int end = t.n; end > 0; end -= lanes) {
    int begin = end > lanes ? end - lanes : 0, own = begin + lane < end, k = own ? begin + lane : 0;
    k = rowAt(&t, k);
    int nnz = own ? t.nnz[k] : 0, adr = own ? t.adr[k] : 0;
    snReal inverse[2], more = own && f->dampedLD ? f->scale * f->added[k] : 0;
    if (below || sn_warpMaxInt(nnz) > 1) {  // has a row of this block or of the next one ancestors?
      factorPaths(&path, inverse, LD, f->M, more, second, LD != NULL, end - begin, nnz, adr, width);
      SN_UNROLL
      for (int h = 0; h <= halves; h++) {
        int r = begin + position + h * width;
        if (LD && r < end) inverses[rowAt(&t, r)] = inverse[h];
      }
    } else if (own) {
      snReal diagonal = f->M[adr];
      if (f->LD) f->LDiagInv[k] = 1 / (f->LD[adr] = diagonal);
      if (f->dampedLD) f->dampedDiagInv[k] = 1 / (f->dampedLD[adr] = diagonal + more);
    }
    below = sn_warpFromInt(nnz, 0) > 1;
  }
}

static SN_OUTLINE void factorByHalves(const Factors* f, Rows t) {
  factorBlocks(f, t, MAX_LANES / 2);
}

static SN_OUTLINE void factorLongPaths(const Factors* f, Rows t) { factorBlocks(f, t, MAX_LANES); }

// Both matrices at the same time; one after the other where the longest row does not fit half a team.
static void factorBoth(Factors* f, const Rows* t, int longest) {
  if (SN_LANES == MAX_LANES && longest <= MAX_LANES / 2) {
    factorByHalves(f, *t);
  } else {
    snReal* LD = f->LD;
    f->LD = NULL;
    if (f->dampedLD) factorLongPaths(f, *t);
    f->LD = LD;
    f->dampedLD = NULL;
    if (LD) factorLongPaths(f, *t);
  }
  sn_warpSync();
}

void sn_factorTreeOf(snReal* LD, snReal* LDiagInv, const snReal* M, snReal* dampedLD,
                     snReal* dampedDiagInv, const snReal* added, snReal scale, int n,
                     const int* rownnz, const int* rowadr) {
  SN_ASSERT((LD || dampedLD) && (!dampedLD || added));
  Factors f = {LD, LDiagInv, M, dampedLD, dampedDiagInv, added, scale};
  Rows t = {n, rownnz, rowadr, NULL, NULL};
  factorBoth(&f, &t, longestRow(&t));
}

void sn_factorTreeTeam(snReal* LD, snReal* LDiagInv, int n, const int* rownnz, const int* rowadr,
                       const int* colind, const int* index) {
  SN_ASSERT(SN_LANES > 1 && SN_LANES <= MAX_LANES);
  Rows t = {n, rownnz, rowadr, colind, sn_nullIfIdentity(n, index)};
  int shape = shapeOf(t);
  if (!(shape & MANY_TREES)) {
    int longest = longestRow(&t);
    if (longest <= SN_LANES && shape & DEPTH_FIRST) {
      Factors f = {LD, LDiagInv, LD, NULL, NULL, NULL, 0};
      factorBoth(&f, &t, longest);
    } else {
      factorByLanes(LD, LDiagInv, t);
    }
    return;
  }
  SN_FOR(r, n) {
    if (rownnz[rowAt(&t, r)] == 1) factorRows(LD, LDiagInv, &t, r, endOfTree(&t, r));
  }
  SN_SYNC();
}

static void solveRows(snReal* y, const snReal* LD, const snReal* LDiagInv, const Rows* t, int first,
                      int end) {
  SN_ASSERT(first < end && t->nnz[rowAt(t, first)] == 1);
  for (int r = end - 1; r > first; r--) {
    int k = rowAt(t, r), last = t->nnz[k] - 1, adr = t->adr[k];
    snReal value = y[k];
    for (int p = 0; p < last; p++) y[t->col[adr + p]] -= LD[adr + p] * value;
  }
  for (int r = first; r < end; r++) {
    int k = rowAt(t, r), last = t->nnz[k] - 1, adr = t->adr[k];
    snReal value = y[k] * LDiagInv[k];
    for (int p = 0; p < last; p++) value -= LD[adr + p] * y[t->col[adr + p]];
    y[k] = value;
  }
}

// entries that a lane has in flight at once
enum { AT_ONCE = 14 };

// The first row after the descendants of this lane's row: in depth-first order the next row that is not longer. Binary
// search, where fewest[s] is the length of the shortest of the 2^s rows from this lane's on.
static int endOfDescendants(int nnz) {
  int lanes = SN_LANES, lane = SN_LANE, end = lane + 1, fewest[LOG_LANES];
  fewest[0] = nnz;
  SN_UNROLL
  for (int s = 1; s < LOG_LANES; s++) {
    int other = sn_warpFromInt(fewest[s - 1], lane + (1 << (s - 1)));
    fewest[s] = other < fewest[s - 1] ? other : fewest[s - 1];
  }
  SN_UNROLL
  for (int s = LOG_LANES - 1; s >= 0; s--) {
    int next = end + (1 << s), other = sn_warpFromInt(fewest[s], end);
    end = next <= lanes && other > nnz ? next : end;
  }
  return end;
}

// AT_ONCE entries of a row from position p on; zeros before position `first` and from the diagonal on.
SN_KERNEL void rowEntries(snReal entry[AT_ONCE], const snReal* row, int p, int first, int last) {
  SN_UNROLL
  for (int j = 0; j < AT_ONCE; j++) {
    entry[j] = p + j < last && (!first || p + j >= first) ? row[p + j] : 0;
  }
}

// A block of rows in depth-first order from `begin` on, one for each lane. The ancestors of a row before the block come
// first in the row, and all of them are ancestors of the block's first row.
typedef struct Block_ {
  int begin, rows;
  int own, nnz, adr;  // does the lane have a row? its entries, their address
  int outside;        // how many ancestors of the row are before the block
} Block;

// The block that ends at row `end`, with as many rows as there are lanes or all that are left.
static inline Block blockOf(const Rows* t, int end) {
  SN_ASSERT(end > 0 && end <= t->n);
  int begin = end > SN_LANES ? end - SN_LANES : 0;
  int lane = SN_LANE, row = begin + lane, own = row < end;
  Block b = {begin, end - begin, own, own ? t->nnz[row] : 0, own ? t->adr[row] : 0, 0};
  b.outside = own ? b.nnz - 1 : 0;
  SN_UNROLL
  for (int s = 0; s < LOG_LANES; s++) {
    int other = sn_warpFromInt(b.outside, lane - (1 << s));
    if (lane >= 1 << s && other < b.outside) b.outside = other;
  }
  return b;
}

// The transposed triangle within a block. solve: back substitution, x(i) -= L(k,i) x(k) over the descendants k of i, from
// the last one. Otherwise the product: value(i) += M(k,i) given(k).
SN_KERNEL snReal sumBelow(snReal value, snReal given, int solve, const snReal* mat,
                          const Block* b) {
  int lane = SN_LANE, end = endOfDescendants(b->nnz), position = b->own ? b->nnz - 1 : 0;
  int final = sn_warpMaxInt(b->adr + b->nnz) - 1;
  SN_PLAIN_LOOP
  for (int k = b->rows - 1; k > 0; k -= AT_ONCE) {
    snReal entry[AT_ONCE];
    int start[AT_ONCE];
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) start[j] = sn_warpFromInt(b->adr, k - j);
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
      int place = start[j] + position;
      entry[j] = mat[place < final ? place : final];
    }
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
      snReal below = sn_warpFrom(solve ? value : given, k - j);
      if (k - j <= lane || k - j >= end) continue;
      value += solve ? -(entry[j] * below) : entry[j] * below;
    }
  }
  return value;
}

// Forward substitution within a block: x(i) -= L(i,a) x(a) over the ancestors a of i, from the root. In round p all lanes
// subtract the term of their ancestor at depth p, which is final by then. row: entries from position `first` on, which
// the caller has loaded early.
SN_KERNEL snReal subtractAbove(snReal value, snReal row[AT_ONCE], const snReal* LD,
                               const int* colind, const Block* b, int first) {
  int last = b->nnz - 1, depth = sn_warpMaxInt(last), lane = SN_LANE;
  SN_PLAIN_LOOP
  for (int p = first; p < depth; p += AT_ONCE) {
    int above[AT_ONCE];
    if (p > first) rowEntries(row, LD + b->adr, p, b->outside, last);
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
      int inside = p + j >= b->outside && p + j < last;
      above[j] = inside ? colind[b->adr + p + j] - b->begin : lane;
    }
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) value -= row[j] * sn_warpFrom(value, above[j]);
  }
  return value;
}

// x <- L^-1 D^-1 L'^-1 x. The lane of dof i holds x(i); lanes read one another's by warp shuffles.
SN_OUTLINE snReal sn_solveTreeOf(snReal value, const snReal* LD, const snReal* LDiagInv, int n,
                                 const int* rownnz, const int* rowadr, const int* colind) {
  SN_ASSERT(n > 0 && n <= SN_LANES);
  int dof = SN_LANE, own = dof < n;
  Block b = {0, n, own, own ? rownnz[dof] : 0, own ? rowadr[dof] : 0, 0};
  snReal scale = own ? LDiagInv[dof] : 0, row[AT_ONCE];
  rowEntries(row, LD + b.adr, 0, 0, b.nnz - 1);  // for the forward sweep, loaded early
  value = sumBelow(value, 0, 1, LD, &b) * scale;
  return subtractAbove(value, row, LD, colind, &b, 0);
}

// y(a) += sign times the sum of M(k,a) value(k) over the rows k of the block, for the ancestors a before the block.
static inline void addOutside(snReal* y, snReal value, snReal sign, const snReal* mat,
                              const int* colind, const Block* b) {
  enum { SUMS = 4 };
  int lane = SN_LANE, most = sn_warpFromInt(b->outside, 0), adr = sn_warpFromInt(b->adr, 0);
  SN_PLAIN_LOOP
  for (int p = 0; p < most; p += SUMS) {
    snReal part[SUMS], sum = 0;
    SN_UNROLL
    for (int j = 0; j < SUMS; j++) part[j] = p + j < b->outside ? mat[b->adr + p + j] * value : 0;
    sn_warpSums(part, SUMS);
    SN_UNROLL
    for (int j = 0; j < SUMS; j++) sum = j == lane ? part[j] : sum;
    if (lane < SUMS && p + lane < most) y[colind[adr + p + lane]] += sign * sum;
  }
}

// As sn_solveTreeOf, for any number of rows in depth-first order: one block after the other.
static SN_OUTLINE void solveBlocks(snReal* y, const snReal* LD, const snReal* LDiagInv, Rows t) {
  int lane = SN_LANE, lanes = SN_LANES, n = t.n, first = (n - 1) % lanes + 1;
  const int* colind = t.col;
  SN_PLAIN_LOOP
  for (int end = n; end > 0; end -= lanes) {
    Block b = blockOf(&t, end);
    if (!sn_warpAny(b.nnz > 1)) continue;
    snReal value = sumBelow(b.own ? y[b.begin + lane] : 0, 0, 1, LD, &b);
    if (b.own) y[b.begin + lane] = value;
    addOutside(y, value, -1, LD, colind, &b);
    sn_warpSync();
  }
  SN_PLAIN_LOOP
  for (int end = first; end <= n; end += lanes) {
    Block b = blockOf(&t, end);
    int least = -sn_warpMaxInt(b.own ? -b.outside : -n);
    snReal row[AT_ONCE], value = b.own ? y[b.begin + lane] * LDiagInv[b.begin + lane] : 0;
    rowEntries(row, LD + b.adr, least, b.outside, b.nnz - 1);
    SN_UNROLL4
    for (int p = 0; p < b.outside; p++) value -= LD[b.adr + p] * y[colind[b.adr + p]];
    value = subtractAbove(value, row, LD, colind, &b, least);
    if (b.own) y[b.begin + lane] = value;
    sn_warpSync();
  }
}

// Does any of the rows [begin, end), at most as many as there are lanes, have ancestors?
static int hasAncestors(const Rows* t, int begin, int end) {
  SN_ASSERT(end - begin <= SN_LANES);
  int r = begin + SN_LANE, own = r < end;
  return sn_teamAny(own && t->nnz[rowAt(t, r)] > 1);
}

// y <- L'^-1 y, row by row. Blocks of rows without ancestors are skipped.
static void solveUpRows(snReal* y, const snReal* LD, const Rows* t) {
  int lane = SN_LANE, lanes = SN_LANES;
  for (int end = t->n; end > 0; end -= lanes) {
    int begin = end > lanes ? end - lanes : 0;
    if (!hasAncestors(t, begin, end)) continue;
    for (int r = end - 1; r >= begin; r--) {
      int k = rowAt(t, r), last = t->nnz[k] - 1, adr = t->adr[k];
      if (!last) continue;
      snReal value = y[k];
      for (int p = lane; p < last; p += lanes) y[t->col[adr + p]] -= LD[adr + p] * value;
      SN_SYNC();
    }
  }
}

// y <- L^-1 D^-1 y with a lane for each row: round p subtracts the term of each row's ancestor at depth p, which is final
// by then.
static void solveDownTeam(snReal* y, const snReal* LD, const snReal* LDiagInv, const Rows* t) {
  int lanes = SN_LANES;
  for (int base = 0; base < t->n; base += lanes) {
    int r = base + SN_LANE, own = r < t->n, k = own ? rowAt(t, r) : 0;
    int last = own ? t->nnz[k] - 1 : -1, adr = t->adr[k], depth = sn_teamMaxInt(last);
    snReal value = own ? y[k] * LDiagInv[k] : 0;
    if (!last) y[k] = value;
    SN_SYNC();
    for (int p = 0; p < depth; p++) {
      if (p < last) {
        value -= LD[adr + p] * y[t->col[adr + p]];
        if (p == last - 1) y[k] = value;
      }
      SN_SYNC();
    }
  }
}

void sn_solveTreeTeam(snReal* x, const snReal* LD, const snReal* LDiagInv, int n, int stride,
                      int nvec, const int* rownnz, const int* rowadr, const int* colind,
                      const int* index) {
  SN_ASSERT(SN_LANES > 1 && (nvec < 2 || stride >= n));
  if (n < 1) return;
  Rows t = {n, rownnz, rowadr, colind, sn_nullIfIdentity(n, index)};
  int shape = shapeOf(t), lane = SN_LANE;
  int many = shape & MANY_TREES, blocks = !many && !t.index && shape & DEPTH_FIRST;
  for (int v = 0; v < nvec; v++) {
    snReal* y = x + (size_t)v * stride;
    if (many) {
      SN_FOR(r, n) {
        if (rownnz[rowAt(&t, r)] == 1) solveRows(y, LD, LDiagInv, &t, r, endOfTree(&t, r));
      }
      SN_SYNC();
      continue;
    }
    if (blocks && n <= SN_LANES) {
      snReal value = lane < n ? y[lane] : 0;
      value = sn_solveTreeOf(value, LD, LDiagInv, n, rownnz, rowadr, colind);
      if (lane < n) y[lane] = value;
      SN_SYNC();
      continue;
    }
    if (blocks) {
      solveBlocks(y, LD, LDiagInv, t);
      continue;
    }
    solveUpRows(y, LD, &t);
    solveDownTeam(y, LD, LDiagInv, &t);
  }
}

// res += N' vec, where N is the part below the diagonal, row by row: lane p adds the terms at position p, so that each
// entry of res is written by one lane.
static void addTransposeRows(snReal* res, const snReal* mat, const snReal* vec, const Rows* t) {
  int lane = SN_LANE, lanes = SN_LANES, n = t->n;
  for (int begin = 0; begin < n; begin += lanes) {
    int end = begin + lanes < n ? begin + lanes : n;
    if (!hasAncestors(t, begin, end)) continue;
    for (int r = begin; r < end; r++) {
      int adr = t->adr[r], last = t->nnz[r] - 1;
      for (int p = lane; p < last; p += lanes) res[t->col[adr + p]] += mat[adr + p] * vec[r];
    }
  }
}

// The same by blocks: a lane sums the column of its row.
static SN_OUTLINE void addTransposeBlocks(snReal* res, const snReal* mat, const snReal* vec,
                                          Rows t) {
  int lane = SN_LANE, lanes = SN_LANES;
  SN_PLAIN_LOOP
  for (int end = t.n; end > 0; end -= lanes) {
    Block b = blockOf(&t, end);
    if (!sn_warpAny(b.nnz > 1)) continue;
    snReal given = b.own ? vec[b.begin + lane] : 0, sum = sumBelow(0, given, 0, mat, &b);
    if (b.own) res[b.begin + lane] += sum;
    addOutside(res, given, 1, mat, t.col, &b);
    sn_warpSync();
  }
}

// res = mat vec: the lower triangle with a lane for each row, then the transpose of the part below the diagonal
void sn_mulTreeTeam(snReal* res, const snReal* mat, const snReal* vec, int n, const int* rownnz,
                    const int* rowadr, const int* colind) {
  SN_ASSERT(SN_LANES > 1 && res != vec);
  SN_FOR(r, n) {
    int adr = rowadr[r], last = rownnz[r] - 1;
    snReal sum = mat[adr + last] * vec[r];
    SN_UNROLL4
    for (int p = 0; p < last; p++) sum += mat[adr + p] * vec[colind[adr + p]];
    res[r] = sum;
  }
  SN_SYNC();
  Rows t = {n, rownnz, rowadr, colind, NULL};
  if (shapeOf(t) & DEPTH_FIRST) {
    addTransposeBlocks(res, mat, vec, t);
  } else {
    addTransposeRows(res, mat, vec, &t);
  }
  SN_SYNC();
}
