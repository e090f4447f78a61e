// Meshes: from a file or arrays to what the model stores.
//
// The order of work (each a file of its own): read the file (mesh_obj.c, mesh_stl.c, mesh_msh.c),
// merge with the arrays of the element and check (mesh.c), convex hull (hull.c), normals
// (mesh_normal.c), polygons (polygon.c), transforms, inertia and alignment (mesh_inertia.c),
// bounding volume tree (bvh.c) and octree (octree.c). Vertices are doubles until the very end.

#ifndef SINEW_ASSET_MESH_H_
#define SINEW_ASSET_MESH_H_

#include "asset/bvh.h"
#include "asset/octree.h"
#include "math/sdf.h"
#include "sinew/enums.h"

SN_EXTERN_C_BEGIN

// Arrays of a mesh as files and elements give them. Counts are numbers of floats and ints.
typedef struct snMeshArrays_ {
  const float* vert;
  const float* normal;
  const float* texcoord;
  const int* face;
  const int* facenormal;
  const int* facetexcoord;
  int nvert, nnormal, ntexcoord, nface, nfacenormal, nfacetexcoord;
} snMeshArrays;

// A distance field of which a mesh is the surface: a shape of the library, or a function of the user.
typedef struct snMeshField_ {
  snShape shape;
  snReal (*distance)(const snReal point[3], const snReal* attribute);  // NULL: the shape
  const snReal* attribute;
  double center[3];  // box that contains the surface
  double half[3];
} snMeshField;

// Everything that a mesh is compiled from. Zeroed is valid but for scale and refquat: start from
// sn_defaultMeshInput.
typedef struct snMeshInput_ {
  const char* name;          // of the element, for messages; may be NULL
  snBytes file;              // contents of the file; size 0 with file_name set is an empty file
  const char* file_name;     // NULL or "": no file
  const char* content_type;  // from sn_contentType, used with a file
  snMeshArrays user;         // arrays of the element (uservert, ...)
  const snMeshField* field;  // the mesh is the surface of this field (NULL: none)
  double scale[3];
  double refpos[3];
  double refquat[4];
  snMeshInertia inertia;
  int smoothnormal;
  int maxhullvert;  // -1: no limit
  int needhull;     // a geom of type mesh or sdf collides, is in a pair, or inertia is convex
  int needsdf;      // a geom of type sdf uses the mesh
} snMeshInput;

void sn_defaultMeshInput(snMeshInput* input);

// A compiled mesh; constant, since the asset cache may share its arrays. Addresses within it are
// relative to its own arrays.
typedef struct snMesh_ {
  snPool pool;                   // owns all arrays, or
  struct snCacheEntry_* shared;  // the entry of the cache that does

  int nvert, nnormal, ntexcoord, nface, ngraph, npoly, npolyvert, npolymap;
  double* vert;       // nvert x 3; the model stores the float rounding
  float* normal;      // nnormal x 3
  float* texcoord;    // ntexcoord x 2
  int* face;          // nface x 3
  int* facenormal;    // nface x 3
  int* facetexcoord;  // nface x 3; zeros without texture coordinates
  int* graph;         // ngraph; 0 when the mesh has no hull

  double* polynormal;  // npoly x 3
  int* polyvertadr;    // npoly
  int* polyvertnum;    // npoly
  int* polyvert;       // npolyvert
  int* polymapadr;     // nvert
  int* polymapnum;     // nvert
  int* polymap;        // npolymap

  double pos[3];   // mesh_pos: centre of mass
  double quat[4];  // mesh_quat: principal axes
  double scale[3];
  double aabb[6];   // min, max of the aligned vertices
  double boxsz[3];  // half sizes of the box with the same inertia
  double volume;    // or area, when inertia is shell

  snBvh bvh;
  snOctree octree;
} snMesh;

// Numbers of the arrays that an element gives: -1 with a message where they make no triples or pairs.
int sn_checkMeshArrays(const snMeshArrays* arrays, char* error, int error_sz);

// Compile a mesh. Returns 0, or -1 with the reason in error (may be NULL); the mesh is empty then.
int sn_compileMesh(snMesh* mesh, const snMeshInput* input, char* error, int error_sz);

// Free the arrays; the mesh is zero afterwards.
void sn_freeMesh(snMesh* mesh);

// Fit a primitive to a mesh: size (all three entries are multiplied by fitscale; entries that the
// type does not use keep what was there) and the centre of the primitive in the mesh frame. Returns
// 0, or -1 with the reason for a type that cannot be fitted.
int sn_fitMesh(const snMesh* mesh, snGeom type, int fitaabb, double fitscale, double size[3],
               double center[3], char* error, int error_sz);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_MESH_H_
