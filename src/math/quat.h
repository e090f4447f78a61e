// Quaternions (w, x, y, z) and rigid poses.
//
// A unit quaternion maps local to global coordinates. Products are never normalised by themselves.

#ifndef SINEW_MATH_QUAT_H_
#define SINEW_MATH_QUAT_H_

#include "math/vec.h"

SN_EXTERN_C_BEGIN

// Exactly the identity, for short cuts: the lanes of a GPU take the long way together, which gives
// the same.
SN_INLINE int sn_isUnitQuat(const snReal quat[4]) {
#ifdef SN_DEVICE
  (void)quat;
  return 0;
#else
  return quat[0] == 1 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0;
#endif
}

SN_INLINE int sn_isZero3(const snReal vec[3]) {
#ifdef SN_DEVICE
  (void)vec;
  return 0;
#else
  return vec[0] == 0 && vec[1] == 0 && vec[2] == 0;
#endif
}

// t = w v + u x v, result v + 2 u x t; res may alias vec
SN_INLINE void snu_rotVecQuat(snReal res[3], const snReal vec[3], const snReal quat[4]) {
  if (sn_isZero3(vec)) {
    snu_zero3(res);
  } else if (sn_isUnitQuat(quat)) {
    snu_copy3(res, vec);
  } else {
    snReal t[3] = {quat[0] * vec[0] + quat[2] * vec[2] - quat[3] * vec[1],
                   quat[0] * vec[1] + quat[3] * vec[0] - quat[1] * vec[2],
                   quat[0] * vec[2] + quat[1] * vec[1] - quat[2] * vec[0]};
    snReal x = vec[0] + 2 * (quat[2] * t[2] - quat[3] * t[1]);
    snReal y = vec[1] + 2 * (quat[3] * t[0] - quat[1] * t[2]);
    snReal z = vec[2] + 2 * (quat[1] * t[1] - quat[2] * t[0]);
    res[0] = x;
    res[1] = y;
    res[2] = z;
  }
}

SN_INLINE void snu_negQuat(snReal res[4], const snReal quat[4]) {
  res[0] = quat[0];
  res[1] = -quat[1];
  res[2] = -quat[2];
  res[3] = -quat[3];
}

#define SN_NUMBER snReal
#define SN_FORMULA(name) SN_INLINE void sn_##name
#include "math/quat_formulas.h"
#undef SN_NUMBER
#undef SN_FORMULA

// res may alias either factor
SN_INLINE void snu_mulQuat(snReal res[4], const snReal quat1[4], const snReal quat2[4]) {
  snReal product[4];
  sn_quatProduct(product, quat1, quat2);
  snu_copy4(res, product);
}

// quat * (0, axis); res may alias quat
SN_INLINE void snu_mulQuatAxis(snReal res[4], const snReal quat[4], const snReal axis[3]) {
  snReal w = -quat[1] * axis[0] - quat[2] * axis[1] - quat[3] * axis[2];
  snReal x = quat[0] * axis[0] + quat[2] * axis[2] - quat[3] * axis[1];
  snReal y = quat[0] * axis[1] + quat[3] * axis[0] - quat[1] * axis[2];
  snReal z = quat[0] * axis[2] + quat[1] * axis[1] - quat[2] * axis[0];
  res[0] = w;
  res[1] = x;
  res[2] = y;
  res[3] = z;
}

SN_INLINE void snu_axisAngle2Quat(snReal res[4], const snReal axis[3], snReal angle) {
  if (angle == 0) {
    snu_unit4(res);
    return;
  }
  snReal s, c;
  snu_sincos(angle * (snReal)0.5, &s, &c);
  res[0] = c;
  res[1] = axis[0] * s;
  res[2] = axis[1] * s;
  res[3] = axis[2] * s;
}

// no normalisation
SN_INLINE void snu_quat2Mat(snReal res[9], const snReal quat[4]) {
  if (sn_isUnitQuat(quat)) {
    snu_zero(res, 9);
    res[0] = res[4] = res[8] = 1;
    return;
  }
  sn_quatMatrix(res, quat);
}

// rotation vector over dt, angle in (-pi, pi]
SN_INLINE void snu_quat2Vel(snReal res[3], const snReal quat[4], snReal dt) {
  snReal axis[3] = {quat[1], quat[2], quat[3]};
  snReal sine = snu_normalize3(axis);
  snReal angle = 2 * snu_atan2(sine, quat[0]);
  if (angle > (snReal)snPI) angle -= 2 * (snReal)snPI;
  snu_scl3(res, axis, angle / dt);
}

// r with qb * exp(r) = qa
SN_INLINE void snu_subQuat(snReal res[3], const snReal qa[4], const snReal qb[4]) {
  snReal conjugate[4], difference[4];
  snu_negQuat(conjugate, qb);
  snu_mulQuat(difference, conjugate, qa);
  snu_quat2Vel(res, difference, 1);
}

// 0.5 (0, vel) * quat: vel is in the global frame
SN_INLINE void snu_derivQuat(snReal res[4], const snReal quat[4], const snReal vel[3]) {
  snReal half = (snReal)0.5;
  snReal w = half * (-vel[0] * quat[1] - vel[1] * quat[2] - vel[2] * quat[3]);
  snReal x = half * (vel[0] * quat[0] + vel[1] * quat[3] - vel[2] * quat[2]);
  snReal y = half * (-vel[0] * quat[3] + vel[1] * quat[0] + vel[2] * quat[1]);
  snReal z = half * (vel[0] * quat[2] - vel[1] * quat[1] + vel[2] * quat[0]);
  res[0] = w;
  res[1] = x;
  res[2] = y;
  res[3] = z;
}

// quat <- normalised(quat) * exp(scale vel): vel is in the local frame
SN_INLINE void snu_quatIntegrate(snReal quat[4], const snReal vel[3], snReal scale) {
  snReal axis[3] = {vel[0], vel[1], vel[2]};
  snReal rotation[4];
  snReal angle = scale * snu_normalize3(axis);
  snu_axisAngle2Quat(rotation, axis, angle);
  snu_normalize4(quat);
  snu_mulQuat(quat, quat, rotation);
}

SN_INLINE void snu_mulPose(snReal posres[3], snReal quatres[4], const snReal pos1[3],
                           const snReal quat1[4], const snReal pos2[3], const snReal quat2[4]) {
  snReal quat[4], offset[3];
  snu_mulQuat(quat, quat1, quat2);
  snu_normalize4(quat);
  snu_rotVecQuat(offset, pos2, quat1);
  snu_add3(posres, offset, pos1);
  snu_copy4(quatres, quat);
}

SN_INLINE void snu_negPose(snReal posres[3], snReal quatres[4], const snReal pos[3],
                           const snReal quat[4]) {
  snu_negQuat(quatres, quat);
  snu_rotVecQuat(posres, pos, quatres);
  snu_scl3(posres, posres, -1);
}

SN_INLINE void snu_trnVecPose(snReal res[3], const snReal pos[3], const snReal quat[4],
                              const snReal vec[3]) {
  snReal rotated[3];
  snu_rotVecQuat(rotated, vec, quat);
  snu_add3(res, rotated, pos);
}

SN_EXTERN_C_END

#endif  // SINEW_MATH_QUAT_H_
