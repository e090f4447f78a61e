// The extension module sinew._core.

#include "bindings.h"
#include "spec.h"

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);
  bindStructs(module);
  bindModel(module);
  bindData(module);
  bindFieldNames(module);
  bindGenerated(module);
  bindSpecial(module);
  bindCallbacks(module);
  bindDerivative(module);
  bindBatch(module);
  bindColumns(module);
  bindXla(module);
  bindProgram(module);
  bindActuatorModels(module);
  bindRollout(module);
  bindSpec(module);
  bindSim(module);
  bindTesting(module);
  bindVisual(module);
  bindRender(module);
}
