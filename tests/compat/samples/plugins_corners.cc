// Plugins: the stage of sensors, instances made by programs, what remains of them after deletion, failures.
#include "sample.h"

static int computed[4];

static mjpPlugin base(const char* name, int capability) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = name;
  plugin.capabilityflags = capability;
  plugin.nstate = +[](const mjModel*, int) { return 0; };
  plugin.init = +[](const mjModel*, mjData*, int) { return 0; };
  plugin.destroy = +[](mjData*, int) {};
  plugin.reset = +[](const mjModel*, mjtNum*, void*, int) {};
  return plugin;
}

static void registerAll() {
  mjpPlugin sensor = base("corner.sensor", mjPLUGIN_SENSOR);
  show("needstage", (int)sensor.needstage);
  sensor.nsensordata = +[](const mjModel*, int, int) { return 2; };
  sensor.compute = +[](const mjModel* m, mjData* d, int instance, int capability) {
    computed[0]++;
    if (capability != mjPLUGIN_SENSOR) std::printf("capability %d\n", capability);
    for (int i = 0; i < m->nsensor; i++) {
      if (m->sensor_plugin[i] != instance) continue;
      d->sensordata[m->sensor_adr[i]] = 5;
      d->sensordata[m->sensor_adr[i] + 1] = d->qpos[0];
    }
  };
  mjp_registerPlugin(&sensor);
  mjpPlugin actuator = base("corner.actuator", mjPLUGIN_ACTUATOR);
  static const char* names[] = {"k"};
  actuator.nattribute = 1;
  actuator.attributes = names;
  actuator.compute = +[](const mjModel* m, mjData* d, int instance, int) {
    for (int i = 0; i < m->nu; i++) {
      if (m->actuator_plugin[i] == instance) d->actuator_force[i] = 3;
    }
  };
  mjp_registerPlugin(&actuator);
  mjpPlugin passive = base("corner.passive", mjPLUGIN_PASSIVE);
  passive.compute = +[](const mjModel*, mjData* d, int, int) { d->qfrc_passive[0] += 1; };
  mjp_registerPlugin(&passive);
  mjpPlugin failing = base("corner.failing", mjPLUGIN_PASSIVE);
  failing.init = +[](const mjModel*, mjData*, int) {
    mju_warning("one");
    mju_warning("two");
    return -1;
  };
  failing.compute = +[](const mjModel*, mjData*, int, int) {};
  mjp_registerPlugin(&failing);
}

static const char kBody[] =
    "<worldbody><body name='b'><joint name='j' type='slide'/><geom size='1'/></body></worldbody>";

static void sensors() {
  title("sensors");
  Model m = load((std::string("<mujoco><extension><plugin plugin='corner.sensor'><instance "
                              "name='i'/></plugin></extension>") +
                  kBody +
                  "<sensor><plugin instance='i' cutoff='1'/><jointpos joint='j'/><plugin "
                  "instance='i'/></sensor></mujoco>")
                     .c_str());
  if (!m) return;
  show("needstage", m->sensor_needstage, m->nsensor);
  Data d(mj_makeData(m.get()));
  d->qpos[0] = 0.5;
  computed[0] = 0;
  mj_forward(m.get(), d.get());
  show("computed", computed[0]);
  show("data", d->sensordata, m->nsensordata);
  mj_resetData(m.get(), d.get());
  mj_fwdPosition(m.get(), d.get());
  mj_sensorVel(m.get(), d.get());
  mj_sensorAcc(m.get(), d.get());
  show("data", d->sensordata, m->nsensordata);
  mj_sensorPos(m.get(), d.get());
  show("data", d->sensordata, m->nsensordata);
  show("computed", computed[0]);
}

static void made() {
  title("made by the program");
  Spec spec =
      parse((std::string("<mujoco><extension><plugin plugin='corner.passive'/></extension>") +
             kBody + "</mujoco>")
                .c_str());
  mjsBody* body = mjs_findBody(spec.get(), "b");
  mjsPlugin* own = mjs_addPlugin(spec.get());
  body->plugin.active = 1;
  body->plugin.element = own->element;
  compile(spec.get());
  mjs_setString(body->plugin.plugin_name, "corner.passive");
  Model m = compile(spec.get());
  if (!m) return;
  show("plugins", (int)m->nplugin);
  show("of body", m->body_plugin, m->nbody);
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  show("force", d->qfrc_passive, 1);
  mjs_setString(body->plugin.plugin_name, "corner.sensor");
  compile(spec.get());
}

static void deleted() {
  title("after deletion");
  const std::string xml =
      std::string(
          "<mujoco model='c'><extension><plugin plugin='corner.actuator'><instance "
          "name='i'/><instance name='free'/></plugin>"
          "</extension>") +
      kBody + "<actuator><plugin name='a' joint='j' instance='i'/></actuator></mujoco>";
  Spec spec = parse(xml.c_str());
  Model m = compile(spec.get());
  if (m) show("plugins", (int)m->nplugin);
  show("delete", mjs_delete(spec.get(), mjs_findElement(spec.get(), mjOBJ_ACTUATOR, "a")));
  m = compile(spec.get());
  if (m) show("plugins", (int)m->nplugin);
  Spec parent = parse("<mujoco/>"), child = parse(xml.c_str());
  mjs_setDeepCopy(parent.get(), 1);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent.get(), "world"), nullptr);
  mjs_attach(frame->element, mjs_findBody(child.get(), "b")->element, "x-", "");
  m = compile(parent.get());
  if (m) show("plugins", (int)m->nplugin);
  for (mjsElement* e = mjs_firstElement(parent.get(), mjOBJ_PLUGIN); e;
       e = mjs_nextElement(parent.get(), e)) {
    show(nameOf(e), mjs_getId(e));
  }
  if (m) show("actuators", (int)m->nu);
  show("delete", mjs_delete(parent.get(), mjs_findBody(parent.get(), "x-b")->element));
  m = compile(parent.get());
  if (m) show("plugins", (int)m->nplugin);
  if (m) show("actuators", (int)m->nu);
}

static void failing() {
  title("failing");
  expectError("library", [] { mj_loadPluginLibrary("/none.so"); });
  Model m = load(
      (std::string("<mujoco><extension><plugin "
                   "plugin='corner.failing'/></extension><worldbody><body><joint/><geom size='1'/>"
                   "<plugin plugin='corner.failing'/></body></worldbody></mujoco>"))
          .c_str());
  show("model", m != nullptr);
  m = load((std::string("<mujoco><extension><plugin plugin='corner.actuator'/></extension>") +
            kBody +
            "<actuator><plugin joint='j' plugin='corner.actuator'><config key='foo' "
            "value='1'/></plugin></actuator></mujoco>")
               .c_str());
  m = load((std::string("<mujoco>") + kBody +
            "<actuator><plugin joint='j' plugin='corner.actuator'/></actuator></mujoco>")
               .c_str());
  m = load((std::string(
                "<mujoco><extension><plugin plugin='corner.actuator'/></extension><worldbody><body "
                "name='q'><geom size='1'/>"
                "<plugin plugin='corner.actuator'/></body></worldbody></mujoco>"))
               .c_str());
  m = load("<mujoco><extension><plugin plugin='corner.none'/></extension></mujoco>");
}

int main() {
  catchMessages();
  registerAll();
  sensors();
  made();
  deleted();
  failing();
}
