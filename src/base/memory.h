// Heap allocation through the user's hooks.

#ifndef SINEW_BASE_MEMORY_H_
#define SINEW_BASE_MEMORY_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

typedef void* (*snAllocate)(size_t bytes);
typedef void (*snRelease)(void* memory);

// Replace the allocator; NULL restores the default (64-byte aligned).
SN_API void sn_setAllocator(snAllocate allocate, snRelease release);

// Zeroed memory of which only the touched pages are really taken; NULL on failure.
void* sn_reserve(size_t bytes);
void sn_unreserve(void* memory, size_t bytes);

SN_EXTERN_C_END

#endif  // SINEW_BASE_MEMORY_H_
