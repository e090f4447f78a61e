// What a rendering context owns.

#ifndef SINEW_RENDER_CONTEXT_H_
#define SINEW_RENDER_CONTEXT_H_

#include "render/render.h"
#include "sinew/render.h"

typedef struct State_ {
  Assets* assets;
  int owns_assets;
  int width, height;  // of the image
  snByte* rgb;
  float* depth;      // 1 near, 0 far
  snrRect viewport;  // last one drawn into
  ShadowMap shadow[kMaxLamps];
  void* geom_memory;
  size_t geom_bytes;
  void* band_memory;
  size_t band_bytes;
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

// Text into an image: lower left corner, clipped to it (text.c).
void snr_drawLabels(State* s, const snrContext* con, const snvScene* scn, snrRect viewport);

#endif  // SINEW_RENDER_CONTEXT_H_
