// Newton's method by one warp on a problem of solve/primal.c that fits its registers (lanes/newton.h): an island of a
// large model, or a whole model with dry friction or elliptic cones. Where there are more dofs than lanes, those that
// no row moves are condensed out of the problem (lanes/loose.h).

#include "base/bits.h"
#include "engine/lanes/newton.h"

// Scratch of a problem with loose dofs, before the rest: the places and lists of sn_findKept, later snLoose.all.
enum { LOOSE_BYTES = 2 * snLOOSE_DOFS * (int)sizeof(int) };

// Loads the cone of this lane. first: its first row; -1: the lane has none.
SN_KERNEL void loadCone(snLaneCone* own, const snPrimal* q, int first, int cone) {
  const snRowCost* rows = &q->rows;
  memset(own, 0, sizeof(*own));
  own->first = first;
  own->zone = snCNSTRSTATE_SATISFIED;
  if (first < 0) return;
  const snContact* con = rows->contact + rows->id[first];
  own->dim = con->dim;
  own->contact = rows->id[first];
  own->mu = con->mu;
  SN_UNROLL
  for (int j = 0; j < cone; j++) {
    if (j >= own->dim) continue;
    if (j) own->friction[j - 1] = con->friction[j - 1];
    own->D[j] = rows->D[first + j];
    own->x[j] = q->x[first + j];
  }
}

// Loads the rows of this lane, and in a mixed problem its cone.
SN_KERNEL void loadPrimalRows(snLaneProblem* p, const snPrimal* q, int cone) {
  const snRowCost* rows = &q->rows;
  uint64_t firsts = 0;  // bit r: row r is the first of a cone
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    snProblemRow* row = p->rows + k;
    int r = p->lane + 32 * k, there = r < p->nefc, own = there ? r : p->nefc - 1;
    memset(row, 0, sizeof(*row));
    row->cone = row->joint = -1;
    if (k && p->nefc <= 32) continue;
    snReal D = rows->D[own], x = q->x[own];
    row->D = there ? D : 0;
    row->x = there ? x : 0;
    if (!p->mixed) continue;
    int elliptic = there && rows->type[own] == snCNSTR_CONTACT_ELLIPTIC;
    snReal loss = rows->frictionloss[own], R = rows->R[own];
    int friction = r >= p->ne && r < p->ne + p->nf;
    row->loss = friction ? loss : 0;
    row->bound = friction ? R * loss : 0;
    int begins = elliptic && sn_beginsContact(rows, own);
    row->cone = elliptic ? 0 : -1;
    firsts |= (uint64_t)sn_warpBallot(begins) << 32 * k;
  }
  if (!p->mixed) return;

  // cone number c is held by lane c
  uint64_t left = firsts;
  SN_PLAIN_LOOP
  for (int c = p->lane; c > 0; c--) left &= left - 1;
  int first = left ? sn_lowestBit(left) : -1;
  loadCone(&p->cone, q, first, cone);
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    snProblemRow* row = p->rows + k;
    int number = sn_countMembers(firsts << (63 - p->lane - 32 * k)) - 1;  // of cones up to row r
    int begin = sn_warpFromInt(first, number < 0 ? 0 : number);
    if (row->cone < 0) continue;
    row->cone = number;
    row->local = p->lane + 32 * k - begin;
  }
}

