// MjModel: every size and array of the table as a property.

#include "bindings.h"
#include "model/binary.h"
#include "model/memory.h"

#define SN_M(size) self.m->size

static Model* makeModel(const nb::dict& sizes) {
  snModel header;
  memset(&header, 0, sizeof(header));
#define X(name, meaning) \
  if (sizes.contains(#name)) header.name = nb::cast<snSize>(sizes[#name]);
  SN_MODEL_SIZES(X)
#undef X
  snModel* m = sn_allocModel(&header);
  if (!m) throw std::invalid_argument("impossible model sizes");
  Model* model = new Model;
  model->m = m;
  return model;
}

template <typename T, size_t n>
static nb::object fixedView(T (&array)[n], nb::handle owner) {
  return view(array, n, 1, owner);
}

void bindModel(nb::module_& module) {
#define SCALAR(name) .def_rw(#name, &Struct::name)
#define ARRAY(name)                                                                       \
  .def_prop_rw(                                                                           \
      #name, [](nb::handle h) { return fixedView(nb::cast<Struct&>(h).name, h); },        \
      [](nb::handle h, nb::object v) { assign(fixedView(nb::cast<Struct&>(h).name, h), v); })
  {
    using Struct = snOption;
    nb::class_<snOption>(module, "MjOption") SCALAR(timestep) SCALAR(impratio) SCALAR(tolerance)
        SCALAR(ls_tolerance) SCALAR(noslip_tolerance) SCALAR(ccd_tolerance) SCALAR(sleep_tolerance)
            ARRAY(gravity) ARRAY(wind) ARRAY(magnetic) SCALAR(density) SCALAR(viscosity)
                SCALAR(o_margin) ARRAY(o_solref) ARRAY(o_solimp) ARRAY(o_friction)
                    SCALAR(integrator) SCALAR(cone) SCALAR(jacobian) SCALAR(solver)
                        SCALAR(iterations) SCALAR(ls_iterations) SCALAR(noslip_iterations)
                            SCALAR(ccd_iterations) SCALAR(disableflags) SCALAR(enableflags)
                                SCALAR(disableactuator) SCALAR(sdf_initpoints)
                                    SCALAR(sdf_iterations);
  }
  {
    using Struct = snStatistic;
    nb::class_<snStatistic>(module, "MjStatistic") SCALAR(meaninertia) SCALAR(meanmass)
        SCALAR(meansize) SCALAR(extent) ARRAY(center);
  }

  nb::class_<Model> cls(module, "MjModel");
  cls.def_static("_make", &makeModel);
  cls.def_static("from_xml_path", &loadPath, nb::arg("filename"), nb::arg("assets") = nb::none());
  cls.def_static("from_xml_string", &loadString, nb::arg("xml"), nb::arg("assets") = nb::none());
  cls.def("_validate", [](Model& self) {
    char reason[200];
    const char* problem = sn_validateModel(self.m, reason, sizeof(reason));
    return std::string(problem ? problem : "");
  });
  cls.def_prop_ro("opt", [](Model& self) { return &self.m->opt; }, nb::rv_policy::reference_internal);
  cls.def_prop_ro("stat", [](Model& self) { return &self.m->stat; }, nb::rv_policy::reference_internal);
  cls.def_prop_rw(
      "signature", [](Model& self) { return self.m->signature; },
      [](Model& self, uint64_t v) { self.m->signature = v; });
#define X(name, meaning) cls.def_prop_ro(#name, [](Model& self) { return self.m->name; });
  SN_MODEL_SIZES(X)
#undef X
#define X(type, name, rows, columns, stage, meaning)                                      \
  cls.def_prop_rw(                                                                        \
      #name,                                                                              \
      [](nb::handle h) {                                                                  \
        Model& self = nb::cast<Model&>(h);                                                \
        return view(self.m->name, self.m->rows, columns, h);                              \
      },                                                                                  \
      [](nb::handle h, nb::object v) {                                                    \
        Model& self = nb::cast<Model&>(h);                                                \
        assign(view(self.m->name, self.m->rows, columns, h), v);                          \
      });
  SN_MODEL_FIELDS(X)
#undef X

  nb::list sizes, fields;
#define X(name, meaning) sizes.append(#name);
  SN_MODEL_SIZES(X)
#undef X
#define X(type, name, rows, columns, stage, meaning) fields.append(#name);
  SN_MODEL_FIELDS(X)
#undef X
  module.attr("MODEL_SIZES") = sizes;
  module.attr("MODEL_FIELDS") = fields;
}
