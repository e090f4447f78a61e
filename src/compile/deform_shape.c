// Masses and constraints of a deformable from its elements and its material.
//
// Springs along edges that stand for a material: under a uniform strain e the energy of the edges of an
// isotropic mesh is sum k L^2 e^2 cos^4 / 2, where the mean of cos^4 is 3/8 in a plane and 1/5 in space.
// With k = f E m / L^2, m the thickness times the area, or the volume, of the elements at the edge (each
// element counts once for each of its 3 or 6 edges), this is E e^2 V / 2 for f = 8/9 and f = 5/6.

#include <math.h>
#include <stdlib.h>

#include "asset/algebra.h"
#include "compile/deform.h"
#include "spec/deform_kind.h"

static const double* vertex(const snDeformItem* item, int i) {
  return item->spec.vert->data + 3 * (size_t)i;
}

// ---- masses ----

// length, area or six times the volume of an element
static double measureElement(const snDeformItem* item, const int* v) {
  double a[3], b[3], d[3], normal[3];
  sn_sub3(a, vertex(item, v[1]), vertex(item, v[0]));
  if (item->corners == 2) return sqrt(sn_dot3(a, a));
  sn_sub3(b, vertex(item, v[2]), vertex(item, v[0]));
  sn_cross3(normal, a, b);
  if (item->corners == 3) return 0.5 * sqrt(sn_dot3(normal, normal));
  sn_sub3(d, vertex(item, v[3]), vertex(item, v[0]));
  return sn_dot3(normal, d);
}

// volume of an element by its measure
static double solidity(const snDeformItem* item) {
  const snsDeformable* spec = &item->spec;
  if (item->corners == 4) return 1;
  return item->corners == 3 ? spec->thickness : snPI * spec->radius * spec->radius;
}

static int scaleMasses(snCompiler* c, snDeformItem* item) {
  double total = 0;
  for (int i = 0; i < item->nvert; i++) {
    if (!(item->mass[i] > 0)) {
      return sn_itemError(c, item->elem, "vertex %d of deformable is in no element", i);
    }
    total += item->mass[i];
  }
  double scale = isnan(item->spec.mass) ? 1 : item->spec.mass / total;
  for (int i = 0; i < item->nvert; i++) item->mass[i] *= scale;
  item->spec.mass = total * scale;
  return 0;
}

int sn_measureDeformable(snCompiler* c, snDeformItem* item) {
  int n = item->corners;
  item->mass = SN_ITEMS(c, double, item->nvert);
  item->measure = SN_ITEMS(c, double, item->nelem);
  item->element = SN_ITEMS(c, int, item->nelem* n);
  if (!item->mass || !item->measure || !item->element) return -1;
  for (int i = 0; i < item->nelem; i++) {
    int* v = item->element + (size_t)n * i;
    for (int k = 0; k < n; k++) v[k] = item->spec.elem->data[(size_t)n * i + k];
    double measure = measureElement(item, v);
    if (n == 4 && measure < 0) {
      int other = v[2];
      v[2] = v[3];
      v[3] = other;
    }
    if (n == 4) measure = fabs(measure) / 6;
    if (!(measure > snMINVAL)) {
      return sn_itemError(c, item->elem, "element %d of deformable is degenerate", i);
    }
    item->measure[i] = measure;
    double mass = item->spec.density * solidity(item) * measure;
    for (int k = 0; k < n; k++) item->mass[v[k]] += mass / n;
  }
  return scaleMasses(c, item);
}

// ---- edges ----

// an edge of an element: its ends, ascending, the element, and a vertex of it that is no end
typedef struct Side_ {
  int v[2];
  int elem;
  int opposite;
} Side;

static int compareSides(const void* a, const void* b) {
  const Side *p = (const Side*)a, *q = (const Side*)b;
  if (p->v[0] != q->v[0]) return p->v[0] < q->v[0] ? -1 : 1;
  if (p->v[1] != q->v[1]) return p->v[1] < q->v[1] ? -1 : 1;
  return p->elem < q->elem ? -1 : p->elem > q->elem;
}

