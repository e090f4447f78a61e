// Derivatives of the forces of flexes by positions (see differentiate/position_derivative.h).
//
// Stretch and bending are functions of the vertices of one piece, an element or a flap. Vertex v moves by
// dx_vk with position k, and its velocity changes by dw_vk; the piece answers with forces f_v and changes
// df_vk. They reach the dofs as in flex/force.c: as they are, or as a force at x_v on the body of the vertex,
//
//   d(J_i' f) = J_i' df + (dJ_i)' f,
//
// where the wrench (arm x f, f) and its rate (arm x df + dx x f, df) do both. Edges are tendons of one
// straight piece; the invariants around a vertex are functions of their edges' ends.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/differentiate/position_derivative.h"
#include "engine/flex/flex.h"
#include "engine/flex/law.h"
#include "engine/flex/piece.h"
#include "engine/smooth/jacobian.h"
#include "math/math.h"

// ---- a piece of a flex

enum { MAX_CORNERS = 4 };

typedef struct Piece_ {
  int count, vertex[MAX_CORNERS];  // over all flexes
  int n;                           // positions that move any of them
  int* dof;                        // room, ascending
  snReal* move;                    // count x n x 3: d(x)
  snReal* drift;                   // count x n x 3: d(velocity)
  snReal* rate;                    // count x n x 3: d(force)
  snReal* edge;                    // n x 6: changes of the strains or tensions of its edges
  snReal velocity[MAX_CORNERS][3];
  snReal force[MAX_CORNERS][3];
} Piece;

// room for the pieces of all flexes
static int allocPiece(const snModel* m, snData* d, Piece* p) {
  int most = 0;
  for (int vertex = 0; vertex < (int)m->nflexvert; vertex++) {
    int n = 0;
    for (int k = sn_lastDof(m, m->flex_vertbodyid[vertex]); k >= 0; k = m->dof_parentid[k]) n++;
    if (n > most) most = n;
  }
  int room = MAX_CORNERS * most + 1, block = 3 * MAX_CORNERS * room;
  p->dof = SN_STACK(d, int, room);
  p->move = SN_STACK(d, snReal, 3 * block + 6 * room);
  if (!p->dof || !p->move) return 0;
  p->drift = p->move + block;
  p->rate = p->drift + block;
  p->edge = p->rate + block;
  return 1;
}

// the union of the chains of all corners, merged from the deepest dof on
static void findDofs(const snModel* m, Piece* p) {
  int at[MAX_CORNERS];
  for (int c = 0; c < p->count; c++) at[c] = sn_lastDof(m, m->flex_vertbodyid[p->vertex[c]]);
  for (p->n = 0;;) {
    int next = -1;
    for (int c = 0; c < p->count; c++) next = at[c] > next ? at[c] : next;
    if (next < 0) break;
    for (int c = 0; c < p->count; c++) at[c] = at[c] == next ? m->dof_parentid[next] : at[c];
    p->dof[p->n++] = next;
  }
  for (int a = 0, b = p->n - 1; a < b; a++, b--) {
    int swap = p->dof[a];
    p->dof[a] = p->dof[b];
    p->dof[b] = swap;
  }
}

static void cornerArm(const snModel* m, const snData* d, int vertex, snReal arm[3]) {
  SN_ASSERT(vertex >= 0);
  int root = m->body_rootid[m->flex_vertbodyid[vertex]];
  snu_sub3(arm, d->flexvert_xpos + 3 * vertex, d->subtree_com + 3 * root);
}

// motion of a corner: along every dof that carries it, S x (v - u) + w x dx as for a tied point
static void moveCorner(const snModel* m, const snData* d, const snTangent* t, Piece* p, int c) {
  int vertex = p->vertex[c], body = m->flex_vertbodyid[vertex], place = p->n - 1;
  snReal arm[3], own[6], at[6], now[6], cross[6], part[3];
  snReal *move = p->move + 3 * (size_t)c * p->n, *drift = p->drift + 3 * (size_t)c * p->n;
  snu_zero(move, 3 * p->n);
  snu_zero(drift, 3 * p->n);
  cornerArm(m, d, vertex, arm);
  sn_motionAt(d->cvel + 6 * body, arm, now);
  snu_copy3(p->velocity[c], now + 3);
  for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) {
    while (p->dof[place] != k) place--;
    sn_motionAt(d->cdof + 6 * k, arm, own);
    sn_motionAt(t->velBefore + 6 * k, arm, at);
    for (int r = 0; r < 6; r++) at[r] = now[r] - at[r];
    sn_crossMotion(cross, own, at);
    snu_cross(part, now, own + 3);
    snu_copy3(move + 3 * place, own + 3);
    snu_add3(drift + 3 * place, cross + 3, part);
  }
}

