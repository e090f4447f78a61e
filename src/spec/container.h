// Strings and vectors of the editable model.
//
// All of them share one layout {data, size, capacity}; a zeroed struct is a valid empty container.
// The characters of a string are followed by a zero that does not count. When memory runs out a
// container keeps what it had and the call reports failure.

#ifndef SINEW_SPEC_CONTAINER_H_
#define SINEW_SPEC_CONTAINER_H_

#include "sinew/spec.h"

SN_EXTERN_C_BEGIN

struct snString_ {
  char* data;  // NULL when nothing was ever assigned: read through sns_getString
  int size;
  int capacity;
};

struct snByteVec_ {
  snByte* data;
  int size;
  int capacity;
};

struct snIntVec_ {
  int* data;
  int size;
  int capacity;
};

struct snFloatVec_ {
  float* data;
  int size;
  int capacity;
};

struct snDoubleVec_ {
  double* data;
  int size;
  int capacity;
};

struct snStringVec_ {
  snString* data;
  int size;
  int capacity;
};

struct snIntVecVec_ {
  snIntVec* data;
  int size;
  int capacity;
};

struct snFloatVecVec_ {
  snFloatVec* data;
  int size;
  int capacity;
};

// any of the above
typedef struct snBox_ {
  void* data;
  int size;
  int capacity;
} snBox;

typedef enum snBoxKind_ {
  snBOX_STRING,
  snBOX_BYTE,
  snBOX_INT,
  snBOX_FLOAT,
  snBOX_DOUBLE,
  snBOX_STRINGVEC,
  snBOX_INTVECVEC,
  snBOX_FLOATVECVEC
} snBoxKind;

// Deep copy; 0 when memory ran out.
int sn_boxCopy(snBox* dest, const snBox* source, snBoxKind kind);
// Free the contents; the container is empty afterwards.
void sn_boxFree(snBox* box, snBoxKind kind);
// Make room for count more items; 0 when memory ran out or the size is not representable.
int sn_boxReserve(snBox* box, snBoxKind kind, int count);
// Whether two containers hold the same.
int sn_boxEqual(const snBox* a, const snBox* b, snBoxKind kind);

// Append a formatted or plain text.
int sn_stringAppend(snString* dest, const char* text, int length);
// prefix + text + suffix; NULL parts are empty.
int sn_stringJoin(snString* dest, const char* prefix, const char* text, const char* suffix);
// Whether the text is empty, and whether two texts are equal (NULL strings are empty).
int sn_stringEmpty(const snString* text);
int sn_stringIs(const snString* text, const char* other);
// Duplicate of a text on the heap (free with snu_free); NULL when memory ran out.
char* sn_duplicate(const char* text);

SN_EXTERN_C_END

#endif  // SINEW_SPEC_CONTAINER_H_
