// References by name between elements, and deletion.

#include <string.h>

#include "base/assert.h"
#include "model/object_types.h"
#include "spec/element.h"

static int add(snRef* refs, int n, snObj type, snString* name) {
  if (type == snOBJ_UNKNOWN || sn_stringEmpty(name)) return n;
  refs[n].type = type;
  refs[n].name = name;
  return n + 1;
}

int sn_elemRefs(const snElem* e, snRef refs[snMAXREF]) {
  int n = 0;
  switch (e->head.elemtype) {
    case snOBJ_PAIR: {
      snsPair* pair = (snsPair*)e->object;
      n = add(refs, n, snOBJ_GEOM, pair->geomname1);
      return add(refs, n, snOBJ_GEOM, pair->geomname2);
    }
    case snOBJ_EXCLUDE: {
      snsExclude* exclude = (snsExclude*)e->object;
      n = add(refs, n, snOBJ_BODY, exclude->bodyname1);
      return add(refs, n, snOBJ_BODY, exclude->bodyname2);
    }
    case snOBJ_EQUALITY: {
      snsEquality* eq = (snsEquality*)e->object;
      snObj type = sn_equalityObject(eq->type, eq->objtype);
      n = add(refs, n, type, eq->name1);
      return add(refs, n, type, eq->name2);
    }
    case snOBJ_ACTUATOR: {
      snsActuator* actuator = (snsActuator*)e->object;
      n = add(refs, n, sn_transmissionObject(actuator->trntype), actuator->target);
      n = add(refs, n, snOBJ_SITE, actuator->slidersite);
      return add(refs, n, snOBJ_SITE, actuator->refsite);
    }
    case snOBJ_SENSOR: {
      snsSensor* sensor = (snsSensor*)e->object;
      n = add(refs, n, sensor->objtype, sensor->objname);
      return add(refs, n, sensor->reftype, sensor->refname);
    }
    case snOBJ_UNKNOWN: {
      snWrapObject* wrap = (snWrapObject*)e->object;
      if (wrap->wrap.type == snWRAP_PULLEY) return 0;
      snObj type = wrap->wrap.type == snWRAP_JOINT  ? snOBJ_JOINT
                   : wrap->wrap.type == snWRAP_SITE ? snOBJ_SITE
                                                    : snOBJ_GEOM;
      n = add(refs, n, type, wrap->target);
      return add(refs, n, snOBJ_SITE, wrap->sidesite);
    }
    default: return 0;
  }
}

// whether everything that an element outside of the tree names exists, or had that name
static int resolves(const snElem* e) {
  snRef refs[snMAXREF];
  int n = sn_elemRefs(e, refs);
  for (int i = 0; i < n; i++) {
    const char* name = sns_getString(refs[i].name);
    if (!sn_findName(e->spec, refs[i].type, name) && !sn_wasName(e->spec, refs[i].type, name))
      return 0;
  }
  if (e->head.elemtype == snOBJ_TENDON) {
    SN_EACH(wrap, sn_wrapList(e)) {
      if (!resolves(wrap)) return 0;
    }
  }
  return 1;
}

// ---- deletion ----

// kinds that disappear together with the body that they refer to
static const snObj kFollowers[] = {snOBJ_PAIR,     snOBJ_EXCLUDE,  snOBJ_TENDON,
                                   snOBJ_EQUALITY, snOBJ_ACTUATOR, snOBJ_SENSOR};
enum { NFOLLOWER = sizeof(kFollowers) / sizeof(kFollowers[0]) };

void sn_elemUnlink(snElem* e) {
  SN_ASSERT(e != sn_world(e->spec) && e != sn_specData(e->spec)->main);
  snElemList* list = sn_listOf(e);
  if (list) sn_listRemove(list, e);
  if (list && e->id >= 0 && !sn_isTreeType(e->head.elemtype)) {
    SN_EACH(other, list) other->id -= other->id > e->id;
  }
  if (e->head.elemtype == snOBJ_ACTUATOR) sn_keysForget(e->spec, e);
  sn_elemFree(e);
}

// Elements that resolved before and do not any more. One that names a tendon goes with the tendon,
// so kinds are visited until nothing changes.
static void deleteBody(snElem* body) {
  SN_ASSERT(body->head.elemtype == snOBJ_BODY && body->parent);
  snSpec* spec = body->spec;
  static char mark;
  for (int k = 0; k < NFOLLOWER; k++) {
    SN_EACH(e, sn_specList(spec, kFollowers[k])) e->scratch = resolves(e) ? &mark : NULL;
  }
  sn_namesSettle(spec);
  sn_keysForget(spec, body);
  sn_elemUnlink(body);
  for (int changed = 1; changed;) {
    changed = 0;
    for (int k = 0; k < NFOLLOWER; k++) {
      snElem* next;
      for (snElem* e = sn_specList(spec, kFollowers[k])->first; e; e = next) {
        next = e->next;
        if (!e->scratch || resolves(e)) continue;
        sn_elemUnlink(e);
        changed = 1;
      }
    }
  }
  for (int k = 0; k < NFOLLOWER; k++) {
    SN_EACH(e, sn_specList(spec, kFollowers[k])) e->scratch = NULL;
  }
}

