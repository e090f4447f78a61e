// Contacts: list, frames, forces; every solver and both cones.
#include <mujoco/mujoco.h>
#include <stdio.h>

int main(void) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><option tolerance='1e-10' iterations='200'/><worldbody><geom name='floor' "
      "type='plane' size='2 2 .1'/>"
      "<body name='box' pos='0 0 .099'><freejoint/><geom name='box' type='box' size='.1 .1 "
      ".1'/></body>"
      "<body name='ball' pos='.5 0 .0999'><freejoint/><geom name='ball' size='.1' "
      "condim='6'/></body>"
      "<body name='rod' pos='-.5 0 .0499' euler='0 90 0'><freejoint/><geom name='rod' "
      "type='capsule' size='.05 .2'/></body>"
      "</worldbody></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  for (int cone = mjCONE_PYRAMIDAL; cone <= mjCONE_ELLIPTIC; cone++) {
    for (int solver = mjSOL_CG; solver <= mjSOL_NEWTON; solver++) {
      m->opt.cone = cone;
      m->opt.solver = solver;
      mj_resetData(m, d);
      d->qvel[0] = 0.3;
      for (int i = 0; i < 20; i++) mj_step(m, d);
      mj_forward(m, d);
      printf("cone %d solver %d contacts %d rows %d\n", cone, solver, d->ncon, d->nefc);
      mjtNum total[3] = {0};
      for (int i = 0; i < d->ncon; i++) {
        const mjContact* contact = d->contact + i;
        mjtNum force[6], world[3];
        mj_contactForce(m, d, i, force);
        mju_mulMatTVec(world, contact->frame, force, 3, 3);
        mju_addTo3(total, world);
        printf("  %s %s dist %.5f dim %d normal %.3f\n",
               mj_id2name(m, mjOBJ_GEOM, contact->geom[0]),
               mj_id2name(m, mjOBJ_GEOM, contact->geom[1]), contact->dist, contact->dim,
               contact->frame[2]);
      }
      printf("  total %.3f %.3f %.3f\n", total[0], mju_abs(total[1]), total[2]);
    }
  }
  mjtNum segment[6];
  mj_resetData(m, d);
  mj_forward(m, d);
  mjtNum distance = mj_geomDistance(m, d, mj_name2id(m, mjOBJ_GEOM, "box"),
                                    mj_name2id(m, mjOBJ_GEOM, "ball"), 1, segment);
  printf("distance %.6f from %.5f to %.5f\n", distance, segment[0], segment[3]);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
