// Every global callback: control, passive forces, user actuators and sensors, contact filter, clock.
#include <mujoco/mujoco.h>
#include <stdio.h>

static const char* kModel =
    "<mujoco><option timestep='.01'/><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
    "<body name='a' pos='0 0 .3'><freejoint/><geom name='a' size='.1'/></body>"
    "<body name='b' pos='1 0 .3'><freejoint/><geom name='b' size='.1'/></body>"
    "<body pos='0 1 1'><joint name='j' axis='1 0 0'/><geom size='.1' pos='0 .3 0' contype='0' "
    "conaffinity='0'/></body>"
    "</worldbody><actuator><general joint='j' dyntype='user' gaintype='user' biastype='user' "
    "actdim='1'/></actuator>"
    "<sensor><user name='u' dim='2' needstage='vel' datatype='real'/></sensor></mujoco>";

static int ncontrol, npassive, nfilter, nsensor;

static void control(const mjModel* m, mjData* d) {
  ncontrol++;
  d->ctrl[0] = m->nu * 0.5;
}
static void passive(const mjModel* m, mjData* d) {
  npassive++;
  for (int i = 0; i < m->nv; i++) d->qfrc_passive[i] -= 0.2 * d->qvel[i];
}
static int filter(const mjModel* m, mjData* d, int geom1, int geom2) {
  (void)d;
  nfilter++;
  int b = mj_name2id(m, mjOBJ_GEOM, "b");
  return geom1 == b || geom2 == b;
}
static void sensor(const mjModel* m, mjData* d, int stage) {
  if (stage != mjSTAGE_VEL) return;
  nsensor++;
  d->sensordata[m->sensor_adr[0]] = d->qvel[2];
  d->sensordata[m->sensor_adr[0] + 1] = 7;
}
static mjtNum clockTime(void) { return 42; }
static mjtNum dynamics(const mjModel* m, const mjData* d, int id) {
  return d->ctrl[id] - 2 * d->act[m->actuator_actadr[id]];
}
static mjtNum gain(const mjModel* m, const mjData* d, int id) {
  (void)m;
  return 1 + d->actuator_length[id];
}
static mjtNum bias(const mjModel* m, const mjData* d, int id) {
  (void)m;
  return -0.1 * d->actuator_velocity[id];
}

int main(void) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(kModel, NULL, error, sizeof(error));
  if (!spec) {
    printf("%s\n", error);
    return 1;
  }
  mjModel* m = mj_compile(spec, NULL);
  if (!m) {
    printf("%s\n", mjs_getError(spec));
    return 1;
  }
  mjData* d = mj_makeData(m);
  mjcb_control = control;
  mjcb_passive = passive;
  mjcb_contactfilter = filter;
  mjcb_sensor = sensor;
  mjcb_time = clockTime;
  mjcb_act_dyn = dynamics;
  mjcb_act_gain = gain;
  mjcb_act_bias = bias;
  for (int i = 0; i < 100; i++) mj_step(m, d);
  printf("calls %d %d %d %d\n", ncontrol, npassive, nfilter > 0, nsensor);
  printf("a %.7f b %.7f j %.7f act %.7f\n", d->qpos[2], d->qpos[9], d->qpos[14], d->act[0]);
  printf("sensor %.7f %.7f\n", d->sensordata[0], d->sensordata[1]);
  mj_resetCallbacks();
  mj_resetData(m, d);
  for (int i = 0; i < 100; i++) mj_step(m, d);
  printf("without: calls %d b %.7f\n", ncontrol, d->qpos[9]);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
