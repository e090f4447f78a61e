// The joint-space inertia matrix, its factor L' D L, and solves and products with them.

#include "engine/smooth/inertia.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/force.h"
#include "engine/step/integrate.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "engine/step/timer.h"
#include "math/decomp.h"
#include "math/math.h"
#include "math/spatial_four.h"
#include "math/three.h"

// ---- the inertia matrix

// Trees that sleep below a mocap body, which is always awake.
static int mayCarrySleepers(const snModel* m, const snData* d) {
  return m->nmocap && d->nbody_awake < (int)m->nbody;
}

// Sleeping trees keep their inertia, which is part of that of the mocap bodies above them.
static void addSleepers(const snModel* m, snData* d) {
  int begin, end = sn_shareOf(10, &begin);
  for (int i = d->nparent_awake - 1; i >= 0; i--) {
    int body = d->parent_awake_ind[i], parent = m->body_parentid[body];
    if (parent <= 0 || d->body_awake[body] != snS_ASLEEP) continue;
    for (int c = begin; c < end; c++) d->crb[10 * parent + c] += d->crb[10 * body + c];
  }
  SN_SYNC();
}

// inertia of each subtree, as if its joints were locked
SN_WIDE(static, void, subtreeInertia, (const snModel* m, snData* d), (m, d)) {
  SN_FOR(i, d->nbody_awake) {
    int body = d->body_awake_ind[i];
    memcpy(d->crb + 10 * body, d->cinert + 10 * body, 10 * sizeof(snReal));
  }
  SN_SYNC();
  if (mayCarrySleepers(m, d)) addSleepers(m, d);
  sn_sumSubtrees(m, d->crb, 10, d->nbody_awake, d->body_awake_ind);
}

// By a lane of a team: entries [begin, end) of a row, with four columns in flight.
SN_KERNEL void teamRow(snReal* row, const snReal force[6], const snReal* cdof, const int* columns,
                       int begin, int end) {
  enum { COLUMNS = 4 };
  SN_PLAIN_LOOP
  for (int j = begin; j < end; j += COLUMNS) {
    snReal axis[COLUMNS][6];
    SN_UNROLL
    for (int k = 0; k < COLUMNS; k++) {
      sn_copy6(axis[k], cdof + 6 * columns[j + k < end ? j + k : end - 1]);
    }
    SN_UNROLL
    for (int k = 0; k < COLUMNS; k++) {
      if (j + k < end) row[j + k] = sn_dot6(axis[k], force);
    }
  }
}

// If the columns of a row begin with a free joint, its translations are along world axes, and their entries are
// components of the force: returns how many.
SN_KERNEL int translations(const snModel* m, const int* columns, int last) {
  return last >= 3 && m->jnt_type[m->dof_jntid[columns[0]]] == snJNT_FREE ? 3 : 0;
}

// Row i of M from the force crb cdof_i: M(i, j) = cdof_j . force for j = i and its ancestors. The first columns may be
// known.
SN_KERNEL void inertiaRow(const snModel* m, snData* d, int dof, const snReal force[6], int known) {
  int last = m->M_rownnz[dof] - 1, begin = known;
  snReal* row = d->M + m->M_rowadr[dof];
  const snReal* cdof = d->cdof;
  const int* columns = m->M_colind + m->M_rowadr[dof];
  if (!known && translations(m, columns, last)) {
    snu_copy3(row, force + 3);
    begin = 3;
  }
  if (SN_LANES > 1) {
    teamRow(row, force, cdof, columns, begin, last + 1);
    row[last] += m->dof_armature[dof];
    return;
  }
#if SN_HAS_SHUFFLES  // sn_dot6 of two columns at a time
  snFour first = SN_LOAD4(force);
  snTwo rest = SN_LOAD2(force + 4);
  for (; begin < last; begin += 2) {
    const snReal *a = cdof + 6 * columns[begin], *b = cdof + 6 * columns[begin + 1];
    snFour product_a = SN_LOAD4(a) * first, product_b = SN_LOAD4(b) * first;
    snTwo half_a = SN_HALVES4(product_a), half_b = SN_HALVES4(product_b);
    snTwo rest_a = SN_LOAD2(a + 4) * rest, rest_b = SN_LOAD2(b + 4) * rest;
    *(snTwo*)(row + begin) = SN_PAIR2(half_a, half_b) + SN_PAIR2(rest_a, rest_b);
  }
#endif
  for (int j = begin; j <= last; j++) row[j] = sn_dot6(cdof + 6 * columns[j], force);
  row[last] += m->dof_armature[dof];
}

