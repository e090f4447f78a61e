// Reset: the state that a model starts from.

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/misuse.h"
#include "engine/actuate/actuation.h"
#include "engine/plugin/plugin.h"
#include "engine/step/sleep.h"
#include "math/math.h"

#define SN_M(size) m->size

// The growing half of the arena is emptied. Frames of the stack that are open stay as they are: they
// belong to the callers of this function, who still work on their scratch and will close them (trial
// steps of finite differences, callbacks of the user).
static void clearArena(snData* d) {
  if (!d->pbase && !d->nlostframe) d->pstack = 0;
  sn_emptyArena(d);
  d->maxuse_stack = d->maxuse_arena = (snSize)d->pstack;
}

// everything that is counted or flagged, the arena and its arrays
static void clearScalars(const snModel* m, snData* d) {
  clearArena(d);
  d->maxuse_con = d->maxuse_efc = 0;
  memset(d->maxuse_threadstack, 0, sizeof(d->maxuse_threadstack));
  memset(d->solver, 0, sizeof(d->solver));
  memset(d->solver_niter, 0, sizeof(d->solver_niter));
  memset(d->solver_nnz, 0, sizeof(d->solver_nnz));
  memset(d->solver_fwdinv, 0, sizeof(d->solver_fwdinv));
  memset(d->warning, 0, sizeof(d->warning));
  memset(d->timer, 0, sizeof(d->timer));
  d->flg_energypos = d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = 0;
  d->time = 0;
  d->energy[0] = d->energy[1] = 0;
  d->status = 0;
  d->signature = m->signature;
}

// every array but the plugins' own, which only their reset may touch, and positions of deformables
static void fillArrays(const snModel* m, snData* d, unsigned char value) {
#define X(type, name, rows, columns, stage, meaning)                          \
  if (offsetof(snData, name) != offsetof(snData, plugin_state) &&             \
      offsetof(snData, name) != offsetof(snData, plugin_data) &&              \
      offsetof(snData, name) != offsetof(snData, deformvert_xpos)) {          \
    memset(d->name, value, (size_t)(m->rows * (columns)) * sizeof(*d->name)); \
  }
  SN_DATA_FIELDS(X)
#undef X
}

// Vertices go back to where the model has them; those of a deformable that a program registered stay,
// unless they are lost.
static void clearDeformables(const snModel* m, snData* d) {
  for (int i = 0; i < (int)m->ndeformvert; i++) {
    snReal* x = d->deformvert_xpos + 3 * i;
    int keep = m->deformable_registered[m->deformvert_deformid[i]];
    for (int k = 0; k < 3; k++) keep &= !snu_isBad(x[k]);
    if (!keep) snu_copy3(x, m->deformvert_pos + 3 * i);
  }
  snu_zero(d->deformvert_xvel, 3 * (int)m->ndeformvert);
  snu_zero(d->deformvert_xfrc, 3 * (int)m->ndeformvert);
  snu_zero(d->deformable_xfrc, 6 * (int)m->ndeformbody);
  memset(d->deformable_asleep, 0, (size_t)m->ndeformable * sizeof(int));
}

// inputs and state that a debug value does not reach
static void clearState(const snModel* m, snData* d) {
  int nv = (int)m->nv;
  snu_copy(d->qpos, m->qpos0, (int)m->nq);
  snu_zero(d->qvel, nv);
  snu_zero(d->act, (int)m->na);
  snu_zero(d->ctrl, (int)m->nu);
  snu_zero(d->qfrc_applied, nv);
  snu_zero(d->xfrc_applied, 6 * (int)m->nbody);
  snu_zero(d->qacc, nv);
  snu_zero(d->qacc_warmstart, nv);
  snu_zero(d->act_dot, (int)m->na);
  snu_zero(d->userdata, (int)m->nuserdata);
  snu_zero(d->mocap_pos, 3 * (int)m->nmocap);
  snu_zero(d->mocap_quat, 4 * (int)m->nmocap);
  snu_zero(d->qM, (int)m->nM);
  memcpy(d->eq_active, m->eq_active0, (size_t)m->neq);
  memcpy(d->plugin, m->plugin, (size_t)m->nplugin * sizeof(int));
}

// ---- sleeping

static int countInit(const snModel* m) {
  int count = 0;
  for (int tree = 0; tree < (int)m->ntree; tree++) {
    count += m->tree_sleep_policy[tree] == snSLEEP_INIT;
  }
  return count;
}

int sn_sleepInitially(const snModel* m, snData* d, int* tree) {
  int count = countInit(m);
  *tree = -1;
  if (!count) return 0;
  sn_forward(m, d);
  for (int i = 0; i < (int)m->ntree; i++) {
    int init = m->tree_sleep_policy[i] == snSLEEP_INIT;
    d->tree_asleep[i] = init ? -1 : -(1 + snMINAWAKE);
  }
  int slept = sn_sleep(m, d);
  for (int i = 0; i < (int)m->ntree && slept != count && *tree < 0; i++) {
    if (m->tree_sleep_policy[i] == snSLEEP_INIT && d->tree_asleep[i] < 0) *tree = i;
  }
  snu_zero(d->qacc_smooth, (int)m->nv);
  snu_zero(d->qfrc_smooth, (int)m->nv);
  int ncon = d->ncon;
  clearScalars(m, d);
  d->ncon = ncon;
  return slept;
}

// With sleeping enabled static bodies are placed here, once.
static void resetSleep(const snModel* m, snData* d) {
  for (int tree = 0; tree < (int)m->ntree; tree++) d->tree_asleep[tree] = -(1 + snMINAWAKE);
  if (sn_sleepEnabled(m)) {
    int count = countInit(m);
    sn_updateSleepInit(m, d, 1);
    if (count) {
      int awake, slept = sn_sleepInitially(m, d, &awake);
      if (awake >= 0) {
        snu_error(
            "%d trees were marked as sleep='init' but only %d could be slept.\n"
            "Body %d is the root of the first tree that could not be slept.",
            count, slept, m->tree_bodyadr[awake]);
      }
    } else {
      sn_kinematics(m, d);
      sn_comPos(m, d);
      sn_camlight(m, d);
      sn_tendon(m, d);
    }
  }
  sn_updateSleep(m, d);
}

// ---- public

void sn_resetDataDebug(const snModel* m, snData* d, unsigned char debug_value) {
  if (!SN_IS_DATA_OF(m, d, "sn_resetDataDebug")) return;
  if (m->nhistory > 0 && !(m->opt.timestep > 0)) {
    snu_error("history buffers require positive timestep");
    return;
  }
  clearScalars(m, d);
  fillArrays(m, d, debug_value);
  clearState(m, d);
  clearDeformables(m, d);
  sn_resetHistory(m, d);
  resetSleep(m, d);
  if (m->nplugin) sn_userReset(m, d);
  for (int body = 0; body < (int)m->nbody; body++) {
    int mocap = m->body_mocapid[body];
    if (mocap < 0) continue;
    snu_copy3(d->mocap_pos + 3 * mocap, m->body_pos + 3 * body);
    snu_copy4(d->mocap_quat + 4 * mocap, m->body_quat + 4 * body);
  }
}

void sn_resetData(const snModel* m, snData* d) { sn_resetDataDebug(m, d, 0); }
