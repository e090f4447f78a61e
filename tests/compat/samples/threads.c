// One model, many data: tasks of a thread pool, each stepping its own world.
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>

enum { NWORLD = 8 };
typedef struct {
  const mjModel* m;
  mjData* d;
  int steps;
} World;

static void* simulate(void* argument) {
  World* world = (World*)argument;
  for (int i = 0; i < world->steps; i++) mj_step(world->m, world->d);
  return NULL;
}

int main(void) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .5'><freejoint/>"
      "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  mjThreadPool* pool = mju_threadPoolCreate(4);
  printf("workers %d\n", pool->nworker);
  // a copy works with the pool of what it was copied from
  mjData *bound = mj_makeData(m), *into = mj_makeData(m);
  mju_bindThreadPool(bound, pool);
  mjData* copy = mj_copyData(NULL, m, bound);
  mj_copyData(into, m, bound);
  printf("pools %d %d %d\n", bound->threadpool == (uintptr_t)pool,
         copy->threadpool == bound->threadpool, into->threadpool == bound->threadpool);
  mj_deleteData(copy);
  mj_deleteData(into);
  mj_deleteData(bound);
  World worlds[NWORLD];
  mjTask tasks[NWORLD];
  for (int i = 0; i < NWORLD; i++) {
    worlds[i].m = m;
    worlds[i].d = mj_makeData(m);
    worlds[i].steps = 200;
    worlds[i].d->qvel[0] = 0.1 * i;
    mju_defaultTask(&tasks[i]);
    tasks[i].func = simulate;
    tasks[i].args = &worlds[i];
    mju_threadPoolEnqueue(pool, &tasks[i]);
  }
  for (int i = 0; i < NWORLD; i++) mju_taskJoin(&tasks[i]);
  mju_threadPoolDestroy(pool);
  for (int i = 0; i < NWORLD; i++) {
    printf("%d %d %.7f %.7f\n", i, tasks[i].status == mjTASK_COMPLETED,
           mju_abs(worlds[i].d->qpos[0]), worlds[i].d->qpos[2]);
    mj_deleteData(worlds[i].d);
  }
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
