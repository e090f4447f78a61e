// L'DL on a kinematic tree.
//
// Row k holds dof k's ancestors and itself, columns ascending. The row of the ancestor at position
// p of row k has exactly the first p+1 columns of row k, so every update is a dense one.
//
// Rows of which each is the parent of the next form a run: they share the columns outside of the
// run, which are read once for all of them. Every sum keeps the order of one row at a time.

#include "base/assert.h"
#include "math/decomp.h"
#include "math/pattern.h"
#include "math/vec.h"

// ---- teams of lanes
//
// A dof has the same position in the rows of all its descendants. Dealt out by position, a value is
// therefore always in the hands of the same lane.

// Trees of more than one row; 0 when the rows of one lie among those of another, as chains made of
// several trees may.
static int treesApart(int n, const int* rownnz, const int* rowadr, const int* colind,
                      const int* index) {
  int trees = 0, mixed = 0;
  SN_FOR(r, n - 1) {
    int k = index ? index[r] : r, next = index ? index[r + 1] : r + 1;
    if (rownnz[next] == 1) continue;
    trees += rownnz[k] == 1;
    mixed |= colind[rowadr[k]] != colind[rowadr[next]];
  }
  return sn_teamAny(mixed) ? 0 : sn_teamSumInt(trees);
}

// NULL for an ascending list that leaves no row out
static const int* nullIfIdentity(int n, const int* index) {
  return index && n > 0 && index[n - 1] == n - 1 ? NULL : index;
}

// Is there a tree for many of the lanes?
static int manyTrees(int n, const int* rownnz, const int* rowadr, const int* colind,
                     const int* index) {
  int lanes = SN_LANES;
  if (n <= lanes) return 0;
  int trees = treesApart(n, rownnz, rowadr, colind, index);
  return trees > 1 && 4 * trees >= lanes;
}

// position after the last row of the tree whose first row is at position r
static int endOfTree(int r, int n, const int* rownnz, const int* index) {
  SN_ASSERT_INDEX(r, n);
  for (r++; r < n && rownnz[index ? index[r] : r] > 1; r++) continue;
  return r;
}

// the rows of one tree, by one lane
static void factorRows(snReal* LD, snReal* LDiagInv, int first, int end, const int* rownnz,
                       const int* rowadr, const int* colind, const int* index) {
  for (int r = end - 1; r >= first; r--) {
    int k = index ? index[r] : r, last = rownnz[k] - 1;
    snReal *row = LD + rowadr[k], inverse = LDiagInv[k] = 1 / row[last];
    const int* col = colind + rowadr[k];
    for (int p = last - 1; p >= 0; p--) {
      snReal *target = LD + rowadr[col[p]], factor = row[p] * inverse;
      for (int q = 0; q <= p; q++) target[q] -= row[q] * factor;
      row[p] = factor;
    }
  }
}

// row by row, the entries of its ancestors' rows dealt out to a grid of lanes
static void factorByLanes(snReal* LD, snReal* LDiagInv, int n, const int* rownnz, const int* rowadr,
                          const int* colind, const int* index) {
  int lane = SN_LANE, lanes = SN_LANES, width = lanes < 4 ? lanes : 4, height = lanes / width;
  int first = lane / width, column = lane % width;
  for (int r = n - 1; r >= 0; r--) {
    int k = index ? index[r] : r, last = rownnz[k] - 1, adr = rowadr[k];
    if (!last) continue;
    const snReal* row = LD + adr;
    snReal inverse = 1 / row[last];
    if (!lane) LDiagInv[k] = inverse;
    for (int p = first; p < last; p += height) {
      snReal *target = LD + rowadr[colind[adr + p]], factor = row[p] * inverse;
      for (int q = column; q <= p; q += width) target[q] -= row[q] * factor;
    }
    SN_SYNC();
  }
  SN_FOR(r, n) {
    int k = index ? index[r] : r, last = rownnz[k] - 1;
    snReal* row = LD + rowadr[k];
    if (!last) LDiagInv[k] = 1 / row[0];
    for (int p = 0; p < last; p++) row[p] *= LDiagInv[k];
  }
  SN_SYNC();
}

