// Integrators and the halves of forward dynamics that step, step1 and inverse share.

#ifndef SINEW_ENGINE_STEP_INTEGRATE_H_
#define SINEW_ENGINE_STEP_INTEGRATE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// The integrator of the options; Euler instead of RK4 with XPBD, which solves for the positions at the end of the step
// and cannot be evaluated within it.
static inline int sn_integratorOf(const snModel* m) {
  int integrator = m->opt.integrator;
  return integrator == snINT_RK4 && m->opt.solver == snSOL_XPBD ? snINT_EULER : integrator;
}

// The velocity stage with its sensors (unless skipped) and energies.
void sn_stageVelocity(const snModel* m, snData* d, int skipsensor);
void sn_stageVelocityWithoutBias(const snModel* m, snData* d);

// Euler and the implicit pair; skipfactor reuses the factors of the previous call.
void sn_EulerSkip(const snModel* m, snData* d, int skipfactor);
void sn_implicitSkip(const snModel* m, snData* d, int skipfactor);

// Extension: stiffness and damping of joints and tendons at the end of the step.
void sn_implicitSpringDamper(const snModel* m, snData* d);

// X <- h^-1 times the changes of velocity that n forces (columns of X, nv x n) make in one step,
// constraints aside: solve with the matrix and the factors of the last step.
void sn_solveStepRows(const snModel* m, const snData* d, snReal* X, int n);

// Compute M, its factor and the matrix of the step, if a linear step (smooth/inertia.h) has left them out.
void sn_fillStepMatrices(const snModel* m, snData* d);

// Does the integrator solve with another matrix than the constraint solver?
int sn_stepHasMatrix(const snModel* m, const snData* d);

// act <- next(act, act_dot)
void sn_advanceActivations(const snModel* m, snData* d, const snReal* act_dot);

// Do the flags let Euler treat joint damping implicitly? flg_damper asks the damper flag as well. The
// second asks whether there is any.
int sn_dampsImplicitly(const snModel* m, int flg_damper);
int sn_hasImplicitDamping(const snModel* m, const snData* d, int flg_damper);

// qH = M + h diag(damping), qH = M - h qDeriv (lower triangle), qLU = M - h qDeriv: not factored.
void sn_makeDampedM(const snModel* m, snData* d);
void sn_makeImplicitFastM(const snModel* m, snData* d);
void sn_makeImplicitM(const snModel* m, snData* d);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_STEP_INTEGRATE_H_
