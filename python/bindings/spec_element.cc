// Classes of the elements: what they have beyond the fields of their struct.

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>

#include "spec.h"

// ---- places ----

Element::~Element() {
  if (memory && type) memory->handles.erase(SpecMemory::Key(elem, offset, type));
}

char* Element::object() const {
  if (!elem || elem->dead) throw nb::value_error("this element was deleted from its spec");
  return (char*)elem->object + offset;
}

snsElement* Element::head() const {
  object();
  return &elem->head;
}

// memory of a spec that holds an element, or of one that it was attached to
static Memory memoryOf(const Memory& memory, const snSpec* spec) {
  if (memory->spec == spec) return memory;
  for (const Memory& parent : memory->parents) {
    if (Memory found = memoryOf(parent, spec)) return found;
  }
  return nullptr;
}

// what an element has become
static snElem* elementNow(const Memory& memory, const snsElement* element) {
  snElem* e = sn_elem(element);
  while (e->moved && memoryOf(memory, e->moved->spec)) e = e->moved;
  return e;
}

bool isThere(const Memory& memory, const snsElement* element) {
  return !elementNow(memory, element)->dead;
}

nb::object wrapElement(const Memory& memory, const snsElement* element) {
  if (!element) return nb::none();
  snElem* e = elementNow(memory, element);
  Memory owner = memoryOf(memory, e->spec);
  if (!owner) return nb::none();
  switch (e->head.elemtype) {
#define CASE(TYPE, Name) \
  case snOBJ_##TYPE: return wrapPlace<sns##Name>(owner, e, 0);
    CASE(BODY, Body)
    CASE(FRAME, Frame)
    CASE(GEOM, Geom)
    CASE(JOINT, Joint)
    CASE(SITE, Site)
    CASE(CAMERA, Camera)
    CASE(LIGHT, Light)
    CASE(FLEX, Flex)
    CASE(DEFORMABLE, Deformable)
    CASE(MESH, Mesh)
    CASE(SKIN, Skin)
    CASE(HFIELD, HField)
    CASE(TEXTURE, Texture)
    CASE(MATERIAL, Material)
    CASE(PAIR, Pair)
    CASE(EXCLUDE, Exclude)
    CASE(EQUALITY, Equality)
    CASE(TENDON, Tendon)
    CASE(ACTUATOR, Actuator)
    CASE(SENSOR, Sensor)
    CASE(NUMERIC, Numeric)
    CASE(TEXT, Text)
    CASE(TUPLE, Tuple)
    CASE(KEY, Key)
    CASE(PLUGIN, Plugin)
    CASE(DEFAULT, Default)
#undef CASE
    default: return wrapPlace<snsWrap>(owner, e, 0);
  }
}

template <typename T>
static nb::object wrapStruct(const Element& self, T* object) {
  return object ? wrapElement(self.memory, object->element) : nb::none();
}

void raiseError(const Element& element) {
  std::string message = sns_getError(element.memory->spec);
  if (message.rfind("Error", 0) != 0) message = "Error: " + message;
  throw nb::value_error(message.c_str());
}

uint64_t signatureOf(const Element& element) {
  uint64_t structure = sn_specSignature(element.memory->spec);
  bool compiled = structure == element.memory->structure;
  return compiled ? element.memory->spec->element->signature : structure;
}

void setName(const Element& element, const std::string& name, bool unique) {
  snsElement* head = element.head();
  snsElement* other = sns_findElement(element.memory->spec, head->elemtype, name.c_str());
  sns_setName(head, name.c_str());
  if (unique && other && other != head) {
    throw nb::value_error(
        ("Error: repeated name '" + name + "' in " + sn_typeName(head->elemtype)).c_str());
  }
}

// ---- what every element has ----

template <typename T>
static ElementClass<T> bindElement(nb::module_& module, const char* name) {
  ElementClass<T> cls(module, name);
  bindFieldsOf<T>(cls);
  cls.def_prop_ro("signature", [](Handle<T>& self) {
    self.head();
    return signatureOf(self);
  });
  if constexpr (!std::is_same_v<T, snsPlugin>) {
    cls.def_prop_ro("id", [](Handle<T>& self) { return sns_getId(self.head()); });
    cls.def_prop_rw(
        "name",
        [](Handle<T>& self) {
          const char* text = sns_getString(sns_getName(self.head()));
          return std::string(text ? text : "");
        },
        [](Handle<T>& self, const std::string& name) { setName(self, name, true); });
  }
  return cls;
}

