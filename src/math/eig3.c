#include "math/mat.h"
#include "math/quat.h"

#define EIG_EPS ((snReal)1e-12)

// res = V' A V
static void rotateSymmetric(snReal res[9], const snReal V[9], const snReal A[9]) {
  snReal tmp[9];
  sn_mulMatTMat3(tmp, V, A);
  sn_mulMatMat3(res, tmp, V);
}

// One Jacobi rotation of the largest off-diagonal entry, accumulated in quat; 0 when converged.
static int jacobiRotation(snReal quat[4], const snReal D[9]) {
  snReal d01 = snu_abs(D[1]), d02 = snu_abs(D[2]), d12 = snu_abs(D[5]);
  int r, c;
  if (d01 > d02 && d01 > d12) {
    r = 0;
    c = 1;
  } else if (d02 > d12) {
    r = 0;
    c = 2;
  } else {
    r = 1;
    c = 2;
  }
  snReal off = D[3 * r + c];
  if (snu_abs(off) < EIG_EPS) return 0;

  snReal tau = (D[4 * c] - D[4 * r]) / (2 * off);
  snReal root = snu_sqrt(1 + tau * tau);
  snReal t = tau >= 0 ? 1 / (tau + root) : -1 / (-tau + root);
  snReal cosine = 1 / snu_sqrt(1 + t * t);
  if (cosine > 1 - EIG_EPS) return 0;

  int axis = 3 - r - c;
  snReal rotation[4] = {0, 0, 0, 0};
  snReal part = snu_sqrt((snReal)0.5 - (snReal)0.5 * cosine);
  if (tau >= 0) part = -part;
  if (axis == 1) part = -part;
  rotation[axis + 1] = part;
  rotation[0] = snu_sqrt(1 - part * part);
  snu_normalize4(rotation);
  snu_mulQuat(quat, quat, rotation);
  snu_normalize4(quat);
  return 1;
}

int snu_eig3(snReal eigval[3], snReal eigvec[9], snReal quat[4], const snReal mat[9]) {
  snReal D[9];
  int iteration = 0;
  snu_unit4(quat);
  for (; iteration < 500; iteration++) {
    snu_quat2Mat(eigvec, quat);
    rotateSymmetric(D, eigvec, mat);
    for (int i = 0; i < 3; i++) eigval[i] = D[4 * i];
    if (!jacobiRotation(quat, D)) break;
  }

  // decreasing order: each swap is a quarter turn about the third axis
  for (int pass = 0; pass < 3; pass++) {
    int j = pass % 2;
    if (eigval[j] + EIG_EPS < eigval[j + 1]) {
      snReal value = eigval[j];
      eigval[j] = eigval[j + 1];
      eigval[j + 1] = value;
      snReal turn[4] = {(snReal)0.707106781186548, 0, 0, 0};
      turn[(j + 2) % 3 + 1] = (snReal)0.707106781186548;
      snu_mulQuat(quat, quat, turn);
      snu_normalize4(quat);
    }
  }
  snu_quat2Mat(eigvec, quat);
  return iteration;
}
