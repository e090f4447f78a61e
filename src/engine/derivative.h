// Velocity derivatives of the smooth forces.

#ifndef SINEW_ENGINE_DERIVATIVE_H_
#define SINEW_ENGINE_DERIVATIVE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// qDeriv = d(qfrc_actuator + qfrc_passive - qfrc_bias)/d qvel on the D pattern; flg_bias includes
// the derivative of qfrc_bias.
void sn_derivSmoothVel(const snModel* m, snData* d, int flg_bias);

// The same with the bias force as a dense nv x nv matrix, couplings of unrelated dofs included.
// Overwrites qDeriv.
void sn_derivSmoothVelFull(const snModel* m, snData* d, snReal* full);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DERIVATIVE_H_
