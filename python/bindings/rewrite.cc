// Writing a model as text and reading it back.

#include "bindings.h"

static snModel* compile(snSpec* spec, const char* error) {
  if (!spec) throw nb::value_error(error);
  snModel* m = sn_compile(spec, nullptr);
  if (m) return m;
  std::string message = sns_getError(spec);
  sn_deleteSpec(spec);
  throw nb::value_error(message.c_str());
}

// Read a file, compile it, write it, read the text in the same folder, compile it. Returns the text and
// the second model.
static nb::object rewrite(const std::string& path) {
  char error[1000] = "";
  snSpec* spec = sn_parseXML(path.c_str(), nullptr, error, sizeof(error));
  sn_deleteModel(compile(spec, error));
  int size = sn_saveXMLString(spec, nullptr, 0, error, sizeof(error));
  std::vector<char> text((size_t)(size > 0 ? size : 0) + 1);
  int status = sn_saveXMLString(spec, text.data(), (int)text.size(), error, sizeof(error));
  std::string folder = sns_getString(spec->modelfiledir);
  sn_deleteSpec(spec);
  if (status) throw nb::value_error(error);
  snSpec* second = sn_parseXMLString(text.data(), nullptr, error, sizeof(error));
  if (second) sns_setString(second->modelfiledir, folder.c_str());
  Model* model = new Model;
  model->m = compile(second, error);
  sn_deleteSpec(second);
  return nb::make_tuple(std::string(text.data()), nb::cast(model, nb::rv_policy::take_ownership));
}

void bindRewrite(nb::module_& module) { module.def("_rewrite", &rewrite, nb::arg("path")); }
