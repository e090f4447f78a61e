// Callbacks of MuJoCo's Python package: global functions, called for any data of these bindings.

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

#include <time.h>

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <vector>

#include "engine/actuate/law.h"
#include "guard.h"

int callback_generation = 0;

// ---- which handle belongs to a C data ----

static std::unordered_map<const snData*, Data*>& handles() {
  static std::unordered_map<const snData*, Data*> map;
  return map;
}

Data::Data(snData* data, nb::object owner)
    : d(data),
      model(nb::cast<Model*>(owner)),
      model_ref(owner),
      memory(nb::capsule(data, [](void* p) noexcept { sn_deleteData((snData*)p); })) {
  handles()[d] = this;
}

Data::~Data() { handles().erase(d); }

// ---- the installed functions ----

enum Kind {
  PASSIVE,
  CONTROL,
  CONTACTFILTER,
  SENSOR,
  TIME,
  ACT_DYN,
  ACT_GAIN,
  ACT_BIAS,
  ACT_GAIN_VEL,  // not in MuJoCo
  ACT_BIAS_VEL,
  KIND_COUNT
};

struct Installed {
  nb::object function;      // what the setter was given
  void* pointer = nullptr;  // a C function given as a ctypes pointer
};

static Installed* installed() {
  static Installed* table = new Installed[KIND_COUNT];  // never freed: outlives the interpreter
  return table;
}

// call a Python function for a data; an exception leaves through the engine
template <typename... Extra>
static nb::object callPython(Kind kind, const snData* d, Extra... extra) {
  Data* handle = handles().at(d);
  nb::object data = nb::find(*handle);
  return installed()[kind].function(handle->model_ref, data, extra...);
}

static void onPassive(const snModel*, snData* d) {
  nb::gil_scoped_acquire gil;
  callPython(PASSIVE, d);
}

static void onControl(const snModel*, snData* d) {
  nb::gil_scoped_acquire gil;
  callPython(CONTROL, d);
}

static void onSensor(const snModel*, snData* d, int stage) {
  nb::gil_scoped_acquire gil;
  callPython(SENSOR, d, stage);
}

template <typename T>
static T castResult(nb::object result, const char* name) {
  T value;
  if (nb::try_cast<T>(result, value)) return value;
  throw nb::type_error((std::string(name) + " callback did not return a number").c_str());
}

static int onContactFilter(const snModel*, snData* d, int geom1, int geom2) {
  nb::gil_scoped_acquire gil;
  return castResult<int>(callPython(CONTACTFILTER, d, geom1, geom2), "mjcb_contactfilter");
}

static snReal onTime() {
  nb::gil_scoped_acquire gil;
  return castResult<double>(installed()[TIME].function(), "mjcb_time");
}

template <Kind kind>
static snReal onActuator(const snModel*, const snData* d, int id) {
  nb::gil_scoped_acquire gil;
  static const char* const names[] = {"mjcb_act_dyn", "mjcb_act_gain", "mjcb_act_bias",
                                      "mjcb_act_gain_vel", "mjcb_act_bias_vel"};
  return castResult<double>(callPython(kind, d, id), names[kind - ACT_DYN]);
}

// Velocities that differences of a callback move: back in place, also when the callback raises.
struct VelocityGuard {
  const snModel* m;
  snData* d;
  std::vector<snReal> qvel, velocity;
  VelocityGuard(const snModel* model, snData* data)
      : m(model),
        d(data),
        qvel(data->qvel, data->qvel + model->nv),
        velocity(data->actuator_velocity, data->actuator_velocity + model->nu) {}
  VelocityGuard(const VelocityGuard&) = delete;
  ~VelocityGuard() {
    std::copy(qvel.begin(), qvel.end(), d->qvel);
    std::copy(velocity.begin(), velocity.end(), d->actuator_velocity);
  }
};

// slope of a Python function of the user that came without one
template <Kind kind>
static snReal onSlope(const snModel* m, const snData* d, int id) {
  snData* data = const_cast<snData*>(d);
  VelocityGuard guard(m, data);
  return sn_callbackSlope(m, data, id, onActuator<kind>);
}

