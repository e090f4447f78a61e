// Constraint solvers.
//
// All minimise the same convex function of the acceleration a,
//
//   1/2 (a - a_s)' M (a - a_s) + s(J a - aref),
//
// where a_s is the unconstrained acceleration and s the cost of the rows (sn_rowCost). Newton and CG
// work on it directly (the primal problem), on the whole system or island by island; PGS and noslip
// work on its dual, forces in the space of rows, on the whole system.
//
//   solver.c          sn_fwdConstraint: warm start, choice of the solver, islands
//   solver_primal.c   iterations of Newton and CG
//   solver_line.c     exact line search
//   solver_hessian.c  sparse Hessian M + J' s'' J and its factor
//   solver_dual.c     PGS and noslip
//   solver_qcqp.c     friction of one elliptic contact

#ifndef SINEW_ENGINE_SOLVER_H_
#define SINEW_ENGINE_SOLVER_H_

#include "engine/constraint.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Symmetric matrix in lower compressed rows: ascending columns, the diagonal last. The pattern holds
// the fill of the factor L' D L, which eliminates the last row first.
struct snHessian_ {
  int n;
  int* nnz;
  int* adr;
  int* col;
  int* super;         // first row of the supernode of each row
  int total;          // non-zeros of the pattern
  int tree;           // the pattern is that of M
  snReal* quadratic;  // M + sum of D J' J over rows in the quadratic state
  snReal* factor;     // L below the diagonal, D on it
  snReal* diaginv;    // 1/D
};
typedef struct snHessian_ snHessian;

// One primal problem: the whole system or one island.
struct snPrimal_ {
  const snModel* m;
  snData* d;
  int island;  // index of the statistics
  int newton;

  // the problem
  int nv;
  snRowCost rows;
  snRows J;
  const int* M_rownnz;
  const int* M_rowadr;
  const int* M_colind;
  const snReal* M;
  const snReal* LD;
  const snReal* LDiagInv;
  const snReal* frc_smooth;
  const snReal* acc_smooth;
  snReal scale;  // 1 / inertia: makes costs and gradients comparable with the tolerance

  // the iterate; acc, Ma and x are given at the start
  snReal* acc;
  snReal* Ma;  // M acc
  snReal* x;   // J acc - aref
  snReal* frc_constraint;
  snReal* force;
  int* state;
  int* oldstate;
  snReal cost;   // of rows and inertia
  snReal gauss;  // of inertia alone
  snReal* grad;
  snReal* Mgrad;  // preconditioned gradient
  snReal* gradold;
  snReal* Mgradold;
  snReal* search;
  snReal* Ms;  // M search
  snReal* v;   // J search
  snHessian H;

  // statistics
  int niter;
  int neval;     // evaluations of the line search
  snReal slope;  // at the accepted point
  int nchange;
};
typedef struct snPrimal_ snPrimal;

// Minimise by Newton or CG; scratch comes from the stack. Returns 0 when it is full.
SN_FN int sn_solvePrimal(snPrimal* p, int iterations);

// Step length along search, 0 when no step improves.
SN_FN snReal sn_lineSearch(snPrimal* p, snReal tolerance, snReal ls_tolerance, int iterations);

// Pattern and storage; 0 when the stack is full.
SN_FN int sn_hessianAllocate(snPrimal* p);
// Assemble from scratch and factor.
SN_FN void sn_hessianBuild(snPrimal* p);
// Follow the change from oldstate to state.
SN_FN void sn_hessianUpdate(snPrimal* p);
// Rows that change the Hessian between oldstate and state.
SN_FN int sn_hessianChange(const snPrimal* p);
// x <- H^-1 x
SN_FN void sn_hessianSolve(const snHessian* H, snReal* x);

// Projected Gauss-Seidel on the dual; then noslip: friction without regularisation.
SN_FN void sn_solvePGS(const snModel* m, snData* d, int iterations);
SN_FN void sn_solveNoslip(const snModel* m, snData* d, int iterations);

// Forces of the rows of joint limits by joint, into jnt_limit_frc.
SN_FN void sn_limitForces(const snModel* m, snData* d);

// Value of the dual cost at efc_force.
SN_FN snReal sn_dualCost(const snModel* m, const snData* d);

// minimise 1/2 u' A u + u' b with sum (u_i / d_i)^2 <= r^2, n = 2, 3 or 5; returns whether the
// bound is active
SN_FN int sn_solveQCQP(snReal* u, const snReal* A, const snReal* b, const snReal* d, snReal r,
                       int n);

// Statistics of iteration iter of an island.
SN_FN snSolverStat* sn_solverStat(snData* d, int island, int iter);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SOLVER_H_
