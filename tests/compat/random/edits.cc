// Random edits of a spec in MuJoCo's C interface, one compilation, what is written, and what is written after
// numbers of the model came back: edits SEED
#include "../samples/sample.h"

#include <mujoco/mjxmacro.h>

#include <cstdint>

static uint64_t state;

static int below(int n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<int>(static_cast<uint32_t>(state >> 33) % static_cast<uint32_t>(n));
}

static bool oneIn(int n) { return below(n) == 0; }

static double number() {
  static const double values[] = {0, 1, -1, 0.5, 0.25, 2, -0.3, 0.1, 3};
  return values[below(9)];
}

static double positive() {
  static const double values[] = {1, 0.5, 0.25, 2, 0.3, 0.1};
  return values[below(6)];
}

// clang-format off
static const char* const kBase[] = {
R"(<mujoco model="base0"><compiler angle="degree"/><default><geom rgba="0 1 0 1"/><joint damping="1"/><default class="a"><geom size=".2" density="100"/><joint armature=".1"/><default class="b"><geom type="box" size=".1 .2 .3"/><site size=".3"/></default></default><default class="c"><motor gear="2"/><position kp="5"/></default></default>
<asset><material name="mat" rgba="1 0 0 1"/><texture name="tex" type="2d" builtin="checker" width="4" height="4"/><mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><light name="l" pos="0 0 3"/><camera name="cam" pos="0 -3 1" euler="80 0 0"/><geom name="floor" type="plane" size="5 5 .1"/>
<frame name="f0" pos="1 0 0" euler="0 0 90"><geom name="g0" size=".1"/><body name="b0" pos="0 0 1" childclass="a"><freejoint name="free"/><geom name="g1"/><site name="s0" pos=".1 0 0"/>
<body name="b1" pos=".3 0 0" euler="0 30 0"><joint name="j1" axis="0 1 0" range="-30 60"/><geom name="g2" class="b" material="mat"/><site name="s1"/><frame name="f1" pos="0 .2 0"><site name="s2"/><body name="b2"><joint name="j2" type="slide"/><geom name="g3" size=".1" fromto="0 0 0 0 .3 .1" type="capsule"/></body></frame></body></body></frame>
<body name="b3" pos="0 2 1"><joint name="j3" type="ball"/><geom name="g4" type="mesh" mesh="tetra"/><site name="s3" pos="0 0 .3"/></body><body name="mo" mocap="true" pos="3 0 0"><geom name="g5" size=".1" contype="0"/></body></worldbody>
<contact><pair name="p0" geom1="g1" geom2="g4"/><exclude name="e0" body1="b0" body2="b3"/></contact>
<equality><weld name="w0" body1="b3" body2="mo" active="false"/><joint name="q0" joint1="j1" joint2="j2"/></equality>
<tendon><spatial name="t0"><site site="s0"/><site site="s3"/></spatial><fixed name="t1"><joint joint="j1" coef="1"/><joint joint="j2" coef="-2"/></fixed></tendon>
<actuator><motor name="a0" joint="j1" class="c"/><position name="a1" tendon="t1"/><general name="a2" site="s1" dyntype="filter" dynprm=".1"/></actuator>
<sensor><jointpos name="n0" joint="j1"/><framepos name="n1" objtype="site" objname="s2" reftype="body" refname="b3"/><touch name="n2" site="s1"/></sensor>
<keyframe><key name="k0" qpos="0 0 1 1 0 0 0 .1 .2 1 0 0 0" ctrl="1 2 3" act=".5" mpos="1 2 3"/></keyframe><custom><numeric name="u0" data="1 2 3"/><text name="x0" data="abc"/><tuple name="tu0"><element objtype="body" objname="b1"/></tuple></custom></mujoco>)",
R"(<mujoco model="base1"><default><default class="arm"><geom type="capsule" size=".05 .2"/></default></default><worldbody><body name="r0" childclass="arm"><joint name="h0" axis="0 0 1"/><geom name="c0"/><body name="r1" pos="0 0 .4"><joint name="h1" axis="1 0 0" limited="true" range="-1 1"/><geom name="c1"/><site name="tip" pos="0 0 .2"/></body></body></worldbody><actuator><velocity name="v0" joint="h1"/></actuator><sensor><gyro name="gy" site="tip"/></sensor><keyframe><key name="home" qpos=".1 .2"/></keyframe></mujoco>)",
R"(<mujoco model="base2"><worldbody><frame name="top" pos="0 0 1" quat="1 0 1 0"><geom name="lone" type="box" size=".1 .1 .1"/><body name="x0"><geom name="y0" size=".2" mass="2"/><body name="x1" pos="1 0 0"><inertial pos="0 0 .1" mass="1" diaginertia=".1 .1 .1"/><joint name="z1" type="slide" axis="0 0 1"/><camera name="eye"/><light name="lamp"/></body></body></frame></worldbody></mujoco>)"};
// clang-format on

