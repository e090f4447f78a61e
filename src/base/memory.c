#include "base/memory.h"

#include <stdlib.h>

#include "sinew/sinew.h"

static snAllocate user_allocate;
static snRelease user_release;

void sn_setAllocator(snAllocate allocate, snRelease release) {
  user_allocate = allocate;
  user_release = release;
}

void* snu_malloc(size_t size) {
  if (user_allocate) return user_allocate(size);
  if (size > SIZE_MAX - 63) return NULL;
  return aligned_alloc(64, (size + 63) & ~(size_t)63);
}

void snu_free(void* ptr) {
  if (user_release) {
    user_release(ptr);
  } else {
    free(ptr);
  }
}
