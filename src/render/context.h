// What a rendering context owns.

#ifndef SINEW_RENDER_CONTEXT_H_
#define SINEW_RENDER_CONTEXT_H_

#include "base/parallel.h"
#include "render/render.h"
#include "sinew/render.h"

// an image with depth: 1 near, 0 far
typedef struct Surface_ {
  int width, height;
  snByte* rgb;
  float* depth;
} Surface;

typedef struct State_ {
  Assets* assets;
  int owns_assets;
  int width,
      height;  // of the image that is drawn into: the offscreen one, or an auxiliary one (aux.c)
  snByte* rgb;
  float* depth;
  Surface offscreen, aux[snNAUX];
  snrRect viewport;  // last one drawn into
  ShadowMap shadow[kMaxLamps];
  void* geom_memory;
  size_t geom_bytes;
  void* band_memory;
  size_t band_bytes;
  snWorkers* workers;  // that draw an image together; NULL: one thread does
  Frame frame;
} State;

// State of a context, which becomes the thread's current one; NULL and an error when it has none.
State* snr_state(const snrContext* con, const char* caller);
// State of the context that this thread used last, or NULL.
State* snr_currentState(void);
// Blend a rectangle (pixels.c).
void snr_fill(State* s, snrRect rect, const float rgba[4]);

// Context of an image of the given size, with the assets of another unless owner is NULL; 0 when there is no
// memory. The owner is freed last.
int snr_makeShared(const snModel* m, snrContext* con, const snrContext* owner, int width,
                   int height);
// Most rows and columns of an image.
int snr_mostPixels(void);

// An image of a size, all black, in place of the old one, which stays when there is no memory: then 0 (context.c).
int snr_makeSurface(Surface* surface, int width, int height);
void snr_freeSurface(Surface* surface);
// Draw into an image from now on.
void snr_target(State* s, const Surface* surface);

// Text of one line: sizes, and drawn from its lower left corner on (text.c).
int snr_textWidth(const snrContext* con, int font, const char* text);
int snr_textHeight(const snrContext* con, int font);
void snr_drawString(State* s, const snrContext* con, int font, const char* text, int left,
                    int bottom, const float rgb[3]);

// Text into an image: lower left corner, clipped to it (text.c).
void snr_drawLabels(State* s, const snrContext* con, const snvScene* scn, snrRect viewport);

#endif  // SINEW_RENDER_CONTEXT_H_
