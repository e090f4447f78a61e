#include "base/crew.h"

#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

enum {
  LEAST_SCRATCH = 1 << 12,  // bytes of a view
  BLOCKS_PER_THREAD = 16,   // blocks of trees: threads that are done early take more of them
  LEAST_DOFS = 48           // of a block: it then takes several times as long as handing it out
};

// what a thread works on
typedef struct View_ {
  snData d;
  char error[snMESSAGE_SIZE], warning[snMESSAGE_SIZE];
} View;

// What the caller asks of a view at the end of a job, in a cache line of its own.
typedef struct Report_ {
  uint64_t job;  // that the view was made for
  snSize used;   // of its scratch
  int failed, status;
  char apart[64 - sizeof(uint64_t) - sizeof(snSize) - 2 * sizeof(int)];
} Report;

typedef struct Job_ {
  uint64_t number;
  const snModel* m;
  const snData* d;
  snCrew* crew;
  snShareFunction function;
  void* context;
  char* scratch;
  size_t part;  // bytes of scratch of a thread
} Job;

struct snCrew_ {
  Job job;  // the present or the last one
  snWorkers* workers;
  int owned;  // started for this data
  int count;  // threads
  Report* reports;
  View* views;
};

// ---- views ---------------------------------------------------------------------------------------

// copies everything but the counters of iterations, warnings and timers
static void copyHead(snData* view, const snData* d) {
  size_t skip = offsetof(snData, solver), again = offsetof(snData, ncon);
  memcpy(view, d, skip);
  memcpy((char*)view + again, (const char*)d + again, sizeof(snData) - again);
  memset(view->warning, 0, sizeof(view->warning));
}

static void openView(const Job* job, int worker) {
  View* view = job->crew->views + worker;
  snData* d = &view->d;
  copyHead(d, job->d);
  d->arena = job->scratch + (size_t)worker * job->part;
  d->narena = (snSize)job->part;
  d->pstack = d->pbase = d->parena = 0;
  d->maxuse_stack = d->maxuse_arena = 0;
  d->nlostframe = d->status = d->refused = 0;
  d->crew = NULL;
  Report* report = job->crew->reports + worker;
  report->job = job->number;
  report->failed = report->status = 0;
}

static void runShare(void* context, int begin, int end) {
  const Job* job = (const Job*)context;
  int worker = sn_workerIndex();
  SN_ASSERT_INDEX(worker, job->crew->count);
  View* view = job->crew->views + worker;
  Report* report = job->crew->reports + worker;
  if (report->job != job->number) openView(job, worker);
  sn_holdMessages(view->error, view->warning);
  job->function(job->m, &view->d, job->context, begin, end);
  SN_ASSERT(!view->d.pbase);  // every frame of the stack was closed
  if (view->error[0] || view->warning[0]) view->d.refused++;
  view->warning[0] = 0;
  sn_releaseMessages();
  for (int w = 0; w < snNWARNING; w++) report->failed |= view->d.warning[w].number;
  report->failed |= view->d.refused;
  report->status = view->d.status;
  report->used = view->d.maxuse_arena;
}

// adds up the counters of the views; returns 0 when one of them failed
static int closeViews(snData* d, const snCrew* crew) {
  int sound = 1, status = 0;
  for (int i = 0; i < crew->count; i++) {
    const Report* report = crew->reports + i;
    if (report->job != crew->job.number) continue;
    sound &= !report->failed;
    status |= report->status;
    if (report->used > d->maxuse_threadstack[i]) d->maxuse_threadstack[i] = report->used;
  }
  if (sound) d->status |= status;
  return sound;
}

// Scratch of the threads: the upper half of the free arena, which the results that the stage appends cannot reach.
static void divideScratch(const snData* d, Job* job) {
  uintptr_t bottom = (uintptr_t)d->arena + d->parena;
  uintptr_t top = (uintptr_t)d->arena + ((size_t)d->narena - d->pstack);
  uintptr_t start = (bottom + (top - bottom) / 2 + 63) & ~(uintptr_t)63;
  job->scratch = (char*)start;
  job->part = start < top ? (top - start) / (size_t)job->crew->count & ~(size_t)63 : 0;
}

int sn_hasCrewRoom(const snData* d) {
  Job job;
  job.crew = (snCrew*)d->crew;
  divideScratch(d, &job);
  return !d->nlostframe && job.part >= LEAST_SCRATCH;
}

void sn_holdThreads(const snCrew* crew, int hold) { sn_workersHold(crew->workers, hold); }

static int share(const snModel* m, snData* d, int count, int chunk, size_t bytes,
                 snShareFunction function, void* context) {
  snCrew* crew = (snCrew*)d->crew;
  if (!crew || d->nlostframe) return 0;
  SN_ASSERT(count >= 0 && chunk >= 0);
  Job job = {crew->job.number + 1, m, d, crew, function, context, NULL, 0};
  divideScratch(d, &job);
  if (job.part < bytes + LEAST_SCRATCH) return 0;
  crew->job = job;
  if (chunk) {
    sn_parallelFor(crew->workers, count, chunk, runShare, &crew->job);
  } else {
    sn_parallelEach(crew->workers, count, runShare, &crew->job);
  }
  return closeViews(d, crew);
}

