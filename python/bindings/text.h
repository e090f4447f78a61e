// Texts from Python: str, or bytes taken as they are, wherever a function has a std::string.

#ifndef SINEW_BINDINGS_TEXT_H_
#define SINEW_BINDINGS_TEXT_H_

#include <nanobind/nanobind.h>

#include <string>

namespace nanobind::detail {

template <>
struct type_caster<std::string> {
  NB_TYPE_CASTER(std::string, const_name("str"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    Py_ssize_t size = 0;
    const char* text = nullptr;
    if (PyUnicode_Check(source.ptr())) {
      text = PyUnicode_AsUTF8AndSize(source.ptr(), &size);
    } else if (PyBytes_Check(source.ptr())) {
      text = PyBytes_AsString(source.ptr());
      size = PyBytes_Size(source.ptr());
    }
    if (!text) {
      PyErr_Clear();
      return false;
    }
    value.assign(text, (size_t)size);
    return true;
  }

  static handle from_cpp(const std::string& text, rv_policy, cleanup_list*) noexcept {
    return PyUnicode_FromStringAndSize(text.data(), (Py_ssize_t)text.size());
  }
};

}  // namespace nanobind::detail

#endif  // SINEW_BINDINGS_TEXT_H_
