// Fusing of static bodies with their parents, and discarding of what is only drawn.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"

// ---- references that forbid fusing ----

static void referBody(snCompiler* c, snBodyItem* body) {
  if (!body) return;
  body->referenced = 1;
  if (body->id > c->maxreferred) c->maxreferred = body->id;
}

static void refer(snCompiler* c, const snString* name) {
  referBody(c, (snBodyItem*)sn_findItem(c, snOBJ_BODY, sns_getString(name)));
}

static int isBodyType(int type) { return type == snOBJ_BODY || type == snOBJ_XBODY; }

static void referSensor(snCompiler* c, const snsSensor* spec) {
  if (isBodyType(spec->objtype)) refer(c, spec->objname);
  if (isBodyType(spec->reftype)) refer(c, spec->refname);
  if (spec->type == snSENS_FORCE || spec->type == snSENS_TORQUE) {
    snSiteItem* site = (snSiteItem*)sn_findItem(c, snOBJ_SITE, sns_getString(spec->objname));
    if (site) site->body->referenced = 1;
  }
}

static void referSkin(snCompiler* c, const snSkin* skin) {
  for (int k = 0; k < skin->nbone; k++) {
    referBody(c, (snBodyItem*)sn_findItem(c, snOBJ_BODY, skin->bones[k].body));
  }
}

static void markReferences(snCompiler* c) {
  for (int i = 0; i < c->ncam; i++) refer(c, c->cameras[i]->spec.targetbody);
  for (int i = 0; i < c->nlight; i++) refer(c, c->lights[i]->spec.targetbody);
  for (int i = 0; i < c->nskin; i++) referSkin(c, &c->skins[i].skin);
  for (int i = 0; i < c->nexclude; i++) {
    const snsExclude* spec = (const snsExclude*)c->excludes[i].elem->object;
    refer(c, spec->bodyname1);
    refer(c, spec->bodyname2);
  }
  for (int i = 0; i < c->neq; i++) {
    const snsEquality* spec = &c->equalities[i].spec;
    if (spec->objtype != snOBJ_BODY) continue;
    if (spec->type != snEQ_CONNECT && spec->type != snEQ_WELD) continue;
    refer(c, spec->name1);
    refer(c, spec->name2);
  }
  for (int i = 0; i < c->nu; i++) {
    if (c->actuators[i].spec.trntype == snTRN_BODY) refer(c, c->actuators[i].spec.target);
  }
  for (int i = 0; i < c->nsensor; i++) referSensor(c, &c->sensors[i].spec);
  for (int i = 0; i < c->ntuple; i++) {
    const snsTuple* spec = (const snsTuple*)c->tuples[i].elem->object;
    for (int k = 0; k < spec->objtype->size && k < spec->objname->size; k++) {
      if (isBodyType(spec->objtype->data[k])) refer(c, spec->objname->data + k);
    }
  }
}

// ---- fusing ----

// children take the body's place among the children of its parent
static void spliceChildren(snBodyItem* body) {
  snBodyItem* parent = body->parent;
  snBodyItem* first = body->firstchild ? body->firstchild : body->next;
  snBodyItem* last = body->lastchild ? body->lastchild : body->prev;
  SN_ASSERT(parent && !body->njoint);
  for (snBodyItem* child = body->firstchild; child; child = child->next) {
    child->parent = parent;
    sn_composeOnto(body->spec.pos, body->spec.quat, child->spec.pos, child->spec.quat);
  }
  if (body->firstchild) {
    body->firstchild->prev = body->prev;
    body->lastchild->next = body->next;
  }
  *(body->prev ? &body->prev->next : &parent->firstchild) = first;
  *(body->next ? &body->next->prev : &parent->lastchild) = last;
}

#define MOVE_ITEMS(first, last)                                             \
  do {                                                                      \
    if (body->first) {                                                      \
      *(parent->last ? &parent->last->next : &parent->first) = body->first; \
      parent->last = body->last;                                            \
    }                                                                       \
  } while (0)

