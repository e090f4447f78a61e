// One element of a flex whose law is a function of the principal stretches (flex/element.c).
//
// The deformation gradient is F = sum_c x_c g_c' over the corners, g_c the gradients of the barycentric
// coordinates at rest (two components in the plane of a triangle); corner c is pulled by -w P g_c, with P = dW/dF
// and w the volume at rest.

#ifndef SINEW_ENGINE_FLEX_ELEMENT_H_
#define SINEW_ENGINE_FLEX_ELEMENT_H_

#include "engine/flex/material.h"

SN_EXTERN_C_BEGIN

typedef struct snElement_ {
  int n;                // 2: triangle, 3: tetrahedron; it has n + 1 corners
  snReal weight;        // volume at rest
  snReal gradient[12];  // n components each
  snReal F[9];          // n columns, the rest zero
} snElement;

// F = U diag(s) V' with rotations U and V, and the law at s: the stiffness is diagonal but for the block of the
// stretches. A symmetric and an antisymmetric change of each pair of axes, and one out of the plane of a
// triangle, meet each a stiffness of their own.
typedef struct snModes_ {
  snReal U[9], V[9], s[3];  // columns
  snPrincipal law;
  snReal symmetric[3], antisymmetric[3];  // of the axes other than the k-th
  snReal outward[2];
} snModes;

// flex_stiffness of an element (weight, then the gradients of corners 1 to n) and its corners.
void sn_loadElement(snElement* e, const snReal block[21], int n, const snReal x[12]);

// sum_c v_c g_c': F of positions, its rate of velocities
void sn_elementGradient(const snElement* e, const snReal v[12], snReal F[9]);

// force[c] -= w P g_c
void sn_addElementForce(const snElement* e, const snReal P[9], snReal force[12]);

void sn_elementModes(const snElement* e, int model, const snReal* param, snModes* modes);

// Replace the stiffness by the nearest one that is positive semidefinite.
void sn_projectModes(snModes* modes, int n);

// P = U diag(dW/ds) V'
void sn_elementStress(const snModes* modes, snReal P[9]);

// Its change with F.
void sn_elementTangent(const snModes* modes, int n, const snReal dF[9], snReal dP[9]);

// Viscosity (Kelvin and Voigt): P = F S, S = 2 mu E + lambda tr(E) 1, E = (F' F* + F*' F) / 2 with the rate F*
// of F; and its change.
void sn_viscousStress(const snElement* e, snReal mu, snReal lambda, const snReal rate[9],
                      snReal P[9]);
void sn_viscousTangent(const snElement* e, snReal mu, snReal lambda, const snReal rate[9],
                       const snReal dF[9], const snReal drate[9], snReal dP[9]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_FLEX_ELEMENT_H_
