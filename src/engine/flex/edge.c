// Lengths of the edges and their Jacobian, u' (J2 - J1) with u the direction of the edge.

#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/smooth/jacobian.h"
#include "math/math.h"
#include "math/sparse.h"

// The walk up the tree meets dofs in descending order, as it does the columns from the last one on.
void sn_flexAddRow(const snModel* m, const snData* d, const snReal f[3], const snReal point[3],
                   int body, int n, const int* column, snReal* row) {
  SN_ASSERT_INDEX(body, m->nbody);
  int k = n - 1;
  snReal arm[3], moment[3];
  snu_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  snu_cross(moment, arm, f);
  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    while (k >= 0 && column[k] > dof) k--;
    if (k < 0) return;
    if (column[k] != dof) continue;
    const snReal* cdof = d->cdof + 6 * dof;
    row[k] += snu_dot3(cdof, moment) + snu_dot3(cdof + 3, f);
  }
}

// Columns of a body with sliders alone (body_simple 2): their axes, so that for vertices that slide along
// the axes of the world the row is the direction, bit for bit.
static int sliderRow(const snModel* m, const snData* d, int body, const snReal direction[3],
                     snReal sign, snReal* row) {
  const snReal* cdof = d->cdof + 6 * m->body_dofadr[body];
  int n = m->body_dofnum[body];
  for (int k = 0; k < n; k++) row[k] = sign * snu_dot3(cdof + 6 * k + 3, direction);
  return n;
}

static void edgeRow(const snModel* m, snData* d, int edge, const snReal direction[3],
                    const int vertex[2]) {
  SN_ASSERT_INDEX(edge, m->nflexedge);
  SN_ASSERT_INDEX2(vertex[0], vertex[1], m->nflexvert);
  int n = m->flexedge_J_rownnz[edge], adr = m->flexedge_J_rowadr[edge];
  int body[2] = {m->flex_vertbodyid[vertex[0]], m->flex_vertbodyid[vertex[1]]};
  const int* column = m->flexedge_J_colind + adr;
  snReal *row = d->flexedge_J + adr, opposite[3];
  if (m->body_simple[body[0]] == 2 && m->body_simple[body[1]] == 2 && body[0] != body[1] &&
      n == m->body_dofnum[body[0]] + m->body_dofnum[body[1]]) {
    int second = body[0] < body[1];  // the end of the body with the higher number
    int low = sliderRow(m, d, body[!second], direction, second ? -1 : 1, row);
    sliderRow(m, d, body[second], direction, second ? 1 : -1, row + low);
    return;
  }
  snu_scl3(opposite, direction, -1);
  snu_zero(row, n);
  sn_flexAddRow(m, d, opposite, d->flexvert_xpos + 3 * vertex[0], body[0], n, column, row);
  sn_flexAddRow(m, d, direction, d->flexvert_xpos + 3 * vertex[1], body[1], n, column, row);
}

// rows that exist but are not wanted
static void clearRows(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  SN_FOR(i, m->flex_edgenum[flex]) {
    int edge = m->flex_edgeadr[flex] + i, n = m->flexedge_J_rownnz[edge];
    if (n) snu_zero(d->flexedge_J + m->flexedge_J_rowadr[edge], n);
  }
}

static void edges(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_vertadr[flex], rows = sn_flexHasEdgeRows(m, flex);
  SN_FOR(i, m->flex_edgenum[flex]) {
    int edge = m->flex_edgeadr[flex] + i;
    int vertex[2] = {first + m->flex_edge[2 * edge], first + m->flex_edge[2 * edge + 1]};
    snReal direction[3];
    snu_sub3(direction, d->flexvert_xpos + 3 * vertex[1], d->flexvert_xpos + 3 * vertex[0]);
    d->flexedge_length[edge] = snu_normalize3(direction);
    if (rows) edgeRow(m, d, edge, direction, vertex);
  }
}

void sn_flexEdgeVelocities(const snModel* m, snData* d) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    int first = m->flex_edgeadr[flex], n = m->flex_edgenum[flex];
    const int *nnz = m->flexedge_J_rownnz + first, *adr = m->flexedge_J_rowadr + first;
    if (sn_flexHasEdges(m, flex) && sn_flexHasEdgeRows(m, flex)) {
      sn_mulMatVecSparse(d->flexedge_velocity + first, d->flexedge_J, d->qvel, n, nnz, adr,
                         m->flexedge_J_colind);
    } else {
      sn_zeroShared(d->flexedge_velocity + first, n);
    }
  }
  SN_SYNC();
}

void sn_flexEdges(const snModel* m, snData* d) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    int alive = sn_flexHasEdges(m, flex);
    if (alive) edges(m, d, flex);
    if (!alive || !sn_flexHasEdgeRows(m, flex)) clearRows(m, d, flex);
  }
  SN_SYNC();
}
