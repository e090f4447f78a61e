// Keyframes, state vectors, copies and binary models.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><worldbody><body pos='0 0 1'><joint name='a' axis='0 1 0'/><geom size='.1' pos='.2 "
      "0 0'/>"
      "<body pos='.4 0 0'><joint type='ball'/><geom type='box' size='.1 .05 .02'/></body></body>"
      "<body mocap='true' name='target' pos='1 1 1'/></worldbody>"
      "<actuator><intvelocity joint='a' kp='3' actrange='-1 1'/></actuator>"
      "<keyframe><key name='home' qpos='.3 1 0 0 0'/><key name='moving' time='2' qvel='1 0 2 0' "
      "act='.4' ctrl='.1'"
      " mpos='0 0 2'/></keyframe></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, mj_name2id(m, mjOBJ_KEY, "moving"));
  printf("time %g act %g ctrl %g mocap %g\n", d->time, d->act[0], d->ctrl[0], d->mocap_pos[2]);
  for (int i = 0; i < 30; i++) mj_step(m, d);
  int size = mj_stateSize(m, mjSTATE_INTEGRATION);
  printf("sizes %d %d %d\n", mj_stateSize(m, mjSTATE_PHYSICS), mj_stateSize(m, mjSTATE_FULLPHYSICS),
         size);
  mjtNum* state = (mjtNum*)malloc(sizeof(mjtNum) * size);
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  for (int i = 0; i < 30; i++) mj_step(m, d);
  mjtNum first = d->qpos[0];
  mj_setState(m, d, state, mjSTATE_INTEGRATION);
  for (int i = 0; i < 30; i++) mj_step(m, d);
  printf("replay %d qpos %.8f %.8f %.8f\n", first == d->qpos[0], d->qpos[0], d->qpos[1],
         d->qpos[3]);
  mj_setKeyframe(m, d, 0);
  printf("key %.8f %.8f\n", m->key_time[0], m->key_qpos[1]);

  mjData* copy = mj_copyData(NULL, m, d);
  mj_step(m, d);
  mj_step(m, copy);
  printf("copy %d\n", d->qpos[0] == copy->qpos[0] && d->qvel[2] == copy->qvel[2]);
  int bytes = mj_sizeModel(m);
  void* buffer = malloc(bytes);
  mj_saveModel(m, NULL, buffer, bytes);
  mjModel* loaded = mj_loadModelBuffer(buffer, bytes);
  mj_step(loaded, copy);
  mj_step(m, d);
  printf("binary %d\n", d->qpos[0] == copy->qpos[0]);
  mj_resetDataKeyframe(m, d, 0);
  mj_normalizeQuat(m, d->qpos);
  mjtNum difference[4];
  mj_differentiatePos(m, difference, 1, m->qpos0, d->qpos);
  printf("difference %.7f %.7f %.7f %.7f\n", difference[0], difference[1], difference[2],
         difference[3]);
  free(buffer);
  free(state);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(loaded);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
