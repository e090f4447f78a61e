// Matrices: 3x3 inline, dense of any size out of line. Row-major; results must not alias arguments
// unless a function says otherwise.

#ifndef SINEW_MATH_MAT_H_
#define SINEW_MATH_MAT_H_

#include "base/assert.h"
#include "math/vec.h"

SN_EXTERN_C_BEGIN

// res may alias vec
SN_INLINE void snu_mulMatVec3(snReal res[3], const snReal mat[9], const snReal vec[3]) {
  snReal x = mat[0] * vec[0] + mat[1] * vec[1] + mat[2] * vec[2];
  snReal y = mat[3] * vec[0] + mat[4] * vec[1] + mat[5] * vec[2];
  snReal z = mat[6] * vec[0] + mat[7] * vec[1] + mat[8] * vec[2];
  res[0] = x;
  res[1] = y;
  res[2] = z;
}

// res may alias vec
SN_INLINE void snu_mulMatTVec3(snReal res[3], const snReal mat[9], const snReal vec[3]) {
  snReal x = mat[0] * vec[0] + mat[3] * vec[1] + mat[6] * vec[2];
  snReal y = mat[1] * vec[0] + mat[4] * vec[1] + mat[7] * vec[2];
  snReal z = mat[2] * vec[0] + mat[5] * vec[1] + mat[8] * vec[2];
  res[0] = x;
  res[1] = y;
  res[2] = z;
}

// res = mat1 * mat2, 3x3
SN_INLINE void sn_mulMatMat3(snReal res[9], const snReal mat1[9], const snReal mat2[9]) {
  SN_ASSERT(res != mat1 && res != mat2);
  for (int r = 0; r < 9; r += 3) {
    for (int c = 0; c < 3; c++) {
      res[r + c] = mat1[r] * mat2[c] + mat1[r + 1] * mat2[c + 3] + mat1[r + 2] * mat2[c + 6];
    }
  }
}

// res = mat1' * mat2, 3x3
SN_INLINE void sn_mulMatTMat3(snReal res[9], const snReal mat1[9], const snReal mat2[9]) {
  SN_ASSERT(res != mat1 && res != mat2);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      res[3 * r + c] = mat1[r] * mat2[c] + mat1[r + 3] * mat2[c + 3] + mat1[r + 6] * mat2[c + 6];
    }
  }
}

// res = mat1 * mat2', 3x3
SN_INLINE void sn_mulMatMatT3(snReal res[9], const snReal mat1[9], const snReal mat2[9]) {
  SN_ASSERT(res != mat1 && res != mat2);
  for (int r = 0; r < 9; r += 3) {
    for (int c = 0; c < 9; c += 3) {
      res[r + c / 3] = mat1[r] * mat2[c] + mat1[r + 1] * mat2[c + 1] + mat1[r + 2] * mat2[c + 2];
    }
  }
}

// res = mat', 3x3
SN_INLINE void sn_transpose3(snReal res[9], const snReal mat[9]) {
  SN_ASSERT(res != mat);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) res[3 * c + r] = mat[3 * r + c];
  }
}

// Complete an orthonormal frame (three rows) from its x axis and an optional y axis. Returns 0,
// and leaves a usable frame, when the x axis is shorter than a half.
SN_INLINE int sn_makeFrame(snReal frame[9]) {
  int valid = snu_normalize3(frame) >= (snReal)0.5;

  // no usable y axis given: the world axis that is farther from x
  if (snu_dot3(frame + 3, frame + 3) < (snReal)0.25) {
    snu_zero3(frame + 3);
    if (frame[1] < (snReal)0.5 && frame[1] > (snReal)-0.5) {
      frame[4] = 1;
    } else {
      frame[5] = 1;
    }
  }

  // make y orthogonal to x, z by the right hand rule
  snReal along = snu_dot3(frame, frame + 3);
  snReal part[3];
  snu_scl3(part, frame, along);
  snu_subFrom3(frame + 3, part);
  snu_normalize3(frame + 3);
  snu_cross(frame + 6, frame, frame + 3);
  return valid;
}

SN_EXTERN_C_END

#endif  // SINEW_MATH_MAT_H_
