// Steps per second on a GPU, by the protocol of the field; or results of one step against the CPU.
//
//     bench_gpu [--single | --double] [--worlds N]... [--steps N] [--call N] [--noise X] MODEL...
//     bench_gpu --compare MODEL...
//     bench_gpu --images N [--single | --double] [--worlds N]... MODEL...
//
// Models are binary (sinew compile). All worlds start at keyframe 0, or at qpos0 where there is none, and
// take --steps steps (1000), in calls of --call steps (100). Controls are those of the start plus uniform
// noise of --noise (0.01) times half the range of each, fresh for every step and world; they lie on the
// device before the clock starts. The clock runs in calls alone. Contacts, rows and solver iterations are
// read after each call; the mean over calls and worlds is printed, and the largest. Calls in which the
// worlds moved to larger memory are repeated inside, so they are left out of the time. The checksum of the
// final states tells whether two engines did the same work.
//
// Options hold for the models after them. --compare: one step from states of a random rollout, in both
// precisions, as the worst difference relative to the largest velocity. --images: images of N x N pixels of all
// worlds per second, in memory of the device (0: steps again).

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "gpu/driver.h"
#include "gpu_images.h"
#include "model/binary.h"
#include "sinew/gpu.h"
#include "sinew/sinew.h"

enum { MAX_SIZES = 24, COMPARED_WORLDS = 500, MAX_CONTROL_BYTES = 1 << 30, MIN_ROWS = 64 };

typedef struct Options_ {
  int from, to;  // precisions: 0 double, 1 single
  int sizes[MAX_SIZES], size_count;
  int steps, call;
  double noise;
  int compare;
  int images;  // pixels of a side; 0: none
} Options;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void need(int sound, const char* what) {
  if (sound) return;
  fprintf(stderr, "bench_gpu: %s failed: %s\n", what, sn_lastError());
  exit(1);
}

static snModel* loadBinary(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "%s: cannot be opened\n", path);
    return NULL;
  }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char* bytes = (char*)malloc((size_t)size);
  char error[200] = "";
  snModel* m = fread(bytes, 1, (size_t)size, file) == (size_t)size
                   ? sn_readModel(bytes, (size_t)size, error, sizeof(error))
                   : NULL;
  if (!m) fprintf(stderr, "%s: %s\n", path, error);
  free(bytes);
  fclose(file);
  return m;
}

// ---- speed ----

// control k at the start, and half of its range (1 where it has none)
static double startControl(const snModel* m, int k) { return m->nkey ? m->key_ctrl[k] : 0; }
static double halfRange(const snModel* m, int k) {
  const snReal* range = m->actuator_ctrlrange + 2 * k;
  return m->actuator_ctrllimited[k] ? 0.5 * (range[1] - range[0]) : 1;
}

// Controls lie in a table of rows, one for each step; a call reads a window of it, another one in every
// call, so that the noise does not repeat itself with the calls.
typedef struct Controls_ {
  CUdeviceptr table;  // 0: the model has none
  int64_t row_bytes;
  int rows;
} Controls;

// rows of a table for calls of so many steps, within the memory set aside for it
static int tableRows(const snModel* m, int nworld, int single, int steps) {
  int64_t row = (int64_t)nworld * m->nu * (single ? 4 : 8);
  int64_t most = row ? MAX_CONTROL_BYTES / row : MIN_ROWS, rows = 2 * steps;
  if (rows < MIN_ROWS) rows = MIN_ROWS;
  return (int)(rows < most ? rows : most > 1 ? most : 1);
}

