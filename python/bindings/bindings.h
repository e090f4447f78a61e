// Handles that own C objects for Python, and views onto their arrays.

#ifndef SINEW_PYTHON_BINDINGS_H_
#define SINEW_PYTHON_BINDINGS_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "sinew/sinew.h"

namespace nb = nanobind;

struct Model {
  snModel* m = nullptr;
  ~Model() { sn_deleteModel(m); }
};

struct Data {
  snData* d = nullptr;
  Model* model = nullptr;
  nb::object model_ref;  // keeps the model alive
  ~Data() { sn_deleteData(d); }
};

// NumPy view of rows x columns numbers at p, one-dimensional when columns is 1, kept alive by owner.
template <typename T>
nb::object view(T* p, snSize rows, snSize columns, nb::handle owner) {
  size_t shape[2] = {(size_t)rows, (size_t)columns};
  size_t ndim = columns == 1 ? 1 : 2;
  return nb::cast(nb::ndarray<nb::numpy, T>(p, ndim, shape, owner), nb::rv_policy::reference);
}

// Copy values into a view: the setter of every array property.
inline void assign(nb::object array, nb::object value) {
  array.attr("__setitem__")(nb::ellipsis(), value);
}

// Read and compile a model; ValueError with the reader's or compiler's message when that fails.
Model* loadPath(const std::string& path, const nb::object& assets);
Model* loadString(const std::string& xml, const nb::object& assets);

void bindModel(nb::module_& module);
void bindData(nb::module_& module);
void bindFunctions(nb::module_& module);
void bindNarrow(nb::module_& module);
void bindRewrite(nb::module_& module);
void bindRay(nb::module_& module);
void bindSupport(nb::module_& module);
void bindDerivative(nb::module_& module);

#endif  // SINEW_PYTHON_BINDINGS_H_
