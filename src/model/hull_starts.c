// Starting vertices for hill climbing on convex hulls, and how far below the top a climb may end.
//
// The support function of a hull, its highest vertex along a direction, is found by climbing along edges to higher
// neighbours. Directions are divided into cells (math/cell.h). For each cell this file stores the vertex that is highest
// along the middle of the cell (mesh_hullstart): a climb along another direction of the cell takes one or two edges.
//
// On a convex hull every climb ends at the highest vertex, wherever it starts. But vertices have single precision, so
// that a hull with flat faces is convex only up to rounding, and a climb may end at a vertex that is a little too low.
// This file bounds that gap (mesh_hullgap). A vertex that is higher than all others by more than the gap is the end of
// every climb: any other method that finds it, such as a comparison of all vertices, gives the same result. So does a
// comparison of the few that can be the highest along a direction of a cell: this file lists them, in blocks of eight
// (mesh_hullvert).

#include "model/hull_starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "math/cell.h"
#include "math/four.h"

_Static_assert(snCELLS == snNHULLSTART, "a start for each cell");

// numbers of vertices: from FEWEST on a climb is worth a start; up to snHULLMOST the gap is computed
enum { FEWEST = 32 };

typedef struct Hull_ {
  int nvert, nface;
  const int* first;       // where the neighbours of a vertex begin in edge
  const int* global;      // number of a vertex of the hull in the mesh
  const int* edge;        // neighbours of each vertex, -1 after the last
  const int* face;        // triangles, by vertices of the mesh
  const float* vert;      // positions of the vertices of the mesh
  double* coordinate[3];  // x, y and z of the vertices of the hull, padded to a multiple of four
  const int* around;      // by vertex of the mesh: where its faces begin in fan; then the end
  const int* fan;         // faces of each vertex, in ascending order
  const int* index;       // by vertex of the mesh: its number in the hull, or -1
  // a bit for two vertices of the hull: their coneDistance is in the gap already
  unsigned char* asked;
} Hull;

static Hull hullOf(const snModel* m, int mesh) {
  SN_ASSERT_INDEX(mesh, m->nmesh);
  SN_ASSERT(m->mesh_graphadr[mesh] >= 0);
  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  Hull hull = {.nvert = graph[0], .nface = graph[1]};
  hull.first = graph + 2;
  hull.global = hull.first + hull.nvert;
  hull.edge = hull.global + hull.nvert;
  hull.face = hull.edge + hull.nvert + 3 * (size_t)hull.nface;
  hull.vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  return hull;
}

