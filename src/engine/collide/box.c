#include "base/assert.h"
#include "engine/collide/primitive.h"
#include "math/math.h"
#include "sinew/sinew.h"

// ---- capsule-box ---------------------------------------------------------------------------------
//
// In the box's frame the capsule's axis is p + x g, x in [-1, 1]. The feature of the box nearest to
// it (a face seen by an end, an edge or a corner) gives x of the first contact; from that feature
// follows how far along the axis a second one may lie. Both are then sphere-box contacts.

enum { FEATURE_NONE, FEATURE_FACE, FEATURE_EDGE, FEATURE_CORNER };

struct AxisBox_ {
  snReal p[3], a[3], g[3];  // centre, unit axis, half-length axis
  const snReal* h;          // half sizes of the box
  snReal half;              // half length of the capsule
  int positive;             // bit i: g_i > 0
  int feature;
  int axis;      // face: clamped axis or -1; edge and corner: axis of the edge
  int end;       // face: which end of the capsule, -1 or 1
  int corner;    // corner bits of the edge
  snReal best;   // squared distance to the feature
  snReal x;      // parameter on the capsule's axis
  snReal along;  // parameter on the edge
};
typedef struct AxisBox_ AxisBox;

// stage 1: ends of the axis against the faces
static void nearestFace(AxisBox* s) {
  for (int end = -1; end <= 1; end += 2) {
    snReal square = 0;
    int clamped = 0, axis = -1;
    snReal gap[3];
    for (int k = 0; k < 3; k++) {
      snReal q = s->p[k] + end * s->g[k], c = snu_clip(q, -s->h[k], s->h[k]);
      if (q < -s->h[k] || q > s->h[k]) {
        clamped++;
        axis = k;
      }
      gap[k] = c - q;
    }
    if (clamped > 1) continue;
    square = snu_dot3(gap, gap);
    if (square < s->best) {
      s->best = square;
      s->x = end;
      s->feature = FEATURE_FACE;
      s->end = end;
      s->axis = axis;
    }
  }
}

// stage 2: one edge of the box, along axis j through the corner bits i
static void nearestEdge(AxisBox* s, int j, int i) {
  snReal origin[3], gap[3];
  for (int k = 0; k < 3; k++) origin[k] = i & (1 << k) ? s->h[k] : -s->h[k];
  origin[j] = 0;
  snu_sub3(gap, origin, s->p);

  snReal ma = s->h[j] * s->h[j], mb = -s->h[j] * s->g[j], mc = s->half * s->half;
  snReal u = -s->h[j] * gap[j], v = snu_dot3(s->g, gap), det = ma * mc - mb * mb;
  if (snu_abs(det) < (snReal)snMINVAL) return;

  snReal inverse = 1 / det;
  snReal x1 = (mc * u - mb * v) * inverse, x2 = (ma * v - mb * u) * inverse;
  int s1 = 1;
  if (x1 > 1) {
    x1 = 1;
    s1 = 2;
    x2 = (v - mb) * (1 / mc);
  } else if (x1 < -1) {
    x1 = -1;
    s1 = 0;
    x2 = (v + mb) * (1 / mc);
  }
  if (x2 > 1 || x2 < -1) {
    if (x2 > 1) {
      x2 = 1;
      x1 = (u - mb) * (1 / ma);
    } else {
      x2 = -1;
      x1 = (u + mb) * (1 / ma);
    }
    if (x1 > 1) {
      x1 = 1;
      s1 = 2;
    } else if (x1 < -1) {
      x1 = -1;
      s1 = 0;
    }
  }

  snu_addToScl3(gap, s->g, -x2);
  gap[j] += s->h[j] * x1;
  snReal square = snu_dot3(gap, gap);
  if (square < s->best - (snReal)snMINVAL) {
    s->best = square;
    s->x = x2;
    s->along = x1;
    s->axis = j;
    s->feature = s1 == 1 ? FEATURE_EDGE : FEATURE_CORNER;
    s->corner = i + (s1 == 2 ? 1 << j : 0);
  }
}

