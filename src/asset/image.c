#include "asset/image.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "base/assert.h"

enum { SIGNATURE = 8, HEADER = 29, MESSAGE = 80 };

// Most bytes of a decoded image.
static const uint64_t max_bytes = (uint64_t)1 << 31;

typedef struct Stream_ {
  snBytes file;
  size_t at;
  char message[MESSAGE];
} Stream;

static void readBytes(png_structp png, png_bytep out, size_t count) {
  Stream* stream = png_get_io_ptr(png);
  if (count > stream->file.size - stream->at) png_error(png, "PNG file ends too early");
  memcpy(out, stream->file.data + stream->at, count);
  stream->at += count;
}

// Keep the reason and jump back to decode().
static void onError(png_structp png, png_const_charp message) {
  Stream* stream = png_get_error_ptr(png);
  strncpy(stream->message, message, MESSAGE - 1);
  png_longjmp(png, 1);
}

static void onWarning(png_structp png, png_const_charp message) { (void)png, (void)message; }

// Whether a chunk of a type comes before the pixels.
static int hasChunk(snBytes file, const char type[4]) {
  size_t at = SIGNATURE;
  while (at + 12 <= file.size) {
    const unsigned char* chunk = file.data + at;
    size_t length =
        (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | chunk[3];
    if (!memcmp(chunk + 4, type, 4)) return 1;
    if (!memcmp(chunk + 4, "IDAT", 4) || length > file.size - at - 12) return 0;
    at += 12 + length;
  }
  return 0;
}

// Refuse sizes that the file cannot fill: deflate shrinks at most about 1032 times.
static int checkSize(const Stream* stream, uint64_t width, uint64_t height) {
  if (width > INT32_MAX / 8 || height > INT32_MAX / 8) return 0;
  uint64_t bytes = width * height / 8;
  return bytes <= 1100 * (uint64_t)stream->file.size && 4 * width * height <= max_bytes;
}

// Decode as stored, with 8 bits per channel; palettes and transparency are expanded.
static int decode(snWork* work, snImage* image, Stream* stream, png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return -1;
  png_set_read_fn(png, stream, readBytes);
  png_read_info(png, info);
  uint64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  if (!checkSize(stream, width, height)) png_error(png, "image is larger than its file can hold");
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  image->width = (int)width;
  image->height = (int)height;
  image->nchannel = png_get_channels(png, info);
  size_t stride = png_get_rowbytes(png, info);
  if (stride != width * (size_t)image->nchannel) png_error(png, "unexpected row size");
  image->data = SN_SCRATCH(work, unsigned char, stride* height);
  png_bytep* rows = SN_SCRATCH(work, png_bytep, height);
  if (!image->data || !rows) png_error(png, "could not allocate memory");
  for (size_t i = 0; i < height; i++) rows[i] = image->data + i * stride;
  png_read_image(png, rows);
  png_read_end(png, NULL);
  return 0;
}

// From 1 (grey), 2 (grey, alpha), 3 or 4 channels to 1, 3 or 4.
static int convert(snWork* work, snImage* image, int nchannel) {
  if (image->nchannel == nchannel) return 0;
  size_t count = (size_t)image->width * (size_t)image->height;
  SN_ASSERT(image->nchannel >= 1 && image->nchannel <= 4);
  int from = image->nchannel, grey = from < 3;
  unsigned char* data = SN_SCRATCH(work, unsigned char, count*(size_t)nchannel);
  if (!data) return -1;
  for (size_t i = 0; i < count; i++) {
    const unsigned char* source = image->data + i * (size_t)from;
    unsigned char* dest = data + i * (size_t)nchannel;
    for (int k = 0; k < nchannel && k < 3; k++) dest[k] = source[grey ? 0 : k];
    if (nchannel == 4) dest[3] = from == 2 ? source[1] : from == 4 ? source[3] : 255;
  }
  image->data = data;
  image->nchannel = nchannel;
  return 0;
}

int sn_readPng(snWork* work, snImage* image, snBytes file, const char* file_name, int nchannel) {
  memset(image, 0, sizeof(*image));
  if (!file.size) return sn_fail(work, "empty PNG file '%s'", file_name);
  if (nchannel != 1 && nchannel != 3 && nchannel != 4) {
    return sn_fail(work, "Unsupported number of channels: %d", nchannel);
  }
  if (file.size < HEADER) {
    return sn_fail(work, "error decoding PNG file '%s': PNG file is smaller than a PNG header",
                   file_name);
  }
  Stream* stream = SN_SCRATCH(work, Stream, 1);
  if (!stream) return -1;
  stream->file = file;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, stream, onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  int status = info ? decode(work, image, stream, png, info) : -1;
  png_destroy_read_struct(&png, &info, NULL);
  if (status) return sn_fail(work, "error decoding PNG file '%s': %s", file_name, stream->message);
  image->srgb = hasChunk(file, "sRGB");
  return convert(work, image, nchannel);
}

void sn_flipColumns(unsigned char* data, int width, int height, int nchannel) {
  size_t pixel = (size_t)nchannel, stride = (size_t)width * pixel;
  for (int r = 0; r < height; r++) {
    unsigned char* row = data + (size_t)r * stride;
    for (int left = 0, right = width - 1; left < right; left++, right--) {
      for (size_t k = 0; k < pixel; k++) {
        unsigned char byte = row[(size_t)left * pixel + k];
        row[(size_t)left * pixel + k] = row[(size_t)right * pixel + k];
        row[(size_t)right * pixel + k] = byte;
      }
    }
  }
}

void sn_flipRows(unsigned char* data, int width, int height, int nchannel) {
  size_t stride = (size_t)width * (size_t)nchannel;
  for (int top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
    unsigned char *a = data + (size_t)top * stride, *b = data + (size_t)bottom * stride;
    for (size_t k = 0; k < stride; k++) {
      unsigned char byte = a[k];
      a[k] = b[k];
      b[k] = byte;
    }
  }
}
