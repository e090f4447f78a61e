// Shapes of a flexcomp: grids of lines, triangles and tetrahedra, and the surfaces of a box that
// may be bent to a cylinder or an ellipsoid.

#include <math.h>

#include "asset/algebra.h"
#include "base/assert.h"
#include "mjcf/flexcomp.h"

// What is generated is bounded, whatever the counts say: a compiled tetrahedron takes about 1 KB.
enum { MAX_ELEMENTS = 2 << 20 };

static int append(snFlexcomp* f, snBox* box, snBoxKind kind, int n) {
  return sn_boxReserve(box, kind, n) || sn_mjcfFail(f->r, f->node, "out of memory");
}

int sn_flexcompAddPoint(snFlexcomp* f, double x, double y, double z) {
  snDoubleVec* point = f->flex->vert;
  if (!append(f, (snBox*)point, snBOX_DOUBLE, 3)) return 0;
  point->data[point->size++] = x;
  point->data[point->size++] = y;
  point->data[point->size++] = z;
  SN_ASSERT(point->size <= point->capacity);
  return 1;
}

int sn_flexcompAddElement(snFlexcomp* f, int n, const int* ids) {
  SN_ASSERT(n >= 2 && n <= 4);
  snIntVec* elem = f->flex->elem;
  if (!append(f, (snBox*)elem, snBOX_INT, n)) return 0;
  for (int i = 0; i < n; i++) elem->data[elem->size++] = ids[i];
  return 1;
}

static int appendTexcoord(snFlexcomp* f, float u, float v) {
  snFloatVec* texcoord = f->flex->texcoord;
  if (!append(f, (snBox*)texcoord, snBOX_FLOAT, 2)) return 0;
  texcoord->data[texcoord->size++] = u;
  texcoord->data[texcoord->size++] = v;
  return 1;
}

// Texture coordinates are made for flexes that have a material and no coordinates.
static int needsTexcoord(const snFlexcomp* f) {
  return !sn_stringEmpty(f->flex->material) && !f->flex->texcoord->size;
}

static int addTexcoord(snFlexcomp* f, int i, int axis1, int j, int axis2) {
  int n = f->count[axis1] > 1 ? f->count[axis1] - 1 : 1;
  int m = f->count[axis2] > 1 ? f->count[axis2] - 1 : 1;
  return appendTexcoord(f, i / (float)n, j / (float)m);
}

// ---- grids ----

static int makeCircle(snFlexcomp* f) {
  int n = f->count[0] - 1;
  double angle = 2 * snPI / n;
  double radius = f->spacing[0] / sin(angle / 2) / 2;
  for (int i = 0; i < n; i++) {
    int element[2] = {i, i == n - 1 ? 0 : i + 1};
    if (!sn_flexcompAddPoint(f, radius * cos(angle * i), radius * sin(angle * i), 0)) return 0;
    if (!sn_flexcompAddElement(f, 2, element)) return 0;
  }
  return 1;
}

static int makeLine(snFlexcomp* f) {
  int n = f->count[0];
  for (int i = 0; i < n; i++) {
    int element[2] = {i, i + 1};
    if (!sn_flexcompAddPoint(f, f->spacing[0] * (i - 0.5 * (n - 1)), 0, 0)) return 0;
    if (i < n - 1 && !sn_flexcompAddElement(f, 2, element)) return 0;
  }
  return 1;
}

// The cell of a plane grid with its lower corner at (ix, iy). Those of a disc whose corner lies in
// the second or fourth quadrant are cut along the other diagonal.
static int addPlaneCell(snFlexcomp* f, int ix, int iy, const double corner[2]) {
  static const int plain[2][3] = {{0, 1, 2}, {0, 2, 3}}, turned[2][3] = {{0, 1, 3}, {1, 2, 3}};
  int step = f->count[2];  // ids count the third axis, which has one layer in valid grids
  int row = f->count[1] * step;
  int id[4] = {ix * row + iy * step, (ix + 1) * row + iy * step, (ix + 1) * row + (iy + 1) * step,
               ix * row + (iy + 1) * step};
  double x = corner[0], y = corner[1];
  int turn =
      f->type == snFLEXCOMP_DISC && ((x < -SN_EPS && y > -SN_EPS) || (x > -SN_EPS && y < -SN_EPS));
  for (int i = 0; i < 2; i++) {
    const int* local = turn ? turned[i] : plain[i];
    int element[3] = {id[local[0]], id[local[1]], id[local[2]]};
    if (!sn_flexcompAddElement(f, 3, element)) return 0;
  }
  return 1;
}

// The square of a disc onto its circle: the distance from the centre by the larger coordinate,
// with its unit, so that lengths enter squared.
static void bendDisc(const snFlexcomp* f, double p[2]) {
  double size = fmax(fabs(p[0]), fabs(p[1]));
  sn_normalizeVec(p, 2);
  for (int k = 0; k < 2; k++) p[k] *= 0.5 * f->spacing[k] * (f->count[k] - 1) * size;
}

