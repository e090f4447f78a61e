// Triangles to samples. Corners lie on a grid of 1/256 of a pixel and edges are evaluated in integers, so that
// neighbours share an edge without gap or overlap; depth is a plane in double precision. The samples of a pixel lie on
// the grid as well: a triangle is set up once for all of them.

#include "render/fill.h"

#include <math.h>
#include <string.h>

#include "base/team.h"

enum {
  kBlock = 4,               // pixels of a row that are filled together
  kSmall = 8 * kUnitPixel,  // edges of triangles up to this size need 32 bits
  kHalf = kUnitPixel / 2,
};

// What is rarely needed stays outside of the wide kernel.
#if defined(__CUDACC__)
#define APART SN_OUTLINE
#elif defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif

#if defined(__GNUC__) && !defined(__CUDACC__)
#define HAS_VECTORS 1
// Four pixels in a register; comparisons give all bits of a number, or none.
typedef double Double4 __attribute__((vector_size(32)));
typedef long long Long4 __attribute__((vector_size(32)));
typedef float Float4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int Int4 __attribute__((vector_size(16), aligned(4), may_alias));
#else
#define HAS_VECTORS 0
#endif

// Edges are inside where they are not negative: value at pixel (0, 0), steps in x and y.
typedef struct Edges_ {
  long long c[3], sx[3], sy[3];
} Edges;

SN_KERNEL int isSmall(const Extent* e) {
  return (e->right - e->left < kSmall) & (e->above - e->below < kSmall);
}

// An edge belongs to a triangle when it is a left or a lower one, so that shared edges have one owner.
SN_KERNEL int isOwned(int dx, int dy) { return (dy < 0) | ((dy == 0) & (dx > 0)); }

SN_KERNEL void setEdges(Edges* e, const Ready* t, const int offset[2]) {
  SN_UNROLL for (int k = 0; k < 3; k++) {
    int next = k == 2 ? 0 : k + 1;
    int dx = t->x[next] - t->x[k], dy = t->y[next] - t->y[k];
    e->sx[k] = -(long long)dy * kUnitPixel;
    e->sy[k] = (long long)dx * kUnitPixel;
    e->c[k] = (long long)dx * (kHalf + offset[1] - t->y[k]) -
              (long long)dy * (kHalf + offset[0] - t->x[k]) - !isOwned(dx, dy);
  }
}

// The same for small triangles, from the lower left pixel of a box on: 32 bits are enough. All but c is the same for all
// samples.
typedef struct SmallEdges_ {
  int c[3], sx[3], sy[3];
  int dx[3], dy[3], open[3];
} SmallEdges;

SN_KERNEL void setSmallSteps(SmallEdges* e, const Ready* t) {
  SN_UNROLL for (int k = 0; k < 3; k++) {
    int next = k == 2 ? 0 : k + 1;
    e->dx[k] = t->x[next] - t->x[k];
    e->dy[k] = t->y[next] - t->y[k];
    e->sx[k] = -e->dy[k] * kUnitPixel;
    e->sy[k] = e->dx[k] * kUnitPixel;
    e->open[k] = !isOwned(e->dx[k], e->dy[k]);
  }
}

SN_KERNEL void setSmallEdges(SmallEdges* e, const Ready* t, const int offset[2], const Box* box) {
  int px = box->x0 * kUnitPixel + kHalf + offset[0], py = box->y0 * kUnitPixel + kHalf + offset[1];
  SN_UNROLL for (int k = 0; k < 3; k++) {
    e->c[k] = e->dx[k] * (py - t->y[k]) - e->dy[k] * (px - t->x[k]) - e->open[k];
  }
}

// Depth at the sample of pixel (0, 0). In a shadow map it is moved away from the light: by 1.5 texels of slope, and 4
// units of 24 bits.
SN_KERNEL double depthAtOrigin(const Raster* r, const Ready* t, const int offset[2]) {
  double z = t->at + t->zx * (0.5 + offset[0] / (double)kUnitPixel) +
             t->zy * (0.5 + offset[1] / (double)kUnitPixel);
  if (r->shadow) {
    double slope = fabs(t->zx) > fabs(t->zy) ? fabs(t->zx) : fabs(t->zy);
    z -= 1.5 * slope + 4.0 / 16777216;
  }
  return z;
}

