// Items of all elements, and the way from names to items.

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "compile/deform.h"
#include "compile/flex.h"

// text that a program attached to an element: the last member of every public struct
static const char* infoOf(const snElem* elem) {
  const snKind* kind = sn_kind(elem->head.elemtype);
  int last = -1;
  for (int i = 0; kind && i < kind->nowned; i++) {
    if (last < 0 || kind->owned[i].offset > kind->owned[last].offset) last = i;
  }
  if (last < 0 || kind->owned[last].kind != snBOX_STRING) return "";
  const char* text = sns_getString((const snString*)(elem->boxes + last));
  return text ? text : "";
}

// A reference that was looked for and not found, and that the message is about: the nearest name of that type,
// or the type that has an element of that name.
static void hintReference(const snCompiler* c, const char* message, char* hint, size_t size) {
  char quoted[200];
  const char* name = c->missing_name;
  if (!*name) return;
  snprintf(quoted, sizeof(quoted), "'%s'", name);
  if (!strstr(message, quoted)) return;
  const char* wanted = sn_typeName(c->missing_type);
  if (sn_findName(c->spec, c->missing_type, name)) {
    snprintf(hint, size, "\n%s '%s' was removed by fusestatic or discardvisual", wanted, name);
    return;
  }
  snSuggestion s = sn_suggestFor(name);
  sn_offerNames(&s, c->spec, c->missing_type);
  if (s.best) {
    snprintf(hint, size, "\ndid you mean %s '%.100s'?", wanted, s.best);
    return;
  }
  for (int type = snOBJ_UNKNOWN + 1; type < snNOBJECT; type++) {
    if (!sn_findName(c->spec, (snObj)type, name)) continue;
    snprintf(hint, size, "\nthere is a %s '%s', but no %s of that name", sn_typeName((snObj)type),
             name, wanted);
    return;
  }
}

// What to do about mistakes whose message in MuJoCo's words does not say it.
static const char* adviceFor(const char* message) {
  static const struct Advice_ {
    const char *words, *advice;
  } ADVICE[] = {
      {"mass and inertia of moving bodies",
       "a body with joints needs a geom that has mass, or an <inertial> with mass and inertia"},
      {"plane size(3)",
       "size of a plane: half its length and width, 0 for infinite, and the spacing of its grid"},
      {"must be positive in geom",
       "size of a sphere: radius; of a capsule or cylinder: radius and half length, or the radius "
       "with fromto; of an ellipsoid: three radii; of a box: half its three edges"},
      {"valid meshid", "mesh=\"...\" gives the name of a <mesh> of <asset>"},
      {"valid hfieldid", "hfield=\"...\" gives the name of an <hfield> of <asset>"},
      {"free joint can only be used", "the body has to stand in <worldbody>, not in another body"},
      {"missing transmission target", "joint=\"...\", or tendon, site, body: what it drives"},
  };
  for (size_t i = 0; i < sizeof(ADVICE) / sizeof(ADVICE[0]); i++) {
    if (strstr(message, ADVICE[i].words)) return ADVICE[i].advice;
  }
  return NULL;
}

// the message with the place of an element behind it: its name, id, line and file
static int failAt(snCompiler* c, const snElem* elem, const char* name, int id, const char* info,
                  int has_line, const char* message) {
  char hint[300] = "", place[200] = "", file[200] = "";
  if (!sn_plainMessages()) {
    const char* advice = adviceFor(message);
    hintReference(c, message, hint, sizeof(hint));
    if (advice && !*hint) snprintf(hint, sizeof(hint), "\n%s", advice);
  }
  // where it comes from: what the program says, else the place in the file
  int line = sn_plainMessages() && elem->included ? 0 : elem->line;
  if (elem->line && has_line) snprintf(place, sizeof(place), ", line %d", line);
  // the line of a class is that of what a program makes from it
  int own = info[0] && (!elem->line || strncmp(info, "line ", 5));
  if (own) snprintf(place, sizeof(place), ", %.150s", info);
  if (elem->file && elem->file[0] && !sn_plainMessages())
    snprintf(file, sizeof(file), ", file '%.150s'", elem->file);
  sn_specError(c->spec, 0, "Error: %s\nElement name '%.100s', id %d%s%s%s", message, name, id,
               place, file, hint);
  return -1;
}

int sn_itemError(snCompiler* c, const snElem* elem, const char* format, ...) {
  char message[600];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  if (elem) return failAt(c, elem, sn_elemName(elem), elem->id, infoOf(elem), 1, message);
  sn_specError(c->spec, 0, "Error: %s", message);
  return -1;
}

int sn_wrapError(snCompiler* c, const snElem* elem, int index, const char* format, ...) {
  char message[600];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  const snWrapObject* wrap = (const snWrapObject*)elem->object;
  return failAt(c, elem, sns_getString(wrap->target), index, sns_getString(wrap->wrap.info), 1,
                message);
}