template <typename T>
static ElementClass<T> withClass(ElementClass<T> cls) {
  cls.def_prop_rw(
      "classname", [](Handle<T>& self) { return wrapStruct(self, sns_getDefault(self.head())); },
      [](Handle<T>& self, Handle<snsDefault>& def) { sns_setDefault(self.head(), def.get()); });
  return cls;
}

template <typename T>
static ElementClass<T> withPlace(ElementClass<T> cls) {
  cls.def_prop_ro("parent", [](Handle<T>& self) {
    if (self.elem == sn_world(self.memory->spec)) return wrapElement(self.memory, self.head());
    return wrapStruct(self, sns_getParent(self.head()));
  });
  cls.def_prop_ro("frame",
                  [](Handle<T>& self) { return wrapStruct(self, sns_getFrame(self.head())); });
  cls.def("set_frame", [](Handle<T>& self, Handle<snsFrame>& frame) {
    snsFrame* f = frame.get();
    if (sns_setFrame(self.head(), f)) {
      throw nb::value_error((std::string("Error: Frame and body '") + sn_elemName(self.elem) +
                             "' have mismatched parents")
                                .c_str());
    }
  });
  return cls;
}

// ---- adders of bodies and frames ----

// body and frame that new elements go to
struct Place {
  snsBody* body;
  snsFrame* frame;
};
static Place placeOf(Handle<snsBody>& self) { return {self.get(), nullptr}; }
static Place placeOf(Handle<snsFrame>& self) {
  snsFrame* frame = self.get();
  return {sns_getParent(frame->element), frame};
}

// positional arguments of adders: default, name
template <typename D>
static D* takeDefault(const nb::args& args, nb::kwargs& keywords, const char* function) {
  if (args.size() > 2)
    throw nb::type_error((std::string(function) + "(): incompatible function arguments").c_str());
  if (args.size() == 2) keywords["name"] = args[1];
  nb::object given = args.size()                    ? nb::borrow(args[0])
                     : keywords.contains("default") ? nb::object(keywords["default"])
                                                    : nb::none();
  if (given.is_none()) return nullptr;
  if (!nb::isinstance<Handle<D>>(given)) {
    throw nb::type_error(
        (std::string(function) + "(): incompatible function arguments: default").c_str());
  }
  return nb::cast<Handle<D>&>(given).get();
}

template <typename T, typename D, typename P>
static void bindAdder(ElementClass<P>& cls, const char* name, T* (*add)(snsBody*, D*)) {
  using Plain = std::remove_const_t<D>;
  cls.def(name, [add, name](Handle<P>& self, nb::args args, nb::kwargs keywords) {
    Place place = placeOf(self);
    Plain* def = takeDefault<Plain>(args, keywords, name);
    checkKeywords(fieldsOf<T>(), keywords, name);
    // inside of a frame, frames go below that frame
    if constexpr (std::is_same_v<Plain, snsFrame>) {
      if (!def) def = place.frame;
    }
    T* object = add(place.body, def);
    if (!object) raiseError(self);
    if (place.frame && !std::is_same_v<Plain, snsFrame>) sns_setFrame(object->element, place.frame);
    nb::object handle = wrapStruct(self, object);
    applyKeywords(nb::cast<Element&>(handle), fieldsOf<T>(), keywords);
    return handle;
  });
}

template <typename P>
static void bindAdders(ElementClass<P>& cls) {
  bindAdder(cls, "add_body", sns_addBody);
  bindAdder(cls, "add_site", sns_addSite);
  bindAdder(cls, "add_geom", sns_addGeom);
  bindAdder(cls, "add_joint", sns_addJoint);
  bindAdder(cls, "add_camera", sns_addCamera);
  bindAdder(cls, "add_light", sns_addLight);
  bindAdder(cls, "add_frame", sns_addFrame);
}

static nb::object addFreeJoint(Handle<snsBody>& self, nb::kwargs keywords) {
  for (auto item : keywords) {
    std::string name = nb::cast<std::string>(item.first);
    if (name == "align" || name == "group" || name == "name") continue;
    throw nb::type_error(
        ("Invalid " + name + " keyword argument. Valid options are: align, group, name.").c_str());
  }
  snsJoint* joint = sns_addFreeJoint(self.get());
  if (!joint) raiseError(self);
  nb::object handle = wrapStruct(self, joint);
  applyKeywords(nb::cast<Element&>(handle), fieldsOf<snsJoint>(), keywords);
  return handle;
}

