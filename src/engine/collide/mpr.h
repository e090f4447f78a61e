// Minkowski portal refinement, for models that disable the native pipeline.
//
// From a point inside of the Minkowski difference, a ray is sent to the origin; a portal is a
// triangle of support points through which the ray leaves. Refining the portal until it lies on the
// boundary tells whether the origin is inside, and gives a (not minimal) penetration (G. Snethen,
// XenoCollide: Complex collision made simple, Game Programming Gems 7 (2008)).

#ifndef SINEW_ENGINE_COLLIDE_MPR_H_
#define SINEW_ENGINE_COLLIDE_MPR_H_

#include "engine/collide/convex_query.h"

SN_EXTERN_C_BEGIN

// Penetration of two objects: depth, direction from object 1 to 2 and position. Returns 0 when they
// do not intersect, or only touch so that no direction is defined.
int sn_mpr(snConvex* object1, snConvex* object2, snReal tolerance, int iterations, snReal* depth,
           snReal direction[3], snReal pos[3]);

// Correct the normal of a contact where the surface of an object (nullable) is known to be smooth
// there. The portal's direction is only accurate to its tolerance.
void sn_fixNormal(snReal normal[3], const snReal pos[3], const snConvex* object1,
                  const snConvex* object2);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_COLLIDE_MPR_H_
