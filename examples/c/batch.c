// A hundred balls thrown at different speeds, all at once: many worlds of one model.

#include <math.h>
#include <sinew/batch.h>
#include <sinew/sinew.h>
#include <stdio.h>

enum { WORLDS = 100 };

int main(int argc, char** argv) {
  char error[500] = "";
  snModel* m = argc == 2 ? sn_loadXML(argv[1], NULL, error, sizeof(error)) : NULL;
  snBatch* b = m ? sn_makeBatch(m, WORLDS, NULL, error, sizeof(error)) : NULL;
  if (!b) return fprintf(stderr, "batch: %s\n", error), 1;
  double start = sn_batchData(b, 0)->qpos[2];
  for (int i = 0; i < WORLDS; i++)
    sn_batchData(b, i)->qvel[2] = 0.1 * i;  // metres per second, upwards
  int steps = 100;
  sn_batchStep(b, steps);
  double h = m->opt.timestep, t = steps * h, worst = 0;
  for (int i = 0; i < WORLDS; i++) {
    double height = start + 0.1 * i * t - 0.5 * 9.81 * t * (t + h);
    worst = fmax(worst, fabs(sn_batchData(b, i)->qpos[2] - height));
  }
  printf("%d balls after %.2f s: at most %.1e m from the closed form\n", WORLDS, t, worst);
  sn_deleteBatch(b);
  sn_deleteModel(m);
  return worst > 1e-9;
}
