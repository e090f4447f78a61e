// A triangle on the screen, ready to be filled (fill.c); what the rasteriser (raster.c) makes of those that it is given.

#ifndef SINEW_RENDER_FILL_H_
#define SINEW_RENDER_FILL_H_

#include "render/render.h"

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

// Whether the boundaries of a triangle hold the place of a sample, where drawing is allowed.
int snr_mayCover(const Raster* r, const Ready* t);
// Fill by one lane.
void snr_fillTriangle(const Raster* r, const Ready* t);
// Fill so many by all lanes of a team.
void snr_fillTriangles(const Raster* r, const Ready* t, int count);

#endif  // SINEW_RENDER_FILL_H_
