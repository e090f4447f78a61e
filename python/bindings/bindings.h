// Handles that own C objects for Python, and views onto their arrays.
//
// The C memory of a model or data is owned by a capsule that the handle and every view of it share:
// a view stays valid when its handle is gone, and handles can keep their views without a cycle.

#ifndef SINEW_PYTHON_BINDINGS_H_
#define SINEW_PYTHON_BINDINGS_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <mutex>
#include <string>
#include <vector>

#include "numpy_array.h"
#include "sinew/sinew.h"
#include "text.h"
#include "truth.h"
#include "whole.h"

namespace nb = nanobind;

struct Model {
  snModel* m;
  nb::object memory;
  std::vector<nb::object> views;      // one per array field, made at first use
  nb::object accessors = nb::none();  // named accessors in use, kept by _named.py

  explicit Model(snModel* model)
      : m(model),
        memory(nb::capsule(model, [](void* p) noexcept { sn_deleteModel((snModel*)p); })) {}
};

struct Data {
  snData* d;
  Model* model;
  nb::object model_ref;  // keeps the model alive
  nb::object memory;
  std::vector<nb::object> views;
  nb::object accessors = nb::none();

  nb::object prepare, solve;  // constraint solver of the user, and its table
  snContactSolver solver = {nullptr, nullptr};

  std::recursive_mutex busy;  // held by a call that works on d
  int callbacks_seen = -1;    // generation of the global callbacks that d knows

  Data(snData* data, nb::object owner);
  ~Data();

  // The C data, with the callbacks that are installed now.
  snData* ready();

  // The same for a call that also takes a model: FatalError unless the data was made for it, or for one of the
  // same structure.
  snData* of(const Model& given);
};

// Changes whenever a callback is installed or removed.
extern int callback_generation;
void installCallbacks(Data& data);
// A constraint solver of Python functions (None: the built-in ones) for one data.
void setContactSolver(Data& data, nb::object solve, nb::object prepare);

void requireSameStructure(const Data& data, const Model& given);

// FatalError that the arena of the data is full.
[[noreturn]] void arenaFull(const Data& data);

inline snData* Data::of(const Model& given) {
  if (&given != model) requireSameStructure(*this, given);
  return ready();
}

inline snData* Data::ready() {
  if (callbacks_seen != callback_generation) installCallbacks(*this);
  return d;
}

// NumPy view of rows x columns numbers at p, kept alive by owner: a vector when the table says one
// column, else a matrix, even one that happens to have a single column.
template <typename T>
nb::object view(T* p, snSize rows, snSize columns, nb::handle owner, bool matrix = false) {
  size_t shape[2] = {(size_t)rows, (size_t)columns};
  size_t ndim = columns == 1 && !matrix ? 1 : 2;
  return numpyArray((void*)p, numpyType<T>(), !std::is_const_v<T>, ndim, shape, owner);
}

// The same, made once per handle and field: weak references to it live as long as the handle.
template <typename Handle, typename T>
nb::object cachedView(Handle& self, size_t index, T* p, snSize rows, snSize columns, bool matrix) {
  if (self.views.size() <= index) self.views.resize(index + 1);
  nb::object& cached = self.views[index];
  if (!cached.is_valid()) cached = view(p, rows, columns, self.memory, matrix);
  return cached;
}

// Whether the columns of a row of the tables are a count and not the number one.
#define IS_MATRIX(columns) (#columns[0] != '1' || #columns[1] != '\0')

// Copy values into a view: the setter of every array property.
inline void assign(nb::object array, nb::object value) {
  array.attr("__setitem__")(nb::ellipsis(), value);
}

// Read and compile a model; ValueError with the reader's or compiler's message when that fails.
Model* loadPath(const FileName& path, const nb::object& assets, const nb::object& folders);
Model* loadString(const std::string& xml, const nb::object& assets, const nb::object& folders);
Model* loadBinary(const FileName& path, const nb::object& assets);

// Slots of a class whose assignments are answered with what was meant: nb::type_slots(attributeSlots()).
PyType_Slot* attributeSlots();

void bindStructs(nb::module_& module);
void bindModel(nb::module_& module);
void bindData(nb::module_& module);
void bindFieldNames(nb::module_& module);
void bindDerivative(nb::module_& module);
void bindGenerated(nb::module_& module);
void bindSpecial(nb::module_& module);
void bindCallbacks(nb::module_& module);
void bindBatch(nb::module_& module);
void bindColumns(nb::module_& module);
void bindXla(nb::module_& module);
void bindProgram(nb::module_& module);
void bindActuatorModels(nb::module_& module);
void bindRollout(nb::module_& module);
void bindTesting(nb::module_& module);
void bindVisual(nb::module_& module);
void bindRender(nb::module_& module);

#endif  // SINEW_PYTHON_BINDINGS_H_
