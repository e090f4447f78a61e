// Solves and products with the inertia matrix that never form it: option "sinew:linear".
//
// All vectors are about the com of the tree (math/spatial.h), so that nothing is transformed between
// a body and its parent. A joint of several dofs is a chain of dofs with massless links. From the leaves to
// the root, with A the inertia of what hangs below a dof s, joints free,
//
//   U = A s,   D = s . U + armature + extra,   A' = A - U U' / D,
//
// the matrix L' D L of M (+ diag(extra)), of which each row of L is the product of U / D with the axes above.
// M x = y is then solved by one sweep to the root, where p is the bias force of the dofs below,
//
//   u = y - s . p,   p' = p + (U / D) u,
//
// and one back, where a is the acceleration of the link above:  x = u / D - (U / D) . a,   a' = a + s x.
// Each sweep takes time in proportion to the number of bodies and dofs.

#include "base/arena.h"
#include "engine/smooth/force.h"
#include "engine/smooth/inertia.h"
#include "math/math.h"

enum { SYMMETRIC = 36 };

static int hasTendonArmature(const snModel* m) {
  for (int i = 0; i < (int)m->ntendon; i++) {
    if (m->tendon_armature[i] != 0) return 1;
  }
  return 0;
}

// Would the factor of M take longer than articulated inertias? Its work grows with the squared lengths of rows; both
// take about as long where the mean square is that of a chain of 55 links.
static int isLongEnough(const snModel* m) {
  enum { MEAN_SQUARE = 1036 };
  snSize work = 0;
  for (int dof = 0; dof < (int)m->nv; dof++) {
    work += (snSize)m->M_rownnz[dof] * m->M_rownnz[dof];
  }
  return work > MEAN_SQUARE * m->nv;
}

int sn_linearFits(const snModel* m) {
  int integrator = m->opt.integrator;
  if (integrator != snINT_EULER && integrator != snINT_RK4 && integrator != snINT_IMPLICITFAST) {
    return 0;
  }
  if (m->opt.enableflags & (snENBL_FWDINV | snENBL_INVDISCRETE)) return 0;
  return !m->nflex && !hasTendonArmature(m) && isLongEnough(m);
}

// the 6 x 6 matrix of ten numbers, added to A
SN_KERNEL void addInertia(snReal A[SYMMETRIC], const snReal I[10]) {
  A[0] += I[0], A[7] += I[1], A[14] += I[2];
  A[1] += I[3], A[6] += I[3];
  A[2] += I[4], A[12] += I[4];
  A[8] += I[5], A[13] += I[5];
  // m [d]x above, its transpose below
  A[4] -= I[8], A[24] -= I[8], A[5] += I[7], A[30] += I[7];
  A[9] += I[8], A[19] += I[8], A[11] -= I[6], A[31] -= I[6];
  A[15] -= I[7], A[20] -= I[7], A[16] += I[6], A[26] += I[6];
  A[21] += I[9], A[28] += I[9], A[35] += I[9];
}

// A <- A - U U' / D; returns 1 / D, and U / D.
SN_KERNEL snReal release(snReal A[SYMMETRIC], const snReal s[6], snReal extra, snReal UD[6]) {
  snReal U[6] = {0, 0, 0, 0, 0, 0};
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 6; i++) U[i] += A[6 * k + i] * s[k];
  }
  snReal inverse = 1 / (sn_dot6(s, U) + extra);
  for (int i = 0; i < 6; i++) UD[i] = U[i] * inverse;
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 6; i++) A[6 * k + i] -= UD[k] * U[i];
  }
  return inverse;
}

// the bodies of a solve, ascending, the world first: those that are awake or all
typedef struct Sweep_ {
  const snModel* m;
  const snData* d;
  int count;
  const int* list;  // NULL: all
  snReal* UD;       // nv x 6
  snReal* inverse;  // nv
} Sweep;

SN_KERNEL int bodyAt(const Sweep* sweep, int i) { return sweep->list ? sweep->list[i] : i; }

