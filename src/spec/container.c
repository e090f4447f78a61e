#include "spec/container.h"

#include <limits.h>
#include <string.h>

#include "base/assert.h"
#include "sinew/sinew.h"

static size_t itemSize(snBoxKind kind) {
  switch (kind) {
    case snBOX_STRING:
    case snBOX_BYTE: return 1;
    case snBOX_INT: return sizeof(int);
    case snBOX_FLOAT: return sizeof(float);
    case snBOX_DOUBLE: return sizeof(double);
    default: return sizeof(snBox);
  }
}

static int isNested(snBoxKind kind) {
  return kind == snBOX_STRINGVEC || kind == snBOX_INTVECVEC || kind == snBOX_FLOATVECVEC;
}

// kind of the items of a vector of containers
static snBoxKind innerKind(snBoxKind kind) {
  SN_ASSERT(isNested(kind));
  if (kind == snBOX_STRINGVEC) return snBOX_STRING;
  return kind == snBOX_INTVECVEC ? snBOX_INT : snBOX_FLOAT;
}

int sn_boxReserve(snBox* box, snBoxKind kind, int count) {
  SN_ASSERT(box->size >= 0 && box->capacity >= 0 && box->size <= box->capacity);
  int extra = kind == snBOX_STRING;  // the closing zero
  if (count < 0 || box->size > INT_MAX - extra - count) return 0;
  int need = box->size + count + extra;
  if (need <= box->capacity) return 1;
  int capacity = box->capacity > INT_MAX / 2 ? INT_MAX : 2 * box->capacity;
  if (capacity < need) capacity = need;
  void* data = snu_malloc((size_t)capacity * itemSize(kind));
  if (!data) return 0;
  if (box->size) memcpy(data, box->data, (size_t)box->size * itemSize(kind));
  if (extra) ((char*)data)[box->size] = 0;
  snu_free(box->data);
  box->data = data;
  box->capacity = capacity;
  return 1;
}

static void clear(snBox* box, snBoxKind kind) {
  if (isNested(kind)) {
    for (int i = 0; i < box->size; i++) sn_boxFree((snBox*)box->data + i, innerKind(kind));
  }
  box->size = 0;
  if (kind == snBOX_STRING && box->data) ((char*)box->data)[0] = 0;
}

void sn_boxFree(snBox* box, snBoxKind kind) {
  clear(box, kind);
  snu_free(box->data);
  memset(box, 0, sizeof(*box));
}

// replace the contents of a flat container; the source may lie inside of it
static int assign(snBox* box, snBoxKind kind, const void* data, int size) {
  if (!data || size < 0) size = 0;
  snBox fresh = {0};
  if (size + (kind == snBOX_STRING) > box->capacity) {
    if (!sn_boxReserve(&fresh, kind, size)) return 0;
  } else {
    fresh = *box;
  }
  if (size) memmove(fresh.data, data, (size_t)size * itemSize(kind));
  fresh.size = size;
  if (kind == snBOX_STRING && fresh.data) ((char*)fresh.data)[size] = 0;
  if (fresh.data != box->data) snu_free(box->data);
  *box = fresh;
  return 1;
}

int sn_boxCopy(snBox* dest, const snBox* source, snBoxKind kind) {
  if (dest == source) return 1;
  if (!isNested(kind)) return assign(dest, kind, source->data, source->size);
  clear(dest, kind);
  if (!source->size) return 1;
  if (!sn_boxReserve(dest, kind, source->size)) return 0;
  snBox* items = (snBox*)dest->data;
  const snBox* from = (const snBox*)source->data;
  memset(items, 0, (size_t)source->size * sizeof(snBox));
  dest->size = source->size;
  for (int i = 0; i < source->size; i++) {
    if (!sn_boxCopy(items + i, from + i, innerKind(kind))) return 0;
  }
  return 1;
}

int sn_boxEqual(const snBox* a, const snBox* b, snBoxKind kind) {
  if (a->size != b->size) return 0;
  if (!a->size) return 1;
  if (!isNested(kind)) return !memcmp(a->data, b->data, (size_t)a->size * itemSize(kind));
  for (int i = 0; i < a->size; i++) {
    if (!sn_boxEqual((snBox*)a->data + i, (snBox*)b->data + i, innerKind(kind))) return 0;
  }
  return 1;
}

