// The inner loops of the Hessian: rows that are combined, columns in groups of four.
//
// Rows are padded (sn_paddedRow), so that a loop over n columns may run to the next multiple of four:
// vectors of two, four or eight numbers leave no rest.

#ifndef SINEW_ENGINE_SOLVE_KERNEL_H_
#define SINEW_ENGINE_SOLVE_KERNEL_H_

#include "base/team.h"
#include "engine/solve/solver.h"
#include "math/four.h"
#include "math/math.h"

// columns that are combined at once
enum { snCHUNK = 64 };

static inline int sn_groups(int n) { return (n + 3) & ~3; }

// target += sum_r scale[r] row_r over n columns; four rows at a time share the load of the target
SN_KERNEL void sn_combine(snReal* SN_RESTRICT target, int n, int count, const snReal* scale,
                          const snReal* const* row) {
  int r = 0, end = sn_groups(n);
  for (; r + 4 <= count; r += 4) {
    const snReal *SN_RESTRICT a = row[r], *SN_RESTRICT b = row[r + 1];
    const snReal *SN_RESTRICT c = row[r + 2], *SN_RESTRICT d = row[r + 3];
    snReal s0 = scale[r], s1 = scale[r + 1], s2 = scale[r + 2], s3 = scale[r + 3];
    for (int k = 0; k < end; k++) {
      target[k] += (s0 * a[k] + s1 * b[k]) + (s2 * c[k] + s3 * d[k]);
    }
  }
  if (r + 2 <= count) {
    const snReal *SN_RESTRICT a = row[r], *SN_RESTRICT b = row[r + 1];
    snReal s0 = scale[r], s1 = scale[r + 1];
    for (int k = 0; k < end; k++) target[k] += s0 * a[k] + s1 * b[k];
    r += 2;
  }
  if (r < count) {
    const snReal* SN_RESTRICT a = row[r];
    snReal s0 = scale[r];
    for (int k = 0; k < end; k++) target[k] += s0 * a[k];
  }
}

// the same into two targets, which share the loads of the rows
SN_KERNEL void sn_combinePair(snReal* SN_RESTRICT x, snReal* SN_RESTRICT y, int n, int count,
                              const snReal* p, const snReal* q, const snReal* const* row) {
  int r = 0, end = sn_groups(n);
  for (; r + 4 <= count; r += 4) {
    const snReal *SN_RESTRICT a = row[r], *SN_RESTRICT b = row[r + 1];
    const snReal *SN_RESTRICT c = row[r + 2], *SN_RESTRICT d = row[r + 3];
    snReal p0 = p[r], p1 = p[r + 1], p2 = p[r + 2], p3 = p[r + 3];
    snReal q0 = q[r], q1 = q[r + 1], q2 = q[r + 2], q3 = q[r + 3];
    for (int k = 0; k < end; k++) {
      snReal ak = a[k], bk = b[k], ck = c[k], dk = d[k];
      x[k] += (p0 * ak + p1 * bk) + (p2 * ck + p3 * dk);
      y[k] += (q0 * ak + q1 * bk) + (q2 * ck + q3 * dk);
    }
  }
  if (r + 2 <= count) {
    const snReal *SN_RESTRICT a = row[r], *SN_RESTRICT b = row[r + 1];
    snReal p0 = p[r], p1 = p[r + 1], q0 = q[r], q1 = q[r + 1];
    for (int k = 0; k < end; k++) {
      snReal ak = a[k], bk = b[k];
      x[k] += p0 * ak + p1 * bk;
      y[k] += q0 * ak + q1 * bk;
    }
    r += 2;
  }
  if (r < count) {
    const snReal* SN_RESTRICT a = row[r];
    snReal p0 = p[r], q0 = q[r];
    for (int k = 0; k < end; k++) {
      snReal ak = a[k];
      x[k] += p0 * ak;
      y[k] += q0 * ak;
    }
  }
}

// ---- for teams -----------------------------------------------------------------------------------

// a b + c, rounded once on a GPU
static inline snReal sn_mulAdd(snReal a, snReal b, snReal c) {
#ifdef __CUDA_ARCH__
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

// 1/d, where d is a pivot
static inline snReal sn_invertPivot(snReal d) {
  if (!(d >= (snReal)snMINVAL)) d = (snReal)snMINVAL;
#if defined(__CUDA_ARCH__) && defined(SN_SINGLE)
  float inverse;  // a division would ask for subnormal numbers
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(d));
  return inverse;
#else
  return 1 / d;
#endif
}

// row x, both of n quads
SN_KERNEL snReal sn_dotQuads(const snQuad* row, const snQuad* x, int n) {
  snReal s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  SN_UNROLL4
  for (int k = 0; k < n; k++) {
    snQuad a = row[k], b = x[k];
    s0 = sn_mulAdd(a.v[0], b.v[0], s0);
    s1 = sn_mulAdd(a.v[1], b.v[1], s1);
    s2 = sn_mulAdd(a.v[2], b.v[2], s2);
    s3 = sn_mulAdd(a.v[3], b.v[3], s3);
  }
  return (s0 + s2) + (s1 + s3);
}

#endif  // SINEW_ENGINE_SOLVE_KERNEL_H_
