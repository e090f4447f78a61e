// Runs of fragments of one triangle, a register of them at a time. The arithmetic is that of single fragments
// (shade.c), operation by operation, so that both give the same bits; loops over lanes have no branches.

#include <math.h>
#include <string.h>

#include "base/team.h"
#include "render/shade.h"

enum {
  kBlocks = kRun / 2
};  // blocks of 2 x 2 pixels: a run begins in the left half of one, or is shorter

// A short loop that is one or two wide registers long: not to be taken apart before it is seen as such.
#if defined(__CUDACC__)
#define WHOLE
#elif defined(__clang__)
#define WHOLE _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__)
#define WHOLE _Pragma("GCC unroll 1")
#else
#define WHOLE
#endif

// the first of two neighbours in memory is the lower half of a word
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE 1
#else
#define LITTLE 0
#endif

typedef struct Lanes_ {
  float weight[3][kRun];  // of the corners
  float st[2][kRun];      // texture coordinates
  float texel[4][kRun];
  int total[3][kRun];  // colour, in levels of 255
  int lit[kRun];
} Lanes;

int snr_canRun(const Shader* w) {
  const Paint* paint = w->setup->paint;
  const Texture* t = paint->texture;
  if (w->band->frame->fog) return 0;
  if (!t) return 1;
  int stored = paint->map == kMapStored && w->setup->instance->shape->texcoord;
  return t->type == snTEXTURE_2D && !t->srgb && t->nlevel > 0 &&
         (stored || paint->map == kMapPlane);
}

// weights of the corners at n pixels (x[i], y)
SN_KERNEL void weigh(const Setup* s, const int* x, int y, float weight[3][kRun], int n) {
  WHOLE for (int i = 0; i < n; i++) {
    double a = s->e[0][0] * x[i] + s->e[0][1] * y + s->e[0][2];
    double b = s->e[1][0] * x[i] + s->e[1][1] * y + s->e[1][2];
    double c = s->e[2][0] * x[i] + s->e[2][1] * y + s->e[2][2];
    double sum = a + b + c, scale = 1 / (sum != 0 ? sum : 1);
    scale = sum != 0 ? scale : 0;
    weight[0][i] = (float)(a * scale);
    weight[1][i] = (float)(b * scale);
    weight[2][i] = (float)(c * scale);
  }
}

// values between those at the corners
SN_KERNEL void mix(float weight[3][kRun], float a, float b, float c, float* out, int n) {
  WHOLE for (int i = 0; i < n; i++) out[i] = weight[0][i] * a + weight[1][i] * b + weight[2][i] * c;
}

SN_KERNEL void coordinates(const Setup* s, float weight[3][kRun], float st[2][kRun], int n) {
  mix(weight, s->tex[0][0], s->tex[1][0], s->tex[2][0], st[0], n);
  mix(weight, s->tex[0][1], s->tex[1][1], s->tex[2][1], st[1], n);
}

// ---- textures ----

// Levels of detail of the blocks of 2 x 2 pixels that a run touches, from the first of them on: half the logarithm of
// the square of the texels that a step of a pixel crosses. A float has its exponent in its upper bits.
SN_KERNEL void blockLevels(const Setup* s, int x, int y, const Lanes* lanes, int whole,
                           float level[kBlocks]) {
  const Texture* t = s->paint->texture;
  float weight[3][kRun], at[3][2][kRun], square[kBlocks], most = (float)(t->nlevel - 1);
  int column[kRun], bits[kBlocks], own = y & 1 ? 2 : 0;
  // a whole run has the coordinates of one row of its blocks
  for (int c = 0; whole && c < 2; c++) {
    WHOLE for (int i = 0; i < kBlocks; i++) at[own][c][i] = lanes->st[c][2 * i];
    if (own) continue;
    WHOLE for (int i = 0; i < kBlocks; i++) at[1][c][i] = lanes->st[c][2 * i + 1];
  }
  for (int k = 0; k < 3; k++) {
    if (whole && (own ? k == 2 : k < 2)) continue;
    WHOLE for (int i = 0; i < kBlocks; i++) column[i] = (x & ~1) + 2 * i + (k == 1);
    weigh(s, column, (y & ~1) + (k == 2), weight, kBlocks);
    coordinates(s, weight, at[k], kBlocks);
  }
  WHOLE for (int i = 0; i < kBlocks; i++) {
    float ux = (at[1][0][i] - at[0][0][i]) * t->width, vx = (at[1][1][i] - at[0][1][i]) * t->height;
    float uy = (at[2][0][i] - at[0][0][i]) * t->width, vy = (at[2][1][i] - at[0][1][i]) * t->height;
    float a = ux * ux + vx * vx, b = uy * uy + vy * vy;
    square[i] = a > b ? a : b;
  }
  memcpy(bits, square, sizeof(bits));
  WHOLE for (int i = 0; i < kBlocks; i++) {
    int exponent = (bits[i] >> 23 & 255) - 126, part = (bits[i] & 0x7fffff) | 126 << 23;
    float mantissa;
    memcpy(&mantissa, &part, sizeof(mantissa));
    float found = 0.5f * (exponent - 1 + 2 * mantissa - 1);
    found = found < most ? found : most;
    level[i] = square[i] > 1 ? found : 0;
  }
}

