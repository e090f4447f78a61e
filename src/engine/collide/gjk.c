#include "engine/collide/convex_query.h"

int sn_ccdDiscrete(const snCcd* ccd) {
  for (int i = 0; i < 2; i++) {
    const snConvex* object = i ? ccd->object2 : ccd->object1;
    if (object->margin != 0) return 0;
    if (object->kind != snGEOM_MESH && object->kind != snGEOM_BOX &&
        object->kind != snCONVEX_PRISM) {
      return 0;
    }
  }
  return 1;
}

int sn_projectOriginSlow(snReal point[3], const snReal v1[3], const snReal v2[3],
                         const snReal v3[3]) {
  snReal d21[3], d31[3], d32[3], n[3];
  snu_sub3(d21, v2, v1);
  snu_sub3(d31, v3, v1);
  snu_sub3(d32, v3, v2);
  snu_cross(n, d32, d21);
  if (snu_dot3(n, n) == 0) return 0;

  snu_cross(n, d21, d31);
  snReal offset = snu_dot3(n, v1);
  snReal square = snu_dot3(n, n);
  if (square == 0) return 0;
  if (!(offset != 0 && square > snMINVAL)) {
    snu_cross(n, d31, d32);
    offset = snu_dot3(n, v3);
    square = snu_dot3(n, n);
  }
  snu_scl3(point, n, offset / square);
  return 1;
}

// twice the signed area of the triangle pqt in coordinates (i, j)
static inline snReal area2(const snReal p[3], const snReal q[3], const snReal t[3], int i, int j) {
  return p[i] * q[j] + p[j] * t[i] + q[i] * t[j] - p[i] * t[j] - p[j] * q[i] - t[i] * q[j];
}

snReal sn_triangleAreas(snReal area[3], const snReal p[3], const snReal a[3], const snReal b[3],
                        const snReal c[3]) {
  snReal mx = b[1] * c[2] - b[2] * c[1] - a[1] * c[2] + a[2] * c[1] + a[1] * b[2] - a[2] * b[1];
  snReal my = b[0] * c[2] - b[2] * c[0] - a[0] * c[2] + a[2] * c[0] + a[0] * b[2] - a[2] * b[0];
  snReal mz = b[0] * c[1] - b[1] * c[0] - a[0] * c[1] + a[1] * c[0] + a[0] * b[1] - a[1] * b[0];
  snReal ax = snu_abs(mx), ay = snu_abs(my), az = snu_abs(mz);
  snReal total;
  int i, j;
  if (ax >= ay && ax >= az) {
    total = mx;
    i = 1;
    j = 2;
  } else if (ay >= az) {
    total = my;
    i = 0;
    j = 2;
  } else {
    total = mz;
    i = 0;
    j = 1;
  }
  area[0] = area2(p, b, c, i, j);
  area[1] = area2(p, c, a, i, j);
  area[2] = area2(p, a, b, i, j);
  return total;
}

// ---- the point of a simplex that is closest to the origin, in barycentric coordinates

