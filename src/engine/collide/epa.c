#include "base/assert.h"
#include "engine/collide/convex_query.h"

// Faces, vertices and candidates are addressed by their offset in bytes from the first one, because scaling indices
// would cost: more than half of the work here is following references.
typedef unsigned Place;

// A face of the polytope.
typedef struct Face_ {
  snReal point[3];    // projection of the origin on its plane
  snReal square;      // squared length of point
  Place vert[4];      // its corners, and the first again
  Place adjacent[3];  // across the edges 01, 12, 20: the face there + its name for the edge
  int candidate;      // place in the list of candidates; or one of the values below
} Face;
enum { kHidden = -1, kRemoved = -2 };

// A face that may be nearest to the origin.
typedef struct Candidate_ {
  snReal square;
  Place face;
} Candidate;

// The polytope. A connected patch of R faces has at most R + 2 edges around it, so an expansion
// adds at most two faces; with the places of the faces it removes used again, 2 K + 6 faces suffice
// for K iterations.
typedef struct Polytope_ {
  snMinkowski* vert;
  Face* face;
  Candidate* candidate;
  Place* removed;  // the faces that an expansion removes
  Place* horizon;  // edges around them
  Place* stack;    // edges still to cross
  int nvert, nface, ncandidate, nremoved;
  int room;                  // iterations that there is memory for
  int ncreated, maxcreated;  // faces made so far; beyond the limit the expansion gives up
} Polytope;

static inline int faceCapacity(int iterations) { return 2 * iterations + 10; }

static inline int vertexCapacity(int iterations) { return iterations + 6; }

size_t sn_epaBytes(int iterations) {
  size_t nface = (size_t)faceCapacity(iterations);
  size_t nvert = (size_t)vertexCapacity(iterations);
  return nvert * sizeof(snMinkowski) +
         nface * (sizeof(Face) + sizeof(Candidate) + 3 * sizeof(Place));
}

// all iterations, or those for which there is memory
static int roomFor(int iterations, size_t bytes) {
  size_t first = sn_epaBytes(0), each = sn_epaBytes(1) - first;
  SN_ASSERT(bytes >= first);
  return bytes >= sn_epaBytes(iterations) ? iterations : (int)((bytes - first) / each);
}

static void initialise(Polytope* p, void* memory, size_t bytes, int iterations) {
  p->room = roomFor(iterations, bytes);
  int nface = faceCapacity(p->room);
  p->vert = (snMinkowski*)memory;
  p->face = (Face*)(p->vert + vertexCapacity(p->room));
  p->candidate = (Candidate*)(p->face + nface);
  p->removed = (Place*)(p->candidate + nface);
  p->horizon = p->removed + nface;
  p->stack = p->horizon + nface;
  p->maxcreated = iterations > 170 ? 6 * iterations : 1020;
}

// the lists have room for all faces
static inline int hasPlace(const Polytope* p, int n) { return n >= 0 && n < p->stack - p->horizon; }

static void clear(Polytope* p) { p->nvert = p->nface = p->ncandidate = p->ncreated = 0; }

static inline Place facePlace(int index) { return (Place)index * (Place)sizeof(Face); }

static inline Place vertexPlace(int index) { return (Place)index * (Place)sizeof(snMinkowski); }

static inline Face* faceAt(Face* first, Place place) { return (Face*)((char*)first + place); }

static inline const snMinkowski* vertexAt(const snMinkowski* first, Place place) {
  return (const snMinkowski*)((const char*)first + place);
}

