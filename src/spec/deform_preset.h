// Materials, kinds of deformables and settings of their solver by name.

#ifndef SINEW_SPEC_DEFORM_PRESET_H_
#define SINEW_SPEC_DEFORM_PRESET_H_

#include "sinew/spec.h"

SN_EXTERN_C_BEGIN

typedef struct snSubstance_ {
  const char* name;  // NULL ends a list
  double young;
  double poisson;
  double density;
  double friction;
} snSubstance;

typedef struct snDeformPreset_ {
  const char* name;  // NULL ends a list
  snDeformable type;
  const char* substance;
  double size;  // thickness of cloth, radius of a chain
} snDeformPreset;

// By name; NULL when there is none.
const snSubstance* sn_findSubstance(const char* name);
// Of a type, by name; the first of the type for an empty name.
const snDeformPreset* sn_findDeformPreset(snDeformable type, const char* name);

// All names, separated by commas; cut to the size of the buffer.
void sn_listSubstances(char* buffer, size_t size);
void sn_listDeformPresets(snDeformable type, char* buffer, size_t size);

SN_EXTERN_C_END

#endif  // SINEW_SPEC_DEFORM_PRESET_H_
