// A triangle on the screen, ready to be filled (fill.c); what the rasteriser (raster.c) makes of those that it is given.

#ifndef SINEW_RENDER_FILL_H_
#define SINEW_RENDER_FILL_H_

#include "render/render.h"

SN_EXTERN_C_BEGIN

enum {
  kUnitPixel = 256,  // corners lie on a grid of so many places in a pixel
  kShift = 1 << 24,  // more units than there are from any corner to the border
};

// Corners against the clock; depth is at + zx x + zy y at a point (x, y) of the screen, in pixels.
typedef struct Ready_ {
  int id;
  int hidden;  // bits of the edges that are inside of a polygon
  int x[3], y[3];
  double at, zx, zy;
} Ready;

// the extent of a triangle in units
typedef struct Extent_ {
  int left, right, below, above;
} Extent;

static inline int snr_least(int a, int b) { return a < b ? a : b; }
static inline int snr_most(int a, int b) { return a > b ? a : b; }

static inline Extent snr_extentOf(const Ready* t) {
  Extent e;
  e.left = snr_least(t->x[0], snr_least(t->x[1], t->x[2]));
  e.right = snr_most(t->x[0], snr_most(t->x[1], t->x[2]));
  e.below = snr_least(t->y[0], snr_least(t->y[1], t->y[2]));
  e.above = snr_most(t->y[0], snr_most(t->y[1], t->y[2]));
  return e;
}

// the last pixel whose sample does not lie beyond a place; the shift keeps what is divided positive
static inline int snr_pixelUpTo(int place, int offset) {
  return (int)((unsigned)(place - kUnitPixel / 2 - offset + kShift) / kUnitPixel) -
         kShift / kUnitPixel;
}

// Pixels whose sample may be inside of a triangle; 0: there are none.
static inline int snr_sampleBox(const Raster* r, const Extent* e, int sample, Box* box) {
  const int* offset = r->offset[sample];
  box->x0 = snr_most(snr_pixelUpTo(e->left + kUnitPixel - 1, offset[0]), r->inset);
  box->x1 = snr_least(snr_pixelUpTo(e->right, offset[0]), r->width - 1 - r->inset);
  box->y0 = snr_most(snr_pixelUpTo(e->below + kUnitPixel - 1, offset[1]), r->y0);
  box->y1 = snr_least(snr_pixelUpTo(e->above, offset[1]), r->y1 - 1);
  return (box->x0 <= box->x1) & (box->y0 <= box->y1);
}

// Tiles of a map's window that a box touches; 0: there are none.
static inline int snr_tilesOf(const ShadowMap* map, const Box* box, Box* tiles) {
  const int* w = map->window;
  tiles->x0 = (snr_most(box->x0, w[0]) - w[0]) >> map->shift;
  tiles->y0 = (snr_most(box->y0, w[1]) - w[1]) >> map->shift;
  tiles->x1 = (snr_least(box->x1, w[2] - 1) - w[0]) >> map->shift;
  tiles->y1 = (snr_least(box->y1, w[3] - 1) - w[1]) >> map->shift;
  return (box->x1 >= w[0]) & (box->y1 >= w[1]) & (tiles->x0 <= tiles->x1) &
         (tiles->y0 <= tiles->y1);
}

// Those of a row that have queries: bits from the first one on.
static inline unsigned long long snr_askedTiles(const Trace* t, const Box* tiles, int row) {
  return t->row[row] >> tiles->x0 & ((2ull << (tiles->x1 - tiles->x0)) - 1);
}

static inline int snr_isAsked(const Trace* t, const Box* box) {
  Box tiles;
  if (!snr_tilesOf(t->map, box, &tiles)) return 0;
  for (int row = tiles.y0; row <= tiles.y1; row++) {
    if (snr_askedTiles(t, &tiles, row)) return 1;
  }
  return 0;
}

static inline int snr_isInside(const Asked* q, const Box* box) {
  return (q->x >= box->x0) & (q->x <= box->x1) & (q->y >= box->y0) & (q->y <= box->y1);
}

enum { kFewTiles = 3 };  // along a side of a box that one lane sees to

// Whether a query lies in a box; where that has many tiles, in one of them.
static inline int snr_hasQueries(const Trace* t, const Box* box) {
  Box tiles;
  if (!snr_tilesOf(t->map, box, &tiles)) return 0;
  if (tiles.x1 - tiles.x0 >= kFewTiles || tiles.y1 - tiles.y0 >= kFewTiles)
    return snr_isAsked(t, box);
  for (int row = tiles.y0; row <= tiles.y1; row++) {
    unsigned set = (unsigned)snr_askedTiles(t, &tiles, row);
    for (int tile = row * kTraceTiles + tiles.x0; set; set >>= 1, tile++) {
      int k = set & 1 && tile ? t->end[tile - 1] : 0, end = set & 1 ? t->end[tile] : 0;
      for (; k < end; k++) {
        if (snr_isInside(t->list + k, box)) return 1;
      }
    }
  }
  return 0;
}

// Whether one of the four samples of a pixel lies within an extent. They lie on every fourth row and column of a grid:
// in one of four columns that follow each other at row 2, 0, 3 and 1 of every four (snr_setSamples).
static inline int snr_holdsSample(const Raster* r, const Extent* e) {
  enum { kStep = kUnitPixel / 4, kRowOf = 2 | 0 << 2 | 3 << 4 | 1 << 6 };
  int left = snr_most(e->left, 0), right = snr_least(e->right, r->width * kUnitPixel - 1);
  int below = snr_most(e->below, r->y0 * kUnitPixel);
  int above = snr_least(e->above, r->y1 * kUnitPixel - 1), found = 0;
  int column = (left + kStep / 2 - 1) / kStep, last = (right + kStep / 2) / kStep - 1;
  int row = (below + kStep / 2 - 1) / kStep, rows = (above + kStep / 2) / kStep - row;
  if (right < left || above < below || rows <= 0) return 0;
  for (int k = 0; k < 4; k++, column++) {
    int ahead = ((kRowOf >> 2 * (column & 3)) - row) & 3;
    found |= (column <= last) & (ahead < rows);
  }
  return found;
}

// Whether a triangle may hold the place of a sample, or of a query. What lies outside is found later.
static inline int snr_mayCover(const Raster* r, const Ready* t) {
  Extent e = snr_extentOf(t);
  Box box;
  if (r->nsample == 4) return snr_holdsSample(r, &e);
  return snr_sampleBox(r, &e, 0, &box) && (!r->trace || snr_hasQueries(r->trace, &box));
}

// Fill by one lane.
void snr_fillTriangle(const Raster* r, const Ready* t);
#ifdef SN_TEAM
// The same by one lane of a team; fill so many by all of its lanes.
void snr_fillAlone(const Raster* r, const Ready* t);
void snr_fillTriangles(const Raster* r, const Ready* t, int count);
#endif

SN_EXTERN_C_END

#endif  // SINEW_RENDER_FILL_H_
