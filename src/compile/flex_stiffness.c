// Elastic coefficients of a flex at rest: a metric per element, bending per edge, or one matrix for
// all nodes of an interpolated flex.
//
// Young's modulus E and Poisson's ratio nu give the Lame parameters
//   mu = E / (2 (1 + nu)),  lambda = E nu / ((1 + nu) (1 - 2 nu)).

#include <math.h>
#include <string.h>

#include "compile/flex.h"

enum { METRIC = 21, BEND = 17 };

typedef struct Lame_ {
  double mu;
  double lambda;
} Lame;

static Lame lameOf(const snsFlex* spec) {
  double young = spec->young, poisson = spec->poisson;
  Lame lame = {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
  return lame;
}

static const double* restVertex(const snFlexItem* flex, int vertex) {
  return flex->vert + 3 * (size_t)vertex;
}

// ---- metric of an element ----
//
// With S_e = -(g_a g_b' + g_b g_a') / 2 for edge e = (a, b), g the gradients of the barycentric
// coordinates, sum_e (l_e^2 - L_e^2) S_e is twice the Green strain. The metric is
//   k_pq = w (mu tr(S_p S_q) + lambda tr S_p tr S_q),  w = volume, or area * thickness / 4.

// basis = (a b' + b a') * scale
static void symmetricProduct(double basis[9], const double a[3], const double b[3], double scale) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) basis[3 * i + k] = (a[i] * b[k] + b[i] * a[k]) * scale;
  }
}

// Sides turned in the plane of the triangle, whose area normal is 2 A n, stand for the gradients.
static double triangleBasis(const snFlexItem* flex, int elem, double basis[6][9]) {
  const int* vertex = flex->element + 3 * (size_t)elem;
  const double* x[3];
  double side[3], other[3], normal[3], outward[3][3];
  for (int k = 0; k < 3; k++) x[k] = restVertex(flex, vertex[k]);
  sn_sub3(side, x[1], x[0]);
  sn_sub3(other, x[2], x[0]);
  sn_cross3(normal, side, other);
  double area = sn_normalizeVec(normal, 3) / 2;
  for (int e = 0; e < 3; e++) {
    sn_sub3(side, x[sn_flexEdge[2][e][1]], x[sn_flexEdge[2][e][0]]);
    sn_cross3(outward[e], side, normal);
  }
  for (int e = 0; e < 3; e++) {
    symmetricProduct(basis[e], outward[(e + 1) % 3], outward[(e + 2) % 3], 1 / (8 * area * area));
  }
  return area * flex->spec.thickness / 4;
}

