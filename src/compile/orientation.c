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

int sn_resolveQuat(snCompiler* c, const snElem* elem, double quat[4], const snsOrientation* alt) {
  const snsCompiler* settings = sn_elemCompiler(elem);
  const char* error = sns_resolveOrientation(quat, settings->degree, settings->eulerseq, alt);
  return error ? sn_itemError(c, elem, "%s", error) : 0;
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
