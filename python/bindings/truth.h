// Truth values as MuJoCo's package takes them: True, False, None, and whatever is a number, NumPy's included.

#ifndef SINEW_BINDINGS_TRUTH_H_
#define SINEW_BINDINGS_TRUTH_H_

#include <nanobind/nanobind.h>

struct Truth {
  bool value = false;
  operator bool() const { return value; }
};

namespace nanobind::detail {

template <>
struct type_caster<Truth> {
  NB_TYPE_CASTER(Truth, const_name("bool"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    const PyNumberMethods* number = Py_TYPE(source.ptr())->tp_as_number;
    if (!source.is_none() && (!number || !number->nb_bool)) return false;
    int answer = PyObject_IsTrue(source.ptr());
    if (answer < 0) PyErr_Clear();
    value.value = answer > 0;
    return answer >= 0;
  }

  static handle from_cpp(Truth truth, rv_policy, cleanup_list*) noexcept {
    return PyBool_FromLong(truth.value);
  }
};

}  // namespace nanobind::detail

#endif
