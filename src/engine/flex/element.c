#include "engine/flex/element.h"

#include "base/assert.h"
#include "math/decomp.h"

// ---- deformation gradient

void sn_elementGradient(const snElement* e, const snReal v[12], snReal F[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      F[3 * i + j] = 0;
      for (int c = 0; j < e->n && c <= e->n; c++)
        F[3 * i + j] += v[3 * c + i] * e->gradient[3 * c + j];
    }
  }
}

void sn_loadElement(snElement* e, const snReal block[21], int n, const snReal x[12]) {
  SN_ASSERT(n == 2 || n == 3);
  e->n = n;
  e->weight = block[0];
  for (int j = 0; j < 3; j++) e->gradient[j] = 0;
  for (int c = 1; c <= n; c++) {
    for (int j = 0; j < n; j++) {
      e->gradient[3 * c + j] = block[1 + n * (c - 1) + j];
      e->gradient[j] -= e->gradient[3 * c + j];
    }
  }
  sn_elementGradient(e, x, e->F);
}

void sn_addElementForce(const snElement* e, const snReal P[9], snReal force[12]) {
  for (int c = 0; c <= e->n; c++) {
    for (int i = 0; i < 3; i++) {
      snReal sum = 0;
      for (int j = 0; j < e->n; j++) sum += P[3 * i + j] * e->gradient[3 * c + j];
      force[3 * c + i] -= e->weight * sum;
    }
  }
}

// ---- singular values

// columns i and j of a 3 x 3 matrix turned by an angle of cosine c and sine s
static void turnColumns(snReal A[9], int i, int j, snReal c, snReal s) {
  for (int k = 0; k < 9; k += 3) {
    snReal x = A[k + i], y = A[k + j];
    A[k + i] = c * x + s * y;
    A[k + j] = c * y - s * x;
  }
}

static snReal dotColumns(const snReal A[9], int i, int j) {
  return A[i] * A[j] + A[3 + i] * A[3 + j] + A[6 + i] * A[6 + j];
}

// Rotation V that makes the columns of F V orthogonal, the longer ones first (Jacobi's method on one side): exact to
// the last digits of small stretches too.
static void stretchAxes(snReal FV[9], snReal V[9]) {
  enum { SWEEPS = 12 };
  const snReal tiny = sizeof(snReal) == 8 ? (snReal)1e-15 : (snReal)1e-7;
  for (int i = 0; i < 9; i++) V[i] = i % 4 == 0;
  for (int sweep = 0, turned = 1; turned && sweep < SWEEPS; sweep++) {
    turned = 0;
    for (int pair = 0; pair < 3; pair++) {
      int i = pair == 2 ? 1 : 0, j = pair == 0 ? 1 : 2;
      snReal a = dotColumns(FV, i, i), b = dotColumns(FV, j, j), c = dotColumns(FV, i, j);
      int wrong = snu_abs(c) > tiny * snu_sqrt(a * b) && c * c > 0;
      if (!wrong && a >= b) continue;
      // half the angle of (a - b, 2 c), for which the first column becomes the longer one
      snReal x = (a - b) / 2, r = snu_sqrt(x * x + c * c);
      snReal large = snu_sqrt((1 + snu_abs(x) / r) / 2), small = snu_abs(c) / (2 * r * large);
      snReal cosine = x < 0 ? small : large, sine = x < 0 ? large : small;
      if (c < 0) sine = -sine;
      turnColumns(FV, i, j, cosine, sine);
      turnColumns(V, i, j, cosine, sine);
      turned = 1;
    }
  }
}

// a unit vector at right angles to a unit vector
static void anyNormal(const snReal a[3], snReal res[3]) {
  snReal axis[3] = {0, 0, 0};
  int least = 0;
  for (int i = 1; i < 3; i++) least = snu_abs(a[i]) < snu_abs(a[least]) ? i : least;
  axis[least] = 1;
  snu_cross(res, a, axis);
  snu_normalize3(res);
}

// columns of U: F v_0 and F v_1 made orthonormal, and what is normal to both
static void decompose(const snElement* e, snModes* modes) {
  snReal FV[9], image[9], u[9];
  snu_copy(FV, e->F, 9);
  stretchAxes(FV, modes->V);
  for (int i = 0; i < 9; i++) image[i] = FV[3 * (i % 3) + i / 3];
  snu_copy3(u, image);
  if (snu_normalize3(u) < (snReal)snMINVAL) {
    u[0] = 1;
    u[1] = u[2] = 0;
  }
  snu_copy3(u + 3, image + 3);
  snu_addToScl3(u + 3, u, -snu_dot3(u, u + 3));
  if (snu_normalize3(u + 3) < (snReal)snMINVAL) anyNormal(u, u + 3);
  snu_cross(u + 6, u, u + 3);
  for (int k = 0; k < 3; k++) {
    modes->s[k] = snu_dot3(u + 3 * k, image + 3 * k);
    for (int i = 0; i < 3; i++) modes->U[3 * i + k] = u[3 * k + i];
  }
}

// ---- stress and stiffness

// (p_i - p_j) / (s_i - s_j), of equal stretches its limit
static snReal symmetricMode(const snModes* modes, int i, int j) {
  const snPrincipal* w = &modes->law;
  snReal difference = modes->s[i] - modes->s[j];
  if (snu_abs(difference) > (snReal)1e-5) return (w->slope[i] - w->slope[j]) / difference;
  return (w->curve[i][i] + w->curve[j][j]) / 2 - w->curve[i][j];
}

