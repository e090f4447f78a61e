// Cameras and lights.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "compile/compiler.h"

static int findTarget(snCompiler* c, const snElem* elem, const snString* name,
                      snBodyItem** target) {
  *target = NULL;
  if (sn_stringEmpty(name)) return 0;
  *target = (snBodyItem*)sn_findItem(c, snOBJ_BODY, sns_getString(name));
  if (*target) return 0;
  return sn_itemError(c, elem, "unknown target body in %s", sn_typeName(elem->head.elemtype));
}

// focal length and principal point in length units, and the field of view that follows; all of it
// in single precision
static void compileIntrinsic(snsCamera* spec) {
  for (int k = 0; k < 2; k++) {
    float density = (float)spec->resolution[k] / spec->sensor_size[k];
    spec->intrinsic[k] =
        spec->focal_pixel[k] != 0 ? spec->focal_pixel[k] / density : spec->focal_length[k];
    spec->intrinsic[2 + k] = spec->principal_pixel[k] != 0 ? spec->principal_pixel[k] / density
                                                           : spec->principal_length[k];
  }
  spec->fovy = (double)atan2f(spec->sensor_size[1] / 2, spec->intrinsic[1]) * 360.0 / snPI;
}

static int anyNonzero(const float* values) { return values[0] != 0 || values[1] != 0; }

int sn_compileCamera(snCompiler* c, snCameraItem* camera) {
  snsCamera* spec = &camera->spec;
  const snElem* elem = camera->elem;
  SN_TRY(sn_checkUser(c, elem));
  SN_TRY(sn_resolveQuat(c, elem, spec->quat, &spec->alt));
  sn_applyFrame(elem, spec->pos, spec->quat);
  sn_normalizeVec(spec->quat, 4);
  SN_TRY(findTarget(c, elem, spec->targetbody, &camera->target));
  if (spec->fovy >= 180) {
    return sn_itemError(c, elem, "fovy too large in camera '%.100s' (id = %d, value = %.10g)",
                        sn_elemName(elem), camera->elem->id, floor(spec->fovy));
  }
  int sensor = spec->sensor_size[0] > 0 && spec->sensor_size[1] > 0;
  if (!sensor && (anyNonzero(spec->focal_length) || anyNonzero(spec->focal_pixel) ||
                  anyNonzero(spec->principal_length) || anyNonzero(spec->principal_pixel))) {
    return sn_itemError(c, elem, "focal/principal require sensorsize in camera '%.100s' (id = %d)",
                        sn_elemName(elem), elem->id);
  }
  if (sensor && (spec->resolution[0] <= 0 || spec->resolution[1] <= 0)) {
    return sn_itemError(c, elem,
                        "sensorsize requires positive resolution in camera '%.100s' (id = %d)",
                        sn_elemName(elem), elem->id);
  }
  if (sensor) {
    compileIntrinsic(spec);
  } else {
    spec->intrinsic[0] = spec->intrinsic[1] = c->spec->visual.map.znear;
    spec->intrinsic[2] = spec->intrinsic[3] = 0;
  }
  return 0;
}

int sn_compileLight(snCompiler* c, snLightItem* light) {
  snsLight* spec = &light->spec;
  const snElem* elem = light->elem;
  if (elem->frame && elem->frame->scratch) {
    double identity[4] = {1, 0, 0, 0};
    sn_applyFrame(elem, spec->pos, identity);
    sn_rotateVec(spec->dir, spec->dir, ((const snFrameItem*)elem->frame->scratch)->quat);
  }
  if (sn_normalizeVec(spec->dir, 3) < SN_EPS) {
    return sn_itemError(c, elem, "zero direction in light");
  }
  SN_TRY(findTarget(c, elem, spec->targetbody, &light->target));
  light->texid = -1;
  if (!sn_stringEmpty(spec->texture) && !sn_isDiscarded(c, elem, snOBJ_TEXTURE, spec->texture)) {
    const void* texture = sn_findItem(c, snOBJ_TEXTURE, sns_getString(spec->texture));
    if (!texture) {
      const char* name = sns_getString(spec->texture);
      return sn_plainMessages() ? sn_itemError(c, elem, "unknown texture in light")
                                : sn_itemError(c, elem, "unknown texture in light: '%s'", name);
    }
    light->texid = sn_itemId(snOBJ_TEXTURE, texture);
  }
  return 0;
}

// after fusing: once more from the elements
int sn_compileCameras(snCompiler* c) {
  for (int i = 0; i < c->ncam; i++) {
    snCameraItem* camera = c->cameras[i];
    if (camera->body->elem != camera->elem->parent) continue;  // moved to the parent by fusing
    memcpy(&camera->spec, camera->elem->object, sizeof(camera->spec));
    SN_TRY(sn_compileCamera(c, camera));
  }
  for (int i = 0; i < c->nlight; i++) {
    snLightItem* light = c->lights[i];
    if (light->body->elem != light->elem->parent) continue;
    memcpy(&light->spec, light->elem->object, sizeof(light->spec));
    SN_TRY(sn_compileLight(c, light));
  }
  return 0;
}

static void fillLight(snModel* m, const snLightItem* light) {
  SN_ASSERT_INDEX(light->id, m->nlight);
  int i = light->id;
  sn_fillCopied(m, snOBJ_LIGHT, i, &light->spec);
  m->light_bodyid[i] = light->body->id;
  m->light_targetbodyid[i] = light->target ? light->target->id : -1;
  m->light_texid[i] = light->texid;
}

void sn_fillCameras(snCompiler* c) {
  snModel* m = c->m;
  for (int i = 0; i < c->ncam; i++) {
    const snCameraItem* camera = c->cameras[i];
    sn_fillCopied(m, snOBJ_CAMERA, i, &camera->spec);
    m->cam_bodyid[i] = camera->body->id;
    m->cam_targetbodyid[i] = camera->target ? camera->target->id : -1;
  }
  for (int i = 0; i < c->nlight; i++) fillLight(m, c->lights[i]);
}
