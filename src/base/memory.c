#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

void* sn_takeBlock(size_t bytes, size_t* reserved) {
  const size_t large = (size_t)1 << 26;
  *reserved = bytes >= large && !user_allocate ? bytes : 0;
  return *reserved ? sn_reserve(bytes) : snu_malloc(bytes);
}

void sn_giveBlock(void* block, size_t reserved) {
  if (reserved) {
    sn_unreserve(block, reserved);
  } else {
    snu_free(block);
  }
}

// ---- what there is

// a number in a file of the kernel, behind a word (NULL: the first); SIZE_MAX when there is none
static size_t readNumber(const char* path, const char* word, size_t unit) {
  char line[256];
  unsigned long long number;
  size_t found = SIZE_MAX;
  FILE* file = fopen(path, "r");
  while (file && found == SIZE_MAX && fgets(line, sizeof(line), file)) {
    size_t skip = word ? strlen(word) : 0;
    if (word && strncmp(line, word, skip) != 0) continue;
    if (sscanf(line + skip, "%llu", &number) == 1) found = (size_t)number * unit;
    if (!word) break;
  }
  if (file) fclose(file);
  return found;
}

size_t sn_availableMemory(void) {
  size_t machine = readNumber("/proc/meminfo", "MemAvailable:", 1024);
  size_t limit = readNumber("/sys/fs/cgroup/memory.max", NULL, 1);
  size_t used = readNumber("/sys/fs/cgroup/memory.current", NULL, 1);
  if (limit == SIZE_MAX || used == SIZE_MAX) return machine;
  size_t left = limit > used ? limit - used : 0;
  return left < machine ? left : machine;
}
