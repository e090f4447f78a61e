// Loading of models from files and from text.

#include "bindings.h"

namespace {

// A spec that is freed with its scope.
struct SpecHolder {
  snSpec* spec = nullptr;
  ~SpecHolder() { sn_deleteSpec(spec); }
};

// Files in memory, from a dictionary of names and bytes.
struct FileHolder {
  snVFS vfs;
  explicit FileHolder(const nb::object& assets) {
    sn_defaultVFS(&vfs);
    if (assets.is_none()) return;
    for (auto item : nb::cast<nb::dict>(assets)) {
      nb::bytes content = nb::cast<nb::bytes>(item.second);
      sn_addBufferVFS(&vfs, nb::cast<std::string>(item.first).c_str(), content.c_str(),
                      (int)content.size());
    }
  }
  ~FileHolder() { sn_deleteVFS(&vfs); }
};

Model* compile(snSpec* spec, const snVFS* vfs, const char* error) {
  if (!spec) throw nb::value_error(error[0] ? error : "the model could not be read");
  snModel* m;
  {
    nb::gil_scoped_release nogil;
    m = sn_compile(spec, vfs);
  }
  if (!m) throw nb::value_error(sns_getError(spec));
  Model* model = new Model;
  model->m = m;
  return model;
}

}  // namespace

Model* loadPath(const std::string& path, const nb::object& assets) {
  char error[1024] = "";
  FileHolder files(assets);
  SpecHolder holder;
  holder.spec = sn_parseXML(path.c_str(), &files.vfs, error, sizeof(error));
  return compile(holder.spec, &files.vfs, error);
}

Model* loadString(const std::string& xml, const nb::object& assets) {
  char error[1024] = "";
  FileHolder files(assets);
  SpecHolder holder;
  holder.spec = sn_parseXMLString(xml.c_str(), &files.vfs, error, sizeof(error));
  return compile(holder.spec, &files.vfs, error);
}
