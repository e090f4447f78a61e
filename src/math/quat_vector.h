// Quaternions (w, x, y, z) and rotated vectors in one register each.
//
// Every function gives the bits of its namesake in math/quat.h, but for the signs of zeros where that one takes a short
// cut. A difference a - b is a + (-b) here, which is the same number. Functions are parts of kernels (SN_WIDE); compilers
// without shuffles leave them out (SN_HAS_SHUFFLES).

#ifndef SINEW_MATH_QUAT_VECTOR_H_
#define SINEW_MATH_QUAT_VECTOR_H_

#include "math/quat.h"
#include "math/three.h"

#if SN_HAS_SHUFFLES

typedef snFour snQuat;

// a with other signs where flip has -1
SN_KERNEL snFour sn_flipSigns(snFour a, snFour flip) {
  typedef __typeof__(a >= a) Bits;
  const snFour zero = {0, 0, 0, 0}, sign = -zero;
  return (snFour)((Bits)a ^ ((Bits)flip & (Bits)sign));
}

// no rotation: then a vector stays as it is, even where it is not a number
SN_KERNEL int sn_quatIsUnit(snQuat quat) {
  return quat[0] == 1 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0;
}

// snu_rotVecQuat: t = w v + u x v, result v + 2 u x t
SN_KERNEL snThree sn_threeRotate(snThree v, snQuat quat) {
  snFour u_yzx = __builtin_shufflevector(quat, quat, 2, 3, 1, 0);
  snFour u_zxy = __builtin_shufflevector(quat, quat, 3, 1, 2, 0);
  snThree t = v * quat[0] + u_yzx * sn_threeZxy(v) - u_zxy * sn_threeYzx(v);
  snThree cross = u_yzx * sn_threeZxy(t) - u_zxy * sn_threeYzx(t);
  return v + (cross + cross);
}

// snu_mulQuat
SN_KERNEL snQuat sn_quatMul(snQuat a, snQuat b) {
  const snFour flip1 = {-1, 1, -1, 1}, flip2 = {-1, 1, 1, -1}, flip3 = {-1, -1, 1, 1};
  snFour b1 = __builtin_shufflevector(b, b, 1, 0, 3, 2);
  snFour b2 = __builtin_shufflevector(b, b, 2, 3, 0, 1);
  snFour b3 = __builtin_shufflevector(b, b, 3, 2, 1, 0);
  return b * a[0] + sn_flipSigns(b1 * a[1], flip1) + sn_flipSigns(b2 * a[2], flip2) +
         sn_flipSigns(b3 * a[3], flip3);
}

// rotation about an axis, by sine and cosine of half the angle
SN_KERNEL snQuat sn_quatAbout(snThree axis, snReal sine, snReal cosine) {
  snFour scaled = axis * sine;
  snQuat quat = __builtin_shufflevector(scaled, scaled, 3, 0, 1, 2);
  quat[0] = cosine;
  return quat;
}

// snu_normalize4
SN_KERNEL snQuat sn_quatNormalized(snQuat quat) {
  snFour square = quat * quat;
  snReal norm = snu_sqrt(square[0] + square[1] + square[2] + square[3]);
  if (norm < (snReal)snMINVAL) {
    const snQuat unit = {1, 0, 0, 0};
    return unit;
  }
  if (snu_abs(norm - 1) > (snReal)snMINVAL) quat *= 1 / norm;
  return quat;
}

// the rows of snu_quat2Mat
SN_KERNEL void sn_quatToRows(snThree mat[3], snQuat quat) {
  if (sn_quatIsUnit(quat)) {
    mat[0] = sn_three(1, 0, 0);
    mat[1] = sn_three(0, 1, 0);
    mat[2] = sn_three(0, 0, 1);
    return;
  }
  const snFour flip1 = {1, -1, -1, 1}, flip2 = {-1, 1, -1, 1}, flip3 = {-1, -1, 1, 1};
  snFour q = quat, square = q * q;
  // {q12, q23, q13} and {q03, q01, q02}
  snFour a = __builtin_shufflevector(q, q, 1, 2, 1, 0) * __builtin_shufflevector(q, q, 2, 3, 3, 0);
  snFour b = __builtin_shufflevector(q, q, 3, 1, 2, 0) * q[0];
  snFour sum = a + b, difference = a - b;
  difference = __builtin_shufflevector(difference, difference, 2, 0, 1, 3);
  sum += sum;
  difference += difference;
  snFour w = __builtin_shufflevector(square, square, 0, 0, 0, 0);
  snFour x = __builtin_shufflevector(square, square, 1, 1, 1, 1);
  snFour y = __builtin_shufflevector(square, square, 2, 2, 2, 2);
  snFour z = __builtin_shufflevector(square, square, 3, 3, 3, 3);
  snFour diagonal = w + sn_flipSigns(x, flip1) + sn_flipSigns(y, flip2) + sn_flipSigns(z, flip3);
  snFour row = __builtin_shufflevector(diagonal, difference, 0, 5, 2, 3);
  mat[0] = __builtin_shufflevector(row, sum, 0, 1, 6, 3);
  row = __builtin_shufflevector(sum, diagonal, 0, 5, 2, 3);
  mat[1] = __builtin_shufflevector(row, difference, 0, 1, 6, 3);
  row = __builtin_shufflevector(difference, sum, 0, 5, 2, 3);
  mat[2] = __builtin_shufflevector(row, diagonal, 0, 1, 6, 3);
}

// snu_mulMatVec3, of a matrix by its rows
SN_KERNEL snThree sn_threeTurn(const snThree mat[3], snThree v) {
  snFour x = mat[0] * v, y = mat[1] * v, z = mat[2] * v;
  snFour low = __builtin_shufflevector(x, y, 0, 4, 2, 6);   // {x0, y0, x2, y2}
  snFour high = __builtin_shufflevector(x, y, 1, 5, 3, 7);  // {x1, y1, ..}
  snFour back = __builtin_shufflevector(z, z, 1, 0, 3, 2);
  return __builtin_shufflevector(low, z, 0, 1, 4, 5) +
         __builtin_shufflevector(high, back, 0, 1, 4, 5) +
         __builtin_shufflevector(low, z, 2, 3, 6, 7);
}

#endif  // SN_HAS_SHUFFLES

#endif  // SINEW_MATH_QUAT_VECTOR_H_
