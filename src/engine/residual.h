// Residual of the equations of motion: what forces lack for a given acceleration.
//
//   r(q, v, a) = M a + c - f - J' s'(J a - aref)
//
// is zero at the acceleration that forward dynamics finds, and needs neither a factor of M nor the
// constraint solver: its derivative by q, with the derivative of the solution by r, replaces
// differences of whole steps.

#ifndef SINEW_ENGINE_RESIDUAL_H_
#define SINEW_ENGINE_RESIDUAL_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Residual of qacc at d->qpos, d->qvel, without armature, which does not depend on q. When moment
// is wanted (nullable), also M (qacc - taken) + h (dF/dv) taken, the part that the matrix of an
// implicit step multiplies differently from M. Overwrites what it computes and d->qacc.
void sn_motionResidual(const snModel* m, snData* d, const snReal* qacc, const snReal* taken,
                       snReal* residual, snReal* moment);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_RESIDUAL_H_
