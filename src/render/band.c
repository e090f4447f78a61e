// The passes of an image, for a band of its rows.

#include <string.h>

#include "render/render.h"

static size_t align(size_t bytes) { return (bytes + 63) / 64 * 64; }

size_t snr_bandBytes(int width, int rows, int nsample, int mirror) {
  size_t samples = (size_t)width * rows * nsample;
  return (mirror ? 2 : 1) * 2 * align(4 * samples) + align(3 * samples) +
         align(kCorners * sizeof(Corner)) + 64;
}

void snr_layBand(Band* band, const Frame* f, void* memory, int rows) {
  size_t samples = (size_t)f->view.width * rows * f->nsample;
  char* at = memory;
  memset(band, 0, sizeof(*band));
  band->frame = f;
  band->corner = (Corner*)at;
  at += align(kCorners * sizeof(Corner));
  band->z = (float*)at;
  at += align(4 * samples);
  band->tri = (int*)at;
  at += align(4 * samples);
  if (f->reflector >= 0) {
    band->mirror_z = (float*)at;
    at += align(4 * samples);
    band->mirror_tri = (int*)at;
    at += align(4 * samples);
  }
  band->color = (snByte*)at;
}

// nearest opaque triangle of every sample, as seen in a view
static void findVisible(const Band* band, const View* view, float* z, int* tri) {
  const Frame* f = band->frame;
  int width = f->view.width;
  size_t layer = (size_t)(band->y1 - band->y0) * width;
  memset(z, 0, layer * f->nsample * sizeof(float));
  memset(tri, 0xff, layer * f->nsample * sizeof(int));  // kNoTriangle
  Raster r;
  memset(&r, 0, sizeof(r));
  r.view = view;
  r.y0 = band->y0;
  r.y1 = band->y1;
  r.width = width;
  r.z = z;
  r.tri = tri;
  r.nsample = f->nsample > 1 ? f->nsample : 0;
  r.layer = layer;
  r.wire = f->wire;
  for (int i = 0; i < f->ninstance; i++) {
    const Instance* in = f->instance + i;
    const Paint* paint = f->paint + in->geom;
    if (paint->transparent || (view->flipped && in->geom == f->reflector)) continue;
    snr_rasterInstance(&r, in, paint->cull);
  }
}

// mean of the samples to the image; depth of the first
static void resolve(const Band* band) {
  const Frame* f = band->frame;
  int width = f->view.width, n = f->nsample;
  size_t layer = (size_t)(band->y1 - band->y0) * width;
  for (int y = band->y0; y < band->y1; y++) {
    size_t row = (size_t)(y - band->y0) * width;
    snByte* rgb = f->rgb + 3 * ((size_t)y * f->stride);
    memcpy(f->depth + (size_t)y * f->stride, band->z + row, width * sizeof(float));
    if (n == 1) {
      memcpy(rgb, band->color + 3 * row, 3 * (size_t)width);
      continue;
    }
    for (int k = 0; k < 3 * width; k++) {
      int sum = 0;
      for (int s = 0; s < n; s++) sum += band->color[3 * (s * layer + row) + k];
      rgb[k] = (snByte)((2 * sum + n) / (2 * n));
    }
  }
}

void snr_drawBand(Band* band) {
  const Frame* f = band->frame;
  findVisible(band, &f->view, band->z, band->tri);
  if (f->segment) {
    snr_shadeSegment(band);
    snr_drawLines(band, 0);
  } else {
    if (f->reflector >= 0) findVisible(band, &f->mirror, band->mirror_z, band->mirror_tri);
    snr_shadeOpaque(band);
    snr_drawLines(band, 0);
    snr_drawSky(band);
    snr_drawHaze(band);
    snr_blendTransparent(band);
    snr_drawLines(band, 1);
  }
  resolve(band);
}
