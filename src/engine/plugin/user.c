// Plugins of the user, called where their capability has its place in a step.

#include "engine/plugin/plugin.h"
#include "sinew/plugin.h"

// the stage of a plugin's sensors; none: after positions
static int sensorStage(const snpPlugin* plugin) {
  return plugin->needstage ? plugin->needstage : snSTAGE_POS;
}

int sn_hasPluginSensor(const snModel* m, int stage) {
  for (int i = 0; i < (int)m->nplugin; i++) {
    if (m->plugin[i] == snPLUGIN_TOUCHGRID && stage == snSTAGE_ACC) return 1;
    const snpPlugin* plugin = sn_userPlugin(m->plugin[i]);
    if (plugin && (plugin->capabilityflags & snPLUGIN_SENSOR) && sensorStage(plugin) == stage)
      return 1;
  }
  return 0;
}

void sn_userCompute(const snModel* m, snData* d, int capability, int stage) {
  for (int i = 0; i < (int)m->nplugin; i++) {
    const snpPlugin* plugin = sn_userPlugin(m->plugin[i]);
    if (!plugin || !(plugin->capabilityflags & capability) || !plugin->compute) continue;
    if (capability == snPLUGIN_SENSOR && sensorStage(plugin) != stage) continue;
    plugin->compute(m, d, i, capability);
  }
}

void sn_userActDot(const snModel* m, snData* d) {
  for (int i = 0; i < (int)m->nplugin; i++) {
    const snpPlugin* plugin = sn_userPlugin(m->plugin[i]);
    if (plugin && (plugin->capabilityflags & snPLUGIN_ACTUATOR) && plugin->actuator_act_dot) {
      plugin->actuator_act_dot(m, d, i);
    }
  }
}

void sn_userAdvance(const snModel* m, snData* d) {
  for (int i = 0; i < (int)m->nplugin; i++) {
    const snpPlugin* plugin = sn_userPlugin(m->plugin[i]);
    if (plugin && plugin->advance) plugin->advance(m, d, i);
  }
}

void sn_userReset(const snModel* m, snData* d) {
  for (int i = 0; i < (int)m->nplugin; i++) {
    const snpPlugin* plugin = sn_userPlugin(m->plugin[i]);
    if (!plugin || !plugin->reset) continue;
    snReal* state = m->plugin_statenum[i] > 0 ? d->plugin_state + m->plugin_stateadr[i] : NULL;
    plugin->reset(m, state, (void*)d->plugin_data[i], i);
  }
}
