// The engine's own functions under the names that translated PTX calls (ptx.py), and what is from PTX under its own: the
// solver (PTX_SOLVER) or deformables.
//
// PTX_CALLS, which the test defines, has NATIVE(name) for each. Functions for teams are never called by one lane.

#include <cstdlib>
#include <utility>

#include "base/arena.h"
#include "base/warning.h"
#include "engine/collide/collision.h"
#include "engine/collide/convex_query.h"
#include "engine/collide/distance_field.h"
#include "engine/constrain/constraint.h"
#include "engine/constrain/contact_side.h"
#include "engine/constrain/impedance.h"
#include "engine/deform/deform.h"
#include "engine/smooth/force.h"
#include "engine/smooth/inertia.h"
#include "engine/solve/solver.h"
#include "math/decomp.h"

#undef sn_stackAlloc
#undef sn_markStack
#undef sn_freeStack
#undef sn_arenaAlloc

extern "C" {
char PTX_SHARED[1 << 10];  // begins with the view of the only lane
__attribute__((constructor)) static void enter(void) { *(int*)PTX_SHARED = 1 << 8; }

#ifdef PTX_SOLVER  // for teams
int sn_denseFits(int) { abort(); }
int sn_denseAllocate(snPrimal*) { abort(); }
void sn_denseHessian(snPrimal*, int) { abort(); }
void sn_denseSolve(const snPrimal*, const snReal*) { abort(); }
void sn_denseMulInertia(const snPrimal*) { abort(); }
void sn_denseMulVec(const snPrimal*) { abort(); }
void sn_denseMulTVec(const snPrimal*) { abort(); }
int sn_newtonOfPrimal(snPrimal*, int) { abort(); }
#endif
}

template <class R, class... A, size_t... I>
static void forward(R (*f)(A...), void** all, std::index_sequence<I...>) {
  if constexpr (std::is_void_v<R>) {
    f(*(std::remove_reference_t<A>*)all[I + 1]...);
  } else {
    *(R*)all[0] = f(*(std::remove_reference_t<A>*)all[I + 1]...);
  }
}

template <class R, class... A>
static void forward(R (*f)(A...), void** all) {
  forward(f, all, std::index_sequence_for<A...>{});
}

#define NATIVE(name) \
  void N_##name(void** all) { forward(name, all); }
PTX_CALLS
#undef NATIVE
void N_snu_warning(void**) {}

#ifdef PTX_SOLVER
void T_sn_solvePrimal(void** all);
extern "C" int sn_solvePrimal(snPrimal* p, int iterations) {
  int result;
  void* all[] = {&result, &p, &iterations};
  T_sn_solvePrimal(all);
  return result;
}
#else
void T_sn_deformCollision(void** all);
void T_sn_deformForces(void** all);
void T_sn_deformStep(void** all);
extern "C" {
void sn_deformCollision(const snModel* m, snData* d) {
  void* all[] = {nullptr, &m, &d};
  T_sn_deformCollision(all);
}
void sn_deformForces(const snModel* m, snData* d) {
  void* all[] = {nullptr, &m, &d};
  T_sn_deformForces(all);
}
void sn_deformStep(const snModel* m, snData* d, snReal back) {
  void* all[] = {nullptr, &m, &d, &back};
  T_sn_deformStep(all);
}
}
#endif