int sn_share(const snModel* m, snData* d, int count, int chunk, snShareFunction function,
             void* context) {
  return share(m, d, count, chunk, 0, function, context);
}

// ---- blocks of trees -----------------------------------------------------------------------------

typedef struct Blocks_ {
  int count;
  snTreesFunction function;
  void* context;
} Blocks;

// The first body at or after a place of the list that is a child of the world: a block may begin there, because no
// body before it depends on those after it.
static int nextRoot(const snModel* m, const snData* d, int place) {
  while (place < d->nbody_awake && m->body_parentid[d->body_awake_ind[place]]) place++;
  return place;
}

// How many dofs of the list belong to bodies before that at a place of its list. Where all is awake, this is the number of
// the body's first dof; otherwise a binary search finds it.
static int dofsBefore(const snModel* m, const snData* d, int place) {
  if (place >= d->nbody_awake) return d->nv_awake;
  int body = d->body_awake_ind[place], low = 0, high = d->nv_awake;
  if (d->nv_awake == (int)m->nv && m->body_dofnum[body]) return m->body_dofadr[body];
  while (low < high) {
    int middle = (low + high) / 2;
    if (m->dof_bodyid[d->dof_awake_ind[middle]] < body) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static int blockStart(const snModel* m, const snData* d, int block, int count) {
  long bodies = d->nbody_awake - 1;
  return nextRoot(m, d, 1 + (int)(bodies * block / count));
}

static void runBlocks(const snModel* m, snData* view, void* context, int begin, int end) {
  const Blocks* blocks = (const Blocks*)context;
  int *bodies = view->body_awake_ind, *dofs = view->dof_awake_ind;
  int nbody = view->nbody_awake, nv = view->nv_awake;
  int body = blockStart(m, view, begin, blocks->count);
  int last_body = blockStart(m, view, end, blocks->count);
  int dof = dofsBefore(m, view, body), last_dof = dofsBefore(m, view, last_body);
  SN_ASSERT(body > 0 && body <= last_body && last_body <= nbody && dof <= last_dof);
  view->body_awake_ind = bodies + body - 1;
  view->nbody_awake = last_body - body + 1;
  view->dof_awake_ind = dofs + dof;
  view->nv_awake = last_dof - dof;
  if (last_body > body) blocks->function(m, view, blocks->context);
  view->body_awake_ind = bodies;
  view->nbody_awake = nbody;
  view->dof_awake_ind = dofs;
  view->nv_awake = nv;
}

int sn_shareTrees(const snModel* m, snData* d, size_t bytes, snTreesFunction function,
                  void* context) {
  if (!d->crew || d->nv_awake < 2 * LEAST_DOFS) return 0;
  int most = BLOCKS_PER_THREAD * ((const snCrew*)d->crew)->count, fit = d->nv_awake / LEAST_DOFS;
  Blocks blocks = {most < fit ? most : fit, function, context};
  if (blockStart(m, d, 1, blocks.count) >= d->nbody_awake) return 0;  // one large tree
  return share(m, d, blocks.count, 1, bytes, runBlocks, &blocks);
}

// ---- life ----------------------------------------------------------------------------------------

static snCrew* newCrew(snWorkers* workers) {
  snCrew* crew = (snCrew*)snu_malloc(sizeof(snCrew));
  int count = sn_workersCount(workers);
  View* views = crew ? (View*)snu_malloc((size_t)count * sizeof(View)) : NULL;
  Report* reports = views ? (Report*)snu_malloc((size_t)count * sizeof(Report)) : NULL;
  if (!reports) {
    snu_free(views);
    snu_free(crew);
    return NULL;
  }
  memset(crew, 0, sizeof(*crew));
  memset(views, 0, (size_t)count * sizeof(View));
  memset(reports, 0, (size_t)count * sizeof(Report));
  crew->workers = workers;
  crew->count = count;
  crew->views = views;
  crew->reports = reports;
  return crew;
}

void sn_setCrew(snData* d, snWorkers* workers) {
  sn_deleteCrew(d);
  if (workers && sn_workersCount(workers) > 1) d->crew = newCrew(workers);
}

void sn_deleteCrew(snData* d) {
  snCrew* crew = (snCrew*)d->crew;
  d->crew = NULL;
  if (!crew) return;
  if (crew->owned) sn_workersDelete(crew->workers);
  snu_free(crew->reports);
  snu_free(crew->views);
  snu_free(crew);
}

int sn_threads(const snData* d) { return d->crew ? ((const snCrew*)d->crew)->count : 1; }

int sn_setThreads(snData* d, int count) {
  if (!d) return 0;
  if (count == sn_threads(d) && count > 0) return count;
  sn_deleteCrew(d);
  if (count == 1) return 1;
  snWorkers* workers = sn_workersCreatePatient(count);
  if (!workers) return 1;
  sn_setCrew(d, workers);
  if (d->crew) {
    ((snCrew*)d->crew)->owned = 1;
  } else {
    sn_workersDelete(workers);
  }
  return sn_threads(d);
}
