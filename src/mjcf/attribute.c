// Attributes: text to values, values to their places.

#include <math.h>
#include <string.h>

#include "asset/resource.h"
#include "base/assert.h"
#include "mjcf/hint.h"
#include "mjcf/number.h"
#include "mjcf/order.h"

static int numberFail(snReader* r, const snXmlNode* node, const char* name, snNumberStatus status,
                      int n, int upto) {
  if (sn_mjcfEarlierFault(r, node, name)) return 0;
  if (status != snNUMBER_RANGE) sn_hintNumbers(r, node, name, n, upto);
  switch (status) {
    case snNUMBER_BAD: return sn_mjcfFail(r, node, "bad format in attribute '%s'", name);
    case snNUMBER_RANGE: return sn_mjcfFail(r, node, "number is too large in attribute '%s'", name);
    case snNUMBER_MUCH: return sn_mjcfFail(r, node, "attribute '%s' has too much data", name);
    default: return 1;
  }
}

static int checkCount(snReader* r, const snXmlNode* node, const char* name, int count, int n,
                      int upto) {
  if (r->failed) return 0;
  if (count && count < n && !upto) {
    if (sn_mjcfEarlierFault(r, node, name)) return 0;
    sn_hintNumbers(r, node, name, n, upto);
    sn_mjcfFail(r, node, "attribute '%s' does not have enough data", name);
    return 0;
  }
  return count;
}

// Values are read into a copy first: an attribute that fails changes nothing.
#define READ(Name, type, next, limit)                                                             \
  int Name(snReader* r, const snXmlNode* node, const char* name, type* values, int n, int upto) { \
    const char* text = r->failed ? NULL : sn_xmlAttr(node, name);                                 \
    if (!text) return 0;                                                                          \
    type read[limit];                                                                             \
    int count = 0;                                                                                \
    snNumberStatus status;                                                                        \
    type value;                                                                                   \
    while ((status = next(&text, &value)) == snNUMBER_OK) {                                       \
      if (count == n || count == limit) {                                                         \
        status = snNUMBER_MUCH;                                                                   \
        break;                                                                                    \
      }                                                                                           \
      r->nan |= value != value;                                                                   \
      read[count++] = value;                                                                      \
    }                                                                                             \
    if (status != snNUMBER_END) return numberFail(r, node, name, status, n, upto);                \
    if (!checkCount(r, node, name, count, n, upto)) return 0;                                     \
    for (int i = 0; i < count; i++) values[i] = read[i];                                          \
    return count;                                                                                 \
  }

READ(sn_mjcfDoubles, double, sn_nextDouble, 512)
READ(sn_mjcfFloats, float, sn_nextFloat, 16)
READ(sn_mjcfInts, int, sn_nextInt, 64)

int sn_mjcfInt(snReader* r, const snXmlNode* node, const char* name, int* value) {
  const char* text = r->failed ? NULL : sn_xmlAttr(node, name);
  if (!text) return 0;
  int read;
  int status = sn_nextInt(&text, &read);
  int wrong = status != snNUMBER_OK || !sn_isBlank(text);
  if (wrong && sn_mjcfEarlierFault(r, node, name)) return 0;
  if (status != snNUMBER_OK) {
    return sn_mjcfFail(r, node, "problem reading attribute '%s'", name);
  }
  if (wrong) return sn_mjcfFail(r, node, "attribute '%s' has too much data", name);
  *value = read;
  return 1;
}

#define READ_VEC(Name, Vec, type, next, kind)                                   \
  int Name(snReader* r, const snXmlNode* node, const char* name, Vec* values) { \
    const char* text = r->failed ? NULL : sn_xmlAttr(node, name);               \
    if (!text || sn_isBlank(text)) return 0;                                    \
    Vec read = {0};                                                             \
    snNumberStatus status;                                                      \
    type value;                                                                 \
    while ((status = next(&text, &value)) == snNUMBER_OK) {                     \
      r->nan |= value != value;                                                 \
      if (!sn_boxReserve((snBox*)&read, kind, 1)) {                             \
        sn_mjcfFail(r, node, "out of memory");                                  \
        break;                                                                  \
      }                                                                         \
      read.data[read.size++] = value;                                           \
    }                                                                           \
    if (status != snNUMBER_END) {                                               \
      sn_boxFree((snBox*)&read, kind);                                          \
      return numberFail(r, node, name, status, 0, 0);                           \
    }                                                                           \
    sn_boxFree((snBox*)values, kind);                                           \
    *values = read;                                                             \
    return values->size;                                                        \
  }