static void movePiece(const snModel* m, const snData* d, const snTangent* t, Piece* p) {
  findDofs(m, p);
  for (int c = 0; c < p->count; c++) moveCorner(m, d, t, p, c);
}

// change by position k of a corner
static snReal* corner(snReal* array, const Piece* p, int c, int k) {
  return array + 3 * ((size_t)c * p->n + k);
}

// components of the force to the first dofs of the body as they are
static void addDirect(const snModel* m, snTangent* t, Piece* p, int c) {
  int body = m->flex_vertbodyid[p->vertex[c]], adr = m->body_dofadr[body];
  for (int k = 0; k < p->n; k++) {
    const snReal* df = corner(p->rate, p, c, k);
    snReal* row = t->matrix + (size_t)t->nv * p->dof[k];
    for (int r = 0; r < 3 && r < m->body_dofnum[body]; r++) row[adr + r] += df[r];
  }
}

// a force at the vertex
static void addWrench(const snModel* m, const snData* d, snTangent* t, Piece* p, int c) {
  int body = m->flex_vertbodyid[p->vertex[c]];
  snReal arm[3], part[3], change[6], *wrench = t->wrench + 6 * body;
  if (sn_lastDof(m, body) < 0) return;
  cornerArm(m, d, p->vertex[c], arm);
  snu_cross(part, arm, p->force[c]);
  snu_addTo3(wrench, part);
  snu_addTo3(wrench + 3, p->force[c]);
  for (int k = 0; k < p->n; k++) {
    const snReal* df = corner(p->rate, p, c, k);
    snu_cross(change, arm, df);
    snu_cross(part, corner(p->move, p, c, k), p->force[c]);
    snu_addTo3(change, part);
    snu_copy3(change + 3, df);
    sn_tangentRate(t, body, p->dof[k], change);
  }
}

// ---- stretch

// An edge of an element: its two corners, direction and length.
typedef struct Side_ {
  int end[2];
  snReal span[3], unit[3], length, before;  // before: l - h dl/dt
} Side;

static void makeSide(const snModel* m, const snData* d, const Piece* p, int first, int edge,
                     Side* side) {
  for (int s = 0; s < 2; s++) {
    int vertex = first + m->flex_edge[2 * edge + s];
    for (int c = 0; c < p->count; c++) side->end[s] = p->vertex[c] == vertex ? c : side->end[s];
  }
  snu_sub3(side->span, d->flexvert_xpos + 3 * p->vertex[side->end[1]],
           d->flexvert_xpos + 3 * p->vertex[side->end[0]]);
  snu_copy3(side->unit, side->span);
  side->length = snu_normalize3(side->unit);
  side->before = side->length - m->opt.timestep * d->flexedge_velocity[edge];
}

// d(l^2 + r (l^2 - (l - h l')^2)) with dl' = u . dw + ((dx - u (u . dx)) / l) . w
static snReal strainRate(const Piece* p, const Side* side, int k, snReal h, snReal rate) {
  const snReal *a = corner(p->move, p, side->end[0], k), *b = corner(p->move, p, side->end[1], k);
  snReal change[3], drift[3], velocity[3];
  snu_sub3(change, b, a);
  snReal square = 2 * snu_dot3(side->span, change);
  if (rate == 0) return square;
  snu_sub3(drift, corner(p->drift, p, side->end[1], k), corner(p->drift, p, side->end[0], k));
  snu_sub3(velocity, p->velocity[side->end[1]], p->velocity[side->end[0]]);
  snReal along = snu_dot3(side->unit, change), faster = snu_dot3(side->unit, drift);
  if (side->length > (snReal)snMINVAL) {
    faster += (snu_dot3(change, velocity) - along * snu_dot3(side->unit, velocity)) / side->length;
  }
  return square + rate * (square - 2 * side->before * (along - h * faster));
}

