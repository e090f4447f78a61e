#include "asset/texture.h"

#include <string.h>

#include "asset/cache.h"
#include "asset/image.h"
#include "asset/texture_builtin.h"
#include "base/assert.h"
#include "sinew/sinew.h"

static const char sides[] = "RLUDFB";

// Most bytes of one texture.
static const uint64_t max_bytes = (uint64_t)1 << 31;

static int hasName(const snTextureFile* file) { return file->name && file->name[0]; }

// Set the size and take zeroed memory for it.
static int allocate(snWork* work, snTextureData* t, int64_t width, int64_t height) {
  SN_ASSERT(width > 0 && height > 0 && t->nchannel > 0);
  uint64_t limit = max_bytes / (uint64_t)t->nchannel;
  if (width > INT32_MAX || height > INT32_MAX || (uint64_t)width * (uint64_t)height > limit) {
    return sn_fail(work, "texture is too large");
  }
  t->width = (int)width;
  t->height = (int)height;
  t->ndata = (size_t)width * (size_t)height * (size_t)t->nchannel;
  t->data = SN_KEEP(work, snByte, t->ndata);
  return t->data ? 0 : -1;
}

// ---- files ----

static int readCustom(snWork* work, snImage* image, const snTextureFile* file, int nchannel) {
  uint64_t width = 0, height = 0;
  if (!file->bytes.size) return sn_fail(work, "texture file is empty: '%s'", file->name);
  if (file->bytes.size >= 8) {
    int w = sn_readInt(file->bytes, 0), h = sn_readInt(file->bytes, 4);
    if (w > 0 && h > 0) {
      width = (uint64_t)w;
      height = (uint64_t)h;
    }
  }
  if (!width || width * height > INT32_MAX || file->bytes.size != 8 + 3 * width * height) {
    return sn_fail(work,
                   "Non-PNG texture, assuming custom binary file format,\nunexpected file size in "
                   "file '%s'",
                   file->name);
  }
  // three bytes per pixel in the file, nchannel in the image: missing channels are zero
  size_t pixels = (size_t)(width * height);
  image->data = SN_SCRATCH(work, unsigned char, pixels*(size_t)(nchannel > 3 ? nchannel : 3));
  if (!image->data) return -1;
  memcpy(image->data, file->bytes.data + 8, 3 * pixels);
  image->width = (int)width;
  image->height = (int)height;
  image->nchannel = nchannel;
  return 0;
}

// KTX is kept as it is: a row of bytes.
static int readKtx(snWork* work, snImage* image, const snTextureFile* file,
                   const snsTexture* spec) {
  if (!file->bytes.size) return sn_fail(work, "texture file is empty: '%s'", file->name);
  if (spec->hflip || spec->vflip) return sn_fail(work, "cannot flip KTX textures");
  size_t channels = (size_t)(spec->nchannel > 3 ? spec->nchannel : 3);
  image->data = SN_SCRATCH(work, unsigned char, file->bytes.size* channels);
  if (!image->data) return -1;
  memcpy(image->data, file->bytes.data, file->bytes.size);
  image->width = (int)file->bytes.size;
  image->height = 1;
  image->nchannel = spec->nchannel;
  return 0;
}

// Read one file and flip it; the first file decides an automatic colour space.
static int readImage(snWork* work, snImage* image, snTextureData* t, const snTextureFile* file,
                     const snsTexture* spec) {
  const char* type = file->content_type ? file->content_type : "";
  memset(image, 0, sizeof(*image));
  int status;
  if (file->bytes.size > INT32_MAX) return sn_fail(work, "texture file is too large");
  if (!strcmp(type, "image/png")) {
    status = sn_readPng(work, image, file->bytes, file->name, spec->nchannel);
  } else if (!strcmp(type, "image/ktx")) {
    status = readKtx(work, image, file, spec);
  } else if (!type[0] || !strcmp(type, "image/vnd.mujoco.texture")) {
    status = readCustom(work, image, file, spec->nchannel);
  } else {
    return sn_fail(work, "unsupported content type: '%s'", type);
  }
  if (status) return -1;
  if (t->colorspace == snCOLORSPACE_AUTO) {
    t->colorspace = image->srgb ? snCOLORSPACE_SRGB : snCOLORSPACE_LINEAR;
  }
  if (spec->hflip) sn_flipColumns(image->data, image->width, image->height, image->nchannel);
  if (spec->vflip) sn_flipRows(image->data, image->width, image->height, image->nchannel);
  return 0;
}

// Sides that no file gave have the first colour.
static void fillSide(snTextureData* t, const snsTexture* spec, int side) {
  SN_ASSERT_INDEX(side, 6);
  SN_ASSERT(t->height == 6 * t->width);
  size_t count = (size_t)t->width * (size_t)t->width;
  snByte* data = t->data + 3 * count * (size_t)side;
  for (size_t i = 0; i < 3 * count; i++) data[i] = sn_colorByte(spec->rgb1[i % 3]);
}

