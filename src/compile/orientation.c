// Orientations and poses by the compiler's rules.

#include <math.h>

#include "compile/compiler.h"

void sn_zToQuat(double quat[4], const double axis[3]) {
  // shortest rotation: about z x axis by atan2(|z x axis|, axis_z)
  double turn[3] = {-axis[1], axis[0], 0};
  double sine = sn_normalizeVec(turn, 3);
  if (sine < 1e-10) {
    turn[0] = 1;
    turn[1] = turn[2] = 0;
  }
  double angle = atan2(sine, axis[2]);
  quat[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++) quat[1 + i] = sin(angle / 2) * turn[i];
}

// columns of a rotation matrix to a quaternion; the largest component comes first
static void columnsToQuat(double quat[4], const double x[3], const double y[3], const double z[3]) {
  if (x[0] + y[1] + z[2] > 0) {
    quat[0] = 0.5 * sqrt(1 + x[0] + y[1] + z[2]);
    quat[1] = 0.25 * (y[2] - z[1]) / quat[0];
    quat[2] = 0.25 * (z[0] - x[2]) / quat[0];
    quat[3] = 0.25 * (x[1] - y[0]) / quat[0];
  } else if (x[0] > y[1] && x[0] > z[2]) {
    quat[1] = 0.5 * sqrt(1 + x[0] - y[1] - z[2]);
    quat[0] = 0.25 * (y[2] - z[1]) / quat[1];
    quat[2] = 0.25 * (y[0] + x[1]) / quat[1];
    quat[3] = 0.25 * (z[0] + x[2]) / quat[1];
  } else if (y[1] > z[2]) {
    quat[2] = 0.5 * sqrt(1 - x[0] + y[1] - z[2]);
    quat[0] = 0.25 * (z[0] - x[2]) / quat[2];
    quat[1] = 0.25 * (y[0] + x[1]) / quat[2];
    quat[3] = 0.25 * (z[1] + y[2]) / quat[2];
  } else {
    quat[3] = 0.5 * sqrt(1 - x[0] - y[1] + z[2]);
    quat[0] = 0.25 * (x[1] - y[0]) / quat[3];
    quat[1] = 0.25 * (z[0] + x[2]) / quat[3];
    quat[2] = 0.25 * (z[1] + y[2]) / quat[3];
  }
  sn_normalizeVec(quat, 4);
}

static const char* fromAxisAngle(double quat[4], const double axisangle[4], int degree) {
  double axis[3] = {axisangle[0], axisangle[1], axisangle[2]};
  double angle = degree ? axisangle[3] / 180 * snPI : axisangle[3];
  if (sn_normalizeVec(axis, 3) < SN_EPS) return "axisangle too small";
  quat[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++) quat[1 + i] = sin(angle / 2) * axis[i];
  return NULL;
}

static const char* fromAxes(double quat[4], const double xyaxes[6]) {
  double x[3] = {xyaxes[0], xyaxes[1], xyaxes[2]}, y[3] = {xyaxes[3], xyaxes[4], xyaxes[5]}, z[3];
  if (sn_normalizeVec(x, 3) < SN_EPS) return "xaxis too small";
  double along = sn_dot3(x, y);
  for (int i = 0; i < 3; i++) y[i] -= x[i] * along;
  if (sn_normalizeVec(y, 3) < SN_EPS) return "yaxis too small";
  sn_cross3(z, x, y);
  if (sn_normalizeVec(z, 3) < SN_EPS) return "cross(xaxis, yaxis) too small";
  columnsToQuat(quat, x, y, z);
  return NULL;
}

// Lower-case letters turn about the moving axes, upper-case ones about the fixed axes. Before an
// unknown letter the turns so far count.
static const char* fromEuler(double quat[4], const double euler[3], int degree,
                             const char* sequence) {
  double result[4] = {1, 0, 0, 0};
  for (int i = 0; i < 4; i++) quat[i] = result[i];
  for (int i = 0; i < 3; i++) {
    double angle = degree ? euler[i] / 180 * snPI : euler[i];
    int lower = sequence[i] >= 'x' && sequence[i] <= 'z';
    if (!lower && (sequence[i] < 'X' || sequence[i] > 'Z')) {
      for (int k = 0; k < 4; k++) quat[k] = result[k];
      return "euler sequence can only contain x, y, z, X, Y, Z";
    }
    double turn[4] = {cos(angle / 2), 0, 0, 0};
    turn[1 + sequence[i] - (lower ? 'x' : 'X')] = sin(angle / 2);
    if (lower) {
      sn_quatMul(result, result, turn);
    } else {
      sn_quatMul(result, turn, result);
    }
  }
  sn_normalizeVec(result, 4);
  for (int i = 0; i < 4; i++) quat[i] = result[i];
  return NULL;
}

const char* sns_resolveOrientation(double quat[4], snByte degree, const char* sequence,
                                   const snsOrientation* orientation) {
  double axis[3];
  switch (orientation->type) {
    case snORIENTATION_AXISANGLE: return fromAxisAngle(quat, orientation->axisangle, degree);
    case snORIENTATION_XYAXES: return fromAxes(quat, orientation->xyaxes);
    case snORIENTATION_ZAXIS:
      for (int i = 0; i < 3; i++) axis[i] = orientation->zaxis[i];
      if (sn_normalizeVec(axis, 3) < SN_EPS) return "zaxis too small";
      sn_zToQuat(quat, axis);
      return NULL;
    case snORIENTATION_EULER: return fromEuler(quat, orientation->euler, degree, sequence);
    default: return NULL;
  }
}

int sn_resolveQuat(snCompiler* c, const snElem* elem, double quat[4], const snsOrientation* alt) {
  const snsCompiler* settings = sn_elemCompiler(elem);
  const char* error = sns_resolveOrientation(quat, settings->degree, settings->eulerseq, alt);
  if (!error) return 0;
  if (elem->head.elemtype == snOBJ_BODY) {
    return sn_itemError(c, elem, "error '%s' in frame alternative", error);
  }
  snObj type = elem->head.elemtype;
  return sn_itemError(c, elem, "orientation specification error '%s' in %s %d", error,
                      sn_typeName(type == snOBJ_FRAME ? snOBJ_SITE : type), elem->id);
}

void sn_invertPose(double pos[3], double quat[4], const double oldpos[3], const double oldquat[4]) {
  double mat[9];
  quat[0] = oldquat[0];
  for (int i = 1; i < 4; i++) quat[i] = -oldquat[i];
  sn_quatMat(mat, quat);
  sn_mulMatVec(pos, mat, oldpos);
  for (int i = 0; i < 3; i++) pos[i] = -pos[i];
}

void sn_composeOnto(const double pos[3], const double quat[4], double childpos[3],
                    double childquat[4]) {
  double newpos[3] = {pos[0], pos[1], pos[2]};
  double newquat[4] = {quat[0], quat[1], quat[2], quat[3]};
  sn_frameAccum(newpos, newquat, childpos, childquat);
  for (int i = 0; i < 3; i++) childpos[i] = newpos[i];
  for (int i = 0; i < 4; i++) childquat[i] = newquat[i];
}

int sn_samePose(const double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) {
    if (!(fabs(a[i] - b[i]) < 1e-6)) return 0;
  }
  return 1;
}

int sn_sameQuat(const double a[4], const double b[4]) {
  double negative[4] = {-b[0], -b[1], -b[2], -b[3]};
  return sn_samePose(a, b, 4) || sn_samePose(a, negative, 4);
}
