// Blocks of snModel and snData: layout, allocation, copy.

#ifndef SINEW_MODEL_MEMORY_H_
#define SINEW_MODEL_MEMORY_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Bytes of the arrays of a model with the sizes of m; -1 when a size is negative or impossibly big.
snSize sn_modelArrayBytes(const snModel* m);

// Allocate a zeroed model with the sizes of m; NULL when the sizes are impossible or memory is short.
SN_API snModel* sn_allocModel(const snModel* sizes);

// Allocate data for m without resetting it.
snData* sn_allocData(const snModel* m);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_MEMORY_H_
