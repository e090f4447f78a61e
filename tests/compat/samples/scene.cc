// Scenes without graphics: what mjv_updateScene makes of models, for each of the options.
#include "sample.h"

static const char* const kShapes = R"(
<mujoco>
<asset>
<texture name="t" type="2d" builtin="checker" width="8" height="8"/>
<material name="mat" texture="t" rgba=".1 .2 .3 .4" emission=".1" specular=".2" shininess=".3" reflectance=".4"/>
<mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
<hfield name="hf" nrow="3" ncol="3" size="1 1 1 .1"/>
</asset>
<worldbody>
<light pos="0 0 3" dir="0 .1 -1"/>
<geom type="plane" size="1 2 .1" material="mat"/>
<geom type="plane" size="0 0 .1" pos="0 0 -1"/>
<geom type="hfield" hfield="hf" pos="3 0 0"/>
<body name="b" pos="0 0 1">
<freejoint/>
<geom size=".1"/>
<geom type="capsule" size=".1 .2" group="4"/>
<geom type="capsule" size=".1 .2" pos="1 0 0" rgba="1 0 0 .5"/>
<geom type="ellipsoid" size=".1 .2 .3"/>
<geom type="cylinder" size=".1 .2"/>
<geom type="box" size=".1 .2 .3" material="mat" rgba="1 0 0 1"/>
<geom type="mesh" mesh="me" pos="0 1 0"/>
<site name="s" pos="0 0 1" size=".02"/>
<site type="box" size=".1 .2 .3" rgba="0 0 1 0" group="2"/>
</body>
<body name="mo" mocap="true" pos="2 2 2">
<geom size=".1"/>
</body>
</worldbody>
</mujoco>)";

static const char* const kMachine = R"(
<mujoco>
<statistic meansize=".3" meanmass="2" extent="4" center="0 0 0"/>
<worldbody>
<geom name="floor" type="plane" size="2 2 .1"/>
<light name="l" pos="1 0 3" dir="0 .6 -.8"/>
<camera name="c" pos="0 -3 1" euler="80 0 0"/>
<body name="b" pos="0 0 .09">
<freejoint name="fj"/>
<geom name="g" size=".1"/>
<site name="s" pos="0 0 .2" zaxis="0 1 0"/>
<body name="e" pos=".5 0 .1" euler="0 20 0">
<joint name="h" axis="0 1 0" pos=".1 0 0" range="-1 1"/>
<geom name="bx" type="box" size=".1 .2 .05" pos=".1 0 .1" euler="10 0 0"/>
<body name="k" pos=".4 0 0">
<joint name="ba" type="ball"/>
<joint name="sl" type="slide" axis="1 0 0" range="-.2 .3"/>
<geom name="cp" type="capsule" size=".03 .1"/>
</body>
</body>
</body>
</worldbody>
<equality>
<connect name="eq" body1="b" body2="k" anchor=".1 .2 .3"/>
<weld body1="e" body2="k" active="false"/>
</equality>
<actuator>
<motor name="m1" joint="h" gear="2" ctrlrange="-1 1"/>
<position name="p1" joint="sl" kp="5"/>
<general name="b1" joint="ba" gear="0 1 0"/>
<motor name="f1" joint="fj" gear="0 0 1 0 0 0"/>
<general name="s1" site="s" gear="1 0 0 0 0 0"/>
</actuator>
<sensor>
<rangefinder name="rf" site="s"/>
</sensor>
</mujoco>)";

static const char* const kTendons = R"(
<mujoco>
<option>
<flag gravity="disable"/>
</option>
<asset>
<material name="mt" rgba="0 1 0 1" specular=".9"/>
</asset>
<worldbody>
<site name="s1"/>
<site name="s2" pos="1 0 0"/>
<site name="s3" pos="1 0 1"/>
<site name="s4" pos="2 0 1"/>
<geom name="w" type="cylinder" size=".2 .3" pos=".5 .1 0" euler="90 0 0"/>
<body pos="0 0 -1">
<joint name="j" type="slide" axis="1 0 0" range="-.1 .1" limited="true"/>
<geom size=".1"/>
<site name="s5"/>
</body>
</worldbody>
<tendon>
<spatial name="t" width=".01" rgba="1 0 0 1">
<site site="s1"/>
<geom geom="w"/>
<site site="s2"/>
<pulley divisor="2"/>
<site site="s3"/>
<site site="s4"/>
</spatial>
<spatial name="u" limited="true" range="0 .5" material="mt">
<site site="s1"/>
<site site="s5"/>
</spatial>
<spatial name="v" springlength="0 3">
<site site="s3"/>
<site site="s5"/>
</spatial>
<fixed name="f">
<joint joint="j" coef="1"/>
</fixed>
</tendon>
<actuator>
<motor tendon="t"/>
<general tendon="u" ctrlrange="-1 1" ctrllimited="true"/>
</actuator>
<sensor>
<rangefinder site="s1"/>
<rangefinder site="s4"/>
<rangefinder site="s2" cutoff=".1"/>
</sensor>
</mujoco>)";