static int load2d(snWork* work, snTextureData* t, const snTextureInput* in) {
  snImage image;
  if (readImage(work, &image, t, &in->file, in->spec)) return -1;
  if (allocate(work, t, image.width, image.height)) return -1;
  memcpy(t->data, image.data, t->ndata);
  return 0;
}

int sn_isTextureGrid(const snsTexture* spec) {
  int nrow = spec->gridsize[0], ncol = spec->gridsize[1];
  return nrow >= 1 && ncol >= 1 && nrow <= 12 && ncol <= 12 && nrow * ncol <= 12;
}

// One file with a grid of squares.
static int loadGrid(snWork* work, snTextureData* t, const snTextureInput* in) {
  const snsTexture* spec = in->spec;
  int nrow = spec->gridsize[0], ncol = spec->gridsize[1];
  if (!sn_isTextureGrid(spec)) return sn_fail(work, "the grid of a texture has too many squares");
  snImage image;
  if (readImage(work, &image, t, &in->file, spec)) return -1;
  int width = image.width / ncol;
  if (image.width != width * ncol || image.height != width * nrow || width < 1) {
    return sn_fail(work, "PNG size must be integer multiple of gridsize in texture '%s'",
                   in->file.name);
  }
  if (nrow == 1 && ncol == 1) {
    // one square for all sides
    if (allocate(work, t, width, width)) return -1;
    memcpy(t->data, image.data, t->ndata);
    return 0;
  }

  if (allocate(work, t, width, 6 * (int64_t)width)) return -1;
  int loaded[6] = {0};
  size_t row_bytes = 3 * (size_t)width;
  for (int k = 0; k < nrow * ncol; k++) {
    char symbol = spec->gridlayout[k];
    if (symbol == '.') continue;
    const char* found = symbol ? strchr(sides, symbol) : NULL;
    if (!found) return sn_fail(work, "gridlayout symbol is not among '.RLUDFB' in texture");
    size_t side = (size_t)(found - sides);
    loaded[side] = 1;
    for (int r = 0; r < width; r++) {
      size_t row = (size_t)(k / ncol) * (size_t)width + (size_t)r;
      memcpy(t->data + (side * (size_t)width + (size_t)r) * row_bytes,
             image.data + (row * (size_t)ncol + (size_t)(k % ncol)) * row_bytes, row_bytes);
    }
  }
  for (int i = 0; i < 6; i++) {
    if (!loaded[i]) fillSide(t, spec, i);
  }
  return 0;
}

// Six files, some of which may be missing.
static int loadSides(snWork* work, snTextureData* t, const snTextureInput* in) {
  int loaded[6] = {0}, any = 0;
  for (int i = 0; i < 6; i++) {
    if (!hasName(&in->cubefiles[i])) continue;
    snImage image;
    if (readImage(work, &image, t, &in->cubefiles[i], in->spec)) return -1;
    if (image.width != image.height) {
      return sn_fail(work, "Non-square PNG file '%s' in cube or skybox", in->cubefiles[i].name);
    }
    if (!any && allocate(work, t, image.width, 6 * (int64_t)image.width)) return -1;
    if (image.width != t->width) {
      return sn_fail(work, "Incompatible PNG size '%s' in cube or skybox", in->cubefiles[i].name);
    }
    size_t bytes = 3 * (size_t)t->width * (size_t)t->width;
    memcpy(t->data + bytes * (size_t)i, image.data, bytes);
    loaded[i] = any = 1;
  }
  if (!any) return sn_fail(work, "No cubefiles_ defined in cube or skybox texture");
  for (int i = 0; i < 6; i++) {
    if (!loaded[i]) fillSide(t, in->spec, i);
  }
  return 0;
}

// ---- other sources ----

static int fromBuffer(snWork* work, snTextureData* t, const snTextureInput* in) {
  const snsTexture* spec = in->spec;
  if (spec->width < 1 || spec->height < 1) {
    return sn_fail(work, "width and height must be positive in texture with data");
  }
  if (allocate(work, t, spec->width, spec->height)) return -1;
  if (in->ndata != t->ndata) {
    return sn_fail(work, "Texture buffer has incorrect size, given %zu expected %zu", in->ndata,
                   t->ndata);
  }
  memcpy(t->data, in->data, t->ndata);
  if (spec->hflip) sn_flipColumns(t->data, t->width, t->height, t->nchannel);
  if (spec->vflip) sn_flipRows(t->data, t->width, t->height, t->nchannel);
  return 0;
}

