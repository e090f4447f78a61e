// The constraint stage of a small model by a warp or a part of one, from the warm start to the constraint forces
// (lanes/newton.h).
//
// The problem is the whole system, or a single island that has every dof. Its rows are equalities and one-sided rows
// (limits, edges of friction pyramids).

#include "engine/lanes/newton.h"

// ---- memory -------------------------------------------------------------------------------------

// Are the rows few enough, none of them of dry friction, and is there one island at most? Joined by & rather than &&,
// so that all loads are in flight at once.
static inline int fitsRegisters(const snModel* m, const snData* d) {
  int nv = (int)m->nv, nefc = d->nefc, nisland = d->nisland;
  int islands = (nisland > 0) & !(m->opt.disableflags & snDSBL_ISLAND);
  int whole = (islands == 0) | ((nisland == 1) & (d->nidof == nv));
  return (nefc <= SN_WARP_LANES * snPROBLEM_ROWS) & (d->nf == 0) & (d->nMs == 0) & whole;
}

// the column of this lane in rows [first, first + snPROBLEM_CHUNK) of J
SN_KERNEL void loadChunk(snReal* part, const snReal* J, int first, const snLaneProblem* p) {
  SN_ASSERT(first >= 0 && p->nefc > 0);
  int nv = p->nv, own = p->inside ? p->lane : 0;
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_CHUNK; k++) {
    int r = first + k < p->nefc ? first + k : p->nefc - 1;
    part[k] = J[r * nv + own];
  }
}

SN_KERNEL void storeChunk(const snReal* part, int first, const snLaneProblem* p, int width) {
  SN_ASSERT(p->padded % 4 == 0 && p->nefc <= p->padded);
  snReal* J = (snReal*)p->J + first * p->stride;
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_CHUNK; k++) {
    int r = first + k;
    snReal own = p->inside && r < p->nefc ? part[k] : 0;
    if (r < p->padded) sn_problemShare(J + k * p->stride, own, p->lane, width);
  }
}

// A row of this lane: D, and efc_aref in v. Where both limits of a joint have a row, jnt_limit_frc is the force of the
// second one.
SN_KERNEL void loadRow(snProblemRow* row, const snData* d, int r, int nefc, int firstlimit,
                       int endlimit) {
  SN_ASSERT(nefc > 0 && endlimit <= nefc);
  int own = r < nefc ? r : nefc - 1, next = r + 1 < nefc ? r + 1 : own;
  const int *id = d->efc_id, *type = d->efc_type;
  snReal D = d->efc_D[own], aref = d->efc_aref[own];
  int joint = id[own], joint2 = id[next], type1 = type[own], type2 = type[next];
  row->D = r < nefc ? D : 0;
  row->v = aref;
  int again = r + 1 < endlimit && joint2 == joint && type2 == snCNSTR_LIMIT_JOINT;
  int limit = r >= firstlimit && r < endlimit && type1 == snCNSTR_LIMIT_JOINT;
  row->joint = limit && !again ? joint : -1;
}

// Loads the whole problem; no load needs the result of another. On return `v` of the rows holds efc_aref, `vectors` the
// acceleration of the last step and the unconstrained one, `scale` this lane's diagonal entry of M.
SN_KERNEL void load(snLaneProblem* p, const snModel* m, const snData* d, int width) {
  SN_ASSERT(p->nv <= width && width <= W0 && p->nefc <= SN_WARP_LANES * snPROBLEM_ROWS);
  int lane = p->lane, own = p->inside ? lane : 0;
  int nnz = m->M_rownnz[own], adr = m->M_rowadr[own], nC = (int)m->nC;
  SN_ASSERT_PART(adr, nnz, nC);
  snReal part[snPROBLEM_CHUNK], entries[snPROBLEM_PARTS], *M = p->factor + width * p->stride;
  sn_problemLoadInertia(entries, d->M, lane, nC);
  loadChunk(part, d->efc_J, 0, p);
  snReal last = d->qacc_warmstart[own], smooth = d->qacc_smooth[own], force = d->qfrc_smooth[own];
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    p->rows[k].v = p->rows[k].D = 0;
    p->rows[k].joint = -1;
    if (k && p->nefc <= SN_WARP_LANES) continue;
    loadRow(p->rows + k, d, lane + SN_WARP_LANES * k, p->nefc, p->ne, p->ne + d->nl);
  }
  SN_FOR(joint, m->njnt) d->jnt_limit_frc[joint] = 0;
  if (lane == 0) M[nC] = 0;
  sn_problemStoreInertia(entries, M, lane, nC);
  sn_problemCopyInertia(M, d->M, lane + SN_WARP_LANES * snPROBLEM_PARTS, nC);
  sn_warpSync();
  snReal diagonal = M[adr + nnz - 1];
  sn_problemSpreadInertia(p, M, adr, nnz, nC, width);
  p->acc = p->inside ? last : 0;
  p->smooth = p->inside ? smooth : 0;
  p->force = p->inside ? force : 0;
  p->scale = p->inside ? diagonal : 0;
  sn_problemShare((snReal*)p->vectors, p->acc, lane, width);
  sn_problemShare((snReal*)p->vectors + p->stride, p->smooth, lane, width);
  sn_problemCompleteInertia(p, width);
  storeChunk(part, 0, p, width);
  SN_PLAIN_LOOP
  for (int first = snPROBLEM_CHUNK; first < p->nefc; first += snPROBLEM_CHUNK) {
    loadChunk(part, d->efc_J, first, p);
    storeChunk(part, first, p, width);
  }
  sn_warpSync();
}

