// Scenes under every pair of a flag with another flag, a frame or a label: what depends on two of them at once. Contacts
// in the colour of their island, frames where inertias are, colours of activations, actuators that are disabled, labels of
// what sticks, octrees, flexes of a hidden group.
#include <map>

#include "sample.h"

static const char kModel[] = R"(
<mujoco>
  <option actuatorgroupdisable="4"/>
  <asset>
    <mesh name="ball" builtin="sphere" params="1" scale=".1 .1 .1"/>
    <mesh name="block" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <geom type="sdf" mesh="block" pos="-2 0 1"/>
    <geom type="sdf" mesh="ball" pos="-2 1 1"/>
    <body name="free" pos="0 0 .099"><freejoint/><geom size=".1"/></body>
    <body name="gap" pos="1 0 .105"><freejoint/><geom size=".1" margin=".02" gap=".02"/></body>
    <body name="arm" pos="0 1 .5">
      <joint name="a" axis="0 1 0"/>
      <geom type="box" size=".2 .1 .1" pos=".2 0 0"/>
      <site name="tip" pos=".5 0 0"/>
      <body name="light" pos=".4 0 0"><site/></body>
    </body>
  </worldbody>
  <deformable>
    <flex name="shown" dim="2" body="world" vertex="0 2 1 1 2 1 0 2 2" element="0 1 2"/>
    <flex name="hidden" group="4" dim="2" body="world" vertex="0 3 1 1 3 1 0 3 2" element="0 1 2"/>
  </deformable>
  <actuator>
    <general name="both" joint="a" dyntype="integrator" actrange="-2 2" ctrlrange="-.5 .5"/>
    <general name="act" joint="a" dyntype="integrator" actrange="-2 2"/>
    <general name="ctrl" joint="a" dyntype="integrator" ctrlrange="-.5 .5"/>
    <general name="none" joint="a" dyntype="integrator"/>
    <general name="off" joint="a" ctrlrange="-.5 .5" group="4"/>
    <motor name="group1" site="tip" group="1"/>
    <adhesion name="sticks" body="free" ctrlrange="0 1"/>
  </actuator>
</mujoco>)";

static mjvOption option;

static void draw(const char* what, int a, int b, const mjModel* m, mjData* d, mjvScene* scene) {
  mjvCamera camera;
  mjvPerturb perturb;
  mjv_defaultFreeCamera(m, &camera);
  mjv_defaultPerturb(&perturb);
  perturb.select = 1;
  mjv_updateScene(m, d, &option, &perturb, &camera, mjCAT_ALL, scene);
  std::map<int, int> count;
  double sum[5] = {};
  for (int i = 0; i < scene->ngeom; i++) {
    const mjvGeom& g = scene->geoms[i];
    count[g.type]++;
    sum[0] += g.objtype * (1 + i % 7) + g.objid + 3 * g.category + 5 * g.segid;
    for (int k = 0; k < 3; k++) {
      sum[1] += g.size[k] < 1e5f ? g.size[k] * (1 + k) : 0;
      sum[2] += std::fabs(g.pos[k]) < 1e5f ? g.pos[k] * (1 + i % 5) : 0;
    }
    for (int k = 0; k < 4; k++) sum[3] += g.rgba[k] * (1 + k);
    for (const char* letter = g.label; *letter; letter++) sum[4] += *letter;
  }
  std::printf("%s %d %d:", what, a, b);
  for (auto [type, n] : count) std::printf(" %dx%d", n, type);
  show("", sum, 5);
}

int main() {
  catchMessages();
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.1 * (i + 1);
  for (int i = 0; i < m->na; i++) d->act[i] = 0.15 * (i + 1);
  mj_forward(m.get(), d.get());
  show("contacts and islands", std::vector<int>{d->ncon, d->nisland}.data(), 2);
  mjvScene scene;
  mjv_defaultScene(&scene);
  mjv_makeScene(m.get(), &scene, 3000);
  for (int a = 0; a < mjNVISFLAG; a++) {
    if (a == mjVIS_MESHBVH) continue;  // boxes of flexes have a colour of their own
    mjv_defaultOption(&option);
    option.flags[a] ^= 1;
    for (int b = a + 1; b < mjNVISFLAG; b++) {
      if (b == mjVIS_MESHBVH) continue;
      option.flags[b] ^= 1;
      draw("flags", a, b, m.get(), d.get(), &scene);
      option.flags[b] ^= 1;
    }
    for (option.frame = 0; option.frame < mjNFRAME; option.frame++) {
      draw("frame", a, option.frame, m.get(), d.get(), &scene);
    }
    option.frame = mjFRAME_NONE;
    for (option.label = 0; option.label < mjNLABEL; option.label++) {
      draw("label", a, option.label, m.get(), d.get(), &scene);
    }
  }
  title("octrees");
  mjv_defaultOption(&option);
  option.flags[mjVIS_MESHBVH] = 1;
  for (option.bvh_depth = 0; option.bvh_depth < 3; option.bvh_depth++) {
    mjvCamera camera;
    mjv_defaultFreeCamera(m.get(), &camera);
    mjv_updateScene(m.get(), d.get(), &option, nullptr, &camera, mjCAT_ALL, &scene);
    for (int i = 0; i < scene.ngeom; i++) {
      if (scene.geoms[i].type == mjGEOM_LINEBOX) show("box", scene.geoms[i].objid);
    }
  }
  mjv_freeScene(&scene);
}
