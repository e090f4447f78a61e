// Whole numbers from Python: int, and what says that it stands for one, as in pybind11. Comparisons of NumPy are of a
// type of their own (numpy.bool), which is no int and has no index; numbers of single precision lose their fraction.
// A float is refused.

#ifndef SINEW_BINDINGS_WHOLE_H_
#define SINEW_BINDINGS_WHOLE_H_

#include <nanobind/nanobind.h>

#include <limits>

// Returns false, with no exception set, for what is no whole number or too large.
inline bool readWhole(PyObject* source, long long* number) noexcept {
  PyObject* whole = nullptr;
  if (PyLong_Check(source)) {
    whole = Py_NewRef(source);
  } else if (!PyFloat_Check(source)) {
    if (PyIndex_Check(source)) whole = PyNumber_Index(source);
    if (!whole) PyErr_Clear();
    if (!whole && PyNumber_Check(source)) whole = PyNumber_Long(source);
  }
  *number = whole ? PyLong_AsLongLong(whole) : -1;
  bool read = whole && !PyErr_Occurred();
  PyErr_Clear();
  Py_XDECREF(whole);
  return read;
}

namespace nanobind::detail {

template <typename T>
struct whole_caster {
  NB_TYPE_CASTER(T, const_name("int"))

  bool from_python(handle source, uint32_t flags, cleanup_list*) noexcept {
    if (!(flags & (uint32_t)cast_flags::convert) && !PyLong_CheckExact(source.ptr())) return false;
    long long number;
    if (!readWhole(source.ptr(), &number)) return false;
    value = (T)number;
    return number >= (long long)std::numeric_limits<T>::min() &&
           number <= (long long)std::numeric_limits<T>::max();
  }

  static handle from_cpp(T number, rv_policy, cleanup_list*) noexcept {
    return PyLong_FromLongLong((long long)number);
  }
};

template <>
struct type_caster<int> : whole_caster<int> {};
template <>
struct type_caster<long> : whole_caster<long> {};
template <>
struct type_caster<unsigned char> : whole_caster<unsigned char> {};

}  // namespace nanobind::detail

#endif  // SINEW_BINDINGS_WHOLE_H_
