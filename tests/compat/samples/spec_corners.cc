// Editing specs: keyframes of attached models, attachment by reference, deletion, body to frame.
#include "sample.h"

static void showKeys(const mjModel* m) {
  if (!m) return;
  for (int i = 0; i < m->nkey; i++) {
    std::printf("key '%s'", m->names + m->name_keyadr[i]);
    show(" qpos", m->key_qpos + i * m->nq, m->nq);
    if (m->nu) show("  ctrl", m->key_ctrl + i * m->nu, m->nu);
    if (m->nmocap) show("  mpos", m->key_mpos + i * 3 * m->nmocap, 3 * m->nmocap);
  }
}

static void showNames(const mjModel* m) {
  if (!m) return;
  for (int i = 0; i < m->nbody; i++) std::printf("body '%s'\n", m->names + m->name_bodyadr[i]);
  for (int i = 0; i < m->ngeom; i++) std::printf("geom '%s'\n", m->names + m->name_geomadr[i]);
}

static std::string child(const char* name, const char* key, const char* qpos) {
  return std::string("<mujoco model='") + name + "'><worldbody><body name='" + name +
         "'><joint name='" + name +
         "j' type='slide'/><geom size='1'/></body></worldbody><keyframe><key name='" + key +
         "' qpos='" + qpos + "'/></keyframe></mujoco>";
}

static mjsFrame* newFrame(mjSpec* spec) {
  return mjs_addFrame(mjs_findBody(spec, "world"), nullptr);
}

static const char kParent[] =
    "<mujoco model='P'><worldbody><body name='p'><joint type='slide'/><geom "
    "size='1'/></body></worldbody></mujoco>";

static void nested(int compileBetween, int deep) {
  title("nested keyframes");
  show("compiled between", compileBetween);
  Spec parent = parse(kParent), c = parse(child("C", "a", "7").c_str()),
       g = parse(child("G", "b", "8").c_str());
  mjs_setDeepCopy(parent.get(), deep);
  mjs_setDeepCopy(c.get(), deep);
  show("attach", mjs_attach(newFrame(c.get())->element, mjs_findBody(g.get(), "G")->element, "g-",
                            "") != nullptr);
  if (compileBetween) showKeys(compile(c.get()).get());
  show("attach", mjs_attach(newFrame(parent.get())->element, mjs_findBody(c.get(), "C")->element,
                            "c-", "") != nullptr);
  Model m = compile(parent.get());
  showKeys(m.get());
  showNames(m.get());
}

// the whole child, not only its body
static void nestedModel(int compileBetween, int deep) {
  title("nested models");
  show("compiled between", compileBetween);
  Spec parent = parse(kParent), c = parse(child("C", "a", "7").c_str()),
       g = parse(child("G", "b", "8").c_str());
  mjs_setDeepCopy(parent.get(), deep);
  mjs_setDeepCopy(c.get(), deep);
  show("attach", mjs_attach(newFrame(c.get())->element, g->element, "g-", "") != nullptr);
  if (compileBetween) showKeys(compile(c.get()).get());
  show("attach", mjs_attach(newFrame(parent.get())->element, c->element, "c-", "") != nullptr);
  Model m = compile(parent.get());
  showKeys(m.get());
  showNames(m.get());
}

static void parts(int deep) {
  title("parts of one child");
  Spec parent = parse("<mujoco/>");
  Spec c = parse(
      "<mujoco model='c'><worldbody><body name='u'><joint type='slide'/><geom "
      "size='1'/></body><body name='v'>"
      "<joint type='slide'/><geom size='1'/></body></worldbody><keyframe><key name='h' qpos='5 "
      "6'/></keyframe></mujoco>");
  mjs_setDeepCopy(parent.get(), deep);
  mjs_attach(newFrame(parent.get())->element, mjs_findBody(c.get(), "u")->element, "x-", "");
  showKeys(compile(parent.get()).get());
  if (deep) {
    mjs_attach(newFrame(parent.get())->element, mjs_findBody(c.get(), "v")->element, "y-", "");
    showKeys(compile(parent.get()).get());
  }
}

// keyframes of the receiver take the new sizes at once
static void completed() {
  title("completed keyframes");
  Spec parent = parse(
      "<mujoco><worldbody><body name='p'><joint type='slide' ref='.1'/><geom "
      "size='1'/></body><body>"
      "<joint type='slide' ref='.2'/><geom size='1'/></body></worldbody><keyframe><key name='k' "
      "qpos='7 8' qvel='1 2'/></keyframe></mujoco>");
  Spec c = parse(
      "<mujoco model='c'><worldbody><body name='b'><joint type='ball'/><geom size='1'/></body>"
      "</worldbody></mujoco>");
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent.get(), "p"), nullptr);
  mjs_attach(frame->element, mjs_findBody(c.get(), "b")->element, "x-", "");
  const mjsKey* key = mjs_asKey(mjs_findElement(parent.get(), mjOBJ_KEY, "k"));
  int n = 0;
  const double* qpos = mjs_getDouble(key->qpos, &n);
  show("qpos", qpos, n);
  const double* qvel = mjs_getDouble(key->qvel, &n);
  show("qvel", qvel, n);
}