// fill in a face
SN_KERNEL void setFace(Face* face, const snMinkowski* vert, Place a, Place b, Place c,
                       Place adjacent0, Place adjacent1, Place adjacent2) {
  face->vert[0] = face->vert[3] = a;
  face->vert[1] = b;
  face->vert[2] = c;
  face->adjacent[0] = adjacent0;
  face->adjacent[1] = adjacent1;
  face->adjacent[2] = adjacent2;
  snReal square = 0;
  if (sn_projectOrigin(face->point, vertexAt(vert, c)->v, vertexAt(vert, b)->v,
                       vertexAt(vert, a)->v)) {
    square = snu_dot3(face->point, face->point);
  }
  face->square = square;
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

// A row of a table of faces: places of the vertices a, b, c, and across the edges, given as 4 * face + edge.
#define VERTEX(i) ((i) * (Place)sizeof(snMinkowski))
#define ACROSS(e) ((e) / 4 * (Place)sizeof(Face) + (e) % 4)
#define FACE(a, b, c, e0, e1, e2) \
  { VERTEX(a), VERTEX(b), VERTEX(c), ACROSS(e0), ACROSS(e1), ACROSS(e2) }

// Add n faces of a table, places counting from the empty polytope on. Returns the first that is degenerate, or -1.
static int addFaces(Polytope* p, const Place table[][6], int n) {
  for (int i = 0; i < n; i++) {
    const Place* row = table[i];
    Face* face = p->face + i;
    setFace(face, p->vert, row[0], row[1], row[2], row[3], row[4], row[5]);
    p->ncreated++;
    if (face->square < snMINVAL * snMINVAL) return i;
  }
  for (int i = 0; i < n; i++) {
    p->candidate[i].square = p->face[i].square;
    p->candidate[i].face = facePlace(i);
    p->face[i].candidate = i;
  }
  p->nface = p->ncandidate = n;
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
  static const Place kFaces[6][6] = {FACE(3, 0, 1, 6, 13, 8),  FACE(3, 2, 0, 10, 17, 0),
                                     FACE(3, 1, 2, 2, 21, 4),  FACE(4, 1, 0, 22, 1, 16),
                                     FACE(4, 0, 2, 14, 5, 20), FACE(4, 2, 1, 18, 9, 12)};
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

static int fromFace(Polytope* p, snCcd* ccd, const Place row[6]) {
  return fromTriangle(p, ccd, vertexAt(p->vert, row[0]), vertexAt(p->vert, row[1]),
                      vertexAt(p->vert, row[2]));
}

static int fromTetrahedron(Polytope* p, snCcd* ccd) {
  static const Place kFaces[4][6] = {FACE(0, 1, 2, 6, 13, 8), FACE(0, 3, 1, 10, 14, 0),
                                     FACE(0, 2, 3, 2, 12, 4), FACE(3, 2, 1, 9, 1, 5)};
  for (int i = 0; i < 4; i++) p->vert[i] = ccd->simplex[i];
  p->nvert = 4;
  int flat = addFaces(p, kFaces, 4);
  if (flat >= 0) return fromFace(p, ccd, kFaces[flat]);
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
  static const Place kFaces[6][6] = {FACE(0, 2, 3, 6, 13, 8),  FACE(0, 4, 2, 10, 17, 0),
                                     FACE(0, 3, 4, 2, 21, 4),  FACE(1, 3, 2, 22, 1, 16),
                                     FACE(1, 2, 4, 14, 5, 20), FACE(1, 4, 3, 18, 9, 12)};
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
  if (flat >= 0) return fromFace(p, ccd, kFaces[flat]);
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

// the edges 1, 2, 0 and 2, 0, 1 that follow the edges 0, 1, 2, two bits each
enum { kNext = 1 | 2 << 2, kAfterNext = 2 | 1 << 4 };

// Remove a face; the last candidate takes its place in the list.
SN_KERNEL void removeFace(Polytope* p, Face* face) {
  SN_ASSERT(face->candidate != kRemoved && hasPlace(p, p->nremoved));
  SN_ASSERT(face->candidate < p->ncandidate);
  int at = face->candidate;
  if (at >= 0) {
    const Candidate* last = p->candidate + --p->ncandidate;
    faceAt(p->face, last->face)->candidate = at;
    p->candidate[at].square = last->square;
    p->candidate[at].face = last->face;
  }
  face->candidate = kRemoved;
  p->removed[p->nremoved++] = (Place)((char*)face - (char*)p->face);
}

// Remove the faces that a new vertex sees, starting from one, and collect the edges around them, in
// order. Returns their number.
SN_KERNEL int openHorizon(Polytope* p, Face* start, const snReal w[3]) {
  int nstack = 0, n = 0;
  p->nremoved = 0;
  removeFace(p, start);
  p->stack[nstack++] = start->adjacent[2];
  p->stack[nstack++] = start->adjacent[1];
  Place entry = start->adjacent[0];
  for (;;) {
    Face* face = faceAt(p->face, entry & ~(Place)3);
    if (face->candidate != kRemoved) {
      if (snu_dot3(face->point, w) - face->square > snMINVAL) {
        removeFace(p, face);
        unsigned shift = 2 * (entry & 3);
        SN_ASSERT((entry & 3) < 3 && hasPlace(p, nstack));
        p->stack[nstack++] = face->adjacent[(kAfterNext >> shift) & 3];
        entry = face->adjacent[(kNext >> shift) & 3];
        continue;
      }
      p->horizon[n++] = entry;
      SN_ASSERT(hasPlace(p, n));
    }
    if (nstack == 0) return n;
    entry = p->stack[--nstack];
  }
}

// Join the n edges of the horizon to a new vertex. Returns 0 when a new face is degenerate.
SN_KERNEL int closeHorizon(Polytope* p, int n, Place w, snReal lower, snReal upper) {
  Place* fresh = p->removed;
  for (; p->nremoved < n; p->nremoved++) fresh[p->nremoved] = facePlace(p->nface++);
  SN_ASSERT(n >= 3 && hasPlace(p, n) && hasPlace(p, p->nface - 1));
  fresh[n] = fresh[0];
  Place before = fresh[n - 1];
  int ncandidate = p->ncandidate;
  for (int i = 0; i < n; i++) {
    Place outer = p->horizon[i], place = fresh[i];
    Face* neighbour = faceAt(p->face, outer & ~(Place)3);
    Face* face = faceAt(p->face, place);
    Place edge = outer & 3;
    neighbour->adjacent[edge] = place + 1;
    setFace(face, p->vert, w, neighbour->vert[edge + 1], neighbour->vert[edge], before + 2, outer,
            fresh[i + 1]);
    snReal square = face->square;
    if (square == 0) return 0;
    // always written, but counted only if it is a candidate: a branch would be unpredictable
    int listed = (square >= lower) & (square <= upper);
    p->candidate[ncandidate].square = square;
    p->candidate[ncandidate].face = place;
    face->candidate = (ncandidate & -listed) | (listed - 1);
    ncandidate += listed;
    before = place;
  }
  p->ncandidate = ncandidate;
  return 1;
}

SN_KERNEL int knownVertex(const Polytope* p, const snMinkowski* w) {
  for (int i = 0; i < p->nvert; i++) {
    if (p->vert[i].id1 == w->id1 && p->vert[i].id2 == w->id2) return 1;
  }
  return 0;
}

// first of the nearest candidates; NULL: there is none
SN_KERNEL Face* nearestCandidate(const Polytope* p) {
  const Candidate* candidate = p->candidate;
  snReal best = SN_CCD_FAR;
  int nearest = -1;
  int n = p->ncandidate;
  for (int i = 0; i < n; i++) {
    int nearer = candidate[i].square < best;
    nearest = nearer ? i : nearest;
    best = nearer ? candidate[i].square : best;
  }
  return nearest < 0 ? NULL : faceAt(p->face, candidate[nearest].face);
}

// Copies the answer number by number: wider loads would stall on the stores just before.
SN_KERNEL void keepFace(Face* answer, const Face* face) {
  snu_copy3(answer->point, face->point);
  answer->square = face->square;
  for (int i = 0; i < 3; i++) answer->vert[i] = face->vert[i];
}

// Grow the polytope.
SN_KERNEL snEpaResult expand(Polytope* p, snCcd* ccd, Face* answer) {
  int discrete = sn_ccdDiscrete(ccd);
  snReal tolerance = discrete ? snMINVAL : ccd->tolerance;
  snReal upper = SN_CCD_FAR, upper2 = SN_CCD_FAR;
  snEpaResult result = snEPA_NONE;
  for (int k = 0; k < ccd->iterations; k++) {
    Face* nearest = nearestCandidate(p);
    if (!nearest || nearest->square > upper2) break;
    if (k == p->room) return snEPA_MORE;
    keepFace(answer, nearest);
    result = snEPA_FOUND;
    snReal lower2 = answer->square;
    if (!(lower2 > 0)) {
      snu_warning("EPA: origin lies on affine hull of face");
      break;
    }

    snReal lower = snu_sqrt(lower2);
    snMinkowski* w = p->vert + p->nvert;
    SN_ASSERT(p->nvert < vertexCapacity(p->room));
    supportAlong(w, ccd, answer->point, lower);
    snReal bound = snu_dot3(answer->point, w->v) / lower;
    upper = bound < upper ? bound : upper;
    upper2 = upper * upper;
    if (upper - lower < tolerance) break;
    if (discrete && knownVertex(p, w)) break;
    p->nvert++;

    int nhorizon = openHorizon(p, nearest, w->v);
    if (nhorizon < 3) return snEPA_NONE;
    if (p->ncreated + nhorizon > p->maxcreated) {
      snu_warning("EPA: out of memory for faces on expanding polytope");
      break;
    }
    p->ncreated += nhorizon;
    if (!closeHorizon(p, nhorizon, vertexPlace(p->nvert - 1), lower2, upper2)) return snEPA_NONE;
    if (p->ncandidate == 0) break;
  }
  return result;
}

#ifdef SN_DEVICE
// A copy for polytopes in fast memory: loads and stores of known memory take fewer instructions.
SN_KERNEL snEpaResult expandFast(Polytope p, snCcd* ccd, Face* answer) {
  p.vert = SN_FAST(snMinkowski, p.vert);
  p.face = SN_FAST(Face, p.face);
  p.candidate = SN_FAST(Candidate, p.candidate);
  p.removed = SN_FAST(Place, p.removed);
  p.horizon = SN_FAST(Place, p.horizon);
  p.stack = SN_FAST(Place, p.stack);
  return expand(&p, ccd, answer);
}
#endif

static snEpaResult expandAnywhere(Polytope* p, snCcd* ccd, Face* answer) {
#ifdef SN_DEVICE
  if (sn_isFast(p->vert)) return expandFast(*p, ccd, answer);
#endif
  return expand(p, ccd, answer);
}

snEpaResult sn_epa(snCcd* ccd, void* memory, size_t bytes, snMinkowski face[3]) {
  SN_ASSERT(memory && ccd->iterations <= SN_CCD_MOST);
  ccd = SN_OWN(snCcd, ccd);
  Polytope polytope;
  Face answer;
  initialise(&polytope, memory, bytes, ccd->iterations);
  int before = ccd->npoint;
  if (!firstPolytope(&polytope, ccd)) return snEPA_NONE;
  ccd->npoint = 0;
  snEpaResult result = expandAnywhere(&polytope, ccd, &answer);
  if (result == snEPA_MORE) ccd->npoint = before;
  if (result != snEPA_FOUND) return result;

  for (int i = 0; i < 3; i++) face[i] = *vertexAt(polytope.vert, answer.vert[i]);
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
  return snEPA_FOUND;
}
