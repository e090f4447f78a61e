// Forces at a given acceleration, without the constraint solver.
//
//   r(q, v, a) = M a + c - f - J' s'(J a - aref)
//
// is zero at the acceleration that forward dynamics finds. Its derivative by q, with the derivative
// of the solution by r, replaces differences of whole steps; the inertial part has a closed form
// (tangent.h), so that only f + J' s' is ever differenced.

#ifndef SINEW_ENGINE_RESIDUAL_H_
#define SINEW_ENGINE_RESIDUAL_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Passive, actuator, applied and constraint forces at d->qpos, d->qvel and qacc. When moment is
// wanted (nullable), also h (dF/dv) taken with the derivative of the implicit integrators less that
// of the bias force. Contacts are those of the pairs of geoms that d has, moved; all pairs are looked
// at when their number changes. Overwrites what it computes and d->qacc.
void sn_forcesAt(const snModel* m, snData* d, const snReal* qacc, const snReal* taken,
                 snReal* force, snReal* moment);

// A copy of the contacts on the stack of d (the caller marks and frees), and the way back.
struct snContacts_ {
  int ncon;
  snContact* contact;
};
typedef struct snContacts_ snContacts;

int sn_keepContacts(snData* d, snContacts* contacts);
void sn_restoreContacts(snData* d, const snContacts* contacts);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_RESIDUAL_H_
