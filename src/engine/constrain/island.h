// Islands in two steps: island_graph.c finds the trees of each, island.c numbers their dofs and rows.

#ifndef SINEW_ENGINE_CONSTRAIN_ISLAND_H_
#define SINEW_ENGINE_CONSTRAIN_ISLAND_H_

#include "engine/constrain/constraint.h"

SN_EXTERN_C_BEGIN

// The island of every tree (-1: no row touches it) and a tree of every row (-1: it touches none; one lane: only of the
// first row of every block). label: scratch, one number per tree. Returns the number of islands.
SN_FN int sn_findIslands(const snModel* m, snData* d, int* row_tree, int* label, int* tree_island);

SN_EXTERN_C_END

// The next row of a lane. A single lane goes to the next block, whose rows all touch the same trees.
static inline int sn_nextRows(const snData* d, int row) {
  return row + (SN_LANES > 1 ? SN_LANES : 1 + d->efc_J_rowsuper[row]);
}

#endif  // SINEW_ENGINE_CONSTRAIN_ISLAND_H_
