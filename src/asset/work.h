// The workbench of one asset: where its results and temporaries live and where its error goes.
//
// Every function that turns a file or a buffer into arrays takes a workbench. Results come from the
// pool that the asset keeps, temporaries from a pool that is released when the work is done; the
// first error is kept as text, in MuJoCo's words; the caller adds the place of the element.

#ifndef SINEW_ASSET_WORK_H_
#define SINEW_ASSET_WORK_H_

#include "base/pool.h"
#include "sinew/types.h"

SN_EXTERN_C_BEGIN

typedef struct snWork_ {
  snPool* keep;    // results
  snPool scratch;  // temporaries
  char* error;     // may be NULL
  int error_sz;
  const char* name;  // of the element, for messages; NULL in work on something smaller
  const char* file;  // of its file
} snWork;

// Write the message and return -1, so that failing reads: return sn_fail(work, "...").
int sn_fail(snWork* work, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Take a zeroed array from one of the two pools; NULL with an error message when memory is short.
void* sn_keep(snWork* work, size_t count, size_t size);
void* sn_scratch(snWork* work, size_t count, size_t size);
#define SN_KEEP(work, type, n) ((type*)sn_keep(work, (size_t)(n), sizeof(type)))
#define SN_SCRATCH(work, type, n) ((type*)sn_scratch(work, (size_t)(n), sizeof(type)))

// The bytes of a file, wherever they came from.
typedef struct snBytes_ {
  const unsigned char* data;
  size_t size;
} snBytes;

// Little-endian numbers at a byte offset; the caller has checked the size.
int sn_readInt(snBytes bytes, size_t offset);
float sn_readFloat(snBytes bytes, size_t offset);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_WORK_H_
