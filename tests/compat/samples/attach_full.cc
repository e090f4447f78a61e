// A child with something of everything: attached in parts and whole, to another model and to itself, copied, with
// elements deleted. Names, keyframes and the saved text.
#include "sample.h"

static const char kChild[] = R"(
<mujoco model="full"><compiler angle="radian" meshdir="md"/><option timestep=".01"/>
<default><geom rgba="1 0 0 1"/><default class="c1"><geom size=".3"/><joint damping="2"/>
  <default class="c2"><geom rgba="0 1 0 1"/></default></default></default>
<asset><material name="mat"/><texture name="tex" type="2d" builtin="flat" width="2" height="2"/>
  <mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><geom name="floor" type="plane" size="1 1 1"/><site name="ws"/>
  <body name="a" childclass="c1" pos="1 0 0"><joint name="ja"/><geom name="ga" material="mat"/><site name="sa"/>
    <body name="aa"><joint name="jaa" type="slide"/><geom name="gaa" class="c2"/></body></body>
  <body name="b" mocap="true" pos="0 2 0"><geom name="gb" size=".2"/></body>
  <body name="d"><freejoint name="fd"/><geom name="gd" type="mesh" mesh="me"/><site name="sd"/></body></worldbody>
<contact><pair name="p1" geom1="ga" geom2="gd"/><exclude name="x1" body1="a" body2="d"/></contact>
<equality><weld name="e1" body1="a" body2="d"/><joint name="e2" joint1="ja" joint2="jaa"/></equality>
<tendon><spatial name="t1"><site site="sa"/><site site="sd"/></spatial>
  <fixed name="t2"><joint joint="ja" coef="1"/></fixed></tendon>
<actuator><motor name="a1" joint="ja"/><general name="a2" tendon="t1" dyntype="integrator"/>
  <position name="a3" joint="jaa"/></actuator>
<sensor><jointpos name="n1" joint="ja"/><framepos name="n2" objtype="site" objname="sd" reftype="body" refname="a"/>
  <clock name="n3"/></sensor>
<custom><numeric name="num" data="1 2"/><text name="txt" data="hi"/><tuple name="tup">
  <element objtype="body" objname="a"/><element objtype="geom" objname="gd"/></tuple></custom>
<keyframe><key name="k1" time="2" qpos=".1 .2 1 2 3 1 0 0 0" qvel="1 2 3 4 5 6 7 8" act="9" ctrl="4 5 6"
  mpos="7 8 9" mquat="0 1 0 0"/><key name="k2"/></keyframe></mujoco>)";

static void showModel(const mjModel* m) {
  if (!m) return;
  for (int type : {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_JOINT, mjOBJ_SITE, mjOBJ_ACTUATOR, mjOBJ_SENSOR,
                   mjOBJ_TENDON, mjOBJ_EQUALITY, mjOBJ_PAIR, mjOBJ_EXCLUDE, mjOBJ_MATERIAL,
                   mjOBJ_MESH, mjOBJ_NUMERIC, mjOBJ_TUPLE, mjOBJ_TEXT, mjOBJ_PLUGIN}) {
    std::printf("%s:", mju_type2Str(type));
    for (int i = 0; i < 20 && mj_id2name(m, type, i); i++) {
      std::printf(" '%s'", mj_id2name(m, type, i));
    }
    std::printf("\n");
  }
  int nq = (int)m->nq, nv = (int)m->nv, na = (int)m->na, nu = (int)m->nu, nmocap = (int)m->nmocap;
  for (int i = 0; i < m->nkey; i++) {
    std::printf("key '%s' time %g\n", m->names + m->name_keyadr[i], m->key_time[i]);
    show("  qpos", m->key_qpos + i * nq, nq);
    show("  qvel", m->key_qvel + i * nv, nv);
    show("  act", m->key_act + i * na, na);
    show("  ctrl", m->key_ctrl + i * nu, nu);
    show("  mpos", m->key_mpos + i * 3 * nmocap, 3 * nmocap);
    show("  mquat", m->key_mquat + i * 4 * nmocap, 4 * nmocap);
  }
}

static void save(const mjSpec* spec) {
  std::vector<char> text(60000);
  char error[300] = "";
  int code = mj_saveXMLString(spec, text.data(), 60000, error, sizeof(error));
  std::printf("saved %d %s\n%s", code, error, code ? "" : text.data());
}

static mjsElement* newFrame(mjSpec* spec) {
  return mjs_addFrame(mjs_findBody(spec, "world"), nullptr)->element;
}

static void part(const char* name, int deep) {
  title(*name ? name : "whole");
  Spec parent = parse(
      "<mujoco model='P'><worldbody><body name='pb'><joint name='pj'/><geom size='1'/></body>"
      "</worldbody><keyframe><key name='pk' qpos='3'/></keyframe></mujoco>");
  Spec child = parse(kChild);
  mjs_setDeepCopy(parent.get(), deep);
  mjsElement* what = *name ? mjs_findBody(child.get(), name)->element : child->element;
  mjsElement* made = mjs_attach(newFrame(parent.get()), what, "x-", "-y");
  show("type", (int)made->elemtype);
  show("name", nameOf(made));
  show("error", mjs_getError(parent.get()));
  Model m = compile(parent.get());
  showModel(m.get());
  save(parent.get());
  showModel(compile(child.get()).get());
  showModel(compile(parent.get()).get());
  Spec copy(mj_copySpec(parent.get()));
  showModel(compile(copy.get()).get());
}

