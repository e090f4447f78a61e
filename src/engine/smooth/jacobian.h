// Jacobians of points fixed in bodies, on the dofs that move them.
//
// The dofs that move a body form a chain: its last dof and the ancestors of that. A chain is an
// ascending list of dofs; Jacobians are 3 x n, one column per dof of the chain. A NULL chain is the
// identity (n = nv): dense and sparse callers share one function. The chain must contain every dof
// that moves the body.

#ifndef SINEW_ENGINE_SMOOTH_JACOBIAN_H_
#define SINEW_ENGINE_SMOOTH_JACOBIAN_H_

#include "base/assert.h"
#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Last dof that moves a body, -1 when the body is static.
static inline int sn_lastDof(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  body = m->body_weldid[body];
  return m->body_dofadr[body] + m->body_dofnum[body] - 1;
}

// Chain of one body, and the union of the chains of two; return the number of dofs.
int sn_bodyChain(const snModel* m, int body, int* chain);
int sn_mergeChain(const snModel* m, int* chain, int body1, int body2);

// The chains of two bodies and how much of them is common: a prefix of both, since a chain begins at
// the root of its tree.
struct snChainPair_ {
  const int* first;
  const int* second;
  int nfirst;
  int nsecond;
  int ncommon;
};
typedef struct snChainPair_ snChainPair;

SN_FN snChainPair sn_chainPair(const snModel* m, int body1, int body2);

// Dof k of the union, ascending; which is -1 when it moves the first body only, 1 the second only, 0
// both.
SN_KERNEL int sn_pairDof(const snChainPair* pair, int k, int* which) {
  *which = 0;
  if (k < pair->ncommon) return pair->first[k];
  const int *first = pair->first + pair->ncommon, *second = pair->second + pair->ncommon;
  int n1 = pair->nfirst - pair->ncommon, n2 = pair->nsecond - pair->ncommon, i = 0;
  k -= pair->ncommon;
  // branches of a tree hardly ever interleave: the number of dofs of the first before place k
  if (!n2 || (n1 && first[n1 - 1] < second[0])) {
    i = k < n1 ? k : n1;
  } else if (n1 && first[0] < second[n2 - 1]) {
    for (int j = 0; i + j < k;) {
      if (i < n1 && (j >= n2 || first[i] < second[j])) {
        i++;
      } else {
        j++;
      }
    }
  } else {
    i = k < n2 ? 0 : k - n2;
  }
  int j = k - i;
  *which = i < n1 && (j >= n2 || first[i] < second[j]) ? -1 : 1;
  return *which < 0 ? first[i] : second[j];
}

static inline int sn_pairLength(const snChainPair* pair) {
  return pair->nfirst + pair->nsecond - pair->ncommon;
}

// Add scale * Jacobian of a point fixed in a body. Nullable: jacp, jacr, chain.
void sn_jacAdd(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, const snReal point[3],
               int body, snReal scale, int n, const int* chain);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_JACOBIAN_H_
