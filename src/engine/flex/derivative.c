// Derivatives of the forces of flexes by velocities, with all couplings: what linearised steps need beyond the
// edge dampers of the implicit integrators (differentiate/velocity_derivative.c).
//
// Stretch: the tension of edge i in an element is sum_j k_ij e_j, and e_j has -(damping / h)(l_j - h v_j)^2, so
// that d(e_j)/d(v) = 2 damping (l_j - h v_j) J_j with J_j the row of the edge. Bending: the damper is linear in
// the velocities of the corners.

#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/hinge.h"
#include "engine/flex/piece.h"
#include "engine/smooth/jacobian.h"
#include "math/math.h"

// ---- from a force at a vertex to dofs, as flex/force.c does it

// full(row, .) += value * J over a sparse row
static void addRow(snReal* row, snReal value, int n, const int* column, const snReal* J) {
  for (int k = 0; k < n; k++) row[column[k]] += value * J[k];
}

// A vertex pulled by a force that depends on the velocities as J does: full(dof, .) += force on the dof * J.
static void addPull(const snModel* m, const snData* d, int vertex, const snReal force[3], int n,
                    const int* column, const snReal* J, snReal* full) {
  SN_ASSERT_INDEX(vertex, m->nflexvert);
  int body = m->flex_vertbodyid[vertex], nv = (int)m->nv, adr = m->body_dofadr[body];
  snReal arm[3], moment[3];
  if (m->body_simple[body] == 2) {
    for (int k = 0; k < 3 && k < m->body_dofnum[body]; k++) {
      addRow(full + (size_t)nv * (adr + k), force[k], n, column, J);
    }
    return;
  }
  snu_sub3(arm, d->flexvert_xpos + 3 * vertex, d->subtree_com + 3 * m->body_rootid[body]);
  snu_cross(moment, arm, force);
  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    const snReal* cdof = d->cdof + 6 * dof;
    addRow(full + (size_t)nv * dof, snu_dot3(cdof, moment) + snu_dot3(cdof + 3, force), n, column,
           J);
  }
}

// ---- stretch

// place of the pair (i, j) in a symmetric matrix packed by rows
static int packed(int n, int i, int j) {
  SN_ASSERT_INDEX2(i, j, n);
  int low = i < j ? i : j, high = i < j ? j : i;
  return low * n - low * (low - 1) / 2 + high - low;
}

static void stretchElement(const snModel* m, const snData* d, int flex, const int* edge,
                           const snReal* k, snReal* full) {
  int n = m->flex_dim[flex] == 3 ? 6 : 3, first = m->flex_vertadr[flex];
  snReal h = m->opt.timestep;
  for (int j = 0; j < n; j++) {
    int e = m->flex_edgeadr[flex] + edge[j], adr = m->flexedge_J_rowadr[e];
    snReal before = d->flexedge_length[e] - h * d->flexedge_velocity[e];
    snReal rate = 2 * m->flex_damping[flex] * before;
    for (int i = 0; i < n; i++) {
      const int* end = m->flex_edge + 2 * (m->flex_edgeadr[flex] + edge[i]);
      snReal pull[3], tension = k[packed(n, i, j)] * rate;
      snu_sub3(pull, d->flexvert_xpos + 3 * (first + end[1]),
               d->flexvert_xpos + 3 * (first + end[0]));
      for (int side = 0; side < 2; side++) {
        snu_scl3(pull, pull, side ? -1 : tension);
        addPull(m, d, first + end[side], pull, m->flexedge_J_rownnz[e], m->flexedge_J_colind + adr,
                d->flexedge_J + adr, full);
      }
    }
  }
}

static void stretch(const snModel* m, const snData* d, int flex, snReal* full) {
  int n = m->flex_dim[flex] == 3 ? 6 : 3;
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[flex];
  if (m->opt.timestep <= 0) return;
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    const snReal* k = m->flex_stiffness + 21 * (snSize)(m->flex_elemadr[flex] + e);
    stretchElement(m, d, flex, edge + n * e, k, full);
  }
}

// ---- bending

