// Numbers in text: C's formats whatever the locale, correctly rounded.

#ifndef SINEW_MJCF_NUMBER_H_
#define SINEW_MJCF_NUMBER_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

typedef enum snNumberStatus_ {
  snNUMBER_OK,
  snNUMBER_END,    // no more words
  snNUMBER_BAD,    // not a number
  snNUMBER_RANGE,  // too large, or too small to be normal
  snNUMBER_MUCH    // more numbers than wanted
} snNumberStatus;

// Read the next blank-separated word as a number and move behind it.
snNumberStatus sn_nextDouble(const char** text, double* value);
snNumberStatus sn_nextFloat(const char** text, float* value);
snNumberStatus sn_nextInt(const char** text, int* value);

// Whether there is nothing but blanks.
int sn_isBlank(const char* text);

// Text with the digits that sn_setXMLPrecision asks for; buffer of at least 40 characters.
void sn_formatNumber(char* buffer, double value);
// The same, but numbers that are whole but for rounding become whole.
void sn_formatRounded(char* buffer, double value);
// The fewest digits that read back as the same number (of single precision).
void sn_formatExact(char* buffer, double value);
void sn_formatExactFloat(char* buffer, float value);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_NUMBER_H_
