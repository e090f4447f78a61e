// Triangles to samples. Screen positions are rounded to 1/256 of a pixel and edges are evaluated in
// integers, so that neighbours share an edge without gap or overlap; depth is a plane in double precision.

#include <math.h>
#include <string.h>

#include "base/team.h"
#include "render/render.h"

enum {
  kUnitPixel = 256,
  kShift = 1 << 24,  // more than the guard band
  // outcodes: clipped
  kNear = 1,
  kUser = 2,
  kGuard = 4 + 8 + 16 + 32,
  // rejected when all corners have the same
  kLeft = 64,
  kRight = 128,
  kBelow = 256,
  kAbove = 512,
  kFar = 1024,
  kReject = kLeft | kRight | kBelow | kAbove | kFar | kNear | kUser,
};

static const double kGuardPixels = 30000;

// edges inside where they are not negative: value at pixel (0, 0), steps in x and y
typedef struct Edges_ {
  long long c[3], sx[3], sy[3];
  double inverse[3];
} Edges;

// ---- spans ----

static void storeSpan(Raster* r, int id, int y, int x0, int x1, double z, double zx) {
  size_t row = (size_t)(y - r->y0) * r->width;
  float* depth = r->z + row;
  int* tri = r->tri + row;
  for (int x = x0; x <= x1; x++) {
    float value = (float)(z + zx * x), old = depth[x];
    int other = tri[x], pass = value >= old;
    depth[x] = pass ? value : old;
    tri[x] = pass ? id : other;
  }
}

