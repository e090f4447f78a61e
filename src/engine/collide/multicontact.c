// Several contact points between flat features of boxes and meshes.
//
// EPA's face has three vertices on each object. They span a vertex, an edge or a face of that
// object, whose neighbouring face normals are looked up; where two faces are parallel, or an edge
// lies in a face, one feature is clipped against the prism over the other (I. E. Sutherland,
// G. W. Hodgman, Reentrant polygon clipping, CACM 17 (1974)).

#include "base/assert.h"
#include "engine/collide/convex_query.h"

enum { kMaxFeature = 150, kMaxClip = SN_MANIFOLD_CORNERS };  // 2 kMaxFeature + 8

// cosine of the angle up to which faces count as parallel, and its sine for an edge in a face
static const snReal kFaceCosine = (snReal)0.99999872;
static const snReal kEdgeSine = (snReal)0.00159999931;

// Feature of one object under an EPA face.
typedef struct Feature_ {
  const snConvex* object;
  int dim;             // 1 vertex, 2 edge, 3 face
  int id[3];           // its vertex indices
  snReal point[3][3];  // its vertices
  int nface;           // candidate faces
  const int* face;
  int own[3];  // where they are listed, unless the model does
} Feature;

// the stored feature of EPA's face: vertices in order, the second distinct from the first
static void findFeature(Feature* feature, const snConvex* object, const snMinkowski face[3],
                        int second) {
  feature->object = object;
  for (int i = 0; i < 3; i++) {
    feature->id[i] = second ? face[i].id2 : face[i].id1;
    snu_copy3(feature->point[i], second ? face[i].s2 : face[i].s1);
  }
  const int* id = feature->id;
  if (id[0] != id[1]) {
    feature->dim = id[2] == id[0] || id[2] == id[1] ? 2 : 3;
  } else if (id[0] != id[2]) {
    feature->dim = 2;
    feature->id[1] = feature->id[2];
    snu_copy3(feature->point[1], feature->point[2]);
  } else {
    feature->dim = 1;
  }
}

// ---- faces of meshes

static const int* polygonsAt(const snModel* m, int mesh, int vertex, int* n) {
  SN_ASSERT_INDEX(mesh, m->nmesh);
  int adr = m->mesh_vertadr[mesh] + vertex;
  *n = m->mesh_polymapnum[adr];
  return m->mesh_polymap + m->mesh_polymapadr[adr];
}

// polygons that two vertices share, at most two
static int commonPolygons(int common[2], const snModel* m, int mesh, int v1, int v2) {
  int n1, n2, n = 0;
  const int* list1 = polygonsAt(m, mesh, v1, &n1);
  const int* list2 = polygonsAt(m, mesh, v2, &n2);
  for (int i = 0; i < n1; i++) {
    for (int j = 0; j < n2; j++) {
      if (list1[i] != list2[j]) continue;
      common[n++] = list1[i];
      if (n == 2) return n;
    }
  }
  return n;
}

static int hasPolygon(const snModel* m, int mesh, int vertex, int polygon) {
  int n;
  const int* list = polygonsAt(m, mesh, vertex, &n);
  for (int i = 0; i < n; i++) {
    if (list[i] == polygon) return 1;
  }
  return 0;
}

static void findMeshFaces(Feature* feature, const snModel* m) {
  int mesh = feature->object->mesh;
  const int* id = feature->id;
  if (feature->dim == 1) {
    int n;
    feature->face = polygonsAt(m, mesh, id[0], &n);
    feature->nface = n < kMaxFeature ? n : kMaxFeature;
    return;
  }
  int common[2];
  int n = commonPolygons(common, m, mesh, id[0], id[1]);
  for (int i = 0; i < n; i++) {
    if (feature->dim == 3 && !hasPolygon(m, mesh, id[2], common[i])) continue;
    feature->own[feature->nface++] = common[i];
    if (feature->dim == 3) return;
  }
}

// ---- faces of boxes: +x -x +y -y +z -z

// the face that looks along a world direction
static void findBoxFaceAlong(Feature* feature, const snReal direction[3]) {
  snReal local[3];
  snu_mulMatTVec3(local, feature->object->mat, direction);
  snu_normalize3(local);
  for (int face = 0; face < 6; face++) {
    snReal dot = face % 2 ? -local[face / 2] : local[face / 2];
    if (dot > kFaceCosine) {
      feature->own[feature->nface++] = face;
      return;
    }
  }
}