static const float* position(const Hull* hull, int i) {
  SN_ASSERT_INDEX(i, hull->nvert);
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

// outward normal of a triangle, twice its area long; returns the length
static double faceNormal(const float* a, const float* b, const float* c, double normal[3]) {
  double u[3], v[3];
  difference(u, b, a);
  difference(v, c, a);
  cross(normal, u, v);
  return sqrt(dot(normal, normal));
}

// height of x over the plane through a, times the length of the normal
static double heightOver(const float* a, const double normal[3], const float* x) {
  double height = 0;
  for (int k = 0; k < 3; k++) height += normal[k] * ((double)x[k] - a[k]);
  return height;
}

// Do the neighbours of a vertex lie more than depth below the plane of a face at that vertex? The corners of the face
// lie on it and are not asked.
static int isBelow(const Hull* hull, int vertex, const int face[3], const double normal[3],
                   double depth) {
  SN_ASSERT_INDEX(vertex, hull->nvert);
  const float* a = hull->vert + 3 * (size_t)face[0];
  for (const int* next = hull->edge + hull->first[vertex]; *next >= 0; next++) {
    int id = hull->global[*next];
    if (id == face[0] || id == face[1] || id == face[2]) continue;
    if (!(heightOver(a, normal, position(hull, *next)) < -depth)) return 0;
  }
  return 1;
}

// largest coordinate of a vertex
static double sizeOf(const Hull* hull) {
  double size = 0;
  for (int i = 0; i < hull->nvert; i++) {
    for (int k = 0; k < 3; k++) size = fmax(size, fabs((double)position(hull, i)[k]));
  }
  return size;
}

// Is the hull strictly convex, with a margin for rounding, at every edge? hullIndex: number in the hull of a vertex of the
// mesh, or -1.
static int isConvex(const Hull* hull, const int* hullIndex) {
  double least = 1e-7 * sizeOf(hull);
  for (int f = 0; f < hull->nface; f++) {
    const int* face = hull->face + 3 * (size_t)f;
    double normal[3];
    double length = faceNormal(hull->vert + 3 * (size_t)face[0], hull->vert + 3 * (size_t)face[1],
                               hull->vert + 3 * (size_t)face[2], normal);
    for (int k = 0; k < 3; k++) {
      if (hullIndex[face[k]] < 0) return 0;
      if (!isBelow(hull, hullIndex[face[k]], face, normal, least * length)) return 0;
    }
  }
  return 1;
}

// ---- where climbs may end

static double distance(const float* a, const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

// squared distance of x from s a + t b
static double squareFrom(const double x[3], const double a[3], double s, const double b[3],
                         double t) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double residual = x[k] - s * a[k] - t * b[k];
    square += residual * residual;
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

// an upper bound, sharp but for rounding, of the squared distance of x from the cone { s a + t b; s, t >= 0 }
static double squareFromCone(const double x[3], const double a[3], const double b[3]) {
  double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), xa = dot(x, a), xb = dot(x, b);
  double s = fmax(0, xa / aa), t = fmax(0, xb / bb), determinant = aa * bb - ab * ab;
  double least = fmin(squareFrom(x, a, s, b, 0), squareFrom(x, a, 0, b, t));
  s = (xa * bb - xb * ab) / determinant;
  t = (xb * aa - xa * ab) / determinant;
  return s >= 0 && t >= 0 && s + t < HUGE_VAL ? fmin(least, squareFrom(x, a, s, b, t)) : least;
}

// An upper bound of the distance of a vertex p from the cone C(w) of another vertex w (see boundGap): 0 if p lies inside,
// else the smallest distance from a face at w. inwards points from w to the centre and splits C(w) into one
// three-sided cone per face.
static double coneDistance(const Hull* hull, const float* p, int w, const double centre[3]) {
  SN_ASSERT(hull->around && hull->fan && w >= 0);
  const float* tip = hull->vert + 3 * (size_t)w;
  double inwards[3] = {centre[0] - tip[0], centre[1] - tip[1], centre[2] - tip[2]};
  double x[3], a[3], b[3], least = HUGE_VAL;
  difference(x, p, tip);
  for (int i = hull->around[w]; i < hull->around[w + 1]; i++) {
    const int* face = hull->face + 3 * (size_t)hull->fan[i];
    int k = face[0] == w ? 0 : face[1] == w ? 1 : 2;
    difference(a, hull->vert + 3 * (size_t)face[(k + 1) % 3], tip);
    difference(b, hull->vert + 3 * (size_t)face[(k + 2) % 3], tip);
    if (inCone(x, a, b, inwards)) return 0;
    least = fmin(least, squareFromCone(x, a, b));
  }
  return sqrt(least);
}

// Height of the highest vertex over a face, or 0, in any order of rounding. Most of the time of this file is spent here.
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

// Was the distance of a vertex of the hull from the cone of a vertex of the mesh asked for before, from another face? Marks
// that it is now.
static int wasAsked(const Hull* hull, int vertex, int tip) {
  if (hull->index[tip] < 0) return 0;
  size_t bit = (size_t)hull->index[tip] * (size_t)hull->nvert + (size_t)vertex;
  unsigned char* byte = hull->asked + bit / 8;
  int mask = 1 << bit % 8, was = *byte & mask;
  *byte |= (unsigned char)mask;
  return was;
}

// a gap below this part of the size is small enough: no sharper bound is sought
static const double kFine = 1e-6;

// The largest gap at the corners of one face: by its plane, or, where that bound is too coarse, by the cones of its corners.
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
      if (wasAsked(hull, i, face[k])) continue;
      gap = fmax(gap, coneDistance(hull, position(hull, i), face[k], centre));
    }
  }
  return gap;
}

// By how much can a vertex w that has no higher neighbour lie below the highest vertex p, along any unit vector d?
//
// Let C(w) be the cone with its tip at w that the edges to its neighbours span. No neighbour is higher than w, so no point
// of C(w) is. The gap is therefore at most the distance of p from C(w) (coneDistance).
//
// A coarser bound needs no cone. Let c be a centre at least D below the planes of all faces at w, and p at most h above
// them. With t = h / D the point p + t (c - w) is below all these planes, hence in C(w), and the distance is at most
// t |c - w| (faceGap).
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

