// Lists by which the engine collects forces of flexes.

#ifndef SINEW_MODEL_FLEX_LISTS_H_
#define SINEW_MODEL_FLEX_LISTS_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// edges of an element, by dimension: a segment, a triangle, a tetrahedron
extern const int sn_flexEdgeNum[4];

// Fill the lists of edges, vertices and dofs (the last fields of the model); the topology of the flexes
// and the pattern of flexedge_J must be there.
void sn_setFlexLists(snModel* m);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_FLEX_LISTS_H_
