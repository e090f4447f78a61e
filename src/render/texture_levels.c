// Textures from a model, with their levels of detail.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "render/render.h"

static double encode(double v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
}

// the two texels on both sides of the centre of texel i of the next level, and the weight of the second
static float between(int i, int size, int* a, int* b) {
  SN_ASSERT(size > 0 && i >= 0 && i < size);
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
          sum += share[k] * (decoded ? snr_decodeColor(p[k][c] / 255.0) : p[k][c] / 255.0);
        to[4 * (y * w + x) + c] = (snByte)(255 * (decoded ? encode(sum) : sum) + 0.5);
      }
    }
  }
}

static void copyTexels(snByte* to, const snByte* from, int count, int nchannel) {
  SN_ASSERT(nchannel >= 1 && nchannel <= 4);
  for (int i = 0; i < count; i++) {
    const snByte* p = from + (size_t)i * nchannel;
    for (int c = 0; c < 3; c++) to[4 * i + c] = nchannel >= 3 ? p[c] : p[0];
    to[4 * i + 3] = nchannel == 4 ? p[3] : nchannel == 2 ? p[1] : 255;
  }
}

static size_t chainTexels(int width, int height, int* nlevel) {
  SN_ASSERT(width > 0 && height > 0);
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
  snByte* block = (snByte*)snu_malloc(4 * texels * faces);
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
