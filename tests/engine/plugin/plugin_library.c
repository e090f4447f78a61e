// A library with one plugin, for the tests of loading: a passive force that lifts every joint.

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

__attribute__((constructor)) static void registerPlugins(void) {
  snpPlugin plugin;
  snp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.lift";
  plugin.capabilityflags = snPLUGIN_PASSIVE;
  plugin.nstate = noState;
  plugin.init = init;
  plugin.compute = lift;
  snp_registerPlugin(&plugin);
}
