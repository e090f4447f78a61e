// The elliptic cone of a contact with three rows, as functions of values: what constrain/row_cost.c and
// solve/line.c compute for contacts of any size in memory.

#ifndef SINEW_ENGINE_LANES_CONE_H_
#define SINEW_ENGINE_LANES_CONE_H_

#include "base/team.h"
#include "engine/solve/search.h"
#include "math/math.h"
#include "sinew/sinew.h"

// A contact as its lane holds it.
typedef struct snLaneCone_ {
  int first;    // row; -1: none
  int contact;  // its number
  int zone;     // state of the rows
  snReal mu, friction[2];
  snReal D[3], x[3], v[3], force[3];
} snLaneCone;

// Twice the cost of a contact at residuals x, with the state of its rows and their forces (ellipticCost of
// constrain/row_cost.c).
SN_KERNEL snReal sn_coneCost(const snLaneCone* cone, const snReal x[3], int* zone,
                             snReal force[3]) {
  snReal mu = cone->mu, N = mu * x[0], U[2] = {cone->friction[0] * x[1], cone->friction[1] * x[2]};
  snReal T = snu_sqrt(U[0] * U[0] + U[1] * U[1]);
  *zone = snCNSTRSTATE_SATISFIED;
  force[0] = force[1] = force[2] = 0;
  if (cone->first < 0 || N >= mu * T || (T <= 0 && N >= 0)) return 0;
  if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    snReal cost = 0;
    SN_UNROLL
    for (int j = 0; j < 3; j++) {
      force[j] = -cone->D[j] * x[j];
      cost -= force[j] * x[j];
    }
    *zone = snCNSTRSTATE_QUADRATIC;
    return cost;
  }
  snReal Dm = cone->D[0] / (mu * mu * (1 + mu * mu)), e = N - mu * T;
  force[0] = -Dm * e * mu;
  SN_UNROLL
  for (int j = 0; j < 2; j++) force[1 + j] = -(force[0] / T) * U[j] * cone->friction[j];
  *zone = snCNSTRSTATE_CONE;
  return Dm * e * e;
}

// The Hessian of a contact in the cone, its lower triangle by rows: coneHessian of constrain/row_cost.c.
SN_KERNEL void sn_coneHessian(const snLaneCone* cone, snReal H[6]) {
  const snReal *x = cone->x, *friction = cone->friction;
  snReal mu = cone->mu, N = mu * x[0], U[2] = {friction[0] * x[1], friction[1] * x[2]};
  snReal T = snu_sqrt(U[0] * U[0] + U[1] * U[1]), Dm = cone->D[0] / (mu * mu * (1 + mu * mu));
  snReal muT = mu / T, curve = mu * N / (T * T * T), diagonal = mu * mu - mu * N / T;
  H[0] = Dm * mu * mu;
  H[1] = -muT * U[0] * (Dm * friction[0] * mu);
  H[2] = (curve * U[0] * U[0] + diagonal) * (Dm * friction[0] * friction[0]);
  H[3] = -muT * U[1] * (Dm * friction[1] * mu);
  H[4] = curve * U[1] * U[0] * (Dm * friction[1] * friction[0]);
  H[5] = (curve * U[1] * U[1] + diagonal) * (Dm * friction[1] * friction[1]);
}

// Cost, slope and curvature of a contact at alpha: addCone of solve/line.c, twice the cost
SN_KERNEL void sn_addConeAt(snReal sum[3], const snLaneCone* cone, snReal alpha) {
  const snReal *x = cone->x, *v = cone->v;
  snReal mu = cone->mu, uu = 0, uv = 0, vv = 0;
  SN_UNROLL
  for (int j = 0; j < 2; j++) {
    snReal U = cone->friction[j] * x[1 + j], V = cone->friction[j] * v[1 + j];
    uu += U * U;
    uv += U * V;
    vv += V * V;
  }
  snReal V0 = mu * v[0], N = mu * x[0] + alpha * V0;
  snReal T2 = uu + alpha * (2 * uv + alpha * vv), T = T2 > 0 ? snu_sqrt(T2) : 0;
  if (cone->first < 0 || (T2 <= 0 ? N >= 0 : N >= mu * T)) return;
  if (T2 <= 0 || mu * N + T <= 0) {
    SN_UNROLL
    for (int j = 0; j < 3; j++) {
      sn_addQuadraticRow(sum, cone->D[j], x[j] + alpha * v[j], v[j]);
    }
    return;
  }
  snReal Dm = cone->D[0] / (mu * mu * (1 + mu * mu)), e = N - mu * T;
  snReal T1 = (uv + alpha * vv) / T, curve = vv / T - (uv + alpha * vv) * T1 / T2;
  snReal e1 = V0 - mu * T1;
  sum[0] += Dm * e * e;
  sum[1] += Dm * e * e1;
  sum[2] += Dm * (e1 * e1 - e * mu * curve);
}

#endif  // SINEW_ENGINE_LANES_CONE_H_
