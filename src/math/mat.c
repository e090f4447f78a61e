#include "math/mat.h"

#include "base/assert.h"

void snu_mulMatVec(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc) {
  SN_ASSERT(res != vec || nr == 0);
  for (int r = 0; r < nr; r++) res[r] = snu_dot(mat + (size_t)r * nc, vec, nc);
}

// row by row; rows with an exactly zero multiplier are skipped
void snu_mulMatTVec(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc) {
  SN_ASSERT(res != vec || nr * nc == 0);
  snu_zero(res, nc);
  for (int r = 0; r < nr; r++) {
    if (vec[r] != 0) snu_addToScl(res, mat + (size_t)r * nc, vec[r], nc);
  }
}

snReal snu_mulVecMatVec(const snReal* vec1, const snReal* mat, const snReal* vec2, int n) {
  snReal sum = 0;
  for (int r = 0; r < n; r++) sum += vec1[r] * snu_dot(mat + (size_t)r * n, vec2, n);
  return sum;
}

void snu_transpose(snReal* res, const snReal* mat, int nr, int nc) {
  SN_ASSERT(res != mat || nr * nc < 2);
  for (int r = 0; r < nr; r++) {
    for (int c = 0; c < nc; c++) res[(size_t)c * nr + r] = mat[(size_t)r * nc + c];
  }
}

// res may alias mat
void snu_symmetrize(snReal* res, const snReal* mat, int n) {
  for (int r = 0; r < n; r++) {
    res[(size_t)r * n + r] = mat[(size_t)r * n + r];
    for (int c = 0; c < r; c++) {
      snReal mean = (snReal)0.5 * (mat[(size_t)r * n + c] + mat[(size_t)c * n + r]);
      res[(size_t)r * n + c] = res[(size_t)c * n + r] = mean;
    }
  }
}

void snu_eye(snReal* mat, int n) {
  for (int r = 0; r < n; r++) {
    snu_zero(mat + (size_t)r * n, n);
    mat[(size_t)r * n + r] = 1;
  }
}

void snu_mulMatMat(snReal* res, const snReal* mat1, const snReal* mat2, int r1, int c1, int c2) {
  SN_ASSERT(res != mat1 && res != mat2);
  for (int r = 0; r < r1; r++) {
    snReal* row = res + (size_t)r * c2;
    snu_zero(row, c2);
    for (int k = 0; k < c1; k++) {
      snReal factor = mat1[(size_t)r * c1 + k];
      if (factor != 0) snu_addToScl(row, mat2 + (size_t)k * c2, factor, c2);
    }
  }
}

void snu_mulMatMatT(snReal* res, const snReal* mat1, const snReal* mat2, int r1, int c1, int r2) {
  SN_ASSERT(res != mat1 && res != mat2);
  for (int r = 0; r < r1; r++) {
    for (int c = 0; c < r2; c++) {
      res[(size_t)r * r2 + c] = snu_dot(mat1 + (size_t)r * c1, mat2 + (size_t)c * c1, c1);
    }
  }
}

void snu_mulMatTMat(snReal* res, const snReal* mat1, const snReal* mat2, int r1, int c1, int c2) {
  SN_ASSERT(res != mat1 && res != mat2);
  for (int r = 0; r < c1; r++) snu_zero(res + (size_t)r * c2, c2);
  for (int k = 0; k < r1; k++) {
    for (int r = 0; r < c1; r++) {
      snReal factor = mat1[(size_t)k * c1 + r];
      if (factor != 0) snu_addToScl(res + (size_t)r * c2, mat2 + (size_t)k * c2, factor, c2);
    }
  }
}

// res = mat' diag mat (diag NULL: identity); the lower triangle is built and then mirrored
void snu_sqrMatTD(snReal* res, const snReal* mat, const snReal* diag, int nr, int nc) {
  SN_ASSERT(res != mat || nr * nc < 2);
  for (int r = 0; r < nc; r++) snu_zero(res + (size_t)r * nc, nc);
  for (int k = 0; k < nr; k++) {
    if (diag && diag[k] == 0) continue;
    const snReal* row = mat + (size_t)k * nc;
    for (int r = 0; r < nc; r++) {
      if (row[r] == 0) continue;
      snReal factor = diag ? row[r] * diag[k] : row[r];
      snu_addToScl(res + (size_t)r * nc, row, factor, r + 1);
    }
  }
  for (int r = 0; r < nc; r++) {
    for (int c = r + 1; c < nc; c++) res[(size_t)r * nc + c] = res[(size_t)c * nc + r];
  }
}
