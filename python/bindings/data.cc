// MjData: every scalar and array of the table as a property.

#include "engine/constrain/resize.h"
#include "guard.h"
#include "lists.h"
#include "model/memory.h"
#include "sinew/contactsolver.h"
#include "structs.h"

#define SN_M(size) self.model->m->size
#define SN_D(size) countOf(self, &snData::size)

// Without islands the inertia matrix by island has as many entries as the matrix has, as in MuJoCo.
static snSize countOf(const Data& self, int snData::*counter) {
  int count = self.d->*counter;
  return count || counter != &snData::niM ? count : self.model->m->nC;
}

void requireSameStructure(const Data& data, const Model& given) {
  const snModel *own = data.model->m, *other = given.m;
  // models from binary files have no signature
  bool same = data.d->signature == other->signature || !data.d->signature || !other->signature;
#define X(type, name, rows, columns, stage, meaning) same &= own->rows == other->rows;
  SN_DATA_FIELDS(X)
#undef X
  if (!same) throw FatalError("the data was made for another model");
}

static void initData(Data* self, nb::object model) {
  if (model.is_none()) throw nb::type_error("MjModel cannot be None");
  if (!nb::isinstance<Model>(model)) throw nb::type_error("MjData takes an MjModel");
  snData* d = sn_makeData(nb::cast<Model&>(model).m);
  if (!d) throw std::bad_alloc();
  new (self) Data(d, model);
}

// ---- scalars and arrays of fixed size ----

// place of each field among the cached views; those of fixed size come behind the table's
enum {
#define X(type, name, rows, columns, stage, meaning) FIELD_##name,
  SN_DATA_FIELDS(X)
#undef X
      FIELD_COUNT
};

static size_t nextFixed() {
  static size_t next = FIELD_COUNT;
  return next++;
}

template <typename T, size_t n>
static void bindFixed(nb::class_<Data>& cls, const char* name, T (snData::*member)[n]) {
  if constexpr (std::is_arithmetic_v<T>) {
    using Number =
        std::conditional_t<std::is_same_v<T, snSize>, uint64_t, T>;  // bytes count from zero
    auto get = [member, index = nextFixed()](Data& self) {
      return cachedView(self, index, (Number*)&(self.d->*member)[0], n, 1, false);
    };
    auto set = [get](Data& self, nb::object value) { assign(get(self), value); };
    cls.def_prop_rw(name, get, set, nb::for_setter(nb::arg("value").none()));
  }
}

// what describes memory is only read
static bool isMemory(const std::string& name) {
  static const char* const names[] = {"narena", "nbuffer",    "nplugin",    "pbase",
                                      "parena", "nlostframe", "threadpool", "signature"};
  for (const char* memory : names) {
    if (name == memory) return true;
  }
  return false;
}

void arenaFull(const Data& self) {
  std::string size = snu_writeNumBytes((size_t)self.d->narena);
  throw FatalError("Insufficient arena memory, currently allocated memory=\"" + size +
                   "\". Increase using <size memory=\"X\"/>.");
}

static bool isKindOfRows(const std::string& name) {
  return name == "ne" || name == "nf" || name == "nl";
}

// How far a counter may be raised whose room is there: the kinds of rows share the rows, lists of what is awake
// have room for all. -1: it counts what lies in the arena.
static snSize mostOf(const Data& self, const std::string& name, snSize now) {
  const snModel* m = self.model->m;
  const snData* d = self.d;
  if (isKindOfRows(name)) {
    snSize left = d->nefc - (d->ne + d->nf + d->nl - now);
    return left > 0 ? left : 0;
  }
  if (name == "ntree_awake") return m->ntree;
  if (name == "nbody_awake" || name == "nparent_awake") return m->nbody;
  return name == "nv_awake" ? m->nv : -1;
}

// Programs that drop contacts lower a counter; those that fill a data by hand raise one, then write to the arrays
// behind it.
static void setCounter(Data& self, const std::string& name, int* counter, int value) {
  snSize most = mostOf(self, name, *counter);
  // mjx.get_data keeps the active rows only, then counts a kind with all that there might be
  if (isKindOfRows(name) && value > most) value = (int)most;
  if (value < 0 || (most >= 0 && value > most)) {
    throw nb::value_error(
        (name + " counts what is there, and cannot be " + std::to_string(value)).c_str());
  }
  if (most >= 0 || value <= *counter) {
    *counter = value;
  } else if (!sn_raiseCount(self.model->m, self.d, counter, value)) {
    arenaFull(self);
  }
}

