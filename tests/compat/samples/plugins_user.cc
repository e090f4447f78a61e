// Plugins of a program: registration, actuator, sensor, passive and distance-field capabilities, state.
#include "sample.h"

static int created, destroyed, resets, advances;

static mjpPlugin basic(const char* name, int capability) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = name;
  plugin.capabilityflags = capability;
  plugin.nstate = +[](const mjModel*, int) { return 1; };
  plugin.init = +[](const mjModel*, mjData* d, int instance) {
    created++;
    d->plugin_data[instance] = 7;
    return 0;
  };
  plugin.destroy = +[](mjData* d, int instance) {
    destroyed++;
    d->plugin_data[instance] = 0;
  };
  plugin.reset = +[](const mjModel*, mjtNum* state, void*, int) {
    resets++;
    state[0] = 0.5;
  };
  plugin.advance = +[](const mjModel* m, mjData* d, int instance) {
    advances++;
    d->plugin_state[m->plugin_stateadr[instance]] += 1;
  };
  return plugin;
}

static void registration() {
  title("registration");
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  show("blank", plugin.name == nullptr && plugin.nattribute == 0 && plugin.compute == nullptr);
  int before = mjp_pluginCount();
  mjpPlugin act = basic("mine.actuator", mjPLUGIN_ACTUATOR);
  static const char* attributes[] = {"gain"};
  act.nattribute = 1;
  act.attributes = attributes;
  act.compute = +[](const mjModel* m, mjData* d, int instance, int capability) {
    for (int i = 0; i < m->nu; i++) {
      if (m->actuator_plugin[i] == instance) {
        const char* gain = mj_getPluginConfig(m, instance, "gain");
        d->actuator_force[i] = (gain && *gain ? std::atof(gain) : 1) * d->ctrl[i] + capability;
      }
    }
  };
  act.actuator_act_dot = nullptr;
  int slot = mjp_registerPlugin(&act);
  show("slot", slot - before);
  show("same", mjp_registerPlugin(&act) - slot);
  show("count", mjp_pluginCount() - before);
  int found = -1;
  show("found", mjp_getPlugin("mine.actuator", &found) != nullptr);
  show("slot", found - slot);
  show("none", mjp_getPlugin("none", &found) == nullptr);
  show("slot", found);
  show("by slot", mjp_getPluginAtSlot(slot)->name);
  show("beyond", mjp_getPluginAtSlot(1000) == nullptr);
  show("below", mjp_getPluginAtSlot(-1) == nullptr);
  mjpPlugin sensor = basic("mine.sensor", mjPLUGIN_SENSOR);
  sensor.needstage = mjSTAGE_VEL;
  sensor.nsensordata = +[](const mjModel*, int, int) { return 2; };
  sensor.compute = +[](const mjModel* m, mjData* d, int instance, int) {
    for (int i = 0; i < m->nsensor; i++) {
      if (m->sensor_type[i] == mjSENS_PLUGIN && m->sensor_plugin[i] == instance) {
        d->sensordata[m->sensor_adr[i]] = d->time;
        d->sensordata[m->sensor_adr[i] + 1] = d->plugin_state[m->plugin_stateadr[instance]];
      }
    }
  };
  mjp_registerPlugin(&sensor);
  mjpPlugin passive = basic("mine.passive", mjPLUGIN_PASSIVE);
  passive.compute = +[](const mjModel*, mjData* d, int, int) { d->qfrc_passive[0] -= d->qpos[0]; };
  mjp_registerPlugin(&passive);
  mjpPlugin field = basic("mine.field", mjPLUGIN_SDF);
  field.nstate = +[](const mjModel*, int) { return 0; };
  field.reset = nullptr;
  field.advance = nullptr;
  field.compute = +[](const mjModel*, mjData*, int, int) {};
  field.sdf_distance = +[](const mjtNum p[3], const mjData*, int) { return mju_norm3(p) - 0.3; };
  field.sdf_gradient = +[](mjtNum g[3], const mjtNum p[3], const mjData*, int) {
    mju_copy3(g, p);
    mju_normalize3(g);
  };
  field.sdf_staticdistance = +[](const mjtNum p[3], const mjtNum*) { return mju_norm3(p) - 0.3; };
  field.sdf_attribute = +[](mjtNum*, const char**, const char**) {};
  field.sdf_aabb = +[](mjtNum aabb[6], const mjtNum*) {
    aabb[0] = aabb[1] = aabb[2] = 0;
    aabb[3] = aabb[4] = aabb[5] = 0.3;
  };
  mjp_registerPlugin(&field);
}

