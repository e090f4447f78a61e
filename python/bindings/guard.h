// What surrounds every call into the engine: the GIL is released, and an engine error inside becomes
// a Python exception.

#ifndef SINEW_PYTHON_GUARD_H_
#define SINEW_PYTHON_GUARD_H_

#include <string.h>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <thread>
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

// One thread at a time works on a data; a call in a callback is of the same thread. Others wait without the GIL,
// which the one that works may need, until Ctrl-C.
struct DataLock {
  Data& data;

  explicit DataLock(Data& which) : data(which) {
    while (!data.busy.try_lock()) {
      pause();
      if (PyErr_CheckSignals()) throw nb::python_error();
    }
  }
  DataLock(const DataLock&) = delete;
  ~DataLock() { data.busy.unlock(); }

  static void pause() {
    nb::gil_scoped_release released;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
};

// Ctrl-C ends a call that takes long: asked twenty times a second, by the thread that Python's signals reach.
class Interrupts {
  std::chrono::steady_clock::time_point asked = std::chrono::steady_clock::now();

 public:
  void ask() {
    auto now = std::chrono::steady_clock::now();
    if (now - asked < std::chrono::milliseconds(50)) return;
    asked = now;
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals()) throw nb::python_error();
  }
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