static void itself() {
  title("self-attachment");
  Spec spec = parse(
      "<mujoco><asset><material name='mat'/></asset><worldbody><body name='u'><joint name='j' "
      "type='slide'/>"
      "<geom size='1' material='mat'/></body><body name='mo' mocap='true'/></worldbody>"
      "<actuator><motor name='act' joint='j'/></actuator>"
      "<keyframe><key name='h' qpos='5' ctrl='7' mpos='1 2 3'/></keyframe></mujoco>");
  mjs_setDeepCopy(spec.get(), 1);
  mjsElement* e =
      mjs_attach(newFrame(spec.get())->element, mjs_findBody(spec.get(), "u")->element, "x-", "-s");
  show("name", nameOf(e));
  Model m = compile(spec.get());
  showKeys(m.get());
  showNames(m.get());
  if (m) show("materials", (int)m->nmat);
}

static void worldBody(int deep) {
  title("world body");
  Spec parent = parse(kParent);
  Spec c = parse(
      "<mujoco model='c'><worldbody><geom name='floor' type='plane' size='1 1 1'/><camera "
      "name='cam'/>"
      "<body name='u'><geom name='g' size='1'/></body></worldbody></mujoco>");
  mjs_setDeepCopy(parent.get(), deep);
  mjsElement* e = mjs_attach(newFrame(parent.get())->element,
                             mjs_findBody(c.get(), "world")->element, "x-", "-s");
  show("type", e ? (int)e->elemtype : -1);
  show("name", nameOf(e));
  mjsBody* body = mjs_asBody(e);
  Model m = compile(parent.get());
  showNames(m.get());
  if (!body) return;
  mjs_bodyToFrame(&body);
  show("gone", body == nullptr);
  m = compile(parent.get());
  showNames(m.get());
}

static void references() {
  title("by reference");
  mjSpec *parent = mj_makeSpec(),
         *c = mj_parseXMLString(child("C", "a", "7").c_str(), nullptr, nullptr, 0);
  mjsBody* body = mjs_findBody(c, "C");
  mjsElement* e = mjs_attach(newFrame(parent)->element, body->element, "x-", "");
  show("same element", e == body->element);
  show("found", mjs_findSpec(parent, "C") == c);
  mjSpec* copy = mj_copySpec(parent);
  show("in copy", mjs_findSpec(copy, "C") == c);
  mj_deleteSpec(copy);
  compile(c);
  mj_deleteSpec(parent);
  compile(c);
  mj_deleteSpec(c);
}

static void deletion() {
  title("delete");
  Spec spec = parse(
      "<mujoco><default><default class='a'><geom size='2'/><default class='b'><geom "
      "size='3'/></default></default>"
      "</default><worldbody><body name='u'><joint type='slide'/><geom class='b' "
      "name='g'/></body><body name='v'>"
      "<joint type='slide'/><geom class='a'/></body></worldbody><keyframe><key name='h' qpos='5 "
      "6'/></keyframe></mujoco>");
  show("null", mjs_delete(spec.get(), nullptr));
  show("error", mjs_getError(spec.get()));
  show("main", mjs_delete(spec.get(), mjs_getSpecDefault(spec.get())->element));
  show("error", mjs_getError(spec.get()));
  show("class", mjs_delete(spec.get(), mjs_findDefault(spec.get(), "a")->element));
  show("a", mjs_findDefault(spec.get(), "a") == nullptr);
  show("b", mjs_findDefault(spec.get(), "b") == nullptr);
  Model m = compile(spec.get());
  if (m) show("sizes", m->geom_size, 6);
  show("body", mjs_delete(spec.get(), mjs_findBody(spec.get(), "u")->element));
  show("keys seen", mjs_firstElement(spec.get(), mjOBJ_KEY) != nullptr);
  char text[4000], error[300] = "";
  show("write", mj_saveXMLString(spec.get(), text, sizeof(text), error, sizeof(error)));
  show("error", error);
  m = compile(spec.get());
  showKeys(m.get());
  error[0] = 0;
  show("write", mj_saveXMLString(spec.get(), text, sizeof(text), error, sizeof(error)) == 0);
}

static void sizes() {
  title("sizes");
  Spec parent = parse("<mujoco/>");
  Spec c = parse(
      "<mujoco model='c'><worldbody><body name='u'><joint type='slide'/><joint type='slide'/><geom "
      "size='1'/>"
      "</body></worldbody><keyframe><key name='h' qpos='5'/></keyframe></mujoco>");
  show("attached", mjs_attach(newFrame(parent.get())->element, mjs_findBody(c.get(), "u")->element,
                              "x", "") != nullptr);
  show("error", mjs_getError(parent.get()));
}

static void toFrame(int compiled) {
  title("body to frame");
  Spec spec = parse(
      "<mujoco><worldbody><body name='p'><joint/><body name='c' pos='1 0 0'><inertial pos='0 0 0' "
      "mass='2' "
      "diaginertia='1 2 2.5'/></body></body></worldbody></mujoco>");
  if (compiled) compile(spec.get());
  mjsBody* body = mjs_findBody(spec.get(), "c");
  mjs_bodyToFrame(&body);
  mjsBody* p = mjs_findBody(spec.get(), "p");
  show("explicit", (int)p->explicitinertial);
  if (!compiled) return;
  show("mass", p->mass);
  show("ipos", p->ipos, 3);
  show("full", p->fullinertia, 6);
  show("inertia", p->inertia, 3);
}

int main() {
  catchMessages();
  for (int deep = 0; deep < 2; deep++) {
    for (int between = 0; between < 2; between++) {
      nested(between, deep);
      nestedModel(between, deep);
    }
    parts(deep);
    worldBody(deep);
  }
  itself();
  completed();
  references();
  deletion();
  sizes();
  toFrame(0);
  toFrame(1);
}
