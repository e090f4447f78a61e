// The lossless form of what is in bodies: the numbers that were given, not those that came out.
//
// Compiling is not undone by writing: a fitted primitive does not name its mesh any more, equal
// moments of inertia have no axes, frames mix up the order. So the lossless form repeats the input.
// Three things are said otherwise than they were given, because models that were attached bring
// settings of their own and a text has only one compiler: angles are in radians, by the product
// that the compiler forms; Euler angles of another sequence become quaternions; and limits are
// automatic, which is how a model that compiles has them anyway. Where an attached model has other
// rules for inertias, all bodies get theirs explicitly.

#include <math.h>
#include <string.h>

#include "mjcf/writer.h"

#define GROUPS(...) ((const snAttr* const[]){__VA_ARGS__, NULL})

// ---- settings ----

static int sameInertiaRules(const snsCompiler* a, const snsCompiler* b) {
  return a->boundmass == b->boundmass && a->boundinertia == b->boundinertia &&
         a->balanceinertia == b->balanceinertia && a->inertiafromgeom == b->inertiafromgeom &&
         a->inertiagrouprange[0] == b->inertiagrouprange[0] &&
         a->inertiagrouprange[1] == b->inertiagrouprange[1];
}

// a free joint that its own tag can say, or one that needs that of other joints
static int isFreeJoint(const snWriter* w, const snElem* e) {
  snsJoint joint = *(const snsJoint*)e->object;
  const snsJoint* plain = (const snsJoint*)sn_classDummy(w->base, snOBJ_JOINT)->object;
  if (joint.type != snJNT_FREE) return 0;
  joint.type = plain->type;
  joint.group = plain->group;
  return sn_sameAttributes(sn_attrJoint, &joint, plain);
}

static int alignOf(const snElem* e) {
  int align = ((const snsJoint*)e->object)->align;
  return align == snALIGNFREE_AUTO ? sn_elemCompiler(e->parent)->alignfree : align;
}

void sn_planSource(snWriter* w) {
  const snsCompiler* settings = &w->spec->compiler;
  int decided = 0;
  w->given = 1;
  w->align = settings->alignfree;
  for (const snElem* body = sn_world(w->spec); body; body = sn_nextBody(body)) {
    if (!sameInertiaRules(settings, sn_elemCompiler(body))) w->given = 0;
    SN_EACH(e, sn_bodyList(body, snOBJ_JOINT)) {
      if (((const snsJoint*)e->object)->type != snJNT_FREE || isFreeJoint(w, e)) continue;
      if (decided && w->align != alignOf(e)) {
        w->problem = "free joints with other attributes that differ in their alignment";
      }
      decided = 1;
      w->align = alignOf(e);
    }
  }
}

void sn_writeSourceCompiler(snWriter* w) {
  snsCompiler compiler = w->spec->compiler;
  const snsCompiler* plain = &w->plain->compiler;
  compiler.alignfree = w->align;
  if (!w->given) {
    compiler.boundmass = compiler.boundinertia = 0;
    compiler.balanceinertia = 0;
    compiler.inertiafromgeom = snINERTIAFROMGEOM_AUTO;
  }
  sn_writeText(w, "angle", "radian");
  if (memcmp(compiler.eulerseq, plain->eulerseq, 3)) {
    char sequence[4] = {compiler.eulerseq[0], compiler.eulerseq[1], compiler.eulerseq[2], 0};
    sn_writeText(w, "eulerseq", sequence);
  }
  sn_writeSourceFolder(w, "meshdir", compiler.meshdir);
  sn_writeSourceFolder(w, "texturedir", compiler.texturedir);
  sn_writeList(w, GROUPS(sn_attrCompiler),
               "usethread boundmass boundinertia settotalmass balanceinertia fitaabb discardvisual "
               "fusestatic inertiafromgeom inertiagrouprange saveinertial alignfree",
               &compiler, plain);
  sn_writeOpen(w, "lengthrange");
  sn_writeAll(w, sn_attrLengthRange, &compiler.LRopt, &plain->LRopt);
  sn_writeClose(w, "lengthrange");
}

// ---- orientations ----

