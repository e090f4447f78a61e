#include "math/vec.h"

snReal snu_sum(const snReal* vec, int n) {
  snReal sum = 0;
  for (int i = 0; i < n; i++) sum += vec[i];
  return sum;
}

snReal snu_L1(const snReal* vec, int n) {
  snReal sum = 0;
  for (int i = 0; i < n; i++) sum += snu_abs(vec[i]);
  return sum;
}

snReal snu_normalize(snReal* res, int n) {
  snReal norm = snu_norm(res, n);
  if (norm < (snReal)snMINVAL) {
    snu_zero(res, n);
    if (n > 0) res[0] = 1;
  } else {
    snReal inverse = 1 / norm;
    for (int i = 0; i < n; i++) res[i] *= inverse;
  }
  return norm;
}

void snu_f2n(snReal* res, const float* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (snReal)vec[i];
}

void snu_n2f(float* res, const snReal* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (float)vec[i];
}

void snu_d2n(snReal* res, const double* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (snReal)vec[i];
}

void snu_n2d(double* res, const snReal* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (double)vec[i];
}

void snu_insertionSort(snReal* list, int n) {
  for (int i = 1; i < n; i++) {
    snReal x = list[i];
    int j = i - 1;
    for (; j >= 0 && list[j] > x; j--) list[j + 1] = list[j];
    list[j + 1] = x;
  }
}

void snu_insertionSortInt(int* list, int n) {
  for (int i = 1; i < n; i++) {
    int x = list[i];
    int j = i - 1;
    for (; j >= 0 && list[j] > x; j--) list[j + 1] = list[j];
    list[j + 1] = x;
  }
}
