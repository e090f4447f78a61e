// Lanes on a CPU, for tests: threads, or fibers of one thread (SN_TEAM_FIBERS).
//
// Threads show the thread sanitizer what has two owners. Fibers take turns: a lane runs until it has to
// wait for the others, then the next one does. That is a hundred times as fast as a barrier of threads,
// and always happens in the same order; so every other round goes from the last lane to the first, which
// lets a consumer run before its producer where an SN_SYNC is missing. All lanes must come to the same
// operation: a lane that has left the others is an error.

#define _GNU_SOURCE
#include "base/team.h"

enum { MAX_LANES = 32 };

typedef union Word_ {
  snReal real;
  int integer;
  void* pointer;
} Word;

// what the lanes wait for
typedef enum Operation_ { SYNC, SUM, MAX, SCAN, FROM, FROM_INT, FIRST, DONE } Operation;

typedef struct Team_ {
  Word words[MAX_LANES];  // one of each lane
  void (*work)(void*);
  void* argument;
  int lanes;
} Team;

static void meet(Operation operation);

int sn_team_quick_poses;

#ifdef SN_TEAM_FIBERS

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK_BYTES = 1 << 20 };

static int views[MAX_LANES] = {SN_VIEW_ALONE};
static Operation waits_for[MAX_LANES];
static int started[MAX_LANES];
static ucontext_t starts[MAX_LANES], outside;
static jmp_buf places[MAX_LANES];  // where started lanes wait
static char* stacks[MAX_LANES];
static Team* own_team;
static int running, backwards, met;

int sn_teamView(void) { return views[running]; }
void sn_setTeamView(int view) { views[running] = view; }

static void checkTogether(void) {
  for (int i = 1; i < own_team->lanes; i++) {
    if (waits_for[i] == waits_for[0]) continue;
    fprintf(stderr, "lane 0 waits in operation %d, lane %d in operation %d\n", waits_for[0], i,
            waits_for[i]);
    abort();
  }
}

// the lane to go on with, once the running one has come to its operation
static int nextLane(Operation operation) {
  int lanes = own_team->lanes;
  waits_for[running] = operation;
  if (++met == lanes) {
    checkTogether();
    met = 0;
    backwards = !backwards;
    return backwards ? lanes - 1 : 0;
  }
  return backwards ? running - 1 : running + 1;
}

// a jump, without the system calls of swapcontext once the lane has started
static void goTo(int lane) {
  running = lane;
  if (started[lane]) _longjmp(places[lane], 1);
  started[lane] = 1;
  setcontext(starts + lane);
}

static void meet(Operation operation) {
  int from = running, next = nextLane(operation);
  if (!_setjmp(places[from])) goTo(next);
}

static void runLane(void) {
  own_team->work(own_team->argument);
  int next = nextLane(DONE);
  if (met) goTo(next);
}

void sn_teamRun(int lanes, void (*work)(void*), void* argument) {
  Team team = {.work = work, .argument = argument, .lanes = lanes};
  own_team = &team;
  met = backwards = running = 0;
  for (int i = 0; i < lanes; i++) {
    if (!stacks[i]) stacks[i] = (char*)malloc(STACK_BYTES);
    views[i] = lanes << 8 | i;
    started[i] = !i;
    getcontext(starts + i);
    starts[i].uc_stack.ss_sp = stacks[i];
    starts[i].uc_stack.ss_size = STACK_BYTES;
    starts[i].uc_link = &outside;
    makecontext(starts + i, runLane, 0);
  }
  swapcontext(&outside, starts);
  running = 0;
  views[0] = SN_VIEW_ALONE;
}

#else

#include <pthread.h>

static _Thread_local int team_view = SN_VIEW_ALONE;
static _Thread_local Team* own_team;
static pthread_barrier_t barrier;

int sn_teamView(void) { return team_view; }
void sn_setTeamView(int view) { team_view = view; }

static void meet(Operation operation) {
  (void)operation;
  pthread_barrier_wait(&barrier);
}

typedef struct Lane_ {
  Team* team;
  int number;
} Lane;

static void* runLane(void* argument) {
  const Lane* lane = (const Lane*)argument;
  own_team = lane->team;
  team_view = lane->team->lanes << 8 | lane->number;
  lane->team->work(lane->team->argument);
  return NULL;
}

void sn_teamRun(int lanes, void (*work)(void*), void* argument) {
  pthread_t threads[MAX_LANES];
  Lane numbered[MAX_LANES];
  Team team = {.work = work, .argument = argument, .lanes = lanes};
  pthread_barrier_init(&barrier, NULL, (unsigned)lanes);
  for (int i = 0; i < lanes; i++) {
    numbered[i].team = &team;
    numbered[i].number = i;
    pthread_create(threads + i, NULL, runLane, numbered + i);
  }
  for (int i = 0; i < lanes; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
}

#endif

// ---- what lanes tell one another ----

void sn_teamSync(void) {
  if (SN_LANES > 1) meet(SYNC);
}

// every lane's word in all
static void exchange(Operation operation, Word own, Word* all) {
  int lanes = SN_LANES;
  all[0] = own;
  if (lanes == 1) return;
  own_team->words[SN_LANE] = own;
  meet(operation);
  for (int i = 0; i < lanes; i++) all[i] = own_team->words[i];
  meet(operation);
}

// in the order of a butterfly, as a GPU does it
snReal sn_teamSum(snReal x) {
  Word own = {.real = x}, all[MAX_LANES];
  exchange(SUM, own, all);
  for (int k = SN_LANES >> 1; k; k >>= 1) {
    for (int i = 0; i < k; i++) all[i].real += all[i + k].real;
  }
  return all[0].real;
}

void sn_teamSum3(snReal* x, snReal* y, snReal* z) {
  *x = sn_teamSum(*x);
  *y = sn_teamSum(*y);
  *z = sn_teamSum(*z);
}

int sn_teamSumInt(int x) {
  int total;
  sn_teamScan(x, &total);
  return total;
}

int sn_teamMaxInt(int x) {
  Word own = {.integer = x}, all[MAX_LANES];
  exchange(MAX, own, all);
  for (int i = 0; i < SN_LANES; i++) x = all[i].integer > x ? all[i].integer : x;
  return x;
}

int sn_teamAny(int x) { return sn_teamSumInt(x != 0) != 0; }

int sn_teamScan(int x, int* total) {
  Word own = {.integer = x}, all[MAX_LANES];
  int before = 0;
  exchange(SCAN, own, all);
  *total = 0;
  for (int i = 0; i < SN_LANES; i++) {
    if (i < SN_LANE) before += all[i].integer;
    *total += all[i].integer;
  }
  return before;
}

snReal sn_teamFrom(snReal x, int lane) {
  Word own = {.real = x}, all[MAX_LANES];
  exchange(FROM, own, all);
  return SN_LANES > 1 ? all[lane].real : x;
}

int sn_teamFromInt(int x, int lane) {
  Word own = {.integer = x}, all[MAX_LANES];
  exchange(FROM_INT, own, all);
  return SN_LANES > 1 ? all[lane].integer : x;
}

void* sn_teamFirst(void* x) {
  Word own = {.pointer = x}, all[MAX_LANES];
  exchange(FIRST, own, all);
  return all[0].pointer;
}