static int counter;

static std::vector<mjsElement*> all(mjSpec* s, mjtObj type) {
  std::vector<mjsElement*> found;
  for (mjsElement* e = mjs_firstElement(s, type); e; e = mjs_nextElement(s, e)) found.push_back(e);
  return found;
}

static mjsElement* any(mjSpec* s, mjtObj type) {
  auto found = all(s, type);
  return found.empty() ? nullptr : found[below(static_cast<int>(found.size()))];
}

// a name that there is; empty for none
static std::string anyName(mjSpec* s, mjtObj type) {
  std::vector<std::string> found;
  for (mjsElement* e : all(s, type)) {
    if (*nameOf(e)) found.push_back(nameOf(e));
  }
  return found.empty() ? "" : found[below(static_cast<int>(found.size()))];
}

static const mjsDefault* anyClass(mjSpec* s) {
  static const char* const names[] = {"a", "b", "c", "arm", "main"};
  return oneIn(2) ? nullptr : mjs_findDefault(s, names[below(5)]);
}

static void name(mjsElement* e) {
  if (oneIn(4)) return;
  show("  name", mjs_setName(e, ("new" + std::to_string(counter++)).c_str()));
}

// ---- adding ----

static void addBody(mjsBody* b, const mjsDefault* c) {
  mjsBody* x = mjs_addBody(b, c);
  for (double& v : x->pos) v = number();
  if (oneIn(2)) mjs_addGeom(x, nullptr)->size[0] = positive();
  name(x->element);
}

static void addJoint(mjSpec* s, mjsBody* b, const mjsDefault* c) {
  // keyframes would no longer fit
  if (any(s, mjOBJ_KEY) || !std::strcmp(nameOf(b->element), "world")) return;
  mjsJoint* x = mjs_addJoint(b, c);
  x->type = oneIn(2) ? mjJNT_HINGE : mjJNT_SLIDE;
  x->axis[0] = number();
  x->damping = positive();
  if (oneIn(3)) {
    x->range[0] = -positive();
    x->range[1] = positive();
  }
  name(x->element);
}

static void addGeom(mjSpec* s, mjsBody* b, const mjsDefault* c) {
  static const mjtGeom types[] = {mjGEOM_SPHERE, mjGEOM_BOX, mjGEOM_CAPSULE, mjGEOM_CYLINDER,
                                  mjGEOM_ELLIPSOID};
  mjsGeom* x = mjs_addGeom(b, c);
  x->type = types[below(5)];
  for (double& v : x->size) v = positive();
  x->pos[1] = number();
  if (oneIn(3)) x->mass = positive();
  if (oneIn(4)) mjs_setString(x->material, anyName(s, mjOBJ_MATERIAL).c_str());
  name(x->element);
}

static void addFrame(mjsBody* b) {
  mjsFrame* parent = oneIn(2) ? mjs_asFrame(mjs_firstChild(b, mjOBJ_FRAME, 0)) : nullptr;
  mjsFrame* x = mjs_addFrame(b, parent);
  x->pos[0] = number();
  if (oneIn(2)) x->quat[2] = 1;
  name(x->element);
}