#if SN_HAS_SHUFFLES
// number of leading columns that four rows share
SN_KERNEL int sharedColumns(const snModel* m, const int dof[4]) {
  const int *nnz = m->M_rownnz, *first = m->M_colind + m->M_rowadr[dof[0]];
  int n = nnz[dof[0]];
  for (int k = 1; k < 4; k++) {
    const int* columns = m->M_colind + m->M_rowadr[dof[k]];
    if (n > nnz[dof[k]]) n = nnz[dof[k]];
    while (n && columns[n - 1] != first[n - 1]) n--;  // ancestors of an ancestor are shared, too
  }
  return n;
}

// sn_dot6 of an axis and four forces
SN_KERNEL snFour dotForces(const snReal axis[6], const snFour force[6]) {
  return ((force[0] * axis[0] + force[2] * axis[2]) + (force[1] * axis[1] + force[3] * axis[3])) +
         (force[4] * axis[4] + force[5] * axis[5]);
}

// The columns that four rows share, four of them or more; returns their number, or 0 where they share less.
SN_KERNEL int sharedEntries(const snModel* m, snData* d, const int dof[4], const snFour force[6]) {
  int n = sharedColumns(m, dof), j = 0;
  if (n < 4) return 0;
  const int* columns = m->M_colind + m->M_rowadr[dof[0]];
  snReal *a = d->M + m->M_rowadr[dof[0]], *b = d->M + m->M_rowadr[dof[1]];
  snReal *c = d->M + m->M_rowadr[dof[2]], *e = d->M + m->M_rowadr[dof[3]];
  for (; j < translations(m, columns, n - 1); j++) {
    a[j] = force[3 + j][0], b[j] = force[3 + j][1], c[j] = force[3 + j][2], e[j] = force[3 + j][3];
  }
  for (; j + 2 <= n; j += 2) {
    snFour x = dotForces(d->cdof + 6 * columns[j], force);
    snFour y = dotForces(d->cdof + 6 * columns[j + 1], force);
    snFour even = __builtin_shufflevector(x, y, 0, 4, 2, 6);
    snFour odd = __builtin_shufflevector(x, y, 1, 5, 3, 7);
    *(snTwo*)(a + j) = __builtin_shufflevector(even, even, 0, 1);
    *(snTwo*)(b + j) = __builtin_shufflevector(odd, odd, 0, 1);
    *(snTwo*)(c + j) = __builtin_shufflevector(even, even, 2, 3);
    *(snTwo*)(e + j) = __builtin_shufflevector(odd, odd, 2, 3);
  }
  return j;
}
#elif SN_HAS_FOUR
SN_KERNEL int sharedEntries(const snModel* m, snData* d, const int dof[4], const snFour force[6]) {
  (void)m, (void)d, (void)dof, (void)force;
  return 0;
}
#endif

SN_KERNEL void inertiaOfDof(const snModel* m, snData* d, int dof) {
  if (m->dof_simplenum[dof]) {
    d->M[m->M_rowadr[dof] + m->M_rownnz[dof] - 1] = m->dof_M0[dof];
    return;
  }
  snReal force[6];
  sn_mulInertVec(force, d->crb + 10 * m->dof_bodyid[dof], d->cdof + 6 * dof);
  inertiaRow(m, d, dof, force, 0);
}

// rows of n dofs, four at a time
SN_WIDE(static, void, inertiaRows, (const snModel* m, snData* d, const int* dof, int n),
        (m, d, dof, n)) {
  int i = 0;
#if SN_HAS_FOUR
  for (; i + 4 <= n; i += 4) {
    const int* at = dof + i;
    if (m->dof_simplenum[at[0]] | m->dof_simplenum[at[1]] | m->dof_simplenum[at[2]] |
        m->dof_simplenum[at[3]]) {
      for (int k = 0; k < 4; k++) inertiaOfDof(m, d, at[k]);
      continue;
    }
    const int body[4] = {m->dof_bodyid[at[0]], m->dof_bodyid[at[1]], m->dof_bodyid[at[2]],
                         m->dof_bodyid[at[3]]};
    const int order[4] = {0, 1, 2, 3};
    snFour inertia[10], axis[6], product[6];
    snReal force[24];
    sn_takeFour(inertia, d->crb, body, 10);
    sn_takeFour(axis, d->cdof, at, 6);
    sn_mulInertVecFour(product, inertia, axis);
    int known = sharedEntries(m, d, at, product);
    sn_storeFour(force, order, product, 6);
    for (int k = 0; k < 4; k++) inertiaRow(m, d, at[k], force + 6 * k, known);
  }
#endif
  for (; i < n; i++) inertiaOfDof(m, d, dof[i]);
}