static void findBoxFaces(Feature* feature, const snReal direction[3]) {
  const int* id = feature->id;
  int n = 0;
  for (int axis = 0; axis < 3; axis++) {
    int bit = (id[0] >> axis) & 1;
    if (feature->dim > 1 && ((id[1] >> axis) & 1) != bit) continue;
    if (feature->dim > 2 && ((id[2] >> axis) & 1) != bit) continue;
    feature->own[n++] = 2 * axis + (bit ? 0 : 1);
  }
  if (n == 4 - feature->dim) {
    feature->nface = n;
  } else {
    findBoxFaceAlong(feature, direction);
  }
}

static void findFaces(Feature* feature, const snModel* m, const snReal direction[3]) {
  feature->nface = 0;
  feature->face = feature->own;
  if (feature->object->kind == snGEOM_BOX) {
    findBoxFaces(feature, direction);
  } else {
    findMeshFaces(feature, m);
  }
}

// normal of a candidate face, in the world
static void faceNormal(snReal normal[3], const Feature* feature, const snModel* m, int i) {
  SN_ASSERT_INDEX(i, feature->nface);
  const snConvex* object = feature->object;
  int face = feature->face[i];
  if (object->kind != snGEOM_BOX) {
    int adr = m->mesh_polyadr[object->mesh] + face;
    snu_mulMatVec3(normal, object->mat, m->mesh_polynormal + 3 * adr);
    return;
  }
  snReal sign = face % 2 ? -1 : 1;
  for (int k = 0; k < 3; k++) normal[k] = sign * object->mat[3 * k + face / 2];
}

// ---- edges that meet in a vertex

static void meshPoint(snReal point[3], const snConvex* object, int vertex) {
  const float* v = object->vert + 3 * vertex;
  snReal local[3] = {(snReal)v[0], (snReal)v[1], (snReal)v[2]};
  snu_mulMatVec3(point, object->mat, local);
  snu_addTo3(point, object->pos);
}

static void boxPoint(snReal point[3], const snConvex* object, int corner) {
  snReal local[3];
  for (int i = 0; i < 3; i++) local[i] = (corner >> i) & 1 ? object->size[i] : -object->size[i];
  snu_mulMatVec3(point, object->mat, local);
  snu_addTo3(point, object->pos);
}

// far end points of the edges of a feature; returns their number
static int edgeEnds(const Feature* feature, const snModel* m, snReal end[][3]) {
  const snConvex* object = feature->object;
  if (feature->dim == 2) {
    snu_copy3(end[0], feature->point[1]);
    return 1;
  }
  if (object->kind == snGEOM_BOX) {
    for (int i = 0; i < 3; i++) boxPoint(end[i], object, feature->id[0] ^ (1 << i));
    return 3;
  }
  int n, count = 0;
  const int* list = polygonsAt(m, object->mesh, feature->id[0], &n);
  for (int i = 0; i < n && i < kMaxFeature; i++) {
    int polygon = m->mesh_polyadr[object->mesh] + list[i];
    const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[polygon];
    int nvert = m->mesh_polyvertnum[polygon];
    for (int j = 0; j < nvert; j++) {
      if (vert[j] != feature->id[0]) continue;
      meshPoint(end[count++], object, vert[j == 0 ? nvert - 1 : j - 1]);
      break;
    }
  }
  return count;
}

// ---- clipping

// corners of a face, kMaxFeature at most
static int faceCorners(const snConvex* object, const snModel* m, int face) {
  if (object->kind == snGEOM_BOX) return 4;
  SN_ASSERT_INDEX(face, m->mesh_polynum[object->mesh]);
  int n = m->mesh_polyvertnum[m->mesh_polyadr[object->mesh] + face];
  return n < kMaxFeature ? n : kMaxFeature;
}

