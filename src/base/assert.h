// Assertions: errors of the programmer, which no input may cause.
//
// They are compiled in test builds (SN_ASSERTS) and cost nothing elsewhere: the condition is then
// checked by the compiler but never computed. A failed assertion is handed to the program's handler
// (sn_setAssertHandler); without one it is printed and the process stops, since a test must not go on.
// Errors of the user are no assertions: loading returns a message, a step raises a warning bit.

#ifndef SINEW_BASE_ASSERT_H_
#define SINEW_BASE_ASSERT_H_

#include "sinew/handlers.h"

SN_EXTERN_C_BEGIN

#if !defined(SN_ASSERTS)
#define SN_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#elif defined(SN_DEVICE)
#define SN_ASSERT(condition) ((condition) ? (void)0 : __trap())
#else
void sn_assertFailed(const char* condition, const char* file, int line);
#define SN_ASSERT(condition) \
  ((condition) ? (void)0 : sn_assertFailed(#condition, __FILE__, __LINE__))
#endif

// 0 <= i < n, the same for two, and -1 <= i < n for references that may be empty
#define SN_ASSERT_INDEX(i, n) SN_ASSERT((i) >= 0 && (i) < (n))
#define SN_ASSERT_INDEX2(i, j, n) SN_ASSERT((i) >= 0 && (i) < (n) && (j) >= 0 && (j) < (n))
#define SN_ASSERT_REFERENCE(i, n) SN_ASSERT((i) >= -1 && (i) < (n))

// a part [adr, adr + num) of n items
#define SN_ASSERT_PART(adr, num, n) SN_ASSERT((adr) >= 0 && (num) >= 0 && (adr) + (num) <= (n))

SN_EXTERN_C_END

#endif  // SINEW_BASE_ASSERT_H_
