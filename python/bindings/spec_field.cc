// Reading and writing one field of an element.

#include <nanobind/stl/vector.h>
#include <string.h>

#include <algorithm>
#include <unordered_map>

#include "base/suggest.h"
#include "spec.h"
#include "text.h"

namespace {

[[noreturn]] void wrongType(const Field& field, const char* expected, nb::handle value) {
  throw nb::type_error((std::string(field.name) + ": expected " + expected + ", got " +
                        nb::cast<std::string>(nb::str(value.type().attr("__name__"))))
                           .c_str());
}

// the text of a path where a file or a folder is named, other values as they are
nb::object plainText(const Field& field, nb::handle value) {
  bool file = strstr(field.name, "file") || strstr(field.name, "dir");
  if (!file || !nb::hasattr(value, "__fspath__")) return nb::borrow(value);
  return nb::steal(PyOS_FSPath(value.ptr()));
}

// ---- numbers from Python ----

bool toNumber(nb::handle value, double* number) {
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) return false;
  *number = PyFloat_AsDouble(value.ptr());
  if (*number != -1 || !PyErr_Occurred()) return true;
  PyErr_Clear();
  return false;
}

bool isSequence(nb::handle value) {
  return !PyUnicode_Check(value.ptr()) && !PyBytes_Check(value.ptr()) &&
         PySequence_Check(value.ptr());
}

template <typename T>
bool toVector(nb::handle value, std::vector<T>* out) {
  if (!isSequence(value)) return false;
  out->clear();
  for (nb::handle item : nb::list(value)) {
    if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, int> ||
                  std::is_same_v<T, snByte>) {
      T part;
      if (!nb::try_cast<T>(item, part)) return false;
      out->push_back(part);
    } else {
      double number;
      if (!toNumber(item, &number)) return false;
      out->push_back((T)number);
    }
  }
  return true;
}

template <typename T>
bool toNested(nb::handle value, std::vector<std::vector<T>>* out) {
  if (!isSequence(value)) return false;
  out->clear();
  for (nb::handle item : nb::list(value)) {
    out->emplace_back();
    if (!toVector(item, &out->back())) return false;
  }
  return true;
}

// characters: a string, a list of characters, an MjCharVec
bool toCharacters(nb::handle value, std::string* out) {
  if (PyUnicode_Check(value.ptr())) {
    *out = nb::cast<std::string>(value);
    return true;
  }
  std::vector<std::string> parts;
  if (!toVector(value, &parts)) return false;
  out->clear();
  for (const std::string& part : parts) {
    if (part.size() > 1)
      throw nb::value_error(
          "Expected a character, but multi-character string found: list elements must be single "
          "characters");
    *out += part;
  }
  return true;
}

// ---- reading ----

nb::object enumClass(const char* name) {
  static auto* classes = new std::unordered_map<std::string, nb::object>;
  nb::object& found = (*classes)[name];
  if (!found.is_valid()) found = nb::module_::import_("sinew._enums").attr(name);
  return found;
}

nb::object getEnum(const Field& field, int value) {
  try {
    return enumClass(field.values)(value);
  } catch (nb::python_error&) {
    return nb::int_(value);
  }
}

template <typename V>
nb::object getNested(const V* vectors) {
  nb::list outer;
  for (int i = 0; i < vectors->size; i++) {
    nb::list inner;
    for (int k = 0; k < vectors->data[i].size; k++) inner.append(vectors->data[i].data[k]);
    outer.append(inner);
  }
  return outer;
}

}  // namespace

nb::object keeper(const Memory& memory) {
  return nb::capsule(new Memory(memory), [](void* p) noexcept { delete (Memory*)p; });
}