// the smaller of a and b where a NaN b never wins
static snReal lesser(snReal a, snReal b) { return b < a ? b : a; }

// Offset of the second contact along the axis by the kind of the nearest feature. It may be zero;
// NO_OFFSET: there is no second contact.
#define NO_OFFSET ((snReal)4)

static snReal offsetFromCorner(const AxisBox* s) {
  int c = s->positive ^ s->corner;
  if (c == 0 || c == 7) return NO_OFFSET;
  snReal m, de, dp;
  if (c == 1 || c == 2 || c == 4) {
    m = 1;
    de = 1 - s->x;
    dp = 1 + s->x;
  } else {
    m = -1;
    c = 7 - c;
    dp = 1 - s->x;
    de = 1 + s->x;
  }
  int ax = c >> 1, ax1 = (ax + 1) % 3, ax2 = (ax + 2) % 3;
  if (s->a[ax] * s->a[ax] > (snReal)0.5) {
    return m * lesser(de, 2 * s->h[ax] / snu_abs(s->g[ax]));
  }
  dp = lesser(dp, 2 * s->h[ax1] / snu_abs(s->g[ax1]));
  dp = lesser(dp, 2 * s->h[ax2] / snu_abs(s->g[ax2]));
  return -m * dp;
}

static snReal offsetFromEdge(const AxisBox* s) {
  int j = s->axis, c = (s->positive ^ s->corner) & (7 - (1 << j));
  if (c != 1 && c != 2 && c != 4) return NO_OFFSET;
  int ax1 = (j + 1) % 3, ax2 = (j + 2) % 3;
  if (snu_abs(s->a[ax1]) > snu_abs(s->a[ax2])) ax1 = ax2;
  ax2 = 3 - j - ax1;

  snReal m, offset;
  if (c & (1 << ax2)) {
    m = 1;
    offset = 1 - s->x;
  } else {
    m = -1;
    offset = 1 + s->x;
  }
  offset = lesser(offset, 2 * s->h[ax2] / snu_abs(s->g[ax2]));
  int same = !(s->positive & (1 << j)) == !(c & (1 << ax2));
  snReal room = same ? 1 - s->along : 1 + s->along;
  return m * lesser(offset, s->h[j] * room / snu_abs(s->g[j]));
}

// walk from the end over the face to the rim of the box or to the other end
static snReal offsetFromFace(const AxisBox* s) {
  if (s->axis < 0) return NO_OFFSET;
  snReal m = -s->end, offset = 2;
  for (int k = 0; k < 3; k++) {
    if (k == s->axis) continue;
    snReal q = s->p[k] - s->g[k] * m;
    for (int side = 1; side >= -1; side -= 2) {
      snReal x = (side * s->h[k] - q) / s->g[k] * m;
      if (x > 0 && x < offset) offset = x;
    }
  }
  return m * offset;
}

int sn_capsuleBox(snContactPoint* points, snReal margin, const snPosedShape* capsule,
                  const snPosedShape* box) {
  AxisBox s;
  snReal offset[3], axis[3] = {capsule->mat[2], capsule->mat[5], capsule->mat[8]};
  snu_sub3(offset, capsule->pos, box->pos);
  snu_mulMatTVec3(s.p, box->mat, offset);
  snu_mulMatTVec3(s.a, box->mat, axis);
  s.half = capsule->size[1];
  s.h = box->size;
  snu_scl3(s.g, s.a, s.half);
  s.positive = (s.g[0] > 0) + 2 * (s.g[1] > 0) + 4 * (s.g[2] > 0);
  s.feature = FEATURE_NONE;
  s.axis = s.end = s.corner = 0;
  s.x = s.along = 0;
  s.best = margin + 2 * (capsule->size[0] + s.half + s.h[0] + s.h[1] + s.h[2]);

  nearestFace(&s);
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 8; i++) {
      if (!(i & (1 << j))) nearestEdge(&s, j, i);
    }
  }

  snReal second = NO_OFFSET;
  switch (s.feature) {
    case FEATURE_NONE: return 0;
    case FEATURE_FACE: second = offsetFromFace(&s); break;
    case FEATURE_EDGE: second = offsetFromEdge(&s); break;
    default: second = offsetFromCorner(&s); break;
  }

  snReal local[3], center[3];
  snu_addScl3(local, s.p, s.g, s.x);
  snu_mulMatVec3(center, box->mat, local);
  snu_addTo3(center, box->pos);
  int n = sn_sphereBox(points, margin, center, capsule->size[0], box);
  if (second < NO_OFFSET) {
    snu_addScl3(local, s.p, s.g, s.x + second);
    snu_mulMatVec3(center, box->mat, local);
    snu_addTo3(center, box->pos);
    n += sn_sphereBox(points + n, margin, center, capsule->size[0], box);
  }
  return n;
}