static Controls makeControls(const snModel* m, int rows, int nworld, int single, double noise) {
  size_t count = (size_t)rows * (size_t)nworld * (size_t)m->nu, size = single ? 4 : 8;
  Controls made = {0, (int64_t)nworld * m->nu * (int64_t)size, rows};
  if (!count) return made;
  char* controls = (char*)malloc(count * size);
  need(controls != NULL, "memory of the host");
  uint64_t random = 7;
  for (size_t i = 0; i < count; i++) {
    int k = (int)(i % (size_t)m->nu);
    double value = startControl(m, k) + noise * halfRange(m, k) * sn_uniform(&random);
    if (single) {
      ((float*)controls)[i] = (float)value;
    } else {
      ((double*)controls)[i] = value;
    }
  }
  const snDriver* driver = sn_driver(NULL, 0);
  need(!driver->allocate(&made.table, count * size), "memory of the device");
  need(!driver->upload(made.table, controls, count * size), "upload");
  free(controls);
  return made;
}

static CUdeviceptr controlsOfCall(const Controls* controls, int steps, int call) {
  int first = call * 37 % (controls->rows - steps + 1);
  return controls->table ? controls->table + (uint64_t)(controls->row_bytes * first) : 0;
}

enum { CONTACTS, ROWS, ITERATIONS, QUANTITIES };

typedef struct Statistics_ {
  double sum[QUANTITIES];
  int most[QUANTITIES];
  int samples;
  int64_t failures;
} Statistics;

static void sample(snGpuBatch* b, int nworld, int* counts, Statistics* s) {
  need(!sn_gpuBatchCounts(b, counts), "reading counts");
  for (int i = 0; i < nworld; i++) {
    for (int k = 0; k < QUANTITIES; k++) {
      int value = counts[4 * i + k];
      s->sum[k] += value;
      if (value > s->most[k]) s->most[k] = value;
    }
    s->failures += sn_gpuBatchFailures(b)[i];
  }
  s->samples += nworld;
}

// FNV-1a of the states of all worlds
static uint64_t checksum(const snModel* m, snGpuBatch* b, int nworld) {
  size_t count = (size_t)nworld * (size_t)sn_stateSize(m, snSTATE_INTEGRATION);
  snReal* states = (snReal*)malloc(count * sizeof(snReal));
  need(states && !sn_gpuBatchGetState(b, states, snSTATE_INTEGRATION), "reading states");
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count * sizeof(snReal); i++) {
    hash = (hash ^ ((const unsigned char*)states)[i]) * 0x100000001b3u;
  }
  free(states);
  return hash;
}

typedef struct Timing_ {
  double made, first;  // seconds: making the worlds, the first step
  double seconds;      // of the calls that count
  int steps, calls, per_call;
} Timing;

static void runProtocol(const snModel* m, snGpuBatch* b, int nworld, int single,
                        const Options* options, Timing* t, Statistics* s) {
  int wanted = options->call < options->steps ? options->call : options->steps;
  int rows = tableRows(m, nworld, single, wanted);
  Controls controls = makeControls(m, rows, nworld, single, options->noise);
  t->per_call = wanted < rows / 2 ? wanted : rows / 2 + rows % 2;
  int* counts = (int*)malloc(sizeof(int) * 4 * (size_t)nworld);
  need(counts && !sn_gpuBatchReset(b, NULL, m->nkey ? 0 : -1), "reset");
  int sampled = 0;
  for (int done = 0, call = 0; done < options->steps; call++) {
    int left = options->steps - done, steps = left < t->per_call ? left : t->per_call;
    CUdeviceptr window = controlsOfCall(&controls, t->per_call, call);
    int generation = sn_gpuBatchGeneration(b);
    double start = now();
    need(!sn_gpuBatchStepAt(b, steps, window), "stepping");
    double seconds = now() - start;
    done += steps;
    if (sn_gpuBatchGeneration(b) == generation) {
      t->seconds += seconds;
      t->steps += steps;
      t->calls++;
    }
    if (done - sampled < 50 && done < options->steps) continue;  // as often whatever the calls
    sample(b, nworld, counts, s);
    sampled = done;
  }
  free(counts);
  if (controls.table) sn_driver(NULL, 0)->release(controls.table);
}