static void addToBody(mjSpec* s) {
  mjsBody* b = mjs_asBody(any(s, mjOBJ_BODY));
  const mjsDefault* c = anyClass(s);
  std::printf("add in %s\n", nameOf(b->element));
  switch (below(7)) {
    case 0: addBody(b, c); break;
    case 1: addJoint(s, b, c); break;
    case 2: addGeom(s, b, c); break;
    case 3: {
      mjsSite* x = mjs_addSite(b, c);
      x->pos[2] = number();
      x->alt.type = mjORIENTATION_EULER;
      x->alt.euler[0] = number();
      name(x->element);
      break;
    }
    case 4: {
      mjsCamera* x = mjs_addCamera(b, c);
      x->fovy = 30 + 10 * below(4);
      name(x->element);
      break;
    }
    case 5: name(mjs_addLight(b, c)->element); break;
    default: addFrame(b);
  }
}

static void addEquality(mjSpec* s, const mjsDefault* c) {
  std::string first = anyName(s, mjOBJ_BODY), second = anyName(s, mjOBJ_BODY);
  if (first == second) return;
  mjsEquality* x = mjs_addEquality(s, c);
  x->type = oneIn(2) ? mjEQ_WELD : mjEQ_CONNECT;
  x->objtype = mjOBJ_BODY;
  mjs_setString(x->name1, first.c_str());
  mjs_setString(x->name2, second.c_str());
  x->data[0] = number();
  name(x->element);
}

static void addSensor(mjSpec* s) {
  mjsSensor* x = mjs_addSensor(s);
  x->type = mjSENS_FRAMEPOS;
  x->objtype = mjOBJ_SITE;
  mjs_setString(x->objname, anyName(s, mjOBJ_SITE).c_str());
  if (oneIn(2)) {
    x->reftype = mjOBJ_BODY;
    mjs_setString(x->refname, anyName(s, mjOBJ_BODY).c_str());
  }
  x->cutoff = positive();
  name(x->element);
}

static void addOther(mjSpec* s) {
  const mjsDefault* c = anyClass(s);
  std::string joint = anyName(s, mjOBJ_JOINT), geom = anyName(s, mjOBJ_GEOM);
  if (joint.empty() || geom.empty() || anyName(s, mjOBJ_SITE).empty()) return;
  int kind = below(6);
  std::printf("other %d\n", kind);
  if (kind == 0) {
    mjsActuator* x = mjs_addActuator(s, c);
    x->trntype = mjTRN_JOINT;
    mjs_setString(x->target, joint.c_str());
    if (oneIn(3)) show("  set", mjs_setToPosition(x, 3, nullptr, nullptr, nullptr, 0));
    name(x->element);
  } else if (kind == 1) {
    addSensor(s);
  } else if (kind == 2) {
    mjsPair* x = mjs_addPair(s, c);
    mjs_setString(x->geomname1, geom.c_str());
    mjs_setString(x->geomname2, anyName(s, mjOBJ_GEOM).c_str());
    name(x->element);
  } else if (kind == 3) {
    addEquality(s, c);
  } else if (kind == 4) {
    mjsTendon* x = mjs_addTendon(s, c);
    mjs_wrapJoint(x, joint.c_str(), positive());
    name(x->element);
  } else {
    mjsKey* x = mjs_addKey(s);
    x->time = positive();
    name(x->element);
  }
}

// ---- removing and attaching ----

static void remove(mjSpec* s) {
  static const mjtObj types[] = {mjOBJ_BODY,     mjOBJ_GEOM,     mjOBJ_SITE,    mjOBJ_CAMERA,
                                 mjOBJ_LIGHT,    mjOBJ_ACTUATOR, mjOBJ_SENSOR,  mjOBJ_TENDON,
                                 mjOBJ_EQUALITY, mjOBJ_PAIR,     mjOBJ_EXCLUDE, mjOBJ_NUMERIC,
                                 mjOBJ_TEXT,     mjOBJ_TUPLE};
  mjtObj type = types[below(14)];
  mjsElement* e = any(s, type);
  if (!e || !std::strcmp(nameOf(e), "world") || (type == mjOBJ_BODY && any(s, mjOBJ_KEY))) return;
  std::printf("delete %s", nameOf(e));
  show(":", mjs_delete(s, e));
}