#ifdef SN_TEAM
// Lanes draw triangles at the same time: depth in the upper half of a word, the number of the triangle in the lower. The
// largest word is the nearest triangle, and the last of equally near ones, in whatever order they come.
static void raiseKey(unsigned long long* key, unsigned long long value) {
#ifdef SN_DEVICE
  atomicMax(key, value);
#else
  unsigned long long before = __atomic_load_n(key, __ATOMIC_RELAXED);
  while (value > before &&
         !__atomic_compare_exchange_n(key, &before, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

static void storeKeys(Raster* r, int id, int y, int x0, int x1, double z, double zx) {
  unsigned long long* key = r->key + (size_t)(y - r->y0) * r->width;
  for (int x = x0; x <= x1; x++) {
    float value = (float)(z + zx * x);
    unsigned bits;
    if (!(value >= 0)) continue;
    value = value > 0 ? value : 0;  // zero has two signs
    memcpy(&bits, &value, sizeof(bits));
    raiseKey(key + x, (unsigned long long)bits << 32 | ((unsigned)id + 1));
  }
}
#endif

static void shadowSpan(Raster* r, int y, int x0, int x1, double z, double zx) {
  float* depth = r->shadow->depth + (size_t)y * r->shadow->size + x0;
  float start = (float)(z + zx * x0), step = (float)zx;
  for (int i = 0; i <= x1 - x0; i++) {
    float value = start + step * (float)i;
    depth[i] = value > depth[i] ? value : depth[i];
  }
}

// parts of a span that nothing opaque hides
static void blendVisible(Raster* r, int id, int y, int x0, int x1, double z, double zx) {
  const float* depth = r->z + (size_t)(y - r->y0) * r->width;
  int x = x0;
  while (x <= x1) {
    while (x <= x1 && !((float)(z + zx * x) >= depth[x])) x++;
    int start = x;
    while (x <= x1 && (float)(z + zx * x) >= depth[x]) x++;
    if (x > start) snr_blendSpan(r->blend, id, y, start, x - 1);
  }
}

// tiles of a shadow map that a rectangle touches start empty
static void touchTiles(ShadowMap* map, int x0, int y0, int x1, int y1) {
  if (x0 < map->box[0]) map->box[0] = x0;
  if (y0 < map->box[1]) map->box[1] = y0;
  if (x1 >= map->box[2]) map->box[2] = x1 + 1;
  if (y1 >= map->box[3]) map->box[3] = y1 + 1;
  int across = (map->size + kShadowTile - 1) / kShadowTile;
  for (int ty = y0 / kShadowTile; ty <= y1 / kShadowTile; ty++) {
    for (int tx = x0 / kShadowTile; tx <= x1 / kShadowTile; tx++) {
      unsigned* stamp = map->stamp + ty * across + tx;
      if (*stamp == map->current) continue;
      *stamp = map->current;
      int left = tx * kShadowTile, rows = map->size - ty * kShadowTile, columns = map->size - left;
      if (rows > kShadowTile) rows = kShadowTile;
      if (columns > kShadowTile) columns = kShadowTile;
      for (int k = 0; k < rows; k++) {
        memset(map->depth + (size_t)(ty * kShadowTile + k) * map->size + left, 0,
               columns * sizeof(float));
      }
    }
  }
}

// ---- one triangle ----

// First and last pixel of a row inside of all edges. An edge is passed where c + s x = 0. Its values at pixels are
// whole numbers, so that x is a pixel or at least 1/|s| off one; |s| stays below 4e9 and |x| below 1e5, where
// the product is exact to 4e-11: a hair between both tells them apart.
static inline void rowRange(const Edges* e, int y, int* x0, int* x1) {
  const double hair = 1e-10;
  int low = *x0, high = *x1;
  for (int k = 0; k < 3; k++) {
    long long c = e->c[k] + e->sy[k] * y, s = e->sx[k];
    double at = -(double)c * e->inverse[k];
    if (s > 0) {
      at -= hair;
      at = at < low ? low : at > high + 1 ? high + 1 : at;
      int x = (int)at;
      low = x + ((double)x < at);
    } else if (s < 0) {
      at += hair;
      at = at > high ? high : at < low - 1 ? low - 1 : at;
      int x = (int)at;
      high = x - ((double)x > at);
    } else if (c < 0) {
      high = low - 1;
    }
  }
  *x0 = low;
  *x1 = high;
}

// an edge belongs to a triangle when it is a left or a lower one, so that shared edges have one owner
static void setEdges(Edges* e, const int x[3], const int y[3]) {
  for (int k = 0; k < 3; k++) {
    int next = k == 2 ? 0 : k + 1;
    long long dx = x[next] - x[k], dy = y[next] - y[k];
    int owned = dy < 0 || (dy == 0 && dx > 0);
    long long half = kUnitPixel / 2;
    e->sx[k] = -dy * kUnitPixel;
    e->sy[k] = dx * kUnitPixel;
    e->c[k] = dx * (half - y[k]) - dy * (half - x[k]) - !owned;
    e->inverse[k] = e->sx[k] ? 1.0 / (double)e->sx[k] : 0;
  }
}

static int floorDivide(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

static void fillSpan(Raster* r, int id, int row, int a, int b, double z, double zx) {
  if (r->shadow)
    shadowSpan(r, row, a, b, z, zx);
  else if (r->blend)
    blendVisible(r, id, row, a, b, z, zx);
#ifdef SN_TEAM
  else if (r->key)
    storeKeys(r, id, row, a, b, z, zx);
#endif
  else
    storeSpan(r, id, row, a, b, z, zx);
}

// of a span the pixels that are near an edge; c is 256^2 times the distance in pixels times the edge's length
static void wireSpan(Raster* r, const Edges* e, int id, int row, int a, int b, double z,
                     double zx) {
  double reach[3];
  for (int k = 0; k < 3; k++) {
    double length = sqrt((double)e->sx[k] * (double)e->sx[k] + (double)e->sy[k] * (double)e->sy[k]);
    reach[k] = (0.5 * r->wire + 0.25) * length;
  }
  for (int x = a; x <= b; x++) {
    int near = 0;
    for (int k = 0; k < 3; k++) {
      int drawn = !(r->hidden >> k & 1);
      near |= drawn && (double)(e->c[k] + e->sx[k] * x + e->sy[k] * row) < reach[k];
    }
    if (near) fillSpan(r, id, row, x, x, z, zx);
  }
}

// Pixels whose centres may be inside of a triangle, from the lower left one to the upper right one.
typedef struct Box_ {
  int x0, y0, x1, y1;
} Box;

static int pixelBox(const Raster* r, const int x[3], const int y[3], Box* box) {
  int lowx = x[0], highx = x[0], lowy = y[0], highy = y[0], half = kUnitPixel / 2;
  for (int k = 1; k < 3; k++) {
    if (x[k] < lowx) lowx = x[k];
    if (x[k] > highx) highx = x[k];
    if (y[k] < lowy) lowy = y[k];
    if (y[k] > highy) highy = y[k];
  }
  box->x0 = floorDivide(lowx + half - 1, kUnitPixel);
  box->x1 = floorDivide(highx - half, kUnitPixel);
  box->y0 = floorDivide(lowy + half - 1, kUnitPixel);
  box->y1 = floorDivide(highy - half, kUnitPixel);
  if (box->x0 < r->inset) box->x0 = r->inset;
  if (box->x1 > r->width - 1 - r->inset) box->x1 = r->width - 1 - r->inset;
  if (box->y0 < r->y0) box->y0 = r->y0;
  if (box->y1 > r->y1 - 1) box->y1 = r->y1 - 1;
  return box->x0 <= box->x1 && box->y0 <= box->y1;
}

// the depth that a triangle would leave at the texel of a query, as shadowSpan computes it
static void answer(const Edges* e, const Box* box, const double plane[3], Query* q) {
  int a = box->x0, b = box->x1, bits;
  if (q->x < a || q->x > b || q->y < box->y0 || q->y > box->y1) return;
  rowRange(e, q->y, &a, &b);
  if (q->x < a || q->x > b) return;
  double z = plane[0] + plane[2] * q->y;
  float value = (float)(z + plane[1] * a) + (float)plane[1] * (float)(q->x - a);
  if (!(value > 0)) return;
  memcpy(&bits, &value, sizeof(bits));
  SN_LOWER(q->depth, -bits);
}

static void traceTriangle(const Raster* r, const int x[3], const int y[3], const double plane[3]) {
  const Trace* t = r->trace;
  Box box;
  Edges e;
  int known = 0;
  if (!pixelBox(r, x, y, &box)) return;
  for (int ty = box.y0 / t->tile; ty <= box.y1 / t->tile; ty++) {
    for (int tx = box.x0 / t->tile; tx <= box.x1 / t->tile; tx++) {
      int tile = ty * kTraceTiles + tx, begin = tile ? t->end[tile - 1] : 0;
      if (begin == t->end[tile]) continue;
      if (!known) setEdges(&e, x, y);
      known = 1;
      for (int k = begin; k < t->end[tile]; k++) answer(&e, &box, plane, t->query + t->list[k]);
    }
  }
}

SN_WIDE __attribute__((flatten)) static void fillRows(Raster* r, int id, const int x[3],
                                                      const int y[3], const double plane[3]) {
  Box box;
  Edges e;
  if (!pixelBox(r, x, y, &box)) return;
  setEdges(&e, x, y);
  if (r->shadow) touchTiles(r->shadow, box.x0, box.y0, box.x1, box.y1);
  for (int row = box.y0; row <= box.y1; row++) {
    int a = box.x0, b = box.x1;
    rowRange(&e, row, &a, &b);
    if (a > b) continue;
    double z = plane[0] + plane[2] * row;
    if (r->wire > 0)
      wireSpan(r, &e, id, row, a, b, z, plane[1]);
    else
      fillSpan(r, id, row, a, b, z, plane[1]);
  }
}

// plane of depth at the centres of pixels: value at pixel (0, 0), steps in x and y
static void depthPlane(const Raster* r, const Projected* const p[3], double plane[3], int clipped) {
  double zx, zy, at;
  if (!clipped) {
    double ux = p[1]->x - p[0]->x, uy = p[1]->y - p[0]->y, uz = p[1]->z - p[0]->z;
    double wx = p[2]->x - p[0]->x, wy = p[2]->y - p[0]->y, wz = p[2]->z - p[0]->z;
    double area = ux * wy - wx * uy, inverse = area != 0 ? 1 / area : 0;
    zx = (uz * wy - wz * uy) * inverse;
    zy = (ux * wz - wx * uz) * inverse;
    at = p[0]->z - zx * p[0]->x - zy * p[0]->y;
  } else {
    // z = (Z0 Z1 Z2) M^-1 (x y 1), with the columns (X Y W) of the corners in M
    double m[3][3], det = 0, c[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
      const double *a = p[(k + 1) % 3]->h, *b = p[(k + 2) % 3]->h;
      m[k][0] = a[1] * b[3] - a[3] * b[1];
      m[k][1] = a[3] * b[0] - a[0] * b[3];
      m[k][2] = a[0] * b[1] - a[1] * b[0];
    }
    const double* first = p[0]->h;
    det = first[0] * m[0][0] + first[1] * m[0][1] + first[3] * m[0][2];
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 3; i++) c[i] += p[k]->h[2] * m[k][i];
    }
    double inverse = det != 0 ? 1 / det : 0;
    zx = c[0] * inverse;
    zy = c[1] * inverse;
    at = c[2] * inverse;
  }
  plane[1] = zx;
  plane[2] = zy;
  plane[0] = at + zx * (0.5 + r->offset[0]) + zy * (0.5 + r->offset[1]);
  if (r->shadow) {
    // away from the light: 1.5 texels of slope, and 4 units of 24 bits
    double slope = fabs(zx) > fabs(zy) ? fabs(zx) : fabs(zy);
    plane[0] -= 1.5 * slope + 4.0 / 16777216;
  }
}

static void drawProjected(Raster* r, int id, const double x[3], const double y[3],
                          const double plane[3], int cull) {
  int fx[3], fy[3];
  for (int k = 0; k < 3; k++) {
    if (!(fabs(x[k]) < kShift / kUnitPixel && fabs(y[k]) < kShift / kUnitPixel)) return;
    // rounded to the nearest; the shift keeps the argument positive
    fx[k] = (int)((x[k] - r->offset[0]) * kUnitPixel + (kShift + 0.5)) - kShift;
    fy[k] = (int)((y[k] - r->offset[1]) * kUnitPixel + (kShift + 0.5)) - kShift;
  }
  long long area =
      (long long)(fx[1] - fx[0]) * (fy[2] - fy[0]) - (long long)(fx[2] - fx[0]) * (fy[1] - fy[0]);
  if (area == 0 || (area > 0 && cull < 0) || (area < 0 && cull > 0)) return;
  int hidden = r->hidden;
  if (area < 0) {
    r->hidden = (hidden & 2) | (hidden & 1) << 2 | hidden >> 2;
    int swap = fx[1];
    fx[1] = fx[2];
    fx[2] = swap;
    swap = fy[1];
    fy[1] = fy[2];
    fy[2] = swap;
  }
  if (r->trace)
    traceTriangle(r, fx, fy, plane);
  else
    fillRows(r, id, fx, fy, plane);
  r->hidden = hidden;
}

// ---- clipping ----

typedef struct Clipped_ {
  double h[4], side;
} Clipped;

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

static void drawClipped(Raster* r, int id, const Projected* const p[3], int cull) {
  Clipped polygon[2][12];
  int n = 3, from = 0;
  double plane[3];
  for (int k = 0; k < 3; k++) {
    memcpy(polygon[0][k].h, p[k]->h, sizeof(p[k]->h));
    polygon[0][k].side = p[k]->side;
  }
  for (int side = 0; side < 6 && n >= 3; side++) {
    if (n > 3 + side) return;  // a plane adds one corner at most, unless numbers are not finite
    n = clipPolygon(r, polygon[!from], polygon[from], n, side);
    from = !from;
  }
  if (n < 3) return;
  depthPlane(r, p, plane, 1);
  for (int k = 1; k + 1 < n; k++) {
    const int at[3] = {0, k, k + 1};
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
      const double* h = polygon[from][at[i]].h;
      if (!(h[3] > 0)) return;
      x[i] = h[0] / h[3];
      y[i] = h[1] / h[3];
    }
    drawProjected(r, id, x, y, plane, cull);
  }
}

// ---- clusters ----

// where the samples of a pixel lie, from its centre, in sixteenths of a pixel
const double snr_sampleOffset[4][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};

static void projectVertex(const Raster* r, const Instance* in, const float* local, Projected* p) {
  const View* v = r->view;
  float world[3];
  mulMat3f(world, in->mat, local);
  for (int i = 0; i < 3; i++) world[i] += in->pos[i];
  snr_project(v, world, p->h);
  double X = p->h[0], Y = p->h[1], Z = p->h[2], W = p->h[3];
  int code = 0;
  if (!(W - Z >= 0)) code |= kNear;
  if (v->has_clip) {
    p->side = v->clip[0] * world[0] + v->clip[1] * world[1] + v->clip[2] * world[2] + v->clip[3];
    if (p->side < 0) code |= kUser;
  }
  if (X < 0) code |= kLeft;
  if (X > r->width * W) code |= kRight;
  if (Y < r->y0 * W) code |= kBelow;
  if (Y > r->y1 * W) code |= kAbove;
  if (Z < 0) code |= kFar;
  if (X < -kGuardPixels * W) code |= 4;
  if (X > (r->width + kGuardPixels) * W) code |= 8;
  if (Y < -kGuardPixels * W) code |= 16;
  if (Y > (v->height + kGuardPixels) * W) code |= 32;
  p->code = code;
  if (!(code & kNear)) {
    double inverse = 1 / W;
    p->x = X * inverse;
    p->y = Y * inverse;
    p->z = Z * inverse;
  }
}

static void drawSample(Raster* r, int id, const Projected* const p[3], int cull) {
  if ((p[0]->code | p[1]->code | p[2]->code) & (kNear | kUser | kGuard)) {
    drawClipped(r, id, p, cull);
    return;
  }
  double plane[3], x[3] = {p[0]->x, p[1]->x, p[2]->x}, y[3] = {p[0]->y, p[1]->y, p[2]->y};
  double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
  if ((area > 0.01 && cull < 0) || (area < -0.01 && cull > 0)) return;
  depthPlane(r, p, plane, 0);
  drawProjected(r, id, x, y, plane, cull);
}

// where the corners lie on the screen: from, to; in x, y
typedef struct Extent_ {
  double from[2], to[2];
} Extent;

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

static void findExtent(const Projected* const p[3], Extent* e) {
  e->from[0] = least(p[0]->x, least(p[1]->x, p[2]->x));
  e->to[0] = most(p[0]->x, most(p[1]->x, p[2]->x));
  e->from[1] = least(p[0]->y, least(p[1]->y, p[2]->y));
  e->to[1] = most(p[0]->y, most(p[1]->y, p[2]->y));
}

// Whether no sample at an offset lies in an extent. Corners will be rounded to 1/256 of a pixel: it has a margin of as much.
static int missesSamples(const Extent* e, const double offset[2]) {
  const double margin = 1.0 / kUnitPixel, shift = kShift;
  int missed = 0;
  for (int i = 0; i < 2; i++) {
    double from = e->from[i] - offset[i] - 0.5 - margin, to = e->to[i] - offset[i] - 0.5 + margin;
    missed |= from + shift > 0 && to < shift && (int)(from + shift) == (int)(to + shift);
  }
  return missed;
}

// a triangle into all samples of the pixels: corners are projected once
static void drawTriangle(Raster* r, int id, const Projected* const p[3], int cull) {
  if (p[0]->code & p[1]->code & p[2]->code & kReject) return;
  int clipped = (p[0]->code | p[1]->code | p[2]->code) & (kNear | kUser | kGuard);
  Extent extent;
  if (!clipped) findExtent(p, &extent);
  if (!r->nsample) {
    if (clipped || !missesSamples(&extent, r->offset)) drawSample(r, id, p, cull);
    return;
  }
  float* z = r->z;
  int* tri = r->tri;
  unsigned long long* key = r->key;
  for (int k = 0; k < r->nsample; k++) {
    r->offset[0] = snr_sampleOffset[k][0] / 16;
    r->offset[1] = snr_sampleOffset[k][1] / 16;
    r->z = z + k * r->layer;
    r->tri = tri + k * r->layer;
    if (key) r->key = key + k * r->layer;
    if (clipped || !missesSamples(&extent, r->offset)) drawSample(r, id, p, cull);
  }
  r->z = z;
  r->tri = tri;
  r->key = key;
}

int snr_sphereSeen(const Raster* r, const float center[3], float radius) {
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

// shapes that change: no clusters
static void rasterLoose(Raster* r, const Instance* in, int cull) {
  const Shape* s = in->shape;
  SN_FOR(t, s->ntri) {
    Projected p[3];
    const Projected* const corner[3] = {p, p + 1, p + 2};
    for (int k = 0; k < 3; k++) {
      int at = s->corner ? s->corner[3 * t + k] : 3 * t + k;
      projectVertex(r, in, s->pos + 3 * (size_t)at, p + k);
    }
    drawTriangle(r, (int)(in->tri + t), corner, cull);
  }
  SN_SYNC();
}

// the diagonal of a quad: between the second and third corner of its first half, the third and first of the other
static int hiddenEdge(const Shape* s, const Cluster* cluster, int t) {
  const int* at = s->corner + 3 * (size_t)(cluster->tri + t);
  if (!s->quads) return 0;
  if (t + 1 < cluster->ntri && at[1] == at[3] && at[2] == at[5]) return 2;
  return t > 0 && at[0] == at[-2] && at[2] == at[-1] ? 4 : 0;
}

// the vertices of a cluster, then its triangles: both dealt out to the lanes
static void rasterCluster(Raster* r, const Instance* in, const Cluster* cluster,
                          Projected* projected, int cull) {
  const Shape* s = in->shape;
  SN_FOR(k, cluster->nvert) {
    projectVertex(r, in, s->pos + 3 * (size_t)(cluster->vert + k), projected + k);
  }
  SN_SYNC();
  SN_FOR(t, cluster->ntri) {
    const int* at = s->corner + 3 * (size_t)(cluster->tri + t);
    const Projected* const corner[3] = {projected + (at[0] - cluster->vert),
                                        projected + (at[1] - cluster->vert),
                                        projected + (at[2] - cluster->vert)};
    if (r->wire > 0) r->hidden = hiddenEdge(s, cluster, t);
    drawTriangle(r, (int)(in->tri + cluster->tri + t), corner, cull);
  }
  SN_SYNC();
}

void snr_rasterInstance(Raster* r, const Instance* in, int cull) {
  const Shape* s = in->shape;
  if (r->view->flipped) cull = -cull;
  if (!s->ncluster) {
    rasterLoose(r, in, cull);
    return;
  }
  if (!snr_sphereSeen(r, in->center, in->radius)) return;
  float stretch = s->radius > 0 ? in->radius / s->radius : 0;
  Projected own[kClusterVerts], *projected = r->projected ? r->projected : own;
  for (int c = 0; c < s->ncluster; c++) {
    const Cluster* cluster = s->cluster + c;
    if (s->ncluster > 1) {
      float center[3];
      mulMat3f(center, in->mat, cluster->center);
      for (int i = 0; i < 3; i++) center[i] += in->pos[i];
      if (!snr_sphereSeen(r, center, cluster->radius * stretch)) continue;
    }
    rasterCluster(r, in, cluster, projected, cull);
  }
}
