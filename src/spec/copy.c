// Copying a spec.
//
// Every element of a spec has a number of its own (order); a table from numbers to copies carries
// references over.

#include <string.h>

#include "base/assert.h"
#include "spec/element.h"

typedef struct Copy_ {
  const snSpec* from;
  snSpec* to;
  snElem** map;  // by order
  int failed;
} Copy;

static snElem* mapped(const Copy* c, const snElem* e) { return e ? c->map[e->order] : NULL; }

static snOrigin* mapOrigin(const Copy* c, const snOrigin* origin) {
  snOrigin* copy = sn_specData(c->to)->origins;
  for (snOrigin* o = sn_specData(c->from)->origins; o; o = o->next, copy = copy->next) {
    if (o == origin) return copy;
  }
  return NULL;
}

static void copyOrigins(Copy* c) {
  snOrigin** tail = &sn_specData(c->to)->origins;
  for (const snOrigin* o = sn_specData(c->from)->origins; o; o = o->next) {
    snOrigin* copy = (snOrigin*)snu_malloc(sizeof(snOrigin));
    if (!copy) {
      c->failed = 1;
      return;
    }
    *copy = *o;
    memset(&copy->meshdir, 0, sizeof(snString));
    memset(&copy->texturedir, 0, sizeof(snString));
    memset(&copy->modelfiledir, 0, sizeof(snString));
    copy->next = NULL;
    *tail = copy;
    tail = &copy->next;
    sns_setString(&copy->meshdir, sns_getString(&o->meshdir));
    sns_setString(&copy->texturedir, sns_getString(&o->texturedir));
    sns_setString(&copy->modelfiledir, sns_getString(&o->modelfiledir));
    copy->compiler.meshdir = &copy->meshdir;
    copy->compiler.texturedir = &copy->texturedir;
  }
}

// a copy in no list; relations are set by the caller
static snElem* copyElem(Copy* c, const snElem* source) {
  snElem* e = c->failed ? NULL : sn_elemNew(c->to, source->head.elemtype);
  SN_ASSERT_INDEX(source->order, sn_specData(c->from)->created);
  if (!e || !sn_elemAssign(e, source) ||
      !sn_boxCopy((snBox*)&e->name, (const snBox*)&source->name, snBOX_STRING)) {
    if (e) sn_elemFree(e);
    c->failed = 1;
    return NULL;
  }
  e->head.signature = source->head.signature;
  e->id = source->id;
  e->built = source->built;
  memcpy(e->place, source->place, sizeof(e->place));
  e->line = source->line;
  e->file = sn_specFile(c->to, source->file);
  e->included = source->included;
  e->summed = source->summed;
  e->hulled = source->hulled;
  e->origin = source->origin ? mapOrigin(c, source->origin) : NULL;
  e->order = source->order;
  e->def = mapped(c, source->def);
  snsPlugin* plugin = sn_elemPlugin(e);
  if (plugin && plugin->element) {
    snElem* instance = mapped(c, sn_elem(plugin->element));
    plugin->element = instance ? &instance->head : NULL;
  }
  c->map[source->order] = e;
  if (!sn_nameAdd(e)) c->failed = 1;
  return e;
}

static void copyClasses(Copy* c) {
  for (const snElem* def = sn_specData(c->from)->main; def; def = sn_nextClass(def)) {
    snElem* e = copyElem(c, def);
    if (!e) return;
    e->parent = mapped(c, def->parent);
    if (e->parent) {
      sn_listInsert(e->parent->lists, e, NULL);
    } else {
      sn_specData(c->to)->main = e;
    }
  }
}

// children of a body other than bodies; frames first, for the others name them
static void copyLevel(Copy* c, const snElem* body, snElem* copy) {
  SN_ASSERT(mapped(c, body) == copy);
  for (int k = 1; k < sn_kind(snOBJ_BODY)->nlist; k++) {
    SN_EACH(e, body->lists + k) {
      snElem* child = copyElem(c, e);
      if (!child) return;
      child->parent = copy;
      sn_listInsert(copy->lists + k, child, NULL);
    }
  }
  for (int k = 1; k < sn_kind(snOBJ_BODY)->nlist; k++) {
    SN_EACH(e, body->lists + k) mapped(c, e)->frame = mapped(c, e->frame);
  }
}