// Area normals of the faces stand for the gradients: that of the face opposite of vertex a is
// 6 V g_a.
static double tetrahedronBasis(const snFlexItem* flex, int elem, double basis[6][9]) {
  static const int face[4][3] = {{2, 1, 0}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const int sides[6][2] = {{2, 3}, {1, 3}, {2, 1}, {1, 0}, {0, 2}, {0, 3}};
  const int* vertex = flex->element + 4 * (size_t)elem;
  const double* x[4];
  double a[3], b[3], area[3], normal[4][3];
  for (int k = 0; k < 4; k++) x[k] = restVertex(flex, vertex[k]);
  for (int f = 0; f < 4; f++) {
    sn_sub3(a, x[face[f][1]], x[face[f][0]]);
    sn_sub3(b, x[face[f][2]], x[face[f][0]]);
    sn_cross3(normal[f], a, b);
  }
  // from the second vertex: of a flat tetrahedron nothing shall be left
  sn_sub3(a, x[0], x[1]);
  sn_sub3(b, x[2], x[1]);
  sn_cross3(area, a, b);
  sn_sub3(a, x[3], x[1]);
  double volume = sn_dot3(area, a) / 6;
  for (int e = 0; e < 6; e++) {
    symmetricProduct(basis[e], normal[sides[e][0]], normal[sides[e][1]],
                     1 / (72 * volume * volume));
  }
  return fabs(volume);
}

static double trace(const double a[9]) { return a[0] + a[4] + a[8]; }

// tr(a b) of two symmetric matrices
static double traceProduct(const double a[9], const double b[9]) {
  double sum = 0;
  for (int i = 0; i < 9; i++) sum += a[i] * b[i];
  return sum;
}

static int setMetrics(snCompiler* c, snFlexItem* flex) {
  int dim = flex->spec.dim, n = sn_flexEdgeNum[dim];
  Lame lame = lameOf(&flex->spec);
  flex->stiffness = SN_ITEMS(c, double, METRIC*(size_t)flex->nelem);
  if (!flex->stiffness) return -1;
  for (int i = 0; i < flex->nelem; i++) {
    double basis[6][9], *metric = flex->stiffness + METRIC * (size_t)i;
    double weight = dim == 2 ? triangleBasis(flex, i, basis) : tetrahedronBasis(flex, i, basis);
    for (int p = 0; p < n; p++) {
      for (int q = p; q < n; q++) {
        *metric++ = weight * (lame.mu * traceProduct(basis[p], basis[q]) +
                              lame.lambda * trace(basis[p]) * trace(basis[q]));
      }
    }
  }
  return 0;
}

// ---- bending ----

static double cotangent(const double at[3], const double b[3], const double c[3]) {
  double side[3], other[3], normal[3];
  sn_sub3(side, b, at);
  sn_sub3(other, c, at);
  sn_cross3(normal, side, other);
  return sn_dot3(side, other) / sqrt(sn_dot3(normal, normal));
}

static double triangleArea(const double a[3], const double b[3], const double c[3]) {
  double side[3], other[3], normal[3];
  sn_sub3(side, b, a);
  sn_sub3(other, c, a);
  sn_cross3(normal, side, other);
  return sqrt(sn_dot3(normal, normal)) / 2;
}

// Cotangent formula for the flap x[2], x[3] over the edge x[0], x[1]: the four vertices have the
// weights c_i, and the rest of the curvature is in the last coefficient.
static void bendFlap(double bend[BEND], const double* const x[4], double factor) {
  double a1 = cotangent(x[0], x[1], x[2]), a2 = cotangent(x[0], x[3], x[1]);
  double b1 = cotangent(x[1], x[2], x[0]), b2 = cotangent(x[1], x[0], x[3]);
  double weight[4] = {b1 + b2, a1 + a2, -(a1 + b1), -(a2 + b2)};
  double area = triangleArea(x[0], x[1], x[2]) + triangleArea(x[1], x[0], x[3]);
  double stiffness = factor / area;
  double e0[3], e1[3], e2[3], e3[3], e4[3], t0[3], t1[3], normal[3];
  sn_sub3(e0, x[1], x[0]);
  sn_sub3(e1, x[2], x[0]);
  sn_sub3(e2, x[3], x[0]);
  sn_sub3(e3, x[2], x[1]);
  sn_sub3(e4, x[3], x[1]);
  for (int k = 0; k < 3; k++) {
    t0[k] = -(b1 * e1[k] + a1 * e3[k]);
    t1[k] = -(b2 * e2[k] + a2 * e4[k]);
  }
  double square = sn_dot3(e0, e0), cosine = -sn_dot3(t0, t1) / square;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) bend[4 * i + k] = weight[i] * weight[k] * cosine * stiffness;
  }
  sn_cross3(normal, e0, e1);
  bend[16] = sn_dot3(normal, e2) * (a1 - b1) * (b2 - a2) * stiffness / (square * sqrt(square));
}

static int setBending(snCompiler* c, snFlexItem* flex) {
  double thickness = flex->spec.thickness;
  if (thickness < 0) {
    return sn_itemError(c, flex->elem, "thickness must be positive for bending stiffness");
  }
  double factor = 3 * lameOf(&flex->spec).mu * pow(thickness, 3) / 24;
  flex->bending = SN_ITEMS(c, double, BEND*(size_t)flex->nedge);
  if (!flex->bending) return -1;
  for (int i = 0; i < flex->nedge; i++) {
    const int* stencil = flex->stencil + 4 * (size_t)i;
    const double* x[4];
    if (stencil[3] < 0) continue;
    for (int k = 0; k < 4; k++) x[k] = restVertex(flex, stencil[k]);
    bendFlap(flex->bending + BEND * (size_t)i, x, factor);
  }
  return 0;
}

// ---- interpolated flexes ----
//
// Linear elasticity of the box that the nodes span, by a Gauss rule of order + 1 points per axis:
//   K[3i+k, 3j+l] = - sum_q w_q det (lambda g_i[k] g_j[l]
//                                    + mu/2 (delta_kl g_i.g_j + g_i[l] g_j[k])),
// the negative of a stiffness. The outer points of the quadratic rule lie outside of the box, as
// they do in the reference.

typedef struct Rule_ {
  double point[3];
  double weight[3];
} Rule;

