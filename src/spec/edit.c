// Changing elements: classes, frames, plugin settings.

#include <string.h>

#include "spec/element.h"

// The class counts for writing and for children added later; attributes stay as they are.
void sns_setDefault(snsElement* element, const snsDefault* def) {
  if (!element || !def) return;
  snElem* e = sn_elem(element);
  e->def = sn_elem(def->element);
  if (element->elemtype == snOBJ_BODY) {
    sns_setString(((snsBody*)e->object)->childclass, sn_elemName(e->def));
  }
}

int sns_setFrame(snsElement* dest, snsFrame* frame) {
  if (!dest) return -1;
  snElem* e = sn_elem(dest);
  snElem* f = frame ? sn_elem(frame->element) : NULL;
  if (!sn_isTreeType(dest->elemtype) || !e->parent || (f && f->parent != e->parent)) {
    sn_specError(e->spec, 0,
                 "Error: Frame and body '%s' have mismatched parents\nElement name '%s', id %d",
                 sn_elemName(e), sn_elemName(e), e->id);
    return -1;
  }
  for (const snElem* at = f; at; at = at->frame) {
    if (at == e) {
      sn_specError(e->spec, 0, "frame cannot be inside of itself");
      return -1;
    }
  }
  e->frame = f;
  return 0;
}

// Everything in the body moves to its parent, into a frame with the body's pose.
snsFrame* sns_bodyToFrame(snsBody** body) {
  if (!body || !*body) return NULL;
  snElem* e = sn_elem((*body)->element);
  snElem* parent = e->parent;
  if (!parent || parent->head.elemtype != snOBJ_BODY) return NULL;
  snsFrame* frame =
      sns_addFrame((snsBody*)parent->object, e->frame ? (snsFrame*)e->frame->object : NULL);
  if (!frame) return NULL;
  snElem* f = sn_elem(frame->element);
  memcpy(frame->pos, (*body)->pos, sizeof(frame->pos));
  memcpy(frame->quat, (*body)->quat, sizeof(frame->quat));
  frame->alt = (*body)->alt;
  sns_setString(frame->childclass, sns_getString((*body)->childclass));
  f->origin = e->origin;
  f->order = e->order;
  for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) {
    snElemList* list = e->lists + k;
    snElem* before = k == 0 ? e : NULL;  // child bodies take the place of the body
    while (list->first) {
      snElem* child = list->first;
      sn_listRemove(list, child);
      child->parent = parent;
      if (!child->frame) child->frame = f;
      sn_listInsert(parent->lists + k, child, before);
    }
  }
  sn_keysForget(e->spec, e);
  sn_listRemove(sn_listOf(e), e);
  sn_elemFree(e);
  *body = NULL;
  return frame;
}

// ---- plugins ----

// configuration as two parallel lists, keys and values
static snPluginObject* instance(const snsPlugin* plugin) {
  snElem* e = plugin && plugin->element ? sn_elem(plugin->element) : NULL;
  return e && e->head.elemtype == snOBJ_PLUGIN ? (snPluginObject*)e->object : NULL;
}

void sns_setPluginAttributes(snsPlugin* plugin, void* attributes) {
  snPluginObject* object = instance(plugin);
  const snStringVec* pairs = (const snStringVec*)attributes;
  if (!object || !pairs) return;
  sns_setStringVec(object->key, "");
  sns_setStringVec(object->value, "");
  for (int i = 0; i + 1 < pairs->size; i += 2) {
    sns_appendString(object->key, sns_getString(pairs->data + i));
    sns_appendString(object->value, sns_getString(pairs->data + i + 1));
  }
}

int sn_pluginConfig(const snsPlugin* plugin, int i, const char** key, const char** value) {
  snPluginObject* object = instance(plugin);
  if (!object || i < 0 || i >= object->key->size || i >= object->value->size) return 0;
  *key = sns_getString(object->key->data + i);
  *value = sns_getString(object->value->data + i);
  return 1;
}

const void* sns_getPluginAttributes(const snsPlugin* plugin) {
  snPluginObject* object = instance(plugin);
  return object ? object->key : NULL;
}
