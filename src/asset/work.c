#include "asset/work.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

int sn_fail(snWork* work, const char* format, ...) {
  SN_ASSERT(work && format);
  if (work->error && work->error_sz > 0) {
    va_list args;
    va_start(args, format);
    vsnprintf(work->error, (size_t)work->error_sz, format, args);
    va_end(args);
  }
  return -1;
}

static void* take(snWork* work, snPool* pool, size_t count, size_t size) {
  void* memory = sn_poolTake(pool, count, size);
  if (!memory) sn_fail(work, "could not allocate memory");
  return memory;
}

void* sn_keep(snWork* work, size_t count, size_t size) {
  return take(work, work->keep, count, size);
}

void* sn_scratch(snWork* work, size_t count, size_t size) {
  return take(work, &work->scratch, count, size);
}

int sn_readInt(snBytes bytes, size_t offset) {
  SN_ASSERT(bytes.size >= 4 && offset <= bytes.size - 4);
  const unsigned char* p = bytes.data + offset;
  uint32_t bits =
      (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  int32_t value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

float sn_readFloat(snBytes bytes, size_t offset) {
  int32_t bits = sn_readInt(bytes, offset);
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}