// boundGap with the faces around each of n vertices of the mesh listed; size when there is no memory for the lists
static double boundGapByFans(Hull* hull, int n, double size) {
  int ncorner = 3 * hull->nface;
  int* around = snu_malloc(sizeof(int) * ((size_t)n + 2));
  int* fan = snu_malloc(sizeof(int) * (size_t)ncorner + 1);
  size_t nasked = (size_t)hull->nvert * (size_t)hull->nvert / 8 + 1;
  unsigned char* asked = snu_malloc(nasked);
  double gap = size;
  if (around && fan && asked) {
    memset(asked, 0, nasked);
    hull->asked = asked;
    // counted two places on, summed, then moved on by one place while the lists are filled
    memset(around, 0, sizeof(int) * ((size_t)n + 2));
    for (int i = 0; i < ncorner; i++) around[hull->face[i] + 2]++;
    for (int i = 0; i < n; i++) around[i + 2] += around[i + 1];
    for (int i = 0; i < ncorner; i++) fan[around[hull->face[i] + 1]++] = i / 3;
    hull->around = around;
    hull->fan = fan;
    gap = boundGap(hull, size);
  }
  snu_free(around);
  snu_free(fan);
  snu_free(asked);
  return gap;
}

// what a hull is ordered by
typedef struct Key_ {
  float value;
  int vertex;
} Key;

// The vertices of a hull in blocks of eight: eight x, eight y, eight z; in the order of keys, or their own. The last block
// is padded with their mean, which is never the highest point.
static void setBlocks(const Hull* hull, const Key* key, float* block) {
  float mean[3];
  for (int k = 0; k < 3; k++) {
    double sum = 0;
    for (int i = 0; i < hull->nvert; i++) sum += position(hull, i)[k];
    mean[k] = (float)(sum / hull->nvert);
  }
  for (int i = 0; i < 8 * sn_hullBlocks(hull->nvert); i++) {
    const float* from = i < hull->nvert ? position(hull, key ? key[i].vertex : i) : mean;
    for (int k = 0; k < 3; k++) block[24 * (i / 8) + 8 * k + i % 8] = from[k];
  }
}

// ---- starts

static double along(const float* vertex, const snReal direction[3]) {
  return (double)direction[0] * vertex[0] + (double)direction[1] * vertex[1] +
         (double)direction[2] * vertex[2];
}