static Side* makeSides(snCompiler* c, const snDeformItem* item, int* count) {
  int n = item->corners, nside = n * (n - 1) / 2, next = 0;
  Side* sides = SN_ITEMS(c, Side, (size_t)item->nelem * nside);
  if (!sides) return NULL;
  for (int i = 0; i < item->nelem; i++) {
    const int* v = item->element + (size_t)n * i;
    for (int a = 0; a < n; a++) {
      for (int b = a + 1; b < n; b++) {
        Side* side = sides + next++;
        side->v[0] = v[a] < v[b] ? v[a] : v[b];
        side->v[1] = v[a] < v[b] ? v[b] : v[a];
        side->elem = i;
        side->opposite = n == 3 ? v[3 - a - b] : -1;
      }
    }
  }
  qsort(sides, (size_t)next, sizeof(Side), compareSides);
  *count = next;
  return sides;
}

static int sameSide(const Side* a, const Side* b) {
  return a->v[0] == b->v[0] && a->v[1] == b->v[1];
}

static double edgeStiffness(const snDeformItem* item, double measure, double length) {
  const snsDeformable* spec = &item->spec;
  return sn_deformKind(spec->type)->edgeshare * spec->young * solidity(item) * measure /
         (length * length);
}

static int compareInts(const void* a, const void* b) {
  const int *p = (const int*)a, *q = (const int*)b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

// pairs of the element, ascending, for a search
static int* sortShear(snCompiler* c, const snDeformItem* item) {
  const snIntVec* shear = item->spec.shear;
  int* pairs = SN_ITEMS(c, int, shear->size + 2);
  if (!pairs) return NULL;
  for (int i = 0; i + 1 < shear->size; i += 2) {
    int a = shear->data[i], b = shear->data[i + 1];
    pairs[i] = a < b ? a : b;
    pairs[i + 1] = a < b ? b : a;
  }
  qsort(pairs, (size_t)shear->size / 2, 2 * sizeof(int), compareInts);
  return pairs;
}

// edges: sides that are the same are one
static int makeEdges(snCompiler* c, snDeformItem* item, const Side* sides, int nside) {
  const snsDeformable* spec = &item->spec;
  snDeformCons* cons = item->con + snDEFORM_LENGTH;
  cons->item = SN_ITEMS(c, snDeformCon, nside + 1);
  const int* pairs = sortShear(c, item);
  if (!cons->item || !pairs) return -1;
  for (int i = 0, next; i < nside; i = next) {
    snDeformCon* edge = cons->item + cons->n++;
    double measure = 0, offset[3];
    for (next = i; next < nside && sameSide(sides + next, sides + i); next++) {
      measure += item->measure[sides[next].elem];
    }
    edge->vert[0] = sides[i].v[0];
    edge->vert[1] = sides[i].v[1];
    sn_sub3(offset, vertex(item, edge->vert[0]), vertex(item, edge->vert[1]));
    edge->rest = sqrt(sn_dot3(offset, offset));
    edge->shear = bsearch(sides[i].v, pairs, (size_t)spec->shear->size / 2, 2 * sizeof(int),
                          compareInts) != NULL;
    double given = edge->shear ? spec->shear_compliance : spec->stretch_compliance;
    edge->compliance = isnan(given) ? 1 / edgeStiffness(item, measure, edge->rest) : given;
  }
  return 0;
}

// ---- bending of triangles ----

// cotangent of the angle at a between b and c
static double cotangent(const double* a, const double* b, const double* c) {
  double u[3], v[3], normal[3];
  sn_sub3(u, b, a);
  sn_sub3(v, c, a);
  sn_cross3(normal, u, v);
  return sn_dot3(u, v) / sqrt(sn_dot3(normal, normal));
}

static double restOf(const snDeformItem* item, const snDeformCon* con) {
  double sum[3] = {0, 0, 0}, size = 0;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) sum[k] += con->coef[i] * vertex(item, con->vert[i])[k];
    for (int k = 0; k < 3; k++)
      size = fmax(size, fabs(con->coef[i] * vertex(item, con->vert[i])[k]));
  }
  double rest = sqrt(sn_dot3(sum, sum));
  return rest > 1e-9 * size ? rest : 0;  // flat
}

