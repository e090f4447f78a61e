// Counts the calls of the C heap, from whatever thread: programs with this header are linked with
// --wrap for each of the functions below (see tests/CMakeLists.txt).

#ifndef SINEW_TESTS_HEAP_H_
#define SINEW_TESTS_HEAP_H_

#include <stdatomic.h>
#include <stddef.h>

static atomic_int allocations;

void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_realloc(void* memory, size_t bytes);
int __real_posix_memalign(void** memory, size_t alignment, size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);

void* __wrap_malloc(size_t bytes) {
  allocations++;
  return __real_malloc(bytes);
}

void* __wrap_calloc(size_t count, size_t bytes) {
  allocations++;
  return __real_calloc(count, bytes);
}

void* __wrap_realloc(void* memory, size_t bytes) {
  allocations++;
  return __real_realloc(memory, bytes);
}

int __wrap_posix_memalign(void** memory, size_t alignment, size_t bytes) {
  allocations++;
  return __real_posix_memalign(memory, alignment, bytes);
}

void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  allocations++;
  return __real_aligned_alloc(alignment, bytes);
}

#endif  // SINEW_TESTS_HEAP_H_