static SN_OUTLINE void crb(const snModel* m, snData* d) {
  SN_ASSERT(d->nv_awake >= 0 && d->nv_awake <= (int)m->nv);
  subtreeInertia(m, d);
  if (SN_LANES == 1) {
    inertiaRows(m, d, d->dof_awake_ind, d->nv_awake);
  } else {
    SN_FOR(k, d->nv_awake) inertiaOfDof(m, d, d->dof_awake_ind[k]);
  }
  SN_SYNC();
}

void sn_crb(const snModel* m, snData* d) {
  if (sn_plans(m, d, snPLAN_TREE)) {
    sn_crbLanes(m, d);
  } else {
    crb(m, d);
  }
}

// dense row of the Jacobian of a tendon, in scratch when it is stored sparse
static const snReal* tendonRow(const snModel* m, const snData* d, int tendon, snReal* scratch) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  if (!sn_isSparse(m)) return d->ten_J + tendon * m->nv;
  int adr = d->ten_J_rowadr[tendon], nnz = d->ten_J_rownnz[tendon];
  SN_FOR(dof, m->nv) scratch[dof] = 0;
  SN_SYNC();
  SN_FOR(j, nnz) scratch[d->ten_J_colind[adr + j]] = d->ten_J[adr + j];
  SN_SYNC();
  return scratch;
}

// M += armature J' J on the entries that M has: couplings across branches are dropped
static void tendonArmature(const snModel* m, snData* d, int tendon, snReal* scratch) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  const snReal* J = tendonRow(m, d, tendon, scratch);
  SN_FOR(dof, m->nv) {
    if (J[dof] == 0) continue;
    snReal scale = m->tendon_armature[tendon] * J[dof];
    int adr = m->M_rowadr[dof];
    for (int j = adr; j < adr + m->M_rownnz[dof]; j++) d->M[j] += scale * J[m->M_colind[j]];
  }
  SN_SYNC();
}

static SN_OUTLINE void addTendonArmature(const snModel* m, snData* d) {
  snReal* scratch = NULL;
  for (int tendon = 0; tendon < (int)m->ntendon; tendon++) {
    if (m->tendon_armature[tendon] == 0) continue;
    if (sn_someAsleep(m, d) && sn_sleepState(m, d, snOBJ_TENDON, tendon) == snS_ASLEEP) continue;
    if (!scratch) {
      sn_markStack(d);
      scratch = SN_STACK(d, snReal, m->nv);
      if (!scratch) {
        SN_ONE sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
        sn_freeStack(d);
        return;
      }
    }
    tendonArmature(m, d, tendon, scratch);
  }
  if (scratch) sn_freeStack(d);
}

// qM has the rows of M in reverse (mapM2M): from the diagonal to the root
SN_KERNEL void reverse(snReal* SN_RESTRICT to, const snReal* SN_RESTRICT from, int n) {
#if SN_HAS_SHUFFLES
  if (n >= 4) {
    snFour part = SN_LOAD4(from + n - 4);  // may overlap the group before
    *(snFour*)to = __builtin_shufflevector(part, part, 3, 2, 1, 0);
    for (to += n - 4; n > 4; n -= 4, from += 4, to -= 4) {
      part = SN_LOAD4(from);
      *(snFour*)to = __builtin_shufflevector(part, part, 3, 2, 1, 0);
    }
    return;
  }
#endif
  for (int k = 0; k < n; k++) to[n - 1 - k] = from[k];
}