// forces of tensions on the ends of the edges, and their changes
static void pullCorners(Piece* p, const Side* side, int n, const snReal tension[6]) {
  for (int c = 0; c < p->count; c++) snu_zero3(p->force[c]);
  snu_zero(p->rate, 3 * p->count * p->n);
  for (int e = 0; e < n; e++) {
    int a = side[e].end[0], b = side[e].end[1];
    snu_addToScl3(p->force[a], side[e].span, tension[e]);
    snu_addToScl3(p->force[b], side[e].span, -tension[e]);
    for (int k = 0; k < p->n; k++) {
      snReal change[3], *da = corner(p->rate, p, a, k), *db = corner(p->rate, p, b, k);
      snu_sub3(change, corner(p->move, p, b, k), corner(p->move, p, a, k));
      snu_scl3(change, change, tension[e]);
      snu_addToScl3(change, side[e].span, p->edge[6 * k + e]);
      snu_addTo3(da, change);
      snu_addToScl3(db, change, -1);
    }
  }
}

static void stretchElement(const snModel* m, const snData* d, snTangent* t, Piece* p, int flex,
                           int element) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int dim = m->flex_dim[flex], n = dim == 3 ? 6 : 3, first = m->flex_vertadr[flex];
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[flex] + n * element;
  const snReal* stiffness = m->flex_stiffness + 21 * (snSize)(m->flex_elemadr[flex] + element);
  snReal h = m->opt.timestep, rate = h > 0 ? m->flex_damping[flex] / h : 0;
  snReal strain[6], tension[6];
  Side side[6];
  p->count = sn_elementCorners(m, flex, element, p->vertex);
  movePiece(m, d, t, p);
  for (int e = 0; e < n; e++) {
    int id = m->flex_edgeadr[flex] + edge[e];
    makeSide(m, d, p, first, id, side + e);
    snReal square = side[e].length * side[e].length, rest = m->flexedge_length0[id];
    strain[e] = square - rest * rest + rate * (square - side[e].before * side[e].before);
  }
  sn_stVenantKirchhoff(stiffness, n, strain, tension);
  for (int k = 0; k < p->n; k++) {
    snReal change[6];
    for (int e = 0; e < n; e++) change[e] = strainRate(p, side + e, k, h, rate);
    sn_stVenantKirchhoff(stiffness, n, change, p->edge + 6 * k);
  }
  pullCorners(p, side, n, tension);
  for (int c = 0; c < p->count; c++) {
    if (m->body_simple[m->flex_vertbodyid[p->vertex[c]]] == 2) {
      addDirect(m, t, p, c);
    } else {
      addWrench(m, d, t, p, c);
    }
  }
}

// ---- elements by other laws (flex/element.h)

// F and its rate change with the motion and the drift of the corners
static void softElement(const snModel* m, const snData* d, snTangent* t, Piece* p, int flex,
                        int element, int hasSpring, int hasDamper) {
  SN_ASSERT_INDEX(flex, m->nflex);
  snReal x[12], v[12], rate[9], P[9], part[9], dF[9], drate[9], lame[2], force[12];
  snElement e;
  snModes modes;
  sn_flexElement(m, d, flex, element, &e, p->vertex);
  p->count = e.n + 1;
  movePiece(m, d, t, p);
  for (int c = 0; c <= e.n; c++) snu_copy3(v + 3 * c, p->velocity[c]);
  sn_flexModes(m, flex, &e, &modes);
  sn_elementGradient(&e, v, rate);
  sn_flexViscosity(m, flex, lame);
  for (int k = 0; k < 2; k++) lame[k] *= hasDamper;
  sn_elementStress(&modes, P);
  snu_scl(P, P, hasSpring, 9);
  sn_viscousStress(&e, lame[0], lame[1], rate, part);
  snu_addTo(P, part, 9);
  snu_zero(force, 12);
  sn_addElementForce(&e, P, force);
  for (int c = 0; c <= e.n; c++) snu_copy3(p->force[c], force + 3 * c);
  for (int k = 0; k < p->n; k++) {
    for (int c = 0; c <= e.n; c++) {
      snu_copy3(x + 3 * c, corner(p->move, p, c, k));
      snu_copy3(v + 3 * c, corner(p->drift, p, c, k));
    }
    sn_elementGradient(&e, x, dF);
    sn_elementGradient(&e, v, drate);
    sn_elementTangent(&modes, e.n, dF, P);
    snu_scl(P, P, hasSpring, 9);
    sn_viscousTangent(&e, lame[0], lame[1], rate, dF, drate, part);
    snu_addTo(P, part, 9);
    snu_zero(force, 12);
    sn_addElementForce(&e, P, force);
    for (int c = 0; c <= e.n; c++) snu_copy3(corner(p->rate, p, c, k), force + 3 * c);
  }
  for (int c = 0; c <= e.n; c++) addWrench(m, d, t, p, c);
}

