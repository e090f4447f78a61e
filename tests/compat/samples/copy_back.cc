// Copying back, field by field: what of a changed model the saved text shows, and that compiling again forgets it.
#include <mujoco/mjxmacro.h>

#include <type_traits>

#include "sample.h"

static const char kModel[] = R"(
<mujoco model="m"><compiler angle="degree"/><size nuser_geom="2" nuser_body="1" nuser_jnt="1" nuser_sensor="1"
  nuser_actuator="1" nuser_tendon="1" nuser_cam="1" nuser_site="1"/><statistic extent="3"/>
<asset><material name="mat" metallic=".2" roughness=".3"/><mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  <texture name="tx" type="2d" builtin="flat" width="2" height="2"/>
  <hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 .25 .75"/></asset>
<worldbody><light name="l" type="spot" range="5" bulbradius=".1" intensity="2"/><camera name="c"/>
  <camera name="cs" resolution="20 10" sensorsize=".2 .1" focal=".1 .1" principal=".01 .02"/>
  <frame name="f" pos="1 0 0" euler="0 0 90"><geom name="g" size="1" user="1 2"/>
    <body name="b" euler="90 0 0" user="3"><inertial pos="0 0 1" mass="2" diaginertia="1 1 1"/>
      <joint name="j" range="-10 20" ref="5" springref="4" user="4" actuatorfrcrange="-1 1"/>
      <geom name="gb" type="capsule" fromto="0 0 0 0 0 1" size=".1" material="mat"/>
      <geom name="ge" type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid" group="2"/>
      <site name="s" size=".1" user="5"/><site name="t" pos="0 0 .3"/></body></frame>
  <geom name="gm" type="mesh" mesh="me"/><geom type="hfield" hfield="h"/>
  <body name="b2" gravcomp=".5"><freejoint/><geom size=".1"/></body><body><joint type="ball" range="0 30"/><geom size=".1"/></body>
  <body name="mo" mocap="true" pos="4 0 0"/></worldbody>
<contact><pair geom1="g" geom2="gb"/></contact>
<equality><joint joint1="j"/><connect body1="b" anchor="0 0 0"/><weld body1="b" body2="b2"/></equality>
<tendon><spatial name="t" range="0 5" user="6"><site site="s"/><site site="t"/></spatial>
  <fixed><joint joint="j" coef="2"/></fixed></tendon>
<actuator><motor name="a" joint="j" user="7"/><general tendon="t" gainprm="2" ctrlrange="-1 1" dyntype="filter" dynprm="1"/>
  <general joint="j" forcerange="-2 2" actrange="0 1" dyntype="integrator" gear="2"/></actuator>
<sensor><jointpos joint="j" noise="1" user="3" cutoff="5"/></sensor>
<custom><numeric name="n" data="1 2 3"/><tuple name="u"><element objtype="body" objname="b" prm="2"/></tuple></custom>
<keyframe><key qpos=".1 1 2 3 1 0 0 0 1 0 0 0" mpos="9 9 9" ctrl="1 2 3" act=".1 .2"/></keyframe></mujoco>)";

static std::string text(const mjSpec* spec) {
  std::vector<char> buffer(60000);
  char error[300] = "";
  mj_saveXMLString(spec, buffer.data(), 60000, error, sizeof(error));
  return std::string(error) + buffer.data();
}

// lines of the second text that the first one does not have at that place
static void showChanges(const std::string& before, const std::string& after) {
  for (size_t i = 0, k = 0; k < after.size();) {
    size_t p = before.find('\n', i), q = after.find('\n', k);
    std::string a = before.substr(i, p - i), b = after.substr(k, q - k);
    if (a != b) std::printf("  %s\n", b.c_str());
    i = p == std::string::npos ? before.size() : p + 1;
    k = q == std::string::npos ? after.size() : q + 1;
  }
}

template <typename T>
static void perturb(T* values, int64_t n) {
  for (int64_t i = 0; i < n; i++) values[i] = static_cast<T>(values[i] * 1.25 + 0.125);
}
template <typename T>
static void tryField(const char* name, T* mjModel::*field, int64_t n) {
  if constexpr (std::is_floating_point_v<T>) {
    Spec spec = parse(kModel);
    Model m = compile(spec.get());
    std::string before = text(spec.get());
    Model fresh(mj_copyModel(nullptr, m.get()));
    perturb(m.get()->*field, n);
    std::printf("%s: %d\n", name, mj_copyBack(spec.get(), m.get()));
    showChanges(before, text(spec.get()));
    Model again = compile(spec.get());
    show("  forgotten", std::memcmp(again->buffer, fresh->buffer, fresh->nbuffer) == 0);
  } else {
    (void)name, (void)field, (void)n;
  }
}

static void allFields() {
  title("fields");
  Model sizes = load(kModel);
  const mjModel* m = sizes.get();
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, rows, columns) tryField(#name, &mjModel::name, (int64_t)m->rows*(columns));
  MJMODEL_POINTERS
#undef X
}

static void settings() {
  title("settings");
  Spec spec = parse(kModel);
  Model m = compile(spec.get());
  std::string before = text(spec.get());
  m->opt.timestep = 0.5;
  m->opt.iterations = 7;
  m->stat.meanmass = 77;
  m->stat.center[1] = 4;
  m->vis.global.fovy = 33;
  m->vis.rgba.fog[0] = 0.5f;
  m->cam_resolution[0] = 30;
  m->cam_resolution[2] = 40;
  show("copied", mj_copyBack(spec.get(), m.get()));
  showChanges(before, text(spec.get()));
  show("own", spec->option.timestep);
  show("own", spec->stat.extent);
  mjsGeom* geom = mjs_asGeom(mjs_findElement(spec.get(), mjOBJ_GEOM, "g"));
  geom->size[0] = 2;
  spec->stat.extent = 123;
  showChanges(before, text(spec.get()));
  mjs_addGeom(mjs_findBody(spec.get(), "b"), nullptr)->size[0] = 1;
  show("edited", mj_copyBack(spec.get(), m.get()));
  show("error", mjs_getError(spec.get()));
}

int main() {
  catchMessages();
  allFields();
  settings();
}
