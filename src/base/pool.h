// A pool: many allocations, one release.
//
// Loading code makes many arrays whose sizes come from files and may fail at any point. Everything
// that one task allocates comes from its pool, and one call frees it all, so no error path can
// leak. A pool refuses to grow beyond its limit: a small broken file cannot ask for all memory.

#ifndef SINEW_BASE_POOL_H_
#define SINEW_BASE_POOL_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

typedef struct snPoolBlock_ snPoolBlock;

// A zeroed pool is valid and empty.
typedef struct snPool_ {
  snPoolBlock* blocks;  // newest first
  size_t bytes;         // taken from the heap so far
  size_t limit;         // most bytes to take; 0: the default of 16 GiB
} snPool;

// Take a zeroed array of count elements; NULL when memory is short or the limit is reached. A count
// of 0 gives a valid pointer.
void* sn_poolTake(snPool* pool, size_t count, size_t size);

// Free everything that was taken; the pool is empty and valid afterwards.
void sn_poolRelease(snPool* pool);

// Typed form: int* x = SN_TAKE(pool, int, n);
#define SN_TAKE(pool, type, n) ((type*)sn_poolTake(pool, (size_t)(n), sizeof(type)))

SN_EXTERN_C_END

#endif  // SINEW_BASE_POOL_H_
