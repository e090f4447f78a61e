// Inverse dynamics: forward, inverse, compare; Jacobians and inertia.
#include <mujoco/mujoco.h>
#include <stdio.h>

int main(void) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><option><flag fwdinv='enable'/></option><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 .5'><joint axis='0 1 0' damping='.2' armature='.01'/><geom type='capsule' "
      "size='.04' fromto='0 0 0 .3 0 0'/>"
      "<body name='hand' pos='.3 0 0'><joint axis='0 1 0' stiffness='2' frictionloss='.01'/>"
      "<joint axis='0 0 1' pos='0 0 0' limited='true' range='-20 20'/>"
      "<geom type='box' size='.1 .05 .02' pos='.1 0 0'/></body></body></worldbody></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  d->qpos[0] = 0.4;
  d->qpos[2] = 0.5;
  d->qvel[1] = -0.7;
  d->qfrc_applied[0] = 0.3;
  d->xfrc_applied[6 * 2 + 2] = 1;
  mj_forward(m, d);
  mj_compareFwdInv(m, d);
  printf("small %d %d\n", d->solver_fwdinv[0] < 1e-5, d->solver_fwdinv[1] < 1e-5);
  mj_inverse(m, d);
  printf("force %.6f %.6f %.6f\n", d->qfrc_inverse[0], d->qfrc_inverse[1], d->qfrc_inverse[2]);
  mjtNum M[9];
  mj_fullM(m, M, d->qM);
  printf("M %.7f %.7f %.7f %.7f\n", M[0], M[1], M[4], M[8]);
  mjtNum jacp[9], jacr[9], point[3] = {0.5, 0.1, 0.4};
  int hand = mj_name2id(m, mjOBJ_BODY, "hand");
  mj_jac(m, d, jacp, jacr, point, hand);
  for (int i = 0; i < 9; i++) printf("%.6f ", jacp[i] + 0.0);
  for (int i = 0; i < 9; i++) printf("%.6f ", jacr[i] + 0.0);
  printf("\n");
  mjtNum velocity[6];
  mj_objectVelocity(m, d, mjOBJ_BODY, hand, velocity, 1);
  printf("velocity %.6f %.6f %.6f\n", velocity[1], velocity[3], velocity[5]);
  mj_rnePostConstraint(m, d);
  printf("cfrc %.6f %.6f\n", d->cfrc_int[6 * hand + 5], d->cacc[6 * hand + 5]);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
