// Laws of stretch and bending that MuJoCo has not: names, parameters, coefficients at rest.
//
// A law that is named is in force, whatever elastic2d says; its parameters come from the model's, or from
// Young's modulus, Poisson's ratio and the thickness. Unlike MuJoCo's, these are the material's own: Lame's
// parameters as they are, in membranes those of plane stress, lambda' = 2 mu lambda / (lambda + 2 mu).

#include <math.h>

#include "compile/flex.h"
#include "spec/flex_law.h"

// ---- parameters ----

static int findLaw(snCompiler* c, const snFlexItem* flex, const snFlexLaw* laws, const char* what,
                   const snString* name, const snDoubleVec* param, const snFlexLaw** found) {
  const snFlexLaw* law = *found = sn_findFlexLaw(laws, sns_getString(name));
  char names[200];
  sn_listFlexLaws(laws, names, sizeof(names));
  if (!law) {
    return sn_itemError(c, flex->elem, "unknown %s model '%s' in flex; there are: %s", what,
                        sns_getString(name), names);
  }
  if (param->size > law->nparam) {
    return sn_itemError(c, flex->elem, "%s model has more than %d parameters in flex", what,
                        law->nparam);
  }
  for (int i = 0; i < param->size; i++) {
    if (!isfinite(param->data[i]) || (law->id && param->data[i] < 0)) {
      return sn_itemError(c, flex->elem, "%s model '%s' has a negative parameter in flex", what,
                          law->name);
    }
  }
  return 0;
}

// what a law other than MuJoCo's can act on
static int checkKind(snCompiler* c, const snFlexItem* flex, const snFlexLaw* law, const char* what,
                     int lowest, int highest) {
  if (!law->id) return 0;
  if (flex->spec.nodebody->size) {
    return sn_itemError(c, flex->elem, "%s model '%s' does not act on interpolated flexes", what,
                        law->name);
  }
  if (flex->spec.dim < lowest || flex->spec.dim > highest) {
    return sn_itemError(c, flex->elem, "%s model '%s' acts on flexes of dim %s", what, law->name,
                        lowest == 2 ? highest == 2 ? "2" : "2 and 3" : "3");
  }
  return 0;
}

// Young's modulus and Poisson's ratio, where parameters are to follow from them
static int checkModuli(snCompiler* c, const snFlexItem* flex, const char* what,
                       const snFlexLaw* law) {
  const snsFlex* spec = &flex->spec;
  if (!(spec->young > 0)) {
    return sn_itemError(c, flex->elem, "%s model '%s' needs young or parameters in flex", what,
                        law->name);
  }
  if (!(spec->poisson >= 0 && spec->poisson < 0.5)) {
    return sn_itemError(c, flex->elem, "Poisson ratio must be in [0, 0.5)");
  }
  return 0;
}

// c01 of a quarter of the shear modulus, less where that would leave too little of lambda
static void mooneyRivlin(double mu, double lambda, double param[3]) {
  param[1] = fmin(mu / 8, lambda / 8);
  param[0] = mu / 2 - param[1];
  param[2] = lambda - 4 * param[1];
}

static int setMaterial(snCompiler* c, snFlexItem* flex, const snFlexLaw* law) {
  const snsFlex* spec = &flex->spec;
  const snDoubleVec* given = spec->elasticity_param;
  flex->elasticlaw = law->id;
  for (int i = 0; i < given->size; i++) flex->elasticparam[i] = given->data[i];
  if (!law->id) return 0;
  SN_TRY(checkKind(c, flex, law, "elasticity", law->membranes ? 2 : 3, 3));
  if (spec->dim == 2 && !(spec->thickness > 0)) {
    return sn_itemError(c, flex->elem, "elasticity model '%s' needs a thickness in flex",
                        law->name);
  }
  if (given->size) {
    return given->size == law->nparam
               ? 0
               : sn_itemError(c, flex->elem, "elasticity model '%s' has %d parameters in flex",
                              law->name, law->nparam);
  }
  SN_TRY(checkModuli(c, flex, "elasticity", law));
  double young = spec->young, poisson = spec->poisson, mu = young / (2 * (1 + poisson));
  double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  if (spec->dim == 2) lambda = 2 * mu * lambda / (lambda + 2 * mu);
  flex->elasticparam[0] = mu;
  flex->elasticparam[1] = lambda;
  if (law->nparam == 3) mooneyRivlin(mu, lambda, flex->elasticparam);
  return 0;
}

static int setBender(snCompiler* c, snFlexItem* flex, const snFlexLaw* law) {
  const snDoubleVec* given = flex->spec.bending_param;
  flex->bendinglaw = law->id;
  for (int i = 0; i < given->size; i++) flex->bendingparam[i] = given->data[i];
  if (!law->id) return 0;
  SN_TRY(checkKind(c, flex, law, "bending", 2, 2));
  return given->size ? 0 : checkModuli(c, flex, "bending", law);
}

int sn_findFlexLaws(snCompiler* c, snFlexItem* flex) {
  const snsFlex* spec = &flex->spec;
  const snFlexLaw *material, *bender;
  SN_TRY(findLaw(c, flex, sn_elasticLaws, "elasticity", spec->elasticity_model,
                 spec->elasticity_param, &material));
  SN_TRY(findLaw(c, flex, sn_bendingLaws, "bending", spec->bending_model, spec->bending_param,
                 &bender));
  SN_TRY(setMaterial(c, flex, material));
  return setBender(c, flex, bender);
}

