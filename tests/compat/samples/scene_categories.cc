// Decoration by category: frames, labels, inertias, centres of mass, boxes of trees, forces of contacts.
#include "sample.h"

static const char kModel[] = R"(<mujoco><option gravity="1 2 -9"/>
<asset><mesh name="t" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset><worldbody>
<geom type="plane" size="5 5 .1"/><geom pos="2 0 0" size=".1"/><site name="ws"/><body name="st" pos="1 0 0"><site group="4"/>
<geom size=".1"/><body pos="0 1 0"><geom size=".1" group="3"/></body></body>
<body name="a" pos="0 0 .099"><freejoint/><geom size=".1"/><geom pos=".3 0 0" size=".1"/><geom pos="0 .4 0" type="mesh" mesh="t"/>
<site name="as"/><body pos="0 0 .4"><joint/><geom type="box" size=".1 .1 .1"/><body pos="0 0 .3"/></body></body>
<body mocap="true" pos="3 0 1"><geom size=".1"/><body><joint/><geom size=".1" pos=".2 0 0"/></body></body>
<body pos="3 0 1.198"><freejoint/><geom size=".1"/></body><body pos="5 0 .099"><freejoint/><geom size=".1" condim="1"/></body>
</worldbody></mujoco>)";

static void draw(const mjModel* m, mjData* d, const mjvOption* option, int categories) {
  mjvScene scene;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_defaultCamera(&camera);
  mjv_makeScene(m, &scene, 500);
  mjv_updateScene(m, d, option, nullptr, &camera, categories, &scene);
  for (int i = 0; i < scene.ngeom; i++) {
    const mjvGeom& g = scene.geoms[i];
    if (!(g.category & mjCAT_DECOR)) continue;
    std::printf("%d %d %d '%s'", g.type, g.objtype, g.objid, g.label);
    show(" pos", g.pos, 3);
    show("  size", g.size, 3);
    show("  rgba", g.rgba, 4);
  }
  mjv_freeScene(&scene);
}

int main() {
  catchMessages();
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  for (int what = 0; what < 10; what++) {
    for (int fixed = 0; fixed < 2; fixed++) {
      for (int categories :
           {mjCAT_DECOR + 0, mjCAT_DECOR | mjCAT_STATIC, mjCAT_DECOR | mjCAT_DYNAMIC}) {
        std::printf("== %d %d %d\n", what, fixed, categories);
        mjvOption option;
        mjv_defaultOption(&option);
        std::memset(option.flags, 0, sizeof(option.flags));
        option.flags[mjVIS_STATIC] = static_cast<mjtByte>(fixed);
        static const int flags[] = {mjVIS_INERTIA, mjVIS_COM, mjVIS_BODYBVH, mjVIS_CONTACTFORCE};
        if (what < 4) option.flags[flags[what]] = 1;
        if (what == 3) option.flags[mjVIS_CONTACTSPLIT] = static_cast<mjtByte>(fixed);
        if (what > 3 && what < 7) option.frame = mjFRAME_BODY + what - 4;
        if (what == 7) option.label = mjLABEL_BODY;
        if (what > 7) option.flags[mjVIS_BODYBVH] = 1;
        if (what > 7) option.bvh_depth = what - 7;
        draw(m.get(), d.get(), &option, categories);
      }
    }
  }
}
