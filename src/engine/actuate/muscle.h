// Muscles beyond their public functions.

#ifndef SINEW_ENGINE_ACTUATE_MUSCLE_H_
#define SINEW_ENGINE_ACTUATE_MUSCLE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Derivative of snu_muscleGain with respect to velocity.
snReal sn_muscleGainVel(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0,
                        const snReal prm[9]);

// Derivatives of snu_muscleGain and snu_muscleBias with respect to length.
snReal sn_muscleGainLen(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0,
                        const snReal prm[9]);
snReal sn_muscleBiasLen(snReal len, const snReal lengthrange[2], snReal acc0, const snReal prm[9]);

// Derivatives of sn_muscleGainVel with respect to length and velocity.
void sn_muscleGainVelSlopes(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0,
                            const snReal prm[9], snReal slope[2]);

// Derivatives of snu_muscleDynamics with respect to activation and control. Returns 0 at a kink.
int sn_muscleDynamicsSlopes(snReal ctrl, snReal act, const snReal prm[3], snReal slope[2]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_ACTUATE_MUSCLE_H_