static void printLine(const char* name, int nworld, int single, int64_t bytes, const Timing* t,
                      const Statistics* s, uint64_t hash) {
  static const char* const names[QUANTITIES] = {"contacts", "rows", "iterations"};
  double speed = t->seconds > 0 ? (double)nworld * t->steps / t->seconds : 0;
  printf("%-16s %s %6d worlds: %9.4f M steps/s, %4d steps in calls of %3d, %8.1f us a call |", name,
         single ? "single" : "double", nworld, 1e-6 * speed, t->steps, t->per_call,
         t->calls ? 1e6 * t->seconds / t->calls : 0);
  for (int k = 0; k < QUANTITIES; k++) {
    printf(" %s %.1f (at most %d)", names[k], s->sum[k] / s->samples, s->most[k]);
  }
  printf(" | make %.2f s, first step %.1f ms, %lld MB, %lld failures, states %016llx\n", t->made,
         1e3 * t->first, (long long)(bytes >> 20), (long long)s->failures,
         (unsigned long long)hash);
  fflush(stdout);
}

static void measure(const snModel* m, const char* name, int nworld, int single,
                    const Options* options) {
  char error[300] = "";
  Timing t = {0};
  Statistics s = {0};
  double start = now();
  snGpuBatch* b = sn_makeGpuBatch(m, nworld, single, error, sizeof(error));
  if (!b) {
    printf("%s, %d worlds: %s\n", name, nworld, error);
    return;
  }
  t.made = now() - start;
  start = now();
  need(!sn_gpuBatchStep(b, 1, NULL), "the first step");
  t.first = now() - start;
  runProtocol(m, b, nworld, single, options, &t, &s);
  printLine(name, nworld, single, sn_gpuBatchBytes(b), &t, &s, checksum(m, b, nworld));
  sn_deleteGpuBatch(b);
}

// ---- one step against the CPU ----

static double randomControl(const snModel* m, int k, uint64_t* random) {
  const snReal* range = m->actuator_ctrlrange + 2 * k;
  double u = sn_uniform(random);
  return m->actuator_ctrllimited[k] ? range[0] + (range[1] - range[0]) * 0.5 * (u + 1) : u;
}

// states along a random rollout on the host: world i is the i-th of them
static void makeStates(const snModel* m, double* states, int nworld, int size) {
  snData* d = sn_makeData(m);
  uint64_t random = 1;
  for (int i = 0; i < nworld; i++) {
    for (int step = 0; step < 3; step++) {
      for (int k = 0; k < m->nu; k++) d->ctrl[k] = randomControl(m, k, &random);
      sn_step(m, d);
    }
    if (i % 200 == 199) sn_resetData(m, d);
    sn_getState(m, d, states + (size_t)i * (size_t)size, snSTATE_INTEGRATION);
  }
  sn_deleteData(d);
}

// difference of times, positions and velocities, relative to the largest velocity
static double differenceOf(const snModel* m, const double* got, const double* expected) {
  int n = 1 + (int)m->nq + (int)m->nv;
  double scale = 1, error = 0;
  for (int k = 1 + (int)m->nq; k < n; k++) scale = fmax(scale, fabs(expected[k]));
  for (int k = 0; k < n; k++) error = fmax(error, fabs(got[k] - expected[k]) / scale);
  return error;
}