// ---- bending

// corners of the flap of an edge, and their motion; returns 0 for a border
static int loadFlap(const snModel* m, const snData* d, const snTangent* t, Piece* p, int flex,
                    int edge, snReal x[12]) {
  if (!sn_flapCorners(m, flex, edge, p->vertex)) return 0;
  p->count = 4;
  sn_loadFlap(p->vertex, d->flexvert_xpos, x);
  movePiece(m, d, t, p);
  return 1;
}

// changes of the corners by position k, laid out as flex/law.h has them
static void flapChange(const Piece* p, snReal* array, int k, snReal change[12]) {
  for (int i = 0; i < 12; i++) change[i] = corner(array, p, i & 3, k)[i >> 2];
}

static void bendFlap(const snModel* m, const snData* d, snTangent* t, Piece* p, int flex,
                     int edge) {
  const snReal* b = sn_flapLaw(m, edge);
  snReal x[12], dx[12], gradient[12];
  if (!loadFlap(m, d, t, p, flex, edge, x)) return;
  for (int k = 0; k < p->n; k++) {
    flapChange(p, p->move, k, dx);
    sn_cotangentTangent(b, 0, x, dx, gradient);
    for (int i = 0; i < 12; i++) corner(p->rate, p, i & 3, k)[i >> 2] = -gradient[i];
  }
  for (int c = 0; c < 4; c++) addDirect(m, t, p, c);
}

// A hinge: the damper is b (g . v) g with the gradient g of the angle.
static void hingeFlap(const snModel* m, const snData* d, snTangent* t, Piece* p, int flex, int edge,
                      int hasSpring, int hasDamper) {
  const snReal* b = sn_flapLaw(m, edge);
  snReal x[12], v[12], dx[12], dv[12], slope[12], spring[12], damper[12], turn[12];
  snReal limit = sn_flexLimit(m), damping = hasDamper ? b[2] : 0;
  snHinge hinge;
  if (!loadFlap(m, d, t, p, flex, edge, x)) return;
  for (int i = 0; i < 12; i++) v[i] = p->velocity[i & 3][i >> 2];
  sn_loadHinge(&hinge, x);
  sn_hingeGradient(&hinge, slope);
  sn_hingeSpring(b, limit, x, spring);
  sn_hingeDamper(b, limit, x, v, damper);
  for (int i = 0; i < 12; i++)
    p->force[i & 3][i >> 2] = -hasSpring * spring[i] - hasDamper * damper[i];
  for (int k = 0; k < p->n; k++) {
    flapChange(p, p->move, k, dx);
    flapChange(p, p->drift, k, dv);
    sn_hingeTangent(b, limit, x, dx, spring);
    sn_hingeGradientRate(&hinge, dx, turn);
    snReal speed = snu_dot(slope, v, 12), faster = snu_dot(turn, v, 12) + snu_dot(slope, dv, 12);
    for (int i = 0; i < 12; i++) {
      corner(p->rate, p, i & 3, k)[i >> 2] =
          -hasSpring * spring[i] - damping * (faster * slope[i] + speed * turn[i]);
    }
  }
  for (int c = 0; c < 4; c++) addWrench(m, d, t, p, c);
}

// ---- rows that are functions of vertices

static int wider(int a, int b) { return a > b ? a : b; }

