// Linearise a cart-pole and print the matrices.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

static const char* kCartPole =
    "<mujoco><option integrator='implicitfast'/>"
    "<worldbody><body name='cart'><joint name='x' type='slide' axis='1 0 0' damping='.5'/>"
    "<geom type='box' size='.2 .1 .1'/><body name='pole'><joint name='hinge' axis='0 1 0'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 0 0 .6'/></body></body></worldbody>"
    "<actuator><motor joint='x' gear='10'/></actuator>"
    "<sensor><jointpos joint='hinge'/><jointvel joint='x'/></sensor></mujoco>";

static void print(const char* name, const mjtNum* matrix, int rows, int columns) {
  printf("%s\n", name);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) printf("%.5f ", matrix[i * columns + j] + 0.0);
    printf("\n");
  }
}

int main(void) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(kCartPole, NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  d->qpos[1] = 0.2;
  d->ctrl[0] = 0.3;
  mj_step(m, d);
  int n = 2 * m->nv + m->na, ns = m->nsensordata;
  mjtNum* A = (mjtNum*)mju_malloc(sizeof(mjtNum) * n * n);
  mjtNum* B = (mjtNum*)mju_malloc(sizeof(mjtNum) * n * m->nu);
  mjtNum* C = (mjtNum*)mju_malloc(sizeof(mjtNum) * ns * n);
  mjtNum* D = (mjtNum*)mju_malloc(sizeof(mjtNum) * ns * m->nu);
  mjd_transitionFD(m, d, 1e-6, 1, A, B, C, D);
  print("A", A, n, n);
  print("B", B, n, m->nu);
  print("C", C, ns, n);
  print("D", D, ns, m->nu);
  mjtNum Fq[4], Fv[4], Fa[4];
  mj_forward(m, d);
  mj_inverse(m, d);
  mjd_inverseFD(m, d, 1e-6, 0, Fq, Fv, Fa, NULL, NULL, NULL, NULL);
  print("DfDq", Fq, 2, 2);
  print("DfDv", Fv, 2, 2);
  print("DfDa", Fa, 2, 2);
  mju_free(A);
  mju_free(B);
  mju_free(C);
  mju_free(D);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
