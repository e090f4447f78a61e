// Lists of structs inside data: contacts, warnings, timers, solver statistics.
//
// A list is live: its length and its items are those of the data at the time of the access. Items
// alias the data's memory; a field of the list is a strided array over all items. A slice of a list is a list of
// the same kind: it has those of its places that there are.

#ifndef SINEW_PYTHON_LISTS_H_
#define SINEW_PYTHON_LISTS_H_

#include <algorithm>

#include "bindings.h"

template <typename T>
struct StructList {
  nb::object memory;
  snData* d;
  T* (*items)(snData*);
  snSize (*count)(const snData*);
  // places of a slice; most < 0: all items
  snSize start = 0, step = 1, most = -1;

  snSize size() const {
    snSize n = count(d);
    if (most < 0) return n;
    if (start >= n) return 0;
    return step < 0 ? most : std::min(most, (n - start + step - 1) / step);
  }
  T* item(snSize i) const { return items(d) + start + i * step; }
};

// strided column of one member over the items of a list
template <typename T, typename E, size_t n>
nb::object columnView(const StructList<T>& list, E* first) {
  size_t shape[2] = {(size_t)list.size(), n};
  int64_t strides[2] = {(int64_t)list.step * (int64_t)(sizeof(T) / sizeof(E)), 1};
  return nb::cast(nb::ndarray<nb::numpy, E>(first, n == 1 ? 1 : 2, shape, list.memory, strides),
                  nb::rv_policy::reference);
}

template <typename T, typename E>
void bindColumn(nb::class_<StructList<T>>& cls, const char* name, E T::*member) {
  nb::cast<nb::list>(cls.attr("_fields")).append(name);
  if constexpr (std::is_array_v<E>) {
    using Element = std::remove_extent_t<E>;
    cls.def_prop_ro(name, [member](StructList<T>& list) {
      return columnView<T, Element, std::extent_v<E>>(list, &(list.item(0)->*member)[0]);
    });
  } else {
    cls.def_prop_ro(name, [member](StructList<T>& list) {
      return columnView<T, E, 1>(list, &(list.item(0)->*member));
    });
  }
}

template <typename T>
nb::class_<StructList<T>> bindList(nb::module_& module, const char* name) {
  using List = StructList<T>;
  nb::class_<List> cls(module, name, nb::is_weak_referenceable());
  cls.def("__len__", [](List& self) { return self.size(); });
  cls.def("__getitem__", [](List& self, nb::slice slice) {
    auto [start, stop, step, length] = slice.compute((size_t)self.size());
    (void)stop;
    List part = self;
    part.start += (snSize)start * self.step;
    part.step *= (snSize)step;
    part.most = (snSize)length;
    return part;
  });
  cls.def(
      "__getitem__",
      [](nb::handle h, nb::handle key) {
        List& self = nb::cast<List&>(h);
        Py_ssize_t i = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) throw nb::python_error();
        if (i < 0 || i >= self.size()) throw nb::index_error("index out of range");
        return nb::cast(self.item(i), nb::rv_policy::reference);
      },
      nb::keep_alive<0, 1>());
  // field by field, and never equal to anything but a list of the same kind
  cls.def("__eq__", [](nb::handle self, nb::handle other) {
    if (!nb::isinstance<List>(other)) return false;
    nb::object equal = nb::module_::import_("numpy").attr("array_equal");
    for (nb::handle name : nb::cast<nb::list>(self.type().attr("_fields"))) {
      if (!nb::cast<bool>(equal(nb::getattr(self, name), nb::getattr(other, name)))) return false;
    }
    return true;
  });
  cls.def("__repr__", [](nb::handle self) {
    std::string text = "<" + nb::cast<std::string>(self.type().attr("__name__"));
    for (nb::handle name :
         nb::module_::import_("builtins").attr("sorted")(self.type().attr("_fields"))) {
      text += "\n  " + nb::cast<std::string>(name) + ": " +
              nb::cast<std::string>(nb::repr(nb::getattr(self, name)));
    }
    return text + "\n>";
  });
  cls.attr("_fields") = nb::list();
  cls.def("__iter__", [](nb::handle h) {
    nb::list items;
    for (snSize i = 0, n = nb::cast<List&>(h).size(); i < n; i++) {
      items.append(h.attr("__getitem__")(i));
    }
    return nb::iter(items);
  });
  return cls;
}

// Defined in lists.cc.
void bindLists(nb::module_& module, nb::class_<Data>& cls);

#endif  // SINEW_PYTHON_LISTS_H_
