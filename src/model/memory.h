// Blocks of snModel and snData: layout, allocation, copy.

#ifndef SINEW_MODEL_MEMORY_H_
#define SINEW_MODEL_MEMORY_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Bytes of the arrays of a model with the sizes of m; -1 when a size is negative or impossibly big.
snSize sn_modelArrayBytes(const snModel* m);

// Allocate a zeroed model with the sizes of m; NULL when the sizes are impossible or memory is
// short.
SN_API snModel* sn_allocModel(const snModel* sizes);

// Bytes of a data block for m, header and arena included; -1 when the sizes are impossible.
snSize sn_dataBlockBytes(const snModel* m);

// Lay out data for m in a block of that size (64-byte aligned), without resetting it.
snData* sn_placeData(const snModel* m, void* block);

// Copy src into dest, whose arena is at least as large as what src uses of its own.
void sn_moveData(snData* dest, const snModel* m, const snData* src);

// Allocate data for m without resetting it.
snData* sn_allocData(const snModel* m);

// Make dest what src is, in place; src, which must own its arrays itself, becomes a part of dest.
void sn_takeModel(snModel* dest, snModel* src);
void sn_takeData(snData* dest, snData* src);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_MEMORY_H_