template <typename T>
static void bindScalar(nb::class_<Data>& cls, const char* name, T snData::*member,
                       const char* doc) {
  auto get = [member](Data& self) { return self.d->*member; };
  if (isMemory(name)) {
    cls.def_prop_ro(name, get, doc);
    return;
  }
  bool counter = name[0] == 'n', stack = !strcmp(name, "pstack");
  cls.def_prop_rw(
      name, get,
      [member, counter, stack, label = std::string(name)](Data& self, T value) {
        if (stack && !((snSize)value >= 0 && (snSize)value <= self.d->narena)) {
          throw nb::value_error("the stack lies in the arena");
        }
        if constexpr (std::is_same_v<T, int>) {
          if (counter) return setCounter(self, label, &(self.d->*member), value);
        }
        self.d->*member = value;
      },
      doc);
}

// ---- arrays ----

static void bindFields(nb::class_<Data>& cls) {
#define X(type, name, rows, columns, stage, meaning)                                    \
  {                                                                                     \
    auto get = [](Data& self) {                                                         \
      return cachedView(self, FIELD_##name, self.d->name, SN_M(rows), columns,          \
                        IS_MATRIX(columns));                                            \
    };                                                                                  \
    auto set = [get](Data& self, nb::object value) { assign(get(self), value); };       \
    cls.def_prop_rw(#name, get, set, meaning, nb::for_setter(nb::arg("value").none())); \
  }
  SN_DATA_FIELDS(X)
#undef X
}

// a block that was not built has its nominal shape and undefined contents
template <typename T>
static nb::object arenaView(Data& self, T* p, snSize rows, snSize columns) {
  if (!rows) p = nullptr;  // an empty array has no address of its own
  if (p || !rows) return view(p, p ? rows : 0, columns, self.memory);
  nb::module_ numpy = nb::module_::import_("numpy");
  nb::object shape =
      columns == 1 ? nb::object(nb::make_tuple(rows)) : nb::object(nb::make_tuple(rows, columns));
  return numpy.attr("zeros")(shape, std::is_same_v<T, int> ? "i4" : "f8");
}

static void bindArena(nb::class_<Data>& cls) {
#define ARENA_FIELD(name, rows, columns) \
  cls.def_prop_ro(#name, [](Data& self) { return arenaView(self, self.d->name, rows, columns); });
#define ARENA_int ARENA_FIELD
#define ARENA_real ARENA_FIELD
#define ARENA_contact(name, rows, columns)
#define X(type, name, rows, columns, stage, meaning) ARENA_##type(name, rows, columns)
  SN_DATA_ARENA(X)
#undef X
}

// ---- copies ----

static nb::object copyData(Data& self, nb::object model) {
  snData* d = sn_copyData(nullptr, nb::cast<Model&>(model).m, self.of(nb::cast<Model&>(model)));
  if (!d) throw std::bad_alloc();
  return nb::cast(new Data(d, model), nb::rv_policy::take_ownership);
}

// header, arrays, and the used part of the arena; pointers are rebuilt when it is read
static nb::bytes saveBytes(Data& self) {
  const snData* d = self.d;
  std::string image((const char*)d, sizeof(snData));
  image.append((const char*)d->buffer, (size_t)d->nbuffer);
  image.append((const char*)d->arena, d->parena);
  return nb::bytes(image.data(), image.size());
}

static nb::object loadBytes(nb::object model, nb::bytes image) {
  snModel* m = nb::cast<Model&>(model).m;
  snData* d = sn_makeData(m);
  if (!d) throw std::bad_alloc();
  std::vector<char> bytes(image.c_str(), image.c_str() + image.size());
  snData* source = (snData*)bytes.data();
  bool sound = bytes.size() >= sizeof(snData) && source->nbuffer == d->nbuffer &&
               source->narena == d->narena && source->parena <= (size_t)d->narena &&
               bytes.size() == sizeof(snData) + (size_t)d->nbuffer + source->parena;
  if (!sound) {
    sn_deleteData(d);
    throw nb::value_error("Invalid serialized mjData.");
  }
  // arena pointers keep their distance from the arena's start, wherever that was
  const char* old_arena = (const char*)source->arena;
  source->buffer = bytes.data() + sizeof(snData);
  source->arena = bytes.data() + sizeof(snData) + source->nbuffer;
#define X(type, name, rows, columns, stage, meaning)                                            \
  if (source->name) {                                                                           \
    source->name = (sn_type_##type*)((char*)source->arena + ((char*)source->name - old_arena)); \
  }
  SN_DATA_ARENA(X)
#undef X
  memset(&source->callback, 0, sizeof(source->callback));
  source->threadpool = 0;
  source->crew = nullptr;
  sn_moveData(d, m, source);
  return nb::cast(new Data(d, model), nb::rv_policy::take_ownership);
}

static void bindCopies(nb::class_<Data>& cls) {
  cls.def("__copy__", [](Data& self) { return copyData(self, self.model_ref); });
  cls.def(
      "__deepcopy__",
      [](Data& self, nb::handle memo) {
        nb::object model = nb::module_::import_("copy").attr("deepcopy")(self.model_ref, memo);
        return copyData(self, model);
      },
      nb::arg("memo"));
  cls.def("_to_bytes", &saveBytes);
}

// ---- contacts of another engine ----

static nb::object contactBytes(Data& self) {
  return view((snByte*)self.d->contact, self.d->ncon, sizeof(snContact), self.memory);
}

static void setContactBytes(Data& self, nb::bytes records) {
  const snContact* contact = (const snContact*)records.c_str();
  self.d->ncon = 0;
  for (size_t k = 0; k < records.size() / sizeof(snContact); k++) {
    if (sn_addContact(self.model->m, self.d, contact + k)) break;
  }
}

static void addTables(nb::module_& module) {
  nb::list fields, arena, stages;
  nb::dict layout;  // name: size that counts the rows
#define X(type, name, rows, columns, stage, meaning) \
  fields.append(#name);                              \
  layout[#name] = #rows;                             \
  stages.append(#stage);
  SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows, columns, stage, meaning) arena.append(#name);
  SN_DATA_ARENA(X)
#undef X
  module.attr("DATA_FIELDS") = fields;
  module.attr("DATA_LAYOUT") = layout;
  module.attr("DATA_STAGES") = stages;
  module.attr("DATA_ARENA") = arena;
}

void bindData(nb::module_& module) {
  nb::class_<Data> cls(module, "MjData", nb::is_weak_referenceable(),
                       nb::type_slots(attributeSlots()));
  cls.def("__init__", &initData, nb::arg("model").none());
  cls.def_prop_ro("model", [](Data& self) { return self.model_ref; });
  cls.def_prop_rw(
      "_accessors", [](Data& self) { return self.accessors; },
      [](Data& self, nb::object cache) { self.accessors = cache; });
  cls.def_prop_rw(
      "threads", [](Data& self) { return sn_threads(self.d); },
      [](Data& self, int count) {
        if (count < 0)
          throw nb::value_error("threads: a number of threads, 0 for one per processor");
        sn_setThreads(self.d, count);
      },
      "threads that share a step of this world; 0 takes one per processor. Results are the same "
      "bits.");
  cls.def_prop_ro("_address", [](Data& self) { return (uintptr_t)self.d; });
  cls.def_prop_ro("_contact_bytes", &contactBytes);
  cls.def("_set_contact_bytes", &setContactBytes);
  cls.def("_use_contact_solver", [](Data& self, bool table) {
    self.d->callback.contactsolver = table ? sn_builtinContactSolver() : nullptr;
  });
  cls.def(
      "set_contact_solver", &setContactSolver, nb::arg("solve").none(),
      nb::arg("prepare") = nb::none(),
      "Replace the constraint solver: solve(model, data) sets qacc, efc_force and qfrc_constraint "
      "from qacc_smooth; prepare(model, data) runs when the rows are built. None: the built-in "
      "ones.");
  cls.def_prop_ro("status", [](Data& self) { return self.d->status; });
#define X(ctype, name, meaning) bindScalar(cls, #name, &snData::name, meaning);
#define A(ctype, name, count, meaning) bindFixed(cls, #name, &snData::name);
  SN_DATA_SCALARS(X, A)
#undef A
#undef X
  bindFields(cls);
  bindArena(cls);
  bindLists(module, cls);
  module.def("_restore_data", &loadBytes);
  bindCopies(cls);
  addTables(module);
}
