// Attaching, deleting, copying, recompiling.
#include "sample.h"

static const char* const kChild = R"(
<mujoco model="child">
  <default><geom rgba="0 1 0 1"/><default class="thin"><geom size="0.01"/></default></default>
  <asset><material name="mat" rgba="1 0 0 1"/><mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom name="upper" class="thin" material="mat"/>
      <body name="hand" pos="0.5 0 0">
        <joint name="wrist" axis="1 0 0"/><geom name="palm" size="0.05"/><site name="grip"/><site name="end" pos="0 0 0.1"/>
      </body>
    </body>
    <body name="box"><freejoint name="free"/><geom name="cube" type="box" size="0.1 0.1 0.1"/></body>
    <body name="hull"><geom type="mesh" mesh="tetra"/></body>
  </worldbody>
  <contact><exclude name="ex" body1="arm" body2="box"/></contact>
  <tendon><spatial name="tendon"><site site="grip"/><site site="end"/></spatial></tendon>
  <actuator><motor name="motor" joint="hinge" gear="3"/><position name="servo" joint="wrist"/></actuator>
  <sensor><jointpos name="angle" joint="wrist"/><framepos name="where" objtype="site" objname="grip"/></sensor>
  <keyframe><key name="home" qpos="0.1 0.2 1 2 3 1 0 0 0" ctrl="0.3 0.4"/></keyframe>
</mujoco>)";

static const char* const kParent = R"(
<mujoco model="parent">
  <worldbody>
    <frame name="frame" pos="1 2 3" euler="0 0 90"/>
    <body name="base"><geom name="floor" size="1"/><site name="mount" pos="0 0 0.5" euler="90 0 0"/>
      <frame name="inner" pos="0 1 0"/></body>
  </worldbody>
  <keyframe><key name="rest" time="2"/></keyframe>
</mujoco>)";

static void names(const mjModel* m, int type, int count, const char* title) {
  std::printf("%s:", title);
  for (int i = 0; i < count; i++) {
    const char* name = mj_id2name(m, type, i);
    std::printf(" %s", name ? name : "-");
  }
  std::printf("\n");
}

static void summary(mjSpec* spec) {
  Model m = compile(spec);
  if (!m) return;
  names(m.get(), mjOBJ_BODY, (int)m->nbody, "bodies");
  names(m.get(), mjOBJ_JOINT, (int)m->njnt, "joints");
  names(m.get(), mjOBJ_GEOM, (int)m->ngeom, "geoms");
  names(m.get(), mjOBJ_SITE, (int)m->nsite, "sites");
  names(m.get(), mjOBJ_ACTUATOR, (int)m->nu, "actuators");
  names(m.get(), mjOBJ_SENSOR, (int)m->nsensor, "sensors");
  names(m.get(), mjOBJ_TENDON, (int)m->ntendon, "tendons");
  names(m.get(), mjOBJ_EXCLUDE, (int)m->nexclude, "excludes");
  names(m.get(), mjOBJ_MATERIAL, (int)m->nmat, "materials");
  names(m.get(), mjOBJ_MESH, (int)m->nmesh, "meshes");
  names(m.get(), mjOBJ_KEY, (int)m->nkey, "keys");
  show("body_pos", m->body_pos, 3 * (int)m->nbody);
  show("body_quat", m->body_quat, 4 * (int)m->nbody);
  show("geom_rgba", m->geom_rgba, 4 * (int)m->ngeom);
  show("key_qpos", m->key_qpos, (int)(m->nkey * m->nq));
  show("key_ctrl", m->key_ctrl, (int)(m->nkey * m->nu));
}

// the handle of an element that may be none
template <typename T>
mjsElement* elementOf(T* item) {
  return item ? item->element : nullptr;
}

static void attachTo(const char* what, mjtObj type, const char* target, const char* body,
                     const char* prefix, const char* suffix) {
  title(what);
  Spec parent = parse(kParent), child = parse(kChild);
  mjsElement* to = mjs_findElement(parent.get(), type, target);
  mjsElement* from = body ? mjs_findElement(child.get(), mjOBJ_BODY, body) : child->element;
  mjsElement* made = mjs_attach(to, from, prefix, suffix);
  show("made", made != nullptr);
  if (made) {
    show("type", made->elemtype);
    show("name", nameOf(made));
    show("found spec", mjs_findSpec(parent.get(), "child") != nullptr);
  } else {
    show("error", mjs_getError(parent.get()));
  }
  summary(parent.get());
  summary(child.get());
}

static void wrongAttachments() {
  title("wrong attachments");
  Spec parent = parse(kParent), child = parse(kChild);
  mjsElement* geom = mjs_findElement(parent.get(), mjOBJ_GEOM, "floor");
  mjsElement* base = mjs_findElement(parent.get(), mjOBJ_BODY, "base");
  mjsElement* frame = mjs_findElement(parent.get(), mjOBJ_FRAME, "frame");
  mjsElement* arm = mjs_findElement(child.get(), mjOBJ_BODY, "arm");
  show("to a geom", mjs_attach(geom, arm, "a", "") == nullptr);
  show("error", mjs_getError(parent.get()));
  show("body to body", mjs_attach(base, arm, "a", "") == nullptr);
  show("error", mjs_getError(parent.get()));
  show("geom to frame",
       mjs_attach(frame, mjs_findElement(child.get(), mjOBJ_GEOM, "cube"), "a", "") == nullptr);
  show("error", mjs_getError(parent.get()));
  show("no prefix", mjs_attach(frame, arm, "", "") != nullptr);
  show("error", mjs_getError(parent.get()));
  // the same names twice
  Spec other = parse(kChild);
  show("twice",
       mjs_attach(frame, mjs_findElement(other.get(), mjOBJ_BODY, "arm"), "", "") != nullptr);
}