static void copyTree(Copy* c) {
  for (snElem* body = sn_world(c->from); body && !c->failed; body = sn_nextBody(body)) {
    snElem* e = copyElem(c, body);
    if (!e) return;
    e->parent = mapped(c, body->parent);
    e->frame = mapped(c, body->frame);
    if (e->parent) {
      sn_listInsert(sn_bodyList(e->parent, snOBJ_BODY), e, NULL);
    } else {
      sn_specData(c->to)->world = e;
    }
    copyLevel(c, body, e);
  }
}

static void copyParts(Copy* c, const snElem* source, snElem* key) {
  SN_ASSERT(source->head.elemtype == snOBJ_KEY && key->head.elemtype == snOBJ_KEY);
  const snKeyObject* from = (const snKeyObject*)source->object;
  snKeyObject* to = (snKeyObject*)key->object;
  to->stored = from->stored;
  to->handed = from->handed;
  memcpy(to->present, from->present, sizeof(to->present));
  for (const snKeyPart* part = from->parts; part && !c->failed; part = part->next) {
    snElem* owner = mapped(c, part->owner);
    if (owner && !sn_keyAddPart(key, owner, part->vector, part->value, part->size)) c->failed = 1;
  }
}

static void copyList(Copy* c, int type) {
  SN_ASSERT_INDEX(type, snNLIST);
  snElemList* list = sn_specData(c->to)->lists + type;
  SN_EACH(source, sn_specData(c->from)->lists + type) {
    snElem* e = copyElem(c, source);
    if (!e) return;
    sn_listInsert(list, e, NULL);
    if (type == snOBJ_KEY) copyParts(c, source, e);
    if (type != snOBJ_TENDON) continue;
    SN_EACH(wrap, source->lists) {
      snElem* w = copyElem(c, wrap);
      if (!w) return;
      w->parent = e;
      sn_listInsert(e->lists, w, NULL);
    }
  }
}

// Models that were attached, and those that may be, are the same ones in the copy.
static void shareChildren(Copy* c) {
  const snSpecData* data = sn_specData(c->from);
  snSpecData* copy = sn_specData(c->to);
  for (int i = 0; i < data->nchild && !c->failed; i++) {
    sn_specData(data->children[i])->holders++;
    if (!sn_specAddChild(c->to, data->children[i])) c->failed = 1;
  }
  for (int i = 0; i < data->nabsorbed && !c->failed; i++) {
    sn_specData(data->absorbed[i])->holders++;
    if (!sn_specAppend(&copy->absorbed, &copy->nabsorbed, data->absorbed[i])) c->failed = 1;
  }
}

snSpec* sn_copySpec(const snSpec* s) {
  if (!s) return NULL;
  const snSpecData* data = sn_specData(s);
  Copy c = {s, sn_specNew(s), NULL, 0};
  size_t count = (size_t)data->created + 1;
  c.map = c.to ? (snElem**)snu_malloc(count * sizeof(snElem*)) : NULL;
  if (!c.map) {
    sn_deleteSpec(c.to);
    return NULL;
  }
  memset(c.map, 0, count * sizeof(snElem*));
  copyOrigins(&c);
  if (!c.failed) copyClasses(&c);
  if (!c.failed) copyList(&c, snOBJ_PLUGIN);
  if (!c.failed) copyTree(&c);
  for (int type = 0; type < snNLIST && !c.failed; type++) {
    if (type != snOBJ_PLUGIN && type != snOBJ_KEY) copyList(&c, type);
  }
  if (!c.failed) copyList(&c, snOBJ_KEY);
  if (!c.failed) shareChildren(&c);
  snu_free(c.map);
  if (c.failed) {
    sn_deleteSpec(c.to);
    return NULL;
  }
  sn_specData(c.to)->created = data->created;
  sn_specData(c.to)->numbered = data->numbered;
  if (!data->numbered) sn_specNumber(c.to);
  return c.to;
}