// ---- bodies ----

static nb::list childrenOf(Handle<snsBody>& self, snObj type, bool recurse) {
  nb::list found;
  snsBody* body = self.get();
  for (snsElement* e = sns_firstChild(body, type, recurse); e;
       e = sns_nextChild(body, e, recurse)) {
    if (isThere(self.memory, e)) found.append(wrapElement(self.memory, e));
  }
  return found;
}

static const struct {
  const char* word;
  const char* plural;
  snObj type;
} kChildren[] = {{"body", "bodies", snOBJ_BODY},     {"frame", "frames", snOBJ_FRAME},
                 {"geom", "geoms", snOBJ_GEOM},      {"site", "sites", snOBJ_SITE},
                 {"joint", "joints", snOBJ_JOINT},   {"light", "lights", snOBJ_LIGHT},
                 {"camera", "cameras", snOBJ_CAMERA}};

static nb::object findAll(Handle<snsBody>& self, nb::handle type) {
  self.get();
  if (PyUnicode_Check(type.ptr())) {
    std::string word = nb::cast<std::string>(type);
    for (const auto& child : kChildren) {
      if (word == child.word) return childrenOf(self, child.type, true);
    }
    throw nb::value_error(
        "body.find_all supports the types: body, frame, geom, site, joint, light, camera.");
  }
  int number = (int)PyNumber_AsSsize_t(type.ptr(), nullptr);
  if (PyErr_Occurred()) throw nb::python_error();
  if (!sn_isTreeType((snObj)number)) {
    throw nb::value_error(
        "Error: Body.NextChild supports the types: body, frame, geom, site, light, camera");
  }
  return childrenOf(self, (snObj)number, true);
}

// handles of elements that moved to another spec follow them
static void followMoved(const Memory& from, const Memory& to) {
  std::vector<Element*> moved;
  for (auto& [key, object] : from->handles) {
    const snElem* elem = std::get<0>(key);
    if (elem && !elem->dead && elem->moved && elem->moved->spec == to->spec) {
      moved.push_back(&nb::cast<Element&>(nb::handle(object)));
    }
  }
  for (Element* element : moved) {
    SpecMemory::Key old(element->elem, element->offset, element->type);
    PyObject* object = from->handles[old];
    from->handles.erase(old);
    element->elem = element->elem->moved;
    element->memory = to;
    to->handles[SpecMemory::Key(element->elem, element->offset, element->type)] = object;
  }
  if (!memoryOf(from, to->spec)) from->parents.push_back(to);
}

nb::object attachElement(Element& parent, Element& child, const std::string& prefix,
                         const std::string& suffix) {
  Memory from = child.memory, to = parent.memory;
  snsElement* result = sns_attach(parent.head(), child.head(), prefix.c_str(), suffix.c_str());
  bool moves = from != to && !sn_specData(to->spec)->deepcopy;
  // specs that are attached to each other would keep each other alive: the second is a copy
  if (moves && (!result || memoryOf(to, from->spec))) {
    sn_forgetMoved(from->spec, to->spec);
    moves = false;
  }
  if (!result) raiseError(parent);
  if (moves) {
    followMoved(from, to);
    sn_specData(from->spec)->given = 1;
  }
  return wrapElement(to, result);
}

template <typename P, typename C>
static void bindAttach(ElementClass<P>& cls, const char* name, const char* argument) {
  cls.def(
      name,
      [](Handle<P>& self, Handle<C>& child, std::optional<std::string> prefix,
         std::optional<std::string> suffix) {
        return attachElement(self, child, prefix.value_or(""), suffix.value_or(""));
      },
      nb::arg(argument), nb::arg("prefix") = nb::none(), nb::arg("suffix") = nb::none());
}