// ---- elements at rest ----

static const double* restVertex(const snFlexItem* flex, int vertex) {
  return flex->vert + 3 * (size_t)vertex;
}

// weight, then the gradients of the barycentric coordinates of corners 1 and 2 in the plane of the triangle
static int triangleBlock(const snFlexItem* flex, const int* corner, double block[21]) {
  double a[3], b[3], along[3], normal[3], across[3];
  sn_sub3(a, restVertex(flex, corner[1]), restVertex(flex, corner[0]));
  sn_sub3(b, restVertex(flex, corner[2]), restVertex(flex, corner[0]));
  for (int k = 0; k < 3; k++) along[k] = a[k];
  double length = sn_normalizeVec(along, 3);
  sn_cross3(normal, a, b);
  double area = sn_normalizeVec(normal, 3) / 2;
  if (!(area > 1e-12 * length * length)) return 0;
  sn_cross3(across, normal, along);
  double x = sn_dot3(b, along), y = sn_dot3(b, across);
  block[0] = area * flex->spec.thickness;
  block[1] = 1 / length;
  block[2] = -x / (length * y);
  block[3] = 0;
  block[4] = 1 / y;
  return 1;
}

// the rows of the inverse of the matrix of the edges from corner 0
static int tetrahedronBlock(const snFlexItem* flex, const int* corner, double block[21]) {
  double edge[3][3], cross[3];
  double size = 0;
  for (int c = 0; c < 3; c++) {
    sn_sub3(edge[c], restVertex(flex, corner[c + 1]), restVertex(flex, corner[0]));
    size = fmax(size, sn_dot3(edge[c], edge[c]));
  }
  sn_cross3(cross, edge[1], edge[2]);
  double det = sn_dot3(edge[0], cross);
  if (!(fabs(det) > 1e-12 * size * sqrt(size))) return 0;
  block[0] = fabs(det) / 6;
  for (int c = 0; c < 3; c++) {
    sn_cross3(cross, edge[(c + 1) % 3], edge[(c + 2) % 3]);
    for (int k = 0; k < 3; k++) block[1 + 3 * c + k] = cross[k] / det;
  }
  return 1;
}

int sn_makeFlexMaterial(snCompiler* c, snFlexItem* flex) {
  int dim = flex->spec.dim;
  flex->stiffness = SN_ITEMS(c, double, 21 * (size_t)flex->nelem);
  if (!flex->stiffness) return -1;
  for (int i = 0; i < flex->nelem; i++) {
    const int* corner = flex->element + (size_t)(dim + 1) * (size_t)i;
    double* block = flex->stiffness + 21 * (size_t)i;
    if (!(dim == 2 ? triangleBlock : tetrahedronBlock)(flex, corner, block)) {
      return sn_itemError(c, flex->elem, "element %d is flat in flex with an elasticity model", i);
    }
  }
  return 0;
}

// ---- hinges at rest ----

// area normal of a triangle, and what it has of the direction of the edge
static double hingeAngle(const double* const x[4], double* edge, double* area) {
  double u[3], p[3], q[3], n[2][3], cross[3];
  sn_sub3(u, x[1], x[0]);
  *edge = sn_normalizeVec(u, 3);
  *area = 0;
  for (int side = 0; side < 2; side++) {
    sn_sub3(p, x[2 + side], x[side]);
    sn_sub3(q, x[2 + side], x[1 - side]);
    sn_cross3(n[side], p, q);
    *area += sqrt(sn_dot3(n[side], n[side])) / 2;
  }
  sn_cross3(cross, n[1], n[0]);
  return atan2(sn_dot3(cross, u), sn_dot3(n[0], n[1]));
}

// Without a stiffness of its own a hinge has that of a plate of rigidity R = E t^3 / (12 (1 - nu^2)): bent by an
// angle over a third of its two triangles, k = 3 R length^2 / area.
static double plateStiffness(const snsFlex* spec, double edge, double area) {
  double rigidity =
      spec->young * pow(spec->thickness, 3) / (12 * (1 - spec->poisson * spec->poisson));
  return 3 * rigidity * edge * edge / area;
}

int sn_makeFlexHinges(snCompiler* c, snFlexItem* flex) {
  const snsFlex* spec = &flex->spec;
  flex->bending = SN_ITEMS(c, double, 17 * (size_t)flex->nedge);
  if (!flex->bending) return -1;
  for (int i = 0; i < flex->nedge; i++) {
    const int *ends = flex->edge + 2 * (size_t)i, *flap = flex->stencil + 4 * (size_t)i + 2;
    const int corner[4] = {ends[0], ends[1], flap[0], flap[1]};  // in the order of the engine
    double *block = flex->bending + 17 * (size_t)i, edge, area;
    const double* x[4];
    if (flap[1] < 0) continue;
    for (int k = 0; k < 4; k++) x[k] = restVertex(flex, corner[k]);
    block[0] = hingeAngle(x, &edge, &area);
    if (!(area > 0)) return sn_itemError(c, flex->elem, "edge %d has a flat flap in flex", i);
    block[1] = spec->bending_param->size ? flex->bendingparam[0] : plateStiffness(spec, edge, area);
    block[2] = flex->bendingparam[1];
    for (int k = 0; k < 4; k++) block[3 + k] = flex->vertbody[corner[k]]->spec.mass;
  }
  return 0;
}