static void bend(const snModel* m, int flex, snReal* full) {
  int first = m->flex_edgeadr[flex], nv = (int)m->nv;
  for (int edge = first; edge < first + m->flex_edgenum[flex]; edge++) {
    int vertex[4];
    if (!sn_flapCorners(m, flex, edge, vertex)) continue;
    for (int c = 0; c < 16; c++) {
      int to = m->flex_vertbodyid[vertex[c >> 2]], from = m->flex_vertbodyid[vertex[c & 3]];
      snReal value = m->flex_damping[flex] * sn_flapLaw(m, edge)[c];
      if (m->body_dofnum[from] < 3) continue;
      for (int k = 0; k < 3 && k < m->body_dofnum[to]; k++) {
        full[(size_t)nv * (m->body_dofadr[to] + k) + m->body_dofadr[from] + k] -= value;
      }
    }
  }
}

// ---- laws that MuJoCo has not

// A piece of up to four vertices whose forces are -C times their velocities, C of 12 x 12 by columns:
// full -= J' C J.
static void addPiece(const snModel* m, const snData* d, int count, const int* vertex,
                     const snReal* C, snReal* full) {
  SN_ASSERT(count >= 2 && count <= 4);
  int nv = (int)m->nv;
  for (int b = 0; b < count; b++) {
    for (int j = sn_lastDof(m, m->flex_vertbodyid[vertex[b]]); j >= 0; j = m->dof_parentid[j]) {
      snReal motion[3], force[12];
      sn_flexVertexMotion(m, d, vertex[b], j, motion);
      for (int r = 0; r < 3 * count; r++) {
        const snReal* row = C + 36 * b + r;
        force[r] = row[0] * motion[0] + row[12] * motion[1] + row[24] * motion[2];
      }
      for (int a = 0; a < count; a++) {
        for (int i = sn_lastDof(m, m->flex_vertbodyid[vertex[a]]); i >= 0; i = m->dof_parentid[i]) {
          full[(size_t)nv * i + j] -= sn_flexVertexWork(m, d, vertex[a], i, force + 3 * a);
        }
      }
    }
  }
}

// viscosity of an element (flex/element.h)
static void softElement(const snModel* m, const snData* d, int flex, int element, snReal* full) {
  SN_ASSERT_INDEX(element, m->flex_elemnum[flex]);
  int vertex[4];
  snReal move[12], rate[9], P[9], C[144], lame[2];
  snElement e;
  sn_flexElement(m, d, flex, element, &e, vertex);
  sn_flexViscosity(m, flex, lame);
  snu_zero(C, 144);
  for (int k = 0; k < 3 * (e.n + 1); k++) {
    snu_zero(move, 12);
    move[k] = 1;
    sn_elementGradient(&e, move, rate);
    sn_viscousStress(&e, -lame[0], -lame[1], rate, P);
    sn_addElementForce(&e, P, C + 12 * k);
  }
  addPiece(m, d, e.n + 1, vertex, C, full);
}

// damper of a hinge: b g g' with the gradient g of its angle
static void hinge(const snModel* m, const snData* d, int flex, int edge, snReal* full) {
  int vertex[4];
  snReal x[12], slope[12], C[144];
  snHinge h;
  if (!sn_flapCorners(m, flex, edge, vertex)) return;
  sn_loadFlap(vertex, d->flexvert_xpos, x);
  sn_loadHinge(&h, x);
  sn_hingeGradient(&h, slope);
  for (int i = 0; i < 144; i++) {
    int r = i % 12, c = i / 12;
    C[i] = sn_flapLaw(m, edge)[2] * slope[4 * (r % 3) + r / 3] * slope[4 * (c % 3) + c / 3];
  }
  addPiece(m, d, 4, vertex, C, full);
}

static void laws(const snModel* m, const snData* d, int flex, snReal* full) {
  int first = m->flex_edgeadr[flex];
  int soft = sn_flexHasElements(m, flex) && m->flex_damping[flex] != 0;
  int hinges = sn_flexHasHinges(m, flex);
  for (int e = 0; soft && e < m->flex_elemnum[flex]; e++) softElement(m, d, flex, e, full);
  for (int e = 0; hinges && e < m->flex_edgenum[flex]; e++) hinge(m, d, flex, first + e, full);
}

void sn_flexVelocityFull(const snModel* m, const snData* d, int hasDamper, snReal* full) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (m->flex_interp[flex]) continue;
    if (hasDamper) laws(m, d, flex, full);
    if (m->flex_damping[flex] == 0) continue;
    if (!sn_flexIsSoft(m, flex) && sn_flexStretches(m, flex)) stretch(m, d, flex, full);
    if (hasDamper && !m->flex_bendingmodel[flex] && sn_flexBends(m, flex)) bend(m, flex, full);
  }
}
