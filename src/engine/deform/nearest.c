// Nearest points of a point and a triangle, of a point and a segment, of two segments, as coefficients.

#include "engine/deform/deform.h"
#include "math/math.h"

static snReal clamp01(snReal t) { return snu_max(0, snu_min(1, t)); }

// x and the segment ab: coefficient of b
static snReal onSegment(const snReal x[3], const snReal a[3], const snReal b[3]) {
  snReal side[3], offset[3];
  snu_sub3(side, b, a);
  snu_sub3(offset, x, a);
  snReal square = snu_dot3(side, side);
  return square > 0 ? clamp01(snu_dot3(offset, side) / square) : 0;
}

static snReal squareTo(const snReal x[3], const snReal a[3], const snReal b[3], snReal t) {
  snReal square = 0;
  for (int k = 0; k < 3; k++) {
    snReal out = x[k] - a[k] - t * (b[k] - a[k]);
    square += out * out;
  }
  return square;
}

// Foot of the perpendicular on the plane of a triangle, when it is inside: a + s (b - a) + t (c - a) with
// the normal equations of s and t.
static int insideTriangle(const snReal x[3], const snReal* const v[3], snReal coef[3]) {
  snReal u[3], w[3], r[3];
  snu_sub3(u, v[1], v[0]);
  snu_sub3(w, v[2], v[0]);
  snu_sub3(r, x, v[0]);
  snReal uu = snu_dot3(u, u), uw = snu_dot3(u, w), ww = snu_dot3(w, w);
  snReal ur = snu_dot3(u, r), wr = snu_dot3(w, r), det = uu * ww - uw * uw;
  if (!(det > snMINVAL * uu * ww)) return 0;
  coef[1] = (ww * ur - uw * wr) / det;
  coef[2] = (uu * wr - uw * ur) / det;
  coef[0] = 1 - coef[1] - coef[2];
  return coef[0] >= 0 && coef[1] >= 0 && coef[2] >= 0;
}

void sn_nearestOnFace(const snReal x[3], const snReal* const v[3], snReal coef[3]) {
  if (!v[2]) {
    snReal t = onSegment(x, v[0], v[1]);
    coef[0] = 1 - t, coef[1] = t, coef[2] = 0;
    return;
  }
  if (insideTriangle(x, v, coef)) return;
  snReal best = snMAXVAL * snMAXVAL, t = 0;
  int nearest = 0;
  for (int side = 0; side < 3; side++) {
    const snReal *a = v[side], *b = v[side == 2 ? 0 : side + 1];
    snReal at = onSegment(x, a, b), square = squareTo(x, a, b, at);
    if (square < best) best = square, nearest = side, t = at;
  }
  coef[0] = coef[1] = coef[2] = 0;
  coef[nearest] = 1 - t;
  coef[nearest == 2 ? 0 : nearest + 1] = t;
}

// a + s u and b + t v: the derivative of the squared distance by s vanishes, then that by t, each within
// its segment; nearly parallel segments begin anywhere
void sn_nearestSegments(const snReal* a0, const snReal* a1, const snReal* b0, const snReal* b1,
                        snReal* s, snReal* t) {
  snReal u[3], v[3], r[3];
  snu_sub3(u, a1, a0);
  snu_sub3(v, b1, b0);
  snu_sub3(r, a0, b0);
  snReal uu = snu_dot3(u, u), vv = snu_dot3(v, v), uv = snu_dot3(u, v);
  snReal ur = snu_dot3(u, r), vr = snu_dot3(v, r), det = uu * vv - uv * uv;
  *s = det > (snReal)1e-9 * uu * vv ? clamp01((uv * vr - vv * ur) / det) : (snReal)0.5;
  snReal free = vv > 0 ? (uv * *s + vr) / vv : 0;
  *t = clamp01(free);
  if (*t != free || !(det > (snReal)1e-9 * uu * vv)) {
    *s = uu > 0 ? clamp01((uv * *t - ur) / uu) : 0;
  }
}
