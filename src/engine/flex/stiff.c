// Laws of flexes that MuJoCo has not, in the implicit integrators.
//
// Forces at the end of the step, to first order in the acceleration a, with the stiffness K (made positive
// semidefinite, element by element) and the damping C of these laws between vertices, and J their Jacobian:
//
//   (W + J' (h^2 K + h C) J) a = f - h J' K J v,    W = M - h D.
//
// The solve without flexes has left a0 = W^-1 f, so that a = a0 + da with
//
//   (W + J' (h^2 K + h C) J) da = -J' (h^2 K + h C) J a0 - h J' K J v,
//
// which is solved by conjugate gradients with the diagonal as preconditioner. No matrix is assembled: the product of an
// element is computed from its modes (flex/element.h), that of a hinge from the gradient of its angle.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/law.h"
#include "engine/flex/piece.h"
#include "engine/smooth/jacobian.h"

typedef struct Stiff_ {
  snReal elastic, viscous;  // factors of K and C
  snElement* element;       // by element of all flexes
  snModes* modes;
  snReal* slope;  // 12 numbers for each edge: gradient of the angle of its hinge
  snReal* piece;  // forces by corner of elements, then of flaps
  snReal* move;   // 3 numbers for each vertex: motion
  snReal* force;  // answer to it, -(elastic K + viscous C) move
} Stiff;

// ---- modes of elements, gradients of hinges

static void prepareElement(const snModel* m, const snData* d, const Stiff* s, int flex, int i) {
  SN_ASSERT_INDEX(i, m->flex_elemnum[flex]);
  int id = m->flex_elemadr[flex] + i, vertex[4];
  sn_flexElement(m, d, flex, i, s->element + id, vertex);
  sn_flexModes(m, flex, s->element + id, s->modes + id);
  sn_projectModes(s->modes + id, m->flex_dim[flex]);
}

static void prepareHinge(const snModel* m, const snData* d, const Stiff* s, int flex, int edge) {
  SN_ASSERT_INDEX(edge, m->nflexedge);
  int vertex[4];
  snReal x[12];
  snHinge hinge;
  if (!sn_flapCorners(m, flex, edge, vertex)) return;
  sn_loadFlap(vertex, d->flexvert_xpos, x);
  sn_loadHinge(&hinge, x);
  sn_hingeGradient(&hinge, s->slope + 12 * (snSize)edge);
}

static void prepare(const snModel* m, const snData* d, const Stiff* s) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (sn_flexHasElements(m, flex)) {
      SN_FOR(i, m->flex_elemnum[flex]) prepareElement(m, d, s, flex, i);
    }
    if (sn_flexHasHinges(m, flex)) {
      SN_FOR(i, m->flex_edgenum[flex]) { prepareHinge(m, d, s, flex, m->flex_edgeadr[flex] + i); }
    }
  }
  SN_SYNC();
}

// ---- answers to motions of vertices

// change of the stress with F in a step: stiffness and viscosity
static void stressChange(const Stiff* s, int id, const snReal lame[2], const snReal dF[9],
                         snReal dP[9]) {
  const snElement* e = s->element + id;
  snReal part[9];
  sn_elementTangent(s->modes + id, e->n, dF, dP);
  snu_scl(dP, dP, s->elastic, 9);
  if (lame[0] == 0) return;
  sn_viscousStress(e, lame[0], lame[1], dF, part);
  snu_addTo(dP, part, 9);
}

static void elementAnswer(const snModel* m, const Stiff* s, int flex, int i, const snReal lame[2],
                          snReal force[12]) {
  SN_ASSERT(s->element[m->flex_elemadr[flex] + i].n == m->flex_dim[flex]);  // it was prepared
  const snElement* e = s->element + m->flex_elemadr[flex] + i;
  int vertex[4];
  snReal move[12], dF[9], dP[9];
  sn_elementCorners(m, flex, i, vertex);
  for (int c = 0; c <= e->n; c++) snu_copy3(move + 3 * c, s->move + 3 * vertex[c]);
  sn_elementGradient(e, move, dF);
  stressChange(s, m->flex_elemadr[flex] + i, lame, dF, dP);
  snu_zero(force, 3 * (e->n + 1));
  sn_addElementForce(e, dP, force);
}

// the same along one axis for the corner alone that moves: the diagonal
static void elementDiagonal(const snModel* m, const Stiff* s, int flex, int i, const snReal lame[2],
                            snReal force[12]) {
  const snElement* e = s->element + m->flex_elemadr[flex] + i;
  for (int k = 0; k < 3 * (e->n + 1); k++) {
    snReal move[12], dF[9], dP[9], answer[12];
    snu_zero(move, 12);
    snu_zero(answer, 12);
    move[k] = 1;
    sn_elementGradient(e, move, dF);
    stressChange(s, m->flex_elemadr[flex] + i, lame, dF, dP);
    sn_addElementForce(e, dP, answer);
    force[k] = answer[k];
  }
}

