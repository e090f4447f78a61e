// Bodies: the order in which the parts of a body are resolved.

#include <math.h>
#include <string.h>

#include "compile/compiler.h"
#include "model/plugin.h"

// the inertial element: principal axes and moments
static int compileInertial(snCompiler* c, snBodyItem* body) {
  snsBody* spec = &body->spec;
  if (!isnan(spec->fullinertia[0])) {
    if (spec->ialt.type != snORIENTATION_QUAT) {
      return sn_itemError(c, body->elem,
                          "fullinertia and inertial orientation cannot both be specified");
    }
    if (body->elem->summed) {
      memset(spec->inertia, 0, sizeof(spec->inertia));
    }
    if (spec->inertia[0] != 0 || spec->inertia[1] != 0 || spec->inertia[2] != 0) {
      return sn_itemError(c, body->elem,
                          "fullinertia and diagonal inertia cannot both be specified");
    }
    SN_TRY(sn_fullInertia(c, body->elem, spec->fullinertia, spec->iquat, spec->inertia));
  }
  const snsCompiler* settings = sn_elemCompiler(body->elem);
  const char* error =
      sns_resolveOrientation(spec->iquat, settings->degree, settings->eulerseq, &spec->ialt);
  return error ? sn_itemError(c, body->elem, "error '%s' in inertia alternative", error) : 0;
}

void sn_setCollisionMasks(snBodyItem* body) {
  body->contype = body->conaffinity = 0;
  body->margin = 0;
  for (const snGeomItem* geom = body->geoms; geom; geom = geom->next) {
    body->contype |= geom->spec.contype;
    body->conaffinity |= geom->spec.conaffinity;
    body->margin = fmax(body->margin, geom->spec.margin);
  }
}

// a free body without children may get its frame moved to its inertial frame
static void alignFree(snBodyItem* body) {
  snsBody* spec = &body->spec;
  const snJointItem* joint = body->joints;
  if (body->njoint != 1 || joint->spec.type != snJNT_FREE || body->firstchild) return;
  int align = joint->spec.align;
  if (align == snALIGNFREE_AUTO) align = sn_elemCompiler(body->elem)->alignfree;
  if (!align) return;
  sn_invertPose(body->alignpos, body->alignquat, spec->ipos, spec->iquat);
  body->aligned = 1;
  sn_frameAccum(spec->pos, spec->quat, spec->ipos, spec->iquat);
  memset(spec->ipos, 0, sizeof(spec->ipos));
  spec->iquat[0] = 1;
  spec->iquat[1] = spec->iquat[2] = spec->iquat[3] = 0;
  for (snGeomItem* geom = body->geoms; geom; geom = geom->next) {
    sn_composeOnto(body->alignpos, body->alignquat, geom->spec.pos, geom->spec.quat);
  }
}

static void alignRest(snBodyItem* body) {
  double identity[4] = {1, 0, 0, 0};
  for (snSiteItem* site = body->sites; site; site = site->next) {
    sn_composeOnto(body->alignpos, body->alignquat, site->spec.pos, site->spec.quat);
  }
  for (snCameraItem* cam = body->cameras; cam; cam = cam->next) {
    sn_composeOnto(body->alignpos, body->alignquat, cam->spec.pos, cam->spec.quat);
  }
  for (snLightItem* light = body->lights; light; light = light->next) {
    double scratch[4] = {identity[0], identity[1], identity[2], identity[3]};
    sn_composeOnto(body->alignpos, body->alignquat, light->spec.pos, scratch);
    sn_rotateVec(light->spec.dir, light->spec.dir, body->alignquat);
  }
}

static int checkJoints(snCompiler* c, const snBodyItem* body) {
  int ball = 0;
  if (body->dofnum > 6)
    return sn_itemError(c, body->elem, "more than 6 dofs in body '%.100s'",
                        sn_elemName(body->elem));
  for (const snJointItem* joint = body->joints; joint; joint = joint->next) {
    snJoint type = joint->spec.type;
    if (ball && (type == snJNT_BALL || type == snJNT_HINGE)) {
      return sn_itemError(c, body->elem, "ball followed by rotation in body '%.100s'",
                          sn_elemName(body->elem));
    }
    ball |= type == snJNT_BALL;
    if (type != snJNT_FREE) continue;
    if (body->njoint > 1) {
      return sn_itemError(c, body->elem, "free joint can only appear by itself");
    }
  }
  return 0;
}

