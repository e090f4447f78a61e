// Where the search for the farthest vertex of a convex hull starts: for each cell of directions, the vertex that
// is farthest along its middle. A search along another direction of the cell has one or two edges to go.
//
// A search along edges ends at the same vertex wherever it starts, if the hull is convex. Hulls with flat faces are
// convex but for rounding, as their vertices have single precision: a search may end at a vertex that is a little
// lower than the highest. How much lower is bounded below; a vertex that is higher than all others by more is found
// by every search, so that it may be sought in another way.

#include "model/hull_starts.h"

#include <math.h>
#include <string.h>

#include "math/cell.h"
#include "math/four.h"

_Static_assert(snCELLS == snNHULLSTART, "a start for each cell");

enum {
  FEWEST = 32,
  MOST = 4096
};  // vertices of a hull on which searches are long; for which the bound is found

typedef struct Hull_ {
  int nvert, nface;
  const int *first, *global, *edge, *face;  // face: triangles, vertices of the mesh
  const float* vert;
  double* coordinate[3];  // of the vertices of the hull, each list filled up to a multiple of four
} Hull;

static Hull hullOf(const snModel* m, int mesh) {
  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  Hull hull = {graph[0], graph[1], NULL, NULL, NULL, NULL, NULL, {NULL, NULL, NULL}};
  hull.first = graph + 2;
  hull.global = hull.first + hull.nvert;
  hull.edge = hull.global + hull.nvert;
  hull.face = hull.edge + hull.nvert + 3 * (size_t)hull.nface;
  hull.vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  return hull;
}

static const float* position(const Hull* hull, int i) {
  return hull->vert + 3 * (size_t)hull->global[i];
}

// ---- convexity

static void difference(double res[3], const float* a, const float* b) {
  for (int k = 0; k < 3; k++) res[k] = (double)a[k] - b[k];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double res[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) {
    int l = (k + 1) % 3, n = (k + 2) % 3;
    res[k] = a[l] * b[n] - a[n] * b[l];
  }
}

// outward normal of a triangle, scaled, in double precision; returns its length
static double faceNormal(const float* a, const float* b, const float* c, double normal[3]) {
  double u[3], v[3];
  difference(u, b, a);
  difference(v, c, a);
  cross(normal, u, v);
  return sqrt(dot(normal, normal));
}

static double heightOver(const float* a, const double normal[3], const float* x) {
  double height = 0;
  for (int k = 0; k < 3; k++) height += normal[k] * ((double)x[k] - a[k]);
  return height;
}

// Do the neighbours of a vertex lie below a face at that vertex, by more than depth? Corners of the face are on it.
static int isBelow(const Hull* hull, int vertex, const int face[3], const double normal[3],
                   double depth) {
  const float* a = hull->vert + 3 * (size_t)face[0];
  for (const int* next = hull->edge + hull->first[vertex]; *next >= 0; next++) {
    int id = hull->global[*next];
    if (id == face[0] || id == face[1] || id == face[2]) continue;
    if (!(heightOver(a, normal, position(hull, *next)) < -depth)) return 0;
  }
  return 1;
}

static double sizeOf(const Hull* hull) {
  double size = 0;
  for (int i = 0; i < hull->nvert; i++) {
    for (int k = 0; k < 3; k++) size = fmax(size, fabs((double)position(hull, i)[k]));
  }
  return size;
}

// Is a hull, by its edges, convex with something to spare? place: of vertices of the mesh in the hull.
static int isConvex(const Hull* hull, const int* place) {
  double least = 1e-7 * sizeOf(hull);
  for (int f = 0; f < hull->nface; f++) {
    const int* face = hull->face + 3 * (size_t)f;
    double normal[3];
    double length = faceNormal(hull->vert + 3 * (size_t)face[0], hull->vert + 3 * (size_t)face[1],
                               hull->vert + 3 * (size_t)face[2], normal);
    for (int k = 0; k < 3; k++) {
      if (place[face[k]] < 0) return 0;
      if (!isBelow(hull, place[face[k]], face, normal, least * length)) return 0;
    }
  }
  return 1;
}

// ---- where searches may end

static double distance(const float* a, const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

// squared distance of x from s a + t b
static double squareFrom(const double x[3], const double a[3], double s, const double b[3],
                         double t) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double left = x[k] - s * a[k] - t * b[k];
    square += left * left;
  }
  return square;
}

// is x in the cone { s a + t b + u c; s, t, u >= 0 }?
static int inCone(const double x[3], const double a[3], const double b[3], const double c[3]) {
  double bc[3], ca[3], ab[3];
  cross(bc, b, c);
  cross(ca, c, a);
  cross(ab, a, b);
  double volume = dot(a, bc), s = dot(x, bc), t = dot(x, ca), u = dot(x, ab);
  return (volume > 0 && s >= 0 && t >= 0 && u >= 0) || (volume < 0 && s <= 0 && t <= 0 && u <= 0);
}

