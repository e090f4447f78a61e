// Steps worlds with one lane and with a team of lanes, from the same states, and compares what comes
// out: the results of stages and the state. Integers must be equal; reals may differ as far as sums
// in another order do. A team takes whole steps as the kernel of a GPU does (gpu/world.h), phase by phase;
// then steps in two halves (sn_step1, sn_step2); then sn_forward, once; then a call of steps with care in
// which the world fails, goes back, and is reset.
//
//     team_step [--lanes N] [--steps N] [--split N] [--quick] [--only] MODEL.snb...
//
// --steps: whole steps (50), --split: steps in halves (0), --quick: poses as a GPU computes them in single
// precision, --only: just run the team (profiles).

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "gpu/world.h"
#include "sinew/sinew.h"

// relative; a solver that stops at its tolerance magnifies the last bits of its sums
static const double TOLERANCE = 1e-9;

typedef enum Mode_ { WHOLE, SPLIT, FORWARD, FAILING } Mode;
enum { FAILING_STEPS = 2, STATUS_ROWS = 4 };  // one fails, one starts again

typedef struct World_ {
  const snModel* m;
  snData* d;
  Mode mode;
  int status[STATUS_ROWS];
  snEvents events;
  snSavedWorlds saved;
} World;

// what a kernel does with a batch of this world
static void stepAsKernel(World* world, int nstep, int careful) {
  snWorlds worlds = {
      (uintptr_t)world->m, 0, (uintptr_t)world->d, 0, 0, 1, 1, SN_LANES, SN_LANES, 0};
  snStepCall call = {
      nstep,        careful,      0, 0, (uintptr_t)world->status, (uintptr_t)&world->events,
      world->saved, world->saved, -1};
  sn_stepWorld(&worlds, 0, &call);
  SN_SYNC();
}

static void stepWorld(void* argument) {
  World* world = (World*)argument;
  switch (world->mode) {
    case WHOLE: stepAsKernel(world, 1, 0); break;
    case SPLIT:
      sn_step1(world->m, world->d);
      sn_step2(world->m, world->d);
      break;
    case FORWARD: sn_forward(world->m, world->d); break;
    case FAILING: stepAsKernel(world, FAILING_STEPS, 1); break;
  }
}

// the same by one lane
static void stepAlone(World* world) {
  if (world->mode == WHOLE) {
    sn_step(world->m, world->d);
  } else {
    stepWorld(world);
  }
}

static void abortOnError(const char* message) {
  if (!strstr(message, "assertion")) return;
  fprintf(stderr, "%s\n", message);
  abort();
}

static double worst;
static const char* worst_field;

static void compareReals(const char* name, const snReal* a, const snReal* b, size_t n) {
  double scale = 1, error = 0;
  for (size_t i = 0; i < n; i++) {
    if (isnan((double)a[i]) && isnan((double)b[i])) continue;
    double difference = fabs((double)a[i] - (double)b[i]);
    scale = fmax(scale, fabs((double)a[i]));
    error = difference > error || isnan(difference) ? (isnan(difference) ? INFINITY : difference)
                                                    : error;
  }
  if (error / scale > worst) {
    worst = error / scale;
    worst_field = name;
  }
}

static void compareInts(const char* name, const void* a, const void* b, size_t bytes) {
  if (!bytes || !memcmp(a, b, bytes)) return;
  worst = INFINITY;
  worst_field = name;
}

static void compareContacts(const snData* a, const snData* b) {
  for (int i = 0; i < a->ncon; i++) {
    const snContact *c = a->contact + i, *e = b->contact + i;
    compareInts("contact.geom", c->geom, e->geom, sizeof(c->geom));
    compareInts("contact.efc_address", &c->efc_address, &e->efc_address, sizeof(int));
    compareReals("contact.dist", &c->dist, &e->dist, 1);
    compareReals("contact.pos", c->pos, e->pos, 3);
    compareReals("contact.frame", c->frame, e->frame, 9);
  }
}

// A team has the matrix of the integrator before it integrates. Where nothing but deformables moves, these have
// the same bits for any number of lanes.
static void compareField(const snModel* m, Mode mode, const char* name, const snReal* a,
                         const snReal* b, size_t n) {
  if (!m->nv && !strncmp(name, "deform", 6)) {
    compareInts(name, a, b, n * sizeof(snReal));
  } else if (mode != FORWARD || strncmp(name, "qH", 2)) {
    compareReals(name, a, b, n);
  }
}

