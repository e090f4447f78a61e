// Lists of MuJoCo's own fields on the classes, by which libraries go through models and options: MjModel._sizes.

#include "bindings.h"

static void nameModel(nb::object cls) {
  nb::list names;
#define X(name, rule, meaning) names.append(#name);
  SN_MUJOCO_MODEL_SIZES(X)
#undef X
  cls.attr("_size_fields") = nb::tuple(names);
#define X(type, name, rows, columns, stage, rule, meaning) names.append(#name);
  SN_MUJOCO_MODEL_FIELDS(X)
#undef X
  cls.attr("_all_fields") = nb::tuple(names);
}

// numbers first, then arrays of fixed size, then those of the table
static void nameData(nb::object cls) {
  nb::list names, fixed;
#define X(type, name, meaning) names.append(#name);
#define A(type, name, count, meaning) fixed.append(#name);
  SN_MUJOCO_DATA_SCALARS(X, A)
#undef A
#undef X
  names.append("threadpool");
  names.attr("extend")(fixed);
#define X(type, name, rows, columns, stage, meaning) names.append(#name);
  SN_MUJOCO_DATA_FIELDS(X)
#undef X
  cls.attr("_all_fields") = nb::tuple(names);
}

static void nameOption(nb::object cls) {
  nb::list reals, vectors, integers;
#define R(name) reals.append(#name);
#define V(name, count) vectors.append(#name);
#define I(name, rule) integers.append(#name);
  SN_OPTION_FIELDS(R, V, I)
#undef R
#undef V
#undef I
  cls.attr("_float_fields") = nb::tuple(reals);
  cls.attr("_floatarray_fields") = nb::tuple(vectors);
  cls.attr("_int_fields") = nb::tuple(integers);
  cls.attr("_all_fields") = nb::tuple(reals) + nb::tuple(vectors) + nb::tuple(integers);
}

// the sizes of a model as integers of 64 bits, in the order of _size_fields
static nb::object sizesOf(nb::handle model) {
  snModel* m = nb::cast<Model&>(model).m;
  nb::list sizes;
#define X(name, rule, meaning) sizes.append((int64_t)m->name);
  SN_MUJOCO_MODEL_SIZES(X)
#undef X
  nb::object array = nb::module_::import_("numpy").attr("array")(sizes, "i8");
  array.attr("setflags")(nb::arg("write") = false);
  return array;
}

void bindFieldNames(nb::module_& module) {
  nb::object model = module.attr("MjModel");
  nameModel(model);
  nameData(module.attr("MjData"));
  nameOption(module.attr("MjOption"));
  model.attr("_sizes") =
      nb::module_::import_("builtins").attr("property")(nb::cpp_function(&sizesOf));
}
