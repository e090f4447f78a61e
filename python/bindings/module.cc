// The extension module sinew._core.

#include "bindings.h"

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);
  bindModel(module);
  bindData(module);
  bindFunctions(module);
  bindNarrow(module);
  bindRewrite(module);
  bindRay(module);
  bindSupport(module);
  bindDerivative(module);
}
