#include "math/quat.h"

#include "math/mat.h"

void snu_mat2Quat(snReal quat[4], const snReal mat[9]) {
  snReal half = (snReal)0.5, quarter = (snReal)0.25;
  if (mat[0] + mat[4] + mat[8] > 0) {
    quat[0] = half * snu_sqrt(1 + mat[0] + mat[4] + mat[8]);
    quat[1] = quarter * (mat[7] - mat[5]) / quat[0];
    quat[2] = quarter * (mat[2] - mat[6]) / quat[0];
    quat[3] = quarter * (mat[3] - mat[1]) / quat[0];
  } else if (mat[0] > mat[4] && mat[0] > mat[8]) {
    quat[1] = half * snu_sqrt(1 + mat[0] - mat[4] - mat[8]);
    quat[0] = quarter * (mat[7] - mat[5]) / quat[1];
    quat[2] = quarter * (mat[1] + mat[3]) / quat[1];
    quat[3] = quarter * (mat[2] + mat[6]) / quat[1];
  } else if (mat[4] > mat[8]) {
    quat[2] = half * snu_sqrt(1 - mat[0] + mat[4] - mat[8]);
    quat[0] = quarter * (mat[2] - mat[6]) / quat[2];
    quat[1] = quarter * (mat[1] + mat[3]) / quat[2];
    quat[3] = quarter * (mat[5] + mat[7]) / quat[2];
  } else {
    quat[3] = half * snu_sqrt(1 - mat[0] - mat[4] + mat[8]);
    quat[0] = quarter * (mat[3] - mat[1]) / quat[3];
    quat[1] = quarter * (mat[2] + mat[6]) / quat[3];
    quat[2] = quarter * (mat[5] + mat[7]) / quat[3];
  }
  snu_normalize4(quat);
}

void snu_quatZ2Vec(snReal quat[4], const snReal vec[3]) {
  snReal direction[3] = {vec[0], vec[1], vec[2]};
  snReal z[3] = {0, 0, 1}, axis[3];
  snu_unit4(quat);
  if (snu_normalize3(direction) < (snReal)snMINVAL) return;

  snu_cross(axis, z, direction);
  snReal sine = snu_normalize3(axis);
  if (snu_abs(sine) < (snReal)snMINVAL) {
    // parallel: identity, or half a turn about x
    if (direction[2] < 0) {
      quat[0] = 0;
      quat[1] = 1;
    }
    return;
  }
  snu_axisAngle2Quat(quat, axis, snu_atan2(sine, direction[2]));
}

// Polar rotation by iteration: Mueller, Bender, Chentanez, Macklin, "A robust method to extract the
// rotational part of deformations", 2016. quat is warm start and result.
int snu_mat2Rot(snReal quat[4], const snReal mat[9]) {
  int iteration = 0;
  for (; iteration < 500; iteration++) {
    snReal rot[9], omega[3] = {0, 0, 0}, dot = 0;
    snu_quat2Mat(rot, quat);
    for (int c = 0; c < 3; c++) {
      snReal r[3] = {rot[c], rot[c + 3], rot[c + 6]};
      snReal a[3] = {mat[c], mat[c + 3], mat[c + 6]};
      snReal cross[3];
      snu_cross(cross, r, a);
      snu_addTo3(omega, cross);
      dot += snu_dot3(r, a);
    }
    snu_scl3(omega, omega, 1 / (snu_abs(dot) + (snReal)snMINVAL));
    snReal angle = snu_normalize3(omega);
    if (angle < (snReal)1e-9) break;
    snReal turn[4];
    snu_axisAngle2Quat(turn, omega, angle);
    snu_mulQuat(quat, turn, quat);
    snu_normalize4(quat);
  }
  return iteration;
}

void snu_euler2Quat(snReal quat[4], const snReal euler[3], const char* seq) {
  if (!seq || strlen(seq) != 3) {
    snu_error("snu_euler2Quat: seq must contain exactly 3 characters");
    return;
  }
  snReal result[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    int intrinsic = seq[i] >= 'x' && seq[i] <= 'z';
    if (!intrinsic && !(seq[i] >= 'X' && seq[i] <= 'Z')) {
      snu_error("snu_euler2Quat: seq[%d] is '%c', should be one of x, y, z, X, Y, Z", i, seq[i]);
      return;
    }
    snReal half = euler[i] / 2;
    snReal rotation[4] = {snu_cos(half), 0, 0, 0};
    rotation[1 + seq[i] - (intrinsic ? 'x' : 'X')] = snu_sin(half);
    if (intrinsic) {
      snu_mulQuat(result, result, rotation);
    } else {
      snu_mulQuat(result, rotation, result);
    }
  }
  snu_copy4(quat, result);
}

// ---- derivatives

// [v]x, so that [v]x y = v x y
static void crossMatrix(snReal mat[9], const snReal v[3]) {
  mat[0] = mat[4] = mat[8] = 0;
  mat[1] = -v[2];
  mat[2] = v[1];
  mat[3] = v[2];
  mat[5] = -v[0];
  mat[6] = -v[1];
  mat[7] = v[0];
}

// Da = 1 + t K + (1 - t / tan t) K^2 with K = [axis]x and t half of the angle; Db = -Da'
void snd_subQuat(const snReal qa[4], const snReal qb[4], snReal Da[9], snReal Db[9]) {
  if (!Da && !Db) return;
  snReal axis[3], K[9], KK[9], D[9];
  snu_subQuat(axis, qa, qb);
  snReal half = (snReal)0.5 * snu_normalize3(axis);
  crossMatrix(K, axis);
  sn_mulMatMat3(KK, K, K);
  snReal coef = 1 - (half < (snReal)6e-8 ? 1 : half / snu_tan(half));
  for (int i = 0; i < 9; i++) D[i] = (i % 4 == 0) + half * K[i] + coef * KK[i];
  if (Da) snu_copy(Da, D, 9);
  if (Db) {
    sn_transpose3(Db, D);
    snu_scl(Db, Db, -1, 9);
  }
}

// Right Jacobians of the exponential map, with series below 1/32 where the closed forms cancel.
void snd_quatIntegrate(const snReal vel[3], snReal scale, snReal Dquat[9], snReal Dvel[9],
                       snReal Dscale[3]) {
  snReal s[3], K[9];
  snu_scl3(s, vel, scale);
  crossMatrix(K, s);
  snReal xx = snu_dot3(s, s);
  snReal x = snu_sqrt(xx);
  snReal a = snu_cos(x), b, c, d;
  if (x > (snReal)(1.0 / 32)) {
    b = snu_sin(x) / x;
    c = (1 - a) / xx;
    d = (1 - b) / xx;
  } else {
    b = 1 + xx / 6 * (xx / 20 * (1 - xx / 42) - 1);
    c = (1 + xx / 12 * (xx / 30 * (1 - xx / 56) - 1)) / 2;
    d = (1 + xx / 20 * (xx / 42 * (1 - xx / 72) - 1)) / 6;
  }
  snReal V[9];
  for (int i = 0; i < 9; i++) {
    int diagonal = i % 4 == 0;
    snReal outer = s[i / 3] * s[i % 3];
    V[i] = (diagonal ? b : 0) - c * K[i] + d * outer;
    if (Dquat) Dquat[i] = (diagonal ? a : 0) - b * K[i] + c * outer;
  }
  if (Dvel) snu_copy(Dvel, V, 9);
  if (Dscale) snu_mulMatVec3(Dscale, V, vel);
}
