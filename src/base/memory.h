// Memory beside the heap, whose hooks are in sinew/handlers.h.

#ifndef SINEW_BASE_MEMORY_H_
#define SINEW_BASE_MEMORY_H_

#include "sinew/handlers.h"

SN_EXTERN_C_BEGIN

// Zeroed memory of which only the touched pages are really taken; NULL on failure.
void* sn_reserve(size_t bytes);
void sn_unreserve(void* memory, size_t bytes);

SN_EXTERN_C_END

#endif  // SINEW_BASE_MEMORY_H_
