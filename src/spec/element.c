// Elements: their blocks, lists and defaults.

#include "spec/element.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "sinew/deformable.h"

// ---- lists ----

static int bodyListIndex(snObj type) {
  switch (type) {
    case snOBJ_BODY: return 0;
    case snOBJ_FRAME: return 1;
    case snOBJ_JOINT: return 2;
    case snOBJ_GEOM: return 3;
    case snOBJ_SITE: return 4;
    case snOBJ_CAMERA: return 5;
    case snOBJ_LIGHT: return 6;
    default: return -1;
  }
}

int sn_isBelow(const snElem* e, const snElem* body) {
  while (e && e != body) e = e->parent;
  return e != NULL;
}

int sn_isTreeType(snObj type) { return bodyListIndex(type) >= 0; }

snElemList* sn_bodyList(const snElem* body, snObj type) {
  int index = bodyListIndex(type);
  return index < 0 || body->head.elemtype != snOBJ_BODY ? NULL : body->lists + index;
}

// wraps (of unknown type) and classes lie in the lists of their parents
static int isInParent(snObj type) { return type == snOBJ_UNKNOWN || type == snOBJ_DEFAULT; }

snElemList* sn_specList(const snSpec* spec, snObj type) {
  if (type == snOBJ_DEFORMABLE) return sn_specData(spec)->lists + snLIST_DEFORMABLE;
  if (!sn_kind(type) || isInParent(type) || sn_isTreeType(type)) return NULL;
  return sn_specData(spec)->lists + type;
}

snElemList* sn_wrapList(const snElem* tendon) { return tendon->lists; }

snElemList* sn_listOf(const snElem* e) {
  snObj type = e->head.elemtype;
  if (isInParent(type)) return e->parent ? e->parent->lists : NULL;
  if (sn_isTreeType(type)) return e->parent ? sn_bodyList(e->parent, type) : NULL;
  return sn_specList(e->spec, type);
}

void sn_listInsert(snElemList* list, snElem* e, snElem* before) {
  SN_ASSERT(!e->next && !e->prev && list->first != e);
  SN_ASSERT(!before || before->head.elemtype == e->head.elemtype);
  SN_ASSERT((list->first == NULL) == (list->size == 0));
  snElem* after = before ? before->prev : list->last;
  e->prev = after;
  e->next = before;
  *(after ? &after->next : &list->first) = e;
  *(before ? &before->prev : &list->last) = e;
  list->size++;
}

void sn_listRemove(snElemList* list, snElem* e) {
  SN_ASSERT(list->size > 0);
  SN_ASSERT(e->prev ? e->prev->next == e : list->first == e);
  SN_ASSERT(e->next ? e->next->prev == e : list->last == e);
  *(e->prev ? &e->prev->next : &list->first) = e->next;
  *(e->next ? &e->next->prev : &list->last) = e->prev;
  e->prev = NULL;
  e->next = NULL;
  list->size--;
}

snElem* sn_nextBodySkip(const snElem* body, const snElem* root) {
  while (body && body != root) {
    if (body->next) return body->next;
    body = body->parent;
  }
  return NULL;
}

snElem* sn_nextBody(const snElem* body) {
  SN_ASSERT(body->head.elemtype == snOBJ_BODY);
  snElem* child = sn_bodyList(body, snOBJ_BODY)->first;
  return child ? child : sn_nextBodySkip(body, NULL);
}

snElem* sn_nextClass(const snElem* def) {
  SN_ASSERT(def->head.elemtype == snOBJ_DEFAULT);
  if (def->lists->first) return def->lists->first;
  while (def && !def->next) def = def->parent;
  return def ? def->next : NULL;
}

static void setIds(snSpec* spec, int number) {
  int count[snNOBJECT] = {0};
  for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    body->id = number ? count[snOBJ_BODY]++ : body->parent ? -1 : 0;
    for (int type = 0; type < snNOBJECT; type++) {
      if (!sn_isTreeType((snObj)type) || type == snOBJ_BODY) continue;
      SN_EACH(e, sn_bodyList(body, (snObj)type)) e->id = number ? count[type]++ : -1;
    }
  }
  sn_specData(spec)->numbered = (snByte)number;
}

void sn_specNumber(snSpec* spec) { setIds(spec, 1); }

