// Names of the laws of stretch and bending that a flex can follow.

#ifndef SINEW_SPEC_FLEX_LAW_H_
#define SINEW_SPEC_FLEX_LAW_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

typedef struct snFlexLaw_ {
  const char* name;  // NULL ends a list
  int id;            // flex_elasticmodel or flex_bendingmodel
  int nparam;        // most parameters that it takes
  int membranes;     // 1: of triangles too, 0: of tetrahedra alone
} snFlexLaw;

extern const snFlexLaw sn_elasticLaws[], sn_bendingLaws[];

// Law by its name, the first one for an empty name; NULL when there is none.
const snFlexLaw* sn_findFlexLaw(const snFlexLaw* laws, const char* name);
// The names of all laws, separated by commas; cut to the size of the buffer.
void sn_listFlexLaws(const snFlexLaw* laws, char* buffer, size_t size);

SN_EXTERN_C_END

#endif  // SINEW_SPEC_FLEX_LAW_H_
