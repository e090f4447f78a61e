// Load a model from text in memory, step it, print the state.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static const char* kPendulum =
    "<mujoco model='pendulum'>"
    "  <option timestep='0.005' integrator='RK4'><flag energy='enable'/></option>"
    "  <worldbody>"
    "    <light pos='0 0 3'/>"
    "    <geom type='plane' size='1 1 .1' pos='0 0 -2'/>"
    "    <body name='upper' pos='0 0 1'>"
    "      <joint name='shoulder' axis='0 1 0' damping='0.1'/>"
    "      <geom type='capsule' size='.05' fromto='0 0 0 0 0 -.5'/>"
    "      <body name='lower' pos='0 0 -.5'>"
    "        <joint name='elbow' axis='0 1 0'/>"
    "        <geom type='capsule' size='.04' fromto='0 0 0 0 0 -.4'/>"
    "        <site name='tip' pos='0 0 -.4'/>"
    "      </body>"
    "    </body>"
    "  </worldbody>"
    "</mujoco>";

int main(void) {
  char error[1000] = "could not load";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "pendulum.xml", kPendulum, (int)strlen(kPendulum));
  mjModel* m = mj_loadXML("pendulum.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) {
    mju_error("Load model error: %s", error);
    return 1;
  }
  mjData* d = mj_makeData(m);
  d->qpos[mj_name2id(m, mjOBJ_JOINT, "shoulder")] = 1.0;
  int tip = mj_name2id(m, mjOBJ_SITE, "tip");
  while (d->time < 1 - 1e-9) {
    mj_step(m, d);
    if (d->ncon) printf("contact at %g\n", d->time);
  }
  mj_forward(m, d);
  printf("nq %d nv %d nbody %d\n", (int)m->nq, (int)m->nv, (int)m->nbody);
  printf("time %.4f qpos %.8f %.8f\n", d->time, d->qpos[0], d->qpos[1]);
  printf("tip %.8f %.8f %.8f\n", d->site_xpos[3 * tip], d->site_xpos[3 * tip + 1],
         d->site_xpos[3 * tip + 2]);
  printf("energy %.8f %.8f\n", d->energy[0], d->energy[1]);
  printf("mass %.8f name %s\n", mj_getTotalmass(m), mj_id2name(m, mjOBJ_BODY, 2));
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