// after masses: a body without mass is refused for that first
int sn_checkFreeJoints(snCompiler* c) {
  for (int i = 1; i < c->nbody; i++) {
    const snBodyItem* body = c->bodies[i];
    for (const snJointItem* joint = body->joints; joint; joint = joint->next) {
      if (joint->spec.type == snJNT_FREE && body->parent->parent) {
        return sn_itemError(c, body->elem, "free joint can only be used on top level");
      }
    }
  }
  return 0;
}

static int checkBody(snCompiler* c, const snBodyItem* body) {
  const snsBody* spec = &body->spec;
  if (spec->mocap && (body->njoint || !body->parent || body->parent->parent)) {
    return sn_itemError(c, body->elem, "mocap body '%.100s' is not a fixed child of world",
                        sn_elemName(body->elem));
  }
  return 0;
}

int sn_checkSleepPolicies(snCompiler* c) {
  for (int i = 0; i < c->nbody; i++) {
    const snBodyItem* body = c->bodies[i];
    int first = body->njoint && body->parent->weld->id == 0;
    if (body->spec.sleep != snSLEEP_AUTO && !first) {
      return sn_itemError(c, body->elem, "sleep policy only allowed for movable root bodies");
    }
  }
  return 0;
}

static int compileBody(snCompiler* c, snBodyItem* body) {
  snsBody* spec = &body->spec;
  SN_TRY(sn_checkUser(c, body->elem));
  SN_TRY(sn_compileFrames(c, body));
  sn_normalizeVec(spec->quat, 4);
  sn_normalizeVec(spec->iquat, 4);
  SN_TRY(sn_resolveQuat(c, body->elem, spec->quat, &spec->alt));
  SN_TRY(compileInertial(c, body));
  for (snGeomItem* geom = body->geoms; geom; geom = geom->next) SN_TRY(sn_compileGeom(c, geom));
  SN_TRY(sn_inferInertial(c, body));
  if (isnan(spec->ipos[0])) {
    // nothing given, nothing inferred: the body's own pose, before its frame
    memcpy(spec->ipos, spec->pos, sizeof(spec->ipos));
    memcpy(spec->iquat, spec->quat, sizeof(spec->iquat));
  }
  SN_TRY(sn_checkInertial(c, body));
  body->own.mass = spec->mass;
  memcpy(body->own.inertia, spec->inertia, sizeof(spec->inertia));
  memcpy(body->own.pos, spec->ipos, sizeof(spec->ipos));
  memcpy(body->own.quat, spec->iquat, sizeof(spec->iquat));
  sn_applyFrame(body->elem, spec->pos, spec->quat);
  sn_setCollisionMasks(body);
  alignFree(body);
  for (snJointItem* joint = body->joints; joint; joint = joint->next) {
    SN_TRY(sn_compileJoint(c, joint));
  }
  SN_TRY(checkJoints(c, body));
  SN_TRY(checkBody(c, body));
  for (snSiteItem* site = body->sites; site; site = site->next) SN_TRY(sn_compileSite(c, site));
  for (snCameraItem* cam = body->cameras; cam; cam = cam->next) SN_TRY(sn_compileCamera(c, cam));
  for (snLightItem* light = body->lights; light; light = light->next) {
    SN_TRY(sn_compileLight(c, light));
  }
  if (body->aligned) alignRest(body);
  return sn_checkPluginUse(c, body->elem, &spec->plugin, snCAP_PASSIVE, "passive forces");
}

int sn_compileBodies(snCompiler* c) {
  if (c->bodies[0]->njoint) return sn_itemError(c, NULL, "joint found in world body");
  for (int i = 0; i < c->nbody; i++) SN_TRY(compileBody(c, c->bodies[i]));
  return 0;
}