// corner i of a face, in the world
static void faceCorner(snReal point[3], const snConvex* object, const snModel* m, int face, int i) {
  // corner codes: bit i set where coordinate i is positive
  static const int kCorner[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6},
                                    {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
  if (object->kind == snGEOM_BOX) {
    SN_ASSERT_INDEX(face, 6);
    boxPoint(point, object, kCorner[face][i]);
    return;
  }
  int adr = m->mesh_polyadr[object->mesh] + face, last = m->mesh_polyvertnum[adr] - 1;
  meshPoint(point, object, m->mesh_polyvert[m->mesh_polyvertadr[adr] + last - i]);
}

// clip a polygon by the half space (x - point) . normal > 0
static int clipPlane(snReal result[][3], const snReal polygon[][3], int n, const snReal normal[3],
                     const snReal point[3]) {
  snReal offset = snu_dot3(normal, point);
  int count = 0;
  for (int i = 0; i < n && count < kMaxClip - 1; i++) {
    const snReal* p = polygon[i];
    const snReal* q = polygon[i == n - 1 ? 0 : i + 1];
    snReal dp[3], dq[3], pq[3];
    snu_sub3(dp, p, point);
    snu_sub3(dq, q, point);
    int inp = snu_dot3(dp, normal) > -snMINVAL;
    int inq = snu_dot3(dq, normal) > -snMINVAL;
    if (!inp && !inq) continue;
    if (inp != inq) {
      snu_sub3(pq, q, p);
      snReal denominator = snu_dot3(normal, pq);
      if (denominator != 0) {
        snReal t = (offset - snu_dot3(normal, p)) / denominator;
        if (t >= 0 && t <= 1) snu_addScl3(result[count++], p, pq, t);
      }
    }
    if (inq) snu_copy3(result[count++], q);
  }
  SN_ASSERT(count <= kMaxClip);
  return count;
}

// clip a polygon by the prism over a face with so many corners; the result is left in polygon
static int clipPolygon(snReal polygon[][3], int n, snReal spare[][3], const snConvex* object,
                       const snModel* m, int face, int ncorner, const snReal normal[3]) {
  snReal(*from)[3] = polygon;
  snReal(*to)[3] = spare;
  snReal a[3], b[3];
  faceCorner(b, object, m, face, 0);
  for (int i = 0; i < ncorner; i++) {
    snReal edge[3], up[3], plane[3];
    snu_copy3(a, b);
    faceCorner(b, object, m, face, i == ncorner - 1 ? 0 : i + 1);
    snu_sub3(edge, b, a);
    snu_add3(up, a, normal);
    snu_subFrom3(up, a);
    snu_cross(plane, edge, up);
    n = clipPlane(to, (const snReal(*)[3])from, n, plane, a);
    snReal(*swap)[3] = from;
    from = to;
    to = swap;
    if (n == 0) return 0;
  }
  if (from != polygon) {
    for (int i = 0; i < n; i++) snu_copy3(polygon[i], from[i]);
  }
  return n;
}

// ---- the four points that span the largest area

static snReal quadArea(const snReal a[3], const snReal b[3], const snReal c[3], const snReal d[3]) {
  snReal ad[3], db[3], bc[3], ca[3], e[3], f[3];
  snu_sub3(ad, d, a);
  snu_sub3(db, b, d);
  snu_sub3(bc, c, b);
  snu_sub3(ca, a, c);
  snu_cross(e, ad, db);
  snu_cross(f, bc, ca);
  snu_addTo3(e, f);
  return (snReal)0.5 * snu_norm3(e);
}

typedef struct Quad_ {
  const snReal (*p)[3];
  int n;
  int at[4];    // corners of the search
  int best[4];  // corners of the largest quadrilateral
  snReal area;
} Quad;

// move one corner on if that enlarges the area
static int advance(Quad* quad, int corner) {
  int next = (quad->at[corner] + 1) % quad->n;
  int at[4] = {quad->at[0], quad->at[1], quad->at[2], quad->at[3]};
  at[corner] = next;
  snReal area = quadArea(quad->p[at[0]], quad->p[at[1]], quad->p[at[2]], quad->p[at[3]]);
  if (!(area > quad->area)) return 0;
  quad->area = area;
  quad->at[corner] = next;
  for (int i = 0; i < 4; i++) quad->best[i] = at[i];
  return 1;
}

// rotating search, every corner of the polygon as the first once
static void largestQuad(int best[4], const snReal polygon[][3], int n) {
  Quad quad;
  quad.p = polygon;
  quad.n = n;
  for (int i = 0; i < 4; i++) quad.at[i] = quad.best[i] = i;
  quad.area = quadArea(polygon[0], polygon[1], polygon[2], polygon[3]);
  for (int a = 0; a < n; a++) {
    quad.at[0] = a;
    while (advance(&quad, 3)) {
      while (advance(&quad, 2)) continue;
      while (advance(&quad, 1)) continue;
    }
    if (quad.at[1] == a) {
      quad.at[1] = (quad.at[1] + 1) % n;
      if (quad.at[2] == quad.at[1]) {
        quad.at[2] = (quad.at[2] + 1) % n;
        if (quad.at[3] == quad.at[2]) quad.at[3] = (quad.at[3] + 1) % n;
      }
    }
  }
  for (int i = 0; i < 4; i++) best[i] = quad.best[i];
}

static int samePoint(const snReal a[3], const snReal b[3]) {
  return snu_abs(a[0] - b[0]) < snMINVAL && snu_abs(a[1] - b[1]) < snMINVAL &&
         snu_abs(a[2] - b[2]) < snMINVAL;
}

static void setPoint(snCcd* ccd, int i, const snReal point[3], const snReal delta[3]) {
  SN_ASSERT_INDEX(i, SN_CCD_POINTS);
  snu_copy3(ccd->x2[i], point);
  snu_sub3(ccd->x1[i], point, delta);
}

static void storePoints(snCcd* ccd, const snReal polygon[][3], int n, const snReal delta[3]) {
  if (n == 0) return;
  if (n > SN_CCD_POINTS) {
    int best[4];
    largestQuad(best, polygon, n);
    for (int i = 0; i < 4; i++) setPoint(ccd, i, polygon[best[i]], delta);
    ccd->npoint = 4;
    return;
  }
  int count = 0;
  for (int i = 0; i < n; i++) {
    int known = 0;
    for (int j = 0; j < count && !known; j++) known = samePoint(ccd->x2[j], polygon[i]);
    if (!known) setPoint(ccd, count++, polygon[i], delta);
  }
  ccd->npoint = count;
}

// ---- the manifold

// faces that are parallel and opposed
static int parallelFaces(const Feature* f1, const Feature* f2, const snModel* m, int* i1, int* i2) {
  snReal normal1[3], normal2[3];
  for (int i = 0; i < f1->nface; i++) {
    faceNormal(normal1, f1, m, i);
    for (int j = 0; j < f2->nface; j++) {
      faceNormal(normal2, f2, m, j);
      if (snu_dot3(normal1, normal2) < -kFaceCosine) {
        *i1 = i;
        *i2 = j;
        return 1;
      }
    }
  }
  return 0;
}

// an edge of one feature that lies in a face of the other; its two points replace polygon
static int edgeInFace(const Feature* edge, const Feature* face, const snModel* m,
                      snReal polygon[][3], snReal end[][3], int* index) {
  int n = edgeEnds(edge, m, end);
  for (int i = 0; i < face->nface; i++) {
    snReal normal[3];
    faceNormal(normal, face, m, i);
    for (int j = 0; j < n; j++) {
      snReal direction[3];
      snu_sub3(direction, end[j], edge->point[0]);
      snu_normalize3(direction);
      if (snu_abs(snu_dot3(direction, normal)) < kEdgeSine) {
        snu_copy3(polygon[0], edge->point[0]);
        snu_copy3(polygon[1], end[j]);
        *index = i;
        return 1;
      }
    }
  }
  return 0;
}

void sn_manifold(snCcd* ccd, void* memory, const snMinkowski face[3]) {
  snReal(*polygon)[3] = (snReal(*)[3])memory, (*spare)[3] = polygon + kMaxClip;
  const snModel* m = ccd->m;
  Feature f1, f2;
  findFeature(&f1, ccd->object1, face, 0);
  findFeature(&f2, ccd->object2, face, 1);
  snReal d21[3], d12[3];
  snu_sub3(d21, ccd->x2[0], ccd->x1[0]);
  snu_scl3(d12, d21, -1);
  snReal depth = snu_norm3(d21);
  findFaces(&f1, m, d12);
  findFaces(&f2, m, d21);

  const Feature* base = &f1;  // the feature that the other is clipped against
  int i1 = 0, i2 = 0, n = 2, parallel = parallelFaces(&f1, &f2, m, &i1, &i2);
  snReal normal[3], delta[3];
  if (parallel) {
    n = faceCorners(f2.object, m, f2.face[i2]);
    for (int i = 0; i < n; i++) faceCorner(polygon[i], f2.object, m, f2.face[i2], i);
  } else if (f1.dim < 3 && f1.dim <= f2.dim) {
    if (!edgeInFace(&f1, &f2, m, polygon, spare, &i2)) return;
    base = &f2;
  } else if (f2.dim < 3) {
    if (!edgeInFace(&f2, &f1, m, polygon, spare, &i1)) return;
  } else {
    return;
  }
  int second = parallel || base == &f2;  // whose normal points from one witness to the other
  faceNormal(normal, second ? &f2 : &f1, m, second ? i2 : i1);
  snu_scl3(delta, normal, second ? depth : -depth);
  int at = base->face[base == &f1 ? i1 : i2], ncorner = faceCorners(base->object, m, at);
  if (ncorner < 3) return;
  faceNormal(normal, base, m, base == &f1 ? i1 : i2);
  n = clipPolygon(polygon, n, spare, base->object, m, at, ncorner, normal);
  storePoints(ccd, (const snReal(*)[3])polygon, n, delta);
}
