// Actuator shortcuts: each fills the general actuator. Returns "" or what is wrong.

#include <string.h>

#include "spec/element.h"

// a shortcut says what the force is: a law that a class named is gone
static void forgetLaw(snsActuator* actuator) {
  if (actuator->gain_model) sns_setString(actuator->gain_model, "");
  if (actuator->gain_params) sns_setDouble(actuator->gain_params, NULL, 0);
}

const char* sns_setToMotor(snsActuator* actuator) {
  forgetLaw(actuator);
  actuator->gainprm[0] = 1;
  actuator->dyntype = snDYN_NONE;
  actuator->gaintype = snGAIN_FIXED;
  actuator->biastype = snBIAS_NONE;
  return "";
}

const char* sns_setToPosition(snsActuator* actuator, double kp, double kv[1], double dampratio[1],
                              double timeconst[1], double inheritrange) {
  forgetLaw(actuator);
  actuator->gainprm[0] = kp;
  actuator->biasprm[1] = -kp;
  if (kv && dampratio) return "kv and dampratio cannot both be defined";
  if (kv) {
    if (kv[0] < 0) return "kv cannot be negative";
    actuator->biasprm[2] = -kv[0];
  }
  // positive: turned into a damping when the mass is known
  if (dampratio) {
    if (dampratio[0] < 0) return "dampratio cannot be negative";
    actuator->biasprm[2] = dampratio[0];
  }
  if (timeconst) {
    if (timeconst[0] < 0) return "timeconst cannot be negative";
    actuator->dynprm[0] = timeconst[0];
    actuator->dyntype = timeconst[0] == 0 ? snDYN_NONE : snDYN_FILTEREXACT;
  }
  actuator->inheritrange = inheritrange;
  if (inheritrange > 0 && (actuator->ctrlrange[0] || actuator->ctrlrange[1])) {
    return "ctrlrange and inheritrange cannot both be defined";
  }
  actuator->gaintype = snGAIN_FIXED;
  actuator->biastype = snBIAS_AFFINE;
  return "";
}

// the position servo's complaints are ignored: what it had set by then stays
const char* sns_setToIntVelocity(snsActuator* actuator, double kp, double kv[1],
                                 double dampratio[1], double timeconst[1], double inheritrange) {
  sns_setToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
  actuator->dyntype = snDYN_INTEGRATOR;
  actuator->actlimited = 1;
  if (inheritrange > 0 && (actuator->actrange[0] || actuator->actrange[1])) {
    return "actrange and inheritrange cannot both be defined";
  }
  return "";
}

const char* sns_setToVelocity(snsActuator* actuator, double kv) {
  forgetLaw(actuator);
  memset(actuator->biasprm, 0, sizeof(actuator->biasprm));
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
  actuator->dyntype = snDYN_NONE;
  actuator->gaintype = snGAIN_FIXED;
  actuator->biastype = snBIAS_AFFINE;
  return "";
}

static int hasNegativeControl(const snsActuator* actuator) {
  return actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0;
}

const char* sns_setToDamper(snsActuator* actuator, double kv) {
  forgetLaw(actuator);
  memset(actuator->gainprm, 0, sizeof(actuator->gainprm));
  actuator->gainprm[2] = -kv;
  actuator->ctrllimited = 1;
  actuator->dyntype = snDYN_NONE;
  actuator->gaintype = snGAIN_AFFINE;
  actuator->biastype = snBIAS_NONE;
  if (kv < 0) return "damping coefficient cannot be negative";
  return hasNegativeControl(actuator) ? "damper control range cannot be negative" : "";
}

const char* sns_setToCylinder(snsActuator* actuator, double timeconst, double bias, double area,
                              double diameter) {
  forgetLaw(actuator);
  actuator->dynprm[0] = timeconst;
  actuator->biasprm[0] = bias;
  actuator->gainprm[0] = area;
  if (diameter >= 0) actuator->gainprm[0] = snPI / 4 * diameter * diameter;
  actuator->dyntype = snDYN_FILTER;
  actuator->gaintype = snGAIN_FIXED;
  actuator->biastype = snBIAS_AFFINE;
  return "";
}

const char* sns_setToMuscle(snsActuator* actuator, double timeconst[2], double tausmooth,
                            double range[2], double force, double scale, double lmin, double lmax,
                            double vmax, double fpmax, double fvmax) {
  forgetLaw(actuator);
  // values that no class has touched become the muscle's defaults
  static const double initial[9] = {1};
  static const double muscle[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  double* gain = actuator->gainprm;
  if (actuator->dynprm[0] == 1) actuator->dynprm[0] = 0.01;
  if (actuator->dynprm[1] == 0) actuator->dynprm[1] = 0.04;
  for (int i = 0; i < 9; i++) {
    if (gain[i] == initial[i]) gain[i] = muscle[i];
  }
  if (tausmooth < 0) return "muscle tausmooth cannot be negative";
  actuator->dynprm[2] = tausmooth;
  for (int i = 0; i < 2; i++) {
    if (timeconst[i] >= 0) actuator->dynprm[i] = timeconst[i];
    if (range[i] >= 0) gain[i] = range[i];
  }
  const double given[7] = {force, scale, lmin, lmax, vmax, fpmax, fvmax};
  for (int i = 0; i < 7; i++) {
    if (given[i] >= 0) gain[2 + i] = given[i];
  }
  memcpy(actuator->biasprm, gain, 9 * sizeof(double));
  actuator->dyntype = snDYN_MUSCLE;
  actuator->gaintype = snGAIN_MUSCLE;
  actuator->biastype = snBIAS_MUSCLE;
  return "";
}

const char* sns_setToAdhesion(snsActuator* actuator, double gain) {
  forgetLaw(actuator);
  actuator->gainprm[0] = gain;
  actuator->ctrllimited = 1;
  actuator->gaintype = snGAIN_FIXED;
  actuator->biastype = snBIAS_NONE;
  if (gain < 0) return "adhesion gain cannot be negative";
  return hasNegativeControl(actuator) ? "adhesion control range cannot be negative" : "";
}
