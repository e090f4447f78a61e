// Spatial algebra: 6-vectors with the rotational half first, motion [w; v], force [t; f].
//
// "Com-based" vectors are expressed in a world-oriented frame at the centre of mass of the whole
// kinematic tree. An inertia is ten numbers: Ixx Iyy Izz Ixy Ixz Iyz, m*d (3), m.

#ifndef SINEW_MATH_SPATIAL_H_
#define SINEW_MATH_SPATIAL_H_

#include "math/mat.h"

SN_EXTERN_C_BEGIN

SN_INLINE void sn_zero6(snReal res[6]) {
  for (int i = 0; i < 6; i++) res[i] = 0;
}

SN_INLINE void sn_copy6(snReal res[6], const snReal vec[6]) {
  for (int i = 0; i < 6; i++) res[i] = vec[i];
}

SN_INLINE void sn_addTo6(snReal res[6], const snReal vec[6]) {
  for (int i = 0; i < 6; i++) res[i] += vec[i];
}

SN_INLINE void sn_addToScl6(snReal res[6], const snReal vec[6], snReal scl) {
  for (int i = 0; i < 6; i++) res[i] += vec[i] * scl;
}

// Results are collected before they are stored: the compiler may not assume that they lie apart from
// the arguments.

// [w; v] x [a; b] = [w x a; w x b + v x a]; res aliases neither
SN_INLINE void sn_crossMotion(snReal res[6], const snReal vel[6], const snReal v[6]) {
  snReal r0 = -vel[2] * v[1] + vel[1] * v[2];
  snReal r1 = vel[2] * v[0] - vel[0] * v[2];
  snReal r2 = -vel[1] * v[0] + vel[0] * v[1];
  snReal r3 = (-vel[2] * v[4] + vel[1] * v[5]) + (-vel[5] * v[1] + vel[4] * v[2]);
  snReal r4 = (vel[2] * v[3] - vel[0] * v[5]) + (vel[5] * v[0] - vel[3] * v[2]);
  snReal r5 = (-vel[1] * v[3] + vel[0] * v[4]) + (-vel[4] * v[0] + vel[3] * v[1]);
  res[0] = r0;
  res[1] = r1;
  res[2] = r2;
  res[3] = r3;
  res[4] = r4;
  res[5] = r5;
}

// [w; v] x* [t; f] = [w x t + v x f; w x f]; res aliases neither
SN_INLINE void sn_crossForce(snReal res[6], const snReal vel[6], const snReal f[6]) {
  snReal r0 = (-vel[2] * f[1] + vel[1] * f[2]) + (-vel[5] * f[4] + vel[4] * f[5]);
  snReal r1 = (vel[2] * f[0] - vel[0] * f[2]) + (vel[5] * f[3] - vel[3] * f[5]);
  snReal r2 = (-vel[1] * f[0] + vel[0] * f[1]) + (-vel[4] * f[3] + vel[3] * f[4]);
  snReal r3 = -vel[2] * f[4] + vel[1] * f[5];
  snReal r4 = vel[2] * f[3] - vel[0] * f[5];
  snReal r5 = -vel[1] * f[3] + vel[0] * f[4];
  res[0] = r0;
  res[1] = r1;
  res[2] = r2;
  res[3] = r3;
  res[4] = r4;
  res[5] = r5;
}

// com-based inertia of a body: diagonal inertia in frame mat, mass at offset dif from the com
SN_INLINE void sn_inertCom(snReal res[10], const snReal inert[3], const snReal mat[9],
                           const snReal dif[3], snReal mass) {
  // R diag(J) R'
  snReal s[9] = {mat[0] * inert[0], mat[3] * inert[0], mat[6] * inert[0],
                 mat[1] * inert[1], mat[4] * inert[1], mat[7] * inert[1],
                 mat[2] * inert[2], mat[5] * inert[2], mat[8] * inert[2]};
  snReal xx = mat[0] * s[0] + mat[1] * s[3] + mat[2] * s[6];
  snReal yy = mat[3] * s[1] + mat[4] * s[4] + mat[5] * s[7];
  snReal zz = mat[6] * s[2] + mat[7] * s[5] + mat[8] * s[8];
  snReal xy = mat[0] * s[1] + mat[1] * s[4] + mat[2] * s[7];
  snReal xz = mat[0] * s[2] + mat[1] * s[5] + mat[2] * s[8];
  snReal yz = mat[3] * s[2] + mat[4] * s[5] + mat[5] * s[8];
  // parallel axes: m (d.d E - d d')
  snReal x = dif[0], y = dif[1], z = dif[2];
  res[0] = xx + mass * (y * y + z * z);
  res[1] = yy + mass * (x * x + z * z);
  res[2] = zz + mass * (x * x + y * y);
  res[3] = xy - mass * x * y;
  res[4] = xz - mass * x * z;
  res[5] = yz - mass * y * z;
  res[6] = mass * x;
  res[7] = mass * y;
  res[8] = mass * z;
  res[9] = mass;
}

// inertia times motion: [I w + c x v; m v - c x w]; res does not alias v
SN_INLINE void sn_mulInertVec(snReal res[6], const snReal i[10], const snReal v[6]) {
  res[0] = i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5];
  res[1] = i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5];
  res[2] = i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4];
  res[3] = i[8] * v[1] - i[7] * v[2] + i[9] * v[3];
  res[4] = i[6] * v[2] - i[8] * v[0] + i[9] * v[4];
  res[5] = i[7] * v[0] - i[6] * v[1] + i[9] * v[5];
}

// motion of a dof about the com: rotational [axis; axis x offset], or translational [0; axis] when
// offset is NULL
SN_INLINE void sn_dofCom(snReal res[6], const snReal axis[3], const snReal* offset) {
  if (offset) {
    snu_copy3(res, axis);
    snu_cross(res + 3, axis, offset);
  } else {
    snu_zero3(res);
    snu_copy3(res + 3, axis);
  }
}

// res = sum over n dofs of dof * velocity (6-vectors)
SN_INLINE void sn_mulDofVec(snReal res[6], const snReal* dof, const snReal* vec, int n) {
  sn_zero6(res);
  for (int i = 0; i < n; i++) sn_addToScl6(res, dof + 6 * i, vec[i]);
}

// res may not alias vec
SN_INLINE void snu_transformSpatial(snReal res[6], const snReal vec[6], int flg_force,
                                    const snReal newpos[3], const snReal oldpos[3],
                                    const snReal rotnew2old[9]) {
  snReal dif[3], cros[3], upper[3] = {vec[0], vec[1], vec[2]}, lower[3] = {vec[3], vec[4], vec[5]};
  snu_sub3(dif, newpos, oldpos);
  if (flg_force) {
    snu_cross(cros, dif, lower);
    snu_subFrom3(upper, cros);
  } else {
    snu_cross(cros, dif, upper);
    snu_subFrom3(lower, cros);
  }
  if (rotnew2old) {
    snu_mulMatTVec3(res, rotnew2old, upper);
    snu_mulMatTVec3(res + 3, rotnew2old, lower);
  } else {
    snu_copy3(res, upper);
    snu_copy3(res + 3, lower);
  }
}

SN_EXTERN_C_END

#endif  // SINEW_MATH_SPATIAL_H_