static int makePlane(snFlexcomp* f) {
  const int* n = f->count;
  int texcoord = needsTexcoord(f);
  for (int ix = 0; ix < n[0]; ix++) {
    for (int iy = 0; iy < n[1]; iy++) {
      double p[2] = {f->spacing[0] * (ix - 0.5 * (n[0] - 1)),
                     f->spacing[1] * (iy - 0.5 * (n[1] - 1))};
      if (ix < n[0] - 1 && iy < n[1] - 1 && !addPlaneCell(f, ix, iy, p)) return 0;
      if (f->type == snFLEXCOMP_DISC) bendDisc(f, p);
      if (!sn_flexcompAddPoint(f, p[0], p[1], 0)) return 0;
      if (texcoord && !addTexcoord(f, ix, 0, iy, 1)) return 0;
    }
  }
  return 1;
}

// Six tetrahedra of a cell, which share its diagonal from corner 1 to corner 7.
static int addSolidCell(snFlexcomp* f, int ix, int iy, int iz) {
  static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  static const int tetrahedron[6][4] = {{0, 3, 1, 7}, {0, 1, 4, 7}, {1, 3, 2, 7},
                                        {1, 2, 6, 7}, {1, 5, 4, 7}, {1, 6, 5, 7}};
  for (int i = 0; i < 6; i++) {
    int element[4];
    for (int k = 0; k < 4; k++) {
      const int* c = corner[tetrahedron[i][k]];
      element[k] = ((ix + c[0]) * f->count[1] + iy + c[1]) * f->count[2] + iz + c[2];
    }
    if (!sn_flexcompAddElement(f, 4, element)) return 0;
  }
  return 1;
}

static int makeSolid(snFlexcomp* f) {
  const int* n = f->count;
  int texcoord = needsTexcoord(f);
  for (int ix = 0; ix < n[0]; ix++) {
    for (int iy = 0; iy < n[1]; iy++) {
      for (int iz = 0; iz < n[2]; iz++) {
        if (!sn_flexcompAddPoint(f, f->spacing[0] * (ix - 0.5 * (n[0] - 1)),
                                 f->spacing[1] * (iy - 0.5 * (n[1] - 1)),
                                 f->spacing[2] * (iz - 0.5 * (n[2] - 1)))) {
          return 0;
        }
        if (texcoord && !addTexcoord(f, ix, 0, iy, 1)) return 0;
        int inside = ix < n[0] - 1 && iy < n[1] - 1 && iz < n[2] - 1;
        if (inside && !addSolidCell(f, ix, iy, iz)) return 0;
      }
    }
  }
  return 1;
}

static int makeGrid(snFlexcomp* f) {
  int before = f->flex->elem->size, ok;
  if (f->flex->dim == 1) {
    ok = f->type == snFLEXCOMP_CIRCLE ? makeCircle(f) : makeLine(f);
  } else {
    ok = f->flex->dim == 2 ? makePlane(f) : makeSolid(f);
  }
  if (ok && f->flex->elem->size == before) {
    ok = sn_mjcfFail(f->r, f->node, "No elements were created in grid");
  }
  return ok;
}

// ---- surfaces of a box ----
//
// Points in dim 3: the centre, the bottom and the top, the sides across y without these rows, the
// sides across x without all of them. A surface (dim 2) has neither a centre nor a top. Every cell
// of the surface is two triangles, which the centre completes to tetrahedra.

static int layers(const snFlexcomp* f) {  // of points between bottom and top
  return f->flex->dim == 2 ? f->count[2] - 1 : f->count[2] - 2;
}

static int boxId(const snFlexcomp* f, int ix, int iy, int iz) {
  SN_ASSERT_INDEX(ix, f->count[0]);
  SN_ASSERT_INDEX(iy, f->count[1]);
  SN_ASSERT_INDEX(iz, f->count[2]);
  const int* n = f->count;
  int id = f->flex->dim == 3, rows = layers(f);
  if (iz == 0) return id + ix * n[1] + iy;
  id += n[0] * n[1];
  if (f->flex->dim != 2) {
    if (iz == n[2] - 1) return id + ix * n[1] + iy;
    id += n[0] * n[1];
  }
  if (iy == 0) return id + ix * rows + iz - 1;
  id += n[0] * rows;
  if (iy == n[1] - 1) return id + ix * rows + iz - 1;
  id += n[0] * rows;
  if (ix > 0) id += (n[1] - 2) * rows;
  return id + (iy - 1) * rows + iz - 1;
}

static int addBoxPoint(snFlexcomp* f, int ix, int iy, int iz) {
  double half[3], u[3] = {ix, iy, iz};
  for (int k = 0; k < 3; k++) {
    half[k] = 0.5 * f->spacing[k] * (f->count[k] - 1);
    u[k] = 2 * u[k] / (f->count[k] - 1) - 1;
  }
  if (f->type == snFLEXCOMP_CYLINDER) {
    double size = fmax(fabs(u[0]), fabs(u[1]));
    sn_normalizeVec(u, 2);
    for (int k = 0; k < 2; k++) u[k] *= size;
  } else if (f->type == snFLEXCOMP_ELLIPSOID) {
    sn_normalizeVec(u, 3);
  }
  return sn_flexcompAddPoint(f, u[0] * half[0], u[1] * half[1], u[2] * half[2]);
}

