// Default values of options, visual settings, length-range options and solver parameters.

#include <string.h>

#include "sinew/sinew.h"

static void copyReals(snReal* dest, const double* values, int n) {
  for (int i = 0; i < n; i++) dest[i] = (snReal)values[i];
}

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

void sn_defaultVisual(snVisual* vis) {
  // clang-format off
  static const snVisual kVisual = {
      .global = {.cameraid = -1, .fovy = 45, .ipd = .068f, .azimuth = 90, .elevation = -45,
                 .linewidth = 1, .glow = .3f, .realtime = 1, .offwidth = 640, .offheight = 480,
                 .bvactive = 1},
      .quality = {.shadowsize = 4096, .offsamples = 4, .numslices = 28, .numstacks = 16,
                  .numquads = 4},
      .headlight = {.ambient = {.1f, .1f, .1f}, .diffuse = {.4f, .4f, .4f},
                    .specular = {.5f, .5f, .5f}, .active = 1},
      .map = {.stiffness = 100, .stiffnessrot = 500, .force = .005f, .torque = .1f, .alpha = .3f,
              .fogstart = 3, .fogend = 10, .znear = .01f, .zfar = 50, .haze = .3f, .shadowclip = 1,
              .shadowscale = .6f, .actuatortendon = 2},
      .scale = {.forcewidth = .1f, .contactwidth = .3f, .contactheight = .1f, .connect = .2f,
                .com = .4f, .camera = .3f, .light = .3f, .selectpoint = .2f, .jointlength = 1,
                .jointwidth = .1f, .actuatorlength = .7f, .actuatorwidth = .2f, .framelength = 1,
                .framewidth = .1f, .constraint = .1f, .slidercrank = .2f, .frustum = 10},
      .rgba = {.fog = {0, 0, 0, 1}, .haze = {1, 1, 1, 1}, .force = {1, .5f, .5f, 1},
               .inertia = {.8f, .2f, .2f, .6f}, .joint = {.2f, .6f, .8f, 1},
               .actuator = {.2f, .25f, .2f, 1}, .actuatornegative = {.2f, .6f, .9f, 1},
               .actuatorpositive = {.9f, .4f, .2f, 1}, .com = {.9f, .9f, .9f, 1},
               .camera = {.6f, .9f, .6f, 1}, .light = {.6f, .6f, .9f, 1},
               .selectpoint = {.9f, .9f, .1f, 1}, .connect = {.2f, .2f, .8f, 1},
               .contactpoint = {.9f, .6f, .2f, 1}, .contactforce = {.7f, .9f, .9f, 1},
               .contactfriction = {.9f, .8f, .4f, 1}, .contacttorque = {.9f, .7f, .9f, 1},
               .contactgap = {.5f, .8f, .9f, 1}, .rangefinder = {1, 1, .1f, 1},
               .constraint = {.9f, 0, 0, 1}, .slidercrank = {.5f, .3f, .8f, 1},
               .crankbroken = {.9f, 0, 0, 1}, .frustum = {1, 1, 0, .2f}, .bv = {0, 1, 0, .5f},
               .bvactive = {1, 0, 0, .5f}}};
  // clang-format on
  *vis = kVisual;
}
