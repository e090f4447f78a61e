// Work on long lists, four numbers at a time.
//
// Every sum is that of math/vec.h: four strided partial sums, (s0 + s2) + (s1 + s3), and what is left behind
// them. Where the compiler has vectors, one operation takes four numbers; the bits are the same without.
// Functions are parts of kernels (SN_WIDE), which decide how wide the vectors of the machine are.

#ifndef SINEW_MATH_FOUR_H_
#define SINEW_MATH_FOUR_H_

#include "math/vec.h"

#if defined(__SSE2__) && !defined(__CUDACC__)
#include <emmintrin.h>
#endif

#if defined(__GNUC__) && !defined(__CUDACC__)
#define SN_HAS_FOUR 1
typedef snReal snFour
    __attribute__((vector_size(4 * sizeof(snReal)), aligned(sizeof(snReal)), may_alias));
#define SN_LOAD4(from) (*(const snFour*)(from))
#define SN_SUM4(s) (((s)[0] + (s)[2]) + ((s)[1] + (s)[3]))

// eight numbers of single precision, and what comparing them gives
typedef float snEight __attribute__((vector_size(32), aligned(4), may_alias));
typedef int snEightInts __attribute__((vector_size(32), aligned(4), may_alias));
#define SN_LOAD8(from) (*(const snEight*)(from))

// Bit i: number i of a comparison is false.
SN_KERNEL unsigned sn_falseBits8(const snEightInts* comparison) {
  typedef long long Longs __attribute__((vector_size(32)));
  const snEightInts bit = {1, 2, 4, 8, 16, 32, 64, 128};
  Longs two = (Longs)(~*comparison & bit);
  unsigned long long all = (unsigned long long)((two[0] | two[1]) | (two[2] | two[3]));
  return (unsigned)(all | all >> 32);
}

// pairs, for what is left behind groups of four
typedef snReal snTwo
    __attribute__((vector_size(2 * sizeof(snReal)), aligned(sizeof(snReal)), may_alias));
#define SN_LOAD2(from) (*(const snTwo*)(from))
#else
#define SN_HAS_FOUR 0
#endif
#define SN_LOAD1(from) (*(from))

// ---- two at a time: roots and quotients keep the processor busy for long, and a pair no longer than one

#if SN_HAS_FOUR && defined(__SSE2__) && !defined(SN_SINGLE)
SN_KERNEL void sn_sqrtTwo(snReal root[2], snReal a, snReal b) {
  snTwo x = {a, b};
  *(snTwo*)root = (snTwo)_mm_sqrt_pd((__m128d)x);
}
#else
SN_KERNEL void sn_sqrtTwo(snReal root[2], snReal a, snReal b) {
  root[0] = snu_sqrt(a);
  root[1] = snu_sqrt(b);
}
#endif

// a / c and b / d
SN_KERNEL void sn_divideTwo(snReal quotient[2], snReal a, snReal b, snReal c, snReal d) {
#if SN_HAS_FOUR
  snTwo x = {a, b}, y = {c, d};
  *(snTwo*)quotient = x / y;
#else
  quotient[0] = a / c;
  quotient[1] = b / d;
#endif
}

// n numbers that do not depend on one another, in place: NEW(w) is what becomes of the w numbers from to[k] on.
// Behind groups of four comes a group that ends with the last number, and overlaps the one before: it is computed
// from what was there, and stored over the same values.
#if SN_HAS_FOUR
#define SN_OVER(to, n, NEW)                                         \
  do {                                                              \
    int k = (n)-4;                                                  \
    if (k >= 0) {                                                   \
      snFour sn_last = NEW(4);                                      \
      for (k = 0; k < (n)-4; k += 4) *(snFour*)((to) + k) = NEW(4); \
      *(snFour*)((to) + (n)-4) = sn_last;                           \
    } else {                                                        \
      k = 0;                                                        \
      if ((n)&2) {                                                  \
        *(snTwo*)((to) + k) = NEW(2);                               \
        k = 2;                                                      \
      }                                                             \
      if ((n)&1) (to)[k] = NEW(1);                                  \
    }                                                               \
  } while (0)
#else
#define SN_OVER(to, n, NEW)                         \
  do {                                              \
    for (int k = 0; k < (n); k++) (to)[k] = NEW(1); \
  } while (0)
