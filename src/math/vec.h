// Vectors: 3, 4 and any length.
//
// Results may alias arguments unless a function says otherwise. Sums over a vector of any length
// have one order everywhere: four strided partial sums, joined as (s0+s2)+(s1+s3), then the one to
// three remaining terms added as one group. 3-vectors are summed left to right.

#ifndef SINEW_MATH_VEC_H_
#define SINEW_MATH_VEC_H_

#include <string.h>

#include "math/inline.h"
#include "math/libm.h"

SN_EXTERN_C_BEGIN

// ---- numbers

SN_INLINE snReal snu_min(snReal a, snReal b) { return a <= b ? a : b; }

SN_INLINE snReal snu_max(snReal a, snReal b) { return a >= b ? a : b; }

// a NaN passes through
SN_INLINE snReal snu_clip(snReal x, snReal min, snReal max) {
  return x < min ? min : (x > max ? max : x);
}

SN_INLINE snReal snu_sign(snReal x) { return x < 0 ? (snReal)-1 : (x > 0 ? (snReal)1 : (snReal)0); }

SN_INLINE int snu_isBad(snReal x) { return !(x <= (snReal)snMAXVAL && x >= -(snReal)snMAXVAL); }

SN_INLINE int snu_isZero(const snReal* vec, int n) {
  for (int i = 0; i < n; i++) {
    if (vec[i] != 0) return 0;
  }
  return 1;
}

// ---- 3-vectors

SN_INLINE void snu_zero3(snReal res[3]) {
  res[0] = 0;
  res[1] = 0;
  res[2] = 0;
}

SN_INLINE void snu_copy3(snReal res[3], const snReal data[3]) {
  res[0] = data[0];
  res[1] = data[1];
  res[2] = data[2];
}

SN_INLINE void snu_scl3(snReal res[3], const snReal vec[3], snReal scl) {
  res[0] = vec[0] * scl;
  res[1] = vec[1] * scl;
  res[2] = vec[2] * scl;
}

SN_INLINE void snu_add3(snReal res[3], const snReal vec1[3], const snReal vec2[3]) {
  res[0] = vec1[0] + vec2[0];
  res[1] = vec1[1] + vec2[1];
  res[2] = vec1[2] + vec2[2];
}

SN_INLINE void snu_sub3(snReal res[3], const snReal vec1[3], const snReal vec2[3]) {
  res[0] = vec1[0] - vec2[0];
  res[1] = vec1[1] - vec2[1];
  res[2] = vec1[2] - vec2[2];
}

SN_INLINE void snu_addTo3(snReal res[3], const snReal vec[3]) {
  res[0] += vec[0];
  res[1] += vec[1];
  res[2] += vec[2];
}

SN_INLINE void snu_subFrom3(snReal res[3], const snReal vec[3]) {
  res[0] -= vec[0];
  res[1] -= vec[1];
  res[2] -= vec[2];
}

SN_INLINE void snu_addToScl3(snReal res[3], const snReal vec[3], snReal scl) {
  res[0] += vec[0] * scl;
  res[1] += vec[1] * scl;
  res[2] += vec[2] * scl;
}

SN_INLINE void snu_addScl3(snReal res[3], const snReal vec1[3], const snReal vec2[3], snReal scl) {
  res[0] = vec1[0] + vec2[0] * scl;
  res[1] = vec1[1] + vec2[1] * scl;
  res[2] = vec1[2] + vec2[2] * scl;
}

SN_INLINE snReal snu_dot3(const snReal vec1[3], const snReal vec2[3]) {
  return vec1[0] * vec2[0] + vec1[1] * vec2[1] + vec1[2] * vec2[2];
}

SN_INLINE snReal snu_norm3(const snReal vec[3]) {
  return snu_sqrt(vec[0] * vec[0] + vec[1] * vec[1] + vec[2] * vec[2]);
}

SN_INLINE snReal snu_dist3(const snReal pos1[3], const snReal pos2[3]) {
  snReal dif[3] = {pos1[0] - pos2[0], pos1[1] - pos2[1], pos1[2] - pos2[2]};
  return snu_norm3(dif);
}

// a vector shorter than snMINVAL becomes (1, 0, 0); returns the old length
SN_INLINE snReal snu_normalize3(snReal vec[3]) {
  snReal norm = snu_norm3(vec);
  if (norm < (snReal)snMINVAL) {
    vec[0] = 1;
    vec[1] = 0;
    vec[2] = 0;
  } else {
    snReal inverse = 1 / norm;
    vec[0] *= inverse;
    vec[1] *= inverse;
    vec[2] *= inverse;
  }
  return norm;
}

SN_INLINE void snu_cross(snReal res[3], const snReal a[3], const snReal b[3]) {
  snReal x = a[1] * b[2] - a[2] * b[1];
  snReal y = a[2] * b[0] - a[0] * b[2];
  snReal z = a[0] * b[1] - a[1] * b[0];
  res[0] = x;
  res[1] = y;
  res[2] = z;
}

// ---- 4-vectors

SN_INLINE void snu_zero4(snReal res[4]) {
  res[0] = 0;
  res[1] = 0;
  res[2] = 0;
  res[3] = 0;
}

