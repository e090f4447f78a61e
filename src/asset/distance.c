#include "asset/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset/algebra.h"
#include "base/assert.h"

// ---- preparation ----

typedef struct Edge_ {
  int low, high;
  int corner;  // 3 face + edge
} Edge;

static int compareEdges(const void* a, const void* b) {
  const Edge *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->corner < y->corner ? -1 : x->corner > y->corner;
}

static void normalize(double v[3]) {
  double length = sqrt(sn_dot3(v, v));
  for (int k = 0; k < 3; k++) v[k] /= length;
}

// Angle of a triangle at its corner a.
static double cornerAngle(const double a[3], const double b[3], const double c[3]) {
  double ab[3], ac[3];
  sn_sub3(ab, b, a);
  sn_sub3(ac, c, a);
  normalize(ab);
  normalize(ac);
  double cosine = sn_dot3(ab, ac);
  return acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

static void faceAndVertexNormals(snDistance* d, int nvert, int nface) {
  for (int i = 0; i < nface; i++) {
    const int* f = d->face + 3 * (size_t)i;
    double ab[3], ac[3], *normal = d->facenormal + 3 * (size_t)i;
    const double* v[3];
    for (int k = 0; k < 3; k++) v[k] = d->vert + 3 * (size_t)f[k];
    sn_sub3(ab, v[1], v[0]);
    sn_sub3(ac, v[2], v[0]);
    sn_cross3(normal, ab, ac);
    if (sn_dot3(normal, normal) == 0) continue;  // no direction
    normalize(normal);
    for (int k = 0; k < 3; k++) {
      double angle = cornerAngle(v[k], v[(k + 1) % 3], v[(k + 2) % 3]);
      if (!isfinite(angle)) continue;
      double* sum = d->vertexnormal + 3 * (size_t)f[k];
      for (int n = 0; n < 3; n++) sum[n] += angle * normal[n];
    }
  }
  for (int i = 0; i < nvert; i++) {
    double* normal = d->vertexnormal + 3 * (size_t)i;
    if (sn_dot3(normal, normal) > 0) normalize(normal);
  }
}

static int edgeNormals(snWork* work, snDistance* d, int nface) {
  size_t count = 3 * (size_t)nface;
  Edge* edges = SN_SCRATCH(work, Edge, count);
  if (!edges) return -1;
  for (size_t i = 0; i < count; i++) {
    int a = d->face[i], b = d->face[i - i % 3 + (i + 1) % 3];
    Edge edge = {a < b ? a : b, a < b ? b : a, (int)i};
    edges[i] = edge;
  }
  qsort(edges, count, sizeof(Edge), compareEdges);
  for (size_t first = 0, last; first < count; first = last) {
    double sum[3] = {0, 0, 0};
    for (last = first; last < count && edges[last].low == edges[first].low &&
                       edges[last].high == edges[first].high;
         last++) {
      const double* normal = d->facenormal + 3 * (size_t)(edges[last].corner / 3);
      for (int k = 0; k < 3; k++) sum[k] += normal[k];
    }
    for (size_t i = first; i < last; i++) {
      memcpy(d->edgenormal + 3 * (size_t)edges[i].corner, sum, sizeof(sum));
    }
  }
  return 0;
}

int sn_makeDistance(snWork* work, snDistance* d, const double* vert, int nvert, const int* face,
                    int nface) {
  memset(d, 0, sizeof(*d));
  d->vert = vert;
  d->face = face;
  d->facenormal = SN_SCRATCH(work, double, 3 * (size_t)nface);
  d->edgenormal = SN_SCRATCH(work, double, 9 * (size_t)nface);
  d->vertexnormal = SN_SCRATCH(work, double, 3 * (size_t)nvert);
  snBvhLeaf* leaves = SN_SCRATCH(work, snBvhLeaf, nface);
  if (!d->facenormal || !d->edgenormal || !d->vertexnormal || !leaves) return -1;
  faceAndVertexNormals(d, nvert, nface);
  if (edgeNormals(work, d, nface)) return -1;
  for (int i = 0; i < nface; i++) {
    snBvhLeaf* leaf = leaves + i;
    leaf->id = i;
    for (int j = 0; j < 3; j++) {
      const double* v = vert + 3 * (size_t)face[3 * (size_t)i + (size_t)j];
      for (int k = 0; k < 3; k++) {
        if (!j || v[k] < leaf->min[k]) leaf->min[k] = v[k];
        if (!j || v[k] > leaf->max[k]) leaf->max[k] = v[k];
        leaf->key[k] = (leaf->min[k] + leaf->max[k]) / 2;
      }
    }
  }
  return sn_buildBvh(work, &d->tree, leaves, nface);
}

// ---- query ----

// What part of a triangle is closest: 0-2 vertices, 3-5 edges (0-1, 1-2, 2-0), 6 the face.
typedef enum Feature_ { VERTEX = 0, EDGE = 3, FACE = 6 } Feature;

// Closest point of a triangle (Ericson, Real-Time Collision Detection, 5.1.5).
static int closestOnTriangle(double closest[3], const double p[3], const double a[3],
                             const double b[3], const double c[3]) {
  double ab[3], ac[3], ap[3], bp[3], cp[3];
  sn_sub3(ab, b, a);
  sn_sub3(ac, c, a);
  sn_sub3(ap, p, a);
  sn_sub3(bp, p, b);
  sn_sub3(cp, p, c);
  double d1 = sn_dot3(ab, ap), d2 = sn_dot3(ac, ap), d3 = sn_dot3(ab, bp), d4 = sn_dot3(ac, bp);
  double d5 = sn_dot3(ab, cp), d6 = sn_dot3(ac, cp);
  double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  double v = 0, w = 0;
  int feature;
  if (d1 <= 0 && d2 <= 0) {
    feature = VERTEX;
  } else if (d3 >= 0 && d4 <= d3) {
    v = 1;
    feature = VERTEX + 1;
  } else if (d6 >= 0 && d5 <= d6) {
    w = 1;
    feature = VERTEX + 2;
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    v = d1 / (d1 - d3);
    feature = EDGE;
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    w = d2 / (d2 - d6);
    feature = EDGE + 2;
  } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    v = 1 - w;
    feature = EDGE + 1;
  } else {
    double inverse = 1 / (va + vb + vc);
    v = vb * inverse;
    w = vc * inverse;
    feature = FACE;
  }
  for (int k = 0; k < 3; k++) closest[k] = a[k] + v * ab[k] + w * ac[k];
  return feature;
}