// ---- box-box -------------------------------------------------------------------------------------
//
// Separating axis search over 6 face normals and 9 edge products, then clipping of the incident
// face (face case) or of the face behind the edge (edge case) against the reference face. The
// reference face is brought to z = 0 of a frame F = P * (reference box), P a signed permutation.

struct BoxPair_ {
  const snPosedShape *a, *b;
  snReal margin;
  snReal scale;         // sum of all half sizes
  snReal rot[9];        // R = RA' RB
  snReal ta[3], tb[3];  // centre of B in A, of A in B
  snReal best;
  int code;            // 0..5 face of A, 6..11 face of B, 12 + 3i + j edge; -1 none
  snReal normal[3];    // edge case: unit normal in A's frame
  int negative;        // edge case: normal points from B to A
  int bits_a, bits_b;  // edge case: corner bits of the edges
  snContactPoint* points;
  int n;
};
typedef struct BoxPair_ BoxPair;

// P v for face code q: 0..2 positive x, y, z; 3..5 negative
static void permute(snReal res[3], const snReal v[3], int q) {
  snReal x = v[0], y = v[1], z = v[2];
  switch (q) {
    case 0: res[0] = -z, res[1] = y, res[2] = x; break;
    case 1: res[0] = x, res[1] = -z, res[2] = y; break;
    case 2: res[0] = x, res[1] = y, res[2] = z; break;
    case 3: res[0] = z, res[1] = y, res[2] = -x; break;
    case 4: res[0] = x, res[1] = z, res[2] = -y; break;
    default: res[0] = -x, res[1] = y, res[2] = -z; break;
  }
}

// rows of R P' are P applied to the rows of R
static void permuteRows(snReal res[9], const snReal mat[9], int q) {
  for (int r = 0; r < 9; r += 3) permute(res + r, mat + r, q);
}

// faces: returns 0 when one separates the boxes by more than the margin
static int searchFaces(BoxPair* s) {
  const snReal *ha = s->a->size, *hb = s->b->size, *rot = s->rot;
  for (int i = 0; i < 3; i++) {
    snReal reach_b = snu_abs(rot[3 * i]) * hb[0] + snu_abs(rot[3 * i + 1]) * hb[1] +
                     snu_abs(rot[3 * i + 2]) * hb[2];
    snReal reach_a =
        snu_abs(rot[i]) * ha[0] + snu_abs(rot[3 + i]) * ha[1] + snu_abs(rot[6 + i]) * ha[2];
    snReal pa = -snu_abs(s->ta[i]) + ha[i] + reach_b;
    snReal pb = -snu_abs(s->tb[i]) + hb[i] + reach_a;
    if (pa < -s->margin || pb < -s->margin) return 0;
    if (pa < s->best) {
      s->best = pa;
      s->code = i + (s->ta[i] < 0 ? 3 : 0);
    }
    if (pb < s->best) {
      s->best = pb;
      s->code = i + (s->tb[i] < 0 ? 3 : 0) + 6;
    }
  }
  return 1;
}