SN_INLINE void snu_unit4(snReal res[4]) {
  res[0] = 1;
  res[1] = 0;
  res[2] = 0;
  res[3] = 0;
}

SN_INLINE void snu_copy4(snReal res[4], const snReal data[4]) {
  res[0] = data[0];
  res[1] = data[1];
  res[2] = data[2];
  res[3] = data[3];
}

// a vector shorter than snMINVAL becomes (1, 0, 0, 0), a unit vector stays; returns the old length
SN_INLINE snReal snu_normalize4(snReal vec[4]) {
  snReal norm = snu_sqrt(vec[0] * vec[0] + vec[1] * vec[1] + vec[2] * vec[2] + vec[3] * vec[3]);
  if (norm < (snReal)snMINVAL) {
    snu_unit4(vec);
  } else if (snu_abs(norm - 1) > (snReal)snMINVAL) {
    snReal inverse = 1 / norm;
    vec[0] *= inverse;
    vec[1] *= inverse;
    vec[2] *= inverse;
    vec[3] *= inverse;
  }
  return norm;
}

// ---- vectors of any length

// A GPU would do what the C library does byte by byte.

SN_INLINE void snu_zero(snReal* res, int n) {
#ifdef SN_DEVICE
  for (int i = 0; i < n; i++) res[i] = 0;
#else
  if (n > 0) memset(res, 0, (size_t)n * sizeof(snReal));
#endif
}

SN_INLINE void snu_fill(snReal* res, snReal val, int n) {
  for (int i = 0; i < n; i++) res[i] = val;
}

SN_INLINE void snu_copy(snReal* res, const snReal* vec, int n) {
#ifdef SN_DEVICE
  int i = 0;
  for (; i + 4 <= n; i += 4) {  // four loads on their way at once
    snReal a = vec[i], b = vec[i + 1], c = vec[i + 2], d = vec[i + 3];
    res[i] = a;
    res[i + 1] = b;
    res[i + 2] = c;
    res[i + 3] = d;
  }
  for (; i < n; i++) res[i] = vec[i];
#else
  if (n > 0) memcpy(res, vec, (size_t)n * sizeof(snReal));
#endif
}

// by the lanes of a team together: SN_SYNC stands before and after as for any loop
SN_INLINE void sn_zeroShared(snReal* res, int n) {
  if (SN_LANES > 1) {
    SN_FOR(i, n) res[i] = 0;
  } else {
    snu_zero(res, n);
  }
}

SN_INLINE void sn_copyShared(snReal* res, const snReal* vec, int n) {
  if (SN_LANES > 1) {
    SN_FOR(i, n) res[i] = vec[i];
  } else {
    snu_copy(res, vec, n);
  }
}

SN_INLINE void snu_scl(snReal* res, const snReal* vec, snReal scl, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[i] * scl;
}

SN_INLINE void snu_add(snReal* res, const snReal* vec1, const snReal* vec2, int n) {
  for (int i = 0; i < n; i++) res[i] = vec1[i] + vec2[i];
}

SN_INLINE void snu_sub(snReal* res, const snReal* vec1, const snReal* vec2, int n) {
  for (int i = 0; i < n; i++) res[i] = vec1[i] - vec2[i];
}

SN_INLINE void snu_addTo(snReal* res, const snReal* vec, int n) {
  for (int i = 0; i < n; i++) res[i] += vec[i];
}

SN_INLINE void snu_subFrom(snReal* res, const snReal* vec, int n) {
  for (int i = 0; i < n; i++) res[i] -= vec[i];
}

SN_INLINE void snu_addToScl(snReal* res, const snReal* vec, snReal scl, int n) {
  for (int i = 0; i < n; i++) res[i] += vec[i] * scl;
}

SN_INLINE void snu_addScl(snReal* res, const snReal* vec1, const snReal* vec2, snReal scl, int n) {
  for (int i = 0; i < n; i++) res[i] = vec1[i] + vec2[i] * scl;
}

// inner product in the canonical order (see the head of this file)
SN_INLINE snReal snu_dot(const snReal* vec1, const snReal* vec2, int n) {
  snReal s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += vec1[i] * vec2[i];
    s1 += vec1[i + 1] * vec2[i + 1];
    s2 += vec1[i + 2] * vec2[i + 2];
    s3 += vec1[i + 3] * vec2[i + 3];
  }
  snReal sum = (s0 + s2) + (s1 + s3);
  switch (n - i) {
    case 3:
      return sum + (vec1[i] * vec2[i] + vec1[i + 1] * vec2[i + 1] + vec1[i + 2] * vec2[i + 2]);
    case 2: return sum + (vec1[i] * vec2[i] + vec1[i + 1] * vec2[i + 1]);
    case 1: return sum + vec1[i] * vec2[i];
    default: return sum;
  }
}

SN_INLINE snReal snu_norm(const snReal* res, int n) { return snu_sqrt(snu_dot(res, res, n)); }

// inner product of 6-vectors in the canonical order
SN_INLINE snReal sn_dot6(const snReal a[6], const snReal b[6]) {
  return ((a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

SN_EXTERN_C_END

#endif  // SINEW_MATH_VEC_H_
