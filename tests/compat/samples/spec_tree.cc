// Elements of a spec: adding, finding, walking, casting, naming, frames, defaults, ids.
#include "sample.h"

static mjsBody* addBody(mjsBody* parent, const char* name, double x) {
  mjsBody* body = mjs_addBody(parent, nullptr);
  show("set name", mjs_setName(body->element, name));
  body->pos[0] = x;
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  geom->size[0] = 0.1;
  mjs_setName(geom->element, (std::string(name) + "_geom").c_str());
  return body;
}

static void walk(mjsBody* body, mjtObj type, int recurse) {
  std::printf("children of %s, type %d, recurse %d:", nameOf(body->element), type, recurse);
  for (mjsElement* e = mjs_firstChild(body, type, recurse); e;
       e = mjs_nextChild(body, e, recurse)) {
    std::printf(" %s", nameOf(e));
  }
  std::printf("\n");
}

static void tree() {
  title("tree");
  Spec spec(mj_makeSpec());
  mjsBody* world = mjs_findBody(spec.get(), "world");
  show("world", nameOf(world->element));
  mjsBody* a = addBody(world, "a", 1);
  mjsBody* b = addBody(a, "b", 2);
  mjsBody* c = addBody(a, "c", 3);
  addBody(b, "d", 4);
  mjsJoint* joint = mjs_addJoint(b, nullptr);
  mjs_setName(joint->element, "joint");
  mjsJoint* free_joint = mjs_addFreeJoint(a);
  show("free", free_joint->type);
  mjs_setName(free_joint->element, "free");
  mjsSite* site = mjs_addSite(c, nullptr);
  mjs_setName(site->element, "site");
  mjs_setName(mjs_addCamera(c, nullptr)->element, "camera");
  mjs_setName(mjs_addLight(c, nullptr)->element, "light");
  walk(world, mjOBJ_BODY, 0);
  walk(world, mjOBJ_BODY, 1);
  walk(world, mjOBJ_GEOM, 0);
  walk(world, mjOBJ_GEOM, 1);
  walk(a, mjOBJ_JOINT, 1);
  walk(a, mjOBJ_SITE, 1);
  walk(a, mjOBJ_CAMERA, 1);
  walk(a, mjOBJ_LIGHT, 1);
  expectError("first child of a kind that bodies do not have",
              [&] { show("found", nameOf(mjs_firstChild(a, mjOBJ_ACTUATOR, 1))); });
  show("child", nameOf(mjs_findChild(a, "d") ? mjs_findChild(a, "d")->element : nullptr));
  show("not a child", mjs_findChild(c, "d") == nullptr);
  show("not there", mjs_findBody(spec.get(), "nobody") == nullptr);
  show("element", nameOf(mjs_findElement(spec.get(), mjOBJ_JOINT, "joint")));
  show("element of another kind", mjs_findElement(spec.get(), mjOBJ_GEOM, "joint") == nullptr);
  show("parent", nameOf(mjs_getParent(site->element)->element));
  show("parent", nameOf(mjs_getParent(b->element)->element));
  show("spec", mjs_getSpec(site->element) == spec.get());
  show("id before compile", mjs_getId(c->element));
  Model m = compile(spec.get());
  show("ids", mjs_getId(c->element));
  show("ids", mjs_getId(site->element));
  show("ids", mjs_getId(free_joint->element));
  std::printf("elements:");
  for (mjsElement* e = mjs_firstElement(spec.get(), mjOBJ_BODY); e;
       e = mjs_nextElement(spec.get(), e)) {
    std::printf(" %s", nameOf(e));
  }
  std::printf("\n");
  show("none of these", mjs_firstElement(spec.get(), mjOBJ_TENDON) == nullptr);
}

static void names() {
  title("names");
  Spec spec(mj_makeSpec());
  mjsBody* world = mjs_findBody(spec.get(), "world");
  mjsBody* a = addBody(world, "a", 0);
  mjsBody* b = addBody(world, "b", 0);
  int code = mjs_setName(b->element, "a");
  show("same name", code);
  show("error", mjs_getError(spec.get()));
  show("name now", nameOf(b->element));
  show("rename", mjs_setName(a->element, "z"));
  show("old", mjs_findBody(spec.get(), "a") == nullptr);
  show("new", mjs_findBody(spec.get(), "z") == a);
  show("world", mjs_setName(world->element, "mundo"));
  show("error", mjs_getError(spec.get()));
  show("unnamed", mjs_setName(b->element, ""));
  Model m = compile(spec.get());
  if (m) show("ngeom", m->ngeom);
}

