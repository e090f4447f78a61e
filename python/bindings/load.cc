// Loading of models from files and from text.

#include "bindings.h"
#include "compile/compiler.h"

namespace {

// A spec that is freed with its scope.
struct SpecHolder {
  snSpec* spec = nullptr;
  ~SpecHolder() { sn_deleteSpec(spec); }
};

// Files in memory, from a dictionary of names and bytes; and folders of the disk that models may read,
// all when there is no list of them.
struct FileHolder {
  snVFS vfs;
  explicit FileHolder(const nb::object& assets, const nb::object& folders = nb::none()) {
    sn_defaultVFS(&vfs);
    if (!folders.is_none()) limit(folders);
    if (assets.is_none()) return;
    for (auto item : assetDict(assets)) add(assetName(item.first), item.second);
  }
  ~FileHolder() { sn_deleteVFS(&vfs); }

 private:
  void limit(const nb::object& folders) {
    sn_limitFilesVFS(&vfs, nullptr);
    for (nb::handle folder : nb::list(folders)) {
      std::string name = nb::cast<std::string>(nb::str(folder));
      if (sn_limitFilesVFS(&vfs, name.c_str())) {
        throw nb::value_error(("there is no folder '" + name + "'").c_str());
      }
    }
  }

  // names are reduced to their lower-case base name
  void add(std::string name, nb::handle value) {
    size_t slash = name.find_last_of("/\\");
    if (slash != std::string::npos) name = name.substr(slash + 1);
    for (char& c : name) c = (char)tolower((unsigned char)c);
    nb::bytes content = assetContent(name, value);
    int result = sn_addBufferVFS(&vfs, name.c_str(), content.c_str(), (int)content.size());
    if (result == 2) throw nb::value_error(("Repeated file name in assets dict: " + name).c_str());
    if (result) throw nb::value_error(("Asset failed to load: " + name).c_str());
  }
};

// An error about a file that is not there, with the names of those that were given.
std::string withAssets(const char* error, const nb::object& assets) {
  std::string text = error;
  if (assets.is_none() || text.find("Error opening file") == std::string::npos) return text;
  std::string names;
  for (auto item : assetDict(assets)) names += (names.empty() ? "" : ", ") + assetName(item.first);
  const char* gap = text.back() == '\n' ? "" : "\n";
  return text + gap + "assets has: " + (names.empty() ? "nothing" : names);
}

Model* compile(SpecHolder& holder, const snVFS* vfs, const char* error, const nb::object& assets) {
  snSpec* spec = holder.spec;
  if (!spec) {
    throw nb::value_error(error[0] ? withAssets(error, assets).c_str()
                                   : "the model could not be read");
  }
  snModel* m;
  {
    nb::gil_scoped_release nogil;
    m = sn_compile(spec, vfs);
  }
  if (!m) throw nb::value_error(withAssets(sns_getError(spec), assets).c_str());
  holder.spec = nullptr;
  sn_keepLastXML(spec);
  return new Model(m);
}

// a line below an error
void advise(char (&error)[1024], const char* advice) {
  size_t used = strlen(error);
  const char* gap = used && error[used - 1] == '\n' ? "" : "\n";
  snprintf(error + used, sizeof(error) - used, "%s%s", gap, advice);
}

bool exists(const FileName& path) {
  return nb::cast<bool>(nb::module_::import_("os").attr("path").attr("exists")(path));
}

// The end of an error about a file that is not there: the nearest name in its folder, or "".
std::string nearFile(const FileName& path) {
  return nb::cast<std::string>(nb::module_::import_("sinew._named").attr("near_file")(path));
}

}  // namespace

Model* loadPath(const FileName& path, const nb::object& assets, const nb::object& folders) {
  char error[1024] = "";
  FileHolder files(assets, folders);
  SpecHolder holder;
  holder.spec = sn_parseXML(path.c_str(), &files.vfs, error, sizeof(error));
  if (!holder.spec && strchr(path.c_str(), '<')) {
    advise(error, "this looks like XML, not like the name of a file: use from_xml_string");
  } else if (!holder.spec && assets.is_none() && !exists(path)) {
    std::string near = nearFile(path);
    if (!near.empty()) advise(error, near.substr(2).c_str());
  }
  return compile(holder, &files.vfs, error, assets);
}

Model* loadString(const std::string& xml, const nb::object& assets, const nb::object& folders) {
  char error[1024] = "";
  FileHolder files(assets, folders);
  SpecHolder holder;
  holder.spec = sn_parseXMLString(xml.c_str(), &files.vfs, error, sizeof(error));
  if (!holder.spec && xml.find('<') == std::string::npos) {
    advise(error, "from_xml_string takes the text of a model; from_xml_path reads a file");
  }
  return compile(holder, &files.vfs, error, assets);
}

Model* loadBinary(const FileName& path, const nb::object& assets) {
  FileHolder files(assets);
  std::string name = path.c_str();
  if (assets.is_none() && !exists(path)) {
    throw nb::value_error(
        ("mj_loadModel: failed to load from mjb\nthere is no file '" + name + "'" + nearFile(path))
            .c_str());
  }
  snModel* m = sn_loadModel(path.c_str(), &files.vfs);
  if (!m) {
    throw nb::value_error(("mj_loadModel: failed to load from mjb\n'" + name +
                           "' is no binary model of this version; from_xml_path reads XML")
                              .c_str());
  }
  return new Model(m);
}
