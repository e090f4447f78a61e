// Isotropic materials: the energy of a unit of volume as a function of the principal stretches s_i, the singular
// values of the deformation gradient (three of a solid, two of a membrane; the last of a solid is negative
// where an element is turned inside out), with its first and second derivatives. From these follow the
// stress and the stiffness of every element (flex/element.c).
//
// Parameters: mu and lambda of Lame; of Mooney-Rivlin c10, c01 and lambda.

#ifndef SINEW_ENGINE_FLEX_MATERIAL_H_
#define SINEW_ENGINE_FLEX_MATERIAL_H_

#include "math/math.h"
#include "model/flex_laws.h"

typedef struct snPrincipal_ {
  snReal energy;
  snReal slope[3];     // d(energy)/d(s_i)
  snReal curve[3][3];  // d2(energy)/d(s_i)d(s_j)
} snPrincipal;

// ---- functions of the volume ratio J = s_1 s_2 (s_3)

typedef struct snVolumetric_ {
  snReal value, slope, curve;
} snVolumetric;

// g(J) = -a ln J + (lambda / 2) (ln J)^2. Below J0 it goes on as its own parabola, so that elements that are flat
// or inside out have finite forces, which turn them back.
SN_KERNEL snVolumetric sn_logBarrier(snReal a, snReal lambda, snReal J) {
  const snReal J0 = (snReal)0.1;
  snReal at = J > J0 ? J : J0, L = snu_log(at), step = J - at;
  snVolumetric g = {-a * L + lambda / 2 * L * L, (lambda * L - a) / at,
                    (lambda * (1 - L) + a) / (at * at)};
  g.value += step * (g.slope + g.curve / 2 * step);
  g.slope += step * g.curve;
  return g;
}

// adds g(J): dJ/ds_i is the product of the others
SN_KERNEL void sn_addVolumetric(int n, const snReal s[3], snVolumetric g, snPrincipal* w) {
  snReal c[3] = {n == 3 ? s[1] * s[2] : s[1], n == 3 ? s[0] * s[2] : s[0], s[0] * s[1]};
  w->energy += g.value;
  for (int i = 0; i < n; i++) {
    w->slope[i] += g.slope * c[i];
    for (int j = 0; j < n; j++) {
      snReal mixed = i == j ? 0 : n == 3 ? s[3 - i - j] : 1;
      w->curve[i][j] += g.curve * c[i] * c[j] + g.slope * mixed;
    }
  }
}

// ---- laws

// W = mu/2 (I1 - n) - mu ln J + lambda/2 (ln J)^2
SN_KERNEL void sn_neoHookean(const snReal* p, int n, const snReal s[3], snPrincipal* w) {
  snReal J = 1;
  for (int i = 0; i < n; i++) {
    J *= s[i];
    w->energy += p[0] / 2 * (s[i] * s[i] - 1);
    w->slope[i] += p[0] * s[i];
    w->curve[i][i] += p[0];
  }
  sn_addVolumetric(n, s, sn_logBarrier(p[0], p[1], J), w);
}

// W = mu tr(G^2) + lambda/2 tr(G)^2 with G = (s^2 - 1) / 2
SN_KERNEL void sn_saintVenantKirchhoff(const snReal* p, int n, const snReal s[3], snPrincipal* w) {
  snReal trace = 0;
  for (int i = 0; i < n; i++) trace += (s[i] * s[i] - 1) / 2;
  w->energy += p[1] / 2 * trace * trace;
  for (int i = 0; i < n; i++) {
    snReal green = (s[i] * s[i] - 1) / 2;
    w->energy += p[0] * green * green;
    w->slope[i] += (2 * p[0] * green + p[1] * trace) * s[i];
    w->curve[i][i] += 2 * p[0] * (green + s[i] * s[i]) + p[1] * trace;
    for (int j = 0; j < n; j++) w->curve[i][j] += p[1] * s[i] * s[j];
  }
}

// W = mu sum (s - 1)^2 + lambda/2 (sum (s - 1))^2
SN_KERNEL void sn_corotated(const snReal* p, int n, const snReal s[3], snPrincipal* w) {
  snReal trace = 0;
  for (int i = 0; i < n; i++) trace += s[i] - 1;
  w->energy += p[1] / 2 * trace * trace;
  for (int i = 0; i < n; i++) {
    w->energy += p[0] * (s[i] - 1) * (s[i] - 1);
    w->slope[i] += 2 * p[0] * (s[i] - 1) + p[1] * trace;
    w->curve[i][i] += 2 * p[0];
    for (int j = 0; j < n; j++) w->curve[i][j] += p[1];
  }
}

// W = c10 (I1 - 3) + c01 (I2 - 3) - (2 c10 + 4 c01) ln J + lambda/2 (ln J)^2, I2 = sum over i < j of (s_i s_j)^2:
// at rest the shear modulus is 2 (c10 + c01), the second of Lame lambda + 4 c01
SN_KERNEL void sn_mooneyRivlin(const snReal* p, int n, const snReal s[3], snPrincipal* w) {
  snReal J = 1, sum = 0;
  for (int i = 0; i < n; i++) {
    J *= s[i];
    sum += s[i] * s[i];
  }
  for (int i = 0; i < n; i++) {
    snReal others = sum - s[i] * s[i];
    w->energy += p[0] * (s[i] * s[i] - 1) + p[1] / 2 * (s[i] * s[i] * others - 2);
    w->slope[i] += 2 * s[i] * (p[0] + p[1] * others);
    w->curve[i][i] += 2 * (p[0] + p[1] * others);
    for (int j = 0; j < n; j++) w->curve[i][j] += i == j ? 0 : 4 * p[1] * s[i] * s[j];
  }
  sn_addVolumetric(n, s, sn_logBarrier(2 * p[0] + 4 * p[1], p[2], J), w);
}

// ---- dispatch

static inline void sn_principal(int model, const snReal* p, int n, const snReal s[3],
                                snPrincipal* w) {
  w->energy = 0;
  for (int i = 0; i < 3; i++) {
    w->slope[i] = 0;
    for (int j = 0; j < 3; j++) w->curve[i][j] = 0;
  }
  switch (model) {
#define X(id, name, law, parameters, membranes) \
  case id: law(p, n, s, w); break;
    SN_MATERIALS(X)
#undef X
    default: break;
  }
}

// the parameters of Lame at rest
static inline void sn_lameAtRest(int model, const snReal* p, int n, snReal* mu, snReal* lambda) {
  const snReal one[3] = {1, 1, 1};
  snPrincipal w;
  sn_principal(model, p, n, one, &w);
  *lambda = w.curve[0][1];
  *mu = (w.curve[0][0] - *lambda) / 2;
}

#endif  // SINEW_ENGINE_FLEX_MATERIAL_H_
