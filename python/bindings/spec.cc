// MjSpec: the editable model.

#include "spec.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include <string.h>

#include <algorithm>
#include <array>
#include <optional>

#include "guard.h"
#include "sinew/deformable.h"

nb::object attachElement(Element& parent, Element& child, const std::string& prefix,
                         const std::string& suffix);

namespace {

// ---- files in memory ----

struct Files {
  snVFS vfs;
  Files() { sn_defaultVFS(&vfs); }
  ~Files() { sn_deleteVFS(&vfs); }
  Files(const Files&) = delete;

  void add(const nb::object& files) {
    if (files.is_none()) return;
    for (auto item : assetDict(files)) {
      std::string name = assetName(item.first);
      nb::bytes content = assetContent(name, item.second);
      int result = sn_addBufferVFS(&vfs, name.c_str(), content.c_str(), (int)content.size());
      if (result == 2)
        throw nb::value_error(("Repeated file name in assets dict: " + name).c_str());
      if (result) throw nb::value_error(("Asset failed to load: " + name).c_str());
    }
  }
};

// ---- making ----

void construct(Spec* self, snSpec* spec) {
  if (!spec) throw std::bad_alloc();
  new (self) Spec;
  self->memory = std::make_shared<SpecMemory>(spec);
  self->elem = sn_elem(spec->element);
}

nb::object fromC(snSpec* spec, const nb::object& assets) {
  auto* self = (Spec*)::operator new(sizeof(Spec));
  construct(self, spec);
  if (!assets.is_none()) self->assets = assetDict(assets);
  return nb::cast(self, nb::rv_policy::take_ownership);
}

template <typename Read>
nb::object parse(const std::string& source, const nb::object& include, const nb::object& assets,
                 Read read) {
  char error[1024] = "";
  Files files;
  files.add(include);
  snSpec* spec;
  {
    nb::gil_scoped_release released;
    spec = read(source.c_str(), &files.vfs, error, (int)sizeof(error));
  }
  if (!spec) throw nb::value_error(error[0] ? error : "the model could not be read");
  return fromC(spec, assets);
}

nb::object fromFile(const FileName& filename, const nb::object& include, const nb::object& assets) {
  return parse(filename, include, assets,
               [](const char* name, const snVFS* vfs, char* error, int size) {
                 return sn_parse(name, nullptr, vfs, error, size);
               });
}

nb::object fromString(const std::string& xml, const nb::object& include, const nb::object& assets) {
  return parse(xml, include, assets, sn_parseXMLString);
}

nb::object copySpec(Spec& self) {
  snSpec* copy = sn_copySpec(self.get());
  if (!copy) throw std::bad_alloc();
  nb::object object = fromC(copy, nb::none());
  Spec& made = nb::cast<Spec&>(object);
  made.assets = nb::cast<nb::dict>(self.assets.attr("copy")());
  made.override_assets = self.override_assets;
  if (self.memory->structure == sn_specSignature(self.get()))
    made.memory->structure = self.memory->structure;
  return object;
}

// ---- compiling ----

void checkOwn(const Spec& self) {
  if (self.by_reference) {
    throw nb::value_error(
        "Error: cannot compile child spec if attached by reference to a parent spec");
  }
}

Model* compile(Spec& self) {
  checkOwn(self);
  Files files;
  files.add(self.assets);
  snModel* m;
  {
    Guard guard;
    m = sn_compile(self.get(), &files.vfs);
  }
  if (!m) raiseError(self);
  if (sns_isWarning(self.get())) {
    sn_deleteModel(m);
    throw nb::value_error(sns_getError(self.get()));
  }
  self.memory->structure = sn_specSignature(self.get());
  return new Model(m);
}

bool sameSizes(const snModel* a, const snModel* b) {
  bool same = true;
#define X(name, rule, meaning) same = same && a->name == b->name;
  SN_MODEL_SIZES(X)
#undef X
  return same;
}

nb::tuple recompile(Spec& self, Model& model, Data& data) {
  checkOwn(self);
  if (!sameSizes(model.m, data.model->m))
    throw nb::value_error("the data was not made for the model");
  Files files;
  files.add(self.assets);
  snModel* m = sn_copyModel(nullptr, model.m);
  snData* d = m ? sn_copyData(nullptr, m, data.d) : nullptr;
  int failed = !d;
  if (d) {
    Guard guard;
    failed = sn_recompile(self.get(), &files.vfs, m, d);
  }
  if (failed) {
    // on failure both have been freed
    if (!d) sn_deleteModel(m);
    raiseError(self);
  }
  self.memory->structure = sn_specSignature(self.get());
  nb::object new_model = nb::cast(new Model(m), nb::rv_policy::take_ownership);
  nb::object new_data = nb::cast(new Data(d, new_model), nb::rv_policy::take_ownership);
  return nb::make_tuple(new_model, new_data);
}

// ---- writing ----

std::string losslessXml(Spec& self) {
  checkOwn(self);
  char error[1024] = "";
  Files files;
  files.add(self.assets);
  char* xml;
  {
    Guard guard;
    xml = sn_losslessXML(self.get(), &files.vfs, error, sizeof(error));
  }
  if (!xml) throw nb::value_error(error);
  std::string text(xml);
  snu_free(xml);
  return text;
}

std::string toXml(Spec& self, bool lossless) {
  if (lossless) return losslessXml(self);
  delete compile(self);
  char error[1024] = "";
  int size = sn_saveXMLString(self.get(), nullptr, 0, error, sizeof(error));
  std::string text((size_t)(size > 0 ? size : 0) + 1, '\0');
  int status = sn_saveXMLString(self.get(), text.data(), (int)text.size(), error, sizeof(error));
  if (status) throw FatalError(error);
  text.resize(strlen(text.c_str()));
  return text;
}

void toFile(Spec& self, const FileName& filename, bool lossless) {
  char error[1024] = "";
  if (lossless) {
    checkOwn(self);
    Files files;
    files.add(self.assets);
    Guard guard;
    int failed = sn_saveLosslessXML(self.get(), filename.c_str(), &files.vfs, error, sizeof(error));
    if (failed) throw FatalError(error);
    return;
  }
  if (!self.memory->structure)
    throw FatalError("XML Write error: Only compiled model can be written");
  if (sn_saveXML(self.get(), filename.c_str(), error, sizeof(error))) throw FatalError(error);
}

// ---- elements ----

nb::list elementsOf(Spec& self, snObj type) {
  nb::list found;
  snSpec* spec = self.get();
  for (snsElement* e = sns_firstElement(spec, type); e; e = sns_nextElement(spec, e)) {
    if (isThere(self.memory, e)) found.append(wrapElement(self.memory, e));
  }
  return found;
}

const struct {
  const char* word;
  const char* plural;
  snObj type;
} kTypes[] = {{"body", "bodies", snOBJ_BODY},
              {"site", "sites", snOBJ_SITE},
              {"geom", "geoms", snOBJ_GEOM},
              {"joint", "joints", snOBJ_JOINT},
              {"camera", "cameras", snOBJ_CAMERA},
              {"frame", "frames", snOBJ_FRAME},
              {"light", "lights", snOBJ_LIGHT},
              {"flex", "flexes", snOBJ_FLEX},
              {"mesh", "meshes", snOBJ_MESH},
              {"skin", "skins", snOBJ_SKIN},
              {"hfield", "hfields", snOBJ_HFIELD},
              {"texture", "textures", snOBJ_TEXTURE},
              {"material", "materials", snOBJ_MATERIAL},
              {"pair", "pairs", snOBJ_PAIR},
              {"equality", "equalities", snOBJ_EQUALITY},
              {"tendon", "tendons", snOBJ_TENDON},
              {"actuator", "actuators", snOBJ_ACTUATOR},
              {"sensor", "sensors", snOBJ_SENSOR},
              {"numeric", "numerics", snOBJ_NUMERIC},
              {"text", "texts", snOBJ_TEXT},
              {"tuple", "tuples", snOBJ_TUPLE},
              {"key", "keys", snOBJ_KEY},
              {"exclude", "excludes", snOBJ_EXCLUDE},
              {"plugin", "plugins", snOBJ_PLUGIN},
              {"deformable", "deformables", snOBJ_DEFORMABLE}};

// an asset without a name goes by the name of its file
nb::object findByFile(Spec& self, snObj type, const std::string& name) {
  for (nb::handle item : elementsOf(self, type)) {
    std::string file = nb::cast<std::string>(item.attr("file"));
    size_t slash = file.find_last_of("/\\");
    std::string base = slash == std::string::npos ? file : file.substr(slash + 1);
    if (nb::cast<std::string>(item.attr("name")).empty() &&
        base.substr(0, base.find_last_of('.')) == name)
      return nb::borrow(item);
  }
  return nb::none();
}

// elements of a model that was attached by reference, in whole or in part, have their new names
nb::object findElement(Spec& self, snObj type, const std::string& name) {
  snsElement* element = sns_findElement(self.get(), type, name.c_str());
  if (!element && (type == snOBJ_MESH || type == snOBJ_TEXTURE))
    return findByFile(self, type, name);
  if (self.memory->parents.empty()) return wrapElement(self.memory, element);
  for (nb::handle item : elementsOf(self, type)) {
    if (nb::cast<std::string>(item.attr("name")) == name) return nb::borrow(item);
  }
  return nb::none();
}

template <typename T>
nb::object finishAdd(Spec& self, T* object, const nb::kwargs& keywords) {
  if (!object) raiseError(self);
  nb::object handle = wrapElement(self.memory, object->element);
  applyKeywords(nb::cast<Element&>(handle), fieldsOf<T>(), keywords);
  return handle;
}

template <typename T>
void bindAdder(nb::class_<Spec>& cls, const char* name, T* (*add)(snSpec*)) {
  cls.def(name, [add, name](Spec& self, nb::args args, nb::kwargs keywords) {
    if (args.size() > 1 || keywords.contains("default")) {
      throw nb::type_error((std::string(name) + "(): incompatible function arguments").c_str());
    }
    if (args.size()) keywords["name"] = args[0];
    checkKeywords(fieldsOf<T>(), keywords, name);
    return finishAdd(self, add(self.get()), keywords);
  });
}

template <typename T>
void bindAdder(nb::class_<Spec>& cls, const char* name, T* (*add)(snSpec*, const snsDefault*)) {
  cls.def(name, [add, name](Spec& self, nb::args args, nb::kwargs keywords) {
    if (args.size() > 2)
      throw nb::type_error((std::string(name) + "(): incompatible function arguments").c_str());
    if (args.size() > 0) keywords["default"] = args[0];
    if (args.size() > 1) keywords["name"] = args[1];
    checkKeywords(fieldsOf<T>(), keywords, name);
    const snsDefault* def = nullptr;
    if (keywords.contains("default") && !keywords["default"].is_none()) {
      def = nb::cast<Handle<snsDefault>&>(keywords["default"]).get();
    }
    return finishAdd(self, add(self.get(), def), keywords);
  });
}

void bindAdders(nb::class_<Spec>& cls) {
  bindAdder(cls, "add_flex", sns_addFlex);
  bindAdder(cls, "add_deformable", sns_addDeformable);
  bindAdder(cls, "add_mesh", sns_addMesh);
  bindAdder(cls, "add_skin", sns_addSkin);
  bindAdder(cls, "add_hfield", sns_addHField);
  bindAdder(cls, "add_texture", sns_addTexture);
  bindAdder(cls, "add_material", sns_addMaterial);
  bindAdder(cls, "add_pair", sns_addPair);
  bindAdder(cls, "add_equality", sns_addEquality);
  bindAdder(cls, "add_tendon", sns_addTendon);
  bindAdder(cls, "add_actuator", sns_addActuator);
  bindAdder(cls, "add_sensor", sns_addSensor);
  bindAdder(cls, "add_numeric", sns_addNumeric);
  bindAdder(cls, "add_text", sns_addText);
  bindAdder(cls, "add_tuple", sns_addTuple);
  bindAdder(cls, "add_key", sns_addKey);
  bindAdder(cls, "add_exclude", sns_addExclude);
  bindAdder(cls, "add_plugin", sns_addPlugin);
}

void deleteElement(Spec& self, Element& element) {
  snsElement* head = element.head();
  if (element.memory->spec != self.get())
    throw nb::value_error("Error: element is not in this spec");
  if (head == &sn_world(self.get())->head)
    throw nb::value_error("Error: cannot delete the world body");
  if (head == sns_getSpecDefault(self.get())->element) {
    throw nb::value_error("Error: cannot remove the global default ('main')");
  }
  if (sns_delete(self.get(), head)) raiseError(self);
}

nb::object addDefault(Spec& self, const std::string& name, Handle<snsDefault>* parent) {
  if (sns_findDefault(self.get(), name.c_str())) return nb::none();
  snsDefault* def = sns_addDefault(self.get(), name.c_str(), parent ? parent->get() : nullptr);
  return def ? wrapElement(self.memory, def->element) : nb::none();
}

void bindLists(nb::class_<Spec>& cls) {
  for (const auto& entry : kTypes) {
    snObj type = entry.type;
    cls.def(entry.word,
            [type](Spec& self, const std::string& name) { return findElement(self, type, name); });
    cls.def_prop_ro(entry.plural, [type](Spec& self) { return elementsOf(self, type); });
  }
  cls.def_prop_ro("worldbody",
                  [](Spec& self) { return wrapElement(self.memory, &sn_world(self.get())->head); });
  cls.def_prop_ro("default", [](Spec& self) {
    return wrapElement(self.memory, sns_getSpecDefault(self.get())->element);
  });
  cls.def("find_default", [](Spec& self, const std::string& name) -> nb::object {
    snsDefault* def = sns_findDefault(self.get(), name.c_str());
    return def ? wrapElement(self.memory, def->element) : nb::none();
  });
  cls.def("add_default", &addDefault, nb::arg("classname"), nb::arg("parent").none());
  cls.def("delete", &deleteElement);
}

// ---- settings ----

void bindFields(nb::class_<Spec>& cls) {
  for (const Field& field : fieldsOf<snSpec>()) bindField(cls, field);
  for (const char* name : {"meshdir", "texturedir"}) {
    cls.def_prop_rw(
        name, [name](nb::handle self) { return self.attr("compiler").attr(name); },
        [name](nb::handle self, nb::object value) { self.attr("compiler").attr(name) = value; });
  }
  cls.def_prop_rw(
      "assets", [](Spec& self) { return self.assets; },
      [](Spec& self, nb::dict assets) { self.assets = assets; });
  cls.def_prop_rw(
      "override_assets", [](Spec& self) { return self.override_assets; },
      [](Spec& self, Truth value) { self.override_assets = value; },
      nb::for_setter(nb::arg("value").none()));
  cls.def_prop_rw(
      "copy_during_attach",
      [](Spec&) -> nb::object { throw nb::value_error("copy_during_attach can only be set."); },
      [](Spec& self, Truth value) { sns_setDeepCopy(self.get(), value); },
      nb::for_setter(nb::arg("value").none()));
  cls.def_prop_ro("parent", [](Spec& self) { return self.parent; });
  cls.def_prop_ro("_address", [](Spec& self) { return (uintptr_t)self.get(); });
  cls.def_prop_ro("signature", [](Spec& self) { return signatureOf(self); });
}

nb::list resolveOrientation(nb::object degree, nb::object sequence,
                            Handle<snsOrientation>& orientation) {
  std::string order;
  if (sequence.is_none()) throw nb::type_error("resolve_orientation(): sequence is needed");
  for (nb::handle item : sequence) order += nb::cast<std::string>(item);
  double quat[4];
  const char* error = sns_resolveOrientation(quat, (snByte)PyObject_IsTrue(degree.ptr()),
                                             order.c_str(), orientation.get());
  if (error && error[0]) throw nb::value_error(error);
  nb::list result;
  for (double x : quat) result.append(x);
  return result;
}

// attach a whole model to a frame or site; the Python side has checked the arguments
nb::object attachModel(Spec& self, nb::object child, Element& place, const std::string& prefix,
                       const std::string& suffix) {
  Spec& model = nb::cast<Spec&>(child);
  nb::object frame = attachElement(place, model, prefix, suffix);
  const auto& parents = model.memory->parents;
  model.by_reference = std::find(parents.begin(), parents.end(), self.memory) != parents.end();
  // a chain of parents must end
  nb::object parent = nb::find(self);
  for (nb::object up = parent; !up.is_none(); up = nb::cast<Spec&>(up).parent) {
    if (up.is(child)) return frame;
  }
  model.parent = parent;
  return frame;
}

}  // namespace

