// Bending by hinges (Bridson and others, 2003): the energy of a flap is k/2 (t - t0)^2, t the angle between its two
// triangles.
//
// Corners as in flex/law.h: both ends x0, x1 of the edge, then the opposite vertices x2, x3. With the direction u
// and the length l of the edge, normals n1 = (x2 - x0) x (x2 - x1), n2 = (x3 - x1) x (x3 - x0), a = n1 / |n1|^2 and
// b = n2 / |n2|^2,
//
//   t = atan2((n2 x n1) . u, n1 . n2)
//   dt/dx2 = l a,  dt/dx0 = ((x2 - x1) . u) a + ((x3 - x1) . u) b
//   dt/dx3 = l b,  dt/dx1 = -((x2 - x0) . u) a - ((x3 - x0) . u) b.
//
// Coefficients (flex_bending): angle at rest, stiffness, damping, masses of the four corners (0: fixed).

#ifndef SINEW_ENGINE_FLEX_HINGE_H_
#define SINEW_ENGINE_FLEX_HINGE_H_

#include "math/math.h"

// A flap and its change: what a differs by, to first order, is da.
typedef struct snHinge_ {
  snReal x[4][3], u[3], length, n[2][3], a[2][3];
} snHinge;

static inline void sn_hingeVector(const snReal x[12], int c, snReal res[3]) {
  for (int k = 0; k < 3; k++) res[k] = x[4 * k + c];
}

static inline void sn_loadHinge(snHinge* h, const snReal x[12]) {
  snReal p[3], q[3];
  for (int c = 0; c < 4; c++) sn_hingeVector(x, c, h->x[c]);
  snu_sub3(h->u, h->x[1], h->x[0]);
  h->length = snu_normalize3(h->u);
  for (int side = 0; side < 2; side++) {
    snu_sub3(p, h->x[2 + side], h->x[side]);
    snu_sub3(q, h->x[2 + side], h->x[1 - side]);
    snu_cross(h->n[side], p, q);
    snReal square = snu_dot3(h->n[side], h->n[side]);
    snu_scl3(h->a[side], h->n[side], square > (snReal)snMINVAL * snMINVAL ? 1 / square : 0);
  }
}

static inline snReal sn_hingeAngle(const snHinge* h) {
  snReal cross[3];
  snu_cross(cross, h->n[1], h->n[0]);
  return snu_atan2(snu_dot3(cross, h->u), snu_dot3(h->n[0], h->n[1]));
}

// gradient of the angle, laid out as the corners are
static inline void sn_hingeGradient(const snHinge* h, snReal gradient[12]) {
  for (int k = 0; k < 12; k++) gradient[k] = 0;
  for (int side = 0; side < 2; side++) {
    snReal to0[3], to1[3];
    snu_sub3(to0, h->x[2 + side], h->x[0]);
    snu_sub3(to1, h->x[2 + side], h->x[1]);
    snReal along0 = snu_dot3(to0, h->u), along1 = snu_dot3(to1, h->u);
    for (int k = 0; k < 3; k++) {
      gradient[4 * k] += along1 * h->a[side][k];
      gradient[4 * k + 1] -= along0 * h->a[side][k];
      gradient[4 * k + 2 + side] += h->length * h->a[side][k];
    }
  }
}