// corner bits of the two edges that meet along axis i of A and j of B
static void edgeBits(BoxPair* s, int i, int j) {
  s->bits_a = s->bits_b = 0;
  for (int k = 0; k < 3; k++) {
    if (k != i && (s->normal[k] > 0) != s->negative) s->bits_a |= 1 << k;
    if (k != j) {
      int bit = (s->rot[3 * i + 3 - k - j] > 0) ^ s->negative ^ ((k - j + 3) % 3 == 1);
      s->bits_b |= bit << k;
    }
  }
}

// Surely deeper along n, not yet of unit length, than the best so far? Saves the square root: with
// depth p |n|, compares squares and leaves room for rounding.
static int isDeeper(const BoxPair* s, int i, int j, const snReal n[3]) {
  const snReal *ha = s->a->size, *hb = s->b->size, *rot = s->rot + 3 * i;
  int k1 = (i + 1) % 3, k2 = (i + 2) % 3, l1 = (j + 1) % 3, l2 = (j + 2) % 3;
  snReal depth = ha[k1] * snu_abs(n[k1]) + ha[k2] * snu_abs(n[k2]) + hb[l1] * snu_abs(rot[l2]) +
                 hb[l2] * snu_abs(rot[l1]) - snu_abs(snu_dot3(s->ta, n));
  snReal best = s->best > 0 ? s->best : 0;
  return depth > 0 && depth * depth > best * best * snu_dot3(n, n) * (1 + (snReal)1e-6) &&
         depth > (snReal)1e-9 * s->scale;
}

static int searchEdges(BoxPair* s) {
  const snReal *ha = s->a->size, *hb = s->b->size, *rot = s->rot;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      // n = e_i x b_j
      snReal n[3], x = rot[j], y = rot[3 + j], z = rot[6 + j];
      n[0] = i == 0 ? 0 : (i == 1 ? z : -y);
      n[1] = i == 0 ? -z : (i == 1 ? 0 : x);
      n[2] = i == 0 ? y : (i == 1 ? -x : 0);
      if (isDeeper(s, i, j, n)) continue;
      snReal length = snu_normalize3(n);
      if (length < (snReal)snMINVAL) continue;

      snReal shift = snu_dot3(s->ta, n), p = 0;
      for (int k = 0; k < 3; k++) {
        if (k != i) p += ha[k] * snu_abs(n[k]);
      }
      for (int k = 0; k < 3; k++) {
        if (k != j) p += hb[k] * snu_abs(rot[3 * i + 3 - k - j]) / length;
      }
      p -= snu_abs(shift);
      if (p < -s->margin) return 0;
      if (p < s->best * (1 - (snReal)1e-12)) {
        s->best = p;
        s->code = 12 + 3 * i + j;
        s->negative = shift < 0;
        snu_copy3(s->normal, n);
        edgeBits(s, i, j);
      }
    }
  }
  return 1;
}

static void emitBox(BoxPair* s, const snReal local[3], snReal dist) {
  snContactPoint* point = s->points + s->n++;
  snu_copy3(point->pos, local);
  point->dist = dist;
}

// where segment o + T d, 0 <= T <= 1, crosses the rectangle |x| <= size[0], |y| <= size[1]:
// parameters T with the crossed axis and side, in order x-, x+, y-, y+
struct Crossing_ {
  snReal t, other;
  int axis, side;
};
typedef struct Crossing_ Crossing;

static int crossRectangle(Crossing* out, const snReal o[3], const snReal d[3],
                          const snReal size[3]) {
  int n = 0;
  for (int q = 0; q < 2; q++) {
    if (!(snu_abs(d[q]) > (snReal)snMINVAL)) continue;
    snReal inverse = 1 / d[q];
    for (int side = -1; side <= 1; side += 2) {
      snReal t = (side * size[q] - o[q]) * inverse;
      if (!(t >= 0 && t <= 1)) continue;
      snReal other = o[1 - q] + d[1 - q] * t;
      if (!(other >= -size[1 - q] && other <= size[1 - q])) continue;
      out[n].t = t;
      out[n].other = other;
      out[n].axis = q;
      out[n].side = side;
      n++;
    }
  }
  return n;
}