enum { kRows = HAS_VECTORS ? 4 : 1 };  // rows whose ranges are found together

// First and last pixel of rows, from y on, inside of all edges. An edge is passed where c + s x = 0. Its values at pixels
// are whole numbers below 2^53, so that doubles hold them and x is a pixel or at least 1/|s| off one; |s| stays below
// 4e9 and |x| below 1e5, where the product is exact to 4e-11: a threshold between the two tells them apart.
static const double kHair = 1e-10;
#if HAS_VECTORS
SN_KERNEL void rowRanges(const Edges* e, const double inverse[3], const Box* box, int y, int x0[],
                         int x1[]) {
  const Double4 none = {0, 0, 0, 0}, first = none + (double)box->x0, last = none + (double)box->x1;
  const Double4 rows = (double)y + (Double4){0, 1, 2, 3};
  Double4 low = first, high = last;
  for (int k = 0; k < 3; k++) {
    Double4 c = (double)e->c[k] + (double)e->sy[k] * rows, at = -c * inverse[k];
    if (e->sx[k] > 0) {
      at -= kHair;
      Long4 later = at > low;
      low = (Double4)(((Long4)at & later) | ((Long4)low & ~later));
    } else {
      at += kHair;
      at = e->sx[k] < 0 ? at : first - 1;
      Long4 sooner = (at < high) & (e->sx[k] < 0 ? (Long4)(none == none) : (Long4)(c < none));
      high = (Double4)(((Long4)at & sooner) | ((Long4)high & ~sooner));
    }
  }
  // no pixel of the row: clamp to what an int can hold
  Long4 beyond = low > last, before = high < first;
  low = (Double4)(((Long4)(last + 1) & beyond) | ((Long4)low & ~beyond));
  high = (Double4)(((Long4)(first - 1) & before) | ((Long4)high & ~before));
  Int4 a = __builtin_convertvector(low, Int4), b = __builtin_convertvector(high, Int4);
  Double4 below = __builtin_convertvector(a, Double4), above = __builtin_convertvector(b, Double4);
  Long4 up = below<low, down = above> high;
  a -= __builtin_convertvector(up, Int4);
  b += __builtin_convertvector(down, Int4);
  memcpy(x0, &a, sizeof(a));
  memcpy(x1, &b, sizeof(b));
}
#else
SN_KERNEL void rowRanges(const Edges* e, const double inverse[3], const Box* box, int y, int x0[],
                         int x1[]) {
  for (int i = 0; i < kRows; i++) {
    int low = box->x0, high = box->x1;
    for (int k = 0; k < 3; k++) {
      long long c = e->c[k] + e->sy[k] * (y + i), s = e->sx[k];
      double at = -(double)c * inverse[k];
      if (s > 0) {
        at -= kHair;
        at = at < low ? low : at > high + 1 ? high + 1 : at;
        int x = (int)at;
        low = x + ((double)x < at);
      } else if (s < 0) {
        at += kHair;
        at = at > high ? high : at < low - 1 ? low - 1 : at;
        int x = (int)at;
        high = x - ((double)x > at);
      } else if (c < 0) {
        high = low - 1;
      }
    }
    x0[i] = low;
    x1[i] = high;
  }
}
#endif

SN_KERNEL void invertSteps(const Edges* e, double inverse[3]) {
  SN_UNROLL for (int k = 0; k < 3; k++) inverse[k] = e->sx[k] ? 1.0 / (double)e->sx[k] : 0;
}

// ---- spans of a row ----

// Where the depth of a row of samples is kept, and the triangles; NULL in a shadow map.
typedef struct Row_ {
  float* z;
  int* tri;
} Row;

