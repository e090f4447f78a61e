// The implicitspringdamper integrator: stiffness and damping of joints and tendons at the end of
// the step. An extension; MuJoCo has no such integrator.
//
// With forces f(q, v) linearised about the present state,
//
//   (M + h D + h^2 K) a = f - h K v,
//
// where D and K are the damping and stiffness of hinges, slides and tendons: diagonal terms of
// joints and (h b + h^2 k) J' J of tendons. A spring inside of its dead band has no stiffness. The
// derivative of J is left out: exact for fixed tendons, first order for spatial ones. Springs of
// ball and free joints stay explicit. f holds all spring and damper forces at the present state.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/smooth/inertia.h"
#include "engine/smooth/tendon.h"
#include "engine/step/sleep.h"
#include "math/decomp.h"
#include "math/math.h"

snInertia sn_systemInertia(const snModel* m, const snData* d) {
  snInertia inertia;
  if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER && d->nMs) {
    inertia.rownnz = d->Ms_rownnz;
    inertia.rowadr = d->Ms_rowadr;
    inertia.colind = d->Ms_colind;
    inertia.M = d->Ms;
    inertia.LD = d->Ms_LD;
    inertia.LDiagInv = d->Ms_LDiagInv;
  } else {
    inertia.rownnz = m->M_rownnz;
    inertia.rowadr = m->M_rowadr;
    inertia.colind = m->M_colind;
    inertia.M = d->M;
    inertia.LD = d->qLD;
    inertia.LDiagInv = d->qLDiagInv;
  }
  return inertia;
}

void sn_mulInertia(const snModel* m, const snData* d, snReal* res, const snReal* vec) {
  snInertia M = sn_systemInertia(m, d);
  sn_mulTree(res, M.M, vec, (int)m->nv, M.rownnz, M.rowadr, M.colind);
}

void sn_solveInertia(const snModel* m, const snData* d, snReal* x) {
  snInertia M = sn_systemInertia(m, d);
  int nv = (int)m->nv;
  sn_solveTree(x, M.LD, M.LDiagInv, nv, nv, 1, M.rownnz, M.rowadr, M.colind, NULL);
}

// ---- stiffness and damping

static snReal positive(const snModel* m, snReal value, snDisableBit gate) {
  return value > 0 && !(m->opt.disableflags & gate) ? value : 0;
}

static snReal dofStiffness(const snModel* m, int dof) {
  SN_ASSERT_INDEX(dof, m->nv);
  int joint = m->dof_jntid[dof], type = m->jnt_type[joint];
  if (type != snJNT_HINGE && type != snJNT_SLIDE) return 0;
  return positive(m, m->jnt_stiffness[joint], snDSBL_SPRING);
}

static snReal dofDamping(const snModel* m, int dof) {
  SN_ASSERT_INDEX(dof, m->nv);
  return positive(m, m->dof_damping[dof], snDSBL_DAMPER);
}

// zero inside of the dead band, ends included
static snReal tendonStiffness(const snModel* m, const snData* d, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  const snReal* band = m->tendon_lengthspring + 2 * tendon;
  snReal length = d->ten_length[tendon];
  if (length >= band[0] && length <= band[1]) return 0;
  return positive(m, m->tendon_stiffness[tendon], snDSBL_SPRING);
}

static snReal tendonDamping(const snModel* m, int tendon) {
  return positive(m, m->tendon_damping[tendon], snDSBL_DAMPER);
}

static int tendonActs(const snModel* m, const snData* d, int tendon) {
  if (sn_someAsleep(m, d) && sn_sleepState(m, d, snOBJ_TENDON, tendon) == snS_ASLEEP) return 0;
  return tendonStiffness(m, d, tendon) > 0 || tendonDamping(m, tendon) > 0;
}

void sn_tendonSpringDamper(const snModel* m, const snData* d, int tendon, snReal* stiffness,
                           snReal* damping) {
  *stiffness = tendonStiffness(m, d, tendon);
  *damping = tendonDamping(m, tendon);
}

static snReal tendonSpeed(const snModel* m, const snData* d, int tendon, const snReal* vel) {
  const int* colind;
  int nnz;
  const snReal* row = sn_tendonRow(m, d, tendon, &colind, &nnz);
  snReal sum = 0;
  for (int k = 0; k < nnz; k++) sum += row[k] * vel[colind ? colind[k] : k];
  return sum;
}

void sn_addSpringRate(const snModel* m, const snData* d, const snReal* vel, snReal scale,
                      snReal* force) {
  snReal h = scale * m->opt.timestep;
  SN_FOR(k, d->nv_awake) {
    int dof = d->dof_awake_ind[k];
    force[dof] += h * dofStiffness(m, dof) * vel[dof];
  }
  SN_SYNC();
  for (int tendon = 0; tendon < (int)m->ntendon; tendon++) {
    if (!tendonActs(m, d, tendon)) continue;
    snReal stiffness = tendonStiffness(m, d, tendon);
    if (stiffness == 0) continue;
    sn_addTendonForce(m, d, tendon, h * stiffness * tendonSpeed(m, d, tendon, vel), force);
  }
}

// ---- pattern