#endif

// whether there is __builtin_shufflevector
#if SN_HAS_FOUR && (defined(__clang__) || __GNUC__ >= 12)
#define SN_HAS_SHUFFLES 1
// {s[0] + s[2], s[1] + s[3]}, and the sums of the two numbers of a and of b
#define SN_HALVES4(s) (__builtin_shufflevector(s, s, 0, 1) + __builtin_shufflevector(s, s, 2, 3))
#define SN_PAIR2(a, b) (__builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3))
#else
#define SN_HAS_SHUFFLES 0
#endif

// what is left of an inner product behind the groups of four
SN_KERNEL snReal sn_addRest(snReal sum, const snReal* a, const snReal* b, int rest) {
  switch (rest) {
    case 3: return sum + (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    case 2: return sum + (a[0] * b[0] + a[1] * b[1]);
    case 1: return sum + a[0] * b[0];
    default: return sum;
  }
}

// An inner product as snu_dot has it.
SN_KERNEL snReal sn_dotOne(const snReal* a, const snReal* b, int n) {
#if SN_HAS_FOUR
  snFour s = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) s += SN_LOAD4(a + i) * SN_LOAD4(b + i);
  return sn_addRest(SN_SUM4(s), a + i, b + i, n - i);
#else
  return snu_dot(a, b, n);
#endif
}

// Inner products of four rows with one vector, as snu_dot has them.
SN_KERNEL void sn_dotFour(snReal* res, const snReal* const row[4], const snReal* vec, int n) {
#if SN_HAS_FOUR
  const snReal *a = row[0], *b = row[1], *c = row[2], *d = row[3];
  snFour s0 = {0, 0, 0, 0}, s1 = s0, s2 = s0, s3 = s0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    snFour v = SN_LOAD4(vec + i);
    s0 += SN_LOAD4(a + i) * v;
    s1 += SN_LOAD4(b + i) * v;
    s2 += SN_LOAD4(c + i) * v;
    s3 += SN_LOAD4(d + i) * v;
  }
#if SN_HAS_SHUFFLES
  if (i == n) {  // n is a multiple of four: SN_SUM4 of two rows at a time
    snTwo t0 = SN_HALVES4(s0), t1 = SN_HALVES4(s1), t2 = SN_HALVES4(s2), t3 = SN_HALVES4(s3);
    *(snTwo*)res = SN_PAIR2(t0, t1);
    *(snTwo*)(res + 2) = SN_PAIR2(t2, t3);
    return;
  }
#endif
  res[0] = sn_addRest(SN_SUM4(s0), a + i, vec + i, n - i);
  res[1] = sn_addRest(SN_SUM4(s1), b + i, vec + i, n - i);
  res[2] = sn_addRest(SN_SUM4(s2), c + i, vec + i, n - i);
  res[3] = sn_addRest(SN_SUM4(s3), d + i, vec + i, n - i);
#else
  for (int r = 0; r < 4; r++) res[r] = snu_dot(row[r], vec, n);
#endif
}

// sum[k] = ((a[k] f0 + b[k] f1) + c[k] f2) + d[k] f3 for four rows of n columns
SN_KERNEL void sn_combineFour(snReal* SN_RESTRICT sum, const snReal* const row[4],
                              const snReal f[4], int n) {
  const snReal *SN_RESTRICT a = row[0], *SN_RESTRICT b = row[1];
  const snReal *SN_RESTRICT c = row[2], *SN_RESTRICT d = row[3];
  snReal f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  int k = 0;
#if SN_HAS_FOUR
  for (; k + 4 <= n; k += 4) {
    *(snFour*)(sum + k) = ((SN_LOAD4(a + k) * f0 + SN_LOAD4(b + k) * f1) + SN_LOAD4(c + k) * f2) +
                          SN_LOAD4(d + k) * f3;
  }
#endif
  for (; k < n; k++) sum[k] = ((a[k] * f0 + b[k] * f1) + c[k] * f2) + d[k] * f3;
}

SN_KERNEL void sn_quadraticAt(snReal x, snReal v, snReal D, snReal sum[3]) {
  snReal Dx = D * x, Dv = D * v;
  sum[0] += Dx * x;
  sum[1] += Dx * v;
  sum[2] += Dv * v;
}

