// Ids of elements while a spec is edited, and keyframes that take the sizes of what is attached.
#include "sample.h"

static const mjtObj kTypes[] = {mjOBJ_BODY,     mjOBJ_JOINT,  mjOBJ_GEOM,     mjOBJ_SITE,
                                mjOBJ_CAMERA,   mjOBJ_LIGHT,  mjOBJ_MATERIAL, mjOBJ_EXCLUDE,
                                mjOBJ_ACTUATOR, mjOBJ_SENSOR, mjOBJ_TENDON,   mjOBJ_FRAME};

static void showIds(mjSpec* spec) {
  for (mjtObj type : kTypes) {
    std::printf("%s:", type == mjOBJ_FRAME ? "frame" : mju_type2Str(type));
    for (mjsElement* e = mjs_firstElement(spec, type); e; e = mjs_nextElement(spec, e)) {
      std::printf(" %s %d", nameOf(e), mjs_getId(e));
    }
    std::printf("\n");
  }
}

static const char kModel[] =
    "<mujoco><asset><material name='m1'/><material name='m2'/></asset><worldbody><light name='l'/>"
    "<camera name='c'/><geom name='a' size='1'/><geom name='b' size='1'/><body name='B'><joint "
    "name='j1'/><joint name='j2' axis='1 0 0'/><geom name='c' size='1'/><site name='s1'/><site "
    "name='s2'/><frame name='f'/></body><body name='C'/><body name='D'><joint name='j3'/><geom "
    "name='d' size='1'/></body></worldbody><sensor><user dim='1' name='u1'/><user dim='1' "
    "name='u2'/><user dim='1' name='u3'/></sensor><actuator><motor joint='j1' name='A1'/><motor "
    "joint='j2' name='A2'/><motor joint='j3' name='A3'/></actuator><tendon><fixed name='T1'><joint "
    "joint='j1' coef='1'/></fixed><fixed name='T2'><joint joint='j3' coef='1'/></fixed></tendon>"
    "<contact><exclude name='e1' body1='B' body2='D'/><exclude name='e2' body1='B' body2='world'/>"
    "</contact></mujoco>";

template <typename F>
static void edited(const char* what, F edit) {
  for (int compiled = 0; compiled < 2; compiled++) {
    title(what);
    show("compiled", compiled);
    Spec spec = parse(kModel);
    if (compiled) compile(spec.get());
    edit(spec.get());
    showIds(spec.get());
    Model m = compile(spec.get());
    if (m) show("bodies", (int)m->nbody);
    showIds(spec.get());
  }
}

static void remove(mjSpec* spec, mjtObj type, const char* name) {
  show("deleted", mjs_delete(spec, mjs_findElement(spec, type, name)));
}

static void ids() {
  edited("nothing", [](mjSpec*) {});
  edited("delete a body", [](mjSpec* s) { remove(s, mjOBJ_BODY, "B"); });
  edited("delete a geom", [](mjSpec* s) { remove(s, mjOBJ_GEOM, "a"); });
  edited("delete a sensor", [](mjSpec* s) { remove(s, mjOBJ_SENSOR, "u2"); });
  edited("delete a material", [](mjSpec* s) { remove(s, mjOBJ_MATERIAL, "m1"); });
  edited("add a site", [](mjSpec* s) { mjs_addSite(mjs_findBody(s, "B"), nullptr); });
  edited("add a body", [](mjSpec* s) { mjs_addBody(mjs_findBody(s, "B"), nullptr); });
  edited("add a frame", [](mjSpec* s) { mjs_addFrame(mjs_findBody(s, "B"), nullptr); });
  edited("add a sensor", [](mjSpec* s) { mjs_addSensor(s)->type = mjSENS_CLOCK; });
  edited("copy", [](mjSpec* s) {
    Spec copy(mj_copySpec(s));
    showIds(copy.get());
  });
  edited("attach", [](mjSpec* s) {
    mjs_setDeepCopy(s, 1);
    Spec child = parse(
        "<mujoco><worldbody><body name='q'><geom name='qq' size='1'/></body>"
        "</worldbody></mujoco>");
    mjsFrame* frame = mjs_addFrame(mjs_findBody(s, "B"), nullptr);
    mjs_attach(frame->element, mjs_findBody(child.get(), "q")->element, "p-", "");
  });
}

static void showVector(const char* name, const mjDoubleVec* vector) {
  int n = 0;
  const double* values = mjs_getDouble(vector, &n);
  show(name, values, n);
}

