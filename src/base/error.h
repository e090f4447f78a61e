// Errors and warnings: formatted, kept per thread, handed to the user's hook, never fatal.

#ifndef SINEW_BASE_ERROR_H_
#define SINEW_BASE_ERROR_H_

#include "sinew/handlers.h"

SN_EXTERN_C_BEGIN

// Copy a formatted message into a caller's buffer (NULL or size 0: nothing is written).
void sn_formatError(char* error, int error_sz, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Programmer errors. A failed assertion goes to the error hook; checks are on in test builds.
#ifdef SN_ASSERTS
void sn_assertFailed(const char* condition, const char* file, int line);
#define SN_ASSERT(condition) \
  ((condition) ? (void)0 : sn_assertFailed(#condition, __FILE__, __LINE__))
#else
#define SN_ASSERT(condition) ((void)0)
#endif

SN_EXTERN_C_END

#endif  // SINEW_BASE_ERROR_H_