// geoms, sites, cameras and lights go to the end of the parent's lists
static void moveContents(snBodyItem* body) {
  snBodyItem* parent = body->parent;
  const double *pos = body->spec.pos, *quat = body->spec.quat;
  for (snGeomItem* geom = body->geoms; geom; geom = geom->next) {
    sn_composeOnto(pos, quat, geom->spec.pos, geom->spec.quat);
    geom->body = parent;
  }
  for (snSiteItem* site = body->sites; site; site = site->next) {
    sn_composeOnto(pos, quat, site->spec.pos, site->spec.quat);
    site->body = parent;
  }
  for (snCameraItem* cam = body->cameras; cam; cam = cam->next) {
    sn_composeOnto(pos, quat, cam->spec.pos, cam->spec.quat);
    cam->body = parent;
  }
  for (snLightItem* light = body->lights; light; light = light->next) {
    double scratch[4] = {1, 0, 0, 0};
    sn_composeOnto(pos, quat, light->spec.pos, scratch);
    sn_rotateVec(light->spec.dir, light->spec.dir, quat);
    light->body = parent;
  }
  MOVE_ITEMS(geoms, lastgeom);
  MOVE_ITEMS(sites, lastsite);
  MOVE_ITEMS(cameras, lastcamera);
  MOVE_ITEMS(lights, lastlight);
}

static snBodyItem* following(const snBodyItem* body) {
  while (body && !body->next) body = body->parent;
  return body ? body->next : NULL;
}

// A named body stays when it is referred to. MuJoCo finds that out by resolving all references
// without its name, and uses ids from before fusing for the bodies that come later: when such an id
// is beyond the bodies that are left, the named body stays too.
static int canFuse(const snCompiler* c, const snBodyItem* body, int nbody) {
  if (body->njoint || body->spec.mocap) return 0;
  if (sn_stringEmpty(&body->elem->name)) return 1;
  return !body->referenced && (c->maxreferred < body->id || c->maxreferred < nbody);
}

// trees are built before and after each fusing; a huge model gets its trees only at the end
static int rebuildTree(snCompiler* c, snBodyItem* body) {
  const snSize enough = 20000000;
  for (const snGeomItem* geom = body->geoms; geom; geom = geom->next) c->rebuilt++;
  return c->rebuilt > enough ? 0 : sn_buildBodyTree(c, body);
}

int sn_fuseStatic(snCompiler* c) {
  int nbody = c->nbody;
  markReferences(c);
  snBodyItem* body = c->bodies[0]->firstchild;
  while (body) {
    snBodyItem* next = body->firstchild ? body->firstchild : following(body);
    if (canFuse(c, body, nbody)) {
      nbody--;
      snBodyItem* parent = body->parent;
      if (!parent->bvh.nnode) SN_TRY(rebuildTree(c, parent));
      if (parent->parent && body->spec.mass >= snMINVAL) {
        SN_TRY(sn_accumulateInertial(c, parent, body));
      }
      spliceChildren(body);
      moveContents(body);
      sn_setCollisionMasks(parent);
      SN_TRY(rebuildTree(c, parent));
      body->id = body->elem->id = -1;
    }
    body = next;
  }
  SN_TRY(sn_numberTree(c));
  SN_ASSERT(c->nbody == nbody);
  return sn_compileCameras(c);
}

// ---- discarding ----

static int isVisual(const snGeomItem* geom) {
  return !geom->referenced && geom->spec.contype == 0 && geom->spec.conaffinity == 0;
}

// drop geoms that cannot collide and that nothing refers to, and the meshes that only they used
int sn_discardVisual(snCompiler* c) {
  snByte* used = SN_ITEMS(c, snByte, c->nmesh + 1);
  if (!used) return -1;
  for (int i = 0; i < c->nbody; i++) {
    snBodyItem* body = c->bodies[i];
    snGeomItem** link = &body->geoms;
    body->lastgeom = NULL;
    while (*link) {
      snGeomItem* geom = *link;
      if (isVisual(geom)) {
        *link = geom->next;
        geom->id = geom->elem->id = -1;
        if (!body->spec.explicitinertial) body->lostgeom = c->lostinertia = 1;
        continue;
      }
      SN_ASSERT(!geom->mesh || geom->mesh == c->meshes + geom->mesh->id);
      if (geom->mesh) used[geom->mesh->id] = 1;
      body->lastgeom = geom;
      link = &geom->next;
    }
  }
  for (int i = 0; i < c->nsensor; i++) {
    const snSensorItem* sensor = c->sensors + i;
    if (sensor->spec.objtype == snOBJ_MESH && sensor->object) {
      used[((const snMeshItem*)sensor->object)->id] = 1;
    }
  }
  int kept = 0;
  for (int i = 0; i < c->nmesh; i++) {
    c->meshes[i].id = c->meshes[i].elem->id = used[i] ? kept++ : -1;
  }
  return sn_numberTree(c);
}
