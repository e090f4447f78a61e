// Deformables that a program adds to a model and data that exist.

#include "harness.h"
#include "sinew/deformable.h"

static const char* const kModel =
    "<mujoco><worldbody><geom type='plane' size='2 2 1'/>"
    "<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>"
    "<deformable><sinew:chain name='first' count='4 1 1' spacing='.1 1 1' pos='0 1 "
    "1'/></deformable>"
    "</mujoco>";

typedef struct World_ {
  snSpec* spec;
  snModel* m;
  snData* d;
} World;

static World makeWorld(void) {
  char error[500] = "";
  World w;
  w.spec = sn_parseXMLString(kModel, NULL, error, sizeof(error));
  assert_string_equal(error, "");
  w.m = sn_compile(w.spec, NULL);
  assert_non_null(w.m);
  w.d = sn_makeData(w.m);
  for (int i = 0; i < 20; i++) sn_step(w.m, w.d);
  return w;
}

static void freeWorld(World* w) {
  sn_deleteData(w->d);
  sn_deleteModel(w->m);
  sn_deleteSpec(w->spec);
}

static snsDeformable* addTriangle(snSpec* spec) {
  static const double vert[] = {0, 0, 2, 0.1, 0, 2, 0, 0.1, 2};
  static const int elem[] = {0, 1, 2};
  snsDeformable* cloth = sns_addDeformable(spec);
  cloth->type = snDEFORMABLE_CLOTH;
  sns_setDouble(cloth->vert, vert, 9);
  sns_setInt(cloth->elem, elem, 3);
  return cloth;
}

static void test_registered_body_gets_the_next_index_and_the_state_is_kept(void** state) {
  (void)state;
  World w = makeWorld();
  double time = w.d->time, height = w.d->qpos[2], chain = w.d->deformvert_xpos[2];
  int index = sn_addDeformable(w.spec, addTriangle(w.spec), NULL, w.m, w.d);
  assert_int_equal(index, 1);
  assert_int_equal(w.m->ndeformable, 2);
  assert_close(w.d->time, time, 0);
  assert_close(w.d->qpos[2], height, 0);
  assert_close(w.d->deformvert_xpos[2], chain, 0);

  snDeformableView view;
  assert_int_equal(sn_getDeformable(w.m, w.d, index, &view), 0);
  assert_int_equal(view.type, snDEFORMABLE_CLOTH);
  assert_int_equal(view.nvert, 3);
  assert_close(view.xpos[2], 2, 0);
  for (int i = 0; i < 10; i++) sn_step(w.m, w.d);
  assert_true(view.xpos[2] < 2 && view.xvel[2] < 0);

  // a reset stops it where it is, and takes the declared one back
  double fallen = view.xpos[2];
  sn_resetData(w.m, w.d);
  assert_close(view.xpos[2], fallen, 0);
  assert_close(view.xvel[2], 0, 0);
  assert_close(w.d->deformvert_xpos[2], 1, 0);
  freeWorld(&w);
}

static void test_copies_are_deep(void** state) {
  (void)state;
  World w = makeWorld();
  int index = sn_addDeformable(w.spec, addTriangle(w.spec), NULL, w.m, w.d);
  snData* other = sn_copyData(NULL, w.m, w.d);
  snDeformableView a, b;
  sn_getDeformable(w.m, w.d, index, &a);
  sn_getDeformable(w.m, other, index, &b);
  assert_ptr_not_equal(a.xpos, b.xpos);
  for (int i = 0; i < 5; i++) sn_step(w.m, w.d);
  assert_close(b.xpos[2], 2, 0);
  assert_true(a.xpos[2] < 2);
  sn_deleteData(other);
  freeWorld(&w);
}

static int errors;
static void countError(const char* message) { errors += strstr(message, "out of range") != NULL; }

static void test_index_out_of_range_is_an_error(void** state) {
  (void)state;
  World w = makeWorld();
  snDeformableView view;
  snReal force[3];
  sn_setErrorHandler(countError);
  errors = 0;
  assert_int_equal(sn_getDeformable(w.m, w.d, 1, &view), -1);
  assert_int_equal(sn_getDeformable(w.m, w.d, -1, &view), -1);
  assert_int_equal(sn_deformContactForce(w.m, w.d, w.d->ndeformcon, force), -1);
  sn_setErrorHandler(NULL);
  assert_int_equal(errors, 3);
  freeWorld(&w);
}

static void test_failure_leaves_model_and_data(void** state) {
  (void)state;
  World w = makeWorld(), other = makeWorld();
  double chain = w.d->deformvert_xpos[2];
  snsDeformable* bad = addTriangle(w.spec);
  bad->substeps = 0;
  assert_int_equal(sn_addDeformable(w.spec, bad, NULL, w.m, w.d), -1);
  assert_non_null(strstr(sns_getError(w.spec), "substeps must be between 1 and 1000"));
  assert_int_equal(w.m->ndeformable, 1);
  assert_close(w.d->deformvert_xpos[2], chain, 0);
  assert_int_equal(sn_addDeformable(other.spec, bad, NULL, other.m, other.d), -1);
  assert_non_null(strstr(sns_getError(other.spec), "of another spec"));
  freeWorld(&w);
  freeWorld(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_registered_body_gets_the_next_index_and_the_state_is_kept),
      cmocka_unit_test(test_copies_are_deep),
      cmocka_unit_test(test_index_out_of_range_is_an_error),
      cmocka_unit_test(test_failure_leaves_model_and_data),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
