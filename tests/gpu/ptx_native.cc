// The engine's own functions under the names that translated PTX calls (ptx.py), and the solver from PTX under its own.
//
// PTX_CALLS, which the test defines, has NATIVE(name) for each. Functions for teams are never called by one lane.

#include <cstdlib>
#include <utility>

#include "base/arena.h"
#include "engine/constrain/constraint.h"
#include "engine/smooth/inertia.h"
#include "engine/solve/solver.h"
#include "math/decomp.h"

#undef sn_stackAlloc
#undef sn_markStack
#undef sn_freeStack

extern "C" {
char PTX_SHARED[1 << 10];  // begins with the view of the only lane
__attribute__((constructor)) static void enter(void) { *(int*)PTX_SHARED = 1 << 8; }

// for teams
int sn_denseFits(int) { abort(); }
int sn_denseAllocate(snPrimal*) { abort(); }
void sn_denseHessian(snPrimal*, int) { abort(); }
void sn_denseSolve(const snPrimal*, const snReal*) { abort(); }
void sn_denseMulInertia(const snPrimal*) { abort(); }
void sn_denseMulVec(const snPrimal*) { abort(); }
void sn_denseMulTVec(const snPrimal*) { abort(); }
int sn_newtonOfPrimal(snPrimal*, int) { abort(); }
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

void T_sn_solvePrimal(void** all);
extern "C" int sn_solvePrimal(snPrimal* p, int iterations) {
  int result;
  void* all[] = {&result, &p, &iterations};
  T_sn_solvePrimal(all);
  return result;
}