void sn_specUnnumber(snSpec* spec) {
  if (sn_specData(spec)->numbered) setIds(spec, 0);
}

void sn_specBuilt(snSpec* spec) {
  for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    body->built = body->id;
    for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) {
      SN_EACH(e, body->lists + k) e->built = e->id;
    }
  }
  for (int type = 0; type < snNLIST; type++) {
    SN_EACH(e, sn_specData(spec)->lists + type) e->built = e->id;
  }
}

// ---- life ----

static void defaultObject(snObj type, void* object) {
  switch (type) {
    case snOBJ_BODY: sns_defaultBody((snsBody*)object); break;
    case snOBJ_FRAME: sns_defaultFrame((snsFrame*)object); break;
    case snOBJ_JOINT: sns_defaultJoint((snsJoint*)object); break;
    case snOBJ_GEOM: sns_defaultGeom((snsGeom*)object); break;
    case snOBJ_SITE: sns_defaultSite((snsSite*)object); break;
    case snOBJ_CAMERA: sns_defaultCamera((snsCamera*)object); break;
    case snOBJ_LIGHT: sns_defaultLight((snsLight*)object); break;
    case snOBJ_FLEX: sns_defaultFlex((snsFlex*)object); break;
    case snOBJ_MESH: sns_defaultMesh((snsMesh*)object); break;
    case snOBJ_DEFORMABLE: sns_defaultDeformable((snsDeformable*)object); break;
    case snOBJ_SKIN: sns_defaultSkin((snsSkin*)object); break;
    case snOBJ_TEXTURE: sns_defaultTexture((snsTexture*)object); break;
    case snOBJ_MATERIAL: sns_defaultMaterial((snsMaterial*)object); break;
    case snOBJ_PAIR: sns_defaultPair((snsPair*)object); break;
    case snOBJ_EQUALITY: sns_defaultEquality((snsEquality*)object); break;
    case snOBJ_TENDON: sns_defaultTendon((snsTendon*)object); break;
    case snOBJ_ACTUATOR: sns_defaultActuator((snsActuator*)object); break;
    case snOBJ_SENSOR: sns_defaultSensor((snsSensor*)object); break;
    default:  // the others are zero
      break;
  }
}

// point the public struct to the element's own header and containers
static void bind(snElem* e, const snKind* kind) {
  SN_ASSERT(e->object && e->boxes);
  *(snsElement**)e->object = &e->head;
  for (int i = 0; i < kind->nowned; i++) {
    *(snBox**)((char*)e->object + kind->owned[i].offset) = e->boxes + i;
  }
}

