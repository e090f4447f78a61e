// Simulators composed by name, in C.

#include <math.h>

#include "harness.h"
#include "sinew/sim.h"

static const char* const kSheet =
    "<mujoco><option integrator='implicitfast'/><worldbody><geom type='plane' size='2 2 .1'/>"
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<flexcomp name='c' type='grid' count='4 4 1' spacing='.05 .05 .05' pos='0 0 .4' mass='.1'>"
    "<elasticity young='1e4' poisson='.3' thickness='.005' elastic2d='both'/></flexcomp>"
    "</worldbody></mujoco>";

static char error[1000];

static snSpec* parse(void) {
  snSpec* spec = sn_parseXMLString(kSheet, NULL, error, sizeof(error));
  assert_non_null(spec);
  return spec;
}

static void test_preset_chooses_laws_and_leaves_the_spec(void** state) {
  (void)state;
  snSpec* spec = parse();
  snSimBuilder builder;
  assert_int_equal(sn_simPreset(&builder, "animation"), 0);
  builder.substeps = 2;
  snSim* sim = sn_buildSim(&builder, spec, NULL, error, sizeof(error));
  assert_string_equal(error, "");
  assert_int_equal(sim->model->flex_bendingmodel[0], 1);
  assert_int_equal(sim->model->opt.solver, snSOL_XPBD);
  assert_int_equal(sim->model->xpbd_substeps[0], 2);
  assert_int_equal(spec->option.solver, snSOL_NEWTON);
  for (int i = 0; i < 200; i++) sn_stepSim(sim);
  assert_int_equal(sim->data->status & 1 << snWARN_BADQACC, 0);
  assert_close(sim->data->qpos[2], 0.1, 1e-4);
  sn_deleteSim(sim);
  sn_deleteSpec(spec);
}

static void test_default_builder_builds_the_plain_model(void** state) {
  (void)state;
  snSpec* spec = parse();
  snSimBuilder builder;
  sn_defaultSimBuilder(&builder);
  snSim* sim = sn_buildSim(&builder, spec, NULL, error, sizeof(error));
  snModel* m = sn_compile(spec, NULL);
  snData* d = sn_makeData(m);
  snSim* again = sn_buildSimFromModel(&builder, m, error, sizeof(error));
  for (int i = 0; i < 20; i++) {
    sn_step(m, d);
    sn_stepSim(sim);
    sn_stepSim(again);
  }
  for (int i = 0; i < (int)m->nq; i++) {
    assert_close(sim->data->qpos[i], d->qpos[i], 0);
    assert_close(again->data->qpos[i], d->qpos[i], 0);
  }
  sn_deleteSim(sim);
  sn_deleteSim(again);
  sn_deleteData(d);
  sn_deleteModel(m);
  sn_deleteSpec(spec);
}

static void test_wrong_names_are_errors(void** state) {
  (void)state;
  snSpec* spec = parse();
  snSimBuilder builder;
  char names[200];
  assert_int_equal(sn_simPreset(&builder, "film"), -1);
  builder.contact = "lcp";
  assert_null(sn_buildSim(&builder, spec, NULL, error, sizeof(error)));
  assert_string_equal(error, "unknown contact model 'lcp'; there are: newton, cg, pgs, xpbd");
  assert_int_equal(sn_simNames("colour", names, sizeof(names)), -1);
  assert_int_equal(sn_simNames("preset", names, sizeof(names)), 0);
  assert_string_equal(names, "mujoco, animation, softbody");
  sn_defaultSimBuilder(&builder);
  builder.nbending = 99;
  assert_null(sn_buildSim(&builder, spec, NULL, error, sizeof(error)));
  sn_deleteSim(NULL);
  sn_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_preset_chooses_laws_and_leaves_the_spec),
      cmocka_unit_test(test_default_builder_builds_the_plain_model),
      cmocka_unit_test(test_wrong_names_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
