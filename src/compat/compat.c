// MuJoCo's global state on top of Sinew, which has none: hooks, callbacks, names.

#include "compat/compat.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sinew/collision.h"
#include "sinew/sinew.h"
#include "visual/names.h"

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
    "Constraint", "Equality",  "Frictionloss", "Limit",        "Contact",   "Spring",  "Damper",
    "Gravity",    "Clampctrl", "Warmstart",    "Filterparent", "Actuation", "Refsafe", "Sensor",
    "Midphase",   "Eulerdamp", "AutoReset",    "NativeCCD",    "Island"};

MJAPI const char* mjENABLESTRING[mjNENABLE] = {"Override",    "Energy",   "Fwdinv",
                                               "InvDiscrete", "MultiCCD", "Sleep"};

MJAPI const char* mjTIMERSTRING[mjNTIMER] = {
    "step",          "forward",    "inverse",     "position",       "velocity",
    "actuation",     "constraint", "advance",     "pos_kinematics", "pos_inertia",
    "pos_collision", "pos_make",   "pos_project", "col_broadphase", "col_narrowphase"};

MJAPI const char* mjLABELSTRING[mjNLABEL] = {
    "None",      "Body",     "Joint",    "Geom",         "Site",  "Camera",
    "Light",     "Tendon",   "Actuator", "Constraint",   "Flex",  "Skin",
    "Selection", "SelPoint", "Contact",  "ContactForce", "Island"};

MJAPI const char* mjFRAMESTRING[mjNFRAME] = {"None",   "Body",  "Geom",    "Site",
                                             "Camera", "Light", "Contact", "World"};

// digits of saved numbers, as tests of MuJoCo set them
__attribute__((visibility("default"))) int _mjPRIVATE__get_xml_precision(void) {
  return sn_getXMLPrecision();
}
__attribute__((visibility("default"))) void _mjPRIVATE__set_xml_precision(int precision) {
  sn_setXMLPrecision(precision);
}

// name, whether it is on by default, key
MJAPI const char* mjVISSTRING[mjNVISFLAG][3] = {SN_VISUAL_NAMES};

MJAPI const char* mjRNDSTRING[mjNRNDFLAG][3] = {SN_RENDER_NAMES};

// ---- collision functions ----

MJAPI mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES];

static int collidePair(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                       mjtNum margin) {
  return sn_collidePair((const snModel*)m, (snData*)(uintptr_t)d, (snContact*)con, g1, g2, margin);
}

// ---- hooks ----

// Messages name functions and types; programs that look for MuJoCo's names find them.
static void renamePrefixes(char* dest, size_t size, const char* text) {
  size_t n = 0;
  char before = ' ';
  for (; *text && n + 1 < size; before = *text++) {
    int word = isalnum((unsigned char)before) || before == '_';
    if (!word && text[0] == 's' && text[1] == 'n' &&
        (text[2] == '_' || isupper((unsigned char)text[2]) ||
         (text[2] && strchr("usdcpv", text[2]) && text[3] == '_'))) {
      dest[n++] = 'm';
      if (n + 1 < size) dest[n++] = 'j';
      text++;
    } else {
      dest[n++] = *text;
    }
  }
  dest[n] = 0;
}

enum { MESSAGE_SIZE = 1024 };

static void forwardError(const char* text) {
  char renamed[MESSAGE_SIZE];
  if (!mju_user_error) return;
  renamePrefixes(renamed, sizeof(renamed), text);
  mju_user_error(renamed);
}

// the name that our warnings add to the number of an element
static void dropName(char* text) {
  char *start = strstr(text, " Its name is "), *end = start ? strstr(start, ". Time = ") : NULL;
  if (end) memmove(start, end + 1, strlen(end + 1) + 1);
}

static void forwardWarning(const char* text) {
  char renamed[MESSAGE_SIZE];
  if (!mju_user_warning) return;
  renamePrefixes(renamed, sizeof(renamed), text);
  dropName(renamed);
  mju_user_warning(renamed);
}

static void* allocate(size_t bytes) {
  void* memory = NULL;
  if (mju_user_malloc) {
    memory = mju_user_malloc(bytes);
  } else if (bytes <= SIZE_MAX - 63) {
    memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
  }
  if (!memory && bytes) snu_error("Could not allocate memory");
  return memory;
}

static void release(void* memory) {
  if (!memory) return;
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
  sn_setPlainMessages(1);
  for (int i = 0; i < mjNGEOMTYPES; i++) {
    for (int j = i; j < mjNGEOMTYPES; j++) {
      if (sn_hasCollision(i, j)) mjCOLLISIONFUNC[i][j] = collidePair;
    }
  }
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

// ---- reset ----

// Open frames of the stack are gone after a reset: an error handler that jumped out has left them.
static void dropFrames(mjData* d) {
  installCallbacks(d);
  if (!d) return;
  d->pstack = d->pbase = 0;
  ((snData*)d)->nlostframe = 0;
}

MJAPI void mj_resetData(const mjModel* m, mjData* d) {
  dropFrames(d);
  sn_resetData((const snModel*)m, (snData*)d);
}

MJAPI void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value) {
  dropFrames(d);
  sn_resetDataDebug((const snModel*)m, (snData*)d, debug_value);
}

MJAPI void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  dropFrames(d);
  sn_resetDataKeyframe((const snModel*)m, (snData*)d, key);
}

// ---- copy ----

// A copy works with the threads of what it was copied from, unless it has some of its own.
MJAPI mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  installCallbacks(dest);
  snData* copy = sn_copyData((snData*)dest, (const snModel*)m, (const snData*)src);
  if (copy && src && src->threadpool && !copy->threadpool) {
    snu_bindThreadPool(copy, (void*)src->threadpool);
  }
  return (mjData*)copy;
}

// ---- messages with arguments ----

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
