// Build a model in code, compile it, edit it, recompile keeping the state.
#include <mujoco/mujoco.h>
#include <stdio.h>

int main(void) {
  mjSpec* spec = mj_makeSpec();
  spec->option.timestep = 0.004;
  mjs_setString(spec->modelname, "built");
  mjsBody* world = mjs_findBody(spec, "world");
  mjsGeom* floor = mjs_addGeom(world, NULL);
  floor->type = mjGEOM_PLANE;
  floor->size[0] = floor->size[1] = 2;
  floor->size[2] = 0.1;
  mjsBody* parent = world;
  for (int i = 0; i < 4; i++) {
    char name[20];
    snprintf(name, sizeof(name), "link%d", i);
    mjsBody* body = mjs_addBody(parent, NULL);
    mjs_setName(body->element, name);
    body->pos[0] = i ? 0.2 : 0;
    body->pos[2] = i ? 0 : 1;
    mjsJoint* joint = mjs_addJoint(body, NULL);
    joint->type = mjJNT_HINGE;
    joint->axis[0] = 0, joint->axis[1] = 1, joint->axis[2] = 0;
    joint->damping = 0.01;
    snprintf(name, sizeof(name), "hinge%d", i);
    mjs_setName(joint->element, name);
    mjsGeom* geom = mjs_addGeom(body, NULL);
    geom->type = mjGEOM_CAPSULE;
    geom->size[0] = 0.02;
    geom->fromto[0] = geom->fromto[1] = geom->fromto[2] = geom->fromto[4] = geom->fromto[5] = 0;
    geom->fromto[3] = 0.2;
    parent = body;
  }
  mjsActuator* motor = mjs_addActuator(spec, NULL);
  motor->trntype = mjTRN_JOINT;
  mjs_setString(motor->target, "hinge0");
  mjs_setToPosition(motor, 2, NULL, NULL, NULL, 0);
  mjModel* m = mj_compile(spec, NULL);
  if (!m) {
    printf("%s\n", mjs_getError(spec));
    return 1;
  }
  mjData* d = mj_makeData(m);
  d->ctrl[0] = 0.5;
  for (int i = 0; i < 50; i++) mj_step(m, d);
  printf("%d %d %d %.8f %.8f\n", (int)m->nbody, (int)m->nv, (int)m->nu, d->qpos[0], d->qpos[3]);

  mjsBody* last = mjs_findBody(spec, "link3");
  mjsSite* site = mjs_addSite(last, NULL);
  mjs_setName(site->element, "tool");
  site->pos[0] = 0.2;
  mjsBody* extra = mjs_addBody(last, NULL);
  mjs_addFreeJoint(mjs_addBody(world, NULL));
  extra->mass = 0.1;
  extra->inertia[0] = extra->inertia[1] = extra->inertia[2] = 1e-4;
  extra->explicitinertial = 1;
  mjsBody* ball = mjs_asBody(mjs_nextChild(world, mjs_firstChild(world, mjOBJ_BODY, 0), 0));
  ball->pos[1] = 1;
  mjsGeom* sphere = mjs_addGeom(ball, NULL);
  sphere->size[0] = 0.1;
  printf("recompile %d\n", mj_recompile(spec, NULL, m, d));
  printf("%d %d %.8f %.8f %.8f\n", (int)m->nbody, (int)m->nv, d->qpos[0], d->qpos[3], d->time);
  for (int i = 0; i < 50; i++) mj_step(m, d);
  int tool = mj_name2id(m, mjOBJ_SITE, "tool");
  printf("%.8f %.8f %.8f\n", d->site_xpos[3 * tool], d->site_xpos[3 * tool + 1],
         d->site_xpos[3 * tool + 2]);
  mjs_delete(spec, mjs_findElement(spec, mjOBJ_BODY, "link2"));
  mjModel* smaller = mj_compile(spec, NULL);
  printf("%d %d %s\n", (int)smaller->nbody, (int)smaller->nv, mjs_getString(spec->modelname));
  mj_deleteModel(smaller);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
