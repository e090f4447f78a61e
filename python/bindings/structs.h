// Plain structs for Python: scalars by value, arrays as views, equality by fields.

#ifndef SINEW_PYTHON_STRUCTS_H_
#define SINEW_PYTHON_STRUCTS_H_

#include <string.h>

#include <initializer_list>
#include <type_traits>

#include "bindings.h"

template <typename Struct, typename T, size_t n>
void bindArray(nb::class_<Struct>& cls, const char* name, T (Struct::*member)[n]) {
  auto get = [member](nb::handle self) {
    return view(&(nb::cast<Struct&>(self).*member)[0], n, 1, self);
  };
  cls.def_prop_rw(name, get,
                  [get](nb::handle self, nb::object value) { assign(get(self), value); });
}

// Values that a default-constructed struct starts from.
template <typename Struct>
void setDefaults(Struct* s) {
  memset((void*)s, 0, sizeof(Struct));
}
template <>
inline void setDefaults(snOption* s) {
  sn_defaultOption(s);
}

// the text of a member; that of a struct is moved in
inline std::string memberText(nb::handle member) {
  std::string text = nb::cast<std::string>(nb::repr(member));
  if (!nb::hasattr(member, "_fields")) return text;
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 3)
    text.insert(at + 1, "  ");
  return text;
}

// Copies, equality and text, the same for every struct; the names in the order of the text.
template <typename Struct>
void finishValue(nb::class_<Struct>& cls, nb::list names) {
  cls.attr("_fields") = nb::tuple(names);
  cls.def("__copy__", [](const Struct& self) { return Struct(self); });
  cls.def(
      "__deepcopy__", [](const Struct& self, nb::handle) { return Struct(self); }, nb::arg("memo"));
  cls.def("__eq__", [](nb::handle self, nb::handle other) {
    if (!nb::isinstance<Struct>(other)) return false;
    nb::object equal = nb::module_::import_("numpy").attr("array_equal");
    for (nb::handle name : nb::cast<nb::tuple>(self.type().attr("_fields"))) {
      if (!nb::cast<bool>(equal(nb::getattr(self, name), nb::getattr(other, name)))) return false;
    }
    return true;
  });
  cls.def("__repr__", [](nb::handle self) {
    std::string text = "<" + nb::cast<std::string>(self.type().attr("__name__"));
    for (nb::handle name : nb::cast<nb::tuple>(self.type().attr("_fields"))) {
      text += "\n  " + nb::cast<std::string>(name) + ": " + memberText(nb::getattr(self, name));
    }
    return text + "\n>";
  });
  cls.attr("__hash__") = nb::none();
}

// The same and a constructor.
template <typename Struct>
void finish(nb::class_<Struct>& cls, std::initializer_list<const char*> names) {
  nb::list fields;
  for (const char* name : names) fields.append(name);
  fields.attr("sort")();
  cls.def("__init__", [](Struct* self) {
    new (self) Struct;
    setDefaults(self);
  });
  finishValue(cls, fields);
}

#endif  // SINEW_PYTHON_STRUCTS_H_