void bindSpec(nb::module_& module) {
  bindVectors(module);
  bindElements(module);
  nb::class_<Spec> cls(module, "MjSpec", nb::is_weak_referenceable(),
                       nb::type_slots(attributeSlots()));
  cls.def("__init__", [](Spec* self) { construct(self, sn_makeSpec()); });
  cls.def_static("from_file", &fromFile, nb::arg("filename"), nb::arg("include") = nb::none(),
                 nb::arg("assets") = nb::none());
  cls.def_static("from_string", &fromString, nb::arg("xml"), nb::arg("include") = nb::none(),
                 nb::arg("assets") = nb::none());
  cls.def("copy", &copySpec);
  cls.def("compile", &compile, nb::rv_policy::take_ownership);
  cls.def("recompile", &recompile);
  cls.def("to_xml", &toXml, nb::arg("lossless") = false);
  cls.def("to_file", &toFile, nb::arg("filename"), nb::arg("lossless") = false);
  cls.def(
      "activate_plugin",
      [](Spec& self, const std::string& name) { sns_activatePlugin(self.get(), name.c_str()); },
      nb::arg("name"));
  cls.def_static("resolve_orientation", &resolveOrientation, nb::arg("degree"),
                 nb::arg("sequence") = nb::none(), nb::arg("orientation"));
  cls.def("_attach", &attachModel);
  cls.def_prop_ro("_copies", [](Spec& self) { return sn_specData(self.get())->deepcopy != 0; });
  cls.def("_set_parent", [](Spec& self, nb::object parent) {
    for (nb::object up = parent; !up.is_none(); up = nb::cast<Spec&>(up).parent) {
      if (&nb::cast<Spec&>(up) == &self) return;
    }
    self.parent = parent;
  });
  cls.def("_same", [](Spec& self, Element& element) { return element.memory == self.memory; });
  bindFields(cls);
  bindLists(cls);
  bindAdders(cls);
}