// candidate points of the face case, in the reference frame with the face at z = 0
static void clipFace(BoxPair* s, const snReal v0[3], snReal edge[2][3], int ne,
                     const snReal size[3]) {
  snReal origin[4][3];
  int direction[4] = {0, 1, 1, 0}, segments = ne == 2 ? 4 : ne;
  snu_copy3(origin[0], v0);
  snu_copy3(origin[1], v0);
  if (ne == 2) {
    snu_add3(origin[2], v0, edge[0]);
    snu_add3(origin[3], v0, edge[1]);
  }
  for (int i = 0; i < segments; i++) {
    const snReal *o = origin[i], *d = edge[direction[i]];
    Crossing crossing[4];
    int n = crossRectangle(crossing, o, d, size);
    for (int c = 0; c < n; c++) {
      snReal point[3];
      snu_addScl3(point, o, d, crossing[c].t);
      emitBox(s, point, 0);
    }
  }

  if (ne == 2) {
    const snReal *e1 = edge[0], *e2 = edge[1];
    snReal inverse = 1 / (e1[0] * e2[1] - e2[0] * e1[1]);
    for (int i = 0; i < 4; i++) {
      snReal corner[3] = {i & 2 ? size[0] : -size[0], i & 1 ? size[1] : -size[1], 0};
      snReal x = corner[0] - v0[0], y = corner[1] - v0[1];
      snReal u = (x * e2[1] - y * e2[0]) * inverse, v = (y * e1[0] - x * e1[1]) * inverse;
      if (!(u > 0 && v > 0 && u < 1 && v < 1)) continue;
      corner[2] = v0[2] + u * e1[2] + v * e2[2];
      emitBox(s, corner, 0);
    }
  }

  for (int i = 0; i < 1 << ne; i++) {
    snReal v[3];
    snu_copy3(v, v0);
    if (i & 1) snu_addTo3(v, edge[0]);
    if (i & 2) snu_addTo3(v, edge[1]);
    if (i && !(v[0] > -size[0] && v[0] < size[0] && v[1] > -size[1] && v[1] < size[1])) continue;
    emitBox(s, v, 0);
  }
}

static int collideFace(BoxPair* s) {
  int owner_b = s->code >= 6, q = s->code % 6;
  const snPosedShape *ref = owner_b ? s->b : s->a, *inc = owner_b ? s->a : s->b;
  snReal rot[9], axis[3][3], p[3], size[3], v0[3], edge[2][3];
  for (int k = 0; k < 9; k++) rot[k] = owner_b ? s->rot[3 * (k % 3) + k / 3] : s->rot[k];
  for (int i = 0; i < 3; i++) {
    snReal incident[3] = {rot[i], rot[3 + i], rot[6 + i]};
    permute(axis[i], incident, q);
  }
  permute(p, owner_b ? s->tb : s->ta, q);
  permute(size, ref->size, q);
  for (int k = 0; k < 3; k++) size[k] = snu_abs(size[k]);
  p[2] -= size[2];

  // lowest corner of the incident box and the edges at it that are not steep
  int ne = 0;
  snu_copy3(v0, p);
  for (int i = 0; i < 3; i++) {
    snReal sign = axis[i][2] < 0 ? (snReal)1 : (snReal)-1;
    snu_addToScl3(v0, axis[i], sign * inc->size[i]);
    if (snu_abs(axis[i][2]) < (snReal)0.5 && ne < 2) {
      snu_scl3(edge[ne++], axis[i], inc->size[i] * (-2 * sign));
    }
  }
  clipFace(s, v0, edge, ne, size);

  snReal frame[9], normal[3];
  permuteRows(frame, ref->mat, q);
  for (int k = 0; k < 3; k++) normal[k] = owner_b ? -frame[3 * k + 2] : frame[3 * k + 2];
  int n = 0;
  for (int i = 0; i < s->n; i++) {
    snReal local[3];
    snu_copy3(local, s->points[i].pos);
    snReal dist = local[2];
    if (dist > s->margin) continue;
    local[2] = local[2] * (snReal)0.5 + size[2];
    snu_mulMatVec3(s->points[n].pos, frame, local);
    snu_addTo3(s->points[n].pos, ref->pos);
    s->points[n].dist = dist;
    snu_copy3(s->points[n].normal, normal);
    snu_zero3(s->points[n].tangent);
    n++;
  }
  return n;
}

