// Where the search for the farthest vertex of a convex hull starts.

#ifndef SINEW_MODEL_HULL_STARTS_H_
#define SINEW_MODEL_HULL_STARTS_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Fill mesh_hullstart; vertices and hulls of the meshes must be there, and sound.
void sn_setHullStarts(snModel* m);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_HULL_STARTS_H_
