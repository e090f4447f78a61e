// What math/tree.c leaves to teams of more than one lane (math/tree_team.c): the functions of decomp.h with
// the same arguments.

#ifndef SINEW_MATH_TREE_TEAM_H_
#define SINEW_MATH_TREE_TEAM_H_

#include "base/team.h"

SN_EXTERN_C_BEGIN

SN_FN void sn_factorTreeTeam(snReal* LD, snReal* LDiagInv, int n, const int* rownnz,
                             const int* rowadr, const int* colind, const int* index);

SN_FN void sn_solveTreeTeam(snReal* x, const snReal* LD, const snReal* LDiagInv, int n, int stride,
                            int nvec, const int* rownnz, const int* rowadr, const int* colind,
                            const int* index);

SN_FN void sn_mulTreeTeam(snReal* res, const snReal* mat, const snReal* vec, int n,
                          const int* rownnz, const int* rowadr, const int* colind);

SN_EXTERN_C_END

// NULL for an ascending list that leaves no row out
static inline const int* sn_nullIfIdentity(int n, const int* index) {
  return index && n > 0 && index[n - 1] == n - 1 ? NULL : index;
}

#endif  // SINEW_MATH_TREE_TEAM_H_