// references of balls and free joints are known once the child was compiled
static void keyframes(int compiled, int whole) {
  title("keyframes");
  Spec parent = parse(
      "<mujoco><worldbody><body name='p'><joint ref='.1' type='slide'/><geom size='1'/></body>"
      "<body><joint type='slide' ref='.3'/><geom size='1'/></body><body mocap='true'/></worldbody>"
      "<actuator><general body='p' dyntype='integrator'/></actuator><keyframe><key name='k' "
      "qpos='7 8' qvel='1 2' ctrl='4' act='5' mpos='1 2 3' mquat='0 1 0 0'/></keyframe></mujoco>");
  Spec child = parse(
      "<mujoco model='c'><worldbody><body name='b' pos='3 4 5'><joint type='ball'/><joint name='j' "
      "type='slide' ref='.2'/><geom size='1'/></body><body pos='4 5 6' euler='90 0 "
      "0'><freejoint/><geom size='1'/></body><body mocap='true' pos='5 6 7' euler='0 90 0'/>"
      "</worldbody><actuator><general joint='j' dyntype='filter' dynprm='1'/></actuator></mujoco>");
  if (compiled) compile(child.get());
  mjs_setDeepCopy(parent.get(), 1);
  mjsBody* place = mjs_findBody(parent.get(), whole ? "world" : "p");
  mjs_attach(mjs_addFrame(place, nullptr)->element,
             whole ? child->element : mjs_findBody(child.get(), "b")->element, "x-", "");
  const mjsKey* key = mjs_asKey(mjs_firstElement(parent.get(), mjOBJ_KEY));
  showVector("qpos", key->qpos);
  showVector("qvel", key->qvel);
  showVector("act", key->act);
  showVector("ctrl", key->ctrl);
  showVector("mpos", key->mpos);
  showVector("mquat", key->mquat);
  Model m = compile(parent.get());
  show("model", m->key_qpos, (int)m->nq);
}

// only the deletion of a body cuts keyframes
static void jointOfKeyframe() {
  title("joint of a keyframe");
  Spec spec = parse(
      "<mujoco><worldbody><body><joint name='i'/><joint name='j' axis='1 0 0'/><geom size='1'/>"
      "</body></worldbody><keyframe><key qpos='1 2'/></keyframe></mujoco>");
  remove(spec.get(), mjOBJ_JOINT, "j");
  compile(spec.get());
}

// a body whose inertia is explicit does not take it from geoms, wherever its centre is
static void explicitInertia() {
  title("explicit inertia");
  for (int centre = 0; centre < 2; centre++) {
    Spec spec = parse(
        "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='.1'/></body></worldbody>"
        "</mujoco>");
    mjsBody* body = mjs_findBody(spec.get(), "b");
    body->explicitinertial = 1;
    body->mass = 2;
    for (int k = 0; k < 3; k++) body->inertia[k] = 1;
    for (int k = 0; centre && k < 3; k++) body->ipos[k] = 0.1;
    Model m = compile(spec.get());
    show("mass", m->body_mass[1]);
    show("centre", m->body_ipos + 3, 3);
    show("inertia", m->body_inertia + 3, 3);
  }
}

// a hinge that becomes a slide keeps its number; a signature does not depend on names
static void recompiled() {
  title("recompiled");
  Spec spec = parse(
      "<mujoco><worldbody><body name='b'><joint name='j'/><geom name='g' "
      "size='.1'/></body></worldbody></mujoco>");
  Model m = compile(spec.get());
  Data d(mj_makeData(m.get()));
  d->qpos[0] = 0.25;
  d->qvel[0] = 0.5;
  mjs_asJoint(mjs_findElement(spec.get(), mjOBJ_JOINT, "j"))->type = mjJNT_SLIDE;
  show("result", mj_recompile(spec.get(), nullptr, m.get(), d.get()));
  show("qpos", d->qpos[0]);
  show("qvel", d->qvel[0]);
  uint64_t signature = m->signature;
  mjs_setName(mjs_findElement(spec.get(), mjOBJ_GEOM, "g"), "longer");
  Model renamed = compile(spec.get());
  show("renamed", renamed->signature == signature);
  mjs_addSite(mjs_findBody(spec.get(), "b"), nullptr);
  Model larger = compile(spec.get());
  show("larger", larger->signature == signature);
}

int main() {
  catchMessages();
  ids();
  for (int i = 0; i < 4; i++) keyframes(i & 1, i >> 1);
  jointOfKeyframe();
  explicitInertia();
  recompiled();
}
