// Attributes of elements, by the rows of the schema.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "mjcf/writer.h"

static int loadInt(const void* source, snAttrStore store) {
  SN_ASSERT(store == snSTORE_BYTE || store == snSTORE_DOUBLE || store == snSTORE_FLOAT ||
            store == snSTORE_INT || store == snSTORE_LONG);
  switch (store) {
    case snSTORE_BYTE: return *(const snByte*)source;
    case snSTORE_DOUBLE: return (int)*(const double*)source;
    case snSTORE_FLOAT: return (int)*(const float*)source;
    default: return *(const int*)source;
  }
}

static void writeKeyword(snWriter* w, const snAttr* attr, const void* value, const void* reference,
                         int always) {
  int mine = loadInt(value, attr->store);
  if (mine == loadInt(reference, attr->store) && !always) return;
  if (attr->type == snATTR_KEYWORDS) {
    sn_writeWords(w, attr->name, attr->keywords, mine, 0);
    return;
  }
  const char* name = sn_keywordName(attr->keywords, mine);
  if (name) sn_writeText(w, attr->name, name);
}

static void writeFlag(snWriter* w, const snAttr* attr, const int* value, const int* reference) {
  SN_ASSERT(attr->bit && attr->keywords);
  if ((*value & attr->bit) == (*reference & attr->bit)) return;
  int set = (*value & attr->bit) != 0;
  sn_writeText(w, attr->name, attr->keywords[attr->store == snSTORE_ENABLE ? set : !set].name);
}

static double real(const snAttr* attr, const void* values, int i) {
  SN_ASSERT_INDEX(i, attr->count);
  SN_ASSERT(attr->store == snSTORE_FLOAT || attr->store == snSTORE_DOUBLE);
  return attr->store == snSTORE_FLOAT ? (double)((const float*)values)[i]
                                      : ((const double*)values)[i];
}

// beyond rounding of the type
static int differs(const snWriter* w, const snAttr* attr, double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) != isnan(b);
  if (w->source) return a != b;
  return a != b && fabs(a - b) > (attr->store == snSTORE_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON);
}

static void writeReals(snWriter* w, const snAttr* attr, const void* value, const void* reference,
                       int always, int trim) {
  int last = 0;  // entries up to the last one that differs
  for (int i = 0; i < attr->count; i++) {
    if (differs(w, attr, real(attr, value, i), real(attr, reference, i))) last = i + 1;
  }
  if ((!last && !always) || (isnan(real(attr, value, 0)) && !w->source)) return;
  int count = trim && last ? last : attr->count;
  if (attr->store == snSTORE_FLOAT) {
    sn_writeFloats(w, attr->name, (const float*)value, count);
  } else {
    sn_writeDoubles(w, attr->name, (const double*)value, count);
  }
}

// a number of bytes with the largest suffix that leaves nothing over
static void writeBytes(snWriter* w, const snAttr* attr, snSize value) {
  static const char suffix[] = " KMGTPE";
  char text[32];
  int power = 0;
  while (value > 0 && value % 1024 == 0 && suffix[power + 1]) {
    value /= 1024;
    power++;
  }
  snprintf(text, sizeof(text), power ? "%lld%c" : "%lld", (long long)value, suffix[power]);
  sn_writeText(w, attr->name, text);
}

static void writeIntegers(snWriter* w, const snAttr* attr, const void* value, const void* reference,
                          int always) {
  SN_ASSERT(attr->store == snSTORE_LONG || attr->store == snSTORE_INT);
  SN_ASSERT(attr->count > 0);
  if (attr->store == snSTORE_LONG) {
    snSize mine = *(const snSize*)value;
    if (mine == *(const snSize*)reference) return;
    if (attr->type == snATTR_BYTES) {
      writeBytes(w, attr, mine);
    } else {
      char number[32];
      snprintf(number, sizeof(number), "%lld", (long long)mine);
      sn_writeText(w, attr->name, number);
    }
  } else if (always || memcmp(value, reference, (size_t)attr->count * sizeof(int))) {
    sn_writeInts(w, attr->name, (const int*)value, attr->count);
  }
}

static snBoxKind boxKind(snAttrStore store) {
  switch (store) {
    case snSTORE_DOUBLEVEC: return snBOX_DOUBLE;
    case snSTORE_FLOATVEC: return snBOX_FLOAT;
    case snSTORE_INTVEC: return snBOX_INT;
    case snSTORE_STRINGVEC: return snBOX_STRINGVEC;
    default: return snBOX_STRING;
  }
}

static void writeVector(snWriter* w, const snAttr* attr, const snBox* value,
                        const snBox* reference) {
  snBoxKind kind = boxKind(attr->store);
  SN_ASSERT(value && reference);
  if (!value->size || sn_boxEqual(value, reference, kind)) return;
  switch (kind) {
    case snBOX_STRING: sn_writeText(w, attr->name, sns_getString((const snString*)value)); return;
    case snBOX_STRINGVEC: {
      snString words = {0};
      const snStringVec* vec = (const snStringVec*)value;
      for (int i = 0; i < vec->size; i++) {
        if (i) sn_stringAppend(&words, " ", 1);
        sn_stringAppend(&words, sns_getString(vec->data + i), vec->data[i].size);
      }
      sn_writeText(w, attr->name, sns_getString(&words));
      sn_boxFree((snBox*)&words, snBOX_STRING);
      return;
    }
    case snBOX_DOUBLE:
      sn_writeNumbers(w, attr->name, (const double*)value->data, value->size);
      return;
    case snBOX_FLOAT: sn_writeData(w, attr->name, (const float*)value->data, value->size); return;
    default: sn_writeInts(w, attr->name, (const int*)value->data, value->size); return;
  }
}

