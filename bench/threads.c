// One world stepped by several threads (sn_setThreads) against one thread.
//
//     bench_threads [--threads N] [--steps N] [--turns N] MODEL...
//
// In every turn the world starts anew for one thread and for several, takes fifty steps, then --steps steps (300) by the
// wall's clock; the state must have the same bits. A line has the medians over the turns (9), and the least and the largest
// ratio. Threads write what others read, so a ratio depends on how far apart the processors are: "trip" is the time that
// a number takes from one thread to another and back, the least and the largest of all turns. It is some 50 ns where
// processors share a cache and 350 where they do not; a virtual machine may be moved from one to the other.

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sinew/sinew.h"

enum { MOST_TURNS = 99, FIRST_STEPS = 50, TRIPS = 20000 };

typedef struct Options_ {
  int threads, steps, turns;
} Options;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- distance of processors ----------------------------------------------------------------------

static void* answer(void* context) {
  atomic_int* ball = (atomic_int*)context;
  for (int i = 0; i < TRIPS; i++) {
    while (atomic_load(ball) != 1) continue;
    atomic_store(ball, 0);
  }
  return NULL;
}

// nanoseconds from one thread to another and back; NAN when there is no other
static double trip(void) {
  atomic_int ball = 0;
  pthread_t other;
  if (pthread_create(&other, NULL, answer, &ball)) return NAN;
  double start = now();
  for (int i = 0; i < TRIPS; i++) {
    while (atomic_load(&ball) != 0) continue;
    atomic_store(&ball, 1);
  }
  pthread_join(other, NULL);
  return (now() - start) / TRIPS * 1e9;
}

// ---- turns -----------------------------------------------------------------------------------------

// seconds of a step
static double measure(const snModel* m, snData* d, int threads, int steps) {
  sn_resetData(m, d);
  sn_setThreads(d, threads);
  for (int i = 0; i < FIRST_STEPS; i++) sn_step(m, d);
  double start = now();
  for (int i = 0; i < steps; i++) sn_step(m, d);
  return (now() - start) / steps;
}

static int ascending(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* x, int n) {
  qsort(x, (size_t)n, sizeof(double), ascending);
  return x[n / 2];
}

// returns whether several threads had the bits of one
static int compare(const char* name, const snModel* m, snData* d, const Options* options,
                   snReal* state) {
  double one[MOST_TURNS], several[MOST_TURNS], ratio[MOST_TURNS], trips[MOST_TURNS];
  int n = options->turns, same = 1;
  for (int i = 0; i < n; i++) {
    one[i] = measure(m, d, 1, options->steps);
    memcpy(state, d->qpos, (size_t)m->nq * sizeof(snReal));
    trips[i] = trip();
    several[i] = measure(m, d, options->threads, options->steps);
    same &= !memcmp(state, d->qpos, (size_t)m->nq * sizeof(snReal));
    ratio[i] = one[i] / several[i];
  }
  double middle = median(ratio, n);
  median(trips, n);
  printf("%-24s %5d %9.1f %9.1f %7.2f %6.2f %6.2f %8.0f %5.0f\n", name, (int)m->nv,
         1e6 * median(one, n), 1e6 * median(several, n), middle, ratio[0], ratio[n - 1], trips[0],
         trips[n - 1]);
  if (!same) fprintf(stderr, "%s: several threads end in another state than one\n", name);
  return same;
}

static int run(const char* path, const Options* options) {
  char error[500] = "";
  snModel* m = sn_loadXML(path, NULL, error, sizeof(error));
  snData* d = m ? sn_makeData(m) : NULL;
  snReal* state = m ? (snReal*)malloc(((size_t)m->nq + 1) * sizeof(snReal)) : NULL;
  const char* name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  int sound = d && state && compare(name, m, d, options, state);
  if (!m) fprintf(stderr, "%s: %s\n", path, error);
  free(state);
  sn_deleteData(d);
  sn_deleteModel(m);
  return sound;
}

static int atLeast(int least, int value) { return value > least ? value : least; }

int main(int count, char** word) {
  Options options = {2, 300, 9};
  int sound = 1;
  printf("%-24s %5s %9s %9s %7s %6s %6s %8s %5s\n", "one world", "dofs", "us, one", "several",
         "ratio", "least", "most", "trip, ns", "most");
  for (int i = 1; i < count; i++) {
    int value = i + 1 < count ? atoi(word[i + 1]) : 0;
    if (!strcmp(word[i], "--threads")) {
      options.threads = value;
    } else if (!strcmp(word[i], "--steps")) {
      options.steps = atLeast(1, value);
    } else if (!strcmp(word[i], "--turns")) {
      options.turns = value > MOST_TURNS ? MOST_TURNS : atLeast(1, value);
    } else {
      sound &= run(word[i], &options);
      continue;
    }
    i++;
  }
  return !sound;
}
