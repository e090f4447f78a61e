// Products J x with the dense Jacobian, with a lane for each dof: see constrain/row_product.c and constrain/reference.c.

#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/lanes/lanes.h"

// One round of a butterfly reduction of 2 * half sums. Of each pair of lanes one adds up the lower half of the sums and the
// other one the upper half.
SN_KERNEL void foldSums(snReal* sum, int half, int lane) {
  SN_ASSERT(half == 8 || half == 4 || half == 2 || half == 1);
  int partner = lane ^ half, upper = lane & half;
  SN_UNROLL
  for (int k = 0; k < half; k++) {
    snReal low = sum[k], high = sum[k + half];
    sum[k] = (upper ? high : low) + sn_warpFrom(upper ? low : high, partner);
  }
}

// Rows first ... first + 15 of J (n rows) times a vector x, of which each lane holds the entry of its dof. A butterfly
// reduction of 16 sums over 16 or 32 lanes: lanes k and k + 16 get the product of row first + k.
SN_KERNEL snReal sixteenRows(const snReal* J, int nv, snReal x, int first, int n, int lane) {
  SN_ASSERT(nv > 0 && nv <= SN_LANES && first >= 0 && first < n);
  int column = lane < nv ? lane : nv - 1, at = first * nv + column, last = (n - 1) * nv + column;
  snReal sum[16];
  SN_UNROLL
  for (int k = 0; k < 16; k++, at += nv) sum[k] = J[at < last ? at : last];
  SN_UNROLL
  for (int k = 0; k < 16; k++) sum[k] *= x;
  foldSums(sum, 8, lane);
  foldSums(sum, 4, lane);
  foldSums(sum, 2, lane);
  foldSums(sum, 1, lane);
  return SN_WARP_LANES > 16 ? sum[0] + sn_warpFrom(sum[0], lane ^ 16) : sum[0];
}

SN_STAGE void sn_mulJacVecLanes(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  SN_ASSERT(SN_LANES >= 16 && m->nv <= SN_LANES);
  int lane = SN_LANE, nv = (int)m->nv, n = d->nefc;
  const snReal* J = d->efc_J;
  snReal x = lane < nv ? vec[lane] : 0;
  SN_PLAIN_LOOP for (int first = 0; first < n; first += 16) {
    snReal value = sixteenRows(J, nv, x, first, n, lane);
    if (lane < 16 && first + lane < n) res[first + lane] = value;
  }
  SN_SYNC();
}

SN_STAGE void sn_referenceLanes(const snModel* m, snData* d) {
  SN_ASSERT(SN_LANES >= 16 && m->nv <= SN_LANES);
  int lane = SN_LANE, nv = (int)m->nv, n = d->nefc;
  snReal x = lane < nv ? d->qvel[lane] : 0;
  SN_PLAIN_LOOP for (int first = 0; first < n; first += 16) {
    int row = first + (lane & 15) < n ? first + (lane & 15) : n - 1;
    snReal pos = d->efc_pos[row], margin = d->efc_margin[row], KBIP[3];
    SN_UNROLL for (int k = 0; k < 3; k++) KBIP[k] = d->efc_KBIP[4 * row + k];
    snReal vel = sixteenRows(d->efc_J, nv, x, first, n, lane);
    if (lane < 16 && first + lane < n) {
      d->efc_vel[row] = vel;
      d->efc_aref[row] = sn_rowReference(KBIP, pos, margin, vel);
    }
  }
  SN_SYNC();
}
