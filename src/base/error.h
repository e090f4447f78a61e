// Errors and warnings: formatted, kept per thread, handed to the user's hook, never fatal.

#ifndef SINEW_BASE_ERROR_H_
#define SINEW_BASE_ERROR_H_

#include "base/assert.h"
#include "sinew/handlers.h"

SN_EXTERN_C_BEGIN

// Copy a formatted message into a caller's buffer (NULL or size 0: nothing is written).
void sn_formatError(char* error, int error_sz, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

SN_EXTERN_C_END

#endif  // SINEW_BASE_ERROR_H_
