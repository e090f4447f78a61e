// Where the search for the farthest vertex of a convex hull starts: for each cell of directions, the vertex that
// is farthest along its middle. A search along another direction of the cell has one or two edges to go.
//
// A search along edges ends at the same vertex wherever it starts, if the hull is convex. Hulls with flat faces
// are not: their vertices are rounded to single precision. These, and small hulls, have no starts.

#include "model/hull_starts.h"

#include <math.h>

#include "math/cell.h"

_Static_assert(snCELLS == snNHULLSTART, "a start for each cell");

enum { FEWEST = 32 };  // vertices of a hull on which searches are long

typedef struct Hull_ {
  int nvert, nface;
  const int *first, *global, *edge, *face;  // face: triangles, vertices of the mesh
  const float* vert;
} Hull;

static Hull hullOf(const snModel* m, int mesh) {
  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  Hull hull = {graph[0], graph[1], NULL, NULL, NULL, NULL, NULL};
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

// outward normal of a triangle, scaled, in double precision; returns its length
static double faceNormal(const float* a, const float* b, const float* c, double normal[3]) {
  double u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = (double)b[k] - a[k];
    v[k] = (double)c[k] - a[k];
  }
  for (int k = 0; k < 3; k++) {
    int l = (k + 1) % 3, n = (k + 2) % 3;
    normal[k] = u[l] * v[n] - u[n] * v[l];
  }
  return sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
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

void sn_setHullStarts(snModel* m) {
  for (int mesh = 0; mesh < m->nmesh; mesh++) {
    int* start = m->mesh_hullstart + snNHULLSTART * (size_t)mesh;
    for (int cell = 0; cell < snNHULLSTART; cell++) start[cell] = 0;
    if (m->mesh_graphadr[mesh] < 0) continue;
    Hull hull = hullOf(m, mesh);
    int* place =
        hull.nvert < FEWEST ? NULL : snu_malloc(sizeof(int) * (size_t)m->mesh_vertnum[mesh]);
    if (!place) continue;
    for (int i = 0; i < m->mesh_vertnum[mesh]; i++) place[i] = -1;
    for (int i = 0; i < hull.nvert; i++) place[hull.global[i]] = i;
    if (isConvex(&hull, place)) setStarts(&hull, start);
    snu_free(place);
  }
}
