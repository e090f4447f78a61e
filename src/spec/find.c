// Finding elements, going through them, reading and setting what every element has.

#include <string.h>

#include "sinew/deformable.h"
#include "spec/element.h"

// ---- casts ----

#define CAST(Name, TYPE)                                                                       \
  sns##Name* sns_as##Name(snsElement* element) {                                               \
    return element && element->elemtype == snOBJ_##TYPE ? (sns##Name*)sn_elem(element)->object \
                                                        : NULL;                                \
  }

CAST(Body, BODY)
CAST(Geom, GEOM)
CAST(Joint, JOINT)
CAST(Site, SITE)
CAST(Camera, CAMERA)
CAST(Light, LIGHT)
CAST(Frame, FRAME)
CAST(Actuator, ACTUATOR)
CAST(Sensor, SENSOR)
CAST(Flex, FLEX)
CAST(Deformable, DEFORMABLE)
CAST(Pair, PAIR)
CAST(Equality, EQUALITY)
CAST(Exclude, EXCLUDE)
CAST(Tendon, TENDON)
CAST(Numeric, NUMERIC)
CAST(Text, TEXT)
CAST(Tuple, TUPLE)
CAST(Key, KEY)
CAST(Mesh, MESH)
CAST(HField, HFIELD)
CAST(Skin, SKIN)
CAST(Texture, TEXTURE)
CAST(Material, MATERIAL)
CAST(Plugin, PLUGIN)

static snsElement* publicView(snElem* e) { return e ? &e->head : NULL; }

// Keyframes that came with an attachment, or that a deletion has cut, are not seen until the next compilation.
static int isPending(const snElem* e) {
  return e->head.elemtype == snOBJ_KEY && ((const snKeyObject*)e->object)->stored == 2;
}

static snsElement* firstSettled(snElem* e) {
  while (e && isPending(e)) e = e->next;
  return publicView(e);
}

// ---- by name ----

// elements of an absorbed spec are looked for where they are now
snsElement* sns_findElement(snSpec* s, snObj type, const char* name) {
  snElem* e = NULL;
  for (; s && !e; s = sn_specData(s)->absorber) e = sn_findName(s, type, name);
  return e && isPending(e) ? NULL : publicView(e);
}

snsBody* sns_findBody(snSpec* s, const char* name) {
  return sns_asBody(sns_findElement(s, snOBJ_BODY, name));
}

snsFrame* sns_findFrame(snSpec* s, const char* name) {
  return sns_asFrame(sns_findElement(s, snOBJ_FRAME, name));
}

snsDefault* sns_findDefault(snSpec* s, const char* classname) {
  snElem* e = s ? sn_findName(s, snOBJ_DEFAULT, classname) : NULL;
  return e ? (snsDefault*)e->object : NULL;
}

snSpec* sns_findSpec(snSpec* spec, const char* name) {
  snSpecData* data = spec ? sn_specData(spec) : NULL;
  for (int i = 0; data && i < data->nchild; i++) {
    if (sn_stringIs(data->models->data + i, name)) return data->children[i];
  }
  for (int i = 0; data && i < data->nabsorbed; i++) {
    if (sn_stringIs(data->absorbed[i]->modelname, name)) return data->absorbed[i];
  }
  return NULL;
}

snsBody* sns_findChild(snsBody* body, const char* name) {
  if (!body || !name) return NULL;
  snElem* root = sn_elem(body->element);
  snElem* e = sn_findName(root->spec, snOBJ_BODY, name);
  return e && sn_isBelow(e, root) ? (snsBody*)e->object : NULL;
}

// ---- relations ----

snSpec* sns_getSpec(snsElement* element) { return element ? sn_elem(element)->spec : NULL; }

snsBody* sns_getParent(snsElement* element) {
  snElem* parent = element ? sn_elem(element)->parent : NULL;
  return parent && parent->head.elemtype == snOBJ_BODY ? (snsBody*)parent->object : NULL;
}

snsFrame* sns_getFrame(snsElement* element) {
  snElem* frame = element ? sn_elem(element)->frame : NULL;
  return frame ? (snsFrame*)frame->object : NULL;
}