static void bindBody(nb::module_& module) {
  auto cls = withPlace(withClass(bindElement<snsBody>(module, "MjsBody")));
  bindAdders(cls);
  bindAttach<snsBody, snsFrame>(cls, "attach_frame", "frame");
  cls.def("add_freejoint", &addFreeJoint);
  cls.def("find_all", &findAll);
  cls.def("find_child", [](Handle<snsBody>& self, const std::string& name) {
    return wrapStruct(self, sns_findChild(self.get(), name.c_str()));
  });
  cls.def("to_frame", [](Handle<snsBody>& self) {
    snsBody* body = self.get();
    snsFrame* frame = sns_bodyToFrame(&body);
    if (!frame) throw nb::value_error("Error: the world body cannot become a frame");
    return wrapStruct(self, frame);
  });
  for (const auto& child : kChildren) {
    snObj type = child.type;
    cls.def_prop_ro(child.plural,
                    [type](Handle<snsBody>& self) { return childrenOf(self, type, false); });
    cls.def((std::string("first_") + child.word).c_str(), [type](Handle<snsBody>& self) {
      return wrapElement(self.memory, sns_firstChild(self.get(), type, 0));
    });
    cls.def((std::string("next_") + child.word).c_str(),
            [type](Handle<snsBody>& self, Element& child) {
              if (child.head()->elemtype != type) throw nb::type_error("child of another type");
              return wrapElement(self.memory, sns_nextChild(self.get(), child.head(), 0));
            });
  }
}

// ---- tendons ----

struct TendonPath {
  nb::object tendon;
  Handle<snsTendon>& handle() const { return nb::cast<Handle<snsTendon>&>(tendon); }
};

static void bindWraps(nb::module_& module) {
  ElementClass<snsWrap> cls(module, "MjsWrap");
  bindFieldsOf<snsWrap>(cls);
  // what a geom's wrap is depends on the geom, and is known when the model has been compiled
  const Field* field = findField(fieldsOf<snsWrap>(), "type");
  auto set = [field](Handle<snsWrap>& self, nb::handle value) { setField(self, *field, value); };
  auto get = [field](Handle<snsWrap>& self) {
    snsGeom* geom = sns_asGeom(sns_getWrapTarget(self.get()));
    bool compiled = sn_specSignature(self.memory->spec) == self.memory->structure;
    if (geom && compiled)
      self.get()->type = geom->type == snGEOM_SPHERE ? snWRAP_SPHERE : snWRAP_CYLINDER;
    return getField(self, *field);
  };
  cls.def_prop_rw("type", get, set);
  cls.def_prop_ro("target", [](Handle<snsWrap>& self) {
    return wrapElement(self.memory, sns_getWrapTarget(self.get()));
  });
  cls.def_prop_ro("sidesite", [](Handle<snsWrap>& self) {
    return wrapStruct(self, sns_getWrapSideSite(self.get()));
  });
  cls.def_prop_ro("coef", [](Handle<snsWrap>& self) -> nb::object {
    if (self.get()->type != snWRAP_JOINT) return nb::none();
    return nb::float_(sns_getWrapCoef(self.get()));
  });
  cls.def_prop_ro("divisor", [](Handle<snsWrap>& self) -> nb::object {
    if (self.get()->type != snWRAP_PULLEY) return nb::none();
    return nb::float_(sns_getWrapDivisor(self.get()));
  });
  nb::class_<TendonPath> path(module, "MjsTendonPath", nb::is_weak_referenceable());
  path.def("__len__", [](TendonPath& self) { return sns_getWrapNum(self.handle().get()); });
  path.def("__getitem__", [](TendonPath& self, int i) {
    if (i < 0 || i >= sns_getWrapNum(self.handle().get()))
      throw nb::index_error("Index out of range.");
    return wrapStruct(self.handle(), sns_getWrap(self.handle().get(), i));
  });
}

static void bindTendon(nb::module_& module) {
  bindWraps(module);
  auto cls = bindElement<snsTendon>(module, "MjsTendon");
  using Tendon = Handle<snsTendon>;
  cls.def("default", [](Tendon& self) { return wrapStruct(self, sns_getDefault(self.head())); });
  cls.def_prop_ro("path", [](nb::object self) { return TendonPath{self}; });
  cls.def("wrap_site", [](Tendon& self, const std::string& name) {
    return wrapStruct(self, sns_wrapSite(self.get(), name.c_str()));
  });
  cls.def("wrap_geom", [](Tendon& self, const std::string& name, const std::string& sidesite) {
    return wrapStruct(self, sns_wrapGeom(self.get(), name.c_str(), sidesite.c_str()));
  });
  cls.def("wrap_joint", [](Tendon& self, const std::string& name, double coef) {
    return wrapStruct(self, sns_wrapJoint(self.get(), name.c_str(), coef));
  });
  cls.def("wrap_pulley", [](Tendon& self, double divisor) {
    return wrapStruct(self, sns_wrapPulley(self.get(), divisor));
  });
}

