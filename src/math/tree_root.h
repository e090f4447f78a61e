// The block of rows at the root of a tree, of which all others descend: the dofs of a free joint, the sliders and the
// hinge of a planar one, the first joints of an arm. Every other row begins with the columns of the block, so that these
// stay in registers while the rows pass by. The sums are those of runs (tree.c).

#ifndef SINEW_MATH_TREE_ROOT_H_
#define SINEW_MATH_TREE_ROOT_H_

#include "base/assert.h"
#include "math/four.h"

// rows of a block
enum { SN_MAX_ROOT = 6 };

// The rows [first, r] of the tree of row r: how many at their beginning, from 2 to SN_MAX_ROOT, form a chain that all
// others descend from; 0 when there are none, or when rows of other trees lie between.
SN_KERNEL int sn_rootBlock(int first, int r, const int* rownnz, const int* rowadr,
                           const int* colind) {
  SN_ASSERT(first >= 0 && first <= r);
  int count = 1, rows = r - first + 1, most = rows < SN_MAX_ROOT ? rows : SN_MAX_ROOT;
  while (count < most && rownnz[first + count] == count + 1) count++;
  for (int k = first + count; k <= r; k++) {
    const int* col = colind + rowadr[k];
    if (rownnz[k] < count) count = rownnz[k];
    while (count && col[count - 1] != first + count - 1) count--;
  }
  if (count == 5) count = 4;
  if (!SN_HAS_FOUR && count > 2) count = 2;
  return count < 2 ? 0 : count;
}

// Two rows, then the rows [first + 2, end) that descend from them.
SN_KERNEL void sn_factorRootTwo(snReal* LD, snReal* LDiagInv, int first, int end,
                                const int* rowadr) {
  snReal *A = LD + rowadr[first], *B = LD + rowadr[first + 1], *D = LDiagInv + first;
  snReal a = A[0], b = B[0], c = B[1];
  for (int k = end - 1; k >= first + 2; k--) {
    snReal *row = LD + rowadr[k], u0 = row[0], u1 = row[1];
    snReal L0 = row[0] = u0 * LDiagInv[k], L1 = row[1] = u1 * LDiagInv[k];
    c -= L1 * u1;
    b -= L1 * u0;
    a -= L0 * u0;
  }
  B[1] = c;
  D[1] = 1 / c;
  snReal L = B[0] = b * D[1];
  A[0] = a - L * b;
  D[0] = 1 / A[0];
}

#if SN_HAS_FOUR
// Rows of the block, columns 0 to 3. Columns behind the diagonal of a row hold anything.
typedef struct snRoot_ {
  snFour row[SN_MAX_ROOT];
} snRoot;

// what row u, the factor of which is L, leaves in the rows before it, or in all four
SN_KERNEL void sn_leave(snRoot* a, const snFour* u, const snFour* L, int count) {
  a->row[0] -= *u * (*L)[0];
  if (count > 1) a->row[1] -= *u * (*L)[1];
  if (count > 2) a->row[2] -= *u * (*L)[2];
  if (count > 3) a->row[3] -= *u * (*L)[3];
}

// factor count rows, three or four
SN_KERNEL void sn_factorRows(snRoot* a, snReal* A, snReal* D, int count) {
  if (count == 4) {
    snFour u = a->row[3], L = u * (D[3] = 1 / u[3]);
    sn_leave(a, &u, &L, 3);
    L[3] = u[3];
    *(snFour*)(A + 6) = L;
  }
  snFour u = a->row[2], L = u * (D[2] = 1 / u[2]);
  sn_leave(a, &u, &L, 2);
  A[3] = L[0], A[4] = L[1], A[5] = u[2];
  snReal c = a->row[1][1], b = a->row[1][0];
  D[1] = 1 / c;
  A[1] = b * D[1], A[2] = c;
  A[0] = a->row[0][0] - b * A[1];
  D[0] = 1 / A[0];
}

