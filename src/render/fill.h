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

// Pixels whose sample may be inside of a triangle, from the lower left one to the upper right one.
typedef struct Box_ {
  int x0, y0, x1, y1;
} Box;

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

// Those of a sample; 0: there are none.
static inline int snr_sampleBox(const Raster* r, const Extent* e, int sample, Box* box) {
  const int* offset = r->offset[sample];
  box->x0 = snr_most(snr_pixelUpTo(e->left + kUnitPixel - 1, offset[0]), r->inset);
  box->x1 = snr_least(snr_pixelUpTo(e->right, offset[0]), r->width - 1 - r->inset);
  box->y0 = snr_most(snr_pixelUpTo(e->below + kUnitPixel - 1, offset[1]), r->y0);
  box->y1 = snr_least(snr_pixelUpTo(e->above, offset[1]), r->y1 - 1);
  return (box->x0 <= box->x1) & (box->y0 <= box->y1);
}

// Whether a query falls into one of the tiles that a box touches; those of a row follow each other.
static inline int snr_hasQueries(const Trace* t, const Box* box) {
  for (int ty = box->y0 / t->tile; ty <= box->y1 / t->tile; ty++) {
    int first = ty * kTraceTiles + box->x0 / t->tile, last = ty * kTraceTiles + box->x1 / t->tile;
    if (t->end[last] > (first ? t->end[first - 1] : 0)) return 1;
  }
  return 0;
}

// Whether a triangle may hold the place of a sample, or of a query. What lies outside is found later.
static inline int snr_mayCover(const Raster* r, const Ready* t) {
  Extent e = snr_extentOf(t);
  Box box;
  if (r->trace) return snr_sampleBox(r, &e, 0, &box) && snr_hasQueries(r->trace, &box);
  int any = (e.right - e.left >= kUnitPixel) & (e.above - e.below >= kUnitPixel);
  for (int s = 0; s < r->nsample && !any; s++) any = snr_sampleBox(r, &e, s, &box);
  return any;
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
