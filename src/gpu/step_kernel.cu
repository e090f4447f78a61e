// The kernel that steps worlds, as one unit with the stages of a step.
//
// The files below have functions marked SN_STAGE, which the compiler builds into the kernel: a function
// that is called would save its caller's registers, and fetch the description of global memory before
// every access. Every other file of the engine is compiled by itself (tools/gpu_build.py).
//
// SN_TEAM_LANES says how many lanes a team has: 32, or 16 in a second compilation for small models.
//
// Each file stands in a namespace of its own, for its static functions and types. The headers that they
// include come first, outside of any namespace (tools/check_layers.py compares the lists); macros that a
// file defines are seen by those after it, so their names differ.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/bits.h"
#include "base/crew.h"
#include "base/error.h"
#include "base/warning.h"
#include "engine/actuate/actuation.h"
#include "engine/actuate/hill.h"
#include "engine/actuate/law.h"
#include "engine/actuate/muscle.h"
#include "engine/collide/broad.h"
#include "engine/collide/collision.h"
#include "engine/collide/convex_query.h"
#include "engine/collide/flex.h"
#include "engine/constrain/constraint.h"
#include "engine/constrain/contact_lists.h"
#include "engine/constrain/impedance.h"
#include "engine/constrain/island.h"
#include "engine/constrain/row_value.h"
#include "engine/deform/deform.h"
#include "engine/differentiate/velocity_derivative.h"
#include "engine/flex/flex.h"
#include "engine/flex/implicit.h"
#include "engine/lanes/elimination.h"
#include "engine/lanes/lanes.h"
#include "engine/lanes/loose.h"
#include "engine/lanes/newton.h"
#include "engine/plugin/plugin.h"
#include "engine/smooth/capstan.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/force.h"
#include "engine/smooth/inertia.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/joint.h"
#include "engine/smooth/kinematics.h"
#include "engine/smooth/object.h"
#include "engine/smooth/passive.h"
#include "engine/smooth/tendon.h"
#include "engine/smooth/wrap.h"
#include "engine/solve/kernel.h"
#include "engine/solve/search.h"
#include "engine/solve/solver.h"
#include "engine/step/integrate.h"
#include "engine/step/plan.h"
#include "engine/step/position.h"
#include "engine/step/sleep.h"
#include "engine/step/stages.h"
#include "engine/step/timer.h"
#include "gpu/kernels.h"
#include "gpu/world.h"
#include "math/decomp.h"
#include "math/four.h"
#include "math/math.h"
#include "math/quat_vector.h"
#include "math/sparse.h"
#include "math/spatial_four.h"
#include "math/three.h"
#include "model/object_types.h"
#include "sinew/contactsolver.h"
#include "sinew/sinew.h"

// clang-format off
#define SN_FILE(name) namespace file_##name { extern "C" {
#define SN_END_FILE }}

SN_FILE(check)
#include "engine/step/check.c"
SN_END_FILE
SN_FILE(plan)
#include "engine/step/plan.c"
SN_END_FILE
SN_FILE(kinematics)
#include "engine/smooth/kinematics.c"
SN_END_FILE
SN_FILE(lanes_kinematics)
#include "engine/lanes/kinematics.c"
SN_END_FILE
SN_FILE(com)
#include "engine/smooth/com.c"
SN_END_FILE
SN_FILE(camlight)
#include "engine/smooth/camlight.c"
SN_END_FILE
SN_FILE(tendon)
#include "engine/smooth/tendon.c"
SN_END_FILE
SN_FILE(lanes_tendon)
#include "engine/lanes/tendon.c"
SN_END_FILE
SN_FILE(inertia)
#include "engine/smooth/inertia.c"
SN_END_FILE
SN_FILE(broad)
#include "engine/collide/broad.c"
SN_END_FILE
SN_FILE(sweep)
#include "engine/collide/sweep.c"
SN_END_FILE
SN_FILE(collision)
#include "engine/collide/collision.c"
SN_END_FILE
SN_FILE(lanes_collision)
#include "engine/lanes/collision.c"
SN_END_FILE
SN_FILE(constraint)
#include "engine/constrain/constraint.c"
SN_END_FILE
SN_FILE(lanes_rows)
#include "engine/lanes/rows.c"
SN_END_FILE
SN_FILE(island_graph)
#include "engine/constrain/island_graph.c"
SN_END_FILE
SN_FILE(island)
#include "engine/constrain/island.c"
SN_END_FILE
SN_FILE(transmission)
#include "engine/actuate/transmission.c"
SN_END_FILE
SN_FILE(velocity)
#include "engine/smooth/velocity.c"
SN_END_FILE
SN_FILE(bias)
#include "engine/smooth/bias.c"
SN_END_FILE
SN_FILE(passive)
#include "engine/smooth/passive.c"
SN_END_FILE
SN_FILE(parts)
#include "engine/constrain/parts.c"
SN_END_FILE
SN_FILE(row_product)
#include "engine/constrain/row_product.c"
SN_END_FILE
SN_FILE(lanes_row_product)
#include "engine/lanes/row_product.c"
SN_END_FILE
SN_FILE(reference)
#include "engine/constrain/reference.c"
SN_END_FILE
SN_FILE(row_cost)
#include "engine/constrain/row_cost.c"
SN_END_FILE
SN_FILE(actuation)
#include "engine/actuate/actuation.c"
SN_END_FILE
SN_FILE(lanes_actuation)
#include "engine/lanes/actuation.c"
SN_END_FILE
SN_FILE(acceleration)
#include "engine/smooth/acceleration.c"
SN_END_FILE
SN_FILE(lanes_dynamics)
#include "engine/lanes/dynamics.c"
SN_END_FILE
SN_FILE(solver)
#include "engine/solve/solver.c"
SN_END_FILE
SN_FILE(lanes_newton)
#include "engine/lanes/newton.c"
SN_END_FILE
#if SN_TEAM_LANES == 32
SN_FILE(lanes_newton_primal)
#include "engine/lanes/newton_primal.c"
SN_END_FILE
#endif
SN_FILE(integrate)
#include "engine/step/integrate.c"
SN_END_FILE
SN_FILE(lanes_integrate)
#include "engine/lanes/integrate.c"
SN_END_FILE
// clang-format on

extern "C" __global__ void sn_kernelStep(snWorlds worlds, snStepCall call) {
  int i = teamWorld(worlds, worlds.step_lanes);
  if (i >= 0) sn_stepWorld(&worlds, i, &call);
}
