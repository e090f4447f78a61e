// Passive forces of flexes: stretch and bending, springs and dampers along edges.
//
// Forces of vertices are found first; dofs then collect them. MuJoCo does not send all of them through the
// Jacobian of the vertex. It adds the components of bending forces to the first dofs of the vertex's body as
// they are, and those of stretch where the body has sliders alone (body_simple 2): right when these slide
// along the axes of the world, and reproduced when they do not.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/node.h"
#include "engine/smooth/passive.h"
#include "math/math.h"

// ---- from vertices to dofs

// Three numbers for each vertex of all flexes. Nullable: what no flex has.
typedef struct Forces_ {
  snReal* stretch;
  snReal* spring;     // of bending
  snReal* damper;     // of bending
  snReal* lawSpring;  // of laws that MuJoCo has not
  snReal* lawDamper;
} Forces;

// forces of a vertex on a dof that moves it
static void addVertex(const snModel* m, const snData* d, const Forces* forces, int vertex, int dof,
                      snReal* spring, snReal* damper) {
  SN_ASSERT_INDEX(vertex, m->nflexvert);
  int body = m->flex_vertbodyid[vertex], axis = dof - m->body_dofadr[body];
  int own = m->dof_bodyid[dof] == body && axis < 3, k = 3 * vertex + axis;
  if (own && forces->spring) {
    *spring += forces->spring[k];
    *damper += forces->damper[k];
  }
  if (forces->lawSpring) {
    *spring += sn_flexVertexWork(m, d, vertex, dof, forces->lawSpring + 3 * vertex);
    *damper += sn_flexVertexWork(m, d, vertex, dof, forces->lawDamper + 3 * vertex);
  }
  if (!forces->stretch) return;
  if (m->body_simple[body] != 2) {
    *spring += sn_flexVertexWork(m, d, vertex, dof, forces->stretch + 3 * vertex);
  } else if (own) {
    *spring += forces->stretch[k];
  }
}

static void collect(const snModel* m, snData* d, const Forces* forces) {
  SN_FOR(dof, m->nv) {
    int n = m->flexdof_vertnum[dof];
    const int* list = m->flexdof_vert + m->flexdof_vertadr[dof];
    snReal spring = 0, damper = 0;
    if (!n) continue;
    for (int k = 0; k < n; k++) addVertex(m, d, forces, list[k], dof, &spring, &damper);
    d->qfrc_spring[dof] += spring;
    d->qfrc_damper[dof] += damper;
  }
  SN_SYNC();
}

// three numbers for each vertex, when there are any; the arrays lie behind one another
static snReal* nextArray(const snModel* m, snReal** scratch, int some) {
  snReal* array = *scratch;
  if (!some) return NULL;
  *scratch += 3 * m->nflexvert;
  return array;
}

static void addFlex(const snModel* m, snData* d, const Forces* forces, int flex, int hasSpring,
                    int hasDamper) {
  int hinges = m->flex_bendingmodel[flex] > 0, soft = sn_flexIsSoft(m, flex);
  snReal* spring = hinges ? forces->lawSpring : forces->spring;
  snReal* damper = hinges ? forces->lawDamper : forces->damper;
  if (sn_flexBends(m, flex)) {
    sn_flexBend(m, d, flex, hasSpring ? spring : NULL, hasDamper ? damper : NULL);
  }
  if (m->flex_interp[flex] || !sn_flexStretches(m, flex)) return;
  if (soft) {
    sn_flexSoft(m, d, flex, hasSpring ? forces->lawSpring : NULL,
                hasDamper ? forces->lawDamper : NULL);
  } else {
    sn_flexStretch(m, d, flex, forces->stretch);
  }
}

// stretch and bending of flexes whose vertices ride on bodies
static void vertexForces(const snModel* m, snData* d, int hasSpring, int hasDamper) {
  int bends = 0, stretches = 0, laws = sn_flexHasLaws(m);
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    bends |= sn_flexBends(m, flex);
    stretches |= !m->flex_interp[flex] && sn_flexStretches(m, flex);
  }
  int n = (stretches + 2 * bends + 2 * laws) * 3 * (int)m->nflexvert;
  if (!bends && !stretches) return;
  sn_markStack(d);
  snReal *scratch = SN_STACK(d, snReal, n), *next = scratch;
  if (!scratch) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  Forces forces;
  forces.stretch = nextArray(m, &next, stretches);
  forces.spring = nextArray(m, &next, bends);
  forces.damper = nextArray(m, &next, bends);
  forces.lawSpring = nextArray(m, &next, laws);
  forces.lawDamper = nextArray(m, &next, laws);
  sn_zeroShared(scratch, n);
  SN_SYNC();
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    addFlex(m, d, &forces, flex, hasSpring, hasDamper);
  }
  SN_ASSERT(next == scratch + n);  // every array was given out
  collect(m, d, &forces);
  sn_freeStack(d);
}

// ---- springs and dampers along edges

// tensions of one flex: k (L - l) and -b dl/dt
static int edgeTensions(const snModel* m, const snData* d, int flex, int hasSpring, int hasDamper,
                        snReal* spring, snReal* damper) {
  SN_ASSERT_INDEX(flex, m->nflex);
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
  vertexForces(m, d, hasSpring, hasDamper);
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (m->flex_interp[flex] && sn_flexStretches(m, flex)) {
      sn_flexNodeForces(m, d, flex, hasSpring, hasDamper);
    }
  }
  edgeForces(m, d, hasSpring, hasDamper);
}
