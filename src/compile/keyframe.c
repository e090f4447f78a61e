// Keyframes. A vector that is absent takes the reference values of the model; one that is shorter
// than the model is completed with raw attribute values, before any conversion of units.

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "compile/compiler.h"

static int checkLength(snCompiler* c, const snElem* elem, const snDoubleVec* vec, snSize expected,
                       const char* what) {
  if (vec->size <= expected) return 0;
  return sn_keyError(c, elem, "keyframe '%.100s': invalid %s size, expected %d, got %d",
                     sn_elemName(elem), what, (int)expected, vec->size);
}

// the same for what is not a coordinate, in MuJoCo's other words
static int checkInput(snCompiler* c, const snElem* elem, const snDoubleVec* vec, snSize expected,
                      const char* what) {
  if (vec->size <= expected) return 0;
  if (sn_plainMessages()) {
    return sn_keyError(c, elem, "keyframe %d: invalid %s size, expected length %d", elem->id, what,
                       (int)expected);
  }
  return sn_keyError(c, elem, "keyframe %d: invalid %s size, expected length %d, got %d", elem->id,
                     what, (int)expected, vec->size);
}

static void copyVec(snReal* dest, const snDoubleVec* vec) { sn_toReal(dest, vec->data, vec->size); }

// raw reference positions behind the given ones
static void padPositions(snCompiler* c, snReal* qpos, int given) {
  for (int i = 0; i < c->njnt; i++) {
    const snJointItem* joint = c->joints[i];
    snJoint type = joint->spec.type;
    if (joint->qposadr < given || type == snJNT_FREE || type == snJNT_BALL) continue;
    qpos[joint->qposadr] = (snReal)((const snsJoint*)joint->elem->object)->ref;
  }
}

static void fillPositions(snCompiler* c, snReal* qpos, const snDoubleVec* vec) {
  snModel* m = c->m;
  if (!vec->size) {
    memcpy(qpos, m->qpos0, (size_t)m->nq * sizeof(snReal));
    return;
  }
  copyVec(qpos, vec);
  padPositions(c, qpos, vec->size);
  for (int i = 0; i < m->njnt; i++) {
    snReal* position = qpos + m->jnt_qposadr[i];
    if (m->jnt_type[i] == snJNT_BALL) snu_normalize4(position);
    if (m->jnt_type[i] == snJNT_FREE) snu_normalize4(position + 3);
  }
}

// poses of mocap bodies: given ones whole, the rest from the bodies
static void fillMocap(snCompiler* c, snReal* pose, const snDoubleVec* vec, int width) {
  snModel* m = c->m;
  for (int i = 0; i < m->nbody; i++) {
    const snBodyItem* body = c->bodies[i];
    int id = body->mocapid;
    if (id < 0) continue;
    const snsBody* raw = (const snsBody*)body->elem->object;
    const double* value = width == 3 ? raw->pos : raw->quat;
    if (!vec->size) value = width == 3 ? body->spec.pos : body->spec.quat;
    if (vec->size >= (id + 1) * width) value = vec->data + id * width;
    sn_toReal(pose + id * width, value, width);
    if (width == 4) snu_normalize4(pose + id * width);
  }
}

static snReal* deformPlace(snModel* m, int key, const snKeyPart* part) {
  int id = part->owner->id;
  snReal* all = part->vector == snKEY_DEFORMPOS ? m->key_deformpos : m->key_deformvel;
  if (id >= m->ndeformable || 3 * m->deformable_vertnum[id] != part->size) return NULL;
  return all + 3 * (key * m->ndeformvert + m->deformable_vertadr[id]);
}

// where the numbers of one element are in a vector of a keyframe; NULL when it has none any more
static snReal* partPlace(snModel* m, int key, const snKeyPart* part) {
  int id = part->owner->id;
  if (id < 0) return NULL;
  switch (part->vector) {
    case snKEY_QPOS: return id < m->njnt ? m->key_qpos + key * m->nq + m->jnt_qposadr[id] : NULL;
    case snKEY_QVEL: return id < m->njnt ? m->key_qvel + key * m->nv + m->jnt_dofadr[id] : NULL;
    case snKEY_CTRL: return id < m->nu ? m->key_ctrl + key * m->nu + id : NULL;
    case snKEY_DEFORMPOS:
    case snKEY_DEFORMVEL: return deformPlace(m, key, part);
    case snKEY_ACT:
      if (id >= m->nu || m->actuator_actnum[id] != part->size) return NULL;
      return m->key_act + key * m->na + m->actuator_actadr[id];
    default: break;
  }
  int mocap = id < m->nbody ? m->body_mocapid[id] : -1;
  if (mocap < 0) return NULL;
  return part->vector == snKEY_MPOS ? m->key_mpos + (key * m->nmocap + mocap) * 3
                                    : m->key_mquat + (key * m->nmocap + mocap) * 4;
}

