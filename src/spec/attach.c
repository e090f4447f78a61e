#include "spec/attach.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "spec/renamed_copy.h"

// ---- keyframes ----

static int isChild(const snCopy* c) {
  const snSpecData* data = sn_specData(c->to);
  for (int i = 0; i < data->nchild; i++) {
    if (data->children[i] == c->from) return 1;
  }
  return 0;
}

// A keyframe that an earlier attachment or replicate brought keeps its name and goes along once, as in MuJoCo.
static int isPending(const snElem* key) { return ((const snKeyObject*)key->object)->stored == 2; }

static int isHanded(const snElem* key) { return ((const snKeyObject*)key->object)->handed; }

static snElem* newKey(snCopy* c, const snElem* source, const snElem* before) {
  SN_ASSERT(source->head.elemtype == snOBJ_KEY);
  snElem* key = sn_copyElem(c, source);
  if (!key) return NULL;
  snKeyObject* object = (snKeyObject*)key->object;
  object->stored = 1;
  memcpy(object->present, ((snKeyObject*)source->object)->present, sizeof(object->present));
  sn_listInsert(sn_specList(c->to, snOBJ_KEY), key, (snElem*)before);
  snCopy kept = *c;  // one that waits keeps its name
  if (sn_copyIsOther(c) && isPending(source)) kept.prefix = kept.suffix = "";
  sn_copyName(&kept, key, sn_elemName(source));
  c->failed |= kept.failed;
  return key;
}

// A value goes to the copy of its owner in the new keyframe. It also goes to the keyframes of
// earlier attachments of the same model that did not take the owner along, since the last one that
// did: the model that is attached part by part has its keyframes in each of their names.
static void copyPart(snCopy* c, const snElem* source, snKeyPart* part, snElem* owner) {
  SN_EACH(key, sn_specList(c->to, snOBJ_KEY)) {
    const snKeyObject* object = (const snKeyObject*)key->object;
    if (object->source != source || object->attachment <= part->attachment) continue;
    if (!sn_keyAddPart(key, owner, part->vector, part->value, part->size)) {
      sn_copyFail(c, "out of memory");
      return;
    }
  }
}

// Owners in the tree lead to their copies by scratch, actuators are found by name or, without one,
// are lost.
static void copyKeysThat(snCopy* c, int pending, int attachment) {
  SN_EACH(source, sn_specList(c->from, snOBJ_KEY)) {
    if (isPending(source) != pending || isHanded(source)) continue;
    snKeyObject* object = (snKeyObject*)source->object;
    snElem* key = newKey(c, source, NULL);
    if (!key) return;
    object->handed = (snByte)pending;
    snKeyObject* made = (snKeyObject*)key->object;
    made->stored = 2;
    made->source = source;
    made->attachment = attachment;
    for (snKeyPart* part = object->parts; part && !c->failed; part = part->next) {
      snElem* owner = (snElem*)part->owner->scratch;
      if (!owner) continue;
      copyPart(c, source, part, owner);
      part->attachment = attachment;
    }
    // a model that does not stay with this one may be gone when another comes to its place
    if (!isChild(c)) made->source = NULL;
  }
}

static void copyKeys(snCopy* c) {
  int attachment = ++sn_specData(c->from)->attachments, pending = 0;
  SN_EACH(source, sn_specList(c->from, snOBJ_KEY))
  pending |= isPending(source) && !isHanded(source);
  if (pending) {
    snu_warning("%s",
                "Child model has pending keyframes. They will not be namespaced correctly. To "
                "prevent this, compile the child model before attaching it again.");
  }
  copyKeysThat(c, 0, attachment);
  if (pending) copyKeysThat(c, 1, attachment);
}

// ---- keyframes of a model that is attached to itself ----

// Copies of all keyframes, in parts, in no list; before anything is added to the model.
static snElem* splitKeys(snCopy* c) {
  snElem *first = NULL, **tail = &first;
  SN_EACH(source, sn_specList(c->to, snOBJ_KEY)) {
    if (((const snKeyObject*)source->object)->stored) continue;
    snElem* key = sn_copyElem(c, source);
    if (!key) break;
    *tail = key;
    tail = &key->next;
    if (!sn_keyStore(c->to, key)) {
      sn_copyFail(c, sns_getError(c->to));
      break;
    }
    key->scratch = source;
  }
  return first;
}

