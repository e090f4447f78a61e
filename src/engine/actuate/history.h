// Ring buffers of past values, for delayed controls and sensors.
//
// A buffer of n samples of dimension dim has 2 + n (1 + dim) numbers: a slot for the user (next
// sample time of a sensor), the cursor (physical index of the newest sample), n times, n values.
// Logical index k (0 oldest) is physical (cursor + 1 + k) mod n. Times increase strictly.

#ifndef SINEW_ENGINE_ACTUATE_HISTORY_H_
#define SINEW_ENGINE_ACTUATE_HISTORY_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Compute one sensor into result, with its cutoff (defined by the sensors).
void sn_computeSensor(const snModel* m, snData* d, int sensor, snReal* result);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_ACTUATE_HISTORY_H_
