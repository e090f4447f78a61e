// Constraints inside of a deformable: each moves its vertices along its gradient, by as much as their
// inverse masses say and the compliance allows.

#include "base/assert.h"
#include "engine/deform/deform.h"
#include "math/math.h"

// How many constraints of a colour a lane of a team takes at once: they share no vertex, and what they load they wait for
// together. A core looks ahead by itself.
#ifdef SN_TEAM
enum { EDGES = sizeof(snReal) == 4 ? 4 : 2, BENDS = 2 };
#else
enum { EDGES = 1, BENDS = 1 };
#endif

// Loop over the first of so many constraints that a lane takes; the next one is i_lanes further on. Of those that would be
// beyond the last the first is loaded once more, and nothing stored.
#define FOR_SOME(i, n, some) \
  SN_PLAIN_LOOP for (int i = SN_LANE, i##_lanes = SN_LANES; i < (n); i += (some)*i##_lanes)

typedef struct Edge_ {
  snReal *a, *b;
  snReal x[2][3], w[2], rest, compliance;
} Edge;

SN_KERNEL void loadEdge(const snDeform* s, const int* vertex, snReal rest, snReal compliance,
                        Edge* e) {
  e->a = s->x + 3 * vertex[0], e->b = s->x + 3 * vertex[1];
  e->w[0] = s->w[vertex[0]], e->w[1] = s->w[vertex[1]];
  for (int k = 0; k < 3; k++) e->x[0][k] = e->a[k], e->x[1][k] = e->b[k];
  e->rest = rest;
  e->compliance = compliance;
}

// |a - b| = rest, or where it may be shorter: |a - b| <= rest
SN_KERNEL void projectEdge(const Edge* e, int slack) {
  snReal wa = e->w[0], wb = e->w[1], sum = wa + wb, rest = e->rest;
  snReal d[3] = {e->x[1][0] - e->x[0][0], e->x[1][1] - e->x[0][1], e->x[1][2] - e->x[0][2]};
  snReal square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  if (slack && !(square > rest * rest)) return;
  snReal length = snu_sqrt(square);
  if (sum == 0 || length < snMINVAL) return;
  snReal scale = (length - rest) / ((sum + e->compliance) * length);
  for (int k = 0; k < 3; k++) {
    e->a[k] = e->x[0][k] + wa * scale * d[k];
    e->b[k] = e->x[1][k] - wb * scale * d[k];
  }
}

typedef struct Bend_ {
  snReal *x[4], at[4][3], w[4], coef[4];
  snReal rest, compliance;
} Bend;

SN_KERNEL void loadBend(const snDeform* s, const int* vertex, const snReal* coef, snReal rest,
                        snReal compliance, Bend* b) {
  for (int i = 0; i < 4; i++) {
    b->x[i] = s->x + 3 * vertex[i];
    b->w[i] = s->w[vertex[i]];
    b->coef[i] = coef[i];
    for (int k = 0; k < 3; k++) b->at[i][k] = b->x[i][k];
  }
  b->rest = rest;
  b->compliance = compliance;
}

// |sum of coefficient * position| = rest; at rest most are flat, and need no length. Of three vertices of a chain the first
// stands at the end once more, with the coefficient 0.
SN_KERNEL void projectBend(const Bend* b) {
  snReal sum[3] = {0, 0, 0}, weight = b->compliance, rest = b->rest;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) sum[k] += b->coef[i] * b->at[i][k];
    weight += b->w[i] * b->coef[i] * b->coef[i];
  }
  if (weight == 0) return;
  snReal scale = 1 / weight;
  if (rest != 0) {
    snReal length = snu_sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (length < snMINVAL) return;
    scale = (length - rest) / (weight * length);
  }
  for (int i = 0; i < 4; i++) {
    snReal step = b->w[i] * b->coef[i] * scale;
    if (i == 3 && b->coef[i] == 0) continue;
    for (int k = 0; k < 3; k++) b->x[i][k] = b->at[i][k] - step * sum[k];
  }
}

// move four vertices along the gradients of a constraint of this value
static void moveFour(const snDeform* s, const int* vertex, snReal gradient[4][3], snReal value,
                     snReal compliance) {
  snReal weight = compliance;
  for (int i = 0; i < 4; i++) weight += s->w[vertex[i]] * snu_dot3(gradient[i], gradient[i]);
  if (!(weight > 0)) return;
  for (int i = 0; i < 4; i++) {
    snu_addToScl3(s->x + 3 * vertex[i], gradient[i], -s->w[vertex[i]] * value / weight);
  }
}

// volume of a tetrahedron = rest
static void projectVolume(const snDeform* s, const int* vertex, snReal rest, snReal compliance) {
  snReal side[3][3], gradient[4][3];
  for (int i = 0; i < 3; i++) {
    snu_sub3(side[i], s->x + 3 * vertex[i + 1], s->x + 3 * vertex[0]);
  }
  for (int i = 0; i < 3; i++) {
    snu_cross(gradient[i + 1], side[(i + 1) % 3], side[(i + 2) % 3]);
    snu_scl3(gradient[i + 1], gradient[i + 1], (snReal)1 / 6);
  }
  for (int k = 0; k < 3; k++) gradient[0][k] = -gradient[1][k] - gradient[2][k] - gradient[3][k];
  moveFour(s, vertex, gradient, snu_dot3(gradient[3], side[2]) - rest, compliance);
}

