// Writing bodies.

#include <float.h>
#include <math.h>
#include <string.h>

#include "mjcf/writer.h"

#define GROUPS(...) ((const snAttr* const[]){__VA_ARGS__, NULL})

// equal but for rounding
static int isSame(const double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) {
    if (fabs(a[i] - b[i]) > DBL_EPSILON) return 0;
  }
  return 1;
}

static void writePose(snWriter* w, const double pos[3], const double quat[4], int always) {
  static const double zero[3] = {0, 0, 0}, identity[4] = {1, 0, 0, 0};
  if (always || !isSame(pos, zero, 3)) sn_writeDoubles(w, "pos", pos, 3);
  if (!isSame(quat, identity, 4)) sn_writeDoubles(w, "quat", quat, 4);
}

// ---- elements ----

void sn_writeJointPart(snWriter* w, snPart part) {
  const snsJoint* joint = (const snsJoint*)part.object;
  snsJoint reference = *(const snsJoint*)part.reference;
  reference.ref = reference.springref = 0;  // angles in a class may be in other units
  if (part.elem && joint->type == snJNT_FREE) reference.limited = joint->limited;
  sn_writeList(w, GROUPS(sn_attrJoint),
               "type group ref springref solreflimit* solimplimit* solreffriction* "
               "solimpfriction* stiffness limited range actuatorfrclimited actuatorgravcomp "
               "actuatorfrcrange margin armature damping frictionloss",
               joint, &reference);
  sn_writeUser(w, joint->userdata, reference.userdata, w->sizes->nuser_jnt);
}

static void writeJoint(snWriter* w, const snElem* e, const snElem* around) {
  const snsJoint* joint = (const snsJoint*)sn_resolved(e);
  sn_writeOpen(w, "joint");
  sn_writeIdentity(w, e, around);
  if (joint->type != snJNT_FREE) sn_writeDoubles(w, "pos", joint->pos, 3);
  if (joint->type != snJNT_FREE && joint->type != snJNT_BALL) {
    sn_writeDoubles(w, "axis", joint->axis, 3);
  }
  sn_writeJointPart(w, (snPart){e, joint, sn_writeReference(w, e)});
  sn_writeClose(w, "joint");
}

// numbers that a shape needs
static int sizeCount(snGeom type) {
  switch (type) {
    case snGEOM_SPHERE: return 1;
    case snGEOM_CAPSULE:
    case snGEOM_CYLINDER: return 2;
    case snGEOM_PLANE:
    case snGEOM_ELLIPSOID:
    case snGEOM_BOX: return 3;
    default: return 0;
  }
}

static void writeSize(snWriter* w, const double* size, const double* reference, int count) {
  if (w->exact && count) count = 3;
  if (!isSame(size, reference, count)) sn_writeDoubles(w, "size", size, count);
}

void sn_writeGeomPart(snWriter* w, snPart part) {
  const snsGeom* geom = (const snsGeom*)part.object;
  const snsGeom* reference = (const snsGeom*)part.reference;
  const snAttr* const* groups = GROUPS(sn_attrGeom);
  writeSize(w, geom->size, reference->size, part.elem ? sizeCount(geom->type) : 3);
  if (part.elem) writePose(w, geom->pos, geom->quat, 0);
  sn_writeList(w, groups,
               "type contype conaffinity condim group priority friction* solmix solref* solimp* "
               "margin gap fluidshape fluidcoef shellinertia",
               geom, reference);
  if (!isnan(geom->mass)) {
    if (part.elem && geom->type != snGEOM_PLANE) sn_writeDoubles(w, "mass", &geom->mass, 1);
  } else {
    sn_writeList(w, groups, "density", geom, reference);
  }
  sn_writeList(w, groups, "material rgba", geom, reference);
  if (geom->type == snGEOM_HFIELD) sn_writeName(w, "hfield", geom->hfieldname);
  if (geom->type == snGEOM_MESH || geom->type == snGEOM_SDF) {
    sn_writeName(w, "mesh", geom->meshname);
  }
  sn_writeUser(w, geom->userdata, reference->userdata, w->sizes->nuser_geom);
}

static void writeGeom(snWriter* w, const snElem* e, const snElem* around) {
  const snsGeom* geom = (const snsGeom*)sn_resolved(e);
  sn_writeOpen(w, "geom");
  sn_writeIdentity(w, e, around);
  sn_writeGeomPart(w, (snPart){e, geom, sn_writeReference(w, e)});
  sn_writePlugin(w, &geom->plugin);
  sn_writeClose(w, "geom");
}

