// Write models back as XML and read them again; attach one model to another; strings and vectors.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  char error[500];
  mjSpec* arm = mj_parseXMLString(
      "<mujoco model='arm'><default><geom rgba='1 0 0 1'/><default class='thin'><geom "
      "size='.01'/></default></default>"
      "<worldbody><body name='base'><joint name='j' axis='0 0 1'/><geom class='thin' "
      "type='capsule' fromto='0 0 0 .2 0 0'/>"
      "<site name='end' pos='.2 0 0'/></body></worldbody>"
      "<actuator><motor name='m' joint='j'/></actuator></mujoco>",
      nullptr, error, sizeof(error));
  mjSpec* table = mj_parseXMLString(
      "<mujoco model='table'><worldbody><geom type='box' size='.5 .5 .02'/><frame name='mount' "
      "pos='0 0 .02'/></worldbody></mujoco>",
      nullptr, error, sizeof(error));
  mjs_setDeepCopy(table, 1);
  mjsFrame* mount = mjs_findFrame(table, "mount");
  for (const char* prefix : {"left/", "right/"}) {
    mjsElement* attached =
        mjs_attach(mount->element, mjs_findBody(arm, "base")->element, prefix, "");
    std::printf("%d\n", attached != nullptr);
  }
  mjs_findBody(table, "right/base")->pos[1] = 0.3;
  std::vector<double> numbers = {1, 2, 3};
  mjs_setDouble(mjs_findBody(table, "left/base")->userdata, numbers.data(), (int)numbers.size());
  std::string name = mjs_getString(mjs_getName(mjs_findElement(table, mjOBJ_SITE, "left/end")));
  int count = 0;
  const double* stored = mjs_getDouble(mjs_findBody(table, "left/base")->userdata, &count);
  std::printf("%s %d %g\n", name.c_str(), count, stored[2]);
  mjModel* m = mj_compile(table, nullptr);
  if (!m) {
    std::printf("%s\n", mjs_getError(table));
    return 1;
  }
  std::printf("%d %d %d %d\n", (int)m->nbody, (int)m->nu, (int)m->nsite, (int)m->nuser_body);
  std::vector<char> xml(20000);
  std::printf("saved %d\n",
              mj_saveXMLString(table, xml.data(), (int)xml.size(), error, sizeof(error)));
  mjSpec* again = mj_parseXMLString(xml.data(), nullptr, error, sizeof(error));
  mjModel* copy = mj_compile(again, nullptr);
  mjData* d1 = mj_makeData(m);
  mjData* d2 = mj_makeData(copy);
  for (mjData* d : {d1, d2}) {
    d->ctrl[0] = 0.1;
    d->ctrl[1] = -0.2;
  }
  for (int i = 0; i < 100; i++) {
    mj_step(m, d1);
    mj_step(copy, d2);
  }
  std::printf("%.8f %.8f %d\n", d1->qpos[0], d1->qpos[1], d2->time == d1->time);
  std::printf("%.5f\n", copy->geom_rgba[4]);
  mj_deleteData(d1);
  mj_deleteData(d2);
  mj_deleteModel(m);
  mj_deleteModel(copy);
  mj_deleteSpec(again);
  mj_deleteSpec(table);
  mj_deleteSpec(arm);
  return 0;
}
