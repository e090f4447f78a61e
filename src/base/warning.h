// Warnings of a step that say what they are about by name.

#ifndef SINEW_BASE_WARNING_H_
#define SINEW_BASE_WARNING_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// sn_warning with the name of the object in its message, "" when it has none.
void sn_warningNamed(snData* d, int warning, int info, const char* name);

SN_EXTERN_C_END

#endif  // SINEW_BASE_WARNING_H_
