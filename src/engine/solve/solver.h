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
//   solve/solver.c   sn_fwdConstraint: warm start, choice of the solver, islands
//   solve/primal.c   iterations of Newton and CG
//   solve/line.c     exact line search
//   solve/hessian.c  sparse Hessian M + J' s'' J: assembly, updates when rows change their states
//   solve/pattern.c  its pattern
//   solve/order.c    the order of elimination
//   solve/factor.c   its factor: from scratch, after small changes, and solves with it
//   lanes/dense.c    the Hessian and its factor for a team of lanes
//   lanes/newton.c   the whole stage in the registers of a team
//   solve/dual.c     PGS and noslip
//   solve/qcqp.c     friction of one elliptic contact
//   solve/xpbd.c     instead of all this: positions at the end of the step, on the same rows

#ifndef SINEW_ENGINE_SOLVE_SOLVER_H_
#define SINEW_ENGINE_SOLVE_SOLVER_H_

#include "engine/constrain/constraint.h"
#include "math/math.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Rows of a supernode, rows of a block.
enum { snMAXSUPER = 8, snMAXBLOCK = 16 };

// Size of a row of the Hessian in memory: it is padded so that loops can run over whole groups of four. The padding
// holds arbitrary numbers.
static inline int sn_paddedRow(int count) { return (count + 4) & ~3; }

// Symmetric matrix in lower compressed rows: ascending columns, the diagonal last, rows padded. The
// pattern holds the fill of the factor L' D L, which eliminates the last row first.
struct snHessian_ {
  int n;
  int* nnz;
  int* adr;
  int* col;
  int* super;         // first row of the supernode of each row
  int* begin;         // first row of each supernode, and the end
  int nsuper;         // supernodes
  int total;          // non-zeros of the pattern
  int natural;        // the same in the order of the dofs
  int room;           // numbers of storage
  snReal cost;        // multiplications of a factor
  const int* place;   // place of each dof in the order of elimination; NULL: its own
  snRows J;           // the rows, with columns in that order
  int* assembled;     // states of the rows in the quadratic part
  int* path;          // cost of an update from each row up to the root
  int hasPaths;       // has it been computed? The first update does
  int* places;        // scratch of n numbers
  snReal* scratch;    // for the widest block, and for updates
  snReal* quadratic;  // M + sum of D J' J over rows in the quadratic state
  snReal* factor;     // L below the diagonal, D on it
  snReal* diaginv;    // 1/D
};
typedef struct snHessian_ snHessian;

// Four numbers that are loaded and stored at once.
struct snQuad_ {
  alignas(4 * sizeof(snReal)) snReal v[4];
};
typedef struct snQuad_ snQuad;

// The Hessian of a team of lanes (lanes/dense.c), in its scratch.
struct snDense_ {
  int side;           // tiles along a side of the Hessian
  int tiles;          // of the lower triangle
  snQuad* J;          // rows of the constraints with all columns
  snQuad* M;          // inertia, square by rows
  snQuad* H;          // the Hessian, then its factor
  snQuad* quadratic;  // M + sum of D J'J
  snQuad* pivot;      // factor of the diagonal tiles, three quads each
  snQuad* x;          // solution
  snQuad* y;          // D^-1 L^-1 rhs
  snQuad* search;     // search direction, with zeros up to a whole tile
  int* corner;        // row << 16 | column of the tiles
  int* changed;       // rows that became quadratic, and ~row of those that no longer are
  int* cones;         // contacts in the cone zone
};
typedef struct snDense_ snDense;

// One primal problem: the whole system or one island.
struct snPrimal_ {
  const snModel* m;
  snData* d;
  int island;  // index of the statistics
  int newton;

