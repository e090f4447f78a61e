// Static condensation of the dofs that no constraint row moves.
//
// A dof is loose when no row of the problem depends on it or on a descendant; the other dofs are kept. With the loose dofs
// (E) last and the kept ones (R) first, the factor of the inertia matrix is M = L' D L. Kept dofs have no loose
// ancestors, so that for x = acceleration - unconstrained acceleration
//
//   x' M x = x_R' S x_R + y' D_E y,   S = M_RR - L_ER' D_E L_ER,   y = L_ER x_R + L_EE x_E.
//
// The rows depend on x_R alone. The problem thus separates: x_R minimises a smaller problem with the inertia S (a Schur
// complement), and y minimises its quadratic term, whose Newton direction is -y. Newton's direction and the cost along
// it do not depend on coordinates, so that the iterates are those of the whole problem. Two norms do depend on them:
// that of the search direction, for which x_E is computed, and that of the gradient, to which the loose dofs add
// L_ER' D_E y at kept dofs and L_EE' D_E y at their own.

#ifndef SINEW_ENGINE_LANES_LOOSE_H_
#define SINEW_ENGINE_LANES_LOOSE_H_

#include <string.h>

#include "base/assert.h"
#include "engine/lanes/elimination.h"
#include "engine/solve/kernel.h"
#include "engine/solve/solver.h"

// largest problem: two dofs for each lane
enum { snLOOSE_DOFS = 64 };

// The kept dofs, in ascending order, and the loose ones.
typedef struct snKept_ {
  int n, loose;    // how many
  int dof, other;  // the kept and the loose dof of this lane; -1: none
  int* place;      // of each dof: its index among the kept ones, or -1; NULL: all are kept
} snKept;

// A loose dof as its lane holds it. All numbers of a lane without one are zero.
typedef struct snLoose_ {
  int n;               // loose dofs of the problem
  int dof;             // -1: none
  int adr;             // where its row of L begins
  int before, within;  // entries of the row left of the diagonal: L_ER, which comes first, and L_EE
  snReal D, y;
  snReal acc, search, force;
  snReal gradient;   // M (acc - smooth) at the dof: there is no constraint force to subtract
  snReal remainder;  // what loose dofs add to the gradient at this lane's kept dof
  snReal* all;       // a vector over all dofs, in fast memory
} snLoose;

// ---- which are loose -----------------------------------------------------------------------------

// Where the rows of J of a problem begin, and how many entries they have: each lane has those of rows `lane` and
// `lane` + 32.
typedef struct snRowPlaces_ {
  int nnz[2], adr[2];
} snRowPlaces;

SN_KERNEL snRowPlaces sn_loadRowPlaces(const snPrimal* q) {
  int nefc = q->rows.nefc;
  snRowPlaces rows;
  SN_UNROLL
  for (int k = 0; k < 2; k++) {
    int r = SN_LANE + 32 * k, own = r < nefc ? r : nefc - 1;
    rows.nnz[k] = q->J.nnz[own];
    rows.adr[k] = q->J.adr[own];
  }
  return rows;
}

// the number of entries of any row r < 64; *begin: where they begin
SN_KERNEL int sn_rowPlace(const snRowPlaces* rows, int r, int* begin) {
  *begin = sn_warpFromInt(r < 32 ? rows->adr[0] : rows->adr[1], r & 31);
  return sn_warpFromInt(r < 32 ? rows->nnz[0] : rows->nnz[1], r & 31);
}

// Marks the dofs that rows depend on, and their ancestors. Returns 0 where a row depends on more dofs than there are lanes.
SN_KERNEL int sn_markKept(const snPrimal* q, int* mark) {
  SN_ASSERT(SN_LANES == 32 && q->nv <= snLOOSE_DOFS && q->rows.nefc <= snLOOSE_DOFS);
  enum { ROWS = 8 };
  int lane = SN_LANE, nefc = q->rows.nefc, moved[2];
  snRowPlaces rows = sn_loadRowPlaces(q);
  mark[lane] = mark[lane + 32] = 0;
  if (sn_warpAny(rows.nnz[0] > 32 || rows.nnz[1] > 32)) return 0;
  sn_warpSync();
  SN_PLAIN_LOOP
  for (int first = 0; first < nefc; first += ROWS) {
    int dof[ROWS];
    SN_UNROLL
    for (int k = 0; k < ROWS; k++) {
      int begin, n = sn_rowPlace(&rows, first + k < nefc ? first + k : nefc - 1, &begin);
      dof[k] = lane < n ? q->J.col[begin + lane] : -1;
    }
    SN_UNROLL
    for (int k = 0; k < ROWS; k++) {
      if (dof[k] >= 0) SN_RAISE(mark[dof[k]]);
    }
  }
  sn_warpSync();
  SN_UNROLL
  for (int k = 0; k < 2; k++) moved[k] = mark[lane + 32 * k];
  sn_warpSync();
  SN_UNROLL
  for (int k = 0; k < 2; k++) {
    int own = moved[k] ? lane + 32 * k : 0, last = moved[k] ? q->M_rownnz[own] - 1 : 0;
    const int* above = q->M_colind + q->M_rowadr[own];
    SN_UNROLL4
    for (int p = 0; p < last; p++) SN_RAISE(mark[above[p]]);
  }
  sn_warpSync();
  return 1;
}