static void hingeAnswer(const snModel* m, const Stiff* s, int flex, int edge, int diagonal,
                        snReal gradient[12]) {
  SN_ASSERT_INDEX(edge, m->nflexedge);
  int vertex[4];
  const snReal *slope = s->slope + 12 * (snSize)edge, *b = sn_flapLaw(m, edge);
  snReal move[12], stiffness = s->elastic * b[1] + s->viscous * b[2];
  if (!sn_flapCorners(m, flex, edge, vertex)) return;
  sn_loadFlap(vertex, s->move, move);
  snReal turn = snu_dot(slope, move, 12);
  for (int k = 0; k < 12; k++) gradient[k] = stiffness * slope[k] * (diagonal ? slope[k] : turn);
}

// ---- summed by vertex

static void addElements(const snModel* m, const Stiff* s, int flex, int diagonal) {
  int stride = 3 * (m->flex_dim[flex] + 1);
  snReal lame[2];
  sn_flexViscosity(m, flex, lame);
  for (int k = 0; k < 2; k++) lame[k] *= s->viscous;
  SN_FOR(i, m->flex_elemnum[flex]) {
    snReal* force = s->piece + (snSize)stride * i;
    if (diagonal) {
      elementDiagonal(m, s, flex, i, lame, force);
    } else {
      elementAnswer(m, s, flex, i, lame, force);
    }
  }
  SN_SYNC();
  sn_collectElements(m, flex, s->piece, s->force);
}

static void addHinges(const snModel* m, const Stiff* s, int flex, int diagonal) {
  SN_FOR(i, m->flex_edgenum[flex]) {
    hingeAnswer(m, s, flex, m->flex_edgeadr[flex] + i, diagonal, s->piece + 12 * (snSize)i);
  }
  SN_SYNC();
  sn_collectFlaps(m, flex, s->piece, 1, s->force);
}

// Product of the stiffness of all flexes with s->move, or the diagonal of that matrix.
static void answer(const snModel* m, const Stiff* s, int diagonal) {
  sn_zeroShared(s->force, 3 * (int)m->nflexvert);
  SN_SYNC();
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (sn_flexHasElements(m, flex)) addElements(m, s, flex, diagonal);
    if (sn_flexHasHinges(m, flex)) addHinges(m, s, flex, diagonal);
  }
}

// ---- dofs

static void moveVertices(const snModel* m, const snData* d, const Stiff* s, const snReal* x) {
  SN_FOR(vertex, m->nflexvert) {
    int body = m->flex_vertbodyid[vertex];
    snReal motion[3], *move = s->move + 3 * vertex;
    snu_zero3(move);
    if (body < 0) continue;
    for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
      sn_flexVertexMotion(m, d, vertex, dof, motion);
      snu_addToScl3(move, motion, x[dof]);
    }
  }
  SN_SYNC();
}

// y -= J' (elastic K + viscous C) J x
static void subtractStiffness(const snModel* m, const snData* d, const Stiff* s, const snReal* x,
                              snReal* y) {
  moveVertices(m, d, s, x);
  answer(m, s, 0);
  SN_FOR(dof, m->nv) {
    const int* vertex = m->flexdof_vert + m->flexdof_vertadr[dof];
    for (int k = 0; k < m->flexdof_vertnum[dof]; k++) {
      y[dof] += sn_flexVertexWork(m, d, vertex[k], dof, s->force + 3 * vertex[k]);
    }
  }
  SN_SYNC();
}

// an entry of W; what the derivative is not symmetric in is left to the solve before
static snReal inertiaEntry(const snModel* m, const snData* d, int place) {
  SN_ASSERT_INDEX(place, m->nD);
  int entry = m->mapM2D[place];
  return entry < 0 ? 0 : d->M[entry] - m->opt.timestep * d->qDeriv[m->mapD2M[entry]];
}

// y = W x
static void mulInertia(const snModel* m, const snData* d, const snReal* x, snReal* y) {
  SN_FOR(dof, m->nv) {
    int adr = m->D_rowadr[dof];
    snReal sum = 0;
    for (int k = adr; k < adr + m->D_rownnz[dof]; k++) {
      sum += inertiaEntry(m, d, k) * x[m->D_colind[k]];
    }
    y[dof] = sum;
  }
  SN_SYNC();
}

