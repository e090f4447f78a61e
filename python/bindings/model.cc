// MjModel: every size and array of the table as a property.

#include "arrays.h"
#include "model/binary.h"
#include "model/flex_lists.h"
#include "model/hull_starts.h"
#include "model/memory.h"
#include "sinew/sim.h"
#include "structs.h"

#define SN_M(size) self.m->size

static Model* makeModel(const nb::dict& sizes) {
  snModel header;
  memset(&header, 0, sizeof(header));
#define X(name, rule, meaning) \
  if (sizes.contains(#name)) header.name = nb::cast<snSize>(sizes[#name]);
  SN_MODEL_SIZES(X)
#undef X
  snModel* m = sn_allocModel(&header);
  if (!m) throw nb::value_error("impossible model sizes");
  sn_defaultVisual(&m->vis);
  return new Model(m);
}

static std::string validate(Model& self) {
  char reason[200];
  const char* problem = sn_validateModel(self.m, reason, sizeof(reason));
  return problem ? problem : "";
}

// ---- bytes ----

static nb::bytes saveBytes(Model& self) {
  std::vector<char> image((size_t)sn_sizeModel(self.m));
  sn_saveModel(self.m, nullptr, image.data(), (int)image.size());
  return nb::bytes(image.data(), image.size());
}

static Model* loadBytes(nb::bytes image) {
  char error[300] = "";
  snModel* m = sn_readModel(image.c_str(), image.size(), error, sizeof(error));
  if (!m) throw nb::value_error((std::string("Invalid serialized mjModel. ") + error).c_str());
  return new Model(m);
}

static Model* copyModel(Model& self) { return new Model(sn_copyModel(nullptr, self.m)); }

static void bindCopies(nb::class_<Model>& cls) {
  cls.def("__copy__", &copyModel);
  cls.def(
      "__deepcopy__", [](Model& self, nb::handle) { return copyModel(self); }, nb::arg("memo"));
  cls.def("_to_bytes", &saveBytes);
}

// ---- fields ----

// place of each field among the cached views
enum {
#define X(type, name, rows, columns, stage, rule, meaning) FIELD_##name,
  SN_MODEL_FIELDS(X)
#undef X
};

// characters are read-only bytes, all else are views
static nb::object fieldObject(Model& self, size_t index, char* p, snSize rows, snSize columns,
                              bool matrix) {
  if (index == FIELD_plugin_attr) {
    return cachedView(self, index, (signed char*)p, rows, columns, matrix);
  }
  // a snapshot, taken once
  if (self.views.size() <= index) self.views.resize(index + 1);
  if (!self.views[index].is_valid()) self.views[index] = nb::bytes(p, (size_t)(rows * columns));
  return self.views[index];
}
template <typename T>
static nb::object fieldObject(Model& self, size_t index, T* p, snSize rows, snSize columns,
                              bool matrix) {
  return cachedView(self, index, p, rows, columns, matrix);
}

static void bindFields(nb::class_<Model>& cls) {
#define X(name, rule, meaning) \
  cls.def_prop_ro(             \
      #name, [](Model& self) { return self.m->name; }, meaning);
  SN_MODEL_SIZES(X)
#undef X
#define X(type, name, rows, columns, stage, rule, meaning)                              \
  {                                                                                     \
    auto get = [](Model& self) {                                                        \
      return fieldObject(self, FIELD_##name, self.m->name, self.m->rows, columns,       \
                         IS_MATRIX(columns));                                           \
    };                                                                                  \
    auto set = [get](Model& self, nb::object value) { assign(get(self), value); };      \
    cls.def_prop_rw(#name, get, set, meaning, nb::for_setter(nb::arg("value").none())); \
  }
  SN_MODEL_FIELDS(X)
#undef X
}

// ---- hinges: copies of what stands in flex_bending, because writing into them would have no effect

static size_t countHinges(Model& self) {
  return (size_t)sn_flexHinges(self.m, nullptr, nullptr, nullptr);
}

// an array of its own, filled by fill(its numbers)
template <typename T, typename Fill>
static nb::object readOnly(size_t ndim, const size_t* shape, Fill fill) {
  nb::object array = numpyArray(nullptr, numpyType<T>(), true, ndim, shape, {});
  fill(nb::cast<Out<T>>(array).data);
  if (shape[0])
    array.attr("setflags")(nb::arg("write") =
                               false);  // code that writes into all arrays meets an empty one
  return array;
}

static nb::object hingeVertices(Model& self) {
  size_t shape[2] = {countHinges(self), 4};
  return readOnly<int>(2, shape, [&](int* vert) { sn_flexHinges(self.m, vert, nullptr, nullptr); });
}

static nb::object hingeAngles(Model& self) {
  size_t n = countHinges(self);
  return readOnly<snReal>(1, &n,
                          [&](snReal* angle) { sn_flexHinges(self.m, nullptr, angle, nullptr); });
}

static nb::object hingeEdges(Model& self) {
  size_t n = countHinges(self);
  return readOnly<int>(1, &n, [&](int* edge) { sn_flexHinges(self.m, nullptr, nullptr, edge); });
}

static void setHingeAngles(Model& self, In<snReal> angles) {
  size_t n = countHinges(self);
  if (angles.size != n && angles.size != 1) {
    throw nb::value_error(
        ("flexhinge_angle0 should have " + std::to_string(n) + " numbers").c_str());
  }
  std::vector<int> edge(n + 1);
  sn_flexHinges(self.m, nullptr, nullptr, edge.data());
  for (size_t i = 0; i < n; i++) {
    self.m->flex_bending[17 * (snSize)edge[i]] = angles.data[angles.size == 1 ? 0 : i];
  }
}

static void bindHinges(nb::class_<Model>& cls) {
  cls.def_prop_ro("flexhinge_vert", &hingeVertices,
                  "hinges of flexes: both ends of the edge, then the two vertices opposite");
  cls.def_prop_rw("flexhinge_angle0", &hingeAngles, &setHingeAngles,
                  "hinges of flexes: angle at rest; assign as a whole");
  cls.def_prop_ro("flexhinge_edge", &hingeEdges,
                  "hinges of flexes: edge, at whose row of flex_bending the coefficients stand");
}

// writable characters, for copies between engines
static nb::object characters(Model& self, const std::string& name) {
#define X(type, field, rows, columns, stage, rule, meaning)                       \
  if (name == #field && std::string(#type) == "char") {                           \
    return view((signed char*)self.m->field, self.m->rows, columns, self.memory); \
  }
  SN_MODEL_FIELDS(X)
#undef X
  return nb::none();
}

static void addTables(nb::module_& module) {
  nb::list sizes, fields, characters;
  nb::dict layout;  // name: size that counts the rows
  nb::dict rules;
#define X(name, rule, meaning) sizes.append(#name);
  SN_MODEL_SIZES(X)
#undef X
#define X(type, name, rows, columns, stage, rule, meaning) \
  fields.append(#name);                                    \
  layout[#name] = #rows;                                   \
  rules[#name] = #rule;                                    \
  if (std::string(#type) == "char") characters.append(#name);
  SN_MODEL_FIELDS(X)
#undef X
  module.attr("MODEL_SIZES") = sizes;
  module.attr("MODEL_FIELDS") = fields;
  module.attr("MODEL_LAYOUT") = layout;
  module.attr("MODEL_RULES") = rules;
  module.attr("MODEL_CHARACTERS") = characters;
}

void bindModel(nb::module_& module) {
  nb::class_<Model> cls(module, "MjModel", nb::is_weak_referenceable(),
                        nb::type_slots(attributeSlots()));
  cls.def("__init__", [](Model*, nb::args, nb::kwargs) {
    throw nb::type_error(
        "a model is made by MjModel.from_xml_path(file), from_xml_string(text), "
        "from_binary_path(file), or MjSpec.compile()");
  });
  cls.def_static("_make", &makeModel);
  cls.def("_validate", &validate);
  cls.def("_characters", &characters);
  cls.def("_set_lists", [](Model& self) {
    sn_setFlexLists(self.m);
    sn_setHullStarts(self.m);
  });
  cls.def_static("from_xml_path", &loadPath, nb::arg("filename"), nb::arg("assets") = nb::none(),
                 nb::arg("folders") = nb::none());
  cls.def_static("from_xml_string", &loadString, nb::arg("xml"), nb::arg("assets") = nb::none(),
                 nb::arg("folders") = nb::none());
  cls.def_static("from_binary_path", &loadBinary, nb::arg("filename"),
                 nb::arg("assets") = nb::none());
  cls.def_prop_ro(
      "opt", [](Model& self) { return &self.m->opt; }, nb::rv_policy::reference_internal);
  cls.def_prop_ro(
      "vis", [](Model& self) { return &self.m->vis; }, nb::rv_policy::reference_internal);
  cls.def_prop_ro(
      "stat", [](Model& self) { return &self.m->stat; }, nb::rv_policy::reference_internal);
  cls.def_prop_rw(
      "_accessors", [](Model& self) { return self.accessors; },
      [](Model& self, nb::object cache) { self.accessors = cache; });
  cls.def_prop_ro("_address", [](Model& self) { return (uintptr_t)self.m; });
  cls.def_prop_ro("signature", [](Model& self) { return self.m->signature; });
  module.def("_restore_model", &loadBytes);
  bindCopies(cls);
  bindFields(cls);
  bindHinges(cls);
  addTables(module);
}