// the edge case's quadrilateral behind the edge of B: corners w, their projections along the normal
// onto the reference face, and the scale that turns heights into distances
struct EdgeFace_ {
  snReal w[4][3], flat[4][3];
  snReal size[3];
  snReal kappa;
};
typedef struct EdgeFace_ EdgeFace;

// phase 1: sides of the projected quadrilateral against the rectangle
static void edgeSides(BoxPair* s, const EdgeFace* f) {
  snReal d1[3], d2[3], flat1[3], flat2[3], o[4][3], oflat[4][3];
  snu_sub3(d1, f->w[1], f->w[0]);
  snu_sub3(d2, f->w[2], f->w[0]);
  snu_sub3(flat1, f->flat[1], f->flat[0]);
  snu_sub3(flat2, f->flat[2], f->flat[0]);
  for (int i = 0; i < 4; i++) {
    snu_copy3(o[i], f->w[0]);
    snu_copy3(oflat[i], f->flat[0]);
  }
  snu_addTo3(o[2], d1);
  snu_addTo3(oflat[2], flat1);
  snu_addTo3(o[3], d2);
  snu_addTo3(oflat[3], flat2);

  for (int i = 0; i < 4; i++) {
    int second = i == 1 || i == 2;
    const snReal* d = second ? d2 : d1;
    Crossing crossing[4];
    int n = crossRectangle(crossing, oflat[i], second ? flat2 : flat1, f->size);
    for (int c = 0; c < n; c++) {
      snReal t = crossing[c].t, point[3];
      int q = crossing[c].axis;
      if ((o[i][2] + d[2] * t) * f->kappa > s->margin) continue;
      for (int k = 0; k < 3; k++) point[k] = (o[i][k] + d[k] * t) * (snReal)0.5;
      point[q] += (snReal)0.5 * (crossing[c].side * f->size[q]);
      point[1 - q] += (snReal)0.5 * crossing[c].other;
      emitBox(s, point, point[2] * f->kappa * 2);
    }
  }
}

static int outsideUnit(snReal x) { return x < 0 || x > 1; }

// phase 2: corners of the rectangle against the quadrilateral. The determinant is overwritten by
// the last squared distance, as in the engine that we follow.
static void edgeCorners(BoxPair* s, const EdgeFace* f, int n1) {
  snReal flat1[3], flat2[3];
  snu_sub3(flat1, f->flat[1], f->flat[0]);
  snu_sub3(flat2, f->flat[2], f->flat[0]);
  snReal det = flat1[0] * flat2[1] - flat2[0] * flat1[1];
  for (int i = 0; i < 4; i++) {
    snReal corner[3] = {i & 2 ? f->size[0] : -f->size[0], i & 1 ? f->size[1] : -f->size[1], 0};
    snReal x = corner[0] - f->flat[0][0], y = corner[1] - f->flat[0][1];
    snReal u = (x * flat2[1] - y * flat2[0]) * (1 / det);
    snReal v = (y * flat1[0] - x * flat1[1]) * (1 / det);
    int out_u = outsideUnit(u), out_v = outsideUnit(v);
    if (n1 == 0 ? (out_u && out_v) : (out_u || out_v)) continue;
    u = snu_clip(u, 0, 1);
    v = snu_clip(v, 0, 1);

    snReal target[3], gap[3], local[3];
    for (int k = 0; k < 3; k++) {
      target[k] = f->w[0][k] * (1 - u - v) + f->w[1][k] * u + f->w[2][k] * v;
    }
    snu_sub3(gap, corner, target);
    snReal square = snu_dot3(gap, gap);
    det = square;
    if (target[2] > 0 && square > s->margin * s->margin) continue;
    for (int k = 0; k < 3; k++) local[k] = (corner[k] + target[k]) * (snReal)0.5;
    emitBox(s, local, snu_sqrt(square) * (target[2] < 0 ? -1 : 1));
  }
}

