// A library of plugins in MuJoCo's interface: one of every capability. test_binary.py compiles it with
// MuJoCo's own headers and loads the same file into both engines.

#include <stdlib.h>
#include <string.h>

#include <mujoco/mjplugin.h>
#include <mujoco/mujoco.h>

// calls of each function, which every instance keeps in memory of its own
typedef struct Calls_ {
  int reset, compute, advance, act_dot, copied;
} Calls;

static double number(const mjModel* m, int instance, const char* name) {
  const char* text = mj_getPluginConfig(m, instance, name);
  return text && *text ? atof(text) : 0;
}

static mjtNum* stateOf(const mjModel* m, mjData* d, int instance) {
  return d->plugin_state + m->plugin_stateadr[instance];
}

static int init(const mjModel* m, mjData* d, int instance) {
  if (number(m, instance, "gain") < 0) {
    mju_warning("negative gain");
    return -1;
  }
  d->plugin_data[instance] = (uintptr_t)calloc(1, sizeof(Calls));
  return 0;
}

static void destroy(mjData* d, int instance) {
  free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}

static void copy(mjData* dest, const mjModel* m, const mjData* src, int instance) {
  (void)m;
  Calls* calls = (Calls*)dest->plugin_data[instance];
  *calls = *(const Calls*)src->plugin_data[instance];
  calls->copied++;
}

static void reset(const mjModel* m, mjtNum* plugin_state, void* plugin_data, int instance) {
  for (int i = 0; i < m->plugin_statenum[instance]; i++) plugin_state[i] = 0.25 * (i + 1);
  ((Calls*)plugin_data)->reset++;
}

static int nstate(const mjModel* m, int instance) {
  return number(m, instance, "gain") > 1 ? 3 : 1;
}

// ---- a force on the bodies: a spring of each to where it was compiled, and the state

static void pull(const mjModel* m, mjData* d, int instance, int capability) {
  if (capability != mjPLUGIN_PASSIVE) return;
  mjtNum gain = number(m, instance, "gain"), zero[3] = {0, 0, 0};
  ((Calls*)d->plugin_data[instance])->compute++;
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_plugin[i] != instance) continue;
    mjtNum force[3] = {-gain * d->xpos[3 * i], 0, stateOf(m, d, instance)[0]};
    mj_applyFT(m, d, force, zero, d->xipos + 3 * i, i, d->qfrc_passive);
  }
}

static void grow(const mjModel* m, mjData* d, int instance) {
  mjtNum* state = stateOf(m, d, instance);
  ((Calls*)d->plugin_data[instance])->advance++;
  state[0] += m->opt.timestep * (d->sensordata && m->nsensordata ? d->sensordata[0] : 1);
}

// ---- an actuator with one activation that follows its control

static void drive(const mjModel* m, mjData* d, int instance, int capability) {
  if (capability != mjPLUGIN_ACTUATOR) return;
  ((Calls*)d->plugin_data[instance])->compute++;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance) continue;
    mjtNum act = m->actuator_actnum[i] ? d->act[m->actuator_actadr[i]] : 0;
    d->actuator_force[i] = number(m, instance, "gain") * (d->ctrl[i] - d->actuator_length[i]) + act;
  }
}

static void follow(const mjModel* m, mjData* d, int instance) {
  ((Calls*)d->plugin_data[instance])->act_dot++;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance || !m->actuator_actnum[i]) continue;
    d->act_dot[m->actuator_actadr[i]] = d->ctrl[i] - d->act[m->actuator_actadr[i]];
  }
}

// ---- a sensor of two numbers: rows of constraints, and the pressure of the contacts

static int two(const mjModel* m, int instance, int sensor_id) {
  (void)m, (void)instance, (void)sensor_id;
  return 2;
}

