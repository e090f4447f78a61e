// Octrees with signed distances at the corners of their cells: how a mesh becomes a distance field.

#ifndef SINEW_ASSET_OCTREE_H_
#define SINEW_ASSET_OCTREE_H_

#include "asset/work.h"

SN_EXTERN_C_BEGIN

typedef struct snOctree_ {
  int nnode;
  int* depth;     // nnode
  int* child;     // nnode x 8, -1 for none; bit 0: x high, bit 1: y high, bit 2: z high
  double* aabb;   // nnode x 6: centre, half size
  double* coeff;  // nnode x 8: distances at the corners, in the order of child
} snOctree;

// Build the octree of a triangle mesh; bounds are min and max of its vertices. Arrays come from
// keep. Returns 0 or -1.
int sn_buildOctree(snWork* work, snOctree* octree, const double* vert, int nvert, const int* face,
                   int nface, const double bounds[6]);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_OCTREE_H_