// Is every row the child of the row before it or of one of that row's ancestors? The descendants of a row
// then follow it without a gap.
static int depthFirst(int n, const int* rownnz, const int* rowadr, const int* colind,
                      const int* index) {
  int apart = 0;
  SN_FOR(r, n) {
    int k = index ? index[r] : r, before = r ? (index ? index[r - 1] : r - 1) : -1;
    int left = rownnz[k] - 1;
    if (!left) continue;
    apart |= before < 0 || left > rownnz[before] ||
             colind[rowadr[k] + left - 1] != colind[rowadr[before] + left - 1];
  }
  return !sn_teamAny(apart);
}

// Is there a lane for every row, and do descendants follow without a gap?
static int laneForRow(int n, const int* rownnz, const int* rowadr, const int* colind,
                      const int* index) {
  return !index && n <= SN_LANES && n > 0 && depthFirst(n, rownnz, rowadr, colind, index);
}

// entries of the longest row
static int longestRow(int n, const int* rownnz, const int* index) {
  int longest = 0;
  SN_FOR(r, n) {
    int nnz = rownnz[index ? index[r] : r];
    if (nnz > longest) longest = nnz;
  }
  return sn_teamMaxInt(longest);
}

// lanes of the largest team
enum { LOG_LANES = 5, MAX_LANES = 1 << LOG_LANES };

// Rows of a tree are eliminated from the last to the first. On the path from the root to row k, the lane
// at position p holds column p; update[p] sums what the descendants of the row at position p subtract
// from it, and is cleared when that row is eliminated. Entries of a lane above its own position are
// meaningless.
typedef struct Path_ {
  snReal update[MAX_LANES];
  snReal pivot, inverse, factor;  // of the last row eliminated: D, 1/D, and L(k,.)
} Path;

// Eliminate row k, whose diagonal is at the given position: A(k,i) A(k,.) / D(k) is subtracted from the
// row of its ancestor i at position p, where A(k,i) comes from lane p. Each part of the team, of that
// width, works on its own matrix.
SN_KERNEL void eliminateRow(Path* path, snReal row, int position, int width) {
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

// The same with one of 2, 4.. positions from the first, which is a constant: registers have no
// indices.
SN_KERNEL void eliminateOneOf2(Path* path, snReal row, int position, int width, int first) {
  if (position > first) {
    eliminateRow(path, row, first + 1, width);
  } else {
    eliminateRow(path, row, first, width);
  }
}

SN_KERNEL void eliminateOneOf4(Path* path, snReal row, int position, int width, int first) {
  if (position < first + 2) {
    eliminateOneOf2(path, row, position, width, first);
  } else {
    eliminateOneOf2(path, row, position, width, first + 2);
  }
}

SN_KERNEL void eliminateOneOf8(Path* path, snReal row, int position, int width, int first) {
  if (position < first + 4) {
    eliminateOneOf4(path, row, position, width, first);
  } else {
    eliminateOneOf4(path, row, position, width, first + 4);
  }
}

SN_KERNEL void eliminateOneOf16(Path* path, snReal row, int position, int width, int first) {
  if (position < first + 8) {
    eliminateOneOf8(path, row, position, width, first);
  } else {
    eliminateOneOf8(path, row, position, width, first + 8);
  }
}

// what the lane at that position finds in row k of M, or something where the row has ended
SN_KERNEL snReal entryOfRow(const snReal* M, int k, int position, int nnz, int adr) {
  int last = sn_warpFromInt(nnz, k) - 1, start = sn_warpFromInt(adr, k);
  return M[start + (position < last ? position : last)];
}

static inline void startPath(Path* path) {
  SN_UNROLL
  for (int p = 0; p < MAX_LANES; p++) path->update[p] = 0;
}

// Factor M, or M plus `more` on the diagonal for lanes with `damped` set: n rows from the last, of which
// each lane has the number of entries and the address of one. Rows after these are in the path. Only
// lanes with `writes` set store the factor. inverse: 1/D of the row of this lane's position, and of the
// one a width further on.
SN_KERNEL void factorPaths(Path* path, snReal inverse[2], snReal* LD, const snReal* M, snReal more,
                           int damped, int writes, int n, int nnz, int adr, int width) {
  int position = SN_LANE & (width - 1);
  // a row is asked for two rows ahead of its turn
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
      eliminateOneOf16(path, row, last, width, 0);
    } else {
      eliminateOneOf16(path, row, last, width, MAX_LANES / 2);
    }
    if (position == k) inverse[0] = path->inverse;
    if (position + width == k) inverse[1] = path->inverse;
    if (writes && position <= last) {
      LD[start + position] = position < last ? path->factor : path->pivot;
    }
  }
}

