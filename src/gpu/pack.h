// Models and data as images for a device, in either precision.
//
// The host computes in double; a device may compute in single precision, where structs have other sizes. pack.c is
// therefore compiled twice, once for each precision, and both versions exchange the pieces below, which do not depend
// on it.

#ifndef SINEW_GPU_PACK_H_
#define SINEW_GPU_PACK_H_

#include <stddef.h>
#include <stdint.h>

#include "sinew/data_fields.h"
#include "sinew/model_fields.h"
#include "sinew/option_fields.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
#define X(name, rule, meaning) snPIECE_##name,
  SN_MODEL_SIZES(X)
#undef X
      snPIECE_SIZES
};

enum {
#define X(...) +1
  snPIECE_FIELDS = 0 SN_MODEL_FIELDS(X)
#undef X
};

// numbers in the tables of options and statistics
#define SN_NONE(...)
#define SN_SCALAR(...) +1
#define SN_MANY(name, count) +count
enum {
  snPIECE_OPTION_REALS = SN_OPTION_FIELDS(SN_SCALAR, SN_MANY, SN_NONE),
  snPIECE_OPTION_INTS = SN_OPTION_FIELDS(SN_NONE, SN_NONE, SN_SCALAR),
  snPIECE_STATISTICS = SN_STATISTIC_FIELDS(SN_SCALAR, SN_MANY)
};
#undef SN_NONE
#undef SN_SCALAR
#undef SN_MANY

// The parts of a model: counts, arrays of the host (reals are double), options.
typedef struct snPieces_ {
  int64_t sizes[snPIECE_SIZES];
  const void* arrays[snPIECE_FIELDS];
  double option_reals[snPIECE_OPTION_REALS];
  int option_ints[snPIECE_OPTION_INTS];
  double statistics[snPIECE_STATISTICS];
  const void* visual;  // snVisual, the same in both precisions
} snPieces;

// An image in host memory, with pointers that hold at its address on the device.
typedef struct snImage_ {
  void* bytes;
  int64_t size;
} snImage;

// Where a field lies in an image: its values, and the pointer to them in the header.
typedef struct snPlace_ {
  int64_t values;   // offset from the start of the image
  int64_t pointer;  // offset of the pointer to the values; -1: the values lie in the header itself
  int64_t rows, columns;
  int element_bytes;
  char type;  // as in snBatchView
} snPlace;

// Per precision: the model's image, that of one world's data without its arena, and the places of
// fields in them (0 when there is no such field). Fields of options and statistics are named
// "opt.gravity", "stat.meaninertia".
typedef struct snPacker_ {
  int real_bytes;
  int contact_bytes;  // of an snContact
  int64_t model_header_bytes;
  snImage (*packModel)(const snPieces* pieces, uint64_t address);
  snImage (*packData)(const snPieces* pieces, uint64_t address, int64_t narena, int64_t* stride);
  int (*modelPlace)(const snPieces* pieces, const char* name, snPlace* place);
  int (*dataPlace)(const snPieces* pieces, const char* name, snPlace* place);
} snPacker;

// The parts of a host model; they point into it.
void sn_takeApart(const void* model, snPieces* pieces);

extern const snPacker sn_packerDouble;
extern const snPacker sn_packerSingle;

#ifdef __cplusplus
}
#endif

#endif  // SINEW_GPU_PACK_H_
