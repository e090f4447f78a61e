// Forces at a given acceleration, without the constraint solver.
//
//   r(q, v, a) = M a + c - f - J' s'(J a - aref)
//
// is zero at the acceleration that forward dynamics finds. Its derivative by q, with the derivative
// of the solution by r, replaces differences of whole steps; the inertial part has a closed form
// (differentiate/position_derivative.h), so that only f + J' s' is ever differenced.

#ifndef SINEW_ENGINE_DIFFERENTIATE_RESIDUAL_H_
#define SINEW_ENGINE_DIFFERENTIATE_RESIDUAL_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// What is held fixed while positions move: the pairs of geoms that touch, the zones of the rows.
struct snActiveSet_ {
  int ncon, nefc;
  snContact* contact;
  int* state;  // snConstraintState of each row
};
typedef struct snActiveSet_ snActiveSet;

// A copy on the stack of d (the caller marks and frees); efc_state must belong to qacc. Returns 0
// when the arena is full.
int sn_keepActiveSet(snData* d, snActiveSet* set);

// Passive, actuator, applied and constraint forces at d->qpos, d->qvel and qacc. When moment is
// wanted (nullable), also h (dF/dv) taken with the derivative of the implicit integrators less that
// of the bias force. Contacts are those of the set, moved, and rows stay in their zones, cones
// excepted; only when the number of contacts or rows changes are all pairs and zones found anew.
// Overwrites what it computes and d->qacc.
void sn_forcesAt(const snModel* m, snData* d, const snActiveSet* set, const snReal* qacc,
                 const snReal* taken, snReal* force, snReal* moment);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DIFFERENTIATE_RESIDUAL_H_