static double systemClock() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#if defined(__x86_64__) && defined(__GNUC__)
// The processor's counter takes a third of the time of the system's clock, and a small model reads
// the clock a dozen times in a few microseconds. Its rate is measured against the system's clock
// over the first milliseconds, until which that one is read.
static bool steadyCounter() {
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8));
}

static snReal wallClock() {
  static const bool steady = steadyCounter();
  static const double start_time = systemClock();
  static const uint64_t start_count = __builtin_ia32_rdtsc();
  static std::atomic<double> period{0};
  double seconds = period.load(std::memory_order_relaxed);
  if (seconds > 0) return start_time + seconds * (double)(__builtin_ia32_rdtsc() - start_count);
  double now = systemClock();
  if (steady && now - start_time > 0.02) {
    period.store((now - start_time) / (double)(__builtin_ia32_rdtsc() - start_count),
                 std::memory_order_relaxed);
  }
  return now;
}
#else
static snReal wallClock() { return systemClock(); }
#endif

// the pointer given, our trampoline to the Python function, or a default
template <typename Function>
static Function choose(Kind kind, Function trampoline, Function fallback = nullptr) {
  const Installed& entry = installed()[kind];
  if (entry.pointer) return (Function)entry.pointer;
  return entry.function.is_valid() && !entry.function.is_none() ? trampoline : fallback;
}

// differences of Python functions are taken here, those of C functions by the engine
template <Kind kind>
static snfAct onSlopeOf(snfAct callback) {
  return callback == (snfAct)onActuator<kind> ? (snfAct)onSlope<kind> : nullptr;
}

void installCallbacks(Data& data) {
  snCallbacks& callback = data.d->callback;
  callback.passive = choose<snfGeneric>(PASSIVE, onPassive);
  callback.control = choose<snfGeneric>(CONTROL, onControl);
  callback.contactfilter = choose<snfConFilt>(CONTACTFILTER, onContactFilter);
  callback.sensor = choose<snfSensor>(SENSOR, onSensor);
  callback.time = choose<snfTime>(TIME, onTime, wallClock);
  callback.act_dyn = choose<snfAct>(ACT_DYN, onActuator<ACT_DYN>);
  callback.act_gain = choose<snfAct>(ACT_GAIN, onActuator<ACT_GAIN>);
  callback.act_bias = choose<snfAct>(ACT_BIAS, onActuator<ACT_BIAS>);
  callback.act_gain_vel = choose<snfAct>(ACT_GAIN_VEL, onActuator<ACT_GAIN_VEL>,
                                         onSlopeOf<ACT_GAIN>(callback.act_gain));
  callback.act_bias_vel = choose<snfAct>(ACT_BIAS_VEL, onActuator<ACT_BIAS_VEL>,
                                         onSlopeOf<ACT_BIAS>(callback.act_bias));
  data.callbacks_seen = callback_generation;
}

// ---- constraint solvers of the user ----

static void callSolver(const snData* d, nb::object Data::*function) {
  nb::gil_scoped_acquire gil;
  Data* handle = handles().at(d);
  nb::object data = nb::find(*handle);
  (handle->*function)(handle->model_ref, data);
}

static void onPrepare(const snModel*, snData* d) { callSolver(d, &Data::prepare); }
static void onSolve(const snModel*, snData* d) { callSolver(d, &Data::solve); }
static void prepareNothing(const snModel*, snData*) {}

void setContactSolver(Data& data, nb::object solve, nb::object prepare) {
  for (const nb::object& function : {solve, prepare}) {
    if (!function.is_none() && !PyCallable_Check(function.ptr())) {
      throw nb::type_error("a constraint solver is an Optional[Callable]");
    }
  }
  data.solve = solve;
  data.prepare = prepare;
  data.solver = {prepare.is_none() ? prepareNothing : onPrepare, onSolve};
  data.d->callback.contactsolver = solve.is_none() ? nullptr : &data.solver;
}

// ---- setters and getters ----

