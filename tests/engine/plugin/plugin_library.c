// A library with two plugins, for the tests of loading: a passive force that lifts every joint, and one
// that sums the first control in a state of its own and applies it as a force.

#include "sinew/plugin.h"

static int noState(const snModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

static int init(const snModel* m, snData* d, int instance) {
  (void)m, (void)d, (void)instance;
  return 0;
}

static void lift(const snModel* m, snData* d, int instance, int capability) {
  (void)instance, (void)capability;
  for (int i = 0; i < (int)m->nv; i++) d->qfrc_passive[i] += 1;
}

static int oneState(const snModel* m, int instance) {
  (void)m, (void)instance;
  return 1;
}

static void forget(const snModel* m, snReal* state, void* data, int instance) {
  (void)m, (void)data, (void)instance;
  state[0] = 0;
}

static void push(const snModel* m, snData* d, int instance, int capability) {
  (void)capability;
  d->qfrc_passive[0] += d->plugin_state[m->plugin_stateadr[instance]];
}

static void add(const snModel* m, snData* d, int instance) {
  d->plugin_state[m->plugin_stateadr[instance]] += d->ctrl[0];
}

static void registerSum(void) {
  snpPlugin plugin;
  snp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.sum";
  plugin.capabilityflags = snPLUGIN_PASSIVE;
  plugin.nstate = oneState;
  plugin.init = init;
  plugin.reset = forget;
  plugin.compute = push;
  plugin.advance = add;
  snp_registerPlugin(&plugin);
}

__attribute__((constructor)) static void registerPlugins(void) {
  registerSum();
  snpPlugin plugin;
  snp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.lift";
  plugin.capabilityflags = snPLUGIN_PASSIVE;
  plugin.nstate = noState;
  plugin.init = init;
  plugin.compute = lift;
  snp_registerPlugin(&plugin);
}
