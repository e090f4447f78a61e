// Laws of actuators: gain and bias as functions of length and velocity, built in or registered by name.
//
// The force of an actuator is gain * input + bias, where the input is the control or the (last)
// activation. MuJoCo's laws are constant, affine and muscle; MJCF names others with sinew:gain_model
// (docs/actuator-models.md). A program adds its own: register it before models that name it are loaded.

#ifndef SINEW_ACTUATOR_H_
#define SINEW_ACTUATOR_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

// What a law depends on.
struct snActuatorState_ {
  snReal length;    // of the actuator: gear times the joint's coordinate or the tendon's length
  snReal velocity;  // its rate
  snReal rate;      // of the last activation; 0 without activations
  const snReal* params;  // snNGAIN numbers: sinew:gain_params, then zeros
};
typedef struct snActuatorState_ snActuatorState;

// What a law gives. Slopes may be left to differences, see snActuatorModel.
struct snActuatorForce_ {
  snReal gain;
  snReal bias;
  snReal gain_length;    // d(gain) / d(length)
  snReal gain_velocity;  // d(gain) / d(velocity): implicit integrators step with it
  snReal bias_length;
  snReal bias_velocity;
  snReal bias_rate;  // d(bias) / d(rate); the gain depends on no rate
};
typedef struct snActuatorForce_ snActuatorForce;

// A law of the user. The function must depend on its arguments alone; it is called by any thread.
struct snActuatorModel_ {
  const char* name;  // unique, less than snNMODELNAME bytes
  int least, most;   // how many parameters it takes, at most snNGAIN
  int slopes;        // 1: law sets the slopes; 0: they are differences of gain and bias
  void (*law)(void* user, const snActuatorState* state, snActuatorForce* force);
  void* user;  // first argument of law
};
typedef struct snActuatorModel_ snActuatorModel;

// Copy a law into the process-wide table; returns its slot. The same definition again gives the same slot.
// -1 and sn_lastError: the name is taken by another law or built in, too long or empty, or the table is full.
SN_API int sn_registerActuatorModel(const snActuatorModel* model);

// Registered laws, and one of them: NULL beyond the last one.
SN_API int sn_actuatorModelCount(void);
SN_API const snActuatorModel* sn_getActuatorModel(int slot);

SN_EXTERN_C_END

#endif  // SINEW_ACTUATOR_H_
