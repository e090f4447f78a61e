// Simulators composed by name (sinew/sim.h); sinew.Sim makes the model and the data.

#include <nanobind/stl/map.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>
#include <vector>

#include "bindings.h"
#include "sinew/sim.h"
#include "spec.h"

// Choices as Python has them: names by kind, and parameters by kind or name.
using Names = std::map<std::string, std::string>;
using Numbers = std::map<std::string, std::vector<double>>;

static const char* nameOf(const Names& names, const char* kind) {
  auto found = names.find(kind);
  return found == names.end() ? nullptr : found->second.c_str();
}

static int parametersOf(const Numbers& numbers, const char* kind, double* values, int room) {
  auto found = numbers.find(kind);
  if (found == numbers.end()) return 0;
  if ((int)found->second.size() > room) {
    throw nb::value_error((std::string("too many parameters of ") + kind).c_str());
  }
  std::copy(found->second.begin(), found->second.end(), values);
  return (int)found->second.size();
}

static snSimBuilder builderOf(const Names& names, const Numbers& numbers) {
  snSimBuilder b;
  if (names.count("preset")) {
    if (sn_simPreset(&b, nameOf(names, "preset"))) {
      char known[300];
      sn_simNames("preset", known, sizeof(known));
      std::string text = "unknown preset '" + names.at("preset") + "'; there are: " + known;
      throw nb::value_error(text.c_str());
    }
  } else {
    sn_defaultSimBuilder(&b);
  }
  if (names.count("bending")) b.bending = nameOf(names, "bending");
  if (names.count("elasticity")) b.elasticity = nameOf(names, "elasticity");
  if (names.count("actuator")) b.actuator = nameOf(names, "actuator");
  if (names.count("contact")) b.contact = nameOf(names, "contact");
  b.nbending = parametersOf(numbers, "bending", b.bending_param, snNFLEXPARAM);
  b.nelasticity = parametersOf(numbers, "elasticity", b.elasticity_param, snNFLEXPARAM);
  b.nactuator = parametersOf(numbers, "actuator", b.actuator_param, snNGAIN);
  double value;
  if (parametersOf(numbers, "iterations", &value, 1)) b.iterations = (int)value;
  if (parametersOf(numbers, "substeps", &value, 1)) b.substeps = (int)value;
  if (parametersOf(numbers, "compliance", &value, 1)) b.compliance = value;
  return b;
}

void bindSim(nb::module_& module) {
  module.def("_sim_apply", [](Spec& spec, const Names& names, const Numbers& numbers) {
    char error[1000] = "";
    snSimBuilder builder = builderOf(names, numbers);
    if (sn_simApply(&builder, spec.get(), error, sizeof(error))) throw nb::value_error(error);
  });
  module.def("_sim_apply_model", [](Model& m, const Names& names, const Numbers& numbers) {
    char error[1000] = "";
    snSimBuilder builder = builderOf(names, numbers);
    if (sn_simApplyModel(&builder, m.m, error, sizeof(error))) throw nb::value_error(error);
  });
  module.def("_sim_names", [](const std::string& kind) {
    char known[1000];
    if (sn_simNames(kind.c_str(), known, sizeof(known))) {
      throw nb::value_error("kind should be preset, bending, elasticity, actuator or contact");
    }
    return std::string(known);
  });
}
