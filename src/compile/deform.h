// Deformables in the compiler: their vertices, elements and constraints.

#ifndef SINEW_COMPILE_DEFORM_H_
#define SINEW_COMPILE_DEFORM_H_

#include "compile/compiler.h"

SN_EXTERN_C_BEGIN

enum { snDEFORM_KINDS = snDEFORM_TWIST + 1 };  // of constraints

typedef struct snDeformCon_ {
  int vert[4];  // of the deformable, later of the model; edges have two
  int shear;
  double rest;
  double compliance;
  double coef[4];
} snDeformCon;

typedef struct snDeformCons_ {
  snDeformCon* item;
  int n;
} snDeformCons;

struct snDeformItem_ {
  snElem* elem;
  snsDeformable spec;  // without NaN
  int nvert, nelem;
  int corners;      // of an element
  int first;        // vertex in the model
  double* mass;     // by vertex
  snByte* pinned;   // by vertex
  int* body;        // by vertex: attached to it, or -1
  double* measure;  // by element: length, area, volume
  int* element;     // tetrahedra turned to positive volume
  int* face;        // three vertices each; the third of a piece of a chain is -1
  int nface;
  int* side;  // two vertices each: edges of the faces, pieces of a chain
  int nside;
  snDeformCons con[snDEFORM_KINDS];
};

// All constraints of a model by kind, in the order of their colours.
struct snDeformColors_ {
  snDeformCons con[snDEFORM_KINDS];
  int ncolor[snDEFORM_KINDS];
  int* colornum[snDEFORM_KINDS];
};

// deform_shape.c: measures of elements, masses, constraints
int sn_measureDeformable(snCompiler* c, snDeformItem* item);
int sn_makeDeformConstraints(snCompiler* c, snDeformItem* item);
// deform_face.c: triangles of the surface, pieces of a chain
int sn_makeDeformFaces(snCompiler* c, snDeformItem* item);
// deform_side.c: edges of these
int sn_makeDeformSides(snCompiler* c, snDeformItem* item);
// deform_tether.c: straight paths over edges
int sn_makeDeformTethers(snCompiler* c, snDeformItem* item);
// deform_color.c: colours of the constraints of all deformables
int sn_colorDeformables(snCompiler* c);

// vertices of a constraint of a kind
static inline int sn_deformWidth(int kind) {
  return kind == snDEFORM_LENGTH || kind == snDEFORM_TETHER ? 2 : 4;
}

SN_EXTERN_C_END

#endif  // SINEW_COMPILE_DEFORM_H_
