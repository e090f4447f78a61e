// Convex objects and their support points.
//
// Everything the iterative narrow phase asks of a shape is its support map: the point of the shape
// that lies farthest in a given direction. A snConvex points to a pose (not always the geom's: the
// perturbation passes and height fields move it) and the shape's numbers, and has two indices that
// persist while one pair of geoms is processed: the vertex where the last hill climb ended, from
// which the next one starts, and the last vertex found, by which polytope vertices are told apart.
//
// Which of several equally far points is returned decides which contacts a flat pair produces, so
// the order of every scan and comparison below is part of the behaviour.

#ifndef SINEW_ENGINE_COLLIDE_SUPPORT_H_
#define SINEW_ENGINE_COLLIDE_SUPPORT_H_

#include "math/math.h"
#include "sinew/data.h"

SN_EXTERN_C_BEGIN

// kinds of convex objects beyond the geom types; a prism is a piece of a height field
enum { snCONVEX_PRISM = snGEOM_HFIELD, snCONVEX_POINT = 200, snCONVEX_SEGMENT, snCONVEX_FLEX };

struct snConvex_ {
  int kind;              // geom type, or one of the kinds above
  int vertex;            // last support vertex: mesh vertex id or box corner code; -1: none
  int start;             // hull vertex where the next hill climb starts; -1: none yet
  int nvert;             // mesh vertices, or points of a flex element
  int mesh;              // mesh id; -1: none
  snReal margin;         // inflation of the pair, half of which is applied here
  const snReal* pos;     // position (3)
  const snReal* mat;     // orientation (9)
  const snReal* size;    // geom size (3); of a flex element: its radius (1)
  const float* vert;     // mesh vertices, 3 numbers each
  const int* graph;      // hull graph of the mesh; NULL: scan all vertices
  const int* hullstart;  // mesh_hullstart; with a graph
  const float* table;    // mesh_hullvert of a hull; NULL: climb
  int stride;         // of a large one: from the list of a cell to the next; 0: search all blocks
  int tied;           // searches of the table for which a tie is expected
  const snReal* gap;  // mesh_hullgap; with a graph
  float tie;          // heights in single precision that differ by less may be equal; with a table
  snReal column[3][4];  // columns of mat and a zero each, for vectors (sn_convexPlace)
  snReal point[6][3];   // corners of a prism (3 below, 3 above), or vertices of a flex element
};
typedef struct snConvex_ snConvex;

// Objects, queries and directions are local variables of the callers. SN_OWN tells NVRTC so: a load then takes one
// instruction instead of three.
#ifdef SN_DEVICE
static inline const void* sn_own(const void* x) {
  __builtin_assume(__isLocal(x));
  return x;
}
#define SN_OWN(type, x) ((type*)sn_own(x))
#else
#define SN_OWN(type, x) ((type*)(x))
#endif

// Describe a geom; its indices are reset.
void sn_convexGeom(snConvex* object, const snModel* m, const snData* d, int geom, snReal margin);

// The vertex of a mesh's hull, by its index in the hull, at which every climb along edges ends for a unit direction;
// -1: not known, or there are several.
int sn_hullSummit(const snModel* m, int mesh, const snReal direction[3]);

// Call it after pos or mat have changed, before sn_minkowskiSupport.
void sn_convexPlace(snConvex* object);

// Point from which the search for the origin starts.
void sn_convexCenter(snReal center[3], const snConvex* object);

// The point of an object in its present pose that is farthest along a unit direction.
void sn_convexSupport(snReal point[3], snConvex* object, const snReal direction[3]);

// Is that point independent of the indices that persist between searches?
int sn_convexIsSure(const snModel* m, const snConvex* object, const snReal direction[3]);

// The same by the rules of the legacy pipeline: zero components of the direction select the middle
// of a feature, and half the margin is added whatever the kind.
void sn_convexSupportLegacy(snReal point[3], snConvex* object, const snReal direction[3]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_COLLIDE_SUPPORT_H_