void sn_writeSitePart(snWriter* w, snPart part) {
  const snsSite* site = (const snsSite*)part.object;
  const snsSite* reference = (const snsSite*)part.reference;
  writeSize(w, site->size, reference->size, part.elem ? sizeCount(site->type) : 3);
  sn_writeList(w, GROUPS(sn_attrSite), "group type material rgba", site, reference);
  sn_writeUser(w, site->userdata, reference->userdata, w->sizes->nuser_site);
}

static void writeSite(snWriter* w, const snElem* e, const snElem* around) {
  const snsSite* site = (const snsSite*)sn_resolved(e);
  sn_writeOpen(w, "site");
  sn_writeIdentity(w, e, around);
  writePose(w, site->pos, site->quat, 1);
  sn_writeSitePart(w, (snPart){e, site, sn_writeReference(w, e)});
  sn_writeClose(w, "site");
}

void sn_writeCameraPart(snWriter* w, snPart part) {
  const snsCamera* camera = (const snsCamera*)part.object;
  const snsCamera* reference = (const snsCamera*)part.reference;
  const snAttr* const* groups = GROUPS(sn_attrCamera);
  sn_writeList(w, groups, "ipd mode resolution output", camera, reference);
  if (camera->sensor_size[0] > 0 && camera->sensor_size[1] > 0) {
    // with a sensor the field of view is computed
    sn_writeList(w, groups, "projection sensorsize! focal focalpixel principal principalpixel",
                 camera, reference);
  } else {
    sn_writeList(w, groups, "projection fovy", camera, reference);
  }
  sn_writeUser(w, camera->userdata, reference->userdata, w->sizes->nuser_cam);
}

static void writeCamera(snWriter* w, const snElem* e, const snElem* around) {
  const snsCamera* camera = (const snsCamera*)sn_resolved(e);
  sn_writeOpen(w, "camera");
  sn_writeIdentity(w, e, around);
  sn_writeName(w, "target", camera->targetbody);
  writePose(w, camera->pos, camera->quat, 1);
  sn_writeCameraPart(w, (snPart){e, camera, sn_writeReference(w, e)});
  sn_writeClose(w, "camera");
}

void sn_writeLightPart(snWriter* w, snPart part) {
  sn_writeList(w, GROUPS(sn_attrLight, sn_attrLightOwn),
               "bulbradius intensity range type texture castshadow active attenuation cutoff "
               "exponent ambient diffuse specular mode",
               part.object, part.reference);
}

static void writeLight(snWriter* w, const snElem* e, const snElem* around) {
  const snsLight* light = (const snsLight*)sn_resolved(e);
  sn_writeOpen(w, "light");
  sn_writeIdentity(w, e, around);
  sn_writeName(w, "target", light->targetbody);
  sn_writeDoubles(w, "pos", light->pos, 3);
  sn_writeDoubles(w, "dir", light->dir, 3);
  sn_writeLightPart(w, (snPart){e, light, sn_writeReference(w, e)});
  sn_writeClose(w, "light");
}

// ---- bodies and frames ----

static void writeInertial(snWriter* w, const snsBody* body) {
  if (!body->explicitinertial) return;
  sn_writeOpen(w, "inertial");
  writePose(w, body->ipos, body->iquat, 1);
  sn_writeDoubles(w, "mass", &body->mass, 1);
  sn_writeDoubles(w, "diaginertia", body->inertia, 3);
  sn_writeClose(w, "inertial");
}

// class that holds around an element
static const snElem* classAround(const snElem* e) {
  return e->frame ? e->frame->def : e->parent ? e->parent->def : NULL;
}

static int isMain(const snWriter* w, const snElem* def) {
  return !def || def == sn_specData(w->spec)->main;
}

static void openBody(snWriter* w, const snElem* e) {
  if (!e->parent) {
    sn_writeOpen(w, "worldbody");
    return;
  }
  const snsBody* body = (const snsBody*)sn_resolved(e);
  sn_writeOpen(w, "body");
  sn_writeName(w, "name", &e->name);
  if (e->def != classAround(e) && !isMain(w, e->def)) {
    sn_writeText(w, "childclass", sn_elemName(e->def));
  }
  writePose(w, body->pos, body->quat, 0);
  snsBody reference;
  sns_defaultBody(&reference);
  sn_writeList(w, GROUPS(sn_attrBody), "mocap gravcomp sleep", body, &reference);
  sn_writeUser(w, body->userdata, NULL, w->sizes->nuser_body);
  writeInertial(w, body);
}

// frames are dissolved, unless they have a name or a class
static int isWritten(const snWriter* w, const snElem* frame) {
  return !sn_stringEmpty(&frame->name) || !isMain(w, frame->def);
}

