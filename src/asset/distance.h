// Signed distance from a point to a closed triangle mesh.
//
// The sign is that of the angle-weighted pseudo-normal at the closest point (Baerentzen and Aanaes,
// "Signed distance computation using the angle weighted pseudonormal", 2005): of the face, of the
// edge (sum of its faces' normals) or of the vertex (normals weighted by the angle at it).

#ifndef SINEW_ASSET_DISTANCE_H_
#define SINEW_ASSET_DISTANCE_H_

#include "asset/bvh.h"

SN_EXTERN_C_BEGIN

typedef struct snDistance_ {
  const double* vert;
  const int* face;
  double* facenormal;    // per face
  double* edgenormal;    // per face and edge (0-1, 1-2, 2-0)
  double* vertexnormal;  // per vertex
  snBvh tree;            // over faces
} snDistance;

// Prepare; arrays come from scratch. Returns 0 or -1.
int sn_makeDistance(snWork* work, snDistance* distance, const double* vert, int nvert,
                    const int* face, int nface);

// Distance to the surface, negative inside.
double sn_signedDistance(const snDistance* distance, const double point[3]);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_DISTANCE_H_
