// The constraint solver as a replaceable part.
//
// snData.callback.contactsolver selects a table of functions for one world, at any time between
// steps; NULL, the default, calls Newton, CG or PGS directly.

#ifndef SINEW_CONTACTSOLVER_H_
#define SINEW_CONTACTSOLVER_H_

#include "sinew/data.h"

SN_EXTERN_C_BEGIN

// The built-in solvers as a table, selected by opt.solver.
SN_API const snContactSolver* sn_builtinContactSolver(void);

SN_EXTERN_C_END

#endif  // SINEW_CONTACTSOLVER_H_
