#pragma once
#include <stddef.h>

// memcpy and memset are built in
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
