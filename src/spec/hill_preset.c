// Presets of Hill-type muscles, and actuators made from them.

#include "spec/hill_preset.h"

#include <math.h>
#include <string.h>

#include "sinew/sinew.h"

// slope of the tendon's curve in units of the peak force by the strain at that force: s e^s / (e^s - 1) with the
// shape factor s = 3 of its toe (engine/actuate/hill.c)
#define TENDON_SLOPE 3.1571870894737

// Peak force, optimal fibre length, tendon slack length, pennation; the tendon stretches by 4 % at the peak
// force. Biceps (long head): Holzbaur et al., "A model of the upper extremity", 2005. Vastus lateralis, medial
// gastrocnemius and soleus: Delp et al., "An interactive graphics-based model of the lower extremity", 1990,
// with the forces of Anderson and Pandy, 1999.
static const struct {
  const char* name;
  double force, optimal_length, slack_length, pennation;
} kPresets[] = {{"biceps", 624.3, 0.1157, 0.2723, 0},
                {"quadriceps", 1871, 0.084, 0.157, 0.08726646},
                {"gastrocnemius", 1558, 0.06, 0.39, 0.29670597},
                {"soleus", 3549, 0.05, 0.25, 0.43633231}};
enum { PRESETS = sizeof(kPresets) / sizeof(kPresets[0]) };

const char* sn_hillPresetNames(void) { return "biceps, quadriceps, gastrocnemius, soleus"; }

int sns_defaultHill(snsHill* hill, const char* preset) {
  double* values = (double*)hill;
  for (size_t i = 0; i < sizeof(*hill) / sizeof(double); i++) values[i] = NAN;
  if (!preset || !*preset) return 1;
  for (int i = 0; i < PRESETS; i++) {
    if (strcmp(kPresets[i].name, preset)) continue;
    hill->force = kPresets[i].force;
    hill->optimal_length = kPresets[i].optimal_length;
    hill->slack_length = kPresets[i].slack_length;
    hill->pennation = kPresets[i].pennation;
    hill->tendon_stiffness = TENDON_SLOPE * hill->force / (0.04 * hill->slack_length);
    return 1;
  }
  return 0;
}

// ---- the actuator ----

// places in gainprm, see engine/actuate/hill.h
enum { FORCE, OPTIMAL, SLACK, PENNATION, VMAX, PASSIVE, WIDTH, ECCENTRIC, STRAIN, DAMPING, COUNT };

static void take(double* place, double value) {
  if (!isnan(value)) *place = value;
}

static const char* checkHill(const double* prm, const double* dyn) {
  if (!(prm[FORCE] > 0)) return "force of a Hill muscle must be positive";
  if (!(prm[OPTIMAL] > 0)) return "optimal_length of a Hill muscle must be positive";
  if (!(prm[SLACK] > 0)) return "slack_length of a Hill muscle must be positive";
  if (!(prm[PENNATION] >= 0 && prm[PENNATION] < snPI / 2))
    return "pennation of a Hill muscle must be at least 0 and less than pi/2 radians";
  if (!(prm[VMAX] > 0)) return "max_velocity of a Hill muscle must be positive";
  if (!(prm[PASSIVE] > 0)) return "passive_strain of a Hill muscle must be positive";
  if (!(prm[WIDTH] > 0)) return "width of a Hill muscle must be positive";
  if (!(prm[ECCENTRIC] > 1)) return "max_eccentric of a Hill muscle must be more than 1";
  if (!(prm[STRAIN] >= 0)) return "tendon_stiffness of a Hill muscle must be zero or more";
  if (!(prm[DAMPING] > 0)) return "damping of a Hill muscle must be positive";
  if (!(dyn[3] >= 0 && dyn[3] < 1))
    return "min_activation of a Hill muscle must be at least 0 and less than 1";
  if (!(dyn[0] > 0 && dyn[1] > 0)) return "timeconst of a Hill muscle must be positive";
  return "";
}

const char* sns_setToHill(snsActuator* actuator, const snsHill* hill) {
  static const double initial[COUNT] = {1000, 0.1, 0.2, 0, 10, 0.6, 0.45, 1.4, 0, 0.1};
  double *prm = actuator->gainprm, *dyn = actuator->dynprm;
  if (actuator->gain_model) sns_setString(actuator->gain_model, "");
  if (actuator->gain_params) sns_setDouble(actuator->gain_params, NULL, 0);
  if (actuator->gaintype != snGAIN_HILL) {
    memcpy(prm, initial, sizeof(initial));
    if (dyn[0] == 1) dyn[0] = 0.01;
    if (dyn[1] == 0) dyn[1] = 0.04;
  }
  take(prm + FORCE, hill->force);
  take(prm + OPTIMAL, hill->optimal_length);
  take(prm + SLACK, hill->slack_length);
  take(prm + PENNATION, hill->pennation);
  take(prm + VMAX, hill->max_velocity);
  take(prm + PASSIVE, hill->passive_strain);
  take(prm + WIDTH, hill->width);
  take(prm + ECCENTRIC, hill->max_eccentric);
  take(prm + DAMPING, hill->damping);
  take(dyn + 3, hill->min_activation);
  for (int i = 0; i < 2; i++) take(dyn + i, hill->timeconst[i]);
  double stiffness = hill->tendon_stiffness;
  if (stiffness < 0) return "tendon_stiffness of a Hill muscle must be zero or more";
  if (stiffness == 0) prm[STRAIN] = 0;
  if (stiffness > 0) prm[STRAIN] = TENDON_SLOPE * prm[FORCE] / (stiffness * prm[SLACK]);
  memcpy(actuator->biasprm, prm, COUNT * sizeof(double));
  actuator->dyntype = snDYN_HILL;
  actuator->gaintype = snGAIN_HILL;
  actuator->biastype = snBIAS_HILL;
  actuator->actdim = prm[STRAIN] > 0 ? 2 : 1;
  return checkHill(prm, dyn);
}