// returns whether the matrix is positive definite
SN_WIDE(static, int, factor, (const Sweep* sweep, const snReal* extra, snReal* below),
        (sweep, extra, below)) {
  const snModel* m = sweep->m;
  int positive = 1;
  for (int i = 1; i < sweep->count; i++) {
    int body = bodyAt(sweep, i);
    snu_zero(below + SYMMETRIC * body, SYMMETRIC);
  }
  for (int i = sweep->count - 1; i > 0; i--) {
    int body = bodyAt(sweep, i), parent = m->body_parentid[body], first = m->body_dofadr[body];
    snReal* A = below + SYMMETRIC * body;
    addInertia(A, sweep->d->cinert + 10 * body);
    for (int dof = first + m->body_dofnum[body] - 1; dof >= first; dof--) {
      snReal more = m->dof_armature[dof] + (extra ? extra[dof] : 0);
      sweep->inverse[dof] = release(A, sweep->d->cdof + 6 * dof, more, sweep->UD + 6 * dof);
      positive &= sweep->inverse[dof] > 0;
    }
    if (!parent) continue;
    snReal* above = below + SYMMETRIC * parent;
    for (int k = 0; k < SYMMETRIC; k++) above[k] += A[k];
  }
  return positive;
}

// x <- matrix^-1 x; vec is scratch of 6 numbers for each body
SN_WIDE(static, void, solve, (const Sweep* sweep, snReal* x, snReal* vec), (sweep, x, vec)) {
  const snModel* m = sweep->m;
  const snReal* cdof = sweep->d->cdof;
  for (int i = 1; i < sweep->count; i++) sn_zero6(vec + 6 * bodyAt(sweep, i));
  for (int i = sweep->count - 1; i > 0; i--) {
    int body = bodyAt(sweep, i), parent = m->body_parentid[body], first = m->body_dofadr[body];
    snReal* p = vec + 6 * body;
    for (int dof = first + m->body_dofnum[body] - 1; dof >= first; dof--) {
      snReal u = x[dof] - sn_dot6(cdof + 6 * dof, p);
      sn_addToScl6(p, sweep->UD + 6 * dof, u);
      x[dof] = u * sweep->inverse[dof];
    }
    if (parent) sn_addTo6(vec + 6 * parent, p);
  }
  sn_zero6(vec);
  for (int i = 1; i < sweep->count; i++) {
    int body = bodyAt(sweep, i), first = m->body_dofadr[body];
    snReal* a = vec + 6 * body;
    sn_copy6(a, vec + 6 * m->body_parentid[body]);
    for (int dof = first; dof < first + m->body_dofnum[body]; dof++) {
      x[dof] -= sn_dot6(sweep->UD + 6 * dof, a);
      sn_addToScl6(a, cdof + 6 * dof, x[dof]);
    }
  }
}

int sn_solveArticulated(const snModel* m, snData* d, snReal* x, int n, const snReal* extra,
                        int awake) {
  Sweep sweep = {
      m, d, awake ? d->nbody_awake : (int)m->nbody, awake ? d->body_awake_ind : NULL, NULL, NULL};
  size_t nbody = (size_t)m->nbody, nv = (size_t)m->nv;
  sn_markStack(d);
  snReal* block = SN_STACK(d, snReal, (SYMMETRIC + 6) * nbody + 7 * nv);
  int positive = 1;
  if (block) {
    snReal *below = block, *vec = below + SYMMETRIC * nbody;
    sweep.UD = vec + 6 * nbody;
    sweep.inverse = sweep.UD + 6 * nv;
    positive = factor(&sweep, extra, below);
    for (int i = 0; i < n; i++) solve(&sweep, x + nv * (size_t)i, vec);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
  return positive;
}

// res = M vec, the forces for the accelerations vec at zero velocity. d is only used for scratch.
void sn_mulArticulated(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  snData* scratch = (snData*)d;
  int nbody = (int)m->nbody;
  sn_markStack(scratch);
  snReal* acc = SN_STACK(scratch, snReal, 12 * m->nbody);
  if (acc) {
    snReal* force = acc + 6 * nbody;
    snu_zero(acc, 6);
    for (int body = 1; body < nbody; body++) {
      snReal* a = acc + 6 * body;
      int first = m->body_dofadr[body];
      sn_copy6(a, acc + 6 * m->body_parentid[body]);
      for (int dof = first; dof < first + m->body_dofnum[body]; dof++) {
        sn_addToScl6(a, d->cdof + 6 * dof, vec[dof]);
      }
      sn_mulInertVec(force + 6 * body, d->cinert + 10 * body, a);
    }
    sn_sumSubtrees(m, force, 6, nbody, NULL);
    for (int dof = 0; dof < (int)m->nv; dof++) {
      res[dof] = sn_dot6(d->cdof + 6 * dof, force + 6 * m->dof_bodyid[dof]) +
                 m->dof_armature[dof] * vec[dof];
    }
  } else {
    sn_warning(scratch, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(scratch);
}
