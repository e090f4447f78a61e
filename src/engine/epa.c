#include "engine/ccd.h"

// A face of the polytope.
typedef struct Face_ {
  snReal point[3];  // projection of the origin on its plane
  snReal square;    // squared length of point
  int vert[3];
  int adjacent[3];  // faces across the edges 01, 12, 20
  int candidate;    // place in the list of candidates; or one of the values below
} Face;
enum { kHidden = -1, kRemoved = -2 };

// The polytope. A connected patch of R faces has at most R + 2 edges around it, so an expansion
// adds at most two faces; with the places of removed faces used again, 2 K + 6 faces suffice for
// K iterations.
typedef struct Polytope_ {
  snMinkowski* vert;
  Face* face;
  snReal* square;  // squared distances of the candidates
  int* candidate;  // faces that may be nearest to the origin
  int* unused;     // places of removed faces
  int* horizon;    // edges around the faces that a new vertex sees: 4 * face + edge
  int* stack;      // edges still to cross
  int nvert, nface, nunused, ncandidate, nhorizon;
  int ncreated, maxcreated;  // faces made so far; beyond the limit the expansion gives up
} Polytope;

static inline int faceCapacity(int iterations) { return 2 * iterations + 10; }

static inline int vertexCapacity(int iterations) { return iterations + 6; }

size_t sn_ccdScratchSize(int iterations) {
  size_t nface = (size_t)faceCapacity(iterations);
  size_t nvert = (size_t)vertexCapacity(iterations);
  return nvert * sizeof(snMinkowski) + nface * (sizeof(Face) + sizeof(snReal) + 4 * sizeof(int));
}

static void initialise(Polytope* p, void* scratch, int iterations) {
  int nface = faceCapacity(iterations);
  p->vert = (snMinkowski*)scratch;
  p->face = (Face*)(p->vert + vertexCapacity(iterations));
  p->square = (snReal*)(p->face + nface);
  p->candidate = (int*)(p->square + nface);
  p->unused = p->candidate + nface;
  p->horizon = p->unused + nface;
  p->stack = p->horizon + nface;
  p->maxcreated = iterations > 170 ? 6 * iterations : 1020;
}

static void clear(Polytope* p) {
  p->nvert = p->nface = p->nunused = p->ncandidate = p->nhorizon = p->ncreated = 0;
}

static inline int takePlace(Polytope* p) {
  return p->nunused > 0 ? p->unused[--p->nunused] : p->nface++;
}

// fill in a face
static inline Face* setFace(Polytope* p, int place, int a, int b, int c, int adjacent0,
                            int adjacent1, int adjacent2) {
  Face* face = p->face + place;
  face->vert[0] = a;
  face->vert[1] = b;
  face->vert[2] = c;
  face->adjacent[0] = adjacent0;
  face->adjacent[1] = adjacent1;
  face->adjacent[2] = adjacent2;
  face->candidate = kHidden;
  face->square = 0;
  p->ncreated++;
  if (sn_projectOrigin(face->point, p->vert[c].v, p->vert[b].v, p->vert[a].v)) {
    face->square = snu_dot3(face->point, face->point);
  }
  return face;
}

static inline void addCandidate(Polytope* p, int place) {
  p->face[place].candidate = p->ncandidate;
  p->square[p->ncandidate] = p->face[place].square;
  p->candidate[p->ncandidate++] = place;
}

static void removeFace(Polytope* p, int place) {
  Face* face = p->face + place;
  if (face->candidate >= 0) {
    int last = p->candidate[--p->ncandidate];
    p->candidate[face->candidate] = last;
    p->square[face->candidate] = p->square[p->ncandidate];
    p->face[last].candidate = face->candidate;
  }
  face->candidate = kRemoved;
  p->unused[p->nunused++] = place;
}

// support point along a vector of known length
static void supportAlong(snMinkowski* point, snCcd* ccd, const snReal vector[3], snReal length) {
  snReal direction[3] = {1, 0, 0};
  if (length > snMINVAL) {
    for (int i = 0; i < 3; i++) direction[i] = vector[i] / length;
  }
  sn_minkowskiSupport(point, ccd->object1, ccd->object2, direction);
}

// ---- the first polytope

// Add n faces given by their vertices and neighbours, places counting from the empty polytope on.
// Returns the first that is degenerate, or -1.
static int addFaces(Polytope* p, const int table[][6], int n) {
  for (int i = 0; i < n; i++) {
    const int* row = table[i];
    const Face* face = setFace(p, takePlace(p), row[0], row[1], row[2], row[3], row[4], row[5]);
    if (face->square < snMINVAL * snMINVAL) return i;
  }
  for (int i = 0; i < n; i++) addCandidate(p, i);
  return -1;
}

