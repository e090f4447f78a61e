#include "asset/algebra.h"

#include <math.h>

double sn_dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void sn_cross3(double result[3], const double a[3], const double b[3]) {
  double x = a[1] * b[2] - a[2] * b[1];
  double y = a[2] * b[0] - a[0] * b[2];
  double z = a[0] * b[1] - a[1] * b[0];
  result[0] = x;
  result[1] = y;
  result[2] = z;
}

void sn_sub3(double result[3], const double a[3], const double b[3]) {
  for (int i = 0; i < 3; i++) result[i] = a[i] - b[i];
}

double sn_normalizeVec(double* vec, int n) {
  double square = 0;
  for (int i = 0; i < n; i++) square += vec[i] * vec[i];
  if (square < SN_EPS) return 0;
  double length = sqrt(square);
  if (fabs(length - 1) > SN_EPS) {
    for (int i = 0; i < n; i++) vec[i] /= length;
  }
  return length;
}

void sn_quatMat(double mat[9], const double quat[4]) {
  double w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  if (w == 1 && x == 0 && y == 0 && z == 0) {
    for (int i = 0; i < 9; i++) mat[i] = i % 4 == 0;
    return;
  }
  double ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  mat[0] = ww + xx - yy - zz;
  mat[4] = ww - xx + yy - zz;
  mat[8] = ww - xx - yy + zz;
  mat[1] = 2 * (x * y - w * z);
  mat[2] = 2 * (x * z + w * y);
  mat[3] = 2 * (x * y + w * z);
  mat[5] = 2 * (y * z - w * x);
  mat[6] = 2 * (x * z - w * y);
  mat[7] = 2 * (y * z + w * x);
}

void sn_mulMatVec(double result[3], const double mat[9], const double vec[3]) {
  double v[3] = {vec[0], vec[1], vec[2]};
  for (int i = 0; i < 3; i++) {
    result[i] = mat[3 * i] * v[0] + mat[3 * i + 1] * v[1] + mat[3 * i + 2] * v[2];
  }
}

void sn_mulMatTVec(double result[3], const double mat[9], const double vec[3]) {
  double v[3] = {vec[0], vec[1], vec[2]};
  for (int i = 0; i < 3; i++) {
    result[i] = mat[i] * v[0] + mat[3 + i] * v[1] + mat[6 + i] * v[2];
  }
}

void sn_quatMul(double result[4], const double a[4], const double b[4]) {
  double product[4] = {
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
      a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
      a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  };
  sn_normalizeVec(product, 4);
  for (int i = 0; i < 4; i++) result[i] = product[i];
}

void sn_rotateVec(double result[3], const double vec[3], const double quat[4]) {
  double v[3] = {vec[0], vec[1], vec[2]};
  if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
    for (int i = 0; i < 3; i++) result[i] = 0;
  } else if (quat[0] == 1 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0) {
    for (int i = 0; i < 3; i++) result[i] = v[i];
  } else {
    // t = w v + u x v, result = v + 2 u x t
    double w = quat[0], x = quat[1], y = quat[2], z = quat[3];
    double t[3] = {
        w * v[0] + y * v[2] - z * v[1],
        w * v[1] + z * v[0] - x * v[2],
        w * v[2] + x * v[1] - y * v[0],
    };
    result[0] = v[0] + 2 * (y * t[2] - z * t[1]);
    result[1] = v[1] + 2 * (z * t[0] - x * t[2]);
    result[2] = v[2] + 2 * (x * t[1] - y * t[0]);
  }
}

void sn_frameAccum(double pos[3], double quat[4], const double childpos[3],
                   const double childquat[4]) {
  double mat[9], vec[3];
  sn_quatMat(mat, quat);
  sn_mulMatVec(vec, mat, childpos);
  for (int i = 0; i < 3; i++) pos[i] += vec[i];
  sn_quatMul(quat, quat, childquat);
}

// diag = rotation' * mat * rotation
static void rotateMatrix(double diag[9], const double mat[9], const double rotation[9]) {
  double tmp[9];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      tmp[3 * i + j] =
          rotation[i] * mat[j] + rotation[3 + i] * mat[3 + j] + rotation[6 + i] * mat[6 + j];
    }
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      diag[3 * i + j] = tmp[3 * i] * rotation[j] + tmp[3 * i + 1] * rotation[3 + j] +
                        tmp[3 * i + 2] * rotation[6 + j];
    }
  }
}

// Decreasing order by three compare-swaps; values closer than 1e-12 stay.
static void sortEigen(double eigval[3], double quat[4]) {
  const double half = 0.707106781186548;
  for (int pass = 0; pass < 3; pass++) {
    int i = pass % 2;
    if (eigval[i] + 1e-12 < eigval[i + 1]) {
      double swap = eigval[i];
      eigval[i] = eigval[i + 1];
      eigval[i + 1] = swap;
      double turn[4] = {half, 0, 0, 0};
      turn[(i + 2) % 3 + 1] = half;
      sn_quatMul(quat, quat, turn);
    }
  }
}

void sn_eigen3(double eigval[3], double quat[4], const double mat[9]) {
  const double epsilon = 1e-12;
  quat[0] = 1;
  quat[1] = quat[2] = quat[3] = 0;

  // Jacobi rotations, accumulated in the quaternion
  for (int sweep = 0; sweep < 500; sweep++) {
    double rotation[9], d[9];
    sn_quatMat(rotation, quat);
    rotateMatrix(d, mat, rotation);
    for (int i = 0; i < 3; i++) eigval[i] = d[4 * i];

    // largest off-diagonal entry
    int row, col, axis;
    if (fabs(d[1]) > fabs(d[2]) && fabs(d[1]) > fabs(d[5])) {
      row = 0, col = 1, axis = 2;
    } else if (fabs(d[2]) > fabs(d[5])) {
      row = 0, col = 2, axis = 1;
    } else {
      row = 1, col = 2, axis = 0;
    }
    double pivot = d[3 * row + col];
    if (fabs(pivot) < epsilon) break;

    // rotation that removes it
    double tau = (d[4 * col] - d[4 * row]) / (2 * pivot);
    double t = tau >= 0 ? 1 / (tau + sqrt(1 + tau * tau)) : -1 / (-tau + sqrt(1 + tau * tau));
    double cosine = 1 / sqrt(1 + t * t);
    if (cosine > 1 - epsilon) break;
    double turn[4] = {0, 0, 0, 0};
    double sine = sqrt(0.5 - 0.5 * cosine);
    if (tau >= 0) sine = -sine;
    if (axis == 1) sine = -sine;
    turn[axis + 1] = sine;
    turn[0] = sqrt(1 - sine * sine);
    sn_normalizeVec(turn, 4);
    sn_quatMul(quat, quat, turn);
    sn_normalizeVec(quat, 4);
  }
  sortEigen(eigval, quat);
}

double sn_triangle(double normal[3], double center[3], const double a[3], const double b[3],
                   const double c[3]) {
  double ab[3], ac[3];
  sn_sub3(ab, b, a);
  sn_sub3(ac, c, a);
  sn_cross3(normal, ab, ac);
  if (center) {
    for (int i = 0; i < 3; i++) center[i] = (a[i] + b[i] + c[i]) / 3;
  }
  double length = sqrt(sn_dot3(normal, normal));
  if (length < snMINVAL) return 0;
  for (int i = 0; i < 3; i++) normal[i] /= length;
  return length / 2;
}
