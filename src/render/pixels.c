// Reading, writing and painting pixels of a context's image.

#include <string.h>

#include "render/context.h"

// the part of a rectangle inside of an image; 0: none
static int clipRect(const State* s, snrRect* r) {
  long long right = (long long)r->left + r->width, top = (long long)r->bottom + r->height;
  if (r->left < 0) r->left = 0;
  if (r->bottom < 0) r->bottom = 0;
  if (right > s->width) right = s->width;
  if (top > s->height) top = s->height;
  if (right <= r->left || top <= r->bottom) return 0;
  r->width = (int)right - r->left;
  r->height = (int)top - r->bottom;
  return 1;
}

void snr_restoreBuffer(const snrContext* con) {
  State* s = snr_state(con, "snr_restoreBuffer");
  if (s) snr_target(s, &s->offscreen);
}

void snr_setBuffer(int framebuffer, snrContext* con) {
  (void)framebuffer;
  State* s = snr_state(con, "snr_setBuffer");
  if (!s) return;
  snr_target(s, &s->offscreen);
  con->currentBuffer = snFB_OFFSCREEN;
}

void snr_readPixels(unsigned char* rgb, float* depth, snrRect viewport, const snrContext* con) {
  State* s = snr_state(con, "snr_readPixels");
  snrRect inside = viewport;
  if (!s || !clipRect(s, &inside)) return;
  for (int y = 0; y < inside.height; y++) {
    size_t from = (size_t)(inside.bottom + y) * s->width + inside.left;
    size_t to = (size_t)(inside.bottom - viewport.bottom + y) * viewport.width + inside.left -
                viewport.left;
    if (rgb) memcpy(rgb + 3 * to, s->rgb + 3 * from, 3 * (size_t)inside.width);
    for (int x = 0; depth && x < inside.width; x++) {
      float z = s->depth[from + x];
      depth[to + x] = con->readDepthMap == snDEPTH_ZEROFAR ? z : 1 - z;
    }
  }
}

void snr_drawPixels(const unsigned char* rgb, const float* depth, snrRect viewport,
                    const snrContext* con) {
  State* s = snr_state(con, "snr_drawPixels");
  snrRect inside = viewport;
  if (!s || !clipRect(s, &inside)) return;
  for (int y = 0; y < inside.height; y++) {
    size_t to = (size_t)(inside.bottom + y) * s->width + inside.left;
    size_t from = (size_t)(inside.bottom - viewport.bottom + y) * viewport.width + inside.left -
                  viewport.left;
    if (rgb) memcpy(s->rgb + 3 * to, rgb + 3 * from, 3 * (size_t)inside.width);
    if (depth) memcpy(s->depth + to, depth + from, inside.width * sizeof(float));
  }
}

void snr_fill(State* s, snrRect rect, const float rgba[4]) {
  if (!clipRect(s, &rect)) return;
  for (int y = 0; y < rect.height; y++) {
    snByte* out = s->rgb + 3 * ((size_t)(rect.bottom + y) * s->width + rect.left);
    for (int x = 0; x < rect.width; x++, out += 3) {
      for (int c = 0; c < 3; c++) {
        float v = rgba[3] * rgba[c] * 255 + (1 - rgba[3]) * out[c];
        out[c] = (snByte)(v < 0 ? 0 : v > 255 ? 255 : v + 0.49f);  // half down, as measured
      }
    }
  }
}

void snr_rectangle(snrRect viewport, float r, float g, float b, float a) {
  State* s = snr_currentState();
  const float rgba[4] = {r, g, b, a};
  if (!s)
    snu_error("snr_rectangle: no context is current");
  else
    snr_fill(s, viewport, rgba);
}

snrRect snr_maxViewport(const snrContext* con) {
  snrRect rect = {0, 0, con->offWidth, con->offHeight};
  return rect;
}

void snr_finish(void) {}

int snr_getError(void) { return 0; }

int snr_findRect(int x, int y, int nrect, const snrRect* rect) {
  for (int i = 0; i < nrect; i++) {
    const snrRect* r = rect + i;
    long long dx = (long long)x - r->left, dy = (long long)y - r->bottom;
    if (dx >= 0 && dx < r->width && dy >= 0 && dy < r->height) return i;
  }
  return -1;
}