READ_VEC(sn_mjcfDoubleVec, snDoubleVec, double, sn_nextDouble, snBOX_DOUBLE)
READ_VEC(sn_mjcfFloatVec, snFloatVec, float, sn_nextFloat, snBOX_FLOAT)
READ_VEC(sn_mjcfIntVec, snIntVec, int, sn_nextInt, snBOX_INT)

int sn_mjcfKeyword(snReader* r, const snXmlNode* node, const char* name, const snKeyword* map,
                   int* value) {
  const char* text = r->failed ? NULL : sn_xmlAttr(node, name);
  if (!text) return 0;
  if (!sn_keywordValue(map, text, value)) {
    if (sn_mjcfEarlierFault(r, node, name)) return 0;
    sn_hintKeyword(r, node, name, map, text);
    return sn_mjcfFail(r, node, "invalid keyword: '%s'", text);
  }
  return 1;
}

int sn_mjcfKeywords(snReader* r, const snXmlNode* node, const char* name, const snKeyword* map,
                    int* values, int n) {
  const char* text = r->failed ? NULL : sn_xmlAttr(node, name);
  int count = 0;
  while (text) {
    while (*text && strchr(" \t\n\r\v\f", *text)) text++;
    if (!*text) break;
    char word[64];
    size_t length = strcspn(text, " \t\n\r\v\f");
    size_t kept = length < sizeof(word) ? length : sizeof(word) - 1;
    memcpy(word, text, kept);
    word[kept] = 0;
    int value;
    if (length >= sizeof(word) || !sn_keywordValue(map, word, &value)) {
      if (sn_mjcfEarlierFault(r, node, name)) return 0;
      sn_hintKeyword(r, node, name, map, word);
      return sn_mjcfFail(r, node, "invalid keyword: '%s'", word);
    }
    for (int i = 0; i < count; i++) {
      if (values[i] == value) {
        return sn_mjcfFail(r, node, "duplicate keyword: '%s' in attribute '%s'", word, name);
      }
    }
    if (count < n) values[count++] = value;
    text += length;
  }
  return count;
}

const char* sn_mjcfNeeded(snReader* r, const snXmlNode* node, const char* name) {
  const char* text = sn_xmlAttr(node, name);
  if (!text) {
    sn_hintVersion(r, node, name);
    sn_mjcfFail(r, node, "required attribute missing: '%s'", name);
  }
  return text ? text : "";
}

int sn_mjcfOrientations(const snXmlNode* node) {
  static const char* const names[] = {"axisangle", "xyaxes", "zaxis", "euler"};
  int count = sn_xmlAttr(node, "quat") != NULL;
  for (int i = 0; i < 4; i++) {
    const char* text = sn_xmlAttr(node, names[i]);
    count += text && !sn_isBlank(text);
  }
  return count;
}

int sn_mjcfOneOrientation(snReader* r, const snXmlNode* node) {
  int count = sn_mjcfOrientations(node);
  if (count < 2 || sn_mjcfEarlierFault(r, node, "|")) return !r->failed;
  return sn_mjcfFail(r, node, "multiple orientation specifiers are not allowed");
}

// ---- through the table ----

static int readOrientation(snReader* r, const snXmlNode* node, const snAttr* attr,
                           snsOrientation* alt) {
  double* values = attr->bit == snORIENTATION_AXISANGLE ? alt->axisangle
                   : attr->bit == snORIENTATION_XYAXES  ? alt->xyaxes
                   : attr->bit == snORIENTATION_ZAXIS   ? alt->zaxis
                                                        : alt->euler;
  int count = sn_mjcfDoubles(r, node, attr->name, values, attr->count, 0);
  if (count) alt->type = (snOrientation)attr->bit;
  return count;
}

