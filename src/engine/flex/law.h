// MuJoCo's law of elasticity, and the laws of bending, selected by flex: a row of a table each
// (model/flex_laws.h), called directly.
//
// The law of stretch gets the strains e_i = l_i^2 - L_i^2 of the edges of an element (3 of a triangle, 6 of a
// tetrahedron; damping included) and its 21 coefficients, and returns tensions t_i: the edge (a, b) pulls a
// by t_i (x_b - x_a) and b by the opposite. Every isotropic law is of this form: the metric of an element is
// a linear function of its squared edge lengths, and t_i is twice the derivative of the energy by l_i^2.
//
// A law of bending gets the four corners of a flap (both ends of its edge, then the two opposite vertices;
// x, y and z of all four one after another) and its 17 coefficients, and returns in the same form the gradient
// of the energy by the corners, or the gradient by the velocities of half the power that damping takes. A law
// may bound its forces by limit, 1 / h^2 in explicit steps and 0 (no bound) in implicit ones.
//
// Tangents return the change of gradients that belongs to a change of corners.

#ifndef SINEW_ENGINE_FLEX_LAW_H_
#define SINEW_ENGINE_FLEX_LAW_H_

#include "engine/flex/hinge.h"
#include "math/math.h"
#include "model/flex_laws.h"

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

// the 4 x 4 matrix times the corners
SN_KERNEL void sn_cotangentProduct(const snReal b[17], const snReal x[12], snReal gradient[12]) {
  for (int k = 0; k < 12; k += 4) {
    for (int i = 0; i < 4; i++) {
      const snReal* row = b + 4 * i;
      gradient[k + i] =
          (row[0] * x[k] + row[1] * x[k + 1]) + (row[2] * x[k + 2] + row[3] * x[k + 3]);
    }
  }
}

// gradient += scale times that of the volume (d1 x d2) . d3, with d_j = corner_j - corner_0
static inline void sn_addVolumeGradient(const snReal x[12], snReal scale, snReal gradient[12]) {
  snReal d[4][3], sum[3] = {0, 0, 0};
  for (int k = 0; k < 12; k++) d[k & 3][k >> 2] = x[k] - x[k & ~3];
  for (int j = 1; j < 4; j++) {
    snReal part[3];
    snu_cross(part, d[j == 3 ? 1 : j + 1], d[j == 1 ? 3 : j - 1]);
    for (int k = 0; k < 3; k++) gradient[4 * k + j] += scale * part[k];
    snu_addTo3(sum, part);
  }
  for (int k = 0; k < 3; k++) gradient[4 * k] -= scale * sum[k];
}

SN_KERNEL void sn_cotangentSpring(const snReal b[17], snReal limit, const snReal x[12],
                                  snReal gradient[12]) {
  (void)limit;
  sn_cotangentProduct(b, x, gradient);
  if (b[16] != 0) sn_addVolumeGradient(x, b[16], gradient);
}

SN_KERNEL void sn_cotangentDamper(const snReal b[17], snReal limit, const snReal x[12],
                                  const snReal v[12], snReal gradient[12]) {
  (void)limit, (void)x;
  sn_cotangentProduct(b, v, gradient);
}

// The matrix times the changes. The gradient of the volume is quadratic, so that its derivative is
// (g(x + dx) - g(x - dx)) / 2.
static inline void sn_cotangentTangent(const snReal b[17], snReal limit, const snReal x[12],
                                       const snReal change[12], snReal gradient[12]) {
  (void)limit;
  sn_cotangentProduct(b, change, gradient);
  if (b[16] == 0) return;
  snReal plus[12], minus[12];
  for (int k = 0; k < 12; k++) plus[k] = x[k] + change[k];
  for (int k = 0; k < 12; k++) minus[k] = x[k] - change[k];
  sn_addVolumeGradient(plus, (snReal)0.5 * b[16], gradient);
  sn_addVolumeGradient(minus, (snReal)-0.5 * b[16], gradient);
}

// ---- dispatch

SN_KERNEL void sn_bendingSpring(int model, const snReal b[17], snReal limit, const snReal x[12],
                                snReal gradient[12]) {
  switch (model) {
#define X(id, name, spring, damper) \
  case id: spring(b, limit, x, gradient); break;
    SN_BENDERS(X)
#undef X
    default: snu_zero(gradient, 12); break;
  }
}

SN_KERNEL void sn_bendingDamper(int model, const snReal b[17], snReal limit, const snReal x[12],
                                const snReal v[12], snReal gradient[12]) {
  switch (model) {
#define X(id, name, spring, damper) \
  case id: damper(b, limit, x, v, gradient); break;
    SN_BENDERS(X)
#undef X
    default: snu_zero(gradient, 12); break;
  }
}

#endif  // SINEW_ENGINE_FLEX_LAW_H_
