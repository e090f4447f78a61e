// The asset cache of the public interface. Nothing is kept in it yet: compiling an asset depends on
// its bytes and attributes alone, so a cache can only save time, never change a model.

#include "sinew/sinew.h"

static snCache cache;
static size_t cache_capacity = 500 * (size_t)(1 << 20);

snCache* sn_getCache(void) { return &cache; }

size_t sn_getCacheSize(const snCache* handle) {
  (void)handle;
  return 0;
}

size_t sn_getCacheCapacity(const snCache* handle) { return handle ? cache_capacity : 0; }

size_t sn_setCacheCapacity(snCache* handle, size_t size) {
  if (!handle) return 0;
  cache_capacity = size;
  return cache_capacity;
}

void sn_clearCache(snCache* handle) { (void)handle; }
