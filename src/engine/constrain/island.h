// Islands in two steps: island_graph.c finds the trees of each, island.c numbers their dofs and rows.

#ifndef SINEW_ENGINE_CONSTRAIN_ISLAND_H_
#define SINEW_ENGINE_CONSTRAIN_ISLAND_H_

#include "engine/constrain/constraint.h"

SN_EXTERN_C_BEGIN

// A block of rows, and the trees that it names; -1: none.
//
// Threads list the blocks of the rows that they have at hand, in an array with room for a block for each row. Blocks of
// rows [a, b) are listed from place a on; where there are fewer blocks than rows, one of no rows follows them, whose `row`
// is b: the list goes on there.
typedef struct snRowBlock_ {
  int row, size;
  int nnz;      // of each row
  int columns;  // it has columns instead of trees
  int tree[2];
} snRowBlock;

// The island of every tree (-1: no row touches it) and a tree of every row (-1: it touches none; one lane: only of the
// first row of every block). label: scratch, one number per tree. blocks: listed if threads share the rows (NULL: they do
// not); *listed: whether they did. Returns the number of islands.
SN_FN int sn_findIslands(const snModel* m, snData* d, int* row_tree, int* label, int* tree_island,
                         snRowBlock* blocks, int* listed);

// One thread lists all blocks.
SN_FN void sn_listBlocks(const snModel* m, snData* d, snRowBlock* blocks);

SN_EXTERN_C_END

// The place of the first block at place i or after it; n, the number of rows, after the last.
static inline int sn_nextBlock(const snRowBlock* blocks, int i, int n) {
  return i < n && !blocks[i].size ? blocks[i].row : i;
}

// The next row of a lane. A single lane goes to the next block, whose rows all touch the same trees.
static inline int sn_nextRows(const snData* d, int row) {
  return row + (SN_LANES > 1 ? SN_LANES : 1 + d->efc_J_rowsuper[row]);
}

#endif  // SINEW_ENGINE_CONSTRAIN_ISLAND_H_