snsDefault* sns_getDefault(snsElement* element) {
  if (!element) return NULL;
  snElem* e = sn_elem(element);
  snElem* def = e->head.elemtype == snOBJ_DEFAULT ? e->parent : e->def;
  return def ? (snsDefault*)def->object : NULL;
}

snsDefault* sns_getSpecDefault(snSpec* s) {
  return s ? (snsDefault*)sn_specData(s)->main->object : NULL;
}

int sns_getId(snsElement* element) { return element ? sn_elem(element)->id : -1; }

// ---- going through ----

// first element of a type in a body or, with recurse, in the bodies after it and below root
static snElem* firstFrom(const snElem* body, const snElem* root, snObj type, int recurse) {
  while (body) {
    snElem* e = sn_bodyList(body, type)->first;
    if (e || !recurse) return e;
    snElem* child = sn_bodyList(body, snOBJ_BODY)->first;
    body = child ? child : sn_nextBodySkip(body, root);
  }
  return NULL;
}

// next body below root, depth first
static snElem* nextBelow(const snElem* body, const snElem* root) {
  snElem* child = sn_bodyList(body, snOBJ_BODY)->first;
  return child ? child : sn_nextBodySkip(body, root);
}

snsElement* sns_firstChild(snsBody* body, snObj type, int recurse) {
  if (!body) return NULL;
  if (type == snOBJ_XBODY) type = snOBJ_BODY;
  if (!sn_isTreeType(type)) return NULL;
  snElem* root = sn_elem(body->element);
  if (type == snOBJ_BODY) return publicView(sn_bodyList(root, type)->first);
  return publicView(firstFrom(root, root, type, recurse));
}

snsElement* sns_nextChild(snsBody* body, snsElement* child, int recurse) {
  if (!body || !child || !sn_isTreeType(child->elemtype)) return NULL;
  snElem* root = sn_elem(body->element);
  snElem* e = sn_elem(child);
  if (!recurse) return e->parent == root ? publicView(e->next) : NULL;
  if (child->elemtype == snOBJ_BODY) return publicView(nextBelow(e, root));
  if (e->next) return publicView(e->next);
  snElem* next = e->parent ? nextBelow(e->parent, root) : NULL;
  return publicView(firstFrom(next, root, child->elemtype, 1));
}

snsElement* sns_firstElement(snSpec* s, snObj type) {
  if (!s) return NULL;
  if (type == snOBJ_XBODY) type = snOBJ_BODY;
  if (type == snOBJ_BODY) return publicView(sn_world(s));
  if (type == snOBJ_DEFAULT) return publicView(sn_specData(s)->main);
  if (sn_isTreeType(type)) return publicView(firstFrom(sn_world(s), NULL, type, 1));
  snElemList* list = sn_specList(s, type);
  return list ? firstSettled(list->first) : NULL;
}

snsElement* sns_nextElement(snSpec* s, snsElement* element) {
  if (!s || !element) return NULL;
  snElem* e = sn_elem(element);
  snObj type = element->elemtype;
  if (type == snOBJ_BODY) return publicView(sn_nextBody(e));
  if (type == snOBJ_DEFAULT) return publicView(sn_nextClass(e));
  if (!sn_isTreeType(type) || e->next) return firstSettled(e->next);
  return publicView(firstFrom(sn_nextBody(e->parent), NULL, type, 1));
}

// ---- names and user values ----

snString* sns_getName(snsElement* element) { return element ? &sn_elem(element)->name : NULL; }

int sns_setName(snsElement* element, const char* name) {
  if (!element || !name) return -1;
  snElem* e = sn_elem(element);
  if (e->head.elemtype == snOBJ_MODEL) {
    sns_setString(e->spec->modelname, name);
    return 0;
  }
  sn_nameRemove(e);
  sn_nameWas(e);
  sns_setString(&e->name, name);
  int repeated = sn_findName(e->spec, e->head.elemtype, name) != NULL;
  if (repeated) {
    sn_specError(e->spec, 0, "Error: repeated name '%s' in %s", name,
                 sn_typeName(e->head.elemtype));
  }
  return sn_nameAdd(e) && !repeated ? 0 : -1;
}

