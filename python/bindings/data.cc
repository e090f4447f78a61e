// MjData: every scalar and array of the table as a property.

#include "bindings.h"
#include "sinew/contactsolver.h"

#define SN_M(size) self.model->m->size
#define SN_D(size) self.d->size

template <typename T>
static void bindScalar(nb::class_<Data>& cls, const char* name, T snData::*member) {
  cls.def_prop_rw(
      name, [member](Data& self) { return self.d->*member; },
      [member](Data& self, T v) { self.d->*member = v; });
}

static void initData(Data* self, nb::object model) {
  Model& m = nb::cast<Model&>(model);
  snData* d = sn_makeData(m.m);
  if (!d) throw std::bad_alloc();
  new (self) Data;
  self->d = d;
  self->model = &m;
  self->model_ref = model;
}

// numeric members only; structs are bound one by one
static void bindMember(nb::class_<Data>& cls, const char* name, int snData::*p) { bindScalar(cls, name, p); }
static void bindMember(nb::class_<Data>& cls, const char* name, snSize snData::*p) { bindScalar(cls, name, p); }
static void bindMember(nb::class_<Data>& cls, const char* name, size_t snData::*p) { bindScalar(cls, name, p); }
static void bindMember(nb::class_<Data>& cls, const char* name, snReal snData::*p) { bindScalar(cls, name, p); }
static void bindMember(nb::class_<Data>& cls, const char* name, snByte snData::*p) { bindScalar(cls, name, p); }

template <typename T, size_t n>
static void bindFixed(nb::class_<Data>& cls, const char* name, T (snData::*member)[n]) {
  if constexpr (std::is_arithmetic_v<T>) {
    cls.def_prop_ro(name, [member](nb::handle h) {
      return view(&(nb::cast<Data&>(h).d->*member)[0], n, 1, h);
    });
  }
}

// contacts as a structured NumPy view: raw bytes, given their dtype in Python
static nb::object contactBytes(nb::handle h) {
  Data& self = nb::cast<Data&>(h);
  return view((snByte*)self.d->contact, self.d->ncon, sizeof(snContact), h);
}

// replace the contact list by raw records
static void setContactBytes(Data& self, nb::bytes records) {
  const snContact* contact = (const snContact*)records.c_str();
  self.d->ncon = 0;
  for (size_t k = 0; k < records.size() / sizeof(snContact); k++) {
    if (sn_addContact(self.model->m, self.d, contact + k)) break;
  }
}

void bindData(nb::module_& module) {
  nb::class_<Data> cls(module, "MjData");
  cls.def("__init__", [](Data* self, nb::object model) { initData(self, model); });
  cls.def_prop_ro("model", [](Data& self) { return self.model_ref; });
  cls.def_prop_ro("_contact_bytes", &contactBytes);
  cls.def("_set_contact_bytes", &setContactBytes);
  cls.def_prop_ro("status", [](Data& self) { return self.d->status; });
  cls.def_prop_ro("_warning_number", [](Data& self) {
    std::vector<int> counts;
    nb::list out;
    for (const snWarningStat& w : self.d->warning) out.append(w.number);
    return out;
  });
  cls.def("_use_contact_solver", [](Data& self, bool table) {
    self.d->callback.contactsolver = table ? sn_builtinContactSolver() : nullptr;
  });
  cls.def_prop_ro("_solver", [](Data& self) {
    nb::list out;
    for (const snSolverStat& s : self.d->solver) {
      out.append(nb::make_tuple(s.improvement, s.gradient, s.lineslope, s.nactive, s.nchange,
                                s.neval, s.nupdate));
    }
    return out;
  });
  cls.def_prop_ro("_timer", [](Data& self) {
    nb::list out;
    for (const snTimerStat& t : self.d->timer) out.append(nb::make_tuple(t.duration, t.number));
    return out;
  });

#define X(ctype, name, meaning) bindMember(cls, #name, &snData::name);
#define A(ctype, name, count, meaning) bindFixed(cls, #name, &snData::name);
  SN_DATA_SCALARS(X, A)
#undef A
#undef X

#define FIELD(name, n, columns)                                     \
  cls.def_prop_rw(                                                  \
      #name,                                                        \
      [](nb::handle h) {                                            \
        Data& self = nb::cast<Data&>(h);                            \
        return view(self.d->name, self.d->name ? n : 0, columns, h); \
      },                                                            \
      [](nb::handle h, nb::object v) {                              \
        Data& self = nb::cast<Data&>(h);                            \
        assign(view(self.d->name, self.d->name ? n : 0, columns, h), v); \
      });
#define X(type, name, rows, columns, stage, meaning) FIELD(name, SN_M(rows), columns)
  SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows, columns, stage, meaning) X_##type(name, rows, columns)
#define X_int FIELD
#define X_real FIELD
#define X_contact(name, rows, columns)
  SN_DATA_ARENA(X)
#undef X

  nb::list fields, arena, stages;
#define X(type, name, rows, columns, stage, meaning) \
  fields.append(#name);                              \
  stages.append(#stage);
  SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows, columns, stage, meaning) arena.append(#name);
  SN_DATA_ARENA(X)
#undef X
  module.attr("DATA_FIELDS") = fields;
  module.attr("DATA_STAGES") = stages;
  module.attr("DATA_ARENA") = arena;
}
