// Flexes on their way from the spec to the model.
//
// A flex is a mesh of lines, triangles or tetrahedra whose vertices sit on bodies, or are
// interpolated between 8 or 27 nodes that sit on bodies. flex.c checks the attributes and finds the
// positions at rest, flex_topology.c derives edges, flaps, shell and layers, flex_box.c the bounding
// volume tree and the coordinates in the rest box, flex_stiffness.c the elastic coefficients,
// flex_material.c those of laws that MuJoCo has not, and
// flex_table.c writes all of it into the model. flex_constant.c fills what sn_setConst derives from
// the model alone.
//
// Ids of vertices, edges and elements are local to the flex; positions are in the world frame, with
// all joints at their reference.

#ifndef SINEW_COMPILE_FLEX_H_
#define SINEW_COMPILE_FLEX_H_

#include "compile/compiler.h"
#include "model/flex_lists.h"

SN_EXTERN_C_BEGIN

struct snFlexItem_ {
  snElem* elem;
  snsFlex spec;
  int matid;
  int elasticlaw;                     // flex_elasticmodel
  int bendinglaw;                     // flex_bendingmodel
  double elasticparam[snNFLEXPARAM];  // resolved
  double bendingparam[snNFLEXPARAM];
  int order;        // of interpolation between nodes; 0: vertices are on bodies
  snByte rigid;     // all vertices on one body
  snByte centered;  // vertices (nodes when interpolated) at the origins of their bodies
  int equality;     // what an equality constrains: 0 nothing, 1 edges, 2 vertices
  int nvert, nnode, nelem, nedge;
  int ntexcoord;
  snBodyItem** vertbody;  // nvert
  snBodyItem** nodebody;  // nnode
  double* vert;           // nvert x 3: positions at rest
  double* node;           // nnode x 3

  // flex_topology.c
  int* element;   // nelem x (dim + 1): as given, tetrahedra turned outwards
  int* edge;      // nedge x 2: smaller vertex first
  int* elemedge;  // nelem x {1, 3, 6}
  int* stencil;   // dim 2: nedge x 4: ends in the order of the first triangle, opposite vertices
  int* layer;     // nelem
  int* shell;     // nshell x dim
  int nshell;
  int* evpair;  // nevpair x 2: element, vertex
  int nevpair;

  // flex_box.c
  snBvh bvh;
  double size[3];
  double* vert0;  // nvert x 3

  // flex_stiffness.c
  double* stiffness;  // nelem x 21, NULL: all zero
  double* bending;    // nedge x 17, NULL: all zero
};

// ends of the local edges of an element, by dimension
extern const int sn_flexEdge[4][6][2];

int sn_makeFlexTopology(snCompiler* c, snFlexItem* flex);
int sn_makeFlexBox(snCompiler* c, snFlexItem* flex);
int sn_makeFlexStiffness(snCompiler* c, snFlexItem* flex);

// flex_material.c: laws of model/flex_laws.h. Find those that the flex names and their parameters; fill in
// stiffness and bending for them.
int sn_findFlexLaws(snCompiler* c, snFlexItem* flex);
int sn_makeFlexMaterial(snCompiler* c, snFlexItem* flex);
int sn_makeFlexHinges(snCompiler* c, snFlexItem* flex);

SN_EXTERN_C_END

#endif  // SINEW_COMPILE_FLEX_H_