// move the members of a frame to its enclosing frame
static void dissolveFrame(snElem* frame) {
  SN_ASSERT(frame->head.elemtype == snOBJ_FRAME && frame->parent);
  static const snObj types[] = {snOBJ_BODY, snOBJ_FRAME,  snOBJ_JOINT, snOBJ_GEOM,
                                snOBJ_SITE, snOBJ_CAMERA, snOBJ_LIGHT};
  for (int k = 0; k < 7; k++) {
    SN_EACH(e, sn_bodyList(frame->parent, types[k])) {
      if (e->frame == frame) e->frame = frame->frame;
    }
  }
}

static void leaveClass(const snElemList* list, const snElem* def) {
  SN_EACH(e, list) {
    if (e->def && sn_isBelow(e->def, def)) e->def = def->parent;
  }
}

// Elements made from a class, or from one nested in it, keep their values and go to the class above it.
static void dissolveClass(snElem* def) {
  SN_ASSERT(def->head.elemtype == snOBJ_DEFAULT && def->parent);
  snSpec* spec = def->spec;
  for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    if (body->def && sn_isBelow(body->def, def)) body->def = def->parent;
    for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) leaveClass(body->lists + k, def);
  }
  for (int type = 0; type < snNLIST; type++) leaveClass(sn_specData(spec)->lists + type, def);
}

void sn_elemDelete(snElem* e) {
  switch (e->head.elemtype) {
    case snOBJ_BODY: deleteBody(e); return;
    case snOBJ_FRAME: dissolveFrame(e); break;
    case snOBJ_DEFAULT: dissolveClass(e); break;
    case snOBJ_JOINT: sn_keysForget(e->spec, e); break;
    default: break;
  }
  sn_elemUnlink(e);
}

// ---- plugin instances that nothing refers to ----

static void markInstance(const snElem* e, void* mark) {
  const snsPlugin* plugin = sn_elemPlugin(e);
  if (!plugin || !plugin->active) return;
  const char* name = sns_getString(plugin->name);
  snElem* instance = *name             ? sn_findName(e->spec, snOBJ_PLUGIN, name)
                     : plugin->element ? sn_elem(plugin->element)
                                       : NULL;
  if (instance) instance->scratch = mark;
}

// After a body went: all of them; after another element: those without a name, that were its own.
static void dropInstances(snSpec* spec, int named) {
  static char mark;
  snElemList* list = sn_specList(spec, snOBJ_PLUGIN);
  if (!list->first) return;
  for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    markInstance(body, &mark);
    SN_EACH(e, sn_bodyList(body, snOBJ_GEOM)) markInstance(e, &mark);
  }
  static const snObj kinds[] = {snOBJ_MESH, snOBJ_ACTUATOR, snOBJ_SENSOR};
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    SN_EACH(e, sn_specList(spec, kinds[k])) markInstance(e, &mark);
  }
  for (snElem *e = list->first, *next; e; e = next) {
    next = e->next;
    int used = e->scratch != NULL;
    e->scratch = NULL;
    if (!used && (named || sn_stringEmpty(&e->name))) sn_elemUnlink(e);
  }
}

int sns_delete(snSpec* spec, snsElement* element) {
  if (!spec) return -1;
  if (!element) {
    sn_specError(spec, 0, "Error: Element is null.");
    return -1;
  }
  snElem* e = sn_elem(element);
  const snSpecData* data = sn_specData(spec);
  if (e->spec != spec) {
    sn_specError(spec, 0, "element does not belong to this spec");
    return -1;
  }
  if (e == data->world || e == data->main || e->head.elemtype == snOBJ_MODEL ||
      (e->head.elemtype != snOBJ_DEFAULT && e->parent &&
       e->parent->head.elemtype == snOBJ_DEFAULT)) {
    sn_specError(spec, 0, "Error: %s",
                 e == data->main    ? "cannot remove the global default ('main')"
                 : e == data->world ? "world body cannot be deleted"
                                    : "element cannot be deleted");
    return -1;
  }
  // keyframes keep the values of what is left
  snObj type = e->head.elemtype;
  if (type == snOBJ_BODY && !sn_keysCut(spec)) return -1;
  sn_elemDelete(e);
  if (type != snOBJ_PLUGIN) dropInstances(spec, type == snOBJ_BODY);
  sn_namesSettle(spec);
  sn_specNumber(spec);
  return 0;
}