static double boxDistance(const double* aabb, const double p[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    double outside = fabs(p[k] - aabb[k]) - aabb[k + 3];
    if (outside > 0) sum += outside * outside;
  }
  return sum;
}

typedef struct Nearest_ {
  double square;
  double point[3];
  int face;
  int feature;
} Nearest;

static void testFace(const snDistance* d, int face, const double p[3], Nearest* nearest) {
  SN_ASSERT(face >= 0 && nearest->square >= 0);
  const int* f = d->face + 3 * (size_t)face;
  double closest[3], offset[3];
  int feature = closestOnTriangle(closest, p, d->vert + 3 * (size_t)f[0],
                                  d->vert + 3 * (size_t)f[1], d->vert + 3 * (size_t)f[2]);
  sn_sub3(offset, p, closest);
  double square = sn_dot3(offset, offset);
  if (square < nearest->square) {
    nearest->square = square;
    nearest->face = face;
    nearest->feature = feature;
    memcpy(nearest->point, closest, sizeof(closest));
  }
}

double sn_signedDistance(const snDistance* d, const double p[3]) {
  const snBvh* tree = &d->tree;
  Nearest nearest = {.square = HUGE_VAL, .face = -1};
  int stack[64], depth = 0;
  stack[depth++] = 0;
  while (depth) {
    int node = stack[--depth];
    if (boxDistance(tree->aabb + 6 * (size_t)node, p) >= nearest.square) continue;
    if (tree->nodeid[node] >= 0) {
      testFace(d, tree->nodeid[node], p, &nearest);
      continue;
    }
    // the closer child last, so that it is visited first
    int left = tree->child[2 * node], right = tree->child[2 * node + 1];
    SN_ASSERT_INDEX2(left, right, tree->nnode);
    SN_ASSERT(depth + 2 <= (int)(sizeof(stack) / sizeof(stack[0])));
    double dl = boxDistance(tree->aabb + 6 * (size_t)left, p);
    double dr = boxDistance(tree->aabb + 6 * (size_t)right, p);
    stack[depth++] = dl < dr ? right : left;
    stack[depth++] = dl < dr ? left : right;
  }
  if (nearest.face < 0) return 0;

  const double* normal;
  if (nearest.feature >= FACE) {
    normal = d->facenormal + 3 * (size_t)nearest.face;
  } else if (nearest.feature >= EDGE) {
    normal = d->edgenormal + 3 * (3 * (size_t)nearest.face + (size_t)(nearest.feature - EDGE));
  } else {
    normal = d->vertexnormal + 3 * (size_t)d->face[3 * nearest.face + nearest.feature];
  }
  double offset[3];
  sn_sub3(offset, p, nearest.point);
  return sn_dot3(offset, normal) >= 0 ? sqrt(nearest.square) : -sqrt(nearest.square);
}