static void* ctypesPointer(nb::handle function) {
  nb::module_ ctypes = nb::module_::import_("ctypes");
  if (!nb::isinstance(function, ctypes.attr("_CFuncPtr"))) return nullptr;
  nb::object address = ctypes.attr("cast")(function, ctypes.attr("c_void_p")).attr("value");
  return (void*)nb::cast<uintptr_t>(address);
}

static void setCallback(Kind kind, nb::object function) {
  if (!function.is_none() && !PyCallable_Check(function.ptr())) {
    throw nb::type_error("callback is not an Optional[Callable]");
  }
  Installed& entry = installed()[kind];
  entry.pointer = function.is_none() ? nullptr : ctypesPointer(function);
  entry.function = function;
  callback_generation++;
}

// ---- warnings, and memory ----

static nb::object& userWarning() {
  static nb::object* function = new nb::object(nb::none());  // never freed, like the table above
  return *function;
}

// Without a function of the user warnings are Python's. The engine gives one of a kind once per data; the time
// is left out, so that Python's filters see equal ones as equal. Where the filters make an exception of it, it
// leaves the call, unless a thread of the engine is in it.
static void warnPython(const char* text) {
  if (!Py_IsInitialized()) return;
  nb::gil_scoped_acquire gil;
  std::string kind(text);
  kind.resize(std::min(kind.size(), kind.find(" Time = ")));
  if (PyErr_WarnEx(PyExc_RuntimeWarning, kind.c_str(), 1) == 0) return;
  if (guarded_calls > 0) throw nb::python_error();
  PyErr_WriteUnraisable(nullptr);
}

static void onWarning(const char* text) {
  nb::gil_scoped_acquire gil;
  nb::object function = userWarning();
  if (!function.is_none()) function(text);
}

static void setUserWarning(nb::object function) {
  if (!function.is_none() && !PyCallable_Check(function.ptr())) {
    throw nb::type_error("callback is not an Optional[Callable]");
  }
  userWarning() = function;
  void* pointer = function.is_none() ? nullptr : ctypesPointer(function);
  sn_setWarningHandler(function.is_none() ? warnPython
                       : pointer          ? (snMessageHandler)pointer
                                          : onWarning);
}

// memory hooks are kept for their getters: Sinew's memory is not replaceable from Python
static void bindMemoryHook(nb::module_& module, const char* name) {
  nb::object* hook = new nb::object(nb::none());
  auto set = [hook](nb::object function) {
    if (!function.is_none() && !ctypesPointer(function)) {
      throw nb::type_error("callback is not an Optional[Callable]");
    }
    *hook = function;
  };
  module.def((std::string("set_mju_user_") + name).c_str(), set, nb::arg("py_callable").none());
  module.def((std::string("get_mju_user_") + name).c_str(), [hook]() { return *hook; });
}

void bindCallbacks(nb::module_& module) {
  sn_setWarningHandler(warnPython);
  module.def("set_mju_user_warning", &setUserWarning, nb::arg("py_callable").none());
  module.def("get_mju_user_warning", []() { return userWarning(); });
  bindMemoryHook(module, "malloc");
  bindMemoryHook(module, "free");
  static const char* const names[] = {"passive",      "control",     "contactfilter", "sensor",
                                      "time",         "act_dyn",     "act_gain",      "act_bias",
                                      "act_gain_vel", "act_bias_vel"};
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    std::string setter = std::string("set_mjcb_") + names[kind];
    std::string getter = std::string("get_mjcb_") + names[kind];
    module.def(
        setter.c_str(), [kind](nb::object function) { setCallback((Kind)kind, function); },
        nb::arg("py_callable").none());
    module.def(getter.c_str(), [kind]() -> nb::object {
      const nb::object& function = installed()[kind].function;
      return function.is_valid() ? function : nb::none();
    });
  }
  module.def("mj_resetCallbacks", []() {
    for (int kind = 0; kind < KIND_COUNT; kind++) {
      installed()[kind].pointer = nullptr;
      installed()[kind].function = nb::none();
    }
    callback_generation++;
  });
}
