// Threads that share the stages of one world.
//
// A stage hands out items that do not depend on one another: islands, pairs of bodies, contacts, trees. Each thread
// works on a view of the data: the same arrays, and counters and scratch of its own. Which thread gets which item is
// not determined and may not matter, so results have the same bits for any number of threads.
//
// Where a share fails, because the scratch of a thread was too small, a warning was raised or an error
// reported, sn_share says so and the stage runs again on one thread, which has all of the arena and reports what there
// is to report in the order of the items. Therefore a shared function leaves what it reads as it is.
//
// Teams of lanes (base/team.h) share their loops in another way: they have no crews.

#ifndef SINEW_BASE_CREW_H_
#define SINEW_BASE_CREW_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

typedef struct snCrew_ snCrew;

// Let the threads of a pool share the steps of the data, beside the calling one.
struct snWorkers_;
void sn_setCrew(snData* d, struct snWorkers_* workers);

// Give the threads back that sn_setThreads started; those of a pool stay there.
void sn_deleteCrew(snData* d);

// The threads of a crew stay awake between a hold and its release, for the stages to come.
void sn_holdThreads(const snCrew* crew, int hold);

// Is there scratch in the arena for each thread of the crew?
int sn_hasCrewRoom(const snData* d);

typedef void (*snShareFunction)(const snModel* m, snData* view, void* context, int begin, int end);

// Run the function over [0, count), at least `chunk` items at a time; 0: one by one, for items of very different size.
// Returns 1 when all is done, 0 when there is no crew or a thread failed: its results are then not to be used.
int sn_share(const snModel* m, snData* d, int count, int chunk, snShareFunction function,
             void* context);

// Run the function on blocks of whole trees. The lists of a view hold what is awake in its block; entry 0 of
// body_awake_ind is the world, which no block may write. Each view has `bytes` of scratch. Returns as sn_share does, and
// 0 where there is too little to share.
typedef void (*snTreesFunction)(const snModel* m, snData* view, void* context);
int sn_shareTrees(const snModel* m, snData* d, size_t bytes, snTreesFunction function,
                  void* context);

SN_EXTERN_C_END

#ifdef SN_TEAM  // teams have no crew: a constant lets compilers drop the code for it
#define sn_hasCrew(d) 0
#define sn_holdCrew(d, hold) ((void)0)
#else
static inline void sn_holdCrew(const snData* d, int hold) {
  if (d->crew) sn_holdThreads((const snCrew*)d->crew, hold);
}

// Are there threads to share with, and scratch for them?
static inline int sn_hasCrew(const snData* d) { return d->crew && sn_hasCrewRoom(d); }
#endif

// Run a function over [0, count), which is its own for teams: by a crew if there are at least two chunks, else here.
#define SN_SHARE(m, d, count, chunk, function, context)          \
  do {                                                           \
    int sn_count = (int)(count);                                 \
    if (!(sn_hasCrew(d) && sn_count >= 2 * (chunk) &&            \
          sn_share(m, d, sn_count, chunk, function, context))) { \
      function(m, d, context, 0, sn_count);                      \
    }                                                            \
  } while (0)

#endif  // SINEW_BASE_CREW_H_
