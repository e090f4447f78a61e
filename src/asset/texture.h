// Textures: pixels from files, buffers or built-in patterns, as 2d images or six stacked squares.

#ifndef SINEW_ASSET_TEXTURE_H_
#define SINEW_ASSET_TEXTURE_H_

#include "asset/work.h"
#include "sinew/spec.h"

SN_EXTERN_C_BEGIN

typedef struct snTextureFile_ {
  snBytes bytes;
  const char* name;          // NULL or "": no file
  const char* content_type;  // from sn_contentType
} snTextureFile;

typedef struct snTextureInput_ {
  const snsTexture* spec;  // scalar attributes; its strings and vectors are not read
  const snByte* data;      // the user's pixels; NULL: none
  size_t ndata;
  snTextureFile file;
  snTextureFile cubefiles[6];  // right, left, up, down, front, back
} snTextureInput;

// A compiled texture; constant, since the asset cache may share its data.
typedef struct snTextureData_ {
  snPool pool;                   // owns data, or
  struct snCacheEntry_* shared;  // the entry of the cache that does
  int width;
  int height;
  int nchannel;
  snColorSpace colorspace;
  size_t ndata;
  snByte* data;
} snTextureData;

// Whether a cube may be cut from one image by this grid.
int sn_isTextureGrid(const snsTexture* spec);
// Compile a texture. Returns 0, or -1 with the reason; the texture is empty then.
int sn_compileTexture(snTextureData* texture, const snTextureInput* input, char* error,
                      int error_sz);
void sn_freeTexture(snTextureData* texture);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_TEXTURE_H_
