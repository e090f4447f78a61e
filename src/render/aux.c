// Auxiliary buffers of a context: images to draw into, and to copy from.

#include <string.h>

#include "render/context.h"

static int isIndex(int index) {
  if (index >= 0 && index < snNAUX) return 1;
  snu_error("Invalid aux buffer index");
  return 0;
}

// drawing goes to the offscreen image when its target is gone
static void removeAux(State* s, int index, snrContext* con) {
  Surface* aux = s->aux + index;
  if (aux->rgb && s->rgb == aux->rgb) snr_target(s, &s->offscreen);
  snr_freeSurface(aux);
  con->auxWidth[index] = con->auxHeight[index] = con->auxSamples[index] = 0;
  con->auxFBO[index] = 0;
}

void snr_addAux(int index, int width, int height, int samples, snrContext* con) {
  State* s = snr_state(con, "snr_addAux");
  if (!s || !isIndex(index)) return;
  int most = snr_mostPixels();
  if (width < 0 || height < 0 || width > most || height > most) {
    snu_error("aux buffer of %d x %d pixels: sizes from 1 to %d are possible", width, height, most);
    return;
  }
  removeAux(s, index, con);
  if (!width || !height) return;
  if (!snr_makeSurface(s->aux + index, width, height)) {
    snu_error("no memory for an aux buffer of %d x %d pixels", width, height);
    return;
  }
  con->auxWidth[index] = width;
  con->auxHeight[index] = height;
  con->auxSamples[index] = samples > 0 ? con->offSamples : 0;
  con->auxFBO[index] = (uint32_t)index + 1;
}

// the buffer with an index; NULL and an error when there is none
static Surface* findAux(const snrContext* con, int index, const char* caller) {
  State* s = snr_state(con, caller);
  if (!s || !isIndex(index)) return NULL;
  if (s->aux[index].rgb) return s->aux + index;
  snu_error("auxFBO %d does not exist", index);
  return NULL;
}

void snr_setAux(int index, const snrContext* con) {
  const Surface* aux = findAux(con, index, "snr_setAux");
  if (aux) snr_target((State*)con->state, aux);
}

void snr_blitAux(int index, snrRect src, int left, int bottom, const snrContext* con) {
  const Surface* from = findAux(con, index, "snr_blitAux");
  if (!from) return;
  const Surface* to = &((State*)con->state)->offscreen;
  for (int y = 0; y < src.height && y < from->height; y++) {
    long long row = (long long)src.bottom + y, target = (long long)bottom + y;
    if (row < 0 || row >= from->height || target < 0 || target >= to->height) continue;
    for (int x = 0; x < src.width && x < from->width; x++) {
      long long column = (long long)src.left + x, at = (long long)left + x;
      if (column < 0 || column >= from->width || at < 0 || at >= to->width) continue;
      memcpy(to->rgb + 3 * (target * to->width + at), from->rgb + 3 * (row * from->width + column),
             3);
    }
  }
}
