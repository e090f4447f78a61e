#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "sinew/sinew.h"

enum { MESSAGE_SIZE = snMESSAGE_SIZE };

static _Thread_local char *held_error, *held_warning;

static _Thread_local char last_error[MESSAGE_SIZE];
static snMessageHandler error_handler;
static snMessageHandler warning_handler;
static snAssertHandler assert_handler;

void sn_setErrorHandler(snMessageHandler handler) { error_handler = handler; }
void sn_setWarningHandler(snMessageHandler handler) { warning_handler = handler; }
const char* sn_lastError(void) { return last_error; }

void snu_error(const char* msg, ...) {
  va_list args;
  va_start(args, msg);
  vsnprintf(last_error, sizeof(last_error), msg, args);
  va_end(args);
  if (held_error) {
    snprintf(held_error, MESSAGE_SIZE, "%s", last_error);
  } else if (error_handler) {
    error_handler(last_error);
  }
}

void sn_holdMessages(char error[snMESSAGE_SIZE], char warning[snMESSAGE_SIZE]) {
  error[0] = warning[0] = 0;
  held_error = error;
  held_warning = warning;
}

void sn_releaseMessages(void) {
  const char *error = held_error, *warning = held_warning;
  held_error = held_warning = NULL;
  if (!error[0] && warning[0]) snu_warning("%s", warning);
}

// the format comes from the caller
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
void snu_error_i(const char* msg, int i) { snu_error(msg, i); }
void snu_error_s(const char* msg, const char* text) { snu_error(msg, text); }
void snu_warning_i(const char* msg, int i) { snu_warning(msg, i); }
void snu_warning_s(const char* msg, const char* text) { snu_warning(msg, text); }
#pragma GCC diagnostic pop

// callbacks belong to the data that they serve: there are no global ones to clear
void sn_resetCallbacks(void) {}

void snu_warning(const char* msg, ...) {
  char text[MESSAGE_SIZE];
  va_list args;
  va_start(args, msg);
  vsnprintf(text, sizeof(text), msg, args);
  va_end(args);
  if (held_warning) {
    snprintf(held_warning, MESSAGE_SIZE, "%s", text);
  } else if (warning_handler) {
    warning_handler(text);
  }
}

void snu_clearHandlers(void) {
  error_handler = warning_handler = NULL;
  assert_handler = NULL;
  sn_setAllocator(NULL, NULL);
}

static int plain_messages;
void sn_setPlainMessages(int on) { plain_messages = on; }
int sn_plainMessages(void) { return plain_messages; }

void sn_formatError(char* error, int error_sz, const char* format, ...) {
  if (!error || error_sz <= 0) return;
  va_list args;
  va_start(args, format);
  vsnprintf(error, (size_t)error_sz, format, args);
  va_end(args);
}

// ---- assertions

void sn_setAssertHandler(snAssertHandler handler) { assert_handler = handler; }

#ifdef SN_ASSERTS
void sn_assertFailed(const char* condition, const char* file, int line) {
  if (assert_handler) {
    assert_handler(condition, file, line);
  } else {
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
  }
}
#endif
