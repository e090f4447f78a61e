// Scenes: colours and labels of islands, welds, shapes that programs make, lights and figures, cameras that were
// never set.
#include "sample.h"

static void showShape(const mjvGeom& g) {
  int numbers[] = {g.type,  g.dataid,   g.objtype, g.objid,      g.category,
                   g.matid, g.texcoord, g.segid,   g.transparent};
  float values[] = {g.emission, g.specular, g.shininess, g.reflectance, g.camdist, g.modelrbound};
  show("shape", numbers, 9);
  show("  size", g.size, 3);
  show("  pos", g.pos, 3);
  show("  mat", g.mat, 9);
  show("  rgba", g.rgba, 4);
  show("  values", values, 6);
  show("  label", g.label);
}

static void showScene(const mjvScene& scene) {
  show("shapes", scene.ngeom);
  for (int i = 0; i < scene.ngeom; i++) showShape(scene.geoms[i]);
}

static const char* const kModels[] = {
    "<worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1' pos='.1 .2 .3'/><body "
    "pos='.5 0 0'><joint/><geom size='.1'/><body><geom size='.2'/></body></body></body><body "
    "name='c' pos='1 0 1'><joint axis='0 1 0'/><geom type='capsule' size='.05 .2'/><site pos='0 0 "
    ".3'/></body></worldbody><equality><weld body1='b' body2='c' anchor='.1 .2 .3'/></equality>",
    "<worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1'/></body><body name='c' "
    "pos='1 0 1'><joint/><geom size='.1'/></body></worldbody><equality><connect body1='b' "
    "anchor='0 0 .1'/><weld body1='c'/></equality>",
    "<worldbody><geom type='plane' size='3 3 1'/><body pos='0 0 .05'><freejoint/><geom size='.1'/>"
    "</body><body pos='.15 0 .05'><freejoint/><geom size='.1'/></body><body pos='2 0 .05'>"
    "<freejoint/><geom size='.1'/></body><body pos='4 0 1'><joint/><geom size='.1'/></body>"
    "</worldbody>",
    "<option><flag sleep='enable'/></option><worldbody><geom type='plane' size='9 9 1'/><body "
    "pos='5 "
    "0 .0999' sleep='init'><freejoint/><geom size='.1'/></body><body pos='0 0 .0999' sleep='init'>"
    "<freejoint/><geom size='.1'/></body><body pos='.1999 0 .0999' sleep='init'><freejoint/><geom "
    "size='.1' rgba='1 0 0 .5'/></body><body pos='2 0 .09'><freejoint/><geom size='.1'/></body>"
    "<body pos='3 0 2'><freejoint/><geom size='.1'/></body></worldbody>",
    "<worldbody><body mocap='true' pos='1 1 1'><geom size='.1'/></body><body pos='5 0 5'><joint/>"
    "<geom size='.1' rgba='1 0 0 .5'/></body></worldbody>"};

static void islands(const char* xml) {
  title("islands");
  Model m = load((std::string("<mujoco>") + xml + "</mujoco>").c_str());
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  if (m->neq) d->qpos[0] += 0.05;
  mj_forward(m.get(), d.get());
  mjvScene scene;
  mjv_defaultScene(&scene);
  mjv_makeScene(m.get(), &scene, 100);
  mjvCamera camera;
  mjv_defaultCamera(&camera);
  for (int label : {mjLABEL_NONE, mjLABEL_ISLAND}) {
    for (int flag : {mjVIS_ISLAND, mjVIS_CONSTRAINT, mjVIS_INERTIA}) {
      mjvOption option;
      mjv_defaultOption(&option);
      option.flags[flag] = 1;
      option.label = label;
      mjv_updateScene(m.get(), d.get(), &option, nullptr, &camera, mjCAT_ALL, &scene);
      showScene(scene);
    }
  }
  mjv_freeScene(&scene);
}

static void shapes() {
  title("shapes");
  mjtNum size[3] = {0.1, 0.2, 0.3}, pos[3] = {1, 2, 3}, mat[9] = {0, 1, 0, 1, 0, 0, 0, 0, -1};
  mjtNum from[3] = {0, 0, 0}, to[3] = {1, 1, 0};
  float rgba[4] = {0.1f, 0.2f, 0.3f, 0.4f};
  for (int type : {mjGEOM_PLANE, mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_ELLIPSOID, mjGEOM_CYLINDER,
                   mjGEOM_BOX, mjGEOM_ARROW, mjGEOM_ARROW1, mjGEOM_ARROW2, mjGEOM_LINE,
                   mjGEOM_LINEBOX, mjGEOM_TRIANGLE, mjGEOM_LABEL, mjGEOM_MESH, mjGEOM_NONE}) {
    mjvGeom shape;
    std::memset(&shape, 0, sizeof(shape));
    mjv_initGeom(&shape, type, nullptr, nullptr, nullptr, nullptr);
    showShape(shape);
    mjv_initGeom(&shape, type, size, pos, mat, rgba);
    showShape(shape);
    for (const mjtNum* end : {to, from}) {
      expectError("connector", [&] {
        mjv_connector(&shape, type, 0.05, from, end);
        showShape(shape);
      });
    }
  }
}

static void figure() {
  title("figure");
  mjvFigure f;
  std::memset(&f, 0x33, sizeof(f));
  mjv_defaultFigure(&f);
  int flags[] = {f.flg_legend,   f.flg_ticklabel[0], f.flg_ticklabel[1], f.flg_extend,
                 f.flg_barplot,  f.flg_selection,    f.flg_symmetric,    f.legendoffset,
                 f.highlight[0], f.highlight[1],     f.highlightid,      f.subplot};
  show("flags", flags, 12);
  show("grid", f.gridsize, 2);
  show("colours", &f.linergb[0][0], 3 * mjMAXLINE);
  show("pane", f.panergba, 4);
  show("range", &f.range[0][0], 4);
  std::printf("%s %s %s\n", f.xformat, f.yformat, f.minwidth);
}

// cameras that were never set
static void unset() {
  title("unset");
  mjvScene scene;
  std::memset(&scene, 0, sizeof(scene));
  mjtNum head[3], forward[3], up[3], quat[4] = {1, 0, 0, 0};
  expectError("in model", [&] { mjv_cameraInModel(head, forward, up, &scene); });
  expectError("in room", [&] { mjv_cameraInRoom(head, forward, up, &scene); });
  expectError("height", [&] { mjv_frustumHeight(&scene); });
  Model m = load("<mujoco/>");
  Data d(mj_makeData(m.get()));
  expectError("lights", [&] { mjv_makeLights(m.get(), d.get(), &scene); });
  scene.enabletransform = 1;
  expectError("to model", [&] { mjv_room2model(head, quat, head, quat, &scene); });
  expectError("to room", [&] { mjv_model2room(head, quat, head, quat, &scene); });
}

int main() {
  catchMessages();
  for (const char* xml : kModels) islands(xml);
  shapes();
  figure();
  unset();
}
