// Derivatives of steps and of inverse dynamics.

#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings.h"

using Matrix = std::optional<nb::ndarray<snReal, nb::c_contig, nb::device::cpu>>;

// memory of a matrix that must hold n numbers, NULL for None
static snReal* numbers(Matrix& matrix, snSize n) {
  if (!matrix) return nullptr;
  if ((snSize)matrix->size() != n) throw nb::value_error("array has the wrong size");
  return matrix->data();
}

static void transitionFD(Model& m, Data& d, snReal eps, bool centered, Matrix A, Matrix B, Matrix C,
                         Matrix D) {
  snSize ndx = 2 * m.m->nv + m.m->na, nu = m.m->nu, ns = m.m->nsensordata;
  snd_transitionFD(m.m, d.d, eps, centered, numbers(A, ndx * ndx), numbers(B, ndx * nu),
                   numbers(C, ns * ndx), numbers(D, ns * nu));
}

static void inverseFD(Model& m, Data& d, snReal eps, bool actuation, Matrix DfDq, Matrix DfDv,
                      Matrix DfDa, Matrix DsDq, Matrix DsDv, Matrix DsDa, Matrix DmDq) {
  snSize nv = m.m->nv, ns = m.m->nsensordata;
  snd_inverseFD(m.m, d.d, eps, actuation, numbers(DfDq, nv * nv), numbers(DfDv, nv * nv),
                numbers(DfDa, nv * nv), numbers(DsDq, nv * ns), numbers(DsDv, nv * ns),
                numbers(DsDa, nv * ns), numbers(DmDq, nv * m.m->nM));
}

void bindDerivative(nb::module_& module) {
  module.def("mjd_transitionFD", transitionFD, nb::arg("m"), nb::arg("d"), nb::arg("eps"),
             nb::arg("flg_centered"), nb::arg("A").none(), nb::arg("B").none(), nb::arg("C").none(),
             nb::arg("D").none());
  module.def("mjd_inverseFD", inverseFD, nb::arg("m"), nb::arg("d"), nb::arg("eps"),
             nb::arg("flg_actuation"), nb::arg("DfDq").none(), nb::arg("DfDv").none(),
             nb::arg("DfDa").none(), nb::arg("DsDq").none(), nb::arg("DsDv").none(),
             nb::arg("DsDa").none(), nb::arg("DmDq").none());
}
