// Default values of options, visual settings, length-range options and solver parameters.

#include <string.h>

#include "sinew/sinew.h"

static void copyReals(snReal* dest, const double* values, int n) {
  for (int i = 0; i < n; i++) dest[i] = (snReal)values[i];
}

static void copyFloats(float* dest, float x, float y, float z, float w) {
  dest[0] = x;
  dest[1] = y;
  dest[2] = z;
  dest[3] = w;
}

static void fill3(float* dest, float value) { dest[0] = dest[1] = dest[2] = value; }

void sn_defaultSolRefImp(snReal* solref, snReal* solimp) {
  static const double ref[snNREF] = {0.02, 1};
  static const double imp[snNIMP] = {0.9, 0.95, 0.001, 0.5, 2};
  if (solref) copyReals(solref, ref, snNREF);
  if (solimp) copyReals(solimp, imp, snNIMP);
}

void sn_defaultLROpt(snLROpt* opt) {
  memset(opt, 0, sizeof(*opt));
  opt->mode = snLRMODE_MUSCLE;
  opt->useexisting = 1;
  opt->accel = 20;
  opt->timeconst = 1;
  opt->timestep = (snReal)0.01;
  opt->inttotal = 10;
  opt->interval = 2;
  opt->tolrange = (snReal)0.05;
}

void sn_defaultOption(snOption* opt) {
  static const double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};
  memset(opt, 0, sizeof(*opt));
  opt->timestep = (snReal)0.002;
  opt->impratio = 1;
  opt->tolerance = (snReal)1e-8;
  opt->ls_tolerance = (snReal)0.01;
  opt->noslip_tolerance = (snReal)1e-6;
  opt->ccd_tolerance = (snReal)1e-6;
  opt->sleep_tolerance = (snReal)1e-4;
  opt->gravity[2] = (snReal)-9.81;
  opt->magnetic[1] = (snReal)-0.5;
  sn_defaultSolRefImp(opt->o_solref, opt->o_solimp);
  copyReals(opt->o_friction, friction, 5);
  opt->integrator = snINT_EULER;
  opt->cone = snCONE_PYRAMIDAL;
  opt->jacobian = snJAC_AUTO;
  opt->solver = snSOL_NEWTON;
  opt->iterations = 100;
  opt->ls_iterations = 50;
  opt->ccd_iterations = 35;
  opt->sdf_iterations = 10;
  opt->sdf_initpoints = 40;
}

static void defaultVisualColors(snVisual* vis) {
  copyFloats(vis->rgba.fog, 0, 0, 0, 1);
  copyFloats(vis->rgba.haze, 1, 1, 1, 1);
  copyFloats(vis->rgba.force, 1, .5f, .5f, 1);
  copyFloats(vis->rgba.inertia, .8f, .2f, .2f, .6f);
  copyFloats(vis->rgba.joint, .2f, .6f, .8f, 1);
  copyFloats(vis->rgba.actuator, .2f, .25f, .2f, 1);
  copyFloats(vis->rgba.actuatornegative, .2f, .6f, .9f, 1);
  copyFloats(vis->rgba.actuatorpositive, .9f, .4f, .2f, 1);
  copyFloats(vis->rgba.com, .9f, .9f, .9f, 1);
  copyFloats(vis->rgba.camera, .6f, .9f, .6f, 1);
  copyFloats(vis->rgba.light, .6f, .6f, .9f, 1);
  copyFloats(vis->rgba.selectpoint, .9f, .9f, .1f, 1);
  copyFloats(vis->rgba.connect, .2f, .2f, .8f, 1);
  copyFloats(vis->rgba.contactpoint, .9f, .6f, .2f, 1);
  copyFloats(vis->rgba.contactforce, .7f, .9f, .9f, 1);
  copyFloats(vis->rgba.contactfriction, .9f, .8f, .4f, 1);
  copyFloats(vis->rgba.contacttorque, .9f, .7f, .9f, 1);
  copyFloats(vis->rgba.contactgap, .5f, .8f, .9f, 1);
  copyFloats(vis->rgba.rangefinder, 1, 1, .1f, 1);
  copyFloats(vis->rgba.constraint, .9f, 0, 0, 1);
  copyFloats(vis->rgba.slidercrank, .5f, .3f, .8f, 1);
  copyFloats(vis->rgba.crankbroken, .9f, 0, 0, 1);
  copyFloats(vis->rgba.frustum, 1, 1, 0, .2f);
  copyFloats(vis->rgba.bv, 0, 1, 0, .5f);
  copyFloats(vis->rgba.bvactive, 1, 0, 0, .5f);
}

static void defaultVisualScale(snVisual* vis) {
  vis->scale.forcewidth = .1f;
  vis->scale.contactwidth = .3f;
  vis->scale.contactheight = .1f;
  vis->scale.connect = .2f;
  vis->scale.com = .4f;
  vis->scale.camera = .3f;
  vis->scale.light = .3f;
  vis->scale.selectpoint = .2f;
  vis->scale.jointlength = 1;
  vis->scale.jointwidth = .1f;
  vis->scale.actuatorlength = .7f;
  vis->scale.actuatorwidth = .2f;
  vis->scale.framelength = 1;
  vis->scale.framewidth = .1f;
  vis->scale.constraint = .1f;
  vis->scale.slidercrank = .2f;
  vis->scale.frustum = 10;
}

void sn_defaultVisual(snVisual* vis) {
  memset(vis, 0, sizeof(*vis));
  vis->global.cameraid = -1;
  vis->global.fovy = 45;
  vis->global.ipd = .068f;
  vis->global.azimuth = 90;
  vis->global.elevation = -45;
  vis->global.linewidth = 1;
  vis->global.glow = .3f;
  vis->global.realtime = 1;
  vis->global.offwidth = 640;
  vis->global.offheight = 480;
  vis->global.bvactive = 1;
  vis->quality.shadowsize = 4096;
  vis->quality.offsamples = 4;
  vis->quality.numslices = 28;
  vis->quality.numstacks = 16;
  vis->quality.numquads = 4;
  fill3(vis->headlight.ambient, .1f);
  fill3(vis->headlight.diffuse, .4f);
  fill3(vis->headlight.specular, .5f);
  vis->headlight.active = 1;
  vis->map.stiffness = 100;
  vis->map.stiffnessrot = 500;
  vis->map.force = .005f;
  vis->map.torque = .1f;
  vis->map.alpha = .3f;
  vis->map.fogstart = 3;
  vis->map.fogend = 10;
  vis->map.znear = .01f;
  vis->map.zfar = 50;
  vis->map.haze = .3f;
  vis->map.shadowclip = 1;
  vis->map.shadowscale = .6f;
  vis->map.actuatortendon = 2;
  defaultVisualScale(vis);
  defaultVisualColors(vis);
}