static void writeAttribute(snWriter* w, const snAttr* attr, const void* value,
                           const void* reference, int always, int trim) {
  switch (attr->store) {
    case snSTORE_NONE:
    case snSTORE_ORIENTATION: return;
    case snSTORE_ENABLE:
    case snSTORE_DISABLE: writeFlag(w, attr, (const int*)value, (const int*)reference); return;
    case snSTORE_STRING:
    case snSTORE_STRINGVEC:
    case snSTORE_DOUBLEVEC:
    case snSTORE_FLOATVEC:
    case snSTORE_INTVEC:
      writeVector(w, attr, *(snBox* const*)value, *(snBox* const*)reference);
      return;
    default: break;
  }
  if (attr->keywords) {
    writeKeyword(w, attr, value, reference, always);
  } else if (attr->store == snSTORE_DOUBLE || attr->store == snSTORE_FLOAT) {
    writeReals(w, attr, value, reference, always, trim);
  } else {
    writeIntegers(w, attr, value, reference, always);
  }
}

static const snAttr* findAttribute(const snAttr* const* groups, const char* name, size_t length) {
  for (; *groups; groups++) {
    for (const snAttr* attr = *groups; attr->name; attr++) {
      if (!strncmp(attr->name, name, length) && !attr->name[length]) return attr;
    }
  }
  return NULL;
}

void sn_writeList(snWriter* w, const snAttr* const* groups, const char* names, const void* object,
                  const void* reference) {
  while (*names) {
    size_t length = strcspn(names, " *!");
    const snAttr* attr = findAttribute(groups, names, length);
    SN_ASSERT(length > 0);
    int always = names[length] == '!', trim = names[length] == '*';
    names += length + (always || trim);
    names += *names == ' ';
    if (!attr) continue;
    writeAttribute(w, attr, (const char*)object + attr->offset,
                   (const char*)reference + attr->offset, always, trim);
  }
}

void sn_writeAll(snWriter* w, const snAttr* group, const void* object, const void* reference) {
  for (const snAttr* attr = group; attr->name; attr++) {
    writeAttribute(w, attr, (const char*)object + attr->offset,
                   (const char*)reference + attr->offset, 0, 0);
  }
}

static size_t itemSize(snAttrStore store) {
  switch (store) {
    case snSTORE_DOUBLE: return sizeof(double);
    case snSTORE_FLOAT: return sizeof(float);
    case snSTORE_BYTE: return sizeof(snByte);
    case snSTORE_LONG: return sizeof(snSize);
    default: return sizeof(int);
  }
}

int sn_sameAttributes(const snAttr* group, const void* object, const void* other) {
  for (const snAttr* attr = group; attr->name; attr++) {
    const void* mine = (const char*)object + attr->offset;
    const void* theirs = (const char*)other + attr->offset;
    if (attr->store == snSTORE_NONE || attr->store == snSTORE_ORIENTATION) continue;
    if (sn_isContainer(attr->store)) {
      if (!sn_boxEqual(*(snBox* const*)mine, *(snBox* const*)theirs, boxKind(attr->store))) {
        return 0;
      }
    } else if (memcmp(mine, theirs, (size_t)attr->count * itemSize(attr->store))) {
      return 0;
    }
  }
  return 1;
}

// numbers of a class (no reference) are written whether or not it inherits them
void sn_writeUser(snWriter* w, const snDoubleVec* user, const snDoubleVec* reference, int size) {
  if (size <= 0) return;
  double* values = (double*)snu_malloc((size_t)size * sizeof(double));
  if (!values) {
    w->failed = 1;
    return;
  }
  int different = 0;
  for (int i = 0; i < size; i++) {
    values[i] = i < user->size ? user->data[i] : 0;
    different |= values[i] != (reference && i < reference->size ? reference->data[i] : 0);
  }
  if (different) sn_writeDoubles(w, "user", values, size);
  snu_free(values);
}

const void* sn_writeReference(snWriter* w, const snElem* e) {
  snElem* dummy = sn_classDummy(e->def ? e->def : w->base, e->head.elemtype);
  return dummy ? dummy->object : NULL;
}

void sn_writeClass(snWriter* w, const snElem* e, const snElem* around) {
  const snElem* main = sn_specData(w->spec)->main;
  if (!e->def || e->def == around) return;
  if (e->def == main && (!w->source || !around)) return;
  sn_writeText(w, "class", sn_elemName(e->def));
}

void sn_writeIdentity(snWriter* w, const snElem* e, const snElem* around) {
  sn_writeName(w, "name", &e->name);
  sn_writeClass(w, e, around);
}
