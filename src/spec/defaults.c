// MJCF's default of every attribute. NaN means "not given" where a default is computed later.

#include <math.h>
#include <string.h>

#include "sinew/deformable.h"
#include "spec/element.h"

static void defaultSolver(snReal* solref, snReal* solimp) {
  solref[0] = 0.02;
  solref[1] = 1;
  solimp[0] = 0.9;
  solimp[1] = 0.95;
  solimp[2] = 0.001;
  solimp[3] = 0.5;
  solimp[4] = 2;
}

static void fillFloat(float* dest, int n, float value) {
  for (int i = 0; i < n; i++) dest[i] = value;
}

static void grey(float rgba[4]) {
  fillFloat(rgba, 3, 0.5f);
  rgba[3] = 1;
}

void sns_defaultOrientation(snsOrientation* orient) { memset(orient, 0, sizeof(*orient)); }

void sns_defaultBody(snsBody* body) {
  memset(body, 0, sizeof(*body));
  body->quat[0] = 1;
  body->ipos[0] = NAN;
  body->iquat[0] = 1;
  body->fullinertia[0] = NAN;
}

void sns_defaultFrame(snsFrame* frame) {
  memset(frame, 0, sizeof(*frame));
  frame->quat[0] = 1;
}

void sns_defaultJoint(snsJoint* joint) {
  memset(joint, 0, sizeof(*joint));
  joint->type = snJNT_HINGE;
  joint->axis[2] = 1;
  joint->limited = 2;
  joint->align = 2;
  joint->actfrclimited = 2;
  defaultSolver(joint->solref_limit, joint->solimp_limit);
  defaultSolver(joint->solref_friction, joint->solimp_friction);
}

void sns_defaultGeom(snsGeom* geom) {
  memset(geom, 0, sizeof(*geom));
  geom->type = snGEOM_SPHERE;
  geom->quat[0] = 1;
  geom->fromto[0] = NAN;
  geom->contype = 1;
  geom->conaffinity = 1;
  geom->condim = 3;
  geom->friction[0] = 1;
  geom->friction[1] = 0.005;
  geom->friction[2] = 0.0001;
  geom->solmix = 1;
  defaultSolver(geom->solref, geom->solimp);
  geom->mass = NAN;
  geom->density = 1000;
  geom->typeinertia = snINERTIA_VOLUME;
  static const snReal fluid[5] = {0.5, 0.25, 1.5, 1.0, 1.0};
  memcpy(geom->fluid_coefs, fluid, sizeof(fluid));
  grey(geom->rgba);
  geom->fitscale = 1;
}

void sns_defaultSite(snsSite* site) {
  memset(site, 0, sizeof(*site));
  site->type = snGEOM_SPHERE;
  site->quat[0] = 1;
  site->fromto[0] = NAN;
  for (int i = 0; i < 3; i++) site->size[i] = 0.005;
  grey(site->rgba);
}

void sns_defaultCamera(snsCamera* camera) {
  memset(camera, 0, sizeof(*camera));
  camera->quat[0] = 1;
  camera->fovy = 45;
  camera->ipd = 0.068;
  camera->resolution[0] = 1;
  camera->resolution[1] = 1;
  camera->output = snCAMOUT_RGB;
}

void sns_defaultLight(snsLight* light) {
  memset(light, 0, sizeof(*light));
  light->dir[2] = -1;
  light->active = 1;
  light->castshadow = 1;
  light->bulbradius = 0.02f;
  light->range = 10;
  light->attenuation[0] = 1;
  light->cutoff = 45;
  light->exponent = 10;
  fillFloat(light->diffuse, 3, 0.7f);
  fillFloat(light->specular, 3, 0.3f);
}

void sns_defaultFlex(snsFlex* flex) {
  memset(flex, 0, sizeof(*flex));
  flex->contype = 1;
  flex->conaffinity = 1;
  flex->condim = 3;
  flex->friction[0] = 1;
  flex->friction[1] = 0.005;
  flex->friction[2] = 0.0001;
  flex->solmix = 1;
  defaultSolver(flex->solref, flex->solimp);
  flex->dim = 2;
  flex->radius = 0.005;
  flex->selfcollide = snFLEXSELF_AUTO;
  flex->activelayers = 1;
  grey(flex->rgba);
  flex->thickness = -1;
}

