// Lines of a width in pixels, unlit.

#include <math.h>
#include <string.h>

#include "render/render.h"

typedef struct End_ {
  double h[4];
} End;

// the part of a line in front of the near plane; 0: none
static int clipNear(End* a, End* b) {
  double da = a->h[3] - a->h[2], db = b->h[3] - b->h[2];
  if (da < 0 && db < 0) return 0;
  if (da < 0 || db < 0) {
    double t = da / (da - db);
    End cut;
    for (int i = 0; i < 4; i++) cut.h[i] = a->h[i] + t * (b->h[i] - a->h[i]);
    *(da < 0 ? a : b) = cut;
  }
  return a->h[3] > 0 && b->h[3] > 0;
}

static void plot(Band* band, const Paint* paint, const snByte rgb[3], int x, int y, float z) {
  const Frame* f = band->frame;
  int width = f->view.width;
  if (x < 0 || x >= width || y < band->y0 || y >= band->y1) return;
  size_t layer = (size_t)(band->y1 - band->y0) * width, at = (size_t)(y - band->y0) * width + x;
  for (int s = 0; s < f->nsample; s++, at += layer) {
    if (z < band->z[at]) continue;
    for (int c = 0; c < 3; c++) {
      float alpha = paint->transparent ? snr_unit(paint->rgba[3]) : 1;
      band->color[3 * at + c] =
          (snByte)(alpha * rgb[c] + (1 - alpha) * band->color[3 * at + c] + 0.5f);
    }
    if (!paint->transparent) band->z[at] = z;
  }
}

// a line steps along its longer axis and is as wide as asked for along the other
static void drawLine(Band* band, const Line* line) {
  const Frame* f = band->frame;
  const Paint* paint = f->paint + line->geom;
  End a, b;
  snByte rgb[3];
  snr_project(&f->view, line->from, a.h);
  snr_project(&f->view, line->to, b.h);
  if (!clipNear(&a, &b)) return;
  if (f->segment) {
    snr_idColor(f->scene, line->geom, rgb);
  } else {
    for (int c = 0; c < 3; c++) rgb[c] = snr_toByte(paint->rgba[c]);
  }
  double p[2] = {a.h[0] / a.h[3], a.h[1] / a.h[3]}, q[2] = {b.h[0] / b.h[3], b.h[1] / b.h[3]};
  double z = a.h[2] / a.h[3], dz = b.h[2] / b.h[3] - z;
  int axis = fabs(q[1] - p[1]) > fabs(q[0] - p[0]), limit = axis ? f->view.height : f->view.width;
  double length = q[axis] - p[axis];
  double low = length > 0 ? p[axis] : q[axis], high = length > 0 ? q[axis] : p[axis];
  if (!(low < high)) return;  // a point, or not a number
  int first = low < 0 ? 0 : low > limit ? limit : (int)floor(low + 0.5);
  int last = high < 0 ? -1 : high > limit ? limit - 1 : (int)floor(high + 0.5) - 1;
  int wide = !(line->width > 1) ? 1 : line->width > 64 ? 64 : (int)floor(line->width + 0.5);
  for (int k = first; k <= last; k++) {
    double t = (k + 0.5 - p[axis]) / length, across = p[!axis] + t * (q[!axis] - p[!axis]);
    if (!(fabs(across) < 1e6)) continue;
    int start = (int)floor(across - 0.5 * (wide - 1));
    for (int j = start; j < start + wide; j++) {
      plot(band, paint, rgb, axis ? j : k, axis ? k : j, (float)(z + t * dz));
    }
  }
}

void snr_drawLines(Band* band, int transparent) {
  const Frame* f = band->frame;
  for (int i = 0; i < f->nline; i++) {
    if (f->paint[f->line[i].geom].transparent == transparent) drawLine(band, f->line + i);
  }
}
