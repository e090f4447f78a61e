#include "spec/flex_law.h"

#include <stdio.h>
#include <string.h>

// The laws of MuJoCo come first; the tables of the functions are in engine/flex/law.h.
const snFlexLaw sn_elasticLaws[] = {{"linear", 0}, {NULL, 0}};
const snFlexLaw sn_bendingLaws[] = {{"cotangent", 0}, {NULL, 0}};

const snFlexLaw* sn_findFlexLaw(const snFlexLaw* laws, const char* name) {
  if (!*name) return laws;
  for (; laws->name; laws++) {
    if (!strcmp(laws->name, name)) return laws;
  }
  return NULL;
}

void sn_listFlexLaws(const snFlexLaw* laws, char* buffer, size_t size) {
  size_t used = 0;
  buffer[0] = 0;
  for (int i = 0; laws[i].name && used < size; i++) {
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", laws[i].name);
  }
}