static void frame(int deep) {
  title("frame");
  Spec parent = parse("<mujoco/>");
  Spec child = parse(
      "<mujoco model='c'><worldbody><frame name='f' pos='1 2 3'><geom name='g' size='1'/><body "
      "name='b'><geom size='1'/></body><frame name='ff' pos='0 0 1'><site name='s'/></frame>"
      "</frame><geom name='other' size='1'/></worldbody></mujoco>");
  mjs_setDeepCopy(parent.get(), deep);
  mjsElement* made = mjs_attach(mjs_findBody(parent.get(), "world")->element,
                                mjs_findFrame(child.get(), "f")->element, "q-", "");
  show("name", nameOf(made));
  showModel(compile(parent.get()).get());
  save(parent.get());
}

// assets are not copied, keyframes are completed by what was compiled
static void itself() {
  title("to itself");
  Spec spec = parse(kChild);
  mjs_setDeepCopy(spec.get(), 1);
  for (const char* name : {"a", "d", "b"}) {
    mjsElement* what = mjs_findBody(spec.get(), name)->element;
    std::string prefix = std::string("s") + name + "-";
    show("made", mjs_attach(newFrame(spec.get()), what, prefix.c_str(), "") != nullptr);
    showModel(compile(spec.get()).get());
  }
  save(spec.get());
}

static void deleted() {
  title("deleted");
  for (const char* name : {"a", "aa", "b", "d"}) {
    Spec spec = parse(kChild);
    compile(spec.get());
    show(name, mjs_delete(spec.get(), mjs_findBody(spec.get(), name)->element));
    save(spec.get());
    showModel(compile(spec.get()).get());
    save(spec.get());
  }
  struct {
    mjtObj type;
    const char* name;
  } const all[] = {
      {mjOBJ_GEOM, "ga"},     {mjOBJ_JOINT, "ja"},  {mjOBJ_SITE, "sd"},     {mjOBJ_MATERIAL, "mat"},
      {mjOBJ_MESH, "me"},     {mjOBJ_TENDON, "t1"}, {mjOBJ_ACTUATOR, "a1"}, {mjOBJ_SENSOR, "n1"},
      {mjOBJ_EQUALITY, "e1"}, {mjOBJ_PAIR, "p1"},   {mjOBJ_EXCLUDE, "x1"},  {mjOBJ_KEY, "k1"},
      {mjOBJ_NUMERIC, "num"}, {mjOBJ_TUPLE, "tup"}, {mjOBJ_TEXT, "txt"},    {mjOBJ_TEXTURE, "tex"}};
  for (const auto& item : all) {
    Spec spec = parse(kChild);
    show(item.name, mjs_delete(spec.get(), mjs_findElement(spec.get(), item.type, item.name)));
    showModel(compile(spec.get()).get());
  }
}

static void copied() {
  title("copied");
  Spec spec = parse(kChild);
  Spec copy(mj_copySpec(spec.get()));
  Model first = compile(spec.get()), second = compile(copy.get()), third = compile(spec.get());
  show("copy", std::memcmp(first->buffer, second->buffer, first->nbuffer));
  show("again", std::memcmp(first->buffer, third->buffer, first->nbuffer));
}

// plugins that the child has activated are active in the parent, instances come with what uses them
static void plugins(int deep) {
  title("plugins");
  for (const char* name : {"lab.one", "lab.two"}) {
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    plugin.name = name;
    plugin.capabilityflags = mjPLUGIN_ACTUATOR | mjPLUGIN_PASSIVE;
    plugin.nstate = +[](const mjModel*, int) { return 0; };
    plugin.compute = +[](const mjModel*, mjData*, int, int) {};
    mjp_registerPlugin(&plugin);
  }
  Spec parent = parse("<mujoco/>");
  Spec child = parse(
      "<mujoco model='c'><extension><plugin plugin='lab.one'><instance name='i'/><instance "
      "name='free'/></plugin><plugin plugin='lab.two'><instance name='q'/></plugin></extension>"
      "<worldbody><body name='b'><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
      "<plugin name='a' joint='j' instance='i'/></actuator></mujoco>");
  mjs_setDeepCopy(parent.get(), deep);
  mjs_attach(newFrame(parent.get()), mjs_findBody(child.get(), "b")->element, "x-", "");
  showModel(compile(parent.get()).get());
  save(parent.get());
  show("deleted", mjs_delete(parent.get(), mjs_findBody(parent.get(), "x-b")->element));
  showModel(compile(parent.get()).get());
}

int main() {
  catchMessages();
  for (int deep = 0; deep < 2; deep++) {
    for (const char* name : {"a", "aa", "b", "d", ""}) part(name, deep);
    frame(deep);
    plugins(deep);
  }
  itself();
  deleted();
  copied();
}
