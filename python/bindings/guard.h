// What surrounds every call into the engine: the GIL is released, and an engine error inside becomes
// a Python exception.

#ifndef SINEW_PYTHON_GUARD_H_
#define SINEW_PYTHON_GUARD_H_

#include <stdexcept>

#include "bindings.h"

// An engine error; Python sees FatalError.
struct FatalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Calls in progress on this thread: only they may be left by an exception.
extern thread_local int guarded_calls;

struct Guard {
  nb::gil_scoped_release released;
  Guard() { guarded_calls++; }
  ~Guard() { guarded_calls--; }
};

#endif  // SINEW_PYTHON_GUARD_H_
