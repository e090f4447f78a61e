// Memory beside the heap, whose hooks are in sinew/handlers.h.

#ifndef SINEW_BASE_MEMORY_H_
#define SINEW_BASE_MEMORY_H_

#include "sinew/handlers.h"

SN_EXTERN_C_BEGIN

// Zeroed memory of which only the touched pages are really taken; NULL on failure.
void* sn_reserve(size_t bytes);
void sn_unreserve(void* memory, size_t bytes);

// A block that may be larger than what will be used of it: reserved where it is large and the program
// has no allocator of its own, else from the heap. reserved receives its size, or 0 from the heap.
void* sn_takeBlock(size_t bytes, size_t* reserved);
void sn_giveBlock(void* block, size_t reserved);

// Bytes that the machine, or the container that the process runs in, can still give without swapping;
// SIZE_MAX when that is not known.
size_t sn_availableMemory(void);

SN_EXTERN_C_END

#endif  // SINEW_BASE_MEMORY_H_