static void storeInt(void* dest, snAttrStore store, int value) {
  SN_ASSERT(store == snSTORE_BYTE || store == snSTORE_INT || store == snSTORE_LONG ||
            store == snSTORE_DOUBLE || store == snSTORE_FLOAT);
  if (store == snSTORE_BYTE) *(snByte*)dest = (snByte)value;
  if (store == snSTORE_INT) *(int*)dest = value;
  if (store == snSTORE_LONG) *(snSize*)dest = value;
  if (store == snSTORE_DOUBLE) *(double*)dest = value;
  if (store == snSTORE_FLOAT) *(float*)dest = (float)value;
}

static int readFlag(snReader* r, const snXmlNode* node, const snAttr* attr, int* flags) {
  SN_ASSERT(attr->keywords && attr->bit);
  int value;
  if (!sn_mjcfKeyword(r, node, attr->name, attr->keywords, &value)) return 0;
  int set = attr->store == snSTORE_ENABLE ? value : !value;
  *flags = set ? *flags | attr->bit : *flags & ~attr->bit;
  return 1;
}

static int readMask(snReader* r, const snXmlNode* node, const snAttr* attr, void* dest) {
  SN_ASSERT(attr->keywords);
  int values[32];
  if (!sn_xmlAttr(node, attr->name)) return 0;
  int count = sn_mjcfKeywords(r, node, attr->name, attr->keywords, values, 32);
  int mask = 0;
  for (int i = 0; i < count; i++) mask |= values[i];
  if (!r->failed && count) storeInt(dest, attr->store, mask);
  return count;
}

void sn_mjcfCheckQuat(snReader* r, const snXmlNode* node, const char* name, const double quat[4]) {
  if (r->failed || quat[0] || quat[1] || quat[2] || quat[3]) return;
  if (!sn_mjcfEarlierFault(r, node, name)) sn_mjcfFail(r, node, "zero quaternion is not allowed");
}

void sn_mjcfCheckPositive(snReader* r, const snXmlNode* node, const char* name, int single,
                          const char* message) {
  float narrow = 1;
  double value = 1;
  if (single && sn_mjcfFloats(r, node, name, &narrow, 1, 0)) value = (double)narrow;
  if (!single) sn_mjcfDoubles(r, node, name, &value, 1, 0);
  if (r->failed || !(value <= 0)) return;
  if (!sn_mjcfEarlierFault(r, node, name)) sn_mjcfFail(r, node, "%s", message);
}

// unsigned integer with an optional suffix; "-1": automatic
static int readBytes(snReader* r, const snXmlNode* node, const snAttr* attr, snSize* dest) {
  SN_ASSERT(attr->store == snSTORE_LONG);
  const char* text = sn_xmlAttr(node, attr->name);
  static const char suffixes[] = "KMGTPE";
  while (*text && strchr(" \t\n\r\v\f", *text)) text++;
  if (!strncmp(text, "-1", 2) && sn_isBlank(text + 2)) {
    *dest = -1;
    return 1;
  }
  if (text[0] == '+') text++;
  uint64_t value = 0;
  const char* first = text;
  int ok = 1;
  for (; *text >= '0' && *text <= '9'; text++) {
    ok &= value <= (INT64_MAX - 9) / 10;
    if (ok) value = 10 * value + (uint64_t)(*text - '0');
  }
  ok &= text > first;
  const char* suffix = *text ? strchr(suffixes, *text & ~32) : NULL;
  if (suffix && *suffix) {
    int shift = 10 * (int)(suffix - suffixes + 1);
    ok &= value <= (uint64_t)INT64_MAX >> shift;
    if (ok) value <<= shift;
    text++;
  }
  if (!ok || !sn_isBlank(text)) {
    return sn_mjcfFail(r, node,
                       "unsigned integer with an optional suffix {K,M,G,T,P,E} is expected in "
                       "attribute '%s' (or the size specified is too big)",
                       attr->name);
  }
  *dest = (snSize)value;
  return 1;
}