// squared distance of x from the cone { s a + t b; s, t >= 0 }, or a little more
static double squareFromCone(const double x[3], const double a[3], const double b[3]) {
  double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), xa = dot(x, a), xb = dot(x, b);
  double s = fmax(0, xa / aa), t = fmax(0, xb / bb), determinant = aa * bb - ab * ab;
  double least = fmin(squareFrom(x, a, s, b, 0), squareFrom(x, a, 0, b, t));
  s = (xa * bb - xb * ab) / determinant;
  t = (xb * aa - xa * ab) / determinant;
  return s >= 0 && t >= 0 && s + t < HUGE_VAL ? fmin(least, squareFrom(x, a, s, b, t)) : least;
}

// Distance of a vertex p from the cone that the neighbours of another, w, span at it, or a little more: from the
// faces at w.
static double coneDistance(const Hull* hull, const float* p, int w, const double centre[3]) {
  const float* tip = hull->vert + 3 * (size_t)w;
  double inwards[3] = {centre[0] - tip[0], centre[1] - tip[1], centre[2] - tip[2]};
  double x[3], a[3], b[3], least = HUGE_VAL;
  difference(x, p, tip);
  for (int f = 0; f < hull->nface; f++) {
    const int* face = hull->face + 3 * (size_t)f;
    int k = face[0] == w ? 0 : face[1] == w ? 1 : face[2] == w ? 2 : 3;
    if (k == 3) continue;
    difference(a, hull->vert + 3 * (size_t)face[(k + 1) % 3], tip);
    difference(b, hull->vert + 3 * (size_t)face[(k + 2) % 3], tip);
    if (inCone(x, a, b, inwards)) return 0;
    least = fmin(least, squareFromCone(x, a, b));
  }
  return sqrt(least);
}

// Height of the highest vertex over a face, or 0; not to the last bit. Most of the work here.
SN_WIDE(static, double, highestOver, (const Hull* hull, const float* a, const double normal[3]),
        (hull, a, normal)) {
  const double *x = hull->coordinate[0], *y = hull->coordinate[1], *z = hull->coordinate[2];
  double offset = normal[0] * a[0] + normal[1] * a[1] + normal[2] * a[2], highest = 0;
#if SN_HAS_FOUR
  typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
  Four top = {offset, offset, offset, offset};
  typedef __typeof__(top > top) Bits;
  for (int i = 0; i < hull->nvert; i += 4) {
    Four h = *(const Four*)(x + i) * normal[0] + *(const Four*)(y + i) * normal[1] +
             *(const Four*)(z + i) * normal[2];
    Bits higher = h > top;
    top = (Four)(((Bits)h & higher) | ((Bits)top & ~higher));
  }
  for (int k = 0; k < 4; k++) highest = fmax(highest, top[k] - offset);
#else
  for (int i = 0; i < hull->nvert; i++) {
    highest = fmax(highest, normal[0] * x[i] + normal[1] * y[i] + normal[2] * z[i] - offset);
  }
#endif
  return highest;
}

// a bound, as part of the size, that need not be sharper
static const double kFine = 1e-6;

// The bound for the corners of one face: that by its plane where it is small, or by the cones at its corners.
static double faceGap(const Hull* hull, const int face[3], const double centre[3], double size) {
  const float* corner[3];
  double normal[3], reach = 0, depth = 0, gap = 0;
  for (int k = 0; k < 3; k++) corner[k] = hull->vert + 3 * (size_t)face[k];
  faceNormal(corner[0], corner[1], corner[2], normal);
  for (int k = 0; k < 3; k++) {
    reach = fmax(reach, distance(corner[k], centre));
    depth += normal[k] * (corner[0][k] - centre[k]);
  }
  double rounding = 1e-15 * size * size * size, highest = highestOver(hull, corner[0], normal);
  double bound = depth > rounding ? (highest + rounding) * reach / depth : HUGE_VAL;
  if (bound <= kFine * size) return bound;
  for (int i = 0; i < hull->nvert && gap < size; i++) {
    double height = fmax(0, heightOver(corner[0], normal, position(hull, i)));
    bound = depth > rounding ? (height + rounding) * reach / depth : HUGE_VAL;
    if (bound <= kFine * size) {
      gap = fmax(gap, bound);
      continue;
    }
    for (int k = 0; k < 3; k++) {
      gap = fmax(gap, coneDistance(hull, position(hull, i), face[k], centre));
    }
  }
  return gap;
}

