// Convex hull of a vertex cloud, by Qhull.
//
// The result is one array of ints: number of hull vertices nv and faces nf; start of each vertex's
// run in the edge list (nv); mesh index of each hull vertex (nv); edge list (nv + 3 nf): neighbours
// of each vertex as hull indices, each run ended by -1; faces as mesh indices (3 nf).

#ifndef SINEW_ASSET_HULL_H_
#define SINEW_ASSET_HULL_H_

#include "asset/work.h"

SN_EXTERN_C_BEGIN

// Build the hull graph; the array comes from keep. maxhullvert limits the number of hull vertices
// (-1: no limit). Returns 0 or -1.
int sn_buildHull(snWork* work, int** graph, int* ngraph, const double* vert, int nvert,
                 int maxhullvert);

// Faces within a graph, and their number.
const int* sn_hullFaces(const int* graph, int* nface);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_HULL_H_
