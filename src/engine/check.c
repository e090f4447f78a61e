// Bad numbers in the state: counted, and the world is reset unless that is disabled.

#include "math/math.h"

// index of the first bad number among those listed (all when index is NULL), -1 when there is none
static int firstBad(const snReal* vec, int n, const int* index) {
  for (int k = 0; k < n; k++) {
    int i = index ? index[k] : k;
    if (snu_isBad(vec[i])) return i;
  }
  return -1;
}

// Returns 1 when the data was reset. The count ends at 1 after a reset, which cleared it, and grows
// by 2 without one, as in MuJoCo.
static int handleBad(const snModel* m, snData* d, snWarning warning, int i) {
  int reset = !(m->opt.disableflags & snDSBL_AUTORESET);
  sn_warning(d, warning, i);
  if (reset) {
    int status = d->status;
    sn_resetData(m, d);
    d->status = status;
  }
  d->warning[warning].number++;
  d->warning[warning].lastinfo = i;
  return reset;
}

void sn_checkPos(const snModel* m, snData* d) {
  int i = firstBad(d->qpos, (int)m->nq, NULL);
  if (i >= 0) handleBad(m, d, snWARN_BADQPOS, i);
}

void sn_checkVel(const snModel* m, snData* d) {
  int i = firstBad(d->qvel, d->nv_awake, d->dof_awake_ind);
  if (i >= 0) handleBad(m, d, snWARN_BADQVEL, i);
}

void sn_checkAcc(const snModel* m, snData* d) {
  int i = firstBad(d->qacc, d->nv_awake, d->dof_awake_ind);
  if (i >= 0 && handleBad(m, d, snWARN_BADQACC, i)) sn_forward(m, d);
}