nb::object getField(const Element& element, const Field& field) {
  char* p = element.object() + field.offset;
  switch (field.kind) {
    case Kind::BYTE: return nb::int_((int)*(snByte*)p);
    case Kind::INT: return nb::int_(*(int*)p);
    case Kind::SIZE: return nb::int_(*(snSize*)p);
    case Kind::DOUBLE: return nb::float_(*(double*)p);
    case Kind::FLOAT: return nb::float_(*(float*)p);
    case Kind::ENUM: return getEnum(field, *(int*)p);
    case Kind::STRING: {
      const char* text = sns_getString(*(snString**)p);
      return nb::str(text ? text : "");
    }
    case Kind::INTS: return view((int*)p, field.count, 1, keeper(element.memory));
    case Kind::DOUBLES: return view((double*)p, field.count, 1, keeper(element.memory));
    case Kind::FLOATS: return view((float*)p, field.count, 1, keeper(element.memory));
    case Kind::BYTEVEC: {
      const snByteVec* v = *(snByteVec**)p;
      return nb::bytes((const char*)v->data, (size_t)v->size);
    }
    case Kind::INTVECVEC: return getNested(*(snIntVecVec**)p);
    case Kind::FLOATVECVEC: return getNested(*(snFloatVecVec**)p);
    case Kind::ORIENTATION:
      return wrapPlace<snsOrientation>(element.memory, element.elem, element.offset + field.offset);
    case Kind::PLUGIN:
      return wrapPlace<snsPlugin>(element.memory, element.elem, element.offset + field.offset);
    case Kind::COMPILER:
      return wrapPlace<snsCompiler>(element.memory, element.elem, element.offset + field.offset);
    case Kind::DUMMY: return wrapElement(element.memory, **(snsElement***)p);
    default: return wrapVector(element, field);
  }
}

// ---- writing ----

