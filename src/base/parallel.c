#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/assert.h"
#include "sinew/sinew.h"

struct snWorkers_ {
  pthread_mutex_t turn;  // of a job: callers on several threads wait for one another
  pid_t process;         // that has the threads: a process that was forked off has none
  pthread_mutex_t mutex;
  pthread_cond_t work_ready;
  pthread_cond_t work_done;
  unsigned generation;  // counts jobs: a worker that sees a new number has work
  int busy;             // workers that have not finished the present job
  int stop;
  // the present job
  snRangeFunction function;
  void* context;
  int count, chunk;
  atomic_int next;
  // threads beside the caller's
  int thread_count;
  pthread_t threads[snMAXTHREAD];
};

enum { PARTS = 4 };  // of what is left, for each worker, of which it takes one

// The next items for a worker; 0 when none are left. Chunks shrink towards the end: the first cost no
// time to hand out, and nobody waits long for the last.
static int takeChunk(snWorkers* workers, int* begin) {
  *begin = atomic_load(&workers->next);
  for (;;) {
    int left = workers->count - *begin;
    if (left <= 0) return 0;
    int size = left / (PARTS * (workers->thread_count + 1));
    if (size < workers->chunk) size = workers->chunk < left ? workers->chunk : left;
    if (atomic_compare_exchange_weak(&workers->next, begin, *begin + size)) return size;
  }
}

// whose job this thread is doing
static _Thread_local const snWorkers* present;

static void runChunks(snWorkers* workers) {
  int begin, size;
  const snWorkers* before = present;
  present = workers;
  while ((size = takeChunk(workers, &begin)) > 0) {
    workers->function(workers->context, begin, begin + size);
  }
  present = before;
}

static void* workerMain(void* argument) {
  snWorkers* workers = (snWorkers*)argument;
  unsigned seen = 0;
  pthread_mutex_lock(&workers->mutex);
  for (;;) {
    while (!workers->stop && workers->generation == seen) {
      pthread_cond_wait(&workers->work_ready, &workers->mutex);
    }
    if (workers->stop) break;
    seen = workers->generation;
    pthread_mutex_unlock(&workers->mutex);
    runChunks(workers);
    pthread_mutex_lock(&workers->mutex);
    SN_ASSERT(workers->busy > 0);
    if (--workers->busy == 0) pthread_cond_signal(&workers->work_done);
  }
  pthread_mutex_unlock(&workers->mutex);
  return NULL;
}

static int processorCount(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > snMAXTHREAD ? snMAXTHREAD : (int)count;
}

snWorkers* sn_workersCreate(int count) {
  if (count <= 0) count = processorCount();
  if (count > snMAXTHREAD) count = snMAXTHREAD;
  snWorkers* workers = (snWorkers*)snu_malloc(sizeof(snWorkers));
  if (!workers) return NULL;
  workers->process = getpid();
  pthread_mutex_init(&workers->turn, NULL);
  pthread_mutex_init(&workers->mutex, NULL);
  pthread_cond_init(&workers->work_ready, NULL);
  pthread_cond_init(&workers->work_done, NULL);
  workers->generation = 0;
  workers->busy = workers->stop = workers->thread_count = 0;
  while (workers->thread_count < count - 1) {
    pthread_t* thread = workers->threads + workers->thread_count;
    if (pthread_create(thread, NULL, workerMain, workers)) break;  // fewer workers do it too
    workers->thread_count++;
  }
  return workers;
}

void sn_workersDelete(snWorkers* workers) {
  if (!workers) return;
  if (workers->process != getpid()) {  // locks are as another thread may have left them
    snu_free(workers);
    return;
  }
  pthread_mutex_lock(&workers->mutex);
  workers->stop = 1;
  pthread_cond_broadcast(&workers->work_ready);
  pthread_mutex_unlock(&workers->mutex);
  for (int i = 0; i < workers->thread_count; i++) pthread_join(workers->threads[i], NULL);
  pthread_cond_destroy(&workers->work_done);
  pthread_cond_destroy(&workers->work_ready);
  pthread_mutex_destroy(&workers->mutex);
  pthread_mutex_destroy(&workers->turn);
  snu_free(workers);
}

int sn_workersCount(const snWorkers* workers) { return workers->thread_count + 1; }

void sn_parallelFor(snWorkers* workers, int count, int chunk, snRangeFunction function,
                    void* context) {
  if (count <= 0) return;
  if (present == workers || workers->process != getpid()) {  // inside of a job; without threads
    function(context, 0, count);
    return;
  }
  pthread_mutex_lock(&workers->turn);
  workers->function = function;
  workers->context = context;
  workers->count = count;
  workers->chunk = chunk < 1 ? 1 : chunk;
  atomic_store(&workers->next, 0);
  pthread_mutex_lock(&workers->mutex);
  SN_ASSERT(workers->busy == 0);
  workers->busy = workers->thread_count;
  workers->generation++;
  pthread_cond_broadcast(&workers->work_ready);
  pthread_mutex_unlock(&workers->mutex);

  runChunks(workers);

  pthread_mutex_lock(&workers->mutex);
  while (workers->busy) pthread_cond_wait(&workers->work_done, &workers->mutex);
  SN_ASSERT(atomic_load(&workers->next) == count);
  pthread_mutex_unlock(&workers->mutex);
  pthread_mutex_unlock(&workers->turn);
}
