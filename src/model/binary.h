// Binary models: a header that names precision, version and layout, then the model as it is.
//
// The layout hash covers the name, type and shape of every row of the field table, so that a file
// written by a build with other fields is refused instead of misread. Everything that is read is
// checked before it is believed: sizes before allocation, every cross-reference afterwards.
//
// Behind the model may lie a bundle: bytes that say what the model was compiled from (mjcf/bundle.h).
// The header tells its size, so that a file that ends before it is refused like any other.

#ifndef SINEW_MODEL_BINARY_H_
#define SINEW_MODEL_BINARY_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Read a model from memory; NULL with the reason in error (nullable) when it is not one of ours.
SN_API snModel* sn_readModel(const void* buffer, size_t bytes, char* error, int error_sz);

// The bytes behind a model, opaque to this layer.
typedef struct snBundle_ {
  const void* data;
  size_t bytes;
} snBundle;

// sn_saveModel to a file, with a bundle behind the model.
SN_API void sn_saveModelBundle(const snModel* m, snBundle bundle, const char* filename);

// The bundle in the image of a model, empty when there is none; it lies inside of the buffer.
SN_API snBundle sn_modelBundle(const void* buffer, size_t bytes);

// Write size and checksum of an image that was changed into its header: for tests of what follows.
SN_API void sn_sealModel(void* image, size_t bytes);

// Check sizes and cross-references of a model; NULL when it is sound, else the reason.
// The text is kept in the buffer.
SN_API const char* sn_validateModel(const snModel* m, char* reason, int reason_sz);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_BINARY_H_
