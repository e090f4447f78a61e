// A ball falls for a second: a C++ program in MuJoCo's interface, which knows nothing of Sinew.

#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
  char error[500] = "";
  mjModel* m = argc == 2 ? mj_loadXML(argv[1], nullptr, error, sizeof(error)) : nullptr;
  mjData* d = m ? mj_makeData(m) : nullptr;
  if (!d) return std::fprintf(stderr, "fall: %s\n", error), 1;
  const double height = d->qpos[2];
  while (d->time < 1 - 1e-9) mj_step(m, d);
  const double h = m->opt.timestep, expected = 0.5 * 9.81 * d->time * (d->time + h);
  std::printf("fell %.6f m, expected %.6f m\n", height - d->qpos[2], expected);
  const bool ok = std::fabs(height - d->qpos[2] - expected) < 1e-9;
  mj_deleteData(d);
  mj_deleteModel(m);
  return ok ? 0 : 1;
}