void sns_defaultDeformable(snsDeformable* deformable) {
  memset(deformable, 0, sizeof(*deformable));
  double* const unknown[] = {&deformable->young,
                             &deformable->poisson,
                             &deformable->density,
                             &deformable->thickness,
                             &deformable->radius,
                             &deformable->mass,
                             &deformable->margin,
                             &deformable->damping,
                             &deformable->stretch_compliance,
                             &deformable->friction[0],
                             &deformable->bend_compliance,
                             &deformable->shear_compliance,
                             &deformable->volume_compliance,
                             &deformable->twist_compliance};
  for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) *unknown[i] = NAN;
  deformable->friction[1] = 0.005;
  deformable->friction[2] = 0.0001;
  deformable->substeps = 10;
  deformable->repeats = 0;  // that of the option
  deformable->contype = 1;
  deformable->conaffinity = 1;
  deformable->condim = 3;
  defaultSolver(deformable->solref, deformable->solimp);
  grey(deformable->rgba);
}

void sns_defaultMesh(snsMesh* mesh) {
  memset(mesh, 0, sizeof(*mesh));
  mesh->refquat[0] = 1;
  for (int i = 0; i < 3; i++) mesh->scale[i] = 1;
  mesh->inertia = snMESH_INERTIA_LEGACY;
  mesh->maxhullvert = -1;
}

void sns_defaultHField(snsHField* hfield) { memset(hfield, 0, sizeof(*hfield)); }

void sns_defaultSkin(snsSkin* skin) {
  memset(skin, 0, sizeof(*skin));
  grey(skin->rgba);
}

void sns_defaultTexture(snsTexture* texture) {
  memset(texture, 0, sizeof(*texture));
  texture->type = snTEXTURE_CUBE;
  texture->nchannel = 3;
  for (int i = 0; i < 3; i++) {
    texture->rgb1[i] = 0.8;
    texture->rgb2[i] = 0.5;
  }
  texture->random = 0.01;
  texture->gridsize[0] = 1;
  texture->gridsize[1] = 1;
  memset(texture->gridlayout, '.', sizeof(texture->gridlayout));
}

void sns_defaultMaterial(snsMaterial* material) {
  memset(material, 0, sizeof(*material));
  material->texrepeat[0] = 1;
  material->texrepeat[1] = 1;
  material->specular = 0.5f;
  material->shininess = 0.5f;
  material->metallic = -1;
  material->roughness = -1;
  fillFloat(material->rgba, 4, 1);
}

void sns_defaultPair(snsPair* pair) {
  memset(pair, 0, sizeof(*pair));
  pair->condim = 3;
  defaultSolver(pair->solref, pair->solimp);
  static const double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};
  memcpy(pair->friction, friction, sizeof(friction));
}

void sns_defaultEquality(snsEquality* equality) {
  memset(equality, 0, sizeof(*equality));
  equality->active = 1;
  equality->data[1] = 1;
  equality->data[10] = 1;
  defaultSolver(equality->solref, equality->solimp);
}

void sns_defaultTendon(snsTendon* tendon) {
  memset(tendon, 0, sizeof(*tendon));
  tendon->springlength[0] = -1;
  tendon->springlength[1] = -1;
  tendon->limited = 2;
  tendon->width = 0.003;
  defaultSolver(tendon->solref_limit, tendon->solimp_limit);
  defaultSolver(tendon->solref_friction, tendon->solimp_friction);
  grey(tendon->rgba);
}

void sns_defaultActuator(snsActuator* actuator) {
  memset(actuator, 0, sizeof(*actuator));
  actuator->gainprm[0] = 1;
  actuator->dynprm[0] = 1;
  actuator->actdim = -1;
  actuator->trntype = snTRN_UNDEFINED;
  actuator->gear[0] = 1;
  actuator->ctrllimited = 2;
  actuator->forcelimited = 2;
  actuator->actlimited = 2;
}

void sns_defaultSensor(snsSensor* sensor) {
  memset(sensor, 0, sizeof(*sensor));
  sensor->needstage = snSTAGE_ACC;
}

void sns_defaultNumeric(snsNumeric* numeric) { memset(numeric, 0, sizeof(*numeric)); }
void sns_defaultText(snsText* text) { memset(text, 0, sizeof(*text)); }
void sns_defaultTuple(snsTuple* tuple) { memset(tuple, 0, sizeof(*tuple)); }
void sns_defaultKey(snsKey* key) { memset(key, 0, sizeof(*key)); }
void sns_defaultPlugin(snsPlugin* plugin) { memset(plugin, 0, sizeof(*plugin)); }
