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
  // forces of these have no limits: what is said of them is not kept
  if (part.elem && !w->source && (joint->type == snJNT_FREE || joint->type == snJNT_BALL)) {
    reference.actfrclimited = joint->actfrclimited;
  }
  sn_writeList(w, GROUPS(sn_attrJoint),
               "type group ref springref solreflimit* solimplimit* solreffriction* "
               "solimpfriction* stiffness limited range actuatorfrclimited actuatorgravcomp "
               "actuatorfrcrange margin armature damping frictionloss",
               joint, &reference);
  sn_writeUser(w, joint->userdata, part.elem ? reference.userdata : NULL, w->sizes->nuser_jnt);
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
  sn_writeUser(w, geom->userdata, part.elem ? reference->userdata : NULL, w->sizes->nuser_geom);
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
  sn_writeUser(w, site->userdata, part.elem ? reference->userdata : NULL, w->sizes->nuser_site);
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
  sn_writeUser(w, camera->userdata, part.elem ? reference->userdata : NULL, w->sizes->nuser_cam);
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

// class that a frame names; NULL for none, as frames have that a program made
static const snElem* frameClass(const snWriter* w, const snElem* frame) {
  const snString* name = ((const snsFrame*)frame->object)->childclass;
  return sn_stringEmpty(name) ? NULL : sn_findName(w->spec, snOBJ_DEFAULT, sns_getString(name));
}

// class that holds around an element
static const snElem* classAround(const snWriter* w, const snElem* e) {
  const snElem* parent = e->parent ? e->parent->def : NULL;
  if (!e->frame) return parent;
  if (w->source) return e->frame->def;
  const snElem* own = frameClass(w, e->frame);
  return own ? own : parent;
}

static int isMain(const snWriter* w, const snElem* def) {
  return !def || def == sn_specData(w->spec)->main;
}

void sn_openBody(snWriter* w, const snElem* e) {
  if (!e->parent) {
    sn_writeOpen(w, "worldbody");
    return;
  }
  if (w->source) {
    sn_writeSourceBody(w, e, classAround(w, e));
    return;
  }
  const snsBody* body = (const snsBody*)sn_resolved(e);
  sn_writeOpen(w, "body");
  sn_writeName(w, "name", &e->name);
  if (e->def != classAround(w, e) && !isMain(w, e->def)) {
    sn_writeText(w, "childclass", sn_elemName(e->def));
  }
  // positions of bodies are left out only where they are exactly zero
  writePose(w, body->pos, body->quat, body->pos[0] != 0 || body->pos[1] != 0 || body->pos[2] != 0);
  snsBody reference;
  sns_defaultBody(&reference);
  sn_writeList(w, GROUPS(sn_attrBody), "mocap gravcomp sleep", body, &reference);
  sn_writeUser(w, body->userdata, NULL, w->sizes->nuser_body);
  writeInertial(w, body);
}

// frames are dissolved, unless they have a name or a class
int sn_isFrameWritten(const snWriter* w, const snElem* frame) {
  return !sn_stringEmpty(&frame->name) || !isMain(w, frameClass(w, frame));
}

void sn_openFrame(snWriter* w, const snElem* e) {
  if (w->source) {
    sn_writeSourceFrame(w, e, classAround(w, e), e->scratch != NULL);
    return;
  }
  sn_writeOpen(w, "frame");
  sn_writeName(w, "name", &e->name);
  const snElem* class = frameClass(w, e);
  if (!isMain(w, class)) sn_writeText(w, "childclass", sn_elemName(class));
}

void sn_writeLeaf(snWriter* w, const snElem* e) {
  const snElem* around = classAround(w, e);
  if (w->source) {
    sn_writeSourceLeaf(w, e, around);
    return;
  }
  switch (e->head.elemtype) {
    case snOBJ_JOINT: writeJoint(w, e, around); break;
    case snOBJ_GEOM: writeGeom(w, e, around); break;
    case snOBJ_SITE: writeSite(w, e, around); break;
    case snOBJ_CAMERA: writeCamera(w, e, around); break;
    default: writeLight(w, e, around); break;
  }
}
