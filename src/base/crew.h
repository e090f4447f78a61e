// A crew: threads of a CPU that share the stages of one world.
//
// A stage divides items that do not depend on one another (islands, pairs of bodies, contacts, trees) among the threads.
// Each thread works on a view of the data: the same arrays, but counters and scratch of its own. Which thread takes
// which item is not determined, and results may not depend on it: they have the same bits for any number of threads.
//
// When a thread runs out of scratch, raises a warning or reports an error, sn_share returns 0 and the stage runs once
// more on one thread, which has the whole arena and reports in the order of the items. A shared function must
// therefore not overwrite what it reads.
//
// Teams of lanes (base/team.h) have no crews: they share loops by SN_FOR.

#ifndef SINEW_BASE_CREW_H_
#define SINEW_BASE_CREW_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

typedef struct snCrew_ snCrew;

// Let the threads of a pool share the steps of these data with the calling thread.
struct snWorkers_;
void sn_setCrew(snData* d, struct snWorkers_* workers);

// Stop the threads that sn_setThreads started; those of a pool go back to it.
void sn_deleteCrew(snData* d);

// Between hold = 1 and hold = 0 idle threads of the crew spin instead of sleeping, because more stages follow soon.
void sn_holdThreads(const snCrew* crew, int hold);

// Is there scratch in the arena for each thread of the crew?
int sn_hasCrewRoom(const snData* d);

typedef void (*snShareFunction)(const snModel* m, snData* view, void* context, int begin, int end);

// Run the function over [0, count), at least `chunk` items at a time; chunk 0: one by one, for items of very different
// size. Returns 0 when there is no crew or a thread failed; results are then not valid.
int sn_share(const snModel* m, snData* d, int count, int chunk, snShareFunction function,
             void* context);

// Run the function on blocks of whole trees. The lists of awake bodies and dofs of a view are those of its block; entry 0
// of body_awake_ind is the world, which no block may write. Each view has `bytes` of scratch. Returns 0 as sn_share
// does, and when there is too little work to share.
typedef void (*snTreesFunction)(const snModel* m, snData* view, void* context);
int sn_shareTrees(const snModel* m, snData* d, size_t bytes, snTreesFunction function,
                  void* context);

SN_EXTERN_C_END

#ifdef SN_TEAM  // a constant, so that compilers drop the code for crews
#define sn_hasCrew(d) 0
#define sn_holdCrew(d, hold) ((void)0)
#else
static inline void sn_holdCrew(const snData* d, int hold) {
  if (d->crew) sn_holdThreads((const snCrew*)d->crew, hold);
}

// Is there a crew, and scratch for its threads?
static inline int sn_hasCrew(const snData* d) { return d->crew && sn_hasCrewRoom(d); }
#endif

// Run a function over [0, count): by the crew if there is one and at least two chunks, else by the calling thread.
#define SN_SHARE(m, d, count, chunk, function, context)          \
  do {                                                           \
    int sn_count = (int)(count);                                 \
    if (!(sn_hasCrew(d) && sn_count >= 2 * (chunk) &&            \
          sn_share(m, d, sn_count, chunk, function, context))) { \
      function(m, d, context, 0, sn_count);                      \
    }                                                            \
  } while (0)

#endif  // SINEW_BASE_CREW_H_