static void makeDiagonal(const snModel* m, const snData* d, const Stiff* s, snReal* diagonal) {
  answer(m, s, 1);
  SN_FOR(dof, m->nv) {
    const int* vertex = m->flexdof_vert + m->flexdof_vertadr[dof];
    snReal sum = inertiaEntry(m, d, m->D_rowadr[dof] + m->D_diag[dof]), motion[3];
    for (int k = 0; k < m->flexdof_vertnum[dof]; k++) {
      sn_flexVertexMotion(m, d, vertex[k], dof, motion);
      for (int c = 0; c < 3; c++) sum -= s->force[3 * vertex[k] + c] * motion[c] * motion[c];
    }
    diagonal[dof] = snu_max(sum, (snReal)snMINVAL);
  }
  SN_SYNC();
}

// ---- conjugate gradients

static snReal dotShared(const snReal* a, const snReal* b, int n) {
  snReal sum = 0;
  SN_FOR(i, n) sum += a[i] * b[i];
  return sn_teamSum(sum);
}

// Is the residual small compared with the inertial forces, sum r^2 / W_ii against sum W_ii a^2? Inertia is the only
// resistance to motions without deformation, as those of a whole body.
static int isSolved(const snModel* m, const snData* d, const snReal* r, const snReal* qacc) {
  const snReal tolerance = (snReal)1e-18;
  snReal left = 0, whole = 0;
  SN_FOR(dof, m->nv) {
    snReal inertia =
        snu_max(inertiaEntry(m, d, m->D_rowadr[dof] + m->D_diag[dof]), (snReal)snMINVAL);
    left += r[dof] * r[dof] / inertia;
    whole += qacc[dof] * qacc[dof] * inertia;
  }
  return !(sn_teamSum(left) > tolerance * sn_teamSum(whole));
}

// qacc += A^-1 r; scratch: 3 nv
static void solve(const snModel* m, const snData* d, const Stiff* s, const snReal* diagonal,
                  snReal* r, snReal* scratch, snReal* qacc) {
  int nv = (int)m->nv, most = nv > 500 ? 2000 : 4 * nv + 20;
  snReal *z = scratch, *p = scratch + nv, *q = scratch + 2 * nv, before = 0;
  for (int iteration = 0; iteration < most && !isSolved(m, d, r, qacc); iteration++) {
    SN_FOR(i, nv) z[i] = r[i] / diagonal[i];
    SN_SYNC();
    snReal now = dotShared(r, z, nv);
    SN_FOR(i, nv) p[i] = z[i] + (iteration ? now / before * p[i] : 0);
    SN_SYNC();
    mulInertia(m, d, p, q);
    SN_FOR(i, nv) q[i] = -q[i];
    SN_SYNC();
    subtractStiffness(m, d, s, p, q);
    snReal curve = -dotShared(p, q, nv), step = now / curve;
    if (!(curve > 0)) break;
    SN_FOR(i, nv) {
      qacc[i] += step * p[i];
      r[i] += step * q[i];
    }
    SN_SYNC();
    before = now;
  }
}

// ---- the step

static int allocStiff(const snModel* m, snData* d, Stiff* s) {
  size_t n = (size_t)m->nflexelem;
  int piece = 3 * (int)m->nflexelemdata, flaps = 12 * (int)m->nflexedge;
  s->element = (snElement*)sn_stackAlloc(d, n * sizeof(snElement), sizeof(snReal));
  s->modes = (snModes*)sn_stackAlloc(d, n * sizeof(snModes), sizeof(snReal));
  s->slope = SN_STACK(d, snReal, flaps);
  s->piece = SN_STACK(d, snReal, piece > flaps ? piece : flaps);
  s->move = SN_STACK(d, snReal, 6 * m->nflexvert);
  if (!s->element || !s->modes || !s->slope || !s->piece || !s->move) return 0;
  s->force = s->move + 3 * m->nflexvert;
  return 1;
}

void sn_flexStiff(const snModel* m, snData* d, snReal* qacc) {
  int nv = (int)m->nv, hasSpring = !(m->opt.disableflags & snDSBL_SPRING);
  int hasDamper = !(m->opt.disableflags & snDSBL_DAMPER);
  snReal h = m->opt.timestep;
  Stiff s;
  if (h <= 0 || (!hasSpring && !hasDamper)) return;
  sn_markStack(d);
  snReal* scratch = SN_STACK(d, snReal, 5 * nv);
  if (scratch && allocStiff(m, d, &s)) {
    snReal* right = scratch + 4 * nv;
    prepare(m, d, &s);
    sn_zeroShared(right, nv);
    SN_SYNC();
    s.elastic = hasSpring ? h : 0;
    s.viscous = 0;
    subtractStiffness(m, d, &s, d->qvel, right);
    s.elastic *= h;
    s.viscous = hasDamper ? h : 0;
    subtractStiffness(m, d, &s, qacc, right);
    makeDiagonal(m, d, &s, scratch + 3 * nv);
    solve(m, d, &s, scratch + 3 * nv, right, scratch, qacc);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
