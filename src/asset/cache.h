// The asset cache: compiled assets by all that they were compiled from.
//
// A key is the full input of the compilation (contents of files, arrays, attributes), compared byte
// for byte, so a hit is what compiling again would give: the cache saves time and cannot change a
// model. Values are shared and never change; a holder keeps its value alive when the cache drops
// it. Least recently used entries go first when the cache is over its capacity. Safe to use from
// threads.

#ifndef SINEW_ASSET_CACHE_H_
#define SINEW_ASSET_CACHE_H_

#include "asset/work.h"

SN_EXTERN_C_BEGIN

enum { snCACHE_PARTS = 16 };

typedef struct snCacheKey_ {
  snBytes parts[snCACHE_PARTS];
  int npart;
} snCacheKey;

typedef struct snCacheEntry_ snCacheEntry;

// Add a part to a key; the bytes must stay while the key is used. Parts differ by their sizes too.
void sn_cacheKeyAdd(snCacheKey* key, const void* data, size_t size);

// Entry for a key, held for the caller; NULL when there is none.
snCacheEntry* sn_cacheFind(const snCacheKey* key);

// Put a value of some bytes into the cache and hold it for the caller; release destroys it when
// nobody holds it. NULL when it does not fit: the caller then keeps the value.
snCacheEntry* sn_cacheStore(const snCacheKey* key, void* value, size_t bytes,
                            void (*release)(void* value));

void* sn_cacheValue(const snCacheEntry* entry);

// Let go of an entry; NULL is fine.
void sn_cacheDrop(snCacheEntry* entry);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_CACHE_H_
