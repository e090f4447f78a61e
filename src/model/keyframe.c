// Keyframes: states kept in the model.

#include "base/misuse.h"
#include "math/math.h"

void sn_resetDataKeyframe(const snModel* m, snData* d, int key) {
  if (!SN_IS_DATA_OF(m, d, "sn_resetDataKeyframe")) return;
  sn_resetData(m, d);
  if (key < 0 || key >= (int)m->nkey) return;
  d->time = m->key_time[key];
  snu_copy(d->qpos, m->key_qpos + key * m->nq, (int)m->nq);
  snu_copy(d->qvel, m->key_qvel + key * m->nv, (int)m->nv);
  snu_copy(d->act, m->key_act + key * m->na, (int)m->na);
  snu_copy(d->mocap_pos, m->key_mpos + key * 3 * m->nmocap, 3 * (int)m->nmocap);
  snu_copy(d->mocap_quat, m->key_mquat + key * 4 * m->nmocap, 4 * (int)m->nmocap);
  snu_copy(d->ctrl, m->key_ctrl + key * m->nu, (int)m->nu);
  snu_copy(d->deformvert_xpos, m->key_deformpos + key * 3 * m->ndeformvert,
           3 * (int)m->ndeformvert);
  snu_copy(d->deformvert_xvel, m->key_deformvel + key * 3 * m->ndeformvert,
           3 * (int)m->ndeformvert);
}

void sn_setKeyframe(snModel* m, const snData* d, int k) {
  if (!SN_IS_DATA_OF(m, d, "sn_setKeyframe")) return;
  if (k >= (int)m->nkey) {
    snu_error("sn_setKeyframe: index must be smaller than %d (keyframes allocated in model)",
              (int)m->nkey);
    return;
  }
  if (k < 0) {
    snu_error("sn_setKeyframe: keyframe index cannot be negative");
    return;
  }
  m->key_time[k] = d->time;
  snu_copy(m->key_qpos + k * m->nq, d->qpos, (int)m->nq);
  snu_copy(m->key_qvel + k * m->nv, d->qvel, (int)m->nv);
  snu_copy(m->key_act + k * m->na, d->act, (int)m->na);
  snu_copy(m->key_mpos + k * 3 * m->nmocap, d->mocap_pos, 3 * (int)m->nmocap);
  snu_copy(m->key_mquat + k * 4 * m->nmocap, d->mocap_quat, 4 * (int)m->nmocap);
  snu_copy(m->key_ctrl + k * m->nu, d->ctrl, (int)m->nu);
  snu_copy(m->key_deformpos + k * 3 * m->ndeformvert, d->deformvert_xpos, 3 * (int)m->ndeformvert);
  snu_copy(m->key_deformvel + k * 3 * m->ndeformvert, d->deformvert_xvel, 3 * (int)m->ndeformvert);
}