namespace {

void setArray(const Field& field, nb::handle value, char* p) {
  nb::module_ numpy = nb::module_::import_("numpy");
  const char* code = field.kind == Kind::DOUBLES ? "f8" : field.kind == Kind::FLOATS ? "f4" : "i4";
  nb::object array;
  try {
    array = numpy.attr("ascontiguousarray")(value, numpy.attr("dtype")(code));
  } catch (nb::python_error&) {
    wrongType(field, "an array of numbers", value);
  }
  size_t ndim = nb::len(nb::getattr(value, "shape", nb::make_tuple(1)));
  if (nb::cast<int>(array.attr("size")) != field.count || ndim > 2 || !isSequence(value)) {
    wrongType(field, ("an array of size " + std::to_string(field.count)).c_str(), value);
  }
  nb::bytes bytes = nb::cast<nb::bytes>(array.attr("tobytes")());
  memcpy(p, bytes.c_str(), bytes.size());
}

template <typename T, typename Box>
void setVector(const Field& field, nb::handle value, Box* dest, void (*set)(Box*, const T*, int)) {
  std::vector<T> numbers;
  if (!toVector(value, &numbers)) wrongType(field, "a sequence of numbers", value);
  set(dest, numbers.data(), (int)numbers.size());
}

void setStrings(const Field& field, nb::handle value, snStringVec* dest, bool property) {
  std::vector<std::string> texts;
  if (!toVector(value, &texts)) wrongType(field, "a sequence of str", value);
  if (property && !strcmp(field.name, "textures") && texts.size() != snNTEXROLE) {
    throw nb::value_error(
        ("material.textures must have exactly 10 elements, got " + std::to_string(texts.size()) +
         ". Assign a list of 10 texture names (use empty strings '' for unused slots).")
            .c_str());
  }
  sns_setStringVec(dest, "");
  for (const std::string& text : texts) sns_appendString(dest, text.c_str());
}

template <typename T, typename Outer>
void setNested(const Field& field, nb::handle value, Outer* dest, snBoxKind kind,
               void (*append)(Outer*, const T*, int)) {
  std::vector<std::vector<T>> rows;
  if (!toNested(value, &rows)) wrongType(field, "a sequence of sequences", value);
  sn_boxFree((snBox*)dest, kind);
  for (const auto& row : rows) append(dest, row.data(), (int)row.size());
}

void setBytes(const Field& field, nb::handle value, snByteVec* dest, bool property) {
  std::vector<snByte> bytes;
  if (PyBytes_Check(value.ptr()) && property) {
    nb::bytes given = nb::borrow<nb::bytes>(value);
    sns_setBuffer(dest, given.c_str(), (int)given.size());
  } else if (!property && toVector(value, &bytes)) {
    sns_setBuffer(dest, bytes.data(), (int)bytes.size());
  } else {
    wrongType(field, "bytes", value);
  }
}

void setPlugin(const Field& field, nb::handle value, snsPlugin* dest) {
  if (!nb::isinstance<Handle<snsPlugin>>(value)) wrongType(field, "MjsPlugin", value);
  const snsPlugin* source = nb::cast<Handle<snsPlugin>&>(value).get();
  dest->element = source->element;
  dest->active = source->active;
  sns_setString(dest->name, sns_getString(source->name));
  sns_setString(dest->plugin_name, sns_getString(source->plugin_name));
  sns_setString(dest->info, sns_getString(source->info));
}

template <typename S>
void setStruct(const Field& field, nb::handle value, char* p) {
  if (!nb::isinstance<S>(value)) wrongType(field, "a struct of the same kind", value);
  *(S*)p = nb::cast<S&>(value);
}

long long integer(const Field& field, nb::handle value, long long low, long long high) {
  long long number;
  if (!readWhole(value.ptr(), &number) || number < low || number > high)
    wrongType(field, "an integer", value);
  return number;
}

double number(const Field& field, nb::handle value) {
  double x;
  if (!toNumber(value, &x)) wrongType(field, "a number", value);
  return x;
}

// kinds that properties and adders set in the same way
void setCommon(const Field& field, nb::handle value, char* p, bool property) {
  switch (field.kind) {
    case Kind::BYTE: *(snByte*)p = (snByte)integer(field, value, 0, 255); return;
    case Kind::INT:
    case Kind::ENUM: *(int*)p = (int)integer(field, value, INT32_MIN, INT32_MAX); return;
    case Kind::SIZE: *(snSize*)p = integer(field, value, INT64_MIN, INT64_MAX); return;
    case Kind::DOUBLE: *(double*)p = number(field, value); return;
    case Kind::FLOAT: *(float*)p = (float)number(field, value); return;
    case Kind::STRING: {
      nb::object text = plainText(field, value);
      if (!PyUnicode_Check(text.ptr())) wrongType(field, "str", value);
      sns_setString(*(snString**)p, nb::cast<std::string>(text).c_str());
      return;
    }
    case Kind::STRINGVEC: setStrings(field, value, *(snStringVec**)p, property); return;
    case Kind::BYTEVEC: setBytes(field, value, *(snByteVec**)p, property); return;
    case Kind::INTVEC: setVector<int>(field, value, *(snIntVec**)p, sns_setInt); return;
    case Kind::FLOATVEC: setVector<float>(field, value, *(snFloatVec**)p, sns_setFloat); return;
    case Kind::DOUBLEVEC: setVector<double>(field, value, *(snDoubleVec**)p, sns_setDouble); return;
    case Kind::INTVECVEC:
      setNested<int>(field, value, *(snIntVecVec**)p, snBOX_INTVECVEC, sns_appendIntVec);
      return;
    case Kind::FLOATVECVEC:
      setNested<float>(field, value, *(snFloatVecVec**)p, snBOX_FLOATVECVEC, sns_appendFloatVec);
      return;
    case Kind::PLUGIN: setPlugin(field, value, (snsPlugin*)p); return;
    default: wrongType(field, "another field", value);
  }
}

}  // namespace

