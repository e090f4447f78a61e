// Velocity derivatives of the smooth forces.

#ifndef SINEW_ENGINE_DIFFERENTIATE_VELOCITY_DERIVATIVE_H_
#define SINEW_ENGINE_DIFFERENTIATE_VELOCITY_DERIVATIVE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// qDeriv = d(qfrc_actuator + qfrc_passive - qfrc_bias)/d qvel on the D pattern; flg_bias includes
// the derivative of qfrc_bias.
void sn_derivSmoothVel(const snModel* m, snData* d, int flg_bias);

// Its diagonal without the bias force, the rest of qDeriv being left alone: returns 0 when there is a rest. With
// keep the diagonal stays as it is, too. Not for teams.
int sn_derivSmoothVelDiagonal(const snModel* m, snData* d, int keep);

// The same with the bias force as a dense nv x nv matrix, couplings of unrelated dofs included and
// actuators on demand. Overwrites qDeriv.
void sn_derivSmoothVelFull(const snModel* m, snData* d, snReal* full, int actuators);

// Velocity derivative of the fluid's force on one body: G += 6 x 6, about the com of its tree.
void sn_bodyFluidDerivative(const snModel* m, const snData* d, int body, snReal G[36]);

// K of one body or of a sum of bodies (see differentiate/velocity_derivative.c): upper left block, then f. And I e + K x.
void sn_biasMatrix(const snReal inert[10], const snReal vel[6], snReal K[12]);
void sn_biasColumn(const snReal inert[10], const snReal K[12], const snReal e[6], const snReal x[6],
                   snReal res[6]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DIFFERENTIATE_VELOCITY_DERIVATIVE_H_