#define COMPARE_real(name, n) compareField(m, mode, #name, a->name, b->name, n)
// rows of efc_J_colind need not fill it
#define COMPARE_int(name, n) \
  if (strcmp(#name, "efc_J_colind")) compareInts(#name, a->name, b->name, (n) * sizeof(int))
// what is drawn of the trees depends on who visits them
#define COMPARE_byte(name, n) \
  if (strcmp(#name, "bvh_active")) compareInts(#name, a->name, b->name, n)
#define COMPARE_ptr(name, n) (void)(n)
#define COMPARE_contact(name, n) (void)(n)

#define SN_M(size) m->size
#define SN_D(size) a->size

// what a step leaves, whatever the number of lanes
static void compareData(const snModel* m, const snData* a, const snData* b, Mode mode) {
#define X(name) compareInts(#name, &a->name, &b->name, sizeof(a->name));
  X(ncon)
  X(ndeformcon)
  X(ndeformpair)
  X(ne)
  X(nf)
  X(nl)
  X(nefc)
  X(nJ)
  X(nisland)
  X(status)
  X(ntree_awake)
  X(nbody_awake)
  X(nv_awake)
#undef X
  compareReals("time", &a->time, &b->time, 1);
  if (isinf(worst)) return;
#define X(type, name, rows, columns, stage, meaning) \
  COMPARE_##type(name, (size_t)m->rows*(size_t)(columns));
  SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows, columns, stage, meaning) \
  if (a->nefc) COMPARE_##type(name, (size_t)(rows) * (size_t)(columns));
  SN_DATA_ARENA_ROWS(X)
#undef X
  compareContacts(a, b);
  // where the last improvement is at the tolerance, rounding decides about another iteration
  int same = a->solver_niter[0] == b->solver_niter[0];
  compareReals("solver.gradient", &a->solver->gradient, &b->solver->gradient,
               same && a->solver_niter[0] > 0);
}

static void randomControls(const snModel* m, snData* d, unsigned* noise) {
  for (int i = 0; i < (int)m->nu; i++) {
    *noise = *noise * 1664525u + 1013904223u;
    d->ctrl[i] = (snReal)(*noise / 4294967296.0 - 0.5);
  }
}

static snModel* readModel(const char* path) {
  static char buffer[64 << 20];
  FILE* file = fopen(path, "rb");
  size_t bytes = file ? fread(buffer, 1, sizeof(buffer), file) : 0;
  if (file) fclose(file);
  return sn_loadModelBuffer(buffer, (int)bytes);
}

static World makeWorld(const snModel* m) {
  World world = {m, sn_makeData(m), WHOLE, {0}, {0, 0, 0}, {0, 0, 0}};
  world.saved.state_size = sn_stateSize(m, snSTATE_INTEGRATION);
  world.saved.states =
      (uintptr_t)malloc((size_t)world.saved.state_size * sizeof(snReal) + sizeof(snReal));
  world.saved.sleeps = (uintptr_t)malloc((size_t)m->ntree * sizeof(int) + sizeof(int));
  return world;
}

static void deleteWorld(World* world) {
  sn_deleteData(world->d);
  free((void*)(uintptr_t)world->saved.states);
  free((void*)(uintptr_t)world->saved.sleeps);
}

// one call in a mode by one lane and by a team, from the state of the first world
static void compareCall(World* alone, World* team, Mode mode, int lanes, int only) {
  const snModel* m = alone->m;
  alone->mode = team->mode = mode;
  if (mode == FAILING && m->nv) alone->d->qvel[m->nv - 1] = NAN;
  sn_copyData(team->d, m, alone->d);
  if (!only) stepAlone(alone);
  sn_teamRun(lanes, stepWorld, team);
  if (only) {
    sn_copyData(alone->d, m, team->d);
    return;
  }
  compareData(m, alone->d, team->d, mode);
  if (mode != FAILING) return;
  compareInts("status of steps", alone->status, team->status, sizeof(alone->status));
  if (m->nv && alone->status[2] != 1) compareInts("failures", "", "1", 1);
}

static int checkModel(const char* path, int lanes, int whole, int split, int only) {
  snModel* m = readModel(path);
  if (!m) {
    fprintf(stderr, "%s: cannot load\n", path);
    return 1;
  }
  World alone = makeWorld(m), team = makeWorld(m);
  unsigned noise = 1;
  int ncon = 0, nefc = 0, i = 0;
  worst = 0;
  worst_field = "none";
  for (; i < whole + split + 2 && !(worst > TOLERANCE); i++) {
    Mode mode = i < whole            ? WHOLE
                : i < whole + split  ? SPLIT
                : i == whole + split ? FORWARD
                                     : FAILING;
    randomControls(m, alone.d, &noise);
    compareCall(&alone, &team, mode, lanes, only);
    ncon = team.d->ncon > ncon ? team.d->ncon : ncon;
    nefc = team.d->nefc > nefc ? team.d->nefc : nefc;
  }
  int failed = worst > TOLERANCE;
  printf("%s %s: %d lanes, %d calls, nv %d, at most %d contacts and %d rows, worst %.1e in %s\n",
         failed ? "DIFFERS" : "same", path, lanes, i, (int)m->nv, ncon, nefc, worst, worst_field);
  deleteWorld(&alone);
  deleteWorld(&team);
  sn_deleteModel(m);
  return failed;
}

int main(int argc, char** argv) {
  int lanes = 4, steps = 50, split = 0, only = 0, failed = 0, models = 0;
  sn_setErrorHandler(abortOnError);
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--lanes") && i + 1 < argc) {
      lanes = atoi(argv[++i]);
    } else if (!strcmp(argv[i], "--steps") && i + 1 < argc) {
      steps = atoi(argv[++i]);
    } else if (!strcmp(argv[i], "--split") && i + 1 < argc) {
      split = atoi(argv[++i]);
    } else if (!strcmp(argv[i], "--quick")) {
      sn_team_quick_poses = 1;
    } else if (!strcmp(argv[i], "--only")) {
      only = 1;
    } else {
      failed |= checkModel(argv[i], lanes, steps, split, only);
      models++;
    }
  }
  return failed || !models;
}
