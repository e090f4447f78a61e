#define _GNU_SOURCE
#include "mjcf/number.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"

static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void makeLocale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static locale_t locale(void) {
  pthread_once(&once, makeLocale);
  return c_locale;
}

static int isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

int sn_isBlank(const char* text) {
  while (isSpace(*text)) text++;
  return !*text;
}

// Numbers with at most 15 digits and a small power of ten need one exact multiplication or
// division; everything else goes to strtod. Returns the end of the number, NULL when it is not that
// simple.
static const char* readSimple(const char* text, double* value) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  int negative = *text == '-';
  const char* at = text + (negative || *text == '+');
  int64_t mantissa = 0;
  int digits = 0, seen = 0, exponent = 0;
  for (; *at >= '0' && *at <= '9'; at++, seen++) {
    mantissa = 10 * mantissa + (*at - '0');
    digits += mantissa != 0;
    if (digits > 15) return NULL;
  }
  if (*at == '.') {
    for (at++; *at >= '0' && *at <= '9'; at++, seen++, exponent--) {
      mantissa = 10 * mantissa + (*at - '0');
      digits += mantissa != 0;
      if (digits > 15) return NULL;
    }
  }
  if (!seen || (*at && !isSpace(*at)) || exponent < -22) return NULL;
  double result = (double)mantissa / power[-exponent];
  *value = negative ? -result : result;
  return at;
}

static const char* skipSpace(const char* at) {
  while (isSpace(*at)) at++;
  return at;
}

// what strtod and strtof have read from `at` to `end`
static snNumberStatus finish(const char** text, const char* at, const char* end) {
  if (end == at || (*end && !isSpace(*end))) return snNUMBER_BAD;
  *text = end;
  return errno == ERANGE ? snNUMBER_RANGE : snNUMBER_OK;
}

snNumberStatus sn_nextDouble(const char** text, double* value) {
  const char* at = skipSpace(*text);
  *text = at;
  if (!*at) return snNUMBER_END;
  const char* simple = readSimple(at, value);
  if (simple) {
    *text = simple;
    return snNUMBER_OK;
  }
  char* end;
  errno = 0;
  *value = strtod_l(at, &end, locale());
  return finish(text, at, end);
}

snNumberStatus sn_nextFloat(const char** text, float* value) {
  const char* at = skipSpace(*text);
  *text = at;
  if (!*at) return snNUMBER_END;
  char* end;
  errno = 0;
  *value = strtof_l(at, &end, locale());
  return finish(text, at, end);
}

snNumberStatus sn_nextInt(const char** text, int* value) {
  const char* at = skipSpace(*text);
  *text = at;
  if (!*at) return snNUMBER_END;
  int negative = *at == '-';
  const char* digit = at + (negative || *at == '+');
  int64_t result = 0;
  int range = 0;
  const char* first = digit;
  for (; *digit >= '0' && *digit <= '9'; digit++) {
    result = 10 * result + (*digit - '0');
    if (result > (int64_t)INT_MAX + negative) {
      range = 1;
      result = 0;
    }
  }
  if (digit == first || (*digit && !isSpace(*digit))) return snNUMBER_BAD;
  *value = (int)(negative ? -result : result);
  *text = digit;
  return range ? snNUMBER_RANGE : snNUMBER_OK;
}

// the C locale's decimal point, whatever the program's locale is
static void usePoint(char* buffer) {
  char* comma = strpbrk(buffer, ",");
  if (comma) *comma = '.';
}

static atomic_int precision = 6;

int sn_getXMLPrecision(void) { return precision; }

void sn_setXMLPrecision(int digits) { precision = digits < 0 ? 0 : digits > 20 ? 20 : digits; }

void sn_formatNumber(char* buffer, double value) {
  snprintf(buffer, 40, "%.*g", precision ? precision : 17, value);
  usePoint(buffer);
}

void sn_formatRounded(char* buffer, double value) {
  double whole = round(value);
  if (fabs(value - whole) < (precision ? 1e-12 : 1e-300) && fabs(whole) < INT_MAX) {
    snprintf(buffer, 40, "%d", (int)whole);
  } else {
    sn_formatNumber(buffer, value);
  }
}

// Denormal numbers are written in base 16: in decimal digits they are not exact, and refused as out of range.
static int formatDenormal(char* buffer, double value, int denormal) {
  if (!denormal) return 0;
  snprintf(buffer, 40, "%a", value);
  usePoint(buffer);
  return 1;
}

void sn_formatExact(char* buffer, double value) {
  if (formatDenormal(buffer, value, fpclassify(value) == FP_SUBNORMAL)) return;
  for (int digits = 15; digits <= 17; digits++) {
    double again;
    snprintf(buffer, 40, "%.*g", digits, value);
    usePoint(buffer);
    const char* text = buffer;
    if (sn_nextDouble(&text, &again) != snNUMBER_BAD && again == value) return;
  }
}

void sn_formatExactFloat(char* buffer, float value) {
  if (formatDenormal(buffer, (double)value, fpclassify(value) == FP_SUBNORMAL)) return;
  for (int digits = 6; digits <= 9; digits++) {
    float again;
    snprintf(buffer, 40, "%.*g", digits, (double)value);
    usePoint(buffer);
    const char* text = buffer;
    if (sn_nextFloat(&text, &again) != snNUMBER_BAD && again == value) return;
  }
}
