// The Python views of the model alone, built against a table with a further row (one_line.sh).

#include "bindings.h"

// nothing is loaded here
static Model* refuse() { throw nb::value_error("no loader in this module"); }
Model* loadPath(const FileName&, const nb::object&, const nb::object&) { return refuse(); }
Model* loadString(const std::string&, const nb::object&, const nb::object&) { return refuse(); }
Model* loadBinary(const FileName&, const nb::object&) { return refuse(); }

NB_MODULE(one_line_view, module) { bindModel(module); }