// where a coordinate lies between two texels: the first, the second, and how near the second is in 1/256
SN_KERNEL void place(const float st[kRun], const int size[kRun], int first[kRun], int second[kRun],
                     float part[kRun]) {
  WHOLE for (int i = 0; i < kRun; i++) {
    float x = st[i] > -1e9f ? st[i] : 0;
    x = x < 1e9f ? x : 0;
    int whole = (int)x;
    whole -= (float)whole > st[i];
    float u = (st[i] - whole) * size[i] - 0.5f;
    int low = (int)u;
    low -= (float)low > u;
    part[i] = u - low;
    int next = low + 1;
    second[i] = next >= size[i] ? 0 : next;
    low = low < 0 ? size[i] - 1 : low;
    first[i] = low >= size[i] ? size[i] - 1 : low;
  }
}

SN_KERNEL unsigned wordOf(const snByte* p) {
  return (unsigned)(p[0] | p[1] << 8 | p[2] << 16) | (unsigned)p[3] << 24;
}

// the four texels around each place: columns x0 and x1, rows that begin at y0 and y1
SN_KERNEL void fetchWords(const snByte* texel, const int x0[kRun], const int x1[kRun],
                          const int y0[kRun], const int y1[kRun], unsigned word[4][kRun]) {
  int apart = 0;
  WHOLE for (int i = 0; i < kRun; i++) apart |= x1[i] - x0[i] - 1;
  if (LITTLE && !apart) {  // neighbours lie side by side: both at once
    unsigned long long side[2][kRun];
    for (int i = 0; i < kRun; i++) {
      memcpy(&side[0][i], texel + 4 * (size_t)(y0[i] + x0[i]), sizeof(side[0][i]));
      memcpy(&side[1][i], texel + 4 * (size_t)(y1[i] + x0[i]), sizeof(side[1][i]));
    }
    WHOLE for (int i = 0; i < kRun; i++) {
      word[0][i] = (unsigned)side[0][i];
      word[1][i] = (unsigned)(side[0][i] >> 32);
      word[2][i] = (unsigned)side[1][i];
      word[3][i] = (unsigned)(side[1][i] >> 32);
    }
    return;
  }
  WHOLE for (int i = 0; i < kRun; i++) {
    word[0][i] = wordOf(texel + 4 * (size_t)(y0[i] + x0[i]));
    word[1][i] = wordOf(texel + 4 * (size_t)(y0[i] + x1[i]));
    word[2][i] = wordOf(texel + 4 * (size_t)(y1[i] + x0[i]));
    word[3][i] = wordOf(texel + 4 * (size_t)(y1[i] + x1[i]));
  }
}

// Their weighted sum, to what is there where more is set. Two channels in a word, 16 bits each: weights add up to 256, so that
// no sum needs more.
SN_KERNEL void addWords(unsigned word[4][kRun], int weight[4][kRun], const float scale[kRun],
                        int more, Lanes* lanes) {
  const unsigned even = 0xff00ff;
  unsigned pair[2][kRun];
  WHOLE for (int i = 0; i < kRun; i++) {
    unsigned a = (unsigned)weight[0][i], b = (unsigned)weight[1][i];
    unsigned c = (unsigned)weight[2][i], d = (unsigned)weight[3][i];
    pair[0][i] = (word[0][i] & even) * a + (word[1][i] & even) * b + (word[2][i] & even) * c +
                 (word[3][i] & even) * d;
    pair[1][i] = (word[0][i] >> 8 & even) * a + (word[1][i] >> 8 & even) * b +
                 (word[2][i] >> 8 & even) * c + (word[3][i] >> 8 & even) * d;
  }
  for (int c = 0; c < 4; c++) {
    WHOLE for (int i = 0; i < kRun; i++) {
      int sum = (int)(c < 2 ? pair[c][i] & 0xffff : pair[c - 2][i] >> 16);
      lanes->texel[c][i] = (more ? lanes->texel[c][i] : 0) + scale[i] * (float)sum;
    }
  }
}

