// sinew run: simulate, show progress, write the trajectory, film it.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "base/replace.h"
#include "command.h"
#include "film.h"

// controls uniform in their range, or in [-1, 1] where there is none
static void randomControls(const snModel* m, snData* d, uint64_t* state) {
  for (int i = 0; i < m->nu; i++) {
    double low = -1, high = 1;
    if (m->actuator_ctrllimited[i]) {
      low = (double)m->actuator_ctrlrange[2 * i];
      high = (double)m->actuator_ctrlrange[2 * i + 1];
    }
    d->ctrl[i] = (snReal)(low + (high - low) * 0.5 * (1 + sn_uniform(state)));
  }
}

static void showProgress(long step, long steps) {
  static int shown = -1;
  int percent = (int)(100 * step / steps);
  if (percent == shown || !isatty(STDERR_FILENO)) return;
  shown = percent;
  fprintf(stderr, "\r[%-50.*s] %3d %%", percent / 2,
          "##################################################", percent);
  if (step == steps) fputc('\n', stderr);
}

static void writeHeader(FILE* file, const snModel* m) {
  fprintf(file, "time");
  for (int i = 0; i < m->nq; i++) fprintf(file, ",qpos_%d", i);
  for (int i = 0; i < m->nv; i++) fprintf(file, ",qvel_%d", i);
  fputc('\n', file);
}

static void writeRow(FILE* file, const snModel* m, const snData* d) {
  fprintf(file, "%.17g", (double)d->time);
  for (int i = 0; i < m->nq; i++) fprintf(file, ",%.17g", (double)d->qpos[i]);
  for (int i = 0; i < m->nv; i++) fprintf(file, ",%.17g", (double)d->qvel[i]);
  fputc('\n', file);
}

static void printSummary(const snModel* m, const snData* d, long steps, double seconds) {
  printf("%ld steps to t = %.4g s in %.3f s: %.0f steps/s, %.1f times real time\n", steps,
         (double)d->time, seconds, (double)steps / seconds,
         (double)m->opt.timestep * (double)steps / seconds);
  printf("contacts %d, constraint rows %d, solver iterations %d\n", d->ncon, d->nefc,
         d->solver_niter[0]);
  for (int i = 0; i < snNWARNING; i++) {
    if (d->warning[i].number) {
      printf("warning: %s (%d times)\n", snu_warningText(i, (size_t)d->warning[i].lastinfo),
             d->warning[i].number);
    }
  }
}

static void simulate(const snModel* m, snData* d, long steps, const Option* seed, FILE* out,
                     Film* film) {
  uint64_t random = (uint64_t)optionNumber(seed, 0);
  double start = secondsNow();
  if (out) writeHeader(out, m);
  for (long step = 0; step < steps; step++) {
    if (seed->value) randomControls(m, d, &random);
    sn_step(m, d);
    if (out) writeRow(out, m, d);
    if (film) filmFrame(film, m, d);
    showProgress(step + 1, steps);
  }
  printSummary(m, d, steps, secondsNow() - start);
}

// The table of a run, written beside the last one until it is whole.
typedef struct Table_ {
  snDraft draft;
  FILE* file;  // NULL: none is wanted
} Table;

static int openTable(Table* table, const char* path) {
  table->file = NULL;
  if (!path) return 1;
  if (sn_startDraft(&table->draft, path) && (table->file = fopen(table->draft.path, "w"))) return 1;
  fprintf(stderr, "sinew: %s: %s\n", path, strerror(errno));
  return 0;
}

static int closeTable(Table* table, int whole, const char* path) {
  if (!table->file) return 1;
  int ok = !ferror(table->file);
  ok = !fclose(table->file) && ok;
  if (ok && whole)
    ok = sn_keepDraft(&table->draft);
  else
    sn_dropDraft(&table->draft);
  if (!ok) fprintf(stderr, "sinew: %s: could not be written\n", path);
  return ok;
}

enum { STEPS, TIME, KEYFRAME, SEED, OUT, RECORD, CAMERA, SIZE, OPTION_COUNT };

static int runModel(const snModel* m, const Option* options) {
  int key = -1;
  if (options[KEYFRAME].value) {
    key = sn_name2id(m, snOBJ_KEY, options[KEYFRAME].value);
    if (key < 0) {
      fprintf(stderr, "sinew: the model has no keyframe '%s'\n", options[KEYFRAME].value);
      return EXIT_ERROR;
    }
  }
  double time = optionNumber(options + TIME, 1);
  double steps = optionNumber(options + STEPS, ceil(time / (double)m->opt.timestep - 1e-9));
  Table table;
  Film* film = NULL;
  if (!openTable(&table, options[OUT].value)) return EXIT_ERROR;
  if (options[RECORD].value &&
      !(film = filmOpen(options[RECORD].value, m, options[CAMERA].value, options[SIZE].value))) {
    closeTable(&table, 0, options[OUT].value);
    return EXIT_ERROR;
  }
  snData* d = sn_makeData(m);
  if (d) {
    if (key >= 0) sn_resetDataKeyframe(m, d, key);
    simulate(m, d, (long)steps, options + SEED, table.file, film);
    int filmed = !film || filmClose(film, m, d);
    sn_deleteData(d);
    if (!filmed) d = NULL;
  } else {
    fprintf(stderr, "sinew: out of memory\n");
  }
  if (!closeTable(&table, d != NULL, options[OUT].value)) d = NULL;
  return d ? EXIT_OK : EXIT_ERROR;
}

int commandRun(int argc, char** argv) {
  Option options[OPTION_COUNT] = {{"steps", NULL},  {"time", NULL}, {"keyframe", NULL},
                                  {"seed", NULL},   {"out", NULL},  {"record", NULL},
                                  {"camera", NULL}, {"size", NULL}};
  const char* path;
  if (parseArguments(argc, argv, options, OPTION_COUNT, &path, 1) != 1) return EXIT_USAGE;
  if (options[STEPS].value && options[TIME].value) return EXIT_USAGE;
  for (int i = STEPS; i <= SEED; i++) {
    if (i != KEYFRAME && optionNumber(options + i, 0) < 0) return EXIT_USAGE;
  }
  snModel* m = loadModel(path);
  if (!m) return EXIT_ERROR;
  int code = runModel(m, options);
  sn_deleteModel(m);
  return code;
}
