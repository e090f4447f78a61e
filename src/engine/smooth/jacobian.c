#include "engine/smooth/jacobian.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/misuse.h"
#include "engine/smooth/joint.h"
#include "math/math.h"

// ---- chains

// write the ancestors of dof and dof itself in ascending order; returns their number
static int ascendingChain(const snModel* m, int dof, int* chain) {
  SN_ASSERT(dof < (int)m->nv);
  int n = 0;
  for (int i = dof; i >= 0; i = m->dof_parentid[i]) chain[n++] = i;
  for (int a = 0, b = n - 1; a < b; a++, b--) {
    int swap = chain[a];
    chain[a] = chain[b];
    chain[b] = swap;
  }
  return n;
}

int sn_bodyChain(const snModel* m, int body, int* chain) {
  return ascendingChain(m, sn_lastDof(m, body), chain);
}

int sn_mergeChain(const snModel* m, int* chain, int body1, int body2) {
  SN_ASSERT_INDEX2(body1, body2, m->nbody);
  int dof1 = sn_lastDof(m, body1), dof2 = sn_lastDof(m, body2), n = 0;
  while (dof1 >= 0 || dof2 >= 0) {
    int dof = dof1 > dof2 ? dof1 : dof2;
    chain[n++] = dof;
    if (dof1 == dof) dof1 = m->dof_parentid[dof];
    if (dof2 == dof) dof2 = m->dof_parentid[dof];
  }
  for (int a = 0, b = n - 1; a < b; a++, b--) {
    int swap = chain[a];
    chain[a] = chain[b];
    chain[b] = swap;
  }
  return n;
}

// The lower part of a row of D is the chain of its dof.
static int chainOf(const snModel* m, int dof, const int** chain) {
  SN_ASSERT(dof < (int)m->nv);
  if (dof < 0) return 0;
  *chain = m->D_colind + m->D_rowadr[dof];
  return m->D_diag[dof] + 1;
}

snChainPair sn_chainPair(const snModel* m, int body1, int body2) {
  SN_ASSERT_INDEX2(body1, body2, m->nbody);
  snChainPair pair;
  pair.first = pair.second = m->D_colind;
  pair.nfirst = chainOf(m, sn_lastDof(m, body1), &pair.first);
  pair.nsecond = chainOf(m, sn_lastDof(m, body2), &pair.second);
  // two chains part once
  int common = 0, high = pair.nfirst < pair.nsecond ? pair.nfirst : pair.nsecond;
  while (common < high) {
    int middle = (common + high) >> 1;
    if (pair.first[middle] == pair.second[middle]) {
      common = middle + 1;
    } else {
      high = middle;
    }
  }
  pair.ncommon = common;
  return pair;
}

// ---- Jacobians on a chain

void sn_jacAdd(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, const snReal point[3],
               int body, snReal scale, int n, const int* chain) {
  SN_ASSERT_INDEX(body, m->nbody);
  SN_ASSERT(n >= 0 && n <= (int)m->nv);
  snReal offset[3];
  snu_sub3(offset, point, d->subtree_com + 3 * m->body_rootid[body]);

  int k = n - 1;
  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    if (chain) {
      while (chain[k] > dof) k--;
    } else {
      k = dof;
    }
    const snReal* cdof = d->cdof + 6 * dof;
    if (jacr) {
      for (int row = 0; row < 3; row++) jacr[row * n + k] += scale * cdof[row];
    }
    if (jacp) {
      snReal column[3];
      snu_cross(column, cdof, offset);
      snu_addTo3(column, cdof + 3);
      for (int row = 0; row < 3; row++) jacp[row * n + k] += scale * column[row];
    }
  }
}

// Jacobian of a point on a chain; nullable: jacp, jacr, chain
static void jacobianOfChain(const snModel* m, const snData* d, snReal* jacp, snReal* jacr,
                            const snReal point[3], int body, int n, const int* chain) {
  if (jacp) snu_zero(jacp, 3 * n);
  if (jacr) snu_zero(jacr, 3 * n);
  sn_jacAdd(m, d, jacp, jacr, point, body, 1, n, chain);
}

// ---- dense Jacobians

void sn_jac(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, const snReal point[3],
            int body) {
  if (!SN_IS_DATA_OF(m, d, "sn_jac") || !SN_IS_INDEX(body, m->nbody, "sn_jac")) return;
  jacobianOfChain(m, d, jacp, jacr, point, body, (int)m->nv, NULL);
}

void sn_jacBody(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, int body) {
  if (!SN_IS_DATA_OF(m, d, "sn_jacBody") || !SN_IS_INDEX(body, m->nbody, "sn_jacBody")) return;
  sn_jac(m, d, jacp, jacr, d->xpos + 3 * body, body);
}

void sn_jacBodyCom(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, int body) {
  if (!SN_IS_DATA_OF(m, d, "sn_jacBodyCom") || !SN_IS_INDEX(body, m->nbody, "sn_jacBodyCom"))
    return;
  sn_jac(m, d, jacp, jacr, d->xipos + 3 * body, body);
}