// Three or four rows, behind one another.
SN_KERNEL void sn_factorRootFour(snReal* LD, snReal* LDiagInv, int first, int end,
                                 const int* rowadr, int count) {
  SN_ASSERT(count >= 3 && count <= 4 && rowadr[first + 2] == rowadr[first] + 3);
  snReal* A = LD + rowadr[first];
  snFour third = {A[3], A[4], A[5], 0};
  snRoot a;
  a.row[0] = SN_LOAD4(A);
  a.row[1] = SN_LOAD4(A + 1);
  a.row[2] = count == 4 ? SN_LOAD4(A + 3) : third;
  if (count == 4) a.row[3] = SN_LOAD4(A + 6);
  for (int k = end - 1; k >= first + count; k--) {
    snReal* row = LD + rowadr[k];
    snFour u = SN_LOAD4(row), L = u * LDiagInv[k];
    sn_leave(&a, &u, &L, count);
    if (count == 3) L[3] = u[3];  // no column of the block
    *(snFour*)row = L;
  }
  sn_factorRows(&a, A, LDiagInv + first, count);
}

// Six rows, behind one another; columns 4 and 5 are apart.
SN_KERNEL void sn_factorRootSix(snReal* LD, snReal* LDiagInv, int first, int end,
                                const int* rowadr) {
  SN_ASSERT(rowadr[first + 5] == rowadr[first] + 15);
  snReal *A = LD + rowadr[first], *D = LDiagInv + first;
  snRoot a = {{SN_LOAD4(A), SN_LOAD4(A + 1), SN_LOAD4(A + 3), SN_LOAD4(A + 6), SN_LOAD4(A + 10),
               SN_LOAD4(A + 15)}};
  snReal d4 = A[14], b5 = A[19], d5 = A[20];
  for (int k = end - 1; k >= first + 6; k--) {
    snReal *row = LD + rowadr[k], u4 = row[4], u5 = row[5];
    snReal L4 = row[4] = u4 * LDiagInv[k], L5 = row[5] = u5 * LDiagInv[k];
    snFour u = SN_LOAD4(row), L = u * LDiagInv[k];
    *(snFour*)row = L;
    sn_leave(&a, &u, &L, 4);
    a.row[4] -= u * L4;
    a.row[5] -= u * L5;
    d4 -= u4 * L4;
    b5 -= u4 * L5;
    d5 -= u5 * L5;
  }
  D[5] = 1 / d5;
  snReal L5 = b5 * D[5];
  snFour L = a.row[5] * D[5];
  *(snFour*)(A + 15) = L;
  A[19] = L5, A[20] = d5;
  sn_leave(&a, &a.row[5], &L, 4);
  a.row[4] -= a.row[5] * L5;
  d4 -= b5 * L5;

  D[4] = 1 / d4;
  L = a.row[4] * D[4];
  *(snFour*)(A + 10) = L;
  A[14] = d4;
  sn_leave(&a, &a.row[4], &L, 4);
  sn_factorRows(&a, A, D, 4);
}
#endif

// Factor the block of a tree of rows [first, end), whose other rows are factored but for the columns of the block.
SN_KERNEL void sn_factorRoot(snReal* LD, snReal* LDiagInv, int first, int end, const int* rowadr,
                             int count) {
  switch (count) {
#if SN_HAS_FOUR
    case 6: sn_factorRootSix(LD, LDiagInv, first, end, rowadr); break;
    case 4: sn_factorRootFour(LD, LDiagInv, first, end, rowadr, 4); break;
    case 3: sn_factorRootFour(LD, LDiagInv, first, end, rowadr, 3); break;
#endif
    default:
      SN_ASSERT(count == 2);
      sn_factorRootTwo(LD, LDiagInv, first, end, rowadr);
      break;
  }
}

#endif  // SINEW_MATH_TREE_ROOT_H_