static void openFrame(snWriter* w, const snElem* e) {
  sn_writeOpen(w, "frame");
  sn_writeName(w, "name", &e->name);
  if (!isMain(w, e->def)) sn_writeText(w, "childclass", sn_elemName(e->def));
}

static void writeLeaf(snWriter* w, const snElem* e) {
  const snElem* around = classAround(e);
  switch (e->head.elemtype) {
    case snOBJ_JOINT: writeJoint(w, e, around); break;
    case snOBJ_GEOM: writeGeom(w, e, around); break;
    case snOBJ_SITE: writeSite(w, e, around); break;
    case snOBJ_CAMERA: writeCamera(w, e, around); break;
    default: writeLight(w, e, around); break;
  }
}

// ---- the order of things in a body ----
//
// What is in no frame comes first: joints, geoms, sites, cameras, lights; then bodies; then frames,
// each with its own contents in that order. Frames do not wait for all the bodies: they come after
// the first child body, counted over the whole body, that is in any frame.

enum { LEAVES = 5 };
static const snObj kLeaf[LEAVES] = {snOBJ_JOINT, snOBJ_GEOM, snOBJ_SITE, snOBJ_CAMERA, snOBJ_LIGHT};

typedef struct Step_ {
  const snElem* elem;
  int close;  // end of a frame
} Step;

// contents of a frame, or of none, as linked lists through the arrays of a plan
typedef struct Content_ {
  const snElem* frame;
  int first[LEAVES + 2];  // leaves by type, bodies, frames; -1 for none
  int last[LEAVES + 2];
} Content;

typedef struct Plan_ {
  Step* steps;
  int nstep;
  const snElem** elems;  // everything in the body
  int* next;             // in its list
  int* rank;             // of bodies: place among the bodies
  Content* contents;     // of no frame, then of every frame
  int* state;            // walk over the frames: where to go on
  int nelem;
  int trigger;  // rank of the first body that is in a frame
} Plan;

static void appendTo(Plan* plan, int content, int list, int at) {
  Content* c = plan->contents + content;
  plan->next[at] = -1;
  *(c->last[list] >= 0 ? &plan->next[c->last[list]] : &c->first[list]) = at;
  c->last[list] = at;
}

static int indexOf(const Plan* plan, const snElem* frame) {
  return (int)((const Content*)frame->scratch - plan->contents);
}

static int contentOf(const Plan* plan, const snElem* e) {
  return e->frame ? indexOf(plan, e->frame) : 0;
}

// the scratch of a frame leads to its contents
static void collect(Plan* plan, const snElem* body) {
  int count = 1;
  SN_EACH(f, sn_bodyList(body, snOBJ_FRAME)) {
    f->scratch = plan->contents + count;
    plan->contents[count++].frame = f;
  }
  for (int i = 0; i < count; i++) {
    memset(plan->contents[i].first, 0xff, sizeof(plan->contents[i].first));
    memset(plan->contents[i].last, 0xff, sizeof(plan->contents[i].last));
  }
  int rank = 0;
  plan->trigger = -1;
  for (int list = 0; list < LEAVES + 2; list++) {
    snObj type = list < LEAVES ? kLeaf[list] : list == LEAVES ? snOBJ_BODY : snOBJ_FRAME;
    SN_EACH(e, sn_bodyList(body, type)) {
      int at = plan->nelem++;
      plan->elems[at] = e;
      if (type == snOBJ_BODY) {
        if (e->frame && plan->trigger < 0) plan->trigger = rank;
        plan->rank[at] = rank++;
      }
      appendTo(plan, contentOf(plan, e), list, at);
    }
  }
}

static void addStep(Plan* plan, const snElem* e, int close) {
  plan->steps[plan->nstep].elem = e;
  plan->steps[plan->nstep++].close = close;
}

// bodies of a content that come before its frames (or after them)
static void addBodies(Plan* plan, const Content* content, int after) {
  for (int at = content->first[LEAVES]; at >= 0; at = plan->next[at]) {
    int late = plan->trigger >= 0 && plan->rank[at] > plan->trigger;
    if (late == after) addStep(plan, plan->elems[at], 0);
  }
}

static void enter(snWriter* w, Plan* plan, int index) {
  const Content* content = plan->contents + index;
  if (content->frame && isWritten(w, content->frame)) addStep(plan, content->frame, 0);
  for (int list = 0; list < LEAVES; list++) {
    for (int at = content->first[list]; at >= 0; at = plan->next[at]) {
      addStep(plan, plan->elems[at], 0);
    }
  }
  addBodies(plan, content, 0);
  plan->state[index] = content->first[LEAVES + 1];
}