int sn_keyError(snCompiler* c, const snElem* elem, const char* format, ...) {
  char message[600];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  return failAt(c, elem, sn_elemName(elem), elem->id, infoOf(elem), !sn_plainMessages(), message);
}

void* sn_compilerTake(snCompiler* c, size_t count, size_t size) {
  void* memory = sn_poolTake(&c->pool, count, size);
  if (!memory) sn_itemError(c, NULL, "could not allocate memory");
  return memory;
}

// one item per element of a list outside of the tree, in document order
#define MAKE_ITEMS(items, count, type, objtype)             \
  do {                                                      \
    const snElemList* list = sn_specList(c->spec, objtype); \
    count = list->size;                                     \
    items = SN_ITEMS(c, type, list->size);                  \
    if (!items) return -1;                                  \
    int next = 0;                                           \
    SN_EACH(e, list) {                                      \
      type* item = items + next;                            \
      item->elem = e;                                       \
      e->id = next++;                                       \
      e->scratch = item;                                    \
    }                                                       \
  } while (0)

// the same with a copy of the attributes
#define MAKE_COPIES(items, count, type, objtype)                            \
  do {                                                                      \
    MAKE_ITEMS(items, count, type, objtype);                                \
    for (int i = 0; i < count; i++) {                                       \
      memcpy(&items[i].spec, items[i].elem->object, sizeof(items[i].spec)); \
    }                                                                       \
  } while (0)

static int makeAssetItems(snCompiler* c) {
  MAKE_COPIES(c->meshes, c->nmesh, snMeshItem, snOBJ_MESH);
  MAKE_COPIES(c->hfields, c->nhfield, snHFieldItem, snOBJ_HFIELD);
  MAKE_COPIES(c->textures, c->ntex, snTextureItem, snOBJ_TEXTURE);
  MAKE_COPIES(c->skins, c->nskin, snSkinItem, snOBJ_SKIN);
  MAKE_COPIES(c->flexes, c->nflex, snFlexItem, snOBJ_FLEX);
  MAKE_COPIES(c->deformables, c->ndeformable, snDeformItem, snOBJ_DEFORMABLE);
  MAKE_COPIES(c->materials, c->nmat, snMaterialItem, snOBJ_MATERIAL);
  for (int i = 0; i < c->nmesh; i++) c->meshes[i].id = i;
  return 0;
}

// Keyframes: those of the model itself, completed to size/nkey by empty ones, then those that stayed
// with their elements while the model was put together.
static int makeKeys(snCompiler* c) {
  const snElemList* list = sn_specList(c->spec, snOBJ_KEY);
  int own = 0, next[2] = {0, 0};
  SN_EACH(e, list) own += !((const snKeyObject*)e->object)->stored;
  next[1] = c->spec->nkey > own ? c->spec->nkey : own;
  const int most = 1000000;
  if (next[1] > most) return sn_itemError(c, NULL, "nkey is too large");
  c->nkey = next[1] + list->size - own;
  c->keys = SN_ITEMS(c, snPlainItem, c->nkey);
  if (!c->keys) return -1;
  SN_EACH(e, list) {
    int at = next[((const snKeyObject*)e->object)->stored != 0]++;
    c->keys[at].elem = e;
    e->id = at;
    e->scratch = c->keys + at;
  }
  SN_ASSERT(next[0] == own && next[1] == c->nkey);
  return 0;
}

static int makeOtherItems(snCompiler* c) {
  MAKE_COPIES(c->pairs, c->npair, snPairItem, snOBJ_PAIR);
  MAKE_ITEMS(c->excludes, c->nexclude, snExcludeItem, snOBJ_EXCLUDE);
  MAKE_COPIES(c->equalities, c->neq, snEqualityItem, snOBJ_EQUALITY);
  MAKE_COPIES(c->tendons, c->ntendon, snTendonItem, snOBJ_TENDON);
  MAKE_COPIES(c->actuators, c->nu, snActuatorItem, snOBJ_ACTUATOR);
  MAKE_COPIES(c->sensors, c->nsensor, snSensorItem, snOBJ_SENSOR);
  MAKE_ITEMS(c->numerics, c->nnumeric, snPlainItem, snOBJ_NUMERIC);
  MAKE_ITEMS(c->texts, c->ntext, snPlainItem, snOBJ_TEXT);
  MAKE_ITEMS(c->tuples, c->ntuple, snPlainItem, snOBJ_TUPLE);
  SN_TRY(makeKeys(c));
  for (int i = 0; i < c->ntendon; i++) c->tendons[i].id = i;
  for (int i = 0; i < c->nu; i++) c->actuators[i].id = i;
  return 0;
}

// items of the children of a body that are of one type, linked in document order
#define MAKE_CHILDREN(first, type, objtype)               \
  do {                                                    \
    type* last = NULL;                                    \
    SN_EACH(e, sn_bodyList(body->elem, objtype)) {        \
      type* item = SN_ITEMS(c, type, 1);                  \
      if (!item) return -1;                               \
      item->elem = e;                                     \
      memcpy(&item->spec, e->object, sizeof(item->spec)); \
      item->body = body;                                  \
      e->scratch = item;                                  \
      *(last ? &last->next : &first) = item;              \
      last = item;                                        \
    }                                                     \
  } while (0)

