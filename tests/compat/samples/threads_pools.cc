// Thread pools: how many workers they say that they have, states of tasks, tasks and data that are taken twice.
#include <atomic>

#include "sample.h"

static std::atomic<int> runs;

int main() {
  catchMessages();
  for (int count : {-1, 0, 1, 3, 128, 200}) {
    mjThreadPool* pool = mju_threadPoolCreate(count);
    show("workers", pool->nworker);
    mju_threadPoolDestroy(pool);
  }
  mjThreadPool* pool = mju_threadPoolCreate(2);
  std::vector<mjTask> tasks(50);
  for (mjTask& task : tasks) {
    mju_defaultTask(&task);
    task.func = [](void* add) -> void* {
      runs += *static_cast<int*>(add);
      return nullptr;
    };
    static int two = 2;
    task.args = &two;
    show("status", task.status);
    mju_threadPoolEnqueue(pool, &task);
  }
  for (mjTask& task : tasks) {
    mju_taskJoin(&task);
    show("status", task.status);
  }
  show("runs", runs.load());
  expectError("again", [&] { mju_threadPoolEnqueue(pool, tasks.data()); });
  mju_defaultTask(tasks.data());
  show("status", tasks[0].status);
  show("runs", runs.load());
  Model m =
      load("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  Data d(mj_makeData(m.get()));
  mju_bindThreadPool(d.get(), pool);
  expectError("bound twice", [&] { mju_bindThreadPool(d.get(), pool); });
  mj_step(m.get(), d.get());
  mj_resetData(m.get(), d.get());
  show("still bound", d->threadpool != 0);
  d.reset();
  mju_threadPoolDestroy(pool);
}