// ---- actuators ----

// the setters of C return a message, empty when all is well
static void check(const char* message) {
  if (message && message[0]) throw nb::value_error(message);
}

using Servo = const char* (*)(snsActuator*, double, double[1], double[1], double[1], double);

static void bindServo(ElementClass<snsActuator>& cls, const char* name, Servo set) {
  cls.def(
      name,
      [set](Handle<snsActuator>& self, double kp, double kv, double dampratio, double timeconst,
            Truth inherit) {
        check(set(self.get(), kp, kv == -1 ? nullptr : &kv, dampratio == -1 ? nullptr : &dampratio,
                  timeconst == -1 ? nullptr : &timeconst, inherit));
      },
      nb::arg("kp"), nb::arg("kv") = -1.0, nb::arg("dampratio") = -1.0, nb::arg("timeconst") = -1.0,
      nb::arg("inheritrange").none() = Truth());
}

// one number fills the first place of a pair
static void toPair(nb::handle value, double pair[2]) {
  if (PySequence_Check(value.ptr())) {
    for (int i = 0; i < 2 && i < (int)nb::len(value); i++) pair[i] = nb::cast<double>(value[i]);
  } else {
    pair[0] = nb::cast<double>(value);
  }
}

// not in MuJoCo: keywords are the fields of snsHill
static void setHill(const nb::kwargs& numbers, snsHill& hill) {
  const std::pair<const char*, double*> fields[] = {{"force", &hill.force},
                                                    {"optimal_length", &hill.optimal_length},
                                                    {"slack_length", &hill.slack_length},
                                                    {"pennation", &hill.pennation},
                                                    {"max_velocity", &hill.max_velocity},
                                                    {"passive_strain", &hill.passive_strain},
                                                    {"width", &hill.width},
                                                    {"max_eccentric", &hill.max_eccentric},
                                                    {"tendon_stiffness", &hill.tendon_stiffness},
                                                    {"damping", &hill.damping},
                                                    {"min_activation", &hill.min_activation}};
  for (auto [key, value] : numbers) {
    std::string name = nb::cast<std::string>(key);
    if (name == "timeconst") {
      toPair(value, hill.timeconst);
      continue;
    }
    bool known = false;
    for (const auto& [field, place] : fields) {
      if (name != field) continue;
      *place = nb::cast<double>(value);
      known = true;
    }
    if (!known) throw nb::type_error(("a Hill muscle has no '" + name + "'").c_str());
  }
}

static void bindActuator(nb::module_& module) {
  using Actuator = Handle<snsActuator>;
  auto cls = withClass(bindElement<snsActuator>(module, "MjsActuator"));
  cls.def("set_to_motor", [](Actuator& self) { check(sns_setToMotor(self.get())); });
  bindServo(cls, "set_to_position", sns_setToPosition);
  bindServo(cls, "set_to_intvelocity", sns_setToIntVelocity);
  cls.def(
      "set_to_velocity",
      [](Actuator& self, double kv) { check(sns_setToVelocity(self.get(), kv)); }, nb::arg("kv"));
  cls.def(
      "set_to_damper", [](Actuator& self, double kv) { check(sns_setToDamper(self.get(), kv)); },
      nb::arg("kv"));
  cls.def(
      "set_to_cylinder",
      [](Actuator& self, double timeconst, double bias, double area, double diameter) {
        check(sns_setToCylinder(self.get(), timeconst, bias, area, diameter));
      },
      nb::arg("timeconst"), nb::arg("bias"), nb::arg("area"), nb::arg("diameter") = -1.0);
  cls.def(
      "set_to_muscle",
      [](Actuator& self, nb::handle timeconst, double tausmooth, nb::handle range, double force,
         double scale, double lmin, double lmax, double vmax, double fpmax, double fvmax) {
        double times[2] = {-1, -1}, ranges[2] = {-1, -1};
        if (!timeconst.is_none()) toPair(timeconst, times);
        if (!range.is_none()) toPair(range, ranges);
        check(sns_setToMuscle(self.get(), times, tausmooth, ranges, force, scale, lmin, lmax, vmax,
                              fpmax, fvmax));
      },
      nb::arg("timeconst") = nb::none(), nb::arg("tausmooth"), nb::arg("range") = nb::none(),
      nb::arg("force") = -1.0, nb::arg("scale") = -1.0, nb::arg("lmin") = -1.0,
      nb::arg("lmax") = -1.0, nb::arg("vmax") = -1.0, nb::arg("fpmax") = -1.0,
      nb::arg("fvmax") = -1.0);
  cls.def(
      "set_to_hill",
      [](Actuator& self, const std::string& preset, nb::kwargs numbers) {
        snsHill hill;
        if (!sns_defaultHill(&hill, preset.c_str())) {
          throw nb::value_error(("there is no preset '" + preset + "' of a Hill muscle").c_str());
        }
        setHill(numbers, hill);
        check(sns_setToHill(self.get(), &hill));
      },
      nb::arg("preset") = "", nb::arg("numbers"));
  cls.def(
      "set_to_adhesion",
      [](Actuator& self, double gain) { check(sns_setToAdhesion(self.get(), gain)); },
      nb::arg("gain"));
}