// The values of what was copied go to the copies; the originals take reference values.
static void placeKeys(snCopy* c, snElem* key) {
  for (snElem* next; key; key = next) {
    next = key->next;
    key->next = NULL;
    if (c->failed) {
      sn_elemFree(key);
      continue;
    }
    snKeyObject* object = (snKeyObject*)key->object;
    const snElem* source = (const snElem*)key->scratch;
    key->scratch = NULL;
    object->stored = 2;
    for (snKeyPart* part = object->parts; part; part = part->next) {
      if (part->owner->scratch) part->owner = (snElem*)part->owner->scratch;
    }
    sn_listInsert(sn_specList(c->to, snOBJ_KEY), key, NULL);
    sn_copyName(c, key, sn_elemName(source));
  }
}

// pair actuators with their copies for copyKeys: copies were appended in order
static void linkActuators(snCopy* c, const snElem* lastBefore) {
  snElem* copy = lastBefore ? lastBefore->next : sn_specList(c->to, snOBJ_ACTUATOR)->first;
  SN_EACH(e, sn_specList(c->from, snOBJ_ACTUATOR)) {
    e->scratch = NULL;
    if (!copy) continue;
    snRef mine[snMAXREF], theirs[snMAXREF];
    if (!sn_elemRefs(e, mine) || !sn_elemRefs(copy, theirs)) continue;
    if (sn_copyFind(c, mine[0].type, sns_getString(mine[0].name)) !=
        sn_findName(c->to, theirs[0].type, sns_getString(theirs[0].name))) {
      continue;
    }
    e->scratch = copy;
    copy = copy->next;
  }
}

// ---- replicate ----

// value of a joint or mocap body in a keyframe that was written before it existed: its reference, as given
static int addReference(snElem* key, snElem* owner, int vector) {
  double joint[7] = {0};
  const double* value = joint;
  int size = owner && ((snKeyObject*)key->object)->present[vector] ? sn_keySize(owner, vector) : 0;
  if (!size) return 1;
  if (vector == snKEY_QPOS) {
    if (size == 1) joint[0] = ((const snsJoint*)owner->object)->ref;
  } else {
    const snsBody* body = (const snsBody*)owner->object;
    value = vector == snKEY_MPOS ? body->pos : body->quat;
  }
  return sn_keyAddPart(key, owner, vector, value, size);
}

// references of all joints and mocap bodies in the present copy of a template
static void addReferences(snCopy* c, snElem* key, const snElem* template) {
  int ok = 1;
  for (snElem* b = (snElem*)template; b; b = sn_nextBelow(b, template)) {
    ok &= addReference(key, (snElem*)b->scratch, snKEY_MPOS);
    ok &= addReference(key, (snElem*)b->scratch, snKEY_MQUAT);
    SN_EACH(joint, sn_bodyList(b, snOBJ_JOINT)) {
      ok &= addReference(key, (snElem*)joint->scratch, snKEY_QPOS);
    }
  }
  if (!ok) sn_copyFail(c, "out of memory");
}

// A keyframe for this copy: values outside of the template as they are, those of the template for
// the copy, of actuators those that act on something which is not in the model yet. The original keeps the references
// of the copy, and comes last.
static void replicateKeys(snCopy* c, const snElem* template) {
  snElemList* list = sn_specList(c->to, snOBJ_KEY);
  int count = 0;
  SN_EACH(key, list) count += ((snKeyObject*)key->object)->stored == 1;
  snElem* first = list->first;
  while (first && ((snKeyObject*)first->object)->stored != 1) first = first->next;
  snElem* next = first;
  for (snElem* source = first; source && count-- > 0 && !c->failed; source = next) {
    next = source->next;
    snElem* key = newKey(c, source, first);
    if (!key) return;
    ((snKeyObject*)key->object)->stored = 2;
    for (snKeyPart* part = ((snKeyObject*)source->object)->parts; part; part = part->next) {
      if (sn_hasTarget(part->owner)) continue;  // not taken along
      snElem* copy = (snElem*)part->owner->scratch;
      snElem* owner = copy ? copy : part->owner;
      if (!sn_keyAddPart(key, owner, part->vector, part->value, part->size))
        sn_copyFail(c, "out of memory");
    }
    addReferences(c, source, template);
  }
}

// Keyframes that came with an attached model, or from a replicate inside of this one, stay with the
// first copy of their owners.
static void moveKeys(snCopy* c) {
  SN_EACH(key, sn_specList(c->to, snOBJ_KEY)) {
    const snKeyObject* object = (const snKeyObject*)key->object;
    if (object->stored != 2) continue;
    for (snKeyPart* part = object->parts; part; part = part->next) {
      if (part->owner->scratch) part->owner = (snElem*)part->owner->scratch;
    }
  }
}

