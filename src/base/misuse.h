// Wrong arguments of public functions, as far as seeing them costs nothing: data of another model, no model
// or data, indices out of range. They are errors of the handler, and the function returns.
//
// A signature tells models of another structure apart; models that differ in numbers alone have the same, and
// share data. Kernels of a GPU are called by us alone: nothing is checked there.

#ifndef SINEW_BASE_MISUSE_H_
#define SINEW_BASE_MISUSE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

#ifdef __CUDACC__
#define SN_IS_DATA_OF(m, d, function) ((void)(m), (void)(d), 1)
#define SN_IS_INDEX(i, n, function) ((void)(i), 1)
#else
#define SN_IS_DATA_OF(m, d, function) \
  ((m) && (d) && (d)->signature == (m)->signature ? 1 : sn_reportData(m, d, function))
#define SN_IS_INDEX(i, n, function) \
  ((i) >= 0 && (snSize)(i) < (snSize)(n) ? 1 : sn_reportIndex(i, n, function))
#endif

// Say what is wrong; 0. Data of a model without a signature, from a binary file, may be right: 1.
int sn_reportData(const snModel* m, const snData* d, const char* function);
int sn_reportIndex(snSize index, snSize count, const char* function);

SN_EXTERN_C_END

#endif  // SINEW_BASE_MISUSE_H_
