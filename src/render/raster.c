// Shapes to triangles on the screen: vertices are projected, triangles clipped and culled; fill.c does the rest.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/team.h"
#include "render/fill.h"

enum {
  // outcodes: clipped
  kNear = 1,
  kUser = 2,
  kGuard = 4,
  // rejected when all corners have the same
  kLeft = 64,
  kRight = 128,
  kBelow = 256,
  kAbove = 512,
  kFar = 1024,
  kReject = kLeft | kRight | kBelow | kAbove | kFar | kNear | kUser,
  kClip = kNear | kUser | kGuard,
};

static const double kGuardPixels = 30000;

// From the coordinates of a shape to the screen: X, Y, Z, W, and the side of the view's clip plane.
typedef struct Place_ {
  double row[5][4];
} Place;

static void setPlace(const View* v, const Instance* in, Place* p) {
  for (int i = 0; i < 5; i++) {
    const double* row = i < 4 ? v->row[i] : v->clip;
    double* out = p->row[i];
    for (int j = 0; j < 3; j++) {
      out[j] = row[0] * in->mat[j] + row[1] * in->mat[3 + j] + row[2] * in->mat[6 + j];
    }
    out[3] = row[0] * in->pos[0] + row[1] * in->pos[1] + row[2] * in->pos[2] + row[3];
  }
}

SN_KERNEL double along(const double row[4], const float at[3]) {
  return row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3];
}

// ---- clipping ----

typedef struct Clipped_ {
  double h[4], side;
} Clipped;

// Depth over the screen, from its values at the corners divided by W.
static inline void setDepth(const Verts* v, const int at[3], Ready* t) {
  int a = at[0], b = at[1], c = at[2];
  double ux = v->x[b] - v->x[a], uy = v->y[b] - v->y[a], uz = v->z[b] - v->z[a];
  double wx = v->x[c] - v->x[a], wy = v->y[c] - v->y[a], wz = v->z[c] - v->z[a];
  double area = ux * wy - wx * uy, inverse = area != 0 ? 1 / area : 0;
  t->zx = (uz * wy - wz * uy) * inverse;
  t->zy = (ux * wz - wx * uz) * inverse;
  t->at = v->z[a] - t->zx * v->x[a] - t->zy * v->y[a];
}

// The same where W may be anything: (Z0 Z1 Z2) M^-1 (x y 1), with the columns (X Y W) of the corners in M.
static void setClippedDepth(const Clipped p[3], Ready* t) {
  double m[3][3], det = 0, c[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    const double *a = p[(k + 1) % 3].h, *b = p[(k + 2) % 3].h;
    m[k][0] = a[1] * b[3] - a[3] * b[1];
    m[k][1] = a[3] * b[0] - a[0] * b[3];
    m[k][2] = a[0] * b[1] - a[1] * b[0];
  }
  const double* first = p[0].h;
  det = first[0] * m[0][0] + first[1] * m[0][1] + first[3] * m[0][2];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) c[i] += p[k].h[2] * m[k][i];
  }
  double inverse = det != 0 ? 1 / det : 0;
  t->zx = c[0] * inverse;
  t->zy = c[1] * inverse;
  t->at = c[2] * inverse;
}