// append one empty container to a vector of containers
static snBox* appendBox(snBox* box, snBoxKind kind) {
  SN_ASSERT(isNested(kind));
  if (!sn_boxReserve(box, kind, 1)) return NULL;
  snBox* item = (snBox*)box->data + box->size++;
  memset(item, 0, sizeof(*item));
  return item;
}

int sn_stringAppend(snString* dest, const char* text, int length) {
  SN_ASSERT(length >= 0 && text != dest->data);
  if (!sn_boxReserve((snBox*)dest, snBOX_STRING, length)) return 0;
  memcpy(dest->data + dest->size, text, (size_t)length);
  dest->size += length;
  dest->data[dest->size] = 0;
  return 1;
}

int sn_stringJoin(snString* dest, const char* prefix, const char* text, const char* suffix) {
  const char* parts[3] = {prefix, text, suffix};
  snString joined = {0};
  for (int i = 0; i < 3; i++) {
    if (parts[i] && !sn_stringAppend(&joined, parts[i], (int)strlen(parts[i]))) {
      sn_boxFree((snBox*)&joined, snBOX_STRING);
      return 0;
    }
  }
  sn_boxFree((snBox*)dest, snBOX_STRING);
  *dest = joined;
  return 1;
}

int sn_stringEmpty(const snString* text) { return !text || text->size == 0; }

int sn_stringIs(const snString* text, const char* other) {
  return !strcmp(sns_getString(text), other ? other : "");
}

char* sn_duplicate(const char* text) {
  size_t length = strlen(text) + 1;
  char* copy = (char*)snu_malloc(length);
  if (copy) memcpy(copy, text, length);
  return copy;
}

// ---- public setters and getters ----

void sns_setString(snString* dest, const char* text) {
  if (dest) assign((snBox*)dest, snBOX_STRING, text, text ? (int)strlen(text) : 0);
}

const char* sns_getString(const snString* source) {
  return source && source->data ? source->data : "";
}

void sns_setBuffer(snByteVec* dest, const void* array, int size) {
  if (dest) assign((snBox*)dest, snBOX_BYTE, array, size);
}

void sns_setInt(snIntVec* dest, const int* array, int size) {
  if (dest) assign((snBox*)dest, snBOX_INT, array, size);
}

void sns_setFloat(snFloatVec* dest, const float* array, int size) {
  if (dest) assign((snBox*)dest, snBOX_FLOAT, array, size);
}

void sns_setDouble(snDoubleVec* dest, const double* array, int size) {
  if (dest) assign((snBox*)dest, snBOX_DOUBLE, array, size);
}

const double* sns_getDouble(const snDoubleVec* source, int* size) {
  if (size) *size = source ? source->size : 0;
  return source ? source->data : NULL;
}

void sns_appendString(snStringVec* dest, const char* text) {
  if (!dest) return;
  snBox* item = appendBox((snBox*)dest, snBOX_STRINGVEC);
  if (item) sns_setString((snString*)item, text);
}

void sns_setStringVec(snStringVec* dest, const char* text) {
  if (!dest) return;
  clear((snBox*)dest, snBOX_STRINGVEC);
  const char* blank = " \t\r\n\v\f";
  while (text && *(text += strspn(text, blank))) {
    size_t length = strcspn(text, blank);
    snBox* item = appendBox((snBox*)dest, snBOX_STRINGVEC);
    if (!item) return;
    assign(item, snBOX_STRING, text, (int)length);
    text += length;
  }
}

snByte sns_setInStringVec(snStringVec* dest, int i, const char* text) {
  if (!dest || i < 0 || i >= dest->size) return 0;
  sns_setString(dest->data + i, text);
  return 1;
}

void sns_appendIntVec(snIntVecVec* dest, const int* array, int size) {
  if (!dest) return;
  snBox* item = appendBox((snBox*)dest, snBOX_INTVECVEC);
  if (item) assign(item, snBOX_INT, array, size);
}

void sns_appendFloatVec(snFloatVecVec* dest, const float* array, int size) {
  if (!dest) return;
  snBox* item = appendBox((snBox*)dest, snBOX_FLOATVECVEC);
  if (item) assign(item, snBOX_FLOAT, array, size);
}
