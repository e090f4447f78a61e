// Compiling again: the state of what still exists is kept; numbers of a model go back into its
// spec.

#include "harness.h"
#include "sinew/spec.h"

static const char* const kModel =
    "<mujoco><compiler angle='degree'/><worldbody>"
    "<frame pos='0 0 1' euler='0 0 90'>"
    "<body name='a' pos='1 0 0' euler='10 0 0'><joint name='ja' range='-30 40' ref='5'/>"
    "<geom name='ga' type='capsule' size='.1' fromto='0 0 0 1 0 0'/></body></frame>"
    "<body name='b' pos='2 0 0'><freejoint name='jb'/><geom name='gb' size='.2'/></body>"
    "<body name='mc' mocap='true' pos='0 0 3'/></worldbody>"
    "<actuator><motor name='ma' joint='ja'/><intvelocity name='mb' joint='ja' actrange='-1 1'/>"
    "</actuator></mujoco>";

static snSpec* parse(void) {
  char error[500] = "";
  snSpec* spec = sn_parseXMLString(kModel, NULL, error, sizeof(error));
  assert_string_equal(error, "");
  assert_non_null(spec);
  return spec;
}

static void test_state_is_kept(void** state) {
  (void)state;
  snSpec* spec = parse();
  snModel* m = sn_compile(spec, NULL);
  snData* d = sn_makeData(m);
  d->time = 3;
  d->qpos[0] = 0.25;
  d->qvel[0] = -0.5;
  d->qpos[1 + 2] = 7;
  d->ctrl[1] = 0.75;
  d->act[0] = 0.125;
  d->mocap_pos[0] = 9;

  // a new body in front of all others moves every address
  snsBody* body = sns_addBody(sns_findBody(spec, "world"), NULL);
  sns_addJoint(body, NULL);
  snsGeom* geom = sns_addGeom(body, NULL);
  geom->size[0] = 0.1;
  sns_delete(spec, sns_findElement(spec, snOBJ_ACTUATOR, "ma"));
  assert_int_equal(sn_recompile(spec, NULL, m, d), 0);

  assert_int_equal(m->njnt, 3);
  assert_int_equal(m->nu, 1);
  int ja = m->jnt_qposadr[sn_name2id(m, snOBJ_JOINT, "ja")];
  int jb = m->jnt_qposadr[sn_name2id(m, snOBJ_JOINT, "jb")];
  assert_close(d->time, 3, 0);
  assert_close(d->qpos[ja], 0.25, 0);
  assert_close(d->qvel[m->jnt_dofadr[sn_name2id(m, snOBJ_JOINT, "ja")]], -0.5, 0);
  assert_close(d->qpos[jb + 2], 7, 0);
  assert_close(d->ctrl[0], 0.75, 0);
  assert_close(d->act[0], 0.125, 0);
  assert_close(d->mocap_pos[0], 9, 0);

  // once more, and copies of what was recompiled
  assert_int_equal(sn_recompile(spec, NULL, m, d), 0);
  assert_close(d->qpos[ja], 0.25, 0);
  snModel* copy = sn_copyModel(NULL, m);
  snData* second = sn_copyData(NULL, copy, d);
  assert_close(second->qpos[ja], 0.25, 0);
  sn_copyModel(m, copy);
  sn_copyData(d, m, second);
  assert_close(d->qpos[jb + 2], 7, 0);
  sn_deleteData(second);
  sn_deleteModel(copy);
  sn_deleteData(d);
  sn_deleteModel(m);
  sn_deleteSpec(spec);
}

static void test_failure_leaves_model_and_data(void** state) {
  (void)state;
  snSpec* spec = parse();
  snModel* m = sn_compile(spec, NULL);
  snData* d = sn_makeData(m);
  d->qpos[0] = 0.25;
  sns_addGeom(sns_findBody(spec, "a"), NULL);  // size 0
  assert_int_equal(sn_recompile(spec, NULL, m, d), -1);
  assert_non_null(strstr(sns_getError(spec), "size 0 must be positive"));
  assert_close(d->qpos[0], 0.25, 0);
  assert_int_equal(m->ngeom, 2);
  sn_deleteData(d);
  sn_deleteModel(m);
  sn_deleteSpec(spec);
}

static void test_numbers_go_back(void** state) {
  (void)state;
  snSpec* spec = parse();
  snModel* m = sn_compile(spec, NULL);
  m->body_mass[1] = 5;
  m->jnt_range[1] = 1.5;
  m->geom_size[0] = 0.3;
  m->actuator_gear[0] = 11;
  m->opt.timestep = 0.01;
  assert_int_equal(sn_copyBack(spec, m), 1);
  snModel* again = sn_compile(spec, NULL);
  assert_non_null(again);
  assert_close(again->body_mass[1], 5, 0);
  assert_close(again->jnt_range[1], 1.5, 1e-15);
  assert_close(again->geom_size[0], 0.3, 0);
  assert_close(again->actuator_gear[0], 11, 0);
  assert_close(again->opt.timestep, 0.01, 0);
  for (int i = 0; i < 3 * m->nbody; i++) assert_close(again->body_pos[i], m->body_pos[i], 1e-15);
  for (int i = 0; i < 4 * m->ngeom; i++) assert_close(again->geom_quat[i], m->geom_quat[i], 1e-15);
  for (int i = 0; i < m->nq; i++) assert_close(again->qpos0[i], m->qpos0[i], 1e-15);
  sn_deleteModel(again);
  sn_deleteModel(m);
  sn_deleteSpec(spec);
}

static void test_other_model_is_refused(void** state) {
  (void)state;
  snSpec* spec = parse();
  snSpec* other = parse();
  snModel* m = sn_compile(other, NULL);
  assert_int_equal(sn_copyBack(spec, m), 0);
  assert_int_equal(sn_copyBack(other, NULL), 0);
  sn_deleteModel(m);
  sn_deleteSpec(other);
  sn_deleteSpec(spec);
}

static void test_sensor_dimensions(void** state) {
  (void)state;
  snSpec* spec = parse();
  snsSensor* sensor = sns_addSensor(spec);
  sensor->type = snSENS_FRAMEQUAT;
  assert_int_equal(sns_sensorDim(sensor), 4);
  sensor->type = snSENS_CONTACT;
  sensor->intprm[0] = 1 << snCONDATA_FORCE | 1 << snCONDATA_DIST;
  sensor->intprm[2] = 3;
  assert_int_equal(sns_sensorDim(sensor), 12);
  sn_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_state_is_kept),
      cmocka_unit_test(test_failure_leaves_model_and_data),
      cmocka_unit_test(test_numbers_go_back),
      cmocka_unit_test(test_other_model_is_refused),
      cmocka_unit_test(test_sensor_dimensions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