static size_t roundUp(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

// set the parts of a block of which the header is in place; returns the size of the block
static size_t layOut(snElem* e, const snKind* kind) {
  size_t object = roundUp(sizeof(snElem));
  size_t boxes = object + roundUp((size_t)kind->size);
  size_t lists = boxes + roundUp((size_t)kind->nowned * sizeof(snBox));
  if (e) {
    e->object = (char*)e + object;
    e->boxes = (snBox*)((char*)e + boxes);
    e->lists = kind->nlist ? (snElemList*)((char*)e + lists) : NULL;
  }
  return lists + (size_t)kind->nlist * sizeof(snElemList);
}

static snElem* newBlock(snSpec* spec, snObj type) {
  const snKind* kind = sn_kind(type);
  if (!kind) return NULL;
  size_t bytes = layOut(NULL, kind);
  snElem* e = (snElem*)snu_malloc(bytes);
  if (!e) return NULL;
  memset(e, 0, bytes);
  e->head.elemtype = type;
  e->spec = spec;
  layOut(e, kind);
  e->id = e->built = -1;
  e->order = sn_specData(spec)->created++;
  defaultObject(type, e->object);
  bind(e, kind);
  // one texture for every role, one file for every side of a cube
  int empty = type == snOBJ_MATERIAL ? snNTEXROLE : type == snOBJ_TEXTURE ? 6 : 0;
  for (int i = 0; i < empty; i++) {
    sns_appendString(type == snOBJ_MATERIAL ? ((snsMaterial*)e->object)->textures
                                            : ((snsTexture*)e->object)->cubefiles,
                     "");
  }
  return e;
}

// types of which a class has a dummy, and where its public struct keeps the pointer
static const struct {
  snObj type;
  size_t offset;
} dummies[] = {
    {snOBJ_JOINT, offsetof(snsDefault, joint)},   {snOBJ_GEOM, offsetof(snsDefault, geom)},
    {snOBJ_SITE, offsetof(snsDefault, site)},     {snOBJ_CAMERA, offsetof(snsDefault, camera)},
    {snOBJ_LIGHT, offsetof(snsDefault, light)},   {snOBJ_FLEX, offsetof(snsDefault, flex)},
    {snOBJ_MESH, offsetof(snsDefault, mesh)},     {snOBJ_MATERIAL, offsetof(snsDefault, material)},
    {snOBJ_PAIR, offsetof(snsDefault, pair)},     {snOBJ_EQUALITY, offsetof(snsDefault, equality)},
    {snOBJ_TENDON, offsetof(snsDefault, tendon)}, {snOBJ_ACTUATOR, offsetof(snsDefault, actuator)},
};
enum { NDUMMY = (int)(sizeof(dummies) / sizeof(dummies[0])) };

static void** dummySlot(const snElem* def, int i) {
  SN_ASSERT(def->head.elemtype == snOBJ_DEFAULT);
  SN_ASSERT_INDEX(i, NDUMMY);
  return (void**)((char*)def->object + dummies[i].offset);
}

snElem* sn_classDummy(const snElem* def, snObj type) {
  for (int i = 0; def && i < NDUMMY; i++) {
    if (dummies[i].type != type) continue;
    void* object = *dummySlot(def, i);
    return object ? sn_elem(*(snsElement**)object) : NULL;
  }
  return NULL;
}

snElem* sn_elemNew(snSpec* spec, snObj type) {
  snElem* e = newBlock(spec, type);
  if (!e || type != snOBJ_DEFAULT) return e;
  for (int i = 0; i < NDUMMY; i++) {
    snElem* dummy = newBlock(spec, dummies[i].type);
    if (!dummy) {
      sn_elemFree(e);
      return NULL;
    }
    dummy->parent = e;
    *dummySlot(e, i) = dummy->object;
  }
  return e;
}

static void freeParts(snKeyObject* key) {
  while (key->parts) {
    snKeyPart* part = key->parts;
    key->parts = part->next;
    snu_free(part);
  }
}

static int isPaintable(const snsTexture* texture) {
  int files = !sn_stringEmpty(texture->file);
  for (int i = 0; i < texture->cubefiles->size; i++) {
    files |= !sn_stringEmpty(texture->cubefiles->data + i);
  }
  return files || texture->builtin != snBUILTIN_NONE;
}

int sn_hasOwnPixels(const snElem* e) {
  const snsTexture* texture = (const snsTexture*)e->object;
  return texture->data->size && !(e->painted && isPaintable(texture));
}

int sn_elemAssign(snElem* dest, const snElem* source) {
  const snKind* kind = sn_kind(dest->head.elemtype);
  if (!kind || dest->head.elemtype != source->head.elemtype) return 0;
  int ok = 1;
  if (dest->head.elemtype == snOBJ_DEFAULT) {
    for (int i = 0; i < NDUMMY; i++) {
      ok &= sn_elemAssign(sn_classDummy(dest, dummies[i].type),
                          sn_classDummy(source, dummies[i].type));
    }
    return ok;
  }
  if (dest->head.elemtype == snOBJ_KEY) freeParts((snKeyObject*)dest->object);
  memcpy(dest->object, source->object, (size_t)kind->size);
  if (dest->head.elemtype == snOBJ_KEY) {
    // parts name elements of their own spec: whoever copies a spec copies them
    ((snKeyObject*)dest->object)->parts = NULL;
    ((snKeyObject*)dest->object)->stored = 0;
    ((snKeyObject*)dest->object)->source = NULL;
  }
  bind(dest, kind);
  for (int i = 0; i < kind->nowned; i++) {
    ok &= sn_boxCopy(dest->boxes + i, source->boxes + i, kind->owned[i].kind);
  }
  dest->painted = 0;
  if (source->painted && !sn_hasOwnPixels(source)) {
    sns_setBuffer(((snsTexture*)dest->object)->data, NULL, 0);
  }
  return ok;
}

void sn_elemSwap(snElem* a, snElem* b) {
  SN_ASSERT(a != b && a->head.elemtype == b->head.elemtype);
  const snKind* kind = sn_kind(a->head.elemtype);
  snUserValue *valuesA = a->user, *valuesB = b->user;
  unsigned char *x = (unsigned char*)a, *y = (unsigned char*)b;
  for (size_t i = layOut(NULL, kind); i-- > 0;) {
    unsigned char byte = x[i];
    x[i] = y[i];
    y[i] = byte;
  }
  layOut(a, kind);
  layOut(b, kind);
  bind(a, kind);
  bind(b, kind);
  a->user = valuesA;
  b->user = valuesB;
}

static void freeBlock(snElem* e) {
  SN_ASSERT(!e->dead);
  const snKind* kind = sn_kind(e->head.elemtype);
  sn_nameRemove(e);
  for (int i = 0; i < kind->nowned; i++) sn_boxFree(e->boxes + i, kind->owned[i].kind);
  sn_boxFree((snBox*)&e->name, snBOX_STRING);
  while (e->user) {
    snUserValue* value = e->user;
    e->user = value->next;
    sn_freeUserValue(value);
  }
  if (e->head.elemtype == snOBJ_KEY) freeParts((snKeyObject*)e->object);
  if (e->head.elemtype == snOBJ_DEFAULT) {
    for (int i = 0; i < NDUMMY; i++) {
      void* object = *dummySlot(e, i);
      if (object) freeBlock(sn_elem(*(snsElement**)object));
    }
  }
  snSpecData* data = sn_specData(e->spec);
  if (!data->keepdead) {
    snu_free(e);
    return;
  }
  e->dead = 1;
  e->parent = NULL;
  e->frame = NULL;
  e->def = NULL;
  e->next = data->graveyard;
  data->graveyard = e;
}

// The tree is taken apart from its leaves, without recursion: depth is the file's choice.
void sn_elemFree(snElem* root) {
  SN_ASSERT(root->head.elemtype != snOBJ_MODEL);
  snElem* e = root;
  while (e) {
    const snKind* kind = sn_kind(e->head.elemtype);
    snElem* child = NULL;
    for (int i = 0; i < kind->nlist && !child; i++) {
      child = e->lists[i].first;
      if (child) sn_listRemove(e->lists + i, child);
    }
    if (child) {
      child->next = e;  // the way back
      e = child;
      continue;
    }
    snElem* back = e == root ? NULL : e->next;
    freeBlock(e);
    e = back;
  }
}

// ---- origin ----

const snsCompiler* sn_elemCompiler(const snElem* e) {
  return e->origin ? &e->origin->compiler : &e->spec->compiler;
}

const char* sn_elemFolder(const snElem* e) {
  return sns_getString(e->origin ? &e->origin->modelfiledir : e->spec->modelfiledir);
}

const char* sn_specFile(snSpec* spec, const char* file) {
  snSpecData* data = sn_specData(spec);
  if (!file) return NULL;
  for (int i = data->nfile - 1; i >= 0; i--) {
    if (!strcmp(data->files[i], file)) return data->files[i];
  }
  char** files = (char**)snu_malloc(((size_t)data->nfile + 1) * sizeof(char*));
  char* copy = sn_duplicate(file);
  if (!files || !copy) {
    snu_free(files);
    snu_free(copy);
    return NULL;
  }
  if (data->nfile) memcpy(files, data->files, (size_t)data->nfile * sizeof(char*));
  snu_free(data->files);
  data->files = files;
  data->files[data->nfile++] = copy;
  return copy;
}

void sn_elemSetSource(snElem* e, const char* file, int line) {
  e->file = sn_specFile(e->spec, file);
  e->line = line;
}

void sn_specError(snSpec* spec, int warning, const char* format, ...) {
  snSpecData* data = sn_specData(spec);
  va_list args;
  va_start(args, format);
  vsnprintf(data->error, sizeof(data->error), format, args);
  va_end(args);
  data->iswarning = (snByte)(warning != 0);
}

void sn_elemError(const snElem* e, const char* format, ...) {
  char message[300], place[40] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  if (e->line) snprintf(place, sizeof(place), ", line %d", e->line);
  sn_specError(e->spec, 0, "Error: %s\nElement name '%.100s', id %d%s", message, sn_elemName(e),
               e->id, place);
}
