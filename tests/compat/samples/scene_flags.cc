// Every shape of a scene under each flag: cranks, limits of tendons, adhesion, islands, rays, planes without end.
#include "sample.h"

// clang-format off
static const char* const kModel = R"(<mujoco><asset><mesh name="tet" vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3"/></asset>
<worldbody><geom type="plane" size="0 0 .1"/><site name="top" pos="0 0 2"/><light type="directional" dir="0 1 -1" cutoff="30"/>
<body pos=".01 .02 .09"><freejoint/><geom size=".1"/><site name="a"/></body>
<body pos="1 0 .09"><freejoint/><geom size=".1"/><geom type="capsule" size=".02 .3" pos="0 0 .3"/><site name="b"/></body>
<body name="stick" pos="2 0 .3"><joint type="slide"/><geom type="box" size=".1 .2 .3" mass="3"/><geom type="mesh" mesh="tet" contype="0" conaffinity="0"/><site name="c" pos="0 0 -.4" euler="180 0 0"/></body>
<body pos="3 0 1"><joint axis="0 1 0"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><site name="crank" pos=".3 0 0"/></body>
<body pos="4 0 .3"><freejoint/><geom type="sdf" mesh="tet"/></body>
<site name="slider" pos="3 0 .5" euler="0 90 0"/><site name="far" pos="3 1 3"/></worldbody>
<tendon><spatial name="free"><site site="top"/><site site="a"/></spatial><spatial name="taut" limited="true" range="0 .5"><site site="b"/><site site="c"/></spatial></tendon>
<actuator><adhesion body="stick" ctrlrange="0 1"/><motor cranksite="crank" slidersite="slider" cranklength=".7"/><motor cranksite="crank" slidersite="far" cranklength=".1"/></actuator>
<sensor><rangefinder site="c"/><rangefinder site="top"/><fromto body1="stick" body2="world" cutoff="2"/></sensor></mujoco>)";
// clang-format on

static void print(const char* name, const mjvScene& scene) {
  std::printf("%s: %d\n", name, scene.ngeom);
  for (int i = 0; i < scene.ngeom; i++) {
    const mjvGeom& g = scene.geoms[i];
    std::printf("type %d data %d of %d %d category %d material %d", g.type, g.dataid, g.objtype,
                g.objid, g.category, g.matid);
    for (double x : {g.pos[0], g.pos[1], g.pos[2], g.size[0], g.size[1], g.size[2], g.rgba[0],
                     g.rgba[1], g.rgba[2], g.rgba[3], g.emission}) {
      std::printf(" %.4f", std::fabs(x) < 1e-4 ? 0 : x);
    }
    std::printf(" %s\n", g.label);
  }
}

int main() {
  catchMessages();
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjvPerturb perturb;
  mjv_defaultScene(&scene);
  mjv_makeScene(m.get(), &scene, 500);
  mjv_defaultOption(&option);
  mjv_defaultPerturb(&perturb);
  mjv_defaultFreeCamera(m.get(), &camera);
  camera.distance = 900;
  for (int flag : {mjVIS_CONVEXHULL, mjVIS_ACTUATOR, mjVIS_RANGEFINDER, mjVIS_INERTIA,
                   mjVIS_TRANSPARENT, mjVIS_ISLAND, mjVIS_CONTACTFORCE}) {
    option.flags[flag] ^= 1;
    mjv_updateScene(m.get(), d.get(), &option, nullptr, &camera, mjCAT_ALL, &scene);
    print(mjVISSTRING[flag][0], scene);
    option.flags[flag] ^= 1;
  }
  option.flags[mjVIS_INERTIA] = option.flags[mjVIS_SCLINERTIA] = 1;
  for (int ellipsoid = 0; ellipsoid < 2; ellipsoid++) {
    m->vis.global.ellipsoidinertia = ellipsoid;
    mjv_updateScene(m.get(), d.get(), &option, nullptr, &camera, mjCAT_DECOR, &scene);
    print("scaled inertia", scene);
  }
  mjv_defaultOption(&option);
  for (int body : {1, 4}) {
    for (int kinds = 0; kinds < 16; kinds++) {
      perturb.select = body;
      perturb.active = kinds & 3;
      perturb.active2 = kinds >> 2;
      mjv_updateScene(m.get(), d.get(), &option, &perturb, &camera, mjCAT_ALL, &scene);
      print("perturbed", scene);
    }
  }
  for (int i = 0; i < scene.nlight; i++) {
    const mjvLight& light = scene.lights[i];
    std::printf("light %d %g %g %g %g\n", light.type, light.cutoff, light.exponent,
                light.attenuation[0], light.range);
  }
  mjv_freeScene(&scene);
}
