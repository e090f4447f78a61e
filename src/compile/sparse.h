// Index arrays of the sparse matrices of a model.
//
// All patterns follow from the tree of dofs: row i of M holds the ancestors of i and i; D is its
// full symmetric version; row b of B holds the dofs that move body b or are moved by it.

#ifndef SINEW_COMPILE_SPARSE_H_
#define SINEW_COMPILE_SPARSE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Sizes nM, nC, nD, nB from the tree; the arrays that are read are body_parentid, body_dofadr,
// body_dofnum, dof_bodyid, dof_parentid and dof_simplenum. -1 when a size overflows an int.
int sn_countSparse(snModel* m);

// Fill dof_Madr, M_*, D_*, B_* and the maps between them.
void sn_setSparse(snModel* m);

SN_EXTERN_C_END

#endif  // SINEW_COMPILE_SPARSE_H_
