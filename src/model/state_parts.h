// The arrays that make up a state, in the order of their bits: REALS(bit, size, array), BYTES(...), where the
// model is called m and the data d. Those of deformables follow positions and velocities (state.c).

#ifndef SINEW_MODEL_STATE_PARTS_H_
#define SINEW_MODEL_STATE_PARTS_H_

#define SN_STATE_PARTS(REALS, BYTES)                 \
  REALS(TIME, 1, &d->time)                           \
  REALS(QPOS, m->nq, d->qpos)                        \
  REALS(QVEL, m->nv, d->qvel)                        \
  REALS(ACT, m->na, d->act)                          \
  REALS(HISTORY, m->nhistory, d->history)            \
  REALS(WARMSTART, m->nv, d->qacc_warmstart)         \
  REALS(CTRL, m->nu, d->ctrl)                        \
  REALS(QFRC_APPLIED, m->nv, d->qfrc_applied)        \
  REALS(XFRC_APPLIED, 6 * m->nbody, d->xfrc_applied) \
  BYTES(EQ_ACTIVE, m->neq, d->eq_active)             \
  REALS(MOCAP_POS, 3 * m->nmocap, d->mocap_pos)      \
  REALS(MOCAP_QUAT, 4 * m->nmocap, d->mocap_quat)    \
  REALS(USERDATA, m->nuserdata, d->userdata)         \
  REALS(PLUGIN, m->npluginstate, d->plugin_state)

#endif  // SINEW_MODEL_STATE_PARTS_H_