// Corners against the clock; 0: the triangle is not drawn.
static inline int turn(Ready* t, int cull) {
  long long area = (long long)(t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) -
                   (long long)(t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
  if (area == 0 || (area > 0 && cull < 0) || (area < 0 && cull > 0)) return 0;
  if (area > 0) return 1;
  int x = t->x[1], y = t->y[1];
  t->x[1] = t->x[2];
  t->x[2] = x;
  t->y[1] = t->y[2];
  t->y[2] = y;
  t->hidden = (t->hidden & 2) | (t->hidden & 1) << 2 | t->hidden >> 2;
  return 1;
}

// on the grid; the shift keeps the argument positive
SN_KERNEL int toGrid(double x) { return (int)(x * kUnitPixel + (kShift + 0.5)) - kShift; }
SN_KERNEL int isOnGrid(double x) { return fabs(x) < kShift / kUnitPixel; }

// signed distance from one of the planes, in homogeneous coordinates
static double planeSide(const Raster* r, const Clipped* p, int plane) {
  double w = p->h[3];
  switch (plane) {
    case 0: return w - p->h[2];
    case 1: return r->view->has_clip ? p->side : 1;
    case 2: return p->h[0] + kGuardPixels * w;
    case 3: return (r->width + kGuardPixels) * w - p->h[0];
    case 4: return p->h[1] + kGuardPixels * w;
    default: return (r->view->height + kGuardPixels) * w - p->h[1];
  }
}

static int clipPolygon(const Raster* r, Clipped* out, const Clipped* in, int n, int plane) {
  SN_ASSERT(n >= 3 && out != in);
  int count = 0;
  for (int k = 0; k < n; k++) {
    const Clipped *a = in + k, *b = in + (k + 1) % n;
    double da = planeSide(r, a, plane), db = planeSide(r, b, plane);
    if (da >= 0) out[count++] = *a;
    if ((da >= 0) != (db >= 0)) {
      double t = da / (da - db);
      Clipped* c = out + count++;
      for (int i = 0; i < 4; i++) c->h[i] = a->h[i] + t * (b->h[i] - a->h[i]);
      c->side = a->side + t * (b->side - a->side);
    }
  }
  return count;
}

static void fillPiece(const Raster* r, const Ready* piece) {
#ifdef SN_TEAM
  if (SN_LANES > 1) {
    snr_fillAlone(r, piece);
    return;
  }
#endif
  snr_fillTriangle(r, piece);
}

// A triangle that a plane cuts is filled in pieces, by one lane. Few are.
static SN_OUTLINE void drawClipped(const Raster* r, const Place* place,
                                   const float* const corner[3], Ready* t, int cull) {
  Clipped polygon[2][12];
  int n = 3, from = 0;
  for (int k = 0; k < 3; k++) {
    Clipped* p = polygon[0] + k;
    for (int i = 0; i < 4; i++) p->h[i] = along(place->row[i], corner[k]);
    p->side = along(place->row[4], corner[k]);
  }
  setClippedDepth(polygon[0], t);
  for (int side = 0; side < 6 && n >= 3; side++) {
    if (n > 3 + side) return;  // a plane adds one corner at most, unless numbers are not finite
    n = clipPolygon(r, polygon[!from], polygon[from], n, side);
    from = !from;
  }
  for (int k = 1; k + 1 < n; k++) {
    const int at[3] = {0, k, k + 1};
    Ready piece = *t;
    for (int i = 0; i < 3; i++) {
      const double* h = polygon[from][at[i]].h;
      double x = h[0] / h[3], y = h[1] / h[3];
      if (!(h[3] > 0 && isOnGrid(x) && isOnGrid(y))) return;
      piece.x[i] = toGrid(x);
      piece.y[i] = toGrid(y);
    }
    if (turn(&piece, cull)) fillPiece(r, &piece);
  }
}

// ---- vertices ----

// What does not change from vertex to vertex.
typedef struct Bounds_ {
  double left, right, below, above;  // of the rows that are drawn
  double guard_right, guard_above;
} Bounds;

SN_KERNEL void projectVertex(const Place* p, const Bounds* b, int has_clip, const float* at,
                             Verts* v, int k) {
  double X = along(p->row[0], at), Y = along(p->row[1], at), Z = along(p->row[2], at),
         W = along(p->row[3], at), side = along(p->row[4], at);
  int seen = W - Z >= 0;
  double inverse = 1 / (seen ? W : 1), x = X * inverse, y = Y * inverse;
  int sane = seen & isOnGrid(x) & isOnGrid(y);
  int code = (seen ? 0 : kNear) | (sane ? 0 : kGuard);
  code |= has_clip && side < 0 ? kUser : 0;
  code |= X < 0 ? kLeft : 0;
  code |= X > b->right * W ? kRight : 0;
  code |= Y < b->below * W ? kBelow : 0;
  code |= Y > b->above * W ? kAbove : 0;
  code |= Z < 0 ? kFar : 0;
  code |= X < -kGuardPixels * W ? kGuard : 0;
  code |= X > b->guard_right * W ? kGuard : 0;
  code |= Y < -kGuardPixels * W ? kGuard : 0;
  code |= Y > b->guard_above * W ? kGuard : 0;
  v->x[k] = x;
  v->y[k] = y;
  v->z[k] = Z * inverse;
  v->fx[k] = toGrid(sane ? x : 0);
  v->fy[k] = toGrid(sane ? y : 0);
  v->code[k] = code;
}

SN_KERNEL Bounds boundsOf(const Raster* r) {
  double width = r->width, height = r->view->height, below = r->y0, above = r->y1;
  Bounds b = {0, width, below, above, width + kGuardPixels, height + kGuardPixels};
  return b;
}

SN_WIDE_PIXELS(static, void, projectAll,
               (const Raster* r, const Place* place, const float* SN_RESTRICT pos, int count,
                Verts* SN_RESTRICT v),
               (r, place, pos, count, v)) {
  const Place p = *place;
  const Bounds b = boundsOf(r);
  int has_clip = r->view->has_clip;
  SN_FOR(k, count) projectVertex(&p, &b, has_clip, pos + 3 * (size_t)k, v, k);
}

// ---- samples ----

void snr_setSamples(Raster* r, int first, int count, int of) {
  SN_ASSERT(count <= of);
  SN_ASSERT_PART(first, count, 4);
  static const int kOffset[4][2] = {{-32, -96}, {96, -32}, {-96, 32}, {32, 96}};
  r->nsample = count;
  for (int s = 0; s < count; s++) {
    for (int i = 0; i < 2; i++) r->offset[s][i] = of > 1 ? kOffset[first + s][i] : 0;
  }
}

// ---- clusters ----

// Triangles whose vertices have been projected together.
typedef struct Batch_ {
  const Instance* instance;
  const Place* place;
  const Verts* verts;
  const unsigned* packed;  // of the first triangle; NULL: three vertices each
  int vert;                // in the shape, the first one that was projected
  int tri, count;          // in the shape
} Batch;

// the diagonal of a quad: between the second and third corner of its first half, the third and first of the other
static int hiddenEdge(const Shape* s, const Batch* batch, int t) {
  SN_ASSERT_PART(batch->tri, batch->count, s->ntri);
  SN_ASSERT_INDEX(t, batch->count);
  const int* at = s->corner + 3 * (size_t)(batch->tri + t);
  if (!s->quads) return 0;
  if (t + 1 < batch->count && at[1] == at[3] && at[2] == at[5]) return 2;
  return t > 0 && at[0] == at[-2] && at[2] == at[-1] ? 4 : 0;
}

static void clipTriangle(const Raster* r, const Batch* b, const int at[3], Ready* t, int cull) {
  const Shape* s = b->instance->shape;
  const float* corner[3];
  for (int k = 0; k < 3; k++) {
    size_t vertex = s->ncluster || !s->corner ? (size_t)(b->vert + at[k])
                                              : (size_t)s->corner[3 * (size_t)b->tri + at[k]];
    corner[k] = s->pos + 3 * vertex;
  }
  drawClipped(r, b->place, corner, t, cull);
}

// A triangle of a batch; 0: nothing is left to fill.
static inline int setUp(const Raster* r, const Batch* b, int i, int cull, Ready* t) {
  const Verts* v = b->verts;
  int at[3] = {3 * i, 3 * i + 1, 3 * i + 2};
  if (b->packed) {
    unsigned corners = b->packed[i];
    for (int k = 0; k < 3; k++) at[k] = corners >> 8 * k & 255;
  }
  int all = v->code[at[0]] & v->code[at[1]] & v->code[at[2]];
  int any = v->code[at[0]] | v->code[at[1]] | v->code[at[2]];
  if (all & kReject) return 0;
  t->id = (int)(b->instance->tri + b->tri + i);
  t->hidden = r->wire > 0 && b->packed ? hiddenEdge(b->instance->shape, b, i) : 0;
  if (any & kClip) {
    clipTriangle(r, b, at, t, cull);
    return 0;
  }
  SN_UNROLL for (int k = 0; k < 3; k++) {
    t->x[k] = v->fx[at[k]];
    t->y[k] = v->fy[at[k]];
  }
  if (!turn(t, cull) || !snr_mayCover(r, t)) return 0;
  setDepth(v, at, t);
  return 1;
}

#ifdef SN_TEAM
void snr_finishRaster(Raster* r) {
  if (SN_LANES == 1 || !r->waiting) return;
  SN_SYNC();
  snr_fillTriangles(r, r->queue, r->waiting);
  r->waiting = 0;
  SN_SYNC();
}

// The lanes look at a triangle each. Few are left to fill; those wait until there are enough for all lanes.
static void drawTogether(Raster* r, const Batch* b, int cull) {
  for (int first = 0; first < b->count; first += SN_LANES) {
    Ready t;
    int total, i = first + SN_LANE, ready = i < b->count && setUp(r, b, i, cull, &t);
    int before = sn_teamRank(ready, &total);
    if (ready) r->queue[r->waiting + before] = t;
    r->waiting += total;
    if (r->waiting > kQueue - SN_LANES) snr_finishRaster(r);
  }
}
#else
void snr_finishRaster(Raster* r) { (void)r; }
#endif

static void drawBatch(Raster* r, const Batch* b, int cull) {
  SN_ASSERT_PART(b->tri, b->count, b->instance->shape->ntri);
#ifdef SN_TEAM
  if (SN_LANES > 1) {
    drawTogether(r, b, cull);
    return;
  }
#endif
  for (int i = 0; i < b->count; i++) {
    Ready t;
    if (setUp(r, b, i, cull, &t)) snr_fillTriangle(r, &t);
  }
}

// Whether a sphere may be seen in the rows of a raster.
static int sphereSeen(const Raster* r, const float center[3], float radius) {
  // a sphere is outside of a plane n.x + d >= 0 when n.c + d < -|n| radius
  const View* v = r->view;
  double planes[5][4];
  for (int j = 0; j < 4; j++) {
    double X = v->row[0][j], Y = v->row[1][j], Z = v->row[2][j], W = v->row[3][j];
    planes[0][j] = X;
    planes[1][j] = r->width * W - X;
    planes[2][j] = Y - r->y0 * W;
    planes[3][j] = r->y1 * W - Y;
    planes[4][j] = W - Z;
  }
  for (int k = 0; k < 5; k++) {
    const double* p = planes[k];
    double side = p[0] * center[0] + p[1] * center[1] + p[2] * center[2] + p[3];
    if (side < 0 && side * side > (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) * radius * radius)
      return 0;
  }
  return 1;
}

// Whether a sphere may be seen; where shadows are traced, by a query.
static int mayCount(const Raster* r, const float center[3], float radius) {
  Box box;
  if (!sphereSeen(r, center, radius)) return 0;
  return !r->trace || !snr_boundSphere(r->view, center, radius, &box) ||
         snr_isAsked(r->trace, &box);
}

// Shapes that change have no clusters: as many triangles at a time as there is room for corners.
static void rasterLoose(Raster* r, const Instance* in, const Place* place, Verts* verts, int cull) {
  const Shape* s = in->shape;
  const Bounds b = boundsOf(r);
  int most = kClusterVerts / 3;
  for (int first = r->team * most; first < s->ntri; first += r->teams * most) {
    int count = s->ntri - first < most ? s->ntri - first : most;
    Batch batch = {in, place, verts, NULL, 3 * first, first, count};
    SN_FOR(k, 3 * count) {
      int at = s->corner ? s->corner[3 * first + k] : 3 * first + k;
      projectVertex(place, &b, r->view->has_clip, s->pos + 3 * (size_t)at, verts, k);
    }
    SN_SYNC();
    drawBatch(r, &batch, cull);
    SN_SYNC();
  }
}

static int clusterSeen(const Raster* r, const Instance* in, const Cluster* cluster) {
  const Shape* s = in->shape;
  float center[3], stretch = s->radius > 0 ? in->radius / s->radius : 0;
  if (s->ncluster == 1) return 1;  // seen, because the instance is
  mulMat3f(center, in->mat, cluster->center);
  for (int i = 0; i < 3; i++) center[i] += in->pos[i];
  return mayCount(r, center, cluster->radius * stretch);
}

static void rasterCluster(Raster* r, const Instance* in, const Place* place, Verts* verts,
                          const Cluster* cluster, int cull) {
  const Shape* s = in->shape;
  Batch batch = {in,           place,        verts, s->packed + cluster->tri, cluster->vert,
                 cluster->tri, cluster->ntri};
  projectAll(r, place, s->pos + 3 * (size_t)cluster->vert, cluster->nvert, verts);
  SN_SYNC();
  drawBatch(r, &batch, cull);
  SN_SYNC();
}

// The clusters of a shape are dealt out to the teams, beginning with another one at every geom.
static int firstCluster(const Raster* r, const Instance* in) {
  return (in->geom + r->team) % r->teams;
}

int snr_hasPart(const Raster* r, const Instance* in) {
  const Shape* s = in->shape;
  return !s->ncluster || (firstCluster(r, in) < s->ncluster && mayCount(r, in->center, in->radius));
}

// A lane each sees whether clusters are in view.
SN_OUTLINE void snr_rasterInstance(Raster* r, const Instance* in, int cull) {
  const Shape* s = in->shape;
  Place place;
  Verts own, *verts = r->verts ? r->verts : &own;
  int first = firstCluster(r, in);
  if (r->view->flipped) cull = -cull;
  setPlace(r->view, in, &place);
  if (!s->ncluster) rasterLoose(r, in, &place, verts, cull);
  for (; first < s->ncluster; first += r->teams * SN_LANES) {
    int c = first + r->teams * SN_LANE, seen = 0;
    if (c < s->ncluster) seen = clusterSeen(r, in, s->cluster + c);
    for (unsigned set = sn_teamBallot(seen); set; set &= set - 1) {
      const Cluster* cluster = s->cluster + first + r->teams * sn_firstBit(set);
      rasterCluster(r, in, &place, verts, cluster, cull);
    }
  }
}
