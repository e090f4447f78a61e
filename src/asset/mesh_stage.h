// Stages of mesh compilation that work on a mesh in place.

#ifndef SINEW_ASSET_MESH_STAGE_H_
#define SINEW_ASSET_MESH_STAGE_H_

#include "asset/mesh.h"

SN_EXTERN_C_BEGIN

// Surface of a distance field in a box around the origin, as arrays from scratch. Returns 0 or -1.
int sn_fieldMesh(snWork* work, snMeshArrays* arrays, const snMeshField* field);

// Vertex normals from the faces: area-weighted; unless smooth, a vertex drops the faces that bend
// away from its mean normal. Returns 0 or -1.
int sn_makeNormals(snWork* work, snMesh* mesh, int smooth);

// Normals after the vertices were moved: rotated (mat may be NULL), scaled (may be NULL),
// normalised.
void sn_transformNormals(snMesh* mesh, const double mat[9], const double scale[3]);

// Apply refpos, refquat and scale, then compute volume, centre of mass, inertia and principal axes,
// and align the mesh with them: pos, quat, aabb, boxsz, volume. Returns 0 or -1.
int sn_alignMesh(snWork* work, snMesh* mesh, const snMeshInput* input);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_MESH_STAGE_H_
