// Writing bodies.

#include <math.h>
#include <string.h>

#include "mjcf/writer.h"

// ---- units of attached models ----

// factor that turns an element's angles into the main model's
static double angleScale(const snWriter* w, const snElem* e) {
  int mine = sn_elemCompiler(e)->degree, main = w->spec->compiler.degree;
  if (mine == main) return 1;
  return mine ? snPI / 180 : 180 / snPI;
}

// orientation with other units or another order of axes: as a quaternion
static void resolveOrientation(const snWriter* w, const snElem* e, double quat[4],
                               snsOrientation* alt) {
  const snsCompiler* compiler = sn_elemCompiler(e);
  if (alt->type != snORIENTATION_AXISANGLE && alt->type != snORIENTATION_EULER) return;
  if (compiler->degree == w->spec->compiler.degree &&
      !memcmp(compiler->eulerseq, w->spec->compiler.eulerseq, 3)) {
    return;
  }
  if (!sns_resolveOrientation(quat, compiler->degree, compiler->eulerseq, alt)) {
    alt->type = snORIENTATION_QUAT;
  }
}

// ---- elements ----

// a free joint without any physics of its own
static int isPlainFree(const snWriter* w, const snsJoint* joint) {
  snsJoint plain = *(const snsJoint*)sn_classDummy(w->base, snOBJ_JOINT)->object;
  if (joint->type != snJNT_FREE || joint->userdata->size) return 0;
  plain.element = joint->element;
  plain.type = snJNT_FREE;
  plain.group = joint->group;
  plain.align = joint->align;
  plain.userdata = joint->userdata;
  plain.info = joint->info;
  return joint->stiffness == plain.stiffness && joint->damping == plain.damping &&
         joint->armature == plain.armature && joint->frictionloss == plain.frictionloss &&
         joint->springdamper[0] == 0 && joint->margin == 0 && !joint->actgravcomp &&
         !memcmp(joint->solref_friction, plain.solref_friction, sizeof(plain.solref_friction)) &&
         !memcmp(joint->solimp_friction, plain.solimp_friction, sizeof(plain.solimp_friction)) &&
         !memcmp(joint->solref_limit, plain.solref_limit, sizeof(plain.solref_limit)) &&
         !memcmp(joint->solimp_limit, plain.solimp_limit, sizeof(plain.solimp_limit)) &&
         !memcmp(joint->range, plain.range, sizeof(plain.range));
}

static void writeJoint(snWriter* w, const snElem* e) {
  snsJoint joint = *(const snsJoint*)e->object;
  if (isPlainFree(w, &joint)) {
    sn_writeOpen(w, "freejoint");
    sn_writeIdentity(w, e, 0);
    sn_writeGroup(w, sn_attrFreeJoint, &joint, sn_classDummy(w->base, snOBJ_JOINT)->object);
    sn_writeClose(w, "freejoint");
    return;
  }
  double scale = angleScale(w, e);
  if (joint.type == snJNT_HINGE || joint.type == snJNT_BALL) {
    for (int i = 0; i < 2; i++) joint.range[i] *= scale;
  }
  if (joint.type == snJNT_HINGE) {
    joint.ref *= scale;
    joint.springref *= scale;
  }
  sn_writeOpen(w, "joint");
  sn_writeIdentity(w, e, 1);
  sn_writeGroup(w, sn_attrJoint, &joint, sn_writeReference(w, e));
  sn_writeClose(w, "joint");
}

static void writeGeom(snWriter* w, const snElem* e) {
  snsGeom geom = *(const snsGeom*)e->object;
  resolveOrientation(w, e, geom.quat, &geom.alt);
  sn_writeOpen(w, "geom");
  sn_writeIdentity(w, e, 1);
  sn_writeGroup(w, sn_attrGeom, &geom, sn_writeReference(w, e));
  sn_writePlugin(w, &geom.plugin);
  sn_writeClose(w, "geom");
}

static void writeSite(snWriter* w, const snElem* e) {
  snsSite site = *(const snsSite*)e->object;
  resolveOrientation(w, e, site.quat, &site.alt);
  sn_writeOpen(w, "site");
  sn_writeIdentity(w, e, 1);
  sn_writeGroup(w, sn_attrSite, &site, sn_writeReference(w, e));
  sn_writeClose(w, "site");
}

static void writeCamera(snWriter* w, const snElem* e) {
  snsCamera camera = *(const snsCamera*)e->object;
  snsCamera reference = *(const snsCamera*)sn_writeReference(w, e);
  snDoubleVec none = {0};
  resolveOrientation(w, e, camera.quat, &camera.alt);
  // with a sensor the field of view is computed; user values are not inherited
  if (camera.sensor_size[0] > 0) camera.fovy = reference.fovy;
  reference.userdata = &none;
  sn_writeOpen(w, "camera");
  sn_writeIdentity(w, e, 1);
  sn_writeGroup(w, sn_attrCamera, &camera, &reference);
  sn_writeGroup(w, sn_attrCameraOwn, &camera, &reference);
  sn_writeClose(w, "camera");
}