static void deleting() {
  title("deleting");
  Spec spec = parse(kChild);
  show("joint", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_JOINT, "wrist")));
  summary(spec.get());
  spec = parse(kChild);
  show("body", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_BODY, "arm")));
  summary(spec.get());
  spec = parse(kChild);
  show("actuator", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_ACTUATOR, "motor")));
  show("sensor", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_SENSOR, "angle")));
  show("tendon", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_TENDON, "tendon")));
  show("exclude", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_EXCLUDE, "ex")));
  show("key", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_KEY, "home")));
  show("geom", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_GEOM, "palm")));
  summary(spec.get());
  show("site in use", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_SITE, "grip")));
  summary(spec.get());
  spec = parse(kChild);
  show("material in use",
       mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_MATERIAL, "mat")));
  summary(spec.get());
  show("nothing", mjs_delete(spec.get(), nullptr));
  show("error", mjs_getError(spec.get()));
}

static void deletingWrong() {
  title("deleting wrong");
  Spec spec = parse(kChild);
  mjsElement* thin = mjs_findDefault(spec.get(), "thin")->element;
  show("default", mjs_delete(spec.get(), thin));
  show("found", mjs_findDefault(spec.get(), "thin") != nullptr);
  mjsElement* main = mjs_getSpecDefault(spec.get())->element;
  show("main default", mjs_delete(spec.get(), main));
  show("error", mjs_getError(spec.get()));
}

static void copying() {
  title("copying");
  Spec spec = parse(kChild);
  Spec copy(mj_copySpec(spec.get()));
  mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_BODY, "arm"));
  summary(copy.get());
  show("name", mjs_getString(copy->modelname));
  Spec again(mj_copySpec(copy.get()));
  summary(again.get());
  show("deep copy", mjs_setDeepCopy(copy.get(), 1));
}

static void deepCopy() {
  title("attach with deep copy");
  for (int deep = 0; deep < 2; deep++) {
    Spec parent = parse(kParent), child = parse(kChild);
    mjs_setDeepCopy(parent.get(), deep);
    mjsElement* frame = mjs_findElement(parent.get(), mjOBJ_FRAME, "frame");
    mjsElement* arm = mjs_findElement(child.get(), mjOBJ_BODY, "arm");
    mjsElement* made = mjs_attach(frame, arm, "p-", "");
    show("same element", made == arm);
    show("owner", mjs_getSpec(made) == parent.get());
    mjsGeom* geom = mjs_asGeom(mjs_findElement(child.get(), mjOBJ_GEOM, "upper"));
    show("child keeps it", geom != nullptr);
    if (geom) geom->rgba[2] = 0.5f;
    Model m = compile(parent.get());
    if (m) show("rgba", m->geom_rgba, 4 * (int)m->ngeom);
  }
}

static void recompiling() {
  title("recompiling");
  Spec spec = parse(kChild);
  Model m = compile(spec.get());
  Data d(mj_makeData(m.get()));
  for (int i = 0; i < 3; i++) d->qpos[i] = 0.1 * (i + 1);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.01 * i;
  d->ctrl[1] = 0.5;
  d->time = 3;
  mjsBody* world = mjs_findBody(spec.get(), "world");
  mjsBody* extra = mjs_addBody(world, nullptr);
  mjs_addFreeJoint(extra);
  mjs_addGeom(extra, nullptr)->size[0] = 0.2;
  mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_ACTUATOR, "motor"));
  mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_KEY, "home"));
  show("recompile", mj_recompile(spec.get(), nullptr, m.get(), d.get()));
  show("sizes", m->nq);
  show("qpos", d->qpos, (int)m->nq);
  show("qvel", d->qvel, (int)m->nv);
  show("time", d->time);
  // a failing one
  mjs_addGeom(extra, nullptr)->type = mjGEOM_MESH;
  mjModel* model = m.release();
  mjData* data = d.release();
  int code = mj_recompile(spec.get(), nullptr, model, data);
  show("bad recompile", code);
}

static void copyBack() {
  title("copy back");
  Spec spec = parse(kChild);
  Model m = compile(spec.get());
  m->body_pos[3] = 7;
  m->geom_rgba[1] = 0.25f;
  m->actuator_gear[0] = 11;
  m->opt.timestep = 0.005;
  show("code", mj_copyBack(spec.get(), m.get()));
  mjs_addGeom(mjs_findBody(spec.get(), "arm"), nullptr)->size[0] = 1;
  show("changed", mj_copyBack(spec.get(), m.get()));
  show("error", mjs_getError(spec.get()));
}

int main() {
  catchMessages();
  attachTo("body to frame", mjOBJ_FRAME, "frame", "arm", "p-", "-s");
  attachTo("body to inner frame", mjOBJ_FRAME, "inner", "arm", "p-", "");
  attachTo("body to site", mjOBJ_SITE, "mount", "arm", "", "_1");
  attachTo("spec to frame", mjOBJ_FRAME, "frame", nullptr, "all-", "");
  attachTo("spec to world", mjOBJ_BODY, "world", nullptr, "all-", "");
  wrongAttachments();
  deleting();
  deletingWrong();
  copying();
  deepCopy();
  recompiling();
  copyBack();
}
