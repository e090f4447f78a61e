#include "numpy_array.h"

// places in NumPy's table
enum { kArrayType = 2, kNew = 93, kSetBaseObject = 282 };

// flags of arrays
enum { kContiguous = 1, kAligned = 0x100, kWriteable = 0x400 };

using New = PyObject* (*)(void* type, int ndim, const Py_intptr_t* shape, int number,
                          const Py_intptr_t* strides, void* data, int itemsize, int flags,
                          PyObject* like);
using SetBaseObject = int (*)(PyObject* array, PyObject* base);

static void** findTable() {
  nb::object module;
  try {
    module = nb::module_::import_("numpy._core._multiarray_umath");
  } catch (nb::python_error&) {  // NumPy 1
    module = nb::module_::import_("numpy.core._multiarray_umath");
  }
  void** table = (void**)PyCapsule_GetPointer(nb::object(module.attr("_ARRAY_API")).ptr(), nullptr);
  if (!table) throw nb::python_error();
  return table;
}

nb::object numpyArray(void* p, int type, bool writable, size_t ndim, const size_t* shape,
                      nb::handle owner) {
  static void** table = findTable();
  Py_intptr_t extent[2] = {0, 0};
  for (size_t i = 0; i < ndim && i < 2; i++) extent[i] = (Py_intptr_t)shape[i];
  int flags = p ? kContiguous | kAligned | (writable ? kWriteable : 0) : 0;
  PyObject* array =
      ((New)table[kNew])(table[kArrayType], (int)ndim, extent, type, nullptr, p, 0, flags, nullptr);
  if (!array) throw nb::python_error();
  nb::object result = nb::steal(array);
  if (p && ((SetBaseObject)table[kSetBaseObject])(array, owner.inc_ref().ptr())) {
    throw nb::python_error();
  }
  return result;
}
