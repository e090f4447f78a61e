// Large models, and what does not fit into the machine.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

#include "sinew/batch.h"

// ---- large models ------------------------------------------------------------------------------------

static snModel* manyBodies(int n, const char* size) {
  size_t bytes = (size_t)n * 120 + 1000, used;
  char* xml = (char*)malloc(bytes);
  assert_non_null(xml);
  used =
      (size_t)snprintf(xml, bytes, "<mujoco>%s<worldbody><geom type='plane' size='0 0 1'/>", size);
  for (int i = 0; i < n; i++) {
    used += (size_t)snprintf(xml + used, bytes - used,
                             "<body pos='%d %d .099'><freejoint/><geom size='.1'/></body>", i % 100,
                             i / 100);
  }
  snprintf(xml + used, bytes - used, "</worldbody></mujoco>");
  snModel* m = loadXML(xml);
  free(xml);
  return m;
}

static void stepsWithAllContacts(snModel* m, int nbody) {
  snData* d = sn_makeData(m);
  assert_non_null(d);
  for (int i = 0; i < 2; i++) sn_step(m, d);
  assert_int_equal(d->ncon, nbody);
  assert_int_equal(d->status, 0);
  sn_deleteData(d);
}

// MuJoCo loads and steps 5,000 and 10,000 free bodies with these sizes
static void test_thousands_of_bodies_keep_the_size_that_is_asked_for(void** state) {
  (void)state;
  snModel* m = manyBodies(5000, "<size memory='500M'/>");
  assert_int_equal(m->narena, 500 << 20);
  stepsWithAllContacts(m, 5000);
  sn_deleteModel(m);
}

static void test_twenty_thousand_bodies_need_no_size(void** state) {
  (void)state;
  snModel* m = manyBodies(20000, "");
  assert_true(m->narena < (snSize)16 << 30);
  stepsWithAllContacts(m, 20000);
  sn_deleteModel(m);
}

// 30,000 dofs: nothing that a cloth needs grows with the square of its vertices
static void test_a_cloth_of_ten_thousand_vertices_steps(void** state) {
  (void)state;
  snModel* m = loadXML(
      "<mujoco><option solver='CG' tolerance='1e-6'/><worldbody><geom size='.4'/>"
      "<body name='b' pos='0 0 .4049'><flexcomp name='c' type='grid' count='100 100 1' dim='2' "
      "spacing='.016 .016 .016' radius='.005' mass='1'><edge equality='true'/>"
      "<contact selfcollide='none'/></flexcomp></body></worldbody></mujoco>");
  assert_int_equal(m->nv, 30000);
  snData* d = sn_makeData(m);
  assert_non_null(d);
  for (int i = 0; i < 3; i++) sn_step(m, d);
  assert_true(d->ncon > 0);
  assert_int_equal(d->nefc, (int)m->flex_edgenum[0] + 4 * d->ncon);
  assert_int_equal(d->status, 0);
  sn_deleteData(d);
  sn_deleteModel(m);
}

// ---- batches -----------------------------------------------------------------------------------------

static void test_a_batch_that_cannot_fit_is_refused_first(void** state) {
  (void)state;
  char error[300] = "";
  snModel* m = loadXML("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  assert_null(sn_makeBatch(m, INT_MAX, NULL, error, sizeof(error)));
  assert_non_null(strstr(error, "memory"));
  sn_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_thousands_of_bodies_keep_the_size_that_is_asked_for),
      cmocka_unit_test(test_twenty_thousand_bodies_need_no_size),
      cmocka_unit_test(test_a_cloth_of_ten_thousand_vertices_steps),
      cmocka_unit_test(test_a_batch_that_cannot_fit_is_refused_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