static void compare(const snModel* m, const char* name, int single) {
  char error[300] = "";
  int nworld = COMPARED_WORLDS, size = sn_stateSize(m, snSTATE_INTEGRATION);
  snGpuBatch* b = sn_makeGpuBatch(m, nworld, single, error, sizeof(error));
  if (!b) {
    printf("%s: %s\n", name, error);
    return;
  }
  double* states = (double*)malloc(sizeof(double) * (size_t)nworld * (size_t)size);
  double* after = (double*)malloc(sizeof(double) * (size_t)nworld * (size_t)size);
  double* expected = (double*)malloc(sizeof(double) * (size_t)size);
  int* counts = (int*)malloc(sizeof(int) * 4 * (size_t)nworld);
  makeStates(m, states, nworld, size);
  need(!sn_gpuBatchSetState(b, states, snSTATE_INTEGRATION) && !sn_gpuBatchStep(b, 1, NULL) &&
           !sn_gpuBatchGetState(b, after, snSTATE_INTEGRATION) && !sn_gpuBatchCounts(b, counts),
       "a step");
  snData* d = sn_makeData(m);
  double worst = 0;
  int exact = 0, mismatches = 0;
  for (int i = 0; i < nworld; i++) {
    sn_resetData(m, d);
    sn_setState(m, d, states + (size_t)i * (size_t)size, snSTATE_INTEGRATION);
    sn_step(m, d);
    sn_getState(m, d, expected, snSTATE_INTEGRATION);
    double difference = differenceOf(m, after + (size_t)i * (size_t)size, expected);
    worst = fmax(worst, difference);
    exact += difference == 0;
    mismatches += counts[4 * i] != d->ncon;
  }
  printf("%-20s %s: error %.2e, %d of %d exact, %d contact counts differ\n", name,
         single ? "single" : "double", worst, exact, nworld, mismatches);
  fflush(stdout);
  sn_deleteData(d);
  free(states);
  free(after);
  free(expected);
  free(counts);
  sn_deleteGpuBatch(b);
}

// ---- command line ----

static void runModel(const char* path, const Options* options) {
  snModel* m = loadBinary(path);
  if (!m) return;
  const char* slash = strrchr(path, '/');
  char name[100];
  snprintf(name, sizeof(name), "%s", slash ? slash + 1 : path);
  char* dot = strstr(name, ".snb");
  if (dot) *dot = 0;
  for (int single = options->from; single <= options->to; single++) {
    if (options->compare) compare(m, name, single);
    for (int k = 0; options->images > 0 && k < options->size_count; k++) {
      measureImages(m, name, options->sizes[k], single, options->images);
    }
    for (int k = 0; !options->compare && !options->images && k < options->size_count; k++) {
      measure(m, name, options->sizes[k], single, options);
    }
  }
  sn_deleteModel(m);
}

// Takes option i and its value; the number of words, 0: it is none. The first --worlds after a model
// begins a new list of sizes.
static int takeOption(Options* options, int argc, char** argv, int i, int* fresh) {
  const char* word = argv[i];
  if (!strcmp(word, "--single")) return options->from = options->to = 1, 1;
  if (!strcmp(word, "--double")) return options->from = options->to = 0, 1;
  if (!strcmp(word, "--compare")) return options->compare = 1, 1;
  if (word[0] != '-' || i + 1 == argc) return 0;
  const char* value = argv[i + 1];
  if (!strcmp(word, "--worlds")) {
    if (*fresh) options->size_count = 0;
    *fresh = 0;
    if (options->size_count < MAX_SIZES) options->sizes[options->size_count++] = atoi(value);
    return 2;
  }
  if (!strcmp(word, "--steps")) return options->steps = atoi(value), 2;
  if (!strcmp(word, "--call")) return options->call = atoi(value), 2;
  if (!strcmp(word, "--images")) return options->images = atoi(value), 2;
  if (!strcmp(word, "--noise")) return options->noise = atof(value), 2;
  return 0;
}

int main(int argc, char** argv) {
  char error[300] = "";
  const char* gpu = sn_gpuName(error, sizeof(error));
  printf("GPU: %s\n", gpu ? gpu : error);
  if (!gpu) return 0;
  Options options = {0, 1, {1024, 8192}, 2, 1000, 100, 0.01, 0, 0};
  int fresh = 1;
  for (int i = 1; i < argc;) {
    int words = takeOption(&options, argc, argv, i, &fresh);
    i += words;
    if (words) continue;
    if (options.steps < 1 || options.call < 1) options.steps = options.call = 1;
    runModel(argv[i++], &options);
    fresh = 1;
  }
  return 0;
}
