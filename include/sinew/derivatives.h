// Linearisation of one step beyond MuJoCo's finite differences.
//
//   x+ = A dx + B du,   x = (dq [nv], qvel [nv], act [na]),   ndx = 2 nv + na
//
// A is ndx x ndx, B is ndx x nu, both by rows. Positions are differentiated in the tangent space.
//
// The acceleration a that the constraint solver found satisfies r = 0,
//
//   r(q, v, a) = M a + c - f - J' s'(J a - aref),    (M + J' s'' J) da = -dr,
//
// with the set of active constraints held fixed, and the integrator maps it to v+ = v + h W^-1 M a,
// where W is M, M + h D, M - h dF/dv or M + h D + h^2 K. Three methods differ in dr:
//
//   differences  no closed form: whole steps, perturbed
//   hybrid       closed forms by velocities, activations and controls; by positions the forces f and
//                J' s' are differenced at fixed a, which needs no constraint solver
//   analytic     closed forms by positions too: inertia, passive forces, tendons, actuators, rows of
//                constraints, stretch, bending and edges of flexes. Contacts of planes, spheres,
//                capsules, corners, vertices and elements of flexes have closed forms; of other pairs
//                the collider alone is differenced. Runge-Kutta steps are chained over their stages.
//
// What has no closed form is differenced, by columns where possible (snd_analyticColumns tells):
//
//   all columns      callbacks other than sensors, plugins, interpolated flexes, sleeping, noslip,
//                    Hill muscles with elastic tendons or a least activation, friction of tendons,
//                    actuation disabled, tendon armature, a joint's or tendon's total
//                    actuator force at its limit; Runge-Kutta steps unless every column has a closed
//                    form
//   positions        slider-cranks, sites with a reference, adhesion, fluid under implicit
//                    integrators or with a coefficient other than 1
//   velocities       fluid, Hill muscles and registered laws of actuators under implicit
//                    integrators, clamped controls times velocity
//   activations      several of one actuator, at a limit, muscles exactly at 0 or 1
//   controls         those of such activations, at or beyond a limit
//
// All functions leave the state of d (snSTATE_INTEGRATION, and which trees are asleep) as they found
// it, whatever bad numbers, a full arena or callbacks do; everything computed from it belongs to the
// last trial. A trial that resets itself because of bad numbers ends in the step after the reset:
// where all trials do, the derivatives are zero. The warnings are counted as in MuJoCo.

#ifndef SINEW_DERIVATIVES_H_
#define SINEW_DERIVATIVES_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

struct snTransition_ {
  snReal eps;       // step of differences, in (0, 0.01]
  snByte centered;  // centred differences
  snByte analytic;  // snd_transition: hybrid where the integrator allows it
};
typedef struct snTransition_ snTransition;

// eps 1e-6, centred, analytic.
SN_API void snd_defaultTransition(snTransition* option);

// A and B (each nullable) by finite differences alone, for any integrator. option is nullable:
// defaults. Returns 0, or -1 when eps is out of range, the model has delays or the arena is full;
// the matrices are then untouched.
SN_API int snd_transitionDifference(const snModel* m, snData* d, const snTransition* option,
                                    snReal* A, snReal* B);

// The same with analytic columns of velocities, activations and controls.
SN_API int snd_transitionHybrid(const snModel* m, snData* d, const snTransition* option, snReal* A,
                                snReal* B);

// The same with analytic columns of positions too, where the forces have closed forms.
SN_API int snd_transitionAnalytic(const snModel* m, snData* d, const snTransition* option,
                                  snReal* A, snReal* B);

// The hybrid scheme when the option says analytic and the integrator is not RK4, else differences.
SN_API int snd_transition(const snModel* m, snData* d, const snTransition* option, snReal* A,
                          snReal* B);

// Kinds of columns that snd_transitionAnalytic has in closed form at this state: a sum of snColumns.
// The state must be the one of the last forward dynamics or step.
enum snColumns_ {
  snCOLUMNS_POSITION = 1,
  snCOLUMNS_VELOCITY = 2,
  snCOLUMNS_ACTIVATION = 4,  // all of them
  snCOLUMNS_CONTROL = 8      // all of them
};
typedef enum snColumns_ snColumns;

SN_API int snd_analyticColumns(const snModel* m, const snData* d);

// qDeriv = d(qfrc_passive + qfrc_actuator - qfrc_bias)/d qvel on the pattern of D (D_rownnz,
// D_rowadr, D_colind), whatever the integrator. The velocity stage and the actuation of this
// state have run: sn_forward, sn_step1. MuJoCo fills qDeriv within its implicit integrators alone.
SN_API void snd_smoothVel(const snModel* m, snData* d);

// Derivatives of inverse dynamics in closed form, at qpos, qvel and qacc of d: nv x nv each, each
// nullable, row i by input i as in snd_inverseFD. flg_actuation: of qfrc_inverse less qfrc_actuator.
// Returns 0, or -1 when a force has no closed form (see above), the inverse is the discrete one or
// the arena is full; the matrices are then untouched. Everything computed from the state belongs to
// it afterwards.
SN_API int snd_inverseAnalytic(const snModel* m, snData* d, snByte flg_actuation, snReal* DfDq,
                               snReal* DfDv, snReal* DfDa);

// Largest |a - b| / max(|a|, |b|, floor) over n numbers; where (nullable) receives its index.
SN_API snReal snd_maxRelativeError(const snReal* a, const snReal* b, int n, snReal floor,
                                   int* where);

// Errors of A and B of the hybrid scheme against differences, both at default options, floor 1e-10.
SN_API int snd_validateTransition(const snModel* m, snData* d, snReal error[2]);

// Do the differences of A at eps and eps / 10 agree within a relative tolerance, floor 1e-10?
// Returns 1, 0, or -1 as above.
SN_API int snd_checkConvergence(const snModel* m, snData* d, snReal eps, snReal tolerance);

SN_EXTERN_C_END

#endif  // SINEW_DERIVATIVES_H_
