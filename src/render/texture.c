// What colour a texture has at a coordinate.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/team.h"
#include "render/render.h"

static SN_OUTLINE float decodeByte(snByte v) { return (float)snr_decodeColor(v / 255.0); }

// a weighted mean of four texels
static void addTexels(float rgba[4], const Texture* t, const snByte* const p[4],
                      const float share[4]) {
  for (int c = 0; c < 4; c++) {
    float sum;
    if (t->srgb && c < 3) {
      sum = share[0] * decodeByte(p[0][c]) + share[1] * decodeByte(p[1][c]) +
            share[2] * decodeByte(p[2][c]) + share[3] * decodeByte(p[3][c]);
    } else {
      sum = (share[0] * p[0][c] + share[1] * p[1][c] + share[2] * p[2][c] + share[3] * p[3][c]) *
            (1 / 255.0f);
    }
    rgba[c] += sum;
  }
}

// the four bytes of a texel in the four parts of 16 bits of a word
static unsigned long long spread(const snByte* p) {
  unsigned long long x = (unsigned)(p[0] | p[1] << 8 | p[2] << 16) | (unsigned)p[3] << 24;
  x = (x | x << 16) & 0x0000ffff0000ffffull;
  return (x | x << 8) & 0x00ff00ff00ff00ffull;
}

// a mean between four texels, with weights of 8 bits: all channels at once
static void addBlend(float rgba[4], const snByte* const p[4], float a, float b, float weight) {
  unsigned u = (unsigned)(256 * a + 0.5f), v = (unsigned)(256 * b + 0.5f),
           both = (u * v + 128) >> 8;
  unsigned long long sum = spread(p[0]) * (256 - u - v + both) + spread(p[1]) * (u - both) +
                           spread(p[2]) * (v - both) + spread(p[3]) * both;
  float scale = weight * (1 / (256 * 255.0f));
  for (int c = 0; c < 4; c++) rgba[c] += scale * (float)(int)(sum >> (16 * c) & 0xffff);
}

// the largest whole number that is not above: coordinates are small enough for an int, or do not matter
static int floorOf(float x) {
  int i = x > -1e9f && x < 1e9f ? (int)x : 0;
  return (float)i > x ? i - 1 : i;
}

static SN_OUTLINE void sample2d(const Texture* t, int level, const float st[2], float weight,
                                float rgba[4]) {
  SN_ASSERT_INDEX(level, t->nlevel);
  int w = t->width >> level, h = t->height >> level;
  if (w < 1) w = 1;
  if (h < 1) h = 1;
  // whole repeats do not matter, and drop out before they cost precision
  float u = (st[0] - floorOf(st[0])) * w - 0.5f, v = (st[1] - floorOf(st[1])) * h - 0.5f;
  int x0 = floorOf(u), y0 = floorOf(v);
  float a = u - x0, b = v - y0;
  if (!(a >= 0 && a <= 1 && b >= 0 && b <= 1)) a = b = 0;  // coordinates beyond all reason
  int x1 = x0 + 1 >= w ? 0 : x0 + 1, y1 = y0 + 1 >= h ? 0 : y0 + 1;
  if (x0 < 0) x0 = w - 1;
  if (y0 < 0) y0 = h - 1;
  if (x0 >= w) x0 = w - 1;  // st just below a whole number may round up to it
  if (y0 >= h) y0 = h - 1;
  const snByte* texel = t->texel[0][level];
  SN_ASSERT_INDEX2(x0, x1, w);
  SN_ASSERT_INDEX2(y0, y1, h);
  const snByte* const p[4] = {texel + 4 * (y0 * w + x0), texel + 4 * (y0 * w + x1),
                              texel + 4 * (y1 * w + x0), texel + 4 * (y1 * w + x1)};
  if (!t->srgb) {
    addBlend(rgba, p, a, b, weight);
    return;
  }
  const float share[4] = {weight * (1 - a) * (1 - b), weight * a * (1 - b), weight * (1 - a) * b,
                          weight * a * b};
  addTexels(rgba, t, p, share);
}

// face of a direction and where on it, in [-1, 1]
static int cubeFace(const float d[3], float* u, float* v) {
  float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);
  int face;
  float ma, sc, tc;
  if (x >= y && x >= z) {
    face = d[0] >= 0 ? 0 : 1;
    ma = x;
    sc = d[0] >= 0 ? -d[2] : d[2];
    tc = -d[1];
  } else if (y >= z) {
    face = d[1] >= 0 ? 2 : 3;
    ma = y;
    sc = d[0];
    tc = d[1] >= 0 ? d[2] : -d[2];
  } else {
    face = d[2] >= 0 ? 4 : 5;
    ma = z;
    sc = d[2] >= 0 ? d[0] : -d[0];
    tc = -d[1];
  }
  *u = ma > 0 ? sc / ma : 0;
  *v = ma > 0 ? tc / ma : 0;
  return face;
}