static void writeLight(snWriter* w, const snElem* e) {
  sn_writeOpen(w, "light");
  sn_writeIdentity(w, e, 1);
  sn_writeGroup(w, sn_attrLight, e->object, sn_writeReference(w, e));
  sn_writeGroup(w, sn_attrLightOwn, e->object, sn_writeReference(w, e));
  sn_writeClose(w, "light");
}

// ---- bodies and frames ----

static void writeInertial(snWriter* w, const snElem* e) {
  snsBody body = *(const snsBody*)e->object;
  if (isnan(body.ipos[0])) return;
  resolveOrientation(w, e, body.iquat, &body.ialt);
  snsBody reference;
  sns_defaultBody(&reference);
  sn_writeOpen(w, "inertial");
  // position and mass are needed
  memset(reference.ipos, 0xff, sizeof(reference.ipos));
  reference.mass = NAN;
  sn_writeGroup(w, sn_attrInertial, &body, &reference);
  sn_writeClose(w, "inertial");
}

static void openFrame(snWriter* w, const snElem* e, int named) {
  snsFrame frame = *(const snsFrame*)e->object;
  snsFrame reference;
  sns_defaultFrame(&reference);
  resolveOrientation(w, e, frame.quat, &frame.alt);
  sn_writeOpen(w, "frame");
  if (named) sn_writeName(w, "name", &e->name);
  sn_writeGroup(w, sn_attrFrame, &frame, &reference);
}

// close frames until the innermost open one is the given one or encloses it
static const snElem* leaveFrames(snWriter* w, const snElem* open, const snElem* frame) {
  while (open) {
    const snElem* at = frame;
    while (at && at != open) at = at->frame;
    if (at == open) break;
    sn_writeClose(w, "frame");
    open = open->frame;
  }
  return open;
}

static const snElem* enterFrames(snWriter* w, const snElem* open, const snElem* frame) {
  enum { DEEP = 512 };
  const snElem* path[DEEP];
  int count = 0;
  for (const snElem* at = frame; at != open && count < DEEP; at = at->frame) path[count++] = at;
  while (count > 0) openFrame(w, path[--count], 0);
  return frame;
}

static void openBody(snWriter* w, const snElem* e) {
  if (!e->parent) {
    sn_writeOpen(w, "worldbody");
    return;
  }
  snsBody body = *(const snsBody*)e->object;
  snElem* reference = sn_elemNew(w->spec, snOBJ_BODY);
  if (!reference) {
    w->failed = 1;
    return;
  }
  resolveOrientation(w, e, body.quat, &body.alt);
  sn_writeOpen(w, "body");
  sn_writeName(w, "name", &e->name);
  sn_writeGroup(w, sn_attrBody, &body, reference->object);
  sn_elemFree(reference);
  writeInertial(w, e);
  sn_writePlugin(w, &body.plugin);
}

static void writeLeaf(snWriter* w, const snElem* e) {
  switch (e->head.elemtype) {
    case snOBJ_JOINT: writeJoint(w, e); break;
    case snOBJ_GEOM: writeGeom(w, e); break;
    case snOBJ_SITE: writeSite(w, e); break;
    case snOBJ_CAMERA: writeCamera(w, e); break;
    default: writeLight(w, e); break;
  }
}

// One body that is being written: the next element of each of its lists, and the innermost open
// frame.
typedef struct Level_ {
  const snElem* body;
  const snElem* next[7];
  const snElem* frame;
} Level;

// Elements come in the order in which they were made, which keeps the order of every list.
static const snElem* takeNext(Level* level) {
  int best = -1;
  for (int k = 0; k < 7; k++) {
    if (level->next[k] && (best < 0 || level->next[k]->order < level->next[best]->order)) best = k;
  }
  if (best < 0) return NULL;
  const snElem* e = level->next[best];
  level->next[best] = e->next;
  return e;
}

static void startLevel(snWriter* w, Level* level, const snElem* body) {
  level->body = body;
  level->frame = NULL;
  for (int k = 0; k < 7; k++) level->next[k] = body->lists[k].first;
  openBody(w, body);
}

static void endLevel(snWriter* w, Level* level) {
  leaveFrames(w, level->frame, NULL);
  while (level->frame) level->frame = level->frame->frame;
  sn_writeClose(w, level->body->parent ? "body" : "worldbody");
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
    Level* level = levels + depth - 1;
    const snElem* e = takeNext(level);
    if (!e) {
      endLevel(w, level);
      depth--;
      continue;
    }
    level->frame = leaveFrames(w, level->frame, e->frame);
    if (level->frame != e->frame) level->frame = enterFrames(w, level->frame, e->frame);
    if (e->head.elemtype == snOBJ_FRAME) {
      openFrame(w, e, 1);
      level->frame = e;
    } else if (e->head.elemtype != snOBJ_BODY) {
      writeLeaf(w, e);
    } else {
      if (depth == capacity) {
        Level* larger = (Level*)snu_malloc(2 * (size_t)capacity * sizeof(Level));
        if (!larger) {
          w->failed = 1;
          break;
        }
        memcpy(larger, levels, (size_t)capacity * sizeof(Level));
        snu_free(levels);
        levels = larger;
        capacity *= 2;
      }
      startLevel(w, levels + depth++, e);
    }
  }
  snu_free(levels);
}
