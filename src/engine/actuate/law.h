// Laws of gain and bias beyond MuJoCo's (model/actuator_laws.h), and those that a program registered.
//
// A law gives gain and bias with their slopes from length, velocity and the rate of the activation; the
// force is gain * input + bias. Built-in laws are called directly, by number.

#ifndef SINEW_ENGINE_ACTUATE_LAW_H_
#define SINEW_ENGINE_ACTUATE_LAW_H_

#include "base/team.h"
#include "math/math.h"
#include "model/actuator_laws.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// ---- the laws

// A motor at position r a, where a is the activation, pulls through a spring and a damper in parallel:
//   F = k (r a - x) + d (r a' - v)
SN_KERNEL void sn_seriesElastic(const snActuatorState* s, snActuatorForce* f) {
  snReal k = s->params[0], d = s->params[1], r = s->params[2];
  f->gain = k * r;
  f->bias = -k * s->length - d * s->velocity + d * r * s->rate;
  f->bias_length = -k;
  f->bias_velocity = -d;
  f->bias_rate = d * r;
}

// A DC motor whose inductance is small: the input is the voltage V, the current (V - ke v) / R, and
//   F = kt (V - ke v) / R - c sin(n x + phase)
// with the torque of n cogs around the circle.
SN_KERNEL void sn_dcMotor(const snActuatorState* s, snActuatorForce* f) {
  const snReal* p = s->params;
  snReal conductance = p[1] / p[0], angle = p[4] * s->length + p[5];
  f->gain = conductance;
  f->bias = -conductance * p[2] * s->velocity;
  f->bias_velocity = -conductance * p[2];
  if (p[3] != 0) {
    f->bias -= p[3] * snu_sin(angle);
    f->bias_length = -p[3] * p[4] * snu_cos(angle);
  }
}

// ---- dispatch

static inline void sn_builtInLaw(int law, const snActuatorState* s, snActuatorForce* f) {
  switch (law) {
#define X(id, name, function, least, parameters, signs) \
  case id: function(s, f); break;
    SN_ACTUATOR_LAWS(X)
#undef X
    default: break;
  }
}

// The law of an actuator now. slopes: with its slopes, for which a registered law without any is differenced.
void sn_actuatorLaw(const snModel* m, const snData* d, int actuator, int slopes,
                    snActuatorForce* f);

// Step of the differences by velocity (or length, or rate) at a value: the cube root of the rounding.
static inline snReal sn_slopeStep(snReal at) {
  return (sizeof(snReal) == 4 ? (snReal)5e-3 : (snReal)1e-6) * (1 + (at < 0 ? -at : at));
}

// Slope of a callback for gain or bias by the velocity of its actuator, where the program gave none: a centred
// difference. What the callback may read moves: the actuator's velocity, and the least change of qvel that
// belongs to it. Both are restored. By one lane.
snReal sn_callbackSlope(const snModel* m, snData* d, int actuator, snfAct callback);

snReal sn_lawGain(const snModel* m, const snData* d, int actuator);
snReal sn_lawBias(const snModel* m, const snData* d, int actuator);

// Are the slopes by velocity constant, as those of all built-in laws?
static inline int sn_lawIsAffine(const snModel* m, int actuator) {
  return m->actuator_model[actuator] < snUSER_LAW;
}

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_ACTUATE_LAW_H_