// rows of n dofs
SN_WIDE(static, void, mapRows, (const snModel* m, snData* d, const int* dof, int n),
        (m, d, dof, n)) {
  for (int i = 0; i < n; i++) {
    int adr = m->M_rowadr[dof[i]], nnz = m->M_rownnz[dof[i]];
    reverse(d->qM + m->mapM2M[adr + nnz - 1], d->M + adr, nnz);
  }
}

static SN_OUTLINE void mapInertia(const snModel* m, snData* d) {
  if (SN_LANES == 1) {
    mapRows(m, d, d->dof_awake_ind, d->nv_awake);
    return;
  }
  SN_FOR(k, m->nC) d->qM[m->mapM2M[k]] = d->M[k];
  SN_SYNC();
}

static int hasTendonArmature(const snModel* m) {
  int some = 0;
  SN_FOR(i, m->ntendon) some |= m->tendon_armature[i] != 0;
  return sn_teamAny(some);
}

static void makeInertia(const snModel* m, snData* d) {
  sn_crb(m, d);
  if (SN_LANES == 1 || hasTendonArmature(m)) {
    addTendonArmature(m, d);
    mapInertia(m, d);
  } else if (!sn_plans(m, d, snPLAN_TREE)) {
    mapInertia(m, d);
  }
}

static SN_OUTLINE void factorAwake(const snModel* m, snData* d) {
  if (d->nv_awake == (int)m->nv) {
    sn_copyShared(d->qLD, d->M, (int)m->nC);
    SN_SYNC();
  } else {
    SN_FOR(k, d->nv_awake) {
      int dof = d->dof_awake_ind[k], adr = m->M_rowadr[dof];
      snu_copy(d->qLD + adr, d->M + adr, m->M_rownnz[dof]);
    }
    SN_SYNC();
  }
  sn_factorTree(d->qLD, d->qLDiagInv, d->nv_awake, m->M_rownnz, m->M_rowadr, m->M_colind,
                d->dof_awake_ind);
}

static void factorInertia(const snModel* m, snData* d) {
  if (sn_plans(m, d, snPLAN_FACTOR)) {
    int damped = sn_plans(m, d, snPLAN_DAMPED_FACTOR);
    sn_factorTreeOf(d->qLD, d->qLDiagInv, d->M, damped ? d->qH : NULL, d->qHDiagInv, m->dof_damping,
                    m->opt.timestep, (int)m->nv, m->M_rownnz, m->M_rowadr);
    return;
  }
  factorAwake(m, d);
}

void sn_makeM(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  makeInertia(m, d);
  sn_stopTimer(d, snTIMER_POS_INERTIA, start);
}

void sn_factorM(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  factorInertia(m, d);
  sn_extendTimer(d, snTIMER_POS_INERTIA, sn_now(d) - start);
}

void sn_copyRowsOfM(const snModel* m, snReal* res, const snReal* M, const int* dof, int n) {
  if (!n) return;
  int first = dof[0], last = dof[n - 1], adr = m->M_rowadr[first];
  if (last - first == n - 1) {
    snu_copy(res + adr, M + adr, m->M_rowadr[last] + m->M_rownnz[last] - adr);
    return;
  }
  for (int k = 0; k < n; k++) {
    adr = m->M_rowadr[dof[k]];
    snu_copy(res + adr, M + adr, m->M_rownnz[dof[k]]);
  }
}

// all of this stage for a block of trees; the world has no rows
static void inertiaOfBlock(const snModel* m, snData* view, void* context) {
  int n = view->nbody_awake, nv = view->nv_awake;
  const int *body = view->body_awake_ind, *dof = view->dof_awake_ind;
  (void)context;
  for (int i = 1; i < n; i++) {
    memcpy(view->crb + 10 * body[i], view->cinert + 10 * body[i], 10 * sizeof(snReal));
  }
  sn_sumSubtrees(m, view->crb, 10, n, body);
  inertiaRows(m, view, dof, nv);
  mapRows(m, view, dof, nv);
  sn_copyRowsOfM(m, view->qLD, view->M, dof, nv);
  sn_factorTree(view->qLD, view->qLDiagInv, nv, m->M_rownnz, m->M_rowadr, m->M_colind, dof);
}

// By several threads; returns 0 when it was not done. Armatures of tendons couple trees.
static int inertiaShared(const snModel* m, snData* d) {
  if (!sn_hasCrew(d) || hasTendonArmature(m) || mayCarrySleepers(m, d)) return 0;
  memcpy(d->crb, d->cinert, 10 * sizeof(snReal));
  return sn_shareTrees(m, d, 0, inertiaOfBlock, NULL);
}

