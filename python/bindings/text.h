// Texts from Python: str, or bytes taken as they are, wherever a function has a std::string; where it has a
// FileName, also what os.fspath takes, a pathlib.Path for one.

#ifndef SINEW_BINDINGS_TEXT_H_
#define SINEW_BINDINGS_TEXT_H_

#include <nanobind/nanobind.h>

#include <string>

struct FileName : std::string {
  using std::string::string;
};

namespace nanobind::detail {

inline bool readText(handle source, std::string& value) noexcept {
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

template <>
struct type_caster<FileName> {
  NB_TYPE_CASTER(FileName, const_name("str | bytes | os.PathLike"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    PyObject* path = PyOS_FSPath(source.ptr());
    if (!path) PyErr_Clear();
    bool read = path && readText(path, value);
    Py_XDECREF(path);
    return read;
  }

  static handle from_cpp(const FileName& text, rv_policy, cleanup_list*) noexcept {
    return PyUnicode_FromStringAndSize(text.data(), (Py_ssize_t)text.size());
  }
};

template <>
struct type_caster<std::string> {
  NB_TYPE_CASTER(std::string, const_name("str"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    return readText(source, value);
  }

  static handle from_cpp(const std::string& text, rv_policy, cleanup_list*) noexcept {
    return PyUnicode_FromStringAndSize(text.data(), (Py_ssize_t)text.size());
  }
};

}  // namespace nanobind::detail

// ---- files in memory: a dictionary of names and contents ----

inline nanobind::dict assetDict(const nanobind::object& assets) {
  namespace nb = nanobind;
  if (nb::isinstance<nb::dict>(assets)) return nb::borrow<nb::dict>(assets);
  std::string kind = nb::cast<std::string>(assets.type().attr("__name__"));
  throw nb::type_error(
      ("assets: a dict from file names to bytes is expected, not " + kind).c_str());
}

inline std::string assetName(nanobind::handle key) {
  namespace nb = nanobind;
  FileName name;
  if (nb::try_cast<FileName>(key, name)) return name;
  std::string kind = nb::cast<std::string>(key.type().attr("__name__"));
  throw nb::type_error(("assets: names of files are str, not " + kind).c_str());
}

inline nanobind::bytes assetContent(const std::string& name, nanobind::handle value) {
  namespace nb = nanobind;
  nb::object content = nb::borrow(value);
  if (PyUnicode_Check(content.ptr())) content = content.attr("encode")();
  if (PyByteArray_Check(content.ptr())) content = nb::bytes(nb::borrow(content));
  if (PyBytes_Check(content.ptr())) return nb::borrow<nb::bytes>(content);
  std::string kind = nb::cast<std::string>(value.type().attr("__name__"));
  throw nb::type_error(
      ("assets: the content of '" + name + "' is to be bytes, not " + kind).c_str());
}

#endif  // SINEW_BINDINGS_TEXT_H_