static const char* const kSkin = R"(
<mujoco>
<worldbody>
<body name="b" pos="0 0 1">
<freejoint/>
<geom size=".1"/>
</body>
</worldbody>
<deformable>
<skin name="sk" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3" inflate=".05" rgba="1 0 0 .5">
<bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/>
</skin>
</deformable>
</mujoco>)";

static void showScene(const char* what, const mjvScene& scn) {
  std::printf("-- %s: %d shapes, %d lights, status %d\n", what, scn.ngeom, scn.nlight, scn.status);
  for (int i = 0; i < scn.ngeom; i++) {
    const mjvGeom& g = scn.geoms[i];
    std::printf(
        "shape %d: type %d data %d object %d %d category %d material %d texcoord %d segment %d "
        "'%s'\n",
        i, g.type, g.dataid, g.objtype, g.objid, g.category, g.matid, g.texcoord, g.segid, g.label);
    show("size", g.size, 3);
    show("pos", g.pos, 3);
    show("mat", g.mat, 9);
    show("rgba", g.rgba, 4);
    float rest[5] = {g.emission, g.specular, g.shininess, g.reflectance, g.modelrbound};
    show("rest", rest, 5);
  }
}

static void showLights(const mjvScene& scn) {
  for (int i = 0; i < scn.nlight; i++) {
    const mjvLight& l = scn.lights[i];
    std::printf("light %d: %d %d %d %d\n", l.id, l.type, l.texid, l.headlight, l.castshadow);
    show("pos", l.pos, 3);
    show("dir", l.dir, 3);
    show("attenuation", l.attenuation, 3);
    show("ambient", l.ambient, 3);
    show("diffuse", l.diffuse, 3);
    show("specular", l.specular, 3);
    float rest[5] = {l.cutoff, l.exponent, l.bulbradius, l.intensity, l.range};
    show("rest", rest, 5);
  }
}

struct Scene {
  mjvScene scn;
  explicit Scene(const mjModel* m, int maxgeom = 200) {
    mjv_defaultScene(&scn);
    mjv_makeScene(m, &scn, maxgeom);
  }
  ~Scene() { mjv_freeScene(&scn); }
  void update(const mjModel* m, mjData* d, const mjvOption& opt, const mjvPerturb* pert = nullptr,
              int catmask = mjCAT_ALL) {
    mjvCamera cam;
    mjv_defaultCamera(&cam);
    cam.distance = 3;
    cam.azimuth = 40;
    cam.elevation = -20;
    mjv_updateScene(m, d, &opt, pert, &cam, catmask, &scn);
  }
};

static mjvOption standard() {
  mjvOption opt;
  mjv_defaultOption(&opt);
  return opt;
}

static void shapes() {
  title("shapes");
  Model m = load(kShapes);
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  Scene scene(m.get());
  scene.update(m.get(), d.get(), standard());
  showScene("standard", scene.scn);
  showLights(scene.scn);
  for (int flag : {mjVIS_CONVEXHULL, mjVIS_TEXTURE, mjVIS_TRANSPARENT, mjVIS_STATIC}) {
    mjvOption opt = standard();
    opt.flags[flag] = !opt.flags[flag];
    scene.update(m.get(), d.get(), opt);
    showScene(mjVISSTRING[flag][0], scene.scn);
  }
  for (int category : {mjCAT_STATIC, mjCAT_DYNAMIC, mjCAT_DECOR}) {
    scene.update(m.get(), d.get(), standard(), nullptr, category);
    std::printf("category %d: %d\n", category, scene.scn.ngeom);
  }
  mjvOption opt = standard();
  opt.geomgroup[0] = 0;
  opt.sitegroup[0] = 0;
  opt.geomgroup[4] = 1;
  scene.update(m.get(), d.get(), opt);
  showScene("groups", scene.scn);
  Scene small(m.get(), 3);
  small.update(m.get(), d.get(), standard());
  std::printf("small: %d %d %d\n", small.scn.ngeom, small.scn.status,
              d->warning[mjWARN_VGEOMFULL].number);
}