void setField(const Element& element, const Field& field, nb::handle value) {
  char* p = element.object() + field.offset;
  std::string text;
  switch (field.kind) {
    case Kind::ENUM:
      if (!nb::isinstance(value, enumClass(field.values))) wrongType(field, field.values, value);
      setCommon(field, value, p, true);
      return;
    case Kind::INTS:
    case Kind::DOUBLES:
    case Kind::FLOATS: setArray(field, value, p); return;
    case Kind::CHARS:
      if (!toCharacters(value, &text)) wrongType(field, "characters", value);
      memcpy(p, text.data(), std::min(text.size(), (size_t)field.count));
      return;
    case Kind::ORIENTATION:
      if (!nb::isinstance<Handle<snsOrientation>>(value)) wrongType(field, "MjsOrientation", value);
      *(snsOrientation*)p = *nb::cast<Handle<snsOrientation>&>(value).get();
      return;
    case Kind::COMPILER: {
      if (!nb::isinstance<Handle<snsCompiler>>(value)) wrongType(field, "MjsCompiler", value);
      Element inner;
      inner.memory = element.memory;
      inner.elem = element.elem;
      inner.offset = element.offset + field.offset;
      for (const Field& part : fieldsOf<snsCompiler>()) {
        setField(inner, part, nb::getattr(value, part.name));
      }
      return;
    }
    case Kind::LROPT: setStruct<snLROpt>(field, value, p); return;
    case Kind::OPTION: setStruct<snOption>(field, value, p); return;
    case Kind::VISUAL: setStruct<snVisual>(field, value, p); return;
    case Kind::STATISTIC: setStruct<snStatistic>(field, value, p); return;
    case Kind::DUMMY: {
      snElem* dummy = sn_elem(**(snsElement***)p);
      const Element* other = nb::isinstance<Element>(value) ? &nb::cast<Element&>(value) : nullptr;
      if (!other || other->elem->head.elemtype != dummy->head.elemtype)
        wrongType(field, field.values, value);
      if (other->elem != dummy) sn_elemAssign(dummy, other->elem);
      return;
    }
    default: setCommon(field, value, p, true);
  }
}

// ---- keywords of adders ----

static const char* expectedFor(const Field& field) {
  switch (field.kind) {
    case Kind::ENUM: return field.values;
    case Kind::BYTE:
    case Kind::INT:
    case Kind::SIZE: return "an integer";
    case Kind::DOUBLE:
    case Kind::FLOAT: return "a number";
    case Kind::STRING:
    case Kind::CHARS: return "str";
    case Kind::STRINGVEC: return "a sequence of str";
    case Kind::INTVECVEC:
    case Kind::FLOATVECVEC: return "a sequence of sequences of numbers";
    case Kind::PLUGIN: return "MjsPlugin";
    case Kind::INTS:
    case Kind::DOUBLES:
    case Kind::FLOATS:
    case Kind::INTVEC:
    case Kind::FLOATVEC:
    case Kind::DOUBLEVEC:
    case Kind::BYTEVEC: return "a sequence of numbers";
    default: return "no keyword of this name";
  }
}

void checkKeyword(const Field& field, nb::handle value) {
  long long whole;
  double real;
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::string text;
  bool right = true;
  switch (field.kind) {
    case Kind::BYTE:
    case Kind::INT:
    case Kind::SIZE:
    case Kind::ENUM: right = readWhole(value.ptr(), &whole); break;
    case Kind::DOUBLE:
    case Kind::FLOAT: right = toNumber(value, &real); break;
    case Kind::STRING: right = PyUnicode_Check(plainText(field, value).ptr()); break;
    case Kind::INTS:
    case Kind::DOUBLES:
    case Kind::FLOATS:
    case Kind::INTVEC:
    case Kind::FLOATVEC:
    case Kind::DOUBLEVEC:
    case Kind::BYTEVEC: right = toVector(value, &numbers); break;
    case Kind::STRINGVEC: right = toVector(value, &texts); break;
    case Kind::CHARS: right = toCharacters(value, &text); break;
    case Kind::INTVECVEC:
    case Kind::FLOATVECVEC: right = isSequence(value); break;
    case Kind::PLUGIN: right = nb::isinstance<Handle<snsPlugin>>(value); break;
    default: right = false;
  }
  if (!right) wrongType(field, expectedFor(field), value);
}

static void keywordArray(const Field& field, nb::handle value, char* p) {
  std::vector<double> numbers;
  toVector(value, &numbers);
  bool is_size = !strcmp(field.name, "size") && field.count == 3;
  if (is_size && (numbers.empty() || numbers.size() > 3)) {
    throw nb::value_error("size should be a list/array of size 1, 2, or 3.");
  }
  if (!is_size && (int)numbers.size() != field.count) {
    throw nb::value_error((std::string(field.name) + " should be a list/array of size " +
                           std::to_string(field.count) + ".")
                              .c_str());
  }
  numbers.resize((size_t)field.count, 0);
  for (int i = 0; i < field.count; i++) {
    double x = numbers[(size_t)i];
    if (field.kind == Kind::DOUBLES) ((double*)p)[i] = x;
    if (field.kind == Kind::FLOATS) ((float*)p)[i] = (float)x;
    if (field.kind == Kind::INTS) ((int*)p)[i] = (int)x;
  }
}