// is q in the triangle abc?
static int inTriangle(const snReal q[3], const snReal a[3], const snReal b[3], const snReal c[3]) {
  snReal area[3];
  snReal total = sn_triangleAreas(area, q, a, b, c);
  for (int i = 0; i < 3; i++) {
    area[i] /= total;
    if (!(area[i] >= 0)) return 0;
  }
  for (int i = 0; i < 3; i++) {
    snReal point = area[0] * a[i] + area[1] * b[i] + area[2] * c[i];
    if (snu_abs(point - q[i]) > snMINVAL) return 0;
  }
  return 1;
}

// triangle: two pyramids on it
static int fromTriangle(Polytope* p, snCcd* ccd, const snMinkowski* v1, const snMinkowski* v2,
                        const snMinkowski* v3) {
  static const int kFaces[6][6] = {{3, 0, 1, 1, 3, 2}, {3, 2, 0, 2, 4, 0}, {3, 1, 2, 0, 5, 1},
                                   {4, 1, 0, 5, 0, 4}, {4, 0, 2, 3, 1, 5}, {4, 2, 1, 4, 2, 3}};
  snMinkowski copy[3] = {*v1, *v2, *v3};
  snReal d21[3], d31[3], normal[3], opposite[3];
  clear(p);
  for (int i = 0; i < 3; i++) p->vert[i] = copy[i];
  snu_sub3(d21, copy[1].v, copy[0].v);
  snu_sub3(d31, copy[2].v, copy[0].v);
  snu_cross(normal, d21, d31);
  snReal norm = snu_norm3(normal);
  if (!(norm >= snMINVAL)) return 0;
  snu_scl3(opposite, normal, -1);
  supportAlong(p->vert + 4, ccd, opposite, norm);
  supportAlong(p->vert + 3, ccd, normal, norm);
  p->nvert = 5;
  for (int i = 3; i < 5; i++) {
    if (inTriangle(p->vert[i].v, copy[0].v, copy[1].v, copy[2].v)) return 0;
  }
  return addFaces(p, kFaces, 6) < 0;
}

// are the origin and d strictly on the same side of the plane abc?
static int sameSide(const snReal a[3], const snReal b[3], const snReal c[3], const snReal d[3]) {
  snReal ba[3], ca[3], da[3], normal[3];
  snu_sub3(ba, b, a);
  snu_sub3(ca, c, a);
  snu_cross(normal, ba, ca);
  snu_sub3(da, d, a);
  snReal side1 = snu_dot3(normal, da);
  snReal side2 = -snu_dot3(normal, a);
  return (side1 > 0 && side2 > 0) || (side1 < 0 && side2 < 0);
}

static int fromTetrahedron(Polytope* p, snCcd* ccd) {
  static const int kFaces[4][6] = {
      {0, 1, 2, 1, 3, 2}, {0, 3, 1, 2, 3, 0}, {0, 2, 3, 0, 3, 1}, {3, 2, 1, 2, 0, 1}};
  for (int i = 0; i < 4; i++) p->vert[i] = ccd->simplex[i];
  p->nvert = 4;
  int flat = addFaces(p, kFaces, 4);
  if (flat >= 0) {
    const int* row = kFaces[flat];
    return fromTriangle(p, ccd, p->vert + row[0], p->vert + row[1], p->vert + row[2]);
  }
  for (int i = 0; i < 4; i++) {
    if (!sameSide(p->vert[i].v, p->vert[(i + 1) & 3].v, p->vert[(i + 2) & 3].v,
                  p->vert[(i + 3) & 3].v)) {
      return 0;
    }
  }
  return 1;
}

// rotation by 120 degrees about an axis
static void rotation120(snReal mat[9], const snReal axis[3]) {
  const snReal c = (snReal)-0.5, s = (snReal)0.86602540378;
  snReal u[3];
  snReal norm = snu_norm3(axis);
  for (int i = 0; i < 3; i++) u[i] = axis[i] / norm;
  mat[0] = c + u[0] * u[0] * (1 - c);
  mat[1] = u[0] * u[1] * (1 - c) - u[2] * s;
  mat[2] = u[0] * u[2] * (1 - c) + u[1] * s;
  mat[3] = u[1] * u[0] * (1 - c) + u[2] * s;
  mat[4] = c + u[1] * u[1] * (1 - c);
  mat[5] = u[1] * u[2] * (1 - c) - u[0] * s;
  mat[6] = u[2] * u[0] * (1 - c) - u[1] * s;
  mat[7] = u[2] * u[1] * (1 - c) + u[0] * s;
  mat[8] = c + u[2] * u[2] * (1 - c);
}