static void measure(const mjModel* m, mjData* d, int instance, int capability) {
  if (capability != mjPLUGIN_SENSOR) return;
  ((Calls*)d->plugin_data[instance])->compute++;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_PLUGIN || m->sensor_plugin[i] != instance) continue;
    mjtNum* out = d->sensordata + m->sensor_adr[i];
    out[0] = d->nefc;
    out[1] = 0;
    for (int c = 0; c < d->ncon; c++) {
      mjtNum force[6];
      mj_contactForce(m, d, c, force);
      out[1] += force[0];
    }
    for (int row = 0; row < d->nefc; row++) out[1] += 0.01 * d->efc_force[row] * d->efc_vel[row];
  }
}

// ---- a distance field: a ball of the radius that the configuration says

static mjtNum ballDistance(const mjtNum point[3], const mjtNum* attributes) {
  return mju_norm3(point) - attributes[0];
}

static void ballAttribute(mjtNum attribute[], const char* name[], const char* value[]) {
  attribute[0] = !strcmp(name[0], "gain") && value[0][0] ? atof(value[0]) : 0.1;
}

static void ballBox(mjtNum aabb[6], const mjtNum* attributes) {
  for (int i = 0; i < 3; i++) {
    aabb[i] = 0;
    aabb[3 + i] = attributes[0];
  }
}

static mjtNum radius;  // of the one instance of the tests

static int initBall(const mjModel* m, mjData* d, int instance) {
  radius = number(m, instance, "gain");
  return init(m, d, instance);
}

static mjtNum ball(const mjtNum point[3], const mjData* d, int instance) {
  (void)d, (void)instance;
  return mju_norm3(point) - radius;
}

static void ballGradient(mjtNum gradient[3], const mjtNum point[3], const mjData* d, int instance) {
  (void)d, (void)instance;
  mju_copy3(gradient, point);
  mju_normalize3(gradient);
}

static void nothing(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)d, (void)instance, (void)capability;
}

// ---- marks in the scene

static void mark(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn, int instance) {
  (void)m, (void)opt, (void)instance;
  if (scn->ngeom >= scn->maxgeom) return;
  float white[4] = {1, 1, 1, 1};
  mjtNum size[3] = {0.1, 0.1, 0.1};
  mjv_initGeom(scn->geoms + scn->ngeom++, mjGEOM_SPHERE, size, d->qpos, NULL, white);
}

static const char* const ATTRIBUTES[] = {"gain"};

static mjpPlugin plain(const char* name, int capability) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = name;
  plugin.nattribute = 1;
  plugin.attributes = ATTRIBUTES;
  plugin.capabilityflags = capability;
  plugin.nstate = nstate;
  plugin.init = init;
  plugin.destroy = destroy;
  plugin.copy = copy;
  plugin.reset = reset;
  return plugin;
}

static void registerBall(void) {
  mjpPlugin plugin = plain("lab.ball", mjPLUGIN_SDF);
  plugin.init = initBall;
  plugin.compute = nothing;
  plugin.sdf_distance = ball;
  plugin.sdf_gradient = ballGradient;
  plugin.sdf_staticdistance = ballDistance;
  plugin.sdf_attribute = ballAttribute;
  plugin.sdf_aabb = ballBox;
  mjp_registerPlugin(&plugin);
}

mjPLUGIN_LIB_INIT {
  mjpPlugin plugin = plain("lab.spring", mjPLUGIN_PASSIVE);
  plugin.compute = pull;
  plugin.advance = grow;
  plugin.visualize = mark;
  mjp_registerPlugin(&plugin);
  plugin = plain("lab.servo", mjPLUGIN_ACTUATOR);
  plugin.compute = drive;
  plugin.actuator_act_dot = follow;
  mjp_registerPlugin(&plugin);
  plugin = plain("lab.rows", mjPLUGIN_SENSOR);
  plugin.nsensordata = two;
  plugin.needstage = mjSTAGE_ACC;
  plugin.compute = measure;
  mjp_registerPlugin(&plugin);
  registerBall();
}
