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

#define SN_NUMBER snReal
#define SN_FORMULA(name) SN_INLINE void sn_##name
#include "math/spatial_formulas.h"
#undef SN_NUMBER
#undef SN_FORMULA

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