// the texels at coordinates, each of a level of its own and with a weight; added to those that are there
SN_KERNEL void sampleLevel(const Texture* t, const int level[kRun], const float share[kRun],
                           int more, Lanes* lanes) {
  int same = 1, across[kRun], down[kRun], start[kRun], x0[kRun], x1[kRun], y0[kRun], y1[kRun],
      weight[4][kRun];
  unsigned word[4][kRun];
  float a[kRun], b[kRun], scale[kRun];
  WHOLE for (int i = 0; i < kRun; i++) same &= level[i] == level[0];
  if (same) {
    WHOLE for (int i = 0; i < kRun; i++) {
      across[i] = t->across[level[0]];
      down[i] = t->down[level[0]];
      start[i] = t->start[level[0]];
    }
  } else {
    WHOLE for (int i = 0; i < kRun; i++) {
      across[i] = t->across[level[i]];
      down[i] = t->down[level[i]];
      start[i] = t->start[level[i]];
    }
  }
  place(lanes->st[0], across, x0, x1, a);
  place(lanes->st[1], down, y0, y1, b);
  WHOLE for (int i = 0; i < kRun; i++) {
    int sane = a[i] >= 0 && a[i] <= 1 && b[i] >= 0 && b[i] <= 1;
    int u = (int)(256 * (sane ? a[i] : 0) + 0.5f), v = (int)(256 * (sane ? b[i] : 0) + 0.5f);
    int both = (u * v + 128) >> 8;
    weight[0][i] = 256 - u - v + both;
    weight[1][i] = u - both;
    weight[2][i] = v - both;
    weight[3][i] = both;
    scale[i] = share[i] * (1 / (256 * 255.0f));
    y0[i] = y0[i] * across[i] + start[i];
    y1[i] = y1[i] * across[i] + start[i];
  }
  fetchWords(t->texel[0][0], x0, x1, y0, y1, word);
  addWords(word, weight, scale, more, lanes);
}

// texels of a run: between the two levels next to its level of detail
SN_KERNEL void fetchTexels(const Setup* s, int x, int y, int count, Lanes* lanes) {
  const Texture* t = s->paint->texture;
  float block[kBlocks], level[kRun + 2], own[kRun], first[kRun], second[kRun];
  int low[kRun], high[kRun], odd[kRun], between = 0, any = 0, most = t->nlevel - 1;
  coordinates(s, lanes->weight, lanes->st, kRun);
  blockLevels(s, x, y, lanes, count == kRun && !(x & 1), block);
  WHOLE for (int i = 0; i < kBlocks; i++) level[2 * i] = level[2 * i + 1] = block[i];
  level[kRun] = level[kRun + 1] = block[kBlocks - 1];
  memcpy(own, level + (x & 1), sizeof(own));
  WHOLE for (int i = 0; i < kRun; i++) {
    int whole = (int)own[i], next = whole < most;
    float part = own[i] - (float)whole;
    low[i] = whole;
    high[i] = whole + next;
    first[i] = 1 - part;
    second[i] = part * (float)next;
  }
  WHOLE for (int i = 0; i < kRun; i++) between |= second[i] > 0;
  sampleLevel(t, low, first, 0, lanes);
  if (between) sampleLevel(t, high, second, 1, lanes);
  // NaN coordinates have no texel
  WHOLE for (int i = 0; i < kRun; i++) {
    odd[i] = !(lanes->st[0][i] * 0 + lanes->st[1][i] * 0 == 0);
    any |= odd[i];
  }
  if (!any) return;
  for (int c = 0; c < 4; c++) {
    for (int i = 0; i < kRun; i++) lanes->texel[c][i] = odd[i] ? 1 : lanes->texel[c][i];
  }
}

// ---- light ----

// Whether a whole run falls beside all that a map holds. Its fragments lie on a line, in the view of the light as well:
// between its ends, before that view, no coordinate leaves the range that those of both ends span.
SN_KERNEL int missesMap(const ShadowMap* map, const double light[3][4], const Lanes* lanes,
                        int last) {
  double u[2], v[2], stretch = (double)map->size / (map->size - 2);
  for (int k = 0; k < 2; k++) {
    int i = k ? last : 0;
    double a = lanes->weight[0][i], b = lanes->weight[1][i], c = lanes->weight[2][i], h[4];
    for (int j = 0; j < 4; j++) h[j] = a * light[0][j] + b * light[1][j] + c * light[2][j];
    if (!(h[3] > 0)) return 0;
    double inverse = 1 / h[3];
    u[k] = (h[0] * inverse - 1) * stretch;
    v[k] = (h[1] * inverse - 1) * stretch;
  }
  const double hair = 1e-3;  // more than rounding moves those between
  double left = map->box[0] - hair, below = map->box[1] - hair;
  double right = map->box[2] + hair, above = map->box[3] + hair;
  return (u[0] < left && u[1] < left) || (u[0] > right && u[1] > right) ||
         (v[0] < below && v[1] < below) || (v[0] > above && v[1] > above);
}

