// What shading knows of the triangle at hand; shared by single fragments (shade.c) and runs of them (run.c).

#ifndef SINEW_RENDER_SHADE_H_
#define SINEW_RENDER_SHADE_H_

#include "render/render.h"

SN_EXTERN_C_BEGIN

// The light of a pass on a triangle.
typedef struct Lit_ {
  double from[3][4];  // corners as the lamp sees them, of passes with shadows
  float rgb[3][3];    // by corner
  int dark;           // no light at any corner
} Lit;

// The block of 2 x 2 pixels whose level of detail is known.
typedef struct Detail_ {
  int block[2];
  float level;
} Detail;

// A triangle that is being shaded. e[k] . (x, y, 1) is the weight of corner k divided by the distance W.
typedef struct Setup_ {
  int tri;
  Detail detail;
  const Instance* instance;
  const Paint* paint;
  double e[3][3];
  float tex[3][3];
  Lit pass[kMaxPasses];  // as many as the view has: those that teams share end there
  int unused[4];         // room for the rest of a word
} Setup;

// Setups that teams share are written in words of 16 bytes.
static inline size_t snr_setupBytes(int passes) {
  return (offsetof(Setup, pass) + (size_t)passes * sizeof(Lit) + 15) / 16 * 16;
}

enum { kSetups = 512 };  // triangles of a band that are kept: the next row meets them again

// in memory that a GPU copies by words of 16 bytes
#ifdef SN_DEVICE
#define SNR_WORDS __align__(16)
#else
#define SNR_WORDS
#endif

// what a view and its light make of triangles
typedef struct Shader_ {
  Band* band;
  const View* view;
  int passes;            // 1: all lights together
  float reduce;          // factor of diffuse, ambient and emitted colour in a mirror
  const Shared* shared;  // NULL: a lane draws alone
  Setup* setup;    // of the triangle at hand: one that the band keeps or shares, or this lane's own
  Detail* detail;  // of it, or this lane's own
  const Instance* instance;  // of the triangle before
  SNR_WORDS Setup own;
} Shader;

// ---- run.c ----

enum { kRun = 16 };  // fragments that are shaded together

// Whether runs of the triangle that is set up can be shaded: there is no fog, and its texture is a plain one.
int snr_canRun(const Shader* w);
// Shade pixels of a row, all in the triangle that is set up: at most kRun of them,
// one less where x is odd. rgb: 3 bytes each, by pixel.
void snr_shadeRun(const Shader* w, int x, int y, int count, snByte* rgb);

SN_EXTERN_C_END

#endif  // SINEW_RENDER_SHADE_H_
