// Arrays of NumPy over memory of others.
//
// NumPy's C interface is a table of functions whose places are fixed; it is found at run time, so
// that no header of NumPy is needed to build.

#ifndef SINEW_PYTHON_NUMPY_ARRAY_H_
#define SINEW_PYTHON_NUMPY_ARRAY_H_

#include <nanobind/nanobind.h>

#include <cstddef>
#include <type_traits>

namespace nb = nanobind;

// NumPy's number of a type
template <typename T>
constexpr int numpyType() {
  using U = std::remove_const_t<T>;
  if (std::is_same_v<U, bool>) return 0;
  if (std::is_same_v<U, signed char> || (std::is_same_v<U, char> && std::is_signed_v<char>))
    return 1;
  if (std::is_same_v<U, unsigned char> || std::is_same_v<U, char>) return 2;
  if (std::is_same_v<U, short>) return 3;
  if (std::is_same_v<U, unsigned short>) return 4;
  if (std::is_same_v<U, int>) return 5;
  if (std::is_same_v<U, unsigned>) return 6;
  if (std::is_same_v<U, long>) return 7;
  if (std::is_same_v<U, unsigned long>) return 8;
  if (std::is_same_v<U, long long>) return 9;
  if (std::is_same_v<U, unsigned long long>) return 10;
  if (std::is_same_v<U, float>) return 11;
  static_assert(std::is_arithmetic_v<U>, "NumPy has no such type");
  return 12;
}

// C-contiguous array at p whose base is owner. No memory (p null): an array of its own.
nb::object numpyArray(void* p, int type, bool writable, size_t ndim, const size_t* shape,
                      nb::handle owner);

#endif