// Any number of rows with at most as many entries as there are lanes, whose descendants follow without a
// gap: as many rows at a time, from the last; rows that are alone need no path. Nullable: added, index.
static SN_OUTLINE void factorLongPaths(snReal* LD, snReal* LDiagInv, const snReal* M,
                                       const snReal* added, snReal scale, int n, const int* rownnz,
                                       const int* rowadr, const int* index) {
  int lane = SN_LANE, lanes = SN_LANES, below = 0;  // do rows of the path continue these?
  Path path;
  startPath(&path);
  SN_PLAIN_LOOP
  for (int end = n; end > 0; end -= lanes) {
    int begin = end > lanes ? end - lanes : 0, own = begin + lane < end, k = own ? begin + lane : 0;
    if (index) k = index[k];
    int nnz = own ? rownnz[k] : 0, adr = own ? rowadr[k] : 0;
    snReal inverse[2], more = own && added ? scale * added[k] : 0;
    if (below || sn_warpMaxInt(nnz) > 1) {
      factorPaths(&path, inverse, LD, M, more, 1, 1, end - begin, nnz, adr, MAX_LANES);
    } else if (own) {
      LD[adr] = M[adr] + more;
      inverse[0] = 1 / LD[adr];
    }
    if (own) LDiagInv[k] = inverse[0];
    below = sn_warpFromInt(nnz, 0) > 1;
  }
}

// Both matrices at the same time, each by half of a team of the largest size; one after the other
// where half a team is too narrow for the longest path.
SN_OUTLINE void sn_factorTreeOf(snReal* LD, snReal* LDiagInv, const snReal* M, snReal* dampedLD,
                                snReal* dampedDiagInv, const snReal* added, snReal scale, int n,
                                const int* rownnz, const int* rowadr) {
  int lane = SN_LANE, own = lane < n, nnz = own ? rownnz[lane] : 0, adr = own ? rowadr[lane] : 0;
  int half = MAX_LANES / 2, second = lane >= half, position = lane & (half - 1);
  if (SN_LANES < MAX_LANES || sn_warpMaxInt(nnz) > half) {
    if (dampedLD) {
      factorLongPaths(dampedLD, dampedDiagInv, M, added, scale, n, rownnz, rowadr, NULL);
    }
    factorLongPaths(LD, LDiagInv, M, NULL, 0, n, rownnz, rowadr, NULL);
  } else {
    snReal more = own && dampedLD ? scale * added[lane] : 0, inverse[2];
    Path path;
    startPath(&path);
    if (second) LD = dampedLD, LDiagInv = dampedDiagInv;
    factorPaths(&path, inverse, LD, M, more, second, LD != NULL, n, nnz, adr, half);
    if (LD && position < n) LDiagInv[position] = inverse[0];
    if (LD && position + half < n) LDiagInv[position + half] = inverse[1];
  }
  sn_warpSync();
}

static void factorTeam(snReal* LD, snReal* LDiagInv, int n, const int* rownnz, const int* rowadr,
                       const int* colind, const int* index) {
  index = nullIfIdentity(n, index);
  if (laneForRow(n, rownnz, rowadr, colind, index)) {
    sn_factorTreeOf(LD, LDiagInv, LD, NULL, NULL, NULL, 0, n, rownnz, rowadr);
    return;
  }
  if (!manyTrees(n, rownnz, rowadr, colind, index)) {
    if (longestRow(n, rownnz, index) <= SN_LANES && depthFirst(n, rownnz, rowadr, colind, index)) {
      factorLongPaths(LD, LDiagInv, LD, NULL, 0, n, rownnz, rowadr, index);
      SN_SYNC();
    } else {
      factorByLanes(LD, LDiagInv, n, rownnz, rowadr, colind, index);
    }
    return;
  }
  SN_FOR(r, n) {
    if (rownnz[index ? index[r] : r] > 1) continue;
    int end = endOfTree(r, n, rownnz, index);
    factorRows(LD, LDiagInv, r, end, rownnz, rowadr, colind, index);
  }
  SN_SYNC();
}

