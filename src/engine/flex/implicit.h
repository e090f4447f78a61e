// Interpolated flexes in the implicit integrators (flex/implicit.c).

#ifndef SINEW_ENGINE_FLEX_IMPLICIT_H_
#define SINEW_ENGINE_FLEX_IMPLICIT_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Solve the accelerations of the dofs of nodes again, with their stiffness and damping in the matrix; qacc
// is the result of the sparse solve, qDeriv what it was made with.
void sn_flexImplicit(const snModel* m, snData* d, snReal* qacc);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_FLEX_IMPLICIT_H_
