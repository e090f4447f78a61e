// Scalar functions of the public interface that belong to no structure.

#include <limits.h>

#include "math/vec.h"

// to nearest, halves go up; what no int can hold gives INT_MIN
int snu_round(snReal x) {
  snReal lower = snu_floor(x), upper = snu_ceil(x);
  snReal nearest = x - lower < upper - x ? lower : upper;
  if (!(nearest >= (snReal)INT_MIN && nearest < -(snReal)INT_MIN)) return INT_MIN;
  return (int)nearest;
}

snReal snu_sigmoid(snReal x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  return x * x * x * (3 * x * (2 * x - 5) + 10);
}

// radical inverse of index in base
snReal snu_Halton(int index, int base) {
  if (base < 2) return 0;  // no digits
  snReal factor = (snReal)1 / base, result = 0;
  for (int n = index; n > 0; n /= base) {
    result += factor * (n % base);
    factor /= base;
  }
  return result;
}

// x'' + Kv x' + Kp x = 0 from (pos0, vel0)
snReal snu_springDamper(snReal pos0, snReal vel0, snReal Kp, snReal Kv, snReal dt) {
  snReal det = Kv * Kv - 4 * Kp;
  if (det > (snReal)snMINVAL) {
    // overdamped
    snReal w = snu_sqrt(det) / 2;
    snReal r1 = w - Kv / 2, r2 = -w - Kv / 2;
    snReal c1 = (pos0 * r2 - vel0) / (r2 - r1);
    snReal c2 = (pos0 * r1 - vel0) / (r1 - r2);
    return c1 * snu_exp(r1 * dt) + c2 * snu_exp(r2 * dt);
  }
  snReal decay = snu_exp(-Kv * dt / 2);
  if (det >= -(snReal)snMINVAL) {
    // critically damped
    return decay * (pos0 + (vel0 + Kv * pos0 / 2) * dt);
  }
  // underdamped
  snReal w = snu_sqrt(snu_abs(det)) / 2;
  return decay * (pos0 * snu_cos(w * dt) + (vel0 + Kv * pos0 / 2) / w * snu_sin(w * dt));
}

// a, b: halves of the two edges along each friction direction share the normal force evenly
void snu_encodePyramid(snReal* pyramid, const snReal* force, const snReal* mu, int dim) {
  snReal a = force[0] / (dim - 1);
  for (int i = 0; i < dim - 1; i++) {
    snReal b = snu_min(a, force[i + 1] / mu[i]);
    pyramid[2 * i] = (snReal)0.5 * (a + b);
    pyramid[2 * i + 1] = (snReal)0.5 * (a - b);
  }
}

void snu_decodePyramid(snReal* force, const snReal* pyramid, const snReal* mu, int dim) {
  if (dim == 1) {
    force[0] = pyramid[0];
    return;
  }
  force[0] = 0;
  for (int i = 0; i < 2 * (dim - 1); i++) force[0] += pyramid[i];
  for (int i = 0; i < dim - 1; i++) {
    force[i + 1] = (pyramid[2 * i] - pyramid[2 * i + 1]) * mu[i];
  }
}
