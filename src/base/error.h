// Errors and warnings: formatted, kept per thread, handed to the user's hook, never fatal.

#ifndef SINEW_BASE_ERROR_H_
#define SINEW_BASE_ERROR_H_

#include "base/assert.h"
#include "sinew/handlers.h"

SN_EXTERN_C_BEGIN

// Copy a formatted message into a caller's buffer (NULL or size 0: nothing is written).
void sn_formatError(char* error, int error_sz, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Between the two calls errors and warnings of this thread are kept (the last of each, empty when there is none) and no
// handler hears of them. sn_releaseMessages passes a warning on, unless there was an error.
enum { snMESSAGE_SIZE = 1024 };
void sn_holdMessages(char error[snMESSAGE_SIZE], char warning[snMESSAGE_SIZE]);
void sn_releaseMessages(void);

// Whether messages about models are MuJoCo's word for word: without names of files, hints, and the element that
// names a missing file. Off unless a library with MuJoCo's interface turns it on.
SN_API void sn_setPlainMessages(int on);
int sn_plainMessages(void);

SN_EXTERN_C_END

#endif  // SINEW_BASE_ERROR_H_
