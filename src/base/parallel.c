#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/assert.h"
#include "sinew/sinew.h"

// Workers join a job while it is open and leave it when nothing is left to take. The caller does not wait for a worker
// that has not joined: one that the system has not woken yet costs no time. The job is one number: its count in the
// upper half, whether it is open, and how many have joined.
enum { OPEN = 1 << 16, JOINED = OPEN - 1 };
#define JOB_COUNT(job) ((job) >> 32)

// The items that a worker begins with. Those of others follow when it is done.
typedef struct Range_ {
  atomic_int next;
  int end;
  char apart[64 - sizeof(atomic_int) - sizeof(int)];  // each has a cache line of its own
} Range;

// The present job, in one cache line: a worker that finds it open has the rest at hand.
typedef struct Present_ {
  _Atomic uint64_t job;
  snRangeFunction function;
  void* context;
  int chunk, most;  // how many items are taken at once
  char apart[64 - sizeof(uint64_t) - sizeof(snRangeFunction) - sizeof(void*) - 2 * sizeof(int)];
} Present;

struct snWorkers_ {
  Present now;
  Range ranges[snMAXTHREAD];
  pthread_mutex_t turn;  // of a job: callers on several threads wait for one another
  pid_t process;         // that has the threads: a process that was forked off has none
  int patience;          // rounds to look for the next job before a worker goes to sleep
  atomic_int held;       // more jobs will come soon: rounds of PATIENCE_HELD
  atomic_int sleepers;   // workers that wait on work_ready
  atomic_int waiting;    // the caller waits on work_done
  pthread_mutex_t mutex;
  pthread_cond_t work_ready;
  pthread_cond_t work_done;
  int stop;
  // threads beside the caller's
  int thread_count;
  pthread_t threads[snMAXTHREAD];
};

enum { PATIENCE = 2000, PATIENCE_HELD = 8000 };

enum { PARTS = 2 };  // of what is left of a range, of which a worker takes one

// The next items of a range; 0 when none are left. Chunks shrink towards the end: the first cost no
// time to hand out, and nobody waits long for the last.
static int takeFrom(const snWorkers* workers, Range* range, int* begin) {
  *begin = atomic_load(&range->next);
  for (;;) {
    int left = range->end - *begin;
    if (left <= 0) return 0;
    int size = left / PARTS / workers->now.chunk * workers->now.chunk;
    if (size < workers->now.chunk) size = workers->now.chunk < left ? workers->now.chunk : left;
    if (size > workers->now.most) size = workers->now.most;
    if (atomic_compare_exchange_weak(&range->next, begin, *begin + size)) return size;
  }
}

// The next items for a worker, of its own range as long as it has some, else of those after it.
static int takeChunk(snWorkers* workers, int worker, int* begin) {
  int count = workers->thread_count + 1;
  for (int i = 0; i < count; i++) {
    int place = worker + i < count ? worker + i : worker + i - count;
    int size = takeFrom(workers, workers->ranges + place, begin);
    if (size) return size;
  }
  return 0;
}

// Items side by side go to one worker, and in the next job to the same: its cache then has what it wrote. All ranges but
// the last are whole chunks.
static void divide(snWorkers* workers, int count, int chunk) {
  int threads = workers->thread_count + 1, begin = 0;
  long chunks = ((long)count + chunk - 1) / chunk;
  workers->now.chunk = chunk;
  workers->now.most = count;
  for (int i = 0; i < threads; i++) {
    int end = i + 1 < threads ? chunk * (int)(chunks * (i + 1) / threads) : count;
    atomic_store_explicit(&workers->ranges[i].next, begin, memory_order_relaxed);
    workers->ranges[i].end = begin = end < count ? end : count;
  }
}

// the pool whose job this thread is doing, and its number among the workers
static _Thread_local const snWorkers* present;
static _Thread_local int present_worker;

int sn_workerIndex(void) { return present_worker; }

