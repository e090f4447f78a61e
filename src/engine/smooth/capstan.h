// Friction of tendons around wrapping geoms and pulleys, an extension.
//
// A tendon that slides around something by the angle theta has tensions on its two sides that differ by
// the factor exp(mu theta) (Euler and Eytelwein's law of the capstan). The tendon's own tension T, of
// springs, dampers and actuators, is that at the start of its path; behind the capstans 0 ... k it is
//
//   T_k = T exp(sum of mu_i theta_i s_i),  s_i = tanh(v_i / v0_i)
//
// where v_i is the rate at which the path behind capstan i grows: the tendon then slides towards its end,
// and the end must pull harder. With Z_c, the part of the tendon's Jacobian between capstans c - 1 and c,
// the force that friction adds is
//
//   F = -T sum over c of (T_c / T - 1) Z_c,
//
// and nothing when the tendon is slack (T <= 0). Tensions of springs and dampers count in qfrc_passive,
// those of actuators in qfrc_actuator. Forces of limits and equalities have no such friction.

#ifndef SINEW_ENGINE_SMOOTH_CAPSTAN_H_
#define SINEW_ENGINE_SMOOTH_CAPSTAN_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Add the friction of passive tensions to qfrc_passive, and that of the actuators' to qfrc_actuator.
void sn_capstanPassive(const snModel* m, snData* d);
void sn_capstanActuators(const snModel* m, snData* d);

// The forces are -T sum of row: rows of the capstans of one tendon, from the arena.
struct snCapstans_ {
  int first, count;  // of the model
  snReal* zone;      // count + 1 rows of nv: parts of the Jacobian, Z_c
  snReal* ratio;     // count + 1: T_c / T
  snReal* slope;     // count: d(log ratio) / d(v_i)
};
typedef struct snCapstans_ snCapstans;

// Capstans first ... of one tendon; 0: no room.
int sn_capstans(const snModel* m, snData* d, int first, snCapstans* capstans);

// Tension at the start of a tendon by springs and dampers and, if asked for, actuators; not below zero.
snReal sn_tension(const snModel* m, const snData* d, int tendon, int actuators);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_CAPSTAN_H_
