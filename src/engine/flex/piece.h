// The pieces that a flex is made of, elements and flaps: their corners, and what they add to each vertex.
//
// A flap is an edge with the two triangles beside it: corners are both ends of the edge, then the vertices
// opposite. Vertices are counted over all flexes.

#ifndef SINEW_ENGINE_FLEX_PIECE_H_
#define SINEW_ENGINE_FLEX_PIECE_H_

#include "engine/flex/element.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Returns how many corners there are.
static inline int sn_elementCorners(const snModel* m, int flex, int element, int vertex[4]) {
  int count = m->flex_dim[flex] + 1;
  const int* corner = m->flex_elem + m->flex_elemdataadr[flex] + count * element;
  for (int c = 0; c < count; c++) vertex[c] = m->flex_vertadr[flex] + corner[c];
  return count;
}

// Returns 0 for an edge on the border, which has no flap; edge over all flexes.
static inline int sn_flapCorners(const snModel* m, int flex, int edge, int vertex[4]) {
  if (m->flex_edgeflap[2 * edge + 1] < 0) return 0;
  for (int c = 0; c < 2; c++) {
    vertex[c] = m->flex_vertadr[flex] + m->flex_edge[2 * edge + c];
    vertex[c + 2] = m->flex_vertadr[flex] + m->flex_edgeflap[2 * edge + c];
  }
  return 1;
}

// Three numbers of each corner of a flap from an array over vertices, as flex/law.h has them: x, y, z of all four.
static inline void sn_loadFlap(const int vertex[4], const snReal* array, snReal x[12]) {
  for (int k = 0; k < 12; k++) x[k] = array[3 * vertex[k & 3] + (k >> 2)];
}

// The coefficients of the flap of an edge.
static inline const snReal* sn_flapLaw(const snModel* m, int edge) {
  return m->flex_bending + 17 * (snSize)edge;
}

// An element where it is now, and its corners.
void sn_flexElement(const snModel* m, const snData* d, int flex, int element, snElement* e,
                    int vertex[4]);

// Its stretches, by the law of its flex.
void sn_flexModes(const snModel* m, int flex, const snElement* e, snModes* modes);

// Coefficients mu and lambda of the viscosity of a flex, for sn_viscousStress.
void sn_flexViscosity(const snModel* m, int flex, snReal lame[2]);

// force(vertex) += parts of the elements that have it: 3 numbers for each corner of each element of the flex
void sn_collectElements(const snModel* m, int flex, const snReal* part, snReal* force);

// force(vertex) -= scale * parts of the flaps that have it: 12 numbers for each edge of the flex, as flex/law.h
// has them
void sn_collectFlaps(const snModel* m, int flex, const snReal* part, snReal scale, snReal* force);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_FLEX_PIECE_H_
