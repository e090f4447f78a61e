// The passes of an image, for a band of its rows.

#include <string.h>

#include "base/assert.h"
#include "base/team.h"
#include "render/fill.h"
#include "render/shade.h"

// the next piece of memory, of which there may be none
static char* take(char* memory, size_t* used, size_t bytes) {
  char* at = memory ? memory + *used : NULL;
  *used += (bytes + 63) / 64 * 64;
  return at;
}

static void layShared(Shared* s, char* memory, size_t* used, size_t most, int passes) {
  s->count = 64;
  while (2 * (size_t)s->count <= most) s->count *= 2;
  s->size = snr_setupBytes(passes);
  s->owner = (int*)take(memory, used, s->count * sizeof(int));
  s->setup = take(memory, used, s->count * s->size);
}

size_t snr_layBand(Band* band, const Frame* f, void* memory, int rows, BandKind kind) {
  SN_ASSERT(rows >= 0 && (f->nsample == 1 || f->nsample == 4));
  size_t samples = (size_t)f->view.width * rows * f->nsample, used = 0, room = samples + kRowSlack;
  size_t copies = kind.teams ? kind.teams : 1, queries = kind.traced * samples;
  char* from = (char*)memory;
  memset(band, 0, sizeof(*band));
  band->frame = f;
  band->teams = 1;
  band->z = (float*)take(from, &used, room * sizeof(float));
  band->tri = (int*)take(from, &used, room * sizeof(int));
  band->color = (snByte*)take(from, &used, 3 * samples);
  band->verts = (Verts*)take(from, &used, copies * sizeof(Verts));
  if (kind.mirror) {
    band->mirror_z = (float*)take(from, &used, room * sizeof(float));
    band->mirror_tri = (int*)take(from, &used, room * sizeof(int));
  }
  if (kind.teams) {
    size_t bytes = samples * sizeof(*band->key);
    band->key = (unsigned long long*)take(from, &used, bytes);
    if (kind.mirror) band->mirror_key = (unsigned long long*)take(from, &used, bytes);
    band->queue = (Ready*)take(from, &used, copies * kQueue * sizeof(Ready));
    band->fragment = (int*)take(from, &used, copies * kFragments * sizeof(int));
    layShared(band->shared, from, &used, samples / 4, 1 + kind.traced);
    if (kind.mirror) layShared(band->shared + 1, from, &used, samples / 8, 1);
  } else {
    band->corner = (Corner*)take(from, &used, kCorners * sizeof(Corner));
    band->setup = (Setup*)take(from, &used, kSetups * sizeof(Setup));
  }
  if (kind.traced) {
    band->query = (Query*)take(from, &used, queries * sizeof(Query));
    band->query_state = (snByte*)take(from, &used, queries);
    band->query_list = (Asked*)take(from, &used, queries * sizeof(Asked));
    band->query_end = (int*)take(from, &used, kind.traced * kTraceEnds * sizeof(int));
    band->query_row = (unsigned long long*)take(
        from, &used, kind.traced * kTraceTiles * sizeof(*band->query_row));
  }
  return used;
}

static void clearSamples(const Band* band, unsigned long long* key, float* z, int* tri) {
  size_t count = snr_countSamples(band);
  if (key) {
    SNR_FOR(k, band, count) key[k] = 0;
  } else {
    memset(z, 0, count * sizeof(float));
    memset(tri, 0xff, count * sizeof(int));  // kNoTriangle
  }
}

SN_OUTLINE void snr_clearBand(const Band* band) {
  const Frame* f = band->frame;
  clearSamples(band, band->key, band->z, band->tri);
  if (f->reflector >= 0) clearSamples(band, band->mirror_key, band->mirror_z, band->mirror_tri);
  for (int k = 0; k <= (f->reflector >= 0); k++) {
    SNR_FOR(i, band, band->shared[k].count) band->shared[k].owner[i] = 0;
  }
  if (band->query) SNR_FOR(i, band, (f->npass - 1) * kTraceEnds) band->query_end[i] = 0;
  SN_SYNC();
}

// what teams have drawn (raster.c): depth above, the triangle's number plus one below
static void splitKeys(const Band* band, const unsigned long long* key, float* z, int* tri) {
  int n = band->frame->nsample;
  size_t layer = snr_countSamples(band) / n;
  SNR_FOR(k, band, layer) {
    for (int s = 0; s < n; s++) {
      size_t at = s * layer + k;
      unsigned bits = (unsigned)(key[at] >> 32);
      memcpy(z + at, &bits, sizeof(bits));
      tri[at] = (int)(unsigned)key[at] - 1;
    }
  }
}

static int isDrawn(const Frame* f, const View* view, const Instance* in) {
  SN_ASSERT_INDEX(in->geom, f->scene->ngeom);
  return !f->paint[in->geom].transparent && !(view->flipped && in->geom == f->reflector);
}

// nearest opaque triangle of every sample, as seen in a view
static void findVisible(const Band* band, const View* view, unsigned long long* key, float* z,
                        int* tri) {
  SN_ASSERT(band->y0 >= 0 && band->y0 <= band->y1 && band->y1 <= band->frame->view.height);
  SN_ASSERT(z && tri);
  const Frame* f = band->frame;
  Raster r;
  memset(&r, 0, sizeof(r));
  r.view = view;
  r.y0 = band->y0;
  r.y1 = band->y1;
  r.width = f->view.width;
  r.z = z;
  r.tri = tri;
  snr_setSamples(&r, 0, f->nsample, f->nsample);
  r.layer = snr_countSamples(band) / f->nsample;
  r.wire = f->wire;
  r.key = key;
  r.verts = band->verts;
  r.queue = band->queue;
  r.team = band->team;
  r.teams = band->teams;
  for (int first = 0; first < f->ninstance; first += SN_LANES) {
    int i = first + SN_LANE, part = i < f->ninstance && isDrawn(f, view, f->instance + i);
    part = part && snr_hasPart(&r, f->instance + i);
    for (unsigned set = sn_teamBallot(part); set; set &= set - 1) {
      const Instance* in = f->instance + first + sn_firstBit(set);
      snr_rasterInstance(&r, in, f->paint[in->geom].cull);
    }
  }
  snr_finishRaster(&r);
}

