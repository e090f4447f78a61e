// sinew info: what a model is made of.

#include <stdio.h>

#include "command.h"

// ---- warnings: of loading, and of the dynamics at the initial state

enum { MAX_WARNINGS = 20 };
static char warnings[MAX_WARNINGS][200];
static int warning_count;

static void keepWarning(const char* text) {
  if (warning_count < MAX_WARNINGS) {
    snprintf(warnings[warning_count], sizeof(warnings[0]), "%s", text);
  }
  warning_count++;
}

static void tryForward(const snModel* m) {
  snData* d = sn_makeData(m);
  if (!d) {
    keepWarning("no memory for the data of this model");
    return;
  }
  sn_forward(m, d);
  for (int i = 0; i < snNWARNING; i++) {
    if (d->warning[i].number) keepWarning(snu_warningText(i, (size_t)d->warning[i].lastinfo));
  }
  sn_deleteData(d);
}

static void printWarnings(void) {
  printf("warnings%s\n", warning_count ? "" : ": none");
  for (int i = 0; i < warning_count && i < MAX_WARNINGS; i++) printf("  %s\n", warnings[i]);
  if (warning_count > MAX_WARNINGS) printf("  and %d more\n", warning_count - MAX_WARNINGS);
}

// ---- sizes and bodies

static void printSizes(const snModel* m) {
  int column = 0;
#define X(name, rule, meaning)                                                        \
  if (m->name > 0) {                                                                  \
    printf("  %-14s %-12lld%s", #name, (long long)m->name, ++column % 3 ? "" : "\n"); \
  }
  SN_MODEL_SIZES(X)
#undef X
  if (column % 3) fputc('\n', stdout);
}

static int bodyDepth(const snModel* m, int body) {
  int depth = 0;
  while (body) {
    body = m->body_parentid[body];
    depth++;
  }
  return depth;
}

static void printTree(const snModel* m) {
  static const char* const TYPES[] = {"free", "ball", "slide", "hinge"};
  for (int i = 0; i < m->nbody; i++) {
    const char* name = sn_id2name(m, snOBJ_BODY, i);
    printf("  %*s%s (%.4g kg", 2 * bodyDepth(m, i), "", name && *name ? name : "-",
           (double)m->body_mass[i]);
    for (int j = 0; j < m->body_jntnum[i]; j++) {
      printf(", %s", TYPES[m->jnt_type[m->body_jntadr[i] + j]]);
    }
    if (m->body_geomnum[i]) printf(", %d geoms", m->body_geomnum[i]);
    printf(")\n");
  }
}

int commandInfo(int argc, char** argv) {
  const char* path;
  if (parseArguments(argc, argv, NULL, 0, &path, 1) != 1) return EXIT_USAGE;
  sn_setWarningHandler(keepWarning);
  snModel* m = loadModel(path);
  if (!m) return EXIT_ERROR;
  tryForward(m);
  sn_setWarningHandler(NULL);
  printf("model %s: total mass %.6g kg, timestep %g s\nsizes\n", m->names,
         (double)sn_getTotalmass(m), (double)m->opt.timestep);
  printSizes(m);
  printf("bodies\n");
  printTree(m);
  printWarnings();
  sn_deleteModel(m);
  return EXIT_OK;
}
