// Keyframes in parts: values that stay with their joint, actuator or mocap body while the model
// changes.

#include <string.h>

#include "base/assert.h"
#include "model/object_types.h"
#include "spec/element.h"

static const char* const kVectorName[snKEY_NVECTOR] = {"qpos",  "qvel", "act",       "mpos",
                                                       "mquat", "ctrl", "deformpos", "deformvel"};

// vector of a keyframe by number
static snDoubleVec* keyVector(const snElem* key, int vector) {
  SN_ASSERT(key->head.elemtype == snOBJ_KEY);
  SN_ASSERT_INDEX(vector, snKEY_NVECTOR);
  const snsKey* k = (const snsKey*)key->object;
  snDoubleVec* const vectors[snKEY_NVECTOR] = {k->qpos,  k->qvel, k->act,       k->mpos,
                                               k->mquat, k->ctrl, k->deformpos, k->deformvel};
  return vectors[vector];
}

static int actSize(const snsActuator* actuator) {
  return actuator->actdim >= 0 ? actuator->actdim : actuator->dyntype != snDYN_NONE;
}

static int isDeform(int vector) { return vector == snKEY_DEFORMPOS || vector == snKEY_DEFORMVEL; }

int sn_keySize(const snElem* owner, int vector) {
  SN_ASSERT_INDEX(vector, snKEY_NVECTOR);
  snObj type = owner->head.elemtype;
  if (type == snOBJ_JOINT && (vector == snKEY_QPOS || vector == snKEY_QVEL)) {
    snJoint joint = ((const snsJoint*)owner->object)->type;
    return vector == snKEY_QPOS ? sn_jointPositions(joint) : sn_jointDofs(joint);
  }
  if (type == snOBJ_BODY && ((const snsBody*)owner->object)->mocap) {
    if (vector == snKEY_MPOS) return 3;
    if (vector == snKEY_MQUAT) return 4;
  }
  if (type == snOBJ_ACTUATOR) {
    if (vector == snKEY_CTRL) return 1;
    if (vector == snKEY_ACT) return actSize((const snsActuator*)owner->object);
  }
  if (type == snOBJ_DEFORMABLE && isDeform(vector)) {
    return ((const snsDeformable*)owner->object)->vert->size;
  }
  return 0;
}

int sn_keyAddPart(snElem* key, snElem* owner, int vector, const double* value, int size) {
  SN_ASSERT(key->head.elemtype == snOBJ_KEY && size >= 0);
  SN_ASSERT_INDEX(vector, snKEY_NVECTOR);
  snKeyObject* object = (snKeyObject*)key->object;
  snKeyPart* part = (snKeyPart*)snu_malloc(sizeof(snKeyPart) + (size_t)size * sizeof(double));
  if (!part) return 0;
  part->owner = owner;
  part->vector = vector;
  part->size = size;
  part->attachment = 0;
  memcpy(part->value, value, (size_t)size * sizeof(double));
  part->next = object->parts;
  object->parts = part;
  return 1;
}

// Where the numbers of an element were in a vector of the model that was compiled last, -1: it had none. Controls are
// counted among the actuators that there are now, as in MuJoCo.
static int oldPlace(const snElem* owner, int vector, int at) {
  if (vector == snKEY_CTRL) return at;
  int place = owner->built < 0 ? -1 : owner->place[vector == snKEY_QVEL];
  if (place < 0 || vector == snKEY_QPOS || vector == snKEY_QVEL || vector == snKEY_ACT)
    return place;
  return (vector == snKEY_MQUAT ? 4 : 3) * place;
}

// Take the numbers of one owner from a vector, or count them when there is no key. A keyframe as old as the last
// compilation has none of what came later.
static int takePart(snElem* key, snElem* owner, int vector, int old, int* at) {
  int size = sn_keySize(owner, vector), from = old ? oldPlace(owner, vector, *at) : *at;
  *at += size;
  if (!key || !size) return 1;
  const snDoubleVec* vec = keyVector(key, vector);
  if (from < 0 || from + size > vec->size) return 1;
  return sn_keyAddPart(key, owner, vector, vec->data + from, size);
}