// Which fragments see the light of a pass: snr_isLit for a run. Most fall beside all that the map holds.
SN_KERNEL void findLit(const Shader* w, int pass, int last, Lanes* lanes) {
  const ShadowMap* map = w->band->frame->shadow + pass - 1;
  const double(*light)[4] = w->setup->pass[pass].from;
  double u[kRun], v[kRun], z[kRun], stretch = (double)map->size / (map->size - 2);
  double left = map->box[0], below = map->box[1], right = map->box[2], above = map->box[3];
  int inside[kRun], any = 0, across = (map->size + kShadowTile - 1) / kShadowTile;
  WHOLE for (int i = 0; i < kRun; i++) lanes->lit[i] = 1;
  if (missesMap(map, light, lanes, last)) return;
  WHOLE for (int i = 0; i < kRun; i++) {
    double a = lanes->weight[0][i], b = lanes->weight[1][i], c = lanes->weight[2][i];
    double h0 = a * light[0][0] + b * light[1][0] + c * light[2][0];
    double h1 = a * light[0][1] + b * light[1][1] + c * light[2][1];
    double h2 = a * light[0][2] + b * light[1][2] + c * light[2][2];
    double h3 = a * light[0][3] + b * light[1][3] + c * light[2][3];
    double inverse = 1 / (h3 > 0 ? h3 : 1);
    u[i] = (h0 * inverse - 1) * stretch;
    v[i] = (h1 * inverse - 1) * stretch;
    double depth = h2 * inverse;
    depth = depth < 0 ? 0 : depth;
    z[i] = (depth > 1 ? 1 : depth) * 16777215;
    inside[i] = (h3 > 0) & (u[i] >= left) & (v[i] >= below) & (u[i] < right) & (v[i] < above);
  }
  WHOLE for (int i = 0; i < kRun; i++) any |= inside[i];
  if (!any) return;
  WHOLE for (int i = 0; i < kRun; i++) {
    if (!inside[i]) continue;
    unsigned x = (unsigned)(int)u[i], y = (unsigned)(int)v[i];
    if (map->stamp[y / kShadowTile * across + x / kShadowTile] != map->current) continue;
    double texel = (double)(int)(map->depth[(size_t)y * map->size + x] * 16777215.0 + 0.5);
    lanes->lit[i] = z[i] >= texel;
  }
}

// add the colour of one pass where it is lit, rounded to bytes; lit NULL: the first one, which is seen everywhere
SN_KERNEL void addPass(const Setup* s, int pass, const int* lit, int textured, Lanes* lanes) {
  for (int c = 0; c < 3; c++) {
    const float(*rgb)[3] = s->pass[pass].rgb;
    float a = rgb[0][c], b = rgb[1][c], d = rgb[2][c];
    int* total = lanes->total[c];
    WHOLE for (int i = 0; i < kRun; i++) {
      float v = lanes->weight[0][i] * a + lanes->weight[1][i] * b + lanes->weight[2][i] * d;
      v *= textured ? lanes->texel[c][i] : 1;
      v = v < 0 ? 0 : v > 1 ? 1 : v;
      int level = (int)(255 * v + 0.5f);
      int sum = lit ? total[i] + (lit[i] ? level : 0) : level;
      total[i] = sum > 255 ? 255 : sum;
    }
  }
}

SN_WIDE_PIXELS(, void, snr_shadeRun, (const Shader* w, int x, int y, int count, snByte* rgb),
               (w, x, y, count, rgb)) {
  const Setup* s = w->setup;
  Lanes lanes;
  int column[kRun], textured = s->paint->texture != NULL;
  WHOLE for (int i = 0; i < kRun; i++) column[i] = x + (i < count ? i : count - 1);
  weigh(s, column, y, lanes.weight, kRun);
  if (textured) fetchTexels(s, x, y, count, &lanes);
  addPass(s, 0, NULL, textured, &lanes);
  for (int p = 1; p < w->passes; p++) {
    if (s->pass[p].dark) continue;
    findLit(w, p, count - 1, &lanes);
    WHOLE for (int i = 0; i < kRun; i++) {
      float alpha = (textured ? lanes.texel[3][i] : 1) * s->paint->rgba[3];
      lanes.lit[i] = lanes.lit[i] && !(alpha < 0.99f);
    }
    addPass(s, p, lanes.lit, textured, &lanes);
  }
  for (int i = 0; i < count; i++) {
    for (int c = 0; c < 3; c++) rgb[3 * i + c] = (snByte)lanes.total[c][i];
  }
}
