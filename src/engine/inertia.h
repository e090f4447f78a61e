// The joint-space inertia matrix and its factor.
//
// M is symmetric positive definite; row i of its lower triangle is stored in compressed form: the
// ancestors of dof i in ascending order, then i itself. M = L' D L has the same pattern, so it is
// factored in place from the last dof to the first, without fill-in. The same routines serve the
// inertia of an island and the matrices of the implicit integrators: any lower-triangular rows
// (rownnz, rowadr, colind) whose pattern is closed under ancestors.

#ifndef SINEW_ENGINE_INERTIA_H_
#define SINEW_ENGINE_INERTIA_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Factor rows in place: L off the diagonal, D on it, 1/D in diaginv. index (nullable) lists the n
// rows to treat, ascending. Returns the number of pivots that are not positive.
int sn_factorRows(snReal* mat, snReal* diaginv, int n, const int* rownnz, const int* rowadr,
                  const int* colind, const int* index);

// Solve (L' D L) x = x in place for one right-hand side. Nullable: index.
void sn_solveRows(snReal* x, const snReal* mat, const snReal* diaginv, int n, const int* rownnz,
                  const int* rowadr, const int* colind, const int* index);

// res = A vec for a symmetric matrix given by its lower rows. Nullable: index.
void sn_mulRows(snReal* res, const snReal* mat, const snReal* vec, int n, const int* rownnz,
                const int* rowadr, const int* colind, const int* index);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_INERTIA_H_
