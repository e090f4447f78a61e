// Cost of one row of dry friction, and of the rows of one contact with an elliptic cone, as functions of values:
// constrain/row_cost.c and solve/line.c call them for rows in memory, lanes/newton.h for rows in registers.
//
// The functions of a point of a line add to the sums of twice the cost, the slope and the curvature, where the
// residual of a row is x + alpha v (solve/search.h).

#ifndef SINEW_ENGINE_CONSTRAIN_ROW_VALUE_H_
#define SINEW_ENGINE_CONSTRAIN_ROW_VALUE_H_

#include "base/team.h"
#include "math/math.h"
#include "sinew/enums.h"

// ---- rows ----------------------------------------------------------------------------------------

// Dry friction: quadratic near zero velocity, linear where |x| is beyond the bound R loss.
SN_KERNEL snReal sn_frictionCost(snReal D, snReal loss, snReal bound, snReal x, snReal* force,
                                 int* state) {
  if (x <= -bound) {
    *force = loss;
    *state = snCNSTRSTATE_LINEARNEG;
    return -(snReal)0.5 * bound * loss - loss * x;
  }
  if (x >= bound) {
    *force = -loss;
    *state = snCNSTRSTATE_LINEARPOS;
    return -(snReal)0.5 * bound * loss + loss * x;
  }
  *force = -D * x;
  *state = snCNSTRSTATE_QUADRATIC;
  return (snReal)0.5 * D * x * x;
}

// a row that is quadratic at its residual y
SN_KERNEL void sn_addRowAt(snReal sum[3], snReal D, snReal y, snReal v) {
  snReal Dv = D * v;
  sum[0] += D * y * y;
  sum[1] += Dv * y;
  sum[2] += Dv * v;
}

SN_KERNEL void sn_addFrictionAt(snReal sum[3], snReal D, snReal loss, snReal bound, snReal x,
                                snReal v, snReal alpha) {
  snReal y = x + alpha * v;
  if (y > -bound && y < bound) {
    sn_addRowAt(sum, D, y, v);
  } else {
    snReal sign = y > 0 ? 1 : -1;
    sum[0] += 2 * loss * (sign * y - (snReal)0.5 * bound);
    sum[1] += sign * loss * v;
  }
}

// ---- contacts ------------------------------------------------------------------------------------

// A contact of dim rows at residuals x, with its weights D. In lane code dim is a compile-time constant.
typedef struct snConeRows_ {
  int dim;
  snReal mu;
  const snReal *friction, *D, *x;
} snConeRows;

// U = (mu x0, friction x); returns the length T of its tangential part. U[0] is called N.
SN_KERNEL snReal sn_coneCoordinates(const snConeRows* c, snReal U[6]) {
  snReal square = 0;
  U[0] = c->mu * c->x[0];
  for (int j = 1; j < c->dim; j++) {
    U[j] = c->friction[j - 1] * c->x[j];
    square += U[j] * U[j];
  }
  return snu_sqrt(square);
}

// weight of the distance N - mu T to the cone
SN_KERNEL snReal sn_coneWeight(const snConeRows* c) {
  return c->D[0] / (c->mu * c->mu * (1 + c->mu * c->mu));
}

// Zero above the cone N >= mu T, quadratic in every row below the polar cone mu N + T <= 0, quadratic in the
// distance to the cone between. The state is that of all rows.
SN_KERNEL snReal sn_coneCost(const snConeRows* c, const snReal U[6], snReal T, snReal* force,
                             int* state) {
  snReal mu = c->mu, N = U[0], cost = 0;
  if (N >= mu * T || (T <= 0 && N >= 0)) {
    for (int j = 0; j < c->dim; j++) force[j] = 0;
    *state = snCNSTRSTATE_SATISFIED;
  } else if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    for (int j = 0; j < c->dim; j++) {
      force[j] = -c->D[j] * c->x[j];
      cost += (snReal)0.5 * c->D[j] * c->x[j] * c->x[j];
    }
    *state = snCNSTRSTATE_QUADRATIC;
  } else {
    snReal weight = sn_coneWeight(c), e = N - mu * T;
    cost = (snReal)0.5 * weight * e * e;
    force[0] = -weight * e * mu;
    for (int j = 1; j < c->dim; j++) force[j] = -(force[0] / T) * U[j] * c->friction[j - 1];
    *state = snCNSTRSTATE_CONE;
  }
  return cost;
}

// The Hessian where the state is that of a cone: W H W times the weight, with W = diag(mu, friction).
SN_KERNEL void sn_coneHessian(const snConeRows* c, const snReal U[6], snReal T, snReal* H) {
  int dim = c->dim;
  snReal mu = c->mu, N = U[0], weight = sn_coneWeight(c), scale[6];
  scale[0] = mu;
  for (int j = 1; j < dim; j++) scale[j] = c->friction[j - 1];
  snReal muT = mu / T, curve = mu * N / (T * T * T), diagonal = mu * mu - mu * N / T;
  for (int j = 0; j < dim; j++) {
    for (int k = 0; k <= j; k++) {
      snReal h = j == 0 ? 1 : k == 0 ? -muT * U[j] : curve * U[j] * U[k];
      if (j == k && j) h += diagonal;
      h *= weight * scale[j] * scale[k];
      H[j * dim + k] = h;
      H[k * dim + j] = h;
    }
  }
}

// What does not depend on alpha along a line x + alpha v: the products U U, U V and V V of the tangential parts U and V
// of x and v, scaled by friction, and the weight of the cone.
typedef struct snConeLine_ {
  snReal uu, uv, vv, weight;
} snConeLine;

SN_KERNEL snConeLine sn_coneLine(const snConeRows* c, const snReal* v) {
  snConeLine line = {0, 0, 0, sn_coneWeight(c)};
  for (int j = 1; j < c->dim; j++) {
    snReal U = c->friction[j - 1] * c->x[j], V = c->friction[j - 1] * v[j];
    line.uu += U * U;
    line.uv += U * V;
    line.vv += V * V;
  }
  return line;
}

SN_KERNEL void sn_addConeAt(snReal sum[3], const snConeRows* c, const snReal* v,
                            const snConeLine* line, snReal alpha) {
  const snReal* x = c->x;
  snReal mu = c->mu, V0 = mu * v[0], N = mu * x[0] + alpha * V0;
  snReal T2 = line->uu + alpha * (2 * line->uv + alpha * line->vv), T = T2 > 0 ? snu_sqrt(T2) : 0;
  if (T2 <= 0 ? N >= 0 : N >= mu * T) return;
  if (T2 <= 0 || mu * N + T <= 0) {
    for (int j = 0; j < c->dim; j++) sn_addRowAt(sum, c->D[j], x[j] + alpha * v[j], v[j]);
    return;
  }
  snReal weight = line->weight, e = N - mu * T, slope = line->uv + alpha * line->vv;
  snReal T1 = slope / T, curve = line->vv / T - slope * T1 / T2;
  snReal e1 = V0 - mu * T1;
  sum[0] += weight * e * e;
  sum[1] += weight * e * e1;
  sum[2] += weight * (e1 * e1 - e * mu * curve);
}

#endif  // SINEW_ENGINE_CONSTRAIN_ROW_VALUE_H_