// Sums of D x^2, D x v, D v^2.
SN_KERNEL void sn_quadraticSums(snReal sum[3], const snReal* x, const snReal* v, const snReal* D,
                                int n) {
  int i = 0;
#if SN_HAS_FOUR
  snFour s0 = {0, 0, 0, 0}, s1 = s0, s2 = s0;
  for (; i + 4 <= n; i += 4) {
    snFour xi = SN_LOAD4(x + i), vi = SN_LOAD4(v + i), Di = SN_LOAD4(D + i);
    snFour Dx = Di * xi, Dv = Di * vi;
    s0 += Dx * xi;
    s1 += Dx * vi;
    s2 += Dv * vi;
  }
  sum[0] = SN_SUM4(s0);
  sum[1] = SN_SUM4(s1);
  sum[2] = SN_SUM4(s2);
#else
  snReal part[4][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (; i + 4 <= n; i += 4) {
    for (int j = 0; j < 4; j++) sn_quadraticAt(x[i + j], v[i + j], D[i + j], part[j]);
  }
  for (int k = 0; k < 3; k++) sum[k] = (part[0][k] + part[2][k]) + (part[1][k] + part[3][k]);
#endif
  for (; i < n; i++) sn_quadraticAt(x[i], v[i], D[i], sum);
}

// Sums of D y^2, D v y, D v^2 over those of y = x + alpha v that are negative.
SN_KERNEL void sn_oneSidedSums(snReal sum[3], const snReal* x, const snReal* v, const snReal* D,
                               snReal alpha, int n) {
  int i = 0;
#if SN_HAS_FOUR
  snFour s0 = {0, 0, 0, 0}, s1 = s0, s2 = s0, zero = s0;
  for (; i + 4 <= n; i += 4) {
    snFour vi = SN_LOAD4(v + i), y = SN_LOAD4(x + i) + alpha * vi, Di = SN_LOAD4(D + i);
    Di = (snFour)((__typeof__(y < zero))Di & (y < zero));
    snFour Dv = Di * vi;
    s0 += (Di * y) * y;
    s1 += Dv * y;
    s2 += Dv * vi;
  }
  sum[0] = SN_SUM4(s0);
  sum[1] = SN_SUM4(s1);
  sum[2] = SN_SUM4(s2);
#else
  snReal part[4][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (; i + 4 <= n; i += 4) {
    for (int j = 0; j < 4; j++) {
      snReal y = x[i + j] + alpha * v[i + j];
      sn_quadraticAt(y, v[i + j], y < 0 ? D[i + j] : 0, part[j]);
    }
  }
  for (int k = 0; k < 3; k++) sum[k] = (part[0][k] + part[2][k]) + (part[1][k] + part[3][k]);
#endif
  for (; i < n; i++) {
    snReal y = x[i] + alpha * v[i];
    sn_quadraticAt(y, v[i], y < 0 ? D[i] : 0, sum);
  }
}

// A short list of integers, four at a time, of which the last four may overlap those before.
SN_KERNEL void sn_copyFew(int* SN_RESTRICT to, const int* SN_RESTRICT from, int n) {
  if (n < 4) {
    for (int k = 0; k < n; k++) to[k] = from[k];
    return;
  }
  for (int k = 0; k < n - 4; k += 4) memcpy(to + k, from + k, 4 * sizeof(int));
  memcpy(to + n - 4, from + n - 4, 4 * sizeof(int));
}

// Have two sets of four integers one in common?
SN_KERNEL int sn_shareFour(const int a[4], const int b[4]) {
#if SN_HAS_FOUR
  typedef int Ints __attribute__((vector_size(16), aligned(4), may_alias));
  typedef long long Halves __attribute__((vector_size(16)));
  Ints all = *(const Ints*)b;
  Halves equal = (Halves)((all == a[0]) | (all == a[1]) | (all == a[2]) | (all == a[3]));
  return (equal[0] | equal[1]) != 0;
#else
  int equal = 0;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) equal |= a[i] == b[j];
  }
  return equal;
#endif
}

#endif  // SINEW_MATH_FOUR_H_