static void frames() {
  title("frames");
  Spec spec(mj_makeSpec());
  mjsBody* world = mjs_findBody(spec.get(), "world");
  mjsFrame* outer = mjs_addFrame(world, nullptr);
  mjs_setName(outer->element, "outer");
  outer->pos[0] = 1;
  mjsFrame* inner = mjs_addFrame(world, outer);
  mjs_setName(inner->element, "inner");
  inner->pos[1] = 2;
  inner->alt.type = mjORIENTATION_EULER;
  inner->alt.euler[2] = 90;
  mjsBody* body = addBody(world, "body", 1);
  show("set frame", mjs_setFrame(body->element, inner));
  show("frame", nameOf(mjs_getFrame(body->element)->element));
  show("frame of frame", nameOf(mjs_getFrame(inner->element)->element));
  show("frame of outer", mjs_getFrame(outer->element) == nullptr);
  show("found", nameOf(mjs_findFrame(spec.get(), "inner")->element));
  show("missing", mjs_findFrame(spec.get(), "x") == nullptr);
  show("found as element", nameOf(mjs_findElement(spec.get(), mjOBJ_FRAME, "outer")));
  walk(world, mjOBJ_FRAME, 0);
  Model m = compile(spec.get());
  show("pos", m->body_pos + 3, 3);
  show("quat", m->body_quat + 4, 4);
  show("frame of geom", mjs_getFrame(mjs_firstChild(body, mjOBJ_GEOM, 0)) == nullptr);
  // a body becomes a frame
  mjsBody* child = addBody(body, "child", 3);
  child->pos[2] = 1;
  mjsBody* gone = body;
  mjsFrame* frame = mjs_bodyToFrame(&gone);
  show("body pointer", gone == nullptr);
  show("frame", frame != nullptr);
  show("frame name", frame ? nameOf(frame->element) : "");
  m = compile(spec.get());
  if (m) {
    show("nbody", m->nbody);
    show("pos", m->body_pos, 3 * (int)m->nbody);
    show("geoms", m->geom_pos, 3 * (int)m->ngeom);
  }
  // of another body
  mjsFrame* elsewhere = mjs_addFrame(child, nullptr);
  show("other body", mjs_setFrame(inner->element, elsewhere));
  show("error", mjs_getError(spec.get()));
}

static void defaults() {
  title("defaults");
  Spec spec(mj_makeSpec());
  mjsDefault* main = mjs_getSpecDefault(spec.get());
  show("main", nameOf(main->element));
  main->geom->size[0] = 0.3;
  mjsDefault* red = mjs_addDefault(spec.get(), "red", main);
  red->geom->rgba[1] = red->geom->rgba[2] = 0;
  red->joint->damping = 2;
  mjsDefault* dark = mjs_addDefault(spec.get(), "dark", red);
  dark->geom->rgba[0] = 0.2f;
  show("twice", mjs_addDefault(spec.get(), "red", main) == nullptr);
  show("error", mjs_getError(spec.get()));
  show("found", nameOf(mjs_findDefault(spec.get(), "dark")->element));
  show("missing", mjs_findDefault(spec.get(), "none") == nullptr);
  mjsBody* body = mjs_addBody(mjs_findBody(spec.get(), "world"), nullptr);
  mjsGeom* geom = mjs_addGeom(body, dark);
  mjsJoint* joint = mjs_addJoint(body, dark);
  show("class", nameOf(mjs_getDefault(geom->element)->element));
  show("class of body", nameOf(mjs_getDefault(body->element)->element));
  show("size", geom->size, 3);
  show("rgba", geom->rgba, 4);
  show("damping", joint->damping);
  mjsGeom* plain = mjs_addGeom(body, nullptr);
  show("class", nameOf(mjs_getDefault(plain->element)->element));
  mjs_setDefault(plain->element, red);
  show("class", nameOf(mjs_getDefault(plain->element)->element));
  show("rgba", plain->rgba, 4);
  Model m = compile(spec.get());
  show("rgba", m->geom_rgba, 4 * (int)m->ngeom);
  mjs_setString(body->childclass, "dark");
  show("child class", mjs_getString(body->childclass));
  mjsActuator* actuator = mjs_addActuator(spec.get(), red);
  show("class of actuator", nameOf(mjs_getDefault(actuator->element)->element));
}

template <typename T>
void cast(const char* name, T* (*as)(mjsElement*), mjsElement* right, mjsElement* wrong) {
  T* item = as(right);
  std::printf("as %s: %d %d\n", name, item && item->element == right, as(wrong) == nullptr);
}