static void attach(mjSpec* s, std::vector<Spec>& children) {
  Spec child = parse(kBase[below(3)]);
  int kind = below(3);
  mjsElement* to = kind == 0   ? mjs_addFrame(mjs_asBody(any(s, mjOBJ_BODY)), nullptr)->element
                   : kind == 1 ? any(s, mjOBJ_SITE)
                               : any(s, mjOBJ_FRAME);
  mjsElement* from = oneIn(3) ? child->element : any(child.get(), mjOBJ_BODY);
  if (!std::strcmp(nameOf(from), "world")) from = child->element;
  if (!to) return;
  std::string prefix = "p" + std::to_string(counter++) + "_";
  mjsElement* made = mjs_attach(to, from, prefix.c_str(), oneIn(3) ? "_s" : "");
  std::printf("attach to %s: '%s'\n", nameOf(to), nameOf(made));
  children.push_back(std::move(child));
}

// ---- results ----

#undef MJ_M
#define MJ_M(n) m->n
static void digest(const mjModel* m) {
#define X(type, name, rows, columns)                                            \
  {                                                                             \
    double sum = 0, size = 0;                                                   \
    for (int i = 0; i < static_cast<int>(m->rows * (columns)); i++) {           \
      sum += static_cast<double>(m->name[i]) * (1 + i % 7);                     \
      size += std::fabs(static_cast<double>(m->name[i]));                       \
    }                                                                           \
    double both[2] = {std::fabs(sum) < 1e-9 ? 0 : sum, size < 1e-9 ? 0 : size}; \
    show(#name, both, 2);                                                       \
  }
  MJMODEL_POINTERS_PREAMBLE(m)
  MJMODEL_POINTERS
#undef X
}

static void showText(mjSpec* s) {
  static char text[200000];
  char error[500] = "";
  int result = mj_saveXMLString(s, text, sizeof(text), error, sizeof(error));
  std::printf("%d %s\n%s\n", result, error, result ? "" : text);
}

static void change(mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) m->geom_size[3 * i] *= 1.5;
  for (int i = 1; i < m->nbody; i++) m->body_pos[3 * i] += 0.25;
  for (int i = 0; i < m->njnt; i++) m->jnt_axis[3 * i + 1] += 0.5;
  for (int i = 0; i < m->nu; i++) m->actuator_gainprm[10 * i] *= 2;
  for (int i = 0; i < m->nsite; i++) m->site_pos[3 * i + 2] += 1;
  m->opt.timestep = 0.004;
  m->stat.extent += 1;
}

int main(int argc, char** argv) {
  catchMessages();
  state = 88172645463325252ull * (static_cast<uint64_t>(argc > 1 ? std::atoi(argv[1]) : 0) + 1);
  for (int i = 0; i < 5; i++) below(2);
  std::vector<Spec> children;
  Spec spec = parse(kBase[below(3)]);
  mjs_setDeepCopy(spec.get(), below(2));
  for (mjsElement* e : oneIn(2) ? all(spec.get(), mjOBJ_KEY) : std::vector<mjsElement*>()) {
    mjs_delete(spec.get(), e);
  }
  for (int i = 0; i < 12; i++) {
    int kind = below(8);
    if (kind < 3) addToBody(spec.get());
    if (kind == 3 || kind == 4) addOther(spec.get());
    if (kind == 5 || kind == 6) remove(spec.get());
    if (kind == 7) attach(spec.get(), children);
  }
  Model m = compile(spec.get());
  showText(spec.get());
  if (!m) return 0;
  digest(m.get());
  change(m.get());
  show("back", mj_copyBack(spec.get(), m.get()));
  showText(spec.get());
}
