// Mj*Vec: sequences of numbers and strings of an element, or of their own.

#include "spec.h"

namespace {

template <typename T>
struct Traits;
template <>
struct Traits<double> {
  using Box = snDoubleVec;
};
template <>
struct Traits<float> {
  using Box = snFloatVec;
};
template <>
struct Traits<int> {
  using Box = snIntVec;
};
template <>
struct Traits<snByte> {
  using Box = snByteVec;
};

template <typename T>
struct Vector {
  Element source;  // with the field's own offset; elem is NULL for a vector of its own
  int fixed = 0;   // entries of an array inside of the struct
  std::vector<T> own;
};

int sizeOf(const Vector<char>& v) { return v.source.elem ? v.fixed : (int)v.own.size(); }
std::string item(const Vector<char>& v, int i) {
  return std::string(1, v.source.elem ? v.source.object()[i] : v.own[(size_t)i]);
}
void store(Vector<char>& v, int i, const std::string& value) {
  if (value.size() != 1) throw nb::type_error("expected a single character");
  (v.source.elem ? v.source.object()[i] : v.own[(size_t)i]) = value[0];
}

snStringVec* boxOf(const Vector<std::string>& v) { return *(snStringVec**)v.source.object(); }
int sizeOf(const Vector<std::string>& v) {
  return v.source.elem ? boxOf(v)->size : (int)v.own.size();
}
std::string item(const Vector<std::string>& v, int i) {
  return v.source.elem ? sns_getString(boxOf(v)->data + i) : v.own[(size_t)i];
}
void store(Vector<std::string>& v, int i, const std::string& value) {
  if (v.source.elem) {
    sns_setInStringVec(boxOf(v), i, value.c_str());
  } else {
    v.own[(size_t)i] = value;
  }
}

template <typename T>
typename Traits<T>::Box* boxOf(const Vector<T>& v) {
  return *(typename Traits<T>::Box**)v.source.object();
}
template <typename T>
int sizeOf(const Vector<T>& v) {
  return v.source.elem ? boxOf(v)->size : (int)v.own.size();
}
template <typename T>
T item(const Vector<T>& v, int i) {
  return v.source.elem ? boxOf(v)->data[i] : v.own[(size_t)i];
}
template <typename T>
void store(Vector<T>& v, int i, T value) {
  (v.source.elem ? boxOf(v)->data[i] : v.own[(size_t)i]) = value;
}

template <typename T>
int indexOf(const Vector<T>& v, nb::handle key) {
  Py_ssize_t i = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
  if (i == -1 && PyErr_Occurred()) throw nb::python_error();
  if (i < 0 || i >= sizeOf(v)) throw nb::index_error("Index out of range.");
  return (int)i;
}

template <typename T, typename Given>
void bindVector(nb::module_& module, const char* name) {
  using V = Vector<T>;
  nb::class_<V> cls(module, name, nb::is_weak_referenceable());
  cls.def("__init__", [](V* self, Given value, int count) {
    new (self) V;
    T filler;
    if constexpr (std::is_same_v<T, char>) {
      filler = value.empty() ? ' ' : value[0];
    } else {
      filler = (T)value;
    }
    self->own.assign((size_t)(count > 0 ? count : 0), filler);
  });
  cls.def("__len__", [](V& self) { return sizeOf(self); });
  cls.def("__getitem__", [](V& self, nb::handle key) { return item(self, indexOf(self, key)); });
  cls.def("__setitem__",
          [](V& self, nb::handle key, Given value) { store(self, indexOf(self, key), value); });
  cls.def("__iter__", [](V& self) {
    nb::list items;
    for (int i = 0; i < sizeOf(self); i++) items.append(item(self, i));
    return nb::iter(items);
  });
}

template <typename T>
nb::object refer(const Element& element, const Field& field) {
  Vector<T> v;
  v.source.memory = element.memory;
  v.source.elem = element.elem;
  v.source.offset = element.offset + field.offset;
  v.fixed = field.count;
  return nb::cast(std::move(v));
}

}  // namespace

nb::object wrapVector(const Element& element, const Field& field) {
  switch (field.kind) {
    case Kind::CHARS: return refer<char>(element, field);
    case Kind::STRINGVEC: return refer<std::string>(element, field);
    case Kind::INTVEC: return refer<int>(element, field);
    case Kind::FLOATVEC: return refer<float>(element, field);
    default: return refer<double>(element, field);
  }
}

void bindVectors(nb::module_& module) {
  bindVector<double, double>(module, "MjDoubleVec");
  bindVector<float, float>(module, "MjFloatVec");
  bindVector<int, int>(module, "MjIntVec");
  bindVector<snByte, snByte>(module, "MjByteVec");
  bindVector<char, std::string>(module, "MjCharVec");
  bindVector<std::string, std::string>(module, "MjStringVec");
}
