// Positions of nodes and vertices.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/interpolate.h"
#include "math/four.h"
#include "math/math.h"

// World position of a point given in the frame of a body.
static void worldPoint(const snModel* m, const snData* d, int body, const snReal local[3],
                       snReal position[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  (void)m;
  snu_mulMatVec3(position, d->xmat + 9 * body, local);
  snu_addTo3(position, d->xpos + 3 * body);
}

// from the point that spatial vectors of the body's tree refer to
static void vertexArm(const snModel* m, const snData* d, int vertex, snReal arm[3]) {
  SN_ASSERT_INDEX(vertex, m->nflexvert);
  int root = m->body_rootid[m->flex_vertbodyid[vertex]];
  snu_sub3(arm, d->flexvert_xpos + 3 * vertex, d->subtree_com + 3 * root);
}

// linear part, at the vertex, of a spatial motion
static void motionAtVertex(const snModel* m, const snData* d, int vertex, const snReal motion[6],
                           snReal res[3]) {
  snReal arm[3];
  vertexArm(m, d, vertex, arm);
  snu_cross(res, motion, arm);
  snu_addTo3(res, motion + 3);
}

void sn_flexVertexVelocity(const snModel* m, const snData* d, int vertex, snReal velocity[3]) {
  SN_ASSERT_INDEX(vertex, m->nflexvert);
  motionAtVertex(m, d, vertex, d->cvel + 6 * m->flex_vertbodyid[vertex], velocity);
}

void sn_flexVertexMotion(const snModel* m, const snData* d, int vertex, int dof, snReal motion[3]) {
  SN_ASSERT_INDEX(dof, m->nv);
  motionAtVertex(m, d, vertex, d->cdof + 6 * dof, motion);
}

snReal sn_flexVertexWork(const snModel* m, const snData* d, int vertex, int dof,
                         const snReal force[3]) {
  SN_ASSERT_INDEX(dof, m->nv);
  snReal arm[3], moment[3];
  vertexArm(m, d, vertex, arm);
  snu_cross(moment, arm, force);
  return snu_dot3(d->cdof + 6 * dof, moment) + snu_dot3(d->cdof + 6 * dof + 3, force);
}

// of a body that carries nothing but this point, at its origin
static void copyOrigin(const snData* d, int body, snReal position[3]) {
  snu_copy3(position, d->xpos + 3 * body);
}

void sn_flexNodes(const snModel* m, const snData* d, int flex, snReal* position) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_nodeadr[flex], centered = m->flex_centered[flex];
  SN_FOR(i, m->flex_nodenum[flex]) {
    int body = m->flex_nodebodyid[first + i];
    if (centered) {
      copyOrigin(d, body, position + 3 * i);
    } else {
      worldPoint(m, d, body, m->flex_node + 3 * (first + i), position + 3 * i);
    }
  }
  SN_SYNC();
}

// vertices that are points of bodies
static void attachedVertices(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_vertadr[flex], centered = m->flex_centered[flex];
  SN_FOR(i, m->flex_vertnum[flex]) {
    int vertex = first + i, body = m->flex_vertbodyid[vertex];
    if (centered) {
      copyOrigin(d, body, d->flexvert_xpos + 3 * vertex);
    } else {
      worldPoint(m, d, body, m->flex_vert + 3 * vertex, d->flexvert_xpos + 3 * vertex);
    }
  }
}

// x = sum_j N_j(rest coordinate) p_j
static void interpolate(int order, const snReal rest[3], const snReal* node, snReal position[3]) {
  snReal along[3][snMAXSHAPE], x = 0, y = 0, z = 0;
  for (int k = 0; k < 3; k++) sn_shape(order, rest[k], along[k]);
  for (int a = 0; a <= order; a++) {
    for (int b = 0; b <= order; b++) {
      for (int c = 0; c <= order; c++, node += 3) {
        snReal weight = along[2][c] * along[1][b] * along[0][a];
        x += weight * node[0];
        y += weight * node[1];
        z += weight * node[2];
      }
    }
  }
  position[0] = x;
  position[1] = y;
  position[2] = z;
}

#if SN_HAS_FOUR
// the polynomials (sn_shape) at four places
SN_KERNEL void shapeFour(int order, const snFour* at, snFour value[snMAXSHAPE]) {
  snFour s = *at;
  if (order == 1) {
    value[0] = 1 - s;
    value[1] = s;
  } else {
    value[0] = 2 * s * s - 3 * s + 1;
    value[1] = 4 * (s - s * s);
    value[2] = 2 * s * s - s;
  }
}

// four vertices; the compiler knows the order
SN_KERNEL void interpolateFour(int order, const snReal* rest, const snReal* node,
                               snReal* position) {
  snFour along[3][snMAXSHAPE], x = {0, 0, 0, 0}, y = x, z = x;
  for (int k = 0; k < 3; k++) {
    snFour s = {rest[k], rest[3 + k], rest[6 + k], rest[9 + k]};
    shapeFour(order, &s, along[k]);
  }
  for (int a = 0; a <= order; a++) {
    for (int b = 0; b <= order; b++) {
      for (int c = 0; c <= order; c++, node += 3) {
        snFour weight = along[2][c] * along[1][b] * along[0][a];
        x += weight * node[0];
        y += weight * node[1];
        z += weight * node[2];
      }
    }
  }
  for (int j = 0; j < 4; j++) {
    position[3 * j] = x[j];
    position[3 * j + 1] = y[j];
    position[3 * j + 2] = z[j];
  }
}
#endif

// The same for n vertices. Where there are vectors, four at a time.
SN_WIDE(static, void, interpolateAll,
        (int order, const snReal* SN_RESTRICT rest, const snReal* SN_RESTRICT node, int n,
         snReal* SN_RESTRICT position),
        (order, rest, node, n, position)) {
  int i = 0;
#if SN_HAS_FOUR
  if (order == 1) {
    for (; i + 4 <= n; i += 4) interpolateFour(1, rest + 3 * i, node, position + 3 * i);
  } else {
    for (; i + 4 <= n; i += 4) interpolateFour(2, rest + 3 * i, node, position + 3 * i);
  }
#endif
  for (; i < n; i++) interpolate(order, rest + 3 * i, node, position + 3 * i);
}

static void interpolatedVertices(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int order = m->flex_interp[flex], first = m->flex_vertadr[flex];
  if (order > snMAXINTERP || m->flex_nodenum[flex] != sn_shapeNodes(order)) {
    snu_error("flex_interp_order mismatch: flex %d has %d nodes", flex, m->flex_nodenum[flex]);
    return;
  }
  sn_markStack(d);
  snReal* node = SN_STACK(d, snReal, 3 * m->flex_nodenum[flex]);
  if (node) {
    sn_flexNodes(m, d, flex, node);
    const snReal* rest = m->flex_vert0 + 3 * first;
    snReal* position = d->flexvert_xpos + 3 * first;
    if (SN_LANES == 1) {
      interpolateAll(order, rest, node, m->flex_vertnum[flex], position);
    } else {
      SN_FOR(i, m->flex_vertnum[flex]) { interpolate(order, rest + 3 * i, node, position + 3 * i); }
    }
    SN_SYNC();
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}

void sn_flexVertices(const snModel* m, snData* d) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (m->flex_interp[flex]) {
      interpolatedVertices(m, d, flex);
    } else {
      attachedVertices(m, d, flex);
    }
  }
  SN_SYNC();
}
