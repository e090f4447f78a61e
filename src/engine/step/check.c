// Bad numbers in the state: counted, and the world is reset unless that is disabled.

#include "engine/step/stages.h"
#include "math/four.h"
#include "math/math.h"

SN_WIDE(static, int, hasBad, (const snReal* vec, int n), (vec, n)) {
  int bad = 0, k = 0;
#if SN_HAS_FOUR
  const snReal most = (snReal)snMAXVAL;
  snFour zero = {0, 0, 0, 0}, high = zero + most, low = zero - most;
  __typeof__(zero <= high) good = zero <= high;
  for (; k + 4 <= n; k += 4) {
    snFour x = SN_LOAD4(vec + k);
    good &= (x <= high) & (x >= low);
  }
  bad = !(good[0] && good[1] && good[2] && good[3]);
#endif
  for (; k < n; k++) bad |= snu_isBad(vec[k]);
  return bad;
}

// index of the first bad number among those listed (all when index is NULL), -1 when there is none
static int firstBad(const snReal* vec, int n, const int* index) {
  int bad = 0;
  if (SN_LANES == 1 && !index) {
    bad = hasBad(vec, n);
  } else {
    SN_FOR(k, n) bad |= snu_isBad(vec[index ? index[k] : k]);
  }
  if (!sn_teamAny(bad)) return -1;
  int k = 0;
  while (!snu_isBad(vec[index ? index[k] : k])) k++;
  return index ? index[k] : k;
}

// The count ends at 1 after a reset, which cleared it, and grows by 2 without one, as in MuJoCo.
static void countBad(const snModel* m, snData* d, snWarning warning, int i, int reset) {
  sn_warning(d, warning, i);
  if (reset) {
    int status = d->status;
    sn_resetData(m, d);
    d->status = status;
  }
  d->warning[warning].number++;
  d->warning[warning].lastinfo = i;
}

// returns 1 when the data was reset
static int handleBad(const snModel* m, snData* d, snWarning warning, int i) {
  int reset = !(m->opt.disableflags & snDSBL_AUTORESET);
  SN_SYNC();
  SN_SOLO(countBad(m, d, warning, i, reset));
  return reset;
}

// the list of dofs that are awake; NULL when all are
static const int* awakeDofs(const snModel* m, const snData* d) {
  return d->nv_awake == (int)m->nv ? NULL : d->dof_awake_ind;
}

SN_OUTLINE void sn_checkPos(const snModel* m, snData* d) {
  int i = firstBad(d->qpos, (int)m->nq, NULL);
  if (i >= 0) handleBad(m, d, snWARN_BADQPOS, i);
}

static SN_OUTLINE void checkDeformables(const snModel* m, snData* d) {
  int n = 3 * (int)m->ndeformvert, i = firstBad(d->deformvert_xpos, n, NULL);
  if (i >= 0 && handleBad(m, d, snWARN_BADQPOS, i)) return;
  i = firstBad(d->deformvert_xvel, n, NULL);
  if (i >= 0) handleBad(m, d, snWARN_BADQVEL, i);
}

SN_OUTLINE void sn_checkVel(const snModel* m, snData* d) {
  int i = firstBad(d->qvel, d->nv_awake, awakeDofs(m, d));
  if (i >= 0) handleBad(m, d, snWARN_BADQVEL, i);
}

static SN_OUTLINE void checkAcc(const snModel* m, snData* d) {
  int i = firstBad(d->qacc, d->nv_awake, awakeDofs(m, d));
  if (i >= 0 && handleBad(m, d, snWARN_BADQACC, i)) sn_forward(m, d);
}

// A team first checks all numbers at once, those of sleeping trees included.

SN_STAGE void sn_checkState(const snModel* m, snData* d) {
  if (m->ndeformable) checkDeformables(m, d);
  int nq = (int)m->nq, nv = (int)m->nv, lanes = SN_LANES, bad = 0;
  if (nv && lanes > 1) {
    SN_PLAIN_LOOP
    for (int k = SN_LANE; k < nq; k += lanes) {  // nv is not more
      snReal position = d->qpos[k], velocity = d->qvel[k < nv ? k : 0];
      bad |= snu_isBad(position) | snu_isBad(velocity);
    }
    if (!sn_teamAny(bad)) return;
  }
  sn_checkPos(m, d);
  sn_checkVel(m, d);
}

SN_STAGE void sn_checkAcc(const snModel* m, snData* d) {
  int bad = SN_LANES == 1;
  if (!bad) SN_FOR(dof, m->nv) bad |= snu_isBad(d->qacc[dof]);
  if (sn_teamAny(bad)) checkAcc(m, d);
}