// Two triangles at an edge: energy 3 D |sum K x|^2 / (2 (A + B)), D = E t^3 / (12 (1 - nu^2)) (M. Bergou et
// al., A quadratic bending model for inextensible surfaces, SGP 2006).
static void bendFlap(const snDeformItem* item, snDeformCon* con, const Side* side) {
  const snsDeformable* spec = &item->spec;
  int v[4] = {side[0].v[0], side[0].v[1], side[0].opposite, side[1].opposite};
  const double *x0 = vertex(item, v[0]), *x1 = vertex(item, v[1]), *x2 = vertex(item, v[2]),
               *x3 = vertex(item, v[3]);
  double c1 = cotangent(x0, x1, x2), c2 = cotangent(x0, x1, x3);
  double c3 = cotangent(x1, x0, x2), c4 = cotangent(x1, x0, x3);
  double coef[4] = {c3 + c4, c1 + c2, -c1 - c3, -c2 - c4};
  for (int k = 0; k < 4; k++) {
    con->vert[k] = v[k];
    con->coef[k] = coef[k];
  }
  double t = spec->thickness, area = item->measure[side[0].elem] + item->measure[side[1].elem];
  double rigidity = spec->young * t * t * t / (12 * (1 - spec->poisson * spec->poisson));
  con->rest = restOf(item, con);
  con->compliance = isnan(spec->bend_compliance) ? area / (3 * rigidity) : spec->bend_compliance;
}

static int makeFlaps(snCompiler* c, snDeformItem* item, const Side* sides, int nside) {
  snDeformCons* cons = item->con + snDEFORM_BEND;
  cons->item = SN_ITEMS(c, snDeformCon, nside + 1);
  if (!cons->item) return -1;
  for (int i = 0; i + 1 < nside; i++) {
    int more = i + 2 < nside && sameSide(sides + i, sides + i + 2);
    int before = i > 0 && sameSide(sides + i, sides + i - 1);
    if (more || before || !sameSide(sides + i, sides + i + 1)) continue;
    bendFlap(item, cons->item + cons->n++, sides + i);
  }
  return 0;
}

// ---- volumes ----

static int makeVolumes(snCompiler* c, snDeformItem* item) {
  const snsDeformable* spec = &item->spec;
  snDeformCons* cons = item->con + snDEFORM_VOLUME;
  double bulk = spec->young / (3 * (1 - 2 * spec->poisson));
  cons->item = SN_ITEMS(c, snDeformCon, item->nelem);
  if (!cons->item) return -1;
  for (int i = 0; i < item->nelem; i++) {
    snDeformCon* con = cons->item + cons->n++;
    for (int k = 0; k < 4; k++) con->vert[k] = item->element[4 * (size_t)i + k];
    con->rest = item->measure[i];
    con->compliance = isnan(spec->volume_compliance) ? con->rest / bulk : spec->volume_compliance;
  }
  return 0;
}

// ---- chains ----

// neighbours of the vertices of lines: two, or -1; -2 where there are more
static int* makeNeighbours(snCompiler* c, const snDeformItem* item) {
  int* near = SN_ITEMS(c, int, 2 * (size_t)item->nvert);
  if (!near) return NULL;
  for (int i = 0; i < 2 * item->nvert; i++) near[i] = -1;
  for (int i = 0; i < 2 * item->nelem; i++) {
    int* here = near + 2 * item->element[i];
    if (here[0] == -1) {
      here[0] = item->element[i ^ 1];
    } else {
      here[1] = here[1] == -1 ? item->element[i ^ 1] : -2;
    }
  }
  return near;
}

static double distance(const snDeformItem* item, int a, int b) {
  double offset[3];
  sn_sub3(offset, vertex(item, a), vertex(item, b));
  return sqrt(sn_dot3(offset, offset));
}

// Two pieces at a vertex: energy E I |difference of their directions|^2 / (2 mean length), I = pi r^4 / 4.
static void bendJoint(const snDeformItem* item, snDeformCon* con, int before, int here, int after) {
  const snsDeformable* spec = &item->spec;
  double a = distance(item, before, here), b = distance(item, here, after), r = spec->radius;
  int v[4] = {before, here, after, before};
  double coef[4] = {1 / a, -1 / a - 1 / b, 1 / b, 0};
  for (int k = 0; k < 4; k++) {
    con->vert[k] = v[k];
    con->coef[k] = coef[k];
  }
  double rigidity = spec->young * snPI * r * r * r * r / 4;
  con->rest = restOf(item, con);
  con->compliance = isnan(spec->bend_compliance) ? (a + b) / (2 * rigidity) : spec->bend_compliance;
}

