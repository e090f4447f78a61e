// Readers of mesh files; all arrays come from the workbench's keep pool.

#ifndef SINEW_ASSET_MESH_FILE_H_
#define SINEW_ASSET_MESH_FILE_H_

#include "asset/mesh.h"

SN_EXTERN_C_BEGIN

// A file of any of the types below; right is 0 when the scale mirrors (faces are then reversed). STL
// files repeat a vertex in every face that has it; these are merged. Returns 0 or -1.
int sn_readMesh(snWork* work, snMeshArrays* arrays, snBytes file, const char* file_name,
                const char* content_type, int right);

// Wavefront OBJ: all vertices, normals and texture coordinates; the faces of the first shape,
// triangulated.
int sn_readObj(snWork* work, snMeshArrays* arrays, snBytes file, const char* file_name, int right);

// Binary STL, vertices not yet merged.
int sn_readStl(snWork* work, snMeshArrays* arrays, snBytes file, int right);

// MuJoCo's binary MSH.
int sn_readMsh(snWork* work, snMeshArrays* arrays, snBytes file, int right);

// Merge equal vertices: the first occurrence stays, faces are renumbered.
int sn_mergeVertices(snWork* work, snMeshArrays* arrays);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_MESH_FILE_H_
