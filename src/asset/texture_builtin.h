// Built-in texture patterns and marks.

#ifndef SINEW_ASSET_TEXTURE_BUILTIN_H_
#define SINEW_ASSET_TEXTURE_BUILTIN_H_

#include "sinew/spec.h"

SN_EXTERN_C_BEGIN

// Fill an image with the pattern and marks of a texture: width x height pixels of 3 bytes, where a
// cube's six squares are stacked (height = 6 width).
void sn_paintTexture(snByte* data, const snsTexture* spec, int width, int height);

// 255 times a colour channel, cut to a byte.
snByte sn_colorByte(double value);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_TEXTURE_BUILTIN_H_
