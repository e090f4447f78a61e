// Closed-form colliders on bare shapes.
//
// A sphere, a capsule or a plane may come from a geom, from a flex element or from a piece of
// another shape, so these take poses and sizes instead of ids. Each appends to points and returns
// how many contacts it made. Sums run left to right as written: ties between features of aligned
// shapes are decided by the last bit.

#ifndef SINEW_ENGINE_COLLIDE_PRIMITIVE_H_
#define SINEW_ENGINE_COLLIDE_PRIMITIVE_H_

#include "engine/collide/collision.h"

SN_EXTERN_C_BEGIN

// Pose and size of a shape; mat is row-major, its columns are the shape's axes.
struct snPosedShape_ {
  const snReal* pos;
  const snReal* mat;
  const snReal* size;
};
typedef struct snPosedShape_ snPosedShape;

// A contact that leaves the second axis of its frame open.
SN_FN void sn_setPoint(snContactPoint* point, snReal dist, const snReal pos[3],
                       const snReal normal[3]);

// Half space below a plane through point with unit normal, against a sphere.
SN_FN int sn_planeSphere(snContactPoint* points, snReal margin, const snReal point[3],
                         const snReal normal[3], const snReal center[3], snReal radius);

// Two spheres; the z axes of mat1 and mat2 give the normal when the centres coincide.
SN_FN int sn_sphereSphere(snContactPoint* points, snReal margin, const snReal center1[3],
                          snReal radius1, const snReal mat1[9], const snReal center2[3],
                          snReal radius2, const snReal mat2[9]);

SN_FN int sn_sphereCapsule(snContactPoint* points, snReal margin, const snPosedShape* sphere,
                           const snPosedShape* capsule);
SN_FN int sn_capsuleCapsule(snContactPoint* points, snReal margin, const snPosedShape* capsule1,
                            const snPosedShape* capsule2);
SN_FN int sn_sphereBox(snContactPoint* points, snReal margin, const snReal center[3], snReal radius,
                       const snPosedShape* box);
SN_FN int sn_capsuleBox(snContactPoint* points, snReal margin, const snPosedShape* capsule,
                        const snPosedShape* box);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_COLLIDE_PRIMITIVE_H_
