// sinew bench: steps per second of one world, and where the time goes.

#include <stdio.h>

#include "command.h"

int commandBench(int argc, char** argv) {
  Option options[] = {{"steps", NULL}};
  const char* path;
  if (parseArguments(argc, argv, options, 1, &path, 1) != 1) return EXIT_USAGE;
  double steps = optionNumber(options, 10000);
  if (steps < 1) return EXIT_USAGE;
  snModel* m = loadModel(path);
  snData* d = m ? sn_makeData(m) : NULL;
  if (!d) {
    sn_deleteModel(m);
    return EXIT_ERROR;
  }
  for (int i = 0; i < 100; i++) sn_step(m, d);
  double contacts = 0, rows = 0, start = secondsNow();
  for (long i = 0; i < (long)steps; i++) {
    sn_step(m, d);
    contacts += d->ncon;
    rows += d->nefc;
  }
  double seconds = secondsNow() - start;
  printf("%.0f steps/s, %.3f us/step, %.1f contacts, %.1f rows, %.2f MB per world\n",
         steps / seconds, 1e6 * seconds / steps, contacts / steps, rows / steps,
         1e-6 * (double)(sizeof(snData) + (size_t)d->nbuffer + (size_t)d->narena));
  sn_deleteData(d);
  sn_deleteModel(m);
  return EXIT_OK;
}