// direction of a point on a face: inverse of cubeFace
static void faceDirection(float d[3], int face, float u, float v) {
  SN_ASSERT_INDEX(face, 6);
  float table[6][3] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}};
  memcpy(d, table[face], 3 * sizeof(float));
}

// texel of a face; beyond its border that of the neighbour
static SN_OUTLINE const snByte* cubeTexel(const Texture* t, int level, int face, int x, int y,
                                          int n) {
  SN_ASSERT_INDEX(level, t->nlevel);
  if (x < 0 || y < 0 || x >= n || y >= n) {
    float d[3], u, v;
    if ((x < 0 || x >= n) && (y < 0 || y >= n)) return NULL;  // three faces meet
    faceDirection(d, face, 2 * (x + 0.5f) / n - 1, 2 * (y + 0.5f) / n - 1);
    face = cubeFace(d, &u, &v);
    x = (int)floorf(0.5f * (u + 1) * n);
    y = (int)floorf(0.5f * (v + 1) * n);
    x = x < 0 ? 0 : x >= n ? n - 1 : x;
    y = y < 0 ? 0 : y >= n ? n - 1 : y;
  }
  return t->texel[face][level] + 4 * (y * n + x);
}

static SN_OUTLINE void sampleCube(const Texture* t, int level, const float d[3], float weight,
                                  float rgba[4]) {
  int n = t->width >> level;
  if (n < 1) n = 1;
  float u, v;
  int face = cubeFace(d, &u, &v);
  u = 0.5f * (u + 1) * n - 0.5f;
  v = 0.5f * (v + 1) * n - 0.5f;
  int x = floorOf(u), y = floorOf(v), missing = -1;
  float a = u - x, b = v - y;
  const snByte* p[4];
  float share[4] = {weight * (1 - a) * (1 - b), weight * a * (1 - b), weight * (1 - a) * b,
                    weight * a * b};
  int inside = x >= 0 && y >= 0 && x + 1 < n && y + 1 < n;
  const snByte* first = t->texel[face][level] + 4 * (inside ? y * n + x : 0);
  for (int k = 0; k < 4; k++) {
    p[k] = inside ? first + 4 * ((k & 1) + (k >> 1) * n)
                  : cubeTexel(t, level, face, x + (k & 1), y + (k >> 1), n);
    if (!p[k]) missing = k;
  }
  if (missing >= 0) {  // at a corner of the cube three faces meet: the mean of their texels
    for (int k = 0; k < 4; k++) share[k] += share[missing] / 3;
    p[missing] = p[missing ^ 3];
    share[missing] = 0;
  }
  addTexels(rgba, t, p, share);
}

static void sampleLevel(const Texture* t, int level, const float st[3], float weight,
                        float rgba[4]) {
  if (t->type == snTEXTURE_2D) {
    sample2d(t, level, st, weight, rgba);
  } else {
    sampleCube(t, level, st, weight, rgba);
  }
}

// texels that a step of one pixel crosses
static float stepLength(const Texture* t, const float st[3], const float d[3]) {
  if (t->type == snTEXTURE_2D) {
    float u = d[0] * t->width, v = d[1] * t->height;
    return u * u + v * v;
  }
  float u0, v0, u1, v1, next[3] = {st[0] + d[0], st[1] + d[1], st[2] + d[2]};
  int face = cubeFace(st, &u0, &v0);
  if (cubeFace(next, &u1, &v1) != face) return 1;
  float u = 0.5f * (u1 - u0) * t->width, v = 0.5f * (v1 - v0) * t->width;
  return u * u + v * v;
}

float snr_textureLevel(const Texture* t, const float st[3], const float dx[3], const float dy[3]) {
  float a = stepLength(t, st, dx), b = stepLength(t, st, dy), square = a > b ? a : b;
  if (!(square > 1)) return 0;
  // the logarithm of rasterisers: exponent plus mantissa, linear between powers of two
  int exponent;
  float mantissa = frexpf(square, &exponent);
  float level = 0.5f * (exponent - 1 + 2 * mantissa - 1), most = (float)(t->nlevel - 1);
  return level < most ? level : most;
}

void snr_sampleTexture(const Texture* t, const float st[3], float level, float rgba[4]) {
  memset(rgba, 0, 4 * sizeof(float));
  if (!t->nlevel || !isfinite(st[0]) || !isfinite(st[1]) || !isfinite(st[2])) {
    for (int c = 0; c < 4; c++) rgba[c] = 1;
    return;
  }
  int whole = (int)level;
  float part = level - whole;
  sampleLevel(t, whole, st, 1 - part, rgba);
  if (part > 0 && whole + 1 < t->nlevel) sampleLevel(t, whole + 1, st, part, rgba);
}