static void runChunks(snWorkers* workers, int worker) {
  int begin, size, worker_before = present_worker;
  const snWorkers* before = present;
  present = workers;
  present_worker = worker;
  while ((size = takeChunk(workers, worker, &begin)) > 0) {
    workers->now.function(workers->now.context, begin, begin + size);
  }
  present = before;
  present_worker = worker_before;
}

// Let another thread have the processor after some 50 us: beside other programs a thread that gives it away gets it
// back after milliseconds, and most waits are shorter than a few microseconds.
static void rest(int round) {
  enum { ROUNDS = 2048 };
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
  if (round % ROUNDS == ROUNDS - 1) sched_yield();
}

static int patience(snWorkers* workers) {
  int held = atomic_load_explicit(&workers->held, memory_order_relaxed) > 0;
  return held && workers->patience ? PATIENCE_HELD : workers->patience;
}

static int join(snWorkers* workers, uint64_t job) {
  while (job & OPEN) {
    if (atomic_compare_exchange_weak(&workers->now.job, &job, job + 1)) return 1;
  }
  return 0;
}

static void leave(snWorkers* workers) {
  uint64_t before = atomic_fetch_sub(&workers->now.job, 1);
  SN_ASSERT(before & JOINED);
  if ((before & (OPEN | JOINED)) != 1 || !atomic_load(&workers->waiting)) return;
  pthread_mutex_lock(&workers->mutex);
  pthread_cond_signal(&workers->work_done);
  pthread_mutex_unlock(&workers->mutex);
}

// Wait until there is a job after the given one; 0 when the workers are to stop.
static int awaitJob(snWorkers* workers, uint64_t seen) {
  for (int round = 0; round < patience(workers); round++) {
    if (JOB_COUNT(atomic_load(&workers->now.job)) != seen) return 1;
    rest(round);
  }
  pthread_mutex_lock(&workers->mutex);
  atomic_fetch_add(&workers->sleepers, 1);
  while (!workers->stop && JOB_COUNT(atomic_load(&workers->now.job)) == seen) {
    pthread_cond_wait(&workers->work_ready, &workers->mutex);
  }
  atomic_fetch_sub(&workers->sleepers, 1);
  int stop = workers->stop;
  pthread_mutex_unlock(&workers->mutex);
  return !stop;
}

typedef struct Start_ {
  snWorkers* workers;
  int worker;
} Start;

static void* workerMain(void* argument) {
  Start start = *(Start*)argument;
  snu_free(argument);
  uint64_t seen = 0;
  while (awaitJob(start.workers, seen)) {
    uint64_t job = atomic_load(&start.workers->now.job);
    seen = JOB_COUNT(job);
    if (!join(start.workers, job)) continue;
    runChunks(start.workers, start.worker);
    leave(start.workers);
  }
  return NULL;
}

static int processorCount(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > snMAXTHREAD ? snMAXTHREAD : (int)count;
}

static int startThread(snWorkers* workers) {
  Start* start = (Start*)snu_malloc(sizeof(Start));
  if (!start) return 0;
  start->workers = workers;
  start->worker = workers->thread_count + 1;
  if (!pthread_create(workers->threads + workers->thread_count, NULL, workerMain, start)) return 1;
  snu_free(start);
  return 0;
}

static snWorkers* create(int count, int patience) {
  if (count <= 0) count = processorCount();
  if (count > snMAXTHREAD) count = snMAXTHREAD;
  snWorkers* workers = (snWorkers*)snu_malloc(sizeof(snWorkers));
  if (!workers) return NULL;
  workers->process = getpid();
  workers->patience = patience;
  pthread_mutex_init(&workers->turn, NULL);
  pthread_mutex_init(&workers->mutex, NULL);
  pthread_cond_init(&workers->work_ready, NULL);
  pthread_cond_init(&workers->work_done, NULL);
  atomic_init(&workers->now.job, 0);
  atomic_init(&workers->held, 0);
  atomic_init(&workers->sleepers, 0);
  atomic_init(&workers->waiting, 0);
  workers->stop = workers->thread_count = 0;
  // fewer workers do it too
  while (workers->thread_count < count - 1 && startThread(workers)) workers->thread_count++;
  return workers;
}