// phase 3: corners of the quadrilateral against the rectangle
static void edgeVertices(BoxPair* s, const EdgeFace* f, int n1, int n2) {
  for (int i = 0; i < 4; i++) {
    snReal square = 0, local[3] = {0, 0, 0};
    int out[2];
    for (int k = 0; k < 2; k++) {
      snReal x = f->flat[i][k];
      out[k] = x < -f->size[k] || x > f->size[k];
      local[k] = snu_clip(x, -f->size[k], f->size[k]);
      snReal over = x - local[k];
      square += over * over;
    }
    if (n1) {
      if (out[0] || out[1]) continue;
    } else if (n2) {
      if (out[0] && out[1]) continue;
    }
    const snReal* w = f->w[i];
    square += (w[2] * f->kappa) * (w[2] * f->kappa);
    if (w[2] > 0 && square > s->margin * s->margin) continue;
    for (int k = 0; k < 3; k++) local[k] = local[k] * (snReal)0.5 + w[k] * (snReal)0.5;
    emitBox(s, local, snu_sqrt(square) * (w[2] < 0 ? -1 : 1));
  }
}

// the two axes besides k, the one that the other box's edge is steeper on first
static void otherAxes(int k, snReal size0, snReal size1, snReal size2, int* first, int* second) {
  snReal magnitude[3] = {size0, size1, size2};
  *first = k == 1 ? 0 : 1;
  *second = k == 2 ? 0 : 2;
  if (snu_abs(magnitude[*first]) < snu_abs(magnitude[*second])) {
    int swap = *first;
    *first = *second;
    *second = swap;
  }
}

static int collideEdge(BoxPair* s) {
  int i = (s->code - 12) / 3, j = (s->code - 12) % 3, a1, a2, k1, k2;
  const snReal *rot = s->rot, *hb = s->b->size;
  otherAxes(j, rot[3 * i], rot[3 * i + 1], rot[3 * i + 2], &a1, &a2);
  otherAxes(i, rot[j], rot[3 + j], rot[6 + j], &k1, &k2);
  int q = k2 + (s->bits_a & (1 << k2) ? 0 : 3);

  EdgeFace f;
  snReal axis[3][3], p[3], normal[3];
  for (int k = 0; k < 3; k++) {
    snReal b[3] = {rot[k], rot[3 + k], rot[6 + k]};
    permute(axis[k], b, q);
  }
  permute(p, s->ta, q);
  permute(normal, s->normal, q);
  permute(f.size, s->a->size, q);
  for (int k = 0; k < 3; k++) f.size[k] = snu_abs(f.size[k]);
  p[2] -= f.size[2];

  snReal sign1 = s->bits_b & (1 << a1) ? 1 : -1, sign2 = s->bits_b & (1 << a2) ? 1 : -1;
  for (int c = 0; c < 4; c++) {
    snReal s1 = c < 2 ? sign1 : -sign1, s3 = c & 1 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
      f.w[c][k] = p[k] + axis[a1][k] * (hb[a1] * s1) + axis[a2][k] * (hb[a2] * sign2) +
                  axis[j][k] * (hb[j] * s3);
    }
  }
  if (snu_abs(normal[2]) < (snReal)snMINVAL) return 0;
  snReal inverse = 1 / normal[2];
  f.kappa = inverse * (s->negative ? -1 : 1);
  for (int c = 0; c < 4; c++) {
    snu_addScl3(f.flat[c], f.w[c], normal, -f.w[c][2] * inverse);
  }

  edgeSides(s, &f);
  int n1 = s->n;
  edgeCorners(s, &f, n1);
  edgeVertices(s, &f, n1, s->n - n1);

  snReal frame[9], world[3];
  permuteRows(frame, s->a->mat, q);
  snu_mulMatVec3(world, frame, normal);
  if (s->negative) snu_scl3(world, world, -1);
  for (int c = 0; c < s->n; c++) {
    snContactPoint* point = s->points + c;
    point->pos[2] += f.size[2];
    snu_mulMatVec3(point->pos, frame, point->pos);
    snu_addTo3(point->pos, s->a->pos);
    snu_copy3(point->normal, world);
    snu_zero3(point->tangent);
  }
  return s->n;
}