void sn_jacGeom(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, int geom) {
  if (!SN_IS_DATA_OF(m, d, "sn_jacGeom") || !SN_IS_INDEX(geom, m->ngeom, "sn_jacGeom")) return;
  sn_jac(m, d, jacp, jacr, d->geom_xpos + 3 * geom, m->geom_bodyid[geom]);
}

void sn_jacSite(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, int site) {
  if (!SN_IS_DATA_OF(m, d, "sn_jacSite") || !SN_IS_INDEX(site, m->nsite, "sn_jacSite")) return;
  sn_jac(m, d, jacp, jacr, d->site_xpos + 3 * site, m->site_bodyid[site]);
}

// one past the last body of a subtree: the first later body whose parent comes before its root
static int subtreeEnd(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int end = body + 1;
  while (end < (int)m->nbody && m->body_parentid[end] >= body) end++;
  return end;
}

void sn_jacSubtreeCom(const snModel* m, snData* d, snReal* jacp, int body) {
  if (!SN_IS_DATA_OF(m, d, "sn_jacSubtreeCom") || !SN_IS_INDEX(body, m->nbody, "sn_jacSubtreeCom"))
    return;
  int nv = (int)m->nv;
  snu_zero(jacp, 3 * nv);
  for (int b = body; b < subtreeEnd(m, body); b++) {
    sn_jacAdd(m, d, jacp, NULL, d->xipos + 3 * b, b, m->body_mass[b], nv, NULL);
  }
  snu_scl(jacp, jacp, 1 / m->body_subtreemass[body], 3 * nv);
}

void sn_jacPointAxis(const snModel* m, snData* d, snReal* jacPoint, snReal* jacAxis,
                     const snReal point[3], const snReal axis[3], int body) {
  if (!SN_IS_DATA_OF(m, d, "sn_jacPointAxis") || !SN_IS_INDEX(body, m->nbody, "sn_jacPointAxis"))
    return;
  int nv = (int)m->nv;
  if (jacPoint) sn_jac(m, d, jacPoint, NULL, point, body);
  if (!jacAxis) return;
  snu_zero(jacAxis, 3 * nv);
  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    snReal column[3];
    snu_cross(column, d->cdof + 6 * dof, axis);
    for (int row = 0; row < 3; row++) jacAxis[row * nv + dof] = column[row];
  }
}

// ---- time derivative

void sn_jacDot(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, const snReal point[3],
               int body) {
  if (!SN_IS_DATA_OF(m, d, "sn_jacDot") || !SN_IS_INDEX(body, m->nbody, "sn_jacDot")) return;
  int nv = (int)m->nv;
  if (jacp) snu_zero(jacp, 3 * nv);
  if (jacr) snu_zero(jacr, 3 * nv);

  const snReal* com = d->subtree_com + 3 * m->body_rootid[body];
  snReal offset[3], vel[6];
  snu_sub3(offset, point, com);
  snu_transformSpatial(vel, d->cvel + 6 * body, 0, point, com, NULL);

  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    snReal rate[6];
    sn_axisRate(m, d, dof, rate);
    if (jacr) {
      for (int row = 0; row < 3; row++) jacr[row * nv + dof] = rate[row];
    }
    if (jacp) {
      // d/dt (cdof_lin + cdof_rot x (point - com))
      snReal column[3], carried[3];
      snu_cross(column, rate, offset);
      snu_addTo3(column, rate + 3);
      snu_cross(carried, d->cdof + 6 * dof, vel + 3);
      snu_addTo3(column, carried);
      for (int row = 0; row < 3; row++) jacp[row * nv + dof] = column[row];
    }
  }
}

// ---- angular momentum

void sn_angmomMat(const snModel* m, snData* d, snReal* mat, int body) {
  if (!SN_IS_DATA_OF(m, d, "sn_angmomMat") || !SN_IS_INDEX(body, m->nbody, "sn_angmomMat")) return;
  int nv = (int)m->nv;
  snu_zero(mat, 3 * nv);
  for (int b = body; b < subtreeEnd(m, body); b++) {
    const snReal *ximat = d->ximat + 9 * b, *inertia = m->body_inertia + 3 * b;
    snReal arm[3], offset[3];
    snu_sub3(arm, d->xipos + 3 * b, d->subtree_com + 3 * body);
    snu_sub3(offset, d->xipos + 3 * b, d->subtree_com + 3 * m->body_rootid[b]);

    // per dof: R J R' w + m arm x v
    for (int dof = sn_lastDof(m, b); dof >= 0; dof = m->dof_parentid[dof]) {
      const snReal* cdof = d->cdof + 6 * dof;
      snReal local[3], spin[3], linear[3], orbital[3];
      snu_mulMatTVec3(local, ximat, cdof);
      for (int k = 0; k < 3; k++) local[k] *= inertia[k];
      snu_mulMatVec3(spin, ximat, local);
      snu_cross(linear, cdof, offset);
      snu_addTo3(linear, cdof + 3);
      snu_cross(orbital, arm, linear);
      for (int row = 0; row < 3; row++) {
        mat[row * nv + dof] += spin[row] + m->body_mass[b] * orbital[row];
      }
    }
  }
}