static void leave(snWriter* w, Plan* plan, int index) {
  const Content* content = plan->contents + index;
  addBodies(plan, content, 1);
  if (content->frame && isWritten(w, content->frame)) addStep(plan, content->frame, 1);
}

static void arrange(snWriter* w, Plan* plan) {
  int index = 0;
  enter(w, plan, 0);
  for (;;) {
    int at = plan->state[index];
    if (at >= 0) {
      plan->state[index] = plan->next[at];
      index = indexOf(plan, plan->elems[at]);
      enter(w, plan, index);
      continue;
    }
    leave(w, plan, index);
    if (!index) return;
    index = contentOf(plan, plan->contents[index].frame);
  }
}

// steps of a body, to be freed; NULL when memory ran out
static Step* planBody(snWriter* w, const snElem* body, int* count) {
  size_t n = 1, nframe = (size_t)sn_bodyList(body, snOBJ_FRAME)->size;
  for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) n += (size_t)body->lists[k].size;
  snPool pool = {0};
  Plan plan = {.steps = (Step*)snu_malloc((n + nframe) * sizeof(Step))};
  plan.elems = SN_TAKE(&pool, const snElem*, n);
  plan.next = SN_TAKE(&pool, int, n);
  plan.rank = SN_TAKE(&pool, int, n);
  plan.contents = SN_TAKE(&pool, Content, nframe + 1);
  plan.state = SN_TAKE(&pool, int, nframe + 1);
  if (!plan.steps || !plan.elems || !plan.next || !plan.rank || !plan.contents || !plan.state) {
    snu_free(plan.steps);
    plan.steps = NULL;
    w->failed = 1;
  } else {
    collect(&plan, body);
    arrange(w, &plan);
    SN_EACH(f, sn_bodyList(body, snOBJ_FRAME)) f->scratch = NULL;
  }
  *count = plan.nstep;
  sn_poolRelease(&pool);
  return plan.steps;
}

// ---- the tree ----

// one body that is being written
typedef struct Level_ {
  const snElem* body;
  Step* steps;
  int nstep;
  int at;
  int rest;  // the plugin, between what is in the body and its bodies, is written
} Level;

static int startLevel(snWriter* w, Level* level, const snElem* body) {
  memset(level, 0, sizeof(*level));
  level->body = body;
  level->steps = planBody(w, body, &level->nstep);
  openBody(w, body);
  return level->steps != NULL;
}

static void writePluginOnce(snWriter* w, Level* level) {
  if (level->rest) return;
  level->rest = 1;
  sn_writePlugin(w, &((const snsBody*)level->body->object)->plugin);
}

// write what comes before the next child body; NULL at the end
static const snElem* advance(snWriter* w, Level* level) {
  while (level->at < level->nstep) {
    Step step = level->steps[level->at++];
    int type = step.elem->head.elemtype;
    if (type == snOBJ_BODY || type == snOBJ_FRAME) writePluginOnce(w, level);
    if (type == snOBJ_BODY) return step.elem;
    if (type != snOBJ_FRAME) {
      writeLeaf(w, step.elem);
    } else if (step.close) {
      sn_writeClose(w, "frame");
    } else {
      openFrame(w, step.elem);
    }
  }
  writePluginOnce(w, level);
  return NULL;
}

static void endLevel(snWriter* w, Level* level) {
  sn_writeClose(w, level->body->parent ? "body" : "worldbody");
  snu_free(level->steps);
}

static Level* grow(Level* levels, int* capacity) {
  Level* larger = (Level*)snu_malloc(2 * (size_t)*capacity * sizeof(Level));
  if (!larger) return NULL;
  memcpy(larger, levels, (size_t)*capacity * sizeof(Level));
  snu_free(levels);
  *capacity *= 2;
  return larger;
}

void sn_writeWorld(snWriter* w) {
  int capacity = 64, depth = 1;
  Level* levels = (Level*)snu_malloc((size_t)capacity * sizeof(Level));
  if (!levels) {
    w->failed = 1;
    return;
  }
  startLevel(w, levels, sn_world(w->spec));
  while (depth > 0 && !w->failed) {
    const snElem* child = advance(w, levels + depth - 1);
    if (!child) {
      endLevel(w, levels + --depth);
      continue;
    }
    if (depth == capacity) {
      Level* larger = grow(levels, &capacity);
      if (!larger) {
        w->failed = 1;
        break;
      }
      levels = larger;
    }
    startLevel(w, levels + depth++, child);
  }
  while (depth > 0) snu_free(levels[--depth].steps);
  snu_free(levels);
}
