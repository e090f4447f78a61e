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

// Assemble and factor the matrix of implicitspringdamper.
void sn_makeSpringDamperInertia(const snModel* m, snData* d);

// force += scale h K vel: what springs gain during the step at that velocity.
void sn_addSpringRate(const snModel* m, const snData* d, const snReal* vel, snReal scale,
                      snReal* force);

// Stiffness and damping of a tendon as they enter that matrix.
void sn_tendonSpringDamper(const snModel* m, const snData* d, int tendon, snReal* stiffness,
                           snReal* damping);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_INERTIA_H_