void setKeyword(const Element& element, const Field& field, nb::handle value) {
  char* p = element.object() + field.offset;
  if (field.kind == Kind::INTS || field.kind == Kind::DOUBLES || field.kind == Kind::FLOATS) {
    keywordArray(field, value, p);
  } else if (field.kind == Kind::CHARS) {
    std::string text;
    toCharacters(value, &text);
    if ((int)text.size() != field.count) {
      throw nb::value_error((std::string(field.name) + " should have length " +
                             std::to_string(field.count) + ", got " + std::to_string(text.size()) +
                             ".")
                                .c_str());
    }
    memcpy(p, text.data(), text.size());
  } else {
    setCommon(field, value, p, false);
  }
}

const Field* findField(FieldTable table, const std::string& name) {
  for (const Field& field : table) {
    if (name == field.name) return &field;
  }
  return nullptr;
}

// orientation alternative that a keyword names: the struct's field and the alternative's
static bool findAlternative(FieldTable table, std::string name, const Field** place,
                            const Field** part) {
  *place = findField(table, "alt");
  *part = findField(fieldsOf<snsOrientation>(), name);
  if (!*part && name.size() > 1 && name[0] == 'i') {
    *place = findField(table, "ialt");
    *part = findField(fieldsOf<snsOrientation>(), name.substr(1));
  }
  return *place && *part && (*part)->kind == Kind::DOUBLES;
}

void checkKeywords(FieldTable table, const nb::kwargs& keywords, const char* function) {
  for (auto item : keywords) {
    std::string name = nb::cast<std::string>(item.first);
    if (name == "default" || item.second.is_none()) {
      // checked by the adder
      if (name == "default") continue;
    }
    const Field *place, *part;
    const Field* field = findField(table, name);
    if (!field && findAlternative(table, name, &place, &part)) field = part;
    bool known = field || name == "name";
    if (!known || (field && (field->kind == Kind::ORIENTATION))) {
      snSuggestion near = sn_suggestFor(name.c_str());
      for (const Field& each : table) sn_offer(&near, each.name);
      sn_offer(&near, "name");
      std::string hint = near.best ? std::string("; did you mean '") + near.best + "'?" : "";
      throw nb::type_error((std::string(function) +
                            "(): incompatible function arguments: unexpected keyword '" + name +
                            "'" + hint)
                               .c_str());
    }
    if (item.second.is_none()) continue;
    if (field) {
      checkKeyword(*field, item.second);
    } else if (!PyUnicode_Check(item.second.ptr())) {
      throw nb::type_error(
          (std::string(function) + "(): incompatible function arguments: name is not a str")
              .c_str());
    }
  }
}

static snOrientation orientationType(const std::string& name) {
  if (name == "axisangle") return snORIENTATION_AXISANGLE;
  if (name == "xyaxes") return snORIENTATION_XYAXES;
  if (name == "zaxis") return snORIENTATION_ZAXIS;
  return snORIENTATION_EULER;
}

void applyKeywords(const Element& element, FieldTable table, const nb::kwargs& keywords) {
  int alternatives[2] = {0, 0};
  for (auto item : keywords) {
    std::string name = nb::cast<std::string>(item.first);
    if (name == "default" || item.second.is_none()) continue;
    const Field *place, *part;
    if (name == "name") setName(element, nb::cast<std::string>(item.second), false);
    if (const Field* field = findField(table, name)) {
      setKeyword(element, *field, item.second);
    } else if (findAlternative(table, name, &place, &part)) {
      if (alternatives[place->name[0] == 'i']++) {
        throw nb::value_error(
            place->name[0] == 'i'
                ? "Only one of: iaxisangle, ixyaxes, izaxis, or ieuler can be set."
                : "Only one of: axisangle, xyaxes, zaxis, or euler can be set.");
      }
      auto* orientation = (snsOrientation*)(element.object() + place->offset);
      keywordArray(*part, item.second, (char*)orientation + part->offset);
      orientation->type = orientationType(part->name);
    }
  }
}
