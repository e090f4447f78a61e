// Textures: levels of detail, and what colour lies at a coordinate.

#include <math.h>
#include <string.h>

#include "render/render.h"

// ---- making (host side: takes memory) ----

static double decode(double v) { return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4); }
static double encode(double v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
}

// the two texels on both sides of the centre of texel i of the next level, and the weight of the second
static float between(int i, int size, int* a, int* b) {
  int half = size > 1 ? size / 2 : 1;
  double at = (i + 0.5) * size / half - 0.5, low = floor(at);
  *a = low < 0 ? 0 : (int)low;
  *b = *a + 1 < size ? *a + 1 : size - 1;
  return (float)(at - low);
}

// the next level: linear between neighbours, which is their mean where sizes are even
static void halve(snByte* to, const snByte* from, int width, int height, int srgb) {
  int w = width > 1 ? width / 2 : 1, h = height > 1 ? height / 2 : 1;
  for (int y = 0; y < h; y++) {
    int y0, y1;
    float v = between(y, height, &y0, &y1);
    for (int x = 0; x < w; x++) {
      int x0, x1;
      float u = between(x, width, &x0, &x1);
      const snByte* p[4] = {from + 4 * (y0 * width + x0), from + 4 * (y0 * width + x1),
                            from + 4 * (y1 * width + x0), from + 4 * (y1 * width + x1)};
      float share[4] = {(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v};
      for (int c = 0; c < 4; c++) {
        int decoded = srgb && c < 3;
        double sum = 0;
        for (int k = 0; k < 4; k++)
          sum += share[k] * (decoded ? decode(p[k][c] / 255.0) : p[k][c] / 255.0);
        to[4 * (y * w + x) + c] = (snByte)(255 * (decoded ? encode(sum) : sum) + 0.5);
      }
    }
  }
}

static void copyTexels(snByte* to, const snByte* from, int count, int nchannel) {
  for (int i = 0; i < count; i++) {
    const snByte* p = from + (size_t)i * nchannel;
    for (int c = 0; c < 3; c++) to[4 * i + c] = nchannel >= 3 ? p[c] : p[0];
    to[4 * i + 3] = nchannel == 4 ? p[3] : nchannel == 2 ? p[1] : 255;
  }
}

static size_t chainTexels(int width, int height, int* nlevel) {
  size_t count = 0;
  for (*nlevel = 0; *nlevel < kMaxLevels; ++*nlevel) {
    count += (size_t)width * height;
    if (width == 1 && height == 1) {
      ++*nlevel;
      break;
    }
    width = width > 1 ? width / 2 : 1;
    height = height > 1 ? height / 2 : 1;
  }
  return count;
}

int snr_loadTexture(Assets* assets, const snModel* m, int id) {
  Texture* t = assets->texture + id;
  snu_free((void*)t->texel[0][0]);
  memset(t, 0, sizeof(*t));
  int width = m->tex_width[id], height = m->tex_height[id], cube = m->tex_type[id] != snTEXTURE_2D;
  int single = cube && height == width, faces = cube && !single ? 6 : 1;
  int nchannel = cube ? 3 : m->tex_nchannel[id];
  // a cube whose faces are not all there is drawn without texture
  if (cube && (m->tex_nchannel[id] < 3 || (!single && height / 6 < width))) return 1;
  if (cube) height = width;
  t->type = m->tex_type[id];
  t->width = width;
  t->height = height;
  t->srgb = !cube && m->tex_colorspace[id] == snCOLORSPACE_SRGB;
  if (width < 1 || height < 1) return 1;
  int nlevel;
  size_t texels = chainTexels(width, height, &nlevel);
  snByte* block = snu_malloc(4 * texels * faces);
  if (!block) return 0;  // a texture without levels is not drawn
  t->nlevel = nlevel;
  for (int f = 0; f < 6; f++) {
    snByte* at = block + 4 * texels * (f < faces ? f : 0);
    int w = width, h = height;
    if (f < faces) {
      copyTexels(at, m->tex_data + m->tex_adr[id] + (size_t)f * w * h * nchannel, w * h, nchannel);
    }
    for (int level = 0; level < t->nlevel; level++) {
      t->texel[f][level] = at;
      t->across[level] = w;
      t->down[level] = h;
      if (!f) t->start[level] = (int)((at - block) / 4);
      snByte* next = at + 4 * (size_t)w * h;
      if (f < faces && level + 1 < t->nlevel) halve(next, at, w, h, t->srgb);
      at = next;
      w = w > 1 ? w / 2 : 1;
      h = h > 1 ? h / 2 : 1;
    }
  }
  return 1;
}

// ---- sampling ----

static float decodeByte(snByte v) { return (float)decode(v / 255.0); }

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

static void sample2d(const Texture* t, int level, const float st[2], float weight, float rgba[4]) {
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
  float table[6][3] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}};
  memcpy(d, table[face], 3 * sizeof(float));
}

// texel of a face; beyond its border that of the neighbour
static const snByte* cubeTexel(const Texture* t, int level, int face, int x, int y, int n) {
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

static void sampleCube(const Texture* t, int level, const float d[3], float weight, float rgba[4]) {
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
  for (int k = 0; k < 4; k++) {
    p[k] = cubeTexel(t, level, face, x + (k & 1), y + (k >> 1), n);
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