// does the line through a and b pass through the triangle cde?
static int pierces(const snReal a[3], const snReal b[3], const snReal c[3], const snReal d[3],
                   const snReal e[3]) {
  snReal ba[3], ca[3], da[3], ea[3];
  snu_sub3(ba, b, a);
  snu_sub3(ca, c, a);
  snu_sub3(da, d, a);
  snu_sub3(ea, e, a);
  snReal v1 = sn_tripleProduct(ca, da, ba), v2 = sn_tripleProduct(da, ea, ba),
         v3 = sn_tripleProduct(ea, ca, ba);
  return (v1 >= 0 && v2 >= 0 && v3 >= 0) || (v1 <= 0 && v2 <= 0 && v3 <= 0);
}

// segment: three supports around it
static int fromSegment(Polytope* p, snCcd* ccd) {
  static const int kFaces[6][6] = {{0, 2, 3, 1, 3, 2}, {0, 4, 2, 2, 4, 0}, {0, 3, 4, 0, 5, 1},
                                   {1, 3, 2, 5, 0, 4}, {1, 2, 4, 3, 1, 5}, {1, 4, 3, 4, 2, 3}};
  snReal line[3], unit[3] = {0, 0, 0}, around[3], mat[9];
  p->vert[0] = ccd->simplex[0];
  p->vert[1] = ccd->simplex[1];
  p->nvert = 5;
  snu_sub3(line, p->vert[1].v, p->vert[0].v);
  int axis = 0;
  for (int i = 1; i < 3; i++) {
    if (snu_abs(line[i]) < snu_abs(line[axis])) axis = i;
  }
  unit[axis] = 1;
  snu_cross(around, unit, line);
  rotation120(mat, line);
  for (int i = 2; i < 5; i++) {
    supportAlong(p->vert + i, ccd, around, snu_norm3(around));
    snu_mulMatVec3(around, mat, around);
  }
  int flat = addFaces(p, kFaces, 6);
  if (flat >= 0) {
    const int* row = kFaces[flat];
    return fromTriangle(p, ccd, p->vert + row[0], p->vert + row[1], p->vert + row[2]);
  }
  return pierces(p->vert[0].v, p->vert[1].v, p->vert[2].v, p->vert[3].v, p->vert[4].v);
}

static int firstPolytope(Polytope* p, snCcd* ccd) {
  clear(p);
  switch (ccd->nsimplex) {
    case 2: return fromSegment(p, ccd);
    case 3: return fromTriangle(p, ccd, ccd->simplex, ccd->simplex + 1, ccd->simplex + 2);
    case 4: return fromTetrahedron(p, ccd);
    default: return 0;
  }
}

// ---- expansion

static inline int nextEdge(int edge) { return edge == 2 ? 0 : edge + 1; }

// Visit the neighbour across an edge of a face later, through the edge that they share there: it
// starts where the edge of this face ends.
static inline void pushEdge(Polytope* p, int* nstack, const Face* face, int edge) {
  int neighbour = face->adjacent[edge];
  const int* vert = p->face[neighbour].vert;
  int end = face->vert[nextEdge(edge)];
  int shared = vert[0] == end ? 0 : vert[1] == end ? 1 : 2;
  p->stack[(*nstack)++] = (neighbour << 2) | shared;
}

// remove the faces that a new vertex sees, starting from one, and collect the edges around them
static void openHorizon(Polytope* p, int start, const snReal w[3]) {
  int nstack = 0;
  p->nhorizon = 0;
  const Face* first = p->face + start;
  removeFace(p, start);
  for (int edge = 2; edge >= 0; edge--) pushEdge(p, &nstack, first, edge);

  while (nstack > 0) {
    int entry = p->stack[--nstack];
    int place = entry >> 2, edge = entry & 3;
    const Face* face = p->face + place;
    if (face->candidate == kRemoved) continue;
    if (snu_dot3(face->point, w) - face->square > snMINVAL) {
      removeFace(p, place);
      int next = nextEdge(edge);
      pushEdge(p, &nstack, face, nextEdge(next));
      pushEdge(p, &nstack, face, next);
    } else {
      p->horizon[p->nhorizon++] = entry;
    }
  }
}

