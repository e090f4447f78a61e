// A Hill-type muscle: pennate fibres in series with a tendon, rigid or elastic. An extension.
//
// Lengths of fibres are in units of the optimal length, velocities in units of vmax. The fibres
// keep their thickness, so the pennation angle follows from their length: l sin(alpha) =
// sin(alpha0).
//
//   active force   a fl(l) fv(v)       Gaussian in length, Hill's hyperbola in velocity
//   passive force  fp(l) + damping v   exponential beyond the optimal length
//   tendon force   ft(strain)          exponential toe up to the peak force, then linear
//
// in units of the peak force; the fibres' forces act along the tendon with cos(alpha). Curves and
// constants follow Thelen, "Adjustment of muscle mechanics model parameters", 2003; the damped
// equilibrium of fibres and tendon follows Millard et al., "Flexing computational muscle", 2013.
//
// Actuators: dyntype, gaintype and biastype "hill", with the same parameters in gainprm and biasprm
// (zero: the default in brackets): 0 peak force [1000], 1 optimal fibre length [0.1], 2 tendon
// slack length [0.2], 3 pennation at the optimal length in radians [0], 4 vmax in optimal lengths
// per second [10], 5 passive strain at the peak force [0.6], 6 width of the active curve [0.45], 7
// peak eccentric force [1.4], 8 strain of the tendon at the peak force [0: rigid], 9 damping [0.1].
// dynprm has the time constants of activation and deactivation and the smoothing of MuJoCo's
// muscle, and the least activation.
//
// An elastic tendon needs actdim 2: the first activation is the fibre length (zero or less: take
// the length at rest), the last one is the activation proper. The fibre is advanced by a backward
// Euler step, which is stable at any stiffness.

#ifndef SINEW_ENGINE_ACTUATE_HILL_H_
#define SINEW_ENGINE_ACTUATE_HILL_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Gain and bias of an actuator, and their derivatives with respect to velocity.
snReal sn_hillGain(const snModel* m, const snData* d, int actuator);
snReal sn_hillBias(const snModel* m, const snData* d, int actuator);
snReal sn_hillGainVel(const snModel* m, const snData* d, int actuator);
snReal sn_hillBiasVel(const snModel* m, const snData* d, int actuator);

// Derivatives of both with respect to length, for rigid tendons: gain, bias.
void sn_hillLength(const snModel* m, const snData* d, int actuator, snReal slope[2]);

// The activation, not less than the least one; a fibre length as it is.
snReal sn_hillFloor(const snModel* m, int actuator, int adr, snReal act);

// Rate of the fibre length over the coming step (elastic tendon).
snReal sn_hillFibreRate(const snModel* m, const snData* d, int actuator);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_ACTUATE_HILL_H_