int sn_replicate(snElem* body, snElem* frame, snElem* source, const char* suffix,
                 const int* originals) {
  snCopy c = {body->spec, body->spec, "", suffix, 0, originals};
  snElem* template = source->parent;
  if (!sn_keysStore(c.to)) return 0;
  snElem* top = sn_copyInto(&c, source, body, frame);
  if (top) sn_copyContents(&c, template, source, body, top);
  if (!c.failed) moveKeys(&c);
  if (!c.failed) replicateKeys(&c, template);
  sn_copyForget(template);
  if (!c.failed) sn_copyReferring(&c);
  return !c.failed;
}

// Keyframes of one replicate are no business of the next. Those that were in parts before it lose
// what they say of actuators whose targets are in the model.
void sn_endReplicate(snElem* body) {
  snSpec* spec = body->spec;
  SN_EACH(key, sn_specList(body->spec, snOBJ_KEY)) {
    snKeyObject* object = (snKeyObject*)key->object;
    if (object->stored == 2) sn_keyForgetActuators(key);
    object->stored = 2;
  }
  sn_elemDelete(body);
  sn_specNumber(spec);
}

// ---- attach ----

static snElem* attachFrame(snCopy* c, snElem* child, snElem* target, snElem* frame) {
  SN_ASSERT(child->head.elemtype == snOBJ_FRAME && target->head.elemtype == snOBJ_BODY);
  snElem* top = sn_copyInto(c, child, target, frame);
  if (top) sn_copyContents(c, child->parent, child, target, top);
  return top;
}

static snElem* attachModel(snCopy* c, snElem* world, snElem* target, snElem* frame) {
  SN_ASSERT(!world->parent && target->spec == c->to);
  snElem* top = sn_elemNew(c->to, snOBJ_FRAME);
  if (!top) {
    sn_copyFail(c, "out of memory");
    return NULL;
  }
  top->parent = target;
  top->frame = frame;
  sn_listInsert(sn_bodyList(target, snOBJ_FRAME), top, NULL);
  sn_copyContents(c, world, NULL, target, top);
  return top;
}

// a frame where a site is
static snElem* frameAtSite(const snElem* site) {
  SN_ASSERT(site->head.elemtype == snOBJ_SITE && site->parent);
  snsFrame* frame = sns_addFrame((snsBody*)site->parent->object,
                                 site->frame ? (snsFrame*)site->frame->object : NULL);
  if (!frame) return NULL;
  const snsSite* s = (const snsSite*)site->object;
  memcpy(frame->pos, s->pos, sizeof(frame->pos));
  memcpy(frame->quat, s->quat, sizeof(frame->quat));
  frame->alt = s->alt;
  return sn_elem(frame->element);
}

// whether a place lies in a frame: itself, or one of the bodies around it
static int isInside(const snElem* body, const snElem* frame, const snElem* container) {
  while (body) {
    for (; frame; frame = frame->frame) {
      if (frame == container) return 1;
    }
    frame = body->frame;
    body = body->parent;
  }
  return 0;
}

// whether the child uses its plugins or not
static void activatePlugins(snCopy* c) {
  const snStringVec* plugins = sn_specData(c->from)->plugins;
  for (int i = 0; i < plugins->size && !c->failed; i++) {
    if (sns_activatePlugin(c->to, sns_getString(plugins->data + i))) c->failed = 1;
  }
}

// Instances without a name come first, in the order of the child, then those with names: of the tree and of assets (before
// an index of the list), then of actuators and sensors. Until the next compilation the latter have no ids.
static void orderPlugins(snCopy* c, int referring) {
  snElemList* list = sn_specList(c->to, snOBJ_PLUGIN);
  int index = 0;
  SN_EACH(e, list) e->id = index++;
  for (int group = 0; group < 3; group++) {
    SN_EACH(source, sn_specList(c->from, snOBJ_PLUGIN)) {
      snElem* copy = (snElem*)source->scratch;
      if (!copy) continue;
      if (group != (*sn_elemName(source) ? 1 + (copy->id >= referring) : 0)) continue;
      sn_listRemove(list, copy);
      sn_listInsert(list, copy, NULL);
    }
  }
  index = 0;
  SN_EACH(e, list) e->id = index++;
  SN_EACH(source, sn_specList(c->from, snOBJ_PLUGIN)) {
    if (source->scratch && *sn_elemName(source)) ((snElem*)source->scratch)->id = -1;
  }
}