static Rule gaussRule(int order) {
  Rule linear = {{0.5 - 0.5 / sqrt(3.0), 0.5 + 0.5 / sqrt(3.0), 0}, {0.5, 0.5, 0}};
  Rule quadratic = {{0.5, 0.5 - 0.5 / sqrt(0.6), 0.5 + 0.5 / sqrt(0.6)},
                    {4.0 / 9, 5.0 / 18, 5.0 / 18}};
  return order == 1 ? linear : quadratic;
}

static double shape(int order, int i, double s) {
  if (order == 1) return i ? s : 1 - s;
  return i == 0 ? 2 * s * s - 3 * s + 1 : i == 1 ? 4 * (s - s * s) : 2 * s * s - s;
}

static double slope(int order, int i, double s) {
  if (order == 1) return i ? 1 : -1;
  return i == 0 ? 4 * s - 3 : i == 1 ? 4 * (1 - 2 * s) : 4 * s - 1;
}

// gradients of all shape functions at a point of the box, in metres
static void shapeGradients(int order, const double at[3], const double side[3],
                           double gradient[snMAXFLEXNODES][3]) {
  int n = order + 1;
  for (int node = 0; node < n * n * n; node++) {
    int index[3] = {node / (n * n), node / n % n, node % n};
    for (int k = 0; k < 3; k++) {
      double value = slope(order, index[k], at[k]) / side[k];
      for (int other = 0; other < 3; other++) {
        if (other != k) value *= shape(order, index[other], at[other]);
      }
      gradient[node][k] = value;
    }
  }
}

static void addPoint(double* matrix, int nnode, double gradient[snMAXFLEXNODES][3],
                     const Lame* lame, double volume) {
  for (int i = 0; i < nnode; i++) {
    const double* gi = gradient[i];
    for (int j = 0; j < nnode; j++) {
      const double* gj = gradient[j];
      double product = sn_dot3(gi, gj);
      for (int k = 0; k < 3; k++) {
        double* row = matrix + (size_t)(3 * i + k) * (size_t)(3 * nnode) + 3 * j;
        for (int l = 0; l < 3; l++) {
          double shear = (double)(k == l) * product + gi[l] * gj[k];
          row[l] -= volume * (lame->lambda * gi[k] * gj[l] + lame->mu * 0.5 * shear);
        }
      }
    }
  }
}

static int setNodeMatrix(snCompiler* c, snFlexItem* flex) {
  int n = flex->order + 1, nnode = flex->nnode, entries = 9 * nnode * nnode;
  // the matrix lies where the metrics of the elements would
  int fewest = (entries + METRIC - 1) / METRIC;
  if (flex->nelem < fewest) {
    return sn_itemError(c, flex->elem, "Trilinear dofs are require at least %d elements", fewest);
  }
  flex->stiffness = SN_ITEMS(c, double, METRIC*(size_t)flex->nelem);
  if (!flex->stiffness) return -1;
  double side[3], gradient[snMAXFLEXNODES][3];
  sn_sub3(side, flex->node + 3 * (nnode - 1), flex->node);
  double volume = side[0] * side[1] * side[2];
  Rule rule = gaussRule(flex->order);
  Lame lame = lameOf(&flex->spec);
  for (int q = 0; q < n * n * n; q++) {
    int index[3] = {q / (n * n), q / n % n, q % n};
    double at[3], weight = volume;
    for (int k = 0; k < 3; k++) {
      at[k] = rule.point[index[k]];
      weight *= rule.weight[index[k]];
    }
    shapeGradients(flex->order, at, side, gradient);
    addPoint(flex->stiffness, nnode, gradient, &lame, weight);
  }
  return 0;
}

int sn_makeFlexStiffness(snCompiler* c, snFlexItem* flex) {
  const snsFlex* spec = &flex->spec;
  if (flex->elasticlaw) SN_TRY(sn_makeFlexMaterial(c, flex));
  if (flex->bendinglaw) SN_TRY(sn_makeFlexHinges(c, flex));
  if (!(spec->young > 0)) return 0;
  if (spec->poisson < 0 || spec->poisson >= 0.5) {
    return sn_itemError(c, flex->elem, "Poisson ratio must be in [0, 0.5)");
  }
  if (flex->order) return setNodeMatrix(c, flex);
  int stretches = spec->dim == 3 || (spec->dim == 2 && spec->elastic2d & 2 && spec->thickness > 0);
  if (stretches && !flex->elasticlaw) SN_TRY(setMetrics(c, flex));
  if (spec->dim == 2 && spec->elastic2d & 1 && !flex->bendinglaw) SN_TRY(setBending(c, flex));
  return 0;
}
