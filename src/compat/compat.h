// What the generated functions of the compatibility library need from its hand-written part.

#ifndef SINEW_COMPAT_COMPAT_H_
#define SINEW_COMPAT_COMPAT_H_

#include <mujoco/mujoco.h>

// Point the data's callbacks at MuJoCo's global ones. d is nullable.
void installCallbacks(mjData* d);

#endif  // SINEW_COMPAT_COMPAT_H_
