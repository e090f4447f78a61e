// Errors and warnings: formatted, kept per thread, handed to the user's hook, never fatal.

#ifndef SINEW_BASE_ERROR_H_
#define SINEW_BASE_ERROR_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

// Receives the text of an error or warning. May throw or longjmp: no lock is held and no memory is
// owned by the library while it runs.
typedef void (*snMessageHandler)(const char* text);

// Install process-wide hooks; NULL restores the default, which keeps the text and does nothing else.
SN_API void sn_setErrorHandler(snMessageHandler handler);
SN_API void sn_setWarningHandler(snMessageHandler handler);

// Text of this thread's last error ("" when there was none).
SN_API const char* sn_lastError(void);

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
