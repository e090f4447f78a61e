// Rows of the table of attributes. Storage and number of values follow from the type of the field.

#ifndef SINEW_MJCF_SCHEMA_ATTR_H_
#define SINEW_MJCF_SCHEMA_ATTR_H_

#include <stddef.h>

#include "mjcf/schema.h"
#include "mjcf/schema_maps.h"

// clang-format off
#define FIELD(T, field) (((T*)0)->field)

#define STORE(T, field)                                                                         \
  _Generic(FIELD(T, field), double: snSTORE_DOUBLE, double*: snSTORE_DOUBLE, float: snSTORE_FLOAT, \
           float*: snSTORE_FLOAT, snByte: snSTORE_BYTE, snSize: snSTORE_LONG,                      \
           snString*: snSTORE_STRING, snStringVec*: snSTORE_STRINGVEC,                          \
           snDoubleVec*: snSTORE_DOUBLEVEC, snFloatVec*: snSTORE_FLOATVEC,                      \
           snIntVec*: snSTORE_INTVEC, default: snSTORE_INT)

#define ITEM(T, field)                                                                    \
  (_Generic(FIELD(T, field), double*: sizeof(double), float*: sizeof(float), int*: sizeof(int), \
            default: sizeof(FIELD(T, field))))
#define COUNT(T, field) ((int)(sizeof(FIELD(T, field)) / (ITEM(T, field))))

#define TYPE(T, field)                                                                            \
  _Generic(FIELD(T, field), double: snATTR_REAL, double*: snATTR_REAL, float: snATTR_REAL,        \
           float*: snATTR_REAL, snDoubleVec*: snATTR_REAL, snFloatVec*: snATTR_REAL,              \
           snStringVec*: snATTR_TEXTS, snString*: snATTR_TEXT, default: snATTR_INT)

#define ROW(T, name, type, count, flags, map, field) \
  {name, type, count, flags, map, STORE(T, field), (int)offsetof(T, field), 0}

// exactly as many numbers as the field has; at most as many; exactly n, at most n
#define NUM(T, name, field) ROW(T, name, TYPE(T, field), COUNT(T, field), 0, NULL, field)
#define UPTO(T, name, field) \
  ROW(T, name, TYPE(T, field), COUNT(T, field), snATTR_UPTO, NULL, field)
#define UPTO_N(T, name, field, n) ROW(T, name, TYPE(T, field), n, snATTR_UPTO, NULL, field)
// any number of numbers or words
#define VEC(T, name, field) ROW(T, name, TYPE(T, field), 0, 0, NULL, field)
#define VEC_NEEDED(T, name, field) ROW(T, name, TYPE(T, field), 0, snATTR_REQUIRED, NULL, field)
#define NUM_NEEDED(T, name, field) \
  ROW(T, name, TYPE(T, field), COUNT(T, field), snATTR_REQUIRED, NULL, field)
#define QUAT(T, name, field) ROW(T, name, snATTR_QUAT, 4, 0, NULL, field)
#define KEY(T, name, field, map) ROW(T, name, snATTR_KEYWORD, 1, 0, map, field)
#define KEYS(T, name, field, map) ROW(T, name, snATTR_KEYWORDS, 0, 0, map, field)
#define TEXT(T, name, field) ROW(T, name, snATTR_TEXT, 1, 0, NULL, field)
#define TEXT_NEEDED(T, name, field) ROW(T, name, snATTR_TEXT, 1, snATTR_REQUIRED, NULL, field)
#define FILENAME(T, name, field) ROW(T, name, snATTR_FILE, 1, 0, NULL, field)

// the four forms of orientation beside quat
#define ORI(T, field)                                                                         \
  {"axisangle", snATTR_REAL, 4, 0, NULL, snSTORE_ORIENTATION, (int)offsetof(T, field),        \
   snORIENTATION_AXISANGLE},                                                                  \
      {"xyaxes", snATTR_REAL, 6, 0, NULL, snSTORE_ORIENTATION, (int)offsetof(T, field),       \
       snORIENTATION_XYAXES},                                                                 \
      {"zaxis", snATTR_REAL, 3, 0, NULL, snSTORE_ORIENTATION, (int)offsetof(T, field),        \
       snORIENTATION_ZAXIS},                                                                  \
  {                                                                                           \
    "euler", snATTR_REAL, 3, 0, NULL, snSTORE_ORIENTATION, (int)offsetof(T, field),           \
        snORIENTATION_EULER                                                                   \
  }

// read by code
#define OWN(name, type, count, flags, map) {name, type, count, flags, map, snSTORE_NONE, 0, 0}
#define OWN_TEXT(name) OWN(name, snATTR_TEXT, 1, 0, NULL)
#define OWN_TEXT_NEEDED(name) OWN(name, snATTR_TEXT, 1, snATTR_REQUIRED, NULL)
#define OWN_NUM(name, count) OWN(name, snATTR_REAL, count, 0, NULL)
#define OWN_KEY(name, map) OWN(name, snATTR_KEYWORD, 1, 0, map)

#define ENDROW {NULL, snATTR_TEXT, 0, 0, NULL, snSTORE_NONE, 0, 0}
// clang-format on

#endif  // SINEW_MJCF_SCHEMA_ATTR_H_