// p / s, s away from zero
static snReal ratio(snReal p, snReal s) {
  const snReal least = (snReal)1e-6;
  return p / (snu_abs(s) > least ? s : s < 0 ? -least : least);
}

void sn_elementModes(const snElement* e, int model, const snReal* param, snModes* modes) {
  decompose(e, modes);
  sn_principal(model, param, e->n, modes->s, &modes->law);
  const snReal *p = modes->law.slope, *s = modes->s;
  for (int k = 0; k < 3; k++) {
    int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2, inside = j < e->n;
    modes->symmetric[k] = inside ? symmetricMode(modes, i, j) : 0;
    modes->antisymmetric[k] = inside ? ratio(p[i] + p[j], s[i] + s[j]) : 0;
  }
  for (int k = 0; k < 2; k++) modes->outward[k] = e->n == 2 ? ratio(p[k], s[k]) : 0;
}

void sn_projectModes(snModes* modes, int n) {
  SN_ASSERT(n == 2 || n == 3);
  snReal matrix[9], value[3], axis[9], quat[4];
  for (int i = 0; i < 9; i++) {
    matrix[i] = i / 3 < n && i % 3 < n ? modes->law.curve[i / 3][i % 3] : 0;
  }
  snu_eig3(value, axis, quat, matrix);
  for (int i = 0; i < 9; i++) {
    snReal sum = 0;
    for (int k = 0; k < 3; k++) {
      sum += snu_max(value[k], 0) * axis[3 * (i / 3) + k] * axis[3 * (i % 3) + k];
    }
    modes->law.curve[i / 3][i % 3] = sum;
  }
  for (int k = 0; k < 3; k++) {
    modes->symmetric[k] = snu_max(modes->symmetric[k], 0);
    modes->antisymmetric[k] = snu_max(modes->antisymmetric[k], 0);
  }
  for (int k = 0; k < 2; k++) modes->outward[k] = snu_max(modes->outward[k], 0);
}

// U A V'
static void turnBack(const snModes* modes, const snReal A[9], snReal res[9]) {
  snReal left[9];
  sn_mulMatMat3(left, modes->U, A);
  sn_mulMatMatT3(res, left, modes->V);
}

void sn_elementStress(const snModes* modes, snReal P[9]) {
  snReal A[9];
  for (int i = 0; i < 9; i++) A[i] = i % 4 == 0 ? modes->law.slope[i / 3] : 0;
  turnBack(modes, A, P);
}

void sn_elementTangent(const snModes* modes, int n, const snReal dF[9], snReal dP[9]) {
  SN_ASSERT(n == 2 || n == 3);
  snReal left[9], change[9], A[9];
  sn_mulMatTMat3(left, modes->U, dF);
  sn_mulMatMat3(change, left, modes->V);
  for (int i = 0; i < 3; i++) {
    A[3 * i + i] = 0;
    for (int j = 0; j < n; j++) A[3 * i + i] += modes->law.curve[i][j] * change[3 * j + j];
  }
  for (int k = 0; k < 3; k++) {
    int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;
    snReal sum = modes->symmetric[k] * (change[3 * i + j] + change[3 * j + i]) / 2;
    snReal difference = modes->antisymmetric[k] * (change[3 * i + j] - change[3 * j + i]) / 2;
    A[3 * i + j] = sum + difference;
    A[3 * j + i] = sum - difference;
  }
  for (int k = 0; n == 2 && k < 2; k++) A[3 * 2 + k] = modes->outward[k] * change[3 * 2 + k];
  turnBack(modes, A, dP);
}

// ---- viscosity

// S = 2 mu E + lambda tr(E) 1 with E = sym(A' B)
static void viscosity(int n, snReal mu, snReal lambda, const snReal A[9], const snReal B[9],
                      snReal S[9]) {
  snReal trace = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      S[3 * i + j] = 0;
      for (int k = 0; k < 3; k++)
        S[3 * i + j] += mu * (A[3 * k + i] * B[3 * k + j] + A[3 * k + j] * B[3 * k + i]);
    }
    for (int k = 0; k < 3; k++) trace += A[3 * k + i] * B[3 * k + i];
  }
  for (int i = 0; i < n; i++) S[3 * i + i] += lambda * trace;
}

// P += F S
static void addProduct(int n, const snReal F[9], const snReal S[9], snReal P[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) P[3 * i + j] += F[3 * i + k] * S[3 * k + j];
    }
  }
}

void sn_viscousStress(const snElement* e, snReal mu, snReal lambda, const snReal rate[9],
                      snReal P[9]) {
  snReal S[9];
  snu_zero(P, 9);
  viscosity(e->n, mu, lambda, e->F, rate, S);
  addProduct(e->n, e->F, S, P);
}

// dF S + F dS with dE = sym(dF' F* + F' dF*)
void sn_viscousTangent(const snElement* e, snReal mu, snReal lambda, const snReal rate[9],
                       const snReal dF[9], const snReal drate[9], snReal dP[9]) {
  snReal S[9], part[9];
  snu_zero(dP, 9);
  viscosity(e->n, mu, lambda, e->F, rate, S);
  addProduct(e->n, dF, S, dP);
  viscosity(e->n, mu, lambda, dF, rate, S);
  viscosity(e->n, mu, lambda, e->F, drate, part);
  for (int i = 0; i < e->n; i++) {
    for (int j = 0; j < e->n; j++) S[3 * i + j] += part[3 * i + j];
  }
  addProduct(e->n, e->F, S, dP);
}