// room for the widest row
static int allocRow(const snModel* m, snData* d, snTendonShape* shape) {
  int n = 1;
  for (int i = 0; i < (int)m->nflexedge; i++) n = wider(n, m->flexedge_J_rownnz[i]);
  for (int i = 0; i < 2 * (int)m->nflexvert; i++) n = wider(n, m->flexvert_J_rownnz[i]);
  shape->n = shape->isLinear = 0;
  shape->dof = SN_STACK(d, int, n);
  shape->J = SN_STACK(d, snReal, n);
  shape->hessian = SN_STACK(d, snReal, n * n);
  return shape->dof && shape->J && shape->hessian;
}

static void copyRow(snTendonShape* shape, int n, const int* column, const snReal* J) {
  shape->n = n;
  for (int k = 0; k < n; k++) {
    shape->dof[k] = column[k];
    shape->J[k] = J[k];
  }
  snu_zero(shape->hessian, n * n);
}

static void edgeShape(const snModel* m, const snData* d, const snTangent* t, int flex, int edge,
                      snTendonShape* shape) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int adr = m->flexedge_J_rowadr[edge], vertex[2];
  copyRow(shape, m->flexedge_J_rownnz[edge], m->flexedge_J_colind + adr, d->flexedge_J + adr);
  for (int s = 0; s < 2; s++) vertex[s] = m->flex_vertadr[flex] + m->flex_edge[2 * edge + s];
  sn_straightShape(m, d, t, shape, d->flexvert_xpos + 3 * vertex[0], m->flex_vertbodyid[vertex[0]],
                   d->flexvert_xpos + 3 * vertex[1], m->flex_vertbodyid[vertex[1]]);
}

// change of the map F around a vertex by dof k
static void mapRate(const snModel* m, const snData* d, const snFlexMetric* metric, int k,
                    snReal rate[6]) {
  snReal sum[6] = {0, 0, 0, 0, 0, 0};
  for (int e = 0; e < m->flex_vertedgenum[metric->vertex]; e++) {
    int end[2];
    snReal rest[2], move[2][6], weight = sn_metricEdge(m, metric, e, end, rest);
    for (int s = 0; s < 2; s++) {
      sn_pointRate(m, d, k, m->flex_vertbodyid[end[s]], d->flexvert_xpos + 3 * end[s], move[s]);
    }
    for (int r = 0; r < 6; r++) {
      sum[r] += weight * (move[1][3 + r / 2] - move[0][3 + r / 2]) * rest[r % 2];
    }
  }
  sn_metricMap(metric, sum, rate);
}

// an invariant of the metric around a vertex: its gradients pull at the ends of the edges
static void vertexShape(const snModel* m, const snData* d, const snTangent* t, int flex, int row,
                        snTendonShape* shape) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int adr = m->flexvert_J_rowadr[row], which = row & 1;
  snFlexMetric metric;
  copyRow(shape, m->flexvert_J_rownnz[row], m->flexvert_J_colind + adr, d->flexvert_J + adr);
  sn_metricAt(m, d, flex, row / 2, &metric);
  for (int place = 0; place < shape->n; place++) {
    snReal rate[6];
    mapRate(m, d, &metric, shape->dof[place], rate);
    for (int e = 0; e < m->flex_vertedgenum[metric.vertex]; e++) {
      int end[2];
      snReal rest[2], pull[2][3], turn[2][3], weight = sn_metricEdge(m, &metric, e, end, rest);
      sn_metricGradients(&metric, rest, weight * metric.scale, pull);
      sn_metricGradientRates(&metric, rate, rest, weight * metric.scale, turn);
      for (int s = 0; s < 2; s++) {
        int body = m->flex_vertbodyid[end[s]];
        const snReal* x = d->flexvert_xpos + 3 * end[s];
        snReal move[6], f[3], df[3];
        snu_scl3(f, pull[which], s ? 1 : -1);
        snu_scl3(df, turn[which], s ? 1 : -1);
        sn_pointRate(m, d, shape->dof[place], body, x, move);
        sn_shapePull(m, d, t, shape, body, x, f, place, df, move + 3);
      }
    }
  }
}

// ---- equalities

