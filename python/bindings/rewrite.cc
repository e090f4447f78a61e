// Reading, compiling and writing a model as text.

#include "bindings.h"

static std::string rewrite(const std::string& path) {
  char error[1000] = "";
  snSpec* spec = sn_parseXML(path.c_str(), nullptr, error, sizeof(error));
  if (!spec) throw nb::value_error(error);
  snModel* m = sn_compile(spec, nullptr);
  if (!m) {
    std::string message = sns_getError(spec);
    sn_deleteSpec(spec);
    throw nb::value_error(message.c_str());
  }
  sn_deleteModel(m);
  int size = sn_saveXMLString(spec, nullptr, 0, error, sizeof(error));
  std::vector<char> text((size_t)(size > 0 ? size : 0) + 1);
  int status = sn_saveXMLString(spec, text.data(), (int)text.size(), error, sizeof(error));
  sn_deleteSpec(spec);
  if (status) throw nb::value_error(error);
  return std::string(text.data());
}

void bindRewrite(nb::module_& module) { module.def("_rewrite", &rewrite, nb::arg("path")); }
