// Cells of directions: a cube around the origin, whose faces are divided into four by four. And the size of hulls
// that are searched whole.

#ifndef SINEW_MATH_CELL_H_
#define SINEW_MATH_CELL_H_

#include "base/assert.h"
#include "math/libm.h"
#include "sinew/types.h"

// Most vertices of a hull in mesh_hullvert, and the fewest faces: their blocks of eight take 3 nvert + 21 numbers, the
// hull's part of mesh_graph 2 + 3 nvert + 6 nface.
enum { snHULLTABLE = 64, snHULLFACES = 4 };

enum { snCELLS_SIDE = 4, snCELLS = 6 * snCELLS_SIDE * snCELLS_SIDE };

// Larger hulls are searched in part. Their blocks, of vertices that are close to one another, are followed by the number
// in the hull of each vertex in them, and by a list for every cell: how many blocks have vertices that may be the
// highest along a direction of the cell, and which (0: too many). Numbers of blocks and vertices are stored as float.
enum { snCELLBLOCKS = 20, snHULLMOST = 4096 };

static inline int sn_hullBlocks(int nvert) { return (int)(((unsigned)nvert + 7) / 8); }

// numbers from one list to the next
static inline int sn_cellStride(int nvert, int nface) {
  return (2 + 3 * nvert + 6 * nface - 32 * sn_hullBlocks(nvert)) / snCELLS;
}

// place of x among the four parts of [-size, size]
static inline int sn_cellPart(snReal x, snReal size) {
  snReal half = (snReal)0.5 * size;
  return (x > -half) + (x > 0) + (x > half);
}

// The cell of a direction, from 0 to snCELLS - 1, whatever the numbers are.
static inline int sn_cellOf(const snReal direction[3]) {
  snReal x = snu_abs(direction[0]), y = snu_abs(direction[1]), z = snu_abs(direction[2]);
  int axis = z > (y > x ? y : x) ? 2 : y > x;
  int second = axis == 2 ? 0 : axis + 1, third = axis == 0 ? 2 : axis - 1;
  snReal size = snu_abs(direction[axis]);
  return ((2 * axis + (direction[axis] > 0)) * snCELLS_SIDE +
          sn_cellPart(direction[second], size)) *
             snCELLS_SIDE +
         sn_cellPart(direction[third], size);
}

// A direction in the middle of a cell.
static inline void sn_cellMiddle(snReal direction[3], int cell) {
  SN_ASSERT_INDEX(cell, snCELLS);
  int part = cell % snCELLS_SIDE, other = cell / snCELLS_SIDE % snCELLS_SIDE;
  int face = cell / (snCELLS_SIDE * snCELLS_SIDE), axis = face / 2;
  direction[axis] = face % 2 ? 1 : -1;
  direction[axis == 2 ? 0 : axis + 1] = (snReal)(2 * other + 1 - snCELLS_SIDE) / snCELLS_SIDE;
  direction[axis == 0 ? 2 : axis - 1] = (snReal)(2 * part + 1 - snCELLS_SIDE) / snCELLS_SIDE;
}

#endif  // SINEW_MATH_CELL_H_
