// A ball falls for a second: the smallest program against an installed Sinew.

#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>

int main(int argc, char** argv) {
  char error[500] = "";
  snModel* m = argc == 2 ? sn_loadXML(argv[1], NULL, error, sizeof(error)) : NULL;
  snData* d = m ? sn_makeData(m) : NULL;
  if (!d) return fprintf(stderr, "fall: %s\n", error), 1;
  double height = d->qpos[2];
  while (d->time < 1 - 1e-9) sn_step(m, d);
  double h = m->opt.timestep, fallen = 0.5 * 9.81 * d->time * (d->time + h);
  printf("fell %.6f m, expected %.6f m\n", height - d->qpos[2], fallen);
  int ok = fabs(height - d->qpos[2] - fallen) < 1e-9;
  sn_deleteData(d);
  sn_deleteModel(m);
  return !ok;
}
