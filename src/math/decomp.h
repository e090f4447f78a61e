// Factorisations and linear solvers: dense, banded, sparse on a kinematic tree, sparse LU.
//
// Public ones (snu_cholFactor, snu_eig3, ...) are declared in sinew.h. Nothing here allocates.
// CSR matrices are (values, rownnz, rowadr, colind): row r has rownnz[r] entries that begin at
// rowadr[r], columns ascending.

#ifndef SINEW_MATH_DECOMP_H_
#define SINEW_MATH_DECOMP_H_

#include "math/inline.h"

SN_EXTERN_C_BEGIN

// ---- dense

// LU with partial pivoting: P A = L U in place, row pivot[k] was swapped with row k. Returns 1, or
// 0 when a column has no pivot above snMINVAL (or a NaN).
SN_FN int sn_luFactor(snReal* mat, int* pivot, int n);

// x <- A^-1 x from sn_luFactor.
SN_FN void sn_luSolve(snReal* x, const snReal* lu, const int* pivot, int n);

// ---- L'DL on the kinematic tree (lower CSR, ancestors of each dof, diagonal last)

// In-place factorisation A = L'DL; LDiagInv gets 1/D. Rows not in index (NULL: all n rows) are left
// alone. Pivots are not tested: a singular matrix gives Inf or NaN.
SN_FN void sn_factorTree(snReal* LD, snReal* LDiagInv, int n, const int* rownnz, const int* rowadr,
                         const int* colind, const int* index);

// For a team, of n rows which are not longer than it and whose descendants follow without a gap, as dofs do: LD and
// LDiagInv from M, and if they are given, those from M + scale diag(added).
SN_FN void sn_factorTreeOf(snReal* LD, snReal* LDiagInv, const snReal* M, snReal* dampedLD,
                           snReal* dampedDiagInv, const snReal* added, snReal scale, int n,
                           const int* rownnz, const int* rowadr);

// For a team that has a lane for each row, with the factor: a lane gives the value of its dof in x and gets that in
// (L'DL)^-1 x.
SN_FN snReal sn_solveTreeOf(snReal value, const snReal* LD, const snReal* LDiagInv, int n,
                            const int* rownnz, const int* rowadr, const int* colind);

// x <- (L'DL)^-1 x for nvec vectors of length stride, rows in index (NULL: all n rows).
SN_FN void sn_solveTree(snReal* x, const snReal* LD, const snReal* LDiagInv, int n, int stride,
                        int nvec, const int* rownnz, const int* rowadr, const int* colind,
                        const int* index);

// res = A vec for the symmetric matrix with that lower triangle: entry r is
// summed from the diagonal, over its columns left to right, then over the rows below.
SN_FN void sn_mulTree(snReal* res, const snReal* mat, const snReal* vec, int n, const int* rownnz,
                      const int* rowadr, const int* colind);

// The same of rows [begin, end) by one lane: whole trees, which nothing couples to the others.
SN_FN void sn_mulTreeRows(snReal* res, const snReal* mat, const snReal* vec, int begin, int end,
                          const int* rownnz, const int* rowadr, const int* colind);

// ---- sparse LU without fill (patterns that are closed, such as qLU over D)

// In-place A = (U + I) L from the last row to the first; diag[r] is the position of the diagonal in
// row r. Returns 1, or 0 when a diagonal is smaller than snMINVAL.
SN_FN int sn_factorLUSparse(snReal* LU, int n, const int* rownnz, const int* rowadr,
                            const int* colind, const int* diag);

// res = A^-1 vec; res may alias vec.
SN_FN void sn_solveLUSparse(snReal* res, const snReal* LU, const snReal* vec, int n,
                            const int* rownnz, const int* rowadr, const int* colind,
                            const int* diag);

// ---- many right-hand sides (rows.c): X is n x m by rows, one right-hand side per column

// X <- (L L')^-1 X with a dense factor; X <- (L'DL)^-1 X on a tree; X <- A^-1 X from
// sn_factorLUSparse.
SN_FN void sn_cholSolveRows(snReal* X, const snReal* L, int n, int m);
SN_FN void sn_solveTreeRows(snReal* X, const snReal* LD, const snReal* LDiagInv, int n, int m,
                            const int* rownnz, const int* rowadr, const int* colind);
SN_FN void sn_solveLUSparseRows(snReal* X, const snReal* LU, int n, int m, const int* rownnz,
                                const int* rowadr, const int* colind, const int* diag);

// Y = M X for a symmetric M in lower CSR, diagonal last.
SN_FN void sn_mulSymRows(snReal* Y, const snReal* M, const snReal* X, int n, int m,
                         const int* rownnz, const int* rowadr, const int* colind);

SN_EXTERN_C_END

#endif  // SINEW_MATH_DECOMP_H_
