// Passive forces of flexes: stretch and bending, springs and dampers along edges.
//
// Forces of vertices are found first; dofs then collect them. MuJoCo does not send all of them through the
// Jacobian of the vertex. It adds the components of bending forces to the first dofs of the vertex's body as
// they are, and those of stretch where the body has sliders alone (body_simple 2): right when these slide
// along the axes of the world, and reproduced when they do not.

#include "base/arena.h"
#include "engine/flex/flex.h"
#include "engine/flex/node.h"
#include "engine/smooth/passive.h"
#include "math/math.h"

// ---- from vertices to dofs

// Three numbers for each vertex of all flexes.
typedef struct Forces_ {
  snReal* stretch;
  snReal* spring;  // of bending
  snReal* damper;  // of bending
} Forces;

// work of a force at a vertex on a dof that moves it
static snReal along(const snModel* m, const snData* d, int vertex, int dof, const snReal force[3]) {
  snReal arm[3], moment[3];
  int root = m->body_rootid[m->flex_vertbodyid[vertex]];
  snu_sub3(arm, d->flexvert_xpos + 3 * vertex, d->subtree_com + 3 * root);
  snu_cross(moment, arm, force);
  return snu_dot3(d->cdof + 6 * dof, moment) + snu_dot3(d->cdof + 6 * dof + 3, force);
}

static void collect(const snModel* m, snData* d, const Forces* forces) {
  SN_FOR(dof, m->nv) {
    int n = m->flexdof_vertnum[dof], body = m->dof_bodyid[dof], axis = dof - m->body_dofadr[body];
    const int* list = m->flexdof_vert + m->flexdof_vertadr[dof];
    snReal spring = 0, damper = 0;
    for (int k = 0; k < n; k++) {
      int vertex = list[k], own = m->flex_vertbodyid[vertex] == body && axis < 3;
      const snReal* stretch = forces->stretch + 3 * vertex;
      if (own) {
        spring += forces->spring[3 * vertex + axis];
        damper += forces->damper[3 * vertex + axis];
      }
      if (m->body_simple[m->flex_vertbodyid[vertex]] == 2) {
        if (own) spring += stretch[axis];
      } else {
        spring += along(m, d, vertex, dof, stretch);
      }
    }
    if (!n) continue;
    d->qfrc_spring[dof] += spring;
    d->qfrc_damper[dof] += damper;
  }
  SN_SYNC();
}

// stretch and bending of all flexes of bodies; nodes for themselves
static void elasticForces(const snModel* m, snData* d, int hasSpring, int hasDamper) {
  int n = 3 * (int)m->nflexvert;
  sn_markStack(d);
  snReal* scratch = SN_STACK(d, snReal, 3 * n);
  if (!scratch) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  Forces forces = {scratch, scratch + n, scratch + 2 * n};
  sn_zeroShared(scratch, 3 * n);
  SN_SYNC();
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (m->flex_dim[flex] == 1 || m->flex_rigid[flex]) continue;
    if (m->flex_dim[flex] == 2 && !m->flex_interp[flex]) {
      sn_flexBend(m, d, flex, hasSpring ? forces.spring : NULL, hasDamper ? forces.damper : NULL);
    }
    if (!sn_flexStretches(m, flex)) continue;
    if (m->flex_interp[flex]) {
      sn_flexNodeForces(m, d, flex, hasSpring, hasDamper);
    } else {
      sn_flexStretch(m, d, flex, forces.stretch);
    }
  }
  collect(m, d, &forces);
  sn_freeStack(d);
}

// ---- springs and dampers along edges

// tensions of one flex: k (L - l) and -b dl/dt
static int edgeTensions(const snModel* m, const snData* d, int flex, int hasSpring, int hasDamper,
                        snReal* spring, snReal* damper) {
  snReal stiffness = hasSpring ? m->flex_edgestiffness[flex] : 0;
  snReal damping = hasDamper ? m->flex_edgedamping[flex] : 0;
  int some = !m->flex_rigid[flex] && (stiffness != 0 || damping != 0),
      first = m->flex_edgeadr[flex];
  SN_FOR(i, m->flex_edgenum[flex]) {
    int edge = first + i, pulls = some && !m->flexedge_rigid[edge];
    snReal stretch = m->flexedge_length0[edge] - d->flexedge_length[edge];
    spring[edge] = pulls ? stiffness * stretch : 0;
    damper[edge] = pulls ? -damping * d->flexedge_velocity[edge] : 0;
  }
  return some;
}

static void edgeForces(const snModel* m, snData* d, int hasSpring, int hasDamper) {
  int some = 0;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    some |= m->flex_edgestiffness[flex] != 0 || m->flex_edgedamping[flex] != 0;
  }
  if (!some) return;
  sn_markStack(d);
  snReal* spring = SN_STACK(d, snReal, 2 * m->nflexedge);
  if (!spring) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  snReal* damper = spring + m->nflexedge;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    edgeTensions(m, d, flex, hasSpring, hasDamper, spring, damper);
  }
  SN_SYNC();
  SN_FOR(dof, m->nv) {
    int adr = m->flexedge_JT_rowadr[dof], end = adr + m->flexedge_JT_rownnz[dof];
    for (int k = adr; k < end; k++) {
      int edge = m->flexedge_JT_colind[k];
      snReal J = d->flexedge_J[m->flexedge_JT_place[k]];
      d->qfrc_spring[dof] += J * spring[edge];
      d->qfrc_damper[dof] += J * damper[edge];
    }
  }
  SN_SYNC();
  sn_freeStack(d);
}

void sn_flexPassive(const snModel* m, snData* d, int hasSpring, int hasDamper) {
  elasticForces(m, d, hasSpring, hasDamper);
  edgeForces(m, d, hasSpring, hasDamper);
}
