// A pool of threads that run queued tasks in the order of their arrival.
//
// A task is owned by the caller, who keeps it alive until snu_taskJoin returns. No lock is held while
// a task runs or while memory is allocated, so user hooks may do what they like.

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/assert.h"
#include "base/crew.h"
#include "base/parallel.h"
#include "sinew/sinew.h"

typedef struct Entry_ {
  snTask* task;
  struct Entry_* next;
} Entry;

typedef struct Pool_ {
  snThreadPool head;  // what users see; must be first
  pthread_mutex_t lock;
  pthread_cond_t wake;
  Entry* first;
  Entry* last;
  int stop;
  int nstarted;
  snWorkers* sharers;  // for steps of the data that it is bound to; NULL before the first
  pthread_t thread[];
} Pool;

static void setStatus(snTask* task, int status) {
  __atomic_store_n(&task->status, status, __ATOMIC_RELEASE);
}

static int getStatus(const snTask* task) {
  return __atomic_load_n(&task->status, __ATOMIC_ACQUIRE);
}

// next entry of the queue; NULL when the pool stops and nothing is left
static Entry* takeEntry(Pool* pool) {
  pthread_mutex_lock(&pool->lock);
  while (!pool->first && !pool->stop) pthread_cond_wait(&pool->wake, &pool->lock);
  Entry* entry = pool->first;
  SN_ASSERT(!pool->first == !pool->last);
  if (entry) {
    pool->first = entry->next;
    if (!pool->first) pool->last = NULL;
  }
  pthread_mutex_unlock(&pool->lock);
  return entry;
}

static void* work(void* argument) {
  Entry* entry;
  while ((entry = takeEntry((Pool*)argument))) {
    snTask* task = entry->task;
    snu_free(entry);
    if (task->func) task->func(task->args);
    setStatus(task, snTASK_COMPLETED);
  }
  return NULL;
}

snThreadPool* snu_threadPoolCreate(size_t number_of_threads) {
  int asked = (int)number_of_threads, count = asked > 0 ? asked : 0;
  Pool* pool = (Pool*)snu_malloc(sizeof(Pool) + (size_t)count * sizeof(pthread_t));
  if (!pool) return NULL;
  memset(pool, 0, sizeof(*pool));
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  for (int i = 0; i < count; i++) {
    if (pthread_create(&pool->thread[i], NULL, work, pool)) break;
    pool->nstarted++;
  }
  pool->head.nworker = pool->nstarted < count ? pool->nstarted : asked;
  return &pool->head;
}

// As many threads as the pool has, of which the caller of a step is one: it would wait for them otherwise.
static snWorkers* sharersOf(Pool* pool) {
  pthread_mutex_lock(&pool->lock);
  int count = pool->nstarted < snMAXTHREAD ? pool->nstarted : snMAXTHREAD - 1;
  if (!pool->sharers && count > 1) pool->sharers = sn_workersCreatePatient(count);
  snWorkers* sharers = pool->sharers;
  pthread_mutex_unlock(&pool->lock);
  return sharers;
}

void snu_bindThreadPool(snData* d, void* thread_pool) {
  if (d->threadpool) {
    snu_error("Thread Pool already bound to snData");
    return;
  }
  d->threadpool = (uintptr_t)thread_pool;
  if (thread_pool) sn_setCrew(d, sharersOf((Pool*)thread_pool));
}

void snu_threadPoolEnqueue(snThreadPool* thread_pool, snTask* task) {
  Pool* pool = (Pool*)thread_pool;
  if (getStatus(task) != snTASK_NEW) {
    snu_error("Enqueue: task->status is not snTASK_NEW");
    return;
  }
  Entry* entry = pool && pool->nstarted ? (Entry*)snu_malloc(sizeof(Entry)) : NULL;
  setStatus(task, snTASK_QUEUED);
  if (!entry) {  // nobody else can run it
    if (task->func) task->func(task->args);
    setStatus(task, snTASK_COMPLETED);
    return;
  }
  entry->task = task;
  entry->next = NULL;
  pthread_mutex_lock(&pool->lock);
  if (pool->last) {
    pool->last->next = entry;
  } else {
    pool->first = entry;
  }
  pool->last = entry;
  pthread_cond_signal(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

void snu_threadPoolDestroy(snThreadPool* thread_pool) {
  Pool* pool = (Pool*)thread_pool;
  if (!pool) return;
  pthread_mutex_lock(&pool->lock);
  pool->stop = 1;
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < pool->nstarted; i++) pthread_join(pool->thread[i], NULL);
  sn_workersDelete(pool->sharers);
  pthread_cond_destroy(&pool->wake);
  pthread_mutex_destroy(&pool->lock);
  snu_free(pool);
}

void snu_defaultTask(snTask* task) { memset(task, 0, sizeof(*task)); }

void snu_taskJoin(snTask* task) {
  while (getStatus(task) != snTASK_COMPLETED) sched_yield();
}