static int makeChildren(snCompiler* c, snBodyItem* body) {
  MAKE_CHILDREN(body->joints, snJointItem, snOBJ_JOINT);
  MAKE_CHILDREN(body->geoms, snGeomItem, snOBJ_GEOM);
  MAKE_CHILDREN(body->sites, snSiteItem, snOBJ_SITE);
  MAKE_CHILDREN(body->cameras, snCameraItem, snOBJ_CAMERA);
  MAKE_CHILDREN(body->lights, snLightItem, snOBJ_LIGHT);
  for (snGeomItem* geom = body->geoms; geom; geom = geom->next) {
    body->lastgeom = geom;
    geom->matid = -1;
  }
  for (snSiteItem* site = body->sites; site; site = site->next) body->lastsite = site;
  for (snCameraItem* cam = body->cameras; cam; cam = cam->next) body->lastcamera = cam;
  for (snLightItem* light = body->lights; light; light = light->next) body->lastlight = light;
  for (snJointItem* joint = body->joints; joint; joint = joint->next) body->njoint++;
  return 0;
}

static int makeBodies(snCompiler* c) {
  snSize count = sn_specList(c->spec, snOBJ_FLEX)->size;
  for (snElem* e = sn_world(c->spec); e; e = sn_nextBody(e)) {
    if (++count >= 65534) return sn_itemError(c, e, "too many bodies in the model");
    snBodyItem* body = SN_ITEMS(c, snBodyItem, 1);
    if (!body) return -1;
    body->elem = e;
    memcpy(&body->spec, e->object, sizeof(body->spec));
    e->scratch = body;
    if (e->parent) {
      snBodyItem* parent = (snBodyItem*)e->parent->scratch;
      SN_ASSERT(parent && parent->elem == e->parent);  // parents come first
      body->parent = parent;
      body->prev = parent->lastchild;
      *(parent->lastchild ? &parent->lastchild->next : &parent->firstchild) = body;
      parent->lastchild = body;
    }
    SN_TRY(makeChildren(c, body));
  }
  return 0;
}

int sn_makeItems(snCompiler* c) {
  SN_TRY(makeBodies(c));
  SN_TRY(makeAssetItems(c));
  SN_TRY(makeOtherItems(c));
  return sn_numberTree(c);
}

// items are gone after compilation: elements must not point to them
void sn_clearItems(snCompiler* c) {
  static const snObj tree[] = {snOBJ_JOINT,  snOBJ_GEOM,  snOBJ_SITE,
                               snOBJ_CAMERA, snOBJ_LIGHT, snOBJ_FRAME};
  for (snElem* body = sn_world(c->spec); body; body = sn_nextBody(body)) {
    body->scratch = NULL;
    for (size_t k = 0; k < sizeof(tree) / sizeof(tree[0]); k++) {
      SN_EACH(e, sn_bodyList(body, tree[k])) e->scratch = NULL;
    }
  }
  for (int type = 0; type < snNLIST; type++) {
    const snElemList* list = sn_specList(c->spec, sn_listType(type));
    if (!list) continue;
    SN_EACH(e, list) e->scratch = NULL;
  }
}

int sn_itemId(snObj type, const void* item) {
  if (!item) return -1;
  switch (type) {
    case snOBJ_BODY:
    case snOBJ_XBODY: return ((const snBodyItem*)item)->id;
    case snOBJ_JOINT: return ((const snJointItem*)item)->id;
    case snOBJ_GEOM: return ((const snGeomItem*)item)->id;
    case snOBJ_SITE: return ((const snSiteItem*)item)->id;
    case snOBJ_CAMERA: return ((const snCameraItem*)item)->id;
    case snOBJ_LIGHT: return ((const snLightItem*)item)->id;
    case snOBJ_MESH: return ((const snMeshItem*)item)->id;
    default: return ((const snPlainItem*)item)->elem->id;  // every item begins with its element
  }
}

void* sn_findItem(snCompiler* c, snObj type, const char* name) {
  if (!name || !*name) return NULL;
  const snElem* e = sn_findName(c->spec, type == snOBJ_XBODY ? snOBJ_BODY : type, name);
  if (!e || !e->scratch || sn_itemId(type, e->scratch) < 0) {
    c->missing_type = type;
    snprintf(c->missing_name, sizeof(c->missing_name), "%s", name);
    return NULL;
  }
  if (type == snOBJ_GEOM) {
    int first = ((const snGeomItem*)e->scratch)->firstid;
    SN_ASSERT_INDEX(first, c->ngeom);
    return c->geoms[first];
  }
  if (type == snOBJ_SITE) {
    int first = ((const snSiteItem*)e->scratch)->firstid;
    SN_ASSERT_INDEX(first, c->nsite);
    return c->sites[first];
  }
  return e->scratch;
}
