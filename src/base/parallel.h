// One primitive for parallel work: a range of independent items, shared among worker threads.
//
// Each worker begins with items of its own, in chunks that shrink towards the end, and goes on with those of others.
// Which worker gets which chunk is not determined, so items must not depend on it: each reads and writes its own memory
// only, and results are then the same bits for any number of workers.

#ifndef SINEW_BASE_PARALLEL_H_
#define SINEW_BASE_PARALLEL_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

typedef struct snWorkers_ snWorkers;
typedef void (*snRangeFunction)(void* context, int begin, int end);

// Start workers; the calling thread counts as one of them. 0: one per processor. NULL on failure.
snWorkers* sn_workersCreate(int count);
// The same, but workers look for the next job for some 50 us before they sleep: a sleeper takes longer to wake than
// a short job takes.
snWorkers* sn_workersCreatePatient(int count);
void sn_workersDelete(snWorkers* workers);
int sn_workersCount(const snWorkers* workers);

// Between a hold and its release more jobs are to be expected: patient workers look for them for some 200 us.
void sn_workersHold(snWorkers* workers, int hold);

// Run function over [0, count) in chunks of at least so many items (but for the last) and wait until
// all is done. Callers on several threads take turns; in a job of the same workers, and in a process that was
// forked off since they were made, the calling thread does all of it.
void sn_parallelFor(snWorkers* workers, int count, int chunk, snRangeFunction function,
                    void* context);

// The same one item at a time: for few items that take differently long. Worker k of n begins with item count k / n.
void sn_parallelEach(snWorkers* workers, int count, snRangeFunction function, void* context);

// In a job: which of the workers this thread is, 0 the caller.
int sn_workerIndex(void);

SN_EXTERN_C_END

#endif  // SINEW_BASE_PARALLEL_H_