// ---- first point --------------------------------------------------------------------------------

// Warm start: from the acceleration of the last step or from the unconstrained one, whichever costs less.
SN_KERNEL void start(snLaneProblem* p, snReal* efc_b, int warm, int width) {
  SN_ASSERT(p->nefc > 0 && p->ne <= p->nefc && !p->mixed);
  const snQuad *last = p->vectors, *smooth = p->vectors + p->stride / 4;
  snReal sums[4] = {0, 0, 0, p->scale}, b[snPROBLEM_ROWS];
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    b[k] = p->rows[k].x = 0;
    if (k && p->nefc <= SN_WARP_LANES) continue;
    b[k] = sn_problemMulRow(p, k, smooth, width) - p->rows[k].v;
    p->rows[k].x = sn_problemMulRow(p, k, last, width) - p->rows[k].v;
    if (p->lane + SN_WARP_LANES * k < p->nefc) efc_b[p->lane + SN_WARP_LANES * k] = b[k];
    sums[1] += sn_problemCostOf(p, k, p->rows[k].x);
    sums[2] += sn_problemCostOf(p, k, b[k]);
  }
  p->residual = sn_problemMulInertia(p, last, width) - p->force;
  sums[0] = p->residual * (p->acc - p->smooth);
  sn_warpSums(sums, 4);
  p->scale = sums[3];
  p->gauss = (snReal)0.5 * sums[0];
  p->cost = (snReal)0.5 * sums[1] + p->gauss;
  if (!warm || p->cost > (snReal)0.5 * sums[2]) {
    p->gauss = 0;
    p->cost = (snReal)0.5 * sums[2];
    p->acc = p->smooth;
    p->residual = sn_problemMulInertia(p, smooth, width) - p->force;
    SN_UNROLL
    for (int k = 0; k < snPROBLEM_ROWS; k++) p->rows[k].x = b[k];
  }
  sn_problemListActive(p);
  p->jointForce = sn_problemMulForces(p);
}

// ---- the whole ----------------------------------------------------------------------------------

SN_KERNEL void store(const snLaneProblem* p, snData* d, int niter, int more) {
  SN_ASSERT(niter >= 0);
  if (p->inside) {
    d->qacc[p->lane] = p->acc;
    d->qfrc_constraint[p->lane] = p->jointForce;
  }
  sn_problemStoreRows(p, d->efc_force, d->efc_state);
  SN_UNROLL
  for (int k = 0; k < snPROBLEM_ROWS; k++) {
    if (p->rows[k].joint >= 0) d->jnt_limit_frc[p->rows[k].joint] = sn_problemForceOf(p, k);
  }
  SN_UNROLL
  for (int k = p->lane; k < snNISLAND; k += SN_WARP_LANES) d->solver_niter[k] = k ? 0 : niter;
  if (p->lane == 0) {
    d->solver_nnz[0] = p->nv * p->nv;
    if (more) d->status |= snSTATUS_NOTCONVERGED;
  }
  sn_warpSync();
}

SN_KERNEL void solveWhole(const snModel* m, snData* d, void* scratch, int width) {
  const snOption* opt = &m->opt;
  snLaneProblem p;
  p.mixed = 0;
  memset(&p.loose, 0, sizeof(p.loose));
  p.nv = (int)m->nv, p.nefc = d->nefc, p.ne = d->ne, p.nf = 0;
  sn_problemBegin(&p, opt, scratch, width);
  int iterations = opt->iterations, warm = !(opt->disableflags & snDSBL_WARMSTART);
  int island = d->nisland && !(opt->disableflags & snDSBL_ISLAND);
  snReal inertia = m->stat.meaninertia * (p.nv > 1 ? (snReal)p.nv : 1);
  load(&p, m, d, width);
  start(&p, d->efc_b, warm, width);
  p.scale = 1 / (island ? p.scale : inertia);
  int more, niter = sn_problemSolve(&p, NULL, d, 0, iterations, d->contact, &more, width, 0);
  store(&p, d, niter, more);
}

#define VARIANT(width, x)                                                                \
  static SN_OUTLINE void solveWhole##width(const snModel* m, snData* d, void* scratch) { \
    solveWhole(m, d, scratch, width);                                                    \
  }
SN_WIDTHS(VARIANT, )
#undef VARIANT

SN_STAGE int sn_newtonLanes(const snModel* m, snData* d) {
  SN_ASSERT(SN_LANES == SN_WARP_LANES && m->nv > 0 && m->nv <= SN_LANES);
  if (!fitsRegisters(m, d)) return 0;
  SN_ASSERT(d->nefc > 0 && d->efc_J && d->qacc_smooth);
  int width = sn_windowWidth((int)m->nv);
  int room = sn_problemScratchOf(width, (d->nefc + 3) & ~3, (int)m->nC);
  void* scratch = sn_unusedStack(d, (size_t)room * sizeof(snReal));
  if (!scratch) return 0;
#define CASE(width, x) \
  case width: solveWhole##width(m, d, scratch); return 1;
  switch (width) { SN_WIDTHS(CASE, ) }
#undef CASE
  __builtin_unreachable();
}
