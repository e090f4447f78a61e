// Keyframes of a model that is edited: what deletion keeps and refuses, names that are repeated until compilation.
#include "sample.h"

static const char* const kModel =
    R"(<mujoco><worldbody><body name="a"><joint name="j"/><geom name="g" size=".1"/></body>
    <body name="b"><joint name="k"/><geom name="h" size=".1"/></body></worldbody>
    <actuator><motor name="m1" joint="j"/><motor name="m2" joint="k"/></actuator>
    <keyframe><key name="k0" qpos="1 2" ctrl="3 4"/></keyframe></mujoco>)";

static int count(mjSpec* s, mjtObj type) {
  int n = 0;
  for (mjsElement* e = mjs_firstElement(s, type); e; e = mjs_nextElement(s, e)) n++;
  return n;
}

static void showKeys(mjSpec* s) {
  Model m = compile(s);
  if (!m) return;
  for (int i = 0; i < m->nkey; i++) {
    show(mj_id2name(m.get(), mjOBJ_KEY, i), m->key_qpos + i * m->nq, static_cast<int>(m->nq));
    show("ctrl", m->key_ctrl + i * m->nu, static_cast<int>(m->nu));
  }
}

// A body goes after another got a joint: refused, unless the model was compiled before.
static void deleteBody(bool compiled) {
  Spec s = parse(kModel);
  if (compiled) compile(s.get());
  mjsJoint* added = mjs_addJoint(mjs_findBody(s.get(), "b"), nullptr);
  added->ref = 0.5;
  int result = mjs_delete(s.get(), mjs_findBody(s.get(), "a")->element);
  show("delete", result);
  show("error", result ? mjs_getError(s.get()) : "");
  show("bodies", count(s.get(), mjOBJ_BODY));
  show("keys", count(s.get(), mjOBJ_KEY));
  if (!result) showKeys(s.get());
}

// The same keyframe comes twice; the compiler finds it.
static void repeatNames(const char* prefix) {
  Spec s = parse(kModel), child = parse(R"(<mujoco><worldbody><body name="c"><joint name="l"/>
      <geom size=".1"/></body></worldbody><keyframe><key name="k0" qpos="7"/></keyframe></mujoco>)");
  mjsFrame* frame = mjs_addFrame(mjs_findBody(s.get(), "world"), nullptr);
  mjsElement* made =
      mjs_attach(frame->element, mjs_findBody(child.get(), "c")->element, prefix, "");
  show("attached", nameOf(made));
  showKeys(s.get());
}

int main() {
  catchMessages();
  deleteBody(false);
  deleteBody(true);
  repeatNames("");
  repeatNames("x-");
}
