// Faces of a mesh merged into polygons by equal normals, for contacts between faces.

#ifndef SINEW_ASSET_POLYGON_H_
#define SINEW_ASSET_POLYGON_H_

#include "asset/mesh.h"

SN_EXTERN_C_BEGIN

// Merge faces into the polygons of a mesh and map its vertices to them. Fills all poly fields but
// the normals' values. Returns 0 or -1.
int sn_buildPolygons(snWork* work, snMesh* mesh, const int* face, int nface);

// Normals of the polygons from the current vertices.
void sn_polygonNormals(snMesh* mesh);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_POLYGON_H_