static void solveRows(snReal* y, const snReal* LD, const snReal* LDiagInv, int first, int end,
                      const int* rownnz, const int* rowadr, const int* colind, const int* index) {
  for (int r = end - 1; r > first; r--) {
    int k = index ? index[r] : r, last = rownnz[k] - 1, adr = rowadr[k];
    snReal value = y[k];
    for (int p = 0; p < last; p++) y[colind[adr + p]] -= LD[adr + p] * value;
  }
  for (int r = first; r < end; r++) {
    int k = index ? index[r] : r, last = rownnz[k] - 1, adr = rowadr[k];
    snReal value = y[k] * LDiagInv[k];
    for (int p = 0; p < last; p++) value -= LD[adr + p] * y[colind[adr + p]];
    y[k] = value;
  }
}

// rows or ancestors whose entries a lane asks for at once
enum { AT_ONCE = 14 };

// The row after the descendants of this lane's row: those have more entries than it, and the next
// one has not. The fewest entries of 1, 2, 4.. rows that follow one another tell by how much to go.
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

// entries of a row from place p on, zeros from its diagonal on
SN_KERNEL void rowEntries(snReal entry[AT_ONCE], const snReal* row, int p, int last) {
  SN_UNROLL
  for (int j = 0; j < AT_ONCE; j++) entry[j] = p + j < last ? row[p + j] : 0;
}

// Every lane keeps the value of its dof to itself. Going up, it takes from its descendants, last
// one first. Going down, all rows take their first ancestors, then the second ones: what they take
// is complete by then.
SN_OUTLINE snReal sn_solveTreeOf(snReal value, const snReal* LD, const snReal* LDiagInv, int n,
                                 const int* rownnz, const int* rowadr, const int* colind) {
  int dof = SN_LANE, own = dof < n, nnz = own ? rownnz[dof] : 0, adr = own ? rowadr[dof] : 0;
  snReal scale = own ? LDiagInv[dof] : 0, entry[AT_ONCE], row[AT_ONCE];
  int last = nnz - 1, position = own ? last : 0;
  rowEntries(row, LD + adr, 0, last);  // for the way down; the way up finds all rows near
  int end = endOfDescendants(nnz), depth = sn_warpMaxInt(last);
  int final = sn_warpMaxInt(adr + nnz) - 1;
  SN_PLAIN_LOOP
  for (int k = n - 1; k > 0; k -= AT_ONCE) {
    int start[AT_ONCE];
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) start[j] = sn_warpFromInt(adr, k - j);
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
      int place = start[j] + position;
      entry[j] = LD[place < final ? place : final];
    }
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
      snReal below = sn_warpFrom(value, k - j);
      if (k - j > dof && k - j < end) value -= entry[j] * below;
    }
  }
  value *= scale;
  SN_PLAIN_LOOP
  for (int p = 0; p < depth; p += AT_ONCE) {
    int above[AT_ONCE];
    if (p) rowEntries(row, LD + adr, p, last);
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) above[j] = p + j < last ? colind[adr + p + j] : dof;
    SN_UNROLL
    for (int j = 0; j < AT_ONCE; j++) value -= row[j] * sn_warpFrom(value, above[j]);
  }
  return value;
}

static void solveUpRows(snReal* y, const snReal* LD, int n, const int* rownnz, const int* rowadr,
                        const int* colind, const int* index) {
  int lane = SN_LANE, lanes = SN_LANES;
  for (int r = n - 1; r > 0; r--) {
    int k = index ? index[r] : r, last = rownnz[k] - 1, adr = rowadr[k];
    if (!last) continue;
    snReal value = y[k];
    for (int p = lane; p < last; p += lanes) y[colind[adr + p]] -= LD[adr + p] * value;
    SN_SYNC();
  }
}