static inline int agree(snReal a, snReal b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

static inline void combine2(snReal x[3], const snReal l[2], const snReal a[3], const snReal b[3]) {
  for (int i = 0; i < 3; i++) x[i] = l[0] * a[i] + l[1] * b[i];
}

static inline void combine3(snReal x[3], const snReal l[3], const snReal a[3], const snReal b[3],
                            const snReal c[3]) {
  for (int i = 0; i < 3; i++) x[i] = l[0] * a[i] + l[1] * b[i] + l[2] * c[i];
}

static void closestSegment(snReal lambda[2], const snReal a[3], const snReal b[3]) {
  snReal d[3], p[3];
  snu_sub3(d, b, a);
  snReal k = -(snu_dot3(b, d) / snu_dot3(d, d));
  snu_addScl3(p, b, d, k);

  // measured along the coordinate in which the segment is longest
  int axis = 0;
  snReal length = a[0] - b[0];
  for (int i = 1; i < 3; i++) {
    if (snu_abs(a[i] - b[i]) >= snu_abs(length)) {
      length = a[i] - b[i];
      axis = i;
    }
  }
  snReal c1 = p[axis] - b[axis];
  snReal c2 = a[axis] - p[axis];
  if (agree(length, c1) && agree(length, c2)) {
    lambda[0] = c1 / length;
    lambda[1] = c2 / length;
  } else {
    lambda[0] = 0;
    lambda[1] = 1;
  }
}

static void closestTriangle(snReal lambda[3], const snReal a[3], const snReal b[3],
                            const snReal c[3]) {
  snReal p[3], area[3];
  if (!sn_projectOrigin(p, a, b, c)) {
    closestSegment(lambda, a, b);
    lambda[2] = 0;
    return;
  }
  snReal total = sn_triangleAreas(area, p, a, b, c);
  int inside[3] = {agree(total, area[0]), agree(total, area[1]), agree(total, area[2])};
  if (inside[0] && inside[1] && inside[2]) {
    for (int i = 0; i < 3; i++) lambda[i] = area[i] / total;
    return;
  }

  // the nearest of the edges that the projection lies outside of
  const snReal* corner[3] = {a, b, c};
  snReal best = SN_CCD_FAR;
  int stored = 0;
  for (int i = 0; i < 3; i++) {
    if (inside[i]) continue;
    int j = i == 0 ? 1 : 0;
    int k = i == 2 ? 1 : 2;
    snReal edge[2], x[3];
    closestSegment(edge, corner[j], corner[k]);
    combine2(x, edge, corner[j], corner[k]);
    snReal square = snu_dot3(x, x);
    if (!stored || square < best) {
      best = square;
      stored = 1;
      lambda[i] = 0;
      lambda[j] = edge[0];
      lambda[k] = edge[1];
    }
  }
}

static void closestTetrahedron(snReal lambda[4], const snReal s1[3], const snReal s2[3],
                               const snReal s3[3], const snReal s4[3]) {
  snReal volume[4] = {-sn_tripleProduct(s2, s3, s4), sn_tripleProduct(s1, s3, s4),
                      -sn_tripleProduct(s1, s2, s4), sn_tripleProduct(s1, s2, s3)};
  snReal total = volume[0] + volume[1] + volume[2] + volume[3];
  int inside[4], all = 1;
  for (int i = 0; i < 4; i++) {
    inside[i] = agree(total, volume[i]);
    all &= inside[i];
  }
  if (all) {
    for (int i = 0; i < 4; i++) lambda[i] = volume[i] / total;
    return;
  }

  // the nearest of the faces that the origin lies outside of
  static const int kFace[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  const snReal* corner[4] = {s1, s2, s3, s4};
  snReal best = SN_CCD_FAR;
  int stored = 0;
  for (int i = 0; i < 4; i++) {
    if (inside[i]) continue;
    const int* face = kFace[i];
    snReal local[3], x[3];
    closestTriangle(local, corner[face[0]], corner[face[1]], corner[face[2]]);
    combine3(x, local, corner[face[0]], corner[face[1]], corner[face[2]]);
    snReal square = snu_dot3(x, x);
    if (!stored || square < best) {
      best = square;
      for (int j = 0; j < 3; j++) lambda[face[j]] = local[j];
      // when the last face replaces another, the coordinate of vertex 4 stays as it was: the
      // reference engine behaves so, and answers (an origin taken for enclosed) depend on it
      if (i < 3 || !stored) lambda[i] = 0;
      stored = 1;
    }
  }
}

static void closestPoint(snReal lambda[4], const snMinkowski* s, int n) {
  switch (n) {
    case 1: lambda[0] = 1; break;
    case 2: closestSegment(lambda, s[0].v, s[1].v); break;
    case 3: closestTriangle(lambda, s[0].v, s[1].v, s[2].v); break;
    default: closestTetrahedron(lambda, s[0].v, s[1].v, s[2].v, s[3].v); break;
  }
}

// ---- does a tetrahedron that follows the origin enclose it?

// unit normal of a face and its offset; a degenerate face is infinitely far
static snReal faceOffset(snReal normal[3], const snReal a[3], const snReal b[3],
                         const snReal c[3]) {
  snReal ca[3], ba[3];
  snu_sub3(ca, c, a);
  snu_sub3(ba, b, a);
  snu_cross(normal, ca, ba);
  snReal square = snu_dot3(normal, normal);
  if (square > snMINVAL * snMINVAL && square < snMAXVAL * snMAXVAL) {
    snu_scl3(normal, normal, 1 / snu_sqrt(square));
    return snu_dot3(normal, a);
  }
  return SN_CCD_FAR;
}

// Replace the vertex opposite to the face nearest to the origin until the origin is enclosed (1),
// a separating direction is found (0), or neither can be told (-1). Counts iterations on.
static int intersect(snCcd* ccd, snMinkowski simplex[4], int* iteration) {
  int s[4] = {0, 1, 2, 3};
  int k = *iteration;
  for (; k < ccd->iterations; k++) {
    snReal normal[4][3], offset[4];
    offset[0] = faceOffset(normal[0], simplex[s[2]].v, simplex[s[1]].v, simplex[s[3]].v);
    offset[1] = faceOffset(normal[1], simplex[s[0]].v, simplex[s[2]].v, simplex[s[3]].v);
    offset[2] = faceOffset(normal[2], simplex[s[1]].v, simplex[s[0]].v, simplex[s[3]].v);
    offset[3] = faceOffset(normal[3], simplex[s[0]].v, simplex[s[1]].v, simplex[s[2]].v);
    if (offset[0] == 0 || offset[1] == 0 || offset[2] == 0 || offset[3] == 0) break;

    int i = offset[0] < offset[1] ? 0 : 1;
    int j = offset[2] < offset[3] ? 2 : 3;
    int nearest = offset[i] < offset[j] ? i : j;
    if (offset[nearest] > 0) {
      for (int v = 0; v < 4; v++) ccd->simplex[v] = simplex[s[v]];
      return 1;
    }

    sn_minkowskiSupport(simplex + s[nearest], ccd->object1, ccd->object2, normal[nearest]);
    if (snu_dot3(normal[nearest], simplex[s[nearest]].v) < 0) return 0;

    i = (nearest + 1) & 3;
    j = (nearest + 2) & 3;
    int swap = s[i];
    s[i] = s[j];
    s[j] = swap;
  }
  *iteration = k;
  return -1;
}

static void separated(snCcd* ccd) {
  ccd->dist = SN_CCD_FAR;
  ccd->npoint = 0;
  ccd->nsimplex = 0;
}

// can the distance be shown to exceed the cutoff? x is the closest point so far, v a new support
static inline int beyondCutoff(const snCcd* ccd, const snReal x[3], const snReal v[3]) {
  if (!(ccd->cutoff < SN_CCD_FAR)) return 0;
  snReal dot = snu_dot3(x, v);
  if (!(dot > 0)) return 0;
  if (!(ccd->cutoff > 0)) return 1;
  return dot * dot / snu_dot3(x, x) >= ccd->cutoff * ccd->cutoff;
}

// Find the point of a simplex of n vertices that is closest to the origin and drop the vertices
// that do not carry it; returns how many are left.
static int reduce(snCcd* ccd, snReal lambda[4], int n) {
  snMinkowski* simplex = ccd->simplex;
  closestPoint(lambda, simplex, n);
  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (lambda[i] == 0) continue;
    if (kept != i) simplex[kept] = simplex[i];
    lambda[kept++] = lambda[i];
  }
  return kept;
}

// closest points of the two objects
static void witness(snCcd* ccd, const snReal lambda[4], int n) {
  const snMinkowski* simplex = ccd->simplex;
  ccd->npoint = 1;
  if (n == 0) {
    sn_convexCenter(ccd->x1[0], ccd->object1);
    sn_convexCenter(ccd->x2[0], ccd->object2);
    return;
  }
  for (int i = 0; i < 3; i++) {
    snReal p1 = lambda[0] * simplex[0].s1[i];
    snReal p2 = lambda[0] * simplex[0].s2[i];
    for (int j = 1; j < n; j++) {
      p1 += lambda[j] * simplex[j].s1[i];
      p2 += lambda[j] * simplex[j].s2[i];
    }
    ccd->x1[0][i] = p1;
    ccd->x2[0][i] = p2;
  }
}

// With a tetrahedron: do the objects overlap, or are they separated? Returns 0 when neither is known.
static int isDecided(snCcd* ccd, int* k) {
  const snMinkowski* simplex = ccd->simplex;
  snMinkowski copy[4] = {simplex[0], simplex[1], simplex[2], simplex[3]};
  int answer = intersect(ccd, copy, k);
  if (answer == 1) {
    ccd->dist = 0;
    ccd->npoint = 0;
    ccd->nsimplex = 4;
  } else if (answer == 0) {
    separated(ccd);
  }
  return answer == 0 || answer == 1;
}

void sn_gjk(snCcd* ccd) {
  ccd = SN_OWN(snCcd, ccd);
  snMinkowski* simplex = ccd->simplex;
  snReal lambda[4] = {1, 0, 0, 0};
  snReal x[3], next[3], diff[3], direction[3];
  snReal norm = 0;
  int n = 0;
  int backup = !(ccd->cutoff > 0);
  snReal epsilon = sn_ccdDiscrete(ccd) ? 0 : (snReal)0.5 * ccd->tolerance * ccd->tolerance;

  sn_convexPlace(ccd->object1);
  sn_convexPlace(ccd->object2);
  sn_convexCenter(x, ccd->object1);
  sn_convexCenter(next, ccd->object2);
  snu_sub3(x, x, next);

  for (int k = 0; k < ccd->iterations; k++) {
    norm = snu_dot3(x, x);
    if (norm < snMINVAL * snMINVAL) break;
    norm = snu_sqrt(norm);
    snu_scl3(direction, x, -(1 / norm));
    sn_minkowskiSupport(simplex + n, ccd->object1, ccd->object2, direction);

    // no progress: x is the closest point
    snu_sub3(diff, x, simplex[n].v);
    if (snu_dot3(x, diff) < epsilon) {
      if (k == 0) n = 1;
      break;
    }
    if (beyondCutoff(ccd, x, simplex[n].v)) {
      separated(ccd);
      return;
    }

    if (n == 3 && backup) {
      if (isDecided(ccd, &k)) return;
      backup = 0;
    }

    n = reduce(ccd, lambda, n + 1);
    if (n == 0) {
      separated(ccd);
      return;
    }
    snu_scl3(next, simplex[0].v, lambda[0]);
    for (int i = 1; i < n; i++) snu_addToScl3(next, simplex[i].v, lambda[i]);
    snu_sub3(diff, next, x);
    if (snu_abs(diff[0]) < snMINVAL && snu_abs(diff[1]) < snMINVAL && snu_abs(diff[2]) < snMINVAL) {
      break;
    }
    snu_copy3(x, next);
    if (n == 4) {
      norm = 0;
      break;
    }
  }

  ccd->dist = norm;
  ccd->nsimplex = n;
  witness(ccd, lambda, n);
}
