// A vector of three numbers in one register.
//
// Every function gives the bits of its namesake in math/vec.h or math/mat.h. Where the compiler has no vectors, a
// vector of three is three numbers. Functions are parts of kernels (SN_WIDE).

#ifndef SINEW_MATH_THREE_H_
#define SINEW_MATH_THREE_H_

#include "math/four.h"
#include "math/math.h"

#if SN_HAS_FOUR
// such vectors are passed to and from what becomes part of a kernel alone: how a call would pass them does not matter
#pragma GCC diagnostic ignored "-Wpsabi"

typedef snFour snThree;  // the last number is anything
#define SN_AT(a, i) ((a)[i])

SN_KERNEL snThree sn_three(snReal x, snReal y, snReal z) {
  snThree a = {x, y, z, 0};
  return a;
}

SN_KERNEL snThree sn_threeAdd(snThree a, snThree b) { return a + b; }

SN_KERNEL snThree sn_threeSub(snThree a, snThree b) { return a - b; }

SN_KERNEL snThree sn_threeMul(snThree a, snThree b) { return a * b; }

SN_KERNEL snThree sn_threeScl(snThree a, snReal s) { return a * s; }

SN_KERNEL snThree sn_threeNeg(snThree a) { return -a; }

// a with the signs of b, where 0 counts as positive
SN_KERNEL snThree sn_threeSigned(snThree a, snThree b) {
  snThree zero = {0, 0, 0, 0}, sign = -zero;
  typedef __typeof__(a >= b) Bits;
  return (snThree)((Bits)a ^ ((Bits)sign & ~(b >= zero)));
}

SN_KERNEL snThree sn_threeAbs(snThree a) {
  snThree zero = {0, 0, 0, 0}, sign = -zero;
  typedef __typeof__(a >= a) Bits;
  return (snThree)((Bits)a & ~(Bits)sign);
}

// The same as a store of three numbers where whatever follows them is written later.
SN_KERNEL void sn_threeStoreOver(snReal to[3], snThree a) { *(snFour*)to = a; }
#else
typedef struct snThree_ {
  snReal x[3];
} snThree;
#define SN_AT(a, i) ((a).x[i])

SN_KERNEL snThree sn_three(snReal x, snReal y, snReal z) {
  snThree a = {{x, y, z}};
  return a;
}

SN_KERNEL snThree sn_threeAdd(snThree a, snThree b) {
  return sn_three(a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]);
}

SN_KERNEL snThree sn_threeSub(snThree a, snThree b) {
  return sn_three(a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]);
}

SN_KERNEL snThree sn_threeMul(snThree a, snThree b) {
  return sn_three(a.x[0] * b.x[0], a.x[1] * b.x[1], a.x[2] * b.x[2]);
}

SN_KERNEL snThree sn_threeScl(snThree a, snReal s) {
  return sn_three(a.x[0] * s, a.x[1] * s, a.x[2] * s);
}

SN_KERNEL snThree sn_threeNeg(snThree a) { return sn_three(-a.x[0], -a.x[1], -a.x[2]); }

SN_KERNEL snReal sn_signed(snReal size, snReal number) { return number >= 0 ? size : -size; }

SN_KERNEL snThree sn_threeSigned(snThree a, snThree b) {
  return sn_three(sn_signed(a.x[0], b.x[0]), sn_signed(a.x[1], b.x[1]), sn_signed(a.x[2], b.x[2]));
}

SN_KERNEL snThree sn_threeAbs(snThree a) {
  return sn_three(snu_abs(a.x[0]), snu_abs(a.x[1]), snu_abs(a.x[2]));
}

SN_KERNEL void sn_threeStoreOver(snReal to[3], snThree a) { snu_copy3(to, a.x); }
#endif

SN_KERNEL snThree sn_threeLoad(const snReal from[3]) { return sn_three(from[0], from[1], from[2]); }

// The same of three numbers that a fourth follows.
SN_KERNEL snThree sn_threeLoadOver(const snReal from[4]) {
#if SN_HAS_FOUR
  return SN_LOAD4(from);
#else
  return sn_threeLoad(from);
#endif
}

SN_KERNEL void sn_threeStore(snReal to[3], snThree a) {
  to[0] = SN_AT(a, 0);
  to[1] = SN_AT(a, 1);
  to[2] = SN_AT(a, 2);
}

SN_KERNEL snReal sn_threeDot(snThree a, snThree b) {
  snThree product = sn_threeMul(a, b);
  return SN_AT(product, 0) + SN_AT(product, 1) + SN_AT(product, 2);
}

// mat^T a, of a vector given by its numbers
SN_KERNEL snThree sn_threeTurnBackOf(const snReal mat[9], snReal x, snReal y, snReal z) {
#if SN_HAS_FOUR
  return SN_LOAD4(mat) * x + SN_LOAD4(mat + 3) * y + sn_threeLoad(mat + 6) * z;
#else
  snReal a[3] = {x, y, z};
  snThree result;
  snu_mulMatTVec3(result.x, mat, a);
  return result;
#endif
}

SN_KERNEL snThree sn_threeTurnBack(const snReal mat[9], snThree a) {
  return sn_threeTurnBackOf(mat, SN_AT(a, 0), SN_AT(a, 1), SN_AT(a, 2));
}

#if SN_HAS_SHUFFLES
// a x b = a_yzx b_zxy - a_zxy b_yzx
SN_KERNEL snThree sn_threeYzx(snThree a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }

SN_KERNEL snThree sn_threeZxy(snThree a) { return __builtin_shufflevector(a, a, 2, 0, 1, 3); }

// A spatial vector: rotation and translation, or torque and force.
typedef struct snSix_ {
  snThree upper, lower;
} snSix;

SN_KERNEL snSix sn_sixLoad(const snReal from[6]) {
  snFour last = SN_LOAD4(from + 2);
  snSix a = {SN_LOAD4(from), __builtin_shufflevector(last, last, 1, 2, 3, 0)};
  return a;
}

SN_KERNEL void sn_sixStore(snReal to[6], snSix a) {
  *(snFour*)to = __builtin_shufflevector(a.upper, a.lower, 0, 1, 2, 4);
  *(snTwo*)(to + 4) = __builtin_shufflevector(a.lower, a.lower, 1, 2);
}

// sn_addToScl6
SN_KERNEL void sn_sixAddScl(snSix* to, snSix a, snReal s) {
  to->upper += a.upper * s;
  to->lower += a.lower * s;
}

// sn_crossMotion
SN_KERNEL snSix sn_sixCrossMotion(snSix vel, snSix v) {
  snThree turn_yzx = sn_threeYzx(vel.upper), turn_zxy = sn_threeZxy(vel.upper);
  snThree upper_yzx = sn_threeYzx(v.upper), upper_zxy = sn_threeZxy(v.upper);
  snSix cross = {turn_yzx * upper_zxy - turn_zxy * upper_yzx,
                 (turn_yzx * sn_threeZxy(v.lower) - turn_zxy * sn_threeYzx(v.lower)) +
                     (sn_threeYzx(vel.lower) * upper_zxy - sn_threeZxy(vel.lower) * upper_yzx)};
  return cross;
}
#endif

#endif  // SINEW_MATH_THREE_H_