// The vertex at which a climb from `current` ends: each step goes to the highest neighbour.
static int climb(const Hull* hull, const snReal direction[3], int current) {
  SN_ASSERT_INDEX(current, hull->nvert);
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

// ---- which vertices may be the highest along directions of a cell

static int compareKeys(const void* a, const void* b) {
  const Key *x = (const Key*)a, *y = (const Key*)b;
  if (x->value != y->value) return x->value < y->value ? -1 : 1;
  return x->vertex - y->vertex;
}

// the coordinate in which vertices are farthest apart
static int longestAxis(const Hull* hull, const Key* key, int n) {
  int longest = 0;
  float most = -1;
  for (int k = 0; k < 3; k++) {
    float low = HUGE_VALF, high = -HUGE_VALF;
    for (int i = 0; i < n; i++) {
      low = fminf(low, position(hull, key[i].vertex)[k]);
      high = fmaxf(high, position(hull, key[i].vertex)[k]);
    }
    if (high - low <= most) continue;
    most = high - low;
    longest = k;
  }
  return longest;
}

// Order vertices so that every eight of them are close to one another: halves along the longest side, halves of those,
// and so on.
static void gather(const Hull* hull, Key* key) {
  int pending[64][2] = {{0, hull->nvert}}, n = 1;
  for (int i = 0; i < hull->nvert; i++) key[i].vertex = i;
  while (n) {
    int begin = pending[--n][0], end = pending[n][1], count = end - begin;
    if (count <= 8) continue;
    int axis = longestAxis(hull, key + begin, count);
    for (int i = begin; i < end; i++) key[i].value = position(hull, key[i].vertex)[axis];
    qsort(key + begin, (size_t)count, sizeof(Key), compareKeys);
    int middle = begin + (count / 2 + 7) / 8 * 8;
    pending[n][0] = begin;
    pending[n++][1] = middle;
    pending[n][0] = middle;
    pending[n++][1] = end;
    SN_ASSERT(n < 64);
  }
}

// is a vertex higher than another by more than a margin along the four corners of a cell, hence along all its directions?
static int isHigher(const double a[4], const double b[4], double margin) {
  return a[0] - b[0] > margin && a[1] - b[1] > margin && a[2] - b[2] > margin &&
         a[3] - b[3] > margin;
}

// Mark the vertices that may be the highest along a direction of a cell, or lower by the margin. Scratch: the heights of
// each along the corners of the cell, and a list of those that were marked first.
static void markCell(const Hull* hull, int cell, double margin, double (*height)[4], char* mark,
                     int* marked) {
  snReal middle[3], corner[4][3];
  int face = cell / (snCELLS_SIDE * snCELLS_SIDE), axis = face / 2, top[5];
  SN_ASSERT_INDEX(cell, snCELLS);
  sn_cellMiddle(middle, cell);
  for (int k = 0; k < 4; k++) {
    for (int l = 0; l < 3; l++) corner[k][l] = middle[l];
    corner[k][(axis + 1) % 3] += (snReal)(k & 1 ? 1 : -1) / snCELLS_SIDE;
    corner[k][(axis + 2) % 3] += (snReal)(k & 2 ? 1 : -1) / snCELLS_SIDE;
  }
  for (int i = 0; i < hull->nvert; i++) {
    for (int k = 0; k < 4; k++) height[i][k] = along(position(hull, i), corner[k]);
  }
  top[4] = climb(hull, middle, 0);
  for (int k = 0; k < 4; k++) top[k] = climb(hull, corner[k], top[4]);
  for (int i = 0; i < hull->nvert; i++) {
    mark[i] = 1;
    for (int k = 0; k < 5 && mark[i]; k++) mark[i] = !isHigher(height[top[k]], height[i], margin);
  }
  int count = 0;
  for (int i = 0; i < hull->nvert; i++) {
    if (mark[i]) marked[count++] = i;
  }
  for (int a = 0; a < count; a++) {
    int i = marked[a];
    for (int b = 0; b < count && mark[i]; b++) {
      if (mark[marked[b]]) mark[i] = !isHigher(height[marked[b]], height[i], margin);
    }
  }
}

// The blocks and the lists of a larger hull; tie: what is lower by less may be equal.
static void setCells(const Hull* hull, double tie, float* table, Key* key, double (*height)[4],
                     char* mark, int* marked) {
  int nblock = sn_hullBlocks(hull->nvert), stride = sn_cellStride(hull->nvert, hull->nface);
  float *vertex = table + 24 * nblock, *list = table + 32 * nblock;
  if (stride < 2) return;
  gather(hull, key);
  setBlocks(hull, key, table);
  for (int i = 0; i < 8 * nblock; i++) vertex[i] = i < hull->nvert ? (float)key[i].vertex : 0;
  for (int cell = 0; cell < snCELLS; cell++, list += stride) {
    int count = 0;
    // a direction of a cell is at most as long as the diagonal of a cube
    markCell(hull, cell, 2 * sqrt(3.0) * tie, height, mark, marked);
    for (int b = 0; b < nblock; b++) {
      int any = 0;
      for (int i = 8 * b; i < 8 * b + 8 && i < hull->nvert; i++) any |= mark[key[i].vertex];
      if (!any) continue;
      if (++count < stride) list[count] = (float)b;
    }
    list[0] = count < stride && count <= snCELLBLOCKS ? (float)count : 0;
  }
}

static void makeCells(const Hull* hull, double tie, float* table) {
  size_t n = (size_t)hull->nvert;
  Key* key = snu_malloc(sizeof(Key) * n);
  double(*height)[4] = snu_malloc(sizeof(double) * 4 * n);
  char* mark = snu_malloc(n);
  int* marked = snu_malloc(sizeof(int) * n);
  if (key && height && mark && marked) setCells(hull, tie, table, key, height, mark, marked);
  snu_free(marked);
  snu_free(key);
  snu_free(height);
  snu_free(mark);
}

// Starts, gap and blocks of one hull. Scratch: hullIndex, a number per vertex of the mesh; coordinates, three per vertex of
// the hull, padded.
static void setHull(snModel* m, int mesh, int* hullIndex, double* coordinates) {
  Hull hull = hullOf(m, mesh);
  int padded = (hull.nvert + 3) / 4 * 4;
  for (int k = 0; k < 3; k++) {
    hull.coordinate[k] = coordinates + (size_t)k * (size_t)padded;
    for (int i = 0; i < padded; i++) {
      hull.coordinate[k][i] = position(&hull, i < hull.nvert ? i : 0)[k];
    }
  }
  for (int i = 0; i < m->mesh_vertnum[mesh]; i++) hullIndex[i] = -1;
  SN_ASSERT(hull.nvert > 0 && hull.nvert <= m->mesh_vertnum[mesh]);
  for (int i = 0; i < hull.nvert; i++) hullIndex[hull.global[i]] = i;
  // an upper bound of the height of a vertex along a unit vector
  double size = 3 * sizeOf(&hull);
  int convex = isConvex(&hull, hullIndex);
  hull.index = hullIndex;
  double gap = convex                     ? 0
               : hull.nvert <= snHULLMOST ? boundGapByFans(&hull, m->mesh_vertnum[mesh], size)
                                          : size;
  if (!(size > 0 && gap <= 1e-2 * size)) return;
  m->mesh_hullgap[2 * mesh] = (snReal)gap;
  m->mesh_hullgap[2 * mesh + 1] = (snReal)size;
  if (hull.nvert >= FEWEST) setStarts(&hull, m->mesh_hullstart + snNHULLSTART * (size_t)mesh);
  if (hull.nvert <= snHULLTABLE && hull.nface >= snHULLFACES) {
    setBlocks(&hull, NULL, m->mesh_hullvert + m->mesh_graphadr[mesh]);
  }
  if (hull.nvert > snHULLTABLE && hull.nvert <= snHULLMOST) {
    makeCells(&hull, gap + 1e-6 * size, m->mesh_hullvert + m->mesh_graphadr[mesh]);
  }
}

int sn_hullCellsAreSound(const snModel* m, int mesh) {
  Hull hull = hullOf(m, mesh);
  if (hull.nvert <= snHULLTABLE) return 1;
  int nblock = sn_hullBlocks(hull.nvert), stride = sn_cellStride(hull.nvert, hull.nface);
  const float* vertex = m->mesh_hullvert + m->mesh_graphadr[mesh] + 24 * (size_t)nblock;
  const float* list = vertex + 8 * (size_t)nblock;
  if (stride < 2) return 1;
  for (int i = 0; i < 8 * nblock; i++) {
    if (!(vertex[i] >= 0 && vertex[i] < (float)hull.nvert)) return 0;
  }
  for (int cell = 0; cell < snCELLS; cell++, list += stride) {
    int limit = stride - 1 < snCELLBLOCKS ? stride - 1 : snCELLBLOCKS;
    if (!(list[0] >= 0 && list[0] <= (float)limit)) return 0;
    for (int i = 1; i <= (int)list[0]; i++) {
      if (!(list[i] >= 0 && list[i] < (float)nblock)) return 0;
    }
  }
  return 1;
}

void sn_setHullStarts(snModel* m) {
  memset(m->mesh_hullstart, 0, sizeof(int) * snNHULLSTART * (size_t)m->nmesh);
  memset(m->mesh_hullgap, 0, sizeof(snReal) * 2 * (size_t)m->nmesh);
  memset(m->mesh_hullvert, 0, sizeof(float) * (size_t)m->nmeshgraph);
  for (int mesh = 0; mesh < m->nmesh; mesh++) {
    if (m->mesh_graphadr[mesh] < 0) continue;
    size_t nhull = (size_t)m->mesh_graph[m->mesh_graphadr[mesh]];
    int* hullIndex = snu_malloc(sizeof(int) * (size_t)m->mesh_vertnum[mesh]);
    double* coordinates = snu_malloc(sizeof(double) * 3 * (nhull + 3));
    if (hullIndex && coordinates) setHull(m, mesh, hullIndex, coordinates);
    snu_free(hullIndex);
    snu_free(coordinates);
  }
}
