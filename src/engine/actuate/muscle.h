// Muscles beyond their public functions.

#ifndef SINEW_ENGINE_ACTUATE_MUSCLE_H_
#define SINEW_ENGINE_ACTUATE_MUSCLE_H_

#include "sinew/data.h"

SN_EXTERN_C_BEGIN

// Forces gain input + bias of several actuators from `first` on, all of them muscles, and the rates of their
// activations, which follow each other from actadr on: what snu_muscleGain, snu_muscleBias and snu_muscleDynamics
// give, to the bit. Returned: whether the model has that many muscles there, whose gain and bias have the same
// parameters, or whose dynamics are not smooth; else nothing is done.
enum { snNMUSCLES = 8 };
int sn_muscleForces(snReal force[snNMUSCLES], const snModel* m, const snData* d, int first,
                    const snReal input[snNMUSCLES]);
int sn_muscleRates(const snModel* m, snData* d, int first, const snReal ctrl[snNMUSCLES]);

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
