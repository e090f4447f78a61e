// Every function of the mathematics groups.
#include "sample.h"

static void vectors() {
  title("vectors");
  mjtNum a[3] = {1, -2, 3}, b[3] = {0.5, 4, -1}, r[3], mat[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
  mju_zero3(r);
  show("zero3", r, 3);
  mju_copy3(r, a);
  show("copy3", r, 3);
  mju_scl3(r, a, 2.5);
  show("scl3", r, 3);
  mju_add3(r, a, b);
  show("add3", r, 3);
  mju_sub3(r, a, b);
  show("sub3", r, 3);
  mju_addTo3(r, b);
  show("addTo3", r, 3);
  mju_subFrom3(r, a);
  show("subFrom3", r, 3);
  mju_addToScl3(r, a, 3);
  show("addToScl3", r, 3);
  mju_addScl3(r, a, b, -2);
  show("addScl3", r, 3);
  mju_copy3(r, a);
  show("normalize3", mju_normalize3(r));
  show("normalize3", r, 3);
  mjtNum tiny[3] = {1e-20, 0, 0};
  show("normalize3", mju_normalize3(tiny));
  show("normalize3", tiny, 3);
  show("norm3", mju_norm3(a));
  show("dot3", mju_dot3(a, b));
  show("dist3", mju_dist3(a, b));
  mju_mulMatVec3(r, mat, a);
  show("mulMatVec3", r, 3);
  mju_mulMatTVec3(r, mat, a);
  show("mulMatTVec3", r, 3);
  mju_cross(r, a, b);
  show("cross", r, 3);
  mjtNum z4[4], u4[4], q[4] = {1, 2, 3, 4};
  mju_zero4(z4);
  mju_unit4(u4);
  mju_copy4(z4, q);
  show("copy4", z4, 4);
  show("unit4", u4, 4);
  show("normalize4", mju_normalize4(z4));
  show("normalize4", z4, 4);
  mjtNum v[5] = {1, 2, -3, 4, 0.5}, w[5] = {2, 0, 1, -1, 3}, s[5];
  mju_zero(s, 5);
  mju_fill(s, 7, 5);
  show("fill", s, 5);
  mju_copy(s, v, 5);
  show("sum", mju_sum(s, 5));
  show("L1", mju_L1(s, 5));
  mju_scl(s, v, 2, 5);
  mju_add(s, v, w, 5);
  show("add", s, 5);
  mju_sub(s, v, w, 5);
  show("sub", s, 5);
  mju_addTo(s, w, 5);
  mju_subFrom(s, v, 5);
  mju_addToScl(s, w, 0.5, 5);
  show("addToScl", s, 5);
  mju_addScl(s, v, w, 3, 5);
  show("addScl", s, 5);
  show("normalize", mju_normalize(s, 5));
  show("normalize", s, 5);
  show("norm", mju_norm(v, 5));
  show("dot", mju_dot(v, w, 5));
}

static void matrices() {
  title("matrices");
  mjtNum a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 2, -1, 3, 1}, v[3] = {1, 2, 3}, r[9],
         sq[9] = {4, 1, 0, 1, 3, 1, 0, 1, 2};
  mju_mulMatVec(r, a, v, 2, 3);
  show("mulMatVec", r, 2);
  mju_mulMatTVec(r, a, v, 2, 3);
  show("mulMatTVec", r, 3);
  show("mulVecMatVec", mju_mulVecMatVec(v, sq, v, 3));
  mju_transpose(r, a, 2, 3);
  show("transpose", r, 6);
  mju_symmetrize(r, sq, 3);
  show("symmetrize", r, 9);
  mju_eye(r, 3);
  show("eye", r, 9);
  mju_mulMatMat(r, a, b, 2, 3, 2);
  show("mulMatMat", r, 4);
  mju_mulMatMatT(r, a, b, 2, 3, 2);
  show("mulMatMatT", r, 4);
  mju_mulMatTMat(r, a, b, 2, 3, 3);
  show("mulMatTMat", r, 9);
  mju_sqrMatTD(r, a, v, 2, 3);
  show("sqrMatTD", r, 9);
  mju_sqrMatTD(r, a, nullptr, 2, 3);
  show("sqrMatTD", r, 9);
  mjtNum spatial[6] = {1, 2, 3, 4, 5, 6}, out[6], p[3] = {1, 0, 0}, o[3] = {0, 1, 0},
         rot[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  for (int force = 0; force < 2; force++) {
    mju_transformSpatial(out, spatial, force, p, o, rot);
    show("transformSpatial", out, 6);
    mju_transformSpatial(out, spatial, force, p, o, nullptr);
    show("transformSpatial", out, 6);
  }
  mjtNum dense[6] = {1, 0, 2, 0, 0, 3}, sparse[6], back[6];
  int nnz[2], adr[2], ind[6];
  show("dense2sparse", mju_dense2sparse(sparse, dense, 2, 3, nnz, adr, ind, 6));
  show("dense2sparse", mju_dense2sparse(sparse, dense, 2, 3, nnz, adr, ind, 2));
  show("dense2sparse", mju_dense2sparse(sparse, dense, 2, 3, nnz, adr, ind, 3));
  mju_sparse2dense(back, sparse, 2, 3, nnz, adr, ind);
  show("sparse2dense", back, 6);
  mju_printMat(dense, 2, 3);
  mju_printMatSparse(sparse, 2, nnz, adr, ind);
}

static void rotations() {
  title("rotations");
  mjtNum q[4] = {0.5, 0.5, -0.5, 0.5}, p[4] = {0.8, 0, 0.6, 0}, r[4], v[3] = {1, 2, 3}, w[3], m[9];
  mju_rotVecQuat(w, v, q);
  show("rotVecQuat", w, 3);
  mju_negQuat(r, q);
  show("negQuat", r, 4);
  mju_mulQuat(r, q, p);
  show("mulQuat", r, 4);
  mju_mulQuatAxis(r, q, v);
  show("mulQuatAxis", r, 4);
  mju_axisAngle2Quat(r, v, 0.7);
  show("axisAngle2Quat", r, 4);
  mju_quat2Vel(w, p, 0.1);
  show("quat2Vel", w, 3);
  mju_subQuat(w, q, p);
  show("subQuat", w, 3);
  mju_quat2Mat(m, p);
  show("quat2Mat", m, 9);
  mju_mat2Quat(r, m);
  show("mat2Quat", r, 4);
  mju_derivQuat(r, q, v);
  show("derivQuat", r, 4);
  mju_copy4(r, q);
  mju_quatIntegrate(r, v, 0.1);
  show("quatIntegrate", r, 4);
  mju_quatZ2Vec(r, v);
  show("quatZ2Vec", r, 4);
  mjtNum down[3] = {0, 0, -1};
  mju_quatZ2Vec(r, down);
  show("quatZ2Vec", r, 4);
  mju_copy4(r, p);
  show("mat2Rot", mju_mat2Rot(r, m) >= 0);
  show("mat2Rot", r, 4);
  for (const char* sequence : {"xyz", "XYZ", "zxy", "YxZ"}) {
    mju_euler2Quat(r, v, sequence);
    show(sequence, r, 4);
  }
  mjtNum x[3] = {1, 0, 2}, y[3] = {0, 1, 0}, pos[3];
  mju_mulPose(pos, r, x, q, y, p);
  show("mulPose", pos, 3);
  show("mulPose", r, 4);
  mju_negPose(pos, r, x, q);
  show("negPose", pos, 3);
  mju_trnVecPose(pos, x, q, v);
  show("trnVecPose", pos, 3);
  mjtNum A[9], B[9], C[3];
  mjd_subQuat(q, p, A, B);
  show("subQuat", A, 9);
  show("subQuat", B, 9);
  mjd_quatIntegrate(v, 0.1, A, B, C);
  show("quatIntegrate", A, 9);
  show("quatIntegrate", B, 9);
  show("quatIntegrate", C, 3);
}

static void decompositions() {
  title("decompositions");
  mjtNum a[9] = {4, 1, 0.5, 1, 3, 1, 0.5, 1, 2}, L[9], v[3] = {1, 2, 3}, r[3],
         x[3] = {0.1, 0.2, 0.3};
  mju_copy(L, a, 9);
  show("cholFactor", mju_cholFactor(L, 3, 1e-10));
  show("lower", L, 1);
  mju_cholSolve(r, L, v, 3);
  show("cholSolve", r, 3);
  show("cholUpdate", mju_cholUpdate(L, x, 3, 1));
  mju_cholSolve(r, L, v, 3);
  show("cholSolve", r, 3);
  mjtNum bad[4] = {1, 2, 2, 1};
  show("rank", mju_cholFactor(bad, 2, 1e-10));
  int total = 5, band = 2, nd = 1;
  mjtNum dense[25] = {0}, stored[100], back[25], rhs[5] = {1, 2, 3, 4, 5}, out[5];
  for (int i = 0; i < 5; i++) {
    dense[6 * i] = 10 + i;
    if (i) dense[5 * i + i - 1] = dense[5 * (i - 1) + i] = 1;
    dense[20 + i] = dense[5 * i + 4] = i == 4 ? 20 : 0.5;
  }
  mju_dense2Band(stored, dense, total, band, nd);
  for (int i = 0; i < total; i++) show("bandDiag", mju_bandDiag(i, total, band, nd));
  mju_band2Dense(back, stored, total, band, nd, 1);
  show("band2Dense", back, 25);
  mju_bandMulMatVec(out, stored, rhs, total, band, nd, 1, 1);
  show("bandMulMatVec", out, 5);
  show("cholFactorBand", mju_cholFactorBand(stored, total, band, nd, 0.01, 0.001));
  mju_cholSolveBand(out, stored, rhs, total, band, nd);
  show("cholSolveBand", out, 5);
  mjtNum value[3], vector[9], quat[4];
  show("eig3", mju_eig3(value, vector, quat, a) >= 0);
  show("eigval", value, 3);
  mjtNum H[4] = {2, 0.5, 0.5, 1}, g[2] = {-3, 2}, lower[2] = {-1, -1}, upper[2] = {1, 1},
         res[2] = {0, 0}, R[18];
  int index[2];
  show("boxQP", mju_boxQP(res, R, index, H, g, 2, lower, upper));
  show("boxQP", res, 2);
  res[0] = res[1] = 0;
  show("boxQP", mju_boxQP(res, R, nullptr, H, g, 2, nullptr, nullptr));
  show("boxQP", res, 2);
  mjtNum *pr, *pR, *pH, *pg, *pl, *pu;
  int* pi;
  mju_boxQPmalloc(&pr, &pR, &pi, &pH, &pg, 3, &pl, &pu);
  show("boxQPmalloc", pr && pR && pi && pH && pg && pl && pu);
  for (void* p : {(void*)pr, (void*)pR, (void*)pi, (void*)pH, (void*)pg, (void*)pl, (void*)pu})
    mju_free(p);
}

static void miscellaneous() {
  title("miscellaneous");
  mjtNum range[2] = {0.5, 1.5}, prm[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2},
         dyn[3] = {0.01, 0.04, 0};
  for (mjtNum x : {0.4, 0.8, 1.0, 1.4}) {
    show("muscleGain", mju_muscleGain(x, 0.3, range, 2, prm));
    show("muscleBias", mju_muscleBias(x, range, 2, prm));
    show("muscleDynamics", mju_muscleDynamics(x, 0.5, dyn));
    show("sigmoid", mju_sigmoid(x));
    show("round", mju_round(10 * x - 6.3));
    show("sign", mju_sign(x - 0.8));
    show("clip", mju_clip(x, 0.5, 1.2));
  }
  mjtNum mu[5] = {1, 0.8, 0.1, 0.01, 0.01}, force[3] = {5, 1, -2}, pyramid[4];
  mju_encodePyramid(pyramid, force, mu, 3);
  show("encodePyramid", pyramid, 4);
  mju_decodePyramid(force, pyramid, mu, 3);
  show("decodePyramid", force, 3);
  for (mjtNum kv : {0.1, 2.0, 10.0}) show("springDamper", mju_springDamper(1, 2, 1, kv, 0.5));
  show("min", mju_min(1, 2));
  show("max", mju_max(1, 2));
  show("isBad", mju_isBad(NAN));
  show("isBad", mju_isBad(1e11));
  show("isBad", mju_isBad(1));
  mjtNum zeros[3] = {0, 0, 0};
  show("isZero", mju_isZero(zeros, 3));
  zeros[2] = 1e-300;
  show("isZero", mju_isZero(zeros, 3));
  mjtNum second;
  mjtNum first = mju_standardNormal(&second);
  show("standardNormal", std::isfinite(first) && std::isfinite(second));
  float f[2] = {1.5f, 2.5f};
  double dd[2] = {1.25, 2.25};
  mjtNum n[2];
  mju_f2n(n, f, 2);
  show("f2n", n, 2);
  mju_n2f(f, n, 2);
  mju_d2n(n, dd, 2);
  mju_n2d(dd, n, 2);
  show("n2d", dd, 2);
  mjtNum list[5] = {3, 1, 2, -1, 0};
  int ints[5] = {3, 1, 2, -1, 0};
  mju_insertionSort(list, 5);
  mju_insertionSortInt(ints, 5);
  show("insertionSort", list, 5);
  show("insertionSortInt", ints, 5);
  show("Halton", mju_Halton(7, 3));
  char text[6];
  show("strncpy", mju_strncpy(text, "a long text", 6));
  std::printf("%.6f %.6f %.6f %.6f\n", mju_sqrt(2.0), mju_exp(1.0), mju_atan2(1.0, 2.0),
              mju_pow(2.0, 0.5));
}

int main() {
  catchMessages();
  vectors();
  matrices();
  rotations();
  decompositions();
  miscellaneous();
}
