// MuJoCo's global state on top of Sinew, which has none: hooks, callbacks, names.

#include "compat/compat.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "sinew/sinew.h"

MJAPI void (*mju_user_error)(const char*);
MJAPI void (*mju_user_warning)(const char*);
MJAPI void* (*mju_user_malloc)(size_t);
MJAPI void (*mju_user_free)(void*);

MJAPI mjfGeneric mjcb_passive;
MJAPI mjfGeneric mjcb_control;
MJAPI mjfConFilt mjcb_contactfilter;
MJAPI mjfSensor mjcb_sensor;
MJAPI mjfTime mjcb_time;
MJAPI mjfAct mjcb_act_dyn;
MJAPI mjfAct mjcb_act_gain;
MJAPI mjfAct mjcb_act_bias;

MJAPI const char* mjDISABLESTRING[mjNDISABLE] = {
    "Constraint", "Equality",  "Frictionloss", "Limit",     "Contact",      "Spring",    "Damper",
    "Gravity",    "Clampctrl", "Warmstart",    "Filterparent", "Actuation", "Refsafe",   "Sensor",
    "Midphase",   "Eulerdamp", "AutoReset",    "NativeCCD", "Island"};

MJAPI const char* mjENABLESTRING[mjNENABLE] = {"Override",     "Energy",   "Fwdinv",
                                               "InvDiscrete", "MultiCCD", "Sleep"};

MJAPI const char* mjTIMERSTRING[mjNTIMER] = {
    "step",         "forward",       "inverse",     "position",  "velocity",
    "actuation",    "constraint",    "advance",     "pos_kinematics", "pos_inertia",
    "pos_collision", "pos_make",     "pos_project", "col_broadphase", "col_narrowphase"};

// ---- hooks ----

static void forwardError(const char* text) {
  if (mju_user_error) mju_user_error(text);
}

static void forwardWarning(const char* text) {
  if (mju_user_warning) mju_user_warning(text);
}

static void* allocate(size_t bytes) {
  if (mju_user_malloc) return mju_user_malloc(bytes);
  return aligned_alloc(64, (bytes + 63) & ~(size_t)63);
}

static void release(void* memory) {
  if (mju_user_free) {
    mju_user_free(memory);
  } else {
    free(memory);
  }
}

__attribute__((constructor)) static void installHooks(void) {
  sn_setErrorHandler(forwardError);
  sn_setWarningHandler(forwardWarning);
  sn_setAllocator(allocate, release);
}

MJAPI void mju_clearHandlers(void) {
  mju_user_error = mju_user_warning = NULL;
  mju_user_malloc = NULL;
  mju_user_free = NULL;
}

// ---- callbacks ----

void installCallbacks(mjData* d) {
  if (!d) return;
  d->callback.passive = mjcb_passive;
  d->callback.control = mjcb_control;
  d->callback.contactfilter = mjcb_contactfilter;
  d->callback.sensor = mjcb_sensor;
  d->callback.time = mjcb_time;
  d->callback.act_dyn = mjcb_act_dyn;
  d->callback.act_gain = mjcb_act_gain;
  d->callback.act_bias = mjcb_act_bias;
}

MJAPI void mj_resetCallbacks(void) {
  mjcb_passive = mjcb_control = NULL;
  mjcb_contactfilter = NULL;
  mjcb_sensor = NULL;
  mjcb_time = NULL;
  mjcb_act_dyn = mjcb_act_gain = mjcb_act_bias = NULL;
}

// ---- messages with arguments ----

enum { MESSAGE_SIZE = 1024 };

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

#define FORMAT_ARGUMENTS(text, msg)              \
  char text[MESSAGE_SIZE];                       \
  va_list arguments;                             \
  va_start(arguments, msg);                      \
  vsnprintf(text, sizeof(text), msg, arguments); \
  va_end(arguments)

MJAPI void mju_error(const char* msg, ...) {
  FORMAT_ARGUMENTS(text, msg);
  snu_error("%s", text);
}

MJAPI void mju_warning(const char* msg, ...) {
  FORMAT_ARGUMENTS(text, msg);
  snu_warning("%s", text);
}

MJAPI void mju_error_i(const char* msg, int i) { mju_error(msg, i); }
MJAPI void mju_error_s(const char* msg, const char* text) { mju_error(msg, text); }
MJAPI void mju_warning_i(const char* msg, int i) { mju_warning(msg, i); }
MJAPI void mju_warning_s(const char* msg, const char* text) { mju_warning(msg, text); }