// One of the forms beside quat. Classes have none of them: their elements say them.
static void writeOrientation(snWriter* w, const snElem* e, const snsOrientation* alt) {
  const snsCompiler* settings = sn_elemCompiler(e);
  double numbers[6];
  int count = 0;
  switch (alt->type) {
    case snORIENTATION_AXISANGLE:
      memcpy(numbers, alt->axisangle, sizeof(alt->axisangle));
      if (settings->degree) numbers[3] = numbers[3] / 180 * snPI;
      sn_writeDoubles(w, "axisangle", numbers, 4);
      break;
    case snORIENTATION_XYAXES: sn_writeDoubles(w, "xyaxes", alt->xyaxes, 6); break;
    case snORIENTATION_ZAXIS: sn_writeDoubles(w, "zaxis", alt->zaxis, 3); break;
    case snORIENTATION_EULER:
      if (memcmp(settings->eulerseq, w->spec->compiler.eulerseq, 3)) {
        sns_resolveOrientation(numbers, settings->degree, settings->eulerseq, alt);
        sn_writeDoubles(w, "quat", numbers, 4);
        break;
      }
      for (; count < 3; count++) {
        numbers[count] = settings->degree ? alt->euler[count] / 180 * snPI : alt->euler[count];
      }
      sn_writeDoubles(w, "euler", numbers, 3);
      break;
    default: break;
  }
}

// a quaternion that another form takes the place of says nothing
#define HIDE_QUAT(mine, theirs) \
  if ((mine).alt.type != snORIENTATION_QUAT) memcpy((mine).quat, (theirs).quat, sizeof((mine).quat))

// ---- elements, in bodies (part.elem) and in classes ----

static void writeGeom(snWriter* w, snPart part) {
  snsGeom geom = *(const snsGeom*)part.object;
  const snsGeom* reference = (const snsGeom*)part.reference;
  HIDE_QUAT(geom, *reference);
  sn_writeAll(w, sn_attrGeom, &geom, reference);
  if (part.elem) writeOrientation(w, part.elem, &geom.alt);
  if (part.elem) sn_writePlugin(w, &geom.plugin);
}

static void writeSite(snWriter* w, snPart part) {
  snsSite site = *(const snsSite*)part.object;
  const snsSite* reference = (const snsSite*)part.reference;
  HIDE_QUAT(site, *reference);
  sn_writeAll(w, sn_attrSite, &site, reference);
  if (part.elem) writeOrientation(w, part.elem, &site.alt);
}

static void writeCamera(snWriter* w, snPart part) {
  snsCamera camera = *(const snsCamera*)part.object;
  snsCamera reference = *(const snsCamera*)part.reference;
  HIDE_QUAT(camera, reference);
  // with a sensor the field of view is computed
  if (camera.sensor_size[0] > 0 && camera.sensor_size[1] > 0) camera.fovy = reference.fovy;
  const snsCamera* plain = (const snsCamera*)sn_classDummy(w->base, snOBJ_CAMERA)->object;
  reference.userdata = plain->userdata;  // not inherited
  if (!part.elem) camera.userdata = plain->userdata;
  sn_writeAll(w, sn_attrCamera, &camera, &reference);
  if (!part.elem) return;
  sn_writeAll(w, sn_attrCameraOwn, &camera, &reference);
  writeOrientation(w, part.elem, &camera.alt);
}

static void writeLight(snWriter* w, snPart part) {
  sn_writeAll(w, sn_attrLight, part.object, part.reference);
  sn_writeAll(w, sn_attrLightOwn, part.object, part.reference);
}

// in radians what the compiler turns into radians
static void convertAngles(const snElem* e, snsJoint* joint) {
  if (!sn_elemCompiler(e)->degree) return;
  int limited = joint->limited == snLIMITED_AUTO ? joint->range[0] < joint->range[1]
                                                 : joint->limited == snLIMITED_TRUE;
  if (limited && (joint->type == snJNT_HINGE || joint->type == snJNT_BALL)) {
    joint->range[0] *= snPI / 180;
    joint->range[1] *= snPI / 180;
  }
  if (joint->type == snJNT_HINGE) {
    joint->ref *= snPI / 180;
    joint->springref *= snPI / 180;
  }
}

