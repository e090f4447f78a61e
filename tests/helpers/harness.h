// What every C test includes: cmocka and its prerequisites, and the public interface.

#ifndef SINEW_TESTS_HARNESS_H_
#define SINEW_TESTS_HARNESS_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/sinew.h"

// |actual - expected| <= tolerance * max(1, |expected|)
#define assert_close(actual, expected, tolerance)                                        \
  do {                                                                                   \
    double actual_ = (actual), expected_ = (expected);                                   \
    double scale_ = expected_ < 0 ? -expected_ : expected_;                              \
    double error_ = actual_ - expected_;                                                 \
    if (!((error_ < 0 ? -error_ : error_) <= (tolerance) * (scale_ > 1 ? scale_ : 1))) { \
      fail_msg("%s = %.17g, expected %.17g", #actual, actual_, expected_);               \
    }                                                                                    \
  } while (0)

// model of an XML text; the test fails with the message when there is none
static inline snModel* loadXML(const char* xml) {
  char error[300] = "";
  snSpec* spec = sn_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  snModel* m = sn_compile(spec, NULL);
  if (!m) fail_msg("%s", sns_getError(spec));
  sn_deleteSpec(spec);
  return m;
}

#endif  // SINEW_TESTS_HARNESS_H_