SN_OUTLINE void snr_findTriangles(const Band* band) {
  const Frame* f = band->frame;
  findVisible(band, &f->view, band->key, band->z, band->tri);
  if (f->reflector >= 0)
    findVisible(band, &f->mirror, band->mirror_key, band->mirror_z, band->mirror_tri);
}

// The first of the teams goes on alone; 0: this is another one.
static int takeTurns(Band* band) {
  if (band->team) return 0;
  band->teams = 1;
  return 1;
}

SN_OUTLINE void snr_lightBand(Band* band) {
  const Frame* f = band->frame;
  if (!SNR_DEALT(band)) return;
  splitKeys(band, band->key, band->z, band->tri);
  if (f->reflector >= 0) splitKeys(band, band->mirror_key, band->mirror_z, band->mirror_tri);
  if (!f->segment) snr_lightTriangles(band);
  SN_SYNC();
}

SN_OUTLINE void snr_colorBand(Band* band) {
  const Frame* f = band->frame;
  if (f->reflector >= 0 && f->has_transparent && !takeTurns(band)) return;
  if (f->segment)
    snr_shadeSegment(band);
  else
    snr_shadeOpaque(band);
}

// A pass for each of the teams in turn.
SN_OUTLINE void snr_sortBand(const Band* band) {
  for (int p = 1 + band->team; band->query && p < band->frame->npass; p += band->teams)
    snr_sortQueries(band, p);
}

SN_OUTLINE void snr_traceBand(const Band* band) {
  for (int p = 1; band->query && p < band->frame->npass; p++) snr_traceShadow(band, p);
}

// rounded mean of four rows of bytes
SN_WIDE_PIXELS(static, void, meanOfFour,
               (snByte * SN_RESTRICT out, const snByte* a, const snByte* b, const snByte* c,
                const snByte* d, int count),
               (out, a, b, c, d, count)) {
  for (int k = 0; k < count; k++) out[k] = (snByte)((a[k] + b[k] + c[k] + d[k] + 2) >> 2);
}

// mean of the samples to the image; depth of the first
static void resolveRow(const Band* band, int line) {
  const Frame* f = band->frame;
  int width = f->view.width, n = f->nsample;
  size_t layer = (size_t)(band->y1 - band->y0) * width, row = (size_t)line * width;
  ptrdiff_t to = (ptrdiff_t)(band->y0 + line) * f->stride;
  if (f->depth) memcpy(f->depth + to, band->z + row, width * sizeof(float));
  if (!f->rgb) return;
  snByte* rgb = f->rgb + 3 * to;
  const snByte* from = band->color + 3 * row;
  if (n == 1)
    memcpy(rgb, from, 3 * (size_t)width);
  else
    meanOfFour(rgb, from, from + 3 * layer, from + 6 * layer, from + 9 * layer, 3 * width);
}

// the same for a pixel
static void resolvePixel(const Band* band, size_t pixel, size_t layer) {
  const Frame* f = band->frame;
  int width = f->view.width, n = f->nsample, row = (int)(pixel / width);
  ptrdiff_t to = (ptrdiff_t)(band->y0 + row) * f->stride + (ptrdiff_t)(pixel % width);
  if (f->depth) f->depth[to] = band->z[pixel];
  for (int c = 0; f->rgb && c < 3; c++) {
    int sum = 0;
    for (int s = 0; s < n; s++) sum += band->color[3 * (s * layer + pixel) + c];
    f->rgb[3 * to + c] = (snByte)((sum + n / 2) / n);
  }
}

static void resolve(const Band* band) {
  int rows = band->y1 - band->y0;
  size_t layer = (size_t)rows * band->frame->view.width;
  if (!SNR_DEALT(band)) {
    for (int line = 0; line < rows; line++) resolveRow(band, line);
    return;
  }
  SNR_FOR(k, band, layer) resolvePixel(band, (size_t)k, layer);
  SN_SYNC();
}

// lines are few, and those that come later lie over those before
static void drawLines(Band* band, int transparent) {
  if (band->frame->nline) SN_SOLO(snr_drawLines(band, transparent));
}

SN_OUTLINE int snr_finishBand(Band* band) {
  const Frame* f = band->frame;
  size_t pixels = snr_countSamples(band) / f->nsample;
  if ((f->nline || f->has_transparent) && !takeTurns(band)) return 0;
  if (band->query) SNR_FOR(k, band, pixels) snr_addTraced(band, (size_t)k);
  SN_SYNC();
  drawLines(band, 0);
  if (!f->segment) {
    snr_drawSky(band);
    snr_drawHaze(band);
    snr_blendTransparent(band);
    drawLines(band, 1);
  }
  resolve(band);
  return 1;
}

#ifndef SN_DEVICE  // where phases are launched one by one
void snr_drawBand(Band* band) {
  snr_clearBand(band);
  snr_findTriangles(band);
  snr_lightBand(band);
  snr_colorBand(band);
  snr_sortBand(band);
  snr_traceBand(band);
  snr_finishBand(band);
}
#endif