SN_KERNEL Row rowAt(const Raster* r, int sample, int y) {
  Row row = {NULL, NULL};
  if (r->shadow) {
    row.z = r->shadow->depth + (size_t)y * r->shadow->size;
  } else {
    size_t at = sample * r->layer + (size_t)(y - r->y0) * r->width;
    row.z = r->z + at;
    if (r->tri) row.tri = r->tri + at;
  }
  return row;
}

#if HAS_VECTORS
// Four pixels from x on, of which some pass: nearer than what is there, or as near and later; NULL tri: nearer.
SN_KERNEL void storeBlock(Row row, int id, int x, Int4 pass, const Double4* value) {
  Float4 next = __builtin_convertvector(*value, Float4);
  Int4 *z = (Int4*)(row.z + x), old = *z;
  pass &= row.tri ? next >= (Float4)old : next > (Float4)old;
  *z = ((Int4)next & pass) | (old & ~pass);
  if (row.tri) {
    Int4 *tri = (Int4*)(row.tri + x), ids = {id, id, id, id};
    *tri = (ids & pass) | (*tri & ~pass);
  }
}

// A span, in blocks of pixels: behind its end nothing changes (kRowSlack).
SN_KERNEL void storeSpan(Row row, int id, int x0, int x1, double z, double zx) {
  Int4 lane = {0, 1, 2, 3}, all = {-1, -1, -1, -1};
  Double4 steps = {0, 1, 2, 3}, at = x0 + steps, value = z + zx * at;
  int x = x0;
  for (; x + kBlock - 1 <= x1; x += kBlock) {
    storeBlock(row, id, x, all, &value);
    at += (double)kBlock;
    value = z + zx * at;
  }
  if (x <= x1) storeBlock(row, id, x, lane <= x1 - x, &value);
}

// The pixels of a box that are inside of a small triangle; row: of the first
// ones.
SN_KERNEL void storeSmall(Row row, size_t stride, const Ready* t, const SmallEdges* e,
                          const Box* box, double origin) {
  const Int4 lane = {0, 1, 2, 3};
  const Double4 steps = {0, 1, 2, 3}, first = box->x0 + steps;
  Int4 edge[3];
  SN_UNROLL for (int k = 0; k < 3; k++) edge[k] = e->c[k] + e->sx[k] * lane;
  for (int y = box->y0; y <= box->y1; y++) {
    double z = origin + t->zy * y;
    Int4 a = edge[0], b = edge[1], c = edge[2];
    Double4 at = first;
    for (int x = box->x0; x <= box->x1; x += kBlock) {
      Double4 value = z + t->zx * at;
      storeBlock(row, t->id, x, ((a | b | c) >= 0) & (lane <= box->x1 - x), &value);
      at += (double)kBlock;
      a += kBlock * e->sx[0];
      b += kBlock * e->sx[1];
      c += kBlock * e->sx[2];
    }
    SN_UNROLL for (int k = 0; k < 3; k++) edge[k] += e->sy[k];
    row.z += stride;
    if (row.tri) row.tri += stride;
  }
}
#else
SN_KERNEL void storePixel(Row row, int id, int x, double z, double zx) {
  float value = (float)(z + zx * x);
  if (!(row.tri ? value >= row.z[x] : value > row.z[x])) return;
  row.z[x] = value;
  if (row.tri) row.tri[x] = id;
}

static void storeSpan(Row row, int id, int x0, int x1, double z, double zx) {
  for (int x = x0; x <= x1; x++) storePixel(row, id, x, z, zx);
}

static void storeSmall(Row row, size_t stride, const Ready* t, const SmallEdges* e, const Box* box,
                       double origin) {
  for (int y = box->y0; y <= box->y1; y++) {
    int j = y - box->y0;
    for (int x = box->x0; x <= box->x1; x++) {
      int i = x - box->x0, outside = 0;
      for (int k = 0; k < 3; k++) outside |= e->c[k] + e->sx[k] * i + e->sy[k] * j;
      if (outside >= 0) storePixel(row, t->id, x, origin + t->zy * y, t->zx);
    }
    row.z += stride;
    if (row.tri) row.tri += stride;
  }
}
#endif

