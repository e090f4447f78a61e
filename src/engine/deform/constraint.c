// Constraints inside of a deformable: each moves its vertices along its gradient, by as much as their
// inverse masses say and the compliance allows.

#include "base/assert.h"
#include "engine/deform/deform.h"
#include "math/math.h"

// |a - b| = rest
SN_KERNEL void projectEdge(const snDeform* s, const int* vertex, snReal rest, snReal compliance) {
  snReal *a = s->x + 3 * vertex[0], *b = s->x + 3 * vertex[1];
  snReal wa = s->w[vertex[0]], wb = s->w[vertex[1]], sum = wa + wb;
  snReal d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  snReal length = snu_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (sum == 0 || length < snMINVAL) return;
  snReal scale = (length - rest) / ((sum + compliance) * length);
  for (int k = 0; k < 3; k++) {
    a[k] += wa * scale * d[k];
    b[k] -= wb * scale * d[k];
  }
}

// |a - b| <= rest
SN_KERNEL void projectTether(const snDeform* s, const int* vertex, snReal rest) {
  const snReal *a = s->x + 3 * vertex[0], *b = s->x + 3 * vertex[1];
  snReal d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > rest * rest) projectEdge(s, vertex, rest, 0);
}

// |sum of coefficient * position| = rest; at rest most are flat, and need no length
SN_KERNEL void projectBend(const snDeform* s, const int* vertex, const snReal* coef, snReal rest,
                           snReal compliance) {
  snReal sum[3] = {0, 0, 0}, weight = compliance;
  for (int i = 0; i < 4; i++) {
    const snReal* x = s->x + 3 * vertex[i];
    for (int k = 0; k < 3; k++) sum[k] += coef[i] * x[k];
    weight += s->w[vertex[i]] * coef[i] * coef[i];
  }
  if (weight == 0) return;
  snReal scale = 1 / weight;
  if (rest != 0) {
    snReal length = snu_sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (length < snMINVAL) return;
    scale = (length - rest) / (weight * length);
  }
  for (int i = 0; i < 4; i++) {
    snReal* x = s->x + 3 * vertex[i];
    snReal step = s->w[vertex[i]] * coef[i] * scale;
    for (int k = 0; k < 3; k++) x[k] -= step * sum[k];
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

// the constraints of a colour share no vertex
static void projectColor(const snModel* m, const snDeform* s, int color, snReal rate) {
  SN_ASSERT_INDEX(color, m->ndeformcolor);
  int adr = m->deformcolor_adr[color], n = m->deformcolor_num[color];
  switch (m->deformcolor_kind[color]) {
    case snDEFORM_TETHER:
      SN_FOR(k, n) {
        projectTether(s, m->deformtether_vert + 2 * (adr + k), m->deformtether_rest[adr + k]);
      }
      break;
    case snDEFORM_LENGTH:
      SN_FOR(k, n) {
        int i = adr + k;
        projectEdge(s, m->deformedge_vert + 2 * i, m->deformedge_rest[i],
                    m->deformedge_compliance[i] * rate);
      }
      break;
    case snDEFORM_BEND:
      SN_FOR(k, n) {
        int i = adr + k;
        projectBend(s, m->deformbend_vert + 4 * i, m->deformbend_coef + 4 * i,
                    m->deformbend_rest[i], m->deformbend_compliance[i] * rate);
      }
      break;
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
