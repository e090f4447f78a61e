// Derivatives of the accelerations at one state, all inputs at once.
//
// The acceleration a that forward dynamics found satisfies r(q, v, act, u, a) = 0 (differentiate/residual.h), so
//
//   (M + J' s'' J) da = -dr,
//
// with the set of active constraints held fixed. The columns of X are -dr by positions, velocities,
// activations and controls, in this order: nv + nv + na + nu of them. Columns that have no closed
// form at this state are left zero and not marked in use.

#ifndef SINEW_ENGINE_DIFFERENTIATE_ACCELERATION_DERIVATIVE_H_
#define SINEW_ENGINE_DIFFERENTIATE_ACCELERATION_DERIVATIVE_H_

#include "sinew/derivatives.h"

SN_EXTERN_C_BEGIN

// how the columns of positions are made
enum snPositions_ {
  snPOSITIONS_NONE,         // not at all
  snPOSITIONS_DIFFERENCED,  // differences of forces at fixed acceleration, inertia in closed form
  snPOSITIONS_EXACT         // in closed form
};
typedef enum snPositions_ snPositions;

struct snLinear_ {
  int nv, n;        // dofs, columns
  snByte* use;      // n: this column is known
  snReal* X;        // nv x n, one column per input
  snReal* extra;    // nv x n: d(M (a - i) + h (dF/dv) i), see sn_linearStep; NULL: zero
  snReal* H;        // Cholesky factor of M + J' s'' J; NULL: no constraints
  snReal* qacc;     // as found
  snReal* taken;    // i: the acceleration that the integrator took
  snReal* product;  // nv x n
};
typedef struct snLinear_ snLinear;

// Kinds of columns in closed form, a sum of snColumns; flags of the step as a whole included.
int sn_closedForms(const snModel* m, const snData* d);

// Velocity and acceleration derivatives of inverse dynamics at qacc of d, which efc_force, efc_state
// and the Hessians of cones belong to afterwards: row i by input i, either nullable. Returns 0 when
// the arena is full.
int sn_inverseRates(const snModel* m, snData* d, int actuators, snReal* DfDv, snReal* DfDa);

// How positions can be done at best.
snPositions sn_bestPositions(const snModel* m, const snData* d, int exact);

// Allocate on the stack of d (the caller marks and frees) and fill at the state of the last forward
// dynamics. vplus (nullable) is the velocity after the step, from which extra follows. Differences
// of positions overwrite what depends on positions, but neither M nor factors. Returns 0 when the
// arena is full.
int sn_linearize(const snModel* m, snData* d, const snTransition* option, snPositions positions,
                 const snReal* vplus, snLinear* linear);

// X <- da, and X <- di where v+ = v + h i:
//   W di = M da + d(M (a - i) + h (dF/dv) i),  W = M + h D or M - h dF/dv
void sn_linearAcceleration(const snModel* m, const snData* d, snLinear* linear);
void sn_linearStep(const snModel* m, const snData* d, snLinear* linear);

// Derivatives of an activation's rate, and of its next value, by itself and by the control. The
// first returns 0 when there is none.
int sn_activationRates(const snModel* m, const snData* d, int i, snReal rate[2]);
void sn_activationStep(const snModel* m, const snData* d, int i, snReal step[2]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DIFFERENTIATE_ACCELERATION_DERIVATIVE_H_
