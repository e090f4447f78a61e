// Array arguments of bound functions.
//
// In<T> takes anything that NumPy can turn into an array of T; Out<T> takes a writable, contiguous
// array of exactly T, which the function fills. The optional forms also take None. A mismatch is a
// TypeError, raised by the overload resolution or by `expect`.

#ifndef SINEW_PYTHON_ARRAYS_H_
#define SINEW_PYTHON_ARRAYS_H_

#include <string.h>

#include "bindings.h"

template <typename T, bool writable, bool optional>
struct ArrayArgument {
  nb::object owner;
  T* data = nullptr;
  size_t size = 0;
  size_t ndim = 0;
  size_t shape[2] = {0, 0};

  bool none() const { return data == nullptr && size == 0 && !owner.is_valid(); }
  size_t rows() const { return shape[0]; }
  size_t columns() const { return ndim == 2 ? shape[1] : 1; }
};

template <typename T>
using In = ArrayArgument<T, false, false>;
template <typename T>
using InOptional = ArrayArgument<T, false, true>;
template <typename T>
using Out = ArrayArgument<T, true, false>;
template <typename T>
using OutOptional = ArrayArgument<T, true, true>;

namespace nanobind::detail {

template <typename T, bool writable, bool optional>
struct type_caster<ArrayArgument<T, writable, optional>> {
  using Argument = ArrayArgument<T, writable, optional>;
  NB_TYPE_CASTER(Argument, const_name("ArrayLike"))

  bool from_python(handle source, uint8_t flags, cleanup_list*) noexcept {
    value = Argument();
    if (source.is_none()) return optional;
    object object = borrow(source);
    if (take(object)) return true;
    if (writable || !(flags & (uint8_t)cast_flags::convert)) return false;
    if (!PySequence_Check(source.ptr()) && !hasattr(source, "__array__")) return false;
    try {
      module_ numpy = module_::import_("numpy");
      object = numpy.attr("ascontiguousarray")(object, numpy.attr("dtype")(code()));
    } catch (...) {
      return false;
    }
    return take(object);
  }

 private:
  static const char* code() {
    return std::is_same_v<T, double>  ? "f8"
           : std::is_same_v<T, float> ? "f4"
           : std::is_same_v<T, int>   ? "i4"
                                      : "u1";
  }

  bool take(const object& object) noexcept {
    using Array = ndarray<std::conditional_t<writable, T, const T>, c_contig, device::cpu>;
    Array array;
    if (!try_cast<Array>(object, array, false) || array.ndim() > 3) return false;
    value.owner = object;
    value.data = const_cast<T*>(array.data());
    value.size = array.size();
    value.ndim = array.ndim();
    value.shape[0] = array.ndim() > 0 ? array.shape(0) : 1;
    value.shape[1] = array.ndim() > 1 ? array.shape(1) : 1;
    return true;
  }
};

}  // namespace nanobind::detail

// TypeError unless the argument is missing or has so many entries.
template <typename Argument>
void expect(const Argument& argument, snSize size, const char* name, const char* size_name) {
  if (argument.none() || (snSize)argument.size == size) return;
  if (!strncmp(size_name, "stateSize(", 10)) {
    throw nb::type_error(
        (std::string(name) + " size should equal mj_stateSize(m, " + (size_name + 10)).c_str());
  }
  throw nb::type_error((std::string(name) + " should be of size " + size_name + ", got " +
                        std::to_string(argument.size))
                           .c_str());
}

// IndexError unless 0 <= index < count.
inline void expectIndex(snSize index, snSize count, const char* name) {
  if (index >= 0 && index < count) return;
  throw nb::index_error(
      (std::string(name) + " is out of range, there are " + std::to_string(count)).c_str());
}

// TypeError unless the argument is missing or a matrix of this shape; a vector is a matrix of one column.
template <typename Argument>
void expectShape(const Argument& argument, snSize rows, snSize columns, const char* name,
                 const char* shape_name) {
  if (argument.none()) return;
  if (argument.ndim >= 1 && argument.ndim <= 2 && (snSize)argument.shape[0] == rows &&
      (snSize)argument.columns() == columns)
    return;
  throw nb::type_error((std::string(name) + " should be of shape " + shape_name).c_str());
}

#endif  // SINEW_PYTHON_ARRAYS_H_