static int collideBoxes(const snPosedShape* a, const snPosedShape* b, snContactPoint* points,
                        snReal margin) {
  BoxPair s;
  snReal offset[3];
  s.a = a;
  s.b = b;
  s.margin = margin;
  s.points = points;
  s.n = 0;
  s.code = -1;
  s.negative = s.bits_a = s.bits_b = 0;
  sn_mulMatTMat3(s.rot, a->mat, b->mat);
  snu_sub3(offset, b->pos, a->pos);
  snu_mulMatTVec3(s.ta, a->mat, offset);
  snu_sub3(offset, a->pos, b->pos);
  snu_mulMatTVec3(s.tb, b->mat, offset);
  s.best = margin;
  s.scale = 0;
  for (int i = 0; i < 3; i++) {
    s.best += 3 * a->size[i] + 3 * b->size[i];
    s.scale += a->size[i] + b->size[i];
  }

  if (!searchFaces(&s) || !searchEdges(&s) || s.code < 0) return 0;
  return s.code < 12 ? collideFace(&s) : collideEdge(&s);
}

int sn_collideBoxBox(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                     snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_BOX && m->geom_type[g2] == snGEOM_BOX);
  snPosedShape a = {d->geom_xpos + 3 * g1, d->geom_xmat + 9 * g1, m->geom_size + 3 * g1};
  snPosedShape b = {d->geom_xpos + 3 * g2, d->geom_xmat + 9 * g2, m->geom_size + 3 * g2};
  return collideBoxes(&a, &b, points, margin);
}

// ---- post-filter ---------------------------------------------------------------------------------

// position against a box enlarged by the margin: 1 outside, -1 inside, 0 near its surface
static int sideOfBox(const snReal pos[3], const snReal center[3], const snReal mat[9],
                     const snReal size[3], snReal margin) {
  snReal offset[3], local[3];
  snu_sub3(offset, pos, center);
  snu_mulMatTVec3(local, mat, offset);
  int inside = 1;
  for (int k = 0; k < 3; k++) {
    snReal x = snu_abs(local[k]), h = size[k] + margin;
    if (x > (snReal)1.01 * h) return 1;
    if (!(x < h / (snReal)1.01)) inside = 0;
  }
  return inside ? -1 : 0;
}

int sn_filterBoxes(const snModel* m, const snData* d, snContactPoint* points, int n, int g1, int g2,
                   snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  int kept = 0;
  for (int i = 0; i < n; i++) {
    int side1 = sideOfBox(points[i].pos, d->geom_xpos + 3 * g1, d->geom_xmat + 9 * g1,
                          m->geom_size + 3 * g1, margin);
    int side2 = sideOfBox(points[i].pos, d->geom_xpos + 3 * g2, d->geom_xmat + 9 * g2,
                          m->geom_size + 3 * g2, margin);
    if ((side1 == 1 && side2 != -1) || (side2 == 1 && side1 != -1)) continue;
    if (kept != i) points[kept] = points[i];
    kept++;
  }

  // of equal positions the last one stays
  int unique = 0;
  for (int i = 0; i < kept; i++) {
    const snReal* p = points[i].pos;
    int repeated = 0;
    for (int j = i + 1; j < kept && !repeated; j++) {
      const snReal* o = points[j].pos;
      repeated = p[0] == o[0] && p[1] == o[1] && p[2] == o[2];
    }
    if (repeated) continue;
    if (unique != i) points[unique] = points[i];
    unique++;
  }
  return unique;
}