static void decoration() {
  title("decoration");
  Model m = load(kMachine);
  Data d(mj_makeData(m.get()));
  mjtNum ctrl[5] = {0.5, 0.2, 0.3, -0.4, 0.1};
  mju_copy(d->ctrl, ctrl, 5);
  d->qpos[7] = 0.3;
  d->xfrc_applied[6] = 1, d->xfrc_applied[7] = 2, d->xfrc_applied[8] = 3;
  mj_forward(m.get(), d.get());
  Scene scene(m.get());
  for (int flag :
       {mjVIS_JOINT, mjVIS_CAMERA, mjVIS_ACTUATOR, mjVIS_LIGHT, mjVIS_CONSTRAINT, mjVIS_INERTIA,
        mjVIS_PERTFORCE, mjVIS_CONTACTPOINT, mjVIS_CONTACTFORCE, mjVIS_AUTOCONNECT, mjVIS_COM}) {
    mjvOption opt = standard();
    opt.flags[flag] = 1;
    scene.update(m.get(), d.get(), opt);
    showScene(mjVISSTRING[flag][0], scene.scn);
  }
  for (int frame = mjFRAME_BODY; frame < mjNFRAME; frame++) {
    mjvOption opt = standard();
    opt.frame = frame;
    scene.update(m.get(), d.get(), opt);
    showScene(mjFRAMESTRING[frame], scene.scn);
  }
  mjvPerturb pert;
  mjv_defaultPerturb(&pert);
  pert.select = 2;
  pert.localpos[0] = 0.1;
  mjv_initPerturb(m.get(), d.get(), &scene.scn, &pert);
  pert.refselpos[2] += 0.5;
  for (int active = 0; active < 4; active++) {
    mjvOption opt = standard();
    pert.active = active;
    scene.update(m.get(), d.get(), opt, &pert);
    showScene("perturbation", scene.scn);
  }
  mjvOption all = standard();
  for (int flag : {mjVIS_JOINT, mjVIS_CAMERA, mjVIS_ACTUATOR, mjVIS_LIGHT, mjVIS_CONSTRAINT,
                   mjVIS_INERTIA, mjVIS_PERTFORCE, mjVIS_CONTACTPOINT, mjVIS_CONTACTFORCE,
                   mjVIS_CONTACTSPLIT, mjVIS_AUTOCONNECT, mjVIS_COM, mjVIS_SELECT}) {
    all.flags[flag] = 1;
  }
  for (int label : {mjLABEL_BODY, mjLABEL_JOINT, mjLABEL_GEOM, mjLABEL_SITE, mjLABEL_CAMERA,
                    mjLABEL_LIGHT, mjLABEL_ACTUATOR, mjLABEL_CONSTRAINT, mjLABEL_SELECTION,
                    mjLABEL_SELPNT, mjLABEL_CONTACTPOINT, mjLABEL_CONTACTFORCE}) {
    all.label = label;
    scene.update(m.get(), d.get(), all, &pert);
    showScene(mjLABELSTRING[label], scene.scn);
  }
  mjvOption opt = standard();
  opt.label = mjLABEL_BODY;
  scene.update(m.get(), d.get(), opt);
  showScene("bodies", scene.scn);
}

static void tendons() {
  title("tendons");
  Model m = load(kTendons);
  Data d(mj_makeData(m.get()));
  d->ctrl[0] = 0.5;
  d->ctrl[1] = 0.7;
  mj_forward(m.get(), d.get());
  Scene scene(m.get());
  mjvOption opt = standard();
  scene.update(m.get(), d.get(), opt);
  showScene("tendons", scene.scn);
  opt.flags[mjVIS_ACTUATOR] = opt.flags[mjVIS_INERTIA] = opt.flags[mjVIS_JOINT] = 1;
  opt.label = mjLABEL_TENDON;
  scene.update(m.get(), d.get(), opt);
  showScene("actuators", scene.scn);
}

static void skins() {
  title("skins");
  Model m = load(kSkin);
  Data d(mj_makeData(m.get()));
  d->qpos[0] = 0.5;
  d->qpos[4] = 0.3;
  mj_forward(m.get(), d.get());
  Scene scene(m.get());
  scene.update(m.get(), d.get(), standard());
  showScene("skin", scene.scn);
  show("vertices", scene.scn.skinvert, 12);
  show("normals", scene.scn.skinnormal, 12);
  show("faces", scene.scn.skinfacenum, 1);
}

static void picking() {
  title("picking");
  Model m = load(kSkin);
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  Scene scene(m.get());
  mjvOption opt = standard();
  scene.update(m.get(), d.get(), opt);
  for (double x : {0.1, 0.3, 0.5, 0.55, 0.7}) {
    for (double y : {0.2, 0.4, 0.5, 0.6, 0.8}) {
      mjtNum point[3] = {0, 0, 0};
      int geom, flex, skin;
      int body =
          mjv_select(m.get(), d.get(), &opt, 1.5, x, y, &scene.scn, point, &geom, &flex, &skin);
      std::printf("%d %d %d %d\n", body, geom, flex, skin);
      show("point", point, 3);
    }
  }
  mjtNum up[3] = {0, 0, 1};
  scene.scn.enabletransform = 1;
  for (int action = mjMOUSE_ROTATE_V; action <= mjMOUSE_MOVE_H_REL; action++) {
    mjv_moveModel(m.get(), action, 0.1, 0.2, up, &scene.scn);
    show("translate", scene.scn.translate, 3);
    show("rotate", scene.scn.rotate, 4);
    show("scale", scene.scn.scale);
  }
  mj_printScene(&scene.scn, "scene.txt");
  std::FILE* file = std::fopen("scene.txt", "r");
  char line[1000];
  while (std::fgets(line, sizeof(line), file)) std::printf("%s", line);
  std::fclose(file);
}

int main() {
  catchMessages();
  shapes();
  decoration();
  tendons();
  skins();
  picking();
}
