#include "engine/differentiate/kept.h"

#include <string.h>

#include "base/arena.h"
#include "engine/step/sleep.h"
#include "math/math.h"

int sn_keepState(const snModel* m, snData* d, snKept* kept) {
  kept->state = SN_STACK(d, snReal, sn_stateSize(m, snSTATE_INTEGRATION));
  kept->rates = SN_STACK(d, snReal, 3 * m->nv);
  kept->asleep = SN_STACK(d, int, m->ntree);
  if (!kept->state || !kept->rates || !kept->asleep) return 0;
  sn_getState(m, d, kept->state, snSTATE_INTEGRATION);
  snReal* rates[3] = {d->qacc, d->qacc_smooth, d->qfrc_smooth};
  for (int k = 0; k < 3; k++) snu_copy(kept->rates + k * m->nv, rates[k], (int)m->nv);
  memcpy(kept->asleep, d->tree_asleep, (size_t)m->ntree * sizeof(int));
  return 1;
}

void sn_restoreState(const snModel* m, snData* d, const snKept* kept) {
  sn_setState(m, d, kept->state, snSTATE_INTEGRATION);
}

static int someSlept(const snModel* m, const snKept* kept) {
  for (int tree = 0; tree < (int)m->ntree; tree++) {
    if (kept->asleep[tree] >= 0) return 1;
  }
  return 0;
}

// Nobody updates the arrays of a tree that sleeps: they are brought back to the state that is restored
// while all trees are awake, before those that slept do so again, at rest. What this warns of was said
// before.
static void computeAwake(const snModel* m, snData* d, const snKept* kept) {
  snWarningStat warning[snNWARNING];
  int status = d->status;
  memcpy(warning, d->warning, sizeof(warning));
  for (int tree = 0; tree < (int)m->ntree; tree++) d->tree_asleep[tree] = -(1 + snMINAWAKE);
  for (int dof = 0; dof < (int)m->nv; dof++) {
    if (kept->asleep[m->dof_treeid[dof]] >= 0) d->qvel[dof] = 0;
  }
  sn_updateSleep(m, d);
  sn_forwardSkip(m, d, snSTAGE_NONE, 1);
  sn_restoreState(m, d, kept);
  snReal* rates[3] = {d->qacc, d->qacc_smooth, d->qfrc_smooth};
  for (int k = 0; k < 3; k++) snu_copy(rates[k], kept->rates + k * m->nv, (int)m->nv);
  memcpy(d->warning, warning, sizeof(warning));
  d->status = status;
}

void sn_giveBackState(const snModel* m, snData* d, const snKept* kept) {
  sn_restoreState(m, d, kept);
  if (!sn_sleepEnabled(m)) return;
  if (someSlept(m, kept)) computeAwake(m, d, kept);
  memcpy(d->tree_asleep, kept->asleep, (size_t)m->ntree * sizeof(int));
  sn_updateSleep(m, d);
}
