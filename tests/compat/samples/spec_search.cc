// Finding elements and going through them: what has no name, what is no child, what no list holds; compiling again
// without a model, resets with open frames, ranges of lengths.
#include "sample.h"

static const char kModel[] =
    "<mujoco><default><default class='c'/></default><worldbody><frame><geom size='1'/></frame>"
    "<body><geom size='1'/><joint/><site/><camera/><light/></body><body name='b'><joint name='j'/>"
    "<geom size='1' name='g'/><geom size='1' name='g2'/><body name='bb'><geom name='gg' size='1'/>"
    "</body></body></worldbody><actuator><motor joint='j'/></actuator><sensor><clock/></sensor>"
    "<keyframe><key/></keyframe><contact><exclude body1='b' body2='bb'/></contact>"
    "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>"
    "<equality><joint joint1='j'/></equality></mujoco>";

// the first element without a name answers to the empty one
static void unnamed() {
  title("unnamed");
  Spec spec = parse(kModel);
  mjSpec* s = spec.get();
  for (int type : {mjOBJ_BODY, mjOBJ_JOINT, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_CAMERA, mjOBJ_LIGHT,
                   mjOBJ_MESH, mjOBJ_EXCLUDE, mjOBJ_EQUALITY, mjOBJ_TENDON, mjOBJ_ACTUATOR,
                   mjOBJ_SENSOR, mjOBJ_KEY, mjOBJ_NUMERIC, mjOBJ_FRAME}) {
    mjsElement* e = mjs_findElement(s, static_cast<mjtObj>(type), "");
    std::printf("%d: %d first %d\n", type, e ? static_cast<int>(e->elemtype) : -1,
                e == mjs_firstElement(s, static_cast<mjtObj>(type)));
  }
  mjsBody* world = mjs_findBody(s, "world");
  show("body", mjs_findBody(s, "") != nullptr);
  show("frame", mjs_findFrame(s, "") != nullptr);
  show("child", mjs_findChild(world, "") != nullptr);
  show("child of b", mjs_findChild(mjs_findBody(s, "b"), "") != nullptr);
  show("itself", mjs_findChild(mjs_findBody(s, "b"), "b") != nullptr);
  show("class", mjs_findDefault(s, "") != nullptr);
  show("spec", mjs_findSpec(s, "") != nullptr);
  show("inertial bodies", mjs_firstElement(s, mjOBJ_XBODY) != nullptr);
  show("classes", mjs_firstElement(s, mjOBJ_DEFAULT) != nullptr);
}

static void next(const char* what, mjSpec* s, mjsBody* body, mjsElement* child) {
  for (int recurse = 0; recurse < 2; recurse++) {
    mjsElement* e = mjs_nextChild(body, child, recurse);
    std::printf("%s: %s '%s'\n", what, nameOf(e), mjs_getError(s));
  }
}

static void children() {
  title("children");
  Spec spec = parse(kModel);
  mjSpec* s = spec.get();
  mjsBody *world = mjs_findBody(s, "world"), *b = mjs_findBody(s, "b"), *bb = mjs_findBody(s, "bb");
  mjsElement* g = mjs_findElement(s, mjOBJ_GEOM, "g");
  next("of another body", s, bb, g);
  next("deeper", s, world, g);
  next("itself", s, b, b->element);
  next("last", s, world, bb->element);
  next("the world", s, b, world->element);
  next("sensor", s, world, mjs_firstElement(s, mjOBJ_SENSOR));
  for (int type = 0; type < 26; type++) {
    Spec fresh = parse(kModel);
    mjsBody* body = mjs_findBody(fresh.get(), "b");
    mjsElement* e = mjs_firstChild(body, static_cast<mjtObj>(type), type & 1);
    std::printf("%d: %s '%s' %d\n", type, nameOf(e), mjs_getError(fresh.get()),
                mjs_isWarning(fresh.get()));
  }
}

static void frames() {
  title("frames");
  Spec spec = parse(kModel);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(spec.get(), "world"), nullptr);
  mjsElement *b = mjs_findBody(spec.get(), "b")->element,
             *bb = mjs_findBody(spec.get(), "bb")->element;
  show("other parent", mjs_setFrame(bb, frame));
  show("error", mjs_getError(spec.get()));
  show("set", mjs_setFrame(b, frame));
  show("none", mjs_setFrame(b, nullptr));
  show("kept", mjs_getFrame(b) == frame);
}

static void recompile() {
  title("recompile");
  Spec spec = parse(kModel);
  show("check", mj_recompile(spec.get(), nullptr, nullptr, nullptr));
  Model m = compile(spec.get());
  show("without data", mj_recompile(spec.get(), nullptr, m.get(), nullptr));
  mjs_addGeom(mjs_findBody(spec.get(), "b"), nullptr)->size[0] = -1;
  show("bad", mj_recompile(spec.get(), nullptr, nullptr, nullptr));
  show("error", mjs_getError(spec.get()));
}

// a reset closes the frames that an error handler has left open
static void reset() {
  title("reset");
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  for (int kind = 0; kind < 3; kind++) {
    mj_markStack(d.get());
    mj_stackAllocNum(d.get(), 10);
    mj_markStack(d.get());
    if (kind == 0) mj_resetData(m.get(), d.get());
    if (kind == 1) mj_resetDataDebug(m.get(), d.get(), 3);
    if (kind == 2) mj_resetDataKeyframe(m.get(), d.get(), 0);
    std::printf("stack %d base %d use %d\n", (int)d->pstack, (int)d->pbase, (int)d->maxuse_stack);
    mj_freeStack(d.get());
    mj_step(m.get(), d.get());
    show("after a step", (int)d->pstack);
  }
}

// by the program with the model's own options, by the compiler without gravity and springs
static void lengthRanges() {
  title("length ranges");
  for (const char* joint : {"", "type='slide'", "type='slide' damping='1'", "range='-1 1'",
                            "type='slide' range='-1 1'", "type='slide' stiffness='3'"}) {
    for (const char* mode : {"all", "muscle"}) {
      Model m = load(
          (std::string("<mujoco><compiler><lengthrange mode='") + mode +
           "'/></compiler><worldbody><body><joint name='j' axis='1 0 0' " + joint +
           "/><geom size='.1' pos='0 .2 0'/><site name='a' pos='.1 .2 .3'/></body><site name='w' "
           "pos='.3 .3 .3'/></worldbody><tendon><spatial name='t'><site site='a'/><site site='w'/>"
           "</spatial></tendon><actuator><motor joint='j'/><muscle joint='j'/><motor tendon='t'/>"
           "</actuator></mujoco>")
              .c_str());
      if (!m) continue;  // where nothing limits the length
      show("compiled", m->actuator_lengthrange, 2 * (int)m->nu);
      Data d(mj_makeData(m.get()));
      mjLROpt options;
      mj_defaultLROpt(&options);
      options.mode = mjLRMODE_ALL;
      options.useexisting = 0;
      for (int i = 0; i < m->nu; i++) {
        char error[300] = "";
        show("again", mj_setLengthRange(m.get(), d.get(), i, &options, error, sizeof(error)));
        show("error", error);
        show("range", m->actuator_lengthrange + 2 * i, 2);
      }
    }
  }
}

int main() {
  catchMessages();
  unnamed();
  children();
  frames();
  recompile();
  reset();
  lengthRanges();
}