// Join the horizon to a new vertex. Returns 0 when a new face is degenerate.
static int closeHorizon(Polytope* p, int w, snReal lower, snReal upper) {
  int n = p->nhorizon;
  int* fresh = p->stack;
  for (int i = 0; i < n; i++) fresh[i] = takePlace(p);
  for (int i = 0; i < n; i++) {
    int outer = p->horizon[i] >> 2, edge = p->horizon[i] & 3;
    Face* neighbour = p->face + outer;
    int a = neighbour->vert[edge], b = neighbour->vert[nextEdge(edge)];
    neighbour->adjacent[edge] = fresh[i];
    const Face* face = setFace(p, fresh[i], w, b, a, fresh[i == 0 ? n - 1 : i - 1], outer,
                               fresh[i == n - 1 ? 0 : i + 1]);
    if (face->square == 0) return 0;
    if (face->square >= lower && face->square <= upper) addCandidate(p, fresh[i]);
  }
  return 1;
}

static int knownVertex(const Polytope* p, const snMinkowski* w) {
  for (int i = 0; i < p->nvert; i++) {
    if (p->vert[i].id1 == w->id1 && p->vert[i].id2 == w->id2) return 1;
  }
  return 0;
}

// first of the nearest candidates; -1: there is none
static int nearestCandidate(const Polytope* p) {
  snReal best = SN_CCD_FAR;
  int nearest = -1;
  for (int i = 0; i < p->ncandidate; i++) {
    int nearer = p->square[i] < best;
    nearest = nearer ? i : nearest;
    best = nearer ? p->square[i] : best;
  }
  return nearest < 0 ? -1 : p->candidate[nearest];
}

// Grow the polytope. Returns 1 and the face nearest to the origin, or 0.
static int expand(Polytope* p, snCcd* ccd, Face* answer) {
  int discrete = sn_ccdDiscrete(ccd);
  snReal tolerance = discrete ? snMINVAL : ccd->tolerance;
  snReal upper = SN_CCD_FAR, upper2 = SN_CCD_FAR;
  int found = 0;
  for (int k = 0; k < ccd->iterations; k++) {
    int nearest = nearestCandidate(p);
    if (nearest < 0 || p->face[nearest].square > upper2) break;
    *answer = p->face[nearest];
    found = 1;
    snReal lower2 = answer->square;
    if (!(lower2 > 0)) {
      snu_warning("EPA: origin lies on affine hull of face");
      break;
    }

    snReal lower = snu_sqrt(lower2);
    snMinkowski* w = p->vert + p->nvert;
    supportAlong(w, ccd, answer->point, lower);
    snReal bound = snu_dot3(answer->point, w->v) / lower;
    if (bound < upper) {
      upper = bound;
      upper2 = upper * upper;
    }
    if (upper - lower < tolerance) break;
    if (discrete && knownVertex(p, w)) break;
    p->nvert++;

    openHorizon(p, nearest, w->v);
    if (p->nhorizon < 3) return 0;
    if (p->ncreated + p->nhorizon > p->maxcreated) {
      snu_warning("EPA: out of memory for faces on expanding polytope");
      break;
    }
    if (!closeHorizon(p, p->nvert - 1, lower2, upper2)) return 0;
    if (p->ncandidate == 0) break;
  }
  return found;
}

int sn_epa(snCcd* ccd, snMinkowski face[3]) {
  Polytope polytope;
  Face answer;
  initialise(&polytope, ccd->scratch, ccd->iterations);
  if (!firstPolytope(&polytope, ccd)) return 0;
  ccd->npoint = 0;
  if (!expand(&polytope, ccd, &answer)) return 0;

  for (int i = 0; i < 3; i++) face[i] = polytope.vert[answer.vert[i]];
  snReal lambda[3];
  snReal total = sn_triangleAreas(lambda, answer.point, face[0].v, face[1].v, face[2].v);
  for (int i = 0; i < 3; i++) lambda[i] /= total;
  for (int i = 0; i < 3; i++) {
    ccd->x1[0][i] =
        lambda[0] * face[0].s1[i] + lambda[1] * face[1].s1[i] + lambda[2] * face[2].s1[i];
    ccd->x2[0][i] =
        lambda[0] * face[0].s2[i] + lambda[1] * face[1].s2[i] + lambda[2] * face[2].s2[i];
  }
  ccd->npoint = 1;
  ccd->dist = -snu_sqrt(answer.square);
  return 1;
}
