// What the library does with messages and memory, for the whole process.
//
// Errors and warnings are kept and handed to the program's handler; nothing is printed and nothing
// ends the process. Set handlers and allocator before other threads call the library.

#ifndef SINEW_HANDLERS_H_
#define SINEW_HANDLERS_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

// Receives the text of an error or warning. May throw or longjmp: no lock is held and no memory is
// owned by the library while it runs.
typedef void (*snMessageHandler)(const char* text);

// Receives an assertion that failed: an error of the programmer, found by a build with SN_ASSERTS. When
// it returns, the program goes on as if nothing had happened.
typedef void (*snAssertHandler)(const char* condition, const char* file, int line);

typedef void* (*snAllocate)(size_t bytes);
typedef void (*snRelease)(void* memory);

// Call a function with the text of every error. Nullable: handler, the text is then only kept.
SN_API void sn_setErrorHandler(snMessageHandler handler);

// Call a function with the text of every warning. Nullable: handler.
SN_API void sn_setWarningHandler(snMessageHandler handler);

// Call a function with every assertion that fails. Nullable: handler, such a build then prints the
// assertion and stops the process. Builds without SN_ASSERTS, such as releases, have no assertions.
SN_API void sn_setAssertHandler(snAssertHandler handler);

// Text of this thread's last error, "" when there was none.
SN_API const char* sn_lastError(void);

// Replace the allocator; NULL restores the default, which aligns to 64 bytes.
SN_API void sn_setAllocator(snAllocate allocate, snRelease release);

SN_EXTERN_C_END

#endif  // SINEW_HANDLERS_H_
