#include "spec/flex_law.h"

#include <string.h>

#include "base/suggest.h"
#include "model/flex_laws.h"

// The laws of MuJoCo come first.
#define X(id, name, function, parameters, membranes) {#name, id, parameters, membranes},
const snFlexLaw sn_elasticLaws[] = {{"linear", 0, snNFLEXPARAM, 1}, SN_MATERIALS(X){NULL, 0, 0, 0}};
#undef X
#define X(id, name, spring, damper) {#name, id, id ? 2 : snNFLEXPARAM, 1},
const snFlexLaw sn_bendingLaws[] = {SN_BENDERS(X){NULL, 0, 0, 0}};
#undef X

_Static_assert(sizeof sn_elasticLaws / sizeof *sn_elasticLaws == snNELASTICITY + 1, "one row each");
_Static_assert(sizeof sn_bendingLaws / sizeof *sn_bendingLaws == snNBENDING + 1, "one row each");

const snFlexLaw* sn_findFlexLaw(const snFlexLaw* laws, const char* name) {
  if (!*name) return laws;
  for (; laws->name; laws++) {
    if (!strcmp(laws->name, name)) return laws;
  }
  return NULL;
}

void sn_listFlexLaws(const snFlexLaw* laws, char* buffer, size_t size) {
  buffer[0] = 0;
  for (; laws->name; laws++) sn_addToList(buffer, size, laws->name);
}
