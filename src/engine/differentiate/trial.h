// Perturbed steps: what finite differences of a step are made of.
//
// A trial starts from a stored state, moves one coordinate, steps, and records the next state and
// the sensors. Stages whose input did not move keep the arrays of the nominal step; for this the
// order of the trials must be controls, activations, velocities, positions.
//
// The data is the user's: whatever a trial does to it (bad numbers reset the world, callbacks write to
// it, trees wake up), the state is afterwards what it was. A world that resets itself starts its step
// from the model's first state; its arrays are then of no use to later trials, which compute all.

#ifndef SINEW_ENGINE_DIFFERENTIATE_TRIAL_H_
#define SINEW_ENGINE_DIFFERENTIATE_TRIAL_H_

#include "engine/differentiate/kept.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// state after a step and the sensors of that step
struct snOutcome_ {
  snReal* state;   // qpos, qvel, act
  snReal* sensor;  // NULL: not recorded
};
typedef struct snOutcome_ snOutcome;

// Sides to which a control may be nudged.
enum { snSIDE_FORWARD = 1, snSIDE_BACKWARD = 2 };

struct snTrial_ {
  snReal eps;
  int centered;
  int ndx;         // 2 nv + na
  int skipsensor;  // nobody asked for sensors
  int stale;       // a trial has reset the world: no stage may be skipped any more
  int seen;        // bits of snData.status that trials have met
  snKept start;    // state at the beginning
  snReal* move;    // direction of a position, nv
  snReal* column;  // one column of the state's derivative, ndx
  snOutcome nominal, plus, minus;
};
typedef struct snTrial_ snTrial;

// Allocate on the stack of d (the caller marks and frees), store the state and take the nominal
// step. Returns 0 when the arena is full.
int sn_beginTrials(const snModel* m, snData* d, snTrial* trial, snReal eps, int centered,
                   int sensors);

// A nudge that would leave the range of control i is not tried: at a limit the difference is one-sided, outside it
// is zero. Returns a sum of sides.
static inline int sn_controlSides(const snModel* m, const snData* d, int i, snReal eps,
                                  int centered) {
  const snReal* range = m->actuator_ctrlrange + 2 * i;
  snReal x = d->ctrl[i];
  int limited = m->actuator_ctrllimited[i], inside = x >= range[0] && x <= range[1];
  int forward = !limited || (inside && x + eps >= range[0] && x + eps <= range[1]);
  int backward = (centered || !forward) &&
                 (!limited || (inside && x - eps >= range[0] && x - eps <= range[1]));
  return forward * snSIDE_FORWARD | backward * snSIDE_BACKWARD;
}

// The data goes back to the user, in the state of the beginning; its status has what the trials met.
void sn_endTrials(const snModel* m, snData* d, const snTrial* trial);

// Columns of the state and of the sensors by each kind of input. state has ndx rows and the given
// row length, sensor has nsensordata rows; both nullable.
void sn_tryControls(const snModel* m, snData* d, snTrial* trial, snReal* B, snReal* D);
void sn_tryActivations(const snModel* m, snData* d, snTrial* trial, snReal* A, snReal* C);
void sn_tryVelocities(const snModel* m, snData* d, snTrial* trial, snReal* A, snReal* C);
void sn_tryPositions(const snModel* m, snData* d, snTrial* trial, snReal* A, snReal* C);

// One control or one activation alone.
void sn_tryControl(const snModel* m, snData* d, snTrial* trial, int i, snReal* B, snReal* D);
void sn_tryActivation(const snModel* m, snData* d, snTrial* trial, int i, snReal* A, snReal* C);

// Take the nominal step again, so that later trials may keep its arrays.
void sn_repeatNominal(const snModel* m, snData* d, snTrial* trial);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DIFFERENTIATE_TRIAL_H_