static void casts() {
  title("casts");
  Spec spec(mj_makeSpec());
  mjSpec* s = spec.get();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), nullptr);
  mjsElement *e = body->element, *t = mjs_addText(s)->element;
  cast("body", mjs_asBody, e, t);
  cast("geom", mjs_asGeom, mjs_addGeom(body, nullptr)->element, e);
  cast("joint", mjs_asJoint, mjs_addJoint(body, nullptr)->element, e);
  cast("site", mjs_asSite, mjs_addSite(body, nullptr)->element, e);
  cast("camera", mjs_asCamera, mjs_addCamera(body, nullptr)->element, e);
  cast("light", mjs_asLight, mjs_addLight(body, nullptr)->element, e);
  cast("frame", mjs_asFrame, mjs_addFrame(body, nullptr)->element, e);
  cast("actuator", mjs_asActuator, mjs_addActuator(s, nullptr)->element, e);
  cast("sensor", mjs_asSensor, mjs_addSensor(s)->element, e);
  cast("flex", mjs_asFlex, mjs_addFlex(s)->element, e);
  cast("pair", mjs_asPair, mjs_addPair(s, nullptr)->element, e);
  cast("equality", mjs_asEquality, mjs_addEquality(s, nullptr)->element, e);
  cast("exclude", mjs_asExclude, mjs_addExclude(s)->element, e);
  cast("tendon", mjs_asTendon, mjs_addTendon(s, nullptr)->element, e);
  cast("numeric", mjs_asNumeric, mjs_addNumeric(s)->element, e);
  cast("text", mjs_asText, t, e);
  cast("tuple", mjs_asTuple, mjs_addTuple(s)->element, e);
  cast("key", mjs_asKey, mjs_addKey(s)->element, e);
  cast("mesh", mjs_asMesh, mjs_addMesh(s, nullptr)->element, e);
  cast("hfield", mjs_asHField, mjs_addHField(s)->element, e);
  cast("skin", mjs_asSkin, mjs_addSkin(s)->element, e);
  cast("texture", mjs_asTexture, mjs_addTexture(s)->element, e);
  cast("material", mjs_asMaterial, mjs_addMaterial(s, nullptr)->element, e);
  cast("plugin", mjs_asPlugin, mjs_addPlugin(s)->element, e);
  show("cast of nothing", mjs_asBody(nullptr) == nullptr);
  show("types", body->element->elemtype);
  show("types", t->elemtype);
}

static void userValues() {
  title("user values");
  static int freed = 0;
  Spec spec(mj_makeSpec());
  mjsBody* body = mjs_addBody(mjs_findBody(spec.get(), "world"), nullptr);
  int value = 5;
  mjs_setUserValue(body->element, "key", &value);
  show("value", *static_cast<const int*>(mjs_getUserValue(body->element, "key")));
  show("missing", mjs_getUserValue(body->element, "other") == nullptr);
  mjs_deleteUserValue(body->element, "key");
  show("deleted", mjs_getUserValue(body->element, "key") == nullptr);
  auto cleanup = [](const void*) { freed++; };
  mjs_setUserValueWithCleanup(body->element, "a", &value, cleanup);
  mjs_setUserValueWithCleanup(body->element, "a", &value, cleanup);
  show("replaced", freed);
  mjs_setUserValueWithCleanup(body->element, "b", &value, cleanup);
  mjs_deleteUserValue(body->element, "b");
  show("deleted", freed);
  mjs_delete(spec.get(), body->element);
  spec.reset();
  show("spec deleted", freed);
}

static void orientations() {
  title("orientations");
  mjsOrientation o;
  mjs_defaultOrientation(&o);
  show("type", o.type);
  double quat[4] = {1, 0, 0, 0};
  o.type = mjORIENTATION_AXISANGLE;
  o.axisangle[0] = 1, o.axisangle[1] = 2, o.axisangle[2] = 0, o.axisangle[3] = 30;
  show("message", mjs_resolveOrientation(quat, 1, "xyz", &o));
  show("quat", quat, 4);
  o.type = mjORIENTATION_EULER;
  o.euler[0] = 10, o.euler[1] = 20, o.euler[2] = -30;
  for (const char* sequence : {"xyz", "XYZ", "zyx", "xYz", "abc"}) {
    show(sequence, mjs_resolveOrientation(quat, 1, sequence, &o));
    show("quat", quat, 4);
  }
  o.type = mjORIENTATION_XYAXES;
  double axes[6] = {1, 1, 0, -1, 2, 0.5};
  std::memcpy(o.xyaxes, axes, sizeof(axes));
  show("message", mjs_resolveOrientation(quat, 0, "xyz", &o));
  show("quat", quat, 4);
  std::memset(o.xyaxes, 0, sizeof(o.xyaxes));
  show("message", mjs_resolveOrientation(quat, 0, "xyz", &o));
  o.type = mjORIENTATION_ZAXIS;
  o.zaxis[0] = 1, o.zaxis[1] = 1, o.zaxis[2] = -1;
  show("message", mjs_resolveOrientation(quat, 0, "xyz", &o));
  show("quat", quat, 4);
  std::memset(o.zaxis, 0, sizeof(o.zaxis));
  show("message", mjs_resolveOrientation(quat, 0, "xyz", &o));
  o.type = mjORIENTATION_AXISANGLE;
  std::memset(o.axisangle, 0, sizeof(o.axisangle));
  show("message", mjs_resolveOrientation(quat, 0, "xyz", &o));
}

int main() {
  catchMessages();
  tree();
  names();
  frames();
  defaults();
  casts();
  userValues();
  orientations();
}
