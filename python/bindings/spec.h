// Handles to the parts of an editable model.
//
// The memory of a spec is shared by the MjSpec object and the handles of all its elements, so that
// an element keeps its spec alive. An element that was deleted stays in memory, marked, until the
// spec goes: a handle to it raises, an array that views it shows its last values. There is one
// Python object per element while anyone holds it. When a model is attached by reference, handles
// of its elements become handles of the elements of the parent.
//
// What an element has is in tables generated from spec.h; one getter and one setter serve all
// fields.

#ifndef SINEW_PYTHON_SPEC_H_
#define SINEW_PYTHON_SPEC_H_

#include <stddef.h>

#include <iterator>
#include <map>
#include <memory>
#include <tuple>

#include "bindings.h"
#include "sinew/spec.h"
#include "spec/element.h"

enum class Kind {
  BYTE,
  INT,
  SIZE,
  DOUBLE,
  FLOAT,
  ENUM,
  STRING,
  INTS,
  DOUBLES,
  FLOATS,
  CHARS,
  STRINGVEC,
  BYTEVEC,
  INTVEC,
  FLOATVEC,
  DOUBLEVEC,
  INTVECVEC,
  FLOATVECVEC,
  ORIENTATION,
  PLUGIN,
  COMPILER,
  LROPT,
  OPTION,
  VISUAL,
  STATISTIC,
  DUMMY
};

struct Field {
  const char* name;
  size_t offset;
  Kind kind;
  int count;           // of fixed arrays
  const char* values;  // name of the enum or class
};

struct FieldTable {
  const Field* fields;
  size_t size;
  const Field* begin() const { return fields; }
  const Field* end() const { return fields + size; }
};

// Fields of a public struct, generated.
template <typename T>
FieldTable fieldsOf();

struct SpecMemory;
using Memory = std::shared_ptr<SpecMemory>;

// A place in a spec: the public struct of an element, or a struct inside of it.
struct Element {
  Memory memory;
  snElem* elem = nullptr;
  size_t offset = 0;
  const void* type = nullptr;  // which class of handle

  virtual ~Element();
  // The struct; ValueError when the element was deleted.
  char* object() const;
  snsElement* head() const;
};

template <typename T>
struct Handle : Element {
  T* get() const { return (T*)object(); }
};

struct SpecMemory {
  using Key = std::tuple<const snElem*, size_t, const void*>;
  snSpec* spec;
  uint64_t structure = 0;  // hash of what was compiled last
  std::vector<Memory> parents;
  std::map<Key, PyObject*> handles;  // borrowed

  explicit SpecMemory(snSpec* s) : spec(s) { sn_keepDeleted(s); }
  SpecMemory(const SpecMemory&) = delete;
  ~SpecMemory() { sn_deleteSpec(spec); }
};

struct Spec : Element {
  nb::dict assets;
  bool override_assets = true;
  nb::object parent = nb::none();
  bool by_reference = false;  // attached to its parent without a copy
  snSpec* get() const { return memory->spec; }
};

template <typename T>
const void* classTag() {
  static const char tag = 0;
  return &tag;
}

// Python object of a place, the one that is held already or a new one.
template <typename T>
nb::object wrapPlace(const Memory& memory, snElem* elem, size_t offset) {
  auto key = SpecMemory::Key(elem, offset, classTag<T>());
  auto found = memory->handles.find(key);
  if (found != memory->handles.end()) return nb::borrow(found->second);
  auto* handle = new Handle<T>;
  handle->memory = memory;
  handle->elem = elem;
  handle->offset = offset;
  handle->type = classTag<T>();
  nb::object object = nb::cast(handle, nb::rv_policy::take_ownership);
  memory->handles[key] = object.ptr();
  return object;
}

// Python object of an element of any type; None for NULL.
nb::object wrapElement(const Memory& memory, const snsElement* element);
// Whether an element is still there, in this spec or in one that it was attached to.
bool isThere(const Memory& memory, const snsElement* element);
// An object that keeps the memory of a spec alive.
nb::object keeper(const Memory& memory);

// Value of a field, and its assignment as a property.
nb::object getField(const Element& element, const Field& field);
void setField(const Element& element, const Field& field, nb::handle value);
// TypeError unless the value can be given to an adder; assignment by an adder.
void checkKeyword(const Field& field, nb::handle value);
void setKeyword(const Element& element, const Field& field, nb::handle value);
const Field* findField(FieldTable table, const std::string& name);

// Set fields of a new element, and name it. Names of fields must have been checked.
void checkKeywords(FieldTable table, const nb::kwargs& keywords, const char* function);
void applyKeywords(const Element& element, FieldTable table, const nb::kwargs& keywords);

void setName(const Element& element, const std::string& name, bool unique);
uint64_t signatureOf(const Element& element);
// ValueError with the message of the spec.
[[noreturn]] void raiseError(const Element& element);

// Property for a plain struct inside of an element: the object of the element keeps it alive.
template <typename S, typename C>
void bindInner(C& cls, const Field& field) {
  const Field* f = &field;
  using Owner = typename C::Type;
  cls.def_prop_rw(
      field.name, [f](Owner& self) { return (S*)(self.object() + f->offset); },
      [f](Owner& self, nb::handle value) { setField(self, *f, value); },
      nb::for_getter(nb::rv_policy::reference_internal));
}

template <typename C>
void bindField(C& cls, const Field& field) {
  using Owner = typename C::Type;
  if (field.kind == Kind::LROPT) return bindInner<snLROpt>(cls, field);
  if (field.kind == Kind::OPTION) return bindInner<snOption>(cls, field);
  if (field.kind == Kind::VISUAL) return bindInner<snVisual>(cls, field);
  if (field.kind == Kind::STATISTIC) return bindInner<snStatistic>(cls, field);
  const Field* f = &field;
  cls.def_prop_rw(
      field.name, [f](Owner& self) { return getField(self, *f); },
      [f](Owner& self, nb::handle value) { setField(self, *f, value); },
      nb::for_setter(nb::arg("value").none()));
}

template <typename T>
using ElementClass = nb::class_<Handle<T>, Element>;

template <typename T>
void bindFieldsOf(ElementClass<T>& cls) {
  for (const Field& field : fieldsOf<T>()) bindField(cls, field);
}

void bindVectors(nb::module_& module);
void bindElements(nb::module_& module);
void bindSpec(nb::module_& module);
void bindSim(nb::module_& module);
// An Mj*Vec that refers to a field.
nb::object wrapVector(const Element& element, const Field& field);

#endif  // SINEW_PYTHON_SPEC_H_