// A rectangle of the surface: axes of its sides, the third axis and where it cuts it.
typedef struct Side_ {
  int axis;
  int upper;
  int u, v;
} Side;

// Two triangles of the cell at (i, j) of a side, which look outwards on a surface; with the centre
// they become tetrahedra, whose orientation the compiler settles.
static int addBoxCell(snFlexcomp* f, const Side* side, int i, int j) {
  static const int solid[2][3] = {{0, 1, 2}, {0, 3, 2}}, forward[2][3] = {{0, 1, 2}, {0, 2, 3}},
                   turned[2][3] = {{1, 0, 3}, {1, 3, 2}}, bottom[2][3] = {{0, 2, 1}, {0, 3, 2}};
  int corner[4], at[3];
  at[side->axis] = side->upper ? f->count[side->axis] - 1 : 0;
  for (int k = 0; k < 4; k++) {
    at[side->u] = i + (k == 1 || k == 2);
    at[side->v] = j + (k == 2 || k == 3);
    corner[k] = boxId(f, at[0], at[1], at[2]);
  }
  int isSolid = f->flex->dim == 3;
  int isForward = side->axis == 1 ? !side->upper : side->upper;
  const int(*cut)[3] = isSolid ? solid : isForward ? forward : side->axis == 2 ? bottom : turned;
  for (int k = 0; k < 2; k++) {
    int element[4] = {0, corner[cut[k][0]], corner[cut[k][1]], corner[cut[k][2]]};
    int ok =
        isSolid ? sn_flexcompAddElement(f, 4, element) : sn_flexcompAddElement(f, 3, element + 1);
    if (!ok) return 0;
  }
  return 1;
}

// Points of a side that no earlier side has, and all its cells.
static int makeSide(snFlexcomp* f, int axis, int upper, int texcoord) {
  SN_ASSERT_INDEX(axis, 3);
  const int* n = f->count;
  Side side = {axis, upper, axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
  int first[2] = {axis == 0, axis != 2};
  int end[2] = {axis == 0 ? n[1] - 1 : n[0], axis == 2 ? n[1] : 1 + layers(f)};
  int at[3];
  at[axis] = upper ? n[axis] - 1 : 0;
  for (int i = first[0]; i < end[0]; i++) {
    for (int j = first[1]; j < end[1]; j++) {
      at[side.u] = i;
      at[side.v] = j;
      if (!addBoxPoint(f, at[0], at[1], at[2])) return 0;
      if (texcoord && !addTexcoord(f, i, side.u, j, side.v)) return 0;
    }
  }
  for (int i = 0; i < n[side.u] - 1; i++) {
    for (int j = 0; j < n[side.v] - 1; j++) {
      if (!addBoxCell(f, &side, i, j)) return 0;
    }
  }
  return 1;
}

static int makeBox(snFlexcomp* f) {
  int texcoord = needsTexcoord(f);
  for (int k = 0; k < 3; k++) {
    if (f->count[k] < 2) return sn_mjcfFail(f->r, f->node, "Count too small");
  }
  if (f->flex->dim == 3 && !sn_flexcompAddPoint(f, 0, 0, 0)) return 0;
  // the reference has coordinates of a centre even where there is none
  if (texcoord && !appendTexcoord(f, 0, 0)) return 0;
  for (int axis = 2; axis >= 0; axis--) {
    for (int upper = 0; upper < 2; upper++) {
      if (axis == 2 && upper && f->flex->dim == 2) continue;
      if (!makeSide(f, axis, upper, texcoord)) return 0;
    }
  }
  return 1;
}

// ---- all of them ----

// Elements of the shape, or somewhat more; counts of one axis are as many points.
static int checkSize(const snFlexcomp* f) {
  double a = f->count[0], b = f->count[1], c = f->count[2], elements;
  if (sn_flexcompIsBoxed(f->type)) {
    elements = 4 * (a * b + b * c + c * a);
  } else {
    elements = f->flex->dim == 1 ? a : f->flex->dim == 2 ? 2 * a * b : 6 * a * b * c;
  }
  if (elements <= MAX_ELEMENTS) return 1;
  return sn_mjcfFail(f->r, f->node, "too many elements in flexcomp: at most %d can be generated",
                     MAX_ELEMENTS);
}

int sn_flexcompShape(snFlexcomp* f) {
  switch (f->type) {
    case snFLEXCOMP_BOX:
    case snFLEXCOMP_CYLINDER:
    case snFLEXCOMP_ELLIPSOID: return checkSize(f) && makeBox(f);
    case snFLEXCOMP_MESH:
    case snFLEXCOMP_GMSH: return sn_flexcompFile(f);
    case snFLEXCOMP_DIRECT: return 1;
    case snFLEXCOMP_SQUARE:
    case snFLEXCOMP_DISC: f->flex->dim = 2; return checkSize(f) && makeGrid(f);
    default: return checkSize(f) && makeGrid(f);
  }
}
