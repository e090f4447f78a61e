// The flexcomp generator: a flex together with the bodies that carry it.
//
// Expanded while reading, into child bodies of the surrounding body with their joints, one flex,
// and an equality where one is asked for. The order of work:
//
//   numbers of the element, points and elements of its shape (flexcomp_shape.c, flexcomp_file.c),
//   scale and pose, pins, bodies of the points or of the nodes (flexcomp_body.c).
//
// Points are the vertices of the flex from the beginning: those that get a body of their own end
// at its origin.

#ifndef SINEW_MJCF_FLEXCOMP_H_
#define SINEW_MJCF_FLEXCOMP_H_

#include "mjcf/reader.h"

SN_EXTERN_C_BEGIN

typedef enum snFlexcompType_ {
  snFLEXCOMP_GRID,
  snFLEXCOMP_BOX,
  snFLEXCOMP_CYLINDER,
  snFLEXCOMP_ELLIPSOID,
  snFLEXCOMP_SQUARE,
  snFLEXCOMP_DISC,
  snFLEXCOMP_CIRCLE,
  snFLEXCOMP_MESH,
  snFLEXCOMP_GMSH,
  snFLEXCOMP_DIRECT
} snFlexcompType;

typedef enum snFlexcompDof_ {
  snFLEXDOF_FULL,       // every point moves along three axes
  snFLEXDOF_RADIAL,     // every point moves along the line to the centre
  snFLEXDOF_TRILINEAR,  // 8 nodes move
  snFLEXDOF_QUADRATIC   // 27 nodes move
} snFlexcompDof;

// Shapes whose surface is made of points on a box, which has three counts whatever the dimension of the flex.
static inline int sn_flexcompIsBoxed(snFlexcompType type) {
  return type == snFLEXCOMP_BOX || type == snFLEXCOMP_CYLINDER || type == snFLEXCOMP_ELLIPSOID;
}

enum { snFLEXPIN_ID, snFLEXPIN_RANGE, snFLEXPIN_GRID, snFLEXPIN_GRIDRANGE, snFLEXPIN_KINDS };

typedef struct snFlexcomp_ {
  snReader* r;
  const snXmlNode* node;
  const char* name;
  snsBody* parent;

  snsFlex* flex;  // vert holds the points
  int type;       // snFlexcompType
  int dof;        // snFlexcompDof
  int count[3];
  double spacing[3];
  double mass;
  double inertiabox;
  double scale[3];
  double origin[3];
  double pos[3];
  double quat[4];
  snsOrientation alt;
  int rigid;     // all points belong to the parent
  int centered;  // none does
  int equality;  // 0: none, 1: of edges, 2: of vertices
  snReal solref[2];
  snReal solimp[5];
  const snXmlNode* plugin;  // nullable

  snIntVec pin[snFLEXPIN_KINDS];
  snByte* pinned;  // per point, and per node where there are more of them
  int npinned;
  snsBody* shared;  // first body with the plugin, NULL before there is one
  int nbody;        // made so far
  double lower[3];  // box of the points
  double upper[3];
} snFlexcomp;

// Numbers of the language's defaults; nothing else is touched.
void sn_defaultFlexcomp(snFlexcomp* f);

static inline int sn_flexcompPoints(const snFlexcomp* f) { return f->flex->vert->size / 3; }
// Nodes along each axis: 2 or 3 where they carry the flex, else 0.
static inline int sn_flexcompNodes(const snFlexcomp* f) {
  return f->dof == snFLEXDOF_TRILINEAR ? 2 : f->dof == snFLEXDOF_QUADRATIC ? 3 : 0;
}
// Whether points and elements are given and not generated.
static inline int sn_flexcompIsDirect(const snFlexcomp* f) {
  return f->type == snFLEXCOMP_DIRECT || f->type == snFLEXCOMP_MESH || f->type == snFLEXCOMP_GMSH;
}

// Read a flexcomp element and add what it generates to a body. Joints and geoms are of the class that
// the body gives to its children.
void sn_mjcfFlexcomp(snReader* r, const snXmlNode* node, snsBody* body);

// The functions below return 0 after an error.

// Points, elements and texture coordinates of the shape.
int sn_flexcompShape(snFlexcomp* f);
int sn_flexcompFile(snFlexcomp* f);
// Append to the points, the elements.
int sn_flexcompAddPoint(snFlexcomp* f, double x, double y, double z);
int sn_flexcompAddElement(snFlexcomp* f, int n, const int* ids);
// Flags of the pinned points and nodes.
int sn_flexcompPins(snFlexcomp* f);
// Bodies of points and nodes with their joints.
int sn_flexcompBodies(snFlexcomp* f);

// Where messages say that a generated element comes from: the flexcomp. MuJoCo does not say.
void sn_flexcompSource(const snFlexcomp* f, snElem* e);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_FLEXCOMP_H_
