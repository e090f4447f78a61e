// The compiler's own small linear algebra, in double whatever snReal is.
//
// It differs from the engine's in its thresholds, which are visible in compiled models: vectors
// shorter than 1e-7 are not normalised, nearly unit vectors are left alone, products of quaternions
// are normalised, and eigenvalues closer than 1e-12 are not sorted.

#ifndef SINEW_ASSET_ALGEBRA_H_
#define SINEW_ASSET_ALGEBRA_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

#define SN_EPS 1e-14  // the compiler's smallest difference

double sn_dot3(const double a[3], const double b[3]);
void sn_cross3(double result[3], const double a[3], const double b[3]);
void sn_sub3(double result[3], const double a[3], const double b[3]);

// Normalise in place. Returns the length, or 0 (vector unchanged) when its square is below 1e-14.
double sn_normalizeVec(double* vec, int n);

// Rotation matrix of a quaternion, row-major; the quaternion is not normalised.
void sn_quatMat(double mat[9], const double quat[4]);

// result = mat * vec, and result = mat' * vec; result may be vec.
void sn_mulMatVec(double result[3], const double mat[9], const double vec[3]);
void sn_mulMatTVec(double result[3], const double mat[9], const double vec[3]);

// result = a * b, normalised; result may be a or b.
void sn_quatMul(double result[4], const double a[4], const double b[4]);

// Rotate a vector by a quaternion; result may be vec.
void sn_rotateVec(double result[3], const double vec[3], const double quat[4]);

// (pos, quat) = (pos, quat) o (childpos, childquat).
void sn_frameAccum(double pos[3], double quat[4], const double childpos[3],
                   const double childquat[4]);

// Eigenvalues of a symmetric matrix in decreasing order, and the rotation whose columns are the
// eigenvectors.
void sn_eigen3(double eigval[3], double quat[4], const double mat[9]);

// Unit normal and area of a triangle; a degenerate one has area 0 and a normal of any length.
double sn_triangle(double normal[3], double center[3], const double a[3], const double b[3],
                   const double c[3]);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_ALGEBRA_H_
