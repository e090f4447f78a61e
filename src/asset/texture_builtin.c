#include "asset/texture_builtin.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "sinew/types.h"

enum { CUBE_UP = 2, CUBE_DOWN = 3, CUBE_FRONT = 4, CUBE_BACK = 5 };

// the lowest byte of the whole part, also where a colour is out of range
static snByte cut(double value) { return fabs(value) < 2e9 ? (snByte)(int)value : 0; }

snByte sn_colorByte(double value) { return cut(255 * value); }

typedef struct Color_ {
  snByte byte[3];
} Color;

static Color color(const double rgb[3]) {
  Color c;
  for (int k = 0; k < 3; k++) c.byte[k] = sn_colorByte(rgb[k]);
  return c;
}

static void setPixel(snByte* pixel, Color c) {
  for (int k = 0; k < 3; k++) pixel[k] = c.byte[k];
}

// Blend of two colours, 255 times: alpha rgb1 + (1 - alpha) rgb2, alpha a smooth step of pos.
static void blend(double value[3], const double rgb1[3], const double rgb2[3], double pos) {
  double alpha = 0.5 * (1 + pos / sqrt(1 + pos * pos) / (1 / sqrt(2)));
  if (alpha < 0) alpha = 0;
  if (alpha > 1) alpha = 1;
  for (int k = 0; k < 3; k++) value[k] = 255 * (alpha * rgb1[k] + (1 - alpha) * rgb2[k]);
}

// Colour on a side of the cube: from the height of the direction on upright sides, and from its
// component along the axis on the others; both are between -1 and 1.
static void sideColor(double value[3], const snsTexture* spec, int side, double t) {
  SN_ASSERT_INDEX(side, 6);
  double pos;
  if (side == CUBE_UP || side == CUBE_DOWN) {
    pos = 1 - acos(t) / (snPI / 2);
    if (side == CUBE_DOWN) pos = -pos;
  } else {
    pos = asin(t) / (snPI / 2);
  }
  blend(value, spec->rgb1, spec->rgb2, pos);
}

// Colours between -1 and 1 in bins. A bin is flat when its two ends have the same bytes and are not
// so close to the next byte that rounding could tell; elsewhere the colour is computed.
enum { BINS = 8192 };

typedef struct Ramp_ {
  Color color[BINS];
  snByte flat[BINS];
} Ramp;

static void makeRamp(Ramp* ramp, const snsTexture* spec, int side) {
  SN_ASSERT(ramp);
  double low[3], high[3];
  sideColor(high, spec, side, -1);
  for (int i = 0; i < BINS; i++) {
    memcpy(low, high, sizeof(low));
    sideColor(high, spec, side, -1 + (i + 1) * (2.0 / BINS));
    ramp->flat[i] = 1;
    for (int k = 0; k < 3; k++) {
      ramp->color[i].byte[k] = cut(low[k]);
      double floor_low = floor(low[k]), inside = 1e-9;
      int zero = spec->rgb1[k] == 0 && spec->rgb2[k] == 0;
      int clear = low[k] - floor_low > inside && high[k] - floor_low > inside &&
                  low[k] - floor_low < 1 - inside && high[k] - floor_low < 1 - inside;
      if (!zero && !clear) ramp->flat[i] = 0;
    }
  }
}

// Paint a gradient on a side of the cube; the ramp is used for large images.
static void paintSide(snByte* data, const snsTexture* spec, int width, int side, Ramp* ramp) {
  int large = (int64_t)width * width > 4 * BINS;
  if (large) makeRamp(ramp, spec, side);
  for (int r = 0; r < width; r++) {
    double y = 1 - 2 * r / (double)(width - 1);
    for (int c = 0; c < width; c++) {
      snByte* pixel = data + 3 * ((size_t)r * (size_t)width + (size_t)c);
      double x = 2 * c / (double)(width - 1) - 1, length = sqrt(1 + x * x + y * y);
      double t = side == CUBE_UP || side == CUBE_DOWN ? 1 / length : y / length;
      int bin = large ? (int)((t + 1) * (BINS / 2)) : BINS;
      if (bin >= 0 && bin < BINS && ramp->flat[bin]) {
        setPixel(pixel, ramp->color[bin]);
      } else {
        double value[3];
        sideColor(value, spec, side, t);
        for (int k = 0; k < 3; k++) pixel[k] = cut(value[k]);
      }
    }
  }
}

