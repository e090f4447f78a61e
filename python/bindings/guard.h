// What surrounds every call into the engine: the GIL is released, and an engine error inside becomes
// a Python exception.

#ifndef SINEW_PYTHON_GUARD_H_
#define SINEW_PYTHON_GUARD_H_

#include <string.h>

#include <exception>
#include <stdexcept>
#include <vector>

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

// The state that a function steps from and restores: it is restored too when an exception leaves the function in
// the middle of a trial.
struct StateGuard {
  const snModel* m;
  snData* d;
  std::vector<snReal> state, qacc;
  int exceptions;

  StateGuard(const snModel* model, snData* data)
      : m(model),
        d(data),
        state((size_t)sn_stateSize(model, snSTATE_INTEGRATION)),
        qacc(data->qacc, data->qacc + model->nv),
        exceptions(std::uncaught_exceptions()) {
    sn_getState(m, d, state.data(), snSTATE_INTEGRATION);
  }
  StateGuard(const StateGuard&) = delete;
  ~StateGuard() {
    if (std::uncaught_exceptions() == exceptions) return;
    sn_setState(m, d, state.data(), snSTATE_INTEGRATION);
    memcpy(d->qacc, qacc.data(), qacc.size() * sizeof(snReal));
  }
};

#endif  // SINEW_PYTHON_GUARD_H_
