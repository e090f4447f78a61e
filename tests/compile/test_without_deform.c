// A library that was built without deformables: it says so, and does everything else.

#include "harness.h"
#include "sinew/deformable.h"

static void test_elements_are_refused(void** state) {
  (void)state;
  char error[500] = "";
  const char* xml = "<mujoco><deformable><sinew:cloth/></deformable></mujoco>";
  assert_null(sn_parseXMLString(xml, NULL, error, sizeof(error)));
  assert_non_null(strstr(error, "this library was built without deformables"));
}

static void test_specs_are_refused(void** state) {
  (void)state;
  snSpec* spec = sn_makeSpec();
  snsDeformable* body = sns_addDeformable(spec);
  assert_non_null(body);
  assert_null(sn_compile(spec, NULL));
  assert_non_null(strstr(sns_getError(spec), "this library was built without deformables"));
  assert_int_equal(sns_setDeformableSolver(body, "realtime"), 0);
  sn_deleteSpec(spec);
}

static void test_rigid_models_run(void** state) {
  (void)state;
  snModel* m = loadXML(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 1'><freejoint/>"
      "<geom size='.1'/></body></worldbody></mujoco>");
  snData* d = sn_makeData(m);
  for (int i = 0; i < 1000; i++) sn_step(m, d);
  assert_close(d->qpos[2], 0.1, 1e-3);
  sn_deleteData(d);
  sn_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements_are_refused),
      cmocka_unit_test(test_specs_are_refused),
      cmocka_unit_test(test_rigid_models_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
