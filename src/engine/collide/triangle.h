// Closed-form colliders of a triangle with a radius, which is an element of a two-dimensional flex.
//
// Normals point from the other shape to the triangle. The capsule and the box are tested at points only:
// the ends of the capsule and the corners of the box against the triangle, the vertices of the triangle
// against the capsule and the box.

#ifndef SINEW_ENGINE_COLLIDE_TRIANGLE_H_
#define SINEW_ENGINE_COLLIDE_TRIANGLE_H_

#include "engine/collide/primitive.h"

SN_EXTERN_C_BEGIN

struct snTriangle_ {
  const snReal* vertex[3];
  snReal radius;
};
typedef struct snTriangle_ snTriangle;

SN_FN int sn_sphereTriangle(snContactPoint* points, snReal margin, const snReal center[3],
                            snReal radius, const snTriangle* triangle);
SN_FN int sn_capsuleTriangle(snContactPoint* points, snReal margin, const snPosedShape* capsule,
                             const snTriangle* triangle);
SN_FN int sn_boxTriangle(snContactPoint* points, snReal margin, const snPosedShape* box,
                         const snTriangle* triangle);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_COLLIDE_TRIANGLE_H_