void sn_fillInertia(const snModel* m, snData* d) {
  if (inertiaShared(m, d)) return;
  makeInertia(m, d);
  factorInertia(m, d);
}

SN_STAGE snReal sn_inertiaTimed(const snModel* m, snData* d, snReal start) {
  if (!sn_isLinear(m)) sn_fillInertia(m, d);
  return sn_stopTimer(d, snTIMER_POS_INERTIA, start);
}

// ---- solves and products

void sn_solveM(const snModel* m, snData* d, snReal* x, const snReal* y, int n) {
  int nv = (int)m->nv;
  if (x != y) sn_copyShared(x, y, n * nv);
  SN_SYNC();
  if (sn_leavesOutM(m, d)) {
    sn_solveArticulated(m, d, x, n, NULL, 0);
    return;
  }
  sn_solveTree(x, d->qLD, d->qLDiagInv, nv, nv, n, m->M_rownnz, m->M_rowadr, m->M_colind, NULL);
}

// x = D^-1/2 L^-T y
void sn_solveM2(const snModel* m, snData* d, snReal* x, const snReal* y, const snReal* sqrtInvD,
                int n) {
  int nv = (int)m->nv;
  if (x != y) sn_copyShared(x, y, n * nv);
  SN_SYNC();
  SN_FOR(i, n) {
    snReal* vec = x + i * nv;
    for (int dof = nv - 1; dof >= 0; dof--) {
      int last = m->M_rownnz[dof] - 1;
      snReal value = vec[dof];
      if (last && value != 0) {
        const snReal* row = d->qLD + m->M_rowadr[dof];
        const int* columns = m->M_colind + m->M_rowadr[dof];
        for (int j = 0; j < last; j++) vec[columns[j]] -= row[j] * value;
      }
      vec[dof] = value * sqrtInvD[dof];
    }
  }
  SN_SYNC();
}

void sn_mulM(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  if (sn_leavesOutM(m, d)) {
    sn_mulArticulated(m, d, res, vec);
    return;
  }
  sn_mulTree(res, d->M, vec, (int)m->nv, m->M_rownnz, m->M_rowadr, m->M_colind);
}

// res = D^1/2 L vec
void sn_mulM2(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  SN_FOR(dof, m->nv) {
    int last = m->M_rownnz[dof] - 1;
    const snReal* row = d->qLD + m->M_rowadr[dof];
    const int* columns = m->M_colind + m->M_rowadr[dof];
    snReal sum = vec[dof];
    for (int j = 0; j < last; j++) sum += row[j] * vec[columns[j]];
    res[dof] = sum * snu_sqrt(row[last]);
  }
  SN_SYNC();
}

// ---- other layouts

void sn_fullM(const snModel* m, snReal* dst, const snReal* M) {
  size_t nv = (size_t)m->nv;
  if (SN_LANES == 1) {
    memset(dst, 0, nv * nv * sizeof(snReal));
  } else {
    SN_FOR(i, nv * nv) dst[i] = 0;
  }
  SN_SYNC();
  SN_FOR(i, nv) {
    const snReal* entry = M + m->dof_Madr[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j]) {
      dst[(size_t)i * nv + (size_t)j] = dst[(size_t)j * nv + (size_t)i] = *entry++;
    }
  }
  SN_SYNC();
}

void sn_addM(const snModel* m, snData* d, snReal* dst, int* rownnz, int* rowadr, int* colind) {
  int nv = (int)m->nv;
  if (!rownnz || !rowadr || !colind) {
    SN_FOR(i, nv) {
      int adr = m->M_rowadr[i];
      for (int j = adr; j < adr + m->M_rownnz[i]; j++) dst[i * nv + m->M_colind[j]] += d->M[j];
    }
    SN_SYNC();
    return;
  }

  SN_FOR(i, nv) {
    int adr = m->M_rowadr[i];
    rownnz[i] = sn_combineSparse(dst + rowadr[i], colind + rowadr[i], rownnz[i], 1, d->M + adr,
                                 m->M_colind + adr, m->M_rownnz[i], 1);
  }
  SN_SYNC();
}
