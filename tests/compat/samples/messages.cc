// Errors and warnings: what programs see of wrong calls, handlers, counters, memory hooks.
#include "sample.h"

static const char* const kModel = R"(
<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="b" pos="0 0 1"><joint name="j" type="slide"/>
<geom name="g" size="0.1"/></body></worldbody><actuator><motor name="m" joint="j"/></actuator>
<sensor><jointpos joint="j"/></sensor><keyframe><key/></keyframe></mujoco>)";

static void calls() {
  title("wrong calls");
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  mjtNum numbers[100] = {0}, point[3] = {0, 0, 0};
  expectError("implicit with Euler", [&] { mj_implicit(m.get(), d.get()); });
  expectError("history of ctrl",
              [&] { mj_initCtrlHistory(m.get(), d.get(), 0, nullptr, numbers); });
  expectError("history of ctrl",
              [&] { mj_initCtrlHistory(m.get(), d.get(), 5, nullptr, numbers); });
  expectError("history of sensor",
              [&] { mj_initSensorHistory(m.get(), d.get(), 0, nullptr, numbers, 0); });
  expectError("history of sensor",
              [&] { mj_initSensorHistory(m.get(), d.get(), 5, nullptr, numbers, 0); });
  expectError("force", [&] { mj_applyFT(m.get(), d.get(), point, nullptr, point, 20, numbers); });
  expectError("jacobian of body", [&] { mj_jacBody(m.get(), d.get(), numbers, nullptr, 1); });
  expectError("warning", [&] { mj_warning(d.get(), -1, 0); });
  expectError("warning", [&] { mj_warning(d.get(), mjNWARNING, 0); });
  expectError("euler", [&] { mju_euler2Quat(numbers, point, "xy"); });
  expectError("euler", [&] { mju_euler2Quat(numbers, point, "xyq"); });
  expectError("rk4 derivative", [&] {
    m->opt.integrator = mjINT_RK4;
    mjd_transitionFD(m.get(), d.get(), 1e-6, 0, numbers, nullptr, nullptr, nullptr);
  });
  expectError("rk4 inverse derivative", [&] {
    mjd_inverseFD(m.get(), d.get(), 1e-6, 0, numbers, nullptr, nullptr, nullptr, nullptr, nullptr,
                  nullptr);
  });
  expectError("discrete inverse with rk4", [&] {
    m->opt.enableflags |= mjENBL_INVDISCRETE;
    mj_inverse(m.get(), d.get());
  });
  m->opt.enableflags = 0;
  expectError("noslip inverse derivative", [&] {
    m->opt.integrator = mjINT_EULER;
    m->opt.noslip_iterations = 3;
    mjd_inverseFD(m.get(), d.get(), 1e-6, 0, numbers, nullptr, nullptr, nullptr, nullptr, nullptr,
                  nullptr);
  });
  m->opt.noslip_iterations = 0;
  expectError("unknown integrator", [&] {
    m->opt.integrator = 17;
    mj_step(m.get(), d.get());
  });
  m->opt.integrator = 0;
  d.reset(mj_makeData(m.get()));
  expectError("unknown solver", [&] {
    m->opt.solver = 17;
    d->qpos[0] = -0.95;
    mj_forward(m.get(), d.get());
  });
  m->opt.solver = mjSOL_NEWTON;
  d.reset(mj_makeData(m.get()));
  Model other =
      load("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  Data small(mj_makeData(other.get()));
  expectError("own error", [&] { mju_error("number %d and text %s", 5, "abc"); });
  expectError("own error", [&] { mju_error_i("number %d", 5); });
  expectError("own error", [&] { mju_error_s("text %s", "abc"); });
  mju_warning("warning %d %s", 3, "x");
  mju_warning_i("warning %d", 3);
  mju_warning_s("warning %s", "x");
  for (int i = 0; i < 3; i++) mj_warning(d.get(), mjWARN_INERTIA, 4);
  show("counted", d->warning[mjWARN_INERTIA].number);
  show("last", d->warning[mjWARN_INERTIA].lastinfo);
}

static void divergence() {
  title("divergence");
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  d->qpos[0] = 1e20;
  mj_step(m.get(), d.get());
  show("reset", d->qpos[0]);
  d->qvel[0] = -1e20;
  mj_step(m.get(), d.get());
  d->qfrc_applied[0] = 1e30;
  mj_step(m.get(), d.get());
  d->qfrc_applied[0] = 0;
  d->ctrl[0] = 1e20;
  mj_step(m.get(), d.get());
  for (int i = 0; i < mjNWARNING; i++)
    std::printf("%d: %d %d\n", i, d->warning[i].number, d->warning[i].lastinfo);
  m->opt.disableflags |= mjDSBL_AUTORESET;
  d->ctrl[0] = 0;
  d->qpos[0] = 1e20;
  mj_step(m.get(), d.get());
  show("kept", d->qpos[0] > 1e10);
}

static int allocated;

static void memory() {
  title("memory");
  mju_user_malloc = [](size_t size) {
    allocated++;
    return std::aligned_alloc(64, (size + 63) / 64 * 64);
  };
  mju_user_free = [](void* p) {
    if (p) allocated--;
    std::free(p);
  };
  void* p = mju_malloc(100);
  show("aligned", reinterpret_cast<uintptr_t>(p) % 64);
  show("counted", allocated);
  mju_free(p);
  show("balanced", allocated);
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  mj_step(m.get(), d.get());
  d.reset();
  m.reset();
  show("balanced", allocated);
  mju_clearHandlers();
  show("cleared",
       mju_user_malloc == nullptr && mju_user_error == nullptr && mju_user_warning == nullptr);
  catchMessages();
  mju_free(nullptr);
}

static void callbacks() {
  title("callbacks");
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  static int passive, control, filter, sensor;
  mjcb_passive = [](const mjModel*, mjData* data) {
    passive++;
    data->qfrc_passive[0] += 1;
  };
  mjcb_control = [](const mjModel*, mjData* data) {
    control++;
    data->ctrl[0] = 2;
  };
  mjcb_contactfilter = [](const mjModel*, mjData*, int, int) {
    filter++;
    return 1;
  };
  mjcb_sensor = [](const mjModel*, mjData*, int stage) { sensor += stage; };
  mjcb_time = [] { return 5.0; };
  d->qpos[0] = -0.95;
  mj_forward(m.get(), d.get());
  show("calls", control > 0 && passive > 0);
  show("filter", filter);
  show("ncon", d->ncon);
  show("force", d->qfrc_passive[0]);
  show("ctrl", d->ctrl[0]);
  mj_resetCallbacks();
  show("reset",
       !mjcb_passive && !mjcb_control && !mjcb_contactfilter && !mjcb_sensor && !mjcb_time);
  mj_forward(m.get(), d.get());
  show("ncon", d->ncon);
}

static void loading() {
  title("loading");
  const char* const bad[] = {
      "<mujoco><worldbody><geom/></worldbody></mujoco>",
      "<mujoco><worldbody><geom size='x'/></worldbody></mujoco>",
      "<mujoco><worldbody><geom size='1 2 3 4'/></worldbody></mujoco>",
      "<mujoco><worldbody><bad/></worldbody></mujoco>",
      "<mujoco><worldbody><geom bad='1' size='1'/></worldbody></mujoco>",
      "<mujoco><worldbody><geom type='mesh' mesh='none'/></worldbody></mujoco>",
      "<mujoco><worldbody><body name='a'/><body name='a'/></worldbody></mujoco>",
      "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
      "<mujoco><worldbody><joint/></worldbody></mujoco>",
      "<mujoco><worldbody><body><joint range='1 0' limited='true'/><geom "
      "size='1'/></body></worldbody></mujoco>",
      "<mujoco><actuator><motor joint='none'/></actuator></mujoco>",
      "<mujoco><sensor><jointpos joint='none'/></sensor></mujoco>",
      "<mujoco><option timestep='-1'/></mujoco>",
      "<mujoco><include file='none.xml'/></mujoco>",
      "<mujoco><default class='x'/></mujoco>",
      "<mujoco><worldbody><geom class='none' size='1'/></worldbody></mujoco>",
      "<mujoco><equality><weld body1='a'/></equality></mujoco>",
      "<mujoco><contact><pair geom1='a' geom2='b'/></contact></mujoco>",
      "<mujoco><extension><plugin plugin='none'/></extension></mujoco>",
      "<mujoco><size njmax='x'/></mujoco>",
      "<mujoco><worldbody><site name='s'/></worldbody><tendon><spatial name='t'><site site='s'/>\n"
      "<site site='none'/></spatial></tendon></mujoco>",
      "<mujoco><worldbody><site name='s'/></worldbody><tendon><spatial name='t'><site site='s'/>\n"
      "<geom geom='none'/><site site='s'/></spatial></tendon></mujoco>",
      "<mujoco><worldbody><site name='s'/><geom name='g' size='1'/></worldbody><tendon><spatial>\n"
      "<site site='s'/><geom geom='g' sidesite='none'/><site "
      "site='s'/></spatial></tendon></mujoco>",
      "<mujoco><worldbody><site name='s'/><site name='r'/></worldbody><tendon><spatial>\n"
      "<site site='s'/><site site='r'/><pulley divisor='-1'/><site site='s'/><site site='r'/>"
      "</spatial></tendon></mujoco>",
      "<mujoco><tendon><fixed name='f'><joint joint='none' coef='1'/></fixed></tendon></mujoco>",
      "<mujoco><keyframe><key/><key name='k' qpos='1 2'/></keyframe></mujoco>",
      "<mujoco><keyframe><key/><key ctrl='1 2'/></keyframe></mujoco>",
      "<mujoco><keyframe><key mpos='1 2 3'/></keyframe></mujoco>",
  };
  for (const char* xml : bad) {
    char error[1000] = "";
    Spec spec(mj_parseXMLString(xml, nullptr, error, sizeof(error)));
    if (!spec) {
      show("parse", error);
      continue;
    }
    Model m(mj_compile(spec.get(), nullptr));
    show(m ? "loaded" : "compile", m ? "" : mjs_getError(spec.get()));
  }
  char tiny[10] = "";
  show("tiny", mj_parseXMLString("<foo/>", nullptr, tiny, sizeof(tiny)) == nullptr);
  show("cut", std::strlen(tiny));
}

int main() {
  catchMessages();
  calls();
  divergence();
  memory();
  callbacks();
  loading();
}