// J in fast memory, from sparse rows to dense ones: zeros first, then the entries, row by row, one for each lane.
SN_KERNEL void loadPrimalJ(snLaneProblem* p, const snPrimal* q, const snKept* kept) {
  int lane = p->lane;
  snReal* J = (snReal*)p->J;
  snRowPlaces rows = sn_loadRowPlaces(q);
  SN_PLAIN_LOOP
  for (int i = lane; i < p->padded * p->stride; i += 32) J[i] = 0;
  sn_warpSync();
  SN_PLAIN_LOOP
  for (int first = 0; first < p->nefc; first += snPROBLEM_CHUNK / 2) {
    snReal value[snPROBLEM_CHUNK / 2];
    int place[snPROBLEM_CHUNK / 2];
    SN_UNROLL
    for (int k = 0; k < snPROBLEM_CHUNK / 2; k++) {
      int start, r = first + k, n = sn_rowPlace(&rows, r, &start);
      int own = lane < n ? lane : 0, there = r < p->nefc && lane < n;
      value[k] = r < p->nefc ? q->J.value[start + own] : 0;
      place[k] = there ? q->J.col[start + own] : -1;
      if (there && kept->loose) place[k] = kept->place[place[k]];
    }
    SN_UNROLL
    for (int k = 0; k < snPROBLEM_CHUNK / 2; k++) {
      if (place[k] >= 0) J[(first + k) * p->stride + place[k]] = value[k];
    }
  }
}

// The inertia matrix, as `load` of newton.c loads it. The entries of the problem's dofs begin at q->M[base].
SN_KERNEL void loadPrimalInertia(snLaneProblem* p, const snPrimal* q, int base, int nC, int nnz,
                                 int adr, int width) {
  snReal* M = p->factor + width * p->stride;
  if (p->lane == 0) M[nC] = 0;
  sn_problemCopyInertia(M, q->M + base, p->lane, nC);
  sn_warpSync();
  sn_problemSpreadInertia(p, M, adr, nnz, nC, width);
  sn_problemCompleteInertia(p, width);
}

// Cost and constraint forces at the acceleration that solve/primal.c starts from.
SN_KERNEL void startPrimal(snLaneProblem* p, int cone) {
  snReal sums[2] = {sn_problemUpdateRows(p, cone), p->residual * (p->acc - p->smooth)};
  if (p->loose.n) sums[1] += p->loose.D * p->loose.y * p->loose.y;
  sn_warpSums(sums, 2);
  p->gauss = (snReal)0.5 * sums[1];
  p->cost = (snReal)0.5 * sums[0] + p->gauss;
  p->jointForce = sn_problemMulForces(p);
}

SN_KERNEL void storePrimal(const snLaneProblem* p, snPrimal* q, int more) {
  if (p->inside) {
    q->acc[p->dof] = p->acc;
    q->frc_constraint[p->dof] = p->jointForce;
  }
  if (p->loose.n && p->loose.dof >= 0) {
    q->acc[p->loose.dof] = p->loose.acc;
    q->frc_constraint[p->loose.dof] = 0;
  }
  sn_problemStoreRows(p, q->force, q->state);
  if (p->lane == 0 && more) q->d->status |= snSTATUS_NOTCONVERGED;
  sn_warpSync();
}

// Condenses the loose dofs: the lane's row of M becomes its row of the Schur complement S (lanes/loose.h).
SN_KERNEL void condense(snLaneProblem* p, const snPrimal* q, const snKept* kept, int width) {
  snReal* vector = (snReal*)p->vectors;
  sn_looseBegin(&p->loose, q, kept);
  sn_looseCondense(&p->loose, q, kept, p->M, p->factor, p->stride, width);
  if (p->lane < width) vector[p->lane] = p->acc - p->smooth;
  sn_warpSync();
  p->residual = sn_problemMulInertia(p, p->vectors, width);
}

SN_KERNEL void solvePrimal(snPrimal* q, const snKept* kept, int iterations, void* scratch,
                           int width, int cone) {
  snLaneProblem p;
  p.mixed = cone > 0;
  p.nv = kept->n, p.nefc = q->rows.nefc, p.ne = q->rows.ne, p.nf = q->rows.nf;
  sn_problemBegin(&p, &q->m->opt, scratch, width);
  p.scale = q->scale;
  p.dof = kept->dof;
  p.loose.n = 0;
  int own = p.inside ? p.dof : 0, nnz = q->M_rownnz[own], adr = q->M_rowadr[own];
  int base = sn_warpFromInt(adr, 0), nC = sn_warpMaxInt(p.inside ? adr + nnz - base : 0);
  loadPrimalRows(&p, q, cone);
  p.acc = p.inside ? q->acc[own] : 0;
  p.smooth = p.inside ? q->acc_smooth[own] : 0;
  p.force = p.inside ? q->frc_smooth[own] : 0;
  p.residual = p.inside ? q->Ma[own] - q->frc_smooth[own] : 0;
  loadPrimalInertia(&p, q, base, nC, nnz, adr - base, width);
  if (kept->loose) condense(&p, q, kept, width);
  loadPrimalJ(&p, q, kept);
  sn_warpSync();
  if (kept->loose) sn_looseStart(&p.loose, q, kept, p.residual);
  startPrimal(&p, cone);
  int more;
  q->niter =
      sn_problemSolve(&p, q, q->d, q->island, iterations, q->rows.contact, &more, width, cone);
  storePrimal(&p, q, more);
}

