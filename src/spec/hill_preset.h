// Hill-type muscles by name.

#ifndef SINEW_SPEC_HILL_PRESET_H_
#define SINEW_SPEC_HILL_PRESET_H_

#include "sinew/spec.h"

SN_EXTERN_C_BEGIN

// The names of all presets, separated by commas.
const char* sn_hillPresetNames(void);

SN_EXTERN_C_END

#endif  // SINEW_SPEC_HILL_PRESET_H_