// angle between the planes of the first and the last three vertices; 0 where three are on a line
static double torsion(const snDeformItem* item, const int* v) {
  double f[3], g[3], h[3], a[3], b[3], ba[3];
  sn_sub3(f, vertex(item, v[0]), vertex(item, v[1]));
  sn_sub3(g, vertex(item, v[1]), vertex(item, v[2]));
  sn_sub3(h, vertex(item, v[3]), vertex(item, v[2]));
  sn_cross3(a, f, g);
  sn_cross3(b, h, g);
  sn_cross3(ba, b, a);
  double small = 1e-6 * sn_dot3(g, g);
  if (sn_dot3(a, a) <= small * sn_dot3(f, f) || sn_dot3(b, b) <= small * sn_dot3(h, h)) return 0;
  return atan2(sn_dot3(ba, g) / sqrt(sn_dot3(g, g)), sn_dot3(a, b));
}

// a piece with one before and one after it: energy G J angle^2 / (2 length), J = pi r^4 / 2
static void twistPiece(const snDeformItem* item, snDeformCon* con) {
  const snsDeformable* spec = &item->spec;
  double r = spec->radius, shear = spec->young / (2 * (1 + spec->poisson));
  double length = distance(item, con->vert[1], con->vert[2]);
  con->rest = torsion(item, con->vert);
  con->compliance = isnan(spec->twist_compliance) ? 2 * length / (shear * snPI * r * r * r * r)
                                                  : spec->twist_compliance;
}

// Are three vertices on a line, or nearly? The angle between planes of a chain that is straight at rest says
// nothing about its twist: a round rod that bends into any curve is not twisted.
static int isStraight(const snDeformItem* item, int a, int b, int c) {
  const double kSquaredSine = 0.01;
  double f[3], g[3], normal[3];
  sn_sub3(f, vertex(item, a), vertex(item, b));
  sn_sub3(g, vertex(item, b), vertex(item, c));
  sn_cross3(normal, f, g);
  return sn_dot3(normal, normal) <= kSquaredSine * sn_dot3(f, f) * sn_dot3(g, g);
}

static int makeChain(snCompiler* c, snDeformItem* item) {
  snDeformCons *bends = item->con + snDEFORM_BEND, *twists = item->con + snDEFORM_TWIST;
  const int* near = makeNeighbours(c, item);
  bends->item = SN_ITEMS(c, snDeformCon, item->nvert);
  twists->item = SN_ITEMS(c, snDeformCon, item->nelem);
  if (!near || !bends->item || !twists->item) return -1;
  for (int i = 0; i < item->nvert; i++) {
    if (near[2 * i + 1] < 0) continue;
    bendJoint(item, bends->item + bends->n++, near[2 * i], i, near[2 * i + 1]);
  }
  for (int i = 0; i < item->nelem; i++) {
    int a = item->element[2 * i], b = item->element[2 * i + 1];
    if (near[2 * a + 1] < 0 || near[2 * b + 1] < 0) continue;
    int before = near[2 * a] == b ? near[2 * a + 1] : near[2 * a];
    int after = near[2 * b] == a ? near[2 * b + 1] : near[2 * b];
    if (before == after || isStraight(item, before, a, b) || isStraight(item, a, b, after))
      continue;
    snDeformCon* con = twists->item + twists->n++;
    con->vert[0] = before;
    con->vert[1] = a;
    con->vert[2] = b;
    con->vert[3] = after;
    twistPiece(item, con);
  }
  return 0;
}

int sn_makeDeformConstraints(snCompiler* c, snDeformItem* item) {
  int nside = 0;
  const Side* sides = makeSides(c, item, &nside);
  if (!sides) return -1;
  SN_TRY(makeEdges(c, item, sides, nside));
  switch (item->spec.type) {
    case snDEFORMABLE_CLOTH: return makeFlaps(c, item, sides, nside);
    case snDEFORMABLE_SOFT: return makeVolumes(c, item);
    default: return makeChain(c, item);
  }
}
