// Emits the symbols of the functions that the headers of this layer define inline.

#define SN_INLINE

#include "math/math.h"