// Finds the kept dofs. scratch: 2 snLOOSE_DOFS integers in fast memory, of which kept->place takes the first half.
// Returns 0 where there are more dofs of either kind than lanes, or none to keep.
SN_KERNEL int sn_findKept(const snPrimal* q, int* scratch, snKept* kept) {
  int lane = SN_LANE, *place = scratch, *list = scratch + snLOOSE_DOFS, total[2], rank[2], moved[2];
  if (!sn_markKept(q, place)) return 0;
  SN_UNROLL
  for (int k = 0; k < 2; k++) {
    moved[k] = place[lane + 32 * k];
    rank[k] = sn_warpRank(moved[k], total + k);
  }
  rank[1] += total[0];
  kept->n = total[0] + total[1];
  kept->loose = q->nv - kept->n;
  if (kept->n > 32 || kept->loose > 32 || !kept->n) return 0;
  SN_UNROLL
  for (int k = 0; k < 2; k++) {
    int dof = lane + 32 * k;
    if (dof >= q->nv) continue;
    place[dof] = moved[k] ? rank[k] : -1;
    list[moved[k] ? rank[k] : 32 + dof - rank[k]] = dof;
  }
  sn_warpSync();
  kept->dof = lane < kept->n ? list[lane] : -1;
  kept->other = lane < kept->loose ? list[32 + lane] : -1;
  kept->place = place;
  sn_warpSync();
  return 1;
}

// ---- the smaller problem -------------------------------------------------------------------------

SN_KERNEL void sn_looseBegin(snLoose* e, const snPrimal* q, const snKept* kept) {
  memset(e, 0, sizeof(*e));
  e->n = kept->loose;
  e->dof = kept->other;
  if (e->dof < 0) return;
  int last = q->M_rownnz[e->dof] - 1;
  e->adr = q->M_rowadr[e->dof];
  e->D = q->LD[e->adr + last];
  SN_UNROLL4
  for (int p = 0; p < last; p++) e->before += kept->place[q->M_colind[e->adr + p]] >= 0;
  e->within = last - e->before;
}

// Turns the lane's row of M_RR into its row of S = M_RR - L_ER' D_E L_ER. The rows of L_ER are expanded in scratch,
// which lies in fast memory, `stride` numbers each.
SN_KERNEL void sn_looseCondense(const snLoose* e, const snPrimal* q, const snKept* kept,
                                snReal* row, snReal* scratch, int stride, int width) {
  SN_ASSERT(stride % 4 == 0 && width <= stride && e->n <= 32);
  int lane = SN_LANE, own = kept->dof >= 0 ? lane : 0;
  SN_PLAIN_LOOP
  for (int i = lane; i < e->n * stride; i += 32) scratch[i] = 0;
  sn_warpSync();
  SN_UNROLL4
  for (int p = 0; p < e->before; p++) {
    int place = kept->place[q->M_colind[e->adr + p]];
    scratch[lane * stride + place] = q->LD[e->adr + p];
  }
  sn_warpSync();
  SN_PLAIN_LOOP
  for (int k = 0; k < e->n; k++, scratch += stride) {
    snReal scale = -sn_warpFrom(e->D, k) * scratch[own];
    sn_windowAdd(row, kept->dof >= 0 ? scale : 0, (const snQuad*)scratch, width);
  }
  sn_warpSync();
}

// Prepares the iterations. residual: (S x) of this lane's kept dof. The memory of kept->place becomes that of `all`.
SN_KERNEL void sn_looseStart(snLoose* e, const snPrimal* q, const snKept* kept, snReal residual) {
  SN_ASSERT(sizeof(snReal) <= 2 * sizeof(int) && kept->place);
  e->all = SN_FAST(snReal, kept->place);
  SN_PLAIN_LOOP
  for (int dof = SN_LANE; dof < q->nv; dof += 32) e->all[dof] = q->acc[dof] - q->acc_smooth[dof];
  sn_warpSync();
  if (kept->dof >= 0) e->remainder = q->Ma[kept->dof] - q->frc_smooth[kept->dof] - residual;
  if (e->dof >= 0) {
    e->y = e->all[e->dof];
    e->acc = q->acc[e->dof];
    e->force = q->frc_smooth[e->dof];
    e->gradient = q->Ma[e->dof] - e->force;
  }
  SN_UNROLL4
  for (int p = 0; p < e->before + e->within; p++) {
    e->y = sn_mulAdd(q->LD[e->adr + p], e->all[q->M_colind[e->adr + p]], e->y);
  }
  sn_warpSync();
}

// ---- iterations ----------------------------------------------------------------------------------

// The search direction of the loose dof: y shall become 0, thus L_ER s_R + L_EE s_E = -y, solved for s_E by forward
// substitution. search: s_R of the dof that the lane keeps.
SN_KERNEL void sn_looseSetDirection(snLoose* e, const snPrimal* q, int dof, snReal search) {
  int most = sn_warpMaxInt(e->within);
  if (dof >= 0) e->all[dof] = search;
  sn_warpSync();
  const snReal* L = q->LD + e->adr;
  const int* col = q->M_colind + e->adr;
  snReal sum = -e->y;
  SN_UNROLL4
  for (int p = 0; p < e->before; p++) sum = sn_mulAdd(-L[p], e->all[col[p]], sum);
  SN_PLAIN_LOOP
  for (int p = 0; p < most; p++) {  // s of all loose ancestors number p is known by now
    if (e->within == p && e->dof >= 0) e->all[e->dof] = sum;
    sn_warpSync();
    if (e->within > p) sum = sn_mulAdd(-L[e->before + p], e->all[col[e->before + p]], sum);
  }
  e->search = e->dof >= 0 ? sum : 0;
}

SN_KERNEL void sn_looseMove(snLoose* e, snReal alpha) {
  e->acc += alpha * e->search;
  e->y -= alpha * e->y;
  e->gradient -= alpha * e->gradient;
  e->remainder -= alpha * e->remainder;
}

#endif  // SINEW_ENGINE_LANES_LOOSE_H_