// parts of a span that nothing opaque hides
static APART void blendVisible(const Raster* r, Row row, int id, int y, int x0, int x1, double z,
                               double zx) {
  const float* depth = row.z;
  int x = x0;
  while (x <= x1) {
    while (x <= x1 && !((float)(z + zx * x) >= depth[x])) x++;
    int start = x;
    while (x <= x1 && (float)(z + zx * x) >= depth[x]) x++;
    if (x > start) snr_blendSpan(r->blend, id, y, start, x - 1);
  }
}

// Lanes and teams draw triangles at the same time: depth in the upper half of a word, the number of the triangle in the lower. The
// largest word is the nearest triangle, and the last of equally near ones, in whatever order they come.
SN_KERNEL void raiseKey(unsigned long long* key, int id, float value) {
  unsigned bits;
  if (!(value >= 0)) return;
  value = value > 0 ? value : 0;  // zero has two signs
  memcpy(&bits, &value, sizeof(bits));
  unsigned long long word = (unsigned long long)bits << 32 | ((unsigned)id + 1);
#if defined(SN_DEVICE)
  atomicMax(key, word);
#elif !defined(SN_TEAM)
  if (word > *key) *key = word;
#else
  unsigned long long before = __atomic_load_n(key, __ATOMIC_RELAXED);
  while (word > before &&
         !__atomic_compare_exchange_n(key, &before, word, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

SN_KERNEL unsigned long long* keyRow(const Raster* r, int sample, int y) {
  return r->key + sample * r->layer + (size_t)(y - r->y0) * r->width;
}

static void storeKeys(const Raster* r, int sample, int id, int y, int x0, int x1, double z,
                      double zx) {
  unsigned long long* key = keyRow(r, sample, y);
  for (int x = x0; x <= x1; x++) raiseKey(key + x, id, (float)(z + zx * x));
}

SN_KERNEL void fillSpan(const Raster* r, int keyed, int sample, int id, int y, int x0, int x1,
                        double z, double zx) {
  if (keyed || r->key) {
    storeKeys(r, sample, id, y, x0, x1, z, zx);
    return;
  }
  Row row = rowAt(r, sample, y);
  if (r->blend)
    blendVisible(r, row, id, y, x0, x1, z, zx);
  else
    storeSpan(row, id, x0, x1, z, zx);
}

// of a span the pixels that are near an edge; c is 256^2 times the distance in pixels times the edge's length
static APART void wireSpan(const Raster* r, int keyed, int sample, const Edges* e, const Ready* t,
                           int y, int x0, int x1, double z) {
  double reach[3];
  for (int k = 0; k < 3; k++) {
    double length = sqrt((double)e->sx[k] * (double)e->sx[k] + (double)e->sy[k] * (double)e->sy[k]);
    reach[k] = (0.5 * r->wire + 0.25) * length;
  }
  for (int x = x0; x <= x1; x++) {
    int near = 0;
    for (int k = 0; k < 3; k++) {
      int drawn = !(t->hidden >> k & 1);
      near |= drawn && (double)(e->c[k] + e->sx[k] * x + e->sy[k] * y) < reach[k];
    }
    if (near) fillSpan(r, keyed, sample, t->id, y, x, x, z, t->zx);
  }
}

// ---- shadow maps ----

// tiles of a shadow map that a rectangle touches start empty
static APART void touchTiles(ShadowMap* map, const Box* b) {
  if (b->x0 < map->box[0]) map->box[0] = b->x0;
  if (b->y0 < map->box[1]) map->box[1] = b->y0;
  if (b->x1 >= map->box[2]) map->box[2] = b->x1 + 1;
  if (b->y1 >= map->box[3]) map->box[3] = b->y1 + 1;
  int across = (map->size + kShadowTile - 1) / kShadowTile;
  for (int ty = b->y0 / kShadowTile; ty <= b->y1 / kShadowTile; ty++) {
    for (int tx = b->x0 / kShadowTile; tx <= b->x1 / kShadowTile; tx++) {
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

// the depth that a triangle would leave at the texel of a query, as storeSpan computes it
SN_KERNEL void answer(const Edges* e, const Ready* t, double origin, const Asked* q, Query* query) {
  int bits;
  SN_UNROLL for (int k = 0; k < 3; k++) {
    if (e->c[k] + e->sx[k] * q->x + e->sy[k] * q->y < 0) return;
  }
  float value = (float)(origin + t->zy * q->y + t->zx * q->x);
  if (!(value > 0)) return;
  memcpy(&bits, &value, sizeof(bits));
  SN_LOWER(query->depth, -bits);
}

// the queries of a tile
static void traceTile(const Raster* r, const Ready* t, const Edges* e, const Box* box,
                      double origin, int tile) {
  const Trace* trace = r->trace;
  int begin = tile ? trace->end[tile - 1] : 0;
  for (int k = begin; k < trace->end[tile]; k++) {
    const Asked q = trace->list[k];
    if (snr_isInside(&q, box)) answer(e, t, origin, &q, trace->query + q.query);
  }
}

static APART void traceTriangle(const Raster* r, const Ready* t) {
  const Trace* trace = r->trace;
  Extent extent = snr_extentOf(t);
  Box box, tiles;
  Edges e;
  if (!snr_sampleBox(r, &extent, 0, &box) || !snr_tilesOf(trace->map, &box, &tiles)) return;
  setEdges(&e, t, r->offset[0]);
  double origin = depthAtOrigin(r, t, r->offset[0]);
  for (int row = tiles.y0; row <= tiles.y1; row++) {
    unsigned long long set = snr_askedTiles(trace, &tiles, row);
    for (int tile = row * kTraceTiles + tiles.x0; set; set >>= 1, tile++) {
      if (set & 1) traceTile(r, t, &e, &box, origin, tile);
    }
  }
}

// ---- triangles ----

SN_KERNEL void fillSmall(const Raster* r, const Ready* t, const Extent* extent) {
  size_t stride = r->shadow ? (size_t)r->shadow->size : (size_t)r->width;
  SmallEdges e;
  setSmallSteps(&e, t);
  for (int s = 0; s < r->nsample; s++) {
    Box box;
    if (!snr_sampleBox(r, extent, s, &box)) continue;
    if (r->shadow) touchTiles(r->shadow, &box);
    setSmallEdges(&e, t, r->offset[s], &box);
    storeSmall(rowAt(r, s, box.y0), stride, t, &e, &box, depthAtOrigin(r, t, r->offset[s]));
  }
}

// some rows of a sample: groups of kRows, every step-th from the first on; keyed: it is known that there are keys
SN_KERNEL void fillRows(const Raster* r, int keyed, const Ready* t, int sample, const Box* box,
                        int first, int step) {
  Edges e;
  double inverse[3];
  setEdges(&e, t, r->offset[sample]);
  invertSteps(&e, inverse);
  double origin = depthAtOrigin(r, t, r->offset[sample]);
  for (int y = box->y0 + kRows * first; y <= box->y1; y += kRows * step) {
    int a[kRows], b[kRows], count = snr_least(kRows, box->y1 - y + 1);
    rowRanges(&e, inverse, box, y, a, b);
    for (int i = 0; i < count; i++) {
      if (a[i] > b[i]) continue;
      double z = origin + t->zy * (y + i);
      if (r->wire > 0)
        wireSpan(r, keyed, sample, &e, t, y + i, a[i], b[i], z);
      else
        fillSpan(r, keyed, sample, t->id, y + i, a[i], b[i], z, t->zx);
    }
  }
}

SN_WIDE_PIXELS(SN_OUTLINE, void, snr_fillTriangle, (const Raster* r, const Ready* t), (r, t)) {
  Extent extent = snr_extentOf(t);
  if (r->trace) {
    traceTriangle(r, t);
    return;
  }
  if (isSmall(&extent) && !r->blend && !r->key && !(r->wire > 0)) {
    fillSmall(r, t, &extent);
    return;
  }
  for (int s = 0; s < r->nsample; s++) {
    Box box;
    if (!snr_sampleBox(r, &extent, s, &box)) continue;
    if (r->shadow) touchTiles(r->shadow, &box);
    fillRows(r, 0, t, s, &box, 0, 1);
  }
}

#ifdef SN_TEAM
// a small triangle by one lane of a team
static void keySmall(const Raster* r, const Ready* t, const Extent* extent) {
  SmallEdges e;
  setSmallSteps(&e, t);
  for (int s = 0; s < r->nsample; s++) {
    Box box;
    if (!snr_sampleBox(r, extent, s, &box)) continue;
    setSmallEdges(&e, t, r->offset[s], &box);
    double origin = depthAtOrigin(r, t, r->offset[s]);
    for (int y = box.y0; y <= box.y1; y++) {
      unsigned long long* key = keyRow(r, s, y);
      double z = origin + t->zy * y;
      int a = e.c[0], b = e.c[1], c = e.c[2];
      for (int x = box.x0; x <= box.x1; x++) {
        if ((a | b | c) >= 0) raiseKey(key + x, t->id, (float)(z + t->zx * x));
        a += e.sx[0];
        b += e.sx[1];
        c += e.sx[2];
      }
      SN_UNROLL for (int k = 0; k < 3; k++) e.c[k] += e.sy[k];
    }
  }
}

// a large one: tiles of queries are dealt out
static void traceShared(const Raster* r, const Ready* t, const Extent* extent) {
  Edges e;
  Box box, tiles;
  if (!snr_sampleBox(r, extent, 0, &box) || !snr_tilesOf(r->trace->map, &box, &tiles)) return;
  int across = tiles.x1 - tiles.x0 + 1, down = tiles.y1 - tiles.y0 + 1;
  setEdges(&e, t, r->offset[0]);
  double origin = depthAtOrigin(r, t, r->offset[0]);
  SN_FOR(k, across * down) {
    int row = tiles.y0 + k / across, column = k % across;
    if (snr_askedTiles(r->trace, &tiles, row) >> column & 1)
      traceTile(r, t, &e, &box, origin, row * kTraceTiles + tiles.x0 + column);
  }
}

// The same for rows: a lane has some of those of one sample, unless there are fewer lanes than samples.
static void fillShared(const Raster* r, const Ready* t, const Extent* extent) {
  int layers = SN_LANES < r->nsample ? 1 : r->nsample;
  for (int s = SN_LANE % layers; s < r->nsample; s += layers) {
    Box box;
    if (snr_sampleBox(r, extent, s, &box))
      fillRows(r, 1, t, s, &box, SN_LANE / layers, SN_LANES / layers);
  }
}

// a piece of one that was clipped, by one lane of a team
SN_OUTLINE void snr_fillAlone(const Raster* r, const Ready* t) {
  Extent extent = snr_extentOf(t);
  if (r->trace) {
    traceTriangle(r, t);
    return;
  }
  for (int s = 0; s < r->nsample; s++) {
    Box box;
    if (snr_sampleBox(r, &extent, s, &box)) fillRows(r, 1, t, s, &box, 0, 1);
  }
}

// Small ones by a lane each, large ones by all.
SN_OUTLINE void snr_fillTriangles(const Raster* r, const Ready* t, int count) {
  int limit = r->trace ? (kFewTiles * kUnitPixel) << r->trace->map->shift : kSmall, large = 0;
  SN_FOR(i, count) {
    Extent e = snr_extentOf(t + i);
    int own = e.right - e.left < limit && e.above - e.below < limit && !(r->wire > 0);
    large |= !own;
    if (own && r->trace) traceTriangle(r, t + i);
    if (own && !r->trace) keySmall(r, t + i, &e);
  }
  if (!sn_teamAny(large)) return;
  for (int i = 0; i < count; i++) {
    Extent e = snr_extentOf(t + i);
    int own = e.right - e.left < limit && e.above - e.below < limit && !(r->wire > 0);
    if (!own && r->trace) traceShared(r, t + i, &e);
    if (!own && !r->trace) fillShared(r, t + i, &e);
  }
}
#endif
