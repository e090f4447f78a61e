// Actuators beyond their public stage: what the integrators need.

#ifndef SINEW_ENGINE_ACTUATE_ACTUATION_H_
#define SINEW_ENGINE_ACTUATE_ACTUATION_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Affine gain or bias.
SN_KERNEL snReal sn_affine(const snReal prm[3], snReal length, snReal velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

// Is the actuator's group switched off by opt.disableactuator?
static inline int sn_actuatorDisabled(const snModel* m, int actuator) {
  int group = m->actuator_group[actuator];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group)) != 0;
}

// Activation in slot adr of an actuator after one timestep at rate act_dot, clamped to its range.
snReal sn_nextActivation(const snModel* m, const snData* d, int actuator, int adr, snReal act_dot);

// Is that the sum of the activation and its change, neither exact in time nor clamped?
static inline int sn_isPlainActivation(const snModel* m, int actuator) {
  int dyntype = m->actuator_dyntype[actuator];
  return dyntype != snDYN_FILTEREXACT && dyntype != snDYN_HILL && !m->actuator_actlimited[actuator];
}

// What the gain of an actuator multiplies: ctrl, or its (next) activation.
snReal sn_actuatorInput(const snModel* m, const snData* d, int actuator, snReal ctrl);

// History buffers of controls and sensors: empty them, and record the current step.
void sn_resetHistory(const snModel* m, snData* d);
void sn_advanceHistory(const snModel* m, snData* d);

// What multiplies the input of an actuator at its present length and velocity.
snReal sn_actuatorGain(const snModel* m, const snData* d, int actuator);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_ACTUATE_ACTUATION_H_