static snElem* attach(snCopy* c, snElem* child, snElem* target, snElem* frame) {
  snObj type = child->head.elemtype;
  snElem* root = type == snOBJ_MODEL   ? sn_world(c->from)
                 : type == snOBJ_FRAME ? child->parent
                                       : child;
  if (!sn_copyIsOther(c) &&
      (type == snOBJ_BODY ? sn_isBelow(target, child) : isInside(target, frame, child))) {
    sn_copyFail(c, "cannot attach an element to a part of itself");
    return NULL;
  }
  snElem* split = sn_copyIsOther(c) ? NULL : splitKeys(c);
  if (sn_copyIsOther(c) && !sn_keysStore(c->from)) sn_copyFail(c, sns_getError(c->from));
  if (c->failed) {
    placeKeys(c, split);
    return NULL;
  }
  if (sn_copyIsOther(c)) {
    activatePlugins(c);
    sn_copyClasses(c);
  }
  snElem* result = c->failed             ? NULL
                   : type == snOBJ_BODY  ? sn_copyBody(c, child, target, frame)
                   : type == snOBJ_FRAME ? attachFrame(c, child, target, frame)
                                         : attachModel(c, root, target, frame);
  if (sn_copyIsOther(c) && !c->failed) sn_copyAssets(c);
  const snElem* last = sn_specList(c->to, snOBJ_ACTUATOR)->last;
  int plugins = sn_specList(c->to, snOBJ_PLUGIN)->size;
  if (!c->failed) sn_copyReferring(c);
  if (sn_copyIsOther(c)) orderPlugins(c, plugins);
  if (!c->failed) {
    linkActuators(c, last);
    if (sn_copyIsOther(c)) copyKeys(c);
  }
  placeKeys(c, split);
  if (!c->failed) {
    SN_EACH(e, sn_specList(c->from, snOBJ_ACTUATOR)) e->scratch = NULL;
  }
  SN_EACH(e, sn_specList(c->from, snOBJ_PLUGIN)) e->scratch = NULL;
  sn_copyForget(root);
  if (!c->failed) sn_keysComplete(c->to, sn_specData(c->from)->sizes != NULL);
  if (sn_copyIsOther(c))
    sn_world(c->from)->moved = NULL;  // it stays, whatever becomes of its contents
  return c->failed ? NULL : result;
}

// a model is attached to itself as it was before
static snsElement* attachSelf(snsElement* parent, const snSpec* spec, const char* prefix,
                              const char* suffix) {
  snSpec* copy = sn_copySpec(spec);
  if (!copy) return NULL;
  snsElement* result = sns_attach(parent, copy->element, prefix, suffix);
  sn_deleteSpec(copy);
  return result;
}

snsElement* sns_attach(snsElement* parent, const snsElement* child, const char* prefix,
                       const char* suffix) {
  if (!parent || !child) return NULL;
  snElem* place = sn_elem(parent);
  snElem* what = sn_elem(child);
  snCopy c = {what->spec, place->spec, prefix ? prefix : "", suffix ? suffix : "", 0, NULL};
  snObj to = parent->elemtype, type = child->elemtype;
  if (to != snOBJ_FRAME && to != snOBJ_BODY && to != snOBJ_SITE) {
    sn_copyFail(&c, "Error: parent element is not a frame, body or site");
    return NULL;
  }
  if (type != snOBJ_FRAME && type != snOBJ_MODEL && (type != snOBJ_BODY || to == snOBJ_BODY)) {
    sn_copyFail(&c, to == snOBJ_BODY ? "Error: child element is not a frame"
                                     : "Error: child element is not a body or frame");
    return NULL;
  }
  snElem* target = to == snOBJ_BODY ? place : place->parent;
  snElem* frame = to == snOBJ_FRAME ? place : to == snOBJ_SITE ? frameAtSite(place) : NULL;
  if (!target || (to == snOBJ_SITE && !frame)) return NULL;
  if (!sn_copyIsOther(&c) && (what->head.elemtype == snOBJ_MODEL || what == sn_world(c.from)))
    return attachSelf(parent, c.from, prefix, suffix);
  snElem* result = attach(&c, what, target, frame);
  if (result) sn_specNumber(c.to);
  if (result) sn_namesSettle(c.to);
  return result ? &result->head : NULL;
}
