#pragma once
#include <stddef.h>

// The built-in memcpy and memset go byte by byte when a size is not known to the compiler. What the
// engine moves are words nearly always: these look at the alignment once and move whole words.
static inline void* sn_copyBytes(void* to, const void* from, size_t count) {
  size_t bits = (size_t)to | (size_t)from | count;
  if (!(bits & 7)) {
    for (size_t i = 0; i < count / 8; i++) ((long long*)to)[i] = ((const long long*)from)[i];
  } else if (!(bits & 3)) {
    for (size_t i = 0; i < count / 4; i++) ((int*)to)[i] = ((const int*)from)[i];
  } else {
    for (size_t i = 0; i < count; i++) ((char*)to)[i] = ((const char*)from)[i];
  }
  return to;
}

static inline void* sn_fillBytes(void* to, int value, size_t count) {
  size_t bits = (size_t)to | count;
  long long word = (value & 255) * 0x0101010101010101ll;
  if (!(bits & 7)) {
    for (size_t i = 0; i < count / 8; i++) ((long long*)to)[i] = word;
  } else if (!(bits & 3)) {
    for (size_t i = 0; i < count / 4; i++) ((int*)to)[i] = (int)word;
  } else {
    for (size_t i = 0; i < count; i++) ((char*)to)[i] = (char)value;
  }
  return to;
}

#define memcpy sn_copyBytes
#define memset sn_fillBytes

static inline size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

static inline int strcmp(const char* a, const char* b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}

static inline int memcmp(const void* a, const void* b, size_t count) {
  const unsigned char *x = (const unsigned char*)a, *y = (const unsigned char*)b;
  for (size_t i = 0; i < count; i++) {
    if (x[i] != y[i]) return x[i] - y[i];
  }
  return 0;
}

static inline void* memmove(void* to, const void* from, size_t count) {
  unsigned char* t = (unsigned char*)to;
  const unsigned char* f = (const unsigned char*)from;
  if (t < f) {
    for (size_t i = 0; i < count; i++) t[i] = f[i];
  } else {
    for (size_t i = count; i > 0; i--) t[i - 1] = f[i - 1];
  }
  return to;
}

static inline char* strcpy(char* to, const char* from) {
  size_t i = 0;
  do to[i] = from[i];
  while (from[i++]);
  return to;
}
