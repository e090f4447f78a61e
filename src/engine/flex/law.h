// Laws of elasticity, selected by flex: a row of a table each, called directly.
//
// A law of stretch gets the strains e_i = l_i^2 - L_i^2 of the edges of an element (3 of a triangle, 6 of a
// tetrahedron; damping included) and its 21 coefficients, and returns tensions t_i: the edge (a, b) pulls a
// by t_i (x_b - x_a) and b by the opposite. Every isotropic law is of this form: the metric of an element is
// a linear function of its squared edge lengths, and t_i is twice the derivative of the energy by l_i^2.
//
// A law of bending gets the four corners of a flap (both ends of its edge, then the two opposite vertices)
// and its 17 coefficients, and returns the gradient of the energy by the position of one corner, or
// the same linear map of the velocities.

#ifndef SINEW_ENGINE_FLEX_LAW_H_
#define SINEW_ENGINE_FLEX_LAW_H_

#include "math/math.h"

// clang-format off
#define SN_ELASTIC_MODELS(X) /* value of flex_elasticmodel, function */ \
  X(0, sn_stVenantKirchhoff)

#define SN_BENDING_MODELS(X) /* value of flex_bendingmodel, function of positions, of velocities */ \
  X(0, sn_cotangentSpring, sn_cotangentDamper)
// clang-format on

// ---- stretch

// t = k e with the symmetric k packed by rows: U = 1/4 e' k e (flex_stiffness of the compiler)
SN_KERNEL void sn_stVenantKirchhoff(const snReal* k, int n, const snReal strain[6],
                                    snReal tension[6]) {
  for (int i = 0; i < n; i++) tension[i] = 0;
  for (int i = 0; i < n; i++) {
    tension[i] += *k++ * strain[i];
    for (int j = i + 1; j < n; j++, k++) {
      tension[i] += *k * strain[j];
      tension[j] += *k * strain[i];
    }
  }
}

// ---- bending

// row i of the 4 x 4 matrix times the corners
SN_KERNEL void sn_cotangentDamper(const snReal b[17], const snReal* const corner[4], int i,
                                  snReal gradient[3]) {
  const snReal* row = b + 4 * i;
  for (int k = 0; k < 3; k++) {
    gradient[k] = row[0] * corner[0][k] + row[1] * corner[1][k] + row[2] * corner[2][k] +
                  row[3] * corner[3][k];
  }
}

// gradient of (d1 x d2) . d3 by corner i, with d_j = corner_j - corner_0
static inline void sn_volumeGradient(const snReal* const corner[4], int i, snReal gradient[3]) {
  snReal d[4][3], sum[3] = {0, 0, 0};
  for (int j = 1; j < 4; j++) snu_sub3(d[j], corner[j], corner[0]);
  for (int j = 1; j < 4; j++) {
    if (i && i != j) continue;
    snu_cross(gradient, d[j == 3 ? 1 : j + 1], d[j == 1 ? 3 : j - 1]);
    snu_addTo3(sum, gradient);
  }
  snu_scl3(gradient, sum, i ? 1 : -1);
}

SN_KERNEL void sn_cotangentSpring(const snReal b[17], const snReal* const corner[4], int i,
                                  snReal gradient[3]) {
  sn_cotangentDamper(b, corner, i, gradient);
  if (b[16] == 0) return;
  snReal curvature[3];
  sn_volumeGradient(corner, i, curvature);
  snu_addToScl3(gradient, curvature, b[16]);
}

// ---- dispatch

SN_KERNEL void sn_stretchLaw(int model, const snReal* k, int n, const snReal strain[6],
                             snReal tension[6]) {
  switch (model) {
#define X(id, law) \
  case id: law(k, n, strain, tension); break;
    SN_ELASTIC_MODELS(X)
#undef X
    default: snu_zero(tension, n); break;
  }
}

SN_KERNEL void sn_bendingSpring(int model, const snReal b[17], const snReal* const corner[4], int i,
                                snReal gradient[3]) {
  switch (model) {
#define X(id, spring, damper) \
  case id: spring(b, corner, i, gradient); break;
    SN_BENDING_MODELS(X)
#undef X
    default: snu_zero3(gradient); break;
  }
}

SN_KERNEL void sn_bendingDamper(int model, const snReal b[17], const snReal* const corner[4], int i,
                                snReal gradient[3]) {
  switch (model) {
#define X(id, spring, damper) \
  case id: damper(b, corner, i, gradient); break;
    SN_BENDING_MODELS(X)
#undef X
    default: snu_zero3(gradient); break;
  }
}

#endif  // SINEW_ENGINE_FLEX_LAW_H_
