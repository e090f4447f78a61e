// Errors of assignments to attributes, which nanobind words without a name: opt.timestep = "fast".

#include "bindings.h"

namespace {

std::string typeName(nb::handle value) {
  return nb::cast<std::string>(nb::str(value.type().attr("__name__")));
}

// What a setter takes, from nanobind's message: "... (self, arg: float, /) -> None ..."; "" if it says something else.
std::string expectedType(const std::string& message) {
  const std::string head = "(): incompatible function arguments", before = "arg: ", after = ", /)";
  size_t start = message.find(before), end = message.find(after);
  if (message.compare(0, head.size(), head) || start == std::string::npos ||
      end == std::string::npos) {
    return "";
  }
  start += before.size();
  return message.substr(start, end - start);
}

std::string unknownName(nb::handle self, nb::handle name, const std::string& message) {
  nb::object near = nb::module_::import_("sinew._named").attr("near");
  return message + nb::cast<std::string>(near(name, nb::steal(PyObject_Dir(self.type().ptr()))));
}

// The exception that was raised, in better words where there are some.
void explain(nb::handle self, nb::handle name, nb::handle value) {
  nb::python_error raised;
  std::string message = nb::cast<std::string>(nb::str(raised.value()));
  std::string word = nb::cast<std::string>(nb::str(name));
  std::string expected = expectedType(message);
  bool unknown = raised.matches(PyExc_AttributeError);
  if (value.is_valid() && raised.matches(PyExc_TypeError) && !expected.empty()) {
    message =
        word + " of " + typeName(self) + ": expected " + expected + ", got " + typeName(value);
    PyErr_SetString(PyExc_TypeError, message.c_str());
  } else if (unknown && nb::hasattr(self.type(), name) && value.is_valid()) {
    message = "attribute '" + word + "' of '" + typeName(self) + "' object cannot be assigned";
    PyErr_SetString(PyExc_AttributeError, message.c_str());
  } else if (unknown) {
    PyErr_SetString(PyExc_AttributeError, unknownName(self, name, message).c_str());
  } else {
    raised.restore();
  }
}

int setAttribute(PyObject* self, PyObject* name, PyObject* value) {
  if (PyObject_GenericSetAttr(self, name, value) == 0) return 0;
  try {
    explain(self, name, value);
  } catch (nb::python_error& error) {
    error.restore();
  }
  return -1;
}

PyType_Slot slots[] = {{Py_tp_setattro, (void*)setAttribute}, {0, nullptr}};

}  // namespace

PyType_Slot* attributeSlots() { return slots; }
