// Adding elements to a spec.

#include <string.h>

#include "base/assert.h"
#include "sinew/deformable.h"
#include "spec/element.h"

static snElem* mainClass(const snSpec* spec) { return sn_specData(spec)->main; }

// class that a body gives to its children
static snElem* childClass(const snElem* body) {
  snElem* def =
      sn_findName(body->spec, snOBJ_DEFAULT, sns_getString(((snsBody*)body->object)->childclass));
  return def ? def : mainClass(body->spec);
}

static snElem* newFromClass(snSpec* spec, snObj type, snElem* def) {
  SN_ASSERT(!def || def->head.elemtype == snOBJ_DEFAULT);
  snElem* e = sn_elemNew(spec, type);
  if (!e) return NULL;
  snElem* dummy = sn_classDummy(def, type);
  e->def = def;
  if (dummy && !sn_elemAssign(e, dummy)) {
    sn_elemFree(e);
    return NULL;
  }
  return e;
}

// add to a body; a NULL class is the class that the body gives to its children
static void* addToBody(snsBody* body, snObj type, const snsDefault* def) {
  if (!body) return NULL;
  snElem* parent = sn_elem(body->element);
  SN_ASSERT(parent->head.elemtype == snOBJ_BODY && sn_isTreeType(type));
  snElem* e = newFromClass(parent->spec, type, def ? sn_elem(def->element) : childClass(parent));
  if (!e) return NULL;
  e->parent = parent;
  e->origin = parent->origin;
  sn_listInsert(sn_bodyList(parent, type), e, NULL);
  sn_specUnnumber(parent->spec);
  return e->object;
}

// add outside of the tree; a NULL class is the main class
static void* addToSpec(snSpec* spec, snObj type, const snsDefault* def) {
  if (!spec) return NULL;
  snElem* e = newFromClass(spec, type, def ? sn_elem(def->element) : mainClass(spec));
  if (!e) return NULL;
  snElemList* list = sn_specList(spec, type);
  SN_ASSERT(list);
  e->id = list->size;
  sn_listInsert(list, e, NULL);
  return e->object;
}

// ---- tree elements ----

snsBody* sns_addBody(snsBody* body, const snsDefault* def) {
  snsBody* child = (snsBody*)addToBody(body, snOBJ_BODY, def);
  if (child) sns_setString(child->childclass, sn_elemName(sn_elem(child->element)->def));
  return child;
}

snsFrame* sns_addFrame(snsBody* body, snsFrame* parentframe) {
  snsFrame* frame = (snsFrame*)addToBody(body, snOBJ_FRAME, NULL);
  if (frame && parentframe) sn_elem(frame->element)->frame = sn_elem(parentframe->element);
  return frame;
}

snsSite* sns_addSite(snsBody* body, const snsDefault* def) {
  return (snsSite*)addToBody(body, snOBJ_SITE, def);
}

snsJoint* sns_addJoint(snsBody* body, const snsDefault* def) {
  return (snsJoint*)addToBody(body, snOBJ_JOINT, def);
}

// a free joint takes nothing from the classes
snsJoint* sns_addFreeJoint(snsBody* body) {
  if (!body) return NULL;
  snElem* parent = sn_elem(body->element);
  snElem* e = sn_elemNew(parent->spec, snOBJ_JOINT);
  if (!e) return NULL;
  e->parent = parent;
  e->origin = parent->origin;
  e->def = mainClass(parent->spec);
  sn_listInsert(sn_bodyList(parent, snOBJ_JOINT), e, NULL);
  sn_specUnnumber(parent->spec);
  snsJoint* joint = (snsJoint*)e->object;
  joint->type = snJNT_FREE;
  return joint;
}

snsGeom* sns_addGeom(snsBody* body, const snsDefault* def) {
  return (snsGeom*)addToBody(body, snOBJ_GEOM, def);
}

snsCamera* sns_addCamera(snsBody* body, const snsDefault* def) {
  return (snsCamera*)addToBody(body, snOBJ_CAMERA, def);
}

snsLight* sns_addLight(snsBody* body, const snsDefault* def) {
  return (snsLight*)addToBody(body, snOBJ_LIGHT, def);
}

// ---- non-tree elements ----

#define ADD(Name, TYPE) \
  sns##Name* sns_add##Name(snSpec* s) { return (sns##Name*)addToSpec(s, snOBJ_##TYPE, NULL); }
#define ADD_CLASS(Name, TYPE)                                  \
  sns##Name* sns_add##Name(snSpec* s, const snsDefault* def) { \
    return (sns##Name*)addToSpec(s, snOBJ_##TYPE, def);        \
  }

ADD_CLASS(Actuator, ACTUATOR)
ADD_CLASS(Pair, PAIR)
ADD_CLASS(Equality, EQUALITY)
ADD_CLASS(Tendon, TENDON)
ADD_CLASS(Mesh, MESH)
ADD_CLASS(Material, MATERIAL)
ADD(Sensor, SENSOR)
ADD(Flex, FLEX)
ADD(Exclude, EXCLUDE)
ADD(Numeric, NUMERIC)
ADD(Text, TEXT)
ADD(Tuple, TUPLE)
ADD(Key, KEY)
ADD(HField, HFIELD)
ADD(Skin, SKIN)
ADD(Texture, TEXTURE)
ADD(Plugin, PLUGIN)
ADD(Deformable, DEFORMABLE)

snsDefault* sns_addDefault(snSpec* s, const char* classname, const snsDefault* parent) {
  if (!s || !classname || sn_findName(s, snOBJ_DEFAULT, classname)) return NULL;
  snElem* above = parent ? sn_elem(parent->element) : mainClass(s);
  snElem* e = sn_elemNew(s, snOBJ_DEFAULT);
  if (!e) return NULL;
  sns_setString(&e->name, classname);
  if ((above && !sn_elemAssign(e, above)) || !sn_nameAdd(e)) {
    sn_elemFree(e);
    return NULL;
  }
  if (above) {
    e->parent = above;
    sn_listInsert(above->lists, e, NULL);
  }
  return (snsDefault*)e->object;
}

// ---- path of a tendon ----

static snsWrap* addWrap(snsTendon* tendon, snWrap type, const char* target, const char* side,
                        double prm) {
  if (!tendon) return NULL;
  snElem* parent = sn_elem(tendon->element);
  SN_ASSERT(parent->head.elemtype == snOBJ_TENDON && parent->lists);
  snElem* e = sn_elemNew(parent->spec, snOBJ_UNKNOWN);
  if (!e) return NULL;
  snWrapObject* wrap = (snWrapObject*)e->object;
  wrap->wrap.type = type;
  wrap->prm = prm;
  sns_setString(wrap->target, target);
  sns_setString(wrap->sidesite, side);
  e->parent = parent;
  e->origin = parent->origin;
  sn_listInsert(parent->lists, e, NULL);
  return &wrap->wrap;
}

snsWrap* sns_wrapSite(snsTendon* tendon, const char* name) {
  return addWrap(tendon, snWRAP_SITE, name, NULL, 0);
}

// sphere or cylinder: known when the model is compiled
snsWrap* sns_wrapGeom(snsTendon* tendon, const char* name, const char* sidesite) {
  return addWrap(tendon, snWRAP_SPHERE, name, sidesite, 0);
}

snsWrap* sns_wrapJoint(snsTendon* tendon, const char* name, double coef) {
  return addWrap(tendon, snWRAP_JOINT, name, NULL, coef);
}

snsWrap* sns_wrapPulley(snsTendon* tendon, double divisor) {
  return addWrap(tendon, snWRAP_PULLEY, NULL, NULL, divisor);
}