// values that stayed with their elements while the model was put together
static void fillParts(snModel* m, int key, const snElem* elem) {
  SN_ASSERT_INDEX(key, m->nkey);
  const snKeyObject* object = (const snKeyObject*)elem->object;
  for (const snKeyPart* part = object->parts; part; part = part->next) {
    if (part->size != sn_keySize(part->owner, part->vector)) continue;
    snReal* place = partPlace(m, key, part);
    if (!place) continue;
    sn_toReal(place, part->value, part->size);
    if (part->vector == snKEY_MQUAT || (part->vector == snKEY_QPOS && part->size == 4)) {
      snu_normalize4(place);
    }
    if (part->vector == snKEY_QPOS && part->size == 7) snu_normalize4(place + 3);
  }
}

// vertices of deformables: given ones, the rest where the model has them
static void fillVertices(snModel* m, int key, const snDoubleVec* vec) {
  snReal* pos = m->key_deformpos + key * 3 * m->ndeformvert;
  if (m->ndeformvert) memcpy(pos, m->deformvert_pos, 3 * (size_t)m->ndeformvert * sizeof(snReal));
  copyVec(pos, vec);
}

static int fillKey(snCompiler* c, int i) {
  snModel* m = c->m;
  const snElem* elem = c->keys[i].elem;
  const snsKey* spec = (const snsKey*)elem->object;
  SN_TRY(checkLength(c, elem, spec->qpos, m->nq, "qpos"));
  SN_TRY(checkLength(c, elem, spec->qvel, m->nv, "qvel"));
  SN_TRY(checkLength(c, elem, spec->act, m->na, "act"));
  SN_TRY(checkInput(c, elem, spec->mpos, 3 * m->nmocap, "mpos"));
  SN_TRY(checkInput(c, elem, spec->mquat, 4 * m->nmocap, "mquat"));
  SN_TRY(checkInput(c, elem, spec->ctrl, m->nu, "ctrl"));
  SN_TRY(checkInput(c, elem, spec->deformpos, 3 * m->ndeformvert, "deformpos"));
  SN_TRY(checkInput(c, elem, spec->deformvel, 3 * m->ndeformvert, "deformvel"));
  m->key_time[i] = (snReal)spec->time;
  fillPositions(c, m->key_qpos + i * m->nq, spec->qpos);
  copyVec(m->key_qvel + i * m->nv, spec->qvel);
  copyVec(m->key_act + i * m->na, spec->act);
  copyVec(m->key_ctrl + i * m->nu, spec->ctrl);
  fillMocap(c, m->key_mpos + i * 3 * m->nmocap, spec->mpos, 3);
  fillMocap(c, m->key_mquat + i * 4 * m->nmocap, spec->mquat, 4);
  fillVertices(m, i, spec->deformpos);
  copyVec(m->key_deformvel + i * 3 * m->ndeformvert, spec->deformvel);
  fillParts(m, i, elem);
  return 0;
}

// keys without an element (size/nkey) hold the reference values
int sn_fillKeys(snCompiler* c) {
  snModel* m = c->m;
  const snDoubleVec absent = {NULL, 0, 0};
  for (int i = 0; i < m->nkey; i++) {
    if (c->keys[i].elem) {
      SN_TRY(fillKey(c, i));
    } else {
      fillPositions(c, m->key_qpos + i * m->nq, &absent);
      fillMocap(c, m->key_mpos + i * 3 * m->nmocap, &absent, 3);
      fillMocap(c, m->key_mquat + i * 4 * m->nmocap, &absent, 4);
      fillVertices(m, i, &absent);
    }
  }
  return 0;
}