// classes do not know what their angles mean
static void hideAngles(snsJoint* joint) {
  joint->range[0] = joint->range[1] = joint->ref = joint->springref = 0;
}

static void writeJoint(snWriter* w, snPart part) {
  snsJoint joint = *(const snsJoint*)part.object, reference = *(const snsJoint*)part.reference;
  hideAngles(&reference);
  if (part.elem) {
    convertAngles(part.elem, &joint);
  } else {
    hideAngles(&joint);
  }
  sn_writeAll(w, sn_attrJoint, &joint, &reference);
}

void sn_writeSourcePart(snWriter* w, snObj type, snPart part) {
  switch (type) {
    case snOBJ_JOINT: writeJoint(w, part); break;
    case snOBJ_GEOM: writeGeom(w, part); break;
    case snOBJ_SITE: writeSite(w, part); break;
    case snOBJ_CAMERA: writeCamera(w, part); break;
    default: writeLight(w, part); break;
  }
}

static void writeFreeJoint(snWriter* w, const snElem* e) {
  snsJoint joint = *(const snsJoint*)e->object;
  joint.align = alignOf(e) == w->align ? snALIGNFREE_AUTO : alignOf(e);
  sn_writeOpen(w, "freejoint");
  sn_writeName(w, "name", &e->name);
  sn_writeAll(w, sn_attrFreeJoint, &joint, sn_classDummy(w->base, snOBJ_JOINT)->object);
  sn_writeClose(w, "freejoint");
}

void sn_writeSourceLeaf(snWriter* w, const snElem* e, const snElem* around) {
  if (e->head.elemtype == snOBJ_JOINT && isFreeJoint(w, e)) {
    writeFreeJoint(w, e);
    return;
  }
  const char* tag = sn_typeName(e->head.elemtype);
  sn_writeOpen(w, tag);
  sn_writeIdentity(w, e, around);
  sn_writeSourcePart(w, e->head.elemtype, (snPart){e, e->object, sn_writeReference(w, e)});
  sn_writeClose(w, tag);
}

// ---- bodies and frames ----

static void writeInertial(snWriter* w, const snElem* e) {
  snsBody body = *(const snsBody*)(w->given ? e->object : sn_resolved(e)), plain;
  if (w->given && !body.explicitinertial) return;
  sns_defaultBody(&plain);
  if (!w->given) {
    body.ialt.type = snORIENTATION_QUAT;
    body.fullinertia[0] = NAN;
  }
  if (body.ialt.type != snORIENTATION_QUAT) memcpy(body.iquat, plain.iquat, sizeof(body.iquat));
  sn_writeOpen(w, "inertial");
  sn_writeList(w, GROUPS(sn_attrInertial), "pos! quat mass! diaginertia fullinertia", &body,
               &plain);
  writeOrientation(w, e, &body.ialt);
  sn_writeClose(w, "inertial");
}

static void writeChildClass(snWriter* w, const snElem* e, const snElem* around) {
  const snElem* main = sn_specData(w->spec)->main;
  const snElem *mine = e->def ? e->def : main, *outer = around ? around : main;
  if (mine != outer) sn_writeText(w, "childclass", sn_elemName(mine));
}

void sn_writeSourceBody(snWriter* w, const snElem* e, const snElem* around) {
  snsBody body = *(const snsBody*)e->object, plain;
  sns_defaultBody(&plain);
  snDoubleVec none = {0};
  plain.userdata = &none;
  sn_writeOpen(w, "body");
  sn_writeName(w, "name", &e->name);
  writeChildClass(w, e, around);
  HIDE_QUAT(body, plain);
  sn_writeAll(w, sn_attrBody, &body, &plain);
  writeOrientation(w, e, &body.alt);
  writeInertial(w, e);
}

void sn_writeSourceFrame(snWriter* w, const snElem* e, const snElem* around, int again) {
  snsFrame frame = *(const snsFrame*)e->object, plain;
  sns_defaultFrame(&plain);
  sn_writeOpen(w, "frame");
  if (!again) sn_writeName(w, "name", &e->name);
  writeChildClass(w, e, around);
  HIDE_QUAT(frame, plain);
  sn_writeAll(w, sn_attrFrame, &frame, &plain);
  writeOrientation(w, e, &frame.alt);
}
