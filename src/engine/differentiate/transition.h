// The linearisation of a Runge-Kutta step.

#ifndef SINEW_ENGINE_DIFFERENTIATE_TRANSITION_H_
#define SINEW_ENGINE_DIFFERENTIATE_TRANSITION_H_

#include "sinew/derivatives.h"

SN_EXTERN_C_BEGIN

// A and B (each nullable) by the chain rule over the stages of the step, each stage in closed form.
// Returns 1, 0 when a stage has no closed form (A and B untouched), -1 when the arena is full.
// Leaves the state as it found it.
int sn_transitionRK4(const snModel* m, snData* d, snReal* A, snReal* B);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DIFFERENTIATE_TRANSITION_H_
