#include "base/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

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

void* sn_reserve(size_t bytes) {
  void* memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void sn_unreserve(void* memory, size_t bytes) {
  if (memory) munmap(memory, bytes);
}
