// Index lists of what is awake, derived from tree_asleep.

#include "engine/step/consistent.h"
#include "engine/step/sleep.h"

// a body that belongs to no tree is static, unless it hangs on a mocap body
static int bodyState(const snModel* m, const snData* d, int body, int flg_staticawake) {
  int tree = m->body_treeid[body];
  if (tree >= 0) return d->tree_awake[tree] ? snS_AWAKE : snS_ASLEEP;
  if (flg_staticawake || m->body_mocapid[m->body_rootid[body]] >= 0) return snS_AWAKE;
  return snS_STATIC;
}

void sn_updateSleepInit(const snModel* m, snData* d, int flg_staticawake) {
  d->calm = 0;
  d->ntree_awake = 0;
  for (int tree = 0; tree < (int)m->ntree; tree++) {
    d->tree_awake[tree] = d->tree_asleep[tree] < 0;
    d->ntree_awake += d->tree_awake[tree];
  }

  d->nbody_awake = 0;
  d->nparent_awake = 0;
  for (int body = 0; body < (int)m->nbody; body++) {
    d->body_awake[body] = bodyState(m, d, body, flg_staticawake);
    if (d->body_awake[body] != snS_ASLEEP) d->body_awake_ind[d->nbody_awake++] = body;
    if (body && d->body_awake[m->body_parentid[body]] != snS_ASLEEP) {
      d->parent_awake_ind[d->nparent_awake++] = body;
    }
  }

  d->nv_awake = 0;
  for (int dof = 0; dof < (int)m->nv; dof++) {
    if (d->tree_awake[m->dof_treeid[dof]]) d->dof_awake_ind[d->nv_awake++] = dof;
  }
  SN_CONSISTENT(Awake, m, d);
}

void sn_updateSleep(const snModel* m, snData* d) { sn_updateSleepInit(m, d, 0); }