// A function for each width of rows and size of cones: 0 (not mixed), up to 3 rows, up to 6 rows.
#define VARIANT(width, cone)                                                                       \
  static SN_OUTLINE void solvePrimal##width##cone(snPrimal* q, const snKept* kept, int iterations, \
                                                  void* scratch) {                                 \
    solvePrimal(q, kept, iterations, scratch, width, cone);                                        \
  }
SN_WIDTHS(VARIANT, 0)
SN_WIDTHS(VARIANT, 3)
SN_WIDTHS(VARIANT, 6)
#undef VARIANT

// rows of the largest elliptic cone
static int largestCone(const snRowCost* rows) {
  int most = 0;
  SN_FOR(r, rows->nefc) {
    if (rows->type[r] != snCNSTR_CONTACT_ELLIPTIC) continue;
    int dim = rows->contact[rows->id[r]].dim;
    most = dim > most ? dim : most;
  }
  return sn_teamMaxInt(most);
}

// Which dofs are solved for: all, or those of a larger problem that rows move. Returns 0 where they are too many.
SN_KERNEL int chooseDofs(const snPrimal* q, snKept* kept) {
  if (q->nv <= 32) {
    kept->n = q->nv, kept->loose = 0;
    kept->dof = SN_LANE < q->nv ? SN_LANE : -1, kept->other = -1;
    kept->place = NULL;
    return 1;
  }
  int* scratch = NULL;
  if (q->nv <= snLOOSE_DOFS && q->LD && !q->d->nMs) {
    scratch = (int*)sn_unusedStack(q->d, LOOSE_BYTES);
  }
  return scratch && sn_findKept(q, SN_FAST(int, scratch), kept);
}

int sn_newtonOfPrimal(snPrimal* q, int iterations) {
  SN_ASSERT(SN_LANES == 32 && q->newton && q->nv > 0);
  int nefc = q->rows.nefc, last = q->nv - 1;
  snKept kept;
  if (nefc > 32 * snPROBLEM_ROWS || nefc < 1 || !chooseDofs(q, &kept)) return 0;
  int base = q->M_rowadr[0], nC = q->M_rowadr[last] + q->M_rownnz[last] - base;
  int elliptic = q->m->opt.cone == snCONE_ELLIPTIC, mixed = q->rows.nf > 0 || elliptic;
  int large = elliptic && largestCone(&q->rows) > 3, width = sn_windowWidth(kept.n);
  int room = sn_problemScratchOf(width, (nefc + 3) & ~3, nC);
  int other = (2 + kept.loose) * sn_problemStrideOf(width), head = kept.loose ? LOOSE_BYTES : 0;
  if (other > room) room = other;
  size_t bytes = (size_t)head + (size_t)room * sizeof(snReal);
  char* scratch = nC < 1 << 16 ? (char*)sn_unusedStack(q->d, bytes) : NULL;
  if (!scratch) return 0;
  scratch += head;
#define CASE(width, cone) \
  case width + (cone) / 3: solvePrimal##width##cone(q, &kept, iterations, scratch); return 1;
  switch (width + mixed + large) {
    SN_WIDTHS(CASE, 0)
    SN_WIDTHS(CASE, 3)
    SN_WIDTHS(CASE, 6)
  }
#undef CASE
  __builtin_unreachable();
}