// y <- L^-1 D^-1 y: a lane for each row; all rows take their first ancestors, then the second ones,
// and what they take is complete by then
static void solveDownTeam(snReal* y, const snReal* LD, const snReal* LDiagInv, int n,
                          const int* rownnz, const int* rowadr, const int* colind,
                          const int* index) {
  int lanes = SN_LANES;
  for (int base = 0; base < n; base += lanes) {
    int r = base + SN_LANE, own = r < n, k = own ? (index ? index[r] : r) : 0;
    int last = own ? rownnz[k] - 1 : -1, adr = rowadr[k], depth = sn_teamMaxInt(last);
    snReal value = own ? y[k] * LDiagInv[k] : 0;
    if (!last) y[k] = value;
    SN_SYNC();
    for (int p = 0; p < depth; p++) {
      if (p < last) {
        value -= LD[adr + p] * y[colind[adr + p]];
        if (p == last - 1) y[k] = value;
      }
      SN_SYNC();
    }
  }
}

static void solveTeam(snReal* x, const snReal* LD, const snReal* LDiagInv, int n, int stride,
                      int nvec, const int* rownnz, const int* rowadr, const int* colind,
                      const int* index) {
  if (n < 1) return;
  index = nullIfIdentity(n, index);
  int many = manyTrees(n, rownnz, rowadr, colind, index);
  int dofs = laneForRow(n, rownnz, rowadr, colind, index), lane = SN_LANE;
  for (int v = 0; v < nvec; v++) {
    snReal* y = x + (size_t)v * stride;
    if (many) {
      SN_FOR(r, n) {
        if (rownnz[index ? index[r] : r] > 1) continue;
        int end = endOfTree(r, n, rownnz, index);
        solveRows(y, LD, LDiagInv, r, end, rownnz, rowadr, colind, index);
      }
      SN_SYNC();
      continue;
    }
    if (dofs) {
      snReal value = lane < n ? y[lane] : 0;
      value = sn_solveTreeOf(value, LD, LDiagInv, n, rownnz, rowadr, colind);
      if (lane < n) y[lane] = value;
      SN_SYNC();
      continue;
    }
    solveUpRows(y, LD, n, rownnz, rowadr, colind, index);
    solveDownTeam(y, LD, LDiagInv, n, rownnz, rowadr, colind, index);
  }
}

// A lane takes a row; then, row after row, the entries of its column. An ancestor has the same position
// in all rows below it, so that a result is always written by the same lane.
static void mulTeam(snReal* res, const snReal* mat, const snReal* vec, int n, const int* rownnz,
                    const int* rowadr, const int* colind) {
  SN_FOR(r, n) {
    int adr = rowadr[r], last = rownnz[r] - 1;
    snReal sum = mat[adr + last] * vec[r];
    for (int p = 0; p < last; p++) sum += mat[adr + p] * vec[colind[adr + p]];
    res[r] = sum;
  }
  SN_SYNC();
  int lane = SN_LANE, lanes = SN_LANES;
  for (int r = 1; r < n; r++) {
    int adr = rowadr[r], last = rownnz[r] - 1;
    for (int p = lane; p < last; p += lanes) res[colind[adr + p]] += mat[adr + p] * vec[r];
  }
  SN_SYNC();
}

// ---- one lane

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