  // the problem
  int nv;
  const int* dofs;  // dofs of the model; NULL: all
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
  int cones;     // one lane: some contacts are elliptic
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
  snReal* Ms;                    // M search
  snReal* v;                     // J search
  struct snConeLine_* coneLine;  // of a contact whose rows begin at row i: number i / 2
  snHessian H;
  snDense dense;

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
// Order of the trees that the rows couple: order[k] is eliminated k-th; tree has the index of each dof's. 0 when
// the stack is full.
SN_FN int sn_orderTrees(const snPrimal* p, const int* tree, int ntree, int* order);
// Non-zeros of the pattern alone, in the order of the dofs.
SN_FN int sn_hessianNatural(snPrimal* p);
// Assemble from scratch and factor.
SN_FN void sn_hessianBuild(snPrimal* p);
// Update it for the change from oldstate to state.
SN_FN void sn_hessianUpdate(snPrimal* p);

// Factor the matrix in H->factor in place.
SN_FN void sn_factorHessian(const snHessian* H);
// The cost of adding or removing one row J_r' J_r, in multiplications; sn_findPaths prepares it for all rows of H.
SN_FN void sn_findPaths(const snHessian* H);
SN_FN snReal sn_updateCost(const snHessian* H, int row);
// The factor of H + sum weight[r] J_r' J_r over count rows of one pattern; scratch for
// sn_updateScratch numbers. Returns 0 when a pivot lost too many digits: the factor is then invalid.
SN_FN int sn_updateFactor(const snHessian* H, int first, int count, const snReal* weight,
                          snReal* scratch);
SN_FN int sn_updateScratch(const snHessian* H);
// x <- H^-1 x; scratch of n numbers.
SN_FN void sn_solveHessian(const snHessian* H, snReal* x, snReal* scratch);

// For a team: does a matrix of so many dofs fit the tiles?
SN_FN int sn_denseFits(int nv);
// Their pattern, storage and the rows; 0 when they are too large.
SN_FN int sn_denseAllocate(snPrimal* p);
// Assemble (from scratch, or following the change from oldstate to state) and factor.
SN_FN void sn_denseHessian(snPrimal* p, int fresh);
// dense.x <- H^-1 rhs
SN_FN void sn_denseSolve(const snPrimal* p, const snReal* rhs);
// Ms = M search, v = J search and frc_constraint = J' force.
SN_FN void sn_denseMulInertia(const snPrimal* p);
SN_FN void sn_denseMulVec(const snPrimal* p);
SN_FN void sn_denseMulTVec(const snPrimal* p);

// The constraint stage, sn_limitForces included, by a warp that holds the problem in registers. Returns 0, having done
// nothing, when it does not fit.
SN_FN int sn_newtonLanes(const snModel* m, snData* d);
// The same for one problem of Newton's method. Returns 0, having done nothing, when it does not fit.
SN_FN int sn_newtonOfPrimal(snPrimal* p, int iterations);

// Projected Gauss-Seidel on the dual, where product is AR efc_force and becomes scratch; then noslip: friction
// without regularisation.
SN_FN void sn_solvePGS(const snModel* m, snData* d, snReal* product, int iterations);
SN_FN void sn_solveNoslip(const snModel* m, snData* d, int iterations);

// Positions and velocities at the end of the step (solve/xpbd.c); 0 when the arena is full. For a team.
SN_FN int sn_solveXPBD(const snModel* m, snData* d);

// Forces of the rows of joint limits by joint, into jnt_limit_frc.
SN_FN void sn_limitForces(const snModel* m, snData* d);

// Friction of an elliptic contact inside the ellipsoid of its normal force: minimise
// 1/2 u' A u + u' b with sum (u/mu)^2 <= normal^2.
SN_FN void sn_ellipticFriction(const snContact* con, const snReal* A, const snReal* b,
                               snReal normal, snReal* u);

// Set the states from the forces; returns the number of active rows, and in nchange that of rows whose state changed.
SN_FN int sn_dualStates(const snData* d, int* state, int* nchange);

// Constraint force and acceleration of efc_force.
SN_FN void sn_finishDual(const snModel* m, snData* d);

// Value of the dual cost at efc_force, and AR efc_force.
SN_FN snReal sn_dualCost(const snData* d, snReal* product);

// minimise 1/2 u' A u + u' b with sum (u_i / d_i)^2 <= r^2, n from 1 to 5; returns whether the
// bound is active
SN_FN int sn_solveQCQP(snReal* u, const snReal* A, const snReal* b, const snReal* d, snReal r,
                       int n);

SN_EXTERN_C_END

// The tolerance of an iteration. Smaller improvements of a cost in single precision are rounding errors.
SN_KERNEL snReal sn_solverTolerance(const snOption* opt) {
  return sizeof(snReal) == 4 ? snu_max(opt->tolerance, (snReal)1e-6) : opt->tolerance;
}

// Statistics of iteration iter of an island; NULL where there is no room for them.
SN_KERNEL snSolverStat* sn_solverStat(snData* d, int island, int iter) {
  if (island >= snNISLAND || iter >= snNSOLVER) return NULL;
  return d->solver + island * snNSOLVER + iter;
}

#endif  // SINEW_ENGINE_SOLVE_SOLVER_H_
