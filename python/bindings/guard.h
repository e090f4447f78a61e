// What surrounds every call into the engine: the GIL is released, and an engine error inside becomes
// a Python exception.

#ifndef SINEW_PYTHON_GUARD_H_
#define SINEW_PYTHON_GUARD_H_

#include <exception>
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

// What a call took from the stack of a data and gives back when an exception leaves it: a callback of the user
// that raises, a warning that the filters make an exception of, an engine error.
struct StackGuard {
  snData* d;
  size_t pstack, pbase;
  int nlostframe, exceptions;

  explicit StackGuard(snData* data)
      : d(data),
        pstack(data->pstack),
        pbase(data->pbase),
        nlostframe(data->nlostframe),
        exceptions(std::uncaught_exceptions()) {}
  StackGuard(const StackGuard&) = delete;
  ~StackGuard() {
    if (std::uncaught_exceptions() == exceptions) return;
    d->pstack = pstack;
    d->pbase = pbase;
    d->nlostframe = nlostframe;
  }
};

#endif  // SINEW_PYTHON_GUARD_H_