// walk over everything that has numbers in a vector, in the order of the model
static int walk(snSpec* spec, snElem* key, int vector, int old) {
  int at = 0, ok = 1;
  if (vector == snKEY_ACT || vector == snKEY_CTRL) {
    SN_EACH(e, sn_specList(spec, snOBJ_ACTUATOR)) ok &= takePart(key, e, vector, old, &at);
  } else if (isDeform(vector)) {
    SN_EACH(e, sn_specList(spec, snOBJ_DEFORMABLE)) ok &= takePart(key, e, vector, old, &at);
  } else {
    for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
      ok &= takePart(key, body, vector, old, &at);
      SN_EACH(e, sn_bodyList(body, snOBJ_JOINT)) ok &= takePart(key, e, vector, old, &at);
    }
  }
  return ok ? at : -1;
}

// whether a vector fits the model of the last compilation
static int isOld(const snSpec* spec, const snElem* key, int vector) {
  const snModel* m = sn_specData(spec)->layout;
  if (!m) return 0;
  const snSize size[snKEY_NVECTOR] = {m->nq,
                                      m->nv,
                                      m->na,
                                      3 * m->nmocap,
                                      4 * m->nmocap,
                                      m->nu,
                                      3 * m->ndeformvert,
                                      3 * m->ndeformvert};
  return keyVector(key, vector)->size == size[vector];
}

// in MuJoCo's order: the first that does not match is in the message
static int sizesMatch(snSpec* spec, const snElem* key) {
  static const int kOrder[] = {snKEY_QPOS, snKEY_QVEL,  snKEY_ACT,       snKEY_CTRL,
                               snKEY_MPOS, snKEY_MQUAT, snKEY_DEFORMPOS, snKEY_DEFORMVEL};
  for (int i = 0; i < snKEY_NVECTOR; i++) {
    int v = kOrder[i];
    const snDoubleVec* vector = keyVector(key, v);
    int size = vector->size ? walk(spec, NULL, v, 0) : 0;
    if (size == vector->size || isOld(spec, key, v)) continue;
    const char* quote = v == snKEY_QPOS ? "'" : "";  // as MuJoCo has it
    sn_specError(spec, 0, "Error: Keyframe %s%s%s has invalid %s size, got %d, should be %d", quote,
                 sn_elemName(key), quote, kVectorName[v], vector->size, size);
    return 0;
  }
  return 1;
}

int sn_keyStore(snSpec* spec, snElem* key) {
  SN_ASSERT(!((snKeyObject*)key->object)->stored || !((snKeyObject*)key->object)->parts);
  snKeyObject* object = (snKeyObject*)key->object;
  if (!sizesMatch(spec, key)) return 0;
  for (int v = 0; v < snKEY_NVECTOR; v++) {
    snDoubleVec* vector = keyVector(key, v);
    object->present[v] = vector->size > 0;
    if (vector->size && walk(spec, key, v, isOld(spec, key, v)) < 0) {
      sn_specError(spec, 0, "out of memory");
      return 0;
    }
    sns_setDouble(vector, NULL, 0);
  }
  object->stored = 1;
  return 1;
}

// they go to the end of the list: behind those that were stored before
int sn_keysStore(snSpec* spec) {
  snElemList* list = sn_specList(spec, snOBJ_KEY);
  int count = list->size;
  for (snElem *key = list->first, *next; key && count-- > 0; key = next) {
    next = key->next;
    if (((snKeyObject*)key->object)->stored) continue;
    if (!sn_keyStore(spec, key)) return 0;
    sn_listRemove(list, key);
    sn_listInsert(list, key, NULL);
  }
  return 1;
}

int sn_keysCut(snSpec* spec) {
  if (!sn_keysStore(spec)) return 0;
  SN_EACH(e, sn_specList(spec, snOBJ_KEY)) {
    snKeyObject* object = (snKeyObject*)e->object;
    if (object->stored) object->stored = 2;
  }
  return 1;
}