// ---- meshes ----

static void make(Handle<snsMesh>& self, snMeshBuiltin builtin, std::vector<double> params) {
  if (sns_makeMesh(self.get(), builtin, params.data(), (int)params.size())) raiseError(self);
}

static void bindMesh(nb::module_& module) {
  using Mesh = Handle<snsMesh>;
  using Pair = std::array<int, 2>;
  using Angles = std::array<double, 2>;
  auto cls = withClass(bindElement<snsMesh>(module, "MjsMesh"));
  cls.def(
      "make_sphere",
      [](Mesh& self, int subdivision) { make(self, snMESH_BUILTIN_SPHERE, {(double)subdivision}); },
      nb::arg("subdivision"));
  cls.def(
      "make_hemisphere",
      [](Mesh& self, int resolution) {
        make(self, snMESH_BUILTIN_HEMISPHERE, {(double)resolution});
      },
      nb::arg("resolution"));
  cls.def(
      "make_cone",
      [](Mesh& self, int nedge, double radius) {
        make(self, snMESH_BUILTIN_CONE, {(double)nedge, radius});
      },
      nb::arg("nedge"), nb::arg("radius"));
  cls.def(
      "make_supersphere",
      [](Mesh& self, int resolution, double e, double n) {
        make(self, snMESH_BUILTIN_SUPERSPHERE, {(double)resolution, e, n});
      },
      nb::arg("resolution"), nb::arg("e"), nb::arg("n"));
  cls.def(
      "make_supertorus",
      [](Mesh& self, int resolution, double radius, double s, double t) {
        make(self, snMESH_BUILTIN_SUPERTORUS, {(double)resolution, radius, s, t});
      },
      nb::arg("resolution"), nb::arg("radius"), nb::arg("s"), nb::arg("t"));
  cls.def(
      "make_wedge",
      [](Mesh& self, Pair resolution, Angles fov, double gamma) {
        make(self, snMESH_BUILTIN_WEDGE,
             {(double)resolution[0], (double)resolution[1], fov[0], fov[1], gamma});
      },
      nb::arg("resolution") = Pair{0, 0}, nb::arg("fov") = Angles{0, 0}, nb::arg("gamma") = 0.0);
  cls.def(
      "make_plate",
      [](Mesh& self, Pair resolution) {
        make(self, snMESH_BUILTIN_PLATE, {(double)resolution[0], (double)resolution[1]});
      },
      nb::arg("resolution") = Pair{0, 0});
}

// ---- plugins ----

static snPluginObject* pluginOf(Handle<snsPlugin>& self) {
  snsElement* element = self.get()->element;
  if (!element || element->elemtype != snOBJ_PLUGIN || sn_elem(element)->dead) return nullptr;
  return (snPluginObject*)sn_elem(element)->object;
}

static nb::dict getConfig(Handle<snsPlugin>& self) {
  nb::dict config;
  const snPluginObject* plugin = pluginOf(self);
  for (int i = 0; plugin && i < plugin->key->size; i++) {
    config[sns_getString(plugin->key->data + i)] = nb::str(sns_getString(plugin->value->data + i));
  }
  return config;
}