static void simulation() {
  title("simulation");
  Model m =
      load(R"(<mujoco><extension><plugin plugin="mine.actuator"/><plugin plugin="mine.sensor"/>
    <plugin plugin="mine.passive"><instance name="shared"/></plugin></extension>
    <worldbody><body><joint name="j" type="slide"/><geom size="0.1" mass="1"/><plugin instance="shared"/></body></worldbody>
    <actuator><plugin joint="j" plugin="mine.actuator"><config key="gain" value="3"/></plugin></actuator>
    <sensor><plugin plugin="mine.sensor"/></sensor></mujoco>)");
  if (!m) return;
  show("nplugin", m->nplugin);
  show("nstate", m->npluginstate);
  show("config", mj_getPluginConfig(m.get(), m->actuator_plugin[0], "gain"));
  show("no config", mj_getPluginConfig(m.get(), m->actuator_plugin[0], "none"));
  Data d(mj_makeData(m.get()));
  show("created", created);
  show("resets", resets);
  show("state", d->plugin_state, (int)m->npluginstate);
  d->ctrl[0] = 2;
  d->qpos[0] = 0.5;
  mj_step(m.get(), d.get());
  show("advances", advances);
  show("force", d->actuator_force[0]);
  show("passive", d->qfrc_passive[0]);
  mj_step(m.get(), d.get());
  show("sensor", d->sensordata, (int)m->nsensordata);
  show("qpos", d->qpos, 1);
  std::vector<mjtNum> state(mj_stateSize(m.get(), mjSTATE_PLUGIN));
  mj_getState(m.get(), d.get(), state.data(), mjSTATE_PLUGIN);
  show("state", state.data(), (int)state.size());
  Data copy(mj_copyData(nullptr, m.get(), d.get()));
  show("created", created);
  mj_resetData(m.get(), d.get());
  show("state", d->plugin_state, (int)m->npluginstate);
  copy.reset();
  d.reset();
  show("destroyed", destroyed);
}

static void mistakes() {
  title("mistakes");
  load(
      R"(<mujoco><extension><plugin plugin="mine.actuator"/></extension><worldbody><body><joint name="j"/>
    <geom size="1"/><plugin plugin="mine.actuator"/></body></worldbody></mujoco>)");
  load(R"(<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><plugin joint="j" plugin="mine.none"/></actuator></mujoco>)");
  load(
      R"(<mujoco><extension><plugin plugin="mine.actuator"/></extension><worldbody><body><joint name="j"/><geom size="1"/></body>
    </worldbody><actuator><plugin joint="j" plugin="mine.actuator"><config key="wrong" value="1"/></plugin></actuator></mujoco>)");
}

static void fields() {
  title("fields");
  Model m = load(
      R"(<mujoco><extension><plugin plugin="mine.field"><instance name="ball"/></plugin></extension>
    <asset><mesh name="ball"><plugin instance="ball"/></mesh></asset>
    <worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 0.29"><freejoint/>
    <geom type="sdf" name="sdf" mesh="ball"><plugin instance="ball"/></geom></body></worldbody></mujoco>)");
  if (!m) return;
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  show("ncon", d->ncon > 0);
  const mjpPlugin* plugin = mjc_getSDF(m.get(), 1);
  show("plugin", plugin ? plugin->name : "");
  int id[2] = {m->geom_plugin[1], -1};
  mjtGeom type[2] = {mjGEOM_SDF, mjGEOM_SDF};
  mjSDF sdf;
  std::memset(&sdf, 0, sizeof(sdf));
  sdf.plugin = &plugin;
  sdf.id = id;
  sdf.type = mjSDFTYPE_SINGLE;
  sdf.geomtype = type;
  for (double x : {0.0, 0.1, 0.5}) {
    mjtNum point[3] = {x, 0.2, 0.1}, gradient[3];
    show("distance", mjc_distance(m.get(), d.get(), &sdf, point));
    mjc_gradient(m.get(), d.get(), &sdf, gradient, point);
    show("gradient", gradient, 3);
  }
}

int main() {
  catchMessages();
  registration();
  simulation();
  mistakes();
  fields();
}