// non-zero entries of a tendon's Jacobian, ascending; returns their number
static int tendonEntries(const snModel* m, const snData* d, int tendon, int* dofs, snReal* values) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  const int* colind;
  int nnz, n = 0;
  const snReal* row = sn_tendonRow(m, d, tendon, &colind, &nnz);
  for (int k = 0; k < nnz; k++) {
    if (row[k] == 0) continue;
    dofs[n] = colind ? colind[k] : k;
    values[n++] = row[k];
  }
  return n;
}

// Put dofs r > c on one chain. What r was linked to before must then lie on the chain of c, or c on
// the chain of it: eliminating r couples the two.
static void linkDofs(int* parent, int r, int c) {
  while (r != c) {
    int above = parent[r];
    if (above == c) return;
    if (above > c) {
      r = above;
    } else {
      parent[r] = c;
      if (above < 0) return;
      r = c;
      c = above;
    }
  }
}

// parent of every dof in the tree of the coupled system; returns the number of entries of its rows
static int coupledTree(const snModel* m, const snData* d, int* parent, int* depth, int* dofs,
                       snReal* values) {
  int nv = (int)m->nv, total = 0;
  for (int dof = 0; dof < nv; dof++) {
    int nnz = m->M_rownnz[dof];
    parent[dof] = nnz > 1 ? m->M_colind[m->M_rowadr[dof] + nnz - 2] : -1;
  }
  for (int tendon = 0; tendon < (int)m->ntendon; tendon++) {
    if (!tendonActs(m, d, tendon)) continue;
    int n = tendonEntries(m, d, tendon, dofs, values);
    for (int k = n - 1; k > 0; k--) linkDofs(parent, dofs[k], dofs[k - 1]);
  }
  for (int dof = 0; dof < nv; dof++) {
    depth[dof] = 1 + (parent[dof] >= 0 ? depth[parent[dof]] : 0);
    total += depth[dof];
  }
  return total;
}

static int allocateSystem(const snModel* m, snData* d, int total) {
  d->nMs = total;
  SN_DATA_ARENA_SYSTEM(SN_ARENA_ROW)
  return 1;
}

// ---- values

// add to entry (i, columns[k]) of row i, for ascending columns up to i
static void addRow(snData* d, int i, const int* columns, const snReal* values, int n,
                   snReal scale) {
  SN_ASSERT(i >= 0 && n >= 0);
  snReal* row = d->Ms + d->Ms_rowadr[i];
  const int* colind = d->Ms_colind + d->Ms_rowadr[i];
  int position = 0;
  for (int k = 0; k < n && columns[k] <= i; k++) {
    while (colind[position] != columns[k]) position++;
    row[position] += scale * values[k];
  }
}

static void fillSystem(const snModel* m, snData* d, const int* parent, const int* depth, int* dofs,
                       snReal* values) {
  snReal h = m->opt.timestep;
  int next = 0;
  for (int dof = 0; dof < (int)m->nv; dof++) {
    d->Ms_rownnz[dof] = depth[dof];
    d->Ms_rowadr[dof] = next;
    next += depth[dof];
    for (int i = dof, k = next - 1; i >= 0; i = parent[i], k--) d->Ms_colind[k] = i;
  }
  snu_zero(d->Ms, next);
  for (int dof = 0; dof < (int)m->nv; dof++) {
    int adr = m->M_rowadr[dof];
    addRow(d, dof, m->M_colind + adr, d->M + adr, m->M_rownnz[dof], 1);
    d->Ms[d->Ms_rowadr[dof] + depth[dof] - 1] +=
        h * dofDamping(m, dof) + h * h * dofStiffness(m, dof);
  }
  for (int tendon = 0; tendon < (int)m->ntendon; tendon++) {
    if (!tendonActs(m, d, tendon)) continue;
    snReal scale = h * tendonDamping(m, tendon) + h * h * tendonStiffness(m, d, tendon);
    int n = tendonEntries(m, d, tendon, dofs, values);
    for (int k = 0; k < n; k++) addRow(d, dofs[k], dofs, values, n, scale * values[k]);
  }
}

static void factorSystem(const snModel* m, snData* d) {
  snu_copy(d->Ms_LD, d->Ms, d->nMs);
  sn_factorTree(d->Ms_LD, d->Ms_LDiagInv, (int)m->nv, d->Ms_rownnz, d->Ms_rowadr, d->Ms_colind,
                NULL);
  for (int dof = 0; dof < (int)m->nv; dof++) {
    if (!(d->Ms_LDiagInv[dof] > 0)) d->status |= snSTATUS_NOTPOSDEF;
  }
}

void sn_makeSpringDamperInertia(const snModel* m, snData* d) {
  d->nMs = 0;
  if (!m->nv) return;
  sn_markStack(d);
  int* parent = SN_STACK(d, int, m->nv);
  int* depth = SN_STACK(d, int, m->nv);
  int* dofs = SN_STACK(d, int, m->nv);
  snReal* values = SN_STACK(d, snReal, m->nv);
  if (parent && depth && dofs && values &&
      allocateSystem(m, d, coupledTree(m, d, parent, depth, dofs, values))) {
    fillSystem(m, d, parent, depth, dofs, values);
    factorSystem(m, d);
  } else {
    d->nMs = 0;
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