static int readNumbers(snReader* r, const snXmlNode* node, const snAttr* attr, void* dest) {
  SN_ASSERT(attr->count > 0 || sn_isContainer(attr->store));
  int upto = attr->flags & snATTR_UPTO;
  switch (attr->store) {
    case snSTORE_DOUBLE:
      return sn_mjcfDoubles(r, node, attr->name, (double*)dest, attr->count, upto);
    case snSTORE_FLOAT: return sn_mjcfFloats(r, node, attr->name, (float*)dest, attr->count, upto);
    case snSTORE_DOUBLEVEC: return sn_mjcfDoubleVec(r, node, attr->name, *(snDoubleVec**)dest);
    case snSTORE_FLOATVEC: return sn_mjcfFloatVec(r, node, attr->name, *(snFloatVec**)dest);
    case snSTORE_INTVEC: return sn_mjcfIntVec(r, node, attr->name, *(snIntVec**)dest);
    default: break;
  }
  if (attr->count > 1) return sn_mjcfInts(r, node, attr->name, (int*)dest, attr->count, upto);
  int value = 0;
  int count = sn_mjcfInt(r, node, attr->name, &value);
  if (count) storeInt(dest, attr->store, value);
  return count;
}

const char* sn_mjcfPath(snReader* r, const char* text) {
  size_t size = strlen(text) + 1;
  char* path = SN_TAKE(&r->pool, char, size);
  return path && sn_pathReduce(text, path, size) ? path : text;
}

// returns whether there was a value
static int readAttribute(snReader* r, const snXmlNode* node, const snAttr* attr, const char* text,
                         void* base) {
  void* dest = (char*)base + attr->offset;
  int value = 0;
  int count;
  if (attr->store == snSTORE_ORIENTATION) {
    return readOrientation(r, node, attr, (snsOrientation*)dest);
  }
  if (attr->store == snSTORE_ENABLE || attr->store == snSTORE_DISABLE) {
    return readFlag(r, node, attr, (int*)dest);
  }
  switch (attr->type) {
    case snATTR_KEYWORD:
      count = sn_mjcfKeyword(r, node, attr->name, attr->keywords, &value);
      if (count) storeInt(dest, attr->store, value);
      return count;
    case snATTR_KEYWORDS: return readMask(r, node, attr, dest);
    case snATTR_TEXT: sns_setString(*(snString**)dest, text); return 1;
    case snATTR_FILE: sns_setString(*(snString**)dest, sn_mjcfPath(r, text)); return 1;
    case snATTR_TEXTS:
      sns_setStringVec(*(snStringVec**)dest, text);
      return (*(snStringVec**)dest)->size;
    case snATTR_BYTES: return readBytes(r, node, attr, (snSize*)dest);
    case snATTR_QUAT:
      count = readNumbers(r, node, attr, dest);
      if (count) sn_mjcfCheckQuat(r, node, attr->name, (const double*)dest);
      return count;
    default: return readNumbers(r, node, attr, dest);
  }
}

int sn_mjcfGroup(snReader* r, const snXmlNode* node, const snAttr* group, void* base) {
  for (const snAttr* attr = group; attr->name && !r->failed; attr++) {
    if (attr->store == snSTORE_NONE) continue;
    const char* text = sn_xmlAttr(node, attr->name);
    int found = text && readAttribute(r, node, attr, text, base);
    if (!found && (attr->flags & snATTR_REQUIRED) && !r->failed) {
      sn_mjcfFail(r, node, "required attribute missing: '%s'", attr->name);
    }
  }
  return !r->failed;
}

int sn_mjcfContactGroup(snReader* r, const snXmlNode* node, const snAttr* group, void* base,
                        double* margin, const double* gap) {
  // what is inherited from a class was converted there
  int convert = r->outergap && (sn_xmlAttr(node, "margin") || sn_xmlAttr(node, "gap"));
  if (convert) *margin -= *gap;
  sn_mjcfGroup(r, node, group, base);
  if (convert) *margin += *gap;
  return !r->failed;
}
