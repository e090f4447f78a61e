// The plan of a step: which stages a team computes by lanes (engine/lanes), that is with a lane for each body, dof or
// row, in registers. All other stages, and all stages of a single lane, run loops that take any size (SN_FOR).
//
// The choice follows from sizes and options, and stages depend on one another's choice: Euler solves with a factor that
// the inertia stage makes only if Euler will use it. The beginning of a step therefore decides for all stages, and
// each stage reads its bit with sn_plans. What only one stage depends on (a muscle among the actuators, a spring on
// a ball joint) that stage checks by itself.
//
// The plan is stored with the lane's number (base/team.h). A lane that works alone has an empty plan, and a CPU has none:
// there any stage may be called at any time. A team enters the engine through sn_step, sn_forward, sn_forwardSkip,
// sn_step1 and sn_step2, which make the plan.

#ifndef SINEW_ENGINE_STEP_PLAN_H_
#define SINEW_ENGINE_STEP_PLAN_H_

#include "base/error.h"
#include "base/team.h"
#include "sinew/sinew.h"

enum {
  snPLAN_MADE = 1 << 0,         // the step has a plan
  snPLAN_TREE = 1 << 1,         // a lane for each body and each dof, all of them awake
  snPLAN_QUICK_POSES = 1 << 2,  // poses may round differently than on a CPU
  snPLAN_POSES = 1 << 3,    // kinematics by lanes: TREE, QUICK_POSES, a lane for each coordinate
  snPLAN_TENDONS = 1 << 4,  // few tendons; a lane for each wrapping object, dof and coordinate
  snPLAN_FACTOR = 1 << 5,   // M is factored with a lane for each entry of a row; nothing can sleep
  snPLAN_DAMPED_FACTOR =
      1 << 6,  // and so is qH = M + h D, with which Euler's implicit damping solves
  snPLAN_TRANSMISSION = 1 << 7,   // a lane for each actuator, joint and coordinate
  snPLAN_ROWS = 1 << 8,           // constraint rows: a lane for each body, dof, joint and tendon
  snPLAN_ROW_PRODUCTS = 1 << 9,   // dense rows times vectors over dofs, which 16 or 32 lanes hold
  snPLAN_PATHS = 1 << 10,         // velocities of tendons and actuators: TREE, few of both
  snPLAN_PASSIVE = 1 << 11,       // springs and dampers of joints: TREE, no other passive forces
  snPLAN_ACTUATION = 1 << 12,     // TREE, a lane for each actuator, no activations
  snPLAN_ACCELERATION = 1 << 13,  // TREE, FACTOR
  snPLAN_NEWTON = 1 << 14,  // Newton with pyramids and dense rows, 16 or 32 lanes for the dofs
  snPLAN_EULER = 1 << 15,   // a lane for each dof and coordinate, and qH is there if it is needed

  snPLAN_IMPLICIT = 1 << 16,  // implicitfast: FACTOR, TREE, a lane for each coordinate and actuator

  // the bits that sizes and options alone decide
  snPLAN_BY_SIZE = (1 << 15) - 1 - snPLAN_FACTOR - snPLAN_DAMPED_FACTOR + snPLAN_IMPLICIT
};

// tendons whose Jacobians a lane loads at once (PATHS), and whose rows lanes write (TENDONS)
enum { snPATH_TENDONS = 4, snFEW_TENDONS = 8 };

#ifdef SN_TEAM

SN_EXTERN_C_BEGIN

// Make the plan of this team's step. All lanes call together.
SN_FN void sn_planStep(const snModel* m, const snData* d);

// The part of the plan that sizes and options decide: all but FACTOR, DAMPED_FACTOR and EULER.
SN_FN int sn_planSizes(const snModel* m, const snData* d);

SN_EXTERN_C_END

// Is the bit set? Trees may have woken since the plan was made, but the conditions of set bits must still hold.
static inline int sn_plans(const snModel* m, const snData* d, int bit) {
  int plan = SN_PLAN;
  SN_ASSERT(SN_LANES == 1 ? !plan : plan & snPLAN_MADE);
  SN_ASSERT(SN_LANES == 1 || !(plan & snPLAN_BY_SIZE & ~sn_planSizes(m, d)));
  (void)m, (void)d;
  return (plan & bit) != 0;
}

// An empty plan, for stages outside of a step (when a world is drawn): they take their general versions.
static inline void sn_planNothing(void) {
  if (SN_LANES > 1) SN_SET_PLAN(snPLAN_MADE);
}

#else
#define sn_planStep(m, d) ((void)0)
#define sn_planNothing() ((void)0)
#define sn_plans(m, d, bit) 0
#endif

#endif  // SINEW_ENGINE_STEP_PLAN_H_