// Rows stand in the order of edges or vertices, without those that are empty or, in the dense layout, zero.
static void equalityRows(const snModel* m, snData* d, snTangent* t, int row, int count, int eq,
                         snTendonShape* shape) {
  SN_ASSERT_PART(row, count, d->nefc);
  SN_ASSERT_INDEX(eq, m->neq);
  int flex = m->eq_obj1id[eq], edges = m->eq_type[eq] == snEQ_FLEX, sparse = sn_isSparse(m);
  int id = edges ? m->flex_edgeadr[flex] : 2 * m->flex_vertadr[flex];
  for (int last = row + count; row < last; id++) {
    int n = edges ? m->flexedge_J_rownnz[id] : m->flexvert_J_rownnz[id];
    const snReal* J =
        edges ? d->flexedge_J + m->flexedge_J_rowadr[id] : d->flexvert_J + m->flexvert_J_rowadr[id];
    if (!n || (edges && m->flexedge_rigid[id]) || (!sparse && snu_isZero(J, n))) continue;
    if (edges) {
      edgeShape(m, d, t, flex, id, shape);
    } else {
      vertexShape(m, d, t, flex, id, shape);
    }
    sn_tangentRow(d, t, row++, shape);
  }
}

int sn_tangentFlexEquality(const snModel* m, snData* d, snTangent* t, int row) {
  SN_ASSERT_INDEX(row, d->nefc);
  int eq = d->efc_id[row], count = 0;
  while (row + count < d->nefc && d->efc_type[row + count] == snCNSTR_EQUALITY &&
         d->efc_id[row + count] == eq) {
    count++;
  }
  snTendonShape shape;
  sn_markStack(d);
  if (allocRow(m, d, &shape)) equalityRows(m, d, t, row, count, eq, &shape);
  sn_freeStack(d);
  return count;
}

// ---- all forces

static void edgeForces(const snModel* m, const snData* d, snTangent* t, int flex, snReal stiffness,
                       snReal damping, snTendonShape* shape) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_edgeadr[flex];
  for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
    if (m->flexedge_rigid[e]) continue;
    snReal stretch = m->flexedge_length0[e] - d->flexedge_length[e];
    edgeShape(m, d, t, flex, e, shape);
    sn_tangentShape(d, t, shape, stiffness * stretch - damping * d->flexedge_velocity[e],
                    -stiffness, -damping);
  }
}

int sn_tangentFlexes(const snModel* m, snData* d, snTangent* t, int hasSpring, int hasDamper) {
  Piece piece;
  snTendonShape shape;
  sn_markStack(d);
  int done = allocPiece(m, d, &piece) && allocRow(m, d, &shape);
  for (int flex = 0; done && flex < (int)m->nflex; flex++) {
    snReal stiffness = hasSpring ? m->flex_edgestiffness[flex] : 0;
    snReal damping = hasDamper ? m->flex_edgedamping[flex] : 0;
    int soft = sn_flexIsSoft(m, flex), hinges = m->flex_bendingmodel[flex] > 0;
    int bends = (hasSpring || hinges) && sn_flexBends(m, flex);
    for (int e = 0; sn_flexStretches(m, flex) && e < m->flex_elemnum[flex]; e++) {
      if (soft) {
        softElement(m, d, t, &piece, flex, e, hasSpring, hasDamper);
      } else {
        stretchElement(m, d, t, &piece, flex, e);
      }
    }
    for (int e = 0; bends && e < m->flex_edgenum[flex]; e++) {
      int edge = m->flex_edgeadr[flex] + e;
      if (hinges) {
        hingeFlap(m, d, t, &piece, flex, edge, hasSpring, hasDamper);
      } else {
        bendFlap(m, d, t, &piece, flex, edge);
      }
    }
    if (!m->flex_rigid[flex] && (stiffness != 0 || damping != 0)) {
      edgeForces(m, d, t, flex, stiffness, damping, &shape);
    }
  }
  sn_freeStack(d);
  return done;
}

int sn_tangentFlexDamping(const snModel* m, snData* d, snTangent* t, const snReal* taken,
                          snReal* moment) {
  snTendonShape shape;
  sn_markStack(d);
  int done = allocRow(m, d, &shape);
  for (int flex = 0; done && flex < (int)m->nflex; flex++) {
    int first = m->flex_edgeadr[flex];
    if (m->flex_edgedamping[flex] == 0 || m->flex_rigid[flex]) continue;
    for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
      if (m->flexedge_rigid[e]) continue;
      edgeShape(m, d, t, flex, e, &shape);
      sn_tangentDamper(m, d, t, &shape, m->flex_edgedamping[flex], taken, moment);
    }
  }
  sn_freeStack(d);
  return done;
}
