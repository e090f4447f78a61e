// Shortest path of a tendon over a sphere or an infinitely long cylinder.

#ifndef SINEW_ENGINE_SMOOTH_WRAP_H_
#define SINEW_ENGINE_SMOOTH_WRAP_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Arc length of the path from start to end over a geom, with the two tangent points (global), or -1
// when the straight segment does not wrap. type is snWRAP_SPHERE or snWRAP_CYLINDER. A side point
// inside the geom makes the tendon pass through it (inverse wrapping, arc length 0); one outside
// selects the side. Nullable: side.
snReal sn_wrap(snReal points[6], const snReal start[3], const snReal end[3], const snReal xpos[3],
               const snReal xmat[9], snReal radius, int type, const snReal* side);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_WRAP_H_