static snUserValue** findUser(snElem* e, const char* key) {
  snUserValue** at = &e->user;
  while (*at && strcmp((*at)->key, key)) at = &(*at)->next;
  return at;
}

void sn_freeUserValue(snUserValue* value) {
  if (value->cleanup) value->cleanup(value->data);
  snu_free(value->key);
  snu_free(value);
}

void sns_setUserValue(snsElement* element, const char* key, const void* data) {
  sns_setUserValueWithCleanup(element, key, data, NULL);
}

void sns_setUserValueWithCleanup(snsElement* element, const char* key, const void* data,
                                 void (*cleanup)(const void* data)) {
  if (!element || !key) return;
  snUserValue** at = findUser(sn_elem(element), key);
  if (!*at) {
    snUserValue* value = (snUserValue*)snu_malloc(sizeof(snUserValue));
    char* copy = sn_duplicate(key);
    if (!value || !copy) {
      snu_free(value);
      snu_free(copy);
      return;
    }
    value->key = copy;
    value->cleanup = NULL;
    value->next = NULL;
    *at = value;
  }
  if ((*at)->cleanup) (*at)->cleanup((*at)->data);
  (*at)->data = data;
  (*at)->cleanup = cleanup;
}

const void* sns_getUserValue(snsElement* element, const char* key) {
  if (!element || !key) return NULL;
  snUserValue* value = *findUser(sn_elem(element), key);
  return value ? value->data : NULL;
}

void sns_deleteUserValue(snsElement* element, const char* key) {
  if (!element || !key) return;
  snUserValue** at = findUser(sn_elem(element), key);
  snUserValue* value = *at;
  if (!value) return;
  *at = value->next;
  sn_freeUserValue(value);
}

// ---- path of a tendon ----

int sns_getWrapNum(const snsTendon* tendonspec) {
  return tendonspec ? sn_wrapList(sn_elem(tendonspec->element))->size : 0;
}

snsWrap* sns_getWrap(const snsTendon* tendonspec, int i) {
  if (!tendonspec || i < 0) return NULL;
  snElem* e = sn_wrapList(sn_elem(tendonspec->element))->first;
  while (e && i-- > 0) e = e->next;
  return e ? (snsWrap*)e->object : NULL;
}

snsElement* sns_getWrapTarget(snsWrap* wrap) {
  if (!wrap) return NULL;
  snObj type = wrap->type == snWRAP_JOINT  ? snOBJ_JOINT
               : wrap->type == snWRAP_SITE ? snOBJ_SITE
                                           : snOBJ_GEOM;
  if (wrap->type == snWRAP_PULLEY) return NULL;
  const snWrapObject* object = (const snWrapObject*)wrap;
  return sns_findElement(sn_elem(wrap->element)->spec, type, sns_getString(object->target));
}

snsSite* sns_getWrapSideSite(snsWrap* wrap) {
  if (!wrap) return NULL;
  const snWrapObject* object = (const snWrapObject*)wrap;
  return sns_asSite(
      sns_findElement(sn_elem(wrap->element)->spec, snOBJ_SITE, sns_getString(object->sidesite)));
}

static const char* wrapName(const snsWrap* wrap) {
  return sns_getString(((const snWrapObject*)wrap)->target);
}

double sns_getWrapDivisor(snsWrap* wrap) {
  if (!wrap) return 0;
  if (wrap->type != snWRAP_PULLEY) {
    snu_warning("Querying divisor attribute of non-pulley wrap: %s", wrapName(wrap));
  }
  return wrap->type == snWRAP_PULLEY ? ((const snWrapObject*)wrap)->prm : 1;
}

double sns_getWrapCoef(snsWrap* wrap) {
  if (!wrap) return 0;
  if (wrap->type != snWRAP_JOINT) {
    snu_warning("Querying coef attribute of non-joint wrap: %s", wrapName(wrap));
  }
  return wrap->type == snWRAP_JOINT ? ((const snWrapObject*)wrap)->prm : 1;
}
