// Laws of actuators that are Python functions.

#include <cmath>
#include <unordered_map>

#include "guard.h"
#include "sinew/actuator.h"

namespace {

struct Law {
  nb::object law, slopes;
};

// never freed: models refer to laws by name for as long as the process lives
std::unordered_map<std::string, Law*>& laws() {
  static auto* table = new std::unordered_map<std::string, Law*>;
  return *table;
}

nb::object call(const nb::object& function, const snActuatorState* s) {
  nb::list params;
  for (int i = 0; i < snNGAIN; i++) params.append((double)s->params[i]);
  return function((double)s->length, (double)s->velocity, (double)s->rate, params);
}

void take(const nb::object& result, snReal** place, size_t n, const char* what) {
  nb::sequence numbers;
  if (!nb::try_cast(result, numbers) || nb::len(numbers) != n) {
    throw nb::type_error(what);
  }
  for (size_t i = 0; i < n; i++) *place[i] = nb::cast<double>(numbers[i]);
}

void evaluate(const Law& law, const snActuatorState* s, snActuatorForce* f) {
  snReal* force[] = {&f->gain, &f->bias};
  take(call(law.law, s), force, 2, "an actuator model gives two numbers: gain, bias");
  if (law.slopes.is_none()) return;
  snReal* slope[] = {&f->gain_length, &f->gain_velocity, &f->bias_length, &f->bias_velocity,
                     &f->bias_rate};
  take(call(law.slopes, s), slope, 5,
       "slopes of an actuator model are five numbers: gain by length, gain by velocity, bias by "
       "length, bias by velocity, bias by rate");
}

// An exception leaves the call that the program made. A thread of the engine has none: it is reported, and the
// force is NaN, so that the world counts as failed.
void onLaw(void* user, const snActuatorState* s, snActuatorForce* f) {
  nb::gil_scoped_acquire gil;
  try {
    evaluate(*(Law*)user, s, f);
  } catch (nb::python_error& error) {
    if (guarded_calls > 0) throw;
    error.discard_as_unraisable("an actuator model");
    f->gain = f->bias = NAN;
  } catch (...) {
    if (guarded_calls > 0) throw;
    f->gain = f->bias = NAN;
  }
}

// A name that Python registered before takes the new functions.
void registerModel(const std::string& name, nb::object law, nb::object slopes, int least,
                   int most) {
  if (!PyCallable_Check(law.ptr())) throw nb::type_error("law is not callable");
  if (!slopes.is_none() && !PyCallable_Check(slopes.ptr())) {
    throw nb::type_error("slopes is not callable");
  }
  auto found = laws().find(name);
  Law* entry = found == laws().end() ? new Law : found->second;
  entry->law = law;
  entry->slopes = slopes;
  // slopes: asked for from Python, or differenced there, as the present functions say
  snActuatorModel model = {name.c_str(), least, most, !slopes.is_none(), onLaw, entry};
  int slot = sn_registerActuatorModel(&model);
  if (slot < 0) {
    std::string reason = sn_lastError();
    if (found == laws().end()) delete entry;
    throw nb::value_error(reason.c_str());
  }
  laws()[name] = entry;
}

}  // namespace

void bindActuatorModels(nb::module_& module) {
  module.def("_register_actuator_model", &registerModel, nb::arg("name"), nb::arg("law"),
             nb::arg("slopes").none(), nb::arg("least"), nb::arg("most"));
  module.def("_actuator_models", []() {
    nb::list names;
    for (int slot = 0; slot < sn_actuatorModelCount(); slot++) {
      names.append(sn_getActuatorModel(slot)->name);
    }
    return names;
  });
}
