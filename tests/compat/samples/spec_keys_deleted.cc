// A model with keyframes is compiled, elements are deleted and added, then a body goes: numbers stay with their elements,
// found by the places that these had in the compiled model.
#include "sample.h"

static const char kModel[] = R"(
<mujoco>
  <worldbody>
    <body name="a">
      <joint name="i"/>
      <joint name="i2" axis="1 0 0"/>
      <geom size=".1"/>
      <body name="b"><joint name="j"/><geom size=".1"/></body>
      <body name="c"><joint name="e" type="ball"/><geom size=".1"/></body>
    </body>
    <body name="m" mocap="true"/>
    <body name="m2" mocap="true" pos="1 0 0"/>
  </worldbody>
  <actuator>
    <motor name="p" joint="i"/>
    <general name="q" joint="j" dyntype="integrator"/>
    <general name="r" joint="i" dyntype="filter"/>
  </actuator>
  <keyframe>
    <key name="k" qpos="1 2 3 0 1 0 0" qvel="3 4 5 6 7 8" act="5 6" ctrl="7 8 9" mpos="1 1 1 2 2 2"/>
    <key name="l" qpos="1 2 3 0 0 1 0"/>
    <key name="n" ctrl="7 8 9"/>
  </keyframe>
</mujoco>)";

static void showKeys(mjSpec* s) {
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_KEY); e; e = mjs_nextElement(s, e)) {
    const mjsKey* key = mjs_asKey(e);
    std::printf("  key %s\n", nameOf(e));
    for (const mjDoubleVec* vector : {key->qpos, key->qvel, key->act, key->ctrl, key->mpos}) {
      int n;
      const double* values = mjs_getDouble(vector, &n);
      show("   ", values, n);
    }
  }
}

static int drop(mjSpec* s, mjtObj type, const char* name) {
  return mjs_delete(s, mjs_findElement(s, type, name));
}

static int addActuator(mjSpec* s, mjtDyn dynamics) {
  mjsActuator* a = mjs_addActuator(s, nullptr);
  a->trntype = mjTRN_JOINT;
  a->dyntype = dynamics;
  mjs_setString(a->target, "i");
  return 0;
}

static int addJoint(mjSpec* s) {
  mjsJoint* joint = mjs_addJoint(mjs_findBody(s, "a"), nullptr);
  joint->ref = 0.5;
  joint->axis[1] = 1;
  return 0;
}

static int attach(mjSpec* s) {
  Spec child = parse(
      "<mujoco><worldbody><body name='u'><joint name='w'/><geom size='1'/></body></worldbody>"
      "<actuator><motor joint='w'/></actuator><keyframe><key name='uk' qpos='9' ctrl='8'/>"
      "</keyframe></mujoco>");
  mjsFrame* frame = mjs_addFrame(mjs_findBody(s, "world"), nullptr);
  return mjs_attach(frame->element, mjs_findBody(child.get(), "u")->element, "t-", "") ? 0 : -1;
}

// lower case deletes, upper case adds
static int edit(mjSpec* s, char what) {
  switch (what) {
    case 'p': return drop(s, mjOBJ_ACTUATOR, "p");
    case 'q': return drop(s, mjOBJ_ACTUATOR, "q");
    case 'r': return drop(s, mjOBJ_ACTUATOR, "r");
    case 'j': return drop(s, mjOBJ_JOINT, "i2");
    case 'e': return drop(s, mjOBJ_JOINT, "e");
    case 'b': return drop(s, mjOBJ_BODY, "b");
    case 'c': return drop(s, mjOBJ_BODY, "c");
    case 'm': return drop(s, mjOBJ_BODY, "m");
    case 'A': return addActuator(s, mjDYN_NONE);
    case 'B': return addActuator(s, mjDYN_INTEGRATOR);
    case 'J': return addJoint(s);
    default: return attach(s);
  }
}

int main() {
  catchMessages();
  for (const char* edits : {"p", "b", "pb", "pAb", "pBb", "rBb", "jb", "jJb", "eb", "ec", "jm",
                            "rqb", "pqrb", "jeb", "pbA", "pbT", "bA", "jT"}) {
    title(edits);
    Spec s = parse(kModel);
    compile(s.get());
    for (const char* what = edits; *what; what++) show("edit", edit(s.get(), *what));
    compile(s.get());
    showKeys(s.get());
  }
}
