// Linearisation of a step beyond finite differences.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <utility>

#include "guard.h"
#include "sinew/derivatives.h"

using Matrix = std::optional<nb::ndarray<snReal, nb::c_contig, nb::device::cpu>>;

// memory of a matrix that must hold n numbers, NULL for None
static snReal* numbers(Matrix& matrix, snSize n) {
  if (!matrix) return nullptr;
  if ((snSize)matrix->size() != n) throw nb::value_error("array has the wrong size");
  return matrix->data();
}

using Transition = int (*)(const snModel*, snData*, const snTransition*, snReal*, snReal*);

static void bindTransition(nb::module_& module, const char* name, Transition transition) {
  module.def(
      name,
      [transition](Model& m, Data& d, Matrix A, Matrix B, snReal eps, bool centered,
                   bool analytic) {
        snSize ndx = 2 * m.m->nv + m.m->na;
        snTransition option = {eps, (snByte)centered, (snByte)analytic};
        StackGuard stack(d.of(m));
        StateGuard state(m.m, d.d);
        return transition(m.m, d.d, &option, numbers(A, ndx * ndx), numbers(B, ndx * m.m->nu));
      },
      nb::arg("m"), nb::arg("d"), nb::arg("A").none(), nb::arg("B").none(), nb::arg("eps") = 1e-6,
      nb::arg("centered") = true, nb::arg("analytic") = true);
}

void bindDerivative(nb::module_& module) {
  bindTransition(module, "transition_difference", snd_transitionDifference);
  bindTransition(module, "transition_hybrid", snd_transitionHybrid);
  bindTransition(module, "transition_analytic", snd_transitionAnalytic);
  bindTransition(module, "transition", snd_transition);
  module.def(
      "inverse_analytic",
      [](Model& m, Data& d, bool actuation, Matrix DfDq, Matrix DfDv, Matrix DfDa) {
        snSize n = m.m->nv * m.m->nv;
        return snd_inverseAnalytic(m.m, d.of(m), (snByte)actuation, numbers(DfDq, n),
                                   numbers(DfDv, n), numbers(DfDa, n));
      },
      nb::arg("m"), nb::arg("d"), nb::arg("flg_actuation"), nb::arg("DfDq").none(),
      nb::arg("DfDv").none(), nb::arg("DfDa").none());
  module.def("analytic_columns",
             [](Model& m, Data& d) { return snd_analyticColumns(m.m, d.of(m)); });
  module.def("validate_transition", [](Model& m, Data& d) {
    snReal error[2] = {0, 0};
    if (snd_validateTransition(m.m, d.of(m), error)) throw nb::value_error("no derivatives");
    return std::make_pair(error[0], error[1]);
  });
  module.def("max_relative_error", [](Matrix a, Matrix b, snReal floor) {
    snSize n = a ? (snSize)a->size() : 0;
    int where = -1;
    snReal error = snd_maxRelativeError(numbers(a, n), numbers(b, n), (int)n, floor, &where);
    return std::make_pair(error, where);
  });
  module.def("smooth_vel", [](Model& m, Data& d) { snd_smoothVel(m.m, d.of(m)); });
  module.def("check_convergence", [](Model& m, Data& d, snReal eps, snReal tolerance) {
    return snd_checkConvergence(m.m, d.of(m), eps, tolerance);
  });
}