static void setConfig(Handle<snsPlugin>& self, nb::dict config) {
  snPluginObject* plugin = pluginOf(self);
  if (!plugin) throw nb::value_error("the element has no plugin instance");
  std::vector<std::pair<std::string, std::string>> pairs;
  for (auto item : config)
    pairs.emplace_back(nb::cast<std::string>(item.first), nb::cast<std::string>(item.second));
  sns_setStringVec(plugin->key, "");
  sns_setStringVec(plugin->value, "");
  for (auto& [key, value] : pairs) {
    sns_appendString(plugin->key, key.c_str());
    sns_appendString(plugin->value, value.c_str());
  }
}

static void bindPlugin(nb::module_& module) {
  using Plugin = Handle<snsPlugin>;
  auto cls = bindElement<snsPlugin>(module, "MjsPlugin");
  cls.def_prop_rw("config", &getConfig, &setConfig);
  cls.def_prop_rw(
      "id",
      [](Plugin& self) {
        snPluginObject* plugin = pluginOf(self);
        return plugin ? sns_getId(plugin->plugin.element) : -1;
      },
      [](Plugin& self, Plugin& other) { self.get()->element = other.get()->element; });
  cls.def_prop_rw(
      "name",
      [](Plugin& self) {
        snsPlugin* plugin = self.get();
        bool instance = self.offset == 0;
        const char* text = sns_getString(instance ? sns_getName(plugin->element) : plugin->name);
        return std::string(text ? text : "");
      },
      [](Plugin& self, const std::string& name) {
        sns_setString(self.get()->name, name.c_str());
        if (self.offset == 0) setName(self, name, true);
      });
}

static void bindFrame(nb::module_& module) {
  auto cls = withPlace(bindElement<snsFrame>(module, "MjsFrame"));
  bindAdders(cls);
  bindAttach<snsFrame, snsBody>(cls, "attach_body", "body");
}

void bindElements(nb::module_& module) {
  nb::class_<Element> base(module, "MjsElement", nb::is_weak_referenceable(),
                           nb::type_slots(attributeSlots()));
  ElementClass<snsOrientation> orientation(module, "MjsOrientation");
  bindFieldsOf<snsOrientation>(orientation);
  ElementClass<snsCompiler> compiler(module, "MjsCompiler");
  bindFieldsOf<snsCompiler>(compiler);
  ElementClass<snsDefault> def(module, "MjsDefault");
  bindFieldsOf<snsDefault>(def);
  def.def_prop_rw(
      "name",
      [](Handle<snsDefault>& self) { return std::string(sn_elemName((self.get(), self.elem))); },
      [](Handle<snsDefault>& self, const std::string& name) { setName(self, name, false); });
  bindBody(module);
  bindFrame(module);
  withPlace(withClass(bindElement<snsGeom>(module, "MjsGeom")));
  withPlace(withClass(bindElement<snsJoint>(module, "MjsJoint")));
  withPlace(withClass(bindElement<snsLight>(module, "MjsLight")));
  withPlace(withClass(bindElement<snsCamera>(module, "MjsCamera")));
  auto site = withPlace(withClass(bindElement<snsSite>(module, "MjsSite")));
  bindAttach<snsSite, snsBody>(site, "attach_body", "body");
  withClass(bindElement<snsMaterial>(module, "MjsMaterial"));
  withClass(bindElement<snsPair>(module, "MjsPair"));
  withClass(bindElement<snsEquality>(module, "MjsEquality"));
  bindElement<snsFlex>(module, "MjsFlex");
  bindElement<snsDeformable>(module, "MjsDeformable");
  bindElement<snsSkin>(module, "MjsSkin");
  bindElement<snsHField>(module, "MjsHField");
  bindElement<snsTexture>(module, "MjsTexture");
  bindElement<snsExclude>(module, "MjsExclude");
  bindElement<snsNumeric>(module, "MjsNumeric");
  bindElement<snsText>(module, "MjsText");
  bindElement<snsTuple>(module, "MjsTuple");
  bindElement<snsKey>(module, "MjsKey");
  auto sensor = bindElement<snsSensor>(module, "MjsSensor");
  sensor.def("get_data_size", [](Handle<snsSensor>& self) { return sns_sensorDim(self.get()); });
  bindMesh(module);
  bindActuator(module);
  bindTendon(module);
  bindPlugin(module);
}