// Angle between the planes of the first and the last three of four consecutive vertices = rest. With
// f = x0 - x1, g = x1 - x2, h = x3 - x2, a = f x g, b = h x g: cos = a b, sin = (b x a) g, up to lengths
// (A. Blondel, M. Karplus, J. Comput. Chem. 17, 1996). Three vertices on a line have no plane: the stiffness
// goes with the squared sines of the angles at both inner vertices, so that the angle between planes that
// hardly exist does not matter.
static void projectTwist(const snDeform* s, const int* vertex, snReal rest, snReal compliance) {
  const snReal kStraight = (snReal)1e-6;  // squared sine of the angle between two pieces
  snReal f[3], g[3], h[3], a[3], b[3], ba[3], gradient[4][3];
  snu_sub3(f, s->x + 3 * vertex[0], s->x + 3 * vertex[1]);
  snu_sub3(g, s->x + 3 * vertex[1], s->x + 3 * vertex[2]);
  snu_sub3(h, s->x + 3 * vertex[3], s->x + 3 * vertex[2]);
  snu_cross(a, f, g);
  snu_cross(b, h, g);
  snu_cross(ba, b, a);
  snReal aa = snu_dot3(a, a), bb = snu_dot3(b, b), gg = snu_dot3(g, g), length = snu_sqrt(gg);
  snReal fg = snu_dot3(f, f) * gg, hg = snu_dot3(h, h) * gg;
  if (aa <= kStraight * fg || bb <= kStraight * hg) return;
  snReal angle = snu_atan2(snu_dot3(ba, g) / length, snu_dot3(a, b)) - rest;
  if (angle > snPI) angle -= 2 * snPI;
  if (angle < -snPI) angle += 2 * snPI;
  snReal along1 = snu_dot3(f, g) / gg, along2 = snu_dot3(h, g) / gg;
  snu_scl3(gradient[0], a, -length / aa);
  snu_scl3(gradient[3], b, length / bb);
  for (int k = 0; k < 3; k++) {
    gradient[1][k] = -(1 + along1) * gradient[0][k] - along2 * gradient[3][k];
    gradient[2][k] = along1 * gradient[0][k] - (1 - along2) * gradient[3][k];
  }
  moveFour(s, vertex, gradient, angle, compliance * (fg / aa) * (hg / bb));
}

// ---- the constraints of a colour, from adr on: they share no vertex

static void projectEdges(const snModel* m, const snDeform* s, int adr, int n, snReal rate) {
  FOR_SOME(i, n, EDGES) {
    Edge edge[EDGES];
    SN_UNROLL
    for (int k = 0; k < EDGES; k++) {
      int at = adr + (i + k * i_lanes < n ? i + k * i_lanes : i);
      loadEdge(s, m->deformedge_vert + 2 * at, m->deformedge_rest[at],
               m->deformedge_compliance[at] * rate, edge + k);
    }
    SN_UNROLL
    for (int k = 0; k < EDGES; k++) {
      if (i + k * i_lanes < n) projectEdge(edge + k, 0);
    }
  }
}

static void projectTethers(const snModel* m, const snDeform* s, int adr, int n) {
  FOR_SOME(i, n, EDGES) {
    Edge edge[EDGES];
    SN_UNROLL
    for (int k = 0; k < EDGES; k++) {
      int at = adr + (i + k * i_lanes < n ? i + k * i_lanes : i);
      loadEdge(s, m->deformtether_vert + 2 * at, m->deformtether_rest[at], 0, edge + k);
    }
    SN_UNROLL
    for (int k = 0; k < EDGES; k++) {
      if (i + k * i_lanes < n) projectEdge(edge + k, 1);
    }
  }
}

static void projectBends(const snModel* m, const snDeform* s, int adr, int n, snReal rate) {
  FOR_SOME(i, n, BENDS) {
    Bend bend[BENDS];
    SN_UNROLL
    for (int k = 0; k < BENDS; k++) {
      int at = adr + (i + k * i_lanes < n ? i + k * i_lanes : i);
      loadBend(s, m->deformbend_vert + 4 * at, m->deformbend_coef + 4 * at, m->deformbend_rest[at],
               m->deformbend_compliance[at] * rate, bend + k);
    }
    SN_UNROLL
    for (int k = 0; k < BENDS; k++) {
      if (i + k * i_lanes < n) projectBend(bend + k);
    }
  }
}

static void projectColor(const snModel* m, const snDeform* s, int color, snReal rate) {
  SN_ASSERT_INDEX(color, m->ndeformcolor);
  int adr = m->deformcolor_adr[color], n = m->deformcolor_num[color];
  switch (m->deformcolor_kind[color]) {
    case snDEFORM_TETHER: projectTethers(m, s, adr, n); break;
    case snDEFORM_LENGTH: projectEdges(m, s, adr, n, rate); break;
    case snDEFORM_BEND: projectBends(m, s, adr, n, rate); break;
    case snDEFORM_VOLUME:
      SN_FOR(k, n) {
        int i = adr + k;
        projectVolume(s, m->deformtet_vert + 4 * i, m->deformtet_rest[i],
                      m->deformtet_compliance[i] * rate);
      }
      break;
    case snDEFORM_TWIST:
      SN_FOR(k, n) {
        int i = adr + k;
        projectTwist(s, m->deformtwist_vert + 4 * i, m->deformtwist_rest[i],
                     m->deformtwist_compliance[i] * rate);
      }
      break;
  }
  SN_SYNC();
}

void sn_projectDeformConstraints(const snModel* m, const snDeform* s) {
  SN_ASSERT(s->h > 0 && s->x && s->w);
  snReal rate = 1 / (s->h * s->h);
  for (int color = 0; color < (int)m->ndeformcolor; color++) projectColor(m, s, color, rate);
}
