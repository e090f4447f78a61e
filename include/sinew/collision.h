// The narrow phase of one pair of geoms.

#ifndef SINEW_COLLISION_H_
#define SINEW_COLLISION_H_

#include "sinew/data.h"

SN_EXTERN_C_BEGIN

// Contacts of two geoms, type(g1) <= type(g2), closer than margin: distance, position, normal and
// preferred tangent (zero: any) of at most snMAXCONPAIR contacts; returns their number.
SN_API int sn_collidePair(const snModel* m, snData* d, snContact* con, int g1, int g2,
                          snReal margin);

// Whether geoms of these types collide.
SN_API int sn_hasCollision(int type1, int type2);

SN_EXTERN_C_END

#endif  // SINEW_COLLISION_H_
