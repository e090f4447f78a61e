// Height fields: elevation data from a PNG image, a binary file or the element, scaled to [0, 1].

#ifndef SINEW_ASSET_HFIELD_H_
#define SINEW_ASSET_HFIELD_H_

#include "asset/work.h"

SN_EXTERN_C_BEGIN

typedef struct snHFieldInput_ {
  snBytes file;
  const char* file_name;     // NULL or "": no file
  const char* content_type;  // from sn_contentType, used with a file
  int nrow;                  // of the element, used without a file
  int ncol;
  const float* elevation;  // userdata of the element (the MJCF reader reverses rows); NULL: zeros
  int nelevation;
  double size[4];
} snHFieldInput;

typedef struct snHField_ {
  snPool pool;  // owns data
  int nrow;
  int ncol;
  float* data;  // nrow x ncol
} snHField;

// Compile a height field. Returns 0, or -1 with the reason; the height field is empty then.
int sn_compileHField(snHField* hfield, const snHFieldInput* input, char* error, int error_sz);
void sn_freeHField(snHField* hfield);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_HFIELD_H_