// Its change when the corners move by dx: the product rule, term by term.
static inline void sn_hingeGradientRate(const snHinge* h, const snReal dx[12], snReal rate[12]) {
  snReal move[4][3], span[3], du[3];
  for (int c = 0; c < 4; c++) sn_hingeVector(dx, c, move[c]);
  for (int k = 0; k < 12; k++) rate[k] = 0;
  if (h->length < (snReal)snMINVAL) return;
  snu_sub3(span, move[1], move[0]);
  snReal dl = snu_dot3(span, h->u);
  for (int k = 0; k < 3; k++) du[k] = (span[k] - h->u[k] * dl) / h->length;
  for (int side = 0; side < 2; side++) {
    const snReal *tip = h->x[2 + side], *a = h->a[side];
    snReal to[2][3], dto[2][3], dn[3], part[3], da[3], along[2], dalong[2];
    for (int end = 0; end < 2; end++) {
      snu_sub3(to[end], tip, h->x[end]);
      snu_sub3(dto[end], move[2 + side], move[end]);
      along[end] = snu_dot3(to[end], h->u);
      dalong[end] = snu_dot3(dto[end], h->u) + snu_dot3(to[end], du);
    }
    snu_cross(dn, dto[side], to[1 - side]);
    snu_cross(part, to[side], dto[1 - side]);
    snu_addTo3(dn, part);
    snReal square = snu_dot3(a, a), turn = 2 * snu_dot3(h->n[side], dn);
    for (int k = 0; k < 3; k++) da[k] = (dn[k] - a[k] * turn) * square;
    for (int k = 0; k < 3; k++) {
      rate[4 * k] += dalong[1] * a[k] + along[1] * da[k];
      rate[4 * k + 1] -= dalong[0] * a[k] + along[0] * da[k];
      rate[4 * k + 2 + side] += dl * a[k] + h->length * da[k];
    }
  }
}

// ---- the law

// t - t0 in (-pi, pi]
static inline snReal sn_hingeBend(const snReal b[17], const snHinge* h) {
  const snReal turn = 2 * (snReal)snPI;
  snReal bend = sn_hingeAngle(h) - b[0];
  return bend > turn / 2 ? bend - turn : bend <= -turn / 2 ? bend + turn : bend;
}

// A moment that explicit steps can bear: no corner moves, in one step, so far that it turns the hinge by a
// radian, |M| |dt/dx| h^2 / mass <= 1 / |dt/dx|. limit = 1 / h^2; 0: any moment.
static inline snReal sn_boundMoment(const snReal b[17], snReal limit, const snReal gradient[12],
                                    snReal moment) {
  snReal most = -1;
  if (limit <= 0) return moment;
  for (int c = 0; c < 4; c++) {
    snReal square = gradient[c] * gradient[c] + gradient[4 + c] * gradient[4 + c] +
                    gradient[8 + c] * gradient[8 + c];
    if (b[3 + c] <= 0 || square <= 0) continue;
    snReal bound = limit * b[3 + c] / square;
    if (most < 0 || bound < most) most = bound;
  }
  return most < 0 ? moment : snu_clip(moment, -most, most);
}

static inline void sn_hingeSpring(const snReal b[17], snReal limit, const snReal x[12],
                                  snReal gradient[12]) {
  snHinge h;
  sn_loadHinge(&h, x);
  sn_hingeGradient(&h, gradient);
  snReal moment = sn_boundMoment(b, limit, gradient, b[1] * sn_hingeBend(b, &h));
  for (int k = 0; k < 12; k++) gradient[k] *= moment;
}

static inline void sn_hingeDamper(const snReal b[17], snReal limit, const snReal x[12],
                                  const snReal v[12], snReal gradient[12]) {
  snHinge h;
  sn_loadHinge(&h, x);
  sn_hingeGradient(&h, gradient);
  snReal moment = sn_boundMoment(b, limit, gradient, b[2] * snu_dot(gradient, v, 12));
  for (int k = 0; k < 12; k++) gradient[k] *= moment;
}

// of the spring; where the moment is bounded, the bound is taken for a constant
static inline void sn_hingeTangent(const snReal b[17], snReal limit, const snReal x[12],
                                   const snReal change[12], snReal gradient[12]) {
  snHinge h;
  snReal slope[12];
  sn_loadHinge(&h, x);
  sn_hingeGradient(&h, slope);
  sn_hingeGradientRate(&h, change, gradient);
  snReal wanted = b[1] * sn_hingeBend(b, &h), moment = sn_boundMoment(b, limit, slope, wanted);
  snReal turn = moment == wanted ? b[1] * snu_dot(slope, change, 12) : 0;
  for (int k = 0; k < 12; k++) gradient[k] = moment * gradient[k] + turn * slope[k];
}

static inline snReal sn_hingeEnergy(const snReal b[17], const snReal x[12]) {
  snHinge h;
  sn_loadHinge(&h, x);
  snReal bend = sn_hingeBend(b, &h);
  return b[1] / 2 * bend * bend;
}

#endif  // SINEW_ENGINE_FLEX_HINGE_H_