snWorkers* sn_workersCreate(int count) { return create(count, 0); }
snWorkers* sn_workersCreatePatient(int count) { return create(count, PATIENCE); }

void sn_workersDelete(snWorkers* workers) {
  if (!workers) return;
  if (workers->process != getpid()) {  // locks are as another thread may have left them
    snu_free(workers);
    return;
  }
  pthread_mutex_lock(&workers->mutex);
  workers->stop = 1;
  atomic_fetch_add(&workers->now.job, (uint64_t)1 << 32);  // those that still look for a job
  pthread_cond_broadcast(&workers->work_ready);
  pthread_mutex_unlock(&workers->mutex);
  for (int i = 0; i < workers->thread_count; i++) pthread_join(workers->threads[i], NULL);
  pthread_cond_destroy(&workers->work_done);
  pthread_cond_destroy(&workers->work_ready);
  pthread_mutex_destroy(&workers->mutex);
  pthread_mutex_destroy(&workers->turn);
  snu_free(workers);
}

void sn_workersHold(snWorkers* workers, int hold) {
  atomic_fetch_add_explicit(&workers->held, hold ? 1 : -1, memory_order_relaxed);
}

int sn_workersCount(const snWorkers* workers) { return workers->thread_count + 1; }

// Let workers join; those asleep are woken.
static void openJob(snWorkers* workers) {
  uint64_t job = atomic_load(&workers->now.job);
  SN_ASSERT(!(job & (OPEN | JOINED)));
  atomic_store(&workers->now.job, ((JOB_COUNT(job) + 1) << 32) | OPEN);
  if (!atomic_load(&workers->sleepers)) return;
  pthread_mutex_lock(&workers->mutex);
  pthread_cond_broadcast(&workers->work_ready);
  pthread_mutex_unlock(&workers->mutex);
}

// Close the job, and wait for the workers that have joined it.
static void closeJob(snWorkers* workers) {
  uint64_t job = atomic_fetch_and(&workers->now.job, ~(uint64_t)OPEN) & ~(uint64_t)OPEN;
  for (int round = 0; round < patience(workers) && (job & JOINED); round++) {
    rest(round);
    job = atomic_load(&workers->now.job);
  }
  if (!(job & JOINED)) return;
  pthread_mutex_lock(&workers->mutex);
  atomic_store(&workers->waiting, 1);
  while (atomic_load(&workers->now.job) & JOINED) {
    pthread_cond_wait(&workers->work_done, &workers->mutex);
  }
  atomic_store(&workers->waiting, 0);
  pthread_mutex_unlock(&workers->mutex);
}

static int runsAlone(const snWorkers* workers) {  // inside of a job; without threads
  return present == workers || workers->process != getpid();
}

// A job on the ranges as they are.
static void run(snWorkers* workers, snRangeFunction function, void* context) {
  workers->now.function = function;
  workers->now.context = context;
  openJob(workers);
  runChunks(workers, 0);
  closeJob(workers);
}

void sn_parallelFor(snWorkers* workers, int count, int chunk, snRangeFunction function,
                    void* context) {
  if (count <= 0) return;
  if (runsAlone(workers)) {
    function(context, 0, count);
    return;
  }
  pthread_mutex_lock(&workers->turn);
  divide(workers, count, chunk < 1 ? 1 : chunk);
  run(workers, function, context);
  pthread_mutex_unlock(&workers->turn);
}

void sn_parallelEach(snWorkers* workers, int count, snRangeFunction function, void* context) {
  if (count <= 0) return;
  if (runsAlone(workers)) {
    function(context, 0, count);
    return;
  }
  pthread_mutex_lock(&workers->turn);
  divide(workers, count, 1);
  workers->now.most = 1;
  run(workers, function, context);
  pthread_mutex_unlock(&workers->turn);
}
