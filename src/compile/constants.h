// Derived constants of a model: what sn_setConst fills from the primary fields.
//
// sn_setConst runs in this order: quantities that need no configuration (masses of subtrees,
// extents of trees, sleep policies), quantities at qpos0 (inverse weights, reference lengths,
// equality anchors), statistics, and spring lengths at qpos_spring. Each group is one function
// here.

#ifndef SINEW_COMPILE_CONSTANTS_H_
#define SINEW_COMPILE_CONSTANTS_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Subtree masses, gravity compensation count, extents of trees, trees of tendons, sleep policies.
void sn_setFixed(snModel* m);

// Patterns of the Jacobians of flexes, edges and metrics of their vertices. A flex whose vertices an
// equality holds must lie in a plane z = const at rest; otherwise this is an error.
void sn_setFlexPatterns(snModel* m, snData* d);
int sn_flexIsFlat(const snModel* m, int flex);

// Lengths of edges, from the positions of the vertices in d.
void sn_setFlexLengths(snModel* m, snData* d);

// Statistics and dof_length; the kinematics of d must be at qpos0.
void sn_setStatistic(snModel* m, snData* d);

// Stiffness and damping of the joints that asked for a spring-damper (timeconst, dampratio pairs,
// two numbers per joint); runs after sn_setConst because it needs the inverse weights.
void sn_setSpringDamper(snModel* m, const double* springdamper);

SN_EXTERN_C_END

#endif  // SINEW_COMPILE_CONSTANTS_H_
