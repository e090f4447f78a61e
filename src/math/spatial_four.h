// Spatial algebra for four bodies at a time.
//
// Each number of a formula is a vector whose lanes belong to four bodies. Results are those of one body after
// the other, to the bit. Functions are parts of kernels (SN_WIDE), which decide how wide the vectors of the
// machine are; compilers without vectors leave them out (SN_HAS_FOUR), and bodies go one by one.

#ifndef SINEW_MATH_SPATIAL_FOUR_H_
#define SINEW_MATH_SPATIAL_FOUR_H_

#include "math/four.h"
#include "math/quat.h"
#include "math/spatial.h"

#if SN_HAS_FOUR

#define SN_NUMBER snFour
#define SN_FORMULA(name) SN_KERNEL void sn_##name##Four
#include "math/quat_formulas.h"
#include "math/spatial_formulas.h"
#undef SN_NUMBER
#undef SN_FORMULA

// what a comparison of four numbers gives: all bits of a lane or none
typedef __typeof__(SN_LOAD4((const snReal*)0) < SN_LOAD4((const snReal*)0)) snFourMask;

// Where vectors have fewer lanes the compiler fills x number by number, and takes it to be read before.
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// Elements at[0] to at[3] of an array whose elements are n numbers each.
SN_KERNEL void sn_takeFour(snFour* res, const snReal* array, const int at[4], int n) {
  const snReal *a = array + (snSize)n * at[0], *b = array + (snSize)n * at[1];
  const snReal *c = array + (snSize)n * at[2], *d = array + (snSize)n * at[3];
  int k = 0;
#if SN_HAS_SHUFFLES
#pragma GCC unroll 5
  for (; k + 2 <= n; k += 2) {  // two numbers of each at once
    snFour x = __builtin_shufflevector(SN_LOAD2(a + k), SN_LOAD2(c + k), 0, 1, 2, 3);
    snFour y = __builtin_shufflevector(SN_LOAD2(b + k), SN_LOAD2(d + k), 0, 1, 2, 3);
    res[k] = __builtin_shufflevector(x, y, 0, 4, 2, 6);
    res[k + 1] = __builtin_shufflevector(x, y, 1, 5, 3, 7);
  }
#endif
#pragma GCC unroll 10
  for (; k < n; k++) {
    snFour x = {a[k], b[k], c[k], d[k]};
    res[k] = x;
  }
}

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

SN_KERNEL void sn_storeFour(snReal* array, const int at[4], const snFour* from, int n) {
  snReal *a = array + (snSize)n * at[0], *b = array + (snSize)n * at[1];
  snReal *c = array + (snSize)n * at[2], *d = array + (snSize)n * at[3];
  int k = 0;
#if SN_HAS_SHUFFLES
#pragma GCC unroll 5
  for (; k + 2 <= n; k += 2) {
    snFour x = __builtin_shufflevector(from[k], from[k + 1], 0, 4, 2, 6);
    snFour y = __builtin_shufflevector(from[k], from[k + 1], 1, 5, 3, 7);
    *(snTwo*)(a + k) = __builtin_shufflevector(x, x, 0, 1);
    *(snTwo*)(b + k) = __builtin_shufflevector(y, y, 0, 1);
    *(snTwo*)(c + k) = __builtin_shufflevector(x, x, 2, 3);
    *(snTwo*)(d + k) = __builtin_shufflevector(y, y, 2, 3);
  }
#endif
#pragma GCC unroll 10
  for (; k < n; k++) {
    a[k] = from[k][0];
    b[k] = from[k][1];
    c[k] = from[k][2];
    d[k] = from[k][3];
  }
}

// snu_quat2Mat: exactly the identity for a unit quaternion, zeros without signs included
SN_KERNEL void sn_quat2MatFour(snFour mat[9], const snFour quat[4]) {
  snFour zero = {0, 0, 0, 0}, one = {1, 1, 1, 1};
  snFourMask other = (quat[0] != one) | (quat[1] != zero) | (quat[2] != zero) | (quat[3] != zero);
  sn_quatMatrixFour(mat, quat);
#pragma GCC unroll 9
  for (int k = 1; k < 8; k++) {
    if (k != 4) mat[k] = (snFour)((snFourMask)mat[k] & other);
  }
}

// sn_bodyForce: I a + v x* (I v)
SN_KERNEL void sn_bodyForceFour(snFour force[6], const snFour inertia[10], const snFour vel[6],
                                const snFour acc[6]) {
  snFour momentum[6], gyroscopic[6];
  sn_mulInertVecFour(force, inertia, acc);
  sn_mulInertVecFour(momentum, inertia, vel);
  sn_crossForceFour(gyroscopic, vel, momentum);
#pragma GCC unroll 6
  for (int k = 0; k < 6; k++) force[k] += gyroscopic[k];
}

#endif  // SN_HAS_FOUR

#endif  // SINEW_MATH_SPATIAL_FOUR_H_