// How much lower than the highest vertex p along a unit vector d may a vertex w be that has no higher neighbour?
// In the cone from w that its neighbours span nothing is higher than w: at most as much as p is away from that cone.
// Where p is at most h above the planes of the faces at w, below which a centre c is deep by at least D, the point
// p + t (c - w), t = h / D, is below all of them, thus in the cone: p is away by t |c - w| at most.
static double boundGap(const Hull* hull, double size) {
  double centre[3] = {0, 0, 0}, gap = 0;
  for (int i = 0; i < hull->nvert; i++) {
    for (int k = 0; k < 3; k++) centre[k] += position(hull, i)[k];
  }
  for (int k = 0; k < 3; k++) centre[k] /= hull->nvert;
  for (int f = 0; f < hull->nface && gap < size; f++) {
    gap = fmax(gap, faceGap(hull, hull->face + 3 * (size_t)f, centre, size));
  }
  return gap;
}

// The vertices of a small hull in blocks of eight. The last block is filled with their mean, which is no summit.
static void setBlocks(const Hull* hull, float* block) {
  float mean[3];
  int padded = (hull->nvert + 7) / 8 * 8;
  for (int k = 0; k < 3; k++) {
    double sum = 0;
    for (int i = 0; i < hull->nvert; i++) sum += position(hull, i)[k];
    mean[k] = (float)(sum / hull->nvert);
  }
  for (int i = 0; i < padded; i++) {
    const float* from = i < hull->nvert ? position(hull, i) : mean;
    for (int k = 0; k < 3; k++) block[24 * (i / 8) + 8 * k + i % 8] = from[k];
  }
}

// ---- starts

static double along(const float* vertex, const snReal direction[3]) {
  return (double)direction[0] * vertex[0] + (double)direction[1] * vertex[1] +
         (double)direction[2] * vertex[2];
}

// Climb along edges of the hull; every step is higher.
static int climb(const Hull* hull, const snReal direction[3], int current) {
  int previous = -1;
  double best = along(position(hull, current), direction);
  while (current != previous) {
    previous = current;
    for (const int* next = hull->edge + hull->first[previous]; *next >= 0; next++) {
      double value = along(position(hull, *next), direction);
      if (value > best) {
        best = value;
        current = *next;
      }
    }
  }
  return current;
}

static void setStarts(const Hull* hull, int start[snNHULLSTART]) {
  for (int cell = 0, current = 0; cell < snNHULLSTART; cell++) {
    snReal direction[3];
    sn_cellMiddle(direction, cell);
    current = climb(hull, direction, current);
    start[cell] = 1 + current;
  }
}

// What is known of one hull; place, room: for a number per vertex of the mesh, and three per vertex of the hull.
static void setHull(snModel* m, int mesh, int* place, double* room) {
  Hull hull = hullOf(m, mesh);
  int padded = (hull.nvert + 3) / 4 * 4;
  for (int k = 0; k < 3; k++) {
    hull.coordinate[k] = room + (size_t)k * (size_t)padded;
    for (int i = 0; i < padded; i++) {
      hull.coordinate[k][i] = position(&hull, i < hull.nvert ? i : 0)[k];
    }
  }
  for (int i = 0; i < m->mesh_vertnum[mesh]; i++) place[i] = -1;
  for (int i = 0; i < hull.nvert; i++) place[hull.global[i]] = i;
  // no coordinate along a unit vector is larger, nor a sum of three
  double size = 3 * sizeOf(&hull);
  int convex = isConvex(&hull, place);
  double gap = convex ? 0 : hull.nvert <= MOST ? boundGap(&hull, size) : size;
  if (!(size > 0 && gap <= 1e-2 * size)) return;
  m->mesh_hullgap[2 * mesh] = (snReal)gap;
  m->mesh_hullgap[2 * mesh + 1] = (snReal)size;
  if (hull.nvert >= FEWEST) setStarts(&hull, m->mesh_hullstart + snNHULLSTART * (size_t)mesh);
  if (hull.nvert <= snHULLTABLE && hull.nface >= snHULLFACES) {
    setBlocks(&hull, m->mesh_hullvert + m->mesh_graphadr[mesh]);
  }
}

void sn_setHullStarts(snModel* m) {
  memset(m->mesh_hullstart, 0, sizeof(int) * snNHULLSTART * (size_t)m->nmesh);
  memset(m->mesh_hullgap, 0, sizeof(snReal) * 2 * (size_t)m->nmesh);
  memset(m->mesh_hullvert, 0, sizeof(float) * (size_t)m->nmeshgraph);
  for (int mesh = 0; mesh < m->nmesh; mesh++) {
    if (m->mesh_graphadr[mesh] < 0) continue;
    size_t nhull = (size_t)m->mesh_graph[m->mesh_graphadr[mesh]];
    int* place = snu_malloc(sizeof(int) * (size_t)m->mesh_vertnum[mesh]);
    double* room = snu_malloc(sizeof(double) * 3 * (nhull + 3));
    if (place && room) setHull(m, mesh, place, room);
    snu_free(place);
    snu_free(room);
  }
}