static int fromBuiltin(snWork* work, snTextureData* t, const snTextureInput* in) {
  const snsTexture* spec = in->spec;
  int cube = spec->type != snTEXTURE_2D;
  if (spec->width < 1) return sn_fail(work, "Invalid width of builtin texture");
  if (!cube && spec->height < 1) return sn_fail(work, "Invalid height of builtin texture");
  int64_t height = cube ? 6 * (int64_t)spec->width : spec->height;
  if (allocate(work, t, spec->width, height)) return -1;
  if (t->nchannel >= 3) {
    sn_paintTexture(t->data, spec, t->width, t->height);
    return 0;
  }
  // patterns have three bytes per pixel, whatever the texture has: cut
  snByte* painted = SN_SCRATCH(work, snByte, 3 * (size_t)t->width * (size_t)t->height);
  if (!painted) return -1;
  sn_paintTexture(painted, spec, t->width, t->height);
  memcpy(t->data, painted, t->ndata);
  return 0;
}

static int compileStages(snWork* work, snTextureData* t, const snTextureInput* in) {
  const snsTexture* spec = in->spec;
  t->nchannel = spec->nchannel;
  t->colorspace = spec->colorspace;
  int cube = spec->type != snTEXTURE_2D;
  if (t->nchannel < 1 || t->nchannel > 1024) {
    return sn_fail(work, "Unsupported number of channels: %d", t->nchannel);
  }
  if (in->ndata) return fromBuffer(work, t, in);
  if (spec->builtin != snBUILTIN_NONE) return fromBuiltin(work, t, in);
  if (cube && t->nchannel < 3 &&
      (spec->gridsize[0] * spec->gridsize[1] != 1 || !hasName(&in->file))) {
    return sn_fail(work, "cube texture from several images needs nchannel of at least 3");
  }
  if (hasName(&in->file)) return cube ? loadGrid(work, t, in) : load2d(work, t, in);
  if (!cube) return sn_fail(work, "Cannot load 2D texture from separate files, texture");
  return loadSides(work, t, in);
}

// ---- cache ----

static int makeKey(snCacheKey* key, const snTextureInput* in, snsTexture* scalars) {
  const snsTexture* spec = in->spec;
  if (in->ndata || spec->builtin != snBUILTIN_NONE) return 0;
  memset(scalars, 0, sizeof(*scalars));
  scalars->type = spec->type;
  scalars->colorspace = spec->colorspace;
  memcpy(scalars->rgb1, spec->rgb1, sizeof(spec->rgb1));
  scalars->nchannel = spec->nchannel;
  memcpy(scalars->gridsize, spec->gridsize, sizeof(spec->gridsize));
  memcpy(scalars->gridlayout, spec->gridlayout, sizeof(spec->gridlayout));
  scalars->hflip = spec->hflip;
  scalars->vflip = spec->vflip;
  sn_cacheKeyAdd(key, "texture", 7);
  sn_cacheKeyAdd(key, scalars, sizeof(*scalars));
  for (int i = 0; i < 7; i++) {
    const snTextureFile* file = i ? &in->cubefiles[i - 1] : &in->file;
    int used = hasName(file);
    const char* type = used && file->content_type ? file->content_type : "";
    sn_cacheKeyAdd(key, type, strlen(type));
    sn_cacheKeyAdd(key, file->bytes.data, used ? file->bytes.size : 0);
  }
  return 1;
}

static void releaseTexture(void* value) {
  sn_freeTexture((snTextureData*)value);
  snu_free(value);
}

// Hand the data of a texture to the cache; without room it stays with the texture.
static void shareTexture(snTextureData* texture, const snCacheKey* key) {
  snTextureData* copy = (snTextureData*)snu_malloc(sizeof(snTextureData));
  if (!copy) return;
  *copy = *texture;
  texture->shared = sn_cacheStore(key, copy, texture->pool.bytes, releaseTexture);
  if (texture->shared) {
    memset(&texture->pool, 0, sizeof(texture->pool));
  } else {
    snu_free(copy);
  }
}

int sn_compileTexture(snTextureData* texture, const snTextureInput* input, char* error,
                      int error_sz) {
  memset(texture, 0, sizeof(*texture));
  snCacheKey key = {0};
  snsTexture scalars;
  int cached = makeKey(&key, input, &scalars);
  snCacheEntry* entry = cached ? sn_cacheFind(&key) : NULL;
  if (entry) {
    *texture = *(const snTextureData*)sn_cacheValue(entry);
    memset(&texture->pool, 0, sizeof(texture->pool));
    texture->shared = entry;
    return 0;
  }

  snWork work = {.keep = &texture->pool, .error = error, .error_sz = error_sz};
  int status = compileStages(&work, texture, input);
  sn_poolRelease(&work.scratch);
  if (status) {
    sn_freeTexture(texture);
  } else if (cached) {
    shareTexture(texture, &key);
  }
  return status;
}

void sn_freeTexture(snTextureData* texture) {
  sn_cacheDrop(texture->shared);
  sn_poolRelease(&texture->pool);
  memset(texture, 0, sizeof(*texture));
}
