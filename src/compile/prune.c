// After a compilation that removed elements, the spec loses them as well: bodies that were fused
// with their parents, geoms that are only drawn and the assets that only they used. What is left
// compiles to the same model.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"

// ---- what is only drawn ----

static void dropUnused(snElemList* list) {
  for (snElem *e = list->first, *next; e; e = next) {
    next = e->next;
    if (e->id < 0) sn_elemUnlink(e);
  }
}

// the name of a material or texture that went
static void forgetName(snString* name) { sns_setString(name, ""); }

static void forgetMaterials(snSpec* spec) {
  for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    SN_EACH(e, sn_bodyList(body, snOBJ_GEOM)) forgetName(((snsGeom*)e->object)->material);
    SN_EACH(e, sn_bodyList(body, snOBJ_SITE)) forgetName(((snsSite*)e->object)->material);
    SN_EACH(e, sn_bodyList(body, snOBJ_LIGHT)) forgetName(((snsLight*)e->object)->texture);
  }
  SN_EACH(e, sn_specList(spec, snOBJ_MESH)) forgetName(((snsMesh*)e->object)->material);
  SN_EACH(e, sn_specList(spec, snOBJ_SKIN)) forgetName(((snsSkin*)e->object)->material);
  SN_EACH(e, sn_specList(spec, snOBJ_FLEX)) forgetName(((snsFlex*)e->object)->material);
  SN_EACH(e, sn_specList(spec, snOBJ_TENDON)) forgetName(((snsTendon*)e->object)->material);
}

// ---- inertia of bodies that lost something ----

static void keepInertial(snElem* body) {
  snsBody* raw = (snsBody*)body->object;
  const snsBody* resolved = (const snsBody*)body->resolved;
  if (!resolved || !resolved->explicitinertial) return;
  memcpy(raw->ipos, resolved->ipos, sizeof(raw->ipos));
  memcpy(raw->iquat, resolved->iquat, sizeof(raw->iquat));
  memcpy(raw->inertia, resolved->inertia, sizeof(raw->inertia));
  raw->mass = resolved->mass;
  raw->ialt.type = snORIENTATION_QUAT;
  raw->fullinertia[0] = NAN;
  raw->explicitinertial = 1;
}

// ---- fused bodies ----

#define SET_POSE(Struct)                             \
  do {                                               \
    Struct* to = (Struct*)e->object;                 \
    const Struct* from = (const Struct*)e->resolved; \
    memcpy(to->pos, from->pos, sizeof(to->pos));     \
    memcpy(to->quat, from->quat, sizeof(to->quat));  \
    to->alt.type = snORIENTATION_QUAT;               \
  } while (0)

static void setGeom(snElem* e) {
  snsGeom* raw = (snsGeom*)e->object;
  const snsGeom* resolved = (const snsGeom*)e->resolved;
  SET_POSE(snsGeom);
  raw->fromto[0] = NAN;
  if (raw->type == snGEOM_MESH || raw->type == snGEOM_SDF || raw->type == snGEOM_HFIELD) return;
  memcpy(raw->size, resolved->size, sizeof(raw->size));
  sns_setString(raw->meshname, "");  // a fitted primitive is given by its size
}

static void setSite(snElem* e) {
  snsSite* raw = (snsSite*)e->object;
  SET_POSE(snsSite);
  memcpy(raw->size, ((const snsSite*)e->resolved)->size, sizeof(raw->size));
  raw->fromto[0] = NAN;
}

// the pose of an element in its new body, as it was resolved
static void setPose(snElem* e) {
  e->frame = NULL;
  if (!e->resolved) return;
  switch (e->head.elemtype) {
    case snOBJ_BODY: SET_POSE(snsBody); break;
    case snOBJ_GEOM: setGeom(e); break;
    case snOBJ_SITE: setSite(e); break;
    case snOBJ_CAMERA: SET_POSE(snsCamera); break;
    case snOBJ_LIGHT: {
      snsLight* raw = (snsLight*)e->object;
      memcpy(raw->pos, ((const snsLight*)e->resolved)->pos, sizeof(raw->pos));
      memcpy(raw->dir, ((const snsLight*)e->resolved)->dir, sizeof(raw->dir));
      break;
    }
    default: break;
  }
}

static void moveAll(snElem* body, snObj type, snElem* before) {
  snElem* parent = body->parent;
  snElemList* list = sn_bodyList(body, type);
  while (list->first) {
    snElem* e = list->first;
    sn_listRemove(list, e);
    e->parent = parent;
    setPose(e);
    sn_listInsert(sn_bodyList(parent, type), e, before);
  }
}

// contents go to the end of the parent's lists, child bodies take the place of the body
static void dissolveBody(snElem* body) {
  static const snObj types[] = {snOBJ_GEOM, snOBJ_SITE, snOBJ_CAMERA, snOBJ_LIGHT};
  SN_ASSERT(body->parent && !sn_bodyList(body, snOBJ_JOINT)->size);
  for (size_t k = 0; k < sizeof(types) / sizeof(types[0]); k++) moveAll(body, types[k], NULL);
  moveAll(body, snOBJ_BODY, body);
  keepInertial(body->parent);
  sn_keysForget(body->spec, body);
  sn_elemUnlink(body);
}

void sn_pruneSpec(snCompiler* c) {
  snSpec* spec = c->spec;
  if (c->settings->fusestatic) {
    for (snElem *body = sn_world(spec)->lists[0].first, *next; body; body = next) {
      // what follows a body that goes is its first child, which takes its place
      next = sn_nextBody(body);
      if (body->id < 0) dissolveBody(body);
    }
  }
  if (!c->settings->discardvisual) return;
  for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    if (body->scratch && ((const snBodyItem*)body->scratch)->lostgeom) keepInertial(body);
    dropUnused(sn_bodyList(body, snOBJ_GEOM));
  }
  dropUnused(sn_specList(spec, snOBJ_MESH));
  dropUnused(sn_specList(spec, snOBJ_MATERIAL));
  dropUnused(sn_specList(spec, snOBJ_TEXTURE));
  forgetMaterials(spec);
}