// Reference positions of a joint as they are given. A ball or free joint has one only once its model was compiled;
// before that its numbers are zero.
static void jointReference(const snElem* joint, int compiled, double* qpos) {
  SN_ASSERT(joint->head.elemtype == snOBJ_JOINT && joint->parent);
  const snsJoint* j = (const snsJoint*)joint->object;
  const snsBody* body = (const snsBody*)joint->parent->object;
  if (j->type == snJNT_HINGE || j->type == snJNT_SLIDE) {
    qpos[0] = j->ref;
  } else if (compiled && j->type == snJNT_BALL) {
    qpos[0] = 1;
  } else if (compiled) {
    memcpy(qpos, body->pos, sizeof(body->pos));
    memcpy(qpos + 3, body->quat, sizeof(body->quat));
  }
}

// reference values of everything that begins at a place or behind it
static void fillReferences(snSpec* spec, int vector, int compiled, double* value, int first) {
  int at = 0;
  for (snElem* e = sn_world(spec); e; e = sn_nextBody(e)) {
    const snsBody* body = (const snsBody*)e->object;
    int size = sn_keySize(e, vector);
    if (size && at >= first) {
      memcpy(value + at, vector == snKEY_MPOS ? body->pos : body->quat,
             (size_t)size * sizeof(double));
    }
    at += size;
    SN_EACH(joint, sn_bodyList(e, snOBJ_JOINT)) {
      size = sn_keySize(joint, vector);
      if (size && at >= first) jointReference(joint, compiled, value + at);
      at += size;
    }
  }
}

static void completeVector(snSpec* spec, const snElem* key, int v, int compiled) {
  snDoubleVec* vec = keyVector(key, v);
  int given = vec->size, size = given ? walk(spec, NULL, v, 0) : 0;
  if (size <= given) return;
  double* all = (double*)snu_malloc((size_t)size * sizeof(double));
  if (!all) return;
  memset(all, 0, (size_t)size * sizeof(double));
  memcpy(all, vec->data, (size_t)given * sizeof(double));
  if (v == snKEY_QPOS || v == snKEY_MPOS || v == snKEY_MQUAT) {
    fillReferences(spec, v, compiled, all, given);
  }
  sns_setDouble(vec, all, size);
  snu_free(all);
}

void sn_keysComplete(snSpec* spec, int compiled) {
  SN_EACH(key, sn_specList(spec, snOBJ_KEY)) {
    if (((const snKeyObject*)key->object)->stored) continue;
    for (int v = 0; v < snKEY_NVECTOR; v++) {
      if (!isDeform(v)) completeVector(spec, key, v, compiled);
    }
  }
}

int sn_hasTarget(const snElem* e) {
  snRef refs[snMAXREF];
  return e->head.elemtype == snOBJ_ACTUATOR && sn_elemRefs(e, refs) > 0 &&
         sn_findName(e->spec, refs[0].type, sns_getString(refs[0].name));
}

// parts of elements in a body or of one element; NULL: of actuators with a target
static void forgetParts(snElem* key, const snElem* owner) {
  SN_ASSERT(key->head.elemtype == snOBJ_KEY);
  snKeyPart** at = &((snKeyObject*)key->object)->parts;
  while (*at) {
    snKeyPart* part = *at;
    if (owner ? sn_isBelow(part->owner, owner) : sn_hasTarget(part->owner)) {
      *at = part->next;
      snu_free(part);
    } else {
      at = &part->next;
    }
  }
}

void sn_keysForget(snSpec* spec, const snElem* owner) {
  SN_EACH(key, sn_specList(spec, snOBJ_KEY)) forgetParts(key, owner);
}

void sn_keyForgetActuators(snElem* key) { forgetParts(key, NULL); }

void sn_keyForget(snElem* key) {
  snKeyObject* object = (snKeyObject*)key->object;
  while (object->parts) {
    snKeyPart* part = object->parts;
    object->parts = part->next;
    snu_free(part);
  }
  object->stored = 0;
  object->source = NULL;
}
