// The inertia that a step solves with.
//
// Rows of the lower triangle in compressed form, ancestors in ascending order and the diagonal
// last, with the factor L' D L on the same pattern. For all integrators but one it is M itself.
// With implicitspringdamper it is M + h D + h^2 K, where D and K hold the damping and stiffness of
// joints and tendons; a tendon across branches links their dofs into one chain, so that the same
// routines (math/decomp.h) serve both. Its arrays live in the arena from the position stage on.

#ifndef SINEW_ENGINE_SMOOTH_INERTIA_H_
#define SINEW_ENGINE_SMOOTH_INERTIA_H_

#include "base/team.h"
#include "engine/step/sleep.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

struct snInertia_ {
  const int* rownnz;
  const int* rowadr;
  const int* colind;
  const snReal* M;
  const snReal* LD;
  const snReal* LDiagInv;
};
typedef struct snInertia_ snInertia;

// M, or the matrix of implicitspringdamper.
snInertia sn_systemInertia(const snModel* m, const snData* d);

// res = M vec and x <- M^-1 x with that inertia.
void sn_mulInertia(const snModel* m, const snData* d, snReal* res, const snReal* vec);
void sn_solveInertia(const snModel* m, const snData* d, snReal* x);

// Copies rows of M, or of a matrix with its pattern, of n dofs in ascending order: at once where they follow one another.
void sn_copyRowsOfM(const snModel* m, snReal* res, const snReal* M, const int* dof, int n);

// Option "sinew:linear": a step without constraints takes time in proportion to the number of dofs, because neither M
// nor its factor is formed (smooth/articulated.c). Whether there are constraint rows is known only after the inertia
// stage, which therefore skips M; sn_lateInertia makes it when there are any. Teams always form M.

// Does the model ask for it, and do its options and elements allow it?
int sn_linearFits(const snModel* m);
static inline int sn_isLinear(const snModel* m) {
#ifdef SN_TEAM
  (void)m;
  return 0;
#else
  return (m->opt.enableflags & snENBL_LINEAR) && sn_linearFits(m);
#endif
}

// Does this step do without M? Valid after the rows were made.
static inline int sn_leavesOutM(const snModel* m, const snData* d) {
  return sn_isLinear(m) && !d->nefc;
}

// n vectors x <- (M + diag(extra))^-1 x (extra may be NULL), of all trees or of those awake: returns whether the
// matrix is positive definite. And res = M vec.
int sn_solveArticulated(const snModel* m, snData* d, snReal* x, int n, const snReal* extra,
                        int awake);
void sn_mulArticulated(const snModel* m, const snData* d, snReal* res, const snReal* vec);

// Make and factor M when a linear step needs it after all.
void sn_fillInertia(const snModel* m, snData* d);
static inline void sn_lateInertia(const snModel* m, snData* d) {
  if (sn_isLinear(m) && d->nefc) sn_fillInertia(m, d);
}

// Assemble and factor the matrix of implicitspringdamper.
void sn_makeSpringDamperInertia(const snModel* m, snData* d);

// force += scale h K vel: the change of the spring forces during the step at that velocity.
void sn_addSpringRate(const snModel* m, const snData* d, const snReal* vel, snReal scale,
                      snReal* force);

// Stiffness and damping of a tendon as they enter that matrix.
void sn_tendonSpringDamper(const snModel* m, const snData* d, int tendon, snReal* stiffness,
                           snReal* damping);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_INERTIA_H_
