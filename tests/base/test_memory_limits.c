// Memory that cannot be had: an error each time, nothing lost, nothing written through NULL. Every n-th
// allocation of each task fails, until a run needs none that fails.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

#include "sinew/batch.h"
#include "sinew/visual.h"

// ---- an allocator that fails once --------------------------------------------------------------------

static long taken, held, fails_at;

static void* allocate(size_t bytes) {
  if (++taken == fails_at) return NULL;
  void* memory = NULL;
  if (posix_memalign(&memory, 64, bytes ? bytes : 1)) return NULL;
  held++;
  return memory;
}

static void release(void* memory) {
  held -= memory != NULL;
  free(memory);
}

static const char* XML =
    "<mujoco><default><geom rgba='1 0 0 1'/><default class='thin'><geom "
    "size='.05'/></default></default>"
    "<asset><texture name='t' type='2d' builtin='checker' width='8' height='8'/>"
    "<material name='m' texture='t'/><hfield name='h' nrow='3' ncol='3' size='1 1 1 .1'/></asset>"
    "<worldbody><geom type='plane' size='2 2 .1' material='m'/><light pos='0 0 3'/>"
    "<frame pos='0 0 1'><body name='a'><freejoint/><geom name='g' type='capsule' size='.1 .2'/>"
    "<body name='b' pos='0 0 .2'><joint name='j' axis='0 1 0'/><site name='s'/>"
    "<geom class='thin' type='sphere'/></body></body></frame></worldbody>"
    "<tendon><fixed name='f'><joint joint='j' coef='1'/></fixed></tendon>"
    "<actuator><motor joint='j'/><muscle joint='j' lengthrange='0 1'/></actuator>"
    "<sensor><jointpos joint='j'/></sensor><custom><numeric name='n' data='1 2 3'/></custom>"
    "<keyframe><key qpos='0 0 1 1 0 0 0 .1'/></keyframe></mujoco>";

// Tasks return 1 when they did all of their work, else 0 and say why.
static char why[500];

static snSpec* parse(void) {
  why[0] = 0;
  return sn_parseXMLString(XML, NULL, why, sizeof(why));
}

static snModel* compile(snSpec* spec) {
  snModel* m = spec ? sn_compile(spec, NULL) : NULL;
  if (spec && !m) snprintf(why, sizeof(why), "%s", sns_getError(spec));
  return m;
}

static int taskCompile(void) {
  snSpec* spec = parse();
  snModel* m = compile(spec);
  sn_deleteModel(m);
  sn_deleteSpec(spec);
  return m != NULL;
}

static int taskSave(void) {
  snSpec* spec = parse();
  snModel* m = compile(spec);
  static char xml[20000];
  int done = m && sn_saveXMLString(spec, xml, sizeof(xml), why, sizeof(why)) >= 0;
  sn_deleteModel(m);
  sn_deleteSpec(spec);
  return done;
}

static int taskCopy(void) {
  snSpec* spec = parse();
  snSpec* copy = spec ? sn_copySpec(spec) : NULL;
  if (spec && !copy) snprintf(why, sizeof(why), "no copy");
  snModel* m = compile(copy);
  sn_deleteModel(m);
  sn_deleteSpec(copy);
  sn_deleteSpec(spec);
  return m != NULL;
}

static int taskStep(void) {
  snSpec* spec = parse();
  snModel* m = compile(spec);
  snData* d = m ? sn_makeData(m) : NULL;
  if (m && !d) snprintf(why, sizeof(why), "%s", sn_lastError());
  for (int i = 0; d && i < 3; i++) sn_step(m, d);
  snData* copy = d ? sn_copyData(NULL, m, d) : NULL;
  if (d && !copy) snprintf(why, sizeof(why), "%s", sn_lastError());
  sn_deleteData(copy);
  sn_deleteData(d);
  sn_deleteModel(m);
  sn_deleteSpec(spec);
  return copy != NULL;
}

static int taskBatch(void) {
  snSpec* spec = parse();
  snModel* m = compile(spec);
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = 1;
  snBatch* b = m ? sn_makeBatch(m, 3, &options, why, sizeof(why)) : NULL;
  sn_deleteBatch(b);
  sn_deleteModel(m);
  sn_deleteSpec(spec);
  return b != NULL;
}

static int taskScene(void) {
  snSpec* spec = parse();
  snModel* m = compile(spec);
  snData* d = m ? sn_makeData(m) : NULL;
  if (m && !d) snprintf(why, sizeof(why), "%s", sn_lastError());
  int done = 0;
  if (d) {
    snvScene scene;
    snvOption option;
    snvCamera camera;
    snv_defaultScene(&scene);
    snv_defaultOption(&option);
    snv_defaultFreeCamera(m, &camera);
    sn_forward(m, d);
    snv_makeScene(m, &scene, 100);
    done = scene.maxgeom == 100;
    if (!done) snprintf(why, sizeof(why), "%s", sn_lastError());
    snv_updateScene(m, d, &option, NULL, &camera, snCAT_ALL, &scene);
    snv_freeScene(&scene);
  }
  sn_deleteData(d);
  sn_deleteModel(m);
  sn_deleteSpec(spec);
  return done;
}

static void injectInto(int (*task)(void)) {
  int done = 0;
  sn_setAllocator(allocate, release);
  task();  // what is made once and kept is made now
  for (fails_at = 1; !done; fails_at++) {
    long before = held;
    taken = 0;
    why[0] = 0;
    done = task();
    assert_int_equal(held, before);
    if (taken >= fails_at && !done) assert_true(why[0] != 0);
    done = done && taken < fails_at;
    assert_true(fails_at < 100000);
  }
  fails_at = 0;
  sn_setAllocator(NULL, NULL);
}

static void test_failed_allocations_are_errors(void** state) {
  (void)state;
  int (*tasks[])(void) = {taskCompile, taskSave, taskCopy, taskStep, taskBatch, taskScene};
  for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++) injectInto(tasks[i]);
}

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
  snModel* m = loadXML(XML);
  assert_null(sn_makeBatch(m, INT_MAX, NULL, error, sizeof(error)));
  assert_non_null(strstr(error, "memory"));
  sn_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_failed_allocations_are_errors),
      cmocka_unit_test(test_thousands_of_bodies_keep_the_size_that_is_asked_for),
      cmocka_unit_test(test_twenty_thousand_bodies_need_no_size),
      cmocka_unit_test(test_a_cloth_of_ten_thousand_vertices_steps),
      cmocka_unit_test(test_a_batch_that_cannot_fit_is_refused_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
