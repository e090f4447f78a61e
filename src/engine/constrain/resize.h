// Sizes of what lies in the arena, for programs that fill a data by hand.

#ifndef SINEW_ENGINE_CONSTRAIN_RESIZE_H_
#define SINEW_ENGINE_CONSTRAIN_RESIZE_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Replace contacts and rows by given numbers of them, nJ entries of the Jacobian (negative: as
// many as there were), contents undefined. 0 when the arena is full, with nothing there.
SN_API int sn_reallocRows(const snModel* m, snData* d, int ncon, int nefc, int nJ);

// Raise a counter of the data, &d->ncon or &d->nisland or another: every array whose rows it counts keeps what it
// holds, and has zeros behind. More contacts drop the rows. 0 when the arena is full, with the counter as it was.
SN_API int sn_raiseCount(const snModel* m, snData* d, int* counter, int count);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_CONSTRAIN_RESIZE_H_