// A vector that is given, or that parts give, in full; the user's numbers stay as they are.
static void settleVector(snDoubleVec* vec, int pending, const snReal* value, int size) {
  int given = pending ? 0 : vec->size;
  if ((!pending && !given) || given >= size) return;
  double* longer = (double*)snu_malloc((size_t)size * sizeof(double));
  if (!longer) return;
  for (int i = 0; i < size; i++) longer[i] = i < given ? vec->data[i] : (double)value[i];
  sns_setDouble(vec, longer, size);
  snu_free(longer);
}

void sn_givenPositions(snCompiler* c, int key, snReal* all) {
  snModel* m = c->m;
  const snKeyObject* object = (const snKeyObject*)c->keys[key].elem->object;
  const snReal* row = m->key_qpos + key * m->nq;
  const snDoubleVec* vec = object->key.qpos;
  int given = object->stored ? 0 : vec->size;
  if (m->nq) memcpy(all, row, (size_t)m->nq * sizeof(snReal));
  for (int i = 0; i < m->njnt; i++) {
    int type = m->jnt_type[i], first = m->jnt_qposadr[i];
    int size = type == snJNT_FREE ? 7 : type == snJNT_BALL ? 4 : 0;
    for (int k = first; k < first + size; k++) {
      if (k >= given && !object->stored) all[k] = 0;
    }
  }
  sn_toReal(all, vec->data, given);
  for (const snKeyPart* part = object->parts; part; part = part->next) {
    if (part->vector != snKEY_QPOS || part->size != sn_keySize(part->owner, snKEY_QPOS)) continue;
    const snReal* place = partPlace(m, key, part);
    if (place) sn_toReal(all + (place - row), part->value, part->size);
  }
}

static void settlePositions(snCompiler* c, int key) {
  snKeyObject* object = (snKeyObject*)c->keys[key].elem->object;
  snReal* all = SN_TAKE(&c->pool, snReal, c->m->nq + 1);
  if (!all || (object->stored && !object->present[snKEY_QPOS])) return;
  sn_givenPositions(c, key, all);
  settleVector(object->key.qpos, object->stored, all, (int)c->m->nq);
}

// the list has the order of the model from now on: those that came with attachments are last
static void sortKeys(snCompiler* c) {
  snElemList* list = sn_specList(c->spec, snOBJ_KEY);
  for (int i = 0; i < c->nkey; i++) {
    snElem* elem = c->keys[i].elem;
    if (!elem) continue;
    sn_listRemove(list, elem);
    sn_listInsert(list, elem, NULL);
  }
}

void sn_settleKeys(snCompiler* c) {
  const snModel* m = c->m;
  sortKeys(c);
  for (int i = 0; i < m->nkey; i++) {
    snElem* elem = c->keys[i].elem;
    if (!elem) continue;
    snKeyObject* object = (snKeyObject*)elem->object;
    const snsKey* key = &object->key;
    settlePositions(c, i);
    struct {
      snDoubleVec* vec;
      const snReal* value;
      snSize size;
    } all[snKEY_NVECTOR] = {{key->qpos, NULL, 0},
                            {key->qvel, m->key_qvel, m->nv},
                            {key->act, m->key_act, m->na},
                            {key->mpos, m->key_mpos, 3 * m->nmocap},
                            {key->mquat, m->key_mquat, 4 * m->nmocap},
                            {key->ctrl, m->key_ctrl, m->nu},
                            {key->deformpos, m->key_deformpos, 3 * m->ndeformvert},
                            {key->deformvel, m->key_deformvel, 3 * m->ndeformvert}};
    for (int v = 0; v < snKEY_NVECTOR; v++) {
      if (v == snKEY_QPOS || (object->stored && !object->present[v])) continue;
      settleVector(all[v].vec, object->stored, all[v].value + i * all[v].size, (int)all[v].size);
    }
    sn_keyForget(elem);
  }
}

void sn_rememberPlaces(snCompiler* c) {
  const snModel* m = c->m;
  for (int i = 0; i < m->njnt; i++) {
    c->joints[i]->elem->place[0] = m->jnt_qposadr[i];
    c->joints[i]->elem->place[1] = m->jnt_dofadr[i];
  }
  for (int i = 0; i < m->nbody; i++) c->bodies[i]->elem->place[0] = m->body_mocapid[i];
  for (int i = 0; i < m->nu; i++) c->actuators[i].elem->place[0] = m->actuator_actadr[i];
  SN_EACH(e, sn_specList(c->spec, snOBJ_DEFORMABLE)) {
    if (e->id < m->ndeformable) e->place[0] = m->deformable_vertadr[e->id];
  }
}
