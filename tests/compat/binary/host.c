// Loads a library of plugins, steps a model that uses them, and prints what both engines must agree on.
//   host LIBRARY MODEL

#include <stdio.h>

#include <mujoco/mujoco.h>

static void show(const char* name, const mjtNum* x, int n) {
  printf("%s", name);
  for (int i = 0; i < n; i++) printf(" %.9g", x[i]);
  printf("\n");
}

static void warn(const char* message) { printf("warning: %s\n", message); }

static void showCalls(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nplugin; i++) {
    const int* calls = (const int*)d->plugin_data[i];
    printf("instance %d:", i);
    for (int k = 0; k < 5; k++) printf(" %d", calls[k]);
    printf(" state %d\n", m->plugin_statenum[i]);
  }
}

static void showData(const mjModel* m, const mjData* d) {
  show("qpos", d->qpos, m->nq);
  show("qvel", d->qvel, m->nv);
  show("act", d->act, m->na);
  show("state", d->plugin_state, m->npluginstate);
  show("sensor", d->sensordata, m->nsensordata);
  show("force", d->actuator_force, m->nu);
  show("passive", d->qfrc_passive, m->nv);
  show("efc_force", d->efc_force, d->nefc);
  printf("contacts %d rows %d\n", d->ncon, d->nefc);
  showCalls(m, d);
}

static void showScene(const mjModel* m, mjData* d) {
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  mjv_makeScene(m, &scene, 100);
  mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
  printf("geoms %d\n", scene.ngeom);
  mjv_freeScene(&scene);
}

int main(int argc, char** argv) {
  char error[1000] = "";
  mju_user_warning = warn;
  if (argc < 3) return 1;
  mj_loadPluginLibrary(argv[1]);
  mjModel* m = mj_loadXML(argv[2], NULL, error, sizeof(error));
  printf("load: %s\n", error);
  if (!m) return 0;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 200; i++) {
    for (int k = 0; k < m->nu; k++) d->ctrl[k] = 0.1 * (k + 1);
    mj_step(m, d);
    if (i % 50 == 0) showData(m, d);
  }
  showScene(m, d);
  mjData* twin = mj_copyData(NULL, m, d);
  mj_step(m, twin);
  showData(m, twin);
  mj_resetData(m, d);
  showData(m, d);
  mj_deleteData(twin);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
