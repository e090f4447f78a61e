// The passes of an image, for a band of its rows.

#include <string.h>

#include "base/assert.h"
#include "base/team.h"
#include "render/fill.h"
#include "render/shade.h"

// the next piece of memory, of which there may be none
static void* take(char* memory, size_t* used, size_t bytes) {
  char* at = memory ? memory + *used : NULL;
  *used += (bytes + 63) / 64 * 64;
  return at;
}

size_t snr_layBand(Band* band, const Frame* f, void* memory, int rows, BandKind kind) {
  SN_ASSERT(rows >= 0 && (f->nsample == 1 || f->nsample == 4));
  size_t samples = (size_t)f->view.width * rows * f->nsample, used = 0, room = samples + kRowSlack;
  char* from = (char*)memory;
  memset(band, 0, sizeof(*band));
  band->frame = f;
  band->z = (float*)take(from, &used, room * sizeof(float));
  band->tri = (int*)take(from, &used, room * sizeof(int));
  band->color = (snByte*)take(from, &used, 3 * samples);
  band->verts = (Verts*)take(from, &used, sizeof(Verts));
  if (kind.mirror) {
    band->mirror_z = (float*)take(from, &used, room * sizeof(float));
    band->mirror_tri = (int*)take(from, &used, room * sizeof(int));
  }
  if (kind.team) {
    band->key = (unsigned long long*)take(from, &used, samples * sizeof(*band->key));
    band->queue = (Ready*)take(from, &used, kQueue * sizeof(Ready));
  } else {
    band->corner = (Corner*)take(from, &used, kCorners * sizeof(Corner));
    band->setup = (Setup*)take(from, &used, kSetups * sizeof(Setup));
  }
  if (kind.traced) {
    band->query = (Query*)take(from, &used, kind.traced * samples * sizeof(Query));
    band->query_list = (Asked*)take(from, &used, samples * sizeof(Asked));
    band->query_end = (int*)take(from, &used, kTraceTiles * kTraceTiles * sizeof(int));
  }
  return used;
}

static void clearSamples(const Band* band, float* z, int* tri, size_t count) {
  if (band->key) {
    SN_FOR(k, count) band->key[k] = 0;
  } else {
    memset(z, 0, count * sizeof(float));
    memset(tri, 0xff, count * sizeof(int));  // kNoTriangle
  }
  SN_SYNC();
}

// what a team has drawn (raster.c): depth above, the triangle's number plus one below
static void splitKeys(const Band* band, float* z, int* tri, size_t count) {
  SN_FOR(k, count) {
    unsigned bits = (unsigned)(band->key[k] >> 32);
    memcpy(z + k, &bits, sizeof(bits));
    tri[k] = (int)(unsigned)band->key[k] - 1;
  }
  SN_SYNC();
}

// nearest opaque triangle of every sample, as seen in a view
static void findVisible(const Band* band, const View* view, float* z, int* tri) {
  SN_ASSERT(band->y0 >= 0 && band->y0 <= band->y1 && band->y1 <= band->frame->view.height);
  SN_ASSERT(z && tri);
  const Frame* f = band->frame;
  int width = f->view.width;
  size_t layer = (size_t)(band->y1 - band->y0) * width;
  clearSamples(band, z, tri, layer * f->nsample);
  Raster r;
  memset(&r, 0, sizeof(r));
  r.view = view;
  r.y0 = band->y0;
  r.y1 = band->y1;
  r.width = width;
  r.z = z;
  r.tri = tri;
  snr_setSamples(&r, 0, f->nsample, f->nsample);
  r.layer = layer;
  r.wire = f->wire;
  r.key = band->key;
  r.verts = band->verts;
  r.queue = band->queue;
  for (int i = 0; i < f->ninstance; i++) {
    const Instance* in = f->instance + i;
    const Paint* paint = f->paint + in->geom;
    SN_ASSERT_INDEX(in->geom, f->scene->ngeom);
    if (paint->transparent || (view->flipped && in->geom == f->reflector)) continue;
    snr_rasterInstance(&r, in, paint->cull);
  }
  snr_finishRaster(&r);
  if (band->key) splitKeys(band, z, tri, layer * f->nsample);
}

// rounded mean of four rows of bytes
SN_WIDE_PIXELS(static, void, meanOfFour,
               (snByte * SN_RESTRICT out, const snByte* a, const snByte* b, const snByte* c,
                const snByte* d, int count),
               (out, a, b, c, d, count)) {
  for (int k = 0; k < count; k++) out[k] = (snByte)((a[k] + b[k] + c[k] + d[k] + 2) >> 2);
}

// mean of the samples to the image; depth of the first
static void resolve(const Band* band) {
  const Frame* f = band->frame;
  int width = f->view.width, n = f->nsample;
  size_t layer = (size_t)(band->y1 - band->y0) * width;
  SN_FOR(line, band->y1 - band->y0) {
    size_t row = (size_t)line * width;
    ptrdiff_t to = (ptrdiff_t)(band->y0 + line) * f->stride;
    if (f->depth) memcpy(f->depth + to, band->z + row, width * sizeof(float));
    if (!f->rgb) continue;
    snByte* rgb = f->rgb + 3 * to;
    const snByte* from = band->color + 3 * row;
    if (n == 1)
      memcpy(rgb, from, 3 * (size_t)width);
    else
      meanOfFour(rgb, from, from + 3 * layer, from + 6 * layer, from + 9 * layer, 3 * width);
  }
  SN_SYNC();
}

// lines are few, and those that come later lie over those before
static void drawLines(Band* band, int transparent) {
  if (band->frame->nline) SN_SOLO(snr_drawLines(band, transparent));
}

void snr_drawBand(Band* band) {
  const Frame* f = band->frame;
  findVisible(band, &f->view, band->z, band->tri);
  if (f->segment) {
    snr_shadeSegment(band);
    drawLines(band, 0);
  } else {
    if (f->reflector >= 0) findVisible(band, &f->mirror, band->mirror_z, band->mirror_tri);
    snr_shadeOpaque(band);
    drawLines(band, 0);
    snr_drawSky(band);
    snr_drawHaze(band);
    snr_blendTransparent(band);
    drawLines(band, 1);
  }
  resolve(band);
}
