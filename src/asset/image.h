// PNG images decoded to 8 bits per channel.

#ifndef SINEW_ASSET_IMAGE_H_
#define SINEW_ASSET_IMAGE_H_

#include "asset/work.h"

SN_EXTERN_C_BEGIN

typedef struct snImage_ {
  int width;
  int height;
  int nchannel;
  int srgb;             // the file says that its colours are sRGB
  unsigned char* data;  // height x width x nchannel, top row first; from scratch
} snImage;

// Decode a PNG into 1 (grey: the red channel of a colour image), 3 or 4 channels; colours are taken
// as stored, without gamma. Returns 0 or -1.
int sn_readPng(snWork* work, snImage* image, snBytes file, const char* file_name, int nchannel);

// Reverse the columns, or the rows, of an image in place.
void sn_flipColumns(unsigned char* data, int width, int height, int nchannel);
void sn_flipRows(unsigned char* data, int width, int height, int nchannel);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_IMAGE_H_
