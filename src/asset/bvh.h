// Bounding volume trees over boxes: the geoms of a body, the faces of a mesh, the elements of a
// flex.
//
// Nodes are numbered in preorder and split at the median of a key along the longest axis of the
// node's box, so a tree is determined by its leaves and their order.

#ifndef SINEW_ASSET_BVH_H_
#define SINEW_ASSET_BVH_H_

#include "asset/work.h"

SN_EXTERN_C_BEGIN

// One leaf before the build.
typedef struct snBvhLeaf_ {
  double min[3];
  double max[3];
  double key[3];  // position by which leaves are ordered
  int id;         // goes into nodeid
} snBvhLeaf;

// A tree: 2 n - 1 nodes for n leaves, none for none. Child indices are relative to the root.
typedef struct snBvh_ {
  int nnode;
  int maxdepth;  // deepest level; more than snMAXTREEDEPTH deserves a warning
  double* aabb;  // nnode x 6: centre, half size
  int* child;    // nnode x 2, -1 for leaves
  int* depth;    // nnode
  int* nodeid;   // nnode, -1 for inner nodes
} snBvh;

// Build a tree from leaves in their original order; arrays come from keep. Returns 0 or -1.
int sn_buildBvh(snWork* work, snBvh* bvh, const snBvhLeaf* leaves, int nleaf);

// A geom as a leaf of the tree of its body.
typedef struct snBvhGeom_ {
  int id;
  double pos[3];  // in the body frame
  double quat[4];
  double aabb[6];  // centre, half size in the geom frame
} snBvhGeom;

// Build the tree of a body from the geoms that can collide (contype or conaffinity not zero), in id
// order; boxes are those of the body's inertial frame. Arrays come from the pool. Returns 0, or -1
// when memory is short.
int sn_buildBodyBvh(snPool* pool, snBvh* bvh, const double ipos[3], const double iquat[4],
                    const snBvhGeom* geoms, int ngeom);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_BVH_H_
