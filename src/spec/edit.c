// Changing elements: classes, frames, plugin settings.

#include <string.h>

#include "base/assert.h"
#include "spec/element.h"

// The class counts for writing and for children added later; attributes stay as they are.
void sns_setDefault(snsElement* element, const snsDefault* def) {
  if (!element || !def) return;
  snElem* e = sn_elem(element);
  e->def = sn_elem(def->element);
  if (element->elemtype == snOBJ_BODY) {
    sns_setString(((snsBody*)e->object)->childclass, sn_elemName(e->def));
  } else if (element->elemtype == snOBJ_FRAME) {
    sns_setString(((snsFrame*)e->object)->childclass, sn_elemName(e->def));
  }
}

int sns_setFrame(snsElement* dest, snsFrame* frame) {
  if (!dest) return -1;
  snElem* e = sn_elem(dest);
  snElem* f = frame ? sn_elem(frame->element) : NULL;
  if (!sn_isTreeType(dest->elemtype) || !e->parent || (f && f->parent != e->parent)) {
    sn_elemError(e, "Frame and body '%s' have mismatched parents", sn_elemName(e));
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

// ---- body to frame ----

// tensor about a point += inertia of a body whose centre lies at an offset from it, in axes of quat
static void addTensor(snReal tensor[9], const double inertia[3], const snReal quat[4], double mass,
                      const snReal offset[3]) {
  snReal mat[9], square = snu_dot3(offset, offset);
  snu_quat2Mat(mat, quat);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      snReal sum = (snReal)mass * ((i == j ? square : 0) - offset[i] * offset[j]);
      for (int k = 0; k < 3; k++) sum += mat[3 * i + k] * (snReal)inertia[k] * mat[3 * j + k];
      tensor[3 * i + j] += sum;
    }
  }
}

// centre of mass and axes of a body that was compiled, in its parent's frame or in its own
static void placeInertial(const snsBody* body, int inParent, snReal com[3], snReal quat[4]) {
  snReal pos[3], turn[4], ipos[3], iquat[4];
  for (int k = 0; k < 3; k++) pos[k] = (snReal)body->pos[k];
  for (int k = 0; k < 4; k++) turn[k] = (snReal)body->quat[k];
  for (int k = 0; k < 3; k++) ipos[k] = (snReal)body->ipos[k];
  for (int k = 0; k < 4; k++) iquat[k] = (snReal)body->iquat[k];
  snu_copy3(com, ipos);
  snu_copy4(quat, iquat);
  if (!inParent) return;
  snu_rotVecQuat(com, ipos, turn);
  snu_addTo3(com, pos);
  snu_mulQuat(quat, turn, iquat);
}

// The parent takes the inertia of a body that goes; known when both were compiled.
static void sumInertia(snElem* parent, const snElem* body) {
  SN_ASSERT(parent->head.elemtype == snOBJ_BODY && body->head.elemtype == snOBJ_BODY);
  if (!parent->resolved || !body->resolved || !parent->parent) return;
  const snsBody *mine = (const snsBody*)parent->resolved, *theirs = (const snsBody*)body->resolved;
  double mass = mine->mass + theirs->mass;
  if (theirs->mass < snMINVAL) return;
  snReal com[2][3], quat[2][4], centre[3], tensor[9] = {0}, offset[3], value[3], vector[9], axes[4];
  placeInertial(mine, 0, com[0], quat[0]);
  placeInertial(theirs, 1, com[1], quat[1]);
  if (mine->mass < snMINVAL) snu_zero3(com[0]);
  for (int k = 0; k < 3; k++) {
    centre[k] = (snReal)((mine->mass * com[0][k] + theirs->mass * com[1][k]) / mass);
  }
  snu_sub3(offset, com[0], centre);
  if (mine->mass >= snMINVAL) addTensor(tensor, mine->inertia, quat[0], mine->mass, offset);
  snu_sub3(offset, com[1], centre);
  addTensor(tensor, theirs->inertia, quat[1], theirs->mass, offset);
  snu_eig3(value, vector, axes, tensor);
  static const int place[6] = {0, 4, 8, 1, 2, 5};
  snsBody* to = (snsBody*)parent->object;
  to->explicitinertial = 1;
  to->mass = mass;
  to->ialt.type = snORIENTATION_QUAT;
  for (int k = 0; k < 3; k++) to->ipos[k] = (double)centre[k];
  for (int k = 0; k < 3; k++) to->inertia[k] = (double)value[k];
  for (int k = 0; k < 4; k++) to->iquat[k] = (double)axes[k];
  for (int k = 0; k < 6; k++) to->fullinertia[k] = (double)tensor[place[k]];
  parent->summed = 1;
}

// Everything in the body moves to the end of its parent's lists, into a frame with the body's pose.
snsFrame* sns_bodyToFrame(snsBody** body) {
  if (!body || !*body) return NULL;
  snElem* e = sn_elem((*body)->element);
  snElem* parent = e->parent;
  if (!parent || parent->head.elemtype != snOBJ_BODY || !sn_keysCut(e->spec)) return NULL;
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
    while (list->first) {
      snElem* child = list->first;
      sn_listRemove(list, child);
      child->parent = parent;
      if (!child->frame) child->frame = f;
      sn_listInsert(parent->lists + k, child, NULL);
    }
  }
  sumInertia(parent, e);
  sn_keysForget(e->spec, e);
  sn_listRemove(sn_listOf(e), e);
  sn_elemFree(e);
  sn_specNumber(parent->spec);
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
