// Where the search for the farthest vertex of a convex hull starts.

#ifndef SINEW_MODEL_HULL_STARTS_H_
#define SINEW_MODEL_HULL_STARTS_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Fill mesh_hullstart, mesh_hullgap and mesh_hullvert; vertices and hulls of the meshes must be there, and sound.
void sn_setHullStarts(snModel* m);

// Are the numbers of blocks and vertices in mesh_hullvert those of a sound hull?
int sn_hullCellsAreSound(const snModel* m, int mesh);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_HULL_STARTS_H_
