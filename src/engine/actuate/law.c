#include "engine/actuate/law.h"

#include "base/arena.h"
#include "base/assert.h"

static void clearForce(snActuatorForce* f) {
  f->gain = f->bias = 0;
  f->gain_length = f->gain_velocity = 0;
  f->bias_length = f->bias_velocity = f->bias_rate = 0;
}

// ---- laws that a program registered, and callbacks; a GPU has none

#ifndef __CUDACC__
// slopes by centred differences in length, velocity and rate
static void differences(const snActuatorModel* model, const snActuatorState* s,
                        snActuatorForce* f) {
  snReal gain[3], bias[3];
  for (int k = 0; k < 3; k++) {
    snReal at = k == 0 ? s->length : k == 1 ? s->velocity : s->rate;
    snReal eps = sn_slopeStep(at);
    snActuatorForce side[2];
    for (int i = 0; i < 2; i++) {
      snActuatorState moved = *s;
      snReal* moving = k == 0 ? &moved.length : k == 1 ? &moved.velocity : &moved.rate;
      *moving = i ? at + eps : at - eps;
      clearForce(side + i);
      model->law(model->user, &moved, side + i);
    }
    gain[k] = (side[1].gain - side[0].gain) / (2 * eps);
    bias[k] = (side[1].bias - side[0].bias) / (2 * eps);
  }
  f->gain_length = gain[0];
  f->gain_velocity = gain[1];
  f->bias_length = bias[0];
  f->bias_velocity = bias[1];
  f->bias_rate = bias[2];
}

static void userLaw(const snModel* m, int k, const snActuatorState* s, int slopes,
                    snActuatorForce* f) {
  const snActuatorModel* model = k < m->nactmodel ? sn_getActuatorModel(m->actmodel_slot[k]) : NULL;
  if (!model) return;
  model->law(model->user, s, f);
  if (slopes && !model->slopes) differences(model, s, f);
}

// ---- callbacks

// velocity of the actuator, then of the dofs that move it
static snReal* velocityAt(snData* d, int actuator, int k) {
  return k ? d->qvel + d->moment_colind[d->moment_rowadr[actuator] + k - 1]
           : d->actuator_velocity + actuator;
}

// The actuator's velocity is J qvel: of all changes of qvel that change it by one, J / |J|^2 is the least.
static snReal share(const snData* d, int actuator, int k) {
  const snReal* J = d->actuator_moment + d->moment_rowadr[actuator];
  snReal square = snu_dot(J, J, d->moment_rownnz[actuator]);
  return !k ? 1 : square > 0 ? J[k - 1] / square : 0;
}

snReal sn_callbackSlope(const snModel* m, snData* d, int actuator, snfAct callback) {
  SN_ASSERT_INDEX(actuator, m->nu);
  int n = 1 + d->moment_rownnz[actuator];
  snReal step = sn_slopeStep(d->actuator_velocity[actuator]), value[2] = {0, 0};
  sn_markStack(d);
  snReal* kept = SN_STACK(d, snReal, n);
  if (kept) {
    for (int k = 0; k < n; k++) kept[k] = *velocityAt(d, actuator, k);
    for (int side = 0; side < 2; side++) {
      for (int k = 0; k < n; k++) {
        *velocityAt(d, actuator, k) = kept[k] + (side ? step : -step) * share(d, actuator, k);
      }
      value[side] = callback(m, d, actuator);
    }
    for (int k = 0; k < n; k++) *velocityAt(d, actuator, k) = kept[k];
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
  return (value[1] - value[0]) / (2 * step);
}
#endif

// ---- the law of an actuator

void sn_actuatorLaw(const snModel* m, const snData* d, int actuator, int slopes,
                    snActuatorForce* f) {
  SN_ASSERT_INDEX(actuator, m->nu);
  int law = m->actuator_model[actuator], first = m->actuator_actadr[actuator];
  snActuatorState state;
  state.length = d->actuator_length[actuator];
  state.velocity = d->actuator_velocity[actuator];
  state.rate = first < 0 ? 0 : d->act_dot[first + m->actuator_actnum[actuator] - 1];
  state.params = m->actuator_gainprm + snNGAIN * actuator;
  clearForce(f);
  if (law < snUSER_LAW) {
    sn_builtInLaw(law, &state, f);
  } else {
#ifndef __CUDACC__
    userLaw(m, law - snUSER_LAW, &state, slopes, f);
#endif
  }
}

snReal sn_lawGain(const snModel* m, const snData* d, int actuator) {
  snActuatorForce f;
  sn_actuatorLaw(m, d, actuator, 0, &f);
  return f.gain;
}

snReal sn_lawBias(const snModel* m, const snData* d, int actuator) {
  snActuatorForce f;
  sn_actuatorLaw(m, d, actuator, 0, &f);
  return f.bias;
}
