// Lanes as threads of a CPU, for tests.

#include "base/team.h"

#include <pthread.h>

enum { MAX_LANES = 32 };

typedef union Word_ {
  snReal real;
  int integer;
  void* pointer;
} Word;

typedef struct Team_ {
  pthread_barrier_t barrier;
  Word words[MAX_LANES];  // one of each lane
  void (*work)(void*);
  void* argument;
  int lanes;
} Team;

static _Thread_local int team_view = SN_VIEW_ALONE;
static _Thread_local Team* own_team;

int sn_teamView(void) { return team_view; }
void sn_setTeamView(int view) { team_view = view; }

void sn_teamSync(void) {
  if (SN_LANES > 1) pthread_barrier_wait(&own_team->barrier);
}

// every lane's word in all
static void exchange(Word own, Word* all) {
  int lanes = SN_LANES;
  all[0] = own;
  if (lanes == 1) return;
  own_team->words[SN_LANE] = own;
  sn_teamSync();
  for (int i = 0; i < lanes; i++) all[i] = own_team->words[i];
  sn_teamSync();
}

// in the order of a butterfly, as a GPU does it
snReal sn_teamSum(snReal x) {
  Word own = {.real = x}, all[MAX_LANES];
  exchange(own, all);
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
  exchange(own, all);
  for (int i = 0; i < SN_LANES; i++) x = all[i].integer > x ? all[i].integer : x;
  return x;
}

int sn_teamAny(int x) { return sn_teamSumInt(x != 0) != 0; }

int sn_teamScan(int x, int* total) {
  Word own = {.integer = x}, all[MAX_LANES];
  int before = 0;
  exchange(own, all);
  *total = 0;
  for (int i = 0; i < SN_LANES; i++) {
    if (i < SN_LANE) before += all[i].integer;
    *total += all[i].integer;
  }
  return before;
}

snReal sn_teamFrom(snReal x, int lane) {
  Word own = {.real = x}, all[MAX_LANES];
  exchange(own, all);
  return SN_LANES > 1 ? all[lane].real : x;
}

void sn_teamFrom4(snReal x, int lane, snReal res[4]) {
  Word own = {.real = x}, all[MAX_LANES];
  exchange(own, all);
  for (int k = 0; k < 4; k++) res[k] = all[lane + k].real;
}

int sn_teamFromInt(int x, int lane) {
  Word own = {.integer = x}, all[MAX_LANES];
  exchange(own, all);
  return SN_LANES > 1 ? all[lane].integer : x;
}

void* sn_teamFirst(void* x) {
  Word own = {.pointer = x}, all[MAX_LANES];
  exchange(own, all);
  return all[0].pointer;
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
  pthread_barrier_init(&team.barrier, NULL, (unsigned)lanes);
  for (int i = 0; i < lanes; i++) {
    numbered[i].team = &team;
    numbered[i].number = i;
    pthread_create(threads + i, NULL, runLane, numbered + i);
  }
  for (int i = 0; i < lanes; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&team.barrier);
}