// The run that ends at position r and begins not before position lowest. Going down from the last
// row, all other descendants of its rows are done.
SN_KERNEL void findRun(Run* run, int r, int lowest, const snReal* LD, const int* rownnz,
                       const int* rowadr, const int* colind, const int* index) {
  int k = index ? index[r] : r, count = 0;
  run->col = colind + rowadr[k];
  int nnz = rownnz[k];
  for (;;) {
    run->dof[count] = k;
    run->row[count] = LD + rowadr[k];
    count++;
    int left = nnz - count;  // columns of this row before itself
    if (count == MAX_RUN || r - count < lowest || left < 1) break;
    int next = index ? index[r - count] : r - count;
    if (run->col[left - 1] != next) break;
    k = next;
  }
  run->count = count;
  run->outside = nnz - count;
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

// target += sum of factor[i] row[i] over n columns, row by row: the same sums as one row at a time,
// with the target loaded and stored once
SN_KERNEL void addRun(snReal* SN_RESTRICT target, int n, int count, const snReal* factor,
                      const snReal* const* row) {
  const snReal *SN_RESTRICT a = row[0], *SN_RESTRICT b = row[1];
  const snReal *SN_RESTRICT c = row[2], *SN_RESTRICT d = row[3];
  snReal f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
  switch (count) {
    case 0: break;
    case 1:
      for (int k = 0; k < n; k++) target[k] += a[k] * f0;
      break;
    case 2:
      for (int k = 0; k < n; k++) target[k] = (target[k] + a[k] * f0) + b[k] * f1;
      break;
    case 3:
      for (int k = 0; k < n; k++) target[k] = ((target[k] + a[k] * f0) + b[k] * f1) + c[k] * f2;
      break;
    default:
      for (int k = 0; k < n; k++) {
        target[k] = (((target[k] + a[k] * f0) + b[k] * f1) + c[k] * f2) + d[k] * f3;
      }
      break;
  }
}

// the same from four rows into two targets, which share the loads of the rows
SN_KERNEL void addRunPair(snReal* SN_RESTRICT x, snReal* SN_RESTRICT y, int n, const snReal* f,
                          const snReal* g, const snReal* const* row) {
  const snReal *SN_RESTRICT a = row[0], *SN_RESTRICT b = row[1];
  const snReal *SN_RESTRICT c = row[2], *SN_RESTRICT d = row[3];
  snReal f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  snReal g0 = g[0], g1 = g[1], g2 = g[2], g3 = g[3];
  for (int k = 0; k < n; k++) {
    snReal ak = a[k], bk = b[k], ck = c[k], dk = d[k];
    x[k] = (((x[k] + ak * f0) + bk * f1) + ck * f2) + dk * f3;
    y[k] = (((y[k] + ak * g0) + bk * g1) + ck * g2) + dk * g3;
  }
}

// row i -= L(k,i) * (unscaled row k) for the columns i outside of the run, nearest first
SN_KERNEL void addToAncestors(const Run* run, snReal* LD, const snReal* inverse,
                              const int* rowadr) {
  snReal f[MAX_RUN] = {0, 0, 0, 0}, g[MAX_RUN];
  int p = run->outside - 1;
  for (; run->count == MAX_RUN && p >= 1; p -= 2) {
    for (int j = 0; j < MAX_RUN; j++) {
      f[j] = -(run->row[j][p] * inverse[j]);
      g[j] = -(run->row[j][p - 1] * inverse[j]);
    }
    snReal *x = LD + rowadr[run->col[p]], *y = LD + rowadr[run->col[p - 1]];
    addRunPair(x, y, p, f, g, run->row);
    for (int j = 0; j < MAX_RUN; j++) x[p] += run->row[j][p] * f[j];
  }
  for (; p >= 0; p--) {
    for (int j = 0; j < run->count; j++) f[j] = -(run->row[j][p] * inverse[j]);
    addRun(LD + rowadr[run->col[p]], p + 1, run->count, f, run->row);
  }
}

SN_WIDE void sn_factorTree(snReal* LD, snReal* LDiagInv, int n, const int* rownnz,
                           const int* rowadr, const int* colind, const int* index) {
  SN_ASSERT(sn_isTree(n, rownnz, rowadr, colind, index));
  if (SN_LANES > 1) {
    factorTeam(LD, LDiagInv, n, rownnz, rowadr, colind, index);
    return;
  }
  snReal inverse[MAX_RUN], factor[MAX_RUN] = {0, 0, 0, 0};
  Run run;
  run.row[1] = run.row[2] = run.row[3] = LD;
  for (int r = n - 1; r >= 0;) {
    int k = index ? index[r] : r;
    if (rownnz[k] == 1) {  // alone
      LDiagInv[k] = 1 / LD[rowadr[k]];
      r--;
      continue;
    }
    findRun(&run, r, 0, LD, rownnz, rowadr, colind, index);

    // inside the run: a row takes what the later ones leave
    for (int j = 0; j < run.count; j++) {
      int diagonal = run.outside + run.count - 1 - j;
      snReal* target = LD + rowadr[run.dof[j]];
      for (int i = 0; i < j; i++) factor[i] = -(run.row[i][diagonal] * inverse[i]);
      addRun(target, diagonal + 1, j, factor, run.row);
      LDiagInv[run.dof[j]] = inverse[j] = 1 / target[diagonal];
    }
    addToAncestors(&run, LD, inverse, rowadr);
    for (int j = 0; j < run.count; j++) {
      int diagonal = run.outside + run.count - 1 - j;
      snReal* target = LD + rowadr[run.dof[j]];
      for (int c = 0; c < diagonal; c++) target[c] *= inverse[j];
    }
    r -= run.count;
  }
}

// y <- L^-T y: a run hands its values to its ancestors
SN_KERNEL void solveUp(const Run* run, snReal* SN_RESTRICT y) {
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

// Rows of one entry are trees of their own, but for the last of them in a row, which others may descend
// from. Sliders that carry vertices of a flex are such rows, by the thousand. Rows lie behind one another, so
// that as many numbers as rows means one in each: their number is found by doubling and halving.

// whether rows [r, last] have one entry each
SN_KERNEL int areAlone(int r, int last, const int* rownnz, const int* rowadr) {
  return rownnz[last] == 1 && rowadr[last] - rowadr[r] == last - r;
}

// number of rows of one entry from r on, which is one; of those that no row descends from
SN_KERNEL int countAlone(int r, int n, const int* rownnz, const int* rowadr) {
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

SN_WIDE static void scaleAlone(snReal* SN_RESTRICT y, const snReal* SN_RESTRICT scale, int n) {
  for (int k = 0; k < n; k++) y[k] *= scale[k];
}

SN_WIDE static void mulAlone(snReal* SN_RESTRICT res, const snReal* SN_RESTRICT mat,
                             const snReal* SN_RESTRICT vec, int n) {
  for (int k = 0; k < n; k++) res[k] = mat[k] * vec[k];
}

void sn_solveTree(snReal* x, const snReal* LD, const snReal* LDiagInv, int n, int stride, int nvec,
                  const int* rownnz, const int* rowadr, const int* colind, const int* index) {
  SN_ASSERT(n >= 0 && nvec >= 0 && (nvec < 2 || stride >= n));
  SN_ASSERT(sn_isTree(n, rownnz, rowadr, colind, index));
  if (SN_LANES > 1) {
    solveTeam(x, LD, LDiagInv, n, stride, nvec, rownnz, rowadr, colind, index);
    return;
  }
  Run run;
  index = nullIfIdentity(n, index);
  run.row[1] = run.row[2] = run.row[3] = LD;
  for (int v = 0; v < nvec; v++) {
    snReal* y = x + (size_t)v * stride;
    for (int r = n - 1; r >= 0;) {
      if (rownnz[index ? index[r] : r] == 1) {
        r -= index ? 1 : countAloneBefore(r, rownnz, rowadr);
        continue;
      }
      findRun(&run, r, 0, LD, rownnz, rowadr, colind, index);
      solveUp(&run, y);
      r -= run.count;
    }
    for (int r = 0; r < n;) {
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

void sn_mulTree(snReal* res, const snReal* mat, const snReal* vec, int n, const int* rownnz,
                const int* rowadr, const int* colind) {
  SN_ASSERT(sn_isTree(n, rownnz, rowadr, colind, NULL));
  if (SN_LANES > 1) {
    mulTeam(res, mat, vec, n, rownnz, rowadr, colind);
    return;
  }
  Run run;
  run.row[1] = run.row[2] = run.row[3] = mat;
  for (int r = 0; r < n; r += run.count) {
    int last = endOfRun(r, n, rownnz, rowadr, colind, NULL);
    if (last == r && rownnz[r] == 1) {
      run.count = countAlone(r, n, rownnz, rowadr);
      mulAlone(res + r, mat + rowadr[r], vec + r, run.count);
      continue;
    }
    findRun(&run, last, r, mat, rownnz, rowadr, colind, NULL);
    mulRun(&run, res, vec);
  }
}
