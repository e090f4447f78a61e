#include "asset/hfield.h"

#include <string.h>

#include "asset/algebra.h"
#include "asset/image.h"

// Grey image: the last row of pixels is the first row of data.
static int readImage(snWork* work, snHField* hfield, const snHFieldInput* in) {
  snImage image;
  if (sn_readPng(work, &image, in->file, in->file_name, 1)) return -1;
  hfield->ncol = image.width;
  hfield->nrow = image.height;
  hfield->data = SN_KEEP(work, float, (size_t)image.width*(size_t)image.height);
  if (!hfield->data) return -1;
  for (size_t r = 0; r < (size_t)image.height; r++) {
    const unsigned char* row = image.data + ((size_t)image.height - 1 - r) * (size_t)image.width;
    float* dest = hfield->data + r * (size_t)image.width;
    for (int c = 0; c < image.width; c++) dest[c] = row[c];
  }
  return 0;
}

// Binary: rows, columns, data.
static int readBinary(snWork* work, snHField* hfield, const snHFieldInput* in) {
  if (!in->file.size) return sn_fail(work, "could not read hfield file '%s'", in->file_name);
  if (in->file.size < 8) return sn_fail(work, "hfield missing header '%s'", in->file_name);
  int nrow = sn_readInt(in->file, 0), ncol = sn_readInt(in->file, 4);
  if (nrow < 1 || ncol < 1) {
    return sn_fail(work, "non-positive hfield dimensions in file '%s'", in->file_name);
  }
  if ((uint64_t)nrow * (uint64_t)ncol > INT32_MAX / 4 ||
      in->file.size != 4 * (2 + (size_t)nrow * (size_t)ncol)) {
    return sn_fail(work, "unexpected file size in file '%s'", in->file_name);
  }
  size_t count = (size_t)nrow * (size_t)ncol;
  hfield->nrow = nrow;
  hfield->ncol = ncol;
  hfield->data = SN_KEEP(work, float, count);
  if (!hfield->data) return -1;
  for (size_t i = 0; i < count; i++) hfield->data[i] = sn_readFloat(in->file, 8 + 4 * i);
  return 0;
}

static int fromElement(snWork* work, snHField* hfield, const snHFieldInput* in) {
  if (in->nrow < 1 || in->ncol < 1) return sn_fail(work, "hfield not specified");
  uint64_t count = (uint64_t)in->nrow * (uint64_t)in->ncol;
  if (count > INT32_MAX / 4) return sn_fail(work, "too many rows and columns in hfield");
  if (in->nelevation && (uint64_t)in->nelevation != count) {
    return sn_fail(work, "elevation data length must match nrow*ncol");
  }
  hfield->nrow = in->nrow;
  hfield->ncol = in->ncol;
  hfield->data = SN_KEEP(work, float, count);
  if (!hfield->data) return -1;
  if (in->nelevation) memcpy(hfield->data, in->elevation, sizeof(float) * (size_t)count);
  return 0;
}

// Scale to [0, 1]; a constant field becomes 0.
static int normalize(snWork* work, snHField* hfield, const char* file_name) {
  size_t count = (size_t)hfield->nrow * (size_t)hfield->ncol;
  float min = 1e10f, max = -1e10f;
  for (size_t i = 0; i < count; i++) {
    if (hfield->data[i] < min) min = hfield->data[i];
    if (hfield->data[i] > max) max = hfield->data[i];
  }
  if (min > max) {
    return sn_fail(work, "invalid data range in hfield '%s'", file_name ? file_name : "");
  }
  float range = max - min;
  for (size_t i = 0; i < count; i++) {
    hfield->data[i] -= min;
    if (range > SN_EPS) hfield->data[i] /= range;
  }
  return 0;
}

static int compileStages(snWork* work, snHField* hfield, const snHFieldInput* in) {
  for (int i = 0; i < 4; i++) {
    if (in->size[i] <= 0) return sn_fail(work, "size parameter is not positive in hfield");
  }
  int status;
  if (in->file_name && in->file_name[0]) {
    const char* type = in->content_type ? in->content_type : "";
    if (!strcmp(type, "image/png")) {
      status = readImage(work, hfield, in);
    } else if (!type[0] || !strcmp(type, "image/vnd.mujoco.hfield")) {
      status = readBinary(work, hfield, in);
    } else {
      return sn_fail(work, "unsupported content type: '%s'", type);
    }
  } else {
    status = fromElement(work, hfield, in);
  }
  return status ? -1 : normalize(work, hfield, in->file_name);
}

int sn_compileHField(snHField* hfield, const snHFieldInput* input, char* error, int error_sz) {
  memset(hfield, 0, sizeof(*hfield));
  snWork work = {.keep = &hfield->pool, .error = error, .error_sz = error_sz};
  int status = compileStages(&work, hfield, input);
  sn_poolRelease(&work.scratch);
  if (status) sn_freeHField(hfield);
  return status;
}

void sn_freeHField(snHField* hfield) {
  sn_poolRelease(&hfield->pool);
  memset(hfield, 0, sizeof(*hfield));
}