// Paint one image, but for the gradients of a cube; side is -1 for a 2d texture.
static void paintImage(snByte* data, const snsTexture* spec, int width, int height, int side) {
  Color color1 = color(spec->rgb1), color2 = color(spec->rgb2);
  for (int r = 0; r < height; r++) {
    for (int c = 0; c < width; c++) {
      snByte* pixel = data + 3 * ((size_t)r * (size_t)width + (size_t)c);
      if (spec->builtin == snBUILTIN_GRADIENT) {
        double x = 2 * c / (double)(width - 1) - 1, y = 1 - 2 * r / (double)(height - 1), value[3];
        blend(value, spec->rgb2, spec->rgb1, 2 * sqrt(x * x + y * y) - 1);
        for (int k = 0; k < 3; k++) pixel[k] = cut(value[k]);
      } else if (spec->builtin == snBUILTIN_CHECKER) {
        int first = (r < height / 2) == (c < width / 2);
        if (side == CUBE_FRONT || side == CUBE_BACK) first = !first;
        setPixel(pixel, first ? color1 : color2);
      } else {
        setPixel(pixel, side == CUBE_DOWN ? color2 : color1);
      }
    }
  }
}

// ---- marks ----

// 64-bit Mersenne twister (Matsumoto and Nishimura 2004)
enum { WORDS = 312, SHIFT = 156 };

typedef struct Twister_ {
  uint64_t state[WORDS];
  int index;
} Twister;

static void seedTwister(Twister* t, uint64_t seed) {
  t->state[0] = seed;
  for (uint64_t i = 1; i < WORDS; i++) {
    uint64_t previous = t->state[i - 1];
    t->state[i] = 6364136223846793005u * (previous ^ previous >> 62) + i;
  }
  t->index = WORDS;
}

// One word of the next state from its neighbour and the word half a period ahead.
static uint64_t twist(uint64_t word, uint64_t neighbor, uint64_t ahead) {
  uint64_t x = (word & 0xFFFFFFFF80000000u) | (neighbor & 0x7FFFFFFFu);
  return ahead ^ x >> 1 ^ (0xB5026F5AA96619E9u & (0 - (x & 1)));
}

static void nextState(Twister* t) {
  uint64_t* s = t->state;
  for (int i = 0; i < SHIFT; i++) s[i] = twist(s[i], s[i + 1], s[i + SHIFT]);
  for (int i = SHIFT; i < WORDS - 1; i++) s[i] = twist(s[i], s[i + 1], s[i - SHIFT]);
  s[WORDS - 1] = twist(s[WORDS - 1], s[0], s[SHIFT - 1]);
  t->index = 0;
}

static uint64_t nextRandom(Twister* t) {
  if (t->index == WORDS) nextState(t);
  uint64_t x = t->state[t->index++];
  x ^= x >> 29 & 0x5555555555555555u;
  x ^= x << 17 & 0x71D67FFFEDA60000u;
  x ^= x << 37 & 0xFFF7EEE000000000u;
  return x ^ x >> 43;
}

static void markRandom(snByte* data, const snsTexture* spec, int width, int height) {
  Twister twister;
  Color mark = color(spec->markrgb);
  seedTwister(&twister, 42);
  size_t count = (size_t)width * (size_t)height;
  for (size_t i = 0; i < count; i++) {
    if ((double)nextRandom(&twister) / 18446744073709551616.0 < spec->random) {
      setPixel(data + 3 * i, mark);
    }
  }
}

// Edges or a cross of one image.
static void markImage(snByte* data, const snsTexture* spec, int width, int height) {
  Color mark = color(spec->markrgb);
  for (int r = 0; r < height; r++) {
    for (int c = 0; c < width; c++) {
      int marked;
      if (spec->mark == snMARK_EDGE) {
        marked = r == 0 || r == height - 1 || c == 0 || c == width - 1;
      } else {
        marked = r == height / 2 || c == width / 2;
      }
      if (marked) setPixel(data + 3 * ((size_t)r * (size_t)width + (size_t)c), mark);
    }
  }
}

void sn_paintTexture(snByte* data, const snsTexture* spec, int width, int height) {
  int cube = spec->type != snTEXTURE_2D;
  int nimage = cube ? 6 : 1, rows = height / nimage;
  size_t stride = 3 * (size_t)width * (size_t)rows;
  Ramp ramp;
  for (int i = 0; i < nimage; i++) {
    // a gradient is the same on all upright sides, with its marks
    if (i && i != CUBE_UP && i != CUBE_DOWN && spec->builtin == snBUILTIN_GRADIENT) {
      memcpy(data + (size_t)i * stride, data, stride);
      continue;
    }
    if (cube && spec->builtin == snBUILTIN_GRADIENT) {
      paintSide(data + (size_t)i * stride, spec, width, i, &ramp);
    } else {
      paintImage(data + (size_t)i * stride, spec, width, rows, cube ? i : -1);
    }
    if (spec->mark == snMARK_EDGE || spec->mark == snMARK_CROSS) {
      markImage(data + (size_t)i * stride, spec, width, rows);
    }
  }
  if (spec->mark == snMARK_RANDOM && spec->random > 0) markRandom(data, spec, width, height);
}
