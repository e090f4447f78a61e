// Names and messages of the public interface.

#include <stdio.h>
#include <string.h>

#include "sinew/sinew.h"

// names of element types, by snObj
static const char* const kObjectNames[] = {
    NULL,     "body",     "xbody",  "joint",   "dof",     "geom",     "site", "camera",  "light",
    "flex",   "mesh",     "skin",   "hfield",  "texture", "material", "pair", "exclude", "equality",
    "tendon", "actuator", "sensor", "numeric", "text",    "tuple",    "key",  "plugin"};

enum { NUM_OBJECT_NAMES = (int)(sizeof(kObjectNames) / sizeof(kObjectNames[0])) };

const char* snu_type2Str(int type) {
  if (type == snOBJ_FRAME) return "frame";
  return type > 0 && type < NUM_OBJECT_NAMES ? kObjectNames[type] : NULL;
}

int snu_str2Type(const char* str) {
  if (!str) return snOBJ_UNKNOWN;
  for (int type = 1; type < NUM_OBJECT_NAMES; type++) {
    if (!strcmp(str, kObjectNames[type])) return type;
  }
  return snOBJ_UNKNOWN;
}

// exact multiples of 1024^k get the unit, other counts are written in full
const char* snu_writeNumBytes(size_t nbytes) {
  static _Thread_local char text[32];
  static const char units[] = "\0KMGTPE";
  int unit = 0;
  while (nbytes && nbytes % 1024 == 0 && unit < 6) {
    nbytes /= 1024;
    unit++;
  }
  snprintf(text, sizeof(text), unit ? "%zu%c" : "%zu", nbytes, units[unit]);
  return text;
}

const char* snu_warningText(int warning, size_t info) {
  static _Thread_local char text[256];
  static const char* const formats[] = {
      "Inertia matrix is too close to singular at DOF %zu. Check model.",
      "Too many contacts. The arena memory is full, increase arena memory allocation.(ncon = %zu)",
      "",  // below
      "Pre-allocated visual geom buffer is full. Increase maxgeom above %zu.",
      "Nan, Inf or huge value in QPOS at DOF %zu. The simulation is unstable.",
      "Nan, Inf or huge value in QVEL at DOF %zu. The simulation is unstable.",
      "Nan, Inf or huge value in QACC at DOF %zu. The simulation is unstable.",
      "Nan, Inf or huge value in CTRL at ACTUATOR %zu. The simulation is unstable."};
  int known = (int)(sizeof(formats) / sizeof(formats[0]));
  if (warning == snWARN_CNSTRFULL) {
    snprintf(
        text, sizeof(text), "%s above %s bytes.",
        "Insufficient arena memory for the number of constraints generated. Increase arena memory "
        "allocation",
        snu_writeNumBytes(info));
  } else if (warning < 0 || warning >= known) {
    snprintf(text, sizeof(text), "Unknown warning type %d.", warning);
  } else {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof(text), formats[warning], info);
#pragma GCC diagnostic pop
  }
  return text;
}

char* snu_strncpy(char* dst, const char* src, int n) {
  if (dst && src && n > 0) {
    strncpy(dst, src, (size_t)n - 1);
    dst[n - 1] = '\0';
  }
  return dst;
}
